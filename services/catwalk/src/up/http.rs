//! The local web server: metrics, health, and findings as they come.

use std::io::{self, Read};
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use catwalk_events::json;
use tiny_http::{Header, Request, Response, Server, StatusCode};

use super::House;
use crate::follow::{self, Findings, From};

/// How long it waits for a request before it looks whether it is to stop.
const PATIENCE: Duration = Duration::from_millis(200);

pub(crate) fn listen(address: SocketAddr) -> anyhow::Result<Server> {
    let server = Server::http(address);
    server.map_err(|error| {
        anyhow::anyhow!("{address}: {error}; choose another address with http.listen")
    })
}

/// Serves until the house closes.
pub(crate) fn serve(server: &Server, house: &Arc<House>) -> anyhow::Result<()> {
    while !house.is_stopping() {
        let Some(request) = server.recv_timeout(PATIENCE)? else {
            continue;
        };
        let house = house.clone();
        // A reader that stays must not keep the others waiting. One that goes away is no fault.
        thread::spawn(move || drop(answer(request, &house)));
    }
    Ok(())
}

fn answer(request: Request, house: &Arc<House>) -> anyhow::Result<()> {
    let path = request.url().split('?').next().unwrap_or_default();
    let (status, text) = match path {
        "/metrics" => match house.metrics.page(&*house.log) {
            Ok(page) => (200, page),
            Err(error) => (500, format!("{error:#}\n")),
        },
        "/healthz" => match house.failure() {
            None => (200, "at work\n".to_owned()),
            Some(failure) => (503, format!("{failure}\n")),
        },
        "/readyz" => match house.not_ready().as_slice() {
            [] => (200, "ready\n".to_owned()),
            waiting => (503, format!("not ready: {}\n", waiting.join(", "))),
        },
        "/findings" => return Ok(request.respond(findings(house)?)?),
        _ => (404, "/metrics /healthz /readyz /findings\n".to_owned()),
    };
    let kind = match path {
        "/metrics" => prometheus::TEXT_FORMAT,
        _ => "text/plain; charset=utf-8",
    };
    let response = Response::from_string(text).with_status_code(status);
    Ok(request.respond(response.with_header(content_type(kind)?))?)
}

/// Findings as they come, a JSON object a line, until the reader goes away.
fn findings(house: &Arc<House>) -> anyhow::Result<Response<Lines>> {
    let lines = Lines {
        findings: follow::findings(&*house.log, house.formats()?, From::Now)?,
        house: house.clone(),
        waiting: Vec::new(),
    };
    let headers = vec![content_type("application/x-ndjson")?];
    let response = Response::new(StatusCode(200), headers, lines, None, None);
    // What is found goes out at once, however little it is.
    Ok(response.with_chunked_threshold(0))
}

fn content_type(kind: &str) -> anyhow::Result<Header> {
    let header = Header::from_bytes("Content-Type", kind);
    header.map_err(|()| anyhow::anyhow!("{kind:?} is no content type"))
}

/// Follows the findings as a stream of bytes.
struct Lines {
    findings: Findings,
    house: Arc<House>,
    waiting: Vec<u8>,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.waiting.is_empty() {
            if self.house.is_stopping() {
                return Ok(0);
            }
            let found = self
                .findings
                .next(follow::PATIENCE)
                .map_err(io::Error::other)?;
            for finding in found {
                self.waiting
                    .extend(json::write_finding(&finding)?.into_bytes());
                self.waiting.push(b'\n');
            }
        }
        let count = self.waiting.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.waiting[..count]);
        self.waiting.drain(..count);
        Ok(count)
    }
}

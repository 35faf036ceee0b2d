//! The HTTP API of a running desk, as the commands speak with it.

use std::io::ErrorKind;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::{Request, Response};

use crate::gateway::GatewayArgs;

/// A desk that begins is waited for so long.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(200);
/// Where a desk is by default.
const DESK: &str = "http://127.0.0.1:9480";

pub(crate) struct Client {
    agent: Agent,
    base: String,
    /// A header that says who asks.
    who: Option<(&'static str, String)>,
}

/// Why the desk does not do what was asked.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) error: String,
}

impl Client {
    /// Asks the desk that is chosen; without a token as the user of a demo, if it is one.
    pub(crate) fn open(chosen: &GatewayArgs) -> anyhow::Result<Client> {
        Client::at(chosen, DESK)
    }

    /// The same for another service that is at this address by default.
    pub(crate) fn at(chosen: &GatewayArgs, default: &str) -> anyhow::Result<Client> {
        let reached = chosen.reach(default)?;
        let mut client = Client {
            agent: reached.agent,
            base: format!("{}/api/v1", reached.url),
            who: reached
                .token
                .map(|token| ("authorization", format!("Bearer {token}"))),
        };
        if client.who.is_none() && !reached.has_certificate {
            client.sign_in_to_demo()?;
        }
        Ok(client)
    }

    fn sign_in_to_demo(&mut self) -> anyhow::Result<()> {
        let mut answer = self.send("POST", "/session/demo", Some(&json!({})))?;
        // Read to its end, so that the connection can be used again.
        answer.body_mut().read_to_vec()?;
        let cookies = answer.headers().get_all("set-cookie").iter();
        let cookies = cookies.filter_map(|cookie| cookie.to_str().ok());
        let pairs: Vec<&str> = cookies
            .filter_map(|cookie| cookie.split(';').next())
            .collect();
        if answer.status().is_success() && !pairs.is_empty() {
            self.who = Some(("cookie", pairs.join("; ")));
        }
        Ok(())
    }

    fn send(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<Response<ureq::Body>> {
        let url = format!("{}{path}", self.base);
        let request = Request::builder().method(method).uri(&url);
        let request = request
            .header("content-type", "application/json")
            // What a browser would say of its own pages.
            .header("sec-fetch-site", "same-origin");
        let request = match &self.who {
            Some((name, value)) => request.header(*name, value),
            None => request,
        };
        let text = body.map_or_else(String::new, Value::to_string);
        let request = request.body(text).with_context(|| url.clone())?;
        let hint = || {
            format!(
                "{url}: is a desk running there? `catwalk up` and `catwalk demo` say where theirs is"
            )
        };
        self.agent.run(request).with_context(hint)
    }

    pub(crate) fn get(&self, path: &str) -> anyhow::Result<Value> {
        self.parsed(path, &self.ask("GET", path, None)?)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        self.parsed(path, &self.ask("POST", path, Some(body))?)
    }

    /// What is no JSON: a page to read.
    pub(crate) fn page(&self, path: &str) -> anyhow::Result<String> {
        self.ask("GET", path, None)
    }

    fn parsed(&self, path: &str, text: &str) -> anyhow::Result<Value> {
        let what = || {
            format!(
                "{}{path}: the answer is no JSON: is this a desk?",
                self.base
            )
        };
        serde_json::from_str(text).with_context(what)
    }

    /// A refusal is a [`Refusal`] among the errors. What passes is asked again: what is sent again has the same id, and
    /// counts once.
    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> anyhow::Result<String> {
        let begun = Instant::now();
        loop {
            let answer = self.ask_once(method, path, body);
            let passes = answer.as_ref().err().is_some_and(is_passing);
            if !passes || begun.elapsed() > PATIENCE {
                return answer;
            }
            thread::sleep(PAUSE);
        }
    }

    fn ask_once(&self, method: &str, path: &str, body: Option<&Value>) -> anyhow::Result<String> {
        let mut answer = self.send(method, path, body)?;
        let status = answer.status();
        let text = answer.body_mut().read_to_string();
        let text = text.with_context(|| format!("{}{path}", self.base))?;
        if status.is_success() {
            return Ok(text);
        }
        let told: Option<Value> = serde_json::from_str(&text).ok();
        let error = told.as_ref().and_then(|told| told["error"].as_str());
        let error = error.unwrap_or_else(|| text.trim()).to_owned();
        let error = match status.as_u16() {
            401 => format!("{error} (--token-file, or CATWALK_TOKEN in the environment)"),
            _ => error,
        };
        let status = status.as_u16();
        Err(Refusal { status, error }.into())
    }

    /// What happens from an offset on, a line at a time.
    pub(crate) fn stream(&self, after: u64, generation: &str) -> anyhow::Result<ureq::Body> {
        let path = format!("/stream?after={after}&generation={}", escaped(generation));
        let answer = self.send("GET", &path, None)?;
        if !answer.status().is_success() {
            bail!("{}{path}: {}", self.base, answer.status());
        }
        Ok(answer.into_body())
    }
}

/// Whether it may be over when it is asked again: a desk that begins, and a connection that was closed, as a server may
/// do with one that it keeps for the next request.
fn is_passing(error: &anyhow::Error) -> bool {
    if let Some(refusal) = error.downcast_ref::<Refusal>() {
        return refusal.status == 503;
    }
    matches!(error.downcast_ref(), Some(ureq::Error::Io(error)) if matches!(
        error.kind(),
        ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
    ))
}

/// As a part of an address.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                escaped.push(char::from(byte));
            }
            _ => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

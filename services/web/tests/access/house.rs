//! A server with users, and those who ask it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Duration;

use catwalk_web::axum::body::Body;
use catwalk_web::axum::http::header::CONTENT_TYPE;
use catwalk_web::axum::routing::get;
use catwalk_web::axum::{Json, Router};
use catwalk_web::{
    Actor, Caller, Days, Limits, Role, Running, Scope, Server, TlsFiles, UserSettings, Users,
    UsersFile,
};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const PASSWORD: &str = "correct horse battery";

pub(crate) struct House {
    pub(crate) folder: TempDir,
    pub(crate) running: Option<Running>,
}

/// Routes of a service that uses the server.
fn routes() -> Router {
    let who = async |caller: Caller| {
        Json(json!({"id": caller.id, "roles": caller.roles, "properties": caller.properties}))
    };
    let audit = Router::new().route("/api/v1/audit", get(async || "figures"));
    let long = async || Json(json!({"long": "x".repeat(5_000)}));
    let stream = async |_: Caller| {
        let ticks = async_ticks();
        ([(CONTENT_TYPE, "text/event-stream")], Body::new(ticks))
    };
    Router::new()
        .route("/api/v1/who", get(who).post(who))
        .route("/api/v1/long", get(long))
        .route("/api/v1/stream", get(stream))
        .route("/page", get(async || "a page"))
        .merge(catwalk_web::require(
            &[Role::Auditor, Role::Regulator],
            audit,
        ))
}

/// A first message, and then nothing: a stream that waits.
fn async_ticks() -> Body {
    let (sender, receiver) = tokio::sync::mpsc::channel(1);
    tokio::spawn(async move {
        let first = "data: first\n\n".to_owned().repeat(200);
        let _ = sender.send(first).await;
        sender.closed().await;
    });
    struct Ticks(tokio::sync::mpsc::Receiver<String>);
    impl http_body::Body for Ticks {
        type Data = catwalk_web::axum::body::Bytes;
        type Error = std::convert::Infallible;
        fn poll_frame(
            mut self: std::pin::Pin<&mut Self>,
            context: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<http_body::Frame<Self::Data>, Self::Error>>> {
            let next = self.0.poll_recv(context);
            next.map(|text| text.map(|text| Ok(http_body::Frame::data(text.into()))))
        }
    }
    Body::new(Ticks(receiver))
}

pub(crate) fn actor() -> Actor {
    Actor {
        by: "the terminal".to_owned(),
        station: "tty".to_owned(),
    }
}

pub(crate) fn scope(roles: &[Role]) -> Scope {
    Scope {
        roles: roles.iter().copied().collect(),
        properties: None,
        days: Days::default(),
    }
}

impl House {
    /// Nobody is a user yet.
    pub(crate) fn empty() -> House {
        let mut house = House {
            folder: tempfile::tempdir().unwrap(),
            running: None,
        };
        house.open(None);
        house
    }

    /// Anna, an auditor, is the one user.
    pub(crate) fn new() -> House {
        House::with(&[("anna", &[Role::Auditor])], None)
    }

    pub(crate) fn with(users: &[(&str, &[Role])], tls: Option<TlsFiles>) -> House {
        let mut house = House {
            folder: tempfile::tempdir().unwrap(),
            running: None,
        };
        for (id, roles) in users {
            let added = house
                .users()
                .add(&actor(), id, id, &scope(roles), Some(PASSWORD));
            added.unwrap();
        }
        house.open(tls);
        house
    }

    pub(crate) fn open(&mut self, tls: Option<TlsFiles>) {
        let users = Users::open(self.settings()).unwrap();
        self.start(users, tls);
    }

    pub(crate) fn start(&mut self, users: Users, tls: Option<TlsFiles>) {
        let limits = Limits {
            header_timeout: Duration::from_millis(700),
            streams: 3,
            ..Limits::default()
        };
        let address = "127.0.0.1:0".parse().unwrap();
        let server = Server::bind_for(users, address, tls, limits).unwrap();
        self.running = Some(server.start(routes()).unwrap());
    }

    pub(crate) fn settings(&self) -> UserSettings {
        UserSettings {
            file: self.file(),
            idle: Duration::from_secs(600),
            longest: Duration::from_secs(3600),
            house: json!({"name": "Encore"}),
            tell: |_| (),
            oidc: None,
        }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("data/users.json")
    }

    /// As the terminal has it, beside the running service.
    pub(crate) fn users(&self) -> UsersFile {
        UsersFile::at(self.file())
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.running.as_ref().unwrap().address()
    }

    pub(crate) fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let stream = TcpStream::connect(self.address()).unwrap();
        ask(stream, "localhost", method, path, headers, body)
    }

    pub(crate) fn get(&self, path: &str, headers: &str) -> Answer {
        self.ask("GET", path, headers, "")
    }

    pub(crate) fn sign_in(&self, user: &str, password: &str) -> Answer {
        let body = json!({"user": user, "password": password}).to_string();
        self.ask("POST", "/api/v1/session", JSON, &body)
    }

    /// The header with which a user who has signed in is known.
    pub(crate) fn cookie(&self, user: &str) -> String {
        self.sign_in(user, PASSWORD).cookie()
    }

    /// What stands on record, by its word.
    pub(crate) fn record(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.users().record()).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

pub(crate) const JSON: &str = "Content-Type: application/json\r\n";
pub(crate) const OWN: &str = "Sec-Fetch-Site: same-origin\r\n";

/// Asks over a connection and reads the answer to its end.
pub(crate) fn ask(
    mut stream: impl Read + Write,
    host: &str,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> Answer {
    let length = body.len();
    let text = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
         Content-Length: {length}\r\n{headers}\r\n{body}"
    );
    let _ = stream.write_all(text.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let end = answer
        .windows(4)
        .position(|end| end == b"\r\n\r\n")
        .unwrap_or(answer.len());
    Answer {
        head: String::from_utf8_lossy(&answer[..end]).into_owned(),
        body: answer.get(end + 4..).unwrap_or_default().to_vec(),
    }
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn status(&self) -> u16 {
        let status = self.head.split(' ').nth(1);
        status.and_then(|status| status.parse().ok()).unwrap_or(0)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (own, value) = line.split_once(": ")?;
            own.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    pub(crate) fn json(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("{}\n{text}", self.head))
    }

    pub(crate) fn code(&self) -> (u16, String) {
        let code = self.json()["code"].as_str().unwrap().to_owned();
        (self.status(), code)
    }

    pub(crate) fn cookie(&self) -> String {
        let cookie = self
            .header("set-cookie")
            .unwrap_or_else(|| panic!("{self:?}"));
        format!("Cookie: {}\r\n", cookie.split(';').next().unwrap())
    }
}

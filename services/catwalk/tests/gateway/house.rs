//! A service in a folder of its own, and those who send it something.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::cargo::CommandCargoExt;
use catwalk_events::{Event, json};
use catwalk_log::{Durability, EmbeddedLog, Log, Topic};
use catwalk_wire::Formats;
use serde_json::Value;

/// An installation in a folder of its own.
pub(crate) struct House {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) services: &'static str,
    /// Lines of the configuration beside the usual ones.
    pub(crate) more: String,
    pub(crate) port: u16,
}

/// A program that is killed when it is done with.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl House {
    pub(crate) fn new() -> House {
        // A port that was free just now is free again after a restart.
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        House {
            folder: tempfile::tempdir().unwrap(),
            services: "\"settler\", \"gateway\"",
            more: String::new(),
            port: free.local_addr().unwrap().port(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn config(&self) -> PathBuf {
        let (path, folder) = (self.path("catwalk.toml"), self.folder.path().display());
        let config = format!(
            "services = [{}]\n\
             [log.embedded]\nfolder = \"{folder}/log\"\n\
             [archive]\nurl = \"{folder}/archive\"\n\
             [users]\nfile = \"{folder}/users.json\"\n\
             [gateway]\nlisten = \"127.0.0.1:{}\"\n{}",
            self.services, self.port, self.more
        );
        fs::write(&path, config).unwrap();
        path
    }

    pub(crate) fn catwalk(&self, args: &[&str]) -> Command {
        let mut command = Command::cargo_bin("catwalk").unwrap();
        command.args(args).current_dir(self.folder.path());
        command.env_remove("CATWALK_TOKEN");
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.catwalk(args).output().unwrap()
    }

    /// A user with this role, and the file with its token.
    pub(crate) fn token(&self, user: &str, more: &[&str]) -> String {
        self.config();
        let add = ["users", "add", user, "--no-password", "-c", "catwalk.toml"];
        let added = self.run(&[&add, more].concat());
        assert!(added.status.success(), "{}", text(&added.stderr));
        let made = self.run(&["users", "token", user, "-c", "catwalk.toml"]);
        let name = format!("{user}.token");
        fs::write(self.path(&name), &made.stdout).unwrap();
        name
    }

    pub(crate) fn up(&self) -> Running {
        let config = self.config();
        let mut up = self.catwalk(&["up", "-c"]);
        let up = up.arg(config).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut up = Running(up.spawn().unwrap());
        let mut errors = BufReader::new(up.0.stderr.take().unwrap());
        let mut told = String::new();
        while !told.contains("at work") {
            assert!(errors.read_line(&mut told).unwrap() > 0, "{told}");
        }
        // Nobody else reads what it says.
        thread::spawn(move || {
            let _ = std::io::copy(&mut errors, &mut std::io::sink());
        });
        up
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn feed(&self, lines: &str, token: &str) -> (i32, String) {
        fs::write(self.path("floor.jsonl"), lines).unwrap();
        let url = self.url();
        let fed = self.run(&["feed", "floor.jsonl", "--url", &url, "--token-file", token]);
        assert!(fed.stdout.is_empty());
        (fed.status.code().unwrap(), text(&fed.stderr))
    }

    pub(crate) fn ask(&self, method: &str, path: &str, token: &str, body: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(5)))
            .unwrap();
        let key = fs::read_to_string(self.path(token)).unwrap_or_default();
        let who = match key.trim() {
            "" => String::new(),
            key => format!("Authorization: Bearer {key}\r\n"),
        };
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n{who}\r\n"
        );
        let _ = stream.write_all(&[head.as_bytes(), body].concat());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = text(&answer);
        let status = answer
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let body = answer
            .split_once("\r\n\r\n")
            .map(|(_, body)| body.to_owned());
        (status.unwrap_or(0), body.unwrap_or_default())
    }

    /// What the gateway answers to these lines, once it knows what the log has.
    pub(crate) fn bring(&self, token: &str, lines: &str) -> Value {
        let begun = Instant::now();
        loop {
            let (status, body) = self.ask("POST", "/api/v1/events", token, lines.as_bytes());
            if status != 503 {
                assert_eq!(status, 200, "{body}");
                return serde_json::from_str(&body).unwrap();
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{body}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// The events on the log by table, in its order.
    pub(crate) fn on_log(&self) -> BTreeMap<String, Vec<Event>> {
        let log = EmbeddedLog::open(self.path("log"), Durability::Os).unwrap();
        let formats = Formats::plain().unwrap();
        let mut events: BTreeMap<String, Vec<Event>> = BTreeMap::new();
        for index in 0..log.partitions(Topic::FloorEvents).unwrap() {
            let mut reader = log.reader(Topic::FloorEvents.partition(index), 0).unwrap();
            while !reader.caught_up() {
                for record in reader.read(Duration::ZERO).unwrap() {
                    let event = formats.read_event(&record.value.unwrap()).unwrap();
                    assert_eq!(record.key.unwrap(), event.table.as_bytes());
                    events.entry(event.table.clone()).or_default().push(event);
                }
            }
        }
        events
    }
}

pub(crate) fn simulated(rounds: &str) -> String {
    let simulate = [
        "simulate", "--rounds", rounds, "--tables", "3", "--seed", "3",
    ];
    let output = Command::cargo_bin("catwalk")
        .unwrap()
        .args(simulate)
        .output()
        .unwrap();
    text(&output.stdout)
}

/// The events of lines by table, in their order.
pub(crate) fn told<'a>(lines: impl IntoIterator<Item = &'a str>) -> BTreeMap<String, Vec<Event>> {
    let mut events: BTreeMap<String, Vec<Event>> = BTreeMap::new();
    for event in lines.into_iter().map(|line| json::read(line).unwrap()) {
        events.entry(event.table.clone()).or_default().push(event);
    }
    events
}

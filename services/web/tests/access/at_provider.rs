//! A provider of OpenID Connect in a process of its own, and somebody's browser at it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use crate::house::{Answer, ask};

/// Nobody listens there: the browser of these tests brings what comes to the house.
pub(crate) const BACK: &str = "http://127.0.0.1:1/api/v1/session/oidc/callback";

/// A provider in a process of its own.
pub(crate) struct Provider {
    process: Child,
    pub(crate) port: u16,
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Where Node finds the provider, which is brought once.
fn modules() -> &'static Path {
    static MODULES: OnceLock<PathBuf> = OnceLock::new();
    MODULES.get_or_init(|| {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("provider");
        if !home.join("done").exists() {
            std::fs::create_dir_all(&home).unwrap();
            let install = ["install", "--silent", "--no-audit", "--no-fund"];
            let mut npm = Command::new("npm");
            npm.args(install).arg("oidc-provider@8.8.1");
            let output = npm.arg("--prefix").arg(&home).output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "npm: {errors}");
            std::fs::write(home.join("done"), "").unwrap();
        }
        home
    })
}

impl Provider {
    pub(crate) fn begin() -> Provider {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/provider/provider.mjs");
        let mut node = Command::new("node");
        node.arg(script).arg(modules()).arg(BACK);
        let mut process = node
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = lines.next().expect("it says where it listens").unwrap();
        // It says more, and is not kept waiting.
        std::thread::spawn(move || lines.for_each(drop));
        Provider {
            process,
            port: port.parse().unwrap(),
        }
    }

    pub(crate) fn issuer(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let address = SocketAddr::from(([127, 0, 0, 1], self.port));
        let stream = TcpStream::connect(address).unwrap();
        let host = format!("127.0.0.1:{}", self.port);
        ask(stream, &host, method, path, headers, body)
    }

    /// The next token is wrong in this.
    pub(crate) fn twist(&self, to: &str) {
        assert_eq!(
            self.ask("POST", &format!("/twist?to={to}"), "", "")
                .status(),
            200
        );
    }

    pub(crate) fn groups(&self, id: &str, groups: &str) {
        let told = self.ask("POST", &format!("/person?id={id}{groups}"), "", "");
        assert_eq!(told.status(), 200);
    }

    /// A token for a program, for the API or for something else.
    pub(crate) fn access_token(&self, audience: &str) -> String {
        let login = "Y2F0d2FsazphK3NlY3JldCUzQSt3aXRoKyUyRitzaWducyslMjYrbW9yZQ==";
        let headers = format!(
            "Authorization: Basic {login}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        );
        let body = format!("grant_type=client_credentials&scope=ask&resource={audience}");
        let given = self.ask("POST", "/token", &headers, &body).json();
        given["access_token"].as_str().unwrap().to_owned()
    }
}

/// Somebody's browser at the provider.
pub(crate) struct Browser<'a> {
    pub(crate) provider: &'a Provider,
    pub(crate) cookies: BTreeMap<String, String>,
}

impl Browser<'_> {
    fn ask(&mut self, method: &str, at: &str, body: &str) -> Answer {
        let path = at.strip_prefix(&self.provider.issuer()).unwrap_or(at);
        let cookies: Vec<String> = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let headers = format!(
            "Cookie: {}\r\nContent-Type: application/x-www-form-urlencoded\r\n",
            cookies.join("; ")
        );
        let answer = self.provider.ask(method, path, &headers, body);
        for line in answer.head.lines() {
            if let Some(("set-cookie", cookie)) = line
                .split_once(": ")
                .map(|(name, cookie)| (name.to_ascii_lowercase(), cookie))
                .as_ref()
                .map(|(name, cookie)| (name.as_str(), *cookie))
            {
                let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }

    /// Goes where it is sent, signs in, agrees, and gives the path with which it is sent back.
    pub(crate) fn sign_in(&mut self, to: &str, person: &str) -> String {
        let (mut at, mut is_in) = (to.to_owned(), false);
        for _ in 0..10 {
            if let Some(path) = at.strip_prefix("http://127.0.0.1:1") {
                return path.to_owned();
            }
            let answer = match at.contains("/interaction/") {
                true if !is_in => {
                    is_in = true;
                    let form = format!("prompt=login&login={person}&password=any");
                    self.ask("POST", &at, &form)
                }
                true => self.ask("POST", &at, "prompt=consent"),
                false => self.ask("GET", &at, ""),
            };
            let sent = answer.header("location");
            at = sent.unwrap_or_else(|| panic!("{answer:?}")).to_owned();
        }
        panic!("{person} is not sent back");
    }
}

//! The other end of a running service, as commands of the terminal reach it.

#[cfg(feature = "services")]
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use ureq::tls::{Certificate, ClientCert, PemItem, PrivateKey, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body, http};

use crate::bad_usage;

/// The most bytes of lines that are sent at a time; the service takes a little more.
pub(crate) const MAX_LOT_BYTES: usize = 512 * 1024;
/// A service that is out of reach is tried again for so long, ever more seldom.
const PATIENCE: Duration = Duration::from_secs(60);
const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// The service answers sooner, or says that it cannot.
const ANSWER: Duration = Duration::from_secs(60);
/// Where the token is looked for if no file is named.
/// The variable of the environment that has the token.
pub(crate) const TOKEN: &str = "CATWALK_TOKEN";

/// The service on the command line.
#[derive(Clone, clap::Args)]
pub(crate) struct GatewayArgs {
    /// A running service, such as http://127.0.0.1:9490 (`catwalk up`, [gateway]).
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// File with the token that says who asks; CATWALK_TOKEN if left out.
    #[arg(long, value_name = "FILE", requires = "url")]
    token_file: Option<PathBuf>,

    /// Authority of the service's certificate (PEM); the usual ones if left out.
    #[arg(long, value_name = "FILE", requires = "url")]
    ca: Option<PathBuf>,

    /// Certificate of this device (PEM), in place of a token.
    #[arg(long, value_name = "FILE", requires_all = ["url", "key"])]
    cert: Option<PathBuf>,

    /// Key of the certificate (PEM).
    #[arg(long, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,
}

/// A service, and who asks it.
pub(crate) struct Reached {
    pub(crate) agent: Agent,
    pub(crate) url: String,
    pub(crate) token: Option<String>,
    pub(crate) has_certificate: bool,
}

impl GatewayArgs {
    /// What was chosen; `None` if nothing was.
    pub(crate) fn choice(&self) -> anyhow::Result<Option<Gateway>> {
        let Some(url) = &self.url else {
            return Ok(None);
        };
        let Reached {
            agent,
            url,
            token,
            has_certificate,
        } = self.reach(url)?;
        if token.is_none() && !has_certificate {
            bad_usage(&format!(
                "say who asks: --token-file FILE, {TOKEN}, or --cert and --key \
                 (`catwalk users token --help` makes a token)"
            ));
        }
        Ok(Some(Gateway { agent, url, token }))
    }

    /// The service that was chosen, or else the one at this address, and who asks it.
    pub(crate) fn reach(&self, default: &str) -> anyhow::Result<Reached> {
        let url = self.url.as_deref().unwrap_or(default);
        let url = url.trim_end_matches('/').to_owned();
        let token = match &self.token_file {
            Some(path) => Some(read(path)?),
            None => std::env::var(TOKEN).ok(),
        };
        let token = token
            .map(|token| token.trim().to_owned())
            .filter(|token| !token.is_empty());
        match url.split_once("://") {
            Some(("https", _)) => {}
            Some(("http", host)) if is_here(host) => {}
            Some(("http", _)) => bad_usage(&format!(
                "{url}: a token would travel in the clear; write https://"
            )),
            _ => bad_usage(&format!(
                "{url:?} is no address: write {default} or https://HOST:PORT"
            )),
        }
        let config = Agent::config_builder()
            .tls_config(self.tls()?)
            .http_status_as_error(false)
            .proxy(None)
            .max_redirects(0)
            .timeout_connect(Some(Duration::from_secs(10)))
            .timeout_recv_response(Some(ANSWER))
            .build();
        Ok(Reached {
            agent: config.into(),
            url,
            token,
            has_certificate: self.cert.is_some(),
        })
    }

    fn tls(&self) -> anyhow::Result<TlsConfig> {
        let mut config = TlsConfig::builder();
        if let Some(path) = &self.ca {
            config = config.root_certs(RootCerts::new_with_certs(&certificates(path)?));
        }
        if let (Some(cert), Some(key)) = (&self.cert, &self.key) {
            let own = PrivateKey::from_pem(read(key)?.as_bytes());
            let own = own.with_context(|| key.display().to_string())?;
            let own = ClientCert::new_with_certs(&certificates(cert)?, own);
            config = config.client_cert(Some(own));
        }
        Ok(config.build())
    }
}

/// Whether a host is this machine.
fn is_here(host: &str) -> bool {
    let authority = host.split('/').next().unwrap_or_default();
    let name = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    let ip = name.parse::<std::net::IpAddr>();
    name == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| path.display().to_string())
}

fn certificates(path: &Path) -> anyhow::Result<Vec<Certificate<'static>>> {
    let text = read(path)?;
    let mut certificates = Vec::new();
    for item in parse_pem(text.as_bytes()) {
        if let PemItem::Certificate(certificate) =
            item.with_context(|| path.display().to_string())?
        {
            certificates.push(certificate);
        }
    }
    anyhow::ensure!(
        !certificates.is_empty(),
        "{}: there is no certificate in it",
        path.display()
    );
    Ok(certificates)
}

/// A running service, and who asks it.
pub(crate) struct Gateway {
    agent: Agent,
    url: String,
    token: Option<String>,
}

/// What became of lines that were sent.
#[derive(Debug, Deserialize)]
pub(crate) struct Taken {
    pub(crate) taken: u64,
    pub(crate) there: u64,
    pub(crate) refused: Vec<Told>,
    pub(crate) problems: Vec<Told>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Told {
    pub(crate) line: u64,
    pub(crate) error: String,
}

#[derive(Deserialize)]
struct Refusal {
    error: String,
}

impl Gateway {
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Sends lines until they are answered for. Lines that were sent twice are there once, so whatever fails is tried
    /// again.
    pub(crate) fn send(&self, lines: &[u8]) -> anyhow::Result<Taken> {
        let url = format!("{}/api/v1/events", self.url);
        let (begun, mut wait) = (Instant::now(), FIRST_WAIT);
        loop {
            let request = self.agent.post(&url).content_type("application/x-ndjson");
            let request = match &self.token {
                Some(token) => request.header("authorization", format!("Bearer {token}")),
                None => request,
            };
            let trouble = match request.send(lines).map(answer) {
                Ok(Ok(body)) => match read_json(body) {
                    Ok(taken) => return Ok(taken),
                    Err(error) => format!("{error:#}"),
                },
                Ok(Err(Trouble::Passing(why))) => why,
                Ok(Err(Trouble::Lasting(why))) => anyhow::bail!("{}: {why}", self.url),
                Err(error) if is_lasting(&error) => anyhow::bail!("{}: {error}", self.url),
                Err(error) => error.to_string(),
            };
            anyhow::ensure!(
                begun.elapsed() < PATIENCE,
                "{}: {trouble}; run it again when the service is there: what it has is passed over",
                self.url
            );
            if wait == FIRST_WAIT {
                eprintln!("catwalk: {}: {trouble}; it is tried again", self.url);
            }
            thread::sleep(wait);
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    #[cfg(feature = "services")]
    /// Lines of an answer that goes on.
    pub(crate) fn follow(&self, path: &str) -> anyhow::Result<impl BufRead + use<>> {
        let url = format!("{}{path}", self.url);
        let request = self.agent.get(&url);
        let request = match &self.token {
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        };
        let answered = request.call().with_context(|| url.clone())?;
        match answer(answered) {
            Ok(body) => Ok(BufReader::new(body.into_reader())),
            Err(Trouble::Passing(why) | Trouble::Lasting(why)) => anyhow::bail!("{url}: {why}"),
        }
    }
}

fn read_json<T: DeserializeOwned>(mut body: Body) -> anyhow::Result<T> {
    Ok(serde_json::from_str(&body.read_to_string()?)?)
}

/// Whether it would fail again: the address, or the certificate. One that nobody known has signed comes as data that
/// cannot be.
fn is_lasting(error: &ureq::Error) -> bool {
    match error {
        ureq::Error::Io(error) => error.kind() == std::io::ErrorKind::InvalidData,
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) | ureq::Error::BadUri(_) => true,
        _ => false,
    }
}

enum Trouble {
    /// It may be over when it is tried again.
    Passing(String),
    Lasting(String),
}

fn answer(answer: http::Response<Body>) -> Result<Body, Trouble> {
    let status = answer.status();
    let body = answer.into_body();
    if status.is_success() {
        return Ok(body);
    }
    let told = read_json::<Refusal>(body).map(|refusal| refusal.error);
    let told =
        told.unwrap_or_else(|_| format!("{status}: is this the address of a catwalk service?"));
    match status.as_u16() {
        408 | 429 | 500 | 502..=504 => Err(Trouble::Passing(told)),
        _ => Err(Trouble::Lasting(told)),
    }
}

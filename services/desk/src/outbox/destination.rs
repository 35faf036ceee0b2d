//! Who is told, and of what.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use catwalk_events::audit::Incident;
use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::Credentials;
use serde::Deserialize;
use ureq::Agent;
use ureq::http::Uri;

use super::letter::Letter;
use super::mail::{Mail, Security};
use super::syslog::Collector;
use super::{NotTold, web};

const LONGEST_NAME: usize = 40;
/// What Standard Webhooks asks of a key, in bytes.
const KEY_BYTES: std::ops::RangeInclusive<usize> = 24..=64;

/// A destination as it is configured.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    name: String,
    kind: Kind,
    to: String,
    #[serde(default = "two")]
    priority: u32,
    #[serde(default)]
    properties: Vec<String>,
    #[serde(default)]
    heartbeat_minutes: u64,
    #[serde(default = "a_day")]
    give_up_hours: u64,
    #[serde(default)]
    secret_file: Option<PathBuf>,
    #[serde(default)]
    from: Option<String>,
    #[serde(default)]
    recipients: Vec<String>,
    #[serde(default)]
    user: Option<String>,
}

fn two() -> u32 {
    2
}

fn a_day() -> u64 {
    24
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Webhook,
    Alertmanager,
    Email,
    Syslog,
    Cef,
}

impl Kind {
    pub(super) fn word(self) -> &'static str {
        match self {
            Kind::Webhook => "webhook",
            Kind::Alertmanager => "alertmanager",
            Kind::Email => "email",
            Kind::Syslog => "syslog",
            Kind::Cef => "cef",
        }
    }
}

/// Somebody who is told of incidents.
#[derive(Clone, Deserialize)]
#[serde(try_from = "Settings")]
pub struct Destination {
    pub name: String,
    pub(super) kind: Kind,
    /// Where to, without anything secret.
    pub(super) to: String,
    /// The least pressing priority that is told.
    pub(super) priority: u32,
    /// Whose incidents; all where none is named.
    pub(super) properties: Vec<String>,
    pub(super) heartbeat_seconds: u64,
    pub(super) give_up_seconds: u64,
    way: Way,
}

#[derive(Clone)]
enum Way {
    Webhook { agent: Agent, key: Vec<u8> },
    Alertmanager { agent: Agent },
    Email(Box<Mail>),
    Collector(Collector),
}

/// What is wrong with a destination.
#[derive(Debug, thiserror::Error)]
#[error("alerts: {name}: {why}")]
pub struct NotADestination {
    name: String,
    why: String,
}

impl Destination {
    /// Sends a letter there.
    pub(super) fn tell(&self, letter: &Letter) -> Result<(), NotTold> {
        match &self.way {
            Way::Webhook { agent, key } => web::webhook(agent, &self.to, key, letter),
            Way::Alertmanager { agent } => web::alertmanager(agent, &self.to, letter),
            Way::Email(mail) => mail.tell(letter),
            Way::Collector(collector) => collector.tell(letter),
        }
    }

    /// Whether it is told of such an incident.
    pub(super) fn wants(&self, one: &Incident) -> bool {
        let properties = &self.properties;
        one.priority <= self.priority
            && (properties.is_empty() || properties.contains(&one.property))
    }
}

impl TryFrom<Settings> for Destination {
    type Error = NotADestination;

    fn try_from(settings: Settings) -> Result<Destination, NotADestination> {
        let name = settings.name.clone();
        settings
            .check()
            .and_then(|()| settings.destination())
            .map_err(|why| NotADestination { name, why })
    }
}

impl Settings {
    fn check(&self) -> Result<(), String> {
        let is_plain =
            |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
        if self.name.is_empty()
            || self.name.len() > LONGEST_NAME
            || !self.name.chars().all(is_plain)
        {
            return Err(format!(
                "name = {:?}: up to {LONGEST_NAME} of a-z, 0-9 and - are allowed",
                self.name
            ));
        }
        if !(1..=4).contains(&self.priority) {
            return Err(format!("priority = {}: 1 to 4 is allowed", self.priority));
        }
        if !(1..=24 * 31).contains(&self.give_up_hours) {
            return Err("give_up_hours: 1 to 744 is allowed".to_owned());
        }
        if self.heartbeat_minutes > 24 * 60 {
            return Err("heartbeat_minutes: at most a day is allowed".to_owned());
        }
        let is_mail = self.kind == Kind::Email;
        let has_mail = self.from.is_some() || self.user.is_some() || !self.recipients.is_empty();
        if has_mail && !is_mail {
            return Err("from, recipients and user are of kind = \"email\"".to_owned());
        }
        let may_have_secret = is_mail || self.kind == Kind::Webhook;
        if self.secret_file.is_some() && !may_have_secret {
            return Err("secret_file is of kind = \"webhook\" and \"email\"".to_owned());
        }
        Ok(())
    }

    fn destination(&self) -> Result<Destination, String> {
        let way = match self.kind {
            Kind::Webhook => self.webhook()?,
            Kind::Alertmanager => {
                self.address(&["http", "https"])?;
                let agent = web::agent();
                Way::Alertmanager { agent }
            }
            Kind::Email => self.email()?,
            Kind::Syslog => self.collector(false)?,
            Kind::Cef => self.collector(true)?,
        };
        Ok(Destination {
            name: self.name.clone(),
            kind: self.kind,
            to: self.to.clone(),
            priority: self.priority,
            properties: self.properties.clone(),
            heartbeat_seconds: 60 * self.heartbeat_minutes,
            give_up_seconds: 3_600 * self.give_up_hours,
            way,
        })
    }

    /// Scheme, host and port of `to`.
    fn address(&self, schemes: &[&str]) -> Result<(String, String, Option<u16>), String> {
        let allowed = || {
            let schemes = schemes.join(":// or ");
            format!(
                "to = {:?}: an address with {schemes}:// is needed, without user or password",
                self.to
            )
        };
        let uri: Uri = self.to.parse().map_err(|_| allowed())?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(allowed());
        };
        if !schemes.contains(&scheme) || authority.as_str().contains('@') {
            return Err(allowed());
        }
        let (host, port) = (authority.host().to_owned(), authority.port_u16());
        Ok((scheme.to_owned(), host, port))
    }

    fn webhook(&self) -> Result<Way, String> {
        let (scheme, host, _) = self.address(&["https", "http"])?;
        if scheme == "http" && !["localhost", "127.0.0.1", "[::1]"].contains(&host.as_str()) {
            return Err(format!(
                "to = {:?}: patrons and dealers are named in it; beyond this machine it takes https://",
                self.to
            ));
        }
        let file = self.secret_file.as_deref();
        let file = file.ok_or("secret_file is needed: a file with the key, whsec_ and base64")?;
        let secret = read(file)?;
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap_or(&secret));
        let key = key.ok().filter(|key| KEY_BYTES.contains(&key.len()));
        let key = key.ok_or_else(|| {
            format!(
                "{}: the key of a webhook is whsec_ and 24 to 64 bytes in base64",
                file.display()
            )
        })?;
        let agent = web::agent();
        Ok(Way::Webhook { agent, key })
    }

    fn email(&self) -> Result<Way, String> {
        let (scheme, host, port) = self.address(&["smtps", "smtp+starttls", "smtp"])?;
        let (security, usual) = match scheme.as_str() {
            "smtps" => (Security::Tls, 465),
            "smtp" => (Security::None, 25),
            _ => (Security::StartTls, 587),
        };
        let mailbox = |text: &str| {
            let mailbox = text.parse::<Mailbox>();
            mailbox.map_err(|error| format!("{text:?} is no address of mail: {error}"))
        };
        let from = self.from.as_deref().ok_or("from is needed")?;
        let to: Vec<Mailbox> = self
            .recipients
            .iter()
            .map(|to| mailbox(to))
            .collect::<Result<_, _>>()?;
        if to.is_empty() {
            return Err("recipients: at least one is needed".to_owned());
        }
        let credentials = match (&self.user, self.secret_file.as_deref()) {
            (None, None) => None,
            (Some(_), Some(_)) if security == Security::None => {
                return Err("a password does not travel by smtp://: write smtps://".to_owned());
            }
            (Some(user), Some(file)) => Some(Credentials::new(user.clone(), read(file)?)),
            _ => return Err("user and secret_file (its password) go together".to_owned()),
        };
        Ok(Way::Email(Box::new(Mail {
            host,
            port: port.unwrap_or(usual),
            security,
            credentials,
            from: mailbox(from)?,
            to,
            hangs: Arc::default(),
        })))
    }

    fn collector(&self, is_cef: bool) -> Result<Way, String> {
        let (scheme, host, port) = self.address(&["tcp", "udp"])?;
        Ok(Way::Collector(Collector {
            host,
            port: port.unwrap_or(514),
            is_tcp: scheme == "tcp",
            is_cef,
        }))
    }
}

fn read(file: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|error| format!("secret_file {}: {error}", file.display()))?;
    Ok(text.trim().to_owned())
}

impl fmt::Debug for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Destination")
            .field("name", &self.name)
            .field("kind", &self.kind.word())
            .field("to", &self.to)
            .finish_non_exhaustive()
    }
}

impl PartialEq for Destination {
    fn eq(&self, other: &Destination) -> bool {
        (&self.name, self.kind, &self.to) == (&other.name, other.kind, &other.to)
    }
}

impl Eq for Destination {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Destination, String> {
        toml::from_str(text).map_err(|error: toml::de::Error| error.message().to_owned())
    }

    #[test]
    fn what_cannot_be_is_said_before_anything_is_sent() {
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n").unwrap();
        let secret = format!("secret_file = {:?}\n", secret.display().to_string());
        let webhook = |to: &str| format!("name = \"soc\"\nkind = \"webhook\"\nto = \"{to}\"\n");
        assert!(read(&(webhook("https://soc.example/hook") + &secret)).is_ok());
        let email = "name = \"m\"\nkind = \"email\"\nfrom = \"desk@ebh.example\"\n\
            recipients = [\"boss@ebh.example\"]\n";
        assert!(read(&format!("{email}to = \"smtp://mail:25\"")).is_ok());
        for (text, wanted) in [
            (webhook("https://soc.example"), "secret_file is needed"),
            (webhook("http://soc.example") + &secret, "https://"),
            (webhook("https://a:b@soc.example") + &secret, "without user"),
            (webhook("file:///etc/passwd") + &secret, "https://"),
            (
                format!("{email}to = \"smtp://mail\"\nuser = \"u\"\n{secret}"),
                "smtps://",
            ),
            (format!("{email}to = \"https://mail\""), "smtps://"),
            (
                "name = \"A b\"\nkind = \"cef\"\nto = \"udp://h\"".to_owned(),
                "a-z",
            ),
            (
                "name = \"a\"\nkind = \"cef\"\nto = \"udp://h\"\npriority = 5".to_owned(),
                "1 to 4",
            ),
            (
                "name = \"a\"\nkind = \"cef\"\nto = \"udp://h\"\nuser = \"x\"".to_owned(),
                "email",
            ),
        ] {
            let why = read(&text).unwrap_err();
            assert!(why.contains(wanted), "{text}: {why}");
        }
    }
}

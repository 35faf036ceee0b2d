//! Letters by mail.

use std::time::Duration;

use lettre::message::header::ContentType;
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{SmtpTransport, Transport};

use super::letter::{Letter, What};
use super::{NotTold, address};

const PATIENCE: Duration = Duration::from_secs(10);

/// A server that takes mail, and whose mail it is.
#[derive(Clone, Debug)]
pub(super) struct Mail {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) security: Security,
    pub(super) credentials: Option<Credentials>,
    pub(super) from: Mailbox,
    pub(super) to: Vec<Mailbox>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Security {
    None,
    StartTls,
    Tls,
}

impl Mail {
    pub(super) fn tell(&self, letter: &Letter) -> Result<(), NotTold> {
        let message = self.write(letter).map_err(NotTold::Refused)?;
        let mut why = NotTold::out_of_reach("no address");
        // The address that was looked at, and no name again.
        for address in address::resolve(&self.host, self.port)? {
            let tls = || {
                let name = self.host.trim_matches(['[', ']']).to_owned();
                let parameters = TlsParameters::new(name);
                parameters.map_err(|error| NotTold::out_of_reach(error.to_string()))
            };
            let tls = match self.security {
                Security::None => Tls::None,
                Security::StartTls => Tls::Required(tls()?),
                Security::Tls => Tls::Wrapper(tls()?),
            };
            let mut server = SmtpTransport::builder_dangerous(address.ip().to_string())
                .port(self.port)
                .tls(tls)
                .timeout(Some(PATIENCE));
            if let Some(credentials) = &self.credentials {
                server = server.credentials(credentials.clone());
            }
            match server.build().send(&message) {
                Ok(_) => return Ok(()),
                Err(error) if error.is_permanent() => {
                    return Err(NotTold::Refused(said(&error)));
                }
                Err(error) => why = NotTold::out_of_reach(said(&error)),
            }
        }
        Err(why)
    }

    fn write(&self, letter: &Letter) -> Result<Message, String> {
        let domain = self.from.email.domain();
        let mut message = Message::builder()
            .from(self.from.clone())
            .subject(format!("[catwalk] {}", letter.headline()))
            .message_id(Some(format!("<{}@{domain}>", letter.id)));
        for to in &self.to {
            message = message.to(to.clone());
        }
        if let What::Incident(news) = &letter.what {
            // All that is told of an incident is one thread.
            message = message.references(format!("<{}@{domain}>", news.incident.id));
        }
        let message = message.header(ContentType::TEXT_PLAIN).body(letter.text());
        message.map_err(|error| error.to_string())
    }
}

fn said(error: &lettre::transport::smtp::Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

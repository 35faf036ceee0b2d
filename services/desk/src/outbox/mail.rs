//! Letters by mail.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use lettre::message::header::ContentType;
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{SmtpTransport, Transport};

use super::letter::{Letter, What};
use super::{NotTold, address};

/// For one answer of a server.
const PATIENCE: Duration = Duration::from_secs(10);
/// For a letter: a server that says a little now and then holds nobody up.
const PATIENCE_FOR_ALL: Duration = Duration::from_secs(20);

/// A server that takes mail, and whose mail it is.
#[derive(Clone, Debug)]
pub(super) struct Mail {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) security: Security,
    pub(super) credentials: Option<Credentials>,
    pub(super) from: Mailbox,
    pub(super) to: Vec<Mailbox>,
    /// A letter is still on its way. There is one thread for that, however long a server goes on.
    pub(super) hangs: Arc<AtomicBool>,
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
        // The addresses that were looked at, and no name again.
        let addresses = address::resolve(&self.host, self.port)?;
        if self.hangs.swap(true, Ordering::AcqRel) {
            let why = "it has not come to an end with the letter before";
            return Err(NotTold::out_of_reach(why));
        }
        let (sender, told) = mpsc::channel();
        let mail = self.clone();
        let sending = thread::Builder::new().name("mail".to_owned());
        let sending = sending.spawn(move || {
            let sent = mail.send(&addresses, &message);
            mail.hangs.store(false, Ordering::Release);
            // Nobody waits any longer for one that took too long.
            let _ = sender.send(sent);
        });
        let over = |why: String| {
            self.hangs.store(false, Ordering::Release);
            Err(NotTold::out_of_reach(why))
        };
        if let Err(error) = sending {
            return over(error.to_string());
        }
        match told.recv_timeout(PATIENCE_FOR_ALL) {
            Ok(sent) => sent,
            Err(RecvTimeoutError::Disconnected) => over("to send it ended by a panic".to_owned()),
            Err(RecvTimeoutError::Timeout) => {
                let seconds = PATIENCE_FOR_ALL.as_secs();
                let why = format!("it did not take it within {seconds} seconds");
                Err(NotTold::out_of_reach(why))
            }
        }
    }

    fn send(&self, addresses: &[SocketAddr], message: &Message) -> Result<(), NotTold> {
        let mut why = NotTold::out_of_reach("no address");
        for address in addresses {
            match self.server(address.ip())?.send(message) {
                Ok(_) => return Ok(()),
                Err(error) if error.is_permanent() => {
                    return Err(NotTold::Refused(said(&error)));
                }
                Err(error) => why = NotTold::out_of_reach(said(&error)),
            }
        }
        Err(why)
    }

    fn server(&self, address: IpAddr) -> Result<SmtpTransport, NotTold> {
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
        let mut server = SmtpTransport::builder_dangerous(address.to_string())
            .port(self.port)
            .tls(tls)
            .timeout(Some(PATIENCE));
        if let Some(credentials) = &self.credentials {
            server = server.credentials(credentials.clone());
        }
        Ok(server.build())
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

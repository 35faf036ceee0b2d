//! Letters to log collectors: RFC 5424, and CEF within it.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

use super::letter::{Letter, What};
use super::{NotTold, address};

const PATIENCE: Duration = Duration::from_secs(5);
/// A collector that has read everything closes its end within this, or says nothing.
const CLOSES_WITHIN: Duration = Duration::from_millis(500);
/// Local use 0.
const FACILITY: u32 = 16;
/// The number that RFC 5612 keeps for examples: Catwalk has none of its own.
const ENTERPRISE: u32 = 32_473;
/// What every collector takes in one datagram.
const MAX_DATAGRAM: usize = 2_048;

#[derive(Clone, Debug)]
pub(super) struct Collector {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) is_tcp: bool,
    pub(super) is_cef: bool,
}

impl Collector {
    pub(super) fn tell(&self, letter: &Letter) -> Result<(), NotTold> {
        let line = self.line(letter);
        let mut why = NotTold::out_of_reach("no address");
        for address in address::resolve(&self.host, self.port)? {
            let sent = match self.is_tcp {
                true => by_tcp(address, &line),
                false => by_udp(address, &line),
            };
            match sent {
                Ok(()) => return Ok(()),
                Err(error) => why = NotTold::out_of_reach(format!("{address}: {error}")),
            }
        }
        Err(why)
    }

    fn line(&self, letter: &Letter) -> String {
        let severity = match letter.priority() {
            1 => 2,
            2 => 4,
            3 => 5,
            _ => 6,
        };
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let host: String = host.chars().filter(char::is_ascii_graphic).collect();
        let host = if host.is_empty() {
            "-".to_owned()
        } else {
            host
        };
        let (priority, kind) = (FACILITY * 8 + severity, letter.kind());
        let (data, text) = match self.is_cef {
            true => ("-".to_owned(), cef(letter)),
            // The mark says that it is UTF-8.
            false => (structured(letter), format!("\u{feff}{}", letter.headline())),
        };
        format!(
            "<{priority}>1 {} {host} catwalk - {kind} {data} {text}",
            letter.at
        )
    }
}

/// What is told of an incident, by name.
fn fields(letter: &Letter) -> Vec<(&'static str, String)> {
    let mut fields = vec![("delivery", letter.id.clone())];
    if let What::Incident(news) = &letter.what {
        let one = &news.incident;
        fields.extend([
            ("incident", one.id.clone()),
            ("revision", one.revision.to_string()),
            ("priority", one.priority.to_string()),
            ("property", one.property.clone()),
            ("table", one.table.clone()),
            ("game", one.game.clone().unwrap_or_default()),
            ("dealer", one.dealer.clone().unwrap_or_default()),
            ("code", one.codes.first().cloned().unwrap_or_default()),
            ("exposure_cents", one.exposure_cents.get().to_string()),
            ("status", one.status.clone()),
        ]);
    }
    fields.retain(|(_, value)| !value.is_empty());
    fields
}

fn structured(letter: &Letter) -> String {
    let mut data = format!("[catwalk@{ENTERPRISE}");
    for (name, value) in fields(letter) {
        data.push_str(&format!(
            " {name}=\"{}\"",
            escaped(&value, &['"', '\\', ']'])
        ));
    }
    data.push(']');
    data
}

fn cef(letter: &Letter) -> String {
    let header = |text: &str| escaped(text, &['|', '\\']);
    let weight = match letter.priority() {
        1 => 10,
        2 => 7,
        3 => 4,
        _ => 1,
    };
    let version = env!("CARGO_PKG_VERSION");
    let (kind, name) = (header(&letter.kind()), header(&letter.headline()));
    let mut line = format!("CEF:0|Catwalk|catwalk|{version}|{kind}|{name}|{weight}|");
    line.push_str(&format!("rt={}", letter.at.micros() / 1_000));
    let mut label = 0;
    for (name, value) in fields(letter) {
        let value = escaped(&value, &['=', '\\']);
        match name {
            "delivery" => line.push_str(&format!(" externalId={value}")),
            // What CEF has no name for, as many as it has places for.
            _ if label < 6
                && !["revision", "exposure_cents", "priority", "status"].contains(&name) =>
            {
                label += 1;
                line.push_str(&format!(" cs{label}Label={name} cs{label}={value}"));
            }
            "status" => line.push_str(&format!(" outcome={value}")),
            "exposure_cents" => line.push_str(&format!(" cn1Label=exposure_cents cn1={value}")),
            _ => {}
        }
    }
    line
}

/// With a backslash before each of these, and nothing that ends a line.
fn escaped(text: &str, signs: &[char]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        if signs.contains(&sign) {
            escaped.push('\\');
        }
        escaped.push(if sign.is_control() { ' ' } else { sign });
    }
    escaped
}

/// With its length before it (RFC 6587), so that it may hold anything. A collector acknowledges nothing: that it has
/// taken all of it and has not broken off is all that can be known.
fn by_tcp(address: SocketAddr, line: &str) -> std::io::Result<()> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_read_timeout(Some(CLOSES_WITHIN))?;
    stream.write_all(format!("{} {line}", line.len()).as_bytes())?;
    stream.shutdown(Shutdown::Write)?;
    match stream.read(&mut [0; 64]) {
        Err(error) if !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

fn by_udp(address: SocketAddr, line: &str) -> std::io::Result<()> {
    let any = if address.is_ipv4() {
        "0.0.0.0:0"
    } else {
        "[::]:0"
    };
    let socket = UdpSocket::bind(any)?;
    let mut end = line.len().min(MAX_DATAGRAM);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    socket.send_to(&line.as_bytes()[..end], address)?;
    Ok(())
}

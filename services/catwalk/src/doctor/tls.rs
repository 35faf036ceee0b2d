//! TLS: whether its files can be spoken with, until when, and whether it is needed.

use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use catwalk_web::{Limits, Server, TlsFiles, Users};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::strtime;

use super::Report;
use crate::config::{Config, Service};

const CHECK: &str = "tls";
/// A certificate that ends within so many days should be renewed now.
const RENEW_DAYS: i64 = 21;

pub(super) fn examine(report: &mut Report, config: &Config) {
    let tls = &config.tls;
    let is_set = !tls.cert.as_os_str().is_empty();
    let mut needed = false;
    for (service, setting, address) in [
        (Service::Http, "http.listen", config.http.listen),
        (Service::Console, "console.listen", config.console.listen),
        (Service::Sql, "sql.listen", config.sql.listen),
        (Service::Gateway, "gateway.listen", config.gateway.listen),
    ] {
        if !config.answers(service) || address.ip().is_loopback() {
            continue;
        }
        needed = true;
        if service == Service::Http {
            report.wrong(
                CHECK,
                format!("{setting} = \"{address}\": it stays on this machine"),
                "listen on 127.0.0.1",
            );
        } else if !is_set {
            let found =
                format!("{setting} = \"{address}\" is beyond this machine, and there is no [tls]");
            report.wrong(
                CHECK,
                found,
                "set tls.cert and tls.key, or listen on 127.0.0.1",
            );
        }
    }
    if !is_set {
        if !needed {
            report.ok(
                CHECK,
                "none is set, and nothing listens beyond this machine",
            );
        }
        return;
    }
    files(report, config);
}

/// Whether the files can be spoken with, and until when.
fn files(report: &mut Report, config: &Config) {
    let tls = &config.tls;
    let files = TlsFiles {
        cert: tls.cert.clone(),
        key: tls.key.clone(),
        client_ca: Some(tls.client_ca.clone()).filter(|path| !path.as_os_str().is_empty()),
    };
    // The server itself reads them, on a port of this machine that is closed again at once.
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let users = Users::demo(serde_json::Value::Null);
    match Server::bind_for(users, address, Some(files), Limits::default()) {
        Ok(_) => report.ok(
            CHECK,
            format!(
                "{} and {} go together",
                tls.cert.display(),
                tls.key.display()
            ),
        ),
        Err(error) => {
            report.wrong(
                CHECK,
                error.to_string(),
                "put the files right: nothing with users starts without",
            );
            return;
        }
    }
    until(report, "certificate", &tls.cert);
    if !tls.client_ca.as_os_str().is_empty() {
        until(report, "authority", &tls.client_ca);
    }
    if tls
        .key
        .metadata()
        .is_ok_and(|meta| meta.mode() & 0o007 != 0)
    {
        let shown = tls.key.display();
        report.wrong(
            CHECK,
            format!("everybody may read the key {shown}"),
            format!("chmod o= {shown}"),
        );
    }
}

/// Until when the first certificate of a file is good.
fn until(report: &mut Report, what: &str, path: &Path) {
    let shown = path.display();
    let read = std::fs::read(path).ok();
    let read = read.and_then(|pem| ureq::tls::Certificate::from_pem(&pem).ok());
    let Some((from, to)) = read.and_then(|cert| validity(cert.der())) else {
        let see = format!("see with `openssl x509 -in {shown} -noout -dates`");
        report.not_looked_at(
            CHECK,
            &format!("until when the {what} {shown} is good"),
            see,
        );
        return;
    };
    let now = Timestamp::now();
    let days = (to.as_second() - now.as_second()).div_euclid(86_400);
    if now < from {
        report.wrong(
            CHECK,
            format!("the {what} {shown} is good from {from} on"),
            "see the clock, or take another",
        );
    } else if now >= to {
        report.wrong(
            CHECK,
            format!("the {what} {shown} was good until {to}"),
            "renew it: it is read again when it changes",
        );
    } else if days < RENEW_DAYS {
        report.warn(
            CHECK,
            format!("the {what} {shown} is good for {days} days more"),
            "renew it: it is read again when it changes",
        );
    } else {
        report.ok(
            CHECK,
            format!("the {what} {shown} is good until {to}; those behind it were not looked at"),
        );
    }
}

/// From when and until when a certificate (X.509, DER) is good.
fn validity(der: &[u8]) -> Option<(Timestamp, Timestamp)> {
    const SEQUENCE: u8 = 0x30;
    const VERSION: u8 = 0xa0;
    let (_, certificate, _) = element(der)?;
    let (_, mut fields, _) = element(certificate)?;
    if fields.first() == Some(&VERSION) {
        fields = element(fields)?.2;
    }
    // Serial number, algorithm and issuer stand before it.
    for _ in 0..3 {
        fields = element(fields)?.2;
    }
    let (kind, times, _) = element(fields)?;
    let (from_kind, from, rest) = element(times)?;
    let (to_kind, to, _) = element(rest)?;
    (kind == SEQUENCE).then_some(())?;
    Some((moment(from_kind, from)?, moment(to_kind, to)?))
}

/// The first element: its kind, what is in it, what comes after it.
fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (kind, rest) = der.split_first()?;
    let (first, mut rest) = rest.split_first()?;
    let mut length = usize::from(*first);
    if *first & 0x80 != 0 {
        let (bytes, after) = rest.split_at_checked(usize::from(*first & 0x7f))?;
        (bytes.len() <= 4).then_some(())?;
        length = bytes
            .iter()
            .fold(0, |sum, byte| sum << 8 | usize::from(*byte));
        rest = after;
    }
    let (inside, after) = rest.split_at_checked(length)?;
    Some((*kind, inside, after))
}

fn moment(kind: u8, text: &[u8]) -> Option<Timestamp> {
    const UTC_TIME: u8 = 0x17;
    let text = std::str::from_utf8(text).ok()?;
    // Two figures of the year stand for 1950 to 2049.
    let text = match kind {
        UTC_TIME if text.as_bytes().first()? >= &b'5' => format!("19{text}"),
        UTC_TIME => format!("20{text}"),
        _ => text.to_owned(),
    };
    let read: DateTime = strtime::parse("%Y%m%d%H%M%SZ", text)
        .ok()?
        .to_datetime()
        .ok()?;
    Some(read.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
}

//! The ports: free, or ours; and what the running service says of itself.

use std::fs;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use super::Report;
use super::log::Found;
use crate::config::{Config, Home, Service};

const PATIENCE: Duration = Duration::from_secs(5);

/// Who has a port.
enum Holder {
    /// A catwalk, with its process and how it was called.
    Catwalk(String),
    Other(String),
    Unknown,
}

pub(super) fn examine(report: &mut Report, config: &Config, log: &Found) {
    // A log of files that could be opened here, or is not there, is open nowhere else.
    let is_ours_closed =
        config.log.home == Home::Embedded && matches!(log, Found::Open(_) | Found::Missing);
    let mut is_running = false;
    for (service, setting, address) in [
        (Service::Http, "http.listen", config.http.listen),
        (Service::Console, "console.listen", config.console.listen),
        (Service::Sql, "sql.listen", config.sql.listen),
        (Service::Gateway, "gateway.listen", config.gateway.listen),
    ] {
        if config.answers(service) {
            let held = port(report, setting, address, is_ours_closed);
            is_running |= held && service == Service::Http;
        }
    }
    if is_running {
        running(report, config.http.listen);
    }
}

/// Whether a catwalk has it.
fn port(report: &mut Report, setting: &str, address: SocketAddr, is_ours_closed: bool) -> bool {
    const CHECK: &str = "port";
    let named = format!("{setting} = \"{address}\"");
    let error = match TcpListener::bind(address) {
        Ok(_) if address.port() == 0 => {
            report.ok(CHECK, format!("{named}: any that is free"));
            return false;
        }
        Ok(_) => {
            report.ok(CHECK, format!("{named} is free"));
            return false;
        }
        Err(error) => error,
    };
    if error.kind() != ErrorKind::AddrInUse {
        report.wrong(
            CHECK,
            format!("{named}: {error}"),
            format!("choose an address of this machine with {setting}"),
        );
        return false;
    }
    match holder(address) {
        Holder::Catwalk(process) if is_ours_closed => {
            report.wrong(
                CHECK,
                format!("{named} is held by {process}, which has another log than this"),
                format!("stop it, or choose another address with {setting}"),
            );
            false
        }
        Holder::Catwalk(process) => {
            report.ok(CHECK, format!("{named} is held by {process}"));
            true
        }
        Holder::Other(process) => {
            report.wrong(
                CHECK,
                format!("{named} is held by {process}"),
                format!("choose another with {setting}"),
            );
            false
        }
        Holder::Unknown => {
            report.warn(
                CHECK,
                format!("{named} is held by a process that this user may not look at"),
                "run this as root, or as the user that runs the services, to see whether it is ours",
            );
            false
        }
    }
}

/// Who listens there, by what the kernel shows of sockets and processes.
fn holder(address: SocketAddr) -> Holder {
    let Some(inode) = inode(address.port()) else {
        return Holder::Unknown;
    };
    let socket = format!("socket:[{inode}]");
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let folder = process.path();
        let mut files = fs::read_dir(folder.join("fd"))
            .into_iter()
            .flatten()
            .flatten();
        if !files
            .any(|file| fs::read_link(file.path()).is_ok_and(|link| link.as_os_str() == &*socket))
        {
            continue;
        }
        let called = fs::read(folder.join("cmdline")).unwrap_or_default();
        let called = String::from_utf8_lossy(&called).replace('\0', " ");
        let shown = format!(
            "process {}: {}",
            process.file_name().display(),
            called.trim()
        );
        let program = fs::read_link(folder.join("exe")).unwrap_or_default();
        let name = program
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        // A program that was replaced while it runs is called so.
        return match name.trim_end_matches(" (deleted)") {
            "catwalk" => Holder::Catwalk(shown),
            _ => Holder::Other(shown),
        };
    }
    Holder::Unknown
}

/// The socket that listens on a port.
fn inode(port: u16) -> Option<String> {
    const LISTENS: &str = "0A";
    let port = format!(":{port:04X}");
    ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .find_map(|table| {
            let table = fs::read_to_string(table).ok()?;
            table.lines().skip(1).find_map(|line| {
                let fields: Vec<&str> = line.split_whitespace().collect();
                let listens = fields.get(1)?.ends_with(&port) && *fields.get(3)? == LISTENS;
                listens.then(|| fields.get(9).map(|inode| (*inode).to_owned()))?
            })
        })
}

fn running(report: &mut Report, address: SocketAddr) {
    const CHECK: &str = "service";
    let agent = ureq::Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .http_status_as_error(false);
    let asked = ureq::Agent::from(agent.build())
        .get(format!("http://{address}/readyz"))
        .call();
    let answer =
        asked.and_then(|mut answer| Ok((answer.status(), answer.body_mut().read_to_string()?)));
    match answer {
        Ok((status, text)) if status.is_success() => {
            report.ok(
                CHECK,
                format!("http://{address}/readyz says {:?}", text.trim()),
            );
        }
        Ok((_, text)) => report.wrong(
            CHECK,
            format!("http://{address}/readyz says {:?}", text.trim()),
            "see what it says on its standard error (journalctl -u catwalk)",
        ),
        Err(error) => report.wrong(
            CHECK,
            format!("http://{address}/readyz: {error}"),
            "start it again",
        ),
    }
}

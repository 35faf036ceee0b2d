//! `catwalk alerts test`: a letter to a destination, and to no secret of the machine.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(30);

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Takes what comes by each connection, answers with this if it is HTTP, and tells what came.
fn listener(answer: &'static str) -> (u16, Receiver<String>) {
    let door = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = door.local_addr().unwrap().port();
    let (sender, taken) = mpsc::channel();
    thread::spawn(move || {
        for mut stream in door.incoming().map_while(Result::ok) {
            let came = match answer {
                "" => all_of(&mut stream),
                _ => request(&mut stream),
            };
            let _ = stream.write_all(answer.as_bytes());
            if sender.send(came).is_err() {
                return;
            }
        }
    });
    (port, taken)
}

fn all_of(stream: &mut TcpStream) -> String {
    let mut came = String::new();
    let _ = stream.read_to_string(&mut came);
    came
}

fn request(stream: &mut TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let before = head.len();
        if reader.read_line(&mut head).unwrap_or(0) == 0 || head[before..].trim().is_empty() {
            break;
        }
        let line = head[before..].to_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    head + &text(&body)
}

/// An installation that tells these: name, kind, and where to.
fn house(folder: &Path, destinations: &[(&str, &str, String)]) -> PathBuf {
    let key = folder.join("key");
    fs::write(&key, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
    let mut config = String::new();
    for (name, kind, to) in destinations {
        let more = match *kind {
            "webhook" => format!("secret_file = {:?}\n", key.display().to_string()),
            "email" => "from = \"a@ebh.example\"\nrecipients = [\"b@ebh.example\"]\n".to_owned(),
            _ => String::new(),
        };
        config +=
            &format!("[[alerts]]\nname = \"{name}\"\nkind = \"{kind}\"\nto = \"{to}\"\n{more}");
    }
    let file = folder.join("catwalk.toml");
    fs::write(&file, config).unwrap();
    file
}

/// Tests a destination where names lead as a file of hosts says.
fn test(config: &Path, name: &str, hosts: Option<&Path>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_catwalk"));
    command.args(["alerts", "test", name, "-c"]).arg(config);
    if let Some(hosts) = hosts {
        command.env("LD_PRELOAD", "libnss_wrapper.so");
        command.env("NSS_WRAPPER_HOSTS", hosts);
    }
    command.output().unwrap()
}

#[test]
fn a_letter_that_is_a_test_is_told_or_it_is_said_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let (hook, hooked) = listener("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
    let (lines, written) = listener("");
    let (cross, _) =
        listener("HTTP/1.1 422 No\r\ncontent-length: 4\r\nconnection: close\r\n\r\nnope");
    let config = house(
        folder.path(),
        &[
            ("soc", "webhook", format!("http://127.0.0.1:{hook}/in")),
            ("logs", "syslog", format!("tcp://127.0.0.1:{lines}")),
            ("cross", "webhook", format!("http://127.0.0.1:{cross}/in")),
            ("gone", "syslog", "tcp://127.0.0.1:1".to_owned()),
        ],
    );
    for (name, taken, wanted) in [
        ("soc", hooked, "\"type\":\"test\""),
        ("logs", written, " catwalk - test [catwalk@32473 "),
    ] {
        let output = test(&config, name, None);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let told = text(&output.stdout);
        let id = told
            .trim()
            .strip_prefix(&format!("{name}: told ("))
            .unwrap();
        let came = taken.recv_timeout(PATIENCE).unwrap();
        assert!(came.contains(id.trim_end_matches(')')), "{id}: {came}");
        assert!(
            came.contains(wanted) && came.contains("nothing has happened"),
            "{came}"
        );
    }
    for (name, status, why) in [
        ("cross", 1, "it answered 422 Unprocessable Entity nope"),
        ("gone", 1, "gone: not told: 127.0.0.1:1: "),
        ("nobody", 2, "there are soc, logs, cross, gone"),
    ] {
        let output = test(&config, name, None);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{errors}");
        assert!(errors.contains(why) && output.stdout.is_empty(), "{errors}");
    }
}

#[test]
fn no_name_leads_to_what_a_cloud_tells_a_machine_alone() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = folder.path().join("hosts");
    // As a server of names would answer: the secrets of a machine, a printer, and one among good ones.
    let led = "169.254.169.254 cloud.example\nfe80::1 local.example\nfd00:ec2::254 six.example\n\
        127.0.0.1 mixed.example\n169.254.7.7 mixed.example\n127.0.0.1 good.example\n";
    fs::write(&hosts, led).unwrap();
    let (port, taken) = listener("");
    let at = |name: &str, kind: &str| match kind {
        "webhook" => format!("https://{name}.example:{port}/in"),
        "email" => format!("smtps://{name}.example:{port}"),
        "alertmanager" => format!("http://{name}.example:{port}"),
        _ => format!("tcp://{name}.example:{port}"),
    };
    let good = house(folder.path(), &[("good", "syslog", at("good", "syslog"))]);
    let output = test(&good, "good", Some(&hosts));
    assert!(
        output.status.success(),
        "is libnss-wrapper there? {}",
        text(&output.stderr)
    );
    taken.recv_timeout(PATIENCE).unwrap();
    for name in ["cloud", "local", "six", "mixed"] {
        for kind in ["webhook", "email", "alertmanager", "syslog", "cef"] {
            let config = house(folder.path(), &[(name, kind, at(name, kind))]);
            let output = test(&config, name, Some(&hosts));
            let errors = text(&output.stderr);
            let why = "a link-local or metadata address, to which nothing is sent";
            assert_eq!(output.status.code(), Some(1), "{name} {kind}: {errors}");
            assert!(errors.contains(why), "{name} {kind}: {errors}");
        }
    }
    assert!(taken.try_recv().is_err(), "nobody was spoken to");
}

//! Destinations as others have made them: the libraries of Standard Webhooks for Python and Node, aiosmtpd, rsyslog
//! and Alertmanager. What they take is what was due, each with its id.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::net::UdpSocket;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use catwalk_events::audit::Finding;
use serde_json::{Value, json};

use crate::outbox::{Telling, due};
use crate::support::{PATIENCE, finding, open, send};

const KEY: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER_KEY: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/// A receiver in a process of its own, and what it has said since it said where it listens.
struct Receiver {
    process: Child,
    said: Arc<Mutex<Vec<Value>>>,
}

impl Drop for Receiver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Receiver {
    fn begin(command: &mut Command) -> (Receiver, u16) {
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = lines.next().expect("it says where it listens").unwrap();
        let said: Arc<Mutex<Vec<Value>>> = Arc::default();
        let heard = said.clone();
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let line = serde_json::from_str(&line).unwrap();
                heard.lock().unwrap().push(line);
            }
        });
        (Receiver { process, said }, port.trim().parse().unwrap())
    }

    fn said(&self) -> Vec<Value> {
        self.said.lock().unwrap().clone()
    }

    fn ids(&self) -> BTreeSet<String> {
        let said = self.said().into_iter();
        said.filter_map(|one| Some(one["id"].as_str()?.to_owned()))
            .collect()
    }
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/receivers")
        .join(name)
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
}

/// A Python with the libraries, made once.
fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("receivers");
        let (python, done) = (home.join("bin/python"), home.join("done"));
        if !done.exists() {
            run(Command::new("python3").args(["-m", "venv"]).arg(&home));
            let libraries = ["standardwebhooks==1.1.0", "aiosmtpd==1.4.6"];
            run(Command::new(&python)
                .args(["-m", "pip", "install", "--quiet"])
                .args(libraries));
            std::fs::write(done, "").unwrap();
        }
        python
    })
}

/// Where Node finds the library.
fn modules() -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("receivers-of-node");
    let modules = home.join("node_modules");
    if !modules.join("standardwebhooks/package.json").exists() {
        std::fs::create_dir_all(&home).unwrap();
        let install = [
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "standardwebhooks@1.1.1",
        ];
        run(Command::new("npm").args(install).arg("--prefix").arg(&home));
    }
    modules
}

/// A program that writes where it was told to, and is ended with the test.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait_for<T>(what: &str, mut there: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(there) = there() {
            return there;
        }
        assert!(begun.elapsed() < PATIENCE, "{what} does not come");
        thread::sleep(Duration::from_millis(50));
    }
}

fn free_udp_port() -> u16 {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.local_addr().unwrap().port()
}

/// An rsyslog that parses what it gets, and writes a line each.
fn rsyslog(folder: &Path, udp: u16) -> (Program, u16) {
    let (file, ports) = (folder.join("rsyslog.conf"), folder.join("tcp.port"));
    let show = |path: &Path| path.display().to_string();
    let settings = format!(
        "global(workDirectory=\"{}\")\nmodule(load=\"imtcp\")\nmodule(load=\"imudp\")\n\
         module(load=\"mmpstrucdata\")\n\
         template(name=\"line\" type=\"string\" string=\"%protocol-version%|%app-name%|%syslogseverity%|%msgid%|\
         %$!rfc5424-sd!catwalk@32473!delivery%|%$!rfc5424-sd!catwalk@32473!table%|%msg%\\n\")\n\
         ruleset(name=\"all\") {{ action(type=\"mmpstrucdata\")\n\
         action(type=\"omfile\" file=\"{}\" template=\"line\") }}\n\
         input(type=\"imtcp\" address=\"127.0.0.1\" port=\"0\" listenPortFileName=\"{}\" ruleset=\"all\")\n\
         input(type=\"imudp\" address=\"127.0.0.1\" port=\"{udp}\" ruleset=\"all\")\n",
        show(folder),
        show(&folder.join("lines")),
        show(&ports),
    );
    std::fs::write(&file, settings).unwrap();
    let mut command = Command::new("rsyslogd");
    command
        .arg("-n")
        .arg("-f")
        .arg(&file)
        .arg("-i")
        .arg(folder.join("pid"));
    let program = Program(command.spawn().unwrap());
    let port = wait_for("rsyslog", || {
        std::fs::read_to_string(&ports).ok()?.trim().parse().ok()
    });
    (program, port)
}

/// An Alertmanager that tells nobody.
fn alertmanager(folder: &Path) -> (Program, u16) {
    let file = folder.join("alertmanager.yml");
    std::fs::write(
        &file,
        "route: {receiver: nobody}\nreceivers: [{name: nobody}]\n",
    )
    .unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let mut command = Command::new("prometheus-alertmanager");
    command
        .arg(format!("--config.file={}", file.display()))
        .arg(format!(
            "--storage.path={}",
            folder.join("alerts").display()
        ))
        .arg(format!("--web.listen-address=127.0.0.1:{port}"))
        .arg("--cluster.listen-address=")
        .stderr(Stdio::null());
    let program = Program(command.spawn().unwrap());
    wait_for("Alertmanager", || active(port).map(drop));
    (program, port)
}

/// The alerts that are on, as its API has them.
fn active(port: u16) -> Option<Vec<Value>> {
    let url = format!("http://127.0.0.1:{port}/api/v2/alerts?active=true");
    let text = ureq::get(url)
        .call()
        .ok()?
        .body_mut()
        .read_to_string()
        .ok()?;
    serde_json::from_str(&text).ok()
}

/// Whether everybody was told of everything, but the one whose key is another.
fn have_been_told(told: &Value) -> bool {
    let all = told["destinations"].as_array().unwrap();
    let is_done = |one: &Value| {
        let is_there = one["offset"] == told["head"] && one["carried"] == true;
        is_there && one["waiting"] == 0 || one["name"] == "stranger"
    };
    told["desk_behind"] == false && all.len() == 7 && all.iter().all(is_done)
}

/// One destination of each kind.
fn destinations(folder: &Path, ports: &[(&str, u16); 6]) -> String {
    let secret = |name: &str, key: &str| {
        let file = folder.join(name);
        std::fs::write(&file, key).unwrap();
        format!("secret_file = {:?}\n", file.display().to_string())
    };
    let (key, other) = (secret("key", KEY), secret("other", OTHER_KEY));
    let mut text = String::new();
    for (name, port) in ports {
        let (kind, to, more) = match *name {
            "python" | "node" => (
                "webhook",
                format!("http://127.0.0.1:{port}/in"),
                key.clone(),
            ),
            "mail" => {
                let people = "from = \"desk@ebh.example\"\nrecipients = [\"boss@ebh.example\"]\n";
                (
                    "email",
                    format!("smtp://127.0.0.1:{port}"),
                    people.to_owned(),
                )
            }
            "syslog" => ("syslog", format!("tcp://127.0.0.1:{port}"), String::new()),
            "cef" => ("cef", format!("udp://127.0.0.1:{port}"), String::new()),
            _ => (
                "alertmanager",
                format!("http://127.0.0.1:{port}"),
                String::new(),
            ),
        };
        text.push_str(&format!(
            "[[alerts]]\nname = \"{name}\"\nkind = \"{kind}\"\nto = \"{to}\"\npriority = 4\n{more}"
        ));
    }
    let port = ports[0].1;
    text + &format!(
        "[[alerts]]\nname = \"stranger\"\nkind = \"webhook\"\nto = \"http://127.0.0.1:{port}/in\"\n\
         priority = 4\n{other}"
    )
}

/// All receivers, each in a process of its own.
struct Receivers {
    python: Receiver,
    node: Receiver,
    mail: Receiver,
    on_alertmanager: u16,
    alerts: String,
    _programs: [Program; 2],
}

impl Receivers {
    fn begin(folder: &Path) -> Receivers {
        let mut command = Command::new(python());
        let (hook, on_python) = Receiver::begin(command.arg(script("hook.py")).arg(KEY));
        let mut command = Command::new("node");
        let command = command.env("NODE_PATH", modules());
        let (node, on_node) = Receiver::begin(command.arg(script("hook.cjs")).arg(KEY));
        let (mail, on_mail) = Receiver::begin(Command::new(python()).arg(script("mail.py")));
        let on_udp = free_udp_port();
        let (rsyslog, on_tcp) = rsyslog(folder, on_udp);
        let (alertmanager, on_alertmanager) = alertmanager(folder);
        let ports = [
            ("python", on_python),
            ("node", on_node),
            ("mail", on_mail),
            ("syslog", on_tcp),
            ("cef", on_udp),
            ("alertmanager", on_alertmanager),
        ];
        Receivers {
            python: hook,
            node,
            mail,
            on_alertmanager,
            alerts: destinations(folder, &ports),
            _programs: [rsyslog, alertmanager],
        }
    }

    /// Holds what each has taken against what was due of these incidents.
    fn check(&self, due: &BTreeSet<String>, incidents: &BTreeSet<&str>) {
        assert_eq!(&self.python.ids(), due);
        assert_eq!(&self.node.ids(), due);
        assert_eq!(&self.mail.ids(), due);
        let said = self.mail.said();
        let threads = said.iter().map(|one| one["thread"].as_str().unwrap());
        let threads: BTreeSet<&str> = threads.collect();
        assert_eq!(
            &threads, incidents,
            "what is told of an incident is one thread"
        );
        for one in &said {
            assert_eq!(one["to"], json!(["boss@ebh.example"]));
            let subject = one["subject"].as_str().unwrap();
            assert!(subject.starts_with("[catwalk] p"), "{subject}");
        }
        wait_for("the end of the alerts", || {
            active(self.on_alertmanager)?.is_empty().then_some(())
        });
    }
}

#[test]
fn receivers_that_others_have_made_take_every_letter_and_know_it_by_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let receivers = Receivers::begin(folder.path());
    let log = folder.path().join("log");
    let log = open(&["folder", log.to_str().unwrap()]);
    let telling = Telling::begin(&log, &receivers.alerts);
    telling.wait_until(have_been_told);
    // What would break a field, a header or a line, if it were not escaped.
    let late = Finding {
        message: "Seat 3 said \"late]\" | a=b \\ é\r\nSubject: nothing".to_owned(),
        ..finding("wager.late", 1, 60, Some(1))
    };
    send(&*log, &[late.seal(), finding("deal.order", 2, 90, Some(2))]);
    let anna = telling.desk.person("anna");
    let shown = anna.wait_for(2);
    telling.wait_until(have_been_told);
    let on = active(receivers.on_alertmanager).unwrap();
    let priorities = on
        .iter()
        .filter_map(|one| one["labels"]["priority"].as_str());
    assert_eq!(
        priorities.collect::<BTreeSet<_>>(),
        BTreeSet::from(["1", "2"]),
        "{on:?}"
    );

    // Taken up and closed: each tells it once more, and nothing is on any longer.
    for (count, one) in shown.iter().enumerate() {
        let id = one["id"].as_str().unwrap();
        let (status, told) = anna.act(id, &format!("claim-{count}"), json!({"deed": "claim"}));
        assert_eq!(status, 201, "{told}");
        telling.wait_until(have_been_told);
        let disposal = json!({"verdict": "procedure", "reviewer": "eve"});
        let asked = json!({"deed": "dispose", "disposal": disposal});
        assert_eq!(anna.act(id, &format!("end-{count}"), asked).0, 201);
    }
    let told = telling.wait_until(have_been_told);
    drop(telling);

    let due = due(&*log, 4);
    assert_eq!(due.len(), 6, "{due:?}");
    let incidents = shown.iter().map(|one| one["id"].as_str().unwrap());
    receivers.check(&due, &incidents.collect());
    check_lines(&folder.path().join("lines"), &due);
    // Who has another key is not believed, and is still tried.
    let all = told["destinations"].as_array().unwrap();
    let stranger = all.iter().find(|one| one["name"] == "stranger").unwrap();
    assert_eq!(stranger["delivered"], 0, "{stranger}");
    let said = receivers.python.said();
    assert!(said.iter().any(|one| one["refused"].is_string()));
}

/// What rsyslog has parsed: of the letters by TCP the fields, of those in CEF the text.
fn check_lines(file: &Path, due: &BTreeSet<String>) {
    let lines = wait_for("what rsyslog writes", || {
        let lines = std::fs::read_to_string(file).ok()?;
        (lines.lines().count() >= 2 * due.len()).then_some(lines)
    });
    let (mut by_tcp, mut in_cef) = (BTreeSet::new(), BTreeSet::new());
    for line in lines.lines() {
        let parts: Vec<&str> = line.splitn(7, '|').collect();
        let [version, program, severity, kind, delivery, table, text] = parts[..] else {
            panic!("{line}");
        };
        assert_eq!((version, program), ("1", "catwalk"), "{line}");
        assert!(kind.starts_with("incident."), "{line}");
        if text.contains("CEF:0|Catwalk|catwalk|") {
            let found = due.iter().find(|id| text.contains(id.as_str()));
            in_cef.extend(found.cloned());
            continue;
        }
        assert!(
            table == "T-1" && severity == "2" || table == "T-2" && severity == "4",
            "{line}"
        );
        by_tcp.insert(delivery.to_owned());
    }
    assert_eq!(&by_tcp, due);
    assert_eq!(&in_cef, due);
}

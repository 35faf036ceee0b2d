//! What others do to the topics of a log, and a broker that goes away, under a running `catwalk up`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{self, Child, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::cargo::CommandCargoExt as _;
use catwalk_log::KafkaConfig;
use futures::executor::block_on;
use rdkafka::admin::{AdminClient, AdminOptions, NewPartitions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};
use rdkafka::{ClientConfig, Offset, TopicPartitionList};

use crate::broker::{self, kafka};
use crate::{catwalk, query};

const PARTITIONS: i32 = 2;
const PATIENCE: Duration = Duration::from_secs(120);
/// What is wrong is noticed within so long, on a machine with much else to do.
const SOON: Duration = Duration::from_secs(20);

/// A `catwalk up` on Kafka, with what it says.
struct Up {
    process: Child,
    address: String,
    said: Arc<Mutex<String>>,
}

impl Drop for Up {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Up {
    fn start(folder: &Path) -> Up {
        let mut command = process::Command::cargo_bin("catwalk").unwrap();
        command
            .current_dir(folder)
            .args(["up", "-c", "catwalk.toml"]);
        let mut process = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut errors = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("http://") {
            line.clear();
            assert!(errors.read_line(&mut line).unwrap() > 0, "it ended");
        }
        let address = line.split("http://").nth(1).unwrap();
        let address = address.split('/').next().unwrap().to_owned();
        let said: Arc<Mutex<String>> = Arc::default();
        let heard = Arc::clone(&said);
        thread::spawn(move || {
            for line in errors.lines().map_while(Result::ok) {
                let mut heard = heard.lock().unwrap();
                heard.push_str(&line);
                heard.push('\n');
            }
        });
        Up {
            process,
            address,
            said,
        }
    }

    fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    /// Asks the web server, which may have ended.
    fn ask(&self, path: &str) -> String {
        let mut answer = String::new();
        if let Ok(mut stream) = TcpStream::connect(&self.address) {
            let host = "Host: localhost\r\nConnection: close";
            let _ = write!(stream, "GET {path} HTTP/1.1\r\n{host}\r\n\r\n");
            let _ = stream.read_to_string(&mut answer);
        }
        answer
    }

    /// Waits until the answer of a page has a text.
    fn wait_for(&self, path: &str, text: &str, patience: Duration) {
        let begun = Instant::now();
        loop {
            let answer = self.ask(path);
            if answer.contains(text) {
                return;
            }
            let said = self.said();
            assert!(
                begun.elapsed() < patience,
                "{text:?} is not at {path}: {answer}\nit said: {said}"
            );
            thread::sleep(Duration::from_millis(200));
        }
    }

    /// Waits until it settles, archives and knows that it does.
    fn wait_until_ready(&self) {
        self.wait_for("/readyz", "200 OK", PATIENCE);
    }

    /// How many events it has settled.
    fn events(&self) -> u64 {
        let metrics = self.ask("/metrics");
        let mut lines = metrics.lines();
        let value = lines.find_map(|line| line.strip_prefix("catwalk_events_total "));
        value.map_or(0, |value| value.parse().unwrap())
    }

    fn wait_for_events(&self, count: u64) {
        let begun = Instant::now();
        while self.events() < count {
            let said = self.said();
            assert!(
                begun.elapsed() < PATIENCE,
                "{} of {count}: {said}",
                self.events()
            );
            thread::sleep(Duration::from_millis(200));
        }
    }

    /// The exit status, when it ends by itself.
    fn status(&mut self) -> Option<i32> {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status.code();
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "it does not end: {}",
                self.said()
            );
            thread::sleep(Duration::from_millis(100));
        }
    }

    fn tell_to_stop(&self) {
        let pid = self.process.id().to_string();
        let kill = process::Command::new("kill").args(["-TERM", &pid]).status();
        assert!(kill.unwrap().success());
    }
}

/// A folder with a configuration for a floor on Kafka.
fn folder(kafka: &KafkaConfig, services: &str, settings: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "services = {services}\n[http]\nlisten = \"127.0.0.1:0\"\n\
         [archive]\nurl = \"archive\"\nflush_interval_ms = 500\n\
         [log]\nhome = \"kafka\"\npartitions = {PARTITIONS}\n\
         [log.kafka]\nbootstrap = \"{}\"\nprefix = \"{}\"\n[log.kafka.settings]\n{settings}\n",
        kafka.bootstrap, kafka.prefix
    );
    fs::write(folder.path().join("catwalk.toml"), text).unwrap();
    folder
}

const ALL: &str = r#"["settler", "archiver", "http"]"#;

/// The lines of a simulated feed.
fn feed(rounds: &str) -> Vec<String> {
    let simulate = [
        "simulate",
        "--tables",
        "4",
        "--rounds",
        rounds,
        "--fault-rate",
        "0",
    ];
    let mut command = assert_cmd::Command::cargo_bin("catwalk").unwrap();
    let output = command.args(simulate).assert().success();
    let output = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    output.lines().map(str::to_owned).collect()
}

fn address(kafka: &KafkaConfig) -> String {
    format!("kafka://{}/{}", kafka.bootstrap, kafka.prefix)
}

/// Creates the topics, and brings lines onto the log.
fn send(folder: &Path, kafka: &KafkaConfig, lines: &[String]) {
    let mut command = catwalk(folder);
    let partitions = PARTITIONS.to_string();
    let args = [
        "feed",
        "-",
        "--partitions",
        &partitions,
        "--log",
        &address(kafka),
    ];
    command
        .args(args)
        .write_stdin(lines.join("\n"))
        .assert()
        .success();
}

fn admin(kafka: &KafkaConfig) -> AdminClient<DefaultClientContext> {
    let mut config = ClientConfig::new();
    config.set("bootstrap.servers", &kafka.bootstrap);
    config.create().unwrap()
}

fn events_topic(kafka: &KafkaConfig) -> String {
    format!("{}floor.events", kafka.prefix)
}

/// A producer beside those of catwalk.
fn producer(kafka: &KafkaConfig, transaction: Option<&str>) -> BaseProducer {
    let mut config = ClientConfig::new();
    config.set("bootstrap.servers", &kafka.bootstrap);
    if let Some(transaction) = transaction {
        let id = format!("{}{transaction}", kafka.prefix);
        config.set("transactional.id", id);
        config.set("transaction.timeout.ms", "300000");
    }
    let producer: BaseProducer = config.create().unwrap();
    if transaction.is_some() {
        producer.init_transactions(PATIENCE).unwrap();
    }
    producer
}

fn put(producer: &BaseProducer, kafka: &KafkaConfig, partition: i32, value: &str) {
    let topic = events_topic(kafka);
    let record = BaseRecord::to(&topic).partition(partition);
    producer.send(record.key("MB-99").payload(value)).unwrap();
    producer.flush(PATIENCE).unwrap();
}

#[test]
fn partitions_that_are_added_are_noticed() {
    let kafka = broker::floor();
    let folder = folder(&kafka, ALL, "");
    let lines = feed("10");
    send(folder.path(), &kafka, &lines);
    let up = Up::start(folder.path());
    up.wait_until_ready();
    up.wait_for_events(lines.len() as u64);
    up.wait_for("/metrics", "catwalk_log_up 1", SOON);
    let (topic, options) = (events_topic(&kafka), AdminOptions::new());
    let more = [NewPartitions::new(&topic, 4)];
    let added = block_on(admin(&kafka).create_partitions(&more, &options)).unwrap();
    assert!(added[0].is_ok(), "{added:?}");
    put(&producer(&kafka, None), &kafka, 3, "for nobody");
    up.wait_for("/readyz", "floor.events has 4 partitions and had 2", SOON);
    assert!(up.ask("/readyz").starts_with("HTTP/1.1 503"));
    assert!(up.ask("/metrics").contains("catwalk_log_up 0"));
    up.wait_for("/metrics", "catwalk_partition_lag{partition=\"3\"} 1", SOON);
    let said = up.said();
    assert!(
        said.contains("floor.events has 4 partitions and had 2"),
        "{said}"
    );
}

#[test]
fn a_topic_that_is_deleted_is_noticed_and_one_made_again_is_not_taken_for_it() {
    let kafka = broker::floor();
    let folder = folder(&kafka, ALL, "");
    let lines = feed("10");
    send(folder.path(), &kafka, &lines);
    let mut up = Up::start(folder.path());
    up.wait_until_ready();
    up.wait_for_events(lines.len() as u64);
    let (admin, topic, options) = (admin(&kafka), events_topic(&kafka), AdminOptions::new());
    block_on(admin.delete_topics(&[&topic], &options)).unwrap();
    up.wait_for("/readyz", "topic floor.events is gone from the log", SOON);
    assert!(up.ask("/readyz").starts_with("HTTP/1.1 503"));
    assert!(up.ask("/metrics").contains("catwalk_log_up 0"));
    assert!(
        up.said()
            .contains("topic floor.events is gone from the log")
    );
    thread::sleep(Duration::from_secs(5));
    assert!(up.process.try_wait().unwrap().is_none(), "{}", up.said());

    // It has the same shape, and nothing of what was read.
    let again = [NewTopic::new(
        &topic,
        PARTITIONS,
        TopicReplication::Fixed(1),
    )];
    block_on(admin.create_topics(&again, &options)).unwrap();
    let begun = Instant::now();
    let is_told = |text: &str| text.contains("has lost records");
    while !is_told(&up.said()) && !is_told(&up.ask("/readyz")) {
        assert!(begun.elapsed() < PATIENCE, "{}", up.said());
        thread::sleep(Duration::from_millis(200));
    }
    assert!(
        !up.ask("/readyz").starts_with("HTTP/1.1 200"),
        "{}",
        up.said()
    );
    drop(up);
    // Whoever starts it again is told as well.
    let started = catwalk(folder.path())
        .args(["up", "-c", "catwalk.toml", "--once"])
        .assert();
    let errors = String::from_utf8(started.failure().code(1).get_output().stderr.clone()).unwrap();
    assert!(is_told(&errors), "{errors}");
}

#[test]
fn what_lies_behind_an_open_transaction_is_not_left_out_unsaid() {
    let kafka = broker::floor();
    let folder = folder(
        &kafka,
        r#"["settler"]"#,
        "\"transaction.timeout.ms\" = \"1000\"",
    );
    send(folder.path(), &kafka, &feed("5"));
    let open = producer(&kafka, Some("elsewhere"));
    open.begin_transaction().unwrap();
    put(&open, &kafka, 0, "undecided");
    put(&producer(&kafka, None), &kafka, 0, "behind it");
    let once = || {
        catwalk(folder.path())
            .args(["up", "-c", "catwalk.toml", "--once"])
            .assert()
    };
    let errors = String::from_utf8(once().failure().code(1).get_output().stderr.clone()).unwrap();
    assert!(
        errors.contains("there are events that cannot be read yet"),
        "{errors}"
    );
    assert!(
        errors.contains("a transaction that is open on floor.events/0"),
        "{errors}"
    );
    open.commit_transaction(PATIENCE).unwrap();
    once().success();
    let mut list = catwalk(folder.path());
    let list = list
        .args(["quarantine", "--log", &address(&kafka), "list", "--json"])
        .assert();
    let list = String::from_utf8(list.success().get_output().stdout.clone()).unwrap();
    assert_eq!(list.lines().count(), 2, "{list}");
}

#[test]
fn what_the_brokers_removed_unread_is_told_by_whoever_missed_it() {
    let kafka = broker::floor();
    let services = r#"["settler", "archiver"]"#;
    let folder = folder(&kafka, services, "");
    let lines = feed("20");
    let (first, rest) = lines.split_at(lines.len() / 2);
    send(folder.path(), &kafka, first);
    let once = || {
        let mut up = catwalk(folder.path());
        let up = up
            .args(["up", "-c", "catwalk.toml", "--once"])
            .output()
            .unwrap();
        (up.status.code(), String::from_utf8(up.stderr).unwrap())
    };
    assert_eq!(once().0, Some(0));
    send(folder.path(), &kafka, rest);
    let mut places = TopicPartitionList::new();
    for index in 0..PARTITIONS {
        let topic = events_topic(&kafka);
        places
            .add_partition_offset(&topic, index, Offset::End)
            .unwrap();
    }
    let removed = block_on(admin(&kafka).delete_records(&places, &AdminOptions::new())).unwrap();
    assert!(
        removed.elements().iter().all(|place| place.error().is_ok()),
        "{removed:?}"
    );
    let (status, said) = once();
    assert_eq!(status, Some(1), "{said}");
    // Both miss the same: what the first half had brought is neither's loss.
    let of_both = ["before they were settled", "before they were archived"].map(|missed| {
        let lines = said.lines().filter(|line| line.contains(missed));
        let places = lines.map(|line| line.split("records ").nth(1).unwrap());
        let places = places.map(|place| place.split(" were").next().unwrap());
        places.collect::<Vec<_>>()
    });
    assert!(!of_both[0].is_empty(), "{said}");
    assert_eq!(of_both[0], of_both[1], "{said}");
    let from_zero = of_both[0].iter().any(|place| place.starts_with("0 "));
    assert!(!from_zero, "{said}");
}

/// A vendor that goes on sending, a line at a time, until there are no more; whether all went well.
fn send_slowly(folder: &Path, kafka: &KafkaConfig, lines: Vec<String>) -> thread::JoinHandle<bool> {
    let mut command = process::Command::cargo_bin("catwalk").unwrap();
    command
        .current_dir(folder)
        .args(["feed", "-", "--log", &address(kafka)]);
    let mut feed = command
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    thread::spawn(move || {
        let mut input = feed.stdin.take().unwrap();
        for line in lines {
            if writeln!(input, "{line}").is_err() {
                break;
            }
            thread::sleep(Duration::from_millis(20));
        }
        drop(input);
        feed.wait().unwrap().success()
    })
}

#[test]
fn a_broker_that_is_away_for_twenty_seconds_is_waited_for() {
    let data = tempfile::tempdir().unwrap();
    let (data, me) = (data.path().to_str().unwrap(), process::id().to_string());
    let bootstrap = kafka(&["start", "--data", data, "--with", &me]);
    let (_, port) = bootstrap.split_once(':').unwrap();
    let kafka_config = KafkaConfig::new(&bootstrap);
    let folder = folder(&kafka_config, ALL, "");
    let lines = feed("60");
    let (first, rest) = lines.split_at(lines.len() / 4);
    send(folder.path(), &kafka_config, first);
    let mut up = Up::start(folder.path());
    up.wait_until_ready();
    up.wait_for_events(first.len() as u64);
    let vendor = send_slowly(folder.path(), &kafka_config, rest.to_vec());
    up.wait_for_events(first.len() as u64 + 20);

    kafka(&["stop", "--data", data]);
    let away = Instant::now();
    up.wait_for("/readyz", "the log does not answer", SOON);
    assert!(up.ask("/metrics").contains("catwalk_log_up 0"));
    thread::sleep(Duration::from_secs(20).saturating_sub(away.elapsed()));
    assert!(up.process.try_wait().unwrap().is_none(), "{}", up.said());
    kafka(&["start", "--data", data, "--port", port, "--with", &me]);
    up.wait_until_ready();
    if !vendor.join().unwrap() {
        // On a slow machine the broker was away for longer than a vendor waits, who then begins again.
        send(folder.path(), &kafka_config, rest);
    }
    up.wait_for_events(lines.len() as u64);
    let said = up.said();
    assert!(said.contains("the log does not answer"), "{said}");
    assert!(said.contains("the log is as it was again"), "{said}");
    up.tell_to_stop();
    assert_eq!(up.status(), Some(0), "{}", up.said());
    println!("{said}");
    let counted = query(
        folder.path(),
        "select count(*), count(distinct id) from events",
    );
    let count = lines.len();
    assert_eq!(counted.lines().last(), Some(&*format!("{count},{count}")));
    kafka(&["stop", "--data", data]);
}

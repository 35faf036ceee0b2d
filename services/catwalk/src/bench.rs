//! `catwalk bench`: the whole pipeline against the least that the same work can cost.

mod archived;
mod stream;

use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use catwalk_floor::{Config as FloorConfig, Floor, Happening};
use catwalk_log::{
    Durability, EmbeddedLog, KafkaConfig, KafkaLog, Log, Message, Producer, Topic, TopicSpec,
};
use catwalk_rules::Rulebook;
use catwalk_settler::{Committed, Meter, Runner, RunnerSpec};
use catwalk_wire::Formats;
use indicatif::{ProgressBar, ProgressStyle};
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::{ClientConfig, Message as _, Offset, TopicPartitionList};
use serde::Serialize;

use self::archived::Archived;
use self::stream::Followed;
use crate::Verdict;

/// Measure the pipeline in one run, as ratios: settling against only reading and decoding, Parquet
/// against Avro, archiving with seals against archiving without, and the time from event to finding
/// and to the message of the desk's stream that tells of it.
///
/// The embedded log is measured in a temporary folder; Kafka too if a broker is named. Topics made
/// there have names of their own and are left behind.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk bench\n  catwalk bench --events 1000000 --kafka localhost:9092"
)]
pub(crate) struct Args {
    /// Events to settle.
    #[arg(long, default_value_t = 200_000)]
    events: usize,

    /// Events a second while the time from event to finding is measured.
    #[arg(long, default_value_t = 10_000)]
    rate: u64,

    /// For so many seconds.
    #[arg(long, default_value_t = 10)]
    seconds: u64,

    /// Measure Kafka too, at this broker.
    #[arg(long, value_name = "HOST:PORT")]
    kafka: Option<String>,

    /// The figures as one JSON object.
    #[arg(long)]
    json: bool,
}

const PARTITIONS: u32 = 4;
/// So many events are settled before time is measured.
const JOINING: usize = 1_000;

/// What was measured on one log.
#[derive(Debug, Serialize)]
struct Measured {
    log: &'static str,
    events: usize,
    /// The least: read and decode the same events.
    bare_per_second: u64,
    settled_per_second: u64,
    /// Settling in hundredths of the bare loop.
    settled_percent: u64,
    latency_rate: u64,
    findings: usize,
    p50_ms: u64,
    p99_ms: u64,
    worst_ms: u64,
    /// The same to a message of the desk's stream, over HTTP.
    stream_messages: usize,
    stream_p50_ms: u64,
    stream_p99_ms: u64,
    stream_worst_ms: u64,
}

#[derive(Debug, Serialize)]
struct Report {
    logs: Vec<Measured>,
    archive: Archived,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let folder = tempfile::tempdir()?;
    let rulebook = Arc::new(Rulebook::load()?);
    let bar = spinner("playing rounds");
    let feed = Feed::play(rulebook.clone(), args.events)?;
    let paced = usize::try_from(args.rate * args.seconds)?;
    let mut logs = Vec::new();
    let bench = Bench {
        args,
        rulebook,
        feed: &feed,
        paced,
    };

    bar.set_message("embedded log: reading, then settling");
    let embedded = |name: &str| {
        let log = EmbeddedLog::open(folder.path().join(name), Durability::Os)?;
        Ok::<_, anyhow::Error>(Arc::new(log) as Arc<dyn Log>)
    };
    let log = embedded("throughput")?;
    bench.fill(&*log)?;
    let bare = per_second(feed.len(), || read_and_decode(&*log))?;
    let settled = bench.settle(&log)?;
    bar.set_message("archive");
    let folder_of = folder.path().join("archive");
    let archive = archived::measure(&log, &folder_of, feed.len(), feed.bytes())?;
    bar.set_message("embedded log: from event to finding");
    let delays = bench.delays(embedded("latency")?)?;
    logs.push(bench.measured("embedded", bare, settled, delays));

    if let Some(broker) = &args.kafka {
        bar.set_message("Kafka: draining, then settling");
        let prefix = |name: &str| format!("bench-{}-{name}-", std::process::id());
        let kafka = |name: &str| {
            let mut config = KafkaConfig::new(broker);
            config.prefix = prefix(name);
            Ok::<_, anyhow::Error>(Arc::new(KafkaLog::connect(config)?) as Arc<dyn Log>)
        };
        let log = kafka("throughput")?;
        bench.fill(&*log)?;
        let topic = format!("{}{}", prefix("throughput"), Topic::FloorEvents);
        let bare = per_second(feed.len(), || drain(broker, &topic, feed.len()))?;
        let settled = bench.settle(&log)?;
        bar.set_message("Kafka: from event to finding");
        let delays = bench.delays(kafka("latency")?)?;
        logs.push(bench.measured("kafka", bare, settled, delays));
    }
    bar.finish_and_clear();
    let report = Report { logs, archive };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        report.tell(&mut out)?;
    }
    Ok(Verdict::Fine)
}

fn spinner(message: &'static str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(message).with_style(
        ProgressStyle::with_template("{spinner} {elapsed} {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner()),
    );
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Events of a floor, encoded, and which each is.
struct Feed(Vec<Message>, Vec<(String, u64)>);

impl Feed {
    fn play(rulebook: Arc<Rulebook>, events: usize) -> anyhow::Result<Feed> {
        let floor = FloorConfig {
            tables: 32,
            // A round has more events than one.
            rounds: events as u64,
            faults_per_mille: 100,
            ..FloorConfig::default()
        };
        let formats = Formats::plain()?;
        let mut feed = Vec::with_capacity(events);
        let mut which = Vec::with_capacity(events);
        for happening in Floor::under(rulebook, floor)? {
            if let Happening::Event(event) = happening? {
                let value = formats.events.encode(&event)?;
                which.push((event.table.clone(), event.seq));
                feed.push(Message::new(
                    Topic::FloorEvents,
                    event.table.as_bytes(),
                    value,
                ));
            }
            if feed.len() == events {
                break;
            }
        }
        Ok(Feed(feed, which))
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> u64 {
        let bytes = |message: &Message| message.value.as_ref().map_or(0, Vec::len) as u64;
        self.0.iter().map(bytes).sum()
    }
}

struct Bench<'a> {
    args: &'a Args,
    rulebook: Arc<Rulebook>,
    feed: &'a Feed,
    /// Events of the measurement of time.
    paced: usize,
}

impl Bench<'_> {
    fn create(&self, log: &dyn Log) -> anyhow::Result<()> {
        let topics: Vec<TopicSpec> = Topic::ALL
            .into_iter()
            .map(|topic| topic.with_partitions(PARTITIONS))
            .collect();
        Ok(log.create(&topics)?)
    }

    fn fill(&self, log: &dyn Log) -> anyhow::Result<()> {
        self.create(log)?;
        let mut producer = log.producer()?;
        for messages in self.feed.0.chunks(1_000) {
            producer.send(messages)?;
        }
        Ok(producer.flush()?)
    }

    fn runner(&self, log: &Arc<dyn Log>, meter: Arc<dyn Meter>) -> anyhow::Result<Runner> {
        let spec = RunnerSpec::new("bench");
        let (log, rules) = (log.clone(), self.rulebook.clone());
        Ok(Runner::join(log, spec, rules, Formats::plain()?, meter)?)
    }

    fn settle(&self, log: &Arc<dyn Log>) -> anyhow::Result<u64> {
        let mut runner = self.runner(log, Arc::new(Delays::default()))?;
        per_second(self.feed.len(), || Ok(runner.run_until_caught_up()?))
    }

    /// Events come at an even pace while a settler and a desk are at work: the time to findings, and to messages.
    fn delays(&self, log: Arc<dyn Log>) -> anyhow::Result<[Vec<u64>; 2]> {
        self.create(&*log)?;
        let meter = Arc::new(Delays::default());
        let mut runner = self.runner(&log, meter.clone())?;
        let mut producer = log.producer()?;
        let followed = Followed::begin(log.clone())?;
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let settler = scope.spawn(|| runner.run(&stop));
            let settled = |events: usize| {
                let patience = Instant::now() + Duration::from_secs(30);
                while meter.events.load(Ordering::Relaxed) < events as u64
                    && Instant::now() < patience
                    && !settler.is_finished()
                {
                    std::thread::sleep(Duration::from_millis(10));
                }
            };
            let paced = self.paced.min(self.feed.len());
            let joining = JOINING.min(paced);
            // The settler takes its time to join the group, and the producer to find its broker: that is
            // not the time of a finding.
            let sent = self.pace(&mut *producer, 0..joining, None).and_then(|()| {
                settled(joining);
                meter.lock().clear();
                self.pace(&mut *producer, joining..paced, Some(&followed))
            });
            settled(paced);
            stop.store(true, Ordering::Release);
            let settled = settler.join();
            sent?;
            settled.map_err(|_| anyhow::anyhow!("the settler panicked"))??;
            let mut delays = std::mem::take(&mut *meter.lock());
            delays.sort_unstable();
            Ok([delays, followed.end()?])
        })
    }

    fn pace(
        &self,
        producer: &mut dyn Producer,
        which: Range<usize>,
        followed: Option<&Followed>,
    ) -> anyhow::Result<()> {
        let (messages, names) = (&self.feed.0[which.clone()], &self.feed.1[which]);
        let start = Instant::now();
        let tick = Duration::from_millis(2);
        let mut sent = 0;
        while sent < messages.len() {
            let due = start.elapsed().as_micros() * u128::from(self.args.rate) / 1_000_000;
            let due = usize::try_from(due)?.min(messages.len());
            if due > sent {
                let now = jiff::Timestamp::now().as_millisecond();
                let batch: Vec<Message> = messages[sent..due]
                    .iter()
                    .map(|message| message.clone().at(now))
                    .collect();
                if let Some(followed) = followed {
                    followed.sent(&names[sent..due], now);
                }
                producer.send(&batch)?;
                sent = due;
            }
            std::thread::sleep(tick);
        }
        Ok(producer.flush()?)
    }

    fn measured(
        &self,
        log: &'static str,
        bare: u64,
        settled: u64,
        delays: [Vec<u64>; 2],
    ) -> Measured {
        let [delays, messages] = delays;
        let at = |delays: &[u64], percent: usize| {
            let index = (delays.len() * percent / 100).min(delays.len().saturating_sub(1));
            delays.get(index).copied().unwrap_or(0)
        };
        Measured {
            log,
            events: self.feed.len(),
            bare_per_second: bare,
            settled_per_second: settled,
            settled_percent: settled * 100 / bare.max(1),
            latency_rate: self.args.rate,
            findings: delays.len(),
            p50_ms: at(&delays, 50),
            p99_ms: at(&delays, 99),
            worst_ms: at(&delays, 100),
            stream_messages: messages.len(),
            stream_p50_ms: at(&messages, 50),
            stream_p99_ms: at(&messages, 99),
            stream_worst_ms: at(&messages, 100),
        }
    }
}

/// Time from event to finding, in milliseconds.
#[derive(Default)]
struct Delays {
    events: AtomicU64,
    millis: Mutex<Vec<u64>>,
}

impl Delays {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<u64>> {
        self.millis.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Meter for Delays {
    fn committed(&self, committed: &Committed) {
        let now = jiff::Timestamp::now().as_millisecond();
        let delays = committed.delays(now);
        self.lock()
            .extend(delays.filter_map(|delay| u64::try_from(delay.as_millis()).ok()));
        self.events.fetch_add(committed.events, Ordering::Relaxed);
    }
}

fn per_second(events: usize, work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<u64> {
    let start = Instant::now();
    work()?;
    let micros = start.elapsed().as_micros().max(1);
    Ok(u64::try_from(events as u128 * 1_000_000 / micros)?)
}

/// The least that can be done with the events on a log.
fn read_and_decode(log: &dyn Log) -> anyhow::Result<()> {
    let formats = Formats::plain()?;
    for index in 0..PARTITIONS {
        let mut reader = log.reader(Topic::FloorEvents.partition(index), 0)?;
        loop {
            let records = reader.read(Duration::from_millis(100))?;
            for record in &records {
                let event = record
                    .value
                    .as_deref()
                    .map(|bytes| formats.read_event(bytes));
                std::hint::black_box(event.transpose()?);
            }
            if records.is_empty() && reader.caught_up() {
                break;
            }
        }
    }
    Ok(())
}

/// Drains a topic with nothing but librdkafka.
fn drain(broker: &str, topic: &str, events: usize) -> anyhow::Result<()> {
    let consumer: BaseConsumer = ClientConfig::new()
        .set("bootstrap.servers", broker)
        .set("group.id", "catwalk-bench")
        .set("enable.auto.commit", "false")
        .create()?;
    let mut partitions = TopicPartitionList::new();
    for index in 0..i32::try_from(PARTITIONS)? {
        partitions.add_partition_offset(topic, index, Offset::Beginning)?;
    }
    consumer.assign(&partitions)?;
    let mut drained = 0;
    while drained < events {
        let message = consumer.poll(Duration::from_secs(10));
        let message = message.context("the topic ended early")??;
        std::hint::black_box(message.payload());
        drained += 1;
    }
    Ok(())
}

impl Report {
    fn tell(&self, out: &mut impl Write) -> io::Result<()> {
        for log in &self.logs {
            let least = match log.log {
                "kafka" => "draining with librdkafka alone",
                _ => "reading and decoding alone",
            };
            writeln!(
                out,
                "{}: {} events settled at {} a second, {}% of {least} ({} a second)",
                log.log,
                log.events,
                log.settled_per_second,
                log.settled_percent,
                log.bare_per_second
            )?;
            writeln!(
                out,
                "  at {} events a second, from event to finding: p50 {} ms, p99 {} ms, worst {} ms \
                ({} findings)",
                log.latency_rate, log.p50_ms, log.p99_ms, log.worst_ms, log.findings
            )?;
            writeln!(
                out,
                "  from event to the desk's stream: p50 {} ms, p99 {} ms, worst {} ms ({} messages)",
                log.stream_p50_ms, log.stream_p99_ms, log.stream_worst_ms, log.stream_messages
            )?;
        }
        writeln!(out, "{}", self.archive.told())
    }
}

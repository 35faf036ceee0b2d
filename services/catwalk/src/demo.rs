//! `catwalk demo`: the whole pipeline on a simulated floor, in one folder of this machine.

mod keys;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use catwalk_events::audit::Finding;
use catwalk_floor::score::{Alarm, Score};
use catwalk_floor::{Floor, Happening, Label, garble};
use catwalk_log::{EmbeddedLog, Log, Message, Topic};
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use catwalk_web::Users;
use comfy_table::CellAlignment;
use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use self::keys::Keys;
use self::words::{Meanings, quoted, wrapped};
use crate::alert::Lines;
use crate::config::{Config, Service};
use crate::follow::{self, Findings, From};
use crate::simulate::{FloorArgs, per_mille};
use crate::up::{House, access};
use crate::{Verdict, output};

/// Watch the whole pipeline at work: a simulated floor plays, some dealers err, findings appear, the
/// archive grows and can be queried.
///
/// Everything happens in one folder, which a later demo replaces. Without `--rounds` the floor plays
/// until Ctrl-C. Whoever has seen enough presses q: the rounds that are left are played as fast as the machine can.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  catwalk demo\n  \
    catwalk demo --rounds 2000 --headless --games blackjack,craps\n  \
    catwalk demo --console-port 0     then `catwalk desk list --url` with the address that it prints")]
pub(crate) struct Args {
    #[command(flatten)]
    floor: FloorArgs,

    /// End after so many rounds.
    #[arg(long)]
    rounds: Option<u64>,

    /// Share of the rounds in which something is done wrong, from 0 to 1.
    #[arg(long, default_value = "0.02", value_parser = per_mille)]
    fault_rate: u32,

    /// Play as fast as the machine can, show no findings as they come, and end with the summary.
    #[arg(long)]
    headless: bool,

    /// Rounds a second on the whole floor, when somebody watches.
    #[arg(long, default_value_t = 10)]
    pace: u64,

    /// Where the incidents can be worked on, on this machine; 0 stands for any port that is free. A headless demo
    /// opens it only if it is told where.
    #[arg(long, value_name = "PORT")]
    console_port: Option<u16>,

    /// Where SQL clients come in, on this machine, as the user demo without a password; any port that is free if left
    /// out. A headless demo opens it only if it is told where.
    #[arg(long, value_name = "PORT")]
    sql_port: Option<u16>,

    /// Where the log and the archive are kept.
    #[arg(long, value_name = "DIR", default_value = "catwalk-demo")]
    data: PathBuf,
}

/// A headless demo ends by itself.
const HEADLESS_ROUNDS: u64 = 1_000;
/// Says that a folder is a demo's, and may be replaced by the next.
const MARKER: &str = "this-is-a-catwalk-demo";

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let (config, _in_use) = args.prepare()?;
    let house = House::open(config.log_choice(), config.rulebook()?)?;
    let users = Users::demo(access::house(&config));
    let services = house.start(&config, Some(users))?;
    house.stop_when_told()?;

    let endless = args.rounds.is_none() && !args.headless;
    let rounds = args
        .rounds
        .unwrap_or(if endless { u64::MAX } else { HEADLESS_ROUNDS });
    // Bad arguments are told before anything else happens; the tables themselves stay in one thread.
    args.floor.open(rounds, args.fault_rate)?;
    let keys = args.introduce(rounds, endless)?;
    let played = Arc::new(Played::default());
    let player = {
        let (house, played) = (house.clone(), played.clone());
        let pace = (!args.headless).then_some(args.pace.max(1));
        let formats = config.log_choice().formats()?;
        let (floor, faults) = (args.floor.clone(), args.fault_rate);
        thread::spawn(move || {
            let floor = floor.open(rounds, faults)?;
            play(floor, &*house.log, &formats, pace, &house, &played)
        })
    };

    let bar = progress(rounds, endless);
    let mut show = Show {
        lines: Lines::for_stdout(&config.archive.time_zone),
        findings: follow::findings(&*house.log, config.log_choice().formats()?, From::Start)?,
        seen: Vec::new(),
        meanings: Meanings::of(&config.rulebook()?),
        explained: BTreeSet::new(),
        quiet: args.headless,
        bar,
    };
    while !house.is_stopping() && !player.is_finished() {
        show.look(&house, &played)?;
        if !show.quiet && keys.as_ref().is_some_and(Keys::pressed) {
            show.hurry(&house, &played, endless)?;
        }
    }
    let labels = player
        .join()
        .map_err(|_| anyhow::anyhow!("the floor panicked"))??;
    let sent = played.events.load(Ordering::Acquire);
    // Told to stop, nobody settles what is left; it is settled below.
    while house.metrics.events() < sent && !house.is_stopping() {
        show.look(&house, &played)?;
    }
    show.look(&house, &played)?;
    show.bar.finish_and_clear();
    house.stop();
    services.join()?;
    if let Some(failure) = house.failure() {
        anyhow::bail!(failure);
    }
    // What is on the log and not in the archive yet.
    house.once(&config)?;
    show.look(&house, &played)?;
    drop(keys);
    summarize(&house, &played, &labels, &show)?;
    try_next(&show.seen, &args.data)?;
    Ok(Verdict::Fine)
}

impl Args {
    /// Says what is about to happen, and how to have enough of it.
    fn introduce(&self, rounds: u64, endless: bool) -> io::Result<Option<Keys>> {
        if self.headless {
            return Ok(None);
        }
        let keys = Keys::listen();
        let (tables, pace) = (self.floor.tables, self.pace.max(1));
        let mut text = format!(
            "A simulated floor of {tables} tables plays {pace} rounds a second. In {} of 1000 something goes wrong on \
             purpose. Every round is settled again by the rules, and what does not agree is shown here as it happens.",
            self.fault_rate
        );
        match endless {
            true => text.push_str(" It plays until Ctrl-C"),
            false => {
                let time = HumanDuration(Duration::from_secs(rounds / pace));
                text.push_str(&format!(" {rounds} rounds take {time}"));
            }
        }
        text.push_str(match (&keys, endless) {
            (Some(_), true) => " or q.",
            (None, true) => ".",
            (Some(_), false) => {
                "; q plays the rest as fast as the machine can, --headless all of them."
            }
            (None, false) => "; --headless plays them as fast as the machine can.",
        });
        writeln!(io::stdout(), "{}\n", wrapped(&text, 0))?;
        Ok(keys)
    }

    /// A fresh folder, the configuration that lives in it, and what keeps other demos out while it is held.
    fn prepare(&self) -> anyhow::Result<(Config, File)> {
        let folder = &self.data;
        let shown = folder.display();
        let is_new = !folder.exists();
        fs::create_dir_all(folder).with_context(|| shown.to_string())?;
        let marker = folder.join(MARKER);
        anyhow::ensure!(
            is_new || marker.exists(),
            "{shown} is there already and is no demo; choose another folder with --data"
        );
        let mut options = File::options();
        let options = options.create(true).truncate(false).write(true);
        let held = options.open(&marker).with_context(|| shown.to_string())?;
        let in_use =
            || format!("a demo runs in {shown}: end it, or choose another folder with --data");
        held.try_lock().with_context(in_use)?;
        if EmbeddedLog::is_in_use(folder.join("log"))? {
            anyhow::bail!("the log in {shown} is in use: choose another folder with --data");
        }
        for entry in fs::read_dir(folder).with_context(|| shown.to_string())? {
            let path = entry.with_context(|| shown.to_string())?.path();
            let removed = match path == marker {
                true => continue,
                false if path.is_dir() => fs::remove_dir_all(&path),
                false => fs::remove_file(&path),
            };
            removed.with_context(|| path.display().to_string())?;
        }
        let mut config = Config::load(None)?;
        config.services = vec![Service::Settler, Service::Archiver, Service::Desk];
        if self.console_port.is_some() || !self.headless {
            config.services.push(Service::Console);
        }
        if !self.headless {
            // For whoever watches and tries; whoever counts needs none.
            config.services.push(Service::Gateway);
            config.gateway.listen = SocketAddr::from(([127, 0, 0, 1], 0));
        }
        if self.sql_port.is_some() || !self.headless {
            config.services.push(Service::Sql);
            config.sql.listen.set_port(self.sql_port.unwrap_or(0));
        }
        config.log.embedded.folder = folder.join("log");
        config.archive.url = folder.join("archive").display().to_string();
        config.archive.flush_interval_ms = 2_000;
        if let Some(port) = self.console_port {
            config.console.listen.set_port(port);
        }
        Ok((config, held))
    }
}

/// What the floor has sent.
#[derive(Debug, Default)]
struct Played {
    events: AtomicU64,
    rounds: AtomicU64,
    /// Whoever watches has seen enough.
    hurry: AtomicBool,
}

/// Sends what happens on the floor, at the pace that is asked for.
fn play(
    floor: Floor,
    log: &dyn Log,
    formats: &catwalk_wire::Formats,
    pace: Option<u64>,
    house: &House,
    played: &Played,
) -> anyhow::Result<Vec<Label>> {
    let mut producer = log.producer()?;
    let mut labels = Vec::new();
    let mut batch = Vec::new();
    let start = Instant::now();
    for happening in floor {
        match happening? {
            Happening::Event(event) => {
                let value = formats.events.encode(&event)?;
                batch.push(Message::new(
                    Topic::FloorEvents,
                    event.table.as_bytes(),
                    value,
                ));
            }
            Happening::Garbled(event) => {
                let value = garble(&formats.events.encode(&event)?);
                batch.push(Message::new(
                    Topic::FloorEvents,
                    event.table.as_bytes(),
                    value,
                ));
            }
            Happening::Fault(label) => labels.push(*label),
            Happening::Round(_) => {
                played.rounds.fetch_add(1, Ordering::Relaxed);
            }
        }
        let pace = pace.filter(|_| !played.hurry.load(Ordering::Relaxed));
        let waiting = batch.len() >= if pace.is_some() { 1 } else { 500 };
        if waiting {
            producer.send(&batch)?;
            played
                .events
                .fetch_add(batch.len() as u64, Ordering::Release);
            batch.clear();
        }
        if let Some(pace) = pace {
            let due =
                Duration::from_secs_f64(played.rounds.load(Ordering::Relaxed) as f64 / pace as f64);
            thread::sleep(due.saturating_sub(start.elapsed()));
        }
        if house.is_stopping() {
            break;
        }
    }
    producer.send(&batch)?;
    producer.flush()?;
    played
        .events
        .fetch_add(batch.len() as u64, Ordering::Release);
    Ok(labels)
}

fn progress(rounds: u64, endless: bool) -> ProgressBar {
    let template = match endless {
        true => "{spinner} {pos} rounds · {msg}",
        false => "{wide_bar} {pos} of {len} rounds · {msg}",
    };
    let style = ProgressStyle::with_template(template);
    let bar = if endless {
        ProgressBar::new_spinner()
    } else {
        ProgressBar::new(rounds)
    };
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// What somebody who watches sees.
struct Show {
    lines: Lines,
    findings: Findings,
    seen: Vec<Finding>,
    meanings: Meanings,
    /// Codes whose meaning was told.
    explained: BTreeSet<String>,
    quiet: bool,
    bar: ProgressBar,
}

impl Show {
    fn look(&mut self, house: &House, played: &Played) -> anyhow::Result<()> {
        for finding in self.findings.next(follow::PATIENCE)? {
            if !self.quiet {
                let mut text = words::fitted(&self.lines.line(&finding), &finding.message);
                if self.explained.insert(finding.code.clone())
                    && let Some(meaning) = self.meanings.of_finding(&finding)
                {
                    text.push('\n');
                    text.push_str(&wrapped(&format!("{}: {meaning}", finding.code), 9));
                }
                self.bar.suspend(|| writeln!(io::stdout(), "{text}"))?;
            }
            self.seen.push(finding);
        }
        for what in self.findings.unread() {
            self.bar.suspend(|| eprintln!("catwalk: {what}"));
        }
        self.bar.set_position(played.rounds.load(Ordering::Relaxed));
        // What fits one line of any terminal: a bar that takes two leaves its first behind.
        self.bar.set_message(format!(
            "{} settled, {} findings, {}",
            HumanCount(house.metrics.rounds()),
            self.seen.len(),
            HumanBytes(archive_size(house).1)
        ));
        Ok(())
    }

    /// Enough was seen: the rounds that are left are played at once; where there is no last one, it ends.
    fn hurry(&mut self, house: &House, played: &Played, endless: bool) -> io::Result<()> {
        self.quiet = true;
        if endless {
            house.stop();
            return Ok(());
        }
        played.hurry.store(true, Ordering::Relaxed);
        let told = "The rest is played as fast as it goes; what is found is counted.";
        self.bar.suspend(|| writeln!(io::stdout(), "\n{told}"))
    }
}

fn archive_size(house: &House) -> (u64, u64) {
    let progress = house.metrics.archive();
    let tables = progress.iter().flat_map(|progress| progress.tables());
    tables.fold((0, 0), |(files, bytes), (_, table)| {
        (files + table.files(), bytes + table.bytes())
    })
}

/// So many codes are explained in the end.
const EXPLAINED: usize = 5;

fn summarize(house: &House, played: &Played, labels: &[Label], show: &Show) -> io::Result<()> {
    let findings = &show.seen;
    let mut by_code: BTreeMap<(Severity, &str), (u64, Cents, Option<&str>)> = BTreeMap::new();
    for finding in findings {
        let entry = by_code.entry((finding.severity, &finding.code));
        let (count, exposure, meaning) = entry.or_default();
        *count += 1;
        *exposure += finding.exposure;
        *meaning = meaning.or_else(|| show.meanings.of_finding(finding));
    }
    let mut table = output::table(&["finding", "severity", "count", "house lost"]);
    for ((severity, code), (count, exposure, _)) in by_code.iter().rev() {
        table.add_row([
            (*code).to_owned(),
            output::severity(*severity).to_owned(),
            count.to_string(),
            exposure.to_string(),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let (files, bytes) = archive_size(house);
    let events = played.events.load(Ordering::Relaxed);
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "\n{events} events, {} rounds settled, archive of {files} files, {}\n{table}",
        house.metrics.rounds(),
        HumanBytes(bytes)
    )?;
    let explained = by_code.iter().rev().take(EXPLAINED);
    for ((_, code), (_, _, meaning)) in explained {
        if let Some(meaning) = meaning {
            writeln!(out, "{}", wrapped(&format!("{code}: {meaning}"), 0))?;
        }
    }
    let alarms: Vec<Alarm> = findings.iter().map(Alarm::from).collect();
    let score = Score::of(labels, &alarms);
    let (found, faults) = (score.all.found, score.all.faults);
    writeln!(out, "\n{found} of {faults} faults were found")
}

/// Commands that can be pasted as they are, from where the user stands.
fn try_next(findings: &[Finding], data: &Path) -> io::Result<()> {
    let program = words::program();
    let archive = quoted(&data.join("archive").display().to_string());
    let log = quoted(&data.join("log").display().to_string());
    let mut out = io::stdout().lock();
    writeln!(out, "\nTry next:")?;
    let mut told = |command: &str| writeln!(out, "  {program} {command}");
    if let Some(finding) = findings.iter().find(|finding| finding.round.is_some()) {
        let round = quoted(finding.round.as_deref().unwrap_or_default());
        told(&format!("round --archive {archive} {round}"))?;
        told(&format!(
            "evidence --archive {archive} {round} -o round.zip"
        ))?;
    }
    told(&format!(
        "query --archive {archive} --named findings-by-code"
    ))?;
    told(&format!("query --archive {archive} --named reconciliation"))?;
    told(&format!(
        "query --archive {archive} \"select game, count(*) as rounds from rounds group by game\""
    ))?;
    told(&format!("verify {archive}"))?;
    told(&format!("log check {log}"))?;
    told("rules blackjack")
}

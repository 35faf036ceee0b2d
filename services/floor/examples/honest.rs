//! Deals honest rounds of every game and counts what is found in them.
//!
//! `cargo run --release -p catwalk-floor --example honest -- --rounds 1000000`
//! `cargo run --release -p catwalk-floor --example honest -- --tables 150 --days 30`
//!
//! A line a game: rounds, events, and findings by severity. An honest floor gives no warning and nothing
//! critical; if it does, each code of each game is shown with its number and its first finding, and the exit
//! status is 1. `--seed`, `--tables`, `--days` and `--games a,b` choose another floor; with `--days` alone the
//! rounds are as many as the days have. `--noise 20` has honest noise in 20 of 1000 rounds: then the feed brings
//! events twice or late, and each of them, and nothing else, is found. `--faults 2` has a fault in 2 of 1000 rounds:
//! then what is found is held against what was done; `--kinds capped,pinched` chooses among the faults. `--settle no`
//! plays without an audit, to time the floor alone.

use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;
use std::sync::{Arc, mpsc};
use std::time::Instant;

use catwalk_events::Event;
use catwalk_events::body::Body;
use catwalk_floor::score::{Alarm, Score};
use catwalk_floor::{Config, Floor, FloorError, GAMES, Happening, Label};
use catwalk_rules::Rulebook;
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use catwalk_settler::{Finding, Output, Settler, Uniformity};
use mimalloc::MiMalloc;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const PROGRESS_ROUNDS: u64 = 100_000;
/// So many happenings go from the floor to the audit at once, and so many batches may wait.
const BATCH: usize = 1_000;
const WAITING: usize = 8;

/// What was counted of a game, or of all.
#[derive(Clone, Copy, Default)]
struct Tally {
    rounds: u64,
    events: u64,
    info: u64,
    warn: u64,
    critical: u64,
    unread: u64,
    /// Events that came twice or late.
    again: u64,
    /// Findings of the feed that say so.
    feed: u64,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let Asked { config, settles } = asked(std::env::args().skip(1))?;
    let seed = config.seed;
    let rulebook = Arc::new(Rulebook::load()?);
    let mut settler = Settler::new(Arc::clone(&rulebook))?;
    let mut uniformity = Uniformity::new(&rulebook);
    let mut counter = Counter::default();
    let (cheats, begun) = (config.faults_per_mille > 0, Instant::now());
    let (floor, audit) = mpsc::sync_channel(WAITING);
    std::thread::scope(|scope| {
        scope.spawn(|| play(rulebook, config, floor));
        for happening in audit.into_iter().flatten() {
            match happening? {
                Happening::Event(event) => {
                    let game = counter.see(&event);
                    if settles {
                        let outputs = settler.receive(*event);
                        counter.count(&game, outputs, &mut uniformity);
                    }
                }
                Happening::Fault(label) => counter.labels.push(*label),
                Happening::Garbled(_) | Happening::Round(_) => {}
            }
        }
        Ok::<_, FloorError>(())
    })?;
    counter.count("", settler.finish(), &mut uniformity);
    let seconds = begun.elapsed().as_secs_f64();
    counter.print();
    let events = counter.all().events as f64;
    println!("{seconds:.1} s, {:.0} events a second", events / seconds);
    let is_right = match settles {
        false => true,
        true if cheats => counter.score(),
        true => counter.acquit(),
    };
    if is_right {
        return Ok(ExitCode::SUCCESS);
    }
    let wrong = match cheats {
        true => "a fault was missed or an honest round accused",
        false => "an honest floor was accused",
    };
    eprintln!("{wrong}: --seed {seed}");
    Ok(ExitCode::FAILURE)
}

/// Plays the floor beside the audit.
fn play(
    rulebook: Arc<Rulebook>,
    config: Config,
    to: mpsc::SyncSender<Vec<Result<Happening, FloorError>>>,
) {
    let mut floor = match Floor::under(rulebook, config) {
        Ok(floor) => floor,
        Err(error) => return drop(to.send(vec![Err(error)])),
    };
    loop {
        let batch: Vec<_> = floor.by_ref().take(BATCH).collect();
        // Nobody listens any more after an error.
        if batch.is_empty() || to.send(batch).is_err() {
            return;
        }
    }
}

struct Asked {
    config: Config,
    /// Is the floor audited?
    settles: bool,
}

fn asked(mut arguments: impl Iterator<Item = String>) -> Result<Asked, Box<dyn Error>> {
    let mut config = Config {
        tables: GAMES.len() * 2,
        ..Config::default()
    };
    let (mut rounds, mut settles) = (None, true);
    while let Some(name) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--rounds" => rounds = Some(value.replace('_', "").parse()?),
            "--days" => config.days = Some(value.parse()?),
            "--seed" => config.seed = value.parse()?,
            "--tables" => config.tables = value.parse()?,
            "--games" => config.games = value.split(',').map(str::to_owned).collect(),
            "--noise" => config.noise_per_mille = value.parse()?,
            "--faults" => config.faults_per_mille = value.parse()?,
            "--kinds" => config.fault_kinds = serde_json::from_value(value.split(',').collect())?,
            "--settle" => settles = value != "no",
            _ => {
                let known =
                    "--rounds --days --seed --tables --games --noise --faults --kinds --settle";
                return Err(format!("{name} is none of {known}").into());
            }
        }
    }
    config.rounds = rounds.unwrap_or(match config.days {
        Some(_) => u64::MAX,
        None => 10_000,
    });
    Ok(Asked { config, settles })
}

#[derive(Default)]
struct Counter {
    by_game: BTreeMap<String, Tally>,
    game_of_table: BTreeMap<String, String>,
    /// The highest number that came from a table.
    last_seq: BTreeMap<String, u64>,
    rounds: u64,
    /// What should not be, by game and code: how often, and the first of it.
    accused: BTreeMap<(String, String), (u64, String)>,
    labels: Vec<Label>,
    alarms: Vec<Alarm>,
}

impl Counter {
    /// Counts an event. The game of its table.
    fn see(&mut self, event: &Event) -> String {
        if let Body::TableOpened(opened) = &event.body {
            self.game_of_table
                .insert(event.table.clone(), opened.game.clone());
        }
        let game = self.game_of_table.get(&event.table);
        let game = game.cloned().unwrap_or_default();
        let tally = self.by_game.entry(game.clone()).or_default();
        tally.events += 1;
        let last = self.last_seq.entry(event.table.clone()).or_default();
        let comes_again = event.seq <= *last;
        tally.again += u64::from(comes_again);
        *last = event.seq.max(*last);
        let ends = matches!(event.body, Body::RoundClosed(_) | Body::RoundVoided(_));
        if ends && !comes_again {
            tally.rounds += 1;
            self.rounds += 1;
            if self.rounds.is_multiple_of(PROGRESS_ROUNDS) {
                self.report();
            }
        }
        game
    }

    /// Says how far it is, and what would be said if it ended here.
    fn report(&self) {
        let score = Score::of(&self.labels, &self.alarms);
        eprintln!(
            "{} rounds, {} faults, {} found, {} false alarms",
            self.rounds, score.all.faults, score.all.found, score.false_alarms
        );
        score
            .examples
            .iter()
            .for_each(|alarm| eprintln!("  {alarm}"));
    }

    fn count(&mut self, game: &str, outputs: Vec<Output>, uniformity: &mut Uniformity) {
        for output in outputs {
            match output {
                Output::Finding(finding) => self.find(game, &finding),
                Output::Unread(unread) => {
                    self.by_game.entry(game.to_owned()).or_default().unread += 1;
                    let first = || format!("{} {:?}", unread.reason, unread.event);
                    self.accuse(game, "unread", first);
                }
                // What only several tables show.
                Output::Settlement(round) => {
                    for finding in uniformity.receive(&*round) {
                        self.find(game, &finding);
                    }
                }
            }
        }
    }

    /// Holds what was found against what was done. Is it the same?
    fn score(&self) -> bool {
        let score = Score::of(&self.labels, &self.alarms);
        println!(
            "{} faults, {} found; {} findings of warn or above, {} of them false",
            score.all.faults, score.all.found, score.alarms, score.false_alarms
        );
        println!(
            "{} moved, {} caught",
            Cents::new(score.all.lost_cents),
            Cents::new(score.all.caught_cents)
        );
        for (kind, row) in &score.by_kind {
            println!("  {kind:<20}{:>9} of {:<9}", row.found, row.faults);
        }
        let missed = score.missed.iter().map(|fault| ("missed", fault));
        for (what, example) in missed.chain(score.examples.iter().map(|alarm| ("false", alarm))) {
            println!("{what}: {example}");
        }
        score.is_perfect()
    }

    fn find(&mut self, game: &str, finding: &Finding) {
        self.alarms.push(Alarm::from(finding));
        let tally = self.by_game.entry(game.to_owned()).or_default();
        if matches!(finding.code.as_str(), "feed.duplicate" | "feed.reordered") {
            tally.feed += 1;
            return;
        }
        match finding.severity {
            Severity::Info => tally.info += 1,
            Severity::Warn => tally.warn += 1,
            Severity::Critical => tally.critical += 1,
        }
        if finding.severity > Severity::Info {
            let Finding {
                code,
                message,
                table,
                evidence,
                ..
            } = finding;
            let first = || format!("{table} {evidence:?}: {message}");
            self.accuse(game, code, first);
        }
    }

    fn accuse(&mut self, game: &str, code: &str, first: impl FnOnce() -> String) {
        let accused = self.accused.entry((game.to_owned(), code.to_owned()));
        let (count, _) = accused.or_insert_with(|| (0, first()));
        *count += 1;
    }

    fn all(&self) -> Tally {
        let mut all = Tally::default();
        for tally in self.by_game.values() {
            all.rounds += tally.rounds;
            all.events += tally.events;
            all.info += tally.info;
            all.warn += tally.warn;
            all.critical += tally.critical;
            all.unread += tally.unread;
            all.again += tally.again;
            all.feed += tally.feed;
        }
        all
    }

    fn print(&self) {
        let heads = [
            "game", "rounds", "events", "info", "warn", "critical", "unread", "again", "feed",
        ];
        let [game, numbers @ ..] = heads;
        print!("{game:<40}");
        numbers.iter().for_each(|head| print!("{head:>11}"));
        println!();
        let all = self.all();
        let lines = self
            .by_game
            .iter()
            .map(|(game, tally)| (game.as_str(), tally));
        for (game, tally) in lines.chain([("all", &all)]) {
            print!("{game:<40}");
            let Tally {
                rounds,
                events,
                info,
                warn,
                critical,
                unread,
                again,
                feed,
            } = tally;
            for number in [rounds, events, info, warn, critical, unread, again, feed] {
                print!("{number:>11}");
            }
            println!();
        }
    }

    /// Names what an honest floor is accused of. Is it nothing?
    fn acquit(&self) -> bool {
        for ((game, code), (count, first)) in &self.accused {
            println!("{game} {code} {count} times, first {first}");
        }
        let all = self.all();
        self.accused.is_empty() && all.again == all.feed
    }
}

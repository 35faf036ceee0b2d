//! All tables of the floor on one clock.

use std::collections::BTreeSet;
use std::sync::Arc;

use catwalk_events::{Event, Timestamp};
use catwalk_rules::book::BookError;
use catwalk_rules::{Refusal, Rulebook};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::cage::{self, Cage};
use crate::fault::{FaultKind, Label};
use crate::games::{self, GAMES};
use crate::meters::Meters;
use crate::scenario::{DEFAULT_STRENGTH_PER_MILLE, Order, Orders};
use crate::table::{DAY, House, Noises, Stakes, StakesError, Table};

/// 2026-11-15T11:00:00Z, the hour at which the simulated day begins.
const OPENING_MICROS: i64 = 1_794_740_400_000_000;

/// The random numbers of a table's noise, beside those of its play.
const NOISE_STREAMS: u64 = 1 << 32;

#[derive(Debug, thiserror::Error)]
pub enum FloorError {
    #[error("{name:?} is not a game that the floor can play; it plays {known}", known = GAMES.join(", "))]
    UnknownGame { name: String },
    #[error("a floor needs at least one table")]
    NoTables,
    #[error("a fault is ordered at table {table}, which this floor does not have: it has {known}")]
    UnknownTable { table: String, known: String },
    #[error(transparent)]
    Rules(#[from] BookError),
    #[error(transparent)]
    Stakes(#[from] StakesError),
    #[error("the floor dealt a round of {game} that cannot be settled: {refusal}")]
    Refused {
        game: &'static str,
        refusal: Refusal,
    },
}

/// What to simulate.
#[derive(Clone, Debug)]
pub struct Config {
    pub seed: u64,
    pub tables: usize,
    /// Rounds in all.
    pub rounds: u64,
    /// The floor plays for so many days at most.
    pub days: Option<u32>,
    /// All that the floor can play if empty.
    pub games: Vec<String>,
    /// Of a thousand rounds, so many have a fault.
    pub faults_per_mille: u32,
    /// The faults to choose from; all that are found for certain if empty.
    pub fault_kinds: Vec<FaultKind>,
    /// Faults at tables and rounds of their own.
    pub orders: Vec<Order>,
    /// Of a thousand rounds, so many have honest noise: chips that are misread, payments that are put right,
    /// disputes, hands that are called off, devices that send again or late. None on a quiet floor.
    pub noise_per_mille: u32,
    /// From the end of a round to the next: fewer rounds make a longer month.
    pub pause_seconds: u32,
    pub property: String,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            seed: 1,
            tables: 4,
            rounds: 100,
            days: None,
            games: Vec::new(),
            faults_per_mille: 0,
            fault_kinds: Vec::new(),
            orders: Vec::new(),
            noise_per_mille: 0,
            pause_seconds: 20,
            property: "ebh".into(),
        }
    }
}

/// The next thing that comes from the floor.
#[derive(Debug)]
pub enum Happening {
    Event(Box<Event>),
    /// An event that is damaged on its way: who writes it sends [`garble`](crate::garble) of what it would
    /// have been.
    Garbled(Box<Event>),
    /// A fault that the events until now contain.
    Fault(Box<Label>),
    /// The document of the round that was just dealt, for tests that hold it against its events.
    Round(Box<Value>),
}

/// A floor at play: an iterator over what happens.
pub struct Floor {
    rulebook: Arc<Rulebook>,
    config: Config,
    rng: ChaCha8Rng,
    tables: Vec<Table>,
    /// How far each table has dealt, the one behind first.
    clocks: BTreeSet<(i64, usize)>,
    /// The tables with events to send, by the first of each.
    waiting: BTreeSet<(Timestamp, usize)>,
    rounds_left: u64,
    orders: Orders,
    meters: Meters,
    /// A house that plays for days has one.
    cage: Option<Cage>,
    last_at: i64,
    closed: bool,
    pending: Vec<Happening>,
}

impl Floor {
    /// A floor under the rules that are compiled in.
    pub fn open(config: Config) -> Result<Floor, FloorError> {
        Floor::under(Arc::new(Rulebook::load()?), config)
    }

    /// The same under rules that are loaded already.
    pub fn under(rulebook: Arc<Rulebook>, config: Config) -> Result<Floor, FloorError> {
        if config.tables == 0 {
            return Err(FloorError::NoTables);
        }
        let mut tables = open_tables(&rulebook, &config)?;
        let orders = Orders::new(&config.orders);
        let known: Vec<&str> = tables.iter().map(Table::name).collect();
        if let Some(table) = orders.lost(&known) {
            return Err(FloorError::UnknownTable {
                table: table.to_owned(),
                known: known.join(", "),
            });
        }
        let cage = config.days.map(|_| cage::NAME);
        let known: Vec<String> = known.into_iter().chain(cage).map(str::to_owned).collect();
        let editions: BTreeSet<&str> = tables.iter().map(Table::edition).collect();
        let editions = editions.into_iter().map(str::to_owned).collect();
        tables[0].register(known, editions);
        let mut floor = Floor {
            cage: Cage::of(&config, OPENING_MICROS),
            last_at: OPENING_MICROS,
            orders,
            meters: Meters::default(),
            rulebook,
            rng: ChaCha8Rng::seed_from_u64(config.seed),
            rounds_left: config.rounds,
            tables,
            clocks: BTreeSet::new(),
            waiting: BTreeSet::new(),
            closed: false,
            pending: Vec::new(),
            config,
        };
        (0..floor.tables.len()).for_each(|at| floor.take_in(at));
        Ok(floor)
    }

    /// Takes a table out of the order of the others, to play at it.
    fn take_out(&mut self, at: usize) {
        let table = &self.tables[at];
        self.clocks.remove(&(table.clock(), at));
        if let Some(next) = table.next_at() {
            self.waiting.remove(&(next, at));
        }
    }

    /// Puts it back in its new place.
    fn take_in(&mut self, at: usize) {
        let table = &self.tables[at];
        self.clocks.insert((table.clock(), at));
        if let Some(next) = table.next_at() {
            self.waiting.insert((next, at));
        }
    }

    /// Deals at the table whose clock is behind, or closes all tables when every round was played.
    fn go_on(&mut self) -> Result<bool, FloorError> {
        if !self.is_over() {
            let by_chance = self.next_fault();
            let Some(&(_, at)) = self.clocks.first() else {
                return Ok(false);
            };
            self.take_out(at);
            let played = self.play(at, by_chance);
            self.take_in(at);
            return played.map(|()| true);
        }
        if !std::mem::replace(&mut self.closed, true) {
            for at in 0..self.tables.len() {
                self.take_out(at);
                self.tables[at].end();
                self.take_in(at);
                self.collect_labels(at);
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// A round at a table, if it has not closed for the night.
    fn play(&mut self, at: usize, by_chance: Option<FaultKind>) -> Result<(), FloorError> {
        let table = &mut self.tables[at];
        if !table.keep_time() {
            return Ok(());
        }
        table.tell_meters(&mut self.meters);
        self.rounds_left -= 1;
        let round = table.rounds() + 1;
        let ordered = self.orders.due(table.name(), round);
        let (fault, per_mille) = match ordered {
            Some((kind, per_mille)) => (Some(kind), per_mille),
            None => (by_chance, DEFAULT_STRENGTH_PER_MILLE),
        };
        let fault = fault.filter(|kind| *kind != FaultKind::UnevenTables || self.has_neighbour(at));
        let table = &mut self.tables[at];
        table.play(&self.rulebook, &mut self.meters, fault, per_mille)?;
        let document = table.last_document.take();
        self.pending
            .extend(document.map(|document| Happening::Round(Box::new(document))));
        if let Some((kind, _)) = ordered.filter(|(kind, _)| table.accepted == Some(*kind)) {
            self.orders.done(table.name(), round, kind);
        }
        self.collect_labels(at);
        self.look_around(at);
        Ok(())
    }

    /// Is there a table that this one has to agree with, and do all that there are agree?
    fn has_neighbour(&self, at: usize) -> bool {
        let Some(kinship) = self.tables[at].kinship() else {
            return false;
        };
        let mut kin = self
            .tables
            .iter()
            .filter(|table| table.kinship().as_ref() == Some(&kinship));
        let others = kin.clone().count() > 1;
        others && kin.all(Table::is_even)
    }

    /// The round of a table shows which of its neighbours differs.
    fn look_around(&mut self, at: usize) {
        let table = &self.tables[at];
        if !table.was_honest {
            return;
        }
        let opened_at = table.last_opened;
        for other in 0..self.tables.len() {
            let is_its = other != at && self.tables[other].is_uneven();
            if is_its && self.tables[other].kinship() == self.tables[at].kinship() {
                self.tables[other].witness(opened_at);
                self.collect_labels(other);
            }
        }
    }

    fn collect_labels(&mut self, at: usize) {
        let labels = self.tables[at].labels.drain(..);
        let labels = labels.map(|label| Happening::Fault(Box::new(label)));
        self.pending.extend(labels);
    }

    /// Was every round played, or every day?
    fn is_over(&self) -> bool {
        let behind = self.clocks.first().map(|(clock, _)| *clock);
        let is_past = |days: u32| {
            let end = OPENING_MICROS + i64::from(days) * DAY;
            behind.is_none_or(|clock| clock >= end)
        };
        self.rounds_left == 0 || self.config.days.is_some_and(is_past)
    }

    fn next_fault(&mut self) -> Option<FaultKind> {
        if self.rng.random_range(0..1000) >= self.config.faults_per_mille {
            return None;
        }
        let kinds: &[FaultKind] = match self.config.fault_kinds.as_slice() {
            [] => &FaultKind::CERTAIN,
            chosen => chosen,
        };
        Some(kinds[self.rng.random_range(0..kinds.len())])
    }

    /// The earliest event that no table can precede any more.
    fn ready(&mut self) -> Option<Happening> {
        if let Some(told) = self.ask_cage() {
            return Some(Happening::Event(Box::new(told)));
        }
        let (_, at) = self.waiting.pop_first()?;
        let table = &mut self.tables[at];
        let event = table.outbox.pop_front()?;
        if let Some(next) = table.next_at() {
            self.waiting.insert((next, at));
        }
        self.last_at = event.at.micros();
        if let Some(cage) = &mut self.cage {
            cage.see(&event);
        }
        let event = Box::new(event);
        Some(match table.is_garbled(&event) {
            true => Happening::Garbled(event),
            false => Happening::Event(event),
        })
    }

    /// What the cage tells before the next event of a table, or after the last of all.
    fn ask_cage(&mut self) -> Option<Event> {
        let cage = self.cage.as_mut()?;
        match self.waiting.first() {
            Some((next, _)) => cage.before(*next),
            None if self.closed => cage.last(self.last_at),
            None => None,
        }
    }

    /// True while some table has not dealt as far as the earliest event waits.
    fn must_deal(&self) -> bool {
        match (self.waiting.first(), self.clocks.first()) {
            (Some((at, _)), Some((clock, _))) => *clock < at.micros(),
            _ => true,
        }
    }
}

/// The tables of a floor, each with its chance.
fn open_tables(rulebook: &Rulebook, config: &Config) -> Result<Vec<Table>, FloorError> {
    let names: Vec<&str> = match config.games.as_slice() {
        [] => GAMES.to_vec(),
        chosen => chosen.iter().map(String::as_str).collect(),
    };
    let house = House {
        property: &config.property,
        rulebook,
        stakes: &Stakes::load()?,
        seed: config.seed,
        pause: i64::from(config.pause_seconds) * 1_000_000,
    };
    let mut tables = Vec::with_capacity(config.tables);
    for number in 1..=config.tables {
        let name = names[(number - 1) % names.len()];
        let unknown = || FloorError::UnknownGame {
            name: name.to_owned(),
        };
        let known = GAMES
            .into_iter()
            .find(|game| *game == name)
            .ok_or_else(unknown)?;
        let game = games::game(known).ok_or_else(unknown)?;
        let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
        rng.set_stream(number as u64);
        let mut noise = ChaCha8Rng::seed_from_u64(config.seed);
        noise.set_stream(NOISE_STREAMS + number as u64);
        let clock = OPENING_MICROS + number as i64 * 1_700_000;
        tables.push(Table::open(
            &house,
            number,
            known,
            game,
            rng,
            Noises::new(config.noise_per_mille, noise),
            clock,
        ));
    }
    Ok(tables)
}

impl Iterator for Floor {
    type Item = Result<Happening, FloorError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(happening) = self.pending.pop() {
                return Some(Ok(happening));
            }
            if (self.closed || !self.must_deal())
                && let Some(happening) = self.ready()
            {
                return Some(Ok(happening));
            }
            match self.go_on() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl std::fmt::Debug for Floor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Floor")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

//! `catwalk check`: is this feed what the schema and its own sequence promise?

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufWriter, Write};
use std::path::PathBuf;

use catwalk_events::{Body, Event, Timestamp, json};

use crate::{Verdict, input};

/// Check a feed against the schema and its own sequence: a line per problem.
///
/// For vendors of table devices: every event must be readable, its sequence number must follow the one
/// before it at the same table, its clock must not run back, its id must be new, and a round must be
/// open while things happen in it.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk check floor.jsonl\n  tail -f device.log | catwalk check -"
)]
pub(crate) struct Args {
    /// File of events, one JSON object a line. Standard input if left out or "-".
    file: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut checker = Checker::default();
    let (mut events, mut problems) = (0u64, 0u64);
    input::open(args.file.as_deref(), "checking")?.read(|input| {
        for (number, line) in (1u64..).zip(input.lines()) {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            events += 1;
            let found = match json::read(&line) {
                Ok(event) => checker.check(&event),
                Err(refusal) => vec![refusal.to_string()],
            };
            problems += found.len() as u64;
            for problem in found {
                writeln!(out, "line {number}: {problem}")?;
            }
        }
        Ok(())
    })?;
    out.flush()?;
    if problems == 0 {
        eprintln!(
            "catwalk: {events} events of {} tables, no problem",
            checker.tables.len()
        );
        return Ok(Verdict::Fine);
    }
    eprintln!("catwalk: {problems} problems in {events} events");
    Ok(Verdict::FoundWrong)
}

/// So many ids are remembered per table, to find one that is used twice.
const IDS_REMEMBERED: usize = 4_096;

/// Holds each event of a feed against those before it at its table.
#[derive(Default)]
pub(crate) struct Checker {
    tables: BTreeMap<(String, String), TableFeed>,
}

#[derive(Default)]
struct TableFeed {
    last: Option<(u64, Timestamp)>,
    is_open: bool,
    rounds: BTreeMap<String, BTreeSet<String>>,
    ids: BTreeSet<String>,
    id_order: std::collections::VecDeque<String>,
}

impl Checker {
    /// What is wrong with the next event.
    pub(crate) fn check(&mut self, event: &Event) -> Vec<String> {
        let feed = self
            .tables
            .entry((event.property.clone(), event.table.clone()))
            .or_default();
        let mut problems = Vec::new();
        feed.check_sequence(event, &mut problems);
        feed.check_id(event, &mut problems);
        feed.check_place(event, &mut problems);
        problems
    }
}

impl TableFeed {
    fn check_sequence(&mut self, event: &Event, problems: &mut Vec<String>) {
        let (table, seq) = (&event.table, event.seq);
        if let Some((last, at)) = self.last {
            match seq {
                _ if seq == last.saturating_add(1) => {}
                _ if seq > last => {
                    problems.push(format!("{table}: seq {last} is followed by {seq}"))
                }
                _ if seq == last => problems.push(format!("{table}: seq {seq} is repeated")),
                _ => problems.push(format!("{table}: seq steps back from {last} to {seq}")),
            }
            if event.at < at && seq > last {
                problems.push(format!(
                    "{table}: the clock runs back from {at} to {}",
                    event.at
                ));
            }
        }
        if self.last.is_none_or(|(last, _)| seq > last) {
            self.last = Some((seq, event.at));
        }
    }

    fn check_id(&mut self, event: &Event, problems: &mut Vec<String>) {
        if !self.ids.insert(event.id.clone()) {
            problems.push(format!("{}: id {:?} is used twice", event.table, event.id));
            return;
        }
        self.id_order.push_back(event.id.clone());
        if self.id_order.len() > IDS_REMEMBERED
            && let Some(oldest) = self.id_order.pop_front()
        {
            self.ids.remove(&oldest);
        }
    }

    /// Does the event stand where it can: an open table, an open round, a wager that was placed?
    fn check_place(&mut self, event: &Event, problems: &mut Vec<String>) {
        let table = &event.table;
        let name = event.body.type_name();
        match &event.body {
            Body::TableOpened(_) => self.is_open = true,
            Body::TableClosed(_) => self.is_open = false,
            Body::RoundOpened(_) => {
                let Some(round) = &event.round else {
                    return problems.push(format!("{table}: round_opened needs its round"));
                };
                if !self.is_open {
                    problems.push(format!(
                        "{table}: round {round} opens at a table that is not open"
                    ));
                }
                if self.rounds.insert(round.clone(), BTreeSet::new()).is_some() {
                    problems.push(format!("{table}: round {round} is open already"));
                }
            }
            body if of_round(body) => {
                let open = event
                    .round
                    .as_ref()
                    .and_then(|round| self.rounds.get_mut(round));
                let Some(wagers) = open else {
                    let round = event.round.as_deref().unwrap_or("none");
                    return problems.push(format!(
                        "{table}: {name} in round {round}, which is not open"
                    ));
                };
                if let Body::WagerPlaced(placed) = body
                    && !wagers.insert(placed.wager.clone())
                {
                    problems.push(format!("{table}: wager {:?} is placed twice", placed.wager));
                }
                if let Some(wager) = wager_of(body)
                    && !wagers.contains(wager)
                {
                    problems.push(format!(
                        "{table}: {name} names wager {wager:?}, which was not placed"
                    ));
                }
                if matches!(body, Body::RoundClosed(_) | Body::RoundVoided(_))
                    && let Some(round) = &event.round
                {
                    self.rounds.remove(round);
                }
            }
            _ => {}
        }
    }
}

/// Events that mean something only within a round.
fn of_round(body: &Body) -> bool {
    matches!(
        body,
        Body::WagerPlaced(_)
            | Body::WagerChanged(_)
            | Body::WagerRemoved(_)
            | Body::BettingClosed(_)
            | Body::CardDealt(_)
            | Body::CardRevealed(_)
            | Body::DiceRolled(_)
            | Body::WheelSpun(_)
            | Body::TilesDealt(_)
            | Body::Decision(_)
            | Body::HandSet(_)
            | Body::WagerPaid(_)
            | Body::WagerCollected(_)
            | Body::WagerPushed(_)
            | Body::PotAwarded(_)
            | Body::RoundClosed(_)
            | Body::RoundVoided(_)
    )
}

/// The wager that an event is about, where it must have been placed before.
fn wager_of(body: &Body) -> Option<&str> {
    match body {
        Body::WagerChanged(changed) => Some(&changed.wager),
        Body::WagerRemoved(removed) => Some(&removed.wager),
        Body::WagerPaid(paid) => Some(&paid.wager),
        Body::WagerCollected(collected) => Some(&collected.wager),
        Body::WagerPushed(pushed) => Some(&pushed.wager),
        _ => None,
    }
}

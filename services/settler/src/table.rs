//! A table: the rules in force, who deals, and the rounds that are open.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, TableOpened, WagerChanged, WagerPlaced};
use catwalk_events::{Event, Json, PostedLimit, Timestamp};
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::finding::Finding;
use crate::games::{self, Folder};
use crate::judge;
use crate::round::{MAIN_WINDOW, MAX_PLAY_EVENTS, RoundFold, WagerFold};
use crate::sequence::{Sequence, Step};
use crate::settler::{Laws, Output, Unread};
use crate::watch::{self, Watch};

/// So many rounds may be open at a table at once; the oldest is given up for one more.
pub(crate) const MAX_OPEN_ROUNDS: usize = 16;

/// The rules of a table at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesInForce {
    pub game: String,
    pub edition: String,
    pub options: Json,
    pub limits: Vec<PostedLimit>,
}

impl RulesInForce {
    pub(crate) fn of(opened: &TableOpened) -> RulesInForce {
        RulesInForce {
            game: opened.game.clone(),
            edition: opened.edition.clone(),
            options: opened.options.clone(),
            limits: opened.limits.clone(),
        }
    }

    /// An option that the table posted; `None` where it has the default.
    pub(crate) fn option(&self, key: &str) -> Option<Value> {
        self.options.value().get_mut(key).map(Value::take)
    }
}

/// Everything that is kept of a table between two events.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Table {
    property: String,
    table: String,
    sequence: Sequence,
    rules: Option<RulesInForce>,
    is_open: bool,
    dealer: Option<String>,
    rounds: BTreeMap<String, RoundFold>,
    watch: Watch,
}

impl Table {
    pub(crate) fn new(event: &Event) -> Table {
        Table {
            property: event.property.clone(),
            table: event.table.clone(),
            sequence: Sequence::default(),
            rules: None,
            is_open: false,
            dealer: None,
            rounds: BTreeMap::new(),
            watch: Watch::default(),
        }
    }

    /// Takes an event as the feed brings it.
    pub(crate) fn receive(&mut self, event: Event, laws: &Laws, out: &mut Vec<Output>) {
        let at = event.at;
        let steps = self.sequence.receive(event);
        self.follow(steps, at, laws, out);
    }

    /// The feed has ended: what waited for a missing event goes on without it.
    pub(crate) fn finish(&mut self, laws: &Laws, out: &mut Vec<Output>) {
        let steps = self.sequence.finish();
        let at = steps.iter().find_map(|step| match step {
            Step::Ready(event) => Some(event.at),
            _ => None,
        });
        if let Some(at) = at {
            self.follow(steps, at, laws, out);
        }
    }

    fn follow(&mut self, steps: Vec<Step>, at: Timestamp, laws: &Laws, out: &mut Vec<Output>) {
        for step in steps {
            match step {
                Step::Ready(event) => self.fold(*event, laws, out),
                Step::Repeat(event) => {
                    let message = format!("Event {} was sent again", event.seq);
                    self.feed_finding("feed.duplicate", at, vec![event.seq], message, out);
                }
                Step::Late { seq, after } => {
                    let message = format!("Event {seq} came after event {after}");
                    self.feed_finding("feed.reordered", at, vec![seq, after], message, out);
                }
                Step::Gap { from, to } => {
                    let message = match to - from {
                        0 => format!("Event {from} never came"),
                        _ => format!("Events {from} to {to} never came"),
                    };
                    self.feed_finding("feed.gap", at, vec![from, to], message, out);
                    self.rounds
                        .values_mut()
                        .for_each(|round| round.incomplete = true);
                }
                Step::TooLate(event) => {
                    let message = format!("Event {} came after it had been given up", event.seq);
                    self.feed_finding("feed.reordered", at, vec![event.seq], message.clone(), out);
                    out.push(Output::Unread(Unread {
                        event,
                        reason: message,
                    }));
                }
            }
        }
    }

    /// Takes an event whose turn it is.
    fn fold(&mut self, event: Event, laws: &Laws, out: &mut Vec<Output>) {
        self.show(&event, laws, out);
        match &event.body {
            Body::TableOpened(opened) => {
                self.rules = Some(RulesInForce::of(opened));
                self.dealer = Some(opened.dealer.clone());
                self.is_open = true;
            }
            Body::TableClosed(_) => self.is_open = false,
            Body::DealerChanged(changed) => self.dealer = Some(changed.dealer.clone()),
            Body::RulesChanged(changed) => {
                if let Some(rules) = &mut self.rules {
                    rules.edition.clone_from(&changed.edition);
                    rules.options = changed.options.clone();
                }
            }
            Body::LimitsChanged(changed) => {
                if let Some(rules) = &mut self.rules {
                    rules.limits.clone_from(&changed.limits);
                }
            }
            _ if event.round.is_some() => self.fold_round(event, laws, out),
            _ => {}
        }
    }

    /// Shows the event to the watchers, before it changes anything.
    fn show(&mut self, event: &Event, laws: &Laws, out: &mut Vec<Output>) {
        let floor = watch::Floor {
            equipment: &laws.equipment,
            rulebook: &laws.rulebook,
            rules: self.rules.as_ref(),
            is_open: self.is_open,
        };
        let sightings = self.watch.see(event, &floor);
        for sighting in sightings {
            let round = event.round.as_ref().and_then(|id| self.rounds.get_mut(id));
            if let Some(round) = round {
                round.raised.push(sighting.code.to_owned());
            }
            let filed = laws.equipment.finding(sighting.code);
            let severity = filed.map_or(Severity::Warn, |filed| filed.severity);
            let game = match &event.body {
                Body::TableOpened(opened) => Some(opened.game.clone()),
                _ => self.rules.as_ref().map(|rules| rules.game.clone()),
            };
            let finding = Finding {
                severity: if sighting.in_time {
                    severity.min(Severity::Warn)
                } else {
                    severity
                },
                game,
                round: event.round.clone(),
                seat: sighting.seat,
                cites: filed.map(|filed| filed.cite.clone()).into_iter().collect(),
                ..self.finding(sighting.code, event.at, sighting.evidence, sighting.message)
            };
            out.push(Output::Finding(Box::new(finding.seal())));
        }
    }

    fn fold_round(&mut self, event: Event, laws: &Laws, out: &mut Vec<Output>) {
        let Some(id) = event.round.clone() else {
            return;
        };
        if matches!(event.body, Body::RoundOpened(_)) {
            return self.open_round(event, id, out);
        }
        let Some(round) = self.rounds.get_mut(&id) else {
            let reason = format!("round {id} is not open at this table");
            return out.push(Output::Unread(Unread {
                event: Box::new(event),
                reason,
            }));
        };
        let folder = games::folder(&round.rules.game);
        let mut findings = Vec::new();
        let seq = event.seq;
        match event.body {
            Body::WagerPlaced(placed) => place(round, folder, &placed, seq, &mut findings),
            Body::WagerChanged(changed) => change(round, folder, &changed, seq, &mut findings),
            Body::WagerRemoved(removed) => {
                remove(round, folder, &removed.wager, seq, &mut findings);
            }
            Body::BettingClosed(closed) => {
                close(
                    round,
                    closed.window.as_deref().unwrap_or(MAIN_WINDOW),
                    seq,
                    &mut findings,
                );
            }
            Body::WagerPaid(paid) => touch(round, &paid.wager, seq, |wager| {
                wager.paid += paid.amount;
                wager.commission += paid.commission.unwrap_or_default();
            }),
            Body::JackpotPaid(paid) => {
                touch(round, &paid.wager, seq, |wager| wager.paid += paid.amount);
            }
            Body::WagerCollected(collected) => touch(round, &collected.wager, seq, |wager| {
                wager.collected = Some(collected.amount);
            }),
            Body::WagerPushed(pushed) => {
                touch(round, &pushed.wager, seq, |wager| {
                    wager.pushed = Some(pushed.amount)
                });
            }
            Body::CommissionCollected(commission) => {
                touch(round, &commission.wager, seq, |wager| {
                    wager.commission += commission.amount;
                });
            }
            Body::RoundClosed(_) | Body::RoundVoided(_) => {
                let voided = matches!(event.body, Body::RoundVoided(_));
                if let Some(round) = self.rounds.remove(&id) {
                    let table = judge::Bench {
                        property: &self.property,
                        table: &self.table,
                    };
                    judge::judge(table, round, voided, (seq, event.at), laws, out);
                }
                return;
            }
            body => {
                if folder.is_some_and(|folder| folder.closes_betting(&body)) {
                    close(round, MAIN_WINDOW, seq, &mut findings);
                }
                if round.play.len() < MAX_PLAY_EVENTS {
                    round.play.push((seq, body));
                } else {
                    round.incomplete = true;
                }
            }
        }
        for fault in findings {
            round.raised.push(fault.code.to_owned());
            let bench = judge::Bench {
                property: &self.property,
                table: &self.table,
            };
            let finding = fault.into_finding(&bench, round, event.at, laws);
            out.push(Output::Finding(Box::new(finding)));
        }
    }

    fn open_round(&mut self, event: Event, id: String, out: &mut Vec<Output>) {
        let Some(rules) = self.rules.clone() else {
            let reason = "a round at a table that was never opened".to_owned();
            return out.push(Output::Unread(Unread {
                event: Box::new(event),
                reason,
            }));
        };
        if self.rounds.len() >= MAX_OPEN_ROUNDS
            && let Some(oldest) = self.rounds.values().min_by_key(|round| round.opened_seq)
        {
            let (oldest, opened) = (oldest.id.clone(), oldest.opened_seq);
            let message = format!("Round {oldest} was never closed and is given up");
            self.feed_finding(
                "round.abandoned",
                event.at,
                vec![opened, event.seq],
                message,
                out,
            );
            self.rounds.remove(&oldest);
        }
        let round = RoundFold::open(&event, &id, rules, self.dealer.clone());
        self.rounds.insert(id, round);
    }

    fn feed_finding(
        &self,
        code: &str,
        at: Timestamp,
        evidence: Vec<u64>,
        message: String,
        out: &mut Vec<Output>,
    ) {
        out.push(Output::Finding(Box::new(
            self.finding(code, at, evidence, message).seal(),
        )));
    }

    /// A finding about the table, not yet sealed.
    fn finding(&self, code: &str, at: Timestamp, evidence: Vec<u64>, message: String) -> Finding {
        Finding {
            id: String::new(),
            code: code.to_owned(),
            severity: Severity::Warn,
            property: self.property.clone(),
            table: self.table.clone(),
            game: self.rules.as_ref().map(|rules| rules.game.clone()),
            round: None,
            wager: None,
            seat: None,
            dealer: self.dealer.clone(),
            at,
            due: None,
            paid: None,
            exposure: Cents::ZERO,
            message,
            cites: Vec::new(),
            evidence,
            rules: None,
        }
    }
}

/// A fault of a wager, known before the round ends.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) code: &'static str,
    pub(crate) wager: String,
    pub(crate) exposure: Cents,
    pub(crate) message: String,
    pub(crate) evidence: Vec<u64>,
}

fn is_closed(round: &RoundFold, folder: Option<&dyn Folder>, kind: &str) -> bool {
    let window = folder.map_or(Some(MAIN_WINDOW), |folder| folder.window(kind));
    window.is_some_and(|window| round.is_closed(window))
}

fn place(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    placed: &WagerPlaced,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    let late = is_closed(round, folder, &placed.kind);
    if late {
        faults.push(Fault {
            code: "wager.late",
            wager: placed.wager.clone(),
            exposure: Cents::ZERO,
            message: format!(
                "{} on {} was made after betting had closed",
                placed.amount, placed.kind
            ),
            evidence: vec![seq],
        });
    }
    round.wagers.push(WagerFold::new(placed, seq, late));
}

/// A stake that is raised or lowered after the cut-off does not count as changed.
fn change(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    changed: &WagerChanged,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    let closed = round
        .wager(&changed.wager)
        .is_some_and(|wager| is_closed(round, folder, &wager.kind));
    let Some(wager) = round.wager_mut(&changed.wager) else {
        return;
    };
    wager.evidence.push(seq);
    let (before, after) = (wager.amount, changed.amount);
    if !closed {
        wager.amount = after;
    } else if before != after {
        let raised = after > before;
        faults.push(Fault {
            code: if raised {
                "wager.capped"
            } else {
                "wager.pinched"
            },
            wager: wager.id.clone(),
            exposure: Cents::ZERO,
            message: format!(
                "{} on {} was {} to {after} after betting had closed",
                before,
                wager.kind,
                if raised { "raised" } else { "lowered" }
            ),
            evidence: wager.evidence.clone(),
        });
    }
}

fn remove(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    id: &str,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    let closed = round
        .wager(id)
        .is_some_and(|wager| is_closed(round, folder, &wager.kind));
    if !closed {
        return round.wagers.retain(|wager| wager.id != id);
    }
    touch(round, id, seq, |wager| {
        faults.push(Fault {
            code: "wager.pinched",
            wager: wager.id.clone(),
            exposure: Cents::ZERO,
            message: format!(
                "{} on {} was taken back after betting had closed",
                wager.amount, wager.kind
            ),
            evidence: wager.evidence.clone(),
        });
    });
}

/// Closes a window; with the main one, stakes are held against the posted limits.
fn close(round: &mut RoundFold, window: &str, seq: u64, faults: &mut Vec<Fault>) {
    if round.is_closed(window) {
        return;
    }
    round.close_window(window);
    if window != MAIN_WINDOW {
        return;
    }
    for wager in &round.wagers {
        let Some(limit) = round
            .rules
            .limits
            .iter()
            .find(|limit| limit.kind == wager.kind)
        else {
            continue;
        };
        if limit
            .increment
            .is_some_and(|step| !wager.amount.is_multiple_of(step))
        {
            let step = limit.increment.unwrap_or_default();
            faults.push(Fault {
                code: "wager.increment",
                wager: wager.id.clone(),
                exposure: Cents::ZERO,
                message: format!(
                    "{} on {} is no multiple of {step}",
                    wager.amount, wager.kind
                ),
                evidence: [wager.evidence.as_slice(), &[seq]].concat(),
            });
        }
        let (code, word, bound) = match wager.amount {
            amount if amount < limit.min => ("wager.under_min", "below the minimum", limit.min),
            amount if amount > limit.max => ("wager.over_max", "above the maximum", limit.max),
            _ => continue,
        };
        faults.push(Fault {
            code,
            wager: wager.id.clone(),
            exposure: Cents::ZERO,
            message: format!("{} on {} is {word} of {bound}", wager.amount, wager.kind),
            evidence: [wager.evidence.as_slice(), &[seq]].concat(),
        });
    }
}

fn touch(round: &mut RoundFold, id: &str, seq: u64, act: impl FnOnce(&mut WagerFold)) {
    if let Some(wager) = round.wager_mut(id) {
        wager.evidence.push(seq);
        act(wager);
    }
}

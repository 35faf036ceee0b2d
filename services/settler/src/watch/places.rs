//! Where and under what rules a table plays: open, authorized, at positions that it has.

use catwalk_events::Event;
use catwalk_events::body::{Body, WagerPlaced};
use serde::{Deserialize, Serialize};

use super::{AtTable, Sighting, posting};
use crate::games::rules_options;
use crate::table::RulesInForce;

/// Positions of one opening, and the seats that were reported in the open rounds.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Places {
    /// As the table's own opening says.
    positions: Option<u32>,
    /// A field trial plays what no rulebook has yet.
    pub(super) trial: bool,
    reported: Vec<(String, u32)>,
    /// Events are missing: the table may have opened again.
    blind: bool,
}

/// The boxes of the layout, as the table posts them or as its text has them otherwise.
const BOXES: &str = "boxes";
/// So many reported seats are kept, the oldest first to go.
const MAX_REPORTED: usize = 256;

impl Places {
    pub(super) fn lose(&mut self) {
        self.blind = true;
    }

    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        let seq = event.seq;
        match &event.body {
            Body::TableClosed(_) => self.blind = false,
            Body::TableOpened(opened) => {
                self.blind = false;
                self.positions = opened.positions;
                self.trial = opened.trial == Some(true);
                if !self.trial {
                    let posted = RulesInForce::of(opened, table.rulebook);
                    let is_known = table.is_open && table.rules == Some(&posted);
                    check_rules(&posted, is_known, table, seq, seen);
                }
            }
            Body::RulesChanged(changed) => {
                if let Some(rules) = table.rules.filter(|_| !self.trial) {
                    let rules = rules.changed(changed, table.rulebook);
                    let is_known = table.rules == Some(&rules);
                    check_rules(&rules, is_known, table, seq, seen);
                }
            }
            Body::LimitsChanged(changed) => {
                if let Some(before) = table.rules.filter(|_| !self.trial) {
                    let after = RulesInForce {
                        limits: changed.limits.clone(),
                        ..before.clone()
                    };
                    let faults = posting::faults_of_limits(table.rulebook, (before, &after), seq);
                    seen.extend(faults);
                }
            }
            // A table whose opening nobody told of is not closed.
            Body::RoundOpened(_) if !table.is_open && table.rules.is_some() && !self.blind => {
                let round = event.round.as_deref().unwrap_or("A round");
                let message = format!("{round} was dealt at a closed table");
                seen.push(Sighting::new("table.not_open", vec![seq], message));
            }
            Body::WagerPlaced(placed) => self.place(placed, event, table, seen),
            _ => {}
        }
    }

    /// A wager is made at a position that the table has.
    fn place(
        &mut self,
        placed: &WagerPlaced,
        event: &Event,
        table: &AtTable<'_>,
        seen: &mut Vec<Sighting>,
    ) {
        let Some(rules) = table.rules else { return };
        let boxes = match rules.known_edition() {
            Some(_) => rules.in_force(BOXES),
            None => rules.option(BOXES),
        };
        let boxes = boxes.and_then(|boxes| boxes.as_u64());
        let boxes = boxes.and_then(|boxes| u32::try_from(boxes).ok());
        let own = self.positions.or(boxes);
        let posted = |key: &str, name: &str| {
            let posted = rules.option(key);
            posted.is_some_and(|posted| posted == name)
        };
        let lawful = table.chapter.positions(&rules.game, &placed.kind, posted);
        let most = own.into_iter().chain(lawful).min();
        let seat = (event.round.clone().unwrap_or_default(), placed.seat);
        if most.is_some_and(|most| placed.seat > most) && !self.reported.contains(&seat) {
            let message = format!(
                "A wager was made at position {}, which the table does not have",
                placed.seat
            );
            let sighting = Sighting::new("table.seat", vec![event.seq], message);
            seen.push(Sighting {
                seat: Some(placed.seat),
                ..sighting
            });
            self.reported.push(seat);
            if self.reported.len() > MAX_REPORTED {
                self.reported.remove(0);
            }
        }
    }
}

/// What is posted has to be authorised, and within its rules. What `is_known` was told of before.
fn check_rules(
    rules: &RulesInForce,
    is_known: bool,
    table: &AtTable<'_>,
    seq: u64,
    seen: &mut Vec<Sighting>,
) {
    let options = rules_options(rules).to_string();
    let authorized = rules
        .game_in(table.rulebook)
        .and_then(|game| game.check_options(rules.posted_edition(), &options));
    if let Err(refusal) = authorized {
        let message = format!("No rulebook authorises what this table plays: {refusal}");
        seen.push(Sighting::new("rules.unauthorized", vec![seq], message));
    }
    if !is_known {
        seen.extend(posting::faults(table.rulebook, rules, seq));
    }
}

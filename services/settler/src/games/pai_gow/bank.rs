//! The player who banks, and whether he may.

use std::collections::{BTreeMap, BTreeSet};

use catwalk_events::body::{Body, Decision};
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::button::Button;
use super::is_ohio;
use super::shaker::Shaker;
use super::stub::Stub;
use crate::games::End;
use crate::games::rotation::goes_round;
use crate::round::{RoundFold, WagerFold};

/// The area that banks the round. Nobody does in Ohio.
pub(super) fn seat(round: &RoundFold) -> Option<u32> {
    let entry = round.wagers.iter().find(|wager| wager.kind == "bank");
    let seat = entry.map(|wager| wager.seat).or(round.opened.banker);
    seat.filter(|_| !is_ohio(&round.rules))
}

pub(super) fn decisions(round: &RoundFold) -> impl Iterator<Item = (u64, &Decision)> {
    round.play.iter().filter_map(|(seq, body)| match body {
        Body::Decision(decision) => Some((*seq, decision)),
        _ => None,
    })
}

/// Alone, or with the house for one half.
pub(super) fn mode(round: &RoundFold) -> &'static str {
    let said = decisions(round).any(|(_, said)| said.action == "co_bank");
    let entry = round.wagers.iter().find(|wager| wager.kind == "bank");
    let detail = entry.and_then(|wager| wager.detail.as_ref());
    let told = detail.is_some_and(|detail| match detail.value() {
        Value::String(word) => word == "co_bank",
        detail => detail["mode"] == "co_bank" || detail["co_bank"] == true,
    });
    if said || told { "co_bank" } else { "bank" }
}

/// 8(c), 10(c): the bank is offered counterclockwise. Where the offer begins depends on rounds of which
/// nobody may have told.
pub(super) fn is_offered_in_turn(round: &RoundFold, taker: u32) -> bool {
    let declined = decisions(round).filter(|(_, said)| said.action == "decline_bank");
    let offered: Vec<u32> = declined.map(|(_, said)| said.seat).chain([taker]).collect();
    goes_round(offered[0].saturating_sub(1), &offered)
}

/// What the rounds since the table opened say about a bank, and when the cards left over were counted.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Past {
    rounds: u32,
    /// Who banked the last round.
    banked: Option<Who>,
    /// Wagers of the last round without a bank, by seat.
    wagered: BTreeMap<u32, (Who, Cents)>,
    /// The last round is not known.
    blind: bool,
    #[serde(default)]
    pub(super) stub: Stub,
    #[serde(default)]
    pub(super) shaker: Shaker,
    #[serde(default)]
    pub(super) button: Button,
    /// Sets of tiles at the table, as far as they were told of.
    #[serde(default)]
    tiles: BTreeSet<String>,
}

/// Sets that are told apart; a table has one, and one in reserve.
const MAX_SETS: usize = 8;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Who {
    seat: u32,
    player: Option<String>,
}

impl Who {
    fn of(wager: &WagerFold) -> Who {
        Who {
            seat: wager.seat,
            player: wager.player.clone(),
        }
    }

    fn is(&self, other: &Who) -> bool {
        match (&self.player, &other.player) {
            (Some(one), Some(other)) => one == other,
            _ => self.seat == other.seat,
        }
    }
}

impl Past {
    /// `play.bank_check`, as far as the table's own rounds tell.
    pub(super) fn check(&self, round: &RoundFold, seat: u32) -> Option<Value> {
        if self.blind {
            return None;
        }
        let entry = round.wagers.iter().find(|wager| wager.kind == "bank");
        let bank = entry.map_or(Who { seat, player: None }, Who::of);
        if self.rounds == 0 {
            return Some(json!({"first_round": true}));
        }
        let again = self.banked.as_ref().is_some_and(|last| last.is(&bank));
        let of_bank = self.wagered.values().filter(|(who, _)| who.is(&bank));
        let staked: Cents = of_bank.map(|(_, amount)| *amount).sum();
        Some(json!({"first_round": false, "banked_last_round": again, "last_wager": staked}))
    }

    /// 8(b): the game starts anew with a set that is laid out when the last one has left.
    pub(super) fn see_tiles(&mut self, body: &Body) {
        match body {
            Body::TilesIntroduced(tiles) if self.tiles.len() < MAX_SETS => {
                self.tiles.insert(tiles.set.clone());
            }
            Body::TilesRemoved(tiles) => {
                let was_there = self.tiles.remove(&tiles.set);
                if was_there && self.tiles.is_empty() {
                    self.rounds = 0;
                }
            }
            _ => {}
        }
    }

    /// Keeps what the round that ended says.
    pub(super) fn follow(&mut self, main: &str, end: &End<'_>) {
        self.rounds = self.rounds.saturating_add(1);
        if end.voided {
            return;
        }
        if end.settlement.is_none() {
            self.blind = true;
            return;
        }
        let round = end.round;
        let Some(seat) = seat(round) else {
            let mains = round
                .wagers
                .iter()
                .filter(|wager| wager.kind == main && !wager.late);
            self.wagered = mains
                .map(|wager| (wager.seat, (Who::of(wager), wager.amount)))
                .collect();
            self.banked = None;
            self.blind = false;
            return;
        };
        let entry = round.wagers.iter().find(|wager| wager.kind == "bank");
        self.banked = Some(entry.map_or(Who { seat, player: None }, Who::of));
    }
}

//! The player who banks, and whether he may.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, Decision};
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::button::Button;
use super::is_ohio;
use super::moved::Moved;
use super::shaker::Shaker;
use super::start::Start;
use super::stub::Stub;
use super::words::is_said;
use crate::games::End;
use crate::games::rotation::goes_round;
use crate::round::{RoundFold, WagerFold};
use crate::standing::Standing;

/// The area that banks the round; not the dealer, whom a feed may name for a round without a bank.
/// Nobody else banks in Ohio.
pub(super) fn seat(round: &RoundFold) -> Option<u32> {
    let entry = round.wagers.iter().find(|wager| wager.kind == "bank");
    let seat = entry.map(|wager| wager.seat).or(round.opened.banker);
    seat.filter(|&seat| seat != 0 && !is_ohio(&round.rules))
}

pub(super) fn decisions(round: &RoundFold) -> impl Iterator<Item = (u64, &Decision)> {
    round.play.iter().filter_map(|(seq, body)| match body {
        Body::Decision(decision) => Some((*seq, decision)),
        _ => None,
    })
}

/// Alone, or with the house for one half.
pub(super) fn mode(round: &RoundFold) -> &'static str {
    let said = decisions(round).any(|(_, said)| is_said(said, "co_bank"));
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
    let declined = decisions(round).filter(|(_, said)| is_said(said, "decline_bank"));
    let offered: Vec<u32> = declined.map(|(_, said)| said.seat).chain([taker]).collect();
    goes_round(offered[0].saturating_sub(1), &offered)
}

/// What the rounds since the table opened say about a bank, and when the cards left over were counted.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Past {
    #[serde(default)]
    pub(super) start: Start,
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
    /// Prizes whose meter was not read since.
    #[serde(default)]
    pub(super) moved: Option<Moved>,
}

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
    /// As it was kept. Where events are missing since, whole rounds may be, and what was done between.
    pub(super) fn of(standing: &Standing) -> Past {
        let mut past: Past = standing.read();
        if standing.is_doubtful() {
            past.blind = true;
            past.stub = Stub::default();
            past.button = Button::default();
            past.moved = None;
            past.shaker.lose();
        }
        past
    }

    /// What is left of it when the table opens.
    pub(super) fn reopened(self) -> Past {
        Past {
            start: self.start.again(),
            ..Past::default()
        }
    }

    /// `play.bank_check`: what the table's own rounds tell, and the chips that the dealer saw.
    pub(super) fn check(&self, round: &RoundFold, seat: u32) -> Option<Value> {
        let entry = round.wagers.iter().find(|wager| wager.kind == "bank");
        let bank = entry.map_or(Who { seat, player: None }, Who::of);
        let mut check = match self.blind {
            true => Map::new(),
            false => self.known_of(&bank, round),
        };
        let detail = entry.and_then(|entry| entry.detail.as_ref());
        let chips = detail.and_then(|detail| detail.value().get("chips")?.as_u64());
        check.extend(chips.map(|chips| ("chips".to_owned(), json!(chips))));
        (!check.is_empty()).then_some(Value::Object(check))
    }

    fn known_of(&self, bank: &Who, round: &RoundFold) -> Map<String, Value> {
        let mut start = self.start.clone();
        round.play.iter().for_each(|(_, body)| start.see(body));
        let mut known = Map::from_iter([("first_round".to_owned(), json!(start.is_first_round()))]);
        if !start.is_first_round() {
            let again = self.banked.as_ref().is_some_and(|last| last.is(bank));
            let of_bank = self.wagered.values().filter(|(who, _)| who.is(bank));
            let staked: Cents = of_bank.map(|(_, amount)| *amount).sum();
            known.insert("banked_last_round".into(), json!(again));
            known.insert("last_wager".into(), json!(staked));
        }
        known
    }

    /// Keeps what the round that ended says.
    pub(super) fn follow(&mut self, main: &str, end: &End<'_>) {
        let play = end.round.play.iter();
        play.for_each(|(_, body)| self.start.see(body));
        self.start.close_round();
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

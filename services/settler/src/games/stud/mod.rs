//! The stud family from its events: a wager buys a hand, the house has a hand or a board, the player
//! stays for more money or gives up.
//!
//! How the events are read:
//! - Cards come by `card_dealt` to `seat`, and to `dealer` or `community`, face down with or without
//!   their identity; `card_revealed` turns them over. A hand that was given up and never seen does not
//!   keep a round from being settled unless a wager depends on it.
//! - What is put up after the deal (play, bet, double down, a street) is a `wager_placed` of its kind,
//!   or a `decision` with an `amount`, or both. A seat that puts nothing up has folded, told or not.
//! - Decisions in the words of the game: play, raise or bet; fold; forfeit; ride, withdraw; abandoned.
//!   A bet of let it ride is withdrawn by that decision or by `wager_removed`.
//! - Irregularities have the game's own word as `kind`, and its keys (count, seat, area, dealt, found)
//!   in `detail`; a bare number there is the count.
//! - Meters are those of `round_opened`, or the last `meter_read` before the first prize.
//! - Prizes of a progressive wager, envy too, come by `jackpot_paid` or `wager_paid` on that wager; its
//!   chip may be collected before the deal. Who verified a share of the meter is said with it.
//! - Irregularities that are no matter of settlement: `chip_count` with `collected` and `accepted` (chips
//!   of the progressive and bonus wagers against the device), `forfeit_count` with `seat` and `found` (the
//!   cards of a hand that was given up unexposed).
//! - What the dealer of DJ Wild announces is a decision of seat 0: `announce full_house`.

mod caribbean_stud;
mod causes;
mod crazy_four_poker;
mod dj_wild;
mod document;
mod double_down_stud;
mod four_card_poker;
mod let_it_ride;
mod mississippi_stud;
mod order;
mod prizes;
mod table;
mod three_card_poker;

use catwalk_events::body::{Body, Decision, Irregularity, WagerPlaced};
use catwalk_rules::Settlement;
use catwalk_rules::floor::Cents;
use serde_json::{Value, json};

pub(super) use caribbean_stud::CARIBBEAN_STUD;
pub(super) use crazy_four_poker::CRAZY_FOUR_POKER;
pub(super) use dj_wild::DJ_WILD;
pub(super) use double_down_stud::DOUBLE_DOWN_STUD;
pub(super) use four_card_poker::FOUR_CARD_POKER;
pub(super) use let_it_ride::LET_IT_RIDE;
pub(super) use mississippi_stud::MISSISSIPPI_STUD;
pub(super) use three_card_poker::THREE_CARD_POKER;

use self::causes::{Cause, PayoutLimit};
use self::order::{Order, is_deferral};
use self::prizes::Prizes;
use self::table::{Verb, at, detail, irregularities};
use super::{End, Folder, Scene, change_codes};
use crate::fault::Fault;
use crate::judge::due;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;

/// A game of the family: what it does not share with the others.
pub(crate) struct Stud {
    game: &'static str,
    /// The wager that buys the hand.
    main: &'static str,
    /// Cards of a hand.
    hand: usize,
    /// Does the house have a board instead of a hand?
    board: bool,
    /// Cards of the house that lie open while players decide.
    up_cards: usize,
    /// Kinds that are put up after the deal, in order.
    later: &'static [&'static str],
    /// What a later wager after its time is called.
    late: &'static str,
    form: Form,
    /// Does settlement need the cards of this seat?
    needs_hand: fn(&RoundFold, u32, Option<&str>) -> bool,
    /// Does settlement need the cards of the house?
    needs_house: fn(&RoundFold) -> bool,
    /// Keys of `play` that tell of seats and burned cards, where the document has them.
    keys: &'static [&'static str],
    /// Meters, and the kinds whose prizes come from them.
    meters: &'static [(&'static str, &'static [&'static str])],
    /// Kinds whose stake is never given back with a prize.
    stake_stays: &'static [&'static str],
    irregularities: &'static [&'static str],
    /// Those that void the round.
    voiding: &'static [&'static str],
    /// So many cards found face up void it.
    face_up_voids: u64,
    /// What the order of its events shows.
    order: &'static [Order],
    /// What a wrong payment is called besides.
    causes: &'static [Cause],
    limit: Option<PayoutLimit>,
    /// What is said of prizes from its meters.
    prizes: Option<Prizes>,
}

/// How its document lists hands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A list with the decision of each seat.
    Listed,
    /// By seat, without decisions.
    BySeat,
}

impl Folder for Stud {
    fn game(&self) -> &'static str {
        self.game
    }

    fn window(&self, kind: &str) -> Option<&'static str> {
        let later = self.later.iter().copied().find(|later| *later == kind);
        Some(later.unwrap_or(MAIN_WINDOW))
    }

    /// The first card closes the main wagers. The dealer's hand, or a card of the board, closes what
    /// was to be put up before it.
    fn closes(&self, round: &RoundFold, body: &Body) -> Option<&'static str> {
        if matches!(body, Body::CardDealt(_)) && !round.is_closed(MAIN_WINDOW) {
            return Some(MAIN_WINDOW);
        }
        if !self.shows(round, body) {
            return None;
        }
        let street = if self.board {
            self.exposed(round).len()
        } else {
            0
        };
        self.later.get(street).copied()
    }

    /// The second call of double down stud need not be named (8(d)).
    fn called<'a>(&self, round: &RoundFold, window: Option<&'a str>) -> &'a str {
        let dealt = !round.play.is_empty() && round.is_closed(MAIN_WINDOW);
        match (window, self.later) {
            (None | Some("second" | "double"), ["double_down"]) if dealt => "double_down",
            _ => window.unwrap_or(MAIN_WINDOW),
        }
    }

    fn late_code(&self, round: &RoundFold, placed: &WagerPlaced) -> &'static str {
        let withdrawn = at(round, placed.seat, &placed.kind)
            .is_some_and(|wager| self.is_withdrawn(round, wager));
        match placed.kind.as_str() {
            _ if withdrawn => "wager.reinstated",
            kind if self.later.contains(&kind) => self.late,
            _ => "wager.late",
        }
    }

    fn change_faults(
        &self,
        round: &RoundFold,
        wager: &WagerFold,
        to: Option<Cents>,
    ) -> Vec<&'static str> {
        if self.later.contains(&wager.kind.as_str()) {
            return self.later_change_faults(round, wager, to);
        }
        if !round.is_closed(MAIN_WINDOW) {
            return Vec::new();
        }
        match self.withdrawal(&wager.kind) {
            Some(_)
                if to.is_some_and(|to| to >= wager.amount) && self.is_withdrawn(round, wager) =>
            {
                vec!["wager.reinstated"]
            }
            Some(street) if to.is_none() && street == Some(self.exposed(round).len()) => Vec::new(),
            Some(_) if to.is_none() => vec!["wager.illegal_withdrawal", "wager.pinched"],
            Some(_) if to.is_some_and(|to| to < wager.amount) => {
                vec!["wager.illegal_withdrawal", "wager.pinched"]
            }
            _ => change_codes(wager, to),
        }
    }

    fn take_back(&self, wager: &mut WagerFold, _: usize) -> bool {
        !wager.withdrawn
    }

    /// A decision with an amount puts up what comes next at the seat.
    fn staked(&self, round: &RoundFold, decision: &Decision) -> Option<WagerPlaced> {
        let amount = decision.amount.filter(|amount| amount.is_positive())?;
        if Verb::of(&decision.action) != Some(Verb::Play) {
            return None;
        }
        let street = if self.board {
            self.exposed(round).len()
        } else {
            0
        };
        let kind = *self.later.get(street)?;
        let main = at(round, decision.seat, self.main)?;
        Some(WagerPlaced {
            wager: format!("{}:{kind}", main.id),
            seat: decision.seat,
            player: None,
            kind: kind.to_owned(),
            amount,
            on: Some(main.id.clone()),
            detail: None,
            form: None,
            colour: None,
        })
    }

    fn keeps_stake(&self, kind: &str) -> bool {
        self.stake_stays.contains(&kind)
    }

    /// Without an identification the award waits at the cage.
    fn is_paid_elsewhere(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        let waits = |told: &Irregularity| {
            let seat = detail(told, "seat").and_then(|seat| seat.as_u64());
            is_deferral(told) && seat.is_none_or(|seat| seat == u64::from(wager.seat))
        };
        let unpaid = self.keeps_stake(&wager.kind) && !wager.paid.is_positive();
        unpaid && irregularities(round).any(|(_, told)| waits(told))
    }

    fn is_cut_together(
        &self,
        round: &RoundFold,
        wager: &WagerFold,
        settlement: &Settlement,
    ) -> bool {
        let Some(limit) = self.limit.as_ref().filter(|limit| limit.per_hand) else {
            return false;
        };
        let is_limited = |other: &&WagerFold| {
            other.seat == wager.seat && limit.kinds.contains(&other.kind.as_str())
        };
        let hand: Vec<&WagerFold> = round.wagers.iter().filter(is_limited).collect();
        let due = hand.iter().filter_map(|other| due(settlement, &other.id));
        let due: Cents = due.map(|due| due.win).sum();
        let paid: Cents = hand.iter().map(|other| other.paid).sum();
        let is_whole = |other: &&WagerFold| other.pushed.is_none() && other.collected.is_none();
        is_limited(&wager)
            && limit.posted(round) == Some(due)
            && paid == due
            && hand.iter().all(is_whole)
    }

    /// A late wager that repeats another, or that was made where no hand was dealt, buys nothing.
    fn is_in_document(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        let repeats = |other: &WagerFold| {
            other.id != wager.id
                && other.seat == wager.seat
                && other.kind == wager.kind
                && !other.late
        };
        let buys_nothing =
            || round.wagers.iter().any(repeats) || self.cards_of(round, wager.seat).is_empty();
        !(wager.late && buys_nothing())
    }

    fn wager(&self, round: &RoundFold, wager: &WagerFold) -> Value {
        let mut entry = json!({"id": wager.id, "seat": wager.seat, "kind": wager.kind,
            "amount": wager.amount});
        let main = at(round, wager.seat, self.main).map(|main| &main.id);
        let on = if self.form == Form::Listed && self.later.contains(&wager.kind.as_str()) {
            main.or(wager.on.as_ref())
        } else {
            let named = wager.on.as_ref();
            named.filter(|on| {
                round
                    .wager(on)
                    .is_some_and(|on| self.is_in_document(round, on))
            })
        };
        if let Some(on) = on {
            entry["on"] = json!(on);
        }
        entry
    }

    fn play(&self, round: &RoundFold, _: &Standing) -> Result<Value, String> {
        self.play_document(round)
    }

    /// A prize from a meter that nobody read.
    fn doubt(&self, round: &RoundFold, document: &Value) -> Option<Value> {
        let told = self.meters_of(round);
        let untold = |&&(meter, kinds): &&(&str, &'static [&'static str])| {
            let is_played = |wager: &WagerFold| kinds.contains(&wager.kind.as_str());
            !told.contains_key(meter) && round.wagers.iter().any(is_played)
        };
        let mut untold = self.meters.iter().filter(untold).peekable();
        untold.peek()?;
        let mut other = document.clone();
        for (meter, _) in untold {
            other["play"]["meters"][meter] = json!(UNLIKELY_METER);
        }
        Some(other)
    }

    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        self.see_order(scene, faults);
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, faults: &mut Vec<Fault>) {
        self.check_paytable(end, faults);
        self.check_limit_floor(end, faults);
        if let Some(settlement) = end.settlement {
            self.name_causes(end, settlement, faults);
            self.check_prizes(end, settlement, standing, faults);
        }
    }
}

/// A reading that no meter and no reset of one has.
const UNLIKELY_METER: i64 = 98_765_432_101;

impl Stud {
    /// What is put up after the deal stays, but the dealer may correct it while he is at the seat.
    fn later_change_faults(
        &self,
        round: &RoundFold,
        wager: &WagerFold,
        to: Option<Cents>,
    ) -> Vec<&'static str> {
        let since = round.play.get(wager.after_play..).unwrap_or_default();
        let at_the_seat = since.iter().all(
            |(_, body)| matches!(body, Body::Decision(decision) if decision.seat == wager.seat),
        );
        let closed = round.is_closed(&wager.kind);
        if at_the_seat && to.is_some() && (!closed || wager.late) {
            return Vec::new();
        }
        let mut codes = change_codes(wager, to);
        if closed && codes == ["wager.capped"] && self.late != "wager.late" {
            codes.push(self.late);
        }
        codes
    }

    /// For a bet that can be withdrawn, or never: with so many cards of the board open.
    fn withdrawal(&self, kind: &str) -> Option<Option<usize>> {
        match (self.game, kind) {
            ("let_it_ride", "bet_1") => Some(Some(0)),
            ("let_it_ride", "bet_2") => Some(Some(1)),
            ("let_it_ride", "bet_3") => Some(None),
            _ => None,
        }
    }
}

//! What only the order of the events shows: what was dealt, decided, put up or taken out of its time.

mod chips;
mod deal;
mod sight;

use catwalk_events::body::{Body, CardDealt, Decision, WagerForm, WagerPlaced};

use super::causes::HOUSE;
use super::table::{Verb, at, is_house};
use super::{ILLEGAL_WITHDRAWAL, Stud};
use crate::fault::Fault;
use crate::games::{Scene, settling};
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};

pub(super) use sight::HOLE_CARD_EXPOSED;

/// Something to watch for.
#[derive(Clone, Copy)]
pub(super) enum Order {
    /// No card before the call.
    DealAfterTheCall,
    /// Clockwise from the first seat, the house last in each turn. The house comes first where the Ohio text
    /// deals stacks so from an automated shoe.
    Deal { house_may_lead: bool },
    /// The one open card of the dealer is his last.
    LastCardUp,
    /// The one open card of the dealer is his first, unless a shoe deals him a stack.
    FirstCardUp,
    /// The one hidden card of the house is its first.
    FirstCardDown,
    /// Decisions from the first seat upward.
    Decisions,
    /// No verbal wager with cash.
    NoCash,
    /// Nothing is put on the progressive after its system was locked, which is before the first card.
    Lock,
    /// Who folded does not bet.
    BetAfterFold,
    /// No double before the common cards are out.
    DoubleAfterDeal(usize),
    /// The board is turned over from left to right.
    BoardLeftToRight,
    /// No card of the board before every player has decided.
    BoardAfterDecisions,
    /// The wager lives until the last card of the house is open, folded or not.
    Lives {
        kind: &'static str,
        cards: usize,
        code: &'static str,
    },
    /// No card of the dealer is seen before the last decision.
    DealerHidden,
    /// No hole card is seen before the last decision or the second call: it voids the round.
    HoleCardsHidden,
    /// Wagers are settled player by player, from the last seat to the first.
    Settlement,
    /// The chips of these wagers are taken in before the deal: all of them, as the device counted them.
    Chips {
        kinds: &'static [&'static str],
        code: &'static str,
    },
    /// A hand that was given up unexposed comes back whole.
    ForfeitedCards,
    /// An award that waits at the cage because the winner could not say who he is.
    Identification,
}

impl Stud {
    pub(super) fn see_order(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        self.see_untimely(scene, faults);
        self.see_withdrawn(scene, faults);
        for order in self.order {
            faults.extend(self.breaks(*order, scene));
            if let Order::Settlement = order {
                self.see_settling(scene, faults);
            }
        }
    }

    fn see_settling(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        let shows = |body: &Body| matches!(body, Body::CardRevealed(card) if is_house(card.to));
        // Three card poker may collect from all players first, then pay them all (s10(c)(1)).
        let order = scene.round.rules.option("settlement_order");
        let by_step = order.is_some_and(|order| order == "by_step");
        let is_of_step = |wager: &WagerFold| match scene.body {
            Body::WagerCollected(_) => wager.collected.is_some(),
            _ => wager.paid_seq.is_some(),
        };
        let is_in_turn = |wager: &WagerFold, with: &WagerFold| {
            // Cover all comes after all others (s12(j)), prizes of a meter when they are verified.
            let kind = wager.kind.as_str();
            let boxed = kind == "cover_all" || self.laid.stake_stays.contains(&kind);
            let same_step = || wager.kind == with.kind && is_of_step(wager);
            let same_step = !by_step || wager.id == with.id || same_step();
            !boxed && same_step && !self.is_folded(scene.round, wager.seat)
        };
        settling::check_turns(scene, shows, is_in_turn, faults);
    }

    /// A bet that a decision names and withdraws out of its time.
    fn see_untimely(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        let Body::Decision(decision) = scene.body else {
            return;
        };
        let bet = self.withdraws_untimely(scene.round, decision);
        let wager = bet.and_then(|bet| at(scene.round, decision.seat, bet));
        // What was done with its chips was told already.
        let is_up = |wager: &&WagerFold| !wager.withdrawn && !wager.is_gone;
        for wager in wager.into_iter().filter(is_up) {
            let evidence = [wager.evidence.as_slice(), &[scene.seq]].concat();
            let message = format!(
                "{} on {} was withdrawn out of its time",
                wager.amount, wager.kind
            );
            let fault = Fault::new(ILLEGAL_WITHDRAWAL[0], evidence, message);
            faults.push(fault.of_wager(&wager.id));
        }
    }

    /// A bet that was taken back before its hand was dealt, as the first card of the hand shows.
    fn see_withdrawn(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        let Body::CardDealt(card) = scene.body else {
            return;
        };
        let is_open = is_house(card.to) || !self.exposed(scene.round).is_empty();
        let before = |wager: &&WagerFold| {
            wager.withdrawn
                && Some(wager.seat) == card.seat
                && self.dealt_since_withdrawn(scene.round, wager).is_empty()
        };
        let wagers = scene.round.wagers.iter().filter(before);
        for wager in wagers.filter(|_| !is_open) {
            let evidence = [wager.evidence.as_slice(), &[scene.seq]].concat();
            let message = format!(
                "{} on {} was taken back before its hand was dealt",
                wager.amount, wager.kind
            );
            let told = |code| Fault::new(code, evidence.clone(), message.clone());
            faults.extend(ILLEGAL_WITHDRAWAL.map(|code| told(code).of_wager(&wager.id)));
        }
    }

    fn breaks(&self, order: Order, scene: &Scene<'_>) -> Option<Fault> {
        match (order, scene.body) {
            (
                Order::DealAfterTheCall
                | Order::Deal { .. }
                | Order::LastCardUp
                | Order::FirstCardUp
                | Order::FirstCardDown,
                _,
            ) => self.breaks_deal(order, scene),
            (
                Order::BoardLeftToRight
                | Order::BoardAfterDecisions
                | Order::DealerHidden
                | Order::HoleCardsHidden,
                _,
            ) => self.breaks_sight(order, scene),
            (
                Order::Lives { .. }
                | Order::Chips { .. }
                | Order::ForfeitedCards
                | Order::Identification,
                _,
            ) => self.breaks_chips(order, scene),
            (Order::Decisions, Body::Decision(decision)) => decides_in_turn(scene, decision),
            (_, Body::WagerPlaced(placed)) => self.breaks_bet(order, scene, placed),
            _ => None,
        }
    }

    /// A wager that should not be made, or not yet.
    fn breaks_bet(&self, order: Order, scene: &Scene<'_>, placed: &WagerPlaced) -> Option<Fault> {
        let round = scene.round;
        let is_later = self.laid.later.contains(&placed.kind.as_str());
        let (code, message) = match order {
            Order::NoCash if placed.form == Some(WagerForm::Cash) => {
                let message = format!("{} on {} was bet with cash", placed.amount, placed.kind);
                ("wager.verbal_cash", message)
            }
            // START GAME follows the call at once. One that comes after the lock and before the call is late by
            // its lock alone.
            Order::Lock
                if placed.kind == LOCKED
                    && round.is_closed(MAIN_WINDOW)
                    && !round.wagers.iter().any(|known| known.is_as_placed(placed)) =>
            {
                let message = "A progressive wager was registered after the lock".to_owned();
                ("progressive.not_locked", message)
            }
            Order::BetAfterFold
                if is_later && self.told(round, placed.seat) == Some(Verb::Fold) =>
            {
                let message = format!("{} was bet at a seat that had folded", placed.amount);
                ("wager.bet_after_fold", message)
            }
            Order::DoubleAfterDeal(cards) if is_later && self.house_cards(round).len() < cards => {
                let message = "A double before the common cards were out".to_owned();
                ("wager.double_before_deal", message)
            }
            _ => return None,
        };
        let fault = Fault::new(code, vec![scene.seq], message);
        Some(fault.of_wager(&placed.wager).at_seat(placed.seat))
    }

    /// Was the system of this kind locked, and is it a matter of the text?
    pub(super) fn is_behind_lock(&self, round: &RoundFold, kind: &str) -> bool {
        let has_lock = self.order.iter().any(|order| matches!(order, Order::Lock));
        has_lock && kind == LOCKED && round.is_closed(LOCKED)
    }

    /// Does a player decide by this, or put up what he decided?
    fn decides(&self, body: &Body) -> bool {
        match body {
            Body::Decision(said) => {
                let verb = Verb::of(&said.action);
                said.seat != HOUSE && matches!(verb, Some(Verb::Play | Verb::Fold))
            }
            Body::WagerPlaced(placed) => self.laid.later.contains(&placed.kind.as_str()),
            _ => false,
        }
    }
}

/// Decisions from the first seat upward.
fn decides_in_turn(scene: &Scene<'_>, decision: &Decision) -> Option<Fault> {
    const CODE: &str = "procedure.decision_order";
    let mut before = scene.round.play.iter().rev();
    let last = before.find_map(|(_, body)| match body {
        Body::Decision(decision) => Some(decision.seat),
        _ => None,
    })?;
    if decision.seat >= last || !once(scene.round, CODE) {
        return None;
    }
    let message = format!("Seat {} decided after seat {last}", decision.seat);
    Some(Fault::new(CODE, vec![scene.seq], message))
}

/// The kind whose system is locked when the game starts, and the window that tells of it.
const LOCKED: &str = "progressive";

fn dealt(round: &RoundFold) -> impl Iterator<Item = (u64, &CardDealt)> {
    round.play.iter().filter_map(|(seq, body)| match body {
        Body::CardDealt(card) => Some((*seq, card)),
        _ => None,
    })
}

/// Was anything irregular reported? What is out of its turn then has its reason.
fn is_irregular(round: &RoundFold) -> bool {
    let mut play = round.play.iter();
    play.any(|(_, body)| matches!(body, Body::Irregularity(_)))
}

fn once(round: &RoundFold, code: &str) -> bool {
    !round.raised.iter().any(|raised| raised == code)
}

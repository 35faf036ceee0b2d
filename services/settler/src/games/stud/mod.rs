//! The stud family from its events: a wager buys a hand, the house has a hand or a board, the player
//! stays for more money or gives up.
//!
//! How the events are read:
//! - Cards come by `card_dealt` to `seat`, and to `dealer` or `community`, face down with or without
//!   their identity; `card_revealed` turns them over. A hand that was given up and never seen does not
//!   keep a round from being settled unless a wager depends on it.
//! - What is put up after the deal (play, bet, double down, a street) is a `wager_placed` of its kind,
//!   or a `decision` with an `amount` or a multiple (`3x`), or both; where it has one size, the word is
//!   enough. A seat that puts nothing up has folded, told or not.
//! - Decisions in the words of the game: play, raise or bet; fold; forfeit; ride, withdraw; abandoned.
//!   A bet of let it ride is withdrawn by that decision, by `wager_removed`, by a stake of nothing, or by
//!   `wager_pushed` while it can be.
//! - Irregularities have the game's own word as `kind`, and its keys (count, seat, area, dealt, found)
//!   in `detail`; a bare number there is the count.
//! - Meters are those of `round_opened`, or the last `meter_read` before the first prize.
//! - Prizes of a progressive wager, envy too, come by `jackpot_paid` or `wager_paid` on that wager, or by
//!   both; its chip may be collected before the deal. Who verified a share of the meter is said with it.
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
mod envy;
mod exposure;
mod four_card_poker;
mod laid;
mod let_it_ride;
mod miscount;
mod mississippi_stud;
mod order;
mod posted;
mod prizes;
mod short;
mod table;
mod three_card_poker;

use catwalk_events::Event;
use catwalk_events::body::{Body, Decision, Irregularity, WagerPlaced};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settlement, Verdict};
use serde_json::{Value, json};

pub(super) use caribbean_stud::CARIBBEAN_STUD;
pub(super) use crazy_four_poker::CRAZY_FOUR_POKER;
pub(super) use dj_wild::DJ_WILD;
pub(super) use double_down_stud::DOUBLE_DOWN_STUD;
pub(super) use four_card_poker::FOUR_CARD_POKER;
pub(super) use let_it_ride::LET_IT_RIDE;
pub(super) use mississippi_stud::MISSISSIPPI_STUD;
pub(super) use three_card_poker::THREE_CARD_POKER;

use self::causes::Cause;
use self::document::settle;
use self::order::Order;
use self::prizes::Prizes;
use self::table::{Verb, at, detail, irregularities, multiple};
use super::verification::is_deferred;
use super::{
    Documents, End, Folder, Following, Payments, Scene, Staking, Telling, Told, Windows,
    change_codes,
};
use crate::fault::Fault;
use crate::judge::due;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;
use crate::table::RulesInForce;
use crate::watch::Posting;

/// A game of the family: what it does not share with the others.
pub(crate) struct Stud {
    game: &'static str,
    /// What its data file says.
    laid: laid::Laid,
    /// Cards of the house that lie open while players decide.
    up_cards: usize,
    /// What a later wager after its time is called.
    late: &'static str,
    form: Form,
    /// What an irregularity of its document tells beside what it is, and how many cards were found face up.
    keys: &'static [&'static str],
    /// Are cards burned in its course?
    burns: bool,
    settle: fn(&Stud, Telling<'_>) -> Told,
    /// What the order of its events shows.
    order: &'static [Order],
    /// What a wrong payment is called besides.
    causes: &'static [Cause],
    /// Is the payout limit for all of a hand together, or for each wager?
    limits_hand: bool,
    /// Where the limit may not be below what one player can win with the least that may be bet: the cards
    /// of the player and of the dealer that win most.
    best: Option<[&'static [&'static str]; 2]>,
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

/// What an irregularity tells where hands are listed by seat.
const BY_SEAT: &[&str] = &["seat", "area", "dealt", "count", "found"];

impl Folder for Stud {
    fn game(&self) -> &'static str {
        self.game
    }
}

impl Windows for Stud {
    fn window(&self, kind: &str) -> Option<&'static str> {
        let later = self.laid.later.iter().copied().find(|later| *later == kind);
        Some(later.unwrap_or(MAIN_WINDOW))
    }

    /// The first card closes the main wagers; where no deal is told, what can only follow it does. The
    /// dealer's hand, or a card of the board, closes what was to be put up before it.
    fn closes(&self, round: &RoundFold, body: &Body) -> Option<&'static str> {
        let is_dealt = match body {
            Body::CardDealt(_) | Body::CardRevealed(_) => true,
            Body::Decision(decision) => Verb::of(&decision.action).is_some(),
            _ => false,
        };
        if is_dealt && !round.is_closed(MAIN_WINDOW) {
            return Some(MAIN_WINDOW);
        }
        if !self.shows_hand(round, body) {
            return None;
        }
        let street = if self.laid.board {
            self.exposed(round).len()
        } else {
            0
        };
        self.laid.later.get(street).copied()
    }

    /// The second call of double down stud need not be named, and may have any name (8(d)). Some texts know no
    /// call: nothing but the first card closes the betting (crazy four poker 7.D).
    fn called<'a>(&self, round: &RoundFold, window: Option<&'a str>) -> &'a str {
        match window {
            None | Some(MAIN_WINDOW) if self.laid.first_card_closes(round) && !self.laid.board => {
                "call"
            }
            window if self.is_second_call(round, window) => "double_down",
            window => window.unwrap_or(MAIN_WINDOW),
        }
    }

    fn is_locked(&self, round: &RoundFold, wager: &WagerFold) -> Option<bool> {
        match self.window(&wager.kind) {
            _ if self.is_behind_lock(round, &wager.kind) => Some(true),
            Some(MAIN_WINDOW) if self.awaits_first_card(round) => Some(false),
            _ => None,
        }
    }

    fn late_code(&self, round: &RoundFold, placed: &WagerPlaced) -> &'static str {
        let withdrawn = at(round, placed.seat, &placed.kind)
            .is_some_and(|wager| self.is_withdrawn(round, wager));
        match placed.kind.as_str() {
            _ if withdrawn => "wager.reinstated",
            kind if self.is_behind_lock(round, kind) && !round.is_closed(MAIN_WINDOW) => {
                "progressive.not_locked"
            }
            kind if self.laid.later.contains(&kind) => self.late,
            _ => "wager.late",
        }
    }

    fn change_faults(
        &self,
        round: &RoundFold,
        wager: &WagerFold,
        to: Option<Cents>,
    ) -> Vec<&'static str> {
        if self.laid.later.contains(&wager.kind.as_str()) {
            return self.later_change_faults(round, wager, to);
        }
        if !self.is_too_late(round, wager) {
            return Vec::new();
        }
        match self.laid.withdrawal(&wager.kind) {
            // What is put back is refused by giving it back once more.
            Some(_) if self.is_withdrawn(round, wager) => match to {
                Some(_) => vec!["wager.reinstated"],
                None => Vec::new(),
            },
            Some(Some(_)) if to.is_none() && self.is_board_told_up(round) => Vec::new(),
            Some(street) if to.is_none() && street == Some(self.exposed(round).len()) => Vec::new(),
            Some(_) if to.is_none_or(|to| to < wager.amount) => ILLEGAL_WITHDRAWAL.to_vec(),
            _ => change_codes(wager, to),
        }
    }
}

impl Staking for Stud {
    /// A bet of let it ride that was taken back is one of the document all the same.
    fn take_back(&self, wager: &mut WagerFold, after_play: usize) -> bool {
        wager.lowered.push((after_play, Cents::ZERO));
        !wager.withdrawn || self.laid.withdrawal(&wager.kind).is_none()
    }

    fn has_one_hand_a_seat(&self) -> bool {
        true
    }

    /// A decision with an amount puts up what comes next at the seat.
    fn staked(&self, round: &RoundFold, decision: &Decision) -> Option<WagerPlaced> {
        let verb = Verb::of(&decision.action);
        let said = decision.amount.filter(|amount| amount.is_positive());
        let staked = said.is_some() && self.form == Form::BySeat;
        if verb != Some(Verb::Play) && !(verb.is_none() && staked) {
            return None;
        }
        let street = if self.laid.board {
            self.exposed(round).len()
        } else {
            0
        };
        let kind = *self.laid.later.get(street)?;
        let main = at(round, decision.seat, self.laid.main)?;
        let times = || Some(main.amount.times(multiple(&decision.action)?));
        Some(stake_on(main, kind, said.or_else(times)?))
    }

    /// A bet that has one size may be told by its word alone.
    fn untold(&self, round: &RoundFold) -> Vec<WagerFold> {
        let (Some(times), [kind]) = (self.laid.multiple, self.laid.later.as_slice()) else {
            return Vec::new();
        };
        let is_untold = |main: &&WagerFold| {
            let said = self.told(round, main.seat) == Some(Verb::Play);
            main.kind == self.laid.main && said && at(round, main.seat, kind).is_none()
        };
        let mains = round.wagers.iter().filter(is_untold);
        let bets = mains.map(|main| {
            let placed = stake_on(main, kind, main.amount.times(times));
            let mut bet = WagerFold::new(&placed, main.evidence[0], round.play.len(), false);
            bet.announced = true;
            bet
        });
        bets.collect()
    }

    fn is_told_anew(&self, known: &WagerFold, placed: &WagerPlaced) -> bool {
        !known.is_gone
            && (&known.id, known.seat, &known.kind) == (&placed.wager, placed.seat, &placed.kind)
    }

    fn keeps_stake(&self, kind: &str) -> bool {
        self.laid.stake_stays.contains(&kind)
    }
}

impl Documents for Stud {
    /// A document knows the least that may be bet as the table posts it, and not by its signs.
    fn force(&self, rules: &RulesInForce, options: &mut Value) {
        let Some(limit) = &self.laid.limit else {
            return;
        };
        let in_force = limit.in_force(rules, self.laid.main);
        if in_force > limit.by_options(rules) {
            options[limit.option] = json!(in_force);
        }
    }

    /// A late wager that repeats another, that was made where no hand was dealt, or that was refused buys nothing.
    fn is_in_document(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        let repeats =
            |other: &WagerFold| other.seat == wager.seat && other.kind == wager.kind && !other.late;
        let buys_nothing = || {
            round.wagers.iter().any(repeats)
                || self.cards_of(round, wager.seat).is_empty()
                || self.is_refused(round, wager)
        };
        !(wager.late && buys_nothing())
    }

    fn settle(&self, told: Telling<'_>) -> Option<Told> {
        Some((self.settle)(self, told))
    }

    fn incidents(&self, round: &RoundFold) -> Option<Value> {
        self.called_off_document(round)
    }
}

impl Following for Stud {
    fn aside(
        &self,
        event: &Event,
        _: &RulesInForce,
        standing: &mut Standing,
        faults: &mut Vec<Fault>,
    ) -> bool {
        self.see_reading(event, standing, faults)
    }

    fn is_of_round(&self, round: &RoundFold, body: &Body) -> bool {
        self.is_count_of(round, body)
    }

    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        self.see_order(scene, faults);
    }

    fn posted(&self, posting: &Posting<'_>) -> Vec<(&'static str, String)> {
        let floor = self.limit_floor(posting);
        let paytable = self.unknown_paytable(posting);
        floor.into_iter().chain(paytable).collect()
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, faults: &mut Vec<Fault>) {
        match end.settlement {
            Some(settlement) => {
                self.tell_short_deal(end.round, faults);
                self.name_causes(end, settlement, faults);
                self.check_prizes(end, settlement, standing, faults);
            }
            None if !end.voided => prizes::forget_readings(standing),
            None => {}
        }
    }
}

impl Payments for Stud {
    /// A void round gives every wager back (let it ride 15, mississippi stud 13, dj wild 13, caribbean stud 12,
    /// double down stud 11), also what was taken of a hand that had been given up, but for those that a supervisor
    /// lets stand (three card poker 9.D).
    fn gives_back(&self, round: &RoundFold, _: &WagerFold) -> bool {
        let stands =
            |told: &Irregularity| detail(told, "independent_wagers_stand") == Some(json!(true));
        !irregularities(round).any(|(_, told)| stands(told))
    }

    /// Without an identification the award waits at the cage. What was taken back, in its time or not, lies
    /// there no more.
    fn is_paid_elsewhere(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        let waits = |told: &Irregularity| is_deferred(told, wager.seat);
        let unpaid = self.keeps_stake(&wager.kind) && !wager.paid.is_positive();
        let gone = wager.withdrawn && !wager.is_touched();
        gone || unpaid && irregularities(round).any(|(_, told)| waits(told))
    }

    fn is_cut_together(
        &self,
        round: &RoundFold,
        wager: &WagerFold,
        settlement: &Settlement,
    ) -> bool {
        let Some(limit) = self.laid.limit.as_ref().filter(|_| self.limits_hand) else {
            return false;
        };
        let is_limited = |other: &&WagerFold| {
            other.seat == wager.seat && limit.kinds.contains(&other.kind.as_str())
        };
        let hand: Vec<&WagerFold> = round.wagers.iter().filter(is_limited).collect();
        let won = due(settlement, &wager.id).is_some_and(|due| due.result == Verdict::Win);
        let due = hand.iter().filter_map(|other| due(settlement, &other.id));
        let due: Cents = due.map(|due| due.win).sum();
        let paid: Cents = hand.iter().map(|other| other.paid).sum();
        let is_whole = |other: &&WagerFold| {
            let kept = other
                .pushed
                .flatten()
                .is_none_or(|part| part == other.amount);
            kept && other.collected.is_none()
        };
        won && is_limited(&wager)
            && limit.in_force(&round.rules, self.laid.main) == Some(due)
            && paid == due
            && hand.iter().all(is_whole)
    }
}

/// What a decision puts up on the wager that bought the hand.
fn stake_on(main: &WagerFold, kind: &str, amount: Cents) -> WagerPlaced {
    WagerPlaced {
        wager: format!("{}:{kind}", main.id),
        seat: main.seat,
        player: None,
        kind: kind.to_owned(),
        amount,
        on: Some(main.id.clone()),
        detail: None,
        form: None,
        colour: None,
    }
}

/// What it is called to take a bet back out of its time, or a part of it.
const ILLEGAL_WITHDRAWAL: [&str; 2] = ["wager.illegal_withdrawal", "wager.pinched"];

impl Stud {
    /// Mississippi stud 7.C, and let it ride 7.C in Ohio: wagers are made, raised and withdrawn until the first
    /// card is dealt, whatever is called before it. Where hands are told when they are shown the call is all that
    /// tells of the deal.
    fn awaits_first_card(&self, round: &RoundFold) -> bool {
        let follows_it = |(_, body): &(u64, Body)| match body {
            Body::CardDealt(_) | Body::CardRevealed(_) => true,
            Body::Decision(decision) => Verb::of(&decision.action).is_some(),
            _ => false,
        };
        self.laid.first_card_closes(round) && !round.play.iter().any(follows_it)
    }

    /// Is this the call after the common cards, and not the first one again?
    fn is_second_call(&self, round: &RoundFold, window: Option<&str>) -> bool {
        let dealt = self.house_cards(round).len() >= self.up_cards && round.is_closed(MAIN_WINDOW);
        self.laid.later == ["double_down"] && dealt && window != Some(MAIN_WINDOW)
    }

    /// What is put up after the deal stays, but the dealer may correct it while he is at the seat. A double
    /// is free until the second call (double down stud 8(c),(d)).
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
        let closed = self.is_too_late(round, wager);
        let is_free = self.laid.later == ["double_down"] && !closed;
        let corrects =
            to.is_some() && (!closed || wager.late) && !self.is_lawful_street(round, wager);
        if is_free || at_the_seat && corrects {
            return Vec::new();
        }
        let mut codes = change_codes(wager, to);
        if closed && codes == ["wager.capped"] && self.late != "wager.late" {
            codes.push(self.late);
        }
        codes
    }

    /// Was a late bet handed back, and the hand collected as one that had folded? Where the main wager was paid, or
    /// lies there, the bet may have been let stand.
    fn is_refused(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        let is_back = wager
            .pushed
            .is_some_and(|part| part.is_none_or(|part| part == wager.amount));
        let untouched = !wager.paid.is_positive() && wager.collected.is_none();
        let is_taken = |main: &WagerFold| main.collected.is_some() && !main.paid.is_positive();
        let stays_in = self.form == Form::BySeat && self.game != "double_down_stud";
        stays_in
            && self.laid.later.contains(&&*wager.kind)
            && is_back
            && untouched
            && at(round, wager.seat, self.laid.main).is_some_and(is_taken)
    }

    /// Is this a street of mississippi stud of one to three times the ante? It stays until the end of the
    /// round (11.B.i, D.i, F.i): there is nothing to correct.
    fn is_lawful_street(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        let ante = at(round, wager.seat, self.laid.main).map(|ante| ante.amount);
        let is_between = |ante: Cents| (ante..=ante.times(3)).contains(&wager.amount);
        self.game == "mississippi_stud" && ante.is_some_and(is_between)
    }
}

//! What only the order of the events shows: what was dealt, decided, put up or taken out of its time.

use catwalk_events::body::{Body, CardDealt, Decision, Face, Irregularity, WagerForm};

use super::causes::HOUSE;
use super::table::{Verb, at, detail, is_house};
use super::{ILLEGAL_WITHDRAWAL, Stud};
use crate::fault::Fault;
use crate::games::{Scene, Staking, settling};
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};

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
                let shows =
                    |body: &Body| matches!(body, Body::CardRevealed(card) if is_house(card.to));
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
                    let boxed = kind == "cover_all" || self.stake_stays.contains(&kind);
                    let same_step = || wager.kind == with.kind && is_of_step(wager);
                    let same_step = !by_step || wager.id == with.id || same_step();
                    !boxed && same_step && !self.is_folded(scene.round, wager.seat)
                };
                settling::check_turns(scene, shows, is_in_turn, faults);
            }
        }
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
        let (round, body) = (scene.round, scene.body);
        let fault = |code, message: String| Some(Fault::new(code, vec![scene.seq], message));
        match (order, body) {
            (Order::DealAfterTheCall, Body::BettingClosed(call)) => {
                let main = call.window.as_deref().unwrap_or(MAIN_WINDOW) == MAIN_WINDOW;
                let first = dealt(round).next().map(|(seq, _)| seq)?;
                // Who calls again while he deals has called before.
                let told = once(round, "deal.before_close") && main && !round.main_called;
                told.then(|| {
                    let message = "Cards were dealt before the betting was closed".to_owned();
                    Fault::new("deal.before_close", vec![first, scene.seq], message)
                })
            }
            (Order::Deal { house_may_lead }, Body::CardDealt(card)) => {
                let leads = house_may_lead && house_leads(round);
                let broken = self.breaks_turn(round, card, leads)
                    || leads && self.is_stack_after_hands(round, card);
                // Beside a board that lies open a hand is told as it is shown.
                let open = |face: &Face| *face == Face::Up;
                let shown = self.board && open(&card.face) && house_faces(round).iter().all(open);
                (broken && !shown && once(round, "deal.order")).then(|| {
                    let message = "Not dealt clockwise from the first seat, the house in its turn";
                    Fault::new("deal.order", vec![scene.seq], message.to_owned())
                })
            }
            (Order::LastCardUp, Body::CardDealt(card)) if is_house(card.to) => {
                let house: Vec<Face> = house_faces(round);
                let hidden = house.iter().all(|face| *face == Face::Down);
                let early = card.face == Face::Up && house.len() < 5 && hidden;
                let last = dealt(round).last().map(|(_, card)| card.to);
                let apart = house.len() == 5 && !last.is_some_and(is_house) && !is_irregular(round);
                self.misplaced_up_card(scene, early || apart)
            }
            // A card that was told face down may be turned over, but before anybody decides.
            (Order::LastCardUp, Body::Decision(_)) => {
                let hidden = house_faces(round).len() > 5 && self.exposed(round).is_empty();
                self.misplaced_up_card(scene, hidden)
            }
            (Order::FirstCardUp, Body::CardDealt(card)) if is_house(card.to) => {
                let house = house_faces(round);
                let stack = round
                    .rules
                    .option("dealing")
                    .is_some_and(|way| way == "automated_shoe");
                let hidden_first = house.first() == Some(&Face::Down) && card.face == Face::Up;
                let only = house.iter().all(|face| *face == Face::Down);
                if stack || !hidden_first || !only || self.is_told_face_up(round) {
                    return None;
                }
                fault(
                    "deal.order",
                    "The dealer's open card is not his first".into(),
                )
            }
            (Order::FirstCardDown, Body::CardDealt(card)) if is_house(card.to) => {
                let house = house_faces(round);
                let open_first = house.first() == Some(&Face::Up) && card.face == Face::Down;
                let only = house.iter().all(|face| *face == Face::Up);
                if !open_first || !only {
                    return None;
                }
                fault(
                    "deal.order",
                    "The hidden common card is not the first".into(),
                )
            }
            (Order::Decisions, Body::Decision(decision)) => {
                let last = round.play.iter().rev().find_map(|(_, body)| match body {
                    Body::Decision(decision) => Some(decision.seat),
                    _ => None,
                })?;
                if decision.seat >= last || !once(round, "procedure.decision_order") {
                    return None;
                }
                let message = format!("Seat {} decided after seat {last}", decision.seat);
                fault("procedure.decision_order", message)
            }
            (Order::NoCash, Body::WagerPlaced(placed)) if placed.form == Some(WagerForm::Cash) => {
                let message = format!("{} on {} was bet with cash", placed.amount, placed.kind);
                let fault = Fault::new("wager.verbal_cash", vec![scene.seq], message);
                Some(fault.of_wager(&placed.wager).at_seat(placed.seat))
            }
            // START GAME follows the call at once. One that comes after the lock and before the call is late by
            // its lock alone.
            (Order::Lock, Body::WagerPlaced(placed))
                if placed.kind == LOCKED
                    && round.is_closed(MAIN_WINDOW)
                    && !round.wagers.iter().any(|known| known.is_as_placed(placed)) =>
            {
                let message = "A progressive wager was registered after the lock".to_owned();
                let fault = Fault::new("progressive.not_locked", vec![scene.seq], message);
                Some(fault.of_wager(&placed.wager).at_seat(placed.seat))
            }
            (Order::BetAfterFold, Body::WagerPlaced(placed))
                if self.later.contains(&placed.kind.as_str())
                    && self.told(round, placed.seat) == Some(Verb::Fold) =>
            {
                let message = format!("{} was bet at a seat that had folded", placed.amount);
                let fault = Fault::new("wager.bet_after_fold", vec![scene.seq], message);
                Some(fault.of_wager(&placed.wager).at_seat(placed.seat))
            }
            (Order::DoubleAfterDeal(cards), Body::WagerPlaced(placed))
                if self.later.contains(&placed.kind.as_str())
                    && self.house_cards(round).len() < cards =>
            {
                let message = "A double before the common cards were out".to_owned();
                let fault = Fault::new("wager.double_before_deal", vec![scene.seq], message);
                Some(fault.of_wager(&placed.wager).at_seat(placed.seat))
            }
            (Order::BoardLeftToRight, Body::CardRevealed(card)) if is_house(card.to) => {
                let last = self.exposed(round).last().map(|&(index, _)| index)?;
                let from_the_top = self.is_stack(round) && (last, card.index) == (1, 0);
                if card.index as usize >= last || from_the_top {
                    return None;
                }
                let message = "The board was not turned over from left to right".to_owned();
                fault("deal.wrong_community_order", message)
            }
            (Order::BoardAfterDecisions, body) => self.decides_late(round, body, scene.seq),
            (Order::Lives { kind, cards, code }, _) if self.shows(round, body) => {
                if self.board && self.exposed(round).len() + 1 < cards {
                    return None;
                }
                let taken = |wager: &&WagerFold| {
                    wager.kind == kind && wager.collected.is_some() && wager.pushed.is_none()
                };
                let taken = round.wagers.iter().find(taken)?;
                if !once(round, code) {
                    return None;
                }
                let message = format!("{} on {kind} was taken before its time", taken.amount);
                let evidence = [taken.evidence.as_slice(), &[scene.seq]].concat();
                Some(Fault::new(code, evidence, message).of_wager(&taken.id))
            }
            // Only in Massachusetts they are.
            (Order::Chips { .. }, _) if !round.rules.edition.starts_with("mgc-") => None,
            (Order::Chips { kinds, code }, Body::CardDealt(_)) if dealt(round).next().is_none() => {
                chips_left(scene, kinds, code)
            }
            (Order::Chips { code, .. }, Body::Irregularity(told)) if told.kind == "chip_count" => {
                let number = |key| detail(told, key).and_then(|count| count.as_u64());
                let (collected, accepted) = (number("collected")?, number("accepted")?);
                if collected == accepted {
                    return None;
                }
                let message = format!("{collected} chips were taken in for {accepted} wagers");
                fault(code, message)
            }
            (Order::ForfeitedCards, Body::Irregularity(told))
                if matches!(&*told.kind, "forfeit_count" | "forfeit_short") =>
            {
                let keys = ["found", "count", "cards", "recovered", "collected"];
                let number = |key| detail(told, key).and_then(|found| found.as_u64());
                let found = keys.into_iter().find_map(number);
                // Who reports a hand as short need not say by how much.
                let is_whole = match found {
                    Some(found) => found == self.hand as u64,
                    None => told.kind == "forfeit_count",
                };
                let found = found.map_or("Not all".to_owned(), |found| found.to_string());
                let message = format!("{found} cards came back of a hand of {}", self.hand);
                (!is_whole).then(|| Fault::new("procedure.forfeit_short", vec![scene.seq], message))
            }
            (Order::DealerHidden, _) if self.decides(body) => {
                let open = self.exposed(round).len();
                // What is put up when all of them are open is late.
                let late = matches!(body, Body::WagerPlaced(_)) && open >= self.hand;
                let seen = open > 0 && !late && !self.is_told_face_up(round);
                if !seen || !once(round, "deal.dealer_card_exposed") {
                    return None;
                }
                let message = "A card of the dealer was seen before the last decision".to_owned();
                fault("deal.dealer_card_exposed", message)
            }
            (Order::HoleCardsHidden, _) => {
                let open = self.exposed(round).len();
                let seen = match body {
                    Body::BettingClosed(call) => {
                        let second = self.is_second_call(round, call.window.as_deref());
                        let shown = |(_, body): &(u64, Body)| matches!(body, Body::CardRevealed(_));
                        second && open > self.up_cards && round.play.iter().any(shown)
                    }
                    body => {
                        let one = open == self.up_cards && self.multiple.is_some();
                        one && self.decides(body) && !self.is_told_face_up(round)
                    }
                };
                if !seen || !once(round, HOLE_CARD_EXPOSED) {
                    return None;
                }
                let message = "A hole card was seen before the betting was over".to_owned();
                fault(HOLE_CARD_EXPOSED, message)
            }
            (Order::Identification, Body::Irregularity(told)) if is_deferral(told) => {
                let message = "An award waits at the cage for the winner's identification";
                fault("progressive.deferred_no_id", message.to_owned())
            }
            _ => None,
        }
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
            Body::WagerPlaced(placed) => self.later.contains(&placed.kind.as_str()),
            _ => false,
        }
    }

    fn misplaced_up_card(&self, scene: &Scene<'_>, misplaced: bool) -> Option<Fault> {
        const CODE: &str = "deal.upcard";
        let wrong = misplaced && once(scene.round, CODE) && !self.is_told_face_up(scene.round);
        let message = "The dealer's open card is not his sixth, right after the fifth";
        wrong.then(|| Fault::new(CODE, vec![scene.seq], message.to_owned()))
    }

    /// Is this card out of its turn? Hands may come card by card or as a stack.
    fn breaks_turn(&self, round: &RoundFold, card: &CardDealt, house_may_lead: bool) -> bool {
        let place = |card: &CardDealt| {
            if is_house(card.to) {
                u32::MAX
            } else {
                card.seat.unwrap_or(0)
            }
        };
        let now = place(card);
        let mut turn: Vec<u32> = Vec::new();
        let mut had: Vec<u32> = Vec::new();
        for (_, card) in dealt(round) {
            let next = place(card);
            if turn.last() == Some(&next) {
                continue;
            }
            // After the house, or with somebody who had a card in this turn already, it begins again.
            if turn.contains(&next) || turn.last() == Some(&u32::MAX) && had.contains(&next) {
                turn.clear();
            }
            turn.push(next);
            had.push(next);
        }
        if is_irregular(round) {
            return false;
        }
        // Within a turn the seats rise and the house is last. Who is passed over has a card too few, which
        // is no matter of the order.
        match turn.last() {
            None => false,
            Some(&last) if last == now || turn.contains(&now) => false,
            Some(&u32::MAX) if had.contains(&now) => false,
            Some(&last) => now < last && !(house_may_lead && turn == [u32::MAX]),
        }
    }

    /// The dealer's stack is the first of an automated shoe (three card poker §9.B): is this a card of it after
    /// stacks of the players, at a table that says that it has such a shoe? A hand that is told as it is shown says
    /// nothing of its turn.
    fn is_stack_after_hands(&self, round: &RoundFold, card: &CardDealt) -> bool {
        let dealing = round.rules.option("dealing");
        if dealing.is_none_or(|way| way != "automated_shoe") {
            return false;
        }
        let before: Vec<&CardDealt> = dealt(round).map(|(_, card)| card).collect();
        let is_stack = |stack: &[&CardDealt]| {
            let is_of_it = |card: &&CardDealt| {
                !is_house(card.to) && card.seat == stack[0].seat && card.face == Face::Down
            };
            stack.len() == self.hand && stack.iter().all(is_of_it)
        };
        let mut play = round.play.iter();
        let is_decided = play.any(|(_, body)| self.decides(body));
        is_house(card.to)
            && card.face == Face::Down
            && !before.is_empty()
            && before.chunks(self.hand).all(is_stack)
            && !is_decided
            && !is_irregular(round)
    }

    /// A decision on a street whose card lies open already. Of a bet that names no amount the chips say which street
    /// it is on: with those of the next one the seat has left a street out.
    fn decides_late(&self, round: &RoundFold, body: &Body, seq: u64) -> Option<Fault> {
        let verb = |said: &Decision| Verb::of(&said.action);
        let is_open_bet =
            |said: &Decision| verb(said) == Some(Verb::Play) && self.staked(round, said).is_none();
        let open = self.exposed(round).len();
        let street = self.later.get(open.checked_sub(1)?)?;
        let next = self.later.get(open).copied();
        let (said, seq) = match (round.play.last(), body) {
            (_, Body::Decision(said)) if !is_open_bet(said) => (said, seq),
            (Some((_, Body::Decision(said))), Body::WagerPlaced(placed))
                if placed.seat == said.seat && Some(&*placed.kind) == next =>
            {
                return None;
            }
            (Some((seq, Body::Decision(said))), _) if is_open_bet(said) => (said, *seq),
            _ => return None,
        };
        if !matches!(verb(said)?, Verb::Play | Verb::Fold) || !once(round, "deal.community_early") {
            return None;
        }
        let seat = said.seat;
        let has = |street: &str| at(round, seat, street).is_some();
        let decided = has(street) || is_open_bet(said) && next.is_some_and(has);
        let folded = self.told(round, seat) == Some(Verb::Fold);
        let skipped = self.later[..open - 1].iter().any(|before| !has(before));
        // With its own street decided the seat speaks of the next one.
        if decided || folded || skipped {
            return None;
        }
        let message = format!("A card of the board was open before seat {seat} had decided");
        Some(Fault::new("deal.community_early", vec![seq], message).at_seat(seat))
    }

    /// Let it ride 9(c) in Massachusetts: an automated shoe deals the board as a stack whose top card comes to
    /// lie at the right, so that its places may be told from either end.
    pub(super) fn is_stack(&self, round: &RoundFold) -> bool {
        let dealing = round.rules.option("dealing");
        let automated = dealing.is_some_and(|way| way == "automated_shoe");
        self.game == "let_it_ride" && automated && round.rules.edition.starts_with("mgc-")
    }

    /// A feed that tells every card face up says nothing about what players saw.
    pub(super) fn is_told_face_up(&self, round: &RoundFold) -> bool {
        let mut hands = dealt(round)
            .filter(|(_, card)| !is_house(card.to))
            .peekable();
        hands.peek().is_some() && hands.all(|(_, card)| card.face == Face::Up)
    }
}

/// The kind whose system is locked when the game starts, and the window that tells of it.
const LOCKED: &str = "progressive";

/// What the rules know of a hole card that was seen.
pub(super) const HOLE_CARD_EXPOSED: &str = "deal.hole_card_exposed";

/// Is an award kept at the cage because its winner could not say who he is?
pub(super) fn is_deferral(told: &Irregularity) -> bool {
    let words = [
        "no_id",
        "no_identification",
        "without_id",
        "without_valid_id",
    ];
    words.iter().any(|word| told.kind.ends_with(word))
}

/// In Ohio an automated shoe, which is what a table has unless it says otherwise, deals the house first.
fn house_leads(round: &RoundFold) -> bool {
    let dealing = round.rules.option("dealing");
    let automated = dealing.is_none_or(|way| way == "automated_shoe");
    round.rules.edition.starts_with("oh-") && automated
}

/// Chips that were left lying while others of their kind were taken in. Where none was told to be taken
/// in, the feed does not tell it.
fn chips_left(scene: &Scene<'_>, kinds: &[&str], code: &'static str) -> Option<Fault> {
    let wagers = scene.round.wagers.iter();
    let chips = wagers.filter(|wager| kinds.contains(&wager.kind.as_str()));
    let (taken, left): (Vec<&WagerFold>, Vec<&WagerFold>) =
        chips.partition(|wager| wager.collected.is_some());
    if taken.is_empty() || left.is_empty() {
        return None;
    }
    let message = format!(
        "{} chips were taken in for {} wagers",
        taken.len(),
        taken.len() + left.len()
    );
    let evidence = left.iter().flat_map(|wager| wager.evidence.iter().copied());
    let evidence = evidence.chain([scene.seq]).collect();
    Some(Fault::new(code, evidence, message).of_wager(&left[0].id))
}

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

fn house_faces(round: &RoundFold) -> Vec<Face> {
    dealt(round)
        .filter(|(_, card)| is_house(card.to))
        .map(|(_, card)| card.face)
        .collect()
}

fn once(round: &RoundFold, code: &str) -> bool {
    !round.raised.iter().any(|raised| raised == code)
}

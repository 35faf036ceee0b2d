//! Texas Hold'em Bonus Poker. The flop wager is the decision to play; turn and river wagers may be
//! made or not.

use catwalk_events::Event;
use catwalk_events::body::{Body, CardPlace};
use catwalk_rules::Verdict;
use catwalk_rules::book::{Count, Street, Void};
use serde_json::Value;

use super::laid::{self, Laid};
use super::{Kept, checks, deals_stacks, due, play, progressive, special, stopped};
use crate::fault::Fault;
use crate::games::felt::Place;
use crate::games::{Documents, End, Following, Scene, felt};
use crate::round::{RoundFold, WagerFold};
use crate::standing::Standing;
use crate::table::RulesInForce;

pub(in crate::games) struct TexasBonus;

/// Community cards that must lie when the wager of a street is made, and from how many visible ones on it is too late.
fn street(round: &RoundFold, kind: &str) -> Option<(usize, usize)> {
    let mut streets = laid::layout(round)?.streets.iter();
    let is_of = |street: &&Street| street.acts.iter().any(|act| act == kind);
    let open = streets.find(is_of)?.open;
    Some((open, open + 1))
}

impl Laid for TexasBonus {
    const GAME: &'static str = "texas_holdem_bonus";
}

impl Documents for TexasBonus {
    fn wager(&self, round: &RoundFold, wager: &WagerFold) -> Value {
        Value::Object(laid::document_entry(round, wager))
    }

    fn play(&self, round: &RoundFold, _: &Standing) -> Result<Value, String> {
        let decision = |seat, void| decision(round, seat, void != Void::Nothing);
        Ok(play(round, decision, |seat| {
            felt::wager_of(round, seat, "flop").is_some()
        }))
    }
}

impl Following for TexasBonus {
    fn aside(
        &self,
        event: &Event,
        _: &RulesInForce,
        standing: &mut Standing,
        faults: &mut Vec<Fault>,
    ) -> bool {
        progressive::see_reading(event, standing, faults)
    }

    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        // § 11.C, E: turn and river are asked for clockwise; before the flop everybody decides when he likes.
        if scene
            .round
            .play
            .iter()
            .any(|(_, body)| felt::is_of_board(body))
        {
            felt::check_turn(scene, &["turn", "river"], "thb.turn_order", faults);
        }
        checks::see_bettor(scene, faults);
        checks::see_waiting_award(scene, faults);
        checks::see_settlement(scene, faults);
        let Body::WagerPlaced(placed) = scene.body else {
            return;
        };
        let Some((from, until)) = street(scene.round, &placed.kind) else {
            return;
        };
        let board = felt::community(&scene.round.play);
        let (code, word) = match felt::visible(&board) {
            shown if shown >= until => ("thb.street_late", "after its card was visible"),
            _ if board.len() < from => ("thb.street_out_of_stage", "before its street"),
            _ => return,
        };
        let message = format!("{} on {} was made {word}", placed.amount, placed.kind);
        let fault = Fault::new(code, vec![scene.seq], message);
        faults.push(fault.of_wager(&placed.wager).at_seat(placed.seat));
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, faults: &mut Vec<Fault>) {
        let mut kept = Kept::of(standing);
        let round = end.round;
        if !end.voided && !round.incomplete {
            if stopped(round) == Void::Nothing {
                felt::check_exposure(round, &laid::later(round), faults);
            }
            checks::check_told_exposure(end, faults);
            felt::check_order(round, order(round), faults);
            check_burns(round, &mut kept, faults);
            check_mucked(round, faults);
            mispaid(end, faults);
            checks::check_limit(end, faults);
            let folded = |seat| felt::wager_of(round, seat, "flop").is_none();
            progressive::check_awards(end, folded, faults);
            progressive::check_shares(end, &mut kept, faults);
            progressive::check_meter(end, &mut kept, faults);
        }
        standing.keep(&kept);
    }
}

fn decision(round: &RoundFold, seat: u32, void: bool) -> &'static str {
    let mut words = felt::decisions(&round.play, seat).map(|decision| decision.action.as_str());
    let staked = felt::wager_of(round, seat, "flop").is_some();
    let told = words.find(|word| matches!(*word, "fold" | "abandoned"));
    match told {
        Some("abandoned") => "abandoned",
        Some(_) => "fold",
        None if staked => "play",
        None if void => "pending",
        None if felt::is_taken_early(round, seat, "ante") => "fold",
        // § 11.A.ii: at a fold the ante goes before the flop comes.
        None if felt::is_taken_before(round, seat, "ante", felt::is_of_board) => "fold",
        None if felt::all_decisions(&round.play).next().is_none() => "fold",
        None => "pending",
    }
}

/// Players first, clockwise, then the dealer. § 8.D, 9.B, 10.B
fn order(round: &RoundFold) -> Vec<Place> {
    let seats = felt::seats(&round.play).into_iter().map(Place::Seat);
    let pass: Vec<Place> = seats.chain([Place::Dealer]).collect();
    match deals_stacks(round) {
        true => pass.iter().flat_map(|&place| [place; 2]).collect(),
        false => pass.repeat(2),
    }
}

/// How many cards of the board lie when a card is burned.
fn burns_due(round: &RoundFold) -> Vec<usize> {
    let mut dealt = 0;
    let mut due = Vec::new();
    for street in laid::layout(round)
        .iter()
        .flat_map(|layout| &layout.streets)
    {
        let count = |cards: &Count| cards.of(|option| round.rules.option(option));
        due.extend(vec![dealt; count(&street.burns)]);
        dealt += count(&street.board);
    }
    due
}

/// One burn before each street, where the feed tells burns at all. § 11.B, D, F
fn check_burns(round: &RoundFold, kept: &mut Kept, faults: &mut Vec<Fault>) {
    let mut dealt = 0;
    let mut burns = Vec::new();
    for (seq, body) in &round.play {
        match body {
            Body::CardBurned(_) => burns.push((*seq, dealt)),
            Body::CardDealt(card) if card.to == CardPlace::Community => dealt += 1,
            _ => {}
        }
    }
    kept.tells_burns |= !burns.is_empty();
    let at: Vec<usize> = burns.iter().map(|&(_, dealt)| dealt).collect();
    let whole = dealt == felt::BOARD && !felt::is_told(&round.play, "face_up_card");
    if kept.tells_burns && whole && at != burns_due(round) {
        let evidence = burns.iter().map(|&(seq, _)| seq).chain([round.opened_seq]);
        let message = "A card is burned before flop, turn and river, one each".to_owned();
        faults.push(Fault::new("deal.burn", evidence.collect(), message));
    }
}

/// Was the bonus of a folded hand taken at the fold, and its cards before anybody saw them?
fn is_mucked(round: &RoundFold, seat: u32) -> bool {
    let folded = felt::wager_of(round, seat, "flop").is_none();
    let cards = felt::hand(&round.play, seat);
    let unseen = cards.iter().any(|lying| lying.card.is_none());
    let left = felt::decisions(&round.play, seat).any(|told| told.action == "abandoned");
    folded && !left && unseen && felt::is_taken_early(round, seat, "bonus")
}

/// The cards of a folded hand stay until its bonus is settled. § 11.A.ii
fn check_mucked(round: &RoundFold, faults: &mut Vec<Fault>) {
    let mucked = felt::seats(&round.play).into_iter();
    let mucked = mucked.filter(|&seat| is_mucked(round, seat));
    for bonus in mucked.filter_map(|seat| felt::wager_of(round, seat, "bonus")) {
        let message = "taken at the fold with cards that nobody saw";
        faults.push(special("thb.bonus_mucked_on_fold", bonus, message));
    }
}

fn is_aces(cards: &[felt::Lying<'_>]) -> bool {
    let is_ace = |lying: &felt::Lying<'_>| lying.card.is_some_and(|card| card.starts_with('A'));
    cards.len() == 2 && cards.iter().all(is_ace)
}

/// What the page has a word of its own for, beside the difference.
fn mispaid(end: &End<'_>, faults: &mut Vec<Fault>) {
    for &(at, exposure) in end.mispaid {
        let Some(wager) = end.round.wagers.get(at) else {
            continue;
        };
        let own = due(end, wager.seat, &wager.kind);
        match wager.kind.as_str() {
            "ante"
                if own == Some(Verdict::Push)
                    && due(end, wager.seat, "flop") == Some(Verdict::Win) =>
            {
                let message = "paid or taken on a winning hand below the qualifier";
                faults.push(special("thb.ante_paid_below_qualifier", wager, message));
            }
            "bonus" => {
                let folded = felt::wager_of(end.round, wager.seat, "flop").is_none();
                if folded && own == Some(Verdict::Win) && wager.collected.is_some() {
                    let message = "taken with the cards at the fold";
                    faults.push(special("thb.bonus_mucked_on_fold", wager, message));
                }
                let own_aces = is_aces(&felt::hand(&end.round.play, wager.seat));
                let both = own_aces && is_aces(&felt::dealer(&end.round.play));
                // § 12.D pays a thousand to one at least.
                let supplement = wager.paid >= wager.amount.times(1000);
                if both || (exposure.is_positive() && supplement) {
                    let message = "not paid as the row of both aces says";
                    faults.push(special("thb.both_aces_error", wager, message));
                }
            }
            _ => {}
        }
    }
}

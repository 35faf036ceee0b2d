//! Ultimate Texas Hold'em. The `stage` of a play wager is what of the board was visible when it was
//! made, or what its detail says; where the board is never turned in the feed, its size tells.

use catwalk_events::Event;
use catwalk_events::body::Body;
use catwalk_rules::Verdict;
use catwalk_rules::book::Void;
use serde_json::{Value, json};

use super::laid::{self, Laid};
use super::{Kept, checks, deals_stacks, due, play, progressive, special, stopped};
use crate::fault::Fault;
use crate::games::felt::Place;
use crate::games::{Documents, End, Following, Scene, felt};
use crate::round::{RoundFold, WagerFold};
use crate::standing::Standing;
use crate::table::RulesInForce;

pub(in crate::games) struct Ultimate;

const STAGES: [&str; 3] = ["preflop", "flop", "river"];

impl Laid for Ultimate {
    const GAME: &'static str = "ultimate_texas_holdem";
}

impl Documents for Ultimate {
    fn wager(&self, round: &RoundFold, wager: &WagerFold) -> Value {
        let mut entry = laid::document_entry(round, wager);
        if wager.kind == "play" {
            entry.insert("stage".into(), json!(stage(round, wager)));
        }
        Value::Object(entry)
    }

    fn play(&self, round: &RoundFold, _: &Standing) -> Result<Value, String> {
        let decision = |seat, void| decision(round, seat, void != Void::Nothing);
        Ok(play(round, decision, |seat| {
            felt::wager_of(round, seat, "play").is_some()
        }))
    }
}

impl Following for Ultimate {
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
        felt::check_turn(scene, &["play"], "uth.turn_order", faults);
        checks::see_bettor(scene, faults);
        checks::see_waiting_award(scene, faults);
        checks::see_settlement(scene, faults);
        match scene.body {
            Body::WagerPlaced(placed) if placed.kind == "play" => {
                let shown = felt::shown(&scene.round.play);
                let told = felt::word_of(placed.detail.as_ref(), "stage");
                let told = told.filter(|told| STAGES.contains(&told.as_str()));
                let passed = |told: String| shown > 0 && told != stage_of(shown);
                // § 11: between the streets nobody may bet, and none when the dealer shows. A card of the
                // dealer that is seen before the board is whole is another matter: § 13.A.
                let dealer_shows = felt::has_dealer_shown(&scene.round.play);
                if dealer_shows || matches!(shown, 1 | 2 | 4) || told.is_some_and(passed) {
                    let message = format!(
                        "{} on play was made when its moment had passed",
                        placed.amount
                    );
                    let fault = Fault::new("uth.play_out_of_stage", vec![scene.seq], message);
                    faults.push(fault.of_wager(&placed.wager).at_seat(placed.seat));
                }
            }
            Body::WagerChanged(changed) => {
                let wager = scene.round.wager(&changed.wager);
                if let Some(wager) = wager.filter(|wager| wager.kind == "play")
                    && changed.amount > wager.amount
                {
                    let evidence = [wager.evidence.as_slice(), &[scene.seq]].concat();
                    let message = "A play wager that was made was raised".to_owned();
                    let fault = Fault::new("uth.play_twice", evidence, message);
                    faults.push(fault.of_wager(&wager.id).at_seat(wager.seat));
                }
            }
            _ => {}
        }
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, faults: &mut Vec<Fault>) {
        let mut kept = Kept::of(standing);
        let round = end.round;
        if !end.voided && !round.incomplete {
            if stopped(round) == Void::Nothing {
                felt::check_exposure(round, &["play"], faults);
            }
            checks::check_told_exposure(end, faults);
            felt::check_order(round, order(round), faults);
            mispaid(end, faults);
            checks::check_limit(end, faults);
            let folded = |seat| felt::wager_of(round, seat, "play").is_none();
            progressive::check_awards(end, folded, faults);
            progressive::check_shares(end, &mut kept, faults);
            progressive::check_meter(end, &mut kept, faults);
        }
        standing.keep(&kept);
    }
}

/// When a play wager was made.
fn stage(round: &RoundFold, wager: &WagerFold) -> String {
    if let Some(told) = felt::word_of(wager.detail.as_ref(), "stage") {
        return told;
    }
    if felt::shown(&round.play) == 0 {
        let ante = felt::wager_of(round, wager.seat, "ante");
        let ante = ante.map_or(0, |ante| ante.amount.get()).max(1);
        let by_size = match wager.amount.get() / ante {
            ..=1 => "river",
            2 => "flop",
            _ => "preflop",
        };
        return by_size.to_owned();
    }
    stage_of(felt::shown(&round.play[..wager.after_play])).to_owned()
}

fn stage_of(shown: usize) -> &'static str {
    match shown {
        0 => "preflop",
        1..=3 => "flop",
        _ => "river",
    }
}

fn decision(round: &RoundFold, seat: u32, void: bool) -> &'static str {
    let words = felt::decisions(&round.play, seat).map(|decision| decision.action.as_str());
    let folded = words.filter(|word| word.starts_with("fold")).last();
    let staked = felt::wager_of(round, seat, "play").is_some();
    // Before the flop, on it and on the river: who has checked three times has not folded.
    let checks = felt::decisions(&round.play, seat).filter(|told| told.action == "check");
    let checked_out = checks.count() > 2;
    match folded {
        Some("fold_keep_trips") => "fold_keep_trips",
        Some(_) => "fold",
        None if staked => "play",
        None if void => "pending",
        None if !checked_out && felt::is_taken_early(round, seat, "ante") => "fold",
        None if !checked_out && is_taken_first(round, seat) => "fold",
        // Played by word and without a wager, or not told at all.
        None if felt::decisions(&round.play, seat).any(|told| told.action == "play") => "play",
        None if felt::all_decisions(&round.play).next().is_none() => "fold",
        None => "pending",
    }
}

/// Where the feed turns no card of the dealer: was the ante taken before the wagers of anybody who plays were
/// settled, as it is at a fold? § 11.E.ii
fn is_taken_first(round: &RoundFold, seat: u32) -> bool {
    let is_shown = |(_, body): &(u64, Body)| felt::is_dealer_shown(body);
    let ante = felt::wager_of(round, seat, "ante").filter(|ante| ante.collected.is_some());
    let taken = ante.and_then(|ante| ante.evidence.last());
    let plays = |wager: &&WagerFold| felt::wager_of(round, wager.seat, "play").is_some();
    let settled = round.wagers.iter().filter(plays);
    let settled: Vec<&WagerFold> = settled.filter(|wager| wager.is_touched()).collect();
    let is_first = |taken: &u64| {
        let after = |wager: &&WagerFold| wager.evidence.last().is_some_and(|seq| seq > taken);
        !settled.is_empty() && settled.iter().all(after)
    };
    taken.is_some_and(is_first) && !round.play.iter().any(is_shown)
}

/// The order in which the first cards come. § 8.C, 9.B, 10.B
fn order(round: &RoundFold) -> Vec<Place> {
    let seats = felt::seats(&round.play).into_iter().map(Place::Seat);
    if deals_stacks(round) {
        let dealer = [Place::Dealer; 2];
        let stacks = [Place::Community; 5].into_iter().chain(dealer);
        return stacks.chain(seats.flat_map(|seat| [seat; 2])).collect();
    }
    let pass: Vec<Place> = [Place::Dealer].into_iter().chain(seats).collect();
    pass.repeat(2)
}

/// What the page has a word of its own for, beside the difference.
fn mispaid(end: &End<'_>, faults: &mut Vec<Fault>) {
    for &(at, _) in end.mispaid {
        let Some(wager) = end.round.wagers.get(at) else {
            continue;
        };
        let own = due(end, wager.seat, &wager.kind);
        let play = due(end, wager.seat, "play");
        let pushes = own == Some(Verdict::Push);
        match wager.kind.as_str() {
            "ante" if pushes && matches!(play, Some(Verdict::Win | Verdict::Lose)) => {
                let message = "paid or taken although the dealer had less than a pair";
                faults.push(special("uth.ante_paid_unqualified", wager, message));
            }
            "blind" if pushes && play == Some(Verdict::Win) && wager.paid.is_positive() => {
                let message = "paid on a hand below a straight";
                faults.push(special("uth.blind_paid_below_straight", wager, message));
            }
            "trips"
                if own == Some(Verdict::Win)
                    && wager.collected.is_some()
                    && decision(end.round, wager.seat, false) == "fold_keep_trips" =>
            {
                let message = "taken although the cards were left under it";
                faults.push(special("uth.trips_taken_on_kept_fold", wager, message));
            }
            _ => {}
        }
    }
}

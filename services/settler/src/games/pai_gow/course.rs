//! The course of a round: what only the order of its events shows.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, Decision, HandSet, WagerForm, WagerPlaced};
use catwalk_rules::Verdict;

use super::bank::Past;
use super::words::is_said;
use super::{
    Variant, bank, deal, has_pieces, is_dealt, is_declared_void, is_ohio, position_of, setting,
    shaker,
};
use crate::fault::Fault;
use crate::games::{End, Scene};
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};

pub(super) fn see(variant: &Variant, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    if scene.round.incomplete {
        return;
    }
    match scene.body {
        Body::WagerPlaced(placed) => {
            check_form(scene, placed, faults);
            check_bank_order(variant, scene, placed, faults);
            check_style(scene, faults);
        }
        Body::WagerChanged(_) | Body::BettingClosed(_) => check_style(scene, faults),
        Body::DiceRolled(roll) if roll.valid => shaker::check(variant, scene, faults),
        Body::Decision(said) if is_said(said, "surrender") => {
            check_surrender(variant, scene, said, faults);
        }
        Body::HandSet(set) => check_setting(variant, scene, set, faults),
        _ => {}
    }
    let first_piece = is_dealt(scene.body) && !has_pieces(scene.round);
    if first_piece {
        let past = Past::of(scene.standing);
        past.shaker.check_wash(variant, scene, faults);
    }
    if let Some((code, message)) = shaker::told_short(variant, scene.body)
        && scene.is_fresh(code)
    {
        faults.push(Fault::new(code, vec![scene.seq], message));
    }
}

/// No wager is made in cash or by word.
fn check_form(scene: &Scene<'_>, placed: &WagerPlaced, faults: &mut Vec<Fault>) {
    if placed.form == Some(WagerForm::Cash) {
        let message = format!("{} on {} lies in cash", placed.amount, placed.kind);
        let fault = Fault::new("wager.verbal_cash", vec![scene.seq], message);
        faults.push(fault.of_wager(&placed.wager).at_seat(placed.seat));
    }
}

fn check_bank_order(
    variant: &Variant,
    scene: &Scene<'_>,
    placed: &WagerPlaced,
    faults: &mut Vec<Fault>,
) {
    if let Some(code) = variant.bank_order
        && placed.kind == "bank"
        && !bank::is_offered_in_turn(scene.round, placed.seat)
    {
        let message = "The bank was not offered counterclockwise".to_owned();
        let fault = Fault::new(code, scene.shown_by_play(), message);
        faults.push(fault.of_wager(&placed.wager).at_seat(placed.seat));
    }
}

/// A surrender comes before the player's own hand is exposed; with tiles, after the dealer's is set.
fn check_surrender(variant: &Variant, scene: &Scene<'_>, said: &Decision, faults: &mut Vec<Fault>) {
    let round = scene.round;
    let play = || round.play.iter().map(|(_, body)| body);
    // What is shown before hands are set, as for a bonus on the first cards, exposes none.
    let mut since_set = play().skip_while(|body| !matches!(body, Body::HandSet(_)));
    let is_turned = since_set.any(|body| match body {
        Body::CardRevealed(shown) => {
            deal::position_of_card(shown.to, shown.seat, round) == Some(said.seat)
        }
        _ => false,
    });
    // Players set before the dealer does: a hand that is told after his was exposed.
    let is_of = |body: &Body, position| matches!(body, Body::HandSet(set) if position_of(round, set) == Some(position));
    let mut since_dealer = play().skip_while(|body| !is_of(body, 0));
    // The bank's may be told among the players': only a hand that is told again was exposed then.
    let bank = bank::seat(round).unwrap_or_default();
    let before_bank = play().take_while(|body| !is_of(body, bank));
    let mut since_bank = play().skip_while(|body| !is_of(body, bank));
    let is_told = since_dealer.any(|body| is_of(body, said.seat))
        || before_bank.into_iter().any(|body| is_of(body, said.seat))
            && since_bank.any(|body| is_of(body, said.seat));
    if is_turned || is_told {
        let message = format!("Seat {} surrendered after its hand was exposed", said.seat);
        let fault = Fault::new(variant.surrender_late, scene.shown_by_play(), message);
        faults.push(fault.at_seat(said.seat));
    }
}

/// 8(i): the bank chooses how tiles are delivered when betting has closed. That it was open still is
/// shown by a later wager or call.
fn check_style(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    const CODE: &str = "pai_gow.style_not_offered";
    let mut said = bank::decisions(scene.round);
    let chosen = said.find(|(_, said)| deal::is_style(said));
    if let Some((seq, _)) = chosen
        && !scene.round.is_closed(MAIN_WINDOW)
        && scene.is_fresh(CODE)
    {
        let message = "A delivery style was chosen before betting had closed".to_owned();
        faults.push(Fault::new(CODE, vec![seq, scene.seq], message));
    }
}

fn check_setting(variant: &Variant, scene: &Scene<'_>, set: &HandSet, faults: &mut Vec<Fault>) {
    let round = scene.round;
    let Some(position) = position_of(round, set) else {
        return;
    };
    // The dealer may set the bank's hand again, and in Ohio the third of a player.
    if position == 0 || bank::seat(round) == Some(position) {
        return check_early_surrender(variant, scene, faults);
    }
    let is_reset = has_three_areas(variant, round, position);
    // What is told when hands are exposed says nothing about who set first.
    let is_exposure = setting(round, 0).is_some();
    match setting(round, position) {
        Some(before) if !is_reset && !is_same(before, set) => {
            let message = format!("The hand at seat {position} was changed after it was set");
            let fault = Fault::new(variant.set_touched, scene.shown_by_play(), message);
            faults.push(fault.at_seat(position));
        }
        None if !is_exposure => check_set_order(variant, scene, position, faults),
        _ => {}
    }
}

/// 7.D of the Ohio text
fn has_three_areas(variant: &Variant, round: &RoundFold, seat: u32) -> bool {
    let mains = || {
        round
            .wagers
            .iter()
            .filter(|wager| wager.kind == variant.main)
    };
    let own = mains().find(|wager| wager.seat == seat && wager.player.is_some());
    let areas = own.map(|own| mains().filter(|wager| wager.player == own.player).count());
    is_ohio(&round.rules) && areas == Some(3)
}

/// With tiles, a surrender that came before the dealer's hand was set, nor the bank's in his place.
fn check_early_surrender(variant: &Variant, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    let round = scene.round;
    let mut against = [Some(0), bank::seat(round)].into_iter().flatten();
    let is_set = against.any(|position| setting(round, position).is_some());
    if variant.positions != 8 || is_set {
        return;
    }
    let said = bank::decisions(scene.round);
    for (seq, said) in said.filter(|(_, said)| is_said(said, "surrender")) {
        let whose = match bank::seat(round) {
            Some(_) => "dealer's or the bank's",
            None => "dealer's",
        };
        let message = format!(
            "Seat {} surrendered before the {whose} hand was set",
            said.seat
        );
        let fault = Fault::new(variant.surrender_late, vec![seq, scene.seq], message);
        faults.push(fault.at_seat(said.seat));
    }
}

/// A player with several areas sets the largest wager first; of equal ones, counterclockwise. That one was
/// set too early is known when the one before it is set: a hand may be surrendered and never be told of.
fn check_set_order(variant: &Variant, scene: &Scene<'_>, seat: u32, faults: &mut Vec<Fault>) {
    let round = scene.round;
    // A second wager on an area cannot stand.
    let mut mains: BTreeMap<u32, &WagerFold> = BTreeMap::new();
    let wagers = round.wagers.iter();
    for wager in wagers.filter(|wager| wager.kind == variant.main && !wager.late) {
        mains.entry(wager.seat).or_insert(wager);
    }
    let own = mains.get(&seat).filter(|wager| wager.player.is_some());
    let Some(own) = own else {
        return;
    };
    let early = mains.values().find(|other| {
        other.player == own.player
            && other.seat != seat
            && setting(round, other.seat).is_some()
            && (own.amount > other.amount || own.amount == other.amount && seat < other.seat)
    });
    if let Some(early) = early {
        let early = early.seat;
        let message = format!("Seat {early} was set before seat {seat} of the same player");
        let fault = Fault::new(variant.set_order, scene.shown_by_play(), message);
        faults.push(fault.at_seat(early));
    }
}

fn is_same(one: &HandSet, other: &HandSet) -> bool {
    let sorted = |pieces: &[String]| {
        let mut pieces = pieces.to_vec();
        pieces.sort_unstable();
        pieces
    };
    let [one, other] = [one, other].map(|set| {
        // Tiles in the wrong boxes are read the right way round.
        let mut sides = [sorted(&set.high), sorted(&set.low)];
        sides.sort_unstable();
        sides
    });
    one == other
}

/// What only the end of the round shows.
pub(super) fn end(variant: &Variant, end: &End<'_>, faults: &mut Vec<Fault>) {
    let Some(settlement) = end.settlement else {
        return;
    };
    let round = end.round;
    let mains = || {
        let mains = round
            .wagers
            .iter()
            .filter(|wager| wager.kind == variant.main);
        mains.filter(|wager| !wager.late)
    };
    let is_void = |id: &str| {
        let mut rows = settlement.wagers().iter();
        rows.any(|row| row.id.as_str() == id && row.result == Verdict::Void)
    };
    // The hand of one area may be void by itself.
    let of_round = || mains().filter(|wager| !is_void_alone(end, wager.seat));
    let played = of_round().find(|wager| wager.paid.is_positive() || wager.collected.is_some());
    if let Some(wager) = played
        && of_round().all(|wager| is_void(&wager.id))
    {
        let message = "The round is void and was paid and collected all the same".to_owned();
        let fault = Fault::new(variant.void_not_declared, wager.evidence.clone(), message);
        faults.push(fault.of_wager(&wager.id));
    }
}

/// A hand that came short, in a round that nobody called off.
pub(super) fn check_count(
    variant: &Variant,
    end: &End<'_>,
    short: Option<(u32, usize)>,
    faults: &mut Vec<Fault>,
) {
    let round = end.round;
    let (code, what) = match variant.size {
        4 => ("deal.tile_count", "tiles"),
        _ => ("deal.card_count", "cards"),
    };
    let is_open = !end.voided && !end.untold && !round.incomplete && !is_declared_void(round);
    let mut settled = end.settlement.into_iter();
    let is_shown = settled.any(|settlement| settlement.violations().contains(code));
    if let Some((position, pieces)) = short.filter(|_| is_open && !is_shown) {
        let whose = match position {
            0 => "The dealer".to_owned(),
            seat => format!("Seat {seat}"),
        };
        let size = variant.size;
        let message = format!("{whose} has {pieces} of the {size} {what} of a hand");
        let evidence = round.play.iter().map(|(seq, _)| *seq).chain([end.seq]);
        faults.push(Fault::new(code, evidence.collect(), message));
    }
}

/// Did its player void the hand of this area, or was it called dead? 11(d); 15.A
fn is_void_alone(end: &End<'_>, seat: u32) -> bool {
    let told = end
        .document
        .map(|document| &document["play"]["irregularities"]);
    let told = told.and_then(|told| told.as_array()).into_iter().flatten();
    let mut of_seat = told.filter(|told| told["seat"] == seat);
    of_seat.any(|told| told["choice"] == "void" || told["ruling"] == "dead")
}

/// Massachusetts deals clockwise, an automated shoe in Ohio counterclockwise: that the shoe is one, the
/// table posts or `by_machine` tells of it. Positions count counterclockwise.
pub(super) fn check_direction(
    variant: &Variant,
    end: &End<'_>,
    by_machine: bool,
    faults: &mut Vec<Fault>,
) {
    let round = end.round;
    if variant.game != "pai_gow_poker" || end.settlement.is_none() {
        return;
    }
    let dealt = deal::read(variant, round);
    let posted = round.rules.option("deal_method");
    let is_auto = posted.map_or(by_machine, |method| method == "auto_shoe");
    let backwards = match is_ohio(&round.rules) {
        false => true,
        true if is_auto => false,
        true => return,
    };
    let step = |from: u32, to: u32| (from + 1) % variant.positions == to;
    let mut pairs = dealt.order.windows(2);
    let steps = match deal::told_from(variant, round, &dealt) {
        // 17(e): from the leftmost area with a wager to the first, then the dealer.
        Some(deal::Told::FromLeft) => pairs.all(|pair| pair[0] > pair[1]),
        Some(deal::Told::Whole) if backwards => pairs.all(|pair| step(pair[1], pair[0])),
        Some(deal::Told::Whole) => pairs.all(|pair| step(pair[0], pair[1])),
        None => true,
    };
    if !steps {
        let message = "The hands were not dealt around the table in their direction".to_owned();
        let play = round.play.iter().map(|(seq, _)| *seq).chain([end.seq]);
        faults.push(Fault::new(
            "pai_gow_poker.deal_direction",
            play.collect(),
            message,
        ));
    }
}

//! Colorado Hold'em Poker. A hand is played by its bet wager or by a `decision`; which card was put
//! down is told by the decision (`"discard 5C"`), by a `hand_set` of the two cards kept, or by the two
//! cards that were turned at the end.

use catwalk_events::body::Body;
use catwalk_rules::UNSEEN;
use catwalk_rules::book::Void;
use catwalk_rules::floor::Card;
use serde_json::{Map, Value, json};

use super::laid::{self, Laid};
use super::{checks, deals_stacks, stopped, told};
use crate::fault::Fault;
use crate::games::felt::Place;
use crate::games::{Documents, End, Following, Scene, felt, settling};
use crate::round::{RoundFold, WagerFold};
use crate::standing::Standing;

pub(in crate::games) struct Colorado;

impl Laid for Colorado {
    const GAME: &'static str = "colorado_holdem";
}

impl Documents for Colorado {
    fn wager(&self, round: &RoundFold, wager: &WagerFold) -> Value {
        Value::Object(laid::document_entry(round, wager))
    }

    fn play(&self, round: &RoundFold, _: &Standing) -> Result<Value, String> {
        let irregularities = told(round);
        let void = stopped(round) != Void::Nothing;
        let board = felt::community(&round.play);
        let seats = felt::seats(&round.play);
        let played = |&seat: &u32| action(round, seat, void) == "play";
        let board = match void || seats.iter().any(played) {
            true => felt::told(&board),
            // All were folded or declared, and the row had nothing to show.
            false => felt::told_or_dealt(&board, 3),
        };
        let hands = seats.iter().map(|&seat| hand(round, seat, void));
        let hands: Vec<Value> = hands.collect::<Result<_, _>>()?;
        let mut play = Map::new();
        play.insert("board".into(), json!(board));
        play.insert("hands".into(), json!(hands));
        if !irregularities.is_empty() {
            play.insert("irregularities".into(), json!(irregularities));
        }
        Ok(Value::Object(play))
    }
}

impl Following for Colorado {
    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        checks::see_bettor(scene, faults);
        felt::check_turn(scene, &["bet"], "colorado.turn_order", faults);
        see_settlement(scene, faults);
        let shown = || felt::shown(&scene.round.play) > 0;
        match scene.body {
            Body::WagerPlaced(placed) if placed.kind == "bet" && shown() => {
                let message = format!(
                    "{} on bet was made after a community card was visible",
                    placed.amount
                );
                let fault = Fault::new("colorado.bet_late", vec![scene.seq], message);
                faults.push(fault.of_wager(&placed.wager).at_seat(placed.seat));
            }
            Body::Decision(decision) if is_instant(&decision.action) && shown() => {
                let message = "An instant winner was declared after a community card was visible";
                let fault = Fault::new(
                    "colorado.instant_after_board",
                    vec![scene.seq],
                    message.to_owned(),
                );
                faults.push(fault.at_seat(decision.seat));
            }
            _ => {}
        }
        faults.extend(exchange(scene));
    }

    fn end(&self, end: &End<'_>, _: &mut Standing, faults: &mut Vec<Fault>) {
        let round = end.round;
        if !end.voided && !round.incomplete {
            check_exposure(round, faults);
            felt::check_order(round, order(round), faults);
            checks::check_limit(end, faults);
        }
    }
}

/// When the community cards are turned, the hands that were played are turned and settled counterclockwise. An instant
/// winner was paid before, and a fold taken. s.10(b),(d), 11(b),(d)
fn see_settlement(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    let is_played = |seat: u32| action(scene.round, seat, false) == "play";
    let in_turn = |wager: &WagerFold, _: &WagerFold| is_played(wager.seat);
    settling::check_turns(scene, felt::is_board_shown, in_turn, faults);
    settling::check_turned(scene, felt::is_board_shown, is_played, faults);
}

/// The text calls it an instant and an immediate winner, and declaring is what is done with one. s.10(b)3, 14(d)
fn is_instant(action: &str) -> bool {
    let words = ["instant", "immediate", "declare"];
    words.iter().any(|word| action.contains(word))
}

fn hand(round: &RoundFold, seat: u32, void: bool) -> Result<Value, String> {
    let action = action(round, seat, void);
    let mut hand = Map::new();
    let mut cards = felt::told(&felt::hand(&round.play, seat));
    if action == "play" {
        let (dealt, discard) = discard(round, seat)?;
        hand.insert("discard".into(), json!(discard));
        cards = dealt;
    }
    hand.insert("seat".into(), json!(seat));
    hand.insert("cards".into(), json!(cards));
    hand.insert("action".into(), json!(action));
    Ok(Value::Object(hand))
}

fn action(round: &RoundFold, seat: u32, void: bool) -> &'static str {
    let words: Vec<&str> = felt::decisions(&round.play, seat)
        .map(|decision| decision.action.as_str())
        .collect();
    let played = |word: &&str| {
        matches!(*word, "play" | "bet" | "raise" | "check" | "stay") || word.starts_with("discard")
    };
    let staked = felt::wager_of(round, seat, "bet").is_some();
    let optional = round
        .rules
        .option("version")
        .is_some_and(|version| version == "permissible");
    if words.iter().any(|word| is_instant(word)) {
        "instant"
    } else if words.contains(&"fold") {
        "fold"
    } else if staked || words.iter().any(played) || is_played_by_cards(round, seat) {
        "play"
    } else if void {
        "pending"
    } else if felt::is_taken_before(round, seat, "ante", felt::is_board_shown) {
        // s.10(b)2: at a fold the ante goes before a community card is turned.
        "fold"
    } else if felt::all_decisions(&round.play).next().is_none() {
        // A feed without decisions: what was not bet on was folded where it must be.
        if optional { "play" } else { "fold" }
    } else {
        "pending"
    }
}

/// Were two cards kept, or turned beside the community cards? s.10(d), 11(d)
fn is_played_by_cards(round: &RoundFold, seat: u32) -> bool {
    let turned = felt::visible(&felt::hand(&round.play, seat));
    kept_by_hand_set(round, seat).is_some() || turned == 2
}

/// The three cards of a hand that was played, and the one put down.
fn discard(round: &RoundFold, seat: u32) -> Result<(Vec<String>, String), String> {
    let lying = felt::hand(&round.play, seat);
    let spoken = felt::decisions(&round.play, seat).find_map(|decision| card_in(&decision.action));
    let kept = kept_by_hand_set(round, seat);
    let named = spoken.iter().chain(kept.iter().flatten()).cloned();
    let cards = felt::told_with(&lying, named.collect());
    let left = || {
        let mut left = cards.clone();
        for card in kept.iter().flatten() {
            if let Some(at) = left.iter().position(|other| other == card) {
                left.remove(at);
            }
        }
        left.into_iter().next().filter(|_| kept.is_some())
    };
    let only = |is_it: &dyn Fn(&felt::Lying<'_>) -> bool| {
        let at: Vec<usize> = (0..lying.len()).filter(|&at| is_it(&lying[at])).collect();
        match at.as_slice() {
            &[at] => cards.get(at).cloned(),
            _ => None,
        }
    };
    // Where two cards were seen, what nobody saw is the discard; where all were, what was not turned.
    let unseen = || only(&|lying| lying.card.is_none());
    let unturned = || only(&|lying| !lying.visible);
    let discard = spoken.or_else(left).or_else(unseen).or_else(unturned);
    let hidden = lying.iter().filter(|lying| !lying.visible);
    let hidden: Vec<bool> = hidden.map(|lying| lying.card.is_some()).collect();
    match discard {
        Some(discard) => Ok((cards, discard)),
        None if hidden.contains(&true) && hidden.contains(&false) => {
            Err(format!("the card that seat {seat} put down was not told"))
        }
        None => Ok((cards, UNSEEN.to_owned())),
    }
}

/// Another card is put down than before. s.10(b)1
fn exchange(scene: &Scene<'_>) -> Option<Fault> {
    let play = &scene.round.play;
    let (seat, card) = put_down(play, scene.body)?;
    let before = play.iter().filter_map(|(_, body)| put_down(play, body));
    let mut others = before.filter(|(at, other)| *at == seat && *other != card);
    let (_, other) = others.next()?;
    let message = format!("Seat {seat} put {card} down after {other}");
    let fault = Fault::new("colorado.discard_count", vec![scene.seq], message);
    Some(fault.at_seat(seat))
}

/// The seat and the card that an event tells as put down.
fn put_down(play: &felt::Play, body: &Body) -> Option<(u32, String)> {
    match body {
        Body::Decision(decision) => Some((decision.seat, card_in(&decision.action)?)),
        Body::HandSet(set) => {
            let seat = set.seat?;
            let dealt = felt::hand(play, seat);
            let dealt: Option<Vec<&str>> = dealt.iter().map(|lying| lying.card).collect();
            let mut left = dealt.unwrap_or_default().into_iter();
            let kept = |card: &&str| !set.high.iter().any(|kept| kept == card);
            let left = left.find(kept).map(str::to_owned);
            Some((seat, set.low.first().cloned().or(left)?))
        }
        _ => None,
    }
}

/// The card that ends a spoken choice, as in `discard 5C`.
fn card_in(action: &str) -> Option<String> {
    let card = action.get(action.len().checked_sub(3)?..)?;
    let card = card
        .trim_start_matches([' ', ':', '_', '-', '='])
        .to_uppercase();
    card.parse::<Card>().ok().map(|card| card.to_string())
}

/// The two cards that a `hand_set` keeps.
fn kept_by_hand_set(round: &RoundFold, seat: u32) -> Option<Vec<String>> {
    round.play.iter().rev().find_map(|(_, body)| match body {
        Body::HandSet(set) if set.seat == Some(seat) => Some(set.high.clone()),
        _ => None,
    })
}

/// A community card was visible before a seat had decided at all. s.10(c), 11(c)
fn check_exposure(round: &RoundFold, faults: &mut Vec<Fault>) {
    let mut play = round.play.iter();
    let Some(exposed) = play.position(|(_, body)| felt::is_board_shown(body)) else {
        return;
    };
    let (before, after) = round.play.split_at(exposed);
    let decided = |seat: u32| {
        felt::decisions(before, seat).next().is_some()
            || felt::wager_of(round, seat, "bet").is_some_and(|bet| bet.after_play <= exposed)
    };
    let late = felt::all_decisions(after).find(|decision| !decided(decision.seat));
    if let Some(late) = late {
        let message = format!(
            "Seat {} decided when community cards were visible",
            late.seat
        );
        let evidence = vec![round.play[exposed].0];
        let fault = Fault::new("deal.community_exposed_early", evidence, message);
        faults.push(fault.at_seat(late.seat));
    }
}

/// One card to each bettor and one to the community row, three times. s.7(c), 8(c)
fn order(round: &RoundFold) -> Vec<Place> {
    let seats = felt::seats(&round.play).into_iter().map(Place::Seat);
    let pass: Vec<Place> = seats.chain([Place::Community]).collect();
    match deals_stacks(round) {
        true => pass.iter().flat_map(|&place| [place; 3]).collect(),
        false => pass.repeat(3),
    }
}

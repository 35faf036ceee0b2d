//! Hands that were given up and went away unseen: 7(f)2, 9(e)2; 13.E.
//!
//! A document has no word for cards that nobody saw. Such a hand decides nothing for the main wager; what
//! else depends on it is not judged.

use catwalk_rules::floor::Card;
use catwalk_rules::games::lay_cards_the_house_way;
use catwalk_rules::hands::joker::LowStraight;
use serde_json::{Value, json};

use super::words::is_said;
use super::{Variant, bank, deal, setting, spare};
use crate::round::RoundFold;

/// Wagers that a surrender is not allowed with in Massachusetts. 9(e)
const BARS: [&str; 2] = ["progressive", "seven_card_bonus"];

pub(super) fn is_given_up(round: &RoundFold, seat: u32) -> bool {
    let mut said = bank::decisions(round).filter(|(_, said)| said.seat == seat);
    said.any(|(_, said)| is_said(said, "surrender") || is_said(said, "abandon"))
}

/// A surrender that was not allowed leaves the hand in play: where nobody told how it lay, it lies the
/// house way.
pub(super) fn lay(round: &RoundFold, hand: &mut Value) {
    let mut wagers = round.wagers.iter().filter(|wager| !wager.late);
    let is_barred =
        wagers.any(|wager| hand["seat"] == wager.seat && BARS.contains(&wager.kind.as_str()));
    if is_barred && hand["high"].is_null() {
        lay_the_house_way(round, hand);
    }
}

fn lay_the_house_way(round: &RoundFold, hand: &mut Value) {
    let posted = round.rules.option("low_straight");
    let low_straight = match posted.is_some_and(|place| place == "lowest") {
        true => LowStraight::Lowest,
        false => LowStraight::SecondHighest,
    };
    let cards = hand["cards"].as_array().into_iter().flatten();
    let cards: Option<Vec<Card>> = cards.map(|card| card.as_str()?.parse().ok()).collect();
    let cards = cards.and_then(|cards| <[Card; 7]>::try_from(cards).ok());
    let laid = cards.and_then(|cards| lay_cards_the_house_way(&cards, low_straight));
    if let Some((high, low)) = laid {
        hand["high"] = json!(high.map(|card| card.to_string()));
        hand["low"] = json!(low.map(|card| card.to_string()));
    }
}

/// The document with four of a kind where nobody saw the hand: true if there is one.
pub(super) fn doubt(variant: &Variant, round: &RoundFold, document: &mut Value) -> bool {
    let dealt = deal::read(variant, round);
    let mut premium = spare::premium_hands(round);
    let hands = document["play"]["hands"].as_array_mut();
    let mut is_doubtful = false;
    for hand in hands.into_iter().flatten() {
        let seat = hand["seat"]
            .as_u64()
            .and_then(|seat| u32::try_from(seat).ok());
        let is_unseen = seat.is_some_and(|seat| {
            is_given_up(round, seat) && !dealt.is_known(seat, setting(round, seat))
        });
        if let Some(cards) = premium.next_if(|_| variant.size == 7 && is_unseen) {
            hand["cards"] = json!(cards);
            if !hand["high"].is_null() {
                lay_the_house_way(round, hand);
            }
            is_doubtful = true;
        }
    }
    is_doubtful
}

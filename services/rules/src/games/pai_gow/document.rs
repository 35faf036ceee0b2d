//! What is malformed in a round document of pai gow.

use super::{Deal, Hand, Irregularity, IrregularityKind, Kind, Play, Wager};
use crate::floor::{Seat, Tile, TileCounts};
use crate::games::shared::pai_gow::{self, NOT_AN_AREA};
use crate::refusal::Refusal;

/// Refuses what describes no round. Whether hands and settings that are needed are there shows
/// when they are read.
pub(super) fn check_document(wagers: &[Wager], play: &Play) -> Result<(), Refusal> {
    for (index, wager) in wagers.iter().enumerate() {
        let what = match wager.kind {
            Kind::DealerVsBank if wager.seat != Seat::HOUSE => {
                "the dealer's own wager is at seat 0"
            }
            Kind::PaiGow | Kind::Bank if !pai_gow::is_area(wager.seat) => NOT_AN_AREA,
            _ => continue,
        };
        return Err(Refusal::at(format!("wagers[{index}].seat"), what));
    }
    let entries = wagers.iter().enumerate();
    let entries: Vec<(usize, Seat)> = entries
        .filter(|(_, wager)| wager.kind == Kind::Bank)
        .map(|(index, wager)| (index, wager.seat))
        .collect();
    pai_gow::bank_of(
        play.mode,
        play.bank_seat,
        play.bank_check.is_some(),
        &entries,
    )?;
    if let Some(dealer) = &play.dealer {
        check_whole(&dealer.high, &dealer.low, "play.dealer")?;
    }
    for (index, hand) in play.hands.iter().enumerate() {
        check_hand(&play.hands[..index], hand, &format!("play.hands[{index}]"))?;
    }
    check_deal(&play.deal)?;
    for (index, irregularity) in play.irregularities.iter().enumerate() {
        check_irregularity(irregularity, &format!("play.irregularities[{index}]"))?;
    }
    Ok(())
}

fn check_hand(earlier: &[Hand], hand: &Hand, place: &str) -> Result<(), Refusal> {
    if !pai_gow::is_area(hand.seat) {
        return Err(Refusal::at(format!("{place}.seat"), NOT_AN_AREA));
    }
    if earlier.iter().any(|other| other.seat == hand.seat) {
        let what = format!("area {} has two hands", hand.seat);
        return Err(Refusal::at(format!("{place}.seat"), what));
    }
    check_whole(&hand.high, &hand.low, place)
}

fn check_whole(
    high: &Option<Vec<Tile>>,
    low: &Option<Vec<Tile>>,
    place: &str,
) -> Result<(), Refusal> {
    let missing = match (high, low) {
        (Some(_), None) => "low",
        (None, Some(_)) => "high",
        _ => return Ok(()),
    };
    Err(Refusal::at(
        place,
        format!("the key {missing:?} is missing"),
    ))
}

fn check_deal(deal: &Deal) -> Result<(), Refusal> {
    if deal.first.is_some_and(|first| first > 7) {
        let what = "positions are 0 (the dealer) to 7 (the dead hand)";
        return Err(Refusal::at("play.deal.first", what));
    }
    if deal.stacks.is_some() && deal.first.is_none() {
        return Err(Refusal::at("play.deal", "the key \"first\" is missing"));
    }
    Ok(())
}

fn check_irregularity(irregularity: &Irregularity, place: &str) -> Result<(), Refusal> {
    let due = irregularity.kind == IrregularityKind::PlayerTileExposed;
    let keys = [
        ("seat", irregularity.seat.is_some()),
        ("choice", irregularity.choice.is_some()),
    ];
    for (key, given) in keys {
        match (due, given) {
            (true, false) => {
                return Err(Refusal::at(place, format!("the key {key:?} is missing")));
            }
            (false, true) => {
                let what = "no key of this irregularity";
                return Err(Refusal::at(format!("{place}.{key}"), what));
            }
            _ => {}
        }
    }
    match irregularity.seat {
        Some(seat) if !pai_gow::is_area(seat) => {
            Err(Refusal::at(format!("{place}.seat"), NOT_AN_AREA))
        }
        _ => Ok(()),
    }
}

/// The setting of four dealt tiles, refused if it is not two and two of them.
pub(super) fn read_split(
    tiles: [Tile; 4],
    high: &[Tile],
    low: &[Tile],
    place: &str,
) -> Result<[[Tile; 2]; 2], Refusal> {
    let bag = |tiles: &[Tile]| tiles.iter().copied().collect::<TileCounts>();
    let laid = [high, low].concat();
    match (high.try_into(), low.try_into()) {
        (Ok(high), Ok(low)) if bag(&laid) == bag(&tiles) => Ok([high, low]),
        _ => Err(Refusal::at(
            format!("{place}.high"),
            "high and low are not two and two of the dealt tiles",
        )),
    }
}

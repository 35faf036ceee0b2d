//! What is malformed in a round document of pai gow.

use super::{Deal, Irregularity, IrregularityKind, Kind, Play, Wager};
use crate::floor::{Seat, Tile, TileCounts};
use crate::games::shared::pai_gow::{self, NOT_AN_AREA, Players};
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
        pai_gow::check_whole(dealer.high.as_ref(), dealer.low.as_ref(), "play.dealer")?;
    }
    let seats: Vec<Seat> = play.hands.iter().map(|hand| hand.seat).collect();
    pai_gow::check_hand_seats(&seats)?;
    let mains = wagers.iter().filter(|wager| wager.kind == Kind::PaiGow);
    let players = Players {
        mains: mains.map(|wager| wager.seat).collect(),
        bank: play.bank_seat,
    };
    for (index, hand) in play.hands.iter().enumerate() {
        let place = format!("play.hands[{index}]");
        pai_gow::check_whole(hand.high.as_ref(), hand.low.as_ref(), &place)?;
        players.refuse_given_up(hand.seat, hand.surrender, format!("{place}.surrender"))?;
    }
    check_deal(&play.deal)?;
    for (index, irregularity) in play.irregularities.iter().enumerate() {
        let place = format!("play.irregularities[{index}]");
        check_irregularity(irregularity, &place, &players)?;
    }
    Ok(())
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

fn check_irregularity(
    irregularity: &Irregularity,
    place: &str,
    players: &Players,
) -> Result<(), Refusal> {
    let due = irregularity.kind == IrregularityKind::PlayerTileExposed;
    let keys = [
        ("seat", due, irregularity.seat.is_some()),
        ("choice", due, irregularity.choice.is_some()),
    ];
    pai_gow::check_keys(place, &keys)?;
    match irregularity.seat {
        Some(seat) if !pai_gow::is_area(seat) => {
            Err(Refusal::at(format!("{place}.seat"), NOT_AN_AREA))
        }
        // 9(e): what lies exposed where nobody wagers is an "unwagered_tile_exposed".
        Some(area) => players.refuse_exposed(area, place),
        None if irregularity.kind == IrregularityKind::BankTileExposed => {
            players.refuse_without_bank(place)
        }
        None => Ok(()),
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

//! What the hold'em games against the dealer have in common under the Ohio rules: two hole cards, a
//! board, and the irregularities that void a round.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::layout::{Layout, Placed};
use super::ohio_progressives::MultiLink;
use super::progressive::{self, Meter, Position};
use super::table_cards::{self, TableCard};
use crate::floor::{Cents, Seat};
use crate::hands::five::{self, Category, Hand};
use crate::refusal::Refusal;
use crate::round::Wager;
use crate::unseen::Reach;

pub(crate) const HOLE_CARDS: usize = 2;
/// Cards of the flop, the first of the board.
pub(crate) const FLOP: usize = 3;
/// Cards of a complete board.
pub(crate) const BOARD: usize = 5;

/// The progressive meters of a round document.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Meters {
    pub(crate) progressive: Option<Cents>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Irregularity {
    pub(crate) code: Code,
    /// Cards found face up.
    #[serde(default = "one")]
    count: u32,
    #[serde(default)]
    when: When,
    /// The supervisor lets the wagers stand that the dealer's hand does not decide.
    pub(crate) independent_wagers_stand: Option<bool>,
    // Information for the reader of the round; settlement does not need it.
    #[serde(rename = "seat")]
    _seat: Option<Seat>,
    #[serde(rename = "area")]
    _area: Option<String>,
    #[serde(rename = "dealt")]
    _dealt: Option<u32>,
    #[serde(rename = "found")]
    _found: Option<u32>,
}

fn one() -> u32 {
    1
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Code {
    HoleCardExposed,
    FaceUpCard,
    CardDrawnInError,
    CardCount,
    Misdeal,
    DeckCount,
    ShufflerFailure,
    ShoeFailure,
}

/// When cards were found face up: before or after all had their two cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum When {
    #[default]
    InitialDeal,
    Community,
}

/// How much of a round is void. The worse of two is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Void {
    Nothing,
    /// The wagers against the dealer; side wagers on the player's cards are settled.
    Part,
    Total,
}

impl Irregularity {
    pub(crate) fn voids(&self) -> Void {
        match self.code {
            Code::CardDrawnInError | Code::ShufflerFailure => Void::Nothing,
            Code::HoleCardExposed => Void::Part,
            Code::FaceUpCard if self.count < 2 => Void::Nothing,
            Code::FaceUpCard if self.when == When::Community => Void::Part,
            Code::FaceUpCard
            | Code::CardCount
            | Code::Misdeal
            | Code::DeckCount
            | Code::ShoeFailure => Void::Total,
        }
    }
}

/// What exactly the hands at these places and the flop make decides the progressive, and the meter they share.
pub(crate) fn progressive_reach(in_play: impl Iterator<Item = usize>) -> Reach {
    let flop = (0..FLOP).map(|at| format!("board[{at}]"));
    let meter = ["meters.progressive".to_owned()];
    Reach::Only(in_play.map(hole_cards).chain(flop).chain(meter).collect())
}

/// Where the hole cards of a hand lie.
pub(crate) fn hole_cards(at: usize) -> String {
    format!("hands[{at}].cards")
}

/// The best five of two hole cards and a board of five; `None` with other numbers of cards.
pub(crate) fn best_hand(hole: &[TableCard], board: &[TableCard]) -> Option<Hand> {
    if hole.len() != HOLE_CARDS || board.len() != BOARD {
        return None;
    }
    five::rank(&table_cards::of_deck(&[hole, board].concat()))
}

/// What exactly the two hole cards and the flop make. prog § 2.D
fn on_the_flop(hole: &[TableCard], board: &[TableCard]) -> Option<Category> {
    let flop = board.get(..FLOP).filter(|_| hole.len() == HOLE_CARDS)?;
    five::rank(&table_cards::of_deck(&[hole, flop].concat())).map(Hand::category)
}

/// Settles the progressive wagers of the seats `bettors` on the hole cards still in play.
pub(crate) fn settle_progressive<'a, W: Placed>(
    multi_link: &MultiLink,
    table: &mut Layout<'_, W>,
    kind: W::Kind,
    bettors: &[Seat],
    in_play: impl Iterator<Item = (Seat, &'a [TableCard])>,
    board: &[TableCard],
    mut meter: Meter,
) -> Result<(), Refusal> {
    let in_play: BTreeMap<Seat, &[TableCard]> = in_play.collect();
    let seats: BTreeSet<Seat> = in_play.keys().chain(bettors).copied().collect();
    let position = |&seat: &Seat| {
        let hole = in_play.get(&seat);
        let (prize, envy) = multi_link.row(hole.and_then(|hole| on_the_flop(hole, board)));
        let bet = bettors.contains(&seat).then(|| table.at(seat, kind));
        Position {
            person: table.person(seat),
            stake: bet.flatten().map(Wager::amount),
            prize,
            envy,
        }
    };
    let positions: Vec<Position<_>> = seats.iter().map(position).collect();
    let totals = progressive::totals(&positions, &mut meter)?;
    for (&seat, total) in seats.iter().zip(totals) {
        if bettors.contains(&seat) {
            table.settle(seat, kind, |wager| progressive::award(wager, total));
        }
    }
    Ok(())
}

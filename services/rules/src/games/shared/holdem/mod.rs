//! What the hold'em games against the house have in common: how many cards lie where ([`dealt`]), what went wrong
//! and what it voids ([`irregular`]); and under the Ohio rules two hole cards and a board.

pub(crate) mod dealt;
pub(crate) mod irregular;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use self::dealt::{Deal, Dealt};
use self::irregular::Irregularities;
use super::layout::{Layout, Placed};
use super::ohio_progressives::MultiLink;
use super::progressive::{self, Meter, Meters, Position};
use super::table_cards::{self, TableCard, no_position};
use crate::book;
use crate::floor::Seat;
use crate::hands::five::{self, Category, Hand};
use crate::refusal::Refusal;
use crate::round::Wager;
use crate::unseen::Reach;

pub(crate) const HOLE_CARDS: usize = 2;
/// Cards of the flop, the first of the board.
pub(crate) const FLOP: usize = 3;
/// Cards of a complete board.
pub(crate) const BOARD: usize = 5;

/// `play` of a game with two hole cards, a dealer and a board; `D` is what a seat decides.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, bound = "D: Deserialize<'de> + Default")]
pub struct Play<D> {
    #[serde(default)]
    pub(crate) dealer: Vec<TableCard>,
    /// In the order of exposure, without burns.
    #[serde(default)]
    pub(crate) board: Vec<TableCard>,
    #[serde(default)]
    pub(crate) hands: Vec<PlayerHand<D>>,
    #[serde(default)]
    pub(crate) meters: Meters,
    #[serde(default)]
    pub(crate) irregularities: Irregularities,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, bound = "D: Deserialize<'de> + Default")]
pub(crate) struct PlayerHand<D> {
    #[serde(default = "no_position")]
    pub(crate) seat: Seat,
    #[serde(default)]
    pub(crate) cards: Vec<TableCard>,
    #[serde(default)]
    pub(crate) decision: D,
}

impl<D> Play<D> {
    pub(crate) fn dealt(&self, layout: &book::Layout) -> Dealt<'_> {
        let hands = self.hands.iter();
        Dealt {
            deal: Deal::of(layout),
            hands: hands.map(|hand| (hand.seat, &*hand.cards)).collect(),
            dealer: &self.dealer,
            board: &self.board,
        }
    }

    /// All cards that lie on the table.
    pub(crate) fn cards(&self) -> impl Iterator<Item = &TableCard> {
        let of_hands = self.hands.iter().flat_map(|hand| &hand.cards);
        self.dealer.iter().chain(&self.board).chain(of_hands)
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

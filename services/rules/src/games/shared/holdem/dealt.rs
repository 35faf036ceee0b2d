//! How many cards lie where in a round of hold'em.

use crate::book::{Count, Layout, Street};
use crate::floor::Seat;
use crate::games::shared::table_cards::TableCard;
use crate::refusal::Refusal;

/// How many cards the rules deal to a hand, to the dealer and to the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deal {
    pub(crate) hand: usize,
    pub(crate) dealer: usize,
    pub(crate) board: usize,
}

impl Deal {
    /// As the streets of a layout deal them.
    pub(crate) fn of(layout: &Layout) -> Deal {
        let sum = |cards: fn(&Street) -> &Count| -> usize {
            let streets = layout.streets.iter();
            streets.map(|street| cards(street).of(|_| None)).sum()
        };
        let (house, board) = (sum(|street| &street.house), sum(|street| &street.board));
        Deal {
            hand: layout.hand(),
            dealer: if layout.board { 0 } else { house },
            board: if layout.board { house } else { board },
        }
    }
}

/// The cards of a round as they lie.
#[derive(Debug)]
pub(crate) struct Dealt<'a> {
    pub(crate) deal: Deal,
    /// In the order of the document.
    pub(crate) hands: Vec<(Seat, &'a [TableCard])>,
    pub(crate) dealer: &'a [TableCard],
    pub(crate) board: &'a [TableCard],
}

impl Dealt<'_> {
    /// Cards at a seat.
    pub(crate) fn at(&self, seat: Seat) -> usize {
        let mut hands = self.hands.iter();
        let hand = hands.find(|(other, _)| *other == seat);
        hand.map_or(0, |(_, cards)| cards.len())
    }

    /// Does the board, the dealer or a hand that wagers are on have more cards than the rules deal? The hands of
    /// other seats are nobody's.
    pub(crate) fn is_overdealt(&self, has_wagers: impl Fn(Seat) -> bool) -> bool {
        let mut hands = self.hands.iter().filter(|(seat, _)| has_wagers(*seat));
        self.board.len() > self.deal.board
            || self.dealer.len() > self.deal.dealer
            || hands.any(|(_, cards)| cards.len() > self.deal.hand)
    }

    /// Refuses hands that wagers are on and a dealer with fewer cards than the rules deal: the document is not
    /// complete, and nobody can say that it was a misdeal. `bought` are the seats that must have a hand.
    pub(crate) fn refuse_short_hands(
        &self,
        has_wagers: impl Fn(Seat) -> bool,
        bought: impl IntoIterator<Item = Seat>,
    ) -> Result<(), Refusal> {
        let is_dealt = |seat: &Seat| self.hands.iter().any(|(other, _)| other == seat);
        if let Some(seat) = bought.into_iter().find(|seat| !is_dealt(seat)) {
            let what = format!("seat {seat} has wagers and no hand");
            return Err(Refusal::at("play.hands", what));
        }
        for (at, (seat, cards)) in self.hands.iter().enumerate() {
            if has_wagers(*seat) {
                refuse_fewer(&format!("play.hands[{at}].cards"), cards, self.deal.hand)?;
            }
        }
        refuse_fewer("play.dealer", self.dealer, self.deal.dealer)
    }

    /// Refuses a board that stops before the last of its cards.
    pub(crate) fn refuse_short_board(&self) -> Result<(), Refusal> {
        refuse_fewer("play.board", self.board, self.deal.board)
    }
}

pub(crate) fn refuse_fewer(place: &str, cards: &[TableCard], due: usize) -> Result<(), Refusal> {
    match cards.len() {
        lie if lie < due => {
            let what = format!("{due} cards are dealt there, and the document has {lie}");
            Err(Refusal::at(place, what))
        }
        _ => Ok(()),
    }
}

//! What of the cards can decide a wager: asked where some of them were not seen.

use super::VoidRound;
use super::boxes::{Act, BoxRecord};
use super::stakes::BoxWager;
use crate::floor::Seat;
use crate::unseen::Reach;

/// The cards of a round by where the document has them.
pub(crate) struct Sight<'a, V> {
    pub(crate) boxes: Vec<BoxRecord<'a, V>>,
    pub(crate) void_round: Option<VoidRound>,
    /// Multiple action: the dealer has several hands.
    pub(crate) several_hands: bool,
}

/// Cards that a wager looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looks {
    /// The first two of its box.
    FirstCards,
    /// All of its box.
    Box,
    /// What the display of the blackjack bonus showed for it.
    Display,
    UpCard,
    /// The dealer's first two.
    DealersFirst,
    Dealer,
}

impl<V: Copy + Into<Act>> Sight<'_, V> {
    /// A wager on a hand: at its box and at the dealer's cards. One that was surrendered asks for no more than the
    /// dealer's blackjack, where `surrender_ends` the hand, and what is dead for nothing.
    pub(crate) fn of_hand(&self, wager: &impl BoxWager, surrender_ends: bool) -> Reach {
        let did = |act: Act| {
            let steps = self.box_at(wager.seat()).map(|(_, found)| found.steps);
            let mut steps = steps.unwrap_or_default().iter();
            steps.any(|step| step.hand == wager.hand() && step.verb.into() == act)
        };
        if self.void_round.is_some() || did(Act::Dead) {
            return Reach::Only(Vec::new());
        }
        match did(Act::Surrender) && surrender_ends {
            true => self.of_box(wager.seat(), &[Looks::DealersFirst]),
            false => self.of_box(wager.seat(), &[Looks::Box, Looks::Dealer]),
        }
    }

    /// Insurance: at the dealer's first cards, and at what else it `looks`.
    pub(crate) fn of_insurance(&self, wager: &impl BoxWager, looks: &[Looks]) -> Reach {
        match self.void_round {
            Some(_) => Reach::Only(Vec::new()),
            None => self.of_box(wager.seat(), &[looks, &[Looks::DealersFirst]].concat()),
        }
    }

    /// A side wager, whose box has to be alive.
    pub(crate) fn of_box(&self, seat: Seat, looks: &[Looks]) -> Reach {
        self.of_boxes([seat], looks)
    }

    /// A side wager that shares with others, whose boxes count as well as its own.
    pub(crate) fn of_boxes(&self, seats: impl IntoIterator<Item = Seat>, looks: &[Looks]) -> Reach {
        if self.void_round == Some(VoidRound::All) {
            return Reach::Only(Vec::new());
        }
        let alive = seats.into_iter().filter_map(|seat| self.box_at(seat));
        let places =
            alive.flat_map(|(at, _)| looks.iter().flat_map(move |look| self.places(at, *look)));
        Reach::Only(places.collect())
    }

    /// The box of a seat and its place, unless it is dead.
    fn box_at(&self, seat: Seat) -> Option<(usize, &BoxRecord<'_, V>)> {
        let mut boxes = self.boxes.iter().enumerate();
        boxes.find(|(_, found)| found.seat == seat && found.dead.is_none())
    }

    fn places(&self, at: usize, look: Looks) -> Vec<String> {
        let dealer = match self.several_hands {
            true => "dealer.hands[0]",
            false => "dealer.cards",
        };
        match look {
            Looks::FirstCards => vec![format!("boxes[{at}].cards")],
            Looks::Box => vec![format!("boxes[{at}]")],
            Looks::Display => vec![format!("boxes[{at}].bonus_display")],
            Looks::UpCard => vec![format!("{dealer}[0]")],
            // Each of several hands may be the one that a wager is against.
            Looks::DealersFirst if !self.several_hands => {
                vec![format!("{dealer}[0]"), format!("{dealer}[1]")]
            }
            Looks::DealersFirst | Looks::Dealer => vec!["dealer".to_owned()],
        }
    }
}

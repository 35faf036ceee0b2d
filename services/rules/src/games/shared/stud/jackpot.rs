//! Progressive prizes: a meter that moves within the round, and the envy of the other players.

use std::collections::BTreeMap;

use super::areas::{Placed, Players, Verdicts};
use super::pay_table::{FiveCardRow, PayTable};
use crate::book::{BookError, EditionBook, Pay};
use crate::floor::{Cents, Rounding, Seat};
use crate::hands::five;

/// A progressive meter while prizes are taken from it.
#[derive(Debug)]
pub(crate) struct Meter {
    shown: Cents,
    /// What it shows after it was won whole.
    reset: Cents,
}

impl Meter {
    /// `shown` before the first prize; the reset amount if nobody read it.
    pub(crate) fn new(shown: Option<Cents>, reset: Cents) -> Meter {
        Meter {
            shown: shown.unwrap_or(reset),
            reset,
        }
    }

    /// A share of the meter, a fraction of a cent dropped. The next share is of what is left.
    pub(crate) fn take(&mut self, percent: u8) -> Cents {
        let prize = self.shown.percent(i64::from(percent), Rounding::DOWN);
        self.shown = match percent {
            100.. => self.reset,
            _ => self.shown - prize,
        };
        prize
    }

    /// All that a row gives for a stake which the house keeps.
    pub(crate) fn prize(&mut self, pay: Pay, stake: Cents) -> Cents {
        match pay {
            Pay::Meter(percent) => self.take(percent),
            Pay::Fixed(amount) => amount,
            Pay::Odds(odds) => stake + odds.win_on(stake, Rounding::DOWN),
            Pay::Push => stake,
            Pay::Lose => Cents::ZERO,
        }
    }
}

/// The Multi-Link progressive of the Ohio text. Progressives 2
#[derive(Debug)]
pub(crate) struct MultiLink {
    awards: PayTable<FiveCardRow>,
    envy: PayTable<FiveCardRow>,
}

impl MultiLink {
    pub(crate) fn from_book(book: &EditionBook<'_>) -> Result<MultiLink, BookError> {
        Ok(MultiLink {
            awards: book.table("multi_link")?,
            envy: book.table("multi_link_envy")?,
        })
    }

    /// Settles the wagers of `bettors`, who come in the order of dealing (progressives 6.A.i). `made`
    /// are the hands that count, with or without the wager; a folded bettor's own is missing. Who left
    /// the table loses, envy too.
    pub(crate) fn settle<'a, K: 'a>(
        &self,
        bettors: impl Iterator<Item = Placed<'a, K>>,
        made: &BTreeMap<Seat, five::Hand>,
        is_abandoned: impl Fn(Seat) -> bool,
        players: &Players,
        mut meter: Meter,
        verdicts: &mut Verdicts,
    ) {
        let envied: Vec<(Seat, Cents)> = made
            .iter()
            .filter_map(|(&seat, &hand)| match self.envy.filed_pay(hand) {
                Pay::Fixed(envy) => Some((seat, envy)),
                _ => None,
            })
            .collect();
        for bettor in bettors {
            let (seat, stake) = (bettor.wager.seat, bettor.wager.amount);
            if is_abandoned(seat) {
                verdicts.lose(bettor);
                continue;
            }
            let own = made.get(&seat).map_or(Cents::ZERO, |&hand| {
                meter.prize(self.awards.filed_pay(hand), stake)
            });
            // 2.G: a player's own hands give that player no envy.
            let envy: Cents = envied
                .iter()
                .filter(|&&(other, _)| !players.are_one(seat, other))
                .map(|&(_, envy)| envy)
                .sum();
            verdicts.award(bettor, own + envy);
        }
    }
}

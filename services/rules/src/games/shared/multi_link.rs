//! The Multi-Link progressive of the Ohio rules: one meter shared by tables of several games.
//!
//! The hand that counts is of five cards, which each game names. Percentage awards come off the
//! meter in dealing order; fixed awards and the envy of the other bettors do not. All awards are
//! "for" amounts: the stake stays with the house.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::layout::{Layout, Placed};
use crate::book::{BookError, EditionBook, Pay};
use crate::floor::{Cents, Rounding, Seat};
use crate::hands::five::Category;
use crate::round::Wager;
use crate::settlement::{Settled, Verdict};

/// The tables `multi_link_progressive` and `multi_link_envy` of a data file.
#[derive(Debug)]
pub(crate) struct MultiLink {
    awards: Awards,
    envy: Envy,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Awards {
    royal_flush: Pay,
    straight_flush: Pay,
    four_of_a_kind: Pay,
    full_house: Pay,
    flush: Pay,
    straight: Pay,
    three_of_a_kind: Pay,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Envy {
    royal_flush: Pay,
    straight_flush: Pay,
}

/// The meter as it stands when the first percentage hand is keyed, and what a full award leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meter {
    shown: Cents,
    reset: Cents,
}

impl Meter {
    /// A document that says nothing leaves the meter at its reset value.
    pub(crate) fn showing(shown: Option<Cents>, reset: Cents) -> Meter {
        let shown = shown.unwrap_or(reset);
        Meter { shown, reset }
    }
}

impl MultiLink {
    pub(crate) fn read(book: &EditionBook<'_>) -> Result<MultiLink, BookError> {
        Ok(MultiLink {
            awards: book.table("multi_link_progressive")?,
            envy: book.table("multi_link_envy")?,
        })
    }

    /// Settles the wagers of `kind` at the seats `bettors`, which are in dealing order. `made` are
    /// the hands still in play, with or without a progressive wager; folded hands pay nobody.
    pub(crate) fn settle<W: Placed>(
        &self,
        layout: &mut Layout<'_, W>,
        kind: W::Kind,
        bettors: &[Seat],
        made: &BTreeMap<Seat, Category>,
        mut meter: Meter,
    ) {
        let envy_of_all: Cents = made.values().map(|&hand| self.envy(hand)).sum();
        for &seat in bettors {
            let hand = made.get(&seat).copied();
            let own = hand.map_or(Cents::ZERO, |hand| self.award(hand, &mut meter));
            // prog § 2.G: never for the own hand.
            let envy = envy_of_all - hand.map_or(Cents::ZERO, |hand| self.envy(hand));
            layout.settle(seat, kind, |wager| pay_for(wager, own + envy));
        }
    }

    /// What a hand is awarded, taken off the meter if it is a share of it.
    fn award(&self, hand: Category, meter: &mut Meter) -> Cents {
        let pay = match hand {
            Category::RoyalFlush => self.awards.royal_flush,
            Category::StraightFlush => self.awards.straight_flush,
            Category::FourOfAKind => self.awards.four_of_a_kind,
            Category::FullHouse => self.awards.full_house,
            Category::Flush => self.awards.flush,
            Category::Straight => self.awards.straight,
            Category::ThreeOfAKind => self.awards.three_of_a_kind,
            Category::TwoPair | Category::Pair | Category::HighCard => Pay::Lose,
        };
        match pay {
            Pay::Fixed(amount) => amount,
            Pay::Meter(100) => std::mem::replace(&mut meter.shown, meter.reset),
            Pay::Meter(percent) => {
                let share = meter.shown.percent(i64::from(percent), Rounding::DOWN);
                meter.shown -= share;
                share
            }
            Pay::Odds(_) | Pay::Push | Pay::Lose => Cents::ZERO,
        }
    }

    /// What a hand pays to every other bettor.
    fn envy(&self, hand: Category) -> Cents {
        let pay = match hand {
            Category::RoyalFlush => self.envy.royal_flush,
            Category::StraightFlush => self.envy.straight_flush,
            _ => Pay::Lose,
        };
        match pay {
            Pay::Fixed(amount) => amount,
            _ => Cents::ZERO,
        }
    }
}

/// An award "for" the stake: all that goes back is the award.
fn pay_for(wager: &impl Wager, award: Cents) -> Settled {
    if !award.is_positive() {
        return Settled::lose(wager);
    }
    Settled {
        id: wager.id().clone(),
        result: Verdict::Win,
        win: award - wager.amount(),
        commission: Cents::ZERO,
        returned: award,
        hangs_on: Vec::new(),
        range: None,
    }
}

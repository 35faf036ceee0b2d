//! Progressive wagers: prizes from a meter, prizes from the tray, and envy.
//!
//! The stake of a progressive wager is gone when the round starts, so its prizes are "for" prizes:
//! they are all that the player gets.

use serde::Deserialize;

use crate::book::Pay;
use crate::floor::{Cents, Rounding};
use crate::refusal::Refusal;
use crate::round::{Wager, document, given};
use crate::settlement::Settled;

document! {
    /// The meters of a round document.
    #[derive(Copy, Default)]
    Meters {
        ?
        /// Nothing in it where nobody read it.
        #[serde(deserialize_with = "given")]
        pub progressive: Option<Option<Cents>>,
    }
}

impl Meters {
    /// The progressive one, which the house starts from `reset`.
    pub(crate) fn meter(self, reset: Cents) -> Meter {
        Meter::new("progressive", self.progressive.flatten(), reset)
    }
}

/// A progressive meter as one table sees it during a round. A reading is asked for only when a share is won, and a
/// share of a meter that nobody read is refused: nothing stands in for the reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meter {
    name: &'static str,
    shown: Option<Cents>,
    reset: Cents,
}

impl Meter {
    /// `play.meters.<name>` as the document has it, and where the house starts the meter again after the whole of
    /// it was won.
    pub(crate) fn new(name: &'static str, shown: Option<Cents>, reset: Cents) -> Meter {
        Meter { name, shown, reset }
    }

    /// What it shows now.
    pub(crate) fn shown(&self) -> Result<Cents, Refusal> {
        self.shown.ok_or_else(|| {
            let what = "a wager has a share of the meter, and what it showed is missing";
            Refusal::at(format!("play.meters.{}", self.name), what)
        })
    }

    /// A share of the meter, a fraction of a cent dropped. It leaves the meter: the next share is of what is shown
    /// then, which is the house's start value after the whole was won.
    pub(crate) fn take(&mut self, percent: u8) -> Result<Cents, Refusal> {
        let shown = self.shown()?;
        let share = shown.percent(i64::from(percent), Rounding::DOWN);
        let left = match percent {
            100.. => self.reset,
            _ => shown - share,
        };
        self.shown = Some(left);
        Ok(share)
    }

    /// Takes a fixed amount off the meter, which never shows less than nothing.
    pub(crate) fn deduct(&mut self, prize: Cents) {
        self.shown = self.shown.map(|shown| (shown - prize).max(Cents::ZERO));
    }

    /// All that a winner with this stake gets. Only shares come off the meter; other prizes need no reading of it.
    pub(crate) fn pay(&mut self, prize: Pay, stake: Cents) -> Result<Cents, Refusal> {
        Ok(match prize {
            Pay::Meter(percent) => self.take(percent)?,
            Pay::Odds(odds) => stake + odds.win_on(stake, Rounding::DOWN),
            Pay::Fixed(amount) => amount,
            Pay::Push => stake,
            Pay::Lose => Cents::ZERO,
        })
    }
}

/// What a hand brings each other bettor at the table. Always an amount of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Pay")]
pub(crate) struct Envy(pub(crate) Cents);

impl TryFrom<Pay> for Envy {
    type Error = String;

    fn try_from(pay: Pay) -> Result<Envy, String> {
        match pay {
            Pay::Fixed(amount) => Ok(Envy(amount)),
            other => Err(format!("envy is an amount, not {other}")),
        }
    }
}

/// A betting position as its progressive sees it. `P` says whose it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position<P> {
    pub(crate) person: P,
    /// The stake of the progressive wager that counts here; none where there is none, or its player left.
    pub(crate) stake: Option<Cents>,
    /// What the hand wins by; `Pay::Lose` for one that is no longer in, whatever its cards.
    pub(crate) prize: Pay,
    /// What the hand gives every other bettor; nothing for one that is no longer in.
    pub(crate) envy: Envy,
}

/// What the wager of each position gets in all, its own prize and envy. The positions come in the order of dealing,
/// in which they are paid from the moving meter. Nobody is envious of himself, at no position of his; the holder of
/// an envied hand need not have bet, and who folded still has envy for the hands of others.
pub(crate) fn totals<P: PartialEq>(
    positions: &[Position<P>],
    meter: &mut Meter,
) -> Result<Vec<Cents>, Refusal> {
    let total = |at: &Position<P>| {
        let Some(stake) = at.stake else {
            return Ok(Cents::ZERO);
        };
        let others = positions.iter().filter(|other| other.person != at.person);
        let envy: Cents = others.map(|other| other.envy.0).sum();
        Ok(meter.pay(at.prize, stake)? + envy)
    };
    positions.iter().map(total).collect()
}

/// A wager whose stake stays with the house, and that gets `total` in all. A total below the stake
/// is still a win, of nothing beyond the stake.
pub(crate) fn settle_for(wager: &impl Wager, total: Cents) -> Settled {
    let settled = award(wager, total);
    Settled {
        win: settled.win.max(Cents::ZERO),
        ..settled
    }
}

/// The same where the text turns the prize into odds "to" as it is: what a total lacks of the stake is lost.
pub(crate) fn award(wager: &impl Wager, total: Cents) -> Settled {
    if !total.is_positive() {
        return Settled::lose(wager);
    }
    Settled::win(wager, total - wager.amount(), Cents::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floor::Odds;

    const STAKE: Cents = Cents::new(100);

    fn meter(shown: impl Into<Option<i64>>) -> Meter {
        let shown = shown.into().map(Cents::new);
        Meter::new("progressive", shown, Cents::new(1_000_000))
    }

    fn position(person: &str, prize: Pay, envy: i64) -> Position<&str> {
        Position {
            person,
            stake: Some(STAKE),
            prize,
            envy: Envy(Cents::new(envy)),
        }
    }

    fn cents(totals: Result<Vec<Cents>, Refusal>) -> Vec<i64> {
        totals.unwrap().into_iter().map(Cents::get).collect()
    }

    #[test]
    fn a_share_of_the_meter_leaves_it_and_the_whole_resets_it() {
        let mut meter = meter(6_543_219);
        let mut pay = |prize: Pay| meter.pay(prize, STAKE).unwrap().get();
        assert_eq!(pay(Pay::Meter(10)), 654_321);
        assert_eq!(pay(Pay::Meter(10)), 588_889);
        let five_hundred_for_one = Pay::Odds(Odds::parse_filed("500 for 1").unwrap());
        assert_eq!(pay(five_hundred_for_one), 50_000);
        assert_eq!(pay(Pay::Fixed(Cents::new(900))), 900);
        assert_eq!(pay(Pay::Meter(100)), 5_300_009);
        assert_eq!(pay(Pay::Meter(100)), 1_000_000);
    }

    #[test]
    fn without_a_reading_there_is_no_share_and_everything_else() {
        let mut unread = meter(None);
        let fixed = Pay::Fixed(Cents::new(900));
        assert_eq!(unread.pay(fixed, STAKE), Ok(Cents::new(900)));
        assert_eq!(unread.pay(Pay::Lose, STAKE), Ok(Cents::ZERO));
        for percent in [10, 100] {
            let refusal = unread.pay(Pay::Meter(percent), STAKE).unwrap_err();
            assert_eq!(refusal.place(), "play.meters.progressive");
        }
        let hands = [position("ann", Pay::Meter(10), 0)];
        assert!(totals(&hands, &mut unread).is_err());
        // A hand without a wager takes no share, and needs no reading.
        let no_bet = hands.map(|hand| Position {
            stake: None,
            ..hand
        });
        assert_eq!(cents(totals(&no_bet, &mut unread)), [0]);
    }

    #[test]
    fn the_start_value_serves_the_next_share_after_the_whole_only() {
        let hands = [
            position("ann", Pay::Meter(100), 0),
            position("bob", Pay::Meter(10), 0),
        ];
        let paid = cents(totals(&hands, &mut meter(4_000_000)));
        assert_eq!(paid, [4_000_000, 100_000]);
        let turned = [hands[1], hands[0]];
        let paid = cents(totals(&turned, &mut meter(4_000_000)));
        assert_eq!(paid, [400_000, 3_600_000]);
    }

    #[test]
    fn envy_is_for_the_hands_of_others_and_adds_up() {
        let hands = [
            position("ann", Pay::Lose, 300),
            position("bob", Pay::Lose, 1_000),
            position("ann", Pay::Lose, 25),
            position("eve", Pay::Lose, 0),
        ];
        let paid = cents(totals(&hands, &mut meter(None)));
        assert_eq!(paid, [1_000, 325, 1_000, 1_325]);
    }
}

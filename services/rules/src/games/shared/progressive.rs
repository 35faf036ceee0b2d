//! Progressive wagers: prizes from a meter, prizes from the tray, and envy.
//!
//! The stake of a progressive wager is gone when the round starts, so its prizes are "for" prizes:
//! they are all that the player gets.

use serde::Deserialize;

use crate::book::Pay;
use crate::floor::{Cents, Rounding};
use crate::round::Wager;
use crate::settlement::Settled;

/// A progressive meter as one table sees it during a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meter {
    shown: Cents,
    reset: Cents,
}

impl Meter {
    /// `shown` when the first prize of the round is keyed; `reset` is where the meter starts again.
    pub(crate) fn new(shown: Cents, reset: Cents) -> Meter {
        Meter { shown, reset }
    }

    /// All that a winner with this stake gets. A share of the meter leaves it: the next winner is
    /// paid from what is shown then. Other prizes come from the tray and do not move it.
    pub(crate) fn pay(&mut self, prize: Pay, stake: Cents) -> Cents {
        match prize {
            Pay::Meter(100) => std::mem::replace(&mut self.shown, self.reset),
            Pay::Meter(percent) => {
                let share = self.shown.percent(i64::from(percent), Rounding::DOWN);
                self.shown -= share;
                share
            }
            Pay::Odds(odds) => stake + odds.win_on(stake, Rounding::DOWN),
            Pay::Fixed(amount) => amount,
            Pay::Push => stake,
            Pay::Lose => Cents::ZERO,
        }
    }
}

/// What a hand brings each other bettor at the table. Always an amount of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
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

/// The sum over the hands of other people: nobody is envious of himself.
pub(crate) fn envy_of_others<P: PartialEq>(own: &P, hands: &[(P, Envy)]) -> Cents {
    hands
        .iter()
        .filter(|(holder, _)| holder != own)
        .map(|&(_, Envy(amount))| amount)
        .sum()
}

/// A wager whose stake stays with the house, and that gets `total` in all. A total below the stake
/// is still a win, of nothing beyond the stake.
pub(crate) fn settle_for(wager: &impl Wager, total: Cents) -> Settled {
    if !total.is_positive() {
        return Settled::lose(wager);
    }
    Settled {
        win: (total - wager.amount()).max(Cents::ZERO),
        returned: total,
        ..Settled::win(wager, Cents::ZERO, Cents::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floor::Odds;

    #[test]
    fn a_share_of_the_meter_leaves_it_and_the_whole_resets_it() {
        let mut meter = Meter::new(Cents::new(6_543_219), Cents::new(1_000_000));
        let stake = Cents::new(100);
        assert_eq!(meter.pay(Pay::Meter(10), stake).get(), 654_321);
        assert_eq!(meter.pay(Pay::Meter(10), stake).get(), 588_889);
        let five_hundred_for_one = Pay::Odds(Odds::parse_filed("500 for 1").unwrap());
        assert_eq!(meter.pay(five_hundred_for_one, stake).get(), 50_000);
        assert_eq!(meter.pay(Pay::Fixed(Cents::new(900)), stake).get(), 900);
        assert_eq!(meter.pay(Pay::Meter(100), stake).get(), 5_300_009);
        assert_eq!(meter.pay(Pay::Meter(100), stake).get(), 1_000_000);
    }

    #[test]
    fn envy_is_for_the_hands_of_others_and_adds_up() {
        let hands = [
            ("ann", Envy(Cents::new(300))),
            ("bob", Envy(Cents::new(1_000))),
            ("ann", Envy(Cents::new(25))),
        ];
        assert_eq!(envy_of_others(&"ann", &hands).get(), 1_000);
        assert_eq!(envy_of_others(&"bob", &hands).get(), 325);
        assert_eq!(envy_of_others(&"eve", &hands).get(), 1_325);
    }
}

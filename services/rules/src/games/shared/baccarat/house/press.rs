//! House Money presses: a payout that the dealer adds to its winner's own Player or Banker wager.

use super::settle::Table;
use super::{Bet, Kind};
use crate::floor::{Cents, Rounding, WagerId};
use crate::settlement::{Settled, Verdict, Violations};

/// Settles the presses, in the order of the document. They are added to other wagers, so those are
/// settled by now; a press that was added to nothing stays void.
pub(super) fn settle_presses<B: Bet>(
    table: &Table<'_>,
    wagers: &[B],
    settled: &mut [Settled],
    violations: &mut Violations,
) {
    if !table.offers(Kind::HouseMoneyPress) {
        return;
    }
    let mut made: Vec<Press> = Vec::new();
    for (index, wager) in wagers.iter().enumerate() {
        if wager.kind() != Kind::HouseMoneyPress {
            continue;
        }
        let Some([from, on]) = find(wagers, settled, &made, wager) else {
            violations.add("house_money.press_invalid");
            continue;
        };
        let percent = table.options.house_money_press_percent;
        let portion = settled[from].win.percent(percent, Rounding::DOWN);
        violations.add_if(wager.amount() != portion, "house_money.press_wrong_amount");
        // After "no more bets" nothing but the filed portion may be added: what lies beyond it is no wager.
        let at_risk = wager.amount().min(portion);
        if at_risk.is_positive() {
            let earlier = made.iter().filter(|earlier| earlier.on == on);
            let stake = wagers[on].amount() + earlier.map(|press| press.at_risk).sum::<Cents>();
            let joined = Joined {
                on: wagers[on].kind(),
                fate: settled[on].result,
                stake,
                at_risk,
            };
            settled[index] = joined.settle(table, wager);
        }
        made.push(Press { from, on, at_risk });
    }
}

/// A press, with the House Money wager behind it and the wager it was added to, by index.
struct Press {
    from: usize,
    on: usize,
    at_risk: Cents,
}

/// Both wagers are of the press's seat, and the first is a winner whose payout no earlier press used.
fn find<B: Bet>(
    wagers: &[B],
    settled: &[Settled],
    made: &[Press],
    press: &B,
) -> Option<[usize; 2]> {
    let of_seat = |id: Option<&WagerId>, kinds: &[Kind]| {
        let id = id?;
        wagers.iter().position(|wager| {
            wager.id() == id && wager.seat() == press.seat() && kinds.contains(&wager.kind())
        })
    };
    let from = of_seat(press.from(), &[Kind::HouseMoney])?;
    let on = of_seat(press.on(), &[Kind::Player, Kind::Banker])?;
    let used = made.iter().any(|earlier| earlier.from == from);
    (settled[from].result == Verdict::Win && !used).then_some([from, on])
}

/// What a press adds to a wager of a kind, how that ended, and the stake that lay there before it.
struct Joined {
    on: Kind,
    fate: Verdict,
    stake: Cents,
    at_risk: Cents,
}

impl Joined {
    /// A press shares the fate of the wager it was added to; what is not at risk goes back. Vigorish is what the
    /// whole stake owes less what the stake before it owed, so that the joined stake is rounded once.
    fn settle(&self, table: &Table<'_>, press: &impl Bet) -> Settled {
        let main = &table.rules.main;
        match (self.fate, self.on) {
            (Verdict::Win, Kind::Banker) => {
                let won = |stake| main.banker.win_on(stake, Rounding::DOWN);
                let owed = |stake| table.vigorish(won(stake));
                let vigorish = owed(self.stake + self.at_risk) - owed(self.stake);
                Settled::win(press, won(self.at_risk), vigorish)
            }
            (Verdict::Win, _) => {
                let win = main.player.win_on(self.at_risk, Rounding::DOWN);
                Settled::win(press, win, Cents::ZERO)
            }
            (Verdict::Lose, _) => Settled::lose_part(press, press.amount() - self.at_risk),
            _ => Settled::push(press),
        }
    }
}

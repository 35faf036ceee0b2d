//! House Money presses: a payout that the dealer adds to its winner's own Player or Banker wager.

use super::settle::{Table, pay};
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
        let Some(press) = find(wagers, settled, &made, wager) else {
            violations.add("house_money.press_invalid");
            continue;
        };
        let percent = table.options.house_money_press_percent;
        let portion = settled[press.from].win.percent(percent, Rounding::DOWN);
        violations.add_if(wager.amount() != portion, "house_money.press_wrong_amount");

        let earlier = made.iter().filter(|earlier| earlier.on == press.on);
        let before = wagers[press.on].amount() + earlier.map(|press| press.amount).sum::<Cents>();
        let fate = settled[press.on].result;
        settled[index] = share_fate(table, wager, wagers[press.on].kind(), fate, before);
        made.push(press);
    }
}

/// A press, with the House Money wager behind it and the wager it was added to, by index.
struct Press {
    from: usize,
    on: usize,
    amount: Cents,
}

/// Both wagers are of the press's seat, and the first is a winner whose payout no earlier press used.
fn find<B: Bet>(wagers: &[B], settled: &[Settled], made: &[Press], press: &B) -> Option<Press> {
    let of_seat = |id: Option<&WagerId>, kinds: &[Kind]| {
        let id = id?;
        wagers.iter().position(|wager| {
            wager.id() == id && wager.seat() == press.seat() && kinds.contains(&wager.kind())
        })
    };
    let from = of_seat(press.from(), &[Kind::HouseMoney])?;
    let on = of_seat(press.on(), &[Kind::Player, Kind::Banker])?;
    let used = made.iter().any(|earlier| earlier.from == from);
    let amount = press.amount();
    (settled[from].result == Verdict::Win && !used).then_some(Press { from, on, amount })
}

/// A press shares the fate of the wager it was added to. Vigorish is what the whole stake owes less
/// what the stake `before` it owed, so that the joined stake is rounded once.
fn share_fate(
    table: &Table<'_>,
    press: &impl Bet,
    on: Kind,
    fate: Verdict,
    before: Cents,
) -> Settled {
    let main = &table.rules.main;
    match (fate, on) {
        (Verdict::Win, Kind::Banker) => {
            let owed = |stake| table.vigorish(main.banker.win_on(stake, Rounding::DOWN));
            let win = main.banker.win_on(press.amount(), Rounding::DOWN);
            Settled::win(press, win, owed(before + press.amount()) - owed(before))
        }
        (Verdict::Win, _) => pay(press, main.player),
        (Verdict::Lose, _) => Settled::lose(press),
        _ => Settled::push(press),
    }
}

//! A wager and the House Money that was added to it lie in one stack: the dealer may pay or take it in
//! one sum, told by the name of the wager. What was told so is shared out over both.

use catwalk_rules::floor::Cents;
use catwalk_rules::{Settled, Settlement, Verdict};

use super::press::{PRESS, target};
use crate::round::{RoundFold, WagerFold};

/// Is a press paid or taken by its own name, in an event after the one that told of it?
pub(super) fn names_presses(round: &RoundFold) -> bool {
    let mut wagers = round.wagers.iter();
    wagers.any(|wager| wager.kind == PRESS && wager.evidence.len() > 1)
}

/// Shares out what was told of stacks as a whole. Where presses are taken by their own names, one that is not
/// was left.
pub(super) fn share(round: &mut RoundFold, settlement: &Settlement, are_named: bool) {
    for stack in stacks(round) {
        let row = |&at: &usize| {
            let id = &round.wagers[at].id;
            let mut rows = settlement.wagers().iter();
            rows.find(|row| row.id.as_str() == id)
        };
        let Some(due) = stack.iter().map(row).collect::<Option<Vec<&Settled>>>() else {
            continue;
        };
        let wagers = &mut round.wagers;
        if is_paid_rightly(wagers, &stack, &due) {
            give_each_its_own(wagers, &stack, &due);
            continue;
        }
        for (&at, due_on_press) in stack.iter().zip(&due).skip(1) {
            if let Ok([main, press]) = wagers.get_disjoint_mut([stack[0], at])
                && !press.is_touched()
            {
                split_payment(main, press, due[0], due_on_press);
                split_stake(main, press, are_named);
            }
        }
    }
}

/// The places of each wager that something was added to, and of what was.
fn stacks(round: &RoundFold) -> Vec<Vec<usize>> {
    let mut stacks: Vec<Vec<usize>> = Vec::new();
    let wagers = round.wagers.iter().enumerate();
    for (at, press) in wagers.filter(|(_, wager)| wager.kind == PRESS) {
        let main = target(round, press);
        let main = main.and_then(|main| round.wagers.iter().position(|wager| wager.id == main));
        let Some(main) = main.filter(|main| *main != at) else {
            continue;
        };
        match stacks.iter_mut().find(|stack| stack[0] == main) {
            Some(stack) => stack.push(at),
            None => stacks.push(vec![main, at]),
        }
    }
    stacks
}

/// Was so much paid on a stack that won as is due on it, however that was told? Vigorish may be named, taken
/// later, or the payment be net of it.
fn is_paid_rightly(wagers: &[WagerFold], stack: &[usize], due: &[&Settled]) -> bool {
    let of_stack = |amount: fn(&WagerFold) -> Cents| -> Cents {
        stack.iter().map(|&at| amount(&wagers[at])).sum()
    };
    let won: Cents = due.iter().map(|due| due.win).sum();
    let vigorish: Cents = due.iter().map(|due| due.commission).sum();
    let told = (
        of_stack(|wager| wager.paid),
        of_stack(|wager| wager.commission),
    );
    let is_left = |&at: &usize| wagers[at].collected.is_none() && wagers[at].pushed.is_none();
    due.iter().all(|due| due.result == Verdict::Win)
        && stack.iter().all(is_left)
        && [
            (won, vigorish),
            (won, Cents::ZERO),
            (won - vigorish, Cents::ZERO),
        ]
        .contains(&told)
}

fn give_each_its_own(wagers: &mut [WagerFold], stack: &[usize], due: &[&Settled]) {
    let is_net = stack.iter().all(|&at| wagers[at].commission == Cents::ZERO);
    let paid: Cents = stack.iter().map(|&at| wagers[at].paid).sum();
    let is_whole = paid == due.iter().map(|due| due.win).sum();
    let first = stack.iter().find_map(|&at| wagers[at].paid_seq);
    for (&at, due) in stack.iter().zip(due) {
        let wager = &mut wagers[at];
        wager.paid_seq = wager.paid_seq.or(first);
        (wager.paid, wager.commission) = match is_net {
            true if is_whole => (due.win, Cents::ZERO),
            true => (due.win - due.commission, Cents::ZERO),
            false => (due.win, due.commission),
        };
    }
}

/// A payment on a wager that is more than its own is that of the stack: what was added has its due of it,
/// and what is too much or too little is told of the wager.
fn split_payment(main: &mut WagerFold, press: &mut WagerFold, due: &Settled, on_press: &Settled) {
    let has_vigorish = main.commission.is_positive();
    // Where a card that nobody saw decides both, what the wager cannot have won is what the press has.
    if let Some(range) = due.range.filter(|_| on_press.range.is_some()) {
        let later = range.vigorish.times(i64::from(!has_vigorish));
        let most = range.most.map(|most| most - main.amount + later);
        press.paid = most.map_or(Cents::ZERO, |most| (main.paid - most).max(Cents::ZERO));
        press.paid_seq = main.paid_seq.filter(|_| press.paid.is_positive());
        main.paid -= press.paid;
        return;
    }
    let own = |due: &Settled| match has_vigorish {
        true => due.win,
        false => due.win - due.commission,
    };
    if on_press.result != Verdict::Win || main.paid <= due.win {
        return;
    }
    press.paid = own(on_press).min(main.paid);
    press.paid_seq = main.paid_seq;
    main.paid -= press.paid;
    press.commission = main.commission - main.commission.min(due.commission);
    main.commission -= press.commission;
}

/// The stack is taken or left whole, or so much of it as was told.
fn split_stake(main: &mut WagerFold, press: &mut WagerFold, are_named: bool) {
    let both = [
        (&mut main.collected, &mut press.collected),
        (&mut main.pushed, &mut press.pushed),
    ];
    for (of_main, of_press) in both {
        match of_main {
            Some(Some(part)) if *part > main.amount => {
                let rest = (*part - main.amount).min(press.amount);
                *part -= rest;
                *of_press = Some(Some(rest));
            }
            Some(None) if !are_named => *of_press = Some(None),
            _ => {}
        }
    }
}

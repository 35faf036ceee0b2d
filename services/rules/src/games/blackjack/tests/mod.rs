//! Blackjack: every cell, every refusal, every violation, and the exact odds of the side wagers.

mod cells;
mod corners;
mod edges;
mod mathematics;
mod refusals;
mod streaks;

use serde_json::Value;

use super::Blackjack;
use crate::games::shared::testround;
use crate::settlement::Verdict;
use crate::testkit::TestTable;

fn mgc(options: Value, wagers: &str, boxes: &str, dealer: &str) -> Value {
    testround::round(("blackjack", "mgc-2017"), options, wagers, boxes, dealer)
}

fn ohio(options: Value, wagers: &str, boxes: &str, dealer: &str) -> Value {
    testround::round(
        ("blackjack", "oh-jack-2017"),
        options,
        wagers,
        boxes,
        dealer,
    )
}

fn open() -> TestTable<Blackjack> {
    TestTable::open()
}

#[test]
fn every_violation_is_raised_by_its_fault_and_by_nothing_else() {
    let rounds = include_str!("../violations.txt");
    testround::assert_violations(&open(), rounds, |line| {
        testround::read_line("blackjack", line)
    });
}

/// Verdict and what goes back, by wager.
fn settled(round: &Value) -> Vec<(Verdict, i64)> {
    let settlement = open().settle(round);
    let wagers = settlement.wagers().iter();
    wagers
        .map(|wager| (wager.result, wager.returned.get()))
        .collect()
}

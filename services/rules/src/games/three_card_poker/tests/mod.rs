//! Three card poker: every cell, refusal and violation, the edges, and the exact mathematics.

mod cells;
mod edges;
mod mathematics;
mod refusals;
mod violations;

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::ThreeCardPoker;
use crate::Edition;
use crate::games::shared::ante_play_rounds;
use crate::testkit::TestTable;

const DEALER: &str = "KD 7C 3H";
const PLAYED: &str = "1 play QS 9H 4D: ante 500, play 500";

fn table() -> &'static TestTable<ThreeCardPoker> {
    static TABLE: LazyLock<TestTable<ThreeCardPoker>> = LazyLock::new(TestTable::open);
    &TABLE
}

fn round(edition: Edition, options: Value, dealer: &str, seats: &[&str]) -> Value {
    ante_play_rounds::round(table(), edition, options, dealer, seats)
}

fn verdict(document: &Value, id: &str) -> String {
    ante_play_rounds::verdict(table(), document, id)
}

fn lawful(edition: Edition) -> Value {
    round(edition, json!({}), DEALER, &[PLAYED])
}

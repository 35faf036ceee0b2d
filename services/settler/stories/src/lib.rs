//! How the tests of the settler tell of a table and what happens there, and hear what is found.
//!
//! [`lines`] tells it in short lines, [`Story`] in bodies of events, `baccarat` and `pai_gow` in hands of those games.

#![allow(clippy::unwrap_used, reason = "only tests tell stories")]

pub mod baccarat;
mod evidence;
mod lines;
pub mod pai_gow;
mod story;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use catwalk_rules::Rulebook;
use catwalk_settler::{Finding, Output, SettledRound, Settler};
pub use evidence::invented;
pub use lines::{codes, feed, open, receive, script, settle, table};
pub use story::{
    Story, bet, card, cards, closed, collected, irregularity, paid, paid_less, pushed,
};

static SETTLER: LazyLock<Settler> = LazyLock::new(|| Settler::new(rulebook()).unwrap());

static RULEBOOK: LazyLock<Arc<Rulebook>> = LazyLock::new(|| Arc::new(Rulebook::load().unwrap()));

pub fn rulebook() -> Arc<Rulebook> {
    Arc::clone(&RULEBOOK)
}

/// A settler that nothing was told of yet.
pub fn settler() -> Settler {
    SETTLER.without_tables()
}

/// No two findings have one id: whoever acts on one of them acts on that one.
pub fn assert_told_apart(findings: &[Finding]) {
    let mut known: BTreeMap<&str, &Finding> = BTreeMap::new();
    for finding in findings {
        if let Some(other) = known.insert(&finding.id, finding) {
            panic!("one id for two findings:\n{other:?}\n{finding:?}");
        }
    }
}

/// What a settler has said, by its kind.
fn heard(outputs: Vec<Output>) -> (Vec<Finding>, Vec<SettledRound>) {
    let (mut findings, mut settled) = (Vec::new(), Vec::new());
    for output in outputs {
        match output {
            Output::Finding(finding) => findings.push(*finding),
            Output::Settlement(round) => settled.push(*round),
            Output::Unread(unread) => panic!("{}", unread.reason),
        }
    }
    (findings, settled)
}

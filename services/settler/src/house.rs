//! What only shows in several tables: options in which the tables of a house must not differ.

use std::collections::BTreeMap;
use std::sync::Arc;

use catwalk_events::Timestamp;
use catwalk_rules::book::{Book, OptionEntry};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Edition, Rulebook};
use serde_json::Value;

use crate::finding::Finding;
use crate::settler::SettledRound;

/// Compares the tables of each house, from their settled rounds.
///
/// Two tables differ when one goes on under its value after the other has begun to play under another:
/// a change that comes to all tables between two rounds is none. A table is reported once for the
/// value it has. One entry is kept for each table and option that must be uniform.
///
/// It needs the rounds of all tables in one place and in one order, which a settler that shares the
/// tables with others does not have; `catwalk audit` has them.
#[derive(Debug)]
pub struct House {
    rulebook: Arc<Rulebook>,
    in_play: BTreeMap<Subject, BTreeMap<String, InPlay>>,
}

/// Where a value must be the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Subject {
    property: String,
    game: String,
    edition: Edition,
    option: String,
}

/// What a table plays under.
#[derive(Debug)]
struct InPlay {
    value: Value,
    /// When the first round under the value was opened, and the last.
    since: Timestamp,
    last: Timestamp,
    /// That it differs from another was said.
    told: bool,
}

impl House {
    pub fn new(rulebook: Arc<Rulebook>) -> House {
        House {
            rulebook,
            in_play: BTreeMap::new(),
        }
    }

    /// Takes the next round.
    pub fn receive(&mut self, round: &SettledRound) -> Vec<Finding> {
        let rulebook = Arc::clone(&self.rulebook);
        let edition = Edition::from_name(&round.rules.edition);
        let (Ok(game), Some(edition)) = (rulebook.game(&round.rules.game), edition) else {
            return Vec::new();
        };
        let book = game.book();
        let options = book.options().iter();
        options
            .filter(|option| option.editions.holds(edition))
            .filter_map(|option| {
                let message = self.compare(round, edition, option)?;
                finding(round, book, edition, option.uniform.as_deref()?, message)
            })
            .collect()
    }

    /// What to say if the table differs from another.
    fn compare(
        &mut self,
        round: &SettledRound,
        edition: Edition,
        option: &OptionEntry,
    ) -> Option<String> {
        option.uniform.as_ref()?;
        let subject = Subject {
            property: round.property.clone(),
            game: round.rules.game.clone(),
            edition,
            option: option.key.clone(),
        };
        let tables = self.in_play.entry(subject).or_default();
        let posted = round.rules.option(&option.key);
        let value = posted
            .or_else(|| option.default.clone())
            .unwrap_or_default();
        let mut here = match tables.remove(&round.table) {
            Some(here) if here.value == value => here,
            _ => InPlay {
                value,
                since: round.opened_at,
                last: round.opened_at,
                told: false,
            },
        };
        here.last = here.last.max(round.opened_at);
        let mut others = tables.iter_mut();
        let other = others.find(|(_, there)| there.value != here.value && there.last >= here.since);
        let message = other.filter(|_| !here.told).map(|(table, there)| {
            there.told = true;
            here.told = true;
            format!(
                "{} is {} at {} and {} at {table}: all tables of the house must have the same",
                option.key, here.value, round.table, there.value
            )
        });
        tables.insert(round.table.clone(), here);
        message
    }
}

/// `None` where the edition has no such finding: its tables may differ.
fn finding(
    round: &SettledRound,
    book: &Book,
    edition: Edition,
    code: &str,
    message: String,
) -> Option<Finding> {
    let mut filed = book.findings().iter();
    let filed = filed.find(|entry| entry.code == code && entry.editions.holds(edition))?;
    let finding = Finding {
        id: String::new(),
        code: code.to_owned(),
        severity: filed.severity,
        property: round.property.clone(),
        table: round.table.clone(),
        game: Some(round.rules.game.clone()),
        round: Some(round.round.clone()),
        wager: None,
        seat: None,
        dealer: round.dealer.clone(),
        at: round.at,
        due: None,
        paid: None,
        exposure: Cents::ZERO,
        message,
        cites: vec![filed.cite.clone()],
        evidence: vec![round.first_seq],
        rules: Some(book.hash().to_owned()),
        resolves: None,
    };
    Some(finding.seal())
}

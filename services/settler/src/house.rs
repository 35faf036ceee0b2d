//! What only shows in several tables: options in which the tables of a house must not differ.

use std::collections::BTreeMap;
use std::sync::Arc;

use catwalk_events::body::Body;
use catwalk_events::{Event, Timestamp};
use catwalk_rules::book::OptionEntry;
use catwalk_rules::floor::Cents;
use catwalk_rules::{Edition, Rulebook};
use serde_json::Value;

use crate::finding::Finding;
use crate::settler::SettledRound;

/// Compares the tables of each house, from their settled rounds.
///
/// Two tables differ when one goes on under its value after the other has begun to play under another,
/// or when both still stand at theirs in the end: a change that comes to all tables between two rounds
/// is none. A table is reported once for the value it has. One entry is kept for each table and option
/// that must be uniform.
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
    /// What tables that differ in it are called.
    code: String,
}

/// What a table plays under.
#[derive(Debug)]
struct InPlay {
    value: Value,
    /// When the first round under the value was opened, and the last.
    since: Timestamp,
    last: Timestamp,
    /// The table is open under it.
    stands: bool,
    /// That it differs from another was said.
    told: bool,
    round: LastRound,
}

/// The last round that a table played under its value.
#[derive(Debug)]
struct LastRound {
    id: String,
    dealer: Option<String>,
    at: Timestamp,
    seq: u64,
}

impl House {
    pub fn new(rulebook: Arc<Rulebook>) -> House {
        House {
            rulebook,
            in_play: BTreeMap::new(),
        }
    }

    /// Takes the next event, before the rounds that it ends: a table that closes, opens or changes its
    /// rules does not stand at what it played under.
    pub fn see(&mut self, event: &Event) {
        let leaves = matches!(
            event.body,
            Body::TableOpened(_) | Body::TableClosed(_) | Body::RulesChanged(_)
        );
        let subjects = self.in_play.iter_mut().filter(|_| leaves);
        for (_, tables) in subjects.filter(|(subject, _)| subject.property == event.property) {
            if let Some(table) = tables.get_mut(&event.table) {
                table.stands = false;
            }
        }
    }

    /// There are no more events: what tables that stand differ in.
    pub fn finish(&mut self) -> Vec<Finding> {
        let mut found = Vec::new();
        for (subject, tables) in &mut self.in_play {
            let stand = tables.iter().filter(|(_, table)| table.stands);
            let stand: Vec<(&String, &InPlay)> = stand.collect();
            let differ = stand.windows(2).find_map(|pair| {
                let [(one, here), (other, there)] = pair else {
                    return None;
                };
                let is_new = !here.told && !there.told;
                (is_new && here.value != there.value).then_some((*one, *here, *other, *there))
            });
            let Some((table, here, other, there)) = differ else {
                continue;
            };
            let message = subject.difference((table, &here.value), (other, &there.value));
            found.extend(finding(
                &self.rulebook,
                subject,
                table,
                &here.round,
                message,
            ));
        }
        found
    }

    /// Takes the next round.
    pub fn receive(&mut self, round: &SettledRound) -> Vec<Finding> {
        let rulebook = Arc::clone(&self.rulebook);
        let edition = Edition::from_name(&round.rules.edition);
        let (Ok(game), Some(edition)) = (rulebook.game(&round.rules.game), edition) else {
            return Vec::new();
        };
        let options = game.book().options().iter();
        options
            .filter(|option| option.editions.holds(edition))
            .filter_map(|option| self.compare(round, edition, option))
            .collect()
    }

    /// What is to be said if the table differs from another.
    fn compare(
        &mut self,
        round: &SettledRound,
        edition: Edition,
        option: &OptionEntry,
    ) -> Option<Finding> {
        let subject = Subject {
            property: round.property.clone(),
            game: round.rules.game.clone(),
            edition,
            option: option.key.clone(),
            code: option.uniform.clone()?,
        };
        let tables = self.in_play.entry(subject.clone()).or_default();
        let posted = round.rules.option(&option.key);
        let value = posted
            .or_else(|| option.default.clone())
            .unwrap_or_default();
        let last = LastRound::of(round);
        let mut here = match tables.remove(&round.table) {
            Some(here) if here.value == value => InPlay {
                stands: true,
                round: last,
                ..here
            },
            _ => InPlay {
                value,
                since: round.opened_at,
                last: round.opened_at,
                stands: true,
                told: false,
                round: last,
            },
        };
        here.last = here.last.max(round.opened_at);
        let mut others = tables.iter_mut();
        let other = others.find(|(_, there)| there.value != here.value && there.last >= here.since);
        let found = other.filter(|_| !here.told).and_then(|(table, there)| {
            there.told = true;
            here.told = true;
            let message = subject.difference((&round.table, &here.value), (table, &there.value));
            finding(&self.rulebook, &subject, &round.table, &here.round, message)
        });
        tables.insert(round.table.clone(), here);
        found
    }
}

impl Subject {
    fn difference(&self, (table, here): (&str, &Value), (other, there): (&str, &Value)) -> String {
        format!(
            "{} is {here} at {table} and {there} at {other}: all tables of the house must have the same",
            self.option
        )
    }
}

impl LastRound {
    fn of(round: &SettledRound) -> LastRound {
        LastRound {
            id: round.round.clone(),
            dealer: round.dealer.clone(),
            at: round.at,
            seq: round.first_seq,
        }
    }
}

/// `None` where the edition has no such finding: its tables may differ.
fn finding(
    rulebook: &Rulebook,
    subject: &Subject,
    table: &str,
    round: &LastRound,
    message: String,
) -> Option<Finding> {
    let (code, edition) = (&subject.code, subject.edition);
    let book = rulebook.game(&subject.game).ok()?.book();
    let mut filed = book.findings().iter();
    let filed = filed.find(|entry| entry.code == *code && entry.editions.holds(edition))?;
    let finding = Finding {
        id: String::new(),
        code: code.clone(),
        severity: filed.severity,
        property: subject.property.clone(),
        table: table.to_owned(),
        game: Some(subject.game.clone()),
        round: Some(round.id.clone()),
        wager: None,
        seat: None,
        dealer: round.dealer.clone(),
        at: round.at,
        due: None,
        paid: None,
        exposure: Cents::ZERO,
        message,
        cites: filed
            .cite
            .of(edition)
            .map(str::to_owned)
            .into_iter()
            .collect(),
        evidence: vec![round.seq],
        rules: Some(book.hash().to_owned()),
        resolves: None,
    };
    Some(finding.seal())
}

//! What only shows in several tables: options in which the tables of a house must not differ.
//!
//! Tables lie on different partitions of the log, and nothing says in which order the partitions are
//! read. So what is found depends on the rounds of each table in their own order, and never on how the
//! tables are interleaved:
//!
//! - A table has [periods](Period): rounds in a row under one value, from the opening of the first to
//!   the opening of the last. A day without a round ends a period: nobody says what the table offered
//!   in between.
//! - Two periods of two tables clash if their values differ and they overlap: the earlier table opens a
//!   round under its value when the later has begun under another. A change that comes to all tables
//!   between two rounds is no clash, nor is a table that has dealt nothing since: it is one with its
//!   next round.
//! - Each clash is one finding, of the table that began later (of two that began at one moment, the one
//!   whose name comes last), and it says only what the beginnings of the two periods say. So it is the
//!   same whichever round showed it.
//!
//! A clash is found by the round that first shows it, so that nothing has to be remembered of what was
//! said. That it is a pair, and not one finding a table, is what makes it independent of the order:
//! which of several other tables is met first is chance.
//!
//! [`Uniformity`] is the fold, which `catwalk audit` feeds with the rounds of a file; the
//! [stage](UniformityStage) feeds it with those on the log.

mod period;
mod stage;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use catwalk_events::audit::{Finding, Settlement};
use catwalk_events::{Json, Timestamp};
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use catwalk_rules::{Edition, Rulebook, hex};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use self::period::{Period, Periods};
pub use self::stage::{UniformityStage, is_registered};
use crate::settler::SettledRound;
use crate::snapshot::{self, SnapshotError};

/// So many tables of one house with one game, edition and option are held against each other. Those
/// that come later are not: a clash is a pair, and pairs grow with the square.
const MAX_TABLES: usize = 512;
/// So many tables are known over all houses and options.
const MAX_ALL_TABLES: usize = 4_096;
/// A longer value is kept and told by its beginning and its hash.
const MAX_VALUE_BYTES: usize = 200;

/// Holds the tables of each house against each other, from their settled rounds.
#[derive(Debug)]
pub struct Uniformity {
    /// By game and edition.
    wanted: BTreeMap<String, BTreeMap<String, Vec<Wanted>>>,
    in_play: BTreeMap<Subject, BTreeMap<String, Periods>>,
}

/// An option that the rules want alike at all tables of a house.
#[derive(Debug)]
struct Wanted {
    option: String,
    default: Value,
    /// What the tables that are compared have alike: options with their defaults.
    same: Vec<(String, Value)>,
    /// Names that lists among their options hold: option, its default, and the name.
    listing: Vec<(String, Value, String)>,
    /// What tables that differ in it are called.
    code: String,
    severity: Severity,
    cite: Option<String>,
    /// Hash of the rules that want it.
    rules: String,
}

/// Where a value must be the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Subject {
    property: String,
    game: String,
    edition: String,
    option: String,
}

/// A table, and what it is held against others for.
#[derive(Debug, Serialize, Deserialize)]
struct Place {
    subject: Subject,
    table: String,
}

impl Place {
    /// No two places share one.
    fn key(&self) -> String {
        let subject = &self.subject;
        let names = [
            &subject.property,
            &subject.game,
            &subject.option,
            &self.table,
        ];
        format!("{} {names:?}", subject.edition)
    }
}

/// What a round was dealt under.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    property: &'a str,
    table: &'a str,
    game: &'a str,
    edition: &'a str,
    options: &'a Json,
    round: &'a str,
    dealer: Option<&'a str>,
    opened_at: Timestamp,
    closed_at: Timestamp,
    first_seq: u64,
}

impl<'a> From<&'a SettledRound> for Terms<'a> {
    fn from(round: &'a SettledRound) -> Terms<'a> {
        Terms {
            property: &round.property,
            table: &round.table,
            game: &round.rules.game,
            edition: round.rules.posted_edition(),
            options: round.rules.options.text(),
            round: &round.round,
            dealer: round.dealer.as_deref(),
            opened_at: round.opened_at,
            closed_at: round.at,
            first_seq: round.first_seq,
        }
    }
}

impl<'a> From<&'a Settlement> for Terms<'a> {
    fn from(round: &'a Settlement) -> Terms<'a> {
        Terms {
            property: &round.property,
            table: &round.table,
            game: &round.game,
            edition: &round.edition,
            options: &round.options,
            round: &round.round,
            dealer: round.dealer.as_deref(),
            opened_at: round.opened_at,
            closed_at: round.closed_at,
            first_seq: round.first_seq,
        }
    }
}

impl Uniformity {
    pub fn new(rulebook: &Rulebook) -> Uniformity {
        let mut wanted: BTreeMap<String, BTreeMap<String, Vec<Wanted>>> = BTreeMap::new();
        for name in rulebook.edition_names() {
            let Some(edition) = rulebook.edition(name) else {
                continue;
            };
            for game in rulebook.games_in(name) {
                let alike = Wanted::of(game.book(), edition);
                if !alike.is_empty() {
                    let game = wanted.entry(game.name().to_owned()).or_default();
                    game.insert(name.to_owned(), alike);
                }
            }
        }
        Uniformity {
            wanted,
            in_play: BTreeMap::new(),
        }
    }

    /// What changed since it was last asked for, as bytes to go on from.
    fn write_changed(&mut self) -> Result<Vec<(String, Vec<u8>)>, SnapshotError> {
        let mut written = Vec::new();
        for (subject, tables) in &mut self.in_play {
            for (table, periods) in tables.iter_mut().filter(|(_, periods)| periods.changed) {
                let place = Place {
                    subject: subject.clone(),
                    table: table.clone(),
                };
                let value = snapshot::write(&(&place, &*periods))?;
                written.push((place.key(), value));
                periods.changed = false;
            }
        }
        Ok(written)
    }

    /// Goes on with a table from what was written of it.
    fn restore(&mut self, written: &[u8]) -> Result<(), SnapshotError> {
        let (place, periods): (Place, Periods) = snapshot::read(written)?;
        let tables = self.in_play.entry(place.subject).or_default();
        tables.insert(place.table, periods);
        Ok(())
    }

    /// Takes the next round of a table.
    pub fn receive<'a>(&mut self, round: impl Into<Terms<'a>>) -> Vec<Finding> {
        let round = round.into();
        let mut found = Vec::new();
        let Some(editions) = self.wanted.get(round.game) else {
            return found;
        };
        let Some((edition, wanted)) = editions.get_key_value(round.edition) else {
            return found;
        };
        let posted = round.options.value();
        for wanted in wanted {
            let subject = Subject {
                property: round.property.to_owned(),
                game: round.game.to_owned(),
                edition: edition.clone(),
                option: wanted.option.clone(),
            };
            let tables = self.in_play.get_mut(&subject);
            match wanted.among(&posted) {
                Some(among) => {
                    let value = posted.get(&wanted.option).unwrap_or(&wanted.default);
                    let told = (among, shown(value));
                    compare(&mut self.in_play, wanted, subject, &round, told, &mut found);
                }
                None => {
                    let here = tables.and_then(|tables| tables.get_mut(round.table));
                    here.into_iter().for_each(Periods::end);
                }
            }
        }
        found
    }
}

/// Adds a round to the periods of its table, and says what it shows.
fn compare(
    in_play: &mut BTreeMap<Subject, BTreeMap<String, Periods>>,
    wanted: &Wanted,
    subject: Subject,
    round: &Terms<'_>,
    (among, value): (String, String),
    found: &mut Vec<Finding>,
) {
    let tables = in_play.get(&subject);
    if !tables.is_some_and(|tables| tables.contains_key(round.table)) {
        let all: usize = in_play.values().map(BTreeMap::len).sum();
        if tables.map_or(0, BTreeMap::len) >= MAX_TABLES || all >= MAX_ALL_TABLES {
            return;
        }
    }
    let tables = in_play.entry(subject.clone()).or_default();
    let mut here = tables.remove(round.table).unwrap_or_default();
    let (period, before) = here.extend(round, among, value);
    for (other, there) in tables.iter() {
        let differs =
            |theirs: &&Period| theirs.among == period.among && theirs.value != period.value;
        for theirs in there.iter().filter(differs) {
            let one = (round.table, period);
            let Some((later, earlier)) = period::clash(one, before, (other, theirs)) else {
                continue;
            };
            found.push(wanted.difference(&subject, later, earlier));
        }
    }
    tables.insert(round.table.to_owned(), here);
}

impl Wanted {
    /// Only what the edition has a finding for: elsewhere its tables may differ.
    fn of(book: &catwalk_rules::book::Book, edition: Edition) -> Vec<Wanted> {
        let options = book.options().iter();
        let options = options.filter(|option| option.editions.holds(edition));
        let default = |key: &String| {
            let mut options = book.options().iter();
            let option = options.find(|one| one.key == *key && one.editions.holds(edition));
            let default = option.and_then(|option| option.default.clone());
            default.unwrap_or_default()
        };
        let wanted = options.filter_map(|option| {
            let code = option.uniform.as_ref()?;
            let mut filed = book.findings().iter();
            let filed = filed.find(|entry| entry.code == *code && entry.editions.holds(edition))?;
            let among = option.uniform_among.clone().unwrap_or_default();
            Some(Wanted {
                option: option.key.clone(),
                default: option.default.clone().unwrap_or_default(),
                same: among
                    .same
                    .into_iter()
                    .map(|key| (key.clone(), default(&key)))
                    .collect(),
                listing: among
                    .listing
                    .into_iter()
                    .map(|(key, name)| (key.clone(), default(&key), name))
                    .collect(),
                code: code.clone(),
                severity: filed.severity,
                cite: filed.cite.of(edition).map(str::to_owned),
                rules: book.hash().to_owned(),
            })
        });
        wanted.collect()
    }

    /// What a table with these options has in common with those that it is compared with; `None` where it is
    /// compared with none.
    fn among(&self, posted: &Value) -> Option<String> {
        let holds = |(key, default, name): &(String, Value, String)| {
            let list = posted.get(key).unwrap_or(default).as_array();
            list.is_some_and(|list| list.iter().any(|held| held == name.as_str()))
        };
        let same = self.same.iter().map(|(key, default)| {
            let value = posted.get(key).unwrap_or(default);
            format!("{value} {key}")
        });
        let same: Vec<String> = same.collect();
        self.listing.iter().all(holds).then(|| same.join(", "))
    }

    fn difference(
        &self,
        subject: &Subject,
        (table, here): (&str, &Period),
        (other, there): (&str, &Period),
    ) -> Finding {
        let among = match &*here.among {
            "" => String::new(),
            among => format!(" with {among}"),
        };
        let message = format!(
            "{} is {} at {table} and {} at {other}: all tables of the house{among} must have the same",
            subject.option.replace('_', " "),
            here.value,
            there.value
        );
        let finding = Finding {
            id: String::new(),
            code: self.code.clone(),
            severity: self.severity,
            property: subject.property.clone(),
            table: table.to_owned(),
            game: Some(subject.game.clone()),
            round: Some(here.round.clone()),
            wager: None,
            seat: None,
            dealer: here.dealer.clone(),
            at: here.closed_at,
            due: None,
            paid: None,
            exposure: Cents::ZERO,
            message,
            cites: self.cite.iter().cloned().collect(),
            evidence: vec![here.first_seq],
            rules: Some(self.rules.clone()),
            resolves: None,
            player: None,
            trial: None,
        };
        // Two tables show it, and each may differ from several.
        finding.seal_about(&format!("{} {other} {}", subject.option, there.first_seq))
    }
}

/// A value as it is compared and told: the keys of an object are in their order.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.len() <= MAX_VALUE_BYTES {
        return text;
    }
    let hash = hex(&Sha256::digest(&text)[..16]);
    let mut end = MAX_VALUE_BYTES - hash.len();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}… ({hash})", &text[..end])
}

//! What tables are judged by, and what it says of a code.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use catwalk_rules::book::{Book, Cite, Editions, Finding, Pay, Severity, Table};
use catwalk_rules::equipment::{CardRule, Chapter, WatchFinding};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Edition, Rulebook};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::settler::DataError;
use crate::table::RulesInForce;

/// The codes that the settler raises by itself, whatever a table plays.
const OWN: [&str; 19] = [
    "feed.contradiction",
    "feed.duplicate",
    "feed.gap",
    "feed.reordered",
    "feed.too_many_tables",
    "finding.resolved",
    "round.abandoned",
    "round.decided_void",
    "round.late_act",
    "round.late_void",
    "round.opened_twice",
    "round.oversized",
    "round.unjudged",
    "statistics.called_off",
    "statistics.dealer",
    "statistics.unseen",
    "table.overgrown",
    "table.reopened",
    "table.unopened",
];

/// What tables are judged by.
#[derive(Debug)]
pub(crate) struct Laws {
    pub(crate) rulebook: Arc<Rulebook>,
    /// False where rounds are only settled.
    pub(crate) watches: bool,
}

/// What is filed of a code at a table.
#[derive(Debug)]
pub(crate) struct Filed {
    pub(crate) severity: Severity,
    pub(crate) cite: Option<String>,
    /// Hash of the rules that say so; `None` where no text does.
    pub(crate) rules: Option<String>,
}

impl Laws {
    pub(crate) fn new(rulebook: Arc<Rulebook>, watches: bool) -> Result<Laws, DataError> {
        let laws = Laws { rulebook, watches };
        match OWN.into_iter().find(|code| laws.everywhere(code).is_none()) {
            Some(code) => Err(DataError(code)),
            None => Ok(laws),
        }
    }

    /// Severity and cite of a code, as the game's own rules have it in the table's edition, or as its
    /// jurisdiction has it for all games. `None` where neither has such a rule: it is no fault there.
    pub(crate) fn filed(&self, rules: Option<&RulesInForce>, code: &str) -> Option<Filed> {
        let game = rules.map(|rules| rules.game.as_str());
        let book = rules.and_then(|rules| rules.game_in(&self.rulebook).ok());
        let own = book.map(|game| game.book()).and_then(|book| {
            let filed = finding(book, rules?, code)?;
            Some((filed, book.hash()))
        });
        let chapter = self.chapter(rules);
        let of_all = chapter.finding(game, code);
        let everywhere = self.everywhere(code);
        // Where two texts differ, the higher severity holds.
        let severities = [
            own.map(|(own, _)| own.severity),
            of_all.map(|entry| entry.severity),
            everywhere.map(|entry| entry.severity),
        ];
        let severity = severities.into_iter().max().flatten()?;
        let (cite, hash) = match (own, of_all) {
            (Some((own, hash)), _) => (rules.and_then(|rules| rules.cite(&own.cite)), Some(hash)),
            (None, Some(entry)) => (entry.cite.clone(), Some(chapter.hash())),
            (None, None) => (everywhere.and_then(|entry| entry.cite.clone()), None),
        };
        Some(Filed {
            severity,
            cite,
            rules: hash.map(str::to_owned),
        })
    }

    /// Is a code a matter of other editions of the game alone? Then nobody broke a rule of this table by it.
    pub(crate) fn is_of_others(&self, rules: &RulesInForce, code: &str) -> bool {
        let game = rules.game_in(&self.rulebook).ok();
        let mut filed = game.into_iter().flat_map(|game| game.book().findings());
        filed.any(|entry| entry.code == code) && self.filed(Some(rules), code).is_none()
    }

    /// What holds at every table, and what no text asks for.
    pub(crate) fn everywhere(&self, code: &str) -> Option<&WatchFinding> {
        let mut entries = self.rulebook.everywhere().iter();
        entries.find(|entry| entry.code == code)
    }

    /// The equipment chapter of a table's jurisdiction.
    pub(crate) fn chapter(&self, rules: Option<&RulesInForce>) -> &Chapter {
        match rules {
            Some(rules) => self.rulebook.equipment_in(rules.posted_edition()),
            None => self.rulebook.equipment(None),
        }
    }

    /// How the cards of a table may be used.
    pub(crate) fn cards(&self, rules: &RulesInForce) -> Option<&CardRule> {
        let variation = rules.option("variation");
        let variation = variation.as_ref().and_then(Value::as_str);
        self.chapter(Some(rules)).cards(&rules.game, variation)
    }
}

/// What the edition of a house has otherwise than the text that it stands on, as far as a table is judged by it beside
/// the settlement of its rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OfHouse {
    /// By key.
    figures: BTreeMap<String, Value>,
    /// Of options, by key.
    defaults: BTreeMap<String, Value>,
    /// By table and row.
    pays: BTreeMap<String, Value>,
    /// Of the pay tables that differ, by the kind of wager that they pay.
    #[serde(default)]
    cites: BTreeMap<String, Vec<String>>,
}

impl OfHouse {
    pub(crate) fn of(game: &str, house: Option<&str>, rulebook: &Rulebook) -> OfHouse {
        let own = house.and_then(|name| Some((name, rulebook.house(name)?.base())));
        let own = own.and_then(|(name, base)| {
            let own = rulebook.game_in(game, name).ok()?.book();
            Some(OfHouse::between(Book::of(game)?, base, own))
        });
        own.unwrap_or_default()
    }

    fn between(base: &Book, edition: Edition, own: &Book) -> OfHouse {
        let mut of_house = OfHouse::default();
        for figure in own.figures() {
            if base.figure(edition, &figure.key) != Some(&figure.value) {
                let value = figure.value.clone();
                of_house.figures.insert(figure.key.clone(), value);
            }
        }
        for option in own.options() {
            let mut filed = base.options().iter();
            let filed = filed.find(|it| it.key == option.key && it.editions.holds(edition));
            if let Some(default) = &option.default
                && filed.and_then(|filed| filed.default.as_ref()) != Some(default)
            {
                let default = default.clone();
                of_house.defaults.insert(option.key.clone(), default);
            }
        }
        let mut changed = BTreeMap::new();
        for table in own.tables() {
            let mut filed = base.tables().iter();
            let filed = filed.find(|it| it.id == table.id && it.editions.holds(edition));
            for row in &table.rows {
                let mut rows = filed.into_iter().flat_map(|filed| &filed.rows);
                if !rows.any(|filed| filed.key == row.key && filed.pays == row.pays) {
                    let place = format!("{}.{}", table.id, row.key);
                    let pays = row.pays.to_string();
                    of_house.pays.insert(place, pays.into());
                    changed.insert(table.id.as_str(), &table.cite);
                }
            }
        }
        for wager in own.wagers() {
            let tables = wager.pays.iter().filter_map(|pays| pays.split('.').next());
            let cites = tables.filter_map(|table| changed.get(table)?.of(edition));
            let cites: BTreeSet<&str> = cites.collect();
            if !cites.is_empty() {
                let cites = cites.into_iter().map(str::to_owned).collect();
                of_house.cites.insert(wager.kind.clone(), cites);
            }
        }
        of_house
    }

    /// Where the house says what a kind of wager pays, if it says so itself.
    pub(crate) fn cites(&self, kind: &str) -> impl Iterator<Item = String> {
        self.cites.get(kind).into_iter().flatten().cloned()
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == OfHouse::default()
    }
}

impl RulesInForce {
    /// `None` where it is none that the rulebook knows.
    pub(crate) fn known_edition(&self) -> Option<Edition> {
        Edition::from_name(&self.edition)
    }

    /// What an entry cites at the table.
    pub(crate) fn cite(&self, cite: &Cite) -> Option<String> {
        let edition = self.known_edition();
        let cite = edition.map_or_else(|| cite.first(), |edition| cite.of(edition));
        cite.map(str::to_owned)
    }

    /// A figure of the game's own text, in the table's edition.
    pub(crate) fn figure(&self, key: &str) -> Option<&Value> {
        if let Some(own) = self.of_house.figures.get(key) {
            return Some(own);
        }
        let mut figures = Book::of(&self.game)?.figures().iter();
        let figure = figures.find(|figure| figure.key == key && self.is_of(&figure.editions))?;
        Some(&figure.value)
    }

    /// What an option is where the table posts none and its house has it otherwise than the text.
    pub(crate) fn house_default(&self, key: &str) -> Option<&Value> {
        self.of_house.defaults.get(key)
    }

    /// What an option of the game is where the table posts none.
    pub(crate) fn default(&self, key: &str) -> Option<&Value> {
        if let Some(own) = self.house_default(key) {
            return Some(own);
        }
        let mut options = Book::of(&self.game)?.options().iter();
        let option = options.find(|option| option.key == key && self.is_of(&option.editions))?;
        option.default.as_ref()
    }

    /// What an option is at the table, posted or not.
    pub(crate) fn in_force(&self, key: &str) -> Option<Value> {
        self.option(key).or_else(|| self.default(key).cloned())
    }

    /// What a row of a pay table pays, in the table's edition.
    pub(crate) fn pays(&self, table: &str, row: &str) -> Option<Pay> {
        if let Some(own) = self.of_house.pays.get(&format!("{table}.{row}")) {
            return serde_json::from_value(own.clone()).ok();
        }
        let mut tables = Book::of(&self.game)?.tables().iter();
        let table = tables.find(|filed| filed.id == table && self.is_of(&filed.editions))?;
        let row = table.rows.iter().find(|filed| filed.key == row)?;
        Some(row.pays)
    }

    /// Is it an amount that a pay table of this kind of wager files?
    pub(crate) fn files_prize(&self, kind: &str, prize: Cents) -> bool {
        let Some(book) = Book::of(&self.game) else {
            return false;
        };
        let laid = book.wager(kind);
        let is_its = |table: &&Table| {
            self.is_of(&table.editions) && laid.is_some_and(|laid| laid.pays.contains(&table.id))
        };
        let mut rows = book.tables().iter().filter(is_its).flat_map(|table| {
            let rows = table.rows.iter();
            rows.filter_map(|row| self.pays(&table.id, &row.key))
        });
        rows.any(|pays| pays == Pay::Fixed(prize))
    }

    /// Is a word in a list that the game's own text has, in the table's edition?
    pub(crate) fn lists(&self, key: &str, word: &str) -> bool {
        let listed = self.figure(key).and_then(Value::as_array);
        listed.is_some_and(|listed| listed.iter().any(|known| known == word))
    }

    /// Is an entry of these editions in force at the table?
    pub(crate) fn is_of(&self, editions: &Editions) -> bool {
        let edition = self.known_edition();
        edition.is_none_or(|edition| editions.holds(edition))
    }
}

/// What the game's own text says of a code in the table's edition.
pub(crate) fn finding<'a>(book: &'a Book, rules: &RulesInForce, code: &str) -> Option<&'a Finding> {
    let mut filed = book.findings().iter();
    filed.find(|entry| entry.code == code && rules.is_of(&entry.editions))
}

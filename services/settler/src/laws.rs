//! What tables are judged by, and what it says of a code.

use std::sync::Arc;

use catwalk_rules::book::{Book, Cite, Editions, Finding, Severity};
use catwalk_rules::equipment::{CardRule, Chapter, WatchFinding};
use catwalk_rules::{Edition, Rulebook};
use serde_json::Value;

use crate::settler::DataError;
use crate::table::RulesInForce;

/// The codes that the settler raises by itself, whatever a table plays.
const OWN: [&str; 9] = [
    "feed.duplicate",
    "feed.gap",
    "feed.reordered",
    "feed.too_many_tables",
    "finding.resolved",
    "round.abandoned",
    "round.oversized",
    "statistics.dealer",
    "table.overgrown",
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
        let variation = rules.options.value().get("variation");
        let variation = variation.and_then(|value| value.as_str());
        self.chapter(Some(rules)).cards(&rules.game, variation)
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
    pub(crate) fn figure(&self, key: &str) -> Option<&'static Value> {
        let mut figures = Book::of(&self.game)?.figures().iter();
        let figure = figures.find(|figure| figure.key == key && self.is_of(&figure.editions))?;
        Some(&figure.value)
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

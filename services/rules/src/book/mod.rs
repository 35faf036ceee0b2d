//! The data file of a game: editions, options, wagers, pay tables, figures, findings, readings.
//!
//! A compliance officer reads and diffs these files; the program reads them once, at start-up, and
//! refuses to run on one that is wrong. [`Book::read`] checks what can be said about any game's file
//! (every entry has a cite, refers to what exists, and belongs to an edition of the game); a game's
//! [`Game::rules`](crate::Game::rules) then takes each table and figure into its own types, and one
//! that is never taken is an error too.

mod bounds;
mod cite;
mod entries;
mod layout;
mod minimum;
mod options;
mod overlay;
mod view;
mod void;

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

pub use cite::Cite;
pub use entries::{
    EditionEntry, Editions, Figure, Finding, FindingSource, OptionEntry, Pay, Reading, Row, Table,
    WagerEntry,
};
pub use layout::{Count, Decks, Layout, MAIN_WINDOW, PieceSet, Street};
pub use minimum::{LeastLimit, Minimum};
pub use options::Allowed;
pub use overlay::Overlaid;
pub use view::EditionBook;
pub use void::{Mishap, Void};

pub use crate::floor::Severity;

use crate::json::Json;
use crate::refusal::Refusal;
use crate::{Edition, hex};

/// What is wrong with a data file. Names the game and the entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rules of {game}: {what}")]
pub struct BookError {
    game: String,
    what: String,
}

impl BookError {
    /// The error of a book from which a house took these wagers: one of them may be why.
    pub(crate) fn without(self, removed: &[String]) -> BookError {
        let is_named = |kind: &String| self.what.contains(&format!("wagers.{kind}"));
        if removed.is_empty() || removed.iter().any(is_named) {
            return self;
        }
        let what = format!("{}, without wagers.{}", self.what, removed.join(", "));
        BookError { what, ..self }
    }

    /// An error about a data file of this name.
    pub(crate) fn of(game: String, what: String) -> BookError {
        BookError { game, what }
    }
}

/// The data file of a game, as written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Book {
    game: String,
    title: String,
    editions: Vec<EditionEntry>,
    #[serde(default)]
    options: Vec<OptionEntry>,
    layouts: Vec<Layout>,
    wagers: Vec<WagerEntry>,
    #[serde(default)]
    tables: Vec<Table>,
    #[serde(default)]
    figures: Vec<Figure>,
    findings: Vec<Finding>,
    #[serde(default)]
    readings: Vec<Reading>,
    #[serde(skip_deserializing)]
    hash: String,
}

impl Book {
    pub(crate) fn read(text: &str) -> Result<Book, BookError> {
        let mut book: Book = toml::from_str(text).map_err(|error| BookError {
            game: "a data file".into(),
            what: error.to_string(),
        })?;
        book.hash = hex(&Sha256::digest(text));
        book.check()?;
        Ok(book)
    }

    /// The game's name in documents.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The game's name on the floor.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// SHA-256 of the data file, in hexadecimal.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    pub fn editions(&self) -> impl Iterator<Item = Edition> {
        self.editions.iter().map(|entry| entry.edition)
    }

    pub fn edition_entries(&self) -> &[EditionEntry] {
        &self.editions
    }

    pub fn options(&self) -> &[OptionEntry] {
        &self.options
    }

    /// How the game is laid out and dealt in an edition.
    pub fn layout(&self, edition: Edition) -> Option<&Layout> {
        let mut layouts = self.layouts.iter();
        layouts.find(|layout| layout.editions.holds(edition))
    }

    /// Can such a wager outlast a round, in an edition or, where that is not known, in any?
    pub fn stays(&self, kind: &str, edition: Option<Edition>) -> bool {
        let here = |editions: &Editions| edition.is_none_or(|edition| editions.holds(edition));
        let mut layouts = self.layouts.iter();
        let mut wagers = self.wagers.iter().filter(|wager| wager.kind == kind);
        layouts.any(|layout| layout.wagers_stay && here(&layout.editions))
            || wagers.any(|wager| wager.stays && here(&wager.editions))
    }

    /// Can any wager outlast a round, in an edition or, where that is not known, in any?
    pub fn keeps_wagers(&self, edition: Option<Edition>) -> bool {
        let mut wagers = self.wagers.iter();
        wagers.any(|wager| self.stays(&wager.kind, edition))
    }

    pub fn wagers(&self) -> &[WagerEntry] {
        &self.wagers
    }

    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    pub fn figures(&self) -> &[Figure] {
        &self.figures
    }

    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// How doubtful passages of the text are read.
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// The book with only what holds in one edition; the whole book for `None`.
    pub fn in_edition(&self, edition: Option<Edition>) -> Book {
        let mut book = self.clone();
        if let Some(edition) = edition {
            book.editions.retain(|entry| entry.edition == edition);
            book.options.retain(|entry| entry.editions.holds(edition));
            book.layouts.retain(|entry| entry.editions.holds(edition));
            book.wagers.retain(|entry| entry.editions.holds(edition));
            book.tables.retain(|entry| entry.editions.holds(edition));
            book.figures.retain(|entry| entry.editions.holds(edition));
            book.findings.retain(|entry| entry.editions.holds(edition));
            book.readings.retain(|entry| entry.editions.holds(edition));
            let tables = book.tables.iter_mut();
            tables.for_each(|table| table.minimum.narrow(edition));
            book.cites_mut().for_each(|cite| cite.narrow(edition));
        }
        book
    }

    /// The entries that hold in one edition, for a game to take into its own types.
    pub(crate) fn edition(&self, edition: Edition) -> EditionBook<'_> {
        EditionBook::new(self, edition)
    }

    pub(crate) fn option_defaults(
        &self,
        edition: Edition,
    ) -> impl Iterator<Item = (Cow<'_, str>, Json<'_>)> {
        self.options
            .iter()
            .filter(move |option| option.editions.holds(edition))
            .filter_map(|option| {
                let default = option.default.as_ref()?;
                Some((Cow::Borrowed(option.key.as_str()), Json::from(default)))
            })
    }

    /// Is this an option of the edition, with a value that can be read?
    pub(crate) fn check_option(
        &self,
        edition: Edition,
        key: &str,
        value: &Value,
    ) -> Result<(), Refusal> {
        let here = |option: &&OptionEntry| option.editions.holds(edition);
        match self
            .options
            .iter()
            .filter(here)
            .find(|option| option.key == key)
        {
            Some(option) => option.check(value).map_err(|what| {
                Refusal::at(format!("options.{key}"), format!("{what} ({edition})"))
            }),
            None => {
                let known: Vec<&str> = self
                    .options
                    .iter()
                    .filter(here)
                    .map(|option| option.key.as_str())
                    .collect();
                let is_not = format!("an option of {} in {edition}", self.game);
                Err(Refusal::unknown(
                    format!("options.{key}"),
                    key,
                    &is_not,
                    &known,
                ))
            }
        }
    }

    /// Is this a code that settlement may return in this edition?
    pub(crate) fn shown_by_document(&self, edition: Edition, code: &str) -> bool {
        self.findings.iter().any(|finding| {
            finding.code == code
                && finding.shown_by == FindingSource::Document
                && finding.editions.holds(edition)
        })
    }

    pub(crate) fn error(&self, what: impl Into<String>) -> BookError {
        BookError {
            game: self.game.clone(),
            what: what.into(),
        }
    }

    fn check(&self) -> Result<(), BookError> {
        self.check_editions()?;
        self.check_keys_are_unique()?;
        self.check_layouts()?;
        for option in &self.options {
            option.check_default().map_err(|what| self.error(what))?;
            if let Some(among) = &option.uniform_among {
                let mut keys = among.same.iter().chain(among.listing.keys());
                let known = |key: &String| self.options.iter().any(|option| option.key == *key);
                if let Some(key) = keys.find(|key| !known(key)) {
                    let what = format!("option {} is compared by {key}, which is none", option.key);
                    return Err(self.error(what));
                }
            }
            let mut raised = option.flag.iter().chain(&option.uniform);
            let known = |code: &String| self.findings.iter().any(|finding| finding.code == *code);
            if let Some(code) = raised.find(|code| !known(code)) {
                return Err(self.error(format!(
                    "option {} is flagged as {code}, which is not among the findings",
                    option.key
                )));
            }
        }
        self.wagers
            .iter()
            .try_for_each(|wager| self.check_wager_has_odds(wager))
    }

    fn check_editions(&self) -> Result<(), BookError> {
        let known: BTreeSet<Edition> = self.editions().collect();
        if known.is_empty() || known.len() != self.editions.len() {
            return Err(self.error("editions: at least one, each once"));
        }
        for (what, cite, editions) in self.cited() {
            let its = known.iter().copied().filter(|it| editions.holds(*it));
            let its: Vec<Edition> = its.collect();
            if let Some(fault) = cite.fault(&its) {
                return Err(self.error(format!("{what} {fault}")));
            }
            if let Some(stray) = editions.listed().find(|edition| !known.contains(edition)) {
                return Err(self.error(format!("{what}: the game has no edition {stray}")));
            }
        }
        Ok(())
    }

    /// Every entry with its cite and editions, and what to call it in an error.
    fn cited(&self) -> impl Iterator<Item = (String, &Cite, &entries::Editions)> {
        let options = self
            .options
            .iter()
            .map(|e| (format!("option {}", e.key), &e.cite, &e.editions));
        let layouts = self
            .layouts
            .iter()
            .map(|e| ("layout".to_owned(), &e.cite, &e.editions));
        let wagers = self
            .wagers
            .iter()
            .map(|e| (format!("wager {}", e.kind), &e.cite, &e.editions));
        let tables = self
            .tables
            .iter()
            .map(|e| (format!("table {}", e.id), &e.cite, &e.editions));
        let figures = self
            .figures
            .iter()
            .map(|e| (format!("figure {}", e.key), &e.cite, &e.editions));
        let findings = self
            .findings
            .iter()
            .map(|e| (format!("finding {}", e.code), &e.cite, &e.editions));
        let readings = self
            .readings
            .iter()
            .map(|e| (format!("reading {:?}", e.reading), &e.cite, &e.editions));
        options
            .chain(layouts)
            .chain(wagers)
            .chain(tables)
            .chain(figures)
            .chain(findings)
            .chain(readings)
    }

    fn cites_mut(&mut self) -> impl Iterator<Item = &mut Cite> {
        let options = self.options.iter_mut().map(|entry| &mut entry.cite);
        let layouts = self.layouts.iter_mut().map(|entry| &mut entry.cite);
        let wagers = self.wagers.iter_mut().map(|entry| &mut entry.cite);
        let tables = self.tables.iter_mut().map(|entry| &mut entry.cite);
        let figures = self.figures.iter_mut().map(|entry| &mut entry.cite);
        let findings = self.findings.iter_mut().map(|entry| &mut entry.cite);
        let readings = self.readings.iter_mut().map(|entry| &mut entry.cite);
        let entries = options
            .chain(layouts)
            .chain(wagers)
            .chain(tables)
            .chain(figures);
        entries.chain(findings).chain(readings)
    }

    /// No two entries of one sort have the same name in one edition; no two rows of a table.
    fn check_keys_are_unique(&self) -> Result<(), BookError> {
        let mut seen = BTreeSet::new();
        for (what, _, editions) in self.cited() {
            for edition in self.editions().filter(|&edition| editions.holds(edition)) {
                if !seen.insert((what.clone(), edition)) {
                    return Err(self.error(format!("{what} is there twice in {edition}")));
                }
            }
        }
        for table in &self.tables {
            let mut minimums = table.minimum.listed().iter();
            if let Some(stray) = minimums.find(|edition| !table.editions.holds(**edition)) {
                return Err(self.error(format!("table {}: not one of {stray}", table.id)));
            }
            let keys: BTreeSet<&str> = table.rows.iter().map(|row| &*row.key).collect();
            if keys.len() != table.rows.len() || keys.is_empty() {
                return Err(self.error(format!("table {}: rows, each once", table.id)));
            }
        }
        Ok(())
    }

    /// `pays` of a wager leads to a table or a row in every edition that offers the wager.
    fn check_wager_has_odds(&self, wager: &WagerEntry) -> Result<(), BookError> {
        if wager.pays.is_empty() == wager.settled.is_none() {
            return Err(self.error(format!(
                "wager {}: either `pays` or, where no table decides, `settled`",
                wager.kind
            )));
        }
        for edition in self
            .editions()
            .filter(|&edition| wager.editions.holds(edition))
        {
            for target in &wager.pays {
                let (id, row) = match target.split_once('.') {
                    Some((id, row)) => (id, Some(row)),
                    None => (target.as_str(), None),
                };
                let table = self
                    .tables
                    .iter()
                    .find(|table| table.id == id && table.editions.holds(edition));
                let found = table.is_some_and(|table| {
                    row.is_none_or(|key| table.rows.iter().any(|row| row.key == key))
                });
                if !found {
                    return Err(self.error(format!(
                        "wager {} pays {target}, which {edition} does not have",
                        wager.kind
                    )));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

//! A data file as one edition sees it.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;

use super::{Book, BookError, Layout, LeastLimit, OptionEntry, Row, Table};
use crate::Edition;
use crate::json::{Fault, Json, Reader};

/// The entries of a data file that hold in one edition. Keeps note of what was taken from it, so
/// that a table that no code reads is found at start-up.
#[derive(Debug)]
pub struct EditionBook<'a> {
    book: &'a Book,
    edition: Edition,
    unread: RefCell<BTreeSet<String>>,
    /// Was it asked which wagers are offered?
    kinds_read: Cell<bool>,
}

impl<'a> EditionBook<'a> {
    pub(super) fn new(book: &'a Book, edition: Edition) -> EditionBook<'a> {
        let tables = book
            .tables
            .iter()
            .filter(|table| table.editions.holds(edition));
        let figures = book
            .figures
            .iter()
            .filter(|figure| figure.editions.holds(edition));
        let unread = tables
            .map(|table| table_name(&table.id))
            .chain(figures.map(|figure| figure_name(&figure.key)))
            .collect();
        EditionBook {
            book,
            edition,
            unread: RefCell::new(unread),
            kinds_read: Cell::new(false),
        }
    }

    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// A pay table as a type of the game's own: a struct with a field for each row
    /// (`deny_unknown_fields`), or a map from a row enum. Fields are [`Odds`](crate::floor::Odds)
    /// or [`Pay`](super::Pay).
    pub fn table<T: DeserializeOwned>(&self, id: &str) -> Result<T, BookError> {
        let rows = self.rows(id)?;
        rows.read()
            .map_err(|fault| self.bad(&table_name(id), fault))
    }

    /// A pay table whose odds this edition sets as a minimum; an error if the data file does not say so.
    pub(crate) fn minimum_table<T: DeserializeOwned>(&self, id: &str) -> Result<T, BookError> {
        let mut tables = self.book.tables.iter();
        let here = |table: &&Table| table.id == id && table.editions.holds(self.edition);
        let is_minimum = |table: &Table| table.minimum.holds(self.edition);
        if tables.find(here).is_some_and(|table| !is_minimum(table)) {
            let name = table_name(id);
            return Err(self.error(format_args!("{name} has no `minimum = true`")));
        }
        self.table(id)
    }

    /// The least that the payout limit of an option may be in this edition.
    pub(crate) fn least_limit(&self, option: &str) -> Result<LeastLimit, BookError> {
        let mut options = self.book.options.iter();
        let here = |entry: &&OptionEntry| entry.key == option && entry.editions.holds(self.edition);
        let entry = options.find(here);
        entry
            .and_then(|entry| entry.minimum)
            .ok_or_else(|| self.missing(format!("minimum of option {option}")))
    }

    /// True if this edition has such a table.
    pub fn has_table(&self, id: &str) -> bool {
        self.book
            .tables
            .iter()
            .any(|table| table.id == id && table.editions.holds(self.edition))
    }

    /// The table if this edition has it.
    pub fn optional_table<T: DeserializeOwned>(&self, id: &str) -> Result<Option<T>, BookError> {
        self.has_table(id).then(|| self.table(id)).transpose()
    }

    pub fn figure<T: DeserializeOwned>(&self, key: &str) -> Result<T, BookError> {
        let value = self.value(key)?;
        value
            .read()
            .map_err(|fault| self.bad(&figure_name(key), fault))
    }

    /// The figure if this edition has it.
    pub(crate) fn optional_figure<T: DeserializeOwned>(
        &self,
        key: &str,
    ) -> Result<Option<T>, BookError> {
        let mut here = self.book.figures.iter().filter(|figure| figure.key == key);
        let there = here.any(|figure| figure.editions.holds(self.edition));
        there.then(|| self.figure(key)).transpose()
    }

    /// The kinds of wager that this edition offers.
    pub fn kinds<K: DeserializeOwned>(&self) -> Result<Vec<K>, BookError> {
        self.kinds_read.set(true);
        self.book
            .wagers
            .iter()
            .filter(|wager| wager.editions.holds(self.edition))
            .map(|wager| {
                K::deserialize(Reader::Key(&wager.kind))
                    .map_err(|fault| self.bad(&wager.kind, fault))
            })
            .collect()
    }

    /// How the game is laid out in this edition.
    pub fn layout(&self) -> Result<&'a Layout, BookError> {
        let layout = self.book.layout(self.edition);
        layout.ok_or_else(|| self.missing("layout".to_owned()))
    }

    /// Words of the layout as the game reads them. One that it has no rule for is an error.
    pub fn words<K: DeserializeOwned>(&self, words: &[String]) -> Result<Vec<K>, BookError> {
        let read = |word: &String| {
            K::deserialize(Reader::Key(word)).map_err(|fault| self.bad(word, fault))
        };
        words.iter().map(read).collect()
    }

    /// The key with which each kind of the game selects, in any edition; those that leave no choice are not in it.
    pub(crate) fn selections<K: DeserializeOwned + Ord>(
        &self,
    ) -> Result<BTreeMap<K, &str>, BookError> {
        let selecting = self.book.wagers.iter();
        selecting
            .filter_map(|wager| Some((&wager.kind, wager.selects.as_deref()?)))
            .map(|(kind, key)| {
                let read = K::deserialize(Reader::Key(kind)).map_err(|fault| self.bad(kind, fault));
                Ok((read?, key))
            })
            .collect()
    }

    /// What the layout of this edition knows to go wrong. A word that the game has no rule for is an error.
    pub fn irregularities<K: DeserializeOwned>(&self) -> Result<Vec<K>, BookError> {
        self.words(
            self.book
                .layout(self.edition)
                .map_or(&[], |layout| &layout.irregularities),
        )
    }

    /// What of it voids the round.
    pub fn voids<K: DeserializeOwned>(&self) -> Result<Vec<K>, BookError> {
        self.words(
            self.book
                .layout(self.edition)
                .map_or(&[], |layout| &layout.voids),
        )
    }

    /// So many cards found face up void the round.
    pub fn face_up_voids(&self) -> Option<u64> {
        self.book.layout(self.edition)?.face_up_voids
    }

    /// An error about this data file.
    pub fn error(&self, what: impl std::fmt::Display) -> BookError {
        self.book.error(format!("{}: {what}", self.edition))
    }

    /// A house takes wagers away only where the code of the game asks which there are.
    pub(crate) fn check_removed(&self, removed: &[String]) -> Result<(), BookError> {
        match removed.first() {
            Some(kind) if !self.kinds_read.get() => {
                let what = "the code of this game offers it whatever the data file says";
                Err(self.error(format_args!("wagers.{kind}: {what}")))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn check_all_read(&self) -> Result<(), BookError> {
        match self.unread.borrow().first() {
            Some(name) => Err(self.error(format!("nothing reads {name}"))),
            None => Ok(()),
        }
    }

    fn rows(&self, id: &str) -> Result<Json<'static>, BookError> {
        let mut tables = self.book.tables.iter();
        let table = tables
            .find(|table| table.id == id && table.editions.holds(self.edition))
            .ok_or_else(|| self.missing(table_name(id)))?;
        self.unread.borrow_mut().remove(&table_name(id));
        let row = |row: &Row| {
            let pays = Json::Text(Cow::Owned(row.pays.to_string()));
            (Cow::Owned(row.key.clone()), pays)
        };
        Ok(Json::Object(table.rows.iter().map(row).collect()))
    }

    fn value(&self, key: &str) -> Result<Json<'_>, BookError> {
        let mut figures = self.book.figures.iter();
        let figure = figures
            .find(|figure| figure.key == key && figure.editions.holds(self.edition))
            .ok_or_else(|| self.missing(figure_name(key)))?;
        self.unread.borrow_mut().remove(&figure_name(key));
        Ok(Json::from(&figure.value))
    }

    fn bad(&self, name: &str, fault: Fault) -> BookError {
        self.error(format_args!("{name}: {fault}"))
    }

    fn missing(&self, name: String) -> BookError {
        self.error(format!("there is no {name}"))
    }
}

fn table_name(id: &str) -> String {
    format!("table {id}")
}

fn figure_name(key: &str) -> String {
    format!("figure {key}")
}

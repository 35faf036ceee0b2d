//! What the games' tests share.

use std::any::{Any, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::game::{AnyGame, Game, Loaded};
use crate::round::Envelope;
use crate::settlement::{Settled, Settlement};
use crate::{Edition, Refusal};

/// A table of one game, at which tests play rounds.
pub(crate) struct TestTable<G: Game> {
    pub(crate) game: &'static Loaded<G>,
}

/// The games that were loaded so far, each once for all tests.
static LOADED: Mutex<BTreeMap<TypeId, &'static (dyn Any + Send + Sync)>> =
    Mutex::new(BTreeMap::new());

impl<G: Game> TestTable<G> {
    pub(crate) fn open() -> TestTable<G> {
        let mut games = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        let game = games.entry(TypeId::of::<G>()).or_insert_with(|| {
            let loaded = Loaded::<G>::load().expect("the data file is in order");
            Box::leak(Box::new(loaded))
        });
        let game = game.downcast_ref().expect("the game of this type");
        TestTable { game }
    }

    /// A document of this game from its parts.
    pub(crate) fn document(
        &self,
        edition: Edition,
        options: Value,
        wagers: Value,
        play: Value,
    ) -> Value {
        json!({
            "game": self.game.name(), "edition": edition, "options": options,
            "wagers": wagers, "play": play,
        })
    }

    pub(crate) fn try_settle(&self, document: &Value) -> Result<Settlement, Refusal> {
        let text = document.to_string();
        self.game.settle_document(&Envelope::read(&text)?)
    }

    pub(crate) fn settle(&self, document: &Value) -> Settlement {
        self.try_settle(document)
            .unwrap_or_else(|refusal| panic!("{refusal}\n{document}"))
    }

    /// Each document is refused with an error that starts so.
    pub(crate) fn assert_refused(&self, cases: &[(Value, &str)]) {
        for (document, expected) in cases {
            let refusal = self.refusal(document);
            assert!(
                refusal.starts_with(expected),
                "expected {expected}\ngot      {refusal}"
            );
        }
    }

    pub(crate) fn refusal(&self, document: &Value) -> String {
        match self.try_settle(document) {
            Err(refusal) => refusal.to_string(),
            Ok(settlement) => panic!("settled instead of refused: {settlement:?}\n{document}"),
        }
    }

    /// The verdict on the one wager `id`.
    pub(crate) fn wager(&self, document: &Value, id: &str) -> Settled {
        let settlement = self.settle(document);
        let wager = settlement
            .wagers()
            .iter()
            .find(|wager| wager.id.as_str() == id);
        wager
            .unwrap_or_else(|| panic!("no wager {id} in {settlement:?}"))
            .clone()
    }

    /// The sorted violations of a document.
    pub(crate) fn violations(&self, document: &Value) -> Vec<&'static str> {
        self.settle(document).violations().iter().collect()
    }

    /// Settles the round that `document` makes for each cell of a `cells.txt` and compares what the
    /// first wager gets back, without any violation. Fails unless the cells are exactly those of the
    /// data file, so that no cell of a pay table goes without a test.
    pub(crate) fn assert_cells(&self, cells: &'static str, document: impl Fn(&Cell) -> Value) {
        let cells = Cell::read_all(cells);
        for cell in &cells {
            let document = document(cell);
            let settlement = self.settle(&document);
            let returned = settlement.wagers()[0].returned.get();
            assert_eq!(returned, cell.returned, "{cell:?}\n{document}");
            assert_eq!(
                settlement.violations().iter().count(),
                0,
                "{cell:?} {settlement:?}"
            );
        }
        self.assert_all_cells(&cells);
    }

    /// Fails unless the cells are exactly those of the data file.
    pub(crate) fn assert_all_cells(&self, cells: &[Cell]) {
        let book = self.game.book();
        let mut filed = BTreeSet::new();
        for edition in book.editions() {
            for table in book
                .tables()
                .iter()
                .filter(|table| table.editions.holds(edition))
            {
                filed.extend(
                    table
                        .rows
                        .iter()
                        .map(|row| (edition, &*table.id, &*row.key)),
                );
            }
        }
        let tested: BTreeSet<_> = cells
            .iter()
            .map(|cell| (cell.edition, cell.table, cell.row))
            .collect();
        let untested: Vec<_> = filed.difference(&tested).collect();
        let unfiled: Vec<_> = tested.difference(&filed).collect();
        assert!(untested.is_empty(), "cells without a test: {untested:?}");
        assert!(
            unfiled.is_empty(),
            "tests of cells that are not filed: {unfiled:?}"
        );
    }
}

/// One cell of a pay table and what it gives back, written out by hand from the regulation.
#[derive(Debug)]
pub(crate) struct Cell {
    pub(crate) edition: Edition,
    pub(crate) table: &'static str,
    pub(crate) row: &'static str,
    pub(crate) returned: i64,
}

impl Cell {
    /// Lines of `editions table row returned`, the editions joined by commas; `#` starts a comment.
    pub(crate) fn read_all(text: &'static str) -> Vec<Cell> {
        let lines = text
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        lines
            .flat_map(|line| {
                let words: Vec<&'static str> = line.split_whitespace().collect();
                let [editions, table, row, returned] = words[..] else {
                    panic!("cell: {line}")
                };
                editions.split(',').map(move |edition| Cell {
                    edition: Edition::from_name(edition).expect(edition),
                    table,
                    row,
                    returned: returned.parse().expect(line),
                })
            })
            .collect()
    }
}

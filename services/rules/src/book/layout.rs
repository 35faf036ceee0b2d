//! How a game is laid out and dealt: what the rules, the stream of events and the simulated floor all read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cite::Cite;
use super::entries::{Editions, WagerEntry};
use super::{Book, BookError};
use crate::Edition;
use crate::unseen::Pieces;

/// The window of every wager that names no other: it is open before the deal.
pub const MAIN_WINDOW: &str = "main";

/// The layout of a game in some of its editions.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    #[serde(default)]
    pub editions: Editions,
    /// What a round is played with.
    pub pieces: PieceSet,
    /// How many decks; one where it is left out.
    #[serde(default)]
    pub decks: Decks,
    /// The wager that buys a hand.
    pub main: Option<String>,
    /// Wagers that buy a hand where the main one is missing.
    #[serde(default)]
    pub instead_of_main: Vec<String>,
    /// Wagers without which the main one buys none.
    #[serde(default)]
    pub beside_main: Vec<String>,
    /// Does no call close the betting, but the first card alone?
    #[serde(default)]
    pub uncalled: bool,
    /// Does the house have a board instead of a hand?
    #[serde(default)]
    pub board: bool,
    /// Is the betting closed by the first card, and by no call?
    #[serde(default)]
    pub first_card_closes: bool,
    /// Does every wager that a round does not decide stay where it is, for the next one?
    #[serde(default)]
    pub wagers_stay: bool,
    /// What is dealt, in order.
    #[serde(default)]
    pub streets: Vec<Street>,
    /// What the text knows to go wrong.
    #[serde(default)]
    pub irregularities: Vec<String>,
    /// What of it voids the round.
    #[serde(default)]
    pub voids: Vec<String>,
    /// What of it, at a seat, voids that hand alone.
    #[serde(default)]
    pub voids_hand: Vec<String>,
    /// A house with so many cards takes what it lacks, and the round stands.
    pub house_completed: Option<usize>,
    /// What of it voids the wagers against the house alone.
    #[serde(default)]
    pub voids_contest: Vec<String>,
    /// So many cards found face up void the round.
    pub face_up_voids: Option<u64>,
    /// What an entry says beside whose cards they are, by key: the irregularities that have it.
    #[serde(default)]
    pub irregularity_keys: BTreeMap<String, Vec<String>>,
    pub cite: Cite,
}

/// A street: what is dealt or turned over between two betting windows.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Street {
    pub street: String,
    /// The betting window that its first card closes.
    pub closes: Option<String>,
    /// Cards to each hand.
    #[serde(default)]
    pub hand: usize,
    /// Cards to the dealer or the board.
    #[serde(default)]
    pub house: Count,
    /// Cards to the board, where the house has one beside a hand.
    #[serde(default)]
    pub board: Count,
    /// So many cards of the house lie open while players act on this street.
    #[serde(default)]
    pub open: usize,
    /// Cards that are put away unseen.
    #[serde(default)]
    pub burns: Count,
    /// What a seat does next, in the words of the floor. Nobody acts where it is left out.
    #[serde(default)]
    pub acts: Vec<String>,
}

/// A number of cards, which may hang on an option of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Count {
    Cards(usize),
    /// By the word that the table posts under this option.
    Posted {
        option: String,
        by: BTreeMap<String, usize>,
        otherwise: usize,
    },
}

impl Default for Count {
    fn default() -> Count {
        Count::Cards(0)
    }
}

impl Count {
    /// How many it is at a table that posts these options.
    pub fn of(&self, posted: impl Fn(&str) -> Option<Value>) -> usize {
        match self {
            Count::Cards(cards) => *cards,
            Count::Posted {
                option,
                by,
                otherwise,
            } => {
                let word = posted(option);
                let cards = word.and_then(|word| by.get(word.as_str()?).copied());
                cards.unwrap_or(*otherwise)
            }
        }
    }
}

/// What a round is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceSet {
    /// Decks of 52 cards.
    Cards,
    /// Decks of 52 cards with one joker each.
    CardsAndJoker,
    /// Decks of 48 cards, without the tens.
    SpanishCards,
    Tiles,
    Dice,
    Wheel,
}

impl PieceSet {
    /// Cards of one deck.
    pub fn deck(self) -> usize {
        match self {
            PieceSet::Cards => 52,
            PieceSet::CardsAndJoker => 53,
            PieceSet::SpanishCards => 48,
            PieceSet::Tiles | PieceSet::Dice | PieceSet::Wheel => 0,
        }
    }
}

/// How many decks are dealt from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Decks {
    Number(u32),
    /// As many as the table posts under this option.
    Posted {
        option: String,
    },
}

impl Default for Decks {
    fn default() -> Decks {
        Decks::Number(1)
    }
}

impl Layout {
    /// What a round under these options is dealt from. More decks than can be are as good as endless.
    pub(crate) fn pieces(&self, option: impl Fn(&str) -> Option<Value>) -> Pieces {
        const ENDLESS: i64 = 1_000;
        let decks = match &self.decks {
            Decks::Number(decks) => *decks,
            Decks::Posted { option: key } => {
                let posted = option(key).and_then(|posted| posted.as_i64());
                posted.map_or(1, |posted| posted.clamp(0, ENDLESS) as u32)
            }
        };
        match self.pieces {
            PieceSet::Cards => Pieces::decks(decks),
            PieceSet::CardsAndJoker => Pieces::decks(decks).with_jokers(decks),
            PieceSet::SpanishCards => Pieces::spanish_decks(decks),
            PieceSet::Tiles => Pieces::tiles(),
            PieceSet::Dice | PieceSet::Wheel => Pieces::decks(0),
        }
    }

    /// Cards of a hand.
    pub fn hand(&self) -> usize {
        self.streets.iter().map(|street| street.hand).sum()
    }

    /// Cards of the house that a hand is held against, or that complete it: of a board those that make five with it.
    pub fn house(&self) -> usize {
        const WHOLE: usize = 5;
        match self.board {
            true => WHOLE.saturating_sub(self.hand()),
            false => self
                .streets
                .iter()
                .map(|street| street.house.of(|_| None))
                .sum(),
        }
    }

    /// The windows that open after the deal, in order.
    pub fn later(&self) -> impl Iterator<Item = &str> {
        let closed = self
            .streets
            .iter()
            .filter_map(|street| street.closes.as_deref());
        closed.filter(|window| *window != MAIN_WINDOW)
    }

    pub fn knows(&self, irregularity: &str) -> bool {
        self.irregularities
            .iter()
            .any(|known| known == irregularity)
    }

    pub fn is_voided_by(&self, irregularity: &str) -> bool {
        self.voids.iter().any(|voiding| voiding == irregularity)
    }

    /// May an entry of this irregularity have the key?
    pub fn has_key(&self, irregularity: &str, key: &str) -> bool {
        let with_key = self.irregularity_keys.get(key);
        with_key.is_some_and(|with_key| with_key.iter().any(|known| known == irregularity))
    }
}

/// The data files that are compiled in, by game.
static SHELF: LazyLock<BTreeMap<String, Book>> = LazyLock::new(|| {
    let books = crate::games::BOOKS
        .iter()
        .filter_map(|text| Book::read(text).ok());
    books.map(|book| (book.game.clone(), book)).collect()
});

impl Book {
    /// The data file of a game that is compiled in. One that is wrong is nowhere: the rulebook refuses to load it.
    pub fn of(game: &str) -> Option<&'static Book> {
        SHELF.get(game)
    }

    /// How a wager is laid out. Editions differ in what it pays, not in where it lies.
    pub fn wager(&self, kind: &str) -> Option<&WagerEntry> {
        self.wagers.iter().find(|wager| wager.kind == kind)
    }

    /// A figure of an edition.
    pub fn figure(&self, edition: Edition, key: &str) -> Option<&Value> {
        let mut figures = self.figures().iter();
        let figure = figures.find(|figure| figure.key == key && figure.editions.holds(edition))?;
        Some(&figure.value)
    }

    /// An irregularity that the text knows, in any edition.
    pub fn irregularity(&self, word: &str) -> Option<&str> {
        let words = self
            .layouts
            .iter()
            .flat_map(|layout| &layout.irregularities);
        let mut words = words.map(String::as_str);
        words.find(|known| *known == word)
    }

    pub(super) fn check_layouts(&self) -> Result<(), BookError> {
        for edition in self.editions() {
            let Some(layout) = self.layout(edition) else {
                return Err(self.error(format!("{edition} has no layout")));
            };
            self.check_layout(edition, layout)
                .map_err(|what| self.error(format!("layout of {edition}: {what}")))?;
            for wager in self
                .wagers
                .iter()
                .filter(|wager| wager.editions.holds(edition))
            {
                self.check_place(edition, layout, wager).map_err(|what| {
                    self.error(format!("wager {} of {edition}: {what}", wager.kind))
                })?;
            }
        }
        Ok(())
    }

    fn offers(&self, edition: Edition, kind: &str) -> bool {
        let mut wagers = self.wagers.iter();
        wagers.any(|wager| wager.kind == kind && wager.editions.holds(edition))
    }

    fn check_layout(&self, edition: Edition, layout: &Layout) -> Result<(), String> {
        let mut buying = layout
            .main
            .iter()
            .chain(&layout.beside_main)
            .chain(&layout.instead_of_main);
        if let Some(main) = buying.find(|main| !self.offers(edition, main)) {
            return Err(format!("{main:?} buys the hand and is no wager"));
        }
        let mut names = BTreeSet::new();
        let mut streets = layout.streets.iter();
        if let Some(twice) = streets.find(|street| !names.insert(&street.street)) {
            return Err(format!("street {:?} is there twice", twice.street));
        }
        let has_wager = |window: &str| {
            let mut wagers = self.wagers.iter();
            wagers.any(|wager| wager.editions.holds(edition) && wager.window() == window)
        };
        if let Some(window) = layout.later().find(|window| !has_wager(window)) {
            return Err(format!(
                "a street closes {window:?}, in which nothing is bet"
            ));
        }
        let partly = layout.voids_hand.iter().chain(&layout.voids_contest);
        let mut voids = layout.voids.iter().chain(partly);
        if let Some(void) = voids.find(|void| !layout.knows(void)) {
            return Err(format!(
                "{void:?} voids and is not among the irregularities"
            ));
        }
        let mut with_keys = layout.irregularity_keys.values().flatten();
        match with_keys.find(|word| !layout.knows(word)) {
            Some(word) => Err(format!(
                "{word:?} has a key and is not among the irregularities"
            )),
            None => Ok(()),
        }
    }

    fn check_place(
        &self,
        edition: Edition,
        layout: &Layout,
        wager: &WagerEntry,
    ) -> Result<(), String> {
        if let Some(on) = wager.on.as_ref().filter(|on| !self.offers(edition, on)) {
            return Err(format!("it is on {on:?}, which is no wager"));
        }
        let window = wager.window();
        if window != MAIN_WINDOW && !layout.later().any(|closed| closed == window) {
            return Err(format!("no street closes its window {window:?}"));
        }
        // A wager of all editions may be limited in some of them.
        let is_filed = |key: &String| {
            let mut figures = self.figures.iter();
            self.options.iter().any(|option| option.key == *key)
                || figures.any(|figure| figure.key == *key)
        };
        let limits = wager.limit.iter().chain(&wager.counts_to);
        if let Some(limit) = limits.into_iter().find(|limit| !is_filed(limit)) {
            return Err(format!("its limit {limit:?} is no option and no figure"));
        }
        match self
            .wager(&wager.kind)
            .is_some_and(|first| first.lies_as(wager))
        {
            true => Ok(()),
            false => Err("it lies elsewhere in another edition".to_owned()),
        }
    }
}

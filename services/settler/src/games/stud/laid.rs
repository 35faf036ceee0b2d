//! What the data file of a game says of its layout and its deal, as the fold reads it.

use std::sync::LazyLock;

use catwalk_rules::Edition;
use catwalk_rules::book::{Book, Layout, WagerEntry};

/// The layout of a game. Its editions differ in nothing of it.
pub(super) type Laid = LazyLock<Felt>;

#[derive(Default)]
pub(super) struct Felt {
    book: Option<&'static Book>,
    /// The wager that buys the hand, and those without which it buys none.
    pub(super) main: &'static str,
    pub(super) buying: Vec<&'static str>,
    /// Cards of a hand.
    pub(super) hand: usize,
    /// Does the house have a board instead of a hand?
    pub(super) board: bool,
    /// Kinds that are put up after the deal, in order.
    pub(super) later: Vec<&'static str>,
    /// What is put up after the deal is so many times the main wager, where that is fixed.
    pub(super) multiple: Option<i64>,
    /// Meters, and the kinds whose prizes come from them.
    pub(super) meters: Vec<(&'static str, Vec<&'static str>)>,
    /// Kinds whose stake is never given back with a prize.
    pub(super) stake_stays: Vec<&'static str>,
    /// Kinds that look at the cards of the house.
    house: Vec<&'static str>,
    pub(super) irregularities: Vec<&'static str>,
    /// Those that void the round.
    pub(super) voiding: Vec<&'static str>,
    /// So many cards found face up void it.
    pub(super) face_up_voids: Option<u64>,
}

impl Felt {
    pub(super) fn of(game: &str) -> Felt {
        let book = Book::of(game);
        let layout = book.and_then(|book| book.layout(book.editions().next()?));
        let (Some(book), Some(layout)) = (book, layout) else {
            return Felt::default();
        };
        let main = layout.main.as_deref().unwrap_or_default();
        let beside = layout.beside_main.iter().map(String::as_str);
        let later: Vec<&str> = layout.later().collect();
        let mut sizes = book.wagers().iter().filter_map(|wager| wager.times);
        Felt {
            book: Some(book),
            main,
            buying: [main].into_iter().chain(beside).collect(),
            hand: layout.hand(),
            board: layout.board,
            multiple: sizes.next(),
            later,
            meters: meters(book),
            stake_stays: kinds(book, |wager| wager.stake_stays),
            house: kinds(book, |wager| wager.looks_at_house),
            irregularities: layout.irregularities.iter().map(String::as_str).collect(),
            voiding: layout.voids.iter().map(String::as_str).collect(),
            face_up_voids: layout.face_up_voids,
        }
    }

    pub(super) fn layout(&self, edition: &str) -> Option<&'static Layout> {
        self.book?.layout(Edition::from_name(edition)?)
    }

    pub(super) fn looks_at_house(&self, kind: &str) -> bool {
        self.house.contains(&kind)
    }
}

/// The kinds of which this holds, each once.
fn kinds(book: &'static Book, is_meant: impl Fn(&WagerEntry) -> bool) -> Vec<&'static str> {
    let meant = book.wagers().iter().filter(|wager| is_meant(wager));
    let mut kinds: Vec<&str> = meant.map(|wager| wager.kind.as_str()).collect();
    kinds.dedup();
    kinds
}

fn meters(book: &'static Book) -> Vec<(&'static str, Vec<&'static str>)> {
    let named = book
        .wagers()
        .iter()
        .filter_map(|wager| wager.meter.as_deref());
    let mut names: Vec<&str> = named.collect();
    names.dedup();
    let of = |name: &'static str| {
        (
            name,
            kinds(book, |wager| wager.meter.as_deref() == Some(name)),
        )
    };
    names.into_iter().map(of).collect()
}

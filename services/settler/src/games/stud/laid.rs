//! What the data file of a game says of its layout and its deal, as the fold reads it.

use std::sync::LazyLock;

use catwalk_rules::Edition;
use catwalk_rules::book::{Book, Layout, LeastLimit, WagerEntry};
use catwalk_rules::floor::Cents;

use crate::round::RoundFold;
use crate::table::RulesInForce;

/// What a player does who takes a bet back.
const WITHDRAW: &str = "withdraw";

/// The layout of a game. Its editions differ in nothing of it.
pub(super) type Laid = LazyLock<Felt>;

#[derive(Default)]
pub(super) struct Felt {
    book: Option<&'static Book>,
    /// The wager that buys the hand, and those without which it buys none.
    pub(super) main: &'static str,
    pub(super) buying: Vec<&'static str>,
    /// Wagers that buy a hand where the main one is missing.
    instead: Vec<&'static str>,
    /// Streets on which one of those that buy it may be taken back.
    takes_back: usize,
    /// Cards of a hand, and of the house.
    pub(super) hand: usize,
    pub(super) house_cards: usize,
    /// A house with so many cards takes what it lacks.
    pub(super) completed: Option<usize>,
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
    /// Those that at a seat void that hand alone.
    pub(super) voids_hand: Vec<&'static str>,
    /// So many cards found face up void it.
    pub(super) face_up_voids: Option<u64>,
    pub(super) limit: Option<PayoutLimit>,
}

/// The most that is paid, by an option of the table.
pub(super) struct PayoutLimit {
    pub(super) option: &'static str,
    /// What it is at least, whatever is posted, and what the three card bonus adds to it.
    least: Option<LeastLimit>,
    /// The kinds that it holds for.
    pub(super) kinds: Vec<&'static str>,
    /// Other kinds whose winnings use it up.
    pub(super) counted: Vec<&'static str>,
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
        let streets = layout.streets.iter();
        let takes_back = streets.filter(|street| street.acts.iter().any(|act| act == WITHDRAW));
        let mut sizes = book.wagers().iter().filter_map(|wager| wager.times);
        Felt {
            book: Some(book),
            main,
            buying: [main].into_iter().chain(beside).collect(),
            instead: layout.instead_of_main.iter().map(String::as_str).collect(),
            takes_back: takes_back.count(),
            hand: layout.hand(),
            house_cards: layout.house(),
            completed: layout.house_completed,
            board: layout.board,
            multiple: sizes.next(),
            later,
            meters: meters(book),
            stake_stays: kinds(book, |wager| wager.stake_stays),
            house: kinds(book, |wager| wager.looks_at_house),
            irregularities: layout.irregularities.iter().map(String::as_str).collect(),
            voiding: layout.voids.iter().map(String::as_str).collect(),
            voids_hand: layout.voids_hand.iter().map(String::as_str).collect(),
            face_up_voids: layout.face_up_voids,
            limit: PayoutLimit::of(book),
        }
    }

    pub(super) fn layout(&self, edition: &str) -> Option<&'static Layout> {
        self.book?.layout(Edition::from_name(edition)?)
    }

    /// Does the first card close the betting, whatever is called?
    pub(super) fn first_card_closes(&self, round: &RoundFold) -> bool {
        let layout = self.layout(&round.rules.edition);
        layout.is_some_and(|layout| layout.first_card_closes)
    }

    /// For a bet that can be withdrawn, or never: with so many cards of the board open. Of the wagers that buy a hand
    /// one may be taken back on each street that asks for it, in their order.
    pub(super) fn withdrawal(&self, kind: &str) -> Option<Option<usize>> {
        let bets = self.buying.iter().take_while(|_| self.takes_back > 0);
        let street = bets.enumerate().find(|(_, bet)| **bet == kind)?.0;
        Some((street < self.takes_back).then_some(street))
    }

    /// Does this wager, alone or with those beside it, buy a hand?
    pub(super) fn buys(&self, kind: &str) -> bool {
        self.buying.contains(&kind) || self.instead.contains(&kind)
    }

    /// Is a hand bought with wagers of which this says whether they lie there?
    pub(super) fn is_bought(&self, has: impl Fn(&str) -> bool) -> bool {
        self.buying.iter().all(|kind| has(kind)) || self.instead.iter().any(|kind| has(kind))
    }

    /// Does the text of this edition know the meter?
    pub(super) fn has_meter(&self, edition: &str, meter: &str) -> bool {
        let edition = Edition::from_name(edition);
        let wagers = self.book.map_or(&[][..], Book::wagers);
        wagers.iter().any(|wager| {
            let there = edition.is_some_and(|edition| wager.editions.holds(edition));
            there && wager.meter.as_deref() == Some(meter)
        })
    }

    pub(super) fn looks_at_house(&self, kind: &str) -> bool {
        self.house.contains(&kind)
    }
}

impl PayoutLimit {
    fn of(book: &'static Book) -> Option<PayoutLimit> {
        let mut limited = book.wagers().iter();
        let option = limited.find_map(|wager| wager.limit.as_deref())?;
        let mut options = book.options().iter();
        let entry = options.find(|entry| entry.key == option)?;
        Some(PayoutLimit {
            option,
            least: entry.minimum,
            kinds: kinds(book, |wager| wager.limit.is_some()),
            counted: kinds(book, |wager| wager.counts_to.is_some()),
        })
    }

    /// The limit in force: the posted one, or the least that the text allows where less is posted.
    pub(super) fn in_force(&self, rules: &RulesInForce, main: &str) -> Option<Cents> {
        let by_options = self.by_options(rules)?;
        Some(by_options.max(self.by_signs(rules, main)))
    }

    /// The same as far as the options of the table tell, which are all that a document knows.
    pub(super) fn by_options(&self, rules: &RulesInForce) -> Option<Cents> {
        let posted = rules.in_force(self.option);
        let posted = posted.and_then(|posted| posted.as_i64());
        let table_min = rules.option("table_min");
        let table_min = table_min.and_then(|min| min.as_i64()).map(Cents::new);
        let least = self.least(rules, table_min, table_min);
        posted.map(|posted| Cents::new(posted).max(least))
    }

    /// The least that it may be by the signs of the table: a bonus without a minimum of its own has that of the
    /// main wager.
    pub(super) fn by_signs(&self, rules: &RulesInForce, main: &str) -> Cents {
        let least = |kind: &str| {
            let mut limits = rules.limits.iter();
            let sign = limits.find(|limit| limit.kind == kind);
            sign.map(|limit| limit.min)
        };
        let bonus = least("three_card_bonus").or(least(main));
        self.least(rules, least(main), bonus)
    }

    /// The least that it may be where so much is asked of a main wager and of a three card bonus.
    fn least(&self, rules: &RulesInForce, main: Option<Cents>, bonus: Option<Cents>) -> Cents {
        let Some(least) = self.least else {
            return Cents::ZERO;
        };
        let offered = rules.option("three_card_bonus_offered");
        let bonus_times = rules.figure("largest_bonus_win");
        let bonus_times = bonus_times.and_then(|times| times.as_i64());
        let bonus_times = bonus_times.filter(|_| offered != Some(false.into()));
        let times = |times: Option<i64>, of: Option<Cents>| {
            let product = times.zip(of).map(|(times, of)| of.times(times));
            product.unwrap_or(Cents::ZERO)
        };
        let most = times(least.times_table_min, main) + times(bonus_times, bonus);
        least.amount.max(most)
    }

    /// Is it one limit for all seats of the round? (DJ Wild 12.G)
    pub(super) fn is_of_table(&self, round: &RoundFold) -> bool {
        let scope = round.rules.option(&format!("{}_scope", self.option));
        scope.is_some_and(|scope| scope == "table")
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

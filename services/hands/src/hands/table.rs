//! Scores by the ranks of a hand: a perfect hash over all ways to hold so many ranks, and a plain
//! array over the ranks of one suit.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU16, AtomicU32};
use std::sync::{Once, OnceLock};

use super::key::Key;
use super::ranks::{counts_of, is_once, once};

/// A table that is built when it is first asked: a few milliseconds for the largest. Hands are asked
/// for by their counts of ranks, of four bits each.
pub(super) struct LazyTable<const ROWS: usize, const SLOTS: usize> {
    table: OnceLock<(u64, RankTable<ROWS, SLOTS>)>,
    /// Sizes of the hands in the table, and their score by rank counts.
    sizes: &'static [u32],
    score: fn(u64) -> u32,
}

impl<const ROWS: usize, const SLOTS: usize> LazyTable<ROWS, SLOTS> {
    pub(super) const fn new(sizes: &'static [u32], score: fn(u64) -> u32) -> Self {
        LazyTable {
            table: OnceLock::new(),
            sizes,
            score,
        }
    }

    /// The score of these counts, which hold as many cards as one of the table's sizes.
    #[inline(always)]
    pub(super) fn get(&self, counts: u64) -> u32 {
        let (multiplier, table) = match self.table.get() {
            Some(built) => built,
            None => self.build(),
        };
        table.get(counts.wrapping_mul(*multiplier))
    }

    #[cold]
    #[inline(never)]
    fn build(&self) -> &(u64, RankTable<ROWS, SLOTS>) {
        self.table.get_or_init(|| {
            let mut multiplier = FIRST_MULTIPLIER;
            loop {
                let hash = |counts: u64| counts.wrapping_mul(multiplier);
                if let Some(table) = RankTable::build(self.sizes, hash, self.score) {
                    return (multiplier, *table);
                }
                multiplier = multiplier.wrapping_mul(5).wrapping_add(2);
            }
        })
    }
}

/// As [`LazyTable`], for the hands of one size that are asked most: by their [`Key`]. A [`Board`] builds it
/// as it grows, and so need not ask again whether it is there.
///
/// [`Board`]: super::Board
pub(super) struct KeyTable<const ROWS: usize, const SLOTS: usize> {
    built: Once,
    displacements: [AtomicU16; ROWS],
    scores: [AtomicU32; SLOTS],
    cards: u32,
    score: fn(u64) -> u32,
}

impl<const ROWS: usize, const SLOTS: usize> KeyTable<ROWS, SLOTS> {
    pub(super) const fn new(cards: u32, score: fn(u64) -> u32) -> Self {
        KeyTable {
            built: Once::new(),
            displacements: [const { AtomicU16::new(0) }; ROWS],
            scores: [const { AtomicU32::new(0) }; SLOTS],
            cards,
            score,
        }
    }

    /// The score of the ranks of this key, which has as many cards as the table.
    #[inline(always)]
    pub(super) fn get(&self, key: Key) -> u32 {
        self.ensure();
        self.get_built(key)
    }

    /// As [`KeyTable::get`] of a table that is there.
    #[inline(always)]
    pub(super) fn get_built(&self, key: Key) -> u32 {
        let (row, column) = RankTable::<ROWS, SLOTS>::place(key.hash());
        let displacement = self.displacements[row].load(Relaxed);
        self.scores[(column ^ usize::from(displacement)) & (SLOTS - 1)].load(Relaxed)
    }

    #[inline(always)]
    pub(super) fn ensure(&self) {
        if !self.built.is_completed() {
            self.build();
        }
    }

    #[cold]
    #[inline(never)]
    fn build(&self) {
        self.built.call_once(|| {
            let table = RankTable::<ROWS, SLOTS>::build(&[self.cards], Key::hash_of, self.score);
            let table = table.expect("the numbers of the ranks were chosen for these tables");
            for (to, from) in self.displacements.iter().zip(table.displacements) {
                to.store(from, Relaxed);
            }
            for (to, from) in self.scores.iter().zip(table.scores) {
                to.store(from, Relaxed);
            }
        });
    }
}

/// Scores of cards of one suit, built when it is first asked.
pub(super) struct SuitTable {
    table: OnceLock<Box<[u32; MASKS]>>,
    score: fn(u64) -> u32,
}

const MASKS: usize = 1 << 13;

impl SuitTable {
    pub(super) const fn new(score: fn(u64) -> u32) -> Self {
        SuitTable {
            table: OnceLock::new(),
            score,
        }
    }

    /// The score of these counts of one suit. A rank that repeats is not in the table.
    #[inline]
    pub(super) fn get(&self, counts: u64) -> u32 {
        match is_once(counts) {
            true => self.of_ranks(once(counts)),
            false => (self.score)(counts),
        }
    }

    /// The score of these ranks of one suit, each held once.
    #[inline]
    pub(super) fn of_ranks(&self, ranks: u16) -> u32 {
        let table = match self.table.get() {
            Some(table) => table,
            None => self.build(),
        };
        table[usize::from(ranks) & (MASKS - 1)]
    }

    #[cold]
    #[inline(never)]
    fn build(&self) -> &[u32; MASKS] {
        self.table.get_or_init(|| {
            let mut table = Box::new([0; MASKS]);
            for (mask, score) in (0..).zip(table.iter_mut()) {
                *score = (self.score)(counts_of(mask));
            }
            table
        })
    }
}

/// Scores of all multisets of ranks of one or more sizes, found in two loads.
///
/// The upper bits of a hash give a row and a column; the row's displacement moves the columns of its
/// hands to slots that no other row uses.
struct RankTable<const ROWS: usize, const SLOTS: usize> {
    displacements: [u16; ROWS],
    scores: [u32; SLOTS],
}

impl<const ROWS: usize, const SLOTS: usize> RankTable<ROWS, SLOTS> {
    const ROW_SHIFT: u32 = 64 - ROWS.trailing_zeros();
    const COLUMN_SHIFT: u32 = Self::ROW_SHIFT - SLOTS.trailing_zeros();
    const SIZES_FIT: () =
        assert!(ROWS.is_power_of_two() && SLOTS.is_power_of_two() && SLOTS <= 1 << 16 && ROWS > 1);

    #[inline(always)]
    fn get(&self, hash: u64) -> u32 {
        self.scores[self.slot(hash)]
    }

    #[inline(always)]
    fn slot(&self, hash: u64) -> usize {
        let (row, column) = Self::place(hash);
        (column ^ usize::from(self.displacements[row])) & (SLOTS - 1)
    }

    #[inline(always)]
    fn place(hash: u64) -> (usize, usize) {
        (
            (hash >> Self::ROW_SHIFT) as usize & (ROWS - 1),
            (hash >> Self::COLUMN_SHIFT) as usize & (SLOTS - 1),
        )
    }

    /// The slots have to be more than the hands. `None` if this hash does not keep them apart.
    fn build(sizes: &[u32], hash: impl Fn(u64) -> u64, score: fn(u64) -> u32) -> Option<Box<Self>> {
        let () = Self::SIZES_FIT;
        let mut hands = Vec::new();
        for &cards in sizes {
            push_multisets(&mut hands, 0, 0, cards);
        }
        let mut table = Box::new(RankTable {
            displacements: [0; ROWS],
            scores: [0; SLOTS],
        });
        table.displace(hands.iter().map(|&counts| Self::place(hash(counts))))?;
        for counts in hands {
            let slot = table.slot(hash(counts));
            table.scores[slot] = score(counts);
        }
        Some(table)
    }

    /// Finds a displacement for each row, the fullest row first while there is most room. `None` if
    /// two hands share row and column, or there is no room left.
    fn displace(&mut self, places: impl Iterator<Item = (usize, usize)>) -> Option<()> {
        let mut places: Vec<(usize, usize)> = places.collect();
        places.sort_unstable();
        if places.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let mut rows: Vec<&[(usize, usize)]> = places.chunk_by(|a, b| a.0 == b.0).collect();
        rows.sort_by_key(|row| usize::MAX - row.len());

        let mut taken = vec![false; SLOTS];
        for row in rows {
            let is_free = |&displacement: &usize| {
                let mut columns = row.iter().map(|&(_, column)| column);
                columns.all(|column| !taken[(column ^ displacement) & (SLOTS - 1)])
            };
            let displacement = (0..SLOTS).find(is_free)?;
            for &(row, column) in row {
                taken[column ^ displacement] = true;
                self.displacements[row] = displacement as u16;
            }
        }
        Some(())
    }
}

/// Where it does not keep the hands of a table apart, others are tried.
const FIRST_MULTIPLIER: u64 = 0x4c88_c014_8924_16dd;

/// All ways to hold `cards` ranks from `rank` upward besides those in `counts`.
fn push_multisets(keys: &mut Vec<u64>, counts: u64, rank: u32, cards: u32) {
    if rank == 12 {
        keys.push(counts + (u64::from(cards) << 48));
        return;
    }
    for here in 0..=cards {
        let counts = counts + (u64::from(here) << (4 * rank));
        push_multisets(keys, counts, rank + 1, cards - here);
    }
}

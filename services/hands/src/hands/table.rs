//! Scores by the ranks of a hand: a perfect hash over all ways to hold so many ranks, and a plain
//! array over the ranks of one suit.

use std::sync::OnceLock;

use super::ranks::{counts_of, is_once, once};

/// A table that is built when it is first asked: a few milliseconds for the largest. Hands are asked
/// for by their counts of ranks, of `BITS` bits each.
pub(super) struct LazyTable<const ROWS: usize, const SLOTS: usize, const BITS: u32 = 4> {
    table: OnceLock<RankTable<ROWS, SLOTS>>,
    /// Sizes of the hands in the table, and their score by rank counts.
    sizes: &'static [u32],
    score: fn(u64) -> u32,
}

impl<const ROWS: usize, const SLOTS: usize, const BITS: u32> LazyTable<ROWS, SLOTS, BITS> {
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
        match self.table.get() {
            Some(table) => table.get(counts),
            None => self.build().get(counts),
        }
    }

    #[cold]
    #[inline(never)]
    fn build(&self) -> &RankTable<ROWS, SLOTS> {
        self.table
            .get_or_init(|| *RankTable::build(self.sizes, BITS, self.score))
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
        match self.table.get() {
            Some(table) if is_once(counts) => table[usize::from(once(counts)) & (MASKS - 1)],
            _ => self.work_out(counts),
        }
    }

    #[cold]
    #[inline(never)]
    fn work_out(&self, counts: u64) -> u32 {
        self.table.get_or_init(|| {
            let mut table = Box::new([0; MASKS]);
            for (mask, score) in (0..).zip(table.iter_mut()) {
                *score = (self.score)(counts_of(mask));
            }
            table
        });
        (self.score)(counts)
    }
}

/// Scores of all multisets of ranks of one or more sizes, found in two loads.
///
/// A key's product with `multiplier` gives a row and a column; the row's displacement moves the
/// columns of its keys to slots that no other row uses.
struct RankTable<const ROWS: usize, const SLOTS: usize> {
    multiplier: u64,
    displacements: [u16; ROWS],
    scores: [u32; SLOTS],
}

impl<const ROWS: usize, const SLOTS: usize> RankTable<ROWS, SLOTS> {
    const ROW_SHIFT: u32 = 64 - ROWS.trailing_zeros();
    const COLUMN_SHIFT: u32 = Self::ROW_SHIFT - SLOTS.trailing_zeros();
    const SIZES_FIT: () =
        assert!(ROWS.is_power_of_two() && SLOTS.is_power_of_two() && SLOTS <= 1 << 16 && ROWS > 1);

    #[inline(always)]
    fn get(&self, counts: u64) -> u32 {
        self.scores[self.slot(counts)]
    }

    #[inline(always)]
    fn slot(&self, counts: u64) -> usize {
        let (row, column) = Self::place(counts, self.multiplier);
        (column ^ usize::from(self.displacements[row])) & (SLOTS - 1)
    }

    #[inline(always)]
    fn place(counts: u64, multiplier: u64) -> (usize, usize) {
        let product = counts.wrapping_mul(multiplier);
        (
            (product >> Self::ROW_SHIFT) as usize & (ROWS - 1),
            (product >> Self::COLUMN_SHIFT) as usize & (SLOTS - 1),
        )
    }

    /// The slots have to be more than the hands.
    fn build(sizes: &[u32], bits: u32, score: fn(u64) -> u32) -> Box<Self> {
        let () = Self::SIZES_FIT;
        let mut hands = Vec::new();
        for &cards in sizes {
            push_multisets(&mut hands, 0, 0, cards);
        }
        let keys: Vec<u64> = hands.iter().map(|&counts| packed(counts, bits)).collect();
        let mut table = Box::new(RankTable {
            multiplier: FIRST_MULTIPLIER,
            displacements: [0; ROWS],
            scores: [0; SLOTS],
        });
        while !table.displace(&keys) {
            table.multiplier = table.multiplier.wrapping_mul(5).wrapping_add(2);
        }
        for (key, counts) in keys.into_iter().zip(hands) {
            let slot = table.slot(key);
            table.scores[slot] = score(counts);
        }
        table
    }

    /// Finds a displacement for each row, the fullest row first while there is most room. False if
    /// two keys share row and column, or there is no room left.
    fn displace(&mut self, keys: &[u64]) -> bool {
        let mut places: Vec<(usize, usize)> = keys
            .iter()
            .map(|&counts| Self::place(counts, self.multiplier))
            .collect();
        places.sort_unstable();
        if places.windows(2).any(|pair| pair[0] == pair[1]) {
            return false;
        }
        let mut rows: Vec<&[(usize, usize)]> = places.chunk_by(|a, b| a.0 == b.0).collect();
        rows.sort_by_key(|row| usize::MAX - row.len());

        let mut taken = vec![false; SLOTS];
        for row in rows {
            let is_free = |&displacement: &usize| {
                let mut columns = row.iter().map(|&(_, column)| column);
                columns.all(|column| !taken[(column ^ displacement) & (SLOTS - 1)])
            };
            let Some(displacement) = (0..SLOTS).find(is_free) else {
                return false;
            };
            for &(row, column) in row {
                taken[column ^ displacement] = true;
                self.displacements[row] = displacement as u16;
            }
        }
        true
    }
}

/// With this one no two keys of any table in use share row and column, so the first try succeeds.
const FIRST_MULTIPLIER: u64 = 0x4c88_c014_8924_16dd;

/// Counts of four bits a rank, in fewer.
fn packed(counts: u64, bits: u32) -> u64 {
    (0..13).fold(0, |packed, rank| {
        packed | (counts >> (4 * rank) & 0xf) << (bits * rank)
    })
}

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

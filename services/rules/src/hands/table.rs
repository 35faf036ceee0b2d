//! Scores by the ranks of a hand: a perfect hash over all ways to hold so many ranks.

/// Scores of all multisets of ranks of one or more sizes, found in two loads.
///
/// A key's product with `multiplier` gives a row and a column; the row's displacement moves the
/// columns of its keys to slots that no other row uses.
pub(super) struct RankTable<const ROWS: usize, const SLOTS: usize> {
    multiplier: u64,
    displacements: Box<[u16; ROWS]>,
    /// Where in `scores`: hands are many, scores few, and the less memory is touched the better.
    slots: Box<[u16; SLOTS]>,
    scores: Box<[u32; SCORES]>,
}

/// More than any ranking has without regard to suits.
const SCORES: usize = 1 << 13;

impl<const ROWS: usize, const SLOTS: usize> RankTable<ROWS, SLOTS> {
    const ROW_SHIFT: u32 = 64 - ROWS.trailing_zeros();
    const COLUMN_SHIFT: u32 = Self::ROW_SHIFT - SLOTS.trailing_zeros();
    const SIZES_FIT: () =
        assert!(ROWS.is_power_of_two() && SLOTS.is_power_of_two() && SLOTS <= 1 << 16 && ROWS > 1);

    /// The score of these counts, which hold as many cards as the table was built for.
    #[inline]
    pub(super) fn get(&self, counts: u64) -> u32 {
        let (row, column) = Self::place(counts, self.multiplier);
        let slot = (column ^ usize::from(self.displacements[row])) & (SLOTS - 1);
        self.scores[usize::from(self.slots[slot]) & (SCORES - 1)]
    }

    /// A table of `score` for all hands of so many cards; the slots have to be more than those.
    pub(super) fn build(cards: impl IntoIterator<Item = u32>, score: impl Fn(u64) -> u32) -> Self {
        let () = Self::SIZES_FIT;
        let mut keys = Vec::new();
        for cards in cards {
            push_multisets(&mut keys, 0, 0, cards);
        }
        let mut multiplier = FIRST_MULTIPLIER;
        let displacements = loop {
            match Self::displace(&keys, multiplier) {
                Some(displacements) => break displacements,
                None => multiplier = multiplier.wrapping_mul(5).wrapping_add(2),
            }
        };
        let of_keys: Vec<u32> = keys.iter().map(|&counts| score(counts)).collect();
        let mut distinct = of_keys.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let mut slots = Box::new([0; SLOTS]);
        for (counts, score) in keys.into_iter().zip(of_keys) {
            let (row, column) = Self::place(counts, multiplier);
            slots[column ^ usize::from(displacements[row])] =
                distinct.partition_point(|&lower| lower < score) as u16;
        }
        let mut scores = Box::new([0; SCORES]);
        scores[..distinct.len()].copy_from_slice(&distinct);
        RankTable {
            multiplier,
            displacements,
            slots,
            scores,
        }
    }

    #[inline]
    fn place(counts: u64, multiplier: u64) -> (usize, usize) {
        let product = counts.wrapping_mul(multiplier);
        (
            (product >> Self::ROW_SHIFT) as usize & (ROWS - 1),
            (product >> Self::COLUMN_SHIFT) as usize & (SLOTS - 1),
        )
    }

    /// Finds a displacement for each row, the fullest row first while there is most room. `None` if
    /// two keys share row and column, or there is no room left.
    fn displace(keys: &[u64], multiplier: u64) -> Option<Box<[u16; ROWS]>> {
        let mut rows = vec![Vec::new(); ROWS];
        for &counts in keys {
            let (row, column) = Self::place(counts, multiplier);
            rows[row].push(column);
        }
        let mut fullest_first: Vec<usize> = (0..ROWS).collect();
        fullest_first.sort_by_key(|&row| usize::MAX - rows[row].len());

        let mut displacements = Box::new([0; ROWS]);
        let mut taken = vec![false; SLOTS];
        for row in fullest_first {
            let columns = &mut rows[row];
            columns.sort_unstable();
            if columns.windows(2).any(|pair| pair[0] == pair[1]) {
                return None;
            }
            let displacement = (0..SLOTS)
                .find(|displacement| columns.iter().all(|column| !taken[column ^ displacement]))?;
            for column in columns {
                taken[*column ^ displacement] = true;
            }
            displacements[row] = displacement as u16;
        }
        Some(displacements)
    }
}

/// Odd, and its bits are even enough; the sizes in use all succeed with it or soon after.
const FIRST_MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

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

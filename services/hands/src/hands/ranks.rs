//! Ranks of a hand as masks, bit 0 the two and bit 12 the ace, and what can be read from them.

/// The ranks that are held once or more, twice or more, and so on.
#[derive(Clone, Copy)]
pub(super) struct Held {
    pub(super) once: u16,
    pub(super) twice: u16,
    pub(super) thrice: u16,
    pub(super) four: u16,
    /// Only a deck with a card too many has five of a rank.
    pub(super) five: u16,
}

impl Held {
    /// From counts of four bits a rank, as in [`super::tally::Tally::counts`].
    pub(super) fn new(counts: u64) -> Held {
        let at_least = |least: u64| {
            (0..13).fold(0, |mask, rank| {
                mask | u16::from(counts >> (4 * rank) & 0xf >= least) << rank
            })
        };
        Held {
            once: at_least(1),
            twice: at_least(2),
            thrice: at_least(3),
            four: at_least(4),
            five: at_least(5),
        }
    }
}

pub(super) const fn bit(rank: u8) -> u16 {
    1 << rank
}

pub(super) fn highest(mask: u16) -> Option<u8> {
    mask.checked_ilog2().map(|rank| rank as u8)
}

/// Takes the highest rank out of the mask; the two if there is none left, which a hand with enough
/// cards never asks for.
pub(super) const fn take_highest(mask: &mut u16) -> u8 {
    if *mask == 0 {
        return 0;
    }
    let rank = mask.ilog2() as u8;
    *mask &= !bit(rank);
    rank
}

/// The `K` highest ranks of the mask.
pub(super) fn highest_of<const K: usize>(mut mask: u16) -> [u8; K] {
    std::array::from_fn(|_| take_highest(&mut mask))
}

/// The `K` highest cards of the counts, repeated ranks included.
pub(super) fn highest_cards<const K: usize>(mut counts: u64) -> [u8; K] {
    std::array::from_fn(|_| {
        if counts == 0 {
            return 0;
        }
        let rank = counts.ilog2() / 4;
        counts -= 1 << (4 * rank);
        rank as u8
    })
}

/// The ranks that are held at all.
pub(super) const fn once(counts: u64) -> u16 {
    let each = (counts | counts >> 1 | counts >> 2 | counts >> 3) & 0x1_1111_1111_1111;
    // Draws the lowest bits of each four together, then of each eight, and so on.
    let two = (each | each >> 3) & 0x0303_0303_0303_0303;
    let four = (two | two >> 6) & 0x000f_000f_000f_000f;
    let eight = (four | four >> 12) & 0x0000_00ff_0000_00ff;
    (eight | eight >> 24) as u16
}

/// Whether no rank is held twice.
pub(super) const fn is_once(counts: u64) -> bool {
    counts & !0x1_1111_1111_1111 == 0
}

/// Each rank of the mask once.
pub(super) fn counts_of(mask: u16) -> u64 {
    (0..13).fold(0, |counts, rank| {
        counts | u64::from(mask >> rank & 1) << (4 * rank)
    })
}

/// The top of the highest straight of `length` ranks. The ace also stands below the two.
pub(super) fn straight_top(mask: u16, length: u32) -> Option<u8> {
    let with_low_ace = mask << 1 | mask >> 12;
    let tops = (1..length).fold(with_low_ace, |tops, below| tops & with_low_ace << below);
    highest(tops).map(|top| top - 1)
}

/// As [`straight_top`], with at most `gaps` of its ranks missing.
pub(super) fn straight_top_with(mask: u16, length: u32, gaps: u32) -> Option<u8> {
    let with_low_ace = mask << 1 | mask >> 12;
    let window = (1 << length) - 1;
    (0..=14 - length)
        .rev()
        .find(|low| (with_low_ace >> low & window).count_ones() + gaps >= length)
        .map(|low| (low + length - 2) as u8)
}

/// The `N` ranks of the straight with this top, the low ace last.
pub(super) fn straight_ranks<const N: usize>(top: u8) -> [u8; N] {
    std::array::from_fn(|i| (top + 13 - i as u8) % 13)
}

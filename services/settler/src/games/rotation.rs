//! Things that are offered around the table until somebody takes them: a shoe, a bank.

/// Does it go counterclockwise from the seat that had it? Seat numbers rise that way. Who was told of
/// is held against the order alone: a seat between them may be empty, or its player may have waved.
pub(super) fn goes_round(from: u32, offered: &[u32]) -> bool {
    let distance = |seat: &u32| (*seat <= from, *seat);
    let mut pairs = offered.windows(2);
    pairs.all(|pair| distance(&pair[0]) <= distance(&pair[1]))
}

/// Is one seat reached before the other, counterclockwise from a third?
pub(super) fn is_nearer(from: u32, one: u32, other: u32) -> bool {
    (one <= from, one) < (other <= from, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bank_goes_up_the_seats_and_on_from_the_first() {
        assert!(goes_round(4, &[5, 6, 1, 3]));
        assert!(goes_round(4, &[3]));
        assert!(!goes_round(4, &[3, 2]));
        assert!(!goes_round(4, &[1, 5]));
        assert!(is_nearer(4, 6, 1));
        assert!(!is_nearer(4, 3, 5));
    }
}

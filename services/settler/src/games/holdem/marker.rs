//! The dealing marker of fast action hold'em, which says who is dealt the first card. s.7(b),(c)
//!
//! It begins at the dealer and moves one place clockwise after each round: to the next position of the
//! layout or, as the text may also be read, to the next one that plays. A feed that always deals from the
//! lowest seat does not tell the order of the deal, and is not held to the marker.

use serde::{Deserialize, Serialize};

/// The dealer's place; the others are seats.
pub(super) const DEALER: u32 = 0;

/// The last position that a table may have. 146.29(1)
const LAST: u32 = 9;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Marker {
    /// Where it may lie, as far as is known; nowhere where nothing is.
    may_lie: Vec<u32>,
    /// The highest seat that was dealt to.
    highest: u32,
    /// The feed deals by it.
    is_told: bool,
}

impl Marker {
    /// The game commences.
    pub(super) fn at_dealer() -> Marker {
        Marker {
            may_lie: vec![DEALER],
            ..Marker::default()
        }
    }

    /// Nobody knows where it lies.
    pub(super) fn lose(&mut self) {
        self.may_lie.clear();
    }

    /// A round is dealt, its first cards to these places in order, and the marker moves on. False if the
    /// first of them is not the marker's.
    pub(super) fn deal(&mut self, places: &[u32]) -> bool {
        let (Some(&first), Some(&top)) = (places.first(), places.iter().max()) else {
            self.lose();
            return true;
        };
        self.highest = self.highest.max(top);
        let leads = |place: &u32| nearest(*place, places, 0) == Some(first);
        let was_known = !self.may_lie.is_empty();
        self.may_lie.retain(leads);
        let fits = !was_known || !self.may_lie.is_empty();
        if self.may_lie.is_empty() {
            self.may_lie = (DEALER..=LAST).filter(leads).collect();
        }
        let lowest = places.iter().filter(|&&place| place != DEALER).min();
        let is_found = self.is_told && !fits;
        self.is_told |= was_known && fits && lowest != Some(&first);
        self.may_lie = self.moved(places);
        !is_found
    }

    fn moved(&self, places: &[u32]) -> Vec<u32> {
        let mut moved = Vec::new();
        for &place in &self.may_lie {
            match place {
                DEALER => moved.push(1),
                LAST.. => moved.push(DEALER),
                seat => moved.push(seat + 1),
            }
            // How many positions the table has is not told.
            if place >= self.highest {
                moved.push(DEALER);
            }
            moved.extend(nearest(place, places, 1));
        }
        moved.sort_unstable();
        moved.dedup();
        moved
    }
}

/// Which of these places is the first clockwise, so far from here at least?
fn nearest(from: u32, places: &[u32], least: u32) -> Option<u32> {
    let all = LAST.max(places.iter().copied().max().unwrap_or(LAST)) + 1;
    let number = |place: u32| if place == DEALER { all } else { place };
    let distance = |place: &u32| (number(*place) + all - number(from).min(all)) % all;
    let places = places.iter().copied();
    places
        .filter(|place| distance(place) >= least)
        .min_by_key(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dealt(marker: &mut Marker, rounds: &[&[u32]]) -> Vec<bool> {
        rounds.iter().map(|places| marker.deal(places)).collect()
    }

    #[test]
    fn the_first_card_goes_round_the_table() {
        let rounds: [&[u32]; 5] = [&[0, 1, 4], &[1, 4, 0], &[4, 0, 1], &[4, 0, 1], &[4, 0, 1]];
        let mut marker = Marker::at_dealer();
        // Over the empty positions it may go one by one.
        assert_eq!(dealt(&mut marker, &rounds), [true, true, true, true, true]);
        assert!(marker.deal(&[0, 1, 4]));
        assert!(!marker.deal(&[4, 0, 1]));
    }

    #[test]
    fn it_does_not_stay() {
        let rounds: [&[u32]; 2] = [&[0, 1, 2], &[0, 1, 2]];
        assert_eq!(dealt(&mut Marker::at_dealer(), &rounds), [true, false]);
        // It moves on from where it lay.
        let rounds: [&[u32]; 4] = [&[0, 1, 2], &[1, 2, 0], &[1, 2, 0], &[2, 0, 1]];
        let found = dealt(&mut Marker::at_dealer(), &rounds);
        assert_eq!(found, [true, true, false, true]);
    }

    #[test]
    fn a_feed_that_deals_by_seats_is_not_held_to_it() {
        let rounds: [&[u32]; 4] = [&[1, 2, 0], &[1, 2, 0], &[2, 3, 0], &[1, 3, 0]];
        assert_eq!(dealt(&mut Marker::at_dealer(), &rounds), [true; 4]);
        let mut lost = Marker::at_dealer();
        assert!(lost.deal(&[0, 1, 2]));
        lost.lose();
        assert!(lost.deal(&[1, 2, 0]));
        assert!(!lost.deal(&[1, 2, 0]));
    }
}

//! Meters that tables share: what is fed to one, and what is won from it, is seen at all of them.

use std::collections::BTreeMap;

use catwalk_rules::floor::Cents;

/// In microseconds.
const HOUR: i64 = 3_600_000_000;

/// A meter as a table of its link shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Linked {
    /// All tables with this name share it.
    pub(crate) link: String,
    /// The table's own name of it.
    pub(crate) meter: String,
    pub(crate) shown: Cents,
    /// It never shows less.
    pub(crate) reset: Cents,
}

/// The meters of the house.
#[derive(Debug, Default)]
pub(crate) struct Meters(BTreeMap<String, Meter>);

#[derive(Debug)]
struct Meter {
    stands: Cents,
    reset: Cents,
    /// What moves it later than it was last read: when, and by how much.
    to_come: BTreeMap<i64, Cents>,
}

impl Meters {
    /// What a meter shows at a moment. The first table that has it brings its first reading. Moments may go back, but
    /// by less than an hour: what moved it before has moved it for good.
    pub(crate) fn read(&mut self, linked: &Linked, at: i64) -> Cents {
        let meter = self.meter(linked);
        let later = meter.to_come.split_off(&(at - HOUR + 1));
        let reset = meter.reset;
        // Two awards of the same moment may take more than there is.
        let moved = |stands: Cents, change: &Cents| (stands + *change).max(reset);
        meter.stands = meter.to_come.values().fold(meter.stands, moved);
        meter.to_come = later;
        let until = meter.to_come.range(..=at).map(|(_, change)| change);
        until.fold(meter.stands, moved)
    }

    /// Something is fed to it or won from it.
    pub(crate) fn change(&mut self, linked: &Linked, at: i64, by: Cents) {
        if by != Cents::ZERO {
            *self.meter(linked).to_come.entry(at).or_default() += by;
        }
    }

    fn meter(&mut self, linked: &Linked) -> &mut Meter {
        let first = || Meter {
            stands: linked.shown,
            reset: linked.reset,
            to_come: BTreeMap::new(),
        };
        self.0.entry(linked.link.clone()).or_insert_with(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(shown: i64) -> Linked {
        Linked {
            link: "multi-link".to_owned(),
            meter: "progressive".to_owned(),
            shown: Cents::new(shown),
            reset: Cents::new(1_000),
        }
    }

    #[test]
    fn what_one_table_feeds_the_others_show_from_then_on() {
        let mut meters = Meters::default();
        assert_eq!(meters.read(&linked(5_000), 10), Cents::new(5_000));
        meters.change(&linked(5_000), 20, Cents::new(70));
        assert_eq!(meters.read(&linked(9_999), 19), Cents::new(5_000));
        assert_eq!(meters.read(&linked(9_999), 20), Cents::new(5_070));
        meters.change(&linked(0), 30, Cents::new(-5_070));
        assert_eq!(meters.read(&linked(0), 40), Cents::new(1_000));
    }
}

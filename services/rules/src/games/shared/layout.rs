//! The wagers on the layout of a poker table: one of a kind at a position counts, the rest goes back.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::floor::{Cents, Odds, Rounding, Seat};
use crate::round::Wager;
use crate::settlement::{Settled, Verdict, Violations};

/// A wager of one of these tables. [`placed_wager!`](crate::games::shared::layout::placed_wager)
/// implements it.
pub(crate) trait Placed: Wager {
    type Kind: Copy + Ord;

    fn kind(&self) -> Self::Kind;
    /// The guest, where the document names one.
    fn patron(&self) -> Option<&str>;
}

/// Implements [`Placed`] for a struct with the fields `kind` and `patron`.
macro_rules! placed_wager {
    ($wager:ty, $kind:ty) => {
        impl $crate::games::shared::layout::Placed for $wager {
            type Kind = $kind;

            fn kind(&self) -> $kind {
                self.kind
            }
            fn patron(&self) -> Option<&str> {
                self.patron.as_deref()
            }
        }
    };
}
pub(crate) use placed_wager;

/// Who plays a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Person<'a> {
    Named(&'a str),
    At(Seat),
}

/// The wagers that count, with their verdicts. Whatever is not settled goes back as void: wagers
/// that never counted, and those that lost their precondition.
#[derive(Debug)]
pub(crate) struct Layout<'a, W: Placed> {
    wagers: &'a [W],
    counted: BTreeMap<(Seat, W::Kind), usize>,
    settled: Vec<Settled>,
}

impl<'a, W: Placed> Layout<'a, W> {
    /// Counts the first offered wager of each kind at each position. `second_of` names the fault of
    /// a second one.
    pub(crate) fn count(
        wagers: &'a [W],
        is_offered: impl Fn(W::Kind) -> bool,
        second_of: impl Fn(W::Kind) -> &'static str,
        violations: &mut Violations,
    ) -> Layout<'a, W> {
        let mut counted = BTreeMap::new();
        for (index, wager) in wagers.iter().enumerate() {
            let kind = wager.kind();
            if !is_offered(kind) {
                violations.add("wager.not_offered");
                continue;
            }
            let first = *counted.entry((wager.seat(), kind)).or_insert(index);
            violations.add_if(first != index, second_of(kind));
        }
        Layout {
            wagers,
            counted,
            settled: wagers.iter().map(Settled::void).collect(),
        }
    }

    /// The wager of this kind that counts at a position.
    pub(crate) fn at(&self, seat: Seat, kind: W::Kind) -> Option<&'a W> {
        let index = *self.counted.get(&(seat, kind))?;
        self.wagers.get(index)
    }

    pub(crate) fn has(&self, seat: Seat, kind: W::Kind) -> bool {
        self.counted.contains_key(&(seat, kind))
    }

    /// The positions with a wager that counts, in dealing order.
    pub(crate) fn seats(&self) -> BTreeSet<Seat> {
        self.counted.keys().map(|&(seat, _)| seat).collect()
    }

    /// The positions with a wager of this kind that counts, in dealing order.
    pub(crate) fn seats_with(&self, kind: W::Kind) -> Vec<Seat> {
        let of_kind = self.counted.keys().filter(|(_, other)| *other == kind);
        of_kind.map(|&(seat, _)| seat).collect()
    }

    /// Whose position it is: the guest's, where a wager names one.
    pub(crate) fn person(&self, seat: Seat) -> Person<'a> {
        let mut there = self.wagers.iter().filter(|wager| wager.seat() == seat);
        let patron = there.find_map(|wager| wager.patron());
        patron.map_or(Person::At(seat), Person::Named)
    }

    /// A wager without its precondition does not count any longer: it goes back.
    pub(crate) fn give_back(&mut self, seat: Seat, kind: W::Kind) {
        if let Some(index) = self.counted.remove(&(seat, kind)) {
            self.settled[index] = Settled::void(&self.wagers[index]);
        }
    }

    /// Settles the wager of this kind at a position, if one counts there.
    pub(crate) fn settle(
        &mut self,
        seat: Seat,
        kind: W::Kind,
        verdict: impl FnOnce(&W) -> Settled,
    ) {
        if let Some(&index) = self.counted.get(&(seat, kind)) {
            self.settled[index] = verdict(&self.wagers[index]);
        }
    }

    /// Settles several kinds at a position alike.
    pub(crate) fn settle_alike(
        &mut self,
        seat: Seat,
        kinds: &[W::Kind],
        verdict: impl Fn(&W) -> Settled,
    ) {
        for &kind in kinds {
            self.settle(seat, kind, &verdict);
        }
    }

    /// Cuts what a position wins on these kinds together to a limit, the last kinds first. A wager
    /// cut to nothing is still won: its stake goes back.
    pub(crate) fn limit_payout(&mut self, seat: Seat, kinds: &[W::Kind], limit: Cents) {
        let mut left = limit;
        for &kind in kinds {
            let Some(&index) = self.counted.get(&(seat, kind)) else {
                continue;
            };
            let settled = &mut self.settled[index];
            if settled.result == Verdict::Win {
                let win = settled.win.min(left);
                left -= win;
                *settled = Settled::win(&self.wagers[index], win, settled.commission);
            }
        }
    }

    /// The verdicts in the order of the document.
    pub(crate) fn into_settled(self) -> Vec<Settled> {
        self.settled
    }
}

/// Pays odds; a fraction of a cent is dropped.
pub(crate) fn pay(wager: &impl Wager, odds: Odds) -> Settled {
    let win = odds.win_on(wager.amount(), Rounding::DOWN);
    Settled::win(wager, win, Cents::ZERO)
}

/// Pays a hand that beats the dealer's, takes one that is beaten, and leaves a tie.
pub(crate) fn against_dealer(wager: &impl Wager, player: Ordering, odds: Odds) -> Settled {
    match player {
        Ordering::Greater => pay(wager, odds),
        Ordering::Less => Settled::lose(wager),
        Ordering::Equal => Settled::push(wager),
    }
}

/// Flags wagers and hands at places that the table does not have.
pub(crate) fn flag_positions(
    wagers: &[impl Wager],
    hands: impl Iterator<Item = Seat>,
    positions: u16,
    violations: &mut Violations,
) {
    let mut seats = wagers.iter().map(Wager::seat).chain(hands);
    violations.add_if(
        seats.any(|seat| !(1..=positions).contains(&seat.number())),
        "wager.bad_position",
    );
}

/// Flags a guest who plays several positions, unless `may_play` allows just these.
pub(crate) fn flag_guests<W: Placed>(
    wagers: &[W],
    may_play: impl Fn(&BTreeSet<Seat>) -> bool,
    violations: &mut Violations,
) {
    let mut positions: BTreeMap<&str, BTreeSet<Seat>> = BTreeMap::new();
    for wager in wagers {
        if let Some(patron) = wager.patron() {
            positions.entry(patron).or_default().insert(wager.seat());
        }
    }
    let too_many = |seats: &BTreeSet<Seat>| seats.len() > 1 && !may_play(seats);
    violations.add_if(positions.values().any(too_many), "wager.multi_position");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floor::WagerId;

    #[derive(Debug)]
    struct Chip {
        id: WagerId,
        seat: Seat,
        kind: char,
        amount: Cents,
        patron: Option<String>,
    }
    crate::common_wager!(Chip);
    placed_wager!(Chip, char);

    fn chip(id: &str, seat: u16, kind: char, patron: Option<&str>) -> Chip {
        Chip {
            id: id.into(),
            seat: Seat::new(seat),
            kind,
            amount: Cents::new(100),
            patron: patron.map(str::to_owned),
        }
    }

    fn codes(violations: &Violations) -> Vec<&'static str> {
        violations.iter().collect()
    }

    #[test]
    fn the_first_wager_of_a_kind_counts_and_what_is_not_settled_goes_back() {
        let chips = [
            chip("a", 2, 'A', None),
            chip("b", 2, 'A', None),
            chip("c", 2, 'X', None),
            chip("d", 1, 'B', None),
        ];
        let mut violations = Violations::default();
        let mut layout = Layout::count(&chips, |kind| kind != 'X', |_| "twice", &mut violations);
        assert_eq!(codes(&violations), ["twice", "wager.not_offered"]);
        assert_eq!(
            layout.seats().into_iter().collect::<Vec<_>>(),
            [Seat::new(1), Seat::new(2)]
        );
        layout.settle_alike(Seat::new(2), &['A', 'X'], Settled::lose);
        layout.settle(Seat::new(1), 'B', Settled::lose);
        layout.give_back(Seat::new(1), 'B');
        layout.settle(Seat::new(1), 'B', Settled::lose);
        let verdicts: Vec<Verdict> = layout.into_settled().iter().map(|s| s.result).collect();
        assert_eq!(
            verdicts,
            [Verdict::Lose, Verdict::Void, Verdict::Void, Verdict::Void]
        );
    }

    #[test]
    fn a_limit_cuts_the_last_winners_and_leaves_them_their_stakes() {
        let chips = [
            chip("a", 1, 'A', None),
            chip("b", 1, 'B', None),
            chip("c", 1, 'C', None),
        ];
        let mut layout = Layout::count(&chips, |_| true, |_| "", &mut Violations::default());
        layout.settle_alike(Seat::new(1), &['A', 'B', 'C'], |chip| {
            Settled::win(chip, Cents::new(70), Cents::ZERO)
        });
        layout.limit_payout(Seat::new(1), &['C', 'A', 'B'], Cents::new(100));
        let settled = layout.into_settled();
        let wins: Vec<i64> = settled.iter().map(|s| s.win.get()).collect();
        assert_eq!(wins, [30, 0, 70]);
        assert_eq!(
            (settled[1].result, settled[1].returned),
            (Verdict::Win, Cents::new(100))
        );
    }

    #[test]
    fn a_guest_has_one_position_unless_the_table_allows_more() {
        let chips = [
            chip("a", 1, 'A', Some("ann")),
            chip("b", 1, 'B', Some("ann")),
            chip("c", 2, 'A', Some("bob")),
            chip("d", 3, 'A', Some("bob")),
        ];
        let flagged = |chips: &[Chip], may_play: &dyn Fn(&BTreeSet<Seat>) -> bool| {
            let mut violations = Violations::default();
            flag_guests(chips, may_play, &mut violations);
            violations.contains("wager.multi_position")
        };
        assert!(!flagged(&chips[..2], &|_| false));
        assert!(flagged(&chips, &|_| false));
        assert!(!flagged(&chips, &|_| true));
    }
}

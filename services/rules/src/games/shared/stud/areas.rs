//! Wagers on betting areas: the first of each kind at a seat counts.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::deal::BySeat;
use crate::floor::{Cents, Seat, WagerId};
use crate::games::shared::layout::Person;
use crate::games::shared::ohio_progressives::Chip;
use crate::games::shared::progressive;
use crate::refusal::Refusal;
use crate::settlement::{Settled, Violations};

/// A wager of the kind `K`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Wager<K> {
    pub(crate) id: WagerId,
    pub(crate) seat: Seat,
    pub(crate) kind: K,
    pub(crate) amount: Cents,
    /// The main wager that it hangs on. The seat decides; another reference is flagged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) on: Option<WagerId>,
}

impl<K> crate::Wager for Wager<K> {
    fn id(&self) -> &WagerId {
        &self.id
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn amount(&self) -> Cents {
        self.amount
    }
}

/// Refuses an `on` that names no wager of the document.
pub(crate) fn refuse_lost_references<K>(wagers: &[Wager<K>]) -> Result<(), Refusal> {
    let ids: BTreeSet<&WagerId> = wagers.iter().map(|wager| &wager.id).collect();
    for (index, wager) in wagers.iter().enumerate() {
        if let Some(on) = &wager.on
            && !ids.contains(on)
        {
            return Err(Refusal::at(
                format!("wagers[{index}].on"),
                format!("there is no wager {on:?} in this round"),
            ));
        }
    }
    Ok(())
}

/// Flags wagers at a position that the table does not have.
pub(crate) fn flag_positions<K>(wagers: &[Wager<K>], positions: u16, violations: &mut Violations) {
    violations.add_if(
        wagers.iter().any(|wager| wager.seat.number() > positions),
        "wager.bad_position",
    );
}

/// A wager that counts, with its place in the document.
#[derive(Debug)]
pub(crate) struct Placed<'a, K> {
    index: usize,
    pub(crate) wager: &'a Wager<K>,
}

// Derived, these would ask the same of `K`.
impl<K> Clone for Placed<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for Placed<'_, K> {}

/// The wagers that count, by seat and kind.
#[derive(Debug)]
pub(crate) struct Areas<'a, K>(BTreeMap<(Seat, K), Placed<'a, K>>);

impl<'a, K: Copy + Ord> Areas<'a, K> {
    /// Of the offered kinds the first at each seat, in the order of the document. The others are void
    /// and flagged, a further one on the same area by the code `repeated` of its kind.
    pub(crate) fn of(
        wagers: &'a [Wager<K>],
        is_offered: impl Fn(K) -> bool,
        repeated: impl Fn(K) -> &'static str,
        violations: &mut Violations,
    ) -> Areas<'a, K> {
        let mut counted = BTreeMap::new();
        for (index, wager) in wagers.iter().enumerate() {
            if !is_offered(wager.kind) {
                violations.add("wager.not_offered");
                continue;
            }
            match counted.entry((wager.seat, wager.kind)) {
                Entry::Vacant(area) => {
                    area.insert(Placed { index, wager });
                }
                Entry::Occupied(_) => violations.add(repeated(wager.kind)),
            }
        }
        Areas(counted)
    }

    pub(crate) fn get(&self, seat: Seat, kind: K) -> Option<Placed<'a, K>> {
        self.0.get(&(seat, kind)).copied()
    }

    pub(crate) fn has(&self, seat: Seat, kind: K) -> bool {
        self.0.contains_key(&(seat, kind))
    }

    /// The counted wagers by ascending seat.
    pub(crate) fn wagers(&self) -> impl Iterator<Item = &'a Wager<K>> {
        self.0.values().map(|placed| placed.wager)
    }

    /// The seats with a counted wager, ascending.
    pub(crate) fn seats(&self) -> Vec<Seat> {
        let mut seats: Vec<Seat> = self.0.keys().map(|&(seat, _)| seat).collect();
        seats.dedup();
        seats
    }

    /// The seats whose progressive chip is a wager: of this stake, beside the standard wagers of the game.
    pub(crate) fn counting_chips(
        &self,
        progressive: K,
        stake: Cents,
        standard: &[K],
        violations: &mut Violations,
    ) -> Vec<Seat> {
        let chips = self.wagers().filter(|wager| wager.kind == progressive);
        let counts = |wager: &&Wager<K>| {
            let has = |kind: &K| self.has(wager.seat, *kind);
            let chip = Chip {
                amount: wager.amount,
                stake,
                beside_standard: standard.iter().all(has),
            };
            chip.counts("wager.progressive_amount", violations)
        };
        chips.filter(counts).map(|wager| wager.seat).collect()
    }

    /// Flags counted wagers whose `on` is not the counted main wager of their seat, and a main wager
    /// that has one.
    pub(crate) fn flag_references(&self, main: K, violations: &mut Violations) {
        let astray = |wager: &Wager<K>| {
            wager.on.as_ref().is_some_and(|on| {
                let main_of_seat = self.get(wager.seat, main);
                wager.kind == main || main_of_seat.is_none_or(|main| main.wager.id != *on)
            })
        };
        violations.add_if(self.wagers().any(astray), "wager.bad_reference");
    }
}

/// Is there a wager of this kind at the seat?
pub(crate) fn has<K: PartialEq>(wagers: &[Wager<K>], seat: Seat, kind: K) -> bool {
    let mut wagers = wagers.iter();
    wagers.any(|wager| wager.seat == seat && wager.kind == kind)
}

/// The hands of these seats, as places of `play`.
pub(crate) fn hands_of(seats: impl IntoIterator<Item = Seat>) -> Vec<String> {
    let seats: BTreeSet<Seat> = seats.into_iter().collect();
    seats.iter().map(|seat| format!("hands.{seat}")).collect()
}

/// The verdicts of a round as they fall. Every wager is void until it is decided.
#[derive(Debug)]
pub(crate) struct Verdicts(Vec<Settled>);

impl Verdicts {
    pub(crate) fn all_void<K>(wagers: &[Wager<K>]) -> Verdicts {
        Verdicts(wagers.iter().map(Settled::void).collect())
    }

    pub(crate) fn win<K>(&mut self, placed: Placed<'_, K>, win: Cents) {
        self.0[placed.index] = Settled::win(placed.wager, win, Cents::ZERO);
    }

    pub(crate) fn lose<K>(&mut self, placed: Placed<'_, K>) {
        self.0[placed.index] = Settled::lose(placed.wager);
    }

    pub(crate) fn push<K>(&mut self, placed: Placed<'_, K>) {
        self.0[placed.index] = Settled::push(placed.wager);
    }

    /// A prize that is all the player gets: the stake stays with the house and is part of it. No prize
    /// is a loss.
    pub(crate) fn award<K>(&mut self, placed: Placed<'_, K>, prize: Cents) {
        self.0[placed.index] = progressive::award(placed.wager, prize);
    }

    /// In the order of the document.
    pub(crate) fn settled(&self) -> &[Settled] {
        &self.0
    }

    pub(crate) fn into_settled(self) -> Vec<Settled> {
        self.0
    }
}

/// Who sits where. A seat that is not listed is a person of its own.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Players(pub(super) BySeat<String>);

impl Players {
    /// Who sits at a seat.
    pub(crate) fn person(&self, seat: Seat) -> Person<'_> {
        let named = self.0.get(seat).map(|name| Person::Named(name));
        named.unwrap_or(Person::At(seat))
    }

    /// The seats with wagers of each listed person.
    fn seats_by_person<K>(&self, wagers: &[Wager<K>]) -> BTreeMap<&str, BTreeSet<Seat>> {
        let mut persons: BTreeMap<&str, BTreeSet<Seat>> = BTreeMap::new();
        for wager in wagers {
            if let Some(person) = self.0.get(wager.seat) {
                persons.entry(person).or_default().insert(wager.seat);
            }
        }
        persons
    }

    /// Does one person have wagers at two seats or more?
    pub(crate) fn has_person_with_two_hands<K>(&self, wagers: &[Wager<K>]) -> bool {
        let persons = self.seats_by_person(wagers);
        persons.values().any(|seats| seats.len() > 1)
    }

    /// Does one person have wagers at more than two seats, at two where that is not `allowed`, or at
    /// two that are not neighbours?
    pub(crate) fn has_person_spread_out<K>(&self, wagers: &[Wager<K>], allowed: bool) -> bool {
        let spread_out = |seats: &BTreeSet<Seat>| match (seats.first(), seats.last(), seats.len()) {
            (Some(first), Some(last), 2) => !allowed || last.number() - first.number() > 1,
            (_, _, seats) => seats > 2,
        };
        self.seats_by_person(wagers).values().any(spread_out)
    }
}

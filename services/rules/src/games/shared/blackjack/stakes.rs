//! Who staked what on which hand: players, references between wagers, and what may lie on a box.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::boxes::{Act, PlayedBox, Purse};
use super::steps::first_hand;
use crate::floor::{Cents, Rounding, Seat, WagerId};
use crate::refusal::Refusal;
use crate::round::Wager;
use crate::settlement::Violations;

/// What a wager is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Main,
    Split(Purse),
    Double(Purse),
    Insurance,
    Side,
}

/// A wager of a game of this family.
pub(crate) trait BoxWager: Wager {
    fn role(&self) -> Role;
    /// The guest, where the document names one.
    fn player(&self) -> Option<&str>;
    /// The wager that this one was added to.
    fn on(&self) -> Option<&WagerId>;
    /// The number of the hand it lies on, where the document says it.
    fn named_hand(&self) -> Option<u32>;
    fn hand(&self) -> u32 {
        self.named_hand().unwrap_or(first_hand())
    }
    fn is_same_kind(&self, other: &Self) -> bool;
}

/// The wagers of a round with their players and original wagers.
#[derive(Debug)]
pub(crate) struct Stakes<'a, W> {
    pub(crate) wagers: &'a [W],
    players: Vec<Cow<'a, str>>,
    /// By wager: the index of its original wager.
    originals: Vec<usize>,
}

/// How much insurance a `main` may carry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Insurance {
    pub(crate) offered: bool,
    /// Half of the wager is rounded up to this unit.
    pub(crate) unit: Cents,
    /// Half of the wager and not a cent more.
    pub(crate) strictly_half: bool,
}

impl Insurance {
    fn most(self, main: Cents) -> Cents {
        let rounding = if self.strictly_half {
            Rounding::DOWN
        } else {
            Rounding::Up(self.unit.max(Cents::new(1)))
        };
        main.fraction(1, 2, rounding)
    }
}

/// How many guests a box may have, and how many boxes a guest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxRights {
    pub(crate) boxes: i64,
    pub(crate) players_per_box: i64,
    pub(crate) boxes_per_player: i64,
    /// Must the boxes of one guest lie side by side?
    pub(crate) adjacent: bool,
    /// One `main` a player and box, or one for each of several dealer hands?
    pub(crate) several_mains: bool,
}

/// What holds for the side wagers of a table.
pub(crate) struct SideRules<'a, W> {
    pub(crate) is_offered: &'a dyn Fn(&W) -> bool,
    /// May it lie there without a `main` of its player?
    pub(crate) stands_alone: &'a dyn Fn(&W) -> bool,
    /// Is the `main` the most that may be staked on it?
    pub(crate) is_bounded_by_main: &'a dyn Fn(&W) -> bool,
}

impl<'a, W: BoxWager> Stakes<'a, W> {
    pub(crate) fn new(wagers: &'a [W]) -> Stakes<'a, W> {
        let player = |wager: &'a W| match wager.player() {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(format!("p{}", wager.seat())),
        };
        Stakes {
            wagers,
            players: wagers.iter().map(player).collect(),
            originals: originals(wagers),
        }
    }

    pub(crate) fn player(&self, index: usize) -> &str {
        self.players.get(index).map_or("", |player| player)
    }

    /// The `main` at the root of a wager's references, or the last wager reached.
    pub(crate) fn original(&self, index: usize) -> Option<&'a W> {
        self.wagers.get(*self.originals.get(index)?)
    }

    /// The `main` wagers with their indices, in the order of the document.
    pub(crate) fn mains(&self) -> impl Iterator<Item = (usize, &'a W)> {
        let wagers = self.wagers.iter().enumerate();
        wagers.filter(|(_, wager)| wager.role() == Role::Main)
    }

    pub(crate) fn mains_on(&self, seat: Seat) -> impl Iterator<Item = (usize, &'a W)> {
        self.mains().filter(move |(_, main)| main.seat() == seat)
    }

    /// The largest `main` that the player of a wager has on the wager's box.
    pub(crate) fn largest_main_beside(&self, index: usize) -> Option<Cents> {
        let seat = self.wagers.get(index)?.seat();
        self.mains_on(seat)
            .filter(|&(main, _)| self.players[main] == self.players[index])
            .map(|(_, main)| main.amount())
            .max()
    }

    /// Has this player a `main` on the box?
    pub(crate) fn has_main_of(&self, player: &str, seat: Seat) -> bool {
        self.mains_on(seat)
            .any(|(index, _)| self.player(index) == player)
    }

    /// The `main` wagers of the player who calls the box; none if nobody bet on it. That is who sits there,
    /// 13(b), or else who bet first.
    fn callers_mains(&self, seat: Seat, caller: Option<&str>) -> Vec<usize> {
        let seated = format!("p{seat}");
        let seated = self.has_main_of(&seated, seat).then_some(&*seated);
        let first = self.mains_on(seat).next();
        let first = first.map(|(index, _)| self.player(index));
        let caller = caller.or(seated).or(first);
        self.mains_on(seat)
            .map(|(index, _)| index)
            .filter(|&index| Some(self.player(index)) == caller)
            .collect()
    }

    /// Refuses the hand of a wager that lies on none.
    pub(crate) fn refuse_unread(&self) -> Result<(), Refusal> {
        let lies_on_none = |wager: &W| matches!(wager.role(), Role::Insurance | Role::Side);
        let names_one = |wager: &W| lies_on_none(wager) && wager.named_hand().is_some();
        match self.wagers.iter().position(names_one) {
            Some(index) => Err(Refusal::at(
                format!("wagers[{index}].hand"),
                "this wager lies on no hand",
            )),
            None => Ok(()),
        }
    }

    /// Refuses a `main` of whose box the document says nothing, not even that it is dead.
    pub(crate) fn refuse_without_box<V: Copy + Into<Act>>(
        &self,
        boxes: &[PlayedBox<'_, V>],
    ) -> Result<(), Refusal> {
        let dealt = |seat| boxes.iter().any(|played| played.seat() == seat);
        match self.mains().find(|(_, main)| !dealt(main.seat())) {
            Some((index, main)) => Err(Refusal::at(
                "play.boxes",
                format!(
                    "seat {} has a main wager (wagers[{index}]) and no box; one without cards is dead",
                    main.seat()
                ),
            )),
            None => Ok(()),
        }
    }

    /// Flags boxes that nobody bet on.
    pub(crate) fn flag_boxes<V: Copy + Into<Act>>(
        &self,
        boxes: &[PlayedBox<'_, V>],
        violations: &mut Violations,
    ) {
        let unstaked = |played: &PlayedBox<'_, V>| self.mains_on(played.seat()).next().is_none();
        violations.add_if(boxes.iter().any(unstaked), "deal.hand_without_wager");
    }

    /// Flags too many guests on a box, too many boxes of a guest, and seats that are no boxes.
    pub(crate) fn flag_rights(&self, rights: BoxRights, violations: &mut Violations) {
        let is_box = |wager: &W| (1..=rights.boxes).contains(&i64::from(wager.seat().number()));
        violations.add_if(!self.wagers.iter().all(is_box), "table.seat");

        let mut players: BTreeMap<Seat, BTreeSet<&str>> = BTreeMap::new();
        let mut seats: BTreeMap<&str, BTreeSet<u16>> = BTreeMap::new();
        for (index, main) in self.mains() {
            let player = self.player(index);
            let fresh = players.entry(main.seat()).or_default().insert(player);
            violations.add_if(!fresh && !rights.several_mains, "wager.duplicate_main");
            seats
                .entry(player)
                .or_default()
                .insert(main.seat().number());
        }
        violations.add_if(
            players
                .values()
                .any(|players| players.len() as i64 > rights.players_per_box),
            "wager.too_many_on_box",
        );
        for seats in seats.values() {
            if seats.len() as i64 > rights.boxes_per_player {
                violations.add("wager.too_many_boxes");
            } else if rights.adjacent {
                let gap = seats
                    .iter()
                    .zip(seats.iter().skip(1))
                    .any(|(a, b)| b - a > 1);
                violations.add_if(gap, "wager.boxes_not_adjacent");
            }
        }
    }

    /// Flags side wagers that are not offered, doubled up, or out of proportion.
    pub(crate) fn flag_sides(&self, rules: &SideRules<'_, W>, violations: &mut Violations) {
        for (index, wager) in self.wagers.iter().enumerate() {
            if wager.role() != Role::Side {
                continue;
            }
            violations.add_if(!(rules.is_offered)(wager), "wager.side_not_offered");
            let twin = |earlier: usize| {
                let other = &self.wagers[earlier];
                other.is_same_kind(wager)
                    && other.seat() == wager.seat()
                    && self.players[earlier] == self.players[index]
            };
            violations.add_if((0..index).any(twin), "wager.duplicate_side");
            match self.largest_main_beside(index) {
                None => {
                    violations.add_if(!(rules.stands_alone)(wager), "wager.side_without_main");
                }
                Some(main) => {
                    let over = (rules.is_bounded_by_main)(wager) && wager.amount() > main;
                    violations.add_if(over, "wager.side_over_main");
                }
            }
        }
    }

    /// Flags doubles, splits and insurance that refer to nothing or do not fit what they refer to.
    /// Returns by wager whether its reference is sound: an orphan is tested no further.
    pub(crate) fn flag_references<V: Copy + Into<Act>>(
        &self,
        boxes: &[PlayedBox<'_, V>],
        insurance: Insurance,
        violations: &mut Violations,
    ) -> Vec<bool> {
        let mut insured: BTreeMap<usize, Cents> = BTreeMap::new();
        let mut sound = Vec::with_capacity(self.wagers.len());
        for (index, wager) in self.wagers.iter().enumerate() {
            let played = boxes.iter().find(|played| played.seat() == wager.seat());
            let is_sound = self.refers_soundly(index, played);
            violations.add_if(!is_sound, "wager.bad_reference");
            sound.push(is_sound);
            let Some(original) = self.original(index).filter(|_| is_sound) else {
                continue;
            };
            match wager.role() {
                Role::Split(Purse::Own) => {
                    violations.add_if(wager.amount() != original.amount(), "wager.split_not_equal")
                }
                Role::Double(purse) => {
                    violations.add_if(
                        purse == Purse::Own && wager.amount() > original.amount(),
                        "wager.double_over_original",
                    );
                    let hand = played.and_then(|played| played.hand(wager.hand()));
                    let doubled = hand.is_some_and(|hand| hand.doubled == Some(purse));
                    violations.add_if(!doubled, "wager.double_without_decision");
                }
                Role::Insurance if !insurance.offered => {
                    violations.add("wager.insurance_not_offered");
                }
                Role::Insurance => {
                    *insured.entry(self.originals[index]).or_default() += wager.amount();
                }
                Role::Main | Role::Split(Purse::Free) | Role::Side => {}
            }
        }
        let too_much =
            |(&main, &sum): (&usize, &Cents)| sum > insurance.most(self.wagers[main].amount());
        violations.add_if(insured.iter().any(too_much), "wager.insurance_over_half");
        sound
    }

    /// Does the wager refer to a wager and a hand that are there?
    fn refers_soundly<V: Copy + Into<Act>>(
        &self,
        index: usize,
        played: Option<&PlayedBox<'_, V>>,
    ) -> bool {
        let wager = &self.wagers[index];
        let hand_lies = || played.is_some_and(|played| played.hand(wager.hand()).is_some());
        let was_split = |purse| {
            played.is_some_and(|played| {
                played.steps().any(|(act, step)| {
                    act == Act::Split(purse) && step.new_hand == Some(wager.hand())
                })
            })
        };
        let original_is_main = || {
            let root = self.originals[index];
            let original = &self.wagers[root];
            original.role() == Role::Main
                && original.seat() == wager.seat()
                && self.players[root] == self.players[index]
        };
        match wager.role() {
            Role::Side => true,
            Role::Main => hand_lies() || !played.is_some_and(|played| played.is_alive()),
            Role::Insurance => original_is_main(),
            Role::Double(_) => original_is_main() && hand_lies(),
            Role::Split(purse) => original_is_main() && was_split(purse),
        }
    }

    /// Flags doubles and splits that the caller of a box did not cover with a wager for each `main`,
    /// once. Boxes without a `main` have no caller.
    pub(crate) fn flag_uncovered_steps<V: Copy + Into<Act>>(
        &self,
        played: &PlayedBox<'_, V>,
        violations: &mut Violations,
    ) {
        let mains = self.callers_mains(played.seat(), played.record.caller);
        let covered_once = |role: Role, hand: Option<u32>| {
            mains.iter().all(|&main| {
                let covers = |&index: &usize| {
                    let wager = &self.wagers[index];
                    wager.role() == role
                        && self.originals[index] == main
                        && wager.seat() == played.seat()
                        && Some(wager.hand()) == hand
                };
                (0..self.wagers.len()).filter(covers).count() == 1
            })
        };
        for (act, step) in played.steps() {
            match act {
                Act::Double(purse) => violations.add_if(
                    !covered_once(Role::Double(purse), Some(step.hand)),
                    "decision.double_without_wager",
                ),
                Act::Split(purse) => violations.add_if(
                    !covered_once(Role::Split(purse), step.new_hand),
                    "decision.split_without_wager",
                ),
                _ => {}
            }
        }
    }

    /// Is even money on these wagers in order? Each is a `main` of the box without insurance, and
    /// the box has blackjack against an ace where even money is `offered`.
    pub(crate) fn may_take_even_money<V: Copy + Into<Act>>(
        &self,
        played: &PlayedBox<'_, V>,
        taken: &[WagerId],
        offered: bool,
    ) -> bool {
        let is_main = |id: &WagerId| {
            self.mains_on(played.seat())
                .any(|(_, main)| main.id() == id)
        };
        let is_insured = |id: &WagerId| {
            self.wagers
                .iter()
                .any(|wager| wager.role() == Role::Insurance && wager.on() == Some(id))
        };
        let blackjack = super::is_blackjack(played.first_cards());
        taken
            .iter()
            .all(|id| offered && blackjack && is_main(id) && !is_insured(id))
    }

    /// Does the player of a wager have a double on this hand of the box?
    pub(crate) fn has_doubled(&self, index: usize, seat: Seat, hand: u32) -> bool {
        self.wagers.iter().enumerate().any(|(other, wager)| {
            matches!(wager.role(), Role::Double(_))
                && wager.seat() == seat
                && wager.hand() == hand
                && self.players[other] == self.players[index]
        })
    }
}

/// By wager: the `main` that `on` leads to, or the last wager reached where the chain breaks.
fn originals<W: BoxWager>(wagers: &[W]) -> Vec<usize> {
    let parent = |wager: &W| match wager.role() {
        Role::Main | Role::Side => None,
        _ => wagers
            .iter()
            .position(|other| Some(other.id()) == wager.on()),
    };
    let parents: Vec<Option<usize>> = wagers.iter().map(parent).collect();
    let root = |start: usize| {
        // A chain that runs in a circle ends after as many links as there are wagers.
        let chain = std::iter::successors(Some(start), |&at| parents[at]);
        chain.take(wagers.len()).last().unwrap_or(start)
    };
    (0..wagers.len()).map(root).collect()
}

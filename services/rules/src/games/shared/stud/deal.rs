//! What was dealt to whom, and what went wrong with it.

use std::collections::BTreeMap;
use std::collections::btree_map;

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::floor::{Card, CardSet, Seat};
use crate::games::shared::deal::{self as shared, Deal, Dealing, Irregular};
use crate::refusal::Refusal;
use crate::round::document;
use crate::settlement::Violations;

/// Values by seat, written with the seat as a string: `{"3": ["KS", "4D"]}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BySeat<V>(pub(super) BTreeMap<Seat, V>);

impl<V> Default for BySeat<V> {
    fn default() -> BySeat<V> {
        BySeat(BTreeMap::new())
    }
}

impl<V> BySeat<V> {
    pub(crate) fn get(&self, seat: Seat) -> Option<&V> {
        self.0.get(&seat)
    }

    pub(crate) fn iter(&self) -> btree_map::Iter<'_, Seat, V> {
        self.0.iter()
    }

    pub(crate) fn values(&self) -> btree_map::Values<'_, Seat, V> {
        self.0.values()
    }
}

impl<V> FromIterator<(Seat, V)> for BySeat<V> {
    fn from_iter<I: IntoIterator<Item = (Seat, V)>>(values: I) -> BySeat<V> {
        BySeat(values.into_iter().collect())
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for BySeat<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BySeat<V>, D::Error> {
        let seat = |text: &str| {
            let plain = text.starts_with(|first| matches!(first, '1'..='9'));
            text.parse().ok().filter(|_| plain).map(Seat::new)
        };
        BTreeMap::<String, V>::deserialize(deserializer)?
            .into_iter()
            .map(|(key, value)| match seat(&key) {
                Some(seat) => Ok((seat, value)),
                None => Err(de::Error::custom(format!(
                    "{key:?} is not a seat: seats are numbered from 1"
                ))),
            })
            .collect::<Result<_, _>>()
            .map(BySeat)
    }
}

/// Refuses seat 0 in a list of seats.
pub(crate) fn refuse_seat_zero(seats: &[Seat], place: &str) -> Result<(), Refusal> {
    match seats.iter().position(|&seat| seat == Seat::HOUSE) {
        Some(index) => Err(no_such_seat(format!("{place}[{index}]"))),
        None => Ok(()),
    }
}

fn no_such_seat(place: String) -> Refusal {
    Refusal::at(place, "seats are numbered from 1")
}

/// Flags a card that lies more than once.
pub(crate) fn flag_duplicates<'a>(
    mut dealt: impl Iterator<Item = &'a Card>,
    violations: &mut Violations,
) {
    let mut seen = CardSet::EMPTY;
    violations.add_if(!dealt.all(|&card| seen.insert(card)), "deck.duplicate_card");
}

/// Flags the joker, which these decks do not have; true if there is one.
fn flag_joker<'a>(mut dealt: impl Iterator<Item = &'a Card>, violations: &mut Violations) -> bool {
    let joker = dealt.any(|card| card.is_joker());
    violations.add_if(joker, "deck.foreign_card");
    joker
}

/// Flags what went wrong and what the cards that were dealt show: no card lies twice, and the joker is in no deck.
/// True if there is one.
pub(crate) fn flag_cards<'a>(
    irregularities: &Irregularities,
    dealt: impl Iterator<Item = &'a Card> + Clone,
    violations: &mut Violations,
) -> bool {
    irregularities.flag(violations);
    flag_duplicates(dealt.clone(), violations);
    flag_joker(dealt, violations)
}

/// Flags hands of seats that are not in the round.
pub(crate) fn flag_hands_without_wager(
    hands: &BySeat<Vec<Card>>,
    is_in_round: impl Fn(Seat) -> bool,
    violations: &mut Violations,
) {
    let mut hands = hands.iter().filter(|(_, cards)| !cards.is_empty());
    let stray = hands.any(|(&seat, _)| !is_in_round(seat));
    violations.add_if(stray, "deal.hand_without_wager");
}

document! {
    /// Something that went wrong; that it is listed says that it happened.
    Irregularity {
        pub code: Irregular,
        ?
        pub seat: Option<Seat>,
        pub area: Option<Area>,
        /// Cards that lay there.
        pub dealt: Option<usize>,
        pub count: Option<u32>,
        /// Cards that a count of the deck found.
        pub found: Option<usize>,
    }
}

/// The cards on the layout that are no player's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Area {
    Community,
    Dealer,
}

impl Area {
    /// Where its cards are written.
    fn place(self) -> &'static str {
        match self {
            Area::Community => "play.community",
            Area::Dealer => "play.dealer",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Irregularities(pub Vec<Irregularity>);

impl Irregularities {
    /// Refuses what the game has no rule for, a card count that does not say whose it is, and what contradicts the
    /// table or itself.
    pub(crate) fn refuse(&self, deal: &Deal, area: Area, dealing: Dealing) -> Result<(), Refusal> {
        for (index, told) in self.0.iter().enumerate() {
            let refuse = |key: &str, what: &str| {
                let place = shared::irregularity(index, key);
                Err(Refusal::at(place.trim_end_matches('.'), what))
            };
            deal.refuse(index, told.code, dealing)?;
            if told.seat == Some(Seat::HOUSE) {
                return Err(no_such_seat(shared::irregularity(index, "seat")));
            }
            if told.area.is_some_and(|other| other != area) {
                return refuse("area", "not an area of this game's layout");
            }
            let is_count = told.code == Irregular::CardCount;
            if is_count && told.seat.is_some() == told.area.is_some() {
                return refuse("", "a card count is of either a seat or an area");
            }
            let right = match told.seat {
                Some(_) => deal.hand,
                None => deal.house,
            };
            if is_count && told.dealt == Some(right) {
                return refuse("dealt", "that is the right number of cards");
            }
            if told.code == Irregular::DeckCount && told.found == Some(deal.deck) {
                return refuse("found", "that is the whole deck");
            }
        }
        Ok(())
    }

    /// Do the entries void the whole round?
    pub(crate) fn void(&self, deal: &Deal) -> bool {
        let face_up = self.face_up_cards();
        let voids = |told: &Irregularity| match told.seat {
            Some(_) if deal.voids_hand_alone(told.code) => false,
            None if told.code == Irregular::CardCount
                && told.dealt.is_some_and(|dealt| deal.is_completed(dealt)) =>
            {
                false
            }
            _ => deal.voids(told.code, face_up),
        };
        self.0.iter().any(voids)
    }

    /// Was a wrong number of cards reported at this seat?
    pub(crate) fn is_misdealt(&self, seat: Seat) -> bool {
        let mut counts = self.0.iter();
        counts.any(|told| told.code == Irregular::CardCount && told.seat == Some(seat))
    }

    /// Flags the events that are faults of the deal whatever follows from them.
    pub(crate) fn flag(&self, violations: &mut Violations) {
        violations.add_if(
            self.has(Irregular::CardCount) || self.has(Irregular::StubMisdeal),
            "deal.card_count",
        );
        violations.add_if(self.has(Irregular::DeckCount), "deck.count_wrong");
        violations.add_if(
            self.has(Irregular::HoleCardExposed),
            "deal.hole_card_exposed",
        );
    }

    pub(crate) fn has(&self, code: Irregular) -> bool {
        self.0.iter().any(|irregularity| irregularity.code == code)
    }

    /// The number of cards found face up in the whole round.
    pub(crate) fn face_up_cards(&self) -> u64 {
        let found = self.0.iter();
        let found = found.filter(|told| told.code == Irregular::FaceUpCard);
        found.map(|told| u64::from(told.count.unwrap_or(1))).sum()
    }
}

/// The cards of a round as they are written down, against the deal.
pub(crate) struct Lists<'a> {
    pub(crate) deal: &'a Deal,
    pub(crate) hands: &'a BySeat<Vec<Card>>,
    pub(crate) house: &'a [Card],
    pub(crate) area: Area,
}

impl Lists<'_> {
    /// A list that is too long shows a misdeal itself.
    pub(crate) fn is_too_long(&self) -> bool {
        self.is_house_too_long() || self.hands.iter().any(|(&seat, _)| self.is_long(seat))
    }

    /// Does a list that is too long void the round? Where one is, those that are too short are not looked at.
    pub(crate) fn are_void(
        &self,
        needed: impl Iterator<Item = Seat>,
        house: House,
        violations: &mut Violations,
    ) -> Result<bool, Refusal> {
        let void = self.is_too_long();
        violations.add_if(void, "deal.card_count");
        if !void {
            self.refuse_incomplete(needed, |_| false, house)?;
        }
        Ok(void)
    }

    pub(crate) fn is_house_too_long(&self) -> bool {
        self.house.len() > self.deal.house
    }

    pub(crate) fn is_long(&self, seat: Seat) -> bool {
        self.cards(seat) > self.deal.hand
    }

    /// Cards that are missing show no misdeal, but an incomplete document: a hand that was begun, the hands of the
    /// seats that need theirs, and the cards of the house.
    pub(crate) fn refuse_incomplete(
        &self,
        needed: impl Iterator<Item = Seat>,
        is_misdealt: impl Fn(Seat) -> bool,
        house: House,
    ) -> Result<(), Refusal> {
        let listed = self.hands.iter().map(|(&seat, _)| seat);
        let begun = listed.filter(|&seat| self.cards(seat) > 0);
        for seat in begun.chain(needed).filter(|&seat| !is_misdealt(seat)) {
            let place = format!("play.hands.{seat}");
            refuse_short(place, self.cards(seat), self.deal.hand)?;
        }
        let needs_house = match house {
            House::Needed => true,
            House::WholeOrNone => !self.house.is_empty(),
            House::AsFarAsDealt => false,
        };
        match needs_house {
            true => refuse_short(
                self.area.place().to_owned(),
                self.house.len(),
                self.deal.house,
            ),
            false => Ok(()),
        }
    }

    fn cards(&self, seat: Seat) -> usize {
        self.hands.get(seat).map_or(0, Vec::len)
    }
}

/// What of the cards of the house must be written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum House {
    Needed,
    /// They decide nothing, but a hand that was begun is whole.
    WholeOrNone,
    /// They decide nothing, and may not all have been dealt.
    AsFarAsDealt,
}

fn refuse_short(place: String, cards: usize, due: usize) -> Result<(), Refusal> {
    if cards >= due {
        return Ok(());
    }
    let what =
        format!("{cards} of {due} cards are there, and nothing says that they were dealt wrong");
    Err(Refusal::at(place, what))
}

/// Refuses seats in a list that have no wager.
pub(crate) fn refuse_absent<K>(
    seats: &[Seat],
    wagers: &[super::areas::Wager<K>],
    place: &str,
) -> Result<(), Refusal> {
    refuse_seat_zero(seats, place)?;
    let is_absent = |seat: &Seat| !wagers.iter().any(|wager| wager.seat == *seat);
    match seats.iter().position(is_absent) {
        Some(index) => Err(Refusal::at(
            format!("{place}[{index}]"),
            format!("seat {} has no wager", seats[index]),
        )),
        None => Ok(()),
    }
}

//! What was dealt to whom, and what went wrong with it.

use std::collections::BTreeMap;
use std::collections::btree_map;

use serde::{Deserialize, Deserializer, de};

use crate::floor::{Card, CardSet, Seat};
use crate::refusal::Refusal;
use crate::settlement::Violations;

/// Values by seat, written with the seat as a string: `{"3": ["KS", "4D"]}`.
#[derive(Debug)]
pub(crate) struct BySeat<V>(BTreeMap<Seat, V>);

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
pub(crate) fn flag_joker<'a>(
    mut dealt: impl Iterator<Item = &'a Card>,
    violations: &mut Violations,
) -> bool {
    let joker = dealt.any(|card| card.is_joker());
    violations.add_if(joker, "deck.foreign_card");
    joker
}

/// Flags hands of seats that are not in the round.
pub(crate) fn flag_hands_without_wager(
    hands: &BySeat<Vec<Card>>,
    is_in_round: impl Fn(Seat) -> bool,
    violations: &mut Violations,
) {
    let stray = hands.iter().any(|(&seat, _)| !is_in_round(seat));
    violations.add_if(stray, "deal.hand_without_wager");
}

/// Something that went wrong; that it is listed says that it happened.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Irregularity {
    pub(crate) code: Irregular,
    pub(crate) seat: Option<Seat>,
    pub(crate) area: Option<Area>,
    /// Cards that lay there.
    pub(crate) dealt: Option<u32>,
    count: Option<u32>,
    /// Cards that a count of the deck found; only for the record.
    #[serde(rename = "found")]
    _found: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Irregular {
    FaceUpCard,
    CardDrawnInError,
    CardCount,
    DeckCount,
    StubMisdeal,
    HoleCardExposed,
    ShoeFailure,
    ShufflerFailure,
}

/// The cards on the layout that are no player's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Area {
    Community,
    Dealer,
}

#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Irregularities(Vec<Irregularity>);

impl Irregularities {
    /// Refuses what the game has no rule for, and a card count that does not say whose it is.
    pub(crate) fn refuse_unknown(&self, known: &[Irregular], area: Area) -> Result<(), Refusal> {
        for (index, irregularity) in self.0.iter().enumerate() {
            let place = |key: &str| format!("play.irregularities[{index}]{key}");
            if !known.contains(&irregularity.code) {
                return Err(Refusal::at(
                    place(".code"),
                    "not an irregularity that this game has a rule for",
                ));
            }
            if irregularity.seat == Some(Seat::HOUSE) {
                return Err(no_such_seat(place(".seat")));
            }
            if irregularity.area.is_some_and(|other| other != area) {
                return Err(Refusal::at(
                    place(".area"),
                    "not an area of this game's layout",
                ));
            }
            if irregularity.code == Irregular::CardCount
                && irregularity.seat.is_some() == irregularity.area.is_some()
            {
                return Err(Refusal::at(
                    place(""),
                    "a card count is of either a seat or an area",
                ));
            }
        }
        Ok(())
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

    /// Were two cards or more found face up while dealing?
    pub(crate) fn has_two_face_up_cards(&self) -> bool {
        let found = self
            .0
            .iter()
            .filter(|irregularity| irregularity.code == Irregular::FaceUpCard)
            .fold(0_u32, |sum, irregularity| {
                sum.saturating_add(irregularity.count.unwrap_or(1))
            });
        found >= 2
    }

    pub(crate) fn card_counts(&self) -> impl Iterator<Item = &Irregularity> {
        self.0
            .iter()
            .filter(|irregularity| irregularity.code == Irregular::CardCount)
    }
}

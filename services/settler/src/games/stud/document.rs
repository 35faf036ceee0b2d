//! The round document.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, Irregularity};
use catwalk_rules::Game;
use catwalk_rules::floor::{Card, Cents, Seat};
use catwalk_rules::games::{BySeat, Course, DealtHand, HandDecision as Decision, StudPlay};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::exposure::EXPOSED;
use super::miscount::{DECK_COUNT, set_aside};
use super::order::HOLE_CARD_EXPOSED;
use super::table::{Verb, at, detail, has_any, irregularities};
use super::{Form, Stud};
use crate::games::told::{Laid, Reading};
use crate::games::{Documents, Telling, Told, rules_options};
use crate::round::{RoundFold, WagerFold};

/// Settles a round of one of these games.
pub(super) fn settle<G>(stud: &Stud, told: Telling<'_>) -> Told
where
    G: Game<Play: StudPlay + Serialize + 'static, Wager: Serialize + 'static>,
{
    let round = told.round;
    let wager = |laid: &Laid<'_>| laid.read(&stud.wager(round, laid.fold));
    told.settle::<G>(wager, |reading| stud.play(round, reading))
}

impl Stud {
    /// What `wagers[i]` of the document has beside what every wager has.
    fn wager(&self, round: &RoundFold, wager: &WagerFold) -> Map<String, Value> {
        let main = at(round, wager.seat, self.laid.main).map(|main| &main.id);
        let on = if self.form == Form::Listed && self.laid.later.contains(&wager.kind.as_str()) {
            main.or(wager.on.as_ref())
        } else {
            let named = wager.on.as_ref();
            named.filter(|on| {
                round
                    .wager(on)
                    .is_some_and(|on| self.is_in_document(round, on))
            })
        };
        let on = on.map(|on| ("on".to_owned(), json!(on)));
        on.into_iter().collect()
    }

    /// `play` of the document.
    pub(super) fn play<P: StudPlay>(&self, round: &RoundFold, reading: &mut Reading) -> P {
        let void = self.is_void(round);
        P::of(Course {
            abandoned: seats("abandoned", &self.abandoned(round), reading),
            burned: self.burned(round, reading),
            house: self.house(round, void, reading),
            rides: self.laid_rides(round, reading),
            hands: self.hands(round, void, reading),
            irregularities: self.entries(round, reading),
            meters: self.meters(round, reading),
            ruled_valid: seats("ruled_valid", &ruled_valid(round), reading),
        })
    }

    /// The decisions on bets that are there.
    fn laid_rides(&self, round: &RoundFold, reading: &mut Reading) -> Vec<(Seat, Rides)> {
        let mut rides = self.rides(round);
        for (seat, bets) in &mut rides {
            bets.retain(|bet, _| self.is_laid(round, *seat, |kind| kind == *bet));
        }
        rides.retain(|_, bets| !bets.is_empty());
        let of_seat = |(seat, bets)| Some((reading.number("decisions", u64::from(seat))?, bets));
        rides.into_iter().filter_map(of_seat).collect()
    }

    /// The burned cards, if each of them was seen.
    fn burned(&self, round: &RoundFold, reading: &mut Reading) -> Option<Vec<Card>> {
        let burned = round.play.iter().filter_map(|(_, body)| match body {
            Body::CardBurned(burned) => Some(burned.card.as_deref()),
            _ => None,
        });
        let burned: Option<Vec<&str>> = burned.filter(|_| self.burns).collect();
        let burned = burned.filter(|burned| !burned.is_empty())?;
        Some(reading.cards("burned", burned.into_iter().map(Some)))
    }

    /// Does the document have such a wager at the seat?
    fn is_laid(&self, round: &RoundFold, seat: u32, is_meant: impl Fn(&str) -> bool) -> bool {
        let mut wagers = round.wagers.iter();
        wagers.any(|wager| {
            wager.seat == seat && is_meant(&wager.kind) && self.is_in_document(round, wager)
        })
    }

    /// The meters that were told, and those that nobody read although a wager of the round could share in them.
    fn meters(
        &self,
        round: &RoundFold,
        reading: &mut Reading,
    ) -> BTreeMap<&'static str, Option<Cents>> {
        let told = self.meters_of(round);
        let edition = &round.rules.edition;
        let known = self.laid.meters.iter();
        let known = known.filter(|(meter, _)| self.laid.has_meter(edition, meter));
        let meters = known.filter_map(|(meter, kinds)| {
            let shown = told.get(meter).copied();
            if shown.is_none() && has_any(round, kinds) {
                reading.misses();
                return Some((*meter, None));
            }
            Some((*meter, Some(shown?)))
        });
        meters.collect()
    }

    /// A round that was called off, with nothing but its irregularities. One that the text has no word for is a
    /// reason to call it off and no more.
    pub(super) fn called_off_document(&self, round: &RoundFold) -> Option<Value> {
        let named = |told: &&Irregularity| self.laid.irregularities.contains(&&*told.kind);
        let told = irregularities(round).map(|(_, told)| told).filter(named);
        let told: Vec<Value> = told.map(|told| self.entry(round, told)).collect();
        let mut play = json!({"irregularities": told});
        if self.form == Form::Listed {
            play["hands"] = json!([]);
            play["dealer"] = Value::Null;
        }
        let document = json!({"game": self.game, "edition": round.rules.posted_edition(),
            "options": rules_options(&round.rules), "wagers": [], "play": play});
        (!told.is_empty()).then_some(document)
    }

    /// Is the round void by what was reported of it, by a card of the dealer that was seen, or by a wrong count?
    pub(super) fn is_void(&self, round: &RoundFold) -> bool {
        let short = || self.short_deal(round);
        self.is_void_otherwise(round) || short().iter().any(|short| self.voids_round(short))
    }

    /// The same but for hands that were dealt too few cards.
    pub(super) fn is_void_otherwise(&self, round: &RoundFold) -> bool {
        let number = |value: Option<Value>| value.and_then(|value| value.as_u64());
        // A wrong number of cards voids the round unless the text takes it out on one hand, or lets
        // the dealer complete his.
        let voids = |(_, entry): (u64, &Irregularity)| {
            let dealt = number(detail(entry, "dealt")).map(|dealt| dealt as usize);
            let completed = dealt.is_some() && dealt == self.laid.completed;
            let own = self.misdealt_seat(round, entry).is_some() || completed;
            let of_one_hand = self.laid.voids_hand.contains(&entry.kind.as_str()) && own;
            self.laid.voiding.contains(&self.code(entry)) && !of_one_hand
        };
        self.laid
            .face_up_voids
            .is_some_and(|voids| set_aside(round) >= voids)
            || irregularities(round).any(voids)
            || self.is_seen_early(round)
            || self.miscount(round).is_some()
    }

    /// Do the events show that a card of the dealer was seen too early?
    fn is_seen_early(&self, round: &RoundFold) -> bool {
        round.has_raised(HOLE_CARD_EXPOSED) || self.exposure(round).is_some()
    }

    fn house(&self, round: &RoundFold, void: bool, reading: &mut Reading) -> Vec<Card> {
        let mut cards = self.house_in_document(round, void);
        // What nobody told of the house was dealt all the same, and the card that completes it too.
        let untold = cards.is_empty() && self.is_house_played(round);
        if !void && (untold || self.laid.completed == Some(cards.len())) {
            cards.resize(self.laid.house_cards, None);
        }
        reading.cards(self.area(), cards)
    }

    /// Where the cards of the house are written.
    pub(super) fn area(&self) -> &'static str {
        match self.laid.board {
            true => "community",
            false => "dealer",
        }
    }

    /// The cards of the house as the document lists them.
    pub(super) fn house_in_document<'a>(
        &self,
        round: &'a RoundFold,
        void: bool,
    ) -> Vec<Option<&'a str>> {
        match self.laid.board {
            true => self.board_cards(round, void),
            false => self.dealer_cards(round, void),
        }
    }

    /// Does a wager of the round look at the cards of the house?
    pub(super) fn is_house_played(&self, round: &RoundFold) -> bool {
        let mut wagers = round.wagers.iter();
        wagers.any(|wager| self.laid.looks_at_house(&wager.kind))
    }

    /// Of a hand that nobody plays against a feed may tell no more than the open card.
    fn dealer_cards<'a>(&self, round: &'a RoundFold, void: bool) -> Vec<Option<&'a str>> {
        let cards = self.house_cards(round);
        match cards.len() < self.laid.hand && !self.is_house_played(round) && !void {
            true => Vec::new(),
            false => cards,
        }
    }

    /// The cards that were turned over, then those that were dealt and never shown where somebody plays for them. One
    /// that was burned of the board is none of it.
    fn board_cards<'a>(&self, round: &'a RoundFold, void: bool) -> Vec<Option<&'a str>> {
        let exposed = self.exposed(round);
        let is_hidden = |place: &usize| !exposed.iter().any(|(open, _)| open == place);
        let open: Vec<Option<&str>> = exposed.iter().map(|(_, card)| *card).collect();
        let all = self.house_cards(round);
        // In Massachusetts the leftmost of three cards of the board is burned (let it ride 10(c)).
        let burns_first = self.game == "let_it_ride" && round.rules.edition.starts_with("mgc-");
        let surplus = |cards: usize| usize::from(burns_first && cards == 3);
        let shown = open.split_at(surplus(open.len())).1.to_vec();
        if !self.is_house_played(round) || void && !open.is_empty() {
            return shown;
        }
        let places = surplus(all.len())..all.len();
        let mut hidden: Vec<Option<&str>> = places.filter(is_hidden).map(|at| all[at]).collect();
        let missing = (BOARD - self.laid.hand).saturating_sub(shown.len());
        // A board of which every card was told, and too many, is one that was dealt wrong.
        if !open.is_empty() || hidden.contains(&None) {
            hidden.truncate(missing);
        }
        [shown, hidden].concat()
    }

    fn hands(&self, round: &RoundFold, void: bool, reading: &mut Reading) -> Vec<DealtHand> {
        let in_document = |wager: &&WagerFold| self.is_in_document(round, wager);
        let wagers: Vec<&WagerFold> = round.wagers.iter().filter(in_document).collect();
        let is_listed = self.form == Form::Listed;
        let mut hands = Vec::new();
        for seat in self.seats(round, &wagers) {
            // A wager that goes back buys no hand, nor does cover all.
            if self.cards_of(round, seat).is_empty() && !self.is_bought(round, seat) {
                continue;
            }
            let mut at_seat = wagers.iter().filter(|wager| wager.seat == seat);
            let player = at_seat.find_map(|wager| wager.player.clone());
            let place = match is_listed {
                true => format!("hands[{}].cards", hands.len()),
                false => format!("hands.{seat}"),
            };
            let cards = reading.cards(place, self.hand_cards(round, seat, void));
            let decision = self.decision(round, seat, void).filter(|_| is_listed);
            let seat = match is_listed {
                true => reading.number(format_args!("hands[{}].seat", hands.len()), seat.into()),
                false => numbered(seat, reading),
            };
            hands.extend(seat.map(|seat| DealtHand {
                seat,
                cards,
                decision,
                player,
            }));
        }
        hands
    }

    /// The cards of a seat as far as they were seen. A hand that was bought was dealt, told or not.
    fn hand_cards<'a>(&self, round: &'a RoundFold, seat: u32, void: bool) -> Vec<Option<&'a str>> {
        let cards = self.cards_of(round, seat);
        let voided = void || self.has_own_count(round, seat);
        match cards.is_empty() && !voided && self.is_bought(round, seat) {
            true => vec![None; self.laid.hand],
            false => cards,
        }
    }

    /// Was a hand bought at the seat?
    fn is_bought(&self, round: &RoundFold, seat: u32) -> bool {
        self.laid.is_bought(|kind| at(round, seat, kind).is_some())
    }

    /// The decision of a seat as the document lists it. A seat that put nothing up has folded.
    fn decision(&self, round: &RoundFold, seat: u32, void: bool) -> Option<Decision> {
        let ohio = round.rules.edition.starts_with("oh-");
        let told = self.told(round, seat).map(|verb| match verb {
            Verb::Fold => Decision::Fold,
            Verb::Forfeit if self.game == "three_card_poker" && !ohio => Decision::Forfeit,
            Verb::Abandoned if ohio => Decision::Abandoned,
            Verb::Forfeit | Verb::Abandoned | Verb::Withdraw => Decision::Fold,
            Verb::Play | Verb::Ride => Decision::Play,
        });
        let main = at(round, seat, self.laid.main);
        told.or_else(|| match self.laid.later.as_slice() {
            // A play wager without an ante is no decision.
            [later, ..] if main.is_some() && at(round, seat, later).is_some() => {
                Some(Decision::Play)
            }
            _ if main.is_some() && !void => Some(Decision::Fold),
            _ => None,
        })
    }

    fn abandoned(&self, round: &RoundFold) -> Vec<u32> {
        // The Massachusetts texts have no rule for who leaves.
        if !round.rules.edition.starts_with("oh-") {
            return Vec::new();
        }
        let seats = self.seats(round, &round.wagers.iter().collect::<Vec<_>>());
        let gone = |seat: &u32| {
            let told = self.told(round, *seat) == Some(Verb::Abandoned);
            told && self.is_laid(round, *seat, |_| true)
        };
        seats.into_iter().filter(gone).collect()
    }

    /// Was a wrong number of cards reported at this seat alone?
    pub(super) fn has_own_count(&self, round: &RoundFold, seat: u32) -> bool {
        irregularities(round).any(|(_, entry)| {
            entry.kind == "card_count" && self.misdealt_seat(round, entry) == Some(seat)
        })
    }

    /// The seat that was dealt a wrong number of cards: as it is said, in a key or in words, or as its cards
    /// show where nothing is said of the house.
    fn misdealt_seat(&self, round: &RoundFold, entry: &Irregularity) -> Option<u32> {
        if let Some(seat) = detail(entry, "seat") {
            return seat.as_u64().and_then(|seat| u32::try_from(seat).ok());
        }
        let words = match entry.detail.as_ref().map(|detail| detail.value()) {
            Some(Value::Object(said)) if said.contains_key("area") => return None,
            Some(Value::String(words)) => words,
            _ => String::new(),
        };
        let mut words = words.split([' ', '_', ':', ',']);
        let said = words
            .find(|word| word.eq_ignore_ascii_case("seat"))
            .and_then(|_| words.next()?.parse().ok());
        let house = self.house_cards(round).len();
        let is_wrong = |seat: &u32| {
            let cards = self.cards_of(round, *seat).len();
            cards > 0 && cards != self.laid.hand && house == self.laid.hand
        };
        let dealt = || self.seats(round, &[]).into_iter().find(is_wrong);
        said.or_else(dealt)
    }

    /// The text's word for it: a misdeal is a wrong number of cards where it has no other.
    pub(super) fn code<'a>(&self, entry: &'a Irregularity) -> &'a str {
        let has = |word: &str| self.laid.irregularities.contains(&word);
        match entry.kind.as_str() {
            "misdeal" if has("stub_misdeal") => "stub_misdeal",
            "misdeal" if !has("misdeal") => "card_count",
            kind => kind,
        }
    }

    fn entries<I: DeserializeOwned>(&self, round: &RoundFold, reading: &mut Reading) -> Vec<I> {
        let known = irregularities(round)
            .map(|(_, told)| told)
            .filter(|told| self.laid.irregularities.contains(&self.code(told)));
        // One that nobody reported, and that the order of events shows.
        let is_told = irregularities(round).any(|(_, told)| told.kind == EXPOSED);
        let exposed = (self.is_seen_early(round) && !is_told).then(|| json!({"code": EXPOSED}));
        let miscounted = self.miscount(round).map(|_| json!({"code": DECK_COUNT}));
        let short = self.short_deal(round);
        let short = short.iter().map(|short| self.short_entry(short));
        known
            .map(|told| self.entry(round, told))
            .chain(exposed)
            .chain(miscounted)
            .chain(short)
            .enumerate()
            .filter_map(|(at, entry)| reading.of(format_args!("irregularities[{at}]"), &entry))
            .collect()
    }

    fn entry(&self, round: &RoundFold, told: &Irregularity) -> Value {
        let code = self.code(told);
        let mut listed = Map::from_iter([("code".to_owned(), json!(code))]);
        let keys = match self.form {
            Form::Listed if code == "face_up_card" => &["count"],
            _ => self.keys,
        };
        for key in keys {
            if let Some(value) = detail(told, key) {
                listed.insert((*key).to_owned(), value);
            }
        }
        // A wrong number of cards is of a seat or else of the house.
        if self.form == Form::BySeat && code == "card_count" {
            if let Some(seat) = self.misdealt_seat(round, told) {
                listed.insert("seat".into(), json!(seat));
                listed.remove("area");
            } else {
                listed.insert("area".into(), json!(self.area()));
            }
        }
        Value::Object(listed)
    }
}

/// What was said of each bet.
type Rides = BTreeMap<&'static str, &'static str>;

/// Cards of a hand of these games with its board.
const BOARD: usize = 5;

/// A list of seats.
fn seats(key: &str, told: &[u32], reading: &mut Reading) -> Vec<Seat> {
    let told = told.iter().enumerate();
    told.filter_map(|(at, seat)| reading.number(format_args!("{key}[{at}]"), (*seat).into()))
        .collect()
}

/// A seat by which a document lists hands: they are numbered from 1.
fn numbered(seat: u32, reading: &mut Reading) -> Option<Seat> {
    match u16::try_from(seat) {
        Ok(number @ 1..) => Some(Seat::new(number)),
        _ => {
            let listed = json!({seat.to_string(): []});
            reading.of::<BySeat<Vec<Card>>>("hands", &listed);
            None
        }
    }
}

/// Hands that a supervisor ruled valid in a void round.
fn ruled_valid(round: &RoundFold) -> Vec<u32> {
    let lists = irregularities(round).filter_map(|(_, entry)| detail(entry, "ruled_valid"));
    let mut seats: Vec<u32> = lists
        .flat_map(|list| match list {
            Value::Array(seats) => seats,
            seat => vec![seat],
        })
        .filter_map(|seat| u32::try_from(seat.as_u64()?).ok())
        .collect();
    seats.sort_unstable();
    seats.dedup();
    seats
}

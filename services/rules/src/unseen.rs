//! Pieces that nobody saw: `??` in a document, and `null` for a meter that nobody read or a number that nobody told.
//!
//! Nothing is made up for them. The round is settled under every piece that could lie there, and what comes
//! out the same under all of them is decided; what does not is open, and says what it hangs on and between
//! which amounts it lies. Where more pieces are unseen than can be gone through, a game says which of them a
//! wager can hang on at all ([`Game::decided_by`](crate::Game::decided_by)).

mod places;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use self::places::{Lies, PLAY, Place};
use crate::floor::{Card, Cents, Rank, Tile};
use crate::json::Json;
use crate::refusal::Refusal;
use crate::settlement::{Outcome, Paid, Range, Settled, Verdict};

/// A card or tile that nobody saw, as documents write it.
pub const UNSEEN: &str = "??";

/// So many unseen pieces that one wager hangs on are gone through.
const MOST_UNSEEN: usize = 2;

/// Readings of a meter that nobody read. A share of it differs between them.
const READINGS: [u64; 3] = [0, 10_000, 987_654_321];

/// A generator draws a position from one to so many. 8c of pai gow poker
const NUMBERS: usize = 7;

/// With so many different fillings of what no wager hangs on, what else the round shows is held to be certain.
const FILLINGS: usize = 24;

/// What a round is dealt from.
#[derive(Clone, Debug)]
pub(crate) struct Pieces(BTreeMap<String, u32>);

impl Pieces {
    /// So many decks of 52 cards.
    pub(crate) fn decks(decks: u32) -> Pieces {
        Pieces::of(Card::deck().map(|card| card.to_string()), decks)
    }

    /// So many decks without tens.
    pub(crate) fn spanish_decks(decks: u32) -> Pieces {
        let cards = Card::deck().filter(|card| card.rank() != Some(Rank::Ten));
        Pieces::of(cards.map(|card| card.to_string()), decks)
    }

    /// A set of dominoes.
    pub(crate) fn tiles() -> Pieces {
        let twice = Pieces::of(Tile::TWICE.iter().map(Tile::to_string), 2);
        let once = Pieces::of(Tile::ONCE.iter().map(Tile::to_string), 1);
        Pieces(twice.0.into_iter().chain(once.0).collect())
    }

    #[must_use]
    pub(crate) fn with_jokers(mut self, jokers: u32) -> Pieces {
        self.0.insert(Card::JOKER.to_string(), jokers);
        self
    }

    fn of(names: impl Iterator<Item = String>, each: u32) -> Pieces {
        Pieces(names.map(|name| (name, each)).collect())
    }

    fn take(&mut self, piece: &str) -> bool {
        let left = self.0.get_mut(piece).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_some()
    }

    /// Those that are left, and how many of each.
    fn left(self) -> (Vec<String>, Vec<u32>) {
        self.0.into_iter().filter(|(_, left)| *left > 0).unzip()
    }
}

/// What of `play` can decide a wager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    Everything,
    /// No more than these places and what lies in them: `dealer`, `hands[2]`, `hands.3`, `meters.progressive`.
    Only(Vec<String>),
}

impl Reach {
    fn join(&mut self, other: Reach) {
        match (self, other) {
            (Reach::Only(places), Reach::Only(others)) => {
                let are_new = others.into_iter().filter(|other| !places.contains(other));
                let are_new: Vec<String> = are_new.collect();
                places.extend(are_new);
            }
            (reach, Reach::Everything) => *reach = Reach::Everything,
            (Reach::Everything, Reach::Only(_)) => {}
        }
    }

    fn holds(&self, place: &Place) -> bool {
        let is_in = |outer: &String| {
            let inner = place.name.strip_prefix(PLAY);
            let inner = inner.and_then(|inner| inner.strip_prefix(outer.as_str()));
            inner.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        match self {
            Reach::Everything => true,
            Reach::Only(places) => places.iter().any(is_in),
        }
    }
}

/// A round whose `play` can be filled in and settled.
pub(crate) trait Fillable {
    /// What the round is dealt from.
    fn pieces(&self) -> Pieces;
    /// Keys of `play` under which pieces are told again that lie elsewhere in it.
    fn retold(&self) -> &'static [&'static str];
    /// The round with this `play`.
    fn fill(&mut self, play: &Json<'_>) -> Result<(), Refusal>;
    /// What can decide each wager of it, in the order of the document.
    fn reaches(&self) -> Vec<Reach>;
    fn settle(&self) -> Result<Outcome, Refusal>;
}

/// The unseen places of a `play`.
#[derive(Debug)]
pub(crate) struct Unseen(Vec<Place>);

impl Unseen {
    /// `None` where everything was seen.
    pub(crate) fn of(play: &Json<'_>, retold: &[&str]) -> Option<Unseen> {
        let places = places::unseen(play, retold);
        (!places.is_empty()).then_some(Unseen(places))
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.0.iter().map(|place| place.name.clone()).collect()
    }

    pub(crate) fn settle(
        &self,
        play: &Json<'_>,
        round: &mut dyn Fillable,
    ) -> Result<Outcome, Refusal> {
        let mut left = round.pieces();
        places::take_seen(play, round.retold(), &mut left);
        let (names, left) = left.left();
        let fillings = Fillings {
            places: &self.0,
            names: &names,
            left,
        };
        let (mut trials, mut play) = (Trials::default(), play.clone());
        let mut settle = |trials: &mut Trials, filled: &Filling, shift| {
            fillings.fill(filled, shift, &mut play);
            trials.settle(&play, filled, round);
        };
        for shift in 0..FILLINGS {
            settle(&mut trials, &[], shift);
        }
        let hangs_on: Vec<Vec<usize>> = trials
            .reaches
            .iter()
            .map(|reach| self.within(reach))
            .collect();
        for places in &hangs_on {
            if self.can_enumerate(places) && !trials.of.contains_key(places) {
                fillings.for_each(places, &mut |filled, shift| {
                    settle(&mut trials, filled, shift);
                });
            }
        }
        self.conclude(trials, &hangs_on)
    }

    /// The places that a reach holds. One that is told again is where it lies.
    fn within(&self, reach: &Reach) -> Vec<usize> {
        let places = self.0.iter().enumerate();
        let held = places.filter(|(_, place)| reach.holds(place));
        let held = held.map(|(at, place)| match place.lies {
            Lies::Again(of) => of,
            _ => at,
        });
        let held: BTreeSet<usize> = held.collect();
        held.into_iter().collect()
    }

    fn can_enumerate(&self, places: &[usize]) -> bool {
        let pieces = places.iter().filter(|at| !self.0[**at].is_meter());
        pieces.count() <= MOST_UNSEEN
    }

    fn conclude(&self, trials: Trials, hangs_on: &[Vec<usize>]) -> Result<Outcome, Refusal> {
        let Trials {
            of,
            mut certain,
            refused,
            ..
        } = trials;
        let Some(outcome) = &mut certain else {
            return Err(refused.unwrap_or_else(|| Refusal::at("play", "nothing can lie there")));
        };
        let Paid::Wagers(wagers) = &mut outcome.paid else {
            return Ok(outcome.clone());
        };
        for (at, wager) in wagers.iter_mut().enumerate() {
            let places = hangs_on.get(at).map_or(&[][..], Vec::as_slice);
            let trials = of.get(places).map_or(&[][..], Vec::as_slice);
            let ends = trials.iter().filter_map(|trial| trial.wager(at));
            let ends: Vec<(&[usize], &Settled)> = ends.collect();
            match ends.first() {
                Some((_, first)) if ends.iter().all(|(_, end)| end == first) => {
                    *wager = (*first).clone();
                }
                _ => self.leave_open(wager, places, &ends),
            }
        }
        Ok(outcome.clone())
    }

    fn leave_open(&self, wager: &mut Settled, places: &[usize], ends: &[(&[usize], &Settled)]) {
        let decides = |at: usize| ends.is_empty() || does_matter(at, ends);
        let deciding = places.iter().enumerate().filter(|(at, _)| decides(*at));
        let deciding: Vec<&Place> = deciding.map(|(_, place)| &self.0[*place]).collect();
        let returned = || ends.iter().map(|(_, end)| end.returned);
        let vigorish = ends.iter().map(|(_, end)| end.commission);
        let is_bounded = !ends.is_empty() && deciding.iter().all(|place| !place.is_meter());
        *wager = Settled {
            result: Verdict::Open,
            win: Cents::ZERO,
            commission: Cents::ZERO,
            returned: Cents::ZERO,
            hangs_on: deciding.iter().map(|place| place.name.clone()).collect(),
            range: Some(Range {
                least: returned().min().unwrap_or(Cents::ZERO),
                most: returned().max().filter(|_| is_bounded),
                vigorish: vigorish.max().unwrap_or(Cents::ZERO),
            }),
            ..wager.clone()
        };
    }
}

/// Is there a pair of endings that differ with nothing but what lies at this place?
fn does_matter(at: usize, ends: &[(&[usize], &Settled)]) -> bool {
    let mut first: HashMap<Vec<usize>, &Settled> = HashMap::new();
    ends.iter().any(|(filled, end)| {
        let mut others = filled.to_vec();
        others.remove(at);
        *first.entry(others).or_insert(end) != *end
    })
}

/// One way to fill what was not seen, and what came of it.
struct Trial {
    /// Which piece or reading lies at each of the places that are gone through.
    filled: Vec<usize>,
    paid: Paid,
}

impl Trial {
    fn wager(&self, at: usize) -> Option<(&[usize], &Settled)> {
        match &self.paid {
            Paid::Wagers(wagers) => Some((&self.filled, wagers.get(at)?)),
            Paid::Pots(_) => None,
        }
    }
}

/// All trials, by the places that they go through.
#[derive(Default)]
struct Trials {
    of: HashMap<Vec<usize>, Vec<Trial>>,
    /// What can decide each wager in one of those that go through no place.
    reaches: Vec<Reach>,
    /// What all of them have in common beside the wagers.
    certain: Option<Outcome>,
    /// Why the first of them that could not be was refused.
    refused: Option<Refusal>,
}

impl Trials {
    /// Settles one filling. A piece with which the document is refused cannot lie there.
    fn settle(&mut self, play: &Json<'_>, filled: &Filling, round: &mut dyn Fillable) {
        let read = round.fill(play);
        if read.is_ok() && filled.is_empty() {
            self.reach(round.reaches());
            if self.is_bare() {
                return;
            }
        }
        let outcome = match read.and_then(|()| round.settle()) {
            Ok(outcome) => outcome,
            Err(refusal) => {
                self.refused.get_or_insert(refusal);
                return;
            }
        };
        let (places, filled) = filled.iter().copied().unzip();
        let paid = outcome.paid.clone();
        let trials: &mut Vec<Trial> = self.of.entry(places).or_default();
        trials.push(Trial { filled, paid });
        match &mut self.certain {
            Some(certain) => {
                certain
                    .bonuses
                    .retain(|bonus| outcome.bonuses.contains(bonus));
                certain
                    .violations
                    .retain(|code| outcome.violations.contains(code));
            }
            None => self.certain = Some(outcome),
        }
    }
}

impl Trials {
    /// Has the round shown nothing beside its wagers that another filling could take back?
    fn is_bare(&self) -> bool {
        let outcome = self.certain.as_ref();
        outcome.is_some_and(|outcome| outcome.bonuses.is_empty() && outcome.violations.is_empty())
    }

    /// What one filling lets decide a wager, another may not.
    fn reach(&mut self, reaches: Vec<Reach>) {
        if self.reaches.is_empty() {
            self.reaches = reaches;
            return;
        }
        for (reach, other) in self.reaches.iter_mut().zip(reaches) {
            reach.join(other);
        }
    }
}

/// Which piece, by its number among those left, or which reading lies at which place.
type Filling = [(usize, usize)];

/// The ways in which what was not seen can be filled in.
struct Fillings<'a> {
    places: &'a [Place],
    /// What may lie there, and how many of each.
    names: &'a [String],
    left: Vec<u32>,
}

impl<'a> Fillings<'a> {
    /// Goes through everything that can lie at these places.
    fn for_each(&self, places: &[usize], each: &mut dyn FnMut(&Filling, usize)) {
        let mut filled = Vec::new();
        let mut shift = 0;
        self.go_through(places, &mut self.left.clone(), &mut filled, &mut |filled| {
            each(filled, shift);
            shift += 1;
        });
    }

    fn go_through(
        &self,
        places: &[usize],
        left: &mut [u32],
        filled: &mut Vec<(usize, usize)>,
        each: &mut dyn FnMut(&Filling),
    ) {
        let Some((&at, rest)) = places.split_first() else {
            return each(filled);
        };
        let others = match &self.places[at].lies {
            Lies::Reading => READINGS.len(),
            Lies::Drawn => NUMBERS,
            Lies::OneOf { pieces, .. } => pieces.len(),
            Lies::Piece | Lies::Again(_) => 0,
        };
        let hand = self.places[at].hand();
        for number in 0..others {
            let is_same = |(place, other): &(usize, usize)| {
                *other == number && self.places[*place].hand() == hand
            };
            if hand.is_some() && filled.iter().any(is_same) {
                continue;
            }
            filled.push((at, number));
            self.go_through(rest, left, filled, each);
            filled.pop();
        }
        if others > 0 {
            return;
        }
        for number in 0..left.len() {
            if left[number] > 0 {
                left[number] -= 1;
                filled.push((at, number));
                self.go_through(rest, left, filled, each);
                filled.pop();
                left[number] += 1;
            }
        }
    }

    /// Puts these pieces into `play`, by their number among those left, and any of the others at the other places.
    fn fill(&self, filled: &Filling, shift: usize, play: &mut Json<'a>) {
        let mut left = self.left.clone();
        let is_piece = |(at, _): &&(usize, usize)| self.places[*at].lies == Lies::Piece;
        for (_, number) in filled.iter().filter(is_piece) {
            left[*number] -= 1;
        }
        let many = self.names.len();
        let mut others = (0..many).cycle().skip(shift * 7);
        let mut next = || {
            let mut free = others
                .by_ref()
                .take(many)
                .filter(|&number| left[number] > 0);
            let number = free.next()?;
            left[number] -= 1;
            Some(number)
        };
        let named = |number: Option<usize>| number.map_or(UNSEEN, |number| &self.names[number]);
        let text = |name: &'a str| Json::Text(name.into());
        let mut values: Vec<Json<'a>> = Vec::with_capacity(self.places.len());
        for (at, place) in self.places.iter().enumerate() {
            let number = filled.iter().find(|(of, _)| *of == at);
            let number = number.map(|(_, number)| *number);
            let value = match &place.lies {
                Lies::Reading => Json::Unsigned(READINGS[number.unwrap_or(shift % READINGS.len())]),
                Lies::Drawn => Json::Unsigned(number.unwrap_or(shift % NUMBERS) as u64 + 1),
                Lies::Again(of) => values[*of].clone(),
                Lies::OneOf { hand, pieces } => {
                    let any = (at - hand + shift) % pieces.len();
                    text(&pieces[number.unwrap_or(any)])
                }
                Lies::Piece => text(named(number.or_else(&mut next))),
            };
            place.put(play, value.clone());
            values.push(value);
        }
    }
}

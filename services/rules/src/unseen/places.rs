//! The places of a `play` at which nobody saw what lies there.

use std::borrow::Cow;

use crate::floor::{Card, Tile};
use crate::json::Json;

use super::{Pieces, UNSEEN};

pub(super) const PLAY: &str = "play.";

/// A display shows an amount as a meter does. `null` says that it showed nothing.
const DISPLAY: &str = "_display";

/// Somewhere in `play`.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) name: String,
    /// The way to it: the number of an entry in each list or object.
    steps: Vec<usize>,
    pub(super) lies: Lies,
}

/// What can lie at an unseen place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lies {
    /// Any piece that lies nowhere else.
    Piece,
    /// Any reading of a meter or a display.
    Reading,
    /// Any number that a generator draws.
    Drawn,
    /// The piece of that other place, told again.
    Again(usize),
    /// One of the pieces of a hand, by the first of its places that mean one, and no two the same: nobody saw
    /// which.
    OneOf { hand: usize, pieces: Vec<String> },
}

impl Place {
    fn root() -> Place {
        Place {
            name: PLAY.trim_end_matches('.').to_owned(),
            steps: Vec::new(),
            lies: Lies::Piece,
        }
    }

    pub(super) fn is_meter(&self) -> bool {
        self.lies == Lies::Reading
    }

    /// Of which hand is one of the pieces meant here?
    pub(super) fn hand(&self) -> Option<usize> {
        match self.lies {
            Lies::OneOf { hand, .. } => Some(hand),
            _ => None,
        }
    }

    pub(super) fn put<'a>(&self, play: &mut Json<'a>, value: Json<'a>) {
        put(play, &self.steps, value);
    }
}

/// All of them. `retold` are the keys of a hand under which its pieces are told again.
pub(super) fn unseen(play: &Json<'_>, retold: &[&str]) -> Vec<Place> {
    let mut places = Vec::new();
    find(play, retold, &mut Place::root(), &mut places);
    places
}

fn find(json: &Json<'_>, retold: &[&str], here: &mut Place, places: &mut Vec<Place>) {
    match json {
        Json::Text(text) if text == UNSEEN && here.name.ends_with(DISPLAY) => places.push(Place {
            lies: Lies::Reading,
            ..here.clone()
        }),
        Json::Text(text) if text == UNSEEN => places.push(here.clone()),
        Json::Null if here.name.strip_prefix("play.meters.").is_some() => places.push(Place {
            lies: Lies::Reading,
            ..here.clone()
        }),
        Json::Null if here.name == "play.deal.number" => places.push(Place {
            lies: Lies::Drawn,
            ..here.clone()
        }),
        Json::List(list) => {
            for (at, entry) in list.iter().enumerate() {
                below(entry, retold, at, &format!("[{at}]"), here, places);
            }
        }
        Json::Object(entries) => {
            let keyed = || entries.iter().enumerate();
            let is_retold = |key: &str| retold.contains(&key);
            let first = places.len();
            for (at, (key, entry)) in keyed().filter(|(_, (key, _))| !is_retold(key)) {
                below(entry, retold, at, &format!(".{key}"), here, places);
            }
            let second = places.len();
            for (at, (key, entry)) in keyed().filter(|(_, (key, _))| is_retold(key)) {
                below(entry, retold, at, &format!(".{key}"), here, places);
            }
            if second < places.len() {
                let [seen, named] = of_hand(entries, retold);
                link(&mut places[first..], first, second - first, seen, named);
            } else if first < second {
                let unseen = &mut places[first..];
                let pieces = named_only(entries, retold);
                // Of this hand, and of no other that lies below.
                let depth = here.steps.len() + 2;
                let are_own = unseen.iter().all(|place| place.steps.len() == depth);
                if pieces.len() == unseen.len() && are_own {
                    let hand = first;
                    let one = || Lies::OneOf {
                        hand,
                        pieces: pieces.clone(),
                    };
                    unseen.iter_mut().for_each(|place| place.lies = one());
                }
            }
        }
        _ => {}
    }
}

fn below(
    json: &Json<'_>,
    retold: &[&str],
    at: usize,
    name: &str,
    here: &mut Place,
    places: &mut Vec<Place>,
) {
    let length = here.name.len();
    here.name.push_str(name);
    here.steps.push(at);
    find(json, retold, here, places);
    here.steps.pop();
    here.name.truncate(length);
}

/// Says of the places of one hand, from the `second` on, what they tell again: the unseen pieces of the hand in
/// order; where it has no more of them, pieces that were seen, without those that are `named` there.
fn link(
    places: &mut [Place],
    first: usize,
    second: usize,
    mut seen: Vec<String>,
    named: Vec<String>,
) {
    let (own, again) = places.split_at_mut(second);
    let own = own.iter().enumerate();
    let mut own = own.filter(|(_, place)| place.lies == Lies::Piece);
    for name in named {
        if let Some(at) = seen.iter().position(|other| *other == name) {
            seen.swap_remove(at);
        }
    }
    let hand = first + second;
    for place in again {
        place.lies = match own.next() {
            Some((at, _)) => Lies::Again(first + at),
            None if seen.is_empty() => Lies::Piece,
            None => Lies::OneOf {
                hand,
                pieces: seen.clone(),
            },
        };
    }
}

/// The pieces of one hand, and those that are told again in it.
fn of_hand(entries: &[(Cow<'_, str>, Json<'_>)], retold: &[&str]) -> [Vec<String>; 2] {
    let [mut seen, mut named] = [Vec::new(), Vec::new()];
    for (key, entry) in entries {
        let list = match retold.contains(&&**key) {
            true => &mut named,
            false => &mut seen,
        };
        pieces(entry, list);
    }
    [seen, named]
}

/// Pieces that are told again in a hand and nowhere else: they lie there in an order that nobody saw.
fn named_only(entries: &[(Cow<'_, str>, Json<'_>)], retold: &[&str]) -> Vec<String> {
    let [mut seen, mut named] = of_hand(entries, retold);
    named.retain(|name| {
        let at = seen.iter().position(|other| other == name);
        at.map(|at| seen.swap_remove(at)).is_none()
    });
    named
}

/// The pieces that were seen below a place.
fn pieces(json: &Json<'_>, found: &mut Vec<String>) {
    match json {
        Json::Text(text) if text.parse::<Card>().is_ok() || text.parse::<Tile>().is_ok() => {
            found.push(text.clone().into_owned());
        }
        Json::List(list) => list.iter().for_each(|entry| pieces(entry, found)),
        Json::Object(entries) => entries.iter().for_each(|(_, entry)| pieces(entry, found)),
        _ => {}
    }
}

/// Takes out of the pieces what lies on the table. What is told again lies there once.
pub(super) fn take_seen(json: &Json<'_>, retold: &[&str], left: &mut Pieces) {
    match json {
        Json::Text(text) => drop(left.take(text)),
        Json::List(list) => list.iter().for_each(|entry| take_seen(entry, retold, left)),
        Json::Object(entries) => {
            let told_once = entries.iter().filter(|(key, _)| !retold.contains(&&**key));
            let is_unseen = |json: &Json<'_>| matches!(json, Json::Text(text) if text == UNSEEN);
            let lists = told_once.clone().filter_map(|(_, entry)| match entry {
                Json::List(list) => Some(list),
                _ => None,
            });
            if lists.flatten().any(is_unseen) {
                for name in named_only(entries, retold) {
                    left.take(&name);
                }
            }
            told_once.for_each(|(_, entry)| take_seen(entry, retold, left));
        }
        _ => {}
    }
}

fn put<'a>(json: &mut Json<'a>, steps: &[usize], value: Json<'a>) {
    let Some((&at, rest)) = steps.split_first() else {
        *json = value;
        return;
    };
    let entry = match json {
        Json::List(list) => list.get_mut(at),
        Json::Object(entries) => entries.get_mut(at).map(|(_, entry)| entry),
        _ => None,
    };
    if let Some(entry) = entry {
        put(entry, rest, value);
    }
}

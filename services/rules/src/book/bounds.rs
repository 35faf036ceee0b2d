//! How far a house may go from the figures of a game: it may ask more of itself than the text of its base, and no less.
//!
//! A figure that a text calls the least says so itself (`minimum`); these are the others that bound something.

use serde_json::Value;

use super::Pay;

/// What the value of the base is to a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// "At least", "no less than", "half".
    Least,
    /// "At most", "no more than", "up to"; of a share that the house takes, what it takes.
    Most,
    /// Two ends: `{ fewest, most }`, or the first and the last of a list.
    Range,
}

/// By the key of the figure, in whatever game.
pub(super) const BOUNDS: [(&str, Bound); 30] = [
    ("compulsory_ratio", Bound::Most),
    ("decks", Bound::Range),
    ("decks_per_batch", Bound::Range),
    ("decks_per_shoe", Bound::Range),
    ("envy_minimum", Bound::Most),
    ("fire_areas", Bound::Most),
    ("largest_odds_multiple", Bound::Most),
    ("least_decks_per_batch", Bound::Least),
    ("max_areas", Bound::Most),
    ("max_split_hands", Bound::Most),
    ("mini_craps_seats", Bound::Most),
    ("minimum_bettor", Bound::Least),
    ("minimum_bettor_antes", Bound::Least),
    ("most_boxes", Bound::Most),
    ("most_boxes_of_variations", Bound::Most),
    ("most_boxes_per_player", Bound::Most),
    ("most_decks_from_hand", Bound::Most),
    ("most_players_per_box", Bound::Most),
    ("number_odds", Bound::Range),
    ("payout_limit", Bound::Least),
    ("positions", Bound::Most),
    ("positions_a_player", Bound::Most),
    ("street_multiples", Bound::Range),
    ("super_bonus_stakes", Bound::Most),
    ("surrender_percent", Bound::Least),
    ("tie_charge_percent", Bound::Most),
    ("vig_cap_bp", Bound::Most),
    ("vigorish", Bound::Most),
    ("vigorish_percent", Bound::Most),
    ("vigorish_unit", Bound::Most),
];

impl Bound {
    /// Of a figure of this key that says nothing of it itself.
    pub(super) fn of(key: &str) -> Option<Bound> {
        let mut bounds = BOUNDS.iter();
        let its = bounds.find(|(known, _)| *known == key);
        its.map(|(_, bound)| *bound)
    }

    /// `Err` says at which place what a house has is laxer than the base: of numbers and odds, one for each that the
    /// base has.
    pub(super) fn check(self, base: &Value, value: &Value, place: &str) -> Result<(), String> {
        match (base, value) {
            (Value::Array(ends), Value::Array(values)) if self == Bound::Range => {
                let (Some(least), Some(most)) = (ends.first(), ends.last()) else {
                    return Err(another_form(place));
                };
                same_count(ends.len(), values.len(), place)?;
                values.iter().try_for_each(|value| {
                    Bound::Least.check(least, value, place)?;
                    Bound::Most.check(most, value, place)
                })
            }
            (Value::Array(base), Value::Array(values)) => {
                same_count(base.len(), values.len(), place)?;
                let mut pairs = base.iter().zip(values);
                pairs.try_for_each(|(base, value)| self.check(base, value, place))
            }
            (Value::Object(base), Value::Object(values)) => {
                same_count(base.len(), values.len(), place)?;
                base.iter().try_for_each(|(key, base)| {
                    let value = values.get(key).ok_or_else(|| another_form(place))?;
                    let end = match (self, key.as_str()) {
                        (Bound::Range, "most") => Bound::Most,
                        (Bound::Range, _) => Bound::Least,
                        (bound, _) => bound,
                    };
                    end.check(base, value, &format!("{place}.{key}"))
                })
            }
            _ => self.check_one(base, value, place),
        }
    }

    fn check_one(self, base: &Value, value: &Value, place: &str) -> Result<(), String> {
        let (is_laxer, word) = match self {
            Bound::Least => (is_less(value, base, place)?, "least"),
            Bound::Most => (is_less(base, value, place)?, "most"),
            Bound::Range => return Err(another_form(place)),
        };
        match is_laxer {
            true => Err(format!(
                "{place}: {base} is the {word} that the base allows"
            )),
            false => Ok(()),
        }
    }
}

/// Of two whole numbers or two prizes.
fn is_less(value: &Value, other: &Value, place: &str) -> Result<bool, String> {
    match (value, other) {
        (Value::Number(value), Value::Number(other)) => match (value.as_i64(), other.as_i64()) {
            (Some(value), Some(other)) => Ok(value < other),
            _ => Err(another_form(place)),
        },
        (Value::String(_), Value::String(_)) => pays_less(value, other, place),
        _ => Err(another_form(place)),
    }
}

/// Of two prizes of a pay table, as they are written.
pub(super) fn pays_less(pays: &Value, least: &Value, place: &str) -> Result<bool, String> {
    let read = |value: &Value| Pay::parse(value.as_str().unwrap_or_default());
    let (pays, least) = (read(pays), read(least));
    let (pays, least) = pays
        .and_then(|pays| Ok((pays, least?)))
        .map_err(|what| format!("{place}: {what}"))?;
    Ok(match (pays, least) {
        (Pay::Odds(pays), Pay::Odds(least)) => pays < least,
        (Pay::Fixed(pays), Pay::Fixed(least)) => pays < least,
        (Pay::Meter(pays), Pay::Meter(least)) => pays < least,
        (Pay::Push, Pay::Odds(_)) | (Pay::Lose, Pay::Odds(_) | Pay::Push) => true,
        (Pay::Odds(_), Pay::Push | Pay::Lose) | (Pay::Push, Pay::Push | Pay::Lose) => false,
        (Pay::Lose, Pay::Lose) => false,
        _ => return Err(format!("{place}: another form of prize than in the base")),
    })
}

fn same_count(base: usize, found: usize, place: &str) -> Result<(), String> {
    match base == found {
        true => Ok(()),
        false => Err(format!("{place}: the base has {base} of them, not {found}")),
    }
}

fn another_form(place: &str) -> String {
    format!("{place}: another form than in the base")
}

#[cfg(test)]
mod tests {
    use super::BOUNDS;
    use crate::Rulebook;

    #[test]
    fn every_bound_is_of_a_figure_that_some_game_has() {
        let rulebook = Rulebook::load().unwrap();
        let figures = rulebook.games().flat_map(|game| game.book().figures());
        let known: Vec<&str> = figures.map(|figure| figure.key.as_str()).collect();
        for (key, _) in BOUNDS {
            assert!(known.contains(&key), "no game has a figure {key}");
        }
    }
}

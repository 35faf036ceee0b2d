//! Why a round document was refused: the place, what is wrong there, and what to write instead.

use std::fmt;

use serde::de::DeserializeOwned;

use crate::json::Json;

/// A document that cannot be settled. It displays as `place: what is wrong`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Refusal {
    place: String,
    what: String,
}

impl Refusal {
    /// `place` is a path into the document such as `wagers[2].kind`; empty for the whole of it.
    pub fn at(place: impl Into<String>, what: impl Into<String>) -> Refusal {
        Refusal {
            place: place.into(),
            what: what.into(),
        }
    }

    pub fn place(&self) -> &str {
        &self.place
    }

    /// `"word" is not <thing>; did you mean "other"?`, or the list of what is known.
    pub fn unknown(place: impl Into<String>, word: &str, is_not: &str, known: &[&str]) -> Refusal {
        let hint = match nearest(word, known) {
            Some(near) => format!("; did you mean {near:?}?"),
            None if known.is_empty() => String::new(),
            None => format!("; known: {}", known.join(", ")),
        };
        Refusal::at(place, format!("{word:?} is not {is_not}{hint}"))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            return f.write_str(&self.what);
        }
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// The known word that the writer probably meant.
fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let likeness = |other: &str| strsim::jaro_winkler(word, other);
    let best = known
        .iter()
        .copied()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) >= 0.85).then_some(best)
}

/// Reads a part of a document; `part` is its place, empty for the whole.
pub fn read<T: DeserializeOwned>(text: &str, part: &str, game: &str) -> Result<T, Refusal> {
    let json = Json::parse(text)?;
    json.read().map_err(|fault| fault.refusal(part, game))
}

/// Reads a part that is a value already.
pub fn read_value<T: DeserializeOwned>(
    value: serde_json::Value,
    part: &str,
    game: &str,
) -> Result<T, Refusal> {
    let json = Json::from(&value);
    json.read().map_err(|fault| fault.refusal(part, game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_gets_the_word_that_was_meant() {
        let known = ["player", "banker", "tie"];
        assert_eq!(nearest("bankr", &known), Some("banker"));
        assert_eq!(nearest("ti", &known), Some("tie"));
        assert_eq!(nearest("zebra", &known), None);
    }
}

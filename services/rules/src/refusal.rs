//! Why a round document was refused: the place, what is wrong there, and what to write instead.

use std::fmt;

use serde::de::DeserializeOwned;

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

/// Reads a part of a document. The good case is one plain pass; only a refused part is read again
/// to find the place of the fault.
pub fn read<T: DeserializeOwned>(text: &str, part: &str, game: &str) -> Result<T, Refusal> {
    serde_json::from_str(text).or_else(|_| {
        let deserializer = &mut serde_json::Deserializer::from_str(text);
        serde_path_to_error::deserialize(deserializer)
            .map_err(|error| explain(&join(part, &error.path().to_string()), error.inner(), game))
    })
}

/// Reads a part that is a value already.
pub fn read_value<T: DeserializeOwned>(
    value: serde_json::Value,
    part: &str,
    game: &str,
) -> Result<T, Refusal> {
    serde_path_to_error::deserialize(value)
        .map_err(|error| explain(&join(part, &error.path().to_string()), error.inner(), game))
}

fn join(part: &str, path: &str) -> String {
    match (part, path) {
        (part, "." | "") => part.to_owned(),
        ("", path) => path.to_owned(),
        (part, path) if path.starts_with('[') => format!("{part}{path}"),
        (part, path) => format!("{part}.{path}"),
    }
}

/// Says in the floor's words what serde says in its own.
pub(crate) fn explain(place: &str, error: &serde_json::Error, game: &str) -> Refusal {
    if error.is_syntax() || error.is_eof() {
        let error = error
            .to_string()
            .replace(" at line 1 column ", " at column ");
        return Refusal::at("", format!("not JSON: {error}"));
    }
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    if message.starts_with("unknown field") {
        let [word, known @ ..] = &quoted[..] else {
            return Refusal::at(place, message);
        };
        let parent = place
            .strip_suffix(word)
            .map_or(place, |parent| parent.trim_end_matches('.'));
        let place = join(parent, word);
        return Refusal::unknown(place, word, "a known key here", known);
    }
    if message.starts_with("unknown variant") {
        let [word, known @ ..] = &quoted[..] else {
            return Refusal::at(place, message);
        };
        if place.starts_with("wagers[") && place.ends_with("].kind") {
            return Refusal::unknown(place, word, &format!("a wager of {game}"), known);
        }
        return Refusal::unknown(place, word, "a known word here", known);
    }
    if message.starts_with("missing field") {
        return Refusal::at(place, format!("the key {:?} is missing", quoted.concat()));
    }
    Refusal::at(place, message)
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

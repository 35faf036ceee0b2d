//! What is wrong with a document, found while it is read.

use std::fmt;

use serde::de::{self, Expected, Unexpected};

use crate::refusal::Refusal;

/// A fault and the way to it.
#[derive(Debug)]
pub struct Fault(Box<Found>);

#[derive(Debug)]
struct Found {
    /// The innermost first.
    way: Vec<Step>,
    what: What,
}

#[derive(Debug)]
enum Step {
    Key(String),
    Index(usize),
}

#[derive(Debug)]
enum What {
    UnknownKey(String, &'static [&'static str]),
    UnknownWord(String, &'static [&'static str]),
    Other(String),
}

impl Fault {
    pub(super) fn of(what: impl Into<String>) -> Fault {
        Fault::new(What::Other(what.into()))
    }

    fn new(what: What) -> Fault {
        let way = Vec::new();
        Fault(Box::new(Found { way, what }))
    }

    #[cold]
    pub(super) fn under(mut self, key: &str) -> Fault {
        self.0.way.push(Step::Key(key.to_owned()));
        self
    }

    #[cold]
    pub(super) fn at(mut self, index: usize) -> Fault {
        self.0.way.push(Step::Index(index));
        self
    }

    /// The refusal of a document of `game` whose `part` has the fault; the part is empty for the
    /// whole document.
    pub fn refusal(self, part: &str, game: &str) -> Refusal {
        let mut place = part.to_owned();
        for step in self.0.way.iter().rev() {
            match step {
                Step::Key(key) => push_key(&mut place, key),
                Step::Index(index) => place.push_str(&format!("[{index}]")),
            }
        }
        match self.0.what {
            What::UnknownKey(word, known) => {
                push_key(&mut place, &word);
                Refusal::unknown(place, &word, "a known key here", known)
            }
            What::UnknownWord(word, known) => {
                if place.starts_with("wagers[") && place.ends_with("].kind") {
                    return Refusal::unknown(place, &word, &format!("a wager of {game}"), known);
                }
                Refusal::unknown(place, &word, "a known word here", known)
            }
            What::Other(what) => Refusal::at(place, what),
        }
    }
}

fn push_key(place: &mut String, key: &str) {
    if !place.is_empty() {
        place.push('.');
    }
    place.push_str(key);
}

/// What a number is that no whole number of 64 bits is.
pub(super) const FRACTION: &str = "a number with a point or an exponent, or beyond 64 bits";

impl de::Error for Fault {
    fn custom<T: fmt::Display>(what: T) -> Fault {
        Fault::of(what.to_string())
    }

    fn unknown_field(word: &str, known: &'static [&'static str]) -> Fault {
        Fault::new(What::UnknownKey(word.to_owned(), known))
    }

    fn unknown_variant(word: &str, known: &'static [&'static str]) -> Fault {
        Fault::new(What::UnknownWord(word.to_owned(), known))
    }

    fn missing_field(key: &'static str) -> Fault {
        Fault::of(format!("the key {key:?} is missing"))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Fault {
        let found = match found {
            Unexpected::Bool(flag) => flag.to_string(),
            Unexpected::Unsigned(number) => number.to_string(),
            Unexpected::Signed(number) => number.to_string(),
            Unexpected::Float(_) => FRACTION.into(),
            Unexpected::Str(text) => format!("{text:?}"),
            Unexpected::Unit => "null".into(),
            Unexpected::Seq => "a list".into(),
            Unexpected::Map => "an object".into(),
            other => other.to_string(),
        };
        let expected = expected.to_string();
        Fault::of(match range(&expected) {
            Some(range) => format!("{range} is expected, not {found}"),
            None => format!("{expected} is expected, not {found}"),
        })
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Fault {
        Fault::invalid_type(found, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Fault {
        Fault::of(format!(
            "{expected} is expected, not a list of length {length}"
        ))
    }
}

/// The whole numbers that a type of Rust stands for.
fn range(name: &str) -> Option<String> {
    let (least, most) = match name {
        "u8" => (0, u64::from(u8::MAX)),
        "u16" => (0, u64::from(u16::MAX)),
        "u32" => (0, u64::from(u32::MAX)),
        "u64" | "usize" => (0, u64::MAX),
        "i8" => (i8::MIN.into(), i8::MAX as u64),
        "i16" => (i16::MIN.into(), i16::MAX as u64),
        "i32" => (i32::MIN.into(), i32::MAX as u64),
        "i64" | "isize" => (i64::MIN, i64::MAX as u64),
        _ => return None,
    };
    Some(format!("a whole number from {least} to {most}"))
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Found { way, what } = &*self.0;
        for step in way.iter().rev() {
            match step {
                Step::Key(key) => write!(f, "{key}: ")?,
                Step::Index(index) => write!(f, "[{index}]: ")?,
            }
        }
        match what {
            What::UnknownKey(word, known) => {
                write!(f, "unknown key {word:?}; known: {}", known.join(", "))
            }
            What::UnknownWord(word, known) => {
                write!(f, "unknown word {word:?}; known: {}", known.join(", "))
            }
            What::Other(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Fault {}

//! JSON as it was written, and the one way in which documents are read from it.
//!
//! Text becomes a [`Json`] first, and all types are read from that by one [`Reader`]: it says where
//! a fault is, takes no list for an object and no object for a word, and finds a key that is written
//! twice. (One reader also means that each type of a document is compiled for one reader alone.)

mod fault;
mod reader;

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

pub use fault::Fault;
pub use reader::Reader;

use crate::refusal::Refusal;

/// A value of a document. Text is borrowed from where it was written unless it has escapes.
#[derive(Clone, Debug)]
pub enum Json<'a> {
    Null,
    Bool(bool),
    Unsigned(u64),
    Negative(i64),
    /// Written with a point or an exponent, or beyond 64 bits.
    Fraction(f64),
    Text(Cow<'a, str>),
    List(Vec<Json<'a>>),
    /// In the order of the document, repeated keys included.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// Refuses text that is no JSON, and what is nested too deeply for any document.
    pub fn parse(text: &'a str) -> Result<Json<'a>, Refusal> {
        serde_json::from_str(text).map_err(|error| {
            let error = error
                .to_string()
                .replace(" at line 1 column ", " at column ");
            Refusal::at("", format!("not JSON: {error}"))
        })
    }

    pub fn read<T: Deserialize<'a>>(&'a self) -> Result<T, Fault> {
        T::deserialize(Reader::of(self))
    }

    /// Says what it is to a person who expected something else.
    pub fn is_no(&self, expected: impl fmt::Display) -> String {
        let found = match self {
            Json::Null => "null".into(),
            Json::Bool(flag) => flag.to_string(),
            Json::Unsigned(number) => number.to_string(),
            Json::Negative(number) => number.to_string(),
            Json::Fraction(_) => fault::FRACTION.into(),
            Json::Text(text) => format!("{text:?}"),
            Json::List(_) => "a list".into(),
            Json::Object(_) => "an object".into(),
        };
        format!("{expected} is expected, not {found}")
    }
}

impl<'a> From<&'a Value> for Json<'a> {
    fn from(value: &'a Value) -> Json<'a> {
        match value {
            Value::Null => Json::Null,
            Value::Bool(flag) => Json::Bool(*flag),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => Json::Unsigned(number),
                (None, Some(number)) => Json::Negative(number),
                (None, None) => Json::Fraction(number.as_f64().unwrap_or(f64::INFINITY)),
            },
            Value::String(text) => Json::Text(Cow::Borrowed(text)),
            Value::Array(list) => Json::List(list.iter().map(Json::from).collect()),
            Value::Object(object) => {
                let entry = |(key, value): (&'a String, &'a Value)| {
                    (Cow::Borrowed(key.as_str()), Json::from(value))
                };
                Json::Object(object.iter().map(entry).collect())
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json<'de>, D::Error> {
        deserializer.deserialize_any(Anything)
    }
}

struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(flag))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json<'de>, E> {
        Ok(Json::Unsigned(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json<'de>, E> {
        Ok(u64::try_from(number).map_or(Json::Negative(number), Json::Unsigned))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json<'de>, E> {
        Ok(Json::Fraction(number))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Json<'de>, A::Error> {
        let mut list = Vec::new();
        while let Some(entry) = entries.next_element()? {
            list.push(entry);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json<'de>, A::Error> {
        let mut object = Vec::new();
        while let Some(key) = entries.next_key_seed(Key)? {
            object.push((key, entries.next_value()?));
        }
        Ok(Json::Object(object))
    }
}

struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(Key)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<E>(self, key: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(key.to_owned()))
    }
}

//! Serde's view of a [`Json`].

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::slice::Iter;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::Json;
use super::fault::Fault;

/// A value, or the key of an object, to be read.
#[derive(Clone, Copy, Debug)]
pub enum Reader<'a> {
    Value(&'a Json<'a>),
    Key(&'a str),
}

impl<'a> Reader<'a> {
    pub fn of(json: &'a Json<'a>) -> Reader<'a> {
        Reader::Value(json)
    }

    fn expected(self, what: &str) -> Fault {
        match self {
            Reader::Value(json) => Fault::of(json.is_no(what)),
            Reader::Key(key) => Fault::of(format!("{what} is expected, not the key {key:?}")),
        }
    }

    /// Keys are text; one that stands for a number is written as JSON writes the number.
    #[inline]
    fn number(self) -> Result<Whole, Fault> {
        let number = match self {
            Reader::Value(Json::Unsigned(number)) => Some(Whole::Unsigned(*number)),
            Reader::Value(Json::Negative(number)) => Some(Whole::Negative(*number)),
            Reader::Value(_) => None,
            Reader::Key(key) => match (key.parse::<u64>(), key.parse::<i64>()) {
                (Ok(number), _) if number.to_string() == key => Some(Whole::Unsigned(number)),
                (_, Ok(number)) if number.to_string() == key => Some(Whole::Negative(number)),
                _ => None,
            },
        };
        number.ok_or_else(|| self.expected("a whole number"))
    }

    #[inline]
    fn list(self) -> Result<Entries<'a>, Fault> {
        match self {
            Reader::Value(Json::List(list)) => Ok(Entries {
                left: list.iter(),
                next: 0,
            }),
            other => Err(other.expected("a list")),
        }
    }

    #[inline]
    fn object(self) -> Result<Pairs<'a>, Fault> {
        match self {
            Reader::Value(Json::Object(object)) => match repeated_key(object) {
                Some(key) => Err(Fault::of("this key is there twice").under(key)),
                None => Ok(Pairs {
                    left: object.iter(),
                    value: None,
                }),
            },
            other => Err(other.expected("an object")),
        }
    }
}

enum Whole {
    Unsigned(u64),
    Negative(i64),
}

fn repeated_key<'a>(object: &'a [(Cow<'a, str>, Json<'a>)]) -> Option<&'a str> {
    const FEW: usize = 16;
    let keys = || object.iter().map(|(key, _)| &**key);
    if object.len() > FEW {
        let mut seen = BTreeSet::new();
        return keys().find(|&key| !seen.insert(key));
    }
    let is_repeated = |&(at, key): &(usize, &str)| keys().take(at).any(|earlier| earlier == key);
    keys().enumerate().find(is_repeated).map(|(_, key)| key)
}

macro_rules! whole_numbers {
    ($($method:ident)+) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            self.visit_number(visitor)
        })+
    };
}

impl<'a> Reader<'a> {
    fn visit_number<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.number()? {
            Whole::Negative(number) => visitor.visit_i64(number),
            Whole::Unsigned(number) => visitor.visit_u64(number),
        }
    }

    #[inline]
    fn text(self, what: &str) -> Result<&'a str, Fault> {
        match self {
            Reader::Value(Json::Text(text)) => Ok(text),
            Reader::Key(key) => Ok(key),
            other => Err(other.expected(what)),
        }
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Fault;

    /// For what may be one of several forms.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Reader::Key(key) => visitor.visit_borrowed_str(key),
            Reader::Value(json) => match json {
                Json::Null => visitor.visit_unit(),
                Json::Bool(flag) => visitor.visit_bool(*flag),
                Json::Unsigned(number) => visitor.visit_u64(*number),
                Json::Negative(number) => visitor.visit_i64(*number),
                Json::Fraction(number) => visitor.visit_f64(*number),
                Json::Text(text) => visitor.visit_borrowed_str(text),
                Json::List(_) => self.deserialize_seq(visitor),
                Json::Object(_) => self.deserialize_map(visitor),
            },
        }
    }

    whole_numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Reader::Value(Json::Bool(flag)) => visitor.visit_bool(*flag),
            other => Err(other.expected("true or false")),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Reader::Value(Json::Text(text)) => visitor.visit_borrowed_str(text),
            Reader::Key(key) => visitor.visit_borrowed_str(key),
            Reader::Value(json) => Err(Fault::of(json.is_no(expected_text(&visitor)))),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_borrowed_str(self.text("a word")?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Reader::Value(Json::Null) => visitor.visit_none(),
            other => visitor.visit_some(other),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Reader::Value(Json::Null) => visitor.visit_unit(),
            other => Err(other.expected("null")),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let mut entries = self.list()?;
        let value = visitor.visit_seq(&mut entries)?;
        entries.end()?;
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_map(self.object()?)
    }

    /// Serde would also take a list, and read the keys in their order.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_map(self.object()?)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self {
            Reader::Value(Json::Object(object)) => match &object[..] {
                [(word, content)] => visitor.visit_enum(Choice {
                    word,
                    content: Some(content),
                }),
                _ => Err(self.expected("a word, or an object with one key")),
            },
            other => visitor.visit_enum(Choice {
                word: other.text("a word")?,
                content: None,
            }),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i128 u128 f32 f64 char bytes byte_buf unit_struct tuple_struct
    }
}

fn expected_text<'a>(visitor: &impl Visitor<'a>) -> String {
    // What the type itself says; serde's own word for text is a programmer's.
    let expected = (visitor as &dyn serde::de::Expected).to_string();
    match expected.as_str() {
        "a string" => "text".into(),
        _ => expected,
    }
}

/// The entries of a list.
struct Entries<'a> {
    left: Iter<'a, Json<'a>>,
    next: usize,
}

impl Entries<'_> {
    /// A list that is longer than what was read of it describes something else.
    fn end(&self) -> Result<(), Fault> {
        let read = self.next;
        match self.left.len() {
            0 => Ok(()),
            more => Err(Fault::of(format!(
                "a list of length {read} is expected, not of length {}",
                read + more
            ))),
        }
    }
}

impl<'a> SeqAccess<'a> for &mut Entries<'a> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'a>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        let Some(json) = self.left.next() else {
            return Ok(None);
        };
        let index = self.next;
        self.next += 1;
        match seed.deserialize(Reader::Value(json)) {
            Ok(value) => Ok(Some(value)),
            Err(fault) => Err(fault.at(index)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

/// The keys of an object and what they hold.
struct Pairs<'a> {
    left: Iter<'a, (Cow<'a, str>, Json<'a>)>,
    value: Option<(&'a str, &'a Json<'a>)>,
}

impl<'a> MapAccess<'a> for Pairs<'a> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'a>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        let Some((key, value)) = self.left.next() else {
            return Ok(None);
        };
        self.value = Some((key, value));
        seed.deserialize(Reader::Key(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let Some((key, value)) = self.value.take() else {
            return Err(Fault::of("a value without a key"));
        };
        match seed.deserialize(Reader::Value(value)) {
            Ok(value) => Ok(value),
            Err(fault) => Err(fault.under(key)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

/// One of several words, with what belongs to it if it was written as an object.
struct Choice<'a> {
    word: &'a str,
    content: Option<&'a Json<'a>>,
}

impl<'a> EnumAccess<'a> for Choice<'a> {
    type Error = Fault;
    type Variant = Choice<'a>;

    fn variant_seed<V: DeserializeSeed<'a>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Choice<'a>), Fault> {
        let variant = seed.deserialize(Reader::Key(self.word))?;
        Ok((variant, self))
    }
}

impl<'a> Choice<'a> {
    fn content(&self) -> Result<Reader<'a>, Fault> {
        let missing = || Fault::of(format!("{:?} needs an object with its content", self.word));
        self.content.map(Reader::Value).ok_or_else(missing)
    }
}

impl<'a> VariantAccess<'a> for Choice<'a> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.content {
            None => Ok(()),
            Some(_) => Err(Fault::of("a word is expected, not an object")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value, Fault> {
        let content = self.content()?;
        seed.deserialize(content)
            .map_err(|fault| fault.under(self.word))
    }

    fn tuple_variant<V: Visitor<'a>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.content()?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'a>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_map(self.content()?.object()?)
    }
}

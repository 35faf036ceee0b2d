//! The round document: what every game's has in common, and how it is read.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::Edition;
use crate::floor::{Cents, Seat, WagerId};
use crate::game::Game;
use crate::json::Json;
use crate::refusal::Refusal;
use crate::unseen::UNSEEN;

/// No round has more wagers than this.
pub const MAX_WAGERS: usize = 1_000;

/// The document's outer keys, with the parts that depend on the game still unread.
#[derive(Debug)]
pub struct Envelope<'a> {
    pub game: Cow<'a, str>,
    pub edition: Cow<'a, str>,
    pub(crate) options: Option<Json<'a>>,
    pub(crate) wagers: Json<'a>,
    pub(crate) play: Json<'a>,
}

impl<'a> Envelope<'a> {
    pub fn read(document: &'a str) -> Result<Envelope<'a>, Refusal> {
        Envelope::open(Json::parse(document)?)
    }

    /// The same from a document that is no text yet.
    pub fn of(document: &'a Value) -> Result<Envelope<'a>, Refusal> {
        Envelope::open(Json::from(document))
    }

    fn open(document: Json<'a>) -> Result<Envelope<'a>, Refusal> {
        const KEYS: [&str; 5] = ["game", "edition", "options", "wagers", "play"];
        let Json::Object(entries) = document else {
            return Err(Refusal::at("", "a round document is an object"));
        };
        let mut parts = [const { None }; KEYS.len()];
        for (key, value) in entries {
            let Some(at) = KEYS.iter().position(|known| *known == key) else {
                return Err(Refusal::unknown(&*key, &key, "a known key here", &KEYS));
            };
            if parts[at].replace(value).is_some() {
                return Err(Refusal::at(KEYS[at], "this key is there twice"));
            }
        }
        let [game, edition, options, wagers, play] = parts;
        let missing = |key: &str| Refusal::at("", format!("the key {key:?} is missing"));
        Ok(Envelope {
            game: name("game", game.ok_or_else(|| missing("game"))?)?,
            edition: name("edition", edition.ok_or_else(|| missing("edition"))?)?,
            options: options.filter(|options| !matches!(options, Json::Null)),
            wagers: wagers.ok_or_else(|| missing("wagers"))?,
            play: play.ok_or_else(|| missing("play"))?,
        })
    }
}

fn name<'a>(key: &str, value: Json<'a>) -> Result<Cow<'a, str>, Refusal> {
    match value {
        Json::Text(name) => Ok(name),
        other => Err(Refusal::at(key, other.is_no("text"))),
    }
}

/// A round of one game, read and checked for what every game demands.
#[derive(Debug)]
pub struct Round<G: Game> {
    pub edition: Edition,
    pub options: G::Options,
    pub wagers: Vec<G::Wager>,
    pub play: G::Play,
}

/// A play in the types of its game. What nobody saw is [`Card::UNSEEN`](crate::floor::Card::UNSEEN) in it and the
/// like, with which nothing is settled: all that can lie there is put in its place.
#[derive(Debug)]
pub struct Told<P> {
    pub play: P,
    /// Was all of it seen?
    pub was_seen: bool,
}

/// What a display showed: an amount, or `??` where nobody read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Amount(Cents),
    Unseen,
}

impl Shown {
    pub(crate) fn amount(self) -> Option<Cents> {
        match self {
            Shown::Amount(amount) => Some(amount),
            Shown::Unseen => None,
        }
    }
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Shown::Amount(amount) => amount.serialize(serializer),
            Shown::Unseen => serializer.serialize_str(UNSEEN),
        }
    }
}

impl<'de> Deserialize<'de> for Shown {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shown, D::Error> {
        Cents::deserialize(deserializer).map(Shown::Amount)
    }
}

/// A key that is there, though it may hold nothing.
pub(crate) fn given<'de, D, T>(value: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(value).map(Some)
}

/// What every wager has. [`common_wager!`](crate::common_wager) implements it for a game's own type.
pub trait Wager {
    fn id(&self) -> &WagerId;
    fn seat(&self) -> Seat;
    fn amount(&self) -> Cents;
    /// True for the kinds that a page enters with amount 0 (an envy marker, a bank).
    fn is_free(&self) -> bool {
        false
    }
}

/// Implements [`Wager`] for a struct with the fields `id`, `seat` and `amount`. A second argument
/// names a method `fn(&Self) -> bool` that tells the kinds without a stake.
#[macro_export]
macro_rules! common_wager {
    ($wager:ty $(, free: $is_free:path)?) => {
        impl $crate::Wager for $wager {
            fn id(&self) -> &$crate::floor::WagerId {
                &self.id
            }
            fn seat(&self) -> $crate::floor::Seat {
                self.seat
            }
            fn amount(&self) -> $crate::floor::Cents {
                self.amount
            }
            $(fn is_free(&self) -> bool {
                $is_free(self)
            })?
        }
    };
}

/// Parts of a round document. Keys after `?` may be left out, and are where they have nothing to say.
macro_rules! document {
    ($(
        $(#[$attribute:meta])* $name:ident {
            $($(#[$must:meta])* pub $key:ident: $type:ty,)*
            $(? $($(#[$may:meta])* pub $maybe:ident: $other:ty,)+)?
        }
    )+) => {$(
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$must])* pub $key: $type,)*
            $($(
                $(#[$may])*
                #[serde(default, skip_serializing_if = "crate::round::is_unsaid")]
                pub $maybe: $other,
            )+)?
        }
    )+};
}
pub(crate) use document;

/// A wager of a document, with what every game's has.
macro_rules! wager {
    ($(#[$attribute:meta])* $name:ident: $kind:ty $(, free: $is_free:path)? { $($rest:tt)* }) => {
        $crate::round::document! {
            $(#[$attribute])* $name {
                pub id: $crate::floor::WagerId,
                pub seat: $crate::floor::Seat,
                pub kind: $kind,
                pub amount: $crate::floor::Cents,
                $($rest)*
            }
        }
        $crate::common_wager!($name $(, free: $is_free)?);
    };
}
pub(crate) use wager;

pub(crate) fn is_unsaid<T: Default + PartialEq>(said: &T) -> bool {
    *said == T::default()
}

/// The checks of every game: ids used once, seats that exist, stakes that are positive.
pub(crate) fn check_wagers<W: Wager>(wagers: &[W], lowest_seat: u16) -> Result<(), Refusal> {
    if wagers.len() > MAX_WAGERS {
        let what = format!(
            "{} wagers in one round; at most {MAX_WAGERS} are read",
            wagers.len()
        );
        return Err(Refusal::at("wagers", what));
    }
    let mut seen = Ids::default();
    for (index, wager) in wagers.iter().enumerate() {
        let refuse = |key: &str, what: String| Refusal::at(format!("wagers[{index}].{key}"), what);
        if wager.seat().number() < lowest_seat {
            return Err(refuse(
                "seat",
                format!("seats are numbered from {lowest_seat}"),
            ));
        }
        match (wager.is_free(), wager.amount().is_positive()) {
            (false, false) => return Err(refuse("amount", "a stake is at least a cent".into())),
            (true, true) => return Err(refuse("amount", "this kind has no stake: write 0".into())),
            _ => {}
        }
        if !seen.add(wager.id()) {
            return Err(refuse("id", format!("{:?} is used twice", wager.id())));
        }
    }
    Ok(())
}

/// The ids of a round so far. Most rounds have few, which are looked through quicker than hashed.
#[derive(Default)]
struct Ids<'a> {
    few: Vec<&'a WagerId>,
    more: HashSet<&'a WagerId>,
}

impl<'a> Ids<'a> {
    const FEW: usize = 16;

    /// False if the id was there already.
    fn add(&mut self, id: &'a WagerId) -> bool {
        if self.few.contains(&id) {
            return false;
        }
        if self.few.len() < Self::FEW {
            self.few.push(id);
            return true;
        }
        self.more.insert(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_an_object_with_its_five_keys() {
        let refusal = |document: &str| Envelope::read(document).unwrap_err().to_string();
        let list = r#" ["x","y",{},[],{}]"#;
        assert_eq!(refusal(list), "a round document is an object");
        let number = r#"{"game":7,"edition":"y","wagers":[],"play":{}}"#;
        assert_eq!(refusal(number), "game: text is expected, not 7");
        let twice = r#"{"game":"x","edition":"y","wagers":[],"play":{},"play":{}}"#;
        assert_eq!(refusal(twice), "play: this key is there twice");
        let stray = r#"{"game":"x","edition":"y","wagers":[],"plays":{}}"#;
        let expected = r#"plays: "plays" is not a known key here; did you mean "play"?"#;
        assert_eq!(refusal(stray), expected);
        let short = r#"{"game":"x","edition":"y","wagers":[]}"#;
        assert_eq!(refusal(short), r#"the key "play" is missing"#);
    }
}

//! What a wager is made of, and which of its keys it has a use for.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::book::{BookError, EditionBook};

/// What a wager lies on the layout as; a `cash` bet was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    ValueChips,
    Plaque,
    /// A match play coupon; the wager's amount is its face value.
    Coupon,
    Cash,
}

/// A key that is refused, and why.
pub(crate) type Unused<'a> = (&'a str, &'static str);

/// Refuses a key that would be ignored: each with whether it is said, and whether the wager has it.
pub(crate) fn check_use<'a>(
    keys: impl IntoIterator<Item = (&'a str, bool, bool)>,
) -> Result<(), Unused<'a>> {
    let mut keys = keys.into_iter();
    match keys.find(|(_, is_said, is_used)| *is_said && !is_used) {
        Some((key, ..)) => Err((key, "this wager has no use for it")),
        None => Ok(()),
    }
}

/// The key with which each kind of wager says what it is on.
#[derive(Debug)]
pub(crate) struct Selections<K>(BTreeMap<K, String>);

impl<K: DeserializeOwned + Ord> Selections<K> {
    pub(crate) fn read(book: &EditionBook<'_>) -> Result<Selections<K>, BookError> {
        let keys = book.selections()?.into_iter();
        Ok(Selections(
            keys.map(|(kind, key)| (kind, key.to_owned())).collect(),
        ))
    }

    /// Refuses the selection of another kind.
    pub(crate) fn check<'a>(
        &self,
        kind: K,
        said: impl IntoIterator<Item = (&'a str, bool)>,
    ) -> Result<(), Unused<'a>> {
        let selects = self.0.get(&kind).map(String::as_str);
        let said = said.into_iter();
        check_use(said.map(|(key, is_said)| (key, is_said, selects == Some(key))))
    }
}

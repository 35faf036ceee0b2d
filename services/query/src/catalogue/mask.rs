//! Values that name patrons, with other names in the place of theirs.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{
    Array as _, ArrayRef, AsArray as _, ListArray, StringViewArray, new_empty_array,
};
use arrow::buffer::OffsetBuffer;
use arrow::compute::cast;
use arrow::datatypes::DataType;
use catwalk_web::Pseudonyms;
use datafusion::common::Result;
use serde_json::Value;

/// Objects of JSON and sentences in which no patron is named.
#[cfg(test)]
pub(super) const WITHOUT_ANY: [&str; 7] = [
    "access.parameters",
    "money.denominations",
    "money.coupons_by_kind",
    "money.bills",
    "money.colours",
    "slips.denominations",
    "rounds.options",
];

/// How a column names patrons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// It is the id of one.
    Id,
    /// JSON that may have ids in it.
    Json,
    /// What people write in their own words, and what could not be read as an event: it may name one.
    Words,
    /// A sentence, which may name the patron of another column; of these codes it names others too.
    Sentence {
        patron: &'static str,
        codes: &'static str,
    },
}

#[derive(Debug)]
pub(super) struct Mask {
    pub(super) table: &'static str,
    pub(super) column: &'static str,
    pub(super) how: How,
}

const fn mask(table: &'static str, column: &'static str, how: How) -> Mask {
    Mask { table, column, how }
}

pub(super) const MASKS: [Mask; 26] = [
    mask("events", "player", How::Id),
    mask("events", "body", How::Json),
    mask("wagers", "player", How::Id),
    mask("wagers", "detail", How::Json),
    mask("rounds", "document", How::Json),
    mask("rounds", "bonuses", How::Json),
    mask("rounds", "pots", How::Json),
    mask("money", "player", How::Id),
    mask("money", "instruments", How::Json),
    mask("money", "team", How::Json),
    mask("findings", "player", How::Id),
    mask(
        "findings",
        "message",
        How::Sentence {
            patron: "player",
            codes: "code",
        },
    ),
    mask("incidents", "player", How::Id),
    mask(
        "incidents",
        "headline",
        How::Sentence {
            patron: "player",
            codes: "codes",
        },
    ),
    mask("notices", "options", How::Json),
    mask("quarantine", "key", How::Words),
    mask("quarantine", "value", How::Words),
    mask("quarantine", "reason", How::Words),
    mask("cases", "patrons", How::Words),
    mask("cases", "note", How::Words),
    mask("log_entries", "summary", How::Words),
    mask("log_entries", "reason", How::Words),
    mask("log_entries", "persons", How::Words),
    mask("log_entries", "outcome", How::Words),
    mask("dispositions", "note", How::Words),
    mask("dispositions", "notified", How::Words),
];

/// Codes whose sentences name patrons that no column names.
const OF_OTHERS: [&str; 4] = [
    "chemin.seat_move_turn",
    "marker.walked",
    "wager.mid_shoe_entry",
    "wager.unseated_player",
];
const UNTOLD: &str = "This may name a patron: it is shown for a case.";

impl How {
    /// The other columns that it takes to know what to mask.
    pub(super) fn beside(self) -> Vec<&'static str> {
        match self {
            How::Sentence { patron, codes } => vec![patron, codes],
            How::Id | How::Json | How::Words => Vec::new(),
        }
    }

    /// A column with other names for patrons.
    pub(super) fn put(
        self,
        names: &Pseudonyms,
        column: &ArrayRef,
        beside: impl Fn(&str) -> Option<ArrayRef>,
    ) -> Result<ArrayRef> {
        if let DataType::List(field) = column.data_type() {
            // Of lists nothing is left.
            let none = OffsetBuffer::from_lengths(std::iter::repeat_n(0, column.len()));
            let values = new_empty_array(field.data_type());
            return Ok(Arc::new(ListArray::new(
                Arc::clone(field),
                none,
                values,
                None,
            )));
        }
        let texts = cast(column, &DataType::Utf8View)?;
        let texts = texts.as_string_view();
        let mut known: HashMap<String, String> = HashMap::new();
        let mut name = |patron: &str| match known.get(patron) {
            Some(name) => name.clone(),
            None => {
                let name = names.name(patron);
                known.insert(patron.to_owned(), name.clone());
                name
            }
        };
        let masked: StringViewArray = match self {
            How::Id => texts.iter().map(|id| id.map(&mut name)).collect(),
            How::Json => texts
                .iter()
                .map(|text| text.map(|text| in_json(text, &mut name)))
                .collect(),
            How::Words => texts.iter().map(|text| text.map(|_| UNTOLD)).collect(),
            How::Sentence { patron, codes } => {
                let patrons = beside(patron).map(|column| cast(&column, &DataType::Utf8View));
                let patrons = patrons.transpose()?;
                let codes = beside(codes);
                let of = |row: usize| {
                    let patrons = patrons.as_ref()?.as_string_view();
                    (!patrons.is_null(row)).then(|| patrons.value(row).to_owned())
                };
                let told = texts.iter().enumerate().map(|(row, text)| {
                    let text = text?;
                    if codes.as_ref().is_none_or(|codes| names_others(codes, row)) {
                        return Some(UNTOLD.to_owned());
                    }
                    Some(match of(row).filter(|patron| !patron.is_empty()) {
                        Some(patron) => text.replace(&patron, &name(&patron)),
                        None => text.to_owned(),
                    })
                });
                told.collect()
            }
        };
        let masked: ArrayRef = Arc::new(masked);
        Ok(cast(&masked, column.data_type())?)
    }
}

/// Whether a code, or one of a list of them, is of those that name others. What is no code does.
fn names_others(codes: &ArrayRef, row: usize) -> bool {
    if codes.is_null(row) {
        return false;
    }
    let is_of = |codes: &ArrayRef, row: usize| {
        cast(codes, &DataType::Utf8View).map_or(true, |codes| {
            let codes = codes.as_string_view();
            !codes.is_null(row) && OF_OTHERS.contains(&codes.value(row))
        })
    };
    match codes.as_list_opt::<i32>() {
        Some(lists) => {
            let list = lists.value(row);
            (0..list.len()).any(|place| is_of(&list, place))
        }
        None => is_of(&codes.slice(row, 1), 0),
    }
}

/// JSON with other names for patrons; what is no JSON is not shown at all.
fn in_json(text: &str, name: &mut impl FnMut(&str) -> String) -> String {
    // Most of it names nobody, and is left as it is written.
    if !text.contains("player") && !text.contains("patron") {
        return text.to_owned();
    }
    match serde_json::from_str::<Value>(text) {
        Ok(mut value) => {
            rename(&mut value, name);
            value.to_string()
        }
        Err(_) => "null".to_owned(),
    }
}

fn rename(value: &mut Value, name: &mut impl FnMut(&str) -> String) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| rename(value, name)),
        Value::Object(fields) => {
            let is_patron = fields.get("role").and_then(Value::as_str) == Some("patron");
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("player" | "patron", Value::String(id)) => *id = name(id),
                    ("id" | "name", Value::String(id)) if is_patron => *id = name(id),
                    ("players" | "patrons", Value::Array(ids)) => {
                        for id in ids {
                            match id {
                                Value::String(id) => *id = name(id),
                                other => rename(other, name),
                            }
                        }
                    }
                    (_, value) => rename(value, name),
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::StringArray;

    use super::*;

    #[test]
    fn patrons_in_json_have_other_names_and_the_rest_stays() {
        let mut name = |id: &str| format!("<{id}>");
        let mut masked = |text: &str| in_json(text, &mut name);
        assert_eq!(masked(r#"{"b": 1,"a":"x"}"#), r#"{"b": 1,"a":"x"}"#);
        let told = masked(r#"{"type":"wager_placed","player":"p-1","amount":5}"#);
        let wanted: Value =
            serde_json::from_str(r#"{"type":"wager_placed","player":"<p-1>","amount":5}"#).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&told).unwrap(), wanted);
        // The cards of the player's hand are no patron.
        let hand = r#"{"play":{"player":["AS","TD"]}}"#;
        assert_eq!(masked(hand), hand);
        let deep = masked(r#"{"by":{"id":"p-2","role":"patron"},"hands":[{"player":"p-3"}]}"#);
        assert!(
            deep.contains("<p-2>") && deep.contains("<p-3>") && !deep.contains("\"p-"),
            "{deep}"
        );
        assert_eq!(
            masked(r#"{"by":{"id":"d-2","role":"dealer"},"patrons":["p-4"]}"#),
            r#"{"by":{"id":"d-2","role":"dealer"},"patrons":["<p-4>"]}"#
        );
        assert_eq!(masked("the player p-5"), "null");
    }

    #[test]
    fn a_sentence_names_nobody() {
        let names = Pseudonyms::passing().unwrap();
        let texts =
            |texts: &[Option<&str>]| -> ArrayRef { Arc::new(StringArray::from(texts.to_vec())) };
        let messages = texts(&[
            Some("p-1 won"),
            Some("p-2 bet at seat 1, where p-1 sits"),
            None,
        ]);
        let codes = texts(&[
            Some("pay.over"),
            Some("wager.unseated_player"),
            Some("pay.over"),
        ]);
        let patrons = texts(&[Some("p-1"), Some("p-2"), None]);
        let how = How::Sentence {
            patron: "player",
            codes: "code",
        };
        let beside = |name: &str| {
            Some(if name == "code" {
                codes.clone()
            } else {
                patrons.clone()
            })
        };
        let masked = how.put(&names, &messages, beside).unwrap();
        let masked = masked.as_string::<i32>();
        assert_eq!(masked.value(0), format!("{} won", names.name("p-1")));
        assert_eq!(masked.value(1), UNTOLD);
        assert!(masked.is_null(2));
        // Without the code nothing is known, and nothing is told.
        let masked = how.put(&names, &messages, |_| None).unwrap();
        assert_eq!(masked.as_string::<i32>().value(0), UNTOLD);
    }
}

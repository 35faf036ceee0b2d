//! Whether a row names a patron, and where.

use catwalk_hands::hex;
use serde_json::Value;

/// Under which words a patron's id stands in what events and documents say.
const PATRON_KEYS: [&str; 6] = [
    "player", "players", "patron", "patrons", "person", "persons",
];

/// Whether a row names a patron: in a column or a key for patrons, in a sentence, or within a record that could not be
/// read.
pub(crate) fn names(row: &Value, patron: &str) -> bool {
    named_in(row, patron, false)
}

fn named_in(value: &Value, patron: &str, is_for_patrons: bool) -> bool {
    match value {
        Value::String(text) if is_for_patrons && text == patron => true,
        Value::String(text) => match text
            .starts_with(['{', '['])
            .then(|| serde_json::from_str(text))
        {
            Some(Ok(inner)) => named_in(&inner, patron, false),
            _ => {
                is_distinctive(patron)
                    && (has_word(text, patron) || text.contains(&hex(patron.as_bytes())))
            }
        },
        Value::Array(values) => values
            .iter()
            .any(|value| named_in(value, patron, is_for_patrons)),
        Value::Object(fields) => fields
            .iter()
            .any(|(key, value)| named_in(value, patron, PATRON_KEYS.contains(&key.as_str()))),
        _ => false,
    }
}

/// Is it like nothing else, so that it is meant wherever it stands?
fn is_distinctive(patron: &str) -> bool {
    let has = |is: fn(char) -> bool| patron.chars().any(is);
    has(char::is_alphabetic) && has(|c| c.is_ascii_digit())
}

/// Does it stand there by itself, and not as a part of a longer one?
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_row_names_a_patron_wherever_the_id_stands() {
        let names_p17 = [
            json!({"player": "p-17"}),
            json!({"persons": ["x", "p-17"]}),
            json!({"body": "{\"wager\":\"w1\",\"player\":\"p-17\"}"}),
            json!({"document": "{\"wagers\":[{\"id\":\"a\",\"player\":\"p-17\"}]}"}),
            json!({"message": "Patron p-17 was paid twice."}),
            json!({"value": format!("00{}ff", hex(b"p-17"))}),
        ];
        for row in &names_p17 {
            assert!(names(row, "p-17"), "{row}");
        }
        for row in [
            json!({"player": "p-170"}),
            json!({"message": "Patron p-171 and xp-17."}),
            json!({"wager": "17", "amount_cents": 17}),
        ] {
            assert!(!names(&row, "p-17"), "{row}");
        }
        // A bare number is a patron only where patrons stand.
        assert!(names(&json!({"player": "17"}), "17"));
        assert!(!names(&json!({"wager": "17", "message": "17 cards"}), "17"));
    }
}

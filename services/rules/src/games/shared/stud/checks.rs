//! What the tests of the stud games have in common.

use serde_json::Value;

use crate::game::Game;
use crate::testkit::TestTable;

/// Each document is refused with an error that starts so.
pub(crate) fn assert_refused<'a, G: Game>(cases: impl IntoIterator<Item = (Value, &'a str)>) {
    let table = TestTable::<G>::open();
    for (document, expected) in cases {
        let refusal = table.refusal(&document);
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
}

/// Two rounds that differ in one point: the first raises the code and no other, the second none.
pub(crate) fn assert_twins<G: Game>(cases: impl IntoIterator<Item = (&'static str, Value, Value)>) {
    let table = TestTable::<G>::open();
    for (code, broken, lawful) in cases {
        assert_eq!(table.violations(&broken), [code], "{broken}");
        let none: [&str; 0] = [];
        assert_eq!(table.violations(&lawful), none, "{code}: {lawful}");
    }
}

/// `document` with one more key, or another value for it, below the key `part`.
pub(crate) fn with(mut document: Value, part: &str, key: &str, value: Value) -> Value {
    document[part][key] = value;
    document
}

/// `document` with a further wager.
pub(crate) fn and_wager(mut document: Value, wager: Value) -> Value {
    if let Some(wagers) = document["wagers"].as_array_mut() {
        wagers.push(wager);
    }
    document
}

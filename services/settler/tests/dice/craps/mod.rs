//! Craps and crapless craps from their events: bets over many rolls and rounds, and what only the
//! order of events shows.

mod conduct;
mod dice;
mod standing;

use catwalk_stories::{open, script, settle};
use serde_json::{Value, json};

const MGC: &str = "mgc-2017";
const OHIO: &str = "oh-jack-2017";

fn table(game: &str, edition: &str, options: Value, lines: &str) -> Vec<Value> {
    let mut bodies = vec![open(game, edition, options)];
    bodies.extend(script(lines));
    bodies
}

/// Codes and exposures of what is found at a table, in order.
fn found(bodies: &[Value]) -> Vec<(String, i64)> {
    let (findings, _) = settle(bodies);
    let tell = |finding: catwalk_settler::Finding| (finding.code, finding.exposure.get());
    findings.into_iter().map(tell).collect()
}

fn assert_found(game: &str, edition: &str, options: Value, lines: &str, expected: &[(&str, i64)]) {
    let found = found(&table(game, edition, options, lines));
    let found: Vec<(&str, i64)> = found
        .iter()
        .map(|(code, cents)| (&**code, *cents))
        .collect();
    assert_eq!(found, expected, "{lines}");
}

fn massachusetts(lines: &str, expected: &[(&str, i64)]) {
    assert_found("craps", MGC, json!({"odds_multiple": 10}), lines, expected);
}

fn ohio(lines: &str, expected: &[(&str, i64)]) {
    assert_found("craps", OHIO, json!({"odds_multiple": 10}), lines, expected);
}

fn crapless(lines: &str, expected: &[(&str, i64)]) {
    assert_found(
        "crapless_craps",
        OHIO,
        json!({"odds_multiple": 10}),
        lines,
        expected,
    );
}

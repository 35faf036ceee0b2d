//! Every sample round of every game settles as written beside it.

use catwalk_rules::Rulebook;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    name: String,
    document: Value,
    /// The settlement without its `game` key, or `{"error": "part of the refusal"}`.
    settlement: Value,
}

#[test]
fn every_sample_round_settles_as_written() {
    let rulebook = Rulebook::load().unwrap();
    let mut wrong = Vec::new();
    for game in rulebook.games() {
        assert!(
            !game.examples().is_empty(),
            "{} has no sample rounds",
            game.name()
        );
        for line in game.examples().lines() {
            let example: Example = serde_json::from_str(line)
                .unwrap_or_else(|error| panic!("{}: {error}: {line}", game.name()));
            if let Err(what) = check(&rulebook, game.name(), &example) {
                wrong.push(format!("{} / {}\n{what}", game.name(), example.name));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} rounds are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn check(rulebook: &Rulebook, game: &str, example: &Example) -> Result<(), String> {
    let settled = rulebook.settle(&example.document.to_string());
    if let Some(expected) = example.settlement.get("error") {
        let expected = expected.as_str().unwrap_or_default();
        return match settled {
            Err(refusal) if refusal.to_string().contains(expected) => Ok(()),
            other => Err(format!(
                "  expected a refusal with {expected:?}\n  got {other:?}"
            )),
        };
    }
    let mut expected = example.settlement.clone();
    expected["game"] = json!(game);
    let settled = settled.map_err(|refusal| format!("  refused: {refusal}"))?;
    let settled = serde_json::to_value(&settled).map_err(|error| error.to_string())?;
    if settled == expected {
        return Ok(());
    }
    Err(format!("  expected {expected}\n  got      {settled}"))
}

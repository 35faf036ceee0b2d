//! What a table posts that its rules do not allow, told when it is posted and not with the first round.
//!
//! The rules look at the options of a table whenever they settle a round. So a sample round of the game
//! is settled as this table would play it, with nobody betting: what is wrong then is wrong with the
//! posting alone.

use catwalk_rules::Rulebook;
use serde_json::{Value, json};

use super::Sighting;
use crate::fault::shows_in_posting;
use crate::games::rules_options;
use crate::table::RulesInForce;

/// What the posted options break, whatever is bet and dealt. Nothing where no sample round can be played
/// by them: then the first round shows.
pub(super) fn faults(rulebook: &Rulebook, rules: &RulesInForce, seq: u64) -> Vec<Sighting> {
    let Ok(game) = rulebook.game(&rules.game) else {
        return Vec::new();
    };
    let sighting = |code: &'static str| {
        let mut filed = game.book().findings().iter();
        let filed = filed.find(|finding| finding.code == code);
        let message = filed.map_or_else(|| code.to_owned(), |finding| finding.meaning.clone());
        Sighting::new(code, vec![seq], message)
    };
    let options = rules_options(rules);
    let samples = game.examples().lines();
    let mut settled = samples
        .filter_map(|sample| bare(sample, &rules.edition, &options))
        .filter_map(|round| rulebook.settle_value(&round).ok());
    let broken = settled.next().map(|settlement| {
        let codes = settlement.violations().iter();
        let has_signs = !rules.limits.is_empty();
        let codes = codes.filter(|code| is_known_by_options(code, has_signs));
        codes.map(sighting).collect()
    });
    broken.unwrap_or_default()
}

/// The sample with these options and without its wagers, if it is of this edition and nothing is wrong
/// with its play.
fn bare(sample: &str, edition: &str, options: &Value) -> Option<Value> {
    let mut sample: Value = serde_json::from_str(sample).ok()?;
    let violations = sample["settlement"]["violations"].as_array()?;
    if !violations.is_empty() || sample["document"]["edition"] != edition {
        return None;
    }
    let mut document = sample["document"].take();
    document["options"] = options.clone();
    document["wagers"] = json!([]);
    Some(document)
}

/// Decks are judged by the shoe, and limits by the signs at the table, where there are any.
fn is_known_by_options(code: &str, has_signs: bool) -> bool {
    let is_elsewhere = match code {
        "deck.illegal_count" => true,
        "limits.ratio" => has_signs,
        _ => false,
    };
    shows_in_posting(code) && !is_elsewhere
}

//! What a table posts that its rules do not allow, told when it is posted and not with the first round.
//!
//! The rules look at the options of a table whenever they settle a round. So a sample round of the game
//! is settled as this table would play it, with nobody betting: what is wrong then is wrong with the
//! posting alone. What options and signs break together each game says for itself.

use catwalk_rules::Rulebook;
use catwalk_rules::floor::Cents;
use serde_json::{Value, json};

use super::Sighting;
use crate::fault::shows_in_posting;
use crate::games::{folder, rules_options};
use crate::judge;
use crate::table::RulesInForce;

/// What a table posts, and the rulebook that it is held against.
#[derive(Clone, Copy)]
pub(crate) struct Posting<'a> {
    pub(crate) rules: &'a RulesInForce,
    pub(crate) rulebook: &'a Rulebook,
}

impl Posting<'_> {
    /// What is broken at a table with these options, whatever is bet and dealt. Nothing where no sample
    /// round can be played by them: then the first round shows.
    fn broken_by(&self, options: &Value) -> Vec<&'static str> {
        let shown = self.shown_by(options);
        shown.map_or_else(Vec::new, |(_, codes)| codes)
    }

    /// The same with the round that shows it.
    fn shown_by(&self, options: &Value) -> Option<(Value, Vec<&'static str>)> {
        let game = self.rules.game_in(self.rulebook).ok()?;
        let samples = game.examples().lines();
        let mut rounds = samples.filter_map(|sample| bare(sample, self.rules, options));
        rounds.find_map(|round| {
            let settled = self.rulebook.settle_value(&round).ok()?;
            Some((round, settled.violations().iter().collect()))
        })
    }

    /// Would the table break this if its options were changed so?
    pub(crate) fn breaks(&self, code: &str, change: impl FnOnce(&mut Value)) -> bool {
        let mut options = rules_options(self.rules);
        change(&mut options);
        self.broken_by(&options).contains(&code)
    }

    /// The least that the signs of the table ask of a wager of this kind.
    pub(crate) fn least(&self, kind: &str) -> Option<Cents> {
        let mut limits = self.rules.limits.iter();
        limits
            .find(|limit| limit.kind == kind)
            .map(|limit| limit.min)
    }
}

/// What the posting breaks, each code once: its options alone, or options and signs together.
pub(super) fn faults(rulebook: &Rulebook, rules: &RulesInForce, seq: u64) -> Vec<Sighting> {
    let Ok(game) = rules.game_in(rulebook) else {
        return Vec::new();
    };
    let posting = Posting { rules, rulebook };
    let has_signs = !rules.limits.is_empty();
    let (round, by_options) = posting.shown_by(&rules_options(rules)).unwrap_or_default();
    let by_options = by_options
        .into_iter()
        .filter(|code| is_known_by_options(code, has_signs));
    let mut faults: Vec<Sighting> = by_options
        .map(|code| {
            let message = judge::told(code, &round, rules, (rulebook, Some(game.book())));
            Sighting::new(code, vec![seq], message)
        })
        .collect();
    let by_signs = folder(&rules.game).map(|folder| folder.posted(&posting));
    for (code, message) in by_signs.unwrap_or_default() {
        if faults.iter().all(|fault| fault.code != code) {
            faults.push(Sighting::new(code, vec![seq], message));
        }
    }
    faults
}

/// What other limits break that those before them did not.
pub(super) fn faults_of_limits(
    rulebook: &Rulebook,
    (before, after): (&RulesInForce, &RulesInForce),
    seq: u64,
) -> Vec<Sighting> {
    let told = faults(rulebook, before, seq);
    let mut faults = faults(rulebook, after, seq);
    faults.retain(|fault| told.iter().all(|told| told.code != fault.code));
    faults
}

/// The sample with these options and without its wagers, if it is of this edition and nothing is wrong
/// with its play.
fn bare(sample: &str, rules: &RulesInForce, options: &Value) -> Option<Value> {
    let mut sample: Value = serde_json::from_str(sample).ok()?;
    let violations = sample["settlement"]["violations"].as_array()?;
    if !violations.is_empty() || sample["document"]["edition"] != rules.edition {
        return None;
    }
    let mut document = sample["document"].take();
    document["edition"] = json!(rules.posted_edition());
    document["options"] = options.clone();
    document["wagers"] = json!([]);
    // What is said of wagers that are not there describes nothing.
    let play = document["play"].as_object_mut()?;
    play.retain(|key, _| !matches!(key.as_str(), "decisions" | "abandoned"));
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

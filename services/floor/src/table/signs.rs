//! The signs of a table: its limits and rules, and the notices that come before they change. 147.03, 147.07

use std::collections::BTreeMap;

use catwalk_events::body::{LimitsChanged, NoticeChange, NoticePosted, RulesChanged};
use catwalk_events::{Json, PostedLimit, Timestamp};
use catwalk_rules::floor::Cents;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::Table;
use super::day::{HOUR, MINUTE};

/// The least and the most that patrons bet, by kind of wager.
type Bets = BTreeMap<String, [i64; 2]>;

/// What patrons bet, by game: `stakes.toml`.
#[derive(Debug)]
pub(crate) struct Stakes(BTreeMap<String, Bets>);

/// What is wrong with `stakes.toml`, and where.
#[derive(Debug, thiserror::Error)]
#[error("stakes.toml: {0}")]
pub struct StakesError(String);

impl Stakes {
    /// Fails only if the data file is wrong, which the tests catch.
    pub(crate) fn load() -> Result<Stakes, StakesError> {
        Stakes::read(include_str!("stakes.toml"))
    }

    fn read(text: &str) -> Result<Stakes, StakesError> {
        let games: BTreeMap<String, Bets> =
            toml::from_str(text).map_err(|fault| StakesError(fault.to_string()))?;
        for (game, bets) in &games {
            for (kind, [least, most]) in bets {
                if *least <= 0 || least > most {
                    let what = format!("{game}.{kind}: from the least to the most that is bet");
                    return Err(StakesError(what));
                }
            }
        }
        Ok(Stakes(games))
    }

    /// At the tables of a game, where anything is written of it.
    pub(super) fn of(&self, game: &str) -> Bets {
        self.0.get(game).cloned().unwrap_or_default()
    }
}

/// A maximum is at least so many times the minimum.
const RATIO: i64 = 10;
/// Rules and requirements are announced half an hour before they change, and a minute more, so that the sign
/// is right when it is up. 147.03(3)
const LEAD: i64 = 31 * MINUTE;
/// So long, or twice as long, a sign stays as it is.
const REST: i64 = 2 * HOUR;

/// Options that a house changes at a running table, and their two values; `null` is no word of it.
const VARIED: [(&[&str], &str, [&str; 2]); 10] = [
    (
        &[
            "baccarat",
            "midibaccarat",
            "minibaccarat",
            "dragon_bonus_baccarat_commission_free",
        ],
        "tie_pays",
        [r#""8:1""#, r#""9:1""#],
    ),
    (
        &["roulette"],
        "pays",
        ["{}", r#"{"straight": "36:1", "six_numbers": "6:1"}"#],
    ),
    (
        &["sic_bo"],
        "pays",
        ["{}", r#"{"three_of_a_kind": "180:1", "total_4": "60:1"}"#],
    ),
    (
        &["red_dog"],
        "pays",
        ["null", r#"{"spread": {"1": "6:1", "3": "5:2"}}"#],
    ),
    (
        &["chemin_de_fer"],
        "vigorish_rounding",
        [r#""exact""#, r#""up""#],
    ),
    (
        &["three_card_poker"],
        "pair_plus_pays",
        ["null", r#"{"flush": "5:1"}"#],
    ),
    (
        &["double_down_stud", "let_it_ride"],
        "odds_override",
        ["null", r#"{"main": {"flush": "9:1"}}"#],
    ),
    (
        &["mississippi_stud"],
        "odds_override",
        ["null", r#"{"main": {"flush": "7:1"}}"#],
    ),
    (
        &["dj_wild"],
        "odds_override",
        ["null", r#"{"blind": {"flush": "3:1"}}"#],
    ),
    (
        &["colorado_holdem"],
        "paytable",
        ["null", r#"{"flush": "9:1"}"#],
    ),
];

/// What is posted at a table.
#[derive(Debug)]
pub(super) struct Signs {
    pub(super) limits: Vec<PostedLimit>,
    bets: Bets,
    notices: u32,
    /// When the next notice is posted.
    next: i64,
    announced: Option<Announced>,
}

/// Rules that were announced and are not in force yet.
#[derive(Debug)]
struct Announced {
    notice: String,
    effective_at: i64,
    options: Value,
}

impl Signs {
    pub(super) fn new(bets: Bets, clock: i64, rng: &mut ChaCha8Rng) -> Signs {
        Signs {
            limits: limits(&bets, rng),
            bets,
            notices: 0,
            next: clock + rng.random_range(MINUTE..REST),
            announced: None,
        }
    }

    /// The table closes: what was announced and not done yet is not done.
    pub(super) fn take_down(&mut self) {
        self.announced = None;
    }
}

/// Limits that hold what patrons bet, and the rule of ten. They differ from table to table.
fn limits(bets: &Bets, rng: &mut ChaCha8Rng) -> Vec<PostedLimit> {
    let wide = [1, 2, 5].choose(rng).copied().unwrap_or(1);
    let limit = |(kind, [least, most]): (&String, &[i64; 2])| PostedLimit {
        kind: kind.clone(),
        min: Cents::new(*least),
        max: Cents::new((*most).max(least * RATIO) * wide),
        increment: None,
    };
    bets.iter().map(limit).collect()
}

/// The options of a table with one of them changed.
fn varied(game: &str, options: &Value) -> Option<Value> {
    let is_its = |(games, ..): &&(&[&str], &str, [&str; 2])| games.contains(&game);
    let (_, key, values) = VARIED.iter().find(is_its)?;
    let mut values = values.iter().map(|text| serde_json::from_str(text));
    let now = options.get(*key).unwrap_or(&Value::Null);
    let next: Value = values.find_map(|value| value.ok().filter(|value| value != now))?;
    let mut options = options.clone();
    match next {
        Value::Null => drop(options.as_object_mut()?.remove(*key)),
        next => options[*key] = next,
    }
    Some(options)
}

impl Table {
    /// What the signs ask for between two rounds: rules that were announced come into force, and now and
    /// then something else is announced.
    pub(super) fn keep_signs(&mut self) {
        let is_due = |announced: &Announced| announced.effective_at <= self.clock;
        if self.signs.announced.as_ref().is_some_and(is_due)
            && let Some(announced) = self.signs.announced.take()
        {
            self.options = announced.options;
            let changed = RulesChanged {
                edition: self.edition.to_owned(),
                options: Json::new(&self.options),
                notice: Some(announced.notice),
            };
            self.send(None, changed.into());
            self.game.post(&self.options);
            self.note_rules();
        }
        self.return_to_house();
        if self.clock < self.signs.next || self.signs.announced.is_some() {
            return;
        }
        self.signs.next = self.clock + REST + self.rng.random_range(0..REST);
        match self.rng.random_range(0..4) {
            0 => drop(self.post(NoticeChange::Requirement, LEAD, "No mid-shoe entry")),
            1 | 2 => self.change_limits(),
            _ => self.announce_rules(),
        }
    }

    /// Other limits need no time, but a sign and a word to the patrons. 147.03(4)
    fn change_limits(&mut self) {
        let limits = limits(&self.signs.bets, &mut self.rng);
        if limits == self.signs.limits {
            return;
        }
        let notice = self.post(NoticeChange::Limits, 0, "New limits");
        self.signs.limits.clone_from(&limits);
        let notice = Some(notice);
        self.send(None, LimitsChanged { limits, notice }.into());
    }

    fn announce_rules(&mut self) {
        if let Some(options) = varied(self.game_name, &self.options) {
            self.announce_options(options);
        }
    }

    /// Announces other rules, for as soon as may be. False where some are announced already.
    pub(super) fn announce_options(&mut self, options: Value) -> bool {
        if self.signs.announced.is_some() {
            return false;
        }
        let notice = self.post(NoticeChange::Rules, LEAD, "New odds");
        self.signs.announced = Some(Announced {
            notice,
            effective_at: self.clock + LEAD,
            options,
        });
        true
    }

    /// A sign is put up, the patrons are told, and the Bureau where it must be.
    fn post(&mut self, change: NoticeChange, lead: i64, text: &str) -> String {
        self.signs.notices += 1;
        let notice = format!("{}-N{}", self.name, self.signs.notices);
        let effective_at = Timestamp::from_micros(self.clock + lead);
        let is_told = change != NoticeChange::Limits;
        let posted = NoticePosted {
            notice: Some(notice.clone()),
            change,
            effective_at,
            announced: true,
            bureau_notified: is_told,
            text: Some(text.to_owned()),
            notified_at: is_told.then_some(Timestamp::from_micros(self.clock)),
            recipient: is_told.then(|| "bureau-desk".to_owned()),
            approval: is_told.then(|| format!("{notice}-approved")),
        };
        self.send(None, posted.into());
        notice
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use catwalk_rules::Rulebook;

    #[test]
    fn stakes_are_of_wagers_that_the_rules_have() {
        let rulebook = Rulebook::load().unwrap();
        let Stakes(games) = Stakes::load().unwrap();
        assert!(games.len() > 20);
        for (game, kinds) in &games {
            let book = rulebook.game(game).unwrap().book();
            for (kind, [least, most]) in kinds {
                assert!(
                    book.wagers().iter().any(|wager| wager.kind == *kind),
                    "{kind}"
                );
                assert!(0 < *least && least < most);
            }
        }
    }

    #[test]
    fn a_broken_file_of_stakes_is_named_with_the_place() {
        let said = |text: &str| Stakes::read(text).unwrap_err().to_string();
        let broken = said("[craps]\npass = [500, 10000]\ncome = [500,");
        assert!(broken.starts_with("stakes.toml: "), "{broken}");
        assert!(broken.contains("line 3"), "{broken}");
        let word = said("[craps]\npass = [500, \"much\"]");
        assert!(word.contains("line 2"), "{word}");
        let turned = said("[craps]\npass = [10000, 500]");
        assert!(turned.contains("craps.pass"), "{turned}");
    }

    #[test]
    fn a_rule_changes_to_its_other_value_and_back() {
        let options = serde_json::json!({"decks": 1});
        let changed = varied("red_dog", &options).unwrap();
        assert_eq!(changed["pays"]["spread"]["1"], "6:1");
        assert_eq!(varied("red_dog", &changed).unwrap(), options);
        assert_eq!(varied("poker", &options), None);
    }
}

//! What the rulebook offers and what the floor plays: every wager of every edition is made, and every
//! word of every option is some table's.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use catwalk_events::Body;
use catwalk_floor::{Config, Floor, Happening};
use catwalk_rules::book::Allowed;
use catwalk_rules::{Edition, Rulebook};
use serde_json::Value;

static RULEBOOK: LazyLock<Arc<Rulebook>> = LazyLock::new(|| Arc::new(Rulebook::load().unwrap()));

/// What the tables of a game have seen, by edition.
#[derive(Default)]
struct Seen {
    kinds: BTreeSet<String>,
    /// The values that were in force at some table, option by option.
    options: BTreeMap<String, BTreeSet<String>>,
}

/// Many tables of a few rounds, so that every choice comes up.
fn play(game: &str) -> BTreeMap<String, Seen> {
    let book = RULEBOOK.game(game).unwrap().book();
    let mut seen: BTreeMap<String, Seen> = BTreeMap::new();
    let mut editions: BTreeMap<String, String> = BTreeMap::new();
    for seed in 1..=2 {
        let config = Config {
            seed,
            tables: 100,
            rounds: 800,
            games: vec![game.to_owned()],
            ..Config::default()
        };
        for happening in Floor::under(RULEBOOK.clone(), config).unwrap() {
            let Happening::Event(event) = happening.unwrap() else {
                continue;
            };
            match event.body {
                Body::TableOpened(opened) => {
                    let posted = opened.options.value();
                    let edition = Edition::from_name(&opened.edition).unwrap();
                    let seen = seen.entry(opened.edition.clone()).or_default();
                    for option in book.options().iter().filter(|o| o.editions.holds(edition)) {
                        let value = posted.get(&option.key).or(option.default.as_ref());
                        let values = seen.options.entry(option.key.clone()).or_default();
                        values.extend(value.map(words).unwrap_or_default());
                    }
                    editions.insert(event.table, opened.edition);
                }
                Body::WagerPlaced(placed) => {
                    let seen = seen.entry(editions[&event.table].clone()).or_default();
                    seen.kinds.insert(placed.kind);
                }
                _ => {}
            }
        }
    }
    seen
}

/// A value, or each of a list.
fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().map(Value::to_string).collect(),
        value => vec![value.to_string()],
    }
}

/// What can be told apart of an option: words, not amounts.
fn choices(allowed: &Allowed) -> Vec<String> {
    match allowed {
        Allowed::Bool => vec!["true".into(), "false".into()],
        Allowed::OneOf(values) | Allowed::Subset(values) => {
            values.iter().map(Value::to_string).collect()
        }
        _ => Vec::new(),
    }
}

fn missing(game: &str) -> Vec<String> {
    let book = RULEBOOK.game(game).unwrap().book();
    let played = play(game);
    let mut missing = Vec::new();
    for edition in book.editions() {
        let seen = &played[edition.name()];
        let name = |what: &str| format!("{}: {what}", Edition::name(edition));
        let wagers = book.wagers().iter().filter(|w| w.editions.holds(edition));
        for wager in wagers.filter(|wager| !seen.kinds.contains(&wager.kind)) {
            missing.push(name(&wager.kind));
        }
        let options = book.options().iter().filter(|o| o.editions.holds(edition));
        for option in options {
            let in_force = seen.options.get(&option.key);
            for choice in choices(&option.value) {
                if !in_force.is_some_and(|values| values.contains(&choice)) {
                    missing.push(name(&format!("{} {choice}", option.key)));
                }
            }
        }
    }
    missing
}

/// A test for each game: all that it offers is played.
macro_rules! games {
    ($($game:ident),* $(,)?) => {
        $(#[test]
        fn $game() {
            assert_eq!(missing(stringify!($game)), Vec::<String>::new());
        })*
    };
}

games!(
    baccarat,
    big_six,
    blackjack,
    chemin_de_fer,
    commission_free_pai_gow_poker,
    crapless_craps,
    craps,
    dragon_bonus_baccarat_commission_free,
    free_bet_blackjack,
    midibaccarat,
    minibaccarat,
    pai_gow,
    pai_gow_poker,
    red_dog,
    sic_bo,
    spanish_21,
);

/// The text of Ohio has no optional wagers.
#[test]
fn roulette() {
    let none = [
        "five_adjacent",
        "six_numbers_color",
        "seven_numbers_color",
        "eight_numbers_color",
        "seven_numbers",
    ];
    let none = none.map(|kind| format!("oh-jack-2017: optional_wagers \"{kind}\""));
    assert_eq!(missing("roulette"), none);
}

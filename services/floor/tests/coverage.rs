//! The floor plays all of a game: every wager of its rules, every value of its options.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use catwalk_events::Body;
use catwalk_floor::{Config, Floor, Happening};
use catwalk_rules::book::Allowed;
use catwalk_rules::{Edition, Rulebook};
use serde_json::Value;

static RULEBOOK: LazyLock<Arc<Rulebook>> = LazyLock::new(|| Arc::new(Rulebook::load().unwrap()));

/// Tables as they opened, and the kinds of wagers that were made under each edition.
struct Played {
    tables: Vec<(String, Value)>,
    kinds: BTreeSet<(String, String)>,
}

fn play(game: &str) -> Played {
    let config = Config {
        seed: 23,
        tables: 90,
        rounds: 900,
        games: vec![game.to_owned()],
        ..Config::default()
    };
    let mut editions: BTreeMap<String, String> = BTreeMap::new();
    let mut played = Played {
        tables: Vec::new(),
        kinds: BTreeSet::new(),
    };
    for happening in Floor::under(RULEBOOK.clone(), config).unwrap() {
        let Happening::Event(event) = happening.unwrap() else {
            continue;
        };
        match event.body {
            Body::TableOpened(opened) => {
                editions.insert(event.table.clone(), opened.edition.clone());
                played.tables.push((opened.edition, opened.options.value()));
            }
            Body::WagerPlaced(placed) => {
                let edition = editions[&event.table].clone();
                played.kinds.insert((edition, placed.kind));
            }
            _ => {}
        }
    }
    played
}

/// What of the rules the floor never plays; `left_out` are options that no honest table varies, and wagers
/// that none takes.
fn never_played(game: &str, left_out: &[&str]) -> Vec<String> {
    let played = play(game);
    let book = RULEBOOK.game(game).unwrap().book();
    let mut missing = Vec::new();
    for edition in book.editions() {
        for wager in book
            .wagers()
            .iter()
            .filter(|wager| wager.editions.holds(edition))
        {
            let made = (edition.name().to_owned(), wager.kind.clone());
            let named = format!("{}: {}", edition.name(), wager.kind);
            if !played.kinds.contains(&made) && !left_out.contains(&named.as_str()) {
                missing.push(named);
            }
        }
        for option in book
            .options()
            .iter()
            .filter(|option| option.editions.holds(edition))
        {
            // One house has one value of what its tables must not differ in.
            if left_out.contains(&option.key.as_str()) || option.uniform.is_some() {
                continue;
            }
            let seen = values(&played, edition, &option.key, option.default.as_ref());
            let mut wanted: Vec<Value> = match &option.value {
                Allowed::Bool => vec![true.into(), false.into()],
                Allowed::OneOf(values) => values.clone(),
                _ => Vec::new(),
            };
            if option.nullable {
                wanted.push(Value::Null);
            }
            let unseen = wanted.iter().filter(|value| !seen.contains(value));
            let unseen: Vec<String> = unseen.map(Value::to_string).collect();
            let never_varied = wanted.is_empty() && seen.len() < 2;
            if !unseen.is_empty() || never_varied {
                let (edition, key) = (edition.name(), &option.key);
                missing.push(format!("{edition}: {key} {}", unseen.join(" ")));
            }
        }
    }
    missing
}

/// The values that an option had at the tables of an edition.
fn values(played: &Played, edition: Edition, key: &str, default: Option<&Value>) -> Vec<Value> {
    let mut seen: Vec<Value> = Vec::new();
    for (of, options) in &played.tables {
        let value = options.get(key).or(default).cloned().unwrap_or_default();
        if of == edition.name() && !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

macro_rules! games {
    ($($game:ident: [$($left_out:literal),* $(,)?]),* $(,)?) => {
        $(#[test]
        fn $game() {
            let nothing: [&str; 0] = [];
            assert_eq!(never_played(stringify!($game), &[$($left_out),*]), nothing);
        })*
    };
}

games!(
    // A sensor of another chip than a dollar is unlawful in Ohio, and so are other tables there.
    three_card_poker: ["progressive_bet"],
    four_card_poker: [],
    crazy_four_poker: [],
    caribbean_stud: [],
    double_down_stud: [],
    // Massachusetts has no progressive of this game.
    let_it_ride: ["progressive_bet", "progressive_reset"],
    mississippi_stud: [],
    // Another limit than the one of the text is unlawful.
    dj_wild: ["payout_limit"],
    ultimate_texas_holdem: [],
    texas_holdem_bonus: [],
    fast_action_holdem: [],
    colorado_holdem: [],
    // Straddles came with the later text.
    poker: ["mgc-2017: straddle"],
);

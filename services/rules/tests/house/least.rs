//! What the text of the base sets as the least, or the most, stops a house that goes beyond it.

use std::collections::{BTreeMap, BTreeSet};

use catwalk_rules::House;
use catwalk_rules::book::{Pay, Table};

use crate::{BUILT_IN, over};

/// Odds that are one stake less than these; nothing where less would be none.
fn less(pays: Pay) -> Option<String> {
    match pays {
        Pay::Odds(odds) if odds.win() > odds.stake() => {
            Some(format!("{}:{}", odds.win() - odds.stake(), odds.stake()))
        }
        Pay::Odds(_) => Some("push".to_owned()),
        Pay::Fixed(amount) => Some(format!("${}.00", amount.get() / 100 - 1)),
        Pay::Meter(percent) => Some(format!("{}% of meter", percent - 1)),
        Pay::Push => Some("lose".to_owned()),
        Pay::Lose => None,
    }
}

/// The pay tables that a text introduces by "no less than", "at least" or "at less than", as read in the texts.
const LEAST: [(&str, &str, &[&str]); 30] = [
    ("baccarat", "mgc-2017", &["tie"]),
    ("big_six", "mgc-2017", &["main"]),
    (
        "blackjack",
        "mgc-2017",
        &[
            "match_the_dealer_6_deck",
            "match_the_dealer_8_deck",
            "streak",
            "twenty_point_bonus_a",
            "twenty_point_bonus_b",
        ],
    ),
    (
        "colorado_holdem",
        "mgc-2017",
        &[
            "colorado_bonus",
            "colorado_permissible",
            "colorado_required",
        ],
    ),
    ("crapless_craps", "oh-jack-2017", &["main"]),
    ("craps", "mgc-2017", &["fire_a", "fire_b", "main"]),
    ("craps", "oh-jack-2017", &["fire_a", "main"]),
    ("dj_wild", "oh-jack-2017", &["blind"]),
    ("double_down_stud", "mgc-2017", &["main"]),
    (
        "dragon_bonus_baccarat_commission_free",
        "oh-jack-2017",
        &["tie"],
    ),
    (
        "let_it_ride",
        "mgc-2017",
        &[
            "let_it_ride_bonus",
            "main",
            "three_card_a",
            "three_card_b",
            "three_card_c",
            "three_card_d",
            "three_card_e",
            "three_card_f",
        ],
    ),
    (
        "let_it_ride",
        "oh-jack-2017",
        &["let_it_ride_bonus", "main", "three_card_standard"],
    ),
    ("midibaccarat", "mgc-2017", &["tie"]),
    ("minibaccarat", "mgc-2017", &["tie"]),
    ("minibaccarat", "oh-jack-2017", &["tie"]),
    ("mississippi_stud", "oh-jack-2017", &["main"]),
    (
        "pai_gow_poker",
        "mgc-2017",
        &[
            "bonus",
            "insurance_a",
            "insurance_b",
            "insurance_c",
            "insurance_d",
            "insurance_e",
            "progressive_1",
            "progressive_5",
            "seven_card_a",
            "seven_card_b",
            "three_card",
        ],
    ),
    ("red_dog", "mgc-2017", &["spread"]),
    ("roulette", "mgc-2017", &["r1"]),
    ("roulette", "oh-jack-2017", &["r1"]),
    ("sic_bo", "mgc-2017", &["main"]),
    (
        "spanish_21",
        "mgc-2017",
        &["match_the_dealer_6_deck", "match_the_dealer_8_deck"],
    ),
    (
        "texas_holdem_bonus",
        "oh-jack-2017",
        &["thb_bonus", "thb_both_aces"],
    ),
    ("three_card_poker", "mgc-2017", &["pair_plus"]),
    ("three_card_poker", "mgc-amended", &["pair_plus"]),
    (
        "three_card_poker",
        "oh-jack-2017",
        &["pair_plus", "six_card_standard"],
    ),
    // Texts that let a house choose among tables, or that print odds and no more.
    ("big_six", "oh-jack-2017", &[]),
    ("caribbean_stud", "mgc-2017", &[]),
    ("pai_gow_poker", "oh-jack-2017", &[]),
    ("ultimate_texas_holdem", "oh-jack-2017", &[]),
];

#[test]
fn the_tables_that_a_text_pays_at_least_are_minimums_and_no_others() {
    for game in BUILT_IN.games() {
        for edition in game.book().editions() {
            let here =
                |table: &&Table| table.editions.holds(edition) && table.minimum.holds(edition);
            let mut marked: Vec<&str> = game
                .book()
                .tables()
                .iter()
                .filter(here)
                .map(|table| table.id.as_str())
                .collect();
            marked.sort_unstable();
            let mut read = LEAST.iter();
            let read = read.find(|(name, its, _)| *name == game.name() && *its == edition.name());
            let read = read.map_or(&[][..], |(_, _, ids)| *ids);
            assert_eq!(marked, read, "{} in {edition}", game.name());
        }
    }
}

#[test]
fn no_house_pays_less_than_the_text_of_its_base_sets_as_the_least() {
    let mut games = BTreeSet::new();
    for game in BUILT_IN.games() {
        let book = game.book();
        for edition in book.editions() {
            let here = |table: &&Table| table.editions.holds(edition);
            let (least, mut others): (Vec<&Table>, Vec<&Table>) = book
                .tables()
                .iter()
                .filter(here)
                .partition(|table| table.minimum.holds(edition));
            // One that is none stands for all.
            others.truncate(1);
            for table in least.into_iter().chain(others) {
                for row in &table.rows {
                    let Some(pays) = less(row.pays) else { continue };
                    let (id, key) = (&table.id, &row.key);
                    let text = format!(
                        "[[tables]]\nid = \"{id}\"\ncite = \"H 1\"\n\
                        rows = [{{ key = \"{key}\", pays = \"{pays}\" }}]"
                    );
                    let file = format!("{}.toml", game.name());
                    let said = over(edition.name(), &file, &text);
                    if table.minimum.holds(edition) {
                        let place = format!("tables.{id}.rows.{key}: ");
                        let said = said.unwrap_err();
                        let is_named = said.contains(&place) && said.contains("is the least");
                        assert!(is_named, "{said}");
                        games.insert(game.name());
                    } else if let Err(said) = said {
                        assert!(!said.contains("is the least"), "{said}");
                    }
                }
            }
        }
    }
    assert!(games.len() >= 18, "{games:?}");
}

/// A file that says this of a figure.
fn figure(value: &str) -> String {
    format!("[[figures]]\n{value}\ncite = \"H 1\"")
}

#[test]
fn no_house_has_less_than_a_figure_that_the_text_sets_as_the_least() {
    let said = |base: &str, game: &str, value: &str| {
        let file = format!("{game}.toml");
        over(base, &file, &figure(value))
    };
    let least = [
        (
            "mgc-2017",
            "roulette",
            "key = \"least_turns\"\nvalue = ",
            "3",
            "5",
        ),
        (
            "mgc-2017",
            "caribbean_stud",
            "key = \"least_rate_pct\"\nvalue = ",
            "69",
            "75",
        ),
        (
            "mgc-2017",
            "pai_gow_poker",
            "key = \"number_odds\"\nvalue = ",
            "[\"5:1\", \"6:1\"]",
            "[\"11:2\", \"6:1\"]",
        ),
        (
            "mgc-2017",
            "pai_gow_poker",
            "key = \"progressive_rates\"\nvalue = ",
            "[21, 26]",
            "[22, 27]",
        ),
    ];
    for (base, game, key, less, enough) in least {
        let refused = said(base, game, &format!("{key}{less}")).unwrap_err();
        assert!(
            refused.contains("is the least that the base allows"),
            "{refused}"
        );
        assert_eq!(said(base, game, &format!("{key}{enough}")), Ok(()));
    }
}

#[test]
fn no_house_has_closer_limits_or_lower_payouts_than_its_text_allows() {
    let ratio = |minimum: i64, odds: &str, times: i64| {
        let value =
            format!("{{ up_to_minimum = {minimum}, up_to_odds = \"{odds}\", times = {times} }}");
        let text = figure(&format!("key = \"limits_ratio\"\nvalue = {value}"));
        over("mgc-2017", "spanish_21.toml", &text)
    };
    assert_eq!(ratio(20_000, "6:1", 12), Ok(()));
    for laxer in [
        ratio(9_900, "5:1", 10),
        ratio(10_000, "4:1", 10),
        ratio(10_000, "5:1", 9),
    ] {
        let laxer = laxer.unwrap_err();
        assert!(
            laxer.contains("is the least that the base allows"),
            "{laxer}"
        );
    }
    let limit = "[[options]]\nkey = \"payout_limit\"\ncite = \"H 1\"\ndefault = ";
    let limit = |cents: &str| {
        let text = format!("{limit}{cents}");
        over("mgc-2017", "double_down_stud.toml", &text)
    };
    let refused = limit("9_999_999").unwrap_err();
    assert!(
        refused.contains("options.payout_limit.default: $100,000.00 is the least"),
        "{refused}"
    );
    assert_eq!(limit("10_000_000"), Ok(()));
    for (game, key) in [("craps", "points"), ("poker", "forms")] {
        let text = figure(&format!("key = \"{key}\"\nvalue = []"));
        let refused = over("mgc-2017", &format!("{game}.toml"), &text).unwrap_err();
        assert!(
            refused.contains(&format!("figures.{key}: the game is built on it")),
            "{refused}"
        );
    }
}

#[test]
fn no_house_is_laxer_with_notices_limits_and_equipment_than_its_jurisdiction() {
    let said = |entry: &str, field: &str, value: &str| {
        let edition = format!(
            "edition = \"x\"\nbase = \"mgc-2017\"\ntext = \"t\"\n\
            [equipment.{entry}]\n{field} = {value}\ncite = \"H 1\""
        );
        let files = BTreeMap::from([("edition.toml".to_owned(), edition)]);
        let house = House::read(&files, &BUILT_IN);
        house.map(drop).map_err(|error| error.to_string())
    };
    for (entry, field, laxer, stricter, word) in [
        ("notice", "minutes", "29", "31", "30 is the least"),
        ("limit_ratio", "times", "9", "11", "10 is the least"),
        (
            "limit_ratio",
            "up_to_odds",
            "\"9:2\"",
            "\"11:2\"",
            "\"5:1\" is the least",
        ),
        (
            "tournament",
            "notice_business_days",
            "4",
            "6",
            "5 is the least",
        ),
        ("card_life", "extended_hours", "49", "47", "48 is the most"),
        ("card_life", "extended_decks", "5", "8", "6 is the least"),
        ("dice_life", "on_table_hours", "25", "12", "24 is the most"),
        ("chips", "inventory_days", "31", "30", "30 is the most"),
    ] {
        let refused = said(entry, field, laxer).unwrap_err();
        let place = format!("equipment.{entry}: {field}: {word} that the base allows");
        assert!(refused.contains(&place), "{refused}");
        assert_eq!(said(entry, field, stricter), Ok(()));
    }
}

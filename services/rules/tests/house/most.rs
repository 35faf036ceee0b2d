//! What the text of the base allows at most, and how gravely it takes a fault, holds at a house too.

use std::collections::BTreeMap;

use catwalk_rules::House;

use crate::{BUILT_IN, over};

fn figure(base: &str, game: &str, key: &str, value: &str) -> Result<(), String> {
    let text = format!("[[figures]]\nkey = \"{key}\"\nvalue = {value}\ncite = \"H 1\"");
    over(base, &format!("{game}.toml"), &text)
}

const MGC: &str = "mgc-2017";
const OHIO: &str = "oh-jack-2017";
const MOST: &str = "is the most that the base allows";
const LEAST: &str = "is the least that the base allows";

/// A figure of a game, a value that is laxer than its text, one that is not, and what is said of the first.
type Bounded = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const BOUNDED: [Bounded; 15] = [
    (MGC, "craps", "vig_cap_bp", "501", "450", MOST),
    (MGC, "craps", "largest_odds_multiple", "101", "10", MOST),
    (MGC, "minibaccarat", "vigorish_percent", "6", "4", MOST),
    (
        MGC,
        "baccarat",
        "decks_per_shoe",
        "{ fewest = 5, most = 8 }",
        "{ fewest = 6, most = 6 }",
        LEAST,
    ),
    (
        OHIO,
        "minibaccarat",
        "decks_per_batch",
        "{ fewest = 4, most = 9 }",
        "{ fewest = 8, most = 8 }",
        MOST,
    ),
    (
        MGC,
        "chemin_de_fer",
        "vigorish",
        "[{ percent = 5, unit = 25 }, { percent = 5, unit = 20 }]",
        "[{ percent = 4, unit = 20 }, { percent = 4, unit = 20 }]",
        MOST,
    ),
    (MGC, "pai_gow", "max_areas", "3", "1", MOST),
    (
        MGC,
        "pai_gow_poker",
        "number_odds",
        "[\"11:2\", \"7:1\"]",
        "[\"6:1\", \"6:1\"]",
        MOST,
    ),
    (MGC, "blackjack", "most_boxes", "8", "6", MOST),
    (
        MGC,
        "spanish_21",
        "super_bonus_stakes",
        "{ higher = 2500, lower = 1000 }",
        "{ higher = 2000, lower = 500 }",
        MOST,
    ),
    (
        OHIO,
        "free_bet_blackjack",
        "max_split_hands",
        "5",
        "3",
        MOST,
    ),
    (MGC, "three_card_poker", "positions", "10", "7", MOST),
    (
        OHIO,
        "mississippi_stud",
        "street_multiples",
        "[1, 4]",
        "[1, 2]",
        MOST,
    ),
    (
        MGC,
        "fast_action_holdem",
        "surrender_percent",
        "49",
        "60",
        LEAST,
    ),
    (
        OHIO,
        "ultimate_texas_holdem",
        "payout_limit",
        "4_999_999",
        "6_000_000",
        LEAST,
    ),
];

#[test]
fn no_house_goes_beyond_a_figure_that_the_text_sets_as_the_most() {
    for (base, game, key, laxer, stricter, word) in BOUNDED {
        let refused = figure(base, game, key, laxer).unwrap_err();
        let place = format!("figures.{key}.value");
        assert!(
            refused.contains(&place) && refused.contains(word),
            "{game}: {refused}"
        );
        assert_eq!(figure(base, game, key, stricter), Ok(()), "{game} {key}");
    }
}

#[test]
fn no_house_has_other_forms_of_a_figure_that_bounds_it() {
    for value in ["\"five\"", "[5]", "{ percent = 5 }", "true"] {
        let refused = figure("mgc-2017", "craps", "vig_cap_bp", value).unwrap_err();
        assert!(
            refused.contains("another form than in the base"),
            "{refused}"
        );
    }
    let refused = figure(
        "oh-jack-2017",
        "mississippi_stud",
        "street_multiples",
        "[1, 2, 3]",
    );
    assert!(
        refused
            .unwrap_err()
            .contains("the base has 2 of them, not 3")
    );
}

#[test]
fn no_house_takes_a_fault_more_lightly_than_its_base() {
    let game = |severity: &str| {
        let text = format!(
            "[[findings]]\ncode = \"config.odds_below_minimum\"\nseverity = \"{severity}\"\ncite = \"H 1\""
        );
        over("mgc-2017", "spanish_21.toml", &text)
    };
    let refused = game("info").unwrap_err();
    let place = "findings.config.odds_below_minimum.severity: \"critical\" is the least";
    assert!(refused.contains(place), "{refused}");
    assert_eq!(game("critical"), Ok(()));

    let everywhere = |severity: &str| {
        let edition = format!(
            "edition = \"x\"\nbase = \"mgc-2017\"\ntext = \"t\"\n[[equipment.findings]]\n\
            code = \"rules.notice\"\nseverity = \"{severity}\"\ncite = \"H 1\""
        );
        let files = BTreeMap::from([("edition.toml".to_owned(), edition)]);
        let house = House::read(&files, &BUILT_IN);
        house.map(drop).map_err(|error| error.to_string())
    };
    let refused = everywhere("info").unwrap_err();
    let place = "equipment.findings.rules.notice: severity: ";
    assert!(
        refused.contains(place) && refused.contains("is the least"),
        "{refused}"
    );
    assert_eq!(everywhere("critical"), Ok(()));
}

//! Editions of houses: what differs is in force, the rest is as in the base, and what cannot be is refused by
//! its place.

#![allow(clippy::unwrap_used)]

mod least;
mod most;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use catwalk_rules::{Edition, House, Rulebook, Settlement};
use serde_json::{Value, json};

/// Loaded once for all tests.
static BUILT_IN: LazyLock<Rulebook> = LazyLock::new(|| Rulebook::load().unwrap());

/// The sample of the documentation.
fn sample() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/house");
    let files = fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    });
    files.collect()
}

fn with_sample() -> Rulebook {
    Rulebook::load().unwrap().with_house(&sample()).unwrap()
}

fn pair_plus(edition: &str, cards: [&str; 3]) -> Value {
    json!({"game": "three_card_poker", "edition": edition, "options": {},
        "wagers": [{"id": "a", "seat": 1, "kind": "ante", "amount": 1_000},
            {"id": "p", "seat": 1, "kind": "play", "amount": 1_000, "on": "a"},
            {"id": "w", "seat": 1, "kind": "pair_plus", "amount": 1_000}],
        "play": {"dealer": ["KD", "7C", "3H"], "hands": [{"seat": 1, "cards": cards, "decision": "play"}]}})
}

fn dragon_bonus(edition: &str) -> Value {
    json!({"game": "minibaccarat", "edition": edition, "options": {},
        "wagers": [{"id": "m", "seat": 1, "kind": "banker", "amount": 1_000},
            {"id": "w", "seat": 1, "kind": "dragon_bonus_banker", "amount": 500}],
        "play": {"player": ["5S", "AH"], "banker": ["3C", "4D"]}})
}

fn win(settlement: &Settlement) -> i64 {
    let wagers = settlement.wagers().iter();
    let mut its = wagers.filter(|wager| wager.id.as_str() == "w");
    its.next().unwrap().win.get()
}

#[test]
fn a_changed_row_pays_what_the_house_says_and_the_others_as_in_the_base() {
    let rulebook = with_sample();
    let flush = ["9H", "6H", "2H"];
    let pays =
        |edition: &str, cards| win(&rulebook.settle_value(&pair_plus(edition, cards)).unwrap());
    assert_eq!(pays("mgc-2017", flush), 3_000);
    assert_eq!(pays("harbor-2026", flush), 4_000);
    let pair = ["9H", "9D", "2H"];
    assert_eq!(pays("harbor-2026", pair), pays("mgc-2017", pair));
}

#[test]
fn a_removed_wager_is_not_offered() {
    let rulebook = with_sample();
    let codes = |edition: &str| -> Vec<&str> {
        let settled = rulebook.settle_value(&dragon_bonus(edition)).unwrap();
        settled.violations().iter().collect()
    };
    assert!(!codes("mgc-2017").contains(&"wager.not_offered"));
    assert!(codes("harbor-2026").contains(&"wager.not_offered"));
}

#[test]
fn what_was_decided_quotes_the_house_and_what_it_left_alone_the_base() {
    let rulebook = with_sample();
    let hash = |game: &str, edition: &str| {
        let game = rulebook.game_in(game, edition).unwrap();
        game.book().hash().to_owned()
    };
    assert_ne!(
        hash("three_card_poker", "harbor-2026"),
        hash("three_card_poker", "mgc-2017")
    );
    assert_eq!(
        hash("roulette", "harbor-2026"),
        hash("roulette", "mgc-2017")
    );
    assert_ne!(rulebook.hash(), Rulebook::load().unwrap().hash());
    let book = rulebook
        .game_in("three_card_poker", "harbor-2026")
        .unwrap()
        .book();
    let mut tables = book.tables().iter();
    let table = tables.find(|table| table.id == "pair_plus").unwrap();
    assert_eq!(table.cite.of(Edition::Mgc2017), Some("H 7"));
    let notice = rulebook
        .equipment_in("harbor-2026")
        .notice
        .as_ref()
        .unwrap();
    assert_eq!((notice.minutes, notice.cite.as_str()), (60, "H 2"));
    let notice = rulebook.equipment_in("mgc-2017").notice.as_ref().unwrap();
    assert_eq!(notice.minutes, 30);
}

#[test]
fn the_differences_are_those_of_the_folder_with_their_cites() {
    let rulebook = with_sample();
    let found = rulebook
        .differences(["mgc-2017", "harbor-2026"], None)
        .unwrap();
    let lines: Vec<String> = found
        .iter()
        .map(|it| {
            let said = it.said.clone().map(|said| match said {
                Some(said) => format!("{} ({})", said.what, said.cite),
                None => "-".to_owned(),
            });
            let game = it.game.as_deref().unwrap_or("all");
            format!("{game} {}: {} | {}", it.place, said[0], said[1])
        })
        .collect();
    let has = |start: &str, end: &str| {
        let is_it = |line: &&String| line.starts_with(start) && line.ends_with(end);
        lines.iter().any(|line| is_it(&line))
    };
    assert!(
        has("all notice.minutes: 30 (205 CMR", "60 (H 2)"),
        "{lines:#?}"
    );
    assert!(
        has("three_card_poker tables.pair_plus.flush: 3:1", "(H 7)"),
        "{lines:#?}"
    );
    assert!(
        has("minibaccarat wagers.dragon_bonus_banker: ", "| -"),
        "{lines:#?}"
    );
    let off = "minibaccarat options.dragon_bonus.default: \"A\" (7(a)(4), 12(e))";
    assert!(has(off, "\"off\" (H 9)"), "{lines:#?}");
    assert_eq!(lines.len(), 7, "{lines:#?}");
    let same = rulebook.differences(["mgc-2017", "harbor-2026"], Some("roulette"));
    assert_eq!(same.unwrap(), []);
    assert!(rulebook.differences(["mgc-2017", "harbour"], None).is_err());
}

/// The folder with one file put in or another in its place, and why it is refused.
fn refusal(file: &str, text: &str) -> String {
    let mut files = sample();
    files.insert(file.to_owned(), text.to_owned());
    let refused = House::read(&files, &BUILT_IN);
    refused.map(drop).unwrap_err().to_string()
}

#[test]
fn what_the_code_cannot_do_is_refused_by_its_place() {
    let entry = |list: &str, fields: &str| format!("[[{list}]]\ncite = \"H 1\"\n{fields}");
    for (file, text, place) in [
        (
            "roulette.toml",
            entry("tables", "id = \"neighbours\""),
            "tables.neighbours: ",
        ),
        (
            "roulette.toml",
            entry("wagers", "kind = \"neighbours\""),
            "wagers.neighbours: ",
        ),
        ("roulette.toml", entry("layouts", "decks = 2"), "layouts: "),
        (
            "roulette.toml",
            entry("wagers", "kind = \"red\"\nlimit = \"x\""),
            "wagers.red.limit: ",
        ),
        (
            "roulette.toml",
            "[[wagers]]\nkind = \"red\"\nremove = true".to_owned(),
            "wagers.red has no cite",
        ),
        (
            "sic_bo.toml",
            entry("wagers", "kind = \"big\"\nremove = true"),
            "wagers.big: ",
        ),
        (
            "poker.toml",
            entry("options", "key = \"tables\"\ndefault = 1"),
            "options.tables: ",
        ),
        (
            "minibaccarat.toml",
            entry("options", "key = \"decks\"\ndefault = \"six\""),
            "decks: default ",
        ),
        (
            "minibaccarat.toml",
            entry(
                "tables",
                "id = \"main\"\nrows = [{ key = \"banker\", pays = \"x\" }]",
            ),
            "x",
        ),
        (
            "minibaccarat.toml",
            entry(
                "tables",
                "id = \"main\"\nrows = [{ key = \"draw\", pays = \"1:1\" }]",
            ),
            "tables.main.rows.draw: ",
        ),
        (
            "ludo.toml",
            String::new(),
            "ludo is no game of this edition",
        ),
    ] {
        let refusal = refusal(file, &text);
        assert!(
            refusal.contains(place),
            "{file}: expected {place:?}\n{refusal}"
        );
    }
}

/// A house over a base that deals one game, with a file of it.
fn over(base: &str, game: &str, text: &str) -> Result<(), String> {
    let name = game.trim_end_matches(".toml");
    let edition = format!("edition = \"x\"\nbase = \"{base}\"\ntext = \"t\"\ngames = [\"{name}\"]");
    let files = [("edition.toml", edition), (game, text.to_owned())];
    let files = files.map(|(file, text)| (file.to_owned(), text));
    let house = House::read(&BTreeMap::from(files), &BUILT_IN);
    house.map(drop).map_err(|error| error.to_string())
}

#[test]
fn an_edition_has_a_name_of_its_own_and_a_base() {
    let edition = |text: &str| refusal("edition.toml", text);
    let of = |name: &str| {
        edition(&format!(
            "edition = \"{name}\"\nbase = \"mgc-2017\"\ntext = \"t\""
        ))
    };
    assert!(of("mgc-2017").contains("is the name of another edition"));
    assert!(of("Harbor House").contains("is no name"));
    assert!(edition("edition = \"x\"\nbase = \"mgc\"\ntext = \"t\"").contains("mgc"));
    let ratio =
        "edition = \"x\"\nbase = \"mgc-2017\"\ntext = \"t\"\n[equipment.notice]\nminutes = 60";
    assert!(edition(ratio).contains("equipment.notice: has no cite"));
    let stray =
        "edition = \"x\"\nbase = \"mgc-2017\"\ntext = \"t\"\n[equipment.cards]\ncite = \"H\"";
    assert!(edition(stray).contains("equipment.cards: "));
}

#[test]
fn every_game_in_every_edition_can_be_the_base_of_a_house() {
    for edition in Edition::ALL {
        let text = format!("edition = \"x\"\nbase = \"{edition}\"\ntext = \"As it is.\"");
        let files = BTreeMap::from([("edition.toml".to_owned(), text)]);
        let rulebook = Rulebook::load().unwrap().with_house(&files).unwrap();
        let found = rulebook.differences([edition.name(), "x"], None).unwrap();
        assert_eq!(found, []);
    }
}

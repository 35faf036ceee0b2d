//! The data files of the rulebook and of houses, as they were filed.

use std::collections::BTreeMap;

use catwalk_rules::{House, Rulebook};

use super::bundle::Bundle;

macro_rules! file {
    ($game:literal) => {
        file!($game, $game)
    };
    ($game:literal, $folder:literal) => {
        (
            $game,
            include_str!(concat!("../../../rules/src/games/", $folder, "/rules.toml")),
        )
    };
}

const FILES: &[(&str, &str)] = &[
    file!("baccarat"),
    file!("big_six"),
    file!("blackjack"),
    file!("caribbean_stud"),
    file!("chemin_de_fer"),
    file!("colorado_holdem"),
    file!("commission_free_pai_gow_poker"),
    file!("crapless_craps"),
    file!("craps"),
    file!("crazy_four_poker"),
    file!("dj_wild"),
    file!("double_down_stud"),
    file!("dragon_bonus_baccarat_commission_free"),
    file!("fast_action_holdem"),
    file!("four_card_poker"),
    file!("free_bet_blackjack"),
    file!("let_it_ride"),
    file!("midibaccarat"),
    file!("minibaccarat"),
    file!("mississippi_stud"),
    file!("pai_gow"),
    file!("pai_gow_poker"),
    file!("poker"),
    file!("red_dog"),
    file!("roulette"),
    file!("sic_bo"),
    file!("spanish_21"),
    file!("texas_holdem_bonus"),
    file!("three_card_poker"),
    file!("ultimate_texas_holdem"),
];

/// The data file of a game.
pub(super) fn of(game: &str) -> Option<&'static str> {
    let file = FILES.iter().find(|(name, _)| *name == game);
    file.map(|(_, text)| *text)
}

/// Where a bundle has the folders of houses.
const HOUSES: &str = "rules/houses/";

/// The files of a house's edition, by their names in a bundle.
pub(super) fn of_house(house: &House) -> impl Iterator<Item = (String, &str)> {
    let name = house.name();
    let files = house.files().iter();
    files.map(move |(file, text)| (format!("{HOUSES}{name}/{file}"), text.as_str()))
}

/// The rulebook of this version, with the editions of houses that a bundle has and that can stand on it.
pub(super) fn rulebook(bundle: &Bundle) -> anyhow::Result<Rulebook> {
    let mut folders: BTreeMap<&str, BTreeMap<String, String>> = BTreeMap::new();
    for name in bundle.files.keys() {
        let place = name.strip_prefix(HOUSES);
        if let Some((house, file)) = place.and_then(|place| place.split_once('/')) {
            let text = bundle.text(name)?.to_owned();
            let files = folders.entry(house).or_default();
            files.insert(file.to_owned(), text);
        }
    }
    let mut rulebook = Rulebook::load()?;
    for files in folders.values() {
        if House::read(files, &rulebook).is_ok() {
            rulebook = rulebook.with_house(files)?;
        }
    }
    Ok(rulebook)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::path::Path;

    use serde_json::json;

    use super::super::{Parsed, add_rules, check};
    use super::*;

    /// The rulebook with the sample edition of a house.
    fn with_house() -> Rulebook {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/house");
        crate::editions::with_folder(Rulebook::load().unwrap(), &folder).unwrap()
    }

    /// A round of that house as the archive has it: a flush on pair plus, which it pays 4:1.
    fn rows() -> Parsed {
        let document = json!({"game": "three_card_poker", "edition": "harbor-2026", "options": {},
            "wagers": [{"id": "a", "seat": 1, "kind": "ante", "amount": 1_000},
                {"id": "p", "seat": 1, "kind": "play", "amount": 1_000, "on": "a"},
                {"id": "w", "seat": 1, "kind": "pair_plus", "amount": 1_000}],
            "play": {"dealer": ["KD", "7C", "3H"],
                "hands": [{"seat": 1, "cards": ["9H", "6H", "2H"], "decision": "play"}]}});
        let rulebook = with_house();
        let game = rulebook.game_in("three_card_poker", "harbor-2026").unwrap();
        let round = json!({"round": "r", "game": "three_card_poker", "edition": "harbor-2026",
            "rules": game.book().hash(), "document": document.to_string()});
        let wager = json!({"round": "r", "wager": "w", "result": "win", "returned_cents": 5_000});
        Parsed::from([("rounds", vec![round]), ("wagers", vec![wager])])
    }

    #[test]
    fn a_bundle_has_the_rules_of_the_house_that_judged_and_settles_by_them_again() {
        let mut bundle = Bundle::default();
        let files = add_rules(&mut bundle, &rows(), &with_house()).unwrap();
        let place = "rules/houses/harbor-2026/three_card_poker.toml";
        let filed = fs::read_to_string(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/house/three_card_poker.toml"),
        );
        let filed = filed.unwrap();
        assert_eq!(bundle.text(place).unwrap(), filed);
        assert_eq!(
            files[place],
            catwalk_archive::sha256_hex(filed.as_bytes()),
            "{files}"
        );
        assert!(bundle.text("settlements/r.json").is_ok());
        let rows = rows().into_iter();
        let mut rows: BTreeMap<_, _> = rows.map(|(name, rows)| (name.to_owned(), rows)).collect();
        let again = |bundle: &Bundle, rows: &_| {
            let rulebook = rulebook(bundle).unwrap();
            check::settle_again(&rulebook, rows)
        };
        let told = again(&bundle, &rows).unwrap();
        let settled = "r was settled again from its document: the same is due";
        assert_eq!(told.last().map(String::as_str), Some(settled));
        // Of two of the three wagers there is no row.
        assert!(
            told.len() == 3 && told[0].starts_with("INCOMPLETE: the document of r has wager \"a\"")
        );
        // Without them nothing is said of it; with them, what the house would not have paid is found.
        let told = again(&Bundle::default(), &rows).unwrap();
        assert!(
            told[2].contains("rules that this version does not have"),
            "{told:?}"
        );
        rows.get_mut("wagers").unwrap()[0]["returned_cents"] = json!(4_000);
        let wrong = again(&bundle, &rows).unwrap_err().to_string();
        assert!(
            wrong.contains("settles to \"win\" with 5000 back"),
            "{wrong}"
        );
    }

    #[test]
    fn every_game_has_its_file_with_the_hash_that_its_settlements_quote() {
        for game in Rulebook::load().unwrap().games() {
            let text = of(game.name()).unwrap_or_else(|| panic!("{} has no file", game.name()));
            let hash = catwalk_archive::sha256_hex(text.as_bytes());
            assert_eq!(hash, game.book().hash(), "{}", game.name());
        }
    }
}

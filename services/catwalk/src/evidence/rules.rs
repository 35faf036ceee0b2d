//! The data files of the rulebook, as they were filed.

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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use catwalk_rules::Rulebook;

    use super::*;

    #[test]
    fn every_game_has_its_file_with_the_hash_that_its_settlements_quote() {
        for game in Rulebook::load().unwrap().games() {
            let text = of(game.name()).unwrap_or_else(|| panic!("{} has no file", game.name()));
            let hash = catwalk_archive::sha256_hex(text.as_bytes());
            assert_eq!(hash, game.book().hash(), "{}", game.name());
        }
    }
}

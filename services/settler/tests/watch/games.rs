//! What every game is held to, with its own figures: `games.txt` has a line for each, and every line is
//! told twice, at the bound and one beyond it.

use crate::script;

const GAMES: &str = include_str!("games.txt");

/// The lines that begin with this word, without it.
fn lines(word: &str) -> impl Iterator<Item = [&'static str; 5]> + '_ {
    let told = GAMES.lines().map(str::split_whitespace);
    let of_word = told.filter_map(move |mut words| (words.next() == Some(word)).then_some(words));
    of_word.map(|mut words| [(); 5].map(|()| words.next().unwrap_or_default()))
}

/// What is found of a code at a table of the game that opens with these words and goes on with a story.
fn found(game: &str, edition: &str, more: &str, story: &str, code: &str) -> usize {
    let opening = match (game, more) {
        ("poker", _) => {
            r#" {"blinds": [200, 400], "bet_limits": [[400, 400], [400, 400], [800, 800], [800, 800]]}"#
        }
        (_, more) => more,
    };
    let text = format!("== {game}\ntable {game} {edition}{opening}\n{story}\nof {code}");
    let told = script::read(&text);
    told[0].play().len()
}

#[test]
fn a_set_stays_in_use_for_the_hours_of_its_game_and_no_second_longer() {
    let mut told = 0;
    for [game, edition, decks, method, hours] in lines("hours") {
        let story = |time: &str| {
            format!("0:00 opened A red {decks}\nshoe A {decks} {method}\n{time} clock")
        };
        let found = |time: &str| found(game, edition, "", &story(time), "deck.overdue");
        assert_eq!(
            found(&format!("{hours}:00")),
            0,
            "{game} {edition} {method}"
        );
        assert_eq!(
            found(&format!("{hours}:00:01")),
            1,
            "{game} {edition} {method}"
        );
        told += 1;
    }
    assert_eq!(told, 52);
}

#[test]
fn cards_are_dealt_as_the_game_permits() {
    for [game, edition, decks, lawful, unlawful] in lines("method") {
        let found = |method: &str| {
            let story = format!("0:00 shoe A {decks} {method}");
            found(game, edition, "", &story, "shoe.method")
        };
        assert_eq!(found(lawful), 0, "{game} {edition} {lawful}");
        assert_eq!(found(unlawful), 1, "{game} {edition} {unlawful}");
    }
}

#[test]
fn a_shoe_has_a_lawful_number_of_decks() {
    for [game, edition, lawful, unlawful, _] in lines("decks") {
        let method = if game == "poker" { "hand" } else { "shoe" };
        let found = |decks: &str| {
            let story = format!("0:00 shoe A {decks} {method}");
            found(game, edition, "", &story, "deck.illegal_count")
        };
        for decks in lawful.split(',') {
            assert_eq!(found(decks), 0, "{game} {edition} {decks}");
        }
        for decks in unlawful.split(',') {
            assert_eq!(found(decks), 1, "{game} {edition} {decks}");
        }
    }
}

#[test]
fn a_table_has_the_positions_of_its_game() {
    for [game, edition, kind, last, _] in lines("seats") {
        let last: u32 = last.parse().unwrap();
        let found = |seat: u32| {
            let story = format!("0:00 round\nbet w1 {seat} {kind} 1000\nbet w2 {seat} {kind} 1000");
            found(game, edition, "", &story, "table.seat")
        };
        assert_eq!(found(last), 0, "{game} {edition}");
        assert_eq!(found(last + 1), 1, "{game} {edition}");
    }
}

#[test]
fn nobody_touches_a_wager_once_betting_has_closed() {
    for [game, edition, kind, ..] in lines("cutoff") {
        let acts = [
            (format!("bet w2 2 {kind} 1000"), "wager.late"),
            ("changed w1 2000".to_owned(), "wager.capped"),
            ("changed w1 500".to_owned(), "wager.pinched"),
            ("taken w1".to_owned(), "wager.pinched"),
        ];
        // Ohio lets pai gow poker be changed, and the commission-free game, crazy four poker and mississippi
        // stud be bet, until the first card.
        let closings: &[&str] = match game {
            "crazy_four_poker" | "mississippi_stud" => &["no-more-bets\ndealt 5S", "dealt 5S"],
            "pai_gow_poker" | "commission_free_pai_gow_poker" => &["no-more-bets\ndealt 5S"],
            "dragon_bonus_baccarat_commission_free" => &["lay player 5S"],
            "baccarat" | "midibaccarat" | "minibaccarat" => &["no-more-bets", "lay player 5S"],
            "craps" | "roulette" | "big_six" | "sic_bo" | "pai_gow" => &["no-more-bets"],
            _ => &["no-more-bets", "dealt 5S"],
        };
        for (act, code) in acts {
            let begin = format!("0:00 round\nbet w1 1 {kind} 1000");
            let found = |story: String| found(game, edition, "", &story, "wager.");
            let coded = |story: String| self::found(game, edition, "", &story, code);
            for close in closings {
                let after = format!("{begin}\n{close}\n{act}");
                assert_eq!(coded(after), 1, "{game} {edition} {close} {act}");
                let before = format!("{begin}\n{act}\n{close}");
                assert_eq!(found(before), 0, "{game} {edition} {close} {act}");
            }
        }
    }
}

#[test]
fn a_maximum_is_ten_times_its_minimum_where_the_odds_are_at_most_five_to_one() {
    for [game, edition, bound, free, _] in lines("ratio") {
        let found = |kind: &str, min: u32, max: u32| {
            let more =
                format!(r#" {{}} limits [{{"kind": "{kind}", "min": {min}, "max": {max}}}]"#);
            found(game, edition, &more, "0:00 clock", "limits.ratio")
        };
        assert_eq!(found(bound, 10_000, 100_000), 0, "{game} {edition} {bound}");
        // The ratio is of 205 CMR: Ohio has none.
        let below = usize::from(edition != "oh-jack-2017");
        assert_eq!(
            found(bound, 10_000, 99_900),
            below,
            "{game} {edition} {bound}"
        );
        assert_eq!(found(bound, 10_100, 20_000), 0, "{game} {edition} {bound}");
        assert_eq!(found(free, 1000, 2000), 0, "{game} {edition} {free}");
    }
}

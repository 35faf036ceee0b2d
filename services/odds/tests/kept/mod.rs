//! The enumerations that take long, and what is kept of them.

use std::fmt::Write as _;
use std::path::PathBuf;

use catwalk_odds::{Drawn, Kept, draw, enumerate, kept, kept_draws};

use super::RULEBOOK;

/// Every game and edition that keeps one.
const LONG: [(&str, &str); 4] = [
    ("caribbean_stud", "mgc-2017"),
    ("crazy_four_poker", "oh-jack-2017"),
    ("dj_wild", "oh-jack-2017"),
    ("four_card_poker", "oh-jack-2017"),
];

#[test]
fn what_is_kept_was_made_by_the_rules_in_force() {
    for (game, edition) in LONG {
        let kept = kept();
        let kept = kept
            .iter()
            .find(|it| it.game == game && it.edition == edition);
        let kept = kept.unwrap_or_else(|| panic!("nothing is kept of {game} {edition}"));
        let rules = RULEBOOK.game(game).unwrap().book().hash();
        assert_eq!(
            kept.rules, rules,
            "{game} {edition} is stale: renew it, as odds.md says"
        );
    }
    assert_eq!(kept().len(), LONG.len());
}

/// The rarest hands of the player against all that the house can hold.
#[test]
fn a_sample_made_anew_is_what_is_kept() {
    for (game, edition) in &LONG[..3] {
        let made = enumerate(&RULEBOOK, game, edition, true).unwrap().unwrap();
        assert_eq!(made.hands.len(), 3);
        let kept = kept();
        let kept = kept.iter().find(|it| it.game == *game).unwrap();
        for class in &made.hands {
            assert!(kept.hands.contains(class), "{game}: {class:?}");
        }
    }
}

#[test]
#[ignore = "minutes: every hand of four games against every hand of the house"]
fn all_of_it_made_anew_is_what_is_kept() {
    let renews = std::env::var_os("CATWALK_RENEW").is_some();
    let made = LONG.map(|(game, edition)| {
        let rules = RULEBOOK.game(game).unwrap().book().hash();
        let in_force = |it: &Kept| it.game == game && it.edition == edition && it.rules == rules;
        // Only what is stale is renewed.
        let kept = kept().into_iter().find(in_force).filter(|_| renews);
        kept.unwrap_or_else(|| enumerate(&RULEBOOK, game, edition, false).unwrap().unwrap())
    });
    if renews {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/kept.json");
        std::fs::write(path, text(&made)).unwrap();
        return;
    }
    assert_eq!(made.to_vec(), kept());
}

/// The games of which rounds are drawn, with the name of their file and so many draws of 100,000 rounds each.
const DRAWN: [(&str, &str, u64); 2] = [
    ("texas_holdem_bonus", "texas_bonus", 40),
    ("ultimate_texas_holdem", "ultimate", 160),
];

#[test]
fn the_first_rounds_that_were_drawn_come_again() {
    for (game, _, draws) in DRAWN {
        let (first, all) = kept_draws(game);
        assert_eq!(
            all.rounds,
            draws * first.rounds,
            "what is kept of {game} does not read"
        );
        assert_eq!(draw(game, 0..1), first, "{game}");
    }
}

#[test]
#[ignore = "minutes: sixteen million rounds of Ultimate Texas Hold'em, four of Texas Hold'em Bonus"]
fn all_rounds_that_were_drawn_come_again() {
    for (game, file, draws) in DRAWN {
        // Only what does not read is renewed.
        let (first, all) = kept_draws(game);
        let reads = all.rounds == draws * first.rounds;
        let renews = std::env::var_os("CATWALK_RENEW").is_some();
        if renews && reads {
            continue;
        }
        let made = (draw(game, 0..1), draw(game, 0..draws));
        if renews {
            let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("data/{file}.json"));
            let text = format!("[{},\n{}]\n", lines(&made.0), lines(&made.1));
            std::fs::write(path, text).unwrap();
            continue;
        }
        assert_eq!(made, (first, all), "{game}");
    }
}

/// A line for each kind of rounds.
fn lines(drawn: &Drawn) -> String {
    let states = drawn.states.iter();
    let states = states.map(|state| serde_json::to_string(state).unwrap());
    let states: Vec<String> = states.collect();
    format!(
        "{{\"rounds\":{},\"states\":[\n{}]}}",
        drawn.rounds,
        states.join(",\n")
    )
}

/// A line for each class of hands, so that a change shows.
fn text(made: &[Kept]) -> String {
    let mut text = "[\n".to_owned();
    for (at, kept) in made.iter().enumerate() {
        let (game, edition, rules) = (&kept.game, &kept.edition, &kept.rules);
        let head =
            format!(r#"{{"game":"{game}","edition":"{edition}","rules":"{rules}","hands":["#);
        text.push_str(&head);
        for (at, class) in kept.hands.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(text, "{comma}\n{}", serde_json::to_string(class).unwrap()).unwrap();
        }
        text.push_str(if at + 1 < made.len() { "]},\n" } else { "]}\n" });
    }
    text + "]\n"
}

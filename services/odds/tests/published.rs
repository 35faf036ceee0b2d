//! The figures that are published, through the code that the command runs.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

use std::sync::LazyLock;

use catwalk_odds::{Basis, Exact, Line, Sheet};
use catwalk_rules::Rulebook;
use serde_json::{Value, json};

mod kept;

mod published {
    mod baccarat;
    mod blackjack;
    mod dice;
    mod red_dog;
    mod stud;
    mod texas_bonus;
    mod ultimate;
    mod wheels;
}

static RULEBOOK: LazyLock<Rulebook> = LazyLock::new(|| Rulebook::load().unwrap());

/// The sheet of a game.
fn sheet(game: &str, edition: &str, options: Value) -> Sheet {
    catwalk_odds::odds(&RULEBOOK, game, edition, &options, false).unwrap()
}

trait Lines {
    fn line(&self, wager: &str) -> &Line;
    fn on(&self, wager: &str, choice: &str) -> &Line;
}

impl Lines for Sheet {
    fn line(&self, wager: &str) -> &Line {
        let mut lines = self.lines.iter().filter(|line| line.wager == wager);
        let line = lines
            .next()
            .unwrap_or_else(|| panic!("no {wager} at {}", self.game));
        assert!(lines.next().is_none(), "{wager} has several lines");
        line
    }

    fn on(&self, wager: &str, choice: &str) -> &Line {
        let mut lines = self.lines.iter().filter(|line| line.wager == wager);
        let line = lines.find(|line| line.on.iter().any(|on| on == choice));
        line.unwrap_or_else(|| panic!("no {wager} on {choice} at {}", self.game))
    }
}

fn edge(line: &Line) -> &Exact {
    let figures = line.figures.as_ref();
    &figures.unwrap_or_else(|| panic!("{line:?}")).house_edge
}

/// Cut off to millionths of the stake, as they are published.
fn millionths(line: &Line) -> i64 {
    edge(line).millionths()
}

fn assert_exact(line: &Line, numerator: i64, denominator: i64) {
    assert_eq!(line.basis, Basis::Exact);
    assert_eq!(*edge(line), Exact::new(numerator, denominator), "{line:?}");
}

/// Nothing was settled that the rules object to, and the chances of each line add up to one.
fn assert_sound(sheet: &Sheet) {
    assert!(sheet.violations.is_empty(), "{:?}", sheet.violations);
    for line in &sheet.lines {
        let Some(figures) = &line.figures else {
            assert!(matches!(line.basis, Basis::NotComputed(_)), "{line:?}");
            continue;
        };
        let chances = ["win", "lose", "push", "void"].map(|it| figures.probability(it));
        let all: f64 = chances.iter().map(Exact::approximate).sum();
        assert!((all - 1.0).abs() < 1e-12, "{line:?}");
    }
}

#[test]
fn a_game_an_edition_or_an_option_that_is_not_there_is_refused_by_name() {
    let refusal = |game: &str, edition: &str, options: Value| {
        let sheet = catwalk_odds::odds(&RULEBOOK, game, edition, &options, false);
        sheet.unwrap_err().to_string()
    };
    assert!(refusal("roulete", "mgc-2017", json!({})).contains("roulette"));
    assert!(refusal("roulette", "mgc-2018", json!({})).contains("mgc-2017"));
    assert!(refusal("roulette", "mgc-2017", json!({"wheels": 2})).contains("wheel"));
    assert!(refusal("roulette", "mgc-2017", json!([])).contains("options"));
}

#[test]
fn every_wager_of_every_game_and_edition_has_a_line() {
    for game in RULEBOOK.games() {
        for edition in game.book().editions() {
            let sheet = sheet(game.name(), edition.name(), json!({}));
            let wagers = game.book().wagers().iter();
            for wager in wagers.filter(|wager| wager.editions.holds(edition)) {
                let mut lines = sheet.lines.iter();
                assert!(lines.any(|line| line.wager == wager.kind), "{}", wager.kind);
            }
            assert_sound(&sheet);
        }
    }
}

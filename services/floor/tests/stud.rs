//! What dealers and players of the stud games do wrongly is done at every one of them, and told by its own code: by
//! that of the cause too, where a wrong payment is told besides.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use catwalk_floor::score::Alarm;
use catwalk_floor::{Config, FaultKind, Floor, Happening, Label};
use catwalk_rules::Rulebook;
use catwalk_settler::{Output, Settler};

static RULEBOOK: LazyLock<Arc<Rulebook>> = LazyLock::new(|| Arc::new(Rulebook::load().unwrap()));

/// The faults done at tables of a game, and what is found there.
fn play(game: &str) -> (Vec<Label>, Vec<Alarm>) {
    let config = Config {
        seed: 29,
        tables: 8,
        rounds: 1_600,
        faults_per_mille: 400,
        fault_kinds: vec![
            FaultKind::WrongPlay,
            FaultKind::UnduePaid,
            FaultKind::ShallowCut,
            FaultKind::Unshuffled,
        ],
        games: vec![game.to_owned()],
        ..Config::default()
    };
    let mut settler = Settler::new(RULEBOOK.clone()).unwrap();
    let (mut labels, mut alarms) = (Vec::new(), Vec::new());
    let mut hear = |outputs: Vec<Output>| {
        for output in outputs {
            if let Output::Finding(finding) = output {
                alarms.push(Alarm::from(&*finding));
            }
        }
    };
    for happening in Floor::under(RULEBOOK.clone(), config).unwrap() {
        match happening.unwrap() {
            Happening::Event(event) => hear(settler.receive(*event)),
            Happening::Fault(label) => labels.push(*label),
            _ => {}
        }
    }
    hear(settler.finish());
    (labels, alarms)
}

/// What its text has a word for is done, and found by just that word.
fn is_done_and_told(game: &str, codes: &[&str]) {
    let (labels, alarms) = play(game);
    let done: BTreeSet<&str> = labels.iter().map(|label| label.codes[0].as_str()).collect();
    let common = [
        "deal.card_count",
        "deal.hand_without_wager",
        "deck.not_shuffled",
        "shoe.cut_depth",
        "wager.verbal_cash",
    ];
    for code in common.iter().chain(codes) {
        assert!(
            done.contains(code),
            "{code} was not done at {game}: {done:?}"
        );
    }
    for label in &labels {
        let own = Label {
            codes: label.codes[..1].to_vec(),
            ..label.clone()
        };
        let told = alarms.iter().any(|alarm| own.is_told_by(alarm));
        assert!(told, "{game}: {label:?}");
    }
}

macro_rules! games {
    ($($game:ident: [$($code:literal),*]),* $(,)?) => {
        $(#[test]
        fn $game() {
            is_done_and_told(stringify!($game), &[$($code),*]);
        })*
    };
}

games!(
    caribbean_stud: ["deal.before_close", "wager.side_without_main"],
    crazy_four_poker: ["progressive.folded_paid", "wager.side_without_main"],
    dj_wild: ["deal.before_close", "wager.side_without_main"],
    double_down_stud: ["deal.before_close"],
    four_card_poker: ["deal.before_close", "progressive.folded_paid", "wager.side_without_main"],
    let_it_ride: ["deal.before_close", "wager.side_without_main"],
    mississippi_stud: ["progressive.folded_paid", "wager.side_without_main"],
    three_card_poker: ["deal.before_close", "progressive.folded_paid", "wager.side_without_main"],
);

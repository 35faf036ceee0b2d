//! What dealers and players of a family do wrongly is done at each of its games, and told by its own code: by that of
//! the cause too, where a wrong payment is told besides.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use catwalk_floor::score::Alarm;
use catwalk_floor::{Config, FaultKind, Floor, Happening, Label};
use catwalk_rules::Rulebook;
use catwalk_settler::{Output, Settler, Uniformity};

static RULEBOOK: LazyLock<Arc<Rulebook>> = LazyLock::new(|| Arc::new(Rulebook::load().unwrap()));

/// What a family does, and where.
struct Family {
    seed: u64,
    tables: usize,
    rounds: u64,
    kinds: &'static [FaultKind],
    /// Codes of all its games.
    common: &'static [&'static str],
}

const STUD: Family = Family {
    seed: 29,
    tables: 8,
    rounds: 1_600,
    kinds: &[
        FaultKind::WrongPlay,
        FaultKind::UnduePaid,
        FaultKind::ShallowCut,
        FaultKind::Unshuffled,
    ],
    common: &[
        "deal.card_count",
        "deal.hand_without_wager",
        "deck.not_shuffled",
        "shoe.cut_depth",
        "wager.verbal_cash",
    ],
};

const BLACKJACK: Family = Family {
    // Two tables and more play multiple action, and two with as many decks offer the royal match.
    seed: 41,
    tables: 12,
    rounds: 1_600,
    kinds: &[FaultKind::WrongPlay, FaultKind::UnevenTables],
    common: &[
        "dealer.hit_17",
        "dealer.stood_short",
        "decision.after_completion",
        "decision.after_refusal",
        "table.wager_without_hand",
        "wager.insurance_over_half",
    ],
};

const HOLDEM: Family = Family {
    seed: 30,
    tables: 8,
    rounds: 800,
    kinds: &[FaultKind::WrongPlay],
    common: &["deal.order", "wager.progressive_amount"],
};

impl Family {
    /// The faults done at tables of a game, and what is found there.
    fn play(&self, game: &str) -> (Vec<Label>, Vec<Alarm>) {
        let config = Config {
            seed: self.seed,
            tables: self.tables,
            rounds: self.rounds,
            faults_per_mille: 400,
            fault_kinds: self.kinds.to_vec(),
            games: vec![game.to_owned()],
            ..Config::default()
        };
        let mut settler = Settler::new(RULEBOOK.clone()).unwrap();
        let mut uniformity = Uniformity::new(&RULEBOOK);
        let (mut labels, mut alarms) = (Vec::new(), Vec::new());
        let mut hear = |outputs: Vec<Output>| {
            for output in outputs {
                match output {
                    Output::Finding(finding) => alarms.push(Alarm::from(&*finding)),
                    Output::Settlement(round) => {
                        let differences = uniformity.receive(&*round);
                        alarms.extend(differences.iter().map(Alarm::from));
                    }
                    Output::Unread(unread) => panic!("{}", unread.reason),
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
    fn is_done_and_told(&self, game: &str, codes: &[&str]) {
        let (labels, alarms) = self.play(game);
        let done: BTreeSet<&str> = labels.iter().map(|label| label.codes[0].as_str()).collect();
        for code in self.common.iter().chain(codes) {
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
}

macro_rules! games {
    ($family:ident, $($game:ident: [$($code:literal),*]),* $(,)?) => {
        $(#[test]
        fn $game() {
            $family.is_done_and_told(stringify!($game), &[$($code),*]);
        })*
    };
}

games!(
    STUD,
    caribbean_stud: ["deal.before_close", "wager.progressive_amount", "wager.side_without_main"],
    crazy_four_poker: [
        "progressive.folded_paid", "wager.progressive_amount", "wager.side_without_main"
    ],
    dj_wild: ["deal.before_close", "wager.side_without_main"],
    double_down_stud: ["deal.before_close"],
    four_card_poker: [
        "deal.before_close", "progressive.folded_paid", "wager.progressive_amount",
        "wager.side_without_main"
    ],
    let_it_ride: ["deal.before_close", "wager.progressive_amount", "wager.side_without_main"],
    mississippi_stud: [
        "progressive.folded_paid", "wager.progressive_amount", "wager.side_without_main"
    ],
    three_card_poker: [
        "deal.before_close", "progressive.folded_paid", "wager.progressive_amount",
        "wager.side_without_main"
    ],
);

games!(
    BLACKJACK,
    blackjack: [
        "dealer.drew_needlessly", "decision.surrender_not_offered", "payout.nonuniform_option",
        "wager.fixed_amount"
    ],
    free_bet_blackjack: ["decision.surrender_not_offered", "wager.lammer_not_equal"],
    spanish_21: ["decision.surrender_late", "wager.double_over_original", "wager.side_over_main"],
);

games!(
    HOLDEM,
    texas_holdem_bonus: ["deal.burn", "thb.flop_multiple", "thb.street_late"],
    ultimate_texas_holdem: ["deal.card_count", "uth.play_multiple", "wager.blind_not_equal"],
);

//! Ways to hide a payment, at every game: each is found, and nothing else.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use catwalk_floor::score::{Alarm, Score};
use catwalk_floor::{Config, FaultKind, Floor, GAMES, Happening, Label, Order};
use catwalk_rules::Rulebook;
use catwalk_rules::book::Severity;
use catwalk_settler::{Finding, Output, Settler};

/// What was done, and what was found.
fn play(rulebook: &Arc<Rulebook>, config: Config) -> (Vec<Label>, Vec<Finding>) {
    let mut settler = Settler::new(Arc::clone(rulebook)).unwrap();
    let (mut labels, mut outputs) = (Vec::new(), Vec::new());
    for happening in Floor::under(Arc::clone(rulebook), config).unwrap() {
        match happening.unwrap() {
            Happening::Event(event) => outputs.extend(settler.receive(*event)),
            Happening::Fault(label) => labels.push(*label),
            _ => {}
        }
    }
    outputs.extend(settler.finish());
    let found = outputs.into_iter().filter_map(|output| match output {
        Output::Finding(finding) => Some(*finding),
        _ => None,
    });
    (labels, found.collect())
}

/// A test for each way to hide a payment: at every game it is found, with what it cost, and nothing else is.
macro_rules! ways {
    ($($name:ident $kind:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            is_found_and_nothing_else(FaultKind::$kind);
        })*

        #[test]
        fn every_way_is_tested() {
            let tested = [$(FaultKind::$kind),*];
            assert_eq!(tested, FaultKind::OF_HIDING);
        }
    };
}

ways!(
    chips_on_a_bet_that_nobody_made StrayPayment,
    chips_back_on_a_bet_that_nobody_made StrayPush,
    a_pot_where_no_game_has_one StrayPot,
    a_bet_of_a_kind_that_the_game_does_not_have UnknownWager,
    another_banker_before_the_round_is_paid OtherBanker,
    a_round_called_off_when_its_result_is_known DecidedVoid,
    an_excuse_for_a_loser_who_keeps_the_stake ExcusedLoser,
    an_event_lost_from_a_round_that_is_overpaid HiddenByGap,
    a_table_that_never_opened OtherName,
    a_table_that_opens_in_the_middle_of_a_round Reopened,
    a_round_that_nobody_closes LeftOpen,
    an_open_card_that_nobody_saw UnseenCard,
    a_property_that_nobody_knows OtherProperty,
    commission_where_the_game_has_none StrayCommission,
    chips_back_when_the_round_is_over LateAct,
    a_result_that_nothing_tells UntoldResult,
    fewer_chips_when_a_table_opens_again ReopenedShort,
    other_rules_when_a_table_opens_again ReopenedOtherwise,
    a_little_missing_at_each_of_many_short_openings ShortOpenings,
);

fn is_found_and_nothing_else(kind: FaultKind) {
    let rulebook = Arc::new(Rulebook::load().unwrap());
    let (mut done, mut wrong) = (0, Vec::new());
    for game in GAMES.into_iter() {
        let config = Config {
            seed: 17,
            tables: 2,
            // A count is judged when a table has told of enough rounds.
            rounds: if kind == FaultKind::ShortOpenings {
                160
            } else {
                40
            },
            games: vec![game.to_owned()],
            faults_per_mille: 300,
            fault_kinds: vec![kind],
            ..Config::default()
        };
        let (labels, found) = play(&rulebook, config);
        let alarms: Vec<Alarm> = found.iter().map(Alarm::from).collect();
        let score = Score::of(&labels, &alarms);
        done += labels.len();
        if !score.is_perfect() {
            wrong.push(format!("{game}: {:?} {:?}", score.missed, score.examples));
        }
        for label in labels.iter().filter(|label| label.amount.get() != 0) {
            let mut told = found
                .iter()
                .filter(|one| label.is_told_by(&Alarm::from(*one)));
            if !told.any(|one| one.exposure == label.amount) {
                wrong.push(format!("{game}: another amount than {}", label.amount));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(done >= 10, "{done} in all");
}

/// One who does at a table, in half of the rounds, what only a share of them tells: it is told, with nothing else. A
/// table where nobody does it is silent.
fn is_suspected(kind: FaultKind, game: &str, table: &str, code: &str) {
    let rulebook = Arc::new(Rulebook::load().unwrap());
    let order = Order {
        kind,
        table: table.to_owned(),
        round: 1,
        times: 1,
        strength: Some(0.5),
    };
    let config = |orders| Config {
        seed: 1,
        tables: 1,
        rounds: 150,
        games: vec![game.to_owned()],
        orders,
        ..Config::default()
    };
    let (labels, found) = play(&rulebook, config(vec![order]));
    assert_eq!(labels.len(), 1);
    let alarms: Vec<Alarm> = found.iter().map(Alarm::from).collect();
    let mut told = found
        .iter()
        .filter(|one| labels[0].is_told_by(&Alarm::from(*one)));
    assert!(told.any(|one| one.severity >= Severity::Warn), "{found:?}");
    assert_eq!(Score::of(&labels, &alarms).false_alarms, 0, "{found:?}");
    let (_, found) = play(&rulebook, config(Vec::new()));
    assert!(found.iter().all(|finding| finding.code != code));
}

#[test]
fn a_dealer_who_calls_off_losing_spins_is_suspected() {
    is_suspected(
        FaultKind::SparingDealer,
        "roulette",
        "RO-01",
        "statistics.called_off",
    );
}

#[test]
fn a_reader_that_is_blind_to_the_deciding_card_is_suspected() {
    for (game, table) in [
        ("blackjack", "BJ-01"),
        ("free_bet_blackjack", "FB-01"),
        ("spanish_21", "SP-01"),
    ] {
        is_suspected(FaultKind::BlindReader, game, table, "statistics.unseen");
    }
}

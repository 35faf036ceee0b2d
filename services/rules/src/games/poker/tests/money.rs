//! Pots, rake, drop, odd chips, the kill button; and that no chip is lost in any round.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::floor::{Card, Cents};
use crate::games::poker::options::RakeMethod;
use crate::games::poker::pots::Pot;
use crate::games::poker::rake;
use crate::settlement::Award;

fn settled(document: &Value) -> Value {
    serde_json::to_value(TABLE.settle(document)).unwrap()
}

fn pot(by_round: &[i64]) -> Pot {
    Pot {
        by_round: by_round.iter().copied().map(Cents::new).collect(),
        net: Cents::new(by_round.iter().sum()),
        eligible: Vec::new(),
    }
}

/// What each pot has left, and the rake.
fn raked(method: Value, pots: &[&[i64]]) -> (Vec<i64>, i64) {
    let method: RakeMethod = serde_json::from_value(method).unwrap();
    let mut pots: Vec<Pot> = pots.iter().map(|by_round| pot(by_round)).collect();
    let rake = rake::take(&[method], &mut pots);
    (pots.iter().map(|pot| pot.net.get()).collect(), rake.get())
}

#[test]
fn a_percentage_is_taken_of_each_betting_round_and_rounded_down_each_time() {
    let percent = |cap: Value, unit: i64| json!({"method": "percent", "rate_bp": 1000, "cap": cap, "unit": unit});
    assert_eq!(
        raked(percent(json!(null), 100), &[&[2000, 800, 3200, 1600]]),
        (vec![7000], 600)
    );
    assert_eq!(
        raked(percent(json!(400), 100), &[&[2000, 800, 3200, 1600]]),
        (vec![7200], 400)
    );
    assert_eq!(
        raked(percent(json!(null), 1), &[&[2000, 805, 3200, 1600]]),
        (vec![6845], 760)
    );
    // The side pot pays what its chips add to the round's fee.
    assert_eq!(
        raked(percent(json!(null), 100), &[&[950], &[100]]),
        (vec![950, 0], 100)
    );
    assert_eq!(
        raked(percent(json!(150), 50), &[&[1000, 0], &[0, 1000]]),
        (vec![900, 950], 150)
    );
}

#[test]
fn increments_are_taken_once_as_the_pots_reach_them() {
    let levels = json!({"method": "incremental", "levels": [[1000, 100], [2000, 100], [3000, 50]], "cap": 220});
    for (chips, rake) in [
        (999, 0),
        (1000, 100),
        (1999, 100),
        (2000, 200),
        (2999, 200),
        (3000, 220),
    ] {
        assert_eq!(
            raked(levels.clone(), &[&[chips]]),
            (vec![chips - rake], rake)
        );
    }
    assert_eq!(raked(levels, &[&[1500], &[600]]), (vec![1400, 500], 200));
    let greedy = json!({"method": "incremental", "levels": [[100, 5000]]});
    assert_eq!(raked(greedy, &[&[300]]), (vec![0], 300));
}

#[test]
fn what_a_small_side_pot_lacks_of_the_rake_the_others_pay() {
    let levels = json!({"method": "incremental", "levels": [[1000, 100], [2000, 100]]});
    assert_eq!(raked(levels, &[&[1980], &[80]]), (vec![1860, 0], 200));
    let percent = json!({"method": "percent", "rate_bp": 1000});
    let pots: [&[i64]; 3] = [&[950], &[60], &[990]];
    assert_eq!(raked(percent, &pots), (vec![950, 0, 850], 200));
}

#[test]
fn no_flop_no_drop() {
    let options = |exempt: bool| {
        json!({"bet_limits": limits(4), "blinds": [200, 400], "no_flop_no_drop": exempt,
               "rake": [{"method": "percent", "rate_bp": 1000}],
               "jackpot": {"drop": {"method": "fixed", "amount": 100, "min_pot": 500}}})
    };
    let taken = |options, rounds: &[&str]| {
        let settled = settled(&holdem_with(options, BLINDS, rounds));
        (settled["rake"].clone(), settled["jackpot_drop"].clone())
    };
    let before = &["1 r 800, 2 f, 3 f"];
    assert_eq!(taken(options(true), before), (json!(0), json!(0)));
    assert_eq!(taken(options(false), before), (json!(100), json!(100)));
    let after = &[LIMPED, "2 b 400, 3 f, 1 f"];
    assert_eq!(taken(options(true), after), (json!(100), json!(100)));
}

#[test]
fn the_drop_measures_the_pot_after_the_rake() {
    let drop = |posted: Value, rake: Value| {
        let options = json!({"bet_limits": limits(4), "blinds": [200, 400], "rake": rake, "jackpot": {"drop": posted}});
        settled(&holdem_with(
            options,
            BLINDS,
            &[LIMPED, CHECKED, CHECKED, CHECKED],
        ))["jackpot_drop"]
            .clone()
    };
    let fixed = json!({"method": "fixed", "amount": 100, "min_pot": 1200});
    assert_eq!(drop(fixed.clone(), json!([])), 100);
    assert_eq!(
        drop(fixed, json!([{"method": "percent", "rate_bp": 1000}])),
        0
    );
    assert_eq!(
        drop(
            json!({"method": "fixed", "amount": 9000, "min_pot": 0}),
            json!([])
        ),
        1200
    );
    let percent = |max: Value, unit: i64| json!({"method": "percent", "rate_bp": 1000, "max": max, "min_pot": 0, "unit": unit});
    assert_eq!(drop(percent(json!(null), 100), json!([])), 100);
    assert_eq!(drop(percent(json!(null), 10), json!([])), 120);
    assert_eq!(drop(percent(json!(50), 10), json!([])), 50);
}

#[test]
fn time_is_charged_to_every_seat_or_once_to_the_table() {
    let charges = |basis: &str, hourly: i64, interval: i64| {
        let rake =
            json!([{"method": "time", "basis": basis, "hourly": hourly, "interval": interval}]);
        let document = with(
            with(holdem(), "/options/rake", rake),
            "/play/time_due",
            json!(true),
        );
        let mut seats = document["play"]["seats"].as_array().unwrap().clone();
        seats.push(json!({"seat": 7, "stack": 100, "in": false}));
        settled(&with(document, "/play/seats", json!(seats)))["time_charges"].clone()
    };
    assert_eq!(
        charges("per_table", 1001, 20),
        json!([{"seat": 0, "amount": 333}])
    );
    let seats: Vec<Value> = [1, 2, 3, 7]
        .iter()
        .map(|seat| json!({"seat": seat, "amount": 500}))
        .collect();
    assert_eq!(charges("per_player", 1000, 30), json!(seats));
}

/// Three seats tied: pots up to 30.00 in every chip unit.
#[test]
fn an_odd_chip_is_at_most_a_dollar_and_goes_to_the_first_seat() {
    for unit in [100i64, 50, 25] {
        for blind in (25..1000).step_by(5) {
            let options = json!({"bet_limits": vec![[blind, blind]; 4], "blinds": [blind], "chip_unit": unit});
            let tied = json!({"hands": {"1": ["2S", "3D"], "2": ["2D", "3S"], "3": ["4D", "3C"]},
                              "board": ["AC", "KD", "QH", "JS", "TH"]});
            let actions = format!("3 c {blind}, 1 c {blind}, 2 x");
            let post = format!("2 blind {blind}");
            let document = round(
                "holdem_high",
                options,
                THREE,
                &post,
                &[&actions, CHECKED, CHECKED, CHECKED],
                tied,
            );
            let settlement = TABLE.settle(&document);
            let awards = &settlement.pots().unwrap().awards;
            let share = |seat: u16| {
                let award = awards.iter().find(|award| award.seat.number() == seat);
                award.map_or(0, |award| award.amount.get())
            };
            // Seat 2 is left of the button and takes what is over.
            assert_eq!(share(1), share(3), "{document}");
            let excess = share(2) - share(1);
            assert!((0..=100).contains(&excess), "{document}");
            let finer = [100, 50, 25, 5, 1]
                .into_iter()
                .filter(|&finer| finer <= unit);
            let expected = finer
                .map(|unit| blind / unit * unit)
                .find(|each| 3 * (blind - each) <= 100);
            assert_eq!(Some(share(1)), expected, "{document}");
        }
    }
}

#[test]
fn the_kill_button_follows_whole_qualifying_pots() {
    let deal = |kill_button: u16, amount: i64, split: bool| {
        let options = json!({"bet_limits": limits(4), "blinds": [200, 400], "kill": {"type": "half_kill", "amount": amount}});
        let board = if split {
            ["2C", "5D", "7H", "JS", "JH"]
        } else {
            ["TC", "5D", "7H", "JS", "JH"]
        };
        let rest = json!({"hands": {"1": ["AS", "AD", "9C", "9D"], "2": ["KS", "KD", "8C", "2H"],
                                    "3": ["QS", "QD", "3C", "4D"]}, "board": board, "kill_button": kill_button});
        let (posts, first) = match kill_button {
            0 => (BLINDS, LIMPED),
            2 => ("2 kill_blind 600, 3 blind 400", "1 c 600, 2 x, 3 c 200"),
            _ => (
                "1 kill_blind 600, 2 blind 200, 3 blind 400",
                "1 x, 2 c 400, 3 c 200",
            ),
        };
        let document = round(
            "omaha_high_low_8",
            options,
            THREE,
            posts,
            &[first, CHECKED, CHECKED, CHECKED],
            rest,
        );
        assert_eq!(TABLE.violations(&document), [""; 0], "{document}");
        settled(&document)["kill_button"].clone()
    };
    assert_eq!(deal(0, 1200, false), 1);
    assert_eq!(deal(0, 1201, false), 0);
    assert_eq!(deal(2, 1800, false), 1);
    assert_eq!(deal(1, 1800, false), 1);
    assert_eq!(deal(2, 1801, false), 0);
    assert_eq!(deal(0, 1200, true), 0);
    assert_eq!(deal(2, 1800, true), 0);
}

/// Seat 1 checks against the blinds with nothing in: there is no pot of his, and what the others put in is the
/// main pot, which he cannot win.
#[test]
fn a_player_without_chips_in_cannot_win_the_chips_of_others() {
    let document = holdem_with(
        sign(),
        BLINDS,
        &["1 x, 2 c 200, 3 x", CHECKED, CHECKED, CHECKED],
    );
    let settled = settled(&document);
    assert_eq!(
        settled["awards"],
        json!([{"seat": 2, "pot": 0, "amount": 800}])
    );
    assert_eq!(settled["violations"], json!(["action.check_facing_bet"]));
}

const FORMS: [(&str, usize, usize, usize); 17] = [
    ("seven_card_stud_high", 5, 7, 0),
    ("seven_card_stud_high_low", 5, 7, 0),
    ("seven_card_stud_high_low_8", 5, 7, 0),
    ("holdem_high", 4, 2, 5),
    ("omaha_high", 4, 4, 5),
    ("omaha_high_low_8", 4, 4, 5),
    ("five_card_draw_high", 2, 5, 0),
    ("five_card_draw_low", 2, 5, 0),
    ("five_card_stud_high", 4, 5, 0),
    ("mambo_stud_high_low_6", 3, 3, 1),
    ("five_card_omaha_high", 4, 5, 5),
    ("five_card_omaha_high_low_8", 4, 5, 5),
    ("triple_draw_2_7", 4, 5, 0),
    ("triple_draw_a_5", 4, 5, 0),
    ("triple_draw_badeucey", 4, 5, 0),
    ("triple_draw_badacey", 4, 5, 0),
    ("badugi", 4, 4, 0),
];

/// Any actions of any seats: lawful or not, chips go somewhere.
fn any_round(seed: u64) -> Value {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (form, rounds, own, board) = FORMS[rng.random_range(0..FORMS.len())];
    let stud = form.contains("stud");
    let mut deck: Vec<Card> = Card::deck().collect();
    let mut deal = |rng: &mut ChaCha8Rng, count: usize| -> Vec<String> {
        (0..count)
            .map(|_| {
                deck.swap_remove(rng.random_range(0..deck.len()))
                    .to_string()
            })
            .collect()
    };
    let players = rng.random_range(2..=5u16);
    let seats: Vec<(u16, i64)> = (1..=players)
        .map(|seat| (seat, rng.random_range(1..60) * 100))
        .collect();
    let mut hands = json!({});
    for &(seat, _) in &seats {
        let cards = deal(&mut rng, own);
        let up = if own == 7 {
            2..6
        } else {
            1..own.min(if own == 3 { 2 } else { 5 })
        };
        hands[seat.to_string()] = match stud {
            true => {
                let down: Vec<&String> = cards
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| !up.contains(at))
                    .map(|(_, card)| card)
                    .collect();
                json!({"down": down, "up": cards[up]})
            }
            false => json!(cards),
        };
    }
    let board = deal(&mut rng, board);
    let mut forced = stud;
    let texts: Vec<String> = (0..rounds)
        .map(|_| {
            let actions = (0..rng.random_range(0..9)).map(|_| {
                let seat = rng.random_range(1..=players);
                let amount = rng.random_range(1..40) * 50;
                if std::mem::replace(&mut forced, false) {
                    return format!("{seat} F {amount}");
                }
                match rng.random_range(0..9) {
                    0 => format!("{seat} f"),
                    1 | 2 => format!("{seat} x"),
                    3 | 4 => format!("{seat} b {amount}"),
                    5 | 6 => format!("{seat} c {amount}"),
                    _ => format!("{seat} r {amount}"),
                }
            });
            let text = actions.collect::<Vec<_>>().join(", ");
            forced = false;
            text
        })
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let posts = if stud {
        "1 ante 75, 2 ante 75"
    } else {
        "1 ante 75, 2 blind 250, 1 blind 500"
    };
    let chip_unit = [100, 50, 25][rng.random_range(0..3)];
    let odd_chip = ["card_by_suit", "first_seat"][rng.random_range(0..2)];
    let unit = [100, 25, 1][rng.random_range(0..3)];
    let options = json!({
        "bet_limits": vec![[200, 1000]; rounds], "blinds": [250, 500], "forced_bet": 200, "ante": 75,
        "chip_unit": chip_unit,
        "odd_chip": odd_chip,
        "rake": [{"method": "percent", "rate_bp": 1000, "cap": 500, "unit": unit},
                 {"method": "incremental", "levels": [[500, 100], [1500, 100]]}],
        "jackpot": {"drop": {"method": "fixed", "amount": 100, "min_pot": 1000}},
    });
    let mut rest = json!({"hands": hands, "board": board});
    if rng.random_range(0..4) == 0 {
        let kind = [
            "hand_fouled",
            "hand_collected",
            "left_table",
            "player_not_dealt",
        ][rng.random_range(0..4)];
        rest["incidents"] = json!([{"kind": kind, "seat": rng.random_range(1..=players), "round": rng.random_range(0..3),
                                    "after": rng.random_range(0..4), "protected": rng.random_range(0..2) == 0}]);
    }
    round(form, options, &seats, posts, &texts, rest)
}

/// Stakes = awards + refunds + rake + drop, nothing is negative, and only seats that put chips in
/// get any.
fn assert_conserved(seed: u64) -> Result<(), TestCaseError> {
    let document = any_round(seed);
    let Ok(settlement) = TABLE.try_settle(&document) else {
        return Ok(());
    };
    let pots = settlement.pots().unwrap();
    let wagers = document["wagers"].as_array().unwrap();
    let staked: i64 = wagers
        .iter()
        .map(|wager| wager["amount"].as_i64().unwrap())
        .sum();
    let awarded: i64 = pots.awards.iter().map(|award| award.amount.get()).sum();
    let refunded: i64 = pots.refunds.iter().map(|refund| refund.amount.get()).sum();
    prop_assert_eq!(
        staked,
        awarded + refunded + pots.rake.get() + pots.jackpot_drop.get()
    );
    prop_assert!(pots.awards.iter().all(|award| award.amount.get() > 0));
    prop_assert!(pots.refunds.iter().all(|refund| refund.amount.get() > 0));
    let order = |award: &Award| (std::cmp::Reverse(award.pot), award.seat);
    prop_assert!(pots.awards.iter().map(order).is_sorted());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn no_chip_appears_or_vanishes(seed in any::<u64>()) {
        assert_conserved(seed)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]
    #[test]
    #[ignore = "20,000 rounds"]
    fn no_chip_appears_or_vanishes_in_many_rounds(seed in any::<u64>()) {
        assert_conserved(seed)?;
    }
}

/// Most of the generated rounds are settled and not refused, or the property says nothing.
#[test]
fn most_generated_rounds_are_settled() {
    let settled = (0..500)
        .filter(|&seed| TABLE.try_settle(&any_round(seed)).is_ok())
        .count();
    assert!(settled > 350, "{settled} of 500");
}

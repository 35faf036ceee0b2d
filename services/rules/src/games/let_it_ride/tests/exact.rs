//! The exact mathematics of the pay tables and of the best play.

use crate::Edition::{Mgc2017, OhJack2017};
use crate::book::Pay;
use crate::exact::{FIVES, Outlook, THREES, classes};
use crate::games::let_it_ride::{LetItRide, ThreeCardPayTable};
use crate::games::shared::stud::exact::{rules, threes};
use crate::games::shared::stud::pay_table::PostedOdds;
use crate::hands::five;

/// What a bet wins, or -1, at the filed odds.
fn worth() -> impl Fn(five::Hand) -> i64 {
    let rules = rules::<LetItRide>(Mgc2017);
    move |hand| match rules.main.pay(hand, &PostedOdds::new()) {
        Pay::Odds(odds) => i64::from(odds.win()),
        _ => -1,
    }
}

/// Bet 1 rides on three known cards, bet 2 on four, whenever that is worth it. Published: the house
/// keeps 3.51% of one bet.
#[test]
fn the_best_play_costs_the_published_house_edge() {
    let outlook = Outlook::of(&worth());
    let rides = |sums: &[i64]| sums.iter().filter(|&&sum| sum > 0).sum::<i64>();
    let (bet_1, bet_2) = (rides(&outlook.with_three), rides(&outlook.with_four));
    // Over all orders of dealing: a hand has ten choices of three cards and five of four.
    let gain = outlook.with_none * 10 + bet_1 + bet_2 * 2;
    let edge = -gain * 1_000_000 / (FIVES * 10);
    assert!((35_050..35_100).contains(&edge), "{edge} millionths");
}

#[test]
fn the_bonus_returns_what_the_hand_counts_say() {
    // Royal flushes to three of a kind among 2,598,960 hands, and the sums in dollars.
    let counts = [4, 36, 624, 3_744, 5_108, 10_200, 54_912];
    let cases = [
        (Mgc2017, [25_000, 2_500, 400, 200, 50, 25, 5], 7_592),
        (OhJack2017, [20_000, 2_000, 300, 150, 50, 25, 5], 6_486),
    ];
    let hands = classes();
    for (edition, sums, basis_points) in cases {
        let rules = rules::<LetItRide>(edition);
        let expected: i64 = counts
            .iter()
            .zip(sums)
            .map(|(count, sum)| count * sum * 100)
            .sum();
        let returned: i64 = hands
            .iter()
            .map(
                |&(hand, count)| match rules.let_it_ride_bonus.filed_pay(hand) {
                    Pay::Fixed(sum) => count * sum.get(),
                    _ => 0,
                },
            )
            .sum();
        assert_eq!(returned, expected);
        assert_eq!(returned * 100 / FIVES, basis_points, "{edition}");
    }
}

/// Published for the same tables as Pair Plus: 2.32%, 5.57% and 7.28% for tables A to C.
#[test]
fn the_three_card_bonus_costs_the_published_house_edges() {
    let mgc = rules::<LetItRide>(Mgc2017);
    let ohio = rules::<LetItRide>(OhJack2017);
    let edge = |name| {
        let rules = if name == ThreeCardPayTable::Standard {
            &ohio
        } else {
            &mgc
        };
        let gain: i64 = threes()
            .map(|cards| {
                let odds = rules.three_card[&name].three_card_odds(&cards, &PostedOdds::new());
                odds.map_or(-1, |odds| i64::from(odds.win()))
            })
            .sum();
        -gain * 10_000 / THREES
    };
    let edges = ThreeCardPayTable::ALL.map(edge);
    assert_eq!(edges, [231, 557, 727, 213, 539, 709, 727]);
}

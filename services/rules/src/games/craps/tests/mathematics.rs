//! The exact house edge of every bet, by throwing all 36 pairs of dice at the table.

use serde_json::json;

use crate::Edition::{Mgc2017, OhJack2017};
use crate::games::Craps;
use crate::games::shared::craps::testkit::{Felt, Ratio, STAKE, bet, play};
use crate::settlement::Verdict;
use crate::testkit::TestTable;

const POINTS: [u8; 6] = [4, 5, 6, 8, 9, 10];

#[test]
fn line_and_come_bets_have_their_published_edges() {
    for edition in [Mgc2017, OhJack2017] {
        let felt = Felt::<Craps>::at(edition, json!({}));
        let line = |kind: &str| {
            let carried = |point: u8| (bet(kind, STAKE, json!({"placed": -1})), point);
            felt.edge_of_line(&bet(kind, STAKE, json!({})), 0, carried)
        };
        // 1.414% and, counting the barred 12, 1.364%.
        assert_eq!(line("pass"), Ratio(7, 495));
        assert_eq!(line("dont_pass"), Ratio(3, 220));
        let come = |kind: &str| {
            let carried = |number: u8| {
                let other = if number == 4 { 10 } else { 4 };
                (
                    bet(kind, STAKE, json!({"placed": -1, "point": number})),
                    other,
                )
            };
            felt.edge_of_line(&bet(kind, STAKE, json!({})), 9, carried)
        };
        assert_eq!(come("come"), Ratio(7, 495));
        assert_eq!(come("dont_come"), Ratio(3, 220));
    }
}

#[test]
fn odds_are_fair() {
    for (odds, flat) in [("pass_odds", "pass"), ("dont_pass_odds", "dont_pass")] {
        for point in POINTS {
            let table = TestTable::<Craps>::open();
            let mut kept = 0;
            for a in 1..=6u8 {
                for b in 1..=6u8 {
                    let wagers = json!([
                        bet(odds, STAKE, json!({"on": "flat", "placed": -1})),
                        bet(flat, STAKE, json!({"id": "flat", "placed": -1})),
                    ]);
                    let play = play(point, &format!("{a}-{b}"));
                    let document = table.document(Mgc2017, json!({}), wagers, play);
                    let settled = table.wager(&document, "w1");
                    if settled.result != Verdict::Open {
                        kept += STAKE - settled.returned.get();
                    }
                }
            }
            assert_eq!(kept, 0, "{odds} {point}");
        }
    }
}

#[test]
fn bets_on_numbers_have_their_published_edges() {
    let felt = Felt::<Craps>::at(Mgc2017, json!({}));
    let place = [(1, 15), (1, 25), (1, 66), (1, 66), (1, 25), (1, 15)];
    let place_lose = [(1, 33), (1, 40), (1, 55), (1, 55), (1, 40), (1, 33)];
    for (index, number) in POINTS.into_iter().enumerate() {
        let other = if number == 9 { 5 } else { 9 };
        for (kind, edges) in [("place", place), ("place_lose", place_lose)] {
            let (kept, of) = edges[index];
            let wager = bet(kind, STAKE, json!({"number": number}));
            assert_eq!(felt.edge(&wager, other), Ratio(kept, of), "{wager}");
        }
    }
    for (number, edge) in [
        (4, Ratio(1, 9)),
        (6, Ratio(1, 11)),
        (8, Ratio(1, 11)),
        (10, Ratio(1, 9)),
    ] {
        let wager = bet("hard", STAKE, json!({"number": number}));
        assert_eq!(felt.edge(&wager, 9), edge, "{wager}");
    }
}

/// Buy and lay bets pay true odds, so that the vigorish is all that the house keeps.
#[test]
fn the_edge_of_buy_and_lay_bets_is_the_vigorish() {
    // Hundredths of a percent of the stake: 5% of it, or of what a lay bet wins.
    let when_made = [
        (Mgc2017, "buy", [500; 6]),
        (OhJack2017, "buy", [500; 6]),
        (Mgc2017, "lay", [500; 6]),
        (OhJack2017, "lay", [250, 333, 416, 416, 333, 250]),
    ];
    for (edition, kind, points) in when_made {
        let felt = Felt::<Craps>::at(edition, json!({}));
        for (number, expected) in POINTS.into_iter().zip(points) {
            let other = if number == 9 { 5 } else { 9 };
            let wager = bet(kind, STAKE, json!({"number": number}));
            assert_eq!(felt.edge(&wager, other), Ratio(0, 1), "{edition} {wager}");
            let charged = felt.throws(&wager, other)[0].1.commission.get();
            assert_eq!(charged * 10_000 / STAKE, expected, "{edition} {wager}");
        }
    }
    // On winners only: a third of 5% on 4 and 10, two fifths on 5 and 9, five elevenths on 6 and 8.
    let all = json!({"buy_vig_on_win": POINTS, "lay_vig_on_win": POINTS});
    let felt = Felt::<Craps>::at(Mgc2017, all);
    let buy = [(1, 60), (1, 50), (1, 44), (1, 44), (1, 50), (1, 60)];
    for (number, (kept, of)) in POINTS.into_iter().zip(buy) {
        let other = if number == 9 { 5 } else { 9 };
        let wager = bet("buy", STAKE, json!({"number": number}));
        assert_eq!(felt.edge(&wager, other), Ratio(kept, of), "{wager}");
    }
}

#[test]
fn one_roll_bets_have_their_published_edges() {
    let everywhere = [
        (bet("field", STAKE, json!({})), Ratio(2, 36)),
        (bet("any_seven", STAKE, json!({})), Ratio(6, 36)),
        (bet("any_craps", STAKE, json!({})), Ratio(4, 36)),
        (bet("craps_two", STAKE, json!({})), Ratio(5, 36)),
        (bet("craps_three", STAKE, json!({})), Ratio(4, 36)),
        (bet("craps_twelve", STAKE, json!({})), Ratio(5, 36)),
        (bet("eleven", STAKE, json!({})), Ratio(4, 36)),
        (bet("c_and_e", STAKE, json!({})), Ratio(4, 36)),
        (bet("horn", STAKE, json!({})), Ratio(18, 144)),
        (
            bet("horn_high", STAKE, json!({"number": 12})),
            Ratio(23, 180),
        ),
        (
            bet("horn_high", STAKE, json!({"number": 3})),
            Ratio(22, 180),
        ),
        (bet("six_seven_eight", STAKE, json!({})), Ratio(2, 36)),
    ];
    for (edition, with_seven) in [(Mgc2017, "whirl"), (OhJack2017, "world")] {
        let felt = Felt::<Craps>::at(edition, json!({}));
        let own = (bet(with_seven, STAKE, json!({})), Ratio(24, 180));
        for (wager, edge) in everywhere.iter().chain([&own]) {
            assert_eq!(felt.edge(wager, 9), *edge, "{edition} {wager}");
            assert_eq!(
                felt.edge(wager, 0),
                *edge,
                "{edition} {wager} on a come-out"
            );
        }
        for a in 1..=6u8 {
            for b in a..=6u8 {
                let wager = bet("hop", STAKE, json!({"dice": [b, a]}));
                let edge = match (a + b, a == b) {
                    (2 | 3 | 11 | 12, _) => Ratio(0, 1),
                    (_, true) => Ratio(5, 36),
                    (_, false) => Ratio(4, 36),
                };
                assert_eq!(felt.edge(&wager, 9), edge, "{edition} {wager}");
            }
        }
    }
}

/// One, in the fixed-point fractions below; the exact ones outgrow 128 bits.
const ONE: u128 = 1_000_000_000_000_000_000_000_000;

/// Chances of making so many different points before the loser 7: each point that is set is made
/// with the chance of its total before a 7.
fn chances_of_points() -> [u128; 7] {
    // Set and made, of 1320: 4 and 10 3/24 x 3/9, 5 and 9 4/24 x 4/10, 6 and 8 5/24 x 5/11.
    const MADE: [u128; 6] = [55, 88, 125, 125, 88, 55];
    let lost = 1320 - MADE.iter().sum::<u128>();
    let mut reached = [0; 64];
    reached[0] = ONE;
    let mut ended = [0; 7];
    for made in 0..64_usize {
        let is_made = |bit: &usize| made >> bit & 1 == 1;
        let again: u128 = (0..6).filter(is_made).map(|bit| MADE[bit]).sum();
        let per = 1320 - again;
        ended[made.count_ones() as usize] += reached[made] * lost / per;
        for bit in (0..6).filter(|bit| !is_made(bit)) {
            reached[made | 1 << bit] += reached[made] * MADE[bit] / per;
        }
    }
    ended
}

#[test]
fn the_fire_bet_keeps_more_than_a_fifth() {
    let chances = chances_of_points();
    assert_eq!((chances.iter().sum::<u128>() + 1_000) / ONE, 1);
    // All six points: one shooter in 6156.
    assert_eq!(ONE / chances[6], 6156);
    for (letter, edge_bp) in [("A", 2076), ("B", 2388)] {
        let table = TestTable::<Craps>::open();
        let mut back = 0;
        for (count, chance) in chances.into_iter().enumerate() {
            let keys = json!({"placed": -1, "made": POINTS[..count]});
            let wagers = json!([bet("fire", 100, keys)]);
            let options = json!({"fire_table": letter});
            let document = table.document(Mgc2017, options, wagers, play(4, "3-4"));
            let returned = table.wager(&document, "w1").returned.get();
            back += chance * u128::try_from(returned).unwrap() / 100;
        }
        assert_eq!((ONE - back) * 10_000 / ONE, edge_bp, "table {letter}");
    }
}

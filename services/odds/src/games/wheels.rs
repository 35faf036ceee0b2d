//! Roulette, the big six and three dice in a shaker: one draw decides every wager.

use serde_json::{Value, json};

use crate::OddsError;
use crate::felt::{Bet, Felt, wager};
use crate::sheet::Line;

/// What every row pays without a fraction.
const STAKE: i64 = 132_000;

fn bet(kind: &str, on: String, keys: Value) -> Bet {
    Bet::new(kind, on, wager(kind, STAKE, keys))
}

pub(crate) fn roulette(felt: &Felt<'_>) -> Result<Vec<Line>, OddsError> {
    let single = felt.option("wheel") != "double";
    // A double-zero wheel whose 00 is covered turns again when it stops there.
    let zeros = if single { &["0"][..] } else { &["0", "00"] };
    let pockets = (1..=36).map(|number: u8| number.to_string());
    let pockets: Vec<String> = pockets
        .chain(zeros.iter().map(|&zero| zero.into()))
        .collect();
    let plays: Vec<(Value, u128)> = pockets
        .iter()
        .map(|pocket| (json!({"spins": [{"pocket": pocket}]}), 1))
        .collect();
    let mut bets = Vec::new();
    for entry in felt.wagers() {
        let kind = &*entry.kind;
        for (on, keys) in positions(kind, &pockets) {
            bets.push(bet(kind, on, keys));
        }
    }
    felt.lines(&bets, &plays)
}

/// The positions of a bet on the layout. Those in the middle stand for all of their kind, which hold as many
/// pockets; the tests of the rules hold every one of them to that.
fn positions(kind: &str, pockets: &[String]) -> Vec<(String, Value)> {
    let numbers = |numbers: &[&str]| (numbers.join("-"), json!({"numbers": numbers}));
    let named = |key: &str, names: &[&str]| {
        let name = |name: &&str| ((*name).to_owned(), json!({key: name}));
        names.iter().map(name).collect()
    };
    match kind {
        "straight" => pockets.iter().map(|pocket| numbers(&[pocket])).collect(),
        "split" => vec![
            numbers(&["0", "2"]),
            numbers(&["17", "20"]),
            numbers(&["35", "36"]),
        ],
        "three_numbers" => vec![numbers(&["0", "1", "2"]), numbers(&["16", "17", "18"])],
        "four_numbers" => vec![numbers(&["16", "17", "19", "20"])],
        "six_numbers" => vec![numbers(&["16", "17", "18", "19", "20", "21"])],
        "column" | "dozen" => (1..=3)
            .map(|third: u8| (third.to_string(), json!({kind: third})))
            .collect(),
        "six_numbers_color" | "seven_numbers_color" | "eight_numbers_color" => {
            named("color", &["gold", "green", "blue", "purple"])
        }
        "five_adjacent" => pockets
            .iter()
            .map(|pocket| (pocket.clone(), json!({"center": pocket})))
            .collect(),
        _ => vec![(String::new(), json!({}))],
    }
}

pub(crate) fn big_six(felt: &Felt<'_>) -> Result<Vec<Line>, OddsError> {
    let sections = felt.figure("sections").as_object();
    let plays: Vec<(Value, u128)> = sections
        .into_iter()
        .flatten()
        .map(|(symbol, sections)| {
            let stop = json!({"spins": [{"stop": symbol}]});
            (stop, u128::from(sections.as_u64().unwrap_or_default()))
        })
        .collect();
    let bets = felt
        .wagers()
        .map(|entry| bet(&entry.kind, String::new(), json!({})));
    felt.lines(&bets.collect::<Vec<_>>(), &plays)
}

pub(crate) fn sic_bo(felt: &Felt<'_>) -> Result<Vec<Line>, OddsError> {
    // Three dice up to their order.
    let mut plays = Vec::new();
    for a in 1..=6u8 {
        for b in a..=6 {
            for c in b..=6 {
                let ways = match (a == b, b == c) {
                    (true, true) => 1,
                    (false, false) => 6,
                    _ => 3,
                };
                plays.push((json!({"tosses": [{"dice": [a, b, c]}]}), ways));
            }
        }
    }
    let mut bets = Vec::new();
    for entry in felt.wagers() {
        let kind = &*entry.kind;
        let numbers = match kind {
            "total" => 4..=17,
            "three_of_a_kind" | "two_of_a_kind" | "one_of_a_kind" => 1..=6,
            "combination" => {
                for low in 1..=6u8 {
                    for high in low + 1..=6 {
                        let on = format!("{low}-{high}");
                        bets.push(bet(kind, on, json!({"numbers": [low, high]})));
                    }
                }
                continue;
            }
            _ => {
                bets.push(bet(kind, String::new(), json!({})));
                continue;
            }
        };
        for number in numbers {
            bets.push(bet(kind, number.to_string(), json!({"number": number})));
        }
    }
    felt.lines(&bets, &plays)
}

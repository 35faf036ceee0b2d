//! What the tests of the family share: short words for bets and rolls, and exact house edges.

use serde_json::{Map, Value, json};

use crate::settlement::{Settled, Verdict};
use crate::testkit::{Cell, TestTable};
use crate::{Edition, Game};

/// A stake that every row of the family pays without a fraction.
pub(crate) const STAKE: i64 = 132_000;

/// A wager `w1`, or with the id that the keys give it, of seat 1 unless they say otherwise.
pub(crate) fn bet(kind: &str, amount: i64, keys: Value) -> Value {
    let mut wager = json!({"id": "w1", "seat": 1, "kind": kind, "amount": amount});
    merge(&mut wager, keys);
    wager
}

/// The same with those of the keys that its kind has a use for.
pub(crate) fn bet_with(kind: &str, amount: i64, mut keys: Value) -> Value {
    let numbered = [
        "put",
        "place",
        "buy",
        "place_lose",
        "lay",
        "hard",
        "horn_high",
    ];
    let carried = keys["placed"] == -1;
    for (key, used) in [
        ("number", numbered.contains(&kind)),
        ("dice", kind == "hop"),
        ("on", kind.ends_with("_odds")),
        ("point", carried && ["come", "dont_come"].contains(&kind)),
    ] {
        if let Some(keys) = keys.as_object_mut().filter(|_| !used) {
            keys.remove(key);
        }
    }
    bet(kind, amount, keys)
}

pub(crate) fn merge(object: &mut Value, keys: Value) {
    let keys: Map<String, Value> = serde_json::from_value(keys).unwrap();
    for (key, value) in keys {
        object[key] = value;
    }
}

/// Rolls from words like `3-4`.
pub(crate) fn rolls(words: &str) -> Vec<Value> {
    let face = |text: &str| text.parse::<u8>().unwrap();
    words
        .split_whitespace()
        .map(|word| {
            let (a, b) = word.split_once('-').unwrap();
            json!({"dice": [face(a), face(b)]})
        })
        .collect()
}

/// Play from a come-out (point 0) or with a point on.
pub(crate) fn play(point: u8, words: &str) -> Value {
    let start = match point {
        0 => json!({}),
        point => json!({"point": point, "fresh_shooter": false}),
    };
    json!({"start": start, "rolls": rolls(words)})
}

/// The verdict on wager `w1`: result, win, commission, returned.
pub(crate) fn w1(table: &TestTable<impl Game>, document: &Value) -> (Verdict, i64, i64, i64) {
    let settled = table.wager(document, "w1");
    (
        settled.result,
        settled.win.get(),
        settled.commission.get(),
        settled.returned.get(),
    )
}

/// The results of all wagers, in order.
pub(crate) fn results(table: &TestTable<impl Game>, document: &Value) -> Vec<Verdict> {
    let settlement = table.settle(document);
    settlement
        .wagers()
        .iter()
        .map(|wager| wager.result)
        .collect()
}

/// A document at a table without options.
pub(crate) fn round(
    table: &TestTable<impl Game>,
    edition: Edition,
    wagers: Value,
    play: Value,
) -> Value {
    table.document(edition, json!({}), wagers, play)
}

/// A pair or another way to throw a total.
fn dice(total: u8, hard: bool) -> String {
    if hard {
        return format!("{0}-{0}", total / 2);
    }
    let first = if total > 7 { 6 } else { 1 };
    format!("{first}-{}", total - first)
}

/// A round in which the first wager, of [`STAKE`] or a fire bet of 500, wins the cell: options,
/// wagers and play.
pub(crate) fn winning_round(cell: &Cell) -> (Value, Value, Value) {
    let on = |kind: &str, keys: Value, point: u8, words: &str| {
        let wagers = json!([bet(kind, STAKE, keys)]);
        (json!({}), wagers, play(point, words))
    };
    // Beside the point that is on, so that nothing else is decided.
    let other_point = |number: u8| if number == 9 { 5 } else { 9 };
    let number = cell
        .row
        .rsplit('_')
        .next()
        .and_then(|word| word.parse::<u8>().ok());
    let Some(number) = number else {
        return match cell.row {
            "pass" => on("pass", json!({}), 0, "3-4"),
            "dont_pass" => on("dont_pass", json!({}), 0, "1-2"),
            "come" => on("come", json!({}), 9, "3-4"),
            "dont_come" => on("dont_come", json!({}), 9, "1-1"),
            "field_other" => on("field", json!({}), 9, "1-3"),
            "any_seven" => on("any_seven", json!({}), 9, "3-4"),
            "any_craps" => on("any_craps", json!({}), 9, "6-6"),
            "eleven" => on("eleven", json!({}), 9, "5-6"),
            "hop_hard" => on("hop", json!({"dice": [5, 5]}), 9, "5-5"),
            "hop_easy" => on("hop", json!({"dice": [2, 5]}), 9, "5-2"),
            "six_seven_eight" => on("six_seven_eight", json!({}), 9, "2-6"),
            "six_seven_eight_hard" => on("six_seven_eight", json!({}), 9, "4-4"),
            row => panic!("{row}"),
        };
    };
    let picked = json!({"number": number});
    match (cell.table, cell.row.rsplit_once('_').map(|(kind, _)| kind)) {
        ("main", Some("place")) => on("place", picked, other_point(number), &dice(number, false)),
        ("main", Some("place_lose")) => on("place_lose", picked, other_point(number), "3-4"),
        ("main", Some("hard")) => on("hard", picked, other_point(number), &dice(number, true)),
        ("main", Some("field")) => on("field", json!({}), 9, &dice(number, true)),
        ("main", Some("craps")) => {
            let kind = match number {
                2 => "craps_two",
                3 => "craps_three",
                _ => "craps_twelve",
            };
            on(kind, json!({}), 9, &dice(number, false))
        }
        ("buy", _) => on("buy", picked, other_point(number), &dice(number, false)),
        ("lay", _) => on("lay", picked, other_point(number), "3-4"),
        ("odds" | "lay_odds", _) => {
            let (odds, flat, words) = match cell.table {
                "odds" => ("pass_odds", "pass", dice(number, false)),
                _ => ("dont_pass_odds", "dont_pass", "6-1".to_owned()),
            };
            let wagers = json!([
                bet(odds, STAKE, json!({"on": "flat"})),
                bet(flat, STAKE, json!({"id": "flat", "placed": -1})),
            ]);
            (json!({"odds_multiple": 2}), wagers, play(number, &words))
        }
        ("fire_a" | "fire_b", _) => {
            let made = &[4, 5, 6, 8, 9, 10][..usize::from(number)];
            let keys = json!({"placed": -1, "made": made});
            let letter = if cell.table == "fire_a" { "A" } else { "B" };
            let wagers = json!([bet("fire", 500, keys)]);
            (json!({"fire_table": letter}), wagers, play(4, "3-4"))
        }
        other => panic!("{other:?}"),
    }
}

/// An exact fraction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ratio(pub(crate) i128, pub(crate) i128);

impl Ratio {
    pub(crate) fn new(numerator: i128, denominator: i128) -> Ratio {
        fn gcd(a: i128, b: i128) -> i128 {
            if b == 0 { a.abs() } else { gcd(b, a % b) }
        }
        let common = gcd(numerator, denominator).max(1);
        Ratio(numerator / common, denominator / common)
    }

    fn plus(self, other: Ratio) -> Ratio {
        Ratio::new(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    fn times(self, other: Ratio) -> Ratio {
        Ratio::new(self.0 * other.0, self.1 * other.1)
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Ratio) -> bool {
        self.0 * other.1 == other.0 * self.1
    }
}

/// A table at which every pair of dice is thrown.
pub(crate) struct Felt<G: Game> {
    table: TestTable<G>,
    edition: Edition,
    options: Value,
}

impl<G: Game> Felt<G> {
    pub(crate) fn at(edition: Edition, options: Value) -> Felt<G> {
        Felt {
            table: TestTable::open(),
            edition,
            options,
        }
    }

    /// The verdicts on a bet over all 36 throws, with a point on or (0) on a come-out.
    pub(crate) fn throws(&self, wager: &Value, point: u8) -> Vec<(u8, Settled)> {
        let pairs = (1..=6u8).flat_map(|a| (1..=6u8).map(move |b| (a, b)));
        pairs
            .map(|(a, b)| {
                let play = play(point, &format!("{a}-{b}"));
                let document =
                    self.table
                        .document(self.edition, self.options.clone(), json!([wager]), play);
                (a + b, self.table.wager(&document, "w1"))
            })
            .collect()
    }

    /// What the house keeps of the stake, in the mean over the throws that decide the bet.
    pub(crate) fn edge(&self, wager: &Value, point: u8) -> Ratio {
        let decided: Vec<i64> = self
            .throws(wager, point)
            .into_iter()
            .filter(|(_, settled)| settled.result != Verdict::Open)
            .map(|(_, settled)| STAKE - settled.returned.get())
            .collect();
        let kept: i64 = decided.iter().sum();
        Ratio::new(i128::from(kept), i128::from(STAKE) * decided.len() as i128)
    }

    /// The edge of a line or come bet: over the first roll, and over the throws that decide its
    /// number. `first` is thrown at `point`, the bet on its number is carried.
    pub(crate) fn edge_of_line(
        &self,
        first: &Value,
        point: u8,
        on_number: impl Fn(u8) -> (Value, u8),
    ) -> Ratio {
        let mut edge = Ratio::new(0, 1);
        for (total, settled) in self.throws(first, point) {
            let kept = match settled.result {
                Verdict::Open => {
                    let (carried, point) = on_number(total);
                    self.edge(&carried, point)
                }
                _ => Ratio::new(
                    i128::from(STAKE - settled.returned.get()),
                    i128::from(STAKE),
                ),
            };
            edge = edge.plus(kept.times(Ratio::new(1, 36)));
        }
        edge
    }
}

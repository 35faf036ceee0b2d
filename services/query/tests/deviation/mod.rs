//! The hold deviation of honest tables, drawn from what the rules settle: as often large or small as chance is. And of
//! a table at which a dealer has a friend.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, Date32Array, Int64Array, RecordBatch, StringArray};
use catwalk_odds::{Line, odds};
use catwalk_query::{Edge, Session, named};
use catwalk_rules::Rulebook;
use datafusion::datasource::MemTable;
use datafusion::prelude::SessionContext;
use serde::Deserialize;
use serde_json::{Value, json};

const EDITION: &str = "mgc-2017";
/// 2026-11-15.
const DAY: i32 = 20_772;
const POCKETS: usize = 38;
/// What lies on the layout of a round: kinds of wagers, which share its pocket, in dollars.
const LAYOUTS: [&[(&str, i64)]; 8] = [
    &[("red", 25)],
    &[("black", 10), ("dozen", 10)],
    &[("red", 50), ("odd", 25), ("low", 25)],
    &[("column", 15), ("even", 30)],
    &[("dozen", 20), ("red", 20), ("high", 40)],
    &[("six_numbers", 5), ("black", 20)],
    &[("four_numbers", 5), ("odd", 25), ("column", 25)],
    &[("low", 100)],
];
/// Several patrons at once: what a friend of the dealer wins shows sooner.
const FRIENDS: usize = 2;

/// A generator that is the same everywhere.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}

/// What every pocket returns to every layout, as the rules settle it: result and cents of each wager.
type Settled = Vec<Vec<Vec<(String, i64)>>>;

fn settled(rulebook: &Rulebook) -> Settled {
    let pocket = |pocket: usize| match pocket {
        37 => "00".to_owned(),
        pocket => pocket.to_string(),
    };
    let wager = |(index, (kind, dollars)): (usize, &(&str, i64))| {
        let mut wager =
            json!({"id": format!("w{index}"), "seat": 1, "kind": kind, "amount": dollars * 100});
        match *kind {
            "dozen" | "column" => wager[kind] = json!(1),
            "six_numbers" => wager["numbers"] = json!(["16", "17", "18", "19", "20", "21"]),
            "four_numbers" => wager["numbers"] = json!(["16", "17", "19", "20"]),
            _ => {}
        }
        wager
    };
    let round = |layout: &[(&str, i64)], at: usize| {
        let wagers: Vec<Value> = layout.iter().enumerate().map(wager).collect();
        let document = json!({"game": "roulette", "edition": EDITION, "options": {}, "wagers": wagers,
            "play": {"spins": [{"pocket": pocket(at)}]}});
        let settlement = rulebook.settle_value(&document).unwrap();
        let came = settlement.wagers().iter();
        came.map(|came| {
            let result = if came.returned.is_positive() {
                "win"
            } else {
                "lose"
            };
            (result.to_owned(), came.returned.get())
        })
        .collect()
    };
    LAYOUTS
        .iter()
        .map(|layout| (0..POCKETS).map(|at| round(layout, at)).collect())
        .collect()
}

/// Rounds and wagers, column by column, as the query reads them.
#[derive(Default)]
struct Played {
    tables: Vec<String>,
    rounds: Vec<String>,
    staked: Vec<i64>,
    returned: Vec<i64>,
    of_table: Vec<String>,
    of_round: Vec<String>,
    kinds: Vec<&'static str>,
    amounts: Vec<i64>,
    results: Vec<String>,
}

impl Played {
    fn play(&mut self, table: &str, layout: usize, came: &[(String, i64)]) {
        let round = format!("{table}-{}", self.rounds.len());
        let mut staked = 0;
        for ((kind, dollars), (result, _)) in LAYOUTS[layout].iter().zip(came) {
            staked += dollars * 100;
            self.of_table.push(table.to_owned());
            self.of_round.push(round.clone());
            self.kinds.push(kind);
            self.amounts.push(dollars * 100);
            self.results.push(result.clone());
        }
        self.tables.push(table.to_owned());
        self.rounds.push(round);
        self.staked.push(staked);
        self.returned
            .push(came.iter().map(|(_, returned)| returned).sum());
    }

    /// A session with these rounds.
    async fn session(self, edges: &[Edge]) -> Session {
        let context = SessionContext::new();
        let same =
            |text: &str, rows: usize| -> ArrayRef { Arc::new(StringArray::from(vec![text; rows])) };
        let none =
            |rows: usize| -> ArrayRef { Arc::new(StringArray::from(vec![None::<&str>; rows])) };
        let texts = |texts: Vec<String>| -> ArrayRef { Arc::new(StringArray::from(texts)) };
        let cents = |cents: Vec<i64>| -> ArrayRef { Arc::new(Int64Array::from(cents)) };
        let day = |rows: usize| -> ArrayRef { Arc::new(Date32Array::from(vec![DAY; rows])) };
        let (rounds, wagers) = (self.rounds.len(), self.kinds.len());
        let no = |rows: usize| -> ArrayRef {
            Arc::new(arrow::array::BooleanArray::from(vec![false; rows]))
        };
        let seats: ArrayRef = Arc::new(Int64Array::from(vec![1; wagers]));
        let table = |columns: Vec<(&str, ArrayRef)>| {
            let batch = RecordBatch::try_from_iter(columns).unwrap();
            Arc::new(MemTable::try_new(batch.schema(), vec![vec![batch]]).unwrap())
        };
        let of_rounds = table(vec![
            ("gaming_day", day(rounds)),
            ("property", same("ebh", rounds)),
            ("table_id", texts(self.tables)),
            ("round", texts(self.rounds)),
            ("game", same("roulette", rounds)),
            ("edition", same(EDITION, rounds)),
            ("options", same("{}", rounds)),
            ("pit", same("pit-1", rounds)),
            ("tournament", no(rounds)),
            ("staked_cents", cents(self.staked)),
            ("returned_cents", cents(self.returned)),
        ]);
        let of_wagers = table(vec![
            ("gaming_day", day(wagers)),
            ("property", same("ebh", wagers)),
            ("table_id", texts(self.of_table)),
            ("round", texts(self.of_round)),
            ("seat", seats),
            ("kind", Arc::new(StringArray::from(self.kinds))),
            ("amount_cents", cents(self.amounts)),
            ("result", texts(self.results)),
            ("form", none(wagers)),
            ("detail", none(wagers)),
        ]);
        context.register_table("rounds", of_rounds).unwrap();
        context.register_table("wagers", of_wagers).unwrap();
        let session = Session::over(context);
        session.tell_edges(edges).await.unwrap();
        session
    }
}

/// What each wager is worth, by enumeration through the settlement.
fn edges(rulebook: &Rulebook) -> Vec<Edge> {
    let sheet = odds(rulebook, "roulette", EDITION, &json!({}), false).unwrap();
    let edge = |line: &Line| {
        let figures = line.figures.as_ref()?;
        Some(Edge {
            game: "roulette".to_owned(),
            edition: EDITION.to_owned(),
            options: "{}".to_owned(),
            kind: line.wager.clone(),
            choice: None,
            house_edge: Some(figures.house_edge.approximate()),
            variance: Some(figures.variance.approximate()),
            won: None,
            win_rate: Some(figures.probability("win").approximate()),
            basis: line.basis.words(),
            exact: None,
            rules: sheet.rules.clone(),
        })
    };
    let mut edges: BTreeMap<String, Edge> = BTreeMap::new();
    for edge in sheet.lines.iter().filter_map(edge) {
        edges.entry(edge.kind.clone()).or_insert(edge);
    }
    edges.into_values().collect()
}

#[derive(Debug, Deserialize)]
struct Deviation {
    table_id: String,
    rounds: i64,
    z: f64,
    flag: Option<String>,
}

/// So many honest tables of so many rounds, and one at which a dealer has a friend.
async fn deviations(tables: usize, rounds: usize, friendly: usize) -> Vec<Deviation> {
    let rulebook = Rulebook::load().unwrap();
    let settled = settled(&rulebook);
    let mut played = Played::default();
    let mut chance = Chance(34);
    for table in 0..tables {
        let name = format!("RO-{table:04}");
        for _ in 0..rounds {
            let layout = chance.below(LAYOUTS.len());
            played.play(&name, layout, &settled[layout][chance.below(POCKETS)]);
        }
    }
    // The friend's best pocket comes for certain now and then: so often that the table loses 2 % of its handle more.
    let returns = |at: usize| -> i64 {
        settled[FRIENDS][at]
            .iter()
            .map(|(_, returned)| returned)
            .sum()
    };
    let best = (0..POCKETS).max_by_key(|at| returns(*at)).unwrap();
    let usual: i64 = (0..POCKETS).map(returns).sum();
    let staked: i64 = LAYOUTS[FRIENDS]
        .iter()
        .map(|(_, dollars)| dollars * 100)
        .sum();
    let gain = returns(best) * POCKETS as i64 - usual;
    let one_in = usize::try_from(gain * 50 / (staked * POCKETS as i64)).unwrap();
    for _ in 0..friendly {
        let at = match chance.below(one_in) {
            0 => best,
            _ => chance.below(POCKETS),
        };
        played.play("RO-friend", FRIENDS, &settled[FRIENDS][at]);
    }
    let session = played.session(&edges(&rulebook)).await;
    let query = named::find("hold-deviation").unwrap();
    let answer = session.named(query, &BTreeMap::new()).await.unwrap();
    answer.read().await.unwrap()
}

/// How probable a largest distance like this one is, if the values are of the normal distribution: Kolmogorov's test.
fn probability(mut z: Vec<f64>) -> f64 {
    z.sort_by(f64::total_cmp);
    let count = z.len() as f64;
    let distance = z.iter().enumerate().map(|(index, z)| {
        let below = normal(*z);
        let (low, high) = (index as f64 / count, (index + 1) as f64 / count);
        (below - low).max(high - below)
    });
    let distance = distance.fold(0.0, f64::max);
    let scaled = (count.sqrt() + 0.12 + 0.11 / count.sqrt()) * distance;
    let term = |k: i32| {
        f64::from(1 - 2 * ((k + 1) % 2)) * (-2.0 * f64::from(k * k) * scaled * scaled).exp()
    };
    (2.0 * (1..=100).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

/// The normal distribution: Abramowitz and Stegun 26.2.17, to seven digits.
fn normal(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let series = [
        0.319_381_53,
        -0.356_563_782,
        1.781_477_937,
        -1.821_255_978,
        1.330_274_429,
    ];
    let sum = series
        .iter()
        .rev()
        .fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = sum * (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z > 0.0 { 1.0 - tail } else { tail }
}

async fn hold(tables: usize, rounds: usize, friendly: usize) {
    let told = deviations(tables, rounds, friendly).await;
    let (friend, honest): (Vec<_>, Vec<_>) =
        told.into_iter().partition(|it| it.table_id == "RO-friend");
    assert_eq!(honest.len(), tables);
    assert!(honest.iter().all(|table| table.rounds == rounds as i64));
    let probability = probability(honest.iter().map(|table| table.z).collect());
    let flagged = |flag: &str| {
        honest
            .iter()
            .filter(|it| it.flag.as_deref() == Some(flag))
            .count()
    };
    let (look, escalate) = (flagged("look"), flagged("escalate"));
    println!(
        "{tables} honest tables: p = {probability:.3}; {look} to look at, {escalate} to escalate; {friend:?}"
    );
    // One test in a thousand of a fair generator fails so far; with its seed it is always the same.
    assert!(probability > 0.001, "p = {probability}");
    assert!(
        look * 100 <= tables * 8,
        "{look} of {tables}: one in twenty is beyond 1.96"
    );
    assert!(
        escalate * 100 <= tables.max(50) * 2,
        "{escalate} of {tables}: three in a thousand are beyond 3"
    );
    let [friend] = &friend[..] else {
        panic!("{friend:?}")
    };
    assert_eq!(friend.flag.as_deref(), Some("escalate"), "{friend:?}");
    assert!(friend.z < -3.0, "{friend:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn honest_tables_deviate_as_chance_does_and_two_percent_for_a_friend_are_flagged() {
    hold(60, 500, 20_000).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "1.5 million rounds: tests/run --all"]
async fn a_thousand_months_of_honest_tables_deviate_as_chance_does() {
    hold(1_000, 1_500, 20_000).await;
}

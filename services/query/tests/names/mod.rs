//! Queries that rank people, on many honest months and on one with somebody who cheats: whom they name, and how often
//! they name somebody wrongly.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{Field, Schema};
use arrow::json::ReaderBuilder;
use catwalk_archive::TABLES;
use catwalk_query::{Edge, Session, named};
use datafusion::datasource::MemTable;
use datafusion::prelude::SessionContext;
use serde_json::{Value, json};

use crate::deviation::Chance;

const MONTHS: u64 = 12;
const DAY: &str = "2026-11-15";
/// Of a month, so many false names are allowed.
const LIMIT: &str = "0.05";

/// A month: the rows of its tables.
#[derive(Default)]
struct Month(BTreeMap<&'static str, Vec<Value>>);

impl Month {
    fn push(&mut self, table: &'static str, mut row: Value) {
        row["gaming_day"] = json!(DAY);
        row["property"] = json!("ebh");
        self.0.entry(table).or_default().push(row);
    }

    fn session(self) -> Session {
        let context = SessionContext::new();
        for table in TABLES {
            let fields = table.schema();
            let fields = fields
                .fields()
                .iter()
                .map(|field| Field::new(field.name(), field.data_type().clone(), true));
            let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
            let rows = self.0.get(table.name).map_or(&[][..], Vec::as_slice);
            let mut read =
                ReaderBuilder::new(Arc::clone(&schema)).with_batch_size(rows.len().max(1));
            read = read.with_coerce_primitive(true);
            let mut read = read.build_decoder().unwrap();
            read.serialize(rows).unwrap();
            let batches: Vec<RecordBatch> = read.flush().unwrap().into_iter().collect();
            let rows = MemTable::try_new(schema, vec![batches]).unwrap();
            context.register_table(table.name, Arc::new(rows)).unwrap();
        }
        Session::over(context)
    }
}

/// The names that a query gives, most suspicious first: these columns of each row.
async fn names(
    session: &Session,
    query: &str,
    values: &[(&str, &str)],
    columns: &[&str],
) -> Vec<String> {
    let values = values
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let query = named::find(query).unwrap();
    let answer = session.named(query, &values.collect()).await.unwrap();
    let rows: Vec<Value> = answer.read().await.unwrap();
    let name = |row: &Value| {
        let parts = columns.iter().map(|column| match &row[column] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        parts.collect::<Vec<_>>().join(" ")
    };
    rows.iter().map(name).collect()
}

/// Twelve dealers at six tables, and forty patrons. One round in a hundred is paid wrongly, for anybody; if there are
/// friends, d-3 does so for p-7 in three rounds of five.
fn paid(seed: u64, friends: bool) -> Month {
    let (mut chance, mut month) = (Chance(seed), Month::default());
    for round in 0..2_400 {
        let (dealer, table) = (chance.below(12), format!("BJ-{:02}", round % 6));
        let name = format!("r-{round}");
        month.push("rounds", json!({"table_id": table, "round": name, "dealer": format!("d-{dealer}"), "rules": "h"}));
        let first = chance.below(40);
        let players: Vec<usize> = (0..3)
            .map(|other| (first + other * (1 + chance.below(12))) % 40)
            .collect();
        for player in &players {
            let player = format!("p-{player}");
            month.push(
                "wagers",
                json!({"table_id": table, "round": name, "player": player}),
            );
        }
        let mut favoured = (chance.below(100) == 0).then(|| players[chance.below(3)]);
        if friends && dealer == 3 && players.contains(&7) && chance.below(5) < 3 {
            favoured = Some(7);
        }
        if let Some(player) = favoured {
            let player = format!("p-{player}");
            month.push(
                "findings",
                json!({"table_id": table, "round": name, "player": player, "code": "pay.over", "exposure_cents": 500}),
            );
        }
    }
    month
}

#[tokio::test(flavor = "multi_thread")]
async fn pairings_name_friends_and_nobody_else() {
    let mut false_names = 0;
    for seed in 0..MONTHS {
        let session = paid(seed, false).session();
        false_names += names(
            &session,
            "pairings-ranked",
            &[("limit", LIMIT), ("min_rounds", "5")],
            &["dealer"],
        )
        .await
        .len();
    }
    assert_eq!(
        false_names, 0,
        "at most 0.6 are to be expected of {MONTHS} months"
    );
    let session = paid(77, true).session();
    let found = names(
        &session,
        "pairings-ranked",
        &[("limit", LIMIT), ("min_rounds", "5")],
        &["dealer", "player"],
    )
    .await;
    assert_eq!(found, ["d-3 p-7"]);
}

/// A dealer calls one coup in fifty off; if there is a friend, every other one that p-7 is about to lose.
fn voided(seed: u64, friend: bool) -> Month {
    let (mut chance, mut month) = (Chance(seed), Month::default());
    for round in 0..1_500 {
        let name = format!("r-{round}");
        let players: Vec<usize> = (0..3).map(|other| other * 10 + chance.below(10)).collect();
        let banker_wins = chance.below(2) == 0;
        let loses = friend && players.contains(&7) && !banker_wins;
        let is_void = chance.below(50) == 0 || loses && chance.below(2) == 0;
        let place = json!({"table_id": "MB-01", "round": name, "game": "minibaccarat", "dealer": "d-1",
            "voided": is_void});
        month.push("rounds", place);
        for player in &players {
            let kind = if *player == 7 {
                "banker"
            } else {
                ["player", "banker"][chance.below(2)]
            };
            let wager = json!({"table_id": "MB-01", "round": name, "seat": 1 + player / 10,
                "player": format!("p-{player}"), "kind": kind, "amount_cents": 2_500});
            month.push("wagers", wager);
        }
        let winner = if banker_wins {
            ["2C", "KD", "5D", "4S"]
        } else {
            ["5D", "4S", "2C", "KD"]
        };
        for (nth, card) in winner.into_iter().enumerate().filter(|_| is_void) {
            let place = if nth < 2 { "player" } else { "banker" };
            month.push(
                "cards",
                json!({"table_id": "MB-01", "round": name, "nth": nth, "place": place, "card": card}),
            );
        }
    }
    month
}

#[tokio::test(flavor = "multi_thread")]
async fn void_rounds_name_whom_they_spare_and_nobody_else() {
    let mut false_names = 0;
    for seed in 0..MONTHS {
        let session = voided(seed, false).session();
        let values = [("dealer", "d-1"), ("limit", LIMIT)];
        false_names += names(&session, "void-pattern", &values, &["player"])
            .await
            .len();
    }
    assert_eq!(
        false_names, 0,
        "at most 0.6 are to be expected of {MONTHS} months"
    );
    let session = voided(78, true).session();
    let values = [("dealer", "d-1"), ("limit", LIMIT)];
    assert_eq!(
        names(&session, "void-pattern", &values, &["player"]).await,
        ["p-7"]
    );
}

/// Forty patrons at a wheel, on red, a dozen or a number; if somebody knows the pocket, p-7 wins every other time.
fn spun(seed: u64, knows: bool) -> Month {
    let (mut chance, mut month) = (Chance(seed), Month::default());
    for round in 0..1_200 {
        let name = format!("r-{round}");
        month.push(
            "rounds",
            json!({"table_id": "RO-01", "round": name, "game": "roulette", "edition": "e", "options": "{}"}),
        );
        for seat in 0..4 {
            let player = seat * 10 + chance.below(10);
            let (kind, stops, pays) =
                [("red", 18, 1), ("dozen", 12, 2), ("straight", 1, 35)][player % 3];
            let cheats = knows && player == 7 && chance.below(2) == 0;
            let wins = chance.below(38) < stops || cheats;
            let wager = json!({"table_id": "RO-01", "round": name, "seat": seat + 1, "player": format!("p-{player}"),
                "nth": seat, "kind": kind, "amount_cents": 1_000, "result": if wins { "win" } else { "lose" },
                "returned_cents": if wins { 1_000 * (pays + 1) } else { 0 }});
            month.push("wagers", wager);
        }
    }
    month
}

fn edges() -> Vec<Edge> {
    let edge = |(kind, stops): (&str, f64)| Edge {
        game: "roulette".to_owned(),
        edition: "e".to_owned(),
        options: "{}".to_owned(),
        kind: kind.to_owned(),
        choice: None,
        house_edge: Some(2.0 / 38.0),
        variance: None,
        won: None,
        win_rate: Some(stops / 38.0),
        basis: "exact".to_owned(),
        exact: None,
        rules: "h".to_owned(),
    };
    [("red", 18.0), ("dozen", 12.0), ("straight", 1.0)]
        .map(edge)
        .into()
}

#[tokio::test(flavor = "multi_thread")]
async fn luck_names_who_knows_the_pocket_and_nobody_else() {
    let mut false_names = 0;
    for seed in 0..MONTHS {
        let session = spun(seed, false).session();
        session.tell_edges(&edges()).await.unwrap();
        false_names += names(
            &session,
            "impossible-luck",
            &[("limit", LIMIT)],
            &["what", "who"],
        )
        .await
        .len();
    }
    assert!(
        false_names <= 2,
        "{false_names}: at most 0.6 are to be expected of {MONTHS} months"
    );
    let session = spun(79, true).session();
    session.tell_edges(&edges()).await.unwrap();
    let found = names(
        &session,
        "impossible-luck",
        &[("limit", LIMIT)],
        &["what", "who"],
    )
    .await;
    assert_eq!(found, ["patron p-7"]);
}

/// Seven seats at a table, each with a side that it likes. If two of them are one, seats 2 and 5 are always opposite.
fn opposed(seed: u64, together: bool) -> Month {
    let (mut chance, mut month) = (Chance(seed), Month::default());
    for round in 0..200 {
        let second = chance.below(2);
        for seat in 1..=7 {
            let mut side = usize::from(chance.below(10) < 3 + seat / 2);
            if together && (seat == 2 || seat == 5) {
                side = if seat == 2 { second } else { 1 - second };
            }
            let wager = json!({"table_id": "MB-01", "round": format!("r-{round}"), "seat": seat,
                "player": format!("p-{seat}"), "kind": (["player", "banker"][side]), "amount_cents": 5_000});
            month.push("wagers", wager);
        }
    }
    month
}

#[tokio::test(flavor = "multi_thread")]
async fn opposite_bets_name_the_two_that_are_one() {
    let mut false_names = 0;
    let columns = ["player", "other_player"];
    for seed in 0..MONTHS {
        let session = opposed(seed, false).session();
        let values = [("table", "MB-01"), ("limit", LIMIT)];
        false_names += names(&session, "offsetting-bets", &values, &columns)
            .await
            .len();
    }
    assert_eq!(
        false_names, 0,
        "at most 0.6 are to be expected of {MONTHS} months"
    );
    let session = opposed(80, true).session();
    let values = [("table", "MB-01"), ("limit", LIMIT)];
    assert_eq!(
        names(&session, "offsetting-bets", &values, &columns).await,
        ["p-2 p-5"]
    );
}

/// A patron with sixteen against a ten, who stands now and then, or when the dealer's hidden card makes it right.
fn played(seed: u64, knows: bool) -> Month {
    let (mut chance, mut month) = (Chance(seed), Month::default());
    for round in 0..150 {
        let name = format!("r-{round}");
        let hole = ["4C", "5C", "6C", "9C", "KC"][chance.below(5)];
        let is_weak = ["4C", "5C", "6C"].contains(&hole);
        let stands = if knows { is_weak } else { chance.below(10) < 4 };
        let place = |rest: Value| {
            let mut row = json!({"table_id": "BJ-01", "round": name});
            row.as_object_mut()
                .unwrap()
                .extend(rest.as_object().unwrap().clone());
            row
        };
        month.push(
            "wagers",
            place(json!({"seat": 1, "player": "p-1", "kind": "main"})),
        );
        let lay = [
            ("seat", Some(1), "TS", "up"),
            ("dealer", None, "KD", "up"),
            ("seat", Some(1), "6S", "up"),
            ("dealer", None, hole, "down"),
        ];
        for (nth, (to, seat, card, face)) in lay.into_iter().enumerate() {
            let seq = round * 100 + nth;
            month.push(
                "cards",
                place(json!({"nth": nth, "seq": seq, "place": to, "seat": seat, "card": card, "face": face})),
            );
        }
        let action = if stands { "stand" } else { "hit" };
        month.push(
            "decisions",
            place(json!({"seat": 1, "seq": round * 100 + 50, "action": action})),
        );
    }
    month
}

#[tokio::test(flavor = "multi_thread")]
async fn play_shows_who_knows_the_hidden_card() {
    let bound = async |month: Month| {
        let session = month.session();
        let told = names(
            &session,
            "play-deviation",
            &[("player", "p-1")],
            &["own", "by_chance_at_most"],
        )
        .await;
        told[0]
            .strip_prefix("all ")
            .unwrap()
            .parse::<f64>()
            .unwrap()
    };
    let mut false_names = 0;
    for seed in 0..MONTHS {
        false_names += usize::from(bound(played(seed, false)).await <= 0.05);
    }
    assert!(
        false_names <= 2,
        "{false_names}: at most 0.6 are to be expected of {MONTHS} patrons"
    );
    assert!(bound(played(81, true)).await < 1e-6);
}

//! Every sample round of the stud games, told as events, settles as its document does, and what is found is what the
//! document shows.

mod teller;

use std::collections::{BTreeMap, BTreeSet};

use catwalk_stories::{codes, rulebook, settle};
use serde_json::{Value, json};

use teller::{Game, Teller, kind, list};

const GAMES: [Game; 8] = [
    Game {
        name: "three_card_poker",
        main: "ante",
        hand: 3,
        later: &["play"],
        house: "dealer",
        open: &[],
        stays: &["progressive"],
    },
    Game {
        name: "four_card_poker",
        main: "ante",
        hand: 5,
        later: &["play"],
        house: "dealer",
        open: &[5],
        stays: &["progressive"],
    },
    Game {
        name: "crazy_four_poker",
        main: "ante",
        hand: 5,
        later: &["play"],
        house: "dealer",
        open: &[],
        stays: &["progressive"],
    },
    Game {
        name: "caribbean_stud",
        main: "ante",
        hand: 5,
        later: &["bet"],
        house: "dealer",
        open: &[0],
        stays: &[
            "progressive",
            "five_card_bonus_player",
            "five_card_bonus_dealer",
        ],
    },
    Game {
        name: "double_down_stud",
        main: "bet",
        hand: 1,
        later: &["double_down"],
        house: "dealer",
        open: &[1, 2, 3],
        stays: &[],
    },
    Game {
        name: "let_it_ride",
        main: "bet_1",
        hand: 3,
        later: &[],
        house: "community",
        open: &[],
        stays: &["progressive", "let_it_ride_bonus"],
    },
    Game {
        name: "mississippi_stud",
        main: "ante",
        hand: 2,
        later: &["third_street", "fourth_street", "fifth_street"],
        house: "community",
        open: &[],
        stays: &["progressive"],
    },
    Game {
        name: "dj_wild",
        main: "ante",
        hand: 5,
        later: &["play"],
        house: "dealer",
        open: &[],
        stays: &[],
    },
];

/// Samples of which events tell more than their documents, by the first words of their names, and what is found.
const OTHERWISE: [(&str, &str, &[&str]); 5] = [
    // A deck that is counted short has one name at all tables.
    (
        "double_down_stud",
        "20:",
        &["deal.hand_without_wager", "deck.missing_card"],
    ),
    (
        "let_it_ride",
        "30:",
        &["deck.missing_card", "ruling.not_to_player_benefit"],
    ),
    // The third common card never came, and its double was put up before it.
    (
        "double_down_stud",
        "23:",
        &["deal.card_count", "wager.double_before_deal"],
    ),
    // The layout has no such place, and the game no such position.
    (
        "dj_wild",
        "23:",
        &["deal.card_count", "table.seat", "wager.bad_position"],
    ),
    (
        "mississippi_stud",
        "32:",
        &["deck.duplicate_card", "table.seat", "wager.bad_position"],
    ),
];

/// A sample round of a game, as its rulebook settles it.
struct Sample {
    name: String,
    document: Value,
    settlement: Value,
}

fn samples(game: &Game) -> Vec<Sample> {
    let rulebook = rulebook();
    let samples = rulebook.game(game.name).unwrap().examples().lines();
    let samples = samples.map(|line| {
        let sample: Value = serde_json::from_str(line).unwrap();
        Sample {
            name: sample["name"].as_str().unwrap().to_owned(),
            document: sample["document"].clone(),
            settlement: sample["settlement"].clone(),
        }
    });
    let samples: Vec<Sample> = samples
        .filter(|sample| sample.settlement.get("error").is_none())
        .collect();
    assert!(samples.len() > 20, "{}", game.name);
    samples
}

impl Sample {
    fn tell(&self, game: &Game) -> Vec<Value> {
        Teller::tell(game, &self.document, &self.settlement)
    }

    /// The wagers with what is due on each.
    fn wagers(&self) -> impl Iterator<Item = (&Value, &Value)> {
        let due = by_id(&self.settlement["wagers"]);
        list(&self.document["wagers"])
            .iter()
            .map(move |wager| (wager, due[&wager["id"].to_string()]))
    }
}

fn told_by(game: &Game) -> Vec<String> {
    let mut wrong = Vec::new();
    for sample in samples(game) {
        let (name, expected) = (&sample.name, &sample.settlement);
        let (findings, rounds) = settle(&sample.tell(game));
        let codes: BTreeSet<&str> = findings.iter().map(|found| &*found.code).collect();
        let mut otherwise = OTHERWISE.iter();
        let otherwise =
            otherwise.find(|(of, begins, ..)| *of == game.name && name.starts_with(begins));
        let due = match otherwise {
            Some((_, _, codes)) => json!(codes),
            None => expected["violations"].clone(),
        };
        let settled = json!(rounds[0].settlement)["wagers"].take();
        if by_id(&settled) != by_id(&expected["wagers"]) || json!(codes) != due {
            let document = rounds[0].document.clone().unwrap_or_default();
            let wagers = &expected["wagers"];
            wrong.push(format!(
                "{name}\n  found {codes:?}\n  due   {due}\n  expected {wagers}\n  got      {settled}\n  of {document}"
            ));
        }
    }
    wrong
}

fn by_id(settled: &Value) -> BTreeMap<String, &Value> {
    let settled = list(settled).iter();
    settled.map(|one| (one["id"].to_string(), one)).collect()
}

macro_rules! games {
    ($($game:ident),* $(,)?) => {
        $(#[test]
        fn $game() {
            let game = GAMES.iter().find(|game| game.name == stringify!($game)).unwrap();
            let wrong = told_by(game);
            assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
        })*
    };
}

games!(
    three_card_poker,
    four_card_poker,
    crazy_four_poker,
    caribbean_stud,
    double_down_stud,
    let_it_ride,
    mississippi_stud,
    dj_wild,
);

fn is_award(body: &Value, id: &Value) -> bool {
    let paid = ["wager_paid", "jackpot_paid"];
    body["wager"] == *id && paid.iter().any(|kind| body["type"] == *kind)
}

/// The games with a meter.
fn with_meters() -> impl Iterator<Item = &'static Game> {
    let has_meter = |game: &&Game| game.stays.iter().any(|kind| *kind != "let_it_ride_bonus");
    GAMES.iter().filter(has_meter)
}

/// A share of a meter that nobody read cannot be known; every other wager of the round is judged as if it had been.
#[test]
fn an_unread_meter_leaves_all_other_wagers_as_they_are() {
    for game in with_meters() {
        let mut shares = 0;
        for sample in samples(game) {
            let mut bodies = sample.tell(game);
            for body in &mut bodies {
                if let Some(body) = body.as_object_mut().filter(|b| b.contains_key("meters")) {
                    body.remove("meters");
                }
            }
            let (findings, rounds) = settle(&bodies);
            let unsettled = findings.iter().any(|found| found.code == "round.unsettled");
            assert!(!unsettled, "{} {}", game.name, sample.name);
            let settled = json!(rounds[0].settlement)["wagers"].take();
            let settled = by_id(&settled);
            for (wager, due) in sample.wagers() {
                let is = settled[&wager["id"].to_string()];
                let is_open = is["result"] == "open";
                shares += usize::from(is_open);
                let hangs = json!(is["hangs_on"]).to_string().contains("play.meters.");
                let name = (game.name, &sample.name);
                assert!(is == due || is_open && hangs, "{name:?} {is} {due}");
            }
        }
        assert!(shares > 0, "no share of {}", game.name);
    }
}

/// What goes back wins nothing: a chip of another size, one without its standard wager, a wager that is not offered.
#[test]
fn a_wager_that_goes_back_and_is_paid_is_found() {
    for game in &GAMES {
        let mut tried = 0;
        for sample in samples(game) {
            let honest = sample.tell(game);
            let before = codes(&honest);
            for (wager, due) in sample.wagers() {
                let is_back =
                    |body: &Value| body["type"] == "wager_pushed" && body["wager"] == wager["id"];
                if due["result"] != "void" || !before.iter().any(|code| code.starts_with("wager."))
                {
                    continue;
                }
                let Some(at) = honest.iter().rposition(is_back) else {
                    continue;
                };
                let mut paid = honest.clone();
                paid[at] = json!({"type": "wager_paid", "wager": wager["id"], "amount": 4_000});
                let found = codes(&paid);
                let told = found
                    .iter()
                    .any(|code| code == "pay.over" || code == "pay.undue");
                assert!(told, "{} {} {wager} {found:?}", game.name, sample.name);
                tried += 1;
            }
        }
        assert!(tried > 0, "nothing goes back at {}", game.name);
    }
}

/// PC 6.B: an award without valid identification waits at the cage; at the table nothing is unpaid.
#[test]
fn an_award_that_waits_at_the_cage_is_not_unpaid() {
    const DEFERRED: &str = "progressive.deferred_no_id";
    for game in with_meters().filter(|game| game.name != "caribbean_stud") {
        let mut awards = 0;
        for sample in samples(game) {
            let is_ohio = sample.document["edition"] == "oh-jack-2017";
            for (wager, due) in sample.wagers() {
                if !is_ohio || kind(wager) != "progressive" || due["result"] != "win" {
                    continue;
                }
                let mut waits = sample.tell(game);
                let at = waits.iter().position(|body| is_award(body, &wager["id"]));
                waits.remove(at.unwrap());
                let unpaid = codes(&waits);
                let has = |code: &str| unpaid.iter().any(|found| found == code);
                assert!(
                    has("pay.unpaid"),
                    "{} {} {unpaid:?}",
                    game.name,
                    sample.name
                );
                let told = json!({"type": "irregularity", "kind": "winner_without_id",
                    "detail": {"seat": wager["seat"]}, "ruling": "to the cage"});
                waits.insert(at.unwrap(), told);
                let mut found: BTreeSet<String> = codes(&waits).into_iter().collect();
                assert!(found.remove(DEFERRED), "{} {found:?}", game.name);
                let violations = &sample.settlement["violations"];
                assert_eq!(json!(found), *violations, "{} {}", game.name, sample.name);
                awards += 1;
            }
        }
        assert!(awards > 0, "no award of {}", game.name);
    }
}

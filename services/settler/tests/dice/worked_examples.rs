//! The worked examples of the dice and wheel games told as events: they settle as their documents do,
//! and what is found is what the documents violate.

use std::collections::BTreeSet;

use catwalk_stories::{open, settle};
use serde_json::{Value, json};

/// Examples with a settlement whose documents `can_be_told` accepts, told by `tell`: at least so many.
fn assert_examples(
    examples: &str,
    at_least: usize,
    can_be_told: fn(&Value) -> bool,
    tell: fn(&Value, &Value) -> Vec<Value>,
) {
    let mut told = 0;
    for line in examples.lines().filter(|line| !line.trim().is_empty()) {
        let example: Value = serde_json::from_str(line).unwrap();
        let (document, due) = (&example["document"], &example["settlement"]);
        if due["wagers"].is_null() || !can_be_told(document) {
            continue;
        }
        told += 1;
        let (findings, rounds) = settle(&tell(document, due));
        let name = &example["name"];
        // A late bet that goes back resolves what was found of it.
        let found = findings.iter().map(|finding| &*finding.code);
        let found: BTreeSet<&str> = found.filter(|code| *code != "finding.resolved").collect();
        let violations = due["violations"].as_array().unwrap();
        let violations: BTreeSet<&str> = violations.iter().filter_map(Value::as_str).collect();
        assert_eq!(found, violations, "{name}: {findings:#?}");
        let round = rounds.last().unwrap();
        let settled = serde_json::to_value(round.settlement.as_ref().unwrap()).unwrap();
        for wager in due["wagers"].as_array().unwrap() {
            let mut settled = settled["wagers"].as_array().unwrap().iter();
            let same = settled.find(|settled| settled["id"] == wager["id"]);
            assert_eq!(same, Some(wager), "{name}");
        }
    }
    assert!(told >= at_least, "{told} examples were told");
}

fn table(document: &Value) -> Value {
    let text = |key: &str| document[key].as_str().unwrap();
    open(text("game"), text("edition"), document["options"].clone())
}

fn wagers(document: &Value) -> impl Iterator<Item = &Value> {
    document["wagers"].as_array().unwrap().iter()
}

fn placed(wager: &Value) -> Value {
    let own = [
        "id", "seat", "kind", "amount", "on", "form", "late", "placed", "changes",
    ];
    let mut detail = wager.as_object().unwrap().clone();
    detail.retain(|key, _| !own.contains(&&**key));
    let mut body = json!({"type": "wager_placed", "wager": wager["id"], "seat": wager["seat"],
        "kind": wager["kind"], "amount": wager["amount"], "detail": detail});
    for key in ["on", "form"] {
        if wager[key].is_string() {
            body[key] = wager[key].clone();
        }
    }
    body
}

fn is_late(wager: &&Value) -> bool {
    wager["late"] == true
}

/// What an honest dealer does, losers first.
fn payments(document: &Value, due: &Value) -> Vec<Value> {
    let due = due["wagers"].as_array().unwrap();
    let (mut taken, mut given) = (Vec::new(), Vec::new());
    for (wager, due) in wagers(document).zip(due) {
        let (id, stake) = (&wager["id"], wager["amount"].as_i64().unwrap());
        let [win, commission, returned] =
            ["win", "commission", "returned"].map(|key| due[key].as_i64().unwrap());
        match due["result"].as_str().unwrap() {
            "win" => {
                let mut paid = json!({"type": "wager_paid", "wager": id, "amount": win});
                if commission > 0 && returned == stake + win - commission {
                    paid["commission"] = json!(commission);
                }
                given.push(paid);
            }
            "lose" if returned > 0 => taken.push(json!({"type": "wager_collected", "wager": id,
                "amount": stake - returned})),
            "lose" => taken.push(json!({"type": "wager_collected", "wager": id})),
            "push" | "void" => given.push(json!({"type": "wager_pushed", "wager": id})),
            _ => {}
        }
    }
    taken.into_iter().chain(given).collect()
}

/// A round of one outcome: bets, the call, late bets, the play, payments.
fn round(document: &Value, due: &Value, play: Vec<Value>) -> Vec<Value> {
    let mut bodies = vec![json!({"type": "round_opened"})];
    bodies.extend(wagers(document).filter(|wager| !is_late(wager)).map(placed));
    bodies.push(json!({"type": "betting_closed"}));
    bodies.extend(wagers(document).filter(is_late).map(placed));
    bodies.extend(play);
    bodies.extend(payments(document, due));
    bodies.push(json!({"type": "round_closed"}));
    bodies
}

fn irregularity(kind: &str, detail: Value) -> Value {
    json!({"type": "irregularity", "kind": kind, "detail": detail, "ruling": "as called"})
}

mod sic_bo {
    use super::*;

    fn tell(document: &Value, due: &Value) -> Vec<Value> {
        let mut play = Vec::new();
        for toss in document["play"]["tosses"].as_array().unwrap() {
            if toss["shaker_failure"] == true {
                play.push(irregularity("shaker_failure", Value::Null));
                continue;
            }
            let dice = toss["dice"].as_array().cloned().unwrap_or_default();
            let no_roll = toss["no_roll"].as_str();
            play.push(json!({"type": "dice_rolled", "dice": dice, "valid": no_roll.is_none()}));
            play.extend(no_roll.map(|reason| irregularity(reason, Value::Null)));
            let mut detail = toss.as_object().unwrap().clone();
            detail.retain(|key, _| matches!(&**key, "entered" | "shakes"));
            detail.insert("shaker".into(), document["play"]["shaker"].clone());
            detail.retain(|_, value| !value.is_null());
            play.push(irregularity("wrong_entry", Value::Object(detail)));
        }
        let mut bodies = vec![table(document)];
        bodies.extend(round(document, due, play));
        bodies
    }

    /// No dice of a no roll is one that nobody read.
    fn can_be_told(document: &Value) -> bool {
        let mut wagers = wagers(document);
        let tosses = document["play"]["tosses"].as_array();
        let lacks_dice = |toss: &Value| toss["no_roll"].is_string() && toss["dice"].is_null();
        wagers.all(|wager| wager["verbal"].is_null() || wager["verbal"] == true)
            && tosses.is_some_and(|tosses| !tosses.iter().any(lacks_dice))
    }

    #[test]
    fn settle_as_their_documents() {
        let examples = include_str!("../../../rules/src/games/sic_bo/examples.jsonl");
        assert_examples(examples, 28, can_be_told, tell);
    }
}

/// A wheel that was inspected before it is spun.
fn at_the_wheel(document: &Value, due: &Value, play: Vec<Value>) -> Vec<Value> {
    let inspected = json!({"type": "wheel_inspected", "wheel": "w", "result": "pass"});
    let mut bodies = vec![table(document), inspected];
    bodies.extend(round(document, due, play));
    bodies
}

fn spun(spin: &Value, result: &Value) -> Value {
    let mut body = json!({"type": "wheel_spun", "valid": spin["no_spin"].is_null(),
        "result": result.as_str().unwrap_or_default()});
    if !spin["revolutions"].is_null() {
        body["revolutions"] = spin["revolutions"].clone();
    }
    body
}

mod roulette {
    use super::*;

    fn tell(document: &Value, due: &Value) -> Vec<Value> {
        let mut play = Vec::new();
        for spin in document["play"]["spins"].as_array().unwrap() {
            play.push(spun(spin, &spin["pocket"]));
            let no_spin = spin["no_spin"].as_str();
            play.extend(no_spin.map(|reason| irregularity(reason, Value::Null)));
            if spin["direction"] == "same" {
                play.push(irregularity("same_direction", Value::Null));
            }
        }
        at_the_wheel(document, due, play)
    }

    /// That the ball ran as it should is not said, and a pocket that was not covered is another finding.
    fn can_be_told(document: &Value) -> bool {
        let spins = document["play"]["spins"].as_array().unwrap();
        let covered = document["options"]["wheel"] == "double_as_single";
        !spins.iter().any(|spin| {
            spin["direction"] == "opposite"
                || covered && spin["pocket"] == "00" && spin["no_spin"].is_null()
        })
    }

    #[test]
    fn settle_as_their_documents() {
        let examples = include_str!("../../../rules/src/games/roulette/examples.jsonl");
        assert_examples(examples, 24, can_be_told, tell);
    }
}

mod big_six {
    use super::*;

    fn tell(document: &Value, due: &Value) -> Vec<Value> {
        let mut play = Vec::new();
        for spin in document["play"]["spins"].as_array().unwrap() {
            let walks = spin["walk_spins"].as_u64().unwrap_or_default();
            play.extend((0..walks).map(|_| {
                json!({"type": "decision", "seat": 0,
                "action": "walk_spin"})
            }));
            let stuck = spin["passed"].is_string();
            let result = if stuck {
                &spin["passed"]
            } else {
                &spin["stop"]
            };
            play.push(spun(spin, result));
            if stuck {
                let mut detail = spin.as_object().unwrap().clone();
                detail.retain(|key, _| matches!(&**key, "passed" | "next"));
                play.push(irregularity("clapper_between", Value::Object(detail)));
            } else if let Some(reason) = spin["no_spin"].as_str() {
                play.push(irregularity(reason, Value::Null));
            }
        }
        at_the_wheel(document, due, play)
    }

    #[test]
    fn settle_as_their_documents() {
        let examples = include_str!("../../../rules/src/games/big_six/examples.jsonl");
        assert_examples(examples, 26, |_| true, tell);
    }
}

mod craps {
    use super::*;

    /// The table as the example finds it, the rolls with their bets, and the payments at the end.
    fn tell(document: &Value, due: &Value) -> Vec<Value> {
        let mut bodies = vec![table(document)];
        let start = &document["play"]["start"];
        let before = match start["point"].as_u64() {
            Some(point) => Some(json!([point / 2, point - point / 2])),
            None if start["fresh_shooter"] == false => Some(json!([3, 4])),
            None => None,
        };
        if let Some(dice) = before {
            bodies.push(json!({"type": "round_opened"}));
            bodies.push(json!({"type": "dice_rolled", "dice": dice, "valid": true}));
            bodies.push(json!({"type": "round_closed"}));
        }
        bodies.push(json!({"type": "round_opened"}));
        let rolls = document["play"]["rolls"].as_array().unwrap();
        for index in 0..=rolls.len() {
            let is_now = |wager: &&Value| wager["placed"].as_u64() == u64::try_from(index).ok();
            let in_time = |wager: &&Value| !is_late(wager) && wager["in_air"] != true;
            let bets = || wagers(document).filter(is_now);
            for bet in bets().filter(in_time) {
                bodies.push(placed(bet));
                bodies.extend(fee(bet, due));
            }
            for wager in wagers(document) {
                let changes = wager["changes"].as_array();
                for change in changes.into_iter().flatten() {
                    if change["before"].as_u64() == u64::try_from(index).ok() {
                        bodies.push(json!({"type": "wager_changed", "wager": wager["id"],
                            "amount": change["to"], "by": {"id": "d-1", "role": "dealer"}}));
                    }
                }
            }
            let Some(roll) = rolls.get(index) else { break };
            if let Some(seat) = roll["shooter"].as_u64() {
                bodies.push(json!({"type": "decision", "seat": seat, "action": "shoot"}));
            }
            if roll["decision_only"] == true {
                bodies.push(json!({"type": "decision", "seat": 1, "action": "decision_only"}));
            }
            bodies.push(json!({"type": "betting_closed", "window": format!("roll-{index}")}));
            bodies.extend(bets().filter(|bet| !in_time(bet)).map(placed));
            let no_roll = roll["no_roll"].as_str();
            bodies.push(json!({"type": "dice_rolled", "dice": roll["dice"],
                "valid": no_roll.is_none()}));
            bodies.extend(no_roll.map(|reason| irregularity(reason, Value::Null)));
            // Whoever has a fire bet with four points, surveillance knows of it.
            bodies.push(json!({"type": "decision", "seat": 0, "action": "call_surveillance"}));
        }
        bodies.extend(payments(document, due));
        bodies.push(json!({"type": "round_closed"}));
        bodies
    }

    /// Vigorish that is paid beside the stake when the bet is made.
    fn fee(bet: &Value, due: &Value) -> Option<Value> {
        let due = due["wagers"].as_array()?;
        let due = due.iter().find(|due| due["id"] == bet["id"])?;
        let [win, commission, returned] =
            ["win", "commission", "returned"].map(|key| due[key].as_i64().unwrap());
        let is_deducted =
            due["result"] == "win" && returned == bet["amount"].as_i64()? + win - commission;
        (commission > 0 && !is_deducted).then(
            || json!({"type": "commission_collected", "wager": bet["id"], "amount": commission}),
        )
    }

    /// At crapless craps a bet that is made when the dice have landed is one for the next roll.
    fn can_be_told_crapless(document: &Value) -> bool {
        can_be_told(document) && !wagers(document).any(|wager| is_late(&wager))
    }

    /// Bets that were up before were made in rounds that the example does not show; a call for some of a
    /// seat's bets alone goes with the bet.
    fn can_be_told(document: &Value) -> bool {
        let carried = |wager: &Value| wager["placed"] == -1 || wager["working"].is_array();
        let rolls = document["play"]["rolls"].as_array().unwrap();
        !wagers(document).any(carried) && !rolls.iter().any(|roll| roll["new_shooter"] == true)
    }

    #[test]
    fn settle_as_their_documents() {
        let examples = include_str!("../../../rules/src/games/craps/examples.jsonl");
        assert_examples(examples, 36, can_be_told, tell);
    }

    #[test]
    fn of_crapless_craps_settle_as_their_documents() {
        let examples = include_str!("../../../rules/src/games/crapless_craps/examples.jsonl");
        assert_examples(examples, 20, can_be_told_crapless, tell);
    }
}

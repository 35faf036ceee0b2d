//! Bets that move when the result is known.

use serde_json::{Value, json};

use super::edits::{Change, Edit, Moved, another, placed};

/// Bets that are made, raised, lowered and taken down when the result is known, and paid or taken as they are then.
pub(super) fn after_result(honest: &[&Value], at: usize, stake: i64) -> Vec<Moved> {
    let event = honest[at];
    let bet = placed(honest, event);
    let wager = &event["body"]["wager"];
    let of_bet = honest.iter().position(|other| other["body"] == *bet);
    let (Some(made), Some(kind)) = (of_bet, bet["kind"].as_str()) else {
        return Vec::new();
    };
    let first = |body: Value| Edit {
        at,
        change: Change::Before(another(event, body)),
    };
    let instead = |amount: i64| {
        let mut other = event.clone();
        other["body"]["amount"] = json!(amount);
        Edit {
            at,
            change: Change::Replace(other),
        }
    };
    let without = |at: usize| Edit {
        at,
        change: Change::Remove,
    };
    let by = json!({"id": "d-1", "role": "dealer"});
    let changed =
        |amount: i64| json!({"type": "wager_changed", "wager": wager, "amount": amount, "by": by});
    let is_alone = honest
        .iter()
        .filter(|other| other["body"]["wager"] == *wager && other["round"] == event["round"])
        .count()
        == 2;
    let ways = match event["body"]["type"].as_str() {
        Some("wager_paid") if stake > 0 => {
            let amount = event["body"]["amount"].as_i64().unwrap_or_default();
            let raised = first(changed(stake * 2));
            let mut ways = vec![("a winner is raised late", raised, vec![instead(amount * 2)])];
            if is_alone {
                ways.push((
                    "a winner is bet late",
                    first(bet.clone()),
                    vec![without(made)],
                ));
            }
            ways
        }
        Some("wager_collected") if stake > 1 => {
            let half = stake / 2;
            let gone = json!({"type": "wager_removed", "wager": wager, "by": by});
            vec![
                (
                    "a loser is lowered late",
                    first(changed(half)),
                    vec![instead(half)],
                ),
                ("a loser is taken down late", first(gone), vec![without(at)]),
            ]
        }
        _ => Vec::new(),
    };
    let ways = ways.into_iter().map(|(how, edit, more)| Moved {
        how,
        of: kind.to_owned(),
        edit,
        more,
        is_of_box: false,
    });
    ways.collect()
}

//! Bets that are made, raised or lowered when the roll that decides them is known, or on its way after
//! the call.

use catwalk_events::body::{Body, WagerChanged, WagerPaid, WagerPlaced, WagerPushed};
use catwalk_events::{Person, Role};
use catwalk_rules::Verdict;
use catwalk_rules::floor::Cents;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::Craps;
use crate::fault::FaultKind;
use crate::games::Dealt;

const LATE: &str = "late";

pub(super) fn tamper(
    craps: &Craps,
    kind: FaultKind,
    dealt: &mut Dealt,
    rng: &mut ChaCha8Rng,
) -> Option<(Cents, Vec<&'static str>)> {
    let wanted = match kind {
        FaultKind::PastPosted | FaultKind::Capped => Verdict::Win,
        FaultKind::Pinched => Verdict::Lose,
        _ => return None,
    };
    // What was lowered or made in the air is judged by other words.
    let is_plain = |wager: &Value| wager.get("changes").is_none() && wager.get("in_air").is_none();
    let suits = |&&(index, _): &&(usize, usize)| {
        craps.ended.get(index) == Some(&wanted) && is_plain(&dealt.wagers[index])
    };
    let candidates: Vec<(usize, usize)> = dealt.decided.iter().filter(suits).copied().collect();
    let &(index, after) = candidates.choose(rng)?;
    let wager = dealt.wagers[index].clone();
    let stake = wager["amount"].as_i64()?;
    // While the dice are in the air, where the call closes the betting, or else when they have come to
    // rest.
    let before = after.checked_sub(2).and_then(|at| dealt.events.get(at));
    let is_called = !craps.crapless && matches!(before, Some(Body::BettingClosed(_)));
    let change = |to: i64| -> Body {
        WagerChanged {
            wager: wager["id"].as_str().unwrap_or_default().to_owned(),
            amount: Cents::new(to),
            by: Person::new(format!("p-{}", wager["seat"]), Role::Dealer),
        }
        .into()
    };
    let (bodies, code) = match kind {
        FaultKind::PastPosted => (past_posted(dealt, &wager, stake, is_called), "wager.late"),
        FaultKind::Capped => (vec![change(stake * 2)], "wager.capped"),
        _ => (vec![change(stake / 2)], "wager.pinched"),
    };
    let at = if is_called { after - 1 } else { after };
    for body in bodies.into_iter().rev() {
        dealt.insert(at, body);
    }
    Some((Cents::ZERO, vec![code]))
}

/// The same bet once more: given back when it is noticed in time, or paid.
fn past_posted(dealt: &Dealt, wager: &Value, stake: i64, is_noticed: bool) -> Vec<Body> {
    let mut late = wager.clone();
    late["id"] = json!(LATE);
    let placed: WagerPlaced = dealt.placed(&late);
    let settled: Body = match is_noticed {
        true => WagerPushed {
            wager: LATE.to_owned(),
            amount: None,
        }
        .into(),
        false => WagerPaid {
            wager: LATE.to_owned(),
            amount: Cents::new(stake),
            commission: None,
        }
        .into(),
    };
    vec![placed.into(), settled]
}

//! Streaks: wagers that stay from round to round until they are won, lost or abandoned, 22.

use catwalk_events::Json;
use catwalk_events::body::WagerPlaced;
use catwalk_rules::Verdict;
use serde_json::json;

use super::told::guest;
use super::{End, Scene};
use crate::fault::Fault;
use crate::judge::due;
use crate::round::{RoundFold, WagerFold};

/// Was it made in an earlier round and is not decided yet? Then nobody may touch it, 22(f).
pub(super) fn is_pending(round: &RoundFold, wager: &WagerFold) -> bool {
    let made = wager.evidence.first();
    is_streak(&wager.kind) && made.is_some_and(|&made| made < round.opened_seq)
}

/// A streak that is not decided stays, with the wins that it has now: one more if the player won more
/// hands of this round than he lost, 22(k).
pub(super) fn carry(end: &End<'_>, wager: &mut WagerFold) -> bool {
    // One that was taken before its time is gone, and that was said.
    let is_taken = wager.collected.is_some();
    if !is_streak(&wager.kind) || is_taken || end.settlement.is_none() && !end.voided {
        return false;
    }
    // How many wins it has is unknown where a card that nobody saw decides about one.
    let hangs = |other: &WagerFold| {
        let due = end
            .settlement
            .and_then(|settlement| due(settlement, &other.id));
        other.seat == wager.seat && due.is_some_and(|due| due.range.is_some())
    };
    if end.round.wagers.iter().any(hangs) {
        return false;
    }
    let detail = wager.detail.as_ref().map(|detail| detail.value());
    let detail = detail.unwrap_or_default();
    let wins = detail["wins_before"].as_i64().or(detail.as_i64());
    let mut wins = wins.unwrap_or_default();
    if let Some(settlement) = end.settlement {
        let mut balance = 0;
        for other in &end.round.wagers {
            let counts = matches!(other.kind.as_str(), "main" | "split");
            if counts && other.seat == wager.seat && is_same_player(other, wager) {
                balance += match due(settlement, &other.id).map(|due| due.result) {
                    Some(Verdict::Win) => 1,
                    Some(Verdict::Lose) => -1,
                    _ => 0,
                };
            }
        }
        wins += i64::from(balance > 0);
    }
    wager.detail = Some(Json::new(&json!({"wins_before": wins})));
    true
}

/// No streak is added while another is on its way, 22(k)2.
pub(super) fn check_placed(scene: &Scene<'_>, placed: &WagerPlaced, faults: &mut Vec<Fault>) {
    if !is_streak(&placed.kind) {
        return;
    }
    let round = scene.round;
    let made = WagerFold::new(placed, scene.seq, 0, false);
    let is_his = |wager: &&WagerFold| {
        is_pending(round, wager) && wager.seat == placed.seat && is_same_player(wager, &made)
    };
    let mut pending = round.wagers.iter().filter(is_his).peekable();
    let Some(first) = pending.peek().copied() else {
        return;
    };
    let is_told_again = pending.any(|wager| wager.kind == placed.kind);
    if !is_told_again {
        let message = "A streak was added while another was on its way".to_owned();
        let evidence = [first.evidence.as_slice(), &[scene.seq]].concat();
        let fault = Fault::new("wager.streak_stacked", evidence, message);
        faults.push(fault.of_wager(&placed.wager));
    }
}

pub(super) fn is_streak(kind: &str) -> bool {
    kind.starts_with("streak_")
}

/// Of one player, as far as players are named?
pub(super) fn is_same_player(one: &WagerFold, other: &WagerFold) -> bool {
    let (one, other) = (guest(one), guest(other));
    one.is_none() || other.is_none() || one == other
}

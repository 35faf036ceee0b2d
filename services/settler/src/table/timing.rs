//! When wagers were made, and by how much too late: for the record, after the rules of the game have decided that it
//! was too late.

use std::collections::BTreeMap;

use catwalk_events::Timestamp;
use catwalk_events::body::Body;

use crate::fault::Fault;
use crate::games::Folder;
use crate::round::RoundFold;
use crate::wagers;

/// The wager that a patron puts up or changes.
pub(super) fn touched(body: &Body) -> Option<String> {
    match body {
        Body::WagerPlaced(placed) => Some(placed.wager.clone()),
        Body::WagerChanged(changed) => Some(changed.wager.clone()),
        Body::WagerRemoved(removed) => Some(removed.wager.clone()),
        _ => None,
    }
}

/// Notes what an event of the round did. `touched` is the wager that it is about, `raised` what it was told off for.
pub(super) fn note(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    at: Timestamp,
    touched: Option<&str>,
    raised: &mut [Fault],
    seated: &BTreeMap<u32, String>,
) {
    let is_faulted = |id: &str| {
        let mut of_wager = raised
            .iter()
            .filter(|fault| fault.wager.as_deref() == Some(id));
        of_wager.any(|fault| is_of_time(fault.code))
    };
    if let Some(id) = touched.filter(|id| is_faulted(id)) {
        let window = |kind: &str| folder.and_then(|folder| folder.window(kind));
        let wager = round.wagers.iter().find(|wager| wager.id == id);
        let own = wager.and_then(|wager| round.closed_at.get(window(&wager.kind)?));
        let last = round.closed_at.values().max();
        let late = own
            .or(last)
            .map(|closed| (at.micros() - closed.micros()) / 1_000);
        if let Some(wager) = round.wager_mut(id)
            && let Some(late) = late.filter(|late| *late >= 0)
        {
            wager.late_by_ms = wager.late_by_ms.max(Some(late));
            let own = raised
                .iter_mut()
                .filter(|fault| fault.wager.as_deref() == Some(id));
            own.for_each(|fault| say_by_how_much(fault, late));
        }
    }
    for wager in round
        .wagers
        .iter_mut()
        .filter(|wager| wager.placed_at.is_none())
    {
        wager.placed_at = Some(at);
        wager.seated = seated.get(&wager.seat).cloned();
    }
    let RoundFold {
        closed_at,
        closed_windows,
        ..
    } = round;
    closed_at.retain(|window, _| closed_windows.contains(window));
    for window in closed_windows {
        closed_at.entry(window.clone()).or_insert(at);
    }
}

/// "6 s after betting had closed".
fn say_by_how_much(fault: &mut Fault, late_ms: i64) {
    let seconds = late_ms / 1_000;
    let by = match seconds {
        0 => "less than a second".to_owned(),
        1..120 => format!("{seconds} s"),
        _ => format!("{} min", seconds / 60),
    };
    if let Some(said) = fault.message.strip_suffix(wagers::TOO_LATE) {
        fault.message = format!("{said}{by} {}", wagers::TOO_LATE);
    }
}

/// Was it told off for its time, and not for its size?
fn is_of_time(code: &str) -> bool {
    let last = code.rsplit(['.', '_']).next();
    matches!(last, Some("late" | "capped" | "pinched"))
}

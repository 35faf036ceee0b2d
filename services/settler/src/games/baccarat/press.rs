//! House Money presses: a payout that the dealer adds to its winner's own Player or Banker wager.
//!
//! A press is a `wager_placed` that names the wager it is added to in `on` and the House Money wager in
//! its detail, or a `wager_changed` of the wager that it is added to. What the feed does not name can
//! only be what the seat has.

use catwalk_events::body::Body;
use catwalk_rules::floor::{Cents, Rounding};
use serde_json::{Map, Value, json};

use crate::games::felt::word_of;
use crate::round::{RoundFold, WagerFold};
use crate::table::RulesInForce;

/// A press, as the document calls it.
pub(super) const PRESS: &str = "house_money_press";
/// Open until a third card is dealt.
pub(super) const PRESS_WINDOW: &str = "press";

const HOUSE_MONEY: &str = "house_money";

/// Names the two wagers behind a press.
pub(super) fn complete(entry: &mut Map<String, Value>, round: &RoundFold, press: &WagerFold) {
    if let Some(from) = source(round, press) {
        entry.insert("from".into(), json!(from));
    }
    if let Some(on) = target(round, press) {
        entry.insert("on".into(), json!(on));
    }
}

/// The wager that a press is added to: the one it names, by its id or as the side that it is on, or the first
/// of its seat that it may be added to.
pub(super) fn target(round: &RoundFold, press: &WagerFold) -> Option<String> {
    let mains = || {
        let wagers = round.wagers.iter();
        wagers.filter(|wager| wager.seat == press.seat && is_main(wager))
    };
    let in_detail = || {
        let detail = press.detail.as_ref()?.value();
        Some(detail.get("on")?.as_str()?.to_owned())
    };
    let Some(named) = press.on.clone().or_else(in_detail) else {
        return mains().next().map(|main| main.id.clone());
    };
    let of_side = mains().find(|main| main.kind == named && round.wager(&named).is_none());
    Some(of_side.map_or(named, |main| main.id.clone()))
}

/// The House Money wager that a press is paid from: the one it names, or the first of its seat that no
/// press names.
fn source(round: &RoundFold, press: &WagerFold) -> Option<String> {
    let named = |press: &WagerFold| {
        let word = word_of(press.detail.as_ref(), "from");
        word.filter(|word| word != HOUSE_MONEY || round.wager(word).is_some())
    };
    let others = || round.wagers.iter().filter(|wager| wager.kind == PRESS);
    let is_free = |id: &str| !others().any(|other| named(other).as_deref() == Some(id));
    named(press).or_else(|| {
        let unnamed = others().filter(|other| other.seat == press.seat && named(other).is_none());
        let before = unnamed.take_while(|other| other.id != press.id).count();
        let of_seat = round.wagers.iter().filter(|wager| wager.seat == press.seat);
        let mut free = of_seat.filter(|wager| wager.kind == HOUSE_MONEY && is_free(&wager.id));
        Some(free.nth(before)?.id.clone())
    })
}

/// Is this raise the filed portion of a House Money payout, added in time and once?
pub(super) fn is_raise(round: &RoundFold, wager: &WagerFold, to: Cents) -> bool {
    let portion = |paid: Cents| paid.percent(percent(&round.rules), Rounding::DOWN);
    let presses = || round.wagers.iter().filter(|wager| wager.kind == PRESS);
    let is_behind = |other: &WagerFold| {
        other.kind == HOUSE_MONEY
            && other.seat == wager.seat
            && other.paid.is_positive()
            && wager.amount + portion(other.paid) == to
            && !presses().any(|press| source(round, press).as_ref() == Some(&other.id))
    };
    let until_made = round.play.iter().take(wager.after_play);
    let is_dealt = |(_, body): &(u64, Body)| matches!(body, Body::CardDealt(_));
    is_main(wager)
        && !round.is_closed(PRESS_WINDOW)
        && !until_made.clone().any(is_dealt)
        && round.wagers.iter().any(is_behind)
}

/// Was the filed portion of a House Money payout added to a wager, and only the rest of it paid? The press
/// is told then, and its amount is held against the payout.
pub(super) fn has_rest(round: &RoundFold, wager: &WagerFold) -> bool {
    let percent = percent(&round.rules);
    let is_rest = |press: &WagerFold| {
        let whole = wager.paid + press.amount;
        whole.percent(percent, Rounding::DOWN) == press.amount
            && whole.get().checked_rem(wager.amount.get()) == Some(0)
    };
    let fits = |press: &WagerFold| match wager.paid.is_positive() {
        false => percent == 100 && !wager.is_touched(),
        true => is_rest(press),
    };
    let mut presses = round.wagers.iter().filter(|wager| wager.kind == PRESS);
    wager.kind == HOUSE_MONEY
        && presses.any(|press| fits(press) && source(round, press).as_ref() == Some(&wager.id))
}

fn is_main(wager: &WagerFold) -> bool {
    matches!(wager.kind.as_str(), "player" | "banker")
}

/// The portion of a payout that may be added.
fn percent(rules: &RulesInForce) -> i64 {
    let filed = rules.option("house_money_press_percent");
    let filed = filed.and_then(|filed| filed.as_i64());
    filed
        .filter(|percent| (1..=100).contains(percent))
        .unwrap_or(100)
}

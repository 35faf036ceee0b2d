//! What an honest dealer pays, takes and charges, as events.

use std::collections::BTreeMap;

use catwalk_events::body::{
    Body, JackpotPaid, PaidFrom, WagerCollected, WagerForm, WagerPaid, WagerPlaced, WagerPushed,
};
use catwalk_events::{Json, Person, Role};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settled, Settlement, Verdict};
use serde::Deserialize;
use serde_json::Value;

use crate::games::Dealt;

/// The cage pays an award of so much.
const LARGE_AWARD: Cents = Cents::new(1_000_000);

pub(super) fn seat_and_amount(wager: &Value) -> (u32, Cents) {
    let seat = wager["seat"]
        .as_u64()
        .and_then(|seat| u32::try_from(seat).ok());
    (
        seat.unwrap_or_default(),
        Cents::new(wager["amount"].as_i64().unwrap_or_default()),
    )
}

impl Dealt {
    /// The event of a wager: what the document has beside the common keys goes into its detail.
    pub(crate) fn placed(&self, wager: &Value) -> WagerPlaced {
        let text = |key: &str| wager[key].as_str().map(str::to_owned);
        // When a wager was made and lowered, and what it has by now, other events tell.
        let common = [
            "id",
            "seat",
            "kind",
            "amount",
            "on",
            "form",
            "placed",
            "changes",
            "point",
            "made",
            "original",
            "bonus_display",
        ];
        let aside = wager["id"].as_str().and_then(|id| self.asides.get(id));
        let aside = aside.and_then(Value::as_object);
        let detail: serde_json::Map<String, Value> = wager
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(key, _)| !common.contains(&key.as_str()))
            .chain(aside.into_iter().flatten())
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let (seat, amount) = seat_and_amount(wager);
        let id = text("id").unwrap_or_default();
        let form = self.forms.get(&id).copied();
        WagerPlaced {
            wager: id,
            seat,
            player: self.players.get(&seat).cloned(),
            kind: text("kind").unwrap_or_default(),
            amount,
            on: text("on"),
            detail: (!detail.is_empty()).then(|| Json::new(&Value::Object(detail))),
            form: form.or_else(|| WagerForm::deserialize(&wager["form"]).ok()),
            colour: None,
        }
    }
}

/// What an honest dealer does: losers are collected first, then winners are paid; each after so much
/// of the play.
pub(super) fn payments(
    dealt: &Dealt,
    settlement: &Settlement,
    defers_vigorish: bool,
) -> Vec<(usize, Body)> {
    let decided = || dealt.wagers.iter().zip(settlement.wagers()).enumerate();
    let after = |index: usize| {
        let during = dealt.decided.iter().find(|&&(of, _)| of == index);
        during.map_or(dealt.events.len(), |&(_, after)| after)
    };
    let stake = |wager: &Value| seat_and_amount(wager).1;
    let is_lifted = |index: usize| dealt.lifted.contains(&index);
    let charged = |index: usize, settled: &Settled| {
        let beside = defers_vigorish || dealt.prepaid.contains(&index);
        settled.commission != Cents::ZERO && !beside
    };
    let lifted = decided().filter(|(index, _)| is_lifted(*index));
    let lifted = lifted.map(|(_, (_, settled))| (0, collected(settled, None)));
    let lost = decided().filter(|(_, (_, settled))| settled.result == Verdict::Lose);
    let lost = lost.filter(|(index, _)| !is_lifted(*index));
    let taken = lost.map(|(index, (wager, settled))| {
        // A bonus is paid beside a stake that is lost.
        let kept = stake(wager) + settled.win.max(Cents::ZERO) - settled.returned;
        let part = (kept != stake(wager)).then_some(kept);
        (after(index), collected(settled, part))
    });
    let given = decided().flat_map(|(index, (wager, settled))| {
        let id = settled.id.to_string();
        let whole = settled.returned - settled.win == stake(wager);
        let left = (!whole || is_lifted(index)).then_some(settled.returned - settled.win);
        let pushed = WagerPushed {
            wager: id.clone(),
            amount: left,
        };
        let paid = WagerPaid {
            wager: id,
            amount: settled.win,
            commission: charged(index, settled).then_some(settled.commission),
        };
        let bodies: Vec<Body> = match settled.result {
            Verdict::Win if is_lifted(index) => vec![prize(dealt, settled)],
            Verdict::Win => vec![paid.into()],
            Verdict::Push if settled.win.is_positive() => vec![pushed.into(), paid.into()],
            Verdict::Push | Verdict::Void => vec![pushed.into()],
            Verdict::Lose if settled.win.is_positive() => vec![paid.into()],
            Verdict::Lose | Verdict::Open => Vec::new(),
        };
        bodies.into_iter().map(move |body| (after(index), body))
    });
    lifted.chain(taken).chain(given).collect()
}

/// Vigorish that is paid when the wager is made, by wager.
pub(super) fn fees(dealt: &Dealt, settlement: &Settlement) -> BTreeMap<usize, Cents> {
    let is_new = |index: &&usize| !dealt.carried.contains(index);
    let fee = |&index: &usize| {
        let fee = settlement.wagers().get(index)?.commission;
        fee.is_positive().then_some((index, fee))
    };
    let prepaid = dealt.prepaid.iter().filter(is_new);
    prepaid.filter_map(fee).collect()
}

fn collected(settled: &Settled, amount: Option<Cents>) -> Body {
    let wager = settled.id.to_string();
    WagerCollected { wager, amount }.into()
}

/// All that is given on a wager whose chip was taken in. What comes from a meter is a jackpot.
fn prize(dealt: &Dealt, settled: &Settled) -> Body {
    let (wager, amount) = (settled.id.to_string(), settled.returned);
    let meters = dealt.meters.iter().flatten();
    match meters.min_by_key(|(_, reading)| **reading) {
        Some((meter, &reading)) if amount >= Cents::new(reading.get() / 10) => JackpotPaid {
            meter: meter.clone(),
            wager,
            amount,
            by: person("f-1", Role::Floorperson),
            witness: person("s-1", Role::Surveillance),
            paid_from: Some(match amount >= LARGE_AWARD {
                true => PaidFrom::Cage,
                false => PaidFrom::Tray,
            }),
            ..JackpotPaid::default()
        }
        .into(),
        _ => WagerPaid {
            wager,
            amount,
            commission: None,
        }
        .into(),
    }
}

/// Somebody of the house, who sees to something.
pub(crate) fn person(id: &str, role: Role) -> Option<Person> {
    Some(Person::new(id, role))
}

/// The wager that is paid, taken or left.
pub(crate) fn wager_of(body: &Body) -> Option<&str> {
    match body {
        Body::WagerPaid(paid) => Some(&paid.wager),
        Body::WagerCollected(collected) => Some(&collected.wager),
        Body::WagerPushed(pushed) => Some(&pushed.wager),
        _ => None,
    }
}

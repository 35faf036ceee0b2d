//! `custody`: who had cards, dice, tiles, wheels and devices in hand.

use catwalk_events::Person;
use catwalk_events::body::{Body, Inspection};
use catwalk_log::Topic;
use serde::Serialize;

use super::{GAMING_DAY, LOG_OFFSET, LOG_PARTITION, PROPERTY, TABLE_ID, Table};
use crate::Result;
use crate::column::{Column, Kind};
use crate::item::{Arrival, Item};
use crate::rows::Rows;

pub(super) static TABLE: Table = Table {
    name: "custody",
    meaning: "One row a thing that was done with a set of cards, dice or tiles, a wheel or a device.",
    columns: &[
        GAMING_DAY,
        PROPERTY,
        TABLE_ID,
        Column::new("seq", Kind::Int, "Of the event that tells it.").steps(),
        Column::new("at", Kind::Moment, "When it happened."),
        Column::new("shift", Kind::Text, "The shift, as the house names it.").nullable(),
        Column::new("round", Kind::Text, "The round, where it belongs to one.")
            .nullable()
            .looked_up(),
        Column::new("kind", Kind::Text, "cards, dice, tiles, wheel or device."),
        Column::new("item", Kind::Text, "The set, the wheel or the device.")
            .nullable()
            .looked_up(),
        Column::new(
            "deed",
            Kind::Text,
            "delivered, opened, inspected, started, counted, replaced, removed, collected, reinspected, \
             destroyed, introduced or adjusted.",
        ),
        Column::new("person", Kind::Text, "Who did it.").nullable(),
        Column::new("role", Kind::Text, "In which role.").nullable(),
        Column::new("witness", Kind::Text, "Who watched.").nullable(),
        Column::new("seal", Kind::Text, "Number of the seal.")
            .nullable()
            .looked_up(),
        Column::new("container", Kind::Text, "The container.").nullable(),
        Column::new("shoe", Kind::Text, "Of one that is started: the shoe.").nullable(),
        Column::new("reason", Kind::Text, "Why; of one that is destroyed, how.").nullable(),
        Column::new("passed", Kind::Bool, "Of an inspection: nothing was wrong.").nullable(),
        Column::new(
            "count",
            Kind::Int,
            "How many: decks delivered, cards or dice counted.",
        )
        .nullable(),
        Column::new("serials", Kind::Texts, "Serial numbers of dice.").nullable(),
        Column::new("event_id", Kind::Text, "Of the event that tells it.").prefixes(),
        LOG_PARTITION,
        LOG_OFFSET,
        Column::new("label", Kind::Text, "What is written on the container.").nullable(),
    ],
    sorted_by: &["table_id", "at", "log_offset"],
    topic: Topic::FloorEvents,
    append,
};

#[derive(Clone, Default, Serialize)]
struct Row<'a> {
    gaming_day: i32,
    property: &'a str,
    table_id: &'a str,
    seq: u64,
    at: i64,
    shift: Option<&'a str>,
    round: Option<&'a str>,
    kind: &'static str,
    item: Option<&'a str>,
    deed: &'static str,
    person: Option<&'a str>,
    role: Option<String>,
    witness: Option<&'a str>,
    seal: Option<&'a str>,
    container: Option<&'a str>,
    shoe: Option<&'a str>,
    reason: Option<&'a str>,
    passed: Option<bool>,
    count: Option<u32>,
    serials: Option<&'a [String]>,
    event_id: &'a str,
    log_partition: u32,
    log_offset: u64,
    label: Option<&'a str>,
}

fn append(item: &Item, arrival: &Arrival, rows: &mut Rows) -> Result<()> {
    let Item::Event(event) = item else {
        return Ok(());
    };
    let Some(row) = row(&event.body) else {
        return Ok(());
    };
    rows.push(&Row {
        gaming_day: arrival.gaming_day,
        property: &event.property,
        table_id: &event.table,
        seq: event.seq,
        at: event.at.micros(),
        shift: event.shift.as_deref(),
        round: event.round.as_deref(),
        event_id: &event.id,
        log_partition: arrival.partition,
        log_offset: arrival.offset,
        ..row
    })
}

fn row(body: &Body) -> Option<Row<'_>> {
    cards(body)
        .or_else(|| dice(body))
        .or_else(|| tiles(body))
        .or_else(|| devices(body))
}

fn of<'a>(
    kind: &'static str,
    item: &'a str,
    deed: &'static str,
    by: Option<&'a Person>,
) -> Row<'a> {
    Row {
        kind,
        item: Some(item),
        deed,
        person: by.map(|by| by.id.as_str()),
        role: by.and_then(|by| Some(serde_json::to_value(by.role).ok()?.as_str()?.to_owned())),
        ..Row::default()
    }
}

fn id(person: Option<&Person>) -> Option<&str> {
    person.map(|person| person.id.as_str())
}

fn cards(body: &Body) -> Option<Row<'_>> {
    Some(match body {
        Body::CardsDelivered(told) => Row {
            witness: id(told.witness.as_ref()),
            seal: told.seal.as_deref(),
            count: Some(told.decks),
            ..of("cards", &told.set, "delivered", told.by.as_ref())
        },
        Body::CardsOpened(told) => Row {
            passed: told.seal_intact,
            ..of("cards", &told.set, "opened", told.by.as_ref())
        },
        Body::CardsInspected(told) => {
            let whole =
                told.missing.is_empty() && told.extra.is_empty() && told.unsuitable.is_empty();
            Row {
                person: named(&told.dealer),
                witness: named(&told.supervisor),
                passed: Some(whole),
                ..of("cards", &told.set, "inspected", None)
            }
        }
        Body::ShoeStarted(told) => Row {
            shoe: Some(&told.shoe),
            count: Some(told.decks),
            ..of("cards", &told.set, "started", None)
        },
        Body::CardsCounted(told) => Row {
            count: Some(told.count),
            ..of("cards", &told.set, "counted", None)
        },
        Body::CardReplaced(told) => of("cards", &told.set, "replaced", None),
        Body::CardsRemoved(told) => Row {
            reason: Some(&told.reason),
            witness: id(told.witness.as_ref()),
            ..of("cards", &told.set, "removed", told.by.as_ref())
        },
        Body::CardsCollected(told) => Row {
            container: told.container.as_deref(),
            label: told.label.as_deref(),
            seal: told.seal.as_deref(),
            ..of("cards", &told.set, "collected", told.by.as_ref())
        },
        Body::CardsReinspected(told) => {
            let unsuitable = told.unsuitable.as_ref().is_none_or(Vec::is_empty);
            let whole = told.missing.is_empty() && told.extra.is_empty() && unsuitable;
            Row {
                passed: Some(whole),
                ..of("cards", &told.set, "reinspected", told.by.as_ref())
            }
        }
        Body::CardsDestroyed(told) => Row {
            reason: told.how.as_deref(),
            count: told.count,
            container: told.container.as_deref(),
            label: told.label.as_deref(),
            witness: id(told.witness.as_ref()),
            ..of("cards", &told.set, "destroyed", told.by.as_ref())
        },
        _ => return None,
    })
}

fn dice(body: &Body) -> Option<Row<'_>> {
    Some(match body {
        Body::DiceIntroduced(told) => Row {
            count: Some(told.count),
            container: told.container.as_deref(),
            label: told.label.as_deref(),
            seal: told.seal.as_deref(),
            serials: told.serials.as_deref(),
            witness: id(told.witness.as_ref()),
            ..of("dice", &told.set, "introduced", told.by.as_ref())
        },
        Body::DiceInspected(told) => Row {
            passed: Some(told.result == Inspection::Pass),
            witness: id(told.witness.as_ref()),
            ..of("dice", &told.set, "inspected", told.by.as_ref())
        },
        Body::DiceRemoved(told) => Row {
            reason: told.reason.as_deref(),
            container: told.container.as_deref(),
            label: told.label.as_deref(),
            witness: id(told.witness.as_ref()),
            ..of("dice", &told.set, "removed", told.by.as_ref())
        },
        Body::DiceCollected(told) => Row {
            reason: told.reason.as_deref(),
            container: told.container.as_deref(),
            label: told.label.as_deref(),
            seal: told.seal.as_deref(),
            ..of("dice", &told.set, "collected", told.by.as_ref())
        },
        Body::DiceDestroyed(told) => Row {
            reason: told.how.as_deref().or(told.reason.as_deref()),
            container: told.container.as_deref(),
            label: told.label.as_deref(),
            witness: id(told.witness.as_ref()),
            ..of("dice", &told.set, "destroyed", told.by.as_ref())
        },
        _ => return None,
    })
}

fn tiles(body: &Body) -> Option<Row<'_>> {
    let (set, deed, missing, extra, by) = match body {
        Body::TilesIntroduced(t) => (&t.set, "introduced", &t.missing, &t.extra, &t.by),
        Body::TilesInspected(t) => (&t.set, "inspected", &t.missing, &t.extra, &t.by),
        Body::TilesRemoved(t) => (&t.set, "removed", &t.missing, &t.extra, &t.by),
        Body::TilesCollected(t) => (&t.set, "collected", &t.missing, &t.extra, &t.by),
        Body::TilesDestroyed(t) => (&t.set, "destroyed", &t.missing, &t.extra, &t.by),
        _ => return None,
    };
    let is_none = |list: &Option<Vec<String>>| list.as_ref().is_none_or(Vec::is_empty);
    let inspected = deed == "inspected" || missing.is_some() || extra.is_some();
    Some(Row {
        passed: inspected.then(|| is_none(missing) && is_none(extra)),
        ..of("tiles", set, deed, by.as_ref())
    })
}

fn devices(body: &Body) -> Option<Row<'_>> {
    let passed = |result: Inspection| result == Inspection::Pass;
    Some(match body {
        Body::WheelInspected(told) => Row {
            passed: Some(passed(told.result)),
            ..of("wheel", &told.wheel, "inspected", told.by.as_ref())
        },
        Body::DeviceInspected(told) => Row {
            passed: told.result.map(passed),
            ..of("device", &told.device, "inspected", told.by.as_ref())
        },
        Body::DeviceAdjusted(told) => Row {
            passed: told.result.map(passed),
            ..of("device", &told.device, "adjusted", told.by.as_ref())
        },
        _ => return None,
    })
}

/// An inspection that nobody is named for.
fn named(person: &str) -> Option<&str> {
    (!person.is_empty()).then_some(person)
}

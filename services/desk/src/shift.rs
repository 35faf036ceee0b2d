//! The report of a shift, made from what is on record: incidents, acts, the room's log and the floor.

use std::collections::BTreeMap;
use std::sync::Arc;

use catwalk_events::Timestamp;
use catwalk_events::audit::EntryKind;

use crate::act::{Act, Role};
use crate::desk::KEPT_CLOSED;
use crate::duties::Duty;
use crate::floor::TableNow;
use crate::journal::Entry;
use crate::room::{Dossier, Room, View, lock, now};
use crate::watched::{Gap, Moved};

/// Which shift.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    /// `None`: all that the reader may see.
    pub(crate) property: Option<String>,
    pub(crate) from: Timestamp,
    pub(crate) until: Timestamp,
}

#[derive(Debug)]
pub(crate) struct Shift {
    pub(crate) span: Span,
    pub(crate) made_at: Timestamp,
    /// What keeps this report from being whole.
    pub(crate) gaps: Vec<String>,
    pub(crate) people: Vec<Worked>,
    /// Incidents that people could know of in this time.
    pub(crate) came: Vec<Arc<Dossier>>,
    /// Those that nobody has closed yet, of earlier shifts too.
    pub(crate) open: Vec<Arc<Dossier>>,
    /// Acknowledged after their deadline, or not at all and it has passed.
    pub(crate) late: usize,
    pub(crate) entries: Vec<Arc<Entry>>,
    /// What came of this time, and what is still to be told.
    pub(crate) duties: Vec<Arc<Duty>>,
    pub(crate) tables: Vec<TableShift>,
    /// The last hand-over of this time, and who took it over.
    pub(crate) handed_over: Option<(Arc<Entry>, Option<Arc<Entry>>)>,
}

/// Somebody who was at work.
#[derive(Debug)]
pub(crate) struct Worked {
    pub(crate) id: String,
    pub(crate) role: Role,
    pub(crate) acts: u64,
    pub(crate) entries: u64,
}

/// A table in this time.
#[derive(Debug)]
pub(crate) struct TableShift {
    pub(crate) property: String,
    pub(crate) table: String,
    pub(crate) lost: u64,
    /// In which something is missing, and in which nothing came.
    pub(crate) gap_ms: i64,
    pub(crate) silent_ms: i64,
    pub(crate) money: Vec<Moved>,
    pub(crate) extended: Vec<(String, Timestamp)>,
}

impl Span {
    fn has(&self, at: Timestamp) -> bool {
        self.from <= at && at < self.until
    }

    fn has_ms(&self, ms: i64) -> bool {
        self.has(Timestamp::from_micros(ms.saturating_mul(1_000)))
    }

    /// So much of a time lies in this one.
    fn part_of(&self, gap: &Gap) -> i64 {
        let from = gap.from_ms.max(self.from.micros() / 1_000);
        let until = gap.until_ms.min(self.until.micros() / 1_000);
        until.saturating_sub(from).max(0)
    }

    fn is_of(&self, property: &str) -> bool {
        self.property.as_ref().is_none_or(|own| own == property)
    }
}

impl Shift {
    /// The report of what a reader who `sees` only some properties may see.
    pub(crate) fn of(room: &Room, span: Span, sees: impl Fn(&str) -> bool) -> Shift {
        let is_seen = |property: &str| span.is_of(property) && sees(property);
        let mut shift = room.look(|view| Shift::of_view(view, &span, &is_seen));
        let floor = lock(&room.floor);
        let tables = floor.tables().filter(|table| is_seen(&table.property));
        for table in tables {
            let forgotten = table.watched.forgotten_ms;
            if forgotten.is_some_and(|ms| span.has_ms(ms)) {
                let name = &table.table;
                shift.gaps.push(format!(
                    "so much happened at {name} that its fills, drops and gaps are not all listed: the archive has them"
                ));
            }
            shift.tables.extend(table_shift(table, &span, room));
        }
        if floor.is_behind || room.standing().is_behind {
            let behind = "the desk has not read all that is on the log yet";
            shift.gaps.push(behind.to_owned());
        }
        shift
    }

    fn of_view(view: &View, span: &Span, sees: &dyn Fn(&str) -> bool) -> Shift {
        let dossiers = view.incidents.values();
        let dossiers = dossiers.filter(|dossier| sees(&dossier.record.property));
        let mut people: BTreeMap<String, Worked> = BTreeMap::new();
        let (mut came, mut open, mut late) = (Vec::new(), Vec::new(), 0);
        for dossier in dossiers {
            let by_people = |act: &&Act| span.has(act.at) && act.by.role != Role::Clock;
            for act in dossier.acts.iter().filter(by_people) {
                worked(&mut people, &act.by.id, act.by.role).acts += 1;
            }
            let one = &dossier.record;
            if span.has(one.heard) {
                late += usize::from(is_late(dossier));
                came.push(dossier.clone());
            }
            if one.status == "open" && one.heard < span.until {
                open.push(dossier.clone());
            }
        }
        let entries = view.journal.values().filter(|entry| sees(&entry.property));
        let all: Vec<Arc<Entry>> = entries.cloned().collect();
        let mut entries = all.clone();
        entries.retain(|entry| span.has(entry.at));
        for entry in &entries {
            worked(&mut people, &entry.by.id, entry.by.role).entries += 1;
        }
        let by_rank = |one: &Arc<Dossier>| (one.record.priority, one.record.heard);
        came.sort_by_key(by_rank);
        open.sort_by_key(by_rank);
        let mut gaps = Vec::new();
        if view.counts.closed > KEPT_CLOSED as u64 {
            gaps.push(format!(
                "only the {KEPT_CLOSED} incidents that were closed last are counted here: the archive has the others"
            ));
        }
        let duties = view.duties.values().filter(|duty| {
            let is_of_it = span.has(duty.since) || (duty.is_open() && duty.since < span.until);
            is_of_it && sees(&duty.property)
        });
        let mut duties: Vec<Arc<Duty>> = duties.cloned().collect();
        duties.sort_by_key(|duty| duty.due_by);
        let handed_over = entries.iter().rev().find(|one| is_hand_over(one)).cloned();
        Shift {
            span: span.clone(),
            made_at: now(),
            gaps,
            people: people.into_values().collect(),
            came,
            open,
            late,
            handed_over: handed_over.map(|offer| {
                let taken = all.iter().find(|one| takes_over(one, &offer));
                (offer.clone(), taken.cloned())
            }),
            entries,
            duties,
            tables: Vec::new(),
        }
    }

    /// Entries of one kind.
    pub(crate) fn of_kind(&self, kind: EntryKind) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.iter().filter(move |one| one.said.kind == kind)
    }

    /// Incidents that came, by priority.
    pub(crate) fn by_priority(&self) -> [u64; 4] {
        let mut count = [0; 4];
        for dossier in &self.came {
            let place = dossier.record.priority.saturating_sub(1) as usize;
            if let Some(count) = count.get_mut(place) {
                *count += 1;
            }
        }
        count
    }
}

fn worked<'a>(people: &'a mut BTreeMap<String, Worked>, id: &str, role: Role) -> &'a mut Worked {
    let person = people.entry(id.to_owned()).or_insert_with(|| Worked {
        id: id.to_owned(),
        role,
        acts: 0,
        entries: 0,
    });
    person.role = person.role.max(role);
    person
}

/// Somebody had to be called: the deadline had passed.
fn is_late(dossier: &Dossier) -> bool {
    let by_clock = |act: &Act| act.by.role == Role::Clock;
    dossier.acts.iter().any(by_clock)
}

fn is_hand_over(entry: &Entry) -> bool {
    entry.said.kind == EntryKind::HandOver
}

fn takes_over(entry: &Entry, offer: &Entry) -> bool {
    entry.said.kind == EntryKind::TakeOver
        && entry.property == offer.property
        && entry.said.refers_to == Some(offer.said.number)
}

/// What there is to be told of a table, if there is anything.
fn table_shift(table: &TableNow, span: &Span, room: &Room) -> Option<TableShift> {
    let watched = &table.watched;
    let gaps = || watched.gaps.iter().filter(|gap| span.has_ms(gap.until_ms));
    let mut silent_ms: i64 = watched.silences.iter().map(|gap| span.part_of(gap)).sum();
    // One that lasts.
    if let Some(since_ms) = table.silent_since_ms(room) {
        let until_ms = now().micros() / 1_000;
        silent_ms += span.part_of(&Gap {
            from_ms: since_ms,
            until_ms,
            lost: 0,
        });
    }
    let money = watched.money.iter();
    let told = TableShift {
        property: table.property.clone(),
        table: table.table.clone(),
        lost: gaps().map(|gap| gap.lost).sum(),
        gap_ms: gaps().map(|gap| span.part_of(gap)).sum(),
        silent_ms,
        money: money
            .filter(|one| span.has_ms(one.heard_ms))
            .cloned()
            .collect(),
        extended: watched
            .extended
            .iter()
            .map(|(set, at)| (set.clone(), *at))
            .collect(),
    };
    let is_quiet = told.lost == 0 && told.silent_ms == 0;
    (!is_quiet || !told.money.is_empty() || !told.extended.is_empty()).then_some(told)
}

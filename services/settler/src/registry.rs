//! Who may speak: the properties, tables and devices that a floor registered, against those that send events.
//!
//! A floor registers by an event, `floor_registered`, that any table of it may send. Where no floor ever did, nothing
//! is called unregistered. Tables lie on different partitions of the log, and the registration on one of them: so each
//! settler [notes](Doorkeeper) once whom it hears, and one [`Registry`] reads the notes of all. What it finds does not
//! hang on the order in which it reads them, as long as nobody is registered after having spoken: for whom that is so,
//! a finding is resolved.

use std::collections::{BTreeMap, BTreeSet};

use catwalk_events::audit::Finding;
use catwalk_events::body::Body;
use catwalk_events::{Event, SourceKind, Timestamp};
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

use crate::by_table::ByTable;

/// So many tables are noted, and so many devices of each; who comes later is not.
const MAX_TABLES: usize = 10_000;
const MAX_DEVICES: usize = 64;
/// So many registrations of a property count.
const MAX_TOLD: usize = 64;

/// What a settler heard for the first time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Heard {
    /// A table, or a device at a table.
    Speaker(Speaker),
    /// A floor that says what it consists of.
    Floor(Registration),
}

/// Who speaks, and when it was first heard.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Speaker {
    property: String,
    table: String,
    device: Option<String>,
    /// The device was inspected at this table before it spoke there.
    inspected: bool,
    at: Timestamp,
    seq: u64,
}

/// What a property consists of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Registration {
    property: String,
    tables: Vec<String>,
    devices: Option<Vec<String>>,
    at: Timestamp,
    seq: u64,
}

impl Heard {
    /// Its key among what is kept: no two that differ share one.
    pub(crate) fn key(&self) -> String {
        match self {
            Heard::Speaker(speaker) => {
                let names = [Some(&speaker.table), speaker.device.as_ref()];
                format!("{KEYS} {:?} {names:?}", speaker.property)
            }
            Heard::Floor(told) => {
                format!("{KEYS} {:?} floor {} {}", told.property, told.at, told.seq)
            }
        }
    }
}

/// What the keys of notes begin with.
pub(crate) const KEYS: &str = "heard";

/// Notes whom a settler hears, each once.
#[derive(Debug, Default)]
pub(crate) struct Doorkeeper {
    known: ByTable<Known>,
    told: BTreeMap<String, usize>,
}

#[derive(Debug, Default)]
struct Known {
    devices: Vec<String>,
    inspected: Vec<String>,
}

impl Doorkeeper {
    /// What is new in an event.
    pub(crate) fn hear(&mut self, event: &Event) -> Vec<Heard> {
        let mut heard = Vec::new();
        let is_new = self.known.get(&event.property, &event.table).is_none();
        if is_new && self.known.len() >= MAX_TABLES {
            return heard;
        }
        let speaker = |device: Option<&String>, inspected| {
            Heard::Speaker(Speaker {
                property: event.property.clone(),
                table: event.table.clone(),
                device: device.cloned(),
                inspected,
                at: event.at,
                seq: event.seq,
            })
        };
        if is_new {
            heard.push(speaker(None, false));
        }
        let known = self
            .known
            .get_or_insert_with(&event.property, &event.table, Known::default);
        if let Body::DeviceInspected(inspected) = &event.body
            && known.inspected.len() < MAX_DEVICES
            && !known.inspected.contains(&inspected.device)
        {
            known.inspected.push(inspected.device.clone());
        }
        let device = &event.source.id;
        let is_device = event.source.kind == SourceKind::Device;
        if is_device && known.devices.len() < MAX_DEVICES && !known.devices.contains(device) {
            known.devices.push(device.clone());
            heard.push(speaker(Some(device), known.inspected.contains(device)));
        }
        if let Body::FloorRegistered(told) = &event.body {
            let count = self.told.entry(told.property.clone()).or_default();
            *count += 1;
            if *count <= MAX_TOLD {
                heard.push(Heard::Floor(Registration {
                    property: told.property.clone(),
                    tables: told.tables.clone(),
                    devices: told.devices.clone(),
                    at: event.at,
                    seq: event.seq,
                }));
            }
        }
        heard
    }

    /// Somebody who was noted before.
    pub(crate) fn know(&mut self, heard: &Heard) {
        match heard {
            Heard::Speaker(speaker) => {
                let known = self.known.get_or_insert_with(
                    &speaker.property,
                    &speaker.table,
                    Known::default,
                );
                known.devices.extend(speaker.device.clone());
            }
            Heard::Floor(told) => *self.told.entry(told.property.clone()).or_default() += 1,
        }
    }
}

/// Holds who speaks against what the floors registered.
#[derive(Debug, Default)]
pub struct Registry {
    /// Where one reader has all events, the notes are its own.
    door: Doorkeeper,
    floors: BTreeMap<String, Floor>,
    /// By property and device; the tables themselves have none.
    speakers: BTreeMap<(String, Option<String>), BTreeSet<Speaker>>,
    /// Whose finding is not put right, and its id.
    found: BTreeMap<Speaker, String>,
}

#[derive(Debug, Default)]
struct Floor {
    tables: BTreeSet<String>,
    devices: Option<BTreeSet<String>>,
}

impl Registry {
    /// Takes an event of a feed that has all tables in it.
    pub fn hear(&mut self, event: &Event) -> Vec<Finding> {
        let heard = self.door.hear(event);
        heard
            .into_iter()
            .flat_map(|heard| self.receive(heard))
            .collect()
    }

    /// Did any floor register? Where none did, nothing is called unregistered.
    fn is_told(&self) -> bool {
        !self.floors.is_empty()
    }

    /// Takes what a settler heard, and says what it shows.
    pub(crate) fn receive(&mut self, heard: Heard) -> Vec<Finding> {
        let touched: Vec<Speaker> = match heard {
            Heard::Speaker(speaker) => {
                let key = (speaker.property.clone(), speaker.device.clone());
                let same = self.speakers.entry(key).or_default();
                same.insert(speaker.clone());
                // A device that speaks elsewhere is found by those that came later.
                match speaker.device {
                    Some(_) => same.iter().cloned().collect(),
                    None => vec![speaker],
                }
            }
            Heard::Floor(told) => {
                let floor = self.floors.entry(told.property).or_default();
                floor.tables.extend(told.tables);
                if let Some(devices) = told.devices {
                    floor.devices.get_or_insert_default().extend(devices);
                }
                self.speakers.values().flatten().cloned().collect()
            }
        };
        match self.is_told() {
            true => touched
                .into_iter()
                .filter_map(|speaker| self.judge(speaker))
                .collect(),
            false => Vec::new(),
        }
    }

    /// What is wrong with a speaker now and was not told, or was told and is not wrong any more.
    fn judge(&mut self, speaker: Speaker) -> Option<Finding> {
        let fault = self.fault(&speaker);
        match (fault, self.found.get(&speaker)) {
            (Some((code, message)), None) => {
                let finding = speaker.finding(code, message, None);
                self.found.insert(speaker, finding.id.clone());
                Some(finding)
            }
            (None, Some(_)) => {
                let resolves = self.found.remove(&speaker);
                let message = format!("{} was registered later", speaker.name());
                Some(speaker.finding("finding.resolved", message, resolves))
            }
            _ => None,
        }
    }

    fn fault(&self, speaker: &Speaker) -> Option<(&'static str, String)> {
        let Speaker {
            property,
            table,
            device,
            ..
        } = speaker;
        let Some(floor) = self.floors.get(property) else {
            let message =
                format!("{table} speaks for property {property}, which nobody registered");
            return device.is_none().then_some(("floor.unregistered", message));
        };
        let Some(device) = device else {
            let message = format!(
                "Table {table} sends events and is none of the {} tables that {property} registered",
                floor.tables.len()
            );
            let is_known = floor.tables.contains(table);
            return (!is_known).then_some(("floor.unregistered", message));
        };
        if let Some(devices) = &floor.devices
            && !devices.contains(device)
        {
            let message = format!(
                "Device {device} speaks for {table} and is none of the {} that {property} registered",
                devices.len()
            );
            return Some(("device.unregistered", message));
        }
        let first = self.elsewhere(speaker)?;
        let message = format!(
            "Device {device} speaks for {table}; it is that of {}, and nobody inspected it at {table}",
            first.table
        );
        Some(("device.elsewhere", message))
    }

    /// The table that a device spoke for before this one, where it was not inspected in between.
    fn elsewhere(&self, speaker: &Speaker) -> Option<&Speaker> {
        let before = |other: &&Speaker| {
            other.table != speaker.table && (other.at, &other.table) < (speaker.at, &speaker.table)
        };
        let key = (speaker.property.clone(), speaker.device.clone());
        let others = self.speakers.get(&key)?.iter().filter(before);
        let first = others.min_by_key(|other| (other.at, &other.table));
        first.filter(|_| !speaker.inspected)
    }
}

impl Speaker {
    fn name(&self) -> String {
        match &self.device {
            Some(device) => format!("Device {device}"),
            None => format!("Table {} of {}", self.table, self.property),
        }
    }

    fn finding(&self, code: &str, message: String, resolves: Option<String>) -> Finding {
        let finding = Finding {
            id: String::new(),
            code: code.to_owned(),
            severity: match resolves {
                Some(_) => Severity::Info,
                None => Severity::Warn,
            },
            property: self.property.clone(),
            table: self.table.clone(),
            game: None,
            round: None,
            wager: None,
            seat: None,
            dealer: None,
            at: self.at,
            due: None,
            paid: None,
            exposure: Cents::ZERO,
            message,
            cites: vec!["watch".to_owned()],
            evidence: vec![self.seq],
            rules: None,
            resolves,
            player: None,
            trial: None,
        };
        finding.seal_about(self.device.as_deref().unwrap_or_default())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use catwalk_events::json;
    use serde_json::{Value, json};

    use super::*;

    fn event(property: &str, table: &str, seq: u64, device: &str, body: &Value) -> Event {
        let event = json!({"id": format!("{table}-{seq}"), "property": property, "table": table,
            "seq": seq, "at": format!("2026-11-19T20:00:{seq:02}Z"),
            "source": {"kind": "device", "id": device}, "body": body});
        json::read(&event.to_string()).unwrap()
    }

    fn told(devices: &[&str]) -> Value {
        json!({"type": "floor_registered", "property": "ebh", "tables": ["RO-01", "RO-02"],
            "devices": devices})
    }

    fn codes(events: &[Event]) -> Vec<String> {
        let mut registry = Registry::default();
        let found = events.iter().flat_map(|event| registry.hear(event));
        found.map(|found| found.code).collect()
    }

    #[test]
    fn who_is_not_registered_is_found_in_whatever_order_it_is_heard() {
        let clock = json!({"type": "clock"});
        let devices = ["r-1", "r-2"];
        let mut events = vec![
            event("ebh", "RO-01", 1, "r-1", &told(&devices)),
            event("ebh", "RO-02", 2, "r-2", &clock),
            event("ebh2", "RO-01", 3, "r-9", &clock),
            event("ebh", "MB-1", 4, "r-8", &clock),
        ];
        let due = [
            "device.unregistered",
            "floor.unregistered",
            "floor.unregistered",
        ];
        for _ in 0..events.len() {
            let mut found = codes(&events);
            found.sort();
            assert_eq!(found, due);
            events.rotate_left(1);
        }
    }

    #[test]
    fn a_floor_that_never_registered_is_not_watched() {
        let clock = json!({"type": "clock"});
        let events = [
            event("ebh", "RO-01", 1, "r-1", &clock),
            event("ebh2", "RO-02", 1, "r-1", &clock),
        ];
        assert_eq!(codes(&events), [""; 0]);
    }

    #[test]
    fn a_device_that_speaks_for_anothers_table_is_found_and_one_that_was_moved_is_not() {
        let clock = json!({"type": "clock"});
        let inspected = json!({"type": "device_inspected", "device": "r-1", "kind": "reader"});
        let devices = ["r-1", "pit"];
        let mut events = vec![
            event("ebh", "RO-01", 1, "r-1", &told(&devices)),
            event("ebh", "RO-02", 2, "r-1", &clock),
        ];
        assert_eq!(codes(&events), ["device.elsewhere"]);
        events.insert(1, event("ebh", "RO-02", 1, "pit", &inspected));
        assert_eq!(codes(&events), [""; 0]);
    }

    #[test]
    fn a_table_that_is_registered_later_resolves_its_finding() {
        let clock = json!({"type": "clock"});
        let later = json!({"type": "floor_registered", "property": "ebh", "tables": ["MB-1"]});
        let events = [
            event("ebh", "RO-01", 1, "r-1", &told(&["r-1", "r-8"])),
            event("ebh", "MB-1", 4, "r-8", &clock),
            event("ebh", "RO-01", 5, "r-1", &later),
        ];
        assert_eq!(codes(&events), ["floor.unregistered", "finding.resolved"]);
    }
}

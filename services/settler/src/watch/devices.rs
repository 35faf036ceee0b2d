//! Shoes, shufflers, card readers and shakers: inspected on the gaming day of their use.
//!
//! When a gaming day begins is the house's own matter, and the feed does not say. What holds whenever
//! it begins: an inspection more than 24 hours before a use was of another gaming day. The display of a sic
//! bo table is looked at for each opening.

use std::collections::BTreeMap;

use catwalk_events::body::{
    Body, DealingMethod, DeviceAdjusted, DeviceInspected, DeviceKind, Inspection, ShoeStarted,
};
use catwalk_events::{Event, Timestamp};
use serde::{Deserialize, Serialize};

use super::{AtTable, DAY, Sighting, is_past, make_room};

/// So many devices of a table are kept, the one inspected longest ago first to go.
const MAX_DEVICES: usize = 32;

/// The last inspection of each device, and when a shaker that nobody inspected since was first used.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Devices {
    inspected: BTreeMap<String, Inspected>,
    /// The first roll since the last inspection of a shaker.
    rolled: Option<(Timestamp, u64)>,
    told: BTreeMap<String, u64>,
    /// Events are missing, and no device was inspected since.
    uncertain: bool,
    /// When the table last closed, until its display was looked at or missed.
    closed: Option<u64>,
    /// The devices that the last shoe was shuffled by and dealt from, and the shoe.
    in_use: InUse,
}

/// What stands on the table since a shoe was started with it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct InUse {
    shuffler: Option<(String, u64)>,
    automated_shoe: Option<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Inspected {
    kind: DeviceKind,
    at: Timestamp,
    seq: u64,
    passed: bool,
}

impl Devices {
    /// An inspection may be among what is missing.
    pub(super) fn lose(&mut self) {
        *self = Devices {
            uncertain: true,
            ..Devices::default()
        };
    }

    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        match &event.body {
            Body::DeviceInspected(inspected) => self.inspect(inspected, event),
            Body::DeviceAdjusted(adjusted) if adjusted.removed == Some(true) => {
                self.in_use.remove(adjusted);
            }
            Body::TableOpened(_) => self.in_use = InUse::default(),
            Body::ShoeStarted(started) => {
                self.in_use.start(started, event.seq, seen);
                // Of a table whose opening nobody told, the morning is not known either.
                let named = started.shuffler.as_ref();
                if let Some(shuffler) = named.filter(|_| table.rules.is_some()) {
                    self.use_named(shuffler, DeviceKind::Shuffler, event, table, seen);
                } else if started.method == DealingMethod::Continuous {
                    self.use_any(DeviceKind::Shuffler, event, table, seen);
                }
                let by_shoe = [DealingMethod::Shoe, DealingMethod::AutoShoe];
                if by_shoe.contains(&started.method) {
                    self.use_any(DeviceKind::Shoe, event, table, seen);
                }
                if table.rules.is_some() {
                    self.use_any(DeviceKind::Reader, event, table, seen);
                }
            }
            Body::TableClosed(_) => {
                self.closed = Some(event.seq);
                self.in_use = InUse::default();
            }
            Body::DiceRolled(_) => {
                self.roll(event, table, seen);
                if table.is_open && event.round.is_some() {
                    self.opening_check(event, table, seen);
                }
            }
            _ => {}
        }
    }

    fn inspect(&mut self, inspected: &DeviceInspected, event: &Event) {
        let inspection = Inspected {
            kind: inspected.kind,
            at: event.at,
            seq: event.seq,
            passed: inspected.result != Some(Inspection::Fail),
        };
        match inspected.kind {
            DeviceKind::Shaker => self.rolled = None,
            DeviceKind::Display => self.closed = None,
            _ => {}
        }
        self.uncertain = false;
        self.told.remove(&inspected.device);
        self.told.remove(word(inspected.kind));
        self.inspected.insert(inspected.device.clone(), inspection);
        make_room(&mut self.inspected, MAX_DEVICES, |device| device.seq);
    }

    /// A device is used that the event names: a feed that tells of it tells of its inspection as well, as it
    /// does of those of cards, dice and wheels. 146.51(7)
    fn use_named(
        &mut self,
        name: &str,
        kind: DeviceKind,
        event: &Event,
        table: &AtTable<'_>,
        seen: &mut Vec<Sighting>,
    ) {
        if self.uncertain {
            return;
        }
        let known = self.inspected.get(name);
        let fault = match known {
            Some(device) if !device.passed => "had failed its inspection",
            Some(device) if !is_past(device.at, event.at, DAY) => return,
            _ => "was not inspected on this gaming day",
        };
        let last = known.map(|device| device.seq);
        self.say((name, kind), fault, last, event, table, seen);
    }

    /// A device is used that the event does not name: the last one of its kind that was inspected here
    /// is meant. Where none ever was, the feed does not tell of such inspections.
    fn use_any(
        &mut self,
        kind: DeviceKind,
        event: &Event,
        table: &AtTable<'_>,
        seen: &mut Vec<Sighting>,
    ) {
        let of_kind = self.inspected.values().filter(|device| device.kind == kind);
        let Some(last) = of_kind.max_by_key(|device| device.seq) else {
            return;
        };
        let fault = match last {
            device if !device.passed => "had failed its inspection",
            device if !is_past(device.at, event.at, DAY) => return,
            _ => "was not inspected on this gaming day",
        };
        let seq = last.seq;
        self.say((word(kind), kind), fault, Some(seq), event, table, seen);
    }

    /// Shakers are inspected at the end of the gaming day: the next day's play does not begin before.
    fn roll(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        let is_shaker = |device: &Inspected| device.kind == DeviceKind::Shaker;
        if !self.inspected.values().any(is_shaker) {
            return;
        }
        let (since, seq) = *self.rolled.get_or_insert((event.at, event.seq));
        if is_past(since, event.at, DAY) {
            let fault = "was not inspected at the end of the gaming day";
            let kind = DeviceKind::Shaker;
            self.say((word(kind), kind), fault, Some(seq), event, table, seen);
        }
    }

    /// Before sic bo opens its display is looked at; where none ever was, the feed does not tell of that.
    fn opening_check(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        let is_display = |device: &Inspected| device.kind == DeviceKind::Display;
        let code = table.first_filed(&["sicbo.opening_check_missing"]);
        let (Some(code), Some(closed)) = (code, self.closed.take()) else {
            return;
        };
        if self.inspected.values().any(is_display) {
            let message = "The display was not looked at before the table opened".to_owned();
            seen.push(Sighting::new(code, vec![closed, event.seq], message));
        }
    }

    /// Once until its next inspection, where the jurisdiction asks for one.
    fn say(
        &mut self,
        (name, kind): (&str, DeviceKind),
        fault: &str,
        last: Option<u64>,
        event: &Event,
        table: &AtTable<'_>,
        seen: &mut Vec<Sighting>,
    ) {
        let game = table.rules.map(|rules| rules.game.as_str());
        let Some(rule) = table.chapter.device(word(kind), game) else {
            return;
        };
        if self.told.insert(name.to_owned(), event.seq).is_some() {
            return;
        }
        make_room(&mut self.told, MAX_DEVICES, |seq| *seq);
        let message = match word(kind) {
            kind if kind == name => format!("The {kind} of the table {fault}"),
            kind => format!("The {kind} {name} {fault}"),
        };
        let evidence = last.into_iter().chain([event.seq]).collect();
        let sighting = Sighting::new("device.not_inspected", evidence, message).about(name);
        seen.push(sighting.cited(&rule.cite));
    }
}

impl InUse {
    fn remove(&mut self, adjusted: &DeviceAdjusted) {
        match adjusted.kind {
            DeviceKind::Shoe => self.automated_shoe = None,
            _ => {
                let is_it = |(name, _): &mut (String, u64)| *name == adjusted.device;
                self.shuffler.take_if(is_it);
            }
        }
    }

    /// Whoever shuffles or deals otherwise takes the device off the table first; a feed that names none is not
    /// judged.
    fn start(&mut self, started: &ShoeStarted, seq: u64, seen: &mut Vec<Sighting>) {
        let mut say = |since: u64, what: String| {
            let message = format!("{what} was not taken off the table");
            seen.push(Sighting::new(
                "device.not_removed",
                vec![since, seq],
                message,
            ));
        };
        match &started.shuffler {
            Some(shuffler) => self.shuffler = Some((shuffler.clone(), seq)),
            None => {
                if let Some((name, since)) = self.shuffler.take() {
                    say(
                        since,
                        format!("Cards were shuffled without the shuffler {name}, which"),
                    );
                }
            }
        }
        match started.method {
            DealingMethod::AutoShoe => self.automated_shoe = Some(seq),
            _ => {
                if let Some(since) = self.automated_shoe.take() {
                    say(
                        since,
                        "Cards were dealt without the automated shoe, which".to_owned(),
                    );
                }
            }
        }
    }
}

fn word(kind: DeviceKind) -> &'static str {
    match kind {
        DeviceKind::Shoe => "shoe",
        DeviceKind::Shuffler => "shuffler",
        DeviceKind::Reader => "card reader",
        DeviceKind::Shaker => "shaker",
        DeviceKind::Generator => "generator",
        DeviceKind::Display => "display",
        DeviceKind::Controller => "controller",
    }
}

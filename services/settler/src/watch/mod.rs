//! The watch: was it played within the rules at all?
//!
//! Each watcher has one subject and sees every event of its table once, in order. What it keeps is
//! bounded and said at its type; findings come once, as soon as they can be known.

mod burn;
mod cards;
mod cut;
mod dice;
mod equipment;
mod notices;
mod places;
mod shoe;
mod statistics;
mod suspicion;
mod tiles;
mod wheel;

use catwalk_events::{Event, Timestamp};
use catwalk_rules::Rulebook;
use serde::{Deserialize, Serialize};

pub(crate) use equipment::Equipment;

use crate::table::RulesInForce;

/// Everything the watchers keep of a table.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Watch {
    cards: cards::Cards,
    shoe: shoe::ShoeCount,
    cut: cut::Cut,
    #[serde(default)]
    burns: burn::Burns,
    dice: dice::DiceSets,
    tiles: tiles::TileSets,
    wheel: wheel::Wheel,
    notices: notices::Notices,
    places: places::Places,
    pub(crate) statistics: statistics::Statistics,
}

/// What the watchers may look at beside the event.
pub(crate) struct Floor<'a> {
    pub(crate) equipment: &'a Equipment,
    pub(crate) rulebook: &'a Rulebook,
    /// The rules in force before the event.
    pub(crate) rules: Option<&'a RulesInForce>,
    pub(crate) is_open: bool,
}

impl Floor<'_> {
    /// The first of these codes that the text of the game has.
    fn first_filed(&self, codes: &[&'static str]) -> Option<&'static str> {
        let game = self.rulebook.game(&self.rules?.game).ok()?;
        let filed = |code: &&&str| {
            game.book()
                .findings()
                .iter()
                .any(|entry| entry.code == **code)
        };
        codes.iter().find(filed).copied()
    }
}

/// What a watcher saw.
#[derive(Debug)]
pub(crate) struct Sighting {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) evidence: Vec<u64>,
    pub(crate) seat: Option<u32>,
    /// Found before anything was dealt: not as grave as its code.
    pub(crate) in_time: bool,
    /// So plain that it is graver than its code.
    pub(crate) strong: bool,
}

impl Sighting {
    fn new(code: &'static str, evidence: Vec<u64>, message: String) -> Sighting {
        Sighting {
            code,
            message,
            evidence,
            seat: None,
            in_time: false,
            strong: false,
        }
    }
}

impl Watch {
    /// Events are missing: what would follow from them is not held against the table.
    pub(crate) fn miss(&mut self) {
        self.cards.miss();
        self.shoe.miss();
        self.burns.miss();
    }

    /// Shows an event to every watcher.
    pub(crate) fn see(&mut self, event: &Event, floor: &Floor<'_>) -> Vec<Sighting> {
        let mut seen = Vec::new();
        self.places.see(event, floor, &mut seen);
        self.notices.see(event, floor, &mut seen);
        self.cards.see(event, floor, &mut seen);
        self.shoe.see(event, floor, &mut seen);
        self.cut.see(event, floor, &mut seen);
        self.burns.see(event, floor, &mut seen);
        self.dice.see(event, floor, &mut seen);
        self.tiles.see(event, floor, &mut seen);
        self.wheel.see(event, floor, &mut seen);
        self.statistics.see(event, floor, &mut seen);
        seen
    }

    /// Events of the feed were lost: what they may have said is not held against anybody.
    pub(crate) fn lose(&mut self) {
        self.cut.lose();
    }
}

const HOUR: i64 = 3_600_000_000;
const MINUTE: i64 = 60_000_000;

/// Has more than so long passed? A deadline is kept at its very moment and missed right after it.
fn is_past(since: Timestamp, now: Timestamp, micros: i64) -> bool {
    now.micros().saturating_sub(since.micros()) > micros
}

/// Remembers that a code was raised; true the first time.
fn once(raised: &mut Vec<String>, code: &str) -> bool {
    let fresh = !raised.iter().any(|known| known == code);
    if fresh {
        raised.push(code.to_owned());
    }
    fresh
}

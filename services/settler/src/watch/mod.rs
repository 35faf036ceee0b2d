//! The watch: was it played within the rules at all?
//!
//! Each watcher has one subject and sees every event of its table once, in order. What it keeps is
//! bounded and said at its type; findings come once, as soon as they can be known.

mod burn;
mod cage;
mod cards;
mod changes;
mod chips;
mod counts;
mod cut;
mod devices;
mod dice;
pub(crate) mod doubts;
mod drop_box;
mod faces;
mod feed;
mod kinds;
mod notices;
mod papers;
mod places;
mod posting;
mod resolutions;
mod shoe;
mod statistics;
mod suspicion;
mod tiles;
mod tournaments;
mod tray;
mod turns;
mod wheel;

use std::collections::BTreeMap;

use catwalk_events::body::DealingMethod;
use catwalk_events::{Event, Timestamp};
use catwalk_rules::Rulebook;
use catwalk_rules::equipment::{CardRule, Chapter, Method};
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

pub(crate) use posting::Posting;
pub(crate) use resolutions::Remedy;

use crate::laws;
use crate::table::RulesInForce;

/// The codes of what the posting breaks, whatever is bet and dealt.
pub(crate) fn broken_by_posting(rulebook: &Rulebook, rules: &RulesInForce) -> Vec<String> {
    let faults = posting::faults(rulebook, rules, 0).into_iter();
    faults.map(|fault| fault.code.to_owned()).collect()
}

/// Everything the watchers keep of a table.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Watch {
    feed: feed::FeedOrder,
    cards: cards::Cards,
    faces: faces::Faces,
    turns: turns::Turns,
    counts: counts::Counts,
    shoe: shoe::ShoeCount,
    cut: cut::Cut,
    burns: burn::Burns,
    devices: devices::Devices,
    dice: dice::DiceSets,
    tiles: tiles::TileSets,
    wheel: wheel::Wheel,
    chips: chips::Chips,
    cage: cage::Cage,
    drop_box: drop_box::DropBox,
    pub(crate) tray: tray::Tray,
    tournaments: tournaments::Tournaments,
    notices: notices::Notices,
    papers: papers::Papers,
    places: places::Places,
    pub(crate) statistics: statistics::Statistics,
    pub(crate) doubts: doubts::Doubts,
    pub(crate) resolutions: resolutions::Resolutions,
}

/// What the watchers may look at beside the event: the table, as it stands before it.
pub(crate) struct AtTable<'a> {
    /// What its jurisdiction asks of equipment, limits and notices.
    pub(crate) chapter: &'a Chapter,
    pub(crate) rulebook: &'a Rulebook,
    /// The rules in force before the event.
    pub(crate) rules: Option<&'a RulesInForce>,
    /// What they say of cards.
    pub(crate) cards: Option<&'a CardRule>,
    pub(crate) is_open: bool,
    /// Is the round of the event open?
    pub(crate) is_round_open: bool,
    /// Does the event put right what was paid in an earlier round?
    pub(crate) is_correction: bool,
}

impl AtTable<'_> {
    fn is_tournament(&self) -> bool {
        self.rules.is_some_and(|rules| rules.tournament)
    }

    /// The first of these codes that the text of the game has in the table's edition.
    fn first_filed(&self, codes: &[&'static str]) -> Option<&'static str> {
        let rules = self.rules?;
        let game = rules.game_in(self.rulebook).ok()?;
        let is_filed = |code: &&&str| laws::finding(game.book(), rules, code).is_some();
        codes.iter().find(is_filed).copied()
    }
}

/// What a watcher saw.
#[derive(Debug)]
pub(crate) struct Sighting {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) evidence: Vec<u64>,
    pub(crate) seat: Option<u32>,
    /// The wager it is about.
    pub(crate) wager: Option<String>,
    /// What was paid and not due.
    pub(crate) paid: Option<Cents>,
    /// What the house lost by it where nothing was paid.
    pub(crate) lost: Cents,
    /// The set or other object it is about, for what may resolve it later.
    pub(crate) about: Option<String>,
    /// The kind of wager it is about, where it is about no single one.
    pub(crate) kind: Option<String>,
    /// The section that decides here, where the code has several.
    pub(crate) cite: Option<String>,
    /// A deadline passed: wrong if the clock was.
    pub(crate) by_clock: bool,
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
            wager: None,
            paid: None,
            lost: Cents::ZERO,
            about: None,
            kind: None,
            cite: None,
            by_clock: false,
            in_time: false,
            strong: false,
        }
    }

    fn about(mut self, object: &str) -> Sighting {
        self.about = Some(object.to_owned());
        self
    }

    /// A deadline of an object passed.
    fn overdue(code: &'static str, object: &str, evidence: Vec<u64>, message: String) -> Sighting {
        let mut sighting = Sighting::new(code, evidence, message).about(object);
        sighting.by_clock = true;
        sighting
    }

    fn cited(mut self, cite: &str) -> Sighting {
        self.cite = Some(cite.to_owned());
        self
    }
}

impl Watch {
    /// So many events of the feed were lost: what they may have said is not held against anybody.
    pub(crate) fn lose(&mut self, events: u64) {
        self.feed.lose();
        self.cards.lose();
        self.faces.lose();
        self.turns.lose();
        self.counts.lose();
        self.shoe.lose();
        self.cut.lose();
        self.burns.miss();
        self.dice.lose();
        self.tiles.lose();
        self.wheel.lose();
        self.devices.lose();
        self.cage.lose();
        self.drop_box.lose();
        self.tray.lose();
        self.tournaments.lose();
        self.notices.lose(events);
        self.papers.lose();
        self.places.lose();
        self.statistics.lose();
    }

    /// Is the table open for a field trial?
    pub(crate) fn is_trial(&self) -> bool {
        self.places.trial
    }

    /// Shows an event to every watcher.
    pub(crate) fn see(&mut self, event: &Event, table: &AtTable<'_>) -> Vec<Sighting> {
        let mut seen = Vec::new();
        if let Some(stepped_back) = self.feed.see(event, table, &mut seen) {
            // Deadlines that only the wrong clock saw pass are still to come.
            self.cards.turn_back(stepped_back, table);
            self.dice.turn_back(stepped_back, table);
            self.tiles.turn_back(stepped_back, table);
            self.cage.turn_back(stepped_back, table);
        }
        self.places.see(event, table, &mut seen);
        kinds::see(event, table, &mut seen);
        self.notices.see(event, table, &mut seen);
        self.cards.see(event, table, &mut seen);
        self.faces.see(event, &mut seen);
        self.turns.see(event, table, &mut seen);
        // What a count must give is for the shoe to say, before it is held against anybody.
        self.shoe.see(event, table, &mut seen);
        self.counts.see(event, table, &mut seen);
        self.cut.see(event, table, &mut seen);
        self.burns.see(event, table, &mut seen);
        self.devices.see(event, table, &mut seen);
        self.dice.see(event, table, &mut seen);
        self.tiles.see(event, table, &mut seen);
        self.wheel.see(event, table, &mut seen);
        self.chips.see(event, table, &mut seen);
        self.cage.see(event, table, &mut seen);
        self.drop_box.see(event, &mut seen);
        self.papers.see(event, &mut seen);
        self.tray.see(event, table, &mut seen);
        self.tournaments.see(event, table, &mut seen);
        self.statistics.see(event, table, &mut seen);
        seen
    }
}

/// The rulebook's word for how cards are dealt.
fn way_of(method: DealingMethod) -> Method {
    match method {
        DealingMethod::Hand => Method::Hand,
        DealingMethod::Shoe => Method::Shoe,
        DealingMethod::AutoShoe => Method::AutoShoe,
        DealingMethod::Continuous => Method::Continuous,
    }
}

const DAY: i64 = 24 * HOUR;
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

/// Keeps at most so many entries: those of the lowest rank go first.
fn make_room<K: Ord + Clone, V, R: Ord>(
    kept: &mut BTreeMap<K, V>,
    most: usize,
    rank: impl Fn(&V) -> R,
) {
    while kept.len() > most {
        let least = kept.iter().min_by_key(|(_, value)| rank(value));
        let Some(key) = least.map(|(key, _)| key.clone()) else {
            return;
        };
        kept.remove(&key);
    }
}

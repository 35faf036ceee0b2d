//! A table's day: dealers take turns, what lies on the table goes in time, tray and drop box are counted,
//! and most tables close for the night.

use catwalk_events::Role;
use catwalk_events::body::{
    Body, DealerChanged, DeviceInspected, DeviceKind, DiceCollected, DiceDestroyed, DiceRemoved,
    Inspection, ShoeEnded, TilesCollected, TilesRemoved,
};
use rand::RngExt;

use super::{Table, person};
use crate::deck::retired;

pub(super) const MINUTE: i64 = 60_000_000;
pub(super) const HOUR: i64 = 60 * MINUTE;
/// Cards, dice and tiles stay for one shift: tiles may not stay for more than twelve hours.
const SHIFT: i64 = 8 * HOUR;
const SHIFTS: i64 = 3;
const SHIFT_NAMES: [&str; SHIFTS as usize] = ["day", "swing", "grave"];
pub(crate) const DAY: i64 = SHIFTS * SHIFT;
/// The last shift ends early for a table that closes for the night.
const NIGHT: i64 = 4 * HOUR;
/// A dealer stays for so long, and a little more.
const STINT: i64 = 40 * MINUTE;

/// Where a table stands in its day.
#[derive(Debug)]
pub(super) struct Day {
    /// The first shift of the floor began.
    opening: i64,
    /// Shifts that have ended at this table.
    shifts: i64,
    relief: i64,
    dealers: u32,
    pub(super) is_closed: bool,
    /// The shift of which somebody has seen the beginning.
    begun: Option<i64>,
    laid: Laid,
}

impl Day {
    pub(super) fn new(opening: i64) -> Day {
        Day {
            opening,
            shifts: 0,
            relief: opening + STINT,
            dealers: 0,
            is_closed: false,
            begun: None,
            laid: Laid::default(),
        }
    }

    /// The shift that the table is in.
    pub(super) fn shift(&self) -> &'static str {
        SHIFT_NAMES[(self.shifts % SHIFTS) as usize]
    }

    /// Is this asked for the first time in the shift?
    pub(super) fn begins_shift(&mut self) -> bool {
        self.begun.replace(self.shifts) != Some(self.shifts)
    }

    pub(super) fn note(&mut self, body: &Body) {
        self.laid.note(body);
    }

    /// The cards that came last, where there is one set of them.
    pub(super) fn last_cards(&self) -> Option<String> {
        only(&self.laid.cards)
    }

    /// The same of dice.
    pub(super) fn last_dice(&self) -> Option<String> {
        only(&self.laid.dice)
    }

    /// What is said of all that lies on the table when it has lain there for too long.
    pub(super) fn outstayed(&self) -> Vec<&'static str> {
        let laid = [
            (&self.laid.cards, "deck.overdue"),
            (&self.laid.dice, "dice.overdue"),
            (&self.laid.tiles, "tiles.overdue"),
        ];
        let laid = laid.into_iter().filter(|(sets, _)| !sets.is_empty());
        laid.map(|(_, code)| code).collect()
    }

    /// When the present shift ends.
    fn shift_end(&self, closes: bool) -> i64 {
        let end = self.opening + (self.shifts + 1) * SHIFT;
        let is_last = (self.shifts + 1) % SHIFTS == 0;
        end - if closes && is_last { NIGHT } else { 0 }
    }
}

/// What lies on the table, by name.
#[derive(Debug, Default)]
struct Laid {
    shoes: Vec<String>,
    cards: Vec<String>,
    dice: Vec<String>,
    tiles: Vec<String>,
}

impl Laid {
    fn note(&mut self, body: &Body) {
        let come = |list: &mut Vec<String>, name: &String| list.push(name.clone());
        let go = |list: &mut Vec<String>, name: &String| list.retain(|laid| laid != name);
        match body {
            Body::ShoeStarted(started) => come(&mut self.shoes, &started.shoe),
            Body::ShoeEnded(ended) => go(&mut self.shoes, &ended.shoe),
            Body::CardsOpened(opened) => come(&mut self.cards, &opened.set),
            Body::CardsRemoved(removed) => go(&mut self.cards, &removed.set),
            Body::DiceIntroduced(introduced) => come(&mut self.dice, &introduced.set),
            Body::DiceRemoved(removed) => go(&mut self.dice, &removed.set),
            Body::TilesIntroduced(introduced) => come(&mut self.tiles, &introduced.set),
            Body::TilesRemoved(removed) => go(&mut self.tiles, &removed.set),
            _ => {}
        }
    }

    /// How everything leaves the table.
    fn clearing(&self, reason: &str) -> Vec<Body> {
        let shoes = self.shoes.iter().map(|shoe| {
            let shoe = shoe.clone();
            let remaining = None;
            ShoeEnded { shoe, remaining }.into()
        });
        let cards = self.cards.iter().flat_map(|set| retired(set, reason));
        let dice = self.dice.iter().flat_map(|set| dice_out(set));
        let tiles = self.tiles.iter().flat_map(|set| tiles_out(set));
        shoes.chain(cards).chain(dice).chain(tiles).collect()
    }
}

fn only(sets: &[String]) -> Option<String> {
    match sets {
        [one] => Some(one.clone()),
        _ => None,
    }
}

fn dice_out(set: &str) -> [Body; 3] {
    let set = set.to_owned();
    let container = Some(format!("container-{set}"));
    let label = Some(format!("{set}, end of use"));
    let removed = DiceRemoved {
        set: set.clone(),
        reason: None,
        by: person("f-1", Role::Floorperson),
        container: container.clone(),
        label: label.clone(),
        witness: person("s-1", Role::Security),
    };
    let collected = DiceCollected {
        set: set.clone(),
        container: container.clone(),
        by: person("s-1", Role::Security),
        label: label.clone(),
        ..DiceCollected::default()
    };
    let destroyed = DiceDestroyed {
        set,
        reason: None,
        how: Some("drilled".to_owned()),
        by: person("s-1", Role::Security),
        witness: person("s-2", Role::Security),
        container,
        label,
    };
    [removed.into(), collected.into(), destroyed.into()]
}

/// The devices that a game has.
fn devices(game: &str) -> &'static [DeviceKind] {
    use DeviceKind::{Reader, Shaker, Shoe, Shuffler};
    match game {
        "big_six" | "craps" | "crapless_craps" | "roulette" => &[],
        "pai_gow" | "sic_bo" => &[Shaker],
        "pai_gow_poker" | "commission_free_pai_gow_poker" => &[Shoe, Shuffler, Shaker],
        "blackjack" | "free_bet_blackjack" | "spanish_21" => &[Shoe, Shuffler, Reader],
        "poker" => &[Shuffler],
        _ => &[Shoe, Shuffler],
    }
}

/// A clean set of tiles may come back another day.
fn tiles_out(set: &str) -> [Body; 2] {
    let removed = TilesRemoved {
        set: set.to_owned(),
        missing: None,
        extra: None,
        by: None,
    };
    let collected = TilesCollected {
        set: set.to_owned(),
        missing: None,
        extra: None,
        by: None,
    };
    [removed.into(), collected.into()]
}

impl Table {
    /// What the clock asks for before the next round: another dealer, the end of a shift, a night. False
    /// where the table has closed: its clock stands at the next morning.
    pub(crate) fn keep_time(&mut self) -> bool {
        if std::mem::take(&mut self.day.is_closed) {
            let opened = self.opening();
            self.send(None, opened.into());
            self.man();
            self.inspect_devices();
        }
        if self.has_played_enough() {
            self.close_for_a_while();
            return false;
        }
        let closes = self.game.closes_at_night();
        while self.clock >= self.day.shift_end(closes) {
            self.end_shift(closes);
            if self.day.is_closed {
                return false;
            }
        }
        if self.clock >= self.day.relief {
            self.day.relief = self.clock + STINT + self.rng.random_range(0..STINT);
            self.day.dealers += 1;
            let dealer = self.dealer();
            self.send(None, DealerChanged { dealer }.into());
            self.game.relieve();
        }
        self.keep_signs();
        true
    }

    /// Who deals: each table has three dealers who relieve each other.
    pub(super) fn dealer(&self) -> String {
        format!(
            "d-{}{}",
            100 + self.number,
            ["", "b", "c"][self.day.dealers as usize % 3]
        )
    }

    fn end_shift(&mut self, closes: bool) {
        let next = self.day.opening + (self.day.shifts + 1) * SHIFT;
        self.day.shifts += 1;
        self.clear("end_of_day");
        // The shoe has ended, and with it the time to pay.
        self.collect_owed(false);
        self.count_tray();
        let is_evening = self.day.shifts % SHIFTS == 0;
        if is_evening && closes {
            self.close();
            return self.rest_until(next);
        }
        if is_evening {
            self.count_drop();
            self.attach_boxes();
        }
        self.inspect_devices();
    }

    /// The floorperson looks at shoes, shufflers, card readers and shakers: each must pass once a gaming day.
    /// 146.13(7), 146.47(2), 146.51(7)
    pub(super) fn inspect_devices(&mut self) {
        for &kind in devices(self.game_name) {
            let word = format!("{kind:?}").to_lowercase();
            let inspected = DeviceInspected {
                device: format!("{}-{word}", self.name),
                kind,
                result: Some(Inspection::Pass),
                by: person("f-1", Role::Floorperson),
            };
            self.send(None, inspected.into());
        }
    }

    /// Everything leaves the table; new cards, dice and tiles come before the next round.
    pub(super) fn clear(&mut self, reason: &str) {
        for body in self.day.laid.clearing(reason) {
            self.send(None, body);
        }
        self.game.renew();
    }

    pub(super) fn rest_until(&mut self, next: i64) {
        self.game.close();
        self.mischief.close();
        self.clock = next.max(self.clock) + self.rng.random_range(0..10 * MINUTE);
        self.day.relief = self.clock + STINT;
        self.day.is_closed = true;
    }
}

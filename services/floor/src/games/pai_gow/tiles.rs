//! Pai gow with tiles.

use std::collections::BTreeMap;

use catwalk_events::body::{
    Body, DiceRolled, TilePlace, TilesDealt, TilesInspected, TilesIntroduced,
};
use catwalk_events::{Person, Role};
use catwalk_rules::Settlement;
use catwalk_rules::floor::Tile;
use catwalk_rules::games::lay_tiles_the_house_way;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{Bank, Banking, miscount, new_dice, says, set_again, sets, shake, texts};
use crate::games::{Dealt, GameSim};

/// Dealer, six areas and the dead hand.
const POSITIONS: u32 = 8;

/// The ways to deliver tiles that a bank chooses from.
const STYLES: [&str; 10] = [
    "house_way_right",
    "house_way_left",
    "cup_say_right",
    "cup_say_left",
    "jung_quat",
    "chee_yee",
    "pin_say_right",
    "pin_say_left",
    "dragon_phoenix_right",
    "dragon_phoenix_left",
];

#[derive(Debug, Default)]
pub(in crate::games) struct PaiGow {
    ready: bool,
    sets: u32,
    options: Value,
    banking: Banking,
}

impl GameSim for PaiGow {
    fn sign(&self) -> &'static str {
        "PG"
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let rounding = ["none", "up_25c"].choose(rng);
        let house_way = ["base", "base", "submission"].choose(rng);
        self.options = json!({"vig_rounding": rounding, "house_way": house_way});
        self.banking.post(&mut self.options, rng);
        ("mgc-2017", self.options.clone())
    }

    fn prepare(&mut self, _: &mut ChaCha8Rng) -> Vec<Body> {
        if std::mem::replace(&mut self.ready, true) {
            return Vec::new();
        }
        self.sets += 1;
        let set = || format!("tiles-{}", self.sets);
        let inspected = |role: Role| {
            let by = Some(Person::new("s-1", role));
            TilesInspected {
                set: set(),
                missing: None,
                extra: None,
                by,
            }
        };
        let introduced = TilesIntroduced {
            set: set(),
            missing: None,
            extra: None,
            by: None,
        };
        let mut events: Vec<Body> = new_dice(self.sets).into();
        events.push(introduced.into());
        events.push(inspected(Role::Surveillance).into());
        events.push(inspected(Role::Floorperson).into());
        events
    }

    fn close(&mut self) {
        self.banking.forget();
    }

    fn renew(&mut self) {
        self.ready = false;
        self.banking.start_anew();
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let bank = self.banking.offer(seats, rng);
        let bank_seat = bank.map(|bank| bank.seat);
        let players: Vec<u32> = seats
            .iter()
            .copied()
            .filter(|&seat| Some(seat) != bank_seat)
            .collect();
        let mut wagers: Vec<Value> = Vec::new();
        for &seat in &players {
            let id = format!("w{}", wagers.len() + 1);
            let amount = rng.random_range(2..=60) * 500;
            wagers.push(json!({"id": id, "seat": seat, "kind": "pai_gow", "amount": amount}));
        }
        let (mut play, mut before) = (json!({}), Vec::new());
        if let Some(bank) = bank {
            bank.take(&mut wagers, &mut before, &mut play);
        }
        let dice = shake(rng);
        let total: u32 = dice.iter().map(|&die| u32::from(die)).sum();
        let first = (bank_seat.unwrap_or_default() + total + POSITIONS - 1) % POSITIONS;
        play["deal"] = json!({"dice": dice, "first": first});
        let mut events = Vec::new();
        self.choose_style(bank, &mut play, &mut events, rng);
        let rolled = DiceRolled {
            dice,
            valid: true,
            serials: None,
        };
        events.push(rolled.into());
        let mut tiles: Vec<Tile> = Tile::set().collect();
        tiles.shuffle(rng);
        let mut hands: BTreeMap<u32, [Tile; 4]> = BTreeMap::new();
        for (step, stack) in (0..POSITIONS).zip(tiles.chunks_exact(4)) {
            let position = (first + step) % POSITIONS;
            let is_seen =
                position == 0 || players.contains(&position) || Some(position) == bank_seat;
            events.push(deliver(position, bank_seat, is_seen.then(|| texts(stack))));
            if let (true, Ok(stack)) = (is_seen, stack.try_into()) {
                hands.insert(position, stack);
            }
        }
        tell_settings(&hands, bank_seat, &mut play, &mut events, rng);
        Dealt {
            wagers,
            play,
            events,
            before,
            banker: bank_seat,
            ..Dealt::default()
        }
    }

    /// Dice that were miscounted, or a dealer who does not set the house way.
    fn misplay(&mut self, round: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        if self.options["house_way"] == "base"
            && round.banker.is_none()
            && rng.random_range(0..2) == 0
            && let Some(codes) = misset(round)
        {
            return Some(codes);
        }
        miscount(round, "pai_gow.wrong_start")
    }

    fn settled(&mut self, dealt: &Dealt, _: &Settlement) -> Vec<Body> {
        self.banking.follow(dealt, "pai_gow");
        Vec::new()
    }
}

impl PaiGow {
    /// A bank may choose how the tiles are delivered.
    fn choose_style(
        &self,
        bank: Option<Bank>,
        play: &mut Value,
        events: &mut Vec<Body>,
        rng: &mut ChaCha8Rng,
    ) {
        let Some(bank) = bank.filter(|_| rng.random_range(0..3) == 0) else {
            return;
        };
        let style = STYLES.choose(rng).copied().unwrap_or_default();
        play["deal"]["style"] = json!(style);
        events.push(says(bank.seat, style));
    }
}

fn deliver(position: u32, bank: Option<u32>, tiles: Option<Vec<String>>) -> Body {
    let (to, seat) = match position {
        0 => (TilePlace::Dealer, None),
        7 => (TilePlace::DeadHand, None),
        seat if Some(seat) == bank => (TilePlace::Bank, Some(seat)),
        seat => (TilePlace::Seat, Some(seat)),
    };
    TilesDealt { to, seat, tiles }.into()
}

/// Players set their hands, then the bank and the dealer; then some give theirs up.
fn tell_settings(
    hands: &BTreeMap<u32, [Tile; 4]>,
    bank: Option<u32>,
    play: &mut Value,
    events: &mut Vec<Body>,
    rng: &mut ChaCha8Rng,
) {
    let mut told: Vec<Value> = Vec::new();
    let mut gives_up: Vec<u32> = Vec::new();
    let mut order: Vec<u32> = hands.keys().copied().collect();
    order.rotate_left(1);
    for position in order {
        let tiles = hands[&position];
        let [high, low] = lay_tiles_the_house_way(tiles);
        events.push(sets(position, bank, texts(&high), texts(&low)));
        let mut hand = json!({"tiles": texts(&tiles), "high": texts(&high), "low": texts(&low)});
        if position == 0 {
            play["dealer"] = hand;
            continue;
        }
        hand["seat"] = json!(position);
        // A low hand that counts nothing cannot win.
        let is_zero = low
            .iter()
            .map(|tile| tile.pips())
            .sum::<u8>()
            .is_multiple_of(10);
        if is_zero && Some(position) != bank && rng.random_range(0..4) == 0 {
            hand["surrender"] = json!(true);
            gives_up.push(position);
        }
        told.push(hand);
    }
    play["hands"] = json!(told);
    events.extend(gives_up.into_iter().map(|seat| says(seat, "surrender")));
}

/// The dealer sets his tiles against the house way.
fn misset(round: &mut Dealt) -> Option<Vec<&'static str>> {
    let tiles: Vec<Tile> = serde_json::from_value(round.play["dealer"]["tiles"].clone()).ok()?;
    let tiles: [Tile; 4] = tiles.try_into().ok()?;
    let [a, b, c, d] = tiles;
    let splits = [[[a, b], [c, d]], [[a, c], [b, d]], [[a, d], [b, c]]];
    let sum = |hand: [Tile; 2]| hand.iter().map(|tile| tile.pips()).sum::<u8>() % 10;
    let pair = |hand: [Tile; 2]| hand[0] == hand[1];
    // A pair that is torn apart is always wrong.
    let has_pair = splits.iter().flatten().any(|&hand| pair(hand));
    let torn = splits.iter().find(|split| {
        !split.iter().any(|&hand| pair(hand)) && split.iter().all(|&hand| sum(hand) < 5)
    });
    let [high, low] = torn.filter(|_| has_pair)?;
    set_again(round, texts(high), texts(low));
    Some(vec!["pai_gow.house_way_error"])
}

//! Pai gow poker, with vigorish and without.

use std::collections::BTreeMap;

use catwalk_events::body::{
    Body, CardDealt, CardPlace, CardRevealed, CardsCounted, CountScope, DealingMethod, DiceRolled,
    Face, ShoeEnded, ShoeStarted, WheelSpun,
};
use catwalk_rules::Settlement;
use catwalk_rules::floor::{Card, Cents};
use catwalk_rules::games::lay_cards_the_house_way;
use catwalk_rules::hands::joker::LowStraight;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{Bank, Banking, miscount, new_dice, says, seat_of, set_again, sets, shake, texts};
use crate::deck::retired;
use crate::fault::FaultKind;
use crate::games::shoes::new_set;
use crate::games::{Dealt, GameSim};
use crate::meters::Linked;
use crate::table::wager_of;

/// Dealer and six areas.
const POSITIONS: u32 = 7;
/// A deck is changed after so many rounds, well within its hours.
const ROUNDS_PER_DECK: u32 = 100;
const METER: i64 = 1_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::games) enum Variant {
    Vigorish,
    CommissionFree,
}

#[derive(Debug)]
pub(in crate::games) struct PaiGowPoker {
    variant: Variant,
    ohio: bool,
    options: Value,
    rounds: u32,
    /// Cards lie on the table, and dice where they are used.
    ready: bool,
    dice_sets: u32,
    left: Option<u32>,
    /// A reader knows every card that is dealt.
    reads: bool,
    banking: Banking,
    meter: i64,
}

/// A table's deal: seven cards for each position that gets some, from its start.
struct Hands {
    cards: BTreeMap<u32, [Card; 7]>,
    order: Vec<u32>,
    left: u32,
}

impl GameSim for PaiGowPoker {
    fn sign(&self) -> &'static str {
        match self.variant {
            Variant::Vigorish => "PP",
            Variant::CommissionFree => "PC",
        }
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        self.ohio = self.variant == Variant::CommissionFree || rng.random_range(0..3) == 0;
        let mut options = json!({});
        let mut choose = |key: &str, values: &[&str]| {
            options[key] = json!(values.choose(rng));
        };
        let massachusetts = ["dice", "rng", "left_first", "button"];
        choose(
            "start_method",
            if self.ohio {
                &["dice", "rng", "button"]
            } else {
                &massachusetts
            },
        );
        if self.variant == Variant::Vigorish {
            choose("vig_rounding", &["none", "up_25c"]);
        }
        if !self.ohio {
            choose("house_way", &["standard", "as_set"]);
            choose("low_straight", &["second_highest", "lowest"]);
            choose("royal_match", &["king_queen", "ace_king_natural"]);
            choose("insurance_paytable", &["A", "B", "C", "D", "E"]);
            choose("seven_card_paytable", &["A", "B"]);
        }
        let start = options["start_method"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        // The button goes round with an automated shoe alone.
        options["deal_method"] = match (start.as_str(), self.ohio) {
            ("button", _) => json!("auto_shoe"),
            (_, true) => json!(["hand", "auto_shoe"].choose(rng)),
            (_, false) => json!(["shoe", "hand", "auto_shoe"].choose(rng)),
        };
        options["side_bets"] = match (self.variant, self.ohio, start.as_str()) {
            (Variant::CommissionFree, ..) => {
                json!(["fortune_bonus", "fortune_progressive", "tiger_9"])
            }
            (_, true, _) => json!(["fortune_bonus", "fortune_progressive"]),
            (_, _, "rng") => json!(["number", "progressive"]),
            (_, _, "dice" | "button") => json!(["bonus", "insurance", "progressive"]),
            _ => json!(["three_card_bonus", "seven_card_bonus", "progressive"]),
        };
        if !self.ohio {
            options["progressive_wager"] = json!([100, 500].choose(rng));
            self.banking.post(&mut options, rng);
        }
        self.reads = options["deal_method"] == "auto_shoe" || rng.random_range(0..3) > 0;
        self.options = options.clone();
        let edition = if self.ohio {
            "oh-jack-2017"
        } else {
            "mgc-2017"
        };
        (edition, options)
    }

    /// The deck is shuffled before every round.
    fn prepare(&mut self, _: &mut ChaCha8Rng) -> Vec<Body> {
        let mut events: Vec<Body> = Vec::new();
        let shoe = format!("deal-{}", self.rounds);
        if let Some(left) = self.left {
            let remaining = Some(left);
            events.push(ShoeEnded { shoe, remaining }.into());
        }
        let is_ready = std::mem::replace(&mut self.ready, true);
        if !is_ready && self.options["start_method"] == "dice" {
            self.dice_sets += 1;
            events.extend(new_dice(self.dice_sets));
        }
        if self.rounds.is_multiple_of(ROUNDS_PER_DECK) {
            if is_ready {
                events.extend(retired(&self.set(), "scheduled"));
            }
            self.rounds += 1;
            events.extend(new_set(&self.set(), 1, "blue"));
        } else {
            self.rounds += 1;
        }
        let started = ShoeStarted {
            shoe: format!("deal-{}", self.rounds),
            set: self.set(),
            decks: 1,
            method: match self.options["deal_method"].as_str() {
                Some("hand") => DealingMethod::Hand,
                Some("auto_shoe") => DealingMethod::AutoShoe,
                _ => DealingMethod::Shoe,
            },
            shuffler: None,
            cut: None,
        };
        events.push(started.into());
        events
    }

    fn close(&mut self) {
        self.banking.forget();
    }

    fn renew(&mut self) {
        self.ready = false;
        self.left = None;
        // The next round has a new deck, and a new deck has a new name.
        self.rounds = self.rounds.next_multiple_of(ROUNDS_PER_DECK);
    }

    fn shoe(&self) -> Option<String> {
        Some(format!("deal-{}", self.rounds))
    }

    fn cannot(&self) -> &'static [FaultKind] {
        match self.variant {
            Variant::Vigorish => &[],
            Variant::CommissionFree => &[FaultKind::WrongCommission],
        }
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let bank = self
            .banks()
            .then(|| self.banking.offer(seats, rng))
            .flatten();
        let (mut play, mut before) = (json!({}), Vec::new());
        let mut wagers = self.bets(seats, bank, rng);
        if let Some(bank) = bank {
            bank.take(&mut wagers, &mut before, &mut play);
        }
        let mut events = Vec::new();
        let start = self.start(bank, &wagers, &mut play, &mut events, rng);
        let drawn = events.len();
        let hands = self.deal(start, &wagers, bank, rng);
        let first_three = self.tell_deal(&hands, &wagers, bank, &mut events);
        play["remaining"] = json!(hands.left);
        self.left = Some(hands.left);
        self.tell_settings(&hands, &wagers, bank, &mut play, &mut events, rng);
        play["meters"] = json!({"progressive": self.meter});
        let decided = wagers.iter().enumerate().filter_map(|(index, bet)| {
            let after = match bet["kind"].as_str()? {
                "number" => drawn,
                "three_card_bonus" => first_three,
                _ => return None,
            };
            Some((index, after))
        });
        let progressive = wagers
            .iter()
            .enumerate()
            .filter(|(_, bet)| is_progressive(bet));
        Dealt {
            decided: decided.collect(),
            lifted: progressive.map(|(index, _)| index).collect(),
            wagers,
            play,
            events,
            before,
            banker: bank.map(|bank| bank.seat),
            meters: Some(BTreeMap::from([(
                "progressive".to_owned(),
                Cents::new(self.meter),
            )])),
            ..Dealt::default()
        }
    }

    /// Main wagers are paid before what lies beside them, and envy last.
    fn arrange(&self, dealt: &Dealt, payments: &mut Vec<(usize, Body)>) {
        payments.sort_by_key(|(after, body)| {
            let wager = wager_of(body);
            let bet = dealt.wagers.iter().find(|bet| bet["id"].as_str() == wager);
            let kind = bet.and_then(|bet| bet["kind"].as_str());
            let turn = match (body, kind) {
                (Body::WagerPaid(_), Some("envy")) => 3,
                (Body::WagerPaid(_), Some("pai_gow_poker" | "bank" | "dealer_vs_bank")) => 1,
                (Body::WagerPaid(_) | Body::JackpotPaid(_), _) => 2,
                _ => 0,
            };
            (*after, turn)
        });
    }

    /// Dice that were miscounted, a dealer who does not set the house way, a surrender that the
    /// player's other wagers forbid.
    fn misplay(&mut self, round: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        let codes: [&'static str; 2] = match self.variant {
            Variant::Vigorish => ["pai_gow_poker.wrong_start", "pai_gow_poker.house_way_error"],
            Variant::CommissionFree => [
                "commission_free_pai_gow_poker.wrong_start",
                "commission_free_pai_gow_poker.house_way_error",
            ],
        };
        if rng.random_range(0..2) == 0 {
            return miscount(round, codes[0]).or_else(|| self.misset(round, codes[1]));
        }
        self.misset(round, codes[1])
    }

    /// The tables of a game and an edition with the same chip are one link.
    fn linked(&self) -> Vec<Linked> {
        let unit = &self.options["progressive_wager"];
        let linked = Linked {
            link: format!("{}-{}-{unit}", self.sign(), self.ohio),
            meter: "progressive".to_owned(),
            shown: Cents::new(self.meter),
            reset: Cents::new(METER),
        };
        vec![linked]
    }

    fn show_meter(&mut self, _: &str, shown: Cents) {
        self.meter = shown.get();
    }

    fn settled(&mut self, dealt: &Dealt, settlement: &Settlement) -> Vec<Body> {
        self.banking.follow(dealt, "pai_gow_poker");
        let unit = self.options["progressive_wager"].as_i64().unwrap_or(100);
        for (bet, row) in dealt.wagers.iter().zip(settlement.wagers()) {
            if !is_progressive(bet) {
                continue;
            }
            self.meter += unit * 3 / 10;
            let payout = row.returned.get();
            let per_dollar = payout * 100 / unit;
            let off_meter = match self.ohio {
                true => payout > 50_000,
                false => per_dollar == 2_500 || per_dollar >= 5_000,
            };
            if off_meter {
                self.meter = (self.meter - payout).max(METER);
            }
        }
        Vec::new()
    }
}

impl PaiGowPoker {
    pub(in crate::games) fn new(variant: Variant) -> PaiGowPoker {
        PaiGowPoker {
            variant,
            ohio: false,
            options: Value::Null,
            rounds: 0,
            ready: false,
            dice_sets: 0,
            left: None,
            reads: false,
            banking: Banking::default(),
            meter: METER,
        }
    }

    fn set(&self) -> String {
        format!(
            "deck-{}",
            self.rounds.saturating_sub(1) / ROUNDS_PER_DECK + 1
        )
    }

    fn is_left_first(&self) -> bool {
        self.options["start_method"] == "left_first"
    }

    fn banks(&self) -> bool {
        !self.ohio && !self.is_left_first()
    }

    fn low_straight(&self) -> LowStraight {
        match self.options["low_straight"].as_str() {
            Some("lowest") => LowStraight::Lowest,
            _ => LowStraight::SecondHighest,
        }
    }

    fn bets(&self, seats: &[u32], bank: Option<Bank>, rng: &mut ChaCha8Rng) -> Vec<Value> {
        let mut wagers: Vec<Value> = Vec::new();
        let mut place = |seat: u32, kind: &str, amount: i64, more: Option<(&str, Value)>| {
            let id = format!("w{}", wagers.len() + 1);
            let mut bet = json!({"id": id, "seat": seat, "kind": kind, "amount": amount});
            if let Some((key, value)) = more {
                bet[key] = value;
            }
            wagers.push(bet);
            id
        };
        let offered: Vec<&str> = self.options["side_bets"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        for &seat in seats
            .iter()
            .filter(|&&seat| Some(seat) != bank.map(|bank| bank.seat))
        {
            place(seat, "pai_gow_poker", rng.random_range(2..=60) * 500, None);
            for &kind in &offered {
                if rng.random_range(0..3) > 0 {
                    continue;
                }
                match kind {
                    "progressive" | "fortune_progressive" => {
                        let unit = self.options["progressive_wager"].as_i64().unwrap_or(100);
                        place(seat, kind, unit, None);
                    }
                    "number" => {
                        let number = rng.random_range(1..=7);
                        let stake = rng.random_range(1..=10) * 200;
                        place(seat, kind, stake, Some(("number", json!(number))));
                    }
                    "bonus" | "fortune_bonus" => {
                        let stake = rng.random_range(1..=20) * 100;
                        let id = place(seat, kind, stake, None);
                        if stake >= 500 {
                            place(seat, "envy", 0, Some(("on", json!(id))));
                        }
                    }
                    _ => drop(place(seat, kind, rng.random_range(1..=20) * 100, None)),
                }
            }
        }
        wagers
    }

    /// The position of the first card or stack, and how it was found.
    fn start(
        &self,
        bank: Option<Bank>,
        wagers: &[Value],
        play: &mut Value,
        events: &mut Vec<Body>,
        rng: &mut ChaCha8Rng,
    ) -> u32 {
        let bank = bank.map_or(0, |bank| bank.seat);
        let count = |total: u32| (bank + total + POSITIONS - 1) % POSITIONS;
        let (first, deal) = match self.options["start_method"].as_str() {
            Some("dice") => {
                let dice = shake(rng);
                let first = count(dice.iter().map(|&die| u32::from(die)).sum());
                let rolled = DiceRolled {
                    dice: dice.clone(),
                    valid: true,
                    serials: None,
                };
                events.push(rolled.into());
                (first, json!({ "dice": dice }))
            }
            Some("rng") => {
                let number = rng.random_range(1..=7);
                let drawn = WheelSpun {
                    result: number.to_string(),
                    valid: true,
                    revolutions: None,
                };
                events.push(drawn.into());
                (count(number), json!({ "number": number }))
            }
            Some("button") => {
                let at = (POSITIONS - self.rounds % POSITIONS) % POSITIONS;
                events.push(says(at, "button"));
                (at, json!({ "button": at }))
            }
            _ => {
                let mains = wagers.iter().filter(|bet| bet["kind"] == "pai_gow_poker");
                let leftmost = mains.map(seat_of).max().unwrap_or_default();
                (leftmost, json!({"method": "left_first"}))
            }
        };
        play["deal"] = deal;
        play["deal"]["first"] = json!(first);
        first
    }

    fn deal(
        &self,
        start: u32,
        wagers: &[Value],
        bank: Option<Bank>,
        rng: &mut ChaCha8Rng,
    ) -> Hands {
        let mut deck: Vec<Card> = Card::deck().chain([Card::JOKER]).collect();
        deck.shuffle(rng);
        let order: Vec<u32> = if self.is_left_first() {
            let mut areas: Vec<u32> = wagers.iter().map(seat_of).collect();
            areas.sort_unstable_by(|one, other| other.cmp(one));
            areas.dedup();
            areas.extend([0]);
            areas
        } else if self.ohio {
            (0..POSITIONS)
                .map(|step| (start + step) % POSITIONS)
                .collect()
        } else {
            let back = |step| (start + POSITIONS - step) % POSITIONS;
            (0..POSITIONS).map(back).collect()
        };
        debug_assert!(bank.is_none_or(|bank| order.contains(&bank.seat)));
        let stacks = deck.chunks_exact(7);
        let cards: BTreeMap<u32, [Card; 7]> = order
            .iter()
            .zip(stacks)
            .filter_map(|(&position, stack)| Some((position, stack.try_into().ok()?)))
            .collect();
        let left = 53 - 7 * u32::try_from(cards.len()).unwrap_or_default();
        Hands { cards, order, left }
    }

    /// The cards as they leave the deck: in stacks, card by card from a manual shoe, or three and four
    /// at a table with bonuses on both. After so many events, everybody has three.
    fn tell_deal(
        &self,
        hands: &Hands,
        wagers: &[Value],
        bank: Option<Bank>,
        events: &mut Vec<Body>,
    ) -> usize {
        let steps: Vec<std::ops::Range<usize>> = if self.is_left_first() {
            vec![0..3, 3..7]
        } else if self.options["deal_method"] == "shoe" {
            (0..7).map(|card| card..card + 1).collect()
        } else {
            std::iter::once(0..7).collect()
        };
        let mut three = events.len();
        for (at, step) in steps.into_iter().enumerate() {
            for position in &hands.order {
                let is_seen = plays(*position, wagers, bank);
                for card in hands.cards[position][step.clone()].iter() {
                    let (to, seat) = place(*position);
                    // Nobody looks at hands without a wager.
                    let card = (self.reads && is_seen).then(|| card.to_string());
                    let dealt = CardDealt {
                        to,
                        seat,
                        hand: None,
                        card,
                        face: Face::Down,
                        back: None,
                    };
                    events.push(dealt.into());
                }
            }
            if at == 0 {
                // Who bet on them shows the first three.
                if self.is_left_first() && !self.reads {
                    let areas = hands
                        .cards
                        .keys()
                        .filter(|area| bets_on_three(**area, wagers));
                    events.extend(areas.flat_map(|area| reveal(*area, &hands.cards[area], 0..3)));
                }
                three = events.len();
            }
        }
        let counted = CardsCounted {
            set: self.set(),
            count: hands.left,
            composition: None,
            scope: Some(CountScope::Stub),
            sorted: None,
        };
        events.push(counted.into());
        three
    }

    /// Players set their hands, then the dealer and the bank; what lies face down is turned over.
    fn tell_settings(
        &self,
        hands: &Hands,
        wagers: &[Value],
        bank: Option<Bank>,
        play: &mut Value,
        events: &mut Vec<Body>,
        rng: &mut ChaCha8Rng,
    ) {
        let mut told = Vec::new();
        let mut gives_up: Vec<u32> = Vec::new();
        let playing = |position: &&u32| plays(**position, wagers, bank);
        // Areas come before the dealer.
        let mut order: Vec<u32> = hands.cards.keys().filter(playing).copied().collect();
        order.rotate_left(1);
        for position in order {
            let cards = &hands.cards[&position];
            let Some((high, low)) = lay_cards_the_house_way(cards, self.low_straight()) else {
                continue;
            };
            let (high, low) = (texts(&high), texts(&low));
            let bank = bank.map(|bank| bank.seat);
            events.push(sets(position, bank, high.clone(), low.clone()));
            let laid = [high.clone(), low.clone()].concat();
            let mut hand = json!({"cards": texts(cards), "high": high, "low": low});
            if position == 0 {
                play["dealer"] = hand;
                continue;
            }
            hand["seat"] = json!(position);
            let is_bad = high[0][..1] != *"A" && low[0][..1] != low[1][..1];
            let bound = |bet: &Value| {
                let kind = bet["kind"].as_str().unwrap_or_default();
                seat_of(bet) == position && matches!(kind, "progressive" | "seven_card_bonus")
            };
            let may = Some(position) != bank && !wagers.iter().any(bound);
            if may && is_bad && rng.random_range(0..15) == 0 {
                hand["surrender"] = json!(true);
                gives_up.push(position);
                // What is never turned over is known as it was set.
                if !self.reads {
                    let shown = if bets_on_three(position, wagers) {
                        3
                    } else {
                        0
                    };
                    let shown = texts(&cards[..shown]);
                    let rest = laid.into_iter().filter(|card| !shown.contains(card));
                    let known: Vec<String> = shown.iter().cloned().chain(rest).collect();
                    hand["cards"] = json!(known);
                }
            }
            told.push(hand);
        }
        play["hands"] = json!(told);
        events.extend(gives_up.iter().map(|&seat| says(seat, "surrender")));
        if self.reads {
            return;
        }
        for (&position, cards) in hands.cards.iter().filter(|(position, _)| playing(position)) {
            if !gives_up.contains(&position) {
                let shown = if bets_on_three(position, wagers) {
                    3
                } else {
                    0
                };
                events.extend(reveal(position, cards, shown..7));
            }
        }
    }

    /// The dealer sets his hand with two other cards behind than the house way has.
    fn misset(&self, round: &mut Dealt, code: &'static str) -> Option<Vec<&'static str>> {
        if self.options["house_way"] == "as_set" || round.banker.is_some() {
            return None;
        }
        let dealer = &round.play["dealer"];
        let cards: Vec<String> = serde_json::from_value(dealer["cards"].clone()).ok()?;
        let due: Vec<String> = serde_json::from_value(dealer["low"].clone()).ok()?;
        let rank = |card: &String| card.chars().next();
        let ranks = |cards: &[String]| {
            let mut ranks: Vec<_> = cards.iter().map(rank).collect();
            ranks.sort_unstable();
            ranks
        };
        // Two natural cards of other ranks behind make another hand, whatever it is worth.
        let natural: Vec<&String> = cards.iter().filter(|card| *card != "JK").collect();
        let pairs = (0..6).flat_map(|one| (one + 1..6).map(move |other| (one, other)));
        let low = pairs
            .filter_map(|(one, other)| {
                Some(vec![
                    (*natural.get(one)?).clone(),
                    (*natural.get(other)?).clone(),
                ])
            })
            .find(|low| !due.contains(&"JK".to_owned()) && ranks(low) != ranks(&due))?;
        let high = cards
            .iter()
            .filter(|card| !low.contains(card))
            .cloned()
            .collect();
        set_again(round, high, low);
        Some(vec![code])
    }
}

/// Its chip goes into the float before the deal.
fn is_progressive(bet: &Value) -> bool {
    bet["kind"]
        .as_str()
        .is_some_and(|kind| kind.ends_with("progressive"))
}

fn bets_on_three(area: u32, wagers: &[Value]) -> bool {
    let mut bets = wagers
        .iter()
        .filter(|bet| bet["kind"] == "three_card_bonus");
    bets.any(|bet| seat_of(bet) == area)
}

/// Some cards of a hand are turned over.
fn reveal(position: u32, cards: &[Card; 7], which: std::ops::Range<usize>) -> Vec<Body> {
    let (to, seat) = place(position);
    let shown = (0..).zip(cards).skip(which.start).take(which.len());
    shown
        .map(|(index, card)| {
            CardRevealed {
                to,
                seat,
                hand: None,
                index,
                card: card.to_string(),
            }
            .into()
        })
        .collect()
}

fn place(position: u32) -> (CardPlace, Option<u32>) {
    match position {
        0 => (CardPlace::Dealer, None),
        seat => (CardPlace::Seat, Some(seat)),
    }
}

/// The dealer, the bank and every area with a wager.
fn plays(position: u32, wagers: &[Value], bank: Option<Bank>) -> bool {
    position == 0
        || bank.is_some_and(|bank| bank.seat == position)
        || wagers.iter().any(|bet| seat_of(bet) == position)
}

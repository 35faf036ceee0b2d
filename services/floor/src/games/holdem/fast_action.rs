//! Fast Action Hold'em on the floor.

use catwalk_events::body::{
    Body, CardPlace, CardsDelivered, CardsInspected, CardsOpened, DealingMethod, Face, HandSet,
    ShoeEnded, ShoeStarted,
};
use catwalk_rules::floor::Card;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{FACE_UP, amount, burn, deal, decision, height, irregularity, reveal_all, tell, text};
use crate::fault::FaultKind;
use crate::games::{Dealt, GameSim, turns};
use crate::shoe::Shoe;

#[derive(Debug, Default)]
pub(in crate::games) struct FastAction {
    decks: u32,
    /// Two batches of other colours take turns.
    alternates: bool,
    /// A shuffler takes the cards back after every round.
    continuous: bool,
    reader: bool,
    shoe: Option<Shoe>,
    shoes: u32,
    sets: u32,
    /// Another dealer has come, and burns a card first.
    is_relieved: bool,
    /// The position of the dealing marker, 0 for the dealer's.
    marker: u32,
    /// The dealer pays before he takes.
    pays_first: bool,
}

/// Positions of the table.
const POSITIONS: u32 = 9;

impl GameSim for FastAction {
    fn sign(&self) -> &'static str {
        "FA"
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        self.marker = 0;
        self.decks = [6, 8].choose(rng).copied().unwrap_or(6);
        self.reader = rng.random_range(0..2) == 0;
        let policy = ["cutting_card", "any_round"].choose(rng);
        let shufflers = [
            "none",
            "none",
            "none",
            "automated",
            "automated",
            "continuous",
        ];
        let shuffler = shufflers.choose(rng).copied().unwrap_or("none");
        self.alternates = shuffler == "automated";
        self.continuous = shuffler == "continuous";
        let mut options =
            json!({"decks": self.decks, "reshuffle_policy": policy, "shuffler": shuffler});
        if rng.random_range(0..2) == 0 {
            options["min_main"] = json!(500);
            options["max_main"] = json!(20_000);
        }
        ("mgc-2017", options)
    }

    fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        let mut events = Vec::new();
        if self.shoe.is_none() {
            let sets = if self.alternates { 2 } else { 1 };
            for colour in ["red", "blue"].into_iter().take(sets) {
                self.sets += 1;
                events.extend(new_set(&format!("set-{}", self.sets), colour, self.decks));
            }
        } else if self.continuous {
            self.shoe = Some(Shoe::shuffled(self.decks as usize, rng));
            events.extend(self.burn_for_dealer());
            return events;
        }
        // A quarter lies behind the cutting card.
        let cut = self.decks * 13;
        if let Some(shoe) = &self.shoe {
            let remaining = u32::try_from(shoe.remaining()).unwrap_or_default();
            if remaining > cut {
                events.extend(self.burn_for_dealer());
                return events;
            }
            events.push(
                ShoeEnded {
                    shoe: self.name(),
                    remaining: Some(remaining),
                }
                .into(),
            );
        }
        self.shoes += 1;
        events.push(
            ShoeStarted {
                shoe: self.name(),
                set: self.set(),
                decks: self.decks,
                method: match self.continuous {
                    true => DealingMethod::Continuous,
                    false => DealingMethod::Shoe,
                },
                shuffler: None,
                cut: (!self.continuous).then_some(cut),
            }
            .into(),
        );
        self.shoe = Some(Shoe::shuffled(self.decks as usize, rng));
        self.is_relieved = true;
        events.extend(self.burn_for_dealer());
        events
    }

    fn relieve(&mut self) {
        self.is_relieved = true;
    }

    fn renew(&mut self) {
        self.shoe = None;
    }

    /// The marker begins at the dealer again. s.7(b)
    fn close(&mut self) {
        self.marker = 0;
    }

    fn shoe(&self) -> Option<String> {
        Some(self.name())
    }

    fn cannot(&self) -> &'static [FaultKind] {
        &[FaultKind::WrongCommission]
    }

    fn late_code(&self, kind: &str) -> &'static str {
        match kind {
            "split" => "fast_action.split_late",
            _ => "wager.late",
        }
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let mut dealt = Dealt::default();
        let mut hands = Vec::new();
        for &seat in seats {
            dealt.bet(seat, "main", rng.random_range(1..=40) * 500);
            hands.push((seat, Vec::new()));
        }
        self.pays_first = false;
        let (mishaps, missed) = self.mishaps(seats, rng);
        let mut dealer = Vec::new();
        // Clockwise from the marker, the dealer after the last seat. s.7(c)
        let first = hands.iter().position(|(seat, _)| *seat >= self.marker);
        let first = first.filter(|_| self.marker > 0).unwrap_or(hands.len());
        for turn in 0..4 * (hands.len() + 1) {
            let place = (first + turn) % (hands.len() + 1);
            let is_missed = |(seat, cards): &(u32, Vec<Card>)| missed == Some((*seat, cards.len()));
            if hands.get(place).is_some_and(is_missed) {
                continue;
            }
            let Some(card) = self.draw() else { break };
            let (to, seat, cards) = match hands.get_mut(place) {
                Some((seat, cards)) => (CardPlace::Seat, Some(*seat), cards),
                None => (CardPlace::Dealer, None, &mut dealer),
            };
            let body = deal(to, seat, card, Face::Down, self.reader);
            dealt.events.push(body);
            cards.push(card);
        }
        self.marker = (self.marker + 1) % (POSITIONS + 1);
        if rng.random_range(0..60) == 0 {
            return self.stop(dealt, &hands, &dealer);
        }
        dealt.events.extend(tell(&mishaps, || self.draw()));
        let mut entries = Vec::new();
        for (main, (seat, cards)) in hands.iter().enumerate() {
            match missed {
                // s.9(e), 9(j): nothing to play with.
                Some((unlucky, dealt)) if unlucky == *seat => {
                    let short = json!({"seat": seat, "cards": text(cards), "action": "pending"});
                    entries.extend((dealt > 0).then_some(short));
                }
                _ => entries.push(self.decide(&mut dealt, main, *seat, cards, rng)),
            }
        }
        dealt
            .events
            .extend(reveal_all(CardPlace::Dealer, None, &dealer));
        dealt.play = json!({"dealer": {"cards": text(&dealer)}, "board": [], "hands": entries});
        if !is_natural(&dealer) {
            self.set_and_deal_board(&mut dealt, &dealer);
        }
        // s.8(k): counterclockwise.
        if !self.reader {
            for (seat, cards) in hands.iter().rev() {
                dealt
                    .events
                    .extend(reveal_all(CardPlace::Seat, Some(*seat), cards));
            }
        }
        if !mishaps.is_empty() {
            dealt.play["irregularities"] = json!(mishaps);
        }
        dealt
    }

    fn arrange(&self, dealt: &Dealt, payments: &mut Vec<(usize, Body)>) {
        turns::losers_first(dealt, payments);
        if self.pays_first {
            let after = payments.partition_point(|(after, _)| *after < dealt.events.len());
            payments[after..].reverse();
        }
    }

    fn misplay(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        dealt.play["dealer"].get("set")?;
        let split = dealt
            .wagers
            .iter()
            .position(|wager| wager["kind"] == "split");
        let compared = |hand: &&Value| hand["action"] == "set" || hand["action"] == "split";
        let hands = dealt.play["hands"].as_array().into_iter().flatten();
        let has_two = hands.filter(compared).count() > 1;
        match (rng.random_range(0..4), split) {
            (3, _) if has_two => {
                self.pays_first = true;
                Some(vec!["settle.order"])
            }
            (0, Some(split)) => {
                dealt.wagers[split]["amount"] = json!(amount(&dealt.wagers[split]) / 2);
                Some(vec!["fast_action.split_not_equal"])
            }
            (1, Some(split)) => {
                let end = dealt.events.len();
                let place = dealt.added.iter_mut().find(|(index, _)| *index == split)?;
                place.1 = end;
                Some(vec!["fast_action.split_late"])
            }
            // The dealer keeps what the house ways do not allow.
            _ => {
                let cards = dealt.play["dealer"]["cards"].as_array()?.clone();
                let cards: Vec<Card> = cards
                    .iter()
                    .filter_map(|card| card.as_str()?.parse().ok())
                    .collect();
                let right = house_way(&cards);
                // Two lines of the list take any running cards.
                let runs = |kept: &[Card]| height(kept[0]).abs_diff(height(kept[1])) == 1;
                let unequal = |pair: &[Card; 2]| {
                    pair.iter()
                        .all(|card| right.iter().all(|kept| kept.rank() != card.rank()))
                };
                let mut pairs = pairs(&cards).into_iter();
                let wrong = pairs.find(|pair| unequal(pair) && !(runs(&right) && runs(pair)))?;
                dealt.play["dealer"]["set"] = text(&wrong);
                let told = |body: &Body| matches!(body, Body::HandSet(set) if set.to == "dealer");
                let at = dealt.events.iter().position(told)?;
                dealt.events[at] = hand_set("dealer", None, &wrong, &[]);
                Some(vec!["fast_action.house_way"])
            }
        }
    }
}

impl FastAction {
    /// What goes wrong without anybody's fault, and the seat that has so many cards and gets no more.
    fn mishaps(&self, seats: &[u32], rng: &mut ChaCha8Rng) -> (Vec<Value>, Option<(u32, usize)>) {
        let unlucky = seats.choose(rng).copied();
        match (rng.random_range(0..80), unlucky) {
            (0, _) => (vec![json!({"code": FACE_UP, "count": 3})], None),
            (1, Some(seat)) => (
                vec![json!({"code": "no_cards", "seat": seat})],
                Some((seat, 0)),
            ),
            (2, Some(seat)) => {
                let short =
                    json!({"code": "card_count", "seat": seat, "dealt": 3, "resolution": "void"});
                (vec![short], Some((seat, 3)))
            }
            _ => (Vec::new(), None),
        }
    }

    fn draw(&mut self) -> Option<Card> {
        self.shoe.as_mut().and_then(Shoe::draw)
    }

    /// s.8(i),(j)
    fn set_and_deal_board(&mut self, dealt: &mut Dealt, dealer: &[Card]) {
        let kept = house_way(dealer);
        dealt.play["dealer"]["set"] = text(&kept);
        dealt.events.push(hand_set("dealer", None, &kept, &[]));
        self.draw();
        dealt.events.push(burn());
        let board: Vec<Card> = (0..5).filter_map(|_| self.draw()).collect();
        let up = |&card: &Card| deal(CardPlace::Community, None, card, Face::Up, true);
        dealt.events.extend(board.iter().map(up));
        dealt.play["board"] = text(&board);
    }

    /// A shoe begins with a burned card, and so does a dealer.
    fn burn_for_dealer(&mut self) -> Option<Body> {
        std::mem::take(&mut self.is_relieved).then(|| {
            self.draw();
            burn()
        })
    }

    /// The set of the present shoe: every other one the other, where there are two.
    fn set(&self) -> String {
        let other = self.alternates && self.shoes.is_multiple_of(2);
        format!("set-{}", self.sets - u32::from(other))
    }

    fn name(&self) -> String {
        format!("shoe-{}", self.shoes)
    }

    /// The shoe has to be reshuffled in the middle of the round. s.9(i)
    fn stop(&self, mut dealt: Dealt, hands: &[(u32, Vec<Card>)], dealer: &[Card]) -> Dealt {
        let stopped = json!({"code": "insufficient_cards"});
        dealt.events.push(irregularity(&stopped));
        dealt
            .events
            .extend(reveal_all(CardPlace::Dealer, None, dealer));
        let mut entries = Vec::new();
        for (seat, cards) in hands {
            dealt
                .events
                .extend(reveal_all(CardPlace::Seat, Some(*seat), cards));
            entries.push(json!({"seat": seat, "cards": text(cards), "action": "pending"}));
        }
        dealt.play = json!({"dealer": {"cards": text(dealer)}, "board": [], "hands": entries,
            "irregularities": [stopped]});
        dealt
    }

    /// A natural is shown, two pairs are split, nothing is given up for half, the rest is set.
    fn decide(
        &self,
        dealt: &mut Dealt,
        main: usize,
        seat: u32,
        cards: &[Card],
        rng: &mut ChaCha8Rng,
    ) -> Value {
        let mut entry = json!({"seat": seat, "cards": text(cards)});
        let act = |dealt: &mut Dealt, entry: &mut Value, action: &str| {
            dealt.events.push(decision(seat, action));
            entry["action"] = json!(action);
        };
        if is_natural(cards) {
            act(dealt, &mut entry, "natural");
            dealt.decide(main);
            return entry;
        }
        let mut sorted = cards.to_vec();
        sorted.sort_by_key(|&card| height(card));
        let two_pairs =
            sorted[0].rank() == sorted[1].rank() && sorted[2].rank() == sorted[3].rank();
        let high = sorted[1..]
            .windows(2)
            .all(|two| height(two[1]) - height(two[0]) <= 1);
        if two_pairs || (high && rng.random_range(0..2) == 0) {
            let stake = amount(&dealt.wagers[main]);
            dealt.add_bet(main, "split", stake);
            act(dealt, &mut entry, "split");
            let (low, high) = sorted.split_at(2);
            dealt.events.push(hand_set("seat", Some(seat), high, low));
            entry["sets"] = json!([text(high), text(low)]);
        } else if height(sorted[3]) < 8 && rng.random_range(0..3) == 0 {
            act(dealt, &mut entry, "surrender");
            dealt.decide(main);
        } else {
            act(dealt, &mut entry, "set");
            let kept = house_way(cards);
            dealt.events.push(hand_set("seat", Some(seat), &kept, &[]));
            entry["sets"] = json!([text(&kept)]);
        }
        entry
    }
}

fn hand_set(to: &str, seat: Option<u32>, high: &[Card], low: &[Card]) -> Body {
    let words = |cards: &[Card]| cards.iter().map(Card::to_string).collect();
    HandSet {
        to: to.to_owned(),
        seat,
        high: words(high),
        low: words(low),
    }
    .into()
}

fn is_natural(cards: &[Card]) -> bool {
    cards.iter().all(|card| card.rank() == cards[0].rank())
}

fn pairs(cards: &[Card]) -> Vec<[Card; 2]> {
    let mut pairs = Vec::new();
    for (at, &one) in cards.iter().enumerate() {
        for &other in &cards[at + 1..] {
            pairs.push([one, other]);
        }
    }
    pairs
}

/// The fourteen lines, as the dealer's card lists them. s.8(i)
fn house_way(cards: &[Card]) -> Vec<Card> {
    const TEN: u8 = 8;
    const JACK: u8 = 9;
    const ACE: u8 = 12;
    let lines: [fn(u8, u8, bool) -> bool; 14] = [
        |high, low, suited| high == low && suited,
        |high, low, _| high == low,
        |high, low, suited| high == ACE && suited && low >= TEN,
        |high, low, suited| suited && high - low == 1 && low >= TEN,
        |high, low, _| high == ACE && low >= TEN,
        |high, low, suited| !suited && high - low == 1 && low >= JACK,
        |high, _, suited| high == ACE && suited,
        |_, low, suited| suited && low >= TEN,
        |_, low, _| low >= JACK,
        |high, _, _| high == ACE,
        |high, low, suited| suited && high - low == 1,
        |_, _, suited| suited,
        |high, low, _| high - low == 1,
        |_, _, _| true,
    ];
    let facts = |[one, other]: &[Card; 2]| {
        let (one_height, other_height) = (height(*one), height(*other));
        let (high, low) = (one_height.max(other_height), one_height.min(other_height));
        (high, low, one.suit() == other.suit())
    };
    for line in lines {
        let fitting = pairs(cards).into_iter().filter(|pair| {
            let (high, low, suited) = facts(pair);
            line(high, low, suited)
        });
        // Of equal ones those that were dealt first.
        let best = fitting.rev().max_by_key(|pair| {
            let (high, low, _) = facts(pair);
            (high, low)
        });
        if let Some(pair) = best {
            return pair.to_vec();
        }
    }
    Vec::new()
}

fn new_set(set: &str, colour: &str, decks: u32) -> [Body; 3] {
    let set = || set.to_owned();
    let delivered = CardsDelivered {
        set: set(),
        decks,
        colour: Some(colour.to_owned()),
        preshuffled: false,
        seal: None,
        from: None,
        by: None,
        witness: None,
    };
    let opened = CardsOpened {
        set: set(),
        extended_use: None,
        receipt: None,
        seal_intact: None,
        by: None,
    };
    let inspected = CardsInspected {
        set: set(),
        missing: Vec::new(),
        extra: Vec::new(),
        unsuitable: Vec::new(),
        dealer: "d-1".into(),
        supervisor: "s-1".into(),
    };
    [delivered.into(), opened.into(), inspected.into()]
}

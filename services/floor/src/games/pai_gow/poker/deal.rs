//! The deal of a round: where it begins, how the cards leave the deck, and how they are set.

use std::collections::BTreeMap;
use std::ops::Range;

use catwalk_events::body::{
    Body, CardDealt, CardPlace, CardRevealed, CardsCounted, CountScope, DiceRolled, Face, WheelSpun,
};
use catwalk_rules::floor::Card;
use catwalk_rules::games::lay_cards_the_house_way;
use catwalk_rules::hands::joker::LowStraight;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::PaiGowPoker;
use crate::games::Dealt;
use crate::games::pai_gow::{Bank, says, seat_of, set_again, sets, shake, texts};

/// Dealer and six areas.
const POSITIONS: u32 = 7;

/// A table's deal: seven cards for each position that gets some, from its start.
pub(super) struct Hands {
    cards: BTreeMap<u32, [Card; 7]>,
    order: Vec<u32>,
    pub(super) left: u32,
}

impl PaiGowPoker {
    /// The position of the first card or stack, and how it was found.
    pub(super) fn start(
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
                    ..WheelSpun::default()
                };
                events.push(drawn.into());
                (count(number), json!({ "number": number }))
            }
            Some("button") => {
                let at = (POSITIONS - self.turns % POSITIONS) % POSITIONS;
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

    pub(super) fn deal(
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
    pub(super) fn tell_deal(
        &self,
        hands: &Hands,
        wagers: &[Value],
        bank: Option<Bank>,
        events: &mut Vec<Body>,
    ) -> usize {
        let steps: Vec<Range<usize>> = if self.is_left_first() {
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
    pub(super) fn tell_settings(
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
    pub(super) fn misset(
        &self,
        round: &mut Dealt,
        code: &'static str,
    ) -> Option<Vec<&'static str>> {
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

    fn low_straight(&self) -> LowStraight {
        match self.options["low_straight"].as_str() {
            Some("lowest") => LowStraight::Lowest,
            _ => LowStraight::SecondHighest,
        }
    }
}

fn bets_on_three(area: u32, wagers: &[Value]) -> bool {
    let mut bets = wagers
        .iter()
        .filter(|bet| bet["kind"] == "three_card_bonus");
    bets.any(|bet| seat_of(bet) == area)
}

/// Some cards of a hand are turned over.
fn reveal(position: u32, cards: &[Card; 7], which: Range<usize>) -> Vec<Body> {
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

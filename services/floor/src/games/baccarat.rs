//! The baccarat games that the house banks, on the floor.

use catwalk_events::body::{
    Body, CardBurned, CardDealt, CardPlace, CardsRemoved, DealingMethod, Face, ShoeEnded,
    ShoeStarted,
};
use catwalk_rules::floor::{Card, Rank};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::shoes::new_set;
use super::{Dealt, GameSim};
use crate::fault::FaultKind;
use crate::shoe::Shoe;

const DECKS: u32 = 8;
/// Cards behind the cutting card.
const CUT: u32 = 52;

/// One of them.
#[derive(Debug)]
pub(super) struct Baccarat {
    variant: Variant,
    ohio: bool,
    ez: bool,
    shoe: Option<Shoe>,
    shoes: u32,
    sets: u32,
    /// The cutting card has come, and the hand that is still dealt after it was announced.
    last_hand_called: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    Baccarat,
    Midi,
    Mini,
    CommissionFree,
}

impl GameSim for Baccarat {
    fn sign(&self) -> &'static str {
        match self.variant {
            Variant::Baccarat => "BA",
            Variant::Midi => "MI",
            Variant::Mini => "MB",
            Variant::CommissionFree => "CF",
        }
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let rounding = ["exact", "up"].choose(rng);
        self.ohio = match self.variant {
            Variant::Mini => rng.random_range(0..3) == 0,
            variant => variant == Variant::CommissionFree,
        };
        if self.variant == Variant::CommissionFree {
            return ("oh-jack-2017", json!({}));
        }
        if self.ohio {
            let vigorish = ["win_5pct", "tie_25pct"].choose(rng);
            return (
                "oh-jack-2017",
                json!({"vigorish_rounding": rounding, "vigorish_type": vigorish}),
            );
        }
        self.ez = rng.random_range(0..2) == 0;
        let dragon = ["A", "B", "C"].choose(rng);
        let options =
            json!({"ez_baccarat": self.ez, "dragon_bonus": dragon, "vigorish_rounding": rounding});
        ("mgc-2017", options)
    }

    fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        let mut events: Vec<Body> = Vec::new();
        if self.shoes == 0 {
            events.extend(new_set(&self.set(), DECKS, "red"));
        }
        if let Some(shoe) = &self.shoe {
            let cut_card_out = shoe.remaining() < CUT as usize;
            let called = std::mem::replace(&mut self.last_hand_called, cut_card_out);
            if !(cut_card_out && called) {
                return events;
            }
        }
        self.last_hand_called = false;
        if let Some(shoe) = &self.shoe {
            let remaining = u32::try_from(shoe.remaining()).ok();
            events.push(
                ShoeEnded {
                    shoe: self.name(),
                    remaining,
                }
                .into(),
            );
            if self.takes_new_cards() {
                let removed = CardsRemoved {
                    set: self.set(),
                    reason: "end_of_shoe".into(),
                    by: None,
                };
                events.push(removed.into());
                self.sets += 1;
                events.extend(new_set(&self.set(), DECKS, "red"));
            }
        }
        self.shoes += 1;
        let mut shoe = Shoe::shuffled(DECKS as usize, rng);
        let started = ShoeStarted {
            shoe: self.name(),
            set: self.set(),
            decks: DECKS,
            method: DealingMethod::Shoe,
            shuffler: None,
            cut: Some(CUT),
        };
        events.push(started.into());
        // The first card is shown; as many as it counts go face down after it.
        if let Some(first) = shoe.draw() {
            events.push(
                CardBurned {
                    card: Some(first.to_string()),
                    back: None,
                }
                .into(),
            );
            for _ in 0..burn_value(first) {
                shoe.draw();
                events.push(
                    CardBurned {
                        card: None,
                        back: None,
                    }
                    .into(),
                );
            }
        }
        self.shoe = Some(shoe);
        events
    }

    fn shoe(&self) -> Option<String> {
        Some(self.name())
    }

    fn cannot(&self) -> &'static [FaultKind] {
        match self.variant {
            Variant::CommissionFree => &[FaultKind::WrongCommission],
            _ => &[],
        }
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let mut wagers = self.bets(seats, rng);
        let mut draw = || self.shoe.as_mut().and_then(Shoe::draw);
        let first: Vec<Card> = (0..4).filter_map(|_| draw()).collect();
        let &[p1, b1, p2, b2] = first.as_slice() else {
            return nothing_dealt();
        };
        let (mut player, mut banker) = (vec![p1, p2], vec![b1, b2]);
        let mut events: Vec<Body> = [
            (CardPlace::Player, p1),
            (CardPlace::Banker, b1),
            (CardPlace::Player, p2),
            (CardPlace::Banker, b2),
        ]
        .map(|(to, card)| dealt(to, card))
        .into();
        if points(&player) < 8 && points(&banker) < 8 {
            let third = (points(&player) <= 5).then(&mut draw).flatten();
            player.extend(third);
            events.extend(third.map(|card| dealt(CardPlace::Player, card)));
            if banker_draws(points(&banker), third.map(value))
                && let Some(card) = draw()
            {
                banker.push(card);
                events.push(dealt(CardPlace::Banker, card));
            }
        }
        let added = self.press(&mut wagers, &[p1, p2], &[b1, b2], rng);
        let text = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>();
        let play = json!({"player": text(&player), "banker": text(&banker)});
        Dealt {
            wagers,
            play,
            events,
            added,
            ..Dealt::default()
        }
    }

    /// The dealer gives the Banker a card that the table does not allow, or holds one back.
    fn misplay(&mut self, round: &mut Dealt, _: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        let banker = round.play["banker"].as_array_mut()?;
        if banker.len() == 3 {
            banker.pop();
            round.events.pop();
            return Some(vec!["baccarat.banker_missing_third_card"]);
        }
        let card = self.shoe.as_mut()?.draw()?;
        banker.push(json!(card.to_string()));
        round.events.push(dealt(CardPlace::Banker, card));
        Some(vec!["baccarat.banker_drew_in_error"])
    }
}

impl Baccarat {
    pub(super) fn new(variant: Variant) -> Baccarat {
        Baccarat {
            variant,
            ohio: false,
            ez: false,
            shoe: None,
            shoes: 0,
            sets: 1,
            last_hand_called: false,
        }
    }

    fn name(&self) -> String {
        format!("shoe-{}", self.shoes)
    }

    fn set(&self) -> String {
        format!("set-{}", self.sets)
    }

    /// Where players handle the cards, every shoe takes new ones.
    fn takes_new_cards(&self) -> bool {
        matches!(self.variant, Variant::Baccarat | Variant::Midi)
    }

    fn bets(&self, seats: &[u32], rng: &mut ChaCha8Rng) -> Vec<Value> {
        let mut wagers: Vec<Value> = Vec::new();
        let mut place = |seat: u32, kind: &str, amount: i64| {
            let id = format!("w{}", wagers.len() + 1);
            wagers.push(json!({"id": id, "seat": seat, "kind": kind, "amount": amount}));
        };
        for &seat in seats {
            let side = ["player", "banker", "banker"]
                .choose(rng)
                .copied()
                .unwrap_or("banker");
            place(seat, side, rng.random_range(5..=200) * 500);
            if rng.random_range(0..4) == 0 {
                place(seat, "tie", rng.random_range(1..=20) * 100);
            }
            if rng.random_range(0..4) == 0 {
                let kind = ["dragon_bonus_player", "dragon_bonus_banker"]
                    .choose(rng)
                    .copied();
                place(
                    seat,
                    kind.unwrap_or("dragon_bonus_player"),
                    rng.random_range(1..=20) * 100,
                );
            }
            if self.ez && rng.random_range(0..3) == 0 {
                let kind = ["dragon_7", "panda_8"].choose(rng).copied();
                place(
                    seat,
                    kind.unwrap_or("dragon_7"),
                    rng.random_range(1..=10) * 500,
                );
            }
            if self.variant == Variant::CommissionFree && rng.random_range(0..3) == 0 {
                place(seat, "fortune_7", rng.random_range(1..=10) * 500);
            }
            if !self.ohio && rng.random_range(0..3) == 0 {
                place(seat, "house_money", rng.random_range(1..=10) * 500);
            }
        }
        wagers
    }

    /// Some winners of House Money have the payout added to their main wager. The dealer does it
    /// after the first four cards.
    fn press(
        &self,
        wagers: &mut Vec<Value>,
        player: &[Card; 2],
        banker: &[Card; 2],
        rng: &mut ChaCha8Rng,
    ) -> Vec<(usize, usize)> {
        let pair = |hand: &[Card; 2]| hand[0].rank() == hand[1].rank();
        let pays = match (pair(player), pair(banker)) {
            (true, true) => 15,
            (false, false) => return Vec::new(),
            _ => 3,
        };
        let mut added = Vec::new();
        for index in 0..wagers.len() {
            if wagers[index]["kind"] != "house_money" || rng.random_range(0..2) == 0 {
                continue;
            }
            let seat = wagers[index]["seat"].clone();
            let main = wagers.iter().find(|wager| {
                wager["seat"] == seat && (wager["kind"] == "player" || wager["kind"] == "banker")
            });
            let Some(main) = main.map(|wager| wager["id"].clone()) else {
                continue;
            };
            let win = wagers[index]["amount"].as_i64().unwrap_or_default() * pays;
            let press = json!({"id": format!("w{}", wagers.len() + 1), "seat": seat,
                "kind": "house_money_press", "amount": win, "on": main, "from": wagers[index]["id"]});
            added.push((wagers.len(), 4));
            wagers.push(press);
        }
        added
    }
}

fn nothing_dealt() -> Dealt {
    Dealt {
        wagers: Vec::new(),
        play: json!({"player": [], "banker": [], "void": "insufficient_cards"}),
        events: Vec::new(),
        ..Dealt::default()
    }
}

fn dealt(to: CardPlace, card: Card) -> Body {
    let card = Some(card.to_string());
    CardDealt {
        to,
        seat: None,
        hand: None,
        card,
        face: Face::Up,
        back: None,
    }
    .into()
}

fn value(card: Card) -> u8 {
    match card.rank() {
        Some(Rank::Ace) => 1,
        Some(rank) if rank < Rank::Ten => rank.index() + 2,
        _ => 0,
    }
}

fn burn_value(card: Card) -> u8 {
    match value(card) {
        0 => 10,
        value => value,
    }
}

fn points(hand: &[Card]) -> u8 {
    hand.iter().map(|&card| value(card)).sum::<u8>() % 10
}

/// How a dealer learns it: by the Banker's count, the third cards of the Player that make it draw.
fn banker_draws(count: u8, third: Option<u8>) -> bool {
    let Some(third) = third else {
        return count <= 5;
    };
    match count {
        0..=2 => true,
        3 => third != 8,
        4 => (2..=7).contains(&third),
        5 => (4..=7).contains(&third),
        6 => (6..=7).contains(&third),
        _ => false,
    }
}

//! The baccarat games that the house banks, on the floor.

mod cards;
mod hand;
mod talk;

use catwalk_events::body::{Body, CardDealt, CardPlace, CardRevealed, Face};
use catwalk_rules::floor::Card;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{Dealt, GameSim};
use crate::fault::FaultKind;
use crate::table::wager_of;

pub(super) use self::cards::{DealingShoe, burned};
pub(super) use self::hand::{banker_draws, dealt, points, text, value};
use self::talk::Talk;

/// One of them.
#[derive(Debug)]
pub(super) struct Baccarat {
    variant: Variant,
    ohio: bool,
    options: Value,
    shoe: DealingShoe,
    talk: Talk,
    /// The first four cards lie face down until they are turned.
    face_down: bool,
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
        self.ohio = match self.variant {
            Variant::Mini => rng.random_range(0..3) == 0,
            variant => variant == Variant::CommissionFree,
        };
        self.shoe.decks = rng.random_range(6..=8);
        // Where players handle the cards, every shoe takes new ones.
        self.shoe.shoes_per_set = match self.variant {
            Variant::Baccarat | Variant::Midi => 1,
            Variant::Mini | Variant::CommissionFree => 8,
        };
        let mut options = json!({"decks": self.shoe.decks});
        let mut choose = |key: &str, values: &[Value]| {
            options[key] = values.choose(rng).cloned().unwrap_or_default();
        };
        choose("tie_pays", &[json!("8:1"), json!("9:1")]);
        if self.variant != Variant::CommissionFree {
            choose("vigorish_rounding", &[json!("exact"), json!("up")]);
            let when = [json!("at_payout"), json!("deferred")];
            choose("vigorish_collection", &when);
        }
        if self.ohio {
            let order = [json!("all_bonus_first"), json!("per_player")];
            choose("bonus_settlement_order", &order);
            choose("dragon_bonus", &[json!("A"), json!("A"), json!("off")]);
        } else {
            choose("ez_baccarat", &[json!(false), json!(true), json!(false)]);
            choose("dragon_bonus", &["A", "B", "C", "off"].map(Value::from));
            choose("house_money", &[json!(true), json!(true), json!(false)]);
            choose("house_money_press_percent", &[json!(100), json!(50)]);
        }
        let seldom = [json!(false), json!(false), json!(true)];
        if self.ohio {
            choose("tournament", &seldom);
            choose("deal_style", &["face_up", "face_down"].map(Value::from));
        } else {
            let procedures = ["discard_two", "simulated_round"];
            choose("disclosed_card_procedure", &procedures.map(Value::from));
        }
        if self.variant == Variant::CommissionFree {
            choose("fortune_7", &[json!(true), json!(true), json!(false)]);
        } else if self.ohio {
            choose("midi", &seldom);
            // 13.G: all tables of a house take the same vigorish.
            let of_house = rng.get_seed()[0] % 2;
            options["vigorish_type"] = json!(["win_5pct", "tie_25pct"][usize::from(of_house)]);
        }
        self.choose_cards(&mut options, rng);
        self.options = options.clone();
        let edition = if self.ohio {
            "oh-jack-2017"
        } else {
            "mgc-2017"
        };
        (edition, options)
    }

    fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        self.shoe.prepare(rng)
    }

    fn renew(&mut self) {
        self.shoe.renew();
    }

    fn shoe(&self) -> Option<String> {
        Some(self.shoe.name())
    }

    fn cannot(&self) -> &'static [FaultKind] {
        match self.variant {
            Variant::CommissionFree => &[FaultKind::WrongCommission],
            _ => &[],
        }
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let before = self.talk.curate(self.shoe.name(), seats, rng);
        let mut wagers = self.bets(seats, rng);
        let first: Vec<Card> = (0..4).filter_map(|_| self.shoe.draw()).collect();
        let &[p1, b1, p2, b2] = first.as_slice() else {
            return nothing_dealt();
        };
        let (mut player, mut banker) = (vec![p1, p2], vec![b1, b2]);
        let mut events = self.first_cards([p1, b1, p2, b2]);
        events.extend(self.talk.counts(&player, &banker));
        // House Money is settled now.
        let first = events.len();
        let mut draw = || self.shoe.draw();
        if points(&player) < 8 && points(&banker) < 8 {
            let third = (points(&player) <= 5).then(&mut draw).flatten();
            player.extend(third);
            events.extend(third.map(|card| dealt(CardPlace::Player, card, Face::Up)));
            if banker_draws(points(&banker), third.map(value))
                && let Some(card) = draw()
            {
                banker.push(card);
                events.push(dealt(CardPlace::Banker, card, Face::Up));
            }
        }
        events.extend(self.talk.result(&player, &banker));
        let pressed = self.press(&mut wagers, &[p1, p2], &[b1, b2], rng);
        let added = pressed.into_iter().map(|index| (index, first)).collect();
        let decided = house_money(&wagers).map(|index| (index, first)).collect();
        let play = json!({"player": text(&player), "banker": text(&banker)});
        Dealt {
            wagers,
            play,
            before,
            events,
            added,
            decided,
            ..Dealt::default()
        }
    }

    /// A card too many or too few, the first four in the wrong order, a wrong call, a shoe that is kept, more than a
    /// payout added to a wager.
    fn misplay(&mut self, round: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        match rng.random_range(0..8) {
            0 | 1 => {
                round.events.swap(1, 2);
                return Some(vec!["baccarat.wrong_deal_order"]);
            }
            2 if talk::miscall(&mut round.events) => return Some(vec!["baccarat.wrong_call"]),
            4 | 5 if press_too_much(round) => return Some(vec!["house_money.press_wrong_amount"]),
            3 if let Some(seat) = self.talk.must_pass => {
                round.before = self.talk.keep(seat);
                return Some(vec!["baccarat.curator_kept_shoe"]);
            }
            _ => {}
        }
        // How a hand went that was dealt wrongly is in doubt.
        self.talk.forget();
        let (side, place) =
            *[("player", CardPlace::Player), ("banker", CardPlace::Banker)].choose(rng)?;
        let hand = round.play[side].as_array_mut()?;
        if hand.len() == 3 && rng.random_range(0..4) > 0 {
            let card = hand.pop();
            let card = card
                .as_ref()
                .and_then(Value::as_str)
                .and_then(|card| card.parse().ok());
            // What is not dealt is still in the shoe.
            card.into_iter().for_each(|card| self.shoe.put_back(card));
            let is_of_side =
                |body: &Body| matches!(body, Body::CardDealt(dealt) if dealt.to == place);
            let at = round.events.iter().rposition(is_of_side)?;
            round.events.remove(at);
            return Some(match place {
                CardPlace::Player => vec!["baccarat.player_missing_third_card"],
                _ => vec!["baccarat.banker_missing_third_card"],
            });
        }
        let codes = match (hand.len(), place) {
            (3, _) => vec!["baccarat.too_many_cards"],
            (_, CardPlace::Player) => vec!["baccarat.player_drew_in_error"],
            _ => vec!["baccarat.banker_drew_in_error"],
        };
        let card = self.shoe.draw()?;
        hand.push(json!(card.to_string()));
        round.events.push(dealt(place, card, Face::Up));
        Some(codes)
    }

    /// Losers first. Winners from the highest seat down; Ohio's bonuses before them, from the dealer's
    /// right, or with the main wager of their seat.
    fn arrange(&self, dealt: &Dealt, payments: &mut Vec<(usize, Body)>) {
        let per_player = self.options["bonus_settlement_order"] == "per_player";
        payments.sort_by_key(|(after, body)| {
            let is_paid = !matches!(body, Body::WagerCollected(_));
            let wager = wager_of(body);
            let wager = dealt.wagers.iter().find(|bet| bet["id"].as_str() == wager);
            let seat = wager
                .and_then(|bet| bet["seat"].as_i64())
                .unwrap_or_default();
            let kind = wager
                .and_then(|bet| bet["kind"].as_str())
                .unwrap_or_default();
            let is_main = !self.ohio || matches!(kind, "player" | "banker" | "tie");
            let place = match (kind, per_player, is_main) {
                ("house_money", _, _) | (_, false, false) => (0, seat, is_main),
                (_, true, _) => (0, -seat, is_main),
                (_, false, true) => (1, -seat, is_main),
            };
            (*after, is_paid, place)
        });
    }
}

/// Adds more to a wager than the payout that it is added from; false if none was.
fn press_too_much(round: &mut Dealt) -> bool {
    let mut wagers = round.wagers.iter_mut();
    let press = wagers.find(|wager| wager["kind"] == "house_money_press");
    let Some(press) = press else { return false };
    press["amount"] = json!(press["amount"].as_i64().unwrap_or_default() + 1000);
    true
}

fn house_money(wagers: &[Value]) -> impl Iterator<Item = usize> {
    let bets = wagers.iter().enumerate();
    bets.filter(|(_, wager)| wager["kind"] == "house_money")
        .map(|(index, _)| index)
}

impl Baccarat {
    pub(super) fn new(variant: Variant) -> Baccarat {
        Baccarat {
            variant,
            ohio: false,
            options: Value::Null,
            shoe: DealingShoe::default(),
            talk: Talk::default(),
            face_down: false,
        }
    }

    /// How the table's cards are shuffled, delivered and shown.
    fn choose_cards(&mut self, options: &mut Value, rng: &mut ChaCha8Rng) {
        let mut seldom = |key: &str| {
            let chosen = rng.random_range(0..4) == 0;
            options[key] = json!(chosen);
            chosen
        };
        self.shoe.preshuffled = seldom("preshuffled_cards");
        let machine = seldom("shuffler");
        match self.variant {
            // New cards with every shoe: the machine has nothing to take in turn.
            Variant::Baccarat | Variant::Midi => {
                seldom("reshuffle_after_lacing");
            }
            Variant::Mini | Variant::CommissionFree => {
                self.shoe.continuous = !machine && seldom("continuous_shuffler");
                self.shoe.two_batches = machine;
            }
        }
        let handled = match self.variant {
            Variant::Baccarat | Variant::CommissionFree => seldom("player_handling"),
            Variant::Midi => true,
            Variant::Mini => options["midi"] == true,
        };
        self.face_down = handled || options["deal_style"] == "face_down";
        self.talk.told = rng.random_range(0..2) == 0;
        self.talk.curated = self.variant == Variant::Baccarat;
        let mut either = |key: &str, values: [&str; 2]| {
            options[key] = json!(values.choose(rng));
        };
        if self.variant == Variant::Baccarat {
            either("shuffle_procedure", ["lace", "wash"]);
        }
        if matches!(self.variant, Variant::Baccarat | Variant::Midi) {
            either("recut_by", ["last_cutter", "next_entitled"]);
        }
    }

    /// The first four cards, and their turning where they lie face down.
    fn first_cards(&self, cards: [Card; 4]) -> Vec<Body> {
        let sides = [CardPlace::Player, CardPlace::Banker].into_iter().cycle();
        let dealt_cards = || sides.clone().zip(cards);
        if !self.face_down {
            let up = dealt_cards().map(|(to, card)| dealt(to, card, Face::Up));
            return up.collect();
        }
        let down = dealt_cards().map(|(to, _)| {
            let dealt = CardDealt {
                to,
                seat: None,
                hand: None,
                card: None,
                face: Face::Down,
                back: None,
            };
            dealt.into()
        });
        let turned = dealt_cards().zip([0, 0, 1, 1]).map(|((to, card), index)| {
            let revealed = CardRevealed {
                to,
                seat: None,
                hand: None,
                index,
                card: card.to_string(),
            };
            revealed.into()
        });
        down.chain(turned).collect()
    }

    fn offers(&self, option: &str) -> bool {
        self.options[option] == true
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
            if self.options["dragon_bonus"] != "off" && rng.random_range(0..4) == 0 {
                let kind = ["dragon_bonus_player", "dragon_bonus_banker"]
                    .choose(rng)
                    .copied();
                place(
                    seat,
                    kind.unwrap_or("dragon_bonus_player"),
                    rng.random_range(1..=20) * 100,
                );
            }
            if self.offers("ez_baccarat") && rng.random_range(0..3) == 0 {
                let kind = ["dragon_7", "panda_8"].choose(rng).copied();
                place(
                    seat,
                    kind.unwrap_or("dragon_7"),
                    rng.random_range(1..=10) * 500,
                );
            }
            if self.offers("fortune_7") && rng.random_range(0..3) == 0 {
                place(seat, "fortune_7", rng.random_range(1..=10) * 500);
            }
            if self.offers("house_money") && rng.random_range(0..3) == 0 {
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
    ) -> Vec<usize> {
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
            let portion = self.options["house_money_press_percent"].as_i64();
            let win = wagers[index]["amount"].as_i64().unwrap_or_default() * pays;
            let win = win * portion.unwrap_or(100) / 100;
            let press = json!({"id": format!("w{}", wagers.len() + 1), "seat": seat,
                "kind": "house_money_press", "amount": win, "on": main, "from": wagers[index]["id"]});
            added.push(wagers.len());
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

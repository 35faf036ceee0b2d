//! Chemin de fer on the floor: one of the players banks, and the house takes its vigorish.

use catwalk_events::body::{Body, CardPlace, Decision, Face, Irregularity, WagerChanged};
use catwalk_events::{Json, Person, Role};
use catwalk_rules::floor::{Card, Cents};
use catwalk_rules::{Settlement, Verdict};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::baccarat::{DealingShoe, banker_draws, burned, dealt, points, text, value};
use super::{Dealt, GameSim};

const SEATS: u32 = 6;
/// A Banker with more than this takes his money and passes.
const RICH: i64 = 400_000;
/// The most cards that go with one that was shown in error, itself included, and the most of a hand.
const DISCARD: usize = 11;
const HAND: usize = 6;

#[derive(Debug, Default)]
pub(super) struct CheminDeFer {
    shoe: DealingShoe,
    /// The last hand's bank.
    held: Option<Held>,
    suivi_seat: Option<u32>,
    options: Value,
}

#[derive(Clone, Debug)]
struct Held {
    shoe: String,
    seat: u32,
    amount: i64,
    lost: bool,
}

/// Who banks, for how much, how he came to it, and what was said about it.
struct Bank {
    seat: u32,
    amount: i64,
    prior: Option<Value>,
    said: Vec<Body>,
}

impl GameSim for CheminDeFer {
    fn sign(&self) -> &'static str {
        "CH"
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        self.shoe.decks = rng.random_range(6..=8);
        self.shoe.shoes_per_set = 8;
        let percent = [4, 5].choose(rng);
        let rounding = ["exact", "up"].choose(rng);
        let shuffle = ["lace", "wash"].choose(rng);
        let recut = ["last_cutter", "next_entitled"].choose(rng);
        let disclosed = ["value_cards", "one_face_down", "simulated_round"].choose(rng);
        let tens = [1, 10].choose(rng);
        self.shoe.preshuffled = rng.random_range(0..4) == 0;
        self.options = json!({"decks": self.shoe.decks, "vigorish_percent": percent,
            "vigorish_rounding": rounding, "preshuffled_cards": self.shoe.preshuffled,
            "shuffle_procedure": shuffle, "reshuffle_after_lacing": rng.random_range(0..2) == 0,
            "recut_by": recut, "disclosed_card_procedure": disclosed, "ten_value_burn": tens});
        ("mgc-2017", self.options.clone())
    }

    fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        self.shoe.prepare(rng)
    }

    fn closes_at_night(&self) -> bool {
        false
    }

    fn renew(&mut self) {
        self.shoe.renew();
    }

    fn shoe(&self) -> Option<String> {
        Some(self.shoe.name())
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let bank = self.bank(seats, rng);
        let wagers = self.wagers(&bank, seats, rng);
        let covered: i64 = wagers[1..].iter().map(amount).sum();
        let dominant = dominant(&wagers);
        let mut events: Vec<Body> = Vec::new();
        if covered < bank.amount {
            events.push(withdrawal(covered).into());
        }
        // After this hand there may be one more before the cards are shuffled.
        if rng.random_range(0..12) == 0 && self.shoe.remaining() >= DISCARD + 2 * HAND {
            events.extend(self.discard_shown(rng));
        }
        let mut play = self.deal(dominant, &mut events, rng);
        if let Some(prior) = bank.prior {
            play["prior"] = prior;
        }
        Dealt {
            wagers,
            play,
            events,
            before: bank.said,
            banker: Some(bank.seat),
            ..Dealt::default()
        }
    }

    /// A card too many or too few for the Banker, cards in the wrong order, a bank that is not taken
    /// back, the wrong player at the cards, too few cards discarded.
    fn misplay(&mut self, round: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        let cards = round.events.iter();
        let first = cards
            .clone()
            .position(|body| matches!(body, Body::CardDealt(_)))?;
        let last_burned = cards
            .clone()
            .rposition(|body| matches!(body, Body::CardBurned(burned) if burned.card.is_some()));
        let withdrawn = cards
            .clone()
            .position(|body| matches!(body, Body::WagerChanged(_)));
        match rng.random_range(0..4) {
            _ if let Some(at) = last_burned.filter(|&at| at > 1) => {
                let is_burned = |body: &&Body| matches!(body, Body::CardBurned(_));
                if cards.filter(is_burned).count() < 2 {
                    return None;
                }
                // What is not discarded is still in the shoe.
                if let Body::CardBurned(burned) = round.events.remove(at)
                    && let Some(card) = burned.card.and_then(|card| card.parse().ok())
                {
                    self.shoe.put_back(card);
                }
                Some(vec!["chemin.disposal_wrong"])
            }
            0 => {
                round.events.swap(first + 1, first + 2);
                Some(vec!["chemin.wrong_order"])
            }
            1 if let Some(at) = withdrawn => {
                round.events.remove(at);
                Some(vec!["chemin.uncovered_not_withdrawn"])
            }
            2 if round.wagers.len() > 2 => {
                let at = round.play["dominant_seat"].as_u64()?;
                let mut others = round.wagers[1..]
                    .iter()
                    .filter_map(|bet| bet["seat"].as_u64());
                let other = others.find(|seat| *seat != at)?;
                round.play["dominant_seat"] = json!(other);
                for body in &mut round.events {
                    if let Body::Decision(decision) = body {
                        decision.seat = u32::try_from(other).ok()?;
                    }
                }
                Some(vec!["chemin.wrong_dominant_player"])
            }
            _ => {
                let banker = round.play["banker"].as_array_mut()?;
                if banker.len() == 3 {
                    let card = banker.pop();
                    let card = card.as_ref().and_then(Value::as_str);
                    // What is not dealt is still in the shoe.
                    if let Some(card) = card.and_then(|card| card.parse().ok()) {
                        self.shoe.put_back(card);
                    }
                    round.events.pop();
                    return Some(vec!["chemin.banker_missing_third_card"]);
                }
                let card = self.shoe.draw()?;
                banker.push(json!(card.to_string()));
                round.events.push(dealt(CardPlace::Banker, card, Face::Up));
                Some(vec!["chemin.banker_drew_in_error"])
            }
        }
    }

    fn settled(&mut self, dealt: &Dealt, settlement: &Settlement) -> Vec<Body> {
        let rows = settlement.wagers();
        let bank = &dealt.wagers[0];
        let result = rows[0].result;
        self.held = (result != Verdict::Void).then(|| Held {
            shoe: self.shoe.name(),
            seat: seat(bank),
            amount: amount(bank),
            lost: result == Verdict::Lose,
        });
        if matches!(result, Verdict::Win | Verdict::Lose) {
            let mut others = dealt.wagers[1..].iter().zip(&rows[1..]);
            let suivi = others.find(|(bet, row)| {
                row.result == Verdict::Lose && amount(bet) - row.returned.get() == amount(bank)
            });
            self.suivi_seat = suivi.map(|(bet, _)| seat(bet));
        }
        Vec::new()
    }
}

impl CheminDeFer {
    /// A card is found face up in the shoe, or drawn and shown in error: it is discarded, and others
    /// with it. One that opens a simulated round is left out.
    fn discard_shown(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        let procedure = self.options["disclosed_card_procedure"].as_str();
        let in_shoe = procedure == Some("simulated_round") || rng.random_range(0..2) == 0;
        let kind = if in_shoe {
            "face_up_card"
        } else {
            "disclosed_card"
        };
        let Some(card) = self.shoe.draw() else {
            return Vec::new();
        };
        let told = Irregularity {
            kind: kind.to_owned(),
            detail: Some(Json::new(&json!({"card": card.to_string()}))),
            ruling: "discarded with those that go with it".to_owned(),
        };
        let face_down = !in_shoe && procedure == Some("one_face_down");
        let tens = self.options["ten_value_burn"].as_u64().unwrap_or_default();
        let further = match u64::from(value(card)) {
            _ if face_down => 1,
            0 if !in_shoe => tens,
            worth => worth,
        };
        let mut events = vec![told.into(), burned(Some(card))];
        for _ in 0..further {
            let next = self.shoe.draw();
            events.push(burned(next.filter(|_| !face_down)));
        }
        events
    }

    /// The bank is auctioned with a new shoe, kept while it wins, and passed when it loses.
    fn bank(&self, seats: &[u32], rng: &mut ChaCha8Rng) -> Bank {
        let held = self
            .held
            .as_ref()
            .filter(|held| held.shoe == self.shoe.name());
        let stake = |rng: &mut ChaCha8Rng| rng.random_range(10..=80) * 500;
        let other = |not: Option<u32>| {
            let mut after = (1..=SEATS).map(|step| not.unwrap_or_default() % SEATS + step);
            let wrapped = |seat: u32| (seat - 1) % SEATS + 1;
            let taker =
                after.find(|&seat| seats.contains(&wrapped(seat)) && Some(wrapped(seat)) != not);
            taker.map_or(not.unwrap_or_default() % SEATS + 1, wrapped)
        };
        let mut bank = match held {
            None => {
                let (seat, bid) = (other(None), stake(rng));
                let said = vec![says(seat, "bid", Some(bid))];
                let kind = if self.held.is_none() || self.suivi_seat.is_none() {
                    json!({"kind": "opening", "bid": bid})
                } else {
                    json!({"kind": "opening", "bid": bid, "suivi_seat": self.suivi_seat})
                };
                let amount = bid + rng.random_range(0..=4) * 500;
                return Bank {
                    seat,
                    amount,
                    prior: Some(kind),
                    said,
                };
            }
            Some(held) if held.lost => {
                let first = other(Some(held.seat));
                let second = other(Some(first));
                // The next may refuse.
                let refused = second != held.seat && second != first && rng.random_range(0..4) == 0;
                Bank {
                    seat: if refused { second } else { first },
                    amount: stake(rng),
                    prior: Some(json!({"kind": "forced_pass"})),
                    said: refused
                        .then(|| says(first, "decline", None))
                        .into_iter()
                        .collect(),
                }
            }
            Some(held) if held.amount > RICH || rng.random_range(0..5) == 0 => {
                let (seat, pass) = (other(Some(held.seat)), says(held.seat, "pass", None));
                // Somebody takes it as it is, or it goes to the highest bidder.
                if held.amount <= RICH && rng.random_range(0..2) == 0 {
                    let amount = held.amount + rng.random_range(0..=held.amount / 500) * 500;
                    Bank {
                        seat,
                        amount,
                        prior: Some(json!({"kind": "passed", "last_bank": held.amount})),
                        said: vec![pass],
                    }
                } else {
                    let bid = stake(rng);
                    Bank {
                        seat,
                        amount: bid,
                        prior: Some(json!({"kind": "auction", "bid": bid})),
                        said: vec![pass, says(seat, "bid", Some(bid))],
                    }
                }
            }
            Some(held) => Bank {
                seat: held.seat,
                amount: held.amount + rng.random_range(0..=held.amount / 500) * 500,
                prior: Some(json!({"kind": "continuing", "last_bank": held.amount})),
                said: Vec::new(),
            },
        };
        if let (Some(prior), Some(seat)) = (&mut bank.prior, self.suivi_seat) {
            prior["suivi_seat"] = json!(seat);
        }
        bank
    }

    /// The bank, then suivi or banco for all of it, or partial wagers from the Banker's right.
    fn wagers(&self, bank: &Bank, seats: &[u32], rng: &mut ChaCha8Rng) -> Vec<Value> {
        let mut wagers = vec![json!({"id": "w1", "seat": bank.seat, "kind": "bank",
            "amount": bank.amount})];
        let around = (1..SEATS).map(|step| (bank.seat - 1 + step) % SEATS + 1);
        let mut others: Vec<u32> = around.filter(|seat| seats.contains(seat)).collect();
        if others.is_empty() {
            others.push(bank.seat % SEATS + 1);
        }
        let suivi = self.suivi_seat.filter(|seat| others.contains(seat));
        let whole = match suivi.filter(|_| rng.random_range(0..2) == 0) {
            Some(seat) => Some((seat, "banco_suivi")),
            None if rng.random_range(0..4) == 0 => others.choose(rng).map(|&seat| (seat, "banco")),
            None => None,
        };
        if let Some((seat, kind)) = whole {
            wagers.push(json!({"id": "w2", "seat": seat, "kind": kind, "amount": bank.amount}));
            return wagers;
        }
        let mut left = bank.amount;
        for seat in others {
            let stake = (rng.random_range(2..=40) * 500).min(left);
            if stake > 0 {
                let id = format!("w{}", wagers.len() + 1);
                wagers.push(json!({"id": id, "seat": seat, "kind": "punt", "amount": stake}));
                left -= stake;
            }
        }
        wagers
    }

    /// The cards, the announcement, and `play` of the document.
    fn deal(&mut self, dominant: u32, events: &mut Vec<Body>, rng: &mut ChaCha8Rng) -> Value {
        let first: Vec<Card> = (0..4).filter_map(|_| self.shoe.draw()).collect();
        let &[p1, b1, p2, b2] = first.as_slice() else {
            return json!({"irregularity": "insufficient_cards"});
        };
        let (mut player, mut banker) = (vec![p1, p2], vec![b1, b2]);
        for (to, card) in [
            (CardPlace::Player, p1),
            (CardPlace::Banker, b1),
            (CardPlace::Player, p2),
            (CardPlace::Banker, b2),
        ] {
            events.push(dealt(to, card, Face::Down));
        }
        let word = match points(&player) {
            8.. => "natural",
            6..=7 => "stay",
            5 if rng.random_range(0..2) == 0 => "stay",
            _ => "card",
        };
        events.push(says(dominant, word, None));
        if points(&player) < 8 && points(&banker) < 8 {
            let third = (word == "card").then(|| self.shoe.draw()).flatten();
            player.extend(third);
            events.extend(third.map(|card| dealt(CardPlace::Player, card, Face::Up)));
            if banker_draws(points(&banker), third.map(value))
                && let Some(card) = self.shoe.draw()
            {
                banker.push(card);
                events.push(dealt(CardPlace::Banker, card, Face::Up));
            }
        }
        json!({"player": text(&player), "banker": text(&banker), "decision": word,
            "dominant_seat": dominant})
    }
}

/// Who plays the cards: the one with the most at stake, of equals the nearest to the Banker's right.
/// The wagers lie in that order.
fn dominant(wagers: &[Value]) -> u32 {
    let most = wagers[1..].iter().map(amount).max();
    let first = wagers[1..].iter().find(|bet| Some(amount(bet)) == most);
    first.map(seat).unwrap_or_default()
}

fn amount(wager: &Value) -> i64 {
    wager["amount"].as_i64().unwrap_or_default()
}

fn seat(wager: &Value) -> u32 {
    let seat = wager["seat"].as_u64().unwrap_or_default();
    u32::try_from(seat).unwrap_or_default()
}

fn says(seat: u32, action: &str, amount: Option<i64>) -> Body {
    Decision {
        seat,
        hand: None,
        action: action.to_owned(),
        amount: amount.map(Cents::new),
    }
    .into()
}

/// The Banker takes back what nobody covers.
fn withdrawal(covered: i64) -> WagerChanged {
    WagerChanged {
        wager: "w1".into(),
        amount: Cents::new(covered),
        by: Person::new("d-1", Role::Dealer),
    }
}

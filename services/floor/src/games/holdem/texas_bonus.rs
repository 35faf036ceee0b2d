//! Texas Hold'em Bonus Poker on the floor.

use catwalk_events::body::{Body, CardPlace, Face};
use catwalk_rules::Settlement;
use catwalk_rules::book::Void;
use catwalk_rules::floor::{Card, Cents};
use catwalk_rules::hands::five;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::progressive::{self, Meter};
use super::{
    FACE_UP, amount, burn, cut, deal, decision, decks, height, reveal, reveal_all, streets, tell,
    text, times, voided,
};
use crate::deck::Decks;
use crate::fault::FaultKind;
use crate::games::{Dealt, GameSim, turns};
use crate::meters::Linked;

#[derive(Debug, Default)]
pub(in crate::games) struct TexasBonus {
    decks: Decks,
    automated: bool,
    reader: bool,
    meter: Meter,
    /// The smallest bonus, in dollars.
    least_bonus: i64,
}

struct Player {
    seat: u32,
    cards: Vec<Card>,
    ante: usize,
    bonus: bool,
    decision: &'static str,
}

impl GameSim for TexasBonus {
    fn sign(&self) -> &'static str {
        "TB"
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let dealing = ["hand", "manual_shoe", "automated_shoe"];
        let dealing = dealing.choose(rng).copied().unwrap_or("hand");
        // § 9.A.i: by hand only with a shuffler.
        let shuffler = dealing == "hand" || rng.random_range(0..2) == 0;
        let two = shuffler && rng.random_range(0..2) == 0;
        self.automated = dealing == "automated_shoe";
        self.reader = rng.random_range(0..2) == 0;
        self.decks = decks(dealing, two, None, cut(shuffler, rng));
        self.meter = Meter::open(rng.random_range(0..2) == 0, rng);
        let qualifier = ["straight", "flush"].choose(rng);
        let mut options = json!({
            "dealing": dealing, "shuffler": if shuffler { "automated" } else { "none" },
            "decks_in_rotation": 1 + u8::from(two),
            "ante_qualifier": qualifier,
        });
        self.meter.post(&mut options);
        if rng.random_range(0..2) == 0 {
            for (key, limit) in [
                ("min_ante", 100),
                ("max_ante", 10_000),
                ("max_bonus", 10_000),
            ] {
                options[key] = json!(limit);
            }
            self.least_bonus = 5;
            options["min_bonus"] = json!(500);
        }
        if rng.random_range(0..2) == 0 {
            options["bonus_both_aces"] = json!("1000:1");
            options["bonus_paytable"] = json!({"low_pair": "4:1"});
        }
        ("oh-jack-2017", options)
    }

    fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        self.decks.shuffle(rng)
    }

    fn renew(&mut self) {
        self.decks.renew();
    }

    fn shoe(&self) -> Option<String> {
        Some(self.decks.name())
    }

    fn cannot(&self) -> &'static [FaultKind] {
        &[FaultKind::WrongCommission]
    }

    fn late_code(&self, kind: &str) -> &'static str {
        match kind {
            "flop" | "turn" | "river" => "thb.street_late",
            _ => "wager.late",
        }
    }

    fn keeps_stake(&self, kind: &str) -> bool {
        kind == progressive::KIND
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let mut dealt = Dealt {
            meters: self.meter.read(),
            ..Dealt::default()
        };
        let mut players = self.bets(&mut dealt, seats, rng);
        let dealer: Vec<Card> = (0..2).filter_map(|_| self.decks.draw()).collect();
        for player in &mut players {
            player.cards = (0..2).filter_map(|_| self.decks.draw()).collect();
        }
        self.first_cards(&mut dealt, &players, &dealer);
        let found = || json!({"code": FACE_UP});
        let mishaps = match rng.random_range(0..80) {
            0 => vec![json!({"code": "deck_count", "found": 51})],
            1 => vec![json!({"code": "hole_card_exposed"})],
            2 => vec![found()],
            3 => vec![found(), json!({"code": FACE_UP, "when": "community"})],
            4 => vec![found(), found()],
            _ => Vec::new(),
        };
        let mut board = Vec::new();
        if mishaps
            .iter()
            .any(|told| told["code"] == "hole_card_exposed")
        {
            let exposed = reveal(CardPlace::Dealer, None, 0, dealer[0]);
            dealt.events.push(exposed);
        }
        let told = tell(&mishaps, || self.decks.draw());
        dealt.events.extend(told);
        if voided(GAME, &mishaps) == Void::Nothing {
            self.streets(&mut dealt, &mut players, &mut board, rng);
        }
        if !self.reader {
            for player in &players {
                let seat = Some(player.seat);
                dealt
                    .events
                    .extend(reveal_all(CardPlace::Seat, seat, &player.cards));
            }
        }
        dealt
            .events
            .extend(reveal_all(CardPlace::Dealer, None, &dealer));
        let hands: Vec<Value> = players
            .iter()
            .map(|player| {
                json!({"seat": player.seat, "cards": text(&player.cards), "decision": player.decision})
            })
            .collect();
        dealt.play = json!({"dealer": text(&dealer), "board": text(&board), "hands": hands});
        self.meter.document(&mut dealt.play);
        if !mishaps.is_empty() {
            dealt.play["irregularities"] = json!(mishaps);
        }
        dealt
    }

    fn arrange(&self, dealt: &Dealt, payments: &mut Vec<(usize, Body)>) {
        turns::from_the_last(dealt, payments, false);
    }

    fn misplay(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        if dealt.play.get("irregularities").is_some() {
            return None;
        }
        let of_kind =
            |dealt: &Dealt, kind: &str| dealt.wagers.iter().position(|wager| wager["kind"] == kind);
        match rng.random_range(0..6) {
            5 => progressive::take_wrong_chip(dealt),
            0 => {
                let flop = of_kind(dealt, "flop")?;
                dealt.wagers[flop]["amount"] = json!(amount(&dealt.wagers[flop]) / 2 * 3);
                Some(vec!["thb.flop_multiple"])
            }
            1 => {
                let turn = of_kind(dealt, "turn").or_else(|| of_kind(dealt, "river"))?;
                dealt.wagers[turn]["amount"] = json!(amount(&dealt.wagers[turn]) * 2);
                Some(vec!["thb.street_multiple"])
            }
            // The river wager goes down when the card lies there.
            2 => {
                let river = of_kind(dealt, "river")?;
                let end = dealt.events.len();
                let place = dealt.added.iter_mut().find(|(index, _)| *index == river)?;
                place.1 = end;
                Some(vec!["thb.street_late"])
            }
            3 if !self.automated => {
                dealt.events.swap(0, 1);
                Some(vec!["deal.order"])
            }
            _ => {
                let burned = |body: &Body| matches!(body, Body::CardBurned(_));
                let at = dealt.events.iter().rposition(burned)?;
                // An honest deck has all its cards: the burn is made, but too early.
                let burned = dealt.remove(at);
                let first = dealt
                    .events
                    .iter()
                    .position(|body| matches!(body, Body::CardBurned(_)))?;
                dealt.insert(first + 1, burned);
                Some(vec!["deal.burn"])
            }
        }
    }
    fn linked(&self) -> Vec<Linked> {
        self.meter.linked()
    }

    fn show_meter(&mut self, _: &str, shown: Cents) {
        self.meter.show(shown);
    }

    fn settled(&mut self, dealt: &Dealt, settlement: &Settlement) -> Vec<Body> {
        self.meter.settled(dealt, settlement)
    }
}

impl TexasBonus {
    fn bets(&self, dealt: &mut Dealt, seats: &[u32], rng: &mut ChaCha8Rng) -> Vec<Player> {
        let mut players = Vec::new();
        for &seat in seats {
            let ante = dealt.bet(seat, "ante", rng.random_range(1..=20) * 500);
            let bonus = rng.random_range(0..2) == 0;
            if bonus {
                dealt.bet(
                    seat,
                    "bonus",
                    rng.random_range(self.least_bonus.max(1)..=25) * 100,
                );
            }
            if self.meter.offered && rng.random_range(0..2) == 0 {
                let index = dealt.bet(seat, progressive::KIND, self.meter.bet);
                dealt.lifted.push(index);
            }
            players.push(Player {
                seat,
                cards: Vec::new(),
                ante,
                bonus,
                decision: "pending",
            });
        }
        players
    }

    /// § 8.D, 9.B: players first, card by card; § 10.B: stacks of two.
    fn first_cards(&self, dealt: &mut Dealt, players: &[Player], dealer: &[Card]) {
        let at_once = if self.automated { 2 } else { 1 };
        let passes = (0..2).step_by(at_once).map(|from| from..from + at_once);
        for pass in passes {
            for player in players {
                let cards = player.cards[pass.clone()].iter();
                let seat = Some(player.seat);
                dealt.events.extend(
                    cards.map(|&card| deal(CardPlace::Seat, seat, card, Face::Down, self.reader)),
                );
            }
            let cards = dealer[pass].iter();
            dealt.events.extend(
                cards.map(|&card| deal(CardPlace::Dealer, None, card, Face::Down, self.reader)),
            );
        }
    }

    fn streets(
        &mut self,
        dealt: &mut Dealt,
        players: &mut [Player],
        board: &mut Vec<Card>,
        rng: &mut ChaCha8Rng,
    ) {
        for player in players.iter_mut() {
            if plays(&player.cards) || (player.bonus && rng.random_range(0..4) == 0) {
                let stake = amount(&dealt.wagers[player.ante]);
                dealt.add_bet(player.ante, "flop", stake * times(GAME, "flop"));
                dealt.events.push(decision(player.seat, "play"));
                player.decision = "play";
            } else {
                dealt.events.push(decision(player.seat, "fold"));
                dealt.decide(player.ante);
                player.decision = "fold";
            }
        }
        if players.iter().all(|player| player.decision == "fold") {
            return;
        }
        for street in &streets(GAME)[1..] {
            for _ in 0..street.burns.of(|_| None) {
                self.decks.draw();
                dealt.events.push(burn());
            }
            let cards = 0..street.board.of(|_| None);
            for card in cards.filter_map(|_| self.decks.draw()) {
                board.push(card);
                dealt
                    .events
                    .push(deal(CardPlace::Community, None, card, Face::Up, true));
            }
            let Some(kind) = street.acts.first() else {
                continue;
            };
            for player in players.iter().filter(|player| player.decision == "play") {
                if likes(&player.cards, board) {
                    let stake = amount(&dealt.wagers[player.ante]);
                    dealt.add_bet(player.ante, kind, stake * times(GAME, kind));
                    dealt.events.push(decision(player.seat, "bet"));
                } else {
                    dealt.events.push(decision(player.seat, "check"));
                }
            }
        }
    }
}

const GAME: &str = "texas_holdem_bonus";

/// Everything but the worst offsuit cards is played.
fn plays(cards: &[Card]) -> bool {
    let &[one, other] = cards else { return false };
    let (high, low) = (
        height(one).max(height(other)),
        height(one).min(height(other)),
    );
    one.suit() == other.suit() || high == low || high >= 6 || (low >= 1 && high - low <= 2)
}

/// A pair that the board alone does not have, or better.
fn likes(cards: &[Card], board: &[Card]) -> bool {
    let pairs = |cards: &[Card]| {
        let with = |card: &&Card| {
            cards
                .iter()
                .filter(|other| other.rank() == card.rank())
                .count()
        };
        cards.iter().filter(|card| with(card) > 1).count()
    };
    let all = [cards, board].concat();
    let straight = five::rank(&all).is_some_and(|hand| hand.category() >= five::Category::Straight);
    straight || pairs(&all) > pairs(board) + 1
}

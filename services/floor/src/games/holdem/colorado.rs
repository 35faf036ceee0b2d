//! Colorado Hold'em Poker on the floor.

use catwalk_events::body::{Body, CardPlace, Face, HandSet};
use catwalk_rules::book::Void;
use catwalk_rules::floor::Card;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{
    FACE_UP, amount, cut, deal, decision, decks, height, reveal, reveal_all, tell, text, voided,
};
use crate::deck::Decks;
use crate::fault::FaultKind;
use crate::games::{Dealt, GameSim, turns};

#[derive(Debug, Default)]
pub(in crate::games) struct Colorado {
    decks: Decks,
    automated: bool,
    permissible: bool,
    bonus: bool,
    reader: bool,
}

struct Player {
    seat: u32,
    cards: Vec<Card>,
    ante: usize,
    bonus: Option<usize>,
    action: &'static str,
    discard: Option<Card>,
}

impl GameSim for Colorado {
    fn sign(&self) -> &'static str {
        "CO"
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let dealing = ["hand", "manual_shoe", "automated_shoe"];
        let dealing = dealing.choose(rng).copied().unwrap_or("manual_shoe");
        let shufflers = ["none", "automated", "automated_counting"];
        let shuffler = shufflers[rng.random_range(usize::from(dealing == "hand")..3)];
        let two = shuffler != "none" && rng.random_range(0..2) == 0;
        self.automated = dealing == "automated_shoe";
        // s.6(f): all tables of a house have the same version.
        self.permissible = rng.get_seed()[0].is_multiple_of(2);
        self.bonus = rng.random_range(0..2) == 0;
        self.reader = rng.random_range(0..2) == 0;
        let counts = shuffler != "automated_counting";
        let by_machine = shuffler != "none";
        self.decks = decks(dealing, two, counts.then_some(4), cut(by_machine, rng));
        let mut options = json!({
            "version": if self.permissible { "permissible" } else { "required" },
            "dealing": dealing, "shuffler": shuffler, "decks_in_rotation": 1 + u8::from(two),
            "bonus": self.bonus, "two_positions": rng.random_range(0..2) == 0,
            "match_play": rng.random_range(0..2) == 0,
        });
        if rng.random_range(0..2) == 0 {
            options["min_ante"] = json!(500);
            options["max_ante"] = json!(10_000);
            options["bonus_paytable"] = json!({"flush": "50:1"});
        }
        if rng.random_range(0..2) == 0 {
            options["payout_limit"] = json!(5_000_000);
            options["paytable"] = json!({"flush": "9:1"});
        }
        ("mgc-2017", options)
    }

    fn post(&mut self, options: &Value) {
        self.permissible = options["version"] == "permissible";
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
            "bet" => "colorado.bet_late",
            _ => "wager.late",
        }
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let mut dealt = Dealt::default();
        let mut players = self.bets(&mut dealt, seats, rng);
        let board: Vec<Card> = (0..3).filter_map(|_| self.decks.draw()).collect();
        for player in &mut players {
            player.cards = (0..3).filter_map(|_| self.decks.draw()).collect();
        }
        self.first_cards(&mut dealt, &players, &board);
        let found = || json!({"code": FACE_UP});
        let mishaps = match rng.random_range(0..80) {
            0 => vec![json!({"code": FACE_UP, "count": 2})],
            1 => vec![found(), found()],
            2 => vec![found()],
            _ => Vec::new(),
        };
        let told = tell(&mishaps, || self.decks.draw());
        dealt.events.extend(told);
        if voided("colorado_holdem", &mishaps) == Void::Nothing {
            for player in &mut players {
                self.decide(&mut dealt, player);
            }
        }
        dealt
            .events
            .extend(reveal_all(CardPlace::Community, None, &board));
        // s.10(d): counterclockwise.
        if !self.reader {
            for player in players.iter().rev() {
                for (index, &card) in player.cards.iter().enumerate() {
                    let seat = Some(player.seat);
                    dealt
                        .events
                        .push(reveal(CardPlace::Seat, seat, index, card));
                }
            }
        }
        let hands: Vec<Value> = players.iter().map(Player::document).collect();
        dealt.play = json!({"board": text(&board), "hands": hands});
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
        let bets: Vec<usize> = (0..dealt.wagers.len())
            .filter(|&at| dealt.wagers[at]["kind"] == "bet")
            .collect();
        let bet = bets.choose(rng).copied();
        match (rng.random_range(0..6), bet) {
            (4, _) => turn_from_the_first(dealt),
            (5, _) => fold_out_of_turn(dealt),
            (0, Some(bet)) => {
                dealt.wagers[bet]["amount"] = json!(amount(&dealt.wagers[bet]) * 2);
                Some(vec!["colorado.bet_not_equal"])
            }
            // The bet goes down when the community cards are seen.
            (1, Some(bet)) => {
                let end = dealt.events.len();
                let place = dealt.added.iter_mut().find(|(index, _)| *index == bet)?;
                place.1 = end;
                Some(vec!["colorado.bet_late"])
            }
            (2, _) if !self.automated => {
                dealt.events.swap(0, 1);
                Some(vec!["deal.order"])
            }
            _ => {
                let card = self.decks.draw()?;
                let extra = deal(CardPlace::Community, None, card, Face::Up, true);
                dealt.insert(dealt.events.len(), extra);
                dealt.play["board"]
                    .as_array_mut()?
                    .push(json!(card.to_string()));
                Some(vec!["deal.card_count"])
            }
        }
    }
}

impl Colorado {
    fn bets(&self, dealt: &mut Dealt, seats: &[u32], rng: &mut ChaCha8Rng) -> Vec<Player> {
        let mut players = Vec::new();
        for &seat in seats {
            let ante = dealt.bet(seat, "ante", rng.random_range(1..=20) * 500);
            let wants = self.bonus && rng.random_range(0..2) == 0;
            players.push(Player {
                seat,
                cards: Vec::new(),
                ante,
                bonus: wants.then(|| dealt.bet(seat, "bonus", 100)),
                action: "pending",
                discard: None,
            });
        }
        players
    }

    /// s.7(c), 8(c): card by card, the community row last; s.9(c): stacks of three.
    fn first_cards(&self, dealt: &mut Dealt, players: &[Player], board: &[Card]) {
        let at_once = if self.automated { 3 } else { 1 };
        let passes = (0..3).step_by(at_once).map(|from| from..from + at_once);
        for pass in passes {
            for player in players {
                let cards = player.cards[pass.clone()].iter();
                let seat = Some(player.seat);
                dealt.events.extend(
                    cards.map(|&card| deal(CardPlace::Seat, seat, card, Face::Down, self.reader)),
                );
            }
            // The community row has a reader at every table.
            let row = |&card: &Card| deal(CardPlace::Community, None, card, Face::Down, true);
            dealt.events.extend(board[pass].iter().map(row));
        }
    }

    fn decide(&self, dealt: &mut Dealt, player: &mut Player) {
        let cards = &player.cards;
        if is_instant(cards) {
            player.action = "instant";
            dealt.events.push(decision(player.seat, "instant"));
            dealt.decide(player.ante);
            player
                .bonus
                .into_iter()
                .for_each(|bonus| dealt.decide(bonus));
            return;
        }
        let (promising, discard) = weigh(cards);
        if !promising && !self.permissible {
            player.action = "fold";
            dealt.events.push(decision(player.seat, "fold"));
            dealt.decide(player.ante);
            player
                .bonus
                .into_iter()
                .for_each(|bonus| dealt.decide(bonus));
            return;
        }
        player.action = "play";
        player.discard = Some(discard);
        if promising {
            let stake = amount(&dealt.wagers[player.ante]);
            dealt.add_bet(player.ante, "bet", stake);
        }
        if self.reader {
            let kept = cards.iter().filter(|&&card| card != discard);
            dealt.events.push(decision(player.seat, "play"));
            let set = HandSet {
                to: "seat".to_owned(),
                seat: Some(player.seat),
                high: kept.map(Card::to_string).collect(),
                low: vec![discard.to_string()],
            };
            dealt.events.push(set.into());
        } else {
            dealt
                .events
                .push(decision(player.seat, &format!("discard {discard}")));
        }
    }
}

/// The hands are turned from the first seat to the last.
fn turn_from_the_first(dealt: &mut Dealt) -> Option<Vec<&'static str>> {
    let hands = dealt.play["hands"].as_array()?;
    let is_played = |hand: &&Value| hand["action"] == "play";
    if hands.iter().filter(is_played).count() < 2 {
        return None;
    }
    let is_turned =
        |body: &Body| matches!(body, Body::CardRevealed(card) if card.to == CardPlace::Seat);
    let first = dealt.events.iter().position(is_turned)?;
    dealt.events[first..].sort_by_key(|body| match body {
        Body::CardRevealed(card) => card.seat,
        _ => None,
    });
    Some(vec!["settle.order"])
}

/// A seat folds when the next one has decided.
fn fold_out_of_turn(dealt: &mut Dealt) -> Option<Vec<&'static str>> {
    let said = |body: &Body| match body {
        Body::Decision(told) => Some((told.seat, told.action == "fold")),
        _ => None,
    };
    let decisions: Vec<(usize, (u32, bool))> = dealt
        .events
        .iter()
        .enumerate()
        .filter_map(|(at, body)| Some((at, said(body)?)))
        .collect();
    let pair = decisions
        .windows(2)
        .find(|pair| pair[0].1.1 && pair[0].1.0 != pair[1].1.0)?;
    let (fold, next) = (pair[0].0, pair[1].0);
    let fold = dealt.remove(fold);
    dealt.insert(next, fold);
    Some(vec!["colorado.turn_order"])
}

impl Player {
    fn document(&self) -> Value {
        let mut hand =
            json!({"seat": self.seat, "cards": text(&self.cards), "action": self.action});
        if let Some(discard) = self.discard {
            hand["discard"] = json!(discard.to_string());
        }
        hand
    }
}

/// Three of a kind, or three of a suit in a row.
fn is_instant(cards: &[Card]) -> bool {
    let mut heights: Vec<u8> = cards.iter().map(|&card| height(card)).collect();
    heights.sort_unstable();
    let suited = cards.iter().all(|card| card.suit() == cards[0].suit());
    match heights.as_slice() {
        [0, 1, 12] => suited,
        &[low, middle, high] => low == high || (suited && middle == low + 1 && high == middle + 1),
        _ => false,
    }
}

/// Is the hand worth a bet, and which card goes? A pair, suited cards, then high cards are kept.
fn weigh(cards: &[Card]) -> (bool, Card) {
    let pair = |kept: &[Card]| kept[0].rank() == kept[1].rank();
    let suited = |kept: &[Card]| kept[0].suit() == kept[1].suit();
    let worth = |out: usize| {
        let kept: Vec<Card> = (0..3).filter(|&at| at != out).map(|at| cards[at]).collect();
        let high = kept
            .iter()
            .map(|&card| u32::from(height(card)))
            .sum::<u32>();
        high + 40 * u32::from(pair(&kept)) + 10 * u32::from(suited(&kept))
    };
    let out = (0..3).max_by_key(|&out| worth(out)).unwrap_or(0);
    (worth(out) >= 16, cards[out])
}

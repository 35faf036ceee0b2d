//! Ultimate Texas Hold'em on the floor.

use catwalk_events::body::{Body, CardPlace, Face};
use catwalk_rules::Settlement;
use catwalk_rules::book::Void;
use catwalk_rules::floor::{Card, Cents};
use catwalk_rules::hands::five::{self, Category};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::progressive::{self, Meter};
use super::{
    FACE_UP, amount, cut, deal, decision, decks, height, reveal, reveal_all, streets, tell, text,
    voided,
};
use crate::deck::Decks;
use crate::fault::FaultKind;
use crate::games::{Dealt, GameSim, turns};
use crate::meters::Linked;

#[derive(Debug, Default)]
pub(in crate::games) struct Ultimate {
    decks: Decks,
    automated: bool,
    trips: bool,
    reader: bool,
    meter: Meter,
}

/// A seat and what it has bet.
struct Player {
    seat: u32,
    cards: Vec<Card>,
    ante: usize,
    blind: usize,
    trips: Option<usize>,
    decision: &'static str,
}

impl GameSim for Ultimate {
    fn sign(&self) -> &'static str {
        "UT"
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let dealing = ["hand", "manual_shoe", "automated_shoe"];
        let dealing = dealing.choose(rng).copied().unwrap_or("hand");
        let shuffler = rng.random_range(0..2) == 0;
        let two = shuffler && rng.random_range(0..2) == 0;
        self.automated = dealing == "automated_shoe";
        self.trips = rng.random_range(0..4) > 0;
        self.reader = rng.random_range(0..2) == 0;
        self.decks = decks(dealing, two, None, cut(shuffler, rng));
        self.meter = Meter::open(rng.random_range(0..2) == 0, rng);
        let mut options = json!({
            "dealing": dealing, "shuffler": if shuffler { "automated" } else { "none" },
            "decks_in_rotation": 1 + u8::from(two), "trips_offered": self.trips,
        });
        self.meter.post(&mut options);
        if rng.random_range(0..2) == 0 {
            for (key, limit) in [("min", 100), ("max", 10_000)] {
                options[format!("{key}_ante")] = json!(limit);
                options[format!("{key}_trips")] = json!(limit);
            }
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
            "play" => "uth.play_out_of_stage",
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
        let mishaps = self.mishaps(rng);
        let void = voided(GAME, &mishaps);
        let dealer: Vec<Card> = (0..2).filter_map(|_| self.decks.draw()).collect();
        for player in &mut players {
            player.cards = (0..2).filter_map(|_| self.decks.draw()).collect();
        }
        // Of a round that is void no board is dealt; stacks of an automated shoe lie there already.
        let board = if void == Void::Total && !self.automated {
            0
        } else {
            5
        };
        let board: Vec<Card> = (0..board).filter_map(|_| self.decks.draw()).collect();
        self.first_cards(&mut dealt, &players, &dealer, &board);
        if mishaps
            .iter()
            .any(|told| told["code"] == "hole_card_exposed")
        {
            let exposed = reveal(CardPlace::Dealer, None, 0, dealer[0]);
            dealt.events.push(exposed);
        }
        let told = tell(&mishaps, || self.decks.draw());
        dealt.events.extend(told);
        match void {
            Void::Total | Void::Contest | Void::ContestByChoice => {
                self.stop(&mut dealt, &players, &dealer, &board);
            }
            Void::Nothing => {
                self.streets(&mut dealt, &mut players, &board, rng);
                if !self.reader {
                    for player in &players {
                        let place = (CardPlace::Seat, Some(player.seat));
                        dealt
                            .events
                            .extend(reveal_all(place.0, place.1, &player.cards));
                    }
                }
                dealt
                    .events
                    .extend(reveal_all(CardPlace::Dealer, None, &dealer));
            }
        }
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
        let plays: Vec<usize> = (0..dealt.wagers.len())
            .filter(|&at| dealt.wagers[at]["kind"] == "play")
            .collect();
        let play = plays.choose(rng).copied();
        match (rng.random_range(0..7), play) {
            (5, _) => progressive::take_wrong_chip(dealt),
            (6, _) => {
                let mut wagers = dealt.wagers.iter_mut();
                let blind = wagers.find(|wager| wager["kind"] == "blind")?;
                blind["amount"] = json!(amount(blind) + 500);
                Some(vec!["wager.blind_not_equal"])
            }
            (0, Some(play)) => {
                let more = amount(&dealt.wagers[play]) * 5;
                dealt.wagers[play]["amount"] = json!(more);
                Some(vec!["uth.play_multiple"])
            }
            (1, Some(play)) => {
                let mut second = dealt.wagers[play].clone();
                second["id"] = json!(format!("w{}", dealt.wagers.len() + 1));
                let &(_, after) = dealt.added.iter().find(|(index, _)| *index == play)?;
                dealt.added.push((dealt.wagers.len(), after));
                dealt.wagers.push(second);
                Some(vec!["uth.play_twice"])
            }
            // The wager of the river goes down when the dealer's cards are seen.
            (2, _) => {
                let late = plays
                    .iter()
                    .find(|&&at| dealt.wagers[at]["stage"] == "river")?;
                let end = dealt.events.len();
                let place = dealt.added.iter_mut().find(|(index, _)| index == late)?;
                place.1 = end;
                Some(vec!["uth.play_out_of_stage"])
            }
            (3, _) if !self.automated => {
                dealt.events.swap(0, 1);
                Some(vec!["deal.order"])
            }
            _ => {
                let card = self.decks.draw()?;
                let extra = deal(CardPlace::Dealer, None, card, Face::Down, true);
                dealt.insert(dealt.events.len(), extra);
                dealt.play["dealer"]
                    .as_array_mut()?
                    .push(json!(card.to_string()));
                Some(vec!["deal.card_count"])
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

impl Ultimate {
    fn bets(&self, dealt: &mut Dealt, seats: &[u32], rng: &mut ChaCha8Rng) -> Vec<Player> {
        let mut players = Vec::new();
        for &seat in seats {
            let stake = rng.random_range(1..=20) * 500;
            let ante = dealt.bet(seat, "ante", stake);
            let blind = dealt.bet(seat, "blind", stake);
            let wants = self.trips && rng.random_range(0..2) == 0;
            let trips = wants.then(|| dealt.bet(seat, "trips", rng.random_range(1..=4) * 500));
            if self.meter.offered && rng.random_range(0..2) == 0 {
                let index = dealt.bet(seat, progressive::KIND, self.meter.bet);
                dealt.lifted.push(index);
            }
            players.push(Player {
                seat,
                cards: Vec::new(),
                ante,
                blind,
                trips,
                decision: "pending",
            });
        }
        players
    }

    /// What goes wrong without anybody's fault.
    fn mishaps(&self, rng: &mut ChaCha8Rng) -> Vec<Value> {
        let found = || json!({"code": FACE_UP});
        match rng.random_range(0..80) {
            0 => vec![json!({"code": "misdeal"})],
            1 => vec![json!({"code": "hole_card_exposed"})],
            2 => vec![found()],
            3 => vec![found(), json!({"code": FACE_UP, "when": "community"})],
            4 => vec![found(), found()],
            5 if self.automated => {
                vec![json!({"code": "misdeal", "independent_wagers_stand": true})]
            }
            _ => Vec::new(),
        }
    }

    /// § 8.C, 9.B: dealer first, card by card; § 10.B: stacks, the board first.
    fn first_cards(&self, dealt: &mut Dealt, players: &[Player], dealer: &[Card], board: &[Card]) {
        let seat = |player: &Player, card| {
            deal(
                CardPlace::Seat,
                Some(player.seat),
                card,
                Face::Down,
                self.reader,
            )
        };
        let house = |to, card| deal(to, None, card, Face::Down, self.reader);
        if self.automated {
            let stack = board.iter().map(|&card| house(CardPlace::Community, card));
            dealt.events.extend(stack);
            dealt
                .events
                .extend(dealer.iter().map(|&card| house(CardPlace::Dealer, card)));
            let stacks = players
                .iter()
                .flat_map(|player| player.cards.iter().map(move |&card| seat(player, card)));
            dealt.events.extend(stacks);
            return;
        }
        for (pass, &card) in dealer.iter().enumerate() {
            dealt.events.push(house(CardPlace::Dealer, card));
            let cards = players
                .iter()
                .filter_map(|player| Some((player, *player.cards.get(pass)?)));
            dealt
                .events
                .extend(cards.map(|(player, card)| seat(player, card)));
        }
    }

    fn show_board(&self, dealt: &mut Dealt, board: &[Card], from: usize, to: usize) {
        for (index, &card) in board.iter().enumerate().take(to).skip(from) {
            dealt.events.push(match self.automated {
                true => reveal(CardPlace::Community, None, index, card),
                false => deal(CardPlace::Community, None, card, Face::Up, true),
            });
        }
    }

    /// A round that ends early: nothing is shown, or the board is dealt out for the side wagers.
    fn stop(&self, dealt: &mut Dealt, players: &[Player], dealer: &[Card], board: &[Card]) {
        for player in players {
            let place = (CardPlace::Seat, Some(player.seat));
            dealt
                .events
                .extend(reveal_all(place.0, place.1, &player.cards));
        }
        dealt
            .events
            .extend(reveal_all(CardPlace::Dealer, None, dealer));
        self.show_board(dealt, board, 0, board.len());
    }

    fn streets(
        &self,
        dealt: &mut Dealt,
        players: &mut [Player],
        board: &[Card],
        rng: &mut ChaCha8Rng,
    ) {
        let open = streets(GAME).iter().map(|street| street.open);
        let stages = [("preflop", 4), ("flop", 2), ("river", 1)];
        let mut from = 0;
        for ((stage, multiple), shown) in stages.into_iter().zip(open) {
            self.show_board(dealt, board, from, shown);
            from = shown;
            for player in players
                .iter_mut()
                .filter(|player| player.decision == "pending")
            {
                if plays(&player.cards, &board[..shown]) {
                    let timid = stage == "preflop" && rng.random_range(0..5) == 0;
                    let stake = amount(&dealt.wagers[player.ante]);
                    let multiple = if timid { 3 } else { multiple };
                    let play = dealt.add_bet(player.ante, "play", stake * multiple);
                    dealt.wagers[play]["stage"] = json!(stage);
                    dealt.events.push(decision(player.seat, "play"));
                    player.decision = "play";
                } else if stage == "river" {
                    let keeps = player.trips.is_some() && rng.random_range(0..8) > 0;
                    player.decision = if keeps { "fold_keep_trips" } else { "fold" };
                    dealt.events.push(decision(player.seat, player.decision));
                    dealt.decide(player.ante);
                    dealt.decide(player.blind);
                    if let Some(trips) = player.trips.filter(|_| !keeps) {
                        dealt.decide(trips);
                    }
                } else {
                    dealt.events.push(decision(player.seat, "check"));
                }
            }
        }
    }
}

const GAME: &str = "ultimate_texas_holdem";

/// What most players do: strong cards before the flop, a hidden pair or better after it, anything
/// that the board alone does not make or a high card on the river.
fn plays(cards: &[Card], board: &[Card]) -> bool {
    let &[one, other] = cards else { return false };
    let (high, low) = (
        height(one).max(height(other)),
        height(one).min(height(other)),
    );
    let suited = one.suit() == other.suit();
    let made = |cards: &[Card]| five::rank(cards).map(five::Hand::category);
    match board.len() {
        0 => {
            let pair = high == low && high >= 1;
            let good = match high {
                12 => true,
                11 => suited || low >= 3,
                10 => low >= if suited { 4 } else { 6 },
                9 => low >= if suited { 6 } else { 8 },
                _ => false,
            };
            pair || good
        }
        3 => {
            let all = [cards, board].concat();
            let on_board = board[0].rank() == board[1].rank()
                || board[1].rank() == board[2].rank()
                || board[0].rank() == board[2].rank();
            let least = if on_board {
                Category::TwoPair
            } else {
                Category::Pair
            };
            made(&all).is_some_and(|made| made >= least)
        }
        _ => {
            let all = [cards, board].concat();
            made(&all) > made(board) || high >= 10
        }
    }
}

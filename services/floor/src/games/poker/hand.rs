//! One hand, from the posts to the showdown.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use catwalk_events::body::{Body, CardPlace, Face};
use catwalk_rules::floor::{Card, Cents};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::Poker;
use super::betting::{Act, Betting, Player};
use super::forms::{Family, Street};
use super::incidents::{loses_hand, lost_hand, told};
use super::words::{one_chip, put_in, say};
use crate::games::Dealt;
use crate::games::holdem::{burn, deal, decision, height, reveal, text};

/// A card that a player holds or has put down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) card: Card,
    pub(super) up: bool,
    /// Place in the order in which the seat was dealt cards.
    pub(super) index: usize,
    /// Came with a draw.
    pub(super) drawn: bool,
    pub(super) gone: bool,
}

/// A hand on its way.
pub(super) struct Table {
    pub(super) dealt: Dealt,
    pub(super) players: Vec<Player>,
    pub(super) cards: BTreeMap<u32, Vec<Held>>,
    pub(super) shared: Vec<Card>,
    pub(super) rounds: Vec<Vec<Value>>,
    pub(super) draws: Vec<Vec<Value>>,
    pub(super) burns: Vec<u32>,
    last_bettor: Option<u32>,
    pub(super) incidents: Vec<Value>,
    /// One seat puts in the ante for the table.
    pub(super) is_one_ante: bool,
    /// Nobody owes the first blind.
    pub(super) is_vacant: bool,
    /// All but one concede, and that one turns nothing over.
    pub(super) is_conceded: bool,
}

impl Poker {
    pub(super) fn play_hand(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let stacks = self.stacks.clone();
        let player = |&seat: &u32| Player::new(seat, stacks.get(&seat).copied().unwrap_or(0));
        let mut table = Table {
            dealt: Dealt::default(),
            players: seats.iter().map(player).collect(),
            cards: BTreeMap::new(),
            shared: Vec::new(),
            rounds: Vec::new(),
            draws: Vec::new(),
            burns: Vec::new(),
            last_bettor: None,
            incidents: Vec::new(),
            is_one_ante: !matches!(self.sign.ante_by, "" | "each"),
            is_vacant: false,
            is_conceded: false,
        };
        if self.sign.fund {
            let meters = BTreeMap::from([("bad_beat".to_owned(), Cents::new(self.fund))]);
            table.dealt.meters = Some(meters);
        }
        table.dealt.banker = (!self.form.is_stud()).then_some(self.button);
        let (first, level) = self.post_bets(&mut table, rng);
        self.posts = table.dealt.wagers.len();
        self.deal_first(&mut table, rng);
        self.first_deal = table.dealt.events.len();
        self.bet_round(&mut table, 0, (first, level), rng);
        for round in 1..self.form.rounds {
            if table.players.iter().filter(|player| player.is_in).count() < 2 {
                break;
            }
            self.deal_street(&mut table, round, rng);
            let opener = self.opener(&table, round);
            self.bet_round(&mut table, round, (opener, 0), rng);
        }
        let shown = self.show_down(&mut table, rng);
        self.document(table, shown, rng)
    }

    /// The places in the order of the deal: from the left of the button, or the dealer's left.
    pub(super) fn order(&self, players: &[Player]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..players.len()).collect();
        if !self.form.is_stud() {
            order.sort_by_key(|&place| {
                let seat = players[place].seat;
                (seat <= self.button, seat)
            });
        }
        order
    }

    pub(super) fn limits(&self, round: usize) -> (i64, Option<i64>) {
        let (min, max) = self.sign.limits[round];
        match self.sign.kill.filter(|_| self.kill != 0) {
            Some(kill) => (kill.raise(min), max.map(|max| kill.raise(max))),
            None => (min, max),
        }
    }

    fn give(&mut self, table: &mut Table, place: usize, up: bool, drawn: bool) {
        let Some(card) = self.decks.draw() else {
            return;
        };
        let seat = table.players[place].seat;
        let hand = table.cards.entry(seat).or_default();
        hand.push(Held {
            card,
            up,
            index: hand.len(),
            drawn,
            gone: false,
        });
        let face = if up { Face::Up } else { Face::Down };
        let body = deal(CardPlace::Seat, Some(seat), card, face, self.reader);
        table.dealt.events.push(body);
    }

    fn deal_first(&mut self, table: &mut Table, rng: &mut ChaCha8Rng) {
        let order = self.order(&table.players);
        let exposed = self.expose_hole_card(&order, rng);
        for index in 0..self.form.first {
            for &place in &order {
                // 15(k)-(m): the first hole card stands for the up-card, and the next one comes down.
                let up = match Some(place) == exposed {
                    true => index == 0,
                    false => self.form.is_up(index),
                };
                self.give(table, place, up, false);
            }
        }
        if let Some(place) = exposed {
            let seat = table.players[place].seat;
            let card = table.cards[&seat][0].card.to_string();
            table.tell(&json!({"kind": "hole_exposed", "seat": seat, "cards": [card]}));
        }
        if let Some(place) = self.expose_down_card(&order, rng) {
            self.exchange(table, place);
        }
    }

    /// 15(o): a card that was dealt face up is exchanged for the top card.
    fn exchange(&mut self, table: &mut Table, place: usize) {
        let seat = table.players[place].seat;
        let Some(held) = table.cards.get_mut(&seat).and_then(|hand| hand.last_mut()) else {
            return;
        };
        (held.up, held.gone) = (true, true);
        let card = held.card;
        let is_last =
            |body: &Body| matches!(body, Body::CardDealt(dealt) if dealt.seat == Some(seat));
        if let Some(at) = table.dealt.events.iter().rposition(is_last) {
            table.dealt.events[at] = deal(CardPlace::Seat, Some(seat), card, Face::Up, true);
        }
        let card = card.to_string();
        table.tell(&json!({"kind": "exposed_down_card", "seat": seat, "card": card}));
        self.give(table, place, false, false);
    }

    fn deal_street(&mut self, table: &mut Table, round: usize, rng: &mut ChaCha8Rng) {
        self.decks.draw();
        table.dealt.events.push(burn());
        table.burns.push(1);
        let order = self.order(&table.players);
        let order: Vec<usize> = order
            .into_iter()
            .filter(|&place| table.players[place].is_in)
            .collect();
        match self.form.street(round) {
            Street::Shared(count) => {
                for card in (0..count).filter_map(|_| self.decks.draw()) {
                    table.shared.push(card);
                    let body = deal(CardPlace::Community, None, card, Face::Up, true);
                    table.dealt.events.push(body);
                }
            }
            Street::Own { up } => {
                let exposed = self.expose_last_card(table, round, &order, rng);
                for place in order {
                    self.give(table, place, up || Some(place) == exposed, false);
                }
                table.elect(exposed, rng);
            }
            Street::Draw => {
                table.draws.push(Vec::new());
                for place in order {
                    self.draw(table, place);
                }
            }
        }
    }

    /// A player throws cards away and gets as many, or stands pat.
    fn draw(&mut self, table: &mut Table, place: usize) {
        let seat = table.players[place].seat;
        let held = table.own(seat);
        let mut out = self.form.discards(&held);
        // Nobody draws what the stub cannot give.
        if self.decks.remaining() < out.len() + 8 {
            out.clear();
        }
        if out.is_empty() {
            table.dealt.events.push(decision(seat, "stand_pat"));
            return;
        }
        for card in table.cards.entry(seat).or_default() {
            card.gone |= out.contains(&card.card);
        }
        let named: Vec<String> = out.iter().map(Card::to_string).collect();
        let said = match self.reader {
            true => format!("discard {}", named.join(" ")),
            false => format!("draw {}", out.len()),
        };
        table.dealt.events.push(decision(seat, &said));
        let before = table.cards.get(&seat).map_or(0, Vec::len);
        for _ in 0..out.len() {
            self.give(table, place, false, true);
        }
        let drawn: Vec<Card> = table.cards[&seat][before..]
            .iter()
            .map(|held| held.card)
            .collect();
        let entry = match self.reader {
            true => json!({"seat": seat, "discard": named, "draw": text(&drawn)}),
            false => json!({"seat": seat, "count": out.len()}),
        };
        if let Some(draw) = table.draws.last_mut() {
            draw.push(entry);
        }
    }

    fn bet_round(
        &self,
        table: &mut Table,
        round: usize,
        (opener, level): (usize, i64),
        rng: &mut ChaCha8Rng,
    ) {
        table.rounds.push(Vec::new());
        let strength = |player: &Player| {
            let own = table.own(player.seat);
            self.form.strength(&own, &table.shared)
        };
        let strengths: Vec<u32> = table.players.iter().map(strength).collect();
        let no_check = self.form.family == Family::FiveCardStud;
        let mut limits = self.limits(round);
        if round == 1 && self.sign.open_pair_double && table.shows_open_pair() {
            limits.1 = self.limits(2).1;
        }
        let opener = match self.form.is_stud() && round == 0 {
            true => self.opener(table, 0),
            false => opener,
        };
        let Table {
            dealt,
            players,
            rounds,
            last_bettor,
            incidents,
            ..
        } = table;
        let mut betting = Betting::new(
            players,
            &self.sign,
            limits,
            round,
            no_check,
            (opener, level),
        );
        let mut first = true;
        while let Some(place) = betting.next() {
            let seat = betting.players[place].seat;
            let forced = first && round == 0 && self.form.is_stud();
            let act = match forced {
                true => betting.force(place, rng),
                false => betting.act(place, strengths[place], rng),
            };
            first = false;
            let made = match act {
                Act::Fold if loses_hand(incidents, rounds, rng) => {
                    let after = rounds.last().map_or(0, Vec::len);
                    let lost = lost_hand(seat, round, after, rng);
                    dealt.events.push(told(&lost));
                    incidents.push(lost);
                    continue;
                }
                Act::Fold | Act::Check => {
                    let word = if act == Act::Fold { "fold" } else { "check" };
                    dealt.events.push(decision(seat, word));
                    vec![json!({"seat": seat, "act": word})]
                }
                Act::Wager(kind, amount) => {
                    let words = if forced { None } else { say(kind, amount, rng) };
                    let left = betting.players[place].left;
                    let words = words.or_else(|| one_chip(kind, amount, left, rng));
                    put_in(dealt, seat, kind, amount, words)
                }
            };
            if let Some(actions) = rounds.last_mut() {
                actions.extend(made);
            }
        }
        if round + 1 == self.form.rounds {
            *last_bettor = betting.last_bettor;
        }
    }

    /// Who opens: the first left of the button, the lowest or highest card, the best hand showing.
    fn opener(&self, table: &Table, round: usize) -> usize {
        let order = self.order(&table.players);
        if !self.form.is_stud() {
            return order[0];
        }
        let up = |place: usize| -> Vec<Card> {
            let seat = table.players[place].seat;
            let hand = table.cards.get(&seat).map_or(&[][..], Vec::as_slice);
            hand.iter()
                .filter(|held| held.up)
                .map(|held| held.card)
                .collect()
        };
        let suit = |card: Card| card.index() % 4;
        let in_hand = order
            .into_iter()
            .filter(|&place| table.players[place].is_in);
        let key = |place: usize| -> Vec<u8> {
            let up = up(place);
            let Some(&door) = up.first() else {
                return Vec::new();
            };
            let high = [height(door), suit(door)];
            match (self.form.family, round) {
                (_, 0) if self.form.name == "seven_card_stud_high_low" => {
                    vec![(height(door) + 1) % 13, suit(door)]
                }
                (_, 0) => high.iter().map(|value| u8::MAX - value).collect(),
                (Family::Mambo, 1) => high.to_vec(),
                (Family::Mambo, _) => {
                    let pairs = table
                        .shared
                        .first()
                        .is_some_and(|card| card.rank() == door.rank());
                    vec![u8::from(pairs), height(door)]
                }
                _ => showing(&up),
            }
        };
        // Of equals the one nearest the dealer's left.
        in_hand.rev().max_by_key(|&place| key(place)).unwrap_or(0)
    }

    /// Who shows and who concedes, the last bettor first.
    fn show_down(&self, table: &mut Table, rng: &mut ChaCha8Rng) -> Vec<(u32, bool)> {
        let in_hand = table.players.iter().filter(|player| player.is_in);
        let mut seats: Vec<u32> = in_hand.map(|player| player.seat).collect();
        if seats.len() < 2 {
            return Vec::new();
        }
        let first = table.last_bettor.filter(|seat| seats.contains(seat));
        let by_pot = first.is_some() && rng.random_range(0..2) == 0;
        let first = first.unwrap_or(0);
        seats.sort_by_key(|&seat| (seat < first, seat));
        if by_pot {
            // The last side pot first.
            let bets = |player: &&Player| player.put_in - player.dead;
            let players = table.players.iter();
            let bets: BTreeMap<u32, i64> =
                players.map(|player| (player.seat, bets(&player))).collect();
            seats.sort_by_key(|seat| Reverse(bets.get(seat).copied()));
        }
        // 15(d): whom all others leave the pot need not be seen.
        table.is_conceded = rng.random_range(0..10) == 0;
        let mut shown = Vec::new();
        for (turn, seat) in seats.into_iter().enumerate() {
            let shows = turn == 0 || !table.is_conceded && rng.random_range(0..5) > 0;
            shown.push((seat, shows));
            table
                .dealt
                .events
                .push(decision(seat, if shows { "show" } else { "muck" }));
            if !shows || self.reader || table.is_conceded {
                continue;
            }
            let hand = table.cards.get(&seat).map_or(&[][..], Vec::as_slice);
            let turned = hand.iter().filter(|held| !held.up && !held.gone);
            let turned =
                turned.map(|held| reveal(CardPlace::Seat, Some(seat), held.index, held.card));
            table.dealt.events.extend(turned);
        }
        shown
    }
}

impl Table {
    /// Does somebody who is in show a pair in his first two up-cards?
    fn shows_open_pair(&self) -> bool {
        let mut players = self.players.iter().filter(|player| player.is_in);
        players.any(|player| {
            let hand = self.cards.get(&player.seat).map_or(&[][..], Vec::as_slice);
            let mut up = hand.iter().filter(|held| held.up);
            let ranks = [up.next(), up.next()].map(|held| held.map(|held| held.card.rank()));
            ranks[0].is_some() && ranks[0] == ranks[1]
        })
    }

    /// The cards that a seat holds now.
    pub(super) fn own(&self, seat: u32) -> Vec<Card> {
        let hand = self.cards.get(&seat).map_or(&[][..], Vec::as_slice);
        hand.iter()
            .filter(|held| !held.gone)
            .map(|held| held.card)
            .collect()
    }
}

/// Groups first, then cards; of seven-card stud the first four.
fn showing(up: &[Card]) -> Vec<u8> {
    let up = &up[..up.len().min(4)];
    let mut groups: Vec<(u8, u8)> = Vec::new();
    for &card in up {
        let count = up
            .iter()
            .filter(|other| other.rank() == card.rank())
            .count();
        let group = (u8::try_from(count).unwrap_or(1), height(card));
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups.sort_unstable_by(|one, other| other.cmp(one));
    let mut key: Vec<u8> = groups.iter().map(|group| group.0).collect();
    key.resize(4, 0);
    key.extend(groups.iter().map(|group| group.1));
    key
}

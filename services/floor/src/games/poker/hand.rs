//! One hand, from the posts to the showdown.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use catwalk_events::body::{Body, CardPlace, Decision, Face};
use catwalk_rules::UNSEEN;
use catwalk_rules::floor::{Card, Cents};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

use super::Poker;
use super::betting::{Act, Betting, Player};
use super::forms::{Family, Street};
use super::incidents::{loses_hand, lost_hand, told};
use crate::games::Dealt;
use crate::games::holdem::{burn, deal, decision, height, reveal, text};

/// A card that a player holds or has put down.
#[derive(Clone, Copy, Debug)]
struct Held {
    card: Card,
    up: bool,
    /// Place in the order in which the seat was dealt cards.
    index: usize,
    /// Came with a draw.
    drawn: bool,
    gone: bool,
}

/// A hand on its way.
pub(super) struct Table {
    pub(super) dealt: Dealt,
    pub(super) players: Vec<Player>,
    cards: BTreeMap<u32, Vec<Held>>,
    shared: Vec<Card>,
    pub(super) rounds: Vec<Vec<Value>>,
    draws: Vec<Vec<Value>>,
    burns: Vec<u32>,
    last_bettor: Option<u32>,
    pub(super) incidents: Vec<Value>,
    /// One seat puts in the ante for the table.
    is_one_ante: bool,
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
    fn order(&self, players: &[Player]) -> Vec<usize> {
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

    /// Antes, blinds, the kill blind, posts and the straddle: the place that opens the betting, and what has to be
    /// called.
    fn post_bets(&mut self, table: &mut Table, rng: &mut ChaCha8Rng) -> (usize, i64) {
        let order = self.order(&table.players);
        let sign = &self.sign;
        let is_killer = |seat: u32| sign.kill.is_some() && seat == self.kill;
        let mut places = order.clone();
        if sign.button_small && places.len() == 2 {
            places.swap(0, 1);
        }
        let mut blinds: Vec<(usize, i64)> = places
            .into_iter()
            .zip(sign.blinds.iter().copied())
            .collect();
        let last = blinds.last().map(|&(place, _)| place);
        blinds.retain(|&(place, _)| !is_killer(table.players[place].seat));
        if sign.ante_by.is_empty() || sign.ante_by == "each" {
            (0..table.players.len()).for_each(|place| table.post(place, "ante", sign.ante));
        }
        for &(place, blind) in &blinds {
            table.post(place, "blind", blind);
        }
        let killer = table
            .players
            .iter()
            .position(|player| is_killer(player.seat));
        if let Some(place) = killer {
            blinds.push((place, self.limits(0).0));
            table.post(place, "kill_blind", self.limits(0).0);
        }
        let payer = match sign.ante_by {
            "big_blind" => last,
            "button" => order.last().copied(),
            _ => None,
        };
        payer
            .into_iter()
            .for_each(|place| table.post(place, "ante", sign.ante));
        self.post_missed(table, &blinds, rng);
        let sign = &self.sign;
        // Of a blind that a short stack cannot cover the others owe the posted amount.
        let short = blinds
            .iter()
            .filter(|(place, _)| table.players[*place].left == 0);
        let short = short.map(|&(_, blind)| blind).max();
        let turn = order.iter().position(|&place| Some(place) == last);
        let next = |turn: usize| order[turn % order.len()];
        let mut opener = next(turn.map_or(0, |turn| turn + 1));
        let player = &table.players[opener];
        let straddle = sign.straddle.filter(|&straddle| {
            let is_free = player.bet == 0 && order.len() > sign.blinds.len();
            is_free && player.left >= straddle && rng.random_range(0..2) == 0
        });
        if let (Some(straddle), Some(turn)) = (straddle, turn) {
            table.post(opener, "straddle", straddle);
            opener = next(turn + 2);
        }
        let largest = table.players.iter().map(|player| player.bet).max();
        (opener, largest.max(short).unwrap_or(0))
    }

    /// Who sat out and owes no blind now posts one, and perhaps one that he missed.
    fn post_missed(&mut self, table: &mut Table, blinds: &[(usize, i64)], rng: &mut ChaCha8Rng) {
        let (Some(&small), Some(&large)) = (self.sign.blinds.first(), self.sign.blinds.last())
        else {
            return;
        };
        for place in 0..table.players.len() {
            let player = &table.players[place];
            let is_back = self.missed.remove(&player.seat) && self.sign.extra_posts;
            let owes = blinds.iter().any(|&(other, _)| other == place);
            if is_back && !owes && player.left >= small + large {
                table.post(place, "post", large);
                if rng.random_range(0..2) == 0 {
                    table.post(place, "dead_blind", small);
                }
            }
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
        let strengths: Vec<u32> = table
            .players
            .iter()
            .map(|player| self.form.strength(&table.own(player.seat), &table.shared))
            .collect();
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
            let action = match act {
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
                    json!({"seat": seat, "act": word})
                }
                Act::Wager(kind, amount) => {
                    let words = if forced { None } else { say(kind, amount, rng) };
                    let made = put_in(dealt, seat, kind, amount, words);
                    rounds
                        .last_mut()
                        .into_iter()
                        .for_each(|acts| acts.extend(made.clone()));
                    continue;
                }
            };
            if let Some(actions) = rounds.last_mut() {
                actions.push(action);
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
        let mut shown = Vec::new();
        for (turn, seat) in seats.into_iter().enumerate() {
            let shows = turn == 0 || rng.random_range(0..5) > 0;
            shown.push((seat, shows));
            table
                .dealt
                .events
                .push(decision(seat, if shows { "show" } else { "muck" }));
            if !shows || self.reader {
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

    fn document(
        &mut self,
        mut table: Table,
        shown: Vec<(u32, bool)>,
        rng: &mut ChaCha8Rng,
    ) -> Dealt {
        let mut play = Map::new();
        play.insert("form".into(), json!(self.form.name));
        if !self.form.is_stud() {
            play.insert("button".into(), json!(self.button));
        }
        let seat =
            |player: &Player| json!({"seat": player.seat, "stack": player.left + player.put_in});
        let seats: Vec<Value> = table.players.iter().map(seat).collect();
        play.insert("seats".into(), json!(seats));
        let is_shown = |seat: u32| shown.contains(&(seat, true));
        let hands = table.cards.iter().map(|(&seat, hand)| {
            (
                seat.to_string(),
                self.hand(hand, self.reader || is_shown(seat)),
            )
        });
        play.insert("hands".into(), Value::Object(hands.collect()));
        if !table.shared.is_empty() {
            play.insert("board".into(), text(&table.shared));
        }
        if !table.draws.is_empty() {
            play.insert("draws".into(), self.draws(&table, &is_shown));
            let drew = |seat: u32| {
                table
                    .draws
                    .iter()
                    .flatten()
                    .any(|entry| entry["seat"] == seat)
            };
            let seats = table.cards.keys().copied();
            let seats = seats.filter(|&seat| !self.reader && is_shown(seat) && drew(seat));
            let last: Map<String, Value> = seats
                .map(|seat| (seat.to_string(), text(&table.own(seat))))
                .collect();
            if !last.is_empty() {
                play.insert("shown".into(), Value::Object(last));
            }
        }
        play.insert("rounds".into(), json!(table.rounds));
        if !shown.is_empty() {
            let act = |shows: bool| if shows { "show" } else { "muck" };
            let shown = shown
                .iter()
                .map(|&(seat, shows)| json!({"seat": seat, "act": act(shows)}));
            play.insert("showdown".into(), shown.collect());
        }
        if !table.burns.is_empty() {
            play.insert("burns".into(), json!(table.burns));
        }
        if self.kill != 0 && self.sign.kill.is_some() {
            play.insert("kill_button".into(), json!(self.kill));
        }
        if self.sign.fund {
            play.insert("jackpot_fund".into(), json!(self.fund));
        }
        if let Some(time) = self.sign.time {
            let mut players = table.players.iter();
            let can_pay = time.per_table || players.all(|player| player.left >= time.charge);
            if can_pay && rng.random_range(0..3) == 0 {
                play.insert("time_due".into(), json!(true));
            }
        }
        self.drop_card(&mut table, rng);
        if !table.incidents.is_empty() {
            play.insert("incidents".into(), json!(table.incidents));
        }
        table.dealt.play = Value::Object(play);
        table.dealt
    }

    /// The draws as far as they were seen: of a hand that was shown, the cards that it kept.
    fn draws(&self, table: &Table, is_shown: &impl Fn(u32) -> bool) -> Value {
        let mut drawn: BTreeMap<u32, usize> = BTreeMap::new();
        let draws = table.draws.iter().map(|draw| -> Value {
            let entries = draw.iter().map(|entry| {
                let mut entry = entry.clone();
                let seat = u32::try_from(entry["seat"].as_u64().unwrap_or_default());
                let seat = seat.unwrap_or_default();
                let count = entry["count"].as_u64().unwrap_or_default() as usize;
                let before = drawn.entry(seat).or_default();
                let cards = table.cards[&seat].iter().filter(|held| held.drawn);
                let cards: Vec<&Held> = cards.skip(*before).take(count).collect();
                *before += count;
                if is_shown(seat) && cards.iter().any(|held| !held.gone) {
                    entry["draw"] = seen(cards);
                }
                entry
            });
            entries.collect()
        });
        draws.collect()
    }

    fn hand(&self, hand: &[Held], is_seen: bool) -> Value {
        let cards = |keep: &dyn Fn(&Held) -> bool| -> Value {
            let kept: Vec<Card> = hand
                .iter()
                .filter(|held| keep(held))
                .map(|held| held.card)
                .collect();
            text(&kept)
        };
        if self.form.is_stud() {
            let down = if is_seen {
                cards(&|held| !held.up)
            } else {
                Value::Null
            };
            return json!({"down": down, "up": cards(&|held| held.up)});
        }
        match (is_seen, self.form.family) {
            (false, _) => Value::Null,
            (true, Family::Draw) if self.reader => cards(&|held| !held.drawn),
            (true, Family::Draw) => match hand.iter().all(|held| held.drawn || held.gone) {
                true => Value::Null,
                false => seen(hand.iter().filter(|held| !held.drawn)),
            },
            (true, _) => cards(&|held| !held.gone),
        }
    }
}

/// The cards that were turned in the end, with a word for those that nobody saw.
fn seen<'a>(cards: impl IntoIterator<Item = &'a Held>) -> Value {
    let name = |held: &Held| match held.gone {
        true => UNSEEN.to_owned(),
        false => held.card.to_string(),
    };
    cards.into_iter().map(name).collect()
}

/// What a player says of the chips that he puts in, if he says anything: the word, and the amount.
fn say(kind: &'static str, amount: i64, rng: &mut ChaCha8Rng) -> Option<Words> {
    (rng.random_range(0..8) == 0).then(|| Words {
        amount: (kind != "call" && rng.random_range(0..2) == 0).then_some(amount),
        is_aloud: rng.random_range(0..2) == 0,
        in_two: kind != "call" && amount >= 400 && rng.random_range(0..3) == 0,
    })
}

struct Words {
    amount: Option<i64>,
    /// The feed tells it as a decision of its own, too.
    is_aloud: bool,
    /// What he said he puts in by two motions. 7(g)
    in_two: bool,
}

/// Chips go into the pot: the actions that this is.
fn put_in(
    dealt: &mut Dealt,
    seat: u32,
    kind: &str,
    amount: i64,
    words: Option<Words>,
) -> Vec<Value> {
    let mut parts = vec![amount];
    if words.as_ref().is_some_and(|words| words.in_two) {
        let first = amount / 200 * 100;
        parts = vec![first, amount - first];
    }
    if let Some(words) = words.as_ref().filter(|words| words.is_aloud) {
        dealt.events.push(announce(seat, kind, words.amount));
    }
    let mut made = Vec::new();
    for (part, &amount) in parts.iter().enumerate() {
        let index = dealt.bet(seat, kind, amount);
        if let Some(words) = words.as_ref().filter(|_| part == 0) {
            dealt.wagers[index]["verbal"] = json!(kind);
            if let Some(amount) = words.amount {
                dealt.wagers[index]["announced"] = json!(amount);
            }
        }
        dealt.added.push((index, dealt.events.len()));
        made.push(json!({"seat": seat, "act": "wager", "id": dealt.wagers[index]["id"]}));
    }
    made
}

/// A player says what he does, and perhaps how much.
pub(super) fn announce(seat: u32, word: &str, amount: Option<i64>) -> Body {
    Decision {
        seat,
        hand: None,
        action: word.to_owned(),
        amount: amount.map(Cents::new),
    }
    .into()
}

impl Table {
    /// A compulsory bet, or what a short stack has of it.
    fn post(&mut self, place: usize, kind: &str, amount: i64) {
        let player = &mut self.players[place];
        let amount = amount.min(player.left);
        if amount == 0 {
            return;
        }
        player.put(amount);
        match kind {
            "ante" if !self.is_one_ante => {}
            "ante" | "dead_blind" => player.dead += amount,
            _ => player.bet += amount,
        }
        let seat = player.seat;
        self.dealt.bet(seat, kind, amount);
    }

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
    fn own(&self, seat: u32) -> Vec<Card> {
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

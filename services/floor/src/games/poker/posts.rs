//! Compulsory bets before the cards.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::Poker;
use super::hand::Table;

impl Poker {
    /// Antes, blinds, the kill blind, posts and the straddle: the place that opens the betting, and what has to be
    /// called.
    pub(super) fn post_bets(&mut self, table: &mut Table, rng: &mut ChaCha8Rng) -> (usize, i64) {
        let order = self.order(&table.players);
        let sign = &self.sign;
        let is_killer = |seat: u32| sign.kill.is_some() && seat == self.kill;
        let mut places = order.clone();
        if sign.button_small && places.len() == 2 {
            places.swap(0, 1);
        }
        // The player who owed the first blind has left.
        let is_vacant = sign.extra_posts
            && sign.blinds.len() > 1
            && places.len() > 2
            && self.kill == 0
            && rng.random_range(0..10) == 0;
        let owed = sign.blinds.iter().copied().skip(usize::from(is_vacant));
        let mut blinds: Vec<(usize, i64)> = places.into_iter().zip(owed).collect();
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
        if is_vacant {
            table.leave_vacant();
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
}

impl Table {
    /// The first blind is owed by nobody: it is told with the other one.
    fn leave_vacant(&mut self) {
        let mut wagers = self.dealt.wagers.iter();
        let blind = wagers.find(|wager| wager["kind"] == "blind");
        let Some(id) = blind.and_then(|wager| wager["id"].as_str()) else {
            return;
        };
        let vacant = json!({"vacant_blinds": [0]});
        self.dealt.asides.insert(id.to_owned(), vacant);
        self.is_vacant = true;
    }

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
}

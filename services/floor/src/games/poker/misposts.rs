//! Compulsory bets that are put in by the wrong seat, or where nobody owes any.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::Poker;
use super::cheat::seat_of;
use crate::games::Dealt;
use crate::games::holdem::amount;

impl Poker {
    /// A missed blind that is not offered, not his, or not of the posted amount; the ante for the table from another
    /// seat than owes it.
    pub(super) fn post_astray(
        &self,
        dealt: &mut Dealt,
        rng: &mut ChaCha8Rng,
    ) -> Option<Vec<&'static str>> {
        let (&small, &large) = (self.sign.blinds.first()?, self.sign.blinds.last()?);
        if self.sign.ante > 0 && self.sign.ante_by != "each" && rng.random_range(0..2) == 0 {
            return self.move_ante(dealt, rng);
        }
        let blinds = dealt.wagers.iter();
        let blinds = blinds.filter(|wager| wager["kind"] == "blind");
        let owing: Vec<u32> = blinds.filter_map(seat_of).collect();
        let players = dealt.play["seats"].as_array()?.iter().filter_map(seat_of);
        // A kill player owes no blind, and a vacant one is nobody's.
        let is_plain = self.kill == 0 && dealt.play["vacant_blinds"].is_null();
        let (free, owing): (Vec<u32>, Vec<u32>) = players
            .filter(|&seat| has_left(dealt, seat, large))
            .partition(|seat| !owing.contains(seat));
        let (from, amount, code) = match (self.sign.extra_posts, rng.random_range(0..2)) {
            (false, _) => (free, small, "post.not_offered"),
            (true, 0) if is_plain => (owing, small, "post.wrong_seat"),
            (true, _) => (free, small + 5, "post.amount"),
        };
        let seat = *from.choose(rng)?;
        let astray = json!({"id": "astray", "seat": seat, "kind": "dead_blind", "amount": amount});
        dealt.wagers.insert(self.posts, astray);
        for (index, _) in &mut dealt.added {
            *index += usize::from(*index >= self.posts);
        }
        let made_good = std::mem::take(&mut dealt.made_good).into_iter();
        let moved =
            made_good.map(|(index, first)| (index + usize::from(index >= self.posts), first));
        dealt.made_good = moved.collect();
        Some(vec![code])
    }

    /// The ante for the table comes from a seat that does not owe it.
    fn move_ante(&self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        let at = dealt
            .wagers
            .iter()
            .position(|wager| wager["kind"] == "ante")?;
        let (owes, ante) = (seat_of(&dealt.wagers[at])?, amount(&dealt.wagers[at]));
        let seats = dealt.play["seats"].as_array()?.iter().filter_map(seat_of);
        let others = seats.filter(|&seat| seat != owes && has_left(dealt, seat, ante));
        let others: Vec<u32> = others.collect();
        let seat = *others.choose(rng).filter(|_| has_left(dealt, owes, 0))?;
        dealt.wagers[at]["seat"] = json!(seat);
        Some(vec!["ante.wrong_seat"])
    }
}

/// Has the seat more left than that when the hand is over, so that it would have played as it did?
pub(super) fn has_left(dealt: &Dealt, seat: u32, more: i64) -> bool {
    let of_seat = |entry: &&Value| seat_of(entry) == Some(seat);
    let put_in: i64 = dealt.wagers.iter().filter(of_seat).map(amount).sum();
    let mut seats = dealt.play["seats"].as_array().into_iter().flatten();
    let entry = seats.find(of_seat);
    let stack = entry.and_then(|entry| entry["stack"].as_i64());
    stack.is_some_and(|stack| stack > put_in + more)
}

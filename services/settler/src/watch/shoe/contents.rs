//! What a shoe holds, and what has left it.

use std::collections::BTreeMap;

use catwalk_events::body::{DealingMethod, ShoeStarted};
use catwalk_rules::equipment::CardRule;
use catwalk_rules::floor::{Card, Rank};
use serde::{Deserialize, Serialize};

use super::{MAX_CARDS_OF_ROUND, has_two_sides};
use crate::watch::AtTable;

/// A shoe, what its decks hold, and what has left it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Shoe {
    pub(super) set: String,
    pub(super) decks: u32,
    /// Cards come from both sides of a double shoe, and no event says from which: they are counted
    /// together, from when either was last shuffled.
    #[serde(default)]
    pub(super) two_sided: bool,
    pub(super) continuous: bool,
    pub(super) cards_per_deck: u32,
    pub(super) jokers_per_deck: u32,
    /// The game has no rules that say what its decks hold.
    pub(super) any_joker: bool,
    /// The whole deck is in play again in every round.
    pub(super) counted_every_round: bool,
    /// Cards that have left it, named or not.
    pub(super) out: u32,
    /// And in rounds before this one, if nobody shuffled after them.
    #[serde(default)]
    pub(super) out_before: u32,
    /// Nobody told of it: only which cards its game may have is known, and that a single deck is whole in
    /// every round.
    #[serde(default)]
    pub(super) untold_start: bool,
    /// A card was dealt from it, not only burned.
    pub(super) dealt: bool,
    /// A round was settled of whose cards nobody told: how many are left is not known.
    #[serde(default)]
    pub(super) untold: bool,
    /// Money has moved in the round, and no card of it was told yet.
    #[serde(default)]
    pub(super) unseen: bool,
    pub(super) seen: BTreeMap<String, u32>,
    /// Where each was seen last.
    #[serde(default)]
    pub(super) seen_at: BTreeMap<String, u64>,
    /// The back of its set, or of its first card, where a reader tells it.
    pub(super) back: Option<String>,
    pub(super) mixed: bool,
    /// So many leave it at least, told or not.
    pub(super) dealt_every_round: Option<u32>,
    /// So many are put away unseen in a round, told as burned or not.
    #[serde(default)]
    pub(super) put_away: u32,
    #[serde(default)]
    pub(super) burned: u32,
    /// So many had left it when a count of the rest showed that these were all.
    #[serde(default)]
    pub(super) all_out: Option<u32>,
    pub(super) started_seq: u64,
    /// Cards behind the cutting card.
    pub(super) cut: Option<u32>,
    /// A round that was begun after it had come out was reported.
    pub(super) overdue: bool,
}

impl Shoe {
    /// What a game without a word of its shoe is dealt from.
    pub(super) fn untold(rule: &CardRule, seq: u64) -> Shoe {
        let is_whole = rule.counted_every_round && rule.permits_decks(1, false);
        Shoe {
            decks: match is_whole {
                true => 1,
                false => MAX_CARDS_OF_ROUND as u32,
            },
            cards_per_deck: rule.cards_per_deck,
            jokers_per_deck: rule.jokers_per_deck,
            counted_every_round: rule.counted_every_round,
            untold_start: true,
            untold: true,
            mixed: true,
            started_seq: seq,
            ..Shoe::default()
        }
    }

    /// One that is told of, with the back of its set. Both sides of a double shoe are one.
    pub(super) fn told(
        started: &ShoeStarted,
        table: &AtTable<'_>,
        back: Option<String>,
        seq: u64,
    ) -> Shoe {
        let rule = table.cards;
        let two_sided = table.rules.is_some_and(has_two_sides);
        let sides = if two_sided { 2 } else { 1 };
        Shoe {
            set: started.set.clone(),
            decks: started.decks.saturating_mul(sides),
            two_sided,
            continuous: started.method == DealingMethod::Continuous,
            cards_per_deck: rule.map_or(52, |rule| rule.cards_per_deck),
            jokers_per_deck: rule.map_or(0, |rule| rule.jokers_per_deck),
            any_joker: rule.is_none(),
            counted_every_round: rule.is_some_and(|rule| rule.counted_every_round),
            back,
            mixed: two_sided,
            dealt_every_round: rule.and_then(|rule| rule.dealt_every_round),
            put_away: match (started.method, rule) {
                (DealingMethod::AutoShoe, Some(rule)) => rule.put_away,
                _ => 0,
            },
            started_seq: seq,
            cut: started.cut.filter(|_| !two_sided),
            ..Shoe::default()
        }
    }

    /// A machine that shuffles without end may give every card again, and a deck that is shuffled after
    /// every round begins anew even where nobody told of the shuffle.
    pub(super) fn begin_round(&mut self) {
        if self.continuous {
            self.seen.clear();
        } else if self.counted_every_round && self.dealt {
            self.seen.clear();
            self.out_before = self.out_before.saturating_add(self.out);
            (self.out, self.burned) = (0, 0);
            (self.dealt, self.back) = (false, None);
        }
        self.untold |= std::mem::take(&mut self.unseen);
        self.untold &= !self.counted_every_round;
    }

    pub(super) fn is_untold(&self) -> bool {
        self.untold || self.unseen || self.untold_start
    }

    pub(super) fn total(&self) -> u32 {
        self.decks
            .saturating_mul(self.cards_per_deck + self.jokers_per_deck)
    }

    /// The cards that have left it, where so many are left: all that were told, or with them all that
    /// every round deals or puts away where these come nearer to the whole.
    pub(super) fn out_beside(&self, left: u32) -> u32 {
        let always = self.dealt_every_round.unwrap_or_default();
        let away = self.put_away.saturating_sub(self.burned);
        let away = if self.dealt { away } else { 0 };
        let most = always.max(self.out.saturating_add(away));
        let off = |out: u32| out.saturating_add(left).abs_diff(self.total());
        // A round that was dealt from what was left of the last one: its cards are not missing.
        let in_all = self.out.saturating_add(self.out_before);
        if self.out_before > 0 && off(in_all) == 0 {
            return in_all;
        }
        let may_be_more = self.out < most && self.all_out != Some(self.out);
        if may_be_more && off(most) < off(self.out) {
            most
        } else {
            self.out
        }
    }

    /// Is this a card of the game's decks? Decks of 48 cards have no tens.
    pub(super) fn holds(&self, card: &str) -> bool {
        match card.parse::<Card>() {
            Ok(Card::JOKER) => self.jokers_per_deck > 0 || self.any_joker,
            Ok(card) => self.cards_per_deck != 48 || card.rank() != Some(Rank::Ten),
            Err(_) => false,
        }
    }
}

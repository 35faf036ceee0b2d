//! The shuffle, the cut, the burn and the last hand of a shoe.

use catwalk_events::Event;
use catwalk_events::body::{Body, DealingMethod, ShoeStarted};
use catwalk_rules::Edition;
use catwalk_rules::equipment::CardRule;
use catwalk_rules::floor::{Card, Rank};
use serde::{Deserialize, Serialize};

use super::{AtTable, Sighting, once};
use crate::table::RulesInForce;

/// One shoe at a time: how many cards have left it, its burn, and the hands after its cutting card.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Cut {
    shoe: Option<Shoe>,
    /// The last round that a wager was made in: a round without one is played for no money.
    wagered: Option<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Shoe {
    started_seq: u64,
    total: u32,
    out: u32,
    /// Cards behind the cutting card.
    behind: Option<u32>,
    first_burned: Option<String>,
    burned: Vec<u64>,
    /// The opening burn is over.
    is_burned: bool,
    /// The round that is dealt from it.
    hand: Option<String>,
    /// The cutting card came out in this one or before.
    cover_hand: Option<String>,
    hands_after: u32,
    #[serde(default)]
    is_ended: bool,
    raised: Vec<String>,
}

impl Cut {
    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        let rule = table.cards;
        let Some(rule) = rule.filter(|rule| rule.watches_the_cut()) else {
            return;
        };
        match &event.body {
            Body::ShoeStarted(started) => self.start(started, rule, table, event.seq, seen),
            // A deck whose round is over is to be shuffled before the next, unless another takes its place.
            Body::ShoeEnded(_) if rule.shuffled_every_round => {
                if let Some(shoe) = &mut self.shoe {
                    shoe.is_ended = true;
                }
            }
            Body::ShoeEnded(_) => self.shoe = None,
            Body::TableClosed(_) | Body::CardsOpened(_) | Body::CardsRemoved(_) => {
                self.shoe.take_if(|shoe| shoe.is_ended);
            }
            Body::WagerPlaced(_) => self.wagered.clone_from(&event.round),
            Body::CardBurned(burned) => {
                let Some(shoe) = &mut self.shoe else { return };
                shoe.leave(burned.card.as_deref());
                // Cards burned once the deal is on are another matter. The most that an opening
                // burn can be is eleven.
                if shoe.hand.is_none() && !shoe.is_burned && shoe.burned.len() < 16 {
                    if shoe.burned.is_empty() {
                        shoe.first_burned.clone_from(&burned.card);
                    }
                    shoe.burned.push(event.seq);
                }
            }
            // What is burned because something went wrong is not the opening burn.
            Body::Irregularity(_) => {
                if let Some(shoe) = &mut self.shoe {
                    shoe.is_burned = true;
                }
            }
            Body::CardDealt(dealt) => self.deal(dealt.card.as_deref(), event, rule, seen),
            _ => {}
        }
    }

    /// Events were lost: the burn, if it was on, cannot be judged, nor whether there was a shuffle.
    pub(super) fn lose(&mut self) {
        if let Some(shoe) = &mut self.shoe {
            shoe.first_burned = None;
            shoe.hand = None;
        }
    }

    fn start(
        &mut self,
        started: &ShoeStarted,
        rule: &CardRule,
        table: &AtTable<'_>,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        // A continuous shuffler has no shoe that is cut, burned from or ends.
        self.shoe = (started.method != DealingMethod::Continuous).then(|| Shoe {
            started_seq: seq,
            total: started.decks.saturating_mul(rule.cards_and_jokers()),
            behind: started.cut,
            ..Shoe::default()
        });
        let Some(behind) = started.cut else { return };
        // A deck that a machine shuffled need not be cut at all.
        let uncut = behind == 0 && rule.shuffled_every_round;
        let is_by_hand = || {
            let rules = table.rules;
            rules.is_some_and(|rules| is_shuffled_by_hand(rules, table))
        };
        let stack = started.decks.saturating_mul(rule.cards_and_jokers());
        if uncut && is_by_hand() {
            if let Some(code) = table.first_filed(&["procedure.no_cut", "shoe.cut_depth"]) {
                let message = format!("The {stack} cards were shuffled by hand and not cut");
                seen.push(Sighting::new(code, vec![seq], message));
            }
        } else if !uncut
            && !rule.permits_cut(behind, stack)
            && (!rule.cuts_a_quarter() || is_by_hand())
        {
            let message = format!("The cutting card lies {behind} cards from the back");
            seen.push(Sighting::new("shoe.cut_depth", vec![seq], message));
        }
    }

    fn deal(
        &mut self,
        card: Option<&str>,
        event: &Event,
        rule: &CardRule,
        seen: &mut Vec<Sighting>,
    ) {
        let Some(shoe) = &mut self.shoe else { return };
        if shoe.hand.is_none() && rule.burns_by_value && once(&mut shoe.raised, "shoe.burn_count") {
            shoe.check_burn(event.seq, seen);
        }
        // A card that names no round is of the one that is dealt.
        let is_new_hand = event.round.is_some() && shoe.hand != event.round;
        if is_new_hand && shoe.hand.is_some() {
            let evidence = || vec![shoe.started_seq, event.seq];
            if rule.shuffled_every_round && once(&mut shoe.raised, "deck.not_shuffled") {
                let message = format!(
                    "A second round was dealt from {} cards of which {} were out, and nobody shuffled them",
                    shoe.total, shoe.out
                );
                seen.push(Sighting::new("deck.not_shuffled", evidence(), message));
            }
            let for_money = self.wagered.is_some() && self.wagered == event.round;
            if shoe.cover_hand.is_some() && for_money {
                shoe.hands_after += 1;
                if let Some(most) = rule.hands_after_cut
                    && shoe.hands_after > most
                    && once(&mut shoe.raised, "shoe.past_last_hand")
                {
                    let message = format!(
                        "Hand {} after the one in which the cutting card came out; {most} may be dealt",
                        shoe.hands_after
                    );
                    seen.push(Sighting::new("shoe.past_last_hand", evidence(), message));
                }
            }
        }
        if is_new_hand {
            shoe.hand.clone_from(&event.round);
        }
        shoe.leave(card);
        let left = shoe.total.saturating_sub(shoe.out);
        if shoe.behind.is_some_and(|behind| left < behind) && shoe.cover_hand.is_none() {
            shoe.cover_hand.clone_from(&shoe.hand);
        }
    }
}

/// Does the table say that its cards are shuffled by hand?
fn is_shuffled_by_hand(rules: &RulesInForce, table: &AtTable<'_>) -> bool {
    let game = rules.game_in(table.rulebook).ok();
    // What a table does not post is as its text has it.
    let default = |key: &str| {
        let edition = Edition::from_name(&rules.edition)?;
        let mut options = game?.book().options().iter();
        let option = options.find(|option| option.key == key && option.editions.holds(edition));
        option?.default.clone()
    };
    let mut said = ["shuffler", "shuffle"]
        .into_iter()
        .filter_map(|key| rules.option(key).or_else(|| default(key)));
    said.any(|word| word == "manual" || word == "none")
}

impl Shoe {
    /// A card that no deck holds was never in the shoe.
    fn leave(&mut self, card: Option<&str>) {
        if card.is_none_or(|card| card.parse::<Card>().is_ok()) {
            self.out = self.out.saturating_add(1);
        }
    }

    /// As many cards after the first as it counts, tens and faces ten. A burn that nobody told of, or
    /// whose first card nobody named, is not judged.
    fn check_burn(&self, seq: u64, seen: &mut Vec<Sighting>) {
        let first = self.first_burned.as_deref();
        let Some(first) = first.and_then(|card| card.parse::<Card>().ok()) else {
            return;
        };
        let value = match first.rank() {
            Some(Rank::Ace) => 1,
            Some(rank) if rank < Rank::Ten => usize::from(rank.index()) + 2,
            _ => 10,
        };
        let burned = self.burned.len();
        if burned != 1 + value {
            let message = format!(
                "{burned} cards were burned after the shuffle; a first card of {first} makes it {}",
                1 + value
            );
            let evidence = [&[self.started_seq], self.burned.as_slice(), &[seq]].concat();
            seen.push(Sighting::new("shoe.burn_count", evidence, message));
        }
    }
}

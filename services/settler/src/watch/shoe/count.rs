//! Sets and shoes that are counted, against what should be there.

use std::collections::BTreeMap;

use catwalk_events::body::CardsCounted;
use catwalk_rules::equipment::CardRule;
use catwalk_rules::floor::{Card, Rank};

use super::ShoeCount;
use super::contents::Shoe;
use crate::watch::{AtTable, Sighting};

impl ShoeCount {
    /// What is left of the shoe is counted.
    pub(super) fn count_stub(
        &mut self,
        counted: &CardsCounted,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        let is_its =
            |shoe: &&mut Shoe| shoe.set == counted.set && !shoe.two_sided && !shoe.is_untold();
        let Some(shoe) = self.shoe.as_mut().filter(is_its) else {
            return;
        };
        let left = shoe.total().saturating_sub(shoe.out_beside(counted.count));
        let evidence = vec![shoe.started_seq, seq];
        let found = (counted.count, left);
        compare(found, "The stub", &counted.set, evidence, seen);
        let is_all = shoe.out.saturating_add(counted.count) == shoe.total();
        shoe.all_out = is_all.then_some(shoe.out);
    }

    /// The whole set is counted: by number, and by identity where the count tells.
    pub(super) fn count_set(
        &self,
        counted: &CardsCounted,
        table: &AtTable<'_>,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        let Some(size) = self.sets.get(&counted.set) else {
            return;
        };
        let rule = table.cards;
        let per_deck = rule.map_or(52, CardRule::cards_and_jokers);
        let whole = size.decks.saturating_mul(per_deck);
        // Before its first use a set may still have the jokers of its boxes, and tens that the game
        // takes out.
        let mut boxed = [52, 54]
            .map(|cards| size.decks.saturating_mul(cards))
            .into_iter();
        if !size.dealt && boxed.any(|boxed| boxed >= whole && boxed == counted.count) {
            return;
        }
        let before = seen.len();
        let evidence = vec![size.seq, seq];
        compare(
            (counted.count, whole),
            "The set",
            &counted.set,
            evidence,
            seen,
        );
        if seen.len() == before
            && let Some(cards) = &counted.composition
        {
            let total = cards.values().fold(0_u32, |sum, n| sum.saturating_add(*n));
            if total == counted.count {
                compare_cards(cards, (size.decks, rule), &counted.set, seq, seen);
            }
        }
        if !size.dealt {
            seen[before..]
                .iter_mut()
                .for_each(|found| found.in_time = true);
        }
    }
}

/// Holds what was found against what should be there.
pub(super) fn compare(
    (found, expected): (u32, u32),
    what: &str,
    set: &str,
    evidence: Vec<u64>,
    seen: &mut Vec<Sighting>,
) {
    let code = match found {
        _ if found < expected => "deck.missing_card",
        _ if found > expected => "deck.extra_card",
        _ => return,
    };
    let message = format!("{what} has {found} cards instead of {expected}");
    seen.push(Sighting::new(code, evidence, message).about(set));
}

/// As many cards as there should be, but are they the right ones? Cards that the count does not name
/// are not there.
fn compare_cards(
    cards: &BTreeMap<String, u32>,
    (decks, rule): (u32, Option<&CardRule>),
    set: &str,
    seq: u64,
    seen: &mut Vec<Sighting>,
) {
    // A count may name cards that the game's decks do not hold, and find none.
    let copies = |card: &str| match card.parse::<Card>() {
        Ok(Card::JOKER) => decks * rule.map_or(0, |rule| rule.jokers_per_deck),
        Ok(card) if card.rank() == Some(Rank::Ten) => {
            let has_tens = rule.is_none_or(|rule| rule.cards_per_deck != 48);
            decks * u32::from(has_tens)
        }
        Ok(_) => decks,
        Err(_) => 0,
    };
    let named = |wrong: fn(&u32, &u32) -> bool| -> Vec<&str> {
        let wrong = cards
            .iter()
            .filter(|(card, count)| wrong(count, &copies(card)));
        let named = wrong.map(|(card, _)| card.as_str());
        named.take(8).collect()
    };
    for (code, what, list) in [
        (
            "deck.missing_card",
            "lacks",
            named(|count, decks| count < decks),
        ),
        (
            "deck.extra_card",
            "has too many of",
            named(|count, decks| count > decks),
        ),
    ] {
        if !list.is_empty() {
            let message = format!("The set {what} {}", list.join(", "));
            seen.push(Sighting::new(code, vec![seq], message).about(set));
        }
    }
}

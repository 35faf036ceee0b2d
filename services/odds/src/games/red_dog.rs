//! Red dog: three cards of the shoe, and a raise where it pays.

use std::collections::BTreeMap;

use catwalk_rules::floor::Card;
use num_rational::BigRational;
use serde_json::{Value, json};

use crate::OddsError;
use crate::felt::{Felt, wager};
use crate::sheet::{Basis, Line};
use crate::spread::{Spread, whole};

const STAKE: i64 = 1_000;

pub(crate) fn lines(felt: &Felt<'_>) -> Result<Vec<Line>, OddsError> {
    let decks = felt.option("decks").as_i64().unwrap_or_default();
    if !(1..=99).contains(&decks) {
        return Ok(Vec::new());
    }
    let original = [wager("original", STAKE, json!({}))];
    let raise = wager("raise", STAKE, json!({"id": "w2", "on": "w1"}));
    let raised = [original[0].clone(), raise];
    let (mut plain, mut best, mut raises) =
        (Spread::default(), Spread::default(), Spread::default());
    for thirds in first_two(decks as u128).values() {
        let decided = decided(felt, &original, thirds)?;
        let thirds = decided.as_ref().unwrap_or(thirds);
        let mut gain = BigRational::default();
        let mut alone = Vec::new();
        for (play, ways) in thirds {
            let came = felt.first(&original, play)?;
            gain += whole(*ways) * BigRational::from_integer(came.gain.into());
            alone.push(came);
        }
        // Only a spread waits for a raise; the rules object to one on anything else.
        let mut both = Vec::new();
        for (play, _) in thirds {
            both.extend(felt.lawful(&raised, play)?);
        }
        let can = both.len() == thirds.len();
        let raises_here = can && gain > BigRational::default();
        for (at, ((_, ways), alone)) in thirds.iter().zip(&alone).enumerate() {
            let ways = whole(*ways);
            plain.add(alone, &ways);
            if let Some(both) = both.get(at).filter(|_| raises_here) {
                let gain: i64 = both.iter().map(|came| came.gain).sum();
                best.add_played(alone.result, gain, 2 * STAKE, &ways);
                raises.add(&both[1], &ways);
            } else {
                best.add_played(alone.result, alone.gain, STAKE, &ways);
            }
        }
    }
    let never = Basis::Declared("never raise".to_owned());
    Ok(vec![
        felt.line("original", Basis::OptimalPlay, &best, STAKE)
            .noting("with a raise of the same size where it gains"),
        felt.line("original", never, &plain, STAKE),
        felt.line("raise", Basis::OptimalPlay, &raises, STAKE)
            .noting("by raises made, where they gain"),
    ])
}

/// Where the first two cards decide, no third is drawn: the one round that stands for all.
fn decided(
    felt: &Felt<'_>,
    original: &[Value],
    thirds: &[(Value, u128)],
) -> Result<Option<Vec<(Value, u128)>>, OddsError> {
    let Some(cards) = thirds
        .first()
        .and_then(|(play, _)| play["cards"].as_array())
    else {
        return Ok(None);
    };
    let two = json!({"cards": cards[..2]});
    // Where a third card must come, two are half a record.
    let Ok(Some(came)) = felt.lawful(original, &two) else {
        return Ok(None);
    };
    let is_open = came.iter().any(|came| came.is_open());
    let ways = thirds.iter().map(|(_, ways)| ways).sum();
    Ok((!is_open).then(|| vec![(two, ways)]))
}

/// By the ranks of the first two cards, the rounds that can follow, in ways to draw three cards in order.
fn first_two(decks: u128) -> BTreeMap<(u8, u8), Vec<(Value, u128)>> {
    let mut rounds = BTreeMap::new();
    for a in 0..13u8 {
        for b in 0..13u8 {
            let thirds: &mut Vec<(Value, u128)> = rounds.entry((a.min(b), a.max(b))).or_default();
            for c in 0..13u8 {
                let left = |rank: u8, drawn: &[u8]| {
                    let gone = drawn.iter().filter(|it| **it == rank).count();
                    (4 * decks).saturating_sub(gone as u128)
                };
                let ways = left(a, &[]) * left(b, &[a]) * left(c, &[a, b]);
                // Different suits, so that one deck has them.
                let cards = [(a, 0), (b, 1), (c, 2)].map(|(rank, suit)| {
                    Card::from_index(rank * 4 + suit).map(|card| card.to_string())
                });
                thirds.push((json!({"cards": cards}), ways));
            }
        }
    }
    rounds
}

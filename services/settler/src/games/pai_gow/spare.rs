//! Cards and tiles that nobody saw in a round. A document has no word for a piece that was never shown;
//! where a hand decides nothing, such pieces stand in for it.

use std::collections::BTreeMap;

use catwalk_events::body::Body;
use catwalk_rules::floor::{Card, Rank, Suit, Tile};

use super::{Variant, setting};
use crate::round::RoundFold;

/// Unseen pieces, each as often as it is left.
pub(super) fn pieces(variant: &Variant, round: &RoundFold) -> impl Iterator<Item = String> {
    let all = match variant.size {
        4 => tiles(),
        _ => cards(),
    };
    let mut seen = seen(round);
    all.into_iter().filter(move |piece| {
        let left = seen.get_mut(piece).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_none()
    })
}

/// How often each piece is somewhere on the table. One that was dealt and set is the same piece.
fn seen(round: &RoundFold) -> BTreeMap<String, u32> {
    let dealt = round.play.iter().flat_map(|(_, body)| match body {
        Body::CardDealt(dealt) => dealt.card.iter().cloned().collect(),
        Body::CardRevealed(shown) => vec![shown.card.clone()],
        Body::TilesDealt(dealt) => dealt.tiles.clone().unwrap_or_default(),
        _ => Vec::new(),
    });
    let settings = (0..=6).filter_map(|position| setting(round, position));
    let set = settings.flat_map(|set| [set.high.as_slice(), &set.low].concat());
    let mut seen = count(dealt);
    for (piece, set) in count(set) {
        let dealt = seen.entry(piece).or_default();
        *dealt = set.max(*dealt);
    }
    seen
}

fn count(pieces: impl Iterator<Item = String>) -> BTreeMap<String, u32> {
    pieces.fold(BTreeMap::new(), |mut counts, piece| {
        *counts.entry(piece).or_default() += 1;
        counts
    })
}

fn tiles() -> Vec<String> {
    let twice = [Tile::TWICE, Tile::TWICE].concat();
    let set = twice.into_iter().chain(Tile::ONCE);
    set.map(|tile| tile.to_string()).collect()
}

/// In an order in which no seven neighbours are worth anything: with no pair, nor five in sequence or of
/// a suit.
fn cards() -> Vec<String> {
    const APART: [Rank; 8] = [
        Rank::Two,
        Rank::Three,
        Rank::Five,
        Rank::Seven,
        Rank::Eight,
        Rank::Ten,
        Rank::Jack,
        Rank::King,
    ];
    let turns = (0..4).flat_map(|turn| {
        APART
            .iter()
            .enumerate()
            .map(move |(at, rank)| (turn + at, rank))
    });
    let cards = turns.map(|(suit, &rank)| Card::new(rank, Suit::ALL[suit % 4]));
    cards.map(|card| card.to_string()).collect()
}

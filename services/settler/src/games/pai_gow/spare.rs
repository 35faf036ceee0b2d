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

/// Hands of four of a kind and what goes with it, of cards that nobody saw.
pub(super) fn premium_hands(
    round: &RoundFold,
) -> std::iter::Peekable<impl Iterator<Item = Vec<String>>> {
    let seen = seen(round);
    let is_unseen = |card: &Card| !seen.contains_key(&card.to_string());
    let of_rank = |rank: Rank| Suit::ALL.map(|suit| Card::new(rank, suit));
    let unseen = Rank::ALL.into_iter().map(of_rank);
    let unseen = unseen.map(|cards| cards.into_iter().filter(is_unseen).collect::<Vec<_>>());
    let (four, fewer): (Vec<_>, Vec<_>) = unseen.partition(|cards| cards.len() == 4);
    let hands = four.len().div_ceil(2);
    let (four, rest) = four.split_at(hands);
    let rest: Vec<Card> = [rest.concat(), fewer.concat()].concat();
    let hands = four.iter().zip(rest.chunks_exact(3));
    let hands: Vec<Vec<String>> = hands
        .map(|(four, more)| [four.as_slice(), more].concat())
        .map(|cards| cards.iter().map(Card::to_string).collect())
        .collect();
    hands.into_iter().peekable()
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

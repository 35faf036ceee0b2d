//! Cards, and sets of them: bit sets for one deck, counts for a shoe of many.

use std::fmt;
use std::iter::FusedIterator;
use std::str::FromStr;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Rank of a card, ace high. Games in which the ace is low say so themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Rank {
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

impl Rank {
    pub const ALL: [Rank; 13] = [
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];

    /// The rank whose discriminant is `index`: 0 is the two, 12 the ace.
    pub const fn from_index(index: u8) -> Option<Rank> {
        if index < 13 {
            Some(Self::ALL[index as usize])
        } else {
            None
        }
    }

    /// 0 for the two up to 12 for the ace.
    pub const fn index(self) -> u8 {
        self as u8
    }

    pub const fn letter(self) -> char {
        b"23456789TJQKA"[self as usize] as char
    }
}

/// Suit of a card. The order has no meaning in the rules except where a game says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// 0 for clubs up to 3 for spades.
    pub const fn index(self) -> u8 {
        self as u8
    }

    pub const fn letter(self) -> char {
        b"CDHS"[self as usize] as char
    }

    /// Hearts and diamonds.
    pub const fn is_red(self) -> bool {
        matches!(self, Suit::Hearts | Suit::Diamonds)
    }
}

/// One of the 52 cards, or the joker. Written as rank and suit: `AS`, `TD`, `9C`; the joker is `JK`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    pub const JOKER: Card = Card(52);
    /// One that nobody saw, where a round is told: written `??`, read from no document, and dealt from no deck.
    pub const UNSEEN: Card = Card(53);
    /// How many identities there are, the joker included.
    pub const COUNT: usize = 53;

    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(rank as u8 * 4 + suit as u8)
    }

    /// The card whose [`Card::index`] is `index`.
    pub const fn from_index(index: u8) -> Option<Card> {
        if index < Self::COUNT as u8 {
            Some(Card(index))
        } else {
            None
        }
    }

    /// `rank * 4 + suit` for the 52 cards, 52 for the joker.
    pub const fn index(self) -> u8 {
        self.0
    }

    pub const fn is_joker(self) -> bool {
        self.0 == 52
    }

    /// `None` for the joker.
    pub const fn rank(self) -> Option<Rank> {
        Rank::from_index(self.0 / 4)
    }

    /// `None` for the joker.
    pub const fn suit(self) -> Option<Suit> {
        if self.0 < Self::JOKER.0 {
            Some(Suit::ALL[(self.0 % 4) as usize])
        } else {
            None
        }
    }

    /// The 52 cards of a deck without joker, twos first.
    pub fn deck() -> impl ExactSizeIterator<Item = Card> + Clone {
        (0..52).map(Card)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a card: write rank (2-9, T, J, Q, K, A) and suit (S, H, D, C) as in \"TD\", or \"JK\" for the joker"
)]
pub struct ParseCardError(String);

impl FromStr for Card {
    type Err = ParseCardError;

    fn from_str(text: &str) -> Result<Card, ParseCardError> {
        let fail = || ParseCardError(text.to_owned());
        let &[rank, suit] = text.as_bytes() else {
            return Err(fail());
        };
        let rank = match rank {
            b'2'..=b'9' => rank - b'2',
            b'T' => 8,
            b'J' if suit == b'K' => return Ok(Card::JOKER),
            b'J' => 9,
            b'Q' => 10,
            b'K' => 11,
            b'A' => 12,
            _ => return Err(fail()),
        };
        let suit = match suit {
            b'C' => 0,
            b'D' => 1,
            b'H' => 2,
            b'S' => 3,
            _ => return Err(fail()),
        };
        Ok(Card(rank * 4 + suit))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.rank(), self.suit()) {
            (Some(rank), Some(suit)) => write!(f, "{}{}", rank.letter(), suit.letter()),
            _ if self.is_joker() => f.write_str("JK"),
            _ => f.write_str("??"),
        }
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        struct CardText;
        impl Visitor<'_> for CardText {
            type Value = Card;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a card such as \"TD\"")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Card, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(CardText)
    }
}

/// A set of different cards of one deck, joker included, as bits of [`Card::index`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CardSet(u64);

impl CardSet {
    pub const EMPTY: CardSet = CardSet(0);
    /// The 52 cards without joker.
    pub const DECK: CardSet = CardSet((1 << 52) - 1);

    pub const fn from_bits(bits: u64) -> Option<CardSet> {
        if bits >> Card::COUNT == 0 {
            Some(CardSet(bits))
        } else {
            None
        }
    }

    pub const fn bits(self) -> u64 {
        self.0
    }

    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// Adds the card; false if it was there already.
    pub fn insert(&mut self, card: Card) -> bool {
        let fresh = !self.contains(card);
        self.0 |= 1 << card.0;
        fresh
    }

    /// Takes the card out; false if it was not there.
    pub fn remove(&mut self, card: Card) -> bool {
        let there = self.contains(card);
        self.0 &= !(1 << card.0);
        there
    }

    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    pub const fn without(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// The cards in the order of [`Card::index`].
    pub fn iter(self) -> impl FusedIterator<Item = Card> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let card = (bits != 0).then(|| Card(bits.trailing_zeros() as u8))?;
            bits &= bits - 1;
            Some(card)
        })
        .fuse()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        CardSet(cards.into_iter().fold(0, |bits, card| bits | 1 << card.0))
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// How often each identity is there, in a shoe of several decks.
#[derive(Clone, PartialEq, Eq)]
pub struct CardCounts([u8; Card::COUNT]);

impl CardCounts {
    pub const EMPTY: CardCounts = CardCounts([0; Card::COUNT]);

    /// A shoe of `decks` full decks with `jokers` jokers.
    pub fn shoe(decks: u8, jokers: u8) -> CardCounts {
        let mut counts = [decks; Card::COUNT];
        counts[Card::JOKER.index() as usize] = jokers;
        CardCounts(counts)
    }

    pub const fn count(&self, card: Card) -> u8 {
        self.0[card.0 as usize]
    }

    /// Adds one card; counts stay at 255 rather than wrap.
    pub fn add(&mut self, card: Card) {
        let count = &mut self.0[card.0 as usize];
        *count = count.saturating_add(1);
    }

    /// Takes one card; false, and nothing taken, if none of it is left.
    pub fn take(&mut self, card: Card) -> bool {
        let count = &mut self.0[card.0 as usize];
        let there = *count > 0;
        *count -= u8::from(there);
        there
    }

    pub fn total(&self) -> u32 {
        self.0.iter().map(|&count| u32::from(count)).sum()
    }

    /// The first identity that is here more often than in `shoe`.
    pub fn beyond(&self, shoe: &CardCounts) -> Option<Card> {
        (0..Card::COUNT)
            .find(|&i| self.0[i] > shoe.0[i])
            .map(|i| Card(i as u8))
    }
}

impl FromIterator<Card> for CardCounts {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardCounts {
        let mut counts = CardCounts::EMPTY;
        cards.into_iter().for_each(|card| counts.add(card));
        counts
    }
}

impl fmt::Debug for CardCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seen = (0..Card::COUNT).filter(|&i| self.0[i] > 0);
        f.debug_map()
            .entries(seen.map(|i| (Card(i as u8), self.0[i])))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_reads_as_it_is_written() {
        for index in 0..Card::COUNT as u8 {
            let card = Card::from_index(index).unwrap();
            assert_eq!(card.to_string().parse(), Ok(card));
        }
        assert_eq!("JK".parse(), Ok(Card::JOKER));
        assert_eq!("JC".parse(), Ok(Card::new(Rank::Jack, Suit::Clubs)));
    }

    #[test]
    fn what_is_no_card_is_refused_by_name() {
        for text in ["", "A", "10S", "1S", "as", "SA", "AX", "JOKER", "♠A"] {
            let error = text.parse::<Card>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("{text:?} is not a card")),
                "{error}"
            );
        }
    }

    #[test]
    fn a_set_holds_each_card_once() {
        let ace = Card::new(Rank::Ace, Suit::Spades);
        let mut set = CardSet::EMPTY;
        assert!(set.insert(ace) && !set.insert(ace) && set.insert(Card::JOKER));
        assert_eq!(
            (set.len(), set.iter().collect::<Vec<_>>()),
            (2, vec![ace, Card::JOKER])
        );
        assert!(set.remove(ace) && !set.remove(ace));
        assert_eq!(CardSet::DECK.iter().count(), 52);
    }

    #[test]
    fn a_shoe_runs_out_of_a_card_after_as_many_as_it_has_decks() {
        let ace = Card::new(Rank::Ace, Suit::Spades);
        let mut shoe = CardCounts::shoe(2, 0);
        assert_eq!(shoe.total(), 104);
        assert!(shoe.take(ace) && shoe.take(ace) && !shoe.take(ace) && !shoe.take(Card::JOKER));
        let dealt: CardCounts = [ace, ace, ace].into_iter().collect();
        assert_eq!(dealt.beyond(&CardCounts::shoe(2, 0)), Some(ace));
        assert_eq!(dealt.beyond(&CardCounts::shoe(3, 0)), None);
    }
}

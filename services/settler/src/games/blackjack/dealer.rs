//! The dealer's cards as the events tell them.

use catwalk_events::body::Face;
use catwalk_rules::floor::Card;

use super::points::{is_blackjack, total};

/// The dealer's cards of a round.
#[derive(Debug, Default)]
pub(super) struct DealerFold {
    cards: Vec<Dealt>,
    /// The first card was dealt down and the second up: the hole card came first.
    hole_came_first: bool,
    /// An event says that the hole card went into the reader.
    pub(super) check_told: bool,
    /// The hole card was turned over after somebody had decided something.
    pub(super) shown_after_play: bool,
    /// The event by which both first cards were visible.
    pub(super) both_seen: Option<u64>,
}

#[derive(Debug)]
struct Dealt {
    hand: Option<u32>,
    card: Option<String>,
    face: Face,
}

impl DealerFold {
    pub(super) fn take(&mut self, hand: Option<u32>, card: Option<&str>, face: Face) {
        let card = card.map(str::to_owned);
        let is_second = |first: &Dealt| first.face == Face::Down && face == Face::Up;
        self.hole_came_first |= matches!(&self.cards[..], [first] if is_second(first));
        self.cards.push(Dealt { hand, card, face });
    }

    pub(super) fn show(&mut self, hand: Option<u32>, index: usize, card: &str) {
        let of_it = |dealt: &&mut Dealt| dealt.hand.unwrap_or(1) == hand.unwrap_or(1);
        if let Some(dealt) = self.cards.iter_mut().filter(of_it).nth(index) {
            dealt.card = Some(card.to_owned());
            dealt.face = Face::Up;
        }
    }

    pub(super) fn count(&self) -> usize {
        self.cards.len()
    }

    /// A hole card that nobody has seen yet?
    pub(super) fn hides_hole(&self) -> bool {
        let first = self.cards.iter().take(2);
        first.clone().count() == 2 && first.clone().any(|dealt| dealt.face == Face::Down)
    }

    /// Notes the event by which nothing of the first two cards is hidden any more.
    pub(super) fn note_hole(&mut self, seq: u64) {
        if self.count() >= 2 && !self.hides_hole() {
            self.both_seen.get_or_insert(seq);
        }
    }

    /// The cards in order, up card first; `None` for one that nobody saw. A dealer who takes the hole card
    /// before the up card has dealt the one down and the other up.
    pub(super) fn cards(&self) -> Vec<Option<&str>> {
        let mut cards: Vec<Option<&str>> =
            self.cards.iter().map(|one| one.card.as_deref()).collect();
        if self.hole_came_first {
            cards.swap(0, 1);
        }
        cards
    }

    pub(super) fn up(&self) -> Option<Card> {
        self.cards().first().copied().flatten()?.parse().ok()
    }

    pub(super) fn has_blackjack(&self) -> bool {
        let first = self.cards().into_iter().take(2);
        let first: Option<Vec<Card>> = first.map(|card| card?.parse().ok()).collect();
        first.is_some_and(|first| is_blackjack(&first))
    }

    /// A blackjack that everybody has seen.
    pub(super) fn shows_blackjack(&self) -> bool {
        self.has_blackjack() && !self.hides_hole()
    }

    /// Multiple action: a list for each hand, all from the up card. Where hands are not numbered, one
    /// ends where the dealer stands.
    pub(super) fn hands(&self, hits_soft_17: bool) -> Vec<Vec<Option<&str>>> {
        let Some((up, drawn)) = self.cards.split_first() else {
            return Vec::new();
        };
        let start = vec![up.card.as_deref()];
        let mut hands = vec![start.clone()];
        let numbered = drawn.iter().any(|dealt| dealt.hand.is_some());
        for dealt in drawn {
            let card = dealt.card.as_deref();
            if numbered {
                let hand = dealt.hand.unwrap_or(1) as usize;
                while hands.len() < hand.min(MOST_HANDS) {
                    hands.push(start.clone());
                }
                hands[hand.clamp(1, MOST_HANDS) - 1].push(card);
                continue;
            }
            let last = hands.last().into_iter().flatten();
            let last: Vec<Card> = last
                .filter_map(|card| card.as_ref()?.parse().ok())
                .collect();
            let (points, soft) = total(&last);
            let stands = last.len() > 1 && points >= 17 && !(hits_soft_17 && soft && points == 17);
            if stands && hands.len() < MOST_HANDS {
                hands.push(start.clone());
            }
            if let Some(hand) = hands.last_mut() {
                hand.push(card);
            }
        }
        hands
    }
}

/// Multiple action has three spots.
const MOST_HANDS: usize = 3;

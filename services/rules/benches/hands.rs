//! Hands per second, beside rs_poker on the same hands: `cargo bench -p catwalk-rules --bench hands`.
//!
//! `cards` starts from cards in a slice, `set` from a prepared set.

use catwalk_rules::floor::{Card, CardSet};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

const HANDS: usize = 16_384;

fn main() {
    divan::main();
}

/// The same hands in every run: `HANDS` times `N` different cards of the first `deck`.
fn deal<const N: usize>(deck: u8) -> Vec<[Card; N]> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % below
    };
    (0..HANDS)
        .map(|_| {
            let mut left: Vec<u8> = (0..deck).collect();
            std::array::from_fn(|_| {
                let index = left.swap_remove(random(left.len()));
                Card::from_index(index).expect("an index of the deck")
            })
        })
        .collect()
}

fn sets<const N: usize>(deck: u8) -> Vec<CardSet> {
    deal::<N>(deck)
        .into_iter()
        .map(|cards| cards.into_iter().collect())
        .collect()
}

/// Ranks all the hands and keeps the best, so that no rank can be left out.
fn bench<T, R: Ord>(bencher: Bencher<'_, '_>, hands: &[T], rank: impl Fn(&T) -> R + Sync) {
    rank(&hands[0]);
    bencher
        .counter(ItemsCount::new(hands.len()))
        .bench_local(|| black_box(hands).iter().map(&rank).max());
}

mod three_cards {
    use super::*;
    use catwalk_rules::hands::three;

    #[divan::bench]
    fn cards(bencher: Bencher) {
        bench(bencher, &deal::<3>(52), |cards| three::rank(cards));
    }

    #[divan::bench]
    fn set(bencher: Bencher) {
        bench(bencher, &sets::<3>(52), |&set| three::rank_set(set));
    }
}

mod four_cards {
    use super::*;
    use catwalk_rules::hands::four;

    #[divan::bench]
    fn cards(bencher: Bencher) {
        bench(bencher, &deal::<4>(52), |cards| four::rank(cards));
    }

    #[divan::bench]
    fn set(bencher: Bencher) {
        bench(bencher, &sets::<4>(52), |&set| four::rank_set(set));
    }

    #[divan::bench]
    fn best_of_five_set(bencher: Bencher) {
        bench(bencher, &sets::<5>(52), |&set| four::rank_set(set));
    }

    #[divan::bench]
    fn best_of_six_set(bencher: Bencher) {
        bench(bencher, &sets::<6>(52), |&set| four::rank_set(set));
    }
}

mod five_cards {
    use super::*;
    use catwalk_rules::hands::five;

    #[divan::bench]
    fn cards(bencher: Bencher) {
        bench(bencher, &deal::<5>(52), |cards| five::rank(cards));
    }

    #[divan::bench]
    fn set(bencher: Bencher) {
        bench(bencher, &sets::<5>(52), |&set| five::rank_set(set));
    }

    #[divan::bench]
    fn best_of_six_set(bencher: Bencher) {
        bench(bencher, &sets::<6>(52), |&set| five::rank_set(set));
    }
}

mod seven_cards {
    use super::*;
    use catwalk_rules::hands::five;

    #[divan::bench]
    fn cards(bencher: Bencher) {
        bench(bencher, &deal::<7>(52), |cards| five::rank(cards));
    }

    #[divan::bench]
    fn set(bencher: Bencher) {
        bench(bencher, &sets::<7>(52), |&set| five::rank_set(set));
    }

    #[divan::bench]
    fn making_cards(bencher: Bencher) {
        let hands = deal::<7>(52);
        bench(bencher, &hands, |cards| {
            five::best(cards).map(|made| made.hand)
        });
    }
}

mod with_joker {
    use super::*;
    use catwalk_rules::hands::joker::{self, LowStraight::SecondHighest};

    #[divan::bench]
    fn five_cards(bencher: Bencher) {
        let hands = deal::<5>(53);
        bench(bencher, &hands, |cards| joker::rank(cards, SecondHighest));
    }

    #[divan::bench]
    fn five_set(bencher: Bencher) {
        let hands = sets::<5>(53);
        bench(bencher, &hands, |&set| joker::rank_set(set, SecondHighest));
    }

    #[divan::bench]
    fn seven_set(bencher: Bencher) {
        let hands = sets::<7>(53);
        bench(bencher, &hands, |&set| joker::rank_set(set, SecondHighest));
    }
}

mod with_wilds {
    use super::*;
    use catwalk_rules::hands::wild::{self, DEUCES_AND_JOKER};

    #[divan::bench]
    fn five_cards(bencher: Bencher) {
        let hands = deal::<5>(53);
        bench(bencher, &hands, |cards| wild::rank(cards, DEUCES_AND_JOKER));
    }

    #[divan::bench]
    fn five_set(bencher: Bencher) {
        let hands = sets::<5>(53);
        bench(bencher, &hands, |&set| {
            wild::rank_set(set, DEUCES_AND_JOKER)
        });
    }
}

/// rs_poker ranks five or seven cards with the same calls.
mod rs_poker {
    use super::*;
    use ::rs_poker::core as other;
    use ::rs_poker::core::Rankable;

    fn theirs<const N: usize>() -> Vec<[other::Card; N]> {
        deal::<N>(52)
            .into_iter()
            .map(|cards| {
                // Its index counts suit by suit.
                cards.map(|card| other::Card::from(card.index() % 4 * 13 + card.index() / 4))
            })
            .collect()
    }

    #[divan::bench(consts = [5, 7])]
    fn cards<const N: usize>(bencher: Bencher) {
        bench(bencher, &theirs::<N>(), |cards| cards[..].rank());
    }

    #[divan::bench(consts = [5, 7])]
    fn flat_hand<const N: usize>(bencher: Bencher) {
        let hands: Vec<_> = theirs::<N>()
            .into_iter()
            .map(|cards| other::FlatHand::new_with_cards(cards.to_vec()))
            .collect();
        bench(bencher, &hands, Rankable::rank);
    }

    #[divan::bench(consts = [5, 7])]
    fn set<const N: usize>(bencher: Bencher) {
        let hands: Vec<_> = theirs::<N>()
            .into_iter()
            .map(|cards| {
                let mut set = other::CardBitSet::new();
                cards.into_iter().for_each(|card| set.insert(card));
                set
            })
            .collect();
        bench(bencher, &hands, Rankable::rank);
    }

    /// Its tally of a hand, added up beforehand: what is left is the look into its table.
    #[divan::bench(consts = [5, 7])]
    fn added_up<const N: usize>(bencher: Bencher) {
        let hands: Vec<_> = theirs::<N>()
            .into_iter()
            .map(|cards| {
                cards
                    .into_iter()
                    .fold(other::SevenCardAccum::new(), |sum, card| sum + card)
            })
            .collect();
        bench(bencher, &hands, |sum| sum.rank());
    }
}

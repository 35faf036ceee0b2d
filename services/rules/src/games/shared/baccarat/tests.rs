//! The exact mathematics of a full shoe, against published figures.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::hands::{Hand, Hands, banker_draws, player_draws, rederive};
use super::house::DragonBonus;
use crate::floor::{Card, Rank, Suit};
use crate::settlement::Violations;

/// 416 x 415 x 414 x 413 x 412 x 411 ordered draws of six cards from eight decks.
const DRAWS: u128 = 4_998_398_275_503_360;

/// Plays every round of a full shoe by the values of its cards, with the number of ways to draw six
/// cards in order that give it. `draws_on` says whether the Player draws on a count of 0 to 7 without
/// naturals.
pub(crate) fn weigh_all_rounds(
    decks: u64,
    draws_on: impl Fn(u8) -> bool,
    mut visit: impl FnMut(&[Card], &[Card], u128),
) {
    let mut shoe = Shoe::full(decks);
    for [a, b] in pairs() {
        for [c, d] in pairs() {
            // The two cards of a hand may come in either order.
            let orders = u128::from(a != b) + 1;
            let ways = orders * (u128::from(c != d) + 1) * shoe.take(&[a, b, c, d]);
            let [player, banker] = [[card(a), card(b)], [card(c), card(d)]];
            let (p, b2) = (Hand::of_two(player), Hand::of_two(banker));
            let natural = p.is_natural() || b2.is_natural();
            let player_draws = !natural && draws_on(p.count());
            for third in drawn(player_draws) {
                let ways = ways * shoe.take(third.as_slice());
                let player: Vec<Card> = player.into_iter().chain(third.map(card)).collect();
                let banker_draws = !natural && banker_draws(b2.count(), third.map(card));
                for last in drawn(banker_draws) {
                    let ways = ways * shoe.take(last.as_slice());
                    let banker: Vec<Card> = banker.into_iter().chain(last.map(card)).collect();
                    let undrawn = usize::from(third.is_none()) + usize::from(last.is_none());
                    visit(&player, &banker, ways * shoe.ways_to_draw(undrawn));
                    shoe.give_back(last.as_slice());
                }
                shoe.give_back(third.as_slice());
            }
            shoe.give_back(&[a, b, c, d]);
        }
    }
}

/// The values of two cards in either order.
fn pairs() -> impl Iterator<Item = [usize; 2]> {
    (0..10).flat_map(|b| (0..=b).map(move |a| [a, b]))
}

/// The values of a card that is drawn, or none.
fn drawn(draws: bool) -> Vec<Option<usize>> {
    match draws {
        true => (0..10).map(Some).collect(),
        false => vec![None],
    }
}

fn card(value: usize) -> Card {
    let rank = [8, 12, 0, 1, 2, 3, 4, 5, 6, 7][value];
    Card::new(Rank::ALL[rank], Suit::Spades)
}

/// How many cards of each value are left: ten classes, tens and faces together.
struct Shoe([u64; 10]);

impl Shoe {
    fn full(decks: u64) -> Shoe {
        let mut left = [4 * decks; 10];
        left[0] = 16 * decks;
        Shoe(left)
    }

    /// Takes cards of these values; in how many ways.
    fn take(&mut self, values: &[usize]) -> u128 {
        let take = |ways, &value: &usize| {
            let left = &mut self.0[value];
            let here = u128::from(*left);
            *left -= 1;
            ways * here
        };
        values.iter().fold(1, take)
    }

    fn give_back(&mut self, values: &[usize]) {
        values.iter().for_each(|&value| self.0[value] += 1);
    }

    /// In how many ways so many further cards can come, whatever they are.
    fn ways_to_draw(&self, cards: usize) -> u128 {
        let left: u128 = self.0.iter().map(|&left| u128::from(left)).sum();
        (0..cards as u128).map(|drawn| left - drawn).product()
    }
}

/// Every round of an eight-deck shoe, and in how many ways it comes.
static EIGHT_DECKS: LazyLock<Vec<(Hands, u128)>> = LazyLock::new(|| {
    let mut rounds = Vec::new();
    weigh_all_rounds(8, player_draws, |player, banker, weight| {
        let mut nobody = Violations::default();
        let hands = rederive(player, banker, true, &mut nobody).unwrap();
        assert_eq!(nobody.iter().count(), 0);
        rounds.push((hands, weight));
    });
    rounds
});

#[test]
fn an_eight_deck_shoe_has_the_published_probabilities() {
    let (mut player, mut banker, mut tie) = (0u128, 0u128, 0u128);
    let (mut dragon, mut panda) = (0u128, 0u128);
    for &(hands, ways) in EIGHT_DECKS.iter() {
        match hands.player.count().cmp(&hands.banker.count()) {
            Ordering::Greater => player += ways,
            Ordering::Less => banker += ways,
            Ordering::Equal => tie += ways,
        }
        dragon += if hands.is_dragon_seven() { ways } else { 0 };
        panda += if hands.is_panda_eight() { ways } else { 0 };
    }
    assert_eq!(player + banker + tie, DRAWS);
    assert_eq!(banker, 2_292_252_566_437_888);
    assert_eq!(player, 2_230_518_282_592_256);
    assert_eq!(tie, 475_627_426_473_216);
    // Banker: 45.8597%, Player: 44.6247%, Tie: 9.5156%, Dragon 7: 2.2534%, Panda 8: 3.4543%.
    let per_million = |ways: u128| ways * 1_000_000 / DRAWS;
    assert_eq!(per_million(banker), 458_597);
    assert_eq!(per_million(player), 446_246);
    assert_eq!(per_million(tie), 95_155);
    assert_eq!(per_million(dragon), 22_533);
    assert_eq!(per_million(panda), 34_543);
}

#[test]
fn the_dragon_bonus_has_the_published_combinations_on_both_sides() {
    let (mut on_player, mut on_banker) = (BTreeMap::new(), BTreeMap::new());
    for &(hands, ways) in EIGHT_DECKS.iter() {
        *on_player
            .entry(DragonBonus::of(hands.player, hands.banker))
            .or_insert(0) += ways;
        *on_banker
            .entry(DragonBonus::of(hands.banker, hands.player))
            .or_insert(0) += ways;
    }
    let published = [
        (DragonBonus::By(9), 18_409_431_764_992, 15_390_342_909_952),
        (DragonBonus::By(8), 34_097_645_543_424, 28_305_092_784_128),
        (DragonBonus::By(7), 89_590_261_473_280, 79_517_099_278_336),
        (DragonBonus::By(6), 141_238_897_317_888, 119_200_072_366_080),
        (DragonBonus::By(5), 166_169_165_987_840, 157_275_882_332_160),
        (DragonBonus::By(4), 186_780_352_174_080, 201_147_167_287_296),
        (
            DragonBonus::Natural,
            812_685_054_124_032,
            812_685_054_124_032,
        ),
        (
            DragonBonus::NaturalTie,
            89_325_908_267_520,
            89_325_908_267_520,
        ),
    ];
    for (result, player, banker) in published {
        assert_eq!(on_player[&result], player, "{result:?} on the Player");
        assert_eq!(on_banker[&result], banker, "{result:?} on the Banker");
    }
    assert_eq!(on_player.values().sum::<u128>(), DRAWS);
    assert_eq!(on_banker.len(), 9);

    // Published for table A: 2.65% on the Player, 9.37% on the Banker; by these combinations table B
    // makes 2.58% and 8.85%, table C 2.50% and 8.53%. In millionths, by what winning by 4 to 9 pays.
    let edge = |ways: &BTreeMap<DragonBonus, u128>, pays: [i128; 6]| {
        let gain: i128 = ways
            .iter()
            .map(|(result, &ways)| {
                ways as i128
                    * match result {
                        DragonBonus::Natural => 1,
                        DragonBonus::NaturalTie => 0,
                        DragonBonus::By(margin) => pays[usize::from(*margin) - 4],
                        DragonBonus::Lost => -1,
                    }
            })
            .sum();
        -gain * 1_000_000 / DRAWS as i128
    };
    for (pays, player, banker) in [
        ([1, 2, 4, 6, 10, 30], 26_516, 93_730),
        ([1, 3, 4, 7, 8, 20], 25_822, 88_473),
        ([2, 2, 4, 4, 10, 30], 24_996, 85_305),
    ] {
        assert_eq!(edge(&on_player, pays), player);
        assert_eq!(edge(&on_banker, pays), banker);
    }
}

#[test]
fn the_house_edges_of_an_eight_deck_shoe_are_the_published_ones() {
    let (mut player, mut banker, mut tie) = (0i128, 0i128, 0i128);
    let (mut banker_ez, mut banker_tie_charge) = (0i128, 0i128);
    let (mut dragon_7, mut panda_8) = (0i128, 0i128);
    for &(hands, ways) in EIGHT_DECKS.iter() {
        let ways = ways as i128;
        let (p, b) = (hands.player.count(), hands.banker.count());
        // In twentieths of the stake, so that the 5% are whole.
        let banker_wins = 20 * ((b > p) as i128 - (p > b) as i128) * ways;
        player -= banker_wins;
        banker += if b > p { 19 * ways } else { banker_wins };
        banker_ez += if hands.is_dragon_seven() {
            0
        } else {
            banker_wins
        };
        banker_tie_charge += if p == b { -5 * ways } else { banker_wins };
        tie += if p == b { 160 } else { -20 } * ways;
        dragon_7 += if hands.is_dragon_seven() { 800 } else { -20 } * ways;
        panda_8 += if hands.is_panda_eight() { 500 } else { -20 } * ways;
    }
    // Published: Player 1.2351%, Banker 1.0579%, Tie 14.3596%, EZ Banker 1.0183%, Dragon 7 and
    // Fortune 7 7.61%, Panda 8 10.19%. In millionths of the stake.
    let edge = |gain: i128| -gain * 1_000_000 / (20 * DRAWS as i128);
    assert_eq!(edge(player), 12_350);
    assert_eq!(edge(banker), 10_579);
    assert_eq!(edge(tie), 143_596);
    assert_eq!(edge(banker_ez), 10_183);
    assert_eq!(edge(dragon_7), 76_113);
    assert_eq!(edge(panda_8), 101_876);
    // Banker wins less Player wins less a quarter of the ties: 1.2351% - 2.3789%.
    assert_eq!(edge(banker_tie_charge), 11_438);
}

#[test]
fn house_money_meets_as_many_pairs_as_combinatorics_counts() {
    const SHOE: u128 = 416;
    let (mut both, mut one, mut all) = (0u128, 0u128, 0u128);
    let suits = [Suit::Clubs, Suit::Hearts];
    for ranks in 0..13usize.pow(4) {
        let drawn = [0, 1, 2, 3].map(|place| ranks / 13usize.pow(place) % 13);
        let mut left = [32u128; 13];
        let ways: u128 = drawn
            .iter()
            .map(|&rank| {
                left[rank] -= 1;
                left[rank] + 1
            })
            .product();
        let hand = |first: usize, second: usize| {
            Hand::of_two([
                Card::new(Rank::ALL[first], suits[0]),
                Card::new(Rank::ALL[second], suits[1]),
            ])
        };
        match (
            hand(drawn[0], drawn[2]).is_pair(),
            hand(drawn[1], drawn[3]).is_pair(),
        ) {
            (true, true) => both += ways,
            (false, false) => {}
            _ => one += ways,
        }
        all += ways;
    }
    // The first hand pairs with 31 of 415 cards; then the second with the 30 left of that rank or
    // within one of the twelve others.
    let first_pairs = SHOE * 31;
    let both_pair = first_pairs * (30 * 29 + 12 * 32 * 31);
    assert_eq!(all, SHOE * 415 * 414 * 413);
    assert_eq!(both, both_pair);
    assert_eq!(one, 2 * (first_pairs * 414 * 413 - both_pair));
}

//! What the best play of Colorado Hold'em costs, in both versions and of the bonus by itself.
//!
//! Of three cards one is put down, and the community row comes from the 49 that the player has not seen. A
//! player knows nothing else, so that every hand of three has a best choice of its own.

use super::super::rows::{BonusPay, Row, Standing};
use super::super::{ColoradoHoldem, Version};
use crate::Edition::Mgc2017;
use crate::exact::{Outlook, THREES, for_each_set, place};
use crate::floor::{Card, Odds};
use crate::games::shared::stud::exact::rules;
use crate::hands::five::Hand;

/// Community rows of three out of 49 cards.
const ROWS: i64 = 18_424;

/// What the best discard of each hand of three is worth, times [`ROWS`], beside what its declaration is.
fn best_discards(worth: &dyn Fn(Hand) -> i64) -> Vec<(i64, Option<Row>)> {
    let outlook = Outlook::of(worth);
    let mut hands = Vec::new();
    for_each_set(3, &mut |set| {
        let cards: Vec<Card> = set.iter().collect();
        let at: Vec<usize> = cards.iter().map(|card| usize::from(card.index())).collect();
        // Of all hands with the two that are kept, those without the card put down.
        let with_discard = outlook.with_three[place(&at)];
        let kept = [[at[1], at[2]], [at[0], at[2]], [at[0], at[1]]];
        let best = kept.map(|kept| outlook.with_two[place(&kept)]);
        let best = best.into_iter().max().unwrap() - with_discard;
        hands.push((best, Row::instant(&cards)));
    });
    assert_eq!(hands.len() as i64, THREES);
    hands
}

fn whole(odds: Odds) -> i64 {
    assert_eq!(odds.stake(), 1);
    i64::from(odds.win())
}

fn best_of_version(version: Version) -> Vec<(i64, Option<i64>)> {
    let rules = rules::<ColoradoHoldem>(Mgc2017);
    let version = rules.of(version);
    let best = best_discards(&|hand| match Standing::of(hand, &version.pairs) {
        Standing::Wins(row) => whole(version.pays[&row]),
        Standing::Pushes => 0,
        Standing::Loses => -1,
    });
    let hands = best.into_iter();
    hands
        .map(|(play, row)| (play, row.map(|row| whole(version.pays[&row]) * ROWS)))
        .collect()
}

/// A bet doubles what the hand is worth, a fold costs the ante, and the 100 instant winners are all
/// declared. The house keeps 5.52% of the ante.
#[test]
fn the_best_play_of_the_required_version_folds_one_hand_in_thirty_nine() {
    let (mut gain, mut folds, mut declared) = (0, 0, 0);
    for (play, instant) in best_of_version(Version::Required) {
        let (play, fold) = (2 * play, -ROWS);
        let best = play.max(fold).max(instant.unwrap_or(fold));
        gain += best;
        folds += i64::from(best == fold);
        declared += i64::from(instant == Some(best));
    }
    assert_eq!((folds, declared), (568, 100));
    assert_eq!(gain, -22_456_224);
    assert_eq!(-gain * 10_000 / (THREES * ROWS), 551);
}

/// There is no fold, and a hand that is worth something is bet on. The house keeps 2.96% of the ante.
#[test]
fn the_best_play_of_the_permissible_version_bets_on_one_hand_in_six() {
    let (mut gain, mut bets, mut declared) = (0, 0, 0);
    for (play, instant) in best_of_version(Version::Permissible) {
        let best = play.max(2 * play).max(instant.unwrap_or(play));
        gain += best;
        bets += i64::from(best == 2 * play && play > 0);
        declared += i64::from(instant == Some(best));
    }
    assert_eq!((bets, declared), (3_816, 100));
    assert_eq!(gain, -12_036_788);
    assert_eq!(-gain * 10_000 / (THREES * ROWS), 295);
}

/// Played for itself alone, whatever the ante loses by it, the bonus leaves the house 12.76%.
#[test]
fn the_bonus_costs_what_it_says_even_if_all_is_played_for_it() {
    let rules = rules::<ColoradoHoldem>(Mgc2017);
    let pays = |row: Row| match rules.bonus[&row] {
        BonusPay::Push => 0,
        BonusPay::Odds(odds) => whole(odds),
    };
    let best = best_discards(&|hand| Row::of_bonus(hand, rules.bonus_pair).map_or(-1, pays));
    let gain: i64 = best
        .into_iter()
        .map(|(play, row)| play.max(row.map_or(i64::MIN, |row| pays(row) * ROWS)))
        .sum();
    assert_eq!(gain, -51_969_260);
    assert_eq!(-gain * 10_000 / (THREES * ROWS), 1_276);
}

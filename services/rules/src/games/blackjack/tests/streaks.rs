//! What a streak loses: how often a box wins, worked out card by card, and what a simulation saw.

#![allow(
    clippy::float_arithmetic,
    reason = "chances of a shoe without end are no money, and are compared to nine places"
)]

use std::collections::BTreeMap;

use serde_json::json;

use super::{mgc, open};
use crate::floor::Card;
use crate::games::shared::{blackjack::total, testround};
use crate::settlement::Verdict;

/// Streaks with their area, and what they pay to one.
const STREAKS: [(i32, f64); 4] = [(2, 3.0), (3, 7.0), (4, 17.0), (5, 37.0)];

/// Up cards, and cards by their points: an ace is one, a ten stands for all ten-cards.
const CARDS: [(char, usize, f64); 10] = [
    ('A', 1, 1.0 / 13.0),
    ('2', 2, 1.0 / 13.0),
    ('3', 3, 1.0 / 13.0),
    ('4', 4, 1.0 / 13.0),
    ('5', 5, 1.0 / 13.0),
    ('6', 6, 1.0 / 13.0),
    ('7', 7, 1.0 / 13.0),
    ('8', 8, 1.0 / 13.0),
    ('9', 9, 1.0 / 13.0),
    ('T', 10, 4.0 / 13.0),
];
const BLACKJACK: f64 = 2.0 / 13.0 * 4.0 / 13.0;
const BUST: usize = 22;

/// A hand as far as decisions depend on it: its total, and whether an ace counts eleven.
type Total = (usize, bool);

/// By how many hands more are won than lost, and how often.
type Margins = BTreeMap<i32, f64>;

/// How a hand ends by a way to play it: what it wins on average, and how often each total comes out.
#[derive(Clone, Copy)]
struct Course {
    value: f64,
    ends: [f64; BUST + 1],
}

/// A box against one up card, the dealer standing on every 17 and known to have no blackjack.
struct Against {
    dealer: BTreeMap<usize, f64>,
    /// The better of standing and drawing, for each total.
    played: BTreeMap<Total, Course>,
}

fn drawn((points, soft): Total, card: usize) -> Total {
    let (points, soft) = match card {
        1 if points + 11 <= 21 && !soft => (points + 11, true),
        card => (points + card, soft),
    };
    match points {
        0..=21 => (points, soft),
        _ if soft => (points - 10, false),
        _ => (BUST, false),
    }
}

impl Against {
    fn new(up: char) -> Against {
        let mut dealer = BTreeMap::new();
        let hands = testround::dealer_hands(up, false);
        let all: i128 = hands.iter().map(|(_, weight)| weight).sum();
        for (hand, weight) in hands {
            let cards = hand.split_whitespace().map(|card| card.parse().unwrap());
            let points = total(&cards.collect::<Vec<Card>>()).points as usize;
            *dealer.entry(points.min(BUST)).or_default() += weight as f64 / all as f64;
        }
        let mut against = Against {
            dealer,
            played: BTreeMap::new(),
        };
        // A hand before those that one more card makes of it.
        let hard = (11..=21).rev().map(|points| (points, false));
        let soft = (11..=21).rev().map(|points| (points, true));
        let low = (1..=10).rev().map(|points| (points, false));
        for hand in hard.chain(soft).chain(low) {
            let (stood, hit) = (against.stood(hand), || {
                against.drawing(|hand| against.played[&hand], hand)
            });
            let course = if hand.0 == 21 || stood.value >= hit().value {
                stood
            } else {
                hit()
            };
            against.played.insert(hand, course);
        }
        against
    }

    fn stood(&self, (points, _): Total) -> Course {
        let mut ends = [0.0; BUST + 1];
        ends[points] = 1.0;
        let won = |(&dealer, &chance): (&usize, &f64)| chance * f64::from(result(points, dealer));
        Course {
            value: self.dealer.iter().map(won).sum(),
            ends,
        }
    }

    /// One more card, then as `further` says.
    fn drawing(&self, further: impl Fn(Total) -> Course, hand: Total) -> Course {
        let mut sum = Course {
            value: 0.0,
            ends: [0.0; BUST + 1],
        };
        for (_, card, chance) in CARDS {
            let course = match drawn(hand, card) {
                bust @ (BUST, _) => self.stood(bust),
                hand => further(hand),
            };
            sum.value += chance * course.value;
            for (end, share) in sum.ends.iter_mut().zip(course.ends) {
                *end += chance * share;
            }
        }
        sum
    }

    /// The best of standing, drawing and doubling two cards.
    fn two_cards(&self, hand: Total) -> Course {
        let played = self.played[&hand];
        let mut doubled = self.drawing(|hand| self.stood(hand), hand);
        doubled.value *= 2.0;
        if hand.0 < 21 && doubled.value > played.value {
            doubled
        } else {
            played
        }
    }

    /// A hand of a split with its second card; an ace gets no other.
    fn split_hand(&self, card: usize, second: usize) -> Course {
        let hand = drawn(drawn((0, false), card), second);
        match card {
            1 => self.stood(hand),
            _ => self.two_cards(hand),
        }
    }

    /// What a pair wins if it is split, again as often as it may; `None` for without end.
    fn split_value(&self, card: usize, most: Option<usize>) -> f64 {
        fn rest(ended: (f64, f64), again: (f64, f64), open: usize, room: usize) -> f64 {
            let ((value, chance), (paired, pairs)) = (ended, again);
            match (open, room) {
                (0, _) => 0.0,
                (_, 0) => value + paired + rest(ended, again, open - 1, 0),
                _ => {
                    value
                        + chance * rest(ended, again, open - 1, room)
                        + pairs * rest(ended, again, open + 1, room - 1)
                }
            }
        }
        let value = |pairs: bool| {
            let seconds = CARDS
                .iter()
                .filter(|(_, second, _)| (*second == card) == pairs);
            seconds.fold((0.0, 0.0), |(value, sum), &(_, second, chance)| {
                let hand = self.split_hand(card, second).value;
                (value + chance * hand, sum + chance)
            })
        };
        let (ended, again) = (value(false), value(true));
        match most {
            Some(most) => rest(ended, again, 2, most - 2),
            None => 2.0 * ended.0 / (1.0 - 2.0 * again.1),
        }
    }

    /// How often the hands of a split win more than they lose, by their difference, given the
    /// dealer's total.
    fn split_margins(&self, card: usize, most: usize, dealer: usize) -> Margins {
        fn rest(ended: &Margins, again: (&Margins, f64), open: usize, room: usize) -> Margins {
            let mut sum = Margins::new();
            let mut add = |hand: &Margins, others: Margins| {
                for (margin, share) in hand {
                    for (other, theirs) in &others {
                        *sum.entry(margin + other).or_default() += share * theirs;
                    }
                }
            };
            let (paired, pairs) = again;
            match (open, room) {
                (0, _) => return Margins::from([(0, 1.0)]),
                (_, 0) => {
                    add(ended, rest(ended, again, open - 1, 0));
                    add(paired, rest(ended, again, open - 1, 0));
                }
                _ => {
                    add(ended, rest(ended, again, open - 1, room));
                    let split = Margins::from([(0, pairs)]);
                    add(&split, rest(ended, again, open + 1, room - 1));
                }
            }
            sum
        }
        let hands = |pairs: bool| {
            let mut sum = Margins::new();
            for (_, second, chance) in CARDS
                .iter()
                .filter(|(_, second, _)| (*second == card) == pairs)
            {
                for (margin, share) in margins(&self.split_hand(card, *second), dealer) {
                    *sum.entry(margin).or_default() += chance * share;
                }
            }
            sum
        };
        let paired = hands(true);
        let pairs = paired.values().sum();
        rest(&hands(false), (&paired, pairs), 2, most - 2)
    }
}

/// Won 1, lost -1, tied 0.
fn result(points: usize, dealer: usize) -> i32 {
    if points == BUST {
        return -1;
    }
    let dealer = if dealer == BUST { 0 } else { dealer };
    (points > dealer) as i32 - (points < dealer) as i32
}

fn margins(course: &Course, dealer: usize) -> Margins {
    let mut sum = Margins::new();
    for (points, &chance) in course.ends.iter().enumerate() {
        *sum.entry(result(points, dealer)).or_default() += chance;
    }
    sum
}

/// What a box wins on average, how often it wins and how often it loses, played for the most money.
/// Pairs may be split to `most` hands, aces once.
fn a_box(most: Option<usize>) -> (f64, f64, f64) {
    let (mut value, mut wins, mut losses) = (0.0, 0.0, 0.0);
    for (up, points, chance) in CARDS {
        let against = Against::new(up);
        let to_blackjack = match points {
            1 => 4.0 / 13.0,
            10 => 1.0 / 13.0,
            _ => 0.0,
        };
        // 3(b): the dealer's blackjack takes every hand but a blackjack.
        value -= chance * to_blackjack * (1.0 - BLACKJACK);
        losses += chance * to_blackjack * (1.0 - BLACKJACK);
        let played_out = chance * (1.0 - to_blackjack);
        for (_, first, one) in CARDS {
            for (_, second, other) in CARDS {
                let weight = played_out * one * other;
                if first + second == 11 && first.min(second) == 1 {
                    value += weight * 1.5;
                    wins += weight;
                    continue;
                }
                let most = if first == 1 { Some(2) } else { most };
                let whole = against.two_cards(drawn(drawn((0, false), first), second));
                let split = (first == second).then(|| against.split_value(first, most));
                let split = split.filter(|&split| split > whole.value);
                value += weight * split.unwrap_or(whole.value);
                for (&dealer, &chance) in &against.dealer {
                    let margins = match most {
                        Some(most) if split.is_some() => against.split_margins(first, most, dealer),
                        _ => margins(&whole, dealer),
                    };
                    for (margin, share) in margins {
                        wins += weight * chance * if margin > 0 { share } else { 0.0 };
                        losses += weight * chance * if margin < 0 { share } else { 0.0 };
                    }
                }
            }
        }
    }
    (value, wins, losses)
}

/// What a streak is worth to the house in hundredths of a percent, with this share of decided boxes won.
fn edges(won: f64) -> [i64; 4] {
    STREAKS.map(|(wins, pays)| ((1.0 - (pays + 1.0) * won.powi(wins)) * 10_000.0).round() as i64)
}

#[test]
fn streaks_lose_what_a_box_wins_too_seldom() {
    // A shoe without end, every 17 stood on, doubles on any two cards and after splits. Where pairs
    // are split again without end and aces once, the house is published to win 0.5093975%.
    let (value, ..) = a_box(None);
    assert_eq!((value * 1e9).round() as i64, -5_093_975);
    // With four hands at most a box wins 47.4535% of what is decided. Six decks, whose split hands
    // and dealer depend on each other's cards, are left to the simulation below.
    let (value, wins, losses) = a_box(Some(4));
    assert_eq!((value * 1e9).round() as i64, -5_117_336);
    let won = wins / (wins + losses);
    assert_eq!((won * 1e6).round() as i64, 474_535);
    assert_eq!(edges(won), [993, 1_451, 873, 856]);
}

#[test]
fn streaks_lose_the_published_shares() {
    // Six decks, every 17 stood on, up to four hands, aces once: of 1,702,841 thousand boxes with a
    // winner a simulation that is published saw 809,004 thousand won. Six decks give the player a
    // little more than a shoe without end.
    let won = 809_004.0 / 1_702_841.0;
    assert_eq!(edges(won), [972, 1_421, 830, 803]);
}

#[test]
fn a_streak_counts_the_majority_of_the_hands_of_a_box() {
    // Ten-cards split into hands of 20, 19 and 18 against 19.
    let table = open();
    for (streak, pays) in STREAKS {
        for hands in 1..=4_usize {
            for results in 0..3_usize.pow(hands as u32) {
                let result = |hand: usize| results / 3_usize.pow(hand as u32) % 3;
                let mut steps = vec![];
                let mut wagers = format!(
                    "w1 s1 streak_{streak} 100 wins_before={}; w2 s1 main 1000",
                    streak - 1
                );
                for hand in 2..=hands {
                    wagers += &format!("; x{hand} s1 split 1000 on=w2 hand={hand}");
                    steps.push(format!("1 split {hand}"));
                    if hand < hands {
                        steps.push("1 deal KD".to_owned());
                    }
                }
                let second = |hand: usize| ["KH", "9H", "8H"][result(hand - 1)];
                if hands > 1 {
                    // The hand split off last lies next to the first.
                    let order = std::iter::once(1).chain((2..=hands).rev());
                    steps.extend(order.flat_map(|hand| {
                        [
                            format!("{hand} deal {}", second(hand)),
                            format!("{hand} stand"),
                        ]
                    }));
                } else {
                    steps.push("1 stand".to_owned());
                }
                let first = if hands > 1 { "KS" } else { second(1) };
                let options = json!({"side_bets": ["streak"], "max_split_hands": 4});
                let boxes = format!("s1 KC {first}: {}", steps.join(", "));
                let round = mgc(options, &wagers, &boxes, "9C KD");
                let count = |kind| (0..hands).filter(|&hand| result(hand) == kind).count();
                let paid = 100 * (1 + pays as i64);
                let expected = match count(0).cmp(&count(2)) {
                    std::cmp::Ordering::Greater => (Verdict::Win, paid),
                    std::cmp::Ordering::Equal => (Verdict::Open, 0),
                    std::cmp::Ordering::Less => (Verdict::Lose, 0),
                };
                let settlement = table.settle(&round);
                let wager = &settlement.wagers()[0];
                assert_eq!((wager.result, wager.returned.get()), expected, "{round}");
                assert_eq!(settlement.violations().iter().next(), None, "{round}");
            }
        }
    }
}

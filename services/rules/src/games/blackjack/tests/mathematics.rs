//! Exact house edges of the side wagers, by weighing every deal with the settlement itself.

use serde_json::{Value, json};

use super::super::sides::trilux_hand;
use super::{mgc, ohio, open};
use crate::floor::Card;
use crate::games::shared::testround;
use crate::hands::three::Category;

/// Kinds of cards and how many of each a shoe has.
type Shoe = Vec<(&'static str, i128)>;

/// Adds up what the first wager gains in every ordered deal of `N` kinds, weighed by the number of
/// ways to deal it. In millionths of the stake lost, as house edges are published.
fn edge<const N: usize>(shoe: &Shoe, round: impl Fn([&str; N]) -> Value) -> i128 {
    let table = open();
    let total: i128 = shoe.iter().map(|(_, count)| count).sum();
    let ways: i128 = (0..N as i128).map(|drawn| total - drawn).product();
    let (mut gained, mut stake, mut seen) = (0, 0, 0);
    let deals = shoe.len().pow(N as u32);
    for deal in 0..deals {
        let mut left = shoe.clone();
        let mut weight = 1;
        let mut rest = deal;
        let cards = [(); N].map(|()| {
            let (card, count) = &mut left[rest % shoe.len()];
            rest /= shoe.len();
            weight *= *count;
            *count -= 1;
            *card
        });
        if weight == 0 {
            continue;
        }
        let document = round(cards);
        let settlement = table.settle(&document);
        stake = i128::from(document["wagers"][0]["amount"].as_i64().unwrap());
        gained += weight * (i128::from(settlement.wagers()[0].returned.get()) - stake);
        seen += weight;
    }
    assert_eq!(seen, ways, "every deal was weighed");
    -gained * 1_000_000 / (ways * stake)
}

/// All 52 cards, each as often as there are decks.
fn every_card(decks: i128) -> Shoe {
    let cards = Card::deck().map(|card| (&*card.to_string().leak(), decks));
    cards.collect()
}

fn offer(name: &str, decks: i128, more: Value) -> Value {
    let mut options = json!({"side_bets": [name], "decks": decks as i64});
    for (key, value) in more.as_object().unwrap() {
        options[key] = value.clone();
    }
    options
}

fn side(kind: &str, stake: i64) -> String {
    format!("w1 s1 {kind} {stake}; w2 s1 main 100000")
}

#[test]
fn the_royal_match_has_the_published_edges() {
    // 6.67% with six decks at 25:1 and 5:2; 3.77% with one deck at 10:1 and 3:1; 10.86% with one
    // deck at 25:1 and 5:2.
    for (decks, option, published) in [(6, 2, 66_658), (1, 2, 37_707), (1, 4, 108_597)] {
        let options = offer("royal_match", decks, json!({"royal_match_option": option}));
        // Only suits, kings and queens count; a two stands for the eleven other ranks of its suit.
        let shoe: Shoe = ["C", "D", "H", "S"]
            .iter()
            .flat_map(|suit| {
                [("K", 1), ("Q", 1), ("2", 11)]
                    .map(|(rank, ranks)| (&*format!("{rank}{suit}").leak(), ranks * decks))
            })
            .collect();
        let edge = edge(&shoe, |[a, b]: [&str; 2]| {
            let boxes = format!("s1 {a} {b}: stand");
            mgc(options.clone(), &side("royal_match", 100), &boxes, "9C 9D")
        });
        assert_eq!(edge, published, "{decks} decks, option {option}");
    }
}

#[test]
fn over_and_under_13_have_the_published_edges() {
    // Six decks: 6.55% over, 10.07% under.
    let shoe: Shoe = "AC 2C 3C 4C 5C 6C 7C 8C 9C"
        .split_whitespace()
        .map(|card| (card, 24))
        .chain([("KC", 96)])
        .collect();
    for (kind, published) in [("over_13", 65_545), ("under_13", 100_667)] {
        let edge = edge(&shoe, |[a, b]: [&str; 2]| {
            let boxes = format!("s1 {a} {b}: stand");
            mgc(
                offer("over_under_13", 6, json!({})),
                &side(kind, 100),
                &boxes,
                "9C 9D",
            )
        });
        assert_eq!(edge, published, "{kind}");
    }
}

#[test]
fn super_sevens_have_the_published_edge() {
    // Six decks, a third card drawn on every two sevens: 11.40%.
    let shoe = vec![("7C", 6), ("7D", 6), ("7H", 6), ("7S", 6), ("2C", 288)];
    let edge = edge(&shoe, |[a, b, c]: [&str; 3]| {
        let boxes = format!("s1 {a} {b}: hit {c}, stand");
        mgc(
            offer("super_sevens", 6, json!({})),
            &side("super_sevens", 100),
            &boxes,
            "9C 9D",
        )
    });
    assert_eq!(edge, 114_000);
}

#[test]
fn match_the_dealer_has_the_published_edge() {
    // Six decks: 4.06%. The up card is a nine of clubs.
    let shoe = vec![("9C", 5), ("9H", 18), ("KC", 288)];
    let edge = edge(&shoe, |[a, b]: [&str; 2]| {
        let boxes = format!("s1 {a} {b}: stand");
        mgc(
            offer("match_the_dealer", 6, json!({})),
            &side("match_the_dealer", 100),
            &boxes,
            "9C 9D",
        )
    });
    assert_eq!(edge, 40_618);
}

#[test]
fn the_twenty_point_bonus_has_the_published_edges() {
    // Lucky Ladies with six decks: 24.71% by table A, 17.64% by table B. The dealer's blackjack
    // matters to two queens of hearts alone.
    for (choice, published) in [("A", 247_089), ("B", 176_390)] {
        let options = offer(
            "twenty_point_bonus",
            6,
            json!({"twenty_point_table": choice}),
        );
        let round = |cards: &str, dealer: &str| {
            let boxes = format!("s1 {cards}: stand");
            mgc(
                options.clone(),
                &side("twenty_point_bonus", 100),
                &boxes,
                dealer,
            )
        };
        let table = open();
        let gain = |cards: &str, dealer: &str| {
            i128::from(
                table.settle(&round(cards, dealer)).wagers()[0]
                    .returned
                    .get(),
            ) - 100
        };
        // Ways to deal two cards to the player and two to the dealer.
        let to_dealer = 310 * 309;
        let (mut gained, mut ways) = (0, 0);
        // No card from the two to the eight is part of twenty points: a two stands for all of them.
        let makes_twenty = |card: &(&str, i128)| "9TJQKA".contains(&card.0[..1]);
        let mut shoe = every_card(6);
        shoe.retain(makes_twenty);
        shoe.push(("2C", 7 * 4 * 6));
        for &(first, count) in &shoe {
            for &(second, other) in &shoe {
                let cards = format!("{first} {second}");
                let dealt = count * (other - i128::from(first == second));
                ways += dealt * to_dealer;
                gained += dealt
                    * match &*cards {
                        "QH QH" => {
                            let blackjacks = 2 * 24 * 94;
                            blackjacks * gain(&cards, "KC AD")
                                + (to_dealer - blackjacks) * gain(&cards, "9C 9D")
                        }
                        _ => to_dealer * gain(&cards, "9C 9D"),
                    };
            }
        }
        assert_eq!(ways, 312 * 311 * to_dealer);
        assert_eq!(
            -gained * 1_000_000 / (ways * 100),
            published,
            "table {choice}"
        );
    }
}

#[test]
fn bet_the_set_loses_33_of_311_with_six_decks() {
    let edge = edge(&every_card(6), |[a, b]: [&str; 2]| {
        let boxes = format!("s1 {a} {b}: stand");
        ohio(
            offer("bet_the_set", 6, json!({})),
            &side("bet_the_set", 100),
            &boxes,
            "9C 9D",
        )
    });
    // 18 unsuited partners at 10:1, 5 suited at 15:1, 288 lose.
    assert_eq!(edge, (288 - 18 * 10 - 5 * 15) * 1_000_000 / 311);
}

#[test]
fn insurance_loses_23_of_311_with_six_decks() {
    // 96 ten-cards and 215 others beside the ace.
    let shoe = vec![("KC", 96), ("9C", 215)];
    let edge = edge(&shoe, |[hole]: [&str; 1]| {
        let wagers = "w1 s1 insurance 100 on=w2; w2 s1 main 1000";
        mgc(json!({}), wagers, "s1 KD 9D: stand", &format!("AC {hole}"))
    });
    assert_eq!(edge, 73_954);
}

#[test]
fn three_cards_of_six_decks_make_the_published_numbers_of_trilux_hands() {
    let deck: Vec<Card> = Card::deck().collect();
    let mut ways = [0u64; 4];
    for &a in &deck {
        for &b in &deck {
            for &up in &deck {
                let row = match trilux_hand(&[a, b], Some(up)) {
                    Some(Category::StraightFlush) => 0,
                    Some(Category::ThreeOfAKind) => 1,
                    Some(Category::Straight) => 2,
                    Some(Category::Flush) => 3,
                    _ => continue,
                };
                let same = |x: Card, y: Card| u64::from(x == y);
                ways[row] += 6 * (6 - same(a, b)) * (6 - same(a, up) - same(b, up));
            }
        }
    }
    // Of 5,013,320 hands without order.
    assert_eq!(
        ways.map(|ordered| ordered / 6),
        [10_368, 26_312, 155_520, 292_896]
    );
}

#[test]
fn the_optional_bonus_has_the_published_edges() {
    // Bust It: 7.568% with two decks, 6.912% with six. The colours of eights alone matter.
    for (decks, published) in [(2, 75_678), (6, 69_115)] {
        let others = "AC 2C 3C 4C 5C 6C 7C 9C".split_whitespace();
        let shoe: Shoe = others
            .map(|card| (card, 4 * decks))
            .chain(["8C", "8D", "8H", "8S"].map(|card| (card, decks)))
            .chain([("KC", 16 * decks)])
            .collect();
        let edge = edge(&shoe, |[up, second, third]: [&str; 3]| {
            let dealer = format!("{up} {second} {third}");
            mgc(
                offer("optional_bonus", decks, json!({})),
                &side("optional_bonus", 100),
                "s1 KD 9D: stand",
                &dealer,
            )
        });
        assert_eq!(edge, published, "{decks} decks");
    }
}

#[test]
fn blazing_sevens_lose_what_their_hands_are_short_of() {
    // Six decks and a meter of $10,000: of 30,079,920 deals 480 take all of it, 2,160 a tenth,
    // 9,504 are three other sevens, 158,976 two and 4,285,440 one.
    let shoe = vec![("7C", 6), ("7D", 6), ("7H", 6), ("7S", 6), ("2C", 288)];
    let edge = edge(&shoe, |[a, b, up]: [&str; 3]| {
        let round = ohio(
            offer("blazing_sevens", 6, json!({})),
            &side("blazing_sevens", 500),
            &format!("s1 {a} {b}: stand"),
            &format!("{up} KC"),
        );
        with_meter(round)
    });
    let paid = 480 * 1_000_000
        + 2_160 * 100_000
        + 9_504 * 100_000
        + 158_976 * 12_500
        + 4_285_440 * 1_000_i128;
    let staked = 30_079_920 * 500;
    assert_eq!(edge, (staked - paid) * 1_000_000 / staked);
}

#[test]
fn a_progressive_wager_loses_what_its_aces_are_short_of() {
    // Six decks and a meter of $10,000, in 9,294,695,280 deals of four cards in order: 23,760 of four
    // aces of one colour, 144,000 of three of one suit first, 3,584,736 of three other aces first,
    // 10,679,040 of two of one suit and 38,444,544 of two others.
    let shoe = vec![("AC", 6), ("AD", 6), ("AH", 6), ("AS", 6), ("2C", 288)];
    let edge = edge(&shoe, |[a, b, c, d]: [&str; 4]| {
        let round = mgc(
            offer("progressive", 6, json!({})),
            &side("progressive", 100),
            &format!("s1 {a} {b}: hit {c}, hit {d}, stand"),
            "9C 9D",
        );
        with_meter(round)
    });
    let paid = 23_760 * 1_000_000
        + 144_000 * 250_000
        + 3_584_736 * 25_000
        + 10_679_040 * 10_000
        + 38_444_544 * 2_500_i128;
    let staked = 9_294_695_280 * 100;
    assert_eq!(edge, (staked - paid) * 1_000_000 / staked);
}

/// The meter shows $10,000.
fn with_meter(mut round: Value) -> Value {
    round["play"]["meters"] = json!({"progressive": 1_000_000});
    round
}

#[test]
fn kings_bounty_pays_every_twenty_by_its_row() {
    // Six decks, two cards in order: 30 deals of two kings of spades, 90 of other suited kings, 360 of
    // suited pairs below, 2,016 of other suited twenties, 432 of mixed kings, 7,344 of the rest, and
    // 86,760 of no twenty. The dealer's blackjack is worth 500 to 1 to the first alone.
    let mut shoe = every_card(6);
    shoe.retain(|(card, _)| "9TJQKA".contains(&card[..1]));
    shoe.push(("2C", 7 * 4 * 6));
    for (dealer, of_spades) in [("9C 9D", 75), ("AC KD", 500)] {
        let edge = edge(&shoe, |[a, b]: [&str; 2]| {
            ohio(
                offer("kings_bounty", 6, json!({})),
                &side("kings_bounty", 100),
                &format!("s1 {a} {b}: stand"),
                dealer,
            )
        });
        let won = 30 * of_spades + 90 * 20 + 360 * 15 + 2_016 * 7 + 432 * 5 + 7_344 * 4_i128;
        assert_eq!(edge, (86_760 - won) * 1_000_000 / 97_032, "{dealer}");
    }
}

#[test]
fn a_stiff_hand_that_stands_loses_the_published_share_against_every_up_card() {
    // Of a shoe without end, the dealer standing on every 17 and known to have no blackjack.
    let table = open();
    for (up, published) in [
        ('6', 153_699),
        ('7', 475_375),
        ('8', 510_518),
        ('9', 543_150),
        ('T', 540_430),
        ('A', 666_951),
    ] {
        let (mut lost, mut ways) = (0, 0);
        for (dealer, weight) in testround::dealer_hands(up, false) {
            let round = mgc(json!({}), "w1 s1 main 1", "s1 KD 2D: stand", &dealer);
            lost += weight * (1 - i128::from(table.settle(&round).wagers()[0].returned.get()));
            ways += weight;
        }
        let rounded = (lost * 2_000_000 / ways + 1) / 2;
        assert_eq!(rounded, published, "against {up}");
    }
}

#[test]
fn a_crown_treasure_comes_once_in_the_published_number_of_deals() {
    // Six decks: one deal in 121,328, which is 76,608 of 9,294,695,280 in order. The rest of the royal
    // match at 25:1 and 5:2 loses 6.67%.
    let table = open();
    let suits = ["C", "D", "H", "S"];
    let shoe: Shoe = suits
        .iter()
        .flat_map(|suit| {
            [("K", 6), ("Q", 6), ("2", 66)]
                .map(|(rank, count)| (&*format!("{rank}{suit}").leak(), count))
        })
        .collect();
    let left = |dealt: &[&str], card: &str, count: i128| {
        count - dealt.iter().filter(|&&known| known == card).count() as i128
    };
    let (mut treasures, mut gained, mut ways) = (0, 0, 0);
    let mut weigh = |cards: &str, dealer: &str, weight: i128| {
        let wagers = side("royal_match", 100);
        let options = offer("royal_match", 6, json!({}));
        let round = ohio(options, &wagers, &format!("s1 {cards}: stand"), dealer);
        let returned = table.settle(&round).wagers()[0].returned.get();
        treasures += weight * i128::from(returned > 100_000);
        gained += weight * i128::from(returned - 100);
        ways += weight;
    };
    for &(a, first) in &shoe {
        for &(b, second) in &shoe {
            let dealt = first * left(&[a], b, second);
            let is_royal = a[1..] == b[1..] && a[..1] != b[..1] && !format!("{a}{b}").contains('2');
            if !is_royal {
                weigh(&format!("{a} {b}"), "9C 9D", dealt * 310 * 309);
                continue;
            }
            for &(up, third) in &shoe {
                for &(hole, fourth) in &shoe {
                    let third = left(&[a, b], up, third);
                    let weight = dealt * third * left(&[a, b, up], hole, fourth);
                    weigh(&format!("{a} {b}"), &format!("{up} {hole}"), weight);
                }
            }
        }
    }
    assert_eq!((treasures, ways), (76_608, 312 * 311 * 310 * 309));
    assert_eq!((ways + treasures / 2) / treasures, 121_328);
    let without = ways * 100 * 3_234 / 48_516;
    assert_eq!(-gained, without - 76_608 * 100_000);
}

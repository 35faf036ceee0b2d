//! Fast Action Hold'em: every cell, refusal and violation, and the seventeen ranks counted over six
//! decks.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::FastActionHoldem;
use super::house_ways::{self, Set};
use super::ranking::{self, Category, Hand};
use crate::Edition::Mgc2017;
use crate::floor::Card;
use crate::games::shared::flawed::{self, cards};
use crate::settlement::Verdict;
use crate::testkit::TestTable;

fn open() -> TestTable<FastActionHoldem> {
    TestTable::open()
}

/// A lawful round at seat 4: queens, split from sevens, against the dealer's jacks.
fn lawful() -> Value {
    open().document(
        Mgc2017,
        json!({}),
        json!([
            {"id": "m", "seat": 4, "kind": "main", "amount": 1000, "patron": "ann"},
            {"id": "s", "seat": 4, "kind": "split", "amount": 1000, "on": "m", "patron": "ann"},
        ]),
        json!({"dealer": {"cards": cards("JS JD 8H 3C"), "set": cards("JD JS")},
               "board": cards("AC TD 6S 4H 2C"),
               "hands": [{"seat": 4, "cards": cards("QS QD 7H 7C"), "action": "split",
                          "sets": [cards("QS QD"), cards("7H 7C")]}]}),
    )
}

/// The lawful round without the split.
fn set_round() -> Value {
    let document = flawed::removed(lawful(), "/wagers/1");
    flawed::changed(
        document,
        &[
            ("/play/hands/0/action", json!("set")),
            ("/play/hands/0/sets", json!([cards("QS QD")])),
        ],
    )
}

fn changed(changes: &[(&str, Value)]) -> Value {
    flawed::changed(lawful(), changes)
}

fn set_changed(changes: &[(&str, Value)]) -> Value {
    flawed::changed(set_round(), changes)
}

fn verdicts(document: &Value) -> Vec<Verdict> {
    open()
        .settle(document)
        .wagers()
        .iter()
        .map(|w| w.result)
        .collect()
}

#[test]
fn every_cell_of_the_pay_table_pays_what_is_filed() {
    open().assert_cells(include_str!("cells.txt"), |cell| match cell.row {
        "natural" => set_changed(&[
            ("/play/hands/0/cards", cards("TC TC TH TD")),
            ("/play/hands/0/action", json!("natural")),
        ]),
        _ => lawful(),
    });
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let table = open();
    let cases = [
        (
            changed(&[("/options/decks", json!(-1))]),
            "options.decks: -1 cannot be read; write a whole number from 0 to 255 (mgc-2017)",
        ),
        (
            changed(&[("/options/shuffler", json!("automated_counting"))]),
            "options.shuffler: \"automated_counting\" cannot be read",
        ),
        (
            changed(&[("/play/irregularities", json!([{"code": "misdeal"}]))]),
            "play.irregularities[0].code: \"misdeal\" is not a known word here",
        ),
        (
            changed(&[(
                "/play/irregularities",
                json!([{"code": "card_count", "seat": 4, "dealt": 3, "resolution": "maybe"}]),
            )]),
            "play.irregularities[0].resolution: \"maybe\" is not a known word here",
        ),
        (
            changed(&[("/play/dealer", cards("JS JD 8H 3C"))]),
            "play.dealer",
        ),
        (
            changed(&[("/play/dealer/kept", json!([]))]),
            "play.dealer.kept: \"kept\" is not a known key here",
        ),
        (
            changed(&[("/play/hands/-", json!({"seat": 4}))]),
            "play.hands[1].seat: seat 4 has two hands",
        ),
        (
            changed(&[("/wagers/0/amount", json!(0))]),
            "wagers[0].amount: a stake is at least a cent",
        ),
        (
            changed(&[("/edition", json!("oh-jack-2017"))]),
            "edition: \"oh-jack-2017\" is not an edition of fast_action_holdem",
        ),
    ];
    for (document, expected) in cases {
        let refusal = table.refusal(&document);
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
}

/// Each line is a change of a lawful round, which has no violation.
#[test]
fn every_violation_is_raised_by_a_round_that_has_its_fault() {
    let wager = |kind: &str| json!({"id": "x", "seat": 4, "kind": kind, "amount": 1000});
    let natural = [("/play/dealer", json!({"cards": cards("8S 8D 8H 8S")}))];
    let cases: Vec<(Value, &[&str])> = vec![
        (lawful(), &[]),
        (set_round(), &[]),
        (
            changed(&[("/wagers/1/amount", json!(500))]),
            &["fast_action.split_not_equal"],
        ),
        (
            changed(&[("/wagers/1/on", json!("s"))]),
            &["wager.bad_reference"],
        ),
        (
            flawed::removed(lawful(), "/wagers/1/on"),
            &["wager.bad_reference"],
        ),
        (
            flawed::removed(lawful(), "/wagers/0"),
            &["deal.hand_without_wager", "fast_action.split_without_main"],
        ),
        (
            flawed::removed(lawful(), "/wagers/1"),
            &["fast_action.split_mismatch"],
        ),
        (
            set_changed(&[(
                "/wagers/-",
                json!({"id": "s", "seat": 4, "kind": "split", "amount": 1000, "on": "m"}),
            )]),
            &["fast_action.split_mismatch"],
        ),
        (
            changed(&[
                ("/play/hands/0/cards/-", json!("2D")),
                (
                    "/play/irregularities",
                    json!([{"code": "card_count", "seat": 4, "dealt": 5}]),
                ),
            ]),
            &["fast_action.split_with_extra_cards"],
        ),
        (
            set_changed(&[
                ("/play/hands/0/cards/-", json!("2D")),
                (
                    "/play/irregularities",
                    json!([{"code": "card_count", "seat": 4, "dealt": 5}]),
                ),
            ]),
            &[],
        ),
        (
            set_changed(&[("/play/hands/0/cards/-", json!("2D"))]),
            &["deal.card_count"],
        ),
        (
            changed(&[("/play/hands/0/sets/1", cards("7H"))]),
            &["fast_action.bad_set"],
        ),
        (
            changed(&[("/play/hands/0/sets/1", cards("7H QD"))]),
            &["fast_action.bad_set"],
        ),
        (
            changed(&[("/play/hands/0/sets/1", cards("7H 7H"))]),
            &["fast_action.bad_set"],
        ),
        (
            changed(&[("/play/hands/0/sets/1", cards("7H JK"))]),
            &["fast_action.bad_set"],
        ),
        (
            changed(&[("/play/hands/0/sets", json!([cards("QS QD")]))]),
            &["fast_action.bad_set"],
        ),
        (
            set_changed(&[("/play/hands/0/sets/-", cards("7H 7C"))]),
            &["fast_action.bad_set"],
        ),
        (
            flawed::removed(set_round(), "/play/hands/0/sets"),
            &["fast_action.bad_set"],
        ),
        (
            set_changed(&[("/play/hands/0/action", json!("pending"))]),
            &["fast_action.no_decision"],
        ),
        (
            set_changed(&[("/play/hands/0/action", json!("raise"))]),
            &["fast_action.no_decision"],
        ),
        (
            flawed::removed(set_round(), "/play/hands/0/action"),
            &["fast_action.no_decision"],
        ),
        (
            set_changed(&[("/play/hands/0/action", json!("surrender"))]),
            &[],
        ),
        (
            changed(&[("/play/dealer/set", cards("JS 8H"))]),
            &["fast_action.house_way"],
        ),
        (
            changed(&[("/play/dealer/set", json!([]))]),
            &["fast_action.house_way"],
        ),
        (
            changed(&[("/play/dealer/set", cards("JS JD 8H"))]),
            &["fast_action.house_way"],
        ),
        (
            changed(&[("/play/dealer/set", cards("JS JH"))]),
            &["fast_action.house_way"],
        ),
        (flawed::removed(lawful(), "/play/dealer/set"), &[]),
        (
            changed(&natural),
            &["fast_action.board_after_dealer_natural"],
        ),
        (
            changed(&[natural[0].clone(), ("/play/board", json!([]))]),
            &[],
        ),
        (
            set_changed(&[
                ("/play/hands/0/cards", cards("TC TC TH TD")),
                ("/play/hands/0/sets/0", cards("TC TD")),
            ]),
            &["fast_action.natural_unannounced"],
        ),
        (
            set_changed(&[("/play/hands/0/action", json!("natural"))]),
            &["fast_action.natural_false"],
        ),
        (
            flawed::removed(
                set_changed(&[("/play/hands/0/action", json!("natural"))]),
                "/play/hands/0/sets",
            ),
            &["fast_action.bad_set", "fast_action.natural_false"],
        ),
        (
            changed(&[("/wagers/-", wager("ante"))]),
            &["wager.not_offered"],
        ),
        (
            changed(&[("/wagers/-", wager("split"))]),
            &["wager.duplicate_kind"],
        ),
        (
            changed(&[("/options/min_main", json!(1001))]),
            &["wager.under_min"],
        ),
        (
            changed(&[("/options/max_main", json!(999))]),
            &["wager.over_max"],
        ),
        (
            changed(&[
                ("/options/min_main", json!(500)),
                ("/options/max_main", json!(4_999)),
            ]),
            &["option.limits"],
        ),
        (
            changed(&[
                ("/options/min_main", json!(500)),
                ("/options/max_main", json!(5_000)),
            ]),
            &[],
        ),
        (
            changed(&[
                ("/options/min_main", json!(10_000)),
                ("/options/max_main", json!(99_999)),
                ("/wagers/0/amount", json!(10_000)),
                ("/wagers/1/amount", json!(10_000)),
            ]),
            &["option.limits"],
        ),
        (
            changed(&[
                ("/options/min_main", json!(10_001)),
                ("/options/max_main", json!(20_000)),
                ("/wagers/0/amount", json!(20_000)),
                ("/wagers/1/amount", json!(20_000)),
            ]),
            &[],
        ),
        (
            changed(&[
                (
                    "/wagers/-",
                    json!({"id": "x", "seat": 5, "kind": "main", "amount": 1000, "patron": "ann"}),
                ),
                (
                    "/play/hands/-",
                    json!({"seat": 5, "cards": cards("2S 5D 9H KC"), "action": "surrender"}),
                ),
            ]),
            &["wager.multi_position"],
        ),
        (
            changed(&[("/options/decks", json!(7))]),
            &["deck.illegal_count"],
        ),
        (changed(&[("/options/decks", json!(8))]), &[]),
        (
            changed(&[
                ("/options/decks", json!(8)),
                ("/options/shuffler", json!("continuous")),
            ]),
            &[],
        ),
        (
            changed(&[
                ("/options/decks", json!(7)),
                ("/options/shuffler", json!("continuous")),
            ]),
            &["deck.illegal_count"],
        ),
        (
            changed(&[
                ("/options/decks", json!(7)),
                ("/options/shuffler", json!("automated")),
            ]),
            &[],
        ),
        (
            changed(&[
                ("/options/decks", json!(5)),
                ("/options/shuffler", json!("automated")),
            ]),
            &["deck.illegal_count"],
        ),
        (
            set_changed(&[
                ("/play/board", cards("QS QS QS QS QS")),
                ("/play/dealer/cards/3", json!("QS")),
            ]),
            &["deck.duplicate_card"],
        ),
        (
            set_changed(&[("/play/board", cards("QS QS QS QS QS"))]),
            &[],
        ),
        (
            changed(&[("/play/board/0", json!("JK"))]),
            &["deck.foreign_card"],
        ),
        (
            changed(&[("/play/dealer/cards/-", json!("2D"))]),
            &["deal.card_count"],
        ),
        (
            changed(&[("/play/board", cards("AC TD 6S 4H"))]),
            &["deal.card_count"],
        ),
        (changed(&[("/play/board", json!([]))]), &["deal.card_count"]),
        (
            set_changed(&[
                ("/play/hands/0/action", json!("surrender")),
                ("/play/board", json!([])),
            ]),
            &[],
        ),
        (
            set_changed(&[
                ("/play/hands/0/action", json!("surrender")),
                ("/play/board", cards("AC TD 6S")),
            ]),
            &["deal.card_count"],
        ),
        (
            flawed::removed(lawful(), "/play/hands/0"),
            &["deal.card_count"],
        ),
        (
            set_changed(&[("/play/hands/0/cards", cards("QS QD 7H"))]),
            &["deal.card_count"],
        ),
        (
            changed(&[(
                "/play/hands/-",
                json!({"seat": 5, "cards": cards("2S 5D 9H KC")}),
            )]),
            &["deal.hand_without_wager"],
        ),
        (
            changed(&[(
                "/play/hands/-",
                json!({"seat": 10, "cards": cards("2S 5D 9H KC")}),
            )]),
            &["deal.hand_without_wager", "wager.bad_position"],
        ),
    ];
    let table = open();
    for (document, expected) in cases {
        assert_eq!(table.violations(&document), expected, "{document}");
    }
}

#[test]
fn irregularities_void_the_round_or_a_seat_as_the_rules_say() {
    use Verdict::{Void, Win};
    let two_seats = |irregularities: Value| {
        verdicts(&set_changed(&[
            (
                "/wagers/-",
                json!({"id": "x", "seat": 5, "kind": "main", "amount": 1000}),
            ),
            (
                "/play/hands/-",
                json!({"seat": 5, "cards": cards("KS KD 3C 2D"), "action": "set",
                                     "sets": [cards("KS KD")]}),
            ),
            ("/play/irregularities", irregularities),
        ]))
    };
    let cases = [
        (json!([{"code": "face_up_card", "count": 5}]), [Win, Win]),
        (
            json!([{"code": "card_drawn_in_error"}, {"code": "player_card_exposed", "seat": 4}]),
            [Win, Win],
        ),
        (
            json!([{"code": "marker_not_moved"}, {"code": "shuffler_failure"}]),
            [Win, Win],
        ),
        (
            json!([{"code": "card_count", "area": "dealer", "dealt": 3}]),
            [Win, Win],
        ),
        (
            json!([{"code": "card_count", "area": "dealer", "dealt": 5}]),
            [Void, Void],
        ),
        (
            json!([{"code": "card_count", "seat": 5, "dealt": 3, "resolution": "completed"}]),
            [Win, Win],
        ),
        (
            json!([{"code": "card_count", "seat": 5, "dealt": 3, "resolution": "void"}]),
            [Win, Void],
        ),
        (
            json!([{"code": "card_count", "seat": 5, "dealt": 5}]),
            [Win, Win],
        ),
        (json!([{"code": "insufficient_cards"}]), [Void, Void]),
        (json!([{"code": "no_cards", "seat": 4}]), [Void, Win]),
    ];
    for (irregularities, expected) in cases {
        assert_eq!(
            two_seats(irregularities.clone()),
            expected,
            "{irregularities}"
        );
    }
}

#[test]
fn a_natural_of_the_first_four_cards_is_paid_whatever_comes_after() {
    let table = open();
    let mut document = set_changed(&[
        ("/play/hands/0/cards", cards("TC TC TH TD 2S")),
        ("/play/hands/0/action", json!("natural")),
        (
            "/play/irregularities",
            json!([{"code": "card_count", "seat": 4, "dealt": 5}]),
        ),
    ]);
    assert_eq!(table.wager(&document, "m").win.get(), 5000);
    assert_eq!(table.violations(&document), [""; 0]);
    // A fifth card does not make one.
    document["play"]["hands"][0]["cards"] = cards("TC TC TH 2S TD");
    document["play"]["hands"][0]["sets"] = json!([cards("TC TD")]);
    assert_eq!(table.violations(&document), ["fast_action.natural_false"]);
    assert_eq!(table.wager(&document, "m").win.get(), 1000);
}

#[test]
fn a_surrender_gives_half_back_and_the_house_keeps_the_odd_cent() {
    let document = set_changed(&[
        ("/wagers/0/amount", json!(1001)),
        ("/play/hands/0/action", json!("surrender")),
    ]);
    let main = open().wager(&document, "m");
    assert_eq!((main.result, main.returned.get()), (Verdict::Lose, 500));
}

#[test]
fn a_split_without_its_wager_plays_the_first_set_only() {
    use Verdict::{Lose, Push, Void, Win};
    assert_eq!(verdicts(&lawful()), [Win, Lose]);
    assert_eq!(verdicts(&flawed::removed(lawful(), "/wagers/1")), [Win]);
    let extra = changed(&[("/play/hands/0/cards/-", json!("2D"))]);
    assert_eq!(verdicts(&extra), [Win, Void]);
    // A bad set gives both back, before a dealer's natural could take one.
    let natural = [
        ("/play/dealer", json!({"cards": cards("8S 8D 8H 8S")})),
        ("/play/board", json!([])),
    ];
    assert_eq!(verdicts(&changed(&natural)), [Lose, Push]);
    let bad = flawed::changed(changed(&natural), &[("/play/hands/0/sets/1", cards("7H"))]);
    assert_eq!(verdicts(&bad), [Void, Void]);
}

fn choose(from: u64, take: u64) -> u64 {
    (0..take).fold(1, |ways, taken| ways * (from - taken) / (taken + 1))
}

/// Visits every hand of `N` cards from six decks once, as identities, with the number of ways to
/// draw it.
fn hands_of_six_decks<const N: usize>(mut visit: impl FnMut([Card; N], u64)) {
    let mut at = [0_u8; N];
    loop {
        let mut ways = 1;
        let mut run = 0;
        for place in 0..N {
            run = if place > 0 && at[place] == at[place - 1] {
                run + 1
            } else {
                1
            };
            // C(6, k) = C(6, k - 1) x (7 - k) / k.
            ways = ways * (7 - run) / run;
        }
        visit(at.map(|index| Card::from_index(index).unwrap()), ways);
        let Some(turn) = (0..N).rev().find(|&place| at[place] < 51) else {
            return;
        };
        let next = at[turn] + 1;
        at[turn..].fill(next);
    }
}

/// Against counts by combinatorics: 24 cards of a rank, 6 of them of a suit.
#[test]
fn the_seventeen_ranks_of_six_decks_are_as_frequent_as_the_combinations_say() {
    let mut counted: BTreeMap<Category, u64> = BTreeMap::new();
    hands_of_six_decks(|five: [Card; 5], ways| {
        *counted.entry(Hand::of(five).category()).or_default() += ways;
    });
    let (of_rank, of_suit) = (|take| choose(24, take), |take| choose(6, take));
    // The ways to hold ranks in groups, if each group is drawn from so many cards.
    let groups = |group: &dyn Fn(u64) -> u64| {
        [
            13 * group(5),
            13 * group(4) * 12 * group(1),
            13 * group(3) * 12 * group(2),
            13 * group(3) * choose(12, 2) * group(1).pow(2),
            choose(13, 2) * group(2).pow(2) * 11 * group(1),
            13 * group(2) * choose(12, 3) * group(1).pow(3),
            10 * group(1).pow(5),
            (choose(13, 5) - 10) * group(1).pow(5),
        ]
    };
    let [five, four, full, three, two_pairs, pair, straight, high] = groups(&of_rank);
    let suited = groups(&of_suit).map(|ways| 4 * ways);
    let royal = 4 * 6_u64.pow(5);
    let expected = [
        (Category::FlushFiveOfAKind, suited[0]),
        (Category::RoyalFlush, royal),
        (Category::FlushFourOfAKind, suited[1]),
        (Category::StraightFlush, suited[6] - royal),
        (Category::FlushFullHouse, suited[2]),
        (Category::FiveOfAKind, five - suited[0]),
        (Category::FlushThreeOfAKind, suited[3]),
        (Category::FlushTwoPairs, suited[4]),
        (Category::FlushOnePair, suited[5]),
        (Category::FourOfAKind, four - suited[1]),
        (Category::FullHouse, full - suited[2]),
        (Category::Flush, suited[7]),
        (Category::Straight, straight - suited[6]),
        (Category::ThreeOfAKind, three - suited[3]),
        (Category::TwoPairs, two_pairs - suited[4]),
        (Category::Pair, pair - suited[5]),
        (Category::HighCard, high - suited[7]),
    ];
    let counted: Vec<(Category, u64)> = counted.into_iter().rev().collect();
    assert_eq!(counted, expected);
    let total: u64 = expected.iter().map(|(_, ways)| ways).sum();
    assert_eq!(total, choose(312, 5));
}

#[test]
fn hands_of_one_rank_compare_by_groups_and_then_by_side_cards() {
    let hand = |text: &str| {
        let five: Vec<Card> = text.split(' ').map(|card| card.parse().unwrap()).collect();
        Hand::of(five.try_into().unwrap())
    };
    let descending = [
        "2S 2S 2S 2S 2S",
        "AS KS QS JS TS",
        "2S 2S 2S 2S 3S",
        "KS QS JS TS 9S",
        "AS 2S 3S 4S 5S",
        "3S 3S 3S 2S 2S",
        "2S 2S 2S AS AS",
        "2S 2S 2S 2S 2D",
        "2S 2S 2S 4S 3S",
        "3S 3S 2S 2S 5S",
        "2S 2S AS 4S 3S",
        "2S 2S 5S 4S 3S",
        "2S 2S 2D 2D 3S",
        "3S 3S 3D 2S 2D",
        "2S 2S 2D AS AD",
        "AS KS QS JS 9S",
        "7S 5S 4S 3S 2S",
        "AS KS QS JS TD",
        "6S 5S 4S 3S 2D",
        "AS 2S 3S 4S 5D",
        "2S 2S 2D AS KS",
        "KS KS QD QD 2S",
        "KS KS JD JD AS",
        "AS AS 4D 3S 2S",
        "KS KS AD QS JS",
        "AS KS QS JS 9D",
        "AS KS QS TS 9D",
    ];
    for pair in descending.windows(2) {
        assert!(hand(pair[0]) > hand(pair[1]), "{pair:?}");
    }
    assert_eq!(hand("AS KS QS JS 9D"), hand("AD KD QD JD 9S"));
    assert_eq!(hand("QS KD AC 2H 3S").category(), Category::HighCard);
}

#[test]
fn a_natural_is_as_rare_as_the_combinations_say() {
    let mut naturals = 0;
    hands_of_six_decks(|four: [Card; 4], ways| {
        naturals += if ranking::is_natural(&four) { ways } else { 0 };
    });
    // One in 2,804: 13 x C(24, 4) of C(312, 4).
    assert_eq!(naturals, 13 * choose(24, 4));
    assert_eq!((naturals, choose(312, 4)), (138_138, 387_278_970));
}

/// The order in which the four cards came decides nothing but which of equal cards are taken.
#[test]
fn house_ways_keep_the_same_ranks_in_whatever_order_the_cards_came() {
    let kept = |four: [Card; 4]| match house_ways::set(four, None) {
        Set::HouseWay([a, b]) | Set::AsKept([a, b]) => {
            let ranks = (a.rank().max(b.rank()), a.rank().min(b.rank()));
            assert!(four.contains(&a) && four.contains(&b));
            assert_eq!(house_ways::set(four, Some([b, a])), Set::AsKept([b, a]));
            (ranks, a.suit() == b.suit() && a.rank() != b.rank())
        }
    };
    hands_of_six_decks(|[a, b, c, d]: [Card; 4], _| {
        let first = kept([a, b, c, d]);
        assert_eq!(first, kept([d, c, b, a]));
        assert_eq!(first, kept([c, a, d, b]));
    });
}

//! Minibaccarat: every cell, every refusal, and the exact mathematics of an eight-deck shoe.

use serde_json::{Value, json};

use super::Minibaccarat;
use crate::Edition::{self, Mgc2017, OhJack2017};
use crate::games::shared::baccarat::{self, Hands};
use crate::settlement::{Verdict, Violations};
use crate::testkit::TestTable;

/// Cards (Player, Banker) that make a row of the pay tables.
fn cards_for(table: &str, row: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match (table, row) {
        ("main", "player") => (&["9H", "TC"], &["7S", "KD"]),
        ("main", "banker") => (&["7S", "KD"], &["9H", "TC"]),
        ("main", "tie") => (&["7S", "KD"], &["7H", "TC"]),
        ("ez", "dragon_7") => (&["KS", "QH", "6D"], &["2C", "AH", "4S"]),
        ("ez", "panda_8") => (&["KS", "5H", "3D"], &["4C", "3H"]),
        ("house_money", "both_pairs") => (&["8S", "8H"], &["KC", "KD", "9S"]),
        ("house_money", "one_pair") => (&["8S", "8H"], &["3C", "4D"]),
        // Dragon Bonus on the Banker.
        (_, "by_9") => (&["TS", "TH", "TC"], &["AC", "KD", "8H"]),
        (_, "by_8") => (&["TS", "TH", "TC"], &["AC", "KD", "7H"]),
        (_, "by_7") => (&["TS", "TH", "AC"], &["AC", "KD", "7H"]),
        (_, "by_6") => (&["TS", "TH", "2C"], &["AC", "KD", "7H"]),
        (_, "by_5") => (&["TS", "TH", "3C"], &["AC", "KD", "7H"]),
        (_, "by_4") => (&["TS", "TH", "4C"], &["AC", "KD", "7H"]),
        (_, "natural") => (&["TS", "8H"], &["4C", "5D"]),
        (_, "natural_tie") => (&["TS", "9H"], &["4C", "5D"]),
        _ => panic!("no cards for {table}.{row}"),
    }
}

/// The wager and the options that a pay table is for.
fn wager_of(table: &str, row: &'static str) -> (&'static str, Value) {
    match table {
        "main" => (row, json!({})),
        "ez" => (row, json!({"ez_baccarat": true})),
        "house_money" => ("house_money", json!({})),
        "dragon_bonus_a" => ("dragon_bonus_banker", json!({"dragon_bonus": "A"})),
        "dragon_bonus_b" => ("dragon_bonus_banker", json!({"dragon_bonus": "B"})),
        "dragon_bonus_c" => ("dragon_bonus_banker", json!({"dragon_bonus": "C"})),
        _ => panic!("no wager for {table}"),
    }
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    let table = TestTable::<Minibaccarat>::open();
    table.assert_cells(include_str!("cells.txt"), |cell| {
        let (player, banker) = cards_for(cell.table, cell.row);
        let (kind, options) = wager_of(cell.table, cell.row);
        table.document(
            cell.edition,
            options,
            json!([{"id": "w1", "seat": 1, "kind": kind, "amount": 1000},
                   {"id": "w2", "seat": 1, "kind": "tie", "amount": 100}]),
            json!({"player": player, "banker": banker}),
        )
    });
}

fn round(edition: Edition, options: Value, wagers: Value, play: Value) -> Value {
    TestTable::<Minibaccarat>::open().document(edition, options, wagers, play)
}

fn banker_bet() -> Value {
    json!([{"id": "w1", "seat": 1, "kind": "banker", "amount": 1000}])
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let table = TestTable::<Minibaccarat>::open();
    let play = || json!({"player": ["5S", "AH"], "banker": ["3C", "4D"]});
    let cases = [
        (
            round(
                Mgc2017,
                json!({}),
                json!([{"id": "w1", "seat": 1, "kind": "bankr", "amount": 1}]),
                play(),
            ),
            r#"wagers[0].kind: "bankr" is not a wager of minibaccarat; did you mean "banker"?"#,
        ),
        (
            round(Mgc2017, json!({"dekcs": 8}), banker_bet(), play()),
            r#"options.dekcs: "dekcs" is not an option of minibaccarat in mgc-2017; did you mean "decks"?"#,
        ),
        (
            round(
                OhJack2017,
                json!({"dragon_bonus": "B"}),
                banker_bet(),
                play(),
            ),
            r#"options.dragon_bonus: "B" cannot be read; write one of "off", "A" (oh-jack-2017)"#,
        ),
        (
            round(
                OhJack2017,
                json!({"ez_baccarat": true}),
                banker_bet(),
                play(),
            ),
            r#"options.ez_baccarat: "ez_baccarat" is not an option of minibaccarat in oh-jack-2017"#,
        ),
        (
            round(
                Mgc2017,
                json!({}),
                banker_bet(),
                json!({"player": ["5X", "AH"], "banker": []}),
            ),
            r#"play.player[0]: "5X" is not a card"#,
        ),
        (
            round(
                Mgc2017,
                json!({}),
                banker_bet(),
                json!({"player": ["JK", "AH"], "banker": []}),
            ),
            r#"play.player[0]: "JK" is not a card of this game"#,
        ),
        (
            round(Mgc2017, json!({}), banker_bet(), json!({"void": "bored"})),
            r#"play.void: "bored" is not a known word here"#,
        ),
        (
            round(Mgc2017, json!({}), banker_bet(), json!({"plyer": []})),
            r#"play.plyer: "plyer" is not a known key here; did you mean "player"?"#,
        ),
        (
            round(
                Mgc2017,
                json!({}),
                banker_bet(),
                json!({"error_card_disclosed": true}),
            ),
            "play.error_card_disclosed: a key of oh-jack-2017 only",
        ),
        (
            round(
                Mgc2017,
                json!({}),
                json!([{"id": "w1", "seat": 0, "kind": "tie", "amount": 1}]),
                play(),
            ),
            "wagers[0].seat: seats are numbered from 1",
        ),
        (
            round(
                Mgc2017,
                json!({}),
                json!([{"id": "w1", "seat": 1, "kind": "tie", "amount": 0}]),
                play(),
            ),
            "wagers[0].amount: a stake is at least a cent",
        ),
        (
            round(
                Mgc2017,
                json!({}),
                json!([{"id": "w1", "seat": 1, "kind": "tie", "amount": -5}]),
                play(),
            ),
            "wagers[0].amount: -5 cents are less than nothing",
        ),
        (
            round(
                Mgc2017,
                json!({}),
                json!([{"id": "w1", "seat": 1, "kind": "tie", "amount": 5},
                       {"id": "w1", "seat": 2, "kind": "tie", "amount": 5}]),
                play(),
            ),
            r#"wagers[1].id: "w1" is used twice"#,
        ),
        (
            round(
                Mgc2017,
                json!({}),
                json!([{"seat": 1, "kind": "tie", "amount": 5}]),
                play(),
            ),
            r#"wagers[0]: the key "id" is missing"#,
        ),
        (
            round(Edition::MgcAmended, json!({}), banker_bet(), play()),
            r#"edition: "mgc-amended" is not an edition of minibaccarat"#,
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

#[test]
fn standing_violations_show_in_void_rounds_too() {
    let table = TestTable::<Minibaccarat>::open();
    let document = round(
        OhJack2017,
        json!({"decks": 5, "tie_pays": "7:1", "tournament": true}),
        json!([{"id": "w1", "seat": 1, "kind": "dragon_bonus_player", "amount": 50, "patron": "p"},
               {"id": "w2", "seat": 2, "kind": "player", "amount": 50, "patron": "p"},
               {"id": "w3", "seat": 2, "kind": "banker", "amount": 50},
               {"id": "w4", "seat": 2, "kind": "dragon_7", "amount": 50},
               {"id": "w5", "seat": 2, "kind": "fortune_7", "amount": 50}]),
        json!({"void": "insufficient_cards", "player": ["5S"]}),
    );
    assert_eq!(
        table.violations(&document),
        [
            "config.odds_below_minimum",
            "deck.illegal_count",
            "tournament.both_sides",
            "tournament.no_main_bet",
            "wager.multi_position",
            "wager.not_offered",
            "wager.side_without_main",
            "wager.under_min",
        ]
    );
    assert!(
        table
            .settle(&document)
            .wagers()
            .iter()
            .all(|w| w.result == Verdict::Void)
    );
}

#[test]
fn a_four_deck_batch_is_lawful_only_in_ohio_and_with_a_shuffler() {
    let table = TestTable::<Minibaccarat>::open();
    let play = json!({"player": ["5S", "AH"], "banker": ["3C", "4D"]});
    for (edition, shuffler, lawful) in [
        (OhJack2017, true, true),
        (OhJack2017, false, false),
        (Mgc2017, true, false),
    ] {
        let options = json!({"decks": 4, "shuffler": shuffler});
        let document = round(edition, options, banker_bet(), play.clone());
        let expected: &[&str] = if lawful { &[] } else { &["deck.illegal_count"] };
        assert_eq!(
            table.violations(&document),
            expected,
            "{edition} shuffler {shuffler}"
        );
    }
}

#[test]
fn five_equal_cards_need_five_decks() {
    let table = TestTable::<Minibaccarat>::open();
    let play = json!({"player": ["2S", "2S", "2S"], "banker": ["2S", "2S", "2H"]});
    for (decks, expected) in [(4, vec!["deck.duplicate_card"]), (5, vec![])] {
        let options = json!({"decks": decks, "shuffler": true});
        let document = round(OhJack2017, options, banker_bet(), play.clone());
        assert_eq!(table.violations(&document), expected, "{decks} decks");
    }
}

#[test]
fn a_hand_of_four_cards_is_flagged_and_the_fourth_ignored() {
    let table = TestTable::<Minibaccarat>::open();
    let play = json!({"player": ["KS", "2H", "3D", "9C"], "banker": ["3C", "4D"]});
    let document = round(Mgc2017, json!({}), banker_bet(), play);
    assert_eq!(table.violations(&document), ["baccarat.too_many_cards"]);
    assert_eq!(table.wager(&document, "w1").result, Verdict::Win);
}

#[test]
fn missing_third_cards_are_flagged_and_the_round_settled_as_it_lies() {
    let table = TestTable::<Minibaccarat>::open();
    let play = json!({"player": ["KS", "2H"], "banker": ["3C", "2D"]});
    let document = round(Mgc2017, json!({}), banker_bet(), play);
    assert_eq!(
        table.violations(&document),
        [
            "baccarat.banker_missing_third_card",
            "baccarat.player_missing_third_card"
        ]
    );
    assert_eq!(table.wager(&document, "w1").returned.get(), 1950);
}

#[test]
fn a_simulated_round_with_wagers_voids_them() {
    let table = TestTable::<Minibaccarat>::open();
    let play = json!({"player": ["KS", "9H"], "banker": ["3C", "2D"], "simulated": true});
    let document = round(Mgc2017, json!({}), banker_bet(), play);
    assert_eq!(table.violations(&document), ["wager.in_simulated_round"]);
    assert_eq!(table.wager(&document, "w1").result, Verdict::Void);
}

#[test]
fn an_incomplete_deal_voids_the_round() {
    let table = TestTable::<Minibaccarat>::open();
    let play = json!({"player": ["KS"], "banker": ["3C", "2D"]});
    let document = round(Mgc2017, json!({}), banker_bet(), play);
    assert_eq!(table.violations(&document), ["baccarat.incomplete_deal"]);
    assert_eq!(table.wager(&document, "w1").result, Verdict::Void);
}

#[test]
fn a_house_money_payout_is_pressed_once_on_the_seats_own_wager_for_the_filed_portion() {
    let table = TestTable::<Minibaccarat>::open();
    // Banker wins 9 to 7; House Money of seat 3 pays 1800, of which half may be pressed.
    let play = json!({"player": ["5S", "TH", "2C"], "banker": ["KC", "KD", "9H"]});
    let press = |id: &str, amount: i64, on: &str, from: &str| json!({"id": id, "seat": 3, "kind": "house_money_press", "amount": amount, "on": on, "from": from});
    let settle = |presses: Vec<Value>| {
        let mut wagers = vec![
            json!({"id": "hm", "seat": 3, "kind": "house_money", "amount": 600}),
            json!({"id": "hm2", "seat": 4, "kind": "house_money", "amount": 600}),
            json!({"id": "b", "seat": 3, "kind": "banker", "amount": 1010}),
            json!({"id": "t", "seat": 3, "kind": "tie", "amount": 1000}),
        ];
        wagers.extend(presses);
        let options = json!({"house_money_press_percent": 50, "vigorish_rounding": "up"});
        table.settle(&round(Mgc2017, options, json!(wagers), play.clone()))
    };

    let lawful = settle(vec![press("p", 900, "b", "hm")]);
    assert_eq!(lawful.violations().iter().count(), 0);
    // 5% of 1010 rounds up to 75, of 1910 to 100: the press owes the difference.
    assert_eq!(lawful.wagers()[2].commission.get(), 75);
    assert_eq!(
        (
            lawful.wagers()[4].commission.get(),
            lawful.wagers()[4].returned.get()
        ),
        (25, 1775)
    );

    let wrong_amount = settle(vec![press("p", 901, "b", "hm")]);
    assert!(
        wrong_amount
            .violations()
            .contains("house_money.press_wrong_amount")
    );
    assert_eq!(wrong_amount.wagers()[4].result, Verdict::Win);

    for (on, from) in [("t", "hm"), ("b", "hm2"), ("b", "b"), ("nobody", "hm")] {
        let invalid = settle(vec![press("p", 900, on, from)]);
        assert!(
            invalid.violations().contains("house_money.press_invalid"),
            "{on} {from}"
        );
        assert_eq!(invalid.wagers()[4].result, Verdict::Void);
    }
    let twice = settle(vec![press("p", 900, "b", "hm"), press("q", 900, "b", "hm")]);
    assert!(twice.violations().contains("house_money.press_invalid"));
    assert_eq!(twice.wagers()[5].result, Verdict::Void);
}

/// Plays every ordered draw of six cards by rank from a shoe of eight decks, weighted by the number
/// of ways to draw it, and adds the weight to what `outcome` names.
fn weigh_all_rounds(decks: u64, mut outcome: impl FnMut(&Hands, u128)) {
    use crate::floor::{Card, Suit};
    // Point counts only depend on values: ten classes, tens and faces together.
    let mut left = [4 * decks; 10];
    left[0] = 16 * decks;
    let card = |value: usize| {
        let rank = [8, 12, 0, 1, 2, 3, 4, 5, 6, 7][value];
        Card::new(crate::floor::Rank::ALL[rank], Suit::Spades)
    };
    fn deal(
        left: &mut [u64; 10],
        drawn: &mut Vec<usize>,
        weight: u128,
        visit: &mut dyn FnMut(&[usize], u128),
    ) {
        if drawn.len() == 6 {
            return visit(drawn, weight);
        }
        for value in 0..10 {
            let ways = left[value];
            if ways == 0 {
                continue;
            }
            left[value] -= 1;
            drawn.push(value);
            deal(left, drawn, weight * u128::from(ways), visit);
            drawn.pop();
            left[value] += 1;
        }
    }
    deal(&mut left, &mut Vec::new(), 1, &mut |drawn, weight| {
        let cards: Vec<Card> = drawn.iter().map(|&value| card(value)).collect();
        let mut nobody = Violations::default();
        let (mut player, mut banker) = (vec![cards[0], cards[2]], vec![cards[1], cards[3]]);
        let count = |hand: &[Card]| baccarat::Hand::of_two([hand[0], hand[1]]);
        let (p, b) = (count(&player), count(&banker));
        let mut next = cards[4..].iter().copied();
        if !p.is_natural() && !b.is_natural() {
            let third = baccarat::player_draws(p.count())
                .then(|| next.next())
                .flatten();
            player.extend(third);
            if baccarat::banker_draws(b.count(), third) {
                banker.extend(next.next());
            }
        }
        let hands = baccarat::rederive(&player, &banker, true, &mut nobody).unwrap();
        assert_eq!(nobody.iter().count(), 0);
        outcome(&hands, weight);
    });
}

#[test]
fn an_eight_deck_shoe_has_the_published_probabilities() {
    let (mut player, mut banker, mut tie) = (0u128, 0u128, 0u128);
    let (mut dragon, mut panda) = (0u128, 0u128);
    weigh_all_rounds(8, |hands, ways| {
        match hands.player.count().cmp(&hands.banker.count()) {
            std::cmp::Ordering::Greater => player += ways,
            std::cmp::Ordering::Less => banker += ways,
            std::cmp::Ordering::Equal => tie += ways,
        }
        dragon += if hands.is_dragon_seven() { ways } else { 0 };
        panda += if hands.is_panda_eight() { ways } else { 0 };
    });
    // 416 x 415 x 414 x 413 x 412 x 411 ordered draws, and the published combinations.
    assert_eq!(player + banker + tie, 4_998_398_275_503_360);
    assert_eq!(banker, 2_292_252_566_437_888);
    assert_eq!(player, 2_230_518_282_592_256);
    assert_eq!(tie, 475_627_426_473_216);
    // Banker: 45.8597%, Player: 44.6247%, Tie: 9.5156%, Dragon 7: 2.2534%, Panda 8: 3.4543%.
    let per_million = |ways: u128| ways * 1_000_000 / 4_998_398_275_503_360;
    assert_eq!(per_million(banker), 458_597);
    assert_eq!(per_million(player), 446_246);
    assert_eq!(per_million(tie), 95_155);
    assert_eq!(per_million(dragon), 22_533);
    assert_eq!(per_million(panda), 34_543);
}

#[test]
fn the_house_edges_of_an_eight_deck_shoe_are_the_published_ones() {
    let total = 4_998_398_275_503_360_i128;
    let (mut player, mut banker, mut tie, mut ez) = (0i128, 0i128, 0i128, 0i128);
    let mut dragon_player = 0i128;
    weigh_all_rounds(8, |hands, ways| {
        let ways = ways as i128;
        let (p, b) = (hands.player.count(), hands.banker.count());
        // In twentieths of the stake, so that the 5% are whole.
        let sign = (p > b) as i128 - (b > p) as i128;
        player += 20 * sign * ways;
        banker += if b > p { 19 } else { -20 * sign } * ways;
        ez += if hands.is_dragon_seven() {
            0
        } else {
            -20 * sign
        } * ways;
        tie += if p == b { 160 } else { -20 } * ways;
        dragon_player += 20
            * ways
            * match baccarat::DragonBonus::of(hands.player, hands.banker) {
                baccarat::DragonBonus::Natural => 1,
                baccarat::DragonBonus::NaturalTie => 0,
                baccarat::DragonBonus::By(margin) => [1, 2, 4, 6, 10, 30][usize::from(margin) - 4],
                baccarat::DragonBonus::Lost => -1,
            };
    });
    // Published: Player 1.2351%, Banker 1.0579%, Tie 14.3596%, EZ Banker 1.0183%, Dragon Bonus on
    // the Player (table A) 2.65%. In millionths of the stake.
    let edge = |gain: i128| -gain * 1_000_000 / (20 * total);
    assert_eq!(edge(player), 12_350);
    assert_eq!(edge(banker), 10_579);
    assert_eq!(edge(tie), 143_596);
    assert_eq!(edge(ez), 10_183);
    assert_eq!(edge(dragon_player), 26_516);
}

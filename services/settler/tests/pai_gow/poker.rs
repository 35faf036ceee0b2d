//! Pai gow with cards: rounds as devices tell them, and what only events show.

use catwalk_stories::pai_gow::{NOTHING, dice, says, set, seven};
use catwalk_stories::{Story, bet, closed, collected, irregularity, paid, paid_less, pushed};
use serde_json::{Value, json};

fn poker(options: Value) -> Story {
    Story::at("pai_gow_poker", "mgc-2017", options)
}

const ACES: &str = "AS AD KC QD 9H 7C 5S";
const ACES_SET: &str = "AS AD 9H 7C 5S | KC QD";
const NINES: &str = "9S 9D 8C 6D 4H 3C 2S";
const NINES_SET: &str = "9S 9D 4H 3C 2S | 8C 6D";

/// Seat 2 wins with aces from a dealer with nines.
fn aces_win(play: Vec<Value>, payment: Value) -> Vec<Value> {
    [
        &[bet("w", 2, "pai_gow_poker", 10000), closed()][..],
        &play,
        &[payment],
    ]
    .concat()
}

fn settings() -> Vec<Value> {
    vec![
        set("seat", Some(2), ACES_SET),
        set("dealer", None, NINES_SET),
    ]
}

#[test]
fn a_hand_is_known_from_its_cards_or_from_its_setting() {
    let payment = || paid_less("w", 10000, 500);
    let known = [
        seven("seat", Some(2), Some(ACES)),
        seven("dealer", None, Some(NINES)),
    ]
    .concat();
    let unknown = [seven("seat", Some(2), None), seven("dealer", None, None)].concat();
    for cards in [known, unknown, vec![]] {
        let mut story = poker(json!({}));
        story.round(aces_win([cards, settings()].concat(), payment()));
        assert_eq!(story.codes(), NOTHING);
        let returned = story.settled[0].wagers[0].returned.unwrap();
        assert_eq!(returned.get(), 19500);
    }
}

#[test]
fn vigorish_and_payments_are_compared() {
    let cards = || [seven("seat", Some(2), Some(ACES)), settings()].concat();
    let mut free = poker(json!({}));
    free.round(aces_win(cards(), paid_less("w", 10000, 400)));
    assert_eq!(free.codes(), ["vigorish.wrong", "commission.wrong"]);
    assert_eq!(free.finding("commission.wrong").exposure.get(), 100);
}

#[test]
fn the_deal_begins_where_the_dice_say() {
    // Eight from the dealer is the dealer's own place.
    let hands = |first: &str| {
        let mut hands = [
            seven("dealer", None, Some(NINES)),
            seven("seat", Some(2), Some(ACES)),
        ];
        if first == "seat" {
            hands.reverse();
        }
        [vec![dice([2, 3, 3])], hands.concat(), settings()].concat()
    };
    let mut story = poker(json!({}));
    story.round(aces_win(hands("dealer"), paid_less("w", 10000, 500)));
    assert_eq!(story.codes(), NOTHING);
    story.round(aces_win(hands("seat"), pushed("w")));
    assert_eq!(story.codes(), ["pai_gow_poker.wrong_start"]);
    // Where the place that is due has no wager, nobody need tell of its cards.
    let mut other = poker(json!({}));
    let elsewhere = [vec![dice([2, 3, 4])], hands("seat")[1..].to_vec()].concat();
    other.round(aces_win(elsewhere, paid_less("w", 10000, 500)));
    assert_eq!(other.codes(), NOTHING);
}

#[test]
fn a_round_that_is_void_must_not_be_paid() {
    let exposed = || {
        let cards = [seven("seat", Some(2), Some(ACES)), settings()].concat();
        [
            cards,
            vec![irregularity("dealer_card_exposed", Value::Null)],
        ]
        .concat()
    };
    let mut honest = poker(json!({}));
    honest.round(aces_win(exposed(), pushed("w")));
    assert_eq!(honest.codes(), NOTHING);
    let mut paid = poker(json!({}));
    paid.round(aces_win(exposed(), paid_less("w", 10000, 500)));
    assert_eq!(
        paid.codes(),
        ["pay.over", "pai_gow_poker.void_not_declared"]
    );
}

#[test]
fn four_cards_are_left_over_whether_or_not_empty_areas_are_told() {
    let counted =
        |left: u32| json!({"type": "cards_counted", "set": "d1", "count": left, "scope": "stub"});
    for (left, expected) in [(4, 0), (3, 1)] {
        let mut story = poker(json!({}));
        story
            .aside(json!({"type": "cards_delivered", "set": "d1", "decks": 1, "preshuffled": false}))
            .aside(json!({"type": "cards_inspected", "set": "d1", "missing": [], "extra": [],
                "unsuitable": [], "dealer": "d-1", "supervisor": "s-1"}))
            .aside(json!({"type": "cards_opened", "set": "d1"}))
            .aside(json!({"type": "shoe_started", "shoe": "s1", "set": "d1", "decks": 1, "method": "hand"}));
        let hands = [
            seven("seat", Some(2), Some(ACES)),
            seven("dealer", None, Some(NINES)),
        ]
        .concat();
        let play = [hands, vec![counted(left)], settings()].concat();
        let payment = if left == 4 {
            paid_less("w", 10000, 500)
        } else {
            pushed("w")
        };
        story.round(aces_win(play, payment));
        assert_eq!(story.codes(), vec!["deck.missing_card"; expected], "{left}");
        // The next round is dealt from the same cards without a shuffle.
        if left == 4 {
            let again = [seven("seat", Some(2), None), settings()].concat();
            story.round(aces_win(again, paid_less("w", 10000, 500)));
            assert_eq!(story.codes(), ["deck.not_shuffled"]);
        }
    }
}

#[test]
fn progressive_stakes_are_taken_at_the_cut_off_and_awards_are_whole() {
    // A full house on the table of one dollar pays five.
    let full = "KS KD KC 5D 5H 7C JS";
    let full_set = "KS KD KC 7C JS | 5D 5H";
    let hands = || {
        let settings = vec![
            set("seat", Some(2), full_set),
            set("dealer", None, NINES_SET),
        ];
        [seven("seat", Some(2), Some(full)), settings].concat()
    };
    let settled = |payments: &[Value]| {
        let bets = [
            bet("w", 2, "pai_gow_poker", 10000),
            bet("j", 2, "progressive", 100),
            closed(),
        ];
        let mut story = poker(json!({}));
        let all = [&[paid_less("w", 9500, 0)][..], payments].concat();
        story.round_opened_with(
            json!({"meters": {"progressive": 1000000}}),
            [&bets[..], &hands(), &all].concat(),
        );
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let jackpot = |amount: i64| json!({"type": "jackpot_paid", "meter": "progressive", "wager": "j", "amount": amount});
    assert_eq!(settled(&[jackpot(500)]), NOTHING);
    assert_eq!(settled(&[collected("j"), jackpot(500)]), NOTHING);
    assert_eq!(settled(&[paid("j", 400)]), NOTHING);
    assert_eq!(settled(&[jackpot(650)]), ["pay.over"]);
    // So much is for a flush and a pair.
    assert_eq!(settled(&[jackpot(600)]), ["pay.over", "payout.wrong_row"]);
    assert_eq!(settled(&[]), ["pay.unpaid"]);
}

#[test]
fn a_lost_progressive_wager_needs_no_word() {
    let bets = [
        bet("w", 2, "pai_gow_poker", 10000),
        bet("j", 2, "progressive", 100),
        closed(),
    ];
    let mut story = poker(json!({}));
    let hands = [seven("seat", Some(2), Some(ACES)), settings()].concat();
    story.round([&bets[..], &hands, &[paid_less("w", 10000, 500)]].concat());
    assert_eq!(story.codes(), NOTHING);
}

#[test]
fn cash_is_no_wager() {
    let mut cash = bet("w", 2, "pai_gow_poker", 10000);
    cash["form"] = json!("cash");
    let mut story = poker(json!({}));
    let hands = [seven("seat", Some(2), Some(ACES)), settings()].concat();
    story.round([&[cash, closed()][..], &hands, &[paid_less("w", 10000, 500)]].concat());
    assert_eq!(story.codes(), ["wager.verbal_cash"]);
}

#[test]
fn a_set_hand_is_not_touched_again() {
    let other = "AS AD KC 7C 5S | QD 9H";
    let settled = |told: Vec<Value>, payment: Value| {
        let mut story = poker(json!({}));
        story.round(aces_win(
            [seven("seat", Some(2), Some(ACES)), told].concat(),
            payment,
        ));
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (player, dealer) = (
        set("seat", Some(2), ACES_SET),
        set("dealer", None, NINES_SET),
    );
    let changed = set("seat", Some(2), other);
    let win = || paid_less("w", 10000, 500);
    assert_eq!(
        settled(vec![player.clone(), dealer.clone(), player.clone()], win()),
        NOTHING
    );
    let before = vec![changed.clone(), player.clone(), dealer.clone()];
    assert_eq!(settled(before, win()), ["pai_gow_poker.set_touched"]);
    assert_eq!(
        settled(vec![player, dealer, changed], win()),
        ["pai_gow_poker.set_touched"]
    );
}

#[test]
fn a_player_with_two_areas_sets_the_larger_wager_first() {
    let owned = |id: &str, seat: u32, amount: i64| {
        let mut bet = bet(id, seat, "pai_gow_poker", amount);
        bet["player"] = json!("p-9");
        bet
    };
    let second = "KS KD JC TD 8H 6S 3H";
    let second_set = "KS KD 8H 6S 3H | JC TD";
    let settled = |order: [u32; 2]| {
        let mut story = poker(json!({}));
        let own = |seat| match seat {
            2 => set("seat", Some(2), ACES_SET),
            _ => set("seat", Some(3), second_set),
        };
        let mut bodies = vec![owned("a", 2, 5000), owned("b", 3, 10000), closed()];
        bodies.extend(seven("seat", Some(2), Some(ACES)));
        bodies.extend(seven("seat", Some(3), Some(second)));
        bodies.extend(order.map(own));
        bodies.extend([
            set("dealer", None, NINES_SET),
            paid_less("a", 5000, 250),
            paid_less("b", 10000, 500),
        ]);
        story.round(bodies);
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(settled([3, 2]), NOTHING);
    assert_eq!(settled([2, 3]), ["pai_gow_poker.set_touched"]);
}

#[test]
fn a_surrender_comes_before_the_hand_is_exposed() {
    let revealed =
        json!({"type": "card_revealed", "to": "seat", "seat": 2, "index": 0, "card": "AS"});
    let settled = |told: Vec<Value>| {
        let mut story = Story::at("commission_free_pai_gow_poker", "oh-jack-2017", json!({}));
        let cards = [
            seven("seat", Some(2), Some(ACES)),
            seven("dealer", None, Some(NINES)),
        ]
        .concat();
        story.round(aces_win([cards, settings(), told].concat(), collected("w")));
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(settled(vec![says(2, "surrender")]), NOTHING);
    assert_eq!(
        settled(vec![revealed, says(2, "surrender")]),
        ["commission_free_pai_gow_poker.surrender_late"]
    );
}

#[test]
fn cards_that_are_given_up_are_never_seen_whatever_is_staked_on_them() {
    let settled = |beside: Option<Value>| {
        let mut story = Story::at("pai_gow_poker", "oh-jack-2017", json!({}));
        let mut bodies = vec![bet("w", 2, "pai_gow_poker", 10000)];
        let taken = beside.as_ref().map(|_| collected("f"));
        bodies.extend(beside);
        bodies.extend([
            closed(),
            says(2, "surrender"),
            set("dealer", None, NINES_SET),
        ]);
        bodies.push(collected("w"));
        bodies.extend(taken);
        story.round(bodies);
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(settled(None), NOTHING);
    let fortune = bet("f", 2, "fortune_bonus", 100);
    assert_eq!(settled(Some(fortune)), NOTHING);
}

#[test]
fn ohio_makes_no_wager_after_the_call_and_changes_none_after_the_first_card() {
    let told = |cards: Vec<Value>, game: &str, told: &[Value], after_first_card: bool| {
        let mut story = Story::at(game, "oh-jack-2017", json!({}));
        let mut play = [cards, settings()].concat();
        let at = usize::from(after_first_card);
        play.splice(at..at, told.to_vec());
        let vigorish = if game == FREE { 0 } else { 500 };
        story.round(aces_win(play, paid_less("w", 10000, vigorish)));
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.collect::<Vec<_>>()
    };
    let settled = |game: &str, more: &[Value], after: bool| {
        // Also where hands are told only as they are set.
        let codes = told(Vec::new(), game, more, after);
        let cards = seven("seat", Some(2), Some(ACES));
        assert_eq!(told(cards, game, more, after), codes);
        codes
    };
    let made = [bet("x", 3, "pai_gow_poker", 1000), pushed("x")];
    let changed =
        |to: i64| json!({"type": "wager_changed", "wager": "w", "amount": to, "by": "patron"});
    let changed = [changed(20000), changed(10000)];
    assert_eq!(settled(OHIO, &made, false), ["wager.late"]);
    assert_eq!(settled(OHIO, &changed, false), NOTHING);
    // The commission-free text knows no call at all.
    let taken_back = json!({"type": "wager_removed", "wager": "x", "by": "patron"});
    assert_eq!(
        settled(FREE, &[made[0].clone(), taken_back], false),
        NOTHING
    );
    assert_eq!(settled(FREE, &changed, false), NOTHING);
    for game in [OHIO, FREE] {
        assert_eq!(settled(game, &made, true), ["wager.late"], "{game}");
        // Raised in vain, it is what it was.
        let codes = settled(game, &changed[..1], true);
        assert_eq!(codes, ["wager.capped"], "{game}");
    }
}

const OHIO: &str = "pai_gow_poker";
const FREE: &str = "commission_free_pai_gow_poker";

#[test]
fn the_stub_of_a_three_and_seven_card_table_is_counted_every_five_rounds() {
    let counted = |rounds: &[bool]| {
        let offered = json!(["three_card_bonus", "seven_card_bonus"]);
        let mut story = poker(json!({"start_method": "left_first", "side_bets": offered}));
        for &counts in rounds {
            let mut play = settings();
            let stub = json!({"type": "cards_counted", "set": "k", "count": 39, "scope": "stub"});
            play.extend(counts.then_some(stub));
            story.round(aces_win(play, paid_less("w", 10000, 500)));
        }
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let since = |rounds: usize| counted(&[&[true][..], &vec![false; rounds]].concat());
    assert_eq!(since(5), NOTHING);
    assert_eq!(since(9), ["deck.count_overdue"]);
    // A feed that tells of no count may have a shuffler that does it.
    assert_eq!(counted(&[false; 9]), NOTHING);
}

#[test]
fn a_stub_of_cards_that_are_shuffled_by_hand_is_counted() {
    let rounds = |shuffler: Option<&str>, rounds: u32| {
        let mut story = poker(json!({"start_method": "left_first"}));
        for round in 0..rounds {
            let shoe = format!("s-{round}");
            story.aside(
                json!({"type": "shoe_started", "shoe": shoe, "set": "k", "decks": 1,
                "method": "auto_shoe", "shuffler": shuffler}),
            );
            let bets = [
                bet("w", 2, "pai_gow_poker", 10000),
                bet("s", 2, "seven_card_bonus", 500),
                closed(),
            ];
            let payments = [paid_less("w", 10000, 500), collected("s")];
            story.round([&bets[..], &settings(), &payments].concat());
        }
        let codes = story.codes().into_iter();
        codes.filter(|code| *code == "deck.count_overdue").count()
    };
    assert_eq!(
        [rounds(None, 5), rounds(None, 6), rounds(None, 9)],
        [0, 1, 1]
    );
    assert_eq!(rounds(Some("sh-1"), 9), 0);
}

#[test]
fn the_button_goes_clockwise() {
    let told = |positions: [u32; 2], void_between: bool| {
        let mut story = poker(json!({}));
        for at in positions {
            let play = [vec![says(at, "button")], settings()].concat();
            story.round(aces_win(play, paid_less("w", 10000, 500)));
            if void_between {
                let void = vec![
                    says(at, "button"),
                    irregularity("wrong_card_count", Value::Null),
                ];
                story.round(aces_win(void, pushed("w")));
            }
        }
        let codes = story.codes().into_iter();
        codes
            .filter(|code| *code == "pai_gow_poker.deal_direction")
            .count()
    };
    // An area without a player may be left out; the dealer is not.
    for lawful in [[0, 6], [0, 4], [6, 5], [3, 1], [3, 0]] {
        assert_eq!(told(lawful, false), 0, "{lawful:?}");
    }
    for wrong in [[0, 0], [3, 3], [3, 4], [1, 6]] {
        assert_eq!(told(wrong, false), 1, "{wrong:?}");
        assert_eq!(told(wrong, true), 0, "{wrong:?}");
    }
}

#[test]
fn the_house_sets_the_third_area_of_a_player_in_ohio() {
    let own = |id: &str, seat: u32, amount: i64| {
        let mut bet = bet(id, seat, "pai_gow_poker", amount);
        bet["player"] = json!("eve");
        bet
    };
    let settled = |order: [usize; 4]| {
        let settings = [
            set("seat", Some(4), "AS AH 9C 6C 3D | QD TD"),
            set("seat", Some(5), "6D 6H 8D 5H 2H | AC 9S"),
            set("seat", Some(6), "KH QS 9H 4S 3H | 7C 7D"),
            set("seat", Some(6), "7C 7D 9H 4S 3H | KH QS"),
        ];
        let mut bodies = vec![own("a", 4, 3000), own("b", 5, 2000), own("c", 6, 1000)];
        bodies.push(closed());
        bodies.extend(order.map(|at| settings[at].clone()));
        bodies.extend([
            set("dealer", None, "KD 7S 5C 4C 2D | JC 8S"),
            paid_less("a", 3000, 150),
            paid_less("b", 2000, 100),
            paid_less("c", 1000, 50),
        ]);
        let mut story = Story::at("pai_gow_poker", "oh-jack-2017", json!({}));
        story.round(bodies);
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.collect::<Vec<_>>()
    };
    assert_eq!(settled([0, 1, 2, 3]), NOTHING);
    // The largest wager is still set first.
    assert_eq!(settled([1, 0, 2, 3]), ["pai_gow_poker.set_touched"]);
}

#[test]
fn a_stub_is_held_against_what_every_round_deals() {
    let count = |count: u32| {
        let mut story = poker(json!({}));
        story.aside(
            json!({"type": "shoe_started", "shoe": "s", "set": "k", "decks": 1, "method": "shoe"}),
        );
        let stub = json!({"type": "cards_counted", "set": "k", "count": count, "scope": "stub"});
        let mut play = settings();
        play.push(stub);
        story.round(aces_win(
            play,
            if count == 4 {
                paid_less("w", 10000, 500)
            } else {
                pushed("w")
            },
        ));
        let found = story
            .codes()
            .into_iter()
            .filter(|code| !code.contains("inspected"));
        found.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(count(4), NOTHING);
    assert_eq!(count(5), ["deck.extra_card"]);
    assert_eq!(count(3), ["deck.missing_card"]);
}

#[test]
fn cards_found_face_up_in_the_shoe_add_up() {
    let settled = |records: usize, payment: Value| {
        let found = irregularity("face_up_in_shoe", json!({"count": 1}));
        let cards = [seven("seat", Some(2), Some(ACES)), settings()].concat();
        let mut story = poker(json!({}));
        story.round(aces_win([cards, vec![found; records]].concat(), payment));
        let codes = story.codes().into_iter();
        codes.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(settled(1, paid_less("w", 10000, 500)), NOTHING);
    assert_eq!(settled(2, pushed("w")), NOTHING);
    let void = ["pay.over", "pai_gow_poker.void_not_declared"];
    assert_eq!(settled(2, paid_less("w", 10000, 500)), void);
}

#[test]
fn a_hand_that_came_short_is_told_and_voids_the_round() {
    let settled = |cards: usize, more: &[Value], payment: Value| {
        let dealt = &seven("seat", Some(2), Some(ACES))[..cards];
        let dealer = [
            seven("dealer", None, Some(NINES)),
            vec![settings().remove(1)],
        ]
        .concat();
        let mut story = poker(json!({}));
        story.round(aces_win([dealt, &dealer, more].concat(), payment));
        let codes = story.codes().into_iter();
        codes.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(settled(6, &[], pushed("w")), ["deal.card_count"]);
    assert_eq!(
        settled(6, &[], paid_less("w", 10000, 500)),
        [
            "pay.over",
            "pai_gow_poker.void_not_declared",
            "deal.card_count"
        ]
    );
    let declared = [irregularity("wrong_card_count", Value::Null)];
    assert_eq!(settled(6, &declared, pushed("w")), NOTHING);
}

#[test]
fn what_the_areas_leave_nothing_to_is_no_part_of_the_document() {
    let settled = |told: Value| {
        let cards = [seven("seat", Some(2), Some(ACES)), settings()].concat();
        let mut story = poker(json!({}));
        story.round(aces_win(
            [cards, vec![told]].concat(),
            paid_less("w", 10000, 500),
        ));
        assert_eq!(story.codes(), NOTHING);
        story.settled[0].document.clone().unwrap()
    };
    let exposed = json!({"seat": 4, "choice": "void"});
    for told in [
        irregularity("player_card_exposed", exposed),
        irregularity("bank_card_exposed", Value::Null),
        says(4, "surrender"),
    ] {
        let document = settled(told);
        assert_eq!(document["play"].get("irregularities"), None);
        assert_eq!(document["play"]["hands"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn a_share_of_a_meter_that_nobody_told_is_open_and_all_else_is_judged() {
    let five_aces = "AS AH AD AC JK | 7D 2C";
    let settled = |payment: Value, prize: i64| {
        let mut story = Story::at("pai_gow_poker", "oh-jack-2017", json!({}));
        let prize = json!({"type": "jackpot_paid", "amount": prize, "meter": "progressive", "wager": "j",
            "by": {"id": "x", "role": "supervisor"}, "witness": {"id": "y", "role": "surveillance"}});
        story.round(vec![
            bet("w", 2, "pai_gow_poker", 10000),
            bet("j", 2, "fortune_progressive", 100),
            closed(),
            set("seat", Some(2), five_aces),
            set("dealer", None, "8S 8H 6C 3S 2H | QD JC"),
            payment,
            prize,
        ]);
        let settled = &story.settled[0];
        assert_eq!(
            settled.document.as_ref().unwrap()["play"]["meters"],
            json!({"progressive": null})
        );
        let row = &settled.settlement.as_ref().unwrap().wagers()[1];
        assert_eq!(row.hangs_on, ["play.meters.progressive"]);
        let codes = story.codes().into_iter();
        codes.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(settled(pushed("w"), 123_456), NOTHING);
    let over = settled(paid_less("w", 10000, 500), 123_456);
    assert_eq!(over, ["pay.over"]);
}

//! What outlives a round of the blackjack family: streaks, who may come into a shoe, the shoe itself.

use catwalk_stories::{codes, settle, table};
use serde_json::{Value, json};

const NOTHING: [&str; 0] = [];

fn mgc(options: Value, lines: &str) -> Vec<Value> {
    table("blackjack", "mgc-2017", options, lines)
}

#[test]
fn a_streak_stays_and_counts_its_wins_and_is_lost_by_who_sits_out() {
    let options = || json!({"side_bets": ["streak"]});
    let won = "card seat 1 TC up\ncard dealer 7D up\ncard seat 1 9C up\nsay 1 stand
        card dealer TD up\npay w1 1000";
    let first = format!("open\nbet w1 1 main 1000\nbet s1 1 streak_2 500\n{won}\nclose");
    let second = format!("open\nbet w1 1 main 1000\n{won}\npay s1 1500\nclose");
    let (findings, rounds) = settle(&mgc(options(), &format!("{first}\n{second}")));
    assert_eq!(findings, []);
    let document = rounds[1].document.as_ref().unwrap();
    assert_eq!(
        document["wagers"][0],
        json!({"id": "s1", "seat": 1, "kind": "streak_2",
        "amount": 500, "wins_before": 1})
    );
    let unpaid = format!("{first}\nopen\nbet w1 1 main 1000\n{won}\nclose");
    assert_eq!(codes(&mgc(options(), &unpaid)), ["pay.unpaid"]);
    let retold = format!(
        "{first}\nopen\nbet w1 1 main 1000\nbet w2 1 streak_2 500\n{won}\npay w2 1500\nclose"
    );
    assert_eq!(codes(&mgc(options(), &retold)), NOTHING);
    let other = "open\nbet w1 2 main 1000\ncard seat 2 TC up\ncard dealer 7D up\ncard seat 2 9C up
        say 2 stand\ncard dealer TD up\npay w1 1000";
    let abandoned = format!("{first}\n{other}\ntake s1\nclose");
    assert_eq!(codes(&mgc(options(), &abandoned)), NOTHING);
    let kept = format!("{first}\n{other}\nclose");
    assert_eq!(codes(&mgc(options(), &kept)), ["pay.uncollected"]);
}

#[test]
fn nobody_adds_to_a_streak_that_is_on_its_way_or_takes_it_back() {
    let options = || json!({"side_bets": ["streak"]});
    let round = |bets: &str, end: &str| {
        format!(
            "open\n{bets}\nbet w1 1 main 1000\ncard seat 1 TC up\ncard dealer 7D up
             card seat 1 9C up\nsay 1 stand\ncard dealer TD up\npay w1 1000\n{end}\nclose"
        )
    };
    // A push leaves the streak where it was.
    let tied = round("bet s1 1 streak_3 500", "")
        .replace("card dealer 7D", "card dealer 9D")
        .replace("pay w1 1000", "push w1");
    let won = round("bet s1 1 streak_3 500", "");
    let next = |first: &str, bets: &str| {
        let lines = format!("{first}\n{}", round(bets, ""));
        codes(&mgc(options(), &lines))
    };
    for first in [&tied, &won] {
        assert_eq!(next(first, ""), NOTHING);
        assert_eq!(next(first, "bet s1 1 streak_3 500"), NOTHING);
        assert_eq!(
            next(first, "bet s2 1 streak_2 500"),
            ["wager.streak_stacked"]
        );
        assert_eq!(next(first, "remove s1"), ["wager.pinched"]);
        assert_eq!(next(first, "raise s1 1000"), ["wager.capped"]);
        assert_eq!(next(first, "raise s1 100"), ["wager.pinched"]);
        assert_eq!(next(first, "bet s1 1 streak_3 1000"), ["wager.capped"]);
    }
    // What counts is the stake that it was made with.
    let more = round("bet s1 1 streak_2 1000", "pay s1 1500");
    let lines = format!("{}\n{more}", round("bet s1 1 streak_2 500", ""));
    assert_eq!(codes(&mgc(options(), &lines)), ["wager.capped"]);
}

#[test]
fn nobody_bets_again_before_the_shuffle_where_the_house_forbids_it() {
    let seat = |number: u32| {
        format!(
            "card seat {number} TC up\ncard dealer 7D up\ncard seat {number} 9C up\nsay {number} stand
             card dealer TD up\npay w1 1000\nclose"
        )
    };
    let round = |shoe: &str, number: u32| {
        format!("open {shoe}\nbet w1 {number} main 1000\n{}", seat(number))
    };
    let closed = || json!({"mid_shoe_entry": false});
    let away = [round("a", 1), round("a", 2), round("a", 1)].join("\n");
    // Seat 2 had not played the first round, seat 1 not the second.
    assert_eq!(
        codes(&mgc(closed(), &away)),
        ["wager.mid_shoe_entry", "wager.mid_shoe_entry"]
    );
    assert_eq!(codes(&mgc(json!({}), &away)), NOTHING);
    let shuffled = [round("a", 1), round("b", 2), round("c", 1)].join("\n");
    assert_eq!(codes(&mgc(closed(), &shuffled)), NOTHING);
    let steady = [round("a", 1), round("a", 1), round("a", 1)].join("\n");
    assert_eq!(codes(&mgc(closed(), &steady)), NOTHING);
    // The house may let somebody in, who stays then.
    let let_in = "{\"type\":\"irregularity\",\"kind\":\"entry_permitted\",\"detail\":{\"seat\":2},\"ruling\":\"may bet\"}";
    let asked = round("a", 2).replacen('\n', &format!("\n{let_in}\n"), 1);
    let asked = [round("a", 1), asked, round("a", 2)].join("\n");
    assert_eq!(codes(&mgc(closed(), &asked)), NOTHING);
}

#[test]
fn a_shuffle_lets_everybody_in_by_whatever_name_the_shoe_goes() {
    let shoe = |name: &str| {
        format!(
            "{{\"type\":\"shoe_started\",\"shoe\":\"{name}\",\"set\":\"s\",\"decks\":6,\"method\":\"shoe\"}}"
        )
    };
    let round = |seat: u32| {
        format!(
            "open\nbet w1 {seat} main 1000\ncard seat {seat} TC up\ncard dealer 7D up
             card seat {seat} 9C up\nsay {seat} stand\ncard dealer TD up\npay w1 1000\nclose"
        )
    };
    let found = |lines: &[String]| codes(&mgc(json!({"mid_shoe_entry": false}), &lines.join("\n")));
    let (one, two) = (round(1), round(2));
    assert_eq!(
        found(&[shoe("a"), one.clone(), two.clone()]),
        ["wager.mid_shoe_entry"],
        "rounds that name no shoe are dealt from the last one"
    );
    for again in ["a", "b"] {
        let lines = [shoe("a"), one.clone(), shoe(again), two.clone()];
        assert_eq!(found(&lines), NOTHING, "{again}");
        let named: Vec<String> = lines
            .iter()
            .map(|line| line.replace("open\n", "open a\n"))
            .collect();
        let expected: &[&str] = if again == "a" {
            &[]
        } else {
            &["wager.mid_shoe_entry"]
        };
        assert_eq!(found(&named), expected, "{again}, which the rounds name");
    }
    assert_eq!(found(&[one, two]), NOTHING, "nobody tells of shoes");
}

#[test]
fn the_round_in_which_the_cutting_card_comes_out_is_the_last_of_its_shoe() {
    let round =
        "open a\nbet w1 1 main 1000\ncard seat 1 TC up\ncard dealer 7D up\ncard seat 1 9C up
        say 1 stand\ncard dealer TD up\npay w1 1000\nclose";
    let shoe = |cut: i64| {
        json!({"type": "shoe_started", "shoe": "a", "set": "s", "decks": 1,
        "method": "shoe", "cut": cut})
    };
    let found = |cut: i64, rounds: usize| {
        let lines = vec![round; rounds].join("\n").replace("TC", "QH");
        let mut bodies = mgc(json!({"decks": 1}), &lines);
        bodies.insert(1, shoe(cut));
        let found = codes(&bodies).into_iter();
        found.filter(|code| code == "deck.overdue_shuffle").count()
    };
    // Four cards a round: with 49 behind, the cutting card comes out in the first.
    assert_eq!(found(49, 1), 0);
    assert_eq!(found(49, 3), 1, "once a shoe");
    assert_eq!(found(48, 2), 0, "it lies on top of the shoe");
}

#[test]
fn a_card_is_burned_after_every_shuffle_and_by_every_new_dealer() {
    let shoe = |number: u32| {
        format!(
            "{{\"type\":\"shoe_started\",\"shoe\":\"s{number}\",\"set\":\"a\",\"decks\":6,\"method\":\"shoe\"}}"
        )
    };
    let dealer = "{\"type\":\"dealer_changed\",\"dealer\":\"d-2\"}";
    let round = "open\nbet w1 1 main 1000\ncard seat 1 TC up\ncard dealer TD up\ncard seat 1 9H up
         say 1 stand\ncard dealer 8C up\npay w1 1000\nclose";
    let red_dog = "open\nbet w1 1 original 1000\ncard community 5C up\ncard community 6D up
         push w1\nclose";
    // What happens before each round, and whether a card is burned in it.
    let told = |game: &str, round: &str, rounds: &[(&str, bool)]| {
        let lines = rounds.iter().map(|&(before, burns)| match burns {
            true => format!("{before}\n{}", round.replacen("open", "open\nburn", 1)),
            false => format!("{before}\n{round}"),
        });
        let lines: Vec<String> = lines.collect();
        let options = json!({"decks": 6});
        let found = codes(&table(game, "mgc-2017", options, &lines.join("\n")));
        found.into_iter().filter(|code| code == "deal.burn").count()
    };
    let (one, two) = (&*shoe(1), &*shoe(2));
    for (game, round) in [
        ("blackjack", round),
        ("spanish_21", &round.replace('T', "K")),
        ("red_dog", red_dog),
    ] {
        let found = |rounds: &[(&str, bool)]| told(game, round, rounds);
        assert_eq!(found(&[(one, true), ("", false), (two, true)]), 0, "{game}");
        assert_eq!(
            found(&[(one, true), ("", false), (two, false)]),
            1,
            "{game}"
        );
        // A feed that never tells of burns is not held to them.
        assert_eq!(found(&[(one, false), (two, false)]), 0, "{game}");
        let third = &dealer.replace("d-2", "d-3");
        let changes = [(one, true), (dealer, true), (third, false)];
        assert_eq!(found(&changes), 1, "{game}");
        assert_eq!(found(&[(one, true), (dealer, false)]), 1, "{game}");
        assert_eq!(found(&[(one, false), (dealer, false)]), 0, "{game}");
        // Who is named again has not come.
        let named = dealer.replace("d-2", "d-114");
        assert_eq!(found(&[(one, true), (&named, false)]), 0, "{game}");
    }
}

#[test]
fn a_double_shoe_is_dealt_from_the_side_that_its_card_names() {
    let options = || json!({"double_shoe": {"hearts_diamonds": "left", "spades_clubs": "right"}});
    let round = |shoe: &str, first: &str| {
        let lines = format!(
            "open {shoe}\nbet w1 1 main 1000\n{first}\ncard dealer 7C up\ncard seat 1 9H up\nsay 1 stand
             card dealer TD up\npay w1 1000\nclose"
        );
        codes(&mgc(options(), &lines))
    };
    let burned = "{\"type\":\"card_burned\",\"card\":\"2S\"}\ncard seat 1 KC up";
    assert_eq!(round("BJ-7-left", "card seat 1 KH up"), NOTHING);
    assert_eq!(round("BJ-7-right", burned), NOTHING);
    assert_eq!(round("BJ-7-left", burned), ["procedure.wrong_shoe_side"]);
    let dealt = "card seat 1 KC up";
    assert_eq!(round("BJ-7-left", dealt), ["procedure.wrong_shoe_side"]);
    assert_eq!(
        round("BJ-7", "card seat 1 KS up"),
        NOTHING,
        "nobody says which side"
    );
}

const DOUBLE_SHOE: &str =
    "{\"type\":\"shoe_started\",\"shoe\":\"left\",\"set\":\"a\",\"decks\":1,\"method\":\"shoe\"}
    {\"type\":\"shoe_started\",\"shoe\":\"right\",\"set\":\"b\",\"decks\":1,\"method\":\"shoe\"}";

#[test]
fn the_determinant_card_of_a_double_shoe_ends_the_betting() {
    let lines = "open\nbet w1 1 main 1000\n{\"type\":\"card_burned\",\"card\":\"KH\"}
        bet w2 2 main 1000\ncard seat 1 KS up\ncard seat 2 9S up\ncard dealer 6D up
        card seat 1 KD up\ncard seat 2 9D up\ncard dealer TD up\ncard dealer 9C up\npay w1 1000
        pay w2 1000\nclose";
    let double = json!({"double_shoe": {"hearts_diamonds": "left", "spades_clubs": "right"}});
    assert_eq!(codes(&mgc(double, lines)), ["wager.late"]);
    assert_eq!(
        codes(&mgc(json!({}), lines)),
        NOTHING,
        "another card burned"
    );
}

#[test]
fn the_determinant_card_of_a_double_shoe_takes_the_place_of_a_burn() {
    let shoe = "{\"type\":\"shoe_started\",\"shoe\":\"left\",\"set\":\"a\",\"decks\":6,\"method\":\"shoe\"}";
    let round =
        "card dealer 7C up\ncard seat 1 9H up\nsay 1 stand\ncard dealer TD up\npay w1 1000\nclose";
    let burned = "{\"type\":\"card_burned\",\"card\":\"2S\"}\ncard seat 1 KC up";
    let lines = format!(
        "{shoe}\nopen\nbet w1 1 main 1000\n{burned}\n{round}
         {shoe}\nopen\nbet w1 1 main 1000\ncard seat 1 KH up\n{round}"
    );
    let double = json!({"double_shoe": {"hearts_diamonds": "left", "spades_clubs": "right"}});
    assert_eq!(codes(&mgc(double, &lines)), NOTHING);
    assert_eq!(codes(&mgc(json!({}), &lines)), ["deal.burn"]);
}

#[test]
fn both_sides_of_a_double_shoe_hold_a_card_twice_and_no_more() {
    let round = |first: &str| {
        format!(
            "open\nbet w1 1 main 1000\ncard seat 1 {first} up\ncard dealer 7D up\ncard seat 1 9C up
             say 1 stand\ncard dealer TD up\npay w1 1000\nclose"
        )
    };
    let options = || {
        json!({"decks": 1,
        "double_shoe": {"hearts_diamonds": "left", "spades_clubs": "right"}})
    };
    let kings = |lines: &[String]| {
        let found = codes(&mgc(options(), &lines.join("\n"))).into_iter();
        found.filter(|code| code == "deck.duplicate_card").count()
    };
    let shoe = DOUBLE_SHOE.to_owned();
    let two = [shoe.clone(), round("KH"), round("KH")];
    assert_eq!(kings(&two), 0);
    // Seven of diamonds, nine of clubs and ten of diamonds come a third time too.
    let three = [shoe.clone(), round("KH"), round("KH"), round("KH")];
    assert_eq!(kings(&three), 4);
    let shuffled = [shoe.clone(), round("KH"), round("KH"), shoe, round("KH")];
    assert_eq!(kings(&shuffled), 0);
}

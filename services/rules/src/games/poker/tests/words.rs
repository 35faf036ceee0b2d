//! What is said in turn binds and goes before what is done. 7(d), 7(e), 7(g), 15(j)

use super::*;

const QUIET: &str = "3 x, 1 x";
const TWO_LEFT: &str = "1 c 400, 2 f, 3 x";

/// Hold'em with 10.00 in the pot before the flop, which seats 3 and 1 play; limits 4-20.
fn flop(actions: &str) -> Value {
    let options = json!({"bet_limits": vec![[400, 2000]; 4], "blinds": [200, 400]});
    // Nobody plays on alone.
    let later = if actions.contains(" f") { "" } else { QUIET };
    holdem_with(options, BLINDS, &[TWO_LEFT, actions, later, later])
}

/// Awards, refunds and what is owed, in short.
fn money(document: &Value) -> String {
    let settled = TABLE.settle(document);
    let pots = settled.pots().unwrap();
    let awards = pots
        .awards
        .iter()
        .map(|award| format!("{} wins {}", award.seat, award.amount));
    let back = pots.refunds.iter();
    let back = back.map(|back| format!("{} {} {}", back.seat, back.reason, back.amount));
    let owed = pots
        .owed
        .iter()
        .map(|owed| format!("{} owes {}", owed.seat, owed.amount));
    awards
        .chain(back)
        .chain(owed)
        .collect::<Vec<_>>()
        .join(", ")
}

fn assert_said(actions: &str, due: &str, codes: &[&str]) {
    let document = flop(actions);
    assert_eq!(money(&document), due, "{actions}");
    assert_eq!(TABLE.violations(&document), codes, "{actions}");
}

#[test]
fn a_word_in_turn_goes_before_the_chips() {
    let against = &["action.against_word"][..];
    assert_said(
        "3 b 400, 1 r 800 !call, 3 c 400",
        "1 wins $18.00, 1 change $4.00, 3 not_in_play $4.00",
        against,
    );
    assert_said("3 b 400, 1 c 400 !raise", "1 wins $18.00", against);
    assert_said(
        "3 b 400, 1 c 400 !raise, 3 c 400",
        "1 wins $26.00, 1 owes $4.00",
        against,
    );
    assert_said(
        "3 b 800 !check, 1 x",
        "1 wins $10.00, 3 change $8.00",
        against,
    );
    assert_said("3 b 800 !fold", "1 wins $10.00, 3 change $8.00", against);
    assert_said("3 x !bet, 1 c 400", "1 wins $18.00, 3 owes $4.00", against);
    assert_said("3 x !bet, 1 x", "1 wins $10.00", against);
    assert_said("3 f !check", "1 wins $10.00", against);
    // What is done as it was said is no fault.
    assert_said("3 x !check, 1 x !check", "1 wins $10.00", &[]);
    assert_said("3 b 400 !bet, 1 c 400 !call", "1 wins $18.00", &[]);
    assert_said("3 b 400, 1 f !fold", "3 wins $10.00, 3 uncalled $4.00", &[]);
}

#[test]
fn the_announced_amount_is_the_bet() {
    let mismatch = &["wager.announced_mismatch"][..];
    assert_said(
        "3 b 800 @1200, 1 c 1200",
        "1 wins $34.00, 3 owes $4.00",
        mismatch,
    );
    assert_said(
        "3 b 1200 @800, 1 c 800",
        "1 wins $26.00, 3 change $4.00",
        mismatch,
    );
    assert_said("3 b 800 @800, 1 c 800", "1 wins $26.00", &[]);
    // Who calls what he sees errs as little as who calls what he hears.
    assert_said("3 b 800 @1200, 1 c 800", "1 wins $26.00", mismatch);
    // Outside the limits it binds nobody, and the word beside it remains.
    assert_said("3 b 400 @100, 1 c 400", "1 wins $18.00", &[]);
    assert_said("3 b 400 @9000, 1 c 400", "1 wins $18.00", &[]);
    assert_said(
        "3 x !bet @9000, 1 c 400",
        "1 wins $18.00, 3 owes $4.00",
        &["action.against_word"],
    );
    // Nor out of turn.
    assert_said(
        "1 b 400 @800, 3 c 400",
        "1 wins $18.00",
        &["action.wrong_opener"],
    );
}

#[test]
fn who_throws_his_hand_away_owes_what_he_said() {
    let unpaid = &["wager.obligation_unpaid"][..];
    assert_said("3 b 400, 1 f !call", "3 wins $18.00, 1 owes $4.00", unpaid);
    assert_said("3 b 400, 1 f @1000", "3 wins $24.00, 1 owes $10.00", unpaid);
    assert_said("3 f !bet", "1 wins $14.00, 3 owes $4.00", unpaid);
    // With nothing to call the word obliges to nothing.
    assert_said("3 f !call", "1 wins $10.00", &[]);
    assert_said("3 f !raise", "1 wins $10.00", &[]);
}

#[test]
fn chips_that_follow_a_spoken_bet_belong_to_it() {
    assert_said("3 b 400 !bet, 3 b 600, 1 c 1000", "1 wins $30.00", &[]);
    assert_said("3 b 400 @1000, 3 b 600, 1 c 1000", "1 wins $30.00", &[]);
    assert_said(
        "3 b 400, 3 b 600, 1 c 400",
        "1 wins $18.00, 3 string_bet $6.00",
        &["wager.string_bet"],
    );
    assert_said(
        "3 b 400, 1 c 400 !call, 1 r 400",
        "1 wins $18.00, 1 string_bet $4.00",
        &["wager.string_bet"],
    );
}

#[test]
fn owed_chips_are_raked_and_set_against_what_goes_back() {
    let raked = json!([{"method": "percent", "rate_bp": 1000, "unit": 100}]);
    let document = with(flop("3 b 800 @1200, 1 c 1200"), "/options/rake", raked);
    let settled = TABLE.settle(&document);
    // One of the 10.00, two of the 24.00 of the flop.
    assert_eq!(settled.pots().unwrap().rake.get(), 300);
    // A raise that he does not put in is set against the surplus of his later bet.
    let document = holdem_with(
        json!({"bet_limits": vec![[400, 2000]; 4], "blinds": [200, 400]}),
        BLINDS,
        &[
            TWO_LEFT,
            "3 b 400, 1 c 400 !raise, 3 c 400",
            "3 x, 1 b 1000, 3 f",
            "",
        ],
    );
    assert_eq!(money(&document), "1 wins $26.00, 1 uncalled $6.00");
    assert_eq!(TABLE.violations(&document), ["action.against_word"]);
}

#[test]
fn words_stand_where_something_can_be_said() {
    let lawful = flop("3 b 400 !bet, 1 c 400");
    for (document, place) in [
        (
            with(lawful.clone(), "/wagers/0/verbal", json!("bet")),
            "wagers[0].verbal",
        ),
        (
            with(lawful.clone(), "/wagers/0/announced", json!(200)),
            "wagers[0].announced",
        ),
        (
            with(lawful.clone(), "/wagers/0/single_chip", json!(true)),
            "wagers[0].single_chip",
        ),
        (
            with(lawful.clone(), "/play/rounds/1/0/verbal", json!("bet")),
            "play.rounds[1][0].verbal",
        ),
        (flop("3 b 400 !call @400, 1 c 400"), "wagers[3].announced"),
        (flop("3 x !check @400, 1 x"), "play.rounds[1][0].announced"),
    ] {
        let refusal = TABLE.refusal(&document);
        assert!(
            refusal.starts_with(&format!("{place}: ")),
            "{place}\ngot {refusal}"
        );
    }
}

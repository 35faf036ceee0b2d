//! Compulsory bets as the sign may post them: one ante for the table, posts of new players, short stacks.

use super::*;

const NO_LIMIT: &str = "no_limit";

fn posted(extra: Value) -> Value {
    let mut options = json!({"bet_limits": vec![json!([600, null]); 4], "betting": NO_LIMIT, "blinds": [300, 600]});
    say(&mut options, extra);
    options
}

fn hand(extra: Value, seats: &[(u16, i64)], posts: &str, rounds: &[&str]) -> Value {
    round("holdem_high", posted(extra), seats, posts, rounds, hands())
}

type Awards = Vec<(u16, u16, i64)>;
type Refunds = Vec<(u16, &'static str, i64)>;

fn money(document: &Value) -> (Awards, Refunds) {
    let settled = TABLE.settle(document);
    let pots = settled.pots().unwrap();
    let awards = pots.awards.iter();
    let refunds = pots.refunds.iter();
    (
        awards
            .map(|award| (award.seat.number(), award.pot, award.amount.get()))
            .collect(),
        refunds
            .map(|back| (back.seat.number(), back.reason, back.amount.get()))
            .collect(),
    )
}

#[test]
fn the_others_call_the_blind_and_not_what_was_left_of_it() {
    let short = &[(1, 20_000), (2, 20_000), (3, 450)];
    let play = |rounds: &[&str]| {
        hand(
            json!({"tournament": true}),
            short,
            "2 blind 300, 3 blind 450",
            rounds,
        )
    };
    let called = play(&["1 c 600, 2 f"]);
    assert_eq!(
        money(&called),
        (vec![(1, 0, 1200)], vec![(1, "uncalled", 150)])
    );
    assert_eq!(TABLE.violations(&called), [""; 0]);
    // Where nobody else can act no more than the short blind has to be matched.
    let folded = play(&["1 f, 2 c 150"]);
    assert_eq!(TABLE.violations(&folded), [""; 0]);
    assert_eq!(money(&folded).0, [(2, 0, 900)]);
    // A call of what was left is short while others can still act.
    let less = play(&["1 c 450, 2 c 300", "2 x, 1 x", "2 x, 1 x", "2 x, 1 x"]);
    assert_eq!(TABLE.violations(&less), ["wager.short_call"]);
    // Nothing is missing from a player who has nothing left.
    let bare = &[(1, 20_000), (2, 20_000), (3, 100)];
    let ante = json!({"tournament": true, "ante": 100});
    let bare = hand(
        ante,
        bare,
        "1 ante 100, 2 ante 100, 3 ante 100, 2 blind 300",
        &["1 c 600, 2 f"],
    );
    assert_eq!(TABLE.violations(&bare), [""; 0]);
}

#[test]
fn one_ante_for_the_table_is_dead_money_of_the_main_pot() {
    let by = |word: &str| json!({"ante": 600, "ante_by": word});
    let raised = &["1 r 1500, 2 f, 3 f"];
    let posts = "3 ante 600, 2 blind 300, 3 blind 600";
    let document = hand(by("big_blind"), THREE, posts, raised);
    assert_eq!(
        money(&document),
        (vec![(1, 0, 2100)], vec![(1, "uncalled", 900)])
    );
    assert_eq!(TABLE.violations(&document), [""; 0]);
    let button = hand(
        by("button"),
        THREE,
        "1 ante 600, 2 blind 300, 3 blind 600",
        raised,
    );
    assert_eq!(TABLE.violations(&button), [""; 0]);
    let elsewhere = hand(by("button"), THREE, posts, raised);
    assert_eq!(
        TABLE.violations(&elsewhere),
        ["ante.missing", "ante.wrong_seat"]
    );
    let less = hand(
        by("big_blind"),
        THREE,
        "3 ante 500, 2 blind 300, 3 blind 600",
        raised,
    );
    assert_eq!(TABLE.violations(&less), ["ante.amount"]);
    // Who has nothing but the ante in contends for dead chips alone.
    let bare = &[(1, 20_000), (2, 20_000), (3, 600)];
    let options = json!({"ante": 600, "ante_by": "big_blind", "tournament": true});
    let quiet = "2 x, 1 x";
    let document = hand(
        options,
        bare,
        "3 ante 600, 2 blind 300",
        &["1 c 600, 2 c 300", quiet, quiet, quiet],
    );
    let document = with(document, "/play/hands/3", json!(["JC", "JD"]));
    assert_eq!(money(&document).0, [(1, 1, 1200), (3, 0, 600)]);
    assert_eq!(TABLE.violations(&document), [""; 0]);
    // And who has not even that contends for nothing: the main pot is that of the others.
    let none = with(document, "/options", posted(json!({"tournament": true})));
    let wagers = none["wagers"].as_array().unwrap().iter();
    let wagers: Vec<&Value> = wagers.filter(|wager| wager["kind"] != "ante").collect();
    let none = with(none.clone(), "/wagers", json!(wagers));
    let back = vec![(1, "change", 300), (2, "change", 300)];
    assert_eq!(money(&none), (vec![(1, 0, 600)], back));
    let stud = with(stud(), "/options/ante_by", json!("button"));
    assert!(TABLE.refusal(&stud).starts_with("options.ante_by: "));
}

#[test]
fn new_and_returning_players_post() {
    let four = &[(1, 20_000), (2, 20_000), (3, 20_000), (4, 20_000)];
    let raised = &[
        "4 x, 1 r 1200, 2 f, 3 f, 4 c 600",
        "4 x, 1 x",
        "4 x, 1 x",
        "4 x, 1 x",
    ];
    let play = |offered: bool, posts: &str| {
        let posts = format!("2 blind 300, 3 blind 600, {posts}");
        let document = hand(json!({"extra_posts": offered}), four, &posts, raised);
        with(document, "/play/hands/4", json!(["9C", "9D"]))
    };
    let both = "4 post 600, 4 dead_blind 300";
    assert_eq!(TABLE.violations(&play(true, both)), [""; 0]);
    assert_eq!(money(&play(true, both)).0, [(1, 0, 3600)]);
    assert_eq!(TABLE.violations(&play(false, both)), ["post.not_offered"]);
    let dead = play(true, "4 post 600, 4 dead_blind 200");
    assert_eq!(TABLE.violations(&dead), ["post.amount"]);
    let owed = play(true, "4 post 600, 3 dead_blind 300");
    assert_eq!(TABLE.violations(&owed), ["post.wrong_seat"]);
}

#[test]
fn a_vacant_blind_is_owed_by_nobody() {
    let play = |vacant: Value, extra: bool| {
        let quiet = "2 x, 3 x, 1 x";
        let rounds = &["3 c 600, 1 c 600, 2 x", quiet, quiet, quiet];
        let document = hand(json!({"extra_posts": extra}), THREE, "2 blind 600", rounds);
        with(document, "/play/vacant_blinds", vacant)
    };
    assert_eq!(TABLE.violations(&play(json!([0]), true)), [""; 0]);
    assert_eq!(
        TABLE.violations(&play(json!([]), true)),
        ["action.wrong_opener", "blind.amount", "blind.missing"]
    );
    for vacant in [
        play(json!([0]), false),
        play(json!([0, 1]), true),
        play(json!([2]), true),
    ] {
        assert!(TABLE.refusal(&vacant).starts_with("play.vacant_blinds: "));
    }
}

#[test]
fn of_two_the_button_may_post_the_first_blind() {
    let two = &[(1, 20_000), (2, 20_000)];
    let rounds = &["1 c 300, 2 x", "2 x, 1 x", "2 x, 1 x", "2 x, 1 x"];
    let play = |rule: &str| {
        hand(
            json!({"heads_up_blinds": rule}),
            two,
            "1 blind 300, 2 blind 600",
            rounds,
        )
    };
    assert_eq!(TABLE.violations(&play("button_small")), [""; 0]);
    assert_eq!(
        TABLE.violations(&play("left_of_button")),
        ["action.wrong_opener", "blind.amount"]
    );
}

#[test]
fn a_tournament_lets_a_short_stack_and_odd_coin_play() {
    let short = &[(1, 20_000), (2, 20_000), (3, 700)];
    let antes = "1 ante 40, 2 ante 40, 3 ante 40, 2 blind 300, 3 blind 600";
    let play = |is: bool| {
        hand(
            json!({"tournament": is, "ante": 40}),
            short,
            antes,
            &["1 f, 2 f"],
        )
    };
    assert_eq!(TABLE.violations(&play(true)), [""; 0]);
    assert_eq!(
        TABLE.violations(&play(false)),
        ["ante.coin", "stakes.insufficient"]
    );
}

#[test]
fn the_low_card_may_open_with_a_full_bet() {
    let document = |opens: &str| stud_with(&[opens]);
    assert_eq!(TABLE.violations(&document("1 b 400, 2 f")), [""; 0]);
    assert_eq!(
        TABLE.violations(&document("1 b 300, 2 f")),
        ["forced_bet.missing", "wager.under_min"]
    );
    // All-in for less than the forced bet, the others owe it in full.
    let short = with(
        document("1 F 150, 2 c 200"),
        "/play/seats/0/stack",
        json!(150),
    );
    let short = with(short, "/options/tournament", json!(true));
    assert_eq!(TABLE.violations(&short), [""; 0]);
}

#[test]
fn kills_are_of_the_edition() {
    let omaha = |form: &str, edition: &str| {
        let kill = json!({"type": "kill", "amount": 90_000});
        let options = json!({"bet_limits": limits(4), "blinds": [200, 400], "kill": kill});
        let own = if form.starts_with("five") {
            vec!["AS", "AD", "9C", "9D", "2D"]
        } else {
            vec!["AS", "AD", "9C", "9D"]
        };
        let play = json!({"hands": {"1": own}});
        let document = round(form, options, THREE, BLINDS, &["1 r 800, 2 f, 3 f"], play);
        with(document, "/edition", json!(edition))
    };
    for (form, edition, codes) in [
        ("omaha_high_low_8", "mgc-2017", vec![]),
        ("omaha_high_low_8", "mgc-amended", vec![]),
        ("five_card_omaha_high_low_8", "mgc-amended", vec![]),
        (
            "five_card_omaha_high_low_8",
            "mgc-2017",
            vec!["form.not_authorised", "kill.not_offered"],
        ),
    ] {
        assert_eq!(
            TABLE.violations(&omaha(form, edition)),
            codes,
            "{form} {edition}"
        );
    }
}

#[test]
fn the_share_that_is_withheld_is_posted_in_the_amended_text_alone() {
    let document = with(holdem(), "/options/jackpot", json!({"withheld_bp": 1000}));
    assert_eq!(TABLE.violations(&document), [""; 0]);
    let before = with(document, "/edition", json!("mgc-2017"));
    assert!(
        TABLE
            .refusal(&before)
            .starts_with("options.jackpot.withheld_bp: ")
    );
}

//! Awards of blackjack from a meter.

use catwalk_stories::{codes, feed, receive, script, settle, table};
use serde_json::{Value, json};

const NOTHING: [&str; 0] = [];
/// Another share of the meter than was won.
const WRONG_LESS: [&str; 2] = ["pay.under", "progressive.meter_mismatch"];
const WRONG_MORE: [&str; 2] = ["pay.over", "progressive.meter_mismatch"];

fn ohio(options: Value, lines: &str) -> Vec<Value> {
    table("blackjack", "oh-jack-2017", options, lines)
}

/// Three sevens of one suit against Blazing 7's, the whole meter of $40,000.
fn blazing(end: &str) -> Vec<Value> {
    let lines = format!(
        "{{\"type\":\"round_opened\",\"meters\":{{\"progressive\":4000000}}}}
         bet w1 3 main 1000\nbet w2 3 blazing_sevens 500\ncard seat 3 7D up\ncard dealer 7D up
         card seat 3 7D up\ncard dealer ??\nsay 3 hit\ncard seat 3 3C up\nsay 3 stand
         show dealer 1 TC\npush w1\n{end}\nclose"
    );
    ohio(json!({"side_bets": ["blazing_sevens"]}), &lines)
}

#[test]
fn a_meter_pays_for_the_chip_and_not_beside_it() {
    assert_eq!(codes(&blazing("jackpot w2 4000000")), NOTHING);
    assert_eq!(codes(&blazing("pay w2 3999500")), NOTHING);
    assert_eq!(codes(&blazing("take w2\njackpot w2 4000000")), NOTHING);
    assert_eq!(
        codes(&blazing("jackpot w2 4000000\npush w2")),
        ["progressive.stake_returned"]
    );
    let taken = |cents: i64| {
        format!("{{\"type\":\"wager_collected\",\"wager\":\"w2\",\"amount\":{cents}}}")
    };
    let then_taken = |paid: &str, cents: i64| codes(&blazing(&format!("{paid}\n{}", taken(cents))));
    assert_eq!(then_taken("pay w2 3999600", 100), NOTHING, "put right");
    assert_eq!(then_taken("pay w2 4000100", 100), NOTHING, "put right");
    assert_eq!(then_taken("pay w2 3999500", 500), NOTHING, "the stake");
    assert_eq!(then_taken("pay w2 3999500", 100), WRONG_LESS);
    assert_eq!(codes(&blazing("")), ["pay.unpaid"]);
}

#[test]
fn a_wrong_share_of_the_meter_is_a_fault_of_the_meter_too() {
    assert_eq!(codes(&blazing("jackpot w2 400000")), WRONG_LESS);
    assert_eq!(codes(&blazing("pay w2 3999600")), WRONG_MORE);
    assert_eq!(codes(&blazing("jackpot w2 100000")), WRONG_LESS, "$1,000");
    let twice = "jackpot w2 4000000\npay w2 3999500";
    assert_eq!(codes(&blazing(twice)), NOTHING, "one prize, told twice");
    let (findings, _) = settle(&blazing("jackpot w2 400000"));
    let mismatch = &findings[1];
    assert_eq!(mismatch.wager.as_deref(), Some("w2"));
    assert_eq!(mismatch.seat, Some(3));
    assert_eq!(
        mismatch.exposure.get(),
        0,
        "the money is told by the payment"
    );
    // Its chip goes back beside a right share, and beside a wrong one.
    assert_eq!(
        codes(&blazing("jackpot w2 4000000\npush w2")),
        ["progressive.stake_returned"]
    );
    assert_eq!(codes(&blazing("jackpot w2 4000100\npush w2")), WRONG_MORE);
}

#[test]
fn a_fixed_award_is_no_share_of_the_meter() {
    // Three sevens of both colours are worth $1,000, and the meter shows ten times that.
    let mixed = |paid: i64| {
        let lines = format!(
            "{{\"type\":\"round_opened\",\"meters\":{{\"progressive\":1000000}}}}
             bet w1 3 main 1000\nbet w2 3 blazing_sevens 500\ncard seat 3 7D up\ncard dealer 7D up
             card seat 3 7C up\ncard dealer ??\nsay 3 stand\nshow dealer 1 TC\ntake w1
             jackpot w2 {paid}\nclose"
        );
        codes(&ohio(json!({"side_bets": ["blazing_sevens"]}), &lines))
    };
    assert_eq!(mixed(100_000), NOTHING);
    assert_eq!(mixed(99_000), ["pay.under"]);
    // A tenth of the same meter is a share though it is as much.
    let tenth = |paid: i64| {
        let lines = format!(
            "{{\"type\":\"round_opened\",\"meters\":{{\"progressive\":1000000}}}}
             bet w1 3 main 1000\nbet w2 3 blazing_sevens 500\ncard seat 3 7D up\ncard dealer 7H up
             card seat 3 7D up\ncard dealer ??\nsay 3 stand\nshow dealer 1 TC\ntake w1
             jackpot w2 {paid}\nclose"
        );
        codes(&ohio(json!({"side_bets": ["blazing_sevens"]}), &lines))
    };
    assert_eq!(tenth(100_000), NOTHING);
    assert_eq!(tenth(110_000), WRONG_MORE);
}

/// Two boxes of four red and four black aces each at a Massachusetts table whose meter shows $5,000.
fn aces(paid: &str) -> Vec<String> {
    let lines = format!(
        "{{\"type\":\"round_opened\",\"meters\":{{\"progressive\":500000}}}}
         bet w1 1 main 1000\nbet w2 1 progressive 100\nbet w3 2 main 1000\nbet w4 2 progressive 100
         card seat 1 AD up\ncard seat 2 AC up\ncard dealer 9C up\ncard seat 1 AD up\ncard seat 2 AS up
         say 1 hit\ncard seat 1 AH up\nsay 1 hit\ncard seat 1 AH up\nsay 1 stand
         say 2 hit\ncard seat 2 AC up\nsay 2 hit\ncard seat 2 AS up\nsay 2 stand
         card dealer TD up\ntake w1\ntake w3\n{paid}\nclose"
    );
    let options = json!({"side_bets": ["progressive"], "decks": 6});
    codes(&table("blackjack", "mgc-2017", options, &lines))
}

#[test]
fn winners_of_the_meter_in_massachusetts_share_it_equally() {
    // Half of it is as much as three aces of one suit.
    assert_eq!(aces("jackpot w2 250000\njackpot w4 250000"), NOTHING);
    assert_eq!(aces("jackpot w4 250000\njackpot w2 250000"), NOTHING);
    assert_eq!(
        aces("jackpot w2 500000\njackpot w4 250000"),
        WRONG_MORE,
        "as if the other had not won"
    );
    assert_eq!(aces("jackpot w2 250000\njackpot w4 200000"), WRONG_LESS);
    assert_eq!(aces("jackpot w2 250000"), ["pay.unpaid"]);
}

#[test]
fn an_award_without_id_waits_at_the_cage() {
    let no_id = "{\"type\":\"irregularity\",\"kind\":\"winner_without_id\",\"detail\":{\"seat\":3},\"ruling\":\"to the cage\"}";
    let (findings, _) = settle(&blazing(no_id));
    assert_eq!(findings[0].code, "progressive.deferred_no_id");
    assert_eq!((findings[0].seat, findings.len()), (Some(3), 1));
    for (kind, ruling) in [
        ("no_valid_id", "kept"),
        ("missing_id", "kept"),
        ("award_deferred", "to the cage, the winner has no ID"),
    ] {
        let told = no_id
            .replace("winner_without_id", kind)
            .replace("to the cage", ruling);
        assert_eq!(codes(&blazing(&told)), ["progressive.deferred_no_id"]);
    }
    // It is the same when the winner comes back, rounds later.
    let comes_back = |cents: i64| {
        let mut bodies = blazing(no_id);
        bodies.extend(script(&format!("open\n{NEXT}\njackpot w2 {cents}")));
        let last = bodies.len() - 1;
        of_first(&bodies, last)
    };
    const DEFERRED: &str = "progressive.deferred_no_id";
    assert_eq!(comes_back(4_000_000), [DEFERRED]);
    let (code, mismatch) = ("pay.under", "progressive.meter_mismatch");
    assert_eq!(comes_back(3_000_000), [DEFERRED, code, mismatch]);
    // One winner without an ID leaves the other his award, and it is judged.
    let other = no_id.replace("\"seat\":3", "\"seat\":5");
    assert_eq!(
        codes(&blazing(&format!("{other}\njackpot w2 400000"))),
        [DEFERRED, "pay.under", "progressive.meter_mismatch"]
    );
}

/// The codes where the event at this place is of the first round.
fn of_first(bodies: &[Value], at: usize) -> Vec<String> {
    let mut events = feed(bodies);
    events[at].round = Some("r1".into());
    let (findings, _) = receive(events);
    let codes = findings.into_iter().map(|finding| finding.code);
    codes.filter(|code| code != "finding.resolved").collect()
}

#[test]
fn a_meter_moves_with_its_shares_and_only_with_them() {
    let read = |amount: i64| {
        format!(
            "jackpot w2 4000000\n{{\"type\":\"meter_read\",\"meter\":\"progressive\",\"amount\":{amount}}}"
        )
    };
    assert_eq!(codes(&blazing(&read(1_000_000))), NOTHING);
    assert_eq!(
        codes(&blazing(&read(1_000_350))),
        NOTHING,
        "other tables feed it"
    );
    assert_eq!(
        codes(&blazing(&read(4_000_000))),
        ["progressive.meter_mismatch"]
    );
    for wrong in [900_000, 2_000_000] {
        assert_eq!(
            codes(&blazing(&read(wrong))),
            ["progressive.meter_mismatch"]
        );
    }
    let fixed = |after: i64| {
        let lines = format!(
            "{{\"type\":\"round_opened\",\"meters\":{{\"progressive\":4000000}}}}
             bet w1 3 main 1000\nbet w2 3 blazing_sevens 500\ncard seat 3 7D up\ncard dealer 8D up
             card seat 3 9D up\ncard dealer ??\nsay 3 stand\nshow dealer 1 TC\ntake w1\njackpot w2 1000
             {{\"type\":\"meter_read\",\"meter\":\"progressive\",\"amount\":{after}}}\nclose"
        );
        codes(&ohio(json!({"side_bets": ["blazing_sevens"]}), &lines))
    };
    assert_eq!(fixed(4_000_350), NOTHING);
    assert_eq!(fixed(3_999_000), ["progressive.meter_mismatch"]);
    assert_eq!(
        fixed(3_999_350),
        ["progressive.meter_mismatch"],
        "moved by it and fed since"
    );
    assert_eq!(fixed(1_000_000), NOTHING, "another table won the meter");
}

#[test]
fn a_share_of_the_meter_is_verified_by_a_supervisor_and_surveillance() {
    let verified = |by: &str, witness: Option<&str>| {
        let person = |role: &str| json!({"id": role, "role": role});
        let mut prize = json!({"type": "jackpot_paid", "meter": "progressive", "wager": "w2",
            "amount": 4_000_000, "by": person(by)});
        if let Some(role) = witness {
            prize["witness"] = person(role);
        }
        codes(&blazing(&prize.to_string()))
    };
    assert_eq!(verified("floorperson", Some("surveillance")), NOTHING);
    assert_eq!(verified("pit_boss", None), ["progressive.unverified"]);
    assert_eq!(
        verified("dealer", Some("surveillance")),
        ["progressive.unverified"]
    );
    assert_eq!(
        codes(&blazing("jackpot w2 4000000")),
        NOTHING,
        "nobody is named"
    );
}

#[test]
fn a_share_that_nobody_verified_shows_where_others_were_verified() {
    let prize = "{\"type\":\"jackpot_paid\",\"meter\":\"progressive\",\"wager\":\"w2\",\"amount\":4000000,\"by\":{\"id\":\"s\",\"role\":\"supervisor\"},\"witness\":{\"id\":\"x\",\"role\":\"surveillance\"}}";
    let twice = |first: &str| {
        let mut bodies = blazing(first);
        bodies.extend(blazing("jackpot w2 4000000").split_off(1));
        let found = codes(&bodies).into_iter();
        found
            .filter(|code| code == "progressive.unverified")
            .count()
    };
    assert_eq!(twice(prize), 1);
    assert_eq!(twice("jackpot w2 4000000"), 0);
}

#[test]
fn shares_are_paid_in_the_order_in_which_the_hands_were_dealt() {
    // A tenth of $10,000, then a tenth of what is left.
    let shares = |paid: &str| {
        let lines = format!(
            "{{\"type\":\"round_opened\",\"meters\":{{\"progressive\":1000000}}}}
             bet w1 1 main 1000\nbet w2 1 blazing_sevens 500\nbet w3 2 main 1000
             bet w4 2 blazing_sevens 500\ncard seat 1 7S up\ncard seat 2 7S up\ncard dealer 7C up
             card seat 1 7C up\ncard seat 2 7C up\ncard dealer ??\nsay 1 stand\nsay 2 stand
             show dealer 1 TC\ntake w1\ntake w3\n{paid}\nclose"
        );
        codes(&ohio(json!({"side_bets": ["blazing_sevens"]}), &lines))
    };
    let (first, second) = ("jackpot w2 100000", "jackpot w4 90000");
    assert_eq!(shares(&format!("{first}\n{second}")), NOTHING);
    let turned = shares(&format!("{second}\n{first}"));
    assert_eq!(turned, ["progressive.meter_mismatch"]);
    let untaken = shares(&format!("{first}\njackpot w4 100000"));
    assert_eq!(untaken, WRONG_MORE, "the first share had not come off");
}

/// A tenth of a meter of $12,345.67 at Blazing 7's, told by these events, and what comes after.
fn tenth(won: &str, then: &str) -> Vec<String> {
    let lines = format!(
        "{{\"type\":\"round_opened\",\"meters\":{{\"progressive\":1234567}}}}
         bet w1 2 main 2000\nbet w2 2 blazing_sevens 500\ncard seat 2 7S up\ncard dealer 7C up
         card seat 2 7C up\ncard dealer ??\nsay 2 stand\nshow dealer 1 TH\ntake w1\n{won}\n{then}"
    );
    codes(&ohio(json!({"side_bets": ["blazing_sevens"]}), &lines))
}

const NEXT: &str = "bet w3 2 main 2000\ncard seat 2 TS up\ncard dealer 6C up\ncard seat 2 TC up
    card dealer ??\nsay 2 stand\nshow dealer 1 TH\ncard dealer 9D up\npay w3 2000\nclose";

#[test]
fn a_share_is_paid_and_verified_before_the_next_round() {
    let prize = "{\"type\":\"jackpot_paid\",\"meter\":\"progressive\",\"wager\":\"w2\",\"amount\":123456,
        \"by\":{\"id\":\"s\",\"role\":\"supervisor\"},\"witness\":{\"id\":\"x\",\"role\":\"surveillance\"}}"
        .replace('\n', "");
    let in_time = tenth(&prize, &format!("close\nopen\n{NEXT}"));
    assert_eq!(in_time, NOTHING);
    let bodies = |before: &str, after: &str| {
        let lines = format!(
            "{{\"type\":\"round_opened\",\"meters\":{{\"progressive\":1234567}}}}
             bet w1 2 main 2000\nbet w2 2 blazing_sevens 500\ncard seat 2 7S up
             card dealer 7C up\ncard seat 2 7C up\ncard dealer ??\nsay 2 stand
             show dealer 1 TH\ntake w1\n{before}\nopen\n{after}"
        );
        ohio(json!({"side_bets": ["blazing_sevens"]}), &lines)
    };
    let closed = bodies("close", &format!("{prize}\n{NEXT}"));
    let at = closed
        .iter()
        .position(|body| body["type"] == "jackpot_paid")
        .unwrap();
    assert_eq!(
        of_first(&closed, at),
        ["pay.unpaid", "progressive.unverified"]
    );
    let wrong = bodies(
        "close",
        &format!("{}\n{NEXT}", prize.replace("123456,", "223456,")),
    );
    assert_eq!(
        of_first(&wrong, at),
        [
            "pay.unpaid",
            "progressive.unverified",
            "progressive.meter_mismatch"
        ]
    );
    // What a meter that nobody read owes may be paid later too, and nobody can say how much it is.
    let unread = |mut bodies: Vec<Value>| {
        let opened = bodies.iter_mut().find(|body| !body["meters"].is_null());
        drop(opened.unwrap()["meters"].take());
        bodies
    };
    assert_eq!(of_first(&unread(wrong), at), ["progressive.unverified"]);
    let deferred = "{\"type\":\"irregularity\",\"kind\":\"winner_without_id\",\"detail\":{\"seat\":2},\"ruling\":\"to the cage\"}\nclose";
    let waits = bodies(deferred, NEXT);
    assert_eq!(codes(&waits), ["progressive.deferred_no_id"]);
}

#[test]
fn the_next_round_shows_what_an_award_made_of_the_meter() {
    let next = |after: i64| {
        let opened =
            format!("{{\"type\":\"round_opened\",\"meters\":{{\"progressive\":{after}}}}}");
        tenth("jackpot w2 123456", &format!("close\n{opened}\n{NEXT}"))
    };
    assert_eq!(next(1_111_111), NOTHING);
    assert_eq!(next(1_111_461), NOTHING, "its tables feed it");
    assert_eq!(next(1_234_567), ["progressive.meter_mismatch"]);
    assert_eq!(
        next(1_000_000),
        NOTHING,
        "another table won a tenth of it too"
    );
    assert_eq!(
        tenth("jackpot w2 123456", &format!("close\nopen\n{NEXT}")),
        NOTHING
    );
}

#[test]
fn every_award_in_massachusetts_is_validated_by_a_supervisor() {
    let aces = |role: Option<&str>| {
        let mut prize = json!({"type": "jackpot_paid", "meter": "progressive", "wager": "w2",
            "amount": 2500});
        if let Some(role) = role {
            prize["by"] = json!({"id": role, "role": role});
        }
        let lines = format!(
            "open\nbet w1 1 main 1000\nbet w2 1 progressive 100\ncard seat 1 AC up
             card dealer 9D up\ncard seat 1 AH up\nsay 1 stand\ncard dealer TC up\ntake w1
             {prize}\nclose"
        );
        let options = json!({"side_bets": ["progressive"]});
        codes(&table("blackjack", "mgc-2017", options, &lines))
    };
    assert_eq!(aces(Some("floorperson")), NOTHING);
    assert_eq!(aces(Some("dealer")), ["progressive.unverified"]);
    assert_eq!(aces(None), NOTHING, "nobody is named");
}

/// Two rounds of an Ohio table with this posted limit of King's Bounty and this minimum on its sign.
fn bounty(most: Value, least: i64) -> Vec<String> {
    let round = "open\nbet w1 1 main 1000\nbet w2 1 kings_bounty 20000\ncard seat 1 TC up
        card dealer 6D up\ncard seat 1 9C up\ncard dealer ??\nsay 1 stand\nshow dealer 1 TD
        card dealer 9C up\npay w1 1000\ntake w2\nclose";
    let options = json!({"side_bets": ["kings_bounty"], "kings_bounty_max_payout": most});
    let mut bodies = ohio(options, &format!("{round}\n{round}"));
    bodies[0]["limits"] = json!([{"kind": "kings_bounty", "min": least, "max": 100000}]);
    codes(&bodies)
}

#[test]
fn a_payout_limit_covers_a_win_with_the_least_that_is_posted() {
    // 500 to 1 on $100 is $50,000.
    assert_eq!(bounty(json!(5_000_000), 10_000), NOTHING);
    assert_eq!(bounty(json!(5_000_000), 10_100), ["config.conflict"]);
    assert_eq!(bounty(json!(5_050_000), 10_100), NOTHING);
    assert_eq!(bounty(json!(null), 10_100), NOTHING);
    let queens = |pays: Value| {
        let lines = "open\nbet w1 1 main 1000\nbet w2 1 twenty_point_bonus 3000\ncard seat 1 TC up
            card dealer 6D up\ncard seat 1 9C up\nsay 1 stand\ncard dealer TD up
            card dealer 9C up\npay w1 1000\ntake w2\nclose";
        let options = json!({"side_bets": ["twenty_point_bonus"], "pays": pays,
            "twenty_point_aggregate_max": 2_600_000});
        let mut bodies = table("blackjack", "mgc-2017", options, lines);
        bodies[0]["limits"] = json!([{"kind": "twenty_point_bonus", "min": 2500, "max": 100000}]);
        codes(&bodies)
    };
    assert_eq!(queens(json!({})), NOTHING, "1000 to 1 on $25 is $25,000");
    let more = json!({"twenty_point_bonus": {"queens_dealer_blackjack": "1050:1"}});
    assert_eq!(queens(more), ["config.conflict"]);
}

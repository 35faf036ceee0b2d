//! What is put right or explained later is said, and names the finding that it closes.

use catwalk_settler::Finding;

use crate::script;

/// Findings of a story at roulette.
fn found(lines: &str) -> Vec<Finding> {
    let text = format!("== a story\ntable roulette mgc-2017\n0:00 wheel pass\n{lines}");
    let told = script::read(&text);
    told[0].play()
}

/// The code of the finding that each resolution closes, with what it makes good.
fn resolved(lines: &str) -> Vec<(String, i64)> {
    let findings = found(lines);
    let closing = findings
        .iter()
        .filter(|finding| finding.code == "finding.resolved");
    closing
        .map(|closing| {
            let id = closing.resolves.as_ref().unwrap();
            let closed = findings.iter().find(|finding| finding.id == *id).unwrap();
            for seq in &closed.evidence {
                assert!(closing.evidence.contains(seq), "{:?}", closing.evidence);
            }
            assert_ne!(closing.id, closed.id);
            (closed.code.clone(), closing.exposure.get())
        })
        .collect()
}

fn one(code: &str, exposure: i64) -> Vec<(String, i64)> {
    vec![(code.to_owned(), exposure)]
}

const RED_WINS: &str = "round\nbet w1 1 red 1000\nno-more-bets\nspun 1\n";
const RED_LOSES: &str = "round\nbet w1 1 red 1000\nno-more-bets\nspun 2\n";

#[test]
fn what_was_not_paid_is_paid_after_the_round() {
    let told = format!("{RED_WINS}close\n0:02 paid w1 1000");
    assert_eq!(resolved(&told), one("pay.unpaid", 1000));
}

#[test]
fn what_was_paid_too_much_is_taken_back_in_two_parts() {
    let told = format!(
        "{RED_WINS}paid w1 5000\nclose\n0:02 \
         {{\"type\": \"wager_collected\", \"wager\": \"w1\", \"amount\": 3000}}"
    );
    assert_eq!(resolved(&told), []);
    let told =
        format!("{told}\n{{\"type\": \"wager_collected\", \"wager\": \"w1\", \"amount\": 1000}}");
    assert_eq!(resolved(&told), one("pay.over", -4000));
}

#[test]
fn a_losing_wager_is_collected_after_the_round() {
    let told = format!("{RED_LOSES}pushed w1\nclose\n0:02 took w1");
    assert_eq!(resolved(&told), one("pay.uncollected", -1000));
}

#[test]
fn a_payment_of_another_wager_puts_nothing_right() {
    let told = format!("{RED_WINS}close\n0:02 paid w2 1000");
    assert_eq!(resolved(&told), []);
    let codes: Vec<String> = found(&told)
        .into_iter()
        .map(|finding| finding.code)
        .collect();
    assert_eq!(codes, ["pay.unpaid", "feed.payout_without_round"]);
}

#[test]
fn a_correction_in_the_round_leaves_nothing_to_resolve() {
    let told = format!("{RED_WINS}paid w1 400\npaid w1 600\nclose");
    assert!(found(&told).is_empty());
}

#[test]
fn a_late_wager_is_given_back() {
    let told = format!("{RED_WINS}bet w2 2 red 1000\ntaken w2\npaid w1 1000\nclose");
    assert_eq!(resolved(&told), one("wager.late", -1000));
    let codes: Vec<String> = found(&told)
        .into_iter()
        .map(|finding| finding.code)
        .collect();
    assert_eq!(codes, ["wager.late", "finding.resolved"]);
}

#[test]
fn a_late_wager_is_pushed_back_and_not_paid() {
    let late = format!("{RED_WINS}bet w2 2 red 1000\n");
    let told = format!("{late}pushed w2\npaid w1 1000\nclose");
    assert_eq!(resolved(&told), one("wager.late", -1000));
    let part =
        |cents: u32| format!(r#"{{"type": "wager_pushed", "wager": "w2", "amount": {cents}}}"#);
    let told = format!("{late}{}\npaid w1 1000\nclose", part(1000));
    assert_eq!(resolved(&told), one("wager.late", -1000));
    let told = format!("{late}{}\npaid w1 1000\nclose", part(400));
    assert_eq!(resolved(&told), []);
    let told = format!("{late}paid w2 1000\npushed w2\npaid w1 1000\nclose");
    assert_eq!(resolved(&told), []);
}

#[test]
fn a_wager_that_was_made_in_time_is_pushed_and_resolves_nothing() {
    let told = "round\nbet w1 1 red 1000\nno-more-bets\nchanged w1 5000\nspun 1\n\
        pushed w1\npaid w1 1000\nclose";
    assert_eq!(resolved(told), []);
}

#[test]
fn what_a_ruling_tells_of_itself_is_not_settled_by_it() {
    let ruling = r#"{"type": "irregularity", "kind": "capped", "ruling": "noted"}"#;
    let told = format!("{RED_WINS}{ruling}\nchanged w1 5000\npaid w1 1000\nclose");
    assert_eq!(resolved(&told), []);
    let told = format!("{RED_WINS}changed w1 5000\n{ruling}\npaid w1 1000\nclose");
    assert_eq!(resolved(&told), one("wager.capped", 0));
}

#[test]
fn a_stake_is_put_back_to_what_it_was_at_the_call() {
    let told = format!("{RED_WINS}changed w1 5000\nchanged w1 1000\npaid w1 1000\nclose");
    assert_eq!(resolved(&told), one("wager.capped", -4000));
    let told = format!("{RED_WINS}changed w1 5000\npaid w1 1000\nclose");
    assert_eq!(resolved(&told), []);
}

#[test]
fn a_supervisor_rules_before_or_after_it_is_found() {
    let ruling = r#"{"type": "irregularity", "kind": "mispay", "detail": {"wager": "w1"}, "ruling": "the payment stands"}"#;
    let told = format!("{RED_WINS}paid w1 5000\n{ruling}\nclose");
    assert_eq!(resolved(&told), one("pay.over", 0));
    let late = r#"{"type": "irregularity", "kind": "late", "ruling": "accepted"}"#;
    let told = format!("{RED_WINS}bet w2 2 red 1000\n{late}\npaid w1 1000\npaid w2 1000\nclose");
    assert!(resolved(&told).contains(&("wager.late".to_owned(), 0)));
    let other = r#"{"type": "irregularity", "kind": "mispay", "detail": {"wager": "w9"}, "ruling": "stands"}"#;
    let told = format!("{RED_WINS}paid w1 5000\n{other}\nclose");
    assert_eq!(resolved(&told), []);
}

#[test]
fn a_void_round_undoes_what_was_done_to_its_wagers_but_not_to_its_equipment() {
    let told = "round\nbet w1 1 red 1000\nno-more-bets\nchanged w1 5000\nspun 44\nvoid";
    let codes: Vec<String> = found(told)
        .into_iter()
        .map(|finding| finding.code)
        .collect();
    assert_eq!(
        codes,
        ["wager.capped", "wheel.illegal_result", "finding.resolved"]
    );
    assert_eq!(resolved(told), one("wager.capped", -4000));
}

#[test]
fn a_recount_closes_what_a_miscount_opened() {
    let text = "== a story\ntable blackjack mgc-2017\n0:00 opened R1 red 6\nshoe R1 6 shoe\n\
        counted R1 311\ncounted R1 312\nrounds 1";
    let findings = script::read(text)[0].play();
    let codes: Vec<&str> = findings
        .iter()
        .map(|finding| finding.code.as_str())
        .collect();
    assert_eq!(codes, ["deck.missing_card", "finding.resolved"]);
    assert_eq!(findings[1].resolves.as_ref(), Some(&findings[0].id));
}

#[test]
fn a_missing_card_is_replaced_before_use() {
    let text = "== a story\ntable blackjack mgc-2017\n0:00 delivered R1 red 6\n\
        {\"type\": \"cards_inspected\", \"set\": \"R1\", \"missing\": [\"7H\"], \"extra\": [], \
        \"unsuitable\": [], \"dealer\": \"d\", \"supervisor\": \"s\"}\nreplaced R1 7H\nopen R1\n\
        shoe R1 6 shoe";
    let findings = script::read(text)[0].play();
    let codes: Vec<&str> = findings
        .iter()
        .map(|finding| finding.code.as_str())
        .collect();
    assert_eq!(codes, ["deck.missing_card", "finding.resolved"]);
}

#[test]
fn a_deadline_that_only_a_wrong_clock_saw_pass_is_still_to_come() {
    let text = "== a story\ntable blackjack mgc-2017\n0:00 opened R1 red 6\nshoe R1 6 shoe\n\
        99:00 clock\n0:10 clock\n1:00 rounds 1\n24:01 clock";
    let findings = script::read(text)[0].play();
    let codes: Vec<&str> = findings
        .iter()
        .map(|finding| finding.code.as_str())
        .collect();
    let expected = [
        "deck.overdue",
        "feed.clock",
        "finding.resolved",
        "deck.overdue",
    ];
    assert_eq!(codes, expected);
    assert_eq!(findings[2].resolves.as_ref(), Some(&findings[0].id));
    assert_ne!(findings[3].id, findings[0].id);
}

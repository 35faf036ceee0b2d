//! What a table posts against its rules is told when it is posted.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{Story, script};

/// Codes about the posting that need a wager or a shoe to be seen.
const SEEN_IN_PLAY: [&str; 3] = [
    "config.cover_all_without_shuffler",
    "config.exclusive_side_bets",
    "deck.illegal_count",
];

fn is_of_posting(code: &str) -> bool {
    const ALONE: [&str; 3] = [
        "craps.vig_over_cap",
        "limits.ratio",
        "payout.unapproved_odds",
    ];
    let mut families = ["config.", "option.", "options."].into_iter();
    let is_of_family = families.any(|family| code.starts_with(family));
    (is_of_family || ALONE.contains(&code)) && !SEEN_IN_PLAY.contains(&code)
}

/// The codes of a posting that are found when a table opens with it, and nothing else happens.
fn found(document: &Value) -> BTreeSet<String> {
    let mut story = Story::new();
    let opening = json!({"type": "table_opened", "game": document["game"],
        "edition": document["edition"], "options": document["options"], "limits": [],
        "opening_inventory": 0, "dealer": "d-1"});
    story.tell("device", 0, opening);
    story.finish();
    let codes = story.findings.into_iter().map(|finding| finding.code);
    codes.filter(|code| is_of_posting(code)).collect()
}

#[test]
fn every_sample_round_is_announced_by_the_opening_of_its_table() {
    let rulebook = catwalk_stories::rulebook();
    let mut wrong = Vec::new();
    let mut announced = BTreeSet::new();
    for game in rulebook.games() {
        for line in game.examples().lines() {
            let example: Value = serde_json::from_str(line).unwrap();
            let Some(violations) = example["settlement"]["violations"].as_array() else {
                continue;
            };
            let violations = violations.iter().filter_map(Value::as_str);
            let due: BTreeSet<String> = violations
                .filter(|code| is_of_posting(code))
                .map(str::to_owned)
                .collect();
            let mut document = example["document"].clone();
            if document["options"].is_null() {
                document["options"] = json!({});
            }
            let found = found(&document);
            if found != due {
                let name = format!("{} / {}", game.name(), example["name"]);
                wrong.push(format!("{name}: found {found:?} instead of {due:?}"));
            }
            announced.extend(found);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(announced.len() > 10, "{announced:?}");
}

/// Where a payout limit has to cover a win with the least that may be bet: the game, its edition, the highest
/// minimum that the limit covers, what a higher one is called, the kinds on the sign, and the options.
const COVERED: &str = r#"
# 1:1 on ante and play, 5:1 on the ante, 40:1 on the pair plus, 1000:1 on the six cards.
three_card_poker oh-jack-2017 4775 config.payout_limit_too_low ante,pair_plus,six_card_bonus {"max_payout": 5000000}
# 1:1 on ante and play, 200:1 on the super bonus.
crazy_four_poker oh-jack-2017 24752 config.payout_limit_too_low ante {"max_payout": 5000000}
# 1:1 on ante and play, 25:1 on the ante, 50:1 on the aces up.
four_card_poker oh-jack-2017 64935 config.payout_limit_too_low ante,aces_up {"max_payout": 5000000}
# 1000:1 on the bet and its double.
double_down_stud mgc-2017 5000 config.payout_limit_too_low bet {"payout_limit": 10000000}
# 1000:1 on three bets.
let_it_ride mgc-2017 1666 config.payout_limit_too_low bet_1 {"payout_limit": 5000000}
let_it_ride oh-jack-2017 1666 config.payout_limit_too_low bet_1 {"payout_limit": 5000000}
# 500:1 on ten antes, and 40:1 on the board.
mississippi_stud oh-jack-2017 992 config.payout_limit_too_low ante {"payout_limit": 5000000}
# 8000:1 on the bonus, 16(d); 14.G.
pai_gow_poker mgc-2017 500 config.payout_limit_too_low bonus {"max_payout_bonus": 4000000}
pai_gow_poker oh-jack-2017 625 config.payout_limit_too_low fortune_bonus {"max_payout_fortune": 5000000}
commission_free_pai_gow_poker oh-jack-2017 625 config.payout_limit_too_low fortune_bonus {"max_payout_fortune": 5000000}
# 500:1 on the seven cards, 18(d).
pai_gow_poker mgc-2017 10000 config.payout_limit_too_low seven_card_bonus {"max_payout_seven_card": 5000000}
# 1000:1 on two queens of hearts, 24(h).
blackjack mgc-2017 5000 config.conflict twenty_point_bonus {"side_bets": ["twenty_point_bonus"], "twenty_point_aggregate_max": 5000000}
# 500:1 on two kings of spades, King's Bounty v.
blackjack oh-jack-2017 10000 config.conflict kings_bounty {"side_bets": ["kings_bounty"], "kings_bounty_max_payout": 5000000}
"#;

const TOO_LOW: &str = "config.payout_limit_too_low";

#[test]
fn a_payout_limit_is_held_against_the_signs_as_soon_as_both_are_posted() {
    let lines = COVERED.lines().filter(|line| !line.starts_with('#'));
    for line in lines.filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.splitn(6, ' ').collect();
        let [game, edition, least, code, kinds, options] = words[..] else {
            panic!("{line}");
        };
        let least: i64 = least.parse().unwrap();
        let signs = |least: i64| -> String {
            let sign = |kind: &str| json!({"kind": kind, "min": least, "max": 100 * least});
            json!(kinds.split(',').map(sign).collect::<Vec<Value>>()).to_string()
        };
        let (lawful, low) = (signs(least), signs(least + 1));
        let changed = |limits: &str| format!(r#"{{"type": "limits_changed", "limits": {limits}}}"#);
        let ruled = |options: &str| {
            format!(r#"{{"type": "rules_changed", "edition": "{edition}", "options": {options}}}"#)
        };
        let (to_low, to_lawful) = (changed(&low), changed(&lawful));
        let (posts, drops) = (ruled(options), ruled("{}"));
        let opens = |options: &str, limits: &str| {
            format!("table {game} {edition} {options} limits {limits}\n0:00 clock\n")
        };
        let rounds = "0:50 round\nvoid\nround\nvoid\n";
        let stories: [(String, &[i64]); 8] = [
            (opens(options, &low) + rounds, &[0]),
            (opens(options, &lawful) + rounds, &[]),
            (opens("{}", &low) + rounds, &[]),
            (opens(options, "[]") + rounds, &[]),
            // The signs make the fault, unmake it, and make it again.
            (
                opens(options, &lawful)
                    + &format!(
                        "0:10 {to_low}\n{rounds}1:00 {to_low}\n1:10 {to_lawful}\n1:20 {to_low}"
                    ),
                &[10, 80],
            ),
            // Signs that only come with the change.
            (
                opens(options, "[]") + &format!("0:10 {to_low}\n{rounds}"),
                &[10],
            ),
            // So do the rules.
            (
                opens("{}", &low) + &format!("0:10 {posts}\n{rounds}1:00 {drops}\n1:10 {posts}"),
                &[10, 70],
            ),
            // The house may do so in a field trial.
            (
                format!(
                    "table {game} {edition} {options} with {{\"trial\": true}} limits {low}\n{rounds}"
                ),
                &[],
            ),
        ];
        for (told, minutes) in stories {
            let text = format!("== {game}\n{told}\nof {code}");
            let stories = script::read(&text);
            let found = stories[0].play_by_the_clock();
            let found: Vec<i64> = found.iter().map(|(seconds, _)| seconds / 60).collect();
            assert_eq!(found, minutes, "{told}");
        }
    }
}

#[test]
fn a_payout_limit_that_no_minimum_bears_on_is_held_against_its_floor_alone() {
    for (game, edition, option, floor, kind) in [
        (
            "caribbean_stud",
            "mgc-2017",
            "bet_payout_limit",
            500_000,
            "ante",
        ),
        (
            "colorado_holdem",
            "mgc-2017",
            "payout_limit",
            5_000_000,
            "ante",
        ),
    ] {
        let found = |limit: i64| {
            let text = format!(
                r#"== {game}
                table {game} {edition} {{"{option}": {limit}}} limits [{{"kind": "{kind}", "min": 100000, "max": 1000000}}]
                0:00 clock
                of {TOO_LOW}"#
            );
            script::read(&text)[0].play().len()
        };
        assert_eq!(found(floor), 0, "{game}");
        assert_eq!(found(floor - 1), 1, "{game}");
    }
}

#[test]
fn a_pay_table_of_another_edition_is_told_when_the_table_opens() {
    let found = |edition: &str, paytable: &str| {
        let text = format!(
            r#"== Let it ride
            table let_it_ride {edition} {{"three_card_bonus_paytable": "{paytable}"}}
            0:00 clock
            0:10 round
            void
            of config."#
        );
        let told = script::read(&text);
        let found = told[0].play_by_the_clock().into_iter();
        found
            .map(|(seconds, finding)| (seconds, finding.code))
            .collect::<Vec<_>>()
    };
    let unknown = (0, "config.paytable_unknown".to_owned());
    assert_eq!(found("mgc-2017", "standard"), [unknown]);
    assert_eq!(found("mgc-2017", "A"), []);
}

#[test]
fn each_narrow_limit_of_one_opening_is_a_finding_of_its_own() {
    let kinds = ["player", "banker", "tie"];
    let limits = kinds.map(|kind| json!({"kind": kind, "min": 1_000, "max": 5_000}));
    let opened = json!({"type": "table_opened", "game": "minibaccarat", "edition": "mgc-2017",
        "options": {}, "limits": limits, "opening_inventory": 5_000_000, "dealer": "d-1"});
    let (findings, _) = catwalk_stories::settle(&[opened]);
    let narrow = findings.iter().filter(|it| it.code == "limits.ratio");
    let ids: BTreeSet<&str> = narrow.map(|it| it.id.as_str()).collect();
    // A tie pays more than 5 to 1, and may have any limits.
    assert_eq!(ids.len(), 2, "{findings:?}");
}

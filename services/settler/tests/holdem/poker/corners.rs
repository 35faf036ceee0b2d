//! What differs between the two texts of the room, records that add up, and devices that leave the table.

use catwalk_stories::{codes, open, script, settle};
use serde_json::{Value, json};

const NONE: [&str; 0] = [];

/// Seat 1 calls a blind of 4.00 and folds to a bet; limits without rake.
const HAND: &str = r#"
    {"type": "round_opened", "banker": 3}
    bet a 1 blind 200
    bet b 3 blind 400
    card seat 1 ??
    card seat 3 ??
    card seat 1 ??
    card seat 3 ??
    bet c 1 call 200
    say 3 check
    card community 2C up
    card community 7D up
    card community 9H up
    say 1 check
    bet d 3 bet 400
    say 1 fold
    {"type": "wager_pushed", "wager": "d", "amount": 400}
    {"type": "pot_awarded", "pot": 0, "seat": 3, "amount": 800}
    close"#;

/// Seat 1 calls the bet on the flop and folds to another one.
const PLAYED_ON: &str = "bet e 1 call 400
    card community 4S up
    say 1 check
    bet f 3 bet 400
    say 1 fold";

fn options() -> Value {
    json!({"form": "holdem_high", "bet_limits": vec![[400, 400]; 4], "blinds": [200, 400]})
}

fn found(edition: &str, lines: &str) -> Vec<String> {
    let mut bodies = vec![open("poker", edition, options())];
    bodies.extend(script(lines));
    codes(&bodies)
}

fn told(kind: &str, detail: &Value) -> String {
    json!({"type": "irregularity", "kind": kind, "detail": detail, "ruling": "supervisor"})
        .to_string()
}

/// 6(e)(2) of the later text: the text before it asks for no concealment.
#[test]
fn a_card_may_be_seen_in_dealing_where_the_text_is_silent() {
    let exposed = HAND.replacen("card seat 3 ??", "card seat 3 QS up", 1);
    assert_eq!(found("mgc-2017", &exposed), NONE);
    assert_eq!(found("mgc-amended", &exposed), ["deal.card_exposed"]);
    // Told as well as seen, and exchanged, it is one finding and no card of the hand.
    let exchanged = told("exposed_down_card", &json!({"seat": 3, "card": "QS"}));
    let exchanged = HAND.replacen(
        "card seat 3 ??",
        &format!("card seat 3 QS up\n{exchanged}\ncard seat 3 ??"),
        1,
    );
    assert_eq!(found("mgc-2017", &exchanged), NONE);
    assert_eq!(found("mgc-amended", &exchanged), ["deal.card_exposed"]);
}

/// The later text has its own letters: blinds are 10(e) there, and the count of the deck 6(e)(5).
#[test]
fn a_finding_quotes_the_letters_of_its_text() {
    let cite = |edition: &str, code: &str, lines: &str| {
        let mut bodies = vec![open("poker", edition, options())];
        bodies.extend(script(lines));
        let (findings, _) = settle(&bodies);
        let finding = findings.into_iter().find(|finding| finding.code == code);
        finding.map_or_else(|| panic!("{code}"), |finding| finding.cites.join(", "))
    };
    let short = HAND
        .replace("blind 400", "blind 300")
        .replace("call 200", "call 100");
    let short = short.replace("800", "600");
    let blinds = |edition: &str| cite(edition, "blind.amount", &short);
    assert!(
        blinds("mgc-2017").contains("10(d)"),
        "{}",
        blinds("mgc-2017")
    );
    assert!(
        blinds("mgc-amended").contains("10(e)"),
        "{}",
        blinds("mgc-amended")
    );
    assert!(!blinds("mgc-amended").contains("10(d)"));
    let burns = HAND.replacen("card community 2C", "burn\nburn\ncard community 2C", 1);
    let burnt = |edition: &str| cite(edition, "shoe.burn_count", &burns);
    assert!(burnt("mgc-2017").contains("10(g)"), "{}", burnt("mgc-2017"));
    for letters in ["10(h)", "20(g)", "21(g)", "22(g)"] {
        assert!(
            burnt("mgc-amended").contains(letters),
            "{}",
            burnt("mgc-amended")
        );
        assert!(
            !burnt("mgc-2017").contains(letters),
            "{}",
            burnt("mgc-2017")
        );
    }
}

/// 15(e)3: two records of a card are two cards, and a misdeal; one is a dead card.
#[test]
fn cards_found_face_up_add_up_over_their_records() {
    let one = |card: &str| told("face_up_in_deck", &json!({"cards": [card]}));
    let played_on = HAND.replace("say 1 fold", PLAYED_ON).replace("800", "1600");
    let played_on = played_on.replace(r#""wager": "d""#, r#""wager": "f""#);
    let after = |told: &str| {
        let at = "bet c 1 call 200";
        played_on.replacen(at, &format!("{told}\n{at}"), 1)
    };
    // Nobody wins a hand that was misdealt.
    let misdealt = ["deal.face_up_card", "pot.wrong_seat"];
    let single = after(&one("KD"));
    assert_eq!(found("mgc-2017", &single), ["deal.face_up_card"]);
    let both = after(&format!("{}\n{}", one("KD"), one("KC")));
    assert_eq!(found("mgc-2017", &both), misdealt);
    let counted = told("face_up_in_deck", &json!({"count": 1}));
    let mixed = after(&format!("{}\n{counted}", one("KD")));
    assert_eq!(found("mgc-2017", &mixed), misdealt);
    // Everything goes back.
    let dealt = both.split("bet c 1").next().unwrap();
    let back = format!("{dealt}\npush a\npush b\nclose");
    assert_eq!(found("mgc-2017", &back), ["deal.face_up_card"]);
}

/// A feed may tell more of an irregularity than the rules ask for: the hand is judged all the same.
#[test]
fn what_an_incident_tells_besides_keeps_no_hand_unsettled() {
    let detail = json!({"cards": ["KD"], "count": 1, "reconstructed": true, "camera": 7});
    let line = told("off_table", &detail);
    let lines = HAND.replacen("say 3 check", &format!("{line}\nsay 3 check"), 1);
    assert_eq!(found("mgc-2017", &lines), NONE);
    let more = lines.replace("800", "900");
    assert_eq!(found("mgc-2017", &more), ["pot.over_award"]);
}

/// 15(q): a shuffler that jams leaves the table before another method is used.
#[test]
fn a_shuffler_that_is_used_no_more_has_left_the_table() {
    let shoe = |shuffler: Option<&str>| {
        let mut shoe =
            json!({"type": "shoe_started", "shoe": "s", "set": "A", "decks": 1, "method": "hand"});
        if let Some(shuffler) = shuffler {
            shoe["shuffler"] = json!(shuffler);
        }
        shoe.to_string()
    };
    let removed =
        r#"{"type": "device_adjusted", "device": "m", "kind": "shuffler", "removed": true}"#;
    let of = |lines: &[&str]| {
        let mut found = found("mgc-2017", &lines.join("\n"));
        found.retain(|code| code == "device.not_removed");
        found.len()
    };
    let (by_machine, by_hand) = (shoe(Some("m")), shoe(None));
    assert_eq!(of(&[&by_machine, &by_machine]), 0);
    assert_eq!(of(&[&by_machine, removed, &by_hand]), 0);
    assert_eq!(of(&[&by_machine, &by_hand, &by_hand]), 1);
    assert_eq!(of(&[&by_hand, &by_hand]), 0);
}

/// 1, 11(i): the first text has a kill in omaha 8-or-better alone.
#[test]
fn a_kill_is_posted_where_its_text_has_one() {
    let of = |form: &str, edition: &str| {
        let mut options = options();
        options["form"] = json!(form);
        options["kill"] = json!({"type": "kill", "amount": 90_000});
        let mut bodies = vec![open("poker", edition, options)];
        bodies.extend(script(HAND));
        codes(&bodies).contains(&"kill.not_offered".to_owned())
    };
    for edition in ["mgc-2017", "mgc-amended"] {
        assert!(!of("omaha_high_low_8", edition), "{edition}");
        assert!(of("holdem_high", edition), "{edition}");
    }
    assert!(!of("five_card_omaha_high_low_8", "mgc-amended"));
    assert!(of("five_card_omaha_high_low_8", "mgc-2017"));
}

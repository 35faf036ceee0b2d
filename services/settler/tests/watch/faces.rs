//! Cards that were dealt face up and that nobody saw.

use catwalk_stories::{codes, settle, table};
use serde_json::{Value, json};

const NOTHING: [&str; 0] = [];

fn mini(lines: &str) -> Vec<Value> {
    table("minibaccarat", "mgc-2017", json!({}), lines)
}

#[test]
fn a_card_dealt_face_up_that_nobody_saw_is_said_once_a_round() {
    let told = |third: &str| {
        mini(&format!(
            "open\nbet p 1 player 1000\nno-more-bets
             card player KS up\ncard banker KC up\ncard player 7H up\ncard banker 5D up
             {third}\npay p 1000\nclose"
        ))
    };
    let unseen = told("{\"type\":\"card_dealt\",\"to\":\"banker\",\"face\":\"up\"}");
    let (findings, _) = settle(&unseen);
    assert_eq!(findings.len(), 1, "{findings:?}");
    let message = "The Banker's third card was dealt face up and nobody saw it";
    let finding = &findings[0];
    assert_eq!(
        (finding.code.as_str(), finding.message.as_str()),
        ("deal.card_unseen", message)
    );
    assert_eq!(finding.evidence, [9]);
    let shown =
        told("{\"type\":\"card_dealt\",\"to\":\"banker\",\"face\":\"up\"}\nshow banker 2 KH");
    assert_eq!(codes(&shown), NOTHING);
    assert_eq!(codes(&told("card banker ??")), NOTHING, "it lay face down");
}

#[test]
fn a_feed_that_never_tells_which_cards_lie_face_up_is_not_held_to_it() {
    let up = |to: &str| format!("{{\"type\":\"card_dealt\",\"to\":\"{to}\",\"face\":\"up\"}}\n");
    let dealt = ["player", "banker", "player", "banker"].map(up).concat();
    let lines = format!("open\nbet p 1 player 1000\nno-more-bets\n{dealt}pay p 1000\nclose");
    assert_eq!(codes(&mini(&lines)), NOTHING);
    let told = "open\nno-more-bets\ncard player KS up\ncard banker KC up\ncard player 7H up
        card banker 6D up\nclose";
    let both = codes(&mini(&format!("{told}\n{lines}")));
    assert_eq!(both, ["deal.card_unseen"]);
}

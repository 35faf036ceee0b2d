//! Tiles that nobody saw.

use serde_json::{Value, json};

use super::*;
use crate::UNSEEN;
use crate::floor::Cents;
use crate::settlement::{Settled, Verdict};

fn settled(document: &Value, id: &str) -> Settled {
    Table::open().wager(document, id)
}

#[test]
fn tiles_that_were_surrendered_unseen_decide_nothing() {
    let gone = json!({"seat": 1, "tiles": vec![UNSEEN; 4], "surrender": true});
    let wagers = json!([main_wager(), wager("v", 2, "pai_gow", 1000)]);
    let document = round(json!({}), wagers, json!({"hands": [gone, hand(2, WINNER)]}));
    let lost = settled(&document, "w");
    assert_eq!((lost.result, lost.hangs_on), (Verdict::Lose, Vec::new()));
    assert_eq!(settled(&document, "v").returned, Cents::new(1950));
    let names = Table::open().settle(&document).unseen().to_vec();
    assert_eq!(names.len(), 4);
}

#[test]
fn a_tile_that_nobody_saw_leaves_open_between_which_amounts() {
    let own = hand(1, "6-6 ?? / 4-4 5-1");
    let document = round(json!({}), json!([main_wager()]), json!({"hands": [own]}));
    let main = settled(&document, "w");
    assert_eq!(main.hangs_on, ["play.hands[0].tiles[1]"]);
    let range = main.range.unwrap();
    // The low side wins whatever it is.
    assert_eq!(
        (range.least, range.most),
        (Cents::new(1000), Some(Cents::new(1950)))
    );
}

#[test]
fn a_hand_that_nobody_saw_leaves_the_other_decided() {
    let (four, two) = (vec![UNSEEN; 4], vec![UNSEEN; 2]);
    let hidden = json!({"seat": 2, "tiles": four, "high": two, "low": two});
    let wagers = json!([main_wager(), wager("v", 2, "pai_gow", 1000)]);
    let document = round(
        json!({}),
        wagers,
        json!({"hands": [hand(1, WINNER), hidden]}),
    );
    assert_eq!(settled(&document, "w").result, Verdict::Win);
    let open = settled(&document, "v");
    assert_eq!(open.result, Verdict::Open);
    assert_eq!(open.hangs_on.len(), 4);
}

#[test]
fn against_tiles_that_nobody_saw_nothing_is_decided_but_what_was_given_up() {
    let gone = json!({"seat": 2, "tiles": vec![UNSEEN; 4], "surrender": true});
    let wagers = json!([main_wager(), wager("v", 2, "pai_gow", 1000)]);
    let play = json!({"dealer": {"tiles": vec![UNSEEN; 4]}, "hands": [hand(1, WINNER), gone]});
    let document = round(json!({}), wagers, play);
    assert_eq!(settled(&document, "w").result, Verdict::Open);
    assert_eq!(settled(&document, "v").result, Verdict::Lose);
}

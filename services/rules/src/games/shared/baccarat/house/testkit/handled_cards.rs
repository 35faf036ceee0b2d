//! What baccarat and midibaccarat have in common: Massachusetts tables at which players handle the cards.

use serde_json::{Value, json};

use super::{assert_offers, banker_bet, plain_play};
use crate::Edition::Mgc2017;
use crate::Game;
use crate::testkit::TestTable;

/// Wagers that the house may leave out go back where it does.
pub(crate) fn assert_offers_of_handled_cards<G: Game>() {
    let table = TestTable::<G>::open();
    let off = || json!({"dragon_bonus": "off", "house_money": false});
    let ez = || json!({"ez_baccarat": true});
    for (kind, offered, not) in [
        ("dragon_bonus_player", json!({}), off()),
        ("house_money", json!({}), off()),
        ("dragon_7", ez(), json!({})),
        ("panda_8", ez(), json!({})),
    ] {
        assert_offers::<G>(Mgc2017, kind, offered, not);
    }
    // The commission-free game's wager, and a press where House Money is off.
    for kind in ["fortune_7", "house_money_press"] {
        let wagers = json!([{"id": "w1", "seat": 1, "kind": kind, "amount": 1000}]);
        let document = table.document(Mgc2017, off(), wagers, plain_play());
        assert_eq!(table.violations(&document), ["wager.not_offered"]);
        assert_eq!(table.wager(&document, "w1").returned.get(), 1000);
    }
}

/// Keys of other editions and games are refused, among them an option that another game of the family
/// has.
pub(crate) fn assert_refusals_of_handled_cards<G: Game>(foreign: &str) {
    let table = TestTable::<G>::open();
    let refuse = |options: Value, wagers: Value, play: Value, expected: &str| {
        let refusal = table.refusal(&table.document(Mgc2017, options, wagers, play));
        assert!(refusal.starts_with(expected), "{expected}\ngot {refusal}");
    };
    let option = |key: &str, value: Value, expected: &str| {
        refuse(json!({key: value}), banker_bet(), plain_play(), expected);
    };
    let expected = format!("options.{foreign}: \"{foreign}\" is not an option of");
    option(foreign, json!(true), &expected);
    let percent = "house_money_press_percent";
    option(
        percent,
        json!(0),
        &format!("options.{percent}: 0 cannot be read"),
    );
    let patron = json!([{"id": "w1", "seat": 1, "kind": "tie", "amount": 5, "patron": "p"}]);
    let expected = "wagers[0].patron: \"patron\" is not a known key here";
    refuse(json!({}), patron, plain_play(), expected);
    let disclosed = json!({"error_card_disclosed": false});
    let expected = "play.error_card_disclosed: a key of oh-jack-2017 only";
    refuse(json!({}), banker_bet(), disclosed, expected);
}

/// Which numbers of decks are lawful beside these options.
pub(crate) fn assert_decks<G: Game>(beside: &Value, decks: &[(i64, bool)]) {
    let table = TestTable::<G>::open();
    for &(decks, is_lawful) in decks {
        let mut options = beside.clone();
        options["decks"] = json!(decks);
        let document = table.document(Mgc2017, options, banker_bet(), plain_play());
        let flagged = table.violations(&document);
        let expected = if is_lawful {
            vec![]
        } else {
            vec!["deck.illegal_count"]
        };
        assert_eq!(flagged, expected, "{decks} decks");
    }
}

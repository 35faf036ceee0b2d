//! The baccarat games that the house banks, from their events.

use catwalk_events::body::{Body, CardPlace};
use serde_json::{Map, Value, json};

use super::{Folder, entry, seen};
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;

/// One of them, by its name in the rulebook.
pub(super) struct Baccarat(pub(super) &'static str);

impl Folder for Baccarat {
    fn game(&self) -> &'static str {
        self.0
    }

    /// The dealer adds a House Money payout to a wager after the first four cards.
    fn window(&self, kind: &str) -> Option<&'static str> {
        (kind != "house_money_press").then_some(MAIN_WINDOW)
    }

    fn closes(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::CardDealt(_)).then_some(MAIN_WINDOW)
    }

    fn wager(&self, _: &RoundFold, wager: &WagerFold) -> Value {
        let mut entry = entry(wager);
        // Only minibaccarat's document names the guest.
        if let (Some(patron), "minibaccarat") = (&wager.player, self.0) {
            entry.insert("patron".into(), json!(patron));
        }
        Value::Object(entry)
    }

    fn play(&self, round: &RoundFold, _: &Standing) -> Result<Value, String> {
        let mut play = Map::new();
        let irregularities = round.play.iter().filter_map(|(_, body)| match body {
            Body::Irregularity(irregularity) => Some(irregularity),
            _ => None,
        });
        let mut void = false;
        for irregularity in irregularities {
            match irregularity.kind.as_str() {
                "insufficient_cards" => {
                    void = true;
                    play.insert("void".into(), json!("insufficient_cards"));
                }
                "simulated_round" => drop(play.insert("simulated".into(), json!(true))),
                "undisclosed_card" => {
                    play.insert("error_card_disclosed".into(), json!(false));
                }
                _ => {}
            }
        }
        for (key, place) in [("player", CardPlace::Player), ("banker", CardPlace::Banker)] {
            let cards = round.cards(place, None);
            let cards = if void {
                cards.into_iter().flatten().collect()
            } else {
                seen(cards, key)?
            };
            play.insert(key.into(), json!(cards));
        }
        Ok(Value::Object(play))
    }
}

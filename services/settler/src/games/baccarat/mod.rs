//! The baccarat games that the house banks, from their events.
//!
//! Cards come by `card_dealt` to `player` and `banker`, face up, or face down and revealed later. A
//! House Money press is a `wager_placed` with `on` and `from`. A round that is played for no money is
//! an `irregularity` of the kind `simulated_round`, a shoe that is too short one of the kind
//! `insufficient_cards`, a stray card that nobody saw one of the kind `undisclosed_card`. Vigorish is
//! part of `wager_paid`, or a `commission_collected`; where it is deferred, the latter names the round
//! of the wager, which is closed by then, or none. What is said and done beside cards and chips has its
//! words in `words`.

mod course;
mod owed;
mod points;
mod words;

use catwalk_events::Event;
use catwalk_events::body::{Body, CardPlace};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use self::owed::Owed;
pub(super) use self::points::value;
use self::words::Curator;
use super::{End, Folder, Scene, entry, seen};
use crate::fault::Fault;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;
use crate::table::RulesInForce;

/// What outlives a hand.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    owed: Owed,
    curator: Curator,
}

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
        let mut void = false;
        for irregularity in round.irregularities() {
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

    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        if scene.round.incomplete {
            return;
        }
        match scene.body {
            Body::CardDealt(dealt) => course::check_deal_order(scene, dealt.to, faults),
            Body::WagerPaid(_) | Body::WagerCollected(_) | Body::WagerPushed(_) => {
                course::check_house_money(scene, faults);
                course::check_order(scene, faults);
                course::check_commission(scene, faults);
            }
            Body::CommissionCollected(_) => course::check_commission(scene, faults),
            Body::WagerPlaced(placed) => words::check_press(scene, placed, faults),
            Body::Decision(said) => words::see(scene, said, faults),
            _ => {}
        }
    }

    fn aside(
        &self,
        event: &Event,
        rules: &RulesInForce,
        standing: &mut Standing,
        faults: &mut Vec<Fault>,
    ) -> bool {
        owed::aside(event, rules, standing, faults)
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, faults: &mut Vec<Fault>) {
        words::check_calls(end, faults);
        let mut kept: Kept = standing.read();
        if owed::is_deferred(&end.round.rules) {
            kept.owed.add(end);
        }
        kept.curator.follow(end);
        standing.keep(&kept);
    }
}

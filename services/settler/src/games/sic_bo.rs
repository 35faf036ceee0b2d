//! Sic bo from its events.

use catwalk_events::body::Body;
use serde_json::{Value, json};

use super::{Folder, entry_with_late};
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;

pub(super) struct SicBo;

impl Folder for SicBo {
    fn game(&self) -> &'static str {
        "sic_bo"
    }

    fn closes(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::DiceRolled(_)).then_some(MAIN_WINDOW)
    }

    fn wager(&self, _: &RoundFold, wager: &WagerFold) -> Value {
        Value::Object(entry_with_late(wager))
    }

    fn play(&self, round: &RoundFold, _: &Standing) -> Result<Value, String> {
        let tosses: Vec<Value> = round
            .play
            .iter()
            .filter_map(|(_, body)| match body {
                Body::DiceRolled(roll) if roll.valid => Some(json!({ "dice": roll.dice })),
                Body::DiceRolled(_) => Some(json!({"no_roll": "called off"})),
                _ => None,
            })
            .collect();
        Ok(json!({ "tosses": tosses }))
    }
}

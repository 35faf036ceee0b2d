//! The big six wheel from its events.

use catwalk_events::body::Body;
use serde_json::{Map, Value, json};

use super::{Folder, entry_with_late};
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;

pub(super) struct BigSix;

impl Folder for BigSix {
    fn game(&self) -> &'static str {
        "big_six"
    }

    fn closes(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::WheelSpun(spin) if spin.valid).then_some(MAIN_WINDOW)
    }

    fn wager(&self, _: &RoundFold, wager: &WagerFold) -> Value {
        Value::Object(entry_with_late(wager))
    }

    fn play(&self, round: &RoundFold, _: &Standing) -> Result<Value, String> {
        let mut spins = Vec::new();
        for (_, body) in &round.play {
            let Body::WheelSpun(spin) = body else {
                continue;
            };
            let mut entry = Map::new();
            if !spin.result.is_empty() {
                entry.insert("stop".into(), json!(spin.result));
            }
            if let Some(turns) = spin.revolutions {
                entry.insert("revolutions".into(), json!(turns));
            }
            if !spin.valid {
                entry.insert("no_spin".into(), json!("called off"));
            }
            spins.push(Value::Object(entry));
        }
        Ok(json!({ "spins": spins }))
    }
}

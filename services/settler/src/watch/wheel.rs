//! The wheel: inspected for each opening, and spun into a pocket that it has.

use catwalk_events::Event;
use catwalk_events::body::{Body, Inspection};
use catwalk_rules::floor::Pocket;
use serde::{Deserialize, Serialize};

use super::{AtTable, Sighting, once};
use crate::table::RulesInForce;

/// One inspection and the codes of one opening.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Wheel {
    inspection: Option<Inspection>,
    raised: Vec<String>,
    /// Events are missing since the last inspection of this opening: another may be among them.
    blind: bool,
}

impl Wheel {
    pub(super) fn lose(&mut self) {
        self.blind = true;
    }

    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        match &event.body {
            Body::WheelInspected(inspected) => {
                (self.inspection, self.blind) = (Some(inspected.result), false);
            }
            Body::TableOpened(_) => self.raised.clear(),
            Body::TableClosed(_) => *self = Wheel::default(),
            // Without a round the wheel is only tried.
            Body::WheelSpun(spin) if event.round.is_some() => {
                let Some(rules) = table.rules else { return };
                let fault = match self.inspection {
                    // A round that was open when the table closed is played out.
                    _ if !table.is_open => None,
                    _ if !table.inspects_wheel(rules) => None,
                    None | Some(Inspection::Fail) if self.blind => None,
                    None => Some((
                        "wheel.not_inspected",
                        "has not been inspected since the table opened",
                    )),
                    Some(Inspection::Fail) => {
                        Some(("wheel.failed_inspection", "had failed its inspection"))
                    }
                    Some(Inspection::Pass) => None,
                };
                if let Some((code, what)) = fault
                    && once(&mut self.raised, code)
                {
                    // The text of big six has a word of its own for it.
                    let own = table.first_filed(&["bigsix.inspection_missing"]);
                    let own = own.filter(|_| code == "wheel.not_inspected");
                    let message = format!("The wheel was spun to {} and {what}", spin.result);
                    seen.push(Sighting::new(own.unwrap_or(code), vec![event.seq], message));
                }
                if spin.valid && !has_pocket(rules, table, &spin.result) {
                    let message = format!(
                        "A valid spin ended in {}, which this wheel does not have",
                        spin.result
                    );
                    seen.push(Sighting::new(
                        "wheel.illegal_result",
                        vec![event.seq],
                        message,
                    ));
                }
            }
            _ => {}
        }
    }
}

impl AtTable<'_> {
    fn inspects_wheel(&self, rules: &RulesInForce) -> bool {
        let wheel = self.chapter.wheel(&rules.game);
        wheel.is_some_and(|rule| rule.inspected)
    }

    /// What a wheel can show, each with how many of its sections do. Empty where that is not known.
    pub(super) fn wheel_stops(&self, rules: &RulesInForce) -> Vec<(String, u32)> {
        let sections = self.chapter.wheel(&rules.game).map(|rule| &rule.sections);
        if let Some(sections) = sections.filter(|sections| !sections.is_empty()) {
            return sections.clone().into_iter().collect();
        }
        if rules.game != "roulette" {
            return Vec::new();
        }
        let wheel = rules.option("wheel");
        let double = wheel.is_none_or(|wheel| wheel == "double");
        let zeros = if double { vec!["0", "00"] } else { vec!["0"] };
        let numbers = (1..=36).map(|number: u32| (number.to_string(), 1));
        let zeros = zeros.into_iter().map(|zero| (zero.to_owned(), 1));
        zeros.chain(numbers).collect()
    }
}

/// A single-zero wheel has no 00, and on a double-zero wheel used as one it does not count. What a big
/// six wheel shows is a number or a symbol; other words say how it stopped.
fn has_pocket(rules: &RulesInForce, table: &AtTable<'_>, result: &str) -> bool {
    if rules.game != "roulette" {
        let stops = table.wheel_stops(rules);
        let is_stop = result.parse::<u32>().is_ok() || matches!(result, "flag" | "casino_name");
        return !is_stop || stops.is_empty() || stops.iter().any(|(stop, _)| stop == result);
    }
    let wheel = rules.option("wheel");
    let double = wheel
        .as_ref()
        .and_then(|value| value.as_str())
        .unwrap_or("double")
        == "double";
    match result.parse::<Pocket>() {
        Ok(Pocket::DOUBLE_ZERO) => double,
        Ok(_) => true,
        Err(_) => false,
    }
}

//! How dice come to a table.

use catwalk_events::body::{Body, DiceInspected, DiceIntroduced, Inspection};

/// A set of so many is looked at and put to use; `number` counts the sets of the table.
pub(super) fn new_dice(number: u32, count: u32) -> [Body; 2] {
    let set = || format!("dice-{number}");
    let inspected = DiceInspected {
        set: set(),
        result: Inspection::Pass,
        by: None,
        witness: None,
    };
    let introduced = DiceIntroduced {
        set: set(),
        count,
        container: Some(format!("reserve-{number}")),
        label: Some(format!("dice-{number}, inspected")),
        ..DiceIntroduced::default()
    };
    [inspected.into(), introduced.into()]
}

//! The button that marks the start goes clockwise, one round after the other. 8c(d); 11.D

use catwalk_events::body::Decision;
use catwalk_rules::Verdict;
use serde::{Deserialize, Serialize};

use super::words::is_said;
use super::{Variant, bank};
use crate::fault::Fault;
use crate::games::End;

/// Where it lay in the last round; nothing where that is not known or the round was void.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Button {
    at: Option<(u32, u64)>,
}

impl Button {
    pub(super) fn follow(&mut self, variant: &Variant, end: &End<'_>, faults: &mut Vec<Fault>) {
        let said = bank::decisions(end.round).filter(|(_, said)| is_said(said, "button"));
        let is_played = end.settlement.is_some_and(|settlement| {
            let mut rows = settlement.wagers().iter();
            rows.any(|row| row.result != Verdict::Void)
        });
        let is_known = is_played && !end.voided && !end.round.incomplete;
        let told = said.last().filter(|_| is_known);
        let now = told.map(|(seq, said)| (button_at(said), seq));
        let before = std::mem::replace(&mut self.at, now);
        if let (Some((from, earlier)), Some((to, seq))) = (before, now)
            && variant.game == "pai_gow_poker"
            && !is_clockwise(from, to)
        {
            let message = format!("The button went from position {from} to {to}");
            let fault = Fault::new("pai_gow_poker.deal_direction", vec![earlier, seq], message);
            faults.push(fault);
        }
    }
}

/// Its position, which the dealer may call as a number.
pub(super) fn button_at(said: &Decision) -> u32 {
    let called = said.amount.filter(|_| said.seat == 0);
    let called = called.and_then(|position| u32::try_from(position.get()).ok());
    called.unwrap_or(said.seat)
}

/// Positions count counterclockwise from the dealer. Areas may be empty, so that the button goes on to
/// the next; it never goes past the dealer.
fn is_clockwise(from: u32, to: u32) -> bool {
    match from {
        0 => to != 0,
        from => to < from,
    }
}

//! The card that is burned after a shuffle and by every dealer who comes.

use catwalk_events::Event;
use catwalk_events::body::{Body, DealingMethod};
use serde::{Deserialize, Serialize};

use super::shoe::has_two_sides;
use super::{AtTable, Sighting};

/// A feed that never tells of such a burn is not held to it: what is remembered is whether it does.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Burns {
    due: Option<(Cause, u64)>,
    told_after_shuffle: bool,
    told_after_change: bool,
    #[serde(default)]
    dealer: Option<String>,
    /// The machine shuffles without end, by a procedure of its own.
    #[serde(default)]
    continuous: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Cause {
    Shuffle,
    NewDealer,
}

impl Burns {
    /// Events are missing: the burn may be among them.
    pub(super) fn miss(&mut self) {
        self.due = None;
    }

    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        if let Body::TableOpened(opened) = &event.body {
            self.dealer = Some(opened.dealer.clone());
        }
        let rule = table.cards;
        if !rule.is_some_and(|rule| rule.burns_one) {
            return;
        }
        // The determinant card of a double shoe takes the place of these burns, `blackjack` 6(d).
        if table.rules.is_some_and(has_two_sides) {
            return;
        }
        match &event.body {
            Body::ShoeStarted(started) => {
                self.continuous = started.method == DealingMethod::Continuous;
                self.due = (!self.continuous).then_some((Cause::Shuffle, event.seq));
            }
            Body::DealerChanged(changed) => {
                let is_new = self.dealer.as_ref() != Some(&changed.dealer);
                self.dealer = Some(changed.dealer.clone());
                if is_new && !self.continuous {
                    self.due.get_or_insert((Cause::NewDealer, event.seq));
                }
            }
            Body::CardBurned(_) => match self.due.take() {
                Some((Cause::Shuffle, _)) => self.told_after_shuffle = true,
                Some((Cause::NewDealer, _)) => self.told_after_change = true,
                None => {}
            },
            Body::CardDealt(_) => {
                // Who tells of the one after a shuffle tells of a new dealer's as well.
                let told = self.told_after_shuffle;
                let (told, what) = match self.due {
                    Some((Cause::Shuffle, _)) => (told, "after the shuffle"),
                    Some((Cause::NewDealer, _)) => {
                        (told || self.told_after_change, "by the new dealer")
                    }
                    None => return,
                };
                if let Some((_, since)) = self.due.take()
                    && told
                {
                    let message = format!("No card was burned {what}; 1 is required");
                    seen.push(Sighting::new("deal.burn", vec![since, event.seq], message));
                }
            }
            _ => {}
        }
    }
}

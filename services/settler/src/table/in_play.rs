//! What lies on the table and where it stands: the shoes, the dice, the wheel and the pit, for the record of a round.
//! Nothing is judged by it.

use std::collections::BTreeMap;

use catwalk_events::Event;
use catwalk_events::body::{Body, RoundOpened};
use serde::{Deserialize, Serialize};

/// So many shoes, and sets of dice, are known at once. With more, nobody knows which is in use.
const MAX_SETS: usize = 8;
/// So many seats are known by name.
const MAX_SEATS: usize = 32;

/// What lies on the table now.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct InPlay {
    /// The set of each shoe that runs.
    shoes: BTreeMap<String, String>,
    dice: Vec<String>,
    wheel: Option<String>,
    pit: Option<String>,
    /// Who was told to sit where.
    seats: BTreeMap<u32, String>,
}

/// What a round was played with, as far as the floor told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct PlayedWith {
    pub(crate) shoe: Option<String>,
    pub(crate) set: Option<String>,
    pub(crate) wheel: Option<String>,
    pub(crate) dice_set: Option<String>,
    pub(crate) shift: Option<String>,
    pub(crate) pit: Option<String>,
    pub(crate) trial: bool,
}

impl InPlay {
    pub(super) fn see(&mut self, event: &Event) {
        match &event.body {
            Body::TableOpened(opened) => {
                self.wheel.clone_from(&opened.wheel);
                self.pit.clone_from(&opened.pit);
                self.seats.clear();
            }
            Body::PatronSeated(came) => {
                let has_room = self.seats.len() < MAX_SEATS;
                match &came.player {
                    Some(player) if has_room => self.seats.insert(came.seat, player.clone()),
                    _ => self.seats.remove(&came.seat),
                };
            }
            Body::PatronLeft(left) => {
                self.seats.remove(&left.seat);
            }
            Body::ShoeStarted(started) => {
                if self.shoes.len() >= MAX_SETS {
                    self.shoes.clear();
                }
                self.shoes.insert(started.shoe.clone(), started.set.clone());
            }
            Body::ShoeEnded(ended) => {
                self.shoes.remove(&ended.shoe);
            }
            // Its shoe ends with it, told or not.
            Body::CardsRemoved(removed) => self.shoes.retain(|_, set| *set != removed.set),
            Body::DiceIntroduced(introduced) if !self.dice.contains(&introduced.set) => {
                if self.dice.len() >= MAX_SETS {
                    self.dice.clear();
                }
                self.dice.push(introduced.set.clone());
            }
            Body::DiceRemoved(removed) => self.dice.retain(|set| *set != removed.set),
            _ => {}
        }
    }

    /// Who sits at a seat, as far as the floor told.
    pub(super) fn seated(&self) -> &BTreeMap<u32, String> {
        &self.seats
    }

    /// Of several things that lie there, the one that the round names; without a name, only one that lies alone.
    pub(super) fn of_round(&self, event: &Event, opened: &RoundOpened, trial: bool) -> PlayedWith {
        let only_shoe = || match self.shoes.len() {
            1 => self.shoes.keys().next().cloned(),
            _ => None,
        };
        let only_dice = || match self.dice.as_slice() {
            [set] => Some(set.clone()),
            _ => None,
        };
        let shoe = opened.shoe.clone().or_else(only_shoe);
        let of_shoe = shoe.as_ref().and_then(|shoe| self.shoes.get(shoe));
        PlayedWith {
            set: opened.set.clone().or_else(|| of_shoe.cloned()),
            shoe,
            wheel: opened.wheel.clone().or_else(|| self.wheel.clone()),
            dice_set: opened.dice_set.clone().or_else(only_dice),
            shift: event.shift.clone(),
            pit: self.pit.clone(),
            trial,
        }
    }
}

impl PlayedWith {
    /// A spin says which wheel was spun.
    pub(super) fn see(&mut self, body: &Body) {
        if let Body::WheelSpun(spun) = body
            && spun.wheel.is_some()
        {
            self.wheel.clone_from(&spun.wheel);
        }
    }
}

/// Papers and people around a table: no part of a round, whatever round they name.
pub(super) fn is_aside(body: &Body) -> bool {
    matches!(
        body,
        Body::FloorRegistered(_)
            | Body::SupervisorAssigned(_)
            | Body::PatronSeated(_)
            | Body::PatronLeft(_)
            | Body::CashOut(_)
            | Body::MarkerIssued(_)
            | Body::MarkerRedeemed(_)
            | Body::SlipRequested(_)
            | Body::SlipVoided(_)
            | Body::SlipFiled(_)
            | Body::DropBoxAttached(_)
            | Body::DropBoxReceived(_)
            | Body::CouponRedeemed(_)
            | Body::MeterAdjusted(_)
            | Body::FundCounted(_)
    )
}

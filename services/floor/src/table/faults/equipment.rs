//! Dice that are exchanged, inspections that are forged, and sets that stay too long.

use catwalk_events::Role;
use catwalk_events::body::{Body, Clock, Inspection};
use catwalk_rules::floor::Cents;
use rand::RngExt;
use rand::seq::IndexedRandom;

use crate::fault::{FaultKind, Label};
use crate::games::Dealt;
use crate::table::Table;

/// No set of cards, dice or tiles may stay for so long. 205 CMR 146.49(7), 146.46(6)(c)10, 146.53(7)
const TOO_LONG: i64 = 25 * 3_600_000_000;

/// The numbers on the dice of the table.
#[derive(Debug, Default)]
pub(super) struct Dice {
    serials: Vec<String>,
}

impl Dice {
    /// Dice have numbers, and a reader tells them with every roll.
    pub(super) fn mark(&mut self, body: &mut Body) {
        match body {
            Body::DiceIntroduced(introduced) => {
                let set = &introduced.set;
                let numbered = (1..=introduced.count).map(|number| format!("{set}/{number}"));
                self.serials = numbered.collect();
                introduced.serials = Some(self.serials.clone());
            }
            Body::DiceRolled(rolled) if rolled.serials.is_none() => {
                let thrown = self.serials.iter().take(rolled.dice.len());
                rolled.serials = Some(thrown.cloned().collect());
            }
            _ => {}
        }
    }
}

/// What was made of an inspection, and the codes of which one must tell.
pub(in crate::table) enum Forged {
    /// It is told, and false.
    Told(Vec<&'static str>),
    /// It did not happen.
    LeftOut(Vec<&'static str>),
}

impl Table {
    /// Nobody inspects, one signs for two, or what failed is used all the same.
    pub(in crate::table) fn forge(&mut self, body: &mut Body) -> Option<Forged> {
        match body {
            Body::CardsInspected(inspected) => {
                let codes = vec!["deck.not_inspected"];
                // Where the dealer inspects alone there is nobody to sign for.
                if self.rounds.is_multiple_of(2) || self.mischief.dealer_inspects {
                    return Some(Forged::LeftOut(codes));
                }
                inspected.supervisor.clone_from(&inspected.dealer);
                Some(Forged::Told(codes))
            }
            Body::DiceInspected(_) if !self.mischief.is_fault("dice.not_inspected") => None,
            Body::DiceInspected(_) => Some(Forged::LeftOut(vec!["dice.not_inspected"])),
            Body::TilesInspected(inspected) => {
                let by = inspected.by.as_ref().map(|by| by.role);
                Some(Forged::LeftOut(match by == Some(Role::Surveillance) {
                    true => vec!["tiles.no_surveillance_check"],
                    false => vec!["tiles.not_inspected"],
                }))
            }
            // The big six wheel of Massachusetts is not inspected. 205 CMR 146.19
            Body::WheelInspected(_)
                if self.game_name == "big_six" && self.edition != "oh-jack-2017" =>
            {
                None
            }
            Body::WheelInspected(_) if self.mischief.failed_wheel => None,
            Body::WheelInspected(inspected) => {
                self.mischief.failed_wheel = true;
                inspected.result = Inspection::Fail;
                Some(Forged::Told(vec!["wheel.failed_inspection"]))
            }
            _ => None,
        }
    }

    /// A die of another set is thrown.
    pub(in crate::table) fn switch_dice(
        &mut self,
        round: &str,
        dealt: &mut Dealt,
    ) -> Option<Label> {
        let is_roll = |at: &usize| matches!(dealt.events[*at], Body::DiceRolled(_));
        let rolls: Vec<usize> = (0..dealt.events.len()).filter(is_roll).collect();
        let at = *rolls.choose(&mut self.rng)?;
        let Body::DiceRolled(rolled) = &mut dealt.events[at] else {
            return None;
        };
        let thrown = self.mischief.dice.serials.iter().take(rolled.dice.len());
        let mut serials: Vec<String> = thrown.cloned().collect();
        let die = self.rng.random_range(0..serials.len().max(1));
        *serials.get_mut(die)? = format!("foreign/{}", self.rounds);
        rolled.serials = Some(serials);
        let kind = FaultKind::SwitchedDice;
        Some(self.label(kind, round, None, Cents::ZERO, vec!["dice.foreign"]))
    }

    /// Nobody changes what lies on the table for more than a day.
    pub(in crate::table) fn outstay(&mut self, round: &str) -> Option<Label> {
        let mut codes = self.day.outstayed();
        codes.retain(|code| self.mischief.is_fault(code));
        if codes.is_empty() {
            return None;
        }
        self.clock += TOO_LONG;
        self.send(None, Clock {}.into());
        let mut label = self.label(FaultKind::OverdueSet, round, None, Cents::ZERO, codes);
        label.seqs = vec![self.seq];
        Some(label)
    }
}

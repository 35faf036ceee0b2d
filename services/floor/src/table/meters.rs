//! The meters that a table shares with others: what a round feeds to them and takes from them, and who reads them.

use catwalk_events::Role;
use catwalk_events::body::{Body, MeterAdjusted, MeterRead};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settlement, Verdict};

use super::payments::{person, seat_and_amount};
use super::{Table, wager_kind};
use crate::games::Dealt;
use crate::meters::{Linked, Meters};

/// Of each wager on a meter so much feeds it.
const FED: (i64, i64) = (7, 10);

/// The awards among these payments, with their meters.
pub(super) fn awards(payments: &[(usize, Body)]) -> Vec<(String, Cents)> {
    let award = |(_, body): &(usize, Body)| match body {
        Body::JackpotPaid(paid) => Some((paid.meter.clone(), paid.amount)),
        _ => None,
    };
    payments.iter().filter_map(award).collect()
}

impl Table {
    /// Shows what other tables made of the meters that this one shares with them.
    pub(super) fn read_meters(&mut self, meters: &mut Meters, at: i64) -> Vec<Linked> {
        let mut shared = self.game.linked();
        for linked in &mut shared {
            linked.shown = meters.read(linked, at);
            self.game.show_meter(&linked.meter, linked.shown);
        }
        shared
    }

    /// Before the first round of each shift somebody reads the meters.
    pub(crate) fn tell_meters(&mut self, meters: &mut Meters) {
        if !self.day.begins_shift() {
            return;
        }
        self.count_fund();
        for linked in self.game.linked() {
            let read = MeterRead {
                amount: meters.read(&linked, self.clock),
                meter: linked.meter,
                rate: Some(format!("{}%", 100 * FED.0 / FED.1)),
                reason: Some("beginning of shift".to_owned()),
                by: person("f-1", Role::Floorperson),
                link: Some(linked.link),
            };
            self.tell(read.into());
        }
        let skipped = self.mischief.skipped.take();
        self.labels.extend(skipped);
    }

    /// What the round fed to these meters or took from them, all tables of the link show from its end on. A meter that
    /// was won begins anew; what it begins with is signed for.
    pub(super) fn move_meters(
        &mut self,
        meters: &mut Meters,
        shared: &[Linked],
        played: (&Dealt, &Settlement),
        awards: &[(String, Cents)],
        is_off: bool,
    ) {
        let ended = self.clock;
        for before in shared {
            if is_off {
                // All stakes went back.
                self.game.show_meter(&before.meter, before.shown);
                continue;
            }
            let now = self.game.linked();
            let Some(after) = now.iter().find(|after| after.meter == before.meter) else {
                continue;
            };
            let fed = fed(played, &before.meter);
            let awarded = awards.iter().filter(|(meter, _)| *meter == before.meter);
            let awarded: Cents = awarded.map(|(_, amount)| *amount).sum();
            let moved = after.shown - before.shown;
            let set = moved - fed + awarded;
            if set != Cents::ZERO {
                self.set_meter(before, after.shown, set);
            }
            let round = format!("{}-{:06}", self.name, self.rounds);
            let lost = match fed.is_positive() && self.skips(&round) {
                true => fed,
                false => Cents::ZERO,
            };
            meters.change(before, ended, moved - lost);
        }
    }

    fn set_meter(&mut self, linked: &Linked, amount: Cents, by: Cents) {
        let adjusted = MeterAdjusted {
            meter: linked.meter.clone(),
            before: Some(amount - by),
            amount,
            reason: Some("begins anew after an award".to_owned()),
            by: person("f-1", Role::Floorperson),
            witness: person("a-1", Role::Accounting),
        };
        self.tell(adjusted.into());
    }
}

/// What the wagers of a round feed to a meter; those that are void feed nothing.
fn fed((dealt, settlement): (&Dealt, &Settlement), meter: &str) -> Cents {
    let wagers = dealt.wagers.iter().zip(settlement.wagers());
    let on_meter = wagers.filter(|(wager, settled)| {
        wager_kind(wager).starts_with(meter) && settled.result != Verdict::Void
    });
    let staked: Cents = on_meter.map(|(wager, _)| seat_and_amount(wager).1).sum();
    Cents::new(staked.get() * FED.0 / FED.1)
}

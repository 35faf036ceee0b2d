//! Chips and cash that are not there, or that nobody wrote down, and meters that are moved.

use catwalk_events::body::{Body, MeterRead};
use catwalk_rules::Settlement;
use catwalk_rules::floor::Cents;
use rand::RngExt;

use crate::fault::{FaultKind, Label};
use crate::games::Dealt;
use crate::table::Table;
use crate::table::money::FILL;

/// An audit holds a count against what it was told when so many rounds were told.
const TELLING_ROUNDS: u64 = 50;
/// Less than this is not worth a crime.
const LEAST_DROP: Cents = Cents::new(100_000);

impl Table {
    /// To be done when chips or the drop are next counted. False if something else is planned.
    pub(in crate::table) fn plan(&mut self, kind: FaultKind) -> bool {
        let free = self.mischief.planned.is_none();
        self.mischief.planned.get_or_insert(kind);
        free
    }

    /// The chips of the tray are counted: what is told of them. A fill came without its slip, or a slip
    /// without its fill.
    pub(in crate::table) fn tell_tray(&mut self) -> Cents {
        let kind = FaultKind::MissingFill;
        let is_due = self.mischief.planned == Some(kind) && self.has_room(kind);
        if is_due && self.mischief.since.rounds >= TELLING_ROUNDS {
            self.mischief.planned = None;
            let arrived = self.rng.random_range(0..2) == 0;
            let (lost, code) = match arrived {
                true => (-FILL, "tray.over"),
                false => (FILL, "tray.short"),
            };
            self.money.tray -= lost;
            self.book(kind, lost, code);
        }
        self.money.tray
    }

    /// Has the table told of so many rounds that its counts are judged?
    pub(super) fn tells_enough(&self) -> bool {
        self.mischief.since.rounds >= TELLING_ROUNDS
    }

    /// The drop is counted: what is told of it.
    pub(in crate::table) fn tell_cash(&mut self, cash: Cents) -> Cents {
        let kind = FaultKind::SkimmedDrop;
        let is_due = self.mischief.planned == Some(kind) && self.has_room(kind);
        // The rake of a poker table is in the box too, and nobody can tell it from a buy-in.
        let known = self.money.contributed == Cents::ZERO && self.game_name != "poker";
        if !(is_due && known && cash >= LEAST_DROP) {
            return cash;
        }
        self.mischief.planned = None;
        let taken = Cents::new(cash.get() / self.rng.random_range(4..=20) / 100 * 100);
        self.book(kind, taken, "drop.short");
        cash - taken
    }

    /// A label of the count that is told next, of the last round before it.
    pub(super) fn book(&mut self, kind: FaultKind, amount: Cents, code: &'static str) {
        let round = format!("{}-{:06}", self.name, self.rounds);
        let mut label = self.label(kind, &round, None, amount, vec![code]);
        label.seqs = vec![self.seq + 1];
        self.labels.push(label);
    }

    /// A prize that is paid beside the meter is taken off it all the same, or a share of it stays on it.
    pub(in crate::table) fn move_meter(
        &mut self,
        round: &str,
        dealt: &Dealt,
        settlement: &Settlement,
        closing: &mut Vec<Body>,
    ) -> Option<Label> {
        let wagers = dealt.wagers.iter().zip(settlement.wagers());
        for (meter, &stood) in dealt.meters.iter().flatten() {
            let of_meter = |kind: &str| kind.starts_with(meter.as_str());
            let prizes = wagers
                .clone()
                .enumerate()
                .filter(|(index, (wager, settled))| {
                    dealt.lifted.contains(index)
                        && of_meter(wager["kind"].as_str().unwrap_or_default())
                        && settled.returned.is_positive()
                });
            let prizes: Vec<Cents> = prizes.map(|(_, (_, settled))| settled.returned).collect();
            let fixed: Cents = prizes.iter().copied().sum();
            let is_share = |prize: &Cents| *prize >= Cents::new(stood.get() / 10);
            let amount = match prizes.iter().any(is_share) {
                _ if prizes.is_empty() => continue,
                true => stood,
                false => stood - fixed,
            };
            let meter = meter.clone();
            closing.retain(|body| !matches!(body, Body::MeterRead(read) if read.meter == meter));
            closing.push(
                MeterRead {
                    meter,
                    amount,
                    ..MeterRead::default()
                }
                .into(),
            );
            let codes = vec!["progressive.meter_mismatch"];
            let kind = FaultKind::TamperedMeter;
            return Some(self.label(kind, round, None, Cents::ZERO, codes));
        }
        None
    }
}

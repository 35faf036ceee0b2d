//! Slips, boxes, coupons, counter checks, rake and closers that are not as they should be.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, BoxKind, CouponRedeemed, Fill, RakePlace, SlipKind};
use catwalk_rules::floor::Cents;

use crate::fault::FaultKind;
use crate::table::Table;
use crate::table::day::{HOUR, MINUTE};
use crate::table::money::{MATCH_PLAY, Marker};

/// A fill that is ordered for a fault, and what of it does not come.
const CHIPS: u32 = 100;
const CHIP: Cents = Cents::new(10_000);
const SHORT: u32 = 2;
/// What the closer leaves out.
const LEFT_OUT: Cents = Cents::new(50_000);
const COUPON: Cents = Cents::new(2_500);

fn chips(count: u32) -> (Cents, BTreeMap<String, u32>) {
    let denominations = BTreeMap::from([(CHIP.get().to_string(), count)]);
    (CHIP.times(i64::from(count)), denominations)
}

impl Table {
    /// Does what can be done at once, and plans the rest. False if it is planned already.
    pub(in crate::table) fn err(&mut self, kind: FaultKind, round: &str) -> bool {
        match kind {
            FaultKind::SlipShort => self.fill_short(round),
            FaultKind::SlipTwice => self.fill_twice(round),
            FaultKind::ChipsUndelivered => self.order_in_vain(round),
            FaultKind::CouponTwice => self.take_coupon_twice(round),
            FaultKind::RakeMisplaced if !self.posts_rake_place() => return false,
            FaultKind::WrongCloser if !self.game.closes_at_night() => return false,
            FaultKind::MeterSkips if self.game.linked().is_empty() => return false,
            // Each waits for its own moment, and not for the others.
            kind => return self.mischief.papers.insert(kind),
        }
        true
    }

    fn fill_short(&mut self, round: &str) {
        let (whole, all) = chips(CHIPS);
        let (came, some) = chips(CHIPS - SHORT);
        let (slip, first) = (self.new_slip(), self.seq + 1);
        let request = self.ask(&slip, SlipKind::Fill, whole, &all);
        self.bring(&slip, request, came, some);
        self.file(&slip, SlipKind::Fill, whole);
        self.book_papers(
            FaultKind::SlipShort,
            round,
            whole - came,
            first,
            "slip.parts_differ",
        );
    }

    fn fill_twice(&mut self, round: &str) {
        let (amount, all) = chips(CHIPS);
        let slip = self.new_slip();
        self.fill(slip.clone(), amount, all.clone());
        let first = self.seq + 1;
        self.fill(slip, amount, all);
        self.money.tray += amount + amount;
        self.book_papers(
            FaultKind::SlipTwice,
            round,
            Cents::ZERO,
            first,
            "slip.duplicate",
        );
    }

    fn order_in_vain(&mut self, round: &str) {
        let (amount, all) = chips(CHIPS);
        let (slip, first) = (self.new_slip(), self.seq + 1);
        self.ask(&slip, SlipKind::Fill, amount, &all);
        self.file(&slip, SlipKind::Fill, amount);
        let codes = vec!["slip.undelivered"];
        let mut label = self.label(FaultKind::ChipsUndelivered, round, None, amount, codes);
        label.seqs = (first..=self.seq).collect();
        self.mischief
            .waiting
            .push((self.clock + 30 * MINUTE, label));
    }

    fn take_coupon_twice(&mut self, round: &str) {
        let first = self.seq + 1;
        self.take_coupon(1, "", COUPON);
        let again = CouponRedeemed {
            coupon: self.money.last_coupon(&self.name),
            kind: Some(MATCH_PLAY.to_owned()),
            amount: COUPON,
            player: None,
            seat: Some(2),
            wager: None,
        };
        self.tell(again.into());
        self.book_papers(
            FaultKind::CouponTwice,
            round,
            COUPON,
            first,
            "coupon.duplicate",
        );
    }

    fn new_slip(&mut self) -> String {
        self.money.new_fill(&self.name)
    }

    fn bring(&mut self, slip: &str, request: String, amount: Cents, all: BTreeMap<String, u32>) {
        self.money.tray += amount;
        let fill = Fill {
            slip: slip.to_owned(),
            amount,
            denominations: Some(all),
            request: Some(request),
            ..Fill::default()
        };
        self.send(None, fill.into());
    }

    fn book_papers(
        &mut self,
        kind: FaultKind,
        round: &str,
        amount: Cents,
        first: u64,
        code: &'static str,
    ) {
        let mut label = self.label(kind, round, None, amount, vec![code]);
        label.seqs = (first..=self.seq).collect();
        self.labels.push(label);
    }

    /// Is this done now? What was planned is.
    fn is_planned(&mut self, kind: FaultKind) -> bool {
        self.has_room(kind) && self.mischief.papers.remove(&kind)
    }

    fn last_round(&self) -> String {
        format!("{}-{:06}", self.name, self.rounds)
    }

    /// Does the count room lay the box aside?
    pub(in crate::table) fn forgets_box(&mut self) -> bool {
        // A feed that has told of no count is not held to them.
        self.money.has_counted() && self.is_planned(FaultKind::BoxUncounted)
    }

    /// The box is taken away, and its counts end there.
    pub(in crate::table) fn carry_off(&mut self, r#box: String) {
        let first = self.seq + 1;
        self.bring_box(&r#box, BoxKind::Main);
        self.money.papers();
        self.money.raked = Cents::ZERO;
        self.money.beside.empty();
        self.mischief.uncounted = true;
        let codes = vec!["drop.uncounted"];
        let round = self.last_round();
        let kind = FaultKind::BoxUncounted;
        let mut label = self.label(kind, &round, None, Cents::ZERO, codes);
        label.seqs = (first..=self.seq).collect();
        self.mischief
            .waiting
            .push((self.removed_at() + 24 * HOUR, label));
    }

    /// When the last event but one went out: that of the box, before the count room had it.
    fn removed_at(&self) -> i64 {
        let removed =
            |event: &&catwalk_events::Event| matches!(event.body, Body::DropBoxRemoved(_));
        let last = self.outbox.iter().rev().find(removed);
        last.map_or(self.clock, |event| event.at.micros())
    }

    /// Does the patron go without redeeming what he signed for?
    pub(in crate::table) fn walks_away(
        &mut self,
        _seat: u32,
        player: Option<&String>,
        chips: Cents,
        markers: &[Marker],
    ) -> bool {
        let Some(marker) = markers.last() else {
            return false;
        };
        let is_known = player.is_some() && self.mischief.lost < marker.seq;
        let walks = is_known && chips.is_positive() && self.is_planned(FaultKind::MarkerOpen);
        if walks {
            let round = self.last_round();
            let codes = vec!["marker.walked"];
            let open = marker.amount;
            let mut label = self.label(FaultKind::MarkerOpen, &round, None, open, codes);
            label.seqs = vec![self.seq + 1];
            self.labels.push(label);
        }
        walks
    }

    fn posts_rake_place(&self) -> bool {
        self.options.get("rake_to").is_some()
    }

    /// The rake goes where the house does not say.
    pub(in crate::table) fn misplace(&mut self, body: &mut Body) {
        let Body::RakeTaken(rake) = body else { return };
        if !self.posts_rake_place() || !self.is_planned(FaultKind::RakeMisplaced) {
            return;
        }
        rake.to = Some(match rake.to {
            Some(RakePlace::Tray) => RakePlace::DropBox,
            _ => RakePlace::Tray,
        });
        let (kind, codes) = (FaultKind::RakeMisplaced, vec!["rake.misplaced"]);
        let round = self.last_round();
        let mut label = self.label(kind, &round, None, Cents::ZERO, codes);
        label.seqs = vec![self.seq];
        self.labels.push(label);
    }

    /// What the closer tells of the tray.
    pub(in crate::table) fn tell_closer(&mut self, tray: Cents) -> Cents {
        let kind = FaultKind::WrongCloser;
        if !self.tells_enough() || tray <= LEFT_OUT || !self.is_planned(kind) {
            return tray;
        }
        self.book(kind, LEFT_OUT, "tray.short");
        if let Some(label) = self.labels.last_mut() {
            label.codes.push("tray.opening".to_owned());
        }
        tray - LEFT_OUT
    }

    /// Does the meter take in nothing of this round? Whoever reads it next can know.
    pub(in crate::table) fn skips(&mut self, round: &str) -> bool {
        let skips = self.is_planned(FaultKind::MeterSkips);
        if skips {
            let kind = FaultKind::MeterSkips;
            let mut label = self.label(kind, round, None, Cents::ZERO, Vec::new());
            label.seqs = vec![self.seq];
            self.mischief.skipped = Some(label);
        }
        skips
    }

    /// What nothing has come of until now shows.
    pub(in crate::table) fn wait_out(&mut self) {
        let clock = self.clock;
        let mut left = Vec::new();
        for (deadline, label) in std::mem::take(&mut self.mischief.waiting) {
            match clock > deadline {
                true => self.labels.push(label),
                false => left.push((deadline, label)),
            }
        }
        self.mischief.waiting = left;
    }
}

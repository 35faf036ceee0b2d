//! Papers: slips, coupons and counter checks by their numbers, and boxes on their way to the count room.
//!
//! A slip is asked for, its chips are delivered or it is voided, and its parts are filed: all are of one amount, and no
//! number comes twice. A feed that does not tell of requests, of parts or of counts is not held to them.

use std::collections::{BTreeMap, VecDeque};

use catwalk_events::body::{
    Body, BoxKind, CashOut, DropBoxRemoved, MarkerIssued, SlipFiled, SlipKind, SlipRequested,
};
use catwalk_events::{Event, Timestamp};
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

use super::{HOUR, MINUTE, Sighting, is_past, make_room};

/// Chips that were asked for are there after so long. A house setting, by practice.
const DELIVERY: i64 = 30 * MINUTE;
/// A box is counted after so long. A house setting, by practice.
const COUNT: i64 = 24 * HOUR;
/// So many numbers of slips, and of coupons, are remembered, the oldest first to go.
const MAX_NUMBERS: usize = 512;
/// So many slips, requests, boxes and counter checks are followed, the oldest first to go.
const MAX_OPEN: usize = 64;

/// What is kept of the papers of a table.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Papers {
    /// Asked for, by the number of the request, and neither delivered nor voided.
    asked: BTreeMap<String, Asked>,
    /// The slips that came last, by their number.
    slips: BTreeMap<String, Slip>,
    delivered: Numbers,
    coupons: Numbers,
    /// Boxes that have left the table and are not counted.
    boxes: BTreeMap<String, (Timestamp, u64)>,
    /// The feed tells of counts.
    tells_counts: bool,
    /// Counter checks of the table that are open.
    markers: BTreeMap<String, Marker>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Asked {
    kind: SlipKind,
    amount: Cents,
    at: Timestamp,
    seq: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Slip {
    amount: Cents,
    seq: u64,
    told: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct Marker {
    player: Option<String>,
    left: Cents,
    seq: u64,
}

/// Numbers that were used, and by which events.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Numbers(VecDeque<(String, u64)>);

impl Numbers {
    /// The event that used this number before.
    fn used(&mut self, number: &str, seq: u64) -> Option<u64> {
        let before = self.0.iter().find(|(used, _)| used == number);
        let before = before.map(|(_, seq)| *seq);
        if before.is_none() {
            self.0.push_back((number.to_owned(), seq));
            if self.0.len() > MAX_NUMBERS {
                self.0.pop_front();
            }
        }
        before
    }
}

impl Papers {
    /// What closes a paper may be among what is missing.
    pub(super) fn lose(&mut self) {
        self.asked.clear();
        self.slips.clear();
        self.boxes.clear();
        self.markers.clear();
    }

    pub(super) fn see(&mut self, event: &Event, seen: &mut Vec<Sighting>) {
        self.check_deadlines(event, seen);
        let seq = event.seq;
        match &event.body {
            Body::SlipRequested(asked) => self.ask(asked, event),
            Body::Fill(fill) => {
                let slip = (SlipKind::Fill, fill.slip.as_str(), fill.amount);
                self.deliver(slip, fill.request.as_deref(), seq, seen);
            }
            Body::Credit(credit) => {
                let slip = (SlipKind::Credit, credit.slip.as_str(), credit.amount);
                self.deliver(slip, credit.request.as_deref(), seq, seen);
            }
            Body::SlipFiled(filed) => self.file(filed, seq, seen),
            Body::SlipVoided(voided) => self.void(&voided.slip),
            Body::CouponRedeemed(coupon) => {
                if let Some(before) = self.coupons.used(&coupon.coupon, seq) {
                    let message = format!(
                        "Coupon {} of {} was taken a second time",
                        coupon.coupon, coupon.amount
                    );
                    let evidence = vec![before, seq];
                    let mut sighting = Sighting::new("coupon.duplicate", evidence, message);
                    sighting.seat = coupon.seat;
                    sighting.lost = coupon.amount;
                    seen.push(sighting.about(&coupon.coupon));
                }
            }
            Body::DropBoxRemoved(removed) => self.remove_box(removed, event),
            Body::DropCounted(counted) => {
                self.tells_counts = true;
                self.boxes.remove(&counted.r#box);
            }
            Body::MarkerIssued(issued) => self.issue(issued, seq),
            Body::MarkerRedeemed(redeemed) => {
                if let Some(marker) = self.markers.get_mut(&redeemed.marker) {
                    marker.left -= redeemed.amount;
                    if !marker.left.is_positive() {
                        self.markers.remove(&redeemed.marker);
                    }
                }
            }
            Body::CashOut(out) => self.cash_out(out, seq, seen),
            _ => {}
        }
    }

    fn ask(&mut self, asked: &SlipRequested, event: &Event) {
        if !matches!(asked.kind, SlipKind::Fill | SlipKind::Credit) {
            return;
        }
        let (at, seq) = (event.at, event.seq);
        let (kind, amount) = (asked.kind, asked.amount);
        let asked_now = Asked {
            kind,
            amount,
            at,
            seq,
        };
        self.asked.insert(asked.request.clone(), asked_now);
        make_room(&mut self.asked, MAX_OPEN, |asked| asked.seq);
    }

    /// Chips came, or went.
    fn deliver(
        &mut self,
        (kind, slip, amount): (SlipKind, &str, Cents),
        request: Option<&str>,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        if let Some(before) = self.delivered.used(slip, seq) {
            let message = format!("Slip {slip} of {amount} has the number of another one");
            let sighting = Sighting::new("slip.duplicate", vec![before, seq], message);
            seen.push(sighting.about(slip));
        }
        // Who names no request meant one of this kind and amount.
        let meant = self
            .asked
            .iter()
            .find(|(_, asked)| (asked.kind, asked.amount) == (kind, amount))
            .map(|(request, _)| request.clone());
        let request = request.map(str::to_owned).or(meant);
        let asked = request.and_then(|request| self.asked.remove(&request));
        let mut told = false;
        if let Some(asked) = asked.filter(|asked| asked.amount != amount) {
            told = true;
            let (asked_for, evidence) = (asked.amount, vec![asked.seq, seq]);
            seen.push(differs(slip, (asked_for, amount), evidence));
        }
        let now = Slip { amount, seq, told };
        self.slips.insert(slip.to_owned(), now);
        make_room(&mut self.slips, MAX_OPEN, |slip| slip.seq);
    }

    fn file(&mut self, filed: &SlipFiled, seq: u64, seen: &mut Vec<Sighting>) {
        let of_chips = matches!(filed.kind, None | Some(SlipKind::Fill | SlipKind::Credit));
        let slip = self.slips.get_mut(&filed.slip);
        let Some(slip) = slip.filter(|slip| of_chips && !slip.told && slip.amount != filed.amount)
        else {
            return;
        };
        slip.told = true;
        let evidence = vec![slip.seq, seq];
        seen.push(differs(&filed.slip, (filed.amount, slip.amount), evidence));
    }

    /// A slip is voided: what was asked for with it does not come. Where nobody can tell which, that is the oldest.
    fn void(&mut self, slip: &str) {
        if self.slips.remove(slip).is_some() {
            return;
        }
        let of_slip = |request: &&String| request.contains(slip);
        let named = self.asked.keys().find(of_slip).cloned();
        let oldest = || {
            let oldest = self.asked.iter().min_by_key(|(_, asked)| asked.seq);
            oldest.map(|(request, _)| request.clone())
        };
        if let Some(request) = named.or_else(oldest) {
            self.asked.remove(&request);
        }
    }

    /// The box of a bad beat is watched with its fund; tips are no affair of the count.
    fn remove_box(&mut self, removed: &DropBoxRemoved, event: &Event) {
        if !matches!(removed.kind, Some(BoxKind::BadBeat | BoxKind::Tip)) {
            let left = (event.at, event.seq);
            self.boxes.insert(removed.r#box.clone(), left);
            make_room(&mut self.boxes, MAX_OPEN, |(_, seq)| *seq);
        }
    }

    fn issue(&mut self, issued: &MarkerIssued, seq: u64) {
        let marker = Marker {
            player: issued.player.clone(),
            left: issued.amount,
            seq,
        };
        self.markers.insert(issued.marker.clone(), marker);
        make_room(&mut self.markers, MAX_OPEN, |marker| marker.seq);
    }

    /// A patron takes money or chips away, and leaves a counter check of this table open.
    fn cash_out(&mut self, out: &CashOut, seq: u64, seen: &mut Vec<Sighting>) {
        let Some(player) = out.player.as_ref().filter(|_| out.amount.is_positive()) else {
            return;
        };
        let is_theirs = |marker: &Marker| marker.player.as_ref() == Some(player);
        let theirs = self.markers.iter().filter(|(_, marker)| is_theirs(marker));
        let theirs: Vec<String> = theirs.map(|(number, _)| number.clone()).collect();
        for number in theirs {
            let Some(marker) = self.markers.remove(&number) else {
                continue;
            };
            let message = format!(
                "{player} took {} away and left {} of counter check {number} open",
                out.amount, marker.left
            );
            let evidence = vec![marker.seq, seq];
            let mut sighting = Sighting::new("marker.walked", evidence, message);
            sighting.seat = out.seat;
            sighting.lost = marker.left;
            seen.push(sighting.about(&number));
        }
    }

    fn check_deadlines(&mut self, event: &Event, seen: &mut Vec<Sighting>) {
        self.asked.retain(|request, asked| {
            let is_late = is_past(asked.at, event.at, DELIVERY);
            if is_late {
                let message = format!(
                    "{} was asked for by {request}, and neither delivered nor voided",
                    asked.amount
                );
                let evidence = vec![asked.seq, event.seq];
                let code = "slip.undelivered";
                let mut sighting = Sighting::overdue(code, request, evidence, message);
                sighting.lost = asked.amount;
                seen.push(sighting);
            }
            !is_late
        });
        if !self.tells_counts {
            return;
        }
        self.boxes.retain(|name, (left, seq)| {
            let is_late = is_past(*left, event.at, COUNT);
            if is_late {
                let message = format!("Box {name} was not counted for more than 24 hours");
                let evidence = vec![*seq, event.seq];
                seen.push(Sighting::overdue("drop.uncounted", name, evidence, message));
            }
            !is_late
        });
    }
}

fn differs(slip: &str, (one, other): (Cents, Cents), evidence: Vec<u64>) -> Sighting {
    let message = format!("Slip {slip} is of {one} in one place and of {other} in another");
    let mut sighting = Sighting::new("slip.parts_differ", evidence, message);
    sighting.lost = one - other;
    sighting.about(slip)
}

//! The drop box: what was bought in at the table is in it when it is counted.
//!
//! No text demands that the table tells of every buy-in, so that more in the box than was told is nothing;
//! less is money that is gone. The face of a coupon is no money: coupons are held against coupons. What is in the box
//! of a bad beat, or of tips, is not the drop's.

use std::collections::BTreeSet;

use catwalk_events::Event;
use catwalk_events::body::{Body, BoxKind, BuyInForm, DropCounted};
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

use super::Sighting;

/// So many boxes may be on their way to the count room; with more, nobody knows what is in which.
const MAX_BOXES: usize = 16;

/// Sums since the boxes that were counted last.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct DropBox {
    bought: Cents,
    /// Of it by coupons.
    by_coupon: Cents,
    /// The first buy-in of it.
    since: Option<u64>,
    away: Away,
    /// Events are missing, or what goes into a box of its own is told where nobody says which box that is.
    uncertain: bool,
    /// The feed tells what boxes are for.
    tells_kinds: bool,
}

/// Boxes that have left the table and are not all counted yet.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Away {
    boxes: BTreeSet<String>,
    bought: Cents,
    by_coupon: Cents,
    counted: Cents,
    coupons: Cents,
    since: Option<u64>,
    uncertain: bool,
}

impl DropBox {
    pub(super) fn lose(&mut self) {
        self.uncertain = true;
        self.away = Away::default();
    }

    pub(super) fn see(&mut self, event: &Event, seen: &mut Vec<Sighting>) {
        match &event.body {
            Body::BuyIn(bought) => {
                match bought.form {
                    BuyInForm::Coupon => self.by_coupon += bought.amount,
                    _ => self.bought += bought.amount,
                }
                self.since.get_or_insert(event.seq);
            }
            // Of a box whose kind is not told nobody knows whether it is the one of the fund.
            Body::JackpotDropTaken(_) => self.uncertain |= !self.tells_kinds,
            Body::DropBoxAttached(attached) => self.tells_kinds |= attached.kind.is_some(),
            Body::DropBoxRemoved(removed) if is_beside(removed.kind) => self.tells_kinds = true,
            Body::DropBoxRemoved(removed) => {
                self.tells_kinds |= removed.kind.is_some();
                self.away.by_coupon += std::mem::take(&mut self.by_coupon);
                self.away.bought += std::mem::take(&mut self.bought);
                self.away.since = self.away.since.or(self.since.take());
                self.away.uncertain |= std::mem::take(&mut self.uncertain);
                self.away.boxes.insert(removed.r#box.clone());
                if self.away.boxes.len() > MAX_BOXES {
                    self.away = Away::default();
                }
            }
            Body::DropCounted(counted) if self.away.boxes.remove(&counted.r#box) => {
                self.away.counted += total(counted);
                self.away.coupons += counted.coupons.unwrap_or_default();
                if self.away.boxes.is_empty() {
                    seen.extend(std::mem::take(&mut self.away).judge(event.seq));
                }
            }
            _ => {}
        }
    }
}

impl Away {
    fn judge(self, seq: u64) -> Option<Sighting> {
        let short = |bought: Cents, counted: Cents| (bought - counted).max(Cents::ZERO);
        let in_coupons = short(self.by_coupon, self.coupons);
        let lost = short(self.bought, self.counted) + in_coupons;
        if self.uncertain || !lost.is_positive() {
            return None;
        }
        let message = match lost == in_coupons {
            true => format!(
                "Coupons of {} were counted of the drop, and players had bought in with {}",
                self.coupons, self.by_coupon
            ),
            false => format!(
                "{} was counted of the drop beside coupons, and players had bought in for {}",
                self.counted, self.bought
            ),
        };
        let evidence = self.since.into_iter().chain([seq]).collect();
        let mut sighting = Sighting::new("drop.short", evidence, message);
        sighting.lost = lost;
        Some(sighting)
    }
}

/// A box that is not of the drop.
fn is_beside(kind: Option<BoxKind>) -> bool {
    matches!(kind, Some(BoxKind::BadBeat | BoxKind::Tip))
}

fn total(counted: &DropCounted) -> Cents {
    let beside = [
        counted.counter_checks,
        counted.vouchers,
        counted.front_money,
        counted.foreign_chips,
    ];
    counted.cash + beside.into_iter().flatten().sum::<Cents>()
}

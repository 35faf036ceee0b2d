//! The bad beat fund: its box, its display, and who verified what it paid. 19(d)-(h)
//!
//! The box of a table is counted by a `drop_counted` of kind `bad_beat`, or where it tells no kind of a box that is
//! named for the jackpot or the bad beat;
//! the display is read by a `meter_read` or the meter of a round, and adjusted by a `device_adjusted` of
//! kind `display`. A feed that tells nothing of displays is not held to their times.

use catwalk_events::body::{Body, BoxKind, DeviceKind, DropCounted, JackpotPaid};
use catwalk_events::{Event, Role, Timestamp};
use catwalk_rules::floor::{Cents, Rounding};
use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::games::End;
use crate::round::RoundFold;

/// Box and display are looked at every gaming day.
const DAY: i64 = 24 * 3_600_000_000;

/// What is kept of the fund of a table.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Fund {
    /// Contributions since the box was last counted, or since the feed began.
    in_box: Cents,
    /// The box was empty before them.
    is_whole: bool,
    /// The first of them.
    since: Option<Timestamp>,
    count_reported: bool,
    /// The display was last adjusted, as far as the feed tells it.
    adjusted: Option<Timestamp>,
    display_reported: bool,
    /// A payout after which the display was not read yet.
    paid: Option<Payout>,
    /// The feed tells who verified payouts.
    tells_people: bool,
}

/// What a fund that showed so much paid.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Payout {
    shown: Cents,
    paid: Cents,
    /// Contributions of this table that may be in the display since.
    contributed: Cents,
    seq: u64,
}

impl Fund {
    /// An event of no round: a count of the box, the display.
    pub(super) fn see_aside(&mut self, event: &Event, faults: &mut Vec<Fault>) {
        match &event.body {
            Body::DropCounted(counted) if is_box_of_fund(counted) => {
                faults.extend(self.count(counted.cash, event.seq));
            }
            Body::MeterRead(read) if is_of_fund(&read.meter) => {
                self.adjust(event.at);
                faults.extend(self.read(read.amount, event.seq));
            }
            Body::DeviceAdjusted(adjusted) if adjusted.kind == DeviceKind::Display => {
                self.adjust(event.at);
            }
            _ => {}
        }
    }

    /// The round has ended: what it put into the box, what was paid, what has waited too long.
    pub(super) fn end(&mut self, end: &End<'_>, shown: Option<Cents>, faults: &mut Vec<Fault>) {
        let round = end.round;
        if let Some(shown) = shown {
            faults.extend(self.read(shown, round.opened_seq));
        }
        // Contributions of lost events are in the box too.
        self.is_whole &= !round.incomplete;
        let mut contributed = Cents::ZERO;
        for (seq, body) in &round.play {
            match body {
                Body::JackpotDropTaken(taken) => {
                    contributed += taken.amount - withheld(round, taken.amount);
                    self.in_box += taken.amount;
                    self.since.get_or_insert(round.opened_at);
                }
                Body::JackpotPaid(paid) => {
                    faults.extend(self.verify(paid, *seq));
                    if let Some(shown) = shown {
                        let before = self.paid.map_or(Cents::ZERO, |payout| payout.paid);
                        self.paid = Some(Payout {
                            shown,
                            paid: before + paid.amount,
                            contributed: Cents::ZERO,
                            seq: *seq,
                        });
                    }
                }
                Body::MeterRead(read) if is_of_fund(&read.meter) => {
                    self.adjust(round.opened_at);
                    faults.extend(self.read(read.amount, *seq));
                }
                _ => {}
            }
        }
        if let Some(payout) = &mut self.paid {
            payout.contributed += contributed;
        }
        self.check_day(round, faults);
    }

    /// The cash in the box is what was taken for it. What was in it before the feed began is not known.
    fn count(&mut self, cash: Cents, seq: u64) -> Option<Fault> {
        let (expected, is_whole) = (self.in_box, self.is_whole);
        self.in_box = Cents::ZERO;
        self.is_whole = true;
        self.since = None;
        self.count_reported = false;
        let differs = cash < expected || is_whole && cash != expected;
        differs.then(|| {
            let message = format!("The box held {cash} of contributions of {expected}");
            Fault {
                due: Some(expected),
                paid: Some(cash),
                exposure: expected - cash,
                ..Fault::new("jackpot.fund_mismatch", vec![seq], message)
            }
        })
    }

    /// What the display shows after a payout: no less than what was left, and less than before it.
    fn read(&mut self, now: Cents, seq: u64) -> Option<Fault> {
        let Payout {
            shown,
            paid,
            contributed,
            seq: paid_seq,
        } = self.paid.take()?;
        let left = shown - paid;
        let code = match now {
            now if now >= left && now <= left + contributed => return None,
            now if now == shown => "jackpot.display_stale",
            now if now > shown || now < left => "jackpot.fund_mismatch",
            _ => return None,
        };
        let message = format!("The fund stood at {shown}, paid {paid}, and is shown at {now}");
        Some(Fault {
            due: Some(left),
            paid: Some(now),
            ..Fault::new(code, vec![paid_seq, seq], message)
        })
    }

    fn adjust(&mut self, at: Timestamp) {
        self.adjusted = Some(at);
        self.display_reported = false;
    }

    /// 19(f): the shift supervisor verifies first.
    fn verify(&mut self, paid: &JackpotPaid, seq: u64) -> Option<Fault> {
        let mut people = [&paid.by, &paid.witness].into_iter().flatten().peekable();
        self.tells_people |= people.peek().is_some();
        let supervises = |role| matches!(role, Role::ShiftManager | Role::Supervisor);
        let verified = people.any(|person| supervises(person.role));
        (self.tells_people && !verified).then(|| {
            let message = format!(
                "{} of the bad beat fund was paid without the shift supervisor",
                paid.amount
            );
            Fault::new("bad_beat.unverified", vec![seq], message).of_wager(&paid.wager)
        })
    }

    fn check_day(&mut self, round: &RoundFold, faults: &mut Vec<Fault>) {
        let waits = |since: Option<Timestamp>| {
            let passed = |since: Timestamp| round.opened_at.micros() - since.micros() > DAY;
            since.is_some_and(passed)
        };
        let hours = |since: Option<Timestamp>| {
            let since = since.map_or(round.opened_at, |since| since);
            round.opened_at.micros().saturating_sub(since.micros()) / (DAY / 24)
        };
        let mut raise = |code, message: String| {
            faults.push(Fault::new(code, vec![round.opened_seq], message));
        };
        if waits(self.since) && !self.count_reported {
            self.count_reported = true;
            let hours = hours(self.since);
            let message =
                format!("Contributions lie uncounted in the box for {hours} hours, more than 24");
            raise("jackpot.box_not_counted", message);
        }
        let contributed = self.since.is_some();
        if contributed && waits(self.adjusted) && !self.display_reported {
            self.display_reported = true;
            let hours = hours(self.adjusted);
            let message =
                format!("The display of the fund was not adjusted for {hours} hours, more than 24");
            raise("jackpot.display_stale", message);
        }
    }
}

/// The posted share of a contribution that does not go straight into the fund. 19(b)(2)
fn withheld(round: &RoundFold, contribution: Cents) -> Cents {
    let posted = round.rules.option("jackpot");
    let share = posted.and_then(|posted| posted.get("withheld_bp")?.as_i64());
    contribution.basis_points(share.unwrap_or_default(), Rounding::DOWN)
}

/// Is this the count of the fund's box? Its kind says so, and its name where no kind is told.
fn is_box_of_fund(counted: &DropCounted) -> bool {
    match counted.kind {
        Some(kind) => kind == BoxKind::BadBeat,
        None => is_of_fund(&counted.r#box),
    }
}

/// Is this box or meter named for the fund?
fn is_of_fund(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["jackpot", "bad_beat", "bad-beat", "badbeat"]
        .iter()
        .any(|word| name.contains(word))
}

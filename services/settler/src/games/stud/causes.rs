//! What a wrong payment is called besides: the causes that the texts name.

use catwalk_events::body::Body;
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settled, Settlement, Verdict};

use super::Stud;
use super::table::{at, irregularities};
use crate::fault::Fault;
use crate::games::End;
use crate::judge::due;
use crate::round::{RoundFold, WagerFold};

/// A cause: its code, and when a wrong payment has it.
pub(super) struct Cause {
    pub(super) code: &'static str,
    pub(super) kinds: &'static [&'static str],
    pub(super) when: fn(&Case<'_>) -> bool,
}

/// A wager that was not paid, collected or left as it was due.
pub(super) struct Case<'a> {
    pub(super) wager: &'a WagerFold,
    pub(super) due: &'a Settled,
    /// Positive: the house lost it.
    pub(super) exposure: Cents,
    pub(super) folded: bool,
    pub(super) withdrawn: bool,
    round: &'a RoundFold,
    settlement: &'a Settlement,
}

impl Case<'_> {
    pub(super) fn is_over(&self) -> bool {
        self.exposure.is_positive()
    }

    pub(super) fn is(&self, result: Verdict) -> bool {
        self.due.result == result
    }

    /// Paid, or collected.
    pub(super) fn is_settled(&self) -> bool {
        self.wager.paid.is_positive() || self.wager.collected.is_some()
    }

    /// What became of another wager of the seat.
    pub(super) fn other(&self, kind: &str) -> Option<Verdict> {
        let other = at(self.round, self.wager.seat, kind)?;
        due(self.settlement, &other.id).map(|due| due.result)
    }

    pub(super) fn is_ohio(&self) -> bool {
        self.round.rules.edition.starts_with("oh-")
    }
}

/// The most that is paid, by an option of the table.
pub(super) struct PayoutLimit {
    pub(super) option: &'static str,
    pub(super) default: Option<i64>,
    /// The kinds that it holds for.
    pub(super) kinds: &'static [&'static str],
    /// Other kinds whose winnings use it up.
    pub(super) counted: &'static [&'static str],
    /// For all of a hand together, or for each wager.
    pub(super) per_hand: bool,
}

impl Stud {
    pub(super) fn name_causes(
        &self,
        end: &End<'_>,
        settlement: &Settlement,
        faults: &mut Vec<Fault>,
    ) {
        let round = end.round;
        let wrong: Vec<Case<'_>> = end
            .mispaid
            .iter()
            .filter_map(|&(index, exposure)| {
                let wager = round.wagers.get(index)?;
                Some(Case {
                    wager,
                    due: due(settlement, &wager.id)?,
                    exposure,
                    folded: self.is_folded(round, wager.seat),
                    withdrawn: self.is_withdrawn(round, wager),
                    round,
                    settlement,
                })
            })
            .collect();
        for case in &wrong {
            let of_kind = |cause: &&Cause| {
                cause.kinds.contains(&case.wager.kind.as_str()) && (cause.when)(case)
            };
            for cause in self.causes.iter().filter(of_kind) {
                faults.push(case.fault(cause.code));
            }
        }
        self.check_void(end, &wrong, faults);
        self.check_limit(&wrong, faults);
        self.check_burn(end, faults);
        self.check_meter(end, settlement, faults);
    }

    /// What voids a round leaves nothing to settle.
    fn check_void(&self, end: &End<'_>, wrong: &[Case<'_>], faults: &mut Vec<Fault>) {
        let settled = wrong
            .iter()
            .find(|case| case.is(Verdict::Void) && case.is_settled());
        let Some(case) = settled.filter(|_| self.is_void(end.round)) else {
            return;
        };
        let causes = irregularities(end.round).map(|(seq, _)| seq);
        let evidence: Vec<u64> = causes.chain(case.wager.evidence.iter().copied()).collect();
        let boxed = irregularities(end.round).any(|(_, entry)| entry.kind == "face_up_card");
        let message = "The round was void and its wagers were settled".to_owned();
        match self.game {
            "dj_wild" if boxed => faults.push(Fault::new("deal.face_up_card", evidence, message)),
            _ if self.causes.iter().any(|cause| cause.code == VOID) => {
                faults.push(Fault::new(VOID, evidence, message));
            }
            _ => {}
        }
    }

    /// More than the posted limit was paid on a hand.
    fn check_limit(&self, wrong: &[Case<'_>], faults: &mut Vec<Fault>) {
        let Some(limit) = &self.limit else { return };
        let over = |case: &&Case<'_>| case.is_over() && limit.kinds.contains(&&*case.wager.kind);
        let mut seats: Vec<u32> = Vec::new();
        for case in wrong.iter().filter(over) {
            let posted = match case.round.rules.option(limit.option) {
                Some(posted) => posted.as_i64(),
                None => limit.default,
            };
            let Some(most) = posted.map(Cents::new) else {
                return;
            };
            let of_hand = |wager: &&WagerFold| {
                let kind = wager.kind.as_str();
                wager.seat == case.wager.seat
                    && (limit.kinds.contains(&kind) || limit.counted.contains(&kind))
            };
            let paid = if limit.per_hand {
                let wagers = case.round.wagers.iter().filter(of_hand);
                wagers.fold(Cents::ZERO, |sum, wager| sum + wager.paid)
            } else {
                case.wager.paid
            };
            if paid > most && !seats.contains(&case.wager.seat) {
                seats.push(case.wager.seat);
                faults.push(case.fault("payout.limit_exceeded"));
            }
        }
    }

    /// Burned cards are counted also where nobody saw them.
    fn check_burn(&self, end: &End<'_>, faults: &mut Vec<Fault>) {
        if !self.keys.contains(&"burned") || self.is_void(end.round) {
            return;
        }
        let burned: Vec<(u64, bool)> = end
            .round
            .play
            .iter()
            .filter_map(|(seq, body)| match body {
                Body::CardBurned(burned) => Some((*seq, burned.card.is_some())),
                _ => None,
            })
            .collect();
        // Where all were seen the document says it, and where none was told nothing is known.
        if burned.iter().all(|&(_, seen)| seen) {
            return;
        }
        let rules = &end.round.rules;
        let automated = rules
            .option("dealing")
            .is_some_and(|way| way == "automated_shoe");
        let due = match (self.game, rules.edition.starts_with("mgc-")) {
            ("mississippi_stud", _) if automated => 1,
            ("mississippi_stud", _) => self.exposed(end.round).len(),
            (_, true) => 1,
            (_, false) => usize::from(automated),
        };
        if burned.len() != due {
            let message = format!("{} cards were burned instead of {due}", burned.len());
            let evidence = burned.into_iter().map(|(seq, _)| seq).collect();
            faults.push(Fault::new("deal.burn", evidence, message));
        }
    }

    /// A meter that was won whole and stands where it stood.
    fn check_meter(&self, end: &End<'_>, settlement: &Settlement, faults: &mut Vec<Fault>) {
        let meters = self.meters_of(end.round);
        for (meter, kinds) in self.meters {
            let Some(&stood) = meters.get(meter) else {
                continue;
            };
            let reset = reset(end.round, meter);
            let won = end.round.wagers.iter().find(|wager| {
                let due = due(settlement, &wager.id);
                kinds.contains(&&*wager.kind) && due.is_some_and(|due| due.returned >= stood)
            });
            let Some(paid) = won.and_then(|wager| wager.paid_seq) else {
                continue;
            };
            let after = end.round.play.iter().find_map(|(seq, body)| match body {
                Body::MeterRead(read) if *seq > paid => Some((*seq, read.amount)),
                _ => None,
            });
            if let Some((seq, now)) = after
                && now >= stood
                && stood > reset
            {
                let message = format!("The meter was won at {stood} and stands at {now}");
                faults.push(Fault::new(
                    "progressive.meter_mismatch",
                    vec![paid, seq],
                    message,
                ));
            }
        }
    }
}

/// What a meter starts from again.
fn reset(round: &RoundFold, meter: &str) -> Cents {
    let posted = round.rules.option(&format!("{meter}_reset"));
    let posted = posted.and_then(|reset| reset.as_i64());
    Cents::new(posted.unwrap_or(1_000_000))
}

/// Of a game whose text names it.
pub(super) const VOID: &str = "procedure.play_on_after_void";

/// The void of a round is looked at as a whole; here it says that the game has the code.
pub(super) const PLAYED_ON: Cause = Cause {
    code: VOID,
    kinds: &[],
    when: |_| false,
};

impl Case<'_> {
    fn fault(&self, code: &'static str) -> Fault {
        let message = format!(
            "{} on {} at seat {}: due {}, given {}",
            self.wager.amount,
            self.wager.kind,
            self.wager.seat,
            self.due.returned,
            self.due.returned + self.exposure
        );
        Fault::new(code, self.wager.evidence.clone(), message).of_wager(&self.wager.id)
    }
}

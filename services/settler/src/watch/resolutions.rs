//! What later events put right or explain: each closes the finding that it is about.
//!
//! A finding is never taken back. One that the dealer corrects, that a supervisor rules upon, that a
//! recount disproves or that only a wrong clock brought about is followed by another, which names it.

mod remedy;

use std::collections::VecDeque;

use catwalk_events::audit::Finding;
use catwalk_events::{Event, Timestamp};
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

use super::Sighting;
pub(crate) use remedy::Remedy;
use remedy::{Ruling, What};

/// So many findings of a table may still be resolved, the oldest first to go.
const MAX_OPEN: usize = 64;
/// So many rulings are remembered until their rounds close.
const MAX_RULINGS: usize = 16;
/// Why it is closed where somebody has decided so.
const RULED: &str = "it was ruled upon";
/// So many of a finding's events are named again by what resolves it.
const MAX_EVIDENCE: usize = 8;

/// The last findings that something may resolve, and the rulings of the open rounds.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Resolutions {
    open: VecDeque<Open>,
    rulings: VecDeque<Ruling>,
}

/// A finding that something may resolve.
#[derive(Debug, Serialize, Deserialize)]
struct Open {
    id: String,
    code: String,
    round: Option<String>,
    wager: Option<String>,
    seat: Option<u32>,
    about: Option<String>,
    by_clock: bool,
    at: Timestamp,
    /// What the house lost, less what came back since.
    #[serde(with = "catwalk_events::audit::signed")]
    exposure: Cents,
    #[serde(with = "catwalk_events::audit::signed")]
    first_exposure: Cents,
    is_pay: bool,
    /// The dice were thrown since: to change the wager back is too late.
    #[serde(default)]
    is_past: bool,
    evidence: Vec<u64>,
}

/// What resolves a finding.
#[derive(Debug)]
pub(crate) struct Resolution {
    /// The id of the finding.
    pub(crate) resolves: String,
    pub(crate) round: Option<String>,
    pub(crate) wager: Option<String>,
    pub(crate) seat: Option<u32>,
    /// What it makes good: the finding's exposure, with the other sign.
    pub(crate) exposure: Cents,
    pub(crate) message: String,
    pub(crate) evidence: Vec<u64>,
}

impl Resolutions {
    /// Does this event correct what was paid in a round that is over?
    pub(crate) fn awaits(&self, event: &Event) -> bool {
        let remedy = Remedy::of(event, None);
        let What::Money { wager, .. } = &remedy.what else {
            return false;
        };
        let is_it = |open: &Open| {
            open.is_pay && open.round == remedy.round && open.wager.as_ref() == Some(wager)
        };
        self.open.iter().any(is_it)
    }

    /// Remembers what a watcher found of an object or by the clock.
    pub(crate) fn remember(&mut self, finding: &Finding, sighting: &Sighting) {
        if sighting.about.is_some() || sighting.by_clock {
            let open = Open::of(finding, sighting.about.clone(), sighting.by_clock);
            self.keep(open);
        }
    }

    /// What an event resolves, of what was found before it and of what was found by it.
    pub(crate) fn follow<'a>(
        &mut self,
        remedy: Remedy,
        found: impl Iterator<Item = &'a Finding> + Clone,
    ) -> Vec<Resolution> {
        let mut resolved = Vec::new();
        let stepped_back = found.clone().any(|finding| finding.code == "feed.clock");
        if stepped_back {
            let is_early = |open: &Open| open.by_clock && open.at > remedy.at;
            let why = "the clock that saw the deadline pass was wrong";
            self.resolve(is_early, why, remedy.seq, &mut resolved);
        }
        let is_lawful_change = remedy.is_change() && found.clone().next().is_none();
        self.remedy(&remedy, is_lawful_change, found.clone(), &mut resolved);
        if let What::Ruling(ruling) = &remedy.what {
            // What a ruling itself tells of for the first time is not settled by it.
            self.rule(ruling, |ruling, open| ruling.is_about(open), &mut resolved);
        }
        for finding in found {
            let known = self.open.iter().any(|open| open.id == finding.id);
            if !known && finding.round.is_some() && is_resolvable(finding) {
                self.keep(Open::of(finding, None, false));
            }
        }
        // A ruling on a payment comes before the end of the round, where the payment is judged.
        for ruling in std::mem::take(&mut self.rulings) {
            self.rule(
                &ruling,
                |ruling, open| ruling.is_about_payment(open),
                &mut resolved,
            );
            self.rulings.push_back(ruling);
        }
        match remedy.what {
            What::Ruling(ruling) => {
                self.rulings.push_back(*ruling);
                if self.rulings.len() > MAX_RULINGS {
                    self.rulings.pop_front();
                }
            }
            What::Closed | What::Voided => {
                self.rulings.retain(|ruling| ruling.round != remedy.round);
            }
            _ => {}
        }
        resolved
    }

    fn rule(
        &mut self,
        ruling: &Ruling,
        is_about: fn(&Ruling, &Open) -> bool,
        resolved: &mut Vec<Resolution>,
    ) {
        let why = format!("{RULED}: {}", ruling.words);
        self.resolve(|open| is_about(ruling, open), &why, ruling.seq, resolved);
    }

    fn remedy<'a>(
        &mut self,
        remedy: &Remedy,
        is_lawful_change: bool,
        mut found: impl Iterator<Item = &'a Finding>,
        resolved: &mut Vec<Resolution>,
    ) {
        let (round, seq) = (&remedy.round, remedy.seq);
        let of_wager =
            |open: &Open, wager: &str| open.round == *round && open.wager.as_deref() == Some(wager);
        match &remedy.what {
            What::Money {
                wager,
                to_player,
                word,
            } => {
                self.put_right(remedy, wager, *to_player, word, resolved);
            }
            What::GivenBack { wager } => {
                let is_late = |open: &Open| of_wager(open, wager) && is_late(&open.code);
                self.resolve(is_late, "the late wager was given back", seq, resolved);
            }
            What::Changed { wager } if is_lawful_change => {
                self.restore_stake(|open| of_wager(open, wager), seq, resolved);
            }
            What::Thrown => {
                let of_round = self.open.iter_mut().filter(|open| open.round == *round);
                of_round.for_each(|open| open.is_past = true);
            }
            What::Voided => {
                let is_undone = |open: &Open| open.round == *round && !is_of_equipment(&open.code);
                self.resolve(is_undone, "the round was declared void", seq, resolved);
            }
            What::Replaced { set } => {
                let is_lacking =
                    |open: &Open| open.code == "deck.missing_card" && open.is_about(set);
                self.resolve(is_lacking, "the card was replaced", seq, resolved);
            }
            What::Counted { set } if !found.any(|finding| is_count(&finding.code)) => {
                let is_counted = |open: &Open| is_count(&open.code) && open.is_about(set);
                let why = "the set was counted again and is complete";
                self.resolve(is_counted, why, seq, resolved);
            }
            _ => {}
        }
    }

    /// A stake is what it was before: nothing is capped, pinched or moved any more.
    fn restore_stake(
        &mut self,
        of_wager: impl Fn(&Open) -> bool,
        seq: u64,
        resolved: &mut Vec<Resolution>,
    ) {
        let is_touched = |open: &Open| {
            let touched = matches!(open.code.as_str(), "wager.capped" | "wager.pinched");
            of_wager(open) && touched
        };
        let why = "the stake is again what it was when betting closed";
        self.resolve(is_touched, why, seq, resolved);
        let is_moved = |open: &Open| of_wager(open) && is_of_contract(&open.code) && !open.is_past;
        self.resolve(is_moved, "the stake is again what it was", seq, resolved);
    }

    /// Money moves on a wager that was paid or taken wrongly, after its round: what was wrong is less,
    /// or nothing any more.
    fn put_right(
        &mut self,
        remedy: &Remedy,
        wager: &str,
        to_player: Option<Cents>,
        word: &str,
        resolved: &mut Vec<Resolution>,
    ) {
        let (round, seq) = (&remedy.round, remedy.seq);
        let of_wager = |open: &Open| open.round == *round && open.wager.as_deref() == Some(wager);
        for open in self
            .open
            .iter_mut()
            .filter(|open| of_wager(open) && open.is_pay)
        {
            match to_player {
                Some(amount) => open.exposure += amount,
                // The whole stake, which is what was wrong there.
                None if matches!(open.code.as_str(), "pay.uncollected" | "pay.unpaid") => {
                    open.exposure = Cents::ZERO;
                }
                None => {}
            }
            if open.evidence.len() < 2 * MAX_EVIDENCE {
                open.evidence.push(seq);
            }
        }
        let is_right = |open: &Open| of_wager(open) && open.is_pay && open.exposure == Cents::ZERO;
        let why = format!("the difference was {word} afterwards");
        self.resolve(is_right, &why, seq, resolved);
    }

    /// Closes every finding that fits.
    fn resolve(
        &mut self,
        fits: impl Fn(&Open) -> bool,
        why: &str,
        seq: u64,
        resolved: &mut Vec<Resolution>,
    ) {
        self.open.retain(|open| {
            let is_resolved = fits(open);
            if is_resolved {
                let made_good = open.is_pay && open.exposure == Cents::ZERO;
                // Of a bet that is as it has to be nothing is at stake any more; a ruling gives nothing back.
                let is_kept = is_of_time(&open.code) || is_of_contract(&open.code);
                let is_back = made_good || is_kept && !why.starts_with(RULED);
                let first = if is_back {
                    open.first_exposure
                } else {
                    Cents::ZERO
                };
                let evidence = open.evidence.iter().copied().chain([seq]).collect();
                resolved.push(Resolution {
                    resolves: open.id.clone(),
                    round: open.round.clone(),
                    wager: open.wager.clone(),
                    seat: open.seat,
                    exposure: -first,
                    message: format!("{} is resolved: {why}", open.code),
                    evidence,
                });
            }
            !is_resolved
        });
    }

    fn keep(&mut self, open: Open) {
        self.open.push_back(open);
        if self.open.len() > MAX_OPEN {
            self.open.pop_front();
        }
    }
}

impl Open {
    fn of(finding: &Finding, about: Option<String>, by_clock: bool) -> Open {
        Open {
            id: finding.id.clone(),
            code: finding.code.clone(),
            round: finding.round.clone(),
            wager: finding.wager.clone(),
            seat: finding.seat,
            about,
            by_clock,
            at: finding.at,
            exposure: finding.exposure,
            first_exposure: finding.exposure,
            is_pay: finding.due.is_some() && finding.exposure != Cents::ZERO,
            is_past: false,
            evidence: finding
                .evidence
                .iter()
                .copied()
                .take(MAX_EVIDENCE)
                .collect(),
        }
    }

    fn is_about(&self, object: &str) -> bool {
        self.about.as_deref() == Some(object)
    }
}

/// Is this something that can be put right at all?
fn is_resolvable(finding: &Finding) -> bool {
    let is_of = |family: &str| finding.code.starts_with(family);
    !is_of("feed.") && !is_of("statistics.") && !is_of("finding.")
}

/// Cards that a count found too few or too many.
fn is_count(code: &str) -> bool {
    matches!(code, "deck.missing_card" | "deck.extra_card")
}

fn is_late(code: &str) -> bool {
    code.split(['.', '_']).any(|word| word == "late")
}

/// A bet that was made, raised or lowered out of time.
fn is_of_time(code: &str) -> bool {
    is_late(code) || matches!(code, "wager.capped" | "wager.pinched")
}

/// Wagers that have to stay as they are, or may not be raised.
fn is_of_contract(code: &str) -> bool {
    let codes = [
        "craps.contract_bet_removed",
        "craps.put_removed",
        "craps.fire_changed",
        "craps.dont_increased",
    ];
    codes.contains(&code)
}

/// What a void round does not undo.
fn is_of_equipment(code: &str) -> bool {
    let families = [
        "deck.", "dice.", "tiles.", "wheel.", "shoe.", "device.", "chips.",
    ];
    families.iter().any(|family| code.starts_with(family))
}

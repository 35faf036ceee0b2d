//! What was paid, collected or pushed in a round against what was due.

use catwalk_events::Timestamp;
use catwalk_rules::book::Book;
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settled, Settlement};

use super::compare::{Due, Mispay, Terms, compare, compare_range, not_due};
use super::finding::of_wager;
use super::strays::sign;
use super::{Bench, book, due, has_kind, of_strays};
use crate::games::{self, Case, Folder, Vigorish};
use crate::laws;
use crate::round::{RoundFold, WagerFold};
use crate::settler::{Laws, Output};
use crate::standing::Standing;

/// A round and what is due by it.
pub(super) struct Judged<'a> {
    pub(super) round: &'a RoundFold,
    pub(super) settlement: &'a Settlement,
    pub(super) standing: &'a Standing,
    pub(super) folder: &'a dyn Folder,
    pub(super) book: Option<&'a Book>,
}

/// What was paid, collected or pushed against what was due, for the wagers that `are_due`: the places of
/// those that differ, with what the house lost by each.
pub(super) fn mispays(
    bench: Bench<'_>,
    judged: &Judged<'_>,
    are_due: impl Fn(&WagerFold) -> bool,
    at: Timestamp,
    out: &mut Vec<Output>,
) -> Vec<(usize, Cents)> {
    let Judged { round, book, .. } = *judged;
    let mut found = Vec::new();
    // The chips of the poker room lie in its pots.
    if judged.settlement.pots().is_some() {
        return found;
    }
    for (index, wager) in round.wagers.iter().enumerate() {
        let settled = due(judged.settlement, &wager.id);
        if !are_due(wager) || !judged.can_tell(wager, settled) {
            continue;
        }
        let Some((wager, mispay)) = judged.mispay(wager, settled) else {
            continue;
        };
        found.push((index, mispay.exposure));
        let case = settled.map(|due| Case {
            round,
            standing: judged.standing,
            wager: &wager,
            due,
            code: mispay.code,
        });
        if let Some(code) = case.and_then(|case| judged.folder.name(&case)) {
            let of_win = settled.and_then(|due| mispay.of_win(due.win));
            let said = of_win.filter(|_| code == "vigorish.wrong");
            let said = said.unwrap_or_else(|| mispay.told(&wager));
            let named = of_wager(bench, round, (code, said), &wager, at, book);
            out.push(Output::Finding(Box::new(named)));
        }
        let finding = mispay.into_pay_finding(&bench, round, &wager, at, book);
        out.push(Output::Finding(Box::new(finding)));
    }
    found
}

impl Judged<'_> {
    /// Does the table show what became of a wager, and can anybody tell what it is worth?
    fn can_tell(&self, wager: &WagerFold, settled: Option<&Settled>) -> bool {
        // A stake that only a decision tells of has no name that a payment could call.
        let untold = wager.announced && wager.paid_seq.is_none() || wager.told_with.is_some();
        // What was taken back against the rules was told so: there is nothing left to collect.
        let gone = wager.is_gone && !wager.is_touched();
        // What a bet is worth that the game does not have, nobody can tell.
        let unknown = settled.is_none() && !has_kind(self.book, &wager.kind);
        !untold
            && !gone
            && !unknown
            && !self.folder.is_paid_elsewhere(self.round, wager)
            && !self
                .folder
                .is_cut_together(self.round, wager, self.settlement)
    }

    /// What became of a wager, with the stakes on top of it, against what was due on them.
    fn mispay(&self, wager: &WagerFold, settled: Option<&Settled>) -> Option<(WagerFold, Mispay)> {
        let (round, settlement) = (self.round, self.settlement);
        let stands = self.folder.run().is_some();
        let terms = self.terms(wager, stands);
        let (wager, due) = with_untold(wager, settled, round, settlement, stands)?;
        let compare =
            |due: Due| compare(&wager, due, terms).or_else(|| not_due(&wager, due, terms));
        let beside = beside(&wager, round, settlement);
        let raised = only_announced(&wager, round, settlement);
        let mispay = match settled.and_then(|settled| settled.range) {
            Some(range) => {
                let bonus = beside.iter().copied().max().unwrap_or_default();
                compare_range(&wager, range, bonus + raised, terms)?
            }
            None => {
                let with = |more| compare(due.with_bonus(more)).is_none();
                let fits =
                    |more: &Cents| with(*more) || raised.is_positive() && with(*more + raised);
                let mispay = compare(due.with_bonus(beside[0]))?;
                if beside.iter().any(fits) {
                    return None;
                }
                mispay
            }
        };
        // A late wager may be given back whatever its outcome.
        let is_given_back = wager.late && compare(Due::given_back(&wager)).is_none();
        (!is_given_back).then_some((wager, mispay))
    }

    /// How the payments of a wager are meant.
    fn terms(&self, wager: &WagerFold, stands: bool) -> Terms {
        let vigorish = match self.folder.vigorish(self.round, wager) {
            Vigorish::OutOfWin if self.round.rules.defers_vigorish() => Vigorish::Deferred,
            vigorish => vigorish,
        };
        let stake_stays = self.folder.keeps_stake(&wager.kind);
        let is_named = |book: &Book| {
            laws::finding(book, &self.round.rules, "progressive.stake_returned").is_some()
        };
        Terms {
            vigorish,
            stands: stands || self.folder.outlasts(&wager.kind),
            stake_stays,
            // The chip of the let it ride bonus is none of the progressive.
            names_stake: stake_stays
                && wager.kind != "let_it_ride_bonus"
                && self.book.is_some_and(is_named),
        }
    }
}

/// What was paid or kept in a round that was called off, of the wagers that go back; a seat that is even in the
/// end has nothing to claim. What the house lost by it; `None` where nobody can tell.
pub(crate) fn not_given_back(
    bench: Bench<'_>,
    round: &RoundFold,
    at: Timestamp,
    laws: &Laws,
    out: &mut Vec<Output>,
) -> Option<Cents> {
    let terms = Terms {
        vigorish: Vigorish::OutOfWin,
        stands: false,
        stake_stays: false,
        names_stake: false,
    };
    let folder = games::folder(&round.rules.game);
    let goes_back = |wager: &WagerFold| {
        let goes_back = folder.is_some_and(|folder| folder.gives_back(round, wager));
        goes_back && !is_boxed(folder, wager) && wager.judged.is_none()
    };
    let is_touched = |wager: &&WagerFold| wager.is_touched() && goes_back(wager);
    let touched = || round.wagers.iter().filter(is_touched);
    let mispay = |wager: &WagerFold| compare(wager, Due::given_back(wager), terms);
    let of_seat = |seat: u32| -> Cents {
        let there = touched().filter(|wager| wager.seat == seat);
        let lost = there.filter_map(mispay);
        lost.map(|mispay| mispay.exposure).sum()
    };
    let mut lost = Cents::ZERO;
    for wager in touched() {
        if let Some(mispay) = mispay(wager) {
            lost += mispay.exposure;
            if of_seat(wager.seat) != Cents::ZERO {
                let finding = mispay.into_pay_finding(&bench, round, wager, at, book(laws, round));
                out.push(Output::Finding(Box::new(finding)));
            }
        }
    }
    lost += round.strays.iter().map(sign).sum::<Cents>();
    let how = "in a round that was called off, on a wager that nobody made";
    for fault in of_strays(round, &round.strays, how) {
        let finding = fault.into_finding(&bench, round, at, laws);
        out.push(Output::Finding(Box::new(finding)));
    }
    let is_left = |wager: &WagerFold| wager.is_touched() && !goes_back(wager);
    (!round.wagers.iter().any(is_left)).then_some(lost)
}

/// A run that is called off does not undo what it decided before: what was paid and taken for that as it was due,
/// stays.
pub(crate) fn leave_decided(round: &mut RoundFold, laws: &Laws, standing: &Standing) {
    let folder = games::folder(&round.rules.game).filter(|folder| folder.run().is_some());
    let settled = folder.and_then(|folder| {
        let (_, settlement) = super::settle(folder, round, laws, standing).ok()?;
        Some((folder, settlement))
    });
    let Some((folder, settlement)) = settled else {
        return;
    };
    let judged = Judged {
        round,
        settlement: &settlement,
        standing,
        folder,
        book: book(laws, round),
    };
    let is_right = |wager: &WagerFold| {
        let settled = due(&settlement, &wager.id);
        wager.is_touched() && judged.mispay(wager, settled).is_none()
    };
    let right: Vec<bool> = round.wagers.iter().map(is_right).collect();
    let after_play = round.play.len();
    for (wager, _) in round
        .wagers
        .iter_mut()
        .zip(right)
        .filter(|(_, right)| *right)
    {
        wager.judged.get_or_insert(after_play);
    }
}

/// A chip that the house takes in before the deal goes back with the round, told or not.
fn is_boxed(folder: Option<&dyn Folder>, wager: &WagerFold) -> bool {
    let keeps = folder.is_some_and(|folder| folder.keeps_stake(&wager.kind));
    keeps && !wager.paid.is_positive() && wager.pushed.is_none()
}

/// A wager and what is due on it, with the stakes on top of it that only decisions told of; one that
/// the document leaves out is to be given back. `None` where stakes on top ended otherwise than the
/// wager itself: nobody can tell then what was paid for which.
fn with_untold(
    wager: &WagerFold,
    settled: Option<&Settled>,
    round: &RoundFold,
    settlement: &Settlement,
    stands: bool,
) -> Option<(WagerFold, Due)> {
    let mut whole = wager.clone();
    let Some(settled) = settled else {
        return Some((whole, Due::given_back(wager)));
    };
    let mut all = Due::of(settled);
    let is_on_top = |other: &&WagerFold| other.told_with.as_ref() == Some(&wager.id);
    for other in round.wagers.iter().filter(is_on_top) {
        let theirs = due(settlement, &other.id)?;
        // In a run it is a bet of its own that was told by an event, and given back if it may not stand.
        if theirs.result != settled.result && !stands {
            return None;
        }
        whole.amount += other.amount;
        all.win += theirs.win;
        all.returned += theirs.returned;
    }
    // Who names what lay there by an event means all that lay there.
    let is_all = |part: &Option<Cents>| whole.amount > wager.amount && *part == Some(wager.amount);
    for told in [&mut whole.collected, &mut whole.pushed] {
        if told.as_ref().is_some_and(is_all) {
            *told = Some(None);
        }
    }
    Some((whole, all))
}

/// What is won with stakes on this wager that only a decision told of, and that nobody paid by their own
/// name: it may have been paid with the wager.
fn only_announced(wager: &WagerFold, round: &RoundFold, settlement: &Settlement) -> Cents {
    let is_on_it = |other: &&WagerFold| {
        let untouched = other.paid_seq.is_none() && other.collected.is_none();
        other.announced && untouched && other.on.as_ref() == Some(&wager.id)
    };
    let raises = round.wagers.iter().filter(is_on_it);
    raises
        .filter_map(|other| due(settlement, &other.id))
        .map(|due| due.win)
        .sum()
}

/// What may be paid on a wager beside its odds: first what is owed on it, then the same with bonuses
/// that go to others because of it, or to its player because of others. Nothing of a toke pool is paid
/// to a player.
fn beside(wager: &WagerFold, round: &RoundFold, settlement: &Settlement) -> [Cents; 4] {
    let player = |wager: &WagerFold| {
        let seated = format!("p{}", wager.seat);
        wager.player.clone().unwrap_or(seated)
    };
    let mine = player(wager);
    let sum = |on_it: bool, to_me: bool| -> Cents {
        let bonuses = settlement.bonuses().iter();
        let of_these = bonuses.filter(|bonus| {
            let on = round.wager(bonus.on.as_str());
            (bonus.on.as_str() == wager.id) == on_it
                && (bonus.to == mine) == to_me
                && on.is_some()
                && bonus.to != "toke_pool"
                && !is_paid_apart(bonus.amount, round, settlement)
        });
        of_these.map(|bonus| bonus.amount).sum()
    };
    let owed = sum(true, true);
    let (to_others, from_others) = (sum(true, false), sum(false, true));
    [
        owed,
        owed + from_others,
        owed + to_others,
        owed + to_others + from_others,
    ]
}

/// Were bonuses of this amount paid by names of their own, as many as are due?
pub(crate) fn is_paid_apart(amount: Cents, round: &RoundFold, settlement: &Settlement) -> bool {
    let bonuses = settlement.bonuses().iter();
    let due = bonuses.filter(|bonus| bonus.amount == amount).count();
    let strays = round.strays.iter();
    strays.filter(|stray| stray.paid == amount).count() >= due
}

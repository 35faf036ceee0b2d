//! The tray: chips that were there, came and went add up to those that are counted.
//!
//! Only a table that tells of everything can be held against its count: its opening, every round, what
//! players bought, fills and credits. One that tells little of it is not judged, and neither is a table at
//! which something happened whose chips nobody can follow.

use catwalk_events::audit::SettledWager;
use catwalk_events::body::{
    Body, CashForm, JackpotPaid, PaidFrom, RakePlace, RakeTaken, TableOpened, WagerForm,
};
use catwalk_events::{Event, SourceKind};
use catwalk_rules::Settlement;
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

use super::{AtTable, Sighting};
use crate::settler::SettledRound;
use crate::table::RulesInForce;

/// A table that has told of so many rounds, and of money, tells of everything.
const LEAST_ROUNDS: u32 = 50;
const POKER: &str = "poker";
/// So many counts that came too early are named by the one that is judged, the oldest first to go.
const MAX_EARLY: usize = 16;

/// What must be in the tray, since the last count.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Tray {
    /// `None` where it is not known.
    expected: Option<Cents>,
    since: u64,
    /// Since the table was first told of: a table that opens often tells no less.
    rounds: u32,
    sells_chips: bool,
    /// What the table opened with; `None` where events are missing since.
    opened_with: Option<Cents>,
    /// Rounds at the last count.
    counted_at: u32,
    /// What was missing by counts that came too early to be judged, and those counts.
    #[serde(with = "catwalk_events::audit::signed")]
    pending: Cents,
    early: Vec<u64>,
    /// Rake since then of which neither the event nor the posting says where it was put.
    raked: Cents,
    /// What was counted when it closed, less credits and with fills since.
    closed: Option<(Cents, u64)>,
}

impl Tray {
    pub(super) fn lose(&mut self) {
        self.expected = None;
        self.closed = None;
        self.opened_with = None;
    }

    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        match &event.body {
            Body::TableOpened(opened) => self.open(opened, event.seq, table, seen),
            Body::BuyIn(bought) => {
                self.sells_chips = true;
                self.add(-bought.amount);
            }
            Body::Fill(fill) => {
                self.add(fill.amount);
                self.add_closed(fill.amount);
            }
            Body::Credit(credit) => {
                self.add(-credit.amount);
                self.add_closed(-credit.amount);
            }
            Body::InventoryCounted(counted) => {
                self.compare(counted.amount, event.seq, seen);
                let known = self.expected.map(|_| counted.amount);
                (self.expected, self.since) = (known, event.seq);
                self.counted_at = self.rounds;
            }
            Body::TableClosed(closed) => {
                self.compare(closed.closing_inventory, event.seq, seen);
                // Of a table that is not told to open nobody knows what its chips are.
                let is_money = self.expected.is_some() || self.rounds > 0;
                let left = (closed.closing_inventory, event.seq);
                self.closed = (table.is_open && is_money && !table.is_tournament()).then_some(left);
                self.expected = None;
                self.opened_with = None;
            }
            // What was marked in an earlier round.
            Body::CommissionCollected(collected)
                if !table.is_round_open
                    && table.rules.is_some_and(RulesInForce::defers_vigorish) =>
            {
                self.add(collected.amount);
            }
            // What is brought to the table to redeem a check goes into the tray, or into the box; what is brought to
            // the cage does neither.
            Body::MarkerRedeemed(redeemed) if event.source.kind != SourceKind::Cage => {
                match redeemed.form {
                    Some(CashForm::Chips) => self.add(redeemed.amount),
                    Some(_) => {}
                    None => self.expected = None,
                }
            }
            Body::JackpotPaid(paid) => self.pay_jackpot(paid, table),
            Body::RakeTaken(rake) => self.rake(rake, table),
            // What is put right later is put right anywhere.
            _ if table.is_correction => self.expected = None,
            _ => {}
        }
    }

    fn open(
        &mut self,
        opened: &TableOpened,
        seq: u64,
        table: &AtTable<'_>,
        seen: &mut Vec<Sighting>,
    ) {
        // Tournament chips are no money.
        let is_counted = opened.tournament != Some(true);
        let found = opened.opening_inventory;
        if is_counted && table.is_open {
            // It is told again how the table opened: nothing was counted.
            if self.opened_with == Some(found) && self.expected.is_some() {
                return;
            }
            self.reopen(found, seq, seen);
        } else if let Some((left, since)) = self.closed.filter(|_| is_counted) {
            open_with(found, left, (since, seq), seen);
        }
        *self = Tray {
            expected: is_counted.then_some(found),
            since: seq,
            rounds: self.rounds,
            // Who told once what patrons buy tells it at every opening.
            sells_chips: self.sells_chips,
            opened_with: is_counted.then_some(found),
            counted_at: self.rounds,
            pending: self.pending,
            early: std::mem::take(&mut self.early),
            raked: Cents::ZERO,
            closed: None,
        };
    }

    /// What a round owes from a meter leaves the tray with the rest of it, unless it is paid elsewhere. In the poker
    /// room nothing else of a round goes through the tray.
    fn pay_jackpot(&mut self, paid: &JackpotPaid, table: &AtTable<'_>) {
        let is_poker = table.rules.is_some_and(|rules| rules.game == POKER);
        match (paid.paid_from, is_poker) {
            (None, _) => self.expected = None,
            (Some(PaidFrom::Tray), true) => self.add(-paid.amount),
            (Some(PaidFrom::Tray), false) | (Some(_), true) => {}
            (Some(_), false) => self.add(paid.amount),
        }
    }

    /// Rake is put into the tray (poker 14(b)) or into the drop box (205 CMR 146.07(2)): as it was told, or else as
    /// the house posts it.
    fn rake(&mut self, rake: &RakeTaken, table: &AtTable<'_>) {
        match rake.to.or(table.rules.and_then(RulesInForce::rake_to)) {
            Some(RakePlace::Tray) => self.add(rake.amount),
            Some(RakePlace::DropBox) => {}
            None => self.raked += rake.amount,
        }
    }

    /// A round has ended. Of one that was not `plain` nobody knows which chips went where.
    pub(crate) fn settled(&mut self, round: &SettledRound, plain: bool) {
        self.count_round();
        // Players of the poker room play for each other's chips, and what the house takes of them goes into
        // its boxes: however wrong a hand is, the tray stays as it is.
        if round.rules.game == POKER {
            return;
        }
        match won(round).filter(|_| plain) {
            Some(won) => self.add(won),
            None => self.expected = None,
        }
    }

    pub(crate) fn count_round(&mut self) {
        self.rounds = self.rounds.saturating_add(1);
    }

    /// A round was called off, and the house lost so much by what was not undone; `None` where nobody knows.
    pub(crate) fn called_off(&mut self, lost: Option<Cents>) {
        match lost {
            Some(lost) => self.add(-lost),
            None => self.expected = None,
        }
    }

    /// So much more went out in a round than its wagers say.
    pub(crate) fn stray(&mut self, lost: Cents) {
        self.add(-lost);
    }

    fn add(&mut self, chips: Cents) {
        if let Some(expected) = &mut self.expected {
            *expected += chips;
        }
    }

    /// A fill or a credit of a table that is closed.
    fn add_closed(&mut self, chips: Cents) {
        if let Some((left, _)) = &mut self.closed {
            *left += chips;
        }
    }

    fn compare(&mut self, counted: Cents, seq: u64, seen: &mut Vec<Sighting>) {
        let Some(expected) = self.expected.filter(|_| self.sells_chips) else {
            return;
        };
        // It lies in the tray after all.
        let raked = std::mem::take(&mut self.raked);
        let with_raked = [expected + raked, expected + raked + self.pending];
        let in_tray = raked.is_positive() && with_raked.contains(&counted);
        let expected = if in_tray { expected + raked } else { expected };
        if self.rounds < LEAST_ROUNDS {
            self.wait(expected - counted, seq);
            return;
        }
        let (pending, early) = (
            std::mem::take(&mut self.pending),
            std::mem::take(&mut self.early),
        );
        let lost = expected + pending - counted;
        if lost == Cents::ZERO {
            return;
        }
        let code = match lost.is_negative() {
            true => "tray.over",
            false => "tray.short",
        };
        let mut message =
            format!("{counted} was counted in the tray, and {expected} must be there");
        if pending != Cents::ZERO {
            let before = match early.len() {
                1 => "the count before was".to_owned(),
                counts => format!("{counts} counts before were"),
            };
            let word = if pending.is_negative() {
                "over"
            } else {
                "short"
            };
            let together = Cents::new(pending.get().abs());
            message = format!("{message}; {before} {together} {word}");
        }
        let evidence = early.into_iter().chain([self.since, seq]).collect();
        let mut sighting = Sighting::new(code, evidence, message);
        sighting.lost = lost;
        seen.push(sighting);
    }

    /// A count that comes too early to be judged: what it lacks is added to the next ones.
    fn wait(&mut self, lost: Cents, seq: u64) {
        if lost == Cents::ZERO {
            return;
        }
        self.pending += lost;
        self.early.push(seq);
        if self.early.len() > MAX_EARLY {
            self.early.remove(0);
        }
    }

    /// A table that is open opens again with other chips than it opened with: it is a count, and what it lacks is told
    /// at once, however few rounds there were. Of a feed that tells little nobody knows what must be there.
    fn reopen(&mut self, found: Cents, seq: u64, seen: &mut Vec<Sighting>) {
        let is_known = self.sells_chips || self.rounds == self.counted_at;
        let Some(expected) = self.expected.filter(|_| is_known) else {
            return;
        };
        let with_raked = expected + std::mem::take(&mut self.raked);
        if found == expected || found == with_raked || found == expected + self.pending {
            return;
        }
        let message = format!(
            "The table was opened again with {found} in the tray, without having closed; {expected} must be there"
        );
        let mut sighting = Sighting::new("tray.opening", vec![self.since, seq], message);
        sighting.lost = expected - found;
        seen.push(sighting);
    }
}

/// A table opens with the chips that it closed with.
fn open_with(found: Cents, left: Cents, (since, seq): (u64, u64), seen: &mut Vec<Sighting>) {
    if found != left {
        let message =
            format!("The table opened with {found} in the tray; it had closed with {left}");
        let mut sighting = Sighting::new("tray.opening", vec![since, seq], message);
        sighting.lost = left - found;
        seen.push(sighting);
    }
}

/// What the tray won in a round, as it was paid; `None` where that is not known. A coupon is no chip: it goes into the
/// drop box, and only what it wins leaves the tray.
fn won(round: &SettledRound) -> Option<Cents> {
    // Cash on the layout is changed into chips, and nobody says whether that was told.
    let is_cash = |wager: &SettledWager| wager.form == Some(WagerForm::Cash);
    if round.wagers.iter().any(is_cash) {
        return None;
    }
    if round.voided {
        let is_even = |wager: &SettledWager| {
            let kept = wager.collected.unwrap_or_default();
            wager.paid == Cents::ZERO && kept == Cents::ZERO
        };
        return round.wagers.iter().all(is_even).then_some(Cents::ZERO);
    }
    let settlement: &Settlement = round.settlement.as_ref().filter(|_| round.complete)?;
    if settlement.violations().iter().next().is_some() {
        return None;
    }
    let bonuses = settlement.bonuses().iter().map(|bonus| bonus.amount);
    let mut won = -bonuses.sum::<Cents>();
    // Seat 0 is the house: what it stakes against a bank is in the bank's share.
    for wager in round.wagers.iter().filter(|wager| wager.seat != 0) {
        won += wager.put_up() - wager.due_back()? - wager.difference?;
    }
    // What is only marked comes to the tray when it is collected.
    Some(won - round.owed)
}

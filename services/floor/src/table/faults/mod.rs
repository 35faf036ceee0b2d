//! What goes wrong on purpose: what is paid wrongly or touched when the outcome is known, cards and dice
//! that are exchanged, papers that are forged, money that is gone, events that are lost on their way.

mod cards;
mod equipment;
mod feed;
mod hiding;
mod lasting;
mod money;
mod notices;
mod papers;
mod payments;
mod short;
mod uneven;
mod wagers;

use std::collections::BTreeSet;

use catwalk_events::Event;
use catwalk_events::body::{Body, LimitsChanged, NoticeChange, RulesChanged};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Edition, Rulebook};

use super::Table;
use crate::fault::{FaultKind, Label};
use crate::games;

pub(super) use equipment::Forged;
pub use feed::garble;
pub(super) use hiding::{blind, conceal};
pub(super) use wagers::NOT_BET;

/// What the floor does wrong that not every jurisdiction has a rule of.
const OF_JURISDICTIONS: [&str; 5] = [
    "dice.not_inspected",
    "dice.overdue",
    "limits.notice",
    "rules.notice",
    "tiles.overdue",
];

/// What a table keeps of what goes wrong at it.
#[derive(Debug, Default)]
pub(super) struct Mischief {
    /// Players play for each other's chips: nothing that happens in a round goes through the tray.
    for_pots: bool,
    /// Codes that the table's jurisdiction has no rule of: what they tell of is no fault here.
    unruled: Vec<&'static str>,
    /// The dealer alone inspects a single deck.
    dealer_inspects: bool,
    exposed: cards::Exposed,
    dice: equipment::Dice,
    /// The wheel failed its inspection since the table opened, and is used: that is said once.
    failed_wheel: bool,
    lasting: lasting::Lasting,
    openings: Option<short::Openings>,
    /// What it has differently from the other tables of its house.
    uneven: Option<uneven::Uneven>,
    /// Rounds since it opened, or last returned to what its house has.
    even_rounds: u64,
    /// The seat that is paid a little too much.
    friend: Option<u32>,
    /// To be done when chips or the drop are next counted.
    planned: Option<FaultKind>,
    /// What shows when nothing has come of it until a moment.
    waiting: Vec<(i64, Label)>,
    /// Faults of papers that wait for their moment.
    papers: BTreeSet<FaultKind>,
    /// A meter skipped, and was not read since.
    pub(super) skipped: Option<Label>,
    /// A box was never counted: nobody knows any more what was dropped.
    pub(super) uncounted: bool,
    /// An event that is still on its way.
    stale: Option<Event>,
    /// Events that arrive damaged.
    garbled: BTreeSet<u64>,
    /// The last event that did not come, or not in time.
    lost: u64,
    /// The last event whose clock was behind.
    drifted: u64,
    since: Since,
}

/// When what an audit must have seen was last told.
#[derive(Debug, Default)]
struct Since {
    opened: u64,
    /// What was in its tray then.
    opened_with: Cents,
    shoe: u64,
    set: u64,
    dice: u64,
    /// The end of the last round in which a 7 cleared the table of craps: what stands on it is known.
    cleared: u64,
    seven: bool,
    /// Notices that no change has used yet.
    notices: u32,
    /// Rounds since the table opened.
    rounds: u64,
    /// Something happened since then whose chips nobody can follow: a jackpot that may be paid at the cage,
    /// a round that was played or bet wrongly.
    unclear: bool,
}

impl Mischief {
    pub(super) fn at(rulebook: &Rulebook, game: &str, edition: &str) -> Mischief {
        let edition = Edition::from_name(edition);
        let chapter = rulebook.equipment(edition);
        let is_unruled = |code: &&str| chapter.finding(Some(game), code).is_none();
        let cards = chapter.cards(game, None);
        Mischief {
            for_pots: game == "poker",
            unruled: OF_JURISDICTIONS.into_iter().filter(is_unruled).collect(),
            dealer_inspects: cards.is_some_and(|rule| rule.dealer_inspects_decks == Some(1)),
            ..Mischief::default()
        }
    }

    /// Does the table's jurisdiction have a rule against this?
    pub(super) fn is_fault(&self, code: &str) -> bool {
        !self.unruled.contains(&code)
    }

    /// Is nothing planned for the next count of the drop?
    pub(super) fn spares_drop(&self) -> bool {
        self.planned != Some(FaultKind::SkimmedDrop)
    }

    /// Sees what goes out, and fills in what a reader of the table's devices tells.
    pub(super) fn see(&mut self, seq: u64, body: &mut Body) {
        self.dice.mark(body);
        self.exposed.see(body);
        match body {
            Body::TableOpened(opened) => {
                (self.since.opened, self.since.rounds) = (seq, 0);
                self.since.opened_with = opened.opening_inventory;
                self.since.unclear = false;
            }
            Body::RoundOpened(opened) => {
                self.since.seven = false;
                self.since.unclear |= opened.banker.is_some() && !self.for_pots;
            }
            Body::DiceRolled(rolled) if rolled.valid => {
                self.since.seven |= rolled.dice.iter().sum::<u8>() == 7;
            }
            Body::RoundClosed(_) => {
                self.since.rounds += 1;
                if self.since.seven {
                    self.since.cleared = seq;
                }
            }
            Body::NoticePosted(posted) if posted.change != NoticeChange::Requirement => {
                self.since.notices += 1;
            }
            Body::RulesChanged(RulesChanged { notice, .. })
            | Body::LimitsChanged(LimitsChanged { notice, .. }) => {
                let used = u32::from(notice.is_some());
                self.since.notices = self.since.notices.saturating_sub(used);
            }
            Body::JackpotPaid(_) => self.since.unclear = true,
            Body::ShoeStarted(_) => self.since.shoe = seq,
            Body::CardsOpened(_) | Body::DiceIntroduced(_) | Body::TilesIntroduced(_) => {
                self.since.set = seq;
                if let Body::DiceIntroduced(_) = body {
                    self.since.dice = seq;
                }
            }
            _ => {}
        }
    }

    /// The table closes for the night.
    pub(super) fn close(&mut self) {
        self.failed_wheel = false;
    }

    /// This was done.
    pub(super) fn done(&mut self, kind: FaultKind) {
        let is_clear = is_of_payment(kind)
            || is_of_notices(kind)
            || is_of_shoe(kind)
            || is_of_shuffle(kind)
            || is_of_feed(kind)
            || is_of_hiding(kind)
            || kind == FaultKind::WrongBonus;
        self.since.unclear |= !is_clear && !self.for_pots;
    }

    /// An event did not come, or not in time.
    fn lose(&mut self, seq: u64) {
        self.lost = seq;
        self.waiting.clear();
        self.since.cleared = 0;
    }

    /// Has an audit seen all that shows a fault of this kind? What it may have missed it holds against
    /// nobody. Wagers of a `run` stand from round to round.
    pub(super) fn has_room(&self, kind: FaultKind, is_run: bool) -> bool {
        let is_of_layout = is_of_payment(kind)
            || is_of_wager(kind)
            || matches!(kind, FaultKind::WrongPlay | FaultKind::WrongBonus);
        let since = match kind {
            _ if is_run && is_of_layout && self.lost > 0 => self.since.cleared,
            FaultKind::ForeignCard
            | FaultKind::MissingCard
            | FaultKind::StackedShoe
            | FaultKind::ShortShoe
            | FaultKind::Unshuffled
            | FaultKind::DoubledCard => self.since.shoe,
            FaultKind::SwitchedDice => self.since.dice,
            FaultKind::OverdueSet => self.since.set,
            FaultKind::MissingFill | FaultKind::WrongCloser if self.since.unclear => return false,
            FaultKind::ReopenedShort if self.since.unclear => return false,
            FaultKind::SkimmedDrop if self.uncounted => return false,
            FaultKind::UnannouncedRules if !self.is_fault("rules.notice") => return false,
            FaultKind::UnannouncedLimits if !self.is_fault("limits.notice") => return false,
            // What is announced for later may seem to announce it.
            FaultKind::UnannouncedRules | FaultKind::UnannouncedLimits
                if self.since.notices > 0 =>
            {
                return false;
            }
            FaultKind::UnannouncedRules
            | FaultKind::UnannouncedLimits
            | FaultKind::MissingFill
            | FaultKind::WrongCloser
            | FaultKind::ReopenedShort
            | FaultKind::ShortOpenings
            | FaultKind::SkimmedDrop => self.since.opened,
            _ => return true,
        };
        self.lost < since
    }
}

impl Table {
    pub(super) fn has_room(&self, kind: FaultKind) -> bool {
        let is_run = self.game_name.ends_with("craps");
        games::has_room(self.game_name, kind) && self.mischief.has_room(kind, is_run)
    }
}

pub(super) fn is_of_payment(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::Overpaid
            | FaultKind::Underpaid
            | FaultKind::Unpaid
            | FaultKind::UnduePaid
            | FaultKind::Uncollected
            | FaultKind::WrongCommission
            | FaultKind::EnvyUnpaid
            | FaultKind::Collusion
    )
}

pub(super) fn is_of_cards(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::SwitchedCard | FaultKind::ForeignCard | FaultKind::DoubledCard
    )
}

/// Of the count of a shoe that ends.
pub(super) fn is_of_shoe(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::MissingCard | FaultKind::StackedShoe | FaultKind::ShortShoe
    )
}

/// Of how the cards are shuffled and cut before they are dealt.
fn is_of_shuffle(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::ShallowCut | FaultKind::Unshuffled)
}

pub(super) fn is_of_wager(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::PastPosted | FaultKind::Capped | FaultKind::Pinched
    )
}

pub(super) fn is_of_feed(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::LostEvent
            | FaultKind::RepeatedEvent
            | FaultKind::SwappedEvents
            | FaultKind::LateEvent
            | FaultKind::StaleEvent
            | FaultKind::CorruptedEvent
            | FaultKind::ClockDrift
            | FaultKind::ContradictingEvent
    )
}

/// Chips for nothing, excuses and other names.
fn is_of_hiding(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::StrayPayment
            | FaultKind::StrayPush
            | FaultKind::StrayPot
            | FaultKind::ExcusedLoser
            | FaultKind::DecidedVoid
            | FaultKind::OtherName
            | FaultKind::LeftOpen
            | FaultKind::OtherProperty
            | FaultKind::StrayCommission
            | FaultKind::LateAct
            | FaultKind::ReopenedShort
            | FaultKind::ReopenedOtherwise
    )
}

pub(super) fn is_of_notices(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::UnannouncedRules | FaultKind::UnannouncedLimits
    )
}

/// Of slips, boxes, coupons, counter checks and closers.
pub(super) fn is_of_papers(kind: FaultKind) -> bool {
    FaultKind::OF_PAPERS.contains(&kind) || FaultKind::OF_REPORTS.contains(&kind)
}

/// Of a count that is still to come.
pub(super) fn is_of_money(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::MissingFill | FaultKind::SkimmedDrop)
}

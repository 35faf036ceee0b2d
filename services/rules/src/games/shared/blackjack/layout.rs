//! A round as it lies on the table: boxes, dealer and stakes together.

use super::boxes::{Act, BoxRecord, PlayedBox, replay};
use super::dealer::{Dealer, Duties};
use super::fate::Judged;
use super::points::is_ten_card;
use super::stakes::{BoxWager, Role, Stakes};
use super::{HouseRules, VoidRound};
use crate::floor::{Card, Cents, Odds, Rounding, Seat};
use crate::refusal::Refusal;
use crate::settlement::{Settled, Violations};

#[derive(Debug)]
pub(crate) struct Layout<'a, W, V> {
    pub(crate) house: HouseRules,
    pub(crate) stakes: Stakes<'a, W>,
    pub(crate) boxes: Vec<PlayedBox<'a, V>>,
    pub(crate) dealer: Dealer<'a>,
    pub(crate) void_round: Option<VoidRound>,
}

impl<'a, W: BoxWager, V: Copy + Into<Act>> Layout<'a, W, V> {
    /// Replays the boxes. Refuses two boxes on one seat, boxes without a dealer, and what of the wagers nothing
    /// reads.
    pub(crate) fn lay(
        house: HouseRules,
        wagers: &'a [W],
        records: impl IntoIterator<Item = BoxRecord<'a, V>>,
        dealer: Dealer<'a>,
        void_round: Option<VoidRound>,
        violations: &mut Violations,
    ) -> Result<Layout<'a, W, V>, Refusal> {
        let stakes = Stakes::new(wagers);
        stakes.refuse_unread()?;
        let mut boxes: Vec<PlayedBox<'a, V>> = Vec::new();
        for (index, record) in records.into_iter().enumerate() {
            if boxes.iter().any(|earlier| earlier.seat() == record.seat) {
                return Err(Refusal::at(
                    format!("play.boxes[{index}].seat"),
                    format!("seat {} has a box already", record.seat),
                ));
            }
            if let Some(caller) = record.caller
                && !stakes.has_main_of(caller, record.seat)
            {
                return Err(Refusal::at(
                    format!("play.boxes[{index}].caller"),
                    format!("{caller:?} has no main wager on seat {}", record.seat),
                ));
            }
            boxes.push(replay(record, index, &house, violations)?);
        }
        if void_round.is_none() {
            stakes.refuse_without_box(&boxes)?;
        }
        let someone_plays = boxes.iter().any(|played| played.is_alive());
        if dealer.up().is_none() && someone_plays && void_round != Some(VoidRound::All) {
            return Err(Refusal::at("play.dealer.cards", "the dealer has no card"));
        }
        Ok(Layout {
            house,
            stakes,
            boxes,
            dealer,
            void_round,
        })
    }

    pub(crate) fn box_at(&self, seat: Seat) -> Option<&PlayedBox<'a, V>> {
        self.boxes.iter().find(|played| played.seat() == seat)
    }

    /// The box of a seat, unless it is dead.
    pub(crate) fn live_box_at(&self, seat: Seat) -> Option<&PlayedBox<'a, V>> {
        self.box_at(seat).filter(|played| played.is_alive())
    }

    /// The boxes that somebody bet on.
    pub(crate) fn staked_boxes(&self) -> impl Iterator<Item = &PlayedBox<'a, V>> {
        self.boxes
            .iter()
            .filter(|played| self.stakes.mains_on(played.seat()).next().is_some())
    }

    /// The cards of all boxes and of the dealer.
    pub(crate) fn cards(&self) -> impl Iterator<Item = Card> {
        let boxes = self.boxes.iter().flat_map(|played| played.cards());
        boxes.chain(self.dealer.cards())
    }

    /// A wager on its hand against the dealer's first hand, without even money and rescue.
    pub(crate) fn judged(&self, wager: &W) -> Judged<'_, V> {
        Judged {
            played: self.box_at(wager.seat()),
            hand: wager.hand(),
            void_round: self.void_round,
            even_money: false,
            rescued: false,
            dealer_hand: 0,
        }
    }

    /// Insurance wins if the dealer's second card is a ten-card. Nothing that happens to the hand
    /// matters.
    pub(crate) fn settle_insurance(
        &self,
        wager: &W,
        offered: bool,
        dealer_hand: usize,
        odds: Odds,
    ) -> Result<Settled, Refusal> {
        if self.void_round.is_some() || !offered || self.live_box_at(wager.seat()).is_none() {
            return Ok(Settled::void(wager));
        }
        let second = self.dealer.needs_second(dealer_hand)?;
        Ok(match is_ten_card(second) {
            true => pay(wager, odds),
            false => Settled::lose(wager),
        })
    }

    /// Flags boxes without wagers, and steps that nobody paid for.
    pub(crate) fn flag_boxes(&self, violations: &mut Violations) {
        self.stakes.flag_boxes(&self.boxes, violations);
        for played in self.staked_boxes() {
            self.stakes.flag_uncovered_steps(played, violations);
        }
    }

    /// Flags what the dealer did against the rules. `judged` completes a wager on a hand; `besides`
    /// is what side wagers ask of the dealer.
    pub(crate) fn flag_dealer<'s>(
        &'s self,
        judged: impl Fn(usize, &'a W) -> Judged<'s, V>,
        besides: Duties,
        reader_fault: bool,
        violations: &mut Violations,
    ) where
        V: 's,
    {
        let on_hand =
            |wager: &W| matches!(wager.role(), Role::Main | Role::Split(_) | Role::Double(_));
        let wagers = self.stakes.wagers.iter().enumerate();
        let live_against: Vec<usize> = wagers
            .filter(|(_, wager)| on_hand(wager))
            .map(|(index, wager)| judged(index, wager))
            .filter(|judged| judged.is_live(&self.dealer))
            .map(|judged| judged.dealer_hand)
            .collect();
        let duties = |hand| Duties {
            draw: besides.draw || live_against.contains(&hand),
            ..besides
        };
        let round_is_void = self.void_round.is_some();
        self.dealer.flag_draws(round_is_void, duties, violations);

        let plays_on = |played: &PlayedBox<'_, V>| {
            let mut steps = played.steps();
            steps.any(|(act, _)| !matches!(act, Act::BonusCard | Act::Dead))
        };
        let someone_played_on = self.staked_boxes().any(plays_on);
        let excused = reader_fault || round_is_void;
        self.dealer
            .flag_hole_card(&self.house, excused, someone_played_on, violations);
    }
}

/// Pays a wager at odds; the fraction of a cent is dropped.
pub(crate) fn pay<W: BoxWager>(wager: &W, odds: Odds) -> Settled {
    let win = odds.win_on(wager.amount(), Rounding::DOWN);
    Settled::win(wager, win, Cents::ZERO)
}

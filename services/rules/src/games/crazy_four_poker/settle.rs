//! What is crazy four poker's own: the super bonus, play wagers by the hand, and a dealer who needs
//! king high.

use std::cmp::Ordering;

use super::{Kind, Rules, Wager};
use crate::floor::Rank;
use crate::games::shared::ante_play::Seats;
use crate::games::shared::four_card::{self, House, pay_row};
use crate::hands::four::{self, Category};
use crate::settlement::{Settled, Violations};

impl four_card::Rules for Rules {
    type Kind = Kind;

    fn house(&self) -> &House<Kind> {
        &self.house
    }

    fn flag_wagers(&self, seats: &Seats<'_, Kind>, violations: &mut Violations) {
        for at in seats.iter() {
            let (ante, super_bonus) = (at.ante(), at.wager(Kind::SuperBonus));
            // §1.A,E: both are mandatory, and equal.
            violations.add_if(
                ante.map(|wager| wager.amount) != super_bonus.map(|wager| wager.amount),
                "wager.super_bonus_amount",
            );
            let alone = ante.is_none() || super_bonus.is_none();
            violations.add_if(at.has(Kind::QueensUp) && alone, "wager.side_without_main");
            let Some((play, ante)) = at.play().zip(ante) else {
                continue;
            };
            let allowed = |multiple: &i64| play.amount == ante.amount.times(*multiple);
            violations.add_if(
                !self.play_multiples.iter().any(allowed),
                "wager.play_amount",
            );
            let whole = at
                .cards()
                .filter(|cards| cards.len() == self.house.deal.hand);
            let hand = whole.and_then(four::rank);
            violations.add_if(
                play.amount > ante.amount && hand.is_some_and(|hand| !is_aces_or_better(hand)),
                "wager.play_needs_aces",
            );
        }
    }

    fn settle_hand(
        &self,
        wager: &Wager,
        player: four::Hand,
        dealer: Option<four::Hand>,
    ) -> Settled {
        let contest = match dealer {
            Some(dealer) if qualifies(dealer) => Contest::Compared(player.cmp(&dealer)),
            _ => Contest::DealerDoesNotQualify,
        };
        let beaten = contest == Contest::Compared(Ordering::Less);
        let main = &self.house.main;
        match (wager.kind, contest) {
            (Kind::QueensUp, _) => pay_row(wager, self.queens_up.pays(player)),
            (Kind::SuperBonus, _) => match self.super_bonus.pays(player) {
                // §11.B: a straight or better is paid whatever the dealer has.
                Some(odds) => pay_row(wager, Some(odds)),
                None if beaten => Settled::lose(wager),
                None => Settled::push(wager),
            },
            (Kind::Ante, Contest::Compared(Ordering::Greater)) => pay_row(wager, Some(main.ante)),
            // §10.E.i pays the play wager without a comparison.
            (Kind::Play, Contest::Compared(Ordering::Greater) | Contest::DealerDoesNotQualify) => {
                pay_row(wager, Some(main.play))
            }
            (Kind::Ante | Kind::Play, _) if beaten => Settled::lose(wager),
            (Kind::Ante | Kind::Play, _) => Settled::push(wager),
            // Not against the dealer, nor on four cards.
            (Kind::Progressive, _) => Settled::void(wager),
        }
    }
}

/// How a hand that stayed in fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contest {
    DealerDoesNotQualify,
    Compared(Ordering),
}

/// §10.C: good enough to play more than the ante.
pub(super) fn is_aces_or_better(hand: four::Hand) -> bool {
    match hand.category() {
        Category::HighCard => false,
        Category::Pair => hand.ranks()[0] == Rank::Ace,
        _ => true,
    }
}

/// The dealer plays with king high or better.
pub(super) fn qualifies(dealer: four::Hand) -> bool {
    dealer.category() > Category::HighCard || dealer.ranks()[0] >= Rank::King
}

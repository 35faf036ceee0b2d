//! What becomes of a hand, test by test in the order of the rules.

use super::boxes::{Act, PlayedBox};
use super::dealer::Dealer;
use super::{HouseRules, VoidRound};
use crate::floor::Rounding;
use crate::refusal::Refusal;
use crate::round::Wager;
use crate::settlement::Settled;

/// The first test that decides a wager on a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The round, box or hand does not count.
    Void,
    /// A blackjack that took even money against an ace.
    EvenMoney,
    /// Given up; with the dealer's blackjack all of the stake is lost.
    Surrendered {
        all: bool,
    },
    Bust,
    /// The double was taken back and the original wager given up.
    Rescued,
    DealerBlackjack {
        player_too: bool,
    },
    Blackjack,
    /// Neither has blackjack and the player is not bust.
    Compared {
        player: u32,
        dealer: u32,
    },
}

/// A wager on a hand, and what is to be judged about it.
#[derive(Debug)]
pub(crate) struct Judged<'a, V> {
    pub(crate) played: Option<&'a PlayedBox<'a, V>>,
    pub(crate) hand: u32,
    pub(crate) void_round: Option<VoidRound>,
    /// Even money was offered on it and taken.
    pub(crate) even_money: bool,
    /// The hand was rescued and the wager's player had doubled it.
    pub(crate) rescued: bool,
    /// Which of the dealer's hands it plays against.
    pub(crate) dealer_hand: usize,
}

impl<V: Copy + Into<Act>> Judged<'_, V> {
    pub(crate) fn fate(&self, dealer: &Dealer<'_>, rules: &HouseRules) -> Result<Fate, Refusal> {
        let hand = self.played.and_then(|played| played.hand(self.hand));
        let Some(hand) = hand.filter(|hand| self.void_round.is_none() && !hand.dead) else {
            return Ok(Fate::Void);
        };
        let blackjack = hand.is_blackjack();
        let against_ace = dealer.up().is_some_and(super::is_ace);
        if self.even_money && blackjack && against_ace {
            return Ok(Fate::EvenMoney);
        }
        let against = dealer.hand(self.dealer_hand);
        if hand.given_up {
            let threatened = dealer.threatens(rules);
            if threatened {
                dealer.needs_second(self.dealer_hand)?;
            }
            return Ok(Fate::Surrendered {
                all: threatened && against.has_blackjack(),
            });
        }
        // A bust is lost at once with everything on it, before the dealer's second card is known.
        if hand.is_bust() {
            return Ok(Fate::Bust);
        }
        if self.rescued {
            return Ok(Fate::Rescued);
        }
        if against.has_blackjack() {
            return Ok(Fate::DealerBlackjack {
                player_too: blackjack,
            });
        }
        if blackjack {
            if dealer.threatens(rules) {
                dealer.needs_second(self.dealer_hand)?;
            }
            return Ok(Fate::Blackjack);
        }
        dealer.needs_second(self.dealer_hand)?;
        Ok(Fate::Compared {
            player: hand.total().points,
            dealer: against.total(),
        })
    }

    /// Does the dealer's total still matter to the wager?
    pub(crate) fn is_live(&self, dealer: &Dealer<'_>) -> bool {
        self.is_undecided() && !dealer.hand(self.dealer_hand).has_blackjack()
    }

    /// Does nothing but the dealer's cards decide the wager?
    pub(crate) fn is_undecided(&self) -> bool {
        let hand = self.played.and_then(|played| played.hand(self.hand));
        hand.is_some_and(|hand| {
            !hand.dead && !hand.given_up && !hand.is_bust() && !hand.is_blackjack() && !self.rescued
        })
    }

    /// A blackjack that the dealer's may still tie.
    pub(crate) fn awaits_second_card(&self, dealer: &Dealer<'_>, rules: &HouseRules) -> bool {
        let hand = self.played.and_then(|played| played.hand(self.hand));
        let waits = hand.is_some_and(|hand| !hand.dead && hand.is_blackjack());
        let paid_at_once = self.even_money && dealer.up().is_some_and(super::is_ace);
        waits && !paid_at_once && dealer.threatens(rules)
    }
}

/// Surrendered: half of the stake goes back, less the fraction of a cent.
pub(crate) fn half_back(wager: &impl Wager) -> Settled {
    Settled::lose_part(wager, wager.amount().fraction(1, 2, Rounding::DOWN))
}

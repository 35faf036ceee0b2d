//! Match-the-dealer, a side wager of blackjack and Spanish 21.

use serde::Deserialize;

use super::super::posted_odds::PostedOdds;
use crate::floor::{Card, Cents, Odds, Rounding};

/// Odds for each card that matches, by the number of decks.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchTable {
    unsuited: Odds,
    suited: Odds,
}

impl MatchTable {
    pub(crate) fn listed(&self, row: &str) -> Option<Odds> {
        match row {
            "unsuited" => Some(self.unsuited),
            "suited" => Some(self.suited),
            _ => None,
        }
    }

    /// What the first cards win against the up card: each that has its rank is paid for itself.
    /// `None` if none has.
    pub(crate) fn win(
        &self,
        amount: Cents,
        first_cards: &[Card],
        up: Option<Card>,
        posted: &PostedOdds,
    ) -> Option<Cents> {
        let up = up?;
        let pay = |row, listed| {
            let odds = posted.raised("match_the_dealer", row, listed);
            odds.win_on(amount, Rounding::DOWN)
        };
        first_cards
            .iter()
            .filter(|card| card.rank() == up.rank())
            .map(|card| match card.suit() == up.suit() {
                true => pay("suited", self.suited),
                false => pay("unsuited", self.unsuited),
            })
            .reduce(|sum, win| sum + win)
    }
}

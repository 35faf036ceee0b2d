//! The bonus on the two hole cards.

use serde::Deserialize;

use super::{Options, Rules};
use crate::floor::{Card, Odds, Rank};
use crate::games::shared::table_cards::{self, TableCard};

/// A row of the bonus table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum BonusRow {
    AceAce,
    AceKingSuited,
    AceQueenJackSuited,
    AceKingOffsuit,
    KingQueenJackPair,
    AceQueenJackOffsuit,
    LowPair,
}

impl BonusRow {
    /// The row of two hole cards; `None` where the bonus loses.
    pub(super) fn of(hole: &[TableCard]) -> Option<BonusRow> {
        let &[first, second] = table_cards::of_deck(hole).as_slice() else {
            return None;
        };
        BonusRow::of_cards(first, second)
    }

    pub(super) fn of_cards(first: Card, second: Card) -> Option<BonusRow> {
        let (high, low) = (
            first.rank().max(second.rank())?,
            first.rank().min(second.rank())?,
        );
        let suited = first.suit() == second.suit();
        match (high, low) {
            (Rank::Ace, Rank::Ace) => Some(BonusRow::AceAce),
            (Rank::King, Rank::King) | (Rank::Queen, Rank::Queen) | (Rank::Jack, Rank::Jack) => {
                Some(BonusRow::KingQueenJackPair)
            }
            (high, low) if high == low => Some(BonusRow::LowPair),
            (Rank::Ace, Rank::King) if suited => Some(BonusRow::AceKingSuited),
            (Rank::Ace, Rank::King) => Some(BonusRow::AceKingOffsuit),
            (Rank::Ace, Rank::Queen | Rank::Jack) if suited => Some(BonusRow::AceQueenJackSuited),
            (Rank::Ace, Rank::Queen | Rank::Jack) => Some(BonusRow::AceQueenJackOffsuit),
            _ => None,
        }
    }
}

/// The odds in force for a row: posted, and never below the minimum. § 12.C
pub(super) fn odds(rules: &Rules, options: &Options, row: BonusRow) -> Option<Odds> {
    let posted = options.bonus_paytable.get(&row);
    posted.max(rules.bonus.get(&row)).copied()
}

/// The odds in force where player and dealer hold aces, if the house has that row. § 12.D
pub(super) fn both_aces_odds(rules: &Rules, options: &Options) -> Option<Odds> {
    let posted = options.bonus_both_aces?;
    Some(posted.max(rules.both_aces.both_aces))
}

/// The best odds in force, for the payout limit. § 12.E
pub(super) fn best_odds(rules: &Rules, options: &Options) -> Option<Odds> {
    let rows = rules.bonus.keys();
    rows.filter_map(|&row| odds(rules, options, row))
        .chain(both_aces_odds(rules, options))
        .max()
}

//! Match-the-dealer, a side wager of blackjack and Spanish 21.

use serde::Deserialize;

use super::stakes::BoxWager;
use crate::book::{BookError, EditionBook};
use crate::floor::{Card, Cents, Odds, Rounding};
use crate::games::shared::posted_odds::PostedOdds;
use crate::refusal::Refusal;
use crate::settlement::Settled;

/// The two tables that the rules have, by the number of decks.
#[derive(Debug)]
pub(crate) struct MatchTables {
    six_decks: MatchTable,
    eight_decks: MatchTable,
}

impl MatchTables {
    pub(crate) fn read(book: &EditionBook<'_>) -> Result<MatchTables, BookError> {
        Ok(MatchTables {
            six_decks: book.minimum_table("match_the_dealer_6_deck")?,
            eight_decks: book.minimum_table("match_the_dealer_8_deck")?,
        })
    }

    pub(crate) fn of_decks(&self, decks: i64) -> Option<&MatchTable> {
        match decks {
            6 => Some(&self.six_decks),
            8 => Some(&self.eight_decks),
            _ => None,
        }
    }
}

/// Odds for each card that matches.
#[derive(Debug, Deserialize)]
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

    /// Each of the first cards that has the rank of the up card is paid for itself.
    pub(crate) fn settle<W: BoxWager>(
        &self,
        wager: &W,
        first_cards: &[Card],
        up: Option<Card>,
        posted: &PostedOdds,
    ) -> Settled {
        let pay = |card: &Card| {
            let (row, listed) = match card.suit() == up.and_then(Card::suit) {
                true => ("suited", self.suited),
                false => ("unsuited", self.unsuited),
            };
            let odds = posted.raised("match_the_dealer", row, listed);
            odds.win_on(wager.amount(), Rounding::DOWN)
        };
        let matches = |card: &&Card| card.rank() == up.and_then(Card::rank);
        let wins = first_cards.iter().filter(matches).map(pay);
        match wins.reduce(|sum, win| sum + win) {
            Some(win) => Settled::win(wager, win, Cents::ZERO),
            None => Settled::lose(wager),
        }
    }
}

/// A side wager that the rules have no pay table for.
pub(crate) fn no_table(wager: &str, decks: i64) -> Refusal {
    Refusal::at(
        "options.decks",
        format!("the rules have no pay table of {wager} for {decks} decks and these options"),
    )
}

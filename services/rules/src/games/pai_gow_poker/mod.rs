//! Pai gow poker: Massachusetts with banks and many side wagers, Ohio with the written house way.

mod massachusetts;
mod rows;
mod settle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::book::{BookError, EditionBook, LeastLimit};
use crate::floor::{Cents, Odds};
use crate::games::shared::minimum::{Posted, limit_at_least};
use crate::games::shared::pai_gow::{DealerBankWagerRule, Irregular, VigRounding, Vigorish};
use crate::games::shared::pai_gow_poker::{
    DealMethod, Figures, FortuneProgressiveTable, FortuneTable, HouseWay, IrregularityKind, Kind,
    Method, Play, RoyalMatch, Sight, Wager,
};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::Outcome;
use crate::unseen::Reach;
use crate::{Edition, Game};
use massachusetts::Massachusetts;
use rows::{ProgressiveRow, SevenCardRow, ThreeCardRow};

#[derive(Debug)]
pub struct PaiGowPoker;

impl Game for PaiGowPoker {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");
    const RETOLD: &'static [&'static str] = &["high", "low"];
    /// Seat 0 is the house, which wagers against a bank.
    const LOWEST_SEAT: u16 = 0;

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            offered: book.kinds()?,
            main: book.table("main")?,
            vigorish: Vigorish {
                percent: book.figure("vigorish_percent")?,
                unit: book.figure("vigorish_unit")?,
            },
            figures: Figures::of(book)?,
            irregular: Irregular::of(book)?,
            fortune: FortuneTable::of(book, "bonus", "envy")?,
            text: match book.edition() {
                Edition::Mgc2017 => Text::Massachusetts(Box::new(Massachusetts::of(book)?)),
                _ => Text::Ohio(Ohio {
                    fortune_progressive: FortuneProgressiveTable::of(book)?,
                    progressive_wager: book.figure("progressive_wager")?,
                    least_limit: book.least_limit("max_payout_fortune")?,
                }),
            },
        })
    }

    fn decided_by(round: &Round<PaiGowPoker>, wager: &Wager) -> Reach {
        let options = &round.options;
        let sight = Sight {
            edition: round.edition,
            wagers: &round.wagers,
            play: &round.play,
            house_way: options.house_way,
            joins_bonuses: options.max_payout_bonus.is_some(),
            joins_sevens: options.max_payout_seven_card.is_some(),
        };
        sight.decided_by(wager)
    }

    fn settle(rules: &Rules, round: &Round<PaiGowPoker>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file of one edition, typed.
#[derive(Debug)]
pub struct Rules {
    offered: Vec<Kind>,
    main: MainTable,
    vigorish: Vigorish,
    figures: Figures,
    irregular: Irregular<IrregularityKind>,
    fortune: FortuneTable,
    text: Text,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MainTable {
    both_hands_higher: Odds,
}

#[derive(Debug)]
enum Text {
    Massachusetts(Box<Massachusetts>),
    Ohio(Ohio),
}

#[derive(Debug)]
struct Ohio {
    fortune_progressive: FortuneProgressiveTable,
    progressive_wager: Cents,
    least_limit: LeastLimit,
}

impl Ohio {
    fn limit(&self, options: &Options) -> Posted<Option<Cents>> {
        limit_at_least(options.max_payout_fortune, &self.least_limit, None)
    }
}

/// Both editions' options; the data file says which are of which.
#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    vig_rounding: VigRounding,
    #[serde(default)]
    low_straight: LowStraight,
    #[serde(default)]
    house_way: HouseWay,
    #[serde(default)]
    royal_match: RoyalMatch,
    #[serde(default)]
    insurance_paytable: InsurancePaytable,
    #[serde(default)]
    seven_card_paytable: SevenCardPaytable,
    #[serde(default)]
    seven_card_overrides: BTreeMap<SevenCardRow, Odds>,
    #[serde(default)]
    three_card_paytable: BTreeMap<ThreeCardRow, Odds>,
    #[serde(default)]
    progressive_wager: Cents,
    #[serde(default)]
    progressive_overrides: BTreeMap<ProgressiveRow, Cents>,
    progressive_reset: Cents,
    progressive_rate: Option<u64>,
    number_odds: Option<Odds>,
    max_payout_bonus: Option<Cents>,
    max_payout_seven_card: Option<Cents>,
    max_payout_fortune: Option<Cents>,
    max_areas_per_player: u64,
    side_bets: Option<Vec<Kind>>,
    #[serde(default)]
    banking: bool,
    #[serde(default)]
    co_banking: bool,
    #[serde(default)]
    dealer_bank_wager_rule: DealerBankWagerRule,
    deal_method: Option<DealMethod>,
    start_method: Option<Method>,
    table_min: Option<Cents>,
    table_max: Option<Cents>,
}

/// Where A-2-3-4-5 stands among straights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LowStraight {
    #[default]
    SecondHighest,
    Lowest,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
enum InsurancePaytable {
    #[default]
    A,
    B,
    C,
    D,
    E,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
enum SevenCardPaytable {
    #[default]
    A,
    B,
}

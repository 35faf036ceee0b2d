//! What settlement needs of a data file of the family, typed.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::document::{FireTable, Options, Variant};
use super::kinds::{Kind, PayRow};
use super::totals::{Total, Totals};
use crate::book::{BookError, EditionBook, Pay};
use crate::floor::{Cents, Odds};
use crate::games::shared::minimum;
use crate::settlement::Verdict;

/// The data file of one game and edition. Everything in which the games of the family differ is
/// in here; the settlement asks for no game or edition by name.
#[derive(Debug)]
pub struct Rules {
    pub(super) offered: Vec<Kind>,
    /// The code of a wager on the don't side where it is not offered.
    pub(super) dont_side_code: &'static str,
    pub(super) come_out: ComeOut,
    /// Minimum odds of all bets that have no table of their own.
    pub(super) main: BTreeMap<PayRow, Odds>,
    /// Odds of rows that the text lists none for, where none are posted.
    pub(super) unlisted: BTreeMap<PayRow, Odds>,
    pub(super) buy: BTreeMap<Total, Odds>,
    pub(super) lay: BTreeMap<Total, Odds>,
    /// Of pass, come and put odds.
    pub(super) odds: BTreeMap<Total, Odds>,
    /// Of don't pass and don't come odds.
    pub(super) lay_odds: BTreeMap<Total, Odds>,
    pub(super) vig_cap_bp: i64,
    pub(super) lay_vig_base: LayVigBase,
    pub(super) largest_odds_multiple: Option<i64>,
    /// Of a number without a posted multiple; none where there is no limit then.
    pub(super) odds_multiple_unposted: Option<i64>,
    /// Bets that the text gives every player. Odds are the right of who has their flat bet.
    pub(super) must_be_offered: Vec<Kind>,
    /// Bets that may be off on a come-out roll.
    pub(super) off_on_come_out: Vec<Kind>,
    /// Bets that may be made with a match play coupon.
    pub(super) match_play: Vec<Kind>,
    /// May a pass bet go up with a point on?
    pub(super) pass_on_point: bool,
    pub(super) in_air: InAir,
    /// Must every payout come out in whole chips?
    pub(super) whole_chip_payouts: bool,
    /// Kinds that go in multiples of so many chips.
    pub(super) unit_bets: BTreeMap<Kind, i64>,
    pub(super) fire: Option<Fire>,
    pub(super) mini_craps_seats: Option<u16>,
}

/// What the first roll of a line or come bet does.
#[derive(Debug)]
pub(super) struct ComeOut {
    /// The totals that become the point.
    pub(super) points: Totals,
    /// The do side wins, the don't side loses.
    pub(super) naturals: Totals,
    /// The do side loses, the don't side wins unless the total is barred.
    pub(super) craps: Totals,
    pub(super) barred: Totals,
    /// How a barred bet goes back.
    pub(super) barred_bet: Verdict,
}

/// What the vigorish of a lay bet is a percentage of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LayVigBase {
    #[default]
    Stake,
    Payoff,
}

/// Bets made while the dice are in the air.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum InAir {
    Late,
    /// In time if all of these confirm them aloud.
    ConfirmedBy(BTreeMap<Variant, Vec<String>>),
    InTime,
}

#[derive(Debug)]
pub(super) struct Fire {
    pub(super) tables: BTreeMap<FireTable, BTreeMap<PayRow, Odds>>,
    pub(super) stakes: Vec<Cents>,
    /// Numbered areas around the layout.
    pub(super) areas: u16,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Barred {
    Push,
    Void,
}

impl Rules {
    pub(crate) fn read(
        book: &EditionBook<'_>,
        dont_side_code: &'static str,
    ) -> Result<Rules, BookError> {
        let offered: Vec<Kind> = book.kinds()?;
        let rules = Rules {
            dont_side_code,
            come_out: ComeOut {
                points: book.figure("points")?,
                naturals: book.figure("naturals")?,
                craps: book.figure("craps")?,
                barred: book.optional_figure("barred")?.unwrap_or_default(),
                barred_bet: match book.optional_figure("barred_bet")? {
                    Some(Barred::Void) => Verdict::Void,
                    Some(Barred::Push) | None => Verdict::Push,
                },
            },
            main: book.minimum_table("main")?,
            unlisted: book.optional_table("unlisted")?.unwrap_or_default(),
            buy: book.table("buy")?,
            lay: book.optional_table("lay")?.unwrap_or_default(),
            odds: book.table("odds")?,
            lay_odds: book.optional_table("lay_odds")?.unwrap_or_default(),
            vig_cap_bp: book.figure("vig_cap_bp")?,
            lay_vig_base: book.optional_figure("lay_vig_base")?.unwrap_or_default(),
            largest_odds_multiple: book.optional_figure("largest_odds_multiple")?,
            odds_multiple_unposted: book.optional_figure("odds_multiple_unposted")?,
            must_be_offered: book.figure("must_be_offered")?,
            off_on_come_out: book.figure("off_on_come_out")?,
            match_play: book.figure("match_play")?,
            pass_on_point: book.figure("pass_on_point")?,
            in_air: book.figure("in_air")?,
            whole_chip_payouts: book.figure("whole_chip_payouts")?,
            unit_bets: book.figure("unit_bets")?,
            fire: match offered.contains(&Kind::Fire) {
                true => Some(Fire::read(book)?),
                false => None,
            },
            mini_craps_seats: book.optional_figure("mini_craps_seats")?,
            offered,
        };
        rules.check_every_bet_has_odds(book)?;
        let selects = book.selections::<Kind>()?;
        let differs = |kind: &&Kind| selects.get(kind).copied() != kind.selects();
        if let Some(kind) = rules.offered.iter().find(differs) {
            return Err(book.error(format!("{kind:?} does not select as the game reads it")));
        }
        Ok(rules)
    }

    /// So that no lookup of a round can fail.
    fn check_every_bet_has_odds(&self, book: &EditionBook<'_>) -> Result<(), BookError> {
        let points = self.come_out.points;
        for &kind in &self.offered {
            let rows = kind
                .picks(points)
                .into_iter()
                .flat_map(|pick| kind.rows(pick));
            let has_odds =
                |row: &PayRow| self.main.contains_key(row) || self.unlisted.contains_key(row);
            if let Some(row) = rows.into_iter().find(|row| !has_odds(row)) {
                return Err(book.error(format!("table main has no row {row}")));
            }
            let by_number = match kind {
                Kind::Buy => &self.buy,
                Kind::Lay => &self.lay,
                Kind::PassOdds | Kind::ComeOdds | Kind::PutOdds => &self.odds,
                Kind::DontPassOdds | Kind::DontComeOdds => &self.lay_odds,
                _ => continue,
            };
            if !points.iter().eq(by_number.keys().copied()) {
                return Err(book.error(format!("{kind:?}: odds for each point, and no others")));
            }
        }
        Ok(())
    }

    /// The true odds of a buy, lay or odds bet on a number.
    pub(super) fn true_odds(&self, kind: Kind, number: Total) -> Odds {
        let table = match kind {
            Kind::Buy => &self.buy,
            Kind::Lay => &self.lay,
            kind if kind.is_dont_side() => &self.lay_odds,
            _ => &self.odds,
        };
        *table.get(&number).expect(EVERY_BET_HAS_ODDS)
    }
}

const EVERY_BET_HAS_ODDS: &str = "Rules::read checks that every bet on the layout has odds";

impl Fire {
    fn read(book: &EditionBook<'_>) -> Result<Fire, BookError> {
        let mut tables = BTreeMap::new();
        for (letter, id) in [(FireTable::A, "fire_a"), (FireTable::B, "fire_b")] {
            if book.has_table(id) {
                tables.insert(letter, book.minimum_table(id)?);
            }
        }
        let paid = |table: &BTreeMap<PayRow, Odds>| {
            let rows = [4, 5, 6].map(|points| Total::try_from(points).map(PayRow::Fire));
            rows.into_iter()
                .all(|row| row.is_ok_and(|row| table.contains_key(&row)))
        };
        if !tables.values().all(paid) || !tables.contains_key(&FireTable::A) {
            return Err(book.error("the fire tables pay four, five and six points"));
        }
        Ok(Fire {
            tables,
            stakes: book
                .figure::<Vec<i64>>("fire_stakes")?
                .into_iter()
                .map(Cents::new)
                .collect(),
            areas: book.figure("fire_areas")?,
        })
    }
}

/// The odds due at a table: those posted, but never less than the minimum.
#[derive(Clone, Copy, Debug)]
pub(super) struct PostedOdds<'a> {
    posted: &'a BTreeMap<PayRow, Odds>,
    main: &'a BTreeMap<PayRow, Odds>,
    fire: Option<&'a BTreeMap<PayRow, Odds>>,
    unlisted: &'a BTreeMap<PayRow, Odds>,
}

impl<'a> PostedOdds<'a> {
    pub(super) fn new(rules: &'a Rules, options: &'a Options) -> PostedOdds<'a> {
        let fire = rules.fire.as_ref();
        PostedOdds {
            posted: &options.pays,
            main: &rules.main,
            fire: fire.and_then(|fire| fire.tables.get(&options.fire_table)),
            unlisted: &rules.unlisted,
        }
    }

    pub(super) fn has(&self, row: PayRow) -> bool {
        self.minimum(row).is_some() || self.unlisted.contains_key(&row)
    }

    /// The least that a row may pay; none where the text lists no odds for it.
    fn minimum(&self, row: PayRow) -> Option<Odds> {
        let fire = || self.fire.and_then(|table| table.get(&row));
        self.main.get(&row).or_else(fire).copied()
    }

    pub(super) fn is_below_minimum(&self) -> bool {
        minimum::any_below(self.posted, |row| self.minimum(row).map(Pay::Odds))
    }

    pub(super) fn of(&self, row: PayRow) -> Odds {
        let posted = self.posted.get(&row).copied();
        match self.minimum(row) {
            Some(minimum) => minimum::at_least(posted.unwrap_or(minimum), minimum).due,
            None => {
                let usual = || self.unlisted.get(&row).copied();
                posted.or_else(usual).expect(EVERY_BET_HAS_ODDS)
            }
        }
    }
}

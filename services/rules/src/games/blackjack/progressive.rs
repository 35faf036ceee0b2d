//! The progressive wagers of both editions: four aces in Massachusetts, Blazing 7's in Ohio.

use super::settle::Table;
use super::sides::{counting_box, is_seven};
use super::tables::{BlazingSevens, EditionRules, ProgressiveAces, Rules};
use super::{Kind, Wager};
use crate::book::Pay;
use crate::floor::{Card, Cents, Rounding};
use crate::games::shared::blackjack::{Stakes, is_ace, one_color, one_suit};
use crate::games::shared::ohio_progressives::Chip;
use crate::refusal::Refusal;
use crate::settlement::Violations;

/// Progressive chapter 1.A.i, 5.A.iv: the chips that are no progressive wager, which go back.
pub(super) fn given_back(
    rules: &Rules,
    stakes: &Stakes<'_, Wager>,
    violations: &mut Violations,
) -> Vec<usize> {
    let EditionRules::Ohio(rules) = &rules.edition else {
        return Vec::new();
    };
    let counts = |index: usize, wager: &Wager, violations: &mut Violations| {
        let chip = Chip {
            amount: wager.amount,
            stake: rules.figures.blazing_sevens_stake,
            beside_standard: stakes.largest_main_beside(index).is_some(),
        };
        chip.counts("wager.fixed_amount", violations)
    };
    let chips = stakes.wagers.iter().enumerate();
    chips
        .filter(|(_, wager)| wager.kind == Kind::BlazingSevens)
        .filter(|(index, wager)| !counts(*index, wager, violations))
        .map(|(index, _)| index)
        .collect()
}

/// By wager: all that a progressive wager gets. A share of a meter that is not in the document is refused.
pub(super) fn prizes(table: &Table<'_>) -> Result<Vec<Cents>, Refusal> {
    let rows: Vec<Pay> = (0..table.round.wagers.len())
        .map(|index| row(table, index).unwrap_or(Pay::Lose))
        .collect();
    let meters = table.round.play.meters;
    let mut meter = meters.meter(table.options().progressive_reset);
    let sharers = rows.iter().filter(|row| matches!(row, Pay::Meter(_)));
    let sharers = sharers.count() as i64;
    // Progressive chapter 6.A.i: one after the other in the order in which the hands were dealt.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&index| table.round.wagers[index].seat);
    let mut prizes = vec![Cents::ZERO; rows.len()];
    for index in order {
        prizes[index] = match (&table.rules.edition, rows[index]) {
            // 19(h): the winners of the meter share it equally.
            (EditionRules::Massachusetts(_), Pay::Meter(percent)) => {
                let shown = meter.shown()?;
                shown.fraction(i64::from(percent), 100 * sharers, Rounding::DOWN)
            }
            (_, row) => meter.pay(row, table.round.wagers[index].amount)?,
        };
    }
    Ok(prizes)
}

/// The row that a progressive wager wins by.
fn row(table: &Table<'_>, index: usize) -> Option<Pay> {
    let played = counting_box(table, index)?;
    match (&table.rules.edition, table.round.wagers[index].kind) {
        (EditionRules::Massachusetts(rules), Kind::Progressive) => {
            aces_row(&rules.progressive, &played.dealt)
        }
        (EditionRules::Ohio(rules), Kind::BlazingSevens) => {
            let up = table.layout.dealer.up();
            sevens_row(&rules.blazing_sevens, played.first_cards(), up)
        }
        _ => None,
    }
}

/// 19(c),(e): aces in a row from the first card on; split hands run on in the order of the deal.
fn aces_row(rows: &ProgressiveAces, dealt: &[Card]) -> Option<Pay> {
    let aces = dealt.iter().take_while(|&&card| is_ace(card)).count();
    let first = |count: usize| dealt.get(..count).filter(|_| aces >= count);
    if first(4).is_some_and(one_color) {
        return Some(rows.meter);
    }
    if let Some(three) = first(3) {
        return Some(if one_suit(three) {
            rows.three_suited
        } else {
            rows.three_any
        });
    }
    first(2).map(|two| {
        if one_suit(two) {
            rows.two_suited
        } else {
            rows.two_any
        }
    })
}

/// Progressive chapter 5.A.iii. A seven of the dealer counts only with two of the player's.
fn sevens_row(rows: &BlazingSevens, cards: &[Card], up: Option<Card>) -> Option<Pay> {
    let &[a, b] = cards else {
        return None;
    };
    match (is_seven(a), is_seven(b), up.filter(|&card| is_seven(card))) {
        (true, true, Some(up)) if one_suit(&[a, b, up]) => Some(rows.three_suited),
        (true, true, Some(up)) if one_color(&[a, b, up]) => Some(rows.three_color),
        (true, true, Some(_)) => Some(rows.three_any),
        (true, true, None) => Some(rows.two),
        (true, false, _) | (false, true, _) => Some(rows.one),
        (false, false, _) => None,
    }
}

//! The progressive wagers of both editions: four aces in Massachusetts, Blazing 7's in Ohio.

use super::settle::Table;
use super::sides::{counting_box, is_seven};
use super::tables::{BlazingSevens, EditionRules, Prize, ProgressiveAces};
use super::{Kind, Wager};
use crate::floor::{Card, Cents, Rounding};
use crate::games::shared::blackjack::{is_ace, one_color, one_suit};
use crate::refusal::Refusal;
use crate::settlement::Settled;

/// By wager: the prize of a progressive wager that wins one. A share of a meter that is not in the document is
/// refused.
pub(super) fn prizes(table: &Table<'_>) -> Result<Vec<Option<Cents>>, Refusal> {
    let rows = rows(table);
    let on_meter = |row: &&Option<Prize>| matches!(row, Some(Prize::Meter(_)));
    let sharers = rows.iter().filter(on_meter).count() as i64;
    let meter = match table.round.play.meters.progressive {
        Some(meter) => meter,
        None if sharers == 0 => Cents::ZERO,
        None => {
            let what = "a wager has a share of the meter, and what it showed is missing";
            return Err(Refusal::at("play.meters.progressive", what));
        }
    };
    Ok(match &table.rules.edition {
        // 19(h): the winners of the meter share it equally.
        EditionRules::Massachusetts(_) => {
            let prize = |row: Prize| match row {
                Prize::Fixed(amount) => amount,
                Prize::Meter(percent) => {
                    meter.fraction(i64::from(percent), 100 * sharers, Rounding::DOWN)
                }
            };
            rows.into_iter().map(|row| row.map(prize)).collect()
        }
        EditionRules::Ohio(_) => pay_from_meter(table, meter, rows),
    })
}

/// Progressive chapter 1.A.i, 5.A.iv: another amount, or one beside no `main` of its player, is no progressive
/// wager. It goes back.
pub(super) fn is_no_wager(table: &Table<'_>, index: usize) -> bool {
    let EditionRules::Ohio(rules) = &table.rules.edition else {
        return false;
    };
    let wager = &table.round.wagers[index];
    let stake = rules.figures.blazing_sevens_stake;
    wager.kind == Kind::BlazingSevens
        && (wager.amount != stake || table.layout.stakes.largest_main_beside(index).is_none())
}

/// By wager: the row that a progressive wager wins by.
fn rows(table: &Table<'_>) -> Vec<Option<Prize>> {
    let wagers = table.round.wagers.iter().enumerate();
    match &table.rules.edition {
        EditionRules::Massachusetts(rules) => {
            let row = |(index, wager): (usize, &Wager)| {
                let own_box = counting_box(table, index);
                let played = own_box.filter(|_| wager.kind == Kind::Progressive)?;
                aces_row(&rules.progressive, &played.dealt)
            };
            wagers.map(row).collect()
        }
        EditionRules::Ohio(rules) => {
            let up = table.layout.dealer.up();
            let row = |(index, wager): (usize, &Wager)| {
                let own_box = counting_box(table, index);
                let played = own_box.filter(|_| wager.kind == Kind::BlazingSevens)?;
                sevens_row(&rules.blazing_sevens, played.first_cards(), up)
            };
            wagers.map(row).collect()
        }
    }
}

/// Progressive chapter 6.A.i: one after the other in the order in which the hands were dealt, each
/// from the meter as the one before left it.
fn pay_from_meter(
    table: &Table<'_>,
    mut meter: Cents,
    rows: Vec<Option<Prize>>,
) -> Vec<Option<Cents>> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&index| table.round.wagers[index].seat);
    let mut prizes = vec![None; rows.len()];
    for index in order {
        prizes[index] = rows[index].map(|row| match row {
            Prize::Fixed(amount) => amount,
            Prize::Meter(100) => std::mem::replace(&mut meter, table.options().progressive_reset),
            Prize::Meter(percent) => {
                let award = meter.percent(i64::from(percent), Rounding::DOWN);
                meter -= award;
                award
            }
        });
    }
    prizes
}

/// 19(c),(e): aces in a row from the first card on; split hands run on in the order of the deal.
fn aces_row(rows: &ProgressiveAces, dealt: &[Card]) -> Option<Prize> {
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
fn sevens_row(rows: &BlazingSevens, cards: &[Card], up: Option<Card>) -> Option<Prize> {
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

/// The stake of a progressive wager stays with the house; the prize is all that goes back.
pub(super) fn settle(wager: &Wager, prize: Option<Cents>) -> Settled {
    match prize {
        Some(prize) => Settled::win(wager, prize - wager.amount, Cents::ZERO),
        None => Settled::lose(wager),
    }
}

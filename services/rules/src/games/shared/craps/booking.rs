//! Taking a bet: which bets are void, and which stakes are out of order.

use super::bet::Bet;
use super::document::Options;
use super::kinds::Kind;
use super::rules::{InAir, PostedOdds, Rules};
use super::table::Table;
use crate::floor::{Cents, Odds};
use crate::games::shared::form::Form;
use crate::settlement::Violations;

/// Why a bet that goes up now is void: the one code, the first that applies; none if it stands.
pub(super) fn void_code(table: &Table<'_>, bet: &Bet<'_>) -> Option<&'static str> {
    let (rules, options, wager) = (table.rules, table.options, bet.wager);
    let kind = wager.kind;
    if !rules.offered.contains(&kind) {
        return Some(match kind.is_dont_side() {
            true => rules.dont_side_code,
            false => "wager.not_permissible",
        });
    }
    if !kind.lists(bet.pick, rules.come_out.points) {
        return Some("wager.not_permissible");
    }
    if kind == Kind::Fire && table.is_mini_craps() {
        return Some("craps.fire_in_mini");
    }
    if options.not_offered.contains(&kind) {
        return Some("wager.not_offered");
    }
    late_code(table, bet)
        .or_else(|| odds_code(table, bet))
        .or_else(|| moment_code(table, bet))
        .or_else(|| coupon_code(table, bet))
}

fn late_code(table: &Table<'_>, bet: &Bet<'_>) -> Option<&'static str> {
    let wager = bet.wager;
    if wager.late {
        return Some("wager.late");
    }
    match &table.rules.in_air {
        _ if !wager.in_air => None,
        InAir::InTime => None,
        InAir::Late => Some("wager.late"),
        InAir::ConfirmedBy(who) => {
            let demanded = who.get(&table.options.variant);
            let confirmed = demanded
                .is_some_and(|names| names.iter().all(|name| wager.confirmed_by.contains(name)));
            (!confirmed).then_some("wager.in_air_unconfirmed")
        }
    }
}

/// An odds bet needs its flat bet up, and on a number.
fn odds_code(table: &Table<'_>, bet: &Bet<'_>) -> Option<&'static str> {
    bet.kind().supports()?;
    let flat = bet.parent.and_then(|parent| table.bets.get(parent));
    match flat.filter(|flat| flat.is_live()) {
        None => Some("craps.odds_orphan"),
        Some(flat) if flat.number.is_none() => Some("craps.odds_without_point"),
        Some(_) => None,
    }
}

/// Bets that the state of the table does not allow; a carried bet was made at another moment.
fn moment_code(table: &Table<'_>, bet: &Bet<'_>) -> Option<&'static str> {
    if bet.wager.is_carried() {
        return None;
    }
    let point_on = table.point.is_some();
    match bet.kind() {
        Kind::Pass if point_on && !table.rules.pass_on_point => Some("craps.pass_after_point"),
        Kind::DontPass if point_on => Some("craps.dont_increased"),
        Kind::Come | Kind::DontCome | Kind::Put if !point_on => Some("craps.come_on_comeout"),
        Kind::Fire if point_on || table.comeouts > 0 => Some("craps.fire_late"),
        _ => None,
    }
}

/// A match play coupon goes only on bets that may be made with one.
fn coupon_code(table: &Table<'_>, bet: &Bet<'_>) -> Option<&'static str> {
    let is_coupon = bet.wager.form == Some(Form::Coupon);
    let may = table.rules.match_play.contains(&bet.kind());
    (is_coupon && !may).then_some("wager.match_play_not_allowed")
}

/// Flags the stake with which a bet stands when the dice are thrown. It is settled in full all the same.
pub(super) fn flag_stake(
    rules: &Rules,
    options: &Options,
    odds: PostedOdds<'_>,
    bet: &Bet<'_>,
    violations: &mut Violations,
) {
    let (kind, amount) = (bet.kind(), bet.stake);
    if kind == Kind::Fire {
        let in_order = rules
            .fire
            .as_ref()
            .is_none_or(|fire| fire.stakes.contains(&amount));
        violations.add_if(!in_order, "craps.fire_amount");
        return;
    }
    if kind.supports().is_some() {
        return;
    }
    options.limits.of(kind).flag(amount, violations);
    if let Some(&chips) = rules.unit_bets.get(&kind) {
        let unit = options.chip_unit.times(chips);
        violations.add_if(!amount.is_multiple_of(unit), "wager.bad_units");
    } else if rules.whole_chip_payouts {
        let uneven = |row| !pays_in_chips(odds.of(row), amount, options.chip_unit);
        violations.add_if(
            kind.rows(bet.pick).into_iter().any(uneven),
            "wager.unpayable_amount",
        );
    }
}

fn pays_in_chips(odds: Odds, stake: Cents, chip: Cents) -> bool {
    let win = i128::from(stake.get()) * i128::from(odds.win());
    win % (i128::from(odds.stake()) * i128::from(chip.get())) == 0
}

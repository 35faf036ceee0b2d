//! What breaks the rules without changing a settlement: options, seats, odds limits, throws.

use std::collections::{BTreeMap, BTreeSet};

use super::bet::Bet;
use super::document::{NoRoll, Options, Roll, Variant, Wager};
use super::kinds::{Kind, Side};
use super::rules::{PostedOdds, Rules};
use super::table::Table;
use super::totals::Total;
use crate::floor::{Cents, Odds, Seat};
use crate::settlement::Violations;

/// Options and seats are judged whatever was bet.
pub(super) fn options(
    rules: &Rules,
    options: &Options,
    wagers: &[Wager],
    violations: &mut Violations,
) {
    let odds = PostedOdds::new(rules, options);
    violations.add_if(odds.is_below_minimum(), "config.odds_below_minimum");
    let mut withheld = options.not_offered.iter();
    violations.add_if(
        withheld.any(|&kind| is_a_right(rules, options, kind)),
        "config.not_offered",
    );
    violations.add_if(
        options.buy_vig_bp.max(options.lay_vig_bp) > rules.vig_cap_bp,
        "craps.vig_over_cap",
    );
    let largest = rules.largest_odds_multiple.unwrap_or(i64::MAX);
    let unlawful = |multiple: i64| !(1..=largest).contains(&multiple);
    let posted = options.odds_multiple.as_ref();
    violations.add_if(
        posted.is_some_and(|posted| posted.figures().any(unlawful)),
        "config.odds_multiple",
    );
    violations.add_if(
        wagers.iter().any(|wager| is_no_seat(rules, options, wager)),
        "table.seat",
    );
}

/// Does the text give every player this bet, or every player who has its flat bet?
fn is_a_right(rules: &Rules, options: &Options, kind: Kind) -> bool {
    let has_flat = |flat: Kind| !options.not_offered.contains(&flat);
    let is_odds = rules.offered.contains(&kind) && kind.supports().is_some_and(has_flat);
    is_odds || rules.must_be_offered.contains(&kind)
}

/// Seats of mini-craps, and numbered areas of the fire bet.
fn is_no_seat(rules: &Rules, options: &Options, wager: &Wager) -> bool {
    let seats = match (options.variant, &rules.fire) {
        (Variant::MiniCraps, _) => rules.mini_craps_seats,
        (Variant::Craps, Some(fire)) if wager.kind == Kind::Fire => Some(fire.areas),
        _ => None,
    };
    seats.is_some_and(|seats| wager.seat.number() > seats)
}

/// Judges the odds of each flat bet whose odds went up before this roll, and of each put bet that was
/// lowered: those of a don't bet are measured by what was originally wagered.
/// Standing odds are not judged again, so that an excess is reported once.
pub(super) fn odds_limits(table: &mut Table<'_>, roll: i64, lowered: &[usize]) {
    let fresh_odds = |bet: &&Bet<'_>| bet.is_live() && bet.wager.placed == roll;
    let is_put = |index: &usize| table.bets[*index].kind() == Kind::Put;
    let judged: BTreeSet<usize> = table
        .bets
        .iter()
        .filter(fresh_odds)
        .filter_map(|bet| bet.parent)
        .chain(lowered.iter().copied().filter(is_put))
        .collect();
    let over = judged.into_iter().any(|flat| odds_over_limit(table, flat));
    table.violations.add_if(over, "craps.odds_over_max");
}

fn odds_over_limit(table: &Table<'_>, flat: usize) -> bool {
    let on_flat = |bet: &&Bet<'_>| bet.is_live() && bet.parent == Some(flat);
    let mut odds_bets = table.bets.iter().filter(on_flat).peekable();
    let Some(kind) = odds_bets.peek().map(|bet| bet.kind()) else {
        return false;
    };
    let sum: Cents = odds_bets.map(|bet| bet.stake).sum();
    let bet = &table.bets[flat];
    let Some(number) = bet.number.filter(|_| bet.is_live()) else {
        return false;
    };
    let posted = table.options.odds_multiple.as_ref();
    let posted = posted.and_then(|posted| posted.of(number));
    let Some(multiple) = posted.or(table.rules.odds_multiple_unposted) else {
        return false;
    };
    let largest = table.rules.largest_odds_multiple.unwrap_or(i64::MAX);
    let odds = table.rules.true_odds(kind, number);
    let laid = kind.is_dont_side();
    let flat = if laid { bet.original } else { bet.stake };
    let chip = table.options.chip_unit;
    !in_order(sum, flat, multiple.clamp(1, largest), odds, laid, chip)
}

/// Odds may be so many times the flat bet; laid odds, so much that their winnings are. A sum beyond
/// it is in order if it is the least that can be wagered and paid in whole chips. s.6(e),(f)
fn in_order(sum: Cents, flat: Cents, multiple: i64, odds: Odds, laid: bool, chip: Cents) -> bool {
    let (sum, flat, chip) = (
        i128::from(sum.get()),
        i128::from(flat.get()),
        i128::from(chip.get()),
    );
    let (win, stake) = (i128::from(odds.win()), i128::from(odds.stake()));
    // The limit is limit / per cents.
    let (limit, per) = match laid {
        false => (i128::from(multiple) * flat, 1),
        true => (i128::from(multiple) * flat * stake, win),
    };
    // Stakes in multiples of this are wagered and paid in whole chips.
    let step = chip * stake / gcd(win, stake);
    let least_payable = -(-limit).div_euclid(per * step) * step;
    sum * per <= limit || sum == least_payable
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Judges a throw, no rolls too, on the bets that are up.
pub(super) fn throw(table: &mut Table<'_>, roll: &Roll, come_only: bool) {
    let live = |seat: Seat| {
        let bets = table.bets.iter();
        bets.filter(move |bet| bet.is_live() && bet.wager.seat == seat)
    };
    let without_line_bet = roll.shooter.is_some_and(|shooter| {
        table.point.is_none() && !come_only && !live(shooter).any(|bet| bet.kind().is_line())
    });
    let seats: BTreeSet<Seat> = match table.options.tournament {
        true => {
            let live = table.bets.iter().filter(|bet| bet.is_live());
            live.map(|bet| bet.wager.seat).collect()
        }
        false => BTreeSet::new(),
    };
    let against_tournament = seats
        .into_iter()
        .any(|seat| breaks_tournament_rules(&live(seat).collect::<Vec<_>>()));
    let violations = &mut table.violations;
    violations.add_if(
        roll.no_roll == Some(NoRoll::HitChips),
        "craps.no_roll_unfounded",
    );
    violations.add_if(without_line_bet, "craps.shooter_without_line_bet");
    violations.add_if(against_tournament, "craps.tournament_rule");
}

/// The demands on a participant of a tournament. ma s.13.B.iv-vi
fn breaks_tournament_rules(bets: &[&Bet<'_>]) -> bool {
    let has = |kind: Kind| bets.iter().any(|bet| bet.kind() == kind);
    let one_line_bet = has(Kind::Pass) != has(Kind::DontPass);
    let waits = |kind: Kind| {
        let waiting = |bet: &&&Bet<'_>| bet.kind() == kind && bet.number.is_none();
        bets.iter().find(waiting).is_some()
    };
    let both_comes = waits(Kind::Come) && waits(Kind::DontCome);
    let on_numbers: BTreeSet<(Total, Kind)> = bets
        .iter()
        .filter_map(|bet| Some((number_of(bet)?, bet.kind())))
        .collect();
    let sides = on_numbers
        .iter()
        .map(|&(number, kind)| (number, kind.side()));
    let sides: BTreeSet<(Total, Option<Side>)> = sides.collect();
    let is_against = |&(number, side): &(Total, Option<Side>)| {
        side == Some(Side::Against) && sides.contains(&(number, Some(Side::For)))
    };
    let both_sides = sides.iter().any(is_against);
    let mut kinds_on = BTreeMap::<Total, usize>::new();
    for &(number, _) in &on_numbers {
        *kinds_on.entry(number).or_default() += 1;
    }
    let crowded = kinds_on.values().any(|&kinds| kinds > 2);
    !one_line_bet || both_comes || both_sides || crowded
}

/// The number that a bet is on, for the two kinds that a participant may have on it.
fn number_of(bet: &Bet<'_>) -> Option<Total> {
    bet.kind().side()?;
    bet.number.or(bet.pick.number())
}

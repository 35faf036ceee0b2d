//! The settlement of a round of double down stud.

use super::{DoubleDownStud, Kind, Options, Play, Rules};
use crate::Limits;
use crate::book::Pay;
use crate::floor::{Cents, Rounding, Seat};
use crate::games::shared::minimum::{self, Posted};
use crate::games::shared::stud::areas::{self, Areas, Placed, Verdicts};
use crate::games::shared::stud::deal::{self, Area, House, Lists};
use crate::games::shared::stud::posted::{self, PayoutLimit};
use crate::hands::five;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Violations};

pub(super) fn settle(rules: &Rules, round: &Round<DoubleDownStud>) -> Result<Outcome, Refusal> {
    let (options, play, wagers) = (&round.options, &round.play, &round.wagers);
    areas::refuse_lost_references(wagers)?;
    rules
        .main
        .refuse_unfiled(&options.odds_override.main, "options.odds_override.main")?;
    play.irregularities
        .refuse(&rules.deal, Area::Dealer, options.dealing)?;

    let mut violations = Violations::default();
    flag_options(rules, options, &mut violations);
    let areas = Areas::of(wagers, |_| true, repeated, &mut violations);
    let seats = in_round(&areas);
    flag_wagers(rules, round, &areas, &seats, &mut violations);

    let mut verdicts = Verdicts::all_void(wagers);
    if !is_void(rules, play, &seats, &mut violations)? {
        for seated in &seats {
            settle_seat(rules, round, seated, &mut verdicts);
        }
    }
    Ok(Outcome::of_wagers(verdicts.into_settled(), violations))
}

fn repeated(kind: Kind) -> &'static str {
    match kind {
        Kind::Bet => "wager.duplicate_kind",
        Kind::DoubleDown => "wager.second_double",
    }
}

fn limits(options: &Options) -> Limits {
    Limits {
        min: options.table_min,
        max: options.table_max,
    }
}

fn flag_options(rules: &Rules, options: &Options, violations: &mut Violations) {
    posted::flag_conflict(limits(options), violations);
    posted::flag_second_deck(options.two_decks, options.shuffle, violations);
    posted::flag_hand_dealing(options.dealing, options.shuffle, violations);
    violations.add_if(
        payout_limit(rules, options).is_below,
        "config.payout_limit_too_low",
    );
    violations.add_if(
        rules.main.is_undercut_by(&options.odds_override.main),
        "config.odds_below_minimum",
    );
}

/// 10(c)
fn payout_limit(rules: &Rules, options: &Options) -> Posted<Option<Cents>> {
    minimum::limit_at_least(options.payout_limit, &rules.least_limit, options.table_min)
}

/// A seat with a bet, and its double.
struct InRound<'a> {
    seat: Seat,
    bet: Placed<'a, Kind>,
    double_down: Option<Placed<'a, Kind>>,
}

fn in_round<'a>(areas: &Areas<'a, Kind>) -> Vec<InRound<'a>> {
    let seated = |seat| {
        Some(InRound {
            seat,
            bet: areas.get(seat, Kind::Bet)?,
            double_down: areas.get(seat, Kind::DoubleDown),
        })
    };
    areas.seats().into_iter().filter_map(seated).collect()
}

fn flag_wagers(
    rules: &Rules,
    round: &Round<DoubleDownStud>,
    areas: &Areas<'_, Kind>,
    seats: &[InRound<'_>],
    violations: &mut Violations,
) {
    let (options, play) = (&round.options, &round.play);
    let has_bet = |seat| areas.has(seat, Kind::Bet);
    for wager in areas.wagers() {
        match wager.kind {
            Kind::Bet => limits(options).flag(wager.amount, violations),
            Kind::DoubleDown => {
                violations.add_if(!has_bet(wager.seat), "wager.double_without_bet");
            }
        }
    }
    for seated in seats {
        let original = seated.bet.wager.amount;
        violations.add_if(
            seated
                .double_down
                .is_some_and(|double| double.wager.amount > original),
            "wager.double_over_original",
        );
    }
    areas.flag_references(Kind::Bet, violations);
    areas::flag_positions(&round.wagers, rules.positions, violations);
    violations.add_if(
        play.players
            .has_person_spread_out(&round.wagers, options.two_areas_allowed),
        "wager.too_many_areas",
    );
    deal::flag_hands_without_wager(&play.hands, has_bet, violations);
}

/// Are all hands void? Card lists are looked at only if no event voids them; a deck that proves wrong
/// has no rule and does not.
fn is_void(
    rules: &Rules,
    play: &Play,
    seats: &[InRound<'_>],
    violations: &mut Violations,
) -> Result<bool, Refusal> {
    let irregularities = &play.irregularities;
    let dealt = play.hands.values().flatten().chain(&play.dealer);
    let joker = deal::flag_cards(irregularities, dealt, violations);
    if joker || irregularities.void(&rules.deal) {
        return Ok(true);
    }
    let lists = Lists {
        deal: &rules.deal,
        hands: &play.hands,
        house: &play.dealer,
        area: Area::Dealer,
    };
    let house = match seats.is_empty() {
        true => House::WholeOrNone,
        false => House::Needed,
    };
    lists.are_void(seats.iter().map(|seated| seated.seat), house, violations)
}

fn settle_seat(
    rules: &Rules,
    round: &Round<DoubleDownStud>,
    seated: &InRound<'_>,
    verdicts: &mut Verdicts,
) {
    let (options, play) = (&round.options, &round.play);
    let own = play.hands.get(seated.seat).map_or(&[][..], Vec::as_slice);
    let Some(hand) = five::rank(&[own, &play.dealer].concat()) else {
        return;
    };
    let pay = rules.main.pay(hand, &options.odds_override.main);
    // 10(c): one limit for the hand, bet and double together.
    let mut limit = PayoutLimit(payout_limit(rules, options).due);
    for placed in [seated.bet].into_iter().chain(seated.double_down) {
        match pay {
            Pay::Odds(odds) => {
                let win = odds.win_on(placed.wager.amount, Rounding::DOWN);
                verdicts.win(placed, limit.take(win));
            }
            Pay::Push => verdicts.push(placed),
            _ => verdicts.lose(placed),
        }
    }
}

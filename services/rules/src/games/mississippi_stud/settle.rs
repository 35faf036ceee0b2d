//! The settlement of a round of Mississippi stud.

use std::collections::BTreeMap;

use super::{Kind, MississippiStud, Options, Play, Rules};
use crate::Limits;
use crate::book::Pay;
use crate::floor::{Cents, Rounding, Seat};
use crate::games::shared::deal::Dealing;
use crate::games::shared::minimum::{self, Posted};
use crate::games::shared::stud::areas::{self, Areas, Placed, Verdicts};
use crate::games::shared::stud::deal::{self, Area, House, Lists};
use crate::games::shared::stud::jackpot::{self, AtTable};
use crate::games::shared::stud::pay_table::PostedOdds;
use crate::games::shared::stud::posted::{self, PayoutLimit};
use crate::hands::five;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Violations};

pub(super) fn settle(rules: &Rules, round: &Round<MississippiStud>) -> Result<Outcome, Refusal> {
    let (options, play, wagers) = (&round.options, &round.play, &round.wagers);
    areas::refuse_lost_references(wagers)?;
    rules
        .main
        .refuse_unfiled(&options.odds_override.main, "options.odds_override.main")?;
    play.irregularities
        .refuse(&rules.deal, Area::Community, options.dealing)?;
    deal::refuse_absent(&play.abandoned, wagers, "play.abandoned")?;

    let mut violations = Violations::default();
    flag_options(rules, options, &mut violations);
    let areas = Areas::of(
        wagers,
        |kind| is_offered(options, kind),
        repeated,
        &mut violations,
    );
    let chips = areas.counting_chips(
        Kind::Progressive,
        options.progressive_bet,
        &[Kind::Ante],
        &mut violations,
    );
    let seats = in_round(&areas, &chips);
    flag_wagers(rules, round, &areas, &seats, &mut violations);

    let mut verdicts = Verdicts::all_void(wagers);
    if !is_void(rules, play, &seats, &mut violations)? {
        flag_burned_cards(round, &mut violations);
        for seated in &seats {
            settle_seat(rules, round, seated, &mut verdicts);
        }
        settle_progressive(rules, round, &seats, &mut verdicts)?;
    }
    Ok(Outcome::of_wagers(verdicts.into_settled(), violations))
}

fn is_offered(options: &Options, kind: Kind) -> bool {
    match kind {
        Kind::ThreeCardBonus => options.three_card_bonus_offered,
        Kind::Progressive => options.progressive,
        Kind::Ante | Kind::ThirdStreet | Kind::FourthStreet | Kind::FifthStreet => true,
    }
}

fn repeated(kind: Kind) -> &'static str {
    if Kind::STREETS.contains(&kind) {
        "wager.street_out_of_order"
    } else {
        "wager.duplicate_kind"
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
    violations.add_if(
        payout_limit(rules, options).is_below,
        "config.payout_limit_too_low",
    );
    violations.add_if(
        rules.main.is_undercut_by(&options.odds_override.main),
        "config.odds_below_minimum",
    );
}

/// 12.C, 12.D: the limit covers the three card bonus too, so that the most that is won at the minimum is that of a
/// royal flush and, where the bonus is offered, of the best board.
fn payout_limit(rules: &Rules, options: &Options) -> Posted<Option<Cents>> {
    let mut least = rules.least_limit;
    if let (Some(times), true) = (&mut least.times_table_min, options.three_card_bonus_offered) {
        *times += rules.largest_bonus_win;
    }
    minimum::limit_at_least(options.payout_limit, &least, options.table_min)
}

/// A seat with an ante, and what else counts there.
struct InRound<'a> {
    seat: Seat,
    ante: Placed<'a, Kind>,
    /// Third, fourth and fifth street as far as they follow each other.
    streets: Vec<Placed<'a, Kind>>,
    three_card_bonus: Option<Placed<'a, Kind>>,
    progressive: Option<Placed<'a, Kind>>,
}

impl InRound<'_> {
    /// A street left out is a fold, whatever comes later. 8.D, 11.B
    fn has_folded(&self) -> bool {
        self.streets.len() < Kind::STREETS.len()
    }
}

/// `chips` are the seats whose progressive counts.
fn in_round<'a>(areas: &Areas<'a, Kind>, chips: &[Seat]) -> Vec<InRound<'a>> {
    let seated = |seat| {
        let streets = Kind::STREETS.into_iter();
        Some(InRound {
            seat,
            ante: areas.get(seat, Kind::Ante)?,
            streets: streets.map_while(|kind| areas.get(seat, kind)).collect(),
            three_card_bonus: areas.get(seat, Kind::ThreeCardBonus),
            progressive: areas
                .get(seat, Kind::Progressive)
                .filter(|_| chips.contains(&seat)),
        })
    };
    areas.seats().into_iter().filter_map(seated).collect()
}

fn flag_wagers(
    rules: &Rules,
    round: &Round<MississippiStud>,
    areas: &Areas<'_, Kind>,
    seats: &[InRound<'_>],
    violations: &mut Violations,
) {
    let (options, play) = (&round.options, &round.play);
    let has_ante = |seat| areas.has(seat, Kind::Ante);
    for wager in areas.wagers() {
        match wager.kind {
            Kind::Ante => limits(options).flag(wager.amount, violations),
            Kind::ThirdStreet | Kind::FourthStreet | Kind::FifthStreet => {
                violations.add_if(!has_ante(wager.seat), "wager.street_without_ante");
            }
            Kind::ThreeCardBonus => {
                violations.add_if(!has_ante(wager.seat), "wager.side_without_main");
            }
            Kind::Progressive => {}
        }
    }
    for seated in seats {
        let placed = Kind::STREETS
            .into_iter()
            .filter(|&kind| areas.has(seated.seat, kind));
        violations.add_if(
            placed.count() > seated.streets.len(),
            "wager.street_out_of_order",
        );
        // 8.D, 11.B.i: any amount between.
        let [least, most] = rules
            .street_multiples
            .map(|multiple| seated.ante.wager.amount.times(multiple));
        let lawful = |street: &Placed<'_, Kind>| (least..=most).contains(&street.wager.amount);
        violations.add_if(!seated.streets.iter().all(lawful), "wager.bad_multiple");
    }
    areas.flag_references(Kind::Ante, violations);
    areas::flag_positions(&round.wagers, rules.positions, violations);
    violations.add_if(
        play.players
            .has_person_spread_out(&round.wagers, options.two_positions_allowed),
        "wager.multi_position",
    );
    deal::flag_hands_without_wager(&play.hands, has_ante, violations);
}

/// Are all hands void? Card lists are looked at only if no event voids them. Hands of folded seats need not be listed,
/// nor a board that decides nothing.
fn is_void(
    rules: &Rules,
    play: &Play,
    seats: &[InRound<'_>],
    violations: &mut Violations,
) -> Result<bool, Refusal> {
    let irregularities = &play.irregularities;
    let hands = play.hands.values().flatten();
    let board = play.community.iter().chain(play.burned.iter().flatten());
    let joker = deal::flag_cards(irregularities, hands.chain(board), violations);
    if joker || irregularities.void(&rules.deal) {
        return Ok(true);
    }
    let lists = Lists {
        deal: &rules.deal,
        hands: &play.hands,
        house: &play.community,
        area: Area::Community,
    };
    let in_play = || {
        let seats = seats.iter();
        seats.filter(|seated| !play.abandoned.contains(&seated.seat))
    };
    let stay_in = in_play().filter(|seated| !seated.has_folded());
    let decides = |seated: &InRound<'_>| !seated.has_folded() || seated.three_card_bonus.is_some();
    let house = match in_play().any(decides) {
        true => House::Needed,
        false => House::AsFarAsDealt,
    };
    lists.are_void(stay_in.map(|seated| seated.seat), house, violations)
}

/// 8.E, 9.D: one before each community card. 10.B: the fourth card of two automated stacks.
fn flag_burned_cards(round: &Round<MississippiStud>, violations: &mut Violations) {
    let burns = match round.options.dealing {
        Dealing::AutomatedShoe => 1,
        Dealing::ManualShoe | Dealing::Hand => round.play.community.len(),
    };
    let burned = round.play.burned.as_ref();
    violations.add_if(
        burned.is_some_and(|burned| burned.len() != burns),
        "deal.burn",
    );
}

/// The player's two cards and the three community cards.
fn hand_of(play: &Play, seat: Seat) -> Option<five::Hand> {
    let own = play.hands.get(seat).map_or(&[][..], Vec::as_slice);
    five::rank(&[own, &play.community].concat())
}

fn settle_seat(
    rules: &Rules,
    round: &Round<MississippiStud>,
    seated: &InRound<'_>,
    verdicts: &mut Verdicts,
) {
    let (options, play) = (&round.options, &round.play);
    // 7.B: who leaves the table loses everything.
    let abandoned = play.abandoned.contains(&seated.seat);
    let pay = match hand_of(play, seated.seat) {
        Some(hand) if !abandoned && !seated.has_folded() => {
            rules.main.pay(hand, &options.odds_override.main)
        }
        _ => Pay::Lose,
    };
    // 12.B-D: one limit for the whole hand, the three card bonus last.
    let mut limit = PayoutLimit(payout_limit(rules, options).due);
    for &placed in [&seated.ante].into_iter().chain(&seated.streets) {
        match pay {
            Pay::Odds(odds) => {
                let win = odds.win_on(placed.wager.amount, Rounding::DOWN);
                verdicts.win(placed, limit.take(win));
            }
            Pay::Push => verdicts.push(placed),
            _ => verdicts.lose(placed),
        }
    }
    if let Some(bonus) = seated.three_card_bonus {
        // 11.G.iii: on the community cards alone, folded or not.
        let odds = rules
            .three_card
            .three_card_odds(&play.community, &PostedOdds::new());
        match odds {
            Some(odds) if !abandoned => {
                let win = odds.win_on(bonus.wager.amount, Rounding::DOWN);
                verdicts.win(bonus, limit.take(win));
            }
            _ => verdicts.lose(bonus),
        }
    }
}

/// All seats together, after their other wagers: the meter moves from seat to seat, and envy depends
/// on the hands of the others. A folded hand counts for nothing, but its owner has envy.
/// Progressives 1.A.iv, 2.G, 6.A
fn settle_progressive(
    rules: &Rules,
    round: &Round<MississippiStud>,
    seats: &[InRound<'_>],
    verdicts: &mut Verdicts,
) -> Result<(), Refusal> {
    let (options, play) = (&round.options, &round.play);
    let is_abandoned = |seat: Seat| play.abandoned.contains(&seat);
    let made: BTreeMap<Seat, five::Hand> = seats
        .iter()
        .filter(|seated| !seated.has_folded() && !is_abandoned(seated.seat))
        .filter_map(|seated| Some((seated.seat, hand_of(play, seated.seat)?)))
        .collect();
    // Ascending, as the hands were dealt.
    let seats = seats.iter().map(|seated| AtTable {
        seat: seated.seat,
        chip: seated.progressive,
        left: is_abandoned(seated.seat),
    });
    let seats: Vec<AtTable<'_, Kind>> = seats.collect();
    let meter = play.meters.meter(options.progressive_reset);
    jackpot::settle(
        &rules.multi_link,
        &seats,
        &made,
        &play.players,
        meter,
        verdicts,
    )
}

//! The settlement of a round of let it ride.

use std::collections::BTreeMap;

use super::{Decision, Kind, LetItRide, Options, Play, Rules};
use crate::book::Pay;
use crate::floor::{Card, Cents, Rounding, Seat};
use crate::games::shared::deal::{Dealing, Irregular};
use crate::games::shared::minimum::{self, Posted};
use crate::games::shared::stud::areas::{self, Areas, Placed, Verdicts, Wager};
use crate::games::shared::stud::deal::{self, Area, House, Lists};
use crate::games::shared::stud::jackpot::{self, AtTable};
use crate::games::shared::stud::pay_table::{PayTable, ThreeCardRow};
use crate::games::shared::stud::posted::{self, PayoutLimit};
use crate::hands::five;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Violations};
use crate::{Edition, Limits};

pub(super) fn settle(rules: &Rules, round: &Round<LetItRide>) -> Result<Outcome, Refusal> {
    let (options, wagers) = (&round.options, &round.wagers);
    refuse_unreadable(rules, round)?;

    let mut violations = Violations::default();
    flag_options(rules, round, &mut violations);
    let offered = |kind| is_offered(rules, options, kind);
    let areas = Areas::of(wagers, offered, |_| "wager.duplicate_kind", &mut violations);
    let stake = options.progressive_bet;
    let chips = areas.counting_chips(Kind::Progressive, stake, &Kind::BETS, &mut violations);
    let seats: Vec<InRound<'_>> = in_round(rules, &areas, &chips);
    flag_wagers(rules, round, &areas, &seats, &mut violations);

    let void = void_cause(rules, round, &seats, &mut violations)?;
    flag_burned_cards(round, void, &mut violations);
    let rescued = rescued_seats(round, void, &mut violations);

    let mut verdicts = Verdicts::all_void(wagers);
    let playing: Vec<&InRound<'_>> = seats
        .iter()
        .filter(|seated| void.is_none() || rescued.contains(&seated.seat))
        .collect();
    for seated in &playing {
        settle_seat(rules, round, seated, &mut verdicts);
    }
    settle_progressive(rules, round, &playing, &mut verdicts)?;
    flag_costly_rulings(wagers, &rescued, &verdicts, &mut violations);
    Ok(Outcome::of_wagers(verdicts.into_settled(), violations))
}

fn refuse_unreadable(rules: &Rules, round: &Round<LetItRide>) -> Result<(), Refusal> {
    let (odds, play) = (&round.options.odds_override, &round.play);
    areas::refuse_lost_references(&round.wagers)?;
    rules
        .main
        .refuse_unfiled(&odds.main, "options.odds_override.main")?;
    if odds
        .let_it_ride_bonus
        .keys()
        .any(|&row| rules.let_it_ride_bonus.filed(row).is_none())
    {
        return Err(Refusal::at(
            "options.odds_override.let_it_ride_bonus",
            "the bonus pays three of a kind and better",
        ));
    }
    play.irregularities
        .refuse(&rules.deal, Area::Community, round.options.dealing)?;
    deal::refuse_absent(abandoned(play), &round.wagers, "play.abandoned")?;
    deal::refuse_seat_zero(&play.ruled_valid, "play.ruled_valid")?;
    refuse_other_text(rules, play)?;
    refuse_idle_decisions(round)
}

/// 7.B, and the progressives: Massachusetts knows no abandoned wager and no meter.
fn refuse_other_text(rules: &Rules, play: &Play) -> Result<(), Refusal> {
    let refuse = |key: &str, what: &str| Err(Refusal::at(format!("play.{key}"), what));
    match rules.multi_link {
        None if play.abandoned.is_some() => {
            refuse("abandoned", "this text has no rule for a player who leaves")
        }
        None if play.meters.is_some() => refuse("meters", "this text has no meter"),
        _ => Ok(()),
    }
}

/// Only what lies there can ride or be withdrawn.
fn refuse_idle_decisions(round: &Round<LetItRide>) -> Result<(), Refusal> {
    for (&seat, decisions) in round.play.decisions.iter() {
        let has = |kind| areas::has(&round.wagers, seat, kind);
        if !Kind::BETS.into_iter().any(has) {
            return Err(Refusal::at(
                format!("play.decisions.{seat}"),
                format!("seat {seat} has no bet"),
            ));
        }
        let decided = [decisions.bet_1, decisions.bet_2, decisions.bet_3];
        let idle = |(kind, decided): &(Kind, Option<Decision>)| decided.is_some() && !has(*kind);
        let mut decided = Kind::BETS.into_iter().zip(decided);
        if let Some(bet) = decided.position(|decided| idle(&decided)) {
            return Err(Refusal::at(
                format!("play.decisions.{seat}.bet_{}", bet + 1),
                "the seat has not made this bet",
            ));
        }
    }
    Ok(())
}

fn is_offered(rules: &Rules, options: &Options, kind: Kind) -> bool {
    let on_this_table = match kind {
        Kind::Bet1 | Kind::Bet2 | Kind::Bet3 => true,
        Kind::LetItRideBonus => options.let_it_ride_bonus_offered,
        Kind::ThreeCardBonus => options.three_card_bonus_paytable.is_some(),
        Kind::Progressive => options.progressive,
    };
    on_this_table && rules.offered.contains(&kind)
}

fn flag_options(rules: &Rules, round: &Round<LetItRide>, violations: &mut Violations) {
    let options = &round.options;
    posted::flag_conflict(limits(options), violations);
    posted::flag_second_deck(options.two_decks, options.shuffle, violations);
    if round.edition == Edition::Mgc2017 {
        posted::flag_hand_dealing(options.dealing, options.shuffle, violations);
    }
    violations.add_if(
        payout_limit(rules, options).is_below,
        "config.payout_limit_too_low",
    );
    let odds = &options.odds_override;
    let bonus_undercut =
        odds.let_it_ride_bonus.iter().any(
            |(&row, &sum)| matches!(rules.let_it_ride_bonus.filed(row), Some(Pay::Fixed(filed)) if sum < filed),
        );
    let three_card_undercut =
        three_card_table(rules, options).is_some_and(|table| undercuts_three_card(options, table));
    violations.add_if(
        rules.main.is_undercut_by(&odds.main) || bonus_undercut || three_card_undercut,
        "config.odds_below_minimum",
    );
}

fn undercuts_three_card(options: &Options, table: &PayTable<ThreeCardRow>) -> bool {
    let posted = &options.odds_override.three_card_bonus;
    // A mini-royal without a row of its own is a straight flush.
    let mini_royal = posted.get(&ThreeCardRow::MiniRoyal);
    let as_straight_flush = match (
        table.filed(ThreeCardRow::MiniRoyal),
        table.filed(ThreeCardRow::StraightFlush),
    ) {
        (None, Some(Pay::Odds(filed))) => mini_royal.is_some_and(|odds| *odds < filed),
        _ => false,
    };
    as_straight_flush || table.is_undercut_by(posted)
}

/// 11(c), 14.C
fn payout_limit(rules: &Rules, options: &Options) -> Posted<Option<Cents>> {
    minimum::limit_at_least(options.payout_limit, &rules.least_limit, options.table_min)
}

fn limits(options: &Options) -> Limits {
    Limits {
        min: options.table_min,
        max: options.table_max,
    }
}

fn three_card_table<'a>(rules: &'a Rules, options: &Options) -> Option<&'a PayTable<ThreeCardRow>> {
    options
        .three_card_bonus_paytable
        .and_then(|name| rules.three_card.get(&name))
}

/// A seat with its three bets, and what else counts there.
struct InRound<'a> {
    seat: Seat,
    bets: [Placed<'a, Kind>; 3],
    let_it_ride_bonus: Option<Placed<'a, Kind>>,
    three_card_bonus: Option<Placed<'a, Kind>>,
    progressive: Option<Placed<'a, Kind>>,
}

/// The seats that get a hand: those with all three bets, equal or not. A chip of the wrong size in a
/// device that takes one size does not count; `chips` are the seats whose progressive does.
fn in_round<'a>(rules: &Rules, areas: &Areas<'a, Kind>, chips: &[Seat]) -> Vec<InRound<'a>> {
    let seated = |seat| {
        let [Some(bet_1), Some(bet_2), Some(bet_3)] = Kind::BETS.map(|kind| areas.get(seat, kind))
        else {
            return None;
        };
        Some(InRound {
            seat,
            bets: [bet_1, bet_2, bet_3],
            let_it_ride_bonus: areas
                .get(seat, Kind::LetItRideBonus)
                .filter(|placed| placed.wager.amount == rules.bonus_stake),
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
    round: &Round<LetItRide>,
    areas: &Areas<'_, Kind>,
    seats: &[InRound<'_>],
    violations: &mut Violations,
) {
    let (options, play) = (&round.options, &round.play);
    let has_cards = |seat| seats.iter().any(|seated| seated.seat == seat);
    for wager in areas.wagers() {
        let out = !has_cards(wager.seat);
        match wager.kind {
            Kind::Bet1 | Kind::Bet2 | Kind::Bet3 => {
                violations.add_if(out, "wager.unequal");
                limits(options).flag(wager.amount, violations);
            }
            Kind::LetItRideBonus | Kind::ThreeCardBonus => {
                violations.add_if(out, "wager.side_without_main");
            }
            Kind::Progressive => {}
        }
        violations.add_if(
            wager.kind == Kind::LetItRideBonus && wager.amount != rules.bonus_stake,
            "wager.bad_bonus_amount",
        );
    }
    for seated in seats {
        let [bet_1, bet_2, bet_3] = seated.bets.map(|bet| bet.wager.amount);
        violations.add_if(bet_1 != bet_2 || bet_2 != bet_3, "wager.unequal");
        let third = play.decisions.get(seated.seat).and_then(|seat| seat.bet_3);
        violations.add_if(
            third == Some(Decision::Withdraw),
            "wager.illegal_withdrawal",
        );
    }
    areas.flag_references(Kind::Bet1, violations);
    areas::flag_positions(&round.wagers, rules.positions, violations);
    violations.add_if(
        play.players
            .has_person_spread_out(&round.wagers, options.two_positions_allowed),
        "wager.multi_position",
    );
    deal::flag_hands_without_wager(&play.hands, has_cards, violations);
}

/// Why all hands are void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Void {
    /// A wrong number of cards, in a hand or in the deck.
    Misdeal,
    /// A joker, cards found face up, a failed shoe.
    Beyond,
}

/// The cause that voids the round, if any. Card lists are looked at only if no event did.
fn void_cause(
    rules: &Rules,
    round: &Round<LetItRide>,
    seats: &[InRound<'_>],
    violations: &mut Violations,
) -> Result<Option<Void>, Refusal> {
    let play = &round.play;
    let irregularities = &play.irregularities;
    let hands = play.hands.values().flatten();
    let board = play.community.iter().chain(play.burned.iter().flatten());
    let joker = deal::flag_cards(irregularities, hands.chain(board), violations);
    let face_up = irregularities.face_up_cards();
    if joker
        || rules.deal.voids(Irregular::FaceUpCard, face_up)
        || irregularities.has(Irregular::ShoeFailure)
    {
        return Ok(Some(Void::Beyond));
    }
    if irregularities.void(&rules.deal) {
        return Ok(Some(Void::Misdeal));
    }
    let lists = Lists {
        deal: &rules.deal,
        hands: &play.hands,
        house: &play.community,
        area: Area::Community,
    };
    let stay = |seated: &&InRound<'_>| !is_abandoned(round, seated.seat);
    let needed: Vec<Seat> = seats
        .iter()
        .filter(stay)
        .map(|seated| seated.seat)
        .collect();
    let house = match needed.is_empty() {
        true => House::WholeOrNone,
        false => House::Needed,
    };
    let void = lists.are_void(needed.into_iter(), house, violations)?;
    Ok(void.then_some(Void::Misdeal))
}

/// 10(c): Massachusetts burns the dealer's left card. 12.B: Ohio only the third of an automated stack.
fn flag_burned_cards(round: &Round<LetItRide>, void: Option<Void>, violations: &mut Violations) {
    let burns_one =
        round.edition == Edition::Mgc2017 || round.options.dealing == Dealing::AutomatedShoe;
    if let (None, Some(burned)) = (void, &round.play.burned) {
        violations.add_if(burned.len() != usize::from(burns_one), "deal.burn");
    }
}

/// 10.E, 11.D, 12.D: in Ohio management may call a hand valid after a misdeal or with a wrong deck.
fn rescued_seats(
    round: &Round<LetItRide>,
    void: Option<Void>,
    violations: &mut Violations,
) -> Vec<Seat> {
    let play = &round.play;
    let discretion = round.edition == Edition::OhJack2017 && void == Some(Void::Misdeal);
    let (rescued, refused): (Vec<Seat>, Vec<Seat>) =
        play.ruled_valid.iter().copied().partition(|&seat| {
            let complete = play.hands.get(seat).is_some_and(|hand| hand.len() == 3);
            discretion && complete && play.community.len() == 2
        });
    violations.add_if(!refused.is_empty(), "ruling.not_allowed");
    rescued
}

/// Flags a seat that was ruled valid to its player's cost.
fn flag_costly_rulings(
    wagers: &[Wager<Kind>],
    rescued: &[Seat],
    verdicts: &Verdicts,
    violations: &mut Violations,
) {
    for &seat in rescued {
        let of_seat = wagers
            .iter()
            .zip(verdicts.settled())
            .filter(|(wager, _)| wager.seat == seat);
        let gain: Cents = of_seat
            .map(|(wager, settled)| settled.returned - wager.amount)
            .sum();
        violations.add_if(gain.is_negative(), "ruling.not_to_player_benefit");
    }
}

fn abandoned(play: &Play) -> &[Seat] {
    play.abandoned.as_deref().unwrap_or_default()
}

/// 7.B: in Ohio a player who leaves loses what is still in action.
pub(super) fn is_abandoned(round: &Round<LetItRide>, seat: Seat) -> bool {
    abandoned(&round.play).contains(&seat)
}

fn own_cards(play: &Play, seat: Seat) -> &[Card] {
    play.hands.get(seat).map_or(&[], Vec::as_slice)
}

/// The player's three cards and the two community cards.
fn hand_of(play: &Play, seat: Seat) -> Option<five::Hand> {
    five::rank(&[own_cards(play, seat), &play.community].concat())
}

fn settle_seat(
    rules: &Rules,
    round: &Round<LetItRide>,
    seated: &InRound<'_>,
    verdicts: &mut Verdicts,
) {
    let (options, play) = (&round.options, &round.play);
    let abandoned = is_abandoned(round, seated.seat);
    // The hand of a player who left need not have been written down.
    let hand = hand_of(play, seated.seat).filter(|_| !abandoned);
    let decisions = play.decisions.get(seated.seat);
    let withdrawn = [
        decisions.and_then(|seat| seat.bet_1) == Some(Decision::Withdraw),
        decisions.and_then(|seat| seat.bet_2) == Some(Decision::Withdraw),
        false,
    ];
    let pay = hand.map_or(Pay::Lose, |hand| {
        rules.main.pay(hand, &options.odds_override.main)
    });
    // 11(c); 14.C: one limit for the three bets of a hand.
    let mut limit = PayoutLimit(payout_limit(rules, options).due);
    for (bet, withdrawn) in seated.bets.into_iter().zip(withdrawn) {
        match pay {
            // Taken back, it stays void.
            _ if withdrawn => {}
            Pay::Odds(odds) => {
                let win = odds.win_on(bet.wager.amount, Rounding::DOWN);
                verdicts.win(bet, limit.take(win));
            }
            _ => verdicts.lose(bet),
        }
    }

    if let Some(bonus) = seated.let_it_ride_bonus {
        match hand.and_then(|hand| bonus_prize(rules, options, hand)) {
            Some(prize) if options.let_it_ride_bonus_stake_returned => verdicts.win(bonus, prize),
            Some(prize) => verdicts.win(bonus, prize - bonus.wager.amount),
            None => verdicts.lose(bonus),
        }
    }
    if let Some(bonus) = seated.three_card_bonus {
        let odds = three_card_table(rules, options).and_then(|table| {
            let own = own_cards(play, seated.seat);
            table.three_card_odds(own, &options.odds_override.three_card_bonus)
        });
        match odds {
            Some(odds) if !abandoned => {
                verdicts.win(bonus, odds.win_on(bonus.wager.amount, Rounding::DOWN));
            }
            _ => verdicts.lose(bonus),
        }
    }
}

/// The sum that the $1 bonus pays for the hand.
fn bonus_prize(rules: &Rules, options: &Options, hand: five::Hand) -> Option<Cents> {
    let row = rules.let_it_ride_bonus.row(hand)?;
    let Some(Pay::Fixed(filed)) = rules.let_it_ride_bonus.filed(row) else {
        return None;
    };
    let posted = options.odds_override.let_it_ride_bonus.get(&row).copied();
    Some(minimum::at_least(posted.unwrap_or(filed), filed).due)
}

/// All playing seats together, after their other wagers: the meter moves from seat to seat, and envy
/// depends on the hands of the others. Progressives 2.G, 6.A
fn settle_progressive(
    rules: &Rules,
    round: &Round<LetItRide>,
    playing: &[&InRound<'_>],
    verdicts: &mut Verdicts,
) -> Result<(), Refusal> {
    let (options, play) = (&round.options, &round.play);
    let Some(multi_link) = &rules.multi_link else {
        return Ok(());
    };
    let is_abandoned = |seat| is_abandoned(round, seat);
    let made: BTreeMap<Seat, five::Hand> = playing
        .iter()
        .filter(|seated| !is_abandoned(seated.seat))
        .filter_map(|seated| Some((seated.seat, hand_of(play, seated.seat)?)))
        .collect();
    // Ascending, as the hands were dealt.
    let seats = playing.iter().map(|seated| AtTable {
        seat: seated.seat,
        chip: seated.progressive,
        left: is_abandoned(seated.seat),
    });
    let seats: Vec<AtTable<'_, Kind>> = seats.collect();
    let meters = play.meters.unwrap_or_default();
    let meter = meters.meter(options.progressive_reset);
    jackpot::settle(multi_link, &seats, &made, &play.players, meter, verdicts)
}

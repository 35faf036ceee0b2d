//! The settlement of a round of Ultimate Texas Hold'em.

use std::cmp::Ordering;

use super::checks::{self, Hands};
use super::{Decision, Kind, Rules, UltimateTexasHoldem, Wager};
use crate::book::Void;
use crate::floor::Seat;
use crate::games::shared::holdem::{self, FLOP, HOLE_CARDS};
use crate::games::shared::layout::{Layout, against_dealer, pay};
use crate::games::shared::table_cards;
use crate::hands::five::{Category, Hand};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Settled, Violations};

pub(super) fn settle(
    rules: &Rules,
    round: &Round<UltimateTexasHoldem>,
) -> Result<Outcome, Refusal> {
    let hands = table_cards::by_seat(&round.play.hands, |hand| hand.seat)?;
    let mut violations = Violations::default();
    let mut table = checks::count_wagers(rules, round, &hands, &mut violations);
    let void = checks::check_cards(rules, round, &hands, &table, &mut violations)?;
    match void {
        Void::Total => {}
        Void::Contest | Void::ContestByChoice => {
            settle_side_wagers(rules, round, &hands, void, &mut table)?;
        }
        Void::Nothing => {
            checks::check_decisions(&hands, &table, &mut violations);
            settle_all_wagers(rules, round, &hands, &mut table)?;
        }
    }
    Ok(Outcome::of_wagers(table.into_settled(), violations))
}

/// A round that is void against the dealer: trips and the progressive are settled as far as the
/// cards for them are there. § 13.A, 13.B, 10.D
fn settle_side_wagers(
    rules: &Rules,
    round: &Round<UltimateTexasHoldem>,
    hands: &Hands<'_>,
    void: Void,
    table: &mut Layout<'_, Wager>,
) -> Result<(), Refusal> {
    let board = &round.play.board;
    for (&seat, hand) in hands {
        if let Some(best) = holdem::best_hand(&hand.cards, board) {
            table.settle(seat, Kind::Trips, |trips| settle_trips(rules, trips, best));
            table.limit_payout(seat, &[Kind::Trips], checks::payout_limit(rules, round));
        }
    }
    // § 10.D: what the supervisor lets stand is paid by § 12, which has no prize for the progressive.
    if void == Void::ContestByChoice {
        return Ok(());
    }
    let in_play = |seat: Seat| {
        let folded = hands.get(&seat).is_some_and(|hand| hand.decision.is_fold());
        table.has(seat, Kind::Ante) && (!folded || table.has(seat, Kind::Play))
    };
    let in_play: Vec<Seat> = hands
        .keys()
        .copied()
        .filter(|&seat| in_play(seat))
        .collect();
    settle_progressive(rules, round, hands, table, &in_play)
}

fn settle_all_wagers(
    rules: &Rules,
    round: &Round<UltimateTexasHoldem>,
    hands: &Hands<'_>,
    table: &mut Layout<'_, Wager>,
) -> Result<(), Refusal> {
    let play = &round.play;
    let Some(dealer) = holdem::best_hand(&play.dealer, &play.board) else {
        return Ok(());
    };
    let limit = checks::payout_limit(rules, round);
    let mut in_play = Vec::new();
    for seat in table.seats() {
        // A position without a hand has no ante or no blind; its wagers go back.
        let Some(hand) = hands.get(&seat) else {
            continue;
        };
        let Some(player) = holdem::best_hand(&hand.cards, &play.board) else {
            continue;
        };
        if table.has(seat, Kind::Play) {
            in_play.push(seat);
            settle_against_dealer(rules, table, seat, player, dealer);
            table.settle(seat, Kind::Trips, |trips| {
                settle_trips(rules, trips, player)
            });
        } else {
            table.settle_alike(seat, &[Kind::Ante, Kind::Blind], Settled::lose);
            // § 11.E.ii: trips survives a fold only with the cards left under it.
            table.settle(seat, Kind::Trips, |trips| match hand.decision {
                Decision::FoldKeepTrips => settle_trips(rules, trips, player),
                _ => Settled::lose(trips),
            });
        }
        // § 12.E, cut in the order in which the clause names the wagers.
        let limited = [Kind::Ante, Kind::Play, Kind::Blind, Kind::Trips];
        table.limit_payout(seat, &limited, limit);
    }
    settle_progressive(rules, round, hands, table, &in_play)
}

/// § 11.G, 11.H
fn settle_against_dealer(
    rules: &Rules,
    table: &mut Layout<'_, Wager>,
    seat: Seat,
    player: Hand,
    dealer: Hand,
) {
    let qualified = dealer.category() >= Category::Pair;
    let order = player.cmp(&dealer);
    table.settle(seat, Kind::Ante, |ante| match qualified {
        true => against_dealer(ante, order, rules.main.ante),
        false => Settled::push(ante),
    });
    table.settle(seat, Kind::Blind, |blind| match order {
        Ordering::Greater => match rules.blind.odds(player.category()) {
            Some(odds) => pay(blind, odds),
            None => Settled::push(blind),
        },
        Ordering::Less => Settled::lose(blind),
        Ordering::Equal => Settled::push(blind),
    });
    table.settle(seat, Kind::Play, |play| {
        against_dealer(play, order, rules.main.play)
    });
}

/// § 11.H.iv: whatever the dealer has.
fn settle_trips(rules: &Rules, trips: &Wager, hand: Hand) -> Settled {
    match rules.trips.odds(hand.category()) {
        Some(odds) => pay(trips, odds),
        None => Settled::lose(trips),
    }
}

/// The progressive wagers of the seats whose two cards and flop lie there; the others go back.
fn settle_progressive(
    rules: &Rules,
    round: &Round<UltimateTexasHoldem>,
    hands: &Hands<'_>,
    table: &mut Layout<'_, Wager>,
    in_play: &[Seat],
) -> Result<(), Refusal> {
    let board = &round.play.board;
    if board.len() < FLOP {
        return Ok(());
    }
    let cards_of = |seat: &Seat| hands.get(seat).map(|hand| hand.cards.as_slice());
    let mut bettors = table.seats_with(Kind::Progressive);
    bettors.retain(|seat| cards_of(seat).is_some_and(|cards| cards.len() == HOLE_CARDS));
    let in_play = in_play
        .iter()
        .filter_map(|seat| Some((*seat, cards_of(seat)?)));
    let meter = round.play.meters.meter(round.options.progressive_reset);
    let link = &rules.multi_link;
    holdem::settle_progressive(
        link,
        table,
        Kind::Progressive,
        &bettors,
        in_play,
        board,
        meter,
    )
}

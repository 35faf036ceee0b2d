//! What the document shows to be wrong: options, wagers, cards and decisions.

use std::collections::BTreeMap;

use super::{Decision, Kind, PlayerHand, Rules, TexasHoldemBonus, Wager, bonus};
use crate::floor::{Cents, Rounding, Seat};
use crate::games::shared::equipment::{Dealing, Shuffler};
use crate::games::shared::holdem::{BOARD, FLOP, HOLE_CARDS, Void};
use crate::games::shared::layout::{self, Layout};
use crate::games::shared::table_cards::check_deck;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::Violations;

pub(super) type Hands<'a> = BTreeMap<Seat, &'a PlayerHand>;

/// Flop and turn card: what lies there before the river wager.
const TURN: usize = 4;

pub(super) fn check_options(
    rules: &Rules,
    round: &Round<TexasHoldemBonus>,
    violations: &mut Violations,
) {
    let options = &round.options;
    let automated = options.shuffler == Shuffler::Automated;
    violations.add_if(
        options.decks_in_rotation == 2 && !automated,
        "config.second_deck_without_shuffler",
    );
    violations.add_if(
        options.dealing == Dealing::Hand && !automated,
        "deal.hand_without_shuffler",
    );
    let posted = &options.bonus_paytable;
    let too_low = posted
        .iter()
        .any(|(row, odds)| rules.bonus.get(row) > Some(odds))
        || options
            .bonus_both_aces
            .is_some_and(|odds| odds < rules.both_aces.both_aces);
    violations.add_if(too_low, "config.odds_below_minimum");
    violations.add_if(
        options.min_bonus < rules.bonus_minimum,
        "config.min_bonus_too_low",
    );
}

/// The wagers that count, after all checks of them.
pub(super) fn count_wagers<'a>(
    rules: &Rules,
    round: &'a Round<TexasHoldemBonus>,
    hands: &Hands<'_>,
    violations: &mut Violations,
) -> Layout<'a, Wager> {
    let is_offered = |kind| match kind {
        Kind::Ante | Kind::Flop | Kind::Turn | Kind::River | Kind::Bonus => true,
        Kind::Progressive => round.options.progressive,
        Kind::Unknown => false,
    };
    let wagers = &round.wagers;
    let second_of = |_| "wager.duplicate_kind";
    let mut table = Layout::count(wagers, is_offered, second_of, violations);
    layout::flag_positions(wagers, hands.keys().copied(), rules.positions, violations);
    layout::flag_guests(wagers, |_| false, violations);
    for seat in table.seats() {
        check_position(rules, round, seat, &mut table, violations);
    }
    table
}

fn check_position(
    rules: &Rules,
    round: &Round<TexasHoldemBonus>,
    seat: Seat,
    table: &mut Layout<'_, Wager>,
    violations: &mut Violations,
) {
    let options = &round.options;
    let ante = table.at(seat, Kind::Ante);
    let least_bonus = options.min_bonus.max(rules.bonus_minimum);
    for (wager, min, max) in [
        (ante, options.min_ante, options.max_ante),
        (table.at(seat, Kind::Bonus), least_bonus, options.max_bonus),
    ] {
        let posted = Limits {
            min: Some(min),
            max,
        };
        if let Some(wager) = wager {
            posted.flag(wager.amount, violations);
        }
    }
    let any =
        |table: &Layout<'_, Wager>, kinds: &[Kind]| kinds.iter().any(|&kind| table.has(seat, kind));
    let Some(ante) = ante else {
        let side = [Kind::Bonus, Kind::Progressive];
        let streets = [Kind::Flop, Kind::Turn, Kind::River];
        violations.add_if(any(table, &side), "wager.side_without_main");
        violations.add_if(any(table, &streets), "thb.street_without_ante");
        flag_progressive(round, seat, table, violations);
        for kind in side.into_iter().chain(streets) {
            table.give_back(seat, kind);
        }
        return;
    };
    flag_progressive(round, seat, table, violations);
    let later = [Kind::Turn, Kind::River];
    if !table.has(seat, Kind::Flop) && any(table, &later) {
        violations.add("thb.street_without_flop");
        later
            .into_iter()
            .for_each(|kind| table.give_back(seat, kind));
    }
    check_streets(rules, seat, ante, table, round.play.board.len(), violations);
}

/// A progressive of another size goes back.
fn flag_progressive(
    round: &Round<TexasHoldemBonus>,
    seat: Seat,
    table: &mut Layout<'_, Wager>,
    violations: &mut Violations,
) {
    let progressive = table.at(seat, Kind::Progressive);
    if progressive.is_some_and(|wager| wager.amount != round.options.progressive_bet) {
        violations.add("wager.progressive_amount");
        table.give_back(seat, Kind::Progressive);
    }
}

/// A street wager is settled on the amount that lies there, whatever is wrong with it.
fn check_streets(
    rules: &Rules,
    seat: Seat,
    ante: &Wager,
    table: &Layout<'_, Wager>,
    board_cards: usize,
    violations: &mut Violations,
) {
    let antes = &rules.street_antes;
    for (kind, antes, shown, wrong_amount) in [
        (Kind::Flop, antes.flop, 0, "thb.flop_multiple"),
        (Kind::Turn, antes.turn, FLOP, "thb.street_multiple"),
        (Kind::River, antes.river, TURN, "thb.street_multiple"),
    ] {
        let Some(street) = table.at(seat, kind) else {
            continue;
        };
        violations.add_if(street.amount != ante.amount.times(antes), wrong_amount);
        violations.add_if(street.on.as_ref() != Some(&ante.id), "wager.bad_reference");
        violations.add_if(board_cards < shown, "thb.street_out_of_stage");
    }
}

/// How much of the round the recorded irregularities void.
fn recorded_void(round: &Round<TexasHoldemBonus>) -> Result<Void, Refusal> {
    let mut void = Void::Nothing;
    for (index, irregularity) in round.play.irregularities.iter().enumerate() {
        if irregularity.independent_wagers_stand.is_some() {
            return Err(Refusal::at(
                format!("play.irregularities[{index}].independent_wagers_stand"),
                "this game's rules give no such choice",
            ));
        }
        void = void.max(irregularity.voids());
    }
    Ok(void)
}

/// Is the seat still in against the dealer? The flop wager decides, not the recorded decision.
/// § 1.E, 1.F
pub(super) fn is_live(round: &Round<TexasHoldemBonus>, hand: &PlayerHand) -> bool {
    let stayed = hand.decision != Decision::Abandoned;
    stayed && has(round, hand.seat, Kind::Ante) && has(round, hand.seat, Kind::Flop)
}

/// Is there a wager of this kind at a seat?
pub(super) fn has(round: &Round<TexasHoldemBonus>, seat: Seat, kind: Kind) -> bool {
    let mut wagers = round.wagers.iter();
    wagers.any(|wager| wager.seat == seat && wager.kind == kind)
}

/// Flags wrong cards, and says how much of the round is void with them. `hands` loses those at
/// seats without an ante.
pub(super) fn check_cards(
    round: &Round<TexasHoldemBonus>,
    hands: &mut Hands<'_>,
    violations: &mut Violations,
) -> Result<Void, Refusal> {
    let play = &round.play;
    let of_hands = hands.values().flat_map(|hand| &hand.cards);
    let dealt = play.dealer.iter().chain(&play.board).chain(of_hands);
    let is_whole_deck = check_deck(dealt, 1, violations);
    let has_ante = |seat: &Seat| has(round, *seat, Kind::Ante);
    violations.add_if(!hands.keys().all(has_ante), "deal.hand_without_wager");
    hands.retain(|seat, _| has_ante(seat));
    let (void, is_miscounted) = counted_void(round, hands)?;
    if !is_whole_deck {
        return Ok(Void::Total);
    }
    violations.add_if(is_miscounted, "deal.card_count");
    Ok(void)
}

/// How much of the round is void by what is recorded and by how many cards lie there, whichever they are, and
/// whether their number is wrong. `hands` are those at seats with an ante.
pub(super) fn counted_void(
    round: &Round<TexasHoldemBonus>,
    hands: &Hands<'_>,
) -> Result<(Void, bool), Refusal> {
    let play = &round.play;
    let void = recorded_void(round)?;
    let without_hand = |ante: &Wager| ante.kind == Kind::Ante && !hands.contains_key(&ante.seat);
    let is_miscounted = play.dealer.len() != HOLE_CARDS
        || hands.values().any(|hand| hand.cards.len() != HOLE_CARDS)
        || round.wagers.iter().any(without_hand);
    let is_stage = matches!(play.board.len(), 0 | FLOP | TURN | BOARD);
    let any_live = hands.values().any(|hand| is_live(round, hand));
    Ok(match void {
        Void::Total => (Void::Total, false),
        _ if is_miscounted => (Void::Total, true),
        Void::Nothing if !is_stage || any_live && play.board.len() != BOARD => (Void::Total, true),
        Void::Nothing => (Void::Nothing, false),
        Void::Part => (Void::Part, !is_stage),
    })
}

pub(super) fn check_decisions(
    hands: &Hands<'_>,
    table: &Layout<'_, Wager>,
    violations: &mut Violations,
) {
    for (&seat, hand) in hands {
        match (hand.decision, table.has(seat, Kind::Flop)) {
            (Decision::Abandoned, _) | (Decision::Play, true) | (Decision::Fold, false) => {}
            (Decision::Fold, true) => violations.add("thb.fold_after_flop"),
            (Decision::Play, false) | (Decision::Pending, _) => {
                violations.add("thb.play_without_decision");
            }
        }
    }
}

/// § 12.E: the limit, or what a guest can win who bets the minimum if that is more.
pub(super) fn payout_limit(rules: &Rules, round: &Round<TexasHoldemBonus>) -> Cents {
    let options = &round.options;
    let best_bonus = bonus::best_odds(rules, options).map_or(Cents::ZERO, |odds| {
        odds.win_on(options.min_bonus, Rounding::DOWN)
    });
    let minimum_bettor = options.min_ante.times(rules.minimum_bettor_antes) + best_bonus;
    rules.payout_limit.max(minimum_bettor)
}

//! What the document shows to be wrong: options, wagers, cards and decisions.

use std::collections::BTreeMap;

use super::{Decision, Kind, PlayerHand, Rules, TexasHoldemBonus, Wager, bonus};
use crate::book::{self, Void};
use crate::floor::{Cents, Rounding, Seat};
use crate::games::shared::equipment::{Dealing, Shuffler};
use crate::games::shared::holdem::FLOP;
use crate::games::shared::layout::{self, Layout};
use crate::games::shared::ohio_progressives::Chip;
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
    check_progressive(round, seat, table, violations);
    let any =
        |table: &Layout<'_, Wager>, kinds: &[Kind]| kinds.iter().any(|&kind| table.has(seat, kind));
    let Some(ante) = ante else {
        let streets = [Kind::Flop, Kind::Turn, Kind::River];
        violations.add_if(table.has(seat, Kind::Bonus), "wager.side_without_main");
        violations.add_if(any(table, &streets), "thb.street_without_ante");
        for kind in [Kind::Bonus].into_iter().chain(streets) {
            table.give_back(seat, kind);
        }
        return;
    };
    let later = [Kind::Turn, Kind::River];
    if !table.has(seat, Kind::Flop) && any(table, &later) {
        violations.add("thb.street_without_flop");
        later
            .into_iter()
            .for_each(|kind| table.give_back(seat, kind));
    }
    check_streets(rules, seat, ante, table, round.play.board.len(), violations);
}

/// A progressive of another size or without an ante goes back.
fn check_progressive(
    round: &Round<TexasHoldemBonus>,
    seat: Seat,
    table: &mut Layout<'_, Wager>,
    violations: &mut Violations,
) {
    let chip = table.at(seat, Kind::Progressive).map(|wager| Chip {
        amount: wager.amount,
        stake: round.options.progressive_bet,
        beside_standard: table.has(seat, Kind::Ante),
    });
    if chip.is_some_and(|chip| !chip.counts("wager.progressive_amount", violations)) {
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

/// Flags wrong cards, and says how much of the round is void with them. Refuses what is incomplete. `hands` loses
/// those at seats without an ante.
pub(super) fn check_cards(
    rules: &Rules,
    round: &Round<TexasHoldemBonus>,
    hands: &mut Hands<'_>,
    violations: &mut Violations,
) -> Result<Void, Refusal> {
    let play = &round.play;
    let dealt = play.dealt(&rules.layout);
    let has_automated_shoe = round.options.dealing == Dealing::AutomatedShoe;
    let told = &play.irregularities;
    told.refuse_contradictions(&rules.layout, has_automated_shoe, &dealt)?;

    let is_whole_deck = check_deck(play.cards(), 1, violations);
    let has_ante = |seat| has(round, seat, Kind::Ante);
    let is_nobodys = |&seat: &Seat| !has_ante(seat);
    violations.add_if(hands.keys().any(is_nobodys), "deal.hand_without_wager");
    hands.retain(|&seat, _| has_ante(seat));
    let void = match is_whole_deck {
        true => told.voided(&rules.layout),
        false => Void::Total,
    };
    if void == Void::Total {
        return Ok(void);
    }
    if dealt.is_overdealt(has_ante) {
        violations.add("deal.card_count");
        return Ok(Void::Total);
    }
    let antes = round.wagers.iter().filter(|wager| wager.kind == Kind::Ante);
    dealt.refuse_short_hands(has_ante, antes.map(|ante| ante.seat))?;
    let any_live = hands.values().any(|hand| is_live(round, hand));
    let is_needed = void == Void::Nothing && any_live;
    if is_needed || !matches!(play.board.len(), 0 | FLOP | TURN) {
        dealt.refuse_short_board()?;
    }
    Ok(void)
}

/// How much of the round is void by what is recorded and by how many cards lie there, whichever they are.
pub(super) fn counted_void(round: &Round<TexasHoldemBonus>, layout: &book::Layout) -> Void {
    let has_ante = |seat| has(round, seat, Kind::Ante);
    match round.play.dealt(layout).is_overdealt(has_ante) {
        true => Void::Total,
        false => round.play.irregularities.voided(layout),
    }
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

//! What the document shows to be wrong: wagers, options, cards and decisions.

use std::collections::BTreeMap;

use super::{Decision, Kind, PlayerHand, Rules, Stage, UltimateTexasHoldem, Wager};
use crate::book::{self, Void};
use crate::floor::{Cents, Seat};
use crate::games::shared::equipment::{Dealing, Shuffler};
use crate::games::shared::holdem::{BOARD, FLOP};
use crate::games::shared::layout::{self, Layout};
use crate::games::shared::ohio_progressives::Chip;
use crate::games::shared::table_cards::check_deck;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::Violations;

pub(super) type Hands<'a> = BTreeMap<Seat, &'a PlayerHand>;

/// The wagers that count, after all checks of them.
pub(super) fn count_wagers<'a>(
    rules: &Rules,
    round: &'a Round<UltimateTexasHoldem>,
    hands: &Hands<'_>,
    violations: &mut Violations,
) -> Layout<'a, Wager> {
    let options = &round.options;
    let is_offered = |kind| match kind {
        Kind::Ante | Kind::Blind | Kind::Play => true,
        Kind::Trips => options.trips_offered,
        Kind::Progressive => options.progressive,
        Kind::Unknown => false,
    };
    let second_of = |kind| match kind {
        Kind::Play => "uth.play_twice",
        _ => "wager.duplicate_kind",
    };
    let wagers = &round.wagers;
    let mut table = Layout::count(wagers, is_offered, second_of, violations);
    layout::flag_positions(wagers, hands.keys().copied(), rules.positions, violations);
    layout::flag_guests(wagers, |_| false, violations);
    for seat in table.seats() {
        check_position(rules, round, seat, &mut table, violations);
    }
    violations.add_if(
        options.decks_in_rotation == 2 && options.shuffler != Shuffler::Automated,
        "config.second_deck_without_shuffler",
    );
    table
}

fn check_position(
    rules: &Rules,
    round: &Round<UltimateTexasHoldem>,
    seat: Seat,
    table: &mut Layout<'_, Wager>,
    violations: &mut Violations,
) {
    let options = &round.options;
    let at = |kind| table.at(seat, kind);
    let (ante, blind, trips) = (at(Kind::Ante), at(Kind::Blind), at(Kind::Trips));

    for (wager, min, max) in [
        (ante, options.min_ante, options.max_ante),
        (trips, options.min_trips, options.max_trips),
    ] {
        let posted = Limits {
            min: Some(min),
            max,
        };
        if let Some(wager) = wager {
            posted.flag(wager.amount, violations);
        }
    }
    let stake = |wager: Option<&Wager>| wager.map(|wager| wager.amount);
    violations.add_if(stake(ante) != stake(blind), "wager.blind_not_equal");
    let no_main = ante.is_none() || blind.is_none();
    violations.add_if(no_main && trips.is_some(), "wager.side_without_main");
    let chip = at(Kind::Progressive).map(|wager| Chip {
        amount: wager.amount,
        stake: options.progressive_bet,
        beside_standard: !no_main,
    });
    let chip_counts = chip.is_some_and(|chip| chip.counts("wager.progressive_amount", violations));
    if let Some(play) = at(Kind::Play) {
        match ante {
            Some(ante) => check_play(rules, play, ante, round.play.board.len(), violations),
            None => violations.add("uth.play_without_ante"),
        }
    }

    if !chip_counts {
        table.give_back(seat, Kind::Progressive);
    }
    if no_main {
        table.give_back(seat, Kind::Trips);
    }
    if ante.is_none() {
        table.give_back(seat, Kind::Play);
    }
}

/// A play wager is settled on the amount that lies there, whatever is wrong with it.
fn check_play(
    rules: &Rules,
    play: &Wager,
    ante: &Wager,
    board_cards: usize,
    violations: &mut Violations,
) {
    violations.add_if(play.on.as_ref() != Some(&ante.id), "wager.bad_reference");
    let multiples = &rules.play_multiples;
    let (multiples, shown) = match play.stage {
        Some(Stage::Preflop) => (&multiples.preflop, 0),
        Some(Stage::Flop) => (&multiples.flop, FLOP),
        Some(Stage::River) => (&multiples.river, BOARD),
        Some(Stage::Unknown) | None => return violations.add("uth.play_out_of_stage"),
    };
    violations.add_if(board_cards < shown, "uth.play_out_of_stage");
    let is_multiple = |&times: &i64| play.amount == ante.amount.times(times);
    violations.add_if(!multiples.iter().any(is_multiple), "uth.play_multiple");
}

/// Flags wrong cards, and says how much of the round is void with them. Refuses what is incomplete.
pub(super) fn check_cards(
    rules: &Rules,
    round: &Round<UltimateTexasHoldem>,
    hands: &Hands<'_>,
    table: &Layout<'_, Wager>,
    violations: &mut Violations,
) -> Result<Void, Refusal> {
    let play = &round.play;
    let dealt = play.dealt(&rules.layout);
    let has_automated_shoe = round.options.dealing == Dealing::AutomatedShoe;
    let told = &play.irregularities;
    told.refuse_contradictions(&rules.layout, has_automated_shoe, &dealt)?;

    let is_whole_deck = check_deck(play.cards(), 1, violations);
    let has_wager = |seat| table.has(seat, Kind::Ante) || table.has(seat, Kind::Blind);
    let is_nobodys = |&seat: &Seat| !has_wager(seat);
    violations.add_if(hands.keys().any(is_nobodys), "deal.hand_without_wager");
    let void = match is_whole_deck {
        true => told.voided(&rules.layout),
        false => Void::Total,
    };
    // What the supervisor lets stand, stands with whatever was dealt.
    if void >= Void::ContestByChoice {
        return Ok(void);
    }
    if dealt.is_overdealt(has_wager) {
        violations.add("deal.card_count");
        return Ok(Void::Total);
    }
    let antes = table.seats_with(Kind::Ante).into_iter();
    let bought = antes.filter(|&seat| table.has(seat, Kind::Blind));
    dealt.refuse_short_hands(has_wager, bought)?;
    // § 13.A: with nothing to settle on it, the board may stop after the flop or before it.
    let is_needed = void == Void::Nothing || !table.seats_with(Kind::Trips).is_empty();
    if is_needed || !matches!(play.board.len(), 0 | FLOP) {
        dealt.refuse_short_board()?;
    }
    Ok(void)
}

/// How much of the round is void by what is recorded and by how many cards lie there, whichever they are.
pub(super) fn counted_void(round: &Round<UltimateTexasHoldem>, layout: &book::Layout) -> Void {
    let has_wager = |seat| has(round, seat, Kind::Ante) || has(round, seat, Kind::Blind);
    match round.play.irregularities.voided(layout) {
        void if void >= Void::ContestByChoice => void,
        _ if round.play.dealt(layout).is_overdealt(has_wager) => Void::Total,
        void => void,
    }
}

/// Is there a wager of this kind at a seat?
pub(super) fn has(round: &Round<UltimateTexasHoldem>, seat: Seat, kind: Kind) -> bool {
    let mut wagers = round.wagers.iter();
    wagers.any(|wager| wager.seat == seat && wager.kind == kind)
}

/// The play wager decides, not the recorded decision; a contradiction is flagged. § 1.G
pub(super) fn check_decisions(
    hands: &Hands<'_>,
    table: &Layout<'_, Wager>,
    violations: &mut Violations,
) {
    for (&seat, hand) in hands {
        if !table.has(seat, Kind::Ante) {
            continue;
        }
        let played = table.has(seat, Kind::Play);
        let mismatch = match hand.decision {
            Decision::Play => !played,
            Decision::Fold => played,
            Decision::FoldKeepTrips => played || !table.has(seat, Kind::Trips),
            Decision::Pending => {
                violations.add("uth.no_final_decision");
                continue;
            }
        };
        violations.add_if(mismatch, "uth.decision_mismatch");
    }
}

/// § 12.E: the limit, or what a guest can win who bets the minimum if that is more.
pub(super) fn payout_limit(rules: &Rules, round: &Round<UltimateTexasHoldem>) -> Cents {
    let options = &round.options;
    let trips = if options.trips_offered {
        options.min_trips.times(rules.minimum_bettor.trips)
    } else {
        Cents::ZERO
    };
    let minimum_bettor = options.min_ante.times(rules.minimum_bettor.antes) + trips;
    rules.payout_limit.max(minimum_bettor)
}

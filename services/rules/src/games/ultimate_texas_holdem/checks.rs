//! What the document shows to be wrong: wagers, options, cards and decisions.

use std::collections::BTreeMap;

use super::{Decision, Kind, PlayerHand, Rules, Stage, UltimateTexasHoldem, Wager};
use crate::floor::{Cents, Seat};
use crate::games::shared::equipment::{Dealing, Shuffler};
use crate::games::shared::holdem::{BOARD, Code, FLOP, HOLE_CARDS, Void};
use crate::games::shared::layout::{self, Layout};
use crate::games::shared::table_cards::check_deck;
use crate::limits::Limits;
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
    let progressive = at(Kind::Progressive);

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
    let wrong_size = progressive.is_some_and(|wager| wager.amount != options.progressive_bet);
    violations.add_if(wrong_size, "wager.progressive_amount");
    let no_main = ante.is_none() || blind.is_none();
    violations.add_if(
        no_main && (trips.is_some() || progressive.is_some()),
        "wager.side_without_main",
    );
    if let Some(play) = at(Kind::Play) {
        match ante {
            Some(ante) => check_play(rules, play, ante, round.play.board.len(), violations),
            None => violations.add("uth.play_without_ante"),
        }
    }

    if wrong_size || no_main {
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

/// How much of the round the recorded irregularities void, and whether the supervisor lets the
/// wagers stand that do not depend on the dealer. That is his choice at an automated shoe only.
/// § 10.D
pub(super) fn recorded_void(round: &Round<UltimateTexasHoldem>) -> (Void, bool) {
    let at_automated_shoe = round.options.dealing == Dealing::AutomatedShoe;
    let (mut void, mut stand) = (Void::Nothing, false);
    for irregularity in &round.play.irregularities {
        let stands = at_automated_shoe
            && matches!(irregularity.code, Code::Misdeal | Code::DeckCount)
            && irregularity.independent_wagers_stand == Some(true);
        stand |= stands;
        void = void.max(if stands {
            Void::Part
        } else {
            irregularity.voids()
        });
    }
    (void, stand)
}

/// Flags wrong cards, and says how much of the round is void with them.
pub(super) fn check_cards(
    round: &Round<UltimateTexasHoldem>,
    hands: &Hands<'_>,
    table: &Layout<'_, Wager>,
    violations: &mut Violations,
) -> Void {
    let play = &round.play;
    let of_hands = hands.values().flat_map(|hand| &hand.cards);
    let dealt = play.dealer.iter().chain(&play.board).chain(of_hands);
    let is_whole_deck = check_deck(dealt, 1, violations);
    let has_wager = |&seat: &Seat| table.has(seat, Kind::Ante) || table.has(seat, Kind::Blind);
    violations.add_if(!hands.keys().all(has_wager), "deal.hand_without_wager");
    if !is_whole_deck {
        return Void::Total;
    }
    let (void, is_miscounted) = counted_void(round, hands);
    violations.add_if(is_miscounted, "deal.card_count");
    if void == Void::Part {
        let trips = !table.seats_with(Kind::Trips).is_empty();
        let fits = match play.board.len() {
            0 | FLOP => !trips,
            cards => cards == BOARD,
        };
        violations.add_if(!fits, "deal.card_count");
    }
    void
}

/// How much of the round is void by what is recorded and by how many cards lie there, whichever they are, and
/// whether it is for their number.
pub(super) fn counted_void(round: &Round<UltimateTexasHoldem>, hands: &Hands<'_>) -> (Void, bool) {
    let play = &round.play;
    let (void, stand) = recorded_void(round);
    let without_hand = |ante: &Wager| {
        let is_dealt = hands.contains_key(&ante.seat);
        ante.kind == Kind::Ante && has(round, ante.seat, Kind::Blind) && !is_dealt
    };
    let is_miscounted = play.dealer.len() != HOLE_CARDS
        || hands.values().any(|hand| hand.cards.len() != HOLE_CARDS)
        || round.wagers.iter().any(without_hand);
    match void {
        Void::Total => (Void::Total, false),
        _ if is_miscounted && !stand => (Void::Total, true),
        Void::Nothing if play.board.len() != BOARD => (Void::Total, true),
        void => (void, false),
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

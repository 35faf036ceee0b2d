//! What the document shows to be wrong: options, wagers and cards.

use std::collections::{BTreeMap, BTreeSet};

use super::{ColoradoHoldem, Kind, PlayerHand, Rules, Wager};
use crate::floor::Seat;
use crate::games::shared::equipment::{Dealing, Shuffler};
use crate::games::shared::layout::{self, Layout};
use crate::games::shared::table_cards::check_deck;
use crate::limits::Limits;
use crate::round::Round;
use crate::settlement::Violations;

pub(super) type Hands<'a> = BTreeMap<Seat, &'a PlayerHand>;

/// Cards of a hand and of the community row.
const DEALT: usize = 3;

pub(super) fn check_options(
    rules: &Rules,
    round: &Round<ColoradoHoldem>,
    violations: &mut Violations,
) {
    let options = &round.options;
    let minimum = &rules.of(options.version).pays;
    let mut main = options.paytable.iter();
    let mut bonus = options.bonus_paytable.iter();
    let too_low = main.any(|(row, odds)| minimum.get(row) > Some(odds))
        || bonus.any(|(row, pay)| rules.bonus.get(row) > Some(pay));
    violations.add_if(too_low, "config.odds_below_minimum");
    violations.add_if(
        options
            .payout_limit
            .is_some_and(|limit| limit < rules.least_payout_limit),
        "config.payout_limit_too_low",
    );
    let by_hand = options.shuffler == Shuffler::None;
    violations.add_if(
        by_hand && options.dealing == Dealing::Hand,
        "deal.hand_without_shuffler",
    );
    violations.add_if(
        by_hand && options.decks_in_rotation == 2,
        "config.second_deck_without_shuffler",
    );
}

/// The wagers that count, after all checks of them.
pub(super) fn count_wagers<'a>(
    rules: &Rules,
    round: &'a Round<ColoradoHoldem>,
    hands: &Hands<'_>,
    violations: &mut Violations,
) -> Layout<'a, Wager> {
    let options = &round.options;
    let is_offered = |kind| match kind {
        Kind::Ante | Kind::Bet => true,
        Kind::Bonus => options.bonus,
        Kind::Unknown => false,
    };
    let wagers = &round.wagers;
    let second_of = |_| "wager.duplicate_kind";
    let mut table = Layout::count(wagers, is_offered, second_of, violations);
    layout::flag_positions(wagers, hands.keys().copied(), rules.positions, violations);
    let may_play = |seats: &BTreeSet<Seat>| options.two_positions && are_neighbours(seats);
    layout::flag_guests(wagers, may_play, violations);
    for seat in table.seats() {
        check_position(rules, round, seat, &mut table, violations);
    }
    table
}

/// Two positions side by side. s.6(e)
fn are_neighbours(seats: &BTreeSet<Seat>) -> bool {
    let mut numbers = seats.iter().map(|seat| u32::from(seat.number()));
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(first), Some(second), None) => second - first == 1,
        _ => false,
    }
}

fn check_position(
    rules: &Rules,
    round: &Round<ColoradoHoldem>,
    seat: Seat,
    table: &mut Layout<'_, Wager>,
    violations: &mut Violations,
) {
    let options = &round.options;
    let bonus = table.at(seat, Kind::Bonus);
    let bet = table.at(seat, Kind::Bet);
    let wrong_bonus = bonus.is_some_and(|bonus| bonus.amount != rules.bonus_stake);
    violations.add_if(wrong_bonus, "colorado.bonus_amount");
    let Some(ante) = table.at(seat, Kind::Ante) else {
        violations.add_if(bonus.is_some(), "wager.side_without_main");
        violations.add_if(bet.is_some(), "colorado.bet_without_ante");
        table.give_back(seat, Kind::Bonus);
        table.give_back(seat, Kind::Bet);
        return;
    };
    let posted = Limits {
        min: options.min_ante,
        max: options.max_ante,
    };
    posted.flag(ante.amount, violations);
    if let Some(bet) = bet {
        violations.add_if(bet.amount != ante.amount, "colorado.bet_not_equal");
        violations.add_if(bet.on.as_ref() != Some(&ante.id), "wager.bad_reference");
    }
}

/// Flags wrong cards; false if the round is void. `hands` loses those at seats without an ante.
pub(super) fn check_cards(
    round: &Round<ColoradoHoldem>,
    hands: &mut Hands<'_>,
    table: &Layout<'_, Wager>,
    violations: &mut Violations,
) -> bool {
    let play = &round.play;
    let of_hands = hands.values().flat_map(|hand| &hand.cards);
    let whole_deck = check_deck(play.board.iter().chain(of_hands), 1, violations);
    let has_ante = |seat: &Seat| table.has(*seat, Kind::Ante);
    violations.add_if(!hands.keys().all(has_ante), "deal.hand_without_wager");
    hands.retain(|seat, _| has_ante(seat));

    if !whole_deck || play.irregularities.iter().any(|i| i.voids_the_round()) {
        return false;
    }
    let wrong = is_miscounted(round, hands);
    violations.add_if(wrong, "deal.card_count");
    !wrong
}

/// Has a hand or the row another number of cards than three, or an ante no hand? `hands` are those at seats with
/// an ante.
pub(super) fn is_miscounted(round: &Round<ColoradoHoldem>, hands: &Hands<'_>) -> bool {
    let mut antes = round.wagers.iter().filter(|wager| wager.kind == Kind::Ante);
    round.play.board.len() != DEALT
        || hands.values().any(|hand| hand.cards.len() != DEALT)
        || antes.any(|ante| !hands.contains_key(&ante.seat))
}

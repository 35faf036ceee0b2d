//! What the document shows to be wrong: options, wagers and cards.

use std::collections::{BTreeMap, BTreeSet};

use super::{ColoradoHoldem, Kind, PlayerHand, Rules, Wager};
use crate::book::Void;
use crate::floor::{Cents, Seat};
use crate::games::shared::equipment::{Dealing, Shuffler};
use crate::games::shared::layout::{self, Layout};
use crate::games::shared::minimum::{self, Posted};
use crate::games::shared::table_cards::check_deck;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::Violations;

pub(super) type Hands<'a> = BTreeMap<Seat, &'a PlayerHand>;

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
        payout_limit(rules, round).is_below,
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

/// A limit below the least that may be set counts as that. s.12(c), 13(c)
pub(super) fn payout_limit(rules: &Rules, round: &Round<ColoradoHoldem>) -> Posted<Option<Cents>> {
    minimum::limit_at_least(round.options.payout_limit, &rules.least_limit, None)
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

/// Flags wrong cards; false if the round is void. Refuses what is incomplete. `hands` loses those at seats without an
/// ante.
pub(super) fn check_cards(
    rules: &Rules,
    round: &Round<ColoradoHoldem>,
    hands: &mut Hands<'_>,
    table: &Layout<'_, Wager>,
    violations: &mut Violations,
) -> Result<bool, Refusal> {
    let play = &round.play;
    let dealt = play.dealt(&rules.layout);
    let has_automated_shoe = round.options.dealing == Dealing::AutomatedShoe;
    let told = &play.irregularities;
    told.refuse_contradictions(&rules.layout, has_automated_shoe, &dealt)?;

    let of_hands = hands.values().flat_map(|hand| &hand.cards);
    let is_whole_deck = check_deck(play.board.iter().chain(of_hands), 1, violations);
    let has_ante = |seat| table.has(seat, Kind::Ante);
    let is_nobodys = |&seat: &Seat| !has_ante(seat);
    violations.add_if(hands.keys().any(is_nobodys), "deal.hand_without_wager");
    hands.retain(|&seat, _| has_ante(seat));
    if !is_whole_deck || told.voided(&rules.layout) != Void::Nothing {
        return Ok(false);
    }
    if dealt.is_overdealt(has_ante) {
        violations.add("deal.card_count");
        return Ok(false);
    }
    dealt.refuse_short_hands(has_ante, table.seats_with(Kind::Ante))?;
    dealt.refuse_short_board()?;
    Ok(true)
}

//! The settlement of a round of Fast Action Hold'em.

use super::checks::{self, DEALT, Recorded};
use super::house_ways::{self, Set};
use super::ranking;
use super::{Action, FastActionHoldem, Kind, PlayerHand, Rules, Wager};
use crate::floor::{Card, CardCounts, Rounding, Seat};
use crate::games::shared::holdem::BOARD;
use crate::games::shared::holdem::dealt::refuse_fewer;
use crate::games::shared::layout::{Layout, pay};
use crate::games::shared::table_cards::{self, TableCard};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Settled, Violations};

pub(super) fn settle(rules: &Rules, round: &Round<FastActionHoldem>) -> Result<Outcome, Refusal> {
    let hands = table_cards::by_seat(&round.play.hands, |hand| hand.seat)?;
    let mut violations = Violations::default();
    checks::check_options(rules, round, &mut violations);
    let mut table = checks::count_wagers(rules, round, &hands, &mut violations);
    let recorded = Recorded::read(rules, round, &table)?;
    if checks::check_cards(round, &hands, &table, &recorded, &mut violations)? {
        let dealer = Dealer::of(round, &mut violations);
        let mut compared = Vec::new();
        for seat in table.seats_with(Kind::Main) {
            if recorded.void_seats.contains(&seat) {
                continue;
            }
            let hand = whole_hand(round, seat)?;
            let unrecorded = !recorded.extra_cards.contains(&seat);
            violations.add_if(hand.cards.len() > DEALT && unrecorded, "deal.card_count");
            let sets = play_hand(rules, seat, hand, &mut table, &mut violations);
            match &dealer {
                // s.8(h): of a split only the original wager is taken.
                Some(Dealer::Natural) if !sets.is_empty() => {
                    table.settle(seat, Kind::Main, Settled::lose);
                    table.settle(seat, Kind::Split, Settled::push);
                }
                _ => compared.extend(sets.into_iter().map(|(kind, set)| (seat, kind, set))),
            }
        }
        if let Some(Dealer::Keeps(kept)) = dealer {
            compare(rules, round, kept, &compared, &mut table, &mut violations)?;
        }
    }
    Ok(Outcome::of_wagers(table.into_settled(), violations))
}

/// The hand of a seat. One that is short is void or completed by the player's choice, which decides the wager: without
/// it nobody can say what is due. s.9(e), 9(j)
fn whole_hand(round: &Round<FastActionHoldem>, seat: Seat) -> Result<&PlayerHand, Refusal> {
    let mut hands = round.play.hands.iter().enumerate();
    let Some((at, hand)) = hands.find(|(_, hand)| hand.seat == seat) else {
        let what = format!("seat {seat} has a wager and no hand");
        return Err(Refusal::at("play.hands", what));
    };
    refuse_fewer(&format!("play.hands[{at}].cards"), &hand.cards, DEALT)?;
    Ok(hand)
}

/// What the dealer's four cards are.
#[derive(Clone, Copy, Debug)]
enum Dealer {
    Natural,
    Keeps([Card; 2]),
}

impl Dealer {
    /// `None` without four cards, which never gets here.
    fn of(round: &Round<FastActionHoldem>, violations: &mut Violations) -> Option<Dealer> {
        let play = &round.play;
        let cards: [Card; DEALT] = table_cards::of_deck(&play.dealer.cards).try_into().ok()?;
        if ranking::is_natural(&cards) {
            violations.add_if(
                !play.board.is_empty(),
                "fast_action.board_after_dealer_natural",
            );
            return Some(Dealer::Natural);
        }
        let recorded = play.dealer.set.as_deref();
        // s.9(h): a wrong set is set again by house ways.
        match house_ways::set(cards, recorded.and_then(two_cards)) {
            Set::AsKept(kept) => Some(Dealer::Keeps(kept)),
            Set::HouseWay(kept) => {
                violations.add_if(recorded.is_some(), "fast_action.house_way");
                Some(Dealer::Keeps(kept))
            }
        }
    }
}

fn two_cards(set: &[TableCard]) -> Option<[Card; 2]> {
    let cards = table_cards::of_deck(set).try_into().ok();
    cards.filter(|_| set.len() == 2)
}

/// Settles what a player's action decides by itself, and gives the two-card hands that remain to be
/// compared with the dealer's, each with its wager.
fn play_hand(
    rules: &Rules,
    seat: Seat,
    hand: &PlayerHand,
    table: &mut Layout<'_, Wager>,
    violations: &mut Violations,
) -> Vec<(Kind, [Card; 2])> {
    let natural = ranking::is_natural(&table_cards::of_deck(&hand.cards));
    let mut action = hand.action;
    violations.add_if(
        natural && action != Action::Natural,
        "fast_action.natural_unannounced",
    );
    let is_split = action == Action::Split;
    if table.has(seat, Kind::Split) != is_split {
        violations.add("fast_action.split_mismatch");
        table.give_back(seat, Kind::Split);
    }
    if action == Action::Natural && !natural {
        violations.add("fast_action.natural_false");
        action = Action::Set;
    }
    match action {
        // s.8(b): paid at once, before the dealer's cards are turned.
        Action::Natural => {
            table.settle(seat, Kind::Main, |main| pay(main, rules.pays.natural));
            return Vec::new();
        }
        Action::Surrender => {
            table.settle(seat, Kind::Main, |main| {
                let half = main.amount.percent(rules.surrender_percent, Rounding::DOWN);
                Settled::lose_part(main, half)
            });
            return Vec::new();
        }
        Action::Pending => {
            violations.add("fast_action.no_decision");
            return Vec::new();
        }
        Action::Set | Action::Split => {}
    }
    let Some(sets) = kept_sets(hand, if is_split { 2 } else { 1 }) else {
        violations.add("fast_action.bad_set");
        table.give_back(seat, Kind::Split);
        return Vec::new();
    };
    // s.9(g): more than four cards make one hand only.
    if is_split && hand.cards.len() > DEALT {
        violations.add("fast_action.split_with_extra_cards");
        table.give_back(seat, Kind::Split);
    }
    let counted = |kind: &Kind| table.has(seat, *kind);
    let kinds = [Kind::Main, Kind::Split].into_iter();
    kinds.zip(sets).filter(|(kind, _)| counted(kind)).collect()
}

/// So many sets of two, all taken out of the hand's own cards; else `None`.
pub(super) fn kept_sets(hand: &PlayerHand, wanted: usize) -> Option<Vec<[Card; 2]>> {
    if hand.sets.len() != wanted {
        return None;
    }
    let mut left: CardCounts = table_cards::of_deck(&hand.cards).into_iter().collect();
    let sets: Vec<[Card; 2]> = hand
        .sets
        .iter()
        .map(|set| two_cards(set))
        .collect::<Option<_>>()?;
    let own = sets.iter().flatten().all(|&card| left.take(card));
    own.then_some(sets)
}

/// s.8(k): higher wins, and a copy loses.
fn compare(
    rules: &Rules,
    round: &Round<FastActionHoldem>,
    kept: [Card; 2],
    compared: &[(Seat, Kind, [Card; 2])],
    table: &mut Layout<'_, Wager>,
    violations: &mut Violations,
) -> Result<(), Refusal> {
    let lying = &round.play.board;
    if compared.is_empty() && lying.is_empty() {
        return Ok(());
    }
    refuse_fewer("play.board", lying, BOARD)?;
    let board: Result<[Card; BOARD], _> = table_cards::of_deck(lying).try_into();
    let Ok(board) = board else {
        violations.add("deal.card_count");
        return Ok(());
    };
    let dealer = ranking::best(kept, board);
    for &(seat, kind, set) in compared {
        table.settle(seat, kind, |wager| {
            if ranking::best(set, board) > dealer {
                pay(wager, rules.pays.win)
            } else {
                Settled::lose(wager)
            }
        });
    }
    Ok(())
}

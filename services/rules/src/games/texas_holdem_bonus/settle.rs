//! The settlement of a round of Texas Hold'em Bonus Poker.

use std::cmp::Ordering;

use super::bonus::{self, BonusRow};
use super::checks::{self, Hands};
use super::{Decision, Kind, PlayerHand, Rules, TexasHoldemBonus, Wager};
use crate::book::Void;
use crate::floor::Seat;
use crate::games::shared::holdem::{self, FLOP};
use crate::games::shared::layout::{Layout, against_dealer, pay};
use crate::games::shared::table_cards;
use crate::hands::five::Hand;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Settled, Violations};

const ALL: [Kind; 6] = [
    Kind::Ante,
    Kind::Flop,
    Kind::Turn,
    Kind::River,
    Kind::Bonus,
    Kind::Progressive,
];
/// § 12.E: the wagers under the payout limit, in the order in which the clause names them.
const LIMITED: [Kind; 5] = [Kind::Ante, Kind::Flop, Kind::Turn, Kind::River, Kind::Bonus];

pub(super) fn settle(rules: &Rules, round: &Round<TexasHoldemBonus>) -> Result<Outcome, Refusal> {
    let mut hands = table_cards::by_seat(&round.play.hands, |hand| hand.seat)?;
    let mut violations = Violations::default();
    checks::check_options(rules, round, &mut violations);
    let mut table = checks::count_wagers(rules, round, &hands, &mut violations);
    match checks::check_cards(rules, round, &mut hands, &mut violations)? {
        Void::Total => {}
        Void::Contest | Void::ContestByChoice => {
            settle_side_wagers(rules, round, &hands, &mut table)?;
        }
        Void::Nothing => {
            checks::check_decisions(&hands, &table, &mut violations);
            settle_all_wagers(rules, round, &hands, &mut table)?;
        }
    }
    Ok(Outcome::of_wagers(table.into_settled(), violations))
}

/// A round that is void against the dealer: the bonus is settled by its own table alone, since the
/// row for two pairs of aces needs a dealer's hand that counts. § 13.A, 13.B
fn settle_side_wagers(
    rules: &Rules,
    round: &Round<TexasHoldemBonus>,
    hands: &Hands<'_>,
    table: &mut Layout<'_, Wager>,
) -> Result<(), Refusal> {
    for (&seat, hand) in hands {
        table.settle(seat, Kind::Bonus, |wager| {
            settle_bonus(rules, round, wager, hand, false)
        });
        table.limit_payout(seat, &LIMITED, checks::payout_limit(rules, round));
    }
    if round.play.board.len() < FLOP {
        return Ok(());
    }
    let left = |hand: &PlayerHand| matches!(hand.decision, Decision::Fold | Decision::Abandoned);
    let in_play: Vec<Seat> = hands
        .iter()
        .filter(|(seat, hand)| !left(hand) || table.has(**seat, Kind::Flop))
        .map(|(&seat, _)| seat)
        .collect();
    let bettors = table.seats_with(Kind::Progressive);
    settle_progressive(rules, round, hands, table, &bettors, &in_play)
}

fn settle_all_wagers(
    rules: &Rules,
    round: &Round<TexasHoldemBonus>,
    hands: &Hands<'_>,
    table: &mut Layout<'_, Wager>,
) -> Result<(), Refusal> {
    let play = &round.play;
    let dealer = holdem::best_hand(&play.dealer, &play.board);
    let limit = checks::payout_limit(rules, round);
    let (mut bettors, mut in_play) = (Vec::new(), Vec::new());
    for (&seat, hand) in hands {
        if hand.decision == Decision::Abandoned {
            table.settle_alike(seat, &ALL, Settled::lose);
            continue;
        }
        if table.has(seat, Kind::Progressive) {
            bettors.push(seat);
        }
        let player = holdem::best_hand(&hand.cards, &play.board);
        match (player, dealer) {
            (Some(player), Some(dealer)) if checks::is_live(round, hand) => {
                in_play.push(seat);
                settle_against_dealer(rules, round, table, seat, player, dealer);
            }
            _ => table.settle(seat, Kind::Ante, Settled::lose),
        }
        table.settle(seat, Kind::Bonus, |wager| {
            settle_bonus(rules, round, wager, hand, true)
        });
        table.limit_payout(seat, &LIMITED, limit);
    }
    // Without a flop, everybody folded before it, no hand is in play and all of these lose.
    settle_progressive(rules, round, hands, table, &bettors, &in_play)
}

/// § 11.H: the dealer needs no hand to qualify, but the ante needs one to be paid.
fn settle_against_dealer(
    rules: &Rules,
    round: &Round<TexasHoldemBonus>,
    table: &mut Layout<'_, Wager>,
    seat: Seat,
    player: Hand,
    dealer: Hand,
) {
    let order = player.cmp(&dealer);
    let pays_ante = player.category() >= round.options.ante_qualifier.category();
    table.settle(seat, Kind::Ante, |ante| match order {
        Ordering::Greater if !pays_ante => Settled::push(ante),
        order => against_dealer(ante, order, rules.main.ante),
    });
    for (kind, odds) in [
        (Kind::Flop, rules.main.flop),
        (Kind::Turn, rules.main.turn),
        (Kind::River, rules.main.river),
    ] {
        table.settle(seat, kind, |street| against_dealer(street, order, odds));
    }
}

/// § 11.H.iv, 12.C, 12.D: on the hole cards, folded or not.
fn settle_bonus(
    rules: &Rules,
    round: &Round<TexasHoldemBonus>,
    wager: &Wager,
    hand: &PlayerHand,
    dealer_counts: bool,
) -> Settled {
    let options = &round.options;
    let Some(row) = BonusRow::of(&hand.cards) else {
        return Settled::lose(wager);
    };
    let both_aces = row == BonusRow::AceAce
        && dealer_counts
        && BonusRow::of(&round.play.dealer) == Some(BonusRow::AceAce);
    let odds = match bonus::both_aces_odds(rules, options) {
        Some(odds) if both_aces => Some(odds),
        _ => bonus::odds(rules, options, row),
    };
    match odds {
        Some(odds) => pay(wager, odds),
        None => Settled::lose(wager),
    }
}

fn settle_progressive(
    rules: &Rules,
    round: &Round<TexasHoldemBonus>,
    hands: &Hands<'_>,
    table: &mut Layout<'_, Wager>,
    bettors: &[Seat],
    in_play: &[Seat],
) -> Result<(), Refusal> {
    let holes = in_play
        .iter()
        .filter_map(|seat| Some((*seat, hands.get(seat)?.cards.as_slice())));
    let meter = round.play.meters.meter(round.options.progressive_reset);
    let (link, board) = (&rules.multi_link, &round.play.board);
    holdem::settle_progressive(link, table, Kind::Progressive, bettors, holes, board, meter)
}

//! The settlement of a round of Colorado Hold'em.

use super::checks;
use super::rows::{BonusPay, Row, Standing};
use super::{Action, ColoradoHoldem, Kind, PlayerHand, Rules, Version, Wager};
use crate::floor::{Card, Seat};
use crate::games::shared::layout::{Layout, pay};
use crate::games::shared::table_cards;
use crate::hands::five::{self, Hand};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Settled, Violations};

pub(super) fn settle(rules: &Rules, round: &Round<ColoradoHoldem>) -> Result<Outcome, Refusal> {
    let mut hands = table_cards::by_seat(&round.play.hands, |hand| hand.seat)?;
    let mut violations = Violations::default();
    checks::check_options(rules, round, &mut violations);
    let mut table = checks::count_wagers(rules, round, &hands, &mut violations);
    if checks::check_cards(rules, round, &mut hands, &table, &mut violations)? {
        for (&seat, hand) in &hands {
            settle_hand(rules, round, seat, hand, &mut table, &mut violations);
            if let Some(limit) = checks::payout_limit(rules, round).due {
                table.limit_payout(seat, &[Kind::Ante, Kind::Bet], limit);
            }
        }
    }
    Ok(Outcome::of_wagers(table.into_settled(), violations))
}

fn settle_hand(
    rules: &Rules,
    round: &Round<ColoradoHoldem>,
    seat: Seat,
    hand: &PlayerHand,
    table: &mut Layout<'_, Wager>,
    violations: &mut Violations,
) {
    let version = round.options.version;
    let bet = table.has(seat, Kind::Bet);
    match hand.action {
        Action::Fold => {
            violations.add_if(bet, "colorado.bet_with_fold");
            violations.add_if(
                version == Version::Permissible,
                "colorado.fold_in_permissible",
            );
            table.give_back(seat, Kind::Bet);
            table.settle_alike(seat, &[Kind::Ante, Kind::Bonus], Settled::lose);
        }
        Action::Instant => {
            violations.add_if(bet, "colorado.bet_with_instant");
            table.give_back(seat, Kind::Bet);
            let row = Row::instant(&table_cards::of_deck(&hand.cards));
            violations.add_if(row.is_none(), "colorado.instant_false");
            // s.14(d): a wrong declaration costs the ante, and the bonus with it.
            let standing = row.map_or(Standing::Loses, Standing::Wins);
            settle_main(rules, round, seat, table, standing);
            settle_bonus(rules, round, seat, table, row);
        }
        Action::Play => {
            violations.add_if(version == Version::Required && !bet, "colorado.bet_missing");
            // A hand whose discard is not known cannot be formed: its wagers go back.
            match five_cards(round, hand) {
                Some(five) => {
                    let standing = Standing::of(five, &rules.of(version).pairs);
                    settle_main(rules, round, seat, table, standing);
                    let row = Row::of_bonus(five, rules.bonus_pair);
                    settle_bonus(rules, round, seat, table, row);
                }
                None => violations.add("colorado.discard_count"),
            }
        }
        Action::Pending => violations.add("colorado.no_decision"),
    }
}

/// The two cards kept and the community row; `None` unless the discard is one of the three dealt.
fn five_cards(round: &Round<ColoradoHoldem>, hand: &PlayerHand) -> Option<Hand> {
    let discard = hand.discard?;
    let mut kept = hand.cards.clone();
    kept.remove(kept.iter().position(|&card| card == discard)?);
    let five: Vec<Card> = table_cards::of_deck(&[kept, round.play.board.clone()].concat());
    five::rank(&five)
}

/// Ante and bet have the same fate at the same odds.
fn settle_main(
    rules: &Rules,
    round: &Round<ColoradoHoldem>,
    seat: Seat,
    table: &mut Layout<'_, Wager>,
    standing: Standing,
) {
    let options = &round.options;
    table.settle_alike(seat, &[Kind::Ante, Kind::Bet], |wager| match standing {
        Standing::Wins(row) => {
            // s.12(b), 13(b): the odds of the rules are the least.
            let posted = options.paytable.get(&row);
            match posted.max(rules.of(options.version).pays.get(&row)) {
                Some(&odds) => pay(wager, odds),
                None => Settled::lose(wager),
            }
        }
        Standing::Pushes => Settled::push(wager),
        Standing::Loses => Settled::lose(wager),
    });
}

fn settle_bonus(
    rules: &Rules,
    round: &Round<ColoradoHoldem>,
    seat: Seat,
    table: &mut Layout<'_, Wager>,
    row: Option<Row>,
) {
    let in_force = |row: Row| {
        let posted = round.options.bonus_paytable.get(&row);
        posted.max(rules.bonus.get(&row))
    };
    table.settle(seat, Kind::Bonus, |wager| match row.and_then(in_force) {
        Some(&BonusPay::Odds(odds)) => pay(wager, odds),
        Some(BonusPay::Push) => Settled::push(wager),
        None => Settled::lose(wager),
    });
}

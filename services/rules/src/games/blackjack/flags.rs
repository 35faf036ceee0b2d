//! What breaks the rules in a round of blackjack. None of it changes what a wager is worth.

use super::settle::Table;
use super::sides::display_of;
use super::tables::{EditionRules, Massachusetts};
use super::{Kind, Variation, Wager, config};
use crate::floor::{Card, Rank, Seat};
use crate::games::shared::blackjack::{
    Act, BoxRights, Duties, HoleCard, Insurance, SideRules, is_ace, is_blackjack,
};
use crate::games::shared::shoe::flag_cards;
use crate::round::Wager as _;
use crate::settlement::Violations;

pub(super) fn flag(table: &Table<'_>, violations: &mut Violations) {
    config::flag(table, violations);
    if let EditionRules::Massachusetts(rules) = &table.rules.edition {
        flag_stakes(table, rules, violations);
        flag_streaks(table, violations);
    }
    flag_decks(table, violations);
    flag_wagers(table, violations);
    flag_boxes(table, violations);
    flag_dealer(table, violations);
    flag_double_shoe(table, violations);
}

/// Amounts that the rules fix, and the display of the blackjack bonus.
fn flag_stakes(table: &Table<'_>, rules: &Massachusetts, violations: &mut Violations) {
    let figures = &rules.figures;
    let six_to_five = table.options().variation == Variation::SixToFive;
    for wager in &table.round.wagers {
        let stake = wager.amount;
        // 3(d). A dollar on the blackjack bonus is provided for by 20(a).
        violations.add_if(
            six_to_five
                && wager.kind != Kind::BlackjackBonus
                && !stake.is_multiple_of(figures.six_to_five_unit),
            "wager.increment",
        );
        let fixed = match wager.kind {
            Kind::SuperSevens => stake == figures.super_sevens_stake,
            Kind::Progressive => stake == figures.progressive_stake,
            Kind::BlackjackBonus => figures.display_range(stake).is_some(),
            _ => true,
        };
        violations.add_if(!fixed, "wager.fixed_amount");
        violations.add_if(
            wager.kind == Kind::OptionalBonus && stake < figures.optional_bonus_minimum,
            "wager.under_min",
        );
        if wager.kind == Kind::BlackjackBonus {
            let record = table.record_at(wager.seat);
            let record = record.filter(|record| is_blackjack(&record.cards));
            // 20(j); a stake of neither amount is measured by the higher one.
            let range = figures.display_range(stake);
            let range = range.unwrap_or(&figures.blackjack_bonus_displays[1]);
            let shown = record.and_then(|_| display_of(table, wager));
            violations.add_if(
                shown.is_some_and(|shown| !(range.lowest..=range.highest).contains(&shown)),
                "side.bonus_out_of_range",
            );
        }
    }
}

fn flag_streaks(table: &Table<'_>, violations: &mut Violations) {
    let wagers = &table.round.wagers;
    for (index, wager) in wagers.iter().enumerate() {
        let Some((needed, _)) = wager.kind.streak() else {
            continue;
        };
        violations.add_if(
            !(0..needed).contains(&wager.wins_before()),
            "wager.streak_state",
        );
        let stacked = |other: usize| {
            wagers[other].kind.streak().is_some()
                && wagers[other].seat == wager.seat
                && table.layout.stakes.player(other) == table.layout.stakes.player(index)
                && wagers[other].wins_before() != wager.wins_before()
        };
        violations.add_if((0..index).any(stacked), "wager.streak_stacked");
    }
}

fn flag_decks(table: &Table<'_>, violations: &mut Violations) {
    let play = &table.round.play;
    let mut burned = play.burned.clone();
    // 6(d)2: a determinant card of the other side's shoe is not of the decks that are dealt.
    if let Some(determinant) = &play.determinant
        && determinant.from != determinant.dealt_side
        && let Some(lies) = burned.iter().position(|&card| card == determinant.card)
    {
        burned.remove(lies);
    }
    let cards = table.layout.cards().chain(burned);
    flag_cards(cards, table.options().decks, violations);
}

fn flag_wagers(table: &Table<'_>, violations: &mut Violations) {
    let options = table.options();
    for wager in &table.round.wagers {
        if let Some(limits) = options.limits.get(&wager.kind) {
            limits.flag(wager.amount, violations);
        }
    }
    let ohio = matches!(table.rules.edition, EditionRules::Ohio(_));
    let stakes = &table.layout.stakes;
    stakes.flag_sides(
        &SideRules {
            is_offered: &|wager: &Wager| {
                wager
                    .kind
                    .offering()
                    .is_none_or(|name| table.is_offered(name))
            },
            stands_alone: &|wager: &Wager| wager.kind.streak().is_some(),
            is_bounded_by_main: &|wager: &Wager| match wager.kind {
                Kind::Over13 | Kind::Under13 | Kind::SuperSevens | Kind::OptionalBonus => true,
                Kind::RoyalMatch => !ohio,
                _ => false,
            },
        },
        violations,
    );
    stakes.flag_rights(
        BoxRights {
            boxes: options.boxes,
            players_per_box: options.players_per_box.unwrap_or(1),
            boxes_per_player: options.boxes_per_player,
            adjacent: ohio,
            several_mains: table.is_multiple_action(),
        },
        violations,
    );
    flag_spots(table, violations);

    let unit = match &table.rules.edition {
        EditionRules::Massachusetts(rules) if options.variation == Variation::SixToFive => {
            options.chip_unit.max(rules.figures.six_to_five_unit)
        }
        _ => options.chip_unit,
    };
    let insurance = Insurance {
        offered: table.insurance_is_offered(),
        unit,
        strictly_half: options.tournament,
    };
    let sound = stakes.flag_references(&table.layout.boxes, insurance, violations);
    if let EditionRules::Ohio(rules) = &table.rules.edition
        && options.tournament
        && insurance.offered
    {
        // 18.B.vi
        let unit = rules.figures.tournament_insurance_unit;
        let uneven = |(wager, sound): (&Wager, bool)| {
            sound && wager.kind == Kind::Insurance && !wager.amount.is_multiple_of(unit)
        };
        let mut wagers = table.round.wagers.iter().zip(sound);
        violations.add_if(wagers.any(uneven), "wager.increment");
    }
}

/// 18(b): at multiple action a player bets on two or three different dealer hands.
fn flag_spots(table: &Table<'_>, violations: &mut Violations) {
    if !table.is_multiple_action() {
        return;
    }
    for (index, main) in table.layout.stakes.mains() {
        let own = table
            .layout
            .stakes
            .mains_on(main.seat())
            .filter(|&(other, _)| {
                table.layout.stakes.player(other) == table.layout.stakes.player(index)
            });
        let spots: Vec<i64> = own.map(|(_, own)| own.spot()).collect();
        let repeated = spots.iter().filter(|&&spot| spot == main.spot()).count() > 1;
        let wrong = repeated || spots.len() < table.options().min_spots;
        violations.add_if(wrong, "wager.spots");
    }
}

fn flag_boxes(table: &Table<'_>, violations: &mut Violations) {
    table.layout.flag_boxes(violations);
    let up_is_ace = table.layout.dealer.up().is_some_and(is_ace);
    let even_money_offered = table.offers_even_money() && up_is_ace;
    for played in table.layout.staked_boxes() {
        let Some(record) = table.record_at(played.seat()) else {
            continue;
        };
        let stakes = &table.layout.stakes;
        violations.add_if(
            !stakes.may_take_even_money(played, &record.even_money, even_money_offered),
            "decision.even_money_not_allowed",
        );
        let takes_bonus_card = played.steps().any(|(act, _)| act == Act::BonusCard);
        violations.add_if(
            takes_bonus_card && !bonus_card_is_due(table, record.seat, &record.cards),
            "decision.bonus_card_not_allowed",
        );
    }
}

/// 6(j)3, 6(k)6: two sevens get their third card although the dealer's blackjack ends the round.
fn bonus_card_is_due(table: &Table<'_>, seat: Seat, cards: &[Card]) -> bool {
    matches!(
        table.layout.house.hole_card,
        HoleCard::Reader | HoleCard::Exposed
    ) && table.layout.dealer.first_hand().has_blackjack()
        && cards.iter().all(|card| card.rank() == Some(Rank::Seven))
        && table
            .round
            .wagers
            .iter()
            .any(|wager| wager.kind == Kind::SuperSevens && wager.seat == seat)
}

fn flag_dealer(table: &Table<'_>, violations: &mut Violations) {
    // 25(d): the optional bonus makes the dealer take a third card, whatever became of the hands.
    let asks_for_third = |wager: &Wager| {
        wager.kind == Kind::OptionalBonus && table.layout.live_box_at(wager.seat).is_some()
    };
    let besides = Duties {
        draw: false,
        third_card: table.round.wagers.iter().any(asks_for_third),
    };
    table.layout.flag_dealer(
        |index, wager| table.judged(index, wager),
        besides,
        table.round.play.reader_fault,
        violations,
    );
    if table.is_multiple_action() {
        flag_further_hands(table, violations);
    }
}

/// 18(f)-(h): a second hand of the dealer while a wager remains on the spots after the first, a third where besides
/// somebody made a third wager, and all of them from one up card.
fn flag_further_hands(table: &Table<'_>, violations: &mut Violations) {
    let dealer = &table.layout.dealer;
    violations.add_if(!dealer.has_one_up_card(), "dealer.up_card_changed");
    if table.round.play.void_round.is_some() {
        return;
    }
    let remains = |(index, wager): (usize, &Wager)| {
        let judged = table.judged(index, wager);
        let waits = match wager.kind {
            Kind::Main | Kind::Split | Kind::Double => {
                judged.is_undecided() || judged.awaits_second_card(dealer, &table.layout.house)
            }
            Kind::Insurance => {
                table.insurance_is_offered() && table.layout.live_box_at(wager.seat).is_some()
            }
            _ => false,
        };
        waits && judged.dealer_hand > 0
    };
    let second = table.round.wagers.iter().enumerate().any(remains);
    let mut mains = table.layout.stakes.mains();
    let third = second && mains.any(|(index, _)| table.dealer_hand_of(index) == 2);
    let needless = |hand: usize, due: bool| !due && dealer.hand(hand).second().is_some();
    violations.add_if(
        needless(1, second) || needless(2, third),
        "dealer.drew_needlessly",
    );
}

/// 6(d): the determinant card names the side of the shoe, and is the first card or burned.
fn flag_double_shoe(table: &Table<'_>, violations: &mut Violations) {
    let play = &table.round.play;
    let (Some(shoe), Some(determinant)) = (&table.options().double_shoe, &play.determinant) else {
        return;
    };
    let named = shoe.side_named_by(determinant.card);
    violations.add_if(determinant.dealt_side != named, "procedure.wrong_shoe_side");
    let in_its_place = if determinant.from == named {
        let alive = table.layout.boxes.iter().filter(|played| played.is_alive());
        let lowest = alive.min_by_key(|played| played.seat());
        let first = lowest.and_then(|played| played.first_cards().first());
        first == Some(&determinant.card)
    } else {
        play.burned.contains(&determinant.card)
    };
    violations.add_if(!in_its_place, "procedure.determinant_card");
}

//! What breaks the rules in a round of blackjack. None of it changes what a wager is worth.

use super::settle::{Table, offers};
use super::tables::{EditionRules, Massachusetts, Ohio, TwentyPoint};
use super::{DealtFrom, Kind, Options, Variation, Wager};
use crate::floor::{Card, Cents, Odds, Rank, Rounding, Seat};
use crate::games::shared::blackjack::{
    Act, BoxRights, Duties, HoleCard, Insurance, Shuffler, SideRules, is_ace, is_blackjack,
};
use crate::games::shared::shoe::flag_cards;
use crate::round::Wager as _;
use crate::settlement::Violations;

pub(super) fn flag(table: &Table<'_>, violations: &mut Violations) {
    let options = table.options();
    match &table.rules.edition {
        EditionRules::Massachusetts(rules) => {
            flag_massachusetts(table, rules, violations);
            violations.add_if(
                options
                    .pays
                    .breaks(|wager, row| listed(options, rules, wager, row)),
                "config.odds_below_minimum",
            );
        }
        EditionRules::Ohio(rules) => {
            flag_ohio(table, rules, violations);
            violations.add_if(
                options.pays.breaks(|_, _| None),
                "config.odds_below_minimum",
            );
        }
    }
    let unknown = |name: &String| !table.rules.offerings.contains(name);
    violations.add_if(options.side_bets.iter().any(unknown), "config.conflict");
    flag_decks(table, violations);
    flag_wagers(table, violations);
    flag_boxes(table, violations);
    flag_dealer(table, violations);
    flag_double_shoe(table, violations);
}

/// 8(c), 6(k)3: where surrender is never available.
pub(super) fn bars_surrender(options: &Options) -> bool {
    options.hole_card == HoleCard::Exposed
        || options.variation != Variation::Standard
        || offers(options, "progressive")
}

fn flag_massachusetts(table: &Table<'_>, rules: &Massachusetts, violations: &mut Violations) {
    let options = table.options();
    let offers = |name: &str| offers(options, name);
    let (decks, figures) = (options.decks, &rules.figures);
    let six_to_five = options.variation == Variation::SixToFive;
    let multiple_action = options.variation == Variation::MultipleAction;
    let exposed = options.hole_card == HoleCard::Exposed;

    // 2(a), 17(e)2: bounds of the number of decks by what is offered.
    let no_royal_match = !rules
        .royal_match
        .iter()
        .any(|&(of_decks, option, _)| of_decks == decks && option == options.royal_match_option);
    let illegal_count = decks < 1
        || options.shuffler == Shuffler::Automated && decks < 2 && !six_to_five
        || six_to_five && ![1, 2].contains(&decks)
        || (offers("match_the_dealer") || offers("optional_bonus")) && ![6, 8].contains(&decks)
        || (offers("super_sevens") || offers("progressive")) && decks < 4
        || offers("twenty_point_bonus") && decks < 2
        || offers("royal_match") && no_royal_match;
    violations.add_if(illegal_count, "deck.illegal_count");

    let most_boxes = match options.variation {
        Variation::Standard => table.rules.most_boxes,
        Variation::SixToFive | Variation::MultipleAction => figures.most_boxes_of_variations,
    };
    let max_split_hands = options.max_split_hands.unwrap_or_default();
    let top_row = rules
        .twenty_point(options.twenty_point_table)
        .listed(TwentyPoint::TOP_ROW);
    let aggregate_floor = posted_minimum(options, Kind::TwentyPointBonus)
        .zip(top_row)
        .map(|(min, listed)| {
            let odds = options
                .pays
                .raised("twenty_point_bonus", TwentyPoint::TOP_ROW, listed);
            odds.win_on(min, Rounding::DOWN)
        })
        .unwrap_or_default()
        .max(figures.twenty_point_aggregate_floor);
    let conflict = shares_badly(options)
        || multiple_action && options.hole_card != HoleCard::None
        || offers("progressive")
            && (options.hole_card != HoleCard::None || options.players_per_box > Some(1))
        || options.surrender && bars_surrender(options)
        || max_split_hands > 2 && (exposed || multiple_action)
        || max_split_hands > 3 && options.boxes >= 7
        || six_to_five
            && (!options.bonus_payouts.is_empty()
                || exposed
                || options.hole_card == HoleCard::Down)
        || !options.double_after_split && !six_to_five
        || options
            .twenty_point_aggregate_max
            .is_some_and(|most| most < aggregate_floor)
        || options.progressive_reset < figures.progressive_reset_floor
        || options.players_per_box > Some(figures.most_players_per_box)
        || options.boxes > most_boxes;
    violations.add_if(conflict, "config.conflict");

    let main_limits = options.limits.get(&Kind::Main);
    figures.limits_ratio.flag(main_limits, violations);

    for wager in &table.round.wagers {
        let stake = wager.amount;
        // 3(d). A dollar on the blackjack bonus is provided for by 20(a).
        violations.add_if(
            six_to_five
                && wager.kind != Kind::BlackjackBonus
                && !stake.is_multiple_of(figures.six_to_five_unit),
            "wager.increment",
        );
        let display = |stake: Cents| {
            let mut displays = figures.blackjack_bonus_displays.iter();
            displays.find(|display| display.stake == stake)
        };
        let fixed = match wager.kind {
            Kind::SuperSevens => stake == figures.super_sevens_stake,
            Kind::Progressive => stake == figures.progressive_stake,
            Kind::BlackjackBonus => display(stake).is_some(),
            _ => true,
        };
        violations.add_if(!fixed, "wager.fixed_amount");
        violations.add_if(
            wager.kind == Kind::OptionalBonus && stake < figures.optional_bonus_minimum,
            "wager.under_min",
        );
        if wager.kind == Kind::BlackjackBonus {
            let mut boxes = table.round.play.boxes.iter();
            let own_box = boxes.find(|own| own.seat == wager.seat && is_blackjack(&own.cards));
            // 20(j); a stake of neither amount is measured by the higher one.
            let range = display(stake).unwrap_or(&figures.blackjack_bonus_displays[1]);
            let shown = own_box.and_then(|own| own.bonus_display);
            violations.add_if(
                shown.is_some_and(|shown| !(range.lowest..=range.highest).contains(&shown)),
                "side.bonus_out_of_range",
            );
        }
    }
    flag_streaks(table, violations);
}

/// 17(a), 18(a), 20(l), 22(l), 23(g), 24(i), 25(h): what may not be offered at one table.
fn shares_badly(options: &Options) -> bool {
    let offered = |name: &&str| offers(options, name);
    let section_17 = ["over_under_13", "royal_match", "super_sevens"];
    let section_17 = section_17.iter().filter(|name| offered(name)).count();
    // Of these no two go together, nor any with multiple action.
    let exclusive = [
        "progressive",
        "blackjack_bonus",
        "streak",
        "twenty_point_bonus",
    ];
    let exclusive = exclusive.iter().filter(|name| offered(name)).count()
        + usize::from(options.variation == Variation::MultipleAction)
        + usize::from(offers(options, "optional_bonus"));
    let beside_matching =
        offers(options, "optional_bonus") || options.variation == Variation::MultipleAction;
    section_17 > 1
        || exclusive > 1
        || section_17 > 0 && offers(options, "progressive")
        || offers(options, "match_the_dealer") && beside_matching
}

fn flag_streaks(table: &Table<'_>, violations: &mut Violations) {
    let wagers = &table.round.wagers;
    for (index, wager) in wagers.iter().enumerate() {
        let Some((needed, _)) = wager.kind.streak() else {
            continue;
        };
        violations.add_if(
            !(0..needed).contains(&wager.wins_before),
            "wager.streak_state",
        );
        let stacked = |other: usize| {
            wagers[other].kind.streak().is_some()
                && wagers[other].seat == wager.seat
                && table.layout.stakes.player(other) == table.layout.stakes.player(index)
                && wagers[other].wins_before != wager.wins_before
        };
        violations.add_if((0..index).any(stacked), "wager.streak_stacked");
    }
}

fn flag_ohio(table: &Table<'_>, rules: &Ohio, violations: &mut Violations) {
    let options = table.options();
    let (decks, figures) = (options.decks, &rules.figures);
    let illegal_count = decks < 1
        || options.shuffler == Shuffler::Automated && decks < 2
        || offers(options, "trilux") && ![2, 6, 8].contains(&decks)
        || offers(options, "bet_the_set") && ![1, 2, 4, 6, 8].contains(&decks);
    violations.add_if(illegal_count, "deck.illegal_count");

    let bounty_floor = posted_minimum(options, Kind::KingsBounty)
        .map(|min| {
            let top = rules.kings_bounty.kings_spades_dealer_blackjack;
            top.win_on(min, Rounding::DOWN)
        })
        .unwrap_or_default()
        .max(figures.kings_bounty_floor);
    let lawful_odds = [rules.main.blackjack_3_to_2, rules.main.blackjack_6_to_5];
    let conflict = options
        .kings_bounty_max_payout
        .is_some_and(|most| most < bounty_floor)
        || options
            .blackjack_pays
            .is_some_and(|odds| !lawful_odds.contains(&odds))
        || options.boxes_per_player > figures.most_boxes_per_player
        || options.dealt_from == DealtFrom::Hand && decks > figures.most_decks_from_hand
        || options.boxes > table.rules.most_boxes;
    violations.add_if(conflict, "config.conflict");

    let wrong_chip = |wager: &Wager| {
        wager.kind == Kind::BlazingSevens && wager.amount != figures.blazing_sevens_stake
    };
    violations.add_if(
        table.round.wagers.iter().any(wrong_chip),
        "wager.fixed_amount",
    );
}

fn posted_minimum(options: &Options, kind: Kind) -> Option<Cents> {
    options.limits.get(&kind)?.min
}

/// The odds that `pays` may raise: 22(j), 23(f), 24(f).
fn listed(options: &Options, rules: &Massachusetts, wager: &str, row: &str) -> Option<Odds> {
    match wager {
        "streak" => rules.streak.listed(row),
        "twenty_point_bonus" => rules.twenty_point(options.twenty_point_table).listed(row),
        "match_the_dealer" => rules
            .match_the_dealer
            .iter()
            .find(|(decks, _)| *decks == options.decks)
            .and_then(|(_, table)| table.listed(row)),
        _ => None,
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
        let spots: Vec<i64> = own.map(|(_, own)| own.spot).collect();
        let repeated = spots.iter().filter(|&&spot| spot == main.spot).count() > 1;
        let wrong =
            repeated || !(1..=3).contains(&main.spot) || spots.len() < table.options().min_spots;
        violations.add_if(wrong, "wager.spots");
    }
}

fn flag_boxes(table: &Table<'_>, violations: &mut Violations) {
    table.layout.flag_boxes(violations);
    let up_is_ace = table.layout.dealer.up().is_some_and(is_ace);
    let even_money_offered = table.offers_even_money() && up_is_ace;
    for played in table.layout.staked_boxes() {
        let mut records = table.round.play.boxes.iter();
        let Some(record) = records.find(|record| record.seat == played.seat()) else {
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
    violations.add_if(
        table.is_multiple_action() && !table.layout.dealer.has_one_up_card(),
        "dealer.up_card_changed",
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

//! What is wrong with a round whatever its cards: options that break the text, wagers that do.

use super::hands::Row;
use super::settle::{ante_bonus, payout_limit, posted_pair_plus};
use super::{AnteBonus, Dealing, Kind, Rules, Shuffler, ThreeCardPoker, Version};
use crate::Edition;
use crate::games::shared::ante_play::{AtSeat, Seats};
use crate::round::Round;
use crate::settlement::Violations;

pub(super) fn flag_options(
    rules: &Rules,
    round: &Round<ThreeCardPoker>,
    violations: &mut Violations,
) {
    let options = &round.options;
    let without_shuffler = options.shuffler == Shuffler::Manual;
    let is_open = options.version == Version::Open;
    let ohio = round.edition == Edition::OhJack2017;

    violations.add_if(
        !ohio && without_shuffler && options.dealing == Dealing::Hand,
        "deal.hand_without_shuffler",
    );
    violations.add_if(
        without_shuffler && options.alternating_decks,
        "config.second_deck_without_shuffler",
    );
    // s11(a)(3)(i): the three other tables belong to the versions of s6(f). Ohio has one table.
    violations.add_if(
        !ohio && is_open != (ante_bonus(round) == AnteBonus::Standard),
        "config.ante_bonus_table",
    );
    let is_below = |row: &Row| {
        let posted = posted_pair_plus(rules, options, *row);
        posted.is_some_and(|posted| posted.is_below)
    };
    violations.add_if(Row::ALL.iter().any(is_below), "config.odds_below_minimum");
    violations.add_if(
        !is_open && !options.offered.contains(&Kind::PairPlus),
        "config.version_without_pair_plus",
    );
    violations.add_if(
        options.max_positions > rules.positions_a_player,
        "config.max_positions",
    );
    violations.add_if(
        rules
            .filed_progressive_bet
            .is_some_and(|filed| options.progressive_bet != filed),
        "config.progressive_bet",
    );
    violations.add_if(
        payout_limit(rules, options).is_below,
        "config.payout_limit_too_low",
    );
}

pub(super) fn flag_wagers(
    rules: &Rules,
    round: &Round<ThreeCardPoker>,
    seats: &Seats<'_, Kind>,
    violations: &mut Violations,
) {
    let options = &round.options;
    seats.flag_decisions(violations);
    seats.flag_seats_above(rules.positions, violations);
    let most = options.max_positions.min(rules.positions_a_player);
    seats.flag_positions(most, violations);

    let counts = |kind, seat| seats.at(seat).is_some_and(|at| at.has(kind));
    let not_offered = round
        .wagers
        .iter()
        .any(|wager| !counts(wager.kind, wager.seat));
    let covers_all = seats.iter().any(|at| at.has(Kind::CoverAll));
    let has_column = (1..=rules.cover_all.len()).contains(&seats.hands().count());
    violations.add_if(
        not_offered || covers_all && !has_column,
        "wager.not_offered",
    );
    violations.add_if(
        covers_all && options.shuffler == Shuffler::Manual,
        "config.cover_all_without_shuffler",
    );

    for at in seats.iter() {
        let pair = at.play().zip(at.ante());
        violations.add_if(
            pair.is_some_and(|(play, ante)| play.amount != ante.amount),
            "wager.play_amount",
        );
        violations.add_if(breaks_ratio(rules, options.version, at), "wager.ratio");
        violations.add_if(
            lacks_main_wager(round.edition, at),
            "wager.side_without_main",
        );
        // The Ohio text gives such a chip back.
        let progressive = at.wager(Kind::Progressive);
        violations.add_if(
            round.edition == Edition::MgcAmended
                && progressive.is_some_and(|wager| wager.amount != options.progressive_bet),
            "wager.progressive_amount",
        );
    }
}

/// s6(f), §7.F
fn breaks_ratio(rules: &Rules, version: Version, at: &AtSeat<'_, Kind>) -> bool {
    let amount = |kind| at.wager(kind).map(|wager| wager.amount);
    let (ante, pair_plus) = (amount(Kind::Ante), amount(Kind::PairPlus));
    match (version, ante, pair_plus) {
        (Version::Open, ..) | (_, None, None) => false,
        (Version::CompulsoryBoth, Some(ante), Some(pair_plus)) => {
            let (smaller, larger) = (ante.min(pair_plus), ante.max(pair_plus));
            larger > smaller.times(rules.compulsory_ratio)
        }
        (Version::CompulsoryBoth, ..) => true,
        (_, Some(_), None) => false,
        (_, None, Some(_)) => true,
        (Version::AnteCoversPairPlus, Some(ante), Some(pair_plus)) => pair_plus > ante,
        (Version::AnteHalfPairPlus, Some(ante), Some(pair_plus)) => pair_plus > ante.times(2),
    }
}

/// A side wager needs the ante, or what the text asks for instead.
fn lacks_main_wager(edition: Edition, at: &AtSeat<'_, Kind>) -> bool {
    let (ante, pair_plus) = (at.has(Kind::Ante), at.has(Kind::PairPlus));
    let six_card = ante && (pair_plus || edition != Edition::OhJack2017);
    at.has(Kind::SixCardBonus) && !six_card
        || at.has(Kind::Progressive) && !ante && edition == Edition::MgcAmended
        || at.has(Kind::CoverAll) && !ante && !pair_plus
}

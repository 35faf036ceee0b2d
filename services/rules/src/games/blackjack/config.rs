//! What a table of blackjack may offer: numbers of decks, options that go together, posted odds.

use super::settle::{Table, offers};
use super::tables::{EditionRules, Massachusetts, Ohio, TwentyPoint};
use super::{DealtFrom, Kind, Options, Variation};
use crate::floor::{Card, Cents, Odds, Rank, Rounding};
use crate::games::shared::blackjack::{HoleCard, Shuffler, is_ace};
use crate::games::shared::minimum::{Posted, limit_at_least};
use crate::settlement::Violations;

pub(super) fn flag(table: &Table<'_>, violations: &mut Violations) {
    let options = table.options();
    let (illegal_count, conflict, odds_broken) = match &table.rules.edition {
        EditionRules::Massachusetts(rules) => (
            has_illegal_decks(rules, options),
            conflicts(table, rules),
            options
                .pays
                .breaks(|wager, row| listed(options, rules, wager, row)),
        ),
        EditionRules::Ohio(rules) => (
            has_illegal_decks_in_ohio(options),
            conflicts_in_ohio(table, rules),
            options.pays.breaks(|_, _| None),
        ),
    };
    violations.add_if(illegal_count, "deck.illegal_count");
    let unknown = |name: &String| !table.rules.offerings.contains(name);
    let unknown = options.side_bets.iter().any(unknown);
    violations.add_if(conflict || unknown, "config.conflict");
    violations.add_if(odds_broken, "config.odds_below_minimum");
    if let EditionRules::Massachusetts(rules) = &table.rules.edition {
        let highest = |kind| rules.highest_odds(kind, options);
        let ratio = rules.figures.limits_ratio;
        ratio.flag(&options.limits, highest, violations);
    }
}

/// 8(c), 6(k)3: where surrender is never available.
pub(super) fn bars_surrender(options: &Options) -> bool {
    options.hole_card == HoleCard::Exposed
        || options.variation != Variation::Standard
        || offers(options, "progressive")
}

/// 2(a),(c), 17(e)2: bounds of the number of decks by what is offered.
fn has_illegal_decks(rules: &Massachusetts, options: &Options) -> bool {
    let offers = |name: &str| offers(options, name);
    let decks = options.decks;
    let six_to_five = options.variation == Variation::SixToFive;
    decks < 1
        || options.shuffler == Shuffler::Automated && decks < 2 && !six_to_five
        || six_to_five && ![1, 2].contains(&decks)
        || (offers("match_the_dealer") || offers("optional_bonus")) && ![6, 8].contains(&decks)
        || (offers("super_sevens") || offers("progressive")) && decks < 4
        || offers("twenty_point_bonus") && decks < 2
        || offers("royal_match") && rules.royal_match(options).is_none()
}

/// 3.A, 3.C, 15.A, 15.C
fn has_illegal_decks_in_ohio(options: &Options) -> bool {
    let decks = options.decks;
    decks < 1
        || options.shuffler == Shuffler::Automated && decks < 2
        || offers(options, "trilux") && ![2, 6, 8].contains(&decks)
        || offers(options, "bet_the_set") && ![1, 2, 4, 6, 8].contains(&decks)
}

/// Options that may not go together, or beyond what the rules allow.
fn conflicts(table: &Table<'_>, rules: &Massachusetts) -> bool {
    let (options, figures) = (table.options(), &rules.figures);
    let six_to_five = options.variation == Variation::SixToFive;
    let multiple_action = options.variation == Variation::MultipleAction;
    let exposed = options.hole_card == HoleCard::Exposed;
    let has_hole_card = options.hole_card != HoleCard::None;
    let most_boxes = match options.variation {
        Variation::Standard => table.rules.most_boxes,
        Variation::SixToFive | Variation::MultipleAction => figures.most_boxes_of_variations,
    };
    let max_split_hands = options.max_split_hands.unwrap_or_default();
    let shared_box = options.players_per_box > Some(1);
    shares_badly(options)
        || multiple_action && has_hole_card
        || offers(options, "progressive") && (has_hole_card || shared_box)
        || options.surrender && bars_surrender(options)
        || max_split_hands > 2 && (exposed || multiple_action)
        || max_split_hands > 3 && options.boxes >= 7
        || six_to_five && !options.bonus_payouts.is_empty()
        || six_to_five && (exposed || options.hole_card == HoleCard::Down)
        || !options.double_after_split && !six_to_five
        || aggregate_limit(rules, options).is_below
        || options.progressive_reset < figures.progressive_reset_floor
        || options.progressive_rate < figures.progressive_rate_floor
        || options.designated_blackjack.is_some() && designated(options).is_none()
        || options.players_per_box > Some(figures.most_players_per_box)
        || options.boxes > most_boxes
}

/// 3(e)3: the ace and the face card that the house designated; any other two cards designate nothing.
pub(super) fn designated(options: &Options) -> Option<[Card; 2]> {
    let is_face = |card: Card| {
        let rank = card.rank();
        (Some(Rank::Jack)..=Some(Rank::King)).contains(&rank)
    };
    let cards = options.designated_blackjack?;
    let [a, b] = cards;
    let lawful = is_ace(a) && is_face(b) || is_face(a) && is_ace(b);
    lawful.then_some(cards)
}

/// 24(h): the aggregate limit. It is at least what the posted minimum can win, by odds that the house may raise.
pub(super) fn aggregate_limit(rules: &Massachusetts, options: &Options) -> Posted<Option<Cents>> {
    let minimum = posted_minimum(options, Kind::TwentyPointBonus);
    let row = TwentyPoint::TOP_ROW;
    let listed = rules.twenty_point(options.twenty_point_table).listed(row);
    let can_win = minimum.zip(listed).map(|(minimum, listed)| {
        let odds = options.pays.raised("twenty_point_bonus", row, listed);
        odds.win_on(minimum, Rounding::DOWN)
    });
    let mut least = rules.figures.least_aggregate;
    least.amount = least.amount.max(can_win.unwrap_or_default());
    limit_at_least(options.twenty_point_aggregate_max, &least, minimum)
}

/// 15 King's Bounty v: the limit of one payout.
pub(super) fn bounty_limit(rules: &Ohio, options: &Options) -> Posted<Option<Cents>> {
    let minimum = posted_minimum(options, Kind::KingsBounty);
    let least = &rules.figures.least_bounty;
    limit_at_least(options.kings_bounty_max_payout, least, minimum)
}

fn posted_minimum(options: &Options, kind: Kind) -> Option<Cents> {
    options.limits.get(&kind)?.min
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

/// 13, 15 King's Bounty v, 16, 18.B.i, 2.A
fn conflicts_in_ohio(table: &Table<'_>, rules: &Ohio) -> bool {
    let (options, figures) = (table.options(), &rules.figures);
    let lawful_odds = [rules.main.blackjack_3_to_2, rules.main.blackjack_6_to_5];
    let from_hand = options.dealt_from == DealtFrom::Hand;
    bounty_limit(rules, options).is_below
        || options
            .blackjack_pays
            .is_some_and(|odds| !lawful_odds.contains(&odds))
        || options.boxes_per_player > figures.most_boxes_per_player
        || from_hand && (options.decks > figures.most_decks_from_hand || options.tournament)
        || options.boxes > table.rules.most_boxes
}

/// The odds that `pays` may raise: 22(j), 23(f), 24(f).
fn listed(options: &Options, rules: &Massachusetts, wager: &str, row: &str) -> Option<Odds> {
    match wager {
        "streak" => rules.streak.listed(row),
        "twenty_point_bonus" => rules.twenty_point(options.twenty_point_table).listed(row),
        "match_the_dealer" => rules.match_the_dealer.of_decks(options.decks)?.listed(row),
        _ => None,
    }
}

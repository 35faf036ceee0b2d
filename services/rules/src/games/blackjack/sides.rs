//! The side wagers of blackjack. None of them depends on another wager, except streaks, which count
//! the player's hands, and the progressive ones, which share a meter.

use std::collections::BTreeSet;

use super::config::{aggregate_limit, bounty_limit};
use super::settle::Table;
use super::tables::{EditionRules, Massachusetts, Ohio, TwentyPoint};
use super::{Kind, Verb, Wager, progressive};
use crate::floor::{Card, Cents, Odds, Rank, Rounding, Suit};
use crate::games::shared::blackjack::{
    DealerHand, Hand, PlayedBox, VoidRound, is_blackjack, no_table, one_color, one_suit, pay,
    points, total,
};
use crate::games::shared::minimum::at_least;
use crate::games::shared::progressive::award;
use crate::hands::three::{self, Category};
use crate::refusal::Refusal;
use crate::settlement::{Bonus, Settled, Verdict};

/// Completes the verdicts on hands with those on side wagers, and adds what is paid beside them.
pub(super) fn settle(
    table: &Table<'_>,
    hands: Vec<Option<Settled>>,
) -> Result<(Vec<Settled>, Vec<Bonus>), Refusal> {
    refuse_shared_displays(table)?;
    let prizes = progressive::prizes(table)?;
    let mut bonuses = Vec::new();
    let mut settled = Vec::with_capacity(hands.len());
    for (index, wager) in table.round.wagers.iter().enumerate() {
        let verdict = match (&hands[index], wager.kind.streak()) {
            (Some(verdict), _) => verdict.clone(),
            (None, Some((needed, area))) => settle_streak(table, &hands, index, needed, area),
            (None, None) => match counting_box(table, index) {
                None => Settled::void(wager),
                Some(played) => match &table.rules.edition {
                    EditionRules::Massachusetts(rules) => {
                        settle_massachusetts(table, rules, wager, played, prizes[index])?
                    }
                    EditionRules::Ohio(rules) => {
                        settle_ohio(table, rules, wager, played, prizes[index], &mut bonuses)?
                    }
                },
            },
        };
        settled.push(verdict);
    }
    share_aggregate(table, &mut settled);
    Ok((settled, bonuses))
}

/// The box that decides a side wager; none if the wager goes back.
pub(super) fn counting_box<'t, 'a>(
    table: &'t Table<'a>,
    index: usize,
) -> Option<&'t PlayedBox<'a, Verb>> {
    let wager = table.round.wagers.get(index)?;
    let stands = match table.round.play.void_round {
        _ if table.given_back.contains(&index) => false,
        None => true,
        // Dead hands leave standing what the first cards have decided.
        Some(VoidRound::Hands) => !matches!(wager.kind, Kind::Progressive | Kind::OptionalBonus),
        Some(VoidRound::All) => false,
    };
    table.layout.live_box_at(wager.seat).filter(|_| stands)
}

fn settle_massachusetts(
    table: &Table<'_>,
    rules: &Massachusetts,
    wager: &Wager,
    played: &PlayedBox<'_, Verb>,
    prize: Cents,
) -> Result<Settled, Refusal> {
    let (options, cards) = (table.options(), played.first_cards());
    let odds = match wager.kind {
        Kind::Over13 => (low_points(cards) > 13).then_some(rules.over_under_13.over),
        Kind::Under13 => (low_points(cards) < 13).then_some(rules.over_under_13.under),
        Kind::RoyalMatch => {
            let odds = rules.royal_match(options);
            let odds = odds.ok_or_else(|| no_table("royal match", options.decks))?;
            match (is_royal_match(cards), one_suit(cards)) {
                (true, _) => Some(odds.royal),
                (false, true) => Some(odds.suited),
                (false, false) => None,
            }
        }
        Kind::SuperSevens => super_sevens_odds(rules, played),
        Kind::Progressive => return Ok(award(wager, prize)),
        Kind::BlackjackBonus if !is_blackjack(cards) => None,
        Kind::BlackjackBonus => match display_of(table, wager) {
            Some(display) => {
                // 20(j): no less than the least amount of its stake.
                let range = rules.figures.display_range(wager.amount);
                let least = range.map_or(display, |range| range.lowest);
                let shown = at_least(display, least);
                return Ok(Settled::win(wager, shown.due, Cents::ZERO));
            }
            None => Some(rules.blackjack_bonus.no_display),
        },
        Kind::MatchTheDealer => {
            let odds = rules.match_the_dealer.of_decks(options.decks);
            let odds = odds.ok_or_else(|| no_table("match-the-dealer", options.decks))?;
            return Ok(odds.settle(wager, cards, table.layout.dealer.up(), &options.pays));
        }
        Kind::TwentyPointBonus => twenty_point_row(table, cards)?.and_then(|row| {
            let listed = rules.twenty_point(options.twenty_point_table).listed(row)?;
            Some(options.pays.raised("twenty_point_bonus", row, listed))
        }),
        Kind::OptionalBonus => optional_bonus_odds(table, rules)?,
        _ => None,
    };
    Ok(odds.map_or_else(|| Settled::lose(wager), |odds| pay(wager, odds)))
}

fn settle_ohio(
    table: &Table<'_>,
    rules: &Ohio,
    wager: &Wager,
    played: &PlayedBox<'_, Verb>,
    prize: Cents,
    bonuses: &mut Vec<Bonus>,
) -> Result<Settled, Refusal> {
    let cards = played.first_cards();
    let dealer = table.layout.dealer.first_hand();
    let mut to_the_dealers = |kind, amount| {
        bonuses.push(Bonus {
            kind,
            on: wager.id.clone(),
            to: "toke_pool".into(),
            amount,
        });
    };
    let odds = match wager.kind {
        Kind::BetTheSet => bet_the_set_odds(table, rules, cards)?,
        Kind::RoyalMatch if is_royal_match(cards) => {
            let royal = pay(wager, rules.royal_match.royal);
            // The crown treasure comes on top: the royal match was paid before the hole card showed.
            if !is_royal_match(dealer.first_two()) {
                return Ok(royal);
            }
            let win = royal.win + rules.royal_match.crown_treasure.0;
            return Ok(Settled::win(wager, win, Cents::ZERO));
        }
        Kind::RoyalMatch => one_suit(cards).then_some(rules.royal_match.suited),
        Kind::Trilux => {
            let (odds, george) = (&rules.trilux, &rules.lucky_george);
            let row = match trilux_hand(cards, table.layout.dealer.up()) {
                Some(Category::StraightFlush) => Some((odds.straight_flush, george.straight_flush)),
                Some(Category::ThreeOfAKind) => {
                    Some((odds.three_of_a_kind, george.three_of_a_kind))
                }
                Some(Category::Straight) => Some((odds.straight, george.straight)),
                Some(Category::Flush) => Some((odds.flush, george.flush)),
                _ => None,
            };
            row.map(|(odds, george)| {
                to_the_dealers("lucky_george", george.0);
                odds
            })
        }
        Kind::KingsBounty => {
            let Some((odds, envy)) = kings_bounty_row(rules, cards, &dealer) else {
                return Ok(Settled::lose(wager));
            };
            if let Some(envy) = envy {
                to_the_dealers("dealer_envy", envy);
            }
            let win = odds.win_on(wager.amount, Rounding::DOWN);
            let most = bounty_limit(rules, table.options()).due;
            let win = most.map_or(win, |most| win.min(most));
            return Ok(Settled::win(wager, win, Cents::ZERO));
        }
        Kind::BlazingSevens => return Ok(award(wager, prize)),
        _ => None,
    };
    Ok(odds.map_or_else(|| Settled::lose(wager), |odds| pay(wager, odds)))
}

/// What the display of the blackjack bonus showed for a wager: its own, or that of the box, 20(f).
pub(super) fn display_of(table: &Table<'_>, wager: &Wager) -> Option<Cents> {
    match wager.bonus_display {
        Some(own) => own,
        None => table.record_at(wager.seat)?.bonus_display?.amount(),
    }
}

/// 20(f): every winner presses the button for himself, so that one display is of one player.
pub(super) fn refuse_shared_displays(table: &Table<'_>) -> Result<(), Refusal> {
    for (at, record) in table.round.play.boxes.iter().enumerate() {
        if record.bonus_display.is_none() || !is_blackjack(&record.cards) {
            continue;
        }
        let wagers = table.round.wagers.iter().enumerate();
        let without_own = wagers.filter(|(_, wager)| {
            wager.kind == Kind::BlackjackBonus
                && wager.seat == record.seat
                && wager.bonus_display.is_none()
        });
        let players: BTreeSet<&str> = without_own
            .map(|(index, _)| table.layout.stakes.player(index))
            .collect();
        if players.len() > 1 {
            return Err(Refusal::at(
                format!("play.boxes[{at}].bonus_display"),
                "several winners share the box, and each has a display of his own",
            ));
        }
    }
    Ok(())
}

/// Every ace one: 2(b)3(ii).
fn low_points(cards: &[Card]) -> u32 {
    cards.iter().map(|&card| points(card)).sum()
}

/// King and queen of one suit.
fn is_royal_match(cards: &[Card]) -> bool {
    let &[a, b] = cards else {
        return false;
    };
    let ranks = (a.rank(), b.rank());
    one_suit(cards)
        && (ranks == (Some(Rank::King), Some(Rank::Queen))
            || ranks == (Some(Rank::Queen), Some(Rank::King)))
}

pub(super) fn is_seven(card: Card) -> bool {
    card.rank() == Some(Rank::Seven)
}

/// 17(e)3. Splitting forfeits the third card: 11(f).
fn super_sevens_odds(rules: &Massachusetts, played: &PlayedBox<'_, Verb>) -> Option<Odds> {
    let odds = &rules.super_sevens;
    let &[first, second] = played.first_cards() else {
        return None;
    };
    match (is_seven(first), is_seven(second)) {
        (false, _) => return None,
        (true, false) => return Some(odds.one),
        (true, true) => {}
    }
    let drawn = played
        .hands
        .first()
        .and_then(|hand: &Hand| hand.cards.get(2));
    let third = drawn.copied().or(played.bonus_card);
    match third.filter(|&card| is_seven(card) && !played.was_split()) {
        Some(third) if one_suit(&[first, second, third]) => Some(odds.three_suited),
        Some(_) => Some(odds.three_any),
        None if first.suit() == second.suit() => Some(odds.two_suited),
        None => Some(odds.two_any),
    }
}

/// 24(e)-(g): the highest row that the first two cards make.
fn twenty_point_row(table: &Table<'_>, cards: &[Card]) -> Result<Option<&'static str>, Refusal> {
    let queen_of_hearts = Card::new(Rank::Queen, Suit::Hearts);
    if cards == [queen_of_hearts, queen_of_hearts] {
        if table.layout.dealer.threatens(&table.layout.house) {
            table.layout.dealer.needs_second(0)?;
        }
        return Ok(Some(if table.layout.dealer.first_hand().has_blackjack() {
            TwentyPoint::TOP_ROW
        } else {
            "queens"
        }));
    }
    Ok(match cards {
        _ if total(cards).points != 20 => None,
        [a, b] if a == b => Some("matched"),
        _ if one_suit(cards) => Some("suited"),
        _ => Some("any"),
    })
}

/// 24(h): what the top row pays in one round may be limited in the aggregate; its winners share it
/// by their stakes.
fn share_aggregate(table: &Table<'_>, settled: &mut [Settled]) {
    let most = match &table.rules.edition {
        EditionRules::Massachusetts(rules) => aggregate_limit(rules, table.options()).due,
        EditionRules::Ohio(_) => None,
    };
    let Some(most) = most else {
        return;
    };
    let wagers = &table.round.wagers;
    let on_top = |&index: &usize| {
        let cards = counting_box(table, index).map(|played| played.first_cards());
        wagers[index].kind == Kind::TwentyPointBonus
            && cards.is_some_and(|cards| {
                matches!(
                    twenty_point_row(table, cards),
                    Ok(Some(TwentyPoint::TOP_ROW))
                )
            })
    };
    let winners: Vec<usize> = (0..wagers.len()).filter(on_top).collect();
    let wins: Cents = winners.iter().map(|&index| settled[index].win).sum();
    if wins <= most {
        return;
    }
    let stakes: Cents = winners.iter().map(|&index| wagers[index].amount).sum();
    for index in winners {
        let wager = &wagers[index];
        let share = most.fraction(wager.amount.get(), stakes.get(), Rounding::DOWN);
        settled[index] = Settled::win(wager, share, Cents::ZERO);
    }
}

/// 25(d)-(f): the dealer's third card busts the hand.
fn optional_bonus_odds(table: &Table<'_>, rules: &Massachusetts) -> Result<Option<Odds>, Refusal> {
    table.layout.dealer.needs_second(0)?;
    let dealer = table.layout.dealer.first_hand();
    if total(dealer.first_two()).points >= 17 {
        return Ok(None);
    }
    let Some(three) = dealer.cards().get(..3) else {
        return Err(Refusal::at(
            "play.dealer.cards",
            "an optional bonus wager needs the dealer's third card",
        ));
    };
    if total(three).points <= 21 {
        return Ok(None);
    }
    let odds = &rules.optional_bonus;
    let eights = three.iter().all(|card| card.rank() == Some(Rank::Eight));
    Ok(Some(match points(three[2]) {
        _ if eights && one_suit(three) => odds.eights_of_one_suit,
        _ if eights && one_color(three) => odds.eights_of_one_color,
        10 => odds.ten,
        9 => odds.nine,
        8 => odds.eight,
        7 => odds.seven,
        // No lower card busts a hand below 17.
        _ => odds.six,
    }))
}

/// 22: wins in a row, counted by the player's own hands on the box.
fn settle_streak(
    table: &Table<'_>,
    hands: &[Option<Settled>],
    index: usize,
    needed: i64,
    area: &str,
) -> Settled {
    let wager = &table.round.wagers[index];
    if table.round.play.void_round == Some(VoidRound::All) {
        return Settled::void(wager);
    }
    let (mut own, mut wins, mut losses) = (0, 0, 0);
    for (other, played) in table.round.wagers.iter().enumerate() {
        let counts = matches!(played.kind, Kind::Main | Kind::Split)
            && played.seat == wager.seat
            && table.layout.stakes.player(other) == table.layout.stakes.player(index);
        let Some(verdict) = hands[other].as_ref().filter(|_| counts) else {
            continue;
        };
        own += 1;
        match verdict.result {
            Verdict::Win => wins += 1,
            Verdict::Lose => losses += 1,
            _ => {}
        }
    }
    let advanced = wins > losses;
    // 22(f): who sits out a hand has abandoned the streak.
    if own == 0 || losses > wins {
        return Settled::lose(wager);
    }
    let EditionRules::Massachusetts(rules) = &table.rules.edition else {
        return Settled::open(wager);
    };
    match rules.streak.listed(area) {
        Some(listed) if advanced && wager.wins_before().saturating_add(1) >= needed => {
            pay(wager, table.options().pays.raised("streak", area, listed))
        }
        _ => Settled::open(wager),
    }
}

fn bet_the_set_odds(
    table: &Table<'_>,
    rules: &Ohio,
    cards: &[Card],
) -> Result<Option<Odds>, Refusal> {
    let decks = table.options().decks;
    let (pair, suited_pair) = match decks {
        1 => (rules.bet_the_set_1.pair, rules.bet_the_set_1.pair),
        2 => (rules.bet_the_set_2.pair, rules.bet_the_set_2.suited_pair),
        4 | 6 | 8 => (
            rules.bet_the_set_4_6_8.pair,
            rules.bet_the_set_4_6_8.suited_pair,
        ),
        _ => return Err(no_table("Bet the Set", decks)),
    };
    Ok(match cards {
        [a, b] if a == b => Some(suited_pair),
        [a, b] if a.rank() == b.rank() => Some(pair),
        _ => None,
    })
}

pub(super) fn trilux_hand(cards: &[Card], up: Option<Card>) -> Option<Category> {
    let &[a, b] = cards else {
        return None;
    };
    three::rank(&[a, b, up?]).map(|hand| hand.category())
}

/// The highest row that the first two cards make: its odds, and what the dealers get.
fn kings_bounty_row(
    rules: &Ohio,
    cards: &[Card],
    dealer: &DealerHand<'_>,
) -> Option<(Odds, Option<Cents>)> {
    let (odds, envy) = (&rules.kings_bounty, &rules.dealer_envy);
    let king_of_spades = Card::new(Rank::King, Suit::Spades);
    let &[a, b] = cards else {
        return None;
    };
    if total(cards).points != 20 {
        return None;
    }
    let kings = a.rank() == Some(Rank::King) && b.rank() == Some(Rank::King);
    let row = match (kings, a.suit() == b.suit()) {
        (true, true) if a == king_of_spades && dealer.has_blackjack() => (
            odds.kings_spades_dealer_blackjack,
            Some(envy.kings_spades_dealer_blackjack),
        ),
        (true, true) if a == king_of_spades => (odds.kings_spades, Some(envy.kings_spades)),
        (true, true) => (odds.suited_kings, Some(envy.suited_kings)),
        (false, true) if a == b => (odds.suited_pair, Some(envy.suited_pair)),
        (false, true) => (odds.suited_20, Some(envy.suited_20)),
        (true, false) => (odds.kings, Some(envy.kings)),
        (false, false) => (odds.unsuited_20, None),
    };
    Some((row.0, row.1.map(|amount| amount.0)))
}

//! The settlement of a round of Red Dog.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Kind, Play, RedDog, Rules, Wager};
use crate::floor::{Card, Cents, Odds, Rounding, Seat};
use crate::games::shared::shoe::{flag_cards, joker_at, refuse_jokers};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Settled, Violations};

/// What the first two cards make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstCards {
    /// No card lies between them: the round is over.
    Consecutive,
    Pair,
    /// So many ranks lie between them, one to eleven.
    Spread(u8),
}

impl FirstCards {
    /// The ace is high only: 1(b)5. Which card came first does not matter.
    pub(super) fn of(first: Card, second: Card) -> FirstCards {
        match height(first).abs_diff(height(second)) {
            0 => FirstCards::Pair,
            1 => FirstCards::Consecutive,
            gap => FirstCards::Spread(gap - 1),
        }
    }
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Consecutive cards, or a pair without a third.
    Tie,
    ThreeOfAKind,
    Between(u8),
    Outside,
}

impl Ending {
    pub(super) fn of(first: Card, second: Card, third: Card) -> Ending {
        let (low, high) = (
            height(first).min(height(second)),
            height(first).max(height(second)),
        );
        match FirstCards::of(first, second) {
            FirstCards::Consecutive => Ending::Tie,
            FirstCards::Pair if height(third) == high => Ending::ThreeOfAKind,
            FirstCards::Pair => Ending::Tie,
            FirstCards::Spread(spread) if low < height(third) && height(third) < high => {
                Ending::Between(spread)
            }
            FirstCards::Spread(_) => Ending::Outside,
        }
    }
}

/// Two lowest, ace highest.
fn height(card: Card) -> u8 {
    card.rank().map_or(0, |rank| rank.index())
}

pub(super) fn settle(rules: &Rules, round: &Round<RedDog>) -> Result<Outcome, Refusal> {
    let play = &round.play;
    refuse_unknown_spreads(round)?;
    refuse_jokers(&play.cards, "play.cards")?;
    if play.exposed_third.is_some_and(Card::is_joker) {
        return Err(joker_at("play.exposed_third"));
    }
    refuse_unstaked_seats(round)?;
    let (first, second, third) = match play.cards[..] {
        [first, second] => (first, second, None),
        [first, second, third] => (first, second, Some(third)),
        _ => {
            let what = format!("two or three cards are dealt, not {}", play.cards.len());
            return Err(Refusal::at("play.cards", what));
        }
    };
    let first_cards = FirstCards::of(first, second);
    let ending = match (first_cards, third) {
        (_, Some(third)) => Some(Ending::of(first, second, third)),
        (FirstCards::Consecutive, None) => Some(Ending::Tie),
        (FirstCards::Pair | FirstCards::Spread(_), None) => None,
    };
    let settled = round
        .wagers
        .iter()
        .map(|wager| match ending {
            _ if is_taken_back(play, wager) => Ok(Settled::void(wager)),
            Some(ending) => Ok(settle_wager(rules, round, first_cards, ending, wager)),
            None => Err(Refusal::at(
                "play.cards",
                "the third card is missing and a wager depends on it",
            )),
        })
        .collect::<Result<Vec<_>, Refusal>>()?;

    let mut violations = Violations::default();
    flag_table(rules, round, &mut violations);
    flag_wagers(round, first_cards, &mut violations);
    violations.add_if(
        first_cards == FirstCards::Consecutive && third.is_some(),
        "red_dog.card_on_consecutive",
    );
    violations.add_if(
        !play.voided_seats.is_empty() && play.exposed_third.is_none(),
        "red_dog.void_without_cause",
    );
    Ok(Outcome::of_wagers(settled, violations))
}

/// 6(c): after a third card was shown too early, a seat may take its wagers back.
pub(super) fn is_taken_back(play: &Play, wager: &Wager) -> bool {
    play.voided_seats.contains(&wager.seat)
}

fn settle_wager(
    rules: &Rules,
    round: &Round<RedDog>,
    first_cards: FirstCards,
    ending: Ending,
    wager: &Wager,
) -> Settled {
    let has_spread = matches!(first_cards, FirstCards::Spread(_));
    match ending {
        // No raise can be made without a spread; a recorded one goes back.
        _ if wager.kind == Kind::Raise && !has_spread => Settled::void(wager),
        Ending::Tie => Settled::push(wager),
        Ending::ThreeOfAKind => pay(wager, rules.odds.three_of_a_kind),
        Ending::Between(spread) => pay(wager, spread_odds(rules, round, spread)),
        Ending::Outside => Settled::lose(wager),
    }
}

/// The odds in force of a spread.
fn spread_odds(rules: &Rules, round: &Round<RedDog>, spread: u8) -> Odds {
    let listed = rules.odds.listed(spread);
    let pays = &round.options.pays;
    pays.raised("spread", &spread.to_string(), listed)
}

fn pay(wager: &Wager, odds: Odds) -> Settled {
    let win = odds.win_on(wager.amount, Rounding::DOWN);
    Settled::win(wager, win, Cents::ZERO)
}

/// `1` to `11`, as posted odds name them.
fn parse_spread(row: &str) -> Option<u8> {
    (1..=11).find(|spread: &u8| spread.to_string() == row)
}

/// Nobody takes back what nobody bet.
fn refuse_unstaked_seats(round: &Round<RedDog>) -> Result<(), Refusal> {
    let bet_on = |seat: &Seat| round.wagers.iter().any(|wager| wager.seat == *seat);
    let seats = &round.play.voided_seats;
    match seats.iter().position(|seat| !bet_on(seat)) {
        Some(at) => Err(Refusal::at(
            format!("play.voided_seats[{at}]"),
            format!("nobody bet on seat {}", seats[at]),
        )),
        None => Ok(()),
    }
}

fn refuse_unknown_spreads(round: &Round<RedDog>) -> Result<(), Refusal> {
    let mut rows = round.options.pays.rows("spread");
    match rows.find(|(row, _)| parse_spread(row).is_none()) {
        Some((row, _)) => Err(Refusal::at(
            format!("options.pays.spread.{row}"),
            format!("{row:?} is not a spread; spreads are \"1\" to \"11\""),
        )),
        None => Ok(()),
    }
}

fn flag_table(rules: &Rules, round: &Round<RedDog>, violations: &mut Violations) {
    let (options, play) = (&round.options, &round.play);
    violations.add_if(options.decks < 1, "deck.illegal_count");
    violations.add_if(options.boxes > rules.most_boxes, "config.conflict");
    // 5(i)3: the spread's odds may be raised; 5(f)1 fixes the three of a kind.
    let listed = |wager: &str, row: &str| match wager {
        "spread" => parse_spread(row).map(|spread| rules.odds.listed(spread)),
        _ => None,
    };
    violations.add_if(options.pays.breaks(listed), "config.odds_below_minimum");
    let highest = |kind| match kind {
        Kind::Original => Some(rules.odds.three_of_a_kind),
        // No raise is made on a pair: its highest odds are those of a spread.
        Kind::Raise => (1..=11)
            .map(|spread| spread_odds(rules, round, spread))
            .max(),
    };
    let ratio = rules.limits_ratio;
    ratio.flag(&options.limits, highest, violations);
    let cards = play.cards.iter().chain(&play.burned).copied();
    flag_cards(cards, options.decks, violations);
}

fn flag_wagers(round: &Round<RedDog>, first_cards: FirstCards, violations: &mut Violations) {
    let (options, wagers) = (&round.options, &round.wagers);
    let mut originals: BTreeMap<Cow<'_, str>, i64> = BTreeMap::new();
    let mut raised: BTreeMap<usize, Cents> = BTreeMap::new();
    for wager in wagers {
        let is_position = (1..=options.boxes).contains(&i64::from(wager.seat.number()));
        violations.add_if(!is_position, "table.seat");
        if let Some(limits) = options.limits.get(&wager.kind) {
            limits.flag(wager.amount, violations);
        }
        match wager.kind {
            Kind::Original => *originals.entry(player(wager)).or_default() += 1,
            Kind::Raise => {
                let has_spread = matches!(first_cards, FirstCards::Spread(_));
                violations.add_if(!has_spread, "wager.raise_without_spread");
                match wagers.iter().position(|other| is_raised_by(other, wager)) {
                    Some(original) => *raised.entry(original).or_default() += wager.amount,
                    None => violations.add("wager.bad_reference"),
                }
            }
        }
    }
    violations.add_if(
        originals
            .values()
            .any(|&areas| areas > options.areas_per_player),
        "wager.too_many_areas",
    );
    // 5(h): all raises on an original together are at most the original.
    let over = |(&original, &sum): (&usize, &Cents)| {
        wagers
            .get(original)
            .is_some_and(|original| sum > original.amount)
    };
    violations.add_if(raised.iter().any(over), "wager.raise_over_original");
}

/// The player of a wager, by default the one at the position.
fn player(wager: &Wager) -> Cow<'_, str> {
    match &wager.player {
        Some(player) => Cow::Borrowed(player),
        None => Cow::Owned(format!("p{}", wager.seat)),
    }
}

/// Is this the original that a raise names, of the same seat and player?
fn is_raised_by(original: &Wager, raise: &Wager) -> bool {
    raise.on.as_ref() == Some(&original.id)
        && original.kind == Kind::Original
        && original.seat == raise.seat
        && player(original) == player(raise)
}

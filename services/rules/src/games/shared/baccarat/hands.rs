//! Point counts and third cards, the same in every baccarat game and edition.

use crate::floor::{Card, Rank};
use crate::refusal::Refusal;
use crate::settlement::Violations;

/// Ace 1, two to nine their number, tens and faces 0. The joker is no card of these games.
pub(crate) fn value(card: Card) -> u8 {
    match card.rank() {
        Some(Rank::Ace) => 1,
        Some(rank) if rank < Rank::Ten => rank.index() + 2,
        _ => 0,
    }
}

/// The sum of the values, modulo ten.
pub(crate) fn count(cards: impl IntoIterator<Item = Card>) -> u8 {
    cards
        .into_iter()
        .fold(0, |count, card| (count + value(card)) % 10)
}

/// A hand as it counts: two cards, and the third where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hand {
    first: [Card; 2],
    third: Option<Card>,
}

impl Hand {
    pub(crate) fn of_two(first: [Card; 2]) -> Hand {
        Hand { first, third: None }
    }

    pub(crate) fn count(self) -> u8 {
        count(self.first.into_iter().chain(self.third))
    }

    /// Eight or nine on the first two cards.
    pub(crate) fn is_natural(self) -> bool {
        self.third.is_none() && self.count() >= 8
    }

    pub(crate) fn has_three_cards(self) -> bool {
        self.third.is_some()
    }

    /// Are the first two cards of one rank?
    pub(crate) fn is_pair(self) -> bool {
        self.first[0].rank() == self.first[1].rank()
    }
}

/// The two hands of a round as they count, after third cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hands {
    pub(crate) player: Hand,
    pub(crate) banker: Hand,
}

impl Hands {
    /// Banker three-card seven over a lower Player count: the Dragon 7, or Fortune 7.
    pub(crate) fn is_dragon_seven(&self) -> bool {
        self.banker.has_three_cards() && self.banker.count() == 7 && self.player.count() < 7
    }

    /// Player three-card eight over a lower Banker count.
    pub(crate) fn is_panda_eight(&self) -> bool {
        self.player.has_three_cards() && self.player.count() == 8 && self.banker.count() < 8
    }
}

/// The Player draws on 0 to 5 and stays on 6 and 7.
pub(crate) fn player_draws(count: u8) -> bool {
    count <= 5
}

/// Table 1 of the rules, by the Banker's two-card count: the values of the Player's third card on
/// which the Banker draws, as bits, and whether he draws when the Player took none.
const BANKER_DRAWS: [(u16, bool); 8] = [
    (ALL_VALUES, true),
    (ALL_VALUES, true),
    (ALL_VALUES, true),
    (ALL_VALUES & !(1 << 8), true),
    (0b00_1111_1100, true),
    (0b00_1111_0000, true),
    (0b00_1100_0000, false),
    (0, false),
];
const ALL_VALUES: u16 = 0b11_1111_1111;

/// Must the Banker draw, neither hand being a natural? Decided by the card that the Player drew, not
/// by the Player's count.
pub(crate) fn banker_draws(two_card_count: u8, player_third: Option<Card>) -> bool {
    let Some(&(values, after_stay)) = BANKER_DRAWS.get(usize::from(two_card_count)) else {
        return false;
    };
    player_third.map_or(after_stay, |card| values >> value(card) & 1 == 1)
}

/// Re-derives the hands from the cards as they were placed, and flags what was dealt against the
/// rules. A hand of fewer than two cards is half a record, and refused.
///
/// `stray_to_banker`: a third card wrongly dealt to the Player becomes the Banker's if he must draw.
pub(crate) fn rederive(
    player: &[Card],
    banker: &[Card],
    stray_to_banker: bool,
    violations: &mut Violations,
) -> Result<Hands, Refusal> {
    let (player_two, player_more) = first_two(player, "play.player", "play.void")?;
    let (banker_two, banker_more) = first_two(banker, "play.banker", "play.void")?;
    let mut hands = Hands {
        player: Hand::of_two(player_two),
        banker: Hand::of_two(banker_two),
    };
    let natural = hands.player.is_natural() || hands.banker.is_natural();

    let mut stray = None;
    let player_third = player_more.first().copied();
    if !natural && player_draws(hands.player.count()) {
        hands.player.third = player_third;
        violations.add_if(player_third.is_none(), "baccarat.player_missing_third_card");
    } else {
        stray = player_third;
        violations.add_if(stray.is_some(), "baccarat.player_drew_in_error");
    }

    let banker_third = banker_more.first().copied();
    let must_draw = !natural && banker_draws(hands.banker.count(), hands.player.third);
    match stray.filter(|_| must_draw && stray_to_banker) {
        Some(card) => {
            hands.banker.third = Some(card);
            violations.add_if(banker_third.is_some(), "baccarat.banker_drew_in_error");
        }
        None if must_draw => {
            hands.banker.third = banker_third;
            violations.add_if(banker_third.is_none(), "baccarat.banker_missing_third_card");
        }
        None => violations.add_if(banker_third.is_some(), "baccarat.banker_drew_in_error"),
    }
    violations.add_if(
        player.len() > 3 || banker.len() > 3,
        "baccarat.too_many_cards",
    );
    Ok(hands)
}

/// The two cards that every hand is dealt, and what came after them. A hand that was not dealt out is void, and the
/// document says so at `voided`.
pub(crate) fn first_two<'a>(
    cards: &'a [Card],
    place: &str,
    voided: &str,
) -> Result<([Card; 2], &'a [Card]), Refusal> {
    match *cards {
        [first, second, ref more @ ..] => Ok(([first, second], more)),
        _ => Err(Refusal::at(
            place,
            format!(
                "{} of the hand's first two cards; a hand that was not dealt out is void: say so in {voided}",
                cards.len()
            ),
        )),
    }
}

/// Did both hands get every card that was due to them?
pub fn are_complete(player: &[Card], banker: &[Card], stray_to_banker: bool) -> bool {
    let mut violations = Violations::default();
    let missing = [
        "baccarat.player_missing_third_card",
        "baccarat.banker_missing_third_card",
    ];
    rederive(player, banker, stray_to_banker, &mut violations).is_ok()
        && !missing.iter().any(|code| violations.contains(code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floor::Suit;

    /// The grid as the rules print it, row by Banker count 0 to 7, columns: no third card, then the
    /// value of the Player's third card 0 to 9.
    const GRID: [&str; 8] = [
        "DDDDDDDDDDD",
        "DDDDDDDDDDD",
        "DDDDDDDDDDD",
        "DDDDDDDDDSD",
        "DSSDDDDDDSS",
        "DSSSSDDDDSS",
        "SSSSSSSDDSS",
        "SSSSSSSSSSS",
    ];

    fn card_of_value(wanted: u8) -> Card {
        Card::deck().find(|&card| value(card) == wanted).unwrap()
    }

    #[test]
    fn banker_draws_exactly_where_the_printed_grid_says_so() {
        for (count, row) in GRID.iter().enumerate() {
            for (column, draws) in row.chars().enumerate() {
                let third = (column > 0).then(|| card_of_value(column as u8 - 1));
                assert_eq!(
                    banker_draws(count as u8, third),
                    draws == 'D',
                    "Banker {count}, column {column}"
                );
            }
        }
    }

    #[test]
    fn card_values_are_those_of_the_rules() {
        let values: Vec<u8> = Rank::ALL
            .iter()
            .map(|&rank| value(Card::new(rank, Suit::Hearts)))
            .collect();
        assert_eq!(values, [2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1]);
    }
}

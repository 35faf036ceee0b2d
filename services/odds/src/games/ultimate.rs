//! Ultimate Texas Hold'em: no exact value is known of the hand, so that rounds are drawn and played by a strategy
//! that is declared.
//!
//! What a round comes to is decided by four things: what the player makes, whether the house qualifies, who is ahead,
//! and what the player put down.

use catwalk_rules::floor::{Card, Rank};
use catwalk_rules::hands::Board;
use catwalk_rules::hands::five::{self, Category};
use serde_json::{Value, json};

use super::drawn::{self, Key};
use super::stud::{STAKE, on};
use crate::OddsError;
use crate::felt::{Felt, wager};
use crate::sheet::{Basis, Line};
use crate::spread::{Spread, whole};

const STRATEGY: &str = "four times with an ace, K2 suited, K5, Q6 suited, Q8, J8 suited, JT or a pair of threes; \
    twice with two pair, a pair of an own card, or four to a flush with an own ten; once with a pair of an own card, \
    or where fewer than 21 cards beat the hand";

/// Hands of seven cards by what they make, of 133,784,560.
const SEVEN: [(Category, u128); 10] = [
    (Category::HighCard, 23_294_460),
    (Category::Pair, 58_627_800),
    (Category::TwoPair, 31_433_400),
    (Category::ThreeOfAKind, 6_461_620),
    (Category::Straight, 6_180_020),
    (Category::Flush, 4_047_644),
    (Category::FullHouse, 3_473_184),
    (Category::FourOfAKind, 224_848),
    (Category::StraightFlush, 37_260),
    (Category::RoyalFlush, 4_324),
];

/// Own cards and board that make each of them.
const MAKES: [(&str, &str); 10] = [
    ("AH JD", "9C 7S 5H 4D 2C"),
    ("AH AD", "9C 7S 5H 4D 2C"),
    ("AH AD", "9C 9S 5H 4D 2C"),
    ("AH AD", "AC 7S 5H 4D 2C"),
    ("8H 6D", "9C 7S 5H 2D KC"),
    ("AH JH", "9H 7H 5H 4D 2C"),
    ("AH AD", "AC 9S 9H 4D 2C"),
    ("AH AD", "AC AS 5H 4D 2C"),
    ("8H 6H", "9H 7H 5H 4D 2C"),
    ("AH KH", "QH JH TH 4D 2C"),
];

/// The house's cards beside them.
const HOUSE: &str = "3D 3S";

/// The lines of the game.
pub(crate) fn lines(felt: &Felt<'_>) -> Result<Vec<Line>, OddsError> {
    let (_, drawn) = drawn::kept_draws(felt.game());
    let spread = drawn::spread(felt, &drawn, |put, own, board, house| {
        (hand(i64::from(put)), play(own, board, house, put > 0))
    })?;
    let ante = drawn::line(felt, "ante", STRATEGY, &drawn, &spread);
    let mut lines = vec![ante];
    for part in ["blind", "play"] {
        lines.push(Line::without_figures(
            part,
            "part of the hand that ante stands for",
        ));
    }
    lines.push(trips(felt)?);
    Ok(lines)
}

/// On the player's best of seven cards, which stay under it when the hand is given up.
fn trips(felt: &Felt<'_>) -> Result<Line, OddsError> {
    let mut spread = Spread::default();
    let house: Vec<&str> = HOUSE.split(' ').collect();
    for ((_, ways), (own, board)) in SEVEN.iter().zip(MAKES) {
        let own: Vec<&str> = own.split(' ').collect();
        let board: Vec<&str> = board.split(' ').collect();
        let mut wagers = hand(1);
        let mut trips = wager("trips", STAKE, json!({}));
        trips["id"] = json!("w4");
        wagers.push(trips);
        let came = felt.settle(&wagers, &play(&own, &board, &house, true))?;
        if let Some(came) = came.last() {
            spread.add(came, &whole(*ways));
        }
    }
    Ok(felt.line("trips", Basis::Exact, &spread, STAKE))
}

/// The wagers of a hand by how many antes were put down in play.
fn hand(put: i64) -> Vec<Value> {
    let mut blind = wager("blind", STAKE, json!({}));
    blind["id"] = json!("w2");
    let mut wagers = vec![wager("ante", STAKE, json!({})), blind];
    let stage = match put {
        0 => return wagers,
        1 => "river",
        2 => "flop",
        _ => "preflop",
    };
    let mut play = on("play", "w3", put * STAKE);
    play["stage"] = json!(stage);
    wagers.push(play);
    wagers
}

fn play(own: &[&str], board: &[&str], house: &[&str], plays: bool) -> Value {
    let decision = if plays { "play" } else { "fold" };
    json!({"dealer": house, "board": board, "hands": [{"seat": 1, "cards": own, "decision": decision}]})
}

/// What decides a round: two own cards, the board, the house's.
pub(super) fn state(cards: &[Card; 9]) -> Key {
    let [a, b, board @ .., c, d] = *cards;
    let board: [Card; 5] = board;
    let shared: Board = board.into_iter().collect();
    let player = five::rank_board(shared.with(a).with(b));
    let house = five::rank_board(shared.with(c).with(d));
    let made = player.map_or(Category::HighCard, five::Hand::category);
    let qualified = house.is_some_and(|house| house.category() >= Category::Pair);
    let ahead = player.cmp(&house) as i8;
    let put = match () {
        () if before_flop(a, b) => 4,
        () if after_flop(a, b, [board[0], board[1], board[2]]) => 2,
        () if on_river(a, b, &board, player) => 1,
        () => 0,
    };
    // Who gives up has lost, whatever lies there.
    if put == 0 {
        return (0, false, -1, 0);
    }
    (made as u8, qualified, ahead, put)
}

fn rank(card: Card) -> Rank {
    card.rank().unwrap_or(Rank::Two)
}

fn before_flop(a: Card, b: Card) -> bool {
    let (high, low) = (rank(a).max(rank(b)), rank(a).min(rank(b)));
    let suited = a.suit() == b.suit();
    match high {
        _ if high == low => high >= Rank::Three,
        Rank::Ace => true,
        Rank::King => suited || low >= Rank::Five,
        Rank::Queen => low >= if suited { Rank::Six } else { Rank::Eight },
        Rank::Jack => low >= if suited { Rank::Eight } else { Rank::Ten },
        _ => false,
    }
}

fn after_flop(a: Card, b: Card, flop: [Card; 3]) -> bool {
    let [x, y, z] = flop;
    let made = five::rank(&[a, b, x, y, z]).map_or(Category::HighCard, five::Hand::category);
    let lies_there = rank(x) == rank(y) && rank(y) == rank(z) && made == Category::ThreeOfAKind;
    let pairs = |own: Card| flop.iter().any(|card| rank(*card) == rank(own));
    let four_suited = |own: Card| {
        let same = [a, b, x, y, z]
            .iter()
            .filter(|card| card.suit() == own.suit())
            .count();
        same >= 4 && rank(own) >= Rank::Ten
    };
    made >= Category::TwoPair && !lies_there
        || pairs(a)
        || pairs(b)
        || four_suited(a)
        || four_suited(b)
}

fn on_river(a: Card, b: Card, board: &[Card; 5], player: Option<five::Hand>) -> bool {
    let lies_there = five::rank(board).map(five::Hand::category);
    if player.map(five::Hand::category) > lies_there {
        return true;
    }
    let shared: Board = board.iter().copied().collect();
    let unseen = Card::deck().filter(|card| *card != a && *card != b && !board.contains(card));
    unseen
        .filter(|card| five::rank_board(shared.with(*card)) > player)
        .count()
        < 21
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(text: &str) -> Card {
        text.parse().unwrap()
    }

    #[test]
    fn each_hand_of_seven_cards_makes_what_it_stands_for() {
        for ((category, _), (own, board)) in SEVEN.iter().zip(MAKES) {
            let cards: Vec<Card> = own.split(' ').chain(board.split(' ')).map(card).collect();
            assert_eq!(
                five::rank(&cards).unwrap().category(),
                *category,
                "{own} {board}"
            );
        }
        assert_eq!(
            SEVEN.iter().map(|(_, ways)| ways).sum::<u128>(),
            133_784_560
        );
    }

    #[test]
    fn the_strategy_does_what_it_declares() {
        for (hand, four_times) in [
            ("AS 2D", true),
            ("KS 2S", true),
            ("KS 4D", false),
            ("QS 6S", true),
            ("QS 7D", false),
            ("JS TD", true),
            ("JS 9D", false),
            ("3S 3D", true),
            ("2S 2D", false),
        ] {
            let (a, b) = hand.split_once(' ').unwrap();
            assert_eq!(before_flop(card(a), card(b)), four_times, "{hand}");
        }
        let flop = |own: [&str; 2], flop: [&str; 3]| {
            after_flop(card(own[0]), card(own[1]), flop.map(card))
        };
        assert!(
            flop(["9S", "4D"], ["4C", "KH", "QD"]),
            "a pair of an own card"
        );
        assert!(!flop(["2S", "2D"], ["4C", "KH", "QD"]), "deuces");
        assert!(
            flop(["TS", "4S"], ["6S", "KS", "QD"]),
            "four to a flush with the ten"
        );
        assert!(!flop(["9S", "4S"], ["6S", "KS", "QD"]), "without it");
        assert!(
            !flop(["9S", "4D"], ["KC", "KH", "KD"]),
            "what lies there is everybody's"
        );
    }
}

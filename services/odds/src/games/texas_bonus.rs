//! Texas Hold'em Bonus: rounds are drawn and played by a strategy that is declared; the bonus on the own cards is
//! counted.
//!
//! What a round comes to is decided by what the player makes, who is ahead, and which wagers he put down.

use catwalk_rules::floor::{Card, Rank};
use catwalk_rules::hands::Board;
use catwalk_rules::hands::five::{self, Category};
use serde_json::{Value, json};

use super::drawn::{self, Key};
use super::own_cards::names;
use super::stud::{STAKE, on};
use crate::OddsError;
use crate::felt::{Bet, Felt, wager};
use crate::sheet::Line;

const STRATEGY: &str = "a fold with 2-3 to 2-7 of two suits alone; turn and river wagers where the hand as it lies is \
    ahead of more hands of the house than behind";

/// The bits of the wagers that were put down.
const FLOP: u8 = 1;
const TURN: u8 = 2;
const RIVER: u8 = 4;

/// The lines of the game.
pub(crate) fn lines(felt: &Felt<'_>) -> Result<Vec<Line>, OddsError> {
    let (_, drawn) = drawn::kept_draws(felt.game());
    let spread = drawn::spread(felt, &drawn, |put, own, board, house| {
        let decision = if put == 0 { "fold" } else { "play" };
        let hands = json!([{"seat": 1, "cards": own, "decision": decision}]);
        let play = json!({"dealer": house, "board": board, "hands": hands});
        (hand(put), play)
    })?;
    let mut lines = vec![drawn::line(felt, "ante", STRATEGY, &drawn, &spread)];
    for part in ["flop", "turn", "river"] {
        lines.push(Line::without_figures(
            part,
            "part of the hand that ante stands for",
        ));
    }
    lines.extend(bonus(felt)?);
    Ok(lines)
}

/// The wagers of a hand by those that were put down after the ante.
fn hand(put: u8) -> Vec<Value> {
    let mut wagers = vec![wager("ante", STAKE, json!({}))];
    for (bit, kind, id, antes) in [
        (FLOP, "flop", "w2", 2),
        (TURN, "turn", "w3", 1),
        (RIVER, "river", "w4", 1),
    ] {
        if put & bit != 0 {
            wagers.push(on(kind, id, antes * STAKE));
        }
    }
    wagers
}

/// On the two own cards, which stay under it when the hand is given up. Where the house elects it, two aces on both
/// sides have a prize of their own.
fn bonus(felt: &Felt<'_>) -> Result<Vec<Line>, OddsError> {
    let bet = Bet::new("bonus", "", wager("bonus", STAKE, json!({"id": "side"})));
    let bet = bet.beside(wager("ante", STAKE, json!({})));
    let round = |own: [Card; 2], house: [Card; 2]| {
        json!({"dealer": names(&house), "board": [],
            "hands": [{"seat": 1, "cards": names(&own), "decision": "fold"}]})
    };
    let is_ace = |card: &Card| card.rank() == Some(Rank::Ace);
    let mut plays = Vec::new();
    for a in Card::deck() {
        for b in Card::deck().filter(|b| b.index() > a.index()) {
            let unseen = || Card::deck().filter(|card| ![a, b].contains(card));
            let plain: Vec<Card> = unseen().filter(|card| !is_ace(card)).take(2).collect();
            let aces: Vec<Card> = unseen().filter(is_ace).collect();
            // Of 1,225 pairs of cards that the house can have.
            let of_aces = (aces.len() * aces.len().saturating_sub(1) / 2) as u128;
            if let [c, d, ..] = aces[..] {
                plays.push((round([a, b], [c, d]), of_aces));
            }
            if let [c, d] = plain[..] {
                plays.push((round([a, b], [c, d]), 1_225 - of_aces));
            }
        }
    }
    felt.lines(&[bet], &plays)
}

/// What decides a round: two own cards, the board, the house's.
pub(super) fn state(cards: &[Card; 9]) -> Key {
    let [a, b, board @ .., c, d] = *cards;
    // Who gives up has lost, whatever lies there.
    if gives_up(a, b) {
        return (0, false, -1, 0);
    }
    let mut put = FLOP;
    for (seen, bit) in [(3, TURN), (4, RIVER)] {
        if is_ahead(a, b, &board[..seen]) {
            put |= bit;
        }
    }
    let shared: Board = board.into_iter().collect();
    let player = five::rank_board(shared.with(a).with(b));
    let house = five::rank_board(shared.with(c).with(d));
    let ahead = player.cmp(&house) as i8;
    // Only the ante looks at what the player makes, and only if he wins.
    let made = match ahead {
        1 => player.map_or(Category::HighCard, five::Hand::category),
        _ => Category::HighCard,
    };
    (made as u8, false, ahead, put)
}

fn gives_up(a: Card, b: Card) -> bool {
    let (low, high) = (a.rank().min(b.rank()), a.rank().max(b.rank()));
    let is_low = low == Some(Rank::Two) && high > low && high <= Some(Rank::Seven);
    is_low && a.suit() != b.suit()
}

/// Does the hand as it lies beat more of the hands that the house can have than beat it?
fn is_ahead(a: Card, b: Card, seen: &[Card]) -> bool {
    let shared: Board = seen.iter().copied().collect();
    let player = five::rank_board(shared.with(a).with(b));
    let unseen = Card::deck().filter(|card| *card != a && *card != b && !seen.contains(card));
    let unseen: Vec<Card> = unseen.collect();
    let mut balance = 0;
    for (at, &c) in unseen.iter().enumerate() {
        let first = shared.with(c);
        for &d in &unseen[at + 1..] {
            balance += player.cmp(&five::rank_board(first.with(d))) as i32;
        }
    }
    balance > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(text: &str) -> Card {
        text.parse().unwrap()
    }

    #[test]
    fn the_strategy_does_what_it_declares() {
        for (hand, folds) in [
            ("2S 7D", true),
            ("3S 2D", true),
            ("2S 7S", false),
            ("2S 8D", false),
            ("2S 2D", false),
            ("3S 4D", false),
        ] {
            let (a, b) = hand.split_once(' ').unwrap();
            assert_eq!(gives_up(card(a), card(b)), folds, "{hand}");
        }
        let board = ["9C", "KH", "QD", "4S"].map(card);
        assert!(is_ahead(card("9S"), card("2D"), &board[..3]), "a pair");
        assert!(!is_ahead(card("7S"), card("2D"), &board[..3]), "nothing");
        assert!(is_ahead(card("4D"), card("KS"), &board), "two pair");
        assert!(!is_ahead(card("7S"), card("2D"), &board), "nothing");
    }
}

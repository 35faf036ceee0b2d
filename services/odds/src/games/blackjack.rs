//! Side wagers of blackjack that the first cards decide, from a whole shoe.

use catwalk_rules::floor::{Card, Rank};
use serde_json::{Value, json};

use super::own_cards::names;
use crate::OddsError;
use crate::felt::{Bet, Felt, wager};
use crate::sheet::{Basis, Line};
use crate::spread::{Spread, whole};

/// Some side wagers have one size.
const STAKE: i64 = 100;
/// More decks than any text allows.
const MOST_DECKS: i64 = 99;

pub(crate) fn sides(felt: &Felt<'_>) -> Result<Vec<Line>, OddsError> {
    let decks = felt.option("decks").as_i64().unwrap_or_default();
    if !(1..=MOST_DECKS).contains(&decks) {
        return Ok(Vec::new());
    }
    let decks = decks as u128;
    let mut lines = Vec::new();
    for entry in felt.wagers() {
        let kind = &*entry.kind;
        let line = match (felt.game(), kind) {
            // In Ohio its highest prize looks at the dealer's hand.
            ("blackjack", "royal_match") if felt.edition() == "oh-jack-2017" => continue,
            ("blackjack", "over_13" | "under_13" | "royal_match" | "bet_the_set") => {
                two_cards(felt, kind, decks)?
            }
            ("blackjack", "match_the_dealer") => matched(felt, kind, decks)?,
            ("blackjack", "super_sevens") => sevens(felt, decks)?,
            ("blackjack", "insurance") => insurance(felt, decks)?,
            _ => continue,
        };
        lines.push(line);
    }
    Ok(lines)
}

/// A hand that stands, or draws these, against a dealer who stands on the first two.
fn play(cards: &[Card], drawn: &[Card], dealer: &[Card]) -> Value {
    let hit = |card: &Card| json!({"hand": 1, "do": "hit", "card": card.to_string()});
    let mut steps: Vec<Value> = drawn.iter().map(hit).collect();
    steps.push(json!({"hand": 1, "do": "stand"}));
    json!({
        "boxes": [{"seat": 1, "cards": names(cards), "steps": steps}],
        "dealer": {"cards": names(dealer)},
    })
}

/// A nineteen of the dealer without any of these cards.
fn nineteen(known: &[Card]) -> Vec<Card> {
    let of = |rank: Rank| {
        let mut cards = Card::deck().filter(move |card| card.rank() == Some(rank));
        cards.find(|card| !known.contains(card))
    };
    [of(Rank::Nine), of(Rank::Ten)]
        .into_iter()
        .flatten()
        .collect()
}

fn bets(felt: &Felt<'_>, kind: &str, plays: Vec<(Value, u128)>) -> Result<Line, OddsError> {
    let bet = Bet::new(kind, "", wager(kind, STAKE, json!({"id": "side"})));
    let bet = bet.beside(wager("main", 100 * STAKE, json!({})));
    let lines = felt.lines(&[bet], &plays)?;
    Ok(lines
        .into_iter()
        .next()
        .unwrap_or_else(|| felt.not_offered(kind)))
}

/// On the player's first two cards.
fn two_cards(felt: &Felt<'_>, kind: &str, decks: u128) -> Result<Line, OddsError> {
    let mut plays = Vec::new();
    for a in Card::deck() {
        for b in Card::deck().filter(|b| b.index() >= a.index()) {
            let ways = match a == b {
                true => decks * (decks - 1),
                false => 2 * decks * decks,
            };
            if ways > 0 {
                plays.push((play(&[a, b], &[], &nineteen(&[a, b])), ways));
            }
        }
    }
    bets(felt, kind, plays)
}

/// On whether the player's first two cards match the dealer's open one. Only rank and suit against that
/// one matter, so that a ten of clubs stands for every open card.
fn matched(felt: &Felt<'_>, kind: &str, decks: u128) -> Result<Line, OddsError> {
    let Some(up) = Card::deck().find(|card| card.rank() == Some(Rank::Ten)) else {
        return Ok(felt.not_offered(kind));
    };
    let Some(other) = Card::deck().find(|card| card.rank() == Some(Rank::Nine)) else {
        return Ok(felt.not_offered(kind));
    };
    // Of the open card's rank and suit, of its rank, and of neither.
    let shoe = [("TC", decks - 1), ("TD", 3 * decks), ("2C", 48 * decks)];
    let mut plays = Vec::new();
    for (a, first) in shoe {
        for (b, second) in shoe {
            let ways = first * second.saturating_sub(u128::from(a == b));
            // One deck has another ten for the second of two.
            let second = if a == b && a == "TD" { "TH" } else { b };
            let second = if a == b && a == "2C" { "2D" } else { second };
            let cards: Vec<Card> = [a, second]
                .iter()
                .filter_map(|card| card.parse().ok())
                .collect();
            if ways > 0 {
                plays.push((play(&cards, &[], &[up, other]), ways));
            }
        }
    }
    bets(felt, kind, plays)
}

/// On the player's sevens, of which the third counts if it is drawn.
fn sevens(felt: &Felt<'_>, decks: u128) -> Result<Line, OddsError> {
    let sevens: Vec<Card> = Card::deck()
        .filter(|card| card.rank() == Some(Rank::Seven))
        .collect();
    let two = Card::deck().find(|card| card.rank() == Some(Rank::Two));
    // A two stands for every card that is no seven.
    let shoe: Vec<(Card, u128)> = sevens
        .into_iter()
        .map(|card| (card, decks))
        .chain(two.map(|card| (card, 48 * decks)))
        .collect();
    let mut plays = Vec::new();
    for &(a, first) in &shoe {
        for &(b, second) in &shoe {
            for &(c, third) in &shoe {
                let gone = |card: Card, drawn: &[Card]| {
                    drawn.iter().filter(|it| **it == card).count() as u128
                };
                let second = second.saturating_sub(gone(b, &[a]));
                let third = third.saturating_sub(gone(c, &[a, b]));
                let ways = first * second * third;
                if ways > 0 {
                    plays.push((play(&[a, b], &[c], &nineteen(&[a, b, c])), ways));
                }
            }
        }
    }
    let kind = "super_sevens";
    let line = bets(felt, kind, plays)?;
    let basis = match line.figures {
        Some(_) => Basis::Declared("a third card is drawn to two sevens".to_owned()),
        None => line.basis.clone(),
    };
    Ok(Line { basis, ..line })
}

/// On the dealer's hole card under an ace, of a shoe that is whole but for the ace.
fn insurance(felt: &Felt<'_>, decks: u128) -> Result<Line, OddsError> {
    let wagers = [
        wager("insurance", STAKE, json!({"id": "side", "on": "w1"})),
        wager("main", 2 * STAKE, json!({})),
    ];
    let mut spread = Spread::default();
    for (hole, ways) in [("KC", 16 * decks), ("9C", 36 * decks - 1)] {
        // Whether the house looks under its ace is the edition's and the table's: the first round that the
        // rules do not object to.
        let stand = json!([{"hand": 1, "do": "stand"}]);
        let told = [(false, &stand), (true, &json!([])), (true, &stand)];
        let mut came = None;
        for (checked, steps) in told {
            let mut dealer = json!({"cards": ["AC", hole]});
            if checked {
                dealer["checked"] = json!(true);
            }
            let boxes = json!([{"seat": 1, "cards": ["TD", "9D"], "steps": steps}]);
            let play = json!({"boxes": boxes, "dealer": dealer});
            came = came.or(felt.lawful(&wagers, &play).unwrap_or_default());
        }
        let Some(came) = came.and_then(|came| came.into_iter().next()) else {
            return Ok(felt.not_offered("insurance"));
        };
        spread.add(&came, &whole(ways));
    }
    Ok(felt
        .line("insurance", Basis::Exact, &spread, STAKE)
        .noting("of a whole shoe but for the dealer's ace"))
}

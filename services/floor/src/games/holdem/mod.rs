//! The hold'em games against the house, on the floor.

mod colorado;
mod fast_action;
mod progressive;
mod texas_bonus;
mod ultimate;

pub(super) use colorado::Colorado;
pub(super) use fast_action::FastAction;
pub(super) use texas_bonus::TexasBonus;
pub(super) use ultimate::Ultimate;

use catwalk_events::Json;
use catwalk_events::body::{
    Body, CardBurned, CardDealt, CardPlace, CardRevealed, DealingMethod, Decision, Face,
    Irregularity,
};
use catwalk_rules::book::{Book, Layout, Mishap, Street, Void};
use catwalk_rules::floor::{Card, Rank};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::deck::{Dealing, Decks};

/// One deck a round, dealt as the option `dealing` says.
fn decks(dealing: &str, two: bool, count_every: Option<u32>, cut: Option<u32>) -> Decks {
    let method = match dealing {
        "hand" => DealingMethod::Hand,
        "automated_shoe" => DealingMethod::AutoShoe,
        _ => DealingMethod::Shoe,
    };
    Decks::new(Dealing {
        method,
        alternates: two,
        joker: false,
        count_every,
        cut,
    })
}

/// Cards that a machine shuffled are not cut.
fn cut(by_machine: bool, rng: &mut ChaCha8Rng) -> Option<u32> {
    (!by_machine).then(|| rng.random_range(10..=42))
}

/// A card goes to a place. A table with a reader knows it at once, another one when it is turned.
pub(super) fn deal(to: CardPlace, seat: Option<u32>, card: Card, face: Face, reader: bool) -> Body {
    let known = reader || face == Face::Up;
    CardDealt {
        to,
        seat,
        hand: None,
        card: known.then(|| card.to_string()),
        face,
        back: None,
    }
    .into()
}

pub(super) fn reveal(to: CardPlace, seat: Option<u32>, index: usize, card: Card) -> Body {
    CardRevealed {
        to,
        seat,
        hand: None,
        index: u32::try_from(index).unwrap_or_default(),
        card: card.to_string(),
    }
    .into()
}

fn reveal_all(to: CardPlace, seat: Option<u32>, cards: &[Card]) -> impl Iterator<Item = Body> {
    let cards = cards.iter().enumerate();
    cards.map(move |(index, &card)| reveal(to, seat, index, card))
}

pub(super) fn burn() -> Body {
    CardBurned {
        card: None,
        back: None,
    }
    .into()
}

pub(super) fn decision(seat: u32, action: &str) -> Body {
    Decision {
        seat,
        hand: None,
        action: action.to_owned(),
        amount: None,
    }
    .into()
}

pub(super) fn irregularity(entry: &Value) -> Body {
    let mut detail = entry.clone();
    let kind = detail["code"].as_str().unwrap_or_default().to_owned();
    if let Some(detail) = detail.as_object_mut() {
        detail.remove("code");
    }
    let told = detail.as_object().is_some_and(|detail| !detail.is_empty());
    Irregularity {
        kind,
        detail: told.then(|| Json::new(&detail)),
        ruling: "supervisor".to_owned(),
    }
    .into()
}

/// The layout of a game, which has one edition.
fn layout(game: &str) -> Option<&'static Layout> {
    let book = Book::of(game)?;
    book.layout(book.editions().next()?)
}

/// The streets of a game.
fn streets(game: &str) -> &'static [Street] {
    layout(game).map_or(&[], |layout| &layout.streets)
}

/// So many times the wager that it is on is a wager of this kind.
fn times(game: &str, kind: &str) -> i64 {
    let wager = Book::of(game).and_then(|book| book.wager(kind));
    wager.and_then(|wager| wager.times).unwrap_or(1)
}

/// How much of a round these irregularities void, as the data file of the game has it.
fn voided(game: &str, mishaps: &[Value]) -> Void {
    let told = mishaps.iter().filter_map(|told| {
        let code = told["code"].as_str()?;
        let found = told["count"].as_u64().unwrap_or(1);
        Some(Mishap {
            code,
            face_up: u64::from(code == FACE_UP) * found,
            is_late: told["when"] == "community",
            stands: told["independent_wagers_stand"] == true,
        })
    });
    let told: Vec<Mishap<'_>> = told.collect();
    layout(game).map_or(Void::Nothing, |layout| layout.voided(&told))
}

const FACE_UP: &str = "face_up_card";

/// What went wrong is told; a card that lay face up in the deck goes to the discard rack first.
fn tell(mishaps: &[Value], mut draw: impl FnMut() -> Option<Card>) -> Vec<Body> {
    let mut told = Vec::new();
    for mishap in mishaps {
        let many = match mishap["code"] == FACE_UP {
            true => mishap["count"].as_u64().unwrap_or(1),
            false => 0,
        };
        let put_away = (0..many).filter_map(|_| draw()).map(|card| {
            let card = Some(card.to_string());
            CardBurned { card, back: None }.into()
        });
        told.extend(put_away);
        told.push(irregularity(mishap));
    }
    told
}

pub(super) fn text(cards: &[Card]) -> Value {
    json!(cards.iter().map(Card::to_string).collect::<Vec<_>>())
}

/// 2 is 0, the ace 12.
pub(super) fn height(card: Card) -> u8 {
    card.rank().map_or(0, Rank::index)
}

/// The amount of a wager of the document.
pub(super) fn amount(wager: &Value) -> i64 {
    wager["amount"].as_i64().unwrap_or_default()
}

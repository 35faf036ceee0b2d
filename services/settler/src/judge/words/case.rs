//! The numbers of a case, for a sentence that has none: the bet that it is about, and what its events tell.

use catwalk_events::body::{Body, CardPlace, TilePlace};
use catwalk_rules::floor::Cents;

use super::plain;
use crate::round::{RoundFold, WagerFold};

/// So many events are told of at most.
const MAX_TOLD: usize = 3;

/// The sentence with what was seen: as it is where it says so itself.
pub(in crate::judge) fn with_numbers(
    message: String,
    round: &RoundFold,
    (wager, seat): (Option<&WagerFold>, Option<u32>),
    evidence: &[u64],
) -> String {
    if message.contains(|sign: char| sign.is_ascii_digit()) {
        return message;
    }
    let mut parts: Vec<String> = wager.map(bet).into_iter().collect();
    let shown = round.play.iter().filter(|(seq, _)| evidence.contains(seq));
    let shown: Vec<String> = shown.filter_map(|(_, body)| told(body, &message)).collect();
    // What an event tells last is what it ended in.
    parts.extend(shown.into_iter().rev().take(MAX_TOLD).rev());
    if parts.is_empty() {
        match seat {
            Some(seat) => parts.extend(of_seat(round, seat)),
            None => parts.push(on_the_layout(round)),
        }
    }
    format!("{message}: {}", parts.join(", "))
}

fn bet(wager: &WagerFold) -> String {
    format!(
        "seat {}'s {} {} bet",
        wager.seat,
        wager.amount,
        plain(&wager.kind)
    )
}

/// A seat, and what it bet.
fn of_seat(round: &RoundFold, seat: u32) -> Vec<String> {
    let its = round.wagers.iter().filter(|wager| wager.seat == seat);
    let bets: Vec<String> = its.map(bet).collect();
    match bets.is_empty() {
        true => vec![format!("seat {seat}")],
        false => bets,
    }
}

/// How much lay there.
fn on_the_layout(round: &RoundFold) -> String {
    let staked: Cents = round.wagers.iter().map(|wager| wager.amount).sum();
    match round.wagers.len() {
        1 => format!("1 bet of {staked} lay"),
        bets => format!("{bets} bets of {staked} in all lay"),
    }
}

/// What an event of the play says.
fn told(body: &Body, message: &str) -> Option<String> {
    let card = |card: Option<&String>| card.map_or("a card".to_owned(), |card| card.clone());
    Some(match body {
        Body::CardDealt(dealt) => format!(
            "{} went to {}",
            card(dealt.card.as_ref()),
            whose(dealt.to, dealt.seat)
        ),
        Body::CardRevealed(shown) => format!(
            "{} was turned over for {}",
            shown.card,
            whose(shown.to, shown.seat)
        ),
        Body::DiceRolled(rolled) => {
            let dice: Vec<String> = rolled.dice.iter().map(u8::to_string).collect();
            format!("the dice showed {}", dice.join(" "))
        }
        Body::WheelSpun(spun) => match spun.revolutions {
            Some(turns) => format!("{} came after {turns} turns", plain(&spun.result)),
            None => format!("{} came", plain(&spun.result)),
        },
        Body::TilesDealt(dealt) => {
            let to = match dealt.to {
                TilePlace::Seat => at_seat(dealt.seat),
                TilePlace::Dealer => "the dealer".to_owned(),
                TilePlace::Bank => "the bank".to_owned(),
                TilePlace::DeadHand => "the dead hand".to_owned(),
            };
            match &dealt.tiles {
                Some(tiles) => format!("{} went to {to}", tiles.join(" ")),
                None => format!("tiles went to {to}"),
            }
        }
        Body::Decision(said) => {
            let action = plain(&said.action);
            match said.amount {
                Some(amount) => format!("seat {} said \"{action}\" for {amount}", said.seat),
                None => format!("seat {} said \"{action}\"", said.seat),
            }
        }
        Body::Irregularity(told) => {
            let (kind, ruling) = (plain(&told.kind), &told.ruling);
            match message.contains(&kind) {
                true => format!("the ruling was \"{ruling}\""),
                false => format!("told as \"{kind}\", the ruling was \"{ruling}\""),
            }
        }
        _ => return None,
    })
}

fn whose(place: CardPlace, seat: Option<u32>) -> String {
    match place {
        CardPlace::Seat => at_seat(seat),
        CardPlace::Dealer => "the dealer".to_owned(),
        CardPlace::Player => "the Player".to_owned(),
        CardPlace::Banker => "the Banker".to_owned(),
        CardPlace::Community => "the board".to_owned(),
    }
}

fn at_seat(seat: Option<u32>) -> String {
    seat.map_or("a seat".to_owned(), |seat| format!("seat {seat}"))
}

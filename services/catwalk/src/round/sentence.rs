//! What happened in a round, in words.

use catwalk_events::body::{Body, CardPlace, Face, TilePlace};
use catwalk_rules::floor::Cents;

/// What happened in a round, in words; `None` for what has none of its own.
pub(super) fn sentence(body: &Body) -> Option<String> {
    Some(match body {
        Body::RoundOpened(opened) => match &opened.shoe {
            Some(shoe) => format!("Betting opens; the round is dealt from {shoe}."),
            None => "Betting opens.".to_owned(),
        },
        Body::WagerPlaced(placed) => {
            let detail = placed
                .detail
                .as_ref()
                .map(|detail| format!(" {}", detail.text()));
            format!(
                "Seat {} puts {} on {}{} ({}).",
                placed.seat,
                placed.amount,
                placed.kind,
                detail.unwrap_or_default(),
                placed.wager
            )
        }
        Body::WagerChanged(changed) => {
            format!(
                "{} is changed to {} by {}.",
                changed.wager, changed.amount, changed.by.id
            )
        }
        Body::WagerRemoved(removed) => {
            format!("{} is taken back by {}.", removed.wager, removed.by.id)
        }
        Body::BettingClosed(closed) => match &closed.window {
            Some(window) => format!("No more bets ({window})."),
            None => "No more bets.".to_owned(),
        },
        Body::CardDealt(dealt) => {
            let card = dealt.card.as_deref().unwrap_or("a card");
            let face = match dealt.face {
                Face::Up => "",
                Face::Down => " face down",
            };
            format!(
                "{card} to {}{face}.",
                place(dealt.to, dealt.seat, dealt.hand)
            )
        }
        Body::CardRevealed(shown) => {
            let whose = place(shown.to, shown.seat, shown.hand);
            // As events count it, so that both can be held side by side.
            format!(
                "The card at index {} of {whose} is {}.",
                shown.index, shown.card
            )
        }
        Body::DiceRolled(rolled) => {
            let dice: Vec<String> = rolled.dice.iter().map(u8::to_string).collect();
            format!(
                "The dice show {}{}.",
                dice.join(", "),
                called_off(rolled.valid)
            )
        }
        Body::WheelSpun(spun) => format!(
            "The wheel stops at {}{}.",
            spun.result,
            called_off(spun.valid)
        ),
        Body::TilesDealt(dealt) => {
            let tiles = dealt
                .tiles
                .as_ref()
                .map_or("tiles".to_owned(), |tiles| tiles.join(" "));
            let to = match (dealt.to, dealt.seat) {
                (TilePlace::Seat, Some(seat)) => format!("seat {seat}"),
                (TilePlace::Seat, None) => "a seat".to_owned(),
                (TilePlace::Dealer, _) => "the dealer".to_owned(),
                (TilePlace::Bank, _) => "the bank".to_owned(),
                (TilePlace::DeadHand, _) => "the dead hand".to_owned(),
            };
            format!("{tiles} to {to}.")
        }
        Body::Decision(decision) => {
            let amount = decision
                .amount
                .map(|amount| format!(" {amount}"))
                .unwrap_or_default();
            format!(
                "Seat {}: {}{amount}.",
                decision.seat,
                decision.action.replace('_', " ")
            )
        }
        Body::HandSet(set) => {
            let whose = set
                .seat
                .map_or(set.to.clone(), |seat| format!("seat {seat}"));
            format!(
                "{whose} sets {} and {}.",
                set.high.join(" "),
                set.low.join(" ")
            )
        }
        Body::Irregularity(irregularity) => {
            format!(
                "Irregularity: {}; ruling: {}.",
                irregularity.kind, irregularity.ruling
            )
        }
        Body::WagerPaid(paid) => match paid.commission {
            Some(commission) => {
                format!(
                    "{} is paid {}, less {commission} commission.",
                    paid.wager, paid.amount
                )
            }
            None => format!("{} is paid {}.", paid.wager, paid.amount),
        },
        Body::WagerCollected(collected) => {
            format!(
                "{} is collected{}.",
                collected.wager,
                partly(collected.amount)
            )
        }
        Body::WagerPushed(pushed) => {
            format!("{} is pushed{}.", pushed.wager, partly(pushed.amount))
        }
        Body::CommissionCollected(collected) => {
            format!(
                "{} commission is collected for {}.",
                collected.amount, collected.wager
            )
        }
        Body::PotAwarded(awarded) => {
            format!(
                "Pot {} of {} goes to seat {}.",
                awarded.pot, awarded.amount, awarded.seat
            )
        }
        Body::RoundClosed(_) => "The round is over.".to_owned(),
        Body::RoundVoided(voided) => match &voided.reason {
            Some(reason) => format!("The round is declared void: {reason}."),
            None => "The round is declared void.".to_owned(),
        },
        _ => return None,
    })
}

fn place(to: CardPlace, seat: Option<u32>, hand: Option<u32>) -> String {
    let whose = match (to, seat) {
        (CardPlace::Player, _) => "the player's hand".to_owned(),
        (CardPlace::Banker, _) => "the banker's hand".to_owned(),
        (CardPlace::Dealer, _) => "the dealer".to_owned(),
        (CardPlace::Community, _) => "the community".to_owned(),
        (CardPlace::Seat, Some(seat)) => format!("seat {seat}"),
        (CardPlace::Seat, None) => "a seat".to_owned(),
    };
    match hand {
        Some(hand) if hand > 1 => format!("{whose}, hand {hand}"),
        _ => whose,
    }
}

fn called_off(valid: bool) -> &'static str {
    if valid { "" } else { ", but it does not count" }
}

fn partly(amount: Option<Cents>) -> String {
    amount
        .map(|amount| format!(" ({amount})"))
        .unwrap_or_default()
}

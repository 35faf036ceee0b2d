//! A deal that was void, after which the same round is dealt again: only the last deal counts. 9(c),(e),
//! 11(c),(e),(h),(k)-(n); 15.B

use std::borrow::Cow;

use catwalk_events::body::{Body, CountScope, Irregularity};
use catwalk_rules::book::Book;

use super::words::{called_number, is_said};
use crate::round::RoundFold;

/// Stacks that were laid wrongly: that they are delivered after all is no other deal.
const OF_STACKS: [&str; 2] = ["stack_card_exposed", "stack_deal_error"];

/// The round as its last deal makes it.
pub(super) fn last_deal(round: &RoundFold) -> Cow<'_, RoundFold> {
    let Some(void) = void_deal(round) else {
        return Cow::Borrowed(round);
    };
    let mut last = round.clone();
    let has_numbers = round.wagers.iter().any(|wager| wager.kind == "number");
    last.play.retain(|(seq, body)| {
        let is_draw = matches!(body, Body::WheelSpun(_)) && has_numbers;
        *seq > void || is_draw || !is_of_deal(body)
    });
    Cow::Owned(last)
}

/// The event that made a deal void after which there was another one.
fn void_deal(round: &RoundFold) -> Option<u64> {
    let mut told = round.play.iter().enumerate().rev();
    told.find_map(|(at, (seq, body))| match body {
        Body::Irregularity(told)
            if is_voiding(round, &told.kind) && is_dealt_again(told, &round.play[at + 1..]) =>
        {
            Some(*seq)
        }
        _ => None,
    })
}

/// Does it make a deal void, in any edition? One card that lies face up may not, and is dealt again all the same.
fn is_voiding(round: &RoundFold, kind: &str) -> bool {
    let book = Book::of(&round.rules.game);
    let mut layouts = book.into_iter().flat_map(|book| {
        let editions = book.editions();
        editions.filter_map(|edition| book.layout(edition))
    });
    layouts.any(|layout| {
        let is_face_up = kind == "face_up_in_shoe" && layout.face_up_voids.is_some();
        is_face_up || layout.is_voided_by(kind)
    })
}

/// Cards or tiles come again, and before them a shuffle or another count of positions; or the ruling says
/// so. A deal that merely goes on is none.
fn is_dealt_again(told: &Irregularity, after: &[(u64, Body)]) -> bool {
    let kind = told.kind.as_str();
    let is_of_stacks = OF_STACKS.contains(&kind);
    let is_piece = |body: &Body| matches!(body, Body::CardDealt(_) | Body::TilesDealt(_));
    let Some(dealt) = after.iter().position(|(_, body)| is_piece(body)) else {
        return false;
    };
    let is_started = after[..dealt].iter().any(|(_, body)| match body {
        Body::ShoeStarted(_) => true,
        Body::DiceRolled(roll) => roll.valid && !is_of_stacks,
        Body::WheelSpun(draw) => draw.valid && !is_of_stacks,
        Body::Decision(said) => is_said(said, "wash"),
        _ => false,
    });
    let ruling = told.ruling.to_lowercase();
    let says_so = ["redeal", "re-deal", "reshuffl", "dealt again"]
        .iter()
        .any(|word| ruling.contains(word));
    is_started || says_so
}

/// Is this gone when the deal is void? What was said about the bank is not.
fn is_of_deal(body: &Body) -> bool {
    match body {
        Body::CardDealt(_)
        | Body::CardRevealed(_)
        | Body::TilesDealt(_)
        | Body::HandSet(_)
        | Body::DiceRolled(_)
        | Body::WheelSpun(_)
        | Body::Irregularity(_) => true,
        Body::CardsCounted(counted) => counted.scope == Some(CountScope::Stub),
        Body::Decision(said) => {
            let of_deal = ["surrender", "abandon", "button", "shake"];
            let is_said = |word: &&str| is_said(said, word);
            of_deal.iter().any(is_said) || called_number(said).is_some()
        }
        _ => false,
    }
}

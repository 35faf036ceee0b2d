//! The hold'em games against the house, from their events.
//!
//! Hole cards go to `seat`, the dealer's to `dealer`, the board to `community`. The wager of a street is
//! told by `wager_placed` when it is made. A fold is a `decision`, and so are checks; a feed that sends
//! no decisions at all is read by its wagers alone.

mod checks;
mod colorado;
mod fast_action;
mod laid;
mod marker;
mod progressive;
mod texas_bonus;
mod ultimate;

pub(super) use colorado::Colorado;
pub(super) use fast_action::FastAction;
pub(super) use texas_bonus::TexasBonus;
pub(super) use ultimate::Ultimate;

use catwalk_events::Timestamp;
use catwalk_rules::Verdict;
use catwalk_rules::book::{Mishap, Void};
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{End, felt};
use crate::fault::Fault;
use crate::round::{RoundFold, WagerFold};
use crate::standing::Standing;

/// What is kept between rounds: one meter, and how the feed tells its rounds.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    /// The meter before an award that must have lowered it, and what that leaves.
    meter: Option<(Cents, Cents)>,
    /// What it starts again with where it was won whole.
    reset: Option<Cents>,
    /// Fixed awards, which do not come off the meter.
    fixed: Option<progressive::Fixed>,
    /// When the round of these awards opened.
    since: Option<Timestamp>,
    /// The feed tells burned cards.
    tells_burns: bool,
    /// It tells who verified an award.
    tells_people: bool,
}

impl Kept {
    /// Where events are missing, the meter may have been read among them.
    fn of(standing: &Standing) -> Kept {
        let kept: Kept = standing.read();
        match standing.is_doubtful() {
            true => Kept {
                meter: None,
                fixed: None,
                ..kept
            },
            false => kept,
        }
    }
}

/// `play` of a game with two hole cards, a dealer and a board. `decision` is what a seat decided; `decides` says
/// whether a seat's wagers need the dealer's cards.
fn play(
    round: &RoundFold,
    decision: impl Fn(u32, Void) -> &'static str,
    decides: impl Fn(u32) -> bool,
) -> Value {
    let irregularities = irregularities(round);
    let void = stopped(round);
    let seats = felt::seats(&round.play);
    let dealer = felt::dealer(&round.play);
    let is_compared = void == Void::Nothing && seats.iter().any(|&seat| decides(seat));
    let dealer = match is_compared || void == Void::Total {
        true => felt::told(&dealer),
        // Everybody folded, or no hand counts against his: he had nothing to show.
        false => felt::told_or_dealt(&dealer, 2),
    };
    let hands = seats.iter().map(|&seat| {
        let cards = felt::told(&felt::hand(&round.play, seat));
        json!({"seat": seat, "cards": cards, "decision": decision(seat, void)})
    });
    let mut play = Map::new();
    play.insert("dealer".into(), json!(dealer));
    let board = felt::told(&felt::community(&round.play));
    play.insert("board".into(), json!(board));
    play.insert("hands".into(), hands.collect());
    let meter = progressive::meter(round);
    let mut wagers = round.wagers.iter();
    if meter.is_some() || wagers.any(|wager| wager.kind == progressive::KIND) {
        play.insert("meters".into(), json!({ "progressive": meter }));
    }
    if !irregularities.is_empty() {
        play.insert("irregularities".into(), json!(irregularities));
    }
    Value::Object(play)
}

/// The irregularities that the game knows, as the document has them.
fn told(round: &RoundFold) -> Vec<Value> {
    let layout = laid::layout(round);
    layout.map_or(Vec::new(), |layout| {
        felt::irregularities(&round.play, layout)
    })
}

/// What was told, or what the chips tell: where a card of the dealer was seen early and everybody has his wagers
/// against him back, the round was voided for it. § 13.A
fn irregularities(round: &RoundFold) -> Vec<Value> {
    let told = told(round);
    match told.is_empty() && is_exposed(round) && is_given_back(round) {
        true => vec![json!({"code": "hole_card_exposed"})],
        false => told,
    }
}

/// Was a card of the dealer seen before the whole board was, and before everybody had folded or played?
fn is_exposed(round: &RoundFold) -> bool {
    let play = &round.play;
    let first = play
        .iter()
        .position(|(_, body)| felt::is_dealer_shown(body));
    let Some(first) = first else { return false };
    let is_undecided = |seat: u32| {
        let mut told = felt::decisions(&play[..first], seat);
        let is_out = told.any(|told| told.action.starts_with("fold") || told.action == "abandoned");
        let last = laid::later(round).pop();
        let played = last.and_then(|kind| felt::wager_of(round, seat, kind));
        !is_out && played.is_none_or(|played| played.after_play > first)
    };
    felt::shown(&play[..first]) < felt::BOARD && felt::seats(play).into_iter().any(is_undecided)
}

fn is_given_back(round: &RoundFold) -> bool {
    let against = round.wagers.iter();
    let mut against = against.filter(|wager| !laid::is_on_own_cards(round, wager));
    let is_back = |wager: &WagerFold| {
        wager.pushed.is_some() && wager.collected.is_none() && !wager.paid.is_positive()
    };
    against.clone().next().is_some() && against.all(is_back)
}

/// How much of the round all its irregularities void.
fn stopped(round: &RoundFold) -> Void {
    let told = irregularities(round);
    let mishaps: Vec<Mishap<'_>> = told.iter().filter_map(mishap).collect();
    laid::layout(round).map_or(Void::Nothing, |layout| layout.voided(&mishaps))
}

fn mishap(told: &Value) -> Option<Mishap<'_>> {
    let code = told["code"].as_str()?;
    let is_face_up = code == "face_up_card";
    Some(Mishap {
        code,
        face_up: u64::from(is_face_up) * told["count"].as_u64().unwrap_or(1),
        is_late: told["when"] == "community",
        stands: told["independent_wagers_stand"] == true,
    })
}

/// Does an automated shoe deal, hand by hand?
fn deals_stacks(round: &RoundFold) -> bool {
    let dealing = round.rules.option("dealing");
    dealing.is_some_and(|dealing| dealing == "automated_shoe")
}

/// What the settlement gives the wager of a kind at a seat.
fn due(end: &End<'_>, seat: u32, kind: &str) -> Option<Verdict> {
    let wager = felt::wager_of(end.round, seat, kind)?;
    let settled = end.settlement?.wagers().iter();
    let mut of_wager = settled.filter(|settled| settled.id.as_str() == wager.id);
    of_wager.next().map(|settled| settled.result)
}

/// A wager that was paid or taken wrongly, by a special word of the rules beside the difference
/// itself.
fn special(code: &'static str, wager: &WagerFold, message: &str) -> Fault {
    let message = format!("{} on {}: {message}", wager.amount, wager.kind);
    let fault = Fault::new(code, wager.evidence.clone(), message);
    fault.of_wager(&wager.id).at_seat(wager.seat)
}

//! The order in which a dealer settles: player by player, from the last seat to the first, and nobody
//! else before the one in hand is finished.

use catwalk_events::body::{Body, CardPlace};

use super::Scene;
use crate::fault::Fault;
use crate::round::WagerFold;

const CODE: &str = "settle.order";

/// `shows` says which event of the play shows the house's hand, after which wagers are settled; what was
/// taken or paid before that is another matter. `is_in_turn` says whether a wager has its turn with
/// another one: some have a turn of their own, and what players left who gave up their hands is taken in
/// at any time.
pub(super) fn check_turns(
    scene: &Scene<'_>,
    shows: impl Fn(&Body) -> bool,
    is_in_turn: impl Fn(&WagerFold, &WagerFold) -> bool,
    faults: &mut Vec<Fault>,
) {
    let Some(wager) = settled(scene).filter(|wager| is_in_turn(wager, wager) && !wager.late) else {
        return;
    };
    let shown = scene.round.play.iter().rev();
    let Some(shown) = shown
        .filter(|(_, body)| shows(body))
        .map(|(seq, _)| *seq)
        .next()
    else {
        return;
    };
    let is_before = |other: &&WagerFold| {
        let touched = other.paid_seq.is_some() || other.collected.is_some();
        let since = other.evidence.last().is_some_and(|&seq| seq > shown);
        touched && since && is_in_turn(other, wager) && !other.late && other.seat < wager.seat
    };
    if let Some(before) = scene.round.wagers.iter().find(is_before)
        && scene.is_fresh(CODE)
    {
        let message = format!(
            "A wager of seat {} was settled after one of seat {}",
            wager.seat, before.seat
        );
        let evidence = [before.evidence.as_slice(), &[scene.seq]].concat();
        faults.push(Fault::new(CODE, evidence, message).of_wager(&wager.id));
    }
}

/// The same of the hands that are turned for it: `is_in_turn` says which seats have a hand to turn.
pub(super) fn check_turned(
    scene: &Scene<'_>,
    shows: impl Fn(&Body) -> bool,
    is_in_turn: impl Fn(u32) -> bool,
    faults: &mut Vec<Fault>,
) {
    let turned = |body: &Body| match body {
        Body::CardRevealed(card) if card.to == CardPlace::Seat => card.seat,
        _ => None,
    };
    let Some(seat) = turned(scene.body).filter(|&seat| is_in_turn(seat)) else {
        return;
    };
    let play = &scene.round.play;
    let Some(shown) = play.iter().rposition(|(_, body)| shows(body)) else {
        return;
    };
    let mut since = play[shown..].iter();
    let before = since.find_map(|(seq, body)| {
        let other = turned(body).filter(|&other| other < seat && is_in_turn(other))?;
        Some((*seq, other))
    });
    let is_new = scene.is_fresh(CODE) && !faults.iter().any(|fault| fault.code == CODE);
    if let Some((seq, other)) = before.filter(|_| is_new) {
        let message = format!("The hand of seat {seat} was turned after that of seat {other}");
        faults.push(Fault::new(CODE, vec![seq, scene.seq], message).at_seat(seat));
    }
}

/// The wager that is paid or taken. What is left lying, or goes back from a void round, has no turn.
fn settled<'a>(scene: &Scene<'a>) -> Option<&'a WagerFold> {
    let id = match scene.body {
        Body::WagerPaid(paid) => &paid.wager,
        Body::WagerCollected(collected) => &collected.wager,
        _ => return None,
    };
    scene.round.wager(id)
}

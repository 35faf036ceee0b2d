//! The wash of the tiles and the shakes of their dice, as far as they are told of.
//!
//! A `shake` is a decision of seat 0 or of the bank, one each or with their number as its amount. A
//! `wash` has the number of its circles. What was too short may also be told by who saw it: the
//! irregularities `wash_short` and `shake_short`. A feed that tells nothing of it is not held to it.

use catwalk_events::body::{Body, Decision};
use serde::{Deserialize, Serialize};

use super::{Variant, is_dealt};
use crate::fault::Fault;
use crate::games::{End, Scene};

const SHAKE: &str = "pai_gow.shake_short";
const WASH: &str = "pai_gow.wash_short";
/// 6(a), 8(i)
const SHAKES: i64 = 3;
/// Of each hand: 4(d).
const CIRCLES: i64 = 8;

/// What an event itself says was too short.
pub(super) fn told_short(variant: &Variant, body: &Body) -> Option<(&'static str, String)> {
    let (code, message) = match body {
        Body::Irregularity(told) if told.kind == "wash_short" => (
            WASH,
            format!("The tiles were not washed in {CIRCLES} circles"),
        ),
        Body::Irregularity(told) if told.kind == "shake_short" => {
            (SHAKE, format!("The dice were not shaken {SHAKES} times"))
        }
        Body::Decision(said) if said.action == "wash" => {
            let circles = said.amount.filter(|amount| amount.get() < CIRCLES)?;
            let message = format!("The tiles were washed in {} circles", circles.get());
            (WASH, message)
        }
        _ => return None,
    };
    (variant.size == 4).then_some((code, message))
}

/// The dice are shaken three times at least before each lid that is lifted.
pub(super) fn check(variant: &Variant, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    let play = &scene.round.play;
    let lifted = play
        .iter()
        .rposition(|(_, body)| matches!(body, Body::DiceRolled(_)));
    let since = lifted.map_or(0, |at| at + 1);
    let told: Vec<(u64, i64)> = play[since..]
        .iter()
        .filter_map(|(seq, body)| Some((*seq, shakes(body)?)))
        .collect();
    let number: i64 = told.iter().map(|(_, shakes)| shakes).sum();
    if variant.size == 4 && !told.is_empty() && number < SHAKES && scene.is_fresh(SHAKE) {
        let message = format!("The dice were shaken {number} times");
        let evidence = told.iter().map(|(seq, _)| *seq).chain([scene.seq]);
        faults.push(Fault::new(SHAKE, evidence.collect(), message));
    }
}

fn shakes(body: &Body) -> Option<i64> {
    match body {
        Body::Decision(Decision { action, amount, .. }) if action == "shake" => {
            Some(amount.map_or(1, |amount| amount.get()))
        }
        _ => None,
    }
}

/// Does the feed tell of the shake after the deal?
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Shaker {
    covers: bool,
}

impl Shaker {
    /// 6(f), 8(m): when the tiles are dealt the shaker is covered and shaken once more.
    pub(super) fn follow(&mut self, variant: &Variant, end: &End<'_>, faults: &mut Vec<Fault>) {
        let round = end.round;
        let dealt = round.play.iter().position(|(_, body)| is_dealt(body));
        let Some(dealt) = dealt.filter(|_| variant.size == 4 && !round.incomplete) else {
            return;
        };
        let (before, after) = round.play.split_at(dealt);
        let is_shaken = |play: &[(u64, Body)]| play.iter().any(|(_, body)| shakes(body).is_some());
        if is_shaken(after) {
            self.covers = true;
        } else if self.covers && is_shaken(before) && !end.voided && !round.has_raised(SHAKE) {
            let message = "The shaker was not shaken after the deal".to_owned();
            let evidence = vec![round.play[dealt].0, end.seq];
            faults.push(Fault::new(SHAKE, evidence, message));
        }
    }
}

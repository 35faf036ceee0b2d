//! The wash of the tiles and the shakes of their dice, as far as they are told of.
//!
//! A `shake` is a decision of seat 0 or of the bank, one each or with their number as its amount. A
//! `wash` has the number of its circles. What was too short may also be told by who saw it: the
//! irregularities `wash_short` and `shake_short`. A feed that tells nothing of it is not held to it.

use catwalk_events::body::Body;
use serde::{Deserialize, Serialize};

use super::words::is_said;
use super::{Variant, is_dealt};
use crate::fault::Fault;
use crate::games::{End, Scene};

const SHAKE: &str = "pai_gow.shake_short";
const WASH: &str = "pai_gow.wash_short";
const NOT_INSPECTED: &str = "tiles.not_inspected";
/// So many rounds show that a feed tells of every wash.
const WASHES: u32 = 2;
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
        Body::Decision(said) if is_said(said, "wash") => {
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
        Body::Decision(said) if is_said(said, "shake") => {
            Some(said.amount.map_or(1, |amount| amount.get()))
        }
        _ => None,
    }
}

fn is_wash(body: &Body) -> bool {
    matches!(body, Body::Decision(said) if is_said(said, "wash"))
}

/// Does the feed tell of the shake after the deal, and of the wash before it?
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Shaker {
    covers: bool,
    /// The tiles were washed since they were last dealt.
    #[serde(default)]
    is_washed: bool,
    /// Rounds running before which a wash was told of.
    #[serde(default)]
    washes: u32,
}

impl Shaker {
    /// Something between rounds: true if it was a wash.
    pub(super) fn see(&mut self, body: &Body) -> bool {
        self.is_washed |= is_wash(body);
        is_wash(body)
    }

    /// Events are missing: a wash may be among them.
    pub(super) fn lose(&mut self) {
        self.washes = 0;
    }

    /// 4(f): tiles are washed after every round. When the first are dealt, a feed that told of it before
    /// each of the last rounds would have told of it again.
    pub(super) fn check_wash(&self, variant: &Variant, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        let mut play = scene.round.play.iter();
        let is_washed = self.is_washed || play.any(|(_, body)| is_wash(body));
        if variant.size == 4 && !is_washed && self.washes >= WASHES {
            let message = "The tiles were dealt again without a wash".to_owned();
            faults.push(Fault::new(NOT_INSPECTED, vec![scene.seq], message));
        }
    }

    /// What the round says of washes, those before its deal and those after it.
    pub(super) fn follow_wash(&mut self, end: &End<'_>) {
        let play = &end.round.play;
        let Some(dealt) = play.iter().position(|(_, body)| is_dealt(body)) else {
            self.is_washed |= play.iter().any(|(_, body)| is_wash(body));
            return;
        };
        let (before, after) = play.split_at(dealt);
        let told = |play: &[(u64, Body)]| play.iter().any(|(_, body)| is_wash(body));
        self.washes = match self.is_washed || told(before) {
            true if !end.round.incomplete => self.washes.saturating_add(1),
            _ => 0,
        };
        self.is_washed = told(after);
    }

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

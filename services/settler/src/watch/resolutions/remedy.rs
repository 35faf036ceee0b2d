//! What an event may put right, and rulings.

use catwalk_events::body::{Body, CountScope, Irregularity, WagerPushed};
use catwalk_events::{Event, Timestamp};
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{MAX_RULINGS, Open};
use crate::round::RoundFold;

/// What an event may put right.
#[derive(Debug)]
pub(crate) struct Remedy {
    pub(super) seq: u64,
    pub(super) at: Timestamp,
    pub(super) round: Option<String>,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    /// Money moves on a wager: so much to the player, or all that is missing.
    Money {
        wager: String,
        to_player: Option<Cents>,
        word: &'static str,
    },
    /// The stake goes back, and nothing was paid on it.
    GivenBack {
        wager: String,
    },
    Changed {
        wager: String,
    },
    Thrown,
    Ruling(Box<Ruling>),
    Voided,
    Closed,
    Replaced {
        set: String,
    },
    Counted {
        set: String,
    },
    /// Nothing, but it may come with a clock that stepped back.
    Nothing,
}

impl Remedy {
    /// Where the round of the event is open, what is paid and collected in it is part of its play.
    pub(crate) fn of(event: &Event, open: Option<&RoundFold>) -> Remedy {
        let what = What::of_money(&event.body, open).or_else(|| What::of_play(event));
        Remedy {
            seq: event.seq,
            at: event.at,
            round: event.round.clone().filter(|_| what.is_some()),
            what: what.unwrap_or(What::Nothing),
        }
    }

    /// The event was refused: it puts nothing right.
    pub(crate) fn refused(self) -> Remedy {
        Remedy {
            round: None,
            what: What::Nothing,
            ..self
        }
    }

    pub(crate) fn at(&self) -> Timestamp {
        self.at
    }

    pub(super) fn is_change(&self) -> bool {
        matches!(self.what, What::Changed { .. })
    }
}

impl What {
    /// Money that moves on a wager.
    fn of_money(body: &Body, open: Option<&RoundFold>) -> Option<What> {
        let (wager, to_player, word) = match body {
            Body::WagerPushed(pushed) if open.is_some_and(|round| is_given_back(round, pushed)) => {
                let wager = pushed.wager.clone();
                return Some(What::GivenBack { wager });
            }
            Body::WagerPaid(paid) => {
                let to_player = paid.amount - paid.commission.unwrap_or_default();
                (&paid.wager, Some(to_player), "paid")
            }
            Body::WagerCollected(collected) => {
                let to_player = collected.amount.map(|amount| -amount);
                (&collected.wager, to_player, "collected")
            }
            Body::WagerPushed(pushed) => (&pushed.wager, pushed.amount, "given back"),
            Body::CommissionCollected(collected) => {
                (&collected.wager, Some(-collected.amount), "collected")
            }
            _ => return None,
        };
        open.is_none().then(|| What::Money {
            wager: wager.clone(),
            to_player,
            word,
        })
    }

    /// Anything else that may put right what was found.
    fn of_play(event: &Event) -> Option<What> {
        Some(match &event.body {
            Body::WagerRemoved(removed) => What::GivenBack {
                wager: removed.wager.clone(),
            },
            Body::WagerChanged(changed) => What::Changed {
                wager: changed.wager.clone(),
            },
            // One that was taken down may be told again.
            Body::WagerPlaced(placed) => What::Changed {
                wager: placed.wager.clone(),
            },
            Body::DiceRolled(_) => What::Thrown,
            Body::Irregularity(told) => What::Ruling(Box::new(Ruling::of(told, event))),
            Body::RoundVoided(_) => What::Voided,
            Body::RoundClosed(_) => What::Closed,
            Body::CardReplaced(replaced) => What::Replaced {
                set: replaced.set.clone(),
            },
            Body::CardsCounted(counted) if counted.scope != Some(CountScope::Stub) => {
                What::Counted {
                    set: counted.set.clone(),
                }
            }
            _ => return None,
        })
    }
}

/// A supervisor's ruling, and what it is about.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ruling {
    pub(super) round: Option<String>,
    pub(super) kind: String,
    pub(super) wagers: Vec<String>,
    pub(super) seat: Option<u32>,
    pub(super) words: String,
    pub(super) seq: u64,
}

impl Ruling {
    /// Its kind may be the code of a finding; its detail may name wagers and a seat.
    fn of(told: &Irregularity, event: &Event) -> Ruling {
        let detail = told.detail.as_ref().map(|detail| detail.value());
        let named = |key: &str| detail.as_ref().and_then(|detail| detail.get(key));
        let listed = named("wagers").and_then(Value::as_array);
        let wagers = named("wager")
            .into_iter()
            .chain(listed.into_iter().flatten());
        let wagers = wagers.filter_map(Value::as_str).map(str::to_owned);
        let seat = named("seat").and_then(Value::as_u64);
        Ruling {
            round: event.round.clone(),
            kind: told.kind.clone(),
            wagers: wagers.take(MAX_RULINGS).collect(),
            seat: seat.and_then(|seat| u32::try_from(seat).ok()),
            words: told.ruling.chars().take(200).collect(),
            seq: event.seq,
        }
    }

    /// Is it about what was paid on a wager that it names?
    pub(super) fn is_about_payment(&self, open: &Open) -> bool {
        let is_named = open
            .wager
            .as_ref()
            .is_some_and(|wager| self.wagers.contains(wager));
        open.is_pay && is_named && open.round == self.round
    }

    pub(super) fn is_about(&self, open: &Open) -> bool {
        if open.round.is_none() || open.round != self.round {
            return false;
        }
        let is_code = open.code == self.kind
            || open
                .code
                .split_once('.')
                .is_some_and(|(_, word)| word == self.kind);
        match &open.wager {
            Some(wager) if !self.wagers.is_empty() => self.wagers.contains(wager),
            _ if is_code => true,
            Some(_) | None if self.seat.is_some() => open.seat == self.seat,
            _ => false,
        }
    }
}

/// Does the whole stake go back that nothing was paid on?
fn is_given_back(round: &RoundFold, pushed: &WagerPushed) -> bool {
    let wager = round.wager(&pushed.wager);
    wager.is_some_and(|wager| {
        let is_whole = pushed.amount.is_none_or(|part| part >= wager.stake());
        is_whole && wager.paid == Cents::ZERO
    })
}

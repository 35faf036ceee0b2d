//! What comes of a stream: what is heard of it, and how its rounds were judged.

use std::collections::{BTreeMap, BTreeSet};

use catwalk_events::audit::{SettledWager, Settlement};
use catwalk_rules::book::Severity;
use catwalk_settler::Output;
use serde_json::Value;

/// A wager of a round.
pub(crate) type Bet = (String, String);

/// What an edited stream is of which nobody heard.
pub(crate) enum Meaning {
    /// Money is wrong, or nobody can say that it is right.
    Silent(String),
    /// A wager hangs on a card that nobody saw, which is counted against the dealer.
    Open,
    /// As true as the honest one: of other bets, or with less told.
    True,
}

/// What was heard, how rounds were judged, and what the stream says that was paid.
#[derive(Default)]
pub(crate) struct Told {
    /// The codes of warn or above. What lies in quarantine is no finding.
    pub(crate) heard: BTreeSet<String>,
    pub(crate) rounds: BTreeMap<String, Settlement>,
    /// It is heard from this event on.
    pub(crate) from: u64,
    /// Of each bet what its events say that was paid.
    pub(crate) paid: BTreeMap<Bet, i64>,
    /// How often chips moved otherwise.
    pub(crate) moved: BTreeMap<Bet, usize>,
}

impl Told {
    pub(crate) fn note(&mut self, written: &Value) {
        let body = &written["body"];
        let name = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let bet = (name(&written["round"]), name(&body["wager"]));
        match body["type"].as_str().unwrap_or_default() {
            "wager_paid" => {
                *self.paid.entry(bet).or_default() += body["amount"].as_i64().unwrap_or_default()
            }
            "wager_collected" | "wager_pushed" => *self.moved.entry(bet).or_default() += 1,
            _ => {}
        }
    }

    pub(crate) fn collect(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Finding(finding) if finding.severity >= Severity::Warn => {
                    self.heard.insert(finding.code);
                }
                Output::Settlement(round) => {
                    let settled = Settlement::from(&*round);
                    self.rounds.insert(settled.round.clone(), settled);
                }
                _ => {}
            }
        }
    }

    /// What is to be thought of a stream of which nobody heard, beside the honest one.
    pub(crate) fn meaning(&self, honest: &Told) -> Meaning {
        match self.is_false(honest) {
            Some(why) => Meaning::Silent(why),
            None if self.is_open(honest) => Meaning::Open,
            None => Meaning::True,
        }
    }

    /// Does a wager hang on what nobody saw that did not in the honest stream?
    fn is_open(&self, honest: &Told) -> bool {
        let open = |told: &Told, round: &str| {
            let round = told.rounds.get(round);
            let wagers = round
                .map(|round| round.wagers.as_slice())
                .unwrap_or_default();
            wagers
                .iter()
                .filter(|wager| wager.returned.is_none())
                .count()
        };
        self.rounds
            .keys()
            .any(|round| open(self, round) > open(honest, round))
    }

    /// Why it is no true story of another round: a round that was judged is not judged any more, a wager was not given
    /// what was due, or chips that moved are in no judgement.
    fn is_false(&self, honest: &Told) -> Option<String> {
        let again = honest.rounds.iter();
        for (id, was) in again.filter(|(_, was)| was.last_seq > self.from) {
            let Some(is) = self.rounds.get(id) else {
                return Some(format!("round {id} was not judged"));
            };
            if (is.complete, is.voided) != (was.complete, was.voided) {
                return Some(format!(
                    "round {id}: complete {}, voided {}",
                    is.complete, is.voided
                ));
            }
        }
        for (id, is) in &self.rounds {
            let was = honest.rounds.get(id).map(|was| was.wagers.as_slice());
            for wager in &is.wagers {
                let was = was.and_then(|was| was.iter().find(|was| was.id == wager.id));
                if let Some(why) = is_wrong(wager, was) {
                    return Some(format!("round {id}, wager {}: {why}", wager.id));
                }
            }
        }
        self.lost(honest)
    }

    /// Chips that moved in no judgement, where the honest stream has them in one.
    fn lost(&self, honest: &Told) -> Option<String> {
        let of = |told: &Told, (round, wager): &Bet| {
            let round = told.rounds.get(round)?;
            let is_its = |settled: &&SettledWager| settled.id == *wager;
            round.wagers.iter().find(is_its).cloned()
        };
        for (bet, amount) in &self.paid {
            let settled = of(self, bet).map_or(0, |settled| settled.paid.get());
            let is_otherwise = |told: &Told| {
                let settled = of(told, bet).map_or(0, |settled| settled.paid.get());
                told.paid.get(bet).is_some_and(|amount| *amount != settled)
            };
            if *amount != settled && !is_otherwise(honest) {
                return Some(format!("{bet:?}: {amount} was paid, {settled} is judged"));
            }
        }
        for (bet, times) in &self.moved {
            let is_known = of(self, bet).is_some();
            if !is_known && of(honest, bet).is_some() == honest.moved.contains_key(bet) {
                return Some(format!(
                    "{bet:?}: chips moved {times} times on no bet that is judged"
                ));
            }
        }
        None
    }
}

/// What is wrong with a judged wager that was judged otherwise in the honest stream.
fn is_wrong(wager: &SettledWager, was: Option<&SettledWager>) -> Option<String> {
    let difference = wager.difference.map(|cents| cents.get());
    let before = was.and_then(|was| was.difference).map(|cents| cents.get());
    let is_mispaid = difference != before && difference.is_some_and(|cents| cents != 0);
    is_mispaid.then(|| format!("{difference:?} more than due"))
}

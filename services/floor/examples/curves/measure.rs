//! How long a fault that lasts goes on before it is found.

use std::sync::Arc;

use catwalk_events::body::Body;
use catwalk_floor::{Config, FaultKind, Floor, FloorError, Happening, Order};
use catwalk_rules::Rulebook;
use catwalk_rules::book::Severity;
use catwalk_settler::{Output, Settler};
use serde::Serialize;

/// A fault, where it is done, and what is counted until it is found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) kind: FaultKind,
    pub(crate) game: &'static str,
    pub(crate) table: &'static str,
    pub(crate) unit: &'static str,
}

pub(crate) const CASES: [Case; 5] = [
    case(FaultKind::BiasedWheel, "roulette", "RO-01", "spins"),
    case(FaultKind::BiasedWheel, "big_six", "B6-01", "spins"),
    case(FaultKind::LoadedDice, "craps", "CR-01", "rolls"),
    case(FaultKind::LoadedDice, "sic_bo", "SB-01", "rolls"),
    case(FaultKind::CollusiveDealer, "blackjack", "BJ-01", "rounds"),
];

const fn case(
    kind: FaultKind,
    game: &'static str,
    table: &'static str,
    unit: &'static str,
) -> Case {
    Case {
        kind,
        game,
        table,
        unit,
    }
}

/// When the suspicion was first told, and when it had become strong.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Delay {
    pub(crate) told: Option<Point>,
    pub(crate) strong: Option<Point>,
}

/// How much had happened by then.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Point {
    /// Of what the case counts.
    pub(crate) outcomes: u64,
    /// On the floor's clock.
    pub(crate) minutes: i64,
    /// What the house had lost by the fault.
    pub(crate) lost_cents: i64,
}

impl Case {
    /// Plays one table until the suspicion is strong, or for so many rounds. A strength of 0 is fair.
    pub(crate) fn play(
        &self,
        rulebook: &Arc<Rulebook>,
        strength: f64,
        seed: u64,
        rounds: u64,
    ) -> Result<Delay, FloorError> {
        let order = Order {
            kind: self.kind,
            table: self.table.to_owned(),
            round: 1,
            times: 1,
            strength: Some(strength),
        };
        let floor = Floor::under(
            Arc::clone(rulebook),
            Config {
                seed,
                tables: 1,
                rounds,
                games: vec![self.game.to_owned()],
                orders: Some(order).filter(|_| strength > 0.0).into_iter().collect(),
                ..Config::default()
            },
        )?;
        // The data of the watch is checked by the tests of the settler.
        let Ok(mut settler) = Settler::new(Arc::clone(rulebook)) else {
            return Ok(Delay::default());
        };
        let mut delay = Delay::default();
        let (mut outcomes, mut lost_cents, mut opened) = (0, 0, None);
        for happening in floor {
            let event = match happening? {
                Happening::Event(event) => event,
                Happening::Fault(label) => {
                    lost_cents += label.amount.get();
                    continue;
                }
                _ => continue,
            };
            let opened = *opened.get_or_insert(event.at.micros());
            outcomes += u64::from(self.counts(&event.body));
            let now = Point {
                outcomes,
                minutes: (event.at.micros() - opened) / 60_000_000,
                lost_cents,
            };
            for output in settler.receive(*event) {
                let Output::Finding(finding) = output else {
                    continue;
                };
                if !self.is_told_by(&finding.code) {
                    continue;
                }
                delay.told.get_or_insert(now);
                if finding.severity >= Severity::Warn {
                    delay.strong = Some(now);
                    return Ok(delay);
                }
            }
        }
        Ok(delay)
    }

    fn counts(&self, body: &Body) -> bool {
        match self.kind {
            FaultKind::BiasedWheel => matches!(body, Body::WheelSpun(spin) if spin.valid),
            FaultKind::LoadedDice => matches!(body, Body::DiceRolled(roll) if roll.valid),
            _ => matches!(body, Body::RoundClosed(_)),
        }
    }

    fn is_told_by(&self, code: &str) -> bool {
        match self.kind {
            FaultKind::BiasedWheel => {
                ["statistics.wheel", "roulette.bias", "bigsix.bias"].contains(&code)
            }
            FaultKind::LoadedDice => code == "statistics.dice",
            _ => code == "statistics.dealer",
        }
    }
}

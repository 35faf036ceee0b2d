//! A floor written down: who plays what, and what is to go wrong where.
//!
//! ```toml
//! seed = 7
//! tables = 12
//! rounds = 5000                          # or days = 30, or whichever ends first
//! games = ["blackjack", "minibaccarat"]
//! fault_rate = 0.002                     # of all rounds, beside what is ordered below
//! fault_kinds = ["overpaid", "capped"]   # all kinds if left out
//! noise_rate = 0.01                      # of all rounds: honest mistakes that are put right, bad lines
//! pause_seconds = 600                    # from the end of a round to the next; 20 if left out
//!
//! [[faults]]
//! kind = "overpaid"
//! table = "BJ-01"
//! round = 40      # in this round of the table, or the first after it that has room
//! times = 3       # and in the next two that have; once if left out
//!
//! [[faults]]
//! kind = "biased_wheel"
//! table = "RO-03"
//! round = 1       # it begins here, and lasts
//! strength = 0.05 # in so many of all spins the same section comes whatever chance says
//! ```

use serde::Deserialize;

use crate::fault::FaultKind;
use crate::floor::Config;

/// What is wrong with a scenario.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    #[error("{key} is {rate}, a share from 0 to 1 such as 0.002 is expected")]
    Rate { key: &'static str, rate: f64 },
    #[error("faults[{index}].{key} is 0, it counts from 1")]
    Zero { index: usize, key: &'static str },
    #[error("faults[{index}].strength is {strength}, a share above 0 and up to 1 is expected")]
    Strength { index: usize, strength: f64 },
    #[error("faults[{index}].strength is for faults that last, of which this is none")]
    NotLasting { index: usize },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    seed: u64,
    tables: usize,
    rounds: Option<u64>,
    days: Option<u32>,
    games: Vec<String>,
    property: String,
    fault_rate: f64,
    noise_rate: f64,
    pause_seconds: u32,
    fault_kinds: Vec<FaultKind>,
    faults: Vec<Order>,
}

impl Default for Written {
    fn default() -> Written {
        let plain = Config::default();
        Written {
            seed: plain.seed,
            tables: plain.tables,
            rounds: None,
            days: plain.days,
            games: plain.games,
            property: plain.property,
            fault_rate: 0.0,
            noise_rate: 0.0,
            pause_seconds: plain.pause_seconds,
            fault_kinds: plain.fault_kinds,
            faults: plain.orders,
        }
    }
}

/// How often of a thousand times a fault that lasts shows where nobody says.
pub const DEFAULT_STRENGTH_PER_MILLE: u32 = 100;

/// A fault that is to happen at a table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    pub kind: FaultKind,
    pub table: String,
    /// The first round of the table in which it may happen.
    pub round: u64,
    /// How often: in as many rounds that have room for it.
    #[serde(default = "once")]
    pub times: u64,
    /// Of a fault that lasts: the share of outcomes in which it shows.
    #[serde(default)]
    pub strength: Option<f64>,
}

fn once() -> u64 {
    1
}

impl Config {
    /// Reads a scenario.
    pub fn from_scenario(text: &str) -> Result<Config, ScenarioError> {
        let written: Written = toml::from_str(text)?;
        let rates = [
            ("fault_rate", written.fault_rate),
            ("noise_rate", written.noise_rate),
        ];
        for (key, rate) in rates {
            if !(0.0..=1.0).contains(&rate) {
                return Err(ScenarioError::Rate { key, rate });
            }
        }
        for (index, order) in written.faults.iter().enumerate() {
            for (key, number) in [("round", order.round), ("times", order.times)] {
                if number == 0 {
                    return Err(ScenarioError::Zero { index, key });
                }
            }
            match order.strength {
                Some(_) if !order.kind.is_statistical() => {
                    return Err(ScenarioError::NotLasting { index });
                }
                Some(strength) if !(strength > 0.0 && strength <= 1.0) => {
                    return Err(ScenarioError::Strength { index, strength });
                }
                _ => {}
            }
        }
        Ok(Config {
            seed: written.seed,
            tables: written.tables,
            rounds: match (written.rounds, written.days) {
                (Some(rounds), _) => rounds,
                (None, Some(_)) => u64::MAX,
                (None, None) => Config::default().rounds,
            },
            days: written.days,
            games: written.games,
            faults_per_mille: per_mille(written.fault_rate),
            noise_per_mille: per_mille(written.noise_rate),
            pause_seconds: written.pause_seconds,
            fault_kinds: written.fault_kinds,
            orders: written.faults,
            property: written.property,
        })
    }
}

fn per_mille(rate: f64) -> u32 {
    (rate * 1000.0).round() as u32
}

impl Order {
    fn per_mille(&self) -> u32 {
        let thousandths = |strength| per_mille(strength).max(1);
        self.strength
            .map_or(DEFAULT_STRENGTH_PER_MILLE, thousandths)
    }
}

/// Orders that are not done yet.
#[derive(Debug)]
pub(crate) struct Orders(Vec<Order>);

impl Orders {
    pub(crate) fn new(orders: &[Order]) -> Orders {
        Orders(orders.to_vec())
    }

    /// What is to happen in a round of a table and how strong, the oldest order first.
    pub(crate) fn due(&self, table: &str, round: u64) -> Option<(FaultKind, u32)> {
        let due = self.0.iter().filter(|order| order.table == table);
        let oldest = due
            .filter(|order| order.round <= round)
            .min_by_key(|order| order.round);
        oldest.map(|order| (order.kind, order.per_mille()))
    }

    /// It has happened.
    pub(crate) fn done(&mut self, table: &str, round: u64, kind: FaultKind) {
        let is_it =
            |order: &&mut Order| order.table == table && order.kind == kind && order.round <= round;
        let oldest = self
            .0
            .iter_mut()
            .filter(is_it)
            .min_by_key(|order| order.round);
        if let Some(order) = oldest {
            order.times -= 1;
        }
        self.0.retain(|order| order.times > 0);
    }

    /// An order for a table that the floor does not have.
    pub(crate) fn lost(&self, tables: &[&str]) -> Option<&str> {
        let mut names = self.0.iter().map(|order| order.table.as_str());
        names.find(|table| !tables.contains(table))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_is_a_floor() {
        let text = "seed = 7\ntables = 2\nrounds = 50\ngames = [\"blackjack\"]\nfault_rate = 0.25\n\
            noise_rate = 0.01\n\
            [[faults]]\nkind = \"capped\"\ntable = \"BJ-02\"\nround = 3\n";
        let config = Config::from_scenario(text).unwrap();
        assert_eq!((config.seed, config.tables, config.rounds), (7, 2, 50));
        assert_eq!((config.faults_per_mille, config.noise_per_mille), (250, 10));
        let order = Order {
            kind: FaultKind::Capped,
            table: "BJ-02".to_owned(),
            round: 3,
            times: 1,
            strength: None,
        };
        assert_eq!(config.orders, [order]);
        assert_eq!(
            Config::from_scenario("").unwrap().tables,
            Config::default().tables
        );
    }

    #[test]
    fn what_is_no_scenario_is_named() {
        let said = |text: &str| Config::from_scenario(text).unwrap_err().to_string();
        assert!(
            said("talbes = 2").contains("talbes"),
            "{}",
            said("talbes = 2")
        );
        assert!(said("fault_rate = 2.0").contains("fault_rate is 2"));
        assert!(said("noise_rate = -1.0").contains("noise_rate is -1"));
        let order = "[[faults]]\ntable = \"BJ-01\"\nround = 0\nkind = ";
        assert!(said(&format!("{order}\"capped\"")).contains("faults[0].round is 0"));
        assert!(said(&format!("{order}\"caped\"")).contains("caped"));
        let order = order.replace("= 0", "= 1");
        let strong =
            |kind: &str, strength: &str| said(&format!("{order}\"{kind}\"\nstrength = {strength}"));
        assert!(strong("biased_wheel", "1.5").contains("faults[0].strength is 1.5"));
        assert!(strong("capped", "0.5").contains("faults that last"));
    }

    #[test]
    fn an_order_waits_for_its_round_and_is_done_as_often_as_it_says() {
        let order = |kind, round, times| Order {
            kind,
            table: "BJ-01".to_owned(),
            round,
            times,
            strength: None,
        };
        let mut orders = Orders::new(&[
            order(FaultKind::Capped, 5, 2),
            order(FaultKind::Overpaid, 3, 1),
        ]);
        assert_eq!(orders.due("BJ-01", 2), None);
        assert_eq!(orders.due("BJ-02", 9), None);
        assert_eq!(orders.due("BJ-01", 6), Some((FaultKind::Overpaid, 100)));
        orders.done("BJ-01", 6, FaultKind::Overpaid);
        for round in [7, 8] {
            assert_eq!(orders.due("BJ-01", round), Some((FaultKind::Capped, 100)));
            orders.done("BJ-01", round, FaultKind::Capped);
        }
        assert_eq!(orders.due("BJ-01", 9), None);
        assert_eq!(
            Orders::new(&[order(FaultKind::Capped, 1, 1)]).lost(&["BJ-02"]),
            Some("BJ-01")
        );
    }
}

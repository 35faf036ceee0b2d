//! The rules that a craps table posts.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

use super::{Craps, Rounds};

impl Craps {
    /// Opens a table under lawful rules of its own.
    pub(super) fn post(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        self.ohio = self.crapless || rng.random_range(0..3) == 0;
        self.mini = !self.ohio && rng.random_range(0..3) == 0;
        self.calls = rng.random_range(0..2) == 0;
        self.names_shooter = rng.random_range(0..2) == 0;
        self.rounds = [Rounds::Rolls, Rounds::Some, Rounds::Hands][rng.random_range(0..3)];
        let mut options = Map::new();
        let mut set = |key: &str, value: Value| drop(options.insert(key.into(), value));
        if let Some(multiple) = self.limit_odds(rng) {
            set("odds_multiple", multiple);
        }
        let points = self.points().into_iter();
        self.buy_on_win = points.filter(|_| rng.random_range(0..2) == 0).collect();
        set("buy_vig_on_win", json!(self.buy_on_win));
        set("vig_unit", json!([1, 25, 100].choose(rng)));
        set("vig_rounding", json!(["down", "nearest", "up"].choose(rng)));
        set("buy_vig_bp", json!([400, 500].choose(rng)));
        if !self.crapless {
            self.lay_on_win = rng.random_range(0..2) == 0;
            if self.lay_on_win {
                set("lay_vig_on_win", json!([4, 5, 6, 8, 9, 10]));
            }
            self.not_offered = ["fire", "buy"]
                .into_iter()
                .filter(|_| rng.random_range(0..4) == 0)
                .collect();
            set("not_offered", json!(self.not_offered));
        }
        self.splits_horn_high = rng.get_seed()[1].is_multiple_of(3);
        if self.splits_horn_high {
            set("composite_areas", json!(["world"]));
        }
        if self.mini {
            set("variant", json!("mini_craps"));
        }
        set("refund_vig_on_removal", json!(rng.random_range(0..3) == 0));
        if self.ohio {
            // They are on where nothing is posted.
            let posted = [None, Some("on"), Some("off"), Some("off")];
            if let Some(odds) = posted.choose(rng).copied().flatten() {
                set("come_odds_on_comeout", json!(odds));
            }
        } else {
            set("fire_table", json!(["A", "B"].choose(rng)));
        }
        if self.ohio && !self.crapless {
            self.tournament = rng.random_range(0..4) == 0;
            set("tournament", json!(self.tournament));
        }
        if !self.crapless {
            self.callers = self.who_calls(rng);
            if !self.callers.is_empty() {
                set("no_roll_callers", json!(self.callers));
            }
        }
        // s.4(b): all tables of a house in Massachusetts pay the same.
        let raised = match self.ohio {
            true => rng.random_range(0..3) == 0,
            false => rng.get_seed()[0].is_multiple_of(3),
        };
        if raised {
            set("pays", json!({"field_12": "3:1", "any_seven": "5:1"}));
        }
        let edition = if self.ohio {
            "oh-jack-2017"
        } else {
            "mgc-2017"
        };
        (edition, Value::Object(options))
    }

    /// The multiple of odds: one for all points, or one for each; none where the text has no limit either.
    fn limit_odds(&mut self, rng: &mut ChaCha8Rng) -> Option<Value> {
        self.odds_multiple = *[1, 2, 3, 10].choose(rng).unwrap_or(&1);
        self.unlimited_odds = self.ohio && rng.random_range(0..4) == 0;
        let multiple = json!(self.odds_multiple);
        let points = self.points().into_iter();
        let by_point = || points.map(|point| (point.to_string(), multiple.clone()));
        match rng.random_range(0..2) {
            _ if self.unlimited_odds => None,
            0 => Some(multiple),
            _ => Some(Value::Object(by_point().collect())),
        }
    }

    /// Those whom the house designates to call a no roll, of those whom the text allows; none where it
    /// leaves that to the text. s.9(e); ma s.12.C
    fn who_calls(&self, rng: &mut ChaCha8Rng) -> Vec<&'static str> {
        let allowed: &[&str] = match (self.mini, self.ohio) {
            (true, _) => &["dealer", "stickperson", "floorperson"],
            (false, false) => &["boxperson", "stickperson"],
            (false, true) => &[
                "boxperson",
                "stickperson",
                "dealer",
                "floorperson",
                "supervisor",
                "pit_boss",
                "shift_manager",
            ],
        };
        let designated = allowed.iter().copied();
        designated.filter(|_| rng.random_range(0..2) == 0).collect()
    }
}

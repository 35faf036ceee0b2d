//! What the sign of a table posts: limits, compulsory bets, kill, rake, time, the bad beat fund.

use catwalk_events::body::RakeKind;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::Poker;
use super::forms::Family;

/// What the posted sign says.
#[derive(Debug, Default)]
pub(super) struct Sign {
    /// The least and the most of a bet, by betting round.
    pub(super) limits: Vec<(i64, Option<i64>)>,
    pub(super) ante: i64,
    /// Who puts in the ante: each player, or one seat for the table.
    pub(super) ante_by: &'static str,
    /// Of two players the button posts the first blind.
    pub(super) button_small: bool,
    /// Who comes back posts a blind.
    pub(super) extra_posts: bool,
    /// Short stacks play what they have.
    pub(super) tournament: bool,
    pub(super) raked_by: Option<RakeKind>,
    pub(super) open_pair_double: bool,
    /// The share of the contributions that is withheld, in hundredths of a percent.
    pub(super) withheld_bp: i64,
    pub(super) blinds: Vec<i64>,
    pub(super) forced: i64,
    pub(super) straddle: Option<i64>,
    pub(super) kill: Option<Kill>,
    pub(super) max_raises: Option<i64>,
    pub(super) check_raise: bool,
    /// A raise is at least the last full one.
    pub(super) previous_increment: bool,
    /// How far a bet must have grown before who answered it may raise again.
    pub(super) reopen: &'static str,
    pub(super) pot_limit: bool,
    pub(super) time: Option<Time>,
    pub(super) rake_to_tray: bool,
    pub(super) fund: bool,
}

/// How far limits rise after a whole pot went to one player. 1
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kill {
    Whole,
    Half,
}

impl Kill {
    pub(super) fn raise(self, limit: i64) -> i64 {
        match self {
            Kill::Whole => limit * 2,
            Kill::Half => limit * 3 / 2,
        }
    }
}

/// A charge for time. 14(b)3
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    /// Of each player, or of the table.
    pub(super) charge: i64,
    pub(super) per_table: bool,
    /// A rake is taken too.
    pub(super) beside_rake: bool,
}

impl Sign {
    /// A percentage, increments, both of them, time, or time beside a rake.
    fn post_rake(&mut self, rng: &mut ChaCha8Rng) -> Value {
        let percent = json!({"method": "percent", "rate_bp": 1000, "cap": 500, "unit": 100});
        let levels = json!({"method": "incremental",
            "levels": [[1000, 100], [2000, 100], [4000, 100]], "cap": 300});
        let mut methods = match rng.random_range(0..8) {
            0 | 1 => Vec::new(),
            2..=4 => vec![percent],
            5 | 6 => vec![levels],
            _ => vec![percent, levels],
        };
        // With both methods nobody tells which of them a rake was of.
        self.raked_by = match methods.as_slice() {
            [one] if one["method"] == "percent" => Some(RakeKind::Percent),
            [_] => Some(RakeKind::Increment),
            _ => None,
        };
        let beside_rake = !methods.is_empty();
        if !beside_rake || rng.random_range(0..4) == 0 {
            let per_table = rng.random_range(0..3) == 0;
            let (basis, hourly, interval) = match per_table {
                true => ("per_table", 6_000, 20),
                false => ("per_player", 1_000, 30),
            };
            self.time = Some(Time {
                charge: hourly * interval / 60,
                per_table,
                beside_rake,
            });
            methods.push(json!({"method": "time", "basis": basis, "hourly": hourly,
                "interval": interval}));
        }
        Value::Array(methods)
    }
}

impl Poker {
    /// The sign of the table, and the options that say it.
    pub(super) fn post(&mut self, rng: &mut ChaCha8Rng) -> Value {
        let form = self.form;
        let small = [200, 400, 500].choose(rng).copied().unwrap_or(400);
        let betting = match form.family {
            Family::Board => ["limit", "pot_limit", "no_limit"].choose(rng).copied(),
            _ => Some("limit"),
        };
        let betting = betting.unwrap_or("limit");
        let spread = betting == "limit" && rng.random_range(0..4) == 0;
        let mut limits = Vec::new();
        for round in 0..form.rounds {
            let min = if round >= form.rounds / 2 {
                small * 2
            } else {
                small
            };
            let max = match (betting, spread) {
                ("limit", false) => Some(min),
                ("limit", true) => Some(min * 5),
                _ => None,
            };
            limits.push((min, max));
        }
        let mut sign = Sign {
            limits,
            check_raise: rng.random_range(0..4) > 0,
            max_raises: (betting == "limit").then_some(4),
            pot_limit: betting == "pot_limit",
            previous_increment: rng.random_range(0..3) == 0,
            reopen: ["any", "full", "half"]
                .choose(rng)
                .copied()
                .unwrap_or("any"),
            ..Sign::default()
        };
        let odd_chip = ["card_by_suit", "first_seat"].choose(rng);
        let unit = [100, 50, 25].choose(rng);
        let min_raise = match sign.previous_increment {
            true => "previous_increment",
            false => "posted_min",
        };
        let mut options = json!({"form": form.name, "betting": betting, "bet_limits": sign.limits,
            "check_raise": sign.check_raise, "min_raise": min_raise, "reopen": sign.reopen,
"odd_chip": odd_chip, "chip_unit": unit});
        if let Some(most) = sign.max_raises {
            options["max_raises"] = json!(most);
        }
        if form.is_stud() {
            sign.ante = [50, 100].choose(rng).copied().unwrap_or(100);
            sign.forced = small / 2;
            options["forced_bet"] = json!(sign.forced);
        } else {
            sign.blinds = vec![small / 2, small];
            options["blinds"] = json!(sign.blinds);
            sign.ante = [0, 0, 100].choose(rng).copied().unwrap_or(0);
            sign.ante_by = ["each", "big_blind", "button"]
                .choose(rng)
                .copied()
                .unwrap_or("each");
            sign.button_small = rng.random_range(0..2) == 0;
            sign.extra_posts = rng.random_range(0..2) == 0;
            options["ante_by"] = json!(sign.ante_by);
            if sign.button_small {
                options["heads_up_blinds"] = json!("button_small");
            }
            options["extra_posts"] = json!(sign.extra_posts);
        }
        sign.tournament = rng.random_range(0..4) == 0;
        options["tournament"] = json!(sign.tournament);
        if form.name == "seven_card_stud_high" {
            sign.open_pair_double = rng.random_range(0..2) == 0;
            options["open_pair_double"] = json!(sign.open_pair_double);
        }
        options["ante"] = json!(sign.ante);
        if form.kills && rng.random_range(0..2) == 0 {
            let (kill, word) = match rng.random_range(0..2) == 0 {
                true => (Kill::Whole, "kill"),
                false => (Kill::Half, "half_kill"),
            };
            sign.kill = Some(kill);
            options["kill"] = match rng.random_range(0..2) == 0 {
                true => json!({"type": word, "amount": small * 10}),
                false => json!({"type": word, "multiple": 8}),
            };
        } else if form.straddles && rng.random_range(0..2) == 0 {
            sign.straddle = Some(small * 2);
            options["straddle"] = json!(small * 2);
        }
        options["rake"] = sign.post_rake(rng);
        if sign.time.is_none_or(|time| time.beside_rake) {
            options["no_flop_no_drop"] = json!(rng.random_range(0..2) == 0);
        }
        if form.is_high && rng.random_range(0..2) == 0 {
            sign.fund = true;
            let weakest = match form.family {
                Family::Mambo => vec!["QS", "QH", "2C"],
                _ => vec!["TS", "TH", "TD", "2C", "2S"],
            };
            let drop = match rng.random_range(0..3) {
                0 => json!({"method": "percent", "rate_bp": 200, "max": 200, "min_pot": 1500,
                    "unit": 50}),
                _ => json!({"method": "fixed", "amount": 100, "min_pot": 2000}),
            };
            options["jackpot"] = json!({"drop": drop, "pay": {"qualifier": weakest,
                "hole_cards": rng.random_range(0..2),
                "shares": {"loser": 50, "winner": 25, "table": 25}}});
            if self.amended && rng.random_range(0..2) == 0 {
                sign.withheld_bp = 1_000;
                options["jackpot"]["withheld_bp"] = json!(sign.withheld_bp);
            }
        }
        // Where the house does not say, rake goes into the box.
        let place = [None, Some("tray"), Some("drop_box")].choose(rng).copied();
        if let Some(place) = place.flatten() {
            options["rake_to"] = json!(place);
            sign.rake_to_tray = place == "tray";
        }
        self.sign = sign;
        options
    }
}

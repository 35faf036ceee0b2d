//! The Multi-Link meter as one table shows it: the tables of both games feed it.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, MeterRead};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settlement, Verdict};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::amount;
use crate::games::Dealt;
use crate::meters::Linked;

pub(super) const KIND: &str = "progressive";
/// Of each chip so much feeds the meter.
const FED_PERCENT: i64 = 70;

/// The sensor takes a chip of another amount: it is no progressive wager. PC 1.A.i
pub(super) fn take_wrong_chip(dealt: &mut Dealt) -> Option<Vec<&'static str>> {
    let chip = dealt
        .wagers
        .iter_mut()
        .find(|wager| wager["kind"] == KIND)?;
    chip["amount"] = json!(amount(chip) + 300);
    Some(vec!["wager.progressive_amount"])
}

#[derive(Debug, Default)]
pub(super) struct Meter {
    pub(super) offered: bool,
    /// The chip that the sensor takes.
    pub(super) bet: i64,
    reset: i64,
    shown: i64,
}

impl Meter {
    pub(super) fn open(offered: bool, rng: &mut ChaCha8Rng) -> Meter {
        let reset = [1_000_000, 2_000_000][rng.random_range(0..2)];
        Meter {
            offered,
            bet: [100, 500][rng.random_range(0..2)],
            reset,
            shown: reset + rng.random_range(0..2_000_000),
        }
    }

    /// Posts what the house says of it.
    pub(super) fn post(&self, options: &mut Value) {
        options["progressive"] = json!(self.offered);
        options["progressive_bet"] = json!(self.bet);
        options["progressive_reset"] = json!(self.reset);
    }

    /// Tables with the same chip and the same prize to start from are one link, whatever they play.
    pub(super) fn linked(&self) -> Vec<Linked> {
        let linked = Linked {
            link: format!("multi-link-{}-{}", self.bet, self.reset),
            meter: KIND.to_owned(),
            shown: Cents::new(self.shown),
            reset: Cents::new(self.reset),
        };
        self.offered.then_some(linked).into_iter().collect()
    }

    pub(super) fn show(&mut self, shown: Cents) {
        self.shown = shown.get();
    }

    /// What the display shows when a round opens.
    pub(super) fn read(&self) -> Option<BTreeMap<String, Cents>> {
        let meters = BTreeMap::from([(KIND.to_owned(), Cents::new(self.shown))]);
        self.offered.then_some(meters)
    }

    /// The same in the document.
    pub(super) fn document(&self, play: &mut Value) {
        if self.offered {
            play["meters"] = json!({ "progressive": self.shown });
        }
    }

    /// Shares come off the meter in dealing order, and the display is read again.
    pub(super) fn settled(&mut self, dealt: &Dealt, settlement: &Settlement) -> Vec<Body> {
        let before = self.shown;
        let mut staked = 0;
        for (wager, settled) in dealt.wagers.iter().zip(settlement.wagers()) {
            let award = settled.returned.get();
            if wager["kind"] == KIND && settled.result != Verdict::Void {
                staked += self.bet;
            }
            // Fixed awards and envy are less than a tenth of the smallest meter, or just as much.
            if wager["kind"] == KIND && award > self.reset / 10 {
                self.shown -= award;
                if self.shown <= 0 {
                    self.shown = self.reset;
                }
            }
        }
        let read = MeterRead {
            meter: KIND.to_owned(),
            amount: Cents::new(self.shown),
            ..MeterRead::default()
        };
        let is_won = before != self.shown;
        self.shown += staked * FED_PERCENT / 100;
        match is_won {
            true => vec![read.into()],
            false => Vec::new(),
        }
    }
}

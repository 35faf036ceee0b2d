//! One table and what happens there, by the clock.

use std::sync::{Arc, LazyLock};

use catwalk_events::{Timestamp, json};
use catwalk_rules::Rulebook;
use catwalk_rules::equipment::WatchFinding;
use catwalk_settler::{Finding, Output, Settler};
use catwalk_stories::{assert_told_apart, settler};
use serde_json::{Value, json};

/// Every code of the watch, of all jurisdictions.
pub(crate) fn filed() -> impl Iterator<Item = &'static WatchFinding> {
    static RULEBOOK: LazyLock<Arc<Rulebook>> = LazyLock::new(catwalk_stories::rulebook);
    let chapters = RULEBOOK.chapters().iter();
    let filed = chapters.flat_map(|chapter| chapter.findings());
    filed.chain(RULEBOOK.everywhere())
}

/// Types of events that belong to a round.
const OF_ROUND: [&str; 22] = [
    "round_opened",
    "wager_placed",
    "wager_changed",
    "wager_removed",
    "betting_closed",
    "card_dealt",
    "card_revealed",
    "dice_rolled",
    "wheel_spun",
    "tiles_dealt",
    "decision",
    "hand_set",
    "irregularity",
    "wager_paid",
    "wager_collected",
    "wager_pushed",
    "commission_collected",
    "pot_awarded",
    "jackpot_paid",
    "jackpot_drop_taken",
    "round_closed",
    "round_voided",
];

pub(crate) struct Story {
    pub(crate) settler: Settler,
    pub(crate) seq: u64,
    start: i64,
    pub(crate) round: u32,
    pub(crate) findings: Vec<Finding>,
    pub(crate) unread: usize,
    last: Option<Value>,
    /// The next event comes only after the one that follows it.
    holds: bool,
    held: Option<Value>,
}

impl Story {
    /// A table that nothing was told of yet. The clock begins at six in the morning.
    pub(crate) fn new() -> Story {
        let start: Timestamp = "2026-11-15T06:00:00Z".parse().unwrap();
        Story {
            settler: settler(),
            seq: 0,
            start: start.micros(),
            round: 0,
            findings: Vec::new(),
            unread: 0,
            last: None,
            holds: false,
            held: None,
        }
    }

    /// So many seconds after the start, this happens.
    pub(crate) fn tell(&mut self, source: &str, seconds: i64, body: Value) -> &mut Story {
        let kind = body["type"].as_str().unwrap().to_owned();
        self.round += u32::from(kind == "round_opened");
        let round = (self.round > 0 && OF_ROUND.contains(&kind.as_str()))
            .then(|| format!("r{}", self.round));
        self.send(source, seconds, round, body)
    }

    /// The same without a round.
    pub(crate) fn tell_loose(&mut self, seconds: i64, body: Value) -> &mut Story {
        self.send("device", seconds, None, body)
    }

    /// The same in a round by its name.
    pub(crate) fn tell_in(&mut self, round: &str, seconds: i64, body: Value) -> &mut Story {
        self.send("device", seconds, Some(round.to_owned()), body)
    }

    fn send(
        &mut self,
        source: &str,
        seconds: i64,
        round: Option<String>,
        body: Value,
    ) -> &mut Story {
        self.seq += 1;
        let at = Timestamp::from_micros(self.start + seconds * 1_000_000);
        let mut event = json!({"id": format!("e{}", self.seq), "property": "ebh", "table": "T-1",
            "seq": self.seq, "at": at.to_string(), "source": {"kind": source, "id": "s"}, "body": body});
        if let Some(round) = round {
            event["round"] = json!(round);
        }
        self.last = Some(event.clone());
        if std::mem::take(&mut self.holds) {
            self.held = Some(event);
            return self;
        }
        self.receive(&event);
        if let Some(held) = self.held.take() {
            self.receive(&held);
        }
        self
    }

    /// The next event changes places with the one after it on its way.
    pub(crate) fn hold(&mut self) {
        self.holds = true;
    }

    /// So many seconds after the start a finding was made.
    pub(crate) fn seconds_of(&self, finding: &Finding) -> i64 {
        (finding.at.micros() - self.start) / 1_000_000
    }

    /// The feed sends the last event a second time.
    pub(crate) fn again(&mut self) {
        let event = self.last.clone().unwrap();
        self.receive(&event);
    }

    /// The number of the last event comes again, with this.
    pub(crate) fn otherwise(&mut self, body: Value) {
        let mut event = self.last.clone().unwrap();
        event["body"] = body;
        self.receive(&event);
    }

    pub(crate) fn finish(&mut self) {
        let outputs = self.settler.finish();
        self.take(outputs);
    }

    fn receive(&mut self, event: &Value) {
        let event = json::read(&event.to_string());
        let outputs = self.settler.receive(event.unwrap());
        self.take(outputs);
    }

    fn take(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Finding(finding) => self.findings.push(*finding),
                Output::Unread(_) => self.unread += 1,
                Output::Settlement(_) => {}
            }
        }
        assert_told_apart(&self.findings);
    }
}

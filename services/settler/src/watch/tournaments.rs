//! Tournaments: filed in time, all money paid out, and as many chips afterwards as before.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, TournamentClosed};
use catwalk_events::{Event, Timestamp};
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

use super::{AtTable, DAY, HOUR, Sighting, make_room};

/// So many tournaments are kept, the one told of longest ago first to go.
const MAX_TOURNAMENTS: usize = 16;
/// Between these offsets lies the local time of Massachusetts, in summer and in winter.
const EARLIEST_LOCAL: i64 = -5 * HOUR;
const LATEST_LOCAL: i64 = -4 * HOUR;

/// What was told of each tournament until it closed.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Tournaments {
    open: BTreeMap<String, Told>,
    /// Events are missing: a notice may be among them.
    blind: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Told {
    filed: Option<(Timestamp, u64)>,
    buy_ins: Option<Cents>,
    tips: Option<Cents>,
    /// Chips when it began.
    chips: Option<(u32, u64)>,
    last_seq: u64,
}

impl Tournaments {
    pub(super) fn lose(&mut self) {
        self.open.clear();
        self.blind = true;
    }

    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        let Some(rule) = &table.chapter.tournament else {
            return;
        };
        let notice = rule.notice_business_days;
        let (at, seq) = (event.at, event.seq);
        match &event.body {
            Body::TournamentFiled(filed) => {
                let told = self.told(&filed.tournament, seq);
                told.filed.get_or_insert((at, seq));
                told.tips = filed.tips.or(told.tips);
            }
            Body::TournamentOpened(opened) => {
                let blind = self.blind;
                let told = self.told(&opened.tournament, seq);
                told.buy_ins = opened.buy_ins.or(told.buy_ins);
                told.tips = opened.tips.or(told.tips);
                told.chips = opened.chips.map(|chips| (chips, seq));
                let in_time = told
                    .filed
                    .map(|(filed, _)| business_days(filed, at, notice) >= notice);
                if !in_time.unwrap_or(blind) {
                    let name = &opened.tournament;
                    let message =
                        format!("Tournament {name} began without {notice} business days' notice");
                    let filed = told.filed.map(|(_, seq)| seq);
                    let evidence = filed.into_iter().chain([seq]).collect();
                    seen.push(Sighting::new("tournament.notice", evidence, message).about(name));
                }
            }
            Body::TournamentClosed(closed) => {
                let told = self.open.remove(&closed.tournament).unwrap_or_default();
                told.close(closed, seq, seen);
            }
            _ => {}
        }
    }

    fn told(&mut self, name: &str, seq: u64) -> &mut Told {
        if !self.open.contains_key(name) {
            make_room(&mut self.open, MAX_TOURNAMENTS - 1, |told| told.last_seq);
        }
        let told = self.open.entry(name.to_owned()).or_default();
        told.last_seq = seq;
        told
    }
}

impl Told {
    fn close(&self, closed: &TournamentClosed, seq: u64, seen: &mut Vec<Sighting>) {
        let name = &closed.tournament;
        let began = self.chips.map(|(_, seq)| seq);
        let evidence = || began.into_iter().chain([seq]).collect();
        // Tips may be withheld only if the participants were told of them: 147.05(4).
        let told = self.tips.filter(|told| *told == Cents::ZERO);
        let tips = told.or(closed.tips).or(self.tips).unwrap_or_default();
        // The house may add to the prizes; it may not keep of them.
        if let (Some(collected), Some(prizes)) = (closed.buy_ins.or(self.buy_ins), closed.prizes)
            && prizes + tips < collected
        {
            let message = format!(
                "Tournament {name} collected {collected}, and paid {prizes} in prizes and {tips} in tips"
            );
            seen.push(Sighting::new("tournament.prize_pool", evidence(), message).about(name));
        }
        if let (Some((before, _)), Some(after)) = (self.chips, closed.chips)
            && before != after
        {
            let message =
                format!("Tournament {name} began with {before} chips and ended with {after}");
            seen.push(Sighting::new("tournament.chips", evidence(), message).about(name));
        }
    }
}

/// Business days after the day of filing until the day of the tournament, at most as many as there can
/// be: holidays are not known, and where a day ends only nearly.
fn business_days(filed: Timestamp, opened: Timestamp, enough: i64) -> i64 {
    let day = |at: Timestamp, offset: i64| (at.micros() + offset).div_euclid(DAY);
    let (first, last) = (day(filed, EARLIEST_LOCAL), day(opened, LATEST_LOCAL));
    if last - first > 4 * enough {
        return enough;
    }
    // Day 0 was a Thursday.
    let is_business = |day: &i64| !matches!((day + 4).rem_euclid(7), 0 | 6);
    let days = (first + 1..=last).filter(is_business).count();
    i64::try_from(days).unwrap_or(i64::MAX)
}

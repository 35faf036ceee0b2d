//! Limits and notices: the ten-times rule, and what must be announced before it changes.

use catwalk_events::body::{Body, NoticeChange, NoticePosted};
use catwalk_events::{Event, PostedLimit, Timestamp};
use catwalk_rules::book::{Book, Pay};
use catwalk_rules::floor::{Cents, Odds};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Floor, MINUTE, Sighting};
use crate::table::RulesInForce;

const NOTICE_MINUTES: i64 = 30;
/// So many notices that were not used yet are kept, the oldest first to go.
const MAX_NOTICES: usize = 64;
/// The ten-times rule holds up to this minimum.
const RATIO_MINIMUM: Cents = Cents::new(10_000);

/// The notices that no change has used yet, and the limits as they were last judged.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Notices {
    unused: Vec<Notice>,
    limits: Vec<PostedLimit>,
    /// The tournament's own rules set what may be bet.
    tournament: bool,
    /// The Bureau may change the rules of a field trial at any time.
    trial: bool,
    /// So many events are missing, each of which may be a notice of one change.
    missing: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Notice {
    id: Option<String>,
    change: NoticeChange,
    announced: bool,
    bureau_notified: bool,
    effective_at: Timestamp,
    at: Timestamp,
}

impl Notice {
    fn of(posted: &NoticePosted, at: Timestamp) -> Notice {
        Notice {
            id: posted.notice.clone(),
            change: posted.change,
            announced: posted.announced,
            bureau_notified: posted.bureau_notified,
            effective_at: posted.effective_at,
            at,
        }
    }
}

impl Notices {
    pub(super) fn lose(&mut self, events: u64) {
        self.missing = self.missing.saturating_add(events);
    }

    pub(super) fn see(&mut self, event: &Event, floor: &Floor<'_>, seen: &mut Vec<Sighting>) {
        let seq = event.seq;
        match &event.body {
            Body::NoticePosted(posted) => {
                let lead = posted
                    .effective_at
                    .micros()
                    .saturating_sub(event.at.micros());
                let in_order =
                    posted.announced && posted.bureau_notified && lead >= NOTICE_MINUTES * MINUTE;
                // Only a table that is operated is bound.
                let bound = (floor.is_open || floor.rules.is_none()) && !self.trial;
                if posted.change == NoticeChange::Requirement && bound && !in_order {
                    let message =
                        "A requirement takes effect without half an hour's notice".to_owned();
                    seen.push(Sighting::new("requirement.notice", vec![seq], message));
                }
                self.unused.push(Notice::of(posted, event.at));
                if self.unused.len() > MAX_NOTICES {
                    self.unused.remove(0);
                }
            }
            Body::RulesChanged(changed) => {
                let in_order = |notice: &Notice| {
                    let lead = event.at.micros().saturating_sub(notice.at.micros());
                    notice.change == NoticeChange::Rules
                        && notice.announced
                        && notice.bureau_notified
                        && lead >= NOTICE_MINUTES * MINUTE
                        && notice.effective_at <= event.at
                };
                // What is the same rules again needs no notice.
                let is_change = floor.rules.is_none_or(|rules| {
                    rules.edition != changed.edition
                        || *rules.options.value() != changed.options.value()
                });
                let is_bound = floor.is_open && !self.trial;
                if is_change && !self.is_told(changed.notice.as_deref(), is_bound, in_order) {
                    let message = "The rules changed without half an hour's notice".to_owned();
                    seen.push(Sighting::new("rules.notice", vec![seq], message));
                }
            }
            Body::LimitsChanged(changed) => {
                let in_order =
                    |notice: &Notice| notice.change == NoticeChange::Limits && notice.announced;
                let is_same = |rules: &RulesInForce| {
                    let is_posted = |limit| rules.limits.contains(limit);
                    rules.limits.len() == changed.limits.len()
                        && changed.limits.iter().all(is_posted)
                };
                let is_change = !floor.rules.is_some_and(is_same);
                let is_bound = floor.is_open && !self.tournament;
                if is_change && !self.is_told(changed.notice.as_deref(), is_bound, in_order) {
                    let message = "The limits changed without sign and announcement".to_owned();
                    seen.push(Sighting::new("limits.notice", vec![seq], message));
                }
                if let Some(rules) = floor.rules {
                    let rules = RulesInForce {
                        limits: changed.limits.clone(),
                        ..rules.clone()
                    };
                    self.check_ratios(&rules, floor, seq, seen);
                }
            }
            Body::TableOpened(opened) => {
                let before = floor.rules.map(|rules| (&rules.game, &rules.edition));
                if before != Some((&opened.game, &opened.edition)) {
                    self.limits.clear();
                }
                self.missing = 0;
                self.tournament = opened.tournament == Some(true);
                self.trial = opened.trial == Some(true);
                self.check_ratios(&RulesInForce::of(opened), floor, seq, seen);
            }
            _ => {}
        }
    }

    /// Was this change announced, as far as it had to be? Its notice is used up also where none was needed,
    /// so that it is not taken for that of a later change, and so is an event of which nobody knows that it
    /// was none.
    fn is_told(
        &mut self,
        id: Option<&str>,
        is_bound: bool,
        in_order: impl Fn(&Notice) -> bool,
    ) -> bool {
        if self.take(id, in_order) || !is_bound {
            return true;
        }
        let may_be_missing = self.missing > 0;
        self.missing = self.missing.saturating_sub(1);
        may_be_missing
    }

    /// Uses up the first notice that fits; false if there is none.
    fn take(&mut self, id: Option<&str>, in_order: impl Fn(&Notice) -> bool) -> bool {
        let named =
            |notice: &Notice| id.is_none() || notice.id.is_none() || notice.id.as_deref() == id;
        let at = self
            .unused
            .iter()
            .position(|notice| named(notice) && in_order(notice));
        at.map(|at| self.unused.remove(at)).is_some()
    }

    /// A maximum of at least ten times the minimum, for a minimum up to $100 on odds up to 5 to 1.
    fn check_ratios(
        &mut self,
        rules: &RulesInForce,
        floor: &Floor<'_>,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        let book = floor
            .rulebook
            .game(&rules.game)
            .ok()
            .map(|game| game.book());
        for limit in rules
            .limits
            .iter()
            .filter(|limit| !self.limits.contains(limit))
        {
            let bound = !self.tournament
                && limit.min <= RATIO_MINIMUM
                && book.is_some_and(|book| pays_at_most_five(book, rules, &limit.kind));
            if bound && limit.max < limit.min.times(10) {
                let message = format!(
                    "The maximum of {} on {} is below ten times its minimum of {}",
                    limit.max, limit.kind, limit.min
                );
                seen.push(Sighting::new("limits.ratio", vec![seq], message));
            }
        }
        self.limits.clone_from(&rules.limits);
    }
}

/// Is the highest row of the wager's odds at most 5 to 1, as the table posts them? A wager that can win
/// a fixed sum or a share of a meter is beyond that.
fn pays_at_most_five(book: &Book, rules: &RulesInForce, kind: &str) -> bool {
    let Some(edition) = catwalk_rules::Edition::from_name(&rules.edition) else {
        return false;
    };
    let wager = book
        .wagers()
        .iter()
        .find(|wager| wager.kind == kind && wager.editions.holds(edition));
    let Some(wager) = wager.filter(|wager| !wager.pays.is_empty()) else {
        return false;
    };
    let overrides = rules.option("pays").unwrap_or_default();
    let overrides = &overrides;
    let pays = wager.pays.iter().flat_map(|target| {
        let (id, key) = target
            .split_once('.')
            .map_or((&**target, None), |(id, key)| (id, Some(key)));
        let tables = book
            .tables()
            .iter()
            .filter(move |t| t.id == id && t.editions.holds(edition))
            .filter(|t| is_in_force(rules, &t.id));
        tables.flat_map(move |table| {
            table
                .rows
                .iter()
                .filter(move |row| key.is_none_or(|key| row.key == key))
                .map(move |row| posted_odds(overrides, &table.id, &row.key).unwrap_or(row.pays))
        })
    });
    let five = Odds::to(5, 1);
    let mut pays = pays.peekable();
    pays.peek().is_some()
        && pays.all(|pay| match pay {
            Pay::Odds(odds) => Some(odds) <= five,
            Pay::Push | Pay::Lose => true,
            Pay::Fixed(_) | Pay::Meter(_) => false,
        })
}

/// Odds of its own that a house posts for a row, named by the row alone or under its table.
fn posted_odds(overrides: &Value, table: &str, row: &str) -> Option<Pay> {
    let odds = overrides.get(table).unwrap_or(overrides).get(row)?;
    let odds = odds.as_str()?.parse::<Odds>().ok()?;
    Some(Pay::Odds(odds))
}

/// Is this one of the tables that the table's options choose? What a hand wins beside its odds is not
/// among the odds of a wager.
fn is_in_force(rules: &RulesInForce, table: &str) -> bool {
    let word = |key: &str, otherwise: &str| {
        let posted = rules.option(key);
        let posted = posted.map(|value| match value {
            Value::String(word) => word.to_lowercase(),
            value => value.to_string(),
        });
        posted.unwrap_or_else(|| otherwise.to_owned())
    };
    match &*rules.game {
        "three_card_poker" if table.starts_with("ante_bonus_") => {
            let otherwise = match word("version", "open").as_str() {
                "open" => "standard",
                _ => "a",
            };
            table == format!("ante_bonus_{}", word("ante_bonus", otherwise))
        }
        "blackjack" if table.starts_with("royal_match_") && table.contains("_deck_") => {
            let (decks, option) = (word("decks", "6"), word("royal_match_option", "1"));
            table == format!("royal_match_{decks}_deck_option_{option}")
        }
        "spanish_21" => table != "super_bonus",
        _ => true,
    }
}

//! Limits and notices: the ten-times rule, and what must be announced before it changes.

use catwalk_events::body::{
    Body, LimitsChanged, NoticeChange, NoticePosted, RulesChanged, TableOpened,
};
use catwalk_events::{Event, PostedLimit, Timestamp};
use catwalk_rules::book::{Book, Pay};
use catwalk_rules::equipment::LimitRatio;
use catwalk_rules::floor::Odds;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AtTable, MINUTE, Sighting, changes};
use crate::table::RulesInForce;

/// So many notices that were not used yet are kept, the oldest first to go.
const MAX_NOTICES: usize = 64;

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

    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        match &event.body {
            Body::NoticePosted(posted) => self.post(posted, event, table, seen),
            Body::RulesChanged(changed) => self.change_rules(changed, event, table, seen),
            Body::LimitsChanged(changed) => {
                self.change_limits(changed, event.seq, table, seen);
                if let Some(rules) = table.rules {
                    let rules = RulesInForce {
                        limits: changed.limits.clone(),
                        ..rules.clone()
                    };
                    self.check_ratios(&rules, table, event.seq, seen);
                }
            }
            Body::TableOpened(opened) => {
                let before = table.rules;
                let before = before.map(|rules| (&*rules.game, rules.posted_edition()));
                if before != Some((&opened.game, &opened.edition)) {
                    self.limits.clear();
                }
                if table.is_open {
                    self.change_by_opening(opened, event, table, seen);
                }
                self.missing = 0;
                self.tournament = opened.tournament == Some(true);
                self.trial = opened.trial == Some(true);
                let rules = RulesInForce::of(opened, table.rulebook);
                self.check_ratios(&rules, table, event.seq, seen);
            }
            _ => {}
        }
    }

    /// A requirement has no change of its own: its notice is judged, and all others are kept.
    fn post(
        &mut self,
        posted: &NoticePosted,
        event: &Event,
        table: &AtTable<'_>,
        seen: &mut Vec<Sighting>,
    ) {
        let lead = posted.effective_at.micros();
        let lead = lead.saturating_sub(event.at.micros());
        let in_order = posted.announced && posted.bureau_notified && lead >= due_micros(table);
        // Only a table that is operated is bound.
        let bound = (table.is_open || table.rules.is_none()) && !self.trial;
        if posted.change == NoticeChange::Requirement && bound && !in_order {
            let notice = notice_of(table);
            let minutes = lead / MINUTE;
            let message = format!(
                "A requirement takes effect {minutes} minutes after it was posted, without {notice}"
            );
            seen.push(Sighting::new(
                "requirement.notice",
                vec![event.seq],
                message,
            ));
        }
        self.unused.push(Notice::of(posted, event.at));
        if self.unused.len() > MAX_NOTICES {
            self.unused.remove(0);
        }
    }

    fn change_rules(
        &mut self,
        changed: &RulesChanged,
        event: &Event,
        table: &AtTable<'_>,
        seen: &mut Vec<Sighting>,
    ) {
        let due = due_micros(table);
        let in_order = |notice: &Notice| {
            let lead = event.at.micros().saturating_sub(notice.at.micros());
            notice.change == NoticeChange::Rules
                && notice.announced
                && notice.bureau_notified
                && lead >= due
                && notice.effective_at <= event.at
        };
        // What is the same rules again needs no notice.
        let is_change = table.rules.is_none_or(|rules| {
            rules.posted_edition() != changed.edition
                || *rules.options.value() != changed.options.value()
        });
        let is_bound = table.is_open && !self.trial;
        if is_change && !self.is_told(changed.notice.as_deref(), is_bound, in_order) {
            let notice = notice_of(table);
            let now = changes::of_rules(table.rules, changed);
            let message = format!("The rules changed without {notice}: {now}");
            seen.push(Sighting::new("rules.notice", vec![event.seq], message));
        }
    }

    /// Who opens an open table under other rules has changed them.
    fn change_by_opening(
        &mut self,
        opened: &TableOpened,
        event: &Event,
        table: &AtTable<'_>,
        seen: &mut Vec<Sighting>,
    ) {
        if table.rules.is_none_or(|rules| rules.game != opened.game) {
            return;
        }
        let rules = RulesChanged {
            edition: opened.edition.clone(),
            options: opened.options.clone(),
            notice: None,
        };
        self.change_rules(&rules, event, table, seen);
        let limits = LimitsChanged {
            limits: opened.limits.clone(),
            notice: None,
        };
        self.change_limits(&limits, event.seq, table, seen);
    }

    fn change_limits(
        &mut self,
        changed: &LimitsChanged,
        seq: u64,
        table: &AtTable<'_>,
        seen: &mut Vec<Sighting>,
    ) {
        let in_order = |notice: &Notice| notice.change == NoticeChange::Limits && notice.announced;
        let is_same = |rules: &RulesInForce| {
            let is_posted = |limit| rules.limits.contains(limit);
            rules.limits.len() == changed.limits.len() && changed.limits.iter().all(is_posted)
        };
        let is_change = !table.rules.is_some_and(is_same);
        let is_bound = table.is_open && !self.tournament;
        if is_change && !self.is_told(changed.notice.as_deref(), is_bound, in_order) {
            let was = table.rules.map_or(&[][..], |rules| rules.limits.as_slice());
            let now = changes::of_limits(was, &changed.limits);
            let message = format!("The limits changed without sign and announcement: {now}");
            seen.push(Sighting::new("limits.notice", vec![seq], message));
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

    /// A maximum of at least ten times the minimum, for a minimum up to $100 on odds up to 5 to 1, where the
    /// jurisdiction asks for it.
    fn check_ratios(
        &mut self,
        rules: &RulesInForce,
        table: &AtTable<'_>,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        let Some(ratio) = &table.chapter.limit_ratio else {
            return;
        };
        let game = rules.game_in(table.rulebook).ok();
        let book = game.map(|game| game.book());
        for limit in rules
            .limits
            .iter()
            .filter(|limit| !self.limits.contains(limit))
        {
            let bound = !self.tournament
                && limit.min <= ratio.up_to_minimum
                && book.is_some_and(|book| pays_no_more(book, rules, &limit.kind, ratio));
            if bound && limit.max < limit.min.times(ratio.times) {
                let message = format!(
                    "The maximum of {} on {} is below {} times its minimum of {}",
                    limit.max, limit.kind, ratio.times, limit.min
                );
                seen.push(Sighting {
                    kind: Some(limit.kind.clone()),
                    ..Sighting::new("limits.ratio", vec![seq], message)
                });
            }
        }
        self.limits.clone_from(&rules.limits);
    }
}

/// The time between a notice and its change; none where the jurisdiction asks for none.
fn due_micros(table: &AtTable<'_>) -> i64 {
    let notice = table.chapter.notice.as_ref();
    notice.map_or(0, |notice| notice.minutes * MINUTE)
}

/// How long a change must be announced before it comes, in words.
fn notice_of(table: &AtTable<'_>) -> String {
    let notice = table.chapter.notice.as_ref();
    match notice.map(|notice| notice.minutes) {
        Some(30) => "half an hour's notice".to_owned(),
        Some(minutes) => format!("{minutes} minutes' notice"),
        None => "notice".to_owned(),
    }
}

/// Is the highest row of the wager's odds within those of the ratio, as the table posts them? A wager that can win
/// a fixed sum or a share of a meter is beyond that.
fn pays_no_more(book: &Book, rules: &RulesInForce, kind: &str, ratio: &LimitRatio) -> bool {
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
    let mut pays = pays.peekable();
    pays.peek().is_some()
        && pays.all(|pay| match pay {
            Pay::Odds(odds) => odds <= ratio.up_to_odds,
            Pay::Push | Pay::Lose => true,
            Pay::Fixed(_) | Pay::Meter(_) => false,
        })
}

/// Odds of its own that a house posts for a row, named by the row alone or under its table: the highest, where the
/// row is of several.
fn posted_odds(overrides: &Value, table: &str, row: &str) -> Option<Pay> {
    let posted = overrides.get(table).unwrap_or(overrides).as_object()?;
    let of_row = posted.iter().filter(|(key, _)| covers(row, key));
    let odds = of_row.filter_map(|(_, odds)| odds.as_str()?.parse::<Odds>().ok());
    odds.max().map(Pay::Odds)
}

/// Is it the row of this name? `4_to_11` is that of all these numbers.
fn covers(row: &str, name: &str) -> bool {
    let bounds = row.split_once("_to_");
    let bounds =
        bounds.and_then(|(low, high)| Some((low.parse().ok()?, high.parse::<u32>().ok()?)));
    let number = name.parse::<u32>().ok();
    let within = |(low, high)| number.is_some_and(|number| (low..=high).contains(&number));
    row == name || bounds.is_some_and(within)
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

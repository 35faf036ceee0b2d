//! `catwalk replay`: settles an archive's rounds again from its events, and says what changed.

mod compare;

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::time::Duration;

use catwalk_events::body::Body;
use catwalk_events::{Event, Source, SourceKind, Timestamp, audit, json};
use catwalk_query::{Bounds, ScalarValue, Session};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Refusal, Rulebook};
use catwalk_settler::{Output, SettledRound, Settler, Uniformity};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Deserialize;

use self::compare::{Findings, Found, Judged, JudgedWager, Tally, Tell, state};
use crate::editions::RulesArgs;
use crate::query::{ArchiveArgs, LookArgs};
use crate::{Verdict, bad_usage};

/// Settle the rounds of the archive again from its events, and say what changed.
///
/// Each table is played again from its first event, so that it stands as it stood; the rounds that ended between
/// --since and --until are compared with the settlements in the archive. Where nothing is left out, the findings that
/// the events give are compared too, except those that no table gives by itself. Without --rules nothing may change:
/// if something does, or there was nothing to compare, the exit status is 1.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  catwalk replay\n  \
    catwalk replay --table MB-05 --since 2026-11-15T20:00:00Z --until 2026-11-15T21:00:00Z\n  \
    catwalk replay --rules oh-jack-2017")]
pub(crate) struct Args {
    /// Compare rounds that ended from this moment on.
    #[arg(long, value_name = "MOMENT")]
    since: Option<Timestamp>,

    /// Compare rounds that ended before this moment.
    #[arg(long, value_name = "MOMENT")]
    until: Option<Timestamp>,

    /// Only this table.
    #[arg(long)]
    table: Option<String>,

    /// Judge by this edition of the rules, at the tables whose game has it.
    #[arg(long, value_name = "EDITION")]
    rules: Option<String>,

    #[command(flatten)]
    house: RulesArgs,

    #[command(flatten)]
    archive: ArchiveArgs,

    #[command(flatten)]
    look: LookArgs,
}

/// Years of a large floor may be played again.
const REPLAY_TIME: Duration = Duration::from_secs(365 * 24 * 3600);

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let mut out = BufWriter::new(io::stdout());
    let tally = replay(args, &mut |_, told| writeln!(out, "{told}"))?;
    tally.sum(&mut out)?;
    out.flush()?;
    anyhow::ensure!(
        tally.rounds() > 0,
        "no round is in the archive that ended then: nothing was compared"
    );
    Ok(match tally.changes() {
        0 => Verdict::Fine,
        _ if args.rules.is_some() => Verdict::Fine,
        _ => Verdict::FoundWrong,
    })
}

/// Settles all rounds of an archive again: the tables of the archive in which something changed, with a sentence each,
/// and the sum of it.
pub(crate) fn again(
    house: &RulesArgs,
    archive: &str,
    look: &LookArgs,
) -> anyhow::Result<(Vec<(&'static str, String)>, String)> {
    let args = Args {
        since: None,
        until: None,
        table: None,
        rules: None,
        house: house.clone(),
        archive: ArchiveArgs::at(archive),
        look: look.clone(),
    };
    let mut changes = Vec::new();
    let tally = replay(&args, &mut |table, told| {
        changes.push((table, told));
        Ok(())
    })?;
    let mut sum = Vec::new();
    tally.sum(&mut sum)?;
    let sum = String::from_utf8(sum)?.trim_end().to_owned();
    // What does not hold is never told as if it did, however it is told.
    if changes.is_empty() && tally.changes() > 0 {
        changes.push(("rounds", sum.clone()));
    }
    Ok((changes, sum))
}

fn replay(args: &Args, tell: &mut Tell<'_>) -> anyhow::Result<Tally> {
    let rulebook = args.house.rulebook()?;
    if let Some(name) = args.rules.as_deref()
        && rulebook.edition(name).is_none()
    {
        let known = rulebook.edition_names();
        bad_usage(&Refusal::unknown("--rules", name, "an edition", &known).to_string());
    }
    let replay = Replay {
        rulebook: Arc::new(rulebook),
        edition: args.rules.clone(),
        since: args.since.unwrap_or(Timestamp::from_micros(i64::MIN)),
        until: args.until.unwrap_or(Timestamp::from_micros(i64::MAX)),
    };
    let bounds = Bounds {
        time: REPLAY_TIME,
        ..Bounds::default()
    };
    args.archive.with(bounds, &args.look, async |session| {
        let tables = tables(&session, args.table.as_deref()).await?;
        if let (Some(table), []) = (&args.table, tables.as_slice()) {
            anyhow::bail!("no event of table {table:?} is in the archive");
        }
        let bar = ProgressBar::new(tables.len() as u64).with_style(
            ProgressStyle::with_template("replaying {bar:30} {pos} of {len} tables, {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        let findings = args.is_of_all().then(Findings::default);
        let mut tally = Tally::of(tables.len(), findings);
        let mut uniformity = Uniformity::new(&replay.rulebook);
        for table in &tables {
            let was = archived(&session, table, &replay).await?;
            let mut find = |finding| {
                if let Some(findings) = &mut tally.findings {
                    findings.give(finding);
                }
            };
            let is = replay.play(&session, table, &mut uniformity, &mut find).await?;
            bar.suspend(|| tally.compare(was, is, tell))?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        if let Some(findings) = &mut tally.findings {
            let sql = "SELECT id, code, severity, round, wager, due_cents, paid_cents, exposure_cents, \
                       message, resolves FROM findings";
            let mut rows = session.ask(sql, Vec::new()).await?;
            while let Some(rows) = rows.next::<Found>().await? {
                for found in rows {
                    findings.compare(found, tell)?;
                }
            }
            findings.finish(tell)?;
        }
        Ok(tally)
    })
}

impl Args {
    /// Is nothing left out, and judged as it was?
    fn is_of_all(&self) -> bool {
        self.since.is_none() && self.until.is_none() && self.table.is_none() && self.rules.is_none()
    }
}

/// How to settle again.
struct Replay {
    rulebook: Arc<Rulebook>,
    /// Instead of those in force at the tables.
    edition: Option<String>,
    since: Timestamp,
    until: Timestamp,
}

#[derive(Deserialize)]
struct TableRow {
    property: String,
    table_id: String,
}

#[derive(Deserialize)]
struct EventRow {
    id: String,
    seq: u64,
    at: i64,
    r#type: String,
    round: Option<String>,
    body: String,
    source_kind: SourceKind,
    source_id: String,
    shift: Option<String>,
    received_at: Option<i64>,
}

#[derive(Deserialize)]
struct RoundRow {
    round: String,
    complete: bool,
    voided: bool,
    rules: Option<String>,
    violations: Vec<String>,
}

#[derive(Deserialize)]
struct WagerRow {
    round: String,
    wager: String,
    kind: String,
    result: Option<String>,
    returned_cents: Option<i64>,
    difference_cents: Option<i64>,
}

async fn tables(session: &Session, table: Option<&str>) -> anyhow::Result<Vec<TableRow>> {
    let table = ScalarValue::Utf8(table.map(str::to_owned));
    // Rounds whose events are gone are missed, too.
    let sql = "SELECT property, table_id FROM events WHERE $table IS NULL OR table_id = $table \
               UNION SELECT property, table_id FROM rounds WHERE $table IS NULL OR table_id = $table \
               ORDER BY property, table_id";
    let tables = session.ask(sql, vec![("table".into(), table)]);
    Ok(tables.await?.read().await?)
}

/// The settlements that the archive has, by round.
async fn archived(
    session: &Session,
    table: &TableRow,
    replay: &Replay,
) -> anyhow::Result<BTreeMap<String, Judged>> {
    let ask = async |sql: &str| session.ask(sql, replay.values(table)).await;
    let rounds = "SELECT round, complete, voided, rules, violations FROM rounds \
                  WHERE property = $property AND table_id = $table \
                  AND closed_at >= $since AND closed_at < $until";
    let wagers = "SELECT round, wager, kind, result, returned_cents, difference_cents FROM wagers \
                  WHERE property = $property AND table_id = $table \
                  AND closed_at >= $since AND closed_at < $until ORDER BY closed_at, nth";
    let rounds: Vec<RoundRow> = ask(rounds).await?.read().await?;
    let judged = rounds.into_iter().map(|round| {
        let judged = Judged {
            state: state(round.complete, round.voided),
            rules: round.rules,
            violations: round.violations,
            wagers: Vec::new(),
            refused: None,
        };
        (round.round, judged)
    });
    let mut judged: BTreeMap<String, Judged> = judged.collect();
    let wagers: Vec<WagerRow> = ask(wagers).await?.read().await?;
    for wager in wagers {
        if let Some(round) = judged.get_mut(&wager.round) {
            round.wagers.push(JudgedWager {
                wager: wager.wager,
                kind: wager.kind,
                result: wager.result,
                returned: wager.returned_cents.map(Cents::new),
                difference: wager.difference_cents.map(Cents::new),
            });
        }
    }
    Ok(judged)
}

impl Replay {
    fn values(&self, table: &TableRow) -> Vec<(String, ScalarValue)> {
        let text = |text: &str| ScalarValue::from(text);
        let moment = |at: Timestamp| {
            ScalarValue::TimestampMicrosecond(Some(at.micros()), Some("UTC".into()))
        };
        vec![
            ("property".into(), text(&table.property)),
            ("table".into(), text(&table.table_id)),
            ("since".into(), moment(self.since)),
            ("until".into(), moment(self.until)),
        ]
    }

    /// Plays a table again, in the order in which its events arrived.
    async fn play(
        &self,
        session: &Session,
        table: &TableRow,
        uniformity: &mut Uniformity,
        find: &mut (dyn FnMut(audit::Finding) + Send),
    ) -> anyhow::Result<BTreeMap<String, Judged>> {
        let sql = "SELECT id, seq, at, type, round, body, source_kind, source_id, shift, received_at FROM events \
                   WHERE property = $property AND table_id = $table AND at < $until \
                   AND $since IS NOT NULL ORDER BY log_offset";
        let mut events = session.ask(sql, self.values(table)).await?;
        let mut settler = Settler::new(Arc::clone(&self.rulebook))?;
        let mut amendment = Amendment::new(&self.rulebook, self.edition.as_deref());
        let mut judged: BTreeMap<String, Judged> = BTreeMap::new();
        let mut reasons = Reasons::default();
        let span = self.since..self.until;
        while let Some(rows) = events.next::<EventRow>().await? {
            for row in rows {
                let mut event = event(table, row)?;
                amendment.amend(&mut event.body);
                for output in settler.receive(event) {
                    match output {
                        Output::Finding(finding) => {
                            reasons.note(&finding);
                            find(*finding);
                        }
                        Output::Settlement(round) => {
                            uniformity.receive(&*round).into_iter().for_each(&mut *find);
                            if !span.contains(&round.at) {
                                continue;
                            }
                            let refused = is_refused(&round).then(String::new);
                            let settlement = audit::Settlement::from(&*round);
                            let name = settlement.round.clone();
                            let now = Judged::from(settlement);
                            judged.insert(name, Judged { refused, ..now });
                        }
                        Output::Unread(_) => {}
                    }
                }
            }
        }
        for (round, now) in &mut judged {
            if let Some(why) = &mut now.refused {
                *why = reasons.of(round);
            }
        }
        Ok(judged)
    }
}

/// What was told of rounds of which the rules say nothing.
#[derive(Default)]
struct Reasons {
    by_round: BTreeMap<String, String>,
    /// Of all rounds of the table from some moment on.
    unauthorized: Option<String>,
}

impl Reasons {
    fn note(&mut self, finding: &audit::Finding) {
        match (&*finding.code, &finding.round) {
            ("rules.unauthorized", _) => self.unauthorized = Some(finding.message.clone()),
            ("round.unsettled", Some(round)) => {
                self.by_round.insert(round.clone(), finding.message.clone());
            }
            _ => {}
        }
    }

    fn of(&mut self, round: &str) -> String {
        let own = self.by_round.remove(round);
        let why = own.or_else(|| self.unauthorized.clone());
        why.unwrap_or_else(|| "its events make no document".to_owned())
    }
}

/// Was it told in full, and do the rules say nothing of it?
fn is_refused(round: &SettledRound) -> bool {
    round.settlement.is_none() && !round.voided && round.complete
}

fn event(table: &TableRow, row: EventRow) -> Result<Event, Refusal> {
    Ok(Event {
        id: row.id,
        property: table.property.clone(),
        table: table.table_id.clone(),
        seq: row.seq,
        at: Timestamp::from_micros(row.at),
        source: Source {
            kind: row.source_kind,
            id: row.source_id,
        },
        round: row.round,
        body: json::read_body(&row.r#type, &row.body)?,
        shift: row.shift,
        received_at: row.received_at.map(Timestamp::from_micros),
    })
}

/// Puts another edition in force at a table, as long as its game has that.
struct Amendment<'a> {
    rulebook: &'a Rulebook,
    edition: Option<&'a str>,
    /// Does the game that is on the table have it? A change of rules does not name the game.
    is_known: bool,
}

impl<'a> Amendment<'a> {
    fn new(rulebook: &'a Rulebook, edition: Option<&'a str>) -> Amendment<'a> {
        Amendment {
            rulebook,
            edition,
            is_known: false,
        }
    }

    fn amend(&mut self, body: &mut Body) {
        let Some(edition) = self.edition else {
            return;
        };
        let in_force = match body {
            Body::TableOpened(opened) => {
                let mut games = self.rulebook.games_in(edition).into_iter();
                self.is_known = games.any(|game| game.name() == opened.game);
                &mut opened.edition
            }
            Body::RulesChanged(changed) => &mut changed.edition,
            _ => return,
        };
        if self.is_known {
            edition.clone_into(in_force);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// The editions in force after each event of a table.
    fn in_force(game: &str, edition: &str) -> Vec<String> {
        let rulebook = Rulebook::load().unwrap();
        let mut amendment = Amendment::new(&rulebook, Some(edition));
        let opened = format!(
            r#"{{"game":"{game}","edition":"mgc-2017","options":{{}},"limits":[],"opening_inventory":0,
            "dealer":"d-1"}}"#
        );
        let changed = r#"{"edition":"mgc-2017","options":{}}"#;
        let events = [("table_opened", &*opened), ("rules_changed", changed)];
        let amended = events.map(|(name, fields)| {
            let mut body = json::read_body(name, fields).unwrap();
            amendment.amend(&mut body);
            match body {
                Body::TableOpened(opened) => opened.edition,
                Body::RulesChanged(changed) => changed.edition,
                other => panic!("{other:?}"),
            }
        });
        amended.into()
    }

    #[test]
    fn an_edition_is_put_in_force_when_a_table_opens_and_when_its_rules_change() {
        assert_eq!(in_force("roulette", "oh-jack-2017"), ["oh-jack-2017"; 2]);
    }

    #[test]
    fn an_edition_that_the_game_lacks_is_forced_on_no_change_of_its_rules() {
        assert_eq!(in_force("sic_bo", "oh-jack-2017"), ["mgc-2017", "mgc-2017"]);
    }
}

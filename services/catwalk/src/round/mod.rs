//! `catwalk round`: one round as a person would tell it.

mod html;
mod sentence;

use std::io::{self, Write};

use catwalk_events::{Timestamp, json};
use catwalk_query::{Bounds, Session};
use catwalk_rules::floor::Cents;
use clap::ValueEnum;
use comfy_table::CellAlignment;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use self::sentence::sentence;
use crate::query::{ArchiveArgs, LookArgs};
use crate::{Verdict, output};

/// Tell one round: wagers, cards, decisions, what was paid and what was due, and what was found.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  catwalk round MB-05-000123\n  \
    catwalk query \"SELECT round FROM rounds WHERE difference_cents <> 0\"")]
pub(crate) struct Args {
    /// The round.
    round: String,

    /// How to tell it.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,

    #[command(flatten)]
    archive: ArchiveArgs,

    #[command(flatten)]
    look: LookArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people.
    Text,
    /// One object with all that the archive has; money in cents.
    Json,
    /// A page that needs nothing beside it, to be kept or printed.
    Html,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    args.archive.with(Bounds::default(), &args.look, async |session| {
        let story = Story::read(&session, &args.round).await?;
        if story.events.is_empty() && story.rounds.is_empty() {
            anyhow::bail!(
                "no round {:?} is in the archive: `catwalk query --named rounds -p table=...` lists \
                 the rounds of a table",
                args.round
            );
        }
        let mut out = io::stdout().lock();
        match args.format {
            Form::Text => story.tell(&mut out)?,
            Form::Json => {
                serde_json::to_writer_pretty(&mut out, &story)?;
                writeln!(out)?;
            }
            Form::Html => story.page(&mut out)?,
        }
        Ok(Verdict::Fine)
    })
}

/// All that the archive has about a round.
#[derive(Serialize)]
struct Story {
    round: String,
    rounds: Vec<RoundRow>,
    events: Vec<EventRow>,
    wagers: Vec<WagerRow>,
    findings: Vec<FindingRow>,
}

#[derive(Deserialize, Serialize)]
struct RoundRow {
    property: String,
    table_id: String,
    game: String,
    edition: String,
    #[serde(serialize_with = "moment")]
    opened_at: i64,
    #[serde(serialize_with = "moment")]
    closed_at: i64,
    dealer: Option<String>,
    complete: bool,
    voided: bool,
    rules: Option<String>,
    staked_cents: i64,
    returned_cents: Option<i64>,
    given_cents: Option<i64>,
    difference_cents: Option<i64>,
}

#[derive(Deserialize, Serialize)]
struct EventRow {
    seq: i64,
    #[serde(serialize_with = "moment")]
    at: i64,
    r#type: String,
    #[serde(serialize_with = "as_json")]
    body: String,
}

#[derive(Deserialize, Serialize)]
struct WagerRow {
    wager: String,
    seat: i64,
    player: Option<String>,
    kind: String,
    amount_cents: i64,
    result: Option<String>,
    returned_cents: Option<i64>,
    given_cents: Option<i64>,
    difference_cents: Option<i64>,
}

#[derive(Deserialize, Serialize)]
struct FindingRow {
    code: String,
    severity: String,
    message: String,
    exposure_cents: i64,
    cites: Vec<String>,
    evidence: Vec<i64>,
}

impl Story {
    async fn read(session: &Session, round: &str) -> anyhow::Result<Story> {
        let ask = async |sql: &str| session.ask(sql, vec![("round".into(), round.into())]).await;
        let rounds = ask(
            "SELECT property, table_id, game, edition, opened_at, closed_at, dealer, complete, voided, \
             rules, staked_cents, returned_cents, given_cents, difference_cents \
             FROM rounds WHERE round = $round ORDER BY property, closed_at",
        );
        let events = ask(
            "SELECT seq, at, type, body FROM events WHERE round = $round \
             ORDER BY property, table_id, seq, log_offset",
        );
        let wagers = ask(
            "SELECT wager, seat, player, kind, amount_cents, result, returned_cents, given_cents, \
             difference_cents FROM wagers WHERE round = $round ORDER BY property, nth",
        );
        let findings = ask(
            "SELECT code, severity, message, exposure_cents, cites, evidence FROM findings \
             WHERE round = $round ORDER BY at, id",
        );
        Ok(Story {
            round: round.to_owned(),
            rounds: rounds.await?.read().await?,
            events: events.await?.read().await?,
            wagers: wagers.await?.read().await?,
            findings: findings.await?.read().await?,
        })
    }

    fn tell(&self, out: &mut dyn Write) -> io::Result<()> {
        self.tell_head(out)?;
        writeln!(out, "\nWhat happened")?;
        for event in &self.events {
            writeln!(out, "  {}  {}", clock(event.at), event.told())?;
        }
        if !self.wagers.is_empty() {
            writeln!(out, "\nWagers\n{}", self.wager_table())?;
        }
        for round in &self.rounds {
            writeln!(out, "\n{}", round.sum())?;
        }
        match self.findings.as_slice() {
            [] => writeln!(out, "\n{}", self.nothing_found()),
            findings => {
                writeln!(out, "\nFindings")?;
                findings.iter().try_for_each(|finding| finding.tell(out))?;
                match self.is_judged() {
                    true => Ok(()),
                    false => writeln!(out, "\n{NOT_HELD}"),
                }
            }
        }
    }

    fn is_judged(&self) -> bool {
        let judged = |round: &RoundRow| round.returned_cents.is_some();
        !self.rounds.is_empty() && self.rounds.iter().all(judged)
    }

    /// What nobody judged was not found in order.
    fn nothing_found(&self) -> &'static str {
        nothing_found(self.is_judged())
    }

    fn tell_head(&self, out: &mut dyn Write) -> io::Result<()> {
        for round in &self.rounds {
            let dealer = round.dealer.as_deref().unwrap_or("unknown");
            writeln!(
                out,
                "Round {}: {} ({}) at table {} of {}, dealer {dealer}\n{} to {} UTC",
                self.round,
                round.game,
                round.edition,
                round.table_id,
                round.property,
                Timestamp::from_micros(round.opened_at),
                clock(round.closed_at),
            )?;
        }
        if self.rounds.is_empty() {
            writeln!(out, "Round {}: not settled yet", self.round)?;
        }
        Ok(())
    }

    fn wager_table(&self) -> comfy_table::Table {
        let mut table = output::table(&[
            "wager",
            "seat",
            "player",
            "on",
            "stake",
            "result",
            "due",
            "given",
            "difference",
        ]);
        for wager in &self.wagers {
            table.add_row([
                wager.wager.clone(),
                wager.seat.to_string(),
                wager.player.clone().unwrap_or_default(),
                wager.kind.clone(),
                dollars(wager.amount_cents),
                wager.result.clone().unwrap_or_default(),
                wager.returned_cents.map(dollars).unwrap_or_default(),
                wager.given_cents.map(dollars).unwrap_or_default(),
                wager
                    .difference_cents
                    .filter(|cents| *cents != 0)
                    .map(dollars)
                    .unwrap_or_default(),
            ]);
        }
        for (index, column) in table.column_iter_mut().enumerate() {
            if [1, 4, 6, 7, 8].contains(&index) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
    }
}

impl RoundRow {
    fn sum(&self) -> String {
        let (Some(due), Some(given)) = (self.returned_cents, self.given_cents) else {
            let why = match (self.voided, self.complete) {
                (true, _) => "the floor declared it void",
                (_, false) => "events of it are missing",
                _ => "its document cannot be settled",
            };
            return format!("It was not judged: {why}.");
        };
        let difference = match self.difference_cents.unwrap_or(0) {
            0 => "as the rules say".to_owned(),
            lost if lost > 0 => format!("the house lost {}", dollars(lost)),
            kept => format!("the players lost {}", dollars(-kept)),
        };
        let rules = self.rules.as_deref().unwrap_or_default();
        let rules = rules.get(..12).unwrap_or(rules);
        format!(
            "{} staked, {} due back, {} given back: {difference}. (rules {rules})",
            dollars(self.staked_cents),
            dollars(due),
            dollars(given)
        )
    }
}

impl FindingRow {
    fn tell(&self, out: &mut dyn Write) -> io::Result<()> {
        let evidence: Vec<String> = self.evidence.iter().map(i64::to_string).collect();
        writeln!(
            out,
            "  {} {} ({}): {}",
            self.severity,
            self.code,
            dollars(self.exposure_cents),
            self.message
        )?;
        if !self.cites.is_empty() {
            writeln!(out, "    by {}", self.cites.join("; "))?;
        }
        writeln!(out, "    shown by events {}", evidence.join(", "))
    }
}

impl EventRow {
    /// A sentence, with the event's number.
    fn told(&self) -> String {
        format!("{} [{}]", self.words(), self.seq)
    }

    fn words(&self) -> String {
        told(&self.r#type, &self.body)
    }
}

/// Beside the findings of a round that nobody judged.
const NOT_HELD: &str = "What was paid in it was not held against the rules.";

/// What is said where there is no finding.
pub(crate) fn nothing_found(is_judged: bool) -> &'static str {
    match is_judged {
        true => "Nothing was found wrong.",
        false => "There is no finding; but what was paid was not held against the rules.",
    }
}

/// An event in a sentence.
pub(crate) fn told(kind: &str, body: &str) -> String {
    let read = json::read_body(kind, body).ok();
    let told = read.and_then(|body| sentence(&body));
    told.unwrap_or_else(|| format!("{} {body}", kind.replace('_', " ")))
}

fn dollars(cents: i64) -> String {
    Cents::new(cents).to_string()
}

/// The time of day, in UTC.
fn clock(micros: i64) -> String {
    let moment = Timestamp::from_micros(micros).to_string();
    moment.get(11..19).unwrap_or(&moment).to_owned()
}

fn moment<S: Serializer>(micros: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&Timestamp::from_micros(*micros).to_string())
}

/// A text that is JSON, as the JSON that it is.
fn as_json<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    match serde_json::from_str::<&RawValue>(text) {
        Ok(value) => value.serialize(serializer),
        Err(_) => serializer.serialize_str(text),
    }
}

//! `catwalk case`: what investigators ask about, who asked and by what right, and what must not go away meanwhile.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use catwalk_events::Timestamp;
use catwalk_events::audit::{Case, CaseAct, CaseAction, Cases};
use catwalk_log::{Log, Message, Topic};
use catwalk_wire::Formats;
use clap::Subcommand;

use crate::desk::{Client, new_id};
use crate::gateway::GatewayArgs;
use crate::log::LogArgs;
use crate::query::{LookArgs, command};
use crate::up::OnLog;
use crate::{Verdict, bad_usage};

/// How long a log is waited for while it is asked what it has.
const PATIENCE: Duration = Duration::from_secs(1);
/// Where cases are taken to by default.
const GATEWAY: &str = "http://127.0.0.1:9490";

/// Cases of investigators: what each is about, who did what and by what right, and what is held.
///
/// Each act is appended to the log and never edited; a case is what its acts make of it. While a case is held, nothing
/// that it names is erased, and no file of its gaming days is deleted. With --log the acts go onto a log that nobody
/// else has open; without, to the gateway of a `catwalk up` that runs.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    catwalk case open 26-114 --round BJ-07-20261115-000123 --authority \"subpoena 26-0031\" --token-file i-7.token\n  \
    catwalk case hold 26-114 --authority \"subpoena 26-0031\" --token-file i-7.token\n  \
    catwalk case show 26-114 --log embedded:data/log\n  \
    catwalk case release 26-114 --authority \"closing letter of 2 March\" --note \"nothing was found\"")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Open a case, or one that was closed.
    Open(Said),
    /// Add rounds, findings, patrons or a note to it.
    Add(Said),
    /// Hold all that it names, now and later: nothing of it goes away.
    Hold(Said),
    /// End the hold.
    Release(Said),
    /// Close it. One that is held is released first.
    Close(Said),
    /// All cases, the held ones marked.
    List(From),
    /// One case, with all that was done.
    Show {
        case: String,
        #[command(flatten)]
        from: From,
    },
}

#[derive(clap::Args)]
struct Said {
    /// The number of the case.
    case: String,

    /// A round that it is about; may be given several times.
    #[arg(long = "round", value_name = "ID")]
    rounds: Vec<String>,

    /// A finding that it is about.
    #[arg(long = "finding", value_name = "ID")]
    findings: Vec<String>,

    /// A patron that it is about.
    #[arg(long = "patron", value_name = "ID")]
    patrons: Vec<String>,

    /// By what right; a hold and a release need one.
    #[arg(long)]
    authority: Option<String>,

    #[arg(long)]
    note: Option<String>,

    #[command(flatten)]
    from: From,
}

#[derive(clap::Args)]
pub(crate) struct From {
    /// Who does it, where no service knows: with --log.
    #[arg(long, value_name = "WHO")]
    pub(crate) by: Option<String>,

    #[command(flatten)]
    log: LogArgs,

    #[command(flatten)]
    gateway: GatewayArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let (said, action) = match &args.command {
        Command::Open(said) => (said, CaseAction::Open),
        Command::Add(said) => (said, CaseAction::Add),
        Command::Hold(said) => (said, CaseAction::Hold),
        Command::Release(said) => (said, CaseAction::Release),
        Command::Close(said) => (said, CaseAction::Close),
        Command::List(from) => return list(from),
        Command::Show { case, from } => return show(case, from),
    };
    let act = said.act(action);
    match said.from.log.choice() {
        None => over_http(&said.from.gateway, &act)?,
        Some(choice) => {
            let (log, formats) = (choice.open()?, choice.formats()?);
            append(&*log, &formats, &act)?;
        }
    }
    writeln!(
        io::stdout(),
        "case {}: {} is on record",
        said.case,
        action.name()
    )?;
    Ok(Verdict::Fine)
}

impl Said {
    fn act(&self, action: CaseAction) -> CaseAct {
        CaseAct {
            rounds: self.rounds.clone(),
            findings: self.findings.clone(),
            patrons: self.patrons.clone(),
            authority: self.authority.clone(),
            note: self.note.clone(),
            ..act(action, Some(self.case.clone()), self.from.who())
        }
    }
}

impl From {
    /// Who says so: whoever is named, or whoever this machine knows.
    pub(crate) fn who(&self) -> String {
        let known = || std::env::var("USER").ok().filter(|user| !user.is_empty());
        let who = self.by.clone().or_else(known);
        who.unwrap_or_else(|| bad_usage("say who does it: --by WHO"))
    }

    fn cases(&self) -> anyhow::Result<Cases> {
        match self.log.choice() {
            Some(choice) => {
                let (log, formats) = (choice.open_existing()?, choice.formats()?);
                // Whoever reads cases is on record, as at the gateway.
                let ledger = OnLog::of(&*log, choice.formats()?)?;
                let look = LookArgs::default().ask_on(Arc::new(ledger), &command())?;
                let cases = on_log(&*log, &formats).map(|(cases, _)| cases);
                let count = |cases: &Cases| cases.all().count() as u64;
                look.ended(cases.as_ref().map_or(0, count), cases)
            }
            None => {
                let told = Client::at(&self.gateway, GATEWAY)?.get("/cases")?;
                let acts: Vec<CaseAct> = serde_json::from_value(told["acts"].clone())
                    .context("what the gateway says of cases does not read")?;
                let mut cases = Cases::default();
                for act in acts {
                    // It could not be done when it came either.
                    let _ = cases.take(act);
                }
                Ok(cases)
            }
        }
    }
}

/// An act of now that says nothing else yet.
pub(crate) fn act(action: CaseAction, case: Option<String>, operator: String) -> CaseAct {
    CaseAct {
        id: new_id(),
        case,
        action,
        at: Timestamp::from_micros(jiff::Timestamp::now().as_microsecond()),
        operator,
        role: None,
        station: None,
        authority: None,
        rounds: Vec::new(),
        findings: Vec::new(),
        patrons: Vec::new(),
        note: None,
        leaves: None,
    }
}

/// All acts that are on a log and could be done, and what they make.
pub(crate) fn on_log(log: &dyn Log, formats: &Formats) -> anyhow::Result<(Cases, Vec<CaseAct>)> {
    let (mut cases, mut acts) = (Cases::default(), Vec::new());
    for index in 0..log.partitions(Topic::Cases)? {
        let partition = Topic::Cases.partition(index);
        let end = log.end(partition)?;
        let mut reader = log.reader(partition, 0)?;
        while reader.position() < end {
            let records = reader.read(PATIENCE)?;
            for record in &records {
                let Some(bytes) = &record.value else { continue };
                let act = formats.cases.decode(bytes);
                let act = act.with_context(|| {
                    format!(
                        "record {} of {} does not read",
                        record.offset, record.partition
                    )
                })?;
                // One that was sent twice is one.
                if !cases.knows(&act.id) && cases.take(act.clone()).is_ok() {
                    acts.push(act);
                }
            }
            if records.is_empty() && reader.caught_up() {
                break;
            }
        }
    }
    Ok((cases, acts))
}

/// Puts an act on a log, if it may be done.
pub(crate) fn append(log: &dyn Log, formats: &Formats, act: &CaseAct) -> anyhow::Result<()> {
    let (cases, _) = on_log(log, formats)?;
    // Whoever did not hear that it is on record may say it again.
    if cases.knows(&act.id) {
        return Ok(());
    }
    cases.may(act)?;
    let key = act.case.clone().unwrap_or_else(|| act.id.clone());
    let value = formats.cases.encode(act)?;
    let mut producer = log.producer()?;
    producer.send(&[Message::new(Topic::Cases, key, value)])?;
    Ok(producer.flush()?)
}

fn over_http(gateway: &GatewayArgs, act: &CaseAct) -> anyhow::Result<()> {
    let client = Client::at(gateway, GATEWAY)?;
    client.post("/cases", &serde_json::to_value(act)?)?;
    Ok(())
}

fn list(from: &From) -> anyhow::Result<Verdict> {
    let cases = from.cases()?;
    let mut out = io::stdout().lock();
    for (name, case) in cases.all() {
        let state = match (&case.held, case.closed) {
            (Some(_), _) => "held",
            (None, true) => "closed",
            (None, false) => "open",
        };
        let opened = case.opened.as_ref();
        let opened = opened.map_or(String::new(), |(at, by)| format!("opened {at} by {by}"));
        writeln!(
            out,
            "{name}  {state}  {opened}: {} rounds, {} findings, {} patrons",
            case.rounds.len(),
            case.findings.len(),
            case.patrons.len()
        )?;
    }
    if cases.all().next().is_none() {
        writeln!(out, "there is no case yet")?;
    }
    Ok(Verdict::Fine)
}

fn show(name: &str, from: &From) -> anyhow::Result<Verdict> {
    let cases = from.cases()?;
    let case = cases.named(name);
    let case: &Case = case.with_context(|| format!("there is no case {name}"))?;
    let mut out = io::stdout().lock();
    if let Some((since, authority)) = &case.held {
        let authority = authority.as_deref().unwrap_or("not told");
        writeln!(out, "HELD since {since}, authority: {authority}")?;
    }
    for act in &case.acts {
        let mut told = vec![format!(
            "{}  {} by {}",
            act.at,
            act.action.name(),
            act.operator
        )];
        let mut add = |name: &str, what: &[String]| {
            if !what.is_empty() {
                told.push(format!("{name} {}", what.join(", ")));
            }
        };
        add("rounds", &act.rounds);
        add("findings", &act.findings);
        add("patrons", &act.patrons);
        add("authority:", act.authority.as_slice());
        add("note:", act.note.as_slice());
        writeln!(out, "{}", told.join("; "))?;
    }
    Ok(Verdict::Fine)
}

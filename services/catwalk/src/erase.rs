//! `catwalk erase`: a patron's rows go away by law, and that they went stays on record.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use catwalk_archive::{Archive, Erased, Erasure, Held, Trust, VerifyProgress, Which, verify};
use catwalk_events::audit::{CaseAction, Cases};
use indicatif::HumanCount;

use crate::config::{Config, Home};
use crate::up::House;
use crate::{Verdict, case};

/// An archiver elsewhere archives and signs what was put on record so soon, or something is wrong with it.
const PATIENCE: Duration = Duration::from_secs(120);

/// Erase the rows that name a patron, as far as no case holds them.
///
/// What goes is put on record first: when, by whom, by what authority, how many rows and of which leaves, and not of
/// whom. Then the rows go: out of the tables, out of files of earlier versions, and what the logs of the tables say of
/// them. The leaves stay, so that `catwalk verify` finds the archive whole and tells of the erasure; from a leaf nobody
/// can guess the row, for its salt went with it. Run it again after a crash: it finishes.
///
/// An embedded log must not be open elsewhere: stop `catwalk up` first. What is on the event log goes by the log's own
/// retention, and copies and backups by yours. The exit status is 1 where rows stay.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    catwalk erase p-0017 --authority \"request of 3 March, GDPR 17\" -c catwalk.toml --dry-run\n  \
    catwalk erase p-0017 --authority \"request of 3 March, GDPR 17\" -c catwalk.toml --by privacy-1")]
pub(crate) struct Args {
    /// The patron's id.
    patron: String,

    /// By what right.
    #[arg(long)]
    authority: String,

    /// Say what would go and what is held, and change nothing.
    #[arg(long)]
    dry_run: bool,

    /// Who does it; the user of this machine without it.
    #[arg(long, value_name = "WHO")]
    by: Option<String>,

    /// Why, in your words. Do not name the patron: this stays.
    #[arg(long)]
    note: Option<String>,

    /// The configuration that `catwalk up` runs with; without it, all settings have their defaults.
    #[arg(short, long, value_name = "FILE")]
    config: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let (config, archive) = open(args)?;
    let house = House::open(config.log_choice(), config.rulebook()?)?;
    let alone = config.log.home == Home::Embedded;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    if alone {
        // What is on the log and not archived yet would come later, and what was asked of the patron as well.
        house.bring_looks_once(&config.archive)?;
        house.archive_once(&config)?;
    }
    let (cases, _) = case::on_log(&*house.log, &house.formats()?)?;
    let held = runtime.block_on(archive.with_rounds_of_findings(Held::of(&cases)))?;
    let erasure = runtime.block_on(archive.rows_of_patron(&args.patron, &held))?;
    let mut out = io::stdout().lock();
    tell(&mut out, args, &erasure, &cases)?;
    let stays = match erasure.held {
        0 => Verdict::Fine,
        _ => Verdict::FoundWrong,
    };
    let count: u64 = erasure.rows.values().sum();
    if args.dry_run {
        return Ok(stays);
    }
    if count > 0 {
        let mut act = case::act(CaseAction::Erase, None, who(args));
        act.authority = Some(args.authority.clone());
        act.note = args.note.clone();
        act.leaves = Some(erasure.leaves.to_string());
        case::append(&*house.log, &house.formats()?, &act)?;
        match alone {
            true => house.archive_once(&config)?,
            false => wait_for(&runtime, &archive, &config, &act.id)?,
        }
    }
    // Also where no row is left: what a crash has left of an earlier run goes.
    let done = runtime.block_on(archive.erase(&args.patron, &held, alone))?;
    if count == 0 && erasure.held == 0 {
        anyhow::ensure!(
            done.rows + done.files > 0,
            "no row of the archive names {:?}: nothing was erased",
            args.patron
        );
    }
    told_done(&mut out, &done, stays)
}

/// What was done, and what is left to do.
fn told_done(out: &mut impl Write, done: &Erased, stays: Verdict) -> anyhow::Result<Verdict> {
    writeln!(
        out,
        "erased: {} rows, and {} files of earlier versions that had them",
        HumanCount(done.rows),
        HumanCount(done.files)
    )?;
    if done.left > 0 {
        writeln!(
            out,
            "{} files are too young: somebody may be writing them. Run this again in ten minutes.",
            done.left
        )?;
        return Ok(Verdict::FoundWrong);
    }
    writeln!(
        out,
        "The event log has its own retention, and backups have theirs: see to both."
    )?;
    Ok(stays)
}

/// The configuration and its archive, if rows of it can be erased for these words.
fn open(args: &Args) -> anyhow::Result<(Config, Archive)> {
    anyhow::ensure!(
        !args.patron.trim().is_empty(),
        "name a patron: an empty id is everybody's"
    );
    let told = [Some(&args.authority), args.note.as_ref(), args.by.as_ref()];
    anyhow::ensure!(
        !told
            .into_iter()
            .flatten()
            .any(|text| text.contains(&args.patron)),
        "the authority, the note and who erases stay on record: do not name {:?} there",
        args.patron
    );
    let config = Config::load(args.config.as_deref())?;
    let archive = Archive::at(&config.archive.url)?;
    anyhow::ensure!(archive.is_there(), "there is no archive in {archive}");
    anyhow::ensure!(
        archive.folder().is_some(),
        "{archive}: rows are erased in folders of this machine only: an object store keeps versions that cannot be \
         reached from here"
    );
    Ok((config, archive))
}

fn who(args: &Args) -> String {
    let known = || std::env::var("USER").ok().filter(|user| !user.is_empty());
    let who = args.by.clone().or_else(known);
    who.unwrap_or_else(|| crate::bad_usage("say who erases: --by WHO"))
}

fn tell(out: &mut impl Write, args: &Args, erasure: &Erasure, cases: &Cases) -> io::Result<()> {
    for (table, rows) in &erasure.rows {
        writeln!(
            out,
            "{table}: {} rows name {}",
            HumanCount(*rows),
            args.patron
        )?;
    }
    if erasure.held > 0 {
        let holding: Vec<&str> = cases.held().map(|(name, _)| name).collect();
        writeln!(
            out,
            "{} rows stay: they are held (cases {})",
            HumanCount(erasure.held),
            holding.join(", ")
        )?;
    }
    if erasure.unsealed > 0 {
        writeln!(
            out,
            "{} of them are from before the archive was sealed: that they went cannot be shown by a leaf",
            HumanCount(erasure.unsealed)
        )?;
    }
    Ok(())
}

/// Waits until an archiver elsewhere has archived and signed the act: no row goes before it is on record.
fn wait_for(
    runtime: &tokio::runtime::Runtime,
    archive: &Archive,
    config: &Config,
    id: &str,
) -> anyhow::Result<()> {
    let until = Instant::now() + PATIENCE;
    let table = catwalk_archive::Table::named("cases").context("no table of cases")?;
    let which = Which {
        table: Some(table),
        ..Which::default()
    };
    let folder = Some(config.proof.folder.clone()).filter(|path| !path.as_os_str().is_empty());
    let trust = Trust {
        folder,
        ..Trust::default()
    };
    loop {
        let cases = runtime.block_on(archive.acts())?;
        if cases.iter().any(|act| act.id == id) {
            let checked = verify(archive, &trust, &which, &VerifyProgress::default())?;
            if checked.wrong_count == 0 {
                return Ok(());
            }
        }
        anyhow::ensure!(
            Instant::now() < until,
            "the erasure is on the log and not in the archive after {} s, so no row went: is `catwalk up` at work? Run \
             this again then",
            PATIENCE.as_secs()
        );
        std::thread::sleep(Duration::from_secs(1));
    }
}

//! `catwalk verify`: shows that nothing in an archive, or in an evidence bundle, was changed.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use catwalk_archive::{Archive, Table, Trust, Verified, VerifyProgress, Which, Wrong, verify};
use catwalk_proof::Note;
use clap::ValueEnum;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use serde_json::json;

use crate::editions::RulesArgs;
use crate::proof::read_public;
use crate::query::LookArgs;
use crate::{Verdict, bad_usage, evidence, replay};

/// An archiver that is at work signs what it has written so soon, and sooner.
const PATIENCE: Duration = Duration::from_secs(15);

/// Show that nothing was changed: in an archive (every row against its leaf, every tile, every signature), or in
/// an evidence bundle, offline.
///
/// The first thing that does not match is named, the rest is counted; the exit status is then 1, as it is where there
/// is nothing of what was asked for. What was sealed is
/// held against a key and heads that came from elsewhere where they are given; without, against those of the archive
/// itself, which whoever holds the house's key could have made anew.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  catwalk verify\n  \
    catwalk verify --key house.vkey --head heads-of-yesterday catwalk-data/archive\n  \
    catwalk verify --rules --format json\n  catwalk verify --key house.vkey BJ-07.zip")]
pub(crate) struct Args {
    /// Folder or URL of an archive, or the file of a bundle.
    #[arg(value_name = "ARCHIVE|BUNDLE", default_value = "catwalk-data/archive")]
    what: String,

    /// The first gaming day, such as 2026-11-15.
    #[arg(long, value_name = "DAY", value_parser = day)]
    since: Option<String>,

    /// The last gaming day.
    #[arg(long, value_name = "DAY", value_parser = day)]
    until: Option<String>,

    /// Only this table of the archive, such as events.
    #[arg(long)]
    table: Option<String>,

    /// Signed heads that were seen earlier, as `catwalk proof head` prints them.
    #[arg(long, value_name = "FILE")]
    head: Vec<PathBuf>,

    /// A public key of the house that came from elsewhere, or a file with it.
    #[arg(long, value_name = "KEY|FILE")]
    key: Vec<String>,

    /// The folder of the trees, if it is not beside the tables.
    #[arg(long, value_name = "DIR")]
    trees: Option<PathBuf>,

    /// Settle every round again as well, and compare rounds, wagers and findings.
    #[arg(long, conflicts_with_all = ["since", "until", "table"])]
    rules: bool,

    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,

    #[command(flatten)]
    look: LookArgs,

    #[command(flatten)]
    house: RulesArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    Text,
    Json,
}

fn day(text: &str) -> Result<String, String> {
    let date: jiff::civil::Date = text
        .parse()
        .map_err(|_| "a day is written as 2026-11-15".to_owned())?;
    Ok(date.to_string())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let keys = args.key.iter().map(|key| read_public(key));
    let keys = keys.collect::<anyhow::Result<Vec<_>>>()?;
    if Path::new(&args.what).is_file() {
        return evidence::check(Path::new(&args.what), &keys, args.format == Form::Json);
    }
    let mut heads = Vec::new();
    for path in &args.head {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let notes = Note::read_all(&text).with_context(|| path.display().to_string())?;
        anyhow::ensure!(!notes.is_empty(), "{} has no head", path.display());
        heads.extend(notes);
    }
    let table = args.table.as_deref().map(|name| {
        Table::named(name)
            .unwrap_or_else(|| bad_usage(&format!("the archive has no table {name:?}")))
    });
    let which = Which {
        table,
        since: args.since.clone(),
        until: args.until.clone(),
    };
    let archive = Archive::at(&args.what)?;
    may_be_seen(&archive, &args.what)?;
    let trust = Trust {
        keys,
        heads,
        folder: args.trees.clone(),
        patience: PATIENCE,
    };
    let begun = Instant::now();
    let mut verified = with_bar(|progress| verify(&archive, &trust, &which, progress))?;
    let took = begun.elapsed();
    let settled = args
        .rules
        .then(|| settle_again(args, &mut verified))
        .transpose()?;
    let mut out = io::stdout().lock();
    match args.format {
        Form::Json => tell_json(&mut out, &trust, &verified)?,
        Form::Text => tell(&mut out, &trust, &verified, took, settled)?,
    }
    Ok(
        match verified.wrong_count == 0 && verified.sealed && !saw_nothing(&verified) {
            true => Verdict::Fine,
            false => Verdict::FoundWrong,
        },
    )
}

/// Of what may not be read nothing can be said, not even that it is not sealed.
fn may_be_seen(archive: &Archive, what: &str) -> anyhow::Result<()> {
    let Some(folder) = archive.folder() else {
        return Ok(());
    };
    let mut is_sealed = false;
    for folder in [folder.clone(), folder.join("_proof")] {
        match std::fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => is_sealed = false,
            Err(error) => return Err(error).with_context(|| folder.display().to_string()),
            Ok(_) => is_sealed = true,
        }
    }
    // Tables that are gone under their seals are what is to be found.
    anyhow::ensure!(
        is_sealed || archive.is_there(),
        "there is no archive in {what}: name its folder"
    );
    Ok(())
}

/// Settles every round again; returns how many lines that took, and adds what changed.
fn settle_again(args: &Args, verified: &mut Verified) -> anyhow::Result<String> {
    let (changes, summary) = replay::again(&args.house, &args.what, &args.look)?;
    for (table, what) in changes {
        verified.wrong_count += 1;
        verified.wrong.push(Wrong {
            what: format!("settled again: {what}"),
            table: Some(table.to_owned()),
            ..Wrong::default()
        });
    }
    Ok(summary)
}

fn with_bar<T: Send>(work: impl FnOnce(&VerifyProgress) -> T + Send) -> T {
    let template = "verifying {bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
    let style = ProgressStyle::with_template(template);
    let bar =
        ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let progress = VerifyProgress::default();
    let done = thread::scope(|scope| {
        let work = scope.spawn(|| work(&progress));
        while !work.is_finished() {
            bar.set_length(progress.of_bytes.load(Ordering::Relaxed));
            bar.set_position(progress.bytes.load(Ordering::Relaxed));
            thread::sleep(Duration::from_millis(20));
        }
        work.join()
    });
    bar.finish_and_clear();
    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn tell_json(out: &mut impl Write, trust: &Trust, verified: &Verified) -> anyhow::Result<()> {
    let keys: Vec<String> = verified.keys.iter().map(ToString::to_string).collect();
    let told = json!({
        "verdict": verdict(verified),
        "wrong": verified.wrong_count,
        "first": verified.wrong.first(),
        "found": verified.wrong,
        "checked": verified.checked,
        "partly": verified.partly,
        "trees": verified.trees,
        "erasures": verified.erasures,
        "keys": keys,
        "key_from_elsewhere": !trust.keys.is_empty(),
    });
    serde_json::to_writer(&mut *out, &told)?;
    Ok(writeln!(out)?)
}

/// Of what was asked for there is no row: that it was not changed says nothing.
fn saw_nothing(verified: &Verified) -> bool {
    verified.checked.rows == 0 && verified.wrong_count == 0
}

fn verdict(verified: &Verified) -> &'static str {
    match (verified.sealed, verified.wrong_count) {
        (false, _) => "not sealed",
        _ if saw_nothing(verified) => "nothing there",
        (true, 0) if verified.partly => "unchanged as far as looked at",
        (true, 0) => "unchanged",
        _ => "changed",
    }
}

fn tell(
    out: &mut impl Write,
    trust: &Trust,
    verified: &Verified,
    took: Duration,
    settled: Option<String>,
) -> io::Result<()> {
    let checked = &verified.checked;
    writeln!(
        out,
        "{} rows in {} files ({}), {} leaves and {} tiles of {} trees, {} given heads; {:.1} s",
        HumanCount(checked.rows),
        HumanCount(checked.files),
        HumanBytes(checked.bytes),
        HumanCount(checked.leaves),
        HumanCount(checked.tiles),
        checked.trees,
        checked.heads,
        took.as_secs_f64()
    )?;
    if let Some(settled) = settled {
        writeln!(out, "{}", settled.trim_end())?;
    }
    if !verified.sealed {
        return writeln!(
            out,
            "The archive is not sealed: nothing can be said about it. `catwalk up` seals what it archives."
        );
    }
    if checked.before > 0 {
        let before = HumanCount(checked.before);
        writeln!(
            out,
            "{before} rows are from before the archive was sealed: nothing is said of them."
        )?;
    }
    tell_erasures(out, verified)?;
    if saw_nothing(verified) {
        return writeln!(
            out,
            "There is no row of what was asked for: nothing was looked at."
        );
    }
    if verified.partly {
        writeln!(
            out,
            "Only a part was looked at: whether rows are missing was not asked."
        )?;
    }
    tell_trust(out, trust, verified)?;
    let Some(first) = verified.wrong.first() else {
        return writeln!(
            out,
            "{}",
            unchanged(!trust.keys.is_empty(), verified.partly)
        );
    };
    writeln!(out, "CHANGED: {}", place(first))?;
    match verified.wrong_count - 1 {
        0 => Ok(()),
        1 => writeln!(out, "and one more thing does not match"),
        more => writeln!(
            out,
            "and {} more things do not match; --format json lists them",
            HumanCount(more)
        ),
    }
}

/// What went by law.
fn tell_erasures(out: &mut impl Write, verified: &Verified) -> io::Result<()> {
    for erasure in &verified.erasures {
        writeln!(
            out,
            "{} rows were erased at {} by {}, authority: {}. Their leaves stand.",
            HumanCount(erasure.rows),
            catwalk_events::Timestamp::from_micros(erasure.at),
            erasure.operator,
            erasure.authority
        )?;
    }
    Ok(())
}

/// Whom it was held against.
fn tell_trust(out: &mut impl Write, trust: &Trust, verified: &Verified) -> io::Result<()> {
    match (trust.keys.is_empty(), verified.keys.last()) {
        (true, Some(key)) => writeln!(
            out,
            "The key is the archive's own word; compare it with the one that you were given:\n  {key}"
        )?,
        (_, Some(key)) => writeln!(out, "Signed by {key}")?,
        (_, None) => {}
    }
    if trust.heads.is_empty() {
        return writeln!(
            out,
            "No head from elsewhere was given: an archive that was rolled back whole looks like this too."
        );
    }
    for tree in &verified.trees {
        let young = tree.leaves - tree.held.unwrap_or(0);
        let lane = tree.lane;
        match tree.held {
            None => writeln!(
                out,
                "No head from elsewhere was given of tree {lane}: rolled back, it would look like this too."
            )?,
            Some(_) if young > 0 => writeln!(
                out,
                "{} leaves of tree {lane} are younger than its given head: what came after them could be missing.",
                HumanCount(young)
            )?,
            Some(_) => {}
        }
    }
    Ok(())
}

/// The last line of what is fine says no more than was shown.
pub(crate) fn unchanged(key_from_elsewhere: bool, partly: bool) -> String {
    let what = match partly {
        true => "Nothing of what was looked at was changed",
        false => "Nothing was changed",
    };
    match key_from_elsewhere {
        true => format!("{what}."),
        false => format!("{what}, if that is the key of the house."),
    }
}

fn place(wrong: &Wrong) -> String {
    let mut place = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            place.push(format!("{name} {value}"));
        }
    };
    add("table", wrong.table.clone());
    add("file", wrong.file.clone());
    add("row", wrong.row.map(|row| row.to_string()));
    let bytes = wrong.bytes.as_ref();
    add(
        "bytes",
        bytes.map(|bytes| format!("{} to {}", bytes.start, bytes.end)),
    );
    add("id", wrong.id.clone());
    match place.is_empty() {
        true => wrong.what.clone(),
        false => format!("{} ({})", wrong.what, place.join(", ")),
    }
}

//! `catwalk log`: the files of an embedded log.

use std::path::{Path, PathBuf};

use catwalk_log::{Durability, EmbeddedLog, Log, Topic, salvage};

use crate::Verdict;
use crate::log::told;

/// Look after the files of an embedded log: whether they have all that they had, and what can be had of damaged ones.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  catwalk log check catwalk-data/log\n  \
    catwalk log salvage catwalk-data/log --into catwalk-data/salvaged")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Read every record, and hold what is there against what the log had.
    Check {
        /// The folder of the log.
        folder: PathBuf,
    },
    /// Make a new log of what can be read of a damaged one, which is left as it is.
    ///
    /// Records keep their offsets, so that settlers and archives go on with the new log. What is lost is named, and
    /// stays known as lost.
    Salvage {
        /// The folder of the damaged log.
        folder: PathBuf,
        /// The folder of the new one, which must not be there yet.
        #[arg(long, value_name = "FOLDER")]
        into: PathBuf,
    },
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    match &args.command {
        Command::Check { folder } => check(folder),
        Command::Salvage { folder, into } => rescue(folder, into),
    }
}

fn check(folder: &Path) -> anyhow::Result<Verdict> {
    let log = told(EmbeddedLog::open_existing(folder, Durability::Commit)?);
    let mut verdict = match log.lost().is_empty() {
        true => Verdict::Fine,
        false => Verdict::FoundWrong,
    };
    let verified = verify(&log);
    for (topic, records, partitions) in verified.topics {
        println!("{topic}: {records} records in {partitions} partitions");
    }
    for error in verified.errors {
        eprintln!("catwalk: {error}");
        verdict = Verdict::FoundWrong;
    }
    Ok(verdict)
}

/// What reading every record of a log has shown.
#[derive(Default)]
pub(crate) struct Verified {
    /// The topics that are there, with the records that could be read and the partitions.
    pub(crate) topics: Vec<(Topic, u64, u32)>,
    pub(crate) errors: Vec<catwalk_log::Error>,
}

/// Reads every record of a log.
pub(crate) fn verify(log: &EmbeddedLog) -> Verified {
    let mut verified = Verified::default();
    for topic in Topic::ALL {
        let Ok(partitions) = log.partitions(topic) else {
            continue;
        };
        let mut records = 0;
        for index in 0..partitions {
            match log.verify(topic.partition(index)) {
                Ok(count) => records += count,
                Err(error) => verified.errors.push(error),
            }
        }
        verified.topics.push((topic, records, partitions));
    }
    verified
}

fn rescue(folder: &Path, into: &Path) -> anyhow::Result<Verdict> {
    let salvaged = salvage(folder, into)?;
    for (topic, count) in &salvaged.kept {
        println!("{topic}: {count} records");
    }
    for (partition, lost) in &salvaged.lost {
        println!(
            "lost: records {} to {} of {partition}",
            lost.start,
            lost.end - 1
        );
    }
    for doubt in &salvaged.doubts {
        println!("in doubt: {doubt}");
    }
    println!(
        "{} bytes of the journals could not be read",
        salvaged.unreadable_bytes
    );
    println!("the new log is in {}", into.display());
    Ok(
        match salvaged.lost.is_empty() && salvaged.doubts.is_empty() {
            true => Verdict::Fine,
            false => Verdict::FoundWrong,
        },
    )
}

//! `catwalk proof`: the signed heads of an archive's trees, and the key that signs them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use catwalk_archive::{
    Archive, DayHeads, day_heads, keep_stamp, key_notes, lanes, rotate, trusted_keys,
};
use catwalk_proof::{Folder, Note, VerifyingKey};
use clap::Subcommand;

use crate::Verdict;
use crate::query::ArchiveArgs;

/// The signed heads of the archive's hash trees, and the key that signs them.
///
/// Whoever keeps a head elsewhere can show later that nothing before it was changed: `catwalk verify --head FILE`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  catwalk proof head > heads-of-today\n  \
    catwalk proof head --day 2026-11-15\n  \
    catwalk proof key\n  catwalk proof rotate")]
pub(crate) struct Args {
    #[command(subcommand)]
    act: Act,
}

#[derive(Subcommand)]
enum Act {
    /// Print the last signed head of each tree, or those at the end of a gaming day.
    Head {
        /// At the end of this gaming day, such as 2026-11-15.
        #[arg(long, value_name = "DAY")]
        day: Option<String>,

        #[command(flatten)]
        trees: Trees,
    },
    /// Attach a time stamp (RFC 3161) to the heads of a gaming day; evidence that they cover carries it along.
    ///
    /// `openssl ts -query -data HEADS -sha256 -cert -out HEADS.tsq` asks for one, where HEADS is what `catwalk proof
    /// head --day DAY` prints; `openssl ts -verify -data HEADS -in STAMP -CAfile CA` checks it.
    Stamp {
        /// The gaming day.
        day: String,

        /// The answer of the time stamp authority.
        #[arg(value_name = "FILE")]
        stamp: PathBuf,

        #[command(flatten)]
        trees: Trees,
    },
    /// Print the public keys of the archive, oldest first; the last one signs. Hand it to whoever verifies.
    Key(Trees),
    /// Make a new key that signs from the next start of the archiver on; the old one vouches for it.
    Rotate {
        /// The secret key, if it is not beside the archive; the old one is kept beside it.
        #[arg(long, value_name = "FILE")]
        key_file: Option<PathBuf>,

        #[command(flatten)]
        trees: Trees,
    },
}

/// Where the trees are.
#[derive(Clone, clap::Args)]
pub(crate) struct Trees {
    #[command(flatten)]
    pub(crate) archive: ArchiveArgs,

    /// The folder of the trees, if it is not beside the tables.
    #[arg(long, value_name = "DIR")]
    pub(crate) trees: Option<PathBuf>,
}

impl Trees {
    pub(crate) fn folder(&self) -> anyhow::Result<Folder> {
        let archive = Archive::at(self.archive.location())?;
        anyhow::ensure!(
            self.trees.is_some() || archive.is_there(),
            "there is no archive in {archive}: give its folder or URL with --archive"
        );
        Ok(archive.trees(self.trees.as_deref())?)
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let mut out = io::stdout().lock();
    match &args.act {
        Act::Head {
            day: Some(day),
            trees,
        } => write!(out, "{}", heads_of(&trees.folder()?, day)?.text)?,
        Act::Stamp { day, stamp, trees } => {
            let folder = trees.folder()?;
            let bytes = std::fs::read(stamp).with_context(|| stamp.display().to_string())?;
            keep_stamp(&folder, &heads_of(&folder, day)?, &bytes)?;
            writeln!(out, "the heads of {day} carry the stamp")?;
        }
        Act::Head { day: None, trees } => {
            let heads = lanes(&trees.folder()?)?;
            let heads: Vec<Note> = heads.into_iter().filter_map(|lane| lane.head).collect();
            anyhow::ensure!(
                !heads.is_empty(),
                "the archive is not sealed: `catwalk up` with proof.key seals what it archives"
            );
            for head in heads {
                write!(out, "{head}")?;
            }
        }
        Act::Key(trees) => {
            let notes = key_notes(&trees.folder()?)?;
            anyhow::ensure!(
                !notes.is_empty(),
                "the archive is not sealed: it has no key"
            );
            for key in trusted_keys(&notes, &[])? {
                writeln!(out, "{key}")?;
            }
        }
        Act::Rotate { key_file, trees } => {
            let archive = Archive::at(trees.archive.location())?;
            let key_file = self::key_file(key_file.as_deref(), &archive)?;
            let (old, new) = rotate(&trees.folder()?, &key_file)?;
            writeln!(
                out,
                "before: {old}\nfrom the next start of the archiver on: {new}"
            )?;
        }
    }
    Ok(Verdict::Fine)
}

/// The heads at the end of a gaming day.
fn heads_of(folder: &Folder, day: &str) -> anyhow::Result<DayHeads> {
    let days = day_heads(folder)?;
    let known = match (days.first(), days.last()) {
        (Some(first), Some(last)) => format!("those of {} to {} are there", first.day, last.day),
        _ => "no gaming day has ended yet".to_owned(),
    };
    let found = days.into_iter().find(|heads| heads.day == day);
    found.with_context(|| format!("there are no heads of {day}: {known}"))
}

/// The file of the secret key: the given one, or the one beside the folder of the archive.
pub(crate) fn key_file(given: Option<&Path>, archive: &Archive) -> anyhow::Result<PathBuf> {
    if let Some(given) = given {
        return Ok(given.to_owned());
    }
    let folder = archive.folder();
    let folder =
        folder.context("an archive in an object store has no folder for its key: set proof.key")?;
    let name = folder
        .file_name()
        .context("the archive's folder has no name: set proof.key")?;
    let mut name = name.to_owned();
    name.push(".key");
    Ok(folder.with_file_name(name))
}

/// A public key: as it is, or the first line of a file.
pub(crate) fn read_public(text: &str) -> anyhow::Result<VerifyingKey> {
    if let Ok(key) = text.parse() {
        return Ok(key);
    }
    let read = std::fs::read_to_string(Path::new(text));
    let read = read.with_context(|| format!("{text:?} is neither a key nor a file with one"))?;
    let last = read.lines().rfind(|line| !line.trim().is_empty());
    last.unwrap_or_default()
        .trim()
        .parse()
        .with_context(|| text.to_owned())
}

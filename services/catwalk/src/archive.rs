//! `catwalk archive`: what is done with an archive as a whole.

use anyhow::Context as _;
use catwalk_archive::Held;
use clap::Subcommand;

use crate::Verdict;
use crate::query::ArchiveArgs;

/// Bring an archive of an earlier release up to this one; delete what no table has any more.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Upgrade(UpgradeArgs),
    Vacuum(VacuumArgs),
}

/// Delete files that no table has any more, once they are a week old; not those of gaming days on which a case holds
/// something.
///
/// Until then whoever reads an earlier version of a table still finds them. Holds are those that are archived.
#[derive(clap::Args)]
struct VacuumArgs {
    #[command(flatten)]
    archive: ArchiveArgs,
}

/// Add the columns and tables that this release has and the archive has not, in place.
///
/// New columns have no value in rows that are there. New tables are made from the archived events, each in one commit;
/// no row that is there changes. Stop the archiver before: whichever of the two commits second is refused.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  catwalk archive upgrade\n  \
    catwalk archive upgrade --archive /srv/catwalk/archive")]
struct UpgradeArgs {
    #[command(flatten)]
    archive: ArchiveArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    match &args.command {
        Command::Upgrade(args) => upgrade(args),
        Command::Vacuum(args) => vacuum(args),
    }
}

fn vacuum(args: &VacuumArgs) -> anyhow::Result<Verdict> {
    let archive = args.archive.place()?;
    anyhow::ensure!(
        archive.is_there(),
        "there is no archive in {archive}: give its folder or URL with --archive"
    );
    let runtime = tokio::runtime::Runtime::new().context("cannot begin")?;
    let (cases, deleted) = runtime.block_on(async {
        let cases = archive.cases().await?;
        let held = archive.with_rounds_of_findings(Held::of(&cases)).await?;
        let deleted = archive.vacuum(&held).await?;
        anyhow::Ok((cases, deleted))
    })?;
    for (name, _) in cases.held() {
        println!("case {name} is held: files of its gaming days stay");
    }
    println!("{archive}: {deleted} files deleted that no table has any more");
    Ok(Verdict::Fine)
}

fn upgrade(args: &UpgradeArgs) -> anyhow::Result<Verdict> {
    let archive = args.archive.place()?;
    anyhow::ensure!(
        archive.is_there(),
        "there is no archive in {archive}: give its folder or URL with --archive"
    );
    let runtime = tokio::runtime::Runtime::new().context("cannot begin")?;
    let done = runtime.block_on(archive.upgrade())?;
    for (table, count) in &done.columns {
        println!("{table}: {count} columns added; rows that were there have no value in them");
    }
    for (table, rows) in &done.filled {
        println!("{table}: made from the archived events, {rows} rows");
    }
    if done.columns.is_empty() && done.filled.is_empty() {
        println!("{archive}: nothing to do");
    }
    if done.unreadable > 0 {
        let count = done.unreadable;
        eprintln!("catwalk: {count} archived events do not read: they are in no new table");
        return Ok(Verdict::FoundWrong);
    }
    Ok(Verdict::Fine)
}

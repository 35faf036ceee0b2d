//! The archive: whether its tables open, how new they are, and whether the log is the one that they were made from.

use catwalk_archive::{Archive, TABLES, Table};
use catwalk_log::Topic;

use super::Report;
use super::log::Found;
use crate::config::Config;

/// What a table is found to be.
struct Opened {
    name: &'static str,
    version: u64,
    columns: usize,
    /// Partitions of the log that it says to have read.
    read: usize,
    /// Those of which it has read more than there is.
    ahead: Vec<String>,
    /// Partitions whose end the log would not tell.
    untold: Vec<String>,
}

pub(super) fn examine(report: &mut Report, config: &Config, log: &Found) {
    let url = &config.archive.url;
    let opened = Archive::at(url).map_err(anyhow::Error::from);
    let opened = opened.and_then(|archive| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let mut tables = Vec::new();
        for table in TABLES {
            let one = runtime.block_on(open(&archive, table, log));
            tables.extend(one.map_err(|error| error.context(format!("table {}", table.name)))?);
        }
        Ok(tables)
    });
    match opened {
        Ok(tables) if tables.is_empty() => report.warn(
            "archive",
            format!("nothing is archived in {url} yet"),
            "nothing, if nothing was ever started here: the archiver makes it. If there was one, see archive.url",
        ),
        Ok(tables) => told(report, url, &tables, log),
        Err(error) => report.wrong(
            "archive",
            format!("{url}: {error:#}"),
            "see archive.url and who may read it; `docs/backup-and-restore.md` says how to bring it back",
        ),
    }
}

async fn open(
    archive: &Archive,
    table: &'static Table,
    log: &Found,
) -> anyhow::Result<Option<Opened>> {
    let Some(delta) = archive.table(table).await? else {
        return Ok(None);
    };
    let snapshot = delta.snapshot()?;
    let mut opened = Opened {
        name: table.name,
        version: delta.version().unwrap_or_default(),
        columns: snapshot.schema().fields().count(),
        read: 0,
        ahead: Vec::new(),
        untold: Vec::new(),
    };
    let Found::Open(log) = log else {
        return Ok(Some(opened));
    };
    let store = delta.log_store();
    for topic in Topic::ALL {
        for index in 0..log.partitions(topic)? {
            let partition = topic.partition(index);
            let kept = format!("catwalk/{partition}");
            let next = snapshot.transaction_version(store.as_ref(), kept).await?;
            let Some(next) = next.and_then(|next| u64::try_from(next).ok()) else {
                continue;
            };
            opened.read += 1;
            match log.decided_end(partition) {
                Ok(end) if next > end => {
                    opened.ahead.push(format!(
                        "{} has read {partition} up to {next}, the log ends at {end}",
                        table.name
                    ));
                }
                Ok(_) => {}
                Err(error) => opened.untold.push(error.to_string()),
            }
        }
    }
    Ok(Some(opened))
}

fn told(report: &mut Report, url: &str, tables: &[Opened], log: &Found) {
    let columns_of = |name| {
        TABLES
            .iter()
            .find(|table| table.name == name)
            .map_or(0, |table| table.sealed_schema().fields().len())
    };
    let newer: Vec<&str> = tables
        .iter()
        .filter(|one| one.columns > columns_of(one.name))
        .map(|one| one.name)
        .collect();
    if !newer.is_empty() {
        report.wrong(
            "archive",
            format!(
                "{url}: {} have columns that this catwalk does not know",
                newer.join(", ")
            ),
            "a newer catwalk has written it: run that one",
        );
        return;
    }
    let older = tables
        .iter()
        .filter(|one| one.columns < columns_of(one.name))
        .count();
    let versions: Vec<String> = tables
        .iter()
        .map(|one| format!("{} {}", one.name, one.version))
        .collect();
    let mut found = format!(
        "{url}: {} of {} tables open, at versions {}",
        tables.len(),
        TABLES.len(),
        versions.join(", ")
    );
    if older > 0 {
        found.push_str(&format!("; the archiver will add columns to {older}"));
    }
    match tables.len() == TABLES.len() {
        true => report.ok("archive", format!("{found}; the rows were not read")),
        false => report.warn(
            "archive",
            found,
            "the archiver makes missing tables from the log; if they were there before, restore the archive",
        ),
    }
    order(report, tables, log);
}

/// The log may have been lost and begun anew under an archive: it is never ahead of the log that it was made from.
fn order(report: &mut Report, tables: &[Opened], log: &Found) {
    const CHECK: &str = "archive and log";
    let ahead: Vec<&String> = tables.iter().flat_map(|one| &one.ahead).collect();
    let untold: Vec<&String> = tables.iter().flat_map(|one| &one.untold).collect();
    let read: usize = tables.iter().map(|one| one.read).sum();
    match log {
        Found::Missing => report.wrong(
            CHECK,
            "there is an archive and no log: what the log had is lost, or this is another log's place",
            "bring the log back from a backup, or begin with an empty archive: docs/disaster-recovery.md",
        ),
        Found::InUse | Found::Unknown => report.not_looked_at(
            CHECK,
            "the log could not be asked where it ends",
            "the archiver itself refuses to start when its archive is ahead of its log",
        ),
        Found::Open(_) if !ahead.is_empty() => report.wrong(
            CHECK,
            format!("the archive is ahead of the log in {} places: {}", ahead.len(), ahead[0]),
            "the log lost records or is another: bring it back, or begin with an empty archive",
        ),
        Found::Open(_) if !untold.is_empty() => report.not_looked_at(
            CHECK,
            untold[0],
            "run this again when the log answers",
        ),
        Found::Open(_) if read == 0 => report.not_looked_at(
            CHECK,
            "the tables do not say how far they have read the log",
            "right for an archive without a row; else it was written by something else",
        ),
        Found::Open(_) => report.ok(CHECK, format!("no table is ahead of the log, in {read} partitions")),
    }
}

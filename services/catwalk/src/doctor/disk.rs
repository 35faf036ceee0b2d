//! Room on the disks, and who may write there.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use catwalk_archive::Archive;
use indicatif::HumanBytes;
use rustix::fs::{Access, access, statvfs};

use super::{Report, nearest};
use crate::config::{Config, Home};

/// Below this the services stop soon.
const WRONG_BYTES: u64 = 1 << 30;
/// Below either somebody should make room.
const WARN_BYTES: u64 = 10 << 30;
const WARN_PERCENT: u64 = 10;

pub(super) fn examine(report: &mut Report, config: &Config) {
    let mut folders: Vec<PathBuf> = Vec::new();
    if config.log.home == Home::Embedded {
        folders.push(config.log.embedded.folder.clone());
    }
    match Archive::at(&config.archive.url)
        .ok()
        .and_then(|archive| archive.folder())
    {
        Some(folder) => folders.push(folder),
        None => report.not_looked_at(
            "disk space",
            &format!("{} is no folder of this machine", config.archive.url),
            "see the room in the object store where it is kept",
        ),
    }
    folders.extend(config.users.file.parent().map(Path::to_owned));
    let mut disks: BTreeMap<u64, PathBuf> = BTreeMap::new();
    for folder in &folders {
        let there = nearest(folder);
        writable(report, folder, &there);
        if let Ok(meta) = there.metadata() {
            disks.entry(meta.dev()).or_insert(there);
        }
    }
    for folder in disks.values() {
        room(report, folder);
    }
}

fn writable(report: &mut Report, folder: &Path, there: &Path) {
    const CHECK: &str = "folder";
    let (shown, found) = (folder.display(), there.display());
    let is_there = std::path::absolute(folder).is_ok_and(|path| path == there);
    if !there.is_dir() {
        report.wrong(
            CHECK,
            format!("{found} is no folder"),
            "move the file out of the way",
        );
    } else if access(there, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK).is_err() {
        report.wrong(
            CHECK,
            format!("this user may not write in {found}"),
            "run this as the user that runs the services, or give the folder to it",
        );
    } else if is_there && there.metadata().is_ok_and(|meta| meta.mode() & 0o002 != 0) {
        report.wrong(
            CHECK,
            format!("everybody may write in {shown}"),
            format!("chmod o-w {shown}"),
        );
    } else if is_there {
        report.ok(CHECK, format!("{shown} can be written by this user"));
    } else {
        report.ok(
            CHECK,
            format!("{shown} is not there yet and can be made in {found}"),
        );
    }
}

fn room(report: &mut Report, folder: &Path) {
    const CHECK: &str = "disk space";
    let shown = folder.display();
    let disk = match statvfs(folder) {
        Ok(disk) => disk,
        Err(error) => {
            report.not_looked_at(CHECK, &format!("{shown}: {error}"), "see with `df`");
            return;
        }
    };
    let (free, all) = (
        disk.f_bavail.saturating_mul(disk.f_frsize),
        disk.f_blocks.saturating_mul(disk.f_frsize),
    );
    let found = format!(
        "{} of {} are free where {shown} is",
        HumanBytes(free),
        HumanBytes(all)
    );
    let advice = "make room or give it a larger disk; the log and the archive are never cut by catwalk itself";
    let few_files = disk.f_files > 0 && disk.f_favail < disk.f_files / 100;
    if free < WRONG_BYTES {
        report.wrong(CHECK, found, advice);
    } else if few_files {
        report.wrong(
            CHECK,
            format!("{found}, but hardly any file more can be made (df -i)"),
            advice,
        );
    } else if free < WARN_BYTES || free < all / 100 * WARN_PERCENT {
        report.warn(CHECK, found, advice);
    } else {
        report.ok(CHECK, found);
    }
}

//! What lies in the folder of a table's log. Whoever reads the table picks what he needs by name: of two summaries of
//! one version, one reader takes this and another that.

use std::fs;
use std::path::Path;

use super::verdict::Wrong;
use super::verify::Verifier;
use crate::{Archive, TABLES};

/// How the name of a version ends, behind its twenty digits and a dot.
const KNOWN: [&str; 2] = ["json", "checkpoint.parquet"];

impl Verifier<'_> {
    /// Nothing that speaks of a version lies in the logs of tables but commits and their one summary.
    pub(super) fn check_logs(&self, archive: &Archive) {
        let Some(folder) = archive.folder() else {
            return;
        };
        for table in TABLES {
            for name in strangers(&folder.join(table.name).join("_delta_log")) {
                self.tell(Wrong {
                    table: Some(table.name.to_owned()),
                    file: Some(format!("_delta_log/{name}")),
                    ..Wrong::of(
                        "no archiver writes such a file into the log of a table, and some readers would heed it"
                            .to_owned(),
                    )
                });
            }
        }
    }
}

fn strangers(log: &Path) -> Vec<String> {
    let entries = fs::read_dir(log).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut strange: Vec<String> = names.filter(|name| is_strange(name)).collect();
    strange.sort();
    strange
}

fn is_strange(name: &str) -> bool {
    let is_of_version = name.len() > 20 && name.as_bytes()[..20].iter().all(u8::is_ascii_digit);
    // What a crash has left of a commit or a summary that was being written: no reader takes such a name for one.
    let number = name.rsplit_once('#').map(|(_, number)| number);
    let is_unfinished = number.is_some_and(|it| it.bytes().all(|digit| digit.is_ascii_digit()));
    match is_of_version {
        true => !is_unfinished && !KNOWN.contains(&name.get(21..).unwrap_or_default()),
        false => name == "_sidecars" || name == "_staged_commits",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_has_a_commit_and_one_summary_and_nothing_else() {
        let version = "00000000000000000007";
        for known in [
            "json",
            "checkpoint.parquet",
            "json#1",
            "checkpoint.parquet#2",
        ] {
            assert!(!is_strange(&format!("{version}.{known}")), "{known}");
        }
        for strange in [
            "checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.parquet",
            "checkpoint.0000000001.0000000002.parquet",
            "00000000000000000009.compacted.json",
            "crc",
        ] {
            assert!(is_strange(&format!("{version}.{strange}")), "{strange}");
        }
        assert!(!is_strange("_last_checkpoint") && is_strange("_sidecars"));
    }
}

//! The questions of `tests/sql`, asked of the archive and of the same rows in memory. `tests/sql_peers.py` asks them
//! of DuckDB too.

use std::collections::BTreeMap;
use std::path::Path;

use catwalk_query::{Session, named};

use crate::scan::in_memory;
use crate::support::{archive, ask, at};

#[tokio::test]
async fn every_question_has_the_answer_that_the_rows_have() {
    let session = Session::open(&at(archive())).await.unwrap();
    let memory = in_memory(&session, archive()).await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sql");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 50, "{} questions", files.len());
    let mut empty = Vec::new();
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let sql = std::fs::read_to_string(&file).unwrap();
        let (mut found, mut expected) = (ask(&session, &sql).await, ask(&memory, &sql).await);
        if !sql.contains("\nORDER BY") {
            found.sort();
            expected.sort();
        }
        assert_eq!(found, expected, "{name}");
        if found.is_empty() {
            empty.push(name);
        }
    }
    // A question that finds nothing shows nothing.
    assert!(empty.is_empty(), "{empty:?}");
}

/// No row of what is not known must not be taken for nothing found.
#[tokio::test]
async fn what_wagers_are_worth_is_not_said_where_nobody_knows_it() {
    let session = Session::open(&at(archive())).await.unwrap();
    for name in ["hold-deviation", "impossible-luck", "win-bridge"] {
        let asked = session
            .named(named::find(name).unwrap(), &BTreeMap::new())
            .await;
        let error = asked.err().unwrap().to_string();
        assert!(error.contains("ask at the command line"), "{name}: {error}");
    }
    let error = session
        .sql("SELECT * FROM wagers_theo")
        .await
        .err()
        .unwrap();
    assert!(error.to_string().contains("wagers_theo"), "{error}");
}

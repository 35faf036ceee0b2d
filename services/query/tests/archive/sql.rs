//! The questions of `tests/sql`, asked of the archive and of the same rows in memory. `tests/sql_peers.py` asks them
//! of DuckDB too.

use std::path::Path;

use catwalk_query::Session;

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

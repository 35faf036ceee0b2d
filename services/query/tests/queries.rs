//! Every named query with data and its exact answer side by side: `queries/tests/NAME.slt`.
//!
//! The files are a small part of sqllogictest: `statement ok` with SQL, and `query` with a question, `----`
//! and the rows. A question is SQL or `ask NAME k=v ...`, which asks a named query. In the rows, `-` is no
//! value, and `_` stands for a blank.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{Field, Schema};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use catwalk_archive::TABLES;
use catwalk_query::{Error, Session, named};
use datafusion::datasource::MemTable;
use datafusion::prelude::SessionContext;

mod deviation;
mod names;

#[tokio::test]
async fn every_named_query_answers_as_its_file_says() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../queries/tests");
    for query in named::all().unwrap() {
        let file = folder.join(format!("{}.slt", query.name));
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let asked = format!("ask {}", query.name);
        assert!(text.contains(&asked), "{} has no test", query.name);
        let tables = Tables::new();
        for record in text.split("\n\n") {
            tables.hold(record, &query.name).await;
        }
    }
}

#[tokio::test]
async fn a_query_can_ask_and_do_nothing_else() {
    let tables = Tables::new();
    for sql in [
        "DROP TABLE rounds",
        "CREATE TABLE t AS SELECT 1",
        "INSERT INTO money (slip) VALUES ('x')",
        "COPY rounds TO 'rounds.csv'",
        "SET datafusion.execution.batch_size = 1",
    ] {
        let error = tables.0.sql(sql).await.unwrap_err().to_string();
        assert!(error.contains("not supported"), "{sql}: {error}");
    }
}

#[tokio::test]
async fn an_error_in_sql_is_told_in_one_line() {
    let error = Tables::new()
        .0
        .sql("SELECT dealr FROM rounds")
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("No field named dealr"), "{error}");
    assert!(!error.contains('\n'), "{error}");
    let error = Tables::new()
        .0
        .sql("SELEC 1")
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("SELEC") && !error.contains('\n'), "{error}");
}

/// The tables of the archive in memory. Any column may be left out of an INSERT.
struct Tables(Session);

impl Tables {
    fn new() -> Tables {
        let context = SessionContext::new();
        for table in TABLES {
            let schema = table.schema();
            let fields = schema.fields().iter().map(|field| {
                let field = Field::clone(field).with_nullable(true);
                field.with_metadata(Default::default())
            });
            let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
            let empty = MemTable::try_new(schema, vec![vec![]]).unwrap();
            context.register_table(table.name, Arc::new(empty)).unwrap();
        }
        Tables(Session::over(context))
    }

    /// Holds the tables against one record of a file.
    async fn hold(&self, record: &str, name: &str) {
        let lines = record.lines().filter(|line| !line.starts_with('#'));
        let lines: Vec<&str> = lines.skip_while(|line| line.is_empty()).collect();
        match lines.as_slice() {
            [] => {}
            ["statement ok", sql @ ..] => {
                self.0
                    .context()
                    .sql(&sql.join("\n"))
                    .await
                    .unwrap()
                    .collect()
                    .await
                    .unwrap();
            }
            [kind, question, "----", expected @ ..] if kind.starts_with("query") => {
                let answer = self.answer(question).await.unwrap();
                let found: Vec<String> = answer.iter().flat_map(rows).collect();
                assert_eq!(found, expected, "{name}: {question}");
            }
            _ => panic!("{name}: {record}"),
        }
    }

    async fn answer(&self, question: &str) -> Result<Vec<RecordBatch>, Error> {
        let Some(asked) = question.strip_prefix("ask ") else {
            return self.0.sql(question).await?.collect().await;
        };
        let mut words = asked.split_whitespace();
        let query = named::find(words.next().unwrap_or_default())?;
        let values = words.map(|word| {
            let (name, value) = word.split_once('=').unwrap();
            (name.to_owned(), value.to_owned())
        });
        let values: BTreeMap<String, String> = values.collect();
        self.0.named(query, &values).await?.collect().await
    }
}

fn rows(batch: &RecordBatch) -> Vec<String> {
    let options = FormatOptions::new().with_null("-");
    let cell = |column: &ArrayRef, row: usize| {
        let formatter = ArrayFormatter::try_new(column, &options).unwrap();
        formatter.value(row).to_string().replace(' ', "_")
    };
    let row = |row| {
        let cells = batch.columns().iter().map(|column| cell(column, row));
        cells.collect::<Vec<_>>().join(" ")
    };
    (0..batch.num_rows()).map(row).collect()
}

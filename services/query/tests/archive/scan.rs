//! The archive's own scan gives the rows that are in the files, whichever files it does not open.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray, new_null_array};
use arrow::compute::cast;
use catwalk_archive::{Kind, PARTITION, TABLES, Table};
use catwalk_query::{Bounds, ReadingRoom, Session, ToldScan};
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionContext, col, lit};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::support::{archive, ask, at, rows};

/// The tables, read file by file without any scan, in memory.
pub(crate) async fn in_memory(session: &Session, folder: &Path) -> Session {
    let context = SessionContext::new();
    for version in session.versions() {
        let table = Table::named(&version.table).unwrap();
        let mut batches = Vec::new();
        for file in &version.files {
            let path = folder.join(table.name).join(&file.path);
            let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap());
            for batch in reader.unwrap().build().unwrap() {
                batches.push(whole(table, &batch.unwrap(), file.gaming_day.as_deref()));
            }
        }
        let memory = MemTable::try_new(table.schema(), vec![batches]).unwrap();
        context
            .register_table(table.name, Arc::new(memory))
            .unwrap();
    }
    Session::over(context)
}

fn whole(table: &Table, batch: &RecordBatch, day: Option<&str>) -> RecordBatch {
    let schema = table.schema();
    let rows = batch.num_rows();
    let columns = schema.fields().iter().map(|field| -> ArrayRef {
        match batch.column_by_name(field.name()) {
            Some(column) => Arc::clone(column),
            None if field.name() == PARTITION => {
                cast(&StringArray::from(vec![day; rows]), field.data_type()).unwrap()
            }
            None => new_null_array(field.data_type(), rows),
        }
    });
    RecordBatch::try_new(Arc::clone(&schema), columns.collect()).unwrap()
}

fn sorted(mut rows: Vec<String>) -> Vec<String> {
    rows.sort();
    rows
}

#[tokio::test]
async fn every_table_has_the_rows_of_its_files() {
    let session = Session::open(&at(archive())).await.unwrap();
    let memory = in_memory(&session, archive()).await;
    for table in TABLES {
        let sql = format!("SELECT * FROM {}", table.name);
        let found = sorted(ask(&session, &sql).await);
        // Few rounds tell little of these.
        let rare = [
            "incidents",
            "log_entries",
            "notices",
            "slips",
            "quarantine",
            "cases",
            "access",
        ];
        let is_rare = rare.contains(&table.name);
        let enough = found.len() > 10 || is_rare;
        assert!(enough, "{}: {} rows", table.name, found.len());
        assert_eq!(found, sorted(ask(&memory, &sql).await), "{}", table.name);
    }
}

/// Each value of each column of each table that the log keeps bounds of: equal, below, above, none.
#[tokio::test]
async fn whatever_is_left_out_has_no_row_that_fits() {
    let session = Session::open(&at(archive())).await.unwrap();
    let memory = in_memory(&session, archive()).await;
    for table in TABLES {
        for column in table.columns {
            if matches!(column.kind, Kind::Texts | Kind::Ints) {
                continue;
            }
            let (name, table) = (column.name, table.name);
            let some = format!(
                "SELECT DISTINCT CAST(\"{name}\" AS text) FROM {table} WHERE \"{name}\" IS NOT NULL ORDER BY 1"
            );
            let values = ask(&memory, &some).await;
            let chosen = [values.first(), values.last()];
            let mut filters = vec![
                format!("\"{name}\" IS NULL"),
                format!("\"{name}\" IS NOT NULL"),
            ];
            for value in chosen.into_iter().flatten() {
                let value = value.replace('\'', "''");
                let value = match column.kind {
                    Kind::Int | Kind::Cents => value,
                    Kind::Bool => value,
                    Kind::Day => format!("DATE '{value}'"),
                    Kind::Moment => {
                        format!("arrow_cast('{value}', 'Timestamp(Microsecond, Some(\"UTC\"))')")
                    }
                    _ => format!("'{value}'"),
                };
                for operator in ["=", "<", ">="] {
                    filters.push(format!("\"{name}\" {operator} {value}"));
                }
            }
            for filter in filters {
                let sql = format!(
                    "SELECT count(*), min(\"{name}\"), max(\"{name}\") FROM {table} WHERE {filter}"
                );
                assert_eq!(ask(&session, &sql).await, ask(&memory, &sql).await, "{sql}");
            }
        }
    }
}

#[tokio::test]
async fn a_look_up_opens_few_files_and_a_day_only_its_own() {
    let session = Session::open(&at(archive())).await.unwrap();
    let plan = explained(&session, "SELECT * FROM events").await;
    let all = session
        .versions()
        .iter()
        .find(|version| version.table == "events")
        .unwrap();
    assert!(all.files.len() > 2, "{plan}");
    assert_eq!(count(&plan, ".parquet"), all.files.len(), "{plan}");
    let one = "SELECT * FROM events WHERE log_partition = 0 AND log_offset = 0";
    let plan = explained(&session, one).await;
    assert!(
        (1..all.files.len()).contains(&count(&plan, ".parquet")),
        "{plan}"
    );
    let never = "SELECT * FROM wagers WHERE gaming_day = DATE '1999-01-01'";
    let plan = explained(&session, never).await;
    assert!(plan.contains("EmptyExec"), "{plan}");
    // A day that whole files fit needs no condition on its rows: the log knows how many they have.
    let day = &ask(&session, "SELECT max(gaming_day) FROM wagers").await[0];
    let sql = format!("SELECT count(*) FROM wagers WHERE gaming_day = DATE '{day}'");
    let plan = explained(&session, &sql).await;
    assert!(plan.contains("PlaceholderRowExec"), "{plan}");
}

#[tokio::test]
async fn a_round_that_is_not_there_is_known_by_the_bloom_filters() {
    let session = Session::open(&at(archive())).await.unwrap();
    let some = &ask(&session, "SELECT min(round) FROM wagers").await[0];
    let sql = format!("SELECT * FROM wagers WHERE round = '{some}x'");
    let plan = session
        .context()
        .sql(&format!("EXPLAIN ANALYZE {sql}"))
        .await
        .unwrap();
    let told = plan.collect().await.unwrap();
    let told: String = told.iter().flat_map(rows).collect();
    let by = told
        .split("row_groups_pruned_bloom_filter=")
        .nth(1)
        .unwrap();
    let by: String = by.chars().take(40).collect();
    assert!(!by.starts_with('0'), "{told}");
    assert!(told.contains("bytes_scanned"), "{told}");
}

async fn explained(session: &Session, sql: &str) -> String {
    let plan = session.context().sql(sql).await.unwrap();
    let plan = plan.create_physical_plan().await.unwrap();
    datafusion::physical_plan::displayable(&*plan)
        .indent(true)
        .to_string()
}

fn count(text: &str, word: &str) -> usize {
    text.matches(word).count()
}

#[tokio::test]
async fn a_scan_that_was_told_gives_the_same_rows_elsewhere() {
    let session = Session::open(&at(archive())).await.unwrap();
    let wagers = session
        .versions()
        .iter()
        .find(|version| version.table == "wagers")
        .unwrap();
    let filters = [
        col("amount_cents").gt(lit(2_500i64)),
        col("kind")
            .not_eq(lit("it's"))
            .and(col("player").is_not_null()),
    ];
    let told = ToldScan::of(
        (**wagers).clone(),
        &["round", "gaming_day", "amount_cents"],
        &filters,
        None,
    )
    .unwrap();
    let text = serde_json::to_string(&told).unwrap();
    let read: ToldScan = serde_json::from_str(&text).unwrap();
    assert_eq!(read, told);
    let elsewhere = ReadingRoom::open(&at(archive()), Bounds::default()).unwrap();
    let elsewhere = elsewhere.session().await.unwrap();
    let found = read.rows(&elsewhere).unwrap().collect().await.unwrap();
    let found = sorted(found.iter().flat_map(rows).collect());
    let sql = "SELECT round, gaming_day, amount_cents FROM wagers WHERE amount_cents > 2500 AND player IS NOT NULL";
    assert!(!found.is_empty());
    assert_eq!(found, sorted(ask(&session, sql).await));
}

/// The files of an archive were made before a column was thought of.
#[tokio::test]
async fn a_column_that_a_file_does_not_have_is_without_value() {
    let folder = tempfile::tempdir().unwrap();
    copy(archive(), folder.path());
    let before = Session::open(&at(folder.path())).await.unwrap();
    let rounds = ask(&before, "SELECT count(*) FROM rounds").await;
    without_column(&folder.path().join("rounds"), "assumed");
    let after = Session::open(&at(folder.path())).await.unwrap();
    assert_eq!(
        ask(&after, "SELECT count(*) FROM rounds WHERE assumed IS NULL").await,
        rounds
    );
    assert_eq!(
        ask(
            &after,
            "SELECT count(*) FROM rounds WHERE assumed IS NOT NULL"
        )
        .await,
        ["0"]
    );
    assert_eq!(
        ask(&after, "SELECT count(*), count(assumed) FROM rounds").await,
        [format!("{} | 0", rounds[0])]
    );
}

/// Rewrites all files of a table, and its log, as if a column had never been.
fn without_column(table: &Path, column: &str) {
    let mut files = files_below(table);
    // The commits say how large the files are.
    files.sort_by_key(|file| file.extension().is_some_and(|end| end == "json"));
    for file in files {
        match file.extension().and_then(|end| end.to_str()) {
            Some("parquet") if !file.to_string_lossy().contains("checkpoint") => {
                let reader =
                    ParquetRecordBatchReaderBuilder::try_new(File::open(&file).unwrap()).unwrap();
                let batches: Vec<RecordBatch> =
                    reader.build().unwrap().map(Result::unwrap).collect();
                let index = batches[0].schema().index_of(column).unwrap();
                let kept: Vec<usize> = (0..batches[0].num_columns())
                    .filter(|place| *place != index)
                    .collect();
                let batches: Vec<_> = batches
                    .iter()
                    .map(|batch| batch.project(&kept).unwrap())
                    .collect();
                let new = File::create(&file).unwrap();
                let mut writer =
                    parquet::arrow::ArrowWriter::try_new(new, batches[0].schema(), None).unwrap();
                batches
                    .iter()
                    .for_each(|batch| writer.write(batch).unwrap());
                writer.close().unwrap();
            }
            Some("json") => resized(&file, table, column),
            // Of the log, only its first commits count now.
            _ => std::fs::remove_file(&file).unwrap(),
        }
    }
    for file in files_below(table) {
        if file.to_string_lossy().contains("checkpoint") {
            std::fs::remove_file(&file).unwrap();
        }
    }
}

/// A commit with the sizes that the files have now, and without the column.
fn resized(commit: &Path, table: &Path, column: &str) {
    let text = std::fs::read_to_string(commit).unwrap();
    let lines = text.lines().map(|line| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(metadata) = line.get_mut("metaData") {
            let schema = metadata["schemaString"].as_str().unwrap();
            let mut schema: serde_json::Value = serde_json::from_str(schema).unwrap();
            let fields = schema["fields"].as_array_mut().unwrap();
            fields.retain(|field| field["name"] != column);
            metadata["schemaString"] = schema.to_string().into();
        }
        if let Some(add) = line.get_mut("add") {
            let path = table.join(add["path"].as_str().unwrap());
            if let Ok(file) = std::fs::metadata(path) {
                add["size"] = file.len().into();
            }
        }
        line.to_string()
    });
    let lines: Vec<String> = lines.collect();
    std::fs::write(commit, lines.join("\n")).unwrap();
}

#[tokio::test]
async fn what_would_hide_rows_is_refused_by_name() {
    for (line, feature) in [
        (
            r#"{"metaData":{"configuration":{"delta.columnMapping.mode":"name"}}}"#,
            "column mapping",
        ),
        (r#"{"add":{"deletionVector":{}}}"#, "deletion vectors"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        copy(archive(), folder.path());
        odd_commit(&folder.path().join("money"), line);
        // The next cut has that commit.
        std::fs::remove_file(folder.path().join("_cut.json")).unwrap();
        let error = Session::open(&at(folder.path()))
            .await
            .unwrap_err()
            .to_string();
        assert!(
            error.contains(feature) && error.contains("money"),
            "{error}"
        );
    }
}

/// Commits to a table what another writer may do, and we never do.
fn odd_commit(table: &Path, what: &str) {
    let log = table.join("_delta_log");
    let first = std::fs::read_to_string(log.join(format!("{:020}.json", 0))).unwrap();
    let mut commits: Vec<_> = std::fs::read_dir(&log)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    commits.retain(|file| file.extension().is_some_and(|end| end == "json"));
    let last = commits.iter().max().unwrap();
    let version: u64 = last.file_stem().unwrap().to_str().unwrap().parse().unwrap();
    let of = |text: &str, action: &str| -> serde_json::Value {
        let mut lines = text
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        lines.find(|line| line.get(action).is_some()).unwrap()
    };
    let features = serde_json::json!(["deletionVectors", "columnMapping"]);
    let protocol = serde_json::json!({ "protocol": {
        "minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": features, "writerFeatures": features,
    } });
    let line = if what.contains("metaData") {
        let mut metadata = of(&first, "metaData");
        metadata["metaData"]["configuration"]["delta.columnMapping.mode"] = "name".into();
        metadata["metaData"]["configuration"]["delta.columnMapping.maxColumnId"] = "99".into();
        let schema = metadata["metaData"]["schemaString"].as_str().unwrap();
        let mut schema: serde_json::Value = serde_json::from_str(schema).unwrap();
        for (id, field) in schema["fields"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .enumerate()
        {
            field["metadata"]["delta.columnMapping.id"] = (id + 1).into();
            field["metadata"]["delta.columnMapping.physicalName"] = field["name"].clone();
        }
        metadata["metaData"]["schemaString"] = schema.to_string().into();
        metadata
    } else {
        let mut adds = commits
            .iter()
            .map(|file| std::fs::read_to_string(file).unwrap());
        let commit = adds.find(|text| text.contains("\"add\"")).unwrap();
        let mut add = of(&commit, "add");
        add["add"]["deletionVector"] = serde_json::json!({
            "storageType": "i", "pathOrInlineDv": "wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L",
            "sizeInBytes": 40, "cardinality": 6
        });
        add
    };
    let next = log.join(format!("{:020}.json", version + 1));
    std::fs::write(next, format!("{protocol}\n{line}\n")).unwrap();
}

fn copy(from: &Path, to: &Path) {
    for file in files_below(from) {
        let copied = to.join(file.strip_prefix(from).unwrap());
        std::fs::create_dir_all(copied.parent().unwrap()).unwrap();
        std::fs::copy(file, copied).unwrap();
    }
}

fn files_below(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| match path.is_dir() {
        true => files_below(&path),
        false => vec![path],
    });
    files.collect()
}

//! Attacks that show one thing here and another to somebody else: to DuckDB, Polars or Spark, which read the same
//! folder by the newest version of each table, take columns by other rules and trust what lies beside the files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{
    Array as _, ArrayRef, AsArray as _, Date32Array, Float64Array, Int64Array, RecordBatch,
};
use arrow::datatypes::{DataType, Field, Int64Type, Schema};
use serde_json::{Value, json};

use crate::attacks::{Added, Attacker, Done};

impl Attacker {
    /// Columns that hide behind others: a day that the log moves, money that is rounded here, a name in capitals.
    pub(crate) fn other_columns(&mut self) -> Done {
        let mut added = self.added(2);
        let which = self.any(3);
        let day = added.add["partitionValues"]["gaming_day"].clone();
        let day: jiff::civil::Date = day.as_str().unwrap().parse().unwrap();
        if which == 0 {
            added.add["partitionValues"]["gaming_day"] = json!("2001-01-01");
        }
        let named = Done::at(&added);
        self.change_rows_of(added, |_, rows| {
            let changed = match which {
                0 => with_first(&rows, "gaming_day", of_day(day, rows.num_rows())),
                1 => with_other(&rows, |number| number as f64 + 0.75),
                _ => with_first(&rows, &capitals(&rows), numbers(&rows, |_| 7)),
            };
            (changed, None)
        });
        Done {
            what: ["a day of its own", "fractions", "capitals"][which].to_owned(),
            ..named
        }
    }

    /// Whoever looks for a leaf looks into no file of which the log says that it has none such.
    pub(crate) fn lie_of_leaves(&mut self) -> Done {
        let mut added = self.added(2);
        let mut stats: Value = serde_json::from_str(added.add["stats"].as_str().unwrap()).unwrap();
        let (bounds, lie) = [("minValues", 1_i64 << 60), ("maxValues", 0)][self.any(2)];
        stats[bounds]["leaf"] = json!(lie);
        added.add["stats"] = json!(stats.to_string());
        self.write(&added, Some(&added.add));
        Done {
            what: bounds.to_owned(),
            ..Done::at(&added)
        }
    }

    /// Whoever asks here finds fewer rows than there are.
    pub(crate) fn set_back_cut(&mut self) -> Done {
        let added = self.added(1);
        let name = added.commit.file_stem().unwrap().to_str().unwrap();
        let version: u64 = name.parse().unwrap();
        let cut = self.archive.join("_cut.json");
        let mut versions: Value = serde_json::from_slice(&fs::read(&cut).unwrap()).unwrap();
        versions["versions"][added.table] = json!(version - 1);
        fs::write(cut, versions.to_string()).unwrap();
        Done {
            what: format!("{} to version {}", added.table, version - 1),
            table: Some(added.table.to_owned()),
            ..Done::default()
        }
    }

    /// A commit that nobody here looks at: it takes a file away, or adds its rows once more.
    pub(crate) fn behind_cut(&mut self) -> Done {
        let added = self.added(1);
        let path = added.add["path"].as_str().unwrap();
        let takes_away = self.any(2) == 0;
        let mut done = Done {
            table: Some(added.table.to_owned()),
            ..Done::default()
        };
        let action = if takes_away {
            json!({"remove": {"path": path, "dataChange": true, "deletionTimestamp": 0}})
        } else {
            let mut add = added.add.clone();
            let copy = path.replace(".parquet", "-0.parquet");
            let folder = self.archive.join(added.table);
            fs::copy(folder.join(path), folder.join(&copy)).unwrap();
            add["path"] = json!(copy);
            done.file = Some(copy);
            json!({ "add": add })
        };
        done.what = action.to_string();
        fs::write(self.next_commit(&added), format!("{action}\n")).unwrap();
        done
    }

    /// Another summary of a version: which of the two is read is up to the reader.
    pub(crate) fn second_summary(&mut self) -> Done {
        let added = self.added(1);
        let ends = [
            "checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.parquet",
            "crc",
        ];
        let version = added.commit.file_stem().unwrap().to_str().unwrap();
        let name = format!("{version}.{}", ends[self.any(2)]);
        fs::write(added.commit.with_file_name(&name), "PAR1").unwrap();
        Done {
            what: name.clone(),
            table: Some(added.table.to_owned()),
            file: Some(format!("_delta_log/{name}")),
            id: None,
        }
    }

    /// The heads of one day under the name of another: both are of these trees.
    pub(crate) fn swap_days(&mut self, earlier: &Path) -> Done {
        let days = self.archive.join("_proof/days");
        fs::create_dir_all(&days).unwrap();
        let lane = self.any(3);
        let head = |archive: &Path| {
            let head = archive.join(format!("_proof/{lane:03}/checkpoint"));
            fs::read(head).unwrap()
        };
        fs::write(days.join("2026-11-15"), head(&self.archive)).unwrap();
        fs::write(days.join("2026-11-16"), head(earlier)).unwrap();
        Done {
            what: format!("tree {lane}"),
            file: Some("_proof/days/2026-11-16".to_owned()),
            ..Done::default()
        }
    }

    /// A file in the folder of another day: some readers believe the folder, and not the log.
    pub(crate) fn other_folder(&mut self) -> Done {
        let mut added = self.added(1);
        let from = self.path(&added);
        let name = from.file_name().unwrap().to_str().unwrap();
        let path = format!("gaming_day=2001-01-01/{name}");
        let to = self.archive.join(added.table).join(&path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(&from, to).unwrap();
        added.add["path"] = json!(path);
        self.write(&added, Some(&added.add));
        Done {
            what: path,
            ..Done::at(&added)
        }
    }

    fn next_commit(&self, added: &Added) -> PathBuf {
        let log = added.commit.parent().unwrap();
        let names = fs::read_dir(log).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let commits = names.filter_map(|name| name.strip_suffix(".json")?.parse::<u64>().ok());
        log.join(format!("{:020}.json", commits.max().unwrap() + 1))
    }
}

/// A column with a number in each row, as every table has one: its place.
fn number_of(rows: &RecordBatch) -> usize {
    let fields = rows.schema();
    let mut fields = fields.fields().iter().enumerate();
    let is_number = |(at, field): &(usize, &Arc<Field>)| {
        *field.data_type() == DataType::Int64
            && !["lane", "leaf"].contains(&field.name().as_str())
            && rows.column(*at).null_count() == 0
    };
    fields.find(is_number).unwrap().0
}

fn numbers(rows: &RecordBatch, change: impl Fn(i64) -> i64) -> ArrayRef {
    let numbers = rows.column(number_of(rows));
    let numbers = numbers.as_primitive::<Int64Type>().iter();
    Arc::new(
        numbers
            .map(|number| number.map(&change))
            .collect::<Int64Array>(),
    )
}

fn capitals(rows: &RecordBatch) -> String {
    rows.schema().field(number_of(rows)).name().to_uppercase()
}

fn of_day(day: jiff::civil::Date, rows: usize) -> ArrayRef {
    let epoch = jiff::civil::date(1970, 1, 1);
    Arc::new(Date32Array::from(vec![(day - epoch).get_days(); rows]))
}

/// The rows with one more column before the others.
fn with_first(rows: &RecordBatch, name: &str, column: ArrayRef) -> RecordBatch {
    let first = Field::new(name, column.data_type().clone(), true);
    let mut fields = vec![Arc::new(first)];
    fields.extend(rows.schema().fields().iter().cloned());
    let mut columns = vec![column];
    columns.extend(rows.columns().iter().cloned());
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap()
}

/// The rows with numbers that are no whole ones.
fn with_other(rows: &RecordBatch, change: impl Fn(i64) -> f64) -> RecordBatch {
    let at = number_of(rows);
    let numbers = rows.column(at).as_primitive::<Int64Type>().iter();
    let numbers: Float64Array = numbers.map(|number| number.map(&change)).collect();
    let fields = rows.schema();
    let fields = fields.fields().iter().enumerate();
    let fields = fields.map(|(index, field)| match index == at {
        true => Arc::new(Field::new(
            field.name(),
            DataType::Float64,
            field.is_nullable(),
        )),
        false => Arc::clone(field),
    });
    let fields: Vec<_> = fields.collect();
    let mut columns = rows.columns().to_vec();
    columns[at] = Arc::new(numbers);
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap()
}

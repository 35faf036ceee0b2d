//! Tables of the catalogue, made column by column.

use std::sync::Arc;

use arrow::array::{
    Array as _, ArrayRef, BooleanArray, Int64Array, RecordBatch, StringArray, new_empty_array,
    new_null_array,
};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::datasource::MemTable;

use crate::Result;

fn list_of(kind: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(kind, true)))
}

/// A table that is made column by column.
#[derive(Default)]
pub(super) struct Made {
    fields: Vec<Field>,
    columns: Vec<ArrayRef>,
}

impl Made {
    fn add(mut self, name: &str, column: ArrayRef) -> Made {
        self.fields
            .push(Field::new(name, column.data_type().clone(), true));
        self.columns.push(column);
        self
    }

    pub(super) fn text<T: Into<String>>(
        self,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) -> Made {
        let values = values.into_iter().map(|value| Some(value.into()));
        let column: StringArray = values.collect();
        self.add(name, Arc::new(column))
    }

    pub(super) fn maybe(
        self,
        name: &str,
        values: impl IntoIterator<Item = Option<String>>,
    ) -> Made {
        let column: StringArray = values.into_iter().collect();
        self.add(name, Arc::new(column))
    }

    pub(super) fn int(self, name: &str, values: impl IntoIterator<Item = i64>) -> Made {
        let column = Int64Array::from_iter_values(values);
        self.add(name, Arc::new(column))
    }

    pub(super) fn flag(self, name: &str, values: impl IntoIterator<Item = bool>) -> Made {
        let column: BooleanArray = values.into_iter().map(Some).collect();
        self.add(name, Arc::new(column))
    }

    /// Columns that are the same in every row: `number=10 flag=false text='x' none=null`, and `nolist` for a list that
    /// is not there.
    pub(super) fn all(self, same: &str) -> Made {
        let rows = self.columns.first().map_or(0, |column| column.len());
        same.split_whitespace().fold(self, |made, one| {
            let (name, value) = one.split_once('=').unwrap_or((one, "null"));
            match value {
                "null" => made.maybe(name, vec![None; rows]),
                "true" | "false" => made.flag(name, vec![value == "true"; rows]),
                "nolist" => made.add(name, new_null_array(&list_of(DataType::Utf8), rows)),
                other => match other.parse() {
                    Ok(number) => made.int(name, vec![number; rows]),
                    Err(_) => made.text(name, vec![other.trim_matches('\''); rows]),
                },
            }
        })
    }

    /// A column of lists, without rows.
    pub(super) fn lists(self, name: &str, of: DataType) -> Made {
        self.add(name, new_empty_array(&list_of(of)))
    }

    pub(super) fn table(self) -> Result<Arc<MemTable>> {
        let schema: SchemaRef = Arc::new(Schema::new(self.fields));
        let batch = RecordBatch::try_new(Arc::clone(&schema), self.columns)?;
        Ok(Arc::new(MemTable::try_new(schema, vec![vec![batch]])?))
    }
}

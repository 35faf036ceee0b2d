//! What the figures of a report stand on, asked once for all of them: the days of its tables, and where each begins and
//! ends. To work these out takes longer than to find the rows of a figure in them.

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use catwalk_query::{Session, named};

use crate::{Asked, Error, Result};

/// The query whose figures are followed.
pub(super) const QUERY: &str = "master-game";
/// Where its own selection begins.
const OWN: &str = "\n)\nSELECT\n";
/// Where its days begin to be summed up.
const SUMS: &str = ",\nmoves AS (";

/// The days of the tables of a report, and their spans.
#[derive(Clone, Debug)]
pub(super) struct Grounds {
    days: Rows,
    spans: Rows,
}

type Rows = (SchemaRef, Vec<RecordBatch>);

impl Grounds {
    /// Those of the report that is asked for.
    pub(super) async fn find(session: &Session, asked: &Asked) -> Result<Grounds> {
        let with = with()?;
        let ask = async |selection: &str| -> Result<Rows> {
            let sql = format!("{with}\n{selection}");
            let answer = session.ask(&sql, asked.bound()).await?;
            Ok((answer.schema(), answer.collect().await?))
        };
        Ok(Grounds {
            days: ask(
                "SELECT property, table_id, period, gaming_day, shift, pit, game, from_seq, to_seq FROM table_days",
            )
            .await?,
            spans: ask("SELECT property, table_id, period, gaming_day, from_seq, to_seq FROM spans").await?,
        })
    }

    /// A session that has them as tables.
    pub(super) async fn session(&self, of: &Session) -> Result<Session> {
        let own = [("table_days", &self.days), ("spans", &self.spans)];
        let own = own.map(|(name, (schema, rows))| (name, schema, rows.as_slice()));
        Ok(of.beside(&own).await?)
    }
}

/// What stands before the selection.
fn with() -> Result<String> {
    let sql = &named::find(QUERY)?.sql;
    let (with, _) = sql.rsplit_once(OWN).ok_or_else(|| unlike(OWN))?;
    Ok(format!("{with}\n)"))
}

/// The same up to the movements of money with the day of their table: all that the rows of a figure need beside its
/// grounds.
pub(super) fn movements() -> Result<String> {
    let sql = &named::find(QUERY)?.sql;
    let (with, _) = sql.split_once(SUMS).ok_or_else(|| unlike(SUMS))?;
    Ok(with.to_owned())
}

fn unlike(part: &str) -> Error {
    Error::Unknown(format!("the query {QUERY} has no part {part:?} any more"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_a_figure_are_picked_by_what_makes_the_figure() {
        let (with, movements) = (with().unwrap(), movements().unwrap());
        for needed in ["boxes AS (", "opened AS ("] {
            assert!(movements.contains(needed), "{needed}: {movements}");
            assert!(with.contains(needed), "{needed}: {with}");
        }
        for grounds in ["spans AS (", "table_days AS ("] {
            assert!(with.contains(grounds), "{grounds}: {with}");
            assert!(!movements.contains(grounds), "{grounds}: {movements}");
        }
        assert!(
            !with.contains("ORDER BY gaming_day, property, pit"),
            "{with}"
        );
    }
}

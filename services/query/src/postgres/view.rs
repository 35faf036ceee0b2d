//! The archive as a client of PostgreSQL sees it.

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::common::{ParamValues, ScalarValue};

use super::catalog::{self, DOLLARS};
use super::command::Command;
use super::rewrite::{About, DATABASE, rewrite};
use crate::session::{Shape, defined};
use crate::{Answer, Catalogue, ReadingRoom, Result, Session, named};

/// The archive as somebody sees it, with the catalogue that programs read.
#[derive(Clone)]
pub(crate) struct View {
    pub(crate) session: Session,
    /// Tables and views, and their numbers.
    relations: Arc<BTreeMap<String, u32>>,
}

impl View {
    pub(crate) async fn open(room: &ReadingRoom, catalogue: Catalogue, user: &str) -> Result<View> {
        let shape = Shape {
            database: DATABASE,
            is_plain: false,
            catalogue,
        };
        let session = room.apart(&shape).await?;
        dollars(&session).await?;
        let relations = catalog::relations(session.context()).await?;
        catalog::register(session.context(), &relations, user)?;
        let relations = relations.iter().map(|one| (one.name.clone(), one.oid));
        Ok(View {
            session,
            relations: Arc::new(relations.collect()),
        })
    }

    /// What it tells of itself to whoever asks.
    pub(crate) fn about(
        &self,
        user: &str,
        process: i32,
        settings: BTreeMap<String, String>,
    ) -> About {
        About {
            user: user.to_owned(),
            process,
            settings,
            relations: (*self.relations).clone(),
        }
    }
}

impl Command {
    /// Answers what has rows of the archive.
    pub(crate) async fn answer(
        self,
        session: &Session,
        about: &About,
        values: Vec<ScalarValue>,
    ) -> Result<Answer> {
        match self {
            Command::Call(name, values) => session.named(named::find(&name)?, &values).await,
            Command::Ask(sql) | Command::Copy { sql, .. } | Command::Declare { sql, .. } => {
                let plan = session
                    .plan_changed(&sql, |statement| rewrite(statement, about))
                    .await?;
                let plan = match values.is_empty() {
                    true => plan,
                    false => plan.with_param_values(ParamValues::from(values))?,
                };
                session.give(plan).await
            }
            _ => unreachable!("it has rows"),
        }
    }
}

/// Beside each table with money, a view of it in dollars.
async fn dollars(session: &Session) -> Result<()> {
    let context = session.context();
    for table in catwalk_archive::TABLES {
        if !context.table_exist(table.name)? {
            continue;
        }
        let seen = context.table_provider(table.name).await?.schema();
        let mut names = seen.fields().iter().map(|field| field.name().as_str());
        if !names.any(|name| name.ends_with("_cents")) {
            continue;
        }
        let columns = seen.fields().iter().map(|field| {
            let column = field.name();
            match column.strip_suffix("_cents") {
                Some(name) => format!(
                    "CAST(\"{column}\" AS DECIMAL(19, 0)) * CAST(0.01 AS DECIMAL(3, 2)) AS \"{name}\""
                ),
                None => format!("\"{column}\""),
            }
        });
        let columns: Vec<String> = columns.collect();
        let sql = format!(
            "SELECT\n    {}\nFROM {}",
            columns.join(",\n    "),
            table.name
        );
        let view = defined(context, &sql).await?;
        context.register_table(format!("{}{DOLLARS}", table.name), view)?;
    }
    Ok(())
}

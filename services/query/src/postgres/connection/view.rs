//! The archive as a connection sees it, and what is asked of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use catwalk_events::audit::Door;
use datafusion::common::{ParamValues, ScalarValue};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;

use super::{Connection, View};
use crate::postgres::catalog::{self, DOLLARS};
use crate::postgres::command::Command;
use crate::postgres::fault::Fault;
use crate::postgres::kind::{Kind, Type};
use crate::postgres::question::Running;
use crate::postgres::rewrite::{About, DATABASE, rewrite};
use crate::session::Shape;
use crate::{Question, Session, named};

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    /// The tables as they are now; within a transaction, as they were when it was first asked.
    pub(super) async fn view(&mut self) -> Result<View, Fault> {
        if let Some(view) = &self.view {
            return Ok(view.clone());
        }
        let view = self.look().await?;
        self.view = Some(view.clone());
        Ok(view)
    }

    pub(super) async fn look(&self) -> Result<View, Fault> {
        // Who has asked what is read by those who oversee it, and by nobody else.
        let oversees = self.known.caller.may(&[catwalk_web::Role::Regulator]);
        let shape = Shape {
            database: DATABASE,
            is_plain: false,
            hidden: if oversees { Vec::new() } else { vec!["access"] },
        };
        let session = self.house.room.apart(&shape).await?;
        dollars(&session).await?;
        let relations = catalog::relations(session.context()).await?;
        let user = &self.known.caller.id;
        catalog::register(session.context(), &relations, user)?;
        let relations = relations.iter().map(|one| (one.name.clone(), one.oid));
        Ok(View {
            session,
            relations: Arc::new(relations.collect()),
        })
    }

    pub(super) fn about(&self, view: &View) -> About {
        About {
            user: self.known.caller.id.clone(),
            process: self.process,
            settings: self.settings.all().clone(),
            relations: (*view.relations).clone(),
        }
    }

    /// Plans a selection on the threads for that: its schema, and its parameters.
    pub(super) async fn plan(&mut self, sql: &str) -> Result<(SchemaRef, Vec<Kind>), Fault> {
        let view = self.view().await?;
        let (about, sql) = (self.about(&view), sql.to_owned());
        let planned = self.house.workshop.threads.spawn(async move {
            let plan = view
                .session
                .plan_changed(&sql, |statement| rewrite(statement, &about))
                .await?;
            let types = plan.logical_plan().get_parameter_types()?;
            let schema = Arc::new(plan.schema().as_arrow().clone());
            Ok::<_, crate::Error>((schema, types))
        });
        let planned = tokio::time::timeout(self.settings.time(), planned).await;
        let planned = planned
            .map_err(|_| Fault::new("57014", "planning takes longer than the statement timeout"))?;
        let (schema, types) =
            planned.map_err(|_| Fault::new("XX000", "the statement could not be planned"))??;
        let mut kinds = Vec::new();
        for (name, kind) in types {
            let place = name
                .strip_prefix('$')
                .and_then(|digits| digits.parse::<usize>().ok());
            let place = place.filter(|place| (1..=1_000).contains(place));
            let Some(place) = place else {
                return Err(Fault::new(
                    "42P02",
                    format!("{name} is no parameter: $1 is the first"),
                ));
            };
            if kinds.len() < place {
                kinds.resize(place, Kind::Text);
            }
            kinds[place - 1] = kind.map_or(Kind::Text, |kind| Type::of(&kind).kind);
        }
        Ok((schema, kinds))
    }

    /// Begins to answer a selection or a named query; it is on record then.
    pub(super) async fn begin(
        &mut self,
        command: &Command,
        text: &str,
        values: Vec<ScalarValue>,
        parameters: Option<String>,
    ) -> Result<Running, Fault> {
        let view = self.view().await?;
        let about = self.about(&view);
        let parameters = match command {
            Command::Call(_, values) => Some(serde_json::json!(values).to_string()),
            _ => parameters,
        };
        let caller = &self.known.caller;
        let question = Question {
            door: Door::Sql,
            who: caller.id.clone(),
            roles: caller
                .roles
                .iter()
                .map(|role| role.word().to_owned())
                .collect(),
            station: Some(caller.station.clone()),
            program: self.settings.program(),
            case: self.settings.case(),
            text: text.to_owned(),
            parameters,
        };
        let asked = question.put_apart(&self.house.ledger).await?;
        let time = self.settings.time();
        let ((session, is_over), command) = (view.session.within(time), command.clone());
        let answer = async move {
            match command {
                Command::Call(name, values) => session.named(named::find(&name)?, &values).await,
                Command::Ask(sql) | Command::Copy { sql, .. } | Command::Declare { sql, .. } => {
                    let plan = session
                        .plan_changed(&sql, |statement| rewrite(statement, &about))
                        .await?;
                    let plan = match values.is_empty() {
                        true => plan,
                        false => plan.with_param_values(ParamValues::from(values))?,
                    };
                    session.give(plan).await
                }
                _ => unreachable!("it has rows"),
            }
        };
        let until = Instant::now() + time;
        let begun = self.house.workshop.begin(asked, until, is_over, answer);
        tokio::select! {
            begun = begun => begun,
            _ = self.interrupted.changed() => Err(Fault::cancelled()),
        }
    }

    pub(super) async fn plan_named(
        &mut self,
        name: &str,
        values: &BTreeMap<String, String>,
    ) -> Result<SchemaRef, Fault> {
        let view = self.view().await?;
        let query = named::find(name)?;
        let bound = query.bind(values)?;
        let plan = view.session.plan_changed(&query.sql, |_| {}).await?;
        let plan = plan
            .with_param_values(ParamValues::from(bound))
            .map_err(crate::Error::from)?;
        Ok(Arc::new(plan.schema().as_arrow().clone()))
    }
}

/// Beside each table with money, a view of it in dollars.
async fn dollars(session: &Session) -> Result<(), crate::Error> {
    let context = session.context();
    for table in catwalk_archive::TABLES {
        if !context.table_exist(table.name)? {
            continue;
        }
        let is_money = |name: &str| name.ends_with("_cents");
        if !table.columns.iter().any(|column| is_money(column.name)) {
            continue;
        }
        let columns = table
            .columns
            .iter()
            .map(|column| match column.name.strip_suffix("_cents") {
                Some(name) => format!(
                    "CAST(\"{}\" AS DECIMAL(19, 0)) * CAST(0.01 AS DECIMAL(3, 2)) AS \"{name}\"",
                    column.name
                ),
                None => format!("\"{}\"", column.name),
            });
        let columns: Vec<String> = columns.collect();
        let sql = format!("SELECT {} FROM {}", columns.join(", "), table.name);
        let view = context.sql(&sql).await?.into_view();
        context.register_table(format!("{}{DOLLARS}", table.name), view)?;
    }
    Ok(())
}

//! The archive as a connection sees it, and what is asked of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use catwalk_events::audit::Door;
use datafusion::common::{ParamValues, ScalarValue};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;

use super::Connection;
use crate::postgres::command::Command;
use crate::postgres::fault::Fault;
use crate::postgres::kind::{Kind, Type};
use crate::postgres::names;
use crate::postgres::question::Running;
use crate::postgres::rewrite::{About, rewrite};
use crate::postgres::view::View;
use crate::{Catalogue, Question, named};

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    /// The tables as they are now; within a transaction, as they were when it was first asked, or when the case was
    /// set that it is asked for.
    pub(super) async fn view(&mut self) -> Result<View, Fault> {
        let case = self.settings.case();
        if let Some((of, view)) = &self.view
            && *of == case
        {
            return Ok(view.clone());
        }
        let caller = &self.known.caller;
        let has_case = match case.as_deref().filter(|_| Catalogue::wants_case(caller)) {
            None => false,
            Some(number) => {
                let is_open = self.house.room.has_open_case(number).await?;
                if !is_open {
                    let told =
                        format!("there is no open case {number:?}: patrons have other names");
                    self.peer.out.notice(&told);
                }
                is_open
            }
        };
        let catalogue = Catalogue::of(caller, has_case, &self.house.pseudonyms);
        let view = View::open(&self.house.room, catalogue, &caller.id).await?;
        self.view = Some((case, view.clone()));
        Ok(view)
    }

    pub(super) fn about(&self, view: &View) -> About {
        let settings = self.settings.all().clone();
        view.about(&self.known.caller.id, self.process, settings)
    }

    /// Plans a selection on the threads for that: its schema, and its parameters.
    pub(super) async fn plan(&mut self, sql: &str) -> Result<(SchemaRef, Vec<Kind>), Fault> {
        let view = self.view().await?;
        let (about, sql) = (self.about(&view), sql.to_owned());
        let planned = self.house.workshop.threads.spawn(async move {
            let mut said = BTreeMap::new();
            let plan = view.session.plan_changed(&sql, |statement| {
                said = names::of_parameters(statement);
                rewrite(statement, &about);
            });
            let plan = plan.await?;
            let types = plan.logical_plan().get_parameter_types()?;
            let types: Vec<(String, Option<Kind>)> = types
                .into_iter()
                .map(|(name, kind)| {
                    let kind = kind.map(|kind| Type::of(&kind).kind);
                    let said = said.get(&name).copied();
                    (name, kind.or(said))
                })
                .collect();
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
            kinds[place - 1] = kind.unwrap_or(Kind::Text);
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
        let session = session.at_most(&self.house.most, &self.known.caller);
        let answer = async move { command.answer(&session, &about, values).await };
        let (until, workshop) = (Instant::now() + time, &self.house.workshop);
        let begun = workshop.begin(asked, until, is_over, answer);
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
        let plan = view.session.plan_named(query).await?;
        let plan = plan
            .with_param_values(ParamValues::from(bound))
            .map_err(crate::Error::from)?;
        Ok(Arc::new(plan.schema().as_arrow().clone()))
    }
}

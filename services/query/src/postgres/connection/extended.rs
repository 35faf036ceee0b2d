//! Statements that are prepared, bound to values, and answered in portions.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;

use super::{Connection, End, Portal, Prepared, format, no_portal, no_statement};
use crate::postgres::command::{Command, commands};
use crate::postgres::fault::Fault;
use crate::postgres::kind::Kind;
use crate::postgres::message::Bind;
use crate::postgres::parameter;

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    pub(super) async fn parse(&mut self, name: String, sql: &str, oids: &[u32]) -> Result<(), End> {
        if sql.len() > self.house.bounds.sql_bytes {
            return Err(Fault::new("54000", "the text is longer than is taken here").into());
        }
        let mut all = commands(sql)?;
        let (Some(command), None) = (all.pop(), all.pop()) else {
            let told = "cannot insert multiple commands into a prepared statement";
            return Err(Fault::new("42601", told).into());
        };
        self.check_status(&command)?;
        if !name.is_empty() && self.statements.contains_key(&name) {
            return Err(Fault::new(
                "42P05",
                format!("there is a prepared statement {name:?} already"),
            )
            .into());
        }
        self.make_room()?;
        let (mut schema, mut types) = (None, Vec::new());
        match &command {
            Command::Ask(sql) => {
                let (planned, kinds) = self.plan(sql).await?;
                (schema, types) = (Some(planned), kinds);
            }
            Command::Call(name, values) => {
                let planned = self.plan_named(name, values).await?;
                schema = Some(planned);
            }
            Command::Copy { .. } => {
                return Err(Fault::new("0A000", "COPY is answered to a simple query only").into());
            }
            Command::Fetch { cursor, .. } => {
                schema = self
                    .portals
                    .get(cursor)
                    .and_then(|portal| portal.prepared.schema.clone());
            }
            Command::Show(name) => {
                let field = Field::new(name, DataType::Utf8, false);
                schema = Some(Arc::new(Schema::new(vec![field])));
            }
            _ => {}
        }
        for (place, oid) in oids.iter().enumerate().filter(|(_, oid)| **oid != 0) {
            let kind = Kind::of_oid(*oid);
            let kind = kind.ok_or_else(|| {
                Fault::new(
                    "0A000",
                    format!("parameters of type {oid} are not taken here"),
                )
            })?;
            if types.len() <= place {
                types.resize(place + 1, Kind::Text);
            }
            types[place] = kind;
        }
        let text = sql.to_owned();
        self.statements.insert(
            name,
            Prepared {
                command,
                text,
                types,
                schema,
            },
        );
        self.peer.out.plain(b'1');
        Ok(())
    }

    pub(super) fn bind(&mut self, bind: Bind) -> Result<(), End> {
        let prepared = self.statements.get(&bind.statement).cloned();
        let prepared = prepared.ok_or_else(|| no_statement(&bind.statement))?;
        let (expected, found) = (prepared.types.len(), bind.values.len());
        if expected != found {
            let told =
                format!("the statement has {expected} parameters, and {found} values were bound");
            return Err(Fault::new("08P01", told).into());
        }
        self.make_room()?;
        let mut values = Vec::new();
        for (place, (kind, value)) in prepared.types.iter().zip(&bind.values).enumerate() {
            let format = format(&bind.formats, place);
            let read = parameter::read(*kind, format, value.as_deref());
            let read =
                read.map_err(|wrong| Fault::new("22P02", format!("${}: {wrong}", place + 1)))?;
            values.push(read);
        }
        let columns = prepared
            .schema
            .as_ref()
            .map_or(0, |schema| schema.fields().len());
        let bytes = (0..columns)
            .map(|place| format(&bind.results, place) == 1)
            .collect();
        let shown = (1..)
            .zip(&values)
            .map(|(place, value)| (place.to_string(), value.to_string()));
        let shown: BTreeMap<String, String> = shown.collect();
        let parameters = (!shown.is_empty()).then(|| serde_json::json!(shown).to_string());
        self.portals.insert(
            bind.portal,
            Portal {
                prepared,
                values,
                parameters,
                bytes,
                running: None,
                is_done: false,
            },
        );
        self.peer.out.plain(b'2');
        Ok(())
    }

    pub(super) fn describe_statement(&mut self, name: &str) -> Result<(), End> {
        let prepared = self
            .statements
            .get(name)
            .cloned()
            .ok_or_else(|| no_statement(name))?;
        let oids: Vec<u32> = prepared.types.iter().map(|kind| kind.oid()).collect();
        self.peer.out.parameters(&oids);
        match &prepared.schema {
            Some(schema) => self.tell_columns(schema, &[]),
            None => self.peer.out.plain(b'n'),
        }
        Ok(())
    }

    pub(super) fn describe_portal(&mut self, name: &str) -> Result<(), End> {
        let Some(portal) = self.portals.get(name) else {
            return Err(no_portal(name).into());
        };
        let (schema, bytes) = (portal.prepared.schema.clone(), portal.bytes.clone());
        match &schema {
            Some(schema) => self.tell_columns(schema, &bytes),
            None => self.peer.out.plain(b'n'),
        }
        Ok(())
    }

    pub(super) async fn execute(
        &mut self,
        name: &str,
        most: i32,
        stopped: &mut watch::Receiver<bool>,
    ) -> Result<(), End> {
        let Some(mut portal) = self.portals.remove(name) else {
            return Err(no_portal(name).into());
        };
        let command = portal.prepared.command.clone();
        self.check_status(&command)?;
        match &command {
            Command::Nothing => self.peer.out.plain(b'I'),
            Command::Ask(_) | Command::Call(..) => {
                if portal.running.is_none() && !portal.is_done {
                    self.may_open()?;
                    let (text, values) = (portal.prepared.text.clone(), portal.values.clone());
                    let parameters = portal.parameters.clone();
                    let running = self.begin(&command, &text, values, parameters).await?;
                    portal.running = Some(running);
                }
                let most = usize::try_from(most).ok().filter(|most| *most > 0);
                let told = self
                    .tell_portal(&mut portal, most.unwrap_or(usize::MAX), stopped)
                    .await?;
                match most {
                    Some(most) if told == most && !portal.is_done => self.peer.out.plain(b's'),
                    _ => self.peer.out.done(&format!("SELECT {told}")),
                }
            }
            Command::Fetch {
                cursor,
                most,
                is_shown,
            } => {
                // Its columns were described already.
                let Some(mut fetched) = self.portals.remove(cursor) else {
                    return Err(
                        Fault::new("34000", format!("there is no cursor {cursor:?}")).into(),
                    );
                };
                let columns = fetched.bytes.len();
                fetched.bytes = portal.bytes.clone();
                fetched.bytes.resize(columns, false);
                let most = most.map_or(usize::MAX, |most| {
                    usize::try_from(most).unwrap_or(usize::MAX)
                });
                let told = self.tell_portal(&mut fetched, most, stopped).await?;
                self.portals.insert(cursor.clone(), fetched);
                self.peer.out.done(&format!(
                    "{} {told}",
                    if *is_shown { "FETCH" } else { "MOVE" }
                ));
            }
            Command::Show(setting) => {
                let before = self.peer.out.0.len();
                self.show(setting)?;
                // Its column was described already.
                let description = self.peer.out.0[before + 1..before + 5].try_into();
                let length = description.map(u32::from_be_bytes).unwrap_or_default();
                let end = before + 1 + usize::try_from(length).unwrap_or_default();
                self.peer.out.0.drain(before..end);
                self.peer.out.done("SHOW");
            }
            other => self.obey(other, &portal.prepared.text.clone()).await?,
        }
        self.portals.insert(name.to_owned(), portal);
        Ok(())
    }
}

//! A connection: its settings, its prepared statements, its portals, and what it is told.

mod extended;
mod simple;
mod view;

use std::collections::HashMap;
use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use datafusion::common::ScalarValue;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;

use super::command::Command;
use super::fault::Fault;
use super::greet::Known;
use super::kind::{Kind, Type};
use super::message::{Message, Shown, Status};
use super::peer::Peer;
use super::question::{Form, Running};
use super::settings::{Settings, TOLD};
use super::view::View;
use super::{House, LOOK_AROUND, lock};

/// Statements that a connection keeps, and portals.
const KEPT: usize = 256;
/// Answers that a connection has begun to fetch and not ended.
const OPEN: usize = 8;

pub(super) struct Connection<S> {
    house: Arc<House>,
    peer: Peer<S>,
    known: Known,
    settings: Settings,
    process: i32,
    interrupted: watch::Receiver<()>,
    status: Status,
    /// After an error all is passed over until the client says where it goes on.
    is_skipping: bool,
    statements: HashMap<String, Prepared>,
    portals: HashMap<String, Portal>,
    /// The archive, and the case for which it is seen so.
    view: Option<(Option<String>, View)>,
}

#[derive(Clone)]
struct Prepared {
    command: Command,
    text: String,
    types: Vec<Kind>,
    /// `None`: it has no rows.
    schema: Option<SchemaRef>,
}

struct Portal {
    prepared: Prepared,
    values: Vec<ScalarValue>,
    parameters: Option<String>,
    bytes: Vec<bool>,
    running: Option<Running>,
    is_done: bool,
}

/// What ends a connection.
enum End {
    Gone,
    Fault(Fault),
}

impl From<std::io::Error> for End {
    fn from(_: std::io::Error) -> End {
        End::Gone
    }
}

impl From<Fault> for End {
    fn from(fault: Fault) -> End {
        End::Fault(fault)
    }
}

impl<S> Drop for Connection<S> {
    fn drop(&mut self) {
        lock(&self.house.guests).remove(&self.process);
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    pub(super) fn new(
        house: Arc<House>,
        peer: Peer<S>,
        known: Known,
        settings: Settings,
        process: i32,
        interrupted: watch::Receiver<()>,
    ) -> Connection<S> {
        Connection {
            house,
            peer,
            known,
            settings,
            process,
            interrupted,
            status: Status::Idle,
            is_skipping: false,
            statements: HashMap::new(),
            portals: HashMap::new(),
            view: None,
        }
    }

    /// Tells whoever has come in what they should know.
    pub(super) async fn welcome(mut self, secret: i32) -> Option<Connection<S>> {
        self.peer.out.signed_in();
        for name in TOLD {
            let value = self.settings.get(name).unwrap_or_default();
            self.peer.out.setting(name, value);
        }
        self.peer.out.key(self.process, secret);
        self.peer.out.ready(Status::Idle);
        self.peer.send().await.ok()?;
        Some(self)
    }

    /// Answers until the client leaves, the door is shut, or the token is no longer good.
    pub(super) async fn serve(mut self, mut stopped: watch::Receiver<bool>) {
        let mut look = tokio::time::interval(LOOK_AROUND);
        loop {
            let heard = match self.peer.message() {
                Ok(Some(Message::Terminate)) => break,
                Ok(Some(message)) => Ok(message),
                Ok(None) => {
                    let more = tokio::select! {
                        more = self.peer.hear() => more.map_err(End::from),
                        _ = look.tick() => self.may_stay().map_err(End::from),
                        _ = stopped.changed() => Err(shut().into()),
                    };
                    match more {
                        Ok(()) => continue,
                        Err(end) => Err(end),
                    }
                }
                Err(malformed) => Err(Fault::from(malformed).into()),
            };
            let answered = match heard {
                Ok(message) => self.answer(message, &mut stopped).await,
                Err(end) => Err(end),
            };
            match answered {
                Ok(()) => {}
                Err(End::Gone) => break,
                Err(End::Fault(fault)) => {
                    self.peer.out.error("FATAL", fault.code, &fault.told);
                    // Whoever does not listen misses nothing.
                    let _ = self.peer.send().await;
                    break;
                }
            }
        }
        self.portals.clear();
        self.peer.end().await;
    }

    /// Whether the token, and whose it is, are still good.
    fn may_stay(&self) -> Result<(), Fault> {
        let Some(signed_in) = &self.known.signed_in else {
            return Ok(());
        };
        match self.house.users.sql_still(signed_in) {
            Ok(Some(caller)) if caller == self.known.caller => Ok(()),
            Ok(Some(_)) => Err(Fault::fatal(
                "57P01",
                "your rights have changed: connect again",
            )),
            Ok(None) => Err(Fault::fatal(
                "57P01",
                "the token was revoked or has expired",
            )),
            Err(_) => Err(Fault::fatal(
                "57P01",
                "it cannot be seen whether the token is still good",
            )),
        }
    }

    async fn answer(
        &mut self,
        message: Message,
        stopped: &mut watch::Receiver<bool>,
    ) -> Result<(), End> {
        if self.is_skipping && !matches!(message, Message::Sync) {
            return Ok(());
        }
        // What was interrupted before is over.
        self.interrupted.borrow_and_update();
        match message {
            Message::Sync => {
                self.is_skipping = false;
                self.leave_transaction();
                self.peer.out.ready(self.status);
                return Ok(self.peer.send().await?);
            }
            Message::Flush => return Ok(self.peer.send().await?),
            Message::Query(sql) => {
                let answered = self.query(&sql, stopped).await;
                if let Err(end) = answered {
                    self.tell_fault(end)?;
                }
                self.portals.remove("");
                self.leave_transaction();
                self.peer.out.ready(self.status);
                return Ok(self.peer.send().await?);
            }
            Message::CopyData => return Ok(()),
            Message::Secret(_) => {
                return Err(Fault::fatal("08P01", "nobody asked for a password").into());
            }
            _ => {}
        }
        let answered = match message {
            Message::Parse { name, sql, types } => self.parse(name, &sql, &types).await,
            Message::Bind(bind) => self.bind(bind),
            Message::DescribeStatement(name) => self.describe_statement(&name),
            Message::DescribePortal(name) => self.describe_portal(&name),
            Message::Execute { portal, most } => self.execute(&portal, most, stopped).await,
            Message::CloseStatement(name) => {
                self.statements.remove(&name);
                self.peer.out.plain(b'3');
                Ok(())
            }
            Message::ClosePortal(name) => {
                self.portals.remove(&name);
                self.peer.out.plain(b'3');
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(end) = answered {
            self.tell_fault(end)?;
            self.is_skipping = true;
        }
        if self.peer.has_enough_to_send() {
            self.peer.send().await?;
        }
        Ok(())
    }

    /// Tells what is wrong; what ends the connection is passed on.
    fn tell_fault(&mut self, end: End) -> Result<(), End> {
        let fault = match end {
            End::Gone => return Err(End::Gone),
            End::Fault(fault) if fault.is_fatal => return Err(End::Fault(fault)),
            End::Fault(fault) => fault,
        };
        self.peer.out.error("ERROR", fault.code, &fault.told);
        if self.status != Status::Idle {
            self.status = Status::Failed;
        }
        Ok(())
    }

    /// Outside of a transaction nothing outlives a statement.
    fn leave_transaction(&mut self) {
        if self.status == Status::Idle {
            self.portals.clear();
            self.view = None;
        }
    }

    /// In a transaction in which something has failed, only its end is heard.
    fn check_status(&self, command: &Command) -> Result<(), Fault> {
        let ends = matches!(
            command,
            Command::Commit | Command::Rollback | Command::Point("ROLLBACK")
        );
        match self.status == Status::Failed && !ends {
            true => Err(Fault::new(
                "25P02",
                "current transaction is aborted, commands ignored until end of transaction block",
            )),
            false => Ok(()),
        }
    }

    fn tell_columns(&mut self, schema: &SchemaRef, bytes: &[bool]) {
        let columns = schema.fields().iter().enumerate().map(|(place, field)| {
            let kind = Type::of_field(field);
            Shown {
                name: field.name(),
                oid: kind.oid(),
                length: kind.length(),
                format: i16::from(bytes.get(place).copied().unwrap_or_default()),
            }
        });
        self.peer.out.columns(columns);
    }

    /// Tells all rows; how many there were.
    async fn tell_all(
        &mut self,
        mut running: Running,
        form: &Form<'_>,
        stopped: &mut watch::Receiver<bool>,
    ) -> Result<u64, End> {
        while !self
            .tell_some(&mut running, usize::MAX, form, stopped)
            .await?
            .1
        {}
        running.ended().await?;
        Ok(running.given)
    }

    /// Tells some rows as they come, while it is looked whether the client is still there and may stay.
    async fn tell_some(
        &mut self,
        running: &mut Running,
        most: usize,
        form: &Form<'_>,
        stopped: &mut watch::Receiver<bool>,
    ) -> Result<(usize, bool), End> {
        let mut out = std::mem::take(&mut self.peer.out);
        let mut look = tokio::time::interval(LOOK_AROUND);
        let told = {
            let telling = running.tell(most, form, &mut out);
            tokio::pin!(telling);
            loop {
                tokio::select! {
                    told = &mut telling => break told.map_err(End::from),
                    _ = self.interrupted.changed() => break Err(Fault::cancelled().into()),
                    _ = stopped.changed() => break Err(shut().into()),
                    heard = self.peer.hear() => if let Err(error) = heard { break Err(error.into()) },
                    _ = look.tick() => if let Err(fault) = self.may_stay() { break Err(fault.into()) },
                }
            }
        };
        self.peer.out = out;
        let told = told?;
        if self.peer.has_enough_to_send() {
            self.peer.send().await?;
        }
        Ok(told)
    }

    /// Tells so many rows of a portal; how many there were.
    async fn tell_portal(
        &mut self,
        portal: &mut Portal,
        most: usize,
        stopped: &mut watch::Receiver<bool>,
    ) -> Result<usize, End> {
        let (Some(running), Some(schema)) = (&mut portal.running, &portal.prepared.schema) else {
            return Ok(0);
        };
        let (types, mut told) = (types(schema), 0);
        while told < most && !portal.is_done {
            let form = Form::Rows(&types, &portal.bytes);
            let (some, is_done) = self.tell_some(running, most - told, &form, stopped).await?;
            told += some;
            if is_done {
                portal.is_done = true;
                running.ended().await?;
            }
        }
        if portal.is_done {
            portal.running = None;
        }
        Ok(told)
    }

    /// Whether one more answer may be begun of which not all is fetched at once.
    fn may_open(&self) -> Result<(), Fault> {
        let open = self.portals.values().filter(|one| one.running.is_some());
        match open.count() < OPEN {
            true => Ok(()),
            false => Err(Fault::new(
                "53400",
                format!(
                    "{OPEN} answers are being fetched: fetch them to their ends, or close them"
                ),
            )),
        }
    }

    fn make_room(&self) -> Result<(), Fault> {
        match self.portals.len() < KEPT && self.statements.len() < KEPT {
            true => Ok(()),
            false => Err(Fault::new(
                "53400",
                format!("{KEPT} statements and portals are kept, and no more"),
            )),
        }
    }
}

fn shut() -> Fault {
    Fault::fatal("57P01", "the server is shut")
}

fn no_statement(name: &str) -> Fault {
    Fault::new("26000", format!("there is no prepared statement {name:?}"))
}

fn no_portal(name: &str) -> Fault {
    Fault::new("34000", format!("there is no portal {name:?}"))
}

/// None: all text. One: for all.
fn format(formats: &[i16], place: usize) -> i16 {
    match formats {
        [] => 0,
        [all] => *all,
        each => each.get(place).copied().unwrap_or_default(),
    }
}

fn types(schema: &SchemaRef) -> Vec<Type> {
    schema
        .fields()
        .iter()
        .map(|field| Type::of_field(field))
        .collect()
}

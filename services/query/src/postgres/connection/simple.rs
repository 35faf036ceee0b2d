//! Texts with statements, each of which is answered at once.

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;

use super::{Connection, End, Portal, Prepared, types};
use crate::postgres::command::{Command, commands};
use crate::postgres::fault::Fault;
use crate::postgres::kind::Kind;
use crate::postgres::message::{Shown, Status};
use crate::postgres::question::{Form, Lines, Running};
use crate::postgres::settings::TOLD;

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    /// A text with any number of statements; all rows of each are told as text.
    pub(super) async fn query(
        &mut self,
        sql: &str,
        stopped: &mut watch::Receiver<bool>,
    ) -> Result<(), End> {
        if sql.len() > self.house.bounds.sql_bytes {
            return Err(Fault::new("54000", "the text is longer than is taken here").into());
        }
        for command in commands(sql)? {
            self.check_status(&command)?;
            match &command {
                Command::Nothing => self.peer.out.plain(b'I'),
                Command::Ask(_) | Command::Call(..) => {
                    let running = self.begin(&command, sql, Vec::new(), None).await?;
                    let types = types(&running.schema);
                    let bytes = vec![false; types.len()];
                    self.tell_columns(&running.schema.clone(), &bytes);
                    let tag = self
                        .tell_all(running, &Form::Rows(&types, &bytes), stopped)
                        .await?;
                    self.peer.out.done(&format!("SELECT {tag}"));
                }
                Command::Copy { csv, header, .. } => {
                    let running = self.begin(&command, sql, Vec::new(), None).await?;
                    self.copy(running, Lines { csv: *csv }, *header, stopped)
                        .await?;
                }
                Command::Fetch {
                    cursor,
                    most,
                    is_shown,
                } => {
                    self.fetch(cursor, *most, *is_shown, stopped).await?;
                }
                other => self.obey(other, sql).await?,
            }
        }
        Ok(())
    }

    pub(super) async fn copy(
        &mut self,
        running: Running,
        lines: Lines,
        header: bool,
        stopped: &mut watch::Receiver<bool>,
    ) -> Result<(), End> {
        let schema = running.schema.clone();
        self.peer.out.copy_begins(schema.fields().len());
        if header {
            let mut line = Vec::new();
            for (place, field) in schema.fields().iter().enumerate() {
                if place > 0 {
                    line.push(if lines.csv { b',' } else { b'\t' });
                }
                lines.put(field.name().as_bytes(), &mut line);
            }
            line.push(b'\n');
            self.peer.out.copied(&line);
        }
        let types = types(&schema);
        let rows = self
            .tell_all(running, &Form::Lines(&types, lines), stopped)
            .await?;
        self.peer.out.plain(b'c');
        self.peer.out.done(&format!("COPY {rows}"));
        Ok(())
    }

    /// What has no rows that come from the archive.
    pub(super) async fn obey(&mut self, command: &Command, text: &str) -> Result<(), End> {
        let tag = match command {
            Command::Set { name, value } => {
                let notice = self.settings.set(name, value.as_deref())?;
                if let Some(notice) = notice {
                    self.peer.out.notice(&notice);
                }
                if let Some(told) = TOLD.iter().find(|told| told.eq_ignore_ascii_case(name)) {
                    let value = self.settings.get(told).unwrap_or_default().to_owned();
                    self.peer.out.setting(told, &value);
                }
                "SET"
            }
            Command::Show(name) => {
                self.show(name)?;
                "SHOW"
            }
            Command::Begin => {
                if self.status == Status::Idle {
                    self.status = Status::Within;
                    self.view = None;
                }
                "BEGIN"
            }
            Command::Commit | Command::Rollback => {
                let had_failed = self.status == Status::Failed;
                self.status = Status::Idle;
                self.leave_transaction();
                match command {
                    Command::Commit if !had_failed => "COMMIT",
                    _ => "ROLLBACK",
                }
            }
            Command::Point(what) => {
                if self.status == Status::Idle {
                    return Err(Fault::new("25P01", format!("{what} needs a transaction")).into());
                }
                self.status = Status::Within;
                what
            }
            Command::Discard(what) => {
                self.discard(what);
                "DISCARD ALL"
            }
            Command::Deallocate(name) => {
                match name {
                    Some(name) => drop(self.statements.remove(name)),
                    None => self.statements.clear(),
                }
                "DEALLOCATE"
            }
            Command::Declare { cursor, .. } => {
                self.declare(cursor, command, text).await?;
                "DECLARE CURSOR"
            }
            Command::CloseCursor(name) => {
                match name {
                    Some(name) => drop(self.portals.remove(name)),
                    None => self.portals.clear(),
                }
                "CLOSE CURSOR"
            }
            Command::Ignored(tag) => tag,
            _ => unreachable!("it has rows"),
        };
        self.peer.out.done(tag);
        Ok(())
    }

    /// A cursor is a portal that is told by name.
    async fn declare(&mut self, cursor: &str, command: &Command, text: &str) -> Result<(), End> {
        if self.status == Status::Idle {
            let told = "a cursor lives in a transaction: begin one first";
            return Err(Fault::new("25P01", told).into());
        }
        self.make_room()?;
        self.may_open()?;
        let running = self.begin(command, text, Vec::new(), None).await?;
        let schema = Some(running.schema.clone());
        let columns = running.schema.fields().len();
        let prepared = Prepared {
            command: command.clone(),
            text: text.to_owned(),
            types: Vec::new(),
            schema,
        };
        self.portals.insert(
            cursor.to_owned(),
            Portal {
                prepared,
                values: Vec::new(),
                parameters: None,
                bytes: vec![false; columns],
                running: Some(running),
                is_done: false,
            },
        );
        Ok(())
    }

    pub(super) fn discard(&mut self, what: &str) {
        match what {
            "all" => {
                self.statements.clear();
                self.portals.clear();
                self.settings.reset();
            }
            "plans" | "sequences" | "temp" | "temporary" => {}
            _ => self.settings.reset(),
        }
    }

    pub(super) fn show(&mut self, name: &str) -> Result<(), Fault> {
        let value = self.settings.get(name).map(str::to_owned);
        let value = value
            .ok_or_else(|| Fault::new("42704", format!("there is no setting {name:?} here")))?;
        let column = Shown {
            name,
            oid: Kind::Text.oid(),
            length: -1,
            format: 0,
        };
        self.peer.out.columns([column].into_iter());
        let told = self.peer.out.row(1, |_, out| {
            out.extend(value.as_bytes());
            Ok::<_, std::convert::Infallible>(true)
        });
        match told {
            Ok(()) => Ok(()),
            Err(never) => match never {},
        }
    }

    pub(super) async fn fetch(
        &mut self,
        cursor: &str,
        most: Option<u64>,
        is_shown: bool,
        stopped: &mut watch::Receiver<bool>,
    ) -> Result<(), End> {
        let Some(mut portal) = self.portals.remove(cursor) else {
            return Err(Fault::new("34000", format!("there is no cursor {cursor:?}")).into());
        };
        if let Some(schema) = portal.prepared.schema.as_ref().filter(|_| is_shown) {
            self.tell_columns(&schema.clone(), &portal.bytes);
        }
        let most = most.map_or(usize::MAX, |most| {
            usize::try_from(most).unwrap_or(usize::MAX)
        });
        let before = self.peer.out.0.len();
        let told = self.tell_portal(&mut portal, most, stopped).await?;
        if !is_shown {
            self.peer.out.0.truncate(before);
        }
        self.portals.insert(cursor.to_owned(), portal);
        self.peer.out.done(&format!(
            "{} {told}",
            if is_shown { "FETCH" } else { "MOVE" }
        ));
        Ok(())
    }
}

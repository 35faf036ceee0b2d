//! A question while it is answered: worked out on threads for that, told as it comes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;
use catwalk_events::audit::Outcome;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use super::fault::Fault;
use super::kind::Type;
use super::message::Out;
use super::values::{as_bytes, as_text};
use crate::{Answer, Asked, Error};

/// Where questions are worked out.
#[derive(Debug)]
pub(super) struct Workshop {
    pub(super) threads: Handle,
    /// Questions at a time; the others wait.
    pub(super) places: Arc<Semaphore>,
}

/// Rows of a question, as far as they were not told yet.
pub(super) struct Running {
    pub(super) schema: SchemaRef,
    parts: mpsc::Receiver<Result<RecordBatch, Error>>,
    _task: Abandoned,
    until: Instant,
    asked: Arc<Asked>,
    rest: Option<(Vec<ArrayRef>, usize, usize)>,
    pub(super) given: u64,
}

/// Work that ends when nobody waits for it.
struct Abandoned(JoinHandle<()>, Arc<AtomicBool>);

impl Drop for Abandoned {
    fn drop(&mut self) {
        // What does not wait for anything looks at this.
        self.1.store(true, Ordering::Relaxed);
        self.0.abort();
    }
}

impl Workshop {
    /// Begins to work an answer out. It is on record already.
    pub(super) async fn begin(
        &self,
        asked: Asked,
        until: Instant,
        is_over: Arc<AtomicBool>,
        answer: impl Future<Output = Result<Answer, Error>> + Send + 'static,
    ) -> Result<Running, Fault> {
        let (sender, parts) = mpsc::channel(2);
        let (tell, told) = oneshot::channel();
        let places = Arc::clone(&self.places);
        let work = async move {
            let Ok(_place) = places.acquire().await else {
                return;
            };
            let mut answer = match answer.await {
                Ok(answer) => answer,
                Err(error) => return drop(tell.send(Err(error))),
            };
            if tell.send(Ok(answer.schema())).is_err() {
                return;
            }
            while let Some(part) = answer.next_batch().await.transpose() {
                let is_last = part.is_err();
                if sender.send(part).await.is_err() || is_last {
                    return;
                }
            }
        };
        let task = Abandoned(self.threads.spawn(work), is_over);
        let asked = Arc::new(asked);
        let schema = match timeout_at(until, told).await {
            Ok(Ok(Ok(schema))) => schema,
            Ok(Ok(Err(error))) => return Err(failed(&asked, error.into()).await),
            Ok(Err(_)) => return Err(failed(&asked, panicked()).await),
            Err(_) => return Err(failed(&asked, too_late()).await),
        };
        Ok(Running {
            schema,
            parts,
            _task: task,
            until,
            asked,
            rest: None,
            given: 0,
        })
    }
}

fn too_late() -> Fault {
    Fault::new(
        "57014",
        "the question takes longer than the statement timeout allows",
    )
}

fn panicked() -> Fault {
    Fault::new("XX000", "the answer could not be worked out")
}

/// Puts on record that a question has failed.
async fn failed(asked: &Arc<Asked>, fault: Fault) -> Fault {
    let recorded = asked.answered_apart(Outcome::Failed, Some(fault.told.clone()));
    match recorded.await {
        Ok(()) => fault,
        Err(error) => error.into(),
    }
}

/// How rows are told.
pub(super) enum Form<'a> {
    /// In rows; by the column, whether as bytes.
    Rows(&'a [Type], &'a [bool]),
    /// In lines of a copy.
    Lines(&'a [Type], Lines),
}

#[derive(Clone, Copy)]
pub(super) struct Lines {
    pub(super) csv: bool,
}

impl Running {
    /// Tells so many rows more, as far as they go into what is sent at once. True when that was the last row.
    pub(super) async fn tell(
        &mut self,
        most: usize,
        form: &Form<'_>,
        out: &mut Out,
    ) -> Result<(usize, bool), Fault> {
        // Where rows are always there, nobody ever waits for one: the clock is looked at by itself.
        if Instant::now() >= self.until {
            return Err(self.failed(too_late()).await);
        }
        if self.rest.is_none() && !self.next(form).await? {
            return Ok((0, true));
        }
        let Some((columns, from, rows)) = self.rest.take() else {
            return Ok((0, false));
        };
        let before = out.0.len();
        let mut row = from;
        while row < rows && row - from < most && out.0.len() - before < 64 * 1024 {
            let told = match form {
                Form::Rows(types, bytes) => out.row(columns.len(), |place, out| {
                    let tell = if bytes[place] { as_bytes } else { as_text };
                    tell(types[place], &columns[place], row, out)
                }),
                Form::Lines(types, lines) => lines.tell(types, &columns, row, out),
            };
            if let Err(error) = told {
                return Err(self.failed(Error::from(error).into()).await);
            }
            row += 1;
        }
        let told = row - from;
        if row < rows {
            self.rest = Some((columns, row, rows));
        }
        self.given += told as u64;
        self.asked.give(told as u64, (out.0.len() - before) as u64);
        Ok((told, false))
    }

    /// Takes the next rows that have been worked out; false after the last.
    async fn next(&mut self, form: &Form<'_>) -> Result<bool, Fault> {
        let (Form::Rows(types, _) | Form::Lines(types, _)) = form;
        loop {
            let part = match timeout_at(self.until, self.parts.recv()).await {
                Ok(part) => part,
                Err(_) => return Err(self.failed(too_late()).await),
            };
            let batch = match part {
                Some(Ok(batch)) => batch,
                Some(Err(error)) => return Err(self.failed(error.into()).await),
                None => return Ok(false),
            };
            if batch.num_rows() == 0 {
                continue;
            }
            let columns = batch.columns().iter().zip(*types);
            let held: Result<Vec<ArrayRef>, _> =
                columns.map(|(column, kind)| kind.hold(column)).collect();
            let held = match held {
                Ok(held) => held,
                Err(error) => return Err(self.failed(Error::from(error).into()).await),
            };
            self.rest = Some((held, 0, batch.num_rows()));
            return Ok(true);
        }
    }

    /// Puts on record that all was told.
    pub(super) async fn ended(&self) -> Result<(), Fault> {
        Ok(self.asked.answered_apart(Outcome::Complete, None).await?)
    }

    async fn failed(&self, fault: Fault) -> Fault {
        failed(&self.asked, fault).await
    }
}

impl Lines {
    fn tell(
        self,
        types: &[Type],
        columns: &[ArrayRef],
        row: usize,
        out: &mut Out,
    ) -> Result<(), arrow::error::ArrowError> {
        let mut line = Vec::new();
        for (place, column) in columns.iter().enumerate() {
            if place > 0 {
                line.push(if self.csv { b',' } else { b'\t' });
            }
            let mut value = Vec::new();
            match as_text(types[place], column, row, &mut value)? {
                true => self.put(&value, &mut line),
                false if self.csv => {}
                false => line.extend(b"\\N"),
            }
        }
        line.push(b'\n');
        out.copied(&line);
        Ok(())
    }

    pub(super) fn put(self, value: &[u8], line: &mut Vec<u8>) {
        if self.csv {
            let quoted = value.is_empty()
                || value == b"\\."
                || value
                    .iter()
                    .any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r'));
            if !quoted {
                return line.extend(value);
            }
            line.push(b'"');
            for byte in value {
                if *byte == b'"' {
                    line.push(b'"');
                }
                line.push(*byte);
            }
            return line.push(b'"');
        }
        for byte in value {
            match byte {
                b'\\' => line.extend(b"\\\\"),
                b'\n' => line.extend(b"\\n"),
                b'\r' => line.extend(b"\\r"),
                b'\t' => line.extend(b"\\t"),
                other => line.push(*other),
            }
        }
    }
}

//! A question while it is answered: worked out on threads for that, told as it comes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

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

/// Rows of all answers that wait to be told.
const WAITING_BYTES: usize = 512 << 20;

/// Where questions are worked out.
#[derive(Debug)]
pub(super) struct Workshop {
    pub(super) threads: Handle,
    /// Questions at a time; the others wait.
    pub(super) places: Arc<Semaphore>,
    pub(super) waiting: Arc<Waiting>,
}

/// What all rows that wait to be told take.
#[derive(Debug, Default)]
pub(super) struct Waiting(AtomicUsize);

/// The bytes of rows while they wait.
struct Kept(Arc<Waiting>, usize);

impl Waiting {
    /// Counts rows among those that wait, if so many may.
    fn keep(self: &Arc<Waiting>, rows: &RecordBatch) -> Result<Kept, Error> {
        let bytes = rows.get_array_memory_size();
        let kept = Kept(Arc::clone(self), bytes);
        match self.0.fetch_add(bytes, Ordering::AcqRel) + bytes <= WAITING_BYTES {
            true => Ok(kept),
            false => Err(Error::Exhausted {
                bound: "memory_bytes",
                told: "answers that were begun are not fetched: fetch them, or close them"
                    .to_owned(),
            }),
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.0.0.fetch_sub(self.1, Ordering::AcqRel);
    }
}

/// Rows of a question, as far as they were not told yet.
pub(super) struct Running {
    pub(super) schema: SchemaRef,
    parts: mpsc::Receiver<Result<Part, Error>>,
    _task: Abandoned,
    until: Instant,
    asked: Arc<Asked>,
    rest: Option<Rest>,
    pub(super) given: u64,
}

/// What comes of a question.
enum Part {
    /// Rows, and the memory that is kept for them while they wait.
    Rows(RecordBatch, Kept),
    /// All has been given. Work that ends without saying so was broken off.
    End,
}

/// Rows of which some were not told yet.
struct Rest {
    columns: Vec<ArrayRef>,
    from: usize,
    rows: usize,
    kept: Kept,
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
        let (sender, parts) = mpsc::channel(1);
        let (tell, told) = oneshot::channel();
        let (places, waiting) = (Arc::clone(&self.places), Arc::clone(&self.waiting));
        let work = async move {
            let mut place = Arc::clone(&places).acquire_owned().await;
            let mut answer = match answer.await {
                Ok(answer) => answer,
                Err(error) => return drop(tell.send(Err(error))),
            };
            if tell.send(Ok(answer.schema())).is_err() {
                return;
            }
            loop {
                // Whoever takes his time over what he has keeps nobody from a place, and has no more worked out.
                let room = match sender.try_reserve() {
                    Ok(room) => room,
                    Err(_) => {
                        drop(place);
                        let Ok(room) = sender.reserve().await else {
                            return;
                        };
                        place = Arc::clone(&places).acquire_owned().await;
                        room
                    }
                };
                let part = next_part(&mut answer, &waiting).await;
                let is_last = !matches!(part, Ok(Part::Rows(..)));
                room.send(part);
                if is_last {
                    return;
                }
            }
        };
        // What nobody comes for gives its memory back.
        let work = async move { drop(timeout_at(until, work).await) };
        let task = Abandoned(self.threads.spawn(work), is_over);
        let asked = Arc::new(asked);
        let schema = match timeout_at(until, told).await {
            Ok(Ok(Ok(schema))) => schema,
            Ok(Ok(Err(error))) => return Err(failed(&asked, error.into()).await),
            Ok(Err(_)) => return Err(failed(&asked, broken_off(until)).await),
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

/// Why work has ended that did not say that all was given.
fn broken_off(until: Instant) -> Fault {
    match Instant::now() >= until {
        true => too_late(),
        false => Fault::new("XX000", "the answer could not be worked out"),
    }
}

/// What comes next.
async fn next_part(answer: &mut Answer, waiting: &Arc<Waiting>) -> Result<Part, Error> {
    let Some(rows) = answer.next_batch().await? else {
        return Ok(Part::End);
    };
    let kept = waiting.keep(&rows)?;
    Ok(Part::Rows(rows, kept))
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
        let Some(rest) = self.rest.take() else {
            return Ok((0, false));
        };
        let Rest {
            columns,
            from,
            rows,
            kept,
        } = rest;
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
            self.rest = Some(Rest {
                columns,
                from: row,
                rows,
                kept,
            });
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
            let (batch, kept) = match part {
                Some(Ok(Part::Rows(batch, kept))) => (batch, kept),
                Some(Ok(Part::End)) => return Ok(false),
                Some(Err(error)) => return Err(self.failed(error.into()).await),
                None => return Err(self.failed(broken_off(self.until)).await),
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
            self.rest = Some(Rest {
                columns: held,
                from: 0,
                rows: batch.num_rows(),
                kept,
            });
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use arrow::array::Int64Array;
    use arrow::datatypes::{DataType, Field, Schema};
    use catwalk_events::audit::{Access, Door};
    use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
    use futures::StreamExt as _;
    use futures::stream;

    use super::*;
    use crate::{Ledger, Question};

    #[derive(Debug)]
    struct Unread;

    impl Ledger for Unread {
        fn put(&self, _: &Access) -> Result<(), String> {
            Ok(())
        }
    }

    async fn asked() -> Asked {
        let question = Question {
            door: Door::Sql,
            who: "anna".to_owned(),
            roles: Vec::new(),
            station: None,
            program: None,
            case: None,
            text: "SELECT n FROM numbers".to_owned(),
            parameters: None,
        };
        let ledger: Arc<dyn Ledger> = Arc::new(Unread);
        question.put_apart(&ledger).await.unwrap()
    }

    /// So many batches of one row; instead of one more, a panic if that is wanted.
    fn numbers(batches: i64, then_panics: bool) -> Answer {
        let schema = Arc::new(Schema::new(vec![Field::new("n", DataType::Int64, false)]));
        let of = Arc::clone(&schema);
        let rows = stream::iter(0..=batches).filter_map(move |n| {
            assert!(
                n < batches || !then_panics,
                "as some function of the archive might"
            );
            let batch =
                RecordBatch::try_new(Arc::clone(&of), vec![Arc::new(Int64Array::from(vec![n]))]);
            std::future::ready((n < batches).then_some(Ok(batch.unwrap())))
        });
        Answer::of_rows(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }

    fn workshop(places: usize) -> Workshop {
        Workshop {
            threads: Handle::current(),
            places: Arc::new(Semaphore::new(places)),
            waiting: Arc::default(),
        }
    }

    async fn begin(workshop: &Workshop, patience: Duration, answer: Answer) -> Running {
        let (until, is_over) = (Instant::now() + patience, Arc::default());
        let answer = async { Ok(answer) };
        workshop
            .begin(asked().await, until, is_over, answer)
            .await
            .unwrap()
    }

    /// All rows, or with how many of them it ends in which fault.
    async fn all(running: &mut Running) -> Result<u64, (u64, Fault)> {
        let types: Vec<Type> = running
            .schema
            .fields()
            .iter()
            .map(|field| Type::of_field(field))
            .collect();
        let form = Form::Rows(&types, &[false]);
        loop {
            match running.tell(usize::MAX, &form, &mut Out::default()).await {
                Ok((_, false)) => {}
                Ok((_, true)) => return Ok(running.given),
                Err(fault) => return Err((running.given, fault)),
            }
        }
    }

    const LONG: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn half_an_answer_is_never_told_as_a_whole_one() {
        let workshop = workshop(1);
        let mut whole = begin(&workshop, LONG, numbers(5, false)).await;
        assert_eq!(all(&mut whole).await, Ok(5));
        let mut half = begin(&workshop, LONG, numbers(5, true)).await;
        let (given, fault) = all(&mut half).await.unwrap_err();
        assert_eq!((given, fault.code), (5, "XX000"));
    }

    #[tokio::test]
    async fn whoever_does_not_fetch_keeps_nobody_waiting() {
        let workshop = workshop(1);
        let mut idle = Vec::new();
        for _ in 0..3 {
            idle.push(begin(&workshop, LONG, numbers(50, false)).await);
        }
        let mut quick = begin(&workshop, LONG, numbers(50, false)).await;
        assert_eq!(all(&mut quick).await, Ok(50));
        for mut slow in idle {
            assert_eq!(all(&mut slow).await, Ok(50));
        }
        assert_eq!(workshop.waiting.0.load(Ordering::Acquire), 0);
    }

    #[tokio::test]
    async fn what_nobody_fetches_in_time_is_given_back_and_not_told_as_the_end() {
        let workshop = workshop(1);
        let mut idle = begin(&workshop, Duration::from_millis(300), numbers(50, false)).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(workshop.waiting.0.load(Ordering::Acquire) > 0);
        tokio::time::sleep(Duration::from_millis(400)).await;
        let (_, fault) = all(&mut idle).await.unwrap_err();
        assert_eq!(fault.code, "57014");
        drop(idle);
        assert_eq!(workshop.waiting.0.load(Ordering::Acquire), 0);
        assert_eq!(workshop.places.available_permits(), 1);
    }
}

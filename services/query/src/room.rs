//! Where the archive is asked again and again while it grows.

use std::sync::Arc;
use std::time::{Duration, Instant};

use catwalk_archive::{Archive, Reader, TABLES, Tables};
use datafusion::execution::runtime_env::RuntimeEnv;
use tokio::sync::Mutex;

use crate::session::Shape;
use crate::{Bounds, Catalogue, Error, Result, Session, Worth, edges};

/// A session is of the archive as it was at most so long ago.
const FRESH: Duration = Duration::from_millis(500);

/// Gives sessions of an archive as it is now. They have the memory, the disk and what was read of footers in common.
#[derive(Debug)]
pub struct ReadingRoom {
    archive: Archive,
    bounds: Bounds,
    runtime: Arc<RuntimeEnv>,
    /// Who knows what wagers are worth; without anybody, no session tells of it.
    worth: Option<Arc<dyn Worth>>,
    newest: Mutex<Newest>,
}

#[derive(serde::Deserialize)]
struct Act {
    action: String,
}

#[derive(Debug)]
struct Newest {
    reader: Reader,
    session: Option<(Instant, Tables, Session)>,
}

impl ReadingRoom {
    /// Reads nothing yet.
    pub fn open(archive: &Archive, bounds: Bounds) -> Result<ReadingRoom> {
        let runtime = bounds.runtime()?;
        for table in TABLES {
            let url = crate::scan::store_of(table)?;
            runtime.register_object_store(url.as_ref(), archive.files_of(table)?);
        }
        Ok(ReadingRoom {
            archive: archive.clone(),
            bounds,
            runtime,
            worth: None,
            newest: Mutex::new(Newest {
                reader: archive.reader(),
                session: None,
            }),
        })
    }

    /// The same, whose sessions tell what wagers are worth, too.
    pub(crate) fn knowing(mut self, worth: Arc<dyn Worth>) -> ReadingRoom {
        self.worth = Some(worth);
        self
    }

    /// The tables at versions that belong together, as they were less than a second ago. Whatever is asked of one
    /// session is answered from these versions; who wants later ones takes another session.
    pub async fn session(&self) -> Result<Session> {
        let mut newest = self.newest.lock().await;
        if let Some((read, _, session)) = &newest.session
            && read.elapsed() < FRESH
        {
            return Ok(session.clone());
        }
        let now = Instant::now();
        let tables = newest.reader.newest().await?;
        let session = match newest.session.take() {
            Some((_, known, session)) if is_same(&known, &tables) => session,
            _ => {
                let session = Session::of(&self.archive, &tables, &self.bounds, &self.runtime)?;
                self.tell_worth(&session).await?;
                session
            }
        };
        newest.session = Some((now, tables, session.clone()));
        Ok(session)
    }

    /// The same tables in a session of its own, of another shape: what is set in it is set for nobody else.
    pub(crate) async fn apart(&self, shape: &Shape) -> Result<Session> {
        self.session().await?;
        let newest = self.newest.lock().await;
        let Some((_, tables, _)) = &newest.session else {
            unreachable!("it was read just now");
        };
        let (archive, runtime) = (&self.archive, &self.runtime);
        let session = Session::with_tables(archive, tables, &self.bounds, runtime, shape)?;
        drop(newest);
        self.tell_worth(&session).await?;
        Ok(session)
    }

    async fn tell_worth(&self, session: &Session) -> Result<()> {
        match &self.worth {
            Some(worth) => edges::work_out(session.context(), worth, &self.runtime).await,
            None => Ok(()),
        }
    }

    /// The tables as somebody sees them, and as the command line has them.
    pub async fn seen(&self, catalogue: Catalogue) -> Result<Session> {
        if catalogue.is_everything() {
            return self.session().await;
        }
        self.apart(&Shape::plain(catalogue)).await
    }

    /// Whether there is such a case and it is open, as far as the archive knows.
    pub(crate) async fn has_open_case(&self, case: &str) -> Result<bool> {
        let last = "SELECT action FROM cases WHERE case_number = $number AND action IN ('open', 'close') \
            ORDER BY at DESC, log_offset DESC LIMIT 1";
        let session = self.session().await?;
        let number = vec![("number".to_owned(), case.into())];
        let acts: Vec<Act> = match session.ask(last, number).await {
            Ok(acts) => acts.read().await?,
            // The table of cases may be new to an archive, and not be filled yet.
            Err(Error::Sql(_)) => Vec::new(),
            Err(error) => return Err(error),
        };
        Ok(acts.first().is_some_and(|act| act.action == "open"))
    }
}

fn is_same(known: &Tables, now: &Tables) -> bool {
    let same = known
        .found
        .iter()
        .zip(&now.found)
        .all(|(known, now)| Arc::ptr_eq(known, now));
    same && known.found.len() == now.found.len()
}

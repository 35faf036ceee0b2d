//! What is asked at the command line, on record.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use catwalk_archive::Archive;
use catwalk_events::audit::{Access, Door, Outcome};
use catwalk_query::{Asked, Ledger, Question};

/// For what somebody looks, and where that is put on record.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct LookArgs {
    /// The case that it is asked for; it goes on record with the question.
    #[arg(long, value_name = "CASE")]
    case: Option<String>,

    /// Put the question on record in this file, and not in the archive: for a copy that cannot be written.
    #[arg(long, value_name = "FILE")]
    access_log: Option<PathBuf>,
}

impl LookArgs {
    pub(crate) fn case(&self) -> Option<&str> {
        self.case.as_deref()
    }

    /// Puts a question on record. Where there is no archive there is nothing to look at, and nothing is made.
    pub(crate) fn ask(
        &self,
        archive: &Archive,
        text: &str,
        parameters: Option<String>,
    ) -> anyhow::Result<Look> {
        if !archive.is_there() {
            return Ok(Look::default());
        }
        let ledger: Arc<dyn Ledger> = match &self.access_log {
            Some(file) => Arc::new(InFile(file.clone())),
            None => Arc::new(Beside(archive.clone())),
        };
        self.put(&ledger, text, parameters)
    }

    /// The same on a log whose cases are read.
    pub(crate) fn ask_on(&self, ledger: Arc<dyn Ledger>, text: &str) -> anyhow::Result<Look> {
        self.put(&ledger, text, None)
    }

    fn put(
        &self,
        ledger: &Arc<dyn Ledger>,
        text: &str,
        parameters: Option<String>,
    ) -> anyhow::Result<Look> {
        let host = fs::read_to_string("/proc/sys/kernel/hostname").ok();
        let question = Question {
            door: Door::CommandLine,
            who: account(),
            roles: Vec::new(),
            station: host.map(|host| host.trim().to_owned()),
            program: Some(format!("catwalk {}", env!("CARGO_PKG_VERSION"))),
            case: self.case.clone(),
            text: text.to_owned(),
            parameters,
        };
        let began = Instant::now();
        Ok(Look {
            asked: Some(question.put(ledger)?),
            waited: began.elapsed(),
        })
    }
}

/// A look that is on record.
#[derive(Default)]
pub(crate) struct Look {
    asked: Option<Asked>,
    /// For the record of its question.
    waited: Duration,
}

impl Look {
    /// Puts on record how it ended. Returns for how long its records were waited for.
    pub(crate) fn timed(self, rows: u64, ended: anyhow::Result<()>) -> anyhow::Result<Duration> {
        let (waited, began) = (self.waited, Instant::now());
        self.ended(rows, ended)?;
        Ok(waited + began.elapsed())
    }

    /// Puts on record how it ended, and passes it on.
    pub(crate) fn ended<T>(self, rows: u64, ended: anyhow::Result<T>) -> anyhow::Result<T> {
        let Some(asked) = self.asked else {
            return ended;
        };
        asked.give(rows, 0);
        match &ended {
            Ok(_) => asked.answered(Outcome::Complete, None)?,
            // Whoever reads no further has seen what was written.
            Err(error) if crate::is_broken_pipe(error) => {
                asked.answered(Outcome::BrokenOff, None)?;
            }
            Err(error) => asked.answered(Outcome::Failed, Some(&format!("{error:#}")))?,
        }
        ended
    }
}

/// The command as it was given.
pub(crate) fn command() -> String {
    let words = std::env::args()
        .skip(1)
        .map(|word| match word.contains(char::is_whitespace) {
            true => format!("{word:?}"),
            false => word,
        });
    let words: Vec<String> = std::iter::once("catwalk".to_owned()).chain(words).collect();
    words.join(" ")
}

/// Whose command line it is, as the system knows it.
fn account() -> String {
    let Ok(own) = fs::metadata("/proc/self") else {
        return "unknown".to_owned();
    };
    let uid = own.uid().to_string();
    let known = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = known.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == uid).then(|| name.to_owned())
    });
    name.unwrap_or_else(|| format!("uid {uid}"))
}

/// Beside the tables of the archive that is read.
#[derive(Debug)]
struct Beside(Archive);

impl Ledger for Beside {
    fn put(&self, record: &Access) -> Result<(), String> {
        let (archive, record) = (self.0.clone(), record.clone());
        // On a thread of its own: it may be called from within a runtime.
        let put = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            let runtime = runtime.map_err(|error| error.to_string())?;
            let noted = runtime.block_on(archive.note(&record));
            noted.map_err(|error| {
                format!("{error}: give --access-log FILE for a copy that cannot be written")
            })
        });
        put.join()
            .unwrap_or_else(|_| Err("writing it ended by a panic".to_owned()))
    }
}

/// In a file of whoever asks, a JSON object a line.
#[derive(Debug)]
struct InFile(PathBuf);

impl Ledger for InFile {
    fn put(&self, record: &Access) -> Result<(), String> {
        append(&self.0, record).map_err(|error| format!("{error:#}"))
    }
}

fn append(path: &Path, record: &Access) -> anyhow::Result<()> {
    let line = serde_json::to_string(record)? + "\n";
    let shown = || path.display().to_string();
    let file = File::options().create(true).append(true).open(path);
    let mut file = file.with_context(shown)?;
    file.write_all(line.as_bytes()).with_context(shown)?;
    file.sync_all().with_context(shown)
}

//! Every look on record: who asks what, before the first byte of the answer, and what came of it, after its last.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use catwalk_events::Timestamp;
use catwalk_events::audit::{Access, AccessStage, Door, Outcome};
use catwalk_hands::hex;

use crate::{Error, Result};

/// Longer texts of errors are shortened.
const MOST_ERROR: usize = 2_000;
/// Longer names of programs and cases too.
const MOST_NAME: usize = 200;

/// Where looks are put on record.
pub trait Ledger: Send + Sync + fmt::Debug {
    /// Puts a record there; it is safe when this returns. It may block.
    ///
    /// # Errors
    /// Says what is wrong and what to do.
    fn put(&self, record: &Access) -> std::result::Result<(), String>;
}

/// A question, and who asks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub door: Door,
    pub who: String,
    pub roles: Vec<String>,
    pub station: Option<String>,
    pub program: Option<String>,
    pub case: Option<String>,
    pub text: String,
    /// A JSON object.
    pub parameters: Option<String>,
}

impl Question {
    /// Puts it on record. Only then it may be answered.
    pub fn put(self, ledger: &Arc<dyn Ledger>) -> Result<Asked> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| Error::NotOnRecord(error.to_string()))?;
        let shortened = |name: Option<String>| name.map(|name| cut(&name, MOST_NAME));
        let record = Access {
            id: hex(&bytes),
            stage: AccessStage::Asked,
            at: now(),
            door: self.door,
            who: self.who,
            roles: self.roles,
            station: self.station,
            program: shortened(self.program),
            case: shortened(self.case),
            text: self.text,
            parameters: self.parameters,
            outcome: None,
            rows: None,
            bytes: None,
            error: None,
        };
        ledger.put(&record).map_err(Error::NotOnRecord)?;
        Ok(Asked {
            record,
            ledger: Arc::clone(ledger),
            rows: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            is_answered: AtomicBool::new(false),
        })
    }

    /// The same from where nothing may block.
    pub(crate) async fn put_apart(self, ledger: &Arc<dyn Ledger>) -> Result<Asked> {
        let ledger = Arc::clone(ledger);
        let put = tokio::task::spawn_blocking(move || self.put(&ledger)).await;
        put.unwrap_or_else(|error| Err(Error::NotOnRecord(error.to_string())))
    }
}

/// A question that is on record, and whose answer is under way. Dropped before it is [answered](Asked::answered), it
/// was broken off.
#[derive(Debug)]
pub struct Asked {
    record: Access,
    ledger: Arc<dyn Ledger>,
    rows: AtomicU64,
    bytes: AtomicU64,
    is_answered: AtomicBool,
}

impl Asked {
    /// Counts what is given.
    pub fn give(&self, rows: u64, bytes: u64) {
        self.rows.fetch_add(rows, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Puts on record how it ended. Only the first time counts.
    pub fn answered(&self, outcome: Outcome, error: Option<&str>) -> Result<()> {
        if self.is_answered.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        let record = Access {
            stage: AccessStage::Answered,
            at: now(),
            outcome: Some(outcome),
            rows: Some(self.rows.load(Ordering::Relaxed)),
            bytes: Some(self.bytes.load(Ordering::Relaxed)),
            error: error.map(|error| cut(error, MOST_ERROR)),
            ..self.record.clone()
        };
        self.ledger.put(&record).map_err(Error::NotOnRecord)
    }

    /// The same from where nothing may block.
    pub(crate) async fn answered_apart(
        self: &Arc<Asked>,
        outcome: Outcome,
        error: Option<String>,
    ) -> Result<()> {
        let asked = Arc::clone(self);
        let put =
            tokio::task::spawn_blocking(move || asked.answered(outcome, error.as_deref())).await;
        put.unwrap_or_else(|error| Err(Error::NotOnRecord(error.to_string())))
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        if *self.is_answered.get_mut() {
            return;
        }
        self.is_answered = AtomicBool::new(true);
        let record = Access {
            stage: AccessStage::Answered,
            at: now(),
            outcome: Some(Outcome::BrokenOff),
            rows: Some(self.rows.load(Ordering::Relaxed)),
            bytes: Some(self.bytes.load(Ordering::Relaxed)),
            ..self.record.clone()
        };
        let ledger = Arc::clone(&self.ledger);
        let put = move || {
            if let Err(error) = ledger.put(&record) {
                eprintln!(
                    "catwalk: how the question {} ended is not on record: {error}",
                    record.id
                );
            }
        };
        match tokio::runtime::Handle::try_current() {
            // Whoever drops it may be about to serve somebody else.
            Ok(runtime) => drop(runtime.spawn_blocking(put)),
            Err(_) => put(),
        }
    }
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn now() -> Timestamp {
    Timestamp::from_micros(jiff::Timestamp::now().as_microsecond())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Debug, Default)]
    struct Kept(Mutex<Vec<Access>>, AtomicBool);

    impl Ledger for Kept {
        fn put(&self, record: &Access) -> std::result::Result<(), String> {
            if self.1.load(Ordering::Relaxed) {
                return Err("the disk is full".to_owned());
            }
            self.0.lock().unwrap().push(record.clone());
            Ok(())
        }
    }

    fn question() -> Question {
        Question {
            door: Door::Http,
            who: "anna".to_owned(),
            roles: vec!["auditor".to_owned()],
            station: None,
            program: None,
            case: Some("C-7".to_owned()),
            text: "SELECT 1".to_owned(),
            parameters: None,
        }
    }

    #[test]
    fn a_question_has_two_records_and_one_that_is_dropped_was_broken_off() {
        let kept = Arc::new(Kept::default());
        let ledger: Arc<dyn Ledger> = kept.clone();
        let asked = question().put(&ledger).unwrap();
        assert_eq!(kept.0.lock().unwrap()[0].stage, AccessStage::Asked);
        asked.give(3, 40);
        asked.answered(Outcome::Complete, None).unwrap();
        drop(asked);
        drop(question().put(&ledger).unwrap());
        let kept = kept.0.lock().unwrap();
        let outcomes: Vec<_> = kept
            .iter()
            .map(|record| (record.outcome, record.rows))
            .collect();
        let (complete, broken) = (Some(Outcome::Complete), Some(Outcome::BrokenOff));
        assert_eq!(
            outcomes,
            [
                (None, None),
                (complete, Some(3)),
                (None, None),
                (broken, Some(0))
            ]
        );
        assert_eq!(kept[0].id, kept[1].id);
        assert_ne!(kept[0].id, kept[2].id);
        assert_eq!(kept[1].case.as_deref(), Some("C-7"));
    }

    #[test]
    fn without_a_record_there_is_no_answer() {
        let kept = Arc::new(Kept::default());
        kept.1.store(true, Ordering::Relaxed);
        let ledger: Arc<dyn Ledger> = kept;
        let refused = question().put(&ledger).unwrap_err().to_string();
        assert!(refused.contains("the disk is full"), "{refused}");
    }
}

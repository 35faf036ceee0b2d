//! Whether the log is as it was: it may be out of reach, and others may change its topics.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use catwalk_log::{Error, Log, Topic};
use catwalk_settler::RunnerError;

use super::{House, Metrics};

impl House {
    /// Begins to look whether the log is as it was.
    pub(super) fn watch_log(self: &Arc<House>) -> anyhow::Result<JoinHandle<()>> {
        let (house, shape) = (self.clone(), Shape::of(&*self.log)?);
        self.spawn("log", move || {
            house.ready("log");
            watch(&house, &shape);
            Ok(())
        })
    }
}

/// How often the log is looked at.
const EVERY: Duration = Duration::from_secs(2);
/// How long it may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// The topics of a log, and how many partitions they had when the house opened.
pub(crate) struct Shape(BTreeMap<Topic, u32>);

/// How the log is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    AsItWas,
    /// It does not answer, and nothing is known of it.
    Silent(String),
    /// It answers, and is not as it was.
    Changed {
        what: String,
        /// Partitions of the floor's events that were added since, which nobody reads.
        added: Range<u32>,
    },
}

impl State {
    /// What is wrong, for people.
    pub(super) fn trouble(&self) -> Option<&str> {
        match self {
            State::AsItWas => None,
            State::Silent(what) | State::Changed { what, .. } => Some(what),
        }
    }
}

impl Shape {
    pub(super) fn of(log: &dyn Log) -> Result<Shape, Error> {
        let counts = Topic::ALL.map(|topic| Ok((topic, log.partitions(topic)?)));
        Ok(Shape(counts.into_iter().collect::<Result<_, Error>>()?))
    }

    fn state(&self, log: &dyn Log, metrics: &Metrics) -> State {
        let silent = |error: Error| State::Silent(format!("the log does not answer: {error}"));
        let found = match log.shape(PATIENCE) {
            Ok(found) => found,
            Err(error) => return silent(error),
        };
        let of_events = |shape: &BTreeMap<Topic, u32>| shape.get(&Topic::FloorEvents).copied();
        let had = of_events(&self.0).unwrap_or(0);
        let added = had..of_events(&found).unwrap_or(had);
        let changed = |what| State::Changed {
            what,
            added: added.clone(),
        };
        let mut counts = self.0.iter();
        let differs = counts.find_map(|(topic, had)| difference(*topic, *had, found.get(topic)));
        if let Some(what) = differs {
            return changed(what);
        }
        match lost(log, metrics) {
            Ok(None) => State::AsItWas,
            Ok(Some(what)) => changed(what),
            Err(error) => silent(error),
        }
    }
}

fn difference(topic: Topic, had: u32, found: Option<&u32>) -> Option<String> {
    match found {
        Some(found) if *found == had => None,
        Some(found) => Some(format!(
            "topic {topic} has {found} partitions and had {had}: tables go to other partitions now, and what goes \
             to those that are new is not read; make the topic as it was, or begin a new log"
        )),
        None => Some(format!("topic {topic} is gone from the log")),
    }
}

/// A topic that was deleted and made again has the same shape, but not what was read of it.
fn lost(log: &dyn Log, metrics: &Metrics) -> Result<Option<String>, Error> {
    for (topic, index, read) in metrics.read_up_to() {
        let partition = topic.partition(index);
        let end = log.end(partition)?;
        if end < read {
            return Ok(Some(format!(
                "{partition} ends at {end}, and was read up to record {read}: the log has lost records"
            )));
        }
    }
    Ok(None)
}

/// Looks at the log until the house closes, and says when something is not as it was.
fn watch(house: &House, shape: &Shape) {
    while !house.is_stopping() {
        house.left_out();
        house.log_is(shape.state(&*house.log, &house.metrics));
        house.rest(EVERY);
    }
}

/// Whether a service has failed because the log was out of reach: then it is tried again. `was_troubled`: it was out
/// of reach a moment ago.
pub(super) fn is_outage(error: &anyhow::Error, was_troubled: bool) -> bool {
    let gone = |error| matches!(error, Some(&RunnerError::Gone { .. }));
    if gone(error.chain().find_map(|cause| cause.downcast_ref())) {
        return was_troubled;
    }
    let log = error.chain().find_map(|cause| {
        if let Some(RunnerError::Log(error)) = cause.downcast_ref() {
            return Some(error);
        }
        if let Some(catwalk_archive::Error::Log(error)) = cause.downcast_ref() {
            return Some(error);
        }
        if let Some(catwalk_desk::DeskError::Log(error)) = cause.downcast_ref() {
            return Some(error);
        }
        cause.downcast_ref()
    });
    match log {
        Some(
            Error::Kafka(_)
            | Error::Timeout { .. }
            | Error::InDoubt { .. }
            | Error::Aborted { .. }
            | Error::NotDelivered { .. }
            | Error::NoTopic { .. },
        ) => true,
        // The broker gives up on a worker that it has not heard of for long; otherwise a namesake is at work.
        Some(Error::Fenced { .. }) => was_troubled,
        _ => false,
    }
}

//! Whether the log is as it was: it may be out of reach, and others may change its topics.

use std::time::Duration;

use catwalk_log::{Error, Log, Topic};
use catwalk_settler::RunnerError;

use super::House;

/// How often the log is looked at.
const EVERY: Duration = Duration::from_secs(2);

/// The topics of a log, and how many partitions they have.
pub(crate) struct Shape(Vec<(Topic, u32)>);

impl Shape {
    pub(crate) fn of(log: &dyn Log) -> Result<Shape, Error> {
        let counts = Topic::ALL.map(|topic| Ok((topic, log.partitions(topic)?)));
        Ok(Shape(counts.into_iter().collect::<Result<_, Error>>()?))
    }

    /// What is not as it was.
    fn trouble(&self, log: &dyn Log) -> Option<String> {
        self.0.iter().find_map(|(topic, count)| match log.partitions(*topic) {
            Ok(found) if found == *count => None,
            Ok(found) => Some(format!(
                "topic {topic} has {found} partitions and had {count}: tables go to other partitions now, \
                 and those that are new are not read until catwalk is started again"
            )),
            Err(Error::NoTopic { .. }) => Some(format!("topic {topic} is gone from the log")),
            Err(error) => Some(format!("the log does not answer: {error}")),
        })
    }
}

/// Looks at the log until the house closes, and says when something is not as it was.
pub(crate) fn watch(house: &House, shape: &Shape) {
    while !house.is_stopping() {
        house.log_is(shape.trouble(&*house.log));
        house.rest(EVERY);
    }
}

/// Whether a service has failed because the log was out of reach: then it is tried again.
pub(crate) fn is_outage(error: &anyhow::Error) -> bool {
    let log = error.chain().find_map(|cause| {
        if let Some(RunnerError::Log(error)) = cause.downcast_ref() {
            return Some(error);
        }
        if let Some(catwalk_archive::Error::Log(error)) = cause.downcast_ref() {
            return Some(error);
        }
        cause.downcast_ref()
    });
    matches!(
        log,
        Some(
            Error::Kafka(_)
                | Error::Timeout { .. }
                | Error::InDoubt { .. }
                | Error::Aborted { .. }
                | Error::NotDelivered { .. }
        )
    )
}

//! Topics and their partitions.

use std::fmt;

/// A topic. There are no others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// What happens on the floor; the key is the table.
    FloorEvents,
    /// Rounds that were settled.
    Settlements,
    /// What does not agree.
    Findings,
    /// What could not be read, whole, with why.
    Quarantine,
    /// Snapshots of the settlers and of what stands behind them; compacted, so that the latest of each key
    /// stays.
    State,
    /// What operators did about findings.
    Dispositions,
    /// What the desk makes of findings and of what was done about them.
    Incidents,
    /// What was done about cases, erasures included.
    Cases,
    /// What was asked of the archive, by whom, and what became of it.
    Access,
}

impl Topic {
    pub const ALL: [Topic; 9] = [
        Topic::FloorEvents,
        Topic::Settlements,
        Topic::Findings,
        Topic::Quarantine,
        Topic::State,
        Topic::Dispositions,
        Topic::Incidents,
        Topic::Cases,
        Topic::Access,
    ];

    /// The name on the log.
    pub const fn name(self) -> &'static str {
        match self {
            Topic::FloorEvents => "floor.events",
            Topic::Settlements => "audit.settlements",
            Topic::Findings => "audit.findings",
            Topic::Quarantine => "audit.quarantine",
            Topic::State => "audit.state",
            Topic::Dispositions => "audit.dispositions",
            Topic::Incidents => "audit.incidents",
            Topic::Cases => "audit.cases",
            Topic::Access => "audit.access",
        }
    }

    pub fn named(name: &str) -> Option<Topic> {
        Topic::ALL.into_iter().find(|topic| topic.name() == name)
    }

    /// Whether only the latest value of each key is kept.
    pub const fn is_compacted(self) -> bool {
        matches!(self, Topic::State)
    }

    /// Whether the log's own clock says when a record came, and not that of whoever sent it: the clocks of tables are
    /// held against it, and deadlines count from it.
    #[cfg(feature = "kafka")]
    pub(crate) const fn is_timed_by_log(self) -> bool {
        matches!(
            self,
            Topic::FloorEvents | Topic::Findings | Topic::Dispositions | Topic::Incidents
        )
    }

    pub const fn partition(self, index: u32) -> Partition {
        Partition { topic: self, index }
    }

    pub const fn with_partitions(self, partitions: u32) -> TopicSpec {
        TopicSpec {
            topic: self,
            partitions,
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One partition of a topic: the unit of order, and of sharing work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Partition {
    pub topic: Topic,
    pub index: u32,
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.topic, self.index)
    }
}

/// A topic as it is to be created. The number of partitions is fixed from then on, because it decides
/// where a key goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopicSpec {
    pub topic: Topic,
    pub partitions: u32,
}

//! Looks at the archive: what was asked of it, by whom, and what became of it.

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// A record of a question that was asked of the archive: one before the first byte of the answer, one after its last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// Of the question: both of its records have it.
    pub id: String,
    pub stage: AccessStage,
    pub at: Timestamp,
    pub door: Door,
    /// Who asks: a user, or the account of the machine at whose command line it was asked.
    pub who: String,
    /// What they ask as.
    pub roles: Vec<String>,
    /// From where: an address, or the name of the machine.
    pub station: Option<String>,
    /// The program that asks, as it calls itself.
    pub program: Option<String>,
    /// The case that it is asked for.
    pub case: Option<String>,
    /// The question.
    pub text: String,
    /// Its values, as a JSON object.
    pub parameters: Option<String>,
    /// This and the next three are of the answer: how it ended.
    pub outcome: Option<Outcome>,
    pub rows: Option<u64>,
    pub bytes: Option<u64>,
    /// What was said where it did not end well.
    pub error: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessStage {
    Asked,
    Answered,
}

impl AccessStage {
    pub fn name(self) -> &'static str {
        match self {
            AccessStage::Asked => "asked",
            AccessStage::Answered => "answered",
        }
    }
}

/// By which way somebody asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Door {
    CommandLine,
    /// A client of PostgreSQL.
    Sql,
    /// The console, and whoever else asks over HTTP.
    Http,
}

impl Door {
    pub fn name(self) -> &'static str {
        match self {
            Door::CommandLine => "command_line",
            Door::Sql => "sql",
            Door::Http => "http",
        }
    }
}

/// How an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// All of it was given.
    Complete,
    /// As much of it as is given at once; there is more.
    Cut,
    /// There was an error.
    Failed,
    /// Whoever asked went away, or cancelled it.
    BrokenOff,
}

impl Outcome {
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Complete => "complete",
            Outcome::Cut => "cut",
            Outcome::Failed => "failed",
            Outcome::BrokenOff => "broken_off",
        }
    }
}

//! What a client is told when it does not get what it asked for, with PostgreSQL's code for it.

use super::message::Malformed;
use crate::Error;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: &'static str,
    pub(crate) told: String,
    /// The connection ends with it.
    pub(super) is_fatal: bool,
}

impl Fault {
    pub(crate) fn new(code: &'static str, told: impl Into<String>) -> Fault {
        Fault {
            code,
            told: told.into(),
            is_fatal: false,
        }
    }

    pub(super) fn fatal(code: &'static str, told: impl Into<String>) -> Fault {
        Fault {
            is_fatal: true,
            ..Fault::new(code, told)
        }
    }

    /// What only reads refuses everything else.
    pub(crate) fn read_only(what: &str) -> Fault {
        let told = format!("{what} is not answered here: the archive is only read");
        Fault::new("25006", told)
    }

    pub(super) fn cancelled() -> Fault {
        Fault::new("57014", "the question was cancelled")
    }
}

impl From<Malformed> for Fault {
    fn from(malformed: Malformed) -> Fault {
        Fault::fatal("08P01", malformed.to_string())
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        let told = error.to_string();
        let code = match &error {
            // Which tables there are beside those that may be asked is told to nobody.
            Error::UnknownTable(told) => {
                let name = told.split('"').nth(1).unwrap_or_default();
                return Fault::new("42P01", format!("relation {name:?} does not exist"));
            }
            Error::NotOnRecord(why) => {
                // Whoever runs the service is told what is wrong with it, and nobody else.
                eprintln!("catwalk: {why}: no question is answered");
                let told = "the question cannot be put on record, so it is not answered";
                return Fault::new("58030", told);
            }
            Error::Beyond { bound: "time", .. } => "57014",
            Error::Beyond { .. } => "54000",
            Error::Exhausted { .. } => "53200",
            Error::UnknownQuery(_) => "42883",
            Error::UnknownParameter(_) | Error::MissingParameters { .. } => "42P02",
            Error::ParameterValue { .. } => "22023",
            Error::Sql(told) if told.contains("ParserError") => "42601",
            Error::Sql(told) if told.contains("No field named") => "42703",
            Error::Sql(told) if told.contains("Invalid function") => "42883",
            Error::Sql(told) if told.contains("Divide by zero") => "22012",
            Error::Sql(told) if told.contains("Cast error") => "22P02",
            Error::NoArchive { .. } | Error::MissingTables { .. } | Error::Archive(_) => {
                eprintln!("catwalk: {told}");
                let told = "the archive cannot be read now: whoever runs the service is told why";
                return Fault::new("58000", told);
            }
            _ => "42000",
        };
        Fault::new(code, told)
    }
}

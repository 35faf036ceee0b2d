//! What a connection may set, and what that means.

use std::collections::BTreeMap;
use std::time::Duration;

use super::fault::Fault;

/// The setting with the case that somebody asks for.
pub(super) const CASE: &str = "catwalk.case";
const TIMEOUT: &str = "statement_timeout";

/// Settings that every client is told at the beginning, and when they change.
pub(super) const TOLD: [&str; 9] = [
    "application_name",
    "client_encoding",
    "DateStyle",
    "integer_datetimes",
    "IntervalStyle",
    "server_encoding",
    "server_version",
    "standard_conforming_strings",
    "TimeZone",
];

/// Settings that change nothing of what is answered.
const WITHOUT_EFFECT: [&str; 14] = [
    "default_transaction_deferrable",
    "default_transaction_isolation",
    "enable_seqscan",
    "escape_string_warning",
    "geqo",
    "idle_in_transaction_session_timeout",
    "idle_session_timeout",
    "jit",
    "lock_timeout",
    "max_parallel_workers_per_gather",
    "row_security",
    "synchronize_seqscans",
    "tcp_keepalives_idle",
    "transaction_isolation",
];

/// Settings of a connection, by their names in small letters.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    values: BTreeMap<String, String>,
    first: BTreeMap<String, String>,
    most_time: Duration,
}

impl Settings {
    pub(super) fn new(user: &str, most_time: Duration) -> Settings {
        let fixed = [
            ("application_name", ""),
            ("bytea_output", "hex"),
            ("client_encoding", "UTF8"),
            ("client_min_messages", "notice"),
            ("datestyle", "ISO, MDY"),
            ("default_transaction_isolation", "read committed"),
            ("default_transaction_read_only", "on"),
            ("extra_float_digits", "1"),
            ("in_hot_standby", "on"),
            ("integer_datetimes", "on"),
            ("intervalstyle", "postgres"),
            ("is_superuser", "off"),
            ("lc_collate", "C"),
            ("lc_ctype", "C"),
            ("max_identifier_length", "63"),
            ("max_index_keys", "32"),
            ("search_path", "public"),
            ("server_encoding", "UTF8"),
            ("server_version", "15.0"),
            ("server_version_num", "150000"),
            ("session_authorization", user),
            ("standard_conforming_strings", "on"),
            ("statement_timeout", "0"),
            ("timezone", "UTC"),
            ("transaction_isolation", "read committed"),
            ("transaction_read_only", "on"),
            (CASE, ""),
        ];
        let values = fixed.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let values: BTreeMap<String, String> = values.into();
        Settings {
            first: values.clone(),
            values,
            most_time,
        }
    }

    pub(super) fn all(&self) -> &BTreeMap<String, String> {
        &self.values
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let name = match name {
            "transaction_isolation_level" => "transaction_isolation",
            "time_zone" => "timezone",
            other => other,
        };
        self.values
            .get(&name.to_ascii_lowercase())
            .map(String::as_str)
    }

    pub(super) fn case(&self) -> Option<String> {
        let case = self.get(CASE).unwrap_or_default().trim();
        (!case.is_empty()).then(|| case.to_owned())
    }

    pub(super) fn program(&self) -> Option<String> {
        let program = self.get("application_name").unwrap_or_default();
        (!program.is_empty()).then(|| program.to_owned())
    }

    /// How long a question may take.
    pub(super) fn time(&self) -> Duration {
        let asked = self
            .get(TIMEOUT)
            .and_then(milliseconds)
            .filter(|time| !time.is_zero());
        asked.map_or(self.most_time, |time| time.min(self.most_time))
    }

    /// Everything as it was in the beginning, the case too: who takes the connection next may ask for another.
    pub(super) fn reset(&mut self) {
        self.values = self.first.clone();
    }

    /// What is set at the beginning is what a reset goes back to.
    pub(super) fn begin(&mut self) {
        self.first = self.values.clone();
    }

    /// Sets a value, or the one of the beginning. What it may be is on a list; all else is refused. Gives what the
    /// client should be told.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Option<String>, Fault> {
        let name = name.to_ascii_lowercase();
        let first = self.first.get(&name).cloned();
        let Some(value) = value.map(|value| value.trim().to_owned()).or(first.clone()) else {
            return Err(unknown(&name));
        };
        let small = value.to_ascii_lowercase();
        let mut notice = None;
        match name.as_str() {
            "application_name"
            | CASE
            | "search_path"
            | "extra_float_digits"
            | "client_min_messages" => {}
            TIMEOUT => match milliseconds(&value) {
                Some(time) if time <= self.most_time => {}
                Some(_) => {
                    let most = self.most_time.as_millis();
                    return Err(Fault::new(
                        "42501",
                        format!("{TIMEOUT} cannot be more than {most} ms here"),
                    ));
                }
                None => return Err(refused(&name, &value)),
            },
            // Some drivers say it in quotes.
            "client_encoding"
                if matches!(
                    small.trim_matches('\'').replace('-', "").as_str(),
                    "utf8" | "unicode"
                ) =>
            {
                self.values.insert(name, "UTF8".to_owned());
                return Ok(None);
            }
            "datestyle" if small.starts_with("iso") => {
                return Ok(None);
            }
            "timezone" => {
                if !matches!(small.as_str(), "utc" | "etc/utc" | "gmt" | "z" | "default") {
                    notice = Some("all moments are told in UTC here".to_owned());
                }
                self.values.insert(name, "UTC".to_owned());
                return Ok(notice);
            }
            "standard_conforming_strings"
            | "default_transaction_read_only"
            | "transaction_read_only"
                if matches!(small.as_str(), "on" | "true" | "1" | "yes") =>
            {
                return Ok(None);
            }
            _ if name == "intervalstyle" && small == "postgres" => {}
            _ if name == "bytea_output" && small == "hex" => {}
            _ if WITHOUT_EFFECT.contains(&name.as_str()) => return Ok(None),
            _ if first.is_some() => return Err(refused(&name, &value)),
            _ => return Err(unknown(&name)),
        }
        let value: String = value
            .chars()
            .filter(|sign| !sign.is_control())
            .take(200)
            .collect();
        self.values.insert(name, value);
        Ok(notice)
    }
}

fn refused(name: &str, value: &str) -> Fault {
    Fault::new("22023", format!("{name} cannot be {value:?} here"))
}

fn unknown(name: &str) -> Fault {
    Fault::new("42501", format!("{name} cannot be set here"))
}

/// `5000`, `5s`, `5000ms` or `2min`.
fn milliseconds(text: &str) -> Option<Duration> {
    let text = text.trim();
    let digits = text
        .find(|sign: char| !sign.is_ascii_digit())
        .unwrap_or(text.len());
    let number: u64 = text[..digits].parse().ok()?;
    let factor = match text[digits..].trim() {
        "" | "ms" => 1,
        "s" => 1_000,
        "min" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    Some(Duration::from_millis(number.checked_mul(factor)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_setting_raises_a_limit_and_what_is_not_on_the_list_is_refused() {
        let most = Duration::from_secs(60);
        let mut settings = Settings::new("anna", most);
        assert_eq!(settings.time(), most);
        settings.set("statement_timeout", Some("5s")).unwrap();
        assert_eq!(settings.time(), Duration::from_secs(5));
        settings.set("statement_timeout", Some("0")).unwrap();
        assert_eq!(settings.time(), most);
        for (name, value) in [
            ("statement_timeout", "2min"),
            ("statement_timeout", "99999999999999999999"),
            ("datafusion.runtime.memory_limit", "99G"),
            ("datafusion.execution.batch_size", "1"),
            ("session_authorization", "bert"),
            ("role", "postgres"),
            ("default_transaction_read_only", "off"),
            ("transaction_read_only", "off"),
            ("client_encoding", "LATIN1"),
            ("server_version", "9"),
        ] {
            assert!(settings.set(name, Some(value)).is_err(), "{name}");
        }
        settings.set("application_name", Some("psql\n")).unwrap();
        assert_eq!(settings.program().as_deref(), Some("psql"));
        settings.set("client_encoding", Some("'utf-8'")).unwrap();
        settings.set("CATWALK.Case", Some("C-7")).unwrap();
        assert_eq!(settings.case().as_deref(), Some("C-7"));
        settings.reset();
        assert_eq!((settings.case(), settings.program()), (None, None));
        assert!(
            settings
                .set("TimeZone", Some("America/New_York"))
                .unwrap()
                .is_some()
        );
        assert_eq!(settings.get("time_zone"), Some("UTC"));
    }
}

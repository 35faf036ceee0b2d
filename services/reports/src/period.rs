//! The days that a report is of.

use std::collections::BTreeMap;
use std::fmt;

use catwalk_query::ScalarValue;
use jiff::civil::Date;

use crate::{Error, Result};

/// Gaming days, the first and the last of them included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub first: Date,
    pub last: Date,
}

/// What a report is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub period: Period,
    pub table: Option<String>,
    pub shift: Option<String>,
    pub pit: Option<String>,
}

impl Period {
    /// All days that an archive can have.
    pub const ALL: Period = Period {
        first: Date::constant(1970, 1, 2),
        last: Date::constant(9999, 12, 30),
    };

    pub fn day(day: Date) -> Period {
        Period {
            first: day,
            last: day,
        }
    }

    /// All days of a month such as 2026-11.
    pub fn month(text: &str) -> Result<Period> {
        let wrong = || Error::Period(format!("{text:?} is no month such as 2026-11"));
        let first: Date = format!("{text}-01").parse().map_err(|_| wrong())?;
        if first.strftime("%Y-%m").to_string() != text {
            return Err(wrong());
        }
        Ok(Period {
            first,
            last: first.last_of_month(),
        })
    }

    /// From the first of its month, and from the first of its year, up to its last day.
    pub(crate) fn to_date(self) -> [(&'static str, Period); 2] {
        let up_to = |first| Period {
            first,
            last: self.last,
        };
        [
            ("month to date", up_to(self.last.first_of_month())),
            ("year to date", up_to(self.last.first_of_year())),
        ]
    }

    /// With all the days that are summed up to its last.
    pub(crate) fn with_to_date(self) -> Period {
        let [_, (_, year)] = self.to_date();
        Period {
            first: self.first.min(year.first),
            last: self.last,
        }
    }

    pub(crate) fn is_one_day(self) -> bool {
        self.first == self.last
    }

    /// How its files are named.
    pub fn file_words(self) -> String {
        if self.is_one_day() {
            return self.first.to_string();
        }
        if self.first == self.first.first_of_month() && self.last == self.first.last_of_month() {
            return self.first.strftime("%Y-%m").to_string();
        }
        format!("{}-to-{}", self.first, self.last)
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_one_day() {
            true => write!(f, "gaming day {}", self.first),
            false => write!(f, "gaming days {} to {}", self.first, self.last),
        }
    }
}

impl Asked {
    /// The parameters of a named query, as far as it has them.
    pub(crate) fn values(&self, period: Period, names: &[&str]) -> BTreeMap<String, String> {
        let values = [
            ("first", Some(period.first.to_string())),
            ("last", Some(period.last.to_string())),
            ("table", self.table.clone()),
            ("shift", self.shift.clone()),
            ("pit", self.pit.clone()),
        ];
        let values = values.into_iter().filter(|(name, _)| names.contains(name));
        values
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    }

    /// The same as values of any question.
    pub(crate) fn bound(&self) -> Vec<(String, ScalarValue)> {
        let day = |day: Date| {
            let days = day
                .since(Date::constant(1970, 1, 1))
                .map(|span| span.get_days());
            ScalarValue::Date32(Some(days.unwrap_or(0)))
        };
        let values = [
            ("first", day(self.period.first)),
            ("last", day(self.period.last)),
            ("table", ScalarValue::Utf8(self.table.clone())),
            ("pit", ScalarValue::Utf8(self.pit.clone())),
            ("shift", ScalarValue::Utf8(self.shift.clone())),
        ];
        values
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec()
    }

    /// In words, for the head of a report.
    pub(crate) fn words(&self) -> String {
        let parts = [
            ("table", &self.table),
            ("shift", &self.shift),
            ("pit", &self.pit),
        ];
        let mut words = self.period.to_string();
        for (what, value) in parts {
            if let Some(value) = value {
                words.push_str(&format!(", {what} {value}"));
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_has_all_its_days_and_nothing_else_is_a_month() {
        let month = Period::month("2028-02").unwrap();
        assert_eq!(month.to_string(), "gaming days 2028-02-01 to 2028-02-29");
        assert_eq!(month.file_words(), "2028-02");
        for wrong in ["2028-2", "2028", "2028-13", "2028-02-01", "February"] {
            assert!(Period::month(wrong).is_err(), "{wrong}");
        }
    }
}

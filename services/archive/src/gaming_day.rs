//! Gaming days.

use catwalk_events::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan};

use crate::Error;

/// When gaming days begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamingDayRule {
    /// The hour at which one begins, 0 to 23.
    pub hour: i8,
    /// The zone of that hour, as the IANA names it.
    pub time_zone: String,
}

impl Default for GamingDayRule {
    fn default() -> GamingDayRule {
        GamingDayRule {
            hour: 6,
            time_zone: "America/New_York".to_owned(),
        }
    }
}

/// Says to which gaming day a moment belongs.
#[derive(Clone, Debug)]
pub struct GamingDays {
    zone: TimeZone,
    begins: Time,
    /// The day that was last asked for: most moments belong to it.
    last: Option<Day>,
}

#[derive(Clone, Copy, Debug)]
struct Day {
    /// Days since 1970.
    number: i32,
    from_micros: i64,
    until_micros: i64,
}

impl GamingDays {
    pub fn new(rule: &GamingDayRule) -> Result<GamingDays, Error> {
        let zone = TimeZone::get(&rule.time_zone).map_err(|_| Error::TimeZone {
            name: rule.time_zone.clone(),
        })?;
        let begins =
            Time::new(rule.hour, 0, 0, 0).map_err(|_| Error::GamingDayHour { hour: rule.hour })?;
        Ok(GamingDays {
            zone,
            begins,
            last: None,
        })
    }

    /// The gaming day of a moment, in days since 1970. A moment that no calendar holds, as a broken
    /// clock may send it, belongs to the nearest day that there is.
    pub fn of(&mut self, at: Timestamp) -> i32 {
        let micros = at.micros();
        match self.last {
            Some(day) if (day.from_micros..day.until_micros).contains(&micros) => day.number,
            _ => {
                let day = self.find(micros);
                self.last = day;
                day.map_or_else(|| days_since_1970(nearest(micros)), |day| day.number)
            }
        }
    }

    fn find(&self, micros: i64) -> Option<Day> {
        let moment = jiff::Timestamp::from_microsecond(micros).ok()?;
        let local = moment.to_zoned(self.zone.clone()).datetime();
        let date = match local.time() < self.begins {
            true => local.date().checked_sub(1.day()).ok()?,
            false => local.date(),
        };
        Some(Day {
            number: days_since_1970(date),
            from_micros: self.beginning(date)?,
            until_micros: self.beginning(date.checked_add(1.day()).ok()?)?,
        })
    }

    fn beginning(&self, date: Date) -> Option<i64> {
        let local = date.to_datetime(self.begins);
        let begins = self.zone.to_ambiguous_timestamp(local).compatible().ok()?;
        Some(begins.as_microsecond())
    }
}

fn days_since_1970(date: Date) -> i32 {
    let since = date.since(Date::constant(1970, 1, 1));
    since.as_ref().map_or(0, Span::get_days)
}

fn nearest(micros: i64) -> Date {
    match micros < 0 {
        true => Date::constant(1, 1, 1),
        false => Date::constant(9999, 12, 31),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(at: &str) -> String {
        let mut days = GamingDays::new(&GamingDayRule::default()).unwrap();
        let number = days.of(at.parse().unwrap());
        let date = Date::constant(1970, 1, 1) + i64::from(number).days();
        date.to_string()
    }

    #[test]
    fn a_gaming_day_begins_at_six_in_the_morning_local_time() {
        assert_eq!(day("2026-11-15T10:59:59.999999Z"), "2026-11-14");
        assert_eq!(day("2026-11-15T11:00:00Z"), "2026-11-15");
        assert_eq!(day("2026-11-16T10:59:59Z"), "2026-11-15");
    }

    #[test]
    fn it_follows_the_clocks_into_summer_and_back() {
        // 8 March 2026 has 23 hours in New York, 1 November has 25.
        assert_eq!(day("2026-03-08T10:00:00Z"), "2026-03-08");
        assert_eq!(day("2026-03-08T09:59:59Z"), "2026-03-07");
        assert_eq!(day("2026-11-01T10:59:59Z"), "2026-10-31");
        assert_eq!(day("2026-11-01T11:00:00Z"), "2026-11-01");
    }

    #[test]
    fn a_broken_clock_stops_nothing() {
        let mut days = GamingDays::new(&GamingDayRule::default()).unwrap();
        let first = days.of(Timestamp::from_micros(i64::MIN));
        let last = days.of(Timestamp::from_micros(i64::MAX));
        assert_eq!((first, last), (-719_162, 2_932_896));
    }

    #[test]
    fn a_day_is_the_same_whatever_was_asked_before() {
        let mut days = GamingDays::new(&GamingDayRule::default()).unwrap();
        let moments = [
            "2026-11-15T11:00:00Z",
            "2026-11-16T10:59:59Z",
            "2026-11-14T12:00:00Z",
        ];
        for at in moments.iter().chain(moments.iter().rev()) {
            let at: Timestamp = at.parse().unwrap();
            let alone = GamingDays::new(&GamingDayRule::default()).unwrap().of(at);
            assert_eq!(days.of(at), alone);
        }
    }

    #[test]
    fn an_unknown_zone_or_hour_is_refused() {
        let zone = GamingDayRule {
            time_zone: "America/Springfield".into(),
            ..Default::default()
        };
        let hour = GamingDayRule {
            hour: 24,
            ..Default::default()
        };
        assert!(
            GamingDays::new(&zone)
                .unwrap_err()
                .to_string()
                .contains("America/Springfield")
        );
        assert!(
            GamingDays::new(&hour)
                .unwrap_err()
                .to_string()
                .contains("24")
        );
    }
}

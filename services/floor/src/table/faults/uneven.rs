//! A table that plays by another value of what all tables of its house must have alike. It says so by a lawful notice,
//! so that nothing but the other tables shows it.

use catwalk_events::Timestamp;
use catwalk_rules::Edition;
use catwalk_rules::book::{Allowed, Book, OptionEntry};
use catwalk_rules::floor::Cents;
use serde_json::Value;

use crate::fault::{FaultKind, Label};
use crate::table::Table;

/// Another value of an option that is no choice among words, by its game.
const OTHERS: [(&str, &str); 1] = [("craps", r#"{"field_12": "3:1", "any_seven": "5:1"}"#)];
/// After so many rounds alike the first of them lies before whatever a neighbour deals next.
const SETTLED_ROUNDS: u64 = 2;

/// What a table and its neighbours must have alike.
#[derive(Debug, PartialEq)]
pub(crate) struct Kinship {
    edition: &'static str,
    option: String,
    /// What tables have in common that are held against each other.
    among: Vec<Value>,
}

/// Where a table stands with it.
#[derive(Debug)]
pub(super) struct Uneven {
    option: String,
    code: String,
    /// The value of the house; `None` where it posts none.
    of_house: Option<Value>,
    other: Option<Value>,
    course: Course,
}

#[derive(Debug)]
enum Course {
    /// The other value is announced.
    Announced,
    /// Rounds are dealt under it from the next on.
    InForce,
    /// They are, and no neighbour has dealt since.
    Dealt(Box<Label>),
    /// One has. The table returns to the value of its house.
    Witnessed,
}

impl Uneven {
    fn is_announced(&self) -> bool {
        matches!(self.course, Course::Announced)
    }
}

/// The options of a table with one of them set, or taken away.
fn with(options: &Value, key: &str, value: Option<&Value>) -> Value {
    let mut options = options.clone();
    if let Some(options) = options.as_object_mut() {
        match value {
            Some(value) => drop(options.insert(key.to_owned(), value.clone())),
            None => drop(options.remove(key)),
        }
    }
    options
}

impl Table {
    /// The option in which the tables of its house must not differ, and which rules want it.
    fn uniform(&self) -> Option<(&'static OptionEntry, &'static str)> {
        let edition = Edition::from_name(self.edition)?;
        let book = Book::of(self.game_name)?;
        let mut options = book.options().iter();
        options.find_map(|option| {
            let code = option.uniform.as_deref()?;
            let mut filed = book.findings().iter();
            let is_wanted = option.editions.holds(edition)
                && filed.any(|entry| entry.code == code && entry.editions.holds(edition));
            is_wanted.then_some((option, code))
        })
    }

    /// What an option of the table is, posted or not.
    fn option(&self, key: &str) -> Value {
        let posted = self.options.get(key).cloned();
        let default = || {
            let edition = Edition::from_name(self.edition)?;
            let mut options = Book::of(self.game_name)?.options().iter();
            let option = options.find(|one| one.key == key && one.editions.holds(edition))?;
            option.default.clone()
        };
        posted.or_else(default).unwrap_or_default()
    }

    /// With whom it has to agree, if with anybody.
    pub(crate) fn kinship(&self) -> Option<Kinship> {
        let (option, _) = self.uniform()?;
        let among = option.uniform_among.clone().unwrap_or_default();
        let lists = |(list, name): (&String, &String)| {
            let listed = self.option(list);
            let mut listed = listed.as_array().into_iter().flatten();
            listed.any(|held| held == name.as_str())
        };
        among.listing.iter().all(lists).then(|| Kinship {
            edition: self.edition,
            option: option.key.clone(),
            among: among.same.iter().map(|key| self.option(key)).collect(),
        })
    }

    /// Has it dealt under the value of its house for long enough?
    pub(crate) fn is_even(&self) -> bool {
        !self.is_uneven() && self.mischief.even_rounds >= SETTLED_ROUNDS
    }

    /// Does it differ from the tables that it has to agree with, or is it about to?
    pub(crate) fn is_uneven(&self) -> bool {
        self.mischief.uneven.is_some()
    }

    /// Announces another value than that of the house. False where there is none, or something else is announced.
    pub(in crate::table) fn leave_house(&mut self) -> bool {
        let Some((option, code)) = self.uniform() else {
            return false;
        };
        let of_house = self.options.get(&option.key).cloned();
        let now = self.option(&option.key);
        let other = match &option.value {
            Allowed::OneOf(values) => values.iter().find(|value| **value != now).cloned(),
            _ if of_house.is_some() => None,
            _ => {
                let mut others = OTHERS.iter();
                let other = others.find(|(game, _)| *game == self.game_name);
                other.and_then(|(_, text)| serde_json::from_str(text).ok())
            }
        };
        if other == of_house
            || !self.announce_options(with(&self.options, &option.key, other.as_ref()))
        {
            return false;
        }
        self.mischief.uneven = Some(Uneven {
            option: option.key.clone(),
            code: code.to_owned(),
            of_house,
            other,
            course: Course::Announced,
        });
        true
    }

    /// Other rules have come into force.
    pub(in crate::table) fn note_rules(&mut self) {
        let Some(uneven) = &mut self.mischief.uneven else {
            return;
        };
        let posted = self.options.get(&uneven.option);
        if uneven.is_announced() && posted == uneven.other.as_ref() {
            uneven.course = Course::InForce;
        } else if posted == uneven.of_house.as_ref() && !uneven.is_announced() {
            self.mischief.uneven = None;
            self.mischief.even_rounds = 0;
        }
    }

    /// The table closes, and what it has announced does not come.
    pub(in crate::table) fn stay_in_house(&mut self) {
        if self
            .mischief
            .uneven
            .as_ref()
            .is_some_and(Uneven::is_announced)
        {
            self.mischief.uneven = None;
        }
    }

    /// The table returns to the value of its house when it was seen to differ.
    pub(in crate::table) fn return_to_house(&mut self) {
        if let Some(uneven) = &self.mischief.uneven
            && matches!(uneven.course, Course::Witnessed)
        {
            let options = with(&self.options, &uneven.option, uneven.of_house.as_ref());
            self.announce_options(options);
        }
    }

    /// Is the round that comes now the first under the other value? Nothing else goes wrong in it.
    pub(in crate::table) fn leaves_house(&self) -> bool {
        let uneven = self.mischief.uneven.as_ref();
        uneven.is_some_and(|uneven| matches!(uneven.course, Course::InForce))
    }

    /// A round was dealt whose first event is this one.
    pub(in crate::table) fn deal_under(&mut self, round: &str, first: u64, at: i64) {
        self.mischief.even_rounds += 1;
        if !self.leaves_house() {
            return;
        }
        let mut label = self.label(FaultKind::UnevenTables, round, None, Cents::ZERO, vec![]);
        label.seqs = (first..=self.seq).collect();
        label.at = Timestamp::from_micros(at);
        if let Some(uneven) = &mut self.mischief.uneven {
            label.codes = vec![uneven.code.clone()];
            uneven.course = Course::Dealt(Box::new(label));
        }
    }

    /// A neighbour has opened a round: if it did so after the first of this table under another value, both can be held
    /// against each other.
    pub(crate) fn witness(&mut self, opened_at: i64) {
        let Some(uneven) = &mut self.mischief.uneven else {
            return;
        };
        if matches!(&uneven.course, Course::Dealt(label) if label.at.micros() <= opened_at)
            && let Course::Dealt(label) = std::mem::replace(&mut uneven.course, Course::Witnessed)
        {
            self.labels.push(*label);
        }
    }
}

//! What differs between two editions, entry by entry.

use std::collections::{BTreeMap, BTreeSet};

use crate::book::{Book, Cite};
use crate::refusal::Refusal;
use crate::{Edition, Rulebook};

/// Something that two editions do not say alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The game; `None` for what holds for all of them.
    pub game: Option<String>,
    /// What it is: `tables.pair_plus.flush`, `options.decks.default`, `notice.minutes`.
    pub place: String,
    /// What each of them says, if it has the entry.
    pub said: [Option<Said>; 2],
}

/// What an edition says, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub what: String,
    pub cite: String,
}

/// Everything that an edition says of a subject, by its place.
type Sayings = BTreeMap<String, Said>;

impl Rulebook {
    /// What differs between two editions, of one game or of all and their equipment. Games that only one of them has
    /// are told as such.
    pub fn differences(
        &self,
        editions: [&str; 2],
        game: Option<&str>,
    ) -> Result<Vec<Difference>, Refusal> {
        let known = self.edition_names();
        for name in editions {
            if self.edition(name).is_none() {
                return Err(Refusal::unknown("edition", name, "an edition", &known));
            }
        }
        if let Some(game) = game {
            self.game(game)?;
        }
        let mut found = Vec::new();
        if game.is_none() {
            let chapters = editions.map(|name| self.equipment_in(name).figures().clone());
            compare(None, chapters, &mut found);
        }
        let games = editions.map(|name| self.games_in(name));
        let names: BTreeSet<&str> = games.iter().flatten().map(|game| game.name()).collect();
        for name in names
            .into_iter()
            .filter(|name| game.is_none_or(|it| it == *name))
        {
            let sayings = [0, 1].map(|at| {
                let its = games[at].iter().find(|game| game.name() == name);
                let edition = self.edition(editions[at]);
                its.zip(edition)
                    .map(|(game, edition)| sayings(game.book(), edition))
            });
            match sayings {
                [Some(one), Some(other)] => compare(Some(name), [one, other], &mut found),
                sayings => found.push(Difference {
                    game: Some(name.to_owned()),
                    place: "game".to_owned(),
                    said: sayings.map(|its| its.map(|_| Said::new("is dealt", ""))),
                }),
            }
        }
        Ok(found)
    }
}

impl Said {
    pub(crate) fn new(what: impl Into<String>, cite: &str) -> Said {
        Said {
            what: what.into(),
            cite: cite.to_owned(),
        }
    }
}

fn compare(game: Option<&str>, [one, other]: [Sayings; 2], found: &mut Vec<Difference>) {
    let places: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    for place in places {
        let said = [one.get(place), other.get(place)];
        // The same rule in another section is no other rule.
        if said[0].map(|it| &it.what) != said[1].map(|it| &it.what) {
            found.push(Difference {
                game: game.map(str::to_owned),
                place: place.clone(),
                said: said.map(|it| it.cloned()),
            });
        }
    }
}

fn say_options(book: &Book, edition: Edition, say: &mut impl FnMut(String, String, &Cite)) {
    for option in book
        .options()
        .iter()
        .filter(|it| it.editions.holds(edition))
    {
        let place = format!("options.{}", option.key);
        let default = option.default.as_ref();
        let default = default.map_or("none".to_owned(), ToString::to_string);
        say(format!("{place}.default"), default, &option.cite);
        let null = if option.nullable { " or null" } else { "" };
        say(
            format!("{place}.value"),
            format!("{}{null}", option.value),
            &option.cite,
        );
        if let Some(lawful) = &option.lawful {
            say(format!("{place}.lawful"), lawful.clone(), &option.cite);
        }
        if let Some(least) = &option.minimum {
            let times = least.times_table_min;
            let times = times.map_or(String::new(), |n| format!(", {n} times the table minimum"));
            say(
                format!("{place}.minimum"),
                format!("{}{times}", least.amount),
                &option.cite,
            );
        }
    }
}

fn sayings(book: &Book, edition: Edition) -> Sayings {
    let mut all = Sayings::new();
    let mut say = |place: String, what: String, cite: &Cite| {
        let cite = cite.of(edition).unwrap_or("-");
        all.insert(place, Said::new(what, cite));
    };
    say_options(book, edition, &mut say);
    for wager in book.wagers().iter().filter(|it| it.editions.holds(edition)) {
        let pays = wager.settled.clone();
        let pays = pays.unwrap_or_else(|| wager.pays.join(", "));
        say(format!("wagers.{}", wager.kind), pays, &wager.cite);
    }
    for table in book.tables().iter().filter(|it| it.editions.holds(edition)) {
        for row in &table.rows {
            let least = if table.minimum.holds(edition) {
                " at least"
            } else {
                ""
            };
            let place = format!("tables.{}.{}", table.id, row.key);
            say(place, format!("{}{least}", row.pays), &table.cite);
        }
    }
    for figure in book
        .figures()
        .iter()
        .filter(|it| it.editions.holds(edition))
    {
        say(
            format!("figures.{}", figure.key),
            figure.value.to_string(),
            &figure.cite,
        );
    }
    for finding in book
        .findings()
        .iter()
        .filter(|it| it.editions.holds(edition))
    {
        let severity = serde_json::json!(finding.severity).to_string();
        say(
            format!("findings.{}", finding.code),
            severity,
            &finding.cite,
        );
    }
    all
}

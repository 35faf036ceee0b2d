//! A house's own edition of the rules: the edition that it stands on, and what differs.
//!
//! A property files its rules as a folder: `edition.toml` names the edition, its base and what differs in notices,
//! limits and the life of equipment; a file of each game that differs, `three_card_poker.toml`, says how.

use std::collections::BTreeMap;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::book::BookError;
use crate::equipment::Chapter;
use crate::game::AnyGame;
use crate::refusal::Refusal;
use crate::{Edition, Rulebook, hex};

/// The file of a folder that says what edition it is.
const EDITION_FILE: &str = "edition.toml";

/// A house's edition, loaded.
#[derive(Debug)]
pub struct House {
    name: String,
    base: Edition,
    text: String,
    games: Vec<Box<dyn AnyGame>>,
    chapter: Chapter,
    files: BTreeMap<String, String>,
    hash: String,
}

/// `edition.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Filed {
    edition: String,
    base: Edition,
    /// Which text it is, and how its sections are cited.
    text: String,
    /// Those that the house deals; all of the base if left out.
    games: Option<Vec<String>>,
    #[serde(default)]
    equipment: toml::Table,
}

impl House {
    /// Reads the files of a folder, by their names, over the rulebook. What cannot be is an error that names the file
    /// and the place.
    pub fn read(files: &BTreeMap<String, String>, rulebook: &Rulebook) -> Result<House, BookError> {
        let text = files.get(EDITION_FILE);
        let text = text.ok_or_else(|| error("a folder", format!("there is no {EDITION_FILE}")))?;
        let filed: Filed =
            toml::from_str(text).map_err(|fault| error(EDITION_FILE, fault.to_string()))?;
        filed.check(rulebook)?;
        let mut hash = Sha256::new();
        hash.update(rulebook.hash());
        for (name, text) in files {
            hash.update(format!("{name} {}\n", text.len()));
            hash.update(text);
        }
        Ok(House {
            games: filed.load_games(files, rulebook)?,
            chapter: rulebook.overlaid_equipment(filed.base, &filed.equipment)?,
            name: filed.edition,
            base: filed.base,
            text: filed.text,
            files: files.clone(),
            hash: hex(&hash.finalize()),
        })
    }

    /// What documents and tables call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The edition that it stands on.
    pub fn base(&self) -> Edition {
        self.base
    }

    /// Which text it is, and how its sections are cited.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Hash over its files and the rulebook that they stand on.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The files of its folder as they were read, by their names.
    pub fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// The games that the house deals, in alphabetical order.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &dyn AnyGame> {
        self.games.iter().map(|game| &**game)
    }

    pub(crate) fn game(&self, name: &str) -> Result<&dyn AnyGame, Refusal> {
        let mut games = self.games();
        games.find(|game| game.name() == name).ok_or_else(|| {
            let known: Vec<&str> = self.games().map(|game| game.name()).collect();
            let is_not = format!("a game of {}", self.name);
            Refusal::unknown("game", name, &is_not, &known)
        })
    }

    pub(crate) fn chapter(&self) -> &Chapter {
        &self.chapter
    }
}

impl Filed {
    fn check(&self, rulebook: &Rulebook) -> Result<(), BookError> {
        let name = &self.edition;
        let bad = |what: &str| Err(error(EDITION_FILE, format!("edition: {name:?} {what}")));
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty() || !name.chars().all(is_plain) {
            return bad("is no name: small letters, digits and hyphens");
        }
        if rulebook.edition(name).is_some() {
            return bad("is the name of another edition");
        }
        if self.text.trim().is_empty() {
            return Err(error(EDITION_FILE, "text: which text is it?".to_owned()));
        }
        Ok(())
    }

    fn load_games(
        &self,
        files: &BTreeMap<String, String>,
        rulebook: &Rulebook,
    ) -> Result<Vec<Box<dyn AnyGame>>, BookError> {
        let of_base = |game: &&dyn AnyGame| game.book().editions().any(|it| it == self.base);
        let base: Vec<&dyn AnyGame> = rulebook.games().filter(of_base).collect();
        let known = |name: &str| base.iter().any(|game| game.name() == name);
        if let Some(stray) = self.games.iter().flatten().find(|name| !known(name)) {
            let what = format!("games: {} has no game {stray}", self.base);
            return Err(error(EDITION_FILE, what));
        }
        let dealt = |name: &str| {
            let games = self.games.as_ref();
            games.is_none_or(|games| games.iter().any(|game| game == name))
        };
        for file in files.keys().filter(|file| *file != EDITION_FILE) {
            let game = file.strip_suffix(".toml").unwrap_or(file);
            if !known(game) || !dealt(game) {
                let what = format!("{game} is no game of this edition");
                return Err(error(file, what));
            }
        }
        let dealt = base.into_iter().filter(|game| dealt(game.name()));
        dealt
            .map(|game| {
                let file = format!("{}.toml", game.name());
                let changes = files.get(&file).map(String::as_str);
                let book = game.book().overlaid(self.base, &self.text, changes);
                book.and_then(|book| game.of_house(&self.edition, book))
            })
            .collect()
    }
}

fn error(file: &str, what: String) -> BookError {
    BookError::of(file.to_owned(), what)
}

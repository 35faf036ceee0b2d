//! All games together, and what they are played with.

use std::any::Any;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::book::BookError;
use crate::equipment::{Chapter, Equipment, WatchFinding};
use crate::game::{AnyGame, Game, Loaded};
use crate::games;
use crate::house::House;
use crate::json::Json;
use crate::refusal::Refusal;
use crate::round::{Envelope, Round, Told};
use crate::settlement::Settlement;
use crate::{Edition, hex};

/// Every game of the rulebook, and the equipment chapters of every jurisdiction, loaded.
#[derive(Debug)]
pub struct Rulebook {
    games: Vec<Box<dyn AnyGame>>,
    equipment: Equipment,
    houses: Vec<House>,
    hash: String,
}

impl Rulebook {
    /// Reads and validates the data of all games and chapters. Fails only if a data file is wrong, which the
    /// tests catch.
    pub fn load() -> Result<Rulebook, BookError> {
        let mut games = games::load_all()?;
        games.sort_by(|a, b| a.name().cmp(b.name()));
        let mut hash = Sha256::new();
        for game in &games {
            hash.update(format!("{} {}\n", game.name(), game.book().hash()));
        }
        let equipment = Equipment::load()?;
        let known: Vec<&str> = games.iter().map(|game| game.name()).collect();
        equipment.check_games(&known)?;
        hash.update(equipment.hash());
        Ok(Rulebook {
            games,
            equipment,
            houses: Vec::new(),
            hash: hex(&hash.finalize()),
        })
    }

    /// The same with the edition of a house, whose folder has these files.
    pub fn with_house(mut self, files: &BTreeMap<String, String>) -> Result<Rulebook, BookError> {
        let house = House::read(files, &self)?;
        self.hash = hex(&Sha256::digest(format!("{} {}", self.hash, house.hash())));
        self.houses.push(house);
        Ok(self)
    }

    /// The editions of houses.
    pub fn houses(&self) -> &[House] {
        &self.houses
    }

    /// The house whose edition has this name.
    pub fn house(&self, edition: &str) -> Option<&House> {
        self.houses.iter().find(|house| house.name() == edition)
    }

    /// The text by which tables of an edition play: itself, or that which a house's edition stands on.
    pub fn edition(&self, name: &str) -> Option<Edition> {
        let of_house = || self.house(name).map(House::base);
        Edition::from_name(name).or_else(of_house)
    }

    /// The names of all editions, those of houses last.
    pub fn edition_names(&self) -> Vec<&str> {
        let houses = self.houses.iter().map(House::name);
        Edition::ALL
            .iter()
            .map(|it| it.name())
            .chain(houses)
            .collect()
    }

    /// Hash over the data of all games and chapters.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The games by name, in alphabetical order.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &dyn AnyGame> {
        self.games.iter().map(|game| &**game)
    }

    /// The game of that name, or a refusal that suggests one.
    pub fn game(&self, name: &str) -> Result<&dyn AnyGame, Refusal> {
        match self.games.binary_search_by(|game| game.name().cmp(name)) {
            Ok(index) => Ok(&*self.games[index]),
            Err(_) => {
                let known: Vec<&str> = self.games().map(|game| game.name()).collect();
                Err(Refusal::unknown(
                    "game",
                    name,
                    "a game of this rulebook",
                    &known,
                ))
            }
        }
    }

    /// The games that an edition of this name has, in alphabetical order.
    pub fn games_in(&self, edition: &str) -> Vec<&dyn AnyGame> {
        if let Some(house) = self.house(edition) {
            return house.games().collect();
        }
        let edition = Edition::from_name(edition);
        let has = |game: &&dyn AnyGame| game.book().editions().any(|it| Some(it) == edition);
        self.games().filter(has).collect()
    }

    /// The game as an edition of this name has it.
    pub fn game_in(&self, name: &str, edition: &str) -> Result<&dyn AnyGame, Refusal> {
        match self.house(edition) {
            Some(house) => house.game(name),
            None => self.game(name),
        }
    }

    /// What tables of an edition of this name must do with their equipment, limits and notices.
    pub fn equipment_in(&self, edition: &str) -> &Chapter {
        match self.house(edition) {
            Some(house) => house.chapter(),
            None => self.equipment(Edition::from_name(edition)),
        }
    }

    pub(crate) fn overlaid_equipment(
        &self,
        base: Edition,
        changes: &toml::Table,
    ) -> Result<Chapter, BookError> {
        self.equipment.overlaid(base, changes)
    }

    /// What tables of an edition must do with their equipment, limits and notices. A table that has told no
    /// edition, or one that nobody knows, is taken to be of Massachusetts.
    pub fn equipment(&self, edition: Option<Edition>) -> &Chapter {
        self.equipment.chapter(edition)
    }

    /// The equipment chapters of all jurisdictions.
    pub fn chapters(&self) -> &[Chapter] {
        self.equipment.chapters()
    }

    /// What is found at every table, and what no text asks for.
    pub fn everywhere(&self) -> &[WatchFinding] {
        self.equipment.everywhere()
    }

    /// Settles one round document.
    pub fn settle(&self, document: &str) -> Result<Settlement, Refusal> {
        self.settle_envelope(&Envelope::read(document)?)
    }

    /// The same for a document that is no text yet.
    pub fn settle_value(&self, document: &Value) -> Result<Settlement, Refusal> {
        self.settle_envelope(&Envelope::of(document)?)
    }

    /// The same for a round that is told in the types of its game.
    pub fn settle_told<G: Game>(
        &self,
        (name, edition): (&str, &str),
        options: &Value,
        wagers: Vec<G::Wager>,
        told: impl FnOnce() -> Result<Told<G::Play>, Refusal>,
    ) -> Result<(Round<G>, Settlement), Refusal>
    where
        G::Play: Serialize,
    {
        let game: &dyn Any = self.game_in(name, edition)?;
        let game: Option<&Loaded<G>> = game.downcast_ref();
        let game = game.ok_or_else(|| Refusal::at("game", format!("{name} is another game")))?;
        let options = Some(Json::from(options)).filter(|json| !matches!(json, Json::Null));
        game.settle_told(edition, options.as_ref(), wagers, told)
    }

    fn settle_envelope(&self, envelope: &Envelope<'_>) -> Result<Settlement, Refusal> {
        let game = self.game_in(&envelope.game, &envelope.edition)?;
        game.settle_document(envelope)
    }
}

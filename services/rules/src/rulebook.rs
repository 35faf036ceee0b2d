//! All games together, and what they are played with.

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::Edition;
use crate::book::BookError;
use crate::equipment::{Chapter, Equipment, WatchFinding};
use crate::game::AnyGame;
use crate::games;
use crate::refusal::Refusal;
use crate::round::Envelope;
use crate::settlement::Settlement;

/// Every game of the rulebook, and the equipment chapters of every jurisdiction, loaded.
#[derive(Debug)]
pub struct Rulebook {
    games: Vec<Box<dyn AnyGame>>,
    equipment: Equipment,
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
            hash: crate::book::hex(&hash.finalize()),
        })
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

    fn settle_envelope(&self, envelope: &Envelope<'_>) -> Result<Settlement, Refusal> {
        self.game(&envelope.game)?.settle_document(envelope)
    }
}

//! What a game is to the engine, and a game loaded with its data.

use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::Edition;
use crate::book::{Book, BookError, EditionBook};
use crate::refusal::{self, Refusal};
use crate::round::{Envelope, Round, Wager, check_wagers};
use crate::settlement::{Outcome, Settlement};

/// A game of the rulebook. Its folder holds the data file, the sample rounds, the types of its
/// document, its settlement and its tests.
pub trait Game: Sized + Send + Sync + 'static {
    /// The data file, `rules.toml`.
    const BOOK: &'static str;
    /// Round documents with their settlements, one JSON object a line: `examples.jsonl`.
    const EXAMPLES: &'static str;
    /// The lowest seat number of a wager. 0 where a page gives it to the house.
    const LOWEST_SEAT: u16 = 1;

    /// What settlement needs of the data file, typed; one for each edition.
    type Rules: Send + Sync;
    /// `options` of the document, with the defaults of the data file filled in.
    type Options: DeserializeOwned + Clone + Send + Sync;
    type Wager: DeserializeOwned + Wager;
    /// `play` of the document.
    type Play: DeserializeOwned;

    /// Takes from the data file what settlement needs. A missing or unknown row is an error here,
    /// at start-up, and not in a round.
    fn rules(book: &EditionBook<'_>) -> Result<Self::Rules, BookError>;

    /// Settles a round. Refuses what describes nothing; settles and flags what breaks the rules.
    fn settle(rules: &Self::Rules, round: &Round<Self>) -> Result<Outcome, Refusal>;
}

/// A game with its data file read, validated and hashed.
pub struct Loaded<G: Game> {
    book: Book,
    name: Arc<str>,
    hash: Arc<str>,
    editions: Vec<LoadedEdition<G>>,
}

struct LoadedEdition<G: Game> {
    edition: Edition,
    rules: G::Rules,
    /// Defaults of the data file, for documents that set some options.
    defaults: Map<String, Value>,
    /// The same, typed, for documents that set none.
    default_options: G::Options,
}

impl<G: Game> Loaded<G> {
    pub fn load() -> Result<Loaded<G>, BookError> {
        let book = Book::read(G::BOOK)?;
        let mut editions = Vec::new();
        for edition in book.editions() {
            let view = book.edition(edition);
            let rules = G::rules(&view)?;
            view.check_all_read()?;
            let defaults = book.option_defaults(edition);
            let default_options =
                refusal::read_value(Value::Object(defaults.clone()), "options", book.game())
                    .map_err(|error| book.error(format!("defaults of {edition}: {error}")))?;
            editions.push(LoadedEdition {
                edition,
                rules,
                defaults,
                default_options,
            });
        }
        Ok(Loaded {
            name: book.game().into(),
            hash: book.hash().into(),
            book,
            editions,
        })
    }

    fn edition(&self, name: &str) -> Result<&LoadedEdition<G>, Refusal> {
        self.editions
            .iter()
            .find(|loaded| loaded.edition.name() == name)
            .ok_or_else(|| {
                let known: Vec<&str> = self.editions.iter().map(|e| e.edition.name()).collect();
                Refusal::unknown(
                    "edition",
                    name,
                    &format!("an edition of {}", self.name),
                    &known,
                )
            })
    }

    /// Reads the parts of a document that depend on the game.
    pub fn read(&self, envelope: &Envelope<'_>) -> Result<Round<G>, Refusal> {
        self.read_with(self.edition(&envelope.edition)?, envelope)
    }

    fn read_with(
        &self,
        loaded: &LoadedEdition<G>,
        envelope: &Envelope<'_>,
    ) -> Result<Round<G>, Refusal> {
        let wagers: Vec<G::Wager> = refusal::read(envelope.wagers.get(), "wagers", &self.name)?;
        check_wagers(&wagers, G::LOWEST_SEAT)?;
        Ok(Round {
            edition: loaded.edition,
            options: self.read_options(loaded, envelope.options.map(|text| text.get()))?,
            wagers,
            play: refusal::read(envelope.play.get(), "play", &self.name)?,
        })
    }

    fn read_options(
        &self,
        loaded: &LoadedEdition<G>,
        options: Option<&str>,
    ) -> Result<G::Options, Refusal> {
        let Some(text) = options else {
            return Ok(loaded.default_options.clone());
        };
        let posted: Map<String, Value> = refusal::read(text, "options", &self.name)?;
        if posted.is_empty() {
            return Ok(loaded.default_options.clone());
        }
        let mut options = loaded.defaults.clone();
        for (key, value) in posted {
            self.book.check_option(loaded.edition, &key, &value)?;
            options.insert(key, value);
        }
        refusal::read_value(Value::Object(options), "options", &self.name)
    }

    /// Settles a round that [`Loaded::read`] gave.
    pub fn settle(&self, round: &Round<G>) -> Result<Settlement, Refusal> {
        self.settle_with(self.edition(round.edition.name())?, round)
    }

    fn settle_with(
        &self,
        loaded: &LoadedEdition<G>,
        round: &Round<G>,
    ) -> Result<Settlement, Refusal> {
        let outcome = G::settle(&loaded.rules, round)?;
        debug_assert!(
            outcome
                .violations
                .iter()
                .all(|code| self.book.shown_by_document(loaded.edition, code)),
            "{}: a violation that its data file does not declare: {:?}",
            self.name,
            outcome.violations
        );
        Ok(Settlement::new(
            self.name.clone(),
            self.hash.clone(),
            outcome,
        ))
    }
}

impl<G: Game> fmt::Debug for Loaded<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loaded")
            .field("game", &self.name)
            .field("hash", &self.hash)
            .finish()
    }
}

/// A loaded game whose types do not matter to the caller.
pub trait AnyGame: fmt::Debug + Send + Sync {
    fn name(&self) -> &str;
    fn book(&self) -> &Book;
    /// Sample rounds with their settlements, one JSON object a line.
    fn examples(&self) -> &'static str;
    /// Does this edition have these options, given as a JSON object?
    fn check_options(&self, edition: &str, options: &str) -> Result<(), Refusal>;
    fn settle_document(&self, envelope: &Envelope<'_>) -> Result<Settlement, Refusal>;
}

impl<G: Game> AnyGame for Loaded<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn book(&self) -> &Book {
        &self.book
    }

    fn examples(&self) -> &'static str {
        G::EXAMPLES
    }

    fn check_options(&self, edition: &str, options: &str) -> Result<(), Refusal> {
        self.read_options(self.edition(edition)?, Some(options))
            .map(drop)
    }

    fn settle_document(&self, envelope: &Envelope<'_>) -> Result<Settlement, Refusal> {
        let loaded = self.edition(&envelope.edition)?;
        self.settle_with(loaded, &self.read_with(loaded, envelope)?)
    }
}

//! What a game is to the engine, and a game loaded with its data.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Edition;
use crate::book::{Book, BookError, EditionBook, Overlaid};
use crate::json::{Fault, Json};
use crate::refusal::Refusal;
use crate::round::{Envelope, Round, Told, Wager, check_wagers};
use crate::settlement::{Outcome, Settlement};
use crate::unseen::{Fillable, Pieces, Reach, Unseen};

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

    /// Keys of `play` under which cards or tiles are told again that lie elsewhere in it.
    const RETOLD: &'static [&'static str] = &[];

    /// Does the game itself read `??` for a card that nobody saw?
    const READS_UNSEEN: bool = false;

    /// What of `play` can decide a wager: asked where cards were not seen, of the round with any cards in their
    /// place. It is asked again and again with other cards, and what any of the answers holds can decide.
    fn decided_by(_round: &Round<Self>, _wager: &Self::Wager) -> Reach {
        Reach::Everything
    }

    /// Settles a round. Refuses what describes nothing; settles and flags what breaks the rules.
    fn settle(rules: &Self::Rules, round: &Round<Self>) -> Result<Outcome, Refusal>;
}

/// A game with its data file read, validated and hashed.
pub struct Loaded<G: Game> {
    shelf: Shelf,
    /// In the order of the data file.
    editions: Vec<LoadedEdition<G>>,
}

struct LoadedEdition<G: Game> {
    rules: G::Rules,
    /// For documents that set no options.
    default_options: G::Options,
}

impl<G: Game> Loaded<G> {
    pub fn load() -> Result<Loaded<G>, BookError> {
        let book = Book::read(G::BOOK)?;
        let names = book.editions().map(|edition| edition.name().into());
        let names = names.collect();
        Loaded::shelved(Shelf::new(book, names), &[])
    }

    /// Takes a data file whose editions go by the names of its shelf.
    fn shelved(shelf: Shelf, removed: &[String]) -> Result<Loaded<G>, BookError> {
        let mut editions = Vec::new();
        for edition in shelf.book.editions() {
            let view = shelf.book.edition(edition);
            let rules = G::rules(&view)?;
            view.check_all_read()?;
            view.check_removed(removed)?;
            let default_options = shelf
                .defaults(edition)
                .read()
                .map_err(|fault| shelf.bad_defaults(edition, fault))?;
            editions.push(LoadedEdition {
                rules,
                default_options,
            });
        }
        Ok(Loaded { shelf, editions })
    }

    /// Reads the parts of a document that depend on the game.
    pub fn read(&self, envelope: &Envelope<'_>) -> Result<Round<G>, Refusal> {
        let laid = self.read_laid(envelope)?;
        Ok(laid.played(self.part("play", &envelope.play)?))
    }

    fn read_laid(&self, envelope: &Envelope<'_>) -> Result<Laid<G>, Refusal> {
        let wagers = self.part("wagers", &envelope.wagers)?;
        self.laid(&envelope.edition, envelope.options.as_ref(), wagers)
    }

    fn laid(
        &self,
        edition: &str,
        posted: Option<&Json<'_>>,
        wagers: Vec<G::Wager>,
    ) -> Result<Laid<G>, Refusal> {
        let at = self.shelf.edition(edition)?;
        check_wagers(&wagers, G::LOWEST_SEAT)?;
        Ok(Laid {
            at,
            edition: self.shelf.editions[at],
            options: self.read_options(at, posted)?,
            wagers,
        })
    }

    /// Settles a round that is told in the types of the game. Where something of it was not seen, its play is
    /// written down to be filled in.
    pub(crate) fn settle_told(
        &self,
        edition: &str,
        posted: Option<&Json<'_>>,
        wagers: Vec<G::Wager>,
        told: impl FnOnce() -> Result<Told<G::Play>, Refusal>,
    ) -> Result<(Round<G>, Settlement), Refusal>
    where
        G::Play: Serialize,
    {
        let laid = self.laid(edition, posted, wagers)?;
        let (at, Told { play, was_seen }) = (laid.at, told()?);
        let unseen_in = |written: &Value| Unseen::of(&Json::from(written), G::RETOLD);
        debug_assert!(
            !was_seen || unseen_in(&json!(play)).is_none(),
            "all of it was told to be seen: {}",
            json!(play)
        );
        // What was seen need not be written to be looked through.
        let written = match was_seen {
            true => Value::Null,
            false => json!(play),
        };
        let unseen = unseen_in(&written);
        if let Some(unseen) = &unseen
            && !G::READS_UNSEEN
        {
            let written = Json::from(&written);
            let (round, settlement) = self.settle_filled(laid, posted, (&written, unseen))?;
            return Ok((Round { play, ..round }, settlement));
        }
        let round = laid.played(play);
        let settlement = self.settle_with(at, &round)?;
        let unseen = unseen.map(|unseen| unseen.names());
        Ok((
            round,
            settlement.without_sight_of(unseen.unwrap_or_default()),
        ))
    }

    /// Settles a round under everything that can lie where nobody saw what lies there.
    fn settle_filled(
        &self,
        laid: Laid<G>,
        posted: Option<&Json<'_>>,
        (play, unseen): (&Json<'_>, &Unseen),
    ) -> Result<(Round<G>, Settlement), Refusal> {
        let (at, edition) = (laid.at, laid.edition);
        let mut filled = Filled {
            loaded: self,
            at,
            posted,
            laid: Some(laid),
            round: None,
        };
        let outcome = unseen.settle(play, &mut filled)?;
        let round = filled.round.ok_or_else(unread)?;
        let settlement = self.shelf.settlement(edition, outcome);
        Ok((round, settlement.without_sight_of(unseen.names())))
    }

    fn read_options(&self, at: usize, posted: Option<&Json<'_>>) -> Result<G::Options, Refusal> {
        let posted = match posted {
            Some(posted) => self.shelf.options(self.shelf.editions[at], posted)?,
            None => None,
        };
        match posted {
            Some(options) => self.part("options", &options),
            None => Ok(self.editions[at].default_options.clone()),
        }
    }

    fn part<'a, T: Deserialize<'a>>(&self, part: &str, json: &'a Json<'a>) -> Result<T, Refusal> {
        json.read()
            .map_err(|fault| fault.refusal(part, &self.shelf.name))
    }

    /// Settles a round that [`Loaded::read`] gave.
    pub fn settle(&self, round: &Round<G>) -> Result<Settlement, Refusal> {
        let mut editions = self.shelf.editions.iter();
        let at = editions.position(|edition| *edition == round.edition);
        let at = at.ok_or_else(|| Refusal::at("edition", "not one of this game"))?;
        self.settle_with(at, round)
    }

    fn settle_with(&self, at: usize, round: &Round<G>) -> Result<Settlement, Refusal> {
        let outcome = G::settle(&self.editions[at].rules, round)?;
        Ok(self.shelf.settlement(round.edition, outcome))
    }
}

/// What of a loaded game does not depend on its types.
struct Shelf {
    book: Book,
    name: Arc<str>,
    hash: Arc<str>,
    editions: Vec<Edition>,
    /// What documents call each of them: its own name, or that of a house's edition which stands on it.
    names: Vec<Box<str>>,
}

impl Shelf {
    fn new(book: Book, names: Vec<Box<str>>) -> Shelf {
        Shelf {
            name: book.game().into(),
            hash: book.hash().into(),
            editions: book.editions().collect(),
            names,
            book,
        }
    }

    /// Where the edition of that name stands among those of the game.
    fn edition(&self, name: &str) -> Result<usize, Refusal> {
        let mut names = self.names.iter();
        names.position(|known| **known == *name).ok_or_else(|| {
            let known: Vec<&str> = self.names.iter().map(|name| &**name).collect();
            let is_not = format!("an edition of {}", self.name);
            Refusal::unknown("edition", name, &is_not, &known)
        })
    }

    fn defaults(&self, edition: Edition) -> Json<'_> {
        Json::Object(self.book.option_defaults(edition).collect())
    }

    fn bad_defaults(&self, edition: Edition, fault: Fault) -> BookError {
        let refusal = fault.refusal("options", &self.name);
        self.book.error(format!("defaults of {edition}: {refusal}"))
    }

    /// The posted options and the defaults of all others; `None` if none is posted.
    fn options<'a>(
        &'a self,
        edition: Edition,
        posted: &Json<'a>,
    ) -> Result<Option<Json<'a>>, Refusal> {
        let Json::Object(posted) = posted else {
            return Err(Refusal::at("options", posted.is_no("an object")));
        };
        if posted.is_empty() {
            return Ok(None);
        }
        for (key, json) in posted {
            let value = json
                .read()
                .map_err(|fault| fault.refusal(&format!("options.{key}"), &self.name))?;
            self.book.check_option(edition, key, &value)?;
        }
        let mut options = posted.clone();
        let defaults = self.book.option_defaults(edition);
        options.extend(defaults.filter(|(key, _)| posted.iter().all(|(other, _)| other != key)));
        Ok(Some(Json::Object(options)))
    }

    /// What a round is dealt from at a table that posts these options.
    fn pieces(&self, edition: Edition, posted: Option<&Json<'_>>) -> Pieces {
        let of = |entries: &[(Cow<'_, str>, Json<'_>)], key: &str| {
            let entry = entries.iter().find(|(other, _)| other == key);
            entry.and_then(|(_, json)| json.read().ok())
        };
        let Json::Object(defaults) = self.defaults(edition) else {
            return Pieces::decks(1);
        };
        let option = |key: &str| match posted {
            Some(Json::Object(posted)) => of(posted, key).or_else(|| of(&defaults, key)),
            _ => of(&defaults, key),
        };
        let layout = self.book.layout(edition);
        layout.map_or(Pieces::decks(1), |layout| layout.pieces(option))
    }

    fn settlement(&self, edition: Edition, outcome: Outcome) -> Settlement {
        debug_assert!(
            outcome
                .violations
                .iter()
                .all(|code| self.book.shown_by_document(edition, code)),
            "{}: a violation that its data file does not declare: {:?}",
            self.name,
            outcome.violations
        );
        Settlement::new(self.name.clone(), self.hash.clone(), outcome)
    }
}

impl<G: Game> fmt::Debug for Loaded<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loaded")
            .field("game", &self.shelf.name)
            .field("hash", &self.shelf.hash)
            .finish()
    }
}

/// A round before it is played, and the place of its edition.
struct Laid<G: Game> {
    at: usize,
    edition: Edition,
    options: G::Options,
    wagers: Vec<G::Wager>,
}

impl<G: Game> Laid<G> {
    fn played(self, play: G::Play) -> Round<G> {
        Round {
            edition: self.edition,
            options: self.options,
            wagers: self.wagers,
            play,
        }
    }
}

/// A round of which something was not seen, filled in again and again.
struct Filled<'a, G: Game> {
    loaded: &'a Loaded<G>,
    at: usize,
    posted: Option<&'a Json<'a>>,
    /// Until its play is first filled in.
    laid: Option<Laid<G>>,
    round: Option<Round<G>>,
}

fn unread() -> Refusal {
    Refusal::at("play", "was not read")
}

impl<G: Game> Fillable for Filled<'_, G> {
    fn pieces(&self) -> Pieces {
        let shelf = &self.loaded.shelf;
        shelf.pieces(shelf.editions[self.at], self.posted)
    }

    fn retold(&self) -> &'static [&'static str] {
        G::RETOLD
    }

    fn fill(&mut self, play: &Json<'_>) -> Result<(), Refusal> {
        let play = self.loaded.part("play", play)?;
        match (&mut self.round, self.laid.take()) {
            (Some(round), _) => round.play = play,
            (none, laid) => *none = laid.map(|laid| laid.played(play)),
        }
        Ok(())
    }

    fn reaches(&self) -> Vec<Reach> {
        let rounds = self.round.iter();
        let wagers = rounds.flat_map(|round| round.wagers.iter().map(move |wager| (round, wager)));
        wagers
            .map(|(round, wager)| G::decided_by(round, wager))
            .collect()
    }

    fn settle(&self) -> Result<Outcome, Refusal> {
        let rules = &self.loaded.editions[self.at].rules;
        match &self.round {
            Some(round) => G::settle(rules, round),
            None => Err(unread()),
        }
    }
}

/// A loaded game whose types do not matter to the caller.
pub trait AnyGame: Any + fmt::Debug + Send + Sync {
    fn name(&self) -> &str;
    fn book(&self) -> &Book;
    /// Sample rounds with their settlements, one JSON object a line.
    fn examples(&self) -> &'static str;
    /// Does this edition have these options, given as a JSON object?
    fn check_options(&self, edition: &str, options: &str) -> Result<(), Refusal>;
    fn settle_document(&self, envelope: &Envelope<'_>) -> Result<Settlement, Refusal>;
    /// The same game by the data file of a house, whose edition has this name.
    fn of_house(&self, house: &str, filed: Overlaid) -> Result<Box<dyn AnyGame>, BookError>;
}

impl<G: Game> AnyGame for Loaded<G> {
    fn name(&self) -> &str {
        &self.shelf.name
    }

    fn book(&self) -> &Book {
        &self.shelf.book
    }

    fn examples(&self) -> &'static str {
        G::EXAMPLES
    }

    fn check_options(&self, edition: &str, options: &str) -> Result<(), Refusal> {
        let options = Json::parse(options)?;
        self.read_options(self.shelf.edition(edition)?, Some(&options))
            .map(drop)
    }

    fn settle_document(&self, envelope: &Envelope<'_>) -> Result<Settlement, Refusal> {
        let unseen = Unseen::of(&envelope.play, G::RETOLD);
        if let Some(unseen) = &unseen
            && !G::READS_UNSEEN
        {
            let laid = self.read_laid(envelope)?;
            let play = (&envelope.play, unseen);
            let settled = self.settle_filled(laid, envelope.options.as_ref(), play);
            return settled.map(|(_, settlement)| settlement);
        }
        let round = self.read(envelope)?;
        let unseen = unseen.map(|unseen| unseen.names());
        let settlement = self.settle(&round)?;
        Ok(settlement.without_sight_of(unseen.unwrap_or_default()))
    }

    fn of_house(&self, house: &str, filed: Overlaid) -> Result<Box<dyn AnyGame>, BookError> {
        let shelf = Shelf::new(filed.book, vec![house.into()]);
        let game: Result<Loaded<G>, BookError> = Loaded::shelved(shelf, &filed.removed);
        Ok(Box::new(
            game.map_err(|error| error.without(&filed.removed))?,
        ))
    }
}

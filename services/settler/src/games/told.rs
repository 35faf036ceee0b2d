//! Rounds that are told in the types of their game.

use std::borrow::Cow;
use std::fmt::Display;

use catwalk_rules::floor::Card;
use catwalk_rules::json::Json;
use catwalk_rules::{Game, Refusal, Rulebook, Settlement, Told as Played, UNSEEN};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{Folder, detail, rules_options};
use crate::round::{RoundFold, WagerFold};
use crate::standing::Standing;

/// The document of a round, written where somebody asks for it.
pub(crate) type Document = Box<dyn FnOnce() -> Value>;

/// That, and what the round settles to.
pub(crate) type Told = Result<(Document, Settlement), Refusal>;

/// A round to be told.
#[derive(Clone, Copy)]
pub(crate) struct Telling<'a> {
    pub(crate) folder: &'a dyn Folder,
    pub(crate) round: &'a RoundFold,
    pub(crate) standing: &'a Standing,
    pub(crate) rulebook: &'a Rulebook,
}

impl Telling<'_> {
    /// Settles a round of a game. A bet that the game does not have was told when it was made: the others are
    /// settled without it.
    pub(super) fn settle<G>(
        self,
        wager: impl Fn(&Laid<'_>) -> Result<G::Wager, Refusal>,
        play: impl FnOnce(&mut Reading) -> G::Play,
    ) -> Told
    where
        G: Game<Wager: Serialize + 'static, Play: Serialize + 'static>,
    {
        let rules = &self.round.rules;
        let book = rules.game_in(self.rulebook)?.book();
        let mut wagers = Vec::with_capacity(self.round.wagers.len());
        let told = self.round.wagers.iter();
        for fold in told.filter(|wager| self.folder.is_in_document(self.round, wager)) {
            let (index, game) = (wagers.len(), &*rules.game);
            match wager(&Laid { fold, index, game }) {
                Err(_) if book.wager(&fold.kind).is_none() => {}
                told => wagers.push(told?),
            }
        }
        let told = || {
            let mut reading = Reading::default();
            let play = play(&mut reading);
            let Reading { refused, is_short } = reading;
            let was_seen = !is_short;
            refused.map_or(Ok(Played { play, was_seen }), Err)
        };
        let (game, edition) = (rules.game.clone(), rules.posted_edition().to_owned());
        let mut options = rules_options(rules);
        self.folder.force(rules, &mut options);
        let (rulebook, names) = (self.rulebook, (&*game, &*edition));
        let (told, settlement) = rulebook.settle_told::<G>(names, &options, wagers, told)?;
        let (wagers, play) = (told.wagers, told.play);
        let document = move || {
            json!({
                "game": game, "edition": edition, "options": options, "wagers": wagers, "play": play,
            })
        };
        Ok((Box::new(document), settlement))
    }
}

/// What every wager has.
const OF_ALL: [&str; 4] = ["id", "seat", "kind", "amount"];

/// A wager to be told, and its place in the document.
pub(super) struct Laid<'a> {
    pub(super) fold: &'a WagerFold,
    index: usize,
    game: &'a str,
}

impl Laid<'_> {
    /// What the feed tells of it under these keys, and whether it was late by the call or by its own words.
    pub(super) fn detail(&self, keys: &[&str]) -> Map<String, Value> {
        let mut detail = detail(self.fold);
        detail.retain(|key, _| key == "late" || keys.contains(&&**key));
        if self.fold.late {
            detail.insert("late".to_owned(), json!(true));
        }
        detail
    }

    /// The wager as the game reads it: what every wager has, and what is told of it beside that.
    pub(super) fn read<W: DeserializeOwned>(
        &self,
        told: &Map<String, Value>,
    ) -> Result<W, Refusal> {
        let amount = json!(self.fold.amount);
        let mut entry = vec![
            (Cow::from("id"), Json::Text(Cow::from(&self.fold.id))),
            (Cow::from("seat"), Json::Unsigned(self.fold.seat.into())),
            (Cow::from("kind"), Json::Text(Cow::from(&self.fold.kind))),
            (Cow::from("amount"), Json::from(&amount)),
        ];
        // No detail says otherwise.
        let told = told.iter().filter(|(key, _)| !OF_ALL.contains(&&***key));
        entry.extend(told.map(|(key, told)| (Cow::from(key), Json::from(told))));
        let entry = Json::Object(entry);
        let place = || format!("wagers[{}]", self.index);
        entry
            .read()
            .map_err(|fault| fault.refusal(&place(), self.game))
    }
}

/// A word of the game, if it is one.
pub(super) fn word<T: DeserializeOwned>(word: &str) -> Option<T> {
    Json::Text(word.into()).read().ok()
}

/// Reads what a feed tells of a play. What the types of the game have no word for refuses the round, and is left
/// out where only its course is looked at.
#[derive(Default)]
pub(super) struct Reading {
    refused: Option<Refusal>,
    /// Was something of it not seen?
    is_short: bool,
}

impl Reading {
    /// `place` is that in `play`.
    pub(super) fn of<T: DeserializeOwned>(
        &mut self,
        place: impl Display,
        told: &Value,
    ) -> Option<T> {
        self.json(place, &Json::from(told))
    }

    /// A word of the feed.
    pub(super) fn word<T: DeserializeOwned>(
        &mut self,
        place: impl Display,
        told: &str,
    ) -> Option<T> {
        self.json(place, &Json::Text(told.into()))
    }

    pub(super) fn number<T: DeserializeOwned>(
        &mut self,
        place: impl Display,
        told: u64,
    ) -> Option<T> {
        self.json(place, &Json::Unsigned(told))
    }

    fn json<T: DeserializeOwned>(&mut self, place: impl Display, told: &Json<'_>) -> Option<T> {
        let read = told.read().map_err(|fault| {
            let place = format!("play.{place}");
            self.refused
                .get_or_insert_with(|| fault.refusal(&place, ""));
        });
        read.ok()
    }

    /// A card: one that nobody saw is no card that anybody could name.
    pub(super) fn card(&mut self, place: impl Display, told: Option<&str>) -> Option<Card> {
        match told.filter(|told| *told != UNSEEN) {
            Some(told) => told.parse().ok().or_else(|| self.word(place, told)),
            None => {
                self.misses();
                Some(Card::UNSEEN)
            }
        }
    }

    /// Something of it was not seen.
    pub(super) fn misses(&mut self) {
        self.is_short = true;
    }

    /// The cards of a place, in order.
    pub(super) fn cards<'a>(
        &mut self,
        place: impl Display,
        told: impl IntoIterator<Item = Option<&'a str>>,
    ) -> Vec<Card> {
        let told = told.into_iter().enumerate();
        told.filter_map(|(at, told)| self.card(format_args!("{place}[{at}]"), told))
            .collect()
    }
}

//! How each game's events make the round document that its rules settle. One file a game, and the
//! list that registers them.

mod baccarat;
mod big_six;
mod roulette;
mod sic_bo;

use catwalk_events::body::Body;
use serde_json::{Map, Value, json};

use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};

/// A game as the stream of events shows it.
pub(crate) trait Folder: Sync {
    /// The game, as the rulebook names it.
    fn game(&self) -> &'static str;

    /// The betting window that a wager kind belongs to; `None` for one that the dealer moves, which
    /// is never late.
    fn window(&self, _kind: &str) -> Option<&'static str> {
        Some(MAIN_WINDOW)
    }

    /// Does this event close the main window where no call was sent?
    fn closes_betting(&self, body: &Body) -> bool;

    /// `wagers[i]` of the document.
    fn wager(&self, wager: &WagerFold) -> Value {
        Value::Object(entry(wager))
    }

    /// `play` of the document; `Err` says what the events do not tell.
    fn play(&self, round: &RoundFold) -> Result<Value, String>;
}

/// Every game that can be folded. A new game is one more line here.
static FOLDERS: [&dyn Folder; 7] = [
    &baccarat::Baccarat("baccarat"),
    &baccarat::Baccarat("dragon_bonus_baccarat_commission_free"),
    &baccarat::Baccarat("midibaccarat"),
    &baccarat::Baccarat("minibaccarat"),
    &big_six::BigSix,
    &roulette::Roulette,
    &sic_bo::SicBo,
];

pub(crate) fn folder(game: &str) -> Option<&'static dyn Folder> {
    FOLDERS.iter().copied().find(|folder| folder.game() == game)
}

/// The round document.
pub(crate) fn document(folder: &dyn Folder, round: &RoundFold) -> Result<Value, String> {
    let wagers: Vec<Value> = round
        .wagers
        .iter()
        .map(|wager| folder.wager(wager))
        .collect();
    Ok(json!({
        "game": round.rules.game, "edition": round.rules.edition,
        "options": round.rules.options.value(), "wagers": wagers, "play": folder.play(round)?,
    }))
}

/// What every game's document has of a wager. The keys of an object in `detail` are the game's own.
fn entry(wager: &WagerFold) -> Map<String, Value> {
    let mut entry = match wager.detail.as_ref().map(|detail| detail.value()) {
        Some(Value::Object(detail)) => detail,
        _ => Map::new(),
    };
    entry.insert("id".into(), json!(wager.id));
    entry.insert("seat".into(), json!(wager.seat));
    entry.insert("kind".into(), json!(wager.kind));
    entry.insert("amount".into(), json!(wager.amount));
    if let Some(on) = &wager.on {
        entry.insert("on".into(), json!(on));
    }
    entry
}

/// The same for a game whose document says that a wager was late.
fn entry_with_late(wager: &WagerFold) -> Map<String, Value> {
    let mut entry = entry(wager);
    if wager.late {
        entry.insert("late".into(), json!(true));
    }
    entry
}

/// All cards of a place, or which one nobody saw.
fn seen<'a>(cards: Vec<Option<&'a str>>, whose: &str) -> Result<Vec<&'a str>, String> {
    let unseen = cards.iter().position(Option::is_none);
    match unseen {
        Some(index) => Err(format!("card {} of {whose} was never shown", index + 1)),
        None => Ok(cards.into_iter().flatten().collect()),
    }
}

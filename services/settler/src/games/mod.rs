//! How each game's events make the round document that its rules settle. One file a game, and the
//! list that registers them.

mod baccarat;
mod big_six;
mod blackjack;
mod calls;
mod chemin_de_fer;
mod craps;
mod felt;
mod folder;
mod holdem;
mod order;
mod pai_gow;
mod poker;
mod red_dog;
mod rotation;
mod roulette;
mod settling;
mod sic_bo;
mod stud;
mod told;
mod verification;
mod wording;

use catwalk_rules::Edition;
use catwalk_rules::book::{Book, Layout};
use catwalk_rules::floor::Cents;
use serde_json::{Map, Value, json};

pub(crate) use self::folder::{
    Case, Documents, End, Folder, Following, Payments, Raise, Run, Scene, Staking, Vigorish,
    Windows,
};
pub(crate) use self::told::{Document, Telling, Told};
use crate::round::{RoundFold, WagerFold};
use crate::standing::Standing;
use crate::table::{RulesInForce, TOURNAMENT};

/// Every game that can be folded. A new game is one more line here.
static FOLDERS: [&dyn Folder; 30] = [
    &baccarat::BACCARAT,
    &baccarat::COMMISSION_FREE,
    &baccarat::MIDI,
    &baccarat::MINI,
    &big_six::BigSix,
    &blackjack::Blackjack("blackjack"),
    &blackjack::Blackjack("free_bet_blackjack"),
    &blackjack::Blackjack("spanish_21"),
    &chemin_de_fer::CheminDeFer,
    &craps::CRAPLESS,
    &craps::CRAPS,
    &pai_gow::PaiGow(pai_gow::COMMISSION_FREE),
    &pai_gow::PaiGow(pai_gow::TILES),
    &pai_gow::PaiGow(pai_gow::POKER),
    &holdem::Colorado,
    &holdem::FastAction,
    &holdem::TexasBonus,
    &holdem::Ultimate,
    &poker::Poker,
    &red_dog::RedDog,
    &stud::CARIBBEAN_STUD,
    &stud::CRAZY_FOUR_POKER,
    &stud::DJ_WILD,
    &stud::DOUBLE_DOWN_STUD,
    &stud::FOUR_CARD_POKER,
    &stud::LET_IT_RIDE,
    &stud::MISSISSIPPI_STUD,
    &roulette::Roulette,
    &sic_bo::SicBo,
    &stud::THREE_CARD_POKER,
];

pub(crate) fn folder(game: &str) -> Option<&'static dyn Folder> {
    FOLDERS.iter().copied().find(|folder| folder.game() == game)
}

/// How the game of a table is laid out in its edition.
pub(crate) fn layout(rules: &RulesInForce) -> Option<&'static Layout> {
    let edition = Edition::from_name(&rules.edition)?;
    Book::of(&rules.game)?.layout(edition)
}

/// The round document.
pub(crate) fn document(
    folder: &dyn Folder,
    round: &RoundFold,
    standing: &Standing,
) -> Result<Value, String> {
    let mut options = rules_options(&round.rules);
    folder.force(&round.rules, &mut options);
    Ok(json!({
        "game": round.rules.game, "edition": round.rules.posted_edition(),
        "options": options, "wagers": folder.wagers(round, standing),
        "play": folder.play(round, standing)?,
    }))
}

/// The options that the rulebook knows, without what a document has in `play`.
pub(crate) fn rules_options(rules: &RulesInForce) -> Value {
    let mut options = rules.options.value().clone();
    let of_play = folder(&rules.game).map_or(&[][..], |folder| folder.of_play());
    if let Value::Object(options) = &mut options {
        options.retain(|key, _| !of_play.contains(&key.as_str()));
        if let Some(boxes) = boxes(rules).filter(|_| !options.contains_key(BOXES)) {
            options.insert(BOXES.to_owned(), json!(boxes));
        }
        if rules.plays_tournament() {
            let posted = options.entry(TOURNAMENT);
            posted.or_insert(json!(true));
        }
    }
    options
}

const BOXES: &str = "boxes";

/// The boxes of a layout whose positions were told and which posts no boxes: at most as many as the game
/// may have. 6 to 5 and multiple action have six, posted or not.
fn boxes(rules: &RulesInForce) -> Option<u32> {
    let most = rules.figure("most_boxes")?.as_u64()?;
    let most = u32::try_from(most).ok()?;
    let is_plain = rules.option("variation").is_none();
    let told = rules.positions.filter(|_| is_plain)?;
    Some(told.min(most))
}

/// What a change after the cut-off is called.
pub(crate) fn change_codes(wager: &WagerFold, to: Option<Cents>) -> Vec<&'static str> {
    match to {
        Some(to) if to > wager.amount => vec!["wager.capped"],
        Some(to) if to == wager.amount => Vec::new(),
        _ => vec!["wager.pinched"],
    }
}

/// The keys of an object in the detail of a wager are those of the game.
fn detail(wager: &WagerFold) -> Map<String, Value> {
    match wager.detail.as_ref().map(|detail| detail.value()) {
        Some(Value::Object(detail)) => detail,
        _ => Map::new(),
    }
}

/// What every game's document has of a wager.
fn entry(wager: &WagerFold) -> Map<String, Value> {
    let mut entry = detail(wager);
    entry.insert("id".into(), json!(wager.id));
    entry.insert("seat".into(), json!(wager.seat));
    entry.insert("kind".into(), json!(wager.kind));
    entry.insert("amount".into(), json!(wager.amount));
    if let Some(on) = &wager.on {
        entry.insert("on".into(), json!(on));
    }
    entry
}

/// Leaves of a wager's detail what its document knows: a feed may tell more.
fn keep_keys(entry: &mut Map<String, Value>, keys: &[&str]) {
    let of_all = ["id", "seat", "kind", "amount", "late"];
    entry.retain(|key, _| of_all.contains(&&**key) || keys.contains(&&**key));
}

/// A number that a feed wrote as text.
fn as_number(value: Value) -> Value {
    let number = value.as_str().and_then(|text| text.parse::<i64>().ok());
    number.map_or(value, |number| json!(number))
}

/// A word that a feed wrote as a number.
fn as_text(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.to_string()),
        other => other,
    }
}

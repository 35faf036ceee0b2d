//! How each game's events make the round document that its rules settle. One file a game, and the
//! list that registers them.

mod baccarat;
mod big_six;
mod felt;
mod holdem;
mod poker;
mod roulette;
mod sic_bo;

use catwalk_events::body::Body;
use catwalk_rules::floor::Cents;
use catwalk_rules::{Rulebook, Settlement};
use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;
use crate::table::RulesInForce;

/// A game as the stream of events shows it.
pub(crate) trait Folder: Sync {
    /// The game, as the rulebook names it.
    fn game(&self) -> &'static str;

    /// The betting window that a wager kind belongs to; `None` for one that the dealer moves, which
    /// is never late.
    fn window(&self, _kind: &str) -> Option<&'static str> {
        Some(MAIN_WINDOW)
    }

    /// The window that this event of the play closes where no call was sent.
    fn closes(&self, round: &RoundFold, body: &Body) -> Option<&'static str>;

    /// The window that is open again after this event of the play.
    fn opens(&self, _round: &RoundFold, _body: &Body) -> Option<&'static str> {
        None
    }

    /// A wager of this kind may be made in its moment, and then neither raised nor taken back.
    fn stands(&self, _kind: &str) -> bool {
        false
    }

    /// A wager of this kind goes into the house's box when it is made: an award is for it, not beside
    /// it.
    fn keeps_stake(&self, _kind: &str) -> bool {
        false
    }

    /// A stake is changed while that is allowed, after so much of the play.
    fn restake(&self, wager: &mut WagerFold, to: Cents, _after_play: usize) {
        wager.amount = to;
    }

    /// A wager is taken back while that is allowed: true if the round is to forget it.
    fn take_back(&self, _wager: &mut WagerFold, _after_play: usize) -> bool {
        true
    }

    /// Options of the table that the document has in `play`.
    fn of_play(&self) -> &'static [&'static str] {
        &[]
    }

    /// `wagers[i]` of the document.
    fn wager(&self, _round: &RoundFold, wager: &WagerFold) -> Value {
        Value::Object(entry(wager))
    }

    /// `play` of the document; `Err` says what the events do not tell.
    fn play(&self, round: &RoundFold, standing: &Standing) -> Result<Value, String>;

    /// An event of the table that belongs to no round: what of it outlives rounds is kept.
    fn between(&self, _body: &Body, _standing: &mut Standing) {}

    /// Every event of an open round, before it is folded: what only the order of events shows.
    fn see(&self, _scene: &Scene<'_>, _faults: &mut Vec<Fault>) {}

    /// The round has ended, settled unless events of it are missing: what of it outlives the round is
    /// kept in `standing`, and what only its end shows is said.
    fn end(&self, _end: &End<'_>, _standing: &mut Standing, _faults: &mut Vec<Fault>) {}

    /// Does this wager, which the round did not decide, stay for the next one? What the next
    /// document has to say of it goes into its detail.
    fn carry(&self, _end: &End<'_>, _wager: &mut WagerFold) -> bool {
        false
    }
}

/// An event in its round.
#[allow(dead_code, reason = "each game looks at what it needs")]
pub(crate) struct Scene<'a> {
    pub(crate) round: &'a RoundFold,
    pub(crate) standing: &'a Standing,
    pub(crate) seq: u64,
    pub(crate) body: &'a Body,
}

/// The end of a round.
#[allow(dead_code, reason = "each game looks at what it needs")]
pub(crate) struct End<'a> {
    pub(crate) round: &'a RoundFold,
    /// `None` where it is void, incomplete or cannot be settled.
    pub(crate) settlement: Option<&'a Settlement>,
    pub(crate) voided: bool,
    pub(crate) seq: u64,
    /// Wagers that were paid or taken wrongly: their place in the round and what the house lost by it.
    pub(crate) mispaid: &'a [(usize, Cents)],
    pub(crate) document: Option<&'a Value>,
    pub(crate) rulebook: &'a Rulebook,
}

/// Every game that can be folded. A new game is one more line here.
static FOLDERS: [&dyn Folder; 12] = [
    &baccarat::Baccarat("baccarat"),
    &baccarat::Baccarat("dragon_bonus_baccarat_commission_free"),
    &baccarat::Baccarat("midibaccarat"),
    &baccarat::Baccarat("minibaccarat"),
    &big_six::BigSix,
    &holdem::Colorado,
    &holdem::FastAction,
    &holdem::TexasBonus,
    &holdem::Ultimate,
    &poker::Poker,
    &roulette::Roulette,
    &sic_bo::SicBo,
];

pub(crate) fn folder(game: &str) -> Option<&'static dyn Folder> {
    FOLDERS.iter().copied().find(|folder| folder.game() == game)
}

/// The round document.
pub(crate) fn document(
    folder: &dyn Folder,
    round: &RoundFold,
    standing: &Standing,
) -> Result<Value, String> {
    let wagers: Vec<Value> = round
        .wagers
        .iter()
        .map(|wager| folder.wager(round, wager))
        .collect();
    Ok(json!({
        "game": round.rules.game, "edition": round.rules.edition,
        "options": rules_options(&round.rules), "wagers": wagers,
        "play": folder.play(round, standing)?,
    }))
}

/// The options that the rulebook knows, without what a document has in `play`.
pub(crate) fn rules_options(rules: &RulesInForce) -> Value {
    let mut options = rules.options.value();
    let of_play = folder(&rules.game).map_or(&[][..], |folder| folder.of_play());
    if let Value::Object(options) = &mut options {
        options.retain(|key, _| !of_play.contains(&key.as_str()));
    }
    options
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

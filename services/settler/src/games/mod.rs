//! How each game's events make the round document that its rules settle. One file a game, and the
//! list that registers them.

mod baccarat;
mod big_six;
mod craps;
mod order;
mod roulette;
mod sic_bo;

use catwalk_events::Json;
use catwalk_events::body::{Body, WagerPlaced};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settled, Settlement};
use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;

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

    /// The window that a call of no more bets closes.
    fn called<'a>(&self, window: &'a str) -> &'a str {
        window
    }

    /// Is a wager that is made after the call judged by its own words, not by the call?
    fn speaks_for_itself(&self, _placed: &WagerPlaced) -> bool {
        false
    }

    /// Is a kind held against the posted limits?
    fn is_limited(&self, _kind: &str) -> bool {
        true
    }

    /// What a change of a stake within its window means where it is more than another stake; to
    /// nothing where the wager is taken back.
    fn amend(
        &self,
        _round: &RoundFold,
        _standing: &Standing,
        _wager: &WagerFold,
        _to: Cents,
    ) -> Amendment {
        Amendment::Plain
    }

    /// A stake is changed while that is allowed, after so much of the play.
    fn restake(&self, wager: &mut WagerFold, to: Cents, _after_play: usize) {
        wager.amount = to;
    }

    /// A wager is taken back while that is allowed: true if the round is to forget it.
    fn take_back(&self, _wager: &mut WagerFold, _after_play: usize) -> bool {
        true
    }

    /// `wagers[i]` of the document.
    fn wager(&self, _round: &RoundFold, wager: &WagerFold) -> Value {
        Value::Object(entry(wager))
    }

    /// `wagers` of the document.
    fn wagers(&self, round: &RoundFold, _standing: &Standing) -> Vec<Value> {
        let wagers = round.wagers.iter();
        wagers.map(|wager| self.wager(round, wager)).collect()
    }

    /// `play` of the document; `Err` says what the events do not tell.
    fn play(&self, round: &RoundFold, standing: &Standing) -> Result<Value, String>;

    /// Every event of an open round, before it is folded: what only the order of events shows.
    fn see(&self, _scene: &Scene<'_>, _faults: &mut Vec<Fault>) {}

    /// Is a round a run of decisions, each of them paid before the next? Then what was paid is judged
    /// whenever [`Folder::decides`] says so, and not only at the end.
    fn is_run(&self) -> bool {
        false
    }

    /// Is this the next decision of such a run?
    fn decides(&self, _body: &Body) -> bool {
        false
    }

    /// Is a violation of a run that goes on certain already?
    fn is_certain(&self, _code: &str) -> bool {
        true
    }

    /// Before the wagers are held against what was due: what payments show of the wagers themselves.
    fn look_back(&self, _round: &mut RoundFold, _faults: &mut Vec<Fault>) {}

    /// How the vigorish of this wager is paid.
    fn vigorish(&self, _round: &RoundFold, _wager: &WagerFold) -> Vigorish {
        Vigorish::OutOfWin
    }

    /// The game's own name for a wager that was paid or taken wrongly, beside what every game calls it.
    fn name(&self, _case: &Case<'_>) -> Option<&'static str> {
        None
    }

    /// The round has ended, settled unless events of it are missing: what of it outlives the round is
    /// kept in `standing`, and what only its end shows is said.
    fn end(&self, _end: &End<'_>, _standing: &mut Standing, _faults: &mut Vec<Fault>) {}

    /// Something happened at the table outside of a round.
    fn between(&self, _body: &Body, _standing: &mut Standing) {}

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

/// What a change of a stake within its window means.
pub(crate) enum Amendment {
    /// Another stake, or no wager any more.
    Plain,
    /// So much of it stays up; the document tells of the change.
    Lowered,
    /// It is as if it had been made now.
    Anew,
    /// What is added is a wager of its own, of this kind and with this detail.
    Part(String, Option<Json>),
    /// It does not count.
    Refused(Fault),
}

/// How vigorish is paid.
#[allow(dead_code, reason = "each game has its own")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vigorish {
    OutOfWin,
    /// Out of the win, and collected later.
    Deferred,
    /// Beside the stake when the wager is made, win or lose.
    Beside,
    /// The same, and judged already.
    BesideBefore,
}

/// A wager that was paid or taken wrongly.
#[allow(dead_code, reason = "each game looks at what it needs")]
pub(crate) struct Case<'a> {
    pub(crate) round: &'a RoundFold,
    pub(crate) standing: &'a Standing,
    pub(crate) wager: &'a WagerFold,
    pub(crate) due: &'a Settled,
    /// What every game calls it.
    pub(crate) code: &'static str,
}

/// The end of a round.
#[allow(dead_code, reason = "each game looks at what it needs")]
pub(crate) struct End<'a> {
    pub(crate) round: &'a RoundFold,
    /// What was kept when it opened.
    pub(crate) before: &'a Standing,
    /// `None` where it is void, incomplete or cannot be settled.
    pub(crate) settlement: Option<&'a Settlement>,
    pub(crate) voided: bool,
    pub(crate) seq: u64,
}

/// Every game that can be folded. A new game is one more line here.
static FOLDERS: [&dyn Folder; 9] = [
    &baccarat::Baccarat("baccarat"),
    &baccarat::Baccarat("dragon_bonus_baccarat_commission_free"),
    &baccarat::Baccarat("midibaccarat"),
    &baccarat::Baccarat("minibaccarat"),
    &big_six::BigSix,
    &craps::CRAPLESS,
    &craps::CRAPS,
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
    Ok(json!({
        "game": round.rules.game, "edition": round.rules.edition,
        "options": round.rules.options.value(), "wagers": folder.wagers(round, standing),
        "play": folder.play(round, standing)?,
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

//! What a game tells the stream about itself, by subject.

use catwalk_events::body::{Body, Decision, WagerPlaced};
use catwalk_events::{Event, Json};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Rulebook, Settled, Settlement};
use serde_json::Value;

use super::{Telling, Told, change_codes, entry, layout};
use crate::fault::Fault;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;
use crate::table::RulesInForce;
use crate::watch::Posting;

/// A game as the stream of events shows it.
pub(crate) trait Folder:
    Windows + Staking + Documents + Following + Payments + Sync
{
    /// The game, as the rulebook names it.
    fn game(&self) -> &'static str;

    /// The same game as a run, where its rounds are one.
    fn run(&self) -> Option<&dyn Run> {
        None
    }
}

/// When a game takes wagers, and until when they may be changed.
pub(crate) trait Windows {
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

    /// Is it too late to make, raise, lower or take back this wager? `None` where its window says so,
    /// and not the play.
    fn is_locked(&self, _round: &RoundFold, _wager: &WagerFold) -> Option<bool> {
        None
    }

    /// Is it too late, by the play or else by the window of this wager?
    fn is_too_late(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        let window = self.window(&wager.kind);
        let closed = || window.is_some_and(|window| round.is_closed(window));
        self.is_locked(round, wager).unwrap_or_else(closed)
    }

    /// The window that a call closes; the main one where it names none. Where the first card is the cut-off, no wager
    /// belongs to it.
    fn called<'a>(&self, round: &RoundFold, window: Option<&'a str>) -> &'a str {
        match layout(&round.rules).is_some_and(|layout| layout.uncalled) {
            true => "call",
            false => window.unwrap_or(MAIN_WINDOW),
        }
    }

    /// What making this wager after the close of its window is called.
    fn late_code(&self, _round: &RoundFold, _placed: &WagerPlaced) -> &'static str {
        "wager.late"
    }

    /// What is wrong with changing this stake now, or with taking it back where `to` is none.
    fn change_faults(
        &self,
        round: &RoundFold,
        wager: &WagerFold,
        to: Option<Cents>,
    ) -> Vec<&'static str> {
        match self.is_too_late(round, wager) && !self.allows_change(round, wager, to) {
            true => change_codes(wager, to),
            false => Vec::new(),
        }
    }

    /// May this stake be changed so although its window has closed?
    fn allows_change(&self, _round: &RoundFold, _wager: &WagerFold, _to: Option<Cents>) -> bool {
        false
    }

    /// May this stake still be lowered to so much when betting has closed? What counts stays what it
    /// was at the close.
    fn withdraws(&self, _round: &RoundFold, _wager: &WagerFold, _to: Cents) -> bool {
        false
    }
}

/// How the stakes of a game are told, and which of them stay.
pub(crate) trait Staking {
    /// Is a wager that stayed from an earlier round told again by this one?
    fn is_retold(&self, known: &WagerFold, told: &WagerFold) -> bool {
        known.id == told.id
    }

    /// Is this the same wager with another stake, told anew instead of as a change?
    fn is_told_anew(&self, _known: &WagerFold, _placed: &WagerPlaced) -> bool {
        false
    }

    /// Stakes that only a decision tells of.
    fn untold(&self, _round: &RoundFold) -> Vec<WagerFold> {
        Vec::new()
    }

    /// Has a seat one hand and no more? Then a stake told by a decision is the one of its kind at the seat,
    /// whatever it says that it is on.
    fn has_one_hand_a_seat(&self) -> bool {
        false
    }

    /// The stake that a decision tells of where the feed may tell it so.
    fn staked(&self, _round: &RoundFold, _decision: &Decision) -> Option<WagerPlaced> {
        None
    }

    /// A stake is changed while that is allowed, after so much of the play.
    fn restake(&self, wager: &mut WagerFold, to: Cents, _after_play: usize) {
        wager.amount = to;
    }

    /// A wager is taken back while that is allowed: true if the round is to forget it.
    fn take_back(&self, _wager: &mut WagerFold, _after_play: usize) -> bool {
        true
    }

    /// Does the house keep the stake of this kind whatever it pays, so that the payment is all?
    fn keeps_stake(&self, _kind: &str) -> bool {
        false
    }

    /// Is every stake of this round told by its wager, or by a word that the round knows as one, so that a
    /// payment on another is for nothing?
    fn tells_every_stake(&self, _round: &RoundFold) -> bool {
        true
    }

    /// May a wager of this kind outlast its round, so that nobody may take it while it is undecided?
    fn outlasts(&self, _kind: &str) -> bool {
        false
    }

    /// Does this wager, which the round did not decide, stay for the next one? What the next
    /// document has to say of it goes into its detail. `standing` is what the round opened with.
    fn carry(&self, _end: &End<'_>, _standing: &Standing, _wager: &mut WagerFold) -> bool {
        false
    }

    /// Is a kind held against the posted limits?
    fn is_limited(&self, _kind: &str) -> bool {
        true
    }
}

/// How the events of a round make its document.
pub(crate) trait Documents {
    /// Is the wager one of the document? One that is not is to be given back.
    fn is_in_document(&self, _round: &RoundFold, _wager: &WagerFold) -> bool {
        true
    }

    /// Options as they are in force where the signs of the table say more of them than is posted.
    fn force(&self, _rules: &RulesInForce, _options: &mut Value) {}

    /// Options of the table that the document has in `play`.
    fn of_play(&self) -> &'static [&'static str] {
        &[]
    }

    /// `wagers[i]` of the document.
    fn wager(&self, _round: &RoundFold, wager: &WagerFold) -> Value {
        Value::Object(entry(wager))
    }

    /// What the document has beside the wagers that were told: a role that is an entry of its own.
    fn roles(&self, _round: &RoundFold) -> Vec<Value> {
        Vec::new()
    }

    /// `wagers` of the document.
    fn wagers(&self, round: &RoundFold, _standing: &Standing) -> Vec<Value> {
        let told = round.wagers.iter();
        told.filter(|wager| self.is_in_document(round, wager))
            .map(|wager| self.wager(round, wager))
            .chain(self.roles(round))
            .collect()
    }

    /// `play` of the document; `Err` says what the events do not tell.
    fn play(&self, _round: &RoundFold, _standing: &Standing) -> Result<Value, String> {
        Err("nothing tells how it was played".to_owned())
    }

    /// Settles a round in the types of the game; `None` where the game tells its rounds as documents.
    fn settle(&self, _told: Telling<'_>) -> Option<Told> {
        None
    }

    /// A document of nothing but what was told to be irregular, of a round that was called off: it has no
    /// settlement to say what that is called.
    fn incidents(&self, _round: &RoundFold) -> Option<Value> {
        None
    }

    /// Where the round cannot be settled: may what is missing be unseen by the rules of the game?
    fn is_excused(&self, _round: &RoundFold) -> bool {
        false
    }

    /// Is this violation of the document shown by what the feed tells?
    fn is_shown(&self, _round: &RoundFold, _standing: &Standing, _code: &str) -> bool {
        true
    }
}

/// What only the order of events shows, in a round and between rounds.
pub(crate) trait Following {
    /// An event outside of open rounds, in the rules of its table: true if it meant something. What it
    /// changes is kept in `standing`.
    fn aside(
        &self,
        _event: &Event,
        _rules: &RulesInForce,
        _standing: &mut Standing,
        _faults: &mut Vec<Fault>,
    ) -> bool {
        false
    }

    /// Does an event that names no round belong to the one that is open?
    fn is_of_round(&self, _round: &RoundFold, _body: &Body) -> bool {
        false
    }

    /// An event of the table that belongs to no round: what of it outlives rounds is kept.
    fn between(&self, _body: &Body, _standing: &mut Standing) {}

    /// What the options and the signs of a table break together: the code, and what is wrong. It is known
    /// as soon as both are posted.
    fn posted(&self, _posting: &Posting<'_>) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// A round has opened: what of it outlives the round is kept.
    fn opened(&self, _round: &RoundFold, _standing: &mut Standing) {}

    /// Every event of an open round, before it is folded: what only the order of events shows.
    fn see(&self, _scene: &Scene<'_>, _faults: &mut Vec<Fault>) {}

    /// The round has ended, settled unless events of it are missing: what of it outlives the round is
    /// kept in `standing`, and what only its end shows is said.
    fn end(&self, _end: &End<'_>, _standing: &mut Standing, _faults: &mut Vec<Fault>) {}
}

/// What is particular to how a game pays.
pub(crate) trait Payments {
    /// Is what this wager is worth paid elsewhere, so that the table need not show it?
    fn is_paid_elsewhere(&self, _round: &RoundFold, _wager: &WagerFold) -> bool {
        false
    }

    /// Did a payout limit cut the winnings of a hand, and was so much paid on its wagers together? How it is
    /// spread over them is not regulated.
    fn is_cut_together(&self, _: &RoundFold, _: &WagerFold, _: &Settlement) -> bool {
        false
    }

    /// Wagers that lie in one stack may be paid in one sum: what was told so is shared out over them before
    /// each is held against what is due on it.
    fn share_out(&self, _: &mut RoundFold, _: &Settlement, _: &Standing) {}

    /// Does the stake of this wager go back in a round that is called off, and nothing that was paid stay? So it
    /// is where nothing was played, unless the text lets a wager stand.
    fn gives_back(&self, _: &RoundFold, _: &WagerFold) -> bool {
        true
    }

    /// How the vigorish of this wager is paid.
    fn vigorish(&self, _round: &RoundFold, _wager: &WagerFold) -> Vigorish {
        Vigorish::OutOfWin
    }

    /// The game's own name for a wager that was paid or taken wrongly, beside what every game calls it.
    fn name(&self, _case: &Case<'_>) -> Option<&'static str> {
        None
    }
}

/// A game whose round is a run of decisions, each of them paid before the next, and whose wagers stand
/// until one decides them.
pub(crate) trait Run {
    /// Is this the next decision? What was paid for those before it is judged then.
    fn decides(&self, body: &Body) -> bool;

    /// Is a violation certain while the run goes on?
    fn is_certain(&self, _code: &str) -> bool {
        true
    }

    /// What it means to raise a stake within its window.
    fn raise(&self, round: &RoundFold, standing: &Standing, wager: &WagerFold, to: Cents) -> Raise;

    /// Is a wager of this kind that is lowered before its first decision as if it had been made so?
    fn forgets_cuts(&self, _kind: &str) -> bool {
        true
    }

    /// What it is called to lower this wager or to take it down, where that is not allowed any more.
    fn frozen(
        &self,
        round: &RoundFold,
        standing: &Standing,
        wager: &WagerFold,
    ) -> Option<&'static str>;

    /// Before wagers are held against what was due: what payments show of the wagers themselves.
    fn look_back(&self, _round: &mut RoundFold, _faults: &mut Vec<Fault>) {}
}

/// What it means to raise a stake in a run.
pub(crate) enum Raise {
    /// It is as if it had been made now.
    Anew,
    /// What is added is a wager of its own, of this kind and with this detail.
    Part(&'static str, Option<Json>),
    /// It does not count.
    Refused(Fault),
}

/// How vigorish is paid.
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
pub(crate) struct Case<'a> {
    pub(crate) round: &'a RoundFold,
    pub(crate) standing: &'a Standing,
    pub(crate) wager: &'a WagerFold,
    pub(crate) due: &'a Settled,
    /// What every game calls it.
    pub(crate) code: &'static str,
}

/// An event in its round.
pub(crate) struct Scene<'a> {
    pub(crate) round: &'a RoundFold,
    pub(crate) standing: &'a Standing,
    pub(crate) seq: u64,
    pub(crate) body: &'a Body,
}

impl Scene<'_> {
    /// Was this not raised in the round before?
    pub(crate) fn is_fresh(&self, code: &str) -> bool {
        !self.round.has_raised(code)
    }

    /// The play until now, and this event.
    pub(crate) fn shown_by_play(&self) -> Vec<u64> {
        let play = self.round.play.iter().map(|(seq, _)| *seq);
        play.chain([self.seq]).collect()
    }
}

/// The end of a round.
pub(crate) struct End<'a> {
    pub(crate) round: &'a RoundFold,
    /// `None` where it is void, incomplete or cannot be settled.
    pub(crate) settlement: Option<&'a Settlement>,
    pub(crate) voided: bool,
    /// Nothing tells how it was played.
    pub(crate) untold: bool,
    pub(crate) seq: u64,
    /// Wagers that were paid or taken wrongly: their place in the round and what the house lost by it.
    pub(crate) mispaid: &'a [(usize, Cents)],
    pub(crate) document: Option<&'a Value>,
    pub(crate) rulebook: &'a Rulebook,
}

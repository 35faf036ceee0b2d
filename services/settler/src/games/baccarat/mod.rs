//! The baccarat games that the house banks, from their events.
//!
//! Cards come by `card_dealt` to `player` and `banker`, face up, or face down and revealed later. A round that is
//! played for no money is an `irregularity` of the kind `simulated_round`, or closes for that reason; a shoe that
//! is too short is one of the kind `insufficient_cards`; a stray card that nobody saw lies face down, or is one
//! of the kind `undisclosed_card`. Vigorish is part of `wager_paid`, or a `commission_collected`; where it is
//! deferred, the latter names the round of the wager, which is closed by then, or none. What is said and done
//! beside cards and chips has its words in `words`.

mod course;
mod hands;
mod owed;
mod points;
mod press;
mod stack;
mod words;

use catwalk_events::Event;
use catwalk_events::body::{Body, CardPlace};
use catwalk_rules::book::Book;
use catwalk_rules::floor::Cents;
use catwalk_rules::games::baccarat::{Play, VoidReason};
use catwalk_rules::games::{
    self as rules, DragonBonusBaccaratCommissionFree, Midibaccarat, Minibaccarat,
};
use catwalk_rules::{Edition, Game, Settlement};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use self::hands::are_complete;
pub(super) use self::hands::hand;
use self::owed::Owed;
pub(super) use self::points::value;
use self::press::PRESS;
use self::words::Curator;
pub(super) use self::words::{is_simulated, plain};
use super::told::{Laid, Reading};
use super::{
    Documents, End, Folder, Following, Payments, Scene, Staking, Telling, Told, Windows, layout,
};
use crate::fault::Fault;
use crate::laws;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;
use crate::table::RulesInForce;

const SHORT: &str = "baccarat.incomplete_deal";

/// What outlives a hand.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    owed: Owed,
    curator: Curator,
    /// Presses are paid and taken by their own names.
    #[serde(default)]
    names_presses: bool,
}

impl Kept {
    /// Where events are missing since, neither who owes what nor who has the shoe is known.
    fn of(standing: &Standing) -> Kept {
        let mut kept: Kept = standing.read();
        if standing.is_doubtful() {
            kept.owed.doubt();
            kept.curator = Curator::default();
        }
        kept
    }
}

/// Does the text of the table know this fault?
fn knows(rules: &RulesInForce, code: &str) -> bool {
    Book::of(&rules.game).is_some_and(|book| laws::finding(book, rules, code).is_some())
}

/// One of them, by its name in the rulebook.
pub(super) struct Baccarat {
    game: &'static str,
    settle: fn(Telling<'_>) -> Told,
}

pub(super) const BACCARAT: Baccarat = Baccarat {
    game: "baccarat",
    settle: settle::<rules::Baccarat>,
};

pub(super) const COMMISSION_FREE: Baccarat = Baccarat {
    game: "dragon_bonus_baccarat_commission_free",
    settle: settle::<DragonBonusBaccaratCommissionFree>,
};

pub(super) const MIDI: Baccarat = Baccarat {
    game: "midibaccarat",
    settle: settle::<Midibaccarat>,
};

pub(super) const MINI: Baccarat = Baccarat {
    game: "minibaccarat",
    settle: settle::<Minibaccarat>,
};

fn settle<G>(told: Telling<'_>) -> Told
where
    G: Game<Play = Play, Wager: Serialize + 'static>,
{
    let round = told.round;
    let wager = |laid: &Laid<'_>| laid.read(&laid_beside(round, laid.fold));
    told.settle::<G>(wager, |reading| play(round, reading))
}

/// What a wager has in the document beside what every wager has.
fn laid_beside(round: &RoundFold, wager: &WagerFold) -> Map<String, Value> {
    let mut told = Map::new();
    // Only minibaccarat's document names the guest.
    if let (Some(patron), true) = (&wager.player, &*round.rules.game == MINI.game) {
        told.insert("patron".into(), json!(patron));
    }
    if wager.kind == PRESS {
        press::complete(&mut told, round, wager);
    }
    told
}

fn play(round: &RoundFold, reading: &mut Reading) -> Play {
    let told = round.irregularities().map(|told| plain(&told.kind));
    let told: Vec<String> = told.collect();
    // In Massachusetts it does not matter who saw the card.
    let is_ohio = round.rules.edition == Edition::OhJack2017.name();
    // Where nothing was wanting, the cards decide whatever was said.
    let is_short = told.iter().any(|word| word == "insufficient_cards") && !are_complete(round);
    let mut cards = |key, place| reading.cards(key, hand(round, place));
    Play {
        banker: cards("banker", CardPlace::Banker),
        player: cards("player", CardPlace::Player),
        error_card_disclosed: (is_ohio && hands::is_undisclosed(round)).then_some(false),
        void: is_short.then_some(VoidReason::InsufficientCards),
        simulated: told.iter().any(|word| is_simulated(word)),
    }
}

impl Folder for Baccarat {
    fn game(&self) -> &'static str {
        self.game
    }
}

impl Windows for Baccarat {
    fn window(&self, kind: &str) -> Option<&'static str> {
        let laid = Book::of(self.game).and_then(|book| book.wager(kind));
        Some(laid.map_or(MAIN_WINDOW, |laid| laid.window()))
    }

    fn closes(&self, round: &RoundFold, body: &Body) -> Option<&'static str> {
        let layout = layout(&round.rules).filter(|_| matches!(body, Body::CardDealt(_)))?;
        let third = usize::from(hands::dealt(round) >= 4);
        layout.streets.get(third)?.closes.as_deref()
    }

    /// A press may be told as a raise of the wager that it is added to.
    fn allows_change(&self, round: &RoundFold, wager: &WagerFold, to: Option<Cents>) -> bool {
        to.is_some_and(|to| press::is_raise(round, wager, to))
    }
}

impl Staking for Baccarat {
    fn restake(&self, wager: &mut WagerFold, to: Cents, after_play: usize) {
        (wager.amount, wager.after_play) = (to, after_play);
    }

    fn untold(&self, round: &RoundFold) -> Vec<WagerFold> {
        press::spoken(round)
    }
}

impl Documents for Baccarat {
    fn settle(&self, told: Telling<'_>) -> Option<Told> {
        Some((self.settle)(told))
    }

    /// Half a deal is told as such.
    fn is_excused(&self, round: &RoundFold) -> bool {
        hands::is_short(round)
    }
}

impl Following for Baccarat {
    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        if scene.round.incomplete {
            return;
        }
        match scene.body {
            Body::CardDealt(dealt) => {
                if hands::dealt(scene.round) == 0 {
                    words::check_opened_curator(scene, faults);
                }
                course::check_deal_order(scene, dealt.to, faults);
            }
            Body::WagerPaid(_) | Body::WagerCollected(_) | Body::WagerPushed(_) => {
                course::check_house_money(scene, faults);
                course::check_order(scene, faults);
                course::check_commission(scene, faults);
            }
            Body::CommissionCollected(_) => course::check_commission(scene, faults),
            Body::WagerPlaced(placed) => words::check_press(scene, placed, faults),
            Body::Decision(said) => words::see(scene, said, faults),
            Body::Irregularity(told) => words::report(scene, told, faults),
            Body::RoundClosed(closed) => {
                words::check_simulated(scene, closed.reason.as_deref(), faults)
            }
            Body::RoundVoided(voided) => {
                words::check_simulated(scene, voided.reason.as_deref(), faults)
            }
            _ => {}
        }
    }

    fn aside(
        &self,
        event: &Event,
        rules: &RulesInForce,
        standing: &mut Standing,
        faults: &mut Vec<Fault>,
    ) -> bool {
        if let Body::Decision(said) = &event.body {
            let mut kept = Kept::of(standing);
            if kept.curator.hear(said, rules) {
                standing.keep(&kept);
                return true;
            }
        }
        owed::aside(event, rules, standing, faults)
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, faults: &mut Vec<Fault>) {
        words::check_calls(end, faults);
        check_deal(end, faults);
        let mut kept = Kept::of(standing);
        if end.round.rules.defers_vigorish() {
            kept.owed.add(end);
            for seat in words::leaving(end.round) {
                kept.owed.fall_due(Some(seat), end.seq, faults);
            }
        }
        kept.curator.follow(end);
        kept.names_presses |= stack::names_presses(end.round);
        standing.keep(&kept);
    }
}

/// A round that closes before every hand has its first two cards was no deal.
fn check_deal(end: &End<'_>, faults: &mut Vec<Fault>) {
    let round = end.round;
    let is_over = end.settlement.is_none() && !end.voided && !end.untold && !round.incomplete;
    if is_over && hands::is_short(round) {
        let of = |place| hand(round, place).len();
        let (player, banker) = (of(CardPlace::Player), of(CardPlace::Banker));
        let message = format!(
            "The round closed with {player} cards in the Player hand and {banker} in the Banker hand"
        );
        let evidence = round.play.iter().map(|(seq, _)| *seq).chain([end.seq]);
        faults.push(Fault::new(SHORT, evidence.collect(), message));
    }
}

impl Payments for Baccarat {
    fn is_paid_elsewhere(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        press::has_rest(round, wager)
    }

    fn share_out(&self, round: &mut RoundFold, settlement: &Settlement, standing: &Standing) {
        let kept = Kept::of(standing);
        let are_named = kept.names_presses || stack::names_presses(round);
        stack::share(round, settlement, are_named);
    }
}

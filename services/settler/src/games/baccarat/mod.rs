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
use catwalk_rules::{Edition, Settlement};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub(super) use self::hands::hand;
use self::owed::Owed;
pub(super) use self::points::value;
use self::press::PRESS;
use self::words::Curator;
pub(super) use self::words::{is_simulated, plain};
use super::{
    Documents, End, Folder, Following, Payments, Scene, Staking, Windows, entry, layout, written,
};
use crate::fault::Fault;
use crate::laws;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;
use crate::table::RulesInForce;

/// The hands, as the document and the feed call them.
const HANDS: [(&str, CardPlace); 2] =
    [("player", CardPlace::Player), ("banker", CardPlace::Banker)];
/// What a wager has in the document.
const WAGER_KEYS: [&str; 4] = ["id", "seat", "kind", "amount"];
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
pub(super) struct Baccarat(pub(super) &'static str);

impl Folder for Baccarat {
    fn game(&self) -> &'static str {
        self.0
    }
}

impl Windows for Baccarat {
    fn window(&self, kind: &str) -> Option<&'static str> {
        let laid = Book::of(self.0).and_then(|book| book.wager(kind));
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
    fn wager(&self, round: &RoundFold, wager: &WagerFold) -> Value {
        let mut entry = entry(wager);
        entry.retain(|key, _| WAGER_KEYS.contains(&key.as_str()));
        // Only minibaccarat's document names the guest.
        if let (Some(patron), "minibaccarat") = (&wager.player, self.0) {
            entry.insert("patron".into(), json!(patron));
        }
        if wager.kind == PRESS {
            press::complete(&mut entry, round, wager);
        }
        Value::Object(entry)
    }

    fn play(&self, round: &RoundFold, _: &Standing) -> Result<Value, String> {
        let mut play = Map::new();
        for irregularity in round.irregularities() {
            match plain(&irregularity.kind).as_str() {
                // Where nothing was wanting, the cards decide whatever was said.
                "insufficient_cards" if !hands::are_complete(round) => {
                    play.insert("void".into(), json!("insufficient_cards"));
                }
                word if is_simulated(word) => {
                    play.insert("simulated".into(), json!(true));
                }
                _ => {}
            }
        }
        // In Massachusetts it does not matter who saw the card.
        if round.rules.edition == Edition::OhJack2017.name() && hands::is_undisclosed(round) {
            play.insert("error_card_disclosed".into(), json!(false));
        }
        for (key, place) in HANDS {
            play.insert(key.into(), json!(written(hand(round, place))));
        }
        Ok(Value::Object(play))
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

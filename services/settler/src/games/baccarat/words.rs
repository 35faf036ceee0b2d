//! What is said and done at the table beside cards and chips, as decisions tell it.
//!
//! The house is seat 0. It calls counts and results: `player 6`, `banker 7`, `player wins`, `banker
//! wins`, `tie`, `dragon 7`, `panda 8`. A seat that holds the shoe for a hand says `deal` or `accept_shoe`, or
//! is the `banker` that the round opens with; one that will not have it says `decline_shoe`. `touch_payout` and
//! `touch_cards` are of the seat whose player does it, `marker_removed` of the seat whose marker button is gone,
//! `leave` of the one whose player goes.

use catwalk_events::body::{Body, CardPlace, Decision, Irregularity, WagerPlaced};
use serde::{Deserialize, Serialize};

use super::points::count;
use super::{Kept, PRESS, hand, knows};
use crate::fault::Fault;
use crate::games::rotation::goes_round;
use crate::games::{End, Scene, order};
use crate::round::RoundFold;
use crate::table::RulesInForce;

/// The seat of the dealer who calls the game.
const HOUSE: u32 = 0;
/// So many answers to the offer of a shoe are kept; a table has fewer seats.
const MAX_OFFERED: usize = 64;

/// Who dealt the last hand, and whether he has to pass the shoe.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Curator {
    seat: Option<u32>,
    shoe: Option<String>,
    banker_lost: bool,
    /// Who answered the offer of the shoe since, and who has it.
    #[serde(default)]
    offered: Vec<u32>,
    #[serde(default)]
    next: Option<u32>,
}

/// A word as its feed may write it.
pub(in crate::games) fn plain(word: &str) -> String {
    word.trim().to_lowercase().replace([' ', '-', '.'], "_")
}

/// Does the player of this seat go?
pub(super) fn leaves(said: &Decision) -> bool {
    let word = plain(&said.action);
    let goes = ["leave", "leaves", "left", "depart", "departs", "departed"];
    goes.contains(&word.trim_end_matches("_table"))
}

fn holds_shoe(word: &str) -> bool {
    ["deal", "accept_shoe", "take_shoe", "keep_shoe", "curator"].contains(&word)
}

fn declines_shoe(word: &str) -> bool {
    ["decline_shoe", "refuse_shoe"].contains(&word)
}

pub(super) fn see(scene: &Scene<'_>, said: &Decision, faults: &mut Vec<Fault>) {
    let word = plain(&said.action);
    match word.as_str() {
        word if holds_shoe(word) => check_curator(scene, said.seat, faults),
        word if touches_payout(word) => check_payout(scene, said.seat, faults),
        word if has_parts(word, PARTS[1]) => check_cards(scene, said.seat, faults),
        "marker_removed" => {
            let kept = Kept::of(scene.standing);
            kept.owed.check_marker(said.seat, scene.seq, faults);
        }
        _ => {}
    }
}

/// What the house reports of such things itself, as irregularities with the seat in their detail.
const REPORTED: [(&str, &str); 6] = [
    ("payout_touched", TOUCHED),
    ("cards_touched", CARDS_TOUCHED),
    ("marker_removed", "vigorish.marker_removed"),
    ("wrong_call", WRONG_CALL),
    ("curator_kept_shoe", KEPT_SHOE),
    ("shoe_passed_wrong_way", "baccarat.shoe_passed_wrong_way"),
];

const KEPT_SHOE: &str = "baccarat.curator_kept_shoe";
const CARDS_TOUCHED: &str = "baccarat.cards_touched";
const WRONG_CALL: &str = "baccarat.wrong_call";

/// What a word for each has in it, however a feed puts it.
const PARTS: [[&str; 2]; 6] = [
    ["payout", "touch"],
    ["card", "touch"],
    ["marker", "remove"],
    ["wrong_call", ""],
    ["curator", "kept"],
    ["shoe", "wrong_way"],
];

fn has_parts(word: &str, parts: [&str; 2]) -> bool {
    parts.iter().all(|part| word.contains(part))
}

/// Raises it where the rules of the table know it.
pub(super) fn report(scene: &Scene<'_>, told: &Irregularity, faults: &mut Vec<Fault>) {
    let kind = plain(&told.kind);
    let place = PARTS.iter().position(|parts| has_parts(&kind, *parts));
    let Some((word, code)) = place.and_then(|place| REPORTED.get(place)) else {
        return;
    };
    let rules = &scene.round.rules;
    let is_known = match *word {
        "cards_touched" => forbids_touching(rules),
        "marker_removed" => rules.defers_vigorish(),
        _ => true,
    };
    if is_known && knows(rules, code) && scene.is_fresh(code) {
        let told = Irregularity {
            kind: (*word).to_owned(),
            ..told.clone()
        };
        order::reported(scene, &told, &REPORTED, faults);
    }
}

/// Seats whose players went in the course of a hand.
pub(super) fn leaving(round: &RoundFold) -> impl Iterator<Item = u32> {
    said(round)
        .filter(|(_, said)| leaves(said))
        .map(|(_, said)| said.seat)
}

/// 14: the shoe goes on when the Banker's hand loses, to the right and counterclockwise. 7(b): a new
/// one begins at seat one.
fn check_curator(scene: &Scene<'_>, seat: u32, faults: &mut Vec<Fault>) {
    let Kept { curator: last, .. } = Kept::of(scene.standing);
    let round = scene.round;
    if !knows(&round.rules, KEPT_SHOE) {
        return;
    }
    let shoes = last.shoe.as_ref().zip(round.opened.shoe.as_ref());
    let before = match last.seat {
        _ if shoes.is_some_and(|(one, other)| one != other) => HOUSE,
        Some(before) if before != HOUSE => before,
        _ => return,
    };
    if before == seat {
        if last.banker_lost && seat != HOUSE {
            let message = format!("Seat {seat} deals on after the Banker's hand lost");
            let fault = Fault::new(KEPT_SHOE, vec![scene.seq], message);
            faults.push(fault.at_seat(seat));
        }
        return;
    }
    let declined = said(round).filter(|(_, said)| declines_shoe(&plain(&said.action)));
    let declined = declined.map(|(_, said)| said.seat);
    let mut offered: Vec<u32> = last.offered.iter().copied().chain(declined).collect();
    offered.retain(|seat| *seat != before);
    // The dealer takes the shoe when nobody will have it.
    offered.extend((seat != HOUSE).then_some(seat));
    if !goes_round(before, &offered) {
        let message = "The shoe was not offered counterclockwise".to_owned();
        let evidence = scene.shown_by_play();
        let fault = Fault::new("baccarat.shoe_passed_wrong_way", evidence, message);
        faults.push(fault.at_seat(seat));
    }
}

/// Is it the word for a round that is played for no money?
pub(in crate::games) fn is_simulated(word: &str) -> bool {
    ["simulated_round", "simulated_hand", "simulated"].contains(&word)
}

/// What a round was may be told when it ends.
pub(super) fn check_simulated(scene: &Scene<'_>, reason: Option<&str>, faults: &mut Vec<Fault>) {
    const CODE: &str = "wager.in_simulated_round";
    let is_it = |reason| is_simulated(&plain(reason));
    let wagers = &scene.round.wagers;
    if reason.is_some_and(is_it) && !wagers.is_empty() && scene.is_fresh(CODE) {
        let staked = wagers.iter().filter_map(|wager| wager.evidence.first());
        let evidence = staked.copied().chain([scene.seq]).collect();
        let message = "Wagers were taken in a simulated round".to_owned();
        faults.push(Fault::new(CODE, evidence, message));
    }
}

/// The seat that the round opened with, or that took it before, has the shoe, unless a word of the round says who has.
pub(super) fn check_opened_curator(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    if !knows(&scene.round.rules, KEPT_SHOE) {
        return;
    }
    let mut words = said(scene.round);
    let is_said = words.any(|(_, said)| holds_shoe(&plain(&said.action)));
    let Kept { curator, .. } = Kept::of(scene.standing);
    let seat = scene.round.opened.banker.or(curator.next);
    if let Some(seat) = seat.filter(|_| !is_said) {
        check_curator(scene, seat, faults);
    }
}

/// The dealer moves a House Money payout: who takes it into his hands may not have it added any more.
fn check_payout(scene: &Scene<'_>, seat: u32, faults: &mut Vec<Fault>) {
    let wagers = scene.round.wagers.iter();
    let mut waiting = wagers.filter(|wager| wager.kind == "house_money" && wager.seat == seat);
    if waiting.any(|wager| wager.paid_seq.is_none()) {
        faults.push(touched(seat, vec![scene.seq]));
    }
}

fn touches_payout(word: &str) -> bool {
    has_parts(word, PARTS[0])
}

/// The same where the payout is added after it was touched.
pub(super) fn check_press(scene: &Scene<'_>, placed: &WagerPlaced, faults: &mut Vec<Fault>) {
    let is_touch =
        |said: &Decision| touches_payout(&plain(&said.action)) && said.seat == placed.seat;
    let touch = said(scene.round).find(|(_, said)| is_touch(said));
    if let Some((seq, _)) = touch
        && placed.kind == PRESS
        && scene.is_fresh(TOUCHED)
    {
        faults.push(touched(placed.seat, vec![seq, scene.seq]));
    }
}

const TOUCHED: &str = "house_money.payout_touched";

fn touched(seat: u32, evidence: Vec<u64>) -> Fault {
    let message = format!("The player at seat {seat} handled a House Money payout");
    Fault::new(TOUCHED, evidence, message).at_seat(seat)
}

/// Ohio lets players handle cards at a midi table alone, 9.D.
fn check_cards(scene: &Scene<'_>, seat: u32, faults: &mut Vec<Fault>) {
    if forbids_touching(&scene.round.rules) && scene.is_fresh(CARDS_TOUCHED) {
        let message = format!("The player at seat {seat} touched the cards");
        let fault = Fault::new(CARDS_TOUCHED, vec![scene.seq], message);
        faults.push(fault.at_seat(seat));
    }
}

fn forbids_touching(rules: &RulesInForce) -> bool {
    let is_midi = rules.option("midi").is_some_and(|value| value == true);
    knows(rules, CARDS_TOUCHED) && !is_midi
}

/// What the dealer called against the cards, where these were dealt by the rules: whose a stray card
/// is, only the settlement says.
pub(super) fn check_calls(end: &End<'_>, faults: &mut Vec<Fault>) {
    let hands = Hands::of(end).filter(|_| !end.round.has_raised(WRONG_CALL));
    let Some(hands) = hands else { return };
    let mut lying = [0, 0];
    for (seq, body) in &end.round.play {
        match body {
            Body::CardDealt(dealt) => match dealt.to {
                CardPlace::Player => lying[0] += 1,
                CardPlace::Banker => lying[1] += 1,
                _ => {}
            },
            Body::Decision(call) if call.seat == HOUSE => {
                let word = call.action.to_lowercase().replace('_', " ");
                if hands.refute(&word, lying) {
                    let message = format!("The dealer called \"{word}\", which the cards are not");
                    let fault = Fault::new(WRONG_CALL, vec![*seq, end.seq], message);
                    faults.push(fault);
                }
            }
            _ => {}
        }
    }
}

/// Both hands as they lie in the end.
struct Hands<'a> {
    player: Vec<Option<&'a str>>,
    banker: Vec<Option<&'a str>>,
    counts: (u8, u8),
}

impl<'a> Hands<'a> {
    /// Nothing where a card was not seen, or dealt against the rules.
    fn of(end: &End<'a>) -> Option<Hands<'a>> {
        let mut flaws = end.settlement?.violations().iter();
        let mut raised = end.round.raised.iter();
        if flaws.any(|code| code.starts_with("baccarat."))
            || raised.any(|code| code.starts_with("deck."))
        {
            return None;
        }
        let player = hand(end.round, CardPlace::Player);
        let banker = hand(end.round, CardPlace::Banker);
        let counts = (count(&player)?, count(&banker)?);
        Some(Hands {
            player,
            banker,
            counts,
        })
    }

    /// Is a call wrong, made when so many cards lay? A word that is no call never is.
    fn refute(&self, call: &str, lying: [usize; 2]) -> bool {
        let (player, banker) = self.counts;
        let is_off = |hand: &[Option<&str>], lying: usize, called: &str| {
            let so_far = hand.get(..lying).filter(|_| lying >= 2).and_then(count);
            let called = called.parse::<u8>().ok();
            so_far
                .zip(called)
                .is_some_and(|(so_far, called)| so_far != called)
        };
        match call {
            "player wins" => player <= banker,
            "banker wins" => banker <= player,
            "tie" | "tie hand" => player != banker,
            "dragon 7" => (self.banker.len(), banker) != (3, 7) || player >= banker,
            "panda 8" => (self.player.len(), player) != (3, 8) || banker >= player,
            _ => match call.split_once(' ') {
                Some(("player", called)) => is_off(&self.player, lying[0], called),
                Some(("banker", called)) => is_off(&self.banker, lying[1], called),
                _ => false,
            },
        }
    }
}

impl Curator {
    /// Who is offered the shoe between two hands answers; true if it is such an answer.
    pub(super) fn hear(&mut self, said: &Decision, rules: &RulesInForce) -> bool {
        let word = plain(&said.action);
        let is_answer = holds_shoe(&word) || declines_shoe(&word);
        let is_one = is_answer && knows(rules, KEPT_SHOE);
        if is_one && said.seat != HOUSE && self.offered.len() < MAX_OFFERED {
            self.offered.push(said.seat);
        }
        if is_one && holds_shoe(&word) {
            self.next = Some(said.seat);
        }
        is_one
    }

    /// Who dealt this hand, where that was said, and how it went. After one for no money nobody has to pass
    /// the shoe.
    pub(super) fn follow(&mut self, end: &End<'_>) {
        let dealt = said(end.round)
            .filter(|(_, said)| holds_shoe(&plain(&said.action)))
            .last();
        let counts = Hands::of(end).map(|hands| hands.counts);
        let opened = end.round.opened.banker.or(self.next);
        *self = Curator {
            seat: dealt.map(|(_, said)| said.seat).or(opened),
            shoe: end.round.opened.shoe.clone(),
            banker_lost: !end.round.wagers.is_empty()
                && counts.is_some_and(|(player, banker)| banker < player),
            offered: Vec::new(),
            next: None,
        };
    }
}

fn said(round: &RoundFold) -> impl Iterator<Item = (u64, &Decision)> {
    round.play.iter().filter_map(|(seq, body)| match body {
        Body::Decision(said) => Some((*seq, said)),
        _ => None,
    })
}

//! Red Dog from its events.
//!
//! - The first two cards go to the `community` (or to any place without a seat), the third into their
//!   middle. Raises are wagers of kind `raise`, or a decision `raise` with its amount; they are closed
//!   by `betting_closed` of the window `raise` or by the third card.
//! - A third card that is seen before raises are closed is told as dealt and then burned by an
//!   `irregularity` of kind `exposed_third` (its `card` in `detail`, or the last one dealt), after which
//!   a seat that takes its wagers back is named in `voided_seats` of the detail, decides `withdraw`, has
//!   them removed, or gets them back before the next third card.

use catwalk_events::Json;
use catwalk_events::body::{Body, Decision, Irregularity, WagerPlaced};
use catwalk_rules::book::Book;
use catwalk_rules::floor::{Card, Cents, Rank};
use catwalk_rules::games::red_dog::{self, Play};
use serde_json::{Map, Value, json};

use super::told::{Laid, Reading};
use super::{
    Documents, Folder, Following, Payments, Scene, Staking, Telling, Windows, change_codes, detail,
};
use crate::fault::Fault;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};

pub(super) struct RedDog;

/// The window of raises.
const RAISES: &str = "raise";

/// In the detail of a wager that was taken back after an exposed card.
const WITHDRAWN: &str = "withdrawn";

/// What the events of a round tell.
#[derive(Default)]
struct Told {
    cards: Vec<Option<String>>,
    exposed: Option<String>,
    burned: Vec<String>,
    /// The event by which a third card was called exposed.
    exposed_by: Option<u64>,
    /// The event by which the last card was dealt.
    last_card: u64,
    voided: Vec<u64>,
    /// Seats that raised by a decision: seat, amount, event.
    raises: Vec<(u32, Cents, u64)>,
}

impl Folder for RedDog {
    fn game(&self) -> &'static str {
        "red_dog"
    }
}

impl Windows for RedDog {
    fn window(&self, kind: &str) -> Option<&'static str> {
        let laid = Book::of(self.game()).and_then(|book| book.wager(kind));
        Some(laid.map_or(MAIN_WINDOW, |laid| laid.window()))
    }

    /// The first card closes the betting, the third the raises.
    fn closes(&self, round: &RoundFold, body: &Body) -> Option<&'static str> {
        if !matches!(body, Body::CardDealt(_)) {
            return None;
        }
        match Told::by(round).cards.len() {
            0 => Some(MAIN_WINDOW),
            1 => None,
            _ => Some(RAISES),
        }
    }

    /// A call that names no window closes the raises when the first two cards are out.
    fn called<'a>(&self, round: &RoundFold, window: Option<&'a str>) -> &'a str {
        match window {
            None if Told::by(round).cards.len() >= 2 => RAISES,
            Some(window) if window.starts_with(RAISES) => RAISES,
            window => window.unwrap_or(MAIN_WINDOW),
        }
    }

    /// A third card that was seen too early is gone, and raises go on.
    fn opens(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::Irregularity(one) if is_exposure(one)).then_some(RAISES)
    }

    /// When a third card was seen too early, wagers may be taken back until the next one.
    fn is_locked(&self, round: &RoundFold, wager: &WagerFold) -> Option<bool> {
        let told = Told::by(round);
        let made = round.wager(&wager.id).is_some();
        (made && told.exposed.is_some() && told.cards.len() == 2).then_some(false)
    }

    /// A raise that was made stays, 5(d). More may be added until raises are closed, and what is too much
    /// goes back.
    fn change_faults(
        &self,
        round: &RoundFold,
        wager: &WagerFold,
        to: Option<Cents>,
    ) -> Vec<&'static str> {
        if self.is_too_late(round, wager) {
            return change_codes(wager, to);
        }
        let locked = self.is_locked(round, wager);
        let on = wager.on.as_deref().and_then(|on| round.wager(on));
        let too_much = on.is_some_and(|on| wager.amount > on.amount);
        let lowers = to.is_none_or(|to| to < wager.amount);
        let is_made = wager.kind == RAISES && locked.is_none();
        match is_made && lowers && !(too_much && to.is_some()) {
            true => change_codes(wager, to),
            false => Vec::new(),
        }
    }
}

impl Staking for RedDog {
    /// A raise may be told by its decision alone.
    fn tells_every_stake(&self, round: &RoundFold) -> bool {
        let has_raised = |seat: u32| {
            let mut wagers = round.wagers.iter();
            wagers.any(|wager| wager.kind == RAISES && wager.seat == seat)
        };
        let is_word = |(_, body): &(u64, Body)| match body {
            Body::Decision(said) => word(said).starts_with(RAISES) && !has_raised(said.seat),
            _ => false,
        };
        let is_put_up = |wager: &WagerFold| wager.told_with.is_some();
        !round.play.iter().any(is_word) && !round.wagers.iter().any(is_put_up)
    }

    fn take_back(&self, wager: &mut WagerFold, after_play: usize) -> bool {
        let after_the_deal = after_play >= 2;
        if after_the_deal {
            wager.detail = Some(Json::new(&json!({WITHDRAWN: true})));
            wager.pushed = Some(None);
        }
        !after_the_deal
    }

    fn untold(&self, round: &RoundFold) -> Vec<WagerFold> {
        let told = Told::by(round);
        let mut untold = Vec::new();
        for &(seat, amount, seq) in &told.raises {
            let of_seat = |kind: &str| {
                let is_it = |wager: &&WagerFold| wager.seat == seat && wager.kind == kind;
                round.wagers.iter().find(is_it)
            };
            let Some(original) = of_seat("original").filter(|_| of_seat("raise").is_none()) else {
                continue;
            };
            let placed = WagerPlaced {
                wager: format!("{}-raise", original.id),
                seat,
                player: original.player.clone(),
                kind: "raise".into(),
                amount,
                on: Some(original.id.clone()),
                detail: None,
                form: None,
                colour: None,
            };
            let mut raise = WagerFold::new(&placed, seq, round.play.len(), false);
            raise.told_with = Some(original.id.clone());
            untold.push(raise);
        }
        untold
    }
}

impl Documents for RedDog {
    fn settle(&self, telling: Telling<'_>) -> Option<super::Told> {
        let round = telling.round;
        let wager = |laid: &Laid<'_>| laid.read(&wager(round, laid));
        Some(telling.settle::<red_dog::RedDog>(wager, |reading| play(round, reading)))
    }
}

/// What `wagers[i]` of the document has beside what every wager has.
fn wager(round: &RoundFold, laid: &Laid<'_>) -> Map<String, Value> {
    let wager = laid.fold;
    let mut told = detail(wager);
    told.remove(WITHDRAWN);
    let of_seat = |other: &&WagerFold| other.seat == wager.seat && other.kind == "original";
    let mut originals = round.wagers.iter().filter(of_seat);
    let original = originals.next().filter(|_| originals.next().is_none());
    let named = wager.on.as_deref();
    let on = named.or_else(|| Some(&*original.filter(|_| wager.kind == RAISES)?.id));
    if let Some(on) = on {
        told.insert("on".into(), json!(on));
    }
    let on = named.and_then(|on| round.wager(on)).or(original);
    let of_original = || on.and_then(|on| on.player.as_ref());
    if let Some(player) = wager.player.as_ref().or_else(of_original) {
        told.insert("player".into(), json!(player));
    }
    told
}

/// `play` of the document.
fn play(round: &RoundFold, reading: &mut Reading) -> Play {
    let told = Told::by(round);
    let burned = told.burned.iter().map(|card| Some(&**card));
    let exposed = told.exposed.as_deref();
    let voided = told.voided.iter().enumerate();
    Play {
        burned: reading.cards("burned", burned),
        cards: reading.cards("cards", told.cards.iter().map(Option::as_deref)),
        exposed_third: exposed.and_then(|card| reading.card("exposed_third", Some(card))),
        voided_seats: voided
            .filter_map(|(at, seat)| reading.number(format_args!("voided_seats[{at}]"), *seat))
            .collect(),
    }
}

impl Following for RedDog {
    /// A pair or a spread needs its third card, 5(f),(i).
    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        let round = scene.round;
        if !matches!(scene.body, Body::RoundClosed(_)) || round.incomplete {
            return;
        }
        let told = Told::by(round);
        let [Some(first), Some(second)] = &told.cards[..] else {
            return;
        };
        let (Some(first), Some(second)) = (value(first), value(second)) else {
            return;
        };
        let in_play = |wager: &&WagerFold| !told.voided.contains(&u64::from(wager.seat));
        if first.abs_diff(second) == 1 {
            return;
        }
        if let Some(wager) = round.wagers.iter().find(in_play) {
            let play = round.play.iter().map(|(seq, _)| *seq);
            let evidence = play.chain([scene.seq]).collect();
            let message = "No third card was dealt although a wager was in play".to_owned();
            let fault = Fault::new("red_dog.third_card_missing", evidence, message);
            faults.push(fault.of_wager(&wager.id));
        }
    }
}

impl Payments for RedDog {}

impl Told {
    fn by(round: &RoundFold) -> Told {
        let mut told = Told::default();
        for (seq, body) in &round.play {
            match body {
                Body::CardDealt(dealt) => {
                    told.cards.push(dealt.card.clone());
                    told.last_card = *seq;
                }
                Body::CardRevealed(shown) => {
                    // Two boxes and a middle are three places of one card each, or one of three.
                    let unseen = told.cards.iter().position(Option::is_none);
                    let place = told
                        .cards
                        .get(shown.index as usize)
                        .map(|_| shown.index as usize);
                    if let Some(at) = unseen.or(place) {
                        told.cards[at] = Some(shown.card.clone());
                    }
                }
                Body::CardBurned(burned) => {
                    // One that no deck holds is raised as such, and no document can hold it.
                    let card = burned.card.as_ref();
                    let real = card.filter(|card| card.parse::<Card>().is_ok());
                    told.burned.extend(real.cloned());
                    // An exposed card that nobody named is the next one that goes away.
                    if told.exposed_by.is_some() && told.cards.len() == 2 {
                        told.exposed = told.exposed.take().or(real.cloned());
                    }
                }
                Body::Irregularity(irregularity) => {
                    told.irregularity(irregularity);
                    if is_exposure(irregularity) {
                        told.exposed_by = Some(*seq);
                    }
                }
                Body::Decision(decision) => match (word(decision).as_str(), decision.amount) {
                    ("withdraw" | "take_back" | "void" | "out", _) => {
                        told.voided.push(u64::from(decision.seat))
                    }
                    ("raise", Some(amount)) => told.raises.push((decision.seat, amount, *seq)),
                    _ => {}
                },
                _ => {}
            }
        }
        for wager in &round.wagers {
            let detail = wager.detail.as_ref().map(Json::value);
            let is_withdrawn = detail.is_some_and(|detail| detail[WITHDRAWN] == true);
            if is_withdrawn || told.is_handed_back(wager) {
                told.voided.push(u64::from(wager.seat));
            }
        }
        told.voided.sort_unstable();
        told.voided.dedup();
        told
    }

    /// Did it go back between a third card that was seen too early and the one that took its place?
    fn is_handed_back(&self, wager: &WagerFold) -> bool {
        let back = wager.evidence.last().filter(|_| wager.pushed.is_some());
        let (Some(&back), Some(exposed)) = (back, self.exposed_by) else {
            return false;
        };
        back > exposed && (self.last_card < exposed || back < self.last_card)
    }

    fn irregularity(&mut self, irregularity: &Irregularity) {
        let detail = irregularity.detail.as_ref().map(Json::value);
        let detail = detail.unwrap_or_default();
        if is_exposure(irregularity) {
            let named = detail["exposed_third"].as_str().or(detail["card"].as_str());
            let named = named.or(detail.as_str()).map(str::to_owned);
            // The third card on the layout, if it was told as dealt there.
            let dealt = self.cards.get(2).cloned().flatten();
            // A feed may tell of it as burned and never as dealt.
            let burned = self.burned.last().filter(|_| self.cards.len() == 2);
            let card = named.or(dealt).or(burned.cloned());
            if self.cards.get(2) == Some(&card) {
                self.cards.truncate(2);
            }
            if let Some(card) = card {
                if !self.burned.contains(&card) {
                    self.burned.push(card.clone());
                }
                self.exposed = Some(card);
            }
        }
        let voided = detail["voided_seats"].as_array();
        let voided = voided.into_iter().flatten().filter_map(Value::as_u64);
        self.voided.extend(voided);
    }
}

/// A third card seen before raises were closed, 6(c).
fn is_exposure(irregularity: &Irregularity) -> bool {
    let kind = irregularity.kind.as_str();
    kind.contains("exposed") || kind.contains("third_card")
}

/// What a player decided, however the feed writes it.
fn word(decision: &Decision) -> String {
    let action = decision.action.trim().to_lowercase();
    action.replace([' ', '-'], "_")
}

/// Two to ten their number, then jack, queen, king, ace.
fn value(card: &str) -> Option<u8> {
    let rank: Rank = card.parse::<Card>().ok()?.rank()?;
    Some(rank.index() + 2)
}

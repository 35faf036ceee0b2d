//! A round of the family, event by event.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, CardPlace, Decision, Irregularity};
use catwalk_rules::UNSEEN;
use catwalk_rules::floor::{Card, Cents};
use catwalk_rules::games::blackjack::VoidRound;
use serde_json::Value;

use super::boxes::BoxFold;
use super::dealer::DealerFold;
use super::points::threatens;
use super::{House, is_stake, keeps_stake, rulings};
use crate::games::verification;
use crate::round::{RoundFold, WagerFold};

/// What the events of a round tell.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) boxes: BTreeMap<u32, BoxFold>,
    pub(super) dealer: DealerFold,
    pub(super) burned: Vec<String>,
    /// Cards that lay face up in the shoe.
    pub(super) face_up: Vec<String>,
    /// What the display of the blackjack bonus showed for a wager.
    displays: BTreeMap<String, Cents>,
    pub(super) void_round: Option<VoidRound>,
    pub(super) reader_fault: bool,
    pub(super) meter: Option<Cents>,
    pub(super) determinant: Option<Value>,
    /// The hand of each double and split stake, by its wager.
    hands: BTreeMap<String, u32>,
    /// Stakes that a decision names.
    pub(super) offers: Vec<Offer>,
    /// A card that no event explains.
    pub(super) trouble: Option<String>,
    /// Something was said of the hole card, so that seeing it means nothing.
    hole_excused: bool,
}

/// A stake that a decision names.
#[derive(Debug)]
pub(super) struct Offer {
    pub(super) seat: u32,
    pub(super) kind: &'static str,
    pub(super) hand: u32,
    pub(super) amount: Cents,
    pub(super) seq: u64,
}

impl Told {
    pub(super) fn by(round: &RoundFold) -> Told {
        let mut told = Told {
            meter: round.opened.meters.as_ref().and_then(meter_of),
            ..Told::default()
        };
        for (_, body) in &round.play {
            let (seat, hand) = match body {
                Body::CardDealt(dealt) => (dealt.seat, dealt.hand),
                Body::Decision(decision) => (Some(decision.seat), decision.hand),
                _ => continue,
            };
            if let Some(seat) = seat.filter(|_| hand.is_some_and(|hand| hand > 1)) {
                told.boxes.entry(seat).or_default().names_hands = true;
            }
        }
        for at in 0..=round.play.len() {
            let made_here = |wager: &&WagerFold| !wager.carried && wager.after_play == at;
            for wager in round.wagers.iter().filter(made_here) {
                told.stake(round, wager);
            }
            if let Some((seq, body)) = round.play.get(at) {
                told.event(round, at, *seq, body);
            }
        }
        for one in told.boxes.values_mut() {
            // The card that was missing came after all, as its player may choose, 15(h), 17.G.
            one.dead &= one.first_cards().len() < 2;
        }
        // Such a card is not used: it goes into the rack, whether that is told or not.
        for card in &told.face_up {
            let of_it = |cards: &[String]| cards.iter().filter(|other| *other == card).count();
            if of_it(&told.burned) < of_it(&told.face_up) {
                told.burned.push(card.clone());
            }
        }
        told.boxes.retain(|_, one| one.has_cards() || one.dead);
        told
    }

    /// The hand of a double or split stake.
    pub(super) fn hand_of(&self, wager: &WagerFold) -> Option<u32> {
        self.hand_by_id(&wager.id)
    }

    pub(super) fn hand_by_id(&self, wager: &str) -> Option<u32> {
        self.hands.get(wager).copied()
    }

    /// What the display of the blackjack bonus showed for a wager, where that is told of the wager.
    pub(super) fn display_of(&self, wager: &WagerFold) -> Option<Cents> {
        let detail = wager.detail.as_ref().map(|detail| detail.value());
        let told = detail.and_then(|detail| detail["bonus_display"].as_i64());
        let read = self.displays.get(&wager.id).copied();
        told.map(Cents::new).or(read)
    }

    /// Is every stake of the play told by a wager, and none by a word alone?
    pub(super) fn tells_every_stake(&self, round: &RoundFold) -> bool {
        let is_insured = |seat: u32| {
            let mut wagers = round.wagers.iter();
            wagers.any(|wager| wager.kind == "insurance" && wager.seat == seat)
        };
        let is_untold = |(_, body): &(u64, Body)| match body {
            Body::Decision(decision) => {
                verb(&decision.action) == Some("insurance") && !is_insured(decision.seat)
            }
            _ => false,
        };
        let is_put_up = |wager: &WagerFold| wager.told_with.is_some() || wager.announced;
        !round.play.iter().any(is_untold)
            && !round.wagers.iter().any(is_put_up)
            && !self.boxes.values().any(BoxFold::has_untold_stake)
    }

    /// Has the dealer begun to play his own hand?
    pub(super) fn dealer_plays(&self, round: &RoundFold) -> bool {
        // A second card that lies face down is a hole card, whatever the table posts.
        let drawn = self.dealer.count() >= 2 && !self.dealer.hides_hole();
        let later = House::of(round).hole_card == "none" && drawn;
        self.dealer.count() >= 3 || later || self.dealer.shown_after_play
    }

    /// May the dealer have blackjack, by the up card?
    pub(super) fn is_threatened(&self, round: &RoundFold) -> bool {
        let without_tens = round.rules.game == "spanish_21";
        let up = self.dealer.up();
        up.is_some_and(|up| threatens(up, without_tens))
    }

    pub(super) fn anybody_acted(&self) -> bool {
        self.boxes.values().any(BoxFold::has_acted)
    }

    fn box_at(&mut self, round: &RoundFold, seat: u32) -> &mut BoxFold {
        let one = self.boxes.entry(seat).or_default();
        one.aces_get_one = round.rules.game != "spanish_21";
        one
    }

    fn stake(&mut self, round: &RoundFold, wager: &WagerFold) {
        let Some(kind) = is_stake(&wager.kind) else {
            return;
        };
        let named = named_hand(wager);
        // A double may name the split stake that it doubles.
        let on = wager.on.as_ref().and_then(|on| self.hands.get(on)).copied();
        let seat = self.box_at(round, wager.seat);
        let hand = if kind.ends_with("split") {
            seat.cover_split(&root(round, wager).id, kind, named)
        } else {
            seat.cover_double(kind, named.or(on))
        };
        self.hands.insert(wager.id.clone(), hand);
    }

    fn event(&mut self, round: &RoundFold, at: usize, seq: u64, body: &Body) {
        match body {
            Body::CardDealt(dealt) if dealt.to == CardPlace::Dealer => {
                self.dealer
                    .take(dealt.hand, dealt.card.as_deref(), dealt.face);
                self.dealer.note_hole(seq);
            }
            Body::CardDealt(dealt) => {
                let Some(seat) = seat_of(round, dealt.seat) else {
                    return;
                };
                let bonus = self.dealer.shows_blackjack() && has_super_sevens(round, seat);
                let seat_fold = self.box_at(round, seat);
                let taken = seat_fold.take(dealt.hand, dealt.card.as_deref(), bonus);
                if let Err(reason) = taken {
                    self.trouble
                        .get_or_insert(format!("at seat {seat} {reason}"));
                }
            }
            Body::CardRevealed(shown) if shown.to == CardPlace::Dealer => {
                let hidden = self.dealer.hides_hole();
                self.dealer
                    .show(shown.hand, shown.index as usize, &shown.card);
                self.dealer.note_hole(seq);
                let turned = hidden && !self.dealer.hides_hole();
                self.dealer.shown_after_play |=
                    turned && self.anybody_acted() && !self.hole_excused;
            }
            Body::CardRevealed(shown) => {
                let seat = seat_of(round, shown.seat);
                if let Some(seat) = seat.and_then(|seat| self.boxes.get_mut(&seat)) {
                    seat.show(shown.hand, shown.index as usize, &shown.card);
                }
            }
            Body::CardBurned(burned) => {
                // One that no deck holds is raised as such, and no document can hold it.
                let card = burned.card.as_ref();
                let real = card.filter(|card| card.parse::<Card>().is_ok());
                self.burned.extend(real.cloned());
            }
            Body::Decision(decision) => self.decision(round, at, seq, decision),
            Body::Irregularity(irregularity) => self.irregularity(irregularity),
            Body::MeterRead(read) => self.meter_read(round, seq, &read.meter, read.amount),
            _ => {}
        }
    }

    fn decision(&mut self, round: &RoundFold, at: usize, seq: u64, decision: &Decision) {
        let Some(verb) = verb(&decision.action) else {
            return;
        };
        if verb == "check" {
            self.dealer.check_told = true;
            return;
        }
        let seat = decision.seat;
        // Its stake comes before the next card of the box; a later one is of another split.
        let later = round.play.iter().enumerate().skip(at + 1);
        let card = later.clone().find(|(_, (_, body))| match body {
            Body::CardDealt(dealt) => {
                dealt.to != CardPlace::Dealer && seat_of(round, dealt.seat) == Some(seat)
            }
            _ => false,
        });
        let until = card.map_or(usize::MAX, |(next, _)| next);
        let new_hand = round.wagers.iter().find_map(|wager| {
            let waits = (at..=until).contains(&wager.after_play);
            let is_his = wager.seat == seat && !wager.carried;
            let is_split = is_stake(&wager.kind).is_some_and(|kind| kind.ends_with("split"));
            let is_open = !self.hands.contains_key(&wager.id);
            named_hand(wager).filter(|_| waits && is_his && is_split && is_open)
        });
        let seat_fold = self.box_at(round, seat);
        let mut hand = seat_fold.meant(decision.hand);
        match verb {
            "even_money" => seat_fold.even_money = true,
            "insurance" => {}
            _ => {
                seat_fold.decide(decision.hand, verb, new_hand);
                if verb.ends_with("double") && decision.amount.is_some() {
                    seat_fold.stake_double(hand);
                }
                if verb.ends_with("split") {
                    hand = seat_fold.newest_hand();
                }
            }
        }
        if let Some(amount) = decision.amount
            && (is_stake(verb).is_some() || verb == "insurance")
        {
            self.offers.push(Offer {
                seat,
                kind: verb,
                hand,
                amount,
                seq,
            });
        }
    }

    /// What went wrong and what was ruled: its detail has the keys of the round document, or its kind
    /// says it.
    fn irregularity(&mut self, irregularity: &Irregularity) {
        let detail = rulings::detail(irregularity);
        let kind = irregularity.kind.as_str();
        let has = |word: &str| kind.contains(word);
        if kind == "face_up_card" {
            let card = detail["card"].as_str().or(detail.as_str());
            self.face_up.push(card.unwrap_or(UNSEEN).to_owned());
        }
        self.hole_excused |= has("hole") || has("reader");
        self.reader_fault |= detail["reader_fault"] == true
            || has("reader")
                && ["fault", "fail", "out_of_order", "jam"]
                    .into_iter()
                    .any(has);
        self.dealer.check_told |= detail["checked"] == true
            || [
                "peek",
                "hole_checked",
                "hole_card_checked",
                "check_hole_card",
            ]
            .contains(&kind);
        self.void_round = rulings::voids(irregularity).or(self.void_round);
        if detail["determinant"].is_object() {
            self.determinant = Some(detail["determinant"].clone());
        } else if has("determinant") && detail["card"].is_string() {
            self.determinant = Some(detail.clone());
        }
        let hand = detail["hand"].as_u64();
        let hand = hand.and_then(|hand| u32::try_from(hand).ok());
        let Some(seat) = verification::seat_of(irregularity) else {
            return;
        };
        let one = self.boxes.entry(seat).or_default();
        if let Some(display) = detail.get("bonus_display") {
            one.display = Some(display.as_i64().map(Cents::new));
        }
        let reason = detail["dead"].as_str().unwrap_or(kind);
        if matches!(reason, "no_cards" | "one_card") && one.first_cards().len() < 2 {
            one.dead = true;
        } else if rulings::kills_hand(irregularity) {
            one.decide(hand, "dead", None);
        }
    }

    /// The display of the blackjack bonus, or the meter as it stands before anything is paid of it.
    fn meter_read(&mut self, round: &RoundFold, seq: u64, meter: &str, amount: Cents) {
        if let Some(wager) = meter.strip_prefix(DISPLAY_OF) {
            self.displays.insert(wager.to_owned(), amount);
            return;
        }
        if meter.contains("bonus") {
            let of_seat = |seat: &u32| meter.ends_with(&format!("{seat}"));
            let made = |wager: &&WagerFold| wager.kind == "blackjack_bonus";
            let seats: Vec<u32> = round.wagers.iter().filter(made).map(|w| w.seat).collect();
            let named = seats.iter().copied().find(|seat| of_seat(seat));
            let only = seats.first().copied().filter(|_| seats.len() == 1);
            let winner = || {
                let won = |seat: &&u32| self.boxes.get(seat).is_some_and(BoxFold::has_blackjack);
                seats.iter().find(won).copied()
            };
            if let Some(seat) = named.or(only).or_else(winner) {
                self.boxes.entry(seat).or_default().display = Some(Some(amount));
            }
            return;
        }
        if first_award(round).is_none_or(|paid| seq < paid) {
            self.meter = Some(amount);
        }
    }
}

/// The name of the display that one of several winners on a box made to show its amount, before his wager, 20(f).
const DISPLAY_OF: &str = "bonus/";

/// The event that first paid something to a wager of the meter.
fn first_award(round: &RoundFold) -> Option<u64> {
    let awarded = |wager: &&WagerFold| keeps_stake(&wager.kind) && wager.paid.is_positive();
    let awards = round.wagers.iter().filter(awarded);
    awards.filter_map(|wager| wager.paid_seq).min()
}

/// The meter of the game's progressive wager, by whatever name it goes.
pub(super) fn meter_of(meters: &BTreeMap<String, Cents>) -> Option<Cents> {
    let named = ["progressive", "blazing_sevens", "blazing_7s"];
    let named = named.into_iter().find_map(|name| meters.get(name));
    let is_other = |name: &&String| name.contains("bonus");
    let only = || meters.iter().find(|(name, _)| !is_other(name));
    named.or_else(|| only().map(|(_, amount)| amount)).copied()
}

/// The main wager that a stake is on.
pub(super) fn root<'a>(round: &'a RoundFold, wager: &'a WagerFold) -> &'a WagerFold {
    let mut at = wager;
    // A chain is never longer than there are wagers.
    for _ in 0..round.wagers.len() {
        match at.on.as_deref().and_then(|on| round.wager(on)) {
            Some(on) => at = on,
            None => break,
        }
    }
    if at.kind == "main" || wager.on.is_some() {
        return at;
    }
    let mains = || {
        round
            .wagers
            .iter()
            .filter(|one| one.kind == "main" && one.seat == wager.seat)
    };
    // Where the stake names nobody who bet on the box, it is of who bet first.
    let named = mains().find(|main| guest(main) == guest(wager));
    let player = named.or_else(|| mains().next()).map(guest);
    let own: Vec<&WagerFold> = mains().filter(|main| Some(guest(main)) == player).collect();
    // Mains that name no spot lie in the order made.
    let mut spots = (1..).zip(&own);
    let of_spot = spot(wager).and_then(|on| {
        let found = spots.find(|(at, main)| spot(main).unwrap_or(*at) == on);
        found.map(|(_, main)| main)
    });
    let in_turn = || own.get(before(round, wager) % own.len().max(1));
    of_spot.or_else(in_turn).copied().unwrap_or(at)
}

/// The spot of multiple action that a wager names.
fn spot(wager: &WagerFold) -> Option<u64> {
    wager.detail.as_ref()?.value()["spot"].as_u64()
}

/// How many stakes of the kind the guest put down on the box before this one without naming a wager:
/// whoever has several mains lays them out in turn.
fn before(round: &RoundFold, wager: &WagerFold) -> usize {
    let is_his = |other: &&WagerFold| {
        let same = (&other.kind, other.seat) == (&wager.kind, wager.seat);
        same && other.on.is_none() && guest(other) == guest(wager)
    };
    let his = round.wagers.iter().filter(is_his);
    his.take_while(|other| other.id != wager.id).count()
}

/// The guest whose wager it is, where one is named.
pub(super) fn guest(wager: &WagerFold) -> Option<String> {
    let detailed = || {
        let detail = wager.detail.as_ref()?.value();
        Some(detail["player"].as_str()?.to_owned())
    };
    wager.player.clone().or_else(detailed)
}

/// The seat that a card goes to: the only one that plays, where none is named.
pub(super) fn seat_of(round: &RoundFold, named: Option<u32>) -> Option<u32> {
    let only = || {
        let mains = round.wagers.iter().filter(|wager| wager.kind == "main");
        let mut seats: Vec<u32> = mains.map(|main| main.seat).collect();
        seats.dedup();
        seats.first().copied().filter(|_| seats.len() == 1)
    };
    named.or_else(only)
}

/// The hand that a stake names in its detail.
pub(super) fn named_hand(wager: &WagerFold) -> Option<u32> {
    let detail = wager.detail.as_ref()?.value();
    let hand = detail.get("hand").unwrap_or(&detail);
    let hand = hand.as_u64().filter(|&hand| hand < 100)?;
    u32::try_from(hand).ok()
}

fn has_super_sevens(round: &RoundFold, seat: u32) -> bool {
    let is_it = |wager: &WagerFold| wager.kind == "super_sevens" && wager.seat == seat;
    round.wagers.iter().any(is_it)
}

/// The page's word for what a feed calls a decision, however it writes it.
pub(super) fn verb(action: &str) -> Option<&'static str> {
    let action = action.trim().to_lowercase().replace([' ', '-'], "_");
    Some(match action.as_str() {
        "hit" | "draw" => "hit",
        "stand" | "stay" | "stand_pat" => "stand",
        "double" | "double_down" => "double",
        "free_double" | "free_double_down" => "free_double",
        "split" | "split_pair" | "split_pairs" | "resplit" | "re_split" => "split",
        "free_split" | "free_split_pair" | "free_split_pairs" | "free_resplit" => "free_split",
        "surrender" | "early_surrender" | "late_surrender" => "surrender",
        "rescue" | "double_rescue" | "double_down_rescue" => "rescue",
        "refuse" | "refuse_card" | "refused" => "refuse",
        "dead" => "dead",
        "bonus_card" => "bonus_card",
        "even_money" => "even_money",
        "insurance" | "insure" => "insurance",
        _ if ["peek", "check", "reader"]
            .into_iter()
            .any(|word| action.contains(word)) =>
        {
            "check"
        }
        _ => return None,
    })
}

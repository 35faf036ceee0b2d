//! The poker room from its events.
//!
//! The form is the option `form` of the table. Chips go into the pot by `wager_placed` with the kinds of
//! the rules; folds, checks, `show` and `muck` are decisions. A player who draws says `discard 7C KH`
//! or `draw 2`, one who does not `stand_pat`; the cards that come are dealt to the seat. The button is
//! `banker` of the round, or else the seat that is dealt last. Table stakes are what a seat bought in
//! for and won since, or `stack` in the detail of its first wager. The bad beat fund is a meter of the
//! round. Irregularities that are no matter of settlement: `rake_not_secured` (the rake of the last round
//! lies in its area when this one begins) and `opened_uninspected` (play began without two players seeing
//! the decks, the wash, the shuffle and the cut).
//!
//! | file | subject |
//! | --- | --- |
//! | `walk` | the events of a hand put into betting rounds, draws and hands |
//! | `told` | what they tell, and the document of it |
//! | `said` | what players say and decide on the way |
//! | `draws` | what was thrown away and drawn |
//! | `incidents` | irregularities as they are told |
//! | `silence` | who must have folded where nobody told of it |
//! | `stakes` | what lies in front of each player, as far as it is known |
//! | `money` | pots, rake, drop and jackpot: what was taken and given against what was due |
//! | `bounds` | what is certain of a hand that cannot be settled |
//! | `uncalled` | rake that only a bet nobody called explains |
//! | `refunds` | chips that go back to who put them in |
//! | `conduct` | players whose conduct was reported |
//! | `clock` | charges for time that were not collected when they were due |
//! | `fund` | the bad beat fund: its box, its display, who verified what it paid |

mod bounds;
mod clock;
mod conduct;
mod draws;
mod fund;
mod incidents;
mod money;
mod refunds;
mod said;
mod silence;
mod stakes;
mod told;
mod uncalled;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use catwalk_events::Event;
use catwalk_events::body::{Body, CardPlace, Decision, Face, WagerPlaced};
use catwalk_rules::Pots;
use catwalk_rules::book::Book;
use catwalk_rules::floor::Cents;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Documents, End, Folder, Following, Scene, Staking, Windows, entry, keep_keys};
use crate::fault::Fault;
use crate::round::{RoundFold, WagerFold};
use crate::standing::Standing;
use crate::table::RulesInForce;
use clock::Clock;
use conduct::Conduct;
use fund::Fund;
use stakes::Stakes;
use told::{Form, Told};

pub(super) struct Poker;

/// What is kept between hands: the stakes of the seats, and who had which button.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    stakes: Stakes,
    #[serde(default)]
    fund: Fund,
    #[serde(default)]
    clock: Clock,
    #[serde(default)]
    conduct: Conduct,
    /// The button and the seats of the last hand that was played out.
    button: Option<(u32, Vec<u32>)>,
    /// Who holds the kill button now; `None` where it is not known.
    kill: Option<u32>,
    tells_burns: bool,
    #[serde(default)]
    tells_decisions: bool,
    /// The hand that was over last.
    #[serde(default)]
    over: Option<String>,
}

const WAGER_KEYS: [&str; 3] = ["announced", "verbal", "single_chip"];

impl Folder for Poker {
    fn game(&self) -> &'static str {
        "poker"
    }
}

impl Windows for Poker {
    /// Whose turn it was, the replay of the betting says.
    fn window(&self, _: &str) -> Option<&'static str> {
        None
    }

    fn closes(&self, _: &RoundFold, _: &Body) -> Option<&'static str> {
        None
    }

    /// 7(g): no wager can be lowered or taken back, and a raise is a new one. Nothing goes into a pot that
    /// was awarded.
    fn is_locked(&self, round: &RoundFold, wager: &WagerFold) -> Option<bool> {
        let made = round.wager(&wager.id).is_some();
        (made || is_over(round)).then_some(true)
    }

    /// 7(e): the dealer makes the bet what was announced.
    fn allows_change(&self, round: &RoundFold, wager: &WagerFold, to: Option<Cents>) -> bool {
        let told = Form::of(round).ok().map(|form| Told::read(round, form));
        let said = told.and_then(|told| told.words.get(&*wager.id)?.amount);
        let detail = wager.detail.as_ref().map(|detail| detail.value());
        let announced = detail.and_then(|detail| detail.get("announced")?.as_i64());
        let announced = announced.map(Cents::new).or(said);
        announced.is_some() && announced == to && !is_over(round)
    }

    fn late_code(&self, round: &RoundFold, placed: &WagerPlaced) -> &'static str {
        let folded = |(_, body): &(u64, Body)| match body {
            Body::Decision(said) => said.seat == placed.seat && said.action == "fold",
            _ => false,
        };
        match round.play.iter().any(folded) {
            true => "action.not_in_hand",
            false => "action.not_due",
        }
    }
}

impl Staking for Poker {
    /// A feed may tell what players put in by their decisions alone.
    fn untold(&self, round: &RoundFold) -> Vec<WagerFold> {
        let is_bet = |wager: &WagerFold| matches!(wager.kind.as_str(), "bet" | "call" | "raise");
        if round.wagers.iter().any(is_bet) {
            return Vec::new();
        }
        let told = round.play.iter().enumerate();
        let bets = told.filter_map(|(at, (seq, body))| match body {
            Body::Decision(said) => {
                let placed = spoken_bet(said, at)?;
                Some(WagerFold::new(&placed, *seq, at, false))
            }
            _ => None,
        });
        bets.collect()
    }

    /// What players put in lies in the pots, and no payment calls it by its name.
    fn tells_every_stake(&self, _: &RoundFold) -> bool {
        false
    }
}

impl Documents for Poker {
    /// What was put in when the hand was over goes back and plays for nothing.
    fn is_in_document(&self, _: &RoundFold, wager: &WagerFold) -> bool {
        !wager.late
    }

    fn of_play(&self) -> &'static [&'static str] {
        &["form"]
    }

    fn wagers(&self, round: &RoundFold, _: &Standing) -> Vec<Value> {
        let told = Form::of(round).ok().map(|form| Told::read(round, form));
        let wagers = played(round).map(|wager| {
            let mut entry = entry(wager);
            keep_keys(&mut entry, &WAGER_KEYS);
            let words = told.as_ref().and_then(|told| told.words.get(&*wager.id));
            words.into_iter().for_each(|said| said.write(&mut entry));
            Value::Object(entry)
        });
        wagers.collect()
    }

    fn play(&self, round: &RoundFold, standing: &Standing) -> Result<Value, String> {
        let kept: Kept = standing.read();
        let form = Form::of(round)?;
        let mut told = Told::read(round, form);
        let change = told.change.clone();
        let is_all_in = |seat| kept.stakes.is_all_in(round, &change, seat);
        if kept.is_silent(round, &told) && !told.infer_folds(is_all_in) {
            return Err("who checked or folded was not told".to_owned());
        }
        let mut play = told.document(&kept);
        play.insert("seats".into(), json!(kept.stakes.seats(round, &told)));
        if let Some(kill) = kill_button(round, &kept) {
            play.insert("kill_button".into(), json!(kill));
        }
        if let Some(fund) = fund(round) {
            play.insert("jackpot_fund".into(), json!(fund));
        }
        if let Some(vacant) = detail(round, "vacant_blinds").next() {
            play.insert("vacant_blinds".into(), vacant);
        }
        if money::is_time_due(round, told.dealt.len()) {
            play.insert("time_due".into(), json!(true));
        }
        let changes = stakes::changes(round);
        if !changes.is_empty() {
            play.insert("stake_changes".into(), json!(changes));
        }
        Ok(Value::Object(play))
    }

    /// A feed may tell neither what players decide nor what they show.
    fn is_excused(&self, round: &RoundFold) -> bool {
        let told = Form::of(round).ok().map(|form| Told::read(round, form));
        told.is_some_and(|told| !told.tells_acts || told.shows_unseen())
    }

    /// Whose turn it was needs decisions to be told.
    fn is_shown(&self, round: &RoundFold, standing: &Standing, code: &str) -> bool {
        let kept: Kept = standing.read();
        let is_mute = || {
            let told = Form::of(round).ok().map(|form| Told::read(round, form));
            !kept.tells_decisions && told.is_some_and(|told| told.is_mute())
        };
        !silence::is_of_turn(code) || !is_mute()
    }
}

impl Following for Poker {
    fn aside(
        &self,
        event: &Event,
        rules: &RulesInForce,
        standing: &mut Standing,
        faults: &mut Vec<Fault>,
    ) -> bool {
        let is_taking = matches!(event.body, Body::RakeTaken(_) | Body::JackpotDropTaken(_));
        if is_taking && event.round.is_some() && !money::has_time(rules) {
            let kept: Kept = standing.read();
            let is_over = kept.over == event.round;
            if is_over {
                let message = "Rake or a contribution was taken when the hand was over".to_owned();
                faults.push(Fault::new("rake.after_award", vec![event.seq], message));
            }
            return is_over;
        }
        let is_aside = matches!(
            event.body,
            Body::DropCounted(_)
                | Body::MeterRead(_)
                | Body::DeviceAdjusted(_)
                | Body::RakeTaken(_)
                | Body::Irregularity(_)
                | Body::DiscrepancyReported(_)
                | Body::TableClosed(_)
        );
        if is_aside && event.round.is_none() {
            let mut kept: Kept = standing.read();
            kept.fund.see_aside(event, faults);
            kept.clock.see_aside(event);
            kept.conduct.see_aside(event, faults);
            standing.keep(&kept);
        }
        false
    }

    fn between(&self, body: &Body, standing: &mut Standing) {
        if let Body::BuyIn(buy_in) = body {
            let mut kept: Kept = standing.read();
            kept.stakes.buy_in(buy_in.seat, buy_in.amount);
            kept.conduct.buy_in(buy_in.seat);
            standing.keep(&kept);
        }
    }

    /// Chips that a player in the hand buys without a word of the round, and what is taken and pushed in it.
    fn is_of_round(&self, round: &RoundFold, body: &Body) -> bool {
        match body {
            Body::BuyIn(buy_in) => {
                let is_in = |wager: &WagerFold| Some(wager.seat) == buy_in.seat;
                !is_over(round) && round.wagers.iter().any(is_in)
            }
            Body::RakeTaken(_) | Body::JackpotDropTaken(_) | Body::PotAwarded(_) => true,
            _ => false,
        }
    }

    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        money::see(scene, faults);
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, faults: &mut Vec<Fault>) {
        let mut kept: Kept = standing.read();
        let round = end.round;
        let pots = end.settlement.and_then(|settlement| settlement.pots());
        let judged = !end.voided && !round.incomplete;
        kept.over = Some(round.id.clone());
        kept.fund.end(end, fund(round), faults);
        kept.clock.end(round, faults);
        kept.conduct.end(round, faults);
        let told = Form::of(round).ok().map(|form| Told::read(round, form));
        kept.tells_decisions |= told.as_ref().is_some_and(|told| told.tells_acts);
        kept.stakes.add_bought(round, true);
        if let (Some(pots), Some(told), true) = (pots, &told, judged) {
            let found = faults.len();
            let resting = kept.stakes.resting(told).count();
            money::compare(end, pots, resting, faults);
            let agrees = faults.len() == found;
            check_buttons(end, told, &mut kept, faults);
            let settled = end.settlement.map(|settled| settled.violations());
            if settled.is_none_or(|codes| !codes.contains(EXPOSED)) {
                faults.extend(told.exposed_card(round));
            }
            kept.tells_burns |= told.tells_burns;
            // Where money went another way, nobody knows what lies in front of whom, nor who won it all.
            let given: BTreeSet<u32> = money::awarded(round).into_keys().collect();
            let due = pots
                .awards
                .iter()
                .map(|award| u32::from(award.seat.number()));
            let given_elsewhere = !given.is_empty() && given != due.collect();
            kept.kill = (!given_elsewhere).then_some(u32::from(pots.kill_button));
            match agrees && !given_elsewhere && !money::may_hold_time(round, pots) {
                true => kept.stakes.settle(round, pots),
                false => kept.stakes.forget(round),
            }
            if money::may_charge_resting(round, pots) {
                kept.stakes.charge_resting(told);
            }
        } else {
            kept.button = None;
            kept.kill = None;
            if !round.incomplete {
                match end.voided {
                    true => {
                        faults.extend(incidents::faults(round));
                        money::compare_void(end, faults);
                    }
                    false => {
                        let document = super::document(self, round, standing).ok();
                        bounds::check(end, document, faults);
                    }
                }
            }
            // Chips of a void round went back; of one that cannot be told nothing is known.
            if !end.voided {
                kept.stakes.forget(round);
            }
        }
        kept.stakes.add_bought(round, false);
        standing.keep(&kept);
    }
}

impl Kept {
    /// Does a feed that never told of a decision leave out here who checked or folded?
    fn is_silent(&self, round: &RoundFold, told: &Told<'_>) -> bool {
        let is_all_in = |seat| self.stakes.is_all_in(round, &told.change, seat);
        let has_more = |seat| self.stakes.has_more(round, &told.change, seat);
        !self.tells_decisions && told.is_silent(is_all_in, has_more)
    }
}

const EXPOSED: &str = "deal.card_exposed";

impl Told<'_> {
    /// A card dealt face up to a seat that gets it face down, and of which no irregularity tells. 6(e)(2)
    fn exposed_card(&self, round: &RoundFold) -> Option<Fault> {
        let is_told = |seat: u32| {
            let mut incidents = self.incidents.iter();
            incidents.any(|incident| incidents::exposes(incident, seat))
        };
        let mut dealt: BTreeMap<u32, usize> = BTreeMap::new();
        round.play.iter().find_map(|(seq, body)| {
            let Body::CardDealt(card) = body else {
                return None;
            };
            let seat = card.seat.filter(|_| card.to == CardPlace::Seat)?;
            let index = dealt.entry(seat).or_default();
            let is_exposed = card.face == Face::Up && self.form.is_down(*index);
            *index += 1;
            (is_exposed && !is_told(seat)).then(|| {
                let message = format!("A card of seat {seat} was exposed in dealing");
                Fault::new(EXPOSED, vec![*seq], message).at_seat(seat)
            })
        })
    }
}

/// A figure of the rulebook.
fn figure<T: DeserializeOwned>(key: &str) -> Vec<T> {
    let figures = Book::of("poker").map_or(&[][..], Book::figures);
    let figure = figures.iter().find(|figure| figure.key == key);
    let value = figure.map(|figure| serde_json::from_value(figure.value.clone()));
    // The rulebook has checked its own figures.
    value.and_then(Result::ok).unwrap_or_default()
}

/// What the details of wagers tell under a key.
fn detail(round: &RoundFold, key: &str) -> impl Iterator<Item = Value> {
    let details = round
        .wagers
        .iter()
        .filter_map(|wager| wager.detail.as_ref());
    details.filter_map(move |detail| detail.value().get(key).cloned())
}

/// Was a pot awarded?
fn is_over(round: &RoundFold) -> bool {
    let mut play = round.play.iter();
    play.any(|(_, body)| matches!(body, Body::PotAwarded(_)))
}

/// The bet that a decision with an amount is.
fn spoken_bet(said: &Decision, at: usize) -> Option<WagerPlaced> {
    let kind = said.action.as_str();
    matches!(kind, "bet" | "call" | "raise" | "forced_bet").then_some(())?;
    let amount = said.amount.filter(|amount| amount.is_positive())?;
    Some(WagerPlaced {
        wager: format!("{kind}-{at}"),
        seat: said.seat,
        player: None,
        kind: kind.to_owned(),
        amount,
        on: None,
        detail: None,
        form: None,
        colour: None,
    })
}

/// The wagers of a round that were made while it was played.
fn played(round: &RoundFold) -> impl Iterator<Item = &WagerFold> {
    round.wagers.iter().filter(|wager| !wager.late)
}

/// The seat that posts the kill blind, or that owes it.
fn kill_button(round: &RoundFold, kept: &Kept) -> Option<u32> {
    round.rules.option("kill").filter(|kill| !kill.is_null())?;
    let posted = round.wagers.iter().find(|wager| wager.kind == "kill_blind");
    let posted = posted.map(|wager| wager.seat);
    posted.or(kept.kill).filter(|&seat| seat != 0)
}

/// The bad beat fund before this round.
fn fund(round: &RoundFold) -> Option<Cents> {
    let posted = round.rules.option("jackpot")?;
    posted.get("pay").filter(|pay| !pay.is_null())?;
    let meters: &BTreeMap<String, Cents> = round.opened.meters.as_ref()?;
    let named = ["bad_beat", "jackpot", "jackpot_fund"]
        .into_iter()
        .find_map(|name| meters.get(name));
    let only = || meters.values().next().filter(|_| meters.len() == 1);
    named.or_else(only).copied()
}

/// The button goes one player on, and the kill button where the last hand sent it. 10(c)3, 11(i)
fn check_buttons(end: &End<'_>, told: &Told<'_>, kept: &mut Kept, faults: &mut Vec<Fault>) {
    let round = end.round;
    let posted = round.wagers.iter().find(|wager| wager.kind == "kill_blind");
    if let (Some(kill), Some(posted)) = (kept.kill, posted)
        && kill != posted.seat
    {
        let message = format!(
            "The kill button was at seat {} instead of {kill}",
            posted.seat
        );
        let fault = Fault::new("kill.button_wrong", posted.evidence.clone(), message);
        faults.push(fault.at_seat(posted.seat));
    }
    let Some(button) = told.button else {
        kept.button = None;
        return;
    };
    let seats = told.dealt.clone();
    if let Some((last, before)) = &kept.button
        && *before == seats
        && seats.len() > 1
    {
        let next = seats.iter().find(|&&seat| seat > *last).or(seats.first());
        if next != Some(&button) {
            let message = format!("The button went from seat {last} to seat {button}");
            let fault = Fault::new("button.not_moved", vec![round.opened_seq], message);
            faults.push(fault.at_seat(button));
        }
    }
    // A misdeal is dealt again from the same button.
    let pots = end.settlement.and_then(|settlement| settlement.pots());
    let again = pots.is_some_and(is_void);
    kept.button = (!again).then_some((button, seats));
}

/// Did every chip go back?
fn is_void(pots: &Pots) -> bool {
    let void = |reason: &str| matches!(reason, "misdeal" | "dead_round");
    pots.refunds.iter().any(|refund| void(refund.reason))
}

type Document = Map<String, Value>;

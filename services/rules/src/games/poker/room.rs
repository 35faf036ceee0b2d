//! A round as it was read: players in clockwise order, actions with their wagers, limits in force.

use std::collections::HashMap;

use super::forms::{Form, FormFacts};
use super::options::{Kill, Options};
use super::play::{Act, Action, Hand, Kind, Play, Wager, Words};
use super::{Poker, Rules};
use crate::floor::{Cents, Seat, WagerId};
use crate::refusal::Refusal;
use crate::round::Round;

pub(super) struct Room<'a> {
    pub(super) rules: &'a Rules,
    pub(super) options: &'a Options,
    pub(super) wagers: &'a [Wager],
    pub(super) play: &'a Play,
    pub(super) form: Form,
    pub(super) facts: &'a FormFacts,
    /// By seat number, which is clockwise.
    pub(super) players: Vec<Player>,
    /// One list for each betting round of the form.
    pub(super) actions: Vec<Vec<Move<'a>>>,
    /// The kill that the sign posts, where the form may have one.
    pub(super) kill: Option<&'a Kill>,
    /// With the kill applied.
    pub(super) limits: Vec<BetLimits>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Player {
    pub(super) seat: Seat,
    pub(super) stack: Cents,
    pub(super) dealt: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct BetLimits {
    pub(super) min: Cents,
    pub(super) max: Option<Cents>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Move<'a> {
    pub(super) seat: Seat,
    pub(super) what: What<'a>,
    pub(super) words: Words,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum What<'a> {
    Fold,
    Check,
    Wager(&'a Wager),
}

impl<'a> What<'a> {
    pub(super) const fn wager(self) -> Option<&'a Wager> {
        match self {
            What::Wager(wager) => Some(wager),
            What::Fold | What::Check => None,
        }
    }
}

impl<'a> Room<'a> {
    /// Refuses a document that describes no round of this form.
    pub(super) fn read(rules: &'a Rules, round: &'a Round<Poker>) -> Result<Room<'a>, Refusal> {
        let (play, options, wagers) = (&round.play, &round.options, &round.wagers[..]);
        let form = play.form;
        let facts = rules.forms.iter().find(|facts| facts.form == form);
        let facts = facts.ok_or_else(|| Refusal::at("play.form", "is not a form of the rules"))?;
        options.check(facts, rules)?;
        check_wagers(facts, wagers)?;
        check_cards(facts, play)?;
        check_vacant_blinds(options, play)?;
        if !facts.is_stud() && play.button.is_none() {
            return Err(Refusal::at(
                "play.button",
                "missing: this form is dealt from a button",
            ));
        }
        let kill = options.kill.as_ref();
        let kill = kill.filter(|_| rules.kill_forms.contains(&form));
        let in_force = kill.filter(|_| play.kill_button != 0);
        let raised = |limit| in_force.map_or(limit, |kill| kill.kind.raise(limit));
        let limits = options.limits().iter().map(|&(min, max)| BetLimits {
            min: raised(min),
            max: max.map(raised),
        });
        Ok(Room {
            rules,
            options,
            wagers,
            play,
            form,
            facts,
            players: read_players(play)?,
            actions: read_actions(facts, play, wagers)?,
            kill,
            limits: limits.collect(),
        })
    }

    /// The least bet of the first betting round.
    pub(super) fn first_min(&self) -> Cents {
        self.limits.first().map_or(Cents::ZERO, |limits| limits.min)
    }

    /// Who holds the kill button in this round.
    pub(super) fn kill_seat(&self) -> Option<Seat> {
        let holder = Seat::new(self.play.kill_button);
        (self.kill.is_some() && holder != Seat::HOUSE).then_some(holder)
    }

    /// The place in `players` of a seat.
    pub(super) fn place(&self, seat: Seat) -> Option<usize> {
        self.players
            .binary_search_by_key(&seat, |player| player.seat)
            .ok()
    }

    /// The places of all players, clockwise from the first seat with at least this number.
    pub(super) fn clockwise_from(&self, number: u32) -> impl Iterator<Item = usize> {
        let count = self.players.len();
        let first = self
            .players
            .iter()
            .position(|player| u32::from(player.seat.number()) >= number);
        let first = first.unwrap_or(0);
        (0..count).map(move |step| (first + step) % count)
    }

    /// Did anybody say anything that might bind him?
    pub(super) fn has_words(&self) -> bool {
        let mut moves = self.actions.iter().flatten();
        moves.any(|action| action.words.is_some())
    }

    /// Where odd chips and deals begin: left of the button, or the dealer's left in stud forms.
    pub(super) fn deal_order(&self) -> impl Iterator<Item = usize> {
        let button = self.play.button.filter(|_| !self.facts.is_stud());
        self.clockwise_from(button.map_or(0, left_of))
    }

    /// Places of the players dealt in, in the order in which the blinds are counted.
    pub(super) fn dealt_in_order(&self) -> Vec<usize> {
        self.deal_order()
            .filter(|&place| self.players[place].dealt)
            .collect()
    }
}

/// The seat number from which to look for the next player clockwise.
pub(super) fn left_of(seat: Seat) -> u32 {
    u32::from(seat.number()) + 1
}

fn check_wagers(facts: &FormFacts, wagers: &[Wager]) -> Result<(), Refusal> {
    for (index, wager) in wagers.iter().enumerate() {
        let is_stud = facts.is_stud();
        let single_chip = wager.single_chip.then_some("single_chip");
        let said = wager.words().key().or(single_chip);
        let (key, what) = match (wager.kind, said) {
            (Kind::ForcedBet, _) if !is_stud => ("kind", "only a stud form has a forced bet"),
            (kind, _) if is_stud && kind.is_post() && kind != Kind::Ante => {
                ("kind", "a stud form has no blinds and no straddle")
            }
            (kind, Some(key)) if kind.is_post() => (key, "nothing is said of a post"),
            _ if wager.words().is_amount_stray() => ("announced", AMOUNT_STRAY),
            _ => continue,
        };
        return Err(Refusal::at(format!("wagers[{index}].{key}"), what));
    }
    Ok(())
}

const AMOUNT_STRAY: &str = "who says fold, check or call announces no amount";

fn check_vacant_blinds(options: &Options, play: &Play) -> Result<(), Refusal> {
    let vacant = &play.vacant_blinds;
    let blinds = options.blinds.as_ref().map_or(0, Vec::len);
    let is_left = |blind| !vacant.contains(&blind);
    let what = match vacant.iter().max() {
        None => return Ok(()),
        Some(_) if !options.extra_posts => "only with extra_posts is a blind vacant",
        Some(&last) if last >= blinds => "there is no such blind",
        Some(_) if (0..blinds).any(is_left) => return Ok(()),
        Some(_) => "at least one blind remains",
    };
    Err(Refusal::at("play.vacant_blinds", what))
}

fn check_cards(facts: &FormFacts, play: &Play) -> Result<(), Refusal> {
    for (seat, hand) in &play.hands {
        let what = match (hand, facts.is_stud()) {
            (Hand::Cards(_), true) => "a hand of a stud form is {\"down\", \"up\"}",
            (Hand::Stud { .. }, false) => "a hand of this form is a list of cards",
            _ => continue,
        };
        return Err(Refusal::at(format!("play.hands.{seat}"), what));
    }
    let draws = if facts.is_draw() { facts.rounds - 1 } else { 0 };
    if !play.shown.is_empty() && draws == 0 {
        let what = "only in a form with a draw the last cards differ from the first";
        return Err(Refusal::at("play.shown", what));
    }
    if play.draws.len() > draws {
        let what = format!("{} draws; this form has {draws}", play.draws.len());
        return Err(Refusal::at("play.draws", what));
    }
    Ok(())
}

fn read_players(play: &Play) -> Result<Vec<Player>, Refusal> {
    let mut players: Vec<Player> = Vec::with_capacity(play.seats.len());
    for (index, place) in play.seats.iter().enumerate() {
        let refuse = |what: &str| Refusal::at(format!("play.seats[{index}].seat"), what);
        if place.seat == Seat::HOUSE {
            return Err(refuse("seats are numbered from 1"));
        }
        let at = players.binary_search_by_key(&place.seat, |player| player.seat);
        let Err(at) = at else {
            return Err(refuse("two players in one seat"));
        };
        let player = Player {
            seat: place.seat,
            stack: place.stack,
            dealt: place.dealt,
        };
        players.insert(at, player);
    }
    Ok(players)
}

/// Joins each action with its wager. Every wager but the posts is made by exactly one action.
fn read_actions<'a>(
    facts: &FormFacts,
    play: &Play,
    wagers: &'a [Wager],
) -> Result<Vec<Vec<Move<'a>>>, Refusal> {
    if play.rounds.len() > facts.rounds {
        let what = format!(
            "{} betting rounds; this form has {}",
            play.rounds.len(),
            facts.rounds
        );
        return Err(Refusal::at("play.rounds", what));
    }
    let by_id = wagers.iter().enumerate().map(|(i, wager)| (&wager.id, i));
    let mut actions = Actions {
        wagers,
        by_id: by_id.collect(),
        used: vec![false; wagers.len()],
    };
    let mut rounds = vec![Vec::new(); facts.rounds];
    for (round, moves) in play.rounds.iter().enumerate() {
        for (at, action) in moves.iter().enumerate() {
            let read = actions.read(action, round);
            let refuse =
                |(key, what)| Refusal::at(format!("play.rounds[{round}][{at}].{key}"), what);
            rounds[round].push(read.map_err(refuse)?);
        }
    }
    let is_stray = |&index: &usize| !actions.used[index] && !wagers[index].kind.is_post();
    match (0..wagers.len()).find(is_stray) {
        Some(index) => Err(Refusal::at(
            format!("wagers[{index}].id"),
            format!("{:?} is made in no betting round", wagers[index].id),
        )),
        None => Ok(rounds),
    }
}

struct Actions<'a> {
    wagers: &'a [Wager],
    by_id: HashMap<&'a WagerId, usize>,
    used: Vec<bool>,
}

impl<'a> Actions<'a> {
    /// The move that an action is, or the key of it that is wrong and why.
    fn read(&mut self, action: &Action, round: usize) -> Result<Move<'a>, (&'static str, String)> {
        let words = action.words();
        let (what, words) = match (action.act, words.key()) {
            (Act::Fold | Act::Check, _) if action.id.is_some() => {
                return Err(("id", "only a wager is named by an id".into()));
            }
            (Act::Fold | Act::Check, _) if words.is_amount_stray() => {
                return Err(("announced", AMOUNT_STRAY.into()));
            }
            (Act::Fold, _) => (What::Fold, words),
            (Act::Check, _) => (What::Check, words),
            (Act::Wager, Some(key)) => {
                let what = "what was said before a wager stands on the wager";
                return Err((key, what.into()));
            }
            (Act::Wager, None) => {
                let wager = self.wager(action, round).map_err(|what| ("id", what))?;
                (What::Wager(wager), wager.words())
            }
        };
        let seat = action.seat;
        Ok(Move { seat, what, words })
    }

    fn wager(&mut self, action: &Action, round: usize) -> Result<&'a Wager, String> {
        let id = action.id.as_ref().ok_or("a wager is named by its id")?;
        let index = self.by_id.get(id).copied();
        let index = index.ok_or_else(|| format!("there is no wager {id:?}"))?;
        let wager = &self.wagers[index];
        if std::mem::replace(&mut self.used[index], true) {
            return Err(format!("{id:?} is made a second time"));
        }
        if wager.seat != action.seat {
            return Err(format!("{id:?} is of seat {}", wager.seat));
        }
        if wager.kind.is_post() {
            return Err(format!("{id:?} is posted before the cards"));
        }
        match wager.kind == Kind::ForcedBet && round > 0 {
            true => Err("a forced bet opens the first betting round".into()),
            false => Ok(wager),
        }
    }
}

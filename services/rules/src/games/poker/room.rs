//! A round as it was read: players in clockwise order, actions with their wagers, limits in force.

use std::collections::HashMap;

use super::forms::{Form, FormFacts};
use super::options::{Kill, Options};
use super::play::{Act, Hand, IncidentKind, Kind, Play, Verbal, Wager};
use super::{Poker, Rules};
use crate::floor::{Cents, Seat};
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
}

#[derive(Clone, Copy, Debug)]
pub(super) enum What<'a> {
    Fold(Option<Verbal>),
    Check,
    Wager(&'a Wager),
}

impl<'a> Room<'a> {
    /// Refuses a document that describes no round of this form.
    pub(super) fn read(rules: &'a Rules, round: &'a Round<Poker>) -> Result<Room<'a>, Refusal> {
        let (play, options, wagers) = (&round.play, &round.options, &round.wagers[..]);
        let form = play.form;
        let facts = rules.forms.iter().find(|facts| facts.form == form);
        let facts = facts.ok_or_else(|| Refusal::at("play.form", "is not a form of the rules"))?;
        options.check(form, facts.rounds)?;
        check_posts(form, wagers)?;
        check_cards(facts, play)?;
        check_incidents(play)?;
        if !form.is_stud() && play.button.is_none() {
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

    /// Where odd chips and deals begin: left of the button, or the dealer's left in stud forms.
    pub(super) fn deal_order(&self) -> impl Iterator<Item = usize> {
        let button = self.play.button.filter(|_| !self.form.is_stud());
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

fn check_posts(form: Form, wagers: &[Wager]) -> Result<(), Refusal> {
    for (index, wager) in wagers.iter().enumerate() {
        let what = match wager.kind {
            Kind::Blind | Kind::KillBlind | Kind::Straddle if form.is_stud() => {
                "a stud form has no blinds and no straddle"
            }
            Kind::ForcedBet if !form.is_stud() => "only a stud form has a forced bet",
            _ => continue,
        };
        return Err(Refusal::at(format!("wagers[{index}].kind"), what));
    }
    Ok(())
}

fn check_cards(facts: &FormFacts, play: &Play) -> Result<(), Refusal> {
    for (seat, hand) in &play.hands {
        let what = match (hand, facts.form.is_stud()) {
            (Hand::Cards(_), true) => "a hand of a stud form is {\"down\", \"up\"}",
            (Hand::Stud { .. }, false) => "a hand of this form is a list of cards",
            _ => continue,
        };
        return Err(Refusal::at(format!("play.hands.{seat}"), what));
    }
    let draws = if facts.form.is_draw() {
        facts.rounds - 1
    } else {
        0
    };
    if play.draws.len() > draws {
        let what = format!("{} draws; this form has {draws}", play.draws.len());
        return Err(Refusal::at("play.draws", what));
    }
    Ok(())
}

fn check_incidents(play: &Play) -> Result<(), Refusal> {
    for (index, incident) in play.incidents.iter().enumerate() {
        let needs_seat = matches!(
            incident.kind,
            IncidentKind::PlayerNotDealt
                | IncidentKind::HoleExposed
                | IncidentKind::LastHoleExposed
                | IncidentKind::HandFouled
                | IncidentKind::HandCollected
                | IncidentKind::LeftTable
        );
        let missing = match incident.kind {
            _ if needs_seat && incident.seat.is_none() => "seat",
            IncidentKind::DeckCount if incident.count.is_none() => "count",
            IncidentKind::LastHoleExposed if incident.elects.is_none() => "elects",
            _ => continue,
        };
        return Err(Refusal::at(
            format!("play.incidents[{index}]"),
            format!("the key {missing:?} is missing"),
        ));
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
    let by_id: HashMap<_, usize> = by_id.collect();
    let mut used = vec![false; wagers.len()];
    let mut rounds = vec![Vec::new(); facts.rounds];
    for (round, actions) in play.rounds.iter().enumerate() {
        for (at, action) in actions.iter().enumerate() {
            let refuse = |what: String| Refusal::at(format!("play.rounds[{round}][{at}].id"), what);
            let what = match action.act {
                Act::Fold | Act::Check if action.id.is_some() => {
                    return Err(refuse("only a wager is named by an id".into()));
                }
                Act::Fold => What::Fold(action.verbal),
                Act::Check => What::Check,
                Act::Wager => {
                    let id = action.id.as_ref();
                    let id = id.ok_or_else(|| refuse("a wager is named by its id".into()))?;
                    let index = by_id.get(id).copied();
                    let index = index.ok_or_else(|| refuse(format!("there is no wager {id:?}")))?;
                    let wager = &wagers[index];
                    if std::mem::replace(&mut used[index], true) {
                        return Err(refuse(format!("{id:?} is made a second time")));
                    }
                    if wager.seat != action.seat {
                        return Err(refuse(format!("{id:?} is of seat {}", wager.seat)));
                    }
                    if wager.kind.is_post() {
                        return Err(refuse(format!("{id:?} is posted before the cards")));
                    }
                    if wager.kind == Kind::ForcedBet && round > 0 {
                        return Err(refuse("a forced bet opens the first betting round".into()));
                    }
                    What::Wager(wager)
                }
            };
            let seat = action.seat;
            rounds[round].push(Move { seat, what });
        }
    }
    let stray = (0..wagers.len()).find(|&index| !used[index] && !wagers[index].kind.is_post());
    match stray {
        Some(index) => Err(Refusal::at(
            format!("wagers[{index}].id"),
            format!("{:?} is made in no betting round", wagers[index].id),
        )),
        None => Ok(rounds),
    }
}

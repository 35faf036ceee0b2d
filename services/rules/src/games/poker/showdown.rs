//! The showdown: who shows, which hands are alive, and how each pot is divided. 9(i), 15(d)

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::betting::Betting;
use super::contest::{self, Best};
use super::deck::OwnCards;
use super::forms::Half;
use super::options::OddChip;
use super::play::{Hand, ShowdownAct, TableCard};
use super::pots::Pot;
use super::room::Room;
use crate::floor::{Card, Cents, Rounding};
use crate::refusal::Refusal;
use crate::settlement::Violations;

/// What one pot paid.
pub(super) struct Division {
    /// By place.
    pub(super) shares: BTreeMap<usize, Cents>,
    /// Both halves were awarded, and not to the same one player.
    pub(super) is_split: bool,
}

impl Division {
    pub(super) fn whole(place: usize, amount: Cents) -> Division {
        Division {
            shares: BTreeMap::from([(place, amount)]),
            is_split: false,
        }
    }
}

/// The hands of a showdown.
pub(super) struct Showdown<'a> {
    room: &'a Room<'a>,
    /// The best hand of each place for each half; `None` if it was not shown or is fouled.
    alive: Vec<Option<Vec<Option<Best>>>>,
    /// Places that conceded, in order.
    mucked: Vec<usize>,
}

impl<'a> Showdown<'a> {
    /// Refuses if a hand that is shown, or the board, is not in the document.
    pub(super) fn of(
        room: &'a Room<'a>,
        betting: &Betting,
        own: &OwnCards,
        violations: &mut Violations,
    ) -> Result<Showdown<'a>, Refusal> {
        let mucked = mucked(room, betting);
        let shows = |place: &usize| betting.is_in[*place] && !mucked.contains(place);
        let showing: Vec<usize> = (0..room.players.len()).filter(shows).collect();
        // 15(d): where all others have conceded, the money goes the same way.
        let is_contested = showing.len() > 1;
        let board = room.play.board.len();
        if is_contested && board != room.facts.board && room.facts.board > 0 {
            let what = format!("{board} of {} cards at the showdown", room.facts.board);
            return Err(Refusal::at("play.board", what));
        }
        let shared = shared_cards(room);
        let needed = match room.facts.is_seven_card_stud() {
            true => room.facts.own.checked_sub(shared.len()),
            false => Some(room.facts.own),
        };
        let shown = match is_contested {
            true => known(shared).map_err(|at| unseen_shared(room, at))?,
            false => Vec::new(),
        };
        let mut alive = vec![None; room.players.len()];
        for place in showing {
            let own = own[place].as_ref().filter(|own| !own.is_empty());
            let own = match (own.map(|own| known(own)), is_contested) {
                (Some(Ok(own)), _) => own,
                (_, false) => {
                    alive[place] = Some(Vec::new());
                    continue;
                }
                (_, true) => return Err(unseen_hand(room, place)),
            };
            if Some(own.len()) != needed {
                violations.add("deal.card_count");
                continue;
            }
            let halves = room.facts.halves.iter();
            let family = room.facts.family;
            let bests = halves.map(|&half| contest::best(family, half, &own, &shown));
            alive[place] = Some(bests.collect());
        }
        Ok(Showdown {
            room,
            alive,
            mucked,
        })
    }

    /// The hands for the first half, by place.
    pub(super) fn first_halves(&self) -> impl Iterator<Item = (usize, &Best)> {
        self.alive.iter().enumerate().filter_map(|(place, halves)| {
            let first = halves.as_ref()?.first()?.as_ref()?;
            Some((place, first))
        })
    }

    pub(super) fn award(&self, pot: &Pot) -> Option<Division> {
        if let [only] = pot.eligible[..] {
            return Some(Division::whole(only, pot.net));
        }
        let shown = pot.eligible.iter().copied();
        let shown: Vec<usize> = shown.filter(|&place| self.alive[place].is_some()).collect();
        match shown[..] {
            [] => {
                let mut conceded = self.mucked.iter().rev();
                let last = conceded.find(|place| pot.eligible.contains(place));
                let taker = last.or(pot.eligible.last());
                taker.map(|&place| Division::whole(place, pot.net))
            }
            [only] => Some(Division::whole(only, pot.net)),
            _ => Some(self.divide(pot.net, &shown)),
        }
    }

    /// A half without a qualifying hand does not exist; the odd chip of two goes to the first.
    fn divide(&self, amount: Cents, shown: &[usize]) -> Division {
        let halves: Vec<(Half, Vec<(usize, &Best)>)> = (self.room.facts.halves.iter().enumerate())
            .map(|(index, &half)| (half, self.winners(index, shown)))
            .filter(|(_, winners)| !winners.is_empty())
            .collect();
        let (share, excess) = self.split(amount, halves.len());
        let mut shares = BTreeMap::new();
        for (index, (half, winners)) in halves.iter().enumerate() {
            let part = if index == 0 { share + excess } else { share };
            let (each, odd) = self.split(part, winners.len());
            let odd_to = self.odd_chip(*half, winners);
            for &(place, _) in winners {
                let odd = if Some(place) == odd_to {
                    odd
                } else {
                    Cents::ZERO
                };
                *shares.entry(place).or_insert(Cents::ZERO) += each + odd;
            }
        }
        Division {
            is_split: halves.len() > 1 && shares.len() > 1,
            shares,
        }
    }

    /// The best hands for a half.
    fn winners(&self, half: usize, shown: &[usize]) -> Vec<(usize, &Best)> {
        let best = |&place: &usize| {
            let halves = self.alive[place].as_ref()?;
            Some((place, halves.get(half)?.as_ref()?))
        };
        let hands: Vec<(usize, &Best)> = shown.iter().filter_map(best).collect();
        let top = hands.iter().map(|(_, best)| best.strength).max();
        let is_top = |(_, best): &(usize, &Best)| Some(best.strength) == top;
        hands.into_iter().filter(is_top).collect()
    }

    /// Equal shares and what remains: in chips of the table, or finer ones until at most a dollar
    /// remains. 9(i)2
    fn split(&self, amount: Cents, ways: usize) -> (Cents, Cents) {
        let chips = &self.room.rules.chips;
        let ways = i64::try_from(ways.max(1)).unwrap_or(i64::MAX);
        let in_units = |unit: Cents| {
            let share = amount.fraction(1, ways, Rounding::Down(unit));
            (share, amount - share.times(ways))
        };
        let units = chips.units.iter().copied();
        units
            .filter(|&unit| unit <= self.room.options.chip_unit)
            .map(in_units)
            .find(|&(_, excess)| excess <= chips.most_excess)
            .unwrap_or_else(|| in_units(Cents::new(1)))
    }

    /// Who of tied winners takes what cannot be divided.
    fn odd_chip(&self, half: Half, winners: &[(usize, &Best)]) -> Option<usize> {
        let room = self.room;
        let by_suit = room.options.odd_chip(room.facts) == OddChip::CardBySuit;
        let mut taker: Option<(usize, Vec<u8>)> = None;
        for place in room.deal_order() {
            let Some((_, best)) = winners.iter().find(|&&(other, _)| other == place) else {
                continue;
            };
            let key = if by_suit {
                best.by_suit(half)
            } else {
                Vec::new()
            };
            if taker.as_ref().is_none_or(|(_, highest)| key > *highest) {
                taker = Some((place, key));
            }
        }
        taker.map(|(place, _)| place)
    }
}

/// Who conceded, in order.
fn mucked(room: &Room<'_>, betting: &Betting) -> Vec<usize> {
    let said = room.play.showdown.iter().flatten();
    said.filter(|shown| shown.act == ShowdownAct::Muck)
        .filter_map(|shown| room.place(shown.seat))
        .filter(|&place| betting.is_in[place])
        .collect()
}

/// The cards, or the first that nobody saw.
fn known(cards: &[TableCard]) -> Result<Vec<Card>, usize> {
    let cards = cards.iter().enumerate();
    cards.map(|(at, card)| card.0.ok_or(at)).collect()
}

const UNSEEN: &str = "decides the showdown, and nobody saw it";

fn unseen_shared(room: &Room<'_>, at: usize) -> Refusal {
    let key = if room.facts.board > 0 {
        "board"
    } else {
        "common"
    };
    Refusal::at(format!("play.{key}[{at}]"), UNSEEN)
}

fn unseen_hand(room: &Room<'_>, place: usize) -> Refusal {
    let seat = room.players[place].seat;
    let first = |cards: &[TableCard]| cards.iter().position(|card| card.0.is_none());
    let hand = room.play.hands.get(&seat);
    let card = hand.and_then(|hand| match hand {
        Hand::Unseen | Hand::Stud { down: None, .. } => None,
        Hand::Cards(cards) => Some(format!("[{}]", first(cards)?)),
        Hand::Stud { down, up } => {
            let down = down.as_deref().and_then(first);
            let down = down.map(|at| format!(".down[{at}]"));
            down.or_else(|| Some(format!(".up[{}]", first(up)?)))
        }
    });
    match card {
        Some(card) => Refusal::at(format!("play.hands.{seat}{card}"), UNSEEN),
        None => Refusal::at(format!("play.hands.{seat}"), "is shown without its cards"),
    }
}

/// Cards that belong to every hand: the board, or the common cards of seven-card stud.
fn shared_cards<'a>(room: &Room<'a>) -> &'a [TableCard] {
    if room.facts.board > 0 {
        &room.play.board
    } else if room.facts.is_seven_card_stud() {
        &room.play.common
    } else {
        &[]
    }
}

/// 15(d): the last bettor shows first, then the others clockwise; or the same pot by pot, the last side pot first.
/// Not judged if nobody bet. A seat that is out only by what it said is left out of what was told.
pub(super) fn is_out_of_order(
    room: &Room<'_>,
    betting: &Betting,
    laid_down: &Betting,
    pots: &[Pot],
) -> bool {
    let first = betting.last_bettor.filter(|&place| betting.is_in[place]);
    let (Some(first), Some(shown)) = (first, &room.play.showdown) else {
        return false;
    };
    let clockwise = room.clockwise_from(u32::from(room.players[first].seat.number()));
    let clockwise: Vec<usize> = clockwise.filter(|&place| betting.is_in[place]).collect();
    let in_pots = |place: usize| {
        pots.iter()
            .filter(|pot| pot.eligible.contains(&place))
            .count()
    };
    let mut by_pot = clockwise.clone();
    by_pot.sort_by_key(|&place| Reverse(in_pots(place)));
    let said_out = |place: usize| laid_down.is_in[place] && !betting.is_in[place];
    let shown = shown.iter().map(|shown| room.place(shown.seat));
    let shown: Vec<Option<usize>> = shown.filter(|place| !place.is_some_and(said_out)).collect();
    let is = |due: &[usize]| shown.iter().copied().eq(due.iter().copied().map(Some));
    !is(&clockwise) && !is(&by_pot)
}

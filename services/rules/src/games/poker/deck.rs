//! The audit of the cards of a round, and the hands as the draws leave them. 2(a), 12(f), 21(g), 22(g)

use std::collections::BTreeSet;

use super::betting::Betting;
use super::forms::Form;
use super::incidents::{Ruling, Void};
use super::play::{Draw, Hand, TableCard, seen};
use super::room::Room;
use crate::floor::{Card, CardSet};
use crate::refusal::Refusal;
use crate::settlement::Violations;

/// A player's own cards at the showdown, by place; `None` where none of them was seen.
pub(super) type OwnCards = Vec<Option<Vec<TableCard>>>;

/// Forms without a draw: no joker, and no card twice among all that are known.
pub(super) fn audit_deal(
    room: &Room<'_>,
    ruling: &mut Ruling,
    violations: &mut Violations,
) -> OwnCards {
    let mut met = Seen::default();
    let shared = seen(&room.play.board).chain(seen(&room.play.common));
    let hands = room.play.hands.values().flat_map(|hand| hand.seen());
    hands
        .chain(shared)
        .for_each(|card| met.meet(card, violations));
    met.rule(ruling);
    dealt_hands(room)
}

fn dealt_hands(room: &Room<'_>) -> OwnCards {
    let own = |hand: &Hand| match hand {
        Hand::Unseen | Hand::Stud { down: None, .. } => None,
        Hand::Cards(_) | Hand::Stud { .. } => Some(hand.cards().collect()),
    };
    let players = room.players.iter();
    players
        .map(|player| room.play.hands.get(&player.seat).and_then(own))
        .collect()
}

/// Draw forms: the hands are followed through the draws. Cards shown in the end take the place of those that
/// nobody saw.
pub(super) fn audit_draws(
    room: &Room<'_>,
    betting: &Betting,
    ruling: &mut Ruling,
    violations: &mut Violations,
) -> Result<OwnCards, Refusal> {
    let out_in = &betting.out_in;
    let mut met = Seen::default();
    let shared = seen(&room.play.board).chain(seen(&room.play.common));
    let hands = room.play.hands.values().flat_map(|hand| hand.seen());
    hands
        .chain(shared)
        .for_each(|card| met.meet(card, violations));

    let dealt = (0..room.players.len())
        .filter(|&place| room.players[place].dealt && !ruling.is_skipped(place));
    let hands = dealt_hands(room);
    let known = |hand: &Option<Vec<TableCard>>| seen(hand.as_deref().unwrap_or_default()).collect();
    let mut table = Drawing {
        room,
        held: hands.iter().map(known).collect(),
        hands,
        seen: met,
        discards: CardSet::EMPTY,
        stub: Some(52 - (room.facts.own * dealt.count()) as i64),
    };
    for (index, draw) in room.play.draws.iter().enumerate() {
        table.take_up(|place| out_in[place].is_some_and(|round| round <= index));
        table.burn();
        for entry in draw {
            // An entry of a hand that is out is flagged with the betting.
            let place = room.place(entry.seat);
            let is_in = |&place: &usize| {
                room.players[place].dealt && out_in[place].is_none_or(|round| round > index)
            };
            if let Some(place) = place.filter(is_in) {
                table.draw(place, entry, violations);
            }
        }
    }
    let is_shown = betting.players_in() > 1;
    for (&seat, cards) in &room.play.shown {
        let place = room.place(seat);
        let place = place.filter(|&place| is_shown && betting.is_in[place]);
        let shown = place.ok_or("is not in a showdown");
        shown
            .and_then(|place| table.show(place, cards, violations))
            .map_err(|what| Refusal::at(format!("play.shown.{seat}"), what))?;
    }
    table.seen.rule(ruling);
    Ok(table.hands)
}

/// Draws go clockwise from the left of the button, one a player, and only to hands that are in: the faults by draw and
/// entry. 12(f)
pub(super) fn faults_of_order(
    room: &Room<'_>,
    out_in: &[Option<usize>],
) -> BTreeSet<(usize, usize, &'static str)> {
    let mut faults = BTreeSet::new();
    let order: Vec<usize> = room.deal_order().collect();
    for (index, draw) in room.play.draws.iter().enumerate() {
        let mut last = None;
        for (at, entry) in draw.iter().enumerate() {
            let place = room.place(entry.seat);
            let is_in = place.is_some_and(|place| {
                room.players[place].dealt && out_in[place].is_none_or(|round| round > index)
            });
            if !is_in {
                faults.insert((index, at, "draw.not_in_hand"));
            }
            let turn = order.iter().position(|&other| Some(other) == place);
            let Some(turn) = turn.filter(|_| is_in) else {
                continue;
            };
            if last.is_some_and(|last| turn <= last) {
                faults.insert((index, at, "draw.out_of_turn"));
            }
            last = Some(turn);
        }
    }
    faults
}

/// Cards that have been met and have not gone back into the stub.
#[derive(Default)]
struct Seen {
    cards: CardSet,
    is_dead: bool,
}

impl Seen {
    fn meet(&mut self, card: Card, violations: &mut Violations) {
        if card.is_joker() {
            violations.add("deck.foreign_card");
            self.is_dead = true;
        }
        if !self.cards.insert(card) {
            violations.add("deck.duplicate_card");
            self.is_dead = true;
        }
    }

    /// A card too many or too few ends the round. 15(g)
    fn rule(&self, ruling: &mut Ruling) {
        if self.is_dead {
            ruling.void(Void::Dead);
        }
    }
}

struct Drawing<'a> {
    room: &'a Room<'a>,
    hands: OwnCards,
    /// Cards that each place was seen to get and not to throw away.
    held: Vec<CardSet>,
    seen: Seen,
    discards: CardSet,
    /// Cards left to draw; unknown after a reshuffle.
    stub: Option<i64>,
}

impl Drawing<'_> {
    /// Folded hands go to the discards.
    fn take_up(&mut self, is_out: impl Fn(usize) -> bool) {
        let out = (0..self.hands.len()).filter(|&place| is_out(place));
        for place in out {
            let hand = self.hands[place].take().unwrap_or_default();
            self.discards = self.discards.union(seen(&hand).collect());
        }
    }

    fn burn(&mut self) {
        self.stub = self.stub.map(|stub| stub - 1);
    }

    fn draw(&mut self, place: usize, entry: &Draw, violations: &mut Violations) {
        violations.add_if(
            entry.discard_count() != entry.draw_count(),
            "draw.count_mismatch",
        );
        self.judge_reshuffle(entry, violations);

        let mut hand = self.hands[place].take();
        if let Some(hand) = &mut hand {
            self.put_down(hand, entry, violations);
        } else {
            // Cards of a hand that nobody saw are met when they are thrown away.
            self.seen.cards = self.seen.cards.union(entry.discarded().collect());
        }
        let own: CardSet = entry.discarded().collect();
        self.held[place] = self.held[place].without(own);
        let spares_own = self.room.form == Form::Badugi;
        if entry.reshuffle {
            let own = if spares_own { CardSet::EMPTY } else { own };
            let back = self.discards.union(own);
            self.seen.cards = self.seen.cards.without(self.in_play_less(back));
            self.discards = CardSet::EMPTY;
        }
        let returns_own = entry.reshuffle && spares_own;
        for card in entry.drawn() {
            self.held[place].insert(card);
            if returns_own && own.contains(card) {
                violations.add("draw.own_discard_returned");
            } else {
                self.seen.meet(card, violations);
            }
        }
        if !entry.reshuffle || spares_own {
            self.discards = self.discards.union(own);
        }
        self.hands[place] = hand.map(|mut hand| {
            hand.extend(entry.drawn().map(Some).map(TableCard));
            hand.extend(std::iter::repeat_n(TableCard(None), entry.unseen_draws()));
            hand
        });
    }

    /// The last cards of a player. Nobody else may hold one of them, nor may it lie among the discards.
    fn show(
        &mut self,
        place: usize,
        cards: &[Card],
        violations: &mut Violations,
    ) -> Result<(), &'static str> {
        if let Some(hand) = &self.hands[place] {
            if hand.len() != cards.len() {
                return Err("is another number of cards than the hand holds");
            }
            if !seen(hand).all(|card| cards.contains(&card)) {
                return Err("lacks a card that the hand holds");
            }
        }
        let others = cards
            .iter()
            .filter(|card| !self.held[place].contains(**card));
        for &card in others {
            self.seen.meet(card, violations);
        }
        self.hands[place] = Some(cards.iter().map(|&card| TableCard(Some(card))).collect());
        Ok(())
    }

    /// A card that was seen leaves by itself or as one that nobody saw. After one that nobody saw, nobody knows what
    /// was kept: a card of the hand may lie among the discards.
    fn put_down(&mut self, hand: &mut Vec<TableCard>, entry: &Draw, violations: &mut Violations) {
        for card in entry.discarded() {
            let at = |card: TableCard| hand.iter().position(|&held| held == card);
            match at(TableCard(Some(card))).or_else(|| at(TableCard(None))) {
                Some(at) => {
                    hand.remove(at);
                    self.seen.cards.insert(card);
                }
                None => violations.add("draw.discard_not_held"),
            }
        }
        let unseen = entry.unseen_discards();
        if unseen > 0 {
            self.discards = self.discards.union(seen(hand).collect());
            *hand = vec![TableCard(None); hand.len().saturating_sub(unseen)];
        }
    }

    /// Of cards on their way into the stub, those that no hand still holds.
    fn in_play_less(&self, back: CardSet) -> CardSet {
        let held = self.hands.iter().flatten().flatten();
        back.without(held.filter_map(|card| card.0).collect())
    }

    /// Up to the first reshuffle the stub is known. 12(f)2, 21(g), 22(g)
    fn judge_reshuffle(&mut self, entry: &Draw, violations: &mut Violations) {
        let Some(stub) = self.stub else {
            return;
        };
        let drawn = i64::try_from(entry.draw_count()).unwrap_or(i64::MAX);
        let runs_out = drawn > stub;
        violations.add_if(runs_out && !entry.reshuffle, "draw.reshuffle_missing");
        violations.add_if(!runs_out && entry.reshuffle, "draw.reshuffle_early");
        self.stub = (!entry.reshuffle).then(|| stub.saturating_sub(drawn));
    }
}

//! The cards of a shoe, one by one: none may be seen more often than it is there.

mod count;

use std::collections::BTreeMap;

use catwalk_events::body::{Body, CardPlace, CountScope, DealingMethod, Irregularity};
use catwalk_events::{Event, Json};
use catwalk_rules::floor::{Card, Rank};
use serde::{Deserialize, Serialize};

use super::equipment::CardRule;
use super::{Floor, Sighting, make_room};
use crate::table::RulesInForce;
use count::compare;

/// So many cards of a round are known by their place; which lies where beyond that is not.
const MAX_CARDS_OF_ROUND: usize = 512;
/// So many sets are known by the number of their decks, the oldest first to go.
const MAX_SETS: usize = 16;

/// One shoe at a time: a count for each of 53 identities, the cards that lie on the table in this
/// round, and the decks of the last sets.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ShoeCount {
    shoe: Option<Shoe>,
    /// Cards of the round by place, in dealing order.
    places: BTreeMap<String, Vec<Option<String>>>,
    cards_of_round: usize,
    /// Cards of the board that were burned in this round.
    put_away: usize,
    /// Events of the round are missing: which card lies where is not known until the next.
    blind: bool,
    /// The round that was opened last.
    round: Option<String>,
    sets: BTreeMap<String, SetSize>,
}

/// How many decks a set has, since when, and whether it was dealt from.
#[derive(Debug, Serialize, Deserialize)]
struct SetSize {
    decks: u32,
    dealt: bool,
    /// Of its backs, as it was delivered.
    #[serde(default)]
    colour: Option<String>,
    seq: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Shoe {
    set: String,
    decks: u32,
    /// Cards come from both sides of a double shoe, and no event says from which: they are counted
    /// together, from when either was last shuffled.
    #[serde(default)]
    two_sided: bool,
    continuous: bool,
    cards_per_deck: u32,
    jokers_per_deck: u32,
    /// The game has no rules that say what its decks hold.
    any_joker: bool,
    /// The whole deck is in play again in every round.
    counted_every_round: bool,
    /// Cards that have left it, named or not.
    out: u32,
    /// Nobody told of it: only which cards its game may have is known, and that a single deck is whole in
    /// every round.
    #[serde(default)]
    untold_start: bool,
    /// A card was dealt from it, not only burned.
    dealt: bool,
    /// A round was settled of whose cards nobody told: how many are left is not known.
    #[serde(default)]
    untold: bool,
    /// Money has moved in the round, and no card of it was told yet.
    #[serde(default)]
    unseen: bool,
    seen: BTreeMap<String, u32>,
    /// Where each was seen last.
    #[serde(default)]
    seen_at: BTreeMap<String, u64>,
    /// The back of its set, or of its first card, where a reader tells it.
    back: Option<String>,
    mixed: bool,
    /// So many leave it at least, told or not.
    dealt_every_round: Option<u32>,
    /// So many are put away unseen in a round, told as burned or not.
    #[serde(default)]
    put_away: u32,
    #[serde(default)]
    burned: u32,
    /// So many had left it when a count of the rest showed that these were all.
    #[serde(default)]
    all_out: Option<u32>,
    started_seq: u64,
    /// Cards behind the cutting card.
    cut: Option<u32>,
    /// A round that was begun after it had come out was reported.
    overdue: bool,
}

impl ShoeCount {
    /// Which cards have left the shoe is no longer known, nor whether it is still the same.
    pub(super) fn lose(&mut self) {
        self.shoe = None;
        self.places.clear();
        self.blind = true;
    }

    pub(super) fn see(&mut self, event: &Event, floor: &Floor<'_>, seen: &mut Vec<Sighting>) {
        let seq = event.seq;
        match &event.body {
            Body::CardsDelivered(delivered) => {
                let colour = delivered.colour.clone();
                self.size(&delivered.set, (delivered.decks, false), colour, seq);
            }
            Body::ShoeStarted(started) => {
                let rule = floor.cards;
                let known = self.sets.remove(&started.set);
                let colour = known.and_then(|set| set.colour);
                self.size(&started.set, (started.decks, true), colour.clone(), seq);
                let two_sided = floor.rules.is_some_and(has_two_sides);
                let is_other_side = |shoe: &Shoe| shoe.two_sided && !shoe.dealt;
                if two_sided && self.shoe.as_ref().is_some_and(is_other_side) {
                    return;
                }
                let sides = if two_sided { 2 } else { 1 };
                self.shoe = Some(Shoe {
                    set: started.set.clone(),
                    decks: started.decks.saturating_mul(sides),
                    two_sided,
                    continuous: started.method == DealingMethod::Continuous,
                    cards_per_deck: rule.map_or(52, |rule| rule.cards_per_deck),
                    jokers_per_deck: rule.map_or(0, |rule| rule.jokers_per_deck),
                    any_joker: rule.is_none(),
                    counted_every_round: rule.is_some_and(|rule| rule.counted_every_round),
                    out: 0,
                    untold_start: false,
                    dealt: false,
                    untold: false,
                    unseen: false,
                    seen: BTreeMap::new(),
                    seen_at: BTreeMap::new(),
                    back: colour,
                    mixed: two_sided,
                    dealt_every_round: rule.and_then(|rule| rule.dealt_every_round),
                    put_away: match (started.method, rule) {
                        (DealingMethod::AutoShoe, Some(rule)) => rule.put_away,
                        _ => 0,
                    },
                    burned: 0,
                    all_out: None,
                    started_seq: seq,
                    cut: started.cut.filter(|_| !two_sided),
                    overdue: false,
                });
            }
            Body::RoundOpened(_) => {
                self.check_cut(floor, seq, seen);
                self.places.clear();
                self.cards_of_round = 0;
                self.put_away = 0;
                self.blind = false;
                self.round.clone_from(&event.round);
                match (&mut self.shoe, floor.cards) {
                    (Some(shoe), _) => shoe.begin_round(),
                    (None, Some(rule)) => self.shoe = Some(Shoe::untold(rule, seq)),
                    (None, None) => {}
                }
            }
            Body::CardBurned(burned) => {
                if let Some(shoe) = &mut self.shoe {
                    shoe.burned = shoe.burned.saturating_add(1);
                }
                self.turn_back(burned.back.as_deref(), seq, seen);
                let rule = floor.rules.and_then(|rules| floor.equipment.cards(rules));
                let (card, board) = (burned.card.as_deref(), rule.and_then(|rule| rule.board));
                match board.and_then(|board| self.on_board(card, board)) {
                    None => self.leave(card, seq, seen),
                    Some(is_known) => {
                        self.put_away += 1;
                        if let Some(card) = card.filter(|_| !is_known) {
                            self.name(card, seq, seen);
                        }
                    }
                }
            }
            Body::CardDealt(dealt) => {
                self.lay(place(dealt.to, dealt.seat, dealt.hand), dealt.card.clone());
                if let Some(shoe) = &mut self.shoe {
                    // A side wager may be taken before the cards.
                    (shoe.dealt, shoe.unseen) = (true, false);
                }
                self.turn_back(dealt.back.as_deref(), seq, seen);
                self.leave(dealt.card.as_deref(), seq, seen);
            }
            // Which cards of another open round lie where is not known any more.
            Body::CardRevealed(_) if is_other(event.round.as_ref(), self.round.as_ref()) => {}
            Body::CardRevealed(shown) => {
                let is_split = self.is_split(shown.seat);
                let place = place(shown.to, shown.seat, shown.hand);
                let Some(cards) = self.places.get_mut(&place).filter(|_| !self.blind) else {
                    return;
                };
                let mut index = shown.index as usize;
                let agrees = |at: usize| {
                    let known = cards.get(at).and_then(Option::as_ref);
                    known.is_none_or(|known| *known == shown.card) && at < cards.len()
                };
                if is_split && !agrees(index) {
                    // A split moves cards between hands: the one that was not known is meant.
                    index = cards.iter().rposition(Option::is_none).unwrap_or(index);
                }
                let Some(card) = cards.get_mut(index) else {
                    return;
                };
                match card {
                    Some(known) if *known == shown.card => {}
                    Some(known) => {
                        let message =
                            format!("A card dealt as {known} was turned over as {}", shown.card);
                        seen.push(Sighting::new("deck.switched_card", vec![seq], message));
                    }
                    None => {
                        *card = Some(shown.card.clone());
                        self.name(&shown.card, seq, seen);
                    }
                }
            }
            // A card that was found face up is set aside: it lies neither in a hand nor in the stub. For more of
            // them the round is void, and all cards go back.
            Body::Irregularity(told) if told.kind == "face_up_card" && count_of(told) == 1 => {
                if let Some(shoe) = &mut self.shoe {
                    shoe.put_away = shoe.put_away.saturating_add(1);
                }
            }
            Body::WagerPaid(_) | Body::WagerCollected(_) => {
                let is_untold = self.cards_of_round == 0 && event.round == self.round;
                if let Some(shoe) = &mut self.shoe {
                    shoe.unseen |= is_untold && floor.is_round_open;
                }
            }
            // Where a deck runs out in a draw, discards go back into it: rules of poker 12(f)2, 21(g), 22(g). Who
            // holds which of them the round itself follows.
            Body::Irregularity(told) if told.kind.contains("reshuffle") => {
                let whole = |shoe: &&mut Shoe| shoe.counted_every_round;
                if let Some(shoe) = self.shoe.as_mut().filter(whole) {
                    shoe.seen.clear();
                    shoe.untold = true;
                }
            }
            // What went wrong may mean that the cards are shuffled and dealt again, told or not.
            Body::Irregularity(_) => {
                if let Some(shoe) = self.shoe.as_mut().filter(|shoe| shoe.untold_start) {
                    shoe.seen.clear();
                }
            }
            Body::CardReplaced(replaced) => {
                if let Some(shoe) = &self.shoe
                    && !shoe.holds(&replaced.card)
                {
                    seen.push(foreign(&replaced.card, seq));
                }
            }
            // What is left of one side says nothing of both.
            Body::ShoeEnded(_) if self.shoe.as_ref().is_some_and(|shoe| shoe.two_sided) => {}
            Body::ShoeEnded(ended) => {
                if let (Some(shoe), Some(remaining)) = (self.shoe.take(), ended.remaining)
                    && !shoe.continuous
                    && !shoe.is_untold()
                    && floor.rules.is_some()
                {
                    let found = shoe.out_beside(remaining).saturating_add(remaining);
                    let evidence = vec![shoe.started_seq, seq];
                    compare((found, shoe.total()), "The shoe", &shoe.set, evidence, seen);
                }
            }
            // How many cards a deck has is the game's matter, and nobody told which it is.
            Body::CardsCounted(_) if floor.rules.is_none() => {}
            Body::CardsCounted(counted) if counted.scope == Some(CountScope::Stub) => {
                let is_its = |shoe: &&mut Shoe| {
                    shoe.set == counted.set && !shoe.two_sided && !shoe.is_untold()
                };
                let Some(shoe) = self.shoe.as_mut().filter(is_its) else {
                    return;
                };
                let left = shoe.total().saturating_sub(shoe.out_beside(counted.count));
                let evidence = vec![shoe.started_seq, seq];
                let found = (counted.count, left);
                compare(found, "The stub", &counted.set, evidence, seen);
                let is_all = shoe.out.saturating_add(counted.count) == shoe.total();
                shoe.all_out = is_all.then_some(shoe.out);
            }
            Body::CardsCounted(counted) => self.count_set(counted, floor, seq, seen),
            _ => {}
        }
    }

    fn size(&mut self, set: &str, (decks, dealt): (u32, bool), colour: Option<String>, seq: u64) {
        let size = SetSize {
            decks,
            dealt,
            colour,
            seq,
        };
        self.sets.insert(set.to_owned(), size);
        make_room(&mut self.sets, MAX_SETS, |size| size.seq);
    }

    /// A card comes to lie at a place.
    fn lay(&mut self, place: String, card: Option<String>) {
        self.cards_of_round += 1;
        if self.cards_of_round > MAX_CARDS_OF_ROUND {
            self.places.clear();
            self.blind = true;
        } else {
            self.places.entry(place).or_default().push(card);
        }
    }

    /// All cards of a shoe have one back.
    fn turn_back(&mut self, back: Option<&str>, seq: u64, seen: &mut Vec<Sighting>) {
        let (Some(shoe), Some(back)) = (&mut self.shoe, back) else {
            return;
        };
        match &shoe.back {
            None => shoe.back = Some(back.to_owned()),
            Some(first) if !first.eq_ignore_ascii_case(back) && !shoe.mixed => {
                let message = format!("A {back} back came from a shoe of {first} backs");
                let evidence = vec![shoe.started_seq, seq];
                seen.push(Sighting::new("deck.mixed_batches", evidence, message));
                shoe.mixed = true;
            }
            Some(_) => {}
        }
    }

    /// The round in which the cutting card comes out is the last of its shoe, in the games whose rules
    /// say so. Cards that nobody told of only make it come later.
    fn check_cut(&mut self, floor: &Floor<'_>, seq: u64, seen: &mut Vec<Sighting>) {
        const CODE: &str = "deck.overdue_shuffle";
        let Some(shoe) = &mut self.shoe else { return };
        let game = floor
            .rules
            .and_then(|rules| floor.rulebook.game(&rules.game).ok());
        let says_so = |code: &str| {
            let filed = game.map(|game| game.book().findings().iter());
            filed.is_some_and(|mut filed| filed.any(|entry| entry.code == code))
        };
        let before_cut = shoe.cut.map(|cut| shoe.total().saturating_sub(cut));
        let is_out = !shoe.continuous && before_cut.is_some_and(|before| shoe.out > before);
        if is_out && !shoe.overdue && says_so(CODE) {
            shoe.overdue = true;
            let message = "A round was begun after the cutting card had come out".to_owned();
            seen.push(Sighting::new(CODE, vec![shoe.started_seq, seq], message));
        }
    }

    /// Does this burned card lie on a board that has more cards than stay in play, and is it known to?
    fn on_board(&self, card: Option<&str>, board: usize) -> Option<bool> {
        let boards = [CardPlace::Community, CardPlace::Dealer].map(|to| place(to, None, None));
        let mut boards = boards.iter().filter_map(|place| self.places.get(place));
        let cards = boards.find(|cards| cards.len() > board + self.put_away)?;
        let Some(card) = card else { return Some(true) };
        let shoe = self.shoe.as_ref().filter(|shoe| shoe.holds(card))?;
        let is_known = cards.iter().flatten().any(|known| known == card);
        let fits = is_known || cards.contains(&None) && !shoe.seen.contains_key(card);
        fits.then_some(is_known)
    }

    /// Does this seat have more than one hand?
    fn is_split(&self, seat: Option<u32>) -> bool {
        let second = place(CardPlace::Seat, seat, Some(2));
        seat.is_some() && self.places.contains_key(&second)
    }

    /// A card leaves the shoe, named or not.
    fn leave(&mut self, card: Option<&str>, seq: u64, seen: &mut Vec<Sighting>) {
        // A card that the deck does not hold was never in the shoe.
        if let Some(shoe) = &mut self.shoe
            && card.is_none_or(|card| shoe.holds(card))
        {
            shoe.out = shoe.out.saturating_add(1);
        }
        if let Some(card) = card {
            self.name(card, seq, seen);
        }
    }

    /// An identity is seen for the first time at its place.
    fn name(&mut self, card: &str, seq: u64, seen: &mut Vec<Sighting>) {
        // What is no card at all is in no shoe, told of or not.
        let is_foreign = match &self.shoe {
            Some(shoe) => !shoe.holds(card),
            None => card.parse::<Card>().is_err(),
        };
        if is_foreign {
            return seen.push(foreign(card, seq));
        }
        let Some(shoe) = &mut self.shoe else { return };
        if card == "JK" && shoe.any_joker {
            return;
        }
        let copies = if card == "JK" {
            shoe.decks * shoe.jokers_per_deck
        } else {
            shoe.decks
        };
        let count = shoe.seen.entry(card.to_owned()).or_default();
        *count += 1;
        let before = match shoe.seen_at.get_mut(card) {
            Some(last) => Some(std::mem::replace(last, seq)),
            None => shoe.seen_at.insert(card.to_owned(), seq),
        };
        if *count > copies {
            let message =
                format!("{card} was seen {count} times in a shoe that holds it {copies} times");
            let evidence = [shoe.started_seq].into_iter().chain(before).chain([seq]);
            let evidence = evidence.collect();
            seen.push(Sighting::new("deck.duplicate_card", evidence, message));
        }
    }
}

impl Shoe {
    /// What a game without a word of its shoe is dealt from.
    fn untold(rule: &CardRule, seq: u64) -> Shoe {
        let is_whole = rule.counted_every_round && rule.permits_decks(1, false);
        Shoe {
            set: String::new(),
            decks: if is_whole {
                1
            } else {
                MAX_CARDS_OF_ROUND as u32
            },
            two_sided: false,
            continuous: false,
            cards_per_deck: rule.cards_per_deck,
            jokers_per_deck: rule.jokers_per_deck,
            any_joker: false,
            counted_every_round: rule.counted_every_round,
            out: 0,
            untold_start: true,
            dealt: false,
            untold: true,
            unseen: false,
            seen: BTreeMap::new(),
            seen_at: BTreeMap::new(),
            back: None,
            mixed: true,
            dealt_every_round: None,
            put_away: 0,
            burned: 0,
            all_out: None,
            started_seq: seq,
            cut: None,
            overdue: false,
        }
    }

    /// A machine that shuffles without end may give every card again, and a deck that is shuffled after
    /// every round begins anew even where nobody told of the shuffle.
    fn begin_round(&mut self) {
        if self.continuous {
            self.seen.clear();
        } else if self.counted_every_round && self.dealt {
            self.seen.clear();
            (self.out, self.burned) = (0, 0);
            (self.dealt, self.back) = (false, None);
        }
        self.untold |= std::mem::take(&mut self.unseen);
        self.untold &= !self.counted_every_round;
    }

    fn is_untold(&self) -> bool {
        self.untold || self.unseen || self.untold_start
    }

    fn total(&self) -> u32 {
        self.decks
            .saturating_mul(self.cards_per_deck + self.jokers_per_deck)
    }

    /// The cards that have left it, where so many are left: all that were told, or with them all that
    /// every round deals or puts away where these come nearer to the whole.
    fn out_beside(&self, left: u32) -> u32 {
        let always = self.dealt_every_round.unwrap_or_default();
        let away = self.put_away.saturating_sub(self.burned);
        let away = if self.dealt { away } else { 0 };
        let most = always.max(self.out.saturating_add(away));
        let off = |out: u32| out.saturating_add(left).abs_diff(self.total());
        let may_be_more = self.out < most && self.all_out != Some(self.out);
        if may_be_more && off(most) < off(self.out) {
            most
        } else {
            self.out
        }
    }

    /// Is this a card of the game's decks? Decks of 48 cards have no tens.
    fn holds(&self, card: &str) -> bool {
        match card.parse::<Card>() {
            Ok(Card::JOKER) => self.jokers_per_deck > 0 || self.any_joker,
            Ok(card) => self.cards_per_deck != 48 || card.rank() != Some(Rank::Ten),
            Err(_) => false,
        }
    }
}

/// So many cards an irregularity is about, one where it does not say.
fn count_of(told: &Irregularity) -> u64 {
    let detail = told.detail.as_ref().map(Json::value).unwrap_or_default();
    detail.get("count").unwrap_or(&detail).as_u64().unwrap_or(1)
}

/// Is the table dealt from a double shoe?
pub(super) fn has_two_sides(rules: &RulesInForce) -> bool {
    let sides = rules.option("double_shoe");
    sides.is_some_and(|sides| sides.is_object())
}

fn is_other(round: Option<&String>, open: Option<&String>) -> bool {
    round.zip(open).is_some_and(|(round, open)| round != open)
}

fn foreign(card: &str, seq: u64) -> Sighting {
    let message = format!("{card} is not a card of this game's deck");
    Sighting::new("deck.foreign_card", vec![seq], message)
}

fn place(to: CardPlace, seat: Option<u32>, hand: Option<u32>) -> String {
    format!("{to:?} {seat:?} {}", hand.unwrap_or(1))
}

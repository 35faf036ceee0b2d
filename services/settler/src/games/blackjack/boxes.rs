//! A box as its events tell it: cards, decisions and stakes in order.

use catwalk_rules::floor::{Card, Cents};
use catwalk_rules::games::blackjack::Step as Told;
use serde::de::DeserializeOwned;

use super::points::{is_blackjack, is_seven, total};
use crate::games::told::Reading;

/// One box.
#[derive(Debug, Default)]
pub(super) struct BoxFold {
    /// Every card that went to it, in dealing order; `None` until it is shown.
    slots: Vec<Option<String>>,
    first: Vec<usize>,
    steps: Vec<Step>,
    /// Left to right as they are played.
    hands: Vec<HandFold>,
    splits: Vec<Split>,
    pub(super) even_money: bool,
    /// It was called dead before it had its first two cards.
    pub(super) dead: bool,
    /// What the blackjack bonus display showed, where it is told: nothing if the system failed.
    pub(super) display: Option<Option<Cents>>,
    /// Does any event name a hand other than the first?
    pub(super) names_hands: bool,
    /// A split ace gets one card and no more.
    pub(super) aces_get_one: bool,
}

#[derive(Debug)]
struct Step {
    hand: u32,
    verb: &'static str,
    card: Option<usize>,
    new_hand: Option<u32>,
}

#[derive(Debug)]
struct HandFold {
    number: u32,
    cards: Vec<usize>,
    /// Cards that were dealt to it by this number, as a place at the table counts them.
    dealt: Vec<usize>,
    split: bool,
    /// What was decided and waits for its card.
    pending: Option<&'static str>,
    /// It was split when the stake was put down; the decision may still be told.
    split_by_stake: bool,
    /// A stake for its double was put down.
    staked: bool,
    over: bool,
}

#[derive(Debug)]
struct Split {
    step: usize,
    new_hand: u32,
    /// Main wagers whose split stake is known.
    covered: Vec<String>,
    /// A card has followed.
    dealt: bool,
}

impl HandFold {
    fn new(number: u32, cards: Vec<usize>) -> HandFold {
        HandFold {
            number,
            dealt: Vec::new(),
            cards,
            split: false,
            pending: None,
            split_by_stake: false,
            staked: false,
            over: false,
        }
    }
}

impl BoxFold {
    pub(super) fn has_cards(&self) -> bool {
        !self.slots.is_empty()
    }

    pub(super) fn first_cards(&self) -> Vec<Option<&str>> {
        let slots = self.first.iter();
        slots.map(|&slot| self.slots[slot].as_deref()).collect()
    }

    /// Every card that went to it, in dealing order.
    pub(super) fn cards(&self) -> impl Iterator<Item = Option<&str>> {
        self.slots.iter().map(Option::as_deref)
    }

    /// Were more cards dealt to it than the first two?
    pub(super) fn has_drawn(&self) -> bool {
        self.slots.len() > self.first.len()
    }

    /// Did the player decide or draw anything?
    pub(super) fn has_acted(&self) -> bool {
        let asked = self.hands.iter().any(|hand| hand.pending.is_some());
        let acts = |step: &Step| !matches!(step.verb, "dead" | "bonus_card");
        asked || self.steps.iter().any(acts)
    }

    /// The hand that an event means which names none: the first, unless the box was split and its
    /// feed never names hands.
    pub(super) fn meant(&self, hand: Option<u32>) -> u32 {
        match hand {
            Some(hand) => hand,
            None if self.names_hands => 1,
            None => self.in_play(),
        }
    }

    /// The leftmost hand that is not over. Hands are played from left to right: one that lies left of the
    /// last card is done, though nobody may have said that it stood.
    pub(super) fn in_play(&self) -> u32 {
        let open = self.open_hands().next();
        open.or(self.hands.last()).map_or(1, |hand| hand.number)
    }

    /// The hands that are not over: from the last card on, then those left of it.
    fn open_hands(&self) -> impl Iterator<Item = &HandFold> {
        let last = self.steps.iter().rfind(|step| step.card.is_some());
        let reached = last.and_then(|step| {
            let mut hands = self.hands.iter();
            hands.position(|hand| hand.number == step.hand)
        });
        let (left, right) = self.hands.split_at(reached.unwrap_or_default());
        right.iter().chain(left).filter(|hand| !self.is_over(hand))
    }

    /// The hand that a stake for a split is for: the leftmost pair. A split ace that has its second card is
    /// done, and nobody says so.
    fn pair_in_play(&self) -> u32 {
        let pair = self.open_hands().find(|hand| self.is_pair(hand));
        pair.map_or_else(|| self.in_play(), |hand| hand.number)
    }

    /// Is the hand in play a pair that could be split?
    fn has_open_pair(&self) -> bool {
        let mut open = self.open_hands();
        open.next().is_some_and(|hand| self.is_pair(hand))
    }

    fn is_pair(&self, hand: &HandFold) -> bool {
        let worth = |slot: usize| {
            let card: Card = self.slots[slot].as_ref()?.parse().ok()?;
            Some(total(&[card]).0)
        };
        match *hand.cards.as_slice() {
            [one, other] => worth(one).is_some() && worth(one) == worth(other),
            _ => false,
        }
    }

    /// The hand that the last split made.
    pub(super) fn newest_hand(&self) -> u32 {
        self.splits.last().map_or(1, |split| split.new_hand)
    }

    /// The hand that stands where none is named: one that still waits for its second card cannot, so it is the one
    /// that got the last card and had enough of it.
    fn stands_now(&self) -> u32 {
        let number = self.in_play();
        let in_play = self.hands.iter().find(|hand| hand.number == number);
        let waits = in_play.is_some_and(|hand| hand.cards.len() < 2);
        let last = self.steps.iter().rfind(|step| step.card.is_some());
        last.filter(|_| waits).map_or(number, |step| step.hand)
    }

    /// The hand that was doubled last: the only one that can be rescued.
    fn doubled_last(&self) -> Option<u32> {
        let mut steps = self.steps.iter();
        let doubled = steps.rfind(|step| step.verb.ends_with("double"));
        doubled.map(|step| step.hand)
    }

    /// The hand that a decision doubled, that has its card and waits for its stake still.
    pub(super) fn doubled_unstaked(&self) -> Option<u32> {
        let last = self.doubled_last()?;
        let hand = self.hands.iter().find(|hand| hand.number == last)?;
        (!hand.staked).then_some(last)
    }

    /// Was a hand split or doubled by a word, and its stake never told?
    pub(super) fn has_untold_stake(&self) -> bool {
        let is_unstaked = |step: &Step| {
            let mut hands = self.hands.iter();
            let is_staked = hands.any(|hand| hand.number == step.hand && hand.staked);
            step.verb.ends_with("double") && !is_staked
        };
        self.splits.iter().any(|split| split.covered.is_empty())
            || self.steps.iter().any(is_unstaked)
    }

    pub(super) fn has_blackjack(&self) -> bool {
        let cards = self.first_cards();
        let cards = cards.into_iter().flatten().map(|card| card.parse().ok());
        cards
            .collect::<Option<Vec<Card>>>()
            .is_some_and(|cards| is_blackjack(&cards))
    }

    /// Is this hand, or without one all of the box, past the moment for a stake?
    pub(super) fn is_finished(&self, hand: Option<u32>) -> bool {
        let of_it = |one: &&HandFold| hand.is_none_or(|hand| one.number == hand);
        let mut hands = self.hands.iter().filter(of_it).peekable();
        hands.peek().is_some() && hands.all(|hand| self.is_over(hand) && !self.is_full(hand))
    }

    /// Twenty-one on as many cards as are doubled or split at this table: to do so is not allowed, and that is
    /// the fault, not the hour.
    fn is_full(&self, hand: &HandFold) -> bool {
        let few = hand.cards.len() == 2 || !self.aces_get_one;
        few && !hand.over && self.points(hand) == Some(21)
    }

    /// In a tournament blackjack may be doubled: a decision that waits for its card goes on with the hand.
    fn is_over(&self, hand: &HandFold) -> bool {
        let most = if hand.pending.is_some() { 21 } else { 20 };
        hand.over || hand.cards.len() >= 2 && self.points(hand).is_some_and(|points| points > most)
    }

    /// A split ace that has its card and asks for no other: nobody says that it is done.
    fn is_held(&self, hand: &HandFold) -> bool {
        let first = hand
            .cards
            .first()
            .and_then(|&slot| self.slots[slot].as_ref());
        let is_ace = first.is_some_and(|card| card.starts_with('A'));
        self.aces_get_one && is_ace && hand.split && hand.cards.len() >= 2 && hand.pending.is_none()
    }

    /// The hand that a card goes to: where hands are not named, one that waits for its second card comes
    /// after a split ace that has it.
    fn next_to_draw(&self) -> u32 {
        let number = self.meant(None);
        let meant = self.hands.iter().find(|one| one.number == number);
        if self.names_hands || !meant.is_some_and(|meant| self.is_held(meant)) {
            return number;
        }
        let mut waiting = self.hands.iter().filter(|one| one.cards.len() == 1);
        waiting.next().map_or(number, |one| one.number)
    }

    fn points(&self, hand: &HandFold) -> Option<u32> {
        let cards = hand.cards.iter();
        let cards: Option<Vec<Card>> = cards
            .map(|&slot| self.slots[slot].as_ref()?.parse().ok())
            .collect();
        Some(total(&cards?).0)
    }

    fn hand_mut(&mut self, number: u32) -> Option<&mut HandFold> {
        self.hands.iter_mut().find(|hand| hand.number == number)
    }

    /// A card goes to the box. `bonus`: the dealer's blackjack is known, so that it can only be the
    /// third card of a super sevens wager. `Err` says what no event explains.
    pub(super) fn take(
        &mut self,
        hand: Option<u32>,
        card: Option<&str>,
        bonus: bool,
    ) -> Result<(), String> {
        let number = hand.unwrap_or_else(|| self.next_to_draw());
        let slot = self.slots.len();
        self.slots.push(card.map(str::to_owned));
        if self.hands.is_empty() {
            self.hands.push(HandFold::new(1, Vec::new()));
        }
        if self.first.len() < 2 && self.splits.is_empty() && number == 1 {
            self.first.push(slot);
            let hand = &mut self.hands[0];
            hand.cards.push(slot);
            hand.dealt.push(slot);
            return Ok(());
        }
        let sevens = self.first_cards().into_iter().flatten().all(is_seven);
        let Some(hand) = self.hand_mut(number) else {
            return Err(format!("a card went to hand {number}, which no split made"));
        };
        let verb = match hand.pending.take() {
            None | Some("hit") if hand.split && hand.cards.len() == 1 => "deal",
            None if bonus && sevens => "bonus_card",
            None => "hit",
            Some(verb) => verb,
        };
        hand.dealt.push(slot);
        hand.split_by_stake = false;
        if verb != "bonus_card" {
            hand.cards.push(slot);
        }
        hand.over |= verb.ends_with("double");
        self.steps.push(Step {
            hand: number,
            verb,
            card: Some(slot),
            new_hand: None,
        });
        if let Some(split) = self.splits.last_mut() {
            split.dealt = true;
        }
        Ok(())
    }

    /// A card is turned over. Feeds count the cards of a split hand with or without the one that
    /// came from the split; a card that is not known yet is meant before one that is.
    pub(super) fn show(&mut self, hand: Option<u32>, index: usize, card: &str) {
        let number = self.meant(hand);
        let Some(hand) = self.hands.iter().find(|hand| hand.number == number) else {
            return;
        };
        let places = [hand.cards.get(index), hand.dealt.get(index)];
        let places: Vec<usize> = places.into_iter().flatten().copied().collect();
        let agrees = |slot: &&usize| {
            let known = self.slots[**slot].as_deref();
            known.is_none_or(|known| known == card)
        };
        let unseen = || self.slots.iter().position(Option::is_none);
        let split = !self.splits.is_empty();
        let slot = places.iter().find(agrees).copied();
        let slot = slot.or_else(|| split.then(unseen).flatten());
        if let Some(slot) = slot.or(places.first().copied()) {
            self.slots[slot] = Some(card.to_owned());
        }
    }

    /// The player decides. A split makes a new hand, of the number `new_hand` where its stake names
    /// one.
    pub(super) fn decide(&mut self, hand: Option<u32>, verb: &'static str, new_hand: Option<u32>) {
        let number = match hand {
            None if verb.ends_with("split") && !self.names_hands => self.pair_in_play(),
            None if verb == "rescue" => self.doubled_last().unwrap_or_else(|| self.meant(None)),
            None if verb == "stand" && !self.names_hands => self.stands_now(),
            hand => self.meant(hand),
        };
        let step = Step {
            hand: number,
            verb,
            card: None,
            new_hand: None,
        };
        match verb {
            "hit" | "double" | "free_double" | "bonus_card" => {
                let Some(hand) = self.hand_mut(number) else {
                    return;
                };
                // "Double" is also said of a free one.
                if !(verb == "double" && hand.pending == Some("free_double")) {
                    hand.pending = Some(verb);
                }
            }
            "split" | "free_split" => match self.hand_mut(number) {
                Some(hand) if hand.split_by_stake => hand.split_by_stake = false,
                _ => self.split(number, verb, new_hand),
            },
            _ => {
                if let Some(hand) = self.hand_mut(number) {
                    hand.pending = None;
                    hand.over = true;
                }
                self.steps.push(step);
            }
        }
    }

    fn split(&mut self, number: u32, verb: &'static str, new_hand: Option<u32>) {
        let next = self.hands.iter().map(|hand| hand.number).max();
        let next = next.unwrap_or(1) + 1;
        let unused = |hand: &u32| self.hands.iter().all(|known| known.number != *hand);
        let new_hand = new_hand.filter(unused).unwrap_or(next);
        let Some(at) = self.hands.iter().position(|hand| hand.number == number) else {
            return;
        };
        let parent = &mut self.hands[at];
        let moved = parent.cards.split_off(parent.cards.len().min(1));
        parent.split = true;
        parent.pending = None;
        let mut born = HandFold::new(new_hand, moved);
        born.split = true;
        self.hands.insert(at + 1, born);
        self.splits.push(Split {
            step: self.steps.len(),
            new_hand,
            covered: Vec::new(),
            dealt: false,
        });
        self.steps.push(Step {
            hand: number,
            verb,
            card: None,
            new_hand: Some(new_hand),
        });
    }

    /// A stake for a split of the wager `root` is put down: the hand it is for. Where no decision
    /// told of the split, the stake does.
    pub(super) fn cover_split(&mut self, root: &str, kind: &'static str, hand: Option<u32>) -> u32 {
        let is_its = |split: &Split| match hand {
            Some(hand) => split.new_hand == hand,
            None => !split.covered.iter().any(|covered| covered == root),
        };
        // One that waits for a card comes before one whose card was dealt without a stake.
        let find = |splits: &[Split]| {
            let waits = splits
                .iter()
                .position(|split| is_its(split) && !split.dealt);
            waits.or_else(|| splits.iter().position(&is_its))
        };
        let behind = self.has_split_behind(root, hand);
        let waits = find(&self.splits).filter(|&at| behind || !self.splits[at].dealt);
        if waits.is_none() && hand.is_none_or(|_| find(&self.splits).is_none()) {
            let parent = self.pair_in_play();
            self.split(parent, kind, hand);
            if let Some(parent) = self.hand_mut(parent) {
                parent.split_by_stake = true;
            }
        }
        let Some(split) = find(&self.splits).and_then(|at| self.splits.get_mut(at)) else {
            return hand.unwrap_or(1);
        };
        split.covered.push(root.to_owned());
        if kind == "free_split" {
            self.steps[split.step].verb = kind;
        }
        split.new_hand
    }

    /// Does a stake for a split of `root` come after the card that followed? It is for the split that still
    /// waits for a card, by the hand that it names, or else for a pair that is split next.
    pub(super) fn has_split_behind(&self, root: &str, hand: Option<u32>) -> bool {
        let is_open = |split: &&Split| {
            let named = hand.is_none_or(|hand| split.new_hand == hand);
            named && !split.covered.iter().any(|covered| covered == root)
        };
        let mut open = self.splits.iter().filter(is_open).peekable();
        let splits_next = hand.is_none() && self.has_open_pair();
        open.peek().is_some() && open.all(|split| split.dealt) && !splits_next
    }

    /// A stake for a double is put down: the hand it is for. Where no decision tells of the double,
    /// the stake does.
    pub(super) fn cover_double(&mut self, kind: &'static str, hand: Option<u32>) -> u32 {
        let doubling = |hand: &&HandFold| hand.pending.is_some_and(|verb| verb.ends_with("double"));
        let waiting = self.hands.iter().find(doubling).map(|hand| hand.number);
        let behind = || self.doubled_unstaked();
        let number = hand
            .or(waiting)
            .or_else(behind)
            .unwrap_or_else(|| self.in_play());
        let is_over = self.is_finished(Some(number));
        self.stake_double(number);
        if let Some(hand) = self.hand_mut(number).filter(|_| !is_over)
            && matches!(hand.pending, None | Some("double"))
        {
            hand.pending = Some(kind);
        }
        number
    }

    /// The stake for a double of this hand is told.
    pub(super) fn stake_double(&mut self, number: u32) {
        if let Some(hand) = self.hand_mut(number) {
            hand.staked = true;
        }
    }

    /// Hands of a split that stood without a word: the step after which each did. A card to the next
    /// hand says so, where nothing more happens to this one; a split ace that may get one card only has
    /// nothing to say.
    fn stood_unsaid(&self) -> Vec<(usize, u32)> {
        let place = |number: u32| self.hands.iter().position(|hand| hand.number == number);
        let stood = |(at, hand): (usize, &HandFold)| {
            let is_open = hand.split && hand.cards.len() >= 2 && !self.is_over(hand);
            if !is_open || self.is_held(hand) || hand.pending.is_some() {
                return None;
            }
            let number = hand.number;
            let touches = |step: &Step| step.hand == number || step.new_hand == Some(number);
            let last = self.steps.iter().rposition(touches)?;
            let goes_on = |step: &Step| step.card.is_some() && place(step.hand) > Some(at);
            let is_left = self.steps[last + 1..].iter().any(goes_on);
            is_left.then_some((last, number))
        };
        self.hands.iter().enumerate().filter_map(stood).collect()
    }

    /// `boxes[at].steps` of the document. A box that is dead before it has two cards has none.
    pub(super) fn steps<V: DeserializeOwned>(
        &self,
        at: usize,
        reading: &mut Reading,
    ) -> Vec<Told<V>> {
        let mut steps: Vec<Told<V>> = Vec::new();
        let stood = self.stood_unsaid();
        let told = self.steps.iter().enumerate().filter(|_| !self.dead);
        for (after, step) in told {
            let place = format!("boxes[{at}].steps[{}]", steps.len());
            let card = step.card.map(|slot| self.slots[slot].as_deref());
            let card = card.and_then(|card| reading.card(format_args!("{place}.card"), card));
            let verb = reading.word(format_args!("{place}.do"), step.verb);
            steps.extend(verb.map(|verb| Told {
                hand: step.hand,
                verb,
                card,
                new_hand: step.new_hand,
            }));
            for (_, hand) in stood.iter().filter(|(stood, _)| *stood == after) {
                let verb = reading.word(format_args!("{place}.do"), "stand");
                steps.extend(verb.map(|verb| Told {
                    hand: *hand,
                    verb,
                    card: None,
                    new_hand: None,
                }));
            }
        }
        steps
    }

    /// Why all of it is dead.
    pub(super) fn dead_for(&self) -> Option<&'static str> {
        let reason = match self.first.len() {
            0 => "no_cards",
            _ => "one_card",
        };
        self.dead.then_some(reason)
    }
}

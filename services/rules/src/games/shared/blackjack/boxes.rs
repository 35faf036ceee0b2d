//! The boxes of a round: their first cards, and the steps that make hands of them.

use serde::{Deserialize, Serialize};

use super::points::{Total, is_ace, is_blackjack, points, total};
use super::{Doubling, HouseRules, Step, Surrender, first_hand};
use crate::floor::{Card, Seat};
use crate::games::shared::shoe::{joker_at, refuse_jokers};
use crate::refusal::Refusal;
use crate::settlement::Violations;

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Hit,
    Stand,
    Double(Purse),
    Split(Purse),
    /// The compulsory second card of a split hand.
    Deal,
    Surrender,
    /// Takes a double back and gives the original wager up.
    Rescue,
    /// Refuses a card that was drawn in error and shown; no further card is due to the box.
    Refuse,
    /// A third card for super sevens after the dealer's blackjack; not part of the hand.
    BonusCard,
    /// The hand is called dead.
    Dead,
}

/// Whose money a double or a split is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purse {
    Own,
    /// The house's: a Free Bet lammer.
    Free,
}

/// The play of a game of the family: what each of them records, and what it alone has.
macro_rules! table_play {
    (Play { $($play:tt)* } TableBox { $($of_box:tt)* }) => {
        $crate::round::document! {
            Play {
                ?
                pub boxes: Vec<TableBox>,
                pub dealer: DealerCards,
                pub reader_fault: bool,
                /// Cards that left the shoe unused.
                pub burned: Vec<$crate::floor::Card>,
                pub void_round: Option<$crate::games::shared::blackjack::VoidRound>,
                $($play)*
            }

            TableBox {
                pub seat: $crate::floor::Seat,
                ?
                pub cards: Vec<$crate::floor::Card>,
                pub steps: Vec<$crate::games::shared::blackjack::Step<Verb>>,
                pub caller: Option<String>,
                pub dead: Option<$crate::games::shared::blackjack::Dead>,
                $($of_box)*
            }
        }

        impl $crate::games::shared::blackjack::ToldBox for TableBox {
            type Verb = Verb;
            fn dealt(
                self,
                cards: Vec<$crate::floor::Card>,
                steps: Vec<$crate::games::shared::blackjack::Step<Verb>>,
            ) -> TableBox {
                TableBox { cards, steps, ..self }
            }
        }

        impl TableBox {
            fn record(&self) -> $crate::games::shared::blackjack::BoxRecord<'_, Verb> {
                $crate::games::shared::blackjack::BoxRecord {
                    seat: self.seat,
                    cards: &self.cards,
                    steps: &self.steps,
                    caller: self.caller.as_deref(),
                    dead: self.dead,
                }
            }
        }
    };
}
pub(crate) use table_play;

/// A box as the document records it.
#[derive(Debug)]
pub(crate) struct BoxRecord<'a, V> {
    pub(crate) seat: Seat,
    pub(crate) cards: &'a [Card],
    pub(crate) steps: &'a [Step<V>],
    pub(crate) caller: Option<&'a str>,
    pub(crate) dead: Option<Dead>,
}

/// Why a whole box is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Dead {
    NoCards,
    OneCard,
}

impl Dead {
    /// The cards that such a box has.
    fn cards(self) -> usize {
        match self {
            Dead::NoCards => 0,
            Dead::OneCard => 1,
        }
    }
}

/// A box after its steps.
#[derive(Debug)]
pub(crate) struct PlayedBox<'a, V> {
    pub(crate) record: BoxRecord<'a, V>,
    /// Left to right as they are played; empty if the box is dead.
    pub(crate) hands: Vec<Hand>,
    /// All cards of its hands in the order in which they were dealt.
    pub(crate) dealt: Vec<Card>,
    pub(crate) bonus_card: Option<Card>,
    /// A card was refused on one of its hands.
    refused: bool,
}

impl<V: Copy + Into<Act>> PlayedBox<'_, V> {
    pub(crate) fn seat(&self) -> Seat {
        self.record.seat
    }

    pub(crate) fn is_alive(&self) -> bool {
        self.record.dead.is_none()
    }

    pub(crate) fn hand(&self, number: u32) -> Option<&Hand> {
        self.hands.iter().find(|hand| hand.number == number)
    }

    /// Two cards if the box is alive.
    pub(crate) fn first_cards(&self) -> &[Card] {
        self.record.cards
    }

    pub(crate) fn was_split(&self) -> bool {
        self.hands.len() > 1
    }

    /// The steps of a box that is alive.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (Act, &Step<V>)> {
        let steps = if self.is_alive() {
            self.record.steps
        } else {
            &[]
        };
        steps.iter().map(|step| (step.verb.into(), step))
    }

    /// Every card that the document records for the box.
    pub(crate) fn cards(&self) -> impl Iterator<Item = Card> {
        let steps = self.record.steps.iter().filter_map(|step| step.card);
        self.record.cards.iter().copied().chain(steps)
    }
}

/// A hand of a box.
#[derive(Debug)]
pub(crate) struct Hand {
    pub(crate) number: u32,
    pub(crate) cards: Vec<Card>,
    /// Born of a split, or split itself.
    pub(crate) split: bool,
    /// Held by the rule of one card for a split ace.
    split_ace: bool,
    stood: bool,
    /// How it was doubled last.
    pub(crate) doubled: Option<Purse>,
    surrendered: bool,
    /// Surrendered where the rules know of it: elsewhere the hand plays on as it is.
    pub(crate) given_up: bool,
    refused: bool,
    pub(crate) rescued: bool,
    pub(crate) dead: bool,
}

impl Hand {
    fn new(number: u32, cards: Vec<Card>) -> Hand {
        Hand {
            number,
            cards,
            split: false,
            split_ace: false,
            stood: false,
            doubled: None,
            surrendered: false,
            given_up: false,
            refused: false,
            rescued: false,
            dead: false,
        }
    }

    pub(crate) fn total(&self) -> Total {
        total(&self.cards)
    }

    pub(crate) fn is_bust(&self) -> bool {
        self.total().points > 21
    }

    /// The first two cards of a box that was neither split nor doubled.
    pub(crate) fn is_blackjack(&self) -> bool {
        !self.split && self.doubled.is_none() && is_blackjack(&self.cards)
    }

    /// Stood, doubled, surrendered or dead: it gets no decision any more.
    fn is_closed(&self) -> bool {
        self.stood || self.doubled.is_some() || self.surrendered || self.dead
    }

    /// May another `stand` be said of it? Twenty-one, a split ace and a refusal end a hand without a word.
    fn ends_in_silence(&self) -> bool {
        self.total().points == 21 || self.split_ace || self.refused
    }

    fn is_finished(&self) -> bool {
        let two_or_more = self.cards.len() >= 2;
        self.is_closed()
            || self.rescued
            || self.refused
            || self.is_bust()
            || two_or_more && (self.split_ace || self.total().points == 21)
    }

    fn has_pair(&self) -> bool {
        matches!(self.cards[..], [a, b] if points(a) == points(b))
    }

    fn has_pair_of_aces(&self) -> bool {
        matches!(self.cards[..], [a, b] if is_ace(a) && is_ace(b))
    }

    fn may_double(&self, rules: Doubling) -> bool {
        let total = self.total().points;
        let enough_cards = if rules.two_cards_only {
            self.cards.len() == 2
        } else {
            self.cards.len() >= 2
        };
        enough_cards
            && (total != 21 || self.is_blackjack() && rules.on_blackjack)
            && !self.split_ace
            && (!self.split || rules.after_split)
            && (!rules.nine_to_eleven || (9..=11).contains(&total))
    }

    /// Two cards without an ace that count nine, ten or eleven.
    fn may_double_free(&self) -> bool {
        let total = self.total();
        self.cards.len() == 2 && !total.soft && (9..=11).contains(&total.points)
    }
}

/// Replays the steps of box `index` and flags what the rules do not allow. Cards count where they
/// lie, after an illegal step too.
pub(crate) fn replay<'a, V: Copy + Into<Act>>(
    record: BoxRecord<'a, V>,
    index: usize,
    rules: &HouseRules,
    violations: &mut Violations,
) -> Result<PlayedBox<'a, V>, Refusal> {
    let place = |rest: &str| format!("play.boxes[{index}].{rest}");
    refuse_jokers(record.cards, &place("cards"))?;
    for (at, step) in record.steps.iter().enumerate() {
        if step.card.is_some_and(Card::is_joker) {
            return Err(joker_at(place(&format!("steps[{at}].card"))));
        }
    }
    let mut played = PlayedBox {
        hands: Vec::new(),
        dealt: Vec::new(),
        bonus_card: None,
        refused: false,
        record,
    };
    if let Some(dead) = played.record.dead {
        refuse_unlike(dead, &played.record, place)?;
        return Ok(played);
    }
    let cards = played.record.cards;
    if cards.len() != 2 {
        let what = format!(
            "a box that is not dead has two first cards, not {}",
            cards.len()
        );
        return Err(Refusal::at(place("cards"), what));
    }
    played.hands.push(Hand::new(first_hand(), cards.to_vec()));
    played.dealt.extend(cards);
    for at in 0..played.record.steps.len() {
        take_step(&mut played, at, rules, violations).map_err(|(key, what)| {
            Refusal::at(format!("play.boxes[{index}].steps[{at}].{key}"), what)
        })?;
    }
    let short = |hand: &Hand| hand.cards.len() < 2 && !hand.dead && !hand.surrendered;
    violations.add_if(
        !played.refused && played.hands.iter().any(short),
        "procedure.second_card_missing",
    );
    Ok(played)
}

/// Refuses a dead box whose cards say otherwise.
fn refuse_unlike<V>(
    dead: Dead,
    record: &BoxRecord<'_, V>,
    place: impl Fn(&str) -> String,
) -> Result<(), Refusal> {
    if record.cards.len() != dead.cards() {
        let what = format!("a box that is dead for it has {} cards", dead.cards());
        return Err(Refusal::at(place("dead"), what));
    }
    match record.steps.is_empty() {
        true => Ok(()),
        false => Err(Refusal::at(place("steps"), "nobody plays a dead box")),
    }
}

/// Takes one step. An error is the key of the step that is wrong, and how.
fn take_step<V: Copy + Into<Act>>(
    played: &mut PlayedBox<'_, V>,
    at: usize,
    rules: &HouseRules,
    violations: &mut Violations,
) -> Result<(), (&'static str, String)> {
    let Some(step) = played.record.steps.get(at) else {
        return Ok(());
    };
    let act: Act = step.verb.into();
    let Some(lies) = played
        .hands
        .iter()
        .position(|hand| hand.number == step.hand)
    else {
        return Err(("hand", format!("the box has no hand {}", step.hand)));
    };
    refuse_unread(act, step)?;
    flag_step(played, lies, act, at, rules, violations);

    let card = || step.card.ok_or(("card", "this step needs its card".into()));
    let hand_count = played.hands.len();
    let Some(hand) = played.hands.get_mut(lies) else {
        return Ok(());
    };
    match act {
        Act::Hit | Act::Deal | Act::Double(_) => {
            let card = card()?;
            hand.cards.push(card);
            played.dealt.push(card);
            if let Act::Double(purse) = act {
                hand.doubled = Some(purse);
            }
        }
        Act::BonusCard => played.bonus_card = Some(card()?),
        Act::Stand => hand.stood = true,
        Act::Surrender => {
            hand.surrendered = true;
            hand.given_up = rules.surrender != Surrender::Unknown;
        }
        Act::Refuse => {
            hand.refused = true;
            played.refused = true;
        }
        Act::Rescue => hand.rescued = true,
        Act::Dead => hand.dead = true,
        Act::Split(_) => {
            let number = step
                .new_hand
                .ok_or(("new_hand", "a split names its new hand".to_owned()))?;
            let moved = hand.cards.split_off(hand.cards.len().min(1));
            hand.split = true;
            let aces = hand.cards.first().is_some_and(|&card| is_ace(card));
            hand.split_ace |= aces && rules.one_card_to_split_aces;
            let mut new_hand = Hand::new(number, moved);
            new_hand.split = true;
            new_hand.split_ace = aces && rules.one_card_to_split_aces;
            if played.hands.iter().any(|hand| hand.number == number) {
                return Err((
                    "new_hand",
                    format!("the box has a hand {number} already, of {hand_count}"),
                ));
            }
            played.hands.insert(lies + 1, new_hand);
        }
    }
    Ok(())
}

/// Refuses what a step says and nothing reads.
fn refuse_unread<V>(act: Act, step: &Step<V>) -> Result<(), (&'static str, String)> {
    let takes_card = matches!(act, Act::Hit | Act::Double(_) | Act::Deal | Act::BonusCard);
    if step.card.is_some() && !takes_card {
        return Err(("card", "no card comes with this step".to_owned()));
    }
    if step.new_hand.is_some() && !matches!(act, Act::Split(_)) {
        return Err(("new_hand", "only a split makes a new hand".to_owned()));
    }
    Ok(())
}

/// The tests for one step, on the hands as they were before it.
fn flag_step<V>(
    played: &PlayedBox<'_, V>,
    lies: usize,
    act: Act,
    at: usize,
    rules: &HouseRules,
    violations: &mut Violations,
) {
    let hands = &played.hands;
    let Some(hand) = hands.get(lies) else {
        return;
    };
    let over = hand.is_closed() || hand.is_bust();
    match act {
        Act::Split(purse) => {
            if !hand.has_pair() {
                violations.add("decision.split_not_pair");
            } else {
                let closed = hand.is_closed() || hand.refused;
                violations.add_if(closed, "decision.after_completion");
            }
            let aces_again = hand.split && hand.has_pair_of_aces() && !rules.resplit_aces;
            violations.add_if(aces_again, "decision.resplit_aces");
            violations.add_if(hands.len() >= rules.max_hands, "decision.split_limit");
            let ten_cards = hand.has_pair() && hand.cards.iter().all(|&card| points(card) == 10);
            violations.add_if(
                purse == Purse::Free && ten_cards,
                "decision.free_split_not_allowed",
            );
        }
        Act::Hit | Act::Double(_) | Act::Deal if played.refused => {
            violations.add("decision.after_refusal")
        }
        Act::Double(_) if over => violations.add("decision.after_completion"),
        Act::Double(Purse::Own) => violations.add_if(
            !hand.may_double(rules.doubling),
            "decision.double_not_allowed",
        ),
        Act::Double(Purse::Free) => {
            violations.add_if(!hand.may_double_free(), "decision.free_double_not_allowed")
        }
        Act::Hit if hand.split_ace => violations.add("decision.split_aces_extra_card"),
        Act::Hit if over => violations.add("decision.after_completion"),
        Act::Hit => violations.add_if(hand.total().points == 21, "decision.hit_21"),
        Act::Stand => {
            let needless = hand.is_finished() && !hand.ends_in_silence();
            violations.add_if(hand.stood || needless, "decision.after_completion");
        }
        Act::Deal => violations.add_if(
            !hand.split || hand.cards.len() != 1,
            "procedure.unexpected_card",
        ),
        Act::Surrender if rules.surrender != Surrender::Offered => {
            violations.add("decision.surrender_not_offered")
        }
        Act::Surrender => violations.add_if(at > 0 || hand.split, "decision.surrender_late"),
        Act::Rescue => violations.add_if(
            hand.doubled.is_none() || hand.is_bust() || hand.rescued,
            "decision.rescue_not_allowed",
        ),
        Act::BonusCard | Act::Refuse | Act::Dead => {}
    }
    flag_order(hands, lies, act, violations);
}

/// Every hand has its second card before anything else, and the leftmost is finished before the next gets a card.
fn flag_order(hands: &[Hand], lies: usize, act: Act, violations: &mut Violations) {
    if matches!(act, Act::Hit | Act::Double(_) | Act::Stand) {
        let short = hands.get(lies).is_some_and(|hand| hand.cards.len() < 2);
        violations.add_if(short, "procedure.second_card_missing");
    }
    if matches!(act, Act::Hit | Act::Double(_) | Act::Deal) {
        let unfinished = hands.iter().take(lies).any(|left| !left.is_finished());
        violations.add_if(unfinished, "procedure.split_order");
    }
}

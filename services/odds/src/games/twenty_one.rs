//! The hand of blackjack: its best play depends on every card that is gone, so that rounds are drawn from whole shoes
//! and played by basic strategy.
//!
//! Only the cards are dealt here. What a round comes to is decided by how each hand of the player ended; rounds that
//! ended alike are counted, and the first of each kind is settled with the options of the table.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use catwalk_rules::floor::Card;
use serde_json::{Value, json};

use super::basic_strategy::{Act, Rules, choose, draws, is_natural, points, splits, total};
use super::drawn::Chance;
use super::own_cards::names;
use crate::OddsError;
use crate::felt::{Felt, wager};
use crate::sheet::{Basis, Line};
use crate::spread::{Spread, whole};

const STAKE: i64 = 10_000;
const ROUNDS: u64 = 4_000_000;
const STRATEGY: &str = "basic strategy for several decks by total and open card, no insurance";
/// So many decks and fewer are dealt from.
const MOST_DECKS: i64 = 12;

/// A decision with its card.
type Step = (u8, Act, Option<Card>);

#[derive(Clone, Debug, Default)]
struct Hand {
    number: u8,
    cards: Vec<Card>,
    is_split: bool,
    of_aces: bool,
    doubled: bool,
    surrendered: bool,
}

/// A round as it was played.
#[derive(Debug)]
struct Round {
    first: [Card; 2],
    hands: Vec<Hand>,
    steps: Vec<Step>,
    dealer: Vec<Card>,
}

/// How a hand ended: who was ahead, whether it was doubled, and whether it bust.
type Ended = (i8, bool, bool);
/// The first hand, the others, and naturals and a surrender.
type Key = (Ended, Vec<Ended>, bool, bool, bool);

/// Rounds of each kind, with the first of them.
type Kinds = BTreeMap<Key, (u64, Round)>;

/// What was drawn, by rules of play and decks: tables of one house play alike.
type Drawn = HashMap<(Rules, i64), Arc<Kinds>>;

static DRAWN: LazyLock<Mutex<Drawn>> = LazyLock::new(Mutex::default);
/// So many of them are kept.
const MOST_DRAWN: usize = 64;

/// The lines of the hand: what it comes to stands at the main wager.
pub(super) fn lines(felt: &Felt<'_>) -> Result<Vec<Line>, OddsError> {
    let (rules, decks) = match rules(felt) {
        Ok(posted) => posted,
        Err(why) => return Ok(vec![Line::without_figures("main", why)]),
    };
    let mut spread = Spread::default();
    for (rounds, round) in drawn(rules, decks).values() {
        let Some((gain, staked)) = settled(felt, round)? else {
            let why = "the rules object to a round that basic strategy plays at this table";
            return Ok(vec![Line::without_figures("main", why)]);
        };
        let result = match gain {
            0 => "push",
            gain if gain > 0 => "win",
            _ => "lose",
        };
        spread.add_played(result, gain, staked, &whole(u128::from(*rounds)));
    }
    let basis = Basis::Sampled {
        strategy: STRATEGY.to_owned(),
        rounds: ROUNDS,
    };
    let main = felt.line("main", basis, &spread, STAKE);
    let error = 100.0 * main.standard_error.unwrap_or_default();
    let note = format!(
        "with its double and split wagers, by the first stake; standard error of the edge {error:.4} %"
    );
    let mut lines = vec![main.noting(note)];
    for part in ["double", "split"] {
        let why = "part of the hand that main stands for";
        lines.push(Line::without_figures(part, why));
    }
    Ok(lines)
}

/// Rounds of a table that plays like this, which are the same on every machine.
fn drawn(rules: Rules, decks: i64) -> Arc<Kinds> {
    let mut known = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kinds) = known.get(&(rules, decks)) {
        return kinds.clone();
    }
    if known.len() >= MOST_DRAWN {
        known.clear();
    }
    let mut kinds = Kinds::new();
    let mut shoe: Vec<Card> = (0..decks).flat_map(|_| Card::deck()).collect();
    let mut chance = Chance(21);
    for _ in 0..ROUNDS {
        let round = play(&mut Shoe::new(&mut shoe, &mut chance), rules);
        kinds.entry(key(&round)).or_insert((0, round)).0 += 1;
    }
    let kinds = Arc::new(kinds);
    known.insert((rules, decks), kinds.clone());
    kinds
}

/// How the table plays; or why nothing is computed of it.
fn rules(felt: &Felt<'_>) -> Result<(Rules, i64), &'static str> {
    let is = |key: &str| felt.option(key) == json!(true);
    let word = |key: &str| felt.option(key).as_str().unwrap_or_default().to_owned();
    let decks = felt.option("decks").as_i64().unwrap_or_default();
    if !(1..=MOST_DECKS).contains(&decks) {
        return Err("no such number of decks is dealt from");
    }
    if word("variation") == "multiple_action" || word("hole_card") == "exposed" {
        return Err("no strategy is declared for this variation");
    }
    let bonuses = felt.option("bonus_payouts");
    if bonuses
        .as_array()
        .is_some_and(|bonuses| !bonuses.is_empty())
        || is("tournament")
    {
        return Err("no strategy is declared for a table with bonuses on the hand");
    }
    let ohio = felt.option("max_split_hands").is_null();
    let hands = felt.option("max_split_hands").as_u64().unwrap_or(4);
    let doubles_split = felt.option("double_after_split");
    let rules = Rules {
        hits_soft_17: is("dealer_hits_soft_17"),
        doubles_split: doubles_split.as_bool().unwrap_or(true),
        surrenders: is("surrender"),
        hands: usize::try_from(hands).unwrap_or(2),
        resplits_aces: !ohio && hands > 2 && is("resplit_aces"),
        looks: !matches!(&*word("hole_card"), "none" | ""),
    };
    Ok((rules, decks))
}

/// What all wagers of a round gain and stake; nothing where the rules object to it.
fn settled(felt: &Felt<'_>, round: &Round) -> Result<Option<(i64, i64)>, OddsError> {
    let mut wagers = vec![wager("main", STAKE, json!({}))];
    let id = |number: u8| match number {
        1 => "w1".to_owned(),
        number => format!("s{number}"),
    };
    for (_, act, _) in &round.steps {
        if let Act::Split(new) = act {
            let keys = json!({"id": id(*new), "on": "w1", "hand": new});
            wagers.push(wager("split", STAKE, keys));
        }
    }
    for hand in round.hands.iter().filter(|hand| hand.doubled) {
        let number = hand.number;
        let keys = json!({"id": format!("d{number}"), "on": id(number), "hand": number});
        wagers.push(wager("double", STAKE, keys));
    }
    let steps: Vec<Value> = round.steps.iter().map(step).collect();
    for checked in [false, true] {
        let mut dealer = json!({"cards": names(&round.dealer)});
        if checked {
            dealer["checked"] = json!(true);
        }
        let boxes = json!([{"seat": 1, "cards": names(&round.first), "steps": steps}]);
        let play = json!({"boxes": boxes, "dealer": dealer});
        if let Some(came) = felt.lawful(&wagers, &play)? {
            let sum = |of: fn(&crate::felt::Came) -> i64| came.iter().map(of).sum();
            return Ok(Some((sum(|came| came.gain), sum(|came| came.stake))));
        }
    }
    Ok(None)
}

fn step((hand, act, card): &Step) -> Value {
    let word = match act {
        Act::Deal => "deal",
        Act::Hit => "hit",
        Act::Stand => "stand",
        Act::Double => "double",
        Act::Split(_) => "split",
        Act::Surrender => "surrender",
    };
    let mut step = json!({"hand": hand, "do": word});
    if let Act::Split(new) = act {
        step["new_hand"] = json!(new);
    }
    if let Some(card) = card {
        step["card"] = json!(card.to_string());
    }
    step
}

/// A shoe of which cards come one by one; between rounds all of them go back.
struct Shoe<'a> {
    cards: &'a mut [Card],
    chance: &'a mut Chance,
    dealt: usize,
}

impl<'a> Shoe<'a> {
    fn new(cards: &'a mut [Card], chance: &'a mut Chance) -> Shoe<'a> {
        Shoe {
            cards,
            chance,
            dealt: 0,
        }
    }

    fn next(&mut self) -> Card {
        let other = self.dealt + self.chance.below(self.cards.len() - self.dealt);
        self.cards.swap(self.dealt, other);
        self.dealt += 1;
        self.cards[self.dealt - 1]
    }
}

fn play(shoe: &mut Shoe<'_>, rules: Rules) -> Round {
    let [a, up, b, hole] = [shoe.next(), shoe.next(), shoe.next(), shoe.next()];
    let mut round = Round {
        first: [a, b],
        hands: vec![Hand {
            number: 1,
            cards: vec![a, b],
            ..Hand::default()
        }],
        steps: Vec::new(),
        dealer: vec![up, hole],
    };
    let natural = is_natural(&round.dealer);
    let is_over = (natural && rules.looks) || is_natural(&round.first);
    if !is_over {
        play_hand(&mut round, 0, shoe, rules);
    }
    let is_live =
        |hand: &Hand| !hand.surrendered && total(&hand.cards).0 <= 21 && !is_natural_hand(hand);
    if !natural && round.hands.iter().any(is_live) {
        while draws(&round.dealer, rules.hits_soft_17) {
            let card = shoe.next();
            round.dealer.push(card);
        }
    }
    round
}

/// Plays the hand at this place, and those that it is split into, to their end.
fn play_hand(round: &mut Round, at: usize, shoe: &mut Shoe<'_>, rules: Rules) {
    let up = points(round.dealer[0]);
    loop {
        let hand = &round.hands[at];
        let number = hand.number;
        if hand.cards.len() == 1 {
            draw(round, at, Act::Deal, shoe);
            continue;
        }
        let (sum, _) = total(&hand.cards);
        let is_pair = hand.cards.len() == 2 && points(hand.cards[0]) == points(hand.cards[1]);
        let aces = is_pair && points(hand.cards[0]) == 11;
        let may_split = is_pair
            && round.hands.len() < rules.hands
            && (!hand.of_aces || aces && rules.resplits_aces);
        if may_split && splits(points(hand.cards[0]), up, rules) {
            split(round, at, aces);
            // The new hand lies right of it, and waits for its end.
            play_hand(round, at, shoe, rules);
            let new = round.hands.len();
            let next = round.hands[at + 1..]
                .iter()
                .position(|hand| hand.cards.len() == 1);
            if let Some(next) = next.filter(|_| new > at + 1) {
                play_hand(round, at + 1 + next, shoe, rules);
            }
            return;
        }
        if hand.of_aces || sum >= 21 {
            return;
        }
        let may_double = hand.cards.len() == 2 && (!hand.is_split || rules.doubles_split);
        let may_surrender = rules.surrenders && round.steps.is_empty();
        match choose(&hand.cards, up, may_double, may_surrender, rules) {
            Act::Surrender => {
                round.hands[at].surrendered = true;
                round.steps.push((number, Act::Surrender, None));
                return;
            }
            Act::Double => {
                round.hands[at].doubled = true;
                draw(round, at, Act::Double, shoe);
                return;
            }
            Act::Hit => draw(round, at, Act::Hit, shoe),
            _ => {
                round.steps.push((number, Act::Stand, None));
                return;
            }
        }
    }
}

fn draw(round: &mut Round, at: usize, act: Act, shoe: &mut Shoe<'_>) {
    let card = shoe.next();
    round.hands[at].cards.push(card);
    round.steps.push((round.hands[at].number, act, Some(card)));
}

fn split(round: &mut Round, at: usize, aces: bool) {
    let new = u8::try_from(round.hands.len() + 1).unwrap_or(u8::MAX);
    let hand = &mut round.hands[at];
    (hand.is_split, hand.of_aces) = (true, aces);
    let number = hand.number;
    let moved = hand.cards.pop();
    let beside = Hand {
        number: new,
        cards: moved.into_iter().collect(),
        is_split: true,
        of_aces: aces,
        ..Hand::default()
    };
    round.hands.insert(at + 1, beside);
    round.steps.push((number, Act::Split(new), None));
}

/// How it ended.
fn key(round: &Round) -> Key {
    let (theirs, _) = total(&round.dealer);
    let ended = |hand: &Hand| {
        let (ours, _) = total(&hand.cards);
        let ahead = match () {
            () if ours > 21 => -1,
            () if theirs > 21 => 1,
            () => ours.cmp(&theirs) as i8,
        };
        (ahead, hand.doubled, ours > 21)
    };
    let (first, others): (Vec<&Hand>, Vec<&Hand>) =
        round.hands.iter().partition(|hand| hand.number == 1);
    let mut others: Vec<Ended> = others.into_iter().map(ended).collect();
    others.sort_unstable();
    let first = first.first().map_or((0, false, false), |hand| ended(hand));
    let natural = round.hands.len() == 1 && is_natural_hand(&round.hands[0]);
    let surrendered = round.hands.iter().any(|hand| hand.surrendered);
    (
        first,
        others,
        natural,
        is_natural(&round.dealer),
        surrendered,
    )
}

fn is_natural_hand(hand: &Hand) -> bool {
    !hand.is_split && is_natural(&hand.cards)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules {
        hits_soft_17: false,
        doubles_split: true,
        surrenders: false,
        hands: 4,
        resplits_aces: false,
        looks: true,
    };

    #[test]
    fn hands_are_split_no_more_often_than_the_table_has_it() {
        let mut shoe: Vec<Card> = (0..6).flat_map(|_| Card::deck()).collect();
        let mut chance = Chance(1);
        let mut most = 0;
        for _ in 0..100_000 {
            let round = play(&mut Shoe::new(&mut shoe, &mut chance), RULES);
            most = most.max(round.hands.len());
            assert!(round.hands.iter().all(|hand| hand.cards.len() >= 2));
        }
        assert_eq!(most, 4);
    }
}

//! The games of one hand against the house's, with their side wagers.

use std::collections::BTreeSet;

use catwalk_rules::floor::{Card, CardSet};
use catwalk_rules::hands::wild::{self, DEUCES_AND_JOKER};
use catwalk_rules::hands::{five, four, three};
use serde_json::{Value, json};

use super::own_cards::{
    Class, classes, five_class, four_class, names, others, six_class, three_class, threes,
};
use super::showdown::Showdown;
use crate::OddsError;
use crate::felt::{Bet, Felt, wager};
use crate::sheet::{Basis, Line};
use crate::spread::Spread;

/// Small enough that no limit on payouts cuts a win, and paid without a fraction.
pub(super) const STAKE: i64 = 1_000;

const TOGETHER: &str = "all wagers of the hand together, by the first stake";

pub(super) fn on(kind: &str, id: &str, amount: i64) -> Value {
    wager(kind, amount, json!({"id": id, "on": "w1"}))
}

/// The game of a name, if it is one of these.
pub(super) fn showdown(felt: &Felt<'_>) -> Option<Showdown> {
    let deck = CardSet::DECK;
    Some(match felt.game() {
        "three_card_poker" => Showdown {
            deck,
            player: 3,
            house: 3,
            open: false,
            strength: |set| three::rank_set(set).map_or(0, three::Hand::strength),
            class: three_and_suit,
            choices: 2,
            compose: three_card,
        },
        "crazy_four_poker" => Showdown {
            deck,
            player: 5,
            house: 5,
            open: false,
            strength: of_four,
            class: four_class,
            choices: 3,
            compose: crazy_four,
        },
        "four_card_poker" => Showdown {
            deck,
            player: 5,
            house: 6,
            open: true,
            strength: of_four,
            class: four_class,
            choices: 3,
            compose: four_card,
        },
        "caribbean_stud" => Showdown {
            deck,
            player: 5,
            house: 5,
            open: true,
            strength: |set| five::rank_set(set).map_or(0, five::Hand::strength),
            class: five_class,
            choices: 2,
            compose: caribbean,
        },
        "dj_wild" => Showdown {
            deck: deck.union(DEUCES_AND_JOKER),
            player: 5,
            house: 5,
            open: false,
            strength: |set| wild::rank_set(set, DEUCES_AND_JOKER).map_or(0, wild::Hand::strength),
            class: wild_class,
            choices: 2,
            compose: dj_wild,
        },
        _ => return None,
    })
}

fn of_four(set: CardSet) -> u32 {
    four::rank_set(set).map_or(0, four::Hand::strength)
}

/// The royal of each suit apart from the others.
fn three_and_suit(cards: &[Card]) -> u32 {
    let royal = three::rank(cards).is_some_and(three::Hand::is_mini_royal);
    let suit = cards.first().map_or(0, |card| u32::from(card.index() % 4));
    three_class(cards) * 8 + if royal { 4 + suit } else { 0 }
}

/// The class of a hand with wild cards, and whether it is one without them.
fn wild_class(cards: &[Card]) -> u32 {
    let natural = u32::from(wild::is_natural(cards, DEUCES_AND_JOKER));
    wild::rank(cards, DEUCES_AND_JOKER).map_or(0, |hand| 2 * hand.category() as u32 + natural)
}

/// A side wager with the hand that it lies beside, and the cards that it is on.
struct Side {
    bet: Bet,
    classes: Vec<Class>,
    /// What a pay table can tell of the cards.
    class: fn(&[Card]) -> u32,
    play: fn(&[Card]) -> Value,
}

/// The wagers on cards alone.
pub(crate) fn sides(felt: &Felt<'_>) -> Result<Vec<Line>, OddsError> {
    let mut lines = Vec::new();
    for entry in felt.wagers() {
        let Some(side) = side(felt.game(), &entry.kind) else {
            continue;
        };
        let ids = side.classes.iter().map(|it| (side.class)(&it.cards));
        let differ = ids.collect::<BTreeSet<u32>>().len() == side.classes.len();
        debug_assert!(differ, "{}: a class is there twice", entry.kind);
        let classes = side.classes.iter();
        let plays = classes.map(|class| ((side.play)(&class.cards), class.ways));
        lines.extend(felt.lines(&[side.bet], &plays.collect::<Vec<_>>())?);
    }
    Ok(lines)
}

/// The class of cards.
type ClassOf = fn(&[Card]) -> u32;

/// A wager beside these, over classes of cards.
fn of(
    wager: Value,
    beside: Vec<Value>,
    (classes, class): (Vec<Class>, ClassOf),
    play: fn(&[Card]) -> Value,
) -> Option<Side> {
    let kind = wager["kind"].as_str().unwrap_or_default().to_owned();
    let bet = beside
        .into_iter()
        .fold(Bet::new(&kind, "", wager), Bet::beside);
    Some(Side {
        bet,
        classes,
        class,
        play,
    })
}

fn side(game: &str, kind: &str) -> Option<Side> {
    let plain = wager(kind, STAKE, json!({"id": "side"}));
    let tied = on(kind, "side", STAKE);
    let four = || (classes(5, four_class), four_class as fn(&[Card]) -> u32);
    match (game, kind) {
        ("three_card_poker", "pair_plus") => {
            let play = |cards: &[Card]| three_card(0, cards, &others(cards, 3)).1;
            of(
                plain,
                three_card(0, &[], &[]).0,
                (threes(), three_and_suit),
                play,
            )
        }
        ("three_card_poker", "six_card_bonus") => {
            let play = |cards: &[Card]| three_card(0, &cards[..3], &cards[3..]).1;
            // In Ohio it lies beside pair plus alone.
            let mut beside = three_card(0, &[], &[]).0;
            beside.push(wager("pair_plus", STAKE, json!({"id": "w3"})));
            of(plain, beside, (classes(6, six_class), six_class), play)
        }
        ("four_card_poker", "aces_up") => {
            let play = |cards: &[Card]| four_card(0, cards, &others(cards, 6)).1;
            of(plain, four_card(0, &[], &[]).0, four(), play)
        }
        ("crazy_four_poker", "queens_up") => {
            let play = |cards: &[Card]| crazy_four(0, cards, &others(cards, 5)).1;
            of(plain, crazy_four(0, &[], &[]).0, four(), play)
        }
        _ => tied_side(game, kind, tied),
    }
}

/// Of the games whose side wagers name the wager that they lie beside.
fn tied_side(game: &str, kind: &str, tied: Value) -> Option<Side> {
    let five = || (classes(5, five_class), five_class as fn(&[Card]) -> u32);
    match (game, kind) {
        ("caribbean_stud", "caribbean_bonus") => {
            let play = |cards: &[Card]| caribbean(0, cards, &others(cards, 5)).1;
            of(tied, caribbean(0, &[], &[]).0, five(), play)
        }
        ("let_it_ride", "let_it_ride_bonus") => {
            let play = |cards: &[Card]| let_it_ride(&cards[..3], &cards[3..], [true, true]).1;
            let beside = let_it_ride(&[], &[], [true, true]).0;
            of(on(kind, "side", 100), beside, five(), play)
        }
        ("let_it_ride", "three_card_bonus") => {
            let play = |cards: &[Card]| let_it_ride(cards, &others(cards, 2), [true, true]).1;
            let beside = let_it_ride(&[], &[], [true, true]).0;
            of(tied, beside, (threes(), three_and_suit), play)
        }
        ("mississippi_stud", "three_card_bonus") => {
            let play = |cards: &[Card]| mississippi(&others(cards, 2), cards, [1, 1, 1]).1;
            of(
                tied,
                mississippi(&[], &[], [1, 1, 1]).0,
                (threes(), three_and_suit),
                play,
            )
        }
        ("dj_wild", "trips") => {
            let play = |cards: &[Card]| dj_wild(0, cards, &others(cards, 5)).1;
            of(
                tied,
                dj_wild(0, &[], &[]).0,
                (wild_classes(), wild_and_joker),
                play,
            )
        }
        _ => None,
    }
}

/// The same, with the joker or without.
fn wild_and_joker(cards: &[Card]) -> u32 {
    2 * wild_class(cards) + u32::from(cards.contains(&Card::JOKER))
}

/// The classes of five of 53 cards.
fn wild_classes() -> Vec<Class> {
    let mut found = classes(5, wild_class);
    let four = classes(4, |cards| {
        let cards: Vec<Card> = cards.iter().copied().chain([Card::JOKER]).collect();
        wild_class(&cards)
    });
    found.extend(four.into_iter().map(|class| Class {
        cards: class.cards.into_iter().chain([Card::JOKER]).collect(),
        ways: class.ways,
    }));
    found
}

fn hand(cards: &[Card], decision: &str) -> Value {
    json!([{"seat": 1, "cards": names(cards), "decision": decision}])
}

fn three_card(choice: usize, player: &[Card], house: &[Card]) -> (Vec<Value>, Value) {
    let mut wagers = vec![wager("ante", STAKE, json!({}))];
    let decision = if choice == 0 { "play" } else { "fold" };
    if choice == 0 {
        wagers.push(on("play", "w2", STAKE));
    }
    (
        wagers,
        json!({"dealer": names(house), "hands": hand(player, decision)}),
    )
}

/// One ante, three antes, or none.
fn four_card(choice: usize, player: &[Card], house: &[Card]) -> (Vec<Value>, Value) {
    let mut wagers = vec![wager("ante", STAKE, json!({}))];
    let decision = if choice < 2 { "play" } else { "fold" };
    if choice < 2 {
        wagers.push(on("play", "w2", [1, 3][choice] * STAKE));
    }
    (
        wagers,
        json!({"dealer": names(house), "hands": hand(player, decision)}),
    )
}

fn crazy_four(choice: usize, player: &[Card], house: &[Card]) -> (Vec<Value>, Value) {
    let (mut wagers, play) = four_card(choice, player, house);
    wagers.push(wager("super_bonus", STAKE, json!({"id": "w3"})));
    (wagers, play)
}

fn caribbean(choice: usize, player: &[Card], house: &[Card]) -> (Vec<Value>, Value) {
    let mut wagers = vec![wager("ante", STAKE, json!({}))];
    if choice == 0 {
        wagers.push(on("bet", "w2", 2 * STAKE));
    }
    (
        wagers,
        json!({"hands": {"1": names(player)}, "dealer": names(house)}),
    )
}

fn dj_wild(choice: usize, player: &[Card], house: &[Card]) -> (Vec<Value>, Value) {
    let mut wagers = vec![wager("ante", STAKE, json!({})), on("blind", "w3", STAKE)];
    if choice == 0 {
        wagers.push(on("play", "w2", 2 * STAKE));
    }
    (
        wagers,
        json!({"hands": {"1": names(player)}, "dealer": names(house)}),
    )
}

pub(super) fn let_it_ride(
    player: &[Card],
    community: &[Card],
    rides: [bool; 2],
) -> (Vec<Value>, Value) {
    let wagers = vec![
        wager("bet_1", STAKE, json!({})),
        on("bet_2", "w2", STAKE),
        on("bet_3", "w3", STAKE),
    ];
    let [bet_1, bet_2] = rides.map(|rides| if rides { "ride" } else { "withdraw" });
    let play = json!({
        "hands": {"1": names(player)}, "community": names(community),
        "decisions": {"1": {"bet_1": bet_1, "bet_2": bet_2}},
    });
    (wagers, play)
}

/// With so many antes on each street; none where the hand was given up before.
pub(super) fn mississippi(
    player: &[Card],
    community: &[Card],
    streets: [i64; 3],
) -> (Vec<Value>, Value) {
    let mut wagers = vec![wager("ante", STAKE, json!({}))];
    for (kind, antes) in ["third_street", "fourth_street", "fifth_street"]
        .into_iter()
        .zip(streets)
    {
        if antes > 0 {
            wagers.push(on(kind, kind, antes * STAKE));
        }
    }
    (
        wagers,
        json!({"hands": {"1": names(player)}, "community": names(community)}),
    )
}

/// What a main wager is called, and those that are part of it.
pub(super) fn parts(game: &str) -> (&'static str, &'static [&'static str]) {
    match game {
        "let_it_ride" => ("bet_1", &["bet_2", "bet_3"]),
        "double_down_stud" => ("bet", &["double_down"]),
        "mississippi_stud" => ("ante", &["third_street", "fourth_street", "fifth_street"]),
        "caribbean_stud" => ("ante", &["bet"]),
        "crazy_four_poker" => ("ante", &["play", "super_bonus"]),
        "dj_wild" => ("ante", &["play", "blind"]),
        _ => ("ante", &["play"]),
    }
}

/// The lines of the main wager and its parts; or why it has no figures.
pub(super) fn main_lines(felt: &Felt<'_>, spread: Result<Spread, String>) -> Vec<Line> {
    let (main, parts) = parts(felt.game());
    let line = match spread {
        Ok(spread) => felt
            .line(main, Basis::OptimalPlay, &spread, STAKE)
            .noting(TOGETHER),
        Err(why) => Line::without_figures(main, why),
    };
    let mut lines = vec![line];
    for part in parts {
        let why = format!("part of the hand that {main} stands for");
        lines.push(Line::without_figures(part, why));
    }
    lines
}

/// Does the enumeration of the hand take so long that it is kept?
pub(super) fn is_long(game: &str) -> bool {
    [
        "four_card_poker",
        "crazy_four_poker",
        "caribbean_stud",
        "dj_wild",
    ]
    .contains(&game)
}

/// Settles one round of the game.
pub(super) fn ask(felt: &Felt<'_>, game: &Showdown) -> Result<(), OddsError> {
    let player = others(&[], game.player as usize);
    let (wagers, play) = (game.compose)(0, &player, &others(&player, game.house as usize));
    felt.settle(&wagers, &play).map(drop)
}

/// The classes of which there are fewest hands.
pub(super) fn rarest(game: &Showdown) -> Vec<u32> {
    let mut classes = classes(game.player, game.class);
    classes.sort_by_key(|class| class.ways);
    classes
        .iter()
        .take(3)
        .map(|class| (game.class)(&class.cards))
        .collect()
}

#[cfg(test)]
mod tests {
    use catwalk_rules::Rulebook;

    use super::*;
    use crate::games::own_cards::drawn;

    /// A class is a claim that the settlement tells none of its hands apart: hands drawn at random try it.
    #[test]
    fn any_hand_settles_as_its_class_does() {
        let rulebook = Rulebook::load().unwrap();
        let options = json!({});
        for (game, edition) in [
            ("three_card_poker", "mgc-amended"),
            ("three_card_poker", "oh-jack-2017"),
            ("four_card_poker", "oh-jack-2017"),
            ("crazy_four_poker", "oh-jack-2017"),
            ("caribbean_stud", "mgc-2017"),
            ("let_it_ride", "mgc-2017"),
            ("mississippi_stud", "oh-jack-2017"),
            ("dj_wild", "oh-jack-2017"),
        ] {
            let felt = Felt::open(&rulebook, game, edition, &options).unwrap();
            for entry in felt.wagers() {
                let Some(side) = side(game, &entry.kind) else {
                    continue;
                };
                let cards = side.classes[0].cards.len();
                let deck = if game == "dj_wild" { 53 } else { 52 };
                for hand in drawn(deck, cards, 120) {
                    let known = side.classes.iter();
                    let mut alike =
                        known.filter(|it| (side.class)(&it.cards) == (side.class)(&hand));
                    let class = alike.next().expect("every hand is of a class");
                    let gain = |cards: &[Card]| {
                        felt.first(&side.bet.wagers, &(side.play)(cards))
                            .unwrap()
                            .gain
                    };
                    assert_eq!(gain(&hand), gain(&class.cards), "{game} {hand:?}");
                }
            }
        }
    }
}

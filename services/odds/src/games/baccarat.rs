//! The baccarat family: every draw from a whole shoe.

use std::collections::BTreeMap;

use catwalk_rules::floor::{Card, Rank, Suit};
use catwalk_rules::games::are_baccarat_hands_complete;
use serde_json::{Value, json};

use crate::OddsError;
use crate::felt::{Bet, Felt, wager};
use crate::sheet::{Basis, Line};
use crate::spread::{Spread, whole};

/// What every row pays without a fraction, the vigorish too.
const STAKE: i64 = 10_000;
/// More decks than any text allows, and few enough to count with.
const MOST_DECKS: i64 = 99;

/// What a settlement can look at: the counts, how many cards, and whether there was a free choice.
type Key = (u8, u8, usize, usize, bool);

/// A round of each kind, and in how many ways six cards in order give it.
type Rounds = Vec<(Vec<Card>, Vec<Card>, u128)>;

pub(crate) fn lines(felt: &Felt<'_>) -> Result<Vec<Line>, OddsError> {
    let Some(decks) = decks(felt) else {
        return Ok(Vec::new());
    };
    let rounds = rounds(decks, &|player, banker| {
        (!are_baccarat_hands_complete(player, banker, true)).then_some(banker.len())
    });
    let plays = |rounds: Rounds| -> Vec<(Value, u128)> {
        let rounds = rounds.iter();
        rounds
            .map(|(player, banker, ways)| (play(player, banker), *ways))
            .collect()
    };
    let (mut bets, mut on_pairs, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    let main = wager("player", STAKE, json!({"id": "main"}));
    for entry in felt.wagers() {
        let kind = &*entry.kind;
        let bet = Bet::new(kind, "", wager(kind, STAKE, json!({})));
        match kind {
            "house_money_press" => {
                let why = "what House Money won, put on Player or Banker: the odds of that wager";
                lines.push(Line::without_figures(kind, why));
            }
            "player" | "banker" | "tie" => bets.push(bet),
            "house_money" => on_pairs.push(bet.beside(main.clone())),
            _ => bets.push(bet.beside(main.clone())),
        }
    }
    lines.extend(felt.lines(&bets, &plays(rounds))?);
    lines.extend(felt.lines(&on_pairs, &plays(pairs(decks)))?);
    Ok(lines)
}

fn decks(felt: &Felt<'_>) -> Option<u128> {
    let decks = felt.option("decks").as_i64()?;
    (1..=MOST_DECKS).contains(&decks).then_some(decks as u128)
}

fn play(player: &[Card], banker: &[Card]) -> Value {
    let cards = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>();
    json!({"player": cards(player), "banker": cards(banker)})
}

/// The Player's wager against the bank, by the free choice on five.
pub(crate) fn chemin_de_fer(felt: &Felt<'_>) -> Result<Vec<Line>, OddsError> {
    let Some(decks) = decks(felt) else {
        return Ok(Vec::new());
    };
    let mut lines = Vec::new();
    for (draws, said) in [(true, "draw on five"), (false, "stay on five")] {
        let rounds = free_rounds(decks, draws);
        for (kind, at) in [("bank", 0), ("punt", 1)] {
            let wagers = [
                wager("bank", STAKE, json!({})),
                wager("punt", STAKE, json!({"id": "w2", "seat": 2})),
            ];
            let mut spread = Spread::default();
            for (play, ways) in &rounds {
                spread.add(&felt.settle(&wagers, play)?[at], &whole(*ways));
            }
            let basis = Basis::Declared(format!("the Player says {said}"));
            lines.push(felt.line(kind, basis, &spread, STAKE));
        }
    }
    for kind in ["banco", "banco_suivi"] {
        let why = "pays as punt does, and covers the whole bank";
        lines.push(Line::without_figures(kind, why));
    }
    Ok(lines)
}

fn count(cards: &[Card]) -> u8 {
    let value = |card: &Card| match card.rank() {
        Some(Rank::Ace) => 1,
        Some(rank) if rank < Rank::Ten => rank.index() + 2,
        _ => 0,
    };
    cards.iter().map(value).sum::<u8>() % 10
}

/// Rounds of chemin de fer in which the Player always says the same on five.
fn free_rounds(decks: u128, draws: bool) -> Vec<(Value, u128)> {
    // Who draws is baccarat's table but for the Player's five.
    let missing = |player: &[Card], banker: &[Card]| {
        let stays = !draws && count(&player[..2]) == 5 && player.len() == 2;
        let natural = count(&banker[..2]) >= 8;
        if !stays {
            let complete = are_baccarat_hands_complete(player, banker, true);
            return (!complete).then_some(banker.len());
        }
        // To the Banker, a Player who stays on five is as one who stays on six.
        let six = [card(6), card(0)];
        (!natural && !are_baccarat_hands_complete(&six, banker, true)).then_some(3)
    };
    let rounds = rounds(decks, &missing);
    let play = |(player, banker, ways): &(Vec<Card>, Vec<Card>, u128)| {
        let mut play = play(player, banker);
        if count(&player[..2]) == 5 {
            play["decision"] = json!(if draws { "card" } else { "stay" });
        }
        (play, *ways)
    };
    rounds.iter().map(play).collect()
}

/// Which card the hands of Player and Banker lack; none where the round is dealt.
type Missing<'a> = &'a dyn Fn(&[Card], &[Card]) -> Option<usize>;
/// Takes the hands of a round that is dealt, and in how many ways it comes.
type Visit<'a> = &'a mut dyn FnMut(&[Card], &[Card], u128);

/// Plays every round of a full shoe by the values of its cards. `missing` says whether a hand still lacks a
/// card: with two cards of the Player it is his unless it says three.
fn rounds(decks: u128, missing: Missing<'_>) -> Rounds {
    let mut kinds: BTreeMap<Key, (Vec<Card>, Vec<Card>, u128)> = BTreeMap::new();
    let mut shoe = Shoe::full(decks);
    for four in 0..10_000u16 {
        let values = [four / 1000, four / 100 % 10, four / 10 % 10, four % 10].map(usize::from);
        let ways = shoe.take(&values);
        let player = vec![card(values[0]), card(values[1])];
        let banker = vec![card(values[2]), card(values[3])];
        let mut visit = |player: &[Card], banker: &[Card], ways: u128| {
            let chose = count(&player[..2]) == 5;
            let key = (
                count(player),
                count(banker),
                player.len(),
                banker.len(),
                chose,
            );
            let kind = kinds.entry(key);
            let kind = kind.or_insert_with(|| (player.to_vec(), banker.to_vec(), 0));
            kind.2 += ways;
        };
        draw(&mut shoe, player, banker, ways, missing, &mut visit);
        shoe.give_back(&values);
    }
    kinds.into_values().collect()
}

/// Gives the hands every card that is due to them.
fn draw(
    shoe: &mut Shoe,
    player: Vec<Card>,
    banker: Vec<Card>,
    ways: u128,
    missing: Missing<'_>,
    visit: Visit<'_>,
) {
    let Some(lacks) = missing(&player, &banker) else {
        let undrawn = 6 - player.len() - banker.len();
        visit(&player, &banker, ways * shoe.ways_to_draw(undrawn));
        return;
    };
    // The Player draws first; where he has none to draw, the Banker does.
    let to_player = lacks == 2 && player.len() == 2 && count(&player) <= 5;
    for value in 0..10 {
        let ways = ways * shoe.take(&[value]);
        let (mut player, mut banker) = (player.clone(), banker.clone());
        if to_player {
            player.push(card(value));
        } else {
            banker.push(card(value));
        }
        draw(shoe, player, banker, ways, missing, visit);
        shoe.give_back(&[value]);
    }
}

/// Rounds by whether the first two cards of either hand are of one rank.
fn pairs(decks: u128) -> Rounds {
    let mut kinds: BTreeMap<[bool; 2], (Vec<Card>, Vec<Card>, u128)> = BTreeMap::new();
    for ranks in 0..13usize.pow(4) {
        let drawn = [0, 1, 2, 3].map(|place| ranks / 13usize.pow(place) % 13);
        let mut left = [4 * decks; 13];
        let mut ways = 1;
        for rank in drawn {
            ways *= left[rank];
            left[rank] = left[rank].saturating_sub(1);
        }
        let hand = |two: [usize; 2]| {
            [(two[0], Suit::Spades), (two[1], Suit::Hearts)]
                .map(|(rank, suit)| Card::new(Rank::ALL[rank], suit))
                .to_vec()
        };
        let (player, banker) = (hand([drawn[0], drawn[1]]), hand([drawn[2], drawn[3]]));
        let kind = kinds.entry([drawn[0] == drawn[1], drawn[2] == drawn[3]]);
        let kind = kind.or_insert_with(|| (player.clone(), banker.clone(), 0));
        kind.2 += ways;
        // One that needs no third cards shows it as well as any other.
        if are_baccarat_hands_complete(&player, &banker, true) {
            (kind.0, kind.1) = (player, banker);
        }
    }
    kinds.into_values().collect()
}

fn card(value: usize) -> Card {
    let rank = [8, 12, 0, 1, 2, 3, 4, 5, 6, 7][value];
    Card::new(Rank::ALL[rank], Suit::Spades)
}

/// How many cards of each value are left: ten classes, tens and faces together.
struct Shoe([i128; 10]);

impl Shoe {
    fn full(decks: u128) -> Shoe {
        let decks = decks as i128;
        let mut left = [4 * decks; 10];
        left[0] = 16 * decks;
        Shoe(left)
    }

    /// Takes cards of these values; in how many ways. None where there are not so many.
    fn take(&mut self, values: &[usize]) -> u128 {
        let mut ways = 1;
        for &value in values {
            ways *= self.0[value].max(0).unsigned_abs();
            self.0[value] -= 1;
        }
        ways
    }

    fn give_back(&mut self, values: &[usize]) {
        for &value in values {
            self.0[value] += 1;
        }
    }

    /// In how many ways so many further cards can come, whatever they are.
    fn ways_to_draw(&self, cards: usize) -> u128 {
        let left: i128 = self.0.iter().sum();
        let drawn = 0..cards as i128;
        drawn
            .map(|drawn| (left - drawn).max(0).unsigned_abs())
            .product()
    }
}

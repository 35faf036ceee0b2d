//! A hand against the house's: each hand of the player, each choice, all that the house can hold.

use std::collections::{BTreeMap, HashMap};

use catwalk_rules::exact::{House, Met, for_each_up_to_suits};
use catwalk_rules::floor::{Card, CardSet};
use serde_json::Value;

use crate::OddsError;
use crate::felt::Felt;
use crate::spread::{Spread, whole};

/// What a choice gains, what is staked on it, and with how many hands.
type Came = (i64, i64, u128);

/// A round of the player's cards and the house's, by a choice.
pub(crate) type Compose = fn(choice: usize, player: &[Card], house: &[Card]) -> (Vec<Value>, Value);

/// How a game plays one hand against another.
pub(crate) struct Showdown {
    pub(crate) deck: CardSet,
    pub(crate) player: u32,
    pub(crate) house: u32,
    /// Does a card of the house lie open before the player decides?
    pub(crate) open: bool,
    pub(crate) strength: fn(CardSet) -> u32,
    /// What pay tables can tell of a hand.
    pub(crate) class: fn(&[Card]) -> u32,
    pub(crate) choices: usize,
    pub(crate) compose: Compose,
}

/// What comes of a choice against a house hand: gain and stake on all wagers. None where it is not allowed.
type Played = Option<(i64, i64)>;

/// The house's hand unqualified, weaker, equal or stronger.
const STATES: usize = 4;

struct Table<'a> {
    felt: &'a Felt<'a>,
    game: &'a Showdown,
    /// Hands that the house can hold, by strength.
    pool: Vec<(u32, CardSet)>,
    lowest: u32,
    known: HashMap<(u32, usize, usize), Played>,
}

/// Gain and stake on all wagers in ways to deal, by the class of the player's hand.
pub(crate) type Results = BTreeMap<u32, BTreeMap<(i64, i64), u128>>;

/// What all wagers of a hand come to together with the best choices; of these classes, or of all.
pub(crate) fn best_play(
    felt: &Felt<'_>,
    game: &Showdown,
    only: Option<&[u32]>,
) -> Result<Results, OddsError> {
    let mut table = Table {
        felt,
        game,
        pool: pool(game),
        lowest: 0,
        known: HashMap::new(),
    };
    table.lowest = table.qualifying()?;
    let house = House::new(game.deck, game.house, game.player, game.strength);
    let mut results = Results::new();
    let mut failed = None;
    let mut visit = |cards: &[Card], ways: u64| {
        let class = (game.class)(cards);
        if failed.is_none() && only.is_none_or(|only| only.contains(&class)) {
            let results = results.entry(class).or_default();
            failed = table.deal(&house, cards, u128::from(ways), results).err();
        }
    };
    for_each_up_to_suits(game.player, &mut visit);
    if game.deck.contains(Card::JOKER) {
        for_each_up_to_suits(game.player - 1, &mut |cards, ways| {
            let cards: Vec<Card> = cards.iter().copied().chain([Card::JOKER]).collect();
            visit(&cards, ways);
        });
    }
    match failed {
        Some(error) => Err(error),
        None => Ok(results),
    }
}

/// All classes together.
pub(crate) fn spread(results: &Results) -> Spread {
    let mut spread = Spread::default();
    for (&(gain, staked), &ways) in results.values().flatten() {
        let result = match gain {
            0 => "push",
            1.. => "win",
            _ => "lose",
        };
        spread.add_played(result, gain, staked, &whole(ways));
    }
    spread
}

/// Some thousand hands of the house in all suits, so that one is there beside any cards.
fn pool(game: &Showdown) -> Vec<(u32, CardSet)> {
    let mut seen = 0u32;
    let mut pool = Vec::new();
    let every = match game.house {
        0..=3 => 1,
        4..=5 => 61,
        _ => 997,
    };
    for_each_up_to_suits(game.house, &mut |cards, _| {
        seen += 1;
        if !seen.is_multiple_of(every) {
            return;
        }
        for turn in 0..4 {
            let turned: CardSet = cards.iter().map(|card| in_suits(*card, turn)).collect();
            pool.push(((game.strength)(turned), turned));
        }
    });
    pool.sort_unstable_by_key(|(strength, set)| (*strength, set.bits()));
    pool
}

/// The card with its suit moved on; the joker is itself.
fn in_suits(card: Card, turn: u8) -> Card {
    match card.is_joker() {
        true => card,
        false => {
            let (rank, suit) = (card.index() / 4, card.index() % 4);
            Card::from_index(rank * 4 + (suit + turn) % 4).unwrap_or(card)
        }
    }
}

impl Table<'_> {
    /// The weakest hand of the house that qualifies: where what is paid to a hand that beats all changes.
    fn qualifying(&self) -> Result<u32, OddsError> {
        let royal: CardSet = (8..13u8)
            .rev()
            .take(self.game.player as usize)
            .filter_map(|rank| Card::from_index(rank * 4))
            .collect();
        let own = (self.game.strength)(royal);
        let beside =
            |(strength, set): &&(u32, CardSet)| *strength < own && set.without(royal) == *set;
        let hands: Vec<&(u32, CardSet)> = self.pool.iter().filter(beside).collect();
        let words = |at: usize| -> Result<Vec<&'static str>, OddsError> {
            let (_, set) = hands[at];
            let (wagers, play) = self.compose(0, royal, *set);
            let came = self.felt.settle(&wagers, &play)?;
            Ok(came.iter().map(|came| came.result).collect())
        };
        let Some(last) = hands.len().checked_sub(1) else {
            return Ok(0);
        };
        let weakest = words(0)?;
        if words(last)? == weakest {
            return Ok(0);
        }
        let (mut below, mut above) = (0, last);
        while above - below > 1 {
            let middle = (below + above) / 2;
            match words(middle)? == weakest {
                true => below = middle,
                false => above = middle,
            }
        }
        self.between(hands[below].1, hands[above].0, royal, &weakest)
    }

    /// The pool is a sample: every hand between the two is asked, so that the border is exact.
    fn between(
        &self,
        below: CardSet,
        above: u32,
        royal: CardSet,
        weakest: &[&'static str],
    ) -> Result<u32, OddsError> {
        let from = (self.game.strength)(below);
        let mut hands: BTreeMap<u32, CardSet> = BTreeMap::new();
        for_each_up_to_suits(self.game.house, &mut |cards, _| {
            let set: CardSet = cards.iter().copied().collect();
            let strength = (self.game.strength)(set);
            if strength <= from || strength > above || hands.contains_key(&strength) {
                return;
            }
            let beside = permutations(set).find(|set| set.without(royal) == *set);
            if let Some(set) = beside {
                hands.insert(strength, set);
            }
        });
        for (strength, set) in hands {
            let (wagers, play) = self.compose(0, royal, set);
            let came = self.felt.settle(&wagers, &play)?;
            if came
                .iter()
                .map(|came| came.result)
                .ne(weakest.iter().copied())
            {
                return Ok(strength);
            }
        }
        Ok(above)
    }

    fn compose(&self, choice: usize, player: CardSet, house: CardSet) -> (Vec<Value>, Value) {
        let player: Vec<Card> = player.iter().collect();
        let house: Vec<Card> = house.iter().collect();
        (self.game.compose)(choice, &player, &house)
    }

    /// One hand of the player against everything.
    fn deal(
        &mut self,
        house: &House,
        cards: &[Card],
        ways: u128,
        results: &mut BTreeMap<(i64, i64), u128>,
    ) -> Result<(), OddsError> {
        let player: CardSet = cards.iter().copied().collect();
        let own = (self.game.strength)(player);
        let class = (self.game.class)(cards);
        let opens: Vec<CardSet> = if self.game.open {
            let rest = self.game.deck.without(player);
            rest.iter()
                .map(|card| [card].into_iter().collect())
                .collect()
        } else {
            vec![CardSet::EMPTY]
        };
        for open in opens {
            let met = house.meets(open, player, own, self.lowest);
            let counts = [met.unqualified, met.weaker, met.equal, met.stronger];
            let mut best: Option<(i128, Vec<Came>)> = None;
            for choice in 0..self.game.choices {
                if let Some(played) = self.choose(class, choice, player, own, counts)? {
                    let value = played
                        .iter()
                        .map(|(gain, _, ways)| i128::from(*gain) * (*ways as i128));
                    let value = value.sum();
                    if best.as_ref().is_none_or(|(known, _)| value > *known) {
                        best = Some((value, played));
                    }
                }
            }
            for (gain, staked, hands) in best.into_iter().flat_map(|(_, played)| played) {
                *results.entry((gain, staked)).or_default() += ways * hands;
            }
        }
        Ok(())
    }

    /// What a choice comes to against each kind of hand, with how many there are of it.
    fn choose(
        &mut self,
        class: u32,
        choice: usize,
        player: CardSet,
        own: u32,
        counts: [i64; STATES],
    ) -> Result<Option<Vec<Came>>, OddsError> {
        let mut played = Vec::new();
        for (state, count) in counts.into_iter().enumerate() {
            if count <= 0 {
                continue;
            }
            let key = (class, choice, state);
            let came = match self.known.get(&key) {
                Some(came) => *came,
                None => {
                    let came = self.played(choice, player, own, state)?;
                    self.known.insert(key, came);
                    came
                }
            };
            match came {
                Some((gain, staked)) => played.push((gain, staked, count as u128)),
                None => return Ok(None),
            }
        }
        Ok(Some(played))
    }

    /// Settles a choice against the weakest and the strongest hand of a kind that lie in the pool.
    fn played(
        &self,
        choice: usize,
        player: CardSet,
        own: u32,
        state: usize,
    ) -> Result<Played, OddsError> {
        let is_of = |strength: u32| {
            let met = {
                let mut met = Met::default();
                met.add(strength, own, self.lowest);
                [met.unqualified, met.weaker, met.equal, met.stronger]
            };
            met[state] == 1
        };
        let beside = |set: &CardSet| set.without(player) == *set;
        let mut hands = self.pool.iter().filter(|(strength, _)| is_of(*strength));
        let weakest = hands
            .clone()
            .find(|(_, set)| beside(set))
            .map(|(_, set)| *set);
        let strongest = hands.rfind(|(_, set)| beside(set)).map(|(_, set)| *set);
        let found: Vec<CardSet> = weakest.into_iter().chain(strongest).collect();
        let found = match found.is_empty() {
            true => self.search(&|set| beside(&set) && is_of((self.game.strength)(set))),
            false => found,
        };
        let mut known: Option<Played> = None;
        for house in found {
            let (wagers, play) = self.compose(choice, player, house);
            let came = self.felt.lawful(&wagers, &play)?;
            let came = came.map(|came| {
                let gain = came.iter().map(|came| came.gain).sum();
                (gain, came.iter().map(|came| came.stake).sum())
            });
            if known.is_some_and(|known| known != came) {
                return Err(self.felt.ambiguous(&play));
            }
            known = Some(came);
        }
        known.ok_or_else(|| self.felt.ambiguous(&Value::Null))
    }

    /// A hand of the house that is so; all are asked.
    fn search(&self, is_so: &dyn Fn(CardSet) -> bool) -> Vec<CardSet> {
        let mut found = None;
        let mut visit = |set: CardSet| {
            if found.is_none() {
                found = permutations(set).find(|set| is_so(*set));
            }
        };
        for_each_up_to_suits(self.game.house, &mut |cards, _| {
            visit(cards.iter().copied().collect());
        });
        if self.game.deck.contains(Card::JOKER) {
            for_each_up_to_suits(self.game.house - 1, &mut |cards, _| {
                visit(cards.iter().copied().chain([Card::JOKER]).collect());
            });
        }
        found.into_iter().collect()
    }
}

/// The hand in all suits.
fn permutations(set: CardSet) -> impl Iterator<Item = CardSet> {
    (0..256u16).filter_map(move |code| {
        let to = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3];
        let differ = (0..4).all(|at| (0..at).all(|other| to[at] != to[other]));
        differ.then(|| {
            set.iter()
                .map(|card| match card.is_joker() {
                    true => card,
                    false => {
                        let suit = to[usize::from(card.index() % 4)] as u8;
                        Card::from_index(card.index() / 4 * 4 + suit).unwrap_or(card)
                    }
                })
                .collect()
        })
    })
}

#[cfg(test)]
mod tests {
    use catwalk_rules::Rulebook;
    use serde_json::json;

    use super::*;
    use crate::games::own_cards::drawn;
    use crate::games::stud;

    /// What is added up is settled for one hand of a class against one of the house's of a kind: deals drawn at
    /// random must settle as those do.
    #[test]
    fn any_deal_settles_as_the_one_that_stands_for_it() {
        let rulebook = Rulebook::load().unwrap();
        let options = json!({});
        for (game, edition) in [
            ("three_card_poker", "mgc-2017"),
            ("crazy_four_poker", "oh-jack-2017"),
            ("caribbean_stud", "mgc-2017"),
            ("dj_wild", "oh-jack-2017"),
            ("four_card_poker", "oh-jack-2017"),
        ] {
            let felt = Felt::open(&rulebook, game, edition, &options).unwrap();
            let game = stud::showdown(&felt).unwrap();
            let mut table = Table {
                felt: &felt,
                game: &game,
                pool: pool(&game),
                lowest: 0,
                known: HashMap::new(),
            };
            table.lowest = table.qualifying().unwrap();
            let deck = if game.deck.contains(Card::JOKER) {
                53
            } else {
                52
            };
            for cards in drawn(deck, (game.player + game.house) as usize, 150) {
                let (player, house) = cards.split_at(game.player as usize);
                let own = (game.strength)(player.iter().copied().collect());
                let strength = (game.strength)(house.iter().copied().collect());
                let mut met = Met::default();
                met.add(strength, own, table.lowest);
                let counts = [met.unqualified, met.weaker, met.equal, met.stronger];
                for choice in 0..game.choices {
                    let class = (game.class)(player);
                    let set = player.iter().copied().collect();
                    let stood = table.choose(class, choice, set, own, counts).unwrap();
                    let (wagers, play) = (game.compose)(choice, player, house);
                    let came = felt.lawful(&wagers, &play).unwrap();
                    let gain = came.map(|came| came.iter().map(|it| it.gain).sum::<i64>());
                    assert_eq!(stood.map(|it| it[0].0), gain, "{} {cards:?}", felt.game());
                }
            }
        }
    }
}

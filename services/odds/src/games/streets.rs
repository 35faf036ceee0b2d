//! Let it ride, double down stud and Mississippi stud: one hand of five against a pay table, with bets on the way.

use std::collections::BTreeMap;

use catwalk_rules::exact::{Outlook, for_each_five, place};
use catwalk_rules::floor::Card;
use catwalk_rules::hands::five;
use serde_json::{Value, json};

use super::own_cards::{classes, five_class, names};
use super::stud::{STAKE, let_it_ride, mississippi, on};
use crate::OddsError;
use crate::felt::{Felt, wager};
use crate::spread::{Spread, whole};

/// The wagers and the play of a round with these cards.
type Dealt<'a> = &'a dyn Fn(&[Card]) -> (Vec<Value>, Value);

/// What all wagers gain in cents, by the class of the hand: settled once for each.
struct Gains(BTreeMap<u32, i64>);

impl Gains {
    fn of(felt: &Felt<'_>, round: Dealt<'_>) -> Result<Gains, OddsError> {
        let mut gains = BTreeMap::new();
        for class in classes(5, five_class) {
            let (wagers, play) = round(&class.cards);
            let came = felt.settle(&wagers, &play)?;
            let gain = came.iter().map(|came| came.gain).sum();
            gains.insert(five_class(&class.cards), gain);
        }
        Ok(Gains(gains))
    }

    fn at(&self, class: u32) -> i64 {
        self.0.get(&class).copied().unwrap_or_default()
    }
}

fn class_of(hand: five::Hand) -> u32 {
    20 * hand.category() as u32 + u32::from(hand.ranks()[0].index())
}

fn without<const N: usize, const M: usize>(at: [usize; N], out: usize) -> [usize; M] {
    std::array::from_fn(|i| at[i + usize::from(i >= out)])
}

fn spread(results: BTreeMap<(i64, i64), u128>) -> Spread {
    let mut spread = Spread::default();
    for ((gain, staked), ways) in results {
        let result = match gain {
            0 => "push",
            1.. => "win",
            _ => "lose",
        };
        spread.add_played(result, gain, staked, &whole(ways));
    }
    spread
}

/// Bet 1 rides on three known cards and bet 2 on four, where that gains.
pub(crate) fn ride(felt: &Felt<'_>) -> Result<Spread, OddsError> {
    let settled = |rides: [bool; 2]| {
        Gains::of(felt, &move |cards| {
            let_it_ride(&cards[..3], &cards[3..], rides)
        })
    };
    let by_rides = [
        settled([false, false])?,
        settled([true, false])?,
        settled([false, true])?,
        settled([true, true])?,
    ];
    // What a bet that rides adds.
    let worth = |hand: five::Hand| {
        let class = class_of(hand);
        by_rides[1].at(class) - by_rides[0].at(class)
    };
    let outlook = Outlook::of(&worth);
    let mut results = BTreeMap::new();
    for_each_five(&mut |at, hand| {
        let class = class_of(hand);
        for out in 0..5 {
            let four: [usize; 4] = without(at, out);
            let rides_2 = outlook.with_four[place(&four)] > 0;
            for also in 0..4 {
                let three: [usize; 3] = without(four, also);
                let rides_1 = outlook.with_three[place(&three)] > 0;
                let rides = usize::from(rides_1) + 2 * usize::from(rides_2);
                let gain = by_rides[rides].at(class);
                let staked = STAKE * (1 + i64::from(rides_1) + i64::from(rides_2));
                *results.entry((gain, staked)).or_default() += 1u128;
            }
        }
    });
    Ok(spread(results))
}

/// The bet is doubled on four known cards where that gains.
pub(crate) fn double_down(felt: &Felt<'_>) -> Result<Spread, OddsError> {
    let settled = |doubles: bool| {
        Gains::of(felt, &move |cards| {
            let mut wagers = vec![wager("bet", STAKE, json!({}))];
            if doubles {
                wagers.push(on("double_down", "w2", STAKE));
            }
            let play = json!({"hands": {"1": names(&cards[..1])}, "dealer": names(&cards[1..])});
            (wagers, play)
        })
    };
    let gains = [settled(false)?, settled(true)?];
    let worth = |hand: five::Hand| gains[1].at(class_of(hand)) - gains[0].at(class_of(hand));
    let outlook = Outlook::of(&worth);
    let mut results = BTreeMap::new();
    for_each_five(&mut |at, hand| {
        for out in 0..5 {
            let four: [usize; 4] = without(at, out);
            let doubles = outlook.with_four[place(&four)] > 0;
            let gain = gains[usize::from(doubles)].at(class_of(hand));
            let staked = STAKE * (1 + i64::from(doubles));
            *results.entry((gain, staked)).or_default() += 1u128;
        }
    });
    Ok(spread(results))
}

/// One, two or three antes on each of three streets, or nothing more.
pub(crate) fn streets(felt: &Felt<'_>) -> Result<Spread, OddsError> {
    // What the antes and all streets bring in, for each ante of it.
    let gains = Gains::of(felt, &|cards| {
        mississippi(&cards[..2], &cards[2..], [1, 1, 1])
    })?;
    let outlook = Outlook::of(&|hand| gains.at(class_of(hand)) / 4);
    let plan = Plan::of(&outlook);
    let mut results: BTreeMap<(i64, i64), u128> = BTreeMap::new();
    // How often four known cards are reached with so many antes, in orders of dealing.
    let mut reached = vec![[0u64; 11]; outlook.with_four.len()];
    plan.walk(&mut reached, &mut |staked, deals| {
        let antes = STAKE * staked as i64;
        *results.entry((-antes, antes)).or_default() += u128::from(deals);
    });
    for_each_five(&mut |at, hand| {
        let class = class_of(hand);
        for out in 0..5 {
            let four: [usize; 4] = without(at, out);
            for (antes, &deals) in reached[place(&four)].iter().enumerate() {
                if deals > 0 {
                    let antes = antes as i64;
                    let gain = gains.at(class) / 4 * antes;
                    *results.entry((gain, antes * STAKE)).or_default() += u128::from(deals);
                }
            }
        }
    });
    Ok(spread(results))
}

/// The best bets of Mississippi stud: how many antes to add, by the place of the known cards and by how many
/// antes lie there; 0 gives up.
struct Plan {
    second: Vec<usize>,
    third: Vec<[usize; 5]>,
    fourth: Vec<[usize; 8]>,
}

impl Plan {
    fn of(outlook: &Outlook) -> Plan {
        let best = |staked: i64, deals: i64, bet: &dyn Fn(i64) -> i64| {
            let give_up = (-staked * STAKE * deals, 0);
            (1..=3)
                .map(|antes| (bet(staked + antes), antes as usize))
                .fold(give_up, |best, bet| if bet.0 > best.0 { bet } else { best })
        };
        let fourths: Vec<[(i64, usize); 8]> = outlook
            .with_four
            .iter()
            .map(|worth| std::array::from_fn(|at| best(at as i64, 48, &|staked| staked * worth)))
            .collect();
        let mut thirds = vec![[(0, 0); 5]; outlook.with_three.len()];
        for c in 2..52 {
            for b in 1..c {
                for a in 0..b {
                    let mut sums = [0; 8];
                    for four in next(&[a, b, c]) {
                        for (sum, (worth, _)) in sums.iter_mut().zip(&fourths[four]) {
                            *sum += worth;
                        }
                    }
                    thirds[place(&[a, b, c])] = std::array::from_fn(|at| {
                        best(at as i64, 48 * 49, &|staked| sums[staked as usize])
                    });
                }
            }
        }
        let mut second = vec![0; outlook.with_two.len()];
        for b in 1..52 {
            for a in 0..b {
                let after = next(&[a, b]);
                let bet = |staked: i64| {
                    after
                        .iter()
                        .map(|&three| thirds[three][staked as usize].0)
                        .sum()
                };
                second[place(&[a, b])] = best(1, 48 * 49 * 50, &bet).1;
            }
        }
        Plan {
            second,
            third: thirds.iter().map(|by| by.map(|(_, bet)| bet)).collect(),
            fourth: fourths.iter().map(|by| by.map(|(_, bet)| bet)).collect(),
        }
    }

    /// Deals up to four known cards. What is given up is told, in orders of dealing five.
    fn walk(&self, reached: &mut [[u64; 11]], given_up: &mut dyn FnMut(usize, u64)) {
        for b in 1..52 {
            for a in 0..b {
                let bet = self.second[place(&[a, b])];
                if bet == 0 {
                    given_up(1, 48 * 49 * 50);
                    continue;
                }
                let staked = 1 + bet;
                for c in (0..52).filter(|c| *c != a && *c != b) {
                    let mut known = [a, b, c];
                    known.sort_unstable();
                    let bet = self.third[place(&known)][staked];
                    if bet == 0 {
                        given_up(staked, 48 * 49);
                        continue;
                    }
                    let staked = staked + bet;
                    for four in next(&known) {
                        match self.fourth[four][staked] {
                            0 => given_up(staked, 48),
                            bet => reached[four][staked + bet] += 1,
                        }
                    }
                }
            }
        }
    }
}

/// The places of the known cards with one more.
fn next(known: &[usize]) -> Vec<usize> {
    let more = (0..52).filter(|card| !known.contains(card));
    more.map(|card| {
        let mut cards = known.to_vec();
        cards.push(card);
        cards.sort_unstable();
        place(&cards)
    })
    .collect()
}

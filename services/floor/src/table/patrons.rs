//! Who plays at a table: patrons come with money and habits, buy in, win or lose, and go.

use std::collections::BTreeMap;

use catwalk_events::body::BuyInForm;
use catwalk_rules::floor::Cents;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// Positions that patrons take: no table of the floor has fewer.
const SEATS: u32 = 6;
/// A table is full with so many.
const FULL: usize = 5;
/// Who buys chips buys for so many rounds as the one before him, at least.
const ROUNDS_BOUGHT: i64 = 4;
/// Chips are bought in hundreds of dollars.
const BUNDLE: i64 = 10_000;

/// Games at which a wager tells who made it. At the others the game itself says so where it matters.
const NAMED: [&str; 5] = ["baccarat", "big_six", "midibaccarat", "roulette", "sic_bo"];

/// The patrons at a table, by seat.
#[derive(Debug, Default)]
pub(super) struct Patrons {
    seated: BTreeMap<u32, Patron>,
    /// How many have come until now.
    come: u64,
    /// Who came and went since it was last asked.
    moves: Vec<Move>,
}

/// A patron comes or goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Move {
    Came {
        seat: u32,
        player: Option<String>,
    },
    Left {
        seat: u32,
        player: Option<String>,
        chips: Cents,
    },
}

#[derive(Debug)]
struct Patron {
    /// As his card of the house says; who shows none plays without a name.
    name: Option<String>,
    chips: Cents,
    /// What he still has to change into chips.
    purse: Cents,
    /// Rounds that he will stay for.
    rounds: u32,
    /// Of eight rounds he lets so many pass.
    idle: u32,
    /// With so many chips before him he goes home.
    goal: Cents,
    /// A wager of his is still up.
    has_wager: bool,
}

impl Patrons {
    /// The seats that bet in the next round; somebody always does.
    pub(super) fn bettors(&mut self, table: &str, rng: &mut ChaCha8Rng) -> Vec<u32> {
        let moves = &mut self.moves;
        self.seated.retain(|seat, patron| {
            let goes = patron.goes();
            if goes {
                moves.push(patron.leaves(*seat));
            }
            !goes
        });
        let come = match self.seated.len() {
            0 => rng.random_range(1..=3),
            FULL.. => 0,
            _ => usize::from(rng.random_range(0..10) == 0),
        };
        for _ in 0..come {
            let is_free = |seat: &u32| !self.seated.contains_key(seat);
            let free: Vec<u32> = (1..=SEATS).filter(is_free).collect();
            if let Some(&seat) = free.choose(rng) {
                self.come += 1;
                let patron = Patron::come(table, self.come, rng);
                let player = patron.name.clone();
                self.moves.push(Move::Came { seat, player });
                self.seated.insert(seat, patron);
            }
        }
        let bets = |(seat, patron): (&u32, &mut Patron)| {
            patron.rounds = patron.rounds.saturating_sub(1);
            (rng.random_range(0..8) >= patron.idle).then_some(*seat)
        };
        let bettors: Vec<u32> = self.seated.iter_mut().filter_map(bets).collect();
        match bettors.is_empty() {
            true => self.seated.keys().copied().take(1).collect(),
            false => bettors,
        }
    }

    /// Who is known by name, and where.
    pub(super) fn names(&self, game: &str) -> BTreeMap<u32, String> {
        if !NAMED.contains(&game) {
            return BTreeMap::new();
        }
        let named = |(seat, patron): (&u32, &Patron)| Some((*seat, patron.name.clone()?));
        self.seated.iter().filter_map(named).collect()
    }

    /// What a patron changes into chips who wants to stake so much; nothing if he has enough of them.
    pub(super) fn buys(
        &mut self,
        seat: u32,
        stake: Cents,
        rng: &mut ChaCha8Rng,
    ) -> Option<(Cents, BuyInForm)> {
        let patron = self.seated.get_mut(&seat)?;
        if patron.chips >= stake {
            return None;
        }
        let wanted = stake.get() * ROUNDS_BOUGHT;
        let amount = Cents::new((wanted + BUNDLE - 1) / BUNDLE * BUNDLE);
        patron.chips += amount;
        patron.purse -= amount;
        let form = match rng.random_range(0..20) {
            0 => BuyInForm::CounterCheck,
            _ => BuyInForm::Cash,
        };
        Some((amount, form))
    }

    /// Chips that a patron won, or lost.
    pub(super) fn gain(&mut self, seat: u32, gain: Cents) {
        if let Some(patron) = self.seated.get_mut(&seat) {
            patron.chips += gain;
        }
    }

    /// The seats whose wagers wait for another round.
    pub(super) fn leave_up(&mut self, seats: &[u32]) {
        for (seat, patron) in &mut self.seated {
            patron.has_wager = seats.contains(seat);
        }
    }

    /// The table closes.
    pub(super) fn go_home(&mut self) {
        for (seat, patron) in std::mem::take(&mut self.seated) {
            self.moves.push(patron.leaves(seat));
        }
    }

    /// Who came and went since this was last asked.
    pub(super) fn moves(&mut self) -> Vec<Move> {
        std::mem::take(&mut self.moves)
    }

    /// Who sits there, if he is known.
    pub(super) fn name(&self, seat: u32) -> Option<String> {
        self.seated.get(&seat)?.name.clone()
    }
}

impl Patron {
    fn come(table: &str, number: u64, rng: &mut ChaCha8Rng) -> Patron {
        let is_known = rng.random_range(0..3) > 0;
        let purse = Cents::new(rng.random_range(5..=500) * BUNDLE);
        Patron {
            name: is_known.then(|| format!("p-{table}-{number}")),
            chips: Cents::ZERO,
            purse,
            rounds: rng.random_range(5..150),
            idle: rng.random_range(0..4),
            goal: purse.times(rng.random_range(2..6)),
            has_wager: false,
        }
    }

    fn leaves(&self, seat: u32) -> Move {
        Move::Left {
            seat,
            player: self.name.clone(),
            chips: self.chips,
        }
    }

    /// Has he had enough, lost what he brought, or won what he came for?
    fn goes(&self) -> bool {
        let is_done = self.rounds == 0 || self.chips > self.goal;
        let is_broke = self.purse.is_negative() && self.chips < Cents::new(BUNDLE);
        !self.has_wager && (is_done || is_broke)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn patrons_come_buy_chips_and_go() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut patrons = Patrons::default();
        let (mut names, mut most, mut bought) = (Vec::new(), 0, Cents::ZERO);
        for _ in 0..2_000 {
            for seat in patrons.bettors("BJ-01", &mut rng) {
                let stake = Cents::new(2_500);
                let buys = patrons.buys(seat, stake, &mut rng);
                bought += buys.map_or(Cents::ZERO, |(amount, _)| amount);
                assert_eq!(patrons.buys(seat, stake, &mut rng), None);
                patrons.gain(seat, -stake);
            }
            most = most.max(patrons.seated.len());
            names.extend(patrons.names("roulette").into_values());
        }
        names.sort_unstable();
        names.dedup();
        assert!(names.len() > 20, "{names:?}");
        assert_eq!(most, FULL);
        assert!(bought > Cents::new(1_000_000));
    }

    #[test]
    fn nobody_goes_while_a_wager_of_his_is_up() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut patrons = Patrons::default();
        let seat = patrons.bettors("CR-01", &mut rng)[0];
        patrons.leave_up(&[seat]);
        for _ in 0..500 {
            patrons.bettors("CR-01", &mut rng);
        }
        assert!(patrons.seated.contains_key(&seat));
        patrons.leave_up(&[]);
        patrons.bettors("CR-01", &mut rng);
        assert!(!patrons.seated.contains_key(&seat));
    }
}

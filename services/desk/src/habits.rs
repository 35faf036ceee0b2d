//! Mispays of one dealer, or to one patron, within the hour; statistics that speak against one object again.

use std::collections::{BTreeSet, HashMap, VecDeque};

use catwalk_events::Timestamp;
use serde::{Deserialize, Serialize};

use crate::desk::later;

/// So many people are remembered; whoever was not met for longest is forgotten first.
const MAX_PEOPLE: usize = 50_000;
/// So many rounds of one are.
const MAX_ROUNDS: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Habit {
    Dealer {
        property: String,
        dealer: String,
    },
    Patron {
        property: String,
        player: String,
    },
    Object {
        property: String,
        object: String,
        code: String,
    },
}

/// Rounds with a mispay, or shifts with a suspicion: which, and when.
type Rounds = VecDeque<(Option<String>, Timestamp)>;

#[derive(Debug, Default)]
pub(crate) struct Habits {
    pub(crate) of: HashMap<Habit, Rounds>,
    pub(crate) changed: BTreeSet<Habit>,
    pub(crate) gone: BTreeSet<Habit>,
}

impl Habits {
    /// Counts a mispay, and gives how many rounds with one there were within the window. Several mispays of one
    /// round have one cause.
    pub(crate) fn count(
        &mut self,
        habit: Habit,
        round: Option<String>,
        now: Timestamp,
        window: i64,
    ) -> usize {
        let rounds = self.of.entry(habit.clone()).or_default();
        let is_known = round.is_some() && rounds.iter().any(|(known, _)| *known == round);
        if !is_known {
            rounds.push_back((round, now));
        }
        rounds.retain(|&(_, at)| later(at, window) >= now);
        if rounds.len() > MAX_ROUNDS {
            rounds.pop_front();
        }
        let count = rounds.len();
        self.gone.remove(&habit);
        self.changed.insert(habit);
        if self.of.len() > MAX_PEOPLE {
            self.forget_one();
        }
        count
    }

    fn forget_one(&mut self) {
        let last = |rounds: &Rounds| rounds.back().map(|(_, at)| *at);
        let longest_ago = self
            .of
            .iter()
            .min_by_key(|(habit, rounds)| (last(rounds), *habit));
        if let Some(habit) = longest_ago.map(|(habit, _)| habit.clone()) {
            self.of.remove(&habit);
            self.changed.remove(&habit);
            self.gone.insert(habit);
        }
    }
}

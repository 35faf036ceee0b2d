//! The house way of the Ohio text, section 12 and attachment 1.

use super::setting::Setting;
use crate::floor::{Card, CardSet, Rank};
use crate::hands::joker::{Category, LowStraight};
use crate::hands::two;

/// Seven cards as the house lays them: five in front and two behind. `None` for cards that no deck of
/// the game deals.
pub fn lay_the_house_way(
    cards: &[Card; 7],
    low_straight: LowStraight,
) -> Option<([Card; 5], [Card; 2])> {
    let different: CardSet = cards.iter().copied().collect();
    if different.len() < 7 {
        return None;
    }
    let due = house_way(cards, low_straight);
    let pairs = (0..7).flat_map(|one| (one + 1..7).map(move |other| [one, other]));
    pairs
        .map(|behind| {
            let in_front = (0..7).filter(|at| !behind.contains(at));
            let front: Vec<Card> = in_front.map(|at| cards[at]).collect();
            (front, behind.map(|at| cards[at]))
        })
        .filter(|(_, behind)| two::rank(behind) == due.low)
        .find(|(front, behind)| Setting::of(front, behind, low_straight) == Some(due))
        .and_then(|(front, behind)| Some((front.try_into().ok()?, behind)))
}

/// Sets seven cards the house way. The joker counts as an ace, except in straights and flushes.
pub(crate) fn house_way(cards: &[Card; 7], low_straight: LowStraight) -> Setting {
    let holding = Holding::new(cards, low_straight);
    let groups = &holding.groups;
    let sizes: Vec<usize> = groups.iter().map(|group| group.cards.len()).collect();
    match sizes[..] {
        // L: five aces.
        [5, 2] if groups[1].rank == Rank::King => holding.behind(groups[1].pair()),
        [5, ..] => holding.behind(groups[0].pair()),
        // K: four and three of a kind.
        [4, 3] => holding.behind(groups[0].higher(&groups[1]).pair()),
        // J: four of a kind with a pair.
        [4, 2, 1] if groups[0].rank == Rank::Ace && groups[1].rank != Rank::King => {
            holding.behind(groups[0].pair())
        }
        [4, 2, 1] => holding.behind(groups[1].pair()),
        // I: four of a kind.
        [4, ..] => match groups[0].rank {
            Rank::Ace => holding
                .straight_or_flush()
                .unwrap_or_else(|| holding.behind(groups[0].pair())),
            Rank::Two | Rank::Three | Rank::Four | Rank::Five | Rank::Six => {
                holding.behind(holding.best_singles())
            }
            _ if groups[1].rank == Rank::Ace => holding.behind(holding.best_singles()),
            _ => holding.behind(groups[0].pair()),
        },
        // F: two sets of three.
        [3, 3, 1] => holding.behind(groups[0].pair()),
        // H, G.vi: a full house, with a second pair or without.
        [3, 2, 2] => holding.behind(groups[1].pair()),
        [3, 2, ..] => {
            let ace_and_king = [groups[2].rank, groups[3].rank] == [Rank::Ace, Rank::King];
            if groups[1].rank == Rank::Two && ace_and_king {
                holding.behind(holding.best_singles())
            } else {
                holding.behind(groups[1].pair())
            }
        }
        // E, G.v: three aces, then any other set.
        [3, ..] if groups[0].rank == Rank::Ace => {
            let aces_in_front = holding.behind([groups[0].cards[0], groups[1].cards[0]]);
            match holding.straight_or_flush() {
                Some(kept) if kept.low >= aces_in_front.low => kept,
                _ => aces_in_front,
            }
        }
        // D, G.iv: three pair.
        [2, 2, 2, 1] => holding.behind(groups[0].pair()),
        // C, G.iii: a straight or flush only with a pair behind it; otherwise the rule of two
        // pairs has the better low hand.
        [2, 2, ..] => holding
            .straight_or_flush()
            .filter(|kept| kept.low.category() == two::Category::Pair)
            .unwrap_or_else(|| holding.two_pair()),
        // E, B, G: a set or a pair in front unless a straight or flush is there.
        [3 | 2, ..] => holding
            .straight_or_flush()
            .unwrap_or_else(|| holding.behind(holding.best_singles())),
        // A, G.i: no pair.
        _ => holding.straight_or_flush().unwrap_or_else(|| {
            let [_, second, third, ..] = &groups[..] else {
                return holding.behind(holding.best_singles());
            };
            holding.behind([second.cards[0], third.cards[0]])
        }),
    }
}

/// Cards of one rank; natural aces before the joker, so that the joker stays in front.
struct Group {
    rank: Rank,
    cards: Vec<Card>,
}

impl Group {
    fn pair(&self) -> [Card; 2] {
        [self.cards[0], self.cards[1]]
    }

    fn higher<'a>(&'a self, other: &'a Group) -> &'a Group {
        if self.rank > other.rank { self } else { other }
    }
}

struct Holding<'a> {
    cards: &'a [Card; 7],
    /// The larger groups first, then the higher ranks.
    groups: Vec<Group>,
    low_straight: LowStraight,
}

impl Holding<'_> {
    fn new(cards: &[Card; 7], low_straight: LowStraight) -> Holding<'_> {
        let mut sorted = *cards;
        sorted.sort_unstable();
        let mut groups: Vec<Group> = Vec::new();
        for card in sorted {
            let rank = card.rank().unwrap_or(Rank::Ace);
            match groups.iter_mut().find(|group| group.rank == rank) {
                Some(group) => group.cards.push(card),
                None => groups.push(Group {
                    rank,
                    cards: vec![card],
                }),
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse((group.cards.len(), group.rank)));
        Holding {
            cards,
            groups,
            low_straight,
        }
    }

    /// The setting with these two behind.
    fn behind(&self, low: [Card; 2]) -> Setting {
        let mut front = [Card::JOKER; 5];
        let others = self.cards.iter().filter(|card| !low.contains(card));
        front
            .iter_mut()
            .zip(others)
            .for_each(|(place, &card)| *place = card);
        Setting::of(&front, &low, self.low_straight).expect("seven different cards, one joker")
    }

    /// The two highest cards that stand alone in their rank.
    fn best_singles(&self) -> [Card; 2] {
        let mut singles = self.groups.iter().filter(|group| group.cards.len() == 1);
        [(); 2].map(|()| singles.next().map_or(Card::JOKER, |group| group.cards[0]))
    }

    /// The straight, flush, straight flush or royal flush in front that leaves the highest low
    /// hand; then the highest of them.
    fn straight_or_flush(&self) -> Option<Setting> {
        let mut best: Option<Setting> = None;
        for (at, &one) in self.cards.iter().enumerate() {
            for &other in &self.cards[at + 1..] {
                let setting = self.behind([one, other]);
                let kept = matches!(
                    setting.high.category(),
                    Category::Straight
                        | Category::Flush
                        | Category::StraightFlush
                        | Category::RoyalFlush
                );
                let better = |best: Setting| (setting.low, setting.high) > (best.low, best.high);
                if kept && best.is_none_or(better) {
                    best = Some(setting);
                }
            }
        }
        best
    }

    /// C: whether two pairs are split depends on their height and on the singles.
    fn two_pair(&self) -> Setting {
        let (high, low) = (&self.groups[0], &self.groups[1]);
        let best_single = self.groups[2].rank;
        let kept = match (Height::of(high.rank), Height::of(low.rank)) {
            (Height::Low | Height::Medium, Height::Low) => best_single >= Rank::King,
            (Height::High, Height::Low) | (Height::Medium, Height::Medium) => {
                best_single == Rank::Ace
            }
            _ => false,
        };
        if kept {
            self.behind(self.best_singles())
        } else {
            self.behind(low.pair())
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Height {
    Low,
    Medium,
    High,
    Aces,
}

impl Height {
    fn of(rank: Rank) -> Height {
        match rank {
            Rank::Two | Rank::Three | Rank::Four | Rank::Five | Rank::Six => Height::Low,
            Rank::Seven | Rank::Eight | Rank::Nine => Height::Medium,
            Rank::Ten | Rank::Jack | Rank::Queen | Rank::King => Height::High,
            Rank::Ace => Height::Aces,
        }
    }
}

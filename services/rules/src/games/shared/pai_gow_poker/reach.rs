//! Which cards can decide a wager: asked where some of them were not seen.

use super::document::{Kind, Play, Wager};
use super::fortune::fate;
use super::{HouseWay, is_massachusetts};
use crate::Edition;
use crate::floor::Seat;
use crate::games::shared::pai_gow::Mode;
use crate::unseen::Reach;

/// A round whose cards were not all seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight<'a> {
    pub(crate) edition: Edition,
    pub(crate) wagers: &'a [Wager],
    pub(crate) play: &'a Play,
    pub(crate) house_way: HouseWay,
    /// A posted maximum for a person and a round joins bonus, insurance and envy.
    pub(crate) joins_bonuses: bool,
    /// The same for the seven card wagers of a person.
    pub(crate) joins_sevens: bool,
}

impl Sight<'_> {
    /// Wagers that go back whatever the cards are need none; that they may have some does no harm.
    pub(crate) fn decided_by(&self, wager: &Wager) -> Reach {
        Reach::Only(self.places(wager))
    }

    fn places(&self, wager: &Wager) -> Vec<String> {
        let area = wager.seat;
        match wager.kind {
            Kind::PaiGowPoker => self.main(area),
            Kind::DealerVsBank => [self.house("dealer"), self.reference()].concat(),
            Kind::Bank => self.all_against_bank(),
            Kind::Number => vec!["deal.number".to_owned()],
            _ if fate(self.play, area).is_some() => Vec::new(),
            Kind::Tiger9 => vec!["dealer.cards".to_owned()],
            Kind::Envy if self.joins_bonuses => self.bonuses_of_person(area),
            Kind::Envy => self.envied(area),
            Kind::Bonus | Kind::Insurance if self.joins_bonuses => self.bonuses_of_person(area),
            Kind::SevenCardBonus if self.joins_sevens => self.cards_of_person(area),
            Kind::ThreeCardBonus => {
                let first_three = (0..3).map(|at| format!("{}[{at}]", self.cards(area)));
                first_three.collect()
            }
            Kind::Bonus | Kind::FortuneBonus | Kind::Insurance | Kind::SevenCardBonus => {
                vec![self.cards(area)]
            }
            Kind::Progressive | Kind::FortuneProgressive => self.off_meter(wager),
        }
    }

    fn place(&self, area: Seat) -> String {
        let place = self.play.place_of(area);
        place.trim_start_matches("play.").to_owned()
    }

    fn cards(&self, area: Seat) -> String {
        format!("{}.cards", self.place(area))
    }

    /// The main wager of an area: how its hand lies, and the hand that it is held against.
    fn main(&self, area: Seat) -> Vec<String> {
        let Some(hand) = self.play.hand(area) else {
            return Vec::new();
        };
        let is_given_up = hand.surrender && !self.may_bar_surrender(area);
        if fate(self.play, area).is_some() || is_given_up {
            return Vec::new();
        }
        // In Ohio the house sets the third area of a player by its cards: 7.D there.
        let own = match is_massachusetts(self.edition) {
            true => laid(&self.place(area)),
            false => vec![self.place(area)],
        };
        [own, self.reference()].concat()
    }

    fn may_bar_surrender(&self, area: Seat) -> bool {
        let bars = |wager: &Wager| {
            let kinds = [Kind::Progressive, Kind::SevenCardBonus];
            wager.seat == area && kinds.contains(&wager.kind)
        };
        is_massachusetts(self.edition) && self.wagers.iter().any(bars)
    }

    /// The hand that all others are held against.
    fn reference(&self) -> Vec<String> {
        match (self.play.bank_seat, self.play.mode) {
            (None, _) => self.house("dealer"),
            (Some(bank), Mode::CoBank) => self.house(&self.place(bank)),
            (Some(bank), _) => laid(&self.place(bank)),
        }
    }

    /// A hand that the house sets: by its cards where the rules know how.
    fn house(&self, place: &str) -> Vec<String> {
        match self.house_way {
            HouseWay::Standard => vec![format!("{place}.cards")],
            HouseWay::AsSet => laid(place),
        }
    }

    fn all_against_bank(&self) -> Vec<String> {
        let against = |wager: &&Wager| matches!(wager.kind, Kind::PaiGowPoker | Kind::DealerVsBank);
        let wagers = self.wagers.iter().filter(against);
        wagers.flat_map(|wager| self.places(wager)).collect()
    }

    /// The hands of all other people that play for something.
    fn envied(&self, area: Seat) -> Vec<String> {
        let own = self.play.owner(area);
        let hands = self.play.hands.iter();
        let others = hands.filter(|hand| hand.owner() != own);
        let others = others.filter(|hand| fate(self.play, hand.seat).is_none());
        others.map(|hand| self.cards(hand.seat)).collect()
    }

    fn cards_of_person(&self, area: Seat) -> Vec<String> {
        let own = self.play.owner(area);
        let hands = self.play.hands.iter().filter(|hand| hand.owner() == own);
        hands.map(|hand| self.cards(hand.seat)).collect()
    }

    /// What is paid to a person on one of these wagers may be cut for another one.
    fn bonuses_of_person(&self, area: Seat) -> Vec<String> {
        let own = self.play.owner(area);
        let is_envy = |wager: &Wager| wager.kind == Kind::Envy;
        let mut wagers = self.wagers.iter();
        let envies = wagers.any(|wager| is_envy(wager) && self.play.owner(wager.seat) == own);
        let others = if envies {
            self.envied(area)
        } else {
            Vec::new()
        };
        [self.cards_of_person(area), others].concat()
    }

    /// What the meter shows when its turn comes, the hands of all progressive wagers may have decided.
    fn off_meter(&self, wager: &Wager) -> Vec<String> {
        let is_folded = |area: Seat| {
            let is_surrendered = self.play.hand(area).is_some_and(|hand| hand.surrender);
            is_surrendered && !is_massachusetts(self.edition)
        };
        if is_folded(wager.seat) {
            return Vec::new();
        }
        let wagers = self.wagers.iter();
        let wagers = wagers.filter(|other| other.kind == wager.kind && !is_folded(other.seat));
        let areas = wagers.map(|wager| wager.seat);
        let areas = areas.filter(|&area| fate(self.play, area).is_none());
        let cards = areas.map(|area| self.cards(area));
        cards.chain(["meters.progressive".to_owned()]).collect()
    }
}

fn laid(place: &str) -> Vec<String> {
    ["high", "low"].map(|key| format!("{place}.{key}")).into()
}

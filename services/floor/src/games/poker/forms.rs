//! The forms of poker: how they are dealt, and what a hand is worth to its player.

use catwalk_rules::floor::Card;

use crate::games::holdem::height;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Family {
    #[default]
    Board,
    SevenCardStud,
    FiveCardStud,
    Mambo,
    Draw,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Form {
    pub(super) name: &'static str,
    pub(super) family: Family,
    pub(super) players: u32,
    /// Cards that each player is first dealt.
    pub(super) first: usize,
    pub(super) rounds: usize,
    pub(super) amended: bool,
    pub(super) kills: bool,
    pub(super) straddles: bool,
    /// The pot, or its first half, goes to a high hand.
    pub(super) is_high: bool,
    is_low: bool,
}

const fn form(
    name: &'static str,
    family: Family,
    players: u32,
    first: usize,
    rounds: usize,
) -> Form {
    Form {
        name,
        family,
        players,
        first,
        rounds,
        amended: false,
        kills: false,
        straddles: false,
        is_high: true,
        is_low: false,
    }
}

impl Form {
    /// 20-22: forms of the later text.
    const fn later(self) -> Form {
        Form {
            amended: true,
            straddles: true,
            ..self
        }
    }

    const fn with_low(self) -> Form {
        Form {
            is_low: true,
            ..self
        }
    }

    const fn only_low(self) -> Form {
        Form {
            is_low: true,
            is_high: false,
            ..self
        }
    }

    const fn with_kill(self) -> Form {
        Form {
            kills: true,
            ..self
        }
    }

    pub(super) const fn is_stud(&self) -> bool {
        !matches!(self.family, Family::Board | Family::Draw)
    }

    /// So many players that the deck lasts.
    pub(super) fn most(&self) -> usize {
        match self.family {
            Family::Draw if self.rounds > 2 => 4,
            Family::Draw => 5,
            _ => 6,
        }
    }

    /// Cards that come on a betting round after the first: to each player, or to all of them.
    pub(super) fn street(&self, round: usize) -> Street {
        match (self.family, round) {
            (Family::Board, 1) => Street::Shared(3),
            (Family::Board, _) | (Family::Mambo, 2) => Street::Shared(1),
            (Family::SevenCardStud, 4) | (Family::Mambo, _) => Street::Own { up: false },
            (Family::SevenCardStud | Family::FiveCardStud, _) => Street::Own { up: true },
            (Family::Draw, _) => Street::Draw,
        }
    }

    /// Is the card with this number among the first ones face up?
    pub(super) fn is_up(&self, index: usize) -> bool {
        match self.family {
            Family::SevenCardStud => index == 2,
            Family::FiveCardStud | Family::Mambo => index == 1,
            _ => false,
        }
    }

    /// From 0 to 100, roughly: groups and high cards for high, low cards of different ranks for low.
    pub(super) fn strength(&self, own: &[Card], shared: &[Card]) -> u32 {
        let all: Vec<Card> = own.iter().chain(shared).copied().collect();
        let count = |card: &Card| {
            all.iter()
                .filter(|other| other.rank() == card.rank())
                .count()
        };
        let mut high = 0;
        for card in own {
            let group = u32::try_from(count(card)).unwrap_or(1) - 1;
            let suited = all
                .iter()
                .filter(|other| other.suit() == card.suit())
                .count();
            high += group * 14 + u32::from(height(*card)) / 2 + u32::from(suited >= 4) * 8;
        }
        high = high * 2 / u32::try_from(own.len().max(1)).unwrap_or(1) * 2;
        let mut ranks: Vec<u8> = all.iter().map(|&card| (height(card) + 1) % 13).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let small = ranks.iter().filter(|&&rank| rank < 8).count();
        let low =
            u32::try_from(small).unwrap_or(0) * 90 / u32::try_from(own.len().max(5)).unwrap_or(5);
        match (self.is_high, self.is_low) {
            (true, true) => high.max(low),
            (false, _) => low,
            _ => high,
        }
        .min(100)
    }

    /// Which cards of a draw hand are thrown away.
    pub(super) fn discards(&self, own: &[Card]) -> Vec<Card> {
        let count = |card: &Card| {
            own.iter()
                .filter(|other| other.rank() == card.rank())
                .count()
        };
        let mut out = Vec::new();
        for (at, card) in own.iter().enumerate() {
            let again = own[..at].iter().any(|other| other.rank() == card.rank());
            let throw = match self.is_high {
                true => count(card) == 1 && height(*card) < 11,
                false => again || (height(*card) >= 7 && height(*card) < 12),
            };
            if throw {
                out.push(*card);
            }
        }
        out.truncate(3);
        out
    }
}

/// What is dealt on a later betting round.
#[derive(Clone, Copy, Debug)]
pub(super) enum Street {
    Shared(usize),
    Own { up: bool },
    Draw,
}

pub(super) const FORMS: [Form; 17] = [
    form("seven_card_stud_high", Family::SevenCardStud, 9, 3, 5),
    form("seven_card_stud_high_low", Family::SevenCardStud, 9, 3, 5).with_low(),
    form("seven_card_stud_high_low_8", Family::SevenCardStud, 9, 3, 5).with_low(),
    form("holdem_high", Family::Board, 11, 2, 4),
    form("omaha_high", Family::Board, 10, 4, 4),
    form("omaha_high_low_8", Family::Board, 10, 4, 4)
        .with_low()
        .with_kill(),
    form("five_card_draw_high", Family::Draw, 8, 5, 2),
    form("five_card_draw_low", Family::Draw, 8, 5, 2).only_low(),
    form("five_card_stud_high", Family::FiveCardStud, 8, 2, 4),
    form("mambo_stud_high_low_6", Family::Mambo, 11, 2, 3).with_low(),
    form("five_card_omaha_high", Family::Board, 8, 5, 4).later(),
    form("five_card_omaha_high_low_8", Family::Board, 8, 5, 4)
        .later()
        .with_low()
        .with_kill(),
    form("triple_draw_2_7", Family::Draw, 7, 5, 4)
        .later()
        .only_low()
        .with_kill(),
    form("triple_draw_a_5", Family::Draw, 7, 5, 4)
        .later()
        .only_low()
        .with_kill(),
    form("triple_draw_badeucey", Family::Draw, 7, 5, 4)
        .later()
        .only_low()
        .with_kill(),
    form("triple_draw_badacey", Family::Draw, 7, 5, 4)
        .later()
        .only_low()
        .with_kill(),
    form("badugi", Family::Draw, 9, 4, 4)
        .later()
        .only_low()
        .with_kill(),
];

//! The forms of poker, and how they differ in dealing and in what wins.

use serde::Deserialize;

/// 8(a), 20-22
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Form {
    SevenCardStudHigh,
    SevenCardStudHighLow,
    #[serde(rename = "seven_card_stud_high_low_8")]
    SevenCardStudHighLow8,
    HoldemHigh,
    OmahaHigh,
    #[serde(rename = "omaha_high_low_8")]
    OmahaHighLow8,
    FiveCardDrawHigh,
    FiveCardDrawLow,
    FiveCardStudHigh,
    #[serde(rename = "mambo_stud_high_low_6")]
    MamboStudHighLow6,
    FiveCardOmahaHigh,
    #[serde(rename = "five_card_omaha_high_low_8")]
    FiveCardOmahaHighLow8,
    #[serde(rename = "triple_draw_2_7")]
    TripleDraw27,
    #[serde(rename = "triple_draw_a_5")]
    TripleDrawA5,
    TripleDrawBadeucey,
    TripleDrawBadacey,
    Badugi,
}

/// How a form is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Family {
    SevenCardStud,
    FiveCardStud,
    Mambo,
    Holdem,
    /// Exactly two own and three board cards play. 11(f), 20
    Omaha,
    Draw,
}

/// What one form has, as the data file says it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormFacts {
    pub(super) form: Form,
    pub(super) family: Family,
    pub(super) players: usize,
    /// Cards of a player's own at the showdown.
    pub(super) own: usize,
    /// Community cards at the showdown.
    pub(super) board: usize,
    pub(super) rounds: usize,
    /// What the parts of the pot are awarded for. The first takes the odd chip of the halves.
    pub(super) halves: Vec<Half>,
    #[serde(default)]
    pub(super) odd_chip: OddChipRule,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Half {
    High,
    ThreeCardHigh,
    AceToFive,
    EightOrBetter,
    SixOrBetter,
    DeuceToSeven,
    Badugi,
    BadugiAceHigh,
}

/// Where the text itself gives the odd chip by card and suit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OddChipRule {
    #[default]
    Posted,
    CardBySuit,
    /// Unless the licensee's submission says otherwise.
    CardBySuitUnlessPosted,
}

impl Half {
    pub(super) const fn is_high(self) -> bool {
        matches!(self, Half::High | Half::ThreeCardHigh)
    }
}

impl FormFacts {
    pub(super) fn is_seven_card_stud(&self) -> bool {
        self.family == Family::SevenCardStud
    }

    /// The stud forms have up-cards, a forced bet and no button.
    pub(super) const fn is_stud(&self) -> bool {
        matches!(
            self.family,
            Family::SevenCardStud | Family::FiveCardStud | Family::Mambo
        )
    }

    pub(super) fn is_draw(&self) -> bool {
        self.family == Family::Draw
    }

    /// The high hand that decides the pot or its first half, if the form has one.
    pub(super) fn high(&self) -> Option<Half> {
        self.halves.iter().copied().find(|half| half.is_high())
    }

    /// Up-cards that a player shows in a betting round. 9, 13, 13a
    pub(super) const fn up_cards(&self, betting_round: usize) -> usize {
        match self.family {
            Family::Mambo => 1,
            _ if betting_round < 3 => betting_round + 1,
            _ => 4,
        }
    }
}

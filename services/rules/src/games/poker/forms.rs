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

/// What one form has, as the data file says it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormFacts {
    pub(super) form: Form,
    pub(super) players: usize,
    /// Cards of a player's own at the showdown.
    pub(super) own: usize,
    /// Community cards at the showdown.
    pub(super) board: usize,
    pub(super) rounds: usize,
}

/// What a part of the pot is awarded for. The first of a form takes the odd chip of the halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Half {
    pub(super) const fn is_high(self) -> bool {
        matches!(self, Half::High | Half::ThreeCardHigh)
    }
}

impl Form {
    pub(super) const ALL: [Form; 17] = [
        Form::SevenCardStudHigh,
        Form::SevenCardStudHighLow,
        Form::SevenCardStudHighLow8,
        Form::HoldemHigh,
        Form::OmahaHigh,
        Form::OmahaHighLow8,
        Form::FiveCardDrawHigh,
        Form::FiveCardDrawLow,
        Form::FiveCardStudHigh,
        Form::MamboStudHighLow6,
        Form::FiveCardOmahaHigh,
        Form::FiveCardOmahaHighLow8,
        Form::TripleDraw27,
        Form::TripleDrawA5,
        Form::TripleDrawBadeucey,
        Form::TripleDrawBadacey,
        Form::Badugi,
    ];

    pub(super) const fn is_seven_card_stud(self) -> bool {
        matches!(
            self,
            Form::SevenCardStudHigh | Form::SevenCardStudHighLow | Form::SevenCardStudHighLow8
        )
    }

    /// The stud forms have up-cards, a forced bet and no button.
    pub(super) const fn is_stud(self) -> bool {
        self.is_seven_card_stud()
            || matches!(self, Form::FiveCardStudHigh | Form::MamboStudHighLow6)
    }

    pub(super) const fn is_draw(self) -> bool {
        matches!(
            self,
            Form::FiveCardDrawHigh
                | Form::FiveCardDrawLow
                | Form::TripleDraw27
                | Form::TripleDrawA5
                | Form::TripleDrawBadeucey
                | Form::TripleDrawBadacey
                | Form::Badugi
        )
    }

    /// Exactly two own and three board cards play. 11(f), 20
    pub(super) const fn is_omaha(self) -> bool {
        matches!(
            self,
            Form::OmahaHigh
                | Form::OmahaHighLow8
                | Form::FiveCardOmahaHigh
                | Form::FiveCardOmahaHighLow8
        )
    }

    pub(super) const fn halves(self) -> &'static [Half] {
        match self {
            Form::SevenCardStudHigh
            | Form::HoldemHigh
            | Form::OmahaHigh
            | Form::FiveCardDrawHigh
            | Form::FiveCardStudHigh
            | Form::FiveCardOmahaHigh => &[Half::High],
            Form::SevenCardStudHighLow => &[Half::High, Half::AceToFive],
            Form::SevenCardStudHighLow8 | Form::OmahaHighLow8 | Form::FiveCardOmahaHighLow8 => {
                &[Half::High, Half::EightOrBetter]
            }
            Form::MamboStudHighLow6 => &[Half::ThreeCardHigh, Half::SixOrBetter],
            Form::FiveCardDrawLow | Form::TripleDrawA5 => &[Half::AceToFive],
            Form::TripleDraw27 => &[Half::DeuceToSeven],
            Form::TripleDrawBadeucey => &[Half::DeuceToSeven, Half::BadugiAceHigh],
            Form::TripleDrawBadacey => &[Half::AceToFive, Half::Badugi],
            Form::Badugi => &[Half::Badugi],
        }
    }

    /// The high hand that decides the pot or its first half, if the form has one.
    pub(super) fn high(self) -> Option<Half> {
        self.halves().iter().copied().find(|half| half.is_high())
    }

    /// Up-cards that a player shows in a betting round. 9, 13, 13a
    pub(super) const fn up_cards(self, betting_round: usize) -> usize {
        match self {
            Form::MamboStudHighLow6 => 1,
            _ if betting_round < 3 => betting_round + 1,
            _ => 4,
        }
    }
}

//! The wagers of the family: what each is about, and the rows of the main pay table that price it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::totals::{Total, Totals};
use crate::floor::Die;

/// All wagers that any text of the family knows. Which of them a game offers is in its data file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Pass,
    DontPass,
    Come,
    DontCome,
    Put,
    PassOdds,
    ComeOdds,
    PutOdds,
    DontPassOdds,
    DontComeOdds,
    Place,
    Buy,
    PlaceLose,
    Lay,
    Hard,
    Field,
    AnySeven,
    AnyCraps,
    CrapsTwo,
    CrapsThree,
    CrapsTwelve,
    Eleven,
    CAndE,
    Horn,
    HornHigh,
    Whirl,
    World,
    Hop,
    SixSevenEight,
    Fire,
}

/// For a number, or for the 7 before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    For,
    Against,
}

/// What the player picked, where a kind leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    Nothing,
    Number(Total),
    Dice([Die; 2]),
}

impl Pick {
    pub(super) fn number(self) -> Option<Total> {
        match self {
            Pick::Number(number) => Some(number),
            Pick::Nothing | Pick::Dice(_) => None,
        }
    }
}

impl Kind {
    /// The flat bet that an odds bet supports.
    pub(super) fn supports(self) -> Option<Kind> {
        match self {
            Kind::PassOdds => Some(Kind::Pass),
            Kind::ComeOdds => Some(Kind::Come),
            Kind::PutOdds => Some(Kind::Put),
            Kind::DontPassOdds => Some(Kind::DontPass),
            Kind::DontComeOdds => Some(Kind::DontCome),
            _ => None,
        }
    }

    pub(super) fn is_line(self) -> bool {
        matches!(self, Kind::Pass | Kind::DontPass)
    }

    /// The side of the number that it is on, for those bets that are on one. ma s.13.B.vi
    pub(super) fn side(self) -> Option<Side> {
        match self {
            Kind::Pass | Kind::Come | Kind::Put | Kind::Place | Kind::Buy => Some(Side::For),
            Kind::DontPass | Kind::DontCome | Kind::Lay => Some(Side::Against),
            _ => None,
        }
    }

    /// Bets that the shooter loses.
    pub(super) fn is_dont_side(self) -> bool {
        matches!(
            self,
            Kind::DontPass
                | Kind::DontCome
                | Kind::DontPassOdds
                | Kind::DontComeOdds
                | Kind::PlaceLose
                | Kind::Lay
        )
    }

    /// The key that says what it is on.
    pub(super) fn selects(self) -> Option<&'static str> {
        match self {
            Kind::Hop => Some("dice"),
            kind => kind.needs_number().then_some("number"),
        }
    }

    pub(super) fn needs_number(self) -> bool {
        matches!(
            self,
            Kind::Put
                | Kind::Place
                | Kind::Buy
                | Kind::PlaceLose
                | Kind::Lay
                | Kind::Hard
                | Kind::HornHigh
        )
    }

    /// Is this a pick that the layout has a box or a price for?
    pub(super) fn lists(self, pick: Pick, points: Totals) -> bool {
        match (self, pick) {
            (Kind::Hard, Pick::Number(number)) => matches!(number.get(), 4 | 6 | 8 | 10),
            (Kind::HornHigh, Pick::Number(number)) => is_horn(number),
            (_, Pick::Number(number)) => points.contains(number),
            // 1-1, 1-2, 5-6 and 6-6 are sold as craps two, craps three, eleven and craps twelve.
            (_, Pick::Dice(dice)) => !is_horn(Total::of(dice)),
            (_, Pick::Nothing) => true,
        }
    }

    /// Every pick of the kind that the layout has.
    pub(super) fn picks(self, points: Totals) -> Vec<Pick> {
        let all: Vec<Pick> = if self.needs_number() {
            Total::all().map(Pick::Number).collect()
        } else if self == Kind::Hop {
            let with = |a: Die| Die::ALL.map(|b| Pick::Dice([a, b]));
            Die::ALL.into_iter().flat_map(with).collect()
        } else {
            vec![Pick::Nothing]
        };
        all.into_iter()
            .filter(|&pick| self.lists(pick, points))
            .collect()
    }

    /// The rows of the main table at which the bet can be paid; none for buy, lay and odds bets,
    /// which have tables of their own, and for the fire bet.
    pub(super) fn rows(self, pick: Pick) -> Vec<PayRow> {
        let number = |row: fn(Total) -> PayRow| pick.number().map(row).into_iter().collect();
        match self {
            Kind::Pass => vec![PayRow::Pass],
            Kind::DontPass => vec![PayRow::DontPass],
            Kind::Come | Kind::Put => vec![PayRow::Come],
            Kind::DontCome => vec![PayRow::DontCome],
            Kind::Place => number(PayRow::Place),
            Kind::PlaceLose => number(PayRow::PlaceLose),
            Kind::Hard => number(PayRow::Hard),
            Kind::Field => vec![
                PayRow::Field(Total::TWO),
                PayRow::Field(Total::TWELVE),
                PayRow::FieldOther,
            ],
            Kind::AnySeven => vec![PayRow::AnySeven],
            Kind::AnyCraps => vec![PayRow::AnyCraps],
            Kind::CrapsTwo => vec![PayRow::Craps(Total::TWO)],
            Kind::CrapsThree => vec![PayRow::Craps(Total::THREE)],
            Kind::CrapsTwelve => vec![PayRow::Craps(Total::TWELVE)],
            Kind::Eleven => vec![PayRow::Eleven],
            Kind::CAndE => vec![PayRow::AnyCraps, PayRow::Eleven],
            Kind::Horn | Kind::HornHigh => horn_rows().collect(),
            Kind::Whirl | Kind::World => horn_rows().chain([PayRow::AnySeven]).collect(),
            Kind::Hop => match pick {
                Pick::Dice(dice) => vec![PayRow::hop(dice)],
                _ => Vec::new(),
            },
            Kind::SixSevenEight => vec![PayRow::SixSevenEight, PayRow::SixSevenEightHard],
            Kind::Buy
            | Kind::Lay
            | Kind::Fire
            | Kind::PassOdds
            | Kind::ComeOdds
            | Kind::PutOdds
            | Kind::DontPassOdds
            | Kind::DontComeOdds => Vec::new(),
        }
    }
}

/// The totals of the horn: 2, 3, 11 and 12.
pub(super) fn is_horn(total: Total) -> bool {
    matches!(total.get(), 2 | 3 | 11 | 12)
}

fn horn_rows() -> impl Iterator<Item = PayRow> {
    Total::all()
        .filter(|&total| is_horn(total))
        .map(PayRow::one_total)
}

/// A row of the main pay table or of a fire table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(super) enum PayRow {
    Pass,
    DontPass,
    Come,
    DontCome,
    Place(Total),
    PlaceLose(Total),
    Hard(Total),
    Field(Total),
    FieldOther,
    AnySeven,
    AnyCraps,
    Craps(Total),
    Eleven,
    HopHard,
    HopEasy,
    SixSevenEight,
    SixSevenEightHard,
    /// So many different points made.
    Fire(Total),
}

impl PayRow {
    /// Every row that a table of the family could have.
    fn all() -> impl Iterator<Item = PayRow> {
        let named = [
            PayRow::Pass,
            PayRow::DontPass,
            PayRow::Come,
            PayRow::DontCome,
            PayRow::FieldOther,
            PayRow::AnySeven,
            PayRow::AnyCraps,
            PayRow::Eleven,
            PayRow::HopHard,
            PayRow::HopEasy,
            PayRow::SixSevenEight,
            PayRow::SixSevenEightHard,
        ];
        let numbered = [
            PayRow::Place,
            PayRow::PlaceLose,
            PayRow::Hard,
            PayRow::Field,
            PayRow::Craps,
            PayRow::Fire,
        ];
        let numbered = numbered.into_iter().flat_map(|row| Total::all().map(row));
        named.into_iter().chain(numbered)
    }

    /// The one-roll bet on a total of the horn.
    pub(super) fn one_total(total: Total) -> PayRow {
        if total == Total::ELEVEN {
            PayRow::Eleven
        } else {
            PayRow::Craps(total)
        }
    }

    pub(super) fn hop([a, b]: [Die; 2]) -> PayRow {
        if a == b {
            PayRow::HopHard
        } else {
            PayRow::HopEasy
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no row of the pay tables")]
pub(super) struct NotARow(String);

impl FromStr for PayRow {
    type Err = NotARow;

    fn from_str(text: &str) -> Result<PayRow, NotARow> {
        PayRow::all()
            .find(|row| row.to_string() == text)
            .ok_or_else(|| NotARow(text.to_owned()))
    }
}

impl TryFrom<String> for PayRow {
    type Error = NotARow;

    fn try_from(text: String) -> Result<PayRow, NotARow> {
        text.parse()
    }
}

/// As in documents and data files.
impl fmt::Display for PayRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PayRow::Pass => f.write_str("pass"),
            PayRow::DontPass => f.write_str("dont_pass"),
            PayRow::Come => f.write_str("come"),
            PayRow::DontCome => f.write_str("dont_come"),
            PayRow::Place(number) => write!(f, "place_{number}"),
            PayRow::PlaceLose(number) => write!(f, "place_lose_{number}"),
            PayRow::Hard(number) => write!(f, "hard_{number}"),
            PayRow::Field(number) => write!(f, "field_{number}"),
            PayRow::FieldOther => f.write_str("field_other"),
            PayRow::AnySeven => f.write_str("any_seven"),
            PayRow::AnyCraps => f.write_str("any_craps"),
            PayRow::Craps(number) => write!(f, "craps_{number}"),
            PayRow::Eleven => f.write_str("eleven"),
            PayRow::HopHard => f.write_str("hop_hard"),
            PayRow::HopEasy => f.write_str("hop_easy"),
            PayRow::SixSevenEight => f.write_str("six_seven_eight"),
            PayRow::SixSevenEightHard => f.write_str("six_seven_eight_hard"),
            PayRow::Fire(points) => write!(f, "fire_{points}"),
        }
    }
}

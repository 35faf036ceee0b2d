//! What is told of a game: a line for each wager.

use serde::Serialize;
use serde_json::Value;

use crate::ratio::Exact;

/// The odds of a game at one table.
#[derive(Clone, Debug, Serialize)]
pub struct Sheet {
    pub game: String,
    pub edition: String,
    /// What the table posts; all else is the default of the data file.
    pub options: Value,
    /// Hash of the data file that settled.
    pub rules: String,
    /// What the settled rounds raised: options that the text does not allow.
    pub violations: Vec<&'static str>,
    pub lines: Vec<Line>,
}

/// A wager, or one of its choices where they differ.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    pub wager: String,
    /// What it is on, where it leaves a choice; all choices that come to the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<String>,
    pub basis: Basis,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// Of the house edge, in first stakes, where rounds were drawn; what was counted has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<f64>,
    /// What else a reader must know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// On what a figure stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Every outcome was counted, and the player decides nothing.
    Exact,
    /// Every outcome was counted, and each decision is the one that loses least.
    OptimalPlay,
    /// Every outcome was counted, and the player decides as it is said.
    Declared(String),
    /// So many rounds were drawn, and the player decides as it is said. Its figures have a standard error.
    Sampled { strategy: String, rounds: u64 },
    /// There are no figures, and why.
    NotComputed(String),
}

/// The figures of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// What the house keeps of the first stake, on average.
    pub house_edge: Exact,
    /// What it keeps of all that is staked, where more is staked than at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element_of_risk: Option<Exact>,
    /// Of the result, in first stakes squared. Its root is the standard deviation.
    pub variance: Exact,
    /// All that can come of it, the best first.
    pub rows: Vec<Paying>,
}

impl Figures {
    /// In first stakes.
    pub fn standard_deviation(&self) -> f64 {
        self.variance.approximate().sqrt()
    }

    /// How often it wins.
    pub fn probability(&self, result: &str) -> Exact {
        let rows = self.rows.iter().filter(|row| row.result == result);
        Exact(rows.map(|row| &row.probability.0).sum())
    }
}

/// One thing that can come of a wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Paying {
    /// `win`, `lose`, `push` or `void`.
    pub result: &'static str,
    /// The rows of the pay table, where they can be told by what they pay.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<String>,
    /// What is gained in first stakes: 35 where 35:1 is paid, -1 where the stake is lost.
    pub gains: Exact,
    pub probability: Exact,
}

impl Line {
    pub(crate) fn new(wager: &str, basis: Basis, figures: Figures) -> Line {
        let standard_error = match basis {
            Basis::Sampled { rounds, .. } => {
                Some(figures.standard_deviation() / (rounds as f64).sqrt())
            }
            _ => None,
        };
        Line {
            wager: wager.to_owned(),
            on: Vec::new(),
            basis,
            figures: Some(figures),
            standard_error,
            note: None,
        }
    }

    pub(crate) fn without_figures(wager: &str, why: impl Into<String>) -> Line {
        Line {
            wager: wager.to_owned(),
            on: Vec::new(),
            basis: Basis::NotComputed(why.into()),
            figures: None,
            standard_error: None,
            note: None,
        }
    }

    pub(crate) fn on(self, choice: impl Into<String>) -> Line {
        Line {
            on: vec![choice.into()],
            ..self
        }
    }

    pub(crate) fn noting(self, note: impl Into<String>) -> Line {
        Line {
            note: Some(note.into()),
            ..self
        }
    }
}

/// Choices of one wager that come to the same are one line.
pub(crate) fn merged(lines: Vec<Line>) -> Vec<Line> {
    let mut merged: Vec<Line> = Vec::new();
    for line in lines {
        let same = merged.iter_mut().find(|other| {
            (&other.wager, &other.basis, &other.figures, &other.note)
                == (&line.wager, &line.basis, &line.figures, &line.note)
        });
        match same {
            Some(other) => other.on.extend(line.on),
            None => merged.push(line),
        }
    }
    merged
}

impl Basis {
    /// In a few words.
    pub fn words(&self) -> String {
        match self {
            Basis::Exact => "exact".to_owned(),
            Basis::OptimalPlay => "optimal play".to_owned(),
            Basis::Declared(strategy) => format!("declared strategy: {strategy}"),
            Basis::Sampled { strategy, rounds } => {
                format!("sampled in {rounds} rounds, declared strategy: {strategy}")
            }
            Basis::NotComputed(why) => format!("not computed: {why}"),
        }
    }
}

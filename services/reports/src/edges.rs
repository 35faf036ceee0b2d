//! The edges of the wagers that an archive has rounds of, told to a session.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use catwalk_odds::{Basis, Figures, Line, Sheet, odds};
use catwalk_query::{Edge, Session, Worth};
use catwalk_rules::Rulebook;
use serde::Deserialize;
use serde_json::Value;

use crate::{Period, Result};

/// What a table posted.
#[derive(Clone, PartialEq, Eq, Hash, Deserialize)]
struct Posted {
    game: String,
    edition: String,
    options: String,
}

/// Has a session answer of every wager of some days what it is worth, by the rules that its table posted.
pub async fn tell_edges(session: &Session, rulebook: &Rulebook, period: Period) -> Result<()> {
    if session.knows_worth().await {
        return Ok(());
    }
    let sql = format!(
        "SELECT DISTINCT game, edition, options FROM rounds WHERE game <> 'poker' AND gaming_day BETWEEN \
         CAST('{}' AS DATE) - INTERVAL '1 day' AND CAST('{}' AS DATE) + INTERVAL '1 day' \
         ORDER BY game, edition, options",
        period.first, period.last
    );
    let posted: Vec<Posted> = session.sql(&sql).await?.read().await?;
    let mut edges = Vec::new();
    for posted in posted {
        edges.extend(worth(rulebook, &posted));
    }
    session.tell_edges(&edges).await?;
    Ok(())
}

/// What this rulebook does not have has no edge here, and the report says how much was staked on it.
fn worth(rulebook: &Rulebook, posted: &Posted) -> Vec<Edge> {
    let options: Value = serde_json::from_str(&posted.options).unwrap_or_default();
    match odds(rulebook, &posted.game, &posted.edition, &options, false) {
        Ok(sheet) => edges_of(&sheet, posted),
        Err(_) => Vec::new(),
    }
}

/// So much is remembered.
const REMEMBERED: usize = 1_000;

/// Tells by a rulebook what wagers are worth, and remembers it.
pub struct Appraiser {
    rulebook: Arc<Rulebook>,
    known: Mutex<HashMap<Posted, Vec<Edge>>>,
}

impl Appraiser {
    pub fn new(rulebook: Arc<Rulebook>) -> Appraiser {
        Appraiser {
            rulebook,
            known: Mutex::default(),
        }
    }
}

impl Worth for Appraiser {
    /// One at a time: whoever asks for the same waits for it instead of working it out too.
    fn edges(&self, game: &str, edition: &str, options: &str) -> Vec<Edge> {
        let posted = Posted {
            game: game.to_owned(),
            edition: edition.to_owned(),
            options: options.to_owned(),
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(edges) = known.get(&posted) {
            return edges.clone();
        }
        if known.len() >= REMEMBERED {
            known.clear();
        }
        let edges = worth(&self.rulebook, &posted);
        known.insert(posted, edges.clone());
        edges
    }
}

impl fmt::Debug for Appraiser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Appraiser").finish_non_exhaustive()
    }
}

/// A row for each kind of wager, or for each number that it can be on where their edges differ.
fn edges_of(sheet: &Sheet, posted: &Posted) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    for line in &sheet.lines {
        if edges
            .iter()
            .any(|edge| edge.kind == line.wager && edge.choice.is_none())
        {
            // Where two strategies are told, the first is the one that loses least.
            continue;
        }
        let of_kind = || sheet.lines.iter().filter(|other| other.wager == line.wager);
        let edge_of = |line: &Line| {
            line.figures
                .as_ref()
                .map(|figures| figures.house_edge.clone())
        };
        let differ = !line.on.is_empty() && of_kind().any(|other| edge_of(other) != edge_of(line));
        if differ {
            edges.extend(
                line.on
                    .iter()
                    .map(|on| edge(sheet, posted, line, Some(on.clone()))),
            );
        } else {
            let mut all = edge(sheet, posted, line, None);
            // Of bets that are worth the same and vary otherwise, the one that varies most bounds the others.
            let variances =
                of_kind().filter_map(|other| Some(other.figures.as_ref()?.variance.approximate()));
            all.variance = all.variance.map(|variance| {
                if line.on.is_empty() {
                    variance
                } else {
                    variances.fold(variance, f64::max)
                }
            });
            // The one that wins most often bounds the others, too.
            let rates = of_kind().filter_map(|other| other.figures.as_ref().map(win_rate));
            all.win_rate = all.win_rate.map(|rate| rates.fold(rate, f64::max));
            edges.push(all);
        }
    }
    edges
}

fn edge(sheet: &Sheet, posted: &Posted, line: &Line, choice: Option<String>) -> Edge {
    let figures = line.figures.as_ref();
    // A wager that another one stands for is worth nothing of its own.
    let is_part = is_part(sheet, line);
    let number = |of: fn(&Figures) -> f64| match is_part {
        true => Some(0.0),
        false => figures.map(of),
    };
    Edge {
        game: posted.game.clone(),
        edition: posted.edition.clone(),
        options: posted.options.clone(),
        kind: line.wager.clone(),
        choice,
        house_edge: number(|figures| figures.house_edge.approximate()),
        variance: number(|figures| figures.variance.approximate()),
        won: number(won),
        win_rate: figures.filter(|_| !is_part).map(win_rate),
        basis: match is_part {
            true => "part of another wager".to_owned(),
            false => line.basis.words(),
        },
        exact: figures
            .filter(|_| !is_part)
            .map(|figures| figures.house_edge.to_string()),
        rules: sheet.rules.clone(),
    }
}

/// Is it counted with another wager, to which it is added?
fn is_part(sheet: &Sheet, line: &Line) -> bool {
    let added = sheet.game == "red_dog" && line.wager == "raise";
    added || matches!(&line.basis, Basis::NotComputed(why) if why.starts_with("part of the hand"))
}

fn win_rate(figures: &Figures) -> f64 {
    figures.probability("win").approximate()
}

/// What is won beyond the stake, on average.
fn won(figures: &Figures) -> f64 {
    let gains = figures
        .rows
        .iter()
        .map(|row| row.gains.approximate().max(0.0) * row.probability.approximate());
    gains.sum()
}

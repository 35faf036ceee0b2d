//! Craps and crapless craps: every pair of dice, until the bet is decided.

use num_rational::BigRational;
use num_traits::{One, Zero};
use serde_json::{Value, json};

use super::fire;
use crate::OddsError;
use crate::felt::{Felt, wager};
use crate::sheet::{Basis, Line};
use crate::spread::Spread;

/// What every row pays without a fraction, down to a fifth of it.
pub(super) const STAKE: i64 = 132_000;

const DECIDED: &str = "by bets that are decided; a throw that leaves it open counts for nothing";

/// Wagers as they lie, and the point that is on; 0 on a come-out.
pub(super) struct Lying {
    pub(super) wagers: Vec<Value>,
    pub(super) point: u8,
}

pub(crate) fn lines(felt: &Felt<'_>) -> Result<Vec<Line>, OddsError> {
    let points: Vec<u8> = points(felt);
    let mut lines = Vec::new();
    for entry in felt.wagers() {
        let kind = &*entry.kind;
        match kind {
            "pass" | "dont_pass" => lines.push(line_bet(felt, kind, 0)?),
            "come" | "dont_come" => lines.push(line_bet(felt, kind, other_than(&points, 0))?),
            "fire" => lines.extend(fire::line(felt, &points)?),
            _ if kind.ends_with("_odds") => {
                for &number in &points {
                    let lying = odds_bet(kind, number, &points);
                    let line = decided(felt, kind, &lying)?;
                    lines.push(line.on(number.to_string()));
                }
            }
            "hop" => {
                for a in 1..=6u8 {
                    for b in a..=6 {
                        let bet = wager(kind, STAKE, json!({"dice": [a, b]}));
                        let line = decided(felt, kind, &lying(bet, other_than(&points, 0)))?;
                        lines.push(line.on(format!("{a}-{b}")));
                    }
                }
            }
            _ if entry.selects.as_deref() == Some("number") => {
                for number in numbers(kind, &points) {
                    let bet = wager(kind, STAKE, json!({"number": number}));
                    let line = decided(felt, kind, &lying(bet, other_than(&points, number)))?;
                    lines.push(line.on(number.to_string()));
                }
            }
            _ => {
                let bet = wager(kind, STAKE, json!({}));
                lines.push(decided(felt, kind, &lying(bet, other_than(&points, 0)))?);
            }
        }
    }
    Ok(lines)
}

/// The numbers that can be a point.
fn points(felt: &Felt<'_>) -> Vec<u8> {
    let points = felt.figure("points").as_array().into_iter().flatten();
    points
        .filter_map(|it| u8::try_from(it.as_u64()?).ok())
        .collect()
}

fn numbers(kind: &str, points: &[u8]) -> Vec<u8> {
    match kind {
        "hard" => vec![4, 6, 8, 10],
        "horn_high" => vec![2, 3, 11, 12],
        _ => points.to_vec(),
    }
}

/// A point that is on beside the number, so that no bet on it is off and nothing else is decided.
fn other_than(points: &[u8], number: u8) -> u8 {
    let mut others = points.iter().rev().filter(|point| **point != number);
    others
        .find(|point| (5..=9).contains(*point))
        .copied()
        .unwrap_or_default()
}

fn lying(wager: Value, point: u8) -> Lying {
    Lying {
        wagers: vec![wager],
        point,
    }
}

fn odds_bet(kind: &str, number: u8, points: &[u8]) -> Lying {
    let flat = kind.trim_end_matches("_odds");
    let odds = wager(kind, STAKE, json!({"on": "flat", "placed": -1}));
    let (keys, point) = match flat {
        "pass" | "dont_pass" => (json!({"id": "flat", "placed": -1}), number),
        "put" => (
            json!({"id": "flat", "placed": -1, "number": number}),
            other_than(points, number),
        ),
        _ => (
            json!({"id": "flat", "placed": -1, "point": number}),
            other_than(points, number),
        ),
    };
    // A flat bet that any odds are allowed behind.
    Lying {
        wagers: vec![odds, wager(flat, 10 * STAKE, keys)],
        point,
    }
}

/// What comes of the first bet over all throws from here, and by which totals it stays open.
pub(super) fn throws(felt: &Felt<'_>, lying: &Lying) -> Result<(Spread, Vec<u8>), OddsError> {
    let start = match lying.point {
        0 => json!({}),
        point => json!({"point": point, "fresh_shooter": false}),
    };
    let one = BigRational::one();
    let (mut spread, mut open) = (Spread::default(), Vec::new());
    for a in 1..=6u8 {
        for b in 1..=6u8 {
            let play = json!({"start": start, "rolls": [{"dice": [a, b]}]});
            let came = felt.first(&lying.wagers, &play)?;
            if came.is_open() {
                open.push(a + b);
            } else {
                spread.add(&came, &one);
            }
        }
    }
    Ok((spread, open))
}

/// A bet that stays as it is until it is decided.
fn decided(felt: &Felt<'_>, kind: &str, lying: &Lying) -> Result<Line, OddsError> {
    let (spread, open) = throws(felt, lying)?;
    let line = felt.line(kind, Basis::Exact, &spread, STAKE);
    let waits = !open.is_empty() && line.figures.is_some();
    Ok(if waits { line.noting(DECIDED) } else { line })
}

/// A number that a first throw may set, how likely it does, and what comes of it then.
pub(super) type Number = (u8, BigRational, Spread);

/// What comes of a line or come bet: over its first throw, and over those that decide its number.
pub(super) fn by_number(
    felt: &Felt<'_>,
    kind: &str,
    point: u8,
) -> Result<(Spread, Vec<Number>), OddsError> {
    let points = points(felt);
    let (first, open) = throws(felt, &lying(wager(kind, STAKE, json!({})), point))?;
    let mut numbers = Vec::new();
    for number in points.iter().copied() {
        let ways = open.iter().filter(|total| **total == number).count();
        if ways == 0 {
            continue;
        }
        let (keys, point) = match point {
            0 => (json!({"placed": -1}), number),
            _ => (
                json!({"placed": -1, "point": number}),
                other_than(&points, number),
            ),
        };
        let (later, _) = throws(felt, &lying(wager(kind, STAKE, keys), point))?;
        numbers.push((number, BigRational::from_integer(ways.into()), later));
    }
    Ok((first, numbers))
}

fn line_bet(felt: &Felt<'_>, kind: &str, point: u8) -> Result<Line, OddsError> {
    let (first, numbers) = by_number(felt, kind, point)?;
    let mut spread = Spread::default();
    let mut ways = BigRational::zero();
    for (_, weight, later) in &numbers {
        spread.add_all(later, weight);
        ways += weight;
    }
    let rest = BigRational::from_integer(36.into()) - ways;
    spread.add_all(&first, &rest);
    let line = felt.line(kind, Basis::Exact, &spread, STAKE);
    let is_barred = spread.share("push") > BigRational::zero();
    Ok(if is_barred {
        line.noting("by all bets made; a barred throw is a push")
    } else {
        line
    })
}

//! The fire bet: how many different points a shooter makes before the seven.

use num_rational::BigRational;
use num_traits::{One, Zero};
use serde_json::json;

use super::craps::by_number;
use crate::OddsError;
use crate::felt::{Felt, wager};
use crate::sheet::{Basis, Line};
use crate::spread::Spread;

const STAKE: i64 = 500;

pub(crate) fn line(felt: &Felt<'_>, points: &[u8]) -> Result<Option<Line>, OddsError> {
    let chances = chances_of_points(felt)?;
    let play = json!({
        "start": {"point": points[0], "fresh_shooter": false}, "rolls": [{"dice": [3, 4]}],
    });
    let mut spread = Spread::default();
    for (made, chance) in chances.iter().enumerate() {
        let keys = json!({"placed": -1, "made": points[..made]});
        let came = felt.first(&[wager("fire", STAKE, keys)], &play)?;
        spread.add(&came, chance);
    }
    Ok(Some(felt.line("fire", Basis::Exact, &spread, STAKE)))
}

/// By how many different points were made, up to all of them. The pass line tells how often each is set and
/// made.
fn chances_of_points(felt: &Felt<'_>) -> Result<Vec<BigRational>, OddsError> {
    let (_, numbers) = by_number(felt, "pass", 0)?;
    let made = numbers
        .iter()
        .map(|(_, set, later)| set * later.share("win"));
    let made: Vec<BigRational> = made.collect();
    let set: BigRational = numbers.iter().map(|(_, set, _)| set).sum();
    let lost = &set - made.iter().sum::<BigRational>();
    let mut reached = vec![BigRational::zero(); 1 << made.len()];
    reached[0] = BigRational::one();
    let mut ended = vec![BigRational::zero(); made.len() + 1];
    for subset in 0..reached.len() {
        let is_made = |bit: usize| subset >> bit & 1 == 1;
        let again: BigRational = (0..made.len())
            .filter(|&bit| is_made(bit))
            .map(|bit| &made[bit])
            .sum();
        // What changes nothing is left out of account.
        let from = &reached[subset] / (&set - again);
        ended[subset.count_ones() as usize] += &from * &lost;
        for bit in (0..made.len()).filter(|&bit| !is_made(bit)) {
            reached[subset | 1 << bit] += &from * &made[bit];
        }
    }
    Ok(ended)
}

//! Exact intervals for rates: `rate_low(count, of)` and `rate_high(count, of)`.
//!
//! After Clopper and Pearson: the rates at which so many or more, and so few or fewer, are just as unlikely as one
//! time in forty each. Whatever the rate is, it lies between them in 95 of 100 cases at least.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Array};
use arrow::datatypes::{DataType, Int64Type};
use datafusion::error::Result as DataResult;
use datafusion::logical_expr::{ColumnarValue, Volatility, create_udf};
use datafusion::prelude::SessionContext;

/// In each tail.
const TAIL: f64 = 0.025;
const STEPS: u32 = 100;

type Bound = fn(i64, i64) -> Option<f64>;

pub(crate) fn register(context: &SessionContext) {
    let bounds: [(&str, Bound); 2] = [("rate_low", low), ("rate_high", high)];
    for (name, bound) in bounds {
        let takes = vec![DataType::Int64, DataType::Int64];
        let called = move |values: &[ColumnarValue]| called(values, bound);
        let function = create_udf(
            name,
            takes,
            DataType::Float64,
            Volatility::Immutable,
            Arc::new(called),
        );
        context.register_udf(function);
    }
}

fn called(values: &[ColumnarValue], bound: Bound) -> DataResult<ColumnarValue> {
    let arrays = ColumnarValue::values_to_arrays(values)?;
    let (counts, of) = (
        arrays[0].as_primitive::<Int64Type>(),
        arrays[1].as_primitive::<Int64Type>(),
    );
    let rows = (0..counts.len()).map(|row| {
        let is_there = counts.is_valid(row) && of.is_valid(row);
        is_there
            .then(|| bound(counts.value(row), of.value(row)))
            .flatten()
    });
    let bounds: Float64Array = rows.collect();
    Ok(ColumnarValue::Array(Arc::new(bounds) as ArrayRef))
}

/// `None` where there is no such count.
fn low(count: i64, of: i64) -> Option<f64> {
    match (count, of) {
        (count, of) if count < 0 || of < 1 || count > of => None,
        (0, _) => Some(0.0),
        (count, of) => Some(solve(count as f64, (of - count + 1) as f64, TAIL)),
    }
}

fn high(count: i64, of: i64) -> Option<f64> {
    match (count, of) {
        (count, of) if count < 0 || of < 1 || count > of => None,
        (count, of) if count == of => Some(1.0),
        (count, of) => Some(solve((count + 1) as f64, (of - count) as f64, 1.0 - TAIL)),
    }
}

/// Where the beta distribution reaches this share, by halving.
fn solve(a: f64, b: f64, share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..STEPS {
        let middle = (low + high) / 2.0;
        match beta(a, b, middle) < share {
            true => low = middle,
            false => high = middle,
        }
    }
    (low + high) / 2.0
}

/// The share of the beta distribution up to `x`.
pub(crate) fn beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    let front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    // The fraction converges fast on this side of the mean; the other side is its mirror.
    match x < (a + 1.0) / (a + b + 2.0) {
        true => front.exp() * fraction(a, b, x) / a,
        false => 1.0 - front.exp() * fraction(b, a, 1.0 - x) / b,
    }
}

/// The continued fraction of the incomplete beta function, after Lentz.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut sum = d;
    for step in 1..20_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for part in [even, odd] {
            d = 1.0 / away(1.0 + part * d);
            c = away(1.0 + part / c);
            change = c * d;
            sum *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    sum
}

/// The logarithm of the gamma function of what is at least 1, by Stirling's series after some steps up.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut steps) = (x, 0.0);
    while x < 12.0 {
        steps += x.ln();
        x += 1.0;
    }
    let square = x * x;
    let series =
        1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1_260.0 - 1.0 / (1_680.0 * square)) / square) / square;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series / x - steps
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chance of so many or more, summed term by term.
    fn so_many_or_more(count: i64, of: i64, rate: f64) -> f64 {
        let mut term = (1.0 - rate).powi(i32::try_from(of).unwrap());
        let mut sum = 0.0;
        for number in 0..=of {
            if number >= count {
                sum += term;
            }
            term *= (of - number) as f64 / (number + 1) as f64 * rate / (1.0 - rate);
        }
        sum
    }

    #[test]
    fn the_bounds_are_where_the_tails_are_one_in_forty() {
        for (count, of) in [(1, 5), (3, 10), (9, 10), (1, 400), (37, 400), (200, 400)] {
            let (low, high) = (low(count, of).unwrap(), high(count, of).unwrap());
            assert!(
                (so_many_or_more(count, of, low) - TAIL).abs() < 1e-9,
                "{count} of {of}"
            );
            let fewer = 1.0 - so_many_or_more(count + 1, of, high);
            assert!((fewer - TAIL).abs() < 1e-9, "{count} of {of}");
        }
    }

    #[test]
    fn none_and_all_have_one_bound_and_nonsense_has_none() {
        assert_eq!((low(0, 100), high(100, 100)), (Some(0.0), Some(1.0)));
        // Of none in n the bound is known in closed form.
        let known = 1.0 - TAIL.powf(1.0 / 100.0);
        assert!((high(0, 100).unwrap() - known).abs() < 1e-12);
        for (count, of) in [(-1, 5), (6, 5), (0, 0)] {
            assert_eq!((low(count, of), high(count, of)), (None, None));
        }
        // What is left of nearly all is nearly none.
        assert!((high(399, 400).unwrap() + low(1, 400).unwrap() - 1.0).abs() < 1e-12);
        // Of millions of rounds as well.
        let (low, high) = (
            low(1_000, 5_000_000).unwrap(),
            high(1_000, 5_000_000).unwrap(),
        );
        assert!(
            0.000_187 < low && low < 0.000_2 && 0.000_2 < high && high < 0.000_213,
            "{low} {high}"
        );
    }
}

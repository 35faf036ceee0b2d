//! How unlikely it is by chance: `so_many_or_more(count, of, rate)` and `so_many_at_most(count, of, expected)`. And
//! what is held at poker: `hand_name(cards)` and `hand_strength(cards)`.
//!
//! The first is exact: the chance of so many or more of so many independent trials that come at one rate. Where the
//! rates of the trials differ it is a bound with their mean, for counts of at least one above what is expected
//! (Hoeffding 1956). The second is Chernoff's bound exp(-n KL(count/n || expected/n)), which holds for trials of
//! different rates, and for draws without replacement (Hoeffding 1963).

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int64Array, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use catwalk_hands::floor::Card;
use catwalk_hands::hands::five::{self, Category};
use datafusion::error::Result as DataResult;
use datafusion::logical_expr::{ColumnarValue, Volatility, create_udf};
use datafusion::prelude::SessionContext;

use crate::rates::beta;

type Chance = fn(i64, i64, f64) -> Option<f64>;

pub(crate) fn register(context: &SessionContext) {
    let chances: [(&str, Chance); 2] = [
        ("so_many_or_more", so_many_or_more),
        ("so_many_at_most", so_many_at_most),
    ];
    for (name, chance) in chances {
        let takes = vec![DataType::Int64, DataType::Int64, DataType::Float64];
        let called = move |values: &[ColumnarValue]| chances_of(values, chance);
        context.register_udf(create_udf(
            name,
            takes,
            DataType::Float64,
            Volatility::Immutable,
            Arc::new(called),
        ));
    }
    let text = || vec![DataType::Utf8];
    let names = |hand: five::Hand| name(hand.category());
    context.register_udf(create_udf(
        "hand_name",
        text(),
        DataType::Utf8,
        Volatility::Immutable,
        Arc::new(move |values: &[ColumnarValue]| {
            let names: StringArray = hands(values)?
                .into_iter()
                .map(|hand| hand.map(names))
                .collect();
            Ok(ColumnarValue::Array(Arc::new(names) as ArrayRef))
        }),
    ));
    let strength = |hand: five::Hand| i64::from(hand.strength());
    context.register_udf(create_udf(
        "hand_strength",
        text(),
        DataType::Int64,
        Volatility::Immutable,
        Arc::new(move |values: &[ColumnarValue]| {
            let strengths: Int64Array = hands(values)?
                .into_iter()
                .map(|hand| hand.map(strength))
                .collect();
            Ok(ColumnarValue::Array(Arc::new(strengths) as ArrayRef))
        }),
    ));
}

fn chances_of(values: &[ColumnarValue], chance: Chance) -> DataResult<ColumnarValue> {
    let arrays = ColumnarValue::values_to_arrays(values)?;
    let (counts, of, rates) = (
        arrays[0].as_primitive::<Int64Type>(),
        arrays[1].as_primitive::<Int64Type>(),
        arrays[2].as_primitive::<Float64Type>(),
    );
    let rows = (0..counts.len()).map(|row| {
        let is_there = counts.is_valid(row) && of.is_valid(row) && rates.is_valid(row);
        is_there
            .then(|| chance(counts.value(row), of.value(row), rates.value(row)))
            .flatten()
    });
    let chances: Float64Array = rows.collect();
    Ok(ColumnarValue::Array(Arc::new(chances) as ArrayRef))
}

/// `None` where there is no such count or rate.
fn so_many_or_more(count: i64, of: i64, rate: f64) -> Option<f64> {
    match count {
        _ if of < 0 || count > of || !(0.0..=1.0).contains(&rate) => None,
        ..=0 => Some(1.0),
        _ => Some(beta(count as f64, (of - count + 1) as f64, rate)),
    }
}

fn so_many_at_most(count: i64, of: i64, expected: f64) -> Option<f64> {
    if of < 0 || count < 0 || count > of || !(0.0..=of as f64).contains(&expected) {
        return None;
    }
    let (count, of) = (count as f64, of as f64);
    if count <= expected {
        return Some(1.0);
    }
    // Nothing times the logarithm of nothing is nothing.
    let part = |seen: f64, due: f64| match seen > 0.0 {
        true => seen * (seen / due).ln(),
        false => 0.0,
    };
    Some((-part(count, expected) - part(of - count, of - expected)).exp())
}

/// The best five of each text of cards; of fewer than five, more than seven, or what is no card there is none.
fn hands(values: &[ColumnarValue]) -> DataResult<Vec<Option<five::Hand>>> {
    let arrays = ColumnarValue::values_to_arrays(values)?;
    let texts = cast(&arrays[0], &DataType::Utf8)?;
    let hand = |text: &str| {
        let cards: Result<Vec<Card>, _> = text.split_whitespace().map(str::parse).collect();
        five::rank(&cards.ok()?)
    };
    Ok(texts
        .as_string::<i32>()
        .iter()
        .map(|text| hand(text?))
        .collect())
}

fn name(category: Category) -> &'static str {
    match category {
        Category::HighCard => "high card",
        Category::Pair => "pair",
        Category::TwoPair => "two pair",
        Category::ThreeOfAKind => "three of a kind",
        Category::Straight => "straight",
        Category::Flush => "flush",
        Category::FullHouse => "full house",
        Category::FourOfAKind => "four of a kind",
        Category::StraightFlush => "straight flush",
        Category::RoyalFlush => "royal flush",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Summed term by term.
    fn summed(count: i64, of: i64, rate: f64) -> f64 {
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
    fn so_many_or_more_is_exact() {
        for (count, of, rate) in [
            (1, 5, 0.2),
            (3, 10, 0.5),
            (60, 100, 18.0 / 38.0),
            (9, 400, 0.01),
        ] {
            let exact = so_many_or_more(count, of, rate).unwrap();
            let summed = summed(count, of, rate);
            assert!(
                (exact - summed).abs() < 1e-12,
                "{count} of {of}: {exact} {summed}"
            );
        }
        assert_eq!(so_many_or_more(0, 0, 0.3), Some(1.0));
        // Far out in the tail it is small, and not nothing.
        let far = so_many_or_more(100, 100, 0.5).unwrap();
        assert!((far * 2f64.powi(100) - 1.0).abs() < 1e-9, "{far}");
        for (count, of, rate) in [(6, 5, 0.5), (1, 5, 1.5), (1, 5, f64::NAN)] {
            assert_eq!(so_many_or_more(count, of, rate), None);
        }
    }

    #[test]
    fn the_bound_is_never_below_the_chance_of_any_such_draws() {
        for of in 1..=40 {
            for count in 0..=of {
                for tenth in 1..10 {
                    let rate = f64::from(tenth) / 10.0;
                    let bound = so_many_at_most(count, of, rate * of as f64).unwrap();
                    let exact = so_many_or_more(count, of, rate).unwrap();
                    assert!(bound >= exact * (1.0 - 1e-9), "{count} of {of} at {rate}");
                }
            }
        }
        // Trials of two rates: half of them come at 0.1, half at 0.5.
        for count in 0..=20 {
            let mixed: f64 = (0..=10)
                .map(|first| {
                    let exactly = summed(first, 10, 0.1) - summed(first + 1, 10, 0.1);
                    exactly * summed((count - first).clamp(0, 11), 10, 0.5)
                })
                .sum();
            assert!(so_many_at_most(count, 20, 6.0).unwrap() >= mixed * (1.0 - 1e-9));
            if count >= 7 {
                assert!(so_many_or_more(count, 20, 0.3).unwrap() >= mixed * (1.0 - 1e-9));
            }
        }
        assert_eq!(so_many_at_most(5, 5, 0.0), Some(0.0));
        assert_eq!(so_many_at_most(5, 4, 1.0), None);
    }

    #[test]
    fn hands_are_named_and_compared_from_five_cards_on() {
        let hand = |text: &str| {
            let text = ColumnarValue::Array(Arc::new(StringArray::from(vec![text])));
            hands(&[text]).unwrap()[0]
        };
        assert_eq!(
            name(hand("KD KH KS 2C 2D 9S 8S").unwrap().category()),
            "full house"
        );
        assert!(hand("AS KS QS JS TS") > hand("KD KH KS KC 2D"));
        for text in ["AS KS", "AS KS QS JS ??", "AS KS QS JS TS 9S 8S 7S"] {
            assert_eq!(hand(text), None, "{text}");
        }
    }
}

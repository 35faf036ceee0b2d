//! Positions on the layout: which pockets a bet covers, and whether it is a position at all.

use serde::Deserialize;
use serde::de::value::{Error as WordError, StrDeserializer};
use serde_json::Value;

use super::{Color, Kind, Rules, Wager, Wheel, WheelUse};
use crate::floor::{ParsePocketError, Pocket, PocketSet};
use crate::refusal::Refusal;

/// The pockets that a bet covers; `None` if its selection is no legal position for the wheel.
/// Refuses a selection that is missing or says nothing; `place` names the wager.
pub(super) fn covered(
    rules: &Rules,
    wheel: WheelUse,
    wager: &Wager,
    place: impl Fn(&str) -> String,
) -> Result<Option<PocketSet>, Refusal> {
    let said = [
        ("numbers", &wager.numbers),
        ("color", &wager.color),
        ("center", &wager.center),
        ("column", &wager.column),
        ("dozen", &wager.dozen),
    ];
    let said = said.map(|(key, value)| (key, value.as_ref().is_some_and(says)));
    let unused = rules.selects.check(wager.kind, said);
    unused.map_err(|(key, what)| Refusal::at(place(key), what))?;
    let numbers = || selected_numbers(wager, &place);
    let numbered = |is_in: fn(u8) -> bool| Ok(Some(numbers_that(is_in)));
    match wager.kind {
        Kind::Straight => group(numbers()?, |set| set.len() == 1, 1, wheel),
        Kind::Split => group(numbers()?, |set| is_split(set, wheel), 2, wheel),
        Kind::ThreeNumbers => group(numbers()?, |set| is_three(set, wheel), 3, wheel),
        Kind::FourNumbers => group(numbers()?, is_corner, 4, wheel),
        Kind::SixNumbers => group(numbers()?, is_line, 6, wheel),
        Kind::FirstFive => {
            Ok((wheel == WheelUse::Double).then(|| set_of(&["0", "00", "1", "2", "3"])))
        }
        Kind::SixNumbersColor => Ok(arc(rules, wheel, selected_color(wager, &place)?)),
        Kind::SevenNumbersColor => {
            let arc = arc(rules, wheel, selected_color(wager, &place)?);
            let with_zero = |arc: PocketSet| arc.with(Pocket::ZERO);
            Ok(arc.filter(|_| wheel == WheelUse::Single).map(with_zero))
        }
        Kind::EightNumbersColor => {
            let arc = arc(rules, wheel, selected_color(wager, &place)?);
            let with_zeros = |arc: PocketSet| arc.with(Pocket::ZERO).with(Pocket::DOUBLE_ZERO);
            Ok(arc.filter(|_| wheel == WheelUse::Double).map(with_zeros))
        }
        Kind::SevenNumbers => Ok(Some(rules.seven_numbers)),
        Kind::FiveAdjacent => Ok(neighbours(rules, wheel, selected_center(wager, &place)?)),
        Kind::Column => {
            let column = one_to_three(&wager.column, || place("column"))?;
            Ok(Some(
                (1..=36)
                    .filter(|n| n % 3 == column % 3)
                    .filter_map(Pocket::new)
                    .collect(),
            ))
        }
        Kind::Dozen => {
            let dozen = one_to_three(&wager.dozen, || place("dozen"))?;
            Ok(Some(
                (dozen * 12 - 11..=dozen * 12)
                    .filter_map(Pocket::new)
                    .collect(),
            ))
        }
        Kind::Red => Ok(Some(rules.red)),
        Kind::Black => {
            let black = |pocket: &Pocket| !rules.red.contains(*pocket);
            Ok(Some(
                (1..=36).filter_map(Pocket::new).filter(black).collect(),
            ))
        }
        Kind::Odd => numbered(|n| n % 2 == 1),
        Kind::Even => numbered(|n| n % 2 == 0),
        Kind::Low => numbered(|n| n <= 18),
        Kind::High => numbered(|n| n > 18),
    }
}

/// `false` and an empty list are as good as no key.
fn says(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false))
        && value.as_array().is_none_or(|it| !it.is_empty())
}

/// The wheel that turns: a double-zero wheel keeps its order when its 00 is covered.
fn turning(rules: &Rules, wheel: WheelUse) -> &Wheel {
    match wheel {
        WheelUse::Single => &rules.single,
        WheelUse::Double | WheelUse::DoubleAsSingle => &rules.double,
    }
}

fn arc(rules: &Rules, wheel: WheelUse, color: Color) -> Option<PocketSet> {
    turning(rules, wheel).arcs.0.get(&color).copied()
}

/// The centre and two neighbours on each side. None where the group would hold a 00 that is not
/// there or is covered.
fn neighbours(rules: &Rules, wheel: WheelUse, center: Pocket) -> Option<PocketSet> {
    let order = &turning(rules, wheel).order;
    let at = order.iter().position(|&pocket| pocket == center)?;
    let group: PocketSet = (0..5)
        .map(|step| order[(at + order.len() + step - 2) % order.len()])
        .collect();
    let has_00 = group.contains(Pocket::DOUBLE_ZERO);
    (wheel == WheelUse::Double || !has_00).then_some(group)
}

/// A group of so many different numbers that are a position of this layout.
fn group(
    numbers: Vec<Pocket>,
    is_position: impl Fn(PocketSet) -> bool,
    size: usize,
    wheel: WheelUse,
) -> Result<Option<PocketSet>, Refusal> {
    let set: PocketSet = numbers.iter().copied().collect();
    let different = numbers.len() == size && set.len() as usize == size;
    let on_layout = wheel == WheelUse::Double || !set.contains(Pocket::DOUBLE_ZERO);
    Ok((different && on_layout && is_position(set)).then_some(set))
}

fn set_of(pockets: &[&str]) -> PocketSet {
    pockets
        .iter()
        .filter_map(|pocket| pocket.parse::<Pocket>().ok())
        .collect()
}

/// The numbers from `first` on at these distances.
fn block(first: u8, distances: &[u8]) -> PocketSet {
    distances
        .iter()
        .filter_map(|distance| Pocket::new(first + distance))
        .collect()
}

fn numbers_that(is_in: fn(u8) -> bool) -> PocketSet {
    (1..=36)
        .filter(|&number| is_in(number))
        .filter_map(Pocket::new)
        .collect()
}

/// Two boxes that border on each other.
fn is_split(set: PocketSet, wheel: WheelUse) -> bool {
    let zeros: &[[&str; 2]] = match wheel {
        WheelUse::Double => &[
            ["0", "1"],
            ["0", "2"],
            ["00", "2"],
            ["00", "3"],
            ["0", "00"],
        ],
        WheelUse::Single => &[["0", "1"], ["0", "2"], ["0", "3"]],
        WheelUse::DoubleAsSingle => &[["0", "1"], ["0", "2"]],
    };
    let across = |n: u8| !n.is_multiple_of(3) && set == block(n, &[0, 1]);
    let down = |n: u8| n <= 33 && set == block(n, &[0, 3]);
    (1..=35).any(|n| across(n) || down(n)) || zeros.iter().any(|pair| set == set_of(pair))
}

/// A row of three, or one of the trios at the zeros.
fn is_three(set: PocketSet, wheel: WheelUse) -> bool {
    let row = (1..=34).step_by(3).any(|n| set == block(n, &[0, 1, 2]));
    let at_double_zero = || set == set_of(&["0", "2", "00"]) || set == set_of(&["00", "2", "3"]);
    row || set == set_of(&["0", "1", "2"]) || (wheel == WheelUse::Double && at_double_zero())
}

/// Four boxes around one corner.
fn is_corner(set: PocketSet) -> bool {
    (1..=32).any(|n: u8| !n.is_multiple_of(3) && set == block(n, &[0, 1, 3, 4]))
}

/// Two neighbouring rows.
fn is_line(set: PocketSet) -> bool {
    (1..=31)
        .step_by(3)
        .any(|n| set == block(n, &[0, 1, 2, 3, 4, 5]))
}

fn selected_numbers(
    wager: &Wager,
    place: &impl Fn(&str) -> String,
) -> Result<Vec<Pocket>, Refusal> {
    let Some(Value::Array(numbers)) = &wager.numbers else {
        let what = "this kind needs its numbers: [\"17\"]";
        return Err(Refusal::at(place("numbers"), what));
    };
    let parse = |(index, number)| pocket(number, || place(&format!("numbers[{index}]")));
    numbers.iter().enumerate().map(parse).collect()
}

fn selected_color(wager: &Wager, place: &impl Fn(&str) -> String) -> Result<Color, Refusal> {
    const KNOWN: [&str; 6] = ["purple", "green", "black", "blue", "gold", "red"];
    let word = wager.color.as_ref().and_then(Value::as_str);
    let word = word.unwrap_or_default();
    Color::deserialize(StrDeserializer::<WordError>::new(word))
        .map_err(|_| Refusal::unknown(place("color"), word, "a colour of this bet", &KNOWN))
}

fn selected_center(wager: &Wager, place: &impl Fn(&str) -> String) -> Result<Pocket, Refusal> {
    pocket(wager.center.as_ref().unwrap_or(&Value::Null), || {
        place("center")
    })
}

/// Pockets are strings: the number 0 could not be told from 00.
fn pocket(value: &Value, place: impl Fn() -> String) -> Result<Pocket, Refusal> {
    let Some(text) = value.as_str() else {
        let what = format!("{value} is not a pocket: write a string such as \"17\"");
        return Err(Refusal::at(place(), what));
    };
    text.parse()
        .map_err(|error: ParsePocketError| Refusal::at(place(), error.to_string()))
}

fn one_to_three(selected: &Option<Value>, place: impl Fn() -> String) -> Result<u8, Refusal> {
    match selected.as_ref().and_then(Value::as_i64) {
        Some(number @ 1..=3) => Ok(number as u8),
        _ => Err(Refusal::at(place(), "this kind needs 1, 2 or 3")),
    }
}

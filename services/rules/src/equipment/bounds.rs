//! How far a house may go from the figures of its jurisdiction: it may ask more of itself than the base, and no less.

use crate::floor::Odds;

/// What a figure of the base is to a house.
#[derive(Clone, Copy)]
enum Bound {
    /// "At least" in the text.
    Least,
    /// "No longer than", "at least every".
    Most,
}

const BOUNDS: [(&str, &str, Bound); 17] = [
    ("card_life", "other_games_hours", Bound::Most),
    ("card_life", "extended_hours", Bound::Most),
    ("card_life", "extended_decks", Bound::Least),
    ("card_life", "destroy_after_collection_hours", Bound::Most),
    ("card_life", "destroy_after_removal_hours", Bound::Most),
    ("dice_life", "on_table_hours", Bound::Most),
    ("dice_life", "destroy_after_collection_hours", Bound::Most),
    ("tile_life", "on_table_hours", Bound::Most),
    ("limit_ratio", "times", Bound::Least),
    ("limit_ratio", "up_to_minimum", Bound::Least),
    ("limit_ratio", "up_to_odds", Bound::Least),
    ("notice", "minutes", Bound::Least),
    ("tournament", "notice_business_days", Bound::Least),
    ("chips", "inventory_days", Bound::Most),
    ("chips", "commingled_days", Bound::Most),
    ("chips", "sealed_days", Bound::Most),
    ("chips", "impress_days", Bound::Most),
];

/// `Err` says what a house has laxer than its base. A value of another form is left to whoever reads the chapter.
pub(super) fn check(entry: &str, filed: &toml::Table, changes: &toml::Table) -> Result<(), String> {
    let of_entry = BOUNDS.iter().filter(|(name, _, _)| *name == entry);
    for (_, field, bound) in of_entry {
        let Some((base, value)) = filed.get(*field).zip(changes.get(*field)) else {
            continue;
        };
        let Some(is_less) = less(value, base) else {
            continue;
        };
        let (is_laxer, word) = match bound {
            Bound::Least => (is_less, "least"),
            Bound::Most => (less(base, value) == Some(true), "most"),
        };
        if is_laxer {
            return Err(format!(
                "{field}: {base} is the {word} that the base allows"
            ));
        }
    }
    Ok(())
}

/// Of two numbers or two odds.
fn less(value: &toml::Value, other: &toml::Value) -> Option<bool> {
    if let Some((value, other)) = value.as_integer().zip(other.as_integer()) {
        return Some(value < other);
    }
    let odds = |value: &toml::Value| value.as_str()?.parse::<Odds>().ok();
    Some(odds(value)? < odds(other)?)
}

//! A shoe of two sides, and a shoe that nobody comes into.

use catwalk_events::body::{Body, CardBurned};
use catwalk_rules::floor::Card;
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::house::{House, one_in};
use crate::games::Dealt;
use crate::games::shoes::Shoes;

/// The card that names the side of a round.
pub(super) struct Determinant {
    card: Card,
    from: &'static str,
    dealt: &'static str,
}

/// Draws it from either side. From the side that it names it is the first card of the round, from the
/// other it is burned; the round is dealt from `shoes` then.
pub(super) fn determine(
    house: &House,
    shoes: &mut Shoes,
    other: Option<&mut Shoes>,
    rng: &mut ChaCha8Rng,
) -> Option<Determinant> {
    let other = other?;
    let [red, black] = house.sides_of_shoe?;
    if one_in(2, rng) {
        std::mem::swap(shoes, other);
    }
    let card = shoes.draw()?;
    let from = shoes.side()?;
    let dealt = if card.suit()?.is_red() { red } else { black };
    if from == dealt {
        shoes.put_back(card);
    } else {
        std::mem::swap(shoes, other);
    }
    Some(Determinant { card, from, dealt })
}

impl Determinant {
    pub(super) fn tell(&self, dealt: &mut Dealt) {
        let card = self.card.to_string();
        if self.from != self.dealt {
            let mut burned = vec![json!(card)];
            burned.extend(dealt.play["burned"].as_array().cloned().unwrap_or_default());
            dealt.play["burned"] = json!(burned);
            let burned = CardBurned {
                card: Some(card.clone()),
                back: None,
            };
            dealt.insert(0, Body::from(burned));
        }
        dealt.play["determinant"] =
            json!({"card": card, "from": self.from, "dealt_side": self.dealt});
    }
}

/// The seats of this shoe: those that were there when it began.
pub(super) fn seated(
    kept: &mut Option<(String, Vec<u32>)>,
    shoe: String,
    seats: &[u32],
) -> Vec<u32> {
    match kept {
        Some((name, seats)) if *name == shoe => seats.clone(),
        _ => {
            *kept = Some((shoe, seats.to_vec()));
            seats.to_vec()
        }
    }
}

//! Red dog.

use serde_json::json;

use super::super::{edge, sheet};
use catwalk_odds::Basis;

#[test]
fn the_best_play_costs_the_published_share_for_every_number_of_decks() {
    // 3.155%, 3.077%, 2.884%, 2.798% and 2.751%.
    for (decks, published) in [
        (1, 31_553),
        (2, 30_766),
        (4, 28_837),
        (6, 27_978),
        (8, 27_508),
    ] {
        let sheet = sheet("red_dog", "mgc-2017", json!({"decks": decks}));
        let best = sheet
            .lines
            .iter()
            .find(|line| line.basis == Basis::OptimalPlay);
        let best = best.unwrap();
        assert_eq!(edge(best).millionths(), published, "{decks} decks");
        assert!(best.figures.as_ref().unwrap().element_of_risk.is_some());
    }
}

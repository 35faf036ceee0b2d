//! What comes between the cards: displays that stop, cards drawn in error or found face up.

use catwalk_events::Json;
use catwalk_events::body::{CardBurned, Irregularity, MeterRead};
use catwalk_rules::floor::{Card, Cents};
use rand::RngExt;
use serde_json::{Value, json};

use super::super::house::{Kin, one_in};
use super::super::strategy::is_blackjack;
use super::{Deal, amount, seat};

impl Deal<'_> {
    /// The display of the blackjack bonus stops at what a blackjack wins, for each winner when he presses the button.
    pub(super) fn show_displays(&mut self) {
        for one in &mut self.boxes {
            let is_won =
                |wager: &&mut Value| wager["kind"] == "blackjack_bonus" && seat(wager) == one.seat;
            let winners = self.wagers.iter_mut().filter(is_won);
            let mut winners: Vec<&mut Value> =
                winners.filter(|_| is_blackjack(&one.first)).collect();
            let is_shared = winners.len() > 1;
            for bonus in &mut winners {
                let display = match amount(bonus) {
                    100 => self.rng.random_range(5..=1_000) * 100,
                    _ => self.rng.random_range(50..=5_000) * 100,
                };
                let meter = match is_shared {
                    true => {
                        bonus["bonus_display"] = json!(display);
                        format!("bonus/{}", bonus["id"].as_str().unwrap_or_default())
                    }
                    false => {
                        one.display = Some(display);
                        format!("blackjack_bonus-{}", one.seat)
                    }
                };
                let amount = Cents::new(display);
                self.events.push(
                    MeterRead {
                        meter,
                        amount,
                        ..MeterRead::default()
                    }
                    .into(),
                );
            }
        }
    }

    /// A card that was drawn in error is offered to the player, who refuses it: no further card goes to his box.
    pub(super) fn refuse(&mut self, at: usize) -> Option<()> {
        let card = self.draw()?;
        let seat = self.boxes[at].seat;
        let detail = json!({"seat": seat, "card": card.to_string()});
        self.tell("card_drawn_in_error", detail, "offered to the player");
        self.decide(seat, Some(1), "refuse");
        self.boxes[at]
            .steps
            .push(json!({"hand": 1, "do": "refuse"}));
        self.burn(card);
        Some(())
    }

    /// Spanish 21: a card lies face up in the shoe and is not used. With a second one the round is void, 15(a).
    pub(super) fn find_face_up(&mut self) {
        let found = match self.house.kin {
            Kin::Spanish if one_in(25, self.rng) => self.rng.random_range(1..=2),
            _ => 0,
        };
        for number in 1..=found {
            let Some(card) = self.draw() else { return };
            let ruling = if number == 1 {
                "put aside"
            } else {
                "round void"
            };
            self.tell("face_up_card", json!({"card": card.to_string()}), ruling);
            self.burn(card);
            self.face_up.push(card);
        }
    }

    fn tell(&mut self, kind: &str, detail: Value, ruling: &str) {
        let told = Irregularity {
            kind: kind.to_owned(),
            detail: Some(Json::new(&detail)),
            ruling: ruling.to_owned(),
        };
        self.events.push(told.into());
    }

    fn burn(&mut self, card: Card) {
        self.burned.push(card);
        let burned = CardBurned {
            card: Some(card.to_string()),
            back: None,
        };
        self.events.push(burned.into());
    }

    /// Was a card drawn in error when this box had nothing but its first hand?
    pub(super) fn is_offered_a_card(&mut self, at: usize) -> bool {
        self.boxes[at].hands.len() == 1 && one_in(40, self.rng)
    }
}

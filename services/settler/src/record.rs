//! A settled round as a record of the log.

use catwalk_events::{Json, audit};
use catwalk_rules::Settlement;
use catwalk_rules::floor::Cents;
use serde::Serialize;

use crate::settler::SettledRound;

impl From<&SettledRound> for audit::Settlement {
    fn from(round: &SettledRound) -> audit::Settlement {
        let settlement = round.settlement.as_ref();
        let bonuses = settlement.map(Settlement::bonuses).unwrap_or_default();
        let with = &round.played_with;
        let violations = settlement.map(|settlement| settlement.violations().iter());
        audit::Settlement {
            property: round.property.clone(),
            table: round.table.clone(),
            round: round.round.clone(),
            game: round.rules.game.clone(),
            edition: round.rules.posted_edition().to_owned(),
            options: round.rules.options.text().clone(),
            opened_at: round.opened_at,
            closed_at: round.at,
            dealer: round.dealer.clone(),
            complete: round.complete,
            voided: round.voided,
            first_seq: round.first_seq,
            last_seq: round.last_seq,
            rules: settlement.map(|settlement| settlement.rules_hash().to_owned()),
            violations: violations
                .into_iter()
                .flatten()
                .map(str::to_owned)
                .collect(),
            document: round.document.as_ref().map(Json::new),
            bonuses: Some(bonuses).filter(|list| !list.is_empty()).map(json),
            pots: settlement.and_then(Settlement::pots).map(json),
            wagers: round.wagers.clone(),
            cards: round.cards.clone(),
            assumed: settlement
                .map(Settlement::unseen)
                .unwrap_or_default()
                .to_vec(),
            shoe: with.shoe.clone(),
            set: with.set.clone(),
            wheel: with.wheel.clone(),
            dice_set: with.dice_set.clone(),
            banker: round.banker,
            shift: with.shift.clone(),
            pit: with.pit.clone(),
            tournament: Some(round.rules.tournament),
            trial: Some(with.trial),
            owed: Some(round.owed).filter(|owed| *owed != Cents::ZERO),
        }
    }
}

/// Lists and objects of the rules have no form that JSON could refuse.
fn json<T: Serialize + ?Sized>(value: &T) -> Json {
    Json::new(&serde_json::to_value(value).unwrap_or_default())
}

//! Chips that were taken too early or left lying, cards that did not come back, awards that wait.

use catwalk_events::body::{Body, Irregularity};

use super::super::Stud;
use super::super::table::detail;
use super::{Order, dealt, once};
use crate::fault::Fault;
use crate::games::Scene;
use crate::games::verification::is_deferral;
use crate::round::WagerFold;

impl Stud {
    pub(super) fn breaks_chips(&self, order: Order, scene: &Scene<'_>) -> Option<Fault> {
        let round = scene.round;
        match (order, scene.body) {
            (Order::Lives { kind, cards, code }, body) if self.shows(round, body) => {
                self.taken_too_early(scene, kind, cards, code)
            }
            // Only in Massachusetts they are.
            (Order::Chips { .. }, _) if !round.rules.edition.starts_with("mgc-") => None,
            (Order::Chips { kinds, code }, Body::CardDealt(_)) if dealt(round).next().is_none() => {
                chips_left(scene, kinds, code)
            }
            (Order::Chips { code, .. }, Body::Irregularity(told)) if told.kind == "chip_count" => {
                let number = |key| detail(told, key).and_then(|count| count.as_u64());
                let (collected, accepted) = (number("collected")?, number("accepted")?);
                let message = format!("{collected} chips were taken in for {accepted} wagers");
                (collected != accepted).then(|| Fault::new(code, vec![scene.seq], message))
            }
            (Order::ForfeitedCards, Body::Irregularity(told))
                if matches!(&*told.kind, "forfeit_count" | "forfeit_short") =>
            {
                self.cards_missing(scene, told)
            }
            // PC 6.B: a rule of the Ohio chapter.
            (Order::Identification, Body::Irregularity(told))
                if is_deferral(told) && round.rules.edition.starts_with("oh-") =>
            {
                let message = "An award waits at the cage for the winner's identification";
                let code = "progressive.deferred_no_id";
                Some(Fault::new(code, vec![scene.seq], message.to_owned()))
            }
            _ => None,
        }
    }

    /// A wager that lives until so many cards of the board, or the dealer's hand, are open.
    fn taken_too_early(
        &self,
        scene: &Scene<'_>,
        kind: &str,
        cards: usize,
        code: &'static str,
    ) -> Option<Fault> {
        let round = scene.round;
        if self.laid.board && self.exposed(round).len() + 1 < cards {
            return None;
        }
        let taken = |wager: &&WagerFold| {
            wager.kind == kind && wager.collected.is_some() && wager.pushed.is_none()
        };
        let taken = round.wagers.iter().find(taken)?;
        if !once(round, code) {
            return None;
        }
        let message = format!("{} on {kind} was taken before its time", taken.amount);
        let evidence = [taken.evidence.as_slice(), &[scene.seq]].concat();
        Some(Fault::new(code, evidence, message).of_wager(&taken.id))
    }

    /// A hand that was given up unexposed and did not come back whole.
    fn cards_missing(&self, scene: &Scene<'_>, told: &Irregularity) -> Option<Fault> {
        let keys = ["found", "count", "cards", "recovered", "collected"];
        let number = |key| detail(told, key).and_then(|found| found.as_u64());
        let found = keys.into_iter().find_map(number);
        // Who reports a hand as short need not say by how much.
        let is_whole = match found {
            Some(found) => found == self.laid.hand as u64,
            None => told.kind == "forfeit_count",
        };
        let found = found.map_or("Not all".to_owned(), |found| found.to_string());
        let message = format!("{found} cards came back of a hand of {}", self.laid.hand);
        (!is_whole).then(|| Fault::new("procedure.forfeit_short", vec![scene.seq], message))
    }
}

/// Chips that were left lying while others of their kind were taken in. Where none was told to be taken
/// in, the feed does not tell it.
fn chips_left(scene: &Scene<'_>, kinds: &[&str], code: &'static str) -> Option<Fault> {
    let wagers = scene.round.wagers.iter();
    let chips = wagers.filter(|wager| kinds.contains(&wager.kind.as_str()));
    let (taken, left): (Vec<&WagerFold>, Vec<&WagerFold>) =
        chips.partition(|wager| wager.collected.is_some());
    if taken.is_empty() || left.is_empty() {
        return None;
    }
    let message = format!(
        "{} chips were taken in for {} wagers",
        taken.len(),
        taken.len() + left.len()
    );
    let evidence = left.iter().flat_map(|wager| wager.evidence.iter().copied());
    let evidence = evidence.chain([scene.seq]).collect();
    Some(Fault::new(code, evidence, message).of_wager(&left[0].id))
}

//! Wagers of a kind that the game does not have. It keeps nothing.
//!
//! Kinds that the game has and the table's options leave out are seen when the round is settled.

use catwalk_events::Event;
use catwalk_events::body::Body;
use catwalk_rules::Edition;
use catwalk_rules::book::Book;

use super::{AtTable, Sighting};

pub(super) fn see(event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
    let (Body::WagerPlaced(placed), Some(rules)) = (&event.body, table.rules) else {
        return;
    };
    let game = rules.game_in(table.rulebook).ok();
    let edition = Edition::from_name(&rules.edition);
    // What no rulebook has was told when the table opened.
    let Some((game, edition)) = game.zip(edition) else {
        return;
    };
    let wagers = game.book().wagers();
    let has_any = wagers.iter().any(|wager| wager.editions.holds(edition));
    // Crapless craps has words of its own for the bets that it leaves out of craps.
    let kin = Book::of("craps").filter(|_| rules.game == "crapless_craps");
    let is_of_kin = |kind: &str| kin.is_some_and(|book| book.wager(kind).is_some());
    let is_known = |kind: &str| wagers.iter().any(|wager| wager.kind == kind);
    if has_any && !is_known(&placed.kind) && !is_of_kin(&placed.kind) {
        // The text has it that the house stands on.
        let filed = Book::of(&rules.game).and_then(|book| book.wager(&placed.kind));
        let message = match filed.filter(|wager| wager.editions.holds(edition)) {
            Some(_) => format!(
                "Seat {} bet {} on {}, which {} does not offer",
                placed.seat,
                placed.amount,
                placed.kind.replace('_', " "),
                rules.posted_edition()
            ),
            None => format!(
                "Seat {} bet {} on {}, which is no wager of this game",
                placed.seat,
                placed.amount,
                placed.kind.replace('_', " ")
            ),
        };
        let mut sighting = Sighting::new("wager.not_offered", vec![event.seq], message);
        sighting.seat = Some(placed.seat);
        sighting.wager = Some(placed.wager.clone());
        seen.push(sighting);
    }
}

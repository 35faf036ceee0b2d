//! Which cards decide which wager.

use super::checks::{self, has};
use super::{Decision, Kind, PlayerHand, UltimateTexasHoldem, Wager};
use crate::book::{Book, Void};
use crate::games::shared::holdem::{hole_cards, progressive_reach};
use crate::games::shared::table_cards;
use crate::round::Round;
use crate::unseen::Reach;

pub(super) fn decided_by(round: &Round<UltimateTexasHoldem>, wager: &Wager) -> Reach {
    let hands = &round.play.hands;
    let own = hands.iter().position(|hand| hand.seat == wager.seat);
    let decision = own.map_or(Decision::Pending, |at| hands[at].decision);
    let plays = |hand: &PlayerHand| has(round, hand.seat, Kind::Play);
    let is_played = has(round, wager.seat, Kind::Play);
    let own = own.map(hole_cards).into_iter();
    let of_table = |places: &[&str]| {
        let places = places.iter().map(|&place| place.to_owned());
        Reach::Only(own.chain(places).collect())
    };
    match (void(round), wager.kind) {
        (Void::Total, _) | (Void::ContestByChoice, Kind::Progressive) => Reach::Only(Vec::new()),
        (void, Kind::Progressive) => {
            // § 13.A: who has not folded is in.
            let stays = |hand: &PlayerHand| void == Void::Contest && !hand.decision.is_fold();
            let in_play = hands.iter().enumerate();
            let in_play = in_play.filter(|(_, hand)| plays(hand) || stays(hand));
            progressive_reach(in_play.map(|(at, _)| at))
        }
        (Void::Contest | Void::ContestByChoice, Kind::Trips) => of_table(&["board"]),
        (Void::Contest | Void::ContestByChoice, _) => Reach::Only(Vec::new()),
        // § 12.E: what the hand wins against the dealer may leave less for trips.
        (Void::Nothing, _) if is_played => of_table(&["board", "dealer"]),
        (Void::Nothing, Kind::Trips) if decision == Decision::FoldKeepTrips => of_table(&["board"]),
        (Void::Nothing, _) => Reach::Only(Vec::new()),
    }
}

/// How much of the round is void, whatever the unseen cards are.
fn void(round: &Round<UltimateTexasHoldem>) -> Void {
    let layout = Book::of("ultimate_texas_holdem").and_then(|book| book.layout(round.edition));
    match layout {
        _ if table_cards::has_foreign(round.play.cards()) => Void::Total,
        Some(layout) => checks::counted_void(round, layout),
        None => Void::Nothing,
    }
}

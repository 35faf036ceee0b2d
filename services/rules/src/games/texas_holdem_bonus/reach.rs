//! Which cards decide which wager.

use super::checks::{self, has, is_live};
use super::{Decision, Kind, PlayerHand, TexasHoldemBonus, Wager};
use crate::book::{Book, Void};
use crate::games::shared::holdem::{hole_cards, progressive_reach};
use crate::games::shared::table_cards;
use crate::round::Round;
use crate::unseen::Reach;

pub(super) fn decided_by(round: &Round<TexasHoldemBonus>, wager: &Wager) -> Reach {
    let hands = &round.play.hands;
    let own = hands.iter().position(|hand| hand.seat == wager.seat);
    let hand = own.map(|at| &hands[at]);
    let own = own.map(hole_cards).into_iter();
    let of_table = |places: &[&str]| {
        let places = places.iter().map(|&place| place.to_owned());
        Reach::Only(own.chain(places).collect())
    };
    let is_abandoned = hand.is_some_and(|hand| hand.decision == Decision::Abandoned);
    match (void(round), wager.kind) {
        (Void::Total, _) => Reach::Only(Vec::new()),
        (Void::Nothing, _) if is_abandoned => Reach::Only(Vec::new()),
        (void, Kind::Progressive) => {
            let left =
                |hand: &PlayerHand| matches!(hand.decision, Decision::Fold | Decision::Abandoned);
            let is_in = |hand: &PlayerHand| match void {
                Void::Contest => !left(hand) || has(round, hand.seat, Kind::Flop),
                _ => is_live(round, hand),
            };
            let in_play = hands.iter().enumerate().filter(|(_, hand)| is_in(hand));
            progressive_reach(in_play.map(|(at, _)| at))
        }
        // The row of both aces needs a dealer's hand that counts.
        (Void::Contest | Void::ContestByChoice, Kind::Bonus) => of_table(&[]),
        (Void::Contest | Void::ContestByChoice, _) => Reach::Only(Vec::new()),
        // § 12.E: what the hand wins against the dealer may leave less for the bonus.
        (Void::Nothing, _) if hand.is_some_and(|hand| is_live(round, hand)) => {
            of_table(&["board", "dealer"])
        }
        (Void::Nothing, Kind::Bonus) if round.options.bonus_both_aces.is_some() => {
            of_table(&["dealer"])
        }
        (Void::Nothing, Kind::Bonus) => of_table(&[]),
        (Void::Nothing, _) => Reach::Only(Vec::new()),
    }
}

/// How much of the round is void, whatever the unseen cards are.
fn void(round: &Round<TexasHoldemBonus>) -> Void {
    let layout = Book::of("texas_holdem_bonus").and_then(|book| book.layout(round.edition));
    match layout {
        _ if table_cards::has_foreign(round.play.cards()) => Void::Total,
        Some(layout) => checks::counted_void(round, layout),
        None => Void::Nothing,
    }
}

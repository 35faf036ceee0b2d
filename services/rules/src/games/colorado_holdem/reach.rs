//! Which cards decide which wager.

use super::{Action, ColoradoHoldem, Kind, Wager};
use crate::book::{Book, Void};
use crate::floor::Seat;
use crate::games::shared::table_cards;
use crate::round::Round;
use crate::unseen::Reach;

pub(super) fn decided_by(round: &Round<ColoradoHoldem>, wager: &Wager) -> Reach {
    let hands = &round.play.hands;
    let own = hands.iter().position(|hand| hand.seat == wager.seat);
    let Some(own) = own.filter(|_| !is_void(round)) else {
        return Reach::Only(Vec::new());
    };
    Reach::Only(match hands[own].action {
        Action::Fold | Action::Pending => Vec::new(),
        Action::Instant => vec![format!("hands[{own}].cards")],
        Action::Play => vec![format!("hands[{own}]"), "board".to_owned()],
    })
}

/// Is the round void, whatever the unseen cards are?
fn is_void(round: &Round<ColoradoHoldem>) -> bool {
    let play = &round.play;
    let of_hands = play.hands.iter().flat_map(|hand| &hand.cards);
    let has_ante = |seat: Seat| {
        let mut wagers = round.wagers.iter();
        wagers.any(|wager| wager.seat == seat && wager.kind == Kind::Ante)
    };
    let layout = Book::of("colorado_holdem").and_then(|book| book.layout(round.edition));
    table_cards::has_foreign(play.board.iter().chain(of_hands))
        || layout.is_some_and(|layout| {
            play.irregularities.voided(layout) != Void::Nothing
                || play.dealt(layout).is_overdealt(has_ante)
        })
}

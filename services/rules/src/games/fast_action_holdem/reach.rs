//! Which cards decide which wager.

use super::checks::{DEALT, Recorded};
use super::settle::kept_sets;
use super::{Action, FastActionHoldem, PlayerHand, Wager, ranking};
use crate::games::shared::table_cards::{self, TableCard};
use crate::round::Round;
use crate::unseen::Reach;

pub(super) fn decided_by(round: &Round<FastActionHoldem>, wager: &Wager) -> Reach {
    let play = &round.play;
    let mut hands = play.hands.iter();
    let own = hands.position(|hand| hand.seat == wager.seat);
    let recorded = Recorded::of(&play.irregularities);
    let is_void = is_void(round, &recorded) || recorded.void_seats.contains(&wager.seat);
    let Some(own) = own.filter(|_| !is_void) else {
        return Reach::Only(Vec::new());
    };
    let hand = &play.hands[own];
    let is_natural = |cards: &[TableCard]| ranking::is_natural(&table_cards::of_deck(cards));
    Reach::Only(match hand.action {
        Action::Surrender | Action::Pending => Vec::new(),
        // s.8(b): paid at once.
        Action::Natural if is_natural(&hand.cards) => vec![format!("hands[{own}].cards")],
        // s.8(h): whatever was kept.
        _ if is_natural(&play.dealer.cards) && is_set(hand) => vec!["dealer.cards".to_owned()],
        _ => vec![
            format!("hands[{own}]"),
            "dealer".to_owned(),
            "board".to_owned(),
        ],
    })
}

/// Are the pairs of the hand its own?
fn is_set(hand: &PlayerHand) -> bool {
    let pairs = if hand.action == Action::Split { 2 } else { 1 };
    hand.cards.len() >= DEALT && kept_sets(hand, pairs).is_some()
}

/// Is the round void, whatever the unseen cards are?
fn is_void(round: &Round<FastActionHoldem>, recorded: &Recorded) -> bool {
    let play = &round.play;
    let of_hands = play.hands.iter().flat_map(|hand| &hand.cards);
    let dealt = play.dealer.cards.iter().chain(&play.board).chain(of_hands);
    recorded.all_void || play.dealer.cards.len() != DEALT || table_cards::has_foreign(dealt)
}

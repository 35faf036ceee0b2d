//! DJ Wild: five cards of a deck of 53 against the dealer's five, deuces and the joker wild.

use catwalk_rules::{Verdict, games};

use super::causes::Cause;
use super::laid::{Felt, Laid};
use super::order::Order;
use super::{BY_SEAT, Form, Stud, settle};

pub(crate) static DJ_WILD: Stud = Stud {
    game: "dj_wild",
    laid: Laid::new(|| Felt::of("dj_wild")),
    // One card that is seen too early is not the hand that the dealer turns over.
    up_cards: 1,
    late: "wager.late",
    form: Form::BySeat,
    keys: BY_SEAT,
    burns: false,
    settle: settle::<games::DjWild>,
    order: &[
        Order::DealAfterTheCall,
        Order::NoCash,
        Order::Deal {
            house_may_lead: false,
        },
        Order::Lives {
            kind: "two_way_bad_beat",
            cards: 1,
            code: "wager.folded_badbeat_taken",
        },
        Order::DealerHidden,
    ],
    causes: &[Cause {
        code: "dj.wild_natural_column",
        kinds: &["trips"],
        when: |case| case.is(Verdict::Win) && case.is_paid_by_other_column(),
    }],
    limits_hand: true,
    best: None,
    prizes: None,
};

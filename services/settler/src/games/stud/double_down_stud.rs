//! Double down stud: one own card and four common ones, the first of them hidden until the second call.

use catwalk_rules::{Verdict, games};

use super::causes::Cause;
use super::laid::{Felt, Laid};
use super::order::Order;
use super::{BY_SEAT, Form, Stud, settle};

pub(crate) static DOUBLE_DOWN_STUD: Stud = Stud {
    game: "double_down_stud",
    laid: Laid::new(|| Felt::of("double_down_stud")),
    up_cards: 3,
    late: "wager.late",
    form: Form::BySeat,
    keys: BY_SEAT,
    burns: false,
    settle: settle::<games::DoubleDownStud>,
    order: &[
        Order::DealAfterTheCall,
        Order::NoCash,
        Order::Deal {
            house_may_lead: false,
        },
        Order::FirstCardDown,
        Order::HoleCardsHidden,
        Order::DoubleAfterDeal(4),
    ],
    causes: &[PUSH_SETTLED],
    limits_hand: true,
    best: None,
    prizes: None,
};

/// A pair of sixes to tens was collected or paid.
pub(super) const PUSH_SETTLED: Cause = Cause {
    code: "payout.push_settled",
    kinds: &[
        "bet",
        "double_down",
        "ante",
        "third_street",
        "fourth_street",
        "fifth_street",
    ],
    when: |case| case.is(Verdict::Push) && case.is_settled(),
};

//! Double down stud: one own card and four common ones, the first of them hidden until the second call.

use catwalk_rules::Verdict;

use super::causes::{Cause, PayoutLimit};
use super::order::Order;
use super::table::has_with;
use super::{Form, Stud};

pub(crate) static DOUBLE_DOWN_STUD: Stud = Stud {
    game: "double_down_stud",
    main: "bet",
    hand: 1,
    board: false,
    up_cards: 3,
    later: &["double_down"],
    multiple: None,
    late: "wager.late",
    form: Form::BySeat,
    needs_hand: |round, seat, _| has_with(round, seat, &["bet"], &[]),
    needs_house: |_| true,
    keys: &["players"],
    meters: &[],
    stake_stays: &[],
    irregularities: &[
        "hole_card_exposed",
        "face_up_card",
        "card_drawn_in_error",
        "card_count",
        "shuffler_failure",
        "deck_count",
    ],
    voiding: &["hole_card_exposed", "card_count"],
    face_up_voids: 2,
    order: &[
        Order::Deal {
            house_may_lead: false,
        },
        Order::FirstCardDown,
        Order::HoleCardsHidden,
        Order::DoubleAfterDeal(4),
    ],
    causes: &[PUSH_SETTLED],
    limit: Some(PayoutLimit {
        option: "payout_limit",
        default: Some(10_000_000),
        kinds: &["bet", "double_down"],
        counted: &[],
        per_hand: true,
        best: None,
    }),
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

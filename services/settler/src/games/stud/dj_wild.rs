//! DJ Wild: five cards of a deck of 53 against the dealer's five, deuces and the joker wild.

use catwalk_rules::Verdict;

use super::causes::{Cause, PayoutLimit};
use super::let_it_ride::BOARD_IRREGULARITIES;
use super::order::Order;
use super::table::{has_any, has_with};
use super::{Form, Stud};

pub(crate) static DJ_WILD: Stud = Stud {
    game: "dj_wild",
    main: "ante",
    hand: 5,
    board: false,
    // One card that is seen too early is not the hand that the dealer turns over.
    up_cards: 1,
    later: &["play"],
    multiple: Some(2),
    late: "wager.late",
    form: Form::BySeat,
    needs_hand: |round, seat, _| {
        has_with(
            round,
            seat,
            &["play", "two_way_bad_beat"],
            &["ante", "blind"],
        )
    },
    needs_house: |round| has_any(round, &["play", "two_way_bad_beat"]),
    keys: &["abandoned"],
    meters: &[],
    stake_stays: &[],
    irregularities: BOARD_IRREGULARITIES,
    voiding: &["card_count", "deck_count", "shoe_failure"],
    face_up_voids: 1,
    order: &[
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
    limit: Some(PayoutLimit {
        option: "payout_limit",
        default: Some(5_000_000),
        kinds: &["blind", "trips", "two_way_bad_beat"],
        counted: &[],
        per_hand: true,
        best: None,
    }),
    prizes: None,
};

//! Let it ride: three equal bets, of which two may be taken back before the board is open.

use super::causes::{Cause, PayoutLimit};
use super::order::Order;
use super::prizes::{Prizes, Turn};
use super::table::has_with;
use super::{Form, Stud};

pub(crate) static LET_IT_RIDE: Stud = Stud {
    game: "let_it_ride",
    main: "bet_1",
    hand: 3,
    board: true,
    up_cards: 0,
    later: &[],
    multiple: None,
    late: "wager.late",
    form: Form::BySeat,
    needs_hand: |round, seat, _| has_with(round, seat, &["bet_1"], &["bet_2", "bet_3"]),
    needs_house: |_| true,
    keys: &["burned", "decisions", "abandoned", "ruled_valid", "players"],
    meters: &[("progressive", &["progressive"])],
    stake_stays: &["progressive", "let_it_ride_bonus"],
    irregularities: BOARD_IRREGULARITIES,
    voiding: BOARD_VOIDING,
    face_up_voids: 2,
    order: &[
        Order::Deal {
            house_may_lead: false,
        },
        Order::BoardLeftToRight,
        Order::Chips {
            kinds: &["let_it_ride_bonus"],
            code: "bonus.count_mismatch",
        },
        Order::Identification,
    ],
    causes: &[Cause {
        code: "payout.withdrawn_bet_paid",
        kinds: &["bet_1", "bet_2"],
        when: |case| case.withdrawn && case.is_settled(),
    }],
    limit: Some(PayoutLimit {
        option: "payout_limit",
        default: None,
        kinds: &["bet_1", "bet_2", "bet_3"],
        counted: &[],
        per_hand: true,
        best: None,
    }),
    prizes: Some(Prizes {
        envy_missed: Some("progressive.envy_error"),
        envy_undue: "progressive.envy_error",
        order: Some(Turn::AsDealt("progressive.meter_mismatch")),
        from_tray: None,
        own_system: false,
    }),
};

/// What can go wrong in a game with a board.
pub(super) const BOARD_IRREGULARITIES: &[&str] = &[
    "face_up_card",
    "card_drawn_in_error",
    "card_count",
    "deck_count",
    "shoe_failure",
    "shuffler_failure",
];

/// What of it voids the round.
pub(super) const BOARD_VOIDING: &[&str] = &["card_count", "deck_count", "shoe_failure"];

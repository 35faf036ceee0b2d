//! Mississippi stud: two own cards, three of the board, a wager on each street.

use catwalk_rules::Verdict;

use super::causes::{Cause, PayoutLimit};
use super::double_down_stud::PUSH_SETTLED;
use super::four_card_poker::FOLDED_PAID;
use super::let_it_ride::{BOARD_IRREGULARITIES, BOARD_VOIDING};
use super::order::Order;
use super::prizes::{Prizes, Turn};
use super::table::{has_any, has_with};
use super::{Form, Stud};

pub(crate) static MISSISSIPPI_STUD: Stud = Stud {
    game: "mississippi_stud",
    main: "ante",
    hand: 2,
    board: true,
    up_cards: 0,
    later: &["third_street", "fourth_street", "fifth_street"],
    multiple: None,
    late: "wager.late",
    form: Form::BySeat,
    needs_hand: |round, seat, _| has_with(round, seat, &["fifth_street"], &["ante"]),
    needs_house: |round| has_any(round, &["fifth_street", "three_card_bonus"]),
    keys: &["burned", "abandoned", "players"],
    meters: &[("progressive", &["progressive"])],
    stake_stays: &["progressive"],
    irregularities: BOARD_IRREGULARITIES,
    voiding: BOARD_VOIDING,
    face_up_voids: 2,
    order: &[
        Order::Deal {
            house_may_lead: false,
        },
        Order::BoardAfterDecisions,
        Order::Lives {
            kind: "three_card_bonus",
            cards: 3,
            code: "wager.folded_bonus_taken",
        },
        Order::Identification,
    ],
    causes: &[
        PUSH_SETTLED,
        FOLDED_PAID,
        Cause {
            code: "wager.fold_not_collected",
            kinds: &["ante", "third_street", "fourth_street", "fifth_street"],
            when: |case| case.folded && case.is(Verdict::Lose) && case.wager.collected.is_none(),
        },
    ],
    limit: Some(PayoutLimit {
        option: "payout_limit",
        default: None,
        kinds: &[
            "ante",
            "third_street",
            "fourth_street",
            "fifth_street",
            "three_card_bonus",
        ],
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

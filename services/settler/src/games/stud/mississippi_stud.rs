//! Mississippi stud: two own cards, three of the board, a wager on each street.

use catwalk_rules::{Verdict, games};

use super::causes::Cause;
use super::double_down_stud::PUSH_SETTLED;
use super::four_card_poker::FOLDED_PAID;
use super::laid::{Felt, Laid};
use super::order::Order;
use super::prizes::{Prizes, Turn};
use super::{BY_SEAT, Form, Stud, settle};

pub(crate) static MISSISSIPPI_STUD: Stud = Stud {
    game: "mississippi_stud",
    laid: Laid::new(|| Felt::of("mississippi_stud")),
    up_cards: 0,
    late: "wager.late",
    form: Form::BySeat,
    keys: BY_SEAT,
    burns: true,
    settle: settle::<games::MississippiStud>,
    order: &[
        Order::NoCash,
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
    limits_hand: true,
    best: None,
    prizes: Some(Prizes {
        envy_missed: Some("progressive.envy_error"),
        envy_undue: "progressive.envy_error",
        order: Some(Turn::AsDealt("progressive.meter_mismatch")),
        from_tray: None,
        own_system: false,
    }),
};

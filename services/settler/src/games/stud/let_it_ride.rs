//! Let it ride: three equal bets, of which two may be taken back before the board is open.

use catwalk_rules::games;

use super::causes::Cause;
use super::laid::{Felt, Laid};
use super::order::Order;
use super::prizes::{Prizes, Turn};
use super::{BY_SEAT, Form, Stud, settle};

pub(crate) static LET_IT_RIDE: Stud = Stud {
    game: "let_it_ride",
    laid: Laid::new(|| Felt::of("let_it_ride")),
    up_cards: 0,
    late: "wager.late",
    form: Form::BySeat,
    keys: BY_SEAT,
    burns: true,
    settle: settle::<games::LetItRide>,
    order: &[
        Order::DealAfterTheCall,
        Order::NoCash,
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

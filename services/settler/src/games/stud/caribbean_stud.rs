//! Caribbean stud: five cards against the dealer's five, of which the first is open.

use catwalk_rules::{Verdict, games};

use super::causes::Cause;
use super::laid::{Felt, Laid};
use super::order::Order;
use super::prizes::{Prizes, Turn};
use super::{BY_SEAT, Form, Stud, settle};

pub(crate) static CARIBBEAN_STUD: Stud = Stud {
    game: "caribbean_stud",
    laid: Laid::new(|| Felt::of("caribbean_stud")),
    // One hole card that is seen too early is not the hand that the dealer turns over.
    up_cards: 2,
    late: "wager.late",
    form: Form::BySeat,
    keys: BY_SEAT,
    burns: false,
    settle: settle::<games::CaribbeanStud>,
    order: &[
        Order::DealAfterTheCall,
        Order::NoCash,
        Order::Deal {
            house_may_lead: false,
        },
        Order::FirstCardUp,
        Order::HoleCardsHidden,
        Order::BetAfterFold,
        Order::Chips {
            kinds: &[
                "progressive",
                "five_card_bonus_player",
                "five_card_bonus_dealer",
            ],
            code: "progressive.count_mismatch",
        },
    ],
    causes: &[
        // Without a qualifying hand of the dealer the ante wins and the bet is returned.
        Cause {
            code: "caribbean.unqualified_bet_settled",
            kinds: &["bet"],
            when: |case| {
                let unqualified =
                    case.is(Verdict::Push) && case.other("ante") == Some(Verdict::Win);
                unqualified && case.is_settled()
            },
        },
    ],
    limits_hand: false,
    best: None,
    prizes: Some(Prizes {
        envy_missed: None,
        envy_undue: "caribbean.envy_wrong",
        order: Some(Turn::FromTheLast("settle.order")),
        from_tray: Some("progressive.paid_from_tray"),
        own_system: true,
    }),
};

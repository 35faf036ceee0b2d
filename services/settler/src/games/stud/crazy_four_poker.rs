//! Crazy four poker: an ante and an equal super bonus buy five cards, the best four play.

use catwalk_rules::{Verdict, games};

use super::causes::{Cause, PLAYED_ON};
use super::four_card_poker::{CHIP_BACK, FOLDED_PAID};
use super::laid::{Felt, Laid};
use super::order::Order;
use super::prizes::{Prizes, Turn};
use super::{Form, Stud, settle};

pub(crate) static CRAZY_FOUR_POKER: Stud = Stud {
    game: "crazy_four_poker",
    laid: Laid::new(|| Felt::of("crazy_four_poker")),
    up_cards: 0,
    late: "wager.play_late",
    form: Form::Listed,
    keys: &[],
    burns: false,
    settle: settle::<games::CrazyFourPoker>,
    order: &[
        Order::Identification,
        Order::Deal {
            house_may_lead: false,
        },
        Order::Decisions,
        Order::NoCash,
        Order::Settlement,
    ],
    causes: &[
        PLAYED_ON,
        FOLDED_PAID,
        CHIP_BACK,
        // Without a qualifying hand of the dealer the play wager wins and the ante is returned.
        Cause {
            code: "payout.ante_paid_no_qualify",
            kinds: &["ante"],
            when: |case| {
                let unqualified =
                    case.is(Verdict::Push) && case.other("play") == Some(Verdict::Win);
                unqualified && case.wager.paid.is_positive()
            },
        },
        Cause {
            code: "payout.super_bonus_swept",
            kinds: &["super_bonus"],
            when: |case| {
                let kept = case.is(Verdict::Win) || case.is(Verdict::Push);
                kept && case.wager.collected.is_some()
            },
        },
        Cause {
            code: "payout.queens_up_after_fold",
            kinds: &["queens_up"],
            when: |case| case.folded && case.is_given(),
        },
    ],
    limits_hand: false,
    best: Some([
        &["AS", "AH", "AD", "AC", "QS"],
        &["KH", "JD", "9C", "7H", "5D"],
    ]),
    prizes: Some(Prizes {
        envy_missed: Some("payout.envy_missed"),
        envy_undue: "envy.own_hand_paid",
        order: Some(Turn::AsDealt("progressive.order")),
        from_tray: None,
        own_system: false,
    }),
};

//! Three card poker: three cards against the dealer's three, in three editions.

use catwalk_rules::{Verdict, games};

use super::causes::{Cause, PLAYED_ON};
use super::four_card_poker::{CHIP_BACK, FOLDED_PAID};
use super::laid::{Felt, Laid};
use super::order::Order;
use super::prizes::Prizes;
use super::{Form, Stud, settle};

pub(crate) static THREE_CARD_POKER: Stud = Stud {
    game: "three_card_poker",
    laid: Laid::new(|| Felt::of("three_card_poker")),
    up_cards: 0,
    late: "wager.play_late",
    form: Form::Listed,
    keys: &["independent_wagers_stand"],
    burns: false,
    settle: settle::<games::ThreeCardPoker>,
    order: &[
        Order::Identification,
        Order::DealAfterTheCall,
        // The dealer's stack is the first of an automated shoe in 9.B of the Ohio text.
        Order::Deal {
            house_may_lead: true,
        },
        Order::Decisions,
        Order::NoCash,
        Order::Lock,
        Order::Settlement,
        Order::ForfeitedCards,
    ],
    causes: &[
        PLAYED_ON,
        FOLDED_PAID,
        CHIP_BACK,
        Cause {
            code: "payout.bonus_missed",
            kinds: &["ante"],
            when: |case| {
                let not_won = case.is(Verdict::Lose) || case.is(Verdict::Push);
                not_won && case.due.win.is_positive() && !case.wager.paid.is_positive()
            },
        },
        Cause {
            code: "payout.fold_pair_plus",
            kinds: &["pair_plus"],
            when: |case| {
                let swept = case.is(Verdict::Win) && case.wager.collected.is_some();
                case.folded
                    && if case.is_ohio() {
                        case.is_given()
                    } else {
                        swept
                    }
            },
        },
        Cause {
            code: "payout.six_card_swept",
            kinds: &["six_card_bonus"],
            when: |case| case.folded && case.is(Verdict::Win) && case.wager.collected.is_some(),
        },
    ],
    limits_hand: true,
    best: Some([&["AS", "KS", "QS"], &["JS", "TS", "JC"]]),
    prizes: Some(Prizes {
        envy_missed: Some("payout.envy_missed"),
        envy_undue: "envy.own_hand_paid",
        order: None,
        from_tray: None,
        own_system: false,
    }),
};

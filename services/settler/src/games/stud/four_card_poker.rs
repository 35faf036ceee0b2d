//! Four card poker: the best four of five against the dealer's best four of six.

use catwalk_rules::{Verdict, games};

use super::causes::{Cause, PLAYED_ON};
use super::laid::{Felt, Laid};
use super::order::Order;
use super::prizes::{Prizes, Turn};
use super::{Form, Stud, settle};

pub(crate) static FOUR_CARD_POKER: Stud = Stud {
    game: "four_card_poker",
    laid: Laid::new(|| Felt::of("four_card_poker")),
    up_cards: 1,
    late: "wager.play_late",
    form: Form::Listed,
    keys: &[],
    burns: false,
    settle: settle::<games::FourCardPoker>,
    order: &[
        Order::Identification,
        Order::DealAfterTheCall,
        Order::Deal {
            house_may_lead: false,
        },
        Order::LastCardUp,
        Order::Decisions,
        Order::NoCash,
        Order::Settlement,
    ],
    causes: &[
        PLAYED_ON,
        FOLDED_PAID,
        CHIP_BACK,
        // Equal hands are the player's (12.A.i).
        Cause {
            code: "payout.tie_not_paid",
            kinds: &["ante", "play"],
            when: |case| case.is(Verdict::Win) && !case.is_over() && case.is_tie_of_four(),
        },
        Cause {
            code: "payout.bonus_missed",
            kinds: &["ante"],
            when: |case| {
                let lost = case.is(Verdict::Lose);
                lost && case.due.win.is_positive() && !case.wager.paid.is_positive()
            },
        },
        Cause {
            code: "payout.aces_up_after_fold",
            kinds: &["aces_up"],
            when: |case| case.folded && case.is_given(),
        },
    ],
    limits_hand: false,
    best: Some([
        &["AS", "AH", "AD", "AC", "KS"],
        &["QH", "JD", "9C", "7H", "5D", "3C"],
    ]),
    prizes: Some(Prizes {
        envy_missed: Some("payout.envy_missed"),
        envy_undue: "envy.own_hand_paid",
        order: Some(Turn::AsDealt("progressive.order")),
        from_tray: None,
        own_system: false,
    }),
};

pub(super) const FOLDED_PAID: Cause = Cause {
    code: "progressive.folded_paid",
    kinds: &["progressive"],
    // Envy goes to who folded as well: with it a chip may be handed back.
    when: |case| {
        let paid = case.wager.paid.is_positive() && case.wager.pushed.is_none();
        case.folded && case.is_over() && paid && !case.do_folds_qualify()
    },
};

/// The chip of a progressive wager stays with the house, won or lost. One that goes back beside the prize and
/// nothing else is called so by what was paid.
pub(super) const CHIP_BACK: Cause = Cause {
    code: "progressive.stake_returned",
    kinds: &["progressive"],
    when: |case| {
        let with_prize = case.wager.paid.is_positive() && case.exposure == case.wager.amount;
        case.wager.pushed.is_some() && case.is_over() && !with_prize
    },
};

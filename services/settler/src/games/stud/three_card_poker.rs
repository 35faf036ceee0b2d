//! Three card poker: three cards against the dealer's three, in three editions.

use catwalk_rules::Verdict;

use super::causes::{Cause, PLAYED_ON, PayoutLimit};
use super::four_card_poker::{CHIP_BACK, IRREGULARITIES, VOIDING};
use super::order::Order;
use super::prizes::Prizes;
use super::table::{at, has_any};
use super::{Form, Stud};
use crate::round::RoundFold;

pub(crate) static THREE_CARD_POKER: Stud = Stud {
    game: "three_card_poker",
    main: "ante",
    hand: 3,
    board: false,
    up_cards: 0,
    later: &["play"],
    multiple: None,
    late: "wager.play_late",
    form: Form::Listed,
    needs_hand,
    needs_house: |round| has_any(round, &["play", "six_card_bonus", "cover_all"]),
    keys: &["independent_wagers_stand"],
    meters: &[("progressive", &["progressive"])],
    stake_stays: &["progressive"],
    irregularities: IRREGULARITIES,
    voiding: VOIDING,
    face_up_voids: 2,
    order: &[
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
    limit: Some(PayoutLimit {
        option: "max_payout",
        default: None,
        kinds: &["six_card_bonus"],
        counted: &["ante", "play", "pair_plus"],
        per_hand: true,
        best: Some([&["AS", "KS", "QS"], &["JS", "TS", "JC"]]),
    }),
    prizes: Some(Prizes {
        envy_missed: Some("payout.envy_missed"),
        envy_undue: "envy.own_hand_paid",
        order: None,
        from_tray: None,
        own_system: false,
    }),
};

/// A folded hand lives on for the wagers that do not die with it, and a hand given up unexposed for
/// none.
fn needs_hand(round: &RoundFold, seat: u32, decision: Option<&str>) -> bool {
    let ohio = round.rules.edition.starts_with("oh-");
    let is_at = |kind| at(round, seat, kind).is_some();
    let qualifies = round.rules.option("progressive_folded_qualify");
    match decision {
        Some("forfeit" | "abandoned") => false,
        Some("fold") => {
            is_at("six_card_bonus")
                || is_at("pair_plus") && !ohio
                || has_any(round, &["cover_all"])
                || qualifies.is_some_and(|on| on == true) && has_any(round, &["progressive"])
        }
        _ => true,
    }
}

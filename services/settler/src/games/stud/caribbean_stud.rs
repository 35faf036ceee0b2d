//! Caribbean stud: five cards against the dealer's five, of which the first is open.

use catwalk_rules::Verdict;

use super::causes::{Cause, PayoutLimit};
use super::order::Order;
use super::prizes::{Prizes, Turn};
use super::table::{has_any, has_with};
use super::{Form, Stud};

pub(crate) static CARIBBEAN_STUD: Stud = Stud {
    game: "caribbean_stud",
    main: "ante",
    hand: 5,
    board: false,
    // One hole card that is seen too early is not the hand that the dealer turns over.
    up_cards: 2,
    later: &["bet"],
    multiple: Some(2),
    late: "wager.late",
    form: Form::BySeat,
    needs_hand: |round, seat, _| {
        has_with(round, seat, &["bet", "five_card_bonus_player"], &["ante"])
    },
    needs_house: |round| has_any(round, &["bet", "five_card_bonus_dealer"]),
    keys: &["players"],
    meters: &[
        ("progressive", &["progressive"]),
        (
            "five_card_bonus",
            &["five_card_bonus_player", "five_card_bonus_dealer"],
        ),
    ],
    stake_stays: &[
        "progressive",
        "five_card_bonus_player",
        "five_card_bonus_dealer",
    ],
    irregularities: &[
        "face_up_card",
        "card_drawn_in_error",
        "card_count",
        "deck_count",
        "stub_misdeal",
        "hole_card_exposed",
        "shoe_failure",
        "shuffler_failure",
    ],
    voiding: &[
        "card_count",
        "deck_count",
        "stub_misdeal",
        "hole_card_exposed",
        "shoe_failure",
    ],
    face_up_voids: 2,
    order: &[
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
    limit: Some(PayoutLimit {
        option: "bet_payout_limit",
        default: Some(500_000),
        kinds: &["bet"],
        counted: &[],
        per_hand: false,
        best: None,
    }),
    prizes: Some(Prizes {
        envy_missed: None,
        envy_undue: "caribbean.envy_wrong",
        order: Some(Turn::FromTheLast("settle.order")),
        from_tray: Some("progressive.paid_from_tray"),
        own_system: true,
    }),
};

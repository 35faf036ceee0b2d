//! The stakes of a round are conserved, whatever is wagered and dealt.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{TABLE, round};
use crate::floor::Card;
use crate::settlement::Verdict;

/// One bank in seat 5, at any place among up to a dozen wagers against it.
fn any_wagers() -> impl Strategy<Value = Value> {
    let amount = prop_oneof![1i64..50_000, Just(30_000), Just(100_000_000_000)];
    let kind = prop::sample::select(vec!["banco_suivi", "banco", "punt"]);
    let against = prop::collection::vec((1u16..10, kind, amount.clone()), 0..12);
    (amount, 0usize..12, against).prop_map(|(bank, place, against)| {
        let mut wagers: Vec<_> = (against.into_iter().enumerate())
            .map(|(index, (seat, kind, amount))| (index.to_string(), seat, kind, amount))
            .collect();
        wagers.insert(place.min(wagers.len()), ("bank".into(), 5, "bank", bank));
        let wager = |(id, seat, kind, amount)| json!({"id": id, "seat": seat, "kind": kind, "amount": amount});
        wagers.into_iter().map(wager).collect()
    })
}

/// Any cards, with or without an announcement, a misdeal or a past.
fn any_play() -> impl Strategy<Value = Value> {
    let card = || (0u8..52).prop_map(|index| Card::from_index(index).unwrap().to_string());
    let hand = || prop::collection::vec(card(), 2..6);
    let decision = prop::option::of(prop::sample::select(vec!["card", "stay", "natural"]));
    let misdeals = vec![
        "wrong_order",
        "banker_extra_initial",
        "player_three_initial",
        "banker_two_third",
        "face_up_card_in_last_hand",
    ];
    let irregularity = prop::option::weighted(0.3, prop::sample::select(misdeals));
    let prior = |seat| json!({"kind": "continuing", "last_bank": 20_000, "suivi_seat": seat});
    let prior = prop::option::of((1u16..10).prop_map(prior));
    (hand(), hand(), decision, irregularity, prior).prop_map(
        |(player, banker, decision, irregularity, prior)| {
            let (of_player, of_banker) = (player.len(), banker.len());
            // A misdeal that the cards contradict is refused.
            let irregularity = irregularity.filter(|told| match *told {
                "banker_extra_initial" => of_banker >= 3 && of_player <= 3,
                "player_three_initial" => of_player == 3 && of_banker <= 3,
                "banker_two_third" => of_banker == 4,
                _ => true,
            });
            json!({"player": player, "banker": banker, "decision": decision,
                   "irregularity": irregularity, "prior": prior})
        },
    )
}

fn any_round() -> impl Strategy<Value = Value> {
    let percent = prop::sample::select(vec![4, 5]);
    let rounding = prop::sample::select(vec!["exact", "up"]);
    (percent, rounding, any_wagers(), any_play()).prop_map(|(percent, rounding, wagers, play)| {
        let options = json!({"vigorish_percent": percent, "vigorish_rounding": rounding});
        round(options, wagers, play)
    })
}

proptest! {
    /// The house banks nothing: what was staked goes back to the participants, less the vigorish,
    /// and that is charged to the Banker alone, on what the others lost to him.
    #[test]
    fn the_stakes_of_a_round_are_conserved(document in any_round()) {
        let settlement = TABLE.settle(&document);
        let staked: i64 = document["wagers"].as_array().unwrap().iter()
            .map(|wager| wager["amount"].as_i64().unwrap()).sum();
        let rows = settlement.wagers();
        let returned: i64 = rows.iter().map(|row| row.returned.get()).sum();
        let commission: i64 = rows.iter().map(|row| row.commission.get()).sum();
        prop_assert_eq!(staked, returned + commission);

        let (bank, others): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.id.as_str() == "bank");
        prop_assert!(others.iter().all(|row| row.commission.get() == 0));
        prop_assert!(rows.iter().all(|row| row.returned.get() >= 0));
        // One side wins: what one gains before vigorish the other loses.
        let net = |row: &crate::Settled| {
            let wagers = document["wagers"].as_array().unwrap();
            let wager = wagers.iter().find(|wager| wager["id"] == row.id.as_str()).unwrap();
            row.returned.get() + row.commission.get() - wager["amount"].as_i64().unwrap()
        };
        prop_assert_eq!(net(bank[0]), -others.iter().map(|row| net(row)).sum::<i64>());
        prop_assert!(others.iter().all(|row| net(row).signum() * net(bank[0]).signum() <= 0));
        prop_assert_eq!(bank[0].win.get() > 0, bank[0].result == Verdict::Win);
    }
}

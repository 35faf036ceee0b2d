//! What of a round can decide a wager of blackjack.

use super::{Blackjack, Kind, TableBox, Wager};
use crate::Edition;
use crate::floor::Seat;
use crate::games::shared::blackjack::{Looks, Sight, VoidRound};
use crate::round::Round;
use crate::unseen::Reach;

pub(super) fn decided_by(round: &Round<Blackjack>, wager: &Wager) -> Reach {
    let play = &round.play;
    let sight = Sight {
        boxes: play.boxes.iter().map(TableBox::record).collect(),
        void_round: play.void_round,
        several_hands: !play.dealer.hands.is_empty(),
    };
    let own = |looks: &[Looks]| sight.of_box(wager.seat, looks);
    let took_even_money = || {
        play.boxes
            .iter()
            .any(|one| one.even_money.contains(&wager.id))
    };
    match wager.kind {
        Kind::Main | Kind::Split | Kind::Double => {
            let surrender_ends = round.edition != Edition::OhJack2017 && !took_even_money();
            sight.of_hand(wager, surrender_ends)
        }
        Kind::Insurance => sight.of_insurance(wager, &[]),
        Kind::Progressive | Kind::OptionalBonus if play.void_round == Some(VoidRound::Hands) => {
            Reach::Only(Vec::new())
        }
        Kind::Over13 | Kind::Under13 | Kind::BetTheSet => own(&[Looks::FirstCards]),
        Kind::BlackjackBonus if wager.bonus_display.is_some() => own(&[Looks::FirstCards]),
        Kind::BlackjackBonus => own(&[Looks::FirstCards, Looks::Display]),
        // The crown treasure of Ohio asks for the dealer's cards too.
        Kind::RoyalMatch if round.edition != Edition::OhJack2017 => own(&[Looks::FirstCards]),
        Kind::RoyalMatch | Kind::KingsBounty => own(&[Looks::FirstCards, Looks::DealersFirst]),
        Kind::SuperSevens => own(&[Looks::Box]),
        Kind::MatchTheDealer | Kind::Trilux => own(&[Looks::FirstCards, Looks::UpCard]),
        Kind::OptionalBonus => own(&[Looks::Dealer]),
        Kind::Streak2 | Kind::Streak3 | Kind::Streak4 | Kind::Streak5 => {
            own(&[Looks::Box, Looks::Dealer])
        }
        // 24(h): what the top row pays may be shared.
        Kind::TwentyPointBonus => {
            let looks = [Looks::FirstCards, Looks::DealersFirst];
            match round.options.twenty_point_aggregate_max {
                Some(_) => sight.of_boxes(seats_of(round, wager.kind), &looks),
                None => own(&looks),
            }
        }
        // 19(h), progressives 6.A.i: the winners of a round share the meter.
        Kind::Progressive => on_meter(sight.of_boxes(seats_of(round, wager.kind), &[Looks::Box])),
        Kind::BlazingSevens => {
            let looks = [Looks::FirstCards, Looks::UpCard];
            on_meter(sight.of_boxes(seats_of(round, wager.kind), &looks))
        }
    }
}

fn seats_of(round: &Round<Blackjack>, kind: Kind) -> impl Iterator<Item = Seat> {
    let wagers = round.wagers.iter();
    wagers
        .filter(move |wager| wager.kind == kind)
        .map(|wager| wager.seat)
}

fn on_meter(cards: Reach) -> Reach {
    match cards {
        Reach::Only(mut places) => {
            places.push("meters.progressive".to_owned());
            Reach::Only(places)
        }
        Reach::Everything => Reach::Everything,
    }
}

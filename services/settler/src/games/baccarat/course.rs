//! The course of a hand: what only the order of its events shows.

use catwalk_events::body::{Body, CardPlace};
use catwalk_rules::Edition;
use catwalk_rules::floor::Cents;

use super::{hand, knows};
use crate::fault::Fault;
use crate::games::Scene;
use crate::round::{RoundFold, WagerFold};

/// Player, Banker, Player, Banker; then the Player's third card before the Banker's.
pub(super) fn check_deal_order(scene: &Scene<'_>, to: CardPlace, faults: &mut Vec<Fault>) {
    const CODE: &str = "baccarat.wrong_deal_order";
    let of = |place| hand(scene.round, place).len();
    let (player, banker) = (of(CardPlace::Player), of(CardPlace::Banker));
    let is_due = match (player + banker, to) {
        (0 | 2, to) => to == CardPlace::Player,
        (1 | 3, to) => to == CardPlace::Banker,
        (_, CardPlace::Player) => banker <= 2 || player > 2,
        _ => true,
    };
    if !is_due && scene.is_fresh(CODE) {
        let card = player + banker + 1;
        let message = format!("Card {card} of the hand went to the wrong side");
        faults.push(Fault::new(CODE, scene.shown_by_play(), message));
    }
}

/// House Money is settled before any third card. To give it back, or to undo or complete what was paid in
/// time, is not to settle it.
pub(super) fn check_house_money(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    let is_due = |wager: &&WagerFold| wager.kind == "house_money" && !wager.is_touched();
    let Some(wager) = touched(scene).filter(is_due) else {
        return;
    };
    let offered = scene.round.rules.option("house_money");
    let is_given_back = matches!(scene.body, Body::WagerPushed(_))
        || offered.is_some_and(|offered| offered == false);
    if is_given_back {
        return;
    }
    let thirds = |place| hand(scene.round, place).len() > 2;
    if thirds(CardPlace::Player) || thirds(CardPlace::Banker) {
        let message = "House Money was settled after a third card".to_owned();
        let evidence = [wager.evidence.as_slice(), &[scene.seq]].concat();
        let fault = Fault::new("house_money.settled_late", evidence, message);
        faults.push(fault.of_wager(&wager.id));
    }
}

/// At a table that takes no commission at all.
const CHARGED: &str = "commission.charged";

/// Vigorish is taken on Banker wagers alone, and on those not where the table has none.
pub(super) fn check_commission(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    let taken = match scene.body {
        Body::WagerPaid(paid) => paid.commission.unwrap_or_default(),
        Body::CommissionCollected(collected) => collected.amount,
        _ => Cents::ZERO,
    };
    let Some(wager) = touched(scene).filter(|_| taken.is_positive()) else {
        return;
    };
    let rules = &scene.round.rules;
    let is_on = |key| rules.option(key).is_some_and(|value| value == true);
    let code = match CHARGED {
        charged if knows(rules, charged) => charged,
        _ if is_on("ez_baccarat") || is_on("tournament") => "vigorish.on_side_bet",
        _ if on_banker(scene.round, wager) => return,
        _ => "vigorish.on_side_bet",
    };
    let message = format!(
        "Vigorish of {taken} was taken on {}, which owes none",
        wager.kind
    );
    let evidence = [wager.evidence.as_slice(), &[scene.seq]].concat();
    let fault = Fault {
        due: Some(Cents::ZERO),
        paid: Some(taken),
        ..Fault::new(code, evidence, message)
    };
    faults.push(fault.of_wager(&wager.id));
}

fn on_banker(round: &RoundFold, wager: &WagerFold) -> bool {
    let on = wager.on.as_deref().and_then(|on| round.wager(on));
    wager.kind == "banker"
        || wager.kind == "house_money_press" && on.is_some_and(|on| on.kind == "banker")
}

/// Losers are collected first; then winners are paid, from the highest seat down. Ohio settles a bonus
/// before the main wager, all of them first where the house does not go player by player; a bonus that
/// loses has all losers collected before anybody is paid. 16.C there
pub(super) fn check_order(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    const CODE: &str = "settle.order";
    let is_main_course = |wager: &WagerFold| wager.kind != "house_money";
    let Some(wager) = touched(scene).filter(|wager| is_main_course(wager)) else {
        return;
    };
    let others = || {
        let wagers = scene.round.wagers.iter();
        wagers.filter(|other| is_main_course(other) && other.id != wager.id)
    };
    let mut paid_before = others().filter(|other| other.paid.is_positive());
    let rules = &scene.round.rules;
    let is_ohio = rules.edition == Edition::OhJack2017.name();
    let per_player = rules.option("bonus_settlement_order");
    let per_player = is_ohio && per_player.is_some_and(|order| order == "per_player");
    let is_bonus = |wager: &WagerFold| is_ohio && BONUSES.contains(&wager.kind.as_str());
    let message = match scene.body {
        Body::WagerCollected(_) => {
            let a_bonus_lost =
                || others().any(|other| is_bonus(other) && other.collected.is_some());
            let together = is_bonus(wager) || a_bonus_lost();
            let has_bonuses = others().any(is_bonus);
            // Main wagers may wait for the bonuses, and where the house goes player by player for all
            // others, unless a bonus lost.
            let may_wait =
                |other: &WagerFold| has_bonuses && !together && (is_bonus(other) || per_player);
            if !paid_before.any(|other| !may_wait(other)) {
                return;
            }
            "A loser was collected after a winner had been paid"
        }
        // What is paid on top of an earlier payment puts it right.
        Body::WagerPaid(_) if !wager.paid.is_positive() => {
            let wrong = |other: &WagerFold| match (is_bonus(wager), is_bonus(other)) {
                (true, false) => !per_player || other.seat == wager.seat,
                (false, false) => !per_player && other.seat < wager.seat,
                // Bonuses go from the dealer's right, where the seats begin.
                (true, true) => !per_player && other.seat > wager.seat,
                (false, true) => false,
            };
            if !paid_before.any(wrong) {
                return;
            }
            "Winners were not paid in their order"
        }
        _ => return,
    };
    if scene.is_fresh(CODE) {
        let evidence = scene.round.wagers.iter().flat_map(|wager| &wager.evidence);
        let evidence = evidence.copied().chain([scene.seq]).collect();
        faults.push(Fault::new(CODE, evidence, message.to_owned()).of_wager(&wager.id));
    }
}

/// Wagers that Ohio settles before the main ones.
const BONUSES: [&str; 3] = ["dragon_bonus_player", "dragon_bonus_banker", "fortune_7"];

/// The wager that is paid, taken, left or charged.
fn touched<'a>(scene: &Scene<'a>) -> Option<&'a WagerFold> {
    let id = match scene.body {
        Body::WagerPaid(paid) => &paid.wager,
        Body::WagerCollected(collected) => &collected.wager,
        Body::WagerPushed(pushed) => &pushed.wager,
        Body::CommissionCollected(collected) => &collected.wager,
        _ => return None,
    };
    scene.round.wager(id)
}

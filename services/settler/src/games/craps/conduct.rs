//! What only the events of a craps table show: late bets, fees, and who has the dice.

use catwalk_events::Json;
use catwalk_events::body::{Body, Decision, Irregularity, WagerPlaced};
use catwalk_rules::book::Pay;
use catwalk_rules::floor::{Cents, Odds};
use serde_json::Value;

use super::course::{Course, GIVES, TAKES, THROWS, no_roll_reason};
use super::{Craps, carried_points, keys, placed, tournament};
use crate::fault::Fault;
use crate::games::{Scene, Vigorish, order};
use crate::round::{RoundFold, WagerFold};
use crate::table::RulesInForce;

/// No roll that somebody has to call. s.9(b), ma s.12.B
const BY_CALL: [&str; 4] = ["not_simultaneous", "short", "cheating", "improper"];
/// The same in the texts of Ohio alone; in Massachusetts such a roll is invalid by itself. s.9(a)
const BY_CALL_IN_OHIO: [&str; 3] = ["on_bank", "in_cup", "on_rail"];

/// Words of `irregularity` for what the house reports of itself and of its guests; `seat` and `wager` may
/// be in the detail.
const REPORTED: [(&str, &str); 9] = [
    ("call_bet", "wager.call_bet"),
    ("verbal_unconfirmed", "wager.verbal_unconfirmed"),
    ("on_button_missing", "craps.on_button_missing"),
    ("composite_not_split", "craps.composite_not_split"),
    ("dice_unattended", "dice.unattended"),
    ("fire_marker_wrong", "craps.fire_marker_wrong"),
    ("player_not_seated", "craps.player_not_seated"),
    ("no_tournament_bet", "craps.tournament_no_bet"),
    ("come_not_moved", "crapless.come_not_moved"),
];

/// Those who stand above the people of a table.
const ABOVE: [&str; 4] = ["floorperson", "supervisor", "pit_boss", "shift_manager"];

/// So many points of a fire bet are told to surveillance. s.12(a)6
const TOLD_POINTS: usize = 4;
const CALL_SURVEILLANCE: &str = "call_surveillance";

pub(super) fn see(game: &Craps, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    match scene.body {
        Body::WagerPlaced(wager) => {
            order::unconfirmed(scene, wager, faults);
            not_split(scene, wager, faults);
        }
        Body::CommissionCollected(taken) => {
            charge(game, scene, &taken.wager, taken.amount, When::Apart, faults);
        }
        Body::WagerPaid(paid) => {
            if let Some(taken) = paid.commission.filter(|taken| taken.is_positive()) {
                charge(game, scene, &paid.wager, taken, When::OnWin, faults);
            }
        }
        Body::Irregularity(irregularity) => {
            order::reported(scene, irregularity, &REPORTED, faults);
            no_roll_caller(scene, irregularity, faults);
        }
        Body::Decision(decision) => dice_offer(game, scene, decision, faults),
        Body::DiceRolled(_) => {
            same_shooter(game, scene, faults);
            fourth_point(game, scene, faults);
            tournament::idle_seats(scene, faults);
        }
        Body::RoundClosed(_) => fourth_point(game, scene, faults),
        _ => {}
    }
}

/// A horn high bet is taken as its parts where the layout has no area for it. s.2(t); ma s.3.A.xxi
fn not_split(scene: &Scene<'_>, placed: &WagerPlaced, faults: &mut Vec<Fault>) {
    let Some(Value::Array(areas)) = scene.round.rules.option("composite_areas") else {
        return;
    };
    if placed.kind == "horn_high" && !areas.iter().any(|area| area == "horn_high") {
        let message = "A horn high bet was booked whole, and the layout has no area for it";
        let code = "craps.composite_not_split";
        let fault = Fault::new(code, vec![scene.seq], message.to_owned());
        faults.push(fault.of_wager(&placed.wager).at_seat(placed.seat));
    }
}

/// A bet that is paid or taken before another roll was made when the dice had come to rest: it is one
/// of the roll before, and late. s.3(a)
pub(super) fn find_late(round: &mut RoundFold, faults: &mut Vec<Fault>) {
    let is_roll = |(_, body): &(u64, Body)| matches!(body, Body::DiceRolled(_));
    let Some(last) = round.play.iter().rposition(is_roll) else {
        return;
    };
    for wager in &mut round.wagers {
        let is_taken = wager.paid.is_positive() || wager.collected.is_some();
        if is_taken
            && !wager.late
            && !wager.carried
            && wager.judged.is_none()
            && wager.after_play > last
        {
            wager.late = true;
            wager.after_play = last;
            let message = format!(
                "{} on {} was made when the dice had come to rest, and settled by them",
                wager.amount, wager.kind
            );
            let fault = Fault::new("wager.late", wager.evidence.clone(), message);
            faults.push(fault.of_wager(&wager.id));
        }
    }
}

/// The fourth different point of a fire bet is told to surveillance before the next throw. s.12(a)6
fn fourth_point(game: &Craps, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    let round = scene.round;
    let mut said = round.play.iter().rev();
    let mut said = said
        .by_ref()
        .take_while(|(_, body)| !matches!(body, Body::DiceRolled(_)));
    let is_told = said.any(|(_, body)| {
        matches!(body, Body::Decision(decision) if decision.action == CALL_SURVEILLANCE)
    });
    if is_told || !is_massachusetts(round) || !scene.is_fresh("craps.fire_surveillance_call") {
        return;
    }
    let course = Course::of(game, round, scene.standing.read());
    let Some((last, throw)) = course.throws.iter().enumerate().next_back() else {
        return;
    };
    if throw.total.is_none() || throw.total != throw.point {
        return;
    }
    let points = |wager: &WagerFold, until: usize| {
        let made = course.points_made(placed(round, wager).unwrap_or_default());
        let made = made.filter(|(roll, _)| *roll < until);
        let mut points = carried_points(wager);
        points.extend(made.map(|(_, point)| u64::from(point)));
        points.len()
    };
    let mut fires = round.wagers.iter().filter(|wager| wager.kind == "fire");
    let is_fourth = |wager: &&WagerFold| {
        points(wager, last) < TOLD_POINTS && points(wager, last + 1) == TOLD_POINTS
    };
    if let Some(fire) = fires.find(is_fourth) {
        let message = "The fourth point of a fire bet was made, and surveillance was not told";
        let evidence = [fire.evidence.as_slice(), &[scene.seq]].concat();
        let code = "craps.fire_surveillance_call";
        faults.push(Fault::new(code, evidence, message.to_owned()).of_wager(&fire.id));
    }
}

/// A bet that stays up pays its vigorish once; what of it goes back with a lowered stake no event tells.
pub(super) fn vigorish(round: &RoundFold, wager: &WagerFold) -> Vigorish {
    let refunds = || round.rules.option("refund_vig_on_removal") == Some(Value::Bool(true));
    match is_charged(wager) && !is_charged_on_win(round, wager) {
        false => Vigorish::OutOfWin,
        true if !wager.lowered.is_empty() && refunds() => Vigorish::BesideBefore,
        true => Vigorish::Beside,
    }
}

/// Buy and lay bets carry vigorish, and no other. s.5
fn is_charged(wager: &WagerFold) -> bool {
    matches!(&*wager.kind, "buy" | "lay")
}

/// Is the vigorish of this number posted as taken from winners only? s.5(a)
fn is_charged_on_win(round: &RoundFold, wager: &WagerFold) -> bool {
    let posted = round.rules.option(&format!("{}_vig_on_win", wager.kind));
    let number = keys(wager).get("number").cloned();
    match (posted, number) {
        (Some(Value::Array(posted)), Some(number)) => posted.contains(&number),
        _ => false,
    }
}

/// The text of Massachusetts has vigorish taken when the bet is made, unless another time is posted;
/// those of Ohio name no time. s.5(a); ma s.5.a
fn posts_time(round: &RoundFold, wager: &WagerFold) -> bool {
    let posted = || round.rules.option(&format!("{}_vig_on_win", wager.kind));
    is_massachusetts(round) || posted().is_some()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Apart,
    OnWin,
}

fn charge(
    game: &Craps,
    scene: &Scene<'_>,
    id: &str,
    taken: Cents,
    when: When,
    faults: &mut Vec<Fault>,
) {
    let Some(wager) = scene.round.wager(id) else {
        return;
    };
    let evidence = [wager.evidence.as_slice(), &[scene.seq]].concat();
    let mut raise = |code, message| {
        faults.push(Fault::new(code, evidence.clone(), message).of_wager(id));
    };
    if !is_charged(wager) {
        let message = format!(
            "{taken} was charged on {}, which carries no fee",
            wager.kind
        );
        return raise("craps.vig_on_other_bet", message);
    }
    let all = wager.commission + taken;
    if exceeds_cap(scene.round, wager, all) {
        let message = format!(
            "{all} was charged on {} of {}: over {}",
            wager.amount,
            wager.kind,
            cap(&scene.round.rules).map(percent).unwrap_or_default()
        );
        raise("craps.vig_over_cap", message);
    }
    let course = Course::of(game, scene.round, scene.standing.read());
    let has_rolled =
        placed(scene.round, wager).is_none_or(|roll| course.valid_from(roll).next().is_some());
    let on_win = is_charged_on_win(scene.round, wager);
    let wrong = match when {
        When::OnWin => !on_win,
        When::Apart => on_win != has_rolled,
    };
    if wrong && posts_time(scene.round, wager) {
        let posted = if on_win {
            "from winners"
        } else {
            "when the bet is made"
        };
        let message = format!("Vigorish of {} is posted as taken {posted}", wager.kind);
        raise("craps.vig_wrong_time", message);
    }
}

/// At most so much of the stake; of a lay bet of the Ohio text, of what it can win. s.5; ma s.5.a
fn exceeds_cap(round: &RoundFold, wager: &WagerFold, taken: Cents) -> bool {
    let rules = &round.rules;
    let of_payoff = rules
        .figure("lay_vig_base")
        .is_some_and(|base| base == "payoff");
    let odds = match wager.kind == "lay" && of_payoff {
        true => lay_odds(rules, wager).unwrap_or(Odds::EVEN),
        false => Odds::EVEN,
    };
    let base = i128::from(wager.amount.get()) * i128::from(odds.win());
    let charged = i128::from(taken.get()) * 10_000 * i128::from(odds.stake());
    cap(rules).is_some_and(|cap| charged > base * i128::from(cap))
}

/// The most that may be charged, in hundredths of a percent.
fn cap(rules: &RulesInForce) -> Option<i64> {
    rules.figure("vig_cap_bp").and_then(Value::as_i64)
}

fn percent(hundredths: i64) -> String {
    match (hundredths / 100, hundredths % 100) {
        (whole, 0) => format!("{whole}%"),
        (whole, part) => format!("{whole}.{part:02}%"),
    }
}

fn lay_odds(rules: &RulesInForce, wager: &WagerFold) -> Option<Odds> {
    let number = keys(wager).get("number")?.as_u64()?.to_string();
    match rules.pays("lay", &number)? {
        Pay::Odds(odds) => Some(odds),
        _ => None,
    }
}

fn is_massachusetts(round: &RoundFold) -> bool {
    round.rules.edition == "mgc-2017"
}

/// A no roll is called by those whom the house entitles. s.9(e); ma s.12.C
fn no_roll_caller(scene: &Scene<'_>, call: &Irregularity, faults: &mut Vec<Fault>) {
    let detail = call.detail.as_ref().map(Json::value).unwrap_or_default();
    let said = ["caller", "called_by", "by"]
        .iter()
        .find_map(|key| detail.get(key));
    let caller = match said {
        Some(Value::Object(person)) => person.get("role").and_then(Value::as_str),
        Some(said) => said.as_str(),
        None => None,
    };
    let rules = &scene.round.rules;
    let reason = no_roll_reason(call).unwrap_or_default();
    let is_dispute = reason == "dispute";
    let is_called = BY_CALL.contains(&reason)
        || BY_CALL_IN_OHIO.contains(&reason) && !is_massachusetts(scene.round);
    let Some(caller) = caller.filter(|_| is_called || is_dispute) else {
        return;
    };
    let is_mini = rules
        .option("variant")
        .is_some_and(|variant| variant == "mini_craps");
    let is_above = ABOVE.contains(&caller);
    let by_text = match (is_mini, is_massachusetts(scene.round)) {
        (true, _) => ["dealer", "stickperson", "floorperson"].contains(&caller),
        (false, true) => ["boxperson", "stickperson"].contains(&caller),
        (false, false) => ["boxperson", "stickperson"].contains(&caller) || is_above,
    };
    let entitled = match rules.option("no_roll_callers") {
        // Which face is up is for the boxperson to say, at mini-craps for the floorperson. s.10(a)2
        _ if is_dispute => is_above || !is_mini && caller == "boxperson",
        Some(Value::Array(posted)) => posted.iter().any(|role| role == caller),
        _ => by_text,
    };
    if !entitled {
        let message = format!("A no roll ({reason}) was called by the {caller}");
        faults.push(Fault::new("craps.no_roll_caller", vec![scene.seq], message));
    }
}

/// After a loser 7 the dice are offered to the next player. s.11(a)1
fn same_shooter(game: &Craps, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    let code = "craps.shooter_not_changed";
    let said = since_roll(scene);
    let (Some((seq, thrower)), true) = (said.first().copied(), scene.is_fresh(code)) else {
        return;
    };
    let seat = thrower.seat;
    let was_offered = said.iter().any(|(_, said)| is_offer(&said.action));
    let is_other = |wager: &WagerFold| wager.seat != seat && !wager.is_touched();
    if was_offered || !scene.round.wagers.iter().any(is_other) {
        return;
    }
    let puck = Course::of(game, scene.round, scene.standing.read()).puck;
    if puck.sevened_out == Some(seat) {
        let message = format!(
            "Seat {seat} threw a loser 7 and keeps the dice without an offer to the others"
        );
        faults.push(Fault::new(code, vec![seq, scene.seq], message).at_seat(seat));
    }
}

fn is_offer(word: &str) -> bool {
    TAKES.contains(&word) || GIVES.contains(&word)
}

/// Words of the seats about the dice since the last roll, the last one first.
fn since_roll<'a>(scene: &Scene<'a>) -> Vec<(u64, &'a Decision)> {
    let said = scene.round.play.iter().rev();
    let said = said.take_while(|(_, body)| !matches!(body, Body::DiceRolled(_)));
    said.filter_map(|(seq, body)| match body {
        Body::Decision(said) if is_offer(&said.action) || THROWS.contains(&&*said.action) => {
            Some((*seq, said))
        }
        _ => None,
    })
    .collect()
}

/// Dice that are given up are offered clockwise. s.11(c)
fn dice_offer(game: &Craps, scene: &Scene<'_>, decision: &Decision, faults: &mut Vec<Fault>) {
    if !is_offer(&decision.action) {
        return;
    }
    let puck = Course::of(game, scene.round, scene.standing.read()).puck;
    let mut since = since_roll(scene);
    since.retain(|(_, said)| is_offer(&said.action));
    let from = puck.sevened_out.or(puck.shooter);
    if let (Some(from), Some((seq, last))) = (from, since.first())
        && last.seat != from
        && decision.seat != last.seat
    {
        // Seats are counted clockwise, and the last shooter comes last.
        let way = |seat: u32| (seat <= from, seat);
        if way(decision.seat) < way(last.seat) {
            let message = format!(
                "The dice were offered to seat {} after seat {}",
                decision.seat, last.seat
            );
            faults.push(Fault::new(
                "craps.dice_offer_order",
                vec![*seq, scene.seq],
                message,
            ));
        }
    }
}

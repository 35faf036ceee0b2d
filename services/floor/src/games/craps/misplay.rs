//! What goes wrong at a craps table: bets at the wrong time, on the wrong thing or for too much,
//! contract bets taken down, rolls called off without a reason, bets settled that are off.

use catwalk_events::body::{
    Body, Irregularity, WagerChanged, WagerCollected, WagerPaid, WagerRemoved,
};
use catwalk_events::{Person, Role};
use catwalk_rules::floor::Cents;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::fate::can_be_off;
use super::{Craps, Mark};
use crate::games::Dealt;

/// Who makes one more bet.
const EXTRA_SEAT: u32 = 2;

type Code = &'static str;
type Way = fn(&mut Craps, &mut Dealt, usize, &mut ChaCha8Rng) -> Option<Code>;

/// One of the ways that this round has room for.
pub(super) fn misplay(
    craps: &mut Craps,
    dealt: &mut Dealt,
    rng: &mut ChaCha8Rng,
) -> Option<Vec<Code>> {
    let mut ways: [Way; 13] = [
        coupon_misplaced,
        odds_of_another,
        cut_to_unpayable,
        wrong_time,
        wrong_bet,
        wrong_units,
        booked_whole,
        too_much_odds,
        contract_taken_down,
        unfounded_no_roll,
        off_bet_paid,
        no_roll_paid,
        fire_bet_taken,
    ];
    ways.shuffle(rng);
    let roll = rng.random_range(0..craps.marks.len());
    let mut codes = ways.iter().filter_map(|way| way(craps, dealt, roll, rng));
    codes.next().map(|code| vec![code])
}

/// Makes one more bet before a roll; its place in the document.
fn add(dealt: &mut Dealt, mark: &Mark, roll: usize, bet: Value) -> usize {
    let index = dealt.wagers.len();
    let mut wager = bet;
    wager["id"] = json!("extra");
    wager["seat"] = json!(EXTRA_SEAT);
    wager["placed"] = json!(roll);
    dealt.wagers.push(wager);
    dealt.added.push((index, mark.bets_at));
    index
}

/// A bet that the puck does not allow.
fn wrong_time(
    craps: &mut Craps,
    dealt: &mut Dealt,
    roll: usize,
    rng: &mut ChaCha8Rng,
) -> Option<Code> {
    let mark = &craps.marks[roll];
    let mut ways: Vec<(&str, Code)> = Vec::new();
    match mark.point {
        Some(_) if !craps.ohio => ways.push(("pass", "craps.pass_after_point")),
        Some(_) => {}
        None => ways.push(("come", "craps.come_on_comeout")),
    }
    if mark.point.is_some() && !craps.crapless {
        ways.push(("dont_pass", "craps.dont_increased"));
    }
    if (mark.point.is_some() || mark.comeouts > 0) && craps.has("fire") {
        ways.push(("fire", "craps.fire_late"));
    }
    let &(kind, code) = ways.choose(rng)?;
    add(dealt, mark, roll, json!({"kind": kind, "amount": 500}));
    Some(code)
}

/// A bet that the text does not have.
fn wrong_bet(
    craps: &mut Craps,
    dealt: &mut Dealt,
    roll: usize,
    rng: &mut ChaCha8Rng,
) -> Option<Code> {
    let mark = &craps.marks[roll];
    if craps.crapless && rng.random_range(0..2) == 0 {
        let lay = json!({"kind": "lay", "amount": 1000, "number": 4});
        add(dealt, mark, roll, lay);
        return Some("crapless.dont_bet");
    }
    let hop = json!({"kind": "hop", "amount": 100, "dice": [6, 6]});
    add(dealt, mark, roll, hop);
    Some("wager.not_permissible")
}

/// A match play coupon where none is taken.
fn coupon_misplaced(
    craps: &mut Craps,
    dealt: &mut Dealt,
    roll: usize,
    _: &mut ChaCha8Rng,
) -> Option<Code> {
    let mark = &craps.marks[roll];
    let coupon = json!({"kind": "field", "amount": 500, "form": "coupon"});
    add(dealt, mark, roll, coupon);
    Some("wager.match_play_not_allowed")
}

/// Odds behind the pass bet of somebody else.
fn odds_of_another(
    craps: &mut Craps,
    dealt: &mut Dealt,
    roll: usize,
    rng: &mut ChaCha8Rng,
) -> Option<Code> {
    let mark = &craps.marks[roll];
    mark.point?;
    let is_other = |&&index: &&usize| {
        let wager = &dealt.wagers[index];
        let was_up = wager["placed"].as_i64() < i64::try_from(roll).ok();
        wager["kind"] == "pass" && wager["seat"] != EXTRA_SEAT && was_up
    };
    let others: Vec<usize> = mark.up.iter().filter(is_other).copied().collect();
    let on = dealt.wagers[*others.choose(rng)?]["id"].clone();
    let odds = json!({"kind": "pass_odds", "amount": 100, "on": on});
    add(dealt, mark, roll, odds);
    Some("craps.odds_orphan")
}

/// A place bet on 6 or 8 is lowered to what cannot be paid in dollars.
fn cut_to_unpayable(
    craps: &mut Craps,
    dealt: &mut Dealt,
    roll: usize,
    rng: &mut ChaCha8Rng,
) -> Option<Code> {
    let mark = &craps.marks[roll];
    let is_open = |&&index: &&usize| {
        let wager = &dealt.wagers[index];
        let was_up = wager["placed"].as_i64() < i64::try_from(roll).ok();
        let is_six = wager["number"] == 6 || wager["number"] == 8;
        wager["kind"] == "place" && is_six && was_up && wager.get("changes").is_none()
    };
    let open: Vec<usize> = mark.up.iter().filter(is_open).copied().collect();
    let &index = open.choose(rng).filter(|_| !craps.ohio)?;
    let to = 500;
    let wager = &mut dealt.wagers[index];
    wager["changes"] = json!([{"before": roll, "to": to}]);
    let id = wager["id"].as_str()?.to_owned();
    let lowered = WagerChanged {
        wager: id.clone(),
        amount: Cents::new(to),
        by: Person::new("p-1", Role::Dealer),
    };
    dealt.insert(mark.bets_at, lowered.into());
    for live in craps.live.iter_mut().filter(|live| live.id == id) {
        live.stake = to;
    }
    Some("wager.unpayable_amount")
}

/// A horn bet that its four numbers cannot share.
fn wrong_units(
    craps: &mut Craps,
    dealt: &mut Dealt,
    roll: usize,
    _: &mut ChaCha8Rng,
) -> Option<Code> {
    let mark = &craps.marks[roll];
    mark.total?;
    let index = add(dealt, mark, roll, json!({"kind": "horn", "amount": 500}));
    dealt.decided.push((index, mark.dice_at + 1));
    Some("wager.bad_units")
}

/// A horn high bet that the layout has no area for.
fn booked_whole(
    craps: &mut Craps,
    dealt: &mut Dealt,
    roll: usize,
    _: &mut ChaCha8Rng,
) -> Option<Code> {
    let mark = &craps.marks[roll];
    mark.total.filter(|_| craps.splits_horn_high)?;
    let horn_high = json!({"kind": "horn_high", "amount": 500, "number": 11});
    let index = add(dealt, mark, roll, horn_high);
    dealt.decided.push((index, mark.dice_at + 1));
    Some("craps.composite_not_split")
}

fn too_much_odds(
    craps: &mut Craps,
    dealt: &mut Dealt,
    _: usize,
    rng: &mut ChaCha8Rng,
) -> Option<Code> {
    let is_new = |wager: &Value| {
        let kind = wager["kind"].as_str().unwrap_or_default();
        kind.ends_with("_odds")
            && wager["placed"].as_i64() >= Some(0)
            && wager.get("changes").is_none()
    };
    let candidates: Vec<usize> = (0..dealt.wagers.len())
        .filter(|&index| is_new(&dealt.wagers[index]) && !dealt.carried.contains(&index))
        .collect();
    let &index = candidates.choose(rng).filter(|_| !craps.unlimited_odds)?;
    let on = &dealt.wagers[index]["on"];
    let flat = dealt.wagers.iter().find(|wager| wager["id"] == *on)?;
    let amount = craps.odds_multiple * flat["amount"].as_i64()? * 3 + 100;
    dealt.wagers[index]["amount"] = json!(amount);
    let id = dealt.wagers[index]["id"].clone();
    for live in craps.live.iter_mut().filter(|live| id == live.id) {
        live.stake = amount;
    }
    Some("craps.odds_over_max")
}

/// A pass bet goes down although its point is on.
fn contract_taken_down(
    craps: &mut Craps,
    dealt: &mut Dealt,
    roll: usize,
    rng: &mut ChaCha8Rng,
) -> Option<Code> {
    let mark = &craps.marks[roll];
    mark.point?;
    let has_point = |&&index: &&usize| {
        let wager = &dealt.wagers[index];
        wager["kind"] == "pass" && wager["placed"].as_i64() < i64::try_from(roll).ok()
    };
    let contracts: Vec<usize> = mark.up.iter().filter(has_point).copied().collect();
    let &index = contracts.choose(rng)?;
    let wager = &mut dealt.wagers[index];
    wager["changes"] = json!([{"before": roll, "to": 0}]);
    let removed = WagerRemoved {
        wager: wager["id"].as_str()?.to_owned(),
        by: Person::new("p-1", Role::Dealer),
    };
    dealt.insert(mark.bets_at, removed.into());
    Some("craps.contract_bet_removed")
}

/// No roll is called because the dice touched chips.
fn unfounded_no_roll(
    craps: &mut Craps,
    dealt: &mut Dealt,
    roll: usize,
    _: &mut ChaCha8Rng,
) -> Option<Code> {
    let mark = &craps.marks[roll];
    mark.total?;
    match dealt.events.get_mut(mark.dice_at) {
        Some(Body::DiceRolled(rolled)) => rolled.valid = false,
        _ => return None,
    }
    dealt.play["rolls"][roll]["no_roll"] = json!("hit_chips");
    let called = Irregularity {
        kind: "hit_chips".into(),
        detail: None,
        ruling: "the roll counts".into(),
    };
    dealt.insert(mark.dice_at + 1, called.into());
    Some("craps.no_roll_unfounded")
}

/// A bet that is off on the come-out is paid.
fn off_bet_paid(
    craps: &mut Craps,
    dealt: &mut Dealt,
    roll: usize,
    rng: &mut ChaCha8Rng,
) -> Option<Code> {
    let mark = &craps.marks[roll];
    let total = mark.total.filter(|_| mark.point.is_none())?;
    let is_off = |&&index: &&usize| {
        let wager = &dealt.wagers[index];
        let kind = wager["kind"].as_str().unwrap_or_default();
        can_be_off(kind)
            && wager["number"] == total
            && !dealt.decided.contains(&(index, mark.dice_at + 1))
    };
    let off: Vec<usize> = mark.up.iter().filter(is_off).copied().collect();
    pay_even(dealt, *off.choose(rng)?, mark.dice_at + 1)?;
    Some("craps.off_bet_settled")
}

/// A bet is paid by dice that were called off.
fn no_roll_paid(
    craps: &mut Craps,
    dealt: &mut Dealt,
    roll: usize,
    rng: &mut ChaCha8Rng,
) -> Option<Code> {
    let mark = craps.marks.get(roll).filter(|mark| mark.total.is_none())?;
    let is_plain = |&&index: &&usize| {
        let wager = &dealt.wagers[index];
        wager["kind"] != "fire" && wager.get("changes").is_none()
    };
    let up: Vec<usize> = mark.up.iter().filter(is_plain).copied().collect();
    pay_even(dealt, *up.choose(rng)?, mark.dice_at + 2)?;
    Some("craps.invalid_roll_settled")
}

/// Pays a bet that is not to be paid.
fn pay_even(dealt: &mut Dealt, index: usize, at: usize) -> Option<()> {
    let wager = &dealt.wagers[index];
    let paid = WagerPaid {
        wager: wager["id"].as_str()?.to_owned(),
        amount: Cents::new(wager["amount"].as_i64()?),
        commission: None,
    };
    dealt.insert(at, paid.into());
    Some(())
}

/// A fire bet is taken although no loser 7 was thrown.
fn fire_bet_taken(
    craps: &mut Craps,
    dealt: &mut Dealt,
    _: usize,
    rng: &mut ChaCha8Rng,
) -> Option<Code> {
    let fires = craps.live.iter().enumerate();
    let fires: Vec<usize> = fires
        .filter(|(_, live)| live.kind == "fire")
        .map(|(at, _)| at)
        .collect();
    let fire = craps.live.remove(*fires.choose(rng)?);
    let taken = WagerCollected {
        wager: fire.id,
        amount: None,
    };
    dealt.events.push(taken.into());
    Some("craps.fire_settled_early")
}

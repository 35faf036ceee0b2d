//! What a dealer of the family does against the rules.

use catwalk_events::body::{Body, CardDealt, CardPlace, Decision, Face};
use catwalk_rules::floor::Card;
use serde_json::{Value, json};

use super::deal::{amount, mains, seat, to_dealer};
use super::house::{Hole, House, Kin};
use super::strategy::dealer_stands;
use crate::games::Dealt;
use crate::games::shoes::Shoes;

/// A round that is to be spoilt.
pub(super) struct AtFault<'a> {
    pub(super) house: &'a House,
    pub(super) shoes: &'a mut Shoes,
    pub(super) dealt: &'a mut Dealt,
    /// The feed has never told of a checked hole card, so that its silence means nothing.
    pub(super) unheard: bool,
}

/// Each gives the code of what it did, or nothing where the round has no room for it.
pub(super) type Way = fn(&mut AtFault<'_>) -> Option<&'static str>;

pub(super) const WAYS: [Way; 14] = [
    draws_too_much,
    draws_too_little,
    draws_too_little,
    doubles_for_more,
    splits_for_more,
    insures_for_more,
    skips_the_reader,
    deals_to_a_hand_that_stood,
    deals_after_a_refusal,
    deals_a_hand_for_nobody,
    forgets_a_box,
    lets_a_hand_go_for_half,
    takes_a_wrong_side_wager,
    takes_a_wrong_lammer,
];

fn dealer_cards(round: &AtFault<'_>) -> Option<Vec<Card>> {
    let cards = round.dealt.play["dealer"]["cards"].as_array()?;
    cards
        .iter()
        .map(|card| card.as_str()?.parse().ok())
        .collect()
}

fn draws_too_much(round: &mut AtFault<'_>) -> Option<&'static str> {
    let cards = dealer_cards(round)?;
    let stands = cards.len() >= 2 && dealer_stands(&cards, round.house.hits_soft_17);
    if !stands {
        return None;
    }
    let card = round.shoes.draw()?;
    round.dealt.events.push(to_dealer(Some(card), None));
    let cards = round.dealt.play["dealer"]["cards"].as_array_mut()?;
    cards.push(json!(card.to_string()));
    Some("dealer.hit_17")
}

fn draws_too_little(round: &mut AtFault<'_>) -> Option<&'static str> {
    let cards = dealer_cards(round)?;
    let bonus = |wager: &Value| wager["kind"] == "optional_bonus";
    let least = if round.dealt.wagers.iter().any(bonus) {
        4
    } else {
        3
    };
    let last = round.dealt.events.last();
    let drawn = matches!(last, Some(Body::CardDealt(dealt)) if dealt.to == CardPlace::Dealer);
    if cards.len() < least || !drawn {
        return None;
    }
    round.dealt.events.pop();
    round.dealt.play["dealer"]["cards"].as_array_mut()?.pop();
    // What is not dealt is still in the shoe.
    cards
        .last()
        .into_iter()
        .for_each(|card| round.shoes.put_back(*card));
    Some("dealer.stood_short")
}

/// Raises a stake of this kind by so much.
fn raise(round: &mut AtFault<'_>, kind: &str, by: i64) -> Option<()> {
    let wager = round
        .dealt
        .wagers
        .iter_mut()
        .find(|wager| wager["kind"] == kind)?;
    wager["amount"] = json!(amount(wager) + by);
    Some(())
}

/// More than any main wager of the round.
fn too_much(round: &AtFault<'_>) -> i64 {
    mains(&round.dealt.wagers)
        .map(amount)
        .max()
        .unwrap_or_default()
}

fn doubles_for_more(round: &mut AtFault<'_>) -> Option<&'static str> {
    let by = too_much(round);
    raise(round, "double", by).map(|()| "wager.double_over_original")
}

fn splits_for_more(round: &mut AtFault<'_>) -> Option<&'static str> {
    raise(round, "split", 1_000).map(|()| "wager.split_not_equal")
}

fn insures_for_more(round: &mut AtFault<'_>) -> Option<&'static str> {
    let by = too_much(round);
    raise(round, "insurance", by).map(|()| "wager.insurance_over_half")
}

fn skips_the_reader(round: &mut AtFault<'_>) -> Option<&'static str> {
    if round.unheard || round.house.hole != Hole::Reader {
        return None;
    }
    let told = |body: &Body| matches!(body, Body::Decision(said) if said.action == "hole_checked");
    let at = round.dealt.events.iter().position(told)?;
    round.dealt.remove(at);
    round.dealt.play["dealer"]["checked"] = json!(false);
    Some("dealer.hole_not_checked")
}

/// The last decision to stand, and where it was told.
fn last_stand(round: &AtFault<'_>) -> Option<(usize, Decision)> {
    let mut events = round.dealt.events.iter().enumerate().rev();
    events.find_map(|(at, body)| match body {
        Body::Decision(said) if said.action == "stand" => Some((at, said.clone())),
        _ => None,
    })
}

/// A surrender where there is none, or after another decision.
fn lets_a_hand_go_for_half(round: &mut AtFault<'_>) -> Option<&'static str> {
    let (at, said) = last_stand(round)?;
    let offered = round.house.surrender;
    let boxes = round.dealt.play["boxes"].as_array_mut()?;
    let one = boxes.iter_mut().find(|one| one["seat"] == said.seat)?;
    let steps = one["steps"].as_array_mut()?;
    let stand = json!({"hand": said.hand, "do": "stand"});
    let stood = steps.iter().rposition(|step| *step == stand)?;
    if offered && stood == 0 {
        return None;
    }
    steps[stood]["do"] = json!("surrender");
    let surrender = Decision {
        action: "surrender".into(),
        ..said
    };
    round.dealt.events[at] = surrender.into();
    Some(if offered {
        "decision.surrender_late"
    } else {
        "decision.surrender_not_offered"
    })
}

fn deals_to_a_hand_that_stood(round: &mut AtFault<'_>) -> Option<&'static str> {
    let (at, said) = last_stand(round)?;
    let stand = json!({"hand": said.hand, "do": "stand"});
    // The box may have gone on with another hand.
    let after = steps_of(round, said.seat)?
        .iter()
        .rposition(|step| *step == stand)?;
    hit_after(round, at, after, &said)?;
    Some("decision.after_completion")
}

/// A player refuses the card that he is offered, and has another all the same.
fn deals_after_a_refusal(round: &mut AtFault<'_>) -> Option<&'static str> {
    let (at, said) = last_stand(round)?;
    let steps = steps_of(round, said.seat)?;
    // With a second hand in the box it would miss a card.
    let is_split = |step: &Value| {
        step["do"]
            .as_str()
            .is_some_and(|verb| verb.contains("split"))
    };
    if steps.iter().any(is_split) {
        return None;
    }
    let stand = json!({"hand": said.hand, "do": "stand"});
    let after = steps.iter().rposition(|step| *step == stand)?;
    steps[after]["do"] = json!("refuse");
    let refused = Decision {
        action: "refuse".into(),
        ..said.clone()
    };
    round.dealt.events[at] = refused.into();
    hit_after(round, at, after, &said)?;
    Some("decision.after_refusal")
}

fn steps_of<'r>(round: &'r mut AtFault<'_>, seat: u32) -> Option<&'r mut Vec<Value>> {
    let boxes = round.dealt.play["boxes"].as_array_mut()?;
    let one = boxes.iter_mut().find(|one| one["seat"] == seat)?;
    one["steps"].as_array_mut()
}

/// Deals one more card to a hand, after this event and this step.
fn hit_after(round: &mut AtFault<'_>, at: usize, after: usize, said: &Decision) -> Option<()> {
    let card = round.shoes.draw()?;
    let step = json!({"hand": said.hand, "do": "hit", "card": card.to_string()});
    steps_of(round, said.seat)?.insert(after + 1, step);
    let hit = Decision {
        action: "hit".into(),
        ..said.clone()
    };
    let dealt = CardDealt {
        to: CardPlace::Seat,
        seat: Some(said.seat),
        hand: said.hand.filter(|&hand| hand > 1),
        card: Some(card.to_string()),
        face: Face::Up,
        back: None,
    };
    round.dealt.insert(at + 1, hit.into());
    round.dealt.insert(at + 2, dealt.into());
    Some(())
}

/// Multiple action: a second hand although no wager is left on the spots for it, or a third although nobody made a
/// third wager. 18(f), 18(h)
fn deals_a_hand_for_nobody(round: &mut AtFault<'_>) -> Option<&'static str> {
    let is_third_made = mains(&round.dealt.wagers).any(|main| main["spot"] == 3);
    let hands = round.dealt.play["dealer"].get_mut("hands")?;
    let hands = hands.as_array_mut()?;
    let up = hands[0][0].clone();
    let first = match (hands[0].as_array()?.len(), hands.len()) {
        // Nobody plays at all: the first hand is dealt for nobody too.
        (0..2, 1) => 1,
        (2.., 1) => 2,
        (2.., 2) if !is_third_made => 3,
        _ => return None,
    };
    for number in first..=first.max(2) {
        let card = round.shoes.draw()?;
        let hand = json!([up, card.to_string()]);
        match hands.get_mut(number - 1) {
            Some(undealt) => *undealt = hand,
            None => hands.push(hand),
        }
        let number = u32::try_from(number).ok();
        round.dealt.events.push(to_dealer(Some(card), number));
    }
    Some("dealer.drew_needlessly")
}

/// Somebody bets on a box, and no card comes to it.
fn forgets_a_box(round: &mut AtFault<'_>) -> Option<&'static str> {
    let wagers = &mut round.dealt.wagers;
    let is_taken = |number: &u32| wagers.iter().any(|wager| seat(wager) == *number);
    if round.house.multiple_action || !round.house.mid_shoe_entry {
        return None;
    }
    let free = (1..=5).find(|number| !is_taken(number))?;
    let id = format!("w{}", wagers.len() + 1);
    wagers.push(json!({"id": id, "seat": free, "kind": "main", "amount": 5_000}));
    let boxes = round.dealt.play["boxes"].as_array_mut()?;
    boxes.push(json!({"seat": free, "cards": [], "dead": "no_cards"}));
    Some("table.wager_without_hand")
}

fn takes_a_wrong_side_wager(round: &mut AtFault<'_>) -> Option<&'static str> {
    let fixed = ["super_sevens", "progressive", "blazing_sevens"];
    if let Some(kind) = fixed
        .into_iter()
        .find(|kind| raise(round, kind, 100).is_some())
    {
        // One chip more than the sign says.
        debug_assert!(round.house.offers(kind));
        return Some("wager.fixed_amount");
    }
    let by = too_much(round);
    let mut bounded = vec!["over_13", "under_13", "optional_bonus"];
    if round.house.kin == Kin::Spanish {
        bounded.push("match_the_dealer");
    } else if !round.house.ohio {
        bounded.push("royal_match");
    }
    let kind = bounded
        .into_iter()
        .find(|kind| raise(round, kind, by).is_some());
    kind.map(|_| "wager.side_over_main")
}

fn takes_a_wrong_lammer(round: &mut AtFault<'_>) -> Option<&'static str> {
    let free = |wager: &&mut Value| wager.get("lammer").is_some();
    let wager = round.dealt.wagers.iter_mut().find(free)?;
    wager["lammer"] = json!(wager["lammer"].as_i64()? * 2);
    Some("wager.lammer_not_equal")
}

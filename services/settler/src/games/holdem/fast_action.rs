//! Fast Action Hold'em. What a seat does is its `decision` (set, split, natural, surrender); the pairs
//! kept are told by `hand_set` (`high`; the second pair of a split is `low`), or by the two cards that
//! were turned. The dealer's set is a `hand_set` to `dealer`. Irregularities that are no matter of
//! settlement: `discard_count` with `seat` and `found`, the discards that the dealer took in there.

mod payments;
mod sets;

use std::cmp::Reverse;

use catwalk_events::Event;
use catwalk_events::body::{Body, CardPlace, DealingMethod, HandSet, Irregularity};
use catwalk_rules::UNSEEN;
use catwalk_rules::book::Void;
use catwalk_rules::floor::Card;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use payments::mispaid;
use sets::{hand_set, hand_sets, is_touched, split_pairs};

use super::laid::{self, Laid};
use super::marker::{self, Marker};
use super::{checks, stopped, told};
use crate::fault::Fault;
use crate::games::{Documents, End, Following, Scene, felt, settling};
use crate::round::{RoundFold, WagerFold};
use crate::standing::Standing;
use crate::table::RulesInForce;

pub(in crate::games) struct FastAction;

/// The shoe so far, as bounded as a shoe is.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    /// The cutting card comes after so many cards.
    cut_at: Option<u32>,
    out: u32,
    /// The feed tells the card burned before the board.
    tells_burns: bool,
    /// A new shoe or another dealer begins with a burned card; none was told yet.
    owes_burn: bool,
    /// The feed tells that one.
    tells_first_burn: bool,
    marker: Marker,
}

impl Kept {
    /// Where events are missing, a shoe may have begun among them, or a card been burned.
    fn of(standing: &Standing) -> Kept {
        let mut kept: Kept = standing.read();
        if standing.is_doubtful() {
            kept.cut_at = None;
            kept.owes_burn = false;
            kept.marker.lose();
        }
        kept
    }
}

impl Laid for FastAction {
    const GAME: &'static str = "fast_action_holdem";
}

impl Documents for FastAction {
    fn wager(&self, round: &RoundFold, wager: &WagerFold) -> Value {
        Value::Object(laid::document_entry(round, wager))
    }

    fn play(&self, round: &RoundFold, _: &Standing) -> Result<Value, String> {
        let irregularities = told(round);
        let void = is_void(round, &irregularities);
        let cards = felt::dealer(&round.play);
        let compared = |seat| is_compared(round, seat, void);
        let cards = match void || felt::seats(&round.play).into_iter().any(compared) {
            true => felt::told(&cards),
            false => felt::told_or_dealt(&cards, 4),
        };
        let natural = is_natural(&cards);
        let mut dealer = Map::new();
        if let Some(set) = hand_set(round, None) {
            dealer.insert("set".into(), json!(set.high));
        }
        dealer.insert("cards".into(), json!(cards));
        let mut hands = Vec::new();
        for seat in felt::seats(&round.play) {
            hands.push(hand(round, seat, void, natural)?);
        }
        let board = felt::told(&felt::community(&round.play));
        let mut play = Map::new();
        play.insert("dealer".into(), Value::Object(dealer));
        play.insert("board".into(), json!(board));
        play.insert("hands".into(), json!(hands));
        if !irregularities.is_empty() {
            play.insert("irregularities".into(), json!(irregularities));
        }
        Ok(Value::Object(play))
    }
}

impl Following for FastAction {
    /// Another dealer begins with a burned card, but not at a continuous shuffler; the marker begins at
    /// the dealer. s.7(a),(b), 11
    fn aside(
        &self,
        event: &Event,
        rules: &RulesInForce,
        standing: &mut Standing,
        _: &mut Vec<Fault>,
    ) -> bool {
        let mut kept = Kept::of(standing);
        match event.body {
            Body::DealerChanged(_) => {
                let shuffler = rules.option("shuffler");
                kept.owes_burn = shuffler.is_none_or(|shuffler| shuffler != "continuous");
            }
            Body::TableOpened(_) => kept.marker = Marker::at_dealer(),
            _ => return false,
        }
        standing.keep(&kept);
        false
    }

    fn between(&self, body: &Body, standing: &mut Standing) {
        let mut kept = Kept::of(standing);
        match body {
            Body::ShoeStarted(started) => {
                let total = started.decks.saturating_mul(52);
                kept.cut_at = started.cut.map(|cut| total.saturating_sub(cut));
                kept.out = 0;
                kept.owes_burn = started.method != DealingMethod::Continuous;
            }
            Body::CardBurned(_) => {
                kept.out = kept.out.saturating_add(1);
                kept.tells_first_burn |= std::mem::take(&mut kept.owes_burn);
            }
            _ => return,
        }
        standing.keep(&kept);
    }

    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        checks::see_bettor(scene, faults);
        // s.8(k): the hands are exposed counterclockwise.
        let has_turn = |seat| has_turn(scene.round, seat);
        settling::check_turned(scene, felt::is_board_shown, has_turn, faults);
        let dealer_shown = || felt::visible(&felt::dealer(&scene.round.play)) > 0;
        let late =
            |code, message: String, seat| Fault::new(code, vec![scene.seq], message).at_seat(seat);
        match scene.body {
            Body::WagerPlaced(placed) if placed.kind == "split" && dealer_shown() => {
                let message = format!(
                    "{} on split was made after a card of the dealer was visible",
                    placed.amount
                );
                let fault = late("fast_action.split_late", message, placed.seat);
                faults.push(fault.of_wager(&placed.wager));
            }
            Body::Decision(told) if is_surrender(&told.action) && dealer_shown() => {
                let message = "A hand was surrendered after a card of the dealer was visible";
                faults.push(late(
                    "fast_action.surrender_late",
                    message.to_owned(),
                    told.seat,
                ));
            }
            Body::Irregularity(told) => faults.extend(see_irregularity(scene, told)),
            Body::HandSet(set) => {
                let Some(seat) = set.seat else { return };
                if is_touched(scene.round, seat, set) {
                    let message = "A hand that was set was changed".to_owned();
                    faults.push(late("fast_action.hand_touched", message, seat));
                }
                faults.extend(see_discards(scene, seat, set));
            }
            _ => {}
        }
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, faults: &mut Vec<Fault>) {
        let mut kept = Kept::of(standing);
        let round = end.round;
        let judged = !end.voided && !round.incomplete;
        // A card of another deck does not bring the cutting card nearer.
        let leaves = |(_, body): &&(u64, Body)| match body {
            Body::CardDealt(_) => true,
            Body::CardBurned(burned) => {
                let card = burned.card.as_deref();
                card.is_none_or(|card| card.parse::<Card>().is_ok())
            }
            _ => false,
        };
        let left = u32::try_from(round.play.iter().filter(leaves).count()).unwrap_or(u32::MAX);
        if judged && left > 0 && kept.cut_at.is_some_and(|cut| kept.out > cut) {
            let message = "A round was dealt after the cutting card had come".to_owned();
            let evidence = vec![round.opened_seq];
            faults.push(Fault::new("deck.past_cutting_card", evidence, message));
        }
        kept.out = kept.out.saturating_add(left);
        if judged {
            check_burns(round, &mut kept, faults);
            check_settlement(end, faults);
            mispaid(end, faults);
        }
        check_marker(round, judged, &mut kept.marker, faults);
        standing.keep(&kept);
    }
}

/// Is the whole round void? A dealer with too many cards voids it, a player does not. s.9(f),(g),(i)
fn is_void(round: &RoundFold, told: &[Value]) -> bool {
    let has_extra = |entry: &Value| {
        let is_dealers = entry["code"] == "card_count" && entry["area"] == "dealer";
        let dealt = entry["dealt"].as_u64();
        is_dealers && dealt.is_some_and(|dealt| dealt > 4)
    };
    stopped(round) != Void::Nothing || told.iter().any(has_extra)
}

/// Does the hand of a seat meet the dealer's? Naturals and surrenders are settled at once. s.8(b),(f)
fn has_turn(round: &RoundFold, seat: u32) -> bool {
    matches!(action(round, seat, false, 0), "set" | "split")
}

/// Losers are taken and winners paid counterclockwise, and no winner before the last loser. What went the wrong way
/// is another matter. s.8(k)-(m)
fn check_settlement(end: &End<'_>, faults: &mut Vec<Fault>) {
    const CODE: &str = "settle.order";
    let round = end.round;
    let board = round
        .play
        .iter()
        .find(|(_, body)| felt::is_board_shown(body));
    let Some((shown, _)) = board.filter(|_| !round.has_raised(CODE)) else {
        return;
    };
    let mut settled: Vec<(u64, bool, &WagerFold)> = Vec::new();
    for (at, wager) in round.wagers.iter().enumerate() {
        let is_right = !end.mispaid.iter().any(|&(mispaid, _)| mispaid == at);
        let taken = || {
            wager
                .evidence
                .last()
                .copied()
                .filter(|_| wager.collected.is_some())
        };
        let seq = wager.paid_seq.or_else(taken).filter(|seq| seq > shown);
        if let Some(seq) = seq.filter(|_| is_right && !wager.late && has_turn(round, wager.seat)) {
            settled.push((seq, wager.paid_seq.is_some(), wager));
        }
    }
    settled.sort_by_key(|&(seq, ..)| seq);
    let turn = |&(_, is_paid, wager): &(u64, bool, &WagerFold)| (is_paid, Reverse(wager.seat));
    let wrong = settled
        .windows(2)
        .find(|pair| turn(&pair[0]) > turn(&pair[1]));
    if let Some(&[(first, was_paid, before), (then, is_paid, wager)]) = wrong {
        let word = |is_paid: bool| if is_paid { "paid" } else { "taken" };
        let message = format!(
            "A wager of seat {} was {} after one of seat {} had been {}",
            wager.seat,
            word(is_paid),
            before.seat,
            word(was_paid)
        );
        faults.push(Fault::new(CODE, vec![first, then], message).of_wager(&wager.id));
    }
}

fn is_natural(cards: &[String]) -> bool {
    let ranks = |card: &String| card.chars().next();
    cards.len() >= 4
        && !cards.iter().any(|card| card == UNSEEN)
        && cards[..4]
            .iter()
            .all(|card| ranks(card) == ranks(&cards[0]))
}

fn is_natural_shown(round: &RoundFold, seat: u32) -> bool {
    let shown = felt::hand(&round.play, seat);
    let shown = shown.iter().filter(|lying| lying.visible);
    let shown = shown.filter_map(|lying| lying.card.map(str::to_owned));
    is_natural(&shown.collect::<Vec<_>>())
}

fn is_surrender(action: &str) -> bool {
    matches!(action, "surrender" | "discontinue")
}

fn hand(round: &RoundFold, seat: u32, void: bool, dealer_natural: bool) -> Result<Value, String> {
    let lying = felt::hand(&round.play, seat);
    let turned: Vec<usize> = (0..lying.len()).filter(|&at| lying[at].visible).collect();
    let action = action(round, seat, void, turned.len());
    let set = hand_set(round, Some(seat));
    let named = hand_sets(round, seat).flat_map(|set| set.high.iter().chain(&set.low));
    let mut named: Vec<String> = named.cloned().collect();
    if hand_sets(round, seat).count() > 1 {
        // Settings one after the other name the same cards again.
        named.sort_unstable();
        named.dedup();
    }
    let cards = felt::told_with(&lying, named);
    let unseen = cards.iter().filter(|card| *card == UNSEEN).count();
    let nobody_saw = || vec![UNSEEN.to_owned(); 2];
    let sets: Option<Vec<Vec<String>>> = match (action, set) {
        ("split", Some(_)) => split_pairs(round, seat),
        (_, Some(set)) => Some(vec![set.high.clone()]),
        ("set", None) => match turned.as_slice() {
            &[one, other] => Some(vec![vec![cards[one].clone(), cards[other].clone()]]),
            _ if dealer_natural || unseen == 0 || unseen == cards.len() => Some(vec![nobody_saw()]),
            _ => return Err(format!("the two cards that seat {seat} kept were not told")),
        },
        ("split", None) => Some(vec![nobody_saw(), nobody_saw()]),
        _ => None,
    };
    let mut hand = Map::new();
    hand.insert("seat".into(), json!(seat));
    hand.insert("cards".into(), json!(cards));
    hand.insert("action".into(), json!(action));
    if let Some(sets) = sets {
        hand.insert("sets".into(), json!(sets));
    }
    Ok(Value::Object(hand))
}

/// Does the hand meet the dealer's? A natural is paid and a surrender taken before he shows. s.8(b), 8(f)
fn is_compared(round: &RoundFold, seat: u32, void: bool) -> bool {
    let lying = felt::hand(&round.play, seat);
    let cards = lying
        .iter()
        .filter_map(|lying| lying.card.map(str::to_owned));
    match action(round, seat, void, felt::visible(&lying)) {
        "surrender" => false,
        "natural" => !is_natural(&cards.collect::<Vec<_>>()),
        _ => true,
    }
}

fn action(round: &RoundFold, seat: u32, void: bool, turned: usize) -> &'static str {
    let words = felt::decisions(&round.play, seat).map(|decision| decision.action.as_str());
    let told = words.filter_map(|word| match word {
        "set" => Some("set"),
        "split" => Some("split"),
        "natural" => Some("natural"),
        word if is_surrender(word) => Some("surrender"),
        _ => None,
    });
    let told = told.last();
    let staked = felt::wager_of(round, seat, "split").is_some();
    match told {
        Some(told) => told,
        None if void => "pending",
        None if staked => "split",
        None if hand_set(round, Some(seat)).is_some() || turned == 2 => "set",
        // s.8(b): who turns all four of a kind declares them by that.
        None if is_natural_shown(round, seat) => "natural",
        None => "pending",
    }
}

/// Discards that are told with the pair that was kept, and are not what it leaves. s.8(a),(e)
fn see_discards(scene: &Scene<'_>, seat: u32, set: &HandSet) -> Option<Fault> {
    let left = felt::hand(&scene.round.play, seat).len().checked_sub(2)?;
    let is_split = action(scene.round, seat, false, 0) == "split";
    let told = set.low.len();
    let is_wrong = set.high.len() == 2 && !is_split && told > 0 && told != left;
    is_wrong.then(|| {
        let message = format!("Seat {seat} put {told} cards down instead of {left}");
        Fault::new("fast_action.discard_count", vec![scene.seq], message).at_seat(seat)
    })
}

/// A seat's discards that are not as many as its hand leaves, and a marker out of its place.
fn see_irregularity(scene: &Scene<'_>, told: &Irregularity) -> Option<Fault> {
    let fault = |code, message: String| Fault::new(code, vec![scene.seq], message);
    if told.kind == "marker_not_moved" {
        let message = "The marker was not where the first card goes".to_owned();
        return Some(fault("fast_action.marker", message));
    }
    if told.kind != "discard_count" {
        return None;
    }
    let detail = told.detail.as_ref()?.value();
    let seat = u32::try_from(detail["seat"].as_u64()?).ok()?;
    let found = detail["found"].as_u64()?;
    let due = match action(scene.round, seat, false, 0) {
        "set" => 2,
        "natural" | "split" => 0,
        "surrender" => 4,
        _ => return None,
    };
    (found != due).then(|| {
        let message = format!("Seat {seat} put {found} cards down instead of {due}");
        fault("fast_action.discard_count", message).at_seat(seat)
    })
}

/// A card is burned before the board, and before the first card of a shoe or of a dealer, where the feed
/// tells burns at all. s.7(a), 8(j)
fn check_burns(round: &RoundFold, kept: &mut Kept, faults: &mut Vec<Fault>) {
    let dealt = |(_, body): &(u64, Body)| matches!(body, Body::CardDealt(_));
    let Some(first) = round.play.iter().position(dealt) else {
        return;
    };
    let is_board = |(_, body): &(u64, Body)| matches!(body, Body::CardDealt(dealt) if dealt.to == CardPlace::Community);
    let burned = |(_, body): &(u64, Body)| matches!(body, Body::CardBurned(_));
    let begins = round.play[..first].iter().any(burned);
    kept.tells_first_burn |= kept.owes_burn && begins;
    if let Some(board) = round
        .play
        .iter()
        .position(is_board)
        .filter(|&at| at > first)
    {
        let told = round.play[first..board].iter().any(burned);
        if !told && (kept.tells_burns || kept.tells_first_burn) {
            let message = "No card was burned before the community cards".to_owned();
            faults.push(Fault::new("deal.burn", vec![round.play[board].0], message));
        }
        kept.tells_burns |= told;
    }
    if kept.owes_burn && !begins && (kept.tells_first_burn || kept.tells_burns) {
        let message = "No card was burned before the first one of a shoe or of a dealer";
        let evidence = vec![round.play[first].0];
        faults.push(Fault::new("deal.burn", evidence, message.to_owned()));
    }
    kept.owes_burn = false;
}

/// The first card goes to the place of the marker, which moves on after each round.
fn check_marker(round: &RoundFold, judged: bool, marker: &mut Marker, faults: &mut Vec<Fault>) {
    let is_stopped = |told: &Irregularity| {
        let layout = laid::layout(round);
        layout.is_some_and(|layout| layout.knows(&told.kind)) && told.kind != "shuffler_failure"
    };
    let places: Vec<(u64, u32)> = felt::places(&round.play).collect();
    let of_round = places.iter().map(|&(_, place)| place);
    let mut all: Vec<u32> = of_round.clone().collect();
    all.sort_unstable();
    all.dedup();
    let pass: Vec<u32> = of_round.take(all.len()).collect();
    // Hands that are told whole say nothing of the order; what went wrong may have changed it.
    let mut once = pass.clone();
    once.sort_unstable();
    if !judged || once != all || round.irregularities().any(is_stopped) {
        return marker.lose();
    }
    if let (false, Some((seq, place))) = (marker.deal(&pass), places.first()) {
        let whom = match *place {
            marker::DEALER => "the dealer".to_owned(),
            seat => format!("seat {seat}"),
        };
        let message = format!("The first card went to {whom}, where the marker was not");
        faults.push(Fault::new("fast_action.marker", vec![*seq], message));
    }
}

//! What lies on the felt of a game with hands at seats, a dealer and community cards, as its events
//! show it.
//!
//! A card may be dealt with its identity or face down without one and be turned later; it is visible
//! when it was dealt face up or turned. `to` may be `seat` or `player` for a card at a seat.

use catwalk_events::body::{Body, CardPlace, Decision, WagerPlaced};
use catwalk_rules::UNSEEN;
use catwalk_rules::book::Layout;
use catwalk_rules::floor::Cents;
use serde_json::{Map, Value, json};

use super::Scene;
use crate::fault::Fault;
use crate::round::{RoundFold, WagerFold};

/// Cards and choices of a round, in order.
pub(super) type Play = [(u64, Body)];

/// A card at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lying<'a> {
    pub(super) card: Option<&'a str>,
    pub(super) visible: bool,
}

/// The cards of the dealer.
pub(super) fn dealer(play: &Play) -> Vec<Lying<'_>> {
    lying(play, |to, _| to == CardPlace::Dealer)
}

/// The community cards.
pub(super) fn community(play: &Play) -> Vec<Lying<'_>> {
    lying(play, |to, _| to == CardPlace::Community)
}

/// The cards of a seat.
pub(super) fn hand(play: &Play, seat: u32) -> Vec<Lying<'_>> {
    lying(play, |to, at| is_seat(to) && at == Some(seat))
}

/// Community cards that everybody can see.
pub(super) fn shown(play: &Play) -> usize {
    visible(&community(play))
}

/// Community cards of a hold'em board.
pub(super) const BOARD: usize = 5;

pub(super) fn visible(cards: &[Lying<'_>]) -> usize {
    cards.iter().filter(|lying| lying.visible).count()
}

/// The seats that were dealt cards, in order.
pub(super) fn seats(play: &Play) -> Vec<u32> {
    let mut seats: Vec<u32> = play
        .iter()
        .filter_map(|(_, body)| match body {
            Body::CardDealt(dealt) if is_seat(dealt.to) => dealt.seat,
            _ => None,
        })
        .collect();
    seats.sort_unstable();
    seats.dedup();
    seats
}

/// Where the cards of the hands were dealt, in order: to seats, or to the dealer at 0.
pub(super) fn places(play: &Play) -> impl Iterator<Item = (u64, u32)> {
    play.iter()
        .filter_map(|(seq, body)| match Place::of(body)? {
            Place::Dealer => Some((*seq, 0)),
            Place::Seat(seat) => Some((*seq, seat)),
            Place::Community => None,
        })
}

/// The cards as a document has them, with a word for those that nobody saw.
pub(super) fn told(cards: &[Lying<'_>]) -> Vec<String> {
    told_with(cards, Vec::new())
}

/// The same, where other events named cards that lie there: those that were not seen otherwise stand for cards that
/// nobody turned.
pub(super) fn told_with(cards: &[Lying<'_>], mut named: Vec<String>) -> Vec<String> {
    for card in cards.iter().filter_map(|lying| lying.card) {
        if let Some(at) = named.iter().position(|other| other == card) {
            named.remove(at);
        }
    }
    let mut named = named.into_iter();
    let told = cards.iter().map(|lying| match lying.card {
        Some(card) => card.to_owned(),
        None => named.next().unwrap_or_else(|| UNSEEN.to_owned()),
    });
    told.collect()
}

/// The cards of the dealer or of the community row where none of them had to be shown, nor told of at all: so many
/// are dealt by the rules.
pub(super) fn told_or_dealt(cards: &[Lying<'_>], many: usize) -> Vec<String> {
    match cards.is_empty() {
        true => vec![UNSEEN.to_owned(); many],
        false => told(cards),
    }
}

/// What a seat decided, in order.
pub(super) fn decisions(play: &Play, seat: u32) -> impl Iterator<Item = &Decision> {
    all_decisions(play).filter(move |decision| decision.seat == seat)
}

pub(super) fn all_decisions(play: &Play) -> impl Iterator<Item = &Decision> {
    play.iter().filter_map(|(_, body)| match body {
        Body::Decision(decision) => Some(decision),
        _ => None,
    })
}

/// The irregularities that a layout knows, as the document has them, each with its keys.
pub(super) fn irregularities(play: &Play, layout: &Layout) -> Vec<Value> {
    let told = play.iter().filter_map(|(_, body)| match body {
        Body::Irregularity(told) if layout.knows(&told.kind) => Some(told),
        _ => None,
    });
    told.map(|told| {
        let mut entry = match told.detail.as_ref().map(|detail| detail.value()) {
            Some(Value::Object(detail)) => detail,
            _ => Map::new(),
        };
        let is_key = |key: &str| matches!(key, "seat" | "area") || layout.has_key(&told.kind, key);
        entry.retain(|key, _| is_key(key));
        entry.insert("code".into(), json!(told.kind));
        Value::Object(entry)
    })
    .collect()
}

/// Was this irregularity told?
pub(super) fn is_told(play: &Play, kind: &str) -> bool {
    let mut play = play.iter();
    play.any(|(_, body)| matches!(body, Body::Irregularity(told) if told.kind == kind))
}

/// The first counted wager of a kind at a seat.
pub(super) fn wager_of<'a>(round: &'a RoundFold, seat: u32, kind: &str) -> Option<&'a WagerFold> {
    let mut wagers = round.wagers.iter();
    wagers.find(|wager| wager.seat == seat && wager.kind == kind)
}

/// The stake of a kind that a decision tells of, on the wager of kind `main` at its seat.
pub(super) fn spoken_stake(
    round: &RoundFold,
    decision: &Decision,
    kind: &str,
    main: &str,
) -> Option<WagerPlaced> {
    let amount = decision.amount.filter(|amount| amount.is_positive())?;
    let main = wager_of(round, decision.seat, main)?;
    Some(WagerPlaced {
        wager: format!("{}-{kind}", main.id),
        seat: decision.seat,
        player: main.player.clone(),
        kind: kind.to_owned(),
        amount,
        on: Some(main.id.clone()),
        detail: None,
        form: None,
        colour: None,
    })
}

/// Was the wager of a kind taken before a card of the dealer was visible, as it is at a fold?
pub(super) fn is_taken_early(round: &RoundFold, seat: u32, kind: &str) -> bool {
    is_taken_before(round, seat, kind, is_dealer_shown)
}

/// Was the wager of a kind taken before the first card that `is_mark` says?
pub(super) fn is_taken_before(
    round: &RoundFold,
    seat: u32,
    kind: &str,
    is_mark: impl Fn(&Body) -> bool,
) -> bool {
    let wager = wager_of(round, seat, kind).filter(|wager| wager.collected.is_some());
    let taken = wager.and_then(|wager| wager.evidence.last());
    let mut marks = round.play.iter().filter(|(_, body)| is_mark(body));
    taken
        .zip(marks.next())
        .is_some_and(|(taken, (mark, _))| taken < mark)
}

/// Is a community card dealt, or turned?
pub(super) fn is_of_board(body: &Body) -> bool {
    match body {
        Body::CardDealt(dealt) => dealt.to == CardPlace::Community,
        Body::CardRevealed(shown) => shown.to == CardPlace::Community,
        _ => false,
    }
}

/// Does everybody see a community card with this?
pub(super) fn is_board_shown(body: &Body) -> bool {
    let is_down = matches!(body, Body::CardDealt(dealt) if !is_up(dealt));
    is_of_board(body) && !is_down
}

/// What the document has of a wager: the common keys, the guest, the wager it depends on (that of
/// kind `main` at the seat where no event names it), and those `keys` of its detail that the game has.
pub(super) fn entry(
    round: &RoundFold,
    wager: &WagerFold,
    main: Option<&str>,
    keys: &[&str],
) -> Map<String, Value> {
    let mut entry = super::entry(wager);
    let common = ["id", "seat", "kind", "amount", "on", "patron"];
    entry.retain(|key, _| common.contains(&key.as_str()) || keys.contains(&key.as_str()));
    if let Some(main) = main
        && !entry.contains_key("on")
        && let Some(main) = wager_of(round, wager.seat, main)
    {
        entry.insert("on".into(), json!(main.id));
    }
    if let Some(patron) = &wager.player {
        entry.insert("patron".into(), json!(patron));
    }
    entry
}

/// A word that the detail of a wager gives alone or under a key.
pub(super) fn word_of(detail: Option<&catwalk_events::Json>, key: &str) -> Option<String> {
    match detail?.value() {
        Value::String(word) => Some(word),
        Value::Object(mut detail) => match detail.remove(key)? {
            Value::String(word) => Some(word),
            _ => None,
        },
        _ => None,
    }
}

/// The meter as last read before the award that was `keyed`, or when the round opened.
pub(super) fn meter(round: &RoundFold, keyed: Option<u64>) -> Option<Cents> {
    let before = |seq: u64| keyed.is_none_or(|keyed| seq < keyed);
    let mut read = round.play.iter().filter_map(|(seq, body)| match body {
        Body::MeterRead(read) if before(*seq) => Some(read.amount),
        _ => None,
    });
    read.next_back().or_else(|| opening_meter(round))
}

/// The meter named `progressive`, or the only one there is.
pub(super) fn opening_meter(round: &RoundFold) -> Option<Cents> {
    let meters = round.opened.meters.as_ref()?;
    let only = || meters.values().next().filter(|_| meters.len() == 1);
    meters.get("progressive").or_else(only).copied()
}

/// Decisions go clockwise from the dealer's left on each street: a seat that decides for the first
/// time after a higher one did is out of turn. `kinds` are wagers that are decisions.
pub(super) fn check_turn(
    scene: &Scene<'_>,
    kinds: &[&str],
    code: &'static str,
    faults: &mut Vec<Fault>,
) {
    let seat = match scene.body {
        Body::Decision(decision) => decision.seat,
        Body::WagerPlaced(placed) if kinds.contains(&placed.kind.as_str()) => placed.seat,
        _ => return,
    };
    let round = scene.round;
    let street = round.play.iter().rposition(|(_, body)| is_of_board(body));
    let start = street.map_or(0, |at| at + 1);
    let decided = all_decisions(&round.play[start..]).map(|decision| decision.seat);
    let staked = round.wagers.iter().filter(|wager| {
        kinds.contains(&wager.kind.as_str()) && wager.after_play >= start && !wager.carried
    });
    let before: Vec<u32> = decided.chain(staked.map(|wager| wager.seat)).collect();
    let raised = round.raised.iter().any(|raised| raised == code);
    if !raised && !before.contains(&seat) && before.iter().any(|&other| other > seat) {
        let message = format!("Seat {seat} decided after a seat that comes later");
        faults.push(Fault::new(code, vec![scene.seq], message).at_seat(seat));
    }
}

/// A dealer's card was visible, a seat decided after that, and the round was not voided for it. With the
/// whole board on the table it was the dealer's turn to show, and a wager then is a late one.
pub(super) fn check_exposure(round: &RoundFold, kinds: &[&str], faults: &mut Vec<Fault>) {
    let exposed = round
        .play
        .iter()
        .position(|(_, body)| is_dealer_shown(body));
    let Some(exposed) = exposed else { return };
    let told = is_told(&round.play, "hole_card_exposed");
    let decided = round.play[exposed..]
        .iter()
        .find_map(|(seq, body)| match body {
            Body::Decision(decision) => Some((*seq, decision.seat)),
            _ => None,
        });
    let staked = round.wagers.iter().find(|wager| {
        let in_time = shown(&round.play[..wager.after_play]) < BOARD;
        kinds.contains(&wager.kind.as_str()) && wager.after_play > exposed && in_time
    });
    let after = decided.or_else(|| staked.map(|wager| (wager.evidence[0], wager.seat)));
    if let Some((seq, seat)) = after.filter(|_| !told) {
        let message = format!("Seat {seat} decided while a card of the dealer was visible");
        let evidence = vec![round.play[exposed].0, seq];
        let fault = Fault::new("deal.dealer_exposed_not_voided", evidence, message);
        faults.push(fault.at_seat(seat));
    }
}

/// Has the dealer shown a card in his turn, when the whole board was seen?
pub(super) fn has_dealer_shown(play: &Play) -> bool {
    let mut cards = play.iter().enumerate();
    cards.any(|(at, (_, body))| is_dealer_shown(body) && shown(&play[..at]) >= BOARD)
}

pub(super) fn is_dealer_shown(body: &Body) -> bool {
    match body {
        Body::CardDealt(dealt) => dealt.to == CardPlace::Dealer && is_up(dealt),
        Body::CardRevealed(shown) => shown.to == CardPlace::Dealer,
        _ => false,
    }
}

/// Were the first cards dealt in this order? A feed that tells whole hands at once does not tell the
/// order of the cards, and is not judged. A community card that is told face up lay there before: it is
/// told when it is turned. So is a card of the dealer that is told face up after the board.
pub(super) fn check_order(round: &RoundFold, mut expected: Vec<Place>, faults: &mut Vec<Fault>) {
    let mut play = round.play.iter();
    let board = play.position(|(_, body)| is_board_shown(body));
    let is_turned = |at: usize, body: &Body| match body {
        Body::CardDealt(dealt) if is_up(dealt) => {
            let of_dealer = dealt.to == CardPlace::Dealer && board.is_some_and(|board| board < at);
            dealt.to == CardPlace::Community || of_dealer
        }
        _ => false,
    };
    let told = || round.play.iter().enumerate();
    let turned = told().filter(|&(at, (_, body))| is_turned(at, body));
    let turned: Vec<Place> = turned
        .filter_map(|(_, (_, body))| Place::of(body))
        .collect();
    expected.retain(|place| !turned.contains(place));
    let dealt = told().filter(|&(at, (_, body))| !is_turned(at, body));
    let dealt = dealt.filter_map(|(_, (seq, body))| Some((*seq, Place::of(body)?)));
    let dealt: Vec<(u64, Place)> = dealt.take(expected.len()).collect();
    let mut order: Vec<Place> = dealt.iter().map(|&(_, place)| place).collect();
    let mut places = order.clone();
    places.dedup();
    let stretches = places.len();
    places.sort_unstable();
    places.dedup();
    let by_hands = stretches == places.len();
    if by_hands || order == expected {
        return;
    }
    order.sort_unstable();
    expected.sort_unstable();
    // Another number of cards is another fault.
    if order == expected {
        let evidence = dealt.iter().map(|&(seq, _)| seq).collect();
        let message = "The first cards were not dealt in the order of the rules".to_owned();
        faults.push(Fault::new("deal.order", evidence, message));
    }
}

/// Where a card was dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Dealer,
    Community,
    Seat(u32),
}

impl Place {
    fn of(body: &Body) -> Option<Place> {
        match body {
            Body::CardDealt(dealt) => match dealt.to {
                CardPlace::Dealer => Some(Place::Dealer),
                CardPlace::Community => Some(Place::Community),
                to if is_seat(to) => dealt.seat.map(Place::Seat),
                _ => None,
            },
            _ => None,
        }
    }
}

fn lying(play: &Play, is_there: impl Fn(CardPlace, Option<u32>) -> bool) -> Vec<Lying<'_>> {
    let mut cards: Vec<Lying<'_>> = Vec::new();
    for (at, (_, body)) in play.iter().enumerate() {
        match body {
            Body::CardDealt(dealt) if is_there(dealt.to, dealt.seat) => cards.push(Lying {
                card: dealt.card.as_deref(),
                visible: is_up(dealt),
            }),
            Body::CardRevealed(shown) if is_there(shown.to, shown.seat) => {
                if let Some(lying) = cards.get_mut(shown.index as usize) {
                    *lying = Lying {
                        card: Some(&shown.card),
                        visible: true,
                    };
                }
            }
            // A card that came face up and was put away is no card of the hand.
            Body::Irregularity(told) if told.kind == "face_up_card" => {
                let before = at.checked_sub(1).map(|before| &play[before].1);
                if matches!(before, Some(Body::CardDealt(dealt))
                    if is_up(dealt) && is_seat(dealt.to) && is_there(dealt.to, dealt.seat))
                {
                    cards.pop();
                }
            }
            _ => {}
        }
    }
    cards
}

fn is_up(dealt: &catwalk_events::body::CardDealt) -> bool {
    dealt.face == catwalk_events::body::Face::Up
}

fn is_seat(to: CardPlace) -> bool {
    matches!(to, CardPlace::Seat | CardPlace::Player)
}

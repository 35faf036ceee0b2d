//! The round document of the family.

use catwalk_events::body::{Body, WagerPlaced};
use catwalk_rules::floor::{Card, Cents};
use serde_json::{Map, Value, json};

use super::boxes::BoxFold;
use super::points::is_ace;
use super::told::{Told, guest, named_hand, root};
use super::watch::Kept;
use super::{House, is_stake, keeps_stake};
use crate::games::written;
use crate::round::{RoundFold, WagerFold};

/// `wagers[i]` of the document.
pub(super) fn wager(round: &RoundFold, wager: &WagerFold) -> Value {
    let detail = wager.detail.as_ref().map(|detail| detail.value());
    let detail = detail.unwrap_or_default();
    let mut entry = Map::new();
    let mut put = |key: &str, value: Value| {
        if !value.is_null() {
            entry.insert(key.to_owned(), value);
        }
    };
    put("id", json!(wager.id));
    put("seat", json!(wager.seat));
    put("kind", json!(wager.kind));
    put("amount", json!(wager.amount));
    let main = root(round, wager);
    put("player", json!(guest(wager).or_else(|| guest(main))));
    let kind = wager.kind.as_str();
    let stake = is_stake(kind);
    if stake.is_some() || kind == "insurance" {
        let told = stake.map(|_| Told::by(round));
        let hand = told.as_ref().and_then(|told| told.hand_of(wager));
        let hand = hand.or_else(|| stake.and_then(|_| named_hand(wager)));
        put("hand", json!(hand));
        // The split stake that the doubled hand lies on, or the main.
        let under = round.wagers.iter().find(|other| {
            kind.ends_with("double")
                && is_stake(&other.kind).is_some_and(|kind| kind.ends_with("split"))
                && root(round, other).id == main.id
                && told.as_ref().and_then(|told| told.hand_of(other)) == hand
        });
        let under = under.or((main.kind == "main").then_some(main));
        let on = wager
            .on
            .clone()
            .or_else(|| under.map(|under| under.id.clone()));
        put("on", json!(on));
    } else {
        put("on", json!(wager.on));
    }
    if kind.starts_with("free_") {
        let plain = detail.as_i64().filter(|&worth| worth >= 100);
        let lammer = detail["lammer"].as_i64().or(plain);
        put(
            "lammer",
            lammer.map_or(json!(main.amount), |lammer| json!(lammer)),
        );
    }
    if kind == "main" {
        put("hand", detail["hand"].clone());
        let plain = || House::of(round).multiple_action && detail.is_number();
        let spot = if plain() {
            detail.clone()
        } else {
            detail["spot"].clone()
        };
        put(
            "spot",
            if spot.is_null() {
                untold_spot(round, wager)
            } else {
                spot
            },
        );
    }
    if kind.starts_with("streak_") {
        let plain = if detail.is_number() {
            detail.clone()
        } else {
            Value::Null
        };
        let wins = detail.get("wins_before").cloned().unwrap_or(plain);
        put("wins_before", wins);
    }
    Value::Object(entry)
}

/// `play` of the document.
pub(super) fn play(round: &RoundFold, kept: &Kept) -> Result<Value, String> {
    let told = Told::by(round);
    if let Some(trouble) = told.trouble {
        return Err(trouble);
    }
    let house = House::of(round);
    let mut boxes = Vec::new();
    for (&seat, one) in &told.boxes {
        let even_money = even_money(round, &told, seat, one);
        let mut entry = one.entry(seat, &even_money);
        if let Some(caller) = caller(round, seat) {
            entry["caller"] = json!(caller);
        }
        boxes.push(entry);
    }
    let mut dealer = match house.multiple_action {
        true => {
            let hands = told.dealer.hands(house.hits_soft_17).into_iter();
            json!({"hands": hands.map(written).collect::<Vec<_>>()})
        }
        false => json!({"cards": written(told.dealer.cards())}),
    };
    dealer["checked"] = json!(is_checked(round, &told, &house, kept));
    let mut play = json!({"boxes": boxes, "dealer": dealer});
    if told.reader_fault {
        play["reader_fault"] = json!(true);
    }
    if !told.burned.is_empty() {
        play["burned"] = json!(told.burned);
    }
    if let Some(void) = told.void_round {
        play["void_round"] = json!(void);
    }
    if round.rules.game == "blackjack" {
        // One that nobody read is written as such where a wager could share in it.
        let has_shares = || round.wagers.iter().any(|wager| keeps_stake(&wager.kind));
        if told.meter.is_some() || has_shares() {
            play["meters"] = json!({"progressive": told.meter});
        }
        if let Some(determinant) = told
            .determinant
            .clone()
            .or_else(|| determinant(round, &told))
        {
            play["determinant"] = determinant;
        }
        displays(round, &mut play);
    }
    Ok(play)
}

/// Stakes that only a decision tells of. A double or split of that kind is paid with its main wager;
/// what becomes of an insurance of that kind nobody tells.
pub(super) fn untold(round: &RoundFold) -> Vec<WagerFold> {
    let told = Told::by(round);
    let mut untold = Vec::new();
    for offer in &told.offers {
        let covers = |wager: &WagerFold| {
            wager.seat == offer.seat
                && wager.kind == offer.kind
                && (offer.kind == "insurance" || told.hand_of(wager) == Some(offer.hand))
        };
        let main = |wager: &&WagerFold| wager.kind == "main" && wager.seat == offer.seat;
        let Some(main) = round.wagers.iter().find(main) else {
            continue;
        };
        if round.wagers.iter().any(covers) {
            continue;
        }
        let free = offer.kind.starts_with("free_");
        let placed = WagerPlaced {
            wager: format!("{}-{}-{}", main.id, offer.kind, offer.hand),
            seat: offer.seat,
            player: guest(main),
            kind: offer.kind.to_owned(),
            amount: if free { Cents::ZERO } else { offer.amount },
            on: Some(main.id.clone()),
            detail: Some(catwalk_events::Json::new(&json!({"hand": offer.hand}))),
            form: None,
            colour: None,
        };
        // After all of the play: the decision itself has told what it did.
        let mut stake = WagerFold::new(&placed, offer.seq, usize::MAX, false);
        stake.told_with = Some(main.id.clone());
        untold.push(stake);
    }
    untold
}

/// Who calls the hand of a shared box where it is not the one who bet first: nobody says who is seated,
/// but only he must put up more when a hand is doubled or split, 13(b),(d),(e).
fn caller(round: &RoundFold, seat: u32) -> Option<String> {
    let of_seat = || round.wagers.iter().filter(move |wager| wager.seat == seat);
    let who = |wager: &WagerFold| {
        let main = root(round, wager);
        let named = guest(wager).or_else(|| guest(main));
        named.unwrap_or_else(|| format!("p{seat}"))
    };
    let first = of_seat().find(|wager| wager.kind == "main").map(who)?;
    let mut stakes = of_seat().filter(|wager| is_stake(&wager.kind).is_some());
    let adds = stakes.next().map(who)?;
    let first_adds = first == adds || stakes.any(|wager| who(wager) == first);
    (!first_adds).then_some(adds)
}

/// Multiple action where the feed never says which spot a wager lies on: they lie in the order made.
fn untold_spot(round: &RoundFold, wager: &WagerFold) -> Value {
    let is_his = |other: &&WagerFold| {
        other.kind == "main" && other.seat == wager.seat && guest(other) == guest(wager)
    };
    let his: Vec<&WagerFold> = round.wagers.iter().filter(is_his).collect();
    let at = his.iter().position(|other| other.id == wager.id);
    match at.filter(|_| House::of(round).multiple_action) {
        Some(at) if his.iter().all(|other| other.detail.is_none()) => json!(at + 1),
        _ => Value::Null,
    }
}

/// The main wagers of the box that took even money: those of its own player where a decision says so,
/// and those that were paid one to one while nobody could know whether the dealer had blackjack.
fn even_money<'a>(round: &'a RoundFold, told: &Told, seat: u32, one: &BoxFold) -> Vec<&'a str> {
    let mains = || {
        round
            .wagers
            .iter()
            .filter(move |wager| wager.kind == "main" && wager.seat == seat)
    };
    let caller = mains().next().map(guest);
    let is_insured = |main: &WagerFold| {
        let insures =
            |wager: &WagerFold| wager.kind == "insurance" && root(round, wager).id == main.id;
        round.wagers.iter().any(insures)
    };
    let up_is_ace = told.dealer.up().is_some_and(is_ace);
    let offered = House::of(round).even_money && up_is_ace && one.has_blackjack();
    let is_paid_at_once = |main: &WagerFold| {
        let hidden = |paid: u64| told.dealer.both_seen.is_none_or(|seen| paid < seen);
        offered && main.paid == main.amount && main.paid_seq.is_some_and(hidden)
    };
    let is_his = |main: &WagerFold| Some(guest(main)) == caller;
    // On a shared box the word may be another's, who then is paid at once.
    let is_anothers = mains().any(|main| is_paid_at_once(main) && !is_his(main));
    let took = mains().filter(|main| {
        let said = one.even_money && is_his(main) && !is_anothers;
        said || is_paid_at_once(main) && !is_insured(main)
    });
    took.map(|main| main.id.as_str()).collect()
}

/// Did the hole card go into the reader? Where the feed of the table never says so, it did when it had
/// to, unless play went on against a blackjack.
fn is_checked(round: &RoundFold, told: &Told, house: &House, kept: &Kept) -> bool {
    let due = house.hole_card == "reader" && told.is_threatened(round) && !told.reader_fault;
    let missed = told.dealer.has_blackjack() && told.anybody_acted();
    told.dealer.check_told || due && !kept.tells_checks && !missed
}

/// A double shoe, where the round says from which side it was dealt: the first card of the round, burned
/// or dealt, is the one that decided the side, 6(d).
fn determinant(round: &RoundFold, told: &Told) -> Option<Value> {
    let options = round.rules.options.value();
    let sides = options["double_shoe"].as_object()?;
    let side = |key: &str| sides.get(key)?.as_str();
    let (red, black) = (side("hearts_diamonds")?, side("spades_clubs")?);
    let shoe = round.opened.shoe.as_deref()?;
    let dealt = [red, black].into_iter().find(|side| shoe.ends_with(side))?;
    let first = round.play.iter().find_map(|(_, body)| match body {
        Body::CardBurned(burned) => Some((burned.card.clone()?, true)),
        Body::CardDealt(card) => Some((card.card.clone()?, false)),
        _ => None,
    });
    let (card, burned) = first?;
    let suit = card.parse::<Card>().ok()?.suit()?;
    let named = if suit.is_red() { red } else { black };
    // It is burned because it came from the side that it did not name, and dealt because it came from
    // the one that it named.
    let other = if named == red { black } else { red };
    let from = if burned { other } else { named };
    let is_seen = told.burned.contains(&card) || !burned;
    is_seen.then(|| json!({"card": card, "from": from, "dealt_side": dealt}))
}

/// A blackjack bonus whose display nobody told of is taken to have shown what was paid, unless that is
/// what is paid without a display.
fn displays(round: &RoundFold, play: &mut Value) {
    let Some(boxes) = play["boxes"].as_array_mut() else {
        return;
    };
    for one in boxes {
        let seat = one["seat"].as_u64();
        let won = round
            .wagers
            .iter()
            .find(|wager| wager.kind == "blackjack_bonus" && Some(u64::from(wager.seat)) == seat);
        let Some(wager) = won else { continue };
        let detail = wager.detail.as_ref().map(|detail| detail.value());
        let told = detail.and_then(|detail| detail["bonus_display"].as_i64());
        if let Some(told) = told {
            one["bonus_display"] = json!(told);
        }
        let without = wager.amount.times(WITHOUT_DISPLAY);
        if one["bonus_display"].is_null() && wager.paid.is_positive() && wager.paid != without {
            one["bonus_display"] = json!(wager.paid);
        }
    }
}

/// Paid to one where the system shows nothing, 15(p).
const WITHOUT_DISPLAY: i64 = 21;

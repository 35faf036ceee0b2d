//! The round document of the family.

use std::collections::BTreeSet;

use catwalk_events::body::{Body, WagerPlaced};
use catwalk_rules::floor::{Card, Cents};
use catwalk_rules::games::blackjack::{Determinant, ToldBox};
use catwalk_rules::games::spanish_21::DealerCards;
use catwalk_rules::games::{
    Blackjack, FreeBetBlackjack, Spanish21, blackjack, free_bet_blackjack, spanish_21,
};
use catwalk_rules::{Refusal, Shown, UNSEEN};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::boxes::BoxFold;
use super::points::is_ace;
use super::told::{Told, guest, named_hand, root};
use super::watch::Kept;
use super::{House, is_stake, keeps_stake};
use crate::games::told::{Laid, Reading};
use crate::games::{self, Telling};
use crate::round::{RoundFold, WagerFold};

/// What `wagers[i]` of the document has beside what every wager has.
fn wager(round: &RoundFold, told: &Told, wager: &WagerFold) -> Map<String, Value> {
    let detail = wager.detail.as_ref().map(|detail| detail.value());
    let detail = detail.unwrap_or_default();
    let mut entry = Map::new();
    let mut put = |key: &str, value: Value| {
        if !value.is_null() {
            entry.insert(key.to_owned(), value);
        }
    };
    let main = root(round, wager);
    put("player", json!(guest(wager).or_else(|| guest(main))));
    let kind = wager.kind.as_str();
    let stake = is_stake(kind);
    if stake.is_some() || kind == "insurance" {
        let hand = stake.and_then(|_| told.hand_of(wager));
        let hand = hand.or_else(|| stake.and_then(|_| named_hand(wager)));
        put("hand", json!(hand));
        // The split stake that the doubled hand lies on, or the main.
        let under = round.wagers.iter().find(|other| {
            kind.ends_with("double")
                && is_stake(&other.kind).is_some_and(|kind| kind.ends_with("split"))
                && root(round, other).id == main.id
                && stake.and_then(|_| told.hand_of(other)) == hand
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
    }
    if kind == "main" && House::of(round).multiple_action {
        let spot = named_or_bare(&detail, "spot");
        let untold = || untold_spot(round, wager);
        put("spot", if spot.is_null() { untold() } else { spot });
    }
    if kind == "blackjack_bonus" {
        put("bonus_display", json!(told.display_of(wager)));
    }
    if kind.starts_with("streak_") {
        put("wins_before", named_or_bare(&detail, "wins_before"));
    }
    entry
}

/// What a detail has under a key, or a number that is all of it.
fn named_or_bare(detail: &Value, key: &str) -> Value {
    match detail.is_number() {
        true => detail.clone(),
        false => detail[key].clone(),
    }
}

/// A round, and what its events tell.
struct Table<'a> {
    round: &'a RoundFold,
    told: Told,
    house: House,
}

pub(super) fn settle(telling: Telling<'_>) -> games::Told {
    let round = telling.round;
    let table = Table {
        round,
        told: Told::by(round),
        house: House::of(round),
    };
    if let Some(trouble) = &table.told.trouble {
        return Err(Refusal::at("", trouble));
    }
    let checked = is_checked(round, &table.told, &table.house, &telling.standing.read());
    match &*round.rules.game {
        "spanish_21" => telling.settle::<Spanish21>(
            |laid| table.wager(laid),
            |reading| spanish_21::Play {
                boxes: table.boxes(reading),
                burned: table.burned(reading),
                dealer: table.dealer(checked, reading),
                face_up: reading.cards(
                    "face_up",
                    table.told.face_up.iter().map(|card| Some(&**card)),
                ),
                reader_fault: table.told.reader_fault,
                void_round: table.told.void_round,
            },
        ),
        "free_bet_blackjack" => telling.settle::<FreeBetBlackjack>(
            |laid| table.wager(laid),
            |reading| free_bet_blackjack::Play {
                boxes: table.boxes(reading),
                burned: table.burned(reading),
                dealer: table.dealer(checked, reading),
                reader_fault: table.told.reader_fault,
                void_round: table.told.void_round,
            },
        ),
        _ => telling.settle::<Blackjack>(
            |laid| table.wager(laid),
            |reading| blackjack::Play {
                boxes: table.boxes_with_displays(reading),
                burned: table.burned(reading),
                dealer: table.hands_of_dealer(checked, reading),
                determinant: table.determinant(reading),
                meters: table.meters(reading),
                reader_fault: table.told.reader_fault,
                void_round: table.told.void_round,
            },
        ),
    }
}

impl Table<'_> {
    fn wager<W: DeserializeOwned>(&self, laid: &Laid<'_>) -> Result<W, Refusal> {
        laid.read(&wager(self.round, &self.told, laid.fold))
    }

    fn boxes<B: ToldBox>(&self, reading: &mut Reading) -> Vec<B> {
        let mut boxes = Vec::new();
        for (at, (&seat, one)) in self.told.boxes.iter().enumerate() {
            let mut said = Map::new();
            let mut say = |key: &str, word: Option<Value>| {
                said.extend(word.map(|word| (key.to_owned(), word)));
            };
            let even_money = even_money(self.round, &self.told, seat, one);
            say("seat", Some(json!(seat)));
            say("caller", caller(self.round, seat).map(Value::from));
            say("dead", one.dead_for().map(Value::from));
            say(
                "even_money",
                (!even_money.is_empty()).then(|| json!(even_money)),
            );
            say(
                "bonus_display",
                one.display.flatten().map(|display| json!(display)),
            );
            let said: Option<B> = reading.of(format_args!("boxes[{at}]"), &Value::Object(said));
            let cards = reading.cards(format_args!("boxes[{at}].cards"), one.first_cards());
            let steps = one.steps(at, reading);
            boxes.extend(said.map(|said| said.dealt(cards, steps)));
        }
        for seat in without_cards(self.round, &self.told) {
            let said = json!({"seat": seat, "dead": "no_cards"});
            boxes.extend(reading.of(format_args!("boxes[{}]", boxes.len()), &said));
        }
        boxes
    }

    /// A blackjack bonus whose display nobody told of: it was not read. Of a winner who shares his box the box says
    /// nothing.
    fn boxes_with_displays(&self, reading: &mut Reading) -> Vec<blackjack::TableBox> {
        let mut boxes: Vec<blackjack::TableBox> = self.boxes(reading);
        for one in &mut boxes {
            let seat = u32::from(one.seat.number());
            let is_unread = |wager: &&WagerFold| {
                let is_here = wager.kind == "blackjack_bonus" && wager.seat == seat;
                is_here && self.told.display_of(wager).is_none()
            };
            let fold = self.told.boxes.get(&seat);
            let has_won = fold.is_some_and(|fold| fold.display.is_none() && fold.has_blackjack());
            if has_won && self.round.wagers.iter().any(|wager| is_unread(&wager)) {
                one.bonus_display = Some(Shown::Unseen);
                reading.misses();
            }
        }
        boxes
    }

    fn burned(&self, reading: &mut Reading) -> Vec<Card> {
        let burned = self.told.burned.iter().map(|card| Some(&**card));
        reading.cards("burned", burned)
    }

    fn dealer(&self, checked: bool, reading: &mut Reading) -> DealerCards {
        let cards = reading.cards("dealer.cards", self.told.dealer.cards());
        DealerCards { cards, checked }
    }

    fn hands_of_dealer(&self, checked: bool, reading: &mut Reading) -> blackjack::DealerCards {
        let dealer = &self.told.dealer;
        let hands = self
            .house
            .multiple_action
            .then(|| dealer.hands(self.house.hits_soft_17));
        let cards = dealer.cards().into_iter().filter(|_| hands.is_none());
        let cards = reading.cards("dealer.cards", cards);
        let hands = hands.unwrap_or_default().into_iter().enumerate();
        let hands = hands.map(|(at, hand)| reading.cards(format_args!("dealer.hands[{at}]"), hand));
        blackjack::DealerCards {
            cards,
            hands: hands.collect(),
            checked,
        }
    }

    /// One that nobody read is written as such where a wager could share in it.
    fn meters(&self, reading: &mut Reading) -> blackjack::Meters {
        let read = self.told.meter;
        let mut wagers = self.round.wagers.iter();
        let has_shares = read.is_none() && wagers.any(|wager| keeps_stake(&wager.kind));
        if has_shares {
            reading.misses();
        }
        let unread = has_shares.then_some(None);
        blackjack::Meters {
            progressive: read.map(Some).or(unread),
        }
    }

    fn determinant(&self, reading: &mut Reading) -> Option<Determinant> {
        let told = || self.told.determinant.clone();
        let told = self.house.double_shoe.then(told)?;
        let mut told = told.or_else(|| determinant(self.round, &self.told))?;
        if told["card"] != UNSEEN {
            return reading.of("determinant", &told);
        }
        told["card"] = json!(Card::JOKER);
        let card = reading.card("determinant.card", None)?;
        let told: Determinant = reading.of("determinant", &told)?;
        Some(Determinant { card, ..told })
    }
}

/// Seats with a main wager that got no card, though nobody called their hands dead.
pub(super) fn without_cards(round: &RoundFold, told: &Told) -> Vec<u32> {
    let dealt = |seat: u32| told.boxes.contains_key(&seat);
    let is_bare = |wager: &&WagerFold| wager.kind == "main" && !wager.late && !dealt(wager.seat);
    let mains = round.wagers.iter().filter(is_bare);
    let seats: BTreeSet<u32> = mains.map(|main| main.seat).collect();
    match told.void_round {
        Some(_) => Vec::new(),
        None => seats.into_iter().collect(),
    }
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

/// The player of a box who calls its hand unless somebody else is named: who sits there, whose wager names nobody,
/// or else who bet first.
fn default_caller(round: &RoundFold, seat: u32) -> Option<String> {
    let mains = || {
        let mains = round.wagers.iter();
        mains.filter(move |wager| wager.kind == "main" && wager.seat == seat)
    };
    let seated = mains().find(|main| guest(main).is_none());
    seated.or_else(|| mains().next()).map(player)
}

/// A wager's player, by the name that documents have for him.
fn player(wager: &WagerFold) -> String {
    guest(wager).unwrap_or_else(|| seated(wager.seat))
}

/// Who sits at a box goes by its number.
fn seated(seat: u32) -> String {
    format!("p{seat}")
}

/// Who calls the hand of a shared box at which nobody is known to sit, where it is not the one who bet first: only
/// he must put up more when a hand is doubled or split, 13(b),(d),(e).
fn caller(round: &RoundFold, seat: u32) -> Option<String> {
    let first = default_caller(round, seat)?;
    if first == seated(seat) {
        return None;
    }
    let is_stake = |wager: &&WagerFold| wager.seat == seat && is_stake(&wager.kind).is_some();
    let mut stakes = round.wagers.iter().filter(is_stake);
    let who = |wager: &WagerFold| guest(wager).unwrap_or_else(|| player(root(round, wager)));
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
    let caller = default_caller(round, seat);
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
    let is_his = |main: &WagerFold| Some(player(main)) == caller;
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
    let sides = round.rules.option("double_shoe")?;
    let sides = sides.as_object()?;
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

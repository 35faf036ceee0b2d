//! Pai gow with tiles and with cards, from their events.
//!
//! Cards come by `card_dealt` to the dealer and to seats, tiles by `tiles_dealt`; what lies face down
//! and is never named is known from its `hand_set`. The bank is the seat of the `bank` entry, or the one
//! that `round_opened` names; `co_bank` is a decision of it, as a delivery style is. The start is told by
//! `dice_rolled`, by `wheel_spun` for a number that a generator draws or a decision `number` of the dealer
//! who calls it, or by a decision `button` of the position that has it. `surrender` and `abandon` are
//! decisions. A count of the cards left over is `cards_counted` with the scope `stub`. A player who will not
//! have the bank says `decline_bank`. Irregularities have the words of the rules, their keys in `detail`; a
//! choice or ruling may stand in `ruling`. Shakes and washes are told as `shaker` has them.

mod bank;
mod button;
mod causes;
mod course;
mod deal;
mod meter;
mod moved;
mod payments;
mod posted;
mod redeal;
mod shaker;
mod start;
mod stub;
mod words;

use catwalk_events::Event;
use catwalk_events::body::{Body, HandSet, Irregularity};
use catwalk_rules::Edition;
use catwalk_rules::book::Book;
use catwalk_rules::floor::Cents;
use serde_json::{Map, Value, json};

use self::bank::Past;
use self::redeal::last_deal;
use self::words::called_number;
use super::verification::is_deferred;
use super::{
    Case, Documents, End, Folder, Following, Payments, Scene, Staking, Windows, entry, layout,
};
use crate::fault::Fault;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;
use crate::table::RulesInForce;
use crate::watch::Posting;

const FREE: &str = "commission_free_pai_gow_poker";
const FREE_SURRENDER_LATE: &str = "commission_free_pai_gow_poker.surrender_late";
const AREAS: u32 = 6;

/// One of them.
pub(super) struct PaiGow(pub(super) Variant);

/// What is told of it in its own words.
pub(super) struct Variant {
    game: &'static str,
    main: &'static str,
    /// Cards or tiles of a hand.
    size: usize,
    /// What a hand's cards or tiles are called in the document.
    pieces: &'static str,
    /// Dealer, six areas, and the dead hand of the tiles.
    positions: u32,
    surrender_late: &'static str,
    /// The same for a part of the wager that is given back.
    surrender_returned: Option<&'static str>,
    set_touched: &'static str,
    set_order: &'static str,
    void_not_declared: &'static str,
    bank_order: Option<&'static str>,
    /// What wrong payments are called besides, where the text has a word for it.
    fouled_paid: Option<&'static str>,
    bank_reset: Option<&'static str>,
    tiger_ignored: Option<&'static str>,
    commission_taken: Option<&'static str>,
    vigorish_wrong: Option<&'static str>,
    settle_order: Option<&'static str>,
}

/// What the document says of an irregularity beside its name.
const KEYS: [(&str, &[&str]); 4] = [
    ("player_card_exposed", &["seat", "choice"]),
    ("player_tile_exposed", &["seat", "choice"]),
    ("face_up_in_shoe", &["count"]),
    ("card_off_table", &["seat", "ruling"]),
];

pub(super) const TILES: Variant = Variant {
    game: "pai_gow",
    main: "pai_gow",
    size: 4,
    pieces: "tiles",
    positions: 8,
    surrender_late: "pai_gow.surrender_late",
    surrender_returned: None,
    set_touched: "pai_gow.set_order",
    set_order: "pai_gow.set_order",
    void_not_declared: "pai_gow.void_not_declared",
    bank_order: Some("pai_gow.bank_order"),
    fouled_paid: None,
    bank_reset: None,
    tiger_ignored: None,
    commission_taken: None,
    vigorish_wrong: Some("vigorish.wrong"),
    settle_order: None,
};

pub(super) const POKER: Variant = Variant {
    game: "pai_gow_poker",
    main: "pai_gow_poker",
    size: 7,
    pieces: "cards",
    positions: 7,
    surrender_late: "pai_gow_poker.surrender_not_allowed",
    surrender_returned: None,
    set_touched: "pai_gow_poker.set_touched",
    set_order: "pai_gow_poker.set_touched",
    void_not_declared: "pai_gow_poker.void_not_declared",
    bank_order: Some("pai_gow_poker.bank_order"),
    fouled_paid: Some("pai_gow_poker.fouled_paid"),
    bank_reset: Some("pai_gow_poker.bank_reset_missing"),
    tiger_ignored: None,
    commission_taken: None,
    vigorish_wrong: Some("vigorish.wrong"),
    settle_order: Some("settle.order"),
};

pub(super) const COMMISSION_FREE: Variant = Variant {
    game: FREE,
    surrender_late: FREE_SURRENDER_LATE,
    surrender_returned: Some(FREE_SURRENDER_LATE),
    void_not_declared: "commission_free_pai_gow_poker.void_not_declared",
    bank_order: None,
    fouled_paid: Some("commission_free_pai_gow_poker.fouled_paid"),
    bank_reset: None,
    tiger_ignored: Some("payout.tiger_ignored"),
    commission_taken: Some("payout.commission_taken"),
    vigorish_wrong: None,
    settle_order: None,
    ..POKER
};

impl Variant {
    /// Do the rules themselves say how the house sets a hand? In Massachusetts it sets cards, and tiles where
    /// it filed so, as it submitted. 7(d),(e); 9(c),(d), 10(e)
    fn knows_house_way(&self, round: &RoundFold) -> bool {
        let posted = round.rules.option("house_way");
        let is_posted = |way: &str| posted.as_ref().is_some_and(|posted| posted == way);
        match self.size {
            4 => !is_posted("submission"),
            _ => is_ohio(&round.rules) || is_posted("standard"),
        }
    }
}

impl Folder for PaiGow {
    fn game(&self) -> &'static str {
        self.0.game
    }
}

impl Windows for PaiGow {
    /// The bank's entry and an envy marker are the dealer's.
    fn window(&self, kind: &str) -> Option<&'static str> {
        (!matches!(kind, "bank" | "envy")).then_some(MAIN_WINDOW)
    }

    /// Ohio's text names the first card; Massachusetts has called "No more bets" before the start is
    /// drawn.
    fn closes(&self, round: &RoundFold, body: &Body) -> Option<&'static str> {
        let closes = match body {
            body if is_dealt(body) => true,
            Body::DiceRolled(roll) => roll.valid && !is_ohio(&round.rules),
            Body::WheelSpun(draw) => draw.valid && !is_ohio(&round.rules),
            Body::Decision(said) => called_number(said).is_some() && !is_ohio(&round.rules),
            _ => false,
        };
        closes.then_some(MAIN_WINDOW)
    }

    /// 8(h), 10(g): the dealer's own wager lies when the deal begins, and the bank may lower it until then.
    fn is_locked(&self, round: &RoundFold, wager: &WagerFold) -> Option<bool> {
        (wager.kind == "dealer_vs_bank").then(|| has_pieces(round))
    }

    /// In Ohio no wager is made after the call, and none changed after the first card. 7.C there
    fn allows_change(&self, round: &RoundFold, _: &WagerFold, _: Option<Cents>) -> bool {
        is_ohio(&round.rules) && !has_pieces(round)
    }
}

impl Staking for PaiGow {
    /// Progressive chips are in the float before the deal.
    fn keeps_stake(&self, kind: &str) -> bool {
        let wager = Book::of(self.0.game).and_then(|book| book.wager(kind));
        wager.is_some_and(|wager| wager.stake_stays)
    }
}

impl Documents for PaiGow {
    /// A wager beyond the six areas is at no place that could be dealt to.
    fn is_in_document(&self, _: &RoundFold, wager: &WagerFold) -> bool {
        !wager.late && wager.seat <= AREAS
    }

    fn wager(&self, round: &RoundFold, wager: &WagerFold) -> Value {
        let mut entry = entry(wager);
        if wager.kind == "envy" && wager.on.is_none() {
            let marked = marked(self.0.main, round, wager);
            entry.extend(marked.map(|marked| ("on".to_owned(), json!(marked.id))));
        }
        let keys = ["id", "seat", "kind", "amount", "on"];
        entry.retain(|key, _| keys.contains(&key.as_str()));
        if let ("number", Some(number)) = (wager.kind.as_str(), told_number(wager)) {
            entry.insert("number".into(), number);
        }
        Value::Object(entry)
    }

    /// A bank that only the opening of the round names.
    fn roles(&self, round: &RoundFold) -> Vec<Value> {
        let told = round.wagers.iter().any(|wager| wager.kind == "bank");
        match bank::seat(round) {
            Some(seat) if !told => {
                vec![json!({"id": "bank", "seat": seat, "kind": "bank", "amount": 0})]
            }
            _ => Vec::new(),
        }
    }

    fn play(&self, round: &RoundFold, standing: &Standing) -> Result<Value, String> {
        let round = &*last_deal(round);
        let mut play = Map::new();
        if let Some(seat) = bank::seat(round) {
            play.insert("mode".into(), json!(bank::mode(round)));
            play.insert("bank_seat".into(), json!(seat));
            let past = Past::of(standing);
            if let Some(check) = past.check(round, seat) {
                play.insert("bank_check".into(), check);
            }
        }
        let mut irregularities: Vec<Value> = round
            .irregularities()
            .filter_map(|told| irregularity(&self.0, round, told))
            .collect();
        let dealt = deal::read(&self.0, round);
        // A hand that came short has its own record. 11(h); 9.F, 10.F
        if self.0.size == 7 && dealt.short(&self.0, round).is_some() && !is_declared_void(round) {
            irregularities.push(json!({"type": "wrong_card_count"}));
        }
        // A round that is void as a whole may never have been dealt.
        let is_flawed = !irregularities.is_empty();
        if is_flawed {
            play.insert("irregularities".into(), json!(irregularities));
        }
        if let Some(deal) = deal::start(&self.0, round, &dealt) {
            play.insert("deal".into(), deal);
        }
        let hands = dealt.hands(&self.0, round, is_flawed);
        play.insert("hands".into(), json!(hands));
        if let Some(dealer) = dealt.dealer(&self.0, round, is_flawed) {
            play.insert("dealer".into(), dealer);
        }
        if let Some(count) = deal::remaining(round) {
            play.insert("remaining".into(), json!(count));
        }
        let meter = meter::shown(round);
        if meter.is_some() || meter::is_needed(round) {
            play.insert("meters".into(), json!({ "progressive": meter }));
        }
        Ok(Value::Object(play))
    }

    /// Half a hand of tiles is told as such: the text has no record for it.
    fn is_excused(&self, round: &RoundFold) -> bool {
        self.0.size == 4 && self.short(&last_deal(round)).is_some()
    }
}

impl PaiGow {
    fn short(&self, round: &RoundFold) -> Option<(u32, usize)> {
        deal::read(&self.0, round).short(&self.0, round)
    }
}

impl Following for PaiGow {
    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        let round = &*last_deal(scene.round);
        let scene = &Scene { round, ..*scene };
        course::see(&self.0, scene, faults);
        if !scene.round.incomplete {
            payments::see(&self.0, scene, faults);
        }
    }

    fn aside(
        &self,
        event: &Event,
        _: &RulesInForce,
        standing: &mut Standing,
        faults: &mut Vec<Fault>,
    ) -> bool {
        match &event.body {
            Body::TableOpened(_) => standing.keep(&Past::of(standing).reopened()),
            body @ (Body::CardsCounted(_)
            | Body::CardsDelivered(_)
            | Body::CardsInspected(_)
            | Body::CardsRemoved(_)
            | Body::ShoeStarted(_)
            | Body::TilesIntroduced(_)
            | Body::TilesRemoved(_)) => {
                let mut past = Past::of(standing);
                past.stub.see(body);
                past.start.see(body);
                standing.keep(&past);
            }
            body => {
                let mut past = Past::of(standing);
                let is_wash = past.shaker.see(body);
                let is_reading = moved::see(&mut past.moved, event, faults);
                if is_wash || is_reading {
                    standing.keep(&past);
                }
                let short = shaker::told_short(&self.0, body);
                let is_short = short.is_some();
                faults.extend(short.map(|(code, why)| Fault::new(code, vec![event.seq], why)));
                return is_wash || is_short || is_reading;
            }
        }
        true
    }

    fn posted(&self, posting: &Posting<'_>) -> Vec<(&'static str, String)> {
        posted::limit_floor(posting).into_iter().collect()
    }

    fn opened(&self, _: &RoundFold, standing: &mut Standing) {
        let mut past = Past::of(standing);
        past.start.open_round();
        standing.keep(&past);
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, faults: &mut Vec<Fault>) {
        let round = &*last_deal(end.round);
        let end = &End { round, ..*end };
        course::end(&self.0, end, faults);
        course::check_count(&self.0, end, self.short(round), faults);
        payments::check_numbers(end, faults);
        causes::name(&self.0, end, faults);
        payments::check_turns(&self.0, end, faults);
        let mut past = Past::of(standing);
        moved::check(&mut past.moved, end, faults);
        past.shaker.follow(&self.0, end, faults);
        past.shaker.follow_wash(end);
        past.button.follow(&self.0, end, faults);
        past.follow(self.0.main, end);
        let by_machine = past.start.is_by_machine();
        course::check_direction(&self.0, end, by_machine, faults);
        past.stub.follow(end, faults);
        standing.keep(&past);
    }
}

impl Payments for PaiGow {
    fn name(&self, case: &Case<'_>) -> Option<&'static str> {
        self.0
            .vigorish_wrong
            .filter(|_| case.code == "commission.wrong")
    }

    /// Progressives 6.B: without an identification the award waits at the cage.
    fn is_paid_elsewhere(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        let unpaid = self.keeps_stake(&wager.kind) && !wager.paid.is_positive();
        let mut told = round.irregularities();
        unpaid && is_ohio(&round.rules) && told.any(|told| is_deferred(told, wager.seat))
    }

    /// 9(c),(e), 11; 9.F, 10.F: all hands are void. What is decided before the hands are, 13(b), 17(f), stays
    /// settled.
    fn gives_back(&self, _: &RoundFold, wager: &WagerFold) -> bool {
        !payments::EARLY.contains(&wager.kind.as_str())
    }
}

/// Did the house itself call the whole round off by what it told?
fn is_declared_void(round: &RoundFold) -> bool {
    let mut told = round.irregularities();
    let layout = layout(&round.rules);
    layout.is_some_and(|layout| told.any(|told| layout.is_voided_by(&told.kind)))
}

/// An entry of `play.irregularities`; nothing for a word that the edition does not know, or that the areas of the
/// round leave nothing to.
fn irregularity(variant: &Variant, round: &RoundFold, told: &Irregularity) -> Option<Value> {
    let layout = layout(&round.rules).filter(|layout| layout.knows(&told.kind))?;
    let name = told.kind.as_str();
    let keyed = KEYS.iter().find(|(keyed, _)| *keyed == name);
    let keys = keyed.map_or(&[][..], |(_, keys)| keys);
    let detail = told.detail.as_ref().map(|detail| detail.value());
    let mut entry = Map::from_iter([("type".to_owned(), json!(name))]);
    for &key in keys {
        let ruling = told.ruling.to_lowercase();
        let value = match (detail.as_ref().and_then(|detail| detail.get(key)), key) {
            (Some(value), _) => value.clone(),
            (None, "choice") if ruling.contains("void") => json!("void"),
            (None, "ruling") if ruling.contains("dead") => json!("dead"),
            (None, "choice" | "ruling") => json!("play"),
            // A plain value is the first key's.
            (None, _) => detail.clone().filter(|value| value.is_number())?,
        };
        entry.insert(key.to_owned(), value);
    }
    if name.starts_with("bank_") && bank::seat(round).is_none() {
        return None;
    }
    // Where nobody wagers nobody chooses; a tile that lies open there voids all hands. 9(e)
    let area = keyed.and_then(|_| entry.get("seat")?.as_u64());
    if let Some(area) = area.filter(|_| name.starts_with("player_")) {
        let mut wagers = round.wagers.iter().filter(|wager| !wager.late);
        let is_main =
            |wager: &WagerFold| wager.kind == variant.main && u64::from(wager.seat) == area;
        let is_bank = bank::seat(round).is_some_and(|bank| u64::from(bank) == area);
        if !is_bank && !wagers.any(is_main) {
            let unwagered = "unwagered_tile_exposed";
            return layout.knows(unwagered).then(|| json!({"type": unwagered}));
        }
    }
    Some(Value::Object(entry))
}

/// Does this show that the deal has begun? A feed may tell hands only as they are set.
fn is_dealt(body: &Body) -> bool {
    matches!(
        body,
        Body::CardDealt(_) | Body::TilesDealt(_) | Body::HandSet(_)
    )
}

fn has_pieces(round: &RoundFold) -> bool {
    round.play.iter().any(|(_, body)| is_dealt(body))
}

fn is_ohio(rules: &RulesInForce) -> bool {
    rules.edition == Edition::OhJack2017.name()
}

/// What an envy marker lies before where nobody says it: the bonus wager of its area, else its main wager.
fn marked<'a>(main: &str, round: &'a RoundFold, marker: &WagerFold) -> Option<&'a WagerFold> {
    let of_area = || {
        let wagers = round.wagers.iter().filter(|wager| !wager.late);
        wagers.filter(|wager| wager.seat == marker.seat)
    };
    let bonus = of_area().find(|wager| matches!(wager.kind.as_str(), "bonus" | "fortune_bonus"));
    bonus.or_else(|| of_area().find(|wager| wager.kind == main))
}

/// What the detail of a wager says of its number, which may be told as it is; what else is in the detail
/// is no part of the document.
fn told_number(wager: &WagerFold) -> Option<Value> {
    let number = match wager.detail.as_ref()?.value() {
        Value::Object(mut detail) => detail.remove("number")?,
        short => short,
    };
    let parsed = number.as_str().and_then(|text| text.parse::<i64>().ok());
    Some(parsed.map_or(number, |number| json!(number)))
}

/// The number that a wager is on.
fn number_of(wager: &WagerFold) -> Option<u32> {
    let number = told_number(wager).filter(|_| wager.kind == "number")?;
    u32::try_from(number.as_u64()?).ok()
}

/// The setting of the dealer (0) or a seat, as it lay in the end.
fn setting(round: &RoundFold, position: u32) -> Option<&HandSet> {
    let settings = round.play.iter().rev().filter_map(|(_, body)| match body {
        Body::HandSet(set) => Some(set),
        _ => None,
    });
    settings
        .into_iter()
        .find(|set| position_of(round, set) == Some(position))
}

fn position_of(round: &RoundFold, set: &HandSet) -> Option<u32> {
    match set.to.as_str() {
        "dealer" => Some(0),
        "bank" | "banker" => set.seat.or_else(|| bank::seat(round)),
        _ => set.seat.or_else(|| only_area(round)),
    }
}

/// The one area with a main wager: a hand that names none is its.
fn only_area(round: &RoundFold) -> Option<u32> {
    let mains = [TILES.main, POKER.main];
    let wagers = round.wagers.iter();
    let mut areas = wagers.filter(|wager| mains.contains(&wager.kind.as_str()) && !wager.late);
    let area = areas.next()?.seat;
    areas.all(|wager| wager.seat == area).then_some(area)
}

//! The events of a hand of poker put into betting rounds, draws, burns and hands.

use std::collections::{BTreeMap, BTreeSet};

use catwalk_events::body::{Body, CardDealt, CardPlace, Decision, Face};
use catwalk_rules::floor::Card;
use serde_json::{Map, Value, json};

use super::{Document, Kept};
use crate::games::felt;
use crate::round::{RoundFold, WagerFold};

/// How a form is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Board,
    SevenCardStud,
    FiveCardStud,
    Mambo,
    Draw,
}

#[derive(Clone, Debug)]
pub(super) struct Form {
    name: String,
    pub(super) family: Family,
    /// Cards that a player is first dealt, in the draw forms.
    first: usize,
}

impl Form {
    /// As the table posted it. Two cards each and no more are hold'em, whoever says so or not.
    pub(super) fn of(round: &RoundFold) -> Result<Form, String> {
        let posted = round.rules.option("form");
        let posted = posted.as_ref().and_then(Value::as_str).map(str::to_owned);
        let spoken = || {
            let details = round.wagers.iter().map(|wager| wager.detail.as_ref());
            details
                .filter_map(|detail| match detail?.value() {
                    Value::Object(mut detail) => detail.remove("form")?.as_str().map(str::to_owned),
                    _ => None,
                })
                .next()
        };
        let name = posted.or_else(spoken).or_else(|| {
            let seats = felt::seats(&round.play);
            let two = |&seat: &u32| {
                let cards = felt::hand(&round.play, seat);
                cards.len() == 2 && round.rules.option("forced_bet").is_none()
            };
            let holdem = !seats.is_empty() && seats.iter().all(two);
            holdem.then(|| "holdem_high".to_owned())
        });
        let name = name.ok_or("the form of poker was not told")?;
        let family = match name.as_str() {
            name if name.starts_with("seven_card_stud") => Family::SevenCardStud,
            name if name.starts_with("five_card_stud") => Family::FiveCardStud,
            name if name.starts_with("mambo") => Family::Mambo,
            name if name.contains("draw") || name == "badugi" => Family::Draw,
            _ => Family::Board,
        };
        let first = if name == "badugi" { 4 } else { 5 };
        Ok(Form {
            name,
            family,
            first,
        })
    }

    fn is_stud(&self) -> bool {
        !matches!(self.family, Family::Board | Family::Draw)
    }
}

/// A card at a seat.
#[derive(Clone, Copy, Debug)]
struct Held<'a> {
    card: Option<&'a str>,
    up: bool,
    /// Dealt face up, or turned.
    shown: bool,
    /// The draw that it came with.
    draw: Option<usize>,
}

#[derive(Debug)]
struct Drawing<'a> {
    seat: u32,
    /// Cards put down, where they were named.
    discard: Option<Vec<String>>,
    count: Option<usize>,
    reshuffle: bool,
    drawn: Vec<Held<'a>>,
}

/// What the events tell.
#[derive(Debug)]
pub(super) struct Told<'a> {
    form: Form,
    pub(super) button: Option<u32>,
    /// Seats that were dealt in, in order.
    pub(super) dealt: Vec<u32>,
    /// Seats that had bet or posted without being dealt in.
    pub(super) not_dealt: Vec<u32>,
    cards: BTreeMap<u32, Vec<Held<'a>>>,
    shared: Vec<Option<&'a str>>,
    rounds: Vec<Vec<Value>>,
    draws: Vec<Vec<Drawing<'a>>>,
    burns: Vec<u32>,
    pub(super) tells_burns: bool,
    showdown: Vec<(u32, &'static str)>,
    incidents: Vec<Value>,
    pub(super) folded: BTreeSet<u32>,
    /// Seats that put in all they had, by what they and the others did.
    pub(super) all_in: BTreeSet<u32>,
    last_bettor: Option<(usize, u32)>,
}

const INCIDENTS: [&str; 13] = [
    "deck_count",
    "not_shuffled",
    "face_up_in_deck",
    "wrong_start",
    "player_not_dealt",
    "dealt_to_ineligible",
    "off_table",
    "exposed_down_card",
    "hole_exposed",
    "last_hole_exposed",
    "hand_fouled",
    "hand_collected",
    "left_table",
];

const INCIDENT_KEYS: [&str; 10] = [
    "seat",
    "round",
    "after",
    "count",
    "cards",
    "card",
    "elects",
    "protected",
    "contributed",
    "reconstructed",
];

impl<'a> Told<'a> {
    pub(super) fn read(round: &'a RoundFold, form: Form) -> Told<'a> {
        let mut walk = Walk {
            told: Told {
                form,
                button: round.opened.banker,
                dealt: Vec::new(),
                not_dealt: Vec::new(),
                cards: BTreeMap::new(),
                shared: Vec::new(),
                rounds: vec![Vec::new()],
                draws: Vec::new(),
                burns: Vec::new(),
                tells_burns: false,
                showdown: Vec::new(),
                incidents: Vec::new(),
                folded: BTreeSet::new(),
                all_in: BTreeSet::new(),
                last_bettor: None,
            },
            burned: 0,
            acted: false,
            reshuffled: false,
            drew: BTreeSet::new(),
            bets: vec![BTreeMap::new()],
            short: BTreeSet::new(),
            least: least(round),
            order: Vec::new(),
        };
        let mut wagers = round.wagers.iter().peekable();
        for (at, (_, body)) in round.play.iter().enumerate() {
            while let Some(wager) = wagers.next_if(|wager| wager.after_play <= at) {
                walk.wager(wager);
            }
            walk.body(body);
        }
        wagers.for_each(|wager| walk.wager(wager));
        walk.finish(round)
    }

    /// `play` without what other events tell.
    pub(super) fn document(&self, kept: &Kept) -> Document {
        let mut play = Map::new();
        play.insert("form".into(), json!(self.form.name));
        if let (Some(button), false) = (self.button, self.form.is_stud()) {
            play.insert("button".into(), json!(button));
        }
        let hands = self
            .dealt
            .iter()
            .map(|&seat| (seat.to_string(), self.hand(seat)));
        play.insert("hands".into(), Value::Object(hands.collect()));
        let shared: Vec<&str> = self.shared.iter().copied().flatten().collect();
        if !shared.is_empty() {
            let key = match self.form.family {
                Family::SevenCardStud => "common",
                _ => "board",
            };
            play.insert(key.into(), json!(shared));
        }
        if !self.draws.is_empty() {
            let draw = |draw: &Vec<Drawing<'_>>| -> Value {
                let entries = draw
                    .iter()
                    .filter(|entry| !self.is_known_by_its_end(entry.seat));
                entries.map(Drawing::document).collect()
            };
            play.insert("draws".into(), self.draws.iter().map(draw).collect());
        }
        play.insert("rounds".into(), json!(self.rounds));
        if let Some(showdown) = self.showdown() {
            play.insert("showdown".into(), json!(showdown));
        }
        if !self.incidents.is_empty() {
            play.insert("incidents".into(), json!(self.incidents));
        }
        if (self.tells_burns || kept.tells_burns) && !self.burns.is_empty() {
            play.insert("burns".into(), json!(self.burns));
        }
        play
    }

    fn own(&self, seat: u32) -> &[Held<'a>] {
        self.cards.get(&seat).map_or(&[], Vec::as_slice)
    }

    fn hand(&self, seat: u32) -> Value {
        let own = self.own(seat);
        let names = |cards: &[Held<'_>]| -> Value {
            let cards: Option<Vec<&str>> = cards.iter().map(|held| held.card).collect();
            json!(cards)
        };
        if self.form.is_stud() {
            let of = |up: bool| own.iter().copied().filter(|held| held.up == up).collect();
            let (down, up): (Vec<Held<'_>>, Vec<Held<'_>>) = (of(false), of(true));
            return json!({"down": names(&down), "up": names(&up)});
        }
        if self.form.family != Family::Draw {
            return names(own);
        }
        let of = |keep: &dyn Fn(&Held<'_>) -> bool| -> Vec<Held<'_>> {
            own.iter().copied().filter(|held| keep(held)).collect()
        };
        if self.is_known_by_its_end(seat) {
            return names(&of(&|held| held.shown));
        }
        names(&of(&|held| held.draw.is_none()))
    }

    /// A hand of a draw form of which only the cards shown in the end are known: it is written as if
    /// it had stood pat on them.
    fn is_known_by_its_end(&self, seat: u32) -> bool {
        let own = self.own(seat);
        let unseen = own.iter().any(|held| held.card.is_none());
        let entries = self
            .draws
            .iter()
            .flatten()
            .filter(|entry| entry.seat == seat);
        let untold = entries.clone().any(|entry| entry.discard.is_none());
        let shown = own.iter().filter(|held| held.shown).count();
        self.form.family == Family::Draw && (unseen || untold) && shown == self.form.first
    }

    fn is_seen(&self, seat: u32) -> bool {
        match self.hand(seat) {
            Value::Null => false,
            Value::Object(hand) => !hand["down"].is_null(),
            _ => true,
        }
    }

    /// Who showed and who did not: as it was said, and where it was not, the last bettor first and who
    /// was never seen conceded.
    fn showdown(&self) -> Option<Vec<Value>> {
        let is_in = |seat: &&u32| !self.folded.contains(seat);
        let players: Vec<u32> = self.dealt.iter().filter(is_in).copied().collect();
        if players.len() < 2 {
            return None;
        }
        let last = self.rounds.len().checked_sub(1);
        let first = self.last_bettor.filter(|(round, _)| Some(*round) == last);
        let first = first.map_or(0, |(_, seat)| seat);
        let (before, after): (Vec<u32>, Vec<u32>) =
            players.into_iter().partition(|&seat| seat < first);
        let rest = after.into_iter().chain(before);
        let said: Vec<u32> = self.showdown.iter().map(|&(seat, _)| seat).collect();
        let rest = rest.filter(|seat| !said.contains(seat));
        let rest = rest.map(|seat| (seat, if self.is_seen(seat) { "show" } else { "muck" }));
        let all: Vec<(u32, &str)> = self.showdown.iter().copied().chain(rest).collect();
        if said.is_empty() && all.iter().all(|&(_, act)| act == "show") {
            return None;
        }
        let entries = all
            .iter()
            .map(|(seat, act)| json!({"seat": seat, "act": act}));
        Some(entries.collect())
    }
}

impl Drawing<'_> {
    fn document(&self) -> Value {
        let mut entry = Map::new();
        entry.insert("seat".into(), json!(self.seat));
        let drawn: Option<Vec<&str>> = self.drawn.iter().map(|held| held.card).collect();
        if let Some(discard) = &self.discard {
            entry.insert("discard".into(), json!(discard));
        }
        if let Some(drawn) = &drawn {
            entry.insert("draw".into(), json!(drawn));
        }
        if drawn.is_none() || self.discard.is_none() {
            let count = self.count.unwrap_or(self.drawn.len());
            entry.insert("count".into(), json!(count));
        }
        if self.reshuffle {
            entry.insert("reshuffle".into(), json!(true));
        }
        Value::Object(entry)
    }
}

/// On the way through the events.
struct Walk<'a> {
    told: Told<'a>,
    /// Cards burned since the last deal.
    burned: u32,
    /// Somebody has bet, checked or folded since the last draw began.
    acted: bool,
    reshuffled: bool,
    /// Seats that had their turn in the draw that is going on.
    drew: BTreeSet<u32>,
    /// Bets by betting round and seat.
    bets: Vec<BTreeMap<u32, i64>>,
    /// Seats whose last act was a bet or raise below the least of the betting round.
    short: BTreeSet<u32>,
    least: Vec<i64>,
    /// Seats in the order of their first card.
    order: Vec<u32>,
}

impl<'a> Walk<'a> {
    fn wager(&mut self, wager: &'a WagerFold) {
        let street = self.street();
        self.reach(street);
        let level = self.bets[street]
            .values()
            .copied()
            .max()
            .unwrap_or_default();
        let bet = self.bets[street].entry(wager.seat).or_default();
        if wager.kind != "ante" {
            *bet += wager.amount.get();
        }
        let (bet, raised) = (*bet, *bet - level);
        if matches!(
            wager.kind.as_str(),
            "ante" | "blind" | "kill_blind" | "straddle"
        ) {
            return;
        }
        self.short.remove(&wager.seat);
        if matches!(wager.kind.as_str(), "bet" | "raise") {
            self.told.last_bettor = Some((street, wager.seat));
            // A first raise over a small forced bet or blind may stop at the least.
            let is_short = |&least: &i64| raised < least && !(street == 0 && bet >= least);
            if self.least.get(street).is_some_and(is_short) {
                self.short.insert(wager.seat);
            }
        }
        self.acted = true;
        let action = json!({"seat": wager.seat, "act": "wager", "id": wager.id});
        self.told.rounds[street].push(action);
    }

    fn body(&mut self, body: &'a Body) {
        match body {
            Body::CardDealt(dealt) => self.deal(dealt),
            Body::CardRevealed(shown) => {
                let known = match (shown.to, shown.seat) {
                    (CardPlace::Community, _) => {
                        let card = self.told.shared.get_mut(shown.index as usize);
                        if let Some(card) = card {
                            *card = Some(&shown.card);
                        }
                        return;
                    }
                    (_, Some(seat)) => self.told.cards.get_mut(&seat),
                    _ => None,
                };
                if let Some(held) = known.and_then(|cards| cards.get_mut(shown.index as usize)) {
                    held.card = Some(&shown.card);
                    held.shown = true;
                }
            }
            Body::CardBurned(_) => self.burn(),
            Body::Decision(decision) => self.decide(decision),
            Body::Irregularity(told) if told.kind.contains("reshuffle") => self.reshuffled = true,
            Body::Irregularity(told) if INCIDENTS.contains(&told.kind.as_str()) => {
                let mut entry = match told.detail.as_ref().map(|detail| detail.value()) {
                    Some(Value::Object(detail)) => detail,
                    _ => Map::new(),
                };
                entry.retain(|key, _| INCIDENT_KEYS.contains(&key.as_str()));
                entry.insert("kind".into(), json!(told.kind));
                let street = self.street();
                self.reach(street);
                let placed = matches!(
                    told.kind.as_str(),
                    "wrong_start"
                        | "player_not_dealt"
                        | "hand_fouled"
                        | "hand_collected"
                        | "left_table"
                );
                if placed && !entry.contains_key("round") {
                    entry.insert("round".into(), json!(street));
                    let after = self.told.rounds[street].len();
                    entry.entry("after").or_insert(json!(after));
                }
                self.told.incidents.push(Value::Object(entry));
            }
            _ => {}
        }
    }

    fn deal(&mut self, dealt: &'a CardDealt) {
        let before = self.street();
        let up = dealt.face == Face::Up;
        let card = dealt.card.as_deref();
        if dealt.to == CardPlace::Community {
            self.told.shared.push(card);
        } else if let Some(seat) = dealt.seat {
            if !self.order.contains(&seat) {
                self.order.push(seat);
            }
            let count = self.told.own(seat).len();
            let drawn = self.told.form.family == Family::Draw && count >= self.told.form.first;
            if drawn && (self.told.draws.is_empty() || self.acted) {
                self.begin_draw();
            }
            let held = Held {
                card,
                up,
                shown: up,
                draw: drawn.then(|| self.told.draws.len() - 1),
            };
            self.told.cards.entry(seat).or_default().push(held);
            if drawn {
                self.drew.insert(seat);
                self.entry(seat);
            }
        }
        let after = self.street();
        if after > before && self.told.form.family != Family::Draw {
            self.told.burns.push(std::mem::take(&mut self.burned));
        }
        self.reach(after);
    }

    fn burn(&mut self) {
        self.told.tells_burns = true;
        if self.told.form.family != Family::Draw {
            self.burned += 1;
            return;
        }
        let waiting = !self.acted && self.told.draws.last().is_some_and(Vec::is_empty);
        if waiting && self.drew.is_empty() {
            if let Some(burns) = self.told.burns.last_mut() {
                *burns += 1;
            }
        } else if self.acted || !self.drew.is_empty() {
            self.burned += 1;
            self.begin_draw();
        } else {
            self.burned += 1;
        }
    }

    fn begin_draw(&mut self) {
        self.told.draws.push(Vec::new());
        self.told.burns.push(std::mem::take(&mut self.burned));
        self.acted = false;
        self.drew.clear();
        let street = self.street();
        self.reach(street);
    }

    /// The entry of a seat in the draw that is going on.
    fn entry(&mut self, seat: u32) -> Option<&mut Drawing<'a>> {
        let reshuffle = std::mem::take(&mut self.reshuffled);
        let draw = self.told.draws.last_mut()?;
        if let Some(at) = draw.iter().position(|entry| entry.seat == seat) {
            draw[at].reshuffle |= reshuffle;
            return draw.get_mut(at);
        }
        draw.push(Drawing {
            seat,
            discard: None,
            count: None,
            reshuffle,
            drawn: Vec::new(),
        });
        draw.last_mut()
    }

    fn decide(&mut self, decision: &'a Decision) {
        let seat = decision.seat;
        let mut words = decision.action.split([' ', ',', ':']);
        match words.next().unwrap_or_default() {
            act @ ("fold" | "check") => {
                let street = self.street();
                self.reach(street);
                self.acted = true;
                self.short.remove(&seat);
                self.told.rounds[street].push(json!({"seat": seat, "act": act}));
                if act == "fold" {
                    self.told.folded.insert(seat);
                }
            }
            "show" => self.told.showdown.push((seat, "show")),
            "muck" | "concede" => self.told.showdown.push((seat, "muck")),
            "draw" | "discard" | "stand_pat" | "pat" if self.told.form.family == Family::Draw => {
                if self.told.draws.is_empty() || self.acted || self.drew.contains(&seat) {
                    self.begin_draw();
                }
                self.drew.insert(seat);
                let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
                let cards: Vec<String> = words
                    .iter()
                    .filter(|word| word.parse::<Card>().is_ok())
                    .map(|word| (*word).to_owned())
                    .collect();
                let number = words.iter().find_map(|word| word.parse::<usize>().ok());
                let spoken = decision
                    .amount
                    .and_then(|amount| usize::try_from(amount.get()).ok());
                let count = number.or(spoken);
                if !cards.is_empty() {
                    if let Some(entry) = self.entry(seat) {
                        entry.discard = Some(cards);
                    }
                } else if let Some(count) = count.filter(|&count| count > 0)
                    && let Some(entry) = self.entry(seat)
                {
                    entry.count = Some(count);
                }
            }
            _ => {}
        }
    }

    /// The betting round that the cards on the table belong to.
    fn street(&self) -> usize {
        let own = self.told.cards.values().map(Vec::len).max().unwrap_or(0);
        let shared = self.told.shared.len();
        match self.told.form.family {
            Family::Board => match shared {
                0 => 0,
                1..=3 => 1,
                more => more - 2,
            },
            Family::SevenCardStud => (own + shared).saturating_sub(3),
            Family::FiveCardStud => own.saturating_sub(2),
            Family::Mambo if shared > 0 => 2,
            Family::Mambo => own.saturating_sub(2),
            Family::Draw => self.told.draws.len(),
        }
    }

    fn reach(&mut self, street: usize) {
        while self.told.rounds.len() <= street {
            self.told.rounds.push(Vec::new());
        }
        while self.bets.len() <= street {
            self.bets.push(BTreeMap::new());
        }
    }

    fn finish(mut self, round: &RoundFold) -> Told<'a> {
        // Cards that came with a draw belong to its entry.
        for (&seat, cards) in &self.told.cards {
            for held in cards {
                let draw = held.draw.and_then(|draw| self.told.draws.get_mut(draw));
                let entry = draw.and_then(|draw| draw.iter_mut().find(|entry| entry.seat == seat));
                if let Some(entry) = entry {
                    entry.drawn.push(*held);
                }
            }
        }
        let mut dealt: Vec<u32> = self.told.cards.keys().copied().collect();
        let skipped = self.told.incidents.iter();
        let skipped = skipped.filter(|incident| incident["kind"] == "player_not_dealt");
        let skipped = skipped.filter_map(|incident| incident["seat"].as_u64());
        dealt.extend(skipped.filter_map(|seat| u32::try_from(seat).ok()));
        dealt.sort_unstable();
        dealt.dedup();
        let bettors = round.wagers.iter().map(|wager| wager.seat);
        let outside: BTreeSet<u32> = bettors.filter(|seat| !dealt.contains(seat)).collect();
        self.told.not_dealt = outside.into_iter().collect();
        // The button is dealt last.
        let last = self.order.last().copied();
        let last = last.filter(|_| !self.told.form.is_stud());
        self.told.button = self.told.button.or(last);
        let in_hand = dealt.iter().filter(|seat| !self.told.folded.contains(seat));
        let in_hand: Vec<u32> = in_hand.copied().collect();
        // Who is alone has no more to answer.
        let alone = in_hand.len() < 2;
        let all_in = in_hand
            .into_iter()
            .filter(|&seat| self.short.contains(&seat) || (!alone && self.looks_all_in(seat)));
        self.told.all_in = all_in.collect();
        self.told.dealt = dealt;
        self.told
    }

    /// The seat stayed in although it owed chips, had no turn where others checked, or never had one.
    fn looks_all_in(&self, seat: u32) -> bool {
        let acts = |round: &Vec<Value>| round.iter().any(|action| action["seat"] == seat);
        let checks = |round: &&Vec<Value>| round.iter().any(|action| action["act"] == "check");
        let owes = self.bets.iter().any(|bets| {
            let level = bets.values().copied().max().unwrap_or_default();
            bets.get(&seat).copied().unwrap_or_default() < level
        });
        let mut checked = self.told.rounds.iter().filter(checks);
        let skipped = checked.any(|round| !acts(round));
        owes || skipped || !self.told.rounds.iter().any(acts)
    }
}

/// The least bet of each betting round, doubled where a kill may be in force.
fn least(round: &RoundFold) -> Vec<i64> {
    let kill = round
        .rules
        .option("kill")
        .is_some_and(|kill| !kill.is_null());
    let times = if kill { 2 } else { 1 };
    let limits = round.rules.option("bet_limits");
    let limits = limits.as_ref().and_then(Value::as_array);
    let least = limits.into_iter().flatten().map(|pair| pair[0].as_i64());
    least
        .map(|least| least.unwrap_or_default() * times)
        .collect()
}

//! A round of a stud game as the events of an honest dealer, from its document.

use std::collections::{BTreeMap, BTreeSet};

use catwalk_stories::open;
use serde_json::{Map, Value, json};

/// What of a game its documents do not say.
pub(super) struct Game {
    pub(super) name: &'static str,
    pub(super) main: &'static str,
    /// Cards of a hand.
    pub(super) hand: usize,
    /// Wagers that are put up after the deal, in their order.
    pub(super) later: &'static [&'static str],
    /// Where the cards of the house lie, and which of them are dealt open.
    pub(super) house: &'static str,
    pub(super) open: &'static [usize],
    /// Wagers whose stake stays with the house: a prize is all that the player gets.
    pub(super) stays: &'static [&'static str],
}

/// Tells a round from its document, as an honest dealer plays it.
pub(super) struct Teller<'a> {
    game: &'a Game,
    document: &'a Value,
    bodies: Vec<Value>,
    /// The hands by seat, and who holds them.
    hands: BTreeMap<u64, &'a [Value]>,
    players: BTreeMap<u64, &'a Value>,
    folded: BTreeSet<u64>,
    /// Wagers that were taken back by their players.
    back: BTreeSet<&'a str>,
}

impl<'a> Teller<'a> {
    pub(super) fn tell(game: &Game, document: &Value, settlement: &Value) -> Vec<Value> {
        let edition = document["edition"].as_str().unwrap();
        let mut teller = Teller {
            game,
            document,
            bodies: vec![open(game.name, edition, document["options"].clone())],
            hands: BTreeMap::new(),
            players: BTreeMap::new(),
            folded: BTreeSet::new(),
            back: BTreeSet::new(),
        };
        teller.sit_down();
        teller.bet();
        teller.deal();
        teller.irregularities();
        match game.name {
            "let_it_ride" => teller.ride(),
            _ => teller.decide(),
        }
        teller.show();
        teller.pay(settlement);
        teller.put(json!({"type": "round_closed"}));
        teller.bodies
    }

    fn put(&mut self, body: Value) {
        self.bodies.push(body);
    }

    fn play(&self) -> &'a Value {
        &self.document["play"]
    }

    fn wagers(&self) -> &'a [Value] {
        list(&self.document["wagers"])
    }

    fn edition(&self) -> &'a str {
        self.document["edition"].as_str().unwrap()
    }

    fn sit_down(&mut self) {
        let hands = &self.play()["hands"];
        for hand in list(hands) {
            let seat = number(&hand["seat"]);
            self.hands.insert(seat, list(&hand["cards"]));
            if !hand["player"].is_null() {
                self.players.insert(seat, &hand["player"]);
            }
        }
        for (seat, cards) in hands.as_object().into_iter().flatten() {
            self.hands.insert(seat.parse().unwrap(), list(cards));
        }
        for (seat, player) in self.play()["players"].as_object().into_iter().flatten() {
            self.players.insert(seat.parse().unwrap(), player);
        }
    }

    fn bet(&mut self) {
        let mut opened = json!({"type": "round_opened"});
        if let Some(meters) = self.play().get("meters") {
            opened["meters"] = meters.clone();
        }
        self.put(opened);
        for wager in self.wagers() {
            if !self.game.later.contains(&kind(wager)) {
                self.place(wager);
            }
        }
        let is_ohio = self.edition() == "oh-jack-2017";
        let first_card_closes = match self.game.name {
            "crazy_four_poker" | "mississippi_stud" => true,
            "let_it_ride" => is_ohio,
            _ => false,
        };
        if !first_card_closes {
            self.put(json!({"type": "betting_closed"}));
        }
    }

    fn place(&mut self, wager: &Value) {
        let seat = number(&wager["seat"]);
        let mut placed = json!({"type": "wager_placed", "wager": wager["id"], "seat": seat,
            "kind": wager["kind"], "amount": wager["amount"]});
        if let Some(on) = wager.get("on") {
            placed["on"] = on.clone();
        }
        if let Some(player) = self.players.get(&seat) {
            placed["player"] = (*player).clone();
        }
        self.put(placed);
    }

    fn house(&self) -> &'a [Value] {
        list(&self.play()[self.game.house])
    }

    /// The board of mississippi stud comes card by card.
    fn is_dealt_by_street(&self) -> bool {
        self.game.name == "mississippi_stud"
    }

    fn deal(&mut self) {
        let house = self.house();
        let hands = self.hands.clone();
        for pass in 0..self.game.hand.max(house.len()) {
            for (&seat, cards) in &hands {
                if pass < self.game.hand {
                    self.deal_hand(seat, cards.get(pass));
                }
            }
            if !self.is_dealt_by_street() && pass < house.len() {
                self.deal_house(pass);
            }
        }
        for (&seat, cards) in &hands {
            let surplus = cards.iter().skip(self.game.hand);
            surplus.for_each(|card| self.deal_hand(seat, Some(card)));
        }
        if !self.is_dealt_by_street() {
            for card in list(&self.play()["burned"]) {
                self.put(json!({"type": "card_burned", "card": card}));
            }
        }
    }

    fn deal_hand(&mut self, seat: u64, card: Option<&Value>) {
        if let Some(card) = card {
            self.put(
                json!({"type": "card_dealt", "to": "seat", "seat": seat, "card": card,
                "face": "down"}),
            );
        }
    }

    fn deal_house(&mut self, at: usize) {
        let is_open = self.is_dealt_by_street() || self.game.open.contains(&at);
        let mut dealt = json!({"type": "card_dealt", "to": self.game.house,
            "face": if is_open { "up" } else { "down" }});
        if is_open {
            dealt["card"] = self.house()[at].clone();
        }
        self.put(dealt);
    }

    fn irregularities(&mut self) {
        let mut valid = self.play().get("ruled_valid");
        for told in list(&self.play()["irregularities"]) {
            let mut detail: Map<String, Value> = told.as_object().unwrap().clone();
            let kind = detail.remove("code").unwrap();
            if let Some(valid) = valid.take() {
                detail.insert("ruled_valid".to_owned(), valid.clone());
            }
            let mut body = json!({"type": "irregularity", "kind": kind, "ruling": "supervisor"});
            if !detail.is_empty() {
                body["detail"] = Value::Object(detail);
            }
            self.put(body);
        }
    }

    fn say(&mut self, seat: u64, action: &str) {
        self.put(json!({"type": "decision", "seat": seat, "action": action}));
    }

    fn is_abandoned(&self, seat: u64) -> bool {
        let mut gone = list(&self.play()["abandoned"]).iter();
        gone.any(|gone| number(gone) == seat)
    }

    /// Seats with a wager of a kind, ascending.
    fn seats(&self, kinds: &[&str]) -> BTreeSet<u64> {
        let wagers = self.wagers().iter();
        let wagers = wagers.filter(|wager| kinds.contains(&kind(wager)));
        wagers.map(|wager| number(&wager["seat"])).collect()
    }

    /// Every seat in its turn puts up what comes next, or folds.
    fn decide(&mut self) {
        let decided: BTreeMap<u64, &Value> = list(&self.play()["hands"])
            .iter()
            .map(|hand| (number(&hand["seat"]), &hand["decision"]))
            .collect();
        let kinds: Vec<&str> = [self.game.main]
            .into_iter()
            .chain(self.game.later.iter().copied())
            .collect();
        let mut seats = self.seats(&kinds);
        seats.extend(
            decided
                .iter()
                .filter(|(_, said)| !said.is_null())
                .map(|(seat, _)| *seat),
        );
        for (street, later) in self.game.later.iter().enumerate() {
            for &seat in &seats {
                if let Some(said) = decided.get(&seat).and_then(|said| said.as_str()) {
                    self.say(seat, said);
                }
                self.put_up(seat, later, decided.is_empty());
            }
            if self.is_dealt_by_street() {
                if let Some(burned) = self.play()["burned"].get(street) {
                    self.put(json!({"type": "card_burned", "card": burned}));
                }
                if street < self.house().len() {
                    self.deal_house(street);
                }
            }
        }
        let gone: Vec<u64> = seats
            .iter()
            .copied()
            .filter(|&seat| self.is_abandoned(seat))
            .collect();
        for seat in gone {
            self.say(seat, "abandoned");
        }
        if self.game.name == "double_down_stud" {
            self.put(json!({"type": "betting_closed"}));
        }
    }

    /// `folds` where who puts nothing up has to say so.
    fn put_up(&mut self, seat: u64, later: &str, folds: bool) {
        let is_its = |wager: &&Value| number(&wager["seat"]) == seat && kind(wager) == later;
        let wagers: Vec<&Value> = self.wagers().iter().filter(is_its).collect();
        for wager in &wagers {
            self.place(wager);
        }
        let stays_free = self.game.name == "double_down_stud" || self.is_abandoned(seat);
        let has_main = self.seats(&[self.game.main]).contains(&seat);
        if folds && wagers.is_empty() && !stays_free && has_main && self.folded.insert(seat) {
            self.say(seat, "fold");
        }
    }

    /// A card of the board is turned after each decision.
    fn ride(&mut self) {
        let decisions = &self.play()["decisions"];
        for (street, bet) in ["bet_1", "bet_2"].into_iter().enumerate() {
            for seat in self.seats(&["bet_1", "bet_2", "bet_3"]) {
                let said = &decisions[seat.to_string()][bet];
                let Some(said) = said.as_str() else { continue };
                self.say(seat, &format!("{said} {bet}"));
                if said == "withdraw" {
                    let mut wagers = self.wagers().iter();
                    let wager = wagers.find(|w| number(&w["seat"]) == seat && kind(w) == bet);
                    let id = wager.unwrap()["id"].as_str().unwrap();
                    self.back.insert(id);
                    self.put(json!({"type": "wager_pushed", "wager": id}));
                }
            }
            self.turn(street);
        }
        for (seat, said) in decisions.as_object().into_iter().flatten() {
            if let Some(said) = said["bet_3"].as_str() {
                self.say(seat.parse().unwrap(), &format!("{said} bet_3"));
            }
        }
        for seat in self.seats(&["bet_1"]) {
            if self.is_abandoned(seat) {
                self.say(seat, "abandoned");
            }
        }
    }

    fn turn(&mut self, at: usize) {
        if let Some(card) = self.house().get(at) {
            self.put(
                json!({"type": "card_revealed", "to": self.game.house, "index": at,
                "card": card}),
            );
        }
    }

    /// The dealer turns over what was hidden.
    fn show(&mut self) {
        if self.game.house == "dealer" {
            for at in 0..self.house().len() {
                if !self.game.open.contains(&at) {
                    self.turn(at);
                }
            }
        }
    }

    /// From the last seat to the first, and envy in the end.
    fn pay(&mut self, settlement: &Value) {
        let due: BTreeMap<&str, &Value> = list(&settlement["wagers"])
            .iter()
            .map(|due| (due["id"].as_str().unwrap(), due))
            .collect();
        let mut wagers: Vec<&Value> = self.wagers().iter().collect();
        // A meter pays in the order of the deal; at caribbean stud with the hand, from the dealer's right.
        let pays_last = self.game.name != "caribbean_stud";
        wagers.sort_by_key(|wager| {
            let of_meter = pays_last && kind(wager) == "progressive";
            let seat = number(&wager["seat"]) as i64;
            (of_meter, if of_meter { seat } else { -seat })
        });
        for wager in wagers {
            let id = wager["id"].as_str().unwrap();
            if !self.back.contains(id) {
                self.settle_one(wager, due[id]);
            }
        }
    }

    fn settle_one(&mut self, wager: &Value, due: &Value) {
        let id = &wager["id"];
        let stays = self.game.stays.contains(&kind(wager));
        let won = if stays { &due["returned"] } else { &due["win"] };
        match due["result"].as_str().unwrap() {
            "win" if won != 0 => self.award(wager, won),
            "lose" => {
                self.put(json!({"type": "wager_collected", "wager": id}));
                if won != 0 {
                    self.award(wager, won);
                }
            }
            _ => self.put(json!({"type": "wager_pushed", "wager": id})),
        }
    }

    fn award(&mut self, wager: &Value, amount: &Value) {
        let person = |role: &str| json!({"id": "p-1", "role": role});
        let meter = match kind(wager) {
            _ if self.play()["meters"].is_null() => None,
            "progressive" => Some("progressive"),
            kind if kind.starts_with("five_card_bonus") => Some("five_card_bonus"),
            _ => None,
        };
        let Some(meter) = meter else {
            let paid = json!({"type": "wager_paid", "wager": wager["id"], "amount": amount});
            return self.put(paid);
        };
        self.put(
            json!({"type": "jackpot_paid", "meter": meter, "wager": wager["id"],
            "amount": amount, "by": person("floorperson"), "witness": person("surveillance")}),
        );
    }
}

pub(super) fn kind(wager: &Value) -> &str {
    wager["kind"].as_str().unwrap()
}

pub(super) fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

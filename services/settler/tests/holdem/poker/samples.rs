//! Every sample hand of the poker room, told as events, settles as its document does, and what is found is what the
//! document shows.

use std::sync::LazyLock;

use catwalk_rules::Rulebook;
use catwalk_stories::{open, settle};
use serde_json::{Map, Value, json};

static SAMPLES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let rulebook = Rulebook::load().unwrap();
    let lines = rulebook.game("poker").unwrap().examples().lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
});

#[test]
fn every_sample_hand_told_as_events_settles_as_its_document() {
    let mut wrong = Vec::new();
    let mut told = 0;
    for sample in SAMPLES.iter() {
        let name = sample["name"].as_str().unwrap();
        let expected = &sample["settlement"];
        if expected.get("error").is_some() {
            continue;
        }
        told += 1;
        let bodies = Teller::tell(&sample["document"], expected);
        let (findings, rounds) = settle(&bodies);
        let mut codes: Vec<&str> = findings.iter().map(|found| &*found.code).collect();
        codes.sort_unstable();
        codes.dedup();
        let settled = rounds[0].settlement.as_ref().map(|settled| {
            let mut settled = serde_json::to_value(settled).unwrap();
            settled.as_object_mut().unwrap().remove("game");
            settled
        });
        if settled.as_ref() != Some(expected) || json!(codes) != expected["violations"] {
            let settled = settled.unwrap_or_default();
            let document = rounds[0].document.clone().unwrap_or_default();
            wrong.push(format!(
                "{name}\n  found {codes:?}\n  expected {expected}\n  got      {settled}\n  of {document}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {told}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(told > 50, "{told}");
}

/// Tells a hand from its document.
struct Teller<'a> {
    document: &'a Value,
    bodies: Vec<Value>,
    /// Seats that were dealt in, in the order of the deal.
    order: Vec<u64>,
    folded: Vec<u64>,
    /// Cards of each seat that were told, and those of the hand that come next: face down, face up.
    next: Map<String, Value>,
}

impl<'a> Teller<'a> {
    fn tell(document: &'a Value, settlement: &Value) -> Vec<Value> {
        let play = &document["play"];
        let mut options = document["options"].clone();
        options["form"] = play["form"].clone();
        let edition = document["edition"].as_str().unwrap();
        let seats = list(&play["seats"]).iter();
        let is_in = |seat: &&Value| seat["in"] != false;
        let seats: Vec<u64> = seats
            .filter(is_in)
            .map(|seat| seat["seat"].as_u64().unwrap())
            .collect();
        let button = play["button"].as_u64().unwrap_or(0);
        let mut order = seats;
        order.sort_unstable_by_key(|&seat| (seat <= button, seat));
        let mut teller = Teller {
            document,
            bodies: vec![open("poker", edition, options)],
            order,
            folded: Vec::new(),
            next: Map::new(),
        };
        teller.sit_down();
        teller.play();
        teller.end(settlement);
        teller.bodies
    }

    fn put(&mut self, body: Value) {
        self.bodies.push(body);
    }

    fn sit_down(&mut self) {
        let play = &self.document["play"];
        for seat in list(&play["seats"]) {
            self.put(json!({"type": "buy_in", "seat": seat["seat"], "amount": seat["stack"], "form": "cash"}));
        }
        let mut opened = json!({"type": "round_opened"});
        if let Some(button) = play["button"].as_u64() {
            opened["banker"] = json!(button);
        }
        if let Some(fund) = play["jackpot_fund"].as_i64() {
            opened["meters"] = json!({ "bad_beat": fund });
        }
        self.put(opened);
        let acts: Vec<&Value> = list(&play["rounds"]).iter().flat_map(list).collect();
        let is_post = |wager: &&Value| acts.iter().all(|act| act["id"] != wager["id"]);
        let wagers = list(&self.document["wagers"]).iter();
        let posts: Vec<&Value> = wagers.filter(is_post).collect();
        let mut vacant = play.get("vacant_blinds");
        for post in posts {
            let mut detail = Map::new();
            if let Some(vacant) = vacant.take() {
                detail.insert("vacant_blinds".into(), vacant.clone());
            }
            self.wager(post, detail);
        }
    }

    fn wager(&mut self, wager: &Value, mut detail: Map<String, Value>) {
        for key in ["announced", "verbal", "single_chip"] {
            if let Some(said) = wager.get(key) {
                detail.insert(key.to_owned(), said.clone());
            }
        }
        let mut placed = json!({"type": "wager_placed", "wager": wager["id"],
            "seat": wager["seat"], "kind": wager["kind"], "amount": wager["amount"]});
        if !detail.is_empty() {
            placed["detail"] = Value::Object(detail);
        }
        self.put(placed);
    }

    fn players(&self) -> Vec<u64> {
        let order = self.order.iter().copied();
        order.filter(|seat| !self.folded.contains(seat)).collect()
    }

    fn form(&self) -> &'a str {
        self.document["play"]["form"].as_str().unwrap()
    }

    fn is_draw(&self) -> bool {
        ["draw", "badugi"]
            .iter()
            .any(|word| self.form().contains(word))
    }

    fn play(&mut self) {
        let play = &self.document["play"];
        let rounds = list(&play["rounds"]);
        let last = self.streets();
        for street in 0..last {
            if self.order.len() - self.folded.len() < 2 {
                break;
            }
            let has_more = rounds.len() > street
                || !play["board"].is_null()
                || list(&play["draws"]).len() >= street
                || self.form().contains("stud");
            if street > 0 && !has_more {
                break;
            }
            self.deal(street);
            let acts = rounds.get(street).map_or(&[][..], |acts| list(acts));
            for (after, act) in acts.iter().enumerate() {
                self.incidents(street, after);
                self.act(act);
            }
            self.incidents(street, acts.len());
        }
    }

    fn streets(&self) -> usize {
        list(&self.document["options"]["bet_limits"]).len()
    }

    fn incidents(&mut self, street: usize, after: usize) {
        for incident in list(&self.document["play"]["incidents"]) {
            let when = |key: &str| incident[key].as_u64().unwrap_or(0) as usize;
            if (when("round"), when("after")) != (street, after) {
                continue;
            }
            let mut detail = incident.as_object().unwrap().clone();
            let kind = detail.remove("kind").unwrap();
            if incident["kind"].as_str().unwrap().starts_with("hand_") {
                self.folded.push(incident["seat"].as_u64().unwrap());
            }
            detail.remove("round");
            detail.remove("after");
            self.put(json!({"type": "irregularity", "kind": kind, "detail": detail, "ruling": "supervisor"}));
        }
    }

    fn act(&mut self, act: &Value) {
        let wagers = list(&self.document["wagers"]);
        if act["act"] == "wager" {
            let wager = wagers.iter().find(|wager| wager["id"] == act["id"]);
            return self.wager(wager.unwrap(), Map::new());
        }
        if let Some(word) = act.get("verbal") {
            let mut said = json!({"type": "decision", "seat": act["seat"], "action": word});
            if let Some(amount) = act.get("announced") {
                said["amount"] = amount.clone();
            }
            self.put(said);
        }
        if act["act"] == "fold" {
            self.folded.push(act["seat"].as_u64().unwrap());
        }
        self.put(json!({"type": "decision", "seat": act["seat"], "action": act["act"]}));
    }

    /// The cards that come before the betting of a street.
    fn deal(&mut self, street: usize) {
        let play = &self.document["play"];
        if street > 0 {
            let burns = play["burns"].get(street - 1).and_then(Value::as_u64);
            for _ in 0..burns.unwrap_or(0) {
                self.put(json!({"type": "card_burned"}));
            }
        }
        let form = self.form();
        let is_seven = form.starts_with("seven");
        let faces: &[bool] = match street {
            0 if is_seven => &[false, false, true],
            0 if form.starts_with("five_card_stud") || form.starts_with("mambo") => &[false, true],
            0 => &[],
            4 if is_seven => &[false],
            1 if form.starts_with("mambo") => &[false],
            2 if form.starts_with("mambo") => return self.board(0..1),
            _ if form.contains("stud") => &[true],
            _ if self.is_draw() => return self.draw(street - 1),
            1 => return self.board(0..3),
            more => return self.board(more + 1..more + 2),
        };
        if let (true, Some(common)) = (street == 4, play["common"].get(0)) {
            return self.put(
                json!({"type": "card_dealt", "to": "community", "card": common, "face": "up"}),
            );
        }
        let own = match form {
            "holdem_high" => 2,
            form if form.starts_with("omaha") || form == "badugi" => 4,
            _ => 5,
        };
        let own = vec![false; own];
        let faces = if faces.is_empty() { &own } else { faces };
        let players = self.players();
        for (index, &up) in faces.iter().enumerate() {
            for &seat in &players {
                let card = self.own_card(seat, up);
                // A hand that holds another number of cards than it should is dealt them at once.
                self.card(seat, card, up);
                let is_last = index + 1 == faces.len() && !form.contains("stud");
                while is_last && list(&play["hands"][seat.to_string()]).len() > self.count(seat) {
                    let card = self.own_card(seat, up);
                    self.card(seat, card, up);
                }
            }
        }
    }

    /// The next card of a seat that its document names, face down or face up.
    fn own_card(&mut self, seat: u64, up: bool) -> Value {
        let hand = &self.document["play"]["hands"][seat.to_string()];
        let at = self.count_of(seat, up);
        let cards = match hand {
            Value::Object(hand) => &hand[if up { "up" } else { "down" }],
            cards => cards,
        };
        let key = format!("{seat} {up}");
        self.next.insert(key, json!(at + 1));
        cards.get(at).cloned().unwrap_or_default()
    }

    fn count_of(&self, seat: u64, up: bool) -> usize {
        let told = self.next.get(&format!("{seat} {up}"));
        told.and_then(Value::as_u64).unwrap_or(0) as usize
    }

    fn count(&self, seat: u64) -> usize {
        self.count_of(seat, false) + self.count_of(seat, true)
    }

    fn card(&mut self, seat: u64, card: Value, up: bool) {
        let mut dealt = json!({"type": "card_dealt", "to": "seat", "seat": seat,
            "face": if up { "up" } else { "down" }});
        if !card.is_null() && card != "??" {
            dealt["card"] = card;
        }
        self.put(dealt);
    }

    fn board(&mut self, cards: std::ops::Range<usize>) {
        for at in cards {
            let card = &self.document["play"]["board"][at];
            let mut dealt = json!({"type": "card_dealt", "to": "community", "face": "up"});
            if !card.is_null() && card != "??" {
                dealt["card"] = card.clone();
            }
            self.put(dealt);
        }
    }

    fn draw(&mut self, draw: usize) {
        let entries = list(&self.document["play"]["draws"]).get(draw);
        let entries = entries.map_or(&[][..], |entries| list(entries));
        for seat in self.players() {
            let Some(entry) = entries.iter().find(|entry| entry["seat"] == seat) else {
                self.put(json!({"type": "decision", "seat": seat, "action": "stand_pat"}));
                continue;
            };
            if entry["reshuffle"] == true {
                self.put(json!({"type": "irregularity", "kind": "reshuffle", "ruling": "dealer"}));
            }
            let named: Vec<&str> = list(&entry["discard"])
                .iter()
                .map(|card| card.as_str().unwrap())
                .collect();
            let drawn = list(&entry["draw"]);
            let count = entry["count"].as_u64().map_or(drawn.len(), |n| n as usize);
            let said = match named.is_empty() || named.contains(&"??") {
                true => format!("draw {count}"),
                false => format!("discard {}", named.join(" ")),
            };
            self.put(json!({"type": "decision", "seat": seat, "action": said}));
            for at in 0..count {
                let card = drawn.get(at).cloned().unwrap_or_default();
                self.card(seat, card, false);
            }
        }
    }

    /// Hands are shown, and everybody gets what the document gives him.
    fn end(&mut self, settlement: &Value) {
        let play = &self.document["play"];
        for (seat, cards) in play["shown"].as_object().into_iter().flatten() {
            let seat: u64 = seat.parse().unwrap();
            let drew: usize = list(&play["draws"])
                .iter()
                .flat_map(list)
                .filter(|entry| entry["seat"] == seat)
                .map(|entry| entry["count"].as_u64().unwrap_or(0) as usize)
                .sum();
            for (at, card) in list(cards).iter().enumerate() {
                // The cards drawn last are the last of those that he was dealt.
                self.put(json!({"type": "card_revealed", "to": "seat", "seat": seat,
                    "index": at + drew, "card": card}));
            }
        }
        for shown in list(&play["showdown"]) {
            self.put(json!({"type": "decision", "seat": shown["seat"], "action": shown["act"]}));
        }
        let charged: i64 = sum(&settlement["time_charges"]);
        let rake = settlement["rake"].as_i64().unwrap() + charged;
        if rake > 0 {
            self.put(json!({"type": "rake_taken", "amount": rake}));
        }
        if settlement["jackpot_drop"] != 0 {
            self.put(json!({"type": "jackpot_drop_taken", "amount": settlement["jackpot_drop"]}));
        }
        let mut owed: Map<String, Value> = Map::new();
        for debt in list(&settlement["owed"]) {
            owed.insert(debt["seat"].to_string(), debt["amount"].clone());
        }
        for award in list(&settlement["awards"]) {
            let debt = owed.remove(&award["seat"].to_string());
            let amount =
                award["amount"].as_i64().unwrap() - debt.map_or(0, |debt| debt.as_i64().unwrap());
            self.put(json!({"type": "pot_awarded", "pot": award["pot"], "seat": award["seat"], "amount": amount}));
        }
        for share in list(&settlement["bad_beat"]) {
            let mut wagers = list(&self.document["wagers"]).iter();
            let wager = wagers.find(|wager| wager["seat"] == share["seat"]);
            let id = wager.map_or(json!("none"), |wager| wager["id"].clone());
            self.put(json!({"type": "jackpot_paid", "meter": "bad_beat", "wager": id, "amount": share["amount"],
                "by": {"id": "m-1", "role": "shift_manager"}}));
        }
        self.put(json!({"type": "round_closed"}));
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn sum(entries: &Value) -> i64 {
    list(entries)
        .iter()
        .map(|entry| entry["amount"].as_i64().unwrap())
        .sum()
}

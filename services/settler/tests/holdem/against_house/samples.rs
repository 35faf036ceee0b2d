//! Every sample round of the hold'em games against the house, told as events, settles as its document does, and what is
//! found is what the document shows.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use catwalk_stories::{open, rulebook, settle};
use serde_json::{Map, Value, json};

/// What of a game its documents do not say.
struct Game {
    name: &'static str,
    main: &'static str,
    /// Wagers that are put up after the deal, in their order.
    later: &'static [&'static str],
    /// Cards of the board that are turned after each betting round.
    board: &'static [usize],
}

const GAMES: [Game; 4] = [
    Game {
        name: "ultimate_texas_holdem",
        main: "ante",
        later: &["play", "play", "play"],
        board: &[3, 2, 0],
    },
    Game {
        name: "texas_holdem_bonus",
        main: "ante",
        later: &["flop", "turn", "river"],
        board: &[3, 1, 1],
    },
    Game {
        name: "colorado_holdem",
        main: "ante",
        later: &["bet"],
        board: &[3],
    },
    Game {
        name: "fast_action_holdem",
        main: "main",
        later: &["split"],
        board: &[5],
    },
];

/// Samples of which events tell more than their documents, by the first words of their names, and what is found.
const OTHERWISE: [(&str, &str, &[&str]); 0] = [];

fn told_by(game: &Game) -> Vec<String> {
    let rulebook = rulebook();
    let samples = rulebook.game(game.name).unwrap().examples();
    let mut wrong = Vec::new();
    let mut told = 0;
    for line in samples.lines() {
        let sample: Value = serde_json::from_str(line).unwrap();
        let name = sample["name"].as_str().unwrap();
        let expected = &sample["settlement"];
        if expected.get("error").is_some() {
            continue;
        }
        told += 1;
        let (findings, rounds) = settle(&Teller::tell(game, &sample["document"], expected));
        let codes: BTreeSet<&str> = findings.iter().map(|found| &*found.code).collect();
        let mut otherwise = OTHERWISE.iter();
        let otherwise =
            otherwise.find(|(of, begins, ..)| *of == game.name && name.starts_with(begins));
        let due = match otherwise {
            Some((_, _, codes)) => json!(codes),
            None => expected["violations"].clone(),
        };
        let settled = rounds[0].settlement.as_ref().map(|settled| {
            let settled = serde_json::to_value(settled).unwrap();
            by_id(&settled["wagers"])
        });
        if settled.as_ref() != Some(&by_id(&expected["wagers"])) || json!(codes) != due {
            let settled = settled.unwrap_or_default();
            let document = rounds[0].document.clone().unwrap_or_default();
            let wagers = &expected["wagers"];
            wrong.push(format!(
                "{name}\n  found {codes:?}\n  due   {due}\n  expected {wagers}\n  got      {settled:?}\n  of {document}"
            ));
        }
    }
    assert!(told > 20, "{}: {told}", game.name);
    wrong
}

macro_rules! games {
    ($($game:ident),* $(,)?) => {
        $(#[test]
        fn $game() {
            let game = GAMES.iter().find(|game| game.name == stringify!($game)).unwrap();
            let wrong = told_by(game);
            assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
        })*
    };
}

games!(
    ultimate_texas_holdem,
    texas_holdem_bonus,
    colorado_holdem,
    fast_action_holdem,
);

/// Tells a round from its document, as an honest dealer plays it.
struct Teller<'a> {
    game: &'a Game,
    document: &'a Value,
    bodies: Vec<Value>,
    hands: BTreeMap<u64, &'a Value>,
    /// Cards of the board that lie open.
    open: usize,
    out: BTreeSet<u64>,
}

impl<'a> Teller<'a> {
    fn tell(game: &Game, document: &Value, settlement: &Value) -> Vec<Value> {
        let edition = document["edition"].as_str().unwrap();
        let hands = list(&document["play"]["hands"]).iter();
        let mut teller = Teller {
            game,
            document,
            bodies: vec![open(game.name, edition, document["options"].clone())],
            hands: hands.map(|hand| (number(&hand["seat"]), hand)).collect(),
            open: 0,
            out: BTreeSet::new(),
        };
        teller.bet();
        teller.deal();
        teller.irregularities(false);
        teller.decide();
        teller.irregularities(true);
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

    fn dealer(&self) -> &'a [Value] {
        match &self.play()["dealer"] {
            Value::Object(dealer) => list(&dealer["cards"]),
            cards => list(cards),
        }
    }

    fn board(&self) -> &'a [Value] {
        list(&self.play()["board"])
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
        self.put(json!({"type": "betting_closed"}));
    }

    fn place(&mut self, wager: &Value) {
        let mut placed = json!({"type": "wager_placed", "wager": wager["id"],
            "seat": wager["seat"], "kind": wager["kind"], "amount": wager["amount"]});
        if let Some(on) = wager.get("on") {
            placed["on"] = on.clone();
        }
        if let Some(patron) = wager.get("patron") {
            placed["player"] = patron.clone();
        }
        self.put(placed);
    }

    fn card(&mut self, to: &str, seat: Option<u64>, card: &Value, face: &str) {
        let mut dealt = json!({"type": "card_dealt", "to": to, "face": face});
        if let Some(seat) = seat {
            dealt["seat"] = json!(seat);
        }
        if *card != "??" {
            dealt["card"] = card.clone();
        }
        self.put(dealt);
    }

    /// The house is dealt first at ultimate texas hold'em; at Colorado it is the board that is dealt with the hands.
    fn deal(&mut self) {
        let is_colorado = self.game.name == "colorado_holdem";
        let house = if is_colorado {
            self.board()
        } else {
            self.dealer()
        };
        let hands: Vec<(u64, &[Value])> = self
            .hands
            .iter()
            .map(|(seat, hand)| (*seat, list(&hand["cards"])))
            .collect();
        let own = hands
            .iter()
            .map(|(_, cards)| cards.len())
            .max()
            .unwrap_or(0);
        let leads = self.game.name == "ultimate_texas_holdem";
        if self.document["options"]["dealing"] == "automated_shoe" {
            return self.deal_stacks();
        }
        let place = if is_colorado { "community" } else { "dealer" };
        for pass in 0..own.max(house.len()) {
            if leads && pass < house.len() {
                self.card(place, None, &json!("??"), "down");
            }
            for (seat, cards) in &hands {
                if let Some(card) = cards.get(pass) {
                    self.card("seat", Some(*seat), card, "down");
                }
            }
            if !leads && pass < house.len() {
                self.card(place, None, &json!("??"), "down");
            }
        }
    }

    /// An automated shoe deals the board, then the dealer, then the hands.
    fn deal_stacks(&mut self) {
        for card in self.board() {
            self.card("community", None, card, "down");
        }
        self.open = self.board().len();
        for _ in self.dealer() {
            self.card("dealer", None, &json!("??"), "down");
        }
        for (seat, hand) in self.hands.clone() {
            for card in list(&hand["cards"]) {
                self.card("seat", Some(seat), card, "down");
            }
        }
    }

    /// A card of the dealer is seen when the players have decided, everything else when the cards are dealt.
    fn irregularities(&mut self, late: bool) {
        for told in list(&self.play()["irregularities"]) {
            let mut detail: Map<String, Value> = told.as_object().unwrap().clone();
            let code = detail.remove("code").unwrap();
            if (code == "hole_card_exposed") != late {
                continue;
            }
            let mut body = json!({"type": "irregularity", "kind": code, "ruling": "supervisor"});
            if !detail.is_empty() {
                body["detail"] = Value::Object(detail);
            }
            self.put(body);
        }
    }

    fn say(&mut self, seat: u64, action: &str) {
        self.put(json!({"type": "decision", "seat": seat, "action": action}));
    }

    fn decide(&mut self) {
        let has_main: BTreeSet<u64> = {
            let wagers = self.wagers().iter();
            let mains = wagers.filter(|wager| kind(wager) == self.game.main);
            mains.map(|wager| number(&wager["seat"])).collect()
        };
        let stages = ["preflop", "flop", "river"];
        for (street, later) in self.game.later.iter().enumerate() {
            let wagers = self.wagers().iter();
            let seats: BTreeSet<u64> = wagers.map(|wager| number(&wager["seat"])).collect();
            for seat in seats {
                let is_its = |wager: &&Value| {
                    let stage = wager.get("stage").map(|stage| stage == stages[street]);
                    number(&wager["seat"]) == seat && kind(wager) == *later && stage.unwrap_or(true)
                };
                let placed: Vec<&Value> = self.wagers().iter().filter(is_its).collect();
                for wager in &placed {
                    self.place(wager);
                }
                if has_main.contains(&seat) && !self.out.contains(&seat) {
                    self.act(seat, street, !placed.is_empty());
                }
            }
            self.turn(street);
        }
    }

    fn act(&mut self, seat: u64, street: usize, has_bet: bool) {
        let Some(hand) = self.hands.get(&seat).copied() else {
            return;
        };
        let last = street + 1 == self.game.later.len();
        let said = hand["decision"].as_str().or(hand["action"].as_str());
        let said = said.unwrap_or("pending");
        match (self.game.name, said) {
            (_, "pending") => {}
            ("ultimate_texas_holdem", _) if has_bet => drop(self.out.insert(seat)),
            ("ultimate_texas_holdem", _) if !last => self.say(seat, "check"),
            ("ultimate_texas_holdem", "play") => self.say(seat, "play"),
            ("texas_holdem_bonus", "play") if has_bet => {}
            ("texas_holdem_bonus", "play") => self.say(seat, "check"),
            (_, said) if said.starts_with("fold") => {
                self.out.insert(seat);
                self.say(seat, said);
            }
            ("colorado_holdem" | "fast_action_holdem", said) => {
                self.say(seat, said);
                if let Some(card) = hand["discard"].as_str() {
                    self.say(seat, &format!("discard {card}"));
                }
                self.set(seat, hand);
            }
            _ => {}
        }
    }

    fn set(&mut self, seat: u64, hand: &Value) {
        let sets = list(&hand["sets"]);
        if let Some(first) = sets.first() {
            let second = sets.get(1).cloned().unwrap_or(json!([]));
            self.put(
                json!({"type": "hand_set", "to": "seat", "seat": seat, "high": first,
                "low": second}),
            );
        }
    }

    /// What is turned of the board after a betting round.
    fn turn(&mut self, street: usize) {
        match self.game.name {
            "fast_action_holdem" => self.turn_dealer(),
            "colorado_holdem" => return self.turn_colorado(),
            _ => {}
        }
        for _ in 0..self.game.board[street] {
            if let Some(card) = self.board().get(self.open) {
                self.card("community", None, card, "up");
                self.open += 1;
            }
        }
    }

    fn turn_dealer(&mut self) {
        for (at, card) in self.dealer().iter().enumerate() {
            self.put(json!({"type": "card_revealed", "to": "dealer", "index": at, "card": card}));
        }
        let set = &self.play()["dealer"]["set"];
        if !set.is_null() {
            self.put(json!({"type": "hand_set", "to": "dealer", "high": set, "low": []}));
        }
    }

    fn turn_colorado(&mut self) {
        for (at, card) in self.board().iter().enumerate() {
            self.put(
                json!({"type": "card_revealed", "to": "community", "index": at, "card": card}),
            );
        }
    }

    fn show(&mut self) {
        if !["colorado_holdem", "fast_action_holdem"].contains(&self.game.name) {
            self.turn_dealer();
        }
    }

    /// From the last seat to the first: at fast action all losers before the first winner. A meter pays in the order
    /// of the deal.
    fn pay(&mut self, settlement: &Value) {
        let due: BTreeMap<&str, &Value> = list(&settlement["wagers"])
            .iter()
            .map(|due| (due["id"].as_str().unwrap(), due))
            .collect();
        let mut wagers: Vec<&Value> = self.wagers().iter().collect();
        let is_fast = self.game.name == "fast_action_holdem";
        wagers.sort_by_key(|wager| {
            let seat = number(&wager["seat"]);
            let wins = due[wager["id"].as_str().unwrap()]["result"] != "lose";
            let of_meter = kind(wager) == "progressive";
            let turn = if of_meter {
                Reverse(100 - seat)
            } else {
                Reverse(seat)
            };
            (of_meter, is_fast && wins, turn)
        });
        for wager in wagers {
            self.settle_one(wager, due[wager["id"].as_str().unwrap()]);
        }
    }

    fn settle_one(&mut self, wager: &Value, due: &Value) {
        let id = &wager["id"];
        let stays = kind(wager) == "progressive";
        let won = if stays { &due["returned"] } else { &due["win"] };
        match due["result"].as_str().unwrap() {
            "win" if won != 0 && stays && !self.play()["meters"].is_null() => {
                let person = |role: &str| json!({"id": "p-1", "role": role});
                self.put(
                    json!({"type": "jackpot_paid", "meter": "progressive", "wager": id,
                    "amount": won, "by": person("floorperson"), "witness": person("surveillance")}),
                );
            }
            "win" if won != 0 => {
                self.put(json!({"type": "wager_paid", "wager": id, "amount": won}));
            }
            "lose" if due["returned"] != 0 => {
                let lost = number(&wager["amount"]) - number(&due["returned"]);
                self.put(json!({"type": "wager_collected", "wager": id, "amount": lost}));
            }
            "lose" => self.put(json!({"type": "wager_collected", "wager": id})),
            _ => self.put(json!({"type": "wager_pushed", "wager": id})),
        }
    }
}

fn by_id(settled: &Value) -> BTreeMap<String, Value> {
    let settled = list(settled).iter();
    settled
        .map(|one| (one["id"].to_string(), one.clone()))
        .collect()
}

fn kind(wager: &Value) -> &str {
    wager["kind"].as_str().unwrap()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

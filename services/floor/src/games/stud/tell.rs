//! A script as events, and as the document that they must make.

use catwalk_events::body::{
    BettingClosed, Body, CardBurned, CardDealt, CardPlace, CardRevealed, Decision, Face,
    WagerRemoved,
};
use catwalk_events::{Person, Role};
use catwalk_rules::UNSEEN;
use catwalk_rules::floor::{Card, Cents};
use serde_json::{Map, Value, json};

use super::script::{Choice, Script};
use super::{Setup, Stud, StudGame, text};
use crate::games::Dealt;

impl<G: StudGame> Stud<G> {
    pub(super) fn tell(&self, script: &Script) -> Dealt {
        let mut teller = Teller::<G> {
            setup: &self.setup,
            script,
            dealt: Dealt::default(),
            shown: Vec::new(),
            open: Vec::new(),
            burned: Vec::new(),
            game: std::marker::PhantomData,
        };
        teller.wagers();
        teller.deal();
        for street in 0..G::streets() {
            teller.decide(street);
            if G::board() {
                teller.turn_board(street);
            }
        }
        teller.show();
        let mut dealt = teller.finish();
        dealt.before_call = script.before_call;
        dealt.players = script.players.clone();
        if !self.meters.is_empty() {
            dealt.play["meters"] = json!(self.meters);
            dealt.meters = Some(self.meters.clone());
        }
        dealt
    }
}

struct Teller<'a, G> {
    setup: &'a Setup,
    script: &'a Script,
    dealt: Dealt,
    /// Seats whose cards were shown.
    shown: Vec<u32>,
    /// Cards of the house that were shown.
    open: Vec<usize>,
    /// Cards that were told as burned.
    burned: Vec<Card>,
    game: std::marker::PhantomData<G>,
}

impl<G: StudGame> Teller<'_, G> {
    fn wagers(&mut self) {
        let ids: Vec<String> = (1..=self.script.bets.len())
            .map(|number| format!("w{number}"))
            .collect();
        for (index, bet) in self.script.bets.iter().enumerate() {
            let mut wager = json!({"id": ids[index], "seat": bet.seat, "kind": bet.kind,
                "amount": bet.amount});
            let is_main = |other: &super::Bet| other.seat == bet.seat && other.kind == G::main();
            let main = self.script.bets.iter().position(is_main);
            let is_later = self.is_later(bet.kind);
            if let Some(main) = main.filter(|&main| main != index && (is_later || !G::LISTED)) {
                // The three bets of let it ride hang on nothing.
                if !bet.kind.starts_with("bet_") {
                    wager["on"] = json!(ids[main]);
                }
            }
            self.dealt.wagers.push(wager);
            if let Some(&form) = self.script.forms.get(&(bet.seat, bet.kind)) {
                self.dealt.forms.insert(ids[index].clone(), form);
            }
            if G::is_lifted(bet.kind) {
                self.dealt.lifted.push(index);
            }
        }
    }

    fn is_later(&self, kind: &str) -> bool {
        let choices = self.script.choices.values().flatten();
        choices
            .into_iter()
            .any(|choice| matches!(choice, Choice::Put(put, _) if *put == kind))
    }

    /// Card by card with the house in its turn, or as stacks.
    fn deal(&mut self) {
        let script = self.script;
        let house = G::house(self.setup).min(script.house.len());
        if self.setup.is_automated() {
            if G::house_leads(self.setup) {
                (0..house).for_each(|index| self.deal_house(index));
            }
            for (&seat, cards) in &script.hands {
                cards.iter().for_each(|&card| self.deal_seat(seat, card));
            }
            if !G::house_leads(self.setup) {
                (0..house).for_each(|index| self.deal_house(index));
            }
        } else {
            for pass in 0..G::hand() {
                for (&seat, cards) in &script.hands {
                    if let Some(&card) = cards.get(pass) {
                        self.deal_seat(seat, card);
                    }
                }
                if pass < house {
                    self.deal_house(pass);
                }
            }
            (G::hand()..house).for_each(|index| self.deal_house(index));
            for (&seat, cards) in &script.hands {
                let surplus = cards.iter().skip(G::hand());
                surplus.for_each(|&card| self.deal_seat(seat, card));
            }
        }
        if !G::BURNS || self.setup.is_automated() {
            script.away.iter().for_each(|&card| self.burn(card));
        }
    }

    fn deal_seat(&mut self, seat: u32, card: Card) {
        let face = if G::OPEN_HANDS { Face::Up } else { Face::Down };
        self.deal_card(CardPlace::Seat, Some(seat), card, face);
    }

    fn deal_house(&mut self, index: usize) {
        let face = if G::is_up(index) {
            Face::Up
        } else {
            Face::Down
        };
        if face == Face::Up {
            self.open.push(index);
        }
        let place = if G::board() {
            CardPlace::Community
        } else {
            CardPlace::Dealer
        };
        self.deal_card(place, None, self.script.house[index], face);
    }

    fn deal_card(&mut self, to: CardPlace, seat: Option<u32>, card: Card, face: Face) {
        let seen = face == Face::Up || self.setup.identified;
        let dealt = CardDealt {
            to,
            seat,
            hand: None,
            card: seen.then(|| card.to_string()),
            face,
            back: None,
        };
        self.dealt.events.push(dealt.into());
    }

    fn burn(&mut self, card: Card) {
        self.burned.push(card);
        let burned = CardBurned {
            card: self.setup.identified.then(|| card.to_string()),
            back: None,
        };
        self.dealt.events.push(burned.into());
    }

    /// Every player in turn, from the first seat.
    fn decide(&mut self, street: usize) {
        for (&seat, choices) in &self.script.choices {
            let Some(&choice) = choices.get(street) else {
                continue;
            };
            let (action, amount) = match choice {
                Choice::Put(kind, amount) => {
                    let action = if kind.ends_with("_street") {
                        "bet"
                    } else {
                        kind
                    };
                    (action, Some(Cents::new(amount)))
                }
                Choice::Fold => ("fold", None),
                Choice::Forfeit => ("forfeit", None),
                Choice::Ride => ("ride", None),
                Choice::Withdraw => ("withdraw", None),
                Choice::Stay => continue,
            };
            let decision = Decision {
                seat,
                hand: None,
                action: action.to_owned(),
                amount: amount.filter(|_| self.setup.amounts),
            };
            self.dealt.events.push(decision.into());
            match choice {
                Choice::Put(kind, _) => {
                    let index = self.index(seat, kind);
                    self.dealt
                        .added
                        .extend(index.map(|index| (index, self.dealt.events.len())));
                }
                Choice::Fold => self.fold(seat),
                Choice::Forfeit => {
                    // It goes away unexposed.
                    self.shown.push(seat);
                    self.fold(seat);
                }
                Choice::Withdraw => self.withdraw(seat, street),
                _ => {}
            }
        }
        if G::main() == "bet" {
            let window = Some("double_down".to_owned());
            self.dealt.events.push(BettingClosed { window }.into());
        }
    }

    fn index(&self, seat: u32, kind: &str) -> Option<usize> {
        self.script
            .bets
            .iter()
            .rposition(|bet| bet.seat == seat && bet.kind == kind)
    }

    /// What the fold costs is taken at once; the cards are turned over where something still hangs on
    /// them.
    fn fold(&mut self, seat: u32) {
        let after = self.dealt.events.len();
        for (index, bet) in self.script.bets.iter().enumerate() {
            if bet.seat == seat && G::dies(self.setup, bet.kind) {
                self.dealt.decided.push((index, after));
            }
        }
        if G::LISTED && !self.setup.identified {
            self.show_hand(seat);
        }
    }

    fn withdraw(&mut self, seat: u32, street: usize) {
        let kind = if street == 0 { "bet_1" } else { "bet_2" };
        let Some(index) = self.index(seat, kind) else {
            return;
        };
        if self.setup.removes {
            let removed = WagerRemoved {
                wager: format!("w{}", index + 1),
                by: Person::new(format!("p-{seat}"), Role::Dealer),
            };
            self.dealt.events.push(removed.into());
        }
        self.dealt.decided.push((index, self.dealt.events.len()));
    }

    /// The next card of the board.
    fn turn_board(&mut self, street: usize) {
        let goes_on = self.script.has_live_after(street + 1) || G::shows_house(self.script);
        let dealt = G::house(self.setup);
        let burns = G::board_burns(self.setup);
        let index = street + burns;
        let Some(&card) = self.script.house.get(index).filter(|_| goes_on) else {
            return;
        };
        if street == 0 {
            let leftmost = self.script.house.iter().take(burns);
            leftmost.for_each(|&card| self.burn(card));
        }
        self.open.push(index);
        if index < dealt {
            let shown = revealed(CardPlace::Community, None, index, card);
            return self.dealt.events.push(shown);
        }
        if let Some(&burned) = self.script.away.get(street) {
            self.burn(burned);
        }
        self.deal_card(CardPlace::Community, None, card, Face::Up);
    }

    /// The dealer's hand, then the players' from the last seat down.
    fn show(&mut self) {
        let script = self.script;
        if let Some(seat) = script.takes_last_back {
            let decision = Decision {
                seat,
                hand: None,
                action: "withdraw_bet_3".into(),
                amount: None,
            };
            self.dealt.events.push(decision.into());
        }
        if !G::board() && G::shows_house(script) {
            for (index, &card) in script.house.iter().enumerate() {
                if !self.open.contains(&index) {
                    self.open.push(index);
                    let shown = revealed(CardPlace::Dealer, None, index, card);
                    self.dealt.events.push(shown);
                }
            }
        }
        for &seat in script.hands.keys().rev() {
            let folded = script.has_folded(seat);
            if !folded || G::shows_folded(script, seat) {
                self.show_hand(seat);
            }
        }
    }

    fn show_hand(&mut self, seat: u32) {
        if self.shown.contains(&seat) {
            return;
        }
        self.shown.push(seat);
        if G::OPEN_HANDS {
            return;
        }
        for (index, &card) in self.script.cards(seat).iter().enumerate() {
            let shown = revealed(CardPlace::Seat, Some(seat), index, card);
            self.dealt.events.push(shown);
        }
    }

    /// The document.
    fn finish(mut self) -> Dealt {
        let script = self.script;
        let known = |seat: &u32| self.setup.identified || self.shown.contains(seat);
        let mut play = Map::new();
        let cards: Vec<String> = match G::board() {
            true => {
                let open = self.open.iter().map(|&index| script.house[index]);
                open.map(|card| card.to_string()).collect()
            }
            false => {
                let seen = |index: &usize| self.setup.identified || self.open.contains(index);
                let house = text(&script.house).into_iter().enumerate();
                house
                    .map(|(index, card)| told(card, seen(&index)))
                    .collect()
            }
        };
        let house = if G::board() { "community" } else { "dealer" };
        if !cards.is_empty() {
            play.insert(house.into(), json!(cards));
        }
        if G::LISTED {
            let hands: Vec<Value> = script.hands.keys().map(|&seat| self.listed(seat)).collect();
            play.insert("hands".into(), json!(hands));
        } else {
            let hands = script.hands.iter().map(|(seat, cards)| {
                let cards = text(cards).into_iter().map(|card| told(card, known(seat)));
                (seat.to_string(), json!(cards.collect::<Vec<String>>()))
            });
            play.insert("hands".into(), Value::Object(hands.collect()));
            if !script.players.is_empty() {
                let players = script
                    .players
                    .iter()
                    .map(|(seat, name)| (seat.to_string(), json!(name)));
                play.insert("players".into(), Value::Object(players.collect()));
            }
        }
        if G::BURNS && self.setup.identified && !self.burned.is_empty() {
            play.insert("burned".into(), json!(text(&self.burned)));
        }
        if let Some(decisions) = self.rides() {
            play.insert("decisions".into(), decisions);
        }
        if let Some(seat) = script.short {
            play.insert(
                "irregularities".into(),
                json!([self.short_deal(seat, house)]),
            );
        }
        self.dealt.play = Value::Object(play);
        self.dealt
    }

    /// The misdeal of a hand with too few cards, as the document has it.
    fn short_deal(&self, seat: Option<u32>, house: &str) -> Value {
        match seat {
            _ if G::LISTED => json!({"code": "card_count"}),
            Some(seat) => {
                json!({"code": "card_count", "seat": seat, "dealt": self.script.cards(seat).len()})
            }
            None => json!({"code": "card_count", "area": house, "dealt": self.script.house.len()}),
        }
    }

    fn listed(&self, seat: u32) -> Value {
        let mut hand = json!({"seat": seat, "cards": text(self.script.cards(seat))});
        let choice = self
            .script
            .choices
            .get(&seat)
            .and_then(|choices| choices.first());
        if let Some(word) = choice.map(|choice| match choice {
            Choice::Fold => "fold",
            Choice::Forfeit => "forfeit",
            _ => "play",
        }) {
            hand["decision"] = json!(word);
        }
        if let Some(player) = self.script.players.get(&seat) {
            hand["player"] = json!(player);
        }
        hand
    }

    /// The decisions of let it ride.
    fn rides(&self) -> Option<Value> {
        let word = |choice: &Choice| match choice {
            Choice::Withdraw => "withdraw",
            _ => "ride",
        };
        let mut rides = Map::new();
        if G::main() != "bet_1" {
            return None;
        }
        for (seat, choices) in &self.script.choices {
            let mut of_seat = Map::new();
            for (choice, bet) in choices.iter().zip(["bet_1", "bet_2"]) {
                of_seat.insert(bet.to_owned(), json!(word(choice)));
            }
            if self.script.takes_last_back == Some(*seat) {
                of_seat.insert("bet_3".into(), json!("withdraw"));
            }
            rides.insert(seat.to_string(), Value::Object(of_seat));
        }
        Some(Value::Object(rides))
    }
}

/// A card as the document has it.
fn told(card: String, seen: bool) -> String {
    if seen { card } else { UNSEEN.to_owned() }
}

fn revealed(to: CardPlace, seat: Option<u32>, index: usize, card: Card) -> Body {
    CardRevealed {
        to,
        seat,
        hand: None,
        index: u32::try_from(index).unwrap_or_default(),
        card: card.to_string(),
    }
    .into()
}

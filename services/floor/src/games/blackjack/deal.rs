//! A round dealt: cards, decisions and stakes, as events and as the round document.

mod incidents;

use catwalk_events::body::{Body, CardDealt, CardPlace, CardRevealed, Decision, Face};
use catwalk_rules::floor::Card;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::house::{Hole, House, Kin, one_in};
use super::strategy::{Choice, May, choose, dealer_stands, is_ace, is_blackjack, points, total};
use crate::games::Dealt;
use crate::games::shoes::Shoes;

/// The shoe is not drawn lower than this by players, so that the dealer can finish.
const RESERVE: usize = 20;

/// A round while it is dealt.
pub(super) struct Deal<'a> {
    house: &'a House,
    shoes: &'a mut Shoes,
    rng: &'a mut ChaCha8Rng,
    wagers: Vec<Value>,
    added: Vec<(usize, usize)>,
    events: Vec<Body>,
    boxes: Vec<BoxPlay>,
    /// One hand, or one for each spot at multiple action.
    dealer: Vec<Vec<Card>>,
    checked: bool,
    /// Cards that left the shoe unused.
    burned: Vec<Card>,
    /// Those of them that lay face up in it.
    face_up: Vec<Card>,
}

/// A box and its hands from left to right.
struct BoxPlay {
    seat: u32,
    first: Vec<Card>,
    hands: Vec<Hand>,
    steps: Vec<Value>,
    even_money: bool,
    display: Option<i64>,
    /// Cards that lie face down until the end: hand, index in the hand, card.
    hidden: Vec<(u32, usize, Card)>,
}

struct Hand {
    number: u32,
    cards: Vec<Card>,
    split: bool,
    split_ace: bool,
    /// Stood, doubled, bust: it gets no card any more.
    over: bool,
    /// It still plays against the dealer.
    live: bool,
}

impl Hand {
    fn new(number: u32, cards: Vec<Card>, split: bool) -> Hand {
        Hand {
            number,
            cards,
            split,
            split_ace: false,
            over: false,
            live: true,
        }
    }
}

impl<'a> Deal<'a> {
    /// Deals a round to these wagers.
    pub(super) fn play(
        house: &'a House,
        shoes: &'a mut Shoes,
        wagers: Vec<Value>,
        rng: &'a mut ChaCha8Rng,
    ) -> Option<Dealt> {
        let mut seats: Vec<u32> = mains(&wagers).map(seat).collect();
        seats.sort_unstable();
        seats.dedup();
        let mut deal = Deal {
            house,
            shoes,
            rng,
            wagers,
            added: Vec::new(),
            events: Vec::new(),
            boxes: Vec::new(),
            dealer: Vec::new(),
            checked: false,
            burned: Vec::new(),
            face_up: Vec::new(),
        };
        deal.first_cards(&seats)?;
        let after_deal = deal.events.len();
        deal.insure();
        if !deal.ends_with_blackjack() {
            for at in 0..deal.boxes.len() {
                deal.play_box(at);
            }
        }
        deal.show_hidden();
        deal.play_dealer();
        deal.find_face_up();
        Some(deal.finish(after_deal))
    }

    fn draw(&mut self) -> Option<Card> {
        self.shoes.draw()
    }

    fn first_cards(&mut self, seats: &[u32]) -> Option<()> {
        let first: Vec<Card> = seats.iter().map(|_| self.draw()).collect::<Option<_>>()?;
        let up = self.draw()?;
        let second: Vec<Card> = seats.iter().map(|_| self.draw()).collect::<Option<_>>()?;
        let face = if self.house.pitched {
            Face::Down
        } else {
            Face::Up
        };
        for (&seat, &card) in seats.iter().zip(&first) {
            self.events.push(to_seat(seat, 1, card, face));
        }
        self.events.push(to_dealer(Some(up), None));
        for (&seat, &card) in seats.iter().zip(&second) {
            self.events.push(to_seat(seat, 1, card, face));
        }
        let mut dealer = vec![up];
        if self.house.hole != Hole::None {
            let hole = self.draw()?;
            let shown = self.house.hole == Hole::Exposed;
            self.events.push(to_dealer(shown.then_some(hole), None));
            dealer.push(hole);
        }
        self.dealer.push(dealer);
        for ((&seat, first), second) in seats.iter().zip(first).zip(second) {
            let cards = vec![first, second];
            self.boxes.push(BoxPlay {
                seat,
                hands: vec![Hand::new(1, cards.clone(), false)],
                first: cards,
                steps: Vec::new(),
                even_money: false,
                display: None,
                hidden: Vec::new(),
            });
        }
        if self.house.pitched {
            // The players pick up and show what they have.
            for one in &self.boxes {
                for (index, &card) in one.first.iter().enumerate() {
                    self.events
                        .push(shown(CardPlace::Seat, Some(one.seat), None, index, card));
                }
            }
        }
        self.show_displays();
        Some(())
    }

    fn up(&self) -> Option<Card> {
        self.dealer.first()?.first().copied()
    }

    /// An ace is up: even money and insurance.
    fn insure(&mut self) {
        if !self.up().is_some_and(is_ace) || self.house.hole == Hole::Exposed {
            return;
        }
        for at in 0..self.boxes.len() {
            let seat_number = self.boxes[at].seat;
            let blackjack = is_blackjack(&self.boxes[at].first);
            if blackjack && self.house.even_money && one_in(2, self.rng) {
                self.boxes[at].even_money = true;
                self.decide(seat_number, None, "even_money");
                continue;
            }
            if blackjack && self.house.kin == Kin::FreeBet || !one_in(4, self.rng) {
                continue;
            }
            let step = match self.house {
                House {
                    tournament: true, ..
                } => 2_500,
                House {
                    six_to_five: true, ..
                } => 500,
                house => house.chip_unit,
            };
            let insured: Vec<(Value, i64)> = own_mains(&self.wagers, seat_number)
                .map(|main| (main["id"].clone(), amount(main) / 2 / step * step))
                .filter(|(_, half)| *half > 0)
                .collect();
            for (on, half) in insured {
                self.stake(
                    json!({"seat": seat_number, "kind": "insurance", "amount": half, "on": on}),
                );
            }
        }
    }

    /// The hole card is checked; true if the dealer has blackjack and everybody knows it.
    fn ends_with_blackjack(&mut self) -> bool {
        let Some(up) = self.up() else { return false };
        let threat = is_ace(up) || points(up) == 10;
        let blackjack = is_blackjack(&self.dealer[0]);
        match self.house.hole {
            Hole::Exposed => blackjack,
            Hole::Reader if threat => {
                self.checked = true;
                if self.house.tells_checks {
                    self.decide(0, None, "hole_checked");
                }
                blackjack
            }
            _ => false,
        }
    }

    fn decide(&mut self, seat: u32, hand: Option<u32>, action: &str) {
        let decision = Decision {
            seat,
            hand,
            action: action.to_owned(),
            amount: None,
        };
        self.events.push(decision.into());
    }

    /// A stake that is put down now.
    fn stake(&mut self, mut wager: Value) {
        wager["id"] = json!(format!("w{}", self.wagers.len() + 1));
        self.added.push((self.wagers.len(), self.events.len()));
        self.wagers.push(wager);
    }

    fn play_box(&mut self, at: usize) {
        if is_blackjack(&self.boxes[at].first) {
            self.boxes[at].hands[0].live = false;
            if self.house.doubles_blackjack && one_in(2, self.rng) {
                self.double(at, 0, "double");
            }
            return;
        }
        let mut next = 0;
        while next < self.boxes[at].hands.len() {
            self.play_hand(at, next);
            next += 1;
        }
    }

    fn play_hand(&mut self, at: usize, lies: usize) {
        loop {
            let one = &self.boxes[at];
            let hand = &one.hands[lies];
            if hand.cards.len() == 1 {
                if self.card(at, lies, "deal", false).is_none() {
                    return;
                }
                continue;
            }
            let (sum, _) = total(&hand.cards);
            if hand.over || sum >= 21 || hand.split_ace && !self.may_split(at, lies) {
                let hand = &mut self.boxes[at].hands[lies];
                hand.live &= sum <= 21;
                hand.over = true;
                return;
            }
            let may = May {
                double: self.may_double(at, lies),
                split: self.may_split(at, lies),
                surrender: self.house.surrender && one.steps.is_empty(),
            };
            let mut choice = choose(&hand.cards, &self.dealer[0], may, self.house);
            if hand.split_ace && !matches!(choice, Choice::Split | Choice::FreeSplit)
                || self.shoes.remaining() < RESERVE
            {
                choice = Choice::Stand;
            }
            self.act(at, lies, choice);
        }
    }

    fn may_double(&self, at: usize, lies: usize) -> bool {
        let hand = &self.boxes[at].hands[lies];
        let spanish = self.house.kin == Kin::Spanish;
        (hand.cards.len() == 2 || spanish)
            && (!hand.split || self.house.double_after_split)
            && (!hand.split_ace || spanish)
    }

    fn may_split(&self, at: usize, lies: usize) -> bool {
        let one = &self.boxes[at];
        let hand = &one.hands[lies];
        let pair = matches!(hand.cards[..], [a, b] if points(a) == points(b));
        let again = hand.split && is_ace(hand.cards[0]);
        let allowed = !again || self.house.resplit_aces;
        pair && allowed
            && one.hands.len() < self.house.max_hands
            && self.shoes.remaining() > RESERVE * 2
    }

    fn act(&mut self, at: usize, lies: usize, choice: Choice) {
        let (seat_number, number) = (self.boxes[at].seat, self.boxes[at].hands[lies].number);
        match choice {
            Choice::Hit => {
                self.decide(seat_number, Some(number), "hit");
                self.card(at, lies, "hit", false);
            }
            // Who refuses has no more to say.
            Choice::Stand if self.is_offered_a_card(at) && self.refuse(at).is_some() => {
                self.boxes[at].hands[lies].over = true;
            }
            Choice::Stand => {
                self.decide(seat_number, Some(number), "stand");
                self.boxes[at]
                    .steps
                    .push(json!({"hand": number, "do": "stand"}));
                self.boxes[at].hands[lies].over = true;
            }
            Choice::Surrender => {
                self.decide(seat_number, Some(number), "surrender");
                self.boxes[at]
                    .steps
                    .push(json!({"hand": number, "do": "surrender"}));
                let hand = &mut self.boxes[at].hands[lies];
                (hand.over, hand.live) = (true, false);
            }
            Choice::Double => self.double(at, lies, "double"),
            Choice::FreeDouble => self.double(at, lies, "free_double"),
            Choice::Split => self.split(at, lies, "split"),
            Choice::FreeSplit => self.split(at, lies, "free_split"),
        }
    }

    fn double(&mut self, at: usize, lies: usize, kind: &'static str) {
        let (seat_number, number) = (self.boxes[at].seat, self.boxes[at].hands[lies].number);
        if !self.house.stakes_first {
            self.decide(seat_number, Some(number), kind);
        }
        let less = one_in(10, self.rng);
        for main in self.mains_of(seat_number) {
            // The stake of this hand: the main wager, or the split stake that came with it.
            let on = self.wagers.iter().find(|wager| {
                wager["on"] == main["id"]
                    && wager["hand"] == number
                    && wager["kind"]
                        .as_str()
                        .is_some_and(|kind| kind.ends_with("split"))
            });
            let on = on.unwrap_or(&main)["id"].clone();
            let worth = amount(&main);
            let mut stake = json!({"seat": seat_number, "kind": kind, "on": on, "hand": number});
            if kind == "free_double" {
                stake["amount"] = json!(0);
                stake["lammer"] = json!(worth);
            } else {
                // For less than the original, in whole chips.
                let half = worth / 1_000 * 500;
                stake["amount"] = json!(if less && half > 0 { half } else { worth });
            }
            self.stake(stake);
        }
        if self.house.stakes_first {
            self.decide(seat_number, Some(number), kind);
        }
        let hidden = self.house.double_down || self.house.on_request && one_in(2, self.rng);
        self.card(at, lies, kind, hidden);
        let hand = &mut self.boxes[at].hands[lies];
        let (sum, _) = total(&hand.cards);
        (hand.over, hand.live) = (true, sum <= 21);
        // What came is bad, and the dealer's card is good.
        let bad = self.house.kin == Kin::Spanish && sum < 17;
        if bad && self.up().is_some_and(|up| points(up) >= 8 || is_ace(up)) {
            self.decide(seat_number, Some(number), "rescue");
            self.boxes[at]
                .steps
                .push(json!({"hand": number, "do": "rescue"}));
            // A guest behind the box who did not double plays on.
            let guest = |main: &Value| seat(main) == seat_number && !main["player"].is_null();
            let stays = number == 1 && mains(&self.wagers).any(guest);
            self.boxes[at].hands[lies].live &= stays;
        }
    }

    fn split(&mut self, at: usize, lies: usize, kind: &'static str) {
        let (seat_number, number) = (self.boxes[at].seat, self.boxes[at].hands[lies].number);
        let new_hand = self.boxes[at].hands.len() as u32 + 1;
        if !self.house.stakes_first {
            self.decide(seat_number, Some(number), kind);
        }
        for main in self.mains_of(seat_number) {
            let mut stake = json!({"seat": seat_number, "kind": kind, "amount": main["amount"],
                "on": main["id"], "hand": new_hand});
            if kind == "free_split" {
                stake["lammer"] = main["amount"].clone();
                stake["amount"] = json!(0);
            }
            self.stake(stake);
        }
        if self.house.stakes_first {
            self.decide(seat_number, Some(number), kind);
        }
        let one = &mut self.boxes[at];
        one.steps
            .push(json!({"hand": number, "do": kind, "new_hand": new_hand}));
        let hand = &mut one.hands[lies];
        let moved = hand.cards.split_off(1);
        let held = is_ace(hand.cards[0]) && self.house.kin != Kin::Spanish;
        (hand.split, hand.split_ace) = (true, held);
        let mut born = Hand::new(new_hand, moved, true);
        born.split_ace = held;
        one.hands.insert(lies + 1, born);
    }

    fn mains_of(&self, of: u32) -> Vec<Value> {
        own_mains(&self.wagers, of).cloned().collect()
    }

    /// A card for a hand.
    fn card(&mut self, at: usize, lies: usize, verb: &str, hidden: bool) -> Option<()> {
        let card = self.draw()?;
        let one = &mut self.boxes[at];
        let hand = &mut one.hands[lies];
        let number = hand.number;
        let face = if hidden { Face::Down } else { Face::Up };
        self.events.push(to_seat(one.seat, number, card, face));
        if hidden {
            one.hidden.push((number, hand.cards.len(), card));
        }
        hand.cards.push(card);
        one.steps
            .push(json!({"hand": number, "do": verb, "card": card.to_string()}));
        Some(())
    }

    fn show_hidden(&mut self) {
        for one in &self.boxes {
            for &(hand, index, card) in &one.hidden {
                self.events.push(shown(
                    CardPlace::Seat,
                    Some(one.seat),
                    Some(hand),
                    index,
                    card,
                ));
            }
        }
    }

    fn play_dealer(&mut self) {
        if self.house.multiple_action {
            return self.play_spots();
        }
        if self.house.hole == Hole::None {
            if let Some(card) = self.draw() {
                self.dealer[0].push(card);
                self.events.push(to_dealer(Some(card), None));
            }
        } else if self.house.hole != Hole::Exposed {
            let hole = self.dealer[0][1];
            self.events
                .push(shown(CardPlace::Dealer, None, None, 1, hole));
        }
        let blackjack = is_blackjack(&self.dealer[0]);
        if blackjack && matches!(self.house.hole, Hole::Reader | Hole::Exposed) {
            self.bonus_cards();
        }
        let live = self
            .boxes
            .iter()
            .any(|one| one.hands.iter().any(|hand| hand.live));
        let on_dealer = |wager: &Value| wager["kind"] == "push_22";
        let plays = !blackjack && (live || self.wagers.iter().any(on_dealer));
        self.draw_to_rule(0, plays, None);
        let third = self
            .wagers
            .iter()
            .any(|wager| wager["kind"] == "optional_bonus");
        let short = self.dealer[0].len() == 2 && total(&self.dealer[0]).0 < 17;
        if third
            && short
            && let Some(card) = self.draw()
        {
            self.dealer[0].push(card);
            self.events.push(to_dealer(Some(card), None));
        }
    }

    /// Two sevens with a super sevens wager get their third card although the round is over.
    fn bonus_cards(&mut self) {
        for at in 0..self.boxes.len() {
            let of = self.boxes[at].seat;
            let bet = |wager: &Value| wager["kind"] == "super_sevens" && seat(wager) == of;
            let sevens = self.boxes[at].first.iter().all(|&card| points(card) == 7);
            if sevens
                && self.wagers.iter().any(bet)
                && let Some(card) = self.draw()
            {
                self.events.push(to_seat(of, 1, card, Face::Up));
                let step = json!({"hand": 1, "do": "bonus_card", "card": card.to_string()});
                self.boxes[at].steps.push(step);
            }
        }
    }

    fn draw_to_rule(&mut self, hand: usize, plays: bool, number: Option<u32>) {
        while plays && !dealer_stands(&self.dealer[hand], self.house.hits_soft_17) {
            let Some(card) = self.draw() else { return };
            self.dealer[hand].push(card);
            self.events.push(to_dealer(Some(card), number));
        }
    }

    /// Multiple action: a hand for each spot that still needs one, all from the same up card.
    fn play_spots(&mut self) {
        let Some(up) = self.up() else { return };
        let threat = is_ace(up) || points(up) == 10;
        for spot in 1..=3u32 {
            let is_on = |wager: &&Value| wager["spot"] == spot;
            let ids: Vec<&Value> = mains(&self.wagers).filter(is_on).collect();
            let in_box = |one: &&BoxPlay| ids.iter().any(|main| seat(main) == one.seat);
            let live = |one: &BoxPlay| one.hands.iter().any(|hand| hand.live);
            let insured = self.wagers.iter().any(|wager| {
                wager["kind"] == "insurance" && ids.iter().any(|main| main["id"] == wager["on"])
            });
            let plays = self.boxes.iter().filter(in_box).any(live);
            // A blackjack that the dealer's cannot tie was paid on all spots.
            let blackjack = |one: &BoxPlay| {
                is_blackjack(&one.first) && !one.even_money && (threat || spot == 1)
            };
            let waits = self.boxes.iter().filter(in_box).any(blackjack);
            if !(plays || insured || waits) {
                continue;
            }
            let at = spot as usize - 1;
            while self.dealer.len() <= at {
                self.dealer.push(vec![up]);
            }
            if let Some(card) = self.draw() {
                self.dealer[at].push(card);
                self.events.push(to_dealer(Some(card), Some(spot)));
            }
            let plays = plays && !is_blackjack(&self.dealer[at]);
            self.draw_to_rule(at, plays, Some(spot));
        }
    }

    fn finish(self, after_deal: usize) -> Dealt {
        let text = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>();
        let boxes: Vec<Value> = self
            .boxes
            .iter()
            .map(|one| {
                let mut entry = json!({"seat": one.seat, "cards": text(&one.first)});
                if !one.steps.is_empty() {
                    entry["steps"] = json!(one.steps);
                }
                if one.even_money {
                    let own = own_mains(&self.wagers, one.seat);
                    entry["even_money"] = own.map(|main| main["id"].clone()).collect();
                }
                if let Some(display) = one.display {
                    entry["bonus_display"] = json!(display);
                }
                entry
            })
            .collect();
        let hands: Vec<_> = self.dealer.iter().map(|hand| text(hand)).collect();
        let mut dealer = match self.house.multiple_action {
            true => json!({"hands": hands}),
            false => json!({"cards": hands[0]}),
        };
        if self.checked {
            dealer["checked"] = json!(true);
        }
        let at_once = |(_, wager): &(usize, &Value)| {
            let kind = wager["kind"].as_str().unwrap_or_default();
            AT_ONCE.contains(&kind)
        };
        let decided = self.wagers.iter().enumerate().filter(at_once);
        let mut play = json!({"boxes": boxes, "dealer": dealer});
        for (key, cards) in [("burned", &self.burned), ("face_up", &self.face_up)] {
            if !cards.is_empty() {
                play[key] = json!(text(cards));
            }
        }
        if self.face_up.len() > 1 {
            play["void_round"] = json!("all");
        }
        Dealt {
            decided: decided.map(|(index, _)| (index, after_deal)).collect(),
            play,
            wagers: self.wagers,
            events: self.events,
            added: self.added,
            ..Dealt::default()
        }
    }
}

/// Side wagers that are settled when the first cards are out.
const AT_ONCE: [&str; 5] = [
    "over_13",
    "under_13",
    "match_the_dealer",
    "bet_the_set",
    "trilux",
];

pub(super) fn mains(wagers: &[Value]) -> impl Iterator<Item = &Value> {
    wagers.iter().filter(|wager| wager["kind"] == "main")
}

/// Those of the player who sits at the box.
fn own_mains(wagers: &[Value], of: u32) -> impl Iterator<Item = &Value> {
    mains(wagers).filter(move |main| seat(main) == of && main["player"].is_null())
}

pub(super) fn seat(wager: &Value) -> u32 {
    let seat = wager["seat"].as_u64().unwrap_or_default();
    u32::try_from(seat).unwrap_or_default()
}

pub(super) fn amount(wager: &Value) -> i64 {
    wager["amount"].as_i64().unwrap_or_default()
}

/// A card to a seat; one that lies face down is told without its name.
fn to_seat(seat: u32, hand: u32, card: Card, face: Face) -> Body {
    CardDealt {
        to: CardPlace::Seat,
        seat: Some(seat),
        hand: (hand > 1).then_some(hand),
        card: (face == Face::Up).then(|| card.to_string()),
        face,
        back: None,
    }
    .into()
}

/// A card to the dealer, face down if it has no name.
pub(super) fn to_dealer(card: Option<Card>, hand: Option<u32>) -> Body {
    CardDealt {
        to: CardPlace::Dealer,
        seat: None,
        hand,
        face: if card.is_some() { Face::Up } else { Face::Down },
        card: card.map(|card| card.to_string()),
        back: None,
    }
    .into()
}

fn shown(to: CardPlace, seat: Option<u32>, hand: Option<u32>, index: usize, card: Card) -> Body {
    CardRevealed {
        to,
        seat,
        hand: hand.filter(|&hand| hand > 1),
        index: u32::try_from(index).unwrap_or_default(),
        card: card.to_string(),
    }
    .into()
}

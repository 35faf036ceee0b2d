//! The stud family on the floor: a wager buys a hand, the house has a hand or a board, players stay for
//! more money or give up.

mod caribbean_stud;
mod crazy_four_poker;
mod dj_wild;
mod double_down_stud;
mod four_card_poker;
mod let_it_ride;
mod misplay;
mod mississippi_stud;
mod script;
mod strategy;
mod tell;
mod three_card_poker;

use std::collections::BTreeMap;

use catwalk_events::body::{Body, DealingMethod, WagerForm, WagerPaid};
use catwalk_rules::book::{Book, Layout, PieceSet};
use catwalk_rules::floor::{Card, Cents};
use catwalk_rules::{Edition, Settlement, Verdict};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use caribbean_stud::CaribbeanStud;
use crazy_four_poker::CrazyFourPoker;
use dj_wild::DjWild;
use double_down_stud::DoubleDownStud;
use four_card_poker::FourCardPoker;
use let_it_ride::LetItRide;
use mississippi_stud::MississippiStud;
use three_card_poker::ThreeCardPoker;

use self::misplay::Misplay;
use self::script::{Bet, Choice, Script};
use super::{Dealt, GameSim, turns};
use crate::deck::{Dealing, Decks};
use crate::fault::FaultKind;
use crate::meters::Linked;

/// A table of one of these games.
pub(super) fn game(name: &str) -> Option<Box<dyn GameSim>> {
    fn table<G: StudGame + 'static>() -> Option<Box<dyn GameSim>> {
        Some(Box::new(Stud::<G>::default()))
    }
    match name {
        "caribbean_stud" => table::<CaribbeanStud>(),
        "crazy_four_poker" => table::<CrazyFourPoker>(),
        "dj_wild" => table::<DjWild>(),
        "double_down_stud" => table::<DoubleDownStud>(),
        "four_card_poker" => table::<FourCardPoker>(),
        "let_it_ride" => table::<LetItRide>(),
        "mississippi_stud" => table::<MississippiStud>(),
        "three_card_poker" => table::<ThreeCardPoker>(),
        _ => None,
    }
}

/// A game of the family: what it does not share with the others.
trait StudGame {
    /// The game, as the rulebook names it.
    const GAME: &'static str;
    /// Two letters for the table's name.
    const SIGN: &'static str;
    /// Does its document list hands with their decisions?
    const LISTED: bool;
    /// Players' cards lie open.
    const OPEN_HANDS: bool = false;
    /// Shares of its meters are paid from the last seat down, and not as the hands were dealt.
    const PRIZES_FROM_THE_LAST: bool = false;
    /// What can be dealt or decided wrongly.
    const MISPLAYS: &'static [Misplay];

    fn book() -> Option<&'static Book> {
        Book::of(Self::GAME)
    }

    fn layout() -> Option<&'static Layout> {
        let book = Self::book()?;
        book.layout(book.editions().next()?)
    }

    /// Has the text of this table a word for it?
    fn is_filed(setup: &Setup, code: &str) -> bool {
        let edition = Edition::from_name(setup.edition);
        let findings = Self::book().map_or(&[][..], Book::findings);
        let mut of_code = findings.iter().filter(|finding| finding.code == code);
        of_code.any(|finding| edition.is_some_and(|edition| finding.editions.holds(edition)))
    }

    /// Does the first card close the betting, whenever the dealer calls?
    fn first_card_closes(setup: &Setup) -> bool {
        let layout =
            Edition::from_name(setup.edition).and_then(|edition| Self::book()?.layout(edition));
        layout.is_some_and(|layout| layout.first_card_closes)
    }

    /// Cards of a hand.
    fn hand() -> usize {
        Self::layout().map_or(0, Layout::hand)
    }

    /// The wager that buys it.
    fn main() -> &'static str {
        let main = Self::layout().and_then(|layout| layout.main.as_deref());
        main.unwrap_or_default()
    }

    /// Is the house's a board?
    fn board() -> bool {
        Self::layout().is_some_and(|layout| layout.board)
    }

    /// Rounds of decisions.
    fn streets() -> usize {
        let streets = Self::layout().map_or(&[][..], |layout| &layout.streets);
        streets
            .iter()
            .filter(|street| !street.acts.is_empty())
            .count()
    }

    fn joker() -> bool {
        Self::layout().is_some_and(|layout| layout.pieces == PieceSet::CardsAndJoker)
    }

    /// Is the chip of this kind taken in before the deal?
    fn is_lifted(kind: &str) -> bool {
        let wager = Self::book().and_then(|book| book.wager(kind));
        wager.is_some_and(|wager| wager.stake_stays)
    }

    /// The meters that the text of an edition knows.
    fn meters(edition: &str) -> Vec<&'static str> {
        let wagers = Self::book().map_or(&[][..], Book::wagers);
        let edition = Edition::from_name(edition);
        let mut meters: Vec<&str> = wagers
            .iter()
            .filter(|wager| edition.is_some_and(|edition| wager.editions.holds(edition)))
            .filter_map(|wager| wager.meter.as_deref())
            .collect();
        meters.dedup();
        meters
    }

    /// Edition and options of a table, lawful and varied.
    fn open(rng: &mut ChaCha8Rng) -> (&'static str, Value);

    /// What a patron bets before the deal.
    fn bets(setup: &Setup, rng: &mut ChaCha8Rng) -> Vec<(&'static str, i64)>;

    /// Cards of the house that are dealt with the hands; those beyond come later.
    fn house(setup: &Setup) -> usize;

    /// Is this card of the house dealt face up?
    fn is_up(_index: usize) -> bool {
        false
    }

    /// Cards that the shoe or the text has the dealer put away unseen with the deal.
    fn put_away(_setup: &Setup) -> usize {
        0
    }

    /// Does a shuffler that counts spare the dealer the count of the stub with an automated shoe alone?
    const SPARED_BY_AUTO_SHOE: bool = false;

    /// Cards of the board that are burned before the first of it is turned over.
    fn board_burns(_setup: &Setup) -> usize {
        0
    }

    /// Are cards that are put away told as burned?
    const BURNS: bool = false;

    /// An automated shoe deals the house first.
    fn house_leads(_setup: &Setup) -> bool {
        false
    }

    fn decide(
        setup: &Setup,
        script: &Script,
        seat: u32,
        street: usize,
        rng: &mut ChaCha8Rng,
    ) -> Choice;

    /// Is a wager of this kind lost at once when its hand is folded?
    fn dies(_setup: &Setup, kind: &str) -> bool;

    /// Does a wager of this folded seat still need its cards?
    fn shows_folded(_script: &Script, _seat: u32) -> bool {
        Self::LISTED
    }

    /// Must the house show its cards?
    fn shows_house(script: &Script) -> bool;

    /// One person may bet at two seats side by side.
    fn two_seats(_setup: &Setup) -> bool {
        false
    }
}

/// A table of the game and how its devices tell of it.
#[derive(Debug)]
struct Setup {
    edition: &'static str,
    options: Value,
    /// The shoe reads the cards that it deals.
    identified: bool,
    /// Decisions come with the amount that is put up.
    amounts: bool,
    /// Bets that are taken back are told as removed.
    removes: bool,
}

impl Setup {
    fn option(&self, key: &str) -> &Value {
        &self.options[key]
    }

    fn is_ohio(&self) -> bool {
        self.edition == "oh-jack-2017"
    }

    /// The chip that the sensor of the progressive takes.
    fn progressive_bet(&self) -> i64 {
        self.option("progressive_bet").as_i64().unwrap_or(100)
    }

    /// Is a wager of this kind on the layout?
    fn offers(&self, kind: &str) -> bool {
        let offered = self.option("offered").as_array();
        offered.is_none_or(|offered| offered.iter().any(|on| on == kind))
    }

    /// What a meter starts from, and starts from again.
    fn reset(&self, meter: &str) -> Cents {
        let posted = self.option(&format!("{meter}_reset")).as_i64();
        Cents::new(posted.unwrap_or(1_000_000))
    }

    fn is_automated(&self) -> bool {
        self.option("dealing") == "automated_shoe"
    }

    fn is_on(&self, key: &str) -> bool {
        self.option(key) == true
    }

    fn dealing<G: StudGame>(&self, rng: &mut ChaCha8Rng) -> Dealing {
        let word = |key: &str| self.option(key).as_str().unwrap_or_default().to_owned();
        let machine = word("shuffler") + &word("shuffle");
        let method = match word("dealing").as_str() {
            "hand" => DealingMethod::Hand,
            "automated_shoe" => DealingMethod::AutoShoe,
            _ => DealingMethod::Shoe,
        };
        let by_shoe = self.is_automated() || !G::SPARED_BY_AUTO_SHOE;
        let is_spared = machine.ends_with("counting") && by_shoe;
        Dealing {
            method,
            alternates: self.is_on("alternating_decks") || self.is_on("two_decks"),
            joker: G::joker(),
            count_every: (!self.is_ohio() && !is_spared).then_some(5),
            cut: (machine == "manual").then(|| rng.random_range(10..=42)),
        }
    }
}

/// A table of the game.
struct Stud<G> {
    setup: Setup,
    decks: Option<Decks>,
    meters: BTreeMap<String, Cents>,
    last: Option<Script>,
    game: std::marker::PhantomData<G>,
}

impl<G> Default for Stud<G> {
    fn default() -> Stud<G> {
        Stud {
            setup: Setup {
                edition: "",
                options: Value::Null,
                identified: true,
                amounts: false,
                removes: false,
            },
            decks: None,
            meters: BTreeMap::new(),
            last: None,
            game: std::marker::PhantomData,
        }
    }
}

impl<G: StudGame> GameSim for Stud<G> {
    fn sign(&self) -> &'static str {
        G::SIGN
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let (edition, options) = G::open(rng);
        self.setup = Setup {
            edition,
            options: options.clone(),
            identified: rng.random_range(0..3) > 0,
            amounts: rng.random_range(0..2) == 0,
            removes: rng.random_range(0..2) == 0,
        };
        self.decks = Some(Decks::new(self.setup.dealing::<G>(rng)));
        for meter in G::meters(edition) {
            let grown = Cents::new(rng.random_range(0..2_000_000));
            let reset = self.setup.reset(meter);
            self.meters.insert(meter.to_owned(), reset + grown);
        }
        (edition, options)
    }

    fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        let decks = self.decks.as_mut();
        decks.map_or_else(Vec::new, |decks| decks.shuffle(rng))
    }

    fn renew(&mut self) {
        if let Some(decks) = &mut self.decks {
            decks.renew();
        }
    }

    /// Whoever is at the table, there are cards for all.
    fn deal_on(&mut self) -> bool {
        let house = G::house(&self.setup).max(if G::board() { 3 } else { 0 });
        let cards = SEATS * G::hand() + house + G::put_away(&self.setup);
        let decks = self.decks.as_mut();
        decks.is_some_and(|decks| decks.deal_on(cards))
    }

    fn shoe(&self) -> Option<String> {
        self.decks.as_ref().map(Decks::name)
    }

    fn cannot(&self) -> &'static [FaultKind] {
        &[FaultKind::WrongCommission]
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let mut script = Script::default();
        for &seat in seats {
            for (kind, amount) in G::bets(&self.setup, rng) {
                script.bets.push(Bet { seat, kind, amount });
            }
        }
        script.players = self.players(seats, rng);
        self.tell_apart(&mut script, rng);
        let mut draw = || self.decks.as_mut().and_then(Decks::draw);
        for &seat in seats {
            let cards = (0..G::hand()).filter_map(|_| draw()).collect();
            script.hands.insert(seat, cards);
        }
        let house = G::house(&self.setup).max(if G::board() { 3 } else { 0 });
        script.house = (0..house).filter_map(|_| draw()).collect();
        script.away = (0..G::put_away(&self.setup))
            .filter_map(|_| draw())
            .collect();
        for street in 0..G::streets() {
            for &seat in seats {
                if script.bet(seat, G::main()).is_none() || script.has_folded(seat) {
                    continue;
                }
                let choice = G::decide(&self.setup, &script, seat, street, rng);
                if let Choice::Put(kind, amount) = choice {
                    script.bets.push(Bet { seat, kind, amount });
                }
                script.choices.entry(seat).or_default().push(choice);
            }
        }
        self.feed_meters(&script);
        let dealt = self.tell(&script);
        self.account(&dealt);
        self.last = Some(script);
        dealt
    }

    fn arrange(&self, dealt: &Dealt, payments: &mut Vec<(usize, Body)>) {
        turns::from_the_last(dealt, payments, G::PRIZES_FROM_THE_LAST);
    }

    fn misplay(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        let mut script = self.last.take()?;
        let misplay = *G::MISPLAYS.choose(rng)?;
        let mut draw = || self.decks.as_mut().and_then(Decks::draw);
        let codes = misplay.spoil::<G>(&self.setup, &mut script, &mut draw, rng);
        if codes.is_some() {
            *dealt = self.tell(&script);
        }
        // Cards that were drawn for a misplay without room are in the deck again.
        self.account(dealt);
        codes
    }

    /// A hand that was given up is paid its own prize all the same.
    fn cheat(
        &mut self,
        kind: FaultKind,
        _: &mut Dealt,
        payments: &mut Vec<Body>,
        rng: &mut ChaCha8Rng,
    ) -> Option<(Cents, Vec<&'static str>)> {
        const CODE: &str = "progressive.folded_paid";
        let qualifies = self.setup.is_on("progressive_folded_qualify");
        let script = self.last.as_ref().filter(|_| !qualifies)?;
        if kind != FaultKind::UnduePaid || !G::is_filed(&self.setup, CODE) {
            return None;
        }
        let is_folded = |bet: &Bet| bet.kind == "progressive" && script.has_folded(bet.seat);
        let index = script.bets.iter().position(is_folded)?;
        let amount = any(rng, &[Cents::new(900), Cents::new(4_000)]);
        let paid = WagerPaid {
            wager: format!("w{}", index + 1),
            amount,
            commission: None,
        };
        payments.push(paid.into());
        // Who has envy besides is paid too much, and not what was not due.
        Some((amount, vec![CODE, "pay.undue", "pay.over"]))
    }

    /// Tables of a game with the same prize to start from are one link.
    fn linked(&self) -> Vec<Linked> {
        let linked = |(meter, shown): (&String, &Cents)| {
            let reset = self.setup.reset(meter);
            Linked {
                link: format!("{}-{}-{meter}-{reset}", G::SIGN, self.setup.edition),
                meter: meter.clone(),
                shown: *shown,
                reset,
            }
        };
        self.meters.iter().map(linked).collect()
    }

    fn show_meter(&mut self, meter: &str, shown: Cents) {
        if let Some(reading) = self.meters.get_mut(meter) {
            *reading = shown;
        }
    }

    /// A meter that was won starts again, one that was shared goes on with the rest. Those who backed the
    /// dealer's hand divide one prize.
    fn settled(&mut self, dealt: &Dealt, settlement: &Settlement) -> Vec<Body> {
        self.give_back(dealt, settlement);
        let mut divided = Cents::ZERO;
        let mut prizes = Vec::new();
        for &index in &dealt.lifted {
            let (Some(wager), Some(settled)) =
                (dealt.wagers.get(index), settlement.wagers().get(index))
            else {
                continue;
            };
            let backs_dealer = wager["kind"] == "five_card_bonus_dealer";
            match backs_dealer {
                true => divided += settled.returned,
                false => prizes.push(settled.returned),
            }
        }
        // A cent of each part may be lost in the division.
        prizes.push(divided + Cents::new(i64::from(divided.is_positive()) * 7));
        for prize in prizes {
            for (meter, reading) in &mut self.meters {
                if prize >= *reading {
                    *reading = self.setup.reset(meter);
                } else if prize >= Cents::new(reading.get() / 10) {
                    *reading -= Cents::new(reading.get() / 10);
                }
            }
        }
        Vec::new()
    }
}

impl<G: StudGame> Stud<G> {
    /// What was not told of was not dealt.
    fn account(&mut self, dealt: &Dealt) {
        let told = |is: fn(&&Body) -> bool| dealt.events.iter().filter(is).count();
        let burned = told(|body| matches!(body, Body::CardBurned(_)));
        // What is burned of the board was dealt to it.
        let burned = burned.saturating_sub(G::board_burns(&self.setup));
        let told = burned + told(|body| matches!(body, Body::CardDealt(_)));
        if let Some(decks) = &mut self.decks {
            decks.put_back(told);
        }
    }

    /// Some bets are told by what they are made of: coupons where the text knows them. Where nothing but the first
    /// card closes the betting a dealer may call when he has dealt it.
    fn tell_apart(&self, script: &mut Script, rng: &mut ChaCha8Rng) {
        let forms = match self.setup.is_ohio() {
            true => [WagerForm::ValueChips, WagerForm::Plaque],
            false => [WagerForm::ValueChips, WagerForm::Coupon],
        };
        for bet in &script.bets {
            if one_in(rng, 8) {
                script.forms.insert((bet.seat, bet.kind), any(rng, &forms));
            }
        }
        script.before_call = usize::from(G::first_card_closes(&self.setup) && one_in(rng, 4));
    }

    /// Some patrons play two seats side by side.
    fn players(&self, seats: &[u32], rng: &mut ChaCha8Rng) -> BTreeMap<u32, String> {
        let pair = seats.windows(2).find(|pair| pair[0] + 1 == pair[1]);
        match pair {
            Some(&[one, other]) if G::two_seats(&self.setup) && rng.random_range(0..3) == 0 => {
                let name = format!("p-{one}");
                BTreeMap::from([(one, name.clone()), (other, name)])
            }
            _ => BTreeMap::new(),
        }
    }

    /// A wager that is void has fed nothing.
    fn give_back(&mut self, dealt: &Dealt, settlement: &Settlement) {
        let wagers = dealt.wagers.iter().zip(settlement.wagers());
        let void = wagers.filter(|(_, settled)| settled.result == Verdict::Void);
        for (wager, _) in void {
            let kind = wager["kind"].as_str().unwrap_or_default();
            let amount = wager["amount"].as_i64().unwrap_or_default();
            let of_wager = |(meter, _): &(&String, &mut Cents)| kind.starts_with(meter.as_str());
            for (_, reading) in self.meters.iter_mut().filter(of_wager) {
                *reading -= Cents::new(amount * 7 / 10);
            }
        }
    }

    /// Seven tenths of each wager on a meter feed it.
    fn feed_meters(&mut self, script: &Script) {
        for (meter, reading) in &mut self.meters {
            let fed = script
                .bets
                .iter()
                .filter(|bet| bet.kind.starts_with(meter.as_str()));
            let staked: i64 = fed.map(|bet| bet.amount).sum();
            *reading += Cents::new(staked * 7 / 10);
        }
    }
}

/// How the dealer deals: more often than not from a shoe that he fills, and mostly with what he shuffled himself.
const DEALT_FROM: [&str; 4] = ["manual_shoe", "manual_shoe", "hand", "automated_shoe"];

/// Seats at which patrons sit.
const SEATS: usize = 6;

/// Text of cards, as documents write them.
fn text(cards: &[Card]) -> Vec<String> {
    cards.iter().map(Card::to_string).collect()
}

/// A stake of whole five dollars.
fn stake(rng: &mut ChaCha8Rng) -> i64 {
    rng.random_range(1..=20) * 500
}

/// True once in so many times.
fn one_in(rng: &mut ChaCha8Rng, times: u32) -> bool {
    rng.random_range(0..times) == 0
}

/// One of these.
fn any<T: Copy>(rng: &mut ChaCha8Rng, of: &[T]) -> T {
    of[rng.random_range(0..of.len())]
}

/// Wagers of the layout that a house leaves out now and then.
fn some_of(rng: &mut ChaCha8Rng, kinds: &[&'static str]) -> Vec<&'static str> {
    let all = !one_in(rng, 3);
    let kinds = kinds.iter().copied();
    kinds.filter(|_| all || one_in(rng, 2)).collect()
}

/// Options by which a house shuffles: by hand, or by a machine that may serve two decks in turn. The
/// names of the options differ between the texts.
fn post_shuffle(
    options: &mut Value,
    [shuffle, two_decks]: [&str; 2],
    by_hand: bool,
    machine: &str,
    two: bool,
) {
    options[shuffle] = json!(if by_hand { "manual" } else { machine });
    options[two_decks] = json!(!by_hand && two);
}

/// The limits of a sign that every stake of the floor is within, or none.
fn post_limits(options: &mut Value, rng: &mut ChaCha8Rng) {
    if one_in(rng, 2) {
        options["table_min"] = json!(500);
        options["table_max"] = json!(10_000);
    }
}

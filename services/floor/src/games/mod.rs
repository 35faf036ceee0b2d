//! The games that the floor can play. One file a game, and the list that registers them.

mod baccarat;
mod bias;
mod big_six;
mod blackjack;
mod chemin_de_fer;
mod craps;
mod dice;
mod holdem;
mod pai_gow;
mod poker;
mod red_dog;
mod roulette;
mod shoes;
mod sic_bo;
mod stud;
mod turns;

use std::collections::BTreeMap;

use catwalk_events::body::{Body, WagerForm};
use catwalk_rules::book::Book;
use catwalk_rules::floor::Cents;
use catwalk_rules::{Edition, Settlement};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use baccarat::{Baccarat, Variant};
use blackjack::{Blackjack, Kin};

use crate::fault::FaultKind;
use crate::meters::Linked;

/// The names of the games that the floor can play.
pub const GAMES: [&str; 30] = [
    "baccarat",
    "big_six",
    "blackjack",
    "caribbean_stud",
    "chemin_de_fer",
    "colorado_holdem",
    "commission_free_pai_gow_poker",
    "crapless_craps",
    "craps",
    "crazy_four_poker",
    "dj_wild",
    "double_down_stud",
    "dragon_bonus_baccarat_commission_free",
    "fast_action_holdem",
    "four_card_poker",
    "free_bet_blackjack",
    "let_it_ride",
    "midibaccarat",
    "minibaccarat",
    "mississippi_stud",
    "pai_gow",
    "pai_gow_poker",
    "poker",
    "red_dog",
    "roulette",
    "sic_bo",
    "spanish_21",
    "texas_holdem_bonus",
    "three_card_poker",
    "ultimate_texas_holdem",
];

pub(crate) fn game(name: &str) -> Option<Box<dyn GameSim>> {
    let baccarat = |variant| Some(Box::new(Baccarat::new(variant)) as Box<dyn GameSim>);
    let blackjack = |kin| Some(Box::new(Blackjack::new(kin)) as Box<dyn GameSim>);
    let pai_gow = |variant| Some(Box::new(pai_gow::PaiGowPoker::new(variant)) as Box<dyn GameSim>);
    match name {
        "baccarat" => baccarat(Variant::Baccarat),
        "big_six" => Some(Box::new(big_six::BigSix::default())),
        "blackjack" => blackjack(Kin::Blackjack),
        "chemin_de_fer" => Some(Box::new(chemin_de_fer::CheminDeFer::default())),
        "commission_free_pai_gow_poker" => pai_gow(pai_gow::Variant::CommissionFree),
        "crapless_craps" => Some(Box::new(craps::Craps::new(true))),
        "craps" => Some(Box::new(craps::Craps::new(false))),
        "dragon_bonus_baccarat_commission_free" => baccarat(Variant::CommissionFree),
        "free_bet_blackjack" => blackjack(Kin::FreeBet),
        "midibaccarat" => baccarat(Variant::Midi),
        "minibaccarat" => baccarat(Variant::Mini),
        "pai_gow" => Some(Box::new(pai_gow::PaiGow::default())),
        "pai_gow_poker" => pai_gow(pai_gow::Variant::Vigorish),
        "colorado_holdem" => Some(Box::new(holdem::Colorado::default())),
        "fast_action_holdem" => Some(Box::new(holdem::FastAction::default())),
        "poker" => Some(Box::new(poker::Poker::default())),
        "texas_holdem_bonus" => Some(Box::new(holdem::TexasBonus::default())),
        "ultimate_texas_holdem" => Some(Box::new(holdem::Ultimate::default())),
        "red_dog" => Some(Box::new(red_dog::RedDog::default())),
        "roulette" => Some(Box::new(roulette::Roulette::default())),
        "sic_bo" => Some(Box::new(sic_bo::SicBo::default())),
        "spanish_21" => blackjack(Kin::Spanish),
        name => stud::game(name),
    }
}

/// The faults that a game of the floor has room for, of those that are found for certain.
pub fn fault_kinds(name: &str) -> Vec<FaultKind> {
    let kinds = FaultKind::CERTAIN.into_iter();
    kinds.filter(|kind| has_room(name, *kind)).collect()
}

/// Games that are played without cards.
const WITHOUT_CARDS: [&str; 6] = [
    "big_six",
    "crapless_craps",
    "craps",
    "pai_gow",
    "roulette",
    "sic_bo",
];
const WITH_DICE: [&str; 4] = ["crapless_craps", "craps", "pai_gow", "sic_bo"];
/// Games whose wagers pay one price each, or that have no house to pay.
const WITHOUT_SCALES: [&str; 6] = [
    "big_six",
    "chemin_de_fer",
    "pai_gow",
    "poker",
    "roulette",
    "sic_bo",
];
/// Games of the floor with a meter whose prizes are not all a share of it.
const WITH_METER: [&str; 6] = [
    "caribbean_stud",
    "crazy_four_poker",
    "four_card_poker",
    "let_it_ride",
    "mississippi_stud",
    "three_card_poker",
];
/// Games of the floor in which a bet on one's luck has a share in that of others.
const WITH_ENVY: [&str; 2] = ["commission_free_pai_gow_poker", "pai_gow_poker"];

/// Games whose rounds can be called off when they are dealt: nothing of a round is left for the next one.
pub(crate) const CALLED_OFF: [&str; 12] = [
    "big_six",
    "caribbean_stud",
    "crazy_four_poker",
    "dj_wild",
    "double_down_stud",
    "four_card_poker",
    "let_it_ride",
    "mississippi_stud",
    "red_dog",
    "roulette",
    "sic_bo",
    "three_card_poker",
];

/// Can this be done at a game, so that it is found for certain?
pub(crate) fn has_room(name: &str, kind: FaultKind) -> bool {
    use FaultKind::*;
    let Some(game) = game(name) else { return false };
    let on_table = match kind {
        // Its cards are named when they are turned over: the floor does not know which have all come.
        DoubledCard if name == "midibaccarat" => false,
        SwitchedCard | ForeignCard | MissingCard | DoubledCard | StackedShoe | ShortShoe => {
            !WITHOUT_CARDS.contains(&name)
        }
        ShallowCut | Unshuffled => stud::game(name).is_some(),
        SwitchedDice => WITH_DICE.contains(&name),
        // Ohio's text asks for no inspection of dice, no hours and no notice.
        ForgedInspection => name != "crapless_craps",
        OverdueSet => !matches!(name, "big_six" | "crapless_craps" | "roulette"),
        UnannouncedRules | UnannouncedLimits => is_of_massachusetts(name),
        EnvyUnpaid => WITH_ENVY.contains(&name),
        WrongBonus => !WITHOUT_SCALES.contains(&name),
        TamperedMeter => WITH_METER.contains(&name),
        // The text of the poker room alone has a rule of it. 16(b)
        BarredPlayer | SilentConduct | RakeMisplaced => name == "poker",
        // Players of the poker room play for each other's money, and the rake is in the box too.
        Collusion | SkimmedDrop => name != "poker",
        // Where a patron banks, chips do not go through the tray alone.
        // Chips of the poker room go with their patrons, and counter checks are left at the cage.
        MarkerOpen => name != "poker",
        MissingFill | WrongCloser => !matches!(name, "chemin_de_fer" | "pai_gow" | "pai_gow_poker"),
        WrongCommission => !matches!(name, "big_six" | "roulette" | "sic_bo"),
        UnevenTables => is_uniform(name),
        VoidedPayment | DecidedVoid => CALLED_OFF.contains(&name),
        // Chips of the poker room lie in pots, under no name.
        StrayPayment | StrayPush | StrayPot | ExcusedLoser => name != "poker",
        UnknownWager | HiddenByGap => name != "poker" && game.announces(),
        // Cards that are not told are missing when their shoe is counted: that is another fault.
        UntoldResult => matches!(name, "big_six" | "roulette" | "sic_bo"),
        // What stands on the layout of a run, and what goes to and from a patron's bank, has no end of its own.
        LeftOpen => matches!(name, "big_six" | "roulette" | "sic_bo"),
        StrayCommission => WITHOUT_COMMISSION.contains(&name),
        // Chips of a patron's bank and of pots do not go through the tray alone, and what waits for later rounds keeps
        // its table open.
        ShortOpenings => {
            let is_of_house = !matches!(
                name,
                "chemin_de_fer" | "pai_gow" | "pai_gow_poker" | "poker"
            );
            is_of_house && game.closes_at_night()
        }
        ReopenedShort => !matches!(name, "chemin_de_fer" | "pai_gow" | "pai_gow_poker"),
        // Who banked is forgotten where a table opens.
        ReopenedOtherwise => !matches!(name, "pai_gow" | "pai_gow_poker"),
        OtherBanker => matches!(name, "pai_gow" | "pai_gow_poker"),
        _ => true,
    };
    on_table && !game.cannot().contains(&kind)
}

/// Games that take no commission on any bet.
const WITHOUT_COMMISSION: [&str; 6] = [
    "big_six",
    "blackjack",
    "red_dog",
    "roulette",
    "sic_bo",
    "three_card_poker",
];

/// Is there an option in which the tables of a house must not differ?
fn is_uniform(name: &str) -> bool {
    let mut options = Book::of(name).into_iter().flat_map(Book::options);
    options.any(|option| option.uniform.is_some())
}

fn is_of_massachusetts(name: &str) -> bool {
    let mut editions = Book::of(name).into_iter().flat_map(Book::editions);
    editions.any(|edition| edition != Edition::OhJack2017)
}

/// A game as a dealer runs it.
pub(crate) trait GameSim {
    /// Two letters for the table's name.
    fn sign(&self) -> &'static str;

    /// The rules that this table opens under: edition and options, lawful and varied.
    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value);

    /// Other options are posted between two rounds.
    fn post(&mut self, _options: &Value) {}

    /// What happens at the table before its first round and between rounds: cards, wheels.
    fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body>;

    /// Deals the next round from what is left of the last one, if that is enough for it.
    fn deal_on(&mut self) -> bool {
        false
    }

    /// The shoe that the next round is dealt from.
    fn shoe(&self) -> Option<String> {
        None
    }

    /// Does the house call no more bets before the play, once a round? Elsewhere the play says so itself.
    fn announces(&self) -> bool {
        true
    }

    /// Everything has left the table, cards, dice and tiles: new ones come before the next round, and the
    /// wheel is inspected again.
    fn renew(&mut self);

    /// Another dealer takes over before the next round.
    fn relieve(&mut self) {}

    /// The table has closed: what the players had built up over rounds ends with it.
    fn close(&mut self) {}

    /// Does the table close for the night? One whose wagers wait for later rounds does not.
    fn closes_at_night(&self) -> bool {
        true
    }

    /// Faults that this game has no room for, as it is played under the rules of its table.
    fn cannot(&self) -> &'static [FaultKind] {
        &[]
    }

    /// From now on the wheel or the dice favour an outcome, in so many of a thousand times whatever chance
    /// says. False where there are none.
    fn favour(&mut self, _kind: FaultKind, _per_mille: u32) -> bool {
        false
    }

    /// Bets of the players at `seats`, and the round dealt to them.
    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt;

    /// Deals against the rules in a round that was lawful; the finding codes of which one must tell.
    /// Nothing where this round has no room for it.
    fn misplay(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>>;

    /// Puts what the dealer takes and pays into the order of the game's rules; losers come first and
    /// then winners, as they bet, where the game has no other.
    fn arrange(&self, _dealt: &Dealt, _payments: &mut Vec<(usize, Body)>) {}

    /// Does the house take the stake of this kind when it is made?
    fn keeps_stake(&self, _kind: &str) -> bool {
        false
    }

    /// The finding code of a wager of this kind that is made when the outcome is known.
    fn late_code(&self, _kind: &str) -> &'static str {
        "wager.late"
    }

    /// Options of the table that the document has in `play`.
    fn of_play(&self) -> &'static [&'static str] {
        &[]
    }

    /// What the players of the next round buy in for, where the game keeps their stakes itself.
    fn buy_ins(&mut self) -> Option<Vec<(u32, Cents)>> {
        None
    }

    /// Does a fault of this kind in the game's own way, where it has one: what the house loses by it
    /// and the codes of which one must tell. `payments` is what `settled` made.
    fn cheat(
        &mut self,
        _kind: FaultKind,
        _dealt: &mut Dealt,
        _payments: &mut Vec<Body>,
        _rng: &mut ChaCha8Rng,
    ) -> Option<(Cents, Vec<&'static str>)> {
        None
    }

    /// Players who conduct themselves against the rules, between rounds: what is told of it, and the codes of which one
    /// must tell that it was dealt with wrongly.
    fn misconduct(
        &mut self,
        _kind: FaultKind,
        _rng: &mut ChaCha8Rng,
    ) -> Option<(Vec<Body>, Vec<&'static str>)> {
        None
    }

    /// The meters that this table shares with others, as it shows them.
    fn linked(&self) -> Vec<Linked> {
        Vec::new()
    }

    /// What the fund of its bad beat holds, if it has one.
    fn fund(&self) -> Option<(String, Cents)> {
        None
    }

    /// The display of such a meter shows what the others made of it.
    fn show_meter(&mut self, _meter: &str, _shown: Cents) {}

    /// The round was settled like this: what of it outlives the round is for the game to keep, and
    /// payments that belong to no wager (a pot, a rake, a bonus beside the odds) are made here.
    fn settled(&mut self, _dealt: &Dealt, _settlement: &Settlement) -> Vec<Body> {
        Vec::new()
    }
}

/// A round as it was bet and dealt.
#[derive(Debug, Default)]
pub(crate) struct Dealt {
    /// `wagers` of the round document.
    pub(crate) wagers: Vec<Value>,
    /// `play` of the round document.
    pub(crate) play: Value,
    /// What is said before the wagers are made: bids, a pass, a bank.
    pub(crate) before: Vec<Body>,
    /// The play as events, in order.
    pub(crate) events: Vec<Body>,
    /// Wagers that the dealer adds during play: index into `wagers`, after so many `events`.
    pub(crate) added: Vec<(usize, usize)>,
    /// Wagers of earlier rounds that are still up: indices into `wagers`. No event tells of them again.
    pub(crate) carried: Vec<usize>,
    /// Wagers that are paid or collected during play: index into `wagers`, after so many `events`.
    /// The others are at the end.
    pub(crate) decided: Vec<(usize, usize)>,
    /// Wagers whose vigorish is paid beside the stake when they are made: indices into `wagers`.
    pub(crate) prepaid: Vec<usize>,
    /// The seat that banks the round.
    pub(crate) banker: Option<u32>,
    /// Wagers whose chip the dealer takes in before the deal, whatever they win: indices into `wagers`.
    pub(crate) lifted: Vec<usize>,
    /// What wagers are made of, by their ids, where it is told and the document does not say it.
    pub(crate) forms: BTreeMap<String, WagerForm>,
    /// So many events of the play come before the house calls no more bets.
    pub(crate) before_call: usize,
    /// Who sits where, for patrons that are known by name.
    pub(crate) players: BTreeMap<u32, String>,
    /// Meters as they stand when the round opens.
    pub(crate) meters: Option<BTreeMap<String, Cents>>,
    /// What the events of wagers tell beside what the document has of them, by id.
    pub(crate) asides: BTreeMap<String, Value>,
    /// Wagers of the play that the dealer makes good: what was put in first, by index into `wagers`.
    pub(crate) made_good: BTreeMap<usize, Cents>,
}

impl Dealt {
    /// Puts an event into the play; what was to follow later still does.
    pub(crate) fn insert(&mut self, at: usize, body: Body) {
        self.events.insert(at, body);
        let later = self.added.iter_mut().chain(&mut self.decided);
        later
            .filter(|(_, after)| *after >= at)
            .for_each(|(_, after)| *after += 1);
    }

    /// Puts an event into the play right before another: what is bet before that is bet before both.
    pub(crate) fn insert_right_before(&mut self, at: usize, body: Body) {
        self.events.insert(at, body);
        let later = self.added.iter_mut().chain(&mut self.decided);
        later
            .filter(|(_, after)| *after > at)
            .for_each(|(_, after)| *after += 1);
    }

    /// Takes an event out of the play.
    pub(crate) fn remove(&mut self, at: usize) -> Body {
        let later = self.added.iter_mut().chain(&mut self.decided);
        later
            .filter(|(_, after)| *after > at)
            .for_each(|(_, after)| *after -= 1);
        self.events.remove(at)
    }

    /// A wager before the deal.
    pub(crate) fn bet(&mut self, seat: u32, kind: &str, amount: i64) -> usize {
        let index = self.wagers.len();
        let id = format!("w{}", index + 1);
        let wager = json!({"id": id, "seat": seat, "kind": kind, "amount": amount});
        self.wagers.push(wager);
        index
    }

    /// A wager during play that depends on another.
    pub(crate) fn add_bet(&mut self, on: usize, kind: &str, amount: i64) -> usize {
        let seat = self.wagers[on]["seat"].as_u64().unwrap_or_default();
        let index = self.bet(u32::try_from(seat).unwrap_or_default(), kind, amount);
        self.wagers[index]["on"] = self.wagers[on]["id"].clone();
        self.added.push((index, self.events.len()));
        index
    }

    /// A wager is decided now.
    pub(crate) fn decide(&mut self, wager: usize) {
        self.decided.push((wager, self.events.len()));
    }
}

//! The rules that a table of the family plays by, chosen when it opens.

use catwalk_events::body::DealingMethod;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

use crate::games::shoes::Dealing;

/// One of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::games) enum Kin {
    Blackjack,
    FreeBet,
    Spanish,
}

/// What becomes of the dealer's second card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hole {
    /// Dealt face up after all decisions.
    None,
    Down,
    Reader,
    Exposed,
}

/// The rules of one table.
#[derive(Clone, Debug)]
pub(super) struct House {
    pub(super) kin: Kin,
    pub(super) ohio: bool,
    pub(super) hole: Hole,
    pub(super) hits_soft_17: bool,
    pub(super) surrender: bool,
    pub(super) even_money: bool,
    pub(super) max_hands: usize,
    pub(super) resplit_aces: bool,
    pub(super) double_after_split: bool,
    pub(super) six_to_five: bool,
    pub(super) multiple_action: bool,
    pub(super) tournament: bool,
    /// A guest behind the seated player may bet on the box too.
    pub(super) back_bettors: bool,
    /// Unit that insurance is made in.
    pub(super) chip_unit: i64,
    pub(super) sides: Vec<&'static str>,
    /// First cards lie face down until the player's turn.
    pub(super) pitched: bool,
    /// The card of a double lies face down until the end.
    pub(super) double_down: bool,
    /// It does so if the player wants it.
    pub(super) on_request: bool,
    /// May who sat out a round bet again before the shuffle?
    pub(super) mid_shoe_entry: bool,
    /// Multiple action: the fewest spots to bet on.
    pub(super) min_spots: u32,
    /// A blackjack may be doubled.
    pub(super) doubles_blackjack: bool,
    /// The feed says when the lammer of a winner goes.
    pub(super) tells_lammers: bool,
    /// The names of two sides, for red and black cards.
    pub(super) sides_of_shoe: Option<[&'static str; 2]>,
    /// Does the feed of the table say when the hole card is checked?
    pub(super) tells_checks: bool,
    /// Are stakes told before the decision that they are for?
    pub(super) stakes_first: bool,
    pub(super) dealing: Dealing,
}

impl House {
    pub(super) fn open(kin: Kin, rng: &mut ChaCha8Rng) -> (House, &'static str, Value) {
        match kin {
            Kin::Spanish => spanish(rng),
            Kin::FreeBet => free_bet(rng),
            Kin::Blackjack if one_in(3, rng) => ohio(rng),
            Kin::Blackjack => massachusetts(rng),
        }
    }

    fn new(kin: Kin, rng: &mut ChaCha8Rng) -> House {
        House {
            kin,
            ohio: false,
            hole: Hole::None,
            hits_soft_17: false,
            surrender: false,
            even_money: false,
            max_hands: 2,
            resplit_aces: true,
            double_after_split: true,
            six_to_five: false,
            multiple_action: false,
            tournament: false,
            back_bettors: false,
            chip_unit: 100,
            sides: Vec::new(),
            pitched: false,
            double_down: one_in(4, rng),
            on_request: one_in(4, rng),
            mid_shoe_entry: !one_in(5, rng),
            min_spots: rng.random_range(2..=3),
            doubles_blackjack: false,
            tells_lammers: kin == Kin::FreeBet && one_in(2, rng),
            sides_of_shoe: None,
            tells_checks: one_in(2, rng),
            stakes_first: one_in(2, rng),
            dealing: Dealing {
                decks: 6,
                without_tens: kin == Kin::Spanish,
                method: DealingMethod::Shoe,
                alternating: false,
                cut: 0,
                least: 60,
                rounds_per_set: 900,
                side: None,
            },
        }
    }

    /// Sets the cutting card a quarter from the back, at 6 to 5 a third, and picks the shuffler.
    fn deal_from(&mut self, decks: u32, options: &mut Map<String, Value>, rng: &mut ChaCha8Rng) {
        let size = if self.kin == Kin::Spanish { 48 } else { 52 };
        let dealing = &mut self.dealing;
        dealing.decks = decks;
        dealing.cut = decks * size / if self.six_to_five { 3 } else { 4 };
        dealing.least = if decks == 1 { 40 } else { 60 };
        options.insert("decks".into(), json!(decks));
        if self.six_to_five || self.pitched {
            dealing.method = DealingMethod::Hand;
            dealing.alternating = self.six_to_five;
            dealing.rounds_per_set = if self.six_to_five { 150 } else { 300 };
        } else if decks >= 2 && one_in(4, rng) {
            dealing.method = DealingMethod::AutoShoe;
            dealing.alternating = self.kin != Kin::Spanish;
            options.insert("shuffler".into(), json!("automated"));
        } else if self.kin == Kin::Blackjack && one_in(12, rng) {
            dealing.method = DealingMethod::Continuous;
            options.insert("shuffler".into(), json!("continuous"));
        }
    }

    /// What is the same choice in all the family: how a double's card lies, who may come into a shoe.
    fn post_common(&mut self, options: &mut Map<String, Value>) {
        let card = match self {
            House {
                double_down: true, ..
            } => "face_down",
            House {
                on_request: true, ..
            } => "on_request",
            _ => "face_up",
        };
        options.insert("double_card".into(), json!(card));
        self.post_entry(options);
    }

    /// Guests behind a box come and go, where they may.
    fn post_entry(&mut self, options: &mut Map<String, Value>) {
        self.back_bettors &= self.mid_shoe_entry;
        options.insert("mid_shoe_entry".into(), json!(self.mid_shoe_entry));
    }

    pub(super) fn offers(&self, side: &str) -> bool {
        self.sides.contains(&side)
    }
}

/// True once in so many times.
pub(super) fn one_in(times: u32, rng: &mut ChaCha8Rng) -> bool {
    rng.random_range(0..times) == 0
}

fn pick<T: Copy>(from: &[T], rng: &mut ChaCha8Rng) -> Option<T> {
    from.choose(rng).copied()
}

fn massachusetts(rng: &mut ChaCha8Rng) -> (House, &'static str, Value) {
    let mut house = House::new(Kin::Blackjack, rng);
    let mut options = Map::new();
    match rng.random_range(0..6) {
        0 => {
            house.six_to_five = true;
            house.hits_soft_17 = true;
            house.hole = if one_in(2, rng) {
                Hole::None
            } else {
                Hole::Reader
            };
            house.double_after_split = one_in(2, rng);
            house.max_hands = rng.random_range(2..=4);
            house
                .sides
                .extend(pick(&["royal_match", "blackjack_bonus"], rng).filter(|_| one_in(2, rng)));
            options.insert("variation".into(), json!("six_to_five"));
            options.insert("double_after_split".into(), json!(house.double_after_split));
        }
        1 => {
            house.multiple_action = true;
            options.insert("variation".into(), json!("multiple_action"));
            options.insert("min_spots".into(), json!(house.min_spots));
            house
                .sides
                .extend(pick(&["over_under_13", "royal_match", "super_sevens"], rng));
        }
        _ => standard(&mut house, &mut options, rng),
    }
    if !house.six_to_five {
        house.hits_soft_17 = one_in(2, rng);
        options.insert("dealer_hits_soft_17".into(), json!(house.hits_soft_17));
    }
    house.even_money = house.hole != Hole::Exposed && one_in(2, rng);
    options.insert("even_money".into(), json!(house.even_money));
    options.insert("max_split_hands".into(), json!(house.max_hands));
    house.resplit_aces = one_in(2, rng);
    options.insert("resplit_aces".into(), json!(house.resplit_aces));
    options.insert("hole_card".into(), json!(word(house.hole)));
    options.insert("side_bets".into(), json!(house.sides));
    let decks = lawful_decks(&house, rng);
    house.deal_from(decks, &mut options, rng);
    if house.offers("royal_match") {
        // 17(e)2: one option for all tables of the house with so many decks.
        let chosen = match decks {
            1 => 4,
            4 => 2,
            6 => 1,
            _ => 3,
        };
        options.insert("royal_match_option".into(), json!(chosen));
    }
    let has_shoe = house.dealing.method == DealingMethod::Shoe;
    if has_shoe && decks >= 4 && !house.multiple_action && one_in(6, rng) {
        let sides = pick(&[["left", "right"], ["right", "left"]], rng);
        house.sides_of_shoe = sides;
        // The sides are shuffled at different times.
        house.mid_shoe_entry = true;
        let [red, black] = sides.unwrap_or(["left", "right"]);
        let named = json!({"hearts_diamonds": red, "spades_clubs": black});
        options.insert("double_shoe".into(), named);
    }
    house.double_down &= house.hole != Hole::Exposed;
    house.on_request &= house.hole != Hole::Exposed;
    house.post_common(&mut options);
    (house, "mgc-2017", Value::Object(options))
}

/// The standard game with side wagers that may share a table.
fn standard(house: &mut House, options: &mut Map<String, Value>, rng: &mut ChaCha8Rng) {
    let holes = [
        Hole::None,
        Hole::Down,
        Hole::Reader,
        Hole::Reader,
        Hole::Exposed,
    ];
    house.hole = pick(&holes, rng).unwrap_or(Hole::None);
    let first = ["over_under_13", "royal_match", "super_sevens"];
    let second = [
        "blackjack_bonus",
        "streak",
        "twenty_point_bonus",
        "optional_bonus",
    ];
    if one_in(6, rng) {
        house.hole = Hole::None;
        house.sides.push("progressive");
    } else {
        house
            .sides
            .extend(pick(&first, rng).filter(|_| one_in(2, rng)));
        house
            .sides
            .extend(pick(&second, rng).filter(|_| !one_in(3, rng)));
    }
    if !house.offers("optional_bonus") && one_in(3, rng) {
        house.sides.push("match_the_dealer");
    }
    if house.offers("twenty_point_bonus") {
        options.insert("twenty_point_table".into(), json!(pick(&["A", "B"], rng)));
        options.insert("twenty_point_aggregate_max".into(), json!(2_500_000));
    }
    house.surrender = house.hole != Hole::Exposed && !house.offers("progressive") && one_in(2, rng);
    options.insert("surrender".into(), json!(house.surrender));
    if house.hole != Hole::Exposed {
        house.max_hands = rng.random_range(2..=4);
    }
    let mut bonuses = vec![
        "suited_678",
        "three_sevens",
        "designated_blackjack",
        "five_card_21",
    ];
    bonuses.shuffle(rng);
    bonuses.truncate(rng.random_range(0..=3));
    options.insert("bonus_payouts".into(), json!(bonuses));
    options.insert("designated_blackjack".into(), json!(["AS", "JS"]));
    house.back_bettors = !house.offers("progressive") && one_in(3, rng);
    if house.back_bettors {
        options.insert("players_per_box".into(), json!(2));
    }
    if one_in(3, rng) {
        house.chip_unit = 500;
        options.insert("chip_unit".into(), json!(500));
    }
    if one_in(2, rng) {
        options.insert("pays".into(), Value::Object(higher_odds(house)));
    }
}

/// More than the rules want, in what is offered.
fn higher_odds(house: &House) -> Map<String, Value> {
    let more = [
        ("match_the_dealer", json!({"suited": "15:1"})),
        ("streak", json!({"2": "4:1", "5": "40:1"})),
        ("twenty_point_bonus", json!({"any": "5:1"})),
    ];
    let offered = more.into_iter().filter(|(side, _)| house.offers(side));
    offered
        .map(|(side, rows)| (side.to_owned(), rows))
        .collect()
}

/// A number of decks that all side wagers of the table allow.
fn lawful_decks(house: &House, rng: &mut ChaCha8Rng) -> u32 {
    let allowed = |decks: &u32| {
        let at_least = |side: &str, least: u32| !house.offers(side) || *decks >= least;
        let six_or_eight = house.offers("match_the_dealer") || house.offers("optional_bonus");
        let trilux = house.offers("trilux");
        at_least("super_sevens", 4)
            && at_least("progressive", 4)
            && at_least("twenty_point_bonus", 2)
            && (!six_or_eight || [6, 8].contains(decks))
            && (!trilux || [2, 6, 8].contains(decks))
            && (!(house.six_to_five || house.pitched) || *decks <= 2)
    };
    let known: Vec<u32> = [1, 2, 4, 6, 6, 8].into_iter().filter(allowed).collect();
    pick(&known, rng).unwrap_or(6)
}

fn ohio(rng: &mut ChaCha8Rng) -> (House, &'static str, Value) {
    let mut house = House::new(Kin::Blackjack, rng);
    let mut options = ohio_options(&mut house, rng);
    house.pitched = one_in(4, rng);
    let sides = [
        "bet_the_set",
        "royal_match",
        "trilux",
        "kings_bounty",
        "blazing_sevens",
    ];
    house.sides = sides.into_iter().filter(|_| one_in(2, rng)).collect();
    house.tournament = one_in(8, rng);
    // 18.B.i
    house.pitched &= !house.tournament;
    if house.tournament {
        house.resplit_aces = one_in(2, rng);
        house.sides.clear();
        options.insert("tournament".into(), json!(true));
        options.insert("tournament_resplit_aces".into(), json!(house.resplit_aces));
        house.doubles_blackjack = one_in(2, rng);
        let doubles = json!(house.doubles_blackjack);
        options.insert("tournament_double_blackjack".into(), doubles);
    }
    if house.offers("kings_bounty") {
        options.insert("kings_bounty_max_payout".into(), json!(5_000_000));
    }
    if house.pitched {
        options.insert("dealt_from".into(), json!("hand"));
    }
    options.insert("side_bets".into(), json!(house.sides));
    let decks = lawful_decks(&house, rng);
    house.deal_from(decks, &mut options, rng);
    (house, "oh-jack-2017", Value::Object(options))
}

fn free_bet(rng: &mut ChaCha8Rng) -> (House, &'static str, Value) {
    let mut house = House::new(Kin::FreeBet, rng);
    let mut options = ohio_options(&mut house, rng);
    house.even_money = true;
    if one_in(2, rng) {
        house.sides.push("push_22");
    }
    options.insert("side_bets".into(), json!(house.sides));
    let decks = lawful_decks(&house, rng);
    house.deal_from(decks, &mut options, rng);
    (house, "oh-jack-2017", Value::Object(options))
}

/// What both Ohio games have.
fn ohio_options(house: &mut House, rng: &mut ChaCha8Rng) -> Map<String, Value> {
    house.ohio = true;
    house.max_hands = 4;
    house.resplit_aces = false;
    house.hits_soft_17 = one_in(2, rng);
    house.hole = if one_in(4, rng) {
        Hole::Down
    } else {
        Hole::Reader
    };
    let mut options = Map::new();
    options.insert("dealer_hits_soft_17".into(), json!(house.hits_soft_17));
    options.insert("hole_card".into(), json!(word(house.hole)));
    options.insert("blackjack_pays".into(), json!(pick(&["3:2", "6:5"], rng)));
    house.post_common(&mut options);
    options
}

fn spanish(rng: &mut ChaCha8Rng) -> (House, &'static str, Value) {
    let mut house = House::new(Kin::Spanish, rng);
    let mut options = Map::new();
    house.surrender = true;
    house.max_hands = 4;
    house.double_down = false;
    house.sides.push("match_the_dealer");
    house.hole = pick(&[Hole::None, Hole::Down, Hole::Reader], rng).unwrap_or(Hole::None);
    options.insert("hole_card".into(), json!(word(house.hole)));
    house.on_request = false;
    house.back_bettors = one_in(3, rng);
    house.post_entry(&mut options);
    if house.back_bettors {
        options.insert("players_per_box".into(), json!(2));
    }
    let decks = pick(&[6, 8], rng).unwrap_or(6);
    house.deal_from(decks, &mut options, rng);
    (house, "mgc-2017", Value::Object(options))
}

fn word(hole: Hole) -> &'static str {
    match hole {
        Hole::None => "none",
        Hole::Down => "down",
        Hole::Reader => "reader",
        Hole::Exposed => "exposed",
    }
}

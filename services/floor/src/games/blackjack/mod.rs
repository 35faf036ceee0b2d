//! Blackjack, Spanish 21 and Free Bet Blackjack on the floor.

mod deal;
mod house;
mod misplay;
mod strategy;
mod two_sides;

use std::collections::BTreeMap;

use catwalk_events::body::{Body, CardPlace, Face, MeterRead, WagerCollected, WagerPaid};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settlement, Verdict};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::bias::Bias;
use super::shoes::{Dealing, Shoes};
use super::{Dealt, GameSim};
use crate::fault::FaultKind;
use crate::meters::Linked;
use deal::{Deal, amount, mains, seat};
pub(super) use house::Kin;
use house::{Hole, House, one_in};

/// What a meter starts from where the table posts nothing else.
const RESET: i64 = 1_000_000;

/// One of the family at a table.
#[derive(Debug)]
pub(super) struct Blackjack {
    kin: Kin,
    table: Option<(House, Shoes)>,
    /// The side of a double shoe that the last round was not dealt from.
    other_side: Option<Shoes>,
    /// Who plays all of this shoe, where nobody may come into it.
    seated: Option<(String, Vec<u32>)>,
    /// Streak wagers that are not decided: the wager as the next document has it.
    streaks: Vec<Value>,
    streaks_made: u32,
    meter: i64,
    /// The feed has told of a checked hole card.
    check_told: bool,
    /// How often the reader is blind to the dealer's second card.
    blind: Bias,
}

impl GameSim for Blackjack {
    fn sign(&self) -> &'static str {
        match self.kin {
            Kin::Blackjack => "BJ",
            Kin::FreeBet => "FB",
            Kin::Spanish => "SP",
        }
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let (house, edition, options) = House::open(self.kin, rng);
        let side = |side: Option<&'static str>| {
            Shoes::new(Dealing {
                side,
                ..house.dealing
            })
        };
        let sides = house.sides_of_shoe;
        let shoes = side(sides.map(|[red, _]| red));
        self.other_side = sides.map(|[_, black]| side(Some(black)));
        self.table = Some((house, shoes));
        (edition, options)
    }

    fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        let Some((_, shoes)) = &mut self.table else {
            return Vec::new();
        };
        let mut events = shoes.prepare(rng);
        if let Some(other) = &mut self.other_side {
            events.extend(other.prepare(rng));
        }
        events
    }

    fn relieve(&mut self) {
        if let Some((_, shoes)) = &mut self.table {
            shoes.relieve();
        }
    }

    fn renew(&mut self) {
        let dealt = self.table.iter_mut().map(|(_, shoes)| shoes);
        dealt.chain(&mut self.other_side).for_each(Shoes::renew);
    }

    fn closes_at_night(&self) -> bool {
        self.streaks.is_empty()
    }

    fn shoe(&self) -> Option<String> {
        self.table.as_ref().map(|(_, shoes)| shoes.name())
    }

    fn cannot(&self) -> &'static [FaultKind] {
        &[FaultKind::WrongCommission]
    }

    fn favour(&mut self, kind: FaultKind, per_mille: u32) -> bool {
        // Where the dealer takes no second card before the players have played, they are shown what it is.
        let house = self.table.as_ref().map(|(house, _)| house);
        let is_meant =
            kind == FaultKind::BlindReader && house.is_some_and(|house| house.hole != Hole::None);
        if is_meant {
            self.blind = Bias::of(per_mille);
        }
        is_meant
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let Some((house, shoes)) = &mut self.table else {
            return Dealt::default();
        };
        let seats = match house.mid_shoe_entry {
            true => seats.to_vec(),
            false => two_sides::seated(&mut self.seated, shoes.name(), seats),
        };
        // A streak that stays is told again with the wins that it has.
        let mut wagers = std::mem::take(&mut self.streaks);
        let pending: Vec<u32> = wagers.iter().map(seat).collect();
        for &seat in &seats {
            bet(house, seat, &mut wagers, rng);
            if house.offers("streak") && !pending.contains(&seat) && one_in(3, rng) {
                for kind in ["streak_2", "streak_3", "streak_4", "streak_5"] {
                    if one_in(2, rng) {
                        self.streaks_made += 1;
                        let id = format!("s{}", self.streaks_made);
                        wagers.push(json!({"id": id, "seat": seat, "kind": kind, "amount": 500}));
                    }
                }
            }
        }
        let determinant = two_sides::determine(house, shoes, self.other_side.as_mut(), rng);
        let Some(mut dealt) = Deal::play(house, shoes, wagers, rng) else {
            return Dealt::default();
        };
        if let Some(determinant) = determinant {
            determinant.tell(&mut dealt);
        }
        if house.offers("progressive") || house.offers("blazing_sevens") {
            dealt.play["meters"] = json!({"progressive": self.meter});
            let meter = ("progressive".to_owned(), Cents::new(self.meter));
            dealt.meters = Some(BTreeMap::from([meter]));
        }
        if self.blind.shows(rng) {
            hide_second_card(&mut dealt.events);
        }
        dealt
    }

    fn misplay(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        let (house, shoes) = self.table.as_mut()?;
        let mut ways = misplay::WAYS;
        ways.shuffle(rng);
        let unheard = !self.check_told;
        let mut at_fault = misplay::AtFault {
            house,
            shoes,
            dealt,
            unheard,
        };
        ways.iter()
            .find_map(|way| way(&mut at_fault))
            .map(|code| vec![code])
    }

    fn keeps_stake(&self, kind: &str) -> bool {
        is_on_meter(kind)
    }

    /// The tables of a game are one link.
    fn linked(&self) -> Vec<Linked> {
        let offers = |(house, _): &(House, Shoes)| {
            house.offers("progressive") || house.offers("blazing_sevens")
        };
        let linked = Linked {
            link: format!("{}-progressive", self.sign()),
            meter: "progressive".to_owned(),
            shown: Cents::new(self.meter),
            reset: Cents::new(RESET),
        };
        let is_offered = self.table.as_ref().is_some_and(offers);
        is_offered.then_some(linked).into_iter().collect()
    }

    fn show_meter(&mut self, _: &str, shown: Cents) {
        self.meter = shown.get();
    }

    fn settled(&mut self, dealt: &Dealt, settlement: &Settlement) -> Vec<Body> {
        let told =
            |body: &Body| matches!(body, Body::Decision(said) if said.action == "hole_checked");
        self.check_told |= dealt.events.iter().any(told);
        self.keep_streaks(dealt, settlement);
        let mut events = pay_bonuses(dealt, settlement);
        if self
            .table
            .as_ref()
            .is_some_and(|(house, _)| house.tells_lammers)
        {
            events.extend(take_lammers(dealt, settlement));
        }
        events.extend(self.move_meter(dealt, settlement));
        events
    }
}

/// Nobody tells what the dealer's second card is, and nothing shows it later.
fn hide_second_card(events: &mut Vec<Body>) {
    let of_dealer = events.iter_mut().filter_map(|body| match body {
        Body::CardDealt(dealt) if dealt.to == CardPlace::Dealer => Some(dealt),
        _ => None,
    });
    if let Some(second) = of_dealer.into_iter().nth(1) {
        (second.card, second.face) = (None, Face::Down);
    }
    events
        .retain(|body| !matches!(body, Body::CardRevealed(shown) if shown.to == CardPlace::Dealer));
}

impl Blackjack {
    pub(super) fn new(kin: Kin) -> Blackjack {
        Blackjack {
            kin,
            table: None,
            other_side: None,
            seated: None,
            streaks: Vec::new(),
            streaks_made: 0,
            meter: RESET,
            check_told: false,
            blind: Bias::default(),
        }
    }

    /// Streaks that are still open, with one win more where the player won more hands than he lost.
    fn keep_streaks(&mut self, dealt: &Dealt, settlement: &Settlement) {
        let both = || dealt.wagers.iter().zip(settlement.wagers());
        for (streak, due) in both() {
            let kind = streak["kind"].as_str().unwrap_or_default();
            if !kind.starts_with("streak_") || due.result != Verdict::Open {
                continue;
            }
            let hands = both().filter(|(wager, _)| {
                let counts = wager["kind"] == "main" || wager["kind"] == "split";
                counts && wager["seat"] == streak["seat"] && wager["player"].is_null()
            });
            let balance: i64 = hands
                .map(|(_, due)| match due.result {
                    Verdict::Win => 1,
                    Verdict::Lose => -1,
                    _ => 0,
                })
                .sum();
            let wins = streak["wins_before"].as_i64().unwrap_or_default();
            let mut streak = streak.clone();
            streak["wins_before"] = json!(wins + i64::from(balance > 0));
            self.streaks.push(streak);
        }
    }

    /// The meter takes in its part of the wagers and gives its shares; it is read after an award.
    fn move_meter(&mut self, dealt: &Dealt, settlement: &Settlement) -> Option<Body> {
        let before = self.meter;
        let mut awarded = false;
        let mut bets = 0;
        for (wager, due) in dealt.wagers.iter().zip(settlement.wagers()) {
            let is_fed = wager["kind"].as_str().is_some_and(is_on_meter);
            if !is_fed || due.result == Verdict::Void {
                continue;
            }
            bets += amount(wager);
            let award = due.returned.get();
            awarded |= award > 0;
            if award == before {
                self.meter = RESET;
            } else if award == before / 10 {
                self.meter -= award;
            }
        }
        let read = MeterRead {
            meter: "progressive".into(),
            amount: Cents::new(self.meter),
            ..MeterRead::default()
        };
        self.meter += bets * 7 / 10;
        awarded.then(|| read.into())
    }
}

/// Its chip goes into a box, and a meter pays for it.
fn is_on_meter(kind: &str) -> bool {
    matches!(kind, "progressive" | "blazing_sevens")
}

/// Bonuses beside the odds: to the winner on his wager, envy on the wager of the one who gets it. What
/// goes to the toke pool is no payment to a player.
fn pay_bonuses(dealt: &Dealt, settlement: &Settlement) -> Vec<Body> {
    let paid = |bonus: &catwalk_rules::Bonus| {
        let is_his = |main: &&Value| match main["player"].as_str() {
            Some(player) => player == bonus.to,
            None => format!("p{}", seat(main)) == bonus.to,
        };
        let main = mains(&dealt.wagers).find(is_his)?;
        let paid = WagerPaid {
            wager: main["id"].as_str()?.to_owned(),
            amount: bonus.amount,
            commission: None,
        };
        Some(paid.into())
    };
    settlement.bonuses().iter().filter_map(paid).collect()
}

/// The lammer of a free wager that was paid leaves the layout.
fn take_lammers(dealt: &Dealt, settlement: &Settlement) -> impl Iterator<Item = Body> {
    let wagers = dealt.wagers.iter().zip(settlement.wagers());
    let won = wagers.filter(|(wager, due)| {
        let is_free = |kind: &str| kind.starts_with("free_");
        wager["kind"].as_str().is_some_and(is_free) && due.result == Verdict::Win
    });
    won.map(|(_, due)| {
        let taken = WagerCollected {
            wager: due.id.to_string(),
            amount: None,
        };
        taken.into()
    })
}

/// The most that patrons bet, in cents: every sign of a table has room for it.
const MOST: i64 = 50_000;

/// The wagers of a seat before the first card.
fn bet(house: &House, seat: u32, wagers: &mut Vec<Value>, rng: &mut ChaCha8Rng) {
    let unit = match house {
        House {
            tournament: true, ..
        } => 5_000,
        House {
            six_to_five: true, ..
        } => 1_000,
        _ => 500,
    };
    let mut put = |kind: &str, amount: i64, more: Value| {
        let id = format!("w{}", wagers.len() + 1);
        let mut wager = json!({"id": id, "seat": seat, "kind": kind, "amount": amount});
        for (key, value) in more.as_object().into_iter().flatten() {
            wager[key] = value.clone();
        }
        wagers.push(wager);
    };
    let main = rng.random_range(2..=MOST / unit) * unit;
    if house.multiple_action {
        for spot in 1..=rng.random_range(house.min_spots..=3) {
            put("main", main, json!({"spot": spot}));
        }
    } else {
        put("main", main, Value::Null);
    }
    if house.back_bettors && one_in(3, rng) {
        // A guest behind the box goes with the player's decisions and adds nothing to them.
        let amount = rng.random_range(1..=20) * 500;
        let guest = json!({"player": format!("b{seat}")});
        put("main", amount, guest.clone());
        if house.offers("blackjack_bonus") {
            put("blackjack_bonus", 100, guest);
        }
    }
    for &side in &house.sides {
        if side == "streak" || !one_in(2, rng) {
            continue;
        }
        let kinds: &[&str] = match side {
            "over_under_13" => &["over_13", "under_13"],
            _ => &[side],
        };
        let up_to_main = rng.random_range(1..=main / 500) * 500;
        let amount = match side {
            "super_sevens" | "progressive" => 100,
            "blackjack_bonus" => *[100, 500].choose(rng).unwrap_or(&100),
            "blazing_sevens" => 500,
            _ => up_to_main,
        };
        if let Some(kind) = kinds.choose(rng) {
            put(kind, amount, Value::Null);
        }
    }
}

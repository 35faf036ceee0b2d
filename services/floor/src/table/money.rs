//! The money of a table: chips are sold and bought, the tray is filled and emptied, and what patrons brought
//! goes to the count room.

use std::collections::BTreeMap;

use catwalk_events::body::{BoxKind, BuyIn, BuyInForm, InventoryCounted};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settlement, Verdict};

use super::payments::seat_and_amount;
use super::{HOUSE, Table};
use crate::games::Dealt;

const OPENING_INVENTORY: Cents = Cents::new(10_000_000);
pub(super) const FILL: Cents = Cents::new(5_000_000);
/// The chips of a fill or a credit: value in cents, and how many.
const CHIPS: [(&str, u32); 4] = [
    ("100", 2_500),
    ("500", 1_000),
    ("2500", 500),
    ("10000", 300),
];
/// A fill is ordered when the tray falls below this.
const LOW_TRAY: Cents = Cents::new(2_500_000);
/// What is above this goes back to the cage.
const HIGH_TRAY: Cents = Cents::new(20_000_000);

/// What lies in the tray and in the boxes of a table.
#[derive(Debug)]
pub(super) struct Money {
    pub(super) tray: Cents,
    cash: Cents,
    counter_checks: Cents,
    /// Contributions to a bad beat, in their own box.
    pub(super) contributed: Cents,
    boxes: u64,
    fills: u64,
    credits: u64,
    checks: u64,
    /// Counter checks in the box.
    markers: Vec<String>,
}

impl Default for Money {
    fn default() -> Money {
        Money {
            tray: OPENING_INVENTORY,
            cash: Cents::ZERO,
            counter_checks: Cents::ZERO,
            contributed: Cents::ZERO,
            boxes: 0,
            fills: 0,
            credits: 0,
            checks: 0,
            markers: Vec::new(),
        }
    }
}

impl Table {
    /// Patrons without enough chips buy in; the tray is filled when it runs low.
    pub(super) fn buy_in(&mut self, dealt: &Dealt) {
        let wanted: Vec<(u32, Cents, BuyInForm)> = match self.game.buy_ins() {
            Some(bought) => {
                let in_cash = |(seat, amount)| (seat, amount, BuyInForm::Cash);
                bought.into_iter().map(in_cash).collect()
            }
            None => {
                let mut bought = Vec::new();
                for (seat, stake) in staked(dealt) {
                    let buys = self.patrons.buys(seat, stake, &mut self.rng);
                    bought.extend(buys.map(|(amount, form)| (seat, amount, form)));
                }
                bought
            }
        };
        for (seat, amount, form) in wanted {
            self.money.tray -= amount;
            match form {
                BuyInForm::CounterCheck => self.money.counter_checks += amount,
                _ => self.money.cash += amount,
            }
            let player = dealt.players.get(&seat).cloned();
            let player = player.or_else(|| self.patrons.name(seat));
            let instrument = match form {
                BuyInForm::CounterCheck => Some(self.write_marker(seat, player.clone(), amount)),
                _ => None,
            };
            let bought = BuyIn {
                seat: Some(seat),
                amount,
                form,
                player,
                instrument,
                bills: None,
            };
            self.send(None, bought.into());
        }
        self.balance_tray();
    }

    /// Chips go back to the cage, or come from it.
    fn balance_tray(&mut self) {
        let chips = || BTreeMap::from(CHIPS.map(|(value, count)| (value.to_owned(), count)));
        while self.money.tray > HIGH_TRAY {
            self.money.credits += 1;
            self.money.tray -= FILL;
            let slip = format!("{}-C{}", self.name, self.money.credits);
            self.credit(slip, FILL, chips());
        }
        while self.money.tray < LOW_TRAY {
            self.money.fills += 1;
            self.money.tray += FILL;
            let slip = format!("{}-F{}", self.name, self.money.fills);
            self.fill(slip, FILL, chips());
        }
    }

    /// Chips that changed hands, as they should have.
    pub(super) fn account(&mut self, dealt: &Dealt, settlement: &Settlement) {
        // Rake and time charges go into the drop box of a poker table.
        if let Some(pots) = settlement.pots() {
            let time = pots.time_charges.iter().map(|charge| charge.amount);
            self.money.cash += pots.rake + time.sum::<Cents>();
        }
        let beside: Cents = settlement.bonuses().iter().map(|bonus| bonus.amount).sum();
        self.money.tray -= beside;
        let mut up = Vec::new();
        let wagers = dealt.wagers.iter().zip(settlement.wagers());
        for (index, (wager, settled)) in wagers.enumerate() {
            let (seat, amount) = seat_and_amount(wager);
            // What the house wagers against a bank leaves the tray with the bank's share.
            if seat == HOUSE {
                continue;
            }
            let is_open = settled.result == Verdict::Open;
            if is_open {
                up.push(seat);
            }
            let mut gain = match is_open {
                true => Cents::ZERO,
                false => settled.returned - amount,
            };
            if dealt.prepaid.contains(&index) {
                gain -= settled.commission;
            }
            self.money.tray -= gain;
            self.patrons.gain(seat, gain);
        }
        self.patrons.leave_up(&up);
    }

    /// The chips in the tray are counted when a shift ends.
    pub(super) fn count_tray(&mut self) {
        let counted = InventoryCounted {
            amount: self.tell_tray(),
            denominations: None,
            ..InventoryCounted::default()
        };
        self.send(None, counted.into());
    }

    /// The drop box goes to the count room, and with it the box of a bad beat.
    pub(super) fn count_drop(&mut self) {
        self.money.boxes += 1;
        let cash = std::mem::take(&mut self.money.cash);
        let checks = std::mem::take(&mut self.money.counter_checks);
        let r#box = self.money.this_box(&self.name, BoxKind::Main);
        self.count_box(r#box, BoxKind::Main, cash, checks);
        let contributed = std::mem::take(&mut self.money.contributed);
        if contributed.is_positive() {
            let r#box = self.money.this_box(&self.name, BoxKind::BadBeat);
            self.count_box(r#box, BoxKind::BadBeat, contributed, Cents::ZERO);
        }
    }
}

impl Money {
    /// The number of a new counter check.
    pub(super) fn write_marker(&mut self, table: &str) -> String {
        self.checks += 1;
        let marker = format!("{table}-M{}", self.checks);
        self.markers.push(marker.clone());
        marker
    }

    /// The counter checks that the box holds; the next one is empty.
    pub(super) fn markers(&mut self) -> Vec<String> {
        std::mem::take(&mut self.markers)
    }

    /// The box that is counted now.
    fn this_box(&self, table: &str, kind: BoxKind) -> String {
        name_of_box(table, kind, self.boxes)
    }

    /// The box that stands at the table until the next count.
    pub(super) fn next_box(&self, table: &str, kind: BoxKind) -> String {
        name_of_box(table, kind, self.boxes + 1)
    }
}

fn name_of_box(table: &str, kind: BoxKind, number: u64) -> String {
    let word = match kind {
        BoxKind::BadBeat => "jackpot",
        _ => "box",
    };
    format!("{table}-{word}-{number}")
}

/// What each seat needs chips for; who banks must have them for all wagers.
fn staked(dealt: &Dealt) -> BTreeMap<u32, Cents> {
    let mut staked: BTreeMap<u32, Cents> = BTreeMap::new();
    for wager in &dealt.wagers {
        let (seat, amount) = seat_and_amount(wager);
        let covers = dealt.banker.filter(|bank| seat != HOUSE && *bank != seat);
        for seat in [Some(seat), covers].into_iter().flatten() {
            *staked.entry(seat).or_default() += amount;
        }
    }
    staked.remove(&HOUSE);
    staked
}

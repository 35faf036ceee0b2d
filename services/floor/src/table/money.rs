//! The money of a table: chips are sold and bought, the tray is filled and emptied, and what patrons brought
//! goes to the count room.

use std::collections::BTreeMap;

use catwalk_events::body::{
    BuyIn, BuyInForm, Credit, DropBoxRemoved, DropCounted, Fill, InventoryCounted,
};
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
            let seat = Some(seat);
            self.send(None, BuyIn { seat, amount, form }.into());
        }
        self.balance_tray();
    }

    /// Chips go back to the cage, or come from it.
    fn balance_tray(&mut self) {
        let chips = || {
            let chips = CHIPS.map(|(value, count)| (value.to_owned(), count));
            Some(BTreeMap::from(chips))
        };
        while self.money.tray > HIGH_TRAY {
            self.money.credits += 1;
            self.money.tray -= FILL;
            let credit = Credit {
                slip: format!("{}-C{}", self.name, self.money.credits),
                amount: FILL,
                denominations: chips(),
            };
            self.send(None, credit.into());
        }
        while self.money.tray < LOW_TRAY {
            self.money.fills += 1;
            self.money.tray += FILL;
            let fill = Fill {
                slip: format!("{}-F{}", self.name, self.money.fills),
                amount: FILL,
                denominations: chips(),
            };
            self.send(None, fill.into());
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
        };
        self.send(None, counted.into());
    }

    /// The drop box goes to the count room, and with it the box of a bad beat.
    pub(super) fn count_drop(&mut self) {
        self.money.boxes += 1;
        let cash = std::mem::take(&mut self.money.cash);
        let checks = std::mem::take(&mut self.money.counter_checks);
        self.count_box("box", cash, checks);
        let contributed = std::mem::take(&mut self.money.contributed);
        if contributed.is_positive() {
            self.count_box("jackpot", contributed, Cents::ZERO);
        }
    }

    fn count_box(&mut self, kind: &str, cash: Cents, checks: Cents) {
        let r#box = format!("{}-{kind}-{}", self.name, self.money.boxes);
        let removed = DropBoxRemoved {
            r#box: r#box.clone(),
        };
        self.send(None, removed.into());
        let counted = DropCounted {
            r#box,
            cash: self.tell_cash(cash),
            counter_checks: checks.is_positive().then_some(checks),
            coupons: None,
        };
        self.send(None, counted.into());
    }
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

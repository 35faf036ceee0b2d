//! The money of a table: chips are sold and bought, the tray is filled and emptied, and what patrons brought
//! goes to the count room.

use std::collections::BTreeMap;

use catwalk_events::Role;
use catwalk_events::body::{
    Body, BoxKind, BuyIn, BuyInForm, CouponRedeemed, InventoryCounted, PaidFrom, RakePlace,
    WagerForm,
};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settlement, Verdict};

use super::papers::bills;
use super::payments::{person, seat_and_amount};
use super::{HOUSE, Table};
use crate::games::Dealt;

const OPENING_INVENTORY: Cents = Cents::new(10_000_000);
pub(super) const FILL: Cents = Cents::new(5_000_000);
/// The kind of the coupons.
pub(super) const MATCH_PLAY: &str = "match_play";
/// One slip of so many is made out wrongly, and voided.
const VOIDED: u64 = 3;
/// A fill is ordered when the tray falls below this.
const LOW_TRAY: Cents = Cents::new(2_500_000);
/// What is above this goes back to the cage.
const HIGH_TRAY: Cents = Cents::new(20_000_000);

/// Values of chips in cents, the largest first.
pub(crate) const CHIP_VALUES: [i64; 4] = [10_000, 2_500, 500, 100];

/// What lies in the tray and in the boxes of a table.
#[derive(Debug)]
pub(super) struct Money {
    pub(super) tray: Cents,
    pub(super) cash: Cents,
    counter_checks: Cents,
    /// Rake, which drops as chips.
    pub(super) raked: Cents,
    /// Vouchers and slips of front money in the box, and chips of other houses.
    pub(super) beside: Beside,
    /// Contributions to a bad beat, in their own box.
    pub(super) contributed: Cents,
    boxes: u64,
    fills: u64,
    credits: u64,
    checks: u64,
    vouchers: u64,
    /// Counter checks, vouchers and coupons in the box.
    instruments: Vec<String>,
    /// Faces of the coupons in the box.
    coupons: Cents,
    coupons_taken: u64,
    /// Counter checks that are not redeemed, by the seat of who signed.
    pub(super) open_markers: BTreeMap<u32, Vec<Marker>>,
}

/// What lies in a drop box beside cash, counter checks and coupons.
#[derive(Debug, Default)]
pub(super) struct Beside {
    pub(super) vouchers: Cents,
    pub(super) front_money: Cents,
    pub(super) foreign_chips: Cents,
    /// How often was bought in, in cash or by one of these.
    bought: u64,
}

/// A counter check that is not redeemed.
#[derive(Clone, Debug)]
pub(super) struct Marker {
    pub(super) number: String,
    pub(super) amount: Cents,
    /// Of the event that told of it.
    pub(super) seq: u64,
}

impl Default for Money {
    fn default() -> Money {
        Money {
            tray: OPENING_INVENTORY,
            cash: Cents::ZERO,
            counter_checks: Cents::ZERO,
            raked: Cents::ZERO,
            beside: Beside::default(),
            contributed: Cents::ZERO,
            boxes: 0,
            fills: 0,
            credits: 0,
            checks: 0,
            vouchers: 0,
            instruments: Vec::new(),
            coupons: Cents::ZERO,
            coupons_taken: 0,
            open_markers: BTreeMap::new(),
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
            let form = self.money.beside.form_of(form);
            match form {
                BuyInForm::CounterCheck => self.money.counter_checks += amount,
                BuyInForm::Cash => self.money.cash += amount,
                form => self.money.beside.take(form, amount),
            }
            let player = dealt.players.get(&seat).cloned();
            let player = player.or_else(|| self.patrons.name(seat));
            let instrument = match form {
                BuyInForm::CounterCheck => Some(self.write_marker(seat, player.clone(), amount)),
                BuyInForm::Voucher | BuyInForm::FrontMoney => {
                    Some(self.money.new_voucher(&self.name))
                }
                _ => None,
            };
            let bought = BuyIn {
                seat: Some(seat),
                amount,
                form,
                player,
                instrument,
                bills: bills(amount).filter(|_| form == BuyInForm::Cash),
            };
            self.send(None, bought.into());
        }
        self.balance_tray();
    }

    /// Chips go back to the cage, or come from it.
    fn balance_tray(&mut self) {
        let chips = || chips(FILL).unwrap_or_default();
        while self.money.tray > HIGH_TRAY {
            self.money.credits += 1;
            self.money.tray -= FILL;
            let slip = format!("{}-C{}", self.name, self.money.credits);
            self.credit(slip, FILL, chips());
        }
        while self.money.tray < LOW_TRAY {
            self.money.tray += FILL;
            let slip = self.money.new_fill(&self.name);
            match self.money.fills % VOIDED == 1 {
                true => self.fill_by_a_second_slip(slip, FILL, chips()),
                false => self.fill(slip, FILL, chips()),
            }
        }
    }

    /// Chips that changed hands, as they should have.
    pub(super) fn account(&mut self, dealt: &Dealt, settlement: &Settlement) {
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
            // A coupon is no chip: who loses it has lost nothing, and the tray has got nothing.
            let is_coupon = dealt.placed(wager).form == Some(WagerForm::Coupon);
            if is_coupon && !is_open {
                gain = gain.max(Cents::ZERO);
                if settled.returned == Cents::ZERO {
                    let id = wager["id"].as_str().unwrap_or_default();
                    self.take_coupon(seat, id, amount);
                }
            }
            self.money.tray -= gain;
            self.patrons.gain(seat, gain);
        }
        self.patrons.leave_up(&up);
    }

    /// The chips in the tray are counted when a shift ends.
    pub(super) fn count_tray(&mut self) {
        let amount = self.tell_tray();
        let counted = InventoryCounted {
            amount,
            denominations: chips(amount),
            slip: Some(format!("{}-I{}", self.name, self.seq + 1)),
            by: person(&self.dealer(), Role::Dealer),
            witness: person("f-1", Role::Floorperson),
            reason: Some("end of shift".to_owned()),
        };
        self.send(None, counted.into());
    }

    /// The drop box goes to the count room, and with it the box of a bad beat.
    pub(super) fn count_drop(&mut self) {
        self.money.boxes += 1;
        let cash = std::mem::take(&mut self.money.cash);
        let checks = std::mem::take(&mut self.money.counter_checks);
        let r#box = self.money.this_box(&self.name, BoxKind::Main);
        if self.forgets_box() {
            self.carry_off(r#box);
        } else {
            let beside = self.bring_emergency_box(cash);
            let in_main = cash - beside.as_ref().map_or(Cents::ZERO, |(_, beside)| *beside);
            self.count_box(r#box, BoxKind::Main, in_main, checks);
            if let Some((emergency, beside)) = beside {
                self.count_emergency_box(emergency, beside);
            }
        }
        let contributed = std::mem::take(&mut self.money.contributed);
        if contributed.is_positive() {
            let r#box = self.money.this_box(&self.name, BoxKind::BadBeat);
            self.count_box(r#box, BoxKind::BadBeat, contributed, Cents::ZERO);
        }
    }
}

impl Table {
    /// A coupon that lost goes into the drop box.
    pub(super) fn take_coupon(&mut self, seat: u32, wager: &str, amount: Cents) {
        self.money.coupons_taken += 1;
        let coupon = format!("{}-K{}", self.name, self.money.coupons_taken);
        self.money.coupons += amount;
        self.money.instruments.push(coupon.clone());
        let redeemed = CouponRedeemed {
            coupon,
            kind: Some(MATCH_PLAY.to_owned()),
            amount,
            player: self.patrons.name(seat),
            seat: Some(seat),
            wager: Some(wager.to_owned()).filter(|wager| !wager.is_empty()),
        };
        self.tell(redeemed.into());
    }
}

impl Beside {
    /// One patron of many has no cash with him.
    fn form_of(&mut self, form: BuyInForm) -> BuyInForm {
        if form != BuyInForm::Cash {
            return form;
        }
        self.bought += 1;
        match self.bought % 40 {
            11 => BuyInForm::Voucher,
            23 => BuyInForm::FrontMoney,
            37 => BuyInForm::ForeignChips,
            _ => BuyInForm::Cash,
        }
    }

    fn take(&mut self, form: BuyInForm, amount: Cents) {
        match form {
            BuyInForm::Voucher => self.vouchers += amount,
            BuyInForm::FrontMoney => self.front_money += amount,
            _ => self.foreign_chips += amount,
        }
    }

    /// What the box holds of it; the next one is empty.
    pub(super) fn empty(&mut self) -> Beside {
        let bought = self.bought;
        std::mem::replace(
            self,
            Beside {
                bought,
                ..Beside::default()
            },
        )
    }
}

impl Money {
    /// The number of a voucher, or of a slip of front money.
    fn new_voucher(&mut self, table: &str) -> String {
        self.vouchers += 1;
        let voucher = format!("{table}-V{}", self.vouchers);
        self.instruments.push(voucher.clone());
        voucher
    }

    /// What moves money beside the wagers of a round.
    pub(super) fn see(&mut self, body: &Body, game: &str) {
        match body {
            Body::JackpotDropTaken(taken) => self.contributed += taken.amount,
            Body::RakeTaken(rake) => match rake.to {
                Some(RakePlace::Tray) => self.tray += rake.amount,
                _ => self.raked += rake.amount,
            },
            // The tray is to pay whatever a round owes; pots do not go through it.
            Body::JackpotPaid(paid) if game != "poker" => {
                let elsewhere = [Some(PaidFrom::Cage), Some(PaidFrom::Safekeeping)];
                if elsewhere.contains(&paid.paid_from) {
                    self.tray += paid.amount;
                }
            }
            _ => {}
        }
    }

    /// The number of a new counter check.
    pub(super) fn write_marker(&mut self, table: &str) -> String {
        self.checks += 1;
        let marker = format!("{table}-M{}", self.checks);
        self.instruments.push(marker.clone());
        marker
    }

    /// Was a box counted before the present one?
    pub(super) fn has_counted(&self) -> bool {
        self.boxes > 1
    }

    /// The coupon that was taken last.
    pub(super) fn last_coupon(&self, table: &str) -> String {
        format!("{table}-K{}", self.coupons_taken)
    }

    /// The number of a new slip of a fill.
    pub(super) fn new_fill(&mut self, table: &str) -> String {
        self.fills += 1;
        format!("{table}-F{}", self.fills)
    }

    /// The counter checks and coupons that the box holds, and the faces of the coupons; the next one is empty.
    pub(super) fn papers(&mut self) -> (Vec<String>, Cents) {
        let instruments = std::mem::take(&mut self.instruments);
        (instruments, std::mem::take(&mut self.coupons))
    }

    /// The box that is counted now.
    pub(super) fn this_box(&self, table: &str, kind: BoxKind) -> String {
        name_of_box(table, kind, self.boxes)
    }

    /// The box that stands at the table until the next count.
    pub(super) fn next_box(&self, table: &str, kind: BoxKind) -> String {
        name_of_box(table, kind, self.boxes + 1)
    }
}

/// What lies in each tray when the house opens.
pub(crate) fn opening_chips() -> Option<BTreeMap<String, u32>> {
    chips(OPENING_INVENTORY)
}

/// Chips of so much, as few as can be; `None` where there are none of it.
pub(super) fn chips(amount: Cents) -> Option<BTreeMap<String, u32>> {
    let mut left = amount.get();
    let mut chips = BTreeMap::new();
    for value in CHIP_VALUES {
        let count = u32::try_from(left / value).ok()?;
        left %= value;
        if count > 0 {
            chips.insert(value.to_string(), count);
        }
    }
    (left == 0).then_some(chips)
}

fn name_of_box(table: &str, kind: BoxKind, number: u64) -> String {
    let word = match kind {
        BoxKind::BadBeat => "jackpot",
        BoxKind::Emergency => "emergency",
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

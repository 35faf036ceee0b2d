//! What only the Massachusetts text has: banks, and seven more side wagers.

use std::collections::BTreeMap;

use super::rows::{InsuranceRow, ProgressiveRow, SevenCardRow, ThreeCardRow};
use super::{InsurancePaytable, Options, Rules, SevenCardPaytable};
use crate::book::{BookError, EditionBook, LeastLimit, Pay};
use crate::floor::{Card, Cents, Odds, Rounding};
use crate::games::shared::minimum::{Posted, any_below, at_least, limit_at_least};
use crate::games::shared::pai_gow::{self, BankCodes, Mode};
use crate::games::shared::pai_gow_poker::{
    Checked, Kind, PersonalLimit, Play, Reference, Rows, Sevens, Slips, Table, Wager, bank_setting,
    best_paying, dealer_hand, dealt_hand, even_money, full_minimum_table, full_table, house_hand,
    pay_envy, pay_odds,
};
use crate::games::shared::progressive::{Meter, award};
use crate::refusal::Refusal;
use crate::settlement::{Settled, Violations};

/// Tables and figures of the Massachusetts text.
#[derive(Debug)]
pub(super) struct Massachusetts {
    insurance: [BTreeMap<InsuranceRow, Odds>; 5],
    three_card: BTreeMap<ThreeCardRow, Odds>,
    seven_card: [BTreeMap<SevenCardRow, Odds>; 2],
    one_dollar: Progressive,
    five_dollars: Progressive,
    number_odds: [Odds; 2],
    number_unit: Cents,
    least_bonus_limit: LeastLimit,
    least_seven_card_limit: LeastLimit,
    progressive_reset: Cents,
}

/// The progressive wager of one size.
#[derive(Debug)]
struct Progressive {
    stake: Cents,
    pays: BTreeMap<ProgressiveRow, Pay>,
    /// Payouts from this amount up come off the meter: 14(e).
    off_meter: Cents,
    /// Least percentage of the wager that goes onto the meter: 14(e).
    rate: u64,
}

const BANK: BankCodes = BankCodes {
    not_offered: "pai_gow_poker.bank_not_offered",
    first_round: "pai_gow_poker.bank_first_round",
    consecutive: "pai_gow_poker.bank_consecutive",
    not_eligible: "pai_gow_poker.bank_not_eligible",
    underfunded: "pai_gow_poker.bank_underfunded",
};

impl Massachusetts {
    pub(super) fn of(book: &EditionBook<'_>) -> Result<Massachusetts, BookError> {
        let progressive = |size: usize, table| {
            let [stakes, off_meter]: [[Cents; 2]; 2] = [
                book.figure("progressive_wagers")?,
                book.figure("off_meter_from")?,
            ];
            let rates: [u64; 2] = book.figure("progressive_rates")?;
            let pays = full_minimum_table(book, table)?;
            let known = |pay: &Pay| matches!(pay, Pay::Fixed(_) | Pay::Meter(_));
            if !pays.values().all(known) {
                return Err(book.error(format!("table {table}: amounts and shares of the meter")));
            }
            Ok(Progressive {
                stake: stakes[size],
                pays,
                off_meter: off_meter[size],
                rate: rates[size],
            })
        };
        Ok(Massachusetts {
            insurance: [
                full_table(book, "insurance_a")?,
                full_table(book, "insurance_b")?,
                full_table(book, "insurance_c")?,
                full_table(book, "insurance_d")?,
                full_table(book, "insurance_e")?,
            ],
            three_card: full_minimum_table(book, "three_card")?,
            seven_card: [
                full_minimum_table(book, "seven_card_a")?,
                full_minimum_table(book, "seven_card_b")?,
            ],
            one_dollar: progressive(0, "progressive_1")?,
            five_dollars: progressive(1, "progressive_5")?,
            number_odds: book.figure("number_odds")?,
            number_unit: book.figure("number_unit")?,
            least_bonus_limit: book.least_limit("max_payout_bonus")?,
            least_seven_card_limit: book.least_limit("max_payout_seven_card")?,
            progressive_reset: book.figure("progressive_reset_floor")?,
        })
    }

    /// Shares of the meter cannot be overridden: 14(d) has minimum amounts for the other rows only.
    pub(super) fn refuse_overrides(&self, options: &Options) -> Result<(), Refusal> {
        let pays = &self.progressive(options).pays;
        let fixed = |row| matches!(pays.get(row), Some(Pay::Fixed(_)));
        if options.progressive_overrides.keys().all(fixed) {
            return Ok(());
        }
        Err(Refusal::at(
            "options.progressive_overrides",
            "only rows with a fixed amount",
        ))
    }

    /// Options outside the bounds of the text; settlement goes on with the nearest lawful value.
    pub(super) fn flag_options(&self, options: &Options, violations: &mut Violations) {
        let progressive = self.progressive(options);
        violations.add_if(
            self.bonus_limit(options).is_below || self.seven_card_limit(options).is_below,
            "config.payout_limit_too_low",
        );
        let [least, most] = self.number_odds;
        violations.add_if(
            options
                .number_odds
                .is_some_and(|odds| odds < least || odds > most),
            "config.number_odds",
        );
        violations.add_if(
            is_below(&options.seven_card_overrides, self.seven_card(options))
                || is_below(&options.three_card_paytable, &self.three_card)
                || progressive.is_below(&options.progressive_overrides),
            "config.odds_below_minimum",
        );
        violations.add_if(
            options.progressive_reset < self.progressive_reset
                || options
                    .progressive_rate
                    .is_some_and(|rate| rate < progressive.rate),
            "config.progressive_too_low",
        );
    }

    /// 13(b): decided before any card is dealt, paid in whole dollars.
    pub(super) fn settle_numbers(&self, options: &Options, play: &Play, slips: &mut Slips<'_>) {
        let [least, most] = self.number_odds;
        let odds = options
            .number_odds
            .map_or(least, |odds| odds.clamp(least, most));
        let drawn = play.deal.number().map(i64::from);
        for (index, wager) in slips.undecided() {
            if wager.kind != Kind::Number {
                continue;
            }
            let settled = if wager.number == drawn {
                let win = odds.win_on(wager.amount, Rounding::Down(self.number_unit));
                Settled::win(wager, win, Cents::ZERO)
            } else {
                Settled::lose(wager)
            };
            slips.put(index, settled);
        }
    }

    /// Bonus, insurance, envy, three and seven cards, progressive: all against the house.
    pub(super) fn settle_side_wagers(
        &self,
        options: &Options,
        play: &Play,
        sevens: &Sevens<'_>,
        slips: &mut Slips<'_>,
    ) -> Result<(), Refusal> {
        self.settle_bonuses(options, play, sevens, slips);
        self.settle_three_and_seven(options, play, sevens, slips);
        self.settle_progressive(options, play, sevens, slips)
    }

    fn bonus_limit(&self, options: &Options) -> Posted<Option<Cents>> {
        limit_at_least(options.max_payout_bonus, &self.least_bonus_limit, None)
    }

    fn seven_card_limit(&self, options: &Options) -> Posted<Option<Cents>> {
        let posted = options.max_payout_seven_card;
        limit_at_least(posted, &self.least_seven_card_limit, None)
    }

    /// 15(d), 16(d): ordinary hands and insurance first, then envy and premium hands; the maximum
    /// is for a player and a round, and is used up in that order.
    fn settle_bonuses(
        &self,
        options: &Options,
        play: &Play,
        sevens: &Sevens<'_>,
        slips: &mut Slips<'_>,
    ) {
        let mut limit = PersonalLimit::new(self.bonus_limit(options).due);
        let is_premium = |area| matches!(sevens.fortune(area), Some((row, _)) if row.is_premium());
        let turn = |wager: &Wager| match wager.kind {
            Kind::Bonus if !is_premium(wager.seat) => Some((0, wager.seat, 0)),
            Kind::Insurance => Some((0, wager.seat, 1)),
            Kind::Envy => Some((1, wager.seat, 0)),
            Kind::Bonus => Some((1, wager.seat, 1)),
            _ => None,
        };
        for (index, wager) in slips.in_order(turn) {
            let settled = match wager.kind {
                Kind::Envy => pay_envy(wager, sevens.envy(wager.seat)),
                Kind::Insurance => {
                    let table = &self.insurance[options.insurance_paytable.index()];
                    let row = sevens
                        .cards(wager.seat)
                        .and_then(|seven| InsuranceRow::of(seven.cards()));
                    pay_odds(wager, row.and_then(|row| table.get(&row).copied()))
                }
                _ => pay_odds(wager, sevens.fortune(wager.seat).map(|(_, odds)| odds)),
            };
            slips.put(index, limit.cut(play.owner(wager.seat), wager, settled));
        }
    }

    fn settle_three_and_seven(
        &self,
        options: &Options,
        play: &Play,
        sevens: &Sevens<'_>,
        slips: &mut Slips<'_>,
    ) {
        let mut limit = PersonalLimit::new(self.seven_card_limit(options).due);
        let of_kind = |wanted| move |wager: &Wager| (wager.kind == wanted).then_some(wager.seat);
        for (index, wager) in slips.in_order(of_kind(Kind::ThreeCardBonus)) {
            let odds = sevens.cards(wager.seat).and_then(|seven| {
                let [a, b, c, ..]: [Card; 7] = *seven.cards();
                best_odds(&self.three_card, &options.three_card_paytable, |row| {
                    row.is_made_by([a, b, c])
                })
            });
            slips.put(index, pay_odds(wager, odds));
        }
        for (index, wager) in slips.in_order(of_kind(Kind::SevenCardBonus)) {
            let odds = sevens.cards(wager.seat).and_then(|seven| {
                let table = self.seven_card(options);
                best_odds(table, &options.seven_card_overrides, |row| {
                    row.is_made_by(seven)
                })
            });
            let settled = pay_odds(wager, odds);
            slips.put(index, limit.cut(play.owner(wager.seat), wager, settled));
        }
    }

    /// 14(d)-(g): each payout by the meter as it stands when it is made. Which row pays most may hang on the meter, so
    /// that a share has to be read as soon as the cards make one.
    fn settle_progressive(
        &self,
        options: &Options,
        play: &Play,
        sevens: &Sevens<'_>,
        slips: &mut Slips<'_>,
    ) -> Result<(), Refusal> {
        let progressive = self.progressive(options);
        let reset = options.progressive_reset.max(self.progressive_reset);
        let mut meter = play.meters.meter(reset);
        let turn = |wager: &Wager| (wager.kind == Kind::Progressive).then_some(wager.seat);
        for (index, wager) in slips.in_order(turn) {
            let mut best: Option<(ProgressiveRow, Cents)> = None;
            let seven = sevens.cards(wager.seat);
            let is_made = |row: &&ProgressiveRow| seven.is_some_and(|seven| row.is_made_by(seven));
            for &row in ProgressiveRow::ALL.iter().filter(is_made) {
                let payout = progressive.payout(row, options, meter)?;
                if best.is_none_or(|(_, most)| payout > most) {
                    best = Some((row, payout));
                }
            }
            let total = best.map_or(Cents::ZERO, |(_, payout)| payout);
            match best.map(|(row, _)| (row, progressive.pays.get(&row))) {
                Some((_, Some(&Pay::Meter(percent)))) => drop(meter.take(percent)?),
                Some((row, _)) if row.is_straight_flush() || total >= progressive.off_meter => {
                    meter.deduct(total);
                }
                _ => {}
            }
            slips.put(index, award(wager, total));
        }
        Ok(())
    }

    fn progressive(&self, options: &Options) -> &Progressive {
        if options.progressive_wager == self.five_dollars.stake {
            &self.five_dollars
        } else {
            &self.one_dollar
        }
    }

    fn seven_card(&self, options: &Options) -> &BTreeMap<SevenCardRow, Odds> {
        match options.seven_card_paytable {
            SevenCardPaytable::A => &self.seven_card[0],
            SevenCardPaytable::B => &self.seven_card[1],
        }
    }
}

/// The checks of the bank, the dealer's wager against it, and wagers that exclude each other.
pub(super) fn check(
    options: &Options,
    wagers: &[Wager],
    play: &Play,
    checked: &mut Checked,
    violations: &mut Violations,
) {
    let covered = checked.mains().map(|(_, index)| wagers[index].amount).sum();
    BANK.flag(
        play.mode,
        [options.banking, options.co_banking],
        play.bank_check.as_ref(),
        covered,
        violations,
    );
    let against_bank = wagers.iter().enumerate();
    let against_bank = against_bank
        .filter(|(_, wager)| wager.kind == Kind::DealerVsBank)
        .map(|(index, wager)| (index, wager.amount));
    let refused = options.dealer_bank_wager_rule.check(
        play.mode,
        play.bank_check.as_ref(),
        against_bank,
        "pai_gow_poker.dealer_bank_wager",
        violations,
    );
    for index in refused {
        checked.refused[index] = true;
    }

    let live = |kinds: &[Kind]| {
        let mut wagers = wagers.iter().zip(&checked.refused);
        wagers.any(|(wager, refused)| kinds.contains(&wager.kind) && !refused)
    };
    let posted = |kinds: &[Kind]| {
        let bets = options.side_bets.iter().flatten();
        bets.clone().any(|kind| kinds.contains(kind))
    };
    let other = [Kind::ThreeCardBonus, Kind::SevenCardBonus];
    let together = live(&[Kind::Bonus]) && live(&other) || posted(&[Kind::Bonus]) && posted(&other);
    violations.add_if(together, "config.exclusive_side_bets");
}

/// The hand that all others are compared with: the dealer's or the bank's.
pub(super) fn reference(
    table: &Table<'_>,
    play: &Play,
    violations: &mut Violations,
) -> Result<Reference, Refusal> {
    let setting = match play.bank_seat {
        None => dealer_hand(table, play, violations)?,
        Some(bank) => {
            let hand = dealt_hand(play, bank)?;
            let place = play.place_of(bank);
            match play.mode {
                Mode::CoBank => house_hand(table, &hand.cards, hand.laid(), &place, violations)?,
                _ => bank_setting(table, hand, &place, violations)?,
            }
        }
    };
    Ok(Reference {
        setting,
        all_push: false,
    })
}

/// The dealer's wager against the bank and the bank's own entry, after the players' wagers.
pub(super) fn settle_bank(
    rules: &Rules,
    options: &Options,
    table: &Table<'_>,
    play: &Play,
    reference: Reference,
    slips: &mut Slips<'_>,
    violations: &mut Violations,
) -> Result<(), Refusal> {
    let undecided = slips.undecided();
    for &(index, wager) in &undecided {
        if wager.kind == Kind::DealerVsBank {
            let setting = dealer_hand(table, play, violations)?;
            // 10(n): no vigorish on the house's own win.
            let verdict = reference.against(setting);
            slips.put(
                index,
                even_money(wager, rules.main.both_hands_higher, verdict),
            );
        }
    }
    for (index, entry) in undecided {
        if entry.kind != Kind::Bank {
            continue;
        }
        let in_play = slips
            .decided()
            .filter(|(wager, _)| matches!(wager.kind, Kind::PaiGowPoker | Kind::DealerVsBank));
        let net = pai_gow::centre(in_play);
        let vigorish = |won| rules.vigorish.on(won, options.vig_rounding);
        slips.put(index, pai_gow::settle_bank(entry, play.mode, net, vigorish));
    }
    Ok(())
}

impl Progressive {
    fn is_below(&self, posted: &BTreeMap<ProgressiveRow, Cents>) -> bool {
        posted
            .iter()
            .any(|(row, &amount)| match self.pays.get(row) {
                Some(&Pay::Fixed(least)) => at_least(amount, least).is_below,
                _ => false,
            })
    }

    /// What a row pays at the present meter; a posted amount below the table's does not count.
    fn payout(
        &self,
        row: ProgressiveRow,
        options: &Options,
        mut meter: Meter,
    ) -> Result<Cents, Refusal> {
        match (self.pays.get(&row), options.progressive_overrides.get(&row)) {
            (Some(&Pay::Fixed(least)), Some(&posted)) => Ok(at_least(posted, least).due),
            (Some(&pay), _) => meter.pay(pay, self.stake),
            (None, _) => Ok(Cents::ZERO),
        }
    }
}

impl InsurancePaytable {
    fn index(self) -> usize {
        match self {
            InsurancePaytable::A => 0,
            InsurancePaytable::B => 1,
            InsurancePaytable::C => 2,
            InsurancePaytable::D => 3,
            InsurancePaytable::E => 4,
        }
    }
}

fn is_below<R: Copy + Ord>(posted: &BTreeMap<R, Odds>, least: &BTreeMap<R, Odds>) -> bool {
    any_below(posted, |row| least.get(&row).copied().map(Pay::Odds))
}

/// The best odds of the rows that are made; posted odds below the table's do not count.
fn best_odds<R: Rows>(
    table: &BTreeMap<R, Odds>,
    posted: &BTreeMap<R, Odds>,
    is_made: impl Fn(R) -> bool,
) -> Option<Odds> {
    let odds = |row: R| {
        let least = table.get(&row).copied()?;
        let odds = posted
            .get(&row)
            .map_or(least, |&odds| at_least(odds, least).due);
        is_made(row).then_some(odds)
    };
    best_paying(R::ALL, odds).map(|(_, odds)| odds)
}

//! What pai gow with tiles and with cards have in common: six areas, a player's bank, vigorish.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::book::{BookError, EditionBook};
use crate::floor::{Cents, Rounding, Seat};
use crate::refusal::Refusal;
use crate::round::Wager;
use crate::round::document;
use crate::settlement::{Settled, Verdict, Violations};

/// Six areas, counterclockwise from the dealer's far right.
pub(crate) const AREAS: std::ops::RangeInclusive<u16> = 1..=6;

pub(crate) fn is_area(seat: Seat) -> bool {
    AREAS.contains(&seat.number())
}

/// Who stands against the players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    #[default]
    Dealer,
    Bank,
    /// The bank and the house cover half each.
    CoBank,
}

document! {
    /// What the dealer found before the bank was given away; what is absent was not looked at.
    BankCheck {
        ?
        pub first_round: Option<bool>,
        pub banked_last_round: Option<bool>,
        /// Against the dealer, in the last round without a bank.
        pub last_wager: Option<Cents>,
        pub chips: Option<Cents>,
    }
}

/// The codes of a bank that should not have been one, under the game's own name.
#[derive(Debug)]
pub(crate) struct BankCodes {
    pub(crate) not_offered: &'static str,
    pub(crate) first_round: &'static str,
    pub(crate) consecutive: &'static str,
    pub(crate) not_eligible: &'static str,
    pub(crate) underfunded: &'static str,
}

impl BankCodes {
    /// Flags a bank that the house does not offer, or that it should not have given away. `covered`
    /// is what the bank must have chips for: all wagers, also when co-banking.
    pub(crate) fn flag(
        &self,
        mode: Mode,
        [banking, co_banking]: [bool; 2],
        check: Option<&BankCheck>,
        covered: Cents,
        violations: &mut Violations,
    ) {
        let offered = match mode {
            Mode::Dealer => return,
            Mode::Bank => banking,
            Mode::CoBank => banking && co_banking,
        };
        violations.add_if(!offered, self.not_offered);
        let Some(check) = check else { return };
        violations.add_if(check.first_round == Some(true), self.first_round);
        violations.add_if(check.banked_last_round == Some(true), self.consecutive);
        violations.add_if(check.last_wager == Some(Cents::ZERO), self.not_eligible);
        violations.add_if(
            check.chips.is_some_and(|chips| chips < covered),
            self.underfunded,
        );
    }
}

/// What the house may wager against a bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DealerBankWagerRule {
    /// At most what the bank last wagered against the dealer.
    #[default]
    LastWager,
    /// Another calculation that the Commission approved.
    Approved,
}

impl DealerBankWagerRule {
    /// Flags what the house wagered against a bank, and gives the wagers that go back: there is one
    /// against a sole bank, none otherwise. `wagers` are by index and amount.
    pub(crate) fn check(
        self,
        mode: Mode,
        check: Option<&BankCheck>,
        wagers: impl Iterator<Item = (usize, Cents)>,
        code: &'static str,
        violations: &mut Violations,
    ) -> Vec<usize> {
        let most = match self {
            DealerBankWagerRule::LastWager => check.and_then(|check| check.last_wager),
            DealerBankWagerRule::Approved => None,
        };
        let mut refused = Vec::new();
        for (at, (index, amount)) in wagers.enumerate() {
            if at > 0 || mode != Mode::Bank {
                violations.add(code);
                refused.push(index);
            } else {
                violations.add_if(most.is_some_and(|most| amount > most), code);
            }
        }
        refused
    }
}

/// The bank's area, and that the document speaks of a bank exactly in a banked round: the keys of
/// `play`, and one entry at its area. `entries` are the bank's entries by index and seat.
pub(crate) fn bank_of(
    mode: Mode,
    bank_seat: Option<Seat>,
    has_check: bool,
    entries: &[(usize, Seat)],
) -> Result<Option<Seat>, Refusal> {
    if mode == Mode::Dealer {
        let why = "only in a round that a player banks";
        if bank_seat.is_some() {
            return Err(Refusal::at("play.bank_seat", why));
        }
        if has_check {
            return Err(Refusal::at("play.bank_check", why));
        }
        return match entries {
            [] => Ok(None),
            [(index, _), ..] => Err(Refusal::at(format!("wagers[{index}].kind"), why)),
        };
    }
    let Some(bank) = bank_seat else {
        let why = "the key \"bank_seat\" is missing in a round that a player banks";
        return Err(Refusal::at("play", why));
    };
    if !is_area(bank) {
        return Err(Refusal::at("play.bank_seat", NOT_AN_AREA));
    }
    match entries {
        [(_, seat)] if *seat == bank => Ok(Some(bank)),
        [] => Err(Refusal::at(
            "wagers",
            "a banked round has one entry of the bank",
        )),
        [(index, _)] => Err(Refusal::at(
            format!("wagers[{index}].seat"),
            format!("the bank is at area {bank}"),
        )),
        [_, (index, _), ..] => Err(Refusal::at(
            format!("wagers[{index}].kind"),
            "a banked round has one entry of the bank",
        )),
    }
}

pub(crate) const NOT_AN_AREA: &str = "areas are numbered 1 to 6";

/// Hands lie at areas, one at each.
pub(crate) fn check_hand_seats(seats: &[Seat]) -> Result<(), Refusal> {
    for (index, seat) in seats.iter().enumerate() {
        let place = format!("play.hands[{index}].seat");
        if !is_area(*seat) {
            return Err(Refusal::at(place, NOT_AN_AREA));
        }
        if seats[..index].contains(seat) {
            return Err(Refusal::at(place, format!("area {seat} has two hands")));
        }
    }
    Ok(())
}

/// A setting has both parts or neither.
pub(crate) fn check_whole<T>(
    high: Option<&T>,
    low: Option<&T>,
    place: &str,
) -> Result<(), Refusal> {
    let missing = match (high, low) {
        (Some(_), None) => "low",
        (None, Some(_)) => "high",
        _ => return Ok(()),
    };
    Err(Refusal::at(
        place,
        format!("the key {missing:?} is missing"),
    ))
}

/// The keys that an irregularity has by its type: each is named, due or not, and given or not.
pub(crate) fn check_keys(place: &str, keys: &[(&str, bool, bool)]) -> Result<(), Refusal> {
    for &(key, due, given) in keys {
        if due && !given {
            return Err(Refusal::at(place, format!("the key {key:?} is missing")));
        }
        if given && !due {
            let what = "no key of this irregularity";
            return Err(Refusal::at(format!("{place}.{key}"), what));
        }
    }
    Ok(())
}

/// What the text knows to go wrong, and what of it makes all hands void.
#[derive(Debug)]
pub(crate) struct Irregular<K> {
    known: Vec<K>,
    voids: Vec<K>,
    /// So many cards that lay face up in the shoe do too.
    pub(crate) face_up_voids: Option<u64>,
}

impl<K: DeserializeOwned + PartialEq> Irregular<K> {
    pub(crate) fn of(book: &EditionBook<'_>) -> Result<Irregular<K>, BookError> {
        Ok(Irregular {
            known: book.irregularities()?,
            voids: book.voids()?,
            face_up_voids: book.face_up_voids(),
        })
    }

    pub(crate) fn knows(&self, kind: &K) -> bool {
        self.known.contains(kind)
    }

    pub(crate) fn voids_round(&self, kind: &K) -> bool {
        self.voids.contains(kind)
    }
}

/// Who has something to give up or to choose: the areas with a main wager, and the bank.
#[derive(Debug)]
pub(crate) struct Players {
    pub(crate) mains: Vec<Seat>,
    pub(crate) bank: Option<Seat>,
}

impl Players {
    /// A hand is given up by whoever wagers on it; the bank has no wager to lose.
    pub(crate) fn refuse_given_up(
        &self,
        area: Seat,
        given_up: bool,
        place: String,
    ) -> Result<(), Refusal> {
        let is_his = self.mains.contains(&area) && self.bank != Some(area);
        match given_up && !is_his {
            true => Err(Refusal::at(
                place,
                format!("area {area} has no main wager to give up"),
            )),
            false => Ok(()),
        }
    }

    /// Only who plays a hand chooses what becomes of it when a part of it was exposed.
    pub(crate) fn refuse_exposed(&self, area: Seat, place: &str) -> Result<(), Refusal> {
        match self.mains.contains(&area) || self.bank == Some(area) {
            true => Ok(()),
            false => Err(Refusal::at(
                place,
                format!("area {area} has no main wager: nobody there has a choice"),
            )),
        }
    }

    pub(crate) fn refuse_without_bank(&self, place: &str) -> Result<(), Refusal> {
        match self.bank {
            Some(_) => Ok(()),
            None => Err(Refusal::at(place, "no player banks this round")),
        }
    }
}

/// A person at the table. Areas without a name belong to a person each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner<'a> {
    Named(&'a str),
    Of(Seat),
}

/// Why a hand lies at an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holding {
    Wager,
    Bank,
    Nothing,
}

/// Flags hands without a wager, players on too many areas or on areas that are not adjacent, and a
/// bank that wagers as well.
pub(crate) fn flag_areas<'a>(
    hands: impl Iterator<Item = (Seat, Option<&'a str>, Holding)>,
    max_areas: u64,
    violations: &mut Violations,
) {
    #[derive(Default)]
    struct Person {
        areas: Vec<u16>,
        banks: bool,
    }
    let mut people: BTreeMap<&str, Person> = BTreeMap::new();
    for (seat, player, holding) in hands {
        violations.add_if(holding == Holding::Nothing, "deal.hand_without_wager");
        let Some(player) = player else { continue };
        let person = people.entry(player).or_default();
        match holding {
            Holding::Wager => person.areas.push(seat.number()),
            Holding::Bank => person.banks = true,
            Holding::Nothing => {}
        }
    }
    for mut person in people.into_values() {
        person.areas.sort_unstable();
        let adjacent = person.areas.windows(2).all(|two| two[0] + 1 == two[1]);
        let too_many = person.areas.len() as u64 > max_areas;
        violations.add_if(too_many || !adjacent, "wager.too_many_areas");
        violations.add_if(
            person.banks && !person.areas.is_empty(),
            "wager.bank_extra_area",
        );
    }
}

/// How vigorish is collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) enum VigRounding {
    /// Exactly; a fraction of a cent is dropped.
    #[default]
    #[serde(rename = "none")]
    Exact,
    #[serde(rename = "up_25c")]
    Up,
}

/// The percentage that is taken of what is won, and the unit it may be rounded up to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vigorish {
    pub(crate) percent: i64,
    pub(crate) unit: Cents,
}

impl Vigorish {
    pub(crate) fn on(self, won: Cents, rounding: VigRounding) -> Cents {
        let rounding = match rounding {
            VigRounding::Exact => Rounding::DOWN,
            VigRounding::Up => Rounding::Up(self.unit),
        };
        won.percent(self.percent, rounding)
    }
}

/// Both hands must beat the other side's: one alone is a push, a copy beats nothing.
pub(crate) fn verdict(high_wins: bool, low_wins: bool) -> Verdict {
    match (high_wins, low_wins) {
        (true, true) => Verdict::Win,
        (false, false) => Verdict::Lose,
        _ => Verdict::Push,
    }
}

/// What the players' wagers leave in the centre of the table: lost stakes less won amounts.
pub(crate) fn centre<'a, W: Wager + 'a>(
    settled: impl Iterator<Item = (&'a W, &'a Settled)>,
) -> Cents {
    settled
        .map(|(wager, settled)| match settled.result {
            Verdict::Lose => wager.amount(),
            Verdict::Win => -settled.win,
            _ => Cents::ZERO,
        })
        .sum()
}

/// The entry of the bank: its share of what is left in the centre, less vigorish on a surplus. A
/// co-bank has half of it; an odd cent is nobody's.
pub(crate) fn settle_bank(
    entry: &impl Wager,
    mode: Mode,
    net: Cents,
    vigorish: impl Fn(Cents) -> Cents,
) -> Settled {
    let share = match mode {
        Mode::CoBank => Cents::new(net.get() / 2),
        Mode::Dealer | Mode::Bank => net,
    };
    let commission = if share.is_positive() {
        vigorish(share)
    } else {
        Cents::ZERO
    };
    let result = match net.get() {
        ..0 => Verdict::Lose,
        0 => Verdict::Push,
        1.. => Verdict::Win,
    };
    Settled {
        id: entry.id().clone(),
        result,
        win: share,
        commission,
        returned: share - commission,
        hangs_on: Vec::new(),
        range: None,
    }
}

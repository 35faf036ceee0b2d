//! The settlement of a round of chemin de fer.

use std::cmp::Ordering;

use super::cover::{Cover, flag_bank_bounds};
use super::hands::{check_irregularity, counts};
use super::{CheminDeFer, Irregularity, Kind, Options, Rules, Wager};
use crate::floor::{Cents, Rounding};
use crate::games::shared::baccarat::shoe::{flag_shoe, refuse_jokers};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Settled, Violations};

pub(super) fn settle(rules: &Rules, round: &Round<CheminDeFer>) -> Result<Outcome, Refusal> {
    let (play, wagers) = (&round.play, &round.wagers);
    refuse_jokers(&play.player, "play.player")?;
    refuse_jokers(&play.banker, "play.banker")?;
    let bank = find_bank(wagers)?;
    check_irregularity(play)?;

    let mut violations = Violations::default();
    let dealt = play.player.iter().chain(&play.banker);
    flag_shoe(round.options.decks, rules.decks, dealt, &mut violations);
    let suivi_seat = play.prior.as_ref().and_then(|prior| prior.suivi_seat);
    let cover = Cover::of(wagers, bank, suivi_seat, &mut violations);
    if let Some(prior) = &play.prior {
        flag_bank_bounds(wagers[bank].amount, prior, &mut violations)?;
    }
    let is_off = |wager: &Wager| wager.seat.number() > rules.positions;
    violations.add_if(wagers.iter().any(is_off), "table.seat");
    if let (Some(seat), Some(dominant)) = (play.dominant_seat, cover.dominant_seat(wagers)) {
        violations.add_if(seat != dominant, "chemin.wrong_dominant_player");
    }
    if let Some(code) = play.irregularity.and_then(Irregularity::code) {
        violations.add(code);
    }

    let settled: Vec<Settled> = if play.irregularity.is_some_and(Irregularity::annuls) {
        wagers.iter().map(Settled::void).collect()
    } else {
        let counts = counts(play, &mut violations)?;
        let against = counts.player.cmp(&counts.banker);
        let settle = |(wager, &at_risk): (&Wager, &Cents)| {
            settle_wager(rules, &round.options, wager, at_risk, against)
        };
        wagers
            .iter()
            .zip(&cover.at_risk)
            .map(settle)
            .collect::<Result<_, _>>()?
    };
    debug_assert_eq!(
        wagers.iter().map(|wager| wager.amount).sum::<Cents>(),
        settled
            .iter()
            .map(|row| row.returned + row.commission)
            .sum(),
        "what was staked goes back to the participants, less the vigorish"
    );
    Ok(Outcome::of_wagers(settled, violations))
}

fn find_bank(wagers: &[Wager]) -> Result<usize, Refusal> {
    let mut banks = (0..wagers.len()).filter(|&index| wagers[index].kind == Kind::Bank);
    match (banks.next(), banks.next()) {
        (Some(bank), None) => Ok(bank),
        (None, _) => Err(Refusal::at(
            "wagers",
            "a round needs one wager of the kind \"bank\": there is none",
        )),
        (Some(_), Some(second)) => Err(Refusal::at(
            format!("wagers[{second}].kind"),
            "a second \"bank\": a round has exactly one",
        )),
    }
}

impl Irregularity {
    /// 11(a),(j),(k): the hand is void.
    pub(super) fn annuls(self) -> bool {
        matches!(
            self,
            Irregularity::WrongOrder
                | Irregularity::InsufficientCards
                | Irregularity::FaceUpCardInLastHand
        )
    }

    /// The misdeals have a code of their own; a shoe that ran out or held a card face up is nobody's
    /// fault in this round.
    fn code(self) -> Option<&'static str> {
        match self {
            Irregularity::WrongOrder => Some("chemin.wrong_order"),
            Irregularity::BankerExtraInitial => Some("chemin.banker_extra_initial"),
            Irregularity::PlayerThreeInitial => Some("chemin.player_three_initial"),
            Irregularity::BankerTwoThird => Some("chemin.banker_two_third"),
            Irregularity::InsufficientCards | Irregularity::FaceUpCardInLastHand => None,
        }
    }
}

/// Settles the part of a wager that was at risk; the rest always goes back. `against` is how the
/// Player count compares with the Banker's. 9(b)
fn settle_wager(
    rules: &Rules,
    options: &Options,
    wager: &Wager,
    at_risk: Cents,
    against: Ordering,
) -> Result<Settled, Refusal> {
    if !at_risk.is_positive() {
        return Ok(Settled::void(wager));
    }
    let is_bank = wager.kind == Kind::Bank;
    let lost = || Settled::lose_part(wager, wager.amount - at_risk);
    Ok(match against {
        Ordering::Equal => Settled::push(wager),
        Ordering::Less if is_bank => {
            let win = rules.main.bank.win_on(at_risk, Rounding::DOWN);
            Settled::win(wager, win, vigorish(rules, options, win)?)
        }
        Ordering::Greater if !is_bank => {
            let win = rules.main.against.win_on(at_risk, Rounding::DOWN);
            Settled::win(wager, win, Cents::ZERO)
        }
        Ordering::Less | Ordering::Greater => lost(),
    })
}

/// The house's share of what the Banker won, of the covered part alone. 9(c)
fn vigorish(rules: &Rules, options: &Options, win: Cents) -> Result<Cents, Refusal> {
    let percent = options.vigorish_percent;
    let chosen = rules.vigorish.iter().find(|entry| entry.percent == percent);
    let chosen = chosen.ok_or_else(|| {
        Refusal::at(
            "options.vigorish_percent",
            format!("{percent}% is not a vigorish of this game"),
        )
    })?;
    let rounding = options.vigorish_rounding.in_units_of(chosen.unit);
    Ok(win.percent(percent, rounding))
}

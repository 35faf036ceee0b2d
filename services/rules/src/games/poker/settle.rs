//! The settlement of a round of poker, in the order in which the table goes through it.

use super::betting::{self, Betting};
use super::deck;
use super::incidents::{self, Void};
use super::jackpot;
use super::options::KillPot;
use super::posts;
use super::pots::{self, Refunds};
use super::rake;
use super::room::Room;
use super::showdown::{Division, Showdown};
use super::{Poker, Rules};
use crate::floor::Cents;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Award, Outcome, Paid, Pots, Violations};

pub(super) fn settle(rules: &Rules, round: &Round<Poker>) -> Result<Outcome, Refusal> {
    let room = Room::read(rules, round)?;
    let mut violations = Violations::default();
    let settled = settle_room(&room, &mut violations)?;
    debug_assert_eq!(
        room.wagers.iter().map(|wager| wager.amount).sum::<Cents>(),
        settled
            .awards
            .iter()
            .map(|award| award.amount)
            .sum::<Cents>()
            + settled.refunds.iter().map(|refund| refund.amount).sum()
            + settled.rake
            + settled.jackpot_drop,
        "chips neither appear nor vanish"
    );
    Ok(Outcome {
        paid: Paid::Pots(settled),
        bonuses: Vec::new(),
        violations,
    })
}

fn settle_room(room: &Room<'_>, violations: &mut Violations) -> Result<Pots, Refusal> {
    flag_table(room, violations);
    let mut ruling = incidents::judge(room, violations);
    let mut refunds = Refunds::default();
    // What the betting breaks counts only if the round does.
    let mut in_betting = Violations::default();
    let mut bet = |ruling: &_, refunds: &mut _| {
        let posted = posts::post(room, ruling, refunds, &mut in_betting);
        betting::replay(room, ruling, posted, refunds, &mut in_betting)
    };
    let (mut betting, own) = if room.form.is_draw() {
        // Who folds before a draw decides which cards lie among the discards.
        let betting = bet(&ruling, &mut refunds)?;
        let own = deck::audit_draws(room, &betting.out_in, &mut ruling, violations);
        (betting, own)
    } else {
        let own = deck::audit_deal(room, &mut ruling, violations);
        if let Some(void) = ruling.void {
            return Ok(void_round(room, void));
        }
        (bet(&ruling, &mut refunds)?, own)
    };
    if let Some(void) = ruling.void {
        return Ok(void_round(room, void));
    }
    in_betting.iter().for_each(|code| violations.add(code));
    if room.form.is_draw() {
        deck::flag_draw_order(room, &betting.out_in, violations);
    }
    flag_deal(room, &betting, violations);

    let mut pots = pots::collect(room, &mut betting, &mut refunds);
    let decided_early = betting
        .players_at
        .get(1)
        .is_some_and(|&players| players < 2);
    let exempt = room.options.no_flop_no_drop && decided_early;
    let rake = if exempt {
        Cents::ZERO
    } else {
        rake::take(&room.options.rake, &mut pots)
    };
    let posted = room.options.jackpot.as_ref();
    let drop = posted.and_then(|posted| posted.drop.as_ref());
    let jackpot_drop = drop
        .filter(|_| !exempt)
        .map_or(Cents::ZERO, |drop| jackpot::take_drop(drop, &mut pots));

    let mut bad_beat = Vec::new();
    let divisions: Vec<Division> = if betting.players_in() < 2 {
        let last = betting.is_in.iter().position(|&is_in| is_in);
        let last = last.into_iter();
        last.flat_map(|place| pots.iter().map(move |pot| Division::whole(place, pot.net)))
            .collect()
    } else {
        let showdown = Showdown::of(room, &betting, &own, violations)?;
        if let Some(pay) = posted.and_then(|posted| posted.pay.as_ref()) {
            let dealt: Vec<usize> = (room.dealt_in_order().into_iter())
                .filter(|&place| !ruling.is_skipped(place))
                .collect();
            bad_beat = jackpot::pay_bad_beat(room, pay, &dealt, &showdown)?;
        }
        pots.iter().filter_map(|pot| showdown.award(pot)).collect()
    };
    Ok(Pots {
        awards: awards(room, &divisions),
        rake,
        jackpot_drop,
        refunds: refunds.list(),
        bad_beat,
        time_charges: rake::time_charges(room),
        kill_button: next_kill_button(room, &divisions),
    })
}

/// What the form, the seats and the sign break before a card is dealt.
fn flag_table(room: &Room<'_>, violations: &mut Violations) {
    let rules = room.rules;
    violations.add_if(
        !rules.authorised.contains(&room.form),
        "form.not_authorised",
    );
    let most = room.options.max_seats.unwrap_or(usize::MAX);
    violations.add_if(
        room.players.len() > most.min(room.facts.players),
        "table.seat",
    );
    let dealt = room.players.iter().filter(|player| player.dealt).count();
    violations.add_if(dealt < 2, "table.too_few_players");
    rake::flag_methods(room, violations);
    let kill_elsewhere = room.options.kill.is_some() && room.kill.is_none();
    violations.add_if(kill_elsewhere, "kill.not_offered");
}

/// A dead round or a misdeal: every wager goes back. Time is charged all the same. 15(e), 15(g)
fn void_round(room: &Room<'_>, void: Void) -> Pots {
    let mut refunds = Refunds::default();
    for wager in room.wagers {
        refunds.give(wager.seat, void.reason(), wager.amount);
    }
    Pots {
        refunds: refunds.list(),
        time_charges: rake::time_charges(room),
        kill_button: room.kill_seat().map_or(0, |seat| seat.number()),
        ..Pots::default()
    }
}

/// Burns, and the common card of a seven-card stud deck that runs out. 9(f)-(h)
fn flag_deal(room: &Room<'_>, betting: &Betting, violations: &mut Violations) {
    let burns = room.play.burns.iter().flatten();
    violations.add_if(burns.copied().any(|burned| burned != 1), "shoe.burn_count");
    let judged = room.form.is_seven_card_stud()
        && betting.players_in() > 1
        && room.play.incidents.is_empty();
    if judged {
        let due = common_cards_due(room, betting);
        violations.add_if(room.play.common.len() != due, "deal.common_card");
    }
}

fn common_cards_due(room: &Room<'_>, betting: &Betting) -> usize {
    const FIRST_CARDS: usize = 3;
    const SIXTH_CARD: usize = 3;
    let dealt = room.players.iter().filter(|player| player.dealt).count();
    let mut stub = 52usize.saturating_sub(FIRST_CARDS * dealt);
    let mut due = 0;
    for (street, &players) in betting.players_at.iter().enumerate().skip(1) {
        // One card is burned before each deal, so a card for everybody needs one more.
        if street >= SIXTH_CARD && stub < players + 1 {
            due += 1;
            stub = stub.saturating_sub(2);
        } else {
            stub = stub.saturating_sub(players + 1);
        }
    }
    due
}

/// Side pots are awarded before the main pot. 6(e)6
fn awards(room: &Room<'_>, divisions: &[Division]) -> Vec<Award> {
    let mut awards = Vec::new();
    for (index, division) in divisions.iter().enumerate().rev() {
        let pot = u16::try_from(index).unwrap_or(u16::MAX);
        let shares = division.shares.iter();
        awards.extend(shares.filter(|(_, amount)| amount.is_positive()).map(
            |(&place, &amount)| Award {
                seat: room.players[place].seat,
                pot,
                amount,
            },
        ));
    }
    awards
}

/// Who holds the kill button in the next round; 0 for nobody. 11(i)
fn next_kill_button(room: &Room<'_>, divisions: &[Division]) -> u16 {
    let Some(kill) = room.kill else {
        return 0;
    };
    let shares = divisions.iter().flat_map(|division| &division.shares);
    let won: Vec<(usize, Cents)> = shares
        .filter(|(_, amount)| amount.is_positive())
        .map(|(&place, &amount)| (place, amount))
        .collect();
    let pot: Cents = won.iter().map(|&(_, amount)| amount).sum();
    let needed = match kill.qualifies {
        KillPot::Amount(amount) => i128::from(amount.get()),
        KillPot::Multiple(multiple) => i128::from(multiple) * i128::from(room.first_min().get()),
    };
    if i128::from(pot.get()) < needed {
        return 0;
    }
    match won.first() {
        Some(&(winner, _)) if won.iter().all(|&(place, _)| place == winner) => {
            room.players[winner].seat.number()
        }
        _ if divisions.iter().any(|division| division.is_split) => 0,
        _ => room.kill_seat().map_or(0, |seat| seat.number()),
    }
}

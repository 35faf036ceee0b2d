//! The settlement of a round of poker, in the order in which the table goes through it.

use super::betting::{self, Betting, Reading};
use super::deck::{self, OwnCards};
use super::incidents::{self, Ruling, Void};
use super::jackpot;
use super::options::KillPot;
use super::posts;
use super::pots::{self, Pot, Refunds};
use super::rake;
use super::room::Room;
use super::showdown::{self, Division, Showdown};
use super::{Poker, Rules};
use crate::floor::Cents;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Award, Outcome, Owed, Paid, Pots, Violations};

pub(super) fn settle(rules: &Rules, round: &Round<Poker>) -> Result<Outcome, Refusal> {
    let room = Room::read(rules, round)?;
    let mut violations = Violations::default();
    let settled = settle_room(&room, &mut violations)?;
    debug_assert!(
        is_balanced(&room, &settled),
        "chips neither appear nor vanish"
    );
    Ok(Outcome {
        paid: Paid::Pots(settled),
        bonuses: Vec::new(),
        violations,
    })
}

fn is_balanced(room: &Room<'_>, settled: &Pots) -> bool {
    let put_in: Cents = room.wagers.iter().map(|wager| wager.amount).sum();
    let owed: Cents = settled.owed.iter().map(|owed| owed.amount).sum();
    let awards: Cents = settled.awards.iter().map(|award| award.amount).sum();
    let refunds: Cents = settled.refunds.iter().map(|refund| refund.amount).sum();
    put_in + owed == awards + refunds + settled.rake + settled.jackpot_drop
}

fn settle_room(room: &Room<'_>, violations: &mut Violations) -> Result<Pots, Refusal> {
    flag_table(room, violations);
    let mut ruling = incidents::judge(room, violations)?;
    // What posts and betting break counts only if the round does.
    let mut of_posts = Violations::default();
    let posted = posts::post(room, &mut of_posts);
    let replay = |ruling: &Ruling, reading| betting::replay(room, ruling, &posted, reading);
    let (laid_down, own) = if room.facts.is_draw() {
        // Who folds before a draw decides which cards lie among the discards.
        let laid_down = replay(&ruling, Reading::LaidDown)?;
        let own = deck::audit_draws(room, &laid_down, &mut ruling, violations)?;
        (Some(laid_down), own)
    } else {
        (None, deck::audit_deal(room, &mut ruling, violations))
    };
    if let Some(void) = ruling.void {
        return Ok(void_round(room, void));
    }
    let laid_down = match laid_down {
        Some(laid_down) => laid_down,
        None => replay(&ruling, Reading::LaidDown)?,
    };
    let mut said = match room.has_words() {
        true => replay(&ruling, Reading::Said)?,
        false => laid_down.clone(),
    };
    of_posts.iter().for_each(|code| violations.add(code));
    flag_betting(room, &laid_down, &said, violations);
    flag_deal(room, &laid_down, violations);
    let mut pots = pots::collect(room, &mut said);
    flag_showdown(room, &laid_down, &said, &pots, violations);
    pay(room, &ruling, said, &mut pots, &own, violations)
}

/// Rake, drop, and who takes the pots.
fn pay(
    room: &Room<'_>,
    ruling: &Ruling,
    mut betting: Betting,
    pots: &mut [Pot],
    own: &OwnCards,
    violations: &mut Violations,
) -> Result<Pots, Refusal> {
    let left_for_second = betting.players_at.get(1);
    let decided_early = left_for_second.is_some_and(|&players| players < 2);
    let exempt = room.options.no_flop_no_drop && decided_early;
    let rake = match exempt {
        true => Cents::ZERO,
        false => rake::take(&room.options.rake, pots),
    };
    let posted = room.options.jackpot.as_ref();
    let drop = posted.and_then(|posted| posted.drop.as_ref());
    let jackpot_drop = drop
        .filter(|_| !exempt)
        .map_or(Cents::ZERO, |drop| jackpot::take_drop(drop, pots));

    let mut bad_beat = Vec::new();
    let divisions: Vec<Division> = if betting.players_in() < 2 {
        let last = betting.is_in.iter().position(|&is_in| is_in);
        let last = last.into_iter();
        last.flat_map(|place| pots.iter().map(move |pot| Division::whole(place, pot.net)))
            .collect()
    } else {
        let showdown = Showdown::of(room, &betting, own, violations)?;
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
        owed: owed(room, &mut betting),
        refunds: betting.refunds.list(),
        bad_beat,
        time_charges: rake::time_charges(room),
        kill_button: next_kill_button(room, &divisions),
    })
}

/// What a seat owes is set against what goes back to it.
fn owed(room: &Room<'_>, betting: &mut Betting) -> Vec<Owed> {
    let mut owed = Vec::new();
    for (place, &amount) in betting.owed.iter().enumerate() {
        let seat = room.players[place].seat;
        let amount = betting.refunds.set_against(seat, amount);
        if amount.is_positive() {
            owed.push(Owed { seat, amount });
        }
    }
    owed
}

/// A fault of turn, size or order is one if it shows as laid down and as said.
fn flag_betting(room: &Room<'_>, laid_down: &Betting, said: &Betting, violations: &mut Violations) {
    said.certain.iter().for_each(|code| violations.add(code));
    let both = laid_down.faults.intersection(&said.faults);
    both.for_each(|&(_, _, code)| violations.add(code));
    if room.facts.is_draw() {
        let as_laid_down = deck::faults_of_order(room, &laid_down.out_in);
        let as_said = deck::faults_of_order(room, &said.out_in);
        let both = as_laid_down.intersection(&as_said);
        both.for_each(|&(_, _, code)| violations.add(code));
    }
}

/// The order in which hands are shown, with the pots of the replay as said.
fn flag_showdown(
    room: &Room<'_>,
    laid_down: &Betting,
    said: &Betting,
    pots: &[Pot],
    violations: &mut Violations,
) {
    let is_shown = |betting: &Betting| betting.players_in() > 1;
    if !is_shown(said) || !showdown::is_out_of_order(room, said, laid_down, pots) {
        return;
    }
    let mut as_laid_down = laid_down.clone();
    let pots = pots::collect(room, &mut as_laid_down);
    let is_out = showdown::is_out_of_order(room, laid_down, laid_down, &pots);
    violations.add_if(is_shown(laid_down) && is_out, "showdown.order");
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
    let judged = room.facts.is_seven_card_stud()
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

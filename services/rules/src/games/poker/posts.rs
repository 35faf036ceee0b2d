//! Compulsory bets before the cards: antes, blinds, the kill blind, the straddle. 7(b), 10(d), 11(i),
//! 20-22

use super::incidents::Ruling;
use super::play::Kind;
use super::pots::Refunds;
use super::room::Room;
use crate::floor::Cents;
use crate::settlement::Violations;

/// What lies on the table when the first cards are dealt, by place.
pub(super) struct Posted {
    /// Chips left in front of each player.
    pub(super) left: Vec<Cents>,
    /// All that was posted.
    pub(super) in_pot: Vec<Cents>,
    /// What of it counts towards calling.
    pub(super) bet: Vec<Cents>,
    /// The place after which the first betting round opens: the first straddle, else the last blind.
    pub(super) last_post: Option<usize>,
}

pub(super) fn post(
    room: &Room<'_>,
    ruling: &Ruling,
    refunds: &mut Refunds,
    violations: &mut Violations,
) -> Posted {
    let dealt = room.dealt_in_order();
    let blinds = room.options.blinds(room.form);
    let blinds = &blinds[..blinds.len().min(dealt.len())];
    flag_antes(room, violations);
    flag_blinds(room, &dealt, blinds, violations);
    flag_kill_blind(room, violations);
    flag_straddles(room, &dealt, blinds.len(), violations);
    flag_stakes(room, &dealt, blinds, violations);

    let count = room.players.len();
    let mut posted = Posted {
        left: room.players.iter().map(|player| player.stack).collect(),
        in_pot: vec![Cents::ZERO; count],
        bet: vec![Cents::ZERO; count],
        last_post: blinds.len().checked_sub(1).map(|last| dealt[last]),
    };
    let mut straddled = false;
    for wager in room.wagers.iter().filter(|wager| wager.kind.is_post()) {
        let place = room.place(wager.seat);
        let Some(place) = place.filter(|&place| room.players[place].dealt) else {
            let skipped = place.is_some_and(|place| ruling.is_skipped(place));
            violations.add_if(!skipped, "action.not_in_hand");
            let reason = if skipped { "not_dealt" } else { "not_in_play" };
            refunds.give(wager.seat, reason, wager.amount);
            continue;
        };
        let amount = wager.amount.min(posted.left[place]);
        violations.add_if(amount < wager.amount, "wager.over_table_stakes");
        refunds.give(wager.seat, "table_stakes", wager.amount - amount);
        posted.left[place] -= amount;
        posted.in_pot[place] += amount;
        if wager.kind != Kind::Ante {
            posted.bet[place] += amount;
        }
        if wager.kind == Kind::Straddle && !std::mem::replace(&mut straddled, true) {
            posted.last_post = Some(place);
        }
    }
    posted
}

/// What a seat posted of one kind.
fn posted_by(room: &Room<'_>, place: usize, kind: Kind) -> Cents {
    let seat = room.players[place].seat;
    let wagers = room.wagers.iter();
    wagers
        .filter(|wager| wager.seat == seat && wager.kind == kind)
        .map(|wager| wager.amount)
        .sum()
}

fn flag_antes(room: &Room<'_>, violations: &mut Violations) {
    for place in (0..room.players.len()).filter(|&place| room.players[place].dealt) {
        let owed = room.options.ante.min(room.players[place].stack);
        flag_owed(
            posted_by(room, place, Kind::Ante),
            owed,
            ["ante.missing", "ante.amount"],
            violations,
        );
    }
    let coin = &room.rules.coin;
    let odd_coin = room
        .wagers
        .iter()
        .filter(|wager| wager.kind == Kind::Ante && wager.amount < coin.below)
        .any(|wager| !wager.amount.is_multiple_of(coin.unit));
    violations.add_if(odd_coin, "ante.coin");
}

fn flag_owed(
    posted: Cents,
    owed: Cents,
    [missing, amount]: [&'static str; 2],
    violations: &mut Violations,
) {
    if posted == owed {
        return;
    }
    violations.add(if posted == Cents::ZERO {
        missing
    } else {
        amount
    });
}

/// A compulsory bet takes at most what the ante leaves.
fn within_stack(room: &Room<'_>, place: usize, bet: Cents) -> Cents {
    let stack = room.players[place].stack;
    bet.min(stack - room.options.ante.min(stack))
}

fn flag_blinds(room: &Room<'_>, dealt: &[usize], blinds: &[Cents], violations: &mut Violations) {
    let owes = |place: usize| {
        let position = dealt.iter().position(|&other| other == place)?;
        // A kill blind is in place of any other blind. 11(i)
        let exempt = Some(room.players[place].seat) == room.kill_seat();
        blinds.get(position).copied().filter(|_| !exempt)
    };
    for &place in dealt {
        if let Some(blind) = owes(place) {
            flag_owed(
                posted_by(room, place, Kind::Blind),
                within_stack(room, place, blind),
                ["blind.missing", "blind.amount"],
                violations,
            );
        }
    }
    let stray = room
        .wagers
        .iter()
        .filter(|wager| wager.kind == Kind::Blind)
        .any(|wager| room.place(wager.seat).and_then(owes).is_none());
    violations.add_if(stray, "blind.wrong_seat");
}

fn flag_kill_blind(room: &Room<'_>, violations: &mut Violations) {
    let holder = room.kill_seat().and_then(|seat| room.place(seat));
    if let Some(place) = holder.filter(|&place| room.players[place].dealt) {
        flag_owed(
            posted_by(room, place, Kind::KillBlind),
            within_stack(room, place, room.first_min()),
            ["kill_blind.missing", "kill_blind.amount"],
            violations,
        );
    }
    let mut kill_blinds = room
        .wagers
        .iter()
        .filter(|wager| wager.kind == Kind::KillBlind);
    let stray = kill_blinds.any(|wager| Some(wager.seat) != room.kill_seat());
    violations.add_if(stray, "kill_blind.wrong_seat");
}

/// One straddle a round, next to the last blind, in the forms of 20-22 of the amended text.
fn flag_straddles(room: &Room<'_>, dealt: &[usize], blinds: usize, violations: &mut Violations) {
    let offered = room.rules.straddle_forms.contains(&room.form);
    let posted = room.options.straddle.filter(|_| offered);
    let next = dealt.get(blinds).or(dealt.first());
    let next = next.map(|&place| room.players[place].seat);
    let straddles = room
        .wagers
        .iter()
        .filter(|wager| wager.kind == Kind::Straddle);
    for (index, wager) in straddles.enumerate() {
        let Some(amount) = posted else {
            violations.add("straddle.not_offered");
            continue;
        };
        violations.add_if(Some(wager.seat) != next, "straddle.wrong_seat");
        violations.add_if(wager.amount != amount, "straddle.amount");
        violations.add_if(index > 0, "straddle.second");
    }
}

/// 7(c)3: enough for the compulsory bets and one minimum bet; 7(c)1: nothing is added later.
fn flag_stakes(room: &Room<'_>, dealt: &[usize], blinds: &[Cents], violations: &mut Violations) {
    let first_min = room.first_min();
    for (position, &place) in dealt.iter().enumerate() {
        let player = room.players[place];
        let compulsory = if Some(player.seat) == room.kill_seat() {
            first_min
        } else if room.form.is_stud() {
            room.options.forced_bet.unwrap_or_default()
        } else {
            blinds.get(position).copied().unwrap_or_default()
        };
        let needed = room.options.ante + first_min + compulsory;
        violations.add_if(player.stack < needed, "stakes.insufficient");
    }
    violations.add_if(
        !room.play.stake_changes.is_empty(),
        "stakes.changed_mid_round",
    );
}

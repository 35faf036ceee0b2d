//! Compulsory bets before the cards: antes, blinds, the kill blind, the straddle, the posts of new and returning
//! players. 7(b), 10(d), 11(i), 20-22

use super::options::{AnteBy, HeadsUpBlinds};
use super::play::{Kind, Wager};
use super::pots::Refunds;
use super::room::Room;
use crate::floor::Cents;
use crate::settlement::Violations;

/// What lies on the table when the first cards are dealt, by place.
#[derive(Clone)]
pub(super) struct Posted {
    /// Chips left in front of each player.
    pub(super) left: Vec<Cents>,
    /// What was posted for the pots.
    pub(super) in_pot: Vec<Cents>,
    /// What was posted beside the bets: it belongs to the main pot and is never uncalled.
    pub(super) dead: Vec<Cents>,
    /// What counts towards calling.
    pub(super) bet: Vec<Cents>,
    /// What the others have to call.
    pub(super) level: Cents,
    /// The place after which the first betting round opens: the first straddle, else the last blind.
    pub(super) last_post: Option<usize>,
    pub(super) refunds: Refunds,
}

pub(super) fn post(room: &Room<'_>, violations: &mut Violations) -> Posted {
    let dealt = room.dealt_in_order();
    let blinds = Blinds::of(room, &dealt);
    flag_antes(room, &dealt, &blinds, violations);
    flag_blinds(room, &blinds, violations);
    flag_kill_blind(room, violations);
    flag_straddles(room, &dealt, &blinds, violations);
    flag_stakes(room, &dealt, &blinds, violations);

    let count = room.players.len();
    let mut posted = Posted {
        left: room.players.iter().map(|player| player.stack).collect(),
        in_pot: vec![Cents::ZERO; count],
        dead: vec![Cents::ZERO; count],
        bet: vec![Cents::ZERO; count],
        level: Cents::ZERO,
        last_post: blinds.last(),
        refunds: Refunds::default(),
    };
    let mut straddled = false;
    for wager in room.wagers.iter().filter(|wager| wager.kind.is_post()) {
        let place = room.place(wager.seat);
        let Some(place) = place.filter(|&place| room.players[place].dealt) else {
            violations.add("action.not_in_hand");
            let refunds = &mut posted.refunds;
            refunds.give(wager.seat, "not_in_play", wager.amount);
            continue;
        };
        let code = blinds.fault_of_post(room, place, wager, posted.left[place]);
        code.into_iter().for_each(|code| violations.add(code));
        posted.put_in(room, place, wager, violations);
        if wager.kind == Kind::Straddle && !std::mem::replace(&mut straddled, true) {
            posted.last_post = Some(place);
        }
    }
    posted.level = posted.level(room, &blinds);
    posted
}

impl Posted {
    fn put_in(
        &mut self,
        room: &Room<'_>,
        place: usize,
        wager: &Wager,
        violations: &mut Violations,
    ) {
        let amount = wager.amount.min(self.left[place]);
        violations.add_if(amount < wager.amount, "wager.over_table_stakes");
        self.refunds
            .give(wager.seat, "table_stakes", wager.amount - amount);
        self.left[place] -= amount;
        let is_dead = match wager.kind {
            Kind::Ante => room.options.ante_by != AnteBy::Each,
            kind => kind == Kind::DeadBlind,
        };
        match is_dead {
            true => self.dead[place] += amount,
            false => self.in_pot[place] += amount,
        }
        if !matches!(wager.kind, Kind::Ante | Kind::DeadBlind) {
            self.bet[place] += amount;
        }
    }

    /// The largest bet; of a blind that a short stack cannot cover the others owe the posted amount.
    fn level(&self, room: &Room<'_>, blinds: &Blinds) -> Cents {
        let kill = kill_place(room).map(|place| (place, room.first_min()));
        let owed = (0..self.left.len()).filter_map(|place| Some((place, blinds.owed(place)?)));
        let short = owed
            .chain(kill)
            .filter(|&(place, _)| self.left[place] == Cents::ZERO);
        let bets = self.bet.iter().copied();
        let all = bets.chain(short.map(|(_, owed)| owed));
        all.max().unwrap_or_default()
    }
}

/// Who owes which blind, in the order of the table.
struct Blinds {
    seats: Vec<(usize, Cents)>,
    /// A kill blind is in place of any other blind. 11(i)
    exempt: Option<usize>,
}

impl Blinds {
    fn of(room: &Room<'_>, dealt: &[usize]) -> Blinds {
        let posted = room.options.blinds(room.facts).iter().enumerate();
        let owed = posted.filter(|(blind, _)| !room.play.vacant_blinds.contains(blind));
        let owed: Vec<Cents> = owed.map(|(_, &amount)| amount).collect();
        let mut places = dealt.to_vec();
        let is_small = room.options.heads_up_blinds == HeadsUpBlinds::ButtonSmall;
        if is_small && owed.len() == 2 && places.len() == 2 {
            places.swap(0, 1);
        }
        Blinds {
            seats: places.into_iter().zip(owed).collect(),
            exempt: room.kill_seat().and_then(|seat| room.place(seat)),
        }
    }

    fn last(&self) -> Option<usize> {
        self.seats.last().map(|&(place, _)| place)
    }

    fn owed(&self, place: usize) -> Option<Cents> {
        let mut seats = self.seats.iter();
        let owed = seats.find(|&&(other, _)| other == place && self.exempt != Some(place));
        owed.map(|&(_, blind)| blind)
    }

    /// What is wrong with the post of a new or returning player who has so much left.
    fn fault_of_post(
        &self,
        room: &Room<'_>,
        place: usize,
        wager: &Wager,
        left: Cents,
    ) -> Option<&'static str> {
        let blinds = room.options.blinds(room.facts);
        let largest = blinds.iter().copied().max().unwrap_or_default();
        let is_right = match wager.kind {
            Kind::Post => wager.amount == largest.min(left),
            Kind::DeadBlind => {
                let is_short = wager.amount == left && left < largest;
                blinds.contains(&wager.amount) || is_short
            }
            _ => return None,
        };
        let owes_blind = self.owed(place).is_some() || self.exempt == Some(place);
        match () {
            () if !room.options.extra_posts => Some("post.not_offered"),
            () if owes_blind => Some("post.wrong_seat"),
            () => (!is_right).then_some("post.amount"),
        }
    }
}

fn kill_place(room: &Room<'_>) -> Option<usize> {
    let place = room.kill_seat().and_then(|seat| room.place(seat));
    place.filter(|&place| room.players[place].dealt)
}

/// The place that puts in the ante for the whole table. 10(b)
fn ante_place(room: &Room<'_>, dealt: &[usize], blinds: &Blinds) -> Option<usize> {
    match room.options.ante_by {
        AnteBy::Each => None,
        AnteBy::BigBlind => blinds.last(),
        AnteBy::Button => dealt.last().copied(),
    }
}

/// What a seat posted of these kinds.
fn posted_by(room: &Room<'_>, place: usize, kinds: &[Kind]) -> Cents {
    let seat = room.players[place].seat;
    let wagers = room.wagers.iter();
    wagers
        .filter(|wager| wager.seat == seat && kinds.contains(&wager.kind))
        .map(|wager| wager.amount)
        .sum()
}

fn flag_antes(room: &Room<'_>, dealt: &[usize], blinds: &Blinds, violations: &mut Violations) {
    let codes = ["ante.missing", "ante.amount"];
    let one = ante_place(room, dealt, blinds);
    let is_each = room.options.ante_by == AnteBy::Each;
    for &place in dealt.iter().filter(|&&place| is_each || Some(place) == one) {
        let blind = match is_each {
            true => Cents::ZERO,
            false => posted_by(room, place, &[Kind::Blind, Kind::KillBlind]),
        };
        let stack = room.players[place].stack;
        let owed = room.options.ante.min(stack - blind.min(stack));
        flag_owed(
            posted_by(room, place, &[Kind::Ante]),
            owed,
            codes,
            violations,
        );
    }
    let mut antes = room.wagers.iter().filter(|wager| wager.kind == Kind::Ante);
    let coin = &room.rules.coin;
    let is_odd =
        |wager: &Wager| wager.amount < coin.below && !wager.amount.is_multiple_of(coin.unit);
    let odd_coin = !room.options.tournament && antes.clone().any(is_odd);
    violations.add_if(odd_coin, "ante.coin");
    let stray = antes.any(|wager| !is_each && room.place(wager.seat) != one);
    violations.add_if(stray, "ante.wrong_seat");
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

/// A compulsory bet takes at most what the ante leaves: where one seat puts it in for the table, either may come
/// first.
fn within_stack(room: &Room<'_>, place: usize, bet: Cents) -> Cents {
    let stack = room.players[place].stack;
    let ante = match room.options.ante_by {
        AnteBy::Each => room.options.ante,
        AnteBy::BigBlind | AnteBy::Button => posted_by(room, place, &[Kind::Ante]),
    };
    bet.min(stack - ante.min(stack))
}

fn flag_blinds(room: &Room<'_>, blinds: &Blinds, violations: &mut Violations) {
    for &(place, _) in &blinds.seats {
        if let Some(blind) = blinds.owed(place) {
            flag_owed(
                posted_by(room, place, &[Kind::Blind]),
                within_stack(room, place, blind),
                ["blind.missing", "blind.amount"],
                violations,
            );
        }
    }
    let owes = |place: usize| blinds.owed(place);
    let stray = room
        .wagers
        .iter()
        .filter(|wager| wager.kind == Kind::Blind)
        .any(|wager| room.place(wager.seat).and_then(owes).is_none());
    violations.add_if(stray, "blind.wrong_seat");
}

fn flag_kill_blind(room: &Room<'_>, violations: &mut Violations) {
    if let Some(place) = kill_place(room) {
        flag_owed(
            posted_by(room, place, &[Kind::KillBlind]),
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
fn flag_straddles(room: &Room<'_>, dealt: &[usize], blinds: &Blinds, violations: &mut Violations) {
    let offered = room.rules.straddle_forms.contains(&room.form);
    let posted = room.options.straddle.filter(|_| offered);
    let last = dealt.iter().position(|&place| Some(place) == blinds.last());
    let next = last.and_then(|last| dealt.get(last + 1)).or(dealt.first());
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
fn flag_stakes(room: &Room<'_>, dealt: &[usize], blinds: &Blinds, violations: &mut Violations) {
    let options = room.options;
    let first_min = room.first_min();
    let one = ante_place(room, dealt, blinds);
    for &place in dealt.iter().filter(|_| !options.tournament) {
        let compulsory = if Some(place) == blinds.exempt {
            first_min
        } else if room.facts.is_stud() {
            options.forced_bet.unwrap_or_default()
        } else {
            blinds.owed(place).unwrap_or_default()
        };
        let antes = options.ante_by == AnteBy::Each || Some(place) == one;
        let ante = if antes { options.ante } else { Cents::ZERO };
        let needed = ante + first_min + compulsory;
        let stack = room.players[place].stack;
        violations.add_if(stack < needed, "stakes.insufficient");
    }
    violations.add_if(
        !room.play.stake_changes.is_empty(),
        "stakes.changed_mid_round",
    );
}

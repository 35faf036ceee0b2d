//! What only the stream shows of the family: what outlives a round, and faults that no document has.

use catwalk_events::body::Body;
use catwalk_rules::Settlement;
use catwalk_rules::floor::{Card, Cents};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::document::without_cards;
use super::meters::{Moved, Owed, check_meter, check_shares, check_turns};
use super::points::total;
use super::told::{Told, guest};
use super::{End, Scene, streaks};
use crate::fault::Fault;
use crate::games::verification::{is_deferral, seat_of};
use crate::judge::is_paid_apart;
use crate::round::{RoundFold, WagerFold};
use crate::standing::Standing;
use crate::watch::Posting;

/// What is kept of a table between rounds.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Kept {
    /// The feed says when a hole card is checked, so that silence means that it was not.
    pub(super) tells_checks: bool,
    /// The shoe that began last.
    #[serde(default)]
    pub(super) started: Option<String>,
    /// The shoe of the last round, and who has bet in every round from it.
    pub(super) shoe: Option<String>,
    pub(super) steady: Vec<String>,
    /// The last round of a table with a meter opened by this event.
    #[serde(default)]
    pub(super) opened_seq: u64,
    /// What the awards of the last round make of the meter, where nobody has read it since.
    #[serde(default)]
    pub(super) moved: Option<Moved>,
    /// Awards that were due at the end of a round and not paid.
    #[serde(default, alias = "shares")]
    pub(super) owed: Vec<Owed>,
    /// The feed says who verified an award, so that silence about a share means that nobody did.
    #[serde(default)]
    pub(super) tells_people: bool,
    /// The feed says when the lammer of a winning free wager goes, so that silence means that it stays.
    #[serde(default)]
    tells_lammers: bool,
}

/// An event of an open round.
pub(super) fn see(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    let round = scene.round;
    stray_ten(scene, faults);
    match scene.body {
        Body::WagerPlaced(placed) if placed.kind == "main" => {
            let kept: Kept = scene.standing.read();
            kept.check_entry(scene, placed, faults);
        }
        Body::WagerPlaced(placed) => streaks::check_placed(scene, placed, faults),
        Body::Irregularity(irregularity) if is_deferral(irregularity) => {
            let message = "An award waits at the cage because the winner had no ID".to_owned();
            let mut fault = Fault::new("progressive.deferred_no_id", vec![scene.seq], message);
            fault.seat = seat_of(irregularity);
            faults.push(fault);
        }
        Body::JackpotPaid(paid) => {
            let kept: Kept = scene.standing.read();
            kept.check_award(round, paid, scene.seq, faults);
        }
        Body::RoundClosed(_) if !round.incomplete => third_card(round, scene.seq, faults),
        _ => {}
    }
}

/// Decks of Spanish 21 have no tens; one that turns up is said at once, as the round may be void for it,
/// 15(b).
fn stray_ten(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    const CODE: &str = "deck.foreign_card";
    let card = match scene.body {
        Body::CardDealt(dealt) => dealt.card.as_deref(),
        Body::CardRevealed(shown) => Some(shown.card.as_str()),
        Body::CardBurned(burned) => burned.card.as_deref(),
        _ => None,
    };
    let is_ten = card.is_some_and(|card| card.starts_with('T'));
    if is_ten && scene.round.rules.game == "spanish_21" && scene.is_fresh(CODE) {
        let message = "A ten is in decks that have none".to_owned();
        faults.push(Fault::new(CODE, vec![scene.seq], message));
    }
}

/// The end of a round.
pub(super) fn end(end: &End<'_>, standing: &mut Standing, faults: &mut Vec<Fault>) {
    let round = end.round;
    let told = Told::by(round);
    let mut kept: Kept = standing.read();
    kept.tells_checks |= told.dealer.check_told;
    kept.remember(round);
    kept.owe(end, &told);
    if let Some(settlement) = end.settlement {
        kept.check_lammers(round, end.seq, faults);
        check_meter(&mut kept, round, &told, settlement, end.seq, faults);
        check_turns(round, &told, settlement, faults);
        check_shares(end, &told, settlement, faults);
        envy(round, settlement, end.seq, faults);
        no_cards(round, &told, end.seq, faults);
    }
    standing.keep(&kept);
}

/// No card went to a box that somebody bet on, and nobody said why: its hand is dead, 15(h), 17.G.
fn no_cards(round: &RoundFold, told: &Told, seq: u64, faults: &mut Vec<Fault>) {
    for seat in without_cards(round, told) {
        let is_his = |wager: &&WagerFold| wager.kind == "main" && wager.seat == seat;
        let Some(main) = round.wagers.iter().find(is_his) else {
            continue;
        };
        let message = format!(
            "No card went to seat {seat}, where {} was bet, and nobody said why",
            main.amount
        );
        let evidence = main.evidence.iter().copied().chain([seq]).collect();
        faults.push(Fault::new("table.wager_without_hand", evidence, message).of_wager(&main.id));
    }
}

impl Kept {
    /// A lammer is worth nothing and leaves the layout when its wager is paid, 10.D, 11.E. That is told
    /// as collecting it; money that is taken back of what was paid is no lammer.
    fn check_lammers(&mut self, round: &RoundFold, seq: u64, faults: &mut Vec<Fault>) {
        let is_free = |wager: &&WagerFold| wager.kind.starts_with("free_");
        let paid = || {
            round
                .wagers
                .iter()
                .filter(is_free)
                .filter(|w| w.paid.is_positive())
        };
        let is_lammer = |taken: Option<Cents>, paid: Cents| {
            taken.is_none_or(|taken| taken == Cents::ZERO || taken == paid)
        };
        self.tells_lammers |= paid().any(|wager| {
            let collected = wager.collected;
            collected.is_some_and(|taken| is_lammer(taken, wager.paid))
        });
        for wager in paid().filter(|wager| wager.collected.is_none() && self.tells_lammers) {
            let message = format!("The lammer at seat {} stayed on the layout", wager.seat);
            let evidence = wager.evidence.iter().copied().chain([seq]).collect();
            faults.push(Fault::new("lammer.not_removed", evidence, message).of_wager(&wager.id));
        }
    }
}

/// An optional bonus makes the dealer take a third card on less than 17, 25(d).
fn third_card(round: &RoundFold, seq: u64, faults: &mut Vec<Fault>) {
    let bonus = |wager: &&WagerFold| wager.kind == "optional_bonus";
    let Some(wager) = round.wagers.iter().find(bonus) else {
        return;
    };
    let told = Told::by(round);
    let cards = told.dealer.cards().into_iter();
    let cards: Option<Vec<Card>> = cards.map(|card| card?.parse().ok()).collect();
    let cards = cards.unwrap_or_default();
    let alive = told.boxes.get(&wager.seat).is_some_and(|one| !one.dead);
    if alive && told.void_round.is_none() && cards.len() == 2 && total(&cards).0 < 17 {
        let evidence = wager.evidence.iter().copied().chain([seq]).collect();
        let message = format!("The dealer took no third card on {}", total(&cards).0);
        faults.push(Fault::new("dealer.third_card_missing", evidence, message).of_wager(&wager.id));
    }
}

/// A payout limit must cover a win with the least that may be bet, 24(h), King's Bounty v. The least is what
/// the options of the table say, or else what its signs do.
pub(super) fn payout_floor(posting: &Posting<'_>) -> Vec<(&'static str, String)> {
    const CODE: &str = "config.conflict";
    const LIMITED: [(&str, &str); 2] = [
        ("twenty_point_aggregate_max", "twenty_point_bonus"),
        ("kings_bounty_max_payout", "kings_bounty"),
    ];
    let limits = posting.rules.option("limits").unwrap_or_default();
    let mut faults = Vec::new();
    for (option, kind) in LIMITED {
        let posted = posting.rules.option(option);
        let is_posted = posted.is_some_and(|most| most.is_i64());
        let of_options = limits[kind].get("min");
        let (true, Some(least), None) = (is_posted, posting.least(kind), of_options) else {
            continue;
        };
        if posting.breaks(CODE, |options| {
            options["limits"][kind]["min"] = json!(least)
        }) {
            let message = format!(
                "The payout limit of {kind} does not cover a win with the minimum of {least}"
            );
            faults.push((CODE, message));
        }
    }
    faults
}

/// Envy of a super bonus that was paid neither on a wager of the guest nor with the bonus itself.
fn envy(round: &RoundFold, settlement: &Settlement, seq: u64, faults: &mut Vec<Fault>) {
    let beyond = |wager: &WagerFold| {
        let mut dues = settlement.wagers().iter();
        let due = dues.find(|due| due.id.as_str() == wager.id);
        due.map_or(Cents::ZERO, |due| wager.paid - due.win)
    };
    let who = |wager: &WagerFold| {
        let seated = format!("p{}", wager.seat);
        guest(wager).unwrap_or(seated)
    };
    for bonus in settlement
        .bonuses()
        .iter()
        .filter(|bonus| bonus.kind == "envy")
    {
        let mut own = round.wagers.iter().filter(|wager| who(wager) == bonus.to);
        let first = own.clone().next();
        let paid_to_him = own.any(|wager| beyond(wager) >= bonus.amount);
        let on = round.wager(bonus.on.as_str());
        let due_on_it: Cents = settlement
            .bonuses()
            .iter()
            .filter(|other| other.on == bonus.on)
            .map(|other| other.amount)
            .sum();
        let paid_with_it = on.is_some_and(|on| beyond(on) >= due_on_it);
        if !paid_to_him && !paid_with_it && !is_paid_apart(bonus.amount, round, settlement) {
            let evidence = [first, on].into_iter().flatten();
            let evidence = evidence
                .flat_map(|wager| wager.evidence.clone())
                .chain([seq]);
            let message = format!("{} of envy was not paid to {}", bonus.amount, bonus.to);
            let mut fault = Fault::new("bonus.envy_missing", evidence.collect(), message);
            fault.wager = first.map(|wager| wager.id.clone());
            fault.due = Some(bonus.amount);
            fault.paid = Some(Cents::ZERO);
            fault.exposure = -bonus.amount;
            faults.push(fault);
        }
    }
}

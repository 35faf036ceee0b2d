//! What only the stream shows of the family: what outlives a round, and faults that no document has.

use catwalk_events::Json;
use catwalk_events::body::{Body, JackpotPaid};
use catwalk_rules::floor::{Card, Cents};
use catwalk_rules::{Edition, Settlement, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::points::total;
use super::told::{Told, first_award, guest};
use super::{End, House, Scene, keeps_stake};
use crate::fault::Fault;
use crate::games::verification::{is_verified, tells_people};
use crate::round::{RoundFold, WagerFold};
use crate::standing::Standing;

/// So many guests of a shoe are remembered.
const MAX_GUESTS: usize = 64;

/// What is kept of a table between rounds.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Kept {
    /// The feed says when a hole card is checked, so that silence means that it was not.
    pub(super) tells_checks: bool,
    /// The shoe of the last round, and who has bet in every round from it.
    shoe: Option<String>,
    steady: Vec<String>,
    /// The feed says when the lammer of a winning free wager goes, so that silence means that it stays.
    #[serde(default)]
    tells_lammers: bool,
}

/// An event of an open round.
pub(super) fn see(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    let round = scene.round;
    match scene.body {
        Body::WagerPlaced(placed) if placed.kind == "main" => {
            let kept: Kept = scene.standing.read();
            let who = named(placed.player.clone(), placed.seat);
            let same_shoe = kept.shoe.is_some() && kept.shoe == round.opened.shoe;
            if same_shoe && !House::of(round).mid_shoe_entry && !kept.steady.contains(&who) {
                let message = format!("{who} sat out a round of this shoe and bets again");
                let fault = Fault::new("wager.mid_shoe_entry", vec![scene.seq], message);
                faults.push(fault.of_wager(&placed.wager).at_seat(placed.seat));
            }
        }
        body @ Body::Irregularity(irregularity) if is_deferral(body) => {
            let detail = irregularity.detail.as_ref().map(|detail| detail.value());
            let seat = detail.and_then(|detail| u32::try_from(detail["seat"].as_u64()?).ok());
            let message = "An award waits at the cage because the winner had no ID".to_owned();
            let mut fault = Fault::new("progressive.deferred_no_id", vec![scene.seq], message);
            fault.seat = seat;
            faults.push(fault);
        }
        Body::JackpotPaid(paid) => verification(round, paid, scene.seq, faults),
        Body::RoundClosed(_) if !round.incomplete => third_card(round, scene.seq, faults),
        _ => {}
    }
}

/// An award that goes to the cage because the winner cannot show who he is, progressives 6.B.
pub(super) fn is_deferral(body: &Body) -> bool {
    let Body::Irregularity(irregularity) = body else {
        return false;
    };
    let kind = irregularity.kind.as_str();
    kind.ends_with("no_id") || kind.ends_with("without_id") || kind.ends_with("without_valid_id")
}

/// The end of a round.
pub(super) fn end(end: &End<'_>, standing: &mut Standing, faults: &mut Vec<Fault>) {
    let round = end.round;
    let told = Told::by(round);
    let mut kept: Kept = standing.read();
    kept.tells_checks |= told.dealer.check_told;
    kept.remember(round);
    if end.settlement.is_some() {
        kept.check_lammers(round, end.seq, faults);
    }
    standing.keep(&kept);
    if let Some(settlement) = end.settlement {
        meter(round, &told, settlement, end.seq, faults);
        envy(round, settlement, end.seq, faults);
    }
}

/// A streak that is not decided stays, with the wins that it has now: one more if the player won more
/// hands of this round than he lost, 22(k).
pub(super) fn carry(end: &End<'_>, wager: &mut WagerFold) -> bool {
    if !wager.kind.starts_with("streak_") || end.settlement.is_none() && !end.voided {
        return false;
    }
    let detail = wager.detail.as_ref().map(|detail| detail.value());
    let detail = detail.unwrap_or_default();
    let wins = detail["wins_before"].as_i64().or(detail.as_i64());
    let mut wins = wins.unwrap_or_default();
    if let Some(settlement) = end.settlement {
        let mut balance = 0;
        for (other, due) in end.round.wagers.iter().zip(settlement.wagers()) {
            let counts = matches!(other.kind.as_str(), "main" | "split");
            if counts && other.seat == wager.seat && same_player(other, wager) {
                balance += match due.result {
                    Verdict::Win => 1,
                    Verdict::Lose => -1,
                    _ => 0,
                };
            }
        }
        wins += i64::from(balance > 0);
    }
    wager.detail = Some(Json::new(&json!({"wins_before": wins})));
    true
}

impl Kept {
    fn remember(&mut self, round: &RoundFold) {
        let mains = round.wagers.iter().filter(|wager| wager.kind == "main");
        let here: Vec<String> = mains.map(|main| named(guest(main), main.seat)).collect();
        let continuous = round
            .rules
            .option("shuffler")
            .is_some_and(|word| word == "continuous");
        if round.incomplete || continuous || round.opened.shoe.is_none() {
            // Nobody knows who sat out.
            self.shoe = None;
        } else if self.shoe == round.opened.shoe {
            self.steady.retain(|who| here.contains(who));
        } else {
            self.shoe.clone_from(&round.opened.shoe);
            self.steady = here;
            self.steady.truncate(MAX_GUESTS);
        }
    }
}

impl Kept {
    /// A lammer is worth nothing and leaves the layout when its wager is paid, 10.D, 11.E. That is told
    /// as collecting it.
    fn check_lammers(&mut self, round: &RoundFold, seq: u64, faults: &mut Vec<Fault>) {
        let is_free = |wager: &&WagerFold| wager.kind.starts_with("free_");
        let paid = || {
            round
                .wagers
                .iter()
                .filter(is_free)
                .filter(|w| w.paid.is_positive())
        };
        self.tells_lammers |= paid().any(|wager| wager.collected.is_some());
        for wager in paid().filter(|wager| wager.collected.is_none() && self.tells_lammers) {
            let message = format!("The lammer at seat {} stayed on the layout", wager.seat);
            let evidence = wager.evidence.iter().copied().chain([seq]).collect();
            faults.push(Fault::new("lammer.not_removed", evidence, message).of_wager(&wager.id));
        }
    }
}

fn named(player: Option<String>, seat: u32) -> String {
    player.unwrap_or_else(|| format!("Seat {seat}"))
}

fn same_player(one: &WagerFold, other: &WagerFold) -> bool {
    let (one, other) = (guest(one), guest(other));
    one.is_none() || other.is_none() || one == other
}

/// An optional bonus makes the dealer take a third card on less than 17, 25(d).
fn third_card(round: &RoundFold, seq: u64, faults: &mut Vec<Fault>) {
    let bonus = |wager: &&WagerFold| wager.kind == "optional_bonus";
    let Some(wager) = round.wagers.iter().find(bonus) else {
        return;
    };
    let told = Told::by(round);
    let cards = told.dealer.cards().unwrap_or_default();
    let cards: Vec<Card> = cards.iter().filter_map(|card| card.parse().ok()).collect();
    let alive = told
        .boxes
        .get(&wager.seat)
        .is_some_and(|one| one.dead.is_none());
    if alive && told.void_round.is_none() && cards.len() == 2 && total(&cards).0 < 17 {
        let evidence = wager.evidence.iter().copied().chain([seq]).collect();
        let message = format!("The dealer took no third card on {}", total(&cards).0);
        faults.push(Fault::new("dealer.third_card_missing", evidence, message).of_wager(&wager.id));
    }
}

/// Awards of fixed amount in cents: they leave the meter alone, 19(c), progressives 5.A.iii.
const FIXED_AWARDS: [i64; 7] = [250_000, 25_000, 10_000, 2_500, 100_000, 12_500, 1_000];

/// The meter after the awards of a round against the meter before. Other tables feed and win from the
/// same meter, so that only what no play elsewhere explains is said.
fn meter(
    round: &RoundFold,
    told: &Told,
    settlement: &Settlement,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    let Some((before, paid)) = told.meter.zip(first_award(round)) else {
        return;
    };
    let mut readings = round.play.iter().filter_map(|(seq, body)| match body {
        Body::MeterRead(read) if *seq > paid && !read.meter.contains("bonus") => {
            Some((*seq, read.amount))
        }
        _ => None,
    });
    let Some((read, after)) = readings.next_back() else {
        return;
    };
    let won = round
        .wagers
        .iter()
        .zip(settlement.wagers())
        .filter(|(wager, due)| keeps_stake(&wager.kind) && due.result == Verdict::Win);
    let awards: Vec<Cents> = won.map(|(_, due)| due.returned).collect();
    let fixed = |award: &&Cents| FIXED_AWARDS.contains(&award.get());
    let all_fixed: Cents = awards.iter().filter(fixed).copied().sum();
    let shares: Vec<&Cents> = awards.iter().filter(|award| !fixed(award)).collect();
    let message = if shares.is_empty() {
        (all_fixed.is_positive() && before - after == all_fixed)
            .then(|| format!("A fixed award moved the meter from {before} to {after}"))
    } else {
        let reset = round.rules.option("progressive_reset");
        let reset = reset
            .and_then(|reset| reset.as_i64())
            .map_or(RESET, Cents::new);
        let emptied = shares.iter().copied().copied().sum::<Cents>() >= before;
        let wrong = after >= before && !(emptied && before <= reset) || emptied && after < reset;
        wrong.then(|| format!("A share of the meter left it at {after}; it was {before}"))
    };
    if let Some(message) = message {
        let evidence = vec![round.opened_seq, paid, read, seq];
        faults.push(Fault::new("progressive.meter_mismatch", evidence, message));
    }
}

/// A supervisor validates an award, 19(g)3; in Ohio surveillance too where it is a share of the meter.
fn verification(round: &RoundFold, paid: &JackpotPaid, seq: u64, faults: &mut Vec<Fault>) {
    let is_share = !FIXED_AWARDS.contains(&paid.amount.get());
    let by_surveillance = round.rules.edition == Edition::OhJack2017.name();
    let is_due = is_share || !by_surveillance;
    if is_due && tells_people(paid) && !is_verified(paid, by_surveillance) {
        let message = format!(
            "{} from the meter was not verified as it must be",
            paid.amount
        );
        let fault = Fault::new("progressive.unverified", vec![seq], message);
        faults.push(fault.of_wager(&paid.wager));
    }
}

/// What a meter starts from where the table posts nothing else.
const RESET: Cents = Cents::new(1_000_000);

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
        if !paid_to_him && !paid_with_it {
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

//! Chemin de fer from its events.
//!
//! The Banker is the seat of the `bank` wager. What he takes back when betting has closed is a
//! `wager_changed` to what is covered. Announcements are decisions: `card`, `stay` and `natural` of the
//! Dominant Player, whose seat they name; `bid` with its amount and `pass` before the bank is placed, in its
//! round or since the last one; `banco` and `suivi`; `decline` and `accept` of a seat that is offered the bank.
//! How the bank came to its holder follows from the last hand and from these; where they leave it open, nothing
//! is held against him.

mod disposal;
mod turns;
mod words;

use catwalk_events::Event;
use catwalk_events::body::{Body, CardPlace, Decision, WagerPlaced};
use catwalk_rules::floor::Cents;
use catwalk_rules::games as rules;
use catwalk_rules::games::chemin_de_fer::{Play, Prior, PriorKind};
use catwalk_rules::{Settlement, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Map;

use self::disposal::Disposal;
use self::turns::Turns;
use self::words::{Between, Word, announcement, decisions, rank};
use super::baccarat::{hand, is_simulated, plain};
use super::told::{Laid, Reading};
use super::{
    Case, Documents, End, Folder, Following, Payments, Scene, Staking, Telling, Told, Windows,
    layout,
};
use crate::fault::Fault;
use crate::judge::due;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;
use crate::table::RulesInForce;

pub(super) struct CheminDeFer;

const BANK: &str = "bank";
const UNCOVERED: &str = "chemin.uncovered_not_withdrawn";
const PRIORITY: &str = "chemin.priority_ignored";
/// What a misdeal is called, by the word for it.
const MISDEALS: [&str; 3] = [
    "chemin.banker_extra_initial",
    "chemin.player_three_initial",
    "chemin.banker_two_third",
];

/// What outlives a hand: whose bank it was, how it went, and who may follow.
#[derive(Debug, Default, Serialize, Deserialize)]
struct LastBank {
    shoe: Option<String>,
    held: Option<Held>,
    /// The seat that equalled and lost the last decided bank.
    suivi_seat: Option<u32>,
    /// The Banker said that he passes.
    passed: bool,
    /// A hand could not be settled: who may follow is not known.
    blind: bool,
    turns: Turns,
    disposal: Option<Disposal>,
    #[serde(default)]
    between: Between,
}

#[derive(Debug, Serialize, Deserialize)]
struct Held {
    seat: u32,
    player: Option<String>,
    amount: Cents,
    lost: bool,
    /// The seat that passed the bank on, if it was passed since it was last lost or begun.
    #[serde(default)]
    origin: Option<u32>,
}

impl Folder for CheminDeFer {
    fn game(&self) -> &'static str {
        "chemin_de_fer"
    }
}

impl Windows for CheminDeFer {
    fn closes(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::CardDealt(_)).then_some(MAIN_WINDOW)
    }

    /// 6(e): what nobody covers goes back to the Banker, once, when no more bets are taken. A feed that
    /// does not tell the call has wagers against the bank before.
    fn withdraws(&self, round: &RoundFold, wager: &WagerFold, to: Cents) -> bool {
        let is_over = || round.is_closed(MAIN_WINDOW) || against(round).next().is_some();
        wager.kind == BANK
            && is_over()
            && wager.uncovered == Cents::ZERO
            && to < wager.amount
            && to == covered(round, wager)
    }
}

impl Staking for CheminDeFer {}

impl Documents for CheminDeFer {
    fn is_excused(&self, round: &RoundFold) -> bool {
        is_for_nothing(round)
    }

    fn is_in_document(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        counts(round, wager)
    }

    fn settle(&self, told: Telling<'_>) -> Option<Told> {
        let last = last_bank(told.standing);
        let wager = |laid: &Laid<'_>| laid.read(&Map::new());
        let play = |reading: &mut Reading| play(told.round, &last, reading);
        Some(told.settle::<rules::CheminDeFer>(wager, play))
    }
}

/// `play` of the document. What was told to be irregular stands unless the cards contradict it.
fn play(round: &RoundFold, last: &LastBank, reading: &mut Reading) -> Play {
    let said = announcement(round);
    let mut play = Play {
        banker: reading.cards("banker", hand(round, CardPlace::Banker)),
        decision: said.map(|(_, word)| word),
        dominant_seat: said.and_then(|(seat, _)| reading.number("dominant_seat", seat.into())),
        irregularity: irregularity(round).and_then(|word| reading.word("irregularity", &word)),
        player: reading.cards("player", hand(round, CardPlace::Player)),
        prior: prior(round, last, reading),
    };
    if play.is_contradicted() {
        play.irregularity = None;
    }
    play
}

impl Following for CheminDeFer {
    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        match scene.body {
            _ if scene.round.incomplete => {}
            Body::WagerPlaced(placed) if placed.kind == BANK => {
                check_holder(scene, placed, faults);
                check_turn(scene, placed, faults);
            }
            Body::CardDealt(_) => {
                let last = last_bank(scene.standing);
                if let Some(waiting) = disposal::waiting(last.disposal, scene.round) {
                    waiting.check(&scene.round.rules, scene.seq, faults);
                }
            }
            Body::WagerChanged(changed) if is_dealt(scene.round) => {
                let bank = scene.round.wager(&changed.wager);
                let is_late = |bank: &&WagerFold| self.withdraws(scene.round, bank, changed.amount);
                if let Some(bank) = bank.filter(is_late) {
                    faults.push(uncovered(scene.round, bank, scene.seq));
                }
            }
            Body::Irregularity(told) => words::report(scene, told, faults),
            Body::Decision(decision) if Word::Bid.is(decision) => {
                let last = last_bank(scene.standing);
                if !last.is_new_shoe(scene.round) {
                    let said = last.between.and(scene.round);
                    check_bidder(&last, said, decision, scene.shown_by_play(), faults);
                }
            }
            _ => {}
        }
    }

    /// What is burned between hands may belong to a card that was shown in the last one, and who is to bank
    /// the next may be settled before it opens.
    fn aside(
        &self,
        event: &Event,
        rules: &RulesInForce,
        standing: &mut Standing,
        faults: &mut Vec<Fault>,
    ) -> bool {
        let mut last = last_bank(standing);
        let known = match &event.body {
            Body::Decision(said) => {
                if Word::Bid.is(said) {
                    let before = last.between.iter();
                    check_bidder(&last, before, said, vec![event.seq], faults);
                }
                last.between.hear(event.seq, said)
            }
            Body::CardBurned(_) if last.disposal.is_some() => {
                let waiting = last.disposal.take();
                last.disposal = waiting.map(|waiting| waiting.with(event.seq, &event.body));
                true
            }
            Body::ShoeStarted(_) | Body::ShoeEnded(_) | Body::TableClosed(_) => {
                if let Some(waiting) = last.disposal.take() {
                    waiting.check(rules, event.seq, faults);
                }
                if !matches!(event.body, Body::ShoeStarted(_)) {
                    last.between = Between::default();
                }
                // 4(b): the bank of a new shoe goes to the highest bid.
                (last.held, last.passed) = (None, false);
                false
            }
            _ => return false,
        };
        standing.keep(&last);
        known
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, faults: &mut Vec<Fault>) {
        let round = end.round;
        let mut last = last_bank(standing);
        let mut disposal = disposal::waiting(last.disposal.take(), round);
        // What was burned in the round is all that goes with the card.
        if let Some(done) = disposal.take_if(|disposal| disposal.is_begun()) {
            done.check(&round.rules, end.seq, faults);
        }
        // Whose hand it was is in doubt where a card was exchanged.
        let in_doubt = round.raised.iter().any(|code| code == "deck.switched_card");
        match (end.settlement.filter(|_| !in_doubt), bank(round)) {
            (Some(settlement), Some(bank)) => {
                if !round.has_raised(UNCOVERED) {
                    check_withdrawal(end, bank, faults);
                }
                if !round.has_raised(PRIORITY) {
                    check_priority(end, faults);
                }
                check_deal_order(end, faults);
                check_told(end, faults);
                match is_decided(settlement, bank) {
                    true => last.follow(round, bank, settlement),
                    false => last = last.lost_sight(),
                }
            }
            _ if end.voided => {
                check_annulled(end, faults);
                // It may move the bank, and what was placed in it is the last wager: 11(a), 5(b).
                if bank(round).is_some() {
                    last.held = None;
                }
            }
            _ if is_for_nothing(round) => {}
            _ => last = last.lost_sight(),
        }
        last.disposal = disposal;
        last.shoe.clone_from(&round.opened.shoe);
        standing.keep(&last);
    }
}

impl Payments for CheminDeFer {
    /// 9(c): vigorish is taken at once, from the Banker, on what he won.
    fn name(&self, case: &Case<'_>) -> Option<&'static str> {
        (case.code == "commission.wrong").then_some("vigorish.wrong")
    }
}

fn bank(round: &RoundFold) -> Option<&WagerFold> {
    round.wagers.iter().find(|wager| wager.kind == BANK)
}

/// What is known of the last bank. Where events are missing since, nobody can tell who had it in them.
fn last_bank(standing: &Standing) -> LastBank {
    match standing.is_doubtful() {
        true => LastBank {
            blind: true,
            ..LastBank::default()
        },
        false => standing.read(),
    }
}

/// Wagers against the bank that count.
fn against(round: &RoundFold) -> impl Iterator<Item = &WagerFold> {
    let wagers = round.wagers.iter();
    wagers.filter(|wager| wager.kind != BANK && counts(round, wager))
}

/// A late wager is to be given back. One that was settled all the same covers what the Banker had not taken
/// back by then.
fn counts(round: &RoundFold, wager: &WagerFold) -> bool {
    let was_accepted = || wager.paid_seq.is_some() || wager.collected.is_some();
    let is_open = || bank(round).is_some_and(|bank| bank.uncovered == Cents::ZERO);
    !wager.late || was_accepted() && is_open()
}

fn covered(round: &RoundFold, bank: &WagerFold) -> Cents {
    let others = against(round).filter(|wager| wager.seat != bank.seat);
    let staked: Cents = others.map(|wager| wager.amount).sum();
    staked.min(bank.amount)
}

/// Does what was seen of the cards say how the bank went?
fn is_decided(settlement: &Settlement, bank: &WagerFold) -> bool {
    due(settlement, &bank.id).is_some_and(|due| due.result != Verdict::Open)
}

fn is_dealt(round: &RoundFold) -> bool {
    let mut play = round.play.iter();
    play.any(|(_, body)| matches!(body, Body::CardDealt(_)))
}

/// 11(h)(3): a round that nobody banks, to be rid of a card.
fn is_for_nothing(round: &RoundFold) -> bool {
    let mut told = round.irregularities();
    round.wagers.is_empty() && told.any(|told| is_simulated(&plain(&told.kind)))
}

/// Section 11: what the text knows to go wrong.
fn irregularity(round: &RoundFold) -> Option<String> {
    let layout = layout(&round.rules)?;
    let mut told = round.irregularities().map(|told| plain(&told.kind));
    told.find(|word| layout.knows(word))
}

/// A misdeal that was recorded is one, whether or not the cards show it.
fn check_told(end: &End<'_>, faults: &mut Vec<Fault>) {
    let round = end.round;
    let mut reading = Reading::default();
    let play = play(round, &LastBank::default(), &mut reading);
    let told = irregularity(round).filter(|_| play.irregularity.is_none());
    let code = told.and_then(|word| MISDEALS.iter().find(|code| code.ends_with(&word)));
    if let Some(code) = code.filter(|code| !round.has_raised(code)) {
        let message = "A misdeal was recorded that the cards do not show".to_owned();
        let evidence = round.play.iter().map(|(seq, _)| *seq).chain([end.seq]);
        faults.push(Fault::new(code, evidence.collect(), message));
    }
}

/// `play.prior`: how the Banker came to this hand, where that is known.
fn prior(round: &RoundFold, last: &LastBank, reading: &mut Reading) -> Option<Prior> {
    let bank = bank(round)?;
    let bid = last.between.bid(round, bank.seat);
    let suivi = against(round).find(|wager| wager.kind == "banco_suivi");
    let suivi_seat = match suivi {
        Some(claimed) if last.blind => Some(claimed.seat),
        _ => last.suivi_seat,
    };
    let fits = |held: &Held| (held.amount..=held.amount.times(2)).contains(&bank.amount);
    let (kind, last_bank) = match (&last.held, bid) {
        (held, Some(_)) if held.is_none() || last.is_new_shoe(round) => (PriorKind::Opening, None),
        (Some(_), Some(_)) => (PriorKind::Auction, None),
        (Some(held), None) if !last.is_new_shoe(round) => match held {
            _ if held.lost => (PriorKind::ForcedPass, None),
            _ if held.is_held_by(bank.seat, bank.player.as_deref()) => {
                (PriorKind::Continuing, Some(held.amount))
            }
            // A pass that nobody told of may have ended in an auction.
            _ if last.passed(round, held.seat) || fits(held) => {
                (PriorKind::Passed, Some(held.amount))
            }
            _ => (PriorKind::ForcedPass, None),
        },
        // Without a word on the bid, this kind asks nothing of the bank.
        _ if suivi_seat.is_some() => (PriorKind::ForcedPass, None),
        _ => return None,
    };
    Some(Prior {
        kind,
        bid,
        last_bank,
        suivi_seat: suivi_seat.and_then(|seat| reading.number("prior.suivi_seat", seat.into())),
    })
}

/// 10(a)(1): who loses with the bank has to pass it.
fn check_holder(scene: &Scene<'_>, placed: &WagerPlaced, faults: &mut Vec<Fault>) {
    let last = last_bank(scene.standing);
    let round = scene.round;
    let Some(held) = last.held.as_ref().filter(|held| held.lost) else {
        return;
    };
    let is_same = held.is_held_by(placed.seat, placed.player.as_deref());
    let bid = last.between.bid(round, placed.seat);
    if is_same && !last.is_new_shoe(round) && bid.is_none() {
        let message = format!(
            "Seat {} holds the bank again after losing with it",
            placed.seat
        );
        let evidence = vec![round.opened_seq, scene.seq];
        let fault = Fault::new("chemin.bank_kept_after_loss", evidence, message);
        faults.push(fault.of_wager(&placed.wager).at_seat(placed.seat));
    }
}

/// 10(b)-(e): a bank that changes hands without an auction goes around the table.
fn check_turn(scene: &Scene<'_>, placed: &WagerPlaced, faults: &mut Vec<Fault>) {
    let last = last_bank(scene.standing);
    let is_auction = last.between.and(scene.round).any(|said| Word::Bid.is(said));
    let held = last
        .held
        .as_ref()
        .filter(|_| !is_auction && !last.is_new_shoe(scene.round));
    if let Some(held) = held {
        turns::check_offer(scene, placed, held, &last.between, faults);
        last.turns.check(scene, placed, held, faults);
    }
}

/// 10(c): who passes the bank is not in the first round of the bidding for it.
fn check_bidder<'a>(
    last: &LastBank,
    earlier: impl Iterator<Item = &'a Decision>,
    bidding: &Decision,
    evidence: Vec<u64>,
    faults: &mut Vec<Fault>,
) {
    let seat = bidding.seat;
    let has_held = last.held.as_ref().is_some_and(|held| held.seat == seat);
    let (mut passed, mut bids) = (last.passed, 0);
    for said in earlier {
        passed |= said.seat == seat && Word::Pass.is(said);
        bids += usize::from(Word::Bid.is(said));
    }
    if has_held && passed && bids == 0 {
        let message = format!("Seat {seat} passed the bank and bids for it first");
        let fault = Fault::new("chemin.passer_in_first_bidding", evidence, message);
        faults.push(fault.at_seat(seat));
    }
}

/// 6(e): the Banker takes back what nobody covers.
fn check_withdrawal(end: &End<'_>, bank: &WagerFold, faults: &mut Vec<Fault>) {
    let is_left = bank.uncovered == Cents::ZERO && covered(end.round, bank) < bank.amount;
    if is_dealt(end.round) && is_left {
        faults.push(uncovered(end.round, bank, end.seq));
    }
}

/// What nobody covers lay on the layout while the cards were dealt.
fn uncovered(round: &RoundFold, bank: &WagerFold, seq: u64) -> Fault {
    let covered = covered(round, bank);
    let message = format!(
        "The Banker left {} on the layout of which {covered} was covered",
        bank.amount
    );
    let evidence = [bank.evidence.as_slice(), &[seq]].concat();
    let fault = Fault::new(UNCOVERED, evidence, message);
    fault.of_wager(&bank.id)
}

/// 6(b)-(d): who says "suivi" or "banco" goes before all who wager less.
fn check_priority(end: &End<'_>, faults: &mut Vec<Fault>) {
    let round = end.round;
    let said = decisions(round).find_map(|decision| {
        let Some(Word::Banco(rank)) = Word::of(decision) else {
            return None;
        };
        let accepted = against(round).any(|wager| wager.seat == decision.seat);
        (!accepted).then_some((decision.seat, rank))
    });
    let Some((seat, said)) = said else { return };
    let lower = |wager: &&WagerFold| rank(&wager.kind).is_none_or(|rank| rank > said);
    if let Some(wager) = against(round).find(lower) {
        let message = format!(
            "A wager of seat {} was accepted although seat {seat} wanted the whole bank",
            wager.seat
        );
        let fault = Fault::new(PRIORITY, wager.evidence.clone(), message);
        faults.push(fault.of_wager(&wager.id));
    }
}

/// 7(a): Player, Banker, Player, Banker. An irregularity that was ruled upon is in the document.
fn check_deal_order(end: &End<'_>, faults: &mut Vec<Fault>) {
    let round = end.round;
    let dealt = round.play.iter().filter_map(|(seq, body)| match body {
        Body::CardDealt(dealt) => Some((*seq, dealt.to)),
        _ => None,
    });
    let first: Vec<(u64, CardPlace)> = dealt.take(4).collect();
    let due = [CardPlace::Player, CardPlace::Banker].into_iter().cycle();
    let wrong = first.iter().zip(due).any(|((_, to), due)| *to != due);
    if wrong && irregularity(round).is_none() {
        let evidence = first.iter().map(|(seq, _)| *seq).collect();
        let message = "The first four cards did not go Player, Banker, Player, Banker".to_owned();
        faults.push(Fault::new("chemin.wrong_order", evidence, message));
    }
}

/// 11(a): a hand that was called off has no settlement to show why.
fn check_annulled(end: &End<'_>, faults: &mut Vec<Fault>) {
    if irregularity(end.round).as_deref() == Some("wrong_order") {
        let message = "Cards were taken in the wrong order, and the hand was annulled".to_owned();
        let play = end.round.play.iter().map(|(seq, _)| *seq);
        let evidence = play.chain([end.seq]).collect();
        faults.push(Fault::new("chemin.wrong_order", evidence, message));
    }
}

impl Held {
    fn is_held_by(&self, seat: u32, player: Option<&str>) -> bool {
        match (self.player.as_deref(), player) {
            (Some(one), Some(other)) => one == other,
            _ => self.seat == seat,
        }
    }
}

impl LastBank {
    /// A hand went by of which nobody knows how it ended.
    fn lost_sight(self) -> LastBank {
        LastBank {
            blind: true,
            between: self.between,
            ..LastBank::default()
        }
    }

    /// Did the seat that held it say that it passes?
    fn passed(&self, round: &RoundFold, seat: u32) -> bool {
        self.passed || self.between.says_pass(round, seat)
    }

    /// A new shoe begins with a new auction.
    fn is_new_shoe(&self, round: &RoundFold) -> bool {
        let shoes = self.shoe.as_ref().zip(round.opened.shoe.as_ref());
        shoes.is_some_and(|(one, other)| one != other)
    }

    fn follow(&mut self, round: &RoundFold, bank: &WagerFold, settlement: &Settlement) {
        let row = |id: &str| {
            let rows = settlement.wagers().iter();
            rows.clone().find(|row| row.id.as_str() == id)
        };
        let result = row(&bank.id).map(|row| row.result);
        let from = self.held.as_ref().map(|held| held.seat);
        let from = from.filter(|_| !self.is_new_shoe(round));
        let from = from.filter(|_| self.between.bid(round, bank.seat).is_none());
        self.turns.follow(round, from, bank.seat);
        let before = self.held.take().filter(|held| !held.lost);
        let before = before.filter(|_| !self.is_new_shoe(round));
        let origin = before.and_then(|held| {
            let moved = held.seat != bank.seat;
            held.origin.or(moved.then_some(held.seat))
        });
        let placed = bank.evidence.first().copied().unwrap_or_default();
        self.between.forget_until(placed);
        let since = round.play.iter().filter(|(seq, _)| *seq > placed);
        let mut since = since.filter_map(|(_, body)| match body {
            Body::Decision(said) => Some(said),
            _ => None,
        });
        let passes = |said: &Decision| said.seat == bank.seat && Word::Pass.is(said);
        self.passed = since.any(passes) || self.between.iter().any(passes);
        // A hand that was annulled may move the bank: 11(a).
        self.held = (result != Some(Verdict::Void)).then(|| Held {
            seat: bank.seat,
            player: bank.player.clone(),
            amount: bank.amount,
            lost: result == Some(Verdict::Lose),
            origin,
        });
        if matches!(result, Some(Verdict::Win | Verdict::Lose)) {
            let lost = |wager: &&WagerFold| {
                let row = row(&wager.id);
                let row = row.filter(|row| row.result == Verdict::Lose);
                row.is_some_and(|row| wager.amount - row.returned == bank.amount)
            };
            self.suivi_seat = against(round).find(lost).map(|wager| wager.seat);
            self.blind = false;
        }
    }
}

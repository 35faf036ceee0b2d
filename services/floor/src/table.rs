//! A table: it opens, plays rounds, pays, closes, and its chips add up.

mod day;
mod faults;
mod meters;
mod money;
mod noise;
mod papers;
mod patrons;
mod payments;
mod signs;

use std::collections::{BTreeMap, VecDeque};

use catwalk_events::body::{
    BettingClosed, Body, CommissionCollected, RoundClosed, RoundOpened, TableClosed, TableOpened,
    TilesInspected,
};
use catwalk_events::{Event, Json, Person, Role, Source, SourceKind, Timestamp};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Rulebook, Settlement, Verdict};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::fault::{FaultKind, Label};
use crate::floor::FloorError;
use crate::games::{Dealt, GameSim};
use crate::meters::Meters;
use day::Day;
use faults::{
    Forged, Mischief, blind, conceal, is_of_cards, is_of_feed, is_of_money, is_of_notices,
    is_of_papers, is_of_payment, is_of_shoe, is_of_wager,
};
use meters::awards;
use money::Money;
use noise::Noise;
use patrons::Patrons;
use payments::{fees, payments, seat_and_amount};
use signs::Signs;

pub(crate) use day::DAY;
pub use faults::garble;
pub(crate) use money::{CHIP_VALUES, opening_chips};
pub(crate) use noise::Noises;
pub(crate) use payments::{person, wager_of};
pub(crate) use signs::Stakes;
pub use signs::StakesError;

/// A meter of several tables is read so long before it is told of.
const READING: i64 = 10_000_000;

/// The seat of the house's own wagers.
const HOUSE: u32 = 0;

/// One table of the floor.
pub(crate) struct Table {
    property: String,
    number: usize,
    name: String,
    game_name: &'static str,
    game: Box<dyn GameSim>,
    rng: ChaCha8Rng,
    seed: u64,
    /// From the end of a round to the next.
    pause: i64,
    seq: u64,
    clock: i64,
    edition: &'static str,
    options: Value,
    rounds: u64,
    money: Money,
    day: Day,
    signs: Signs,
    noises: Noises,
    /// Vigorish that is collected before the next shoe: round, wager, amount.
    owed: Vec<(String, String, Cents)>,
    patrons: Patrons,
    pub(crate) outbox: VecDeque<Event>,
    pub(crate) labels: Vec<Label>,
    /// The fault that was asked for last, if it was done or will be.
    pub(crate) accepted: Option<FaultKind>,
    mischief: Mischief,
    /// When the last round opened, and whether nothing was done wrong in it.
    pub(crate) last_opened: i64,
    pub(crate) was_honest: bool,
    /// The document of the last round and whether it was dealt and paid honestly.
    pub(crate) last_document: Option<Value>,
}

/// What all tables of a floor have in common.
pub(crate) struct House<'a> {
    pub(crate) property: &'a str,
    pub(crate) rulebook: &'a Rulebook,
    pub(crate) stakes: &'a Stakes,
    pub(crate) seed: u64,
    /// Microseconds from the end of a round to the next.
    pub(crate) pause: i64,
}

impl Table {
    pub(crate) fn open(
        house: &House<'_>,
        number: usize,
        game_name: &'static str,
        mut game: Box<dyn GameSim>,
        mut rng: ChaCha8Rng,
        noises: Noises,
        clock: i64,
    ) -> Table {
        let (edition, options) = game.open(&mut rng);
        let signs = Signs::new(house.stakes.of(game_name), clock, &mut rng);
        let mut table = Table {
            property: house.property.to_owned(),
            number,
            name: format!("{}-{number:02}", game.sign()),
            game_name,
            game,
            rng,
            seed: house.seed,
            pause: house.pause,
            seq: 0,
            clock,
            edition,
            options,
            rounds: 0,
            money: Money::default(),
            day: Day::new(clock),
            signs,
            noises,
            owed: Vec::new(),
            patrons: Patrons::default(),
            outbox: VecDeque::new(),
            labels: Vec::new(),
            accepted: None,
            mischief: Mischief::at(house.rulebook, game_name, edition),
            last_opened: clock,
            was_honest: true,
            last_document: None,
        };
        let opened = table.opening();
        table.send(None, opened.into());
        table.man();
        table.inspect_devices();
        table
    }

    /// How the table opens, with the chips that are in its tray.
    fn opening(&self) -> TableOpened {
        TableOpened {
            game: self.game_name.to_owned(),
            edition: self.edition.to_owned(),
            options: Json::new(&self.options),
            limits: self.signs.limits.clone(),
            opening_inventory: self.money.tray,
            dealer: self.dealer(),
            positions: None,
            wheel: None,
            tournament: None,
            trial: None,
            pit: Some(self.pit()),
            asset: Some(format!("{}-asset", self.name)),
            layout: Some(self.game_name.to_owned()),
            slip: Some(format!("{}-O{}", self.name, self.seq + 1)),
            denominations: money::chips(self.money.tray),
            by: Some(Person::new(self.dealer(), Role::Dealer)),
            witness: person("f-1", Role::Floorperson),
            tournament_id: None,
            trial_id: None,
        }
    }

    /// The moment of the next event to go out.
    pub(crate) fn next_at(&self) -> Option<Timestamp> {
        self.outbox.front().map(|event| event.at)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn edition(&self) -> &'static str {
        self.edition
    }

    /// Rounds that were played.
    pub(crate) fn rounds(&self) -> u64 {
        self.rounds
    }

    pub(crate) fn clock(&self) -> i64 {
        self.clock
    }

    /// Plays a round; with a fault if one is asked for and the round has room for it, and one that lasts
    /// as strong as it is asked for.
    pub(crate) fn play(
        &mut self,
        rulebook: &Rulebook,
        meters: &mut Meters,
        fault: Option<FaultKind>,
        per_mille: u32,
    ) -> Result<(), FloorError> {
        self.rounds += 1;
        let round = format!("{}-{:06}", self.name, self.rounds);
        let fault = fault.filter(|kind| self.has_room(*kind));
        let fault = fault.filter(|_| !self.leaves_house());
        self.accepted = fault.filter(|kind| match kind {
            FaultKind::UnevenTables => self.leave_house(),
            FaultKind::ShortOpenings => self.open_shortly(),
            kind if is_of_papers(*kind) => self.err(*kind, &round),
            kind => is_of_money(*kind) && self.plan(*kind),
        });
        let mut label = match fault {
            Some(kind) if is_of_notices(kind) => self.surprise(kind, rulebook, &round),
            Some(kind) if kind.is_statistical() => self.begin(kind, per_mille, &round),
            Some(FaultKind::ReopenedOtherwise) => self.open_otherwise(&round),
            _ => None,
        };
        let fault = fault.or_else(|| self.tempted());
        let noise = self.noises.next().filter(|_| fault.is_none());
        label = label.or(self.prepare(fault, &round));
        let seats = self.patrons.bettors(&self.name, &mut self.rng);
        self.tell_moves();
        let read_at = self.clock + READING;
        let shared = self.read_meters(meters, read_at);
        let mut dealt = self.game.round(&seats, &mut self.rng);
        if dealt.players.is_empty() {
            dealt.players = self.patrons.names(self.game_name);
        }
        self.buy_in(&dealt);
        if !shared.is_empty() {
            self.clock = self.clock.max(read_at);
        }

        if fault == Some(FaultKind::WrongPlay)
            && let Some(codes) = self.game.misplay(&mut dealt, &mut self.rng)
        {
            label = Some(self.label(FaultKind::WrongPlay, &round, None, Cents::ZERO, codes));
        }
        let mut options = self.options.clone();
        if let Value::Object(options) = &mut options {
            options.retain(|key, _| !self.game.of_play().contains(&key.as_str()));
        }
        let document = json!({"game": self.game_name, "edition": self.edition,
            "options": options, "wagers": dealt.wagers, "play": dealt.play});
        let settlement =
            rulebook
                .settle_value(&document)
                .map_err(|refusal| FloorError::Refused {
                    game: self.game_name,
                    refusal,
                })?;
        if fault == Some(FaultKind::SwitchedDice) {
            label = self.switch_dice(&round, &mut dealt);
        }
        let mut switched = None;
        if let Some(kind) = fault.filter(|kind| is_of_cards(*kind))
            && let Some(code) = self.spoil_cards(kind, &mut dealt)
        {
            label = Some(self.label(kind, &round, None, Cents::ZERO, vec![code]));
            switched = Some(code);
        }
        let hides = fault == Some(FaultKind::VoidedPayment);
        let is_silent = fault == Some(FaultKind::DecidedVoid) && is_decided(&settlement);
        let is_off = hides || is_silent || noise == Some(Noise::CalledOff);
        let is_off = is_off && self.can_call_off(&dealt);
        let mut closing = match is_off {
            true => Vec::new(),
            false => self.game.settled(&dealt, &settlement),
        };
        let own = fault.filter(|kind| is_of_payment(*kind) || is_of_wager(*kind));
        let own = own.and_then(|kind| {
            let done = self
                .game
                .cheat(kind, &mut dealt, &mut closing, &mut self.rng);
            done.map(|(amount, codes)| self.label(kind, &round, None, amount, codes))
        });
        let cheated = own.is_some();
        label = own.or(label);
        let defers = self.options["vigorish_collection"] == "deferred";
        let mut payments = payments(&dealt, &settlement, defers);
        let awards = awards(&payments);
        self.game.arrange(&dealt, &mut payments);
        let mut fees = fees(&dealt, &settlement);
        if noise == Some(Noise::Corrected) {
            self.noises.correct(&dealt, &mut payments);
        }
        if is_off {
            payments.clear();
        }
        let misread = match noise {
            // In the poker room a stake is an act in turn, not a stack that waits for the deal.
            Some(Noise::Misread) if settlement.pots().is_none() => self.noises.misread(&dealt),
            _ => None,
        };
        if let Some(kind) = fault.filter(|kind| is_of_payment(*kind) && label.is_none()) {
            label = self.mispay(kind, &round, &dealt, &settlement, &mut payments, &mut fees);
        }
        if let Some(kind) = fault.and_then(hidden)
            && let Some(done) =
                self.mispay(kind, &round, &dealt, &settlement, &mut payments, &mut fees)
        {
            label = fault.map(|kind| Label { kind, ..done });
        }
        if fault == Some(FaultKind::WrongBonus) {
            label = self.misread_row(rulebook, &round, &dealt, &settlement, &mut payments);
        }
        if fault == Some(FaultKind::TamperedMeter) {
            label = self.move_meter(&round, &dealt, &settlement, &mut closing);
        }
        let marked = match defers {
            true => self.mark(&round, &settlement, &payments),
            false => Cents::ZERO,
        };
        let first = self.seq + 1;
        let opened_at = self.clock;
        let opened = RoundOpened {
            shoe: self.game.shoe(),
            banker: dealt.banker,
            meters: dealt.meters.clone(),
            set: self.day.last_cards(),
            dice_set: self.day.last_dice(),
            ..RoundOpened::default()
        };
        self.send(Some(&round), opened.into());
        if fault == Some(FaultKind::UnknownWager) {
            label = self.slip_in(&round, &dealt);
        }
        if fault == Some(FaultKind::Reopened) {
            label = Some(self.open_again(&round));
        }
        if fault == Some(FaultKind::UnseenCard) && blind(&mut dealt) {
            let codes = vec!["deal.card_unseen"];
            label = Some(self.label(FaultKind::UnseenCard, &round, None, Cents::ZERO, codes));
        }
        let is_paid = !payments.is_empty();
        if fault == Some(FaultKind::UntoldResult) && is_paid && conceal(&mut dealt) {
            let codes = vec!["round.unsettled"];
            label = Some(self.label(FaultKind::UntoldResult, &round, None, Cents::ZERO, codes));
        }
        self.bet_and_deal(&round, &dealt, &payments, &fees, misread);
        let calls = self.game.announces();
        if let Some(kind) = fault.filter(|kind| is_of_wager(*kind) && calls && !cheated) {
            label = self.tamper(kind, &round, &dealt, &settlement);
        }
        if noise == Some(Noise::Disputed) {
            self.dispute(&round, &dealt);
        }
        if fault == Some(FaultKind::ExcusedLoser) && label.is_some() {
            self.excuse(&round);
        }
        let played = dealt.events.len();
        for (after, payment) in payments {
            if after >= played {
                self.send(Some(&round), payment);
            }
        }
        for payment in closing {
            self.send(Some(&round), payment);
        }
        if is_off {
            if hides {
                label = self.pay_before_void(&round, &dealt);
            }
            if is_silent {
                let codes = vec!["round.decided_void"];
                let kind = FaultKind::DecidedVoid;
                label = Some(self.label(kind, &round, None, Cents::ZERO, codes));
            }
            self.call_off(&round, &dealt, is_silent);
        } else {
            let hidden = fault.and_then(|kind| self.hide(kind, &round, &dealt));
            label = label.or(hidden);
            if !is_left_open(label.as_ref()) {
                self.send(Some(&round), RoundClosed { reason: None }.into());
            }
        }
        if let Some(kind @ (FaultKind::OtherName | FaultKind::OtherProperty)) = fault {
            label = Some(self.under_another_name(kind, &round));
        }
        if fault == Some(FaultKind::LateAct) {
            label = Some(self.give_back_late(&round));
        }
        if let Some(label) = label
            .as_mut()
            .filter(|label| label.kind == FaultKind::HiddenByGap)
            && self.lose_call(first)
        {
            label.codes = vec!["round.unjudged".to_owned()];
        }
        self.move_meters(meters, &shared, (&dealt, &settlement), &awards, is_off);
        if fault == Some(FaultKind::LateVoid) {
            label = Some(self.void_late(&round));
        }
        if let Some(noise @ (Noise::Repeated | Noise::Delayed)) = noise {
            self.rattle(noise, &round, first);
        }
        if let Some(kind) = fault.filter(|kind| is_of_feed(*kind)) {
            label = self.disturb(kind, &round, first);
        }
        if fault == Some(FaultKind::OverdueSet) {
            label = self.outstay(&round);
        }
        if !is_off {
            self.account(&dealt, &settlement);
            self.money.tray -= marked;
        }
        if fault == Some(FaultKind::ReopenedShort) {
            label = self.open_short(&round);
        }
        self.deal_under(&round, first, opened_at);
        self.was_honest = label.is_none();
        self.last_opened = opened_at;
        if let Some(mut label) = label {
            if label.seqs.is_empty() || label.kind == FaultKind::ForgedInspection {
                label.seqs.extend(first..=self.seq);
            }
            self.accepted = Some(label.kind);
            self.mischief.done(label.kind);
            // What was paid too much is gone, and what was not paid is still in the tray. Vigorish that is
            // owed was never in it, nor were the pots of the poker room.
            let is_owed = label
                .codes
                .iter()
                .any(|code| code == "vigorish.outstanding");
            if !is_owed && settlement.pots().is_none() {
                self.money.tray -= label.amount;
            }
            let shows = |event: &&Event| label.seqs.contains(&event.seq);
            if let Some(shown) = self.outbox.iter().find(shows) {
                label.at = shown.at;
            }
            let kind = label.kind;
            self.labels.push(label);
            if is_of_cards(kind) {
                // Nobody deals on with cards that showed a wrong one.
                self.clear("suspected_tampering");
            }
        }
        // A document cannot tell of a card that the shoe does not hold.
        self.last_document = (switched.is_none() && !is_off).then_some(document);
        self.clock += self.pause;
        Ok(())
    }

    /// What happens between rounds. A shoe that ends here may end with a card too few, or with vigorish
    /// that nobody collected: the label of that.
    fn prepare(&mut self, fault: Option<FaultKind>, round: &str) -> Option<Label> {
        let mut label = None;
        let mut forgotten = false;
        if fault == Some(FaultKind::Unshuffled) && self.game.deal_on() {
            let codes = vec!["deck.not_shuffled"];
            return Some(self.label(FaultKind::Unshuffled, round, None, Cents::ZERO, codes));
        }
        let forges = fault == Some(FaultKind::ForgedInspection);
        if forges {
            // What is inspected comes new.
            self.clear("damaged");
        }
        let first = self.seq + 1;
        for mut body in self.game.prepare(&mut self.rng) {
            if let Some(forged) = forges.then(|| self.forge(&mut body)).flatten() {
                let (Forged::Told(codes) | Forged::LeftOut(codes)) = &forged;
                let codes = codes.clone();
                let kind = FaultKind::ForgedInspection;
                label = Some(self.label(kind, round, None, Cents::ZERO, codes));
                if matches!(forged, Forged::LeftOut(_)) {
                    continue;
                }
            }
            match &mut body {
                Body::ShoeEnded(ended) => {
                    if let Some(kind) = fault.filter(|kind| is_of_shoe(*kind)) {
                        label = self.miscount(kind, ended, round);
                    }
                }
                Body::ShoeStarted(started) if fault == Some(FaultKind::ShallowCut) => {
                    label = self.cut_short(started, round);
                }
                Body::ShoeStarted(_) => {
                    let forgets = fault == Some(FaultKind::WrongCommission);
                    if let Some((_, wager, amount)) = self.collect_owed(forgets) {
                        let codes = vec!["vigorish.outstanding"];
                        let kind = FaultKind::WrongCommission;
                        label = Some(self.label(kind, round, Some(&wager), amount, codes));
                        forgotten = true;
                    }
                }
                _ => {}
            }
            let by_start = forgotten || fault == Some(FaultKind::ShallowCut);
            let shows = match body {
                Body::ShoeEnded(_) => !by_start,
                Body::ShoeStarted(_) => by_start,
                _ => false,
            };
            self.send(None, body);
            if let Some(label) = label.as_mut().filter(|_| shows && !forges) {
                label.seqs = vec![self.seq];
            }
        }
        if let Some(label) = label.as_mut().filter(|_| forges) {
            label.seqs = (first..=self.seq).collect();
        }
        label.or_else(|| self.misconduct(fault?, round))
    }

    /// A player conducts himself against the rules, and the house does not do what it has to.
    fn misconduct(&mut self, kind: FaultKind, round: &str) -> Option<Label> {
        let (told, codes) = self.game.misconduct(kind, &mut self.rng)?;
        let first = self.seq + 1;
        told.into_iter().for_each(|body| self.send(None, body));
        let mut label = self.label(kind, round, None, Cents::ZERO, codes);
        label.seqs = (first..=self.seq).collect();
        Some(label)
    }

    /// Notes the vigorish of the round that is collected later, and gives its sum.
    fn mark(&mut self, round: &str, settlement: &Settlement, payments: &[(usize, Body)]) -> Cents {
        let mut sum = Cents::ZERO;
        for settled in settlement.wagers() {
            let is_unpaid = |body: &Body| match body {
                Body::WagerPaid(paid) => {
                    paid.wager == settled.id.as_str() && paid.commission.is_none()
                }
                _ => false,
            };
            let is_won = settled.result == Verdict::Win && settled.commission.is_positive();
            if is_won && payments.iter().any(|(_, body)| is_unpaid(body)) {
                let marker = (round.to_owned(), settled.id.to_string(), settled.commission);
                self.owed.push(marker);
                sum += settled.commission;
            }
        }
        sum
    }

    /// Collects the vigorish that is owed; one of it not, if the dealer forgets.
    fn collect_owed(&mut self, forgets: bool) -> Option<(String, String, Cents)> {
        let mut owed = std::mem::take(&mut self.owed);
        let forgotten = if forgets { owed.pop() } else { None };
        for (round, wager, amount) in owed {
            self.money.tray += amount;
            let collected = CommissionCollected {
                wager,
                amount,
                ..CommissionCollected::default()
            };
            self.send(Some(&round), collected.into());
        }
        forgotten
    }

    /// The wagers, the call, the play, and what is paid while it goes on.
    fn bet_and_deal(
        &mut self,
        round: &str,
        dealt: &Dealt,
        payments: &[(usize, Body)],
        fees: &BTreeMap<usize, Cents>,
        misread: Option<(usize, Cents)>,
    ) {
        for body in &dealt.before {
            self.send(Some(round), body.clone());
        }
        let added: Vec<usize> = dealt.added.iter().map(|&(index, _)| index).collect();
        for (index, wager) in dealt.wagers.iter().enumerate() {
            if added.contains(&index) || dealt.carried.contains(&index) {
                continue;
            }
            let mut placed = dealt.placed(wager);
            let reread = misread.filter(|(misread, _)| *misread == index);
            let reread = reread.map(|(_, seen)| {
                let right = self.reread(&placed.wager, placed.amount);
                placed.amount = seen;
                right
            });
            self.send(Some(round), placed.into());
            if let Some(right) = reread {
                self.send(Some(round), right);
            }
        }
        let played = dealt.events.len();
        for count in 0..=played {
            if self.game.announces() && count == dealt.before_call {
                self.send(Some(round), BettingClosed { window: None }.into());
            }
            for (_, payment) in payments
                .iter()
                .filter(|&&(after, _)| after == count && after < played)
            {
                self.send(Some(round), payment.clone());
            }
            for &(index, _) in dealt.added.iter().filter(|&&(_, after)| after == count) {
                let mut placed = dealt.placed(&dealt.wagers[index]);
                let wager = placed.wager.clone();
                let made_good = dealt.made_good.get(&index).map(|&first| {
                    let whole = std::mem::replace(&mut placed.amount, first);
                    self.reread(&wager, whole)
                });
                self.send(Some(round), placed.into());
                if let Some(whole) = made_good {
                    self.send(Some(round), whole);
                }
                if let Some(&amount) = fees.get(&index) {
                    let seat = seat_and_amount(&dealt.wagers[index]).0;
                    let collected = CommissionCollected {
                        wager,
                        amount,
                        player: dealt.players.get(&seat).cloned(),
                    };
                    self.send(Some(round), collected.into());
                }
            }
            if let Some(body) = dealt.events.get(count) {
                self.send(Some(round), body.clone());
            }
        }
    }

    /// The table closes for good, unless it is closed already.
    pub(crate) fn close(&mut self) {
        if self.day.is_closed {
            return;
        }
        self.collect_owed(false);
        self.patrons.go_home();
        self.tell_moves();
        let closing_inventory = self.tell_tray();
        let closing_inventory = self.take_a_little(closing_inventory);
        let closing_inventory = self.tell_closer(closing_inventory);
        let closed = TableClosed {
            closing_inventory,
            slip: Some(format!("{}-X{}", self.name, self.seq + 1)),
            denominations: money::chips(closing_inventory),
            by: Some(Person::new(self.dealer(), Role::Dealer)),
            witness: person("f-1", Role::Floorperson),
            reason: Some("end of the day".to_owned()),
        };
        self.send(None, closed.into());
        self.signs.take_down();
        self.stay_in_house();
        self.count_drop();
    }

    /// The floor closes: nothing is on its way any more.
    pub(crate) fn end(&mut self) {
        self.close();
        self.send_stale(true);
        self.give_up_lost();
    }

    fn send(&mut self, round: Option<&str>, mut body: Body) {
        self.seq += 1;
        self.mischief.see(self.seq, &mut body);
        self.clock += self.rng.random_range(50_000..900_000);
        self.wait_out();
        self.day.note(&body);
        self.misplace(&mut body);
        self.money.see(&body, self.game_name);
        self.outbox.push_back(Event {
            id: format!("{:08x}-{}-{:08}", self.seed, self.name, self.seq),
            property: self.property.clone(),
            table: self.name.clone(),
            seq: self.seq,
            at: Timestamp::from_micros(self.clock),
            source: source_of(&body, &self.name),
            round: round.map(str::to_owned),
            body,
            shift: Some(self.day.shift().to_owned()),
            received_at: None,
        });
        self.send_stale(false);
    }

    fn label(
        &self,
        kind: FaultKind,
        round: &str,
        wager: Option<&str>,
        amount: Cents,
        codes: Vec<&'static str>,
    ) -> Label {
        Label {
            kind,
            property: self.property.clone(),
            table: self.name.clone(),
            game: self.game_name.to_owned(),
            round: round.to_owned(),
            wager: wager.map(str::to_owned),
            at: Timestamp::from_micros(self.clock),
            amount,
            seqs: Vec::new(),
            codes: codes.into_iter().map(str::to_owned).collect(),
            strength_per_mille: None,
        }
    }
}

/// What is paid wrongly under cover of something else.
fn hidden(kind: FaultKind) -> Option<FaultKind> {
    match kind {
        FaultKind::ExcusedLoser => Some(FaultKind::Uncollected),
        FaultKind::HiddenByGap | FaultKind::LeftOpen => Some(FaultKind::Overpaid),
        _ => None,
    }
}

/// Is this what was done in a round that nobody closes?
fn is_left_open(label: Option<&Label>) -> bool {
    label.is_some_and(|label| label.kind == FaultKind::LeftOpen)
}

/// Was anything won or lost?
fn is_decided(settlement: &Settlement) -> bool {
    let mut wagers = settlement.wagers().iter();
    wagers.any(|settled| match settled.result {
        Verdict::Lose => settled.returned == Cents::ZERO,
        Verdict::Win => settled.win.is_positive(),
        _ => false,
    })
}

/// What it is laid on.
fn wager_kind(wager: &Value) -> &str {
    wager["kind"].as_str().unwrap_or_default()
}

/// Who tells of an event: departments of what they do, surveillance of its own inspections, devices of the
/// rest.
fn source_of(body: &Body, table: &str) -> Source {
    let watches = |inspected: &TilesInspected| {
        let by = inspected.by.as_ref();
        by.is_some_and(|by| by.role == Role::Surveillance)
    };
    let (kind, id) = match body {
        Body::TilesInspected(inspected) if watches(inspected) => {
            (SourceKind::Surveillance, "surveillance")
        }
        Body::Fill(_)
        | Body::Credit(_)
        | Body::CashOut(_)
        | Body::MarkerIssued(_)
        | Body::MarkerRedeemed(_) => (SourceKind::Cage, "cage"),
        Body::DropBoxRemoved(_) | Body::DropBoxAttached(_) => (SourceKind::Security, "security"),
        Body::DropCounted(_) | Body::DropBoxReceived(_) | Body::FundCounted(_) => {
            (SourceKind::CountRoom, "count-room")
        }
        Body::SlipFiled(_) => (SourceKind::Accounting, "accounting"),
        Body::FloorRegistered(_) => (SourceKind::System, "floor"),
        Body::NoticePosted(_)
        | Body::RulesChanged(_)
        | Body::LimitsChanged(_)
        | Body::SlipRequested(_)
        | Body::SupervisorAssigned(_)
        | Body::PatronSeated(_)
        | Body::PatronLeft(_) => (SourceKind::Supervisor, "f-1"),
        _ => {
            return Source {
                kind: SourceKind::Device,
                id: format!("{table}-reader"),
            };
        }
    };
    Source {
        kind,
        id: id.to_owned(),
    }
}

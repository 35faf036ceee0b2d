//! A table: it opens, plays rounds, pays, closes, and its chips add up.

use std::collections::{BTreeMap, VecDeque};

use catwalk_events::body::{
    BettingClosed, Body, BuyIn, BuyInForm, CardBurned, CardRevealed, CommissionCollected,
    DropBoxRemoved, DropCounted, Fill, RoundClosed, RoundOpened, TableClosed, TableOpened,
    WagerChanged, WagerCollected, WagerPaid, WagerPlaced, WagerPushed,
};
use catwalk_events::{Event, Json, Person, PostedLimit, Role, Source, SourceKind, Timestamp};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Rulebook, Settled, Settlement, Verdict};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::fault::{FaultKind, Label};
use crate::floor::FloorError;
use crate::games::{Dealt, GameSim};

const OPENING_INVENTORY: Cents = Cents::new(10_000_000);
const FILL: Cents = Cents::new(5_000_000);
/// A fill is ordered when the tray falls below this.
const LOW_TRAY: Cents = Cents::new(2_500_000);

/// One table of the floor.
pub(crate) struct Table {
    property: String,
    name: String,
    game_name: &'static str,
    game: Box<dyn GameSim>,
    rng: ChaCha8Rng,
    seed: u64,
    seq: u64,
    clock: i64,
    edition: &'static str,
    options: Value,
    rounds: u64,
    tray: Cents,
    drop: Cents,
    fills: u64,
    /// Chips of the patrons, by seat.
    bankrolls: BTreeMap<u32, Cents>,
    pub(crate) outbox: VecDeque<Event>,
    pub(crate) labels: Vec<Label>,
    /// The document of the last round and whether it was dealt and paid honestly.
    pub(crate) last_document: Option<Value>,
}

impl Table {
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn open(
        property: &str,
        number: usize,
        game_name: &'static str,
        mut game: Box<dyn GameSim>,
        mut rng: ChaCha8Rng,
        seed: u64,
        clock: i64,
    ) -> Table {
        let (edition, options) = game.open(&mut rng);
        let mut table = Table {
            property: property.to_owned(),
            name: format!("{}-{number:02}", game.sign()),
            game_name,
            game,
            rng,
            seed,
            seq: 0,
            clock,
            edition,
            options,
            rounds: 0,
            tray: OPENING_INVENTORY,
            drop: Cents::ZERO,
            fills: 0,
            bankrolls: BTreeMap::new(),
            outbox: VecDeque::new(),
            labels: Vec::new(),
            last_document: None,
        };
        let opened = TableOpened {
            game: game_name.to_owned(),
            edition: edition.to_owned(),
            options: Json::new(&table.options),
            limits: Vec::<PostedLimit>::new(),
            opening_inventory: OPENING_INVENTORY,
            dealer: format!("d-{}", 100 + number),
            positions: None,
            wheel: None,
            tournament: None,
            trial: None,
        };
        table.send(None, opened.into());
        table
    }

    /// The moment of the next event to go out.
    pub(crate) fn next_at(&self) -> Option<Timestamp> {
        self.outbox.front().map(|event| event.at)
    }

    pub(crate) fn clock(&self) -> i64 {
        self.clock
    }

    /// Plays a round; with a fault if one is asked for and the round has room for it.
    pub(crate) fn play(
        &mut self,
        rulebook: &Rulebook,
        fault: Option<FaultKind>,
    ) -> Result<(), FloorError> {
        let short = self.prepare(fault == Some(FaultKind::MissingCard));
        self.rounds += 1;
        let round = format!("{}-{:06}", self.name, self.rounds);
        let mut seats: Vec<u32> = (1..=6).collect();
        seats.shuffle(&mut self.rng);
        seats.truncate(self.rng.random_range(1..=4));
        seats.sort_unstable();
        let mut dealt = self.game.round(&seats, &mut self.rng);
        self.buy_in(&dealt)?;

        let mut label = short.map(|seq| {
            let codes = vec!["deck.missing_card"];
            let mut label = self.label(FaultKind::MissingCard, &round, None, Cents::ZERO, codes);
            label.seqs = vec![seq];
            label
        });
        if fault == Some(FaultKind::WrongPlay)
            && let Some(codes) = self.game.misplay(&mut dealt, &mut self.rng)
        {
            label = Some(self.label(FaultKind::WrongPlay, &round, None, Cents::ZERO, codes));
        }
        let document = json!({"game": self.game_name, "edition": self.edition,
            "options": self.options, "wagers": dealt.wagers, "play": dealt.play});
        let settlement =
            rulebook
                .settle(&document.to_string())
                .map_err(|refusal| FloorError::Refused {
                    game: self.game_name,
                    refusal,
                })?;
        let mut switched = None;
        if let Some(kind) = fault.filter(|kind| is_of_cards(*kind))
            && let Some(code) = self.spoil_cards(kind, &mut dealt)
        {
            label = Some(self.label(kind, &round, None, Cents::ZERO, vec![code]));
            switched = Some(code);
        }
        let mut tampering = None;
        if let Some(kind) = fault.filter(|kind| is_of_wager(*kind)) {
            tampering = self.tamper(kind, &round, &mut dealt, &settlement);
        }
        let mut payments = payments(&dealt, &settlement);
        let mut fees = fees(&dealt, &settlement);
        if let Some(kind) = fault.filter(|kind| is_of_payment(*kind)) {
            label = self.mispay(kind, &round, &dealt, &settlement, &mut payments, &mut fees);
        }
        let first = self.seq + 1;
        let opened = RoundOpened {
            shoe: self.game.shoe(),
            banker: dealt.banker,
            meters: dealt.meters.clone(),
        };
        self.send(Some(&round), opened.into());
        self.bet_and_deal(&round, &dealt, &payments, &fees);
        if let Some((bodies, tampered)) = tampering {
            for body in bodies {
                self.send(Some(&round), body);
            }
            label = Some(tampered);
        }
        let played = dealt.events.len();
        for (after, payment) in payments {
            if after >= played {
                self.send(Some(&round), payment);
            }
        }
        for payment in self.game.settled(&dealt, &settlement) {
            self.send(Some(&round), payment);
        }
        self.send(Some(&round), RoundClosed { reason: None }.into());
        if let Some(kind) = fault.filter(|kind| is_of_feed(*kind)) {
            label = self.disturb(kind, &round, first);
        }
        if let Some(mut label) = label {
            if label.seqs.is_empty() {
                label.seqs = (first..=self.seq).collect();
            }
            self.labels.push(label);
        }
        // A document cannot tell of a card that the shoe does not hold.
        self.last_document = switched.is_none().then_some(document);
        self.account(&dealt, &settlement);
        self.clock += 20_000_000;
        Ok(())
    }

    /// What happens between rounds; `short`: a shoe that ends here ends with a card too few. The event
    /// that shows it.
    fn prepare(&mut self, short: bool) -> Option<u64> {
        let mut shown = None;
        for mut body in self.game.prepare(&mut self.rng) {
            if let Body::ShoeEnded(ended) = &mut body
                && let Some(remaining) = ended.remaining.as_mut().filter(|left| short && **left > 0)
            {
                *remaining -= 1;
                shown = Some(self.seq + 1);
            }
            self.send(None, body);
        }
        shown
    }

    /// The wagers, the call, the play, and what is paid while it goes on.
    fn bet_and_deal(
        &mut self,
        round: &str,
        dealt: &Dealt,
        payments: &[(usize, Body)],
        fees: &BTreeMap<usize, Cents>,
    ) {
        let added: Vec<usize> = dealt.added.iter().map(|&(index, _)| index).collect();
        for (index, wager) in dealt.wagers.iter().enumerate() {
            if !added.contains(&index) && !dealt.carried.contains(&index) {
                self.send(Some(round), placed(wager).into());
            }
        }
        if self.game.announces() {
            self.send(Some(round), BettingClosed { window: None }.into());
        }
        let played = dealt.events.len();
        for count in 0..=played {
            for (_, payment) in payments
                .iter()
                .filter(|&&(after, _)| after == count && after < played)
            {
                self.send(Some(round), payment.clone());
            }
            for &(index, _) in dealt.added.iter().filter(|&&(_, after)| after == count) {
                let placed = placed(&dealt.wagers[index]);
                let wager = placed.wager.clone();
                self.send(Some(round), placed.into());
                if let Some(&amount) = fees.get(&index) {
                    self.send(Some(round), CommissionCollected { wager, amount }.into());
                }
            }
            if let Some(body) = dealt.events.get(count) {
                self.send(Some(round), body.clone());
            }
        }
    }

    /// Exchanges a card on the table or lets one through that no deck of the game holds.
    fn spoil_cards(&mut self, kind: FaultKind, dealt: &mut Dealt) -> Option<&'static str> {
        let shown: Vec<usize> = (0..dealt.events.len())
            .filter(
                |&at| matches!(&dealt.events[at], Body::CardDealt(dealt) if dealt.card.is_some()),
            )
            .collect();
        let at = *shown.choose(&mut self.rng)?;
        let Body::CardDealt(victim) = dealt.events[at].clone() else {
            return None;
        };
        let (body, code): (Body, _) = match kind {
            FaultKind::SwitchedCard => {
                let is_same = |body: &&Body| {
                    matches!(body, Body::CardDealt(other) if other.to == victim.to
                        && other.seat == victim.seat && other.hand == victim.hand)
                };
                let index = dealt.events[..at].iter().filter(is_same).count();
                let other = if victim.card.as_deref() == Some("AS") {
                    "KH"
                } else {
                    "AS"
                };
                let revealed = CardRevealed {
                    to: victim.to,
                    seat: victim.seat,
                    hand: victim.hand,
                    index: u32::try_from(index).ok()?,
                    card: other.to_owned(),
                };
                (revealed.into(), "deck.switched_card")
            }
            _ => {
                let foreign = CardBurned {
                    card: Some("XX".to_owned()),
                    back: None,
                };
                (foreign.into(), "deck.foreign_card")
            }
        };
        insert_event(dealt, at + 1, body);
        Some(code)
    }

    /// The table closes: the drop box goes to the count room, the tray is counted.
    pub(crate) fn close(&mut self) {
        self.send(
            None,
            TableClosed {
                closing_inventory: self.tray,
            }
            .into(),
        );
        let r#box = format!("{}-box", self.name);
        self.send(
            None,
            DropBoxRemoved {
                r#box: r#box.clone(),
            }
            .into(),
        );
        let counted = DropCounted {
            r#box,
            cash: self.drop,
            counter_checks: None,
            coupons: None,
        };
        self.send(None, counted.into());
    }

    fn send(&mut self, round: Option<&str>, body: Body) {
        self.seq += 1;
        self.clock += self.rng.random_range(50_000..900_000);
        self.outbox.push_back(Event {
            id: format!("{:08x}-{}-{:08}", self.seed, self.name, self.seq),
            property: self.property.clone(),
            table: self.name.clone(),
            seq: self.seq,
            at: Timestamp::from_micros(self.clock),
            source: Source {
                kind: SourceKind::Device,
                id: format!("{}-reader", self.name),
            },
            round: round.map(str::to_owned),
            body,
        });
    }

    /// Patrons without enough chips buy in; the tray is filled when it runs low.
    fn buy_in(&mut self, dealt: &Dealt) -> Result<(), FloorError> {
        let mut staked: BTreeMap<u32, Cents> = BTreeMap::new();
        for wager in &dealt.wagers {
            let (seat, amount) = seat_and_amount(wager);
            *staked.entry(seat).or_default() += amount;
        }
        for (seat, stake) in staked {
            let has = self.bankrolls.get(&seat).copied().unwrap_or_default();
            if has < stake {
                let amount = stake.times(4);
                let form = BuyInForm::Cash;
                self.send(
                    None,
                    BuyIn {
                        seat: Some(seat),
                        amount,
                        form,
                    }
                    .into(),
                );
                self.tray -= amount;
                self.drop += amount;
                self.bankrolls.insert(seat, has + amount);
            }
        }
        while self.tray < LOW_TRAY {
            self.fills += 1;
            let slip = format!("{}-F{}", self.name, self.fills);
            self.send(
                None,
                Fill {
                    slip,
                    amount: FILL,
                    denominations: None,
                }
                .into(),
            );
            self.tray += FILL;
        }
        Ok(())
    }

    /// Chips that changed hands, as they should have.
    fn account(&mut self, dealt: &Dealt, settlement: &Settlement) {
        let wagers = dealt.wagers.iter().zip(settlement.wagers());
        for (index, (wager, settled)) in wagers.enumerate() {
            if settled.result == Verdict::Open {
                continue;
            }
            let (seat, amount) = seat_and_amount(wager);
            let mut gain = settled.returned - amount;
            if dealt.prepaid.contains(&index) {
                gain -= settled.commission;
            }
            self.tray -= gain;
            *self.bankrolls.entry(seat).or_default() += gain;
        }
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
            amount,
            seqs: Vec::new(),
            codes,
        }
    }

    /// Pays or takes wrongly.
    fn mispay(
        &mut self,
        kind: FaultKind,
        round: &str,
        dealt: &Dealt,
        settlement: &Settlement,
        payments: &mut Vec<(usize, Body)>,
        fees: &mut BTreeMap<usize, Cents>,
    ) -> Option<Label> {
        let suits = |settled: &&Settled| match kind {
            FaultKind::Overpaid | FaultKind::Underpaid | FaultKind::Unpaid => {
                settled.result == Verdict::Win && settled.win.get() > 100
            }
            FaultKind::WrongCommission => {
                let decided = matches!(settled.result, Verdict::Win | Verdict::Lose);
                decided && settled.commission.get() > 1
            }
            _ => settled.result == Verdict::Lose && settled.returned == Cents::ZERO,
        };
        let candidates: Vec<&Settled> = settlement.wagers().iter().filter(suits).collect();
        let victim = *candidates.choose(&mut self.rng)?;
        let id = victim.id.as_str();
        let index = dealt.wagers.iter().position(|wager| wager["id"] == id)?;
        let stake = seat_and_amount(&dealt.wagers[index]).1;
        let at = payments
            .iter()
            .position(|(_, body)| wager_of(body) == Some(id))?;
        let part = Cents::new(self.rng.random_range(1..=(victim.win.get() / 100).max(1)) * 50);
        let (amount, codes) = match (kind, &mut payments[at].1) {
            (FaultKind::Overpaid, Body::WagerPaid(paid)) => {
                paid.amount += part;
                (part, vec!["pay.over"])
            }
            (FaultKind::Underpaid, Body::WagerPaid(paid)) => {
                paid.amount -= part;
                (-part, vec!["pay.under"])
            }
            (FaultKind::Unpaid, _) => {
                payments.remove(at);
                (stake - victim.returned, vec!["pay.unpaid"])
            }
            (FaultKind::WrongCommission, _) if dealt.prepaid.contains(&index) => {
                let fee = fees.get_mut(&index)?;
                *fee = Cents::new(fee.get() / 2);
                (victim.commission - *fee, vec!["commission.wrong"])
            }
            (FaultKind::WrongCommission, Body::WagerPaid(paid)) => {
                let half = Cents::new(victim.commission.get() / 2);
                paid.commission = Some(half);
                (victim.commission - half, vec!["commission.wrong"])
            }
            (FaultKind::UnduePaid, body) => {
                *body = WagerPaid {
                    wager: id.to_owned(),
                    amount: stake,
                    commission: None,
                }
                .into();
                (stake.times(2), vec!["pay.undue"])
            }
            (FaultKind::Uncollected, _) => {
                payments.remove(at);
                (stake, vec!["pay.uncollected"])
            }
            _ => return None,
        };
        Some(self.label(kind, round, Some(id), amount, codes))
    }

    /// Adds, raises or lowers a wager when the outcome is known: what is to be sent after the play, if
    /// it is not in the play already.
    fn tamper(
        &mut self,
        kind: FaultKind,
        round: &str,
        dealt: &mut Dealt,
        settlement: &Settlement,
    ) -> Option<(Vec<Body>, Label)> {
        let wanted = if kind == FaultKind::Pinched {
            Verdict::Lose
        } else {
            Verdict::Win
        };
        let during = |index: usize| dealt.decided.iter().find(|&&(of, _)| of == index);
        let suits = |wager: &Value, index: usize| {
            let in_time = self.game.announces() || during(index).is_some();
            let plain = ["changes", "in_air"]
                .iter()
                .all(|key| wager.get(key).is_none());
            in_time && plain && wager["kind"] != "house_money_press"
        };
        let candidates: Vec<usize> = dealt
            .wagers
            .iter()
            .zip(settlement.wagers())
            .enumerate()
            .filter(|(index, (wager, due))| due.result == wanted && suits(wager, *index))
            .map(|(index, _)| index)
            .collect();
        let &index = candidates.choose(&mut self.rng)?;
        let wager = dealt.wagers[index].clone();
        let (seat, stake) = seat_and_amount(&wager);
        let by = Person {
            id: format!("p-{seat}"),
            role: Role::Dealer,
        };
        let id = wager["id"].as_str()?.to_owned();
        let change = |amount: Cents| -> Body {
            let wager = id.clone();
            WagerChanged { wager, amount, by }.into()
        };
        let (mut bodies, code) = match kind {
            FaultKind::PastPosted => {
                let mut late = wager.clone();
                late["id"] = json!("late");
                (vec![placed(&late).into()], "wager.late")
            }
            FaultKind::Capped => (vec![change(stake.times(2))], "wager.capped"),
            _ => (vec![change(Cents::new(stake.get() / 2))], "wager.pinched"),
        };
        let late = || "late".to_owned();
        let given_back = WagerPushed {
            wager: late(),
            amount: None,
        };
        let label = self.label(kind, round, Some(&id), Cents::ZERO, vec![code]);
        let Some(&(_, after)) = during(index).filter(|_| !self.game.announces()) else {
            if kind == FaultKind::PastPosted {
                // Taken back in time: the audit saw it all the same.
                bodies.push(given_back.into());
            }
            return Some((bodies, label));
        };
        // While the dice are in the air, where that was called, or else when they have come to rest.
        let before = after.checked_sub(2).and_then(|at| dealt.events.get(at));
        let called = matches!(before, Some(Body::BettingClosed(_)));
        if kind == FaultKind::PastPosted {
            let paid = WagerPaid {
                wager: late(),
                amount: stake,
                commission: None,
            };
            bodies.push(if called {
                given_back.into()
            } else {
                paid.into()
            });
        }
        for body in bodies.into_iter().rev() {
            insert_event(dealt, if called { after - 1 } else { after }, body);
        }
        Some((Vec::new(), label))
    }

    /// Loses, repeats or swaps events of the round on their way.
    fn disturb(&mut self, kind: FaultKind, round: &str, first: u64) -> Option<Label> {
        let of_round: Vec<usize> = (0..self.outbox.len())
            .filter(|&at| self.outbox[at].seq >= first)
            .collect();
        let at = *of_round.get(self.rng.random_range(1..of_round.len() - 1))?;
        let seq = self.outbox[at].seq;
        let code = match kind {
            FaultKind::LostEvent => {
                self.outbox.remove(at);
                "feed.gap"
            }
            FaultKind::RepeatedEvent => {
                self.outbox.insert(at, self.outbox[at].clone());
                "feed.duplicate"
            }
            _ => {
                self.outbox.swap(at, at + 1);
                "feed.reordered"
            }
        };
        let mut label = self.label(kind, round, None, Cents::ZERO, vec![code]);
        label.seqs = vec![seq];
        Some(label)
    }
}

fn is_of_payment(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::Overpaid
            | FaultKind::Underpaid
            | FaultKind::Unpaid
            | FaultKind::UnduePaid
            | FaultKind::Uncollected
            | FaultKind::WrongCommission
    )
}

fn is_of_cards(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::SwitchedCard | FaultKind::ForeignCard)
}

fn is_of_wager(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::PastPosted | FaultKind::Capped | FaultKind::Pinched
    )
}

fn is_of_feed(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::LostEvent | FaultKind::RepeatedEvent | FaultKind::SwappedEvents
    )
}

fn seat_and_amount(wager: &Value) -> (u32, Cents) {
    let seat = wager["seat"]
        .as_u64()
        .and_then(|seat| u32::try_from(seat).ok());
    (
        seat.unwrap_or_default(),
        Cents::new(wager["amount"].as_i64().unwrap_or_default()),
    )
}

/// The event of a wager: what the document has beside the common keys goes into its detail.
fn placed(wager: &Value) -> WagerPlaced {
    let text = |key: &str| wager[key].as_str().map(str::to_owned);
    // When it was made and lowered, other events tell.
    let common = [
        "id", "seat", "kind", "amount", "on", "placed", "changes", "point", "made",
    ];
    let detail: serde_json::Map<String, Value> = wager
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, _)| !common.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let (seat, amount) = seat_and_amount(wager);
    WagerPlaced {
        wager: text("id").unwrap_or_default(),
        seat,
        player: None,
        kind: text("kind").unwrap_or_default(),
        amount,
        on: text("on"),
        detail: (!detail.is_empty()).then(|| Json::new(&Value::Object(detail))),
        form: None,
        colour: None,
    }
}

/// What an honest dealer does: losers are collected first, then winners are paid; each after so much
/// of the play.
fn payments(dealt: &Dealt, settlement: &Settlement) -> Vec<(usize, Body)> {
    let decided = || dealt.wagers.iter().zip(settlement.wagers()).enumerate();
    let after = |index: usize| {
        let during = dealt.decided.iter().find(|&&(of, _)| of == index);
        during.map_or(dealt.events.len(), |&(_, after)| after)
    };
    let lost = decided().filter(|(_, (_, settled))| settled.result == Verdict::Lose);
    let collected = lost.map(|(index, (wager, settled))| {
        let kept = seat_and_amount(wager).1 - settled.returned;
        let collected = WagerCollected {
            wager: settled.id.to_string(),
            amount: (settled.returned != Cents::ZERO).then_some(kept),
        };
        (after(index), collected.into())
    });
    let paid = decided().filter_map(|(index, (wager, settled))| {
        let id = settled.id.to_string();
        let charged = settled.commission != Cents::ZERO && !dealt.prepaid.contains(&index);
        let body: Body = match settled.result {
            Verdict::Win => WagerPaid {
                wager: id,
                amount: settled.win,
                commission: charged.then_some(settled.commission),
            }
            .into(),
            Verdict::Push | Verdict::Void => {
                let whole = settled.returned == seat_and_amount(wager).1;
                let amount = (!whole).then_some(settled.returned);
                WagerPushed { wager: id, amount }.into()
            }
            Verdict::Lose | Verdict::Open => return None,
        };
        Some((after(index), body))
    });
    collected.chain(paid).collect()
}

/// Vigorish that is paid when the wager is made, by wager.
fn fees(dealt: &Dealt, settlement: &Settlement) -> BTreeMap<usize, Cents> {
    let prepaid = dealt
        .prepaid
        .iter()
        .filter(|index| !dealt.carried.contains(index));
    let fee = |&index: &usize| {
        let settled = settlement.wagers().get(index)?;
        let due = settled
            .commission
            .is_positive()
            .then_some(settled.commission);
        due.map(|due| (index, due))
    };
    prepaid.filter_map(fee).collect()
}

/// Puts an event into the play; what was to follow later still does.
pub(crate) fn insert_event(dealt: &mut Dealt, at: usize, body: Body) {
    dealt.events.insert(at, body);
    let later = dealt.added.iter_mut().chain(&mut dealt.decided);
    later
        .filter(|(_, after)| *after >= at)
        .for_each(|(_, after)| *after += 1);
}

fn wager_of(body: &Body) -> Option<&str> {
    match body {
        Body::WagerPaid(paid) => Some(&paid.wager),
        Body::WagerCollected(collected) => Some(&collected.wager),
        Body::WagerPushed(pushed) => Some(&pushed.wager),
        _ => None,
    }
}

//! A table: it opens, plays rounds, pays, closes, and its chips add up.

use std::collections::{BTreeMap, VecDeque};

use catwalk_events::body::{
    BettingClosed, Body, BuyIn, BuyInForm, CardBurned, CardRevealed, CommissionCollected,
    DropBoxRemoved, DropCounted, Fill, JackpotPaid, RoundClosed, RoundOpened, TableClosed,
    TableOpened, WagerChanged, WagerCollected, WagerPaid, WagerPlaced, WagerPushed,
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

/// The seat of the house's own wagers.
const HOUSE: u32 = 0;

/// Wagers that no player can slip in, raise or lower: the dealer makes them, or they stand for a role.
const NOT_BET: [&str; 4] = ["house_money_press", "bank", "dealer_vs_bank", "envy"];

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
    /// Vigorish that is collected before the next shoe: round, wager, amount.
    owed: Vec<(String, String, Cents)>,
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
            owed: Vec::new(),
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
        self.rounds += 1;
        let round = format!("{}-{:06}", self.name, self.rounds);
        let mut label = self.prepare(fault, &round);
        let mut seats: Vec<u32> = (1..=6).collect();
        seats.shuffle(&mut self.rng);
        seats.truncate(self.rng.random_range(1..=4));
        seats.sort_unstable();
        let mut dealt = self.game.round(&seats, &mut self.rng);
        self.buy_in(&dealt)?;

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
        let mut switched = None;
        if let Some(kind) = fault.filter(|kind| is_of_cards(*kind))
            && let Some(code) = self.spoil_cards(kind, &mut dealt)
        {
            label = Some(self.label(kind, &round, None, Cents::ZERO, vec![code]));
            switched = Some(code);
        }
        let defers = self.options["vigorish_collection"] == "deferred";
        let mut payments = payments(&dealt, &settlement, defers);
        self.game.arrange(&dealt, &mut payments);
        let mut closing = self.game.settled(&dealt, &settlement);
        let own = fault.filter(|kind| is_of_payment(*kind) || is_of_wager(*kind));
        let own = own.and_then(|kind| {
            let done = self.game.cheat(kind, &dealt, &mut closing, &mut self.rng);
            done.map(|(amount, codes)| self.label(kind, &round, None, amount, codes))
        });
        let cheated = own.is_some();
        label = own.or(label);
        if let Some(kind) = fault.filter(|kind| is_of_payment(*kind) && label.is_none()) {
            label = self.mispay(kind, &round, &dealt, &settlement, &mut payments);
        }
        if defers {
            self.mark(&round, &settlement, &payments);
        }
        let first = self.seq + 1;
        let opened = RoundOpened {
            shoe: self.game.shoe(),
            banker: dealt.banker,
            meters: dealt.meters.clone(),
        };
        self.send(Some(&round), opened.into());
        self.bet_and_deal(&round, &dealt, &payments);
        if let Some(kind) = fault.filter(|kind| is_of_wager(*kind) && !cheated) {
            label = self.tamper(kind, &round, &dealt, &settlement);
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
        self.send(Some(&round), RoundClosed { reason: None }.into());
        if let Some(kind) = fault.filter(|kind| is_of_feed(*kind)) {
            label = self.disturb(kind, &round, first);
        }
        if let Some(mut label) = label {
            if label.seqs.is_empty() {
                label.seqs = (first..=self.seq).collect();
            }
            let shows = |event: &&Event| label.seqs.contains(&event.seq);
            if let Some(shown) = self.outbox.iter().find(shows) {
                label.at = shown.at;
            }
            self.labels.push(label);
        }
        // A document cannot tell of a card that the shoe does not hold.
        self.last_document = switched.is_none().then_some(document);
        self.account(&dealt.wagers, &settlement);
        self.clock += 20_000_000;
        Ok(())
    }

    /// What happens between rounds. A shoe that ends here may end with a card too few, or with vigorish
    /// that nobody collected: the label of that.
    fn prepare(&mut self, fault: Option<FaultKind>, round: &str) -> Option<Label> {
        let mut label = None;
        let mut forgotten = false;
        for mut body in self.game.prepare(&mut self.rng) {
            match &mut body {
                Body::ShoeEnded(ended) if fault == Some(FaultKind::MissingCard) => {
                    if let Some(remaining) = ended.remaining.as_mut().filter(|left| **left > 0) {
                        *remaining -= 1;
                        let codes = vec!["deck.missing_card"];
                        let kind = FaultKind::MissingCard;
                        label = Some(self.label(kind, round, None, Cents::ZERO, codes));
                    }
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
            let shows = matches!(body, Body::ShoeEnded(_)) && !forgotten
                || matches!(body, Body::ShoeStarted(_)) && forgotten;
            self.send(None, body);
            if let Some(label) = label.as_mut().filter(|_| shows) {
                label.seqs = vec![self.seq];
            }
        }
        label
    }

    /// Notes the vigorish of the round that is collected later.
    fn mark(&mut self, round: &str, settlement: &Settlement, payments: &[(usize, Body)]) {
        for settled in settlement.wagers() {
            let is_unpaid = |body: &Body| matches!(body, Body::WagerPaid(paid) if paid.wager == settled.id.as_str() && paid.commission.is_none());
            let is_won = settled.result == Verdict::Win && settled.commission.is_positive();
            if is_won && payments.iter().any(|(_, body)| is_unpaid(body)) {
                let marker = (round.to_owned(), settled.id.to_string(), settled.commission);
                self.owed.push(marker);
            }
        }
    }

    /// Collects the vigorish that is owed; one of it not, if the dealer forgets.
    fn collect_owed(&mut self, forgets: bool) -> Option<(String, String, Cents)> {
        let mut owed = std::mem::take(&mut self.owed);
        let forgotten = if forgets { owed.pop() } else { None };
        for (round, wager, amount) in owed {
            let collected = CommissionCollected { wager, amount };
            self.send(Some(&round), collected.into());
        }
        forgotten
    }

    /// The wagers, the call, the play, and what is paid while it goes on.
    fn bet_and_deal(&mut self, round: &str, dealt: &Dealt, payments: &[(usize, Body)]) {
        for body in &dealt.before {
            self.send(Some(round), body.clone());
        }
        let added: Vec<usize> = dealt.added.iter().map(|&(index, _)| index).collect();
        for (index, wager) in dealt.wagers.iter().enumerate() {
            if !added.contains(&index) && !dealt.carried.contains(&index) {
                self.send(Some(round), dealt.placed(wager).into());
            }
        }
        self.send(Some(round), BettingClosed { window: None }.into());
        let played = dealt.events.len();
        for count in 0..=played {
            for (_, payment) in payments
                .iter()
                .filter(|&&(after, _)| after == count && after < played)
            {
                self.send(Some(round), payment.clone());
            }
            for &(index, _) in dealt.added.iter().filter(|&&(_, after)| after == count) {
                self.send(Some(round), dealt.placed(&dealt.wagers[index]).into());
            }
            if let Some(body) = dealt.events.get(count) {
                self.send(Some(round), body.clone());
            }
        }
    }

    /// Exchanges a card on the table or lets one through that no deck of the game holds.
    fn spoil_cards(&mut self, kind: FaultKind, dealt: &mut Dealt) -> Option<&'static str> {
        let is_named = |body: &Body| match body {
            Body::CardDealt(dealt) => dealt.card.is_some(),
            body => matches!(body, Body::CardRevealed(_)),
        };
        let named: Vec<usize> = (0..dealt.events.len())
            .filter(|&at| is_named(&dealt.events[at]))
            .collect();
        let at = *named.choose(&mut self.rng)?;
        let other = |card: &str| if card == "AS" { "KH" } else { "AS" }.to_owned();
        let (body, code): (Body, _) = match (kind, dealt.events[at].clone()) {
            (FaultKind::SwitchedCard, Body::CardDealt(victim)) => {
                let is_same = |body: &&Body| {
                    matches!(body, Body::CardDealt(other) if other.to == victim.to
                        && other.seat == victim.seat && other.hand == victim.hand)
                };
                let index = dealt.events[..at].iter().filter(is_same).count();
                let revealed = CardRevealed {
                    to: victim.to,
                    seat: victim.seat,
                    hand: victim.hand,
                    index: u32::try_from(index).ok()?,
                    card: other(&victim.card?),
                };
                (revealed.into(), "deck.switched_card")
            }
            (FaultKind::SwitchedCard, Body::CardRevealed(mut victim)) => {
                victim.card = other(&victim.card);
                (victim.into(), "deck.switched_card")
            }
            _ => {
                let foreign = CardBurned {
                    card: Some("XX".to_owned()),
                    back: None,
                };
                (foreign.into(), "deck.foreign_card")
            }
        };
        dealt.insert(at + 1, body);
        Some(code)
    }

    /// The table closes: the drop box goes to the count room, the tray is counted.
    pub(crate) fn close(&mut self) {
        self.collect_owed(false);
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
                kind: source_of(&body),
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
            // Who banks must have chips for all wagers.
            let covers = dealt.banker.filter(|_| seat != HOUSE);
            for seat in [Some(seat), covers.filter(|bank| *bank != seat)] {
                *staked.entry(seat.unwrap_or(HOUSE)).or_default() += amount;
            }
        }
        staked.remove(&HOUSE);
        let short = |(seat, stake): (u32, Cents)| {
            let has = self.bankrolls.get(&seat).copied().unwrap_or_default();
            (has < stake).then(|| (seat, stake.times(4)))
        };
        let wanted = self.game.buy_ins();
        let wanted = wanted.unwrap_or_else(|| staked.into_iter().filter_map(short).collect());
        for (seat, amount) in wanted {
            let bought = BuyIn {
                seat: Some(seat),
                amount,
                form: BuyInForm::Cash,
            };
            self.send(None, bought.into());
            self.tray -= amount;
            self.drop += amount;
            *self.bankrolls.entry(seat).or_default() += amount;
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
    fn account(&mut self, wagers: &[Value], settlement: &Settlement) {
        // Rake and time charges go into the drop box of a poker table.
        if let Some(pots) = settlement.pots() {
            let time = pots.time_charges.iter().map(|charge| charge.amount);
            self.drop += pots.rake + time.sum::<Cents>();
        }
        let beside: Cents = settlement.bonuses().iter().map(|bonus| bonus.amount).sum();
        self.tray -= beside;
        for (wager, settled) in wagers.iter().zip(settlement.wagers()) {
            let (seat, amount) = seat_and_amount(wager);
            // What the house wagers against a bank leaves the tray with the bank's share.
            if settled.result == Verdict::Open || seat == HOUSE {
                continue;
            }
            let gain = settled.returned - amount;
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
            at: Timestamp::from_micros(self.clock),
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
    ) -> Option<Label> {
        let suits = |settled: &Settled| match kind {
            FaultKind::Overpaid | FaultKind::Underpaid | FaultKind::Unpaid => {
                settled.result == Verdict::Win && settled.win.get() > 100
            }
            FaultKind::WrongCommission => {
                settled.result == Verdict::Win && settled.commission.get() > 1
            }
            _ => settled.result == Verdict::Lose && settled.returned == Cents::ZERO,
        };
        // A stake that lies in the house's box cannot be left on the table, nor can none at all.
        let boxed = |index: usize, wager: &Value| {
            let kept = self
                .game
                .keeps_stake(wager["kind"].as_str().unwrap_or_default());
            kind == FaultKind::Uncollected && (kept || dealt.lifted.contains(&index))
        };
        let candidates: Vec<&Settled> = dealt
            .wagers
            .iter()
            .zip(settlement.wagers())
            .enumerate()
            .filter(|(index, (wager, settled))| suits(settled) && !boxed(*index, wager))
            .map(|(_, pair)| pair)
            .filter(|(wager, settled)| {
                settled.result == Verdict::Win || seat_and_amount(wager).1.is_positive()
            })
            .map(|(_, settled)| settled)
            .collect();
        let victim = *candidates.choose(&mut self.rng)?;
        let id = victim.id.as_str();
        let stake = dealt
            .wagers
            .iter()
            .find(|wager| wager["id"] == id)
            .map(|wager| seat_and_amount(wager).1)?;
        let at = payments
            .iter()
            .rposition(|(_, body)| wager_of(body) == Some(id))?;
        let index = dealt.wagers.iter().position(|wager| wager["id"] == id);
        let is_lifted = index.is_some_and(|index| dealt.lifted.contains(&index));
        let mut part = Cents::new(self.rng.random_range(1..=(victim.win.get() / 100).max(1)) * 50);
        if is_lifted && part == stake {
            // A prize less its stake is a way to tell the prize.
            part = Cents::new(part.get() / 2);
        }
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
                let owed = match is_lifted {
                    true => victim.returned,
                    false => victim.win - victim.commission,
                };
                (-owed, vec!["pay.unpaid"])
            }
            (FaultKind::WrongCommission, Body::WagerPaid(paid)) => {
                let half = Cents::new((victim.commission.get() / 2).max(1));
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

    /// Adds, raises or lowers a wager when the outcome is known.
    fn tamper(
        &mut self,
        kind: FaultKind,
        round: &str,
        dealt: &Dealt,
        settlement: &Settlement,
    ) -> Option<Label> {
        let wanted = if kind == FaultKind::Pinched {
            Verdict::Lose
        } else {
            Verdict::Win
        };
        let is_bet = |wager: &Value| {
            let kind = wager["kind"].as_str();
            !kind.is_some_and(|kind| NOT_BET.contains(&kind))
        };
        let candidates: Vec<&Value> = dealt
            .wagers
            .iter()
            .zip(settlement.wagers())
            .filter(|(wager, settled)| settled.result == wanted && is_bet(wager))
            // A stake of nothing can be neither raised nor lowered.
            .filter(|(wager, _)| seat_and_amount(wager).1.is_positive())
            .map(|(wager, _)| wager)
            .collect();
        let wager = (*candidates.choose(&mut self.rng)?).clone();
        let (seat, stake) = seat_and_amount(&wager);
        let by = Person {
            id: format!("p-{seat}"),
            role: Role::Dealer,
        };
        let id = wager["id"].as_str()?.to_owned();
        let (body, code): (Body, _) = match kind {
            FaultKind::PastPosted => {
                let mut late = wager.clone();
                late["id"] = json!("late");
                let kind = wager["kind"].as_str().unwrap_or_default();
                (dealt.placed(&late).into(), self.game.late_code(kind))
            }
            FaultKind::Capped => {
                let amount = stake.times(2);
                (
                    WagerChanged {
                        wager: id.clone(),
                        amount,
                        by,
                    }
                    .into(),
                    "wager.capped",
                )
            }
            _ => {
                let amount = Cents::new(stake.get() / 2);
                (
                    WagerChanged {
                        wager: id.clone(),
                        amount,
                        by,
                    }
                    .into(),
                    "wager.pinched",
                )
            }
        };
        self.send(Some(round), body);
        let seq = self.seq;
        if kind == FaultKind::PastPosted {
            // Taken back in time: the audit saw it all the same.
            let pushed = WagerPushed {
                wager: "late".into(),
                amount: None,
            };
            self.send(Some(round), pushed.into());
        }
        // Where the game has a word of its own for a play wager out of time, that is said.
        let codes = match code {
            "wager.late" if wager["kind"] == "play" => vec![code, "wager.play_late"],
            _ => vec![code],
        };
        let mut label = self.label(kind, round, Some(&id), Cents::ZERO, codes);
        label.seqs = vec![seq];
        Some(label)
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

/// Surveillance reports its own inspections; devices tell the rest.
fn source_of(body: &Body) -> SourceKind {
    let by = match body {
        Body::TilesInspected(inspected) => inspected.by.as_ref(),
        _ => None,
    };
    match by {
        Some(by) if by.role == Role::Surveillance => SourceKind::Surveillance,
        _ => SourceKind::Device,
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

impl Dealt {
    /// The event of a wager: what the document has beside the common keys goes into its detail.
    fn placed(&self, wager: &Value) -> WagerPlaced {
        let text = |key: &str| wager[key].as_str().map(str::to_owned);
        let common = ["id", "seat", "kind", "amount", "on"];
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
            player: self.players.get(&seat).cloned(),
            kind: text("kind").unwrap_or_default(),
            amount,
            on: text("on"),
            detail: (!detail.is_empty()).then(|| Json::new(&Value::Object(detail))),
            form: None,
            colour: None,
        }
    }
}

/// What an honest dealer does: losers are collected first, then winners are paid; each after so much
/// of the play.
fn payments(dealt: &Dealt, settlement: &Settlement, defers_vigorish: bool) -> Vec<(usize, Body)> {
    let decided = || dealt.wagers.iter().zip(settlement.wagers()).enumerate();
    let after = |index: usize| {
        let during = dealt.decided.iter().find(|&&(of, _)| of == index);
        during.map_or(dealt.events.len(), |&(_, after)| after)
    };
    let stake = |wager: &Value| seat_and_amount(wager).1;
    let is_lifted = |index: usize| dealt.lifted.contains(&index);
    let lifted = decided().filter(|(index, _)| is_lifted(*index));
    let lifted = lifted.map(|(_, (_, settled))| (0, collected(settled, None)));
    let lost = decided().filter(|(_, (_, settled))| settled.result == Verdict::Lose);
    let lost = lost.filter(|(index, _)| !is_lifted(*index));
    let taken = lost.map(|(index, (wager, settled))| {
        // A bonus is paid beside a stake that is lost.
        let kept = stake(wager) + settled.win.max(Cents::ZERO) - settled.returned;
        let part = (kept != stake(wager)).then_some(kept);
        (after(index), collected(settled, part))
    });
    let given = decided().flat_map(|(index, (wager, settled))| {
        let id = settled.id.to_string();
        let whole = settled.returned - settled.win == stake(wager);
        let left = (!whole || is_lifted(index)).then_some(settled.returned - settled.win);
        let pushed = WagerPushed {
            wager: id.clone(),
            amount: left,
        };
        let paid = WagerPaid {
            wager: id,
            amount: settled.win,
            commission: (settled.commission != Cents::ZERO && !defers_vigorish)
                .then_some(settled.commission),
        };
        let bodies: Vec<Body> = match settled.result {
            Verdict::Win if is_lifted(index) => vec![prize(dealt, settled)],
            Verdict::Win => vec![paid.into()],
            Verdict::Push if settled.win.is_positive() => vec![pushed.into(), paid.into()],
            Verdict::Push | Verdict::Void => vec![pushed.into()],
            Verdict::Lose if settled.win.is_positive() => vec![paid.into()],
            Verdict::Lose | Verdict::Open => Vec::new(),
        };
        bodies.into_iter().map(move |body| (after(index), body))
    });
    lifted.chain(taken).chain(given).collect()
}

fn collected(settled: &Settled, amount: Option<Cents>) -> Body {
    let wager = settled.id.to_string();
    WagerCollected { wager, amount }.into()
}

/// All that is given on a wager whose chip was taken in. What comes from a meter is a jackpot.
fn prize(dealt: &Dealt, settled: &Settled) -> Body {
    let (wager, amount) = (settled.id.to_string(), settled.returned);
    let meters = dealt.meters.iter().flatten();
    match meters.min_by_key(|(_, reading)| **reading) {
        Some((meter, &reading)) if amount.times(10) >= reading => JackpotPaid {
            meter: meter.clone(),
            wager,
            amount,
            by: person("f-1", Role::Floorperson),
            witness: person("s-1", Role::Surveillance),
        }
        .into(),
        _ => WagerPaid {
            wager,
            amount,
            commission: None,
        }
        .into(),
    }
}

/// Somebody of the house, who sees to something.
pub(crate) fn person(id: &str, role: Role) -> Option<Person> {
    let id = id.to_owned();
    Some(Person { id, role })
}

/// The wager that is paid, taken or left.
pub(crate) fn wager_of(body: &Body) -> Option<&str> {
    match body {
        Body::WagerPaid(paid) => Some(&paid.wager),
        Body::WagerCollected(collected) => Some(&collected.wager),
        Body::WagerPushed(pushed) => Some(&pushed.wager),
        _ => None,
    }
}

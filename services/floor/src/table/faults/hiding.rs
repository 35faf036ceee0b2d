//! Ways to hide a payment: chips on bets that nobody made, an irregularity as an excuse, a number that is lost, a table
//! that opens again, a round under another name.

use catwalk_events::body::{
    BettingClosed, Body, CardDealt, CommissionCollected, Face, Irregularity, PotAwarded,
    RoundClosed, RoundOpened, TableOpened, WagerPaid, WagerPlaced, WagerPushed,
};
use catwalk_events::{Event, Json, Source, SourceKind, Timestamp};
use catwalk_rules::floor::Cents;
use rand::RngExt;
use rand::seq::IndexedRandom;
use serde_json::json;

use crate::fault::{FaultKind, Label};
use crate::games::Dealt;
use crate::table::Table;
use crate::table::money::chips;
use crate::table::payments::seat_and_amount;

/// What is moved for nothing, at most.
const MOST: i64 = 200;
/// No wager of the floor has one of these names.
const NOBODYS: &str = "w-none";
/// No game has bets of this kind.
const UNKNOWN: &str = "x";

impl Table {
    /// Before the bets: one of a kind that the game does not have.
    pub(in crate::table) fn slip_in(&mut self, round: &str, dealt: &Dealt) -> Option<Label> {
        let (seat, amount) = dealt.wagers.first().map(seat_and_amount)?;
        let amount = Cents::new(amount.get().max(500));
        let placed = of_unknown_kind(NOBODYS, seat, amount);
        self.send(Some(round), placed.into());
        let codes = vec!["wager.not_offered"];
        let label = self.label(
            FaultKind::UnknownWager,
            round,
            Some(NOBODYS),
            Cents::ZERO,
            codes,
        );
        Some(label)
    }

    /// When the round is paid: chips for nothing, a round that opens again, a table that does.
    pub(in crate::table) fn hide(
        &mut self,
        kind: FaultKind,
        round: &str,
        dealt: &Dealt,
    ) -> Option<Label> {
        let amount = Cents::new(self.rng.random_range(1..=MOST) * 500);
        let seat = dealt.wagers.first().map(|wager| seat_and_amount(wager).0)?;
        let wager = NOBODYS.to_owned();
        let (body, amount, code): (Body, _, _) = match kind {
            FaultKind::StrayPayment => {
                let paid = WagerPaid {
                    wager,
                    amount,
                    commission: None,
                };
                (paid.into(), amount, "pay.undue")
            }
            FaultKind::StrayPush => {
                let pushed = WagerPushed {
                    wager,
                    amount: Some(amount),
                };
                (pushed.into(), amount, "pay.undue")
            }
            FaultKind::StrayPot => {
                let awarded = PotAwarded {
                    pot: 0,
                    seat,
                    amount,
                };
                (awarded.into(), amount, "pay.undue")
            }
            FaultKind::OtherBanker => {
                let other = (1..=6).find(|seat| Some(*seat) != dealt.banker);
                let opened = RoundOpened {
                    shoe: self.game.shoe(),
                    banker: other,
                    ..RoundOpened::default()
                };
                (opened.into(), Cents::ZERO, "round.opened_twice")
            }
            FaultKind::StrayCommission => {
                let its = dealt.wagers.iter().find(|wager| {
                    let kind = wager["kind"].as_str().unwrap_or_default();
                    !self.game.keeps_stake(kind) && seat_and_amount(wager).1.is_positive()
                })?;
                let taken = CommissionCollected {
                    wager: its["id"].as_str()?.to_owned(),
                    amount,
                    ..CommissionCollected::default()
                };
                self.send(Some(round), taken.into());
                let codes = vec!["commission.wrong", "pay.under"];
                return Some(self.label(kind, round, None, -amount, codes));
            }
            FaultKind::UnknownWager => {
                let pushed = WagerPushed {
                    wager,
                    amount: None,
                };
                self.send(Some(round), pushed.into());
                return None;
            }
            _ => return None,
        };
        self.send(Some(round), body);
        Some(self.label(kind, round, None, amount, vec![code]))
    }

    /// A dispute is told, as if a dispute let a loser keep the stake.
    pub(in crate::table) fn excuse(&mut self, round: &str) {
        let kind = match self.game_name {
            "spanish_21" | "blackjack" | "free_bet_blackjack" => "round void",
            _ => "dispute",
        };
        let told = Irregularity {
            kind: kind.to_owned(),
            detail: None,
            ruling: "the stake goes back".to_owned(),
        };
        self.send(Some(round), told.into());
    }

    /// The call of no more bets is lost on its way, and with it the round is not judged. False where it had none.
    pub(in crate::table) fn lose_call(&mut self, first: u64) -> bool {
        let is_call =
            |event: &Event| event.seq >= first && matches!(event.body, Body::BettingClosed(_));
        let Some(at) = self.outbox.iter().position(is_call) else {
            return false;
        };
        if let Some(lost) = self.outbox.remove(at) {
            self.mischief.lose(lost.seq);
        }
        true
    }

    /// The table is opened again, with what is in its tray.
    pub(in crate::table) fn open_again(&mut self, round: &str) -> Label {
        let opened = self.opening();
        self.send(None, opened.into());
        let codes = vec!["table.reopened"];
        let mut label = self.label(FaultKind::Reopened, round, None, Cents::ZERO, codes);
        label.seqs = vec![self.seq];
        label
    }

    /// The table is opened again when a round is over, with less than is in its tray; not where nobody can know what is
    /// in it.
    pub(in crate::table) fn open_short(&mut self, round: &str) -> Option<Label> {
        if self.mischief.since.unclear {
            return None;
        }
        let missing = Cents::new(self.rng.random_range(1..=MOST) * 500);
        let mut opened = self.opening();
        opened.opening_inventory -= missing;
        // That would be its opening told again: it shows at the next count.
        if opened.opening_inventory == self.mischief.since.opened_with {
            return None;
        }
        opened.denominations = chips(opened.opening_inventory);
        self.send(None, opened.into());
        if self.game_name == "poker" {
            self.money.tray -= missing;
        }
        let codes = vec!["tray.opening"];
        let mut label = self.label(FaultKind::ReopenedShort, round, None, missing, codes);
        label.seqs = vec![self.seq];
        Some(label)
    }

    /// The table is opened again under other rules before a round, and once more under its own.
    pub(in crate::table) fn open_otherwise(&mut self, round: &str) -> Option<Label> {
        let posted = self.options.as_object()?.clone();
        let keys: Vec<&String> = posted.keys().collect();
        let mut other = posted.clone();
        other.remove(*keys.choose(&mut self.rng)?);
        for options in [other, posted] {
            let opened = TableOpened {
                options: Json::new(&options.into()),
                ..self.opening()
            };
            self.send(None, opened.into());
        }
        let codes = vec!["table.reopened", "rules.notice"];
        let mut label = self.label(
            FaultKind::ReopenedOtherwise,
            round,
            None,
            Cents::ZERO,
            codes,
        );
        label.seqs = vec![self.seq - 1, self.seq];
        Some(label)
    }

    /// Chips are given back on a bet that nobody made, when the round is over.
    pub(in crate::table) fn give_back_late(&mut self, round: &str) -> Label {
        let amount = Cents::new(self.rng.random_range(1..=MOST) * 500);
        let pushed = WagerPushed {
            wager: NOBODYS.to_owned(),
            amount: Some(amount),
        };
        self.send(Some(round), pushed.into());
        let codes = vec!["round.late_act"];
        let mut label = self.label(FaultKind::LateAct, round, None, amount, codes);
        label.seqs = vec![self.seq];
        label
    }

    /// A round is told of under the name of a table that never opened, or under that of this table in a property that
    /// nobody knows.
    pub(in crate::table) fn under_another_name(&mut self, kind: FaultKind, round: &str) -> Label {
        let (property, name) = match kind {
            FaultKind::OtherProperty => (
                format!("{}{}", self.property, self.rounds),
                self.name.clone(),
            ),
            _ => (
                self.property.clone(),
                format!("{}-X{}", self.name, self.rounds),
            ),
        };
        let amount = Cents::new(self.rng.random_range(1..=MOST) * 500);
        let placed = of_unknown_kind("w1", 1, amount);
        let paid = WagerPaid {
            wager: "w1".to_owned(),
            amount,
            commission: None,
        };
        let bodies: [Body; 5] = [
            RoundOpened::default().into(),
            placed.into(),
            BettingClosed { window: None }.into(),
            paid.into(),
            RoundClosed { reason: None }.into(),
        ];
        for (seq, body) in (1..).zip(bodies) {
            self.clock += 100_000;
            self.outbox.push_back(Event {
                id: format!("{:08x}-{property}-{name}-{seq:08}", self.seed),
                property: property.clone(),
                table: name.clone(),
                seq,
                at: Timestamp::from_micros(self.clock),
                source: Source {
                    kind: SourceKind::Device,
                    id: format!("{name}-reader"),
                },
                round: Some(round.to_owned()),
                body,
                shift: None,
                received_at: None,
            });
        }
        let codes = vec!["table.unopened"];
        let mut label = self.label(kind, round, None, Cents::ZERO, codes);
        (label.property, label.table) = (property, name);
        label.seqs = (1..=5).collect();
        label
    }
}

/// The reader does not see a card that lies open; false where none does.
pub(in crate::table) fn blind(dealt: &mut Dealt) -> bool {
    let shown = dealt.events.iter().filter_map(|body| match body {
        Body::CardRevealed(shown) => Some((shown.to as u8, shown.seat)),
        _ => None,
    });
    let shown: Vec<(u8, Option<u32>)> = shown.collect();
    let is_open = |dealt: &CardDealt| {
        let is_shown = shown.contains(&(dealt.to as u8, dealt.seat));
        dealt.face == Face::Up && dealt.card.is_some() && !is_shown
    };
    let open = dealt.events.iter_mut().find_map(|body| match body {
        Body::CardDealt(dealt) if is_open(dealt) => Some(dealt),
        _ => None,
    });
    open.is_some_and(|dealt| dealt.card.take().is_some())
}

/// Nothing tells how the round ends; false where nothing did, or where it was told to be irregular.
pub(in crate::table) fn conceal(dealt: &mut Dealt) -> bool {
    let is_result = |body: &Body| matches!(body, Body::WheelSpun(_) | Body::DiceRolled(_));
    let mut events = dealt.events.iter();
    if events.any(|body| matches!(body, Body::Irregularity(_))) {
        return false;
    }
    let before = dealt.events.len();
    dealt.events.retain(|body| !is_result(body));
    dealt.events.len() < before
}

fn of_unknown_kind(wager: &str, seat: u32, amount: Cents) -> WagerPlaced {
    let wager = json!({"id": wager, "seat": seat, "kind": UNKNOWN, "amount": amount});
    Dealt::default().placed(&wager)
}

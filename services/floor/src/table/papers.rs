//! Papers and people around a table: who sits down and leaves, slips with their requests and parts, and the way of a
//! drop box. They are told in the moment of what they belong to, so that play goes on as if nobody told of them.

use std::collections::BTreeMap;

use catwalk_events::body::{
    Body, BoxKind, CashForm, CashOut, Credit, DropBoxAttached, DropBoxReceived, DropBoxRemoved,
    DropCounted, Fill, FloorRegistered, FundCounted, MarkerIssued, MarkerRedeemed, PatronLeft,
    PatronSeated, SlipFiled, SlipKind, SlipPart, SlipRequested, SlipVoided, SupervisorAssigned,
};
use catwalk_events::{Event, Person, Role, Timestamp};
use catwalk_rules::floor::Cents;

use super::money::{MATCH_PLAY, Marker};
use super::patrons::Move;
use super::{Table, person, source_of};

/// Tables that stand together.
const TABLES_OF_A_PIT: usize = 6;
/// The box of every table with such a number is full before it goes.
const EMERGENCIES: usize = 5;
const SUPERVISOR: &str = "f-1";
/// Banknotes, the largest first, in cents.
const BILLS: [i64; 6] = [10_000, 5_000, 2_000, 1_000, 500, 100];

impl Table {
    pub(super) fn pit(&self) -> String {
        format!("pit-{}", (self.number - 1) / TABLES_OF_A_PIT + 1)
    }

    /// Sends an event in the moment of the last one. It draws no random number.
    pub(super) fn tell(&mut self, body: Body) {
        self.seq += 1;
        self.wait_out();
        self.outbox.push_back(Event {
            id: format!("{:08x}-{}-{:08}", self.seed, self.name, self.seq),
            property: self.property.clone(),
            table: self.name.clone(),
            seq: self.seq,
            at: Timestamp::from_micros(self.clock),
            source: source_of(&body, &self.name),
            round: None,
            body,
            shift: Some(self.day.shift().to_owned()),
            received_at: None,
        });
    }

    /// The floor's first table tells of the whole floor.
    pub(crate) fn register(&mut self, tables: Vec<String>, editions: Vec<String>) {
        let registered = FloorRegistered {
            property: self.property.clone(),
            tables,
            devices: None,
            editions: Some(editions),
        };
        self.tell(registered.into());
    }

    /// Whoever is there when the table opens.
    pub(super) fn man(&mut self) {
        let assigned = SupervisorAssigned {
            supervisor: SUPERVISOR.to_owned(),
            tables: Some(vec![self.name.clone()]),
        };
        self.tell(assigned.into());
        self.attach_boxes();
    }

    /// Patrons who came or went since it was last told. In the poker room stacks are no affair of the house.
    pub(super) fn tell_moves(&mut self) {
        for moved in self.patrons.moves() {
            match moved {
                Move::Came { seat, player } => self.tell(PatronSeated { seat, player }.into()),
                Move::Left {
                    seat,
                    player,
                    chips,
                } => {
                    let left = PatronLeft {
                        seat,
                        player: player.clone(),
                    };
                    self.tell(left.into());
                    self.go_home(seat, player, chips);
                }
            }
        }
    }

    /// A patron redeems what he signed for, and changes the rest of his chips.
    fn go_home(&mut self, seat: u32, player: Option<String>, chips: Cents) {
        let chips = match self.game_name {
            "poker" => Cents::ZERO,
            _ => chips.max(Cents::ZERO),
        };
        let markers = self.money.open_markers.remove(&seat).unwrap_or_default();
        let mut left = chips;
        let walks = self.walks_away(seat, player.as_ref(), chips, &markers);
        for marker in markers.iter().filter(|_| !walks) {
            let form = match left >= marker.amount {
                true => CashForm::Chips,
                false => CashForm::Cash,
            };
            if form == CashForm::Chips {
                left -= marker.amount;
            }
            let redeemed = MarkerRedeemed {
                marker: marker.number.clone(),
                player: player.clone(),
                amount: marker.amount,
                form: Some(form),
                by: person("c-1", Role::Cage),
            };
            self.tell(redeemed.into());
        }
        if left.is_positive() {
            let cash_out = CashOut {
                player,
                seat: Some(seat),
                amount: left,
                form: Some(CashForm::Cash),
            };
            self.tell(cash_out.into());
        }
    }

    /// A counter check is written for a patron: its number.
    pub(super) fn write_marker(
        &mut self,
        seat: u32,
        player: Option<String>,
        amount: Cents,
    ) -> String {
        let marker = self.money.write_marker(&self.name);
        let issued = MarkerIssued {
            marker: marker.clone(),
            player,
            seat: Some(seat),
            amount,
            by: person("c-1", Role::Cage),
            witness: person(SUPERVISOR, Role::Floorperson),
        };
        self.tell(issued.into());
        let (number, seq) = (marker.clone(), self.seq);
        let open = self.money.open_markers.entry(seat).or_default();
        open.push(Marker {
            number,
            amount,
            seq,
        });
        marker
    }

    pub(super) fn fill(&mut self, slip: String, amount: Cents, chips: BTreeMap<String, u32>) {
        let request = self.ask(&slip, SlipKind::Fill, amount, &chips);
        self.deliver(slip, request, amount, chips);
    }

    /// The slip was made out wrongly, and another one takes its place.
    pub(super) fn fill_by_a_second_slip(
        &mut self,
        slip: String,
        amount: Cents,
        chips: BTreeMap<String, u32>,
    ) {
        let request = self.ask(&slip, SlipKind::Fill, amount, &chips);
        let voided = SlipVoided {
            slip,
            reason: Some("made out for another table".to_owned()),
            by: person("b-1", Role::ChipBank),
            witness: person(SUPERVISOR, Role::Floorperson),
        };
        self.tell(voided.into());
        let slip = self.money.new_fill(&self.name);
        self.deliver(slip, request, amount, chips);
    }

    fn deliver(
        &mut self,
        slip: String,
        request: String,
        amount: Cents,
        chips: BTreeMap<String, u32>,
    ) {
        let fill = Fill {
            slip: slip.clone(),
            amount,
            denominations: Some(chips),
            request: Some(request),
            prepared_by: person("b-1", Role::ChipBank),
            carried_by: person("s-1", Role::Security),
            dealer: Some(self.dealer()),
            supervisor: Some(SUPERVISOR.to_owned()),
        };
        self.send(None, fill.into());
        self.file(&slip, SlipKind::Fill, amount);
    }

    pub(super) fn credit(&mut self, slip: String, amount: Cents, chips: BTreeMap<String, u32>) {
        let request = self.ask(&slip, SlipKind::Credit, amount, &chips);
        let credit = Credit {
            slip: slip.clone(),
            amount,
            denominations: Some(chips),
            request: Some(request),
            prepared_by: person("b-1", Role::ChipBank),
            carried_by: person("s-1", Role::Security),
            dealer: Some(self.dealer()),
            supervisor: Some(SUPERVISOR.to_owned()),
        };
        self.send(None, credit.into());
        self.file(&slip, SlipKind::Credit, amount);
    }

    pub(super) fn ask(
        &mut self,
        slip: &str,
        kind: SlipKind,
        amount: Cents,
        chips: &BTreeMap<String, u32>,
    ) -> String {
        let request = format!("{slip}-R");
        let requested = SlipRequested {
            request: request.clone(),
            kind,
            amount,
            denominations: Some(chips.clone()),
            by: person(SUPERVISOR, Role::Floorperson),
        };
        self.tell(requested.into());
        request
    }

    /// One part goes into the drop box, the other to accounting.
    pub(super) fn file(&mut self, slip: &str, kind: SlipKind, amount: Cents) {
        for part in [SlipPart::Original, SlipPart::Duplicate] {
            let filed = SlipFiled {
                slip: slip.to_owned(),
                kind: Some(kind),
                part,
                amount,
                by: person("a-1", Role::Accounting),
            };
            self.tell(filed.into());
        }
    }

    /// The boxes that stand at the table from now on.
    pub(super) fn attach_boxes(&mut self) {
        let r#box = self.money.next_box(&self.name, BoxKind::Main);
        self.attach(r#box, BoxKind::Main);
        if self.game_name == "poker" {
            let r#box = self.money.next_box(&self.name, BoxKind::BadBeat);
            self.attach(r#box, BoxKind::BadBeat);
        }
    }

    fn attach(&mut self, r#box: String, kind: BoxKind) {
        let attached = DropBoxAttached {
            r#box,
            kind: Some(kind),
            by: person("s-1", Role::Security),
            witness: person(SUPERVISOR, Role::Floorperson),
        };
        self.tell(attached.into());
    }

    /// A box goes to the count room.
    pub(super) fn bring_box(&mut self, r#box: &str, kind: BoxKind) {
        let removed = DropBoxRemoved {
            r#box: r#box.to_owned(),
            kind: Some(kind),
            replacement: Some(self.money.next_box(&self.name, kind)),
            team: Some(DROP_TEAM.map(|id| named(id, Role::Security)).to_vec()),
        };
        self.send(None, removed.into());
        let received = DropBoxReceived {
            r#box: r#box.to_owned(),
            kind: Some(kind),
            team: count_team(),
            by: person("s-1", Role::Security),
        };
        self.tell(received.into());
    }

    /// The box of some tables is full before it goes: what lies in a second one goes with it.
    pub(super) fn bring_emergency_box(&mut self, cash: Cents) -> Option<(String, Cents)> {
        let is_full = self.number.is_multiple_of(EMERGENCIES) && self.mischief.spares_drop();
        let beside = Cents::new(cash.get() / 4 / BILLS[0] * BILLS[0]);
        if !is_full || !beside.is_positive() {
            return None;
        }
        let r#box = self.money.this_box(&self.name, BoxKind::Emergency);
        self.attach(r#box.clone(), BoxKind::Emergency);
        let removed = DropBoxRemoved {
            r#box: r#box.clone(),
            kind: Some(BoxKind::Emergency),
            replacement: None,
            team: Some(DROP_TEAM.map(|id| named(id, Role::Security)).to_vec()),
        };
        self.tell(removed.into());
        Some((r#box, beside))
    }

    pub(super) fn count_emergency_box(&mut self, r#box: String, cash: Cents) {
        let kind = BoxKind::Emergency;
        let received = DropBoxReceived {
            r#box: r#box.clone(),
            kind: Some(kind),
            team: count_team(),
            by: person("s-1", Role::Security),
        };
        self.tell(received.into());
        let counted = DropCounted {
            r#box,
            cash,
            kind: Some(kind),
            bills: bills(cash),
            first_count: Some(cash),
            second_count: Some(cash),
            team: count_team(),
            accepted_by: person("m-1", Role::MainBank),
            accepted: Some(cash),
            ..DropCounted::default()
        };
        self.tell(counted.into());
    }

    /// The fund of a bad beat is counted at the beginning of each shift.
    pub(super) fn count_fund(&mut self) {
        let Some((fund, amount)) = self.game.fund() else {
            return;
        };
        let counted = FundCounted {
            fund,
            amount,
            by: person("n-1", Role::CountTeam),
            witness: person("a-1", Role::Accounting),
        };
        self.tell(counted.into());
    }

    pub(super) fn count_box(&mut self, r#box: String, kind: BoxKind, cash: Cents, checks: Cents) {
        self.bring_box(&r#box, kind);
        let (instruments, coupons) = match kind {
            BoxKind::Main => self.money.papers(),
            _ => (Vec::new(), Cents::ZERO),
        };
        let (raked, beside) = match kind {
            BoxKind::Main => (
                std::mem::take(&mut self.money.raked),
                self.money.beside.empty(),
            ),
            _ => Default::default(),
        };
        let some = |amount: Cents| amount.is_positive().then_some(amount);
        let cash = self.tell_cash(cash);
        let counted = DropCounted {
            r#box,
            cash,
            counter_checks: some(checks),
            vouchers: some(beside.vouchers),
            front_money: some(beside.front_money),
            chips: some(raked),
            foreign_chips: some(beside.foreign_chips),
            coupons: some(coupons),
            coupons_by_kind: coupons
                .is_positive()
                .then(|| BTreeMap::from([(MATCH_PLAY.to_owned(), coupons)])),
            kind: Some(kind),
            bills: bills(cash),
            instruments: (!instruments.is_empty()).then_some(instruments),
            first_count: Some(cash),
            second_count: Some(cash),
            team: count_team(),
            accepted_by: person("m-1", Role::MainBank),
            accepted: Some(cash),
            ..DropCounted::default()
        };
        self.send(None, counted.into());
    }
}

const COUNT_TEAM: [&str; 3] = ["n-1", "n-2", "n-3"];
fn count_team() -> Option<Vec<Person>> {
    Some(COUNT_TEAM.map(|id| named(id, Role::CountTeam)).to_vec())
}

const DROP_TEAM: [&str; 2] = ["s-1", "s-2"];

fn named(id: &str, role: Role) -> Person {
    Person::new(id, role)
}

/// The banknotes of a sum; of one that is no whole number of dollars there are none.
pub(super) fn bills(cash: Cents) -> Option<BTreeMap<String, u32>> {
    let mut left = cash.get();
    let mut bills = BTreeMap::new();
    for bill in BILLS {
        let count = u32::try_from(left / bill).ok()?;
        left %= bill;
        if count > 0 {
            bills.insert(bill.to_string(), count);
        }
    }
    (left == 0 && !bills.is_empty()).then_some(bills)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banknotes_make_the_sum_that_was_counted() {
        let sum = |cash| {
            let bills = bills(Cents::new(cash))?;
            let worth = |(bill, count): (&String, &u32)| {
                bill.parse::<i64>()
                    .ok()
                    .map(|bill| bill * i64::from(*count))
            };
            bills.iter().map(worth).sum::<Option<i64>>()
        };
        assert_eq!(sum(1_238_800), Some(1_238_800));
        assert_eq!(sum(150), None);
        assert_eq!(sum(0), None);
    }
}

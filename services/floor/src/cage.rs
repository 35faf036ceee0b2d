//! The cage of a house that plays for days: where chips come from, the slips that take them to tables and back, the
//! chips of a roulette table by colour, a tournament, and what is counted of all of it once a day.
//!
//! It sends under a name of its own. It sees what the tables send in the order in which it goes out, so that what it
//! counts is what there is.

use std::collections::{BTreeMap, VecDeque};

use catwalk_events::body::{
    Body, ChipsCounted, ChipsDestroyed, ChipsMoved, Impressment, LiabilityComputed,
    TournamentClosed, TournamentFiled, TournamentOpened,
};
use catwalk_events::{Event, Person, Role, Source, SourceKind, Timestamp};
use catwalk_rules::floor::Cents;

use crate::floor::Config;
use crate::table::{CHIP_VALUES, DAY, opening_chips};

/// How the cage names itself.
pub(crate) const NAME: &str = "CAGE";
/// Where its chips lie, and where they came from.
const PLACE: &str = "cage";
const VENDOR: &str = "vendor";
/// Chips of each value that it has for each table, and of those that patrons took home before.
const STOCK: u32 = 20_000;
const AT_HOME: u32 = 500;
/// It is counted so long before the gaming day ends.
const BEFORE_MORNING: i64 = DAY / 24;
/// It is impressed every so many days. Worn chips are destroyed on one of the first.
const IMPRESSMENT_DAYS: i64 = 28;
const WORN_DAY: i64 = 3;
const WORN: (i64, u32) = (500, 40);
/// Plaques of a value, and how many of them.
const PLAQUES: (i64, u32) = (500_000, 10);
/// Chips without a value, by colour, at each roulette table.
const COLOURS: [&str; 6] = ["blue", "brown", "green", "lavender", "orange", "yellow"];
const OF_A_COLOUR: u32 = 300;
/// So many of a colour are changed for new ones every week.
const CHANGED: u32 = 20;
/// A tournament is filed as the house opens, and played on this day.
const TOURNAMENT: &str = "T-1";
const TOURNAMENT_DAY: i64 = 7;
const ENTRIES: u32 = 60;
const ENTRY: Cents = Cents::new(20_000);
const REBUYS: Cents = Cents::new(250_000);
const ADD_ONS: Cents = Cents::new(100_000);
const TIPS: Cents = Cents::new(50_000);
const FEE: Cents = Cents::new(3_000);
const TOURNAMENT_CHIPS: (&str, u32) = ("100", 1_200);

/// Chips by value in cents.
type Chips = BTreeMap<i64, i64>;

#[derive(Debug)]
pub(crate) struct Cage {
    property: String,
    seed: u64,
    opening: i64,
    tables: u32,
    /// Days that are over, and whether it has begun.
    days: i64,
    begun: bool,
    is_over: bool,
    seq: u64,
    received: Chips,
    destroyed: Chips,
    here: Chips,
    /// The last count of each tray.
    trays: BTreeMap<String, Chips>,
    /// The roulette tables.
    wheels: Vec<String>,
    outbox: VecDeque<Event>,
}

impl Cage {
    /// That of a house that plays for days.
    pub(crate) fn of(config: &Config, opening: i64) -> Option<Cage> {
        config.days?;
        Some(Cage {
            property: config.property.clone(),
            seed: config.seed,
            opening,
            tables: u32::try_from(config.tables).unwrap_or(u32::MAX),
            days: 0,
            begun: false,
            is_over: false,
            seq: 0,
            received: Chips::new(),
            destroyed: Chips::new(),
            here: Chips::new(),
            trays: BTreeMap::new(),
            wheels: Vec::new(),
            outbox: VecDeque::new(),
        })
    }

    /// What it has to say before anything that happens at this moment.
    pub(crate) fn before(&mut self, at: Timestamp) -> Option<Event> {
        if !self.begun {
            return None;
        }
        let is_due = |next: &Event| next.at <= at;
        while !self.outbox.front().is_some_and(is_due) && at.micros() >= self.evening() {
            let evening = self.evening();
            self.days += 1;
            self.end_day(evening);
        }
        self.outbox.pop_front_if(|next| next.at <= at)
    }

    /// When it is counted next.
    fn evening(&self) -> i64 {
        self.opening + (self.days + 1) * DAY - BEFORE_MORNING
    }

    /// What it has to say when everybody has gone.
    pub(crate) fn last(&mut self, at: i64) -> Option<Event> {
        if !std::mem::replace(&mut self.is_over, true) {
            self.count(at + 1);
        }
        self.outbox.pop_front()
    }

    /// What a table sent: slips that take chips away, and counts of its tray. Nobody speaks before the floor is
    /// registered.
    pub(crate) fn see(&mut self, event: &Event) {
        let at = event.at.micros();
        match &event.body {
            Body::FloorRegistered(_) if !self.begun => self.begin(at),
            Body::Fill(fill) => self.give(fill.denominations.as_ref(), -1),
            Body::Credit(credit) => self.give(credit.denominations.as_ref(), 1),
            Body::TableOpened(opened) => {
                self.note(&event.table, opened.denominations.as_ref());
                if opened.game == "roulette" && !self.wheels.contains(&event.table) {
                    self.wheels.push(event.table.clone());
                    if self.begun {
                        self.bring_colours(&event.table, at);
                    }
                }
            }
            Body::InventoryCounted(counted) => {
                self.note(&event.table, counted.denominations.as_ref());
            }
            Body::TableClosed(closed) => self.note(&event.table, closed.denominations.as_ref()),
            _ => {}
        }
    }

    fn give(&mut self, chips: Option<&BTreeMap<String, u32>>, sign: i64) {
        for (value, count) in numbers(chips) {
            *self.here.entry(value).or_default() += sign * count;
        }
    }

    fn note(&mut self, table: &str, chips: Option<&BTreeMap<String, u32>>) {
        if chips.is_some() {
            self.trays.insert(table.to_owned(), numbers(chips));
        }
    }

    /// The chips come to the house, those of the trays and those that patrons will have among them; what is left in
    /// the cage is impressed. The tournament of the second week is filed.
    fn begin(&mut self, at: i64) {
        self.begun = true;
        self.receive(each(STOCK + AT_HOME, self.tables), at);
        self.receive(opened(self.tables), at);
        // The trays have theirs, and patrons took some home before.
        self.here = each(STOCK, self.tables);
        self.receive_plaques(at);
        self.impress(at);
        self.tell(at, filing(self.opening).into());
        for table in self.wheels.clone() {
            self.bring_colours(&table, at);
        }
    }

    /// Plaques have numbers.
    fn receive_plaques(&mut self, at: i64) {
        let (value, count) = PLAQUES;
        let chips = Chips::from([(value, i64::from(count))]);
        let received = ChipsMoved {
            denominations: told(&chips),
            location: Some(PLACE.to_owned()),
            by: person("b-1", Role::ChipBank),
            set: Some("plaques".to_owned()),
            from: Some(VENDOR.to_owned()),
            to: Some(PLACE.to_owned()),
            reason: Some("received".to_owned()),
            witness: person("a-1", Role::Accounting),
            serials: Some(plaques()),
            colours: None,
        };
        self.tell(at, received.into());
        self.received.extend(&chips);
        self.here.extend(&chips);
    }

    fn receive(&mut self, chips: Chips, at: i64) {
        let received = ChipsMoved {
            denominations: told(&chips),
            location: None,
            by: person("b-1", Role::ChipBank),
            set: Some("primary".to_owned()),
            from: Some(VENDOR.to_owned()),
            to: Some(PLACE.to_owned()),
            reason: Some("received".to_owned()),
            witness: person("a-1", Role::Accounting),
            serials: None,
            colours: None,
        };
        self.tell(at, received.into());
        for (value, count) in chips {
            *self.received.entry(value).or_default() += count;
            *self.here.entry(value).or_default() += count;
        }
    }

    /// A day is over: everything is counted. New chips come where there are too few.
    fn end_day(&mut self, at: i64) {
        if self.days == WORN_DAY {
            self.destroy(at);
        }
        let enough = i64::from(STOCK) * i64::from(self.tables) / 4;
        let is_short = |value: &i64| self.here.get(value).is_none_or(|count| *count < enough);
        if CHIP_VALUES.iter().any(is_short) {
            self.receive(each(STOCK, self.tables), at);
        }
        if self.days % 7 == 0 {
            for table in self.wheels.clone() {
                self.change_colours(&table, at);
            }
        }
        self.count(at);
        if self.days % IMPRESSMENT_DAYS == 0 {
            self.impress(at);
        }
        if self.days == TOURNAMENT_DAY {
            self.play_tournament(at);
        }
    }

    fn count(&mut self, at: i64) {
        let counted = ChipsCounted {
            denominations: told(&self.here),
            reason: Some("end of the gaming day".to_owned()),
            set: Some("primary".to_owned()),
            serials: Some(plaques()),
            ..places(PLACE, None)
        };
        self.tell(at, counted.into());
        for table in self.wheels.clone() {
            let counted = places(&table, Some(OF_A_COLOUR));
            self.tell(at, counted.into());
        }
        self.compute_liability(at);
    }

    /// What is neither here nor in a tray is in the hands of patrons.
    fn compute_liability(&mut self, at: i64) {
        let mut owed = self.received.clone();
        let gone = self.trays.values().chain([&self.here, &self.destroyed]);
        for (value, count) in gone.flatten() {
            *owed.entry(*value).or_default() -= count;
        }
        let (owed, less): (Chips, Chips) = owed.into_iter().partition(|(_, count)| *count >= 0);
        let less: Chips = less
            .into_iter()
            .map(|(value, count)| (value, -count))
            .collect();
        let computed = LiabilityComputed {
            denominations: told(&owed),
            location: None,
            by: person("a-1", Role::Accounting),
            set: Some("primary".to_owned()),
            from: None,
            to: None,
            reason: Some("end of the gaming day".to_owned()),
            witness: person("c-1", Role::Cage),
            serials: None,
            colours: None,
            negative: (!less.is_empty()).then(|| told(&less)),
        };
        self.tell(at, computed.into());
    }

    fn impress(&mut self, at: i64) {
        let impressed = Impressment {
            denominations: told(&self.here),
            location: Some(PLACE.to_owned()),
            by: person("c-1", Role::Cage),
            set: Some("primary".to_owned()),
            from: None,
            to: None,
            reason: Some("imprest".to_owned()),
            witness: person("a-1", Role::Accounting),
            serials: None,
            colours: None,
        };
        self.tell(at, impressed.into());
    }

    fn destroy(&mut self, at: i64) {
        let (value, count) = (WORN.0, i64::from(WORN.1));
        *self.here.entry(value).or_default() -= count;
        *self.destroyed.entry(value).or_default() += count;
        let destroyed = ChipsDestroyed {
            denominations: told(&Chips::from([(value, count)])),
            location: Some(PLACE.to_owned()),
            by: person("a-1", Role::Accounting),
            set: Some("primary".to_owned()),
            from: None,
            to: None,
            reason: Some("worn".to_owned()),
            witness: person("s-1", Role::Security),
            serials: None,
            colours: None,
        };
        self.tell(at, destroyed.into());
    }

    fn bring_colours(&mut self, table: &str, at: i64) {
        let brought = moved(PLACE, table, OF_A_COLOUR, "a table opens");
        self.tell(at, brought.into());
        let counted = places(table, Some(OF_A_COLOUR));
        self.tell(at, counted.into());
    }

    fn change_colours(&mut self, table: &str, at: i64) {
        self.tell(at, moved(table, PLACE, CHANGED, "worn").into());
        self.tell(at, moved(PLACE, table, CHANGED, "new for worn").into());
    }

    /// All that was taken in for the prizes goes out as prizes, but for the tips that were told of.
    fn play_tournament(&mut self, at: i64) {
        let buy_ins = ENTRY.times(i64::from(ENTRIES));
        let chips = BTreeMap::from([(TOURNAMENT_CHIPS.0.to_owned(), TOURNAMENT_CHIPS.1)]);
        let opened = TournamentOpened {
            tournament: TOURNAMENT.to_owned(),
            buy_ins: Some(buy_ins),
            prizes: None,
            tips: Some(TIPS),
            chips: Some(TOURNAMENT_CHIPS.1),
            entries: Some(ENTRIES),
            rebuys: None,
            add_ons: None,
            fees: None,
            denominations: Some(chips.clone()),
        };
        self.tell(at, opened.into());
        let closed = TournamentClosed {
            tournament: TOURNAMENT.to_owned(),
            buy_ins: Some(buy_ins),
            prizes: Some(buy_ins + REBUYS + ADD_ONS - TIPS),
            tips: Some(TIPS),
            chips: Some(TOURNAMENT_CHIPS.1),
            entries: Some(ENTRIES),
            rebuys: Some(REBUYS),
            add_ons: Some(ADD_ONS),
            fees: Some(FEE.times(i64::from(ENTRIES))),
            denominations: Some(chips),
        };
        self.tell(at + DAY / 6, closed.into());
    }

    fn tell(&mut self, at: i64, body: Body) {
        self.seq += 1;
        let kind = match body {
            Body::LiabilityComputed(_) => SourceKind::Accounting,
            _ => SourceKind::Cage,
        };
        self.outbox.push_back(Event {
            id: format!("{:08x}-{NAME}-{:08}", self.seed, self.seq),
            property: self.property.clone(),
            table: NAME.to_owned(),
            seq: self.seq,
            at: Timestamp::from_micros(at),
            source: Source {
                kind,
                id: PLACE.to_owned(),
            },
            round: None,
            body,
            shift: None,
            received_at: None,
        });
    }
}

/// What a house files of a tournament five business days before it. 147.05(2)
fn filing(opening: i64) -> TournamentFiled {
    let words = |words: &str| Some(words.to_owned());
    TournamentFiled {
        tournament: TOURNAMENT.to_owned(),
        buy_ins: None,
        prizes: None,
        tips: Some(TIPS),
        chips: Some(TOURNAMENT_CHIPS.1),
        entries: None,
        rebuys: None,
        add_ons: None,
        fees: Some(FEE),
        denominations: Some(BTreeMap::from([(
            TOURNAMENT_CHIPS.0.to_owned(),
            TOURNAMENT_CHIPS.1,
        )])),
        starts_at: Some(Timestamp::from_micros(opening + TOURNAMENT_DAY * DAY)),
        location: words("poker room"),
        expected: Some(ENTRIES),
        game: words("poker"),
        rules: words("no-limit hold'em, for patrons of 21 and above"),
        prize_structure: words("50 %, 30 % and 20 % of the pool"),
        registration: words("at the desk of the room from noon on"),
        winners: words("the last three with chips"),
        equipment: words("tables, cards and shufflers of the room"),
        forms: words("entry card, record of prizes"),
        security: words("a camera on every table, an officer at the door"),
        certified_by: Some(vec![
            Person::new("s-1", Role::Security),
            Person::new("m-1", Role::ShiftManager),
            Person::new("v-1", Role::Surveillance),
        ]),
        controller: person("k-1", Role::Controller),
        key_employee: person("m-1", Role::ShiftManager),
    }
}

/// So many chips of each value for each table.
fn each(count: u32, tables: u32) -> Chips {
    let all = i64::from(count) * i64::from(tables);
    CHIP_VALUES.map(|value| (value, all)).into()
}

/// What all trays begin with.
fn opened(tables: u32) -> Chips {
    let tray = numbers(opening_chips().as_ref());
    let all = tray.into_iter();
    all.map(|(value, count)| (value, count * i64::from(tables)))
        .collect()
}

fn plaques() -> Vec<String> {
    (1..=PLAQUES.1)
        .map(|number| format!("P-{number}"))
        .collect()
}

/// A count of a place, of so many chips of each colour.
fn places(place: &str, of_a_colour: Option<u32>) -> ChipsCounted {
    ChipsCounted {
        denominations: BTreeMap::new(),
        location: Some(place.to_owned()),
        by: person("c-1", Role::Cage),
        set: None,
        from: None,
        to: None,
        reason: None,
        witness: person("a-1", Role::Accounting),
        serials: None,
        colours: of_a_colour.map(colours),
    }
}

fn moved(from: &str, to: &str, of_a_colour: u32, reason: &str) -> ChipsMoved {
    ChipsMoved {
        denominations: BTreeMap::new(),
        location: None,
        by: person("b-1", Role::ChipBank),
        set: None,
        from: Some(from.to_owned()),
        to: Some(to.to_owned()),
        reason: Some(reason.to_owned()),
        witness: person("s-1", Role::Security),
        serials: None,
        colours: Some(colours(of_a_colour)),
    }
}

fn colours(of_each: u32) -> BTreeMap<String, u32> {
    COLOURS.map(|colour| (colour.to_owned(), of_each)).into()
}

fn person(id: &str, role: Role) -> Option<Person> {
    Some(Person::new(id, role))
}

fn numbers(chips: Option<&BTreeMap<String, u32>>) -> Chips {
    let number = |(value, count): (&String, &u32)| Some((value.parse().ok()?, i64::from(*count)));
    chips.into_iter().flatten().filter_map(number).collect()
}

/// As an event has them; of what is missing there is none.
fn told(chips: &Chips) -> BTreeMap<String, u32> {
    let told = chips.iter().map(|(value, count)| {
        let count = u32::try_from(*count).unwrap_or_default();
        (value.to_string(), count)
    });
    told.filter(|(_, count)| *count > 0).collect()
}

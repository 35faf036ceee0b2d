//! The round document of pai gow poker, and what is malformed in it.

use serde::{Deserialize, Serialize};

use super::setting::Laid;
use super::{DealMethod, Table, is_massachusetts};
use crate::floor::{Card, Die, Seat, WagerId};
use crate::games::shared::pai_gow::{
    self, BankCheck, Irregular, Mode, NOT_AN_AREA, Owner, Players,
};
use crate::games::shared::progressive::Meters;
use crate::refusal::Refusal;
use crate::round::{document, wager};

/// The wagers of all pai gow poker tables. A document may name any of them; what the edition or
/// the table does not offer goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    PaiGowPoker,
    Bonus,
    FortuneBonus,
    Envy,
    Insurance,
    ThreeCardBonus,
    SevenCardBonus,
    Progressive,
    FortuneProgressive,
    Number,
    DealerVsBank,
    Bank,
    #[serde(rename = "tiger_9")]
    Tiger9,
}

impl Kind {
    /// The seven-card wager that an envy marker goes with.
    pub(crate) fn is_bonus(self) -> bool {
        matches!(self, Kind::Bonus | Kind::FortuneBonus)
    }
}

wager! {
    Wager: Kind, free: Wager::is_free {
        ?
        /// Envy: the bonus wager that the marker lies at.
        pub on: Option<WagerId>,
        /// Number wager: the number chosen.
        pub number: Option<i64>,
    }
}

impl Wager {
    fn is_free(&self) -> bool {
        matches!(self.kind, Kind::Bank | Kind::Envy)
    }
}

document! {
    Play {
        ?
        pub mode: Mode,
        pub bank_seat: Option<Seat>,
        pub bank_check: Option<BankCheck>,
        pub dealer: Option<DealerHand>,
        pub hands: Vec<Hand>,
        pub deal: Deal,
        /// Cards that were left undealt.
        pub remaining: Option<u32>,
        pub meters: Meters,
        pub irregularities: Vec<Irregularity>,
    }

    DealerHand {
        pub cards: Vec<Card>,
        ?
        pub high: Option<Vec<Card>>,
        pub low: Option<Vec<Card>>,
    }

    /// The cards of an area, in the order in which they were dealt.
    Hand {
        pub seat: Seat,
        pub cards: Vec<Card>,
        ?
        pub high: Option<Vec<Card>>,
        pub low: Option<Vec<Card>>,
        pub player: Option<String>,
        pub surrender: bool,
        /// Ohio: the player left during the round.
        pub abandoned: Option<bool>,
    }

    /// How the first card or stack found its position: 0 is the dealer, 1 to 6 are the areas.
    #[derive(Default)]
    Deal {
        ?
        pub method: Option<Method>,
        pub dice: Option<[Die; 3]>,
        pub number: Option<u8>,
        pub button: Option<u8>,
        pub first: Option<u8>,
    }

    Irregularity {
        #[serde(rename = "type")]
        pub kind: IrregularityKind,
        ?
        pub seat: Option<Seat>,
        pub choice: Option<Choice>,
        pub count: Option<u32>,
        pub ruling: Option<Ruling>,
    }
}

impl DealerHand {
    pub(crate) fn laid(&self) -> Option<Laid<'_>> {
        Laid::of(&self.high, &self.low)
    }
}

impl Hand {
    pub(crate) fn laid(&self) -> Option<Laid<'_>> {
        Laid::of(&self.high, &self.low)
    }

    pub(crate) fn is_abandoned(&self) -> bool {
        self.abandoned == Some(true)
    }

    pub(crate) fn owner(&self) -> Owner<'_> {
        match &self.player {
            Some(name) => Owner::Named(name),
            None => Owner::Of(self.seat),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    Dice,
    Rng,
    Button,
    /// From the wager farthest to the dealer's left: the three-card table's way.
    LeftFirst,
}

impl Deal {
    /// As said, or as what was used shows.
    pub(crate) fn method(&self) -> Option<Method> {
        self.method
            .or(self.dice.map(|_| Method::Dice))
            .or(self.number.map(|_| Method::Rng))
            .or(self.button.map(|_| Method::Button))
    }

    /// The total of the dice or the number drawn, from which positions are counted.
    pub(crate) fn count(&self) -> Option<u8> {
        let total = |dice: [Die; 3]| dice.iter().map(|die| die.face()).sum();
        self.dice.map(total).or(self.number)
    }

    pub(crate) fn number(&self) -> Option<u8> {
        self.number
    }

    fn check(&self) -> Result<(), Refusal> {
        let refuse = |key: &str, what: &str| Err(Refusal::at(format!("play.deal.{key}"), what));
        let used = [
            ("dice", self.dice.is_some(), Method::Dice),
            ("number", self.number.is_some(), Method::Rng),
            ("button", self.button.is_some(), Method::Button),
        ];
        for (key, given, method) in used {
            if given && self.method() != Some(method) {
                return refuse(key, "beside another way to find the start");
            }
        }
        match (self.method, self.number) {
            (Some(Method::Rng), None) => {
                return Err(Refusal::at("play.deal", "the key \"number\" is missing"));
            }
            (_, Some(number)) if !(1..=7).contains(&number) => {
                return refuse("number", "numbers are drawn from 1 to 7");
            }
            _ => {}
        }
        for (key, position) in [("button", self.button), ("first", self.first)] {
            if position.is_some_and(|position| position > 6) {
                return refuse(key, "positions are 0 (the dealer) to 6");
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IrregularityKind {
    NoRoll,
    DiceStacked,
    WrongStart,
    PlayerCardExposed,
    DealerCardExposed,
    BankCardExposed,
    FaceUpInShoe,
    CardDrawnInError,
    WrongCardCount,
    DeckCountWrong,
    StackCardExposed,
    StackDealError,
    ShufflerFailure,
    ShoeFailure,
    CardOffTable,
    VerificationMalfunction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    Void,
    Play,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    Dead,
    Play,
}

impl Irregularity {
    fn voids_round(&self, irregular: &Irregular<IrregularityKind>, bank: Option<Seat>) -> bool {
        let is_of = |kind, seat| self.kind == kind && self.seat == seat;
        irregular.voids_round(&self.kind)
            // 11(d),(e): the bank's own card is no player's.
            || bank.is_some() && is_of(IrregularityKind::PlayerCardExposed, bank)
            || self.ruling == Some(Ruling::Dead) && self.seat == Some(Seat::HOUSE)
    }

    /// Does it void this hand and no other?
    fn voids_hand(&self, area: Seat) -> bool {
        let is_void = self.choice == Some(Choice::Void) || self.ruling == Some(Ruling::Dead);
        is_void && self.seat == Some(area)
    }

    fn check(&self, place: &str, table: &Table<'_>, players: &Players) -> Result<(), Refusal> {
        if !table.irregular.knows(&self.kind) {
            let what = format!("no irregularity of {}", table.edition);
            return Err(Refusal::at(format!("{place}.type"), what));
        }
        self.check_own_keys(place)?;
        match (self.kind, self.seat) {
            (IrregularityKind::PlayerCardExposed, Some(area)) => {
                players.refuse_exposed(area, place)
            }
            (IrregularityKind::BankCardExposed, _) => players.refuse_without_bank(place),
            (kind, _) => match table.deal_method.filter(|dealt| !happens(kind, *dealt)) {
                Some(_) => Err(Refusal::at(place, "not where the cards are dealt so")),
                None => Ok(()),
            },
        }
    }

    fn check_own_keys(&self, place: &str) -> Result<(), Refusal> {
        use IrregularityKind as Is;
        let seats = match self.kind {
            Is::PlayerCardExposed => Some(1..=6),
            Is::CardOffTable => Some(0..=6),
            _ => None,
        };
        let keys = [
            ("seat", seats.is_some(), self.seat.is_some()),
            (
                "choice",
                self.kind == Is::PlayerCardExposed,
                self.choice.is_some(),
            ),
            ("count", self.kind == Is::FaceUpInShoe, self.count.is_some()),
            (
                "ruling",
                self.kind == Is::CardOffTable,
                self.ruling.is_some(),
            ),
        ];
        pai_gow::check_keys(place, &keys)?;
        if let (Some(seats), Some(seat)) = (seats, self.seat)
            && !seats.contains(&seat.number())
        {
            return Err(Refusal::at(format!("{place}.seat"), NOT_AN_AREA));
        }
        if self.count == Some(0) {
            let what = "at least one card lay face up";
            return Err(Refusal::at(format!("{place}.count"), what));
        }
        Ok(())
    }
}

/// Can it happen where cards leave the deck so? 11(f),(k),(l),(n)
fn happens(kind: IrregularityKind, dealt: DealMethod) -> bool {
    use IrregularityKind as Is;
    match kind {
        Is::ShoeFailure => dealt == DealMethod::AutoShoe,
        Is::StackCardExposed | Is::StackDealError => dealt == DealMethod::Hand,
        Is::FaceUpInShoe => dealt != DealMethod::Hand,
        _ => true,
    }
}

impl Play {
    pub(crate) fn hand(&self, area: Seat) -> Option<&Hand> {
        self.hands.iter().find(|hand| hand.seat == area)
    }

    /// Where in the document the hand of an area is.
    pub(crate) fn place_of(&self, area: Seat) -> String {
        let at = self.hands.iter().position(|hand| hand.seat == area);
        at.map_or("play.hands".into(), |at| format!("play.hands[{at}]"))
    }

    /// The person of an area; an area without cards or name has its own.
    pub(crate) fn owner(&self, area: Seat) -> Owner<'_> {
        self.hand(area).map_or(Owner::Of(area), Hand::owner)
    }

    /// Did the house itself declare the whole round void? Cards found face up in the shoe add up. 11(f)
    pub(crate) fn is_declared_void(&self, irregular: &Irregular<IrregularityKind>) -> bool {
        let face_up = self.irregularities.iter().filter_map(|told| told.count);
        let face_up: u64 = face_up.map(u64::from).sum();
        let told = || self.irregularities.iter();
        irregular.face_up_voids.is_some_and(|most| face_up >= most)
            || told().any(|told| told.voids_round(irregular, self.bank_seat))
    }

    pub(crate) fn is_hand_void(&self, area: Seat) -> bool {
        let mut told = self.irregularities.iter();
        told.any(|told| told.voids_hand(area))
    }
}

/// Refuses what describes no round. Whether hands and settings that are needed are there shows
/// when they are read.
pub(crate) fn check_document(
    table: &Table<'_>,
    wagers: &[Wager],
    play: &Play,
) -> Result<(), Refusal> {
    for (index, wager) in wagers.iter().enumerate() {
        check_wager(wagers, wager, &format!("wagers[{index}]"))?;
    }
    if is_massachusetts(table.edition) {
        let entries: Vec<(usize, Seat)> = wagers
            .iter()
            .enumerate()
            .filter(|(_, wager)| wager.kind == Kind::Bank)
            .map(|(index, wager)| (index, wager.seat))
            .collect();
        pai_gow::bank_of(
            play.mode,
            play.bank_seat,
            play.bank_check.is_some(),
            &entries,
        )?;
    } else {
        if play.mode != Mode::Dealer {
            return Err(Refusal::at("play.mode", "no player banks in this edition"));
        }
        pai_gow::bank_of(Mode::Dealer, play.bank_seat, play.bank_check.is_some(), &[])?;
    }
    if let Some(dealer) = &play.dealer {
        pai_gow::check_whole(dealer.high.as_ref(), dealer.low.as_ref(), "play.dealer")?;
    }
    let seats: Vec<Seat> = play.hands.iter().map(|hand| hand.seat).collect();
    pai_gow::check_hand_seats(&seats)?;
    let mains = wagers
        .iter()
        .filter(|wager| wager.kind == Kind::PaiGowPoker);
    let players = Players {
        mains: mains.map(|wager| wager.seat).collect(),
        bank: play.bank_seat,
    };
    for (index, hand) in play.hands.iter().enumerate() {
        let place = format!("play.hands[{index}]");
        if hand.abandoned.is_some() && is_massachusetts(table.edition) {
            let what = "a key of oh-jack-2017 only";
            return Err(Refusal::at(format!("{place}.abandoned"), what));
        }
        pai_gow::check_whole(hand.high.as_ref(), hand.low.as_ref(), &place)?;
        let given_up = [
            ("surrender", hand.surrender),
            ("abandoned", hand.is_abandoned()),
        ];
        for (key, given_up) in given_up {
            players.refuse_given_up(hand.seat, given_up, format!("{place}.{key}"))?;
        }
    }
    play.deal.check()?;
    for (index, irregularity) in play.irregularities.iter().enumerate() {
        irregularity.check(&format!("play.irregularities[{index}]"), table, &players)?;
    }
    Ok(())
}

fn check_wager(wagers: &[Wager], wager: &Wager, place: &str) -> Result<(), Refusal> {
    match wager.kind {
        Kind::DealerVsBank if wager.seat != Seat::HOUSE => {
            let what = "the dealer's own wager is at seat 0";
            return Err(Refusal::at(format!("{place}.seat"), what));
        }
        Kind::DealerVsBank => {}
        _ if !pai_gow::is_area(wager.seat) => {
            return Err(Refusal::at(format!("{place}.seat"), NOT_AN_AREA));
        }
        Kind::Envy if wager.on.is_none() => {
            return Err(Refusal::at(place, "the key \"on\" is missing"));
        }
        Kind::Number if wager.number.is_none() => {
            return Err(Refusal::at(place, "the key \"number\" is missing"));
        }
        _ => {}
    }
    match &wager.on {
        Some(on) if !wagers.iter().any(|other| other.id == *on) => {
            let what = format!("there is no wager {on:?}");
            Err(Refusal::at(format!("{place}.on"), what))
        }
        _ => Ok(()),
    }
}

//! Games in which an ante buys a hand against the dealer and a play wager keeps it: three card
//! poker, four card poker, crazy four poker. What is in their documents, what counts of it, and the
//! faults that they have in common.

use std::collections::btree_map::{BTreeMap, Entry};
use std::num::NonZeroU64;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::deal::{self, Deal, Dealing, Irregular};
use super::layout::Person;
use super::ohio_progressives::Chip;
use super::progressive::{self, Envy, Meter, Position};
pub(crate) use super::stud::areas::Wager;
use crate::book::{BookError, EditionBook, Pay};
use crate::floor::{Card, CardSet, Cents, Seat};
use crate::refusal::Refusal;
use crate::round::document;
use crate::settlement::{Settled, Violations};

/// The kinds of wager of such a game.
pub(crate) trait Kind: Copy + PartialEq {
    const ANTE: Self;
    const PLAY: Self;
}

document! {
    /// A hand as it was dealt to a seat.
    DealtHand {
        pub seat: Seat,
        pub cards: Vec<Card>,
        ?
        pub decision: Option<Decision>,
        /// Who sits there; one person may hold several seats.
        pub player: Option<String>,
    }

    /// An entry without a ruling of its own.
    Irregularity {
        pub code: Irregular,
        ?
        pub count: Option<NonZeroU64>,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Play,
    Fold,
    /// The hand is given up unexposed.
    Forfeit,
    /// The player left the table.
    Abandoned,
}

impl Decision {
    /// Decisions with which a hand has lost to the dealer.
    pub(crate) const GIVEN_UP: [Decision; 3] =
        [Decision::Fold, Decision::Forfeit, Decision::Abandoned];

    const fn word(self) -> &'static str {
        match self {
            Decision::Play => "play",
            Decision::Fold => "fold",
            Decision::Forfeit => "forfeit",
            Decision::Abandoned => "abandoned",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Shuffler {
    Manual,
    Automated,
    /// Verifies 52 cards after each shuffle.
    AutomatedCounting,
}

/// The wagers of a game that each buy a hand.
pub(crate) fn buying<K: DeserializeOwned>(book: &EditionBook<'_>) -> Result<Vec<K>, BookError> {
    let layout = book.layout()?;
    let kinds = layout.main.iter().chain(&layout.instead_of_main);
    book.words(&kinds.cloned().collect::<Vec<String>>())
}

/// Refuses entries that describe nothing at this table, and counts the cards that were found face up.
pub(crate) fn face_up_cards(
    deal: &Deal,
    dealing: Dealing,
    entries: impl Iterator<Item = (Irregular, Option<NonZeroU64>)>,
) -> Result<u64, Refusal> {
    let mut face_up = 0_u64;
    for (index, (code, count)) in entries.enumerate() {
        deal.refuse(index, code, dealing)?;
        if code == Irregular::FaceUpCard {
            face_up = face_up.saturating_add(count.map_or(1, NonZeroU64::get));
        } else if count.is_some() {
            let what = "only a \"face_up_card\" entry has a count";
            return Err(Refusal::at(deal::irregularity(index, "count"), what));
        }
    }
    Ok(face_up)
}

/// Seats with their hands and the wagers that count there, in dealing order.
#[derive(Debug)]
pub(crate) struct Seats<'a, K> {
    seats: Vec<AtSeat<'a, K>>,
}

/// One seat of the table.
#[derive(Debug)]
pub(crate) struct AtSeat<'a, K> {
    seat: Seat,
    /// The hand with its index in the document; none where only the table is bet on.
    hand: Option<(usize, &'a DealtHand)>,
    /// The wagers of kinds that are offered.
    wagers: Vec<&'a Wager<K>>,
    /// Is one of them a wager that buys a hand?
    in_round: bool,
}

impl<'a, K: Kind> AtSeat<'a, K> {
    fn new(seat: Seat, hand: Option<(usize, &'a DealtHand)>) -> AtSeat<'a, K> {
        AtSeat {
            seat,
            hand,
            wagers: Vec::new(),
            in_round: false,
        }
    }

    /// The wager of this kind, if it is offered and made.
    pub(crate) fn wager(&self, kind: K) -> Option<&'a Wager<K>> {
        self.wagers.iter().copied().find(|wager| wager.kind == kind)
    }

    pub(crate) fn has(&self, kind: K) -> bool {
        self.wager(kind).is_some()
    }

    pub(crate) fn ante(&self) -> Option<&'a Wager<K>> {
        self.wager(K::ANTE)
    }

    /// The play wager if it counts: there is an ante, and the hand was not given up.
    pub(crate) fn play(&self) -> Option<&'a Wager<K>> {
        let gave_up = matches!(self.announced(), Some(Decision::Fold | Decision::Forfeit));
        self.wager(K::PLAY)
            .filter(|_| self.ante().is_some() && !gave_up)
    }

    /// Only a seat in the round is dealt cards: a wager that goes back holds no hand.
    pub(crate) fn is_in_round(&self) -> bool {
        self.in_round
    }

    /// The hand unless it is dead, because nothing at the seat buys one.
    pub(crate) fn hand(&self) -> Option<&'a DealtHand> {
        let (_, hand) = self.hand?;
        self.in_round.then_some(hand)
    }

    pub(crate) fn cards(&self) -> Option<&'a [Card]> {
        self.hand().map(|hand| &*hand.cards)
    }

    /// The decision as it counts: none without an ante, and a fold where no play wager was put up.
    pub(crate) fn decision(&self) -> Option<Decision> {
        match self.announced() {
            Some(Decision::Play | Decision::Fold) if self.ante().is_none() => None,
            Some(Decision::Play) if !self.has(K::PLAY) => Some(Decision::Fold),
            announced => announced,
        }
    }

    pub(crate) fn stayed_in(&self) -> bool {
        self.decision() == Some(Decision::Play)
    }

    pub(crate) fn is_abandoned(&self) -> bool {
        self.decision() == Some(Decision::Abandoned)
    }

    pub(crate) fn person(&self) -> Person<'a> {
        match self.hand.and_then(|(_, hand)| hand.player.as_deref()) {
            Some(name) => Person::Named(name),
            None => Person::At(self.seat),
        }
    }

    fn announced(&self) -> Option<Decision> {
        self.hand.and_then(|(_, hand)| hand.decision)
    }
}

impl<'a, K: Kind> Seats<'a, K> {
    /// Refuses wagers and hands that do not belong together. `decisions` are those of the edition, `buying` the
    /// wagers that each buy a hand.
    pub(crate) fn read(
        wagers: &'a [Wager<K>],
        hands: &'a [DealtHand],
        decisions: &[Decision],
        buying: &[K],
        is_offered: impl Fn(K) -> bool,
    ) -> Result<Seats<'a, K>, Refusal> {
        let mut seats = read_hands(hands, decisions)?;
        read_wagers(wagers, buying, is_offered, &mut seats)?;
        let seats = Seats {
            seats: seats.into_values().collect(),
        };
        for (index, play) in wagers.iter().enumerate() {
            if play.kind == K::PLAY
                && let Some(ante) = seats.at(play.seat).and_then(AtSeat::ante)
                && play.on.as_ref() != Some(&ante.id)
            {
                let what = format!("a play wager is on the ante of its seat, {:?}", ante.id);
                return Err(Refusal::at(format!("wagers[{index}].on"), what));
            }
        }
        Ok(seats)
    }

    /// Outside a void round every ante was played, or given up.
    pub(crate) fn check_decided(&self) -> Result<(), Refusal> {
        let undecided = |at: &&AtSeat<'a, K>| at.ante().is_some() && at.decision().is_none();
        match self.iter().find(undecided).and_then(|at| at.hand) {
            Some((index, hand)) => Err(Refusal::at(
                format!("play.hands[{index}].decision"),
                format!("seat {} has an ante and no decision", hand.seat),
            )),
            None => Ok(()),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &AtSeat<'a, K>> {
        self.seats.iter()
    }

    pub(crate) fn at(&self, seat: Seat) -> Option<&AtSeat<'a, K>> {
        let index = self.seats.binary_search_by_key(&seat, |at| at.seat).ok()?;
        self.seats.get(index)
    }

    /// The hands that somebody holds.
    pub(crate) fn hands(&self) -> impl Iterator<Item = &'a DealtHand> {
        self.iter().filter_map(AtSeat::hand)
    }

    /// Takes from the table the chips of `progressive` that are no wager: of another stake, or without the standard
    /// wagers of the game beside them. They go back.
    pub(crate) fn give_back_chips(
        &mut self,
        progressive: K,
        stake: Cents,
        standard: &[K],
        violations: &mut Violations,
    ) {
        for at in &mut self.seats {
            let Some(wager) = at.wager(progressive) else {
                continue;
            };
            let chip = Chip {
                amount: wager.amount,
                stake,
                beside_standard: standard.iter().all(|&kind| at.has(kind)),
            };
            if !chip.counts("wager.progressive_amount", violations) {
                at.wagers.retain(|other| other.kind != progressive);
            }
        }
    }

    /// Flags hands without a wager, decisions without an ante, and play wagers that are missing or
    /// should not be there.
    pub(crate) fn flag_decisions(&self, violations: &mut Violations) {
        for at in self.iter() {
            let announced = at.announced();
            let has_ante = at.ante().is_some();
            let has_play = at.has(K::PLAY);
            violations.add_if(at.hand.is_some() && !at.in_round, "deal.hand_without_wager");
            violations.add_if(
                !has_ante && matches!(announced, Some(Decision::Play | Decision::Fold)),
                "procedure.decision_without_ante",
            );
            violations.add_if(
                has_ante && !has_play && announced == Some(Decision::Play),
                "wager.play_missing",
            );
            violations.add_if(has_play && at.play().is_none(), "wager.play_without_ante");
        }
    }

    /// Flags seats that the table does not have, whatever lies there.
    pub(crate) fn flag_seats_above(&self, positions: u16, violations: &mut Violations) {
        let highest = self.seats.last().map_or(0, |at| at.seat.number());
        violations.add_if(highest > positions, "table.seat");
    }

    /// Flags a person who holds more than `most` hands, or hands that are not side by side.
    pub(crate) fn flag_positions(&self, most: u64, violations: &mut Violations) {
        let mut held: BTreeMap<&str, Vec<u16>> = BTreeMap::new();
        for hand in self.hands() {
            if let Some(player) = &hand.player {
                held.entry(player).or_default().push(hand.seat.number());
            }
        }
        for seats in held.values() {
            // Ascending, as the seats are.
            let adjacent = seats.windows(2).all(|pair| pair[0] + 1 == pair[1]);
            violations.add_if(
                seats.len() as u64 > most || !adjacent,
                "wager.multi_position",
            );
        }
    }

    /// Flags what is wrong with the cards themselves. `explained` if an irregularity voids the round already.
    pub(crate) fn flag_cards(
        &self,
        dealer: Option<&[Card]>,
        deal: &Deal,
        explained: bool,
        violations: &mut Violations,
    ) -> CardFaults {
        let lists = || {
            let held = self.hands().map(|hand| (hand.cards.len(), deal.hand));
            held.chain(dealer.map(|cards| (cards.len(), deal.house)))
        };
        let too_many = lists().any(|(cards, due)| cards > due);
        let too_few = lists().any(|(cards, due)| cards < due);

        // A dead hand comes from the same deck.
        let dealt = self.iter().filter_map(|at| at.hand);
        let dealt = dealt.flat_map(|(_, hand)| &hand.cards);
        let mut seen = CardSet::EMPTY;
        for &card in dealt.chain(dealer.unwrap_or_default()) {
            violations.add_if(!seen.insert(card), "deck.duplicate_card");
        }
        let joker = seen.contains(Card::JOKER);
        violations.add_if(joker, "deck.foreign_card");
        violations.add_if(too_many && !explained, "deal.card_count");
        CardFaults {
            too_many,
            too_few,
            joker,
        }
    }

    /// Cards that are missing show no misdeal: outside a void round the document is incomplete.
    pub(crate) fn check_complete(
        &self,
        dealer: Option<&[Card]>,
        deal: &Deal,
    ) -> Result<(), Refusal> {
        let held = self.iter().filter(|at| at.in_round);
        let held = held.filter_map(|at| at.hand);
        for (index, hand) in held {
            refuse_short(format!("play.hands[{index}].cards"), &hand.cards, deal.hand)?;
        }
        match dealer {
            Some(cards) => refuse_short("play.dealer".to_owned(), cards, deal.house),
            None => Ok(()),
        }
    }

    /// What each progressive wager of the kind gets in all: its own prize and envy. Paid in dealing
    /// order from the moving meter. `folded_qualify` if a folded hand is as good as a played one.
    pub(crate) fn progressive_totals(
        &self,
        kind: K,
        folded_qualify: bool,
        mut meter: Meter,
        prize: impl Fn(&[Card]) -> Option<Pay>,
        envy: impl Fn(&[Card]) -> Option<Envy>,
    ) -> Result<ProgressiveTotals, Refusal> {
        let live = |at: &AtSeat<'a, K>| match at.decision() {
            None | Some(Decision::Play) => at.cards(),
            Some(Decision::Fold) => at.cards().filter(|_| folded_qualify),
            Some(Decision::Forfeit | Decision::Abandoned) => None,
        };
        let position = |at: &AtSeat<'a, K>| Position {
            person: at.person(),
            stake: at
                .wager(kind)
                .filter(|_| !at.is_abandoned())
                .map(|bet| bet.amount),
            prize: live(at).and_then(&prize).unwrap_or(Pay::Lose),
            envy: live(at).and_then(&envy).unwrap_or_default(),
        };
        let positions: Vec<Position<_>> = self.iter().map(position).collect();
        let totals = progressive::totals(&positions, &mut meter)?;
        let seats = self.iter().map(|at| at.seat);
        Ok(ProgressiveTotals(seats.zip(totals).collect()))
    }
}

fn refuse_short(place: String, cards: &[Card], due: usize) -> Result<(), Refusal> {
    if cards.len() >= due {
        return Ok(());
    }
    let what = format!(
        "{} of {due} cards are there, and nothing says that the round is void",
        cards.len()
    );
    Err(Refusal::at(place, what))
}

type BySeat<'a, K> = BTreeMap<Seat, AtSeat<'a, K>>;

fn read_hands<'a, K: Kind>(
    hands: &'a [DealtHand],
    decisions: &[Decision],
) -> Result<BySeat<'a, K>, Refusal> {
    let mut seats = BTreeMap::new();
    for (index, hand) in hands.iter().enumerate() {
        let refuse =
            |key: &str, what: String| Err(Refusal::at(format!("play.hands[{index}].{key}"), what));
        if hand.seat == Seat::HOUSE {
            return refuse("seat", "seats are numbered from 1".into());
        }
        if let Some(decision) = hand.decision
            && !decisions.contains(&decision)
        {
            return refuse(
                "decision",
                format!("{:?} is not a decision of this text", decision.word()),
            );
        }
        let at = AtSeat::new(hand.seat, Some((index, hand)));
        if seats.insert(hand.seat, at).is_some() {
            return refuse("seat", format!("seat {} has two hands", hand.seat));
        }
    }
    Ok(seats)
}

fn read_wagers<'a, K: Kind>(
    wagers: &'a [Wager<K>],
    buying: &[K],
    is_offered: impl Fn(K) -> bool,
    seats: &mut BySeat<'a, K>,
) -> Result<(), Refusal> {
    let mut not_offered: Vec<&Wager<K>> = Vec::new();
    for (index, wager) in wagers.iter().enumerate() {
        let seat = wager.seat;
        let at = match seats.entry(seat) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(AtSeat::new(seat, None)),
        };
        let same = |other: &&Wager<K>| other.seat == seat && other.kind == wager.kind;
        if at.has(wager.kind) || not_offered.iter().any(same) {
            let what = format!("seat {seat} has two wagers of this kind");
            return Err(Refusal::at(format!("wagers[{index}].kind"), what));
        }
        if !is_offered(wager.kind) {
            not_offered.push(wager);
            continue;
        }
        at.wagers.push(wager);
        at.in_round |= buying.contains(&wager.kind);
        if at.in_round && at.hand.is_none() {
            let what = format!("seat {seat} has bought a hand and has no entry");
            return Err(Refusal::at("play.hands", what));
        }
    }
    Ok(())
}

/// Where cards lie in `play` that can decide a wager.
#[derive(Debug)]
pub(crate) struct Places<'a, K> {
    pub(crate) wagers: &'a [Wager<K>],
    pub(crate) hands: &'a [DealtHand],
}

impl<K: Kind> Places<'_, K> {
    /// What was done with the hand of a seat, as it counts: nobody folds without an ante.
    pub(crate) fn decision(&self, hand: &DealtHand) -> Option<Decision> {
        let is_ante = |wager: &Wager<K>| wager.seat == hand.seat && wager.kind == K::ANTE;
        let has_ante = self.wagers.iter().any(is_ante);
        let counts = |decision: &Decision| has_ante || *decision != Decision::Fold;
        hand.decision.filter(counts)
    }

    /// Hands of which this holds. One that no wager could have bought is nobody's.
    pub(crate) fn hands(&self, is_meant: impl Fn(&DealtHand) -> bool) -> Vec<String> {
        let may_be_held = |hand: &DealtHand| {
            let mut wagers = self.wagers.iter();
            wagers.any(|wager| wager.seat == hand.seat && wager.kind != K::PLAY)
        };
        let hands = self.hands.iter().enumerate();
        let meant = hands.filter(|(_, hand)| may_be_held(hand) && is_meant(hand));
        meant.map(|(at, _)| format!("hands[{at}]")).collect()
    }

    /// The hand of a wager's seat unless this was done with it.
    pub(crate) fn own(&self, wager: &Wager<K>, given_up: &[Decision]) -> Vec<String> {
        let is_kept = |hand: &DealtHand| {
            let decision = self.decision(hand);
            !decision.is_some_and(|decision| given_up.contains(&decision))
        };
        self.hands(|hand| hand.seat == wager.seat && is_kept(hand))
    }

    /// A wager against the dealer, which a hand that was given up has lost.
    pub(crate) fn against_dealer(&self, wager: &Wager<K>) -> Vec<String> {
        let mut places = self.own(wager, &Decision::GIVEN_UP);
        if !places.is_empty() {
            places.push("dealer".to_owned());
        }
        places
    }

    /// A progressive wager: what was shared of the meter before, and envy, come from the hands of others.
    pub(crate) fn progressive(&self, wager: &Wager<K>, folded_qualify: bool) -> Vec<String> {
        let left = |hand: &DealtHand| {
            hand.seat == wager.seat && hand.decision == Some(Decision::Abandoned)
        };
        let counts = |hand: &DealtHand| match self.decision(hand) {
            None | Some(Decision::Play) => true,
            Some(Decision::Fold) => folded_qualify,
            Some(Decision::Forfeit | Decision::Abandoned) => false,
        };
        let mut places = self.hands(counts);
        if self.hands.iter().any(left) {
            places.clear();
        }
        if !places.is_empty() {
            places.push("meters.progressive".to_owned());
        }
        places
    }
}

/// What the progressive wager of each seat gets in all.
#[derive(Debug, Default)]
pub(crate) struct ProgressiveTotals(Vec<(Seat, Cents)>);

impl ProgressiveTotals {
    pub(crate) fn settle<K>(&self, wager: &Wager<K>) -> Settled {
        let total = self.0.iter().find(|(seat, _)| *seat == wager.seat);
        progressive::settle_for(wager, total.map_or(Cents::ZERO, |&(_, total)| total))
    }
}

/// What the cards themselves show to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CardFaults {
    pub(crate) too_many: bool,
    pub(crate) too_few: bool,
    pub(crate) joker: bool,
}

impl CardFaults {
    /// Is the round void by them alone? Cards that are missing may merely not have been written down.
    pub(crate) fn void(self) -> bool {
        self.too_many || self.joker
    }
}

/// The same verdict with a bonus on top, which is paid even on a push or a loss.
pub(crate) fn with_bonus(settled: Settled, bonus: Cents) -> Settled {
    Settled {
        win: settled.win + bonus,
        returned: settled.returned + bonus,
        ..settled
    }
}

/// The same verdict with its win cut to the posted limit, if there is one.
pub(crate) fn capped(settled: Settled, limit: Option<Cents>) -> Settled {
    let cut = limit.map_or(Cents::ZERO, |limit| (settled.win - limit).max(Cents::ZERO));
    Settled {
        win: settled.win - cut,
        returned: settled.returned - cut,
        ..settled
    }
}

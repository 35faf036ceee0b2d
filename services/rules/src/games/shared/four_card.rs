//! Four card poker and crazy four poker: the best four of a seat's five cards against the dealer, a pay
//! table on the same four, and the multi-link progressive on all five.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::ante_play::{
    self, AtSeat, DealtHand, Decision, Irregularity, Places, ProgressiveTotals, Seats, Shuffler,
    Wager, capped, face_up_cards,
};
use super::deal::{Deal, Dealing, Irregular};
use super::minimum;
use super::ohio_progressives::MultiLink;
use super::progressive::Meters;
use super::stud::course::{Course, StudPlay, any};
use crate::book::{BookError, EditionBook, LeastLimit};
use crate::floor::{Card, Cents, Odds, Rank, Rounding};
use crate::hands::five;
use crate::hands::four::{self, Category, Hand};
use crate::refusal::Refusal;
use crate::round::document;
use crate::settlement::{Outcome, Settled, Violations};
use crate::unseen::Reach;

/// The kinds of wager of such a game.
pub(crate) trait Kind: ante_play::Kind + 'static {
    const PROGRESSIVE: Self;
    /// The wagers that a progressive one is made beside.
    const STANDARD: &'static [Self];

    /// May the house leave it out? Then it looks at no hand of the dealer.
    fn is_optional(self) -> bool;

    /// Does it go back where there is no ante, as a play wager does?
    fn needs_ante(self) -> bool {
        false
    }
}

/// The data file of one game, and what sets that game apart from the other.
pub(crate) trait Rules {
    type Kind: Kind;

    fn house(&self) -> &House<Self::Kind>;

    /// Flags wagers that break the game's own rules.
    fn flag_wagers(&self, seats: &Seats<'_, Self::Kind>, violations: &mut Violations);

    /// Settles a wager on a hand that was not given up. The dealer is there if the hand stayed in.
    fn settle_hand(&self, wager: &Wager<Self::Kind>, player: Hand, dealer: Option<Hand>)
    -> Settled;
}

pub(crate) fn settle<R: Rules>(
    rules: &R,
    options: &Options<R::Kind>,
    wagers: &[Wager<R::Kind>],
    play: &Play,
) -> Result<Outcome, Refusal> {
    let house = rules.house();
    let deal = &house.deal;
    let entries = play.irregularities.iter();
    let told = entries.map(|entry| (entry.code, entry.count));
    let face_up = face_up_cards(deal, options.dealing, told.clone())?;
    let is_offered = |kind| is_offered(options, kind);
    let mut seats = Seats::read(wagers, &play.hands, &DECISIONS, &house.buying, is_offered)?;

    let mut violations = Violations::default();
    house.flag(options, wagers, &seats, &mut violations);
    let limit = minimum::limit_at_least(options.max_payout, &house.least_limit, None);
    violations.add_if(limit.is_below, "config.payout_limit_too_low");
    rules.flag_wagers(&seats, &mut violations);
    seats.give_back_chips(
        R::Kind::PROGRESSIVE,
        options.progressive_bet,
        R::Kind::STANDARD,
        &mut violations,
    );
    let mut codes = told.map(|(code, _)| code);
    let voided = codes.clone().any(|code| deal.voids(code, face_up));
    // Without a rule, cards found face up are a supervisor's matter.
    violations.add_if(
        !deal.rules_on_face_up_cards() && codes.any(|code| code == Irregular::FaceUpCard),
        "deal.face_up_card",
    );
    let dealer = play.dealer.as_deref().filter(|cards| !cards.is_empty());
    let faults = seats.flag_cards(dealer, deal, voided, &mut violations);
    if voided || faults.void() {
        let wagers = wagers.iter().map(Settled::void).collect();
        return Ok(Outcome::of_wagers(wagers, violations));
    }

    seats.check_complete(dealer, deal)?;
    let dealer = dealer.and_then(four::rank);
    seats.check_decided()?;
    check_dealer(dealer, &seats)?;
    let progressive = house.progressive_totals(options, play.meters, &seats)?;
    let settle = |wager: &Wager<R::Kind>| {
        let Some(at) = counting_seat(&seats, wager) else {
            return Settled::void(wager);
        };
        if at.is_abandoned() {
            return Settled::lose(wager);
        }
        if wager.kind == R::Kind::PROGRESSIVE {
            return progressive.settle(wager);
        }
        let folded = at.decision() == Some(Decision::Fold);
        match at.cards().and_then(four::rank).filter(|_| !folded) {
            Some(player) => {
                let settled = rules.settle_hand(wager, player, dealer);
                capped(settled, limit.due)
            }
            None => Settled::lose(wager),
        }
    };
    let wagers = wagers.iter().map(settle).collect();
    Ok(Outcome::of_wagers(wagers, violations))
}

/// What of `play` can decide a wager. A hand that was given up has lost all but the envy of its owner.
pub(crate) fn decided_by<K: Kind>(wagers: &[Wager<K>], play: &Play, wager: &Wager<K>) -> Reach {
    let hands = &play.hands;
    let places = Places { wagers, hands };
    Reach::Only(match wager.kind {
        kind if kind == K::PROGRESSIVE => places.progressive(wager, false),
        kind if kind.is_optional() => places.own(wager, &Decision::GIVEN_UP),
        _ => places.against_dealer(wager),
    })
}

const DECISIONS: [Decision; 3] = [Decision::Play, Decision::Fold, Decision::Abandoned];

/// The seat of a wager that counts; none if the wager goes back whatever happens.
fn counting_seat<'s, 'a, K: Kind>(
    seats: &'s Seats<'a, K>,
    wager: &Wager<K>,
) -> Option<&'s AtSeat<'a, K>> {
    let at = seats.at(wager.seat)?;
    let counts = match wager.kind {
        kind if kind == K::PLAY => at.play().is_some(),
        kind => {
            let is_bought = at.ante().is_some() || !kind.needs_ante();
            at.has(kind) && at.is_in_round() && is_bought
        }
    };
    counts.then_some(at)
}

/// The dealer's hand may stay unseen only if nobody stayed in.
fn check_dealer<K: Kind>(dealer: Option<Hand>, seats: &Seats<'_, K>) -> Result<(), Refusal> {
    if dealer.is_none() && seats.iter().any(|at| at.stayed_in()) {
        let what = "a seat stayed in against the dealer: write his cards";
        return Err(Refusal::at("play.dealer", what));
    }
    Ok(())
}

/// The options of both games; crazy four poker leaves the number of positions no choice.
#[derive(Clone, Debug, Deserialize)]
pub struct Options<K> {
    offered: Vec<K>,
    max_payout: Option<Cents>,
    dealing: Dealing,
    #[serde(default = "one_position")]
    max_positions: u64,
    shuffler: Shuffler,
    alternating_decks: bool,
    progressive_bet: Cents,
    progressive_reset: Cents,
}

fn one_position() -> u64 {
    1
}

document! {
    Play {
        pub hands: Vec<DealtHand>,
        ?
        pub dealer: Option<Vec<Card>>,
        pub meters: Meters,
        pub irregularities: Vec<Irregularity>,
    }
}

impl StudPlay for Play {
    type Irregularity = Irregularity;

    fn of(course: Course<Irregularity>) -> Play {
        Play {
            meters: course.meters(),
            dealer: any(course.house),
            hands: course.hands,
            irregularities: course.irregularities,
        }
    }
}

/// A pay table on four cards; a row that it does not have pays nothing by itself.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FourCardTable {
    four_aces: Option<Odds>,
    four_of_a_kind: Option<Odds>,
    straight_flush: Option<Odds>,
    three_of_a_kind: Option<Odds>,
    flush: Option<Odds>,
    straight: Option<Odds>,
    two_pair: Option<Odds>,
    pair_of_aces: Option<Odds>,
    pair_of_queens_or_better: Option<Odds>,
}

impl FourCardTable {
    /// The odds by the most specific row that the table has.
    pub(crate) fn pays(&self, hand: Hand) -> Option<Odds> {
        let rank = hand.ranks()[0];
        match hand.category() {
            Category::FourOfAKind if rank == Rank::Ace => self.four_aces.or(self.four_of_a_kind),
            Category::FourOfAKind => self.four_of_a_kind,
            Category::StraightFlush => self.straight_flush,
            Category::ThreeOfAKind => self.three_of_a_kind,
            Category::Flush => self.flush,
            Category::Straight => self.straight,
            Category::TwoPair => self.two_pair,
            Category::Pair if rank == Rank::Ace => {
                self.pair_of_aces.or(self.pair_of_queens_or_better)
            }
            Category::Pair if rank >= Rank::Queen => self.pair_of_queens_or_better,
            Category::Pair | Category::HighCard => None,
        }
    }
}

/// Ante and play are paid by it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MainTable {
    pub(crate) ante: Odds,
    pub(crate) play: Odds,
}

/// What both games take from the data file.
#[derive(Debug)]
pub(crate) struct House<K> {
    pub(crate) deal: Deal,
    /// Wagers that each buy a hand.
    buying: Vec<K>,
    pub(crate) main: MainTable,
    multi_link: MultiLink,
    positions: u16,
    positions_a_player: u64,
    least_limit: LeastLimit,
}

impl<K: Kind + DeserializeOwned> House<K> {
    pub(crate) fn read(book: &EditionBook<'_>) -> Result<House<K>, BookError> {
        Ok(House {
            deal: Deal::read(book)?,
            buying: ante_play::buying(book)?,
            main: book.table("main")?,
            multi_link: MultiLink::read(book)?,
            positions: book.figure("positions")?,
            positions_a_player: book.figure("positions_a_player")?,
            least_limit: book.least_limit("max_payout")?,
        })
    }
}

impl<K: Kind> House<K> {
    /// Flags what is wrong with options and wagers, whatever the cards and the game.
    fn flag(
        &self,
        options: &Options<K>,
        wagers: &[Wager<K>],
        seats: &Seats<'_, K>,
        violations: &mut Violations,
    ) {
        violations.add_if(
            options.alternating_decks && options.shuffler == Shuffler::Manual,
            "config.second_deck_without_shuffler",
        );
        violations.add_if(
            options.max_positions > self.positions_a_player,
            "config.max_positions",
        );
        violations.add_if(
            wagers.iter().any(|wager| !is_offered(options, wager.kind)),
            "wager.not_offered",
        );
        seats.flag_decisions(violations);
        seats.flag_seats_above(self.positions, violations);
        let most = options.max_positions.min(self.positions_a_player);
        seats.flag_positions(most, violations);
    }

    /// What each progressive wager gets in all. Folded hands do not qualify: PC 1.A.iv.
    fn progressive_totals(
        &self,
        options: &Options<K>,
        meters: Meters,
        seats: &Seats<'_, K>,
    ) -> Result<ProgressiveTotals, Refusal> {
        let reset = options.progressive_reset;
        let category = |cards: &[Card]| five::rank(cards).map(|hand| hand.category());
        seats.progressive_totals(
            K::PROGRESSIVE,
            false,
            meters.meter(reset),
            |cards| Some(self.multi_link.row(category(cards)).0),
            |cards| Some(self.multi_link.row(category(cards)).1),
        )
    }
}

/// Ante, play and what goes with them are the game; the house chooses among the rest.
fn is_offered<K: Kind>(options: &Options<K>, kind: K) -> bool {
    !kind.is_optional() || options.offered.contains(&kind)
}

/// Pays by the row, if there is one.
pub(crate) fn pay_row<K>(wager: &Wager<K>, odds: Option<Odds>) -> Settled {
    match odds {
        Some(odds) => {
            let win = odds.win_on(wager.amount, Rounding::DOWN);
            Settled::win(wager, win, Cents::ZERO)
        }
        None => Settled::lose(wager),
    }
}

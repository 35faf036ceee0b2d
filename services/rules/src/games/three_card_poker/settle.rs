//! The settlement of a round of three card poker.

use std::cmp::Ordering;

use super::flags;
use super::hands::{Row, qualifies, row_of};
use super::{
    AnteBonus, Dealing, Irregularity, Kind, Options, Rules, ThreeCardPoker, Version, Wager,
};
use crate::Edition;
use crate::floor::{Card, Cents, Odds, Rounding};
use crate::games::shared::ante_play::{
    AtSeat, CardFaults, Decision, ProgressiveTotals, Seats, face_up_cards, with_bonus,
};
use crate::games::shared::deal::Irregular;
use crate::games::shared::minimum::{self, Posted};
use crate::hands::{five, three};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Settled, Violations};

pub(super) fn settle(rules: &Rules, round: &Round<ThreeCardPoker>) -> Result<Outcome, Refusal> {
    let (options, play) = (&round.options, &round.play);
    let entries = play.irregularities.iter();
    let told = entries.map(|entry| (entry.code, entry.count));
    let face_up = face_up_cards(&rules.deal, options.dealing, told)?;
    if play.meters.is_some() && !rules.kinds.contains(&Kind::Progressive) {
        return Err(Refusal::at("play.meters", "this text has no meter"));
    }
    let decisions = match round.edition {
        Edition::OhJack2017 => [Decision::Play, Decision::Fold, Decision::Abandoned],
        Edition::Mgc2017 | Edition::MgcAmended => {
            [Decision::Play, Decision::Fold, Decision::Forfeit]
        }
    };
    let is_offered = |kind| is_offered(rules, options, kind);
    let mut seats = Seats::read(
        &round.wagers,
        &play.hands,
        &decisions,
        &rules.buying,
        is_offered,
    )?;

    let mut violations = Violations::default();
    flags::flag_options(rules, round, &mut violations);
    flags::flag_wagers(rules, round, &seats, &mut violations);
    if round.edition == Edition::OhJack2017 {
        let stake = options.progressive_bet;
        seats.give_back_chips(Kind::Progressive, stake, &[Kind::Ante], &mut violations);
    }
    let standing = standing(rules, round, &seats, face_up, &mut violations);

    let table = Showdown::of(rules, round, &seats);
    let wagers = round.wagers.iter();
    let wagers = match standing {
        Standing::Void => wagers.map(Settled::void).collect(),
        Standing::PairPlusStands => wagers
            .map(|wager| table.settle_without_dealer(wager))
            .collect(),
        Standing::Stands => {
            seats.check_complete(dealer(round), &rules.deal)?;
            seats.check_decided()?;
            table.check_dealer()?;
            let progressive = table.progressive_totals()?;
            wagers
                .map(|wager| table.settle(wager, &progressive))
                .collect()
        }
    };
    Ok(Outcome::of_wagers(wagers, violations))
}

/// Ante and play are the game; the house chooses among the other wagers of the edition.
fn is_offered(rules: &Rules, options: &Options, kind: Kind) -> bool {
    let chosen = matches!(kind, Kind::Ante | Kind::Play) || options.offered.contains(&kind);
    chosen && rules.kinds.contains(&kind)
}

/// What an irregularity leaves of the round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Stands,
    /// Void, but a supervisor honours the wagers that the dealer's hand does not touch: §9.D.
    PairPlusStands,
    Void,
}

/// The dealer's cards, if any were written down.
fn dealer(round: &Round<ThreeCardPoker>) -> Option<&[Card]> {
    let cards = round.play.dealer.as_deref();
    cards.filter(|cards| !cards.is_empty())
}

fn standing(
    rules: &Rules,
    round: &Round<ThreeCardPoker>,
    seats: &Seats<'_, Kind>,
    face_up: u64,
    violations: &mut Violations,
) -> Standing {
    let entries = &round.play.irregularities;
    let voids = |entry: &&Irregularity| rules.deal.voids(entry.code, face_up);
    let voiding = || entries.iter().filter(voids);
    let has_voiding_entry = voiding().next().is_some();
    let faults = seats.flag_cards(dealer(round), &rules.deal, has_voiding_entry, violations);

    let honoured = round.edition == Edition::OhJack2017
        && round.options.dealing == Dealing::AutomatedShoe
        && has_voiding_entry
        && voiding().all(may_be_honoured)
        && is_explained(faults, entries);
    violations.add_if(
        !honoured && entries.iter().any(|entry| entry.independent_wagers_stand),
        "ruling.not_allowed",
    );
    match (has_voiding_entry || faults.void(), honoured) {
        (false, _) => Standing::Stands,
        (true, true) => Standing::PairPlusStands,
        (true, false) => Standing::Void,
    }
}

/// §9.D leaves a discretion after a misdeal and after a wrong count of the deck.
fn may_be_honoured(entry: &Irregularity) -> bool {
    entry.independent_wagers_stand
        && matches!(entry.code, Irregular::Misdeal | Irregular::DeckCount)
}

/// A wrong number of cards voids by §13.C, without discretion, unless it is the misdeal itself.
fn is_explained(faults: CardFaults, entries: &[Irregularity]) -> bool {
    let misdealt = || entries.iter().any(|entry| entry.code == Irregular::Misdeal);
    let wrong_number = faults.too_many || faults.too_few;
    !faults.joker && (!wrong_number || misdealt())
}

/// The table when the dealer turns his cards.
struct Showdown<'a> {
    rules: &'a Rules,
    round: &'a Round<ThreeCardPoker>,
    seats: &'a Seats<'a, Kind>,
    /// The dealer's cards with their rank, if he has three.
    dealer: Option<(&'a [Card], three::Hand)>,
}

/// How a hand that stayed in fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contest {
    DealerDoesNotQualify,
    Compared(Ordering),
}

impl<'a> Showdown<'a> {
    fn of(
        rules: &'a Rules,
        round: &'a Round<ThreeCardPoker>,
        seats: &'a Seats<'a, Kind>,
    ) -> Showdown<'a> {
        let dealer = dealer(round);
        Showdown {
            rules,
            round,
            seats,
            dealer: dealer.and_then(|cards| Some((cards, three::rank(cards)?))),
        }
    }

    /// The dealer's hand may stay unseen only if no wager asks for it.
    fn check_dealer(&self) -> Result<(), Refusal> {
        let asks = |at: &AtSeat<'_, Kind>| {
            at.stayed_in()
                || at.has(Kind::SixCardBonus) && at.is_in_round()
                || at.has(Kind::CoverAll) && self.cover_all_column().is_some()
        };
        if self.dealer.is_none() && self.seats.iter().any(asks) {
            let what = "the dealer's hand decides wagers of this round: write its three cards";
            return Err(Refusal::at("play.dealer", what));
        }
        Ok(())
    }

    fn settle(&self, wager: &Wager, progressive: &ProgressiveTotals) -> Settled {
        let Some(at) = self.counting_seat(wager) else {
            return Settled::void(wager);
        };
        if at.is_abandoned() {
            return Settled::lose(wager);
        }
        match wager.kind {
            Kind::Ante => self.settle_ante(at, wager),
            Kind::Play => self.settle_play(at, wager),
            Kind::PairPlus => self.settle_pair_plus(at, wager),
            Kind::SixCardBonus => self.settle_six_card_bonus(at, wager),
            Kind::CoverAll => self.settle_cover_all(wager),
            Kind::Progressive => progressive.settle(wager),
        }
    }

    /// A round in which only pair plus wagers on whole hands count.
    fn settle_without_dealer(&self, wager: &Wager) -> Settled {
        let whole = |at: &&AtSeat<'_, Kind>| {
            let cards = at.cards();
            cards.is_some_and(|cards| cards.len() == self.rules.deal.hand)
        };
        match self.counting_seat(wager).filter(whole) {
            Some(at) if wager.kind == Kind::PairPlus => self.settle_pair_plus(at, wager),
            _ => Settled::void(wager),
        }
    }

    /// The seat of a wager that counts; none if the wager goes back whatever happens.
    fn counting_seat(&self, wager: &Wager) -> Option<&AtSeat<'a, Kind>> {
        let at = self.seats.at(wager.seat)?;
        let counts = match wager.kind {
            Kind::Play => at.play().is_some(),
            Kind::CoverAll => at.has(Kind::CoverAll) && self.cover_all_column().is_some(),
            kind => at.has(kind) && at.is_in_round(),
        };
        counts.then_some(at)
    }

    fn contest(&self, at: &AtSeat<'_, Kind>) -> Option<Contest> {
        let (_, dealer) = self.dealer?;
        let player = three::rank(at.cards()?)?;
        at.stayed_in().then(|| {
            if qualifies(dealer) {
                Contest::Compared(player.cmp(&dealer))
            } else {
                Contest::DealerDoesNotQualify
            }
        })
    }

    /// The bonus is for the player's hand alone: it is paid on a push and on a loss too.
    fn settle_ante(&self, at: &AtSeat<'_, Kind>, wager: &Wager) -> Settled {
        let settled = match self.contest(at) {
            None => return Settled::lose(wager),
            Some(Contest::DealerDoesNotQualify | Contest::Compared(Ordering::Greater)) => {
                pay(wager, self.rules.main.ante)
            }
            Some(Contest::Compared(Ordering::Equal)) => Settled::push(wager),
            Some(Contest::Compared(Ordering::Less)) => Settled::lose(wager),
        };
        let table = self.rules.ante_bonus.get(&ante_bonus(self.round));
        let bonus = table
            .zip(at.cards())
            .and_then(|(table, cards)| table.pays(cards))
            .map_or(Cents::ZERO, |odds| {
                odds.win_on(wager.amount, Rounding::DOWN)
            });
        with_bonus(settled, bonus)
    }

    fn settle_play(&self, at: &AtSeat<'_, Kind>, wager: &Wager) -> Settled {
        match self.contest(at) {
            Some(Contest::Compared(Ordering::Greater)) => pay(wager, self.rules.main.play),
            Some(Contest::DealerDoesNotQualify | Contest::Compared(Ordering::Equal)) => {
                Settled::push(wager)
            }
            Some(Contest::Compared(Ordering::Less)) | None => Settled::lose(wager),
        }
    }

    fn settle_pair_plus(&self, at: &AtSeat<'_, Kind>, wager: &Wager) -> Settled {
        let given_up = match at.decision() {
            Some(Decision::Forfeit | Decision::Abandoned) => true,
            // §10.B.i of the Ohio text; s10(b) of the Massachusetts ones lets it stand.
            Some(Decision::Fold) => self.round.edition == Edition::OhJack2017,
            Some(Decision::Play) | None => false,
        };
        let row = at.cards().and_then(three::rank).and_then(row_of);
        let odds = row.and_then(|row| posted_pair_plus(self.rules, &self.round.options, row));
        let odds = odds.map(|odds| odds.due);
        pay_row(wager, odds.filter(|_| !given_up))
    }

    /// A fold does not matter here, only a hand that was never shown.
    fn settle_six_card_bonus(&self, at: &AtSeat<'_, Kind>, wager: &Wager) -> Settled {
        let six: Vec<Card> = [self.dealer.map(|(cards, _)| cards), at.cards()]
            .into_iter()
            .flatten()
            .flatten()
            .copied()
            .collect();
        let options = &self.round.options;
        let table = options
            .six_card_table
            .and_then(|choice| self.rules.six_card.get(&choice));
        let odds = five::rank(&six).and_then(|hand| table?.row(hand.category()));
        let shown = at.decision() != Some(Decision::Forfeit);
        let Some(odds) = odds.filter(|_| shown) else {
            return Settled::lose(wager);
        };
        let win = odds.win_on(wager.amount, Rounding::DOWN);
        let win = match payout_limit(self.rules, options).due {
            // §12.G: the limit is on all that the hand wins, but only these odds give way to it.
            Some(limit) => win.min((limit - self.won_before(at)).max(Cents::ZERO)),
            None => win,
        };
        Settled::win(wager, win, Cents::ZERO)
    }

    /// What ante, play and pair plus of the seat win.
    fn won_before(&self, at: &AtSeat<'_, Kind>) -> Cents {
        [Kind::Ante, Kind::Play, Kind::PairPlus]
            .into_iter()
            .filter_map(|kind| at.wager(kind))
            .map(|wager| self.settle(wager, &ProgressiveTotals::default()).win)
            .sum()
    }

    /// Odds by the number of hands in the round; s12(k) has a column for one to seven.
    fn cover_all_column(&self) -> Option<usize> {
        let hands = self.seats.hands().count();
        hands
            .checked_sub(1)
            .filter(|&column| column < self.rules.cover_all.len())
    }

    /// The highest hand of the table, the dealer's included, folded ones too: all that were shown.
    fn settle_cover_all(&self, wager: &Wager) -> Settled {
        let shown = self
            .seats
            .iter()
            .filter(|at| at.decision() != Some(Decision::Forfeit))
            .filter_map(|at| three::rank(at.cards()?));
        let highest = shown.chain(self.dealer.map(|(_, hand)| hand)).max();
        let column = self.cover_all_column();
        let table = column.and_then(|column| self.rules.cover_all.get(column));
        let odds = table
            .zip(highest)
            .and_then(|(table, hand)| table.pays_hand(hand));
        pay_row(wager, odds)
    }

    fn progressive_totals(&self) -> Result<ProgressiveTotals, Refusal> {
        let options = &self.round.options;
        let (Some(table), Some(envy)) = (
            options
                .progressive_table
                .and_then(|choice| self.rules.progressive.get(&choice)),
            self.rules.envy.as_ref(),
        ) else {
            return Ok(ProgressiveTotals::default());
        };
        let meters = self.round.play.meters.unwrap_or_default();
        let reset = options.progressive_reset;
        self.seats.progressive_totals(
            Kind::Progressive,
            options.progressive_folded_qualify,
            meters.meter(reset),
            |cards| table.pays(cards),
            |cards| envy.pays(cards),
        )
    }
}

/// The house's choice; left out, table A goes with the versions of s6(f). Ohio has one table.
pub(super) fn ante_bonus(round: &Round<ThreeCardPoker>) -> AnteBonus {
    let by_version = match round.options.version {
        Version::Open => AnteBonus::Standard,
        _ if round.edition == Edition::OhJack2017 => AnteBonus::Standard,
        _ => AnteBonus::A,
    };
    round.options.ante_bonus.unwrap_or(by_version)
}

/// A row that is not posted stays at its minimum; a mini royal follows a posted straight flush.
pub(super) fn posted_pair_plus(rules: &Rules, options: &Options, row: Row) -> Option<Posted<Odds>> {
    let posted = |row| options.pair_plus_pays.get(&row).copied();
    let of_straight_flush = || match row {
        Row::MiniRoyal => posted(Row::StraightFlush),
        _ => None,
    };
    let least = rules.pair_plus_floor.row(row)?;
    let posted = posted(row).or_else(of_straight_flush);
    Some(minimum::at_least(posted.unwrap_or(least), least))
}

/// §12.G: a text without a limit has no option for one.
pub(super) fn payout_limit(rules: &Rules, options: &Options) -> Posted<Option<Cents>> {
    let least = rules.least_limit.as_ref();
    least.map_or(Posted::of(None), |least| {
        minimum::limit_at_least(options.max_payout, least, None)
    })
}

fn pay(wager: &Wager, odds: Odds) -> Settled {
    let win = odds.win_on(wager.amount, Rounding::DOWN);
    Settled::win(wager, win, Cents::ZERO)
}

fn pay_row(wager: &Wager, odds: Option<Odds>) -> Settled {
    odds.map_or_else(|| Settled::lose(wager), |odds| pay(wager, odds))
}

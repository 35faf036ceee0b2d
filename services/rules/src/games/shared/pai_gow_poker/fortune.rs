//! Wagers on the seven cards of an area: fortune and bonus wagers, envy, progressives.

use std::collections::BTreeMap;

use super::checks::Checked;
use super::document::{Kind, Play, Wager};
use super::seven::{FortuneProgressiveRow, FortuneRow, Rows, RoyalMatch, Seven, full_table};
use super::slips::Slips;
use crate::book::{BookError, EditionBook, Pay};
use crate::floor::{Cents, Odds, Rounding, Seat};
use crate::games::shared::pai_gow::Owner;
use crate::games::shared::progressive::{Meter, award};
use crate::refusal::Refusal;
use crate::settlement::{Settled, Verdict};

/// What the bonus or fortune wager pays.
#[derive(Debug)]
pub(crate) struct FortuneTable {
    odds: BTreeMap<FortuneRow, Odds>,
    envy: BTreeMap<FortuneRow, Cents>,
}

impl FortuneTable {
    pub(crate) fn of(
        book: &EditionBook<'_>,
        odds: &str,
        envy: &str,
    ) -> Result<FortuneTable, BookError> {
        let amounts: BTreeMap<FortuneRow, Pay> = book.table(envy)?;
        let amount = |(row, pay): (FortuneRow, Pay)| match pay {
            Pay::Fixed(amount) if row.is_premium() => Ok((row, amount)),
            _ => Err(book.error(format!("table {envy}: an amount for each premium hand"))),
        };
        let table = FortuneTable {
            odds: full_table(book, odds)?,
            envy: amounts.into_iter().map(amount).collect::<Result<_, _>>()?,
        };
        let premium = FortuneRow::ALL.iter().filter(|row| row.is_premium());
        if premium.count() != table.envy.len() {
            return Err(book.error(format!("table {envy}: an amount for each premium hand")));
        }
        Ok(table)
    }

    /// The best paying row that the cards make, and its odds.
    fn best(&self, seven: &Seven, royal_match: RoyalMatch) -> Option<(FortuneRow, Odds)> {
        best_paying(FortuneRow::ALL, |row| {
            let odds = self.odds.get(&row).copied()?;
            row.is_made_by(seven, royal_match).then_some(odds)
        })
    }
}

/// The row that pays most of those that pay at all; of equal ones the uppermost.
pub(crate) fn best_paying<R: Rows, P: Ord + Copy>(
    rows: &[R],
    pays: impl Fn(R) -> Option<P>,
) -> Option<(R, P)> {
    let mut best: Option<(R, P)> = None;
    for &row in rows {
        if let Some(pay) = pays(row)
            && best.is_none_or(|(_, most)| pay > most)
        {
            best = Some((row, pay));
        }
    }
    best
}

/// The seven cards of every area that plays for something, and what they make for the fortune table.
#[derive(Debug)]
pub(crate) struct Sevens<'a> {
    play: &'a Play,
    table: &'a FortuneTable,
    made: BTreeMap<Seat, (Seven, Option<(FortuneRow, Odds)>)>,
}

impl<'a> Sevens<'a> {
    /// Void and abandoned hands and hands without a wager play for nothing; the bank's hand does.
    pub(crate) fn of(
        play: &'a Play,
        checked: &Checked,
        table: &'a FortuneTable,
        royal_match: RoyalMatch,
    ) -> Sevens<'a> {
        let counting = play.hands.iter().filter(|hand| {
            let plays = checked.main(hand.seat).is_some() || play.bank_seat == Some(hand.seat);
            plays && fate(play, hand.seat).is_none()
        });
        let made = counting
            .filter_map(|hand| {
                let seven = Seven::of(&hand.cards)?;
                let best = table.best(&seven, royal_match);
                Some((hand.seat, (seven, best)))
            })
            .collect();
        Sevens { play, table, made }
    }

    pub(crate) fn cards(&self, area: Seat) -> Option<&Seven> {
        self.made.get(&area).map(|(seven, _)| seven)
    }

    /// Row and odds of the bonus or fortune wager.
    pub(crate) fn fortune(&self, area: Seat) -> Option<(FortuneRow, Odds)> {
        self.made.get(&area).and_then(|&(_, best)| best)
    }

    /// What the premium hands of all other people are worth to the holder of a marker.
    pub(crate) fn envy(&self, area: Seat) -> Cents {
        let own = self.play.owner(area);
        let others = self
            .made
            .iter()
            .filter(|&(&other, _)| self.play.owner(other) != own);
        others
            .filter_map(|(_, (_, best))| self.table.envy.get(&best.as_ref()?.0))
            .copied()
            .sum()
    }
}

/// What happens to all side wagers on a hand whatever its cards.
pub(super) fn fate(play: &Play, area: Seat) -> Option<Verdict> {
    if play.is_hand_void(area) {
        Some(Verdict::Void)
    } else if play.hand(area).is_some_and(|hand| hand.is_abandoned()) {
        Some(Verdict::Lose)
    } else {
        None
    }
}

/// Settles the side wagers on void and abandoned hands.
pub(crate) fn settle_fates(play: &Play, slips: &mut Slips<'_>) {
    for (index, wager) in slips.undecided() {
        match fate(play, wager.seat) {
            Some(Verdict::Void) => slips.put(index, Settled::void(wager)),
            Some(_) => slips.put(index, Settled::lose(wager)),
            None => {}
        }
    }
}

pub(crate) fn pay_odds(wager: &Wager, odds: Option<Odds>) -> Settled {
    match odds {
        Some(odds) => Settled::win(
            wager,
            odds.win_on(wager.amount, Rounding::DOWN),
            Cents::ZERO,
        ),
        None => Settled::lose(wager),
    }
}

pub(crate) fn pay_envy(wager: &Wager, sum: Cents) -> Settled {
    if sum.is_positive() {
        Settled::win(wager, sum, Cents::ZERO)
    } else {
        Settled::lose(wager)
    }
}

/// A win cut to what the posted maximum leaves.
pub(crate) fn at_most(wager: &Wager, settled: Settled, left: Cents) -> Settled {
    match settled.result {
        Verdict::Win if settled.win > left => Settled::win(wager, left, Cents::ZERO),
        _ => settled,
    }
}

/// The Fortune Pai Gow Progressive, P 4.
#[derive(Debug)]
pub(crate) struct FortuneProgressiveTable(BTreeMap<FortuneProgressiveRow, Pay>);

impl FortuneProgressiveTable {
    pub(crate) fn of(book: &EditionBook<'_>) -> Result<FortuneProgressiveTable, BookError> {
        full_table(book, "fortune_progressive").map(FortuneProgressiveTable)
    }
}

/// What the Ohio text pays on seven cards.
#[derive(Debug)]
pub(crate) struct OhioPays<'a> {
    pub(crate) progressive: &'a FortuneProgressiveTable,
    pub(crate) meter: Meter,
    /// For each fortune wager; envy has no maximum (14.G).
    pub(crate) max_payout: Option<Cents>,
}

/// Settles fortune, envy and progressive wagers of the Ohio text.
pub(crate) fn settle_ohio_side_wagers(
    pays: &OhioPays<'_>,
    play: &Play,
    sevens: &Sevens<'_>,
    slips: &mut Slips<'_>,
) -> Result<(), Refusal> {
    for (index, wager) in slips.undecided() {
        let settled = match wager.kind {
            Kind::Envy => pay_envy(wager, sevens.envy(wager.seat)),
            Kind::FortuneBonus => {
                let settled = pay_odds(wager, sevens.fortune(wager.seat).map(|(_, odds)| odds));
                match pays.max_payout {
                    Some(most) => at_most(wager, settled, most),
                    None => settled,
                }
            }
            _ => continue,
        };
        slips.put(index, settled);
    }
    settle_fortune_progressive(pays, play, sevens, slips)
}

/// In the order of dealing (P 6.A); folded hands do not qualify (P 1.A).
fn settle_fortune_progressive(
    pays: &OhioPays<'_>,
    play: &Play,
    sevens: &Sevens<'_>,
    slips: &mut Slips<'_>,
) -> Result<(), Refusal> {
    let mut meter = pays.meter;
    let first = play.deal.first.map_or(1, u16::from);
    let turn = |wager: &Wager| {
        (wager.kind == Kind::FortuneProgressive).then_some((wager.seat.number() + 7 - first) % 7)
    };
    for (index, wager) in slips.in_order(turn) {
        let surrendered = play.hand(wager.seat).is_some_and(|hand| hand.surrender);
        let row = sevens
            .cards(wager.seat)
            .filter(|_| !surrendered)
            .and_then(FortuneProgressiveRow::best);
        let prize = row.and_then(|row| pays.progressive.0.get(&row));
        let prize = prize.copied().unwrap_or(Pay::Lose);
        let total = meter.pay(prize, wager.amount)?;
        slips.put(index, award(wager, total));
    }
    Ok(())
}

/// What is left of a posted maximum for each person and round.
#[derive(Debug)]
pub(crate) struct PersonalLimit<'a> {
    most: Option<Cents>,
    paid: BTreeMap<Owner<'a>, Cents>,
}

impl<'a> PersonalLimit<'a> {
    pub(crate) fn new(most: Option<Cents>) -> PersonalLimit<'a> {
        PersonalLimit {
            most,
            paid: BTreeMap::new(),
        }
    }

    /// Cuts a win to what is left, and counts it.
    pub(crate) fn cut(&mut self, owner: Owner<'a>, wager: &Wager, settled: Settled) -> Settled {
        let Some(most) = self.most else {
            return settled;
        };
        let paid = self.paid.entry(owner).or_default();
        let settled = at_most(wager, settled, most - *paid);
        *paid += settled.win;
        settled
    }
}

//! The meter of a progressive wager, as it stood when its first prize was paid.

use catwalk_events::body::Body;
use catwalk_rules::book::Book;
use catwalk_rules::floor::Cents;

use crate::round::{RoundFold, WagerFold};

/// Its name in the document, and where there are others beside it.
const NAME: &str = "progressive";

/// The meter when the payouts began: as the round opened with it or as it was read since, by its own name
/// or as the only one. Stakes of the round may have gone onto it unread. 14(e),(g)
pub(super) fn shown(round: &RoundFold) -> Option<Cents> {
    let told = told(round)?;
    let mut paid = progressives(round).map(|wager| wager.paid.get());
    let fed = paid.find_map(|paid| fed(round, told, paid));
    Some(fed.unwrap_or(told))
}

/// Is this all of the meter, or a tenth of it?
pub(super) fn is_share(round: &RoundFold, paid: Cents) -> Option<bool> {
    Some(fed(round, told(round)?, paid.get()).is_some())
}

/// The meter that so much is a share of, if it can have come to that by the round's own stakes.
fn fed(round: &RoundFold, told: Cents, paid: i64) -> Option<Cents> {
    let stakes: Cents = progressives(round).map(|wager| wager.amount).sum();
    // A tenth is less a fraction of a cent.
    let tenth = told.max(Cents::new(paid.saturating_mul(10)));
    let tenth = Some(tenth).filter(|meter| meter.get() / 10 == paid);
    let mut meters = tenth.into_iter().chain([Cents::new(paid)]);
    meters.find(|meter| told <= *meter && *meter <= told + stakes)
}

fn told(round: &RoundFold) -> Option<Cents> {
    read(round).or_else(|| opened_with(round))
}

pub(super) fn opened_with(round: &RoundFold) -> Option<Cents> {
    let meters = round.opened.meters.as_ref()?;
    let named = meters.get(NAME).copied();
    named.or_else(|| match meters.len() {
        1 => meters.values().next().copied(),
        _ => None,
    })
}

/// As it was last read before a prize was paid.
fn read(round: &RoundFold) -> Option<Cents> {
    let keyed = progressives(round).filter_map(|wager| wager.paid_seq).min();
    let before = readings(round).filter(|(seq, _)| keyed.is_none_or(|keyed| *seq < keyed));
    before.last().map(|(_, amount)| amount)
}

/// What was read of it. Where the round opened with several meters, the others are none of its.
pub(super) fn readings(round: &RoundFold) -> impl Iterator<Item = (u64, Cents)> {
    let are_several = round
        .opened
        .meters
        .as_ref()
        .is_some_and(|all| all.len() > 1);
    round.play.iter().filter_map(move |(seq, body)| match body {
        Body::MeterRead(read) if !are_several || read.meter == NAME => Some((*seq, read.amount)),
        _ => None,
    })
}

pub(super) fn progressives(round: &RoundFold) -> impl Iterator<Item = &WagerFold> {
    let book = Book::of(&round.rules.game);
    let is_one = move |wager: &&WagerFold| {
        let entry = book.and_then(|book| book.wager(&wager.kind));
        entry.is_some_and(|entry| entry.meter.is_some())
    };
    round.wagers.iter().filter(is_one)
}

/// Could a wager of the round share in it?
pub(super) fn is_needed(round: &RoundFold) -> bool {
    progressives(round).any(|wager| !wager.late)
}

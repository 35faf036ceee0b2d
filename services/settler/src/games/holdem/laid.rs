//! What the data file of a hold'em game says of its layout, as the fold reads it, and what follows from that alone.

use catwalk_events::body::{Body, Decision, WagerPlaced};
use catwalk_rules::book::{Book, Layout, Void, WagerEntry};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Edition, Settlement};
use serde_json::{Map, Value};

use super::{checks, stopped};
use crate::games::verification::is_deferred;
use crate::games::{Documents, Folder, Following, Payments, Staking, Windows, felt};
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};

/// A hold'em game.
pub(super) trait Laid: Documents + Following + Sync {
    const GAME: &'static str;
}

fn entry(game: &str, kind: &str) -> Option<&'static WagerEntry> {
    Book::of(game)?.wager(kind)
}

fn is_later(game: &str, kind: &str) -> bool {
    entry(game, kind).is_some_and(|entry| entry.window() != MAIN_WINDOW)
}

/// The layout of a round's game in its edition.
pub(super) fn layout(round: &RoundFold) -> Option<&'static Layout> {
    let edition = Edition::from_name(&round.rules.edition)?;
    Book::of(&round.rules.game)?.layout(edition)
}

/// Is the wager on the player's own cards, whatever the house has?
pub(super) fn is_on_own_cards(round: &RoundFold, wager: &WagerFold) -> bool {
    entry(&round.rules.game, &wager.kind).is_some_and(|entry| entry.own_cards)
}

/// The kinds that are put up after the deal, in order.
pub(super) fn later(round: &RoundFold) -> Vec<&'static str> {
    let layout = layout(round).into_iter();
    layout.flat_map(Layout::later).collect()
}

/// What the document has of a wager, with the wager that it goes with.
pub(super) fn document_entry(round: &RoundFold, wager: &WagerFold) -> Map<String, Value> {
    let on = entry(&round.rules.game, &wager.kind).and_then(|entry| entry.on.as_deref());
    felt::entry(round, wager, on, &[])
}

/// What one limit holds together of a hand, and the least that it may let the hand have. `None` where the table has
/// no limit.
pub(super) fn limited(round: &RoundFold) -> Option<(Vec<&'static str>, Cents)> {
    let book = Book::of(&round.rules.game)?;
    let limited = || book.wagers().iter().filter(|wager| wager.limit.is_some());
    let name = limited().find_map(|wager| wager.limit.as_deref())?;
    let mut options = book.options().iter();
    let least = match round.rules.figure(name) {
        Some(figure) => Cents::new(figure.as_i64()?),
        None => {
            round
                .rules
                .option(name)
                .filter(|posted| !posted.is_null())?;
            let option = options.find(|option| option.key == name)?;
            option.minimum?.amount
        }
    };
    Some((limited().map(|wager| wager.kind.as_str()).collect(), least))
}

/// What a seat puts up next: the wager among what it may do with so many cards of the house in sight.
fn next_stake(round: &RoundFold) -> Option<&'static str> {
    let layout = layout(round)?;
    let play = &round.play;
    let open = felt::shown(play) + felt::visible(&felt::dealer(play));
    let mut acting = layout
        .streets
        .iter()
        .filter(|street| !street.acts.is_empty());
    let street = acting.rfind(|street| street.open <= open)?;
    let mut acts = street.acts.iter().map(String::as_str);
    acts.find(|act| is_later(&round.rules.game, act))
}

impl<G: Laid> Folder for G {
    fn game(&self) -> &'static str {
        G::GAME
    }
}

impl<G: Laid> Windows for G {
    /// A wager of a street out of its moment has its own code.
    fn window(&self, kind: &str) -> Option<&'static str> {
        (!is_later(G::GAME, kind)).then_some(MAIN_WINDOW)
    }

    fn closes(&self, _: &RoundFold, body: &Body) -> Option<&'static str> {
        matches!(body, Body::CardDealt(_)).then_some(MAIN_WINDOW)
    }

    /// Once down it stays as it is.
    fn is_locked(&self, round: &RoundFold, wager: &WagerFold) -> Option<bool> {
        let is_made = round.wager(&wager.id).is_some();
        (is_later(G::GAME, &wager.kind) && is_made).then_some(true)
    }
}

impl<G: Laid> Staking for G {
    fn keeps_stake(&self, kind: &str) -> bool {
        entry(G::GAME, kind).is_some_and(|entry| entry.stake_stays)
    }

    fn staked(&self, round: &RoundFold, decision: &Decision) -> Option<WagerPlaced> {
        let kind = next_stake(round)?;
        let word = decision.action.as_str();
        let is_put_up = word == kind || matches!(word, "play" | "bet" | "raise");
        let main = entry(G::GAME, kind)?.on.as_deref()?;
        is_put_up
            .then(|| felt::spoken_stake(round, decision, kind, main))
            .flatten()
    }
}

impl<G: Laid> Payments for G {
    /// What is against the house goes back from every void round, the rest where nothing stands; what the supervisor
    /// lets stand is paid by the game's own tables, without a share of a meter.
    fn gives_back(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        match stopped(round) {
            Void::Total => true,
            Void::ContestByChoice if self.keeps_stake(&wager.kind) => true,
            _ => !is_on_own_cards(round, wager),
        }
    }

    fn is_cut_together(
        &self,
        round: &RoundFold,
        wager: &WagerFold,
        settlement: &Settlement,
    ) -> bool {
        checks::is_cut_together(round, wager, settlement)
    }

    /// Without an identification the award waits at the cage. prog § 6.B
    fn is_paid_elsewhere(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        let waits = |told| is_deferred(told, wager.seat);
        let is_unpaid = self.keeps_stake(&wager.kind) && !wager.paid.is_positive();
        is_unpaid && round.irregularities().any(waits)
    }
}

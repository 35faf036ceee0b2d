//! Blackjack, Spanish 21 and Free Bet Blackjack from their events.
//!
//! - Cards to a `seat` (the only one that plays, where none is named; with its `hand`, which is 1 where
//!   none is named) and to the `dealer`, face up
//!   or down, turned over by `card_revealed`. At multiple action the dealer's cards name their hand;
//!   the up card is told once. Cards burned in the round are those of `card_burned`.
//! - Decisions by the page's verbs. A card to a seat belongs to the decision before it; without one
//!   it is a hit, or the second card of a split hand. A double or split may be told by its decision,
//!   by its stake (`wager_placed`, its hand in `detail`), or by both, in either order; a stake may be
//!   told by the `amount` of the decision alone.
//! - Insurance is a wager; even money a decision `even_money`, or one to one paid on a blackjack while
//!   nobody can know whether the dealer has one too.
//! - The hole card goes into the reader by a decision `hole_checked` of seat 0. At a table whose feed
//!   never tells of it, it is taken to be done when it had to be, unless play went on against a
//!   blackjack.
//! - `irregularity` has the keys of the round document in its `detail` (`seat` with `dead`,
//!   `void_round`, `reader_fault`, `bonus_display`, `determinant`), or names one of them as its kind, or its
//!   ruling says that a hand, the hands or the round are dead or void.
//! - A meter is told by `round_opened` or by a `meter_read` before an award; the display of the
//!   blackjack bonus by a `meter_read` whose name has "bonus" in it, and its seat where several play.
//! - A streak stays from round to round and counts its own wins.

mod boxes;
mod dealer;
mod document;
mod meters;
mod points;
mod rulings;
mod seating;
mod streaks;
mod told;
mod watch;

use catwalk_events::Event;
use catwalk_events::body::{Body, CardPlace};
use catwalk_rules::book::Book;
use serde_json::Value;

use super::{Documents, End, Folder, Following, Payments, Scene, Staking, Telling, Windows};
use crate::fault::Fault;
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};
use crate::standing::Standing;
use crate::table::RulesInForce;
use crate::watch::Posting;
use boxes::BoxFold;
use points::is_ace;
use told::{Told, root};
use watch::Kept;

/// One of the family, by its name in the rulebook.
pub(super) struct Blackjack(pub(super) &'static str);

impl Folder for Blackjack {
    fn game(&self) -> &'static str {
        self.0
    }
}

impl Windows for Blackjack {
    /// Stakes during play are judged by the play itself.
    fn window(&self, kind: &str) -> Option<&'static str> {
        match kind {
            "insurance" => Some("insurance"),
            _ if is_stake(kind).is_some() => None,
            _ => Some(MAIN_WINDOW),
        }
    }

    /// The first card closes the betting; at a double shoe that is the determinant card, burned or
    /// dealt, 3(j).
    fn closes(&self, round: &RoundFold, body: &Body) -> Option<&'static str> {
        let is_first = match body {
            Body::CardDealt(_) => true,
            Body::CardBurned(_) => House::of(round).double_shoe,
            _ => false,
        };
        is_first.then_some(MAIN_WINDOW)
    }

    fn is_locked(&self, round: &RoundFold, wager: &WagerFold) -> Option<bool> {
        let kind = wager.kind.as_str();
        if kind == "insurance" {
            let called = round.is_closed("insurance");
            return Some(called || insurance_is_over(round, wager.seat));
        }
        if streaks::is_pending(round, wager) {
            return Some(true);
        }
        let kind = is_stake(kind)?;
        let is_of_seat = |(_, body): &(u64, Body)| match body {
            Body::CardDealt(dealt) if dealt.to == CardPlace::Dealer => false,
            Body::CardDealt(dealt) => told::seat_of(round, dealt.seat) == Some(wager.seat),
            _ => false,
        };
        let since = round.play.get(wager.after_play..).unwrap_or_default();
        if since.iter().any(is_of_seat) {
            // A double that is rescued may be taken back.
            return Some(!is_rescued(round, wager));
        }
        let told = Told::by(round);
        let behind = told.boxes.get(&wager.seat).is_some_and(|one| {
            let named = told::named_hand(wager);
            let is_double = kind.ends_with("double");
            // A double may name the split stake that it doubles, or come after the card of its hand.
            let on = wager.on.as_ref().and_then(|on| told.hand_by_id(on));
            let hand = named.or(on).or_else(|| one.doubled_unstaked());
            let hand = hand.filter(|_| is_double);
            let split =
                kind.ends_with("split") && one.has_split_behind(&root(round, wager).id, named);
            let doubles_blackjack = kind == "double"
                && !one.has_acted()
                && round.rules.option("tournament_double_blackjack") == Some(true.into());
            split || one.is_finished(hand) && !doubles_blackjack
        });
        let made = round.wager(&wager.id).is_some();
        Some(told.dealer_plays(round) || behind && !made)
    }
}

impl Staking for Blackjack {
    /// A streak that stays is told again under any name: it is the player's only one of its kind.
    fn is_retold(&self, known: &WagerFold, told: &WagerFold) -> bool {
        let same_place = (&known.kind, known.seat) == (&told.kind, told.seat);
        same_place && streaks::is_same_player(known, told)
    }

    fn keeps_stake(&self, kind: &str) -> bool {
        keeps_stake(kind)
    }

    /// A streak is lost by a hand or by staying away, and by nothing else, 22(e)-(g).
    fn outlasts(&self, kind: &str) -> bool {
        streaks::is_streak(kind)
    }

    fn tells_every_stake(&self, round: &RoundFold) -> bool {
        Told::by(round).tells_every_stake(round)
    }

    fn untold(&self, round: &RoundFold) -> Vec<WagerFold> {
        document::untold(round)
    }

    /// A rescued double goes back; it was made all the same.
    fn take_back(&self, wager: &mut WagerFold, after_play: usize) -> bool {
        let before_its_card = wager.after_play == after_play || is_stake(&wager.kind).is_none();
        if !before_its_card {
            wager.pushed = Some(None);
        }
        before_its_card
    }

    fn carry(&self, end: &End<'_>, _: &Standing, wager: &mut WagerFold) -> bool {
        streaks::carry(end, wager)
    }
}

impl Documents for Blackjack {
    /// A wager that came too late for a box without cards was not taken.
    fn is_in_document(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        !wager.late || Told::by(round).boxes.contains_key(&wager.seat)
    }

    fn settle(&self, told: Telling<'_>) -> Option<super::Told> {
        Some(document::settle(told))
    }
}

impl Following for Blackjack {
    /// An award from the meter may come when its round is over.
    fn aside(
        &self,
        event: &Event,
        _: &RulesInForce,
        standing: &mut Standing,
        faults: &mut Vec<Fault>,
    ) -> bool {
        meters::pay_later(event, standing, faults)
    }

    fn posted(&self, posting: &Posting<'_>) -> Vec<(&'static str, String)> {
        watch::payout_floor(posting)
    }

    fn between(&self, body: &Body, standing: &mut Standing) {
        if let Body::ShoeStarted(started) = body {
            let mut kept: Kept = standing.read();
            kept.start_shoe(&started.shoe);
            standing.keep(&kept);
        }
    }

    fn opened(&self, round: &RoundFold, standing: &mut Standing) {
        meters::open(round, standing);
    }

    fn see(&self, scene: &Scene<'_>, faults: &mut Vec<Fault>) {
        watch::see(scene, faults);
    }

    fn end(&self, end: &End<'_>, standing: &mut Standing, faults: &mut Vec<Fault>) {
        watch::end(end, standing, faults);
    }
}

impl Payments for Blackjack {
    /// Hands that are called dead leave what the first cards of blackjack had decided, and a streak, as it
    /// was; at the others of the family nothing of the round counts.
    fn gives_back(&self, _: &RoundFold, wager: &WagerFold) -> bool {
        let kind = wager.kind.as_str();
        let is_of_hand = matches!(kind, "main" | "insurance") || is_stake(kind).is_some();
        is_of_hand || self.0 != "blackjack"
    }

    /// Without an ID the award waits at the cage.
    fn is_paid_elsewhere(&self, round: &RoundFold, wager: &WagerFold) -> bool {
        wager.paid_seq.is_none() && meters::is_deferred(round, wager)
    }
}

/// What of the table's options the fold must know.
struct House {
    hole_card: String,
    multiple_action: bool,
    hits_soft_17: bool,
    mid_shoe_entry: bool,
    double_shoe: bool,
    /// Is a blackjack against an ace paid even money at once, if the player wants it?
    even_money: bool,
}

impl House {
    fn of(round: &RoundFold) -> House {
        let rules = &round.rules;
        let is = |key: &str, value: Value| rules.in_force(key).is_some_and(|held| held == value);
        let hole_card = rules.in_force("hole_card");
        let double_shoe = rules.in_force("double_shoe");
        House {
            hole_card: hole_card
                .as_ref()
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            multiple_action: is("variation", "multiple_action".into()),
            hits_soft_17: is("dealer_hits_soft_17", true.into()),
            mid_shoe_entry: !is("mid_shoe_entry", false.into()),
            double_shoe: double_shoe.is_some_and(|sides| sides.is_object()),
            even_money: is("even_money", true.into()) || rules.game == "free_bet_blackjack",
        }
    }
}

/// A stake that is put down with a decision.
fn is_stake(kind: &str) -> Option<&'static str> {
    ["double", "split", "free_double", "free_split"]
        .into_iter()
        .find(|known| *known == kind)
}

/// Is it paid from a meter, which keeps the stake?
fn keeps_stake(kind: &str) -> bool {
    let laid = Book::of("blackjack").and_then(|book| book.wager(kind));
    laid.is_some_and(|laid| laid.stake_stays)
}

/// With a reader until the hole card goes into it, which is before anybody decides; otherwise the
/// house may let a player insure until that player's own first decision, 9(b). At Spanish 21 it may not: there
/// any further card is the end of it, 11(b).
fn insurance_is_over(round: &RoundFold, seat: u32) -> bool {
    let told = Told::by(round);
    let house = House::of(round);
    let acted = match house.hole_card.as_str() {
        "reader" => told.anybody_acted(),
        _ if round.rules.game == "spanish_21" => told.boxes.values().any(BoxFold::has_drawn),
        _ => {
            let own = told.boxes.get(&seat);
            own.is_some_and(BoxFold::has_acted)
        }
    };
    let offered = told.dealer.up().is_none_or(is_ace) && house.hole_card != "exposed";
    let hole_seen = told.dealer.count() >= 2 && !told.dealer.hides_hole();
    // Where it was never on offer that is the fault, not the hour.
    told.dealer_plays(round) || offered && (acted || told.dealer.check_told || hole_seen)
}

fn is_rescued(round: &RoundFold, wager: &WagerFold) -> bool {
    let rescue = |(_, body): &(u64, Body)| match body {
        Body::Decision(decision) => {
            decision.seat == wager.seat && told::verb(&decision.action) == Some("rescue")
        }
        _ => false,
    };
    wager.kind == "double" && round.play.iter().any(rescue)
}

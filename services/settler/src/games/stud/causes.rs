//! What a wrong payment is called besides: the causes that the texts name.

use catwalk_events::body::{Body, Decision};
use catwalk_rules::book::{Book, Pay, Row};
use catwalk_rules::floor::{Card, Cents, Rounding};
use catwalk_rules::hands::{four, wild};
use catwalk_rules::{Settled, Settlement, Verdict};
use serde_json::Value;

use super::Stud;
use super::four_card_poker::FOLDED_PAID;
use super::table::{at, irregularities};
use crate::fault::Fault;
use crate::games::End;
use crate::judge::due;
use crate::round::{RoundFold, WagerFold};

/// A cause: its code, and when a wrong payment has it.
pub(super) struct Cause {
    pub(super) code: &'static str,
    pub(super) kinds: &'static [&'static str],
    pub(super) when: fn(&Case<'_>) -> bool,
}

/// A wager that was not paid, collected or left as it was due.
pub(super) struct Case<'a> {
    pub(super) wager: &'a WagerFold,
    pub(super) due: &'a Settled,
    /// Positive: the house lost it.
    pub(super) exposure: Cents,
    pub(super) folded: bool,
    pub(super) withdrawn: bool,
    round: &'a RoundFold,
    settlement: &'a Settlement,
    document: Option<&'a Value>,
    book: Option<&'a Book>,
}

impl Case<'_> {
    pub(super) fn is_over(&self) -> bool {
        self.exposure.is_positive()
    }

    pub(super) fn is(&self, result: Verdict) -> bool {
        self.due.result == result
    }

    /// More than was due went to the player by the dealer's hand: what merely lies there still is no gift.
    pub(super) fn is_given(&self) -> bool {
        let is_moved = self.wager.paid.is_positive() || self.wager.pushed.is_some();
        self.is_over() && is_moved
    }

    /// Paid, or collected.
    pub(super) fn is_settled(&self) -> bool {
        self.wager.paid.is_positive() || self.wager.collected.is_some()
    }

    /// What became of another wager of the seat.
    pub(super) fn other(&self, kind: &str) -> Option<Verdict> {
        let other = at(self.round, self.wager.seat, kind)?;
        due(self.settlement, &other.id).map(|due| due.result)
    }

    /// Are the best four cards of the hand and of the dealer worth the same?
    pub(super) fn is_tie_of_four(&self) -> bool {
        let Some(play) = self.document.map(|document| &document["play"]) else {
            return false;
        };
        let hands = play["hands"].as_array().into_iter().flatten();
        let mut hands = hands.filter(|hand| hand["seat"] == self.wager.seat);
        let hand = hands
            .next()
            .and_then(|hand| four::rank(&cards(&hand["cards"])));
        hand.is_some() && hand == four::rank(&cards(&play["dealer"]))
    }

    /// Was just what the other column of the trips table has for the same hand paid?
    pub(super) fn is_paid_by_other_column(&self) -> bool {
        let tables = self.book.map(|book| book.tables()).unwrap_or_default();
        let win = |row: &Row| match row.pays {
            Pay::Odds(odds) => odds.win_on(self.wager.amount, Rounding::DOWN),
            _ => Cents::ZERO,
        };
        let column = |id: &str| tables.iter().find(|table| table.id == id);
        let (Some(wild), Some(natural)) = (column("trips_wild"), column("trips_natural")) else {
            return false;
        };
        let (due, paid) = (self.due.win, self.wager.paid);
        wild.rows.iter().any(|row| {
            let (wild, natural) = (
                win(row),
                natural.rows.iter().find(|other| other.key == row.key),
            );
            let natural = natural.map_or(Cents::ZERO, win);
            (due, paid) == (wild, natural) || (due, paid) == (natural, wild)
        })
    }

    /// Does the house let folded hands win the progressive? (three card poker s13(c))
    pub(super) fn do_folds_qualify(&self) -> bool {
        self.round.rules.option("progressive_folded_qualify") == Some(Value::Bool(true))
    }

    pub(super) fn is_ohio(&self) -> bool {
        self.round.rules.edition.starts_with("oh-")
    }
}

impl Stud {
    pub(super) fn name_causes(
        &self,
        end: &End<'_>,
        settlement: &Settlement,
        faults: &mut Vec<Fault>,
    ) {
        let round = end.round;
        // Nobody gave up a hand that was void.
        let by_cards = self.names_void() && is_void_by_cards(settlement);
        let void = by_cards || self.is_void(round);
        let wrong: Vec<Case<'_>> = end
            .mispaid
            .iter()
            .filter_map(|&(index, exposure)| {
                let wager = round.wagers.get(index)?;
                Some(Case {
                    wager,
                    due: due(settlement, &wager.id)?,
                    exposure,
                    folded: !void && self.is_folded(round, wager.seat),
                    withdrawn: self.is_withdrawn(round, wager),
                    round,
                    settlement,
                    document: end.document,
                    book: round
                        .rules
                        .game_in(end.rulebook)
                        .ok()
                        .map(|game| game.book()),
                })
            })
            .collect();
        for case in &wrong {
            let mut envy = Vec::new();
            self.check_envy(end, case, &mut envy);
            let of_kind = |cause: &&Cause| {
                // What was given for the hand of another is no prize of a hand that was given up.
                let is_other = cause.code == FOLDED_PAID.code && !envy.is_empty();
                !is_other && cause.kinds.contains(&case.wager.kind.as_str()) && (cause.when)(case)
            };
            for cause in self.causes.iter().filter(of_kind) {
                faults.push(case.fault(cause.code));
            }
            faults.extend(envy);
        }
        if void {
            self.check_void(end, &wrong, faults);
        }
        self.check_limit(&wrong, faults);
        self.check_burn(end, faults);
        self.check_announcement(end, faults);
    }

    /// What voids a round leaves nothing to settle.
    fn check_void(&self, end: &End<'_>, wrong: &[Case<'_>], faults: &mut Vec<Fault>) {
        // The chip of a progressive wager is lifted before the deal, whatever comes of the round.
        let is_touched = |case: &&Case<'_>| {
            let lifted = self.laid.stake_stays.contains(&case.wager.kind.as_str());
            case.is_settled() && (case.wager.paid.is_positive() || !lifted)
        };
        let mut void = wrong.iter().filter(|case| case.is(Verdict::Void));
        let Some(case) = void.find(is_touched) else {
            return;
        };
        let causes = irregularities(end.round).map(|(seq, _)| seq);
        let causes = causes.chain(self.exposure(end.round));
        let causes = causes.chain(self.miscount(end.round));
        let evidence: Vec<u64> = causes.chain(case.wager.evidence.iter().copied()).collect();
        let boxed = irregularities(end.round).any(|(_, entry)| entry.kind == "face_up_card");
        let (seat, kind) = (case.wager.seat, case.wager.kind.replace('_', " "));
        let stake = case.wager.amount;
        let message =
            format!("The round was void, and seat {seat}'s {stake} on {kind} was settled");
        match self.game {
            "dj_wild" if boxed => faults.push(Fault::new("deal.face_up_card", evidence, message)),
            _ if self.names_void() => faults.push(Fault::new(VOID, evidence, message)),
            _ => {}
        }
    }

    /// Has the text a word for playing on in a void round?
    pub(super) fn names_void(&self) -> bool {
        self.causes.iter().any(|cause| cause.code == VOID)
    }

    /// More than the posted limit was paid on a hand.
    fn check_limit(&self, wrong: &[Case<'_>], faults: &mut Vec<Fault>) {
        let Some(limit) = &self.laid.limit else {
            return;
        };
        let over = |case: &&Case<'_>| {
            let paid = case.is_over() && case.wager.paid.is_positive();
            paid && limit.kinds.contains(&&*case.wager.kind)
        };
        let mut seats: Vec<u32> = Vec::new();
        for case in wrong.iter().filter(over) {
            let Some(most) = limit.in_force(&case.round.rules, self.laid.main) else {
                return;
            };
            let of_table = limit.is_of_table(case.round);
            let of_hand = |wager: &&WagerFold| {
                let kind = wager.kind.as_str();
                (of_table || wager.seat == case.wager.seat)
                    && (limit.kinds.contains(&kind) || limit.counted.contains(&kind))
            };
            let paid = if self.limits_hand {
                let wagers = case.round.wagers.iter().filter(of_hand);
                wagers.fold(Cents::ZERO, |sum, wager| sum + wager.paid)
            } else {
                case.wager.paid
            };
            if paid > most && !seats.contains(&case.wager.seat) {
                seats.push(case.wager.seat);
                faults.push(case.fault("payout.limit_exceeded"));
            }
        }
    }

    /// What the dealer of DJ Wild said he has, against the best that his cards make.
    fn check_announcement(&self, end: &End<'_>, faults: &mut Vec<Fault>) {
        let Some(play) = end.document.map(|document| &document["play"]) else {
            return;
        };
        if self.game != "dj_wild" {
            return;
        }
        let Some(hand) = wild::rank(&cards(&play["dealer"]), wild::DEUCES_AND_JOKER) else {
            return;
        };
        let best = DJ_CLASSES
            .iter()
            .find(|(class, _)| *class == hand.category());
        let Some(&(_, best)) = best else { return };
        for (seq, body) in &end.round.play {
            let Body::Decision(said) = body else { continue };
            let Some(class) = announced(said) else {
                continue;
            };
            if class != best {
                let message = format!("The dealer announced {class} and holds {best}");
                faults.push(Fault::new("dj.hand_misread", vec![*seq], message));
            }
        }
    }

    /// Burned cards are counted also where nobody saw them.
    fn check_burn(&self, end: &End<'_>, faults: &mut Vec<Fault>) {
        if !self.burns || self.is_void(end.round) {
            return;
        }
        let rules = &end.round.rules;
        let burned: Vec<(u64, bool)> = end
            .round
            .play
            .iter()
            .filter_map(|(seq, body)| match body {
                Body::CardBurned(burned) => Some((*seq, burned.card.is_some())),
                _ => None,
            })
            .collect();
        if self.game == "let_it_ride" && rules.edition.starts_with("mgc-") {
            faults.extend(self.burned_elsewhere(end.round));
        }
        // Where all were seen the document says it, and where none was told nothing is known.
        if burned.iter().all(|&(_, seen)| seen) {
            return;
        }
        let Some(layout) = self.laid.layout(&rules.edition) else {
            return;
        };
        // With the deal, and before each card of the board.
        let dealt = layout
            .streets
            .iter()
            .take(1 + self.house_cards(end.round).len());
        let due: usize = dealt
            .map(|street| street.burns.of(|key| rules.option(key)))
            .sum();
        if burned.len() != due {
            let message = format!("{} cards were burned instead of {due}", burned.len());
            let evidence = burned.into_iter().map(|(seq, _)| seq).collect();
            faults.push(Fault::new("deal.burn", evidence, message));
        }
    }
}

impl Stud {
    /// 10(c) of let it ride: of three cards of the board the leftmost is burned. A feed that counts the
    /// places anew after it never tells of a third.
    fn burned_elsewhere(&self, round: &RoundFold) -> Option<Fault> {
        let burned = round.play.iter().find_map(|(seq, body)| match body {
            Body::CardBurned(burned) => Some((*seq, burned.card.as_deref())),
            _ => None,
        });
        let (board, open) = (self.house_cards(round), self.exposed(round));
        let is_open = |place: usize| open.iter().any(|&(index, _)| index == place);
        let is_known = |place: usize| {
            let card = burned.and_then(|(_, card)| card);
            card.is_some() && board.get(place) == Some(&card)
        };
        let last = is_known(2) && !self.is_stack(round);
        let elsewhere = is_known(1) || last || is_open(0) && is_open(2);
        let seq = burned.map_or(round.opened_seq, |(seq, _)| seq);
        let message = "Another card of the board than the leftmost was burned".to_owned();
        let elsewhere = elsewhere && board.len() == 3;
        elsewhere.then(|| Fault::new("deal.burn", vec![seq], message))
    }
}

/// A hand of the wrong size or a card that the deck does not hold: void, recorded or not.
fn is_void_by_cards(settlement: &Settlement) -> bool {
    let violations = settlement.violations();
    ["deal.card_count", "deck.foreign_card"]
        .iter()
        .any(|code| violations.contains(code))
}

/// Of a game whose text names it.
const VOID: &str = "procedure.play_on_after_void";

/// The void of a round is looked at as a whole; here it says that the game has the code.
pub(super) const PLAYED_ON: Cause = Cause {
    code: VOID,
    kinds: &[],
    when: |_| false,
};

/// The classes of DJ Wild in the words of the floor.
const DJ_CLASSES: [(wild::Category, &str); 12] = [
    (wild::Category::HighCard, "high_card"),
    (wild::Category::Pair, "pair"),
    (wild::Category::TwoPair, "two_pair"),
    (wild::Category::ThreeOfAKind, "three_of_a_kind"),
    (wild::Category::Straight, "straight"),
    (wild::Category::Flush, "flush"),
    (wild::Category::FullHouse, "full_house"),
    (wild::Category::FourOfAKind, "four_of_a_kind"),
    (wild::Category::StraightFlush, "straight_flush"),
    (wild::Category::FiveOfAKind, "five_of_a_kind"),
    (wild::Category::RoyalFlush, "royal_flush"),
    (wild::Category::FiveWilds, "five_wilds"),
];

/// The class that the dealer says he has. A word that names none is no announcement.
fn announced(said: &Decision) -> Option<&'static str> {
    let words = said
        .action
        .to_ascii_lowercase()
        .replace([' ', '-', ':'], "_");
    let class = words.strip_prefix("announce")?.trim_matches('_');
    let known = DJ_CLASSES.iter().map(|&(_, word)| word);
    known
        .filter(|_| said.seat == HOUSE)
        .find(|word| *word == class)
}

/// The seat that stands for the dealer.
pub(super) const HOUSE: u32 = 0;

/// None if one of them was not seen.
fn cards(listed: &Value) -> Vec<Card> {
    let listed = listed.as_array().into_iter().flatten();
    let cards: Option<Vec<Card>> = listed.map(|card| card.as_str()?.parse().ok()).collect();
    cards.unwrap_or_default()
}

impl Case<'_> {
    pub(super) fn fault(&self, code: &'static str) -> Fault {
        let message = format!(
            "{} on {} at seat {}: due {}, given {}",
            self.wager.amount,
            self.wager.kind,
            self.wager.seat,
            self.due.returned,
            self.due.returned + self.exposure
        );
        Fault::new(code, self.wager.evidence.clone(), message).of_wager(&self.wager.id)
    }
}

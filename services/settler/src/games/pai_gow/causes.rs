//! What a wrong payment is called besides: the causes that the texts name.

use std::cmp::Ordering;

use catwalk_rules::book::{Book, Pay};
use catwalk_rules::floor::{Card, Cents, Rank, Rounding, Tile};
use catwalk_rules::games::{compare_tiles, is_premium_pai_gow, lay_cards_the_house_way};
use catwalk_rules::hands::joker::LowStraight;
use catwalk_rules::{Settled, Verdict};
use serde_json::Value;

use super::{Variant, is_ohio};
use crate::fault::Fault;
use crate::games::End;
use crate::judge::due;
use crate::round::WagerFold;

/// A wager that was not paid, collected or left as it was due.
struct Case<'a> {
    end: &'a End<'a>,
    document: &'a Value,
    wager: &'a WagerFold,
    due: &'a Settled,
    /// Positive: the house lost it.
    exposure: Cents,
}

pub(super) fn name(variant: &Variant, end: &End<'_>, faults: &mut Vec<Fault>) {
    let (Some(settlement), Some(document)) = (end.settlement, end.document) else {
        return;
    };
    let cases = end.mispaid.iter().filter_map(|&(index, exposure)| {
        let wager = end.round.wagers.get(index)?;
        let due = due(settlement, &wager.id)?;
        Some(Case {
            end,
            document,
            wager,
            due,
            exposure,
        })
    });
    for case in cases {
        for code in case.causes(variant) {
            let message = format!(
                "{} on {} at seat {}: due {}, paid {}",
                case.wager.amount, case.wager.kind, case.wager.seat, case.due.win, case.wager.paid
            );
            let evidence = [case.wager.evidence.as_slice(), &[end.seq]].concat();
            faults.push(Fault::new(code, evidence, message).of_wager(&case.wager.id));
        }
    }
}

impl Case<'_> {
    fn causes(&self, variant: &Variant) -> Vec<&'static str> {
        let kind = self.wager.kind.as_str();
        let by_name = [
            (
                kind == variant.main && self.is_fouled_paid(),
                variant.fouled_paid,
            ),
            (
                kind == variant.main && self.ignores_bank_reset(variant),
                variant.bank_reset,
            ),
            (
                kind == variant.main && self.ignores_tiger(variant),
                variant.tiger_ignored,
            ),
            (
                kind == variant.main && self.is_surrender_returned(),
                variant.surrender_returned,
            ),
            (kind == "tiger_9", Some("payout.tiger_9_wrong")),
            (self.is_folded_paid(), Some("progressive.folded_paid")),
            (self.is_own_envy(), Some("envy.own_hand_paid")),
            (self.is_over_limit(), Some("payout.limit_exceeded")),
            (
                !self.is_over_limit() && self.is_of_another_row(),
                Some("payout.wrong_row"),
            ),
        ];
        let named = by_name.into_iter().filter(|(is_so, _)| *is_so);
        named
            .filter_map(|(_, code)| code)
            .chain(self.tile_causes(variant))
            .collect()
    }

    fn is_over(&self) -> bool {
        self.exposure.is_positive()
    }

    /// It was paid, or left where it was to be taken. One of which a part was taken had been counted as
    /// lost: the rest was missing for another reason.
    fn is_won(&self) -> bool {
        self.is_over() && self.wager.collected.is_none()
    }

    fn hand(&self) -> Option<&Value> {
        let hands = self.document["play"]["hands"].as_array()?;
        hands.iter().find(|hand| hand["seat"] == self.wager.seat)
    }

    /// A fouled hand loses, whatever the dealer holds. Which hand is fouled, the rules say when they are
    /// asked about it alone.
    fn is_fouled_paid(&self) -> bool {
        self.due.result == Verdict::Lose && self.is_won() && {
            let mut alone = self.document.clone();
            for list in ["/wagers", "/play/hands"] {
                if let Some(list) = alone.pointer_mut(list).and_then(Value::as_array_mut) {
                    list.retain(|entry| entry["seat"] == self.wager.seat);
                }
            }
            self.raises(&alone, ".fouled_hand")
        }
    }

    /// A surrender costs the whole wager.
    fn is_surrender_returned(&self) -> bool {
        self.is_surrendered() && self.due.result == Verdict::Lose && self.is_over()
    }

    /// A hand that was given up has no prize, whatever its cards. Progressives 1.A.iv of Ohio
    fn is_folded_paid(&self) -> bool {
        self.wager.kind == "fortune_progressive"
            && self.is_surrendered()
            && self.wager.paid.is_positive()
    }

    fn is_surrendered(&self) -> bool {
        self.hand().is_some_and(|hand| hand["surrender"] == true)
    }

    fn raises(&self, document: &Value, ending: &str) -> bool {
        let settlement = self.end.rulebook.settle_value(document);
        settlement.is_ok_and(|settlement| {
            let mut codes = settlement.violations().iter();
            codes.any(|code| code.ends_with(ending))
        })
    }

    /// 11(j): a bank that is fouled is set again, and settled as it lies then.
    fn ignores_bank_reset(&self, variant: &Variant) -> bool {
        variant.bank_reset.is_some() && self.raises(self.document, ".bank_fouled")
    }

    /// Tiger 9: the dealer's low hand is nine-high, and the main wager pushes.
    fn ignores_tiger(&self, variant: &Variant) -> bool {
        let settled = self.wager.paid.is_positive() || self.wager.collected.is_some();
        variant.tiger_ignored.is_some()
            && match self.is_tiger() {
                Some(true) => self.due.result == Verdict::Push && settled,
                // What is left of a surrendered wager is no push.
                Some(false) => {
                    self.due.result != Verdict::Push
                        && self.wager.pushed == Some(None)
                        && !self.is_surrendered()
                }
                None => false,
            }
    }

    /// The house way decides, however the dealer laid the cards and whether or not that was told.
    fn is_tiger(&self) -> Option<bool> {
        let cards = self.document["play"]["dealer"]["cards"].as_array()?;
        let cards = cards.iter().map(|card| card.as_str()?.parse().ok());
        let cards: Vec<Card> = cards.collect::<Option<_>>()?;
        let cards = <[Card; 7]>::try_from(cards).ok()?;
        let (_, low) = lay_cards_the_house_way(&cards, LowStraight::SecondHighest)?;
        let ranks = low.map(Card::rank);
        // A joker has no rank: it is an ace.
        let nine_high = ranks.into_iter().max() == Some(Some(Rank::Nine));
        Some(nine_high && !ranks.contains(&None) && ranks[0] != ranks[1])
    }

    /// Envy is for the hands of others: more was paid, and the player's own or the dealer's is worth it.
    fn is_own_envy(&self) -> bool {
        let play = &self.document["play"];
        let hands = play["hands"].as_array().into_iter().flatten();
        let own = self.hand();
        let is_own = |hand: &&Value| {
            let named = |hand: &Value| hand["player"].as_str().map(str::to_owned);
            let same = own
                .and_then(named)
                .is_some_and(|own| named(hand) == Some(own));
            hand["seat"] == self.wager.seat || same
        };
        let mut unpaid = hands.filter(is_own).chain([&play["dealer"]]);
        self.wager.kind == "envy" && self.is_over() && unpaid.any(is_premium)
    }

    /// More was paid than the table's posted limit for it, or envy was cut where it has none.
    fn is_over_limit(&self) -> bool {
        let is_ohio = is_ohio(&self.end.round.rules);
        let (option, kinds): (&str, &[&str]) = match self.wager.kind.as_str() {
            "bonus" | "insurance" | "envy" if !is_ohio => {
                ("max_payout_bonus", &["bonus", "insurance", "envy"])
            }
            "seven_card_bonus" => ("max_payout_seven_card", &["seven_card_bonus"]),
            "fortune_bonus" => ("max_payout_fortune", &[]),
            "envy" => ("max_payout_fortune", &["fortune_bonus", "envy"]),
            _ => return false,
        };
        let posted = self.end.round.rules.option(option);
        let Some(limit) = posted.and_then(|limit| limit.as_i64()) else {
            return false;
        };
        let paid = self.paid_to_player(kinds).max(self.wager.paid).get();
        match is_ohio && self.wager.kind == "envy" {
            true => !self.is_over() && paid == limit,
            false => self.is_over() && paid > limit,
        }
    }

    /// What the person of this wager was paid on such kinds.
    fn paid_to_player(&self, kinds: &[&str]) -> Cents {
        let own = self.wager;
        let is_own = |wager: &&WagerFold| match (&wager.player, &own.player) {
            (Some(one), Some(other)) => one == other,
            _ => wager.seat == own.seat,
        };
        let wagers = self.end.round.wagers.iter().filter(is_own);
        let paid = wagers.filter(|wager| kinds.contains(&wager.kind.as_str()));
        paid.map(|wager| wager.paid).sum()
    }

    /// A side wager was paid exactly what another row of its table pays.
    fn is_of_another_row(&self) -> bool {
        let rules = &self.end.round.rules;
        let (wager, game) = (self.wager, rules.game_in(self.end.rulebook));
        let Some(book) = game.ok().map(|game| game.book()) else {
            return false;
        };
        const SIDES: [&str; 7] = [
            "bonus",
            "fortune_bonus",
            "insurance",
            "three_card_bonus",
            "seven_card_bonus",
            "progressive",
            "fortune_progressive",
        ];
        // A prize that is all that the player gets is told as it is.
        let keeps_stake = book
            .wager(&wager.kind)
            .is_some_and(|entry| entry.stake_stays);
        SIDES.contains(&wager.kind.as_str())
            && self.due.result == Verdict::Win
            && wager.paid.is_positive()
            && self.due.win != wager.paid
            && !(keeps_stake && self.due.returned == wager.paid)
            && pays_somewhere(book, wager)
    }

    /// With tiles: a side that is only equal, or a low side worth nothing, was taken for won.
    fn tile_causes(&self, variant: &Variant) -> Option<&'static str> {
        // Of one that nobody told of it is not known how it was counted.
        let is_told = self.wager.paid.is_positive() || self.wager.pushed.is_some();
        let is_paid = self.wager.kind == variant.main && self.is_won() && is_told;
        if variant.size != 4 || !is_paid {
            return None;
        }
        let play = &self.document["play"];
        let against = match &play["bank_seat"] {
            Value::Null => &play["dealer"],
            bank => {
                let mut hands = play["hands"].as_array()?.iter();
                hands.find(|hand| hand["seat"] == *bank)?
            }
        };
        match compare_tiles(sides(self.hand()?)?, sides(against)?) {
            [_, None] => Some("payout.zero_low_paid"),
            sides if sides.contains(&Some(Ordering::Equal)) => Some("payout.copy_paid"),
            _ => None,
        }
    }
}

/// Does a row of the wager's tables pay exactly what was paid?
fn pays_somewhere(book: &Book, wager: &WagerFold) -> bool {
    let entries = book
        .wagers()
        .iter()
        .filter(|entry| entry.kind == wager.kind);
    let ids: Vec<&String> = entries.flat_map(|entry| &entry.pays).collect();
    let tables = book
        .tables()
        .iter()
        .filter(|table| ids.contains(&&table.id));
    tables
        .flat_map(|table| &table.rows)
        .any(|row| match row.pays {
            Pay::Odds(odds) => odds.win_on(wager.amount, Rounding::DOWN) == wager.paid,
            // The stake stays with the house; what does not come from a meter is told beyond it.
            Pay::Fixed(amount) => amount == wager.paid || amount == wager.paid + wager.amount,
            _ => false,
        })
}

/// Is this a hand of four of a kind or better?
pub(super) fn is_premium(hand: &Value) -> bool {
    let cards = hand["cards"].as_array().into_iter().flatten();
    let cards: Option<Vec<Card>> = cards.map(|card| card.as_str()?.parse().ok()).collect();
    cards.is_some_and(|cards| is_premium_pai_gow(&cards))
}

/// The two hands as they were set.
fn sides(hand: &Value) -> Option<[[Tile; 2]; 2]> {
    let side = |key: &str| {
        let tiles = hand[key].as_array()?.iter();
        let tiles = tiles.map(|tile| tile.as_str()?.parse::<Tile>().ok());
        let tiles: Vec<Tile> = tiles.collect::<Option<_>>()?;
        <[Tile; 2]>::try_from(tiles).ok()
    };
    Some([side("high")?, side("low")?])
}

//! The settlement of a round of Free Bet Blackjack.

use super::{FreeBetBlackjack, Kind, Rules, TableBox, Verb, Wager};
use crate::floor::{Cents, Odds, Rounding, Seat, WagerId};
use crate::games::shared::blackjack::{
    BoxRights, Doubling, Duties, Fate, HouseRules, Insurance, Judged, Layout, Shuffler, SideRules,
    Surrender, is_ace, is_ace_or_ten_card, is_blackjack, one_color, one_suit, pay,
};
use crate::games::shared::shoe::flag_cards;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Settled, Violations};

/// The dealer's total that ties every hand which is neither bust nor blackjack: 4.C.iii.
const PUSH_22: u32 = 22;

/// A round as it lies on the table, with what decides it.
struct Table<'a> {
    rules: &'a Rules,
    round: &'a Round<FreeBetBlackjack>,
    layout: Layout<'a, Wager, Verb>,
}

pub(super) fn settle(rules: &Rules, round: &Round<FreeBetBlackjack>) -> Result<Outcome, Refusal> {
    refuse_unread(round)?;
    let play = &round.play;
    let mut violations = Violations::default();
    let house = house_rules(rules, round);
    let table = Table {
        rules,
        round,
        layout: Layout::lay(
            house,
            &round.wagers,
            play.boxes.iter().map(TableBox::record),
            play.dealer.read(&house)?,
            play.void_round,
            &mut violations,
        )?,
    };
    table.flag_options(&mut violations);
    table.flag_wagers(&mut violations);
    table.flag_play(&mut violations);
    let wagers = round.wagers.iter().enumerate();
    let settled = wagers
        .map(|(index, wager)| table.settle_wager(index, wager))
        .collect::<Result<Vec<_>, Refusal>>()?;
    Ok(Outcome::of_wagers(settled, violations))
}

fn house_rules(rules: &Rules, round: &Round<FreeBetBlackjack>) -> HouseRules {
    HouseRules {
        hits_soft_17: round.options.dealer_hits_soft_17,
        hole_card: round.options.hole_card,
        // 4.E, 7.F
        surrender: Surrender::Unknown,
        max_hands: rules.max_split_hands,
        resplit_aces: false,
        one_card_to_split_aces: true,
        doubling: Doubling {
            two_cards_only: true,
            after_split: true,
            on_blackjack: false,
            nine_to_eleven: false,
        },
        threatens: is_ace_or_ten_card,
    }
}

/// Refuses the worth of a lammer on a wager that has none.
fn refuse_unread(round: &Round<FreeBetBlackjack>) -> Result<(), Refusal> {
    let mut wagers = round.wagers.iter();
    match wagers.position(|wager| wager.lammer.is_some() && !wager.is_free_bet()) {
        Some(index) => Err(Refusal::at(
            format!("wagers[{index}].lammer"),
            "only a free bet has a lammer",
        )),
        None => Ok(()),
    }
}

impl Table<'_> {
    fn settle_wager(&self, index: usize, wager: &Wager) -> Result<Settled, Refusal> {
        match wager.kind {
            Kind::Insurance => {
                let odds = self.rules.main.insurance;
                let offered = self.up_is_ace() && !self.has_blackjack(wager.seat);
                self.layout.settle_insurance(wager, offered, 0, odds)
            }
            Kind::Push22 => self.settle_push_22(wager),
            _ => self.settle_hand(index, wager),
        }
    }

    fn up_is_ace(&self) -> bool {
        self.layout.dealer.up().is_some_and(is_ace)
    }

    fn has_blackjack(&self, seat: Seat) -> bool {
        let own_box = self.layout.box_at(seat);
        own_box.is_some_and(|own| is_blackjack(own.first_cards()))
    }

    /// The wagers of a box that took even money.
    fn even_money_at(&self, seat: Seat) -> &[WagerId] {
        let mut boxes = self.round.play.boxes.iter();
        let own_box = boxes.find(|own| own.seat == seat);
        own_box.map_or(&[], |own| &own.even_money)
    }

    fn judged(&self, wager: &Wager) -> Judged<'_, Verb> {
        let took_even_money = self.even_money_at(wager.seat).contains(&wager.id);
        Judged {
            even_money: wager.kind == Kind::Main && took_even_money,
            ..self.layout.judged(wager)
        }
    }

    fn settle_hand(&self, index: usize, wager: &Wager) -> Result<Settled, Refusal> {
        let main = &self.rules.main;
        let fate = self
            .judged(wager)
            .fate(&self.layout.dealer, &self.layout.house)?;
        Ok(match fate {
            Fate::Void => Settled::void(wager),
            Fate::EvenMoney => self.won(index, wager, main.even_money),
            Fate::Surrendered { .. } | Fate::Bust | Fate::Rescued => Settled::lose(wager),
            // 10.B, 11.D: only the original wager is collected.
            Fate::DealerBlackjack { player_too: false } if wager.kind == Kind::Main => {
                Settled::lose(wager)
            }
            Fate::DealerBlackjack { .. } => Settled::push(wager),
            // 8: paid before the dealer draws, so that a 22 does not touch it.
            Fate::Blackjack => self.won(index, wager, self.round.options.blackjack_pays),
            Fate::Compared { dealer, .. } if dealer == PUSH_22 => Settled::push(wager),
            Fate::Compared { player, dealer } if dealer > 21 || player > dealer => {
                self.won(index, wager, main.other)
            }
            Fate::Compared { player, dealer } if player == dealer => Settled::push(wager),
            Fate::Compared { .. } => Settled::lose(wager),
        })
    }

    /// 10.D, 11.E: a free bet pays on the original wager, whatever its lammer says, and nothing on money that lies
    /// beside the lammer.
    fn won(&self, index: usize, wager: &Wager, odds: Odds) -> Settled {
        if !wager.is_free_bet() {
            return pay(wager, odds);
        }
        let original = self.layout.stakes.original(index);
        let stake = original.map_or(Cents::ZERO, |original| original.amount);
        Settled::win(wager, odds.win_on(stake, Rounding::DOWN), Cents::ZERO)
    }

    fn settle_push_22(&self, wager: &Wager) -> Result<Settled, Refusal> {
        if self.layout.void_round.is_some() || self.layout.live_box_at(wager.seat).is_none() {
            return Ok(Settled::void(wager));
        }
        self.layout.dealer.needs_second(0)?;
        let dealer = self.layout.dealer.first_hand();
        let odds = &self.rules.push_22;
        Ok(match dealer.cards() {
            _ if dealer.total() != PUSH_22 => Settled::lose(wager),
            cards if one_suit(cards) => pay(wager, odds.suited),
            cards if one_color(cards) => pay(wager, odds.same_color),
            _ => pay(wager, odds.any),
        })
    }

    fn flag_options(&self, violations: &mut Violations) {
        let (rules, options) = (self.rules, &self.round.options);
        let fewest = if options.shuffler == Shuffler::Automated {
            2
        } else {
            1
        };
        violations.add_if(options.decks < fewest, "deck.illegal_count");
        let unknown = |name: &String| !rules.offerings.contains(name);
        let lawful_odds = [rules.main.blackjack_3_to_2, rules.main.blackjack_6_to_5];
        violations.add_if(
            options.boxes > rules.most_boxes
                || options.boxes_per_player > rules.most_boxes_per_player
                || options.side_bets.iter().any(unknown)
                || !lawful_odds.contains(&options.blackjack_pays),
            "config.conflict",
        );
        violations.add_if(
            options.pays.breaks(|_, _| None),
            "config.odds_below_minimum",
        );
        let burned = self.round.play.burned.iter().copied();
        flag_cards(self.layout.cards().chain(burned), options.decks, violations);
    }

    fn flag_wagers(&self, violations: &mut Violations) {
        let options = &self.round.options;
        for wager in &self.round.wagers {
            if let Some(limits) = options.limits.get(&wager.kind) {
                limits.flag(wager.amount, violations);
            }
        }
        let stakes = &self.layout.stakes;
        stakes.flag_sides(
            &SideRules {
                is_offered: &|_| options.side_bets.iter().any(|name| name == "push_22"),
                stands_alone: &|_| false,
                is_bounded_by_main: &|_| false,
            },
            violations,
        );
        stakes.flag_rights(
            BoxRights {
                boxes: options.boxes,
                players_per_box: 1,
                boxes_per_player: options.boxes_per_player,
                adjacent: true,
                several_mains: false,
            },
            violations,
        );
        let insurance = Insurance {
            offered: self.up_is_ace(),
            unit: options.chip_unit,
            strictly_half: false,
        };
        let sound = stakes.flag_references(&self.layout.boxes, insurance, violations);
        for (index, wager) in self.round.wagers.iter().enumerate() {
            if !sound.get(index).is_some_and(|&sound| sound) {
                continue;
            }
            let original = stakes.original(index).map(|original| original.amount);
            violations.add_if(
                wager.is_free_bet() && (wager.lammer != original || wager.amount.is_positive()),
                "wager.lammer_not_equal",
            );
            violations.add_if(
                wager.kind == Kind::Insurance
                    && insurance.offered
                    && self.has_blackjack(wager.seat),
                "wager.insurance_with_blackjack",
            );
        }
    }

    fn flag_play(&self, violations: &mut Violations) {
        self.layout.flag_boxes(violations);
        for played in self.layout.staked_boxes() {
            let taken = self.even_money_at(played.seat());
            let stakes = &self.layout.stakes;
            violations.add_if(
                !stakes.may_take_even_money(played, taken, self.up_is_ace()),
                "decision.even_money_not_allowed",
            );
        }
        // 12.C: the dealer's total matters to Push 22 even if no hand is left.
        let asks_for_total = |wager: &Wager| {
            wager.kind == Kind::Push22 && self.layout.live_box_at(wager.seat).is_some()
        };
        let besides = Duties {
            draw: self.round.wagers.iter().any(asks_for_total),
            third_card: false,
        };
        self.layout.flag_dealer(
            |_, wager| self.judged(wager),
            besides,
            self.round.play.reader_fault,
            violations,
        );
    }
}

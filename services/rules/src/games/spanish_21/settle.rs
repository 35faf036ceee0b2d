//! The settlement of a round of Spanish 21.

use super::{Kind, MainTable, Play, Rules, Spanish21, TableBox, Verb, Wager};
use crate::floor::{Card, Odds, Rank, Suit};
use crate::games::shared::blackjack::{
    BoxRights, BoxWager, Doubling, Duties, Fate, Hand, HouseRules, Insurance, Judged, Layout,
    PlayedBox, SideRules, Surrender, VoidRound, half_back, is_ace, no_table, one_suit, pay,
};
use crate::games::shared::shoe::{flag_cards, refuse_jokers};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Bonus, Outcome, Paid, Settled, Verdict, Violations};

/// A round as it lies on the table, with what decides it.
struct Table<'a> {
    rules: &'a Rules,
    round: &'a Round<Spanish21>,
    layout: Layout<'a, Wager, Verb>,
}

pub(super) fn settle(rules: &Rules, round: &Round<Spanish21>) -> Result<Outcome, Refusal> {
    let play = &round.play;
    refuse_face_up(play)?;
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
            void_round(play),
            &mut violations,
        )?,
    };
    table.flag_options(&mut violations);
    table.flag_play(&mut violations);
    let wagers = round.wagers.iter().enumerate();
    let settled = wagers
        .map(|(index, wager)| table.settle_wager(index, wager))
        .collect::<Result<Vec<_>, Refusal>>()?;
    Ok(Outcome {
        bonuses: table.super_bonuses(&settled),
        paid: Paid::Wagers(settled),
        violations,
    })
}

/// Fixed by the rules: 8, 9(a), 10(c), 12(b).
fn house_rules(rules: &Rules, round: &Round<Spanish21>) -> HouseRules {
    HouseRules {
        hits_soft_17: false,
        hole_card: round.options.hole_card,
        surrender: Surrender::Offered,
        max_hands: rules.max_split_hands,
        resplit_aces: true,
        one_card_to_split_aces: false,
        doubling: Doubling {
            two_cards_only: false,
            after_split: true,
            on_blackjack: false,
            nine_to_eleven: false,
        },
        threatens: is_ace_or_face,
    }
}

/// A stray ten is no card of the shoe, and the rules do not look under it.
fn is_ace_or_face(card: Card) -> bool {
    card.rank() >= Some(Rank::Jack)
}

fn is_ten(card: Card) -> bool {
    card.rank() == Some(Rank::Ten)
}

/// What of the round is called off. 15(a),(b): more than one ten, or more than one card face up in the shoe, and
/// all of it is, whatever was ruled.
pub(super) fn void_round(play: &Play) -> Option<VoidRound> {
    let in_boxes = play.boxes.iter().flat_map(|one| {
        let steps = one.steps.iter().filter_map(|step| step.card);
        one.cards.iter().copied().chain(steps)
    });
    let elsewhere = play.dealer.cards.iter().chain(&play.burned).copied();
    let tens = in_boxes.chain(elsewhere).filter(|&card| is_ten(card));
    match tens.count() > 1 || play.face_up.len() > 1 {
        true => Some(VoidRound::All),
        false => play.void_round,
    }
}

/// A card that lay face up in the shoe is not used: it is burned.
fn refuse_face_up(play: &Play) -> Result<(), Refusal> {
    refuse_jokers(&play.face_up, "play.face_up")?;
    let mut burned = play.burned.clone();
    for (at, card) in play.face_up.iter().enumerate() {
        let Some(lies) = burned.iter().position(|other| other == card) else {
            let what = format!("{card} is not among the cards burned");
            return Err(Refusal::at(format!("play.face_up[{at}]"), what));
        };
        burned.swap_remove(lies);
    }
    Ok(())
}

impl Table<'_> {
    fn settle_wager(&self, index: usize, wager: &Wager) -> Result<Settled, Refusal> {
        match wager.kind {
            Kind::Main | Kind::Split | Kind::Double => self.settle_hand(index, wager),
            Kind::Insurance => {
                let odds = self.rules.main.insurance;
                self.layout
                    .settle_insurance(wager, self.insurance_is_offered(), 0, odds)
            }
            Kind::MatchTheDealer => self.settle_match(wager),
        }
    }

    fn insurance_is_offered(&self) -> bool {
        self.layout.dealer.up().is_some_and(is_ace)
    }

    fn judged(&self, index: usize, wager: &Wager) -> Judged<'_, Verb> {
        let judged = self.layout.judged(wager);
        let hand = judged.played.and_then(|played| played.hand(wager.hand()));
        // 9(d): the rescue concerns every player with a double on the hand, and nobody else.
        let doubled = || {
            let stakes = &self.layout.stakes;
            stakes.has_doubled(index, wager.seat, wager.hand())
        };
        Judged {
            rescued: hand.is_some_and(|hand| hand.rescued) && doubled(),
            ..judged
        }
    }

    fn settle_hand(&self, index: usize, wager: &Wager) -> Result<Settled, Refusal> {
        let judged = self.judged(index, wager);
        let fate = judged.fate(&self.layout.dealer, &self.layout.house)?;
        let hand = judged.played.and_then(|played| played.hand(wager.hand()));
        let Some(hand) = hand else {
            return Ok(Settled::void(wager));
        };
        let main = &self.rules.main;
        Ok(match fate {
            Fate::Void => Settled::void(wager),
            Fate::Surrendered { all: false } => half_back(wager),
            Fate::Surrendered { all: true } | Fate::Bust => Settled::lose(wager),
            // 9(d): the double goes back, the original wager is given up for it.
            Fate::Rescued => match wager.kind {
                Kind::Double => Settled::push(wager),
                _ => Settled::lose(wager),
            },
            // 9(c), 10(d): only the original wager is collected.
            Fate::DealerBlackjack { player_too: false } => match wager.kind {
                Kind::Main => Settled::lose(wager),
                _ => Settled::push(wager),
            },
            // 5(a)3: a blackjack beats everything, the dealer's too.
            Fate::DealerBlackjack { player_too: true } | Fate::Blackjack | Fate::EvenMoney => {
                pay(wager, main.blackjack)
            }
            Fate::Compared { player, dealer }
                // 5(a): a drawn 21 beats the dealer's.
                if dealer > 21 || player > dealer || player == dealer && player == 21 =>
            {
                pay(wager, odds_of_win(main, hand))
            }
            Fate::Compared { player, dealer } if player == dealer => Settled::push(wager),
            Fate::Compared { .. } => Settled::lose(wager),
        })
    }

    fn settle_match(&self, wager: &Wager) -> Result<Settled, Refusal> {
        let played = self.layout.live_box_at(wager.seat);
        let stands = self.layout.void_round != Some(VoidRound::All);
        let Some(played) = played.filter(|_| stands) else {
            return Ok(Settled::void(wager));
        };
        let options = &self.round.options;
        let odds = self.rules.match_the_dealer.of_decks(options.decks);
        let odds = odds.ok_or_else(|| no_table("match-the-dealer", options.decks))?;
        let (cards, up) = (played.first_cards(), self.layout.dealer.up());
        Ok(odds.settle(wager, cards, up, &options.pays))
    }

    /// 5(g): three suited sevens against a seven pay a fixed amount beside the odds, and an envy to
    /// everybody else who bet in the round.
    fn super_bonuses(&self, settled: &[Settled]) -> Vec<Bonus> {
        let mut bonuses = Vec::new();
        if self.layout.void_round.is_some() {
            return bonuses;
        }
        let boxes = self.layout.boxes.iter();
        for played in boxes.filter(|played| self.earns_super_bonus(played)) {
            self.add_super_bonus(played, settled, &mut bonuses);
        }
        bonuses
    }

    fn earns_super_bonus(&self, played: &PlayedBox<'_, Verb>) -> bool {
        let seven = |card: Card| card.rank() == Some(Rank::Seven);
        played.hand(1).is_some_and(|hand| {
            !hand.split
                && hand.doubled.is_none()
                && hand.cards.len() == 3
                && hand.cards.iter().all(|&card| seven(card))
                && one_suit(&hand.cards)
        }) && self.layout.dealer.up().is_some_and(seven)
    }

    fn add_super_bonus(
        &self,
        played: &PlayedBox<'_, Verb>,
        settled: &[Settled],
        bonuses: &mut Vec<Bonus>,
    ) {
        let stakes = &self.layout.stakes;
        let won = |index: usize| {
            settled
                .get(index)
                .is_some_and(|wager| wager.result == Verdict::Win)
        };
        let (least, amounts) = (&self.rules.super_bonus_stakes, &self.rules.super_bonus);
        let winners = || {
            stakes
                .mains_on(played.seat())
                .filter(|&(index, _)| won(index))
        };
        let rewarded = winners().filter(|(_, main)| main.amount >= least.lower);
        let first = bonuses.len();
        bonuses.extend(rewarded.map(|(index, main)| Bonus {
            kind: "super_bonus",
            on: main.id.clone(),
            to: stakes.player(index).to_owned(),
            amount: match main.amount >= least.higher {
                true => amounts.higher.0,
                false => amounts.lower.0,
            },
        }));
        let Some(on) = bonuses.get(first).map(|bonus| bonus.on.clone()) else {
            return;
        };
        let mut seen: Vec<&str> = winners().map(|(index, _)| stakes.player(index)).collect();
        for (index, _) in stakes.mains() {
            let player = stakes.player(index);
            if seen.contains(&player) {
                continue;
            }
            seen.push(player);
            bonuses.push(Bonus {
                kind: "envy",
                on: on.clone(),
                to: player.to_owned(),
                amount: amounts.envy.0,
            });
        }
    }

    fn flag_options(&self, violations: &mut Violations) {
        let (rules, options) = (self.rules, &self.round.options);
        let odds = rules.match_the_dealer.of_decks(options.decks);
        violations.add_if(odds.is_none(), "deck.illegal_count");
        violations.add_if(
            options.boxes > rules.most_boxes
                || options.players_per_box > rules.most_players_per_box,
            "config.conflict",
        );
        let listed = |wager: &str, row: &str| match wager {
            "match_the_dealer" => odds.and_then(|odds| odds.listed(row)),
            _ => None,
        };
        violations.add_if(options.pays.breaks(listed), "config.odds_below_minimum");
        let highest = |kind| match kind {
            Kind::Main | Kind::Split | Kind::Double => Some(rules.main.highest()),
            Kind::Insurance => Some(rules.main.insurance),
            Kind::MatchTheDealer => odds.and_then(|odds| odds.listed("suited")),
        };
        let ratio = rules.limits_ratio;
        ratio.flag(&options.limits, highest, violations);

        // 2(a): the four tens are taken out of every deck.
        let cards = || {
            self.layout
                .cards()
                .chain(self.round.play.burned.iter().copied())
        };
        violations.add_if(cards().any(is_ten), "deck.foreign_card");
        flag_cards(
            cards().filter(|&card| !is_ten(card)),
            options.decks,
            violations,
        );
    }

    fn flag_play(&self, violations: &mut Violations) {
        let (rules, options) = (self.rules, &self.round.options);
        for wager in &self.round.wagers {
            if let Some(limits) = options.limits.get(&wager.kind) {
                limits.flag(wager.amount, violations);
            }
            violations.add_if(
                wager.kind == Kind::MatchTheDealer && wager.amount < rules.match_minimum,
                "wager.under_min",
            );
        }
        let stakes = &self.layout.stakes;
        stakes.flag_sides(
            &SideRules {
                is_offered: &|_| true,
                stands_alone: &|_| false,
                is_bounded_by_main: &|_| true,
            },
            violations,
        );
        stakes.flag_rights(
            BoxRights {
                boxes: options.boxes,
                players_per_box: options.players_per_box,
                boxes_per_player: options.boxes_per_player,
                adjacent: false,
                several_mains: false,
            },
            violations,
        );
        let insurance = Insurance {
            offered: self.insurance_is_offered(),
            unit: options.chip_unit,
            strictly_half: false,
        };
        stakes.flag_references(&self.layout.boxes, insurance, violations);
        self.layout.flag_boxes(violations);
        self.layout.flag_dealer(
            |index, wager| self.judged(index, wager),
            Duties::default(),
            self.round.play.reader_fault,
            violations,
        );
    }
}

/// 5(e),(f), 9(b): a doubled hand pays even money, whoever doubled it.
fn odds_of_win(odds: &MainTable, hand: &Hand) -> Odds {
    let suits = |mixed, suited, spades| match one_suit(&hand.cards) {
        true if hand.cards.first().and_then(|card| card.suit()) == Some(Suit::Spades) => spades,
        true => suited,
        false => mixed,
    };
    let mut ranks: Vec<Option<Rank>> = hand.cards.iter().map(|card| card.rank()).collect();
    ranks.sort_unstable();
    match ranks[..] {
        _ if hand.doubled.is_some() => odds.other,
        [Some(Rank::Six), Some(Rank::Seven), Some(Rank::Eight)] => {
            suits(odds.mixed_678, odds.suited_678, odds.spades_678)
        }
        [Some(Rank::Seven), Some(Rank::Seven), Some(Rank::Seven)] => {
            suits(odds.mixed_777, odds.suited_777, odds.spades_777)
        }
        _ if hand.total().points != 21 => odds.other,
        [_, _, _, _, _] => odds.five_card_21,
        [_, _, _, _, _, _] => odds.six_card_21,
        [_, _, _, _, _, _, _, ..] => odds.seven_card_21,
        _ => odds.other,
    }
}

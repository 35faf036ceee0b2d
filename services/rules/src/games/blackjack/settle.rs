//! The settlement of a round of blackjack: the table as it lies, hands and insurance.

use super::tables::{EditionRules, Rules};
use super::{Blackjack, BonusPayout, DealerCards, Kind, Options, TableBox, Variation, Verb, Wager};
use super::{config, flags, progressive, sides};
use crate::floor::{Card, Odds, Rank, Seat};
use crate::games::shared::blackjack::{
    BoxWager, Dealer, Doubling, Fate, Hand, HoleCard, HouseRules, Judged, Layout, Surrender,
    half_back, is_ace, is_ace_or_ten_card, one_suit, pay,
};
use crate::games::shared::shoe::{joker_at, refuse_jokers};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Paid, Settled, Violations};

/// A round as it lies on the table, with what decides it.
pub(super) struct Table<'a> {
    pub(super) rules: &'a Rules,
    pub(super) round: &'a Round<Blackjack>,
    pub(super) layout: Layout<'a, Wager, Verb>,
    /// Chips that were no wager.
    pub(super) given_back: Vec<usize>,
}

pub(super) fn settle(rules: &Rules, round: &Round<Blackjack>) -> Result<Outcome, Refusal> {
    refuse_foreign(rules, round)?;
    let (options, play) = (&round.options, &round.play);
    let mut violations = Violations::default();
    let house = house_rules(rules, options);
    let layout = Layout::lay(
        house,
        &round.wagers,
        play.boxes.iter().map(TableBox::record),
        read_dealer(&play.dealer, options, &house)?,
        play.void_round,
        &mut violations,
    )?;
    let table = Table {
        rules,
        round,
        given_back: progressive::given_back(rules, &layout.stakes, &mut violations),
        layout,
    };
    flags::flag(&table, &mut violations);

    let wagers = round.wagers.iter().enumerate();
    let on_hands = wagers
        .map(|(index, wager)| match wager.kind {
            Kind::Main | Kind::Split | Kind::Double => table.settle_hand(index, wager).map(Some),
            Kind::Insurance => table.settle_insurance(index, wager).map(Some),
            _ => Ok(None),
        })
        .collect::<Result<Vec<_>, Refusal>>()?;
    let (wagers, bonuses) = sides::settle(&table, on_hands)?;
    Ok(Outcome {
        paid: Paid::Wagers(wagers),
        bonuses,
        violations,
    })
}

impl<'a> Table<'a> {
    pub(super) fn options(&self) -> &'a Options {
        &self.round.options
    }

    /// The box of a seat as the document has it.
    pub(super) fn record_at(&self, seat: Seat) -> Option<&'a TableBox> {
        let mut boxes = self.round.play.boxes.iter();
        boxes.find(|record| record.seat == seat)
    }

    pub(super) fn is_offered(&self, name: &str) -> bool {
        offers(self.options(), name)
    }

    /// 7(c): Massachusetts tables may offer even money against an ace, unless the hole card lies open.
    pub(super) fn offers_even_money(&self) -> bool {
        self.options().even_money && self.layout.house.hole_card != HoleCard::Exposed
    }

    pub(super) fn is_multiple_action(&self) -> bool {
        self.options().variation == Variation::MultipleAction
    }

    /// 9(a), 6(k)3: insurance against an ace, unless the hole card lies open.
    pub(super) fn insurance_is_offered(&self) -> bool {
        self.layout.dealer.up().is_some_and(is_ace)
            && self.layout.house.hole_card != HoleCard::Exposed
    }

    /// Which of the dealer's hands decides a wager: at multiple action the spot of its original.
    pub(super) fn dealer_hand_of(&self, index: usize) -> usize {
        let original = self.layout.stakes.original(index);
        match original.filter(|_| self.is_multiple_action()) {
            Some(original) => {
                usize::try_from(original.spot().saturating_sub(1)).unwrap_or(usize::MAX)
            }
            None => 0,
        }
    }

    pub(super) fn judged(&self, index: usize, wager: &Wager) -> Judged<'_, Verb> {
        let took_even_money = || {
            let record = self.record_at(wager.seat);
            record.is_some_and(|record| record.even_money.contains(&wager.id))
        };
        Judged {
            even_money: wager.kind == Kind::Main && self.offers_even_money() && took_even_money(),
            dealer_hand: self.dealer_hand_of(index),
            ..self.layout.judged(wager)
        }
    }

    fn settle_hand(&self, index: usize, wager: &Wager) -> Result<Settled, Refusal> {
        let judged = self.judged(index, wager);
        let fate = judged.fate(&self.layout.dealer, &self.layout.house)?;
        let hand = judged.played.and_then(|played| played.hand(wager.hand()));
        let Some(hand) = hand else {
            return Ok(Settled::void(wager));
        };
        let exposed = self.layout.house.hole_card == HoleCard::Exposed;
        Ok(match fate {
            Fate::Void => Settled::void(wager),
            Fate::EvenMoney => pay(wager, self.even_money_odds()),
            Fate::Surrendered { all: false } => half_back(wager),
            Fate::Surrendered { all: true } | Fate::Bust | Fate::Rescued => Settled::lose(wager),
            // 6(k)1: with an exposed hole card a blackjack wins against the dealer's.
            Fate::DealerBlackjack { player_too: true } if exposed => {
                pay(wager, self.blackjack_odds(hand))
            }
            Fate::DealerBlackjack { player_too: true } => Settled::push(wager),
            // 10(b), 11(d): only the original wager is collected.
            Fate::DealerBlackjack { player_too: false } => match wager.kind {
                Kind::Main => Settled::lose(wager),
                _ => Settled::push(wager),
            },
            Fate::Blackjack => pay(wager, self.blackjack_odds(hand)),
            Fate::Compared { player, dealer } if dealer > 21 || player > dealer => {
                pay(wager, self.odds_of_win(hand))
            }
            // 6(k)1: with an exposed hole card a tie loses.
            Fate::Compared { player, dealer } if player == dealer && !exposed => {
                Settled::push(wager)
            }
            Fate::Compared { .. } => Settled::lose(wager),
        })
    }

    fn settle_insurance(&self, index: usize, wager: &Wager) -> Result<Settled, Refusal> {
        let odds = match &self.rules.edition {
            EditionRules::Massachusetts(rules) => rules.main.insurance,
            EditionRules::Ohio(rules) => rules.main.insurance,
        };
        let (offered, hand) = (self.insurance_is_offered(), self.dealer_hand_of(index));
        self.layout.settle_insurance(wager, offered, hand, odds)
    }

    fn even_money_odds(&self) -> Odds {
        match &self.rules.edition {
            EditionRules::Massachusetts(rules) => rules.main.even_money,
            EditionRules::Ohio(rules) => rules.main.other,
        }
    }

    fn blackjack_odds(&self, hand: &Hand) -> Odds {
        let options = self.options();
        match &self.rules.edition {
            EditionRules::Massachusetts(rules) => {
                let main = &rules.main;
                if pays_bonus(options, BonusPayout::DesignatedBlackjack)
                    && is_designated(options, &hand.cards)
                {
                    main.designated_blackjack
                } else if self.layout.house.hole_card == HoleCard::Exposed {
                    main.blackjack_exposed
                } else if options.variation == Variation::SixToFive {
                    main.blackjack_six_to_five
                } else {
                    main.blackjack
                }
            }
            // 18.B.viii: a tournament pays 2 to 1.
            EditionRules::Ohio(rules) if options.tournament => rules.main.blackjack_tournament,
            EditionRules::Ohio(rules) => options
                .blackjack_pays
                .unwrap_or(rules.main.blackjack_3_to_2),
        }
    }

    /// 3(e), 16: odds of a hand that beat the dealer without being a blackjack.
    fn odds_of_win(&self, hand: &Hand) -> Odds {
        let main = match &self.rules.edition {
            EditionRules::Massachusetts(rules) => &rules.main,
            EditionRules::Ohio(rules) => return rules.main.other,
        };
        let offers = |payout| pays_bonus(self.options(), payout);
        let ranks = sorted_ranks(&hand.cards);
        match ranks[..] {
            [Some(Rank::Six), Some(Rank::Seven), Some(Rank::Eight)]
                if one_suit(&hand.cards) && offers(BonusPayout::Suited678) =>
            {
                main.suited_678
            }
            [Some(Rank::Seven), Some(Rank::Seven), Some(Rank::Seven)]
                if offers(BonusPayout::ThreeSevens) =>
            {
                main.three_sevens
            }
            [_, _, _, _, _] if hand.total().points == 21 && offers(BonusPayout::FiveCard21) => {
                main.five_card_21
            }
            _ => main.other,
        }
    }
}

pub(super) fn offers(options: &Options, name: &str) -> bool {
    options.side_bets.iter().any(|offered| offered == name)
}

/// What the options mean for steps and the dealer's draw. Options that the rules bar count as they
/// must be, and are flagged.
fn house_rules(rules: &Rules, options: &Options) -> HouseRules {
    let exposed = options.hole_card == HoleCard::Exposed;
    let (max_hands, resplit_aces, surrender) = match &rules.edition {
        EditionRules::Massachusetts(_) => {
            let split_once = exposed || options.variation == Variation::MultipleAction;
            let max_hands = match options.max_split_hands {
                Some(hands) if !split_once => hands,
                _ => 2,
            };
            let surrender = match options.surrender && !config::bars_surrender(options) {
                true => Surrender::Offered,
                false => Surrender::Barred,
            };
            (max_hands, options.resplit_aces && max_hands > 2, surrender)
        }
        EditionRules::Ohio(rules) => (
            rules.figures.max_split_hands,
            options.tournament && options.tournament_resplit_aces,
            // 4.D, 7.F
            Surrender::Unknown,
        ),
    };
    HouseRules {
        hits_soft_17: options.dealer_hits_soft_17 || options.variation == Variation::SixToFive,
        hole_card: options.hole_card,
        surrender,
        max_hands,
        resplit_aces,
        one_card_to_split_aces: true,
        doubling: Doubling {
            two_cards_only: true,
            after_split: options.double_after_split,
            on_blackjack: options.tournament && options.tournament_double_blackjack,
            nine_to_eleven: exposed,
        },
        threatens: is_ace_or_ten_card,
    }
}

/// Refuses wagers that the edition does not know, keys that nothing reads, and jokers where no hand lies.
fn refuse_foreign(rules: &Rules, round: &Round<Blackjack>) -> Result<(), Refusal> {
    for (index, wager) in round.wagers.iter().enumerate() {
        if !rules.kinds.contains(&wager.kind) {
            let name = wager.kind.offering().unwrap_or_default();
            return Err(Refusal::at(
                format!("wagers[{index}].kind"),
                format!("{name:?} is not a wager of blackjack in {}", round.edition),
            ));
        }
        refuse_unread(wager, &round.options)
            .map_err(|(key, what)| Refusal::at(format!("wagers[{index}].{key}"), what))?;
    }
    if let Some(designated) = &round.options.designated_blackjack {
        refuse_jokers(designated, "options.designated_blackjack")?;
    }
    match &round.play.determinant {
        Some(_) if round.options.double_shoe.is_none() => Err(Refusal::at(
            "play.determinant",
            "only a double shoe has a card that decides the side",
        )),
        Some(determinant) if determinant.card.is_joker() => Err(joker_at("play.determinant.card")),
        _ => Ok(()),
    }
}

/// Refuses what a wager says and nothing reads: the key, and why.
fn refuse_unread(wager: &Wager, options: &Options) -> Result<(), (&'static str, &'static str)> {
    let has_spot = wager.kind == Kind::Main && options.variation == Variation::MultipleAction;
    if wager.spot.is_some() && !has_spot {
        return Err((
            "spot",
            "only a main wager of multiple action lies on a spot",
        ));
    }
    if !(1..=MOST_SPOTS).contains(&wager.spot()) {
        return Err(("spot", "multiple action has the spots 1 to 3"));
    }
    if wager.wins_before.is_some() && wager.kind.streak().is_none() {
        return Err(("wins_before", "only a streak counts wins"));
    }
    if wager.bonus_display.is_some() && wager.kind != Kind::BlackjackBonus {
        return Err(("bonus_display", "only a blackjack bonus has a display"));
    }
    Ok(())
}

/// 18(b): a player bets on two or three hands of the dealer.
const MOST_SPOTS: i64 = 3;

fn read_dealer<'a>(
    dealt: &'a DealerCards,
    options: &Options,
    house: &HouseRules,
) -> Result<Dealer<'a>, Refusal> {
    let several = options.variation == Variation::MultipleAction;
    if !dealt.hands.is_empty() && !several {
        return Err(Refusal::at(
            "play.dealer.hands",
            "only multiple action has several dealer hands; write `cards`",
        ));
    }
    if dealt.hands.is_empty() {
        let place = |_| "play.dealer.cards".to_owned();
        return Dealer::read([&dealt.cards[..]], place, dealt.checked, house);
    }
    if !dealt.cards.is_empty() {
        return Err(Refusal::at(
            "play.dealer.cards",
            "the dealer has either `cards` or `hands`",
        ));
    }
    if dealt.hands.len() as i64 > MOST_SPOTS {
        return Err(Refusal::at(
            "play.dealer.hands",
            format!(
                "multiple action has three dealer hands at most, not {}",
                dealt.hands.len()
            ),
        ));
    }
    let place = |index| format!("play.dealer.hands[{index}]");
    let hands = dealt.hands.iter().map(Vec::as_slice);
    Dealer::read(hands, place, dealt.checked, house)
}

/// 3(e): some hands pay more where the table offers it, never at 6 to 5.
fn pays_bonus(options: &Options, payout: BonusPayout) -> bool {
    options.variation != Variation::SixToFive && options.bonus_payouts.contains(&payout)
}

/// Is this the blackjack that the house designated, in either order?
fn is_designated(options: &Options, cards: &[Card]) -> bool {
    let (Some([ace, face]), &[first, second]) = (config::designated(options), cards) else {
        return false;
    };
    (first, second) == (ace, face) || (first, second) == (face, ace)
}

fn sorted_ranks(cards: &[Card]) -> Vec<Option<Rank>> {
    let mut ranks: Vec<Option<Rank>> = cards.iter().map(|card| card.rank()).collect();
    ranks.sort_unstable();
    ranks
}

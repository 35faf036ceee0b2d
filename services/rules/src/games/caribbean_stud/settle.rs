//! The settlement of a round of Caribbean stud.

use std::cmp::Ordering;

use super::{CaribbeanStud, Kind, Options, Play, ProgressivePayTable, Rules};
use crate::Limits;
use crate::book::Pay;
use crate::floor::{Cents, Rank, Rounding, Seat};
use crate::games::shared::minimum::{self, Posted};
use crate::games::shared::progressive::Meter;
use crate::games::shared::stud::areas::{self, Areas, Placed, Verdicts};
use crate::games::shared::stud::deal::{self, Area, House, Lists};
use crate::games::shared::stud::pay_table::{FiveCardRow, PayTable};
use crate::games::shared::stud::posted::{self, PayoutLimit};
use crate::hands::five::{self, Category};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Violations};

pub(super) fn settle(rules: &Rules, round: &Round<CaribbeanStud>) -> Result<Outcome, Refusal> {
    let (options, play, wagers) = (&round.options, &round.play, &round.wagers);
    areas::refuse_lost_references(wagers)?;
    play.irregularities
        .refuse(&rules.deal, Area::Dealer, options.dealing)?;

    let mut violations = Violations::default();
    flag_options(rules, options, &mut violations);
    let areas = Areas::of(
        wagers,
        |kind| is_offered(rules, options, kind),
        |_| "wager.duplicate_kind",
        &mut violations,
    );
    let seats = in_round(rules, round, &areas);
    flag_wagers(rules, round, &areas, &seats, &mut violations);

    let mut verdicts = Verdicts::all_void(wagers);
    if !is_void(rules, play, &seats, &mut violations)? {
        settle_seats(rules, round, &seats, &mut verdicts)?;
    }
    Ok(Outcome::of_wagers(verdicts.into_settled(), violations))
}

fn is_offered(rules: &Rules, options: &Options, kind: Kind) -> bool {
    let on_this_table = match kind {
        Kind::Ante | Kind::Bet => true,
        Kind::CaribbeanBonus => options.caribbean_bonus_paytable.is_some(),
        Kind::Progressive => options.progressive_paytable.is_some(),
        Kind::FiveCardBonusPlayer | Kind::FiveCardBonusDealer => options.five_card_bonus_offered,
        Kind::MagicCard | Kind::LuckyBonus => false,
    };
    on_this_table && rules.offered.contains(&kind)
}

/// The stakes that the text names for the progressive. 6(c), 11(d)5
fn lawful_stakes<'a>(rules: &'a Rules, options: &Options) -> &'a [Cents] {
    match options.progressive_paytable {
        Some(ProgressivePayTable::D) => &rules.progressive_stakes_d,
        _ => &rules.progressive_stakes,
    }
}

/// The stakes that the device takes.
fn posted_stakes<'a>(rules: &'a Rules, options: &'a Options) -> &'a [Cents] {
    match &options.progressive_amounts {
        Some(posted) => &posted.0,
        None => lawful_stakes(rules, options),
    }
}

fn flag_options(rules: &Rules, options: &Options, violations: &mut Violations) {
    let limits = limits(options);
    posted::flag_conflict(limits, violations);
    posted::flag_second_deck(options.two_decks, options.shuffle, violations);
    posted::flag_hand_dealing(options.dealing, options.shuffle, violations);
    violations.add_if(
        payout_limit(rules, options).is_below,
        "config.payout_limit_too_low",
    );
    let narrow = matches!(limits, Limits { min: Some(min), max: Some(max) }
        if min <= rules.spread_up_to && max < min.times(rules.least_spread));
    violations.add_if(narrow, "limits.ratio");
    violations.add_if(
        options.progressive_linked
            && options
                .progressive_paytable
                .is_some_and(|table| table != ProgressivePayTable::D),
        "config.table_not_linked",
    );
    violations.add_if(
        options.progressive_rate_pct < rules.least_rate_pct,
        "config.rate_too_low",
    );
    violations.add_if(
        options.five_card_bonus_reset < rules.least_five_card_reset,
        "config.reset_too_low",
    );
    let lawful = lawful_stakes(rules, options);
    violations.add_if(
        !posted_stakes(rules, options)
            .iter()
            .all(|stake| lawful.contains(stake)),
        "options.progressive_amounts",
    );
}

/// 146.26(2)(d) prints one least limit, whatever the table minimum.
fn payout_limit(rules: &Rules, options: &Options) -> Posted<Option<Cents>> {
    minimum::limit_at_least(options.bet_payout_limit, &rules.least_limit, None)
}

fn limits(options: &Options) -> Limits {
    Limits {
        min: options.table_min,
        max: options.table_max,
    }
}

/// A seat with an ante, and what else counts there.
struct InRound<'a> {
    seat: Seat,
    ante: Placed<'a, Kind>,
    bet: Option<Placed<'a, Kind>>,
    caribbean_bonus: Option<Placed<'a, Kind>>,
    progressive: Option<Placed<'a, Kind>>,
    five_card_bonus_player: Option<Placed<'a, Kind>>,
    five_card_bonus_dealer: Option<Placed<'a, Kind>>,
    /// Was it dealt a wrong number of cards? Then the hand is void. 12(d)
    is_misdealt: bool,
}

impl InRound<'_> {
    /// An ante without a bet.
    fn has_folded(&self) -> bool {
        self.bet.is_none()
    }

    /// Do the player's cards decide something here?
    fn needs_cards(&self) -> bool {
        self.bet.is_some() || self.five_card_bonus_player.is_some()
    }

    /// Do the dealer's cards decide something here?
    fn needs_dealer(&self) -> bool {
        self.bet.is_some() || self.five_card_bonus_dealer.is_some()
    }
}

fn in_round<'a>(
    rules: &Rules,
    round: &Round<CaribbeanStud>,
    areas: &Areas<'a, Kind>,
) -> Vec<InRound<'a>> {
    let play = &round.play;
    let stakes = posted_stakes(rules, &round.options);
    let seated = |seat| {
        let mut seated = InRound {
            seat,
            ante: areas.get(seat, Kind::Ante)?,
            bet: areas.get(seat, Kind::Bet),
            caribbean_bonus: areas.get(seat, Kind::CaribbeanBonus),
            progressive: areas
                .get(seat, Kind::Progressive)
                .filter(|placed| stakes.contains(&placed.wager.amount)),
            five_card_bonus_player: areas.get(seat, Kind::FiveCardBonusPlayer),
            five_card_bonus_dealer: areas.get(seat, Kind::FiveCardBonusDealer),
            is_misdealt: false,
        };
        seated.is_misdealt =
            play.irregularities.is_misdealt(seat) || lists(rules, play).is_long(seat);
        Some(seated)
    };
    areas.seats().into_iter().filter_map(seated).collect()
}

fn flag_wagers(
    rules: &Rules,
    round: &Round<CaribbeanStud>,
    areas: &Areas<'_, Kind>,
    seats: &[InRound<'_>],
    violations: &mut Violations,
) {
    let (options, play) = (&round.options, &round.play);
    let has_ante = |seat| areas.has(seat, Kind::Ante);
    let stakes = posted_stakes(rules, options);
    for wager in areas.wagers() {
        match wager.kind {
            Kind::Ante => limits(options).flag(wager.amount, violations),
            Kind::Bet => violations.add_if(!has_ante(wager.seat), "wager.bet_without_ante"),
            _ => violations.add_if(!has_ante(wager.seat), "wager.side_without_main"),
        }
        violations.add_if(
            wager.kind == Kind::Progressive && !stakes.contains(&wager.amount),
            "wager.progressive_amount",
        );
    }
    for seated in seats {
        let due = seated.ante.wager.amount.times(rules.bet_multiple);
        violations.add_if(
            seated.bet.is_some_and(|bet| bet.wager.amount != due),
            "wager.bad_multiple",
        );
    }
    areas.flag_references(Kind::Ante, violations);
    areas::flag_positions(&round.wagers, rules.positions, violations);
    violations.add_if(
        play.players.has_person_with_two_hands(&round.wagers),
        "wager.more_than_one_hand",
    );
    deal::flag_hands_without_wager(&play.hands, has_ante, violations);
}

fn lists<'a>(rules: &'a Rules, play: &'a Play) -> Lists<'a> {
    Lists {
        deal: &rules.deal,
        hands: &play.hands,
        house: &play.dealer,
        area: Area::Dealer,
    }
}

/// Are all hands void? Card lists are looked at only if no event voids them. A hand that is too long, or that was
/// dealt wrong, is void alone. 12(d)
fn is_void(
    rules: &Rules,
    play: &Play,
    seats: &[InRound<'_>],
    violations: &mut Violations,
) -> Result<bool, Refusal> {
    let irregularities = &play.irregularities;
    let dealt = play.hands.values().flatten().chain(&play.dealer);
    let joker = deal::flag_cards(irregularities, dealt, violations);
    if joker || irregularities.void(&rules.deal) {
        return Ok(true);
    }
    let lists = lists(rules, play);
    violations.add_if(lists.is_too_long(), "deal.card_count");
    if lists.is_house_too_long() {
        return Ok(true);
    }
    let house = match seats.iter().any(InRound::needs_dealer) {
        true => House::Needed,
        false => House::WholeOrNone,
    };
    let needed = seats.iter().filter(|seated| seated.needs_cards());
    let needed = needed.map(|seated| seated.seat);
    lists.refuse_incomplete(needed, |seat| irregularities.is_misdealt(seat), house)?;
    Ok(false)
}

/// 10(c): an ace and a king, or a pair or better.
pub(super) fn qualifies(dealer: five::Hand) -> bool {
    let ranks = dealer.ranks();
    dealer.category() > Category::HighCard || (ranks[0] == Rank::Ace && ranks[1] == Rank::King)
}

/// From the dealer's right, so that meter prizes are read when it is the player's turn. 10(c), 11(d)4
fn settle_seats(
    rules: &Rules,
    round: &Round<CaribbeanStud>,
    seats: &[InRound<'_>],
    verdicts: &mut Verdicts,
) -> Result<(), Refusal> {
    let (options, play) = (&round.options, &round.play);
    let dealer = five::rank(&play.dealer);
    let hand_of = |seated: &InRound<'_>| {
        let cards = play.hands.get(seated.seat)?;
        five::rank(cards).filter(|_| !seated.is_misdealt)
    };
    let meters = &play.meters;
    let shown = meters.progressive.flatten();
    let mut progressive = Meter::new("progressive", shown, options.progressive_reset);
    let shown = meters.five_card_bonus.flatten();
    let mut five_card = Meter::new("five_card_bonus", shown, options.five_card_bonus_reset);
    let backers = seats
        .iter()
        .filter(|seated| seated.five_card_bonus_dealer.is_some());
    let dealer_prize = DealerPrize::of(rules, dealer, backers.count(), &mut five_card)?;
    let envied: Vec<(Seat, Pay)> = seats
        .iter()
        .filter(|seated| !seated.has_folded())
        .filter_map(|seated| {
            let envy = rules.envy.filed_pay(hand_of(seated)?);
            (envy != Pay::Lose).then_some((seated.seat, envy))
        })
        .collect();

    for seated in seats.iter().rev() {
        if !seated.is_misdealt {
            let hand = hand_of(seated);
            settle_against_dealer(rules, options, seated, hand, dealer, verdicts);
            settle_bonus(rules, options, seated, hand, verdicts);
            if let Some(placed) = seated.progressive {
                let own = match (hand, progressive_table(rules, options)) {
                    (Some(hand), Some(table)) if !seated.has_folded() => {
                        progressive.pay(table.filed_pay(hand), placed.wager.amount)?
                    }
                    _ => Cents::ZERO,
                };
                let envy = envy_of(round, &envied, placed);
                verdicts.award(placed, own + envy);
            }
            // 10(b): also after a fold.
            if let (Some(placed), Some(hand)) = (seated.five_card_bonus_player, hand) {
                let pay = rules.five_card.filed_pay(hand);
                verdicts.award(placed, five_card.pay(pay, placed.wager.amount)?);
            }
        }
        if let Some(placed) = seated.five_card_bonus_dealer {
            verdicts.award(placed, dealer_prize.on(placed.wager.amount));
        }
    }
    Ok(())
}

fn settle_against_dealer(
    rules: &Rules,
    options: &Options,
    seated: &InRound<'_>,
    hand: Option<five::Hand>,
    dealer: Option<five::Hand>,
    verdicts: &mut Verdicts,
) {
    let ante = seated.ante;
    let (Some(bet), Some(hand), Some(dealer)) = (seated.bet, hand, dealer) else {
        return verdicts.lose(ante);
    };
    let ante_win = rules.ante.win.win_on(ante.wager.amount, Rounding::DOWN);
    if !qualifies(dealer) {
        verdicts.win(ante, ante_win);
        return verdicts.push(bet);
    }
    match hand.cmp(&dealer) {
        Ordering::Greater => {
            verdicts.win(ante, ante_win);
            let win = match rules.bet.filed_pay(hand) {
                Pay::Odds(odds) => odds.win_on(bet.wager.amount, Rounding::DOWN),
                _ => Cents::ZERO,
            };
            let limit = payout_limit(rules, options).due;
            verdicts.win(bet, PayoutLimit(limit).take(win));
        }
        Ordering::Equal => {
            verdicts.push(ante);
            verdicts.push(bet);
        }
        Ordering::Less => {
            verdicts.lose(ante);
            verdicts.lose(bet);
        }
    }
}

/// Whatever the dealer holds; a fold forfeits it. 10(b), 11(c)
fn settle_bonus(
    rules: &Rules,
    options: &Options,
    seated: &InRound<'_>,
    hand: Option<five::Hand>,
    verdicts: &mut Verdicts,
) {
    let Some(placed) = seated.caribbean_bonus else {
        return;
    };
    let table = options
        .caribbean_bonus_paytable
        .and_then(|name| rules.bonus.get(&name));
    match (hand, table) {
        (Some(hand), Some(table)) if !seated.has_folded() => match table.filed_pay(hand) {
            Pay::Odds(odds) => {
                verdicts.win(placed, odds.win_on(placed.wager.amount, Rounding::DOWN));
            }
            _ => verdicts.lose(placed),
        },
        _ => verdicts.lose(placed),
    }
}

fn progressive_table<'a>(rules: &'a Rules, options: &Options) -> Option<&'a PayTable<FiveCardRow>> {
    options
        .progressive_paytable
        .and_then(|name| rules.progressive.get(&name))
}

/// 11(d)5: under table D, for each hand of another person that is still in; after a fold too.
fn envy_of(
    round: &Round<CaribbeanStud>,
    envied: &[(Seat, Pay)],
    bettor: Placed<'_, Kind>,
) -> Cents {
    if round.options.progressive_paytable != Some(ProgressivePayTable::D) {
        return Cents::ZERO;
    }
    let (seat, stake) = (bettor.wager.seat, bettor.wager.amount);
    let players = &round.play.players;
    envied
        .iter()
        .filter(|&&(holder, _)| players.person(holder) != players.person(seat))
        .map(|&(_, pay)| match pay {
            Pay::Odds(odds) => stake + odds.win_on(stake, Rounding::DOWN),
            _ => Cents::ZERO,
        })
        .sum()
}

/// What the dealer's hand gives those who backed it.
#[derive(Clone, Copy, Debug)]
enum DealerPrize {
    /// 11(e)2: an equal part of a share of the meter; odd cents stay with the house.
    Shared(Cents),
    ByStake(Pay),
}

impl DealerPrize {
    /// The share is fixed once, before the players' own prizes.
    fn of(
        rules: &Rules,
        dealer: Option<five::Hand>,
        backers: usize,
        meter: &mut Meter,
    ) -> Result<DealerPrize, Refusal> {
        let pay = dealer.map_or(Pay::Lose, |hand| rules.five_card.filed_pay(hand));
        Ok(match (pay, i64::try_from(backers)) {
            (Pay::Meter(percent), Ok(backers @ 1..)) => {
                let pool = meter.take(percent)?;
                DealerPrize::Shared(pool.fraction(1, backers, Rounding::DOWN))
            }
            _ => DealerPrize::ByStake(pay),
        })
    }

    fn on(self, stake: Cents) -> Cents {
        match self {
            DealerPrize::Shared(part) => part,
            DealerPrize::ByStake(Pay::Odds(odds)) => stake + odds.win_on(stake, Rounding::DOWN),
            DealerPrize::ByStake(_) => Cents::ZERO,
        }
    }
}

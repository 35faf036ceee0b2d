//! The settlement of a round of DJ Wild.

use std::cmp::Ordering;

use super::{DjWild, Kind, LimitScope, Options, Play, Rules, WildRow};
use crate::Limits;
use crate::floor::{Card, Odds, Rounding, Seat};
use crate::games::shared::minimum;
use crate::games::shared::stud::areas::{self, Areas, Placed, Verdicts};
use crate::games::shared::stud::deal::{self, Area, House, Lists};
use crate::games::shared::stud::pay_table::PostedOdds;
use crate::games::shared::stud::posted::{self, PayoutLimit};
use crate::hands::wild::{self, Category, DEUCES_AND_JOKER};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Violations};

pub(super) fn settle(rules: &Rules, round: &Round<DjWild>) -> Result<Outcome, Refusal> {
    let (options, play, wagers) = (&round.options, &round.play, &round.wagers);
    areas::refuse_lost_references(wagers)?;
    rules
        .blind
        .refuse_unfiled(&options.odds_override.blind, "options.odds_override.blind")?;
    play.irregularities
        .refuse(&rules.deal, Area::Dealer, options.dealing)?;
    deal::refuse_absent(&play.abandoned, wagers, "play.abandoned")?;

    let mut violations = Violations::default();
    flag_options(rules, options, &mut violations);
    let areas = Areas::of(
        wagers,
        |kind| kind != Kind::TwoWayBadBeat || options.two_way_bad_beat_offered,
        |_| "wager.duplicate_kind",
        &mut violations,
    );
    let seats = in_round(&areas);
    flag_wagers(rules, round, &areas, &seats, &mut violations);

    let mut verdicts = Verdicts::all_void(wagers);
    if !is_void(rules, play, &seats, &mut violations)? {
        settle_seats(rules, round, &seats, &mut verdicts);
    }
    Ok(Outcome::of_wagers(verdicts.into_settled(), violations))
}

fn limits(options: &Options) -> Limits {
    Limits {
        min: options.table_min,
        max: options.table_max,
    }
}

fn flag_options(rules: &Rules, options: &Options, violations: &mut Violations) {
    posted::flag_conflict(limits(options), violations);
    posted::flag_second_deck(options.two_decks, options.shuffle, violations);
    // 12.G fixes it; more favours the player, and is flagged all the same.
    violations.add_if(
        options.payout_limit != rules.least_limit.amount,
        "options.payout_limit",
    );
    violations.add_if(
        rules.blind.is_undercut_by(&options.odds_override.blind),
        "config.odds_below_minimum",
    );
}

/// A seat with ante and blind, and what else counts there.
struct InRound<'a> {
    seat: Seat,
    ante: Placed<'a, Kind>,
    blind: Placed<'a, Kind>,
    /// Without it the hand is folded.
    play: Option<Placed<'a, Kind>>,
    trips: Option<Placed<'a, Kind>>,
    bad_beat: Option<Placed<'a, Kind>>,
}

impl InRound<'_> {
    /// Do the cards decide something here?
    fn needs_cards(&self) -> bool {
        self.play.is_some() || self.bad_beat.is_some()
    }
}

fn in_round<'a>(areas: &Areas<'a, Kind>) -> Vec<InRound<'a>> {
    let seated = |seat| {
        Some(InRound {
            seat,
            ante: areas.get(seat, Kind::Ante)?,
            blind: areas.get(seat, Kind::Blind)?,
            play: areas.get(seat, Kind::Play),
            trips: areas.get(seat, Kind::Trips),
            bad_beat: areas.get(seat, Kind::TwoWayBadBeat),
        })
    };
    areas.seats().into_iter().filter_map(seated).collect()
}

fn flag_wagers(
    rules: &Rules,
    round: &Round<DjWild>,
    areas: &Areas<'_, Kind>,
    seats: &[InRound<'_>],
    violations: &mut Violations,
) {
    let has_cards = |seat| areas.has(seat, Kind::Ante) && areas.has(seat, Kind::Blind);
    for wager in areas.wagers() {
        let out = !has_cards(wager.seat);
        match wager.kind {
            Kind::Ante | Kind::Blind => violations.add_if(out, "wager.unequal"),
            Kind::Play => violations.add_if(out, "wager.play_without_ante"),
            Kind::Trips | Kind::TwoWayBadBeat => {
                violations.add_if(out, "wager.side_without_main");
            }
        }
        if wager.kind == Kind::Ante {
            limits(&round.options).flag(wager.amount, violations);
        }
    }
    for seated in seats {
        let ante = seated.ante.wager.amount;
        violations.add_if(seated.blind.wager.amount != ante, "wager.unequal");
        let due = ante.times(rules.play_multiple);
        violations.add_if(
            seated.play.is_some_and(|play| play.wager.amount != due),
            "wager.bad_multiple",
        );
    }
    areas.flag_references(Kind::Ante, violations);
    areas::flag_positions(&round.wagers, rules.positions, violations);
    deal::flag_hands_without_wager(&round.play.hands, has_cards, violations);
}

/// Are all hands void? Card lists are looked at only if no event voids them. Hands and a dealer's hand that decide
/// nothing need not be listed.
fn is_void(
    rules: &Rules,
    play: &Play,
    seats: &[InRound<'_>],
    violations: &mut Violations,
) -> Result<bool, Refusal> {
    let irregularities = &play.irregularities;
    irregularities.flag(violations);
    let dealt = play.hands.values().flatten().chain(&play.dealer);
    deal::flag_duplicates(dealt, violations);
    if irregularities.void(&rules.deal) {
        return Ok(true);
    }
    let lists = Lists {
        deal: &rules.deal,
        hands: &play.hands,
        house: &play.dealer,
        area: Area::Dealer,
    };
    let is_played =
        |seated: &&InRound<'_>| seated.needs_cards() && !play.abandoned.contains(&seated.seat);
    let needed: Vec<Seat> = seats
        .iter()
        .filter(is_played)
        .map(|seated| seated.seat)
        .collect();
    let house = match needed.is_empty() {
        true => House::WholeOrNone,
        false => House::Needed,
    };
    lists.are_void(needed.into_iter(), house, violations)
}

/// From the dealer's right, which matters to a limit that all seats share.
fn settle_seats(
    rules: &Rules,
    round: &Round<DjWild>,
    seats: &[InRound<'_>],
    verdicts: &mut Verdicts,
) {
    let (options, play) = (&round.options, &round.play);
    let dealer = best_hand(&play.dealer);
    let in_force = minimum::at_least(options.payout_limit, rules.least_limit.amount);
    let full = PayoutLimit(Some(in_force.due));
    let mut limit = full;
    for seated in seats.iter().rev() {
        if options.payout_limit_scope == LimitScope::Hand {
            limit = full;
        }
        // 7.B: who leaves the table loses everything.
        let abandoned = play.abandoned.contains(&seated.seat);
        let cards = play.hands.get(seated.seat).map_or(&[][..], Vec::as_slice);
        let hands = best_hand(cards).zip(dealer).filter(|_| !abandoned);
        settle_main(rules, options, seated, hands, &mut limit, verdicts);
        if let Some(trips) = seated.trips {
            let odds = trips_odds(rules, cards).filter(|_| seated.play.is_some() && !abandoned);
            pay_or_lose(trips, odds, &mut limit, verdicts);
        }
        // 8.G: the bad beat lives on after a fold.
        if let Some(bad_beat) = seated.bad_beat {
            let odds = hands.and_then(|(own, dealer)| bad_beat_odds(rules, own, dealer));
            pay_or_lose(bad_beat, odds, &mut limit, verdicts);
        }
    }
}

pub(super) fn best_hand(cards: &[Card]) -> Option<wild::Hand> {
    wild::rank(cards, DEUCES_AND_JOKER)
}

/// Ante, blind and play against the dealer, who always plays. `hands` are the player's and the
/// dealer's; none if the player left.
fn settle_main(
    rules: &Rules,
    options: &Options,
    seated: &InRound<'_>,
    hands: Option<(wild::Hand, wild::Hand)>,
    limit: &mut PayoutLimit,
    verdicts: &mut Verdicts,
) {
    let (ante, blind) = (seated.ante, seated.blind);
    // 12.B: outside the limit.
    let win =
        |placed: Placed<'_, Kind>, odds: Odds| odds.win_on(placed.wager.amount, Rounding::DOWN);
    let staked = [ante, blind].into_iter().chain(seated.play);
    match (seated.play, hands) {
        (Some(play), Some((own, dealer))) => match own.cmp(&dealer) {
            Ordering::Greater => {
                verdicts.win(ante, win(ante, rules.main.ante));
                verdicts.win(play, win(play, rules.main.play));
                let row = WildRow::from(own.category());
                match rules.blind.odds(row, &options.odds_override.blind) {
                    Some(odds) => pay_or_lose(blind, Some(odds), limit, verdicts),
                    // 12.D: below a straight it goes back.
                    None => verdicts.push(blind),
                }
            }
            Ordering::Equal => staked.for_each(|placed| verdicts.push(placed)),
            Ordering::Less => staked.for_each(|placed| verdicts.lose(placed)),
        },
        _ => staked.for_each(|placed| verdicts.lose(placed)),
    }
}

/// By the best class, from the column that says whether it needed a wild card. 12.E, 13.F
pub(super) fn trips_odds(rules: &Rules, cards: &[Card]) -> Option<Odds> {
    let row = WildRow::from(best_hand(cards)?.category());
    let column = if wild::is_natural(cards, DEUCES_AND_JOKER) {
        &rules.trips_natural
    } else {
        &rules.trips_wild
    };
    column.odds(row, &PostedOdds::new())
}

/// Both hands three of a kind or better, one beats the other: by the beaten one. 11.D.iv, 12.F
fn bad_beat_odds(rules: &Rules, own: wild::Hand, dealer: wild::Hand) -> Option<Odds> {
    let beaten = own.min(dealer);
    if own == dealer || beaten.category() < Category::ThreeOfAKind {
        return None;
    }
    let row = WildRow::from(beaten.category());
    rules.bad_beat.odds(row, &PostedOdds::new())
}

fn pay_or_lose(
    placed: Placed<'_, Kind>,
    odds: Option<Odds>,
    limit: &mut PayoutLimit,
    verdicts: &mut Verdicts,
) {
    match odds {
        Some(odds) => {
            let win = odds.win_on(placed.wager.amount, Rounding::DOWN);
            verdicts.win(placed, limit.take(win));
        }
        None => verdicts.lose(placed),
    }
}

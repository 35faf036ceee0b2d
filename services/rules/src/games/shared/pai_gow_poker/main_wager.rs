//! The hand against the dealer's or the bank's.

use super::checks::Checked;
use super::document::{Hand, Kind, Play, Wager};
use super::fortune::pay_odds;
use super::house_way::house_way;
use super::setting::{Laid, Setting};
use super::{HouseWay, Table, is_massachusetts};
use crate::floor::{Card, Odds, Seat};
use crate::games::shared::pai_gow;
use crate::refusal::Refusal;
use crate::settlement::{Settled, Verdict, Violations};

/// What the players' hands are compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reference {
    pub(crate) setting: Setting,
    /// A Tiger-9: nobody wins or loses.
    pub(crate) all_push: bool,
}

impl Reference {
    pub(crate) fn against(self, setting: Setting) -> Verdict {
        pai_gow::verdict(
            setting.high > self.setting.high,
            setting.low > self.setting.low,
        )
    }
}

/// The hand of an area that is needed to settle it.
pub(crate) fn dealt_hand(play: &Play, area: Seat) -> Result<&Hand, Refusal> {
    play.hand(area)
        .ok_or_else(|| Refusal::at("play.hands", format!("the hand of area {area} is missing")))
}

/// The setting of a hand that the house sets: 9(d), 10(e), 11(i); 12. An error is corrected.
pub(crate) fn house_hand(
    table: &Table<'_>,
    cards: &[Card],
    laid: Option<Laid<'_>>,
    place: &str,
    violations: &mut Violations,
) -> Result<Setting, Refusal> {
    let laid = read(table, cards, laid, place)?;
    let (setting, is_error) = match (table.house_way, laid) {
        (HouseWay::Standard, laid) => {
            let due = set_by_house(table, cards, place)?;
            (due, laid.is_some_and(|laid| laid != Some(due)))
        }
        (HouseWay::AsSet, Some(Some(setting))) if setting.is_lawful() => (setting, false),
        (HouseWay::AsSet, Some(_)) => (set_by_house(table, cards, place)?, true),
        (HouseWay::AsSet, None) => return Err(missing_setting(place)),
    };
    violations.add_if(is_error, table.codes.house_way_error);
    Ok(setting)
}

/// The dealer's setting, which is needed.
pub(crate) fn dealer_hand(
    table: &Table<'_>,
    play: &Play,
    violations: &mut Violations,
) -> Result<Setting, Refusal> {
    let Some(dealer) = &play.dealer else {
        return Err(Refusal::at("play", "the key \"dealer\" is missing"));
    };
    house_hand(
        table,
        &dealer.cards,
        dealer.laid(),
        "play.dealer",
        violations,
    )
}

/// A setting as it was laid; `None` inside where it is not five and two.
fn read(
    table: &Table<'_>,
    cards: &[Card],
    laid: Option<Laid<'_>>,
    place: &str,
) -> Result<Option<Option<Setting>>, Refusal> {
    laid.map(|laid| laid.read(cards, table.low_straight, place))
        .transpose()
}

fn missing_setting(place: &str) -> Refusal {
    Refusal::at(place, "the setting is missing: write \"high\" and \"low\"")
}

/// The written house way.
fn set_by_house(table: &Table<'_>, cards: &[Card], place: &str) -> Result<Setting, Refusal> {
    // A hand of another number of cards voids the round, so that nothing is set.
    let cards: &[Card; 7] = cards
        .try_into()
        .map_err(|_| Refusal::at(format!("{place}.cards"), "a hand has seven cards"))?;
    Ok(house_way(cards, table.low_straight))
}

/// A hand that its player sets: `None` if it is fouled.
pub(crate) fn player_setting(
    table: &Table<'_>,
    cards: &[Card],
    laid: Option<Laid<'_>>,
    place: &str,
) -> Result<Option<Setting>, Refusal> {
    let laid = read(table, cards, laid, place)?.ok_or_else(|| missing_setting(place))?;
    Ok(laid.filter(|setting| setting.is_lawful()))
}

/// The bank sets its own hand. Fouled, it is not lost but reset by the dealer: 11(j).
pub(crate) fn bank_setting(
    table: &Table<'_>,
    hand: &Hand,
    place: &str,
    violations: &mut Violations,
) -> Result<Setting, Refusal> {
    if let Some(setting) = player_setting(table, &hand.cards, hand.laid(), place)? {
        return Ok(setting);
    }
    violations.add("pai_gow_poker.bank_fouled");
    set_by_house(table, &hand.cards, place)
}

/// How the main wager of each area ends, by wager index.
pub(crate) fn settle_main_wagers(
    table: &Table<'_>,
    wagers: &[Wager],
    play: &Play,
    checked: &Checked,
    reference: Reference,
    violations: &mut Violations,
) -> Result<Vec<(usize, Verdict)>, Refusal> {
    checked
        .mains()
        .map(|(area, index)| {
            let hand = dealt_hand(play, area)?;
            if play.is_hand_void(area) {
                return Ok((index, Verdict::Void));
            }
            if hand.is_abandoned() {
                return Ok((index, Verdict::Lose));
            }
            if hand.surrender {
                if !bars_surrender(table, wagers, checked, area) {
                    return Ok((index, Verdict::Lose));
                }
                violations.add("pai_gow_poker.surrender_not_allowed");
            }
            let place = play.place_of(area);
            let setting = if is_third_area(table, wagers, play, checked, hand) {
                let due = set_by_house(table, &hand.cards, &place)?;
                let laid = read(table, &hand.cards, hand.laid(), &place)?;
                violations.add_if(
                    laid.is_some_and(|laid| laid != Some(due)),
                    table.codes.house_way_error,
                );
                Some(due)
            } else {
                player_setting(table, &hand.cards, hand.laid(), &place)?
            };
            violations.add_if(setting.is_none(), table.codes.fouled_hand);
            let verdict = match setting {
                _ if reference.all_push => Verdict::Push,
                Some(setting) => reference.against(setting),
                None => Verdict::Lose,
            };
            Ok((index, verdict))
        })
        .collect()
}

/// A main wager that ended so, before vigorish.
pub(crate) fn even_money(wager: &Wager, odds: Odds, verdict: Verdict) -> Settled {
    match verdict {
        Verdict::Win => pay_odds(wager, Some(odds)),
        Verdict::Push => Settled::push(wager),
        Verdict::Lose => Settled::lose(wager),
        Verdict::Void | Verdict::Open => Settled::void(wager),
    }
}

/// 9(e): who has a progressive or a seven-card wager may not surrender. Ohio has no such rule.
fn bars_surrender(table: &Table<'_>, wagers: &[Wager], checked: &Checked, area: Seat) -> bool {
    is_massachusetts(table.edition)
        && [Kind::Progressive, Kind::SevenCardBonus]
            .iter()
            .any(|&kind| checked.live(wagers, area, kind).is_some())
}

/// 7.D of the Ohio text: who plays three areas has the one with the smallest wager set by the
/// house; of equal wagers the last one counterclockwise.
fn is_third_area(
    table: &Table<'_>,
    wagers: &[Wager],
    play: &Play,
    checked: &Checked,
    hand: &Hand,
) -> bool {
    if is_massachusetts(table.edition) || hand.player.is_none() {
        return false;
    }
    let own: Vec<(Seat, usize)> = checked
        .mains()
        .filter(|&(area, _)| play.owner(area) == hand.owner())
        .collect();
    let smallest = own
        .iter()
        .min_by_key(|&&(area, index)| (wagers[index].amount, std::cmp::Reverse(area)));
    own.len() == 3 && smallest.is_some_and(|&(area, _)| area == hand.seat)
}

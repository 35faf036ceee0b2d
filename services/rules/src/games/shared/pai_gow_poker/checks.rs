//! What a round shows to be wrong before any hand is compared, and which wagers go back for it.

use super::document::{Kind, Method, Play, Wager};
use super::{DealMethod, Table, is_massachusetts};
use crate::floor::{CardSet, Seat};
use crate::games::shared::ohio_progressives::Chip;
use crate::games::shared::pai_gow::{self, Holding};
use crate::refusal::Refusal;
use crate::settlement::Violations;

/// Cards of the deck: 52 and the joker.
const DECK: i64 = 53;
/// Every hand has so many cards.
const CARDS: usize = 7;
/// The dealer and six areas.
const POSITIONS: i64 = 7;

/// The round after the checks.
#[derive(Debug)]
pub(crate) struct Checked {
    /// The wager of each area that the hand is played for, by index; areas 1 to 6.
    main: [Option<usize>; 7],
    /// By wager: goes back whatever happens.
    pub(crate) refused: Vec<bool>,
    /// All hands are void.
    pub(crate) is_void: bool,
}

impl Checked {
    /// The index of the main wager of an area.
    pub(crate) fn main(&self, area: Seat) -> Option<usize> {
        self.main.get(usize::from(area.number())).copied().flatten()
    }

    /// Areas with a main wager in ascending order, and its index.
    pub(crate) fn mains(&self) -> impl Iterator<Item = (Seat, usize)> {
        pai_gow::AREAS
            .map(Seat::new)
            .filter_map(|area| Some((area, self.main(area)?)))
    }

    /// The wager of this kind at an area that did not go back.
    pub(crate) fn live<'a>(
        &self,
        wagers: &'a [Wager],
        area: Seat,
        kind: Kind,
    ) -> Option<(usize, &'a Wager)> {
        let mut live = wagers.iter().zip(&self.refused).enumerate();
        live.find(|(_, (wager, refused))| wager.seat == area && wager.kind == kind && !**refused)
            .map(|(index, (wager, _))| (index, wager))
    }
}

pub(crate) fn check(
    table: &Table<'_>,
    wagers: &[Wager],
    play: &Play,
    violations: &mut Violations,
) -> Result<Checked, Refusal> {
    let mut checked = Checked {
        main: [None; 7],
        refused: vec![false; wagers.len()],
        is_void: play.is_declared_void(table.irregular),
    };
    check_main_wagers(table, wagers, play, &mut checked, violations);
    check_areas(table, play, &checked, violations);
    check_side_wagers(table, wagers, play, &mut checked, violations);
    check_envy_markers(table, wagers, &mut checked, violations);
    check_start_method(table, wagers, play, &checked, violations);
    check_deal(table, play, &mut checked, violations)?;
    Ok(checked)
}

fn check_main_wagers(
    table: &Table<'_>,
    wagers: &[Wager],
    play: &Play,
    checked: &mut Checked,
    violations: &mut Violations,
) {
    for (index, wager) in wagers.iter().enumerate() {
        if wager.kind != Kind::PaiGowPoker {
            continue;
        }
        if play.bank_seat == Some(wager.seat) {
            violations.add("wager.bank_extra_area");
            checked.refused[index] = true;
        } else if checked.main(wager.seat).is_some() {
            violations.add("wager.duplicate_kind");
            checked.refused[index] = true;
        } else {
            checked.main[usize::from(wager.seat.number())] = Some(index);
            table.limits.flag(wager.amount, violations);
        }
    }
}

fn check_areas(table: &Table<'_>, play: &Play, checked: &Checked, violations: &mut Violations) {
    let hands = play.hands.iter().map(|hand| {
        let holding = if play.bank_seat == Some(hand.seat) {
            Holding::Bank
        } else if checked.main(hand.seat).is_some() {
            Holding::Wager
        } else {
            Holding::Nothing
        };
        (hand.seat, hand.player.as_deref(), holding)
    });
    pai_gow::flag_areas(hands, table.max_areas, violations);
}

fn check_side_wagers(
    table: &Table<'_>,
    wagers: &[Wager],
    play: &Play,
    checked: &mut Checked,
    violations: &mut Violations,
) {
    let mut seen: Vec<(Seat, Kind)> = Vec::new();
    for (index, wager) in wagers.iter().enumerate() {
        let banked = matches!(wager.kind, Kind::Bank | Kind::DealerVsBank);
        if wager.kind == Kind::PaiGowPoker || banked && is_massachusetts(table.edition) {
            continue;
        }
        if wager.kind != Kind::Envy && !table.offers(wager.kind) {
            violations.add("wager.not_offered");
            checked.refused[index] = true;
            continue;
        }
        let has_main = checked.main(wager.seat).is_some();
        let again = seen.contains(&(wager.seat, wager.kind));
        if has_main {
            seen.push((wager.seat, wager.kind));
        }
        checked.refused[index] = !counts(table, wager, play, [has_main, again], violations);
    }
}

/// Does a side wager that the table offers count, or does it go back?
fn counts(
    table: &Table<'_>,
    wager: &Wager,
    play: &Play,
    [has_main, again]: [bool; 2],
    violations: &mut Violations,
) -> bool {
    let is_named = wager.number.is_some_and(|number| (1..=7).contains(&number));
    let fault = match wager.kind {
        Kind::FortuneProgressive if !again => {
            let chip = Chip {
                amount: wager.amount,
                stake: table.progressive_stake,
                beside_standard: has_main,
            };
            return chip.counts("wager.progressive_amount", violations);
        }
        _ if !has_main => "wager.side_without_main",
        Kind::Number if is_named && play.deal.method() == Some(Method::Rng) => return true,
        Kind::Number => "wager.number_invalid",
        _ if again => "wager.duplicate_kind",
        Kind::Progressive if wager.amount != table.progressive_stake => "wager.progressive_amount",
        kind => {
            let small = kind.is_bonus() && wager.amount < table.figures.bonus_minimum;
            violations.add_if(small, "wager.under_min");
            return true;
        }
    };
    violations.add(fault);
    false
}

/// A bonus wager of five dollars has a marker, and a marker has such a wager: 15(c); 14.B.
fn check_envy_markers(
    table: &Table<'_>,
    wagers: &[Wager],
    checked: &mut Checked,
    violations: &mut Violations,
) {
    let earns_marker = |bonus: &Wager, refused: bool| {
        bonus.kind.is_bonus() && !refused && bonus.amount >= table.figures.envy_minimum
    };
    for (index, marker) in wagers.iter().enumerate() {
        if marker.kind != Kind::Envy || checked.refused[index] {
            continue;
        }
        let due = wagers
            .iter()
            .zip(&checked.refused)
            .any(|(bonus, &refused)| {
                marker.on.as_ref() == Some(&bonus.id)
                    && bonus.seat == marker.seat
                    && earns_marker(bonus, refused)
            });
        if !due {
            violations.add("envy.marker_undue");
            checked.refused[index] = true;
        }
    }
    for (bonus, &refused) in wagers.iter().zip(&checked.refused) {
        let has_marker =
            |marker: &Wager| marker.kind == Kind::Envy && marker.on.as_ref() == Some(&bonus.id);
        violations.add_if(
            earns_marker(bonus, refused) && !wagers.iter().any(has_marker),
            "envy.marker_missing",
        );
    }
}

fn check_start_method(
    table: &Table<'_>,
    wagers: &[Wager],
    play: &Play,
    checked: &Checked,
    violations: &mut Violations,
) {
    let Some(method) = play.deal.method() else {
        return;
    };
    let left_first = method == Method::LeftFirst;
    let against_the_text = if is_massachusetts(table.edition) {
        let in_three_and_four = deals_in_three_and_four(table, wagers, checked);
        in_three_and_four.is_some_and(|due| due != left_first)
    } else {
        left_first
    };
    // 8c(d); 11.D: a button needs the automated shoe.
    let button_without_shoe = method == Method::Button
        && table
            .deal_method
            .is_some_and(|deal| deal != DealMethod::AutoShoe);
    let against_the_table = table.start_method.is_some_and(|posted| posted != method);
    violations.add_if(
        against_the_text || button_without_shoe || against_the_table,
        table.codes.start_method,
    );
}

/// Does the table offer a wager of section 17, and so deal by it, whether or not it is bet? `None` where
/// nobody says what it offers. 4(a), 17(b)
fn deals_in_three_and_four(table: &Table<'_>, wagers: &[Wager], checked: &Checked) -> Option<bool> {
    let is_one = |kind: &Kind| matches!(kind, Kind::ThreeCardBonus | Kind::SevenCardBonus);
    let mut live = wagers.iter().zip(&checked.refused);
    match live.any(|(wager, refused)| is_one(&wager.kind) && !refused) {
        true => Some(true),
        false => table.side_bets.map(|posted| posted.iter().any(is_one)),
    }
}

/// The deal itself: start, hands of seven, what is left over, no card twice. A hand of fewer cards is half a record,
/// unless the round is void without it.
fn check_deal(
    table: &Table<'_>,
    play: &Play,
    checked: &mut Checked,
    violations: &mut Violations,
) -> Result<(), Refusal> {
    let declared = play.is_declared_void(table.irregular);
    let due = due_start(table, play, checked);
    if let (Some(first), Some(due)) = (play.deal.first, due)
        && u16::from(first) != due
    {
        checked.is_void = true;
        violations.add_if(!declared, table.codes.wrong_start);
    }

    let dealer = play.dealer.as_ref().map(|dealer| &dealer.cards);
    let dealt = || play.hands.iter().map(|hand| &hand.cards).chain(dealer);
    let is_over = dealt().any(|cards| cards.len() > CARDS);
    checked.is_void |= is_over;
    check_remaining(play, checked, violations);

    let mut seen = CardSet::EMPTY;
    for &card in dealt().flatten() {
        if !seen.insert(card) {
            checked.is_void = true;
            violations.add(if card.is_joker() {
                "deck.foreign_card"
            } else {
                "deck.duplicate_card"
            });
        }
    }
    let short = short_hand(play);
    violations.add_if(!declared && (is_over || short.is_some()), "deal.card_count");
    match short.filter(|_| !checked.is_void) {
        Some((place, cards)) => Err(Refusal::at(
            place,
            format!("{cards} of the seven cards of a hand, in a round that nothing voids"),
        )),
        None => Ok(()),
    }
}

/// Where a hand of fewer than seven cards lies, and how many it has.
fn short_hand(play: &Play) -> Option<(String, usize)> {
    let hands = play.hands.iter().enumerate();
    let hands = hands.map(|(at, hand)| (format!("play.hands[{at}].cards"), hand.cards.len()));
    let dealer = play.dealer.iter();
    let dealer = dealer.map(|dealer| ("play.dealer.cards".to_owned(), dealer.cards.len()));
    dealer.chain(hands).find(|(_, cards)| *cards < CARDS)
}

/// The position that the first card or stack belongs to: 8c, 10(h)-(j), 17(d); 11.
fn due_start(table: &Table<'_>, play: &Play, checked: &Checked) -> Option<u16> {
    match play.deal.method()? {
        Method::Dice | Method::Rng => {
            let bank = play.bank_seat.map_or(0, Seat::number);
            Some((bank + u16::from(play.deal.count()?) - 1) % POSITIONS as u16)
        }
        Method::Button => play.deal.button.map(u16::from),
        Method::LeftFirst if is_massachusetts(table.edition) => {
            checked.mains().map(|(area, _)| area.number()).max()
        }
        Method::LeftFirst => None,
    }
}

/// The cards left over and the cards dealt make the deck: 8(d), 17(h); 9.D, 10.D.
fn check_remaining(play: &Play, checked: &mut Checked, violations: &mut Violations) {
    let Some(remaining) = play.remaining.map(i64::from) else {
        return;
    };
    // All positions get cards, wager or not, except on a table that deals in three and four.
    let all = play.deal.method() != Some(Method::LeftFirst);
    let areas = pai_gow::AREAS.map(Seat::new).filter(|&area| {
        all || play.hand(area).is_some()
            || checked.main(area).is_some()
            || play.bank_seat == Some(area)
    });
    let (mut positions, mut dealt) = (0, 0);
    let dealer = play.dealer.as_ref().map(|dealer| dealer.cards.len());
    let hands = areas.map(|area| play.hand(area).map(|hand| hand.cards.len()));
    for cards in hands.chain([dealer]) {
        positions += 1;
        dealt += cards.unwrap_or(CARDS) as i64;
    }
    checked.is_void |= remaining != DECK - CARDS as i64 * positions;
    let due = DECK - dealt;
    violations.add_if(remaining < due, "deck.missing_card");
    violations.add_if(remaining > due, "deck.extra_card");
}

//! What the document shows to be wrong: options, wagers and cards; and what section 9 voids.

use std::collections::{BTreeMap, BTreeSet};

use super::{FastActionHoldem, Kind, PlayerHand, Rules, Shuffler, Wager};
use crate::floor::Seat;
use crate::games::shared::holdem::dealt::{Dealt, refuse_fewer};
use crate::games::shared::holdem::irregular::{
    self, Area, Irregular, Irregularities, Irregularity, Resolution,
};
use crate::games::shared::layout::{self, Layout};
use crate::games::shared::table_cards::check_deck;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::Violations;

pub(super) type Hands<'a> = BTreeMap<Seat, &'a PlayerHand>;

/// Cards of a hand.
pub(super) const DEALT: usize = 4;

pub(super) fn check_options(
    rules: &Rules,
    round: &Round<FastActionHoldem>,
    violations: &mut Violations,
) {
    let options = &round.options;
    let lawful_decks = match options.shuffler {
        Shuffler::Automated => options.decks >= rules.least_decks_per_batch,
        Shuffler::None | Shuffler::Continuous => rules.decks_per_shoe.contains(&options.decks),
    };
    violations.add_if(!lawful_decks, "deck.illegal_count");
    if let (Some(min), Some(max)) = (options.min_main, options.max_main) {
        let too_narrow = min <= rules.low_minimum && max < min.times(rules.least_spread);
        violations.add_if(too_narrow, "option.limits");
    }
}

/// The wagers that count, after all checks of them.
pub(super) fn count_wagers<'a>(
    rules: &Rules,
    round: &'a Round<FastActionHoldem>,
    hands: &Hands<'_>,
    violations: &mut Violations,
) -> Layout<'a, Wager> {
    let wagers = &round.wagers;
    let is_offered = |kind| matches!(kind, Kind::Main | Kind::Split);
    let second_of = |_| "wager.duplicate_kind";
    let mut table = Layout::count(wagers, is_offered, second_of, violations);
    layout::flag_positions(wagers, hands.keys().copied(), rules.positions, violations);
    layout::flag_guests(wagers, |_| false, violations);
    let posted = Limits {
        min: round.options.min_main,
        max: round.options.max_main,
    };
    for seat in table.seats() {
        let split = table.at(seat, Kind::Split);
        match (table.at(seat, Kind::Main), split) {
            (Some(main), split) => {
                posted.flag(main.amount, violations);
                if let Some(split) = split {
                    violations.add_if(split.amount != main.amount, "fast_action.split_not_equal");
                    violations.add_if(split.on.as_ref() != Some(&main.id), "wager.bad_reference");
                }
            }
            (None, _) => {
                violations.add("fast_action.split_without_main");
                table.give_back(seat, Kind::Split);
            }
        }
    }
    table
}

/// What the recorded irregularities do to the round. s.9
#[derive(Debug, Default)]
pub(super) struct Recorded {
    pub(super) all_void: bool,
    pub(super) void_seats: BTreeSet<Seat>,
    pub(super) extra_cards: BTreeSet<Seat>,
}

impl Recorded {
    /// The entries that say what can have happened, with the wagers that count.
    pub(super) fn read(
        rules: &Rules,
        round: &Round<FastActionHoldem>,
        table: &Layout<'_, Wager>,
    ) -> Result<Recorded, Refusal> {
        let (told, dealt) = (&round.play.irregularities, round.play.dealt(&rules.layout));
        told.refuse_contradictions(&rules.layout, false, &dealt)?;
        for (at, entry) in told.iter().enumerate() {
            let has_main = |seat| table.has(seat, Kind::Main);
            if let Some((key, what)) = contradiction(entry, &dealt, has_main) {
                return Err(irregular::refused(at, key, what));
            }
        }
        Ok(Recorded::of(told))
    }

    pub(super) fn of(told: &Irregularities) -> Recorded {
        let mut recorded = Recorded::default();
        for entry in told.iter() {
            recorded.add(entry);
        }
        recorded
    }

    fn add(&mut self, entry: &Irregularity) {
        let is_over = entry.dealt.is_some_and(|dealt| dealt as usize > DEALT);
        match entry.code {
            Irregular::InsufficientCards => self.all_void = true,
            Irregular::NoCards => self.void_seats.extend(entry.seat),
            Irregular::CardCount if entry.area == Some(Area::Dealer) => self.all_void |= is_over,
            Irregular::CardCount if is_over => self.extra_cards.extend(entry.seat),
            Irregular::CardCount if entry.resolution == Some(Resolution::Void) => {
                self.void_seats.extend(entry.seat);
            }
            _ => {}
        }
    }
}

/// What an entry leaves open that decides, or says against the cards and wagers.
fn contradiction(
    entry: &Irregularity,
    dealt: &Dealt<'_>,
    has_main: impl Fn(Seat) -> bool,
) -> Option<(&'static str, &'static str)> {
    if entry.seat.is_some_and(|seat| !has_main(seat)) {
        return Some(("seat", "nobody has a wager there"));
    }
    let is_dealers = entry.area == Some(Area::Dealer);
    match (entry.code, entry.seat) {
        (Irregular::NoCards, None) => Some(("", "it does not say which seat had no cards")),
        (Irregular::NoCards, Some(seat)) => {
            (dealt.at(seat) > 0).then_some(("seat", "cards lie there"))
        }
        (Irregular::CardCount, seat) if seat.is_some() == entry.area.is_some() => {
            Some(("", "a card count is of either a seat or the dealer"))
        }
        (Irregular::CardCount, None) if !is_dealers => {
            Some(("area", "a card count is of either a seat or the dealer"))
        }
        (Irregular::CardCount, _) => {
            let Some(cards) = entry.dealt else {
                return Some(("", "it does not say how many cards were dealt"));
            };
            // s.9(e): only a player with too few cards has a choice.
            let has_choice = !is_dealers && (cards as usize) < DEALT;
            match (has_choice, entry.resolution) {
                (true, None) => Some(("", "it does not say what the player chose")),
                (false, Some(_)) => Some(("resolution", "nobody has a choice there")),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Flags wrong cards; false if all hands are void. Refuses what is incomplete.
pub(super) fn check_cards(
    round: &Round<FastActionHoldem>,
    hands: &Hands<'_>,
    table: &Layout<'_, Wager>,
    recorded: &Recorded,
    violations: &mut Violations,
) -> Result<bool, Refusal> {
    let play = &round.play;
    let of_hands = hands.values().flat_map(|hand| &hand.cards);
    let dealt = play.dealer.cards.iter().chain(&play.board).chain(of_hands);
    let is_whole_shoe = check_deck(dealt, round.options.decks, violations);
    let is_nobodys = |&seat: &Seat| !table.has(seat, Kind::Main);
    violations.add_if(hands.keys().any(is_nobodys), "deal.hand_without_wager");
    if recorded.all_void || !is_whole_shoe {
        return Ok(false);
    }
    // s.9(d): a short hand of the dealer is completed before he sets it.
    refuse_fewer("play.dealer.cards", &play.dealer.cards, DEALT)?;
    let is_over = play.dealer.cards.len() > DEALT;
    violations.add_if(is_over, "deal.card_count");
    Ok(!is_over)
}

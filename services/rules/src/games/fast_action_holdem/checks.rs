//! What the document shows to be wrong: options, wagers and cards; and what section 9 voids.

use std::collections::{BTreeMap, BTreeSet};

use super::{Area, FastActionHoldem, Irregularity, IrregularityCode, Kind, PlayerHand, Resolution};
use super::{Rules, Shuffler, Wager};
use crate::floor::Seat;
use crate::games::shared::layout::{self, Layout};
use crate::games::shared::table_cards::check_deck;
use crate::limits::Limits;
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
    pub(super) fn of(irregularities: &[Irregularity]) -> Recorded {
        let mut recorded = Recorded::default();
        for irregularity in irregularities {
            recorded.add(irregularity);
        }
        recorded
    }

    fn add(&mut self, irregularity: &Irregularity) {
        let dealt = irregularity.dealt.map(|dealt| dealt as usize);
        let (short, over) = (
            dealt.is_some_and(|dealt| dealt < DEALT),
            dealt.is_some_and(|dealt| dealt > DEALT),
        );
        match irregularity.code {
            IrregularityCode::InsufficientCards => self.all_void = true,
            IrregularityCode::NoCards => self.void_seats.extend(irregularity.seat),
            IrregularityCode::CardCount if irregularity.area == Some(Area::Dealer) => {
                self.all_void |= over;
            }
            IrregularityCode::CardCount if over => self.extra_cards.extend(irregularity.seat),
            IrregularityCode::CardCount => {
                if short && irregularity.resolution == Some(Resolution::Void) {
                    self.void_seats.extend(irregularity.seat);
                }
            }
            IrregularityCode::FaceUpCard
            | IrregularityCode::CardDrawnInError
            | IrregularityCode::PlayerCardExposed
            | IrregularityCode::MarkerNotMoved
            | IrregularityCode::ShufflerFailure => {}
        }
    }
}

/// Flags wrong cards; false if all hands are void.
pub(super) fn check_cards(
    round: &Round<FastActionHoldem>,
    hands: &Hands<'_>,
    table: &Layout<'_, Wager>,
    recorded: &Recorded,
    violations: &mut Violations,
) -> bool {
    let play = &round.play;
    let of_hands = hands.values().flat_map(|hand| &hand.cards);
    let dealt = play.dealer.cards.iter().chain(&play.board).chain(of_hands);
    let whole_decks = check_deck(dealt, round.options.decks, violations);
    let has_main = |seat: &Seat| table.has(*seat, Kind::Main);
    violations.add_if(!hands.keys().all(has_main), "deal.hand_without_wager");
    if recorded.all_void || !whole_decks {
        return false;
    }
    let wrong = play.dealer.cards.len() != DEALT;
    violations.add_if(wrong, "deal.card_count");
    !wrong
}

//! The data file of one edition, typed.

use serde::Deserialize;

use super::{Kind, Options, TwentyPointChoice};
use crate::Edition;
use crate::book::{BookError, EditionBook, LeastLimit, Pay};
use crate::floor::{Cents, Odds};
use crate::games::shared::blackjack::{Dollars, MatchTables};
use crate::limits::LimitsRatio;

#[derive(Debug)]
pub struct Rules {
    /// The wagers that the edition knows.
    pub(super) kinds: Vec<Kind>,
    /// The names that `side_bets` may hold.
    pub(super) offerings: Vec<String>,
    pub(super) most_boxes: i64,
    pub(super) edition: EditionRules,
}

/// What only one edition has.
#[derive(Debug)]
pub(super) enum EditionRules {
    Massachusetts(Box<Massachusetts>),
    Ohio(Box<Ohio>),
}

#[derive(Debug)]
pub(super) struct Massachusetts {
    pub(super) main: MassachusettsMain,
    pub(super) over_under_13: OverUnder,
    /// By number of decks and option.
    royal_match: Vec<(i64, u8, RoyalMatch)>,
    pub(super) super_sevens: SuperSevens,
    pub(super) progressive: ProgressiveAces,
    pub(super) blackjack_bonus: BlackjackBonus,
    pub(super) streak: Streak,
    pub(super) match_the_dealer: MatchTables,
    twenty_point_a: TwentyPoint,
    twenty_point_b: TwentyPoint,
    pub(super) optional_bonus: OptionalBonus,
    pub(super) figures: MassachusettsFigures,
}

#[derive(Debug)]
pub(super) struct MassachusettsFigures {
    pub(super) most_boxes_of_variations: i64,
    pub(super) most_players_per_box: i64,
    pub(super) limits_ratio: LimitsRatio,
    pub(super) six_to_five_unit: Cents,
    pub(super) super_sevens_stake: Cents,
    pub(super) progressive_stake: Cents,
    /// Lowest and highest display by stake.
    pub(super) blackjack_bonus_displays: [BonusDisplay; 2],
    pub(super) optional_bonus_minimum: Cents,
    pub(super) least_aggregate: LeastLimit,
    pub(super) progressive_reset_floor: Cents,
    pub(super) progressive_rate_floor: i64,
}

impl MassachusettsFigures {
    /// What the display may show for a stake; none for a stake that the rules do not have.
    pub(super) fn display_range(&self, stake: Cents) -> Option<&BonusDisplay> {
        let mut displays = self.blackjack_bonus_displays.iter();
        displays.find(|display| display.stake == stake)
    }
}

#[derive(Debug)]
pub(super) struct Ohio {
    pub(super) main: OhioMain,
    pub(super) bet_the_set_1: PairOnly,
    pub(super) bet_the_set_2: Pairs,
    pub(super) bet_the_set_4_6_8: Pairs,
    pub(super) royal_match: CrownedMatch,
    pub(super) trilux: TriLux<Odds>,
    pub(super) lucky_george: TriLux<Dollars>,
    pub(super) kings_bounty: KingsBounty,
    pub(super) dealer_envy: DealerEnvy,
    pub(super) blazing_sevens: BlazingSevens,
    pub(super) figures: OhioFigures,
}

#[derive(Debug)]
pub(super) struct OhioFigures {
    pub(super) max_split_hands: usize,
    pub(super) most_boxes_per_player: i64,
    pub(super) most_decks_from_hand: i64,
    pub(super) tournament_insurance_unit: Cents,
    pub(super) least_bounty: LeastLimit,
    pub(super) blazing_sevens_stake: Cents,
}

impl Rules {
    pub(super) fn read(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            kinds: book.kinds()?,
            offerings: book.figure("offerings")?,
            most_boxes: book.figure("most_boxes")?,
            edition: match book.edition() {
                Edition::OhJack2017 => EditionRules::Ohio(Box::new(Ohio::read(book)?)),
                _ => EditionRules::Massachusetts(Box::new(Massachusetts::read(book)?)),
            },
        })
    }
}

impl Massachusetts {
    fn read(book: &EditionBook<'_>) -> Result<Massachusetts, BookError> {
        let mut royal_match = Vec::new();
        for decks in [1, 2, 4, 6, 8] {
            for option in 1..=4 {
                let id = format!("royal_match_{decks}_deck_option_{option}");
                if book.has_table(&id) {
                    royal_match.push((decks, option, book.table(&id)?));
                }
            }
        }
        Ok(Massachusetts {
            main: book.table("main")?,
            over_under_13: book.table("over_under_13")?,
            royal_match,
            super_sevens: book.table("super_sevens")?,
            progressive: book.table("progressive")?,
            blackjack_bonus: book.table("blackjack_bonus")?,
            streak: book.minimum_table("streak")?,
            match_the_dealer: MatchTables::read(book)?,
            twenty_point_a: book.minimum_table("twenty_point_bonus_a")?,
            twenty_point_b: book.minimum_table("twenty_point_bonus_b")?,
            optional_bonus: book.table("optional_bonus")?,
            figures: MassachusettsFigures {
                most_boxes_of_variations: book.figure("most_boxes_of_variations")?,
                most_players_per_box: book.figure("most_players_per_box")?,
                limits_ratio: book.figure("limits_ratio")?,
                six_to_five_unit: book.figure("six_to_five_unit")?,
                super_sevens_stake: book.figure("super_sevens_stake")?,
                progressive_stake: book.figure("progressive_stake")?,
                blackjack_bonus_displays: book.figure("blackjack_bonus_displays")?,
                optional_bonus_minimum: book.figure("optional_bonus_minimum")?,
                least_aggregate: book.least_limit("twenty_point_aggregate_max")?,
                progressive_reset_floor: book.figure("progressive_reset_floor")?,
                progressive_rate_floor: book.figure("progressive_rate_floor")?,
            },
        })
    }
}

impl Massachusetts {
    /// The highest odds in force of a wager; none of what is not paid by odds alone.
    pub(super) fn highest_odds(&self, kind: Kind, options: &Options) -> Option<Odds> {
        let main = &self.main;
        match kind {
            Kind::Main | Kind::Split | Kind::Double => Some(main.highest()),
            Kind::Insurance => Some(main.insurance),
            Kind::Over13 => Some(self.over_under_13.over),
            Kind::Under13 => Some(self.over_under_13.under),
            Kind::RoyalMatch => self.royal_match(options).map(|odds| odds.royal),
            Kind::SuperSevens => Some(self.super_sevens.three_suited),
            Kind::TwentyPointBonus => {
                let table = self.twenty_point(options.twenty_point_table);
                table.listed(TwentyPoint::TOP_ROW)
            }
            Kind::MatchTheDealer => {
                let table = self.match_the_dealer.of_decks(options.decks)?;
                table.listed("suited")
            }
            Kind::OptionalBonus => Some(self.optional_bonus.eights_of_one_suit),
            kind => {
                let (_, area) = kind.streak()?;
                let listed = self.streak.listed(area)?;
                Some(options.pays.raised("streak", area, listed))
            }
        }
    }

    /// The table of the decks in use and the option that the house chose, if there is one.
    pub(super) fn royal_match(&self, options: &Options) -> Option<&RoyalMatch> {
        let chosen = (options.decks, options.royal_match_option);
        let mut tables = self.royal_match.iter();
        let table = tables.find(|&&(decks, option, _)| (decks, option) == chosen);
        table.map(|(_, _, odds)| odds)
    }

    pub(super) fn twenty_point(&self, choice: TwentyPointChoice) -> &TwentyPoint {
        match choice {
            TwentyPointChoice::A => &self.twenty_point_a,
            TwentyPointChoice::B => &self.twenty_point_b,
        }
    }
}

impl Ohio {
    fn read(book: &EditionBook<'_>) -> Result<Ohio, BookError> {
        Ok(Ohio {
            main: book.table("main")?,
            bet_the_set_1: book.table("bet_the_set_1_deck")?,
            bet_the_set_2: book.table("bet_the_set_2_deck")?,
            bet_the_set_4_6_8: book.table("bet_the_set_4_6_8_deck")?,
            royal_match: book.table("royal_match")?,
            trilux: book.table("trilux")?,
            lucky_george: book.table("lucky_george")?,
            kings_bounty: book.table("kings_bounty")?,
            dealer_envy: book.table("dealer_envy")?,
            blazing_sevens: book.table("blazing_sevens")?,
            figures: OhioFigures {
                max_split_hands: book.figure("max_split_hands")?,
                most_boxes_per_player: book.figure("most_boxes_per_player")?,
                most_decks_from_hand: book.figure("most_decks_from_hand")?,
                tournament_insurance_unit: book.figure("tournament_insurance_unit")?,
                least_bounty: book.least_limit("kings_bounty_max_payout")?,
                blazing_sevens_stake: book.figure("blazing_sevens_stake")?,
            },
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MassachusettsMain {
    pub(super) blackjack: Odds,
    pub(super) blackjack_six_to_five: Odds,
    pub(super) blackjack_exposed: Odds,
    pub(super) even_money: Odds,
    pub(super) designated_blackjack: Odds,
    pub(super) suited_678: Odds,
    pub(super) three_sevens: Odds,
    pub(super) five_card_21: Odds,
    pub(super) other: Odds,
    pub(super) insurance: Odds,
}

impl MassachusettsMain {
    /// The highest odds that a hand may win at some table.
    fn highest(&self) -> Odds {
        let bonuses = [self.suited_678, self.three_sevens, self.five_card_21];
        let bonuses = bonuses.into_iter().fold(self.blackjack, Odds::max);
        bonuses.max(self.designated_blackjack)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OhioMain {
    pub(super) blackjack_3_to_2: Odds,
    pub(super) blackjack_6_to_5: Odds,
    pub(super) blackjack_tournament: Odds,
    pub(super) other: Odds,
    pub(super) insurance: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OverUnder {
    pub(super) over: Odds,
    pub(super) under: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RoyalMatch {
    pub(super) royal: Odds,
    pub(super) suited: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SuperSevens {
    pub(super) three_suited: Odds,
    pub(super) three_any: Odds,
    pub(super) two_suited: Odds,
    pub(super) two_any: Odds,
    pub(super) one: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgressiveAces {
    pub(super) meter: Pay,
    pub(super) three_suited: Pay,
    pub(super) three_any: Pay,
    pub(super) two_suited: Pay,
    pub(super) two_any: Pay,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlackjackBonus {
    pub(super) no_display: Odds,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BonusDisplay {
    pub(super) stake: Cents,
    pub(super) lowest: Cents,
    pub(super) highest: Cents,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Streak {
    #[serde(rename = "2")]
    two: Odds,
    #[serde(rename = "3")]
    three: Odds,
    #[serde(rename = "4")]
    four: Odds,
    #[serde(rename = "5")]
    five: Odds,
}

impl Streak {
    pub(super) fn listed(&self, row: &str) -> Option<Odds> {
        match row {
            "2" => Some(self.two),
            "3" => Some(self.three),
            "4" => Some(self.four),
            "5" => Some(self.five),
            _ => None,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TwentyPoint {
    queens_dealer_blackjack: Odds,
    queens: Odds,
    matched: Odds,
    suited: Odds,
    any: Odds,
}

impl TwentyPoint {
    pub(super) const TOP_ROW: &'static str = "queens_dealer_blackjack";

    pub(super) fn listed(&self, row: &str) -> Option<Odds> {
        match row {
            Self::TOP_ROW => Some(self.queens_dealer_blackjack),
            "queens" => Some(self.queens),
            "matched" => Some(self.matched),
            "suited" => Some(self.suited),
            "any" => Some(self.any),
            _ => None,
        }
    }
}

/// By the dealer's third card.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OptionalBonus {
    pub(super) ten: Odds,
    pub(super) nine: Odds,
    pub(super) eight: Odds,
    pub(super) seven: Odds,
    pub(super) six: Odds,
    pub(super) eights_of_one_color: Odds,
    pub(super) eights_of_one_suit: Odds,
}

/// A single deck has no suited pair.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PairOnly {
    pub(super) pair: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pairs {
    pub(super) pair: Odds,
    pub(super) suited_pair: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CrownedMatch {
    pub(super) royal: Odds,
    pub(super) suited: Odds,
    /// On top of the royal match.
    pub(super) crown_treasure: Dollars,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TriLux<P> {
    pub(super) straight_flush: P,
    pub(super) three_of_a_kind: P,
    pub(super) straight: P,
    pub(super) flush: P,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KingsBounty {
    pub(super) kings_spades_dealer_blackjack: Odds,
    pub(super) kings_spades: Odds,
    pub(super) suited_kings: Odds,
    pub(super) suited_pair: Odds,
    pub(super) suited_20: Odds,
    pub(super) kings: Odds,
    pub(super) unsuited_20: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DealerEnvy {
    pub(super) kings_spades_dealer_blackjack: Dollars,
    pub(super) kings_spades: Dollars,
    pub(super) suited_kings: Dollars,
    pub(super) suited_pair: Dollars,
    pub(super) suited_20: Dollars,
    pub(super) kings: Dollars,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlazingSevens {
    pub(super) three_suited: Pay,
    pub(super) three_color: Pay,
    pub(super) three_any: Pay,
    pub(super) two: Pay,
    pub(super) one: Pay,
}

//! Caribbean stud poker, with its bonus, its progressive and the five card hand bonus.

mod settle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Game;
use crate::book::{BookError, EditionBook, LeastLimit};
use crate::floor::{Card, Cents, Odds};
use crate::games::shared::deal::{Deal, Dealing};
use crate::games::shared::stud::areas::{self, Players};
use crate::games::shared::stud::course::{Course, StudPlay, by_seat};
use crate::games::shared::stud::deal::{BySeat, Irregularities, Irregularity};
use crate::games::shared::stud::pay_table::{FiveCardRow, PayTable};
use crate::games::shared::stud::posted::Shuffle;
use crate::refusal::Refusal;
use crate::round::{Round, document, given};
use crate::settlement::Outcome;
use crate::unseen::Reach;

#[derive(Debug)]
pub struct CaribbeanStud;

impl Game for CaribbeanStud {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = Options;
    type Wager = areas::Wager<Kind>;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            offered: book.kinds()?,
            ante: book.table("ante")?,
            bet: book.table("bet")?,
            bonus: BTreeMap::from([
                (BonusPayTable::A, book.table("bonus_a")?),
                (BonusPayTable::B, book.table("bonus_b")?),
                (BonusPayTable::C, book.table("bonus_c")?),
            ]),
            progressive: BTreeMap::from([
                (ProgressivePayTable::A, book.table("progressive_a")?),
                (ProgressivePayTable::B, book.table("progressive_b")?),
                (ProgressivePayTable::C, book.table("progressive_c")?),
                (ProgressivePayTable::D, book.table("progressive_d")?),
                (ProgressivePayTable::E, book.table("progressive_e")?),
            ]),
            envy: book.table("envy")?,
            five_card: book.table("five_card")?,
            positions: book.figure("positions")?,
            deal: Deal::read(book)?,
            bet_multiple: book.figure("bet_multiple")?,
            progressive_stakes: book.figure("progressive_stakes")?,
            progressive_stakes_d: book.figure("progressive_stakes_d")?,
            least_rate_pct: book.figure("least_rate_pct")?,
            least_five_card_reset: book.figure("least_five_card_reset")?,
            least_limit: book.least_limit("bet_payout_limit")?,
            spread_up_to: book.figure("spread_up_to")?,
            least_spread: book.figure("least_spread")?,
        })
    }

    /// Who folded has lost what is bet against the dealer, whatever he held. Shares of a meter are worth less after
    /// those of others, and envy is of the hands of others.
    fn decided_by(round: &Round<CaribbeanStud>, wager: &areas::Wager<Kind>) -> Reach {
        let wagers = || round.wagers.iter();
        let stays_in = |seat| areas::has(&round.wagers, seat, Kind::Bet);
        let own = || areas::hands_of(Some(wager.seat).filter(|seat| stays_in(*seat)));
        let backed = |kind| {
            let backers = wagers().filter(move |other| other.kind == kind);
            backers.map(|backer| backer.seat)
        };
        let dealer = || vec!["dealer".to_owned()];
        Reach::Only(match wager.kind {
            Kind::Ante | Kind::Bet if stays_in(wager.seat) => [own(), dealer()].concat(),
            Kind::Progressive => {
                let playing = wagers()
                    .map(|other| other.seat)
                    .filter(|seat| stays_in(*seat));
                let mut places = areas::hands_of(playing);
                places.push("meters.progressive".to_owned());
                places
            }
            Kind::FiveCardBonusPlayer | Kind::FiveCardBonusDealer => {
                let mut places = areas::hands_of(backed(Kind::FiveCardBonusPlayer));
                if backed(Kind::FiveCardBonusDealer).next().is_some() {
                    places.extend(dealer());
                }
                // What the dealer's hand gives comes off the meter first.
                if wager.kind == Kind::FiveCardBonusDealer {
                    places = dealer();
                }
                places.push("meters.five_card_bonus".to_owned());
                places
            }
            _ => own(),
        })
    }

    fn settle(rules: &Rules, round: &Round<CaribbeanStud>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    offered: Vec<Kind>,
    ante: AnteTable,
    bet: PayTable<FiveCardRow>,
    bonus: BTreeMap<BonusPayTable, PayTable<FiveCardRow>>,
    progressive: BTreeMap<ProgressivePayTable, PayTable<FiveCardRow>>,
    envy: PayTable<FiveCardRow>,
    five_card: PayTable<FiveCardRow>,
    positions: u16,
    deal: Deal,
    bet_multiple: i64,
    progressive_stakes: Vec<Cents>,
    progressive_stakes_d: Vec<Cents>,
    least_rate_pct: u8,
    least_five_card_reset: Cents,
    least_limit: LeastLimit,
    /// Table minimums up to this need a maximum of so many times the minimum.
    spread_up_to: Cents,
    least_spread: i64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnteTable {
    win: Odds,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    caribbean_bonus_paytable: Option<BonusPayTable>,
    progressive_paytable: Option<ProgressivePayTable>,
    progressive_linked: bool,
    progressive_reset: Cents,
    progressive_rate_pct: u8,
    /// Left out, it is what the text names for the pay table.
    #[serde(default, deserialize_with = "given")]
    progressive_amounts: Option<Stakes>,
    five_card_bonus_offered: bool,
    five_card_bonus_reset: Cents,
    bet_payout_limit: Option<Cents>,
    dealing: Dealing,
    shuffle: Shuffle,
    two_decks: bool,
    table_min: Option<Cents>,
    table_max: Option<Cents>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
enum BonusPayTable {
    A,
    B,
    C,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
enum ProgressivePayTable {
    A,
    B,
    C,
    D,
    E,
}

/// Stakes that the progressive device takes: one or more, each once.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Vec<Cents>")]
struct Stakes(Vec<Cents>);

impl TryFrom<Vec<Cents>> for Stakes {
    type Error = &'static str;

    fn try_from(stakes: Vec<Cents>) -> Result<Stakes, &'static str> {
        let repeated = |(at, stake): (usize, &Cents)| stakes[..at].contains(stake);
        if stakes.is_empty()
            || !stakes.iter().all(|stake| stake.is_positive())
            || stakes.iter().enumerate().any(repeated)
        {
            return Err("write one stake or more, each once and at least a cent");
        }
        Ok(Stakes(stakes))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Ante,
    Bet,
    CaribbeanBonus,
    Progressive,
    FiveCardBonusPlayer,
    FiveCardBonusDealer,
    /// Named in 10(c)(3) without rule or pay table: known, never offered.
    MagicCard,
    /// As the magic card.
    LuckyBonus,
}

document! {
    Play {
        ?
        /// Folded seats too, where their cards are known.
        pub hands: BySeat<Vec<Card>>,
        /// The first is the exposed card.
        pub dealer: Vec<Card>,
        pub players: Players,
        pub meters: Meters,
        pub irregularities: Irregularities,
    }

    #[derive(Default)]
    Meters {
        ?
        /// Nothing in them where nobody read them.
        #[serde(deserialize_with = "given")]
        pub progressive: Option<Option<Cents>>,
        #[serde(deserialize_with = "given")]
        pub five_card_bonus: Option<Option<Cents>>,
    }
}

impl StudPlay for Play {
    type Irregularity = Irregularity;

    fn of(course: Course<Irregularity>) -> Play {
        let meter = |name| course.meters.get(name).copied();
        let meters = Meters {
            progressive: meter("progressive"),
            five_card_bonus: meter("five_card_bonus"),
        };
        let (hands, players) = by_seat(course.hands);
        Play {
            hands,
            dealer: course.house,
            players,
            meters,
            irregularities: Irregularities(course.irregularities),
        }
    }
}

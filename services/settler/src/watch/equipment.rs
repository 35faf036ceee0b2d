//! The data of the watch: hours, decks, dice, positions and finding codes.

use std::collections::BTreeMap;

use catwalk_events::body::DealingMethod;
use catwalk_rules::book::Severity;
use serde::Deserialize;

use crate::table::RulesInForce;

/// `equipment.toml`, typed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Equipment {
    cards: Vec<CardRule>,
    dice: Vec<DiceRule>,
    wheels: Vec<WheelRule>,
    positions: Vec<Positions>,
    findings: Vec<FiledFinding>,
}

/// How cards of a game may be used.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CardRule {
    game: String,
    editions: Vec<String>,
    variation: Option<String>,
    /// By dealing method; a method that is not here is not permitted.
    hours: BTreeMap<String, i64>,
    /// Methods that have hours and are not permitted all the same.
    #[serde(default)]
    forbidden: Vec<String>,
    /// Fewest and most decks in a shoe.
    decks: Option<[u32; 2]>,
    /// The same for each batch where a shuffler serves two.
    batch_decks: Option<[u32; 2]>,
    /// The only lawful numbers of decks, where they are not a range.
    deck_counts: Option<Vec<u32>>,
    #[serde(default = "full_deck")]
    pub(super) cards_per_deck: u32,
    #[serde(default)]
    pub(super) jokers_per_deck: u32,
    /// Methods under which 48 hours can be approved.
    #[serde(default)]
    extended: Vec<String>,
    #[serde(default)]
    pub(super) new_cards_every_shoe: bool,
    /// All decks are inspected after use, not a sample.
    #[serde(default)]
    pub(super) reinspect_all: bool,
    /// Decks may go back to storage after a clean inspection.
    #[serde(default)]
    pub(super) reusable: bool,
    /// Fewest and most cards behind the cutting card.
    cut_least: Option<u32>,
    cut_most: Option<u32>,
    /// The first card of a shoe is burned with as many more as it counts.
    #[serde(default)]
    pub(super) burns_by_value: bool,
    /// A card is burned after every shuffle, and by every dealer who comes.
    #[serde(default)]
    pub(super) burns_one: bool,
    /// So many hands may follow the one in which the cutting card comes out.
    pub(super) hands_after_cut: Option<u32>,
    #[serde(default)]
    pub(super) shuffled_every_round: bool,
    /// So many cards of the board stay in play: one that is burned while more lie there is one of them.
    pub(super) board: Option<usize>,
    /// A shuffler that counts the cards spares the dealer the count only where a shoe deals them too.
    #[serde(default)]
    pub(super) spared_by_auto_shoe: bool,
    /// So many cards leave the deck in every round, to places without a wager too, of which no event
    /// need tell.
    pub(super) dealt_every_round: Option<u32>,
    /// So many cards of an automated shoe are put away unseen in every round, of which no event need tell.
    #[serde(default)]
    pub(super) put_away: u32,
    /// No deck is used for longer without being put into suit and sequence.
    pub(super) sort_hours: Option<i64>,
    /// The stub is counted at least once in so many rounds.
    pub(super) stub_count_rounds: Option<u32>,
    /// The deck is counted at least once in so many minutes.
    pub(super) count_minutes: Option<i64>,
    /// The whole deck is in play again in every round, shuffled in between.
    #[serde(default)]
    pub(super) counted_every_round: bool,
    pub(super) cite: String,
    /// Where the hours by hand stand in another section.
    hand_cite: Option<String>,
}

fn full_deck() -> u32 {
    52
}

/// Hours of a game that the regulation does not name.
pub(super) const OTHER_GAMES_HOURS: i64 = 24;
pub(super) const EXTENDED_HOURS: i64 = 48;
/// Extended use needs so many decks in play.
const EXTENDED_DECKS: u32 = 6;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DiceRule {
    game: String,
    editions: Vec<String>,
    set_at_least: Option<u32>,
    set_exactly: Option<u32>,
    pub(super) thrown: usize,
    pub(super) cite: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WheelRule {
    game: String,
    editions: Vec<String>,
    /// Inspected before each opening.
    inspected: bool,
    /// Where a wheel's sections are not all alike: how many there are of each.
    #[serde(default)]
    sections: BTreeMap<String, u32>,
    #[allow(dead_code, reason = "read by people")]
    cite: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Positions {
    game: String,
    editions: Vec<String>,
    variant: Option<String>,
    variation: Option<String>,
    /// The wager that has so many areas, where others have none.
    kind: Option<String>,
    count: u32,
}

/// A code with its severity and cite.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FiledFinding {
    pub(crate) code: String,
    pub(crate) severity: Severity,
    pub(crate) meaning: String,
    pub(crate) cite: String,
}

impl Equipment {
    /// Reads the data. It is compiled in, and a test reads it too.
    pub(crate) fn load() -> Result<Equipment, toml::de::Error> {
        toml::from_str(include_str!("equipment.toml"))
    }

    pub(crate) fn finding(&self, code: &str) -> Option<&FiledFinding> {
        self.findings.iter().find(|finding| finding.code == code)
    }

    pub(crate) fn findings(&self) -> &[FiledFinding] {
        &self.findings
    }

    pub(crate) fn cards(&self, rules: &RulesInForce) -> Option<&CardRule> {
        let variation = rules.options.value().get("variation");
        let variation = variation.and_then(|value| value.as_str());
        let fits =
            |rule: &&CardRule| rule.game == rules.game && rule.editions.contains(&rules.edition);
        let special = self
            .cards
            .iter()
            .filter(fits)
            .find(|rule| rule.variation.is_some() && rule.variation.as_deref() == variation);
        special.or_else(|| {
            self.cards
                .iter()
                .filter(fits)
                .find(|rule| rule.variation.is_none())
        })
    }

    pub(super) fn dice(&self, rules: &RulesInForce) -> Option<&DiceRule> {
        let fits =
            |rule: &&DiceRule| rule.game == rules.game && rule.editions.contains(&rules.edition);
        self.dice.iter().find(fits)
    }

    pub(super) fn inspects_wheel(&self, rules: &RulesInForce) -> bool {
        self.wheel(rules).is_some_and(|rule| rule.inspected)
    }

    /// What a wheel can show, each with how many of its sections do. Empty where that is not known.
    pub(super) fn wheel_stops(&self, rules: &RulesInForce) -> Vec<(String, u32)> {
        let sections = self.wheel(rules).map(|rule| &rule.sections);
        if let Some(sections) = sections.filter(|sections| !sections.is_empty()) {
            return sections.clone().into_iter().collect();
        }
        if rules.game != "roulette" {
            return Vec::new();
        }
        let wheel = rules.option("wheel");
        let double = wheel.is_none_or(|wheel| wheel == "double");
        let zeros = if double { vec!["0", "00"] } else { vec!["0"] };
        let numbers = (1..=36).map(|number: u32| (number.to_string(), 1));
        let zeros = zeros.into_iter().map(|zero| (zero.to_owned(), 1));
        zeros.chain(numbers).collect()
    }

    fn wheel(&self, rules: &RulesInForce) -> Option<&WheelRule> {
        let fits =
            |rule: &&WheelRule| rule.game == rules.game && rule.editions.contains(&rules.edition);
        self.wheels.iter().find(fits)
    }

    /// How many positions the layout has for wagers of a kind.
    pub(super) fn positions(&self, rules: &RulesInForce, kind: &str) -> Option<u32> {
        let is_posted = |key: &str, name: &str| {
            let posted = rules.options.value().get(key);
            posted.is_some_and(|posted| posted == name)
        };
        let is_variant = |name: &String| is_posted("variant", name);
        let is_variation = |name: &String| is_posted("variation", name);
        let fits = |rule: &&Positions| {
            rule.game == rules.game
                && rule.editions.contains(&rules.edition)
                && rule.variant.as_ref().is_none_or(is_variant)
                && rule.variation.as_ref().is_none_or(is_variation)
                && rule.kind.as_ref().is_none_or(|known| known == kind)
        };
        self.positions.iter().find(fits).map(|rule| rule.count)
    }
}

impl CardRule {
    pub(crate) fn cards_and_jokers(&self) -> u32 {
        self.cards_per_deck + self.jokers_per_deck
    }

    pub(super) fn watches_the_cut(&self) -> bool {
        self.cut_least.is_some() || self.burns_by_value || self.shuffled_every_round
    }

    /// May the cutting card lie so many cards from the back?
    pub(super) fn permits_cut(&self, behind: u32) -> bool {
        self.cut_least.is_none_or(|least| behind >= least)
            && self.cut_most.is_none_or(|most| behind <= most)
    }

    pub(super) fn permits(&self, method: DealingMethod) -> bool {
        let name = word(method);
        self.hours.contains_key(name) && !self.forbidden.iter().any(|known| known == name)
    }

    /// Is this a lawful number of decks? With a shuffler, of one batch.
    pub(super) fn permits_decks(&self, decks: u32, shuffler: bool) -> bool {
        let within = |[least, most]: [u32; 2]| (least..=most).contains(&decks);
        if let Some(batch) = self.batch_decks.filter(|_| shuffler) {
            return within(batch);
        }
        self.decks.is_none_or(within)
            && self
                .deck_counts
                .as_ref()
                .is_none_or(|counts| counts.contains(&decks))
    }
}

impl CardRule {
    /// Must its cards be counted during play?
    pub(super) fn is_counted(&self) -> bool {
        self.stub_count_rounds.is_some() || self.count_minutes.is_some()
    }

    /// How long a set may stay in use: by the strictest of the methods it was dealt with, or by the mildest
    /// while it was dealt by none.
    pub(super) fn hours(&self, methods: &[DealingMethod], decks: u32, extended_use: bool) -> i64 {
        let of = |name: &str| {
            let extended = extended_use
                && decks >= EXTENDED_DECKS
                && self.extended.iter().any(|known| known == name);
            match self.hours.get(name) {
                _ if extended => EXTENDED_HOURS,
                Some(&hours) => hours,
                None => OTHER_GAMES_HOURS,
            }
        };
        let hours = match methods {
            [] => self.hours.keys().map(|name| of(name)).max(),
            methods => methods.iter().map(|&method| of(word(method))).min(),
        };
        hours.unwrap_or(OTHER_GAMES_HOURS)
    }

    /// The section that gives a set dealt by these methods its hours.
    pub(super) fn hours_cite(&self, methods: &[DealingMethod]) -> &str {
        let by_hand = methods.contains(&DealingMethod::Hand);
        let by_hand = self.hand_cite.as_ref().filter(|_| by_hand);
        by_hand.unwrap_or(&self.cite)
    }
}

impl DiceRule {
    pub(super) fn permits_set(&self, count: u32) -> bool {
        self.set_at_least.is_none_or(|least| count >= least)
            && self.set_exactly.is_none_or(|exactly| count == exactly)
    }
}

pub(super) fn word(method: DealingMethod) -> &'static str {
    match method {
        DealingMethod::Hand => "hand",
        DealingMethod::Shoe => "shoe",
        DealingMethod::AutoShoe => "auto_shoe",
        DealingMethod::Continuous => "continuous",
    }
}

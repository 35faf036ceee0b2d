//! How the cards of a game may be used.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::CardLife;

/// How cards come to the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    Hand,
    Shoe,
    AutoShoe,
    Continuous,
}

impl Method {
    /// As the data files write it.
    pub const fn word(self) -> &'static str {
        match self {
            Method::Hand => "hand",
            Method::Shoe => "shoe",
            Method::AutoShoe => "auto_shoe",
            Method::Continuous => "continuous",
        }
    }
}

/// How cards of a game may be used.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardRule {
    pub(super) game: String,
    pub(super) variation: Option<String>,
    /// By dealing method; a method that is not here is not permitted.
    hours: BTreeMap<Method, i64>,
    /// Methods that have hours and are not permitted all the same.
    #[serde(default)]
    forbidden: Vec<Method>,
    /// Fewest and most decks in a shoe.
    decks: Option<[u32; 2]>,
    /// The same for each batch where a shuffler serves two.
    batch_decks: Option<[u32; 2]>,
    /// The only lawful numbers of decks, where they are not a range.
    deck_counts: Option<Vec<u32>>,
    #[serde(default = "full_deck")]
    pub cards_per_deck: u32,
    #[serde(default)]
    pub jokers_per_deck: u32,
    /// Methods under which longer hours can be approved.
    #[serde(default)]
    extended: Vec<Method>,
    /// With so many decks the dealer alone inspects them when the table opens.
    pub dealer_inspects_decks: Option<u32>,
    #[serde(default)]
    pub new_cards_every_shoe: bool,
    /// All decks are inspected after use, not a sample.
    #[serde(default)]
    pub reinspect_all: bool,
    /// Decks may go back to storage after a clean inspection.
    #[serde(default)]
    pub reusable: bool,
    /// Fewest and most cards behind the cutting card.
    cut_least: Option<u32>,
    cut_most: Option<u32>,
    /// A quarter of the stack lies behind the cutting card, give or take so many cards; a machine's need no cut.
    cut_quarter_give: Option<u32>,
    /// The first card of a shoe is burned with as many more as it counts.
    #[serde(default)]
    pub burns_by_value: bool,
    /// A card is burned after every shuffle, and by every dealer who comes.
    #[serde(default)]
    pub burns_one: bool,
    /// So many hands may follow the one in which the cutting card comes out.
    pub hands_after_cut: Option<u32>,
    #[serde(default)]
    pub shuffled_every_round: bool,
    /// So many cards of the board stay in play: one that is burned while more lie there is one of them.
    pub board: Option<usize>,
    /// A shuffler that counts the cards spares the dealer the count only where a shoe deals them too.
    #[serde(default)]
    pub spared_by_auto_shoe: bool,
    /// So many cards leave the deck in every round, to places without a wager too, of which no event
    /// need tell.
    pub dealt_every_round: Option<u32>,
    /// So many cards of an automated shoe are put away unseen in every round, of which no event need tell.
    #[serde(default)]
    pub put_away: u32,
    /// No deck is used for longer without being put into suit and sequence.
    pub sort_hours: Option<i64>,
    /// The stub is counted at least once in so many rounds.
    pub stub_count_rounds: Option<u32>,
    /// The deck is counted at least once in so many minutes.
    pub count_minutes: Option<i64>,
    /// The whole deck is in play again in every round, shuffled in between.
    #[serde(default)]
    pub counted_every_round: bool,
    pub cite: String,
    /// Where the hours by hand stand in another section.
    pub(super) hand_cite: Option<String>,
}

fn full_deck() -> u32 {
    52
}

impl CardRule {
    pub fn cards_and_jokers(&self) -> u32 {
        self.cards_per_deck + self.jokers_per_deck
    }

    pub fn watches_the_cut(&self) -> bool {
        let is_cut = self.cut_least.is_some() || self.cuts_a_quarter();
        is_cut || self.burns_by_value || self.shuffled_every_round
    }

    pub fn cuts_a_quarter(&self) -> bool {
        self.cut_quarter_give.is_some()
    }

    /// May the cutting card lie so many cards from the back of a stack?
    pub fn permits_cut(&self, behind: u32, stack: u32) -> bool {
        let is_quarter = |give: u32| behind >= (stack / 4).saturating_sub(give);
        self.cut_least.is_none_or(|least| behind >= least)
            && self.cut_most.is_none_or(|most| behind <= most)
            && self.cut_quarter_give.is_none_or(is_quarter)
    }

    pub fn permits(&self, method: Method) -> bool {
        self.hours.contains_key(&method) && !self.forbidden.contains(&method)
    }

    /// Is this a lawful number of decks? With a shuffler, of one batch.
    pub fn permits_decks(&self, decks: u32, shuffler: bool) -> bool {
        let within = |[least, most]: [u32; 2]| (least..=most).contains(&decks);
        if let Some(batch) = self.batch_decks.filter(|_| shuffler) {
            return within(batch);
        }
        let counts = self.deck_counts.as_ref();
        self.decks.is_none_or(within) && counts.is_none_or(|counts| counts.contains(&decks))
    }

    /// Must its cards be counted during play?
    pub fn is_counted(&self) -> bool {
        self.stub_count_rounds.is_some() || self.count_minutes.is_some()
    }

    /// How long a set may stay in use: by the strictest of the methods it was dealt with, or by the mildest
    /// while it was dealt by none. A method that its text does not know has the hours of all other games, or
    /// where there are none the mildest of its own.
    pub fn hours(
        &self,
        methods: &[Method],
        decks: u32,
        extended_use: bool,
        life: Option<&CardLife>,
    ) -> i64 {
        let mildest = self.hours.values().copied().max().unwrap_or_default();
        let of = |method: &Method| {
            let can_extend = |life: &&CardLife| {
                extended_use && decks >= life.extended_decks && self.extended.contains(method)
            };
            let other = life.map_or(mildest, |life| life.other_games_hours);
            let plain = self.hours.get(method).copied().unwrap_or(other);
            let extended = life.filter(can_extend);
            extended.map_or(plain, |life| life.extended_hours)
        };
        match methods {
            [] => self.hours.keys().map(of).max().unwrap_or(mildest),
            methods => methods.iter().map(of).min().unwrap_or(mildest),
        }
    }

    /// The section that gives a set dealt by these methods its hours.
    pub fn hours_cite(&self, methods: &[Method]) -> &str {
        let by_hand = methods.contains(&Method::Hand);
        let by_hand = self.hand_cite.as_ref().filter(|_| by_hand);
        by_hand.unwrap_or(&self.cite)
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let game = &self.game;
        if self.hours.is_empty() || self.hours.values().any(|hours| *hours <= 0) {
            return Err(format!("cards of {game}: hours of at least one method"));
        }
        let is_known = |method: &Method| self.hours.contains_key(method);
        if !self.forbidden.iter().chain(&self.extended).all(is_known) {
            return Err(format!("cards of {game}: a method without hours"));
        }
        let ranges = [self.decks, self.batch_decks];
        if ranges
            .into_iter()
            .flatten()
            .any(|[least, most]| least == 0 || least > most)
        {
            return Err(format!(
                "cards of {game}: decks from the fewest to the most"
            ));
        }
        Ok(())
    }
}

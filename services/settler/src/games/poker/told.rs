//! What the events of a hand of poker tell, and the document of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use catwalk_rules::UNSEEN;
use catwalk_rules::floor::Cents;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::draws::Drawing;
use super::walk::Walk;
use super::{Document, Kept, figure};
use crate::games::felt;
use crate::round::RoundFold;

/// How a form is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Family {
    #[serde(alias = "omaha")]
    Holdem,
    SevenCardStud,
    FiveCardStud,
    Mambo,
    Draw,
}

/// A form as the rulebook has it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Form {
    #[serde(rename = "form")]
    name: String,
    pub(super) family: Family,
    /// Cards of a player's own: in the draw forms those that he is first dealt.
    pub(super) own: usize,
    rounds: usize,
}

static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| figure("forms"));

impl Form {
    /// As the table posted it. Two cards each and no more are hold'em, whoever says so or not.
    pub(super) fn of(round: &RoundFold) -> Result<Form, String> {
        let posted = round.rules.option("form");
        let posted = posted.as_ref().and_then(Value::as_str).map(str::to_owned);
        let spoken = || {
            let spoken = super::detail(round, "form").next()?;
            spoken.as_str().map(str::to_owned)
        };
        let name = posted.or_else(spoken).or_else(|| {
            let seats = felt::seats(&round.play);
            let two = |&seat: &u32| {
                let cards = felt::hand(&round.play, seat);
                cards.len() == 2 && round.rules.option("forced_bet").is_none()
            };
            let holdem = !seats.is_empty() && seats.iter().all(two);
            holdem.then(|| "holdem_high".to_owned())
        });
        let name = name.ok_or("the form of poker was not told")?;
        let known = FORMS.iter().find(|form| form.name == name);
        known
            .cloned()
            .ok_or_else(|| format!("{name:?} is not a form of poker"))
    }

    pub(super) fn is_stud(&self) -> bool {
        !matches!(self.family, Family::Holdem | Family::Draw)
    }

    /// How often players may draw.
    pub(super) fn draws(&self) -> usize {
        match self.family {
            Family::Draw => self.rounds - 1,
            _ => 0,
        }
    }

    /// Does a player get his card with this number face down?
    pub(super) fn is_down(&self, index: usize) -> bool {
        match self.family {
            Family::Holdem | Family::Draw => true,
            Family::SevenCardStud => !(2..=5).contains(&index),
            Family::FiveCardStud => index == 0,
            Family::Mambo => index != 1,
        }
    }
}

/// A card at a seat.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held<'a> {
    pub(super) card: Option<&'a str>,
    pub(super) up: bool,
    /// Dealt face up, or turned.
    pub(super) shown: bool,
    /// The draw that it came with.
    pub(super) draw: Option<usize>,
}

/// The cards as a document has them, with a word for those that nobody saw.
pub(super) fn told<'a>(cards: &[Held<'a>]) -> Vec<&'a str> {
    let cards = cards.iter();
    cards.map(|held| held.card.unwrap_or(UNSEEN)).collect()
}

/// Was one of them seen?
pub(super) fn is_partly_seen(cards: &[Held<'_>]) -> bool {
    cards.iter().any(|held| held.card.is_some())
}

/// A word, and the amount that was said with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    pub(super) word: &'a str,
    pub(super) amount: Option<Cents>,
}

impl Said<'_> {
    /// Writes it where the entry says nothing itself. Whoever folds, checks or calls announces no amount.
    pub(super) fn write(self, entry: &mut Document) {
        if entry.contains_key("verbal") || entry.contains_key("announced") {
            return;
        }
        entry.insert("verbal".into(), json!(self.word));
        let announced = self.amount.filter(|_| matches!(self.word, "bet" | "raise"));
        if let Some(announced) = announced {
            entry.insert("announced".into(), json!(announced));
        }
    }
}

/// What the events tell.
#[derive(Debug)]
pub(super) struct Told<'a> {
    pub(super) form: Form,
    pub(super) button: Option<u32>,
    /// Seats that were dealt in, in order.
    pub(super) dealt: Vec<u32>,
    /// Seats that had bet or posted without being dealt in.
    pub(super) not_dealt: Vec<u32>,
    pub(super) cards: BTreeMap<u32, Vec<Held<'a>>>,
    pub(super) shared: Vec<Option<&'a str>>,
    pub(super) rounds: Vec<Vec<Value>>,
    /// What was said before chips were put in, by wager.
    pub(super) words: BTreeMap<&'a str, Said<'a>>,
    pub(super) draws: Vec<Vec<Drawing<'a>>>,
    pub(super) burns: Vec<u32>,
    pub(super) tells_burns: bool,
    /// Somebody said that he stands pat.
    pub(super) tells_pats: bool,
    /// Cards were told to be dealt to the seats.
    pub(super) tells_deal: bool,
    pub(super) showdown: Vec<(u32, &'static str)>,
    pub(super) incidents: Vec<Value>,
    pub(super) folded: BTreeSet<u32>,
    /// Seats that said what they do.
    pub(super) deciding: BTreeSet<u32>,
    /// Somebody said that he folds, checks or bets, not only what he draws or shows.
    pub(super) tells_acts: bool,
    /// What goes back at once of chips that were too large for a call. 7(i)
    pub(super) change: BTreeMap<u32, Cents>,
    /// Bets by betting round and seat, without antes.
    pub(super) bets: Vec<BTreeMap<u32, i64>>,
    /// Seats whose cards were turned.
    pub(super) turned: BTreeSet<u32>,
    /// Seats that put in less than another in some betting round.
    pub(super) owing: BTreeSet<u32>,
    /// Seats that put in all they had, by what they and the others did.
    pub(super) all_in: BTreeSet<u32>,
    /// Seats that said so.
    pub(super) said_all_in: BTreeSet<u32>,
    /// Seats that bet no more where nobody did: all but one of them must have been all-in.
    pub(super) idle: BTreeSet<u32>,
    pub(super) last_bettor: Option<(usize, u32)>,
}

impl<'a> Told<'a> {
    pub(super) fn read(round: &'a RoundFold, form: Form) -> Told<'a> {
        let most = form.draws();
        let told = Told::walk(Walk::from_the_deal(round, form.clone()), round);
        if told.tells_burns || told.tells_pats || most == 0 {
            return told;
        }
        // A draw in which all stood pat may pass without a word, and one may follow another without a bet.
        let silent = Told::walk(Walk::past_silent_draws(round, form), round);
        match silent.draws.len() <= most {
            true => silent,
            false => told,
        }
    }

    fn walk(mut walk: Walk<'a>, round: &'a RoundFold) -> Told<'a> {
        let mut wagers = super::played(round).peekable();
        for (at, (_, body)) in round.play.iter().enumerate() {
            while let Some(wager) = wagers.next_if(|wager| wager.after_play <= at) {
                walk.wager(wager);
            }
            walk.body(body);
        }
        wagers.for_each(|wager| walk.wager(wager));
        walk.finish(round)
    }

    pub(super) fn empty(form: Form, button: Option<u32>) -> Told<'a> {
        Told {
            form,
            button,
            dealt: Vec::new(),
            not_dealt: Vec::new(),
            cards: BTreeMap::new(),
            shared: Vec::new(),
            rounds: vec![Vec::new()],
            words: BTreeMap::new(),
            draws: Vec::new(),
            burns: Vec::new(),
            tells_burns: false,
            tells_pats: false,
            tells_deal: false,
            showdown: Vec::new(),
            incidents: Vec::new(),
            folded: BTreeSet::new(),
            deciding: BTreeSet::new(),
            tells_acts: false,
            change: BTreeMap::new(),
            bets: Vec::new(),
            turned: BTreeSet::new(),
            owing: BTreeSet::new(),
            all_in: BTreeSet::new(),
            said_all_in: BTreeSet::new(),
            idle: BTreeSet::new(),
            last_bettor: None,
        }
    }

    /// Was a hand shown of which not every card was told?
    pub(super) fn shows_unseen(&self) -> bool {
        let mut shown = self.showdown.iter().filter(|(_, act)| *act == "show");
        shown.any(|&(seat, _)| !self.is_seen(seat))
    }

    /// `play` without what other events tell.
    pub(super) fn document(&self, kept: &Kept) -> Document {
        let mut play = Map::new();
        play.insert("form".into(), json!(self.form.name));
        if let (Some(button), false) = (self.button, self.form.is_stud()) {
            play.insert("button".into(), json!(button));
        }
        let hands = self
            .dealt
            .iter()
            .map(|&seat| (seat.to_string(), self.hand(seat)));
        play.insert("hands".into(), Value::Object(hands.collect()));
        let shared = self.shared.iter().map(|card| card.unwrap_or(UNSEEN));
        let shared: Vec<&str> = shared.collect();
        if !shared.is_empty() {
            let key = match self.form.family {
                Family::SevenCardStud => "common",
                _ => "board",
            };
            play.insert(key.into(), json!(shared));
        }
        if !self.draws.is_empty() {
            play.insert("draws".into(), self.draws_told());
        }
        let shown = self.shown_in_the_end();
        if !shown.is_empty() {
            play.insert("shown".into(), json!(shown));
        }
        play.insert("rounds".into(), json!(self.rounds));
        if let Some(showdown) = self.showdown() {
            play.insert("showdown".into(), json!(showdown));
        }
        if !self.incidents.is_empty() {
            play.insert("incidents".into(), json!(self.incidents));
        }
        if (self.tells_burns || kept.tells_burns) && !self.burns.is_empty() {
            play.insert("burns".into(), json!(self.burns));
        }
        play
    }

    pub(super) fn own(&self, seat: u32) -> &[Held<'a>] {
        self.cards.get(&seat).map_or(&[], Vec::as_slice)
    }

    fn hand(&self, seat: u32) -> Value {
        let own = self.own(seat);
        if own.is_empty() {
            return Value::Null;
        }
        let names = |cards: &[Held<'_>]| match cards.is_empty() || is_partly_seen(cards) {
            true => json!(told(cards)),
            false => Value::Null,
        };
        if self.form.is_stud() {
            let of = |up: bool| own.iter().copied().filter(|held| held.up == up).collect();
            let (down, up): (Vec<Held<'_>>, Vec<Held<'_>>) = (of(false), of(true));
            return json!({"down": names(&down), "up": told(&up)});
        }
        if self.form.family != Family::Draw {
            return names(own);
        }
        let first = own.iter().copied().filter(|held| held.draw.is_none());
        let first: Vec<Held<'_>> = first.collect();
        match self.follows_hand(seat) {
            true => names(&first),
            false => Value::Null,
        }
    }

    /// Is every card known with which the hand ends?
    fn is_seen(&self, seat: u32) -> bool {
        if self.form.family == Family::Draw {
            return self.is_seen_through_draws(seat);
        }
        let hand = self.hand(seat);
        let is_told = match &hand {
            Value::Null => false,
            Value::Object(hand) => !hand["down"].is_null(),
            _ => true,
        };
        is_told && !hand.to_string().contains(UNSEEN)
    }

    /// Who showed and who did not: in the order in which all said it, and where not all did, the last bettor
    /// first. Who was never seen and said nothing conceded.
    fn showdown(&self) -> Option<Vec<Value>> {
        let is_in = |seat: &&u32| !self.folded.contains(seat);
        let players: Vec<u32> = self.dealt.iter().filter(is_in).copied().collect();
        if players.len() < 2 {
            return None;
        }
        let said: Vec<u32> = self.showdown.iter().map(|&(seat, _)| seat).collect();
        let all: Vec<(u32, &str)> = if players.iter().all(|seat| said.contains(seat)) {
            self.showdown.clone()
        } else {
            let last = self.rounds.len().checked_sub(1);
            let first = self.last_bettor.filter(|(round, _)| Some(*round) == last);
            let first = first.map_or(0, |(_, seat)| seat);
            let (before, after): (Vec<u32>, Vec<u32>) =
                players.into_iter().partition(|&seat| seat < first);
            let act = |seat: u32| {
                let mut said = self.showdown.iter().filter(|&&(other, _)| other == seat);
                let unsaid = if self.is_seen(seat) { "show" } else { "muck" };
                (seat, said.next().map_or(unsaid, |&(_, act)| act))
            };
            after.into_iter().chain(before).map(act).collect()
        };
        if said.is_empty() && all.iter().all(|&(_, act)| act == "show") {
            return None;
        }
        let entries = all
            .iter()
            .map(|(seat, act)| json!({"seat": seat, "act": act}));
        Some(entries.collect())
    }
}

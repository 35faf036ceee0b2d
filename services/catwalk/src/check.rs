//! `catwalk check`: is this feed what the schema and its own sequence promise?

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use catwalk_events::body::{CardPlace, WagerPlaced};
use catwalk_events::{Body, Event, Json, Timestamp, json};
use catwalk_rules::book::WagerEntry;
use catwalk_rules::floor::Card;
use catwalk_rules::{AnyGame, Rulebook, UNSEEN};
use catwalk_settler::{Output, Settler};
use serde_json::Value;

use crate::editions::RulesArgs;
use crate::{Verdict, input};

/// Check a feed against the schema and its own sequence: a line per problem.
///
/// For vendors of table devices: every event must be readable, its sequence number must follow the one
/// before it at the same table, its clock must not run back, its id must be new, and a round must be
/// open while things happen in it. And the rulebook must know what it tells of: the game and its edition, options,
/// wagers, cards, pockets; each round is settled, and what cannot be is named with its place.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk check floor.jsonl\n  tail -f device.log | catwalk check -"
)]
pub(crate) struct Args {
    /// File of events, one JSON object a line. Standard input if left out or "-".
    file: Option<PathBuf>,

    #[command(flatten)]
    rules: RulesArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut checker = Checker::new(args.rules.rulebook()?)?;
    let (mut events, mut problems) = (0u64, 0u64);
    input::open(args.file.as_deref(), "checking")?.read(|input| {
        input::lines(input, |number, line| {
            events += 1;
            let event =
                line.and_then(|line| json::read(line).map_err(|refusal| refusal.to_string()));
            let found = match event {
                Ok(event) => checker.check(event),
                Err(refusal) => vec![refusal],
            };
            problems += found.len() as u64;
            for problem in found {
                writeln!(out, "line {number}: {problem}")?;
            }
            Ok(())
        })
    })?;
    if events == 0 {
        eprintln!("catwalk: {}", input::NO_EVENT);
        return Ok(Verdict::FoundWrong);
    }
    for problem in checker.finish() {
        problems += 1;
        writeln!(out, "at the end: {problem}")?;
    }
    out.flush()?;
    if problems == 0 {
        eprintln!(
            "catwalk: {events} events of {} tables, no problem",
            checker.tables.len()
        );
        return Ok(Verdict::Fine);
    }
    eprintln!("catwalk: {problems} problems in {events} events");
    Ok(Verdict::FoundWrong)
}

/// So many ids are remembered per table, to find one that is used twice.
const IDS_REMEMBERED: usize = 4_096;

/// So many wagers of a table are remembered that may stay.
const WAGERS_REMEMBERED: usize = 100_000;

/// Holds each event of a feed against those before it at its table, and against the rulebook.
pub(crate) struct Checker {
    tables: BTreeMap<(String, String), TableFeed>,
    rulebook: Arc<Rulebook>,
    settler: Settler,
}

#[derive(Default)]
struct TableFeed {
    last: Option<(u64, Timestamp)>,
    is_open: bool,
    /// The game and edition of the table, as they were told.
    game: Option<(String, String)>,
    rounds: BTreeMap<String, RoundFeed>,
    /// Wagers that stay on the layout from round to round until they are decided, as those of craps do.
    staying: Remembered,
    ids: Remembered,
}

/// Names, of which the oldest are forgotten when there are too many.
#[derive(Default)]
struct Remembered {
    names: BTreeSet<String>,
    order: VecDeque<String>,
}

impl Remembered {
    /// Was it unknown?
    fn remember(&mut self, name: String, most: usize) -> bool {
        if !self.names.insert(name.clone()) {
            return false;
        }
        self.order.push_back(name);
        if self.order.len() > most
            && let Some(oldest) = self.order.pop_front()
        {
            self.names.remove(&oldest);
        }
        true
    }

    fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    fn forget(&mut self, name: &str) {
        if self.names.remove(name) {
            self.order.retain(|other| other != name);
        }
    }
}

/// What a round has told so far.
#[derive(Default)]
struct RoundFeed {
    /// The wagers that were placed, and whether each stays if it is not decided.
    wagers: BTreeMap<String, bool>,
    /// Those whose stake was taken off the layout.
    taken: BTreeSet<String>,
    /// How many cards lie in each place.
    dealt: BTreeMap<(CardPlace, Option<u32>, Option<u32>), u32>,
}

/// Findings that say that the rulebook cannot make anything of what was told; the others are about the floor.
const BEYOND_THE_RULES: [&str; 6] = [
    "deck.foreign_card",
    "dice.wrong_number",
    "round.unsettled",
    "rules.unauthorized",
    "tiles.foreign_tile",
    "wheel.illegal_result",
];

impl Checker {
    pub(crate) fn new(rulebook: impl Into<Arc<Rulebook>>) -> anyhow::Result<Checker> {
        let rulebook = rulebook.into();
        Ok(Checker {
            tables: BTreeMap::new(),
            settler: Settler::new(Arc::clone(&rulebook))?,
            rulebook,
        })
    }

    /// What is wrong with the next event.
    pub(crate) fn check(&mut self, event: Event) -> Vec<String> {
        let feed = self
            .tables
            .entry((event.property.clone(), event.table.clone()))
            .or_default();
        let mut problems = Vec::new();
        feed.check_sequence(&event, &mut problems);
        feed.check_id(&event, &mut problems);
        feed.check_place(&event, &self.rulebook, &mut problems);
        feed.check_words(&event, &self.rulebook, &mut problems);
        let outputs = self.settler.receive(event);
        problems.extend(beyond_the_rules(outputs));
        problems
    }

    /// What is wrong with what was still waited for when the feed ended.
    pub(crate) fn finish(&mut self) -> Vec<String> {
        beyond_the_rules(self.settler.finish()).collect()
    }
}

fn beyond_the_rules(outputs: Vec<Output>) -> impl Iterator<Item = String> {
    outputs.into_iter().filter_map(|output| match output {
        Output::Finding(finding) if BEYOND_THE_RULES.contains(&finding.code.as_str()) => {
            let round = finding.round.as_deref();
            let of_round = round.map_or(String::new(), |round| format!(" round {round}:"));
            Some(format!("{}:{of_round} {}", finding.table, finding.message))
        }
        Output::Unread(unread) => Some(format!(
            "{}: event {}: {}",
            unread.event.table, unread.event.seq, unread.reason
        )),
        Output::Finding(_) | Output::Settlement(_) => None,
    })
}

impl TableFeed {
    fn check_sequence(&mut self, event: &Event, problems: &mut Vec<String>) {
        let (table, seq) = (&event.table, event.seq);
        if let Some((last, at)) = self.last {
            match seq {
                _ if seq == last.saturating_add(1) => {}
                _ if seq > last => {
                    problems.push(format!("{table}: seq {last} is followed by {seq}"))
                }
                _ if seq == last => problems.push(format!("{table}: seq {seq} is repeated")),
                _ => problems.push(format!("{table}: seq steps back from {last} to {seq}")),
            }
            if event.at < at && seq > last {
                problems.push(format!(
                    "{table}: the clock runs back from {at} to {}",
                    event.at
                ));
            }
        }
        if self.last.is_none_or(|(last, _)| seq > last) {
            self.last = Some((seq, event.at));
        }
    }

    fn check_id(&mut self, event: &Event, problems: &mut Vec<String>) {
        if !self.ids.remember(event.id.clone(), IDS_REMEMBERED) {
            problems.push(format!("{}: id {:?} is used twice", event.table, event.id));
        }
    }

    /// Does the event stand where it can: an open table, an open round, a wager that was placed?
    fn check_place(&mut self, event: &Event, rulebook: &Rulebook, problems: &mut Vec<String>) {
        let table = &event.table;
        match &event.body {
            Body::TableOpened(_) => self.is_open = true,
            Body::TableClosed(_) => {
                self.is_open = false;
                self.staying = Remembered::default();
            }
            Body::RoundOpened(_) => {
                let Some(round) = &event.round else {
                    return problems.push(format!("{table}: round_opened needs its round"));
                };
                if !self.is_open {
                    problems.push(format!(
                        "{table}: round {round} opens at a table that is not open"
                    ));
                }
                let opened = self.rounds.insert(round.clone(), RoundFeed::default());
                if opened.is_some() {
                    problems.push(format!("{table}: round {round} is open already"));
                }
            }
            body if of_round(body) => self.check_round(event, rulebook, problems),
            _ => {}
        }
    }

    /// The same of what happens within a round.
    fn check_round(&mut self, event: &Event, rulebook: &Rulebook, problems: &mut Vec<String>) {
        let (table, body) = (&event.table, &event.body);
        let name = body.type_name();
        let id = event.round.as_ref();
        let Some(round) = id.and_then(|id| self.rounds.get_mut(id)) else {
            let id = id.map_or("none", String::as_str);
            let problem = format!("{table}: {name} in round {id}, which is not open");
            return problems.push(problem);
        };
        if let Body::WagerPlaced(placed) = body {
            let stays = self.game.as_ref().is_some_and(|(game, edition)| {
                let text = rulebook.edition(edition);
                let game = rulebook.game_in(game, edition);
                game.is_ok_and(|game| game.book().stays(&placed.kind, text))
            });
            if round.wagers.insert(placed.wager.clone(), stays).is_some() {
                problems.push(format!("{table}: wager {:?} is placed twice", placed.wager));
            }
        }
        if let Some(wager) = wager_of(body)
            && !round.wagers.contains_key(wager)
            && !self.staying.has(wager)
        {
            problems.push(format!(
                "{table}: {name} names wager {wager:?}, which was not placed"
            ));
        }
        if let Some(wager) = taken_off(body) {
            round.taken.insert(wager.to_owned());
        }
        if let Some(what) = turns_nothing(body, &mut round.dealt) {
            problems.push(format!("{table}: {what}"));
        }
        if matches!(body, Body::RoundClosed(_) | Body::RoundVoided(_))
            && let Some(id) = id
        {
            let RoundFeed { wagers, taken, .. } = self.rounds.remove(id).unwrap_or_default();
            taken.iter().for_each(|wager| self.staying.forget(wager));
            let stay = wagers
                .into_iter()
                .filter(|(wager, stays)| *stays && !taken.contains(wager));
            for (wager, _) in stay {
                self.staying.remember(wager, WAGERS_REMEMBERED);
            }
        }
    }
}

/// Counts the cards that were dealt, and says where one is turned that was not.
fn turns_nothing(
    body: &Body,
    dealt: &mut BTreeMap<(CardPlace, Option<u32>, Option<u32>), u32>,
) -> Option<String> {
    match body {
        Body::CardDealt(card) => {
            *dealt.entry((card.to, card.seat, card.hand)).or_default() += 1;
            None
        }
        Body::CardRevealed(card) => {
            let lie = dealt.get(&(card.to, card.seat, card.hand));
            let lie = lie.copied().unwrap_or(0);
            let index = card.index;
            (index >= lie).then(|| {
                format!("card_revealed turns card {index} of a hand of {lie}, counted from 0")
            })
        }
        _ => None,
    }
}

impl TableFeed {
    /// Does the rulebook know the words: the game and its edition, the wagers, the cards?
    fn check_words(&mut self, event: &Event, rulebook: &Rulebook, problems: &mut Vec<String>) {
        let table = &event.table;
        let mut wrong = |what: String| problems.push(format!("{table}: {what}"));
        match &event.body {
            Body::TableOpened(opened) => {
                self.game = None;
                match rulebook.game_in(&opened.game, &opened.edition) {
                    Ok(game) => {
                        if let Err(refusal) = game.check_options(&opened.edition, "{}") {
                            wrong(refusal.to_string());
                        }
                        self.game = Some((opened.game.clone(), opened.edition.clone()));
                    }
                    Err(refusal) => wrong(refusal.to_string()),
                }
            }
            Body::RulesChanged(changed) => {
                if let Some((_, edition)) = &mut self.game {
                    edition.clone_from(&changed.edition);
                }
            }
            Body::WagerPlaced(placed) => {
                if let Some((game, edition)) = &self.game
                    && let Ok(game) = rulebook.game_in(game, edition)
                {
                    let (kind, name) = (&placed.kind, game.name());
                    let offered = offered(game, rulebook, edition, kind);
                    match offered.map(|entry| entry.selects.as_deref()) {
                        None => wrong(format!("{kind:?} is no wager of {name} in {edition}")),
                        Some(Some(key)) if selects_nothing(placed) => wrong(format!(
                            "wager {:?}: {kind:?} needs its {key} in detail",
                            placed.wager
                        )),
                        Some(_) => {}
                    }
                }
            }
            body => {
                for card in cards_of(body) {
                    if card != UNSEEN && card.parse::<Card>().is_err() {
                        wrong(format!("{}: {card:?} is no card", body.type_name()));
                    }
                }
            }
        }
    }
}

/// The wager of this kind that the game has in this edition.
fn offered<'a>(
    game: &'a dyn AnyGame,
    rulebook: &Rulebook,
    edition: &str,
    kind: &str,
) -> Option<&'a WagerEntry> {
    // An edition that is not known offers what any does.
    let text = rulebook.edition(edition);
    let holds = |wager: &WagerEntry| text.is_none_or(|text| wager.editions.holds(text));
    let mut wagers = game.book().wagers().iter();
    wagers.find(|wager| wager.kind == kind && holds(wager))
}

/// The cards that an event names.
fn cards_of(body: &Body) -> Vec<&str> {
    match body {
        Body::CardDealt(dealt) => dealt.card.as_deref().into_iter().collect(),
        Body::CardRevealed(revealed) => vec![&revealed.card],
        Body::CardBurned(burned) => burned.card.as_deref().into_iter().collect(),
        Body::CardReplaced(replaced) => vec![&replaced.card],
        _ => Vec::new(),
    }
}

/// Events that mean something only within a round.
fn of_round(body: &Body) -> bool {
    matches!(
        body,
        Body::WagerPlaced(_)
            | Body::WagerChanged(_)
            | Body::WagerRemoved(_)
            | Body::BettingClosed(_)
            | Body::CardDealt(_)
            | Body::CardRevealed(_)
            | Body::DiceRolled(_)
            | Body::WheelSpun(_)
            | Body::TilesDealt(_)
            | Body::Decision(_)
            | Body::HandSet(_)
            | Body::WagerPaid(_)
            | Body::WagerCollected(_)
            | Body::WagerPushed(_)
            | Body::PotAwarded(_)
            | Body::RoundClosed(_)
            | Body::RoundVoided(_)
    )
}

/// Does a wager leave open what it is on?
fn selects_nothing(placed: &WagerPlaced) -> bool {
    match placed.detail.as_ref().map(Json::value) {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(Value::Array(list)) => list.is_empty(),
        Some(Value::Object(keys)) => keys.is_empty(),
        Some(_) => false,
    }
}

/// The wager whose whole stake an event takes off the layout.
fn taken_off(body: &Body) -> Option<&str> {
    match body {
        Body::WagerRemoved(removed) => Some(&removed.wager),
        Body::WagerCollected(collected) if collected.amount.is_none() => Some(&collected.wager),
        _ => None,
    }
}

/// The wager that an event is about, where it must have been placed before.
fn wager_of(body: &Body) -> Option<&str> {
    match body {
        Body::WagerChanged(changed) => Some(&changed.wager),
        Body::WagerRemoved(removed) => Some(&removed.wager),
        Body::WagerPaid(paid) => Some(&paid.wager),
        Body::WagerCollected(collected) => Some(&collected.wager),
        Body::WagerPushed(pushed) => Some(&pushed.wager),
        _ => None,
    }
}

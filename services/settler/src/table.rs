//! A table: the rules in force, who deals, and the rounds that are open.

mod bounds;
mod called_off;
mod dealers;
mod hiding;
mod in_play;
mod lost;
mod outage;
mod timing;
mod untold;

use std::collections::BTreeMap;

use catwalk_events::audit::Finding;
use catwalk_events::body::{Body, MeterRead, RakePlace, RoundOpened, RulesChanged, TableOpened};
use catwalk_events::{Event, PostedLimit, Timestamp};
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use catwalk_rules::{AnyGame, Edition, Refusal, Rulebook};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::called_off::CalledOff;
pub(crate) use self::in_play::PlayedWith;
pub(crate) use self::lost::{Gap, Lost};
use crate::fault::{Fault, shows_in_posting};
use crate::games::{self, Folder, Scene};
use crate::judge;
use crate::laws::OfHouse;
use crate::options::Options;
use crate::round::{RoundFold, WagerFold, is_of_play};
use crate::sequence::{Arrival, Sequence, Step};
use crate::settler::{Laws, Output, Unread};
use crate::standing::Standing;
use crate::wagers::{self, Moment};
use crate::watch::{self, Remedy, Sighting, Watch};

/// So many rounds may be open at a table at once; the oldest is given up for one more.
pub(crate) const MAX_OPEN_ROUNDS: usize = 16;
/// A wager beyond the limits settles in full.
const LIMITS: [&str; 2] = ["wager.over_max", "wager.under_min"];
/// So many meters of a table are kept.
const MAX_METERS: usize = 16;

/// The rules of a table at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesInForce {
    pub game: String,
    /// The text that it is played by: of a house's own edition, the one that it stands on.
    pub edition: String,
    /// The house's own edition, where the table plays by one.
    #[serde(default)]
    pub house: Option<String>,
    pub options: Options,
    pub limits: Vec<PostedLimit>,
    /// Of the layout, where the opening told of them.
    #[serde(default)]
    pub positions: Option<u32>,
    /// The table opened for a tournament.
    #[serde(default)]
    pub tournament: bool,
    /// What the house has otherwise than the text that its edition stands on.
    #[serde(default, skip_serializing_if = "OfHouse::is_empty")]
    pub(crate) of_house: OfHouse,
}

/// The option that a table of a tournament has, posted or not, in these games.
pub(crate) const TOURNAMENT: &str = "tournament";
const TOURNAMENT_GAMES: [&str; 2] = ["minibaccarat", "dragon_bonus_baccarat_commission_free"];

impl RulesInForce {
    pub(crate) fn of(opened: &TableOpened, rulebook: &Rulebook) -> RulesInForce {
        let (edition, house) = text_of(&opened.edition, rulebook);
        RulesInForce {
            of_house: OfHouse::of(&opened.game, house.as_deref(), rulebook),
            game: opened.game.clone(),
            edition,
            house,
            options: opened.options.clone().into(),
            limits: opened.limits.clone(),
            positions: opened.positions,
            tournament: opened.tournament == Some(true),
        }
    }

    /// The same with what was changed.
    pub(crate) fn changed(&self, changed: &RulesChanged, rulebook: &Rulebook) -> RulesInForce {
        let (edition, house) = text_of(&changed.edition, rulebook);
        RulesInForce {
            of_house: OfHouse::of(&self.game, house.as_deref(), rulebook),
            edition,
            house,
            options: changed.options.clone().into(),
            ..self.clone()
        }
    }

    /// The edition as the table names it.
    pub(crate) fn posted_edition(&self) -> &str {
        self.house.as_ref().unwrap_or(&self.edition)
    }

    /// The game as the edition of the table has it.
    pub(crate) fn game_in<'a>(&self, rulebook: &'a Rulebook) -> Result<&'a dyn AnyGame, Refusal> {
        rulebook.game_in(&self.game, self.posted_edition())
    }

    /// An option as the table posted it, or as its house has it otherwise than the text; `None` where it has the
    /// default of the text.
    pub(crate) fn option(&self, key: &str) -> Option<Value> {
        let posted = self.options.value().get(key);
        let posted = posted.or_else(|| self.house_default(key)).cloned();
        posted.or_else(|| (key == TOURNAMENT && self.plays_tournament()).then_some(true.into()))
    }

    /// Did the table open for a tournament, and has its game rules of its own for one? Ohio's baccarat has.
    pub(crate) fn plays_tournament(&self) -> bool {
        let has_rules = TOURNAMENT_GAMES.contains(&self.game.as_str());
        self.tournament && has_rules && self.edition == Edition::OhJack2017.name()
    }

    /// Where the house says that the rake is put.
    pub(crate) fn rake_to(&self) -> Option<RakePlace> {
        serde_json::from_value(self.option("rake_to")?).ok()
    }

    /// Is vigorish marked when it falls due, and collected later?
    pub(crate) fn defers_vigorish(&self) -> bool {
        let collection = self.option("vigorish_collection");
        collection.is_some_and(|collection| collection == "deferred")
    }
}

/// Everything that is kept of a table between two events.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Table {
    property: String,
    table: String,
    sequence: Sequence,
    rules: Option<RulesInForce>,
    is_open: bool,
    dealer: Option<String>,
    rounds: BTreeMap<String, RoundFold>,
    #[serde(default)]
    openings: untold::Openings,
    /// What never came since it opened.
    #[serde(default)]
    lost: Lost,
    #[serde(default)]
    outage: outage::Outage,
    #[serde(default)]
    called_off: Option<CalledOff>,
    /// The last round that was void: its stakes may be given back after its end.
    #[serde(default)]
    voided: Option<String>,
    /// Since it opened, cards, dice, tiles or spins were told of: a feed that never does is not held to it.
    #[serde(default)]
    tells_play: bool,
    /// Its feed tells of wagers.
    #[serde(default)]
    tells_stakes: bool,
    /// Rounds that were paid before it did, and not played.
    #[serde(default)]
    unplayed: Vec<hiding::Unplayed>,
    /// That chips move and nobody opened it was said.
    #[serde(default)]
    told_unopened: bool,
    /// What was said of the rules in force: it is not said again while they stand.
    #[serde(default)]
    posted_faults: Vec<String>,
    /// What the game keeps between rounds.
    standing: Standing,
    /// Wagers that no round has decided yet.
    carried: Vec<WagerFold>,
    /// Meters that were read since the last round opened.
    meters: BTreeMap<String, Cents>,
    watch: Watch,
    #[serde(default)]
    in_play: in_play::InPlay,
    /// So many bytes of events came since the state was last weighed.
    unweighed: usize,
}

impl Table {
    pub(crate) fn new(event: &Event) -> Table {
        Table {
            property: event.property.clone(),
            table: event.table.clone(),
            sequence: Sequence::default(),
            rules: None,
            is_open: false,
            dealer: None,
            rounds: BTreeMap::new(),
            openings: untold::Openings::default(),
            lost: Lost::default(),
            outage: outage::Outage::default(),
            called_off: None,
            voided: None,
            tells_play: false,
            tells_stakes: false,
            unplayed: Vec::new(),
            told_unopened: false,
            posted_faults: Vec::new(),
            standing: Standing::default(),
            carried: Vec::new(),
            meters: BTreeMap::new(),
            watch: Watch::default(),
            in_play: in_play::InPlay::default(),
            unweighed: 0,
        }
    }

    /// Property and table.
    pub(crate) fn name(&self) -> (String, String) {
        (self.property.clone(), self.table.clone())
    }

    /// Takes an event as the feed brings it.
    pub(crate) fn receive(&mut self, arrival: Arrival, laws: &Laws, out: &mut Vec<Output>) {
        let (at, bytes) = (arrival.event.at, arrival.bytes);
        let steps = self.sequence.receive(arrival);
        self.follow(steps, at, laws, out);
        self.grow(bytes, at, laws, out);
    }

    /// The feed has ended: what waited for a missing event goes on without it.
    pub(crate) fn finish(&mut self, laws: &Laws, out: &mut Vec<Output>) {
        let steps = self.sequence.finish();
        let at = steps.iter().find_map(|step| match step {
            Step::Ready(arrival) => Some(arrival.event.at),
            _ => None,
        });
        if let Some(at) = at {
            self.follow(steps, at, laws, out);
        }
        self.end_called_off(laws, out);
    }

    fn follow(&mut self, steps: Vec<Step>, at: Timestamp, laws: &Laws, out: &mut Vec<Output>) {
        for step in steps {
            match step {
                Step::Ready(arrival) => {
                    let (before, offset) = (out.len(), arrival.offset);
                    self.follow_called_off(&arrival.event, laws, out);
                    let round = arrival.event.round.as_ref();
                    let open = round.and_then(|id| self.rounds.get(id));
                    let remedy = Remedy::of(&arrival.event, open);
                    self.judge_left_open(&arrival.event, laws, out);
                    self.fold(arrival.event, laws, out);
                    self.remember_posting(&out[before..]);
                    let is_refused = |output: &Output| matches!(output, Output::Unread(_));
                    let remedy = match out[before..].iter().any(is_refused) {
                        true => remedy.refused(),
                        false => remedy,
                    };
                    self.resolve(remedy, before, laws, out);
                    for output in out.iter_mut().skip(before) {
                        if let Output::Unread(unread) = output {
                            unread.offset = offset;
                        }
                    }
                }
                Step::Repeat { seq } => {
                    let message = format!("Event {seq} was sent again");
                    if self.outage.repeats(seq) {
                        self.feed_finding("feed.duplicate", at, vec![seq], message, out);
                    }
                }
                Step::Contradiction(arrival) => self.contradict(*arrival, out),
                Step::Late { seq, after } => {
                    let message = format!("Event {seq} came after event {after}");
                    if self.outage.is_late(after) {
                        self.feed_finding("feed.reordered", at, vec![seq, after], message, out);
                    }
                }
                Step::Gap { from, to } => {
                    let message = match to - from {
                        0 => format!("Event {from} never came"),
                        _ => format!("Events {from} to {to} never came"),
                    };
                    self.feed_finding("feed.gap", at, vec![from, to], message, out);
                    self.watch.lose(to - from + 1);
                    self.openings.lose();
                    self.lost.lose(from, to);
                    self.rounds
                        .values_mut()
                        .for_each(|round| round.incomplete = true);
                    self.standing.doubt();
                }
                Step::TooLate(arrival) => {
                    let seq = arrival.event.seq;
                    let message = format!("Event {seq} came after it had been given up");
                    if self.outage.comes_given_up(seq) {
                        self.feed_finding("feed.reordered", at, vec![seq], message.clone(), out);
                    }
                    out.push(Output::Unread(arrival.unread(message)));
                }
                Step::Stray { arrival, next } => {
                    let seq = arrival.event.seq;
                    let message = format!("Event {seq} came while the table was at event {next}");
                    if self.outage.is_far(seq) {
                        self.feed_finding("feed.reordered", at, vec![seq], message.clone(), out);
                    }
                    out.push(Output::Unread(arrival.unread(message)));
                }
            }
        }
    }

    /// Takes an event whose turn it is, and says of what is found whether it was found in a field trial.
    fn fold(&mut self, event: Event, laws: &Laws, out: &mut Vec<Output>) {
        let before = out.len();
        let was_trial = self.watch.is_trial();
        self.fold_event(event, laws, out);
        if was_trial || self.watch.is_trial() {
            for output in &mut out[before..] {
                if let Output::Finding(finding) = output {
                    finding.trial = Some(true);
                }
            }
        }
    }

    fn fold_event(&mut self, event: Event, laws: &Laws, out: &mut Vec<Output>) {
        self.openings.see(&event);
        self.in_play.see(&event);
        self.open_untold(&event, laws, out);
        self.show(&event, laws, out);
        let is_aside = event.round.is_none() && self.show_aside(&event, laws, out);
        match &event.body {
            Body::TableOpened(opened) => {
                let posted = RulesInForce::of(opened, &laws.rulebook);
                self.reopen(&event, opened, &posted, out);
                if !self.is_open {
                    self.tells_play = false;
                    self.unplayed.clear();
                }
                if !self.is_open || self.rules.as_ref() != Some(&posted) {
                    self.posted_faults.clear();
                }
                self.rules = Some(posted);
                self.dealer = Some(opened.dealer.clone());
                self.is_open = true;
                self.excuse_trial(laws);
            }
            Body::TableClosed(_) => {
                self.is_open = false;
                self.clear_stands();
            }
            Body::DealerChanged(changed) => self.dealer = Some(changed.dealer.clone()),
            Body::RulesChanged(changed) => {
                if let Some(rules) = &mut self.rules {
                    let after = rules.changed(changed, &laws.rulebook);
                    if *rules != after {
                        self.posted_faults.clear();
                    }
                    *rules = after;
                }
                self.excuse_trial(laws);
            }
            Body::LimitsChanged(changed) => {
                if let Some(rules) = &mut self.rules
                    && rules.limits != changed.limits
                {
                    rules.limits.clone_from(&changed.limits);
                    // What the posting still breaks was told.
                    let broken = watch::broken_by_posting(&laws.rulebook, rules);
                    self.posted_faults.retain(|code| broken.contains(code));
                }
                self.excuse_trial(laws);
            }
            Body::MeterRead(read) if event.round.is_none() => self.read_meter(read),
            body if in_play::is_aside(body) => {}
            _ if event.round.is_some() => self.fold_round(event, laws, out),
            body => {
                if !is_aside {
                    self.act_outside(&event, out);
                }
                let rules = self.rules.as_ref();
                if let Some(folder) = rules.and_then(|rules| games::folder(&rules.game)) {
                    let open = self.rounds.values_mut().next_back();
                    match open.filter(|round| folder.is_of_round(round, body)) {
                        Some(round) => wagers::keep(round, event.seq, body.clone()),
                        None => folder.between(body, &mut self.standing),
                    }
                }
            }
        }
    }

    /// The rules of a game may change during its field trial, 147.04(5)(b): what it posts is held against nobody.
    fn excuse_trial(&mut self, laws: &Laws) {
        if let Some(rules) = self.rules.as_ref().filter(|_| self.watch.is_trial()) {
            self.posted_faults = watch::broken_by_posting(&laws.rulebook, rules);
        }
    }

    /// Remembers what was said of the rules in force.
    fn remember_posting(&mut self, said: &[Output]) {
        for output in said {
            if let Output::Finding(finding) = output
                && shows_in_posting(&finding.code)
                && !self.posted_faults.contains(&finding.code)
            {
                self.posted_faults.push(finding.code.clone());
            }
        }
    }

    /// What stands on the layout of a run goes down with the table.
    fn clear_stands(&mut self) {
        let folder = self
            .rules
            .as_ref()
            .and_then(|rules| games::folder(&rules.game));
        if folder.is_some_and(|folder| folder.run().is_some()) {
            self.standing = Standing::default();
            self.carried.clear();
            self.lost = Lost::default();
        }
    }

    fn read_meter(&mut self, read: &MeterRead) {
        if self.meters.len() < MAX_METERS || self.meters.contains_key(&read.meter) {
            self.meters.insert(read.meter.clone(), read.amount);
        }
    }

    /// Shows the event to the watchers, before it changes anything.
    fn show(&mut self, event: &Event, laws: &Laws, out: &mut Vec<Output>) {
        if !laws.watches {
            return;
        }
        let is_round_open = self.is_of_open_round(event);
        // A table that opens is judged by what it opens with.
        let opening = match &event.body {
            Body::TableOpened(opened) => Some(RulesInForce::of(opened, &laws.rulebook)),
            _ => None,
        };
        let rules = self.rules.as_ref();
        let judged = opening.as_ref().or(rules);
        let chapter = laws.chapter(judged);
        let table = watch::AtTable {
            chapter,
            rulebook: &laws.rulebook,
            rules,
            cards: rules.and_then(|rules| laws.cards(rules)),
            is_open: self.is_open,
            is_round_open,
            is_correction: !is_round_open && self.watch.resolutions.awaits(event),
        };
        let sightings = self.watch.see(event, &table);
        let judged = judged.cloned();
        for sighting in sightings {
            // What the jurisdiction has no rule of is no fault there.
            let Some(filed) = laws.filed(judged.as_ref(), sighting.code) else {
                continue;
            };
            self.note(event, sighting.code);
            // Where the chapter's own figures decided, it is the chapter that judged.
            let (cite, hash) = match &sighting.cite {
                Some(cite) => (Some(cite.clone()), Some(chapter.hash().to_owned())),
                None => (filed.cite.clone(), filed.rules.clone()),
            };
            let finding = Finding {
                game: judged.as_ref().map(|rules| rules.game.clone()),
                cites: cite.into_iter().collect(),
                rules: hash,
                ..self.sighted(event, &sighting, filed.severity)
            };
            let about = sighting.about.as_deref().or(sighting.kind.as_deref());
            let finding = finding.seal_about(about.unwrap_or_default());
            self.watch.resolutions.remember(&finding, &sighting);
            out.push(Output::Finding(Box::new(finding)));
        }
    }

    /// Remembers with a round what was raised in it.
    fn note(&mut self, event: &Event, code: &str) {
        let round = match &event.round {
            Some(id) => self.rounds.get_mut(id),
            // The cards are counted while a round is played from them.
            None if matches!(event.body, Body::CardsCounted(_)) => self.rounds.values_mut().next(),
            None => None,
        };
        if let Some(round) = round {
            round.raised.push(code.to_owned());
        }
    }

    /// A finding of what a watcher saw.
    fn sighted(&self, event: &Event, sighting: &Sighting, severity: Severity) -> Finding {
        let message = sighting.message.clone();
        let evidence = sighting.evidence.clone();
        Finding {
            severity: match sighting {
                Sighting { in_time: true, .. } => severity.min(Severity::Warn),
                Sighting { strong: true, .. } => severity.max(Severity::Warn),
                _ => severity,
            },
            round: event.round.clone(),
            seat: sighting.seat,
            wager: sighting.wager.clone(),
            due: sighting.paid.map(|_| Cents::ZERO),
            paid: sighting.paid,
            exposure: sighting.paid.unwrap_or(sighting.lost),
            ..self.finding(sighting.code, event.at, evidence, message)
        }
    }

    /// Closes the findings that an event explains or puts right; those from `found` on are its own.
    fn resolve(&mut self, remedy: Remedy, found: usize, laws: &Laws, out: &mut Vec<Output>) {
        let findings = out[found..].iter().filter_map(|output| match output {
            Output::Finding(finding) => Some(&**finding),
            _ => None,
        });
        let code = "finding.resolved";
        let at = remedy.at();
        for resolution in self.watch.resolutions.follow(remedy, findings) {
            let filed = laws.everywhere(code);
            let finding = Finding {
                severity: Severity::Info,
                round: resolution.round,
                wager: resolution.wager,
                seat: resolution.seat,
                exposure: resolution.exposure,
                cites: filed
                    .and_then(|filed| filed.cite.clone())
                    .into_iter()
                    .collect(),
                resolves: Some(resolution.resolves),
                ..self.finding(code, at, resolution.evidence, resolution.message)
            };
            out.push(Output::Finding(Box::new(finding.seal())));
        }
    }

    /// Shows an event that is of no open round to the table's game. False if it means nothing to it.
    fn show_aside(&mut self, event: &Event, laws: &Laws, out: &mut Vec<Output>) -> bool {
        let opening;
        let rules = match &event.body {
            Body::TableOpened(opened) => {
                opening = RulesInForce::of(opened, &laws.rulebook);
                Some(&opening)
            }
            _ => self.rules.as_ref(),
        };
        let Some(rules) = rules else { return false };
        let Some(folder) = games::folder(&rules.game) else {
            return false;
        };
        let mut faults = Vec::new();
        let known = folder.aside(event, rules, &mut self.standing, &mut faults);
        for fault in faults {
            let Some(filed) = laws.filed(Some(rules), fault.code) else {
                continue;
            };
            let finding = Finding {
                severity: filed.severity,
                round: event.round.clone(),
                wager: fault.wager,
                seat: fault.seat,
                due: fault.due,
                paid: fault.paid,
                exposure: fault.exposure,
                cites: filed.cite.into_iter().collect(),
                rules: filed.rules,
                ..self.finding(fault.code, event.at, fault.evidence, fault.message)
            };
            out.push(Output::Finding(Box::new(finding.seal())));
        }
        known
    }

    /// What is collected for a wager of an earlier round may come in the next one.
    fn is_of_open_round(&self, event: &Event) -> bool {
        let round = event.round.as_ref().and_then(|id| self.rounds.get(id));
        round.is_some_and(|round| match &event.body {
            Body::CommissionCollected(collected) => round.wager(&collected.wager).is_some(),
            _ => true,
        })
    }

    /// What is done in a round that is not open.
    fn act_after(&mut self, event: Event, id: &str, out: &mut Vec<Output>) {
        // What was paid wrongly is put right after the round.
        let is_given_back = matches!(event.body, Body::WagerPushed(_) | Body::WagerRemoved(_))
            && self.voided.as_deref() == Some(id);
        if is_given_back || self.is_undoing(&event) || self.watch.resolutions.awaits(&event) {
            return;
        }
        self.pay_unopened(&event, id, out);
        self.act_too_late(&event, id, out);
        let reason = format!("round {id} is not open at this table");
        out.push(Output::Unread(Unread::of(event, reason)));
    }

    fn fold_round(&mut self, event: Event, laws: &Laws, out: &mut Vec<Output>) {
        let Some(id) = event.round.clone() else {
            return;
        };
        if let Body::RoundOpened(opened) = &event.body {
            let opened = opened.clone();
            return self.open_round(event, opened, id, laws, out);
        }
        if !self.is_of_open_round(&event) && self.show_aside(&event, laws, out) {
            return;
        }
        let Some(round) = self.rounds.get_mut(&id) else {
            return self.act_after(event, &id, out);
        };
        round.last_at = Some(event.at);
        let bench = judge::Bench {
            property: &self.property,
            table: &self.table,
        };
        let folder = games::folder(&round.rules.game);
        let run = folder.and_then(Folder::run);
        if run.is_some_and(|run| run.decides(&event.body)) {
            let moment = (event.seq, event.at);
            judge::judge_so_far(bench, round, moment, laws, &self.standing, out);
        }
        let mut faults = seen(folder, round, &self.standing, &event);
        self.tells_stakes |= matches!(event.body, Body::WagerPlaced(_));
        let tells_now = is_of_play(&event.body) && !self.tells_play;
        self.tells_play |= tells_now;
        let called = dealers::is_called_off(&event.body);
        let ends = matches!(event.body, Body::RoundClosed(_) | Body::RoundVoided(_));
        let voided = matches!(event.body, Body::RoundVoided(_));
        if matches!(event.body, Body::CardDealt(_)) {
            round.dealt_at.push(event.at);
        }
        if !ends {
            let outcome = run
                .and_then(|_| restaked(&event.body))
                .and_then(|wager| judge::outcome(round, wager, laws, &self.standing));
            let moment = Moment {
                folder,
                standing: &self.standing,
                seq: event.seq,
                outcome,
            };
            let (touched, before) = (timing::touched(&event.body), faults.len());
            round.played_with.see(&event.body);
            wagers::fold(round, moment, event.body, &mut faults);
            let touched = touched.as_deref();
            let seated = self.in_play.seated();
            let raised = &mut faults[before..];
            timing::note(round, folder, event.at, touched, raised, seated);
        } else if run.is_none() && !voided {
            wagers::hold_against_limits(round, folder, event.seq, &mut faults);
        }
        // Of a run that is not told in full nobody knows what an event of it means.
        if run.is_none() || round.is_told() {
            judge::raise(bench, round, faults, event.at, laws, out);
        }
        if let Some(is_off) = called {
            self.count_call(&id, is_off, (event.seq, event.at), laws, out);
        }
        if ends && let Some(round) = self.rounds.remove(&id) {
            self.end_round(round, voided, (event.seq, event.at), laws, out);
        }
        if tells_now {
            self.tell_unplayed(laws, out);
        }
    }

    /// Judges a round that has ended, and keeps what of it stays.
    fn end_round(
        &mut self,
        mut round: RoundFold,
        voided: bool,
        moment: (u64, Timestamp),
        laws: &Laws,
        out: &mut Vec<Output>,
    ) {
        round.lost_before = self.lost.of_wagers(&round.rules);
        self.openings.end(round.id.clone());
        self.voided = voided.then(|| round.id.clone());
        round.voided = voided;
        if voided {
            self.called_off = CalledOff::of(&round, moment, laws, &self.standing);
        }
        let (dealer, said) = (round.dealer.clone(), out.len());
        // The same chips go over the table in whatever order it is settled.
        let settles_in_full = |code: &String| {
            LIMITS.contains(&code.as_str()) || shows_in_posting(code) || code == "settle.order"
        };
        // What goes to and from a patron's bank does not go through the tray alone.
        let is_plain = round.opened.banker.is_none() && round.raised.iter().all(settles_in_full);
        let close = judge::Close {
            voided,
            untold: round.is_untold(self.tells_play),
            moment,
        };
        if close.untold && !voided {
            self.note_unplayed(&round, moment);
        }
        let bench = judge::Bench {
            property: &self.property,
            table: &self.table,
        };
        if self.tells_stakes && !voided {
            judge::raise_unstaked(bench, &round, moment.1, laws, out);
        }
        let unseen = lost::left_in(&round);
        let stay = judge::judge(bench, round, close, laws, &mut self.standing, out);
        self.lost.forget(unseen);
        self.carried.extend(stay);
        self.use_up(&out[said..]);
        for output in &out[said..] {
            match output {
                // What becomes of a round that was called off is known when something else happens.
                Output::Settlement(_) if voided && self.called_off.is_some() => {
                    self.watch.tray.count_round();
                }
                Output::Settlement(round) => self.watch.tray.settled(round, is_plain),
                _ => {}
            }
        }
        self.watch.tray.stray(judge::astray(&out[said..]));
        if let Some(dealer) = dealer {
            self.hold_against(dealer, said, moment, laws, out);
        }
    }

    fn play_with(&mut self, round: &str, played_with: PlayedWith) {
        if let Some(round) = self.rounds.get_mut(round) {
            round.played_with = played_with;
        }
    }

    fn open_round(
        &mut self,
        event: Event,
        opened: RoundOpened,
        id: String,
        laws: &Laws,
        out: &mut Vec<Output>,
    ) {
        let Some(rules) = self.rules.clone() else {
            let reason = "a round at a table that was never opened".to_owned();
            return out.push(Output::Unread(Unread::of(event, reason)));
        };
        self.openings.open();
        let trial = self.watch.is_trial();
        let played_with = self.in_play.of_round(&event, &opened, trial);
        if self.tell_opening(&id, &opened) {
            return self.play_with(&id, played_with);
        }
        if self.rounds.len() >= MAX_OPEN_ROUNDS
            && let Some(oldest) = self.rounds.values().min_by_key(|round| round.opened_seq)
        {
            let oldest = oldest.id.clone();
            self.give_up(&oldest, (event.seq, event.at), laws, out);
        }
        let mut opened = opened;
        let read = std::mem::take(&mut self.meters);
        if !read.is_empty() {
            let told = opened.meters.take().unwrap_or_default();
            opened.meters = Some(read.into_iter().chain(told).collect());
        }
        // Wagers of it were told before.
        if self.rounds.contains_key(&id) {
            return self.open_again(&event, &id, (opened, played_with), out);
        }
        let mut round = RoundFold::open(&event, &id, opened, rules, self.dealer.clone());
        round.played_with = played_with;
        round.wagers.append(&mut self.carried);
        round.raised.clone_from(&self.posted_faults);
        let folder = games::folder(&round.rules.game);
        let is_run = folder.is_some_and(|game| game.run().is_some());
        round.doubtful = is_run && self.standing.is_doubtful();
        if let Some(folder) = folder {
            folder.opened(&round, &mut self.standing);
        }
        self.rounds.insert(id, round);
    }

    fn feed_finding(
        &self,
        code: &str,
        at: Timestamp,
        evidence: Vec<u64>,
        message: String,
        out: &mut Vec<Output>,
    ) {
        out.push(Output::Finding(Box::new(
            self.finding(code, at, evidence, message).seal(),
        )));
    }

    /// A finding about the table, not yet sealed.
    fn finding(&self, code: &str, at: Timestamp, evidence: Vec<u64>, message: String) -> Finding {
        Finding {
            id: String::new(),
            code: code.to_owned(),
            severity: Severity::Warn,
            property: self.property.clone(),
            table: self.table.clone(),
            game: self.rules.as_ref().map(|rules| rules.game.clone()),
            round: None,
            wager: None,
            seat: None,
            dealer: self.dealer.clone(),
            at,
            due: None,
            paid: None,
            exposure: Cents::ZERO,
            message,
            cites: Vec::new(),
            evidence,
            rules: None,
            resolves: None,
            player: None,
            trial: None,
        }
    }
}

/// The text that an edition of this name is, and the house whose own edition it is.
fn text_of(edition: &str, rulebook: &Rulebook) -> (String, Option<String>) {
    match rulebook.house(edition) {
        Some(house) => (house.base().name().to_owned(), Some(edition.to_owned())),
        None => (edition.to_owned(), None),
    }
}

/// What the order of events shows, before one is folded.
fn seen(
    folder: Option<&dyn Folder>,
    round: &RoundFold,
    standing: &Standing,
    event: &Event,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    if let Some(folder) = folder.filter(|_| round.is_told()) {
        let scene = Scene {
            round,
            standing,
            seq: event.seq,
            body: &event.body,
        };
        folder.see(&scene, &mut faults);
    }
    faults.extend(hiding::foreign(round, event));
    faults
}

/// The wager whose stake an event changes, or that it tells again.
fn restaked(body: &Body) -> Option<&str> {
    match body {
        Body::WagerPlaced(placed) => Some(&placed.wager),
        Body::WagerChanged(changed) => Some(&changed.wager),
        Body::WagerRemoved(removed) => Some(&removed.wager),
        Body::WagerPushed(pushed) => Some(&pushed.wager),
        _ => None,
    }
}

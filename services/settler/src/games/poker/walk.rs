//! The way through the events of a hand: which betting round each of them belongs to.

use std::collections::{BTreeMap, BTreeSet};

use catwalk_events::body::{Body, CardDealt, CardPlace, Face};
use catwalk_rules::floor::Cents;
use serde_json::{Value, json};

use super::draws::Drawing;
use super::incidents;
use super::told::{Family, Form, Held, Said, Told};
use crate::games::felt;
use crate::round::{RoundFold, WagerFold};

/// A hand of a draw form that draws all its cards three times has no more.
const MOST_UNTOLD: usize = 20;

/// On the way through the events.
pub(super) struct Walk<'a> {
    pub(super) told: Told<'a>,
    /// Cards burned since the last deal.
    pub(super) burned: u32,
    /// Somebody has bet, checked or folded since the last draw began.
    pub(super) acted: bool,
    pub(super) reshuffled: bool,
    /// Seats that had their turn in the draw that is going on.
    pub(super) drew: BTreeSet<u32>,
    /// Bets by betting round and seat.
    pub(super) bets: Vec<BTreeMap<u32, i64>>,
    /// Seats whose last act was a bet or raise below the least of the betting round.
    pub(super) short: BTreeSet<u32>,
    pub(super) least: Vec<i64>,
    /// The last full bet or raise, where a raise must be as large.
    pub(super) last_raise: Option<i64>,
    /// What the last full bet or raise made of the bet.
    pub(super) base: i64,
    /// Who said that he bets or raises and puts it in now, and the bet before him.
    pub(super) motion: Option<(u32, i64)>,
    pub(super) raises_grow: bool,
    /// Seats that said that they put in all they had.
    pub(super) said_all_in: BTreeSet<u32>,
    /// Seats in the order of their first card.
    pub(super) order: Vec<u32>,
    /// Where draws may pass without a word: how often each player has still to act.
    pub(super) to_act: Option<BTreeMap<u32, usize>>,
    /// Seats that have acted since the last bet or raise.
    pub(super) answered: BTreeSet<u32>,
    /// Who said last that he calls, bets or raises, and has not acted since.
    pub(super) spoken: Option<(u32, Said<'a>)>,
}

impl<'a> Walk<'a> {
    pub(super) fn from_the_deal(round: &RoundFold, form: Form) -> Walk<'a> {
        Walk {
            told: Told::empty(form, round.opened.banker),
            burned: 0,
            acted: false,
            reshuffled: false,
            drew: BTreeSet::new(),
            bets: vec![BTreeMap::new()],
            short: BTreeSet::new(),
            least: least(round),
            last_raise: None,
            base: 0,
            motion: None,
            raises_grow: round.rules.option("min_raise") == Some(json!("previous_increment")),
            said_all_in: BTreeSet::new(),
            order: Vec::new(),
            to_act: None,
            answered: BTreeSet::new(),
            spoken: None,
        }
    }

    /// What is bet when all have answered belongs to the next betting round, though no draw was told.
    pub(super) fn past_silent_draws(round: &RoundFold, form: Form) -> Walk<'a> {
        let seats = felt::seats(&round.play).into_iter();
        let mut to_act: BTreeMap<u32, usize> = seats.map(|seat| (seat, 0)).collect();
        for wager in super::played(round) {
            *to_act.entry(wager.seat).or_default() += usize::from(!is_post(&wager.kind));
        }
        for (_, body) in &round.play {
            if let Body::Decision(said) = body {
                *to_act.entry(said.seat).or_default() += usize::from(is_act(&said.action));
            }
        }
        Walk {
            to_act: Some(to_act),
            ..Walk::from_the_deal(round, form)
        }
    }

    /// All who are in have answered, and somebody acts: they have stood pat. Who gets no card needs no burn, and
    /// who acts no more has folded or is all-in.
    pub(super) fn pass_silent_draw(&mut self, seat: u32) {
        let Some(to_act) = &mut self.to_act else {
            return;
        };
        let answered = |(seat, left): (&u32, &usize)| {
            *left == 0 || self.answered.contains(seat) || self.told.folded.contains(seat)
        };
        let is_over = to_act.iter().all(answered) && !self.answered.is_empty();
        if let Some(left) = to_act.get_mut(&seat) {
            *left = left.saturating_sub(1);
        }
        if is_over {
            self.begin_draw();
            self.told.burns.pop();
        }
    }

    pub(super) fn wager(&mut self, wager: &'a WagerFold) {
        if !is_post(&wager.kind) {
            self.pass_silent_draw(wager.seat);
        }
        let street = self.street();
        self.reach(street);
        let level = self.level_before(wager, street);
        let bet = self.bets[street].entry(wager.seat).or_default();
        if !matches!(wager.kind.as_str(), "ante" | "dead_blind") {
            let missing = level - *bet;
            // Of one large chip what is more than the call goes back. 7(i)
            let change = match is_called_by_one_chip(wager) && missing > 0 {
                true => (wager.amount.get() - missing).max(0),
                false => 0,
            };
            *bet += wager.amount.get() - change;
            *self.told.change.entry(wager.seat).or_default() += Cents::new(change);
        }
        let (bet, raised) = (*bet, *bet - level);
        if is_post(&wager.kind) {
            let least = self.least.first().copied().unwrap_or_default();
            self.base = if bet < least { self.base } else { bet };
            return;
        }
        self.short.remove(&wager.seat);
        if raised > 0 {
            self.answered.clear();
        }
        self.answered.insert(wager.seat);
        self.say_of(wager, street);
        let words = self.told.words.get(&*wager.id).map(|said| said.word);
        let is_said = matches!(words, Some("bet" | "raise")) || is_said_with(wager);
        let goes_on = self.motion.is_some_and(|(seat, _)| seat == wager.seat);
        self.motion = (is_said || goes_on).then_some((wager.seat, level));
        if matches!(wager.kind.as_str(), "bet" | "raise") {
            // All chips of a short stack may be no more than a call, whatever they are called.
            if raised > 0 {
                self.told.last_bettor = Some((street, wager.seat));
            }
            // A first raise over a small forced bet or blind may stop at the least, and one over a short bet may
            // complete it.
            let base = self.base;
            let completes = |least: i64| {
                let is_small = street == 0 && level < least && bet >= least;
                is_small || base < level && level < base + least && bet >= base + least
            };
            let least = self.least.get(street).copied();
            let full = self.last_raise.filter(|_| self.raises_grow).max(least);
            if least.is_some_and(|least| !completes(least))
                && full.is_some_and(|full| raised < full)
            {
                self.short.insert(wager.seat);
            } else {
                self.last_raise = Some(raised);
                self.base = bet;
            }
        }
        self.acted = true;
        let action = json!({"seat": wager.seat, "act": "wager", "id": wager.id});
        self.told.rounds[street].push(action);
    }

    /// The largest bet before these chips. Those that follow a spoken bet or raise belong to it. 7(g)
    fn level_before(&self, wager: &WagerFold, street: usize) -> i64 {
        let largest = self.bets[street].values().copied().max();
        let motion = self.motion.filter(|&(seat, _)| seat == wager.seat);
        motion.map_or(largest.unwrap_or_default(), |(_, level)| level)
    }

    pub(super) fn body(&mut self, body: &'a Body) {
        match body {
            Body::CardDealt(dealt) => self.deal(dealt),
            Body::CardRevealed(shown) => {
                let known = match (shown.to, shown.seat) {
                    (CardPlace::Community, _) => {
                        let card = self.told.shared.get_mut(shown.index as usize);
                        if let Some(card) = card {
                            *card = Some(&shown.card);
                        }
                        return;
                    }
                    (_, Some(seat)) => {
                        self.told.turned.insert(seat);
                        self.turn_up(seat, shown.index as usize);
                        self.told.cards.get_mut(&seat)
                    }
                    _ => None,
                };
                if let Some(held) = known.and_then(|cards| cards.get_mut(shown.index as usize)) {
                    held.card = Some(&shown.card);
                    held.shown = true;
                }
            }
            Body::CardBurned(_) => self.burn(),
            Body::Decision(decision) => self.decide(decision),
            Body::Irregularity(told) if told.kind.contains("reshuffle") => self.reshuffled = true,
            // Discards that are shuffled may be told as the shoe that they make.
            Body::ShoeStarted(_) if !self.told.draws.is_empty() => self.reshuffled = true,
            Body::Irregularity(told) => {
                let street = self.street();
                self.reach(street);
                let after = self.told.rounds[street].len();
                if let Some(incident) = incidents::told(told, street, after) {
                    let lost = incidents::loses_its_hand(&self.told.form, &incident);
                    self.told.folded.extend(lost);
                    self.told.incidents.push(Value::Object(incident));
                }
            }
            _ => {}
        }
    }

    /// A card is turned that nobody told to be dealt: cards that lie face down may come untold.
    fn turn_up(&mut self, seat: u32, index: usize) {
        if self.order.contains(&seat) || self.told.form.is_stud() || index >= MOST_UNTOLD {
            return;
        }
        let untold = Held {
            card: None,
            up: false,
            shown: false,
            draw: None,
        };
        let cards = self.told.cards.entry(seat).or_default();
        while cards.len() <= index {
            cards.push(untold);
        }
    }

    fn deal(&mut self, dealt: &'a CardDealt) {
        let before = self.street();
        let up = dealt.face == Face::Up;
        let card = dealt.card.as_deref();
        if dealt.to == CardPlace::Community {
            self.told.shared.push(card);
        } else if let Some(seat) = dealt.seat {
            if !self.order.contains(&seat) {
                self.order.push(seat);
            }
            // Before anybody has acted it belongs to the first deal, a card too many too.
            let is_full = self.told.own(seat).len() >= self.told.form.own;
            let begun = !self.told.draws.is_empty() || self.acted || self.burned > 0 && is_full;
            let drawn = self.told.form.family == Family::Draw && begun;
            if drawn && (self.told.draws.is_empty() || self.acted) {
                self.begin_draw();
            }
            let held = Held {
                card,
                up,
                shown: up,
                draw: drawn.then(|| self.told.draws.len() - 1),
            };
            self.told.cards.entry(seat).or_default().push(held);
            if drawn {
                self.drew.insert(seat);
                self.entry(seat);
            }
        }
        let after = self.street();
        if after > before && self.told.form.family != Family::Draw {
            self.told.burns.push(std::mem::take(&mut self.burned));
        }
        self.reach(after);
    }

    fn burn(&mut self) {
        self.told.tells_burns = true;
        if self.told.form.family != Family::Draw {
            self.burned += 1;
            return;
        }
        let waiting = !self.acted && self.told.draws.last().is_some_and(Vec::is_empty);
        if waiting && self.drew.is_empty() {
            if let Some(burns) = self.told.burns.last_mut() {
                *burns += 1;
            }
        } else if self.acted || !self.drew.is_empty() {
            self.burned += 1;
            self.begin_draw();
        } else {
            self.burned += 1;
        }
    }

    pub(super) fn begin_draw(&mut self) {
        self.told.draws.push(Vec::new());
        self.told.burns.push(std::mem::take(&mut self.burned));
        self.acted = false;
        self.drew.clear();
        self.answered.clear();
        let street = self.street();
        self.reach(street);
    }

    /// The entry of a seat in the draw that is going on.
    pub(super) fn entry(&mut self, seat: u32) -> Option<&mut Drawing<'a>> {
        let reshuffle = std::mem::take(&mut self.reshuffled);
        let draw = self.told.draws.last_mut()?;
        if let Some(at) = draw.iter().position(|entry| entry.seat == seat) {
            draw[at].reshuffle |= reshuffle;
            return draw.get_mut(at);
        }
        draw.push(Drawing {
            seat,
            discard: None,
            count: None,
            reshuffle,
            drawn: Vec::new(),
        });
        draw.last_mut()
    }

    /// Draws go clockwise from the button: where nobody could bet between two of them, and who stood pat said
    /// nothing, the order tells them apart.
    pub(super) fn is_before_those_who_drew(&self, seat: u32) -> bool {
        let button = self.told.button.or(self.order.last().copied());
        let turn = |seat: u32| (Some(seat) <= button, seat);
        self.to_act.is_some() && self.drew.iter().any(|&other| turn(other) > turn(seat))
    }

    /// The betting round that the cards on the table belong to.
    pub(super) fn street(&self) -> usize {
        let own = self.told.cards.values().map(Vec::len).max().unwrap_or(0);
        let shared = self.told.shared.len();
        match self.told.form.family {
            Family::Holdem => match shared {
                0 => 0,
                1..=3 => 1,
                more => more - 2,
            },
            Family::SevenCardStud => (own + shared).saturating_sub(3),
            Family::FiveCardStud => own.saturating_sub(2),
            Family::Mambo if shared > 0 => 2,
            Family::Mambo => own.saturating_sub(2),
            Family::Draw => self.told.draws.len(),
        }
    }

    pub(super) fn reach(&mut self, street: usize) {
        if self.told.rounds.len() <= street {
            self.spoken = None;
        }
        while self.told.rounds.len() <= street {
            self.told.rounds.push(Vec::new());
            self.last_raise = None;
            self.base = 0;
            self.motion = None;
        }
        while self.bets.len() <= street {
            self.bets.push(BTreeMap::new());
        }
    }

    pub(super) fn finish(mut self, round: &RoundFold) -> Told<'a> {
        self.exchange_cards();
        // Cards that came with a draw belong to its entry.
        for (&seat, cards) in &self.told.cards {
            for held in cards {
                let draw = held.draw.and_then(|draw| self.told.draws.get_mut(draw));
                let entry = draw.and_then(|draw| draw.iter_mut().find(|entry| entry.seat == seat));
                if let Some(entry) = entry {
                    entry.drawn.push(*held);
                }
            }
        }
        let mut dealt: Vec<u32> = self.told.cards.keys().copied().collect();
        // Where no card of a seat was told to be dealt, who bet or decided had cards.
        if self.order.is_empty() && !self.told.form.is_stud() {
            dealt.extend(super::played(round).map(|wager| wager.seat));
            dealt.extend(&self.told.deciding);
        }
        let skipped = self.told.incidents.iter();
        let skipped = skipped.filter(|incident| incident["kind"] == "player_not_dealt");
        let skipped = skipped.filter_map(|incident| incident["seat"].as_u64());
        dealt.extend(skipped.filter_map(|seat| u32::try_from(seat).ok()));
        // A deal that an incident stopped did not get to everybody who had posted for it.
        let stopped = !self.told.incidents.is_empty() && self.told.rounds.iter().all(Vec::is_empty);
        if stopped {
            dealt.extend(round.wagers.iter().map(|wager| wager.seat));
        }
        dealt.sort_unstable();
        dealt.dedup();
        let bettors = round.wagers.iter().map(|wager| wager.seat);
        let outside: BTreeSet<u32> = bettors.filter(|seat| !dealt.contains(seat)).collect();
        self.told.not_dealt = outside.into_iter().collect();
        self.told.tells_deal = !self.order.is_empty();
        // Burned for draws of which nothing else was told: all stood pat, and nobody could bet.
        let draws = self.told.form.draws();
        let burned: u32 = self.told.burns.iter().sum();
        if !self.told.tells_pats && self.told.burns.len() < draws && burned as usize == draws {
            self.told.burns = vec![1; draws];
        }
        // The button is dealt last.
        let last = self.order.last().copied();
        let last = last.filter(|_| !self.told.form.is_stud());
        self.told.button = self.told.button.or(last);
        let in_hand = dealt.iter().filter(|seat| !self.told.folded.contains(seat));
        let in_hand: Vec<u32> = in_hand.copied().collect();
        // Who is alone has no more to answer.
        let alone = in_hand.len() < 2;
        let unseen = self.told.draws.len() < self.told.form.draws();
        let nobody_bets = !alone && (unseen || self.told.rounds.iter().any(Vec::is_empty));
        let idle = in_hand.iter().copied();
        let idle = idle.filter(|&seat| nobody_bets && !self.checks_last(seat));
        self.told.idle = idle.collect();
        let all_in = in_hand
            .into_iter()
            .filter(|&seat| self.short.contains(&seat) || (!alone && self.looks_all_in(seat)));
        self.told.all_in = all_in.collect();
        self.told.said_all_in = std::mem::take(&mut self.said_all_in);
        let owes = dealt.iter().copied().filter(|&seat| self.owes(seat));
        self.told.owing = owes.collect();
        self.told.bets = std::mem::take(&mut self.bets);
        self.told.dealt = dealt;
        self.told
    }

    /// A card that was dealt face up and exchanged is no card of the hand. 15(o)
    fn exchange_cards(&mut self) {
        for incident in &self.told.incidents {
            let Some((seat, card)) = incidents::exchanged(incident) else {
                continue;
            };
            let cards = self.told.cards.entry(seat).or_default();
            if let Some(at) = cards.iter().position(|held| held.card == Some(card)) {
                cards.remove(at);
            }
        }
    }

    /// The seat stayed in although it owed chips, had no turn where others checked, or never had one. Who
    /// checks has chips.
    fn looks_all_in(&self, seat: u32) -> bool {
        let acts = |round: &Vec<Value>| round.iter().any(|action| action["seat"] == seat);
        let checks = |round: &&Vec<Value>| round.iter().any(|action| action["act"] == "check");
        if self.checks_last(seat) {
            return false;
        }
        let mut checked = self.told.rounds.iter().filter(checks);
        let skipped = checked.any(|round| !acts(round));
        self.owes(seat) || skipped || !self.told.rounds.iter().any(acts)
    }

    fn checks_last(&self, seat: u32) -> bool {
        let mut actions = self.told.rounds.iter().flatten().rev();
        let last = actions.find(|action| action["seat"] == seat);
        last.is_some_and(|last| last["act"] == "check")
    }

    /// Did others bet more in a betting round?
    fn owes(&self, seat: u32) -> bool {
        self.bets.iter().any(|bets| {
            let level = bets.values().copied().max().unwrap_or_default();
            bets.get(&seat).copied().unwrap_or_default() < level
        })
    }
}

/// Does the detail of chips tell of a spoken bet or raise, or of an amount?
fn is_said_with(wager: &WagerFold) -> bool {
    let detail = wager.detail.as_ref().map(|detail| detail.value());
    detail.is_some_and(|detail| {
        let verbal = detail.get("verbal").and_then(Value::as_str);
        matches!(verbal, Some("bet" | "raise")) || detail.get("announced").is_some()
    })
}

fn is_called_by_one_chip(wager: &WagerFold) -> bool {
    let detail = wager.detail.as_ref().map(|detail| detail.value());
    let is_one = detail.is_some_and(|said| said.get("single_chip") == Some(&json!(true)));
    is_one && wager.kind == "call"
}

/// Put in before the cards.
fn is_post(kind: &str) -> bool {
    matches!(
        kind,
        "ante" | "blind" | "kill_blind" | "straddle" | "post" | "dead_blind"
    )
}

pub(super) fn is_act(action: &str) -> bool {
    let word = action.split([' ', ',', ':']).next();
    matches!(word, Some("fold" | "check"))
}

/// Said of chips that go into the pot.
pub(super) fn is_spoken(action: &str) -> bool {
    let word = action.split([' ', ',', ':']).next();
    matches!(word, Some("call" | "bet" | "raise")) || is_all_in(action)
}

pub(super) fn is_all_in(action: &str) -> bool {
    matches!(action, "all_in" | "all-in" | "all in" | "allin")
}

/// The least bet of each betting round, raised where a kill is in force.
pub(super) fn least(round: &RoundFold) -> Vec<i64> {
    let killed = round.wagers.iter().any(|wager| wager.kind == "kill_blind");
    let kill = round.rules.option("kill").filter(|_| killed);
    let (times, parts) = match kill.map(|kill| kill["type"] == "half_kill") {
        None => (1, 1),
        Some(true) => (3, 2),
        Some(false) => (2, 1),
    };
    let limits = round.rules.option("bet_limits");
    let limits = limits.as_ref().and_then(Value::as_array);
    let least = limits.into_iter().flatten().map(|pair| pair[0].as_i64());
    least
        .map(|least| least.unwrap_or_default() * times / parts)
        .collect()
}

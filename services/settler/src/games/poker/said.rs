//! What players say and decide: folds and checks, words before chips, draws, who shows.

use catwalk_events::body::Decision;
use catwalk_rules::floor::Card;
use serde_json::{Value, json};

use super::Document;
use super::told::{Family, Said};
use super::walk::{Walk, is_act, is_all_in, is_spoken};
use crate::round::WagerFold;

impl<'a> Walk<'a> {
    pub(super) fn decide(&mut self, decision: &'a Decision) {
        let seat = decision.seat;
        self.told.deciding.insert(seat);
        self.told.tells_acts |= is_act(&decision.action) || is_spoken(&decision.action);
        if is_all_in(&decision.action) {
            self.said_all_in.insert(seat);
        }
        let mut words = decision.action.split([' ', ',', ':']);
        match words.next().unwrap_or_default() {
            act @ ("fold" | "check") => self.pass(seat, act),
            // Said beside a wager it is the wager, whichever is told first.
            word @ ("call" | "bet" | "raise") => {
                let street = self.street();
                let last = self.told.rounds.get(street).and_then(|acts| acts.last());
                if last.is_none_or(|last| last["seat"] != seat) {
                    let amount = decision.amount.filter(|amount| amount.is_positive());
                    self.spoken = Some((seat, Said { word, amount }));
                }
            }
            "show" => self.told.showdown.push((seat, "show")),
            "muck" | "concede" => self.told.showdown.push((seat, "muck")),
            "draw" | "discard" | "stand_pat" | "pat" if self.told.form.family == Family::Draw => {
                self.say_draw(decision, words);
            }
            _ => {}
        }
    }

    /// A fold or a check.
    fn pass(&mut self, seat: u32, act: &str) {
        if self.is_told_again(seat, act) {
            return;
        }
        self.pass_silent_draw(seat);
        self.answered.insert(seat);
        let street = self.street();
        self.reach(street);
        self.acted = true;
        self.motion = None;
        self.short.remove(&seat);
        // 15(j): who says that he folds and then knocks has folded.
        let took_back = self.told.rounds[street]
            .pop_if(|last| act == "check" && last["seat"] == seat && last["act"] == "fold");
        if took_back.is_some() {
            self.told.folded.remove(&seat);
            self.spoken = Some((
                seat,
                Said {
                    word: "fold",
                    amount: None,
                },
            ));
        }
        let mut action = Document::new();
        action.insert("seat".into(), json!(seat));
        action.insert("act".into(), json!(act));
        if act == "fold" {
            self.told.folded.insert(seat);
        }
        // 15(j)2: what he said he owes.
        let spoken = self.spoken.take().filter(|(other, _)| *other == seat);
        if let Some((_, said)) = spoken {
            said.write(&mut action);
        }
        self.told.rounds[street].push(Value::Object(action));
    }

    /// A feed may tell what a player says and then what he does: with nobody acting between it is one fold or check.
    fn is_told_again(&self, seat: u32, act: &str) -> bool {
        let street = self.street();
        let last = self.told.rounds.get(street).and_then(|acts| acts.last());
        last.is_some_and(|last| last["seat"] == seat && last["act"] == act)
    }

    /// What a player throws away, or how many, or that he stands pat.
    fn say_draw<'w>(&mut self, decision: &'a Decision, words: impl Iterator<Item = &'w str>) {
        let seat = decision.seat;
        self.told.tells_pats |= decision.action.contains("pat");
        let again = self.drew.contains(&seat) || self.is_before_those_who_drew(seat);
        if self.told.draws.is_empty() || self.acted || again {
            self.begin_draw();
        }
        self.drew.insert(seat);
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let cards: Vec<String> = words
            .iter()
            .filter(|word| word.parse::<Card>().is_ok())
            .map(|word| (*word).to_owned())
            .collect();
        let number = words.iter().find_map(|word| word.parse::<usize>().ok());
        let spoken = decision
            .amount
            .and_then(|amount| usize::try_from(amount.get()).ok());
        let count = number.or(spoken);
        if !cards.is_empty() {
            if let Some(entry) = self.entry(seat) {
                entry.discard = Some(cards);
            }
        } else if let Some(count) = count.filter(|&count| count > 0)
            && let Some(entry) = self.entry(seat)
        {
            entry.count = Some(count);
        }
    }

    /// What was said of these chips: by who puts them in, with nobody acting between. A fold or check that is followed
    /// by chips was said of them. 15(j)
    pub(super) fn say_of(&mut self, wager: &'a WagerFold, street: usize) {
        let spoken = self.spoken.take().filter(|(seat, _)| *seat == wager.seat);
        let mut said = spoken.map(|(_, said)| said);
        let passed = self.told.rounds[street].pop_if(|last| {
            last["seat"] == wager.seat && (last["act"] == "fold" || last["act"] == "check")
        });
        if let Some(passed) = passed {
            self.told.folded.remove(&wager.seat);
            let word = if passed["act"] == "fold" {
                "fold"
            } else {
                "check"
            };
            said = Some(Said { word, amount: None });
        }
        if let Some(said) = said {
            self.told.words.insert(&wager.id, said);
        }
    }
}

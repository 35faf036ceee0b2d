//! Stories as text.
//!
//! ```text
//! == What it is about
//! table GAME EDITION [OPTIONS] [limits LIMITS]
//! 4:06 shoe A 1 hand
//! finds deck.overdue
//! ```
//!
//! A line begins with the time since the start, in hours, minutes and seconds where it needs them; a line
//! without one happens at the time of the line before. What follows is a word of [`Teller::bodies`] or of
//! [`catwalk_stories::script`], or the body of an event as JSON; `in` names the round that it is of. `finds` names
//! all codes in order, `at` when each is found; `severity` and `cites` are of one that is among them; `of` is a family
//! of codes to which they are limited; `money` is the due, paid and exposure of one; `twin` names the codes whose
//! honest twin the story is.

use catwalk_rules::Edition;
use catwalk_settler::Finding;
use serde_json::{Value, json};

use crate::Story;

/// A story and what is found.
#[derive(Default)]
pub(crate) struct Told<'a> {
    pub(crate) title: &'a str,
    lines: Vec<&'a str>,
    pub(crate) finds: Vec<&'a str>,
    /// Seconds after the start of each, where the story says so.
    pub(crate) times: Vec<i64>,
    /// Due, paid and exposure of one of them, in cents.
    pub(crate) money: Vec<[i64; 3]>,
    /// Only codes that begin like this are told of, where there are any.
    families: Vec<&'a str>,
    pub(crate) severities: Vec<&'a str>,
    pub(crate) cites: Vec<String>,
    /// Codes and their sentences.
    pub(crate) says: Vec<(&'a str, &'a str)>,
    pub(crate) twins: Vec<&'a str>,
}

pub(crate) fn read(text: &str) -> Vec<Told<'_>> {
    let mut stories: Vec<Told<'_>> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with('#') {
            continue;
        }
        if let Some(title) = line.strip_prefix("== ") {
            stories.push(Told {
                title,
                ..Told::default()
            });
            continue;
        }
        let told = stories.last_mut().unwrap();
        match line.split_once(' ').unwrap_or((line, "")) {
            ("finds", codes) => told.finds.extend(codes.split_whitespace()),
            ("at", times) => {
                let times = times.split_whitespace();
                told.times.extend(times.map(|time| seconds(time).unwrap()));
            }
            ("money", cents) => {
                let mut cents = cents.split_whitespace();
                told.money
                    .push([(); 3].map(|()| cents.next().unwrap().parse().unwrap()));
            }
            ("of", family) => told.families.push(family),
            ("severity", word) => told.severities.push(word),
            ("cites", cite) => told.cites.push(cite.to_owned()),
            ("says", said) => told.says.push(said.split_once(" | ").unwrap()),
            ("twin", codes) => told.twins.extend(codes.split_whitespace()),
            _ => told.lines.push(line),
        }
    }
    stories
}

impl Told<'_> {
    /// The editions that the table opens with, one after the other.
    pub(crate) fn editions(&self) -> Vec<Edition> {
        let words = self.lines.iter().flat_map(|line| line.split([' ', '"']));
        words.filter_map(Edition::from_name).collect()
    }

    /// Every finding, with the seconds after the start at which it was made.
    pub(crate) fn play_by_the_clock(&self) -> Vec<(i64, Finding)> {
        let story = self.tell();
        let found = story.findings.iter();
        let found = found.map(|finding| (story.seconds_of(finding), finding.clone()));
        found.collect()
    }

    pub(crate) fn play(&self) -> Vec<Finding> {
        self.tell().findings
    }

    fn tell(&self) -> Story {
        let mut story = Story::new();
        let mut teller = Teller::default();
        for line in &self.lines {
            teller.tell(line, &mut story);
        }
        story.finish();
        let is_told = |code: &str| {
            let mut families = self.families.iter();
            self.families.is_empty() || families.any(|family| code.starts_with(family))
        };
        story.findings.retain(|finding| is_told(&finding.code));
        story
    }
}

/// What lines refer to.
#[derive(Default)]
struct Teller {
    seconds: i64,
    /// The body that opened the table.
    table: Value,
}

impl Teller {
    fn tell(&mut self, line: &str, story: &mut Story) {
        let mut rest = line;
        if let Some((time, after)) = line.split_once(' ')
            && let Some(seconds) = seconds(time)
        {
            (self.seconds, rest) = (seconds, after.trim());
        }
        if rest.starts_with('{') {
            story.tell("device", self.seconds, serde_json::from_str(rest).unwrap());
            return;
        }
        let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let rest = rest.trim();
        match word {
            "by" => {
                let (source, body) = rest.split_once(' ').unwrap();
                story.tell(source, self.seconds, serde_json::from_str(body).unwrap());
            }
            "loose" => {
                story.tell_loose(self.seconds, serde_json::from_str(rest).unwrap());
            }
            "in" => {
                let (round, body) = rest.split_once(' ').unwrap();
                story.tell_in(round, self.seconds, serde_json::from_str(body).unwrap());
            }
            "again" => story.again(),
            "otherwise" => story.otherwise(serde_json::from_str(rest).unwrap()),
            "held" => story.hold(),
            "lost" => story.seq += rest.parse::<u64>().unwrap(),
            _ => {
                for body in self.bodies(word, rest) {
                    story.tell("device", self.seconds, body);
                }
            }
        }
    }

    fn bodies(&mut self, word: &str, rest: &str) -> Vec<Value> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let number = |index: usize| words[index].parse::<i64>().unwrap();
        let by = || json!({"id": "d-1", "role": "dealer"});
        let one = |body: Value| vec![body];
        match word {
            "table" => {
                self.table = opening(rest);
                one(self.table.clone())
            }
            "reopened" => one(self.table.clone()),
            "closes" => one(json!({"type": "table_closed", "closing_inventory": 1_000_000})),
            "clock" => one(json!({"type": "clock"})),
            "delivered" => one(delivered(&words)),
            "inspected" => one(inspected(&words)),
            "open" => one(json!({"type": "cards_opened", "set": words[0]})),
            "opened" => vec![
                delivered(&words),
                inspected(&words[..1]),
                json!({"type": "cards_opened", "set": words[0]}),
            ],
            "preshuffled" => {
                let mut body = json!({"type": "cards_delivered", "set": words[0],
                    "decks": number(1), "preshuffled": true});
                if let Some(seal) = words.get(2) {
                    body["seal"] = json!(seal);
                }
                one(body)
            }
            "replaced" => one(json!({"type": "card_replaced", "set": words[0], "card": words[1]})),
            "shoe" => one(json!({"type": "shoe_started", "shoe": "s", "set": words[0],
                "decks": number(1), "method": words[2]})),
            "ends" => {
                let mut body = json!({"type": "shoe_ended", "shoe": "s"});
                if !words.is_empty() {
                    body["remaining"] = json!(number(0));
                }
                one(body)
            }
            "counted" => one(json!({"type": "cards_counted", "set": words[0], "count": number(1)})),
            "stub" => one(
                json!({"type": "cards_counted", "set": words[0], "count": number(1),
                "scope": "stub"}),
            ),
            "removed" => one(json!({"type": "cards_removed", "set": words[0],
                "reason": words.get(1).unwrap_or(&"scheduled")})),
            "collected" => one(json!({"type": "cards_collected", "set": words[0]})),
            "reinspected" => one(json!({"type": "cards_reinspected", "set": words[0],
                "missing": [], "extra": []})),
            "destroyed" => one(json!({"type": "cards_destroyed", "set": words[0]})),
            "burned" => one(json!({"type": "card_burned"})),
            "round" => one(json!({"type": "round_opened"})),
            "void" => one(json!({"type": "round_voided", "reason": "misdeal"})),
            "rounds" => {
                let round = [
                    json!({"type": "round_opened"}),
                    json!({"type": "round_closed"}),
                ];
                (0..number(0)).flat_map(|_| round.clone()).collect()
            }
            // So many bets of so much on red are lost, to every black number in turn.
            "losses" => {
                let black = [
                    2, 4, 6, 8, 10, 11, 13, 15, 17, 20, 22, 24, 26, 28, 29, 31, 33, 35,
                ];
                let black = black.iter().cycle().take(number(0) as usize);
                let round = |pocket: &i32| {
                    [
                        json!({"type": "round_opened"}),
                        json!({"type": "wager_placed", "wager": "w1", "seat": 1, "kind": "red",
                            "amount": number(1)}),
                        json!({"type": "betting_closed"}),
                        json!({"type": "wheel_spun", "result": pocket.to_string(), "valid": true}),
                        json!({"type": "wager_collected", "wager": "w1"}),
                        json!({"type": "round_closed"}),
                    ]
                };
                black.flat_map(round).collect()
            }
            "dealt" => words.iter().map(|card| dealt(card)).collect(),
            "lay" => words[1..]
                .iter()
                .map(|card| match *card {
                    "??" => json!({"type": "card_dealt", "to": words[0], "face": "down"}),
                    card => {
                        json!({"type": "card_dealt", "to": words[0], "card": card, "face": "up"})
                    }
                })
                .collect(),
            "reveal" => one(json!({"type": "card_revealed", "to": "seat", "seat": 1,
                "index": number(0), "card": words[1]})),
            "changed" => one(json!({"type": "wager_changed", "wager": words[0],
                "amount": number(1), "by": by()})),
            "taken" => one(json!({"type": "wager_removed", "wager": words[0], "by": by()})),
            "paid" => one(json!({"type": "wager_paid", "wager": words[0], "amount": number(1)})),
            "took" => one(json!({"type": "wager_collected", "wager": words[0]})),
            "pushed" => one(json!({"type": "wager_pushed", "wager": words[0]})),
            "spun" => one(json!({"type": "wheel_spun", "result": words[0],
                "valid": words.get(1) != Some(&"void")})),
            "wheel" => one(json!({"type": "wheel_inspected", "wheel": "w", "result": words[0]})),
            "dice" => one(json!({"type": "dice_introduced", "set": words[0], "count": number(1)})),
            "dice-inspected" => one(json!({"type": "dice_inspected", "set": words[0],
                "result": words[1]})),
            "dice-removed" | "dice-collected" | "dice-destroyed" | "tiles-removed" => {
                one(json!({"type": word.replace('-', "_"), "set": words[0]}))
            }
            "rolled" => {
                let dice: Vec<i64> = (0..words.len()).map(number).collect();
                one(json!({"type": "dice_rolled", "dice": dice, "valid": true}))
            }
            "tiles" => one(json!({"type": "tiles_introduced", "set": words[0]})),
            "tiles-inspected" => one(json!({"type": "tiles_inspected", "set": words[0]})),
            "tiles-dealt" => one(
                json!({"type": "tiles_dealt", "to": "seat", "seat": number(0),
                "tiles": words[1..]}),
            ),
            "device" => one(json!({"type": "device_inspected", "device": words[0],
                "kind": words[1], "result": words.get(2).unwrap_or(&"pass")})),
            _ => catwalk_stories::script(&format!("{word} {rest}")),
        }
    }
}

fn opening(rest: &str) -> Value {
    let (head, limits) = rest.split_once(" limits ").unwrap_or((rest, "[]"));
    let (head, more) = head.split_once(" with ").unwrap_or((head, "{}"));
    let mut words = head.splitn(3, ' ');
    let (game, edition) = (words.next().unwrap(), words.next().unwrap());
    let options: Value = serde_json::from_str(words.next().unwrap_or("{}")).unwrap();
    let limits: Value = serde_json::from_str(limits).unwrap();
    let mut body = json!({"type": "table_opened", "game": game, "edition": edition,
        "options": options, "limits": limits, "opening_inventory": 1_000_000, "dealer": "d-1"});
    let more: Value = serde_json::from_str(more).unwrap();
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    body
}

fn delivered(words: &[&str]) -> Value {
    let decks: i64 = words[2].parse().unwrap();
    json!({"type": "cards_delivered", "set": words[0], "decks": decks, "colour": words[1],
        "preshuffled": false})
}

fn inspected(words: &[&str]) -> Value {
    json!({"type": "cards_inspected", "set": words[0], "missing": [], "extra": [],
        "unsuitable": words[1..], "dealer": "d-1", "supervisor": "s-1"})
}

fn dealt(card: &str) -> Value {
    match card {
        "??" => json!({"type": "card_dealt", "to": "seat", "seat": 1, "face": "down"}),
        card => json!({"type": "card_dealt", "to": "seat", "seat": 1, "card": card, "face": "up"}),
    }
}

/// Seconds of `h:mm` or `h:mm:ss`.
fn seconds(time: &str) -> Option<i64> {
    let parts: Vec<i64> = time
        .split(':')
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    match parts.as_slice() {
        [hours, minutes] => Some(hours * 3600 + minutes * 60),
        [hours, minutes, seconds] => Some(hours * 3600 + minutes * 60 + seconds),
        _ => None,
    }
}

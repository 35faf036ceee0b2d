//! Rounds in shorthand, for tests.
//!
//! Wagers `w1 s1 main 1000; w2 s1 double 500 on=w1`, boxes `s1 KC 9H: stand; s2 8C 8D: split 2,
//! deal 9C, 2 deal TC` (a number before a step is its hand), dealer `AH 7S checked` or, for several
//! hands, `7C TD / 7C 8D 5S`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::book::FindingSource;
use crate::game::{AnyGame, Game};
use crate::testkit::TestTable;

pub(crate) fn round(
    (game, edition): (&str, &str),
    options: Value,
    wagers: &str,
    boxes: &str,
    dealer: &str,
) -> Value {
    json!({
        "game": game,
        "edition": edition,
        "options": options,
        "wagers": self::wagers(wagers),
        "play": {
            "boxes": parts(boxes, ';').map(table_box).collect::<Vec<_>>(),
            "dealer": self::dealer(dealer),
        },
    })
}

/// Every hand that a dealer draws to an up card from a shoe without end, blackjacks left out, with its
/// weight. Tens stand for all ten-cards.
pub(crate) fn dealer_hands(up: char, hits_soft_17: bool) -> Vec<(String, i128)> {
    const RANKS: &str = "23456789TA";
    // No dealer draws more than this to any card.
    const MOST: u32 = 20;
    let points = |cards: &str| {
        let value = |rank: char| match rank {
            'A' => 1,
            rank => RANKS.find(rank).map_or(0, |at| at + 2),
        };
        let hard: usize = cards.chars().map(value).sum();
        let soft = hard <= 11 && cards.contains('A');
        (if soft { hard + 10 } else { hard }, soft)
    };
    let mut open = vec![(up.to_string(), 1, 13_i128.pow(MOST))];
    let mut hands = Vec::new();
    while let Some((cards, weight, unit)) = open.pop() {
        for rank in RANKS.chars() {
            let cards = format!("{cards}{rank}");
            let weight = weight * if rank == 'T' { 4 } else { 1 };
            let (total, soft) = points(&cards);
            let draws = total < 17 || total == 17 && soft && hits_soft_17;
            if draws {
                open.push((cards, weight, unit / 13));
            } else if cards.len() > 2 || total < 21 {
                let told: Vec<String> = cards.chars().map(|rank| format!("{rank}C")).collect();
                hands.push((told.join(" "), weight * unit / 13));
            }
        }
    }
    hands
}

/// A round on one line: `edition {options} | wagers | boxes | dealer`, then what else the play says as
/// `| /play/burned ["KC"]`.
pub(crate) fn read_line(game: &str, line: &str) -> Value {
    let mut fields = line.split('|').map(str::trim);
    let mut field = || fields.next().unwrap_or_else(|| panic!("round: {line}"));
    let (edition, options) = field().split_once(' ').expect(line);
    let options = serde_json::from_str(options).expect(line);
    let table = round((game, edition), options, field(), field(), field());
    fields.fold(table, |round, patch| {
        let (pointer, value) = patch.split_once(' ').expect(line);
        with(round, pointer, serde_json::from_str(value).expect(line))
    })
}

/// Reads a `violations.txt`: a line of codes, an indented round that raises exactly these, and an
/// indented lawful twin that raises none. Fails unless every code that the game's document can show
/// is among them.
pub(crate) fn assert_violations<G: Game>(
    table: &TestTable<G>,
    text: &str,
    read: impl Fn(&str) -> Value,
) {
    let mut lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let (mut raised, mut wrong) = (BTreeSet::new(), Vec::new());
    while let Some(codes) = lines.next() {
        let mut codes: Vec<&str> = codes.split_whitespace().collect();
        codes.sort_unstable();
        let mut next = || {
            read(
                lines
                    .next()
                    .unwrap_or_else(|| panic!("rounds of {codes:?}")),
            )
        };
        let (broken, lawful) = (next(), next());
        for (round, expected) in [(broken, &codes[..]), (lawful, &[])] {
            let found = table.violations(&round);
            if found != expected {
                wrong.push(format!("expected {expected:?}, got {found:?}\n  {round}"));
            }
        }
        raised.extend(codes);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let findings = table.game.book().findings().iter();
    let untested: Vec<&str> = findings
        .filter(|finding| finding.shown_by == FindingSource::Document)
        .map(|finding| finding.code.as_str())
        .filter(|code| !raised.contains(code))
        .collect();
    assert!(untested.is_empty(), "no round raises {untested:?}");
}

pub(crate) fn wagers(text: &str) -> Vec<Value> {
    parts(text, ';').map(wager).collect()
}

fn parts(text: &str, separator: char) -> impl Iterator<Item = &str> {
    text.split(separator)
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

fn number_or_word(text: &str) -> Value {
    text.parse::<i64>()
        .map_or(json!(text), |number| json!(number))
}

fn wager(text: &str) -> Value {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [id, seat, kind, amount, more @ ..] = &words[..] else {
        panic!("wager: {text}")
    };
    let mut wager = json!({
        "id": id, "seat": number_or_word(seat.trim_start_matches('s')), "kind": kind,
        "amount": number_or_word(amount),
    });
    for pair in more {
        let (key, value) = pair.split_once('=').expect(text);
        wager[key] = number_or_word(value);
    }
    wager
}

fn table_box(text: &str) -> Value {
    let (cards, steps) = text.split_once(':').unwrap_or((text, ""));
    let mut words = cards.split_whitespace();
    let seat = words.next().expect(text).trim_start_matches('s');
    json!({
        "seat": number_or_word(seat),
        "cards": words.collect::<Vec<_>>(),
        "steps": parts(steps, ',').map(step).collect::<Vec<_>>(),
    })
}

fn step(text: &str) -> Value {
    let mut step = Map::new();
    for word in text.split_whitespace() {
        let is_number = word.parse::<u32>().is_ok();
        let key = match (step.contains_key("do"), is_number) {
            (false, true) => "hand",
            (false, false) => "do",
            (true, true) => "new_hand",
            (true, false) => "card",
        };
        step.insert(key.into(), number_or_word(word));
    }
    Value::Object(step)
}

fn dealer(text: &str) -> Value {
    let (text, checked) = match text.strip_suffix("checked") {
        Some(text) => (text, true),
        None => (text, false),
    };
    let cards = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    if text.contains('/') {
        let hands: Vec<_> = text.split('/').map(cards).collect();
        json!({"hands": hands, "checked": checked})
    } else {
        json!({"cards": cards(text), "checked": checked})
    }
}

/// Sets a value of the round, there already or a new key, and gives the round back.
pub(crate) fn with(mut round: Value, pointer: &str, value: Value) -> Value {
    if let Some(there) = round.pointer_mut(pointer) {
        *there = value;
        return round;
    }
    let (parent, key) = pointer.rsplit_once('/').expect(pointer);
    round.pointer_mut(parent).expect(pointer)[key] = value;
    round
}

//! What settlement saw in a round, in the words of the floor and with the numbers of the case.

mod case;
mod shown;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use catwalk_rules::Rulebook;
use catwalk_rules::book::{Book, Layout};
use catwalk_rules::floor::{Card, Cents};
use catwalk_rules::games::{lay_cards_the_house_way, lay_tiles_the_house_way};
use catwalk_rules::hands::joker::LowStraight;
use serde_json::Value;

pub(super) use self::case::with_numbers;
pub(super) use self::shown::Shown;
use crate::games::layout;
use crate::table::RulesInForce;

/// A code and its sentence, which what the round shows ends.
static SENTENCES: LazyLock<BTreeMap<&'static str, &'static str>> = LazyLock::new(|| {
    let lines = include_str!("words/sentences.txt").lines();
    lines.filter_map(|line| line.split_once(" | ")).collect()
});

/// How a document names a hand of too many or too few cards.
const CARD_COUNT: &str = "card_count";
/// Seats and positions around a table of pai gow.
const POSITIONS: u64 = 8;

/// One sentence about a violation of a document, and the seat and the bet that it is about.
pub(super) fn told(
    code: &str,
    document: &Value,
    rules: &RulesInForce,
    (rulebook, book): (&Rulebook, Option<&Book>),
) -> Shown {
    let shown = shown::shown(code, document, rulebook, book);
    let text = seen(code, document, rules).unwrap_or_else(|| {
        let said = SENTENCES.get(code).copied().unwrap_or(code);
        match shown.text.as_str() {
            "" => said.to_owned(),
            text => format!("{said}: {text}"),
        }
    });
    Shown { text, ..shown }
}

/// The sentences that say more than where a violation shows.
fn seen(code: &str, document: &Value, rules: &RulesInForce) -> Option<String> {
    let play = &document["play"];
    match code {
        "deal.burn" => burned(document, rules),
        "deal.card_count" => miscounted(play, rules),
        "shoe.burn_count" => burned_before_street(play),
        "pai_gow.wrong_start" => wrong_start(play),
        "thb.street_multiple" => street(document),
        "baccarat.banker_drew_in_error" | "chemin.banker_drew_in_error" => banker_drew(play),
        "baccarat.player_drew_in_error" => {
            let drew_on = count(&play["player"], 2)?;
            Some(format!("Player drew on {drew_on}; must stand"))
        }
        "chemin.illegal_decision" => announced(play),
        "roulette.invalid_spin_accepted" => spin(document, rules),
        "pai_gow_poker.house_way_error" | "commission_free_pai_gow_poker.house_way_error" => {
            let dealer = &play["dealer"];
            let set = |hand: &str| cards(&dealer[hand]);
            let (high, low) = (set("high")?, set("low")?);
            let due = house_way(&dealer["cards"], rules)?;
            // Of a third area that was set for a player the dealer's own hand says nothing.
            (due != format!("{high} / {low}"))
                .then(|| format!("The dealer set {high} / {low}; the house way is {due}"))
        }
        "pai_gow.house_way_error" => {
            let dealer = &play["dealer"];
            let (high, low) = (cards(&dealer["high"])?, cards(&dealer["low"])?);
            let tiles = dealer["tiles"].as_array()?.iter();
            let tiles: Option<Vec<_>> = tiles.map(|tile| tile.as_str()?.parse().ok()).collect();
            let laid = lay_tiles_the_house_way(tiles?.try_into().ok()?);
            let [front, behind] = laid.map(|pair| pair.map(|tile| tile.to_string()).join(" "));
            let due = format!("{front} / {behind}");
            (due != format!("{high} / {low}"))
                .then(|| format!("The dealer set {high} / {low}; the house way is {due}"))
        }
        _ => None,
    }
}

/// Seven cards as the house lays them.
fn house_way(dealt: &Value, rules: &RulesInForce) -> Option<String> {
    let dealt = dealt.as_array()?.iter();
    let dealt: Option<Vec<Card>> = dealt.map(|card| card.as_str()?.parse().ok()).collect();
    let low_straight = match rules.in_force("low_straight") {
        Some(posted) if posted == "lowest" => LowStraight::Lowest,
        _ => LowStraight::SecondHighest,
    };
    let dealt = <[Card; 7]>::try_from(dealt?).ok()?;
    let (front, behind) = lay_cards_the_house_way(&dealt, low_straight)?;
    let told = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>();
    Some(format!(
        "{} / {}",
        told(&front).join(" "),
        told(&behind).join(" ")
    ))
}

/// A reason that names a place of the document, without the signs that no person says.
pub(super) fn plain(reason: &str) -> String {
    let said = reason.replace("play.", "").replace(['_', '['], " ");
    said.replace(']', "")
}

fn cards(hand: &Value) -> Option<String> {
    let cards = hand.as_array()?.iter().map(Value::as_str);
    Some(cards.collect::<Option<Vec<_>>>()?.join(" "))
}

fn were(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what} was"),
        _ => format!("{number} {what}s were"),
    }
}

fn burned(document: &Value, rules: &RulesInForce) -> Option<String> {
    let play = &document["play"];
    let length = |value: &Value| value.as_array().map(|cards| cards.len() as u64);
    let told = &play["burned"];
    let number = told.as_u64().or_else(|| length(told))?;
    let dealing = rules.in_force("dealing");
    let by_shoe = dealing.is_some_and(|dealing| dealing == "automated_shoe");
    let due = match (rules.game.as_str(), by_shoe) {
        ("mississippi_stud", false) => length(&play["community"])?,
        ("mississippi_stud", true) => 1,
        ("let_it_ride", by_shoe) => u64::from(by_shoe || rules.edition != "oh-jack-2017"),
        _ => return None,
    };
    let is = if due == 1 { "is" } else { "are" };
    (number != due).then(|| format!("{} burned; {due} {is} required", were(number, "card")))
}

/// Whose cards were told to be too many or too few.
fn miscounted(play: &Value, rules: &RulesInForce) -> Option<String> {
    let mut told = play["irregularities"].as_array()?.iter();
    let told = told.find(|told| told["code"] == CARD_COUNT && told["dealt"].is_u64())?;
    let (dealt, layout) = (told["dealt"].as_u64()?, layout(rules)?);
    let (whose, due) = match (told["seat"].as_u64(), told["area"].as_str()) {
        (Some(seat), _) => (format!("Seat {seat}"), layout.hand()),
        (None, Some("community")) => ("The community row".to_owned(), layout.house()),
        (None, _) => ("The dealer".to_owned(), layout.house()),
    };
    let are = if due == 1 { "is" } else { "are" };
    (dealt != due as u64).then(|| format!("{whose} got {dealt} cards, {due} {are} dealt"))
}

/// Is a round under these rules called off for a wrong number of cards, whosever they are?
pub(super) fn voids_miscounted(rules: &RulesInForce) -> bool {
    let of_one_hand = |layout: &Layout| layout.voids_hand.iter().any(|code| code == CARD_COUNT);
    layout(rules).is_some_and(|layout| layout.is_voided_by(CARD_COUNT) && !of_one_hand(layout))
}

/// 9(f)-(h): one card is burned before each street of the poker room.
fn burned_before_street(play: &Value) -> Option<String> {
    let burns = play["burns"].as_array()?.iter();
    let mut wrong = burns.enumerate().filter(|(_, burned)| **burned != 1);
    let (street, burned) = wrong.find_map(|(at, burned)| Some((at + 1, burned.as_u64()?)))?;
    let number = match street {
        1 => "first",
        2 => "second",
        3 => "third",
        _ => "last",
    };
    let burned = were(burned, "card");
    Some(format!(
        "{burned} burned at the {number} burn of the hand; 1 is required"
    ))
}

fn wrong_start(play: &Value) -> Option<String> {
    let deal = &play["deal"];
    let dice = deal["dice"].as_array()?.iter().map(Value::as_u64);
    let total: u64 = dice.sum::<Option<u64>>()?;
    let first = deal["first"].as_u64()?;
    let bank = play["bank_seat"].as_u64().unwrap_or_default();
    let due = (bank + total).checked_sub(1)? % POSITIONS;
    let name = |position: u64| match position {
        0 => "the dealer".to_owned(),
        seat => format!("seat {seat}"),
    };
    Some(format!(
        "The dice showed {total}: the first stack belongs to {}, it went to {}",
        name(due),
        name(first)
    ))
}

fn street(document: &Value) -> Option<String> {
    let wagers = document["wagers"].as_array()?;
    let amount = |wager: &Value| wager["amount"].as_i64().map(Cents::new);
    let is_street = |wager: &&Value| wager["kind"] == "turn" || wager["kind"] == "river";
    wagers.iter().filter(is_street).find_map(|bet| {
        let ante = wagers.iter().find(|other| {
            other["kind"] == "ante" && (other["id"] == bet["on"] || other["seat"] == bet["seat"])
        })?;
        let (bet_is, ante_is) = (amount(bet)?, amount(ante)?);
        (bet_is != ante_is).then(|| {
            format!(
                "Seat {}'s {} bet is {bet_is}; it must equal the {ante_is} ante",
                bet["seat"],
                bet["kind"].as_str().unwrap_or("street")
            )
        })
    })
}

/// What the first cards of a hand of baccarat count.
fn count(hand: &Value, of: usize) -> Option<u64> {
    let cards = hand.as_array()?;
    let values = cards.iter().take(of).map(|card| {
        Some(match card.as_str()?.chars().next()? {
            'A' => 1,
            digit @ '2'..='9' => u64::from(digit.to_digit(10)?),
            'T' | 'J' | 'Q' | 'K' => 0,
            _ => return None,
        })
    });
    (cards.len() >= of)
        .then(|| values.sum::<Option<u64>>())?
        .map(|sum| sum % 10)
}

fn banker_drew(play: &Value) -> Option<String> {
    let banker = count(&play["banker"], 2)?;
    let player = play["player"].as_array()?;
    if play["banker"].as_array()?.len() > 3 {
        let number = play["banker"].as_array()?.len();
        return Some(format!("Banker got {number} cards; 3 are the most"));
    }
    let against = match player.get(2).and_then(Value::as_str) {
        Some(third) => format!("Player's third card {third}"),
        None => format!("Player's {}", count(&play["player"], 2)?),
    };
    Some(format!(
        "Banker had {banker} and drew; must stand against {against}"
    ))
}

fn announced(play: &Value) -> Option<String> {
    let said = play["decision"].as_str()?;
    let count = count(&play["player"], 2)?;
    let due = match (count, said) {
        (8 | 9, _) => "show",
        (6 | 7, _) => "stay",
        (_, "show") => "draw or stay",
        _ => "draw",
    };
    let who = match play["dominant_seat"].as_u64() {
        Some(seat) => format!("Seat {seat}"),
        None => "The Player".to_owned(),
    };
    Some(format!("{who} announced \"{said}\" on {count}; must {due}"))
}

fn spin(document: &Value, rules: &RulesInForce) -> Option<String> {
    let least = rules.figure("least_turns")?.as_u64()?;
    let spins = document["play"]["spins"].as_array()?;
    spins
        .iter()
        .filter(|spin| spin.get("no_spin").is_none())
        .find_map(|spin| {
            let turns = spin["revolutions"].as_u64();
            if let Some(turns) = turns.filter(|turns| *turns < least) {
                return Some(format!(
                    "The ball made {turns} turns, {least} are needed; the spin was paid"
                ));
            }
            let pocket = spin["pocket"].as_str().unwrap_or("?");
            if spin["direction"] == "same" {
                return Some(format!(
                    "The ball went the way of the wheel into {pocket}; the spin was paid"
                ));
            }
            (pocket == "00").then(|| {
                "The ball fell into 00, which is no pocket here; the spin was paid".to_owned()
            })
        })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;

    use catwalk_events::body::TableOpened;
    use catwalk_rules::Rulebook;
    use serde_json::json;

    use super::*;

    static RULEBOOK: LazyLock<Rulebook> = LazyLock::new(|| Rulebook::load().unwrap());

    fn said(game: &str, edition: &str, code: &str, document: &Value) -> Option<String> {
        let opened = json!({"game": game, "edition": edition, "options": "{}", "limits": [],
            "opening_inventory": 0, "dealer": "d-1"});
        let opened: TableOpened = serde_json::from_value(opened).unwrap();
        seen(code, document, &RulesInForce::of(&opened, &RULEBOOK))
    }

    /// Signs and words that no person says.
    const SIGNS: [&str; 13] = [
        "!=", "<", ">", "==", "&&", "||", "_", "{", "[", "≠", "≤", "≥", "play.",
    ];

    /// The rounds that show the codes of a game: its sample rounds and those beside them.
    fn rounds_of(game: &dyn catwalk_rules::AnyGame) -> Vec<Value> {
        let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/src/games");
        let raised = std::fs::read_to_string(games.join(game.name()).join("raised.jsonl"));
        let raised = raised.unwrap_or_default();
        let lines = game.examples().lines().chain(raised.lines());
        let rounds = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
        rounds.map(|round| round["document"].clone()).collect()
    }

    /// Every code that a round document can show, of every game, in a sentence with what the round shows.
    #[test]
    fn every_violation_is_told_in_words_with_what_was_seen() {
        let (mut told_codes, mut wrong) = (BTreeSet::new(), Vec::new());
        for game in RULEBOOK.games() {
            for document in rounds_of(game) {
                let Ok(settled) = RULEBOOK.settle_value(&document) else {
                    continue;
                };
                let opened = json!({"game": game.name(), "edition": document["edition"],
                    "options": document["options"].to_string(), "limits": [],
                    "opening_inventory": 0, "dealer": "d-1"});
                let opened: TableOpened = serde_json::from_value(opened).unwrap();
                let rules = RulesInForce::of(&opened, &RULEBOOK);
                for code in settled.violations().iter() {
                    let book = game.book();
                    let text = told(code, &document, &rules, (&RULEBOOK, Some(book))).text;
                    told_codes.insert(code.to_owned());
                    let is_bare = book.findings().iter().any(|filed| filed.meaning == text)
                        || SENTENCES.get(code).is_none_or(|said| *said == text);
                    let has_sign = SIGNS.iter().any(|sign| text.contains(sign));
                    // Cards and words of the table are observed values too.
                    let is_shown =
                        text.contains(|sign: char| sign.is_ascii_digit()) || text.contains(": ");
                    if is_bare || has_sign || !is_shown {
                        wrong.push(format!("{} {code}: {text}", game.name()));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
        let unsaid: Vec<&&str> = SENTENCES
            .keys()
            .filter(|code| !told_codes.contains(**code))
            .collect();
        assert!(unsaid.is_empty(), "nothing raises {unsaid:?}");
    }

    type Told = (
        &'static str,
        &'static str,
        &'static str,
        Value,
        &'static str,
    );

    fn assert_said(cases: impl IntoIterator<Item = Told>) {
        for (game, edition, code, play, due) in cases {
            let document = json!({"play": play});
            assert_eq!(
                said(game, edition, code, &document).as_deref(),
                Some(due),
                "{game}"
            );
        }
    }

    #[test]
    fn a_violation_of_the_deal_is_told_with_the_numbers_of_the_case() {
        let mgc = "mgc-2017";
        assert_said([
            (
                "let_it_ride",
                mgc,
                "deal.burn",
                json!({"burned": ["2C", "3C"]}),
                "2 cards were burned; 1 is required",
            ),
            (
                "pai_gow",
                mgc,
                "pai_gow.wrong_start",
                json!({"deal": {"dice": [6, 4, 2], "first": 5}}),
                "The dice showed 12: the first stack belongs to seat 3, it went to seat 5",
            ),
            (
                "pai_gow",
                mgc,
                "pai_gow.wrong_start",
                json!({"bank_seat": 3, "deal": {"dice": [4, 3, 2], "first": 5}}),
                "The dice showed 9: the first stack belongs to seat 3, it went to seat 5",
            ),
            (
                "mississippi_stud",
                mgc,
                "deal.card_count",
                json!({"irregularities": [{"code": "card_count", "area": "community", "dealt": 4}]}),
                "The community row got 4 cards, 3 are dealt",
            ),
            (
                "three_card_poker",
                mgc,
                "deal.card_count",
                json!({"irregularities": [{"code": "card_count", "seat": 2, "dealt": 4}]}),
                "Seat 2 got 4 cards, 3 are dealt",
            ),
            (
                "poker",
                mgc,
                "shoe.burn_count",
                json!({"burns": [1, 2, 1]}),
                "2 cards were burned at the second burn of the hand; 1 is required",
            ),
            (
                "pai_gow_poker",
                mgc,
                "pai_gow_poker.house_way_error",
                json!({"dealer": {"cards": ["AS", "KH", "9D", "7C", "5S", "4H", "2D"],
                    "high": ["AS", "KH", "9D", "7C", "2D"], "low": ["5S", "4H"]}}),
                "The dealer set AS KH 9D 7C 2D / 5S 4H; the house way is AS 7C 5S 4H 2D / KH 9D",
            ),
        ]);
    }

    #[test]
    fn a_violation_is_told_with_the_numbers_of_the_case() {
        let mgc = "mgc-2017";
        assert_said([
            (
                "minibaccarat",
                mgc,
                "baccarat.banker_drew_in_error",
                json!({"player": ["5S", "KD"], "banker": ["3H", "3C", "9D"]}),
                "Banker had 6 and drew; must stand against Player's 5",
            ),
            (
                "minibaccarat",
                mgc,
                "baccarat.player_drew_in_error",
                json!({"player": ["5S", "2D", "9C"]}),
                "Player drew on 7; must stand",
            ),
            (
                "chemin_de_fer",
                mgc,
                "chemin.illegal_decision",
                json!({"player": ["TS", "8D"], "decision": "card", "dominant_seat": 4}),
                "Seat 4 announced \"card\" on 8; must show",
            ),
            (
                "roulette",
                mgc,
                "roulette.invalid_spin_accepted",
                json!({"spins": [{"pocket": "20", "revolutions": 3}]}),
                "The ball made 3 turns, 4 are needed; the spin was paid",
            ),
        ]);
        let wagers = json!({"wagers": [{"id": "a", "seat": 2, "kind": "ante", "amount": 1000},
            {"id": "t", "seat": 2, "kind": "turn", "amount": 2000, "on": "a"}], "play": {}});
        let street = said(
            "texas_holdem_bonus",
            "oh-jack-2017",
            "thb.street_multiple",
            &wagers,
        );
        let due = "Seat 2's turn bet is $20.00; it must equal the $10.00 ante";
        assert_eq!(street.as_deref(), Some(due));
    }
}

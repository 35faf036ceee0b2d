//! Messages say what was seen, in words of the table.

use std::collections::{BTreeMap, BTreeSet};

use crate::{ALL, script};

/// Signs and field names that no person says; money less than nothing is lost, taken or short.
const SIGNS: [&str; 11] = [
    "!=", "<=", ">=", "==", "&&", "||", "play.", "None", "Some(", "::", "-$",
];

/// Facts without a number: what was not done, and what two things are alike in. They name the thing.
const WITHOUT_NUMBER: [&str; 17] = [
    "deal.card_unseen",
    "deal.hand_without_shuffler",
    "deal.order",
    "deck.colour",
    "deck.mixed_batches",
    "deck.not_alternated",
    "deck.not_reinspected",
    "deck.not_replaced",
    "device.not_inspected",
    "device.not_removed",
    "finding.resolved",
    "rules.notice",
    "shoe.method",
    "sicbo.opening_check_missing",
    "tiles.failed_inspection",
    "tiles.no_surveillance_check",
    "tiles.not_inspected",
];

/// Does a sentence name a number, a card, or what was said?
fn has_value(message: &str) -> bool {
    let is_card = |word: &str| {
        let mut signs = word
            .trim_matches(|sign: char| !sign.is_alphanumeric())
            .chars();
        let (rank, suit) = (signs.next(), signs.next());
        rank.is_some_and(|rank| "TJQKA".contains(rank))
            && suit.is_some_and(|suit| "CDHS".contains(suit))
            && signs.next().is_none()
    };
    message.contains(|sign: char| sign.is_ascii_digit() || sign == '"')
        || message.split_whitespace().any(is_card)
}

#[test]
fn no_message_has_a_field_an_operator_or_the_bare_rule() {
    let rulebook = catwalk_stories::rulebook();
    let games = rulebook.games();
    let mut meanings: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for filed in games.flat_map(|game| game.book().findings().iter()) {
        let of_code = meanings.entry(filed.code.clone()).or_default();
        of_code.push(filed.meaning.clone());
    }
    let texts = rulebook
        .games()
        .map(|game| crate::codes::stories_of(game.name()));
    let texts: Vec<String> = texts.collect();
    let texts = texts.iter().map(String::as_str).chain(ALL);
    let (mut wrong, mut bare) = (Vec::new(), BTreeMap::new());
    for finding in texts.flat_map(script::read).flat_map(|told| told.play()) {
        let message = &finding.message;
        if SIGNS.iter().any(|sign| message.contains(sign)) || message.is_empty() {
            wrong.push(format!("{}: {message}", finding.code));
        }
        let rules = meanings.get(&finding.code);
        if rules.is_some_and(|rules| rules.contains(message)) {
            bare.insert(finding.code, message.clone());
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let named: Vec<String> = bare
        .iter()
        .map(|(code, said)| format!("{code}: {said}"))
        .collect();
    assert!(bare.is_empty(), "{}", named.join("\n"));
}

/// What was seen is in the sentence: a number, an amount, a card, a name.
#[test]
fn every_message_has_the_values_of_its_case() {
    let rulebook = catwalk_stories::rulebook();
    let games = rulebook.games();
    let texts: Vec<String> = games
        .map(|game| crate::codes::stories_of(game.name()))
        .collect();
    let texts = texts.iter().map(String::as_str).chain(ALL);
    let (mut bare, mut plain) = (BTreeMap::new(), BTreeSet::new());
    for finding in texts.flat_map(script::read).flat_map(|told| told.play()) {
        let is_plain = WITHOUT_NUMBER.contains(&finding.code.as_str());
        match has_value(&finding.message) {
            false if !is_plain => {
                bare.insert(finding.code, finding.message);
            }
            false => {
                plain.insert(finding.code);
            }
            true => {}
        }
    }
    let named: Vec<String> = bare
        .iter()
        .map(|(code, said)| format!("{code}: {said}"))
        .collect();
    assert!(bare.is_empty(), "{}", named.join("\n"));
    let listed: BTreeSet<String> = WITHOUT_NUMBER.iter().map(|&code| code.to_owned()).collect();
    assert_eq!(plain, listed, "codes whose sentences have values now");
}

/// The money of a payment is in its sentence.
#[test]
fn what_was_paid_wrongly_is_told_with_its_amounts() {
    for finding in ALL
        .into_iter()
        .flat_map(script::read)
        .flat_map(|told| told.play())
    {
        let is_pay = finding.code.starts_with("pay.") || finding.code == "commission.wrong";
        if is_pay && finding.exposure.get() != 0 {
            assert!(
                finding.message.contains('$'),
                "{}: {}",
                finding.code,
                finding.message
            );
        }
    }
}

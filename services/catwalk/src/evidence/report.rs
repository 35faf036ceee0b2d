//! The round as a person reads it, on paper.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use catwalk_events::Timestamp;
use catwalk_rules::Edition;
use catwalk_rules::book::Book;
use catwalk_rules::floor::Cents;
use serde_json::Value;

use super::Parsed;
use crate::round::{nothing_found, told};

const STYLE: &str = "body{font:11pt/1.45 Georgia,serif;max-width:52em;margin:2em auto;padding:0 1em;color:#111}\
h1{font-size:1.5em}h2{font-size:1.1em;margin-top:1.6em;border-bottom:1px solid #999}\
table{border-collapse:collapse;width:100%;font-size:.92em}th,td{text-align:left;padding:.2em .5em;\
border-bottom:1px solid #ddd;vertical-align:top}.n{text-align:right;font-variant-numeric:tabular-nums}\
code{font-size:.85em;overflow-wrap:anywhere}tr{break-inside:avoid}.due{font-weight:bold}\
h1.next{break-before:page}.cards{font-family:monospace;letter-spacing:.03em}.custody td{height:1.6em}\
@media print{body{margin:0;max-width:none}h2{break-after:avoid}}";

pub(super) fn html(manifest: &Value, rows: &Parsed) -> String {
    let rounds = manifest["rounds"].as_array().into_iter().flatten();
    let rounds: Vec<&str> = rounds.filter_map(Value::as_str).collect();
    let title = match rounds.as_slice() {
        [round] => format!("Round {}", escaped(round)),
        rounds => format!("{} rounds", rounds.len()),
    };
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <title>Evidence: {title}</title><style>{STYLE}</style></head><body>\n<h1>Evidence: {title}</h1>\n"
    );
    asked(&mut page, manifest);
    for round in &rounds {
        let of_round = only(rows, round);
        if rounds.len() > 1 {
            let _ = writeln!(page, "<h1 class=\"next\">Round {}</h1>", escaped(round));
        }
        for round in of(&of_round, "rounds") {
            head(&mut page, round);
        }
        if of(&of_round, "rounds").is_empty() {
            page.push_str("<p>The archive has no settlement of it: it was not judged.</p>\n");
        }
        wagers(&mut page, &of_round);
        findings(&mut page, &of_round);
        cards(&mut page, &of_round);
        decisions(&mut page, &of_round);
        happened(&mut page, &of_round);
    }
    proof(&mut page, manifest, rows);
    custody(&mut page, manifest);
    page.push_str("</body></html>\n");
    page
}

/// What is of one round.
fn only(rows: &Parsed, round: &str) -> Parsed {
    let of_round = |row: &&Value| row["round"].as_str() == Some(round);
    let mut only = Parsed::new();
    for (table, rows) in rows {
        let rows = rows.iter().filter(of_round).cloned().collect();
        only.insert(table, rows);
    }
    let ids: Vec<Value> = of(&only, "findings")
        .iter()
        .map(|row| row["id"].clone())
        .collect();
    let acts = of(rows, "dispositions").iter();
    let acts = acts.filter(|act| ids.contains(&act["finding"])).cloned();
    only.insert("dispositions", acts.collect());
    only
}

fn of<'a>(rows: &'a Parsed, table: &str) -> &'a [Value] {
    rows.get(table).map_or(&[], Vec::as_slice)
}

/// A value for a page; nothing for none.
fn text(value: &Value) -> String {
    let plain = match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    escaped(&plain)
}

fn escaped(plain: &str) -> String {
    let plain = plain.replace('&', "&amp;").replace('<', "&lt;");
    plain.replace('>', "&gt;").replace('"', "&quot;")
}

fn dollars(value: &Value) -> String {
    let cents = value.as_i64();
    cents
        .map(|cents| Cents::new(cents).to_string())
        .unwrap_or_default()
}

fn moment(value: &Value) -> String {
    let at = value.as_i64();
    at.map(|at| escaped(&Timestamp::from_micros(at).to_string()))
        .unwrap_or_default()
}

// Writing to a text cannot fail: what `write!` gives is dropped below.

fn asked(page: &mut String, manifest: &Value) {
    let told = [
        ("Case", &manifest["case"]),
        ("Requested by", &manifest["requester"]),
        ("Authority", &manifest["authority"]),
        ("Query", &manifest["query"]["name"]),
        ("Its parameters", &manifest["query"]["parameters"]),
        ("Put together", &manifest["made_at"]),
    ];
    page.push_str("<table>\n");
    for (name, value) in told.iter().filter(|(_, value)| !value.is_null()) {
        let _ = writeln!(page, "<tr><th>{name}</th><td>{}</td></tr>", text(value));
    }
    page.push_str("</table>\n");
}

fn head(page: &mut String, round: &Value) {
    let _ = writeln!(
        page,
        "<p>{} ({}) at table {} of {}, dealer {}; opened {}, ended {} (UTC).</p>",
        text(&round["game"]),
        text(&round["edition"]),
        text(&round["table_id"]),
        text(&round["property"]),
        text(&round["dealer"]),
        moment(&round["opened_at"]),
        moment(&round["closed_at"])
    );
    let judged = round["difference_cents"].as_i64();
    let verdict = match judged {
        None => "It was not judged.".to_owned(),
        Some(0) => "What went back is what the rules say.".to_owned(),
        Some(lost) if lost > 0 => format!("The house lost {} by it.", Cents::new(lost)),
        Some(kept) => format!("The players lost {} by it.", Cents::new(-kept)),
    };
    let _ = writeln!(
        page,
        "<p>Staked {}, due back {}, given back {}. <span class=\"due\">{verdict}</span></p>",
        dollars(&round["staked_cents"]),
        dollars(&round["returned_cents"]),
        dollars(&round["given_cents"])
    );
    rules(page, round);
}

/// By what rules it was judged, and which of their sections its wagers stand under.
fn rules(page: &mut String, round: &Value) {
    let Some(hash) = round["rules"].as_str() else {
        return;
    };
    let game = round["game"].as_str().unwrap_or_default();
    let _ = writeln!(
        page,
        "<p>Judged by the rules of {}, edition {} (rules/{}.toml, SHA-256 <code>{}</code>).",
        escaped(game),
        text(&round["edition"]),
        escaped(game),
        escaped(hash)
    );
    let document = round["document"].as_str().unwrap_or_default();
    let document: Value = serde_json::from_str(document).unwrap_or_default();
    let kinds = document["wagers"].as_array().into_iter().flatten();
    let kinds: BTreeSet<&str> = kinds.filter_map(|wager| wager["kind"].as_str()).collect();
    let edition = round["edition"].as_str().unwrap_or_default();
    let edition = Edition::from_name(edition);
    let sections = kinds.into_iter().filter_map(|kind| {
        let cite = &Book::of(game)?.wager(kind)?.cite;
        let cite = edition
            .and_then(|edition| cite.of(edition))
            .or(cite.first())?;
        Some(format!("{} by {}", escaped(kind), escaped(cite)))
    });
    let sections: Vec<String> = sections.collect();
    if !sections.is_empty() {
        let _ = writeln!(page, "<br>Its wagers: {}.", sections.join("; "));
    }
    page.push_str("</p>\n");
}

fn wagers(page: &mut String, rows: &Parsed) {
    page.push_str(
        "<h2>Wagers</h2>\n<table><tr><th>wager</th><th>seat</th><th>patron</th><th>on</th>\
         <th class=\"n\">stake</th><th>result</th><th class=\"n\">due back</th><th class=\"n\">given back</th>\
         <th class=\"n\">difference</th></tr>\n",
    );
    let mut wagers: Vec<&Value> = of(rows, "wagers").iter().collect();
    wagers.sort_by_key(|wager| wager["nth"].as_i64());
    for wager in wagers {
        let difference = match wager["difference_cents"].as_i64() {
            Some(0) | None => String::new(),
            Some(cents) => Cents::new(cents).to_string(),
        };
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td><td>{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n due\">{difference}</td></tr>",
            text(&wager["wager"]),
            text(&wager["seat"]),
            text(&wager["player"]),
            text(&wager["kind"]),
            dollars(&wager["amount_cents"]),
            text(&wager["result"]),
            dollars(&wager["returned_cents"]),
            dollars(&wager["given_cents"]),
        );
    }
    page.push_str("</table>\n");
}

fn findings(page: &mut String, rows: &Parsed) {
    page.push_str("<h2>Findings</h2>\n");
    let findings = of(rows, "findings");
    if findings.is_empty() {
        let mut rounds = of(rows, "rounds").iter().peekable();
        let is_judged =
            rounds.peek().is_some() && rounds.all(|round| round["difference_cents"].is_i64());
        let _ = writeln!(page, "<p>{}</p>", nothing_found(is_judged));
    }
    for finding in findings {
        let cites = finding["cites"].as_array().into_iter().flatten();
        let cites: Vec<String> = cites.map(text).collect();
        let _ = writeln!(
            page,
            "<p><span class=\"due\">{}</span> ({}): {}<br>By {}.</p>",
            text(&finding["code"]),
            text(&finding["severity"]),
            text(&finding["message"]),
            cites.join("; ")
        );
    }
    for act in of(rows, "dispositions") {
        let _ = writeln!(
            page,
            "<p>{}: {} by {}. {}</p>",
            moment(&act["at"]),
            text(&act["action"]),
            text(&act["operator"]),
            text(&act["note"])
        );
    }
}

/// The cards as they lay, place by place, those that nobody saw as such.
fn cards(page: &mut String, rows: &Parsed) {
    let mut cards: Vec<&Value> = of(rows, "cards").iter().collect();
    if cards.is_empty() {
        return;
    }
    cards.sort_by_key(|card| card["nth"].as_i64());
    let mut places: Vec<(String, Vec<String>)> = Vec::new();
    for card in cards {
        let mut place = text(&card["place"]);
        if card["seat"].is_i64() {
            place = format!("seat {}", text(&card["seat"]));
        }
        if card["hand"].as_i64().is_some_and(|hand| hand > 1) {
            place = format!("{place}, hand {}", text(&card["hand"]));
        }
        let shown = match card["card"].as_str() {
            Some(shown) => escaped(shown),
            None => "not seen".to_owned(),
        };
        match places.iter_mut().find(|(known, _)| *known == place) {
            Some((_, cards)) => cards.push(shown),
            None => places.push((place, vec![shown])),
        }
    }
    page.push_str("<h2>Cards</h2>\n<table><tr><th>place</th><th>cards, as dealt</th></tr>\n");
    for (place, cards) in places {
        let _ = writeln!(
            page,
            "<tr><td>{place}</td><td class=\"cards\">{}</td></tr>",
            cards.join(" ")
        );
    }
    page.push_str("</table>\n");
}

fn decisions(page: &mut String, rows: &Parsed) {
    let mut decisions: Vec<&Value> = of(rows, "decisions").iter().collect();
    if decisions.is_empty() {
        return;
    }
    decisions.sort_by_key(|decision| decision["seq"].as_i64());
    page.push_str(
        "<h2>Decisions</h2>\n<table><tr><th>seat</th><th>hand</th><th>decision</th><th class=\"n\">amount</th></tr>\n",
    );
    for decision in decisions {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td></tr>",
            text(&decision["seat"]),
            text(&decision["hand"]),
            text(&decision["action"]),
            dollars(&decision["amount_cents"])
        );
    }
    page.push_str("</table>\n");
}

fn happened(page: &mut String, rows: &Parsed) {
    page.push_str("<h2>What happened</h2>\n<table>\n");
    let mut events: Vec<&Value> = of(rows, "events").iter().collect();
    events.sort_by_key(|event| (event["seq"].as_i64(), event["log_offset"].as_i64()));
    for event in events {
        let kind = event["type"].as_str().unwrap_or_default();
        let body = event["body"].as_str().unwrap_or_default();
        let _ = writeln!(
            page,
            "<tr><td class=\"n\">{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            text(&event["seq"]),
            moment(&event["at"]),
            escaped(&told(kind, body)),
            text(&event["source_id"])
        );
    }
    page.push_str("</table>\n");
}

fn proof(page: &mut String, manifest: &Value, rows: &Parsed) {
    let count: usize = rows.values().map(Vec::len).sum();
    let _ = writeln!(
        page,
        "<h2>The proof</h2>\n<p>Each of the {count} rows behind this page is a leaf of a hash tree (RFC 6962) whose \
         head the house has signed; the path from the row to the head is in this bundle. A change of any of \
         them, or of this page, is found by <code>catwalk verify</code> and, without that program, by \
         <code>python3 verify.py</code>. Both need the public key of the house, which you have from elsewhere:</p>\n\
         <p><code>{}</code></p>\n\
         <p>The proof shows that this is what was archived, unchanged since. It does not show that what the devices \
         and people of the floor reported was true, nor that nothing about the round was left out of this bundle.</p>",
        text(&manifest["key"])
    );
}

/// Whose hands it goes through from here: the next lines are written by hand.
fn custody(page: &mut String, manifest: &Value) {
    page.push_str(
        "<h2>Custody</h2>\n<table class=\"custody\"><tr><th>from</th><th>to</th><th>when</th><th>purpose</th>\
         <th>signature</th></tr>\n",
    );
    let _ = writeln!(
        page,
        "<tr><td>the house</td><td>{}</td><td>{}</td><td>{}</td><td></td></tr>",
        text(&manifest["requester"]),
        text(&manifest["made_at"]),
        text(&manifest["authority"])
    );
    for _ in 0..3 {
        page.push_str("<tr><td>&nbsp;</td><td></td><td></td><td></td><td></td></tr>\n");
    }
    page.push_str("</table>\n");
}

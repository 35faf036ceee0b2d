//! The round as a person reads it, on paper.

use std::fmt::Write as _;

use catwalk_events::Timestamp;
use catwalk_rules::floor::Cents;
use serde_json::Value;

use super::Parsed;
use crate::round::{nothing_found, told};

const STYLE: &str = "body{font:11pt/1.45 Georgia,serif;max-width:52em;margin:2em auto;padding:0 1em;color:#111}\
h1{font-size:1.5em}h2{font-size:1.1em;margin-top:1.6em;border-bottom:1px solid #999}\
table{border-collapse:collapse;width:100%;font-size:.92em}th,td{text-align:left;padding:.2em .5em;\
border-bottom:1px solid #ddd;vertical-align:top}.n{text-align:right;font-variant-numeric:tabular-nums}\
code{font-size:.85em;overflow-wrap:anywhere}tr{break-inside:avoid}.due{font-weight:bold}\
@media print{body{margin:0;max-width:none}}";

pub(super) fn html(manifest: &Value, rows: &Parsed) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <title>Round {0}</title><style>{STYLE}</style></head><body>\n<h1>Round {0}</h1>\n",
        text(&manifest["round"])
    );
    asked(&mut page, manifest);
    for round in of(rows, "rounds") {
        head(&mut page, round);
    }
    if of(rows, "rounds").is_empty() {
        page.push_str("<p>The archive has no settlement of it: it was not judged.</p>\n");
    }
    wagers(&mut page, rows);
    findings(&mut page, rows);
    happened(&mut page, rows);
    proof(&mut page, manifest, rows);
    page.push_str("</body></html>\n");
    page
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
         <code>python3 verify.py</code>. Both need the public key of the house, which you have from elsewhere:</p>\n<p><code>{}</code></p>\n\
         <p>The proof shows that this is what was archived, unchanged since. It does not show that what the devices \
         and people of the floor reported was true.</p>",
        text(&manifest["key"])
    );
}

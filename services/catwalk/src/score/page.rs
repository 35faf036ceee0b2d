//! The score as a page with plots, complete in one file.

use std::collections::BTreeMap;
use std::fmt::Write;

use catwalk_floor::score::{Row, Score};
use catwalk_rules::floor::Cents;

use super::{seconds, share};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
    color:#1c2733;background:#fff}h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}\
    table{border-collapse:collapse;width:100%}td,th{padding:.25rem .6rem;text-align:right;\
    border-bottom:1px solid #e3e8ee}td:first-child,th:first-child{text-align:left}\
    .tiles{display:flex;gap:1rem;flex-wrap:wrap}.tile{border:1px solid #d5dce4;border-radius:8px;\
    padding:.8rem 1.2rem}.tile b{display:block;font-size:1.6rem}svg{width:100%;height:auto}\
    .wrong{color:#b3261e}@media(prefers-color-scheme:dark){body{background:#12181f;color:#dde5ee}\
    td,th{border-color:#2a3440}.tile{border-color:#33404e}.wrong{color:#ff8a80}}";

pub(super) fn page(score: &Score) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write(score, &mut page);
    page
}

fn write(score: &Score, page: &mut String) -> std::fmt::Result {
    write!(
        page,
        "<!doctype html><html lang=en><meta charset=utf-8><title>Catwalk scorecard</title>\
        <meta name=viewport content=\"width=device-width\"><style>{STYLE}</style>\
        <h1>Scorecard</h1><div class=tiles>"
    )?;
    let precision = share(score.alarms - score.false_alarms, score.alarms);
    let tiles = [
        ("recall", share(score.all.found, score.all.faults)),
        ("precision", precision),
        (
            "faults found",
            format!("{} of {}", score.all.found, score.all.faults),
        ),
        (
            "dollars caught",
            format!(
                "{} of {}",
                Cents::new(score.all.caught_cents),
                Cents::new(score.all.lost_cents)
            ),
        ),
        (
            "median time to detection",
            score.all.median_delay_micros().map_or("–".into(), seconds),
        ),
    ];
    for (name, value) in tiles {
        write!(page, "<div class=tile><b>{value}</b>{name}</div>")?;
    }
    page.push_str("</div>");
    section("By fault", &score.by_kind, page)?;
    section("By game", &score.by_game, page)?;
    for (title, lines) in [("Missed", &score.missed), ("False alarms", &score.examples)] {
        if !lines.is_empty() {
            write!(page, "<h2 class=wrong>{title}</h2><ul>")?;
            for line in lines {
                write!(page, "<li>{}</li>", escape(line))?;
            }
            page.push_str("</ul>");
        }
    }
    page.push_str("</html>\n");
    Ok(())
}

fn section(title: &str, rows: &BTreeMap<String, Row>, page: &mut String) -> std::fmt::Result {
    write!(page, "<h2>{title}</h2>")?;
    bars(rows, page)?;
    page.push_str(
        "<table><tr><th></th><th>done</th><th>found</th><th>recall</th><th>median</th>\
        <th>slowest</th><th>lost</th><th>caught</th></tr>",
    );
    for (name, row) in rows {
        page.push_str("<tr>");
        for cell in super::cells(&escape(name), row) {
            write!(page, "<td>{cell}</td>")?;
        }
        page.push_str("</tr>");
    }
    page.push_str("</table>");
    Ok(())
}

/// Dollars that were caught (full) of those that were moved (outline), a bar each.
fn bars(rows: &BTreeMap<String, Row>, page: &mut String) -> std::fmt::Result {
    let most = rows.values().map(|row| row.lost_cents).max().unwrap_or(0);
    if most == 0 {
        return Ok(());
    }
    let height = rows.len() * 22 + 6;
    write!(
        page,
        "<svg viewBox=\"0 0 720 {height}\" role=img aria-label=\"dollars caught of dollars moved\" \
        font-size=12 fill=currentColor>"
    )?;
    let width = |cents: i64| cents * 360 / most;
    for (index, (name, row)) in rows.iter().enumerate() {
        let y = index * 22 + 4;
        let caught = Cents::new(row.caught_cents);
        write!(
            page,
            "<text x=230 y={} text-anchor=end>{}</text>\
            <rect x=240 y={y} width={} height=15 fill=none stroke=#8a9bab />\
            <rect x=240 y={y} width={} height=15 fill=#2f7d6d />\
            <text x={} y={}>{caught}</text>",
            y + 12,
            escape(name),
            width(row.lost_cents),
            width(row.caught_cents),
            248 + width(row.lost_cents),
            y + 12
        )?;
    }
    page.push_str("</svg>");
    Ok(())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

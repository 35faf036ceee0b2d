//! A round as a page that needs nothing beside it.

use std::fmt::Display;
use std::io::{self, Write};

use catwalk_events::Timestamp;

use super::{NOT_HELD, Story, clock, dollars};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
    color:#111;background:#fff}h1{font-size:1.3rem}\
    h2{font-size:1.05rem;margin-top:2rem}table{border-collapse:collapse;width:100%}\
    th,td{text-align:left;padding:.2rem .6rem;border-bottom:1px solid #ccc;vertical-align:top}\
    .n{text-align:right;font-variant-numeric:tabular-nums}";

impl Story {
    pub(super) fn page(&self, out: &mut dyn Write) -> io::Result<()> {
        let title = escaped(&format!("Round {}", self.round));
        writeln!(
            out,
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
             <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head><body>\n\
             <h1>{title}</h1>"
        )?;
        for round in &self.rounds {
            let dealer = round.dealer.as_deref().unwrap_or("unknown");
            let told = format!(
                "{} ({}) at table {} of {}, dealer {dealer}, {} to {} UTC",
                round.game,
                round.edition,
                round.table_id,
                round.property,
                Timestamp::from_micros(round.opened_at),
                clock(round.closed_at)
            );
            writeln!(
                out,
                "<p>{}</p>\n<p>{}</p>",
                escaped(&told),
                escaped(&round.sum())
            )?;
        }
        if self.rounds.is_empty() {
            writeln!(out, "<p>Not settled yet.</p>")?;
        }
        self.page_of_findings(out)?;
        self.page_of_wagers(out)?;
        writeln!(
            out,
            "<h2>What happened</h2>\n<table><tr><th>UTC</th><th>event</th><th></th></tr>"
        )?;
        for event in &self.events {
            let told = event.words();
            row(
                out,
                &[
                    (&clock(event.at), false),
                    (&event.seq, true),
                    (&told, false),
                ],
            )?;
        }
        writeln!(out, "</table>\n</body></html>")
    }

    fn page_of_findings(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "<h2>Findings</h2>")?;
        if self.findings.is_empty() {
            return writeln!(out, "<p>{}</p>", self.nothing_found());
        }
        writeln!(
            out,
            "<table><tr><th>severity</th><th>code</th><th class=\"n\">exposure</th><th>what was seen</th><th>by</th>\
             <th>events</th></tr>"
        )?;
        for finding in &self.findings {
            let evidence: Vec<String> = finding.evidence.iter().map(i64::to_string).collect();
            row(
                out,
                &[
                    (&finding.severity, false),
                    (&finding.code, false),
                    (&dollars(finding.exposure_cents), true),
                    (&finding.message, false),
                    (&finding.cites.join("; "), false),
                    (&evidence.join(", "), false),
                ],
            )?;
        }
        writeln!(out, "</table>")?;
        match self.is_judged() {
            true => Ok(()),
            false => writeln!(out, "<p>{NOT_HELD}</p>"),
        }
    }

    fn page_of_wagers(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "<h2>Wagers</h2>\n<table><tr><th>wager</th><th class=\"n\">seat</th><th>player</th><th>on</th>\
             <th class=\"n\">stake</th><th>result</th><th class=\"n\">due</th><th class=\"n\">given</th>\
             <th class=\"n\">difference</th></tr>"
        )?;
        for wager in &self.wagers {
            let money = |cents: Option<i64>| cents.map(dollars).unwrap_or_default();
            row(
                out,
                &[
                    (&wager.wager, false),
                    (&wager.seat, true),
                    (&wager.player.as_deref().unwrap_or_default(), false),
                    (&wager.kind, false),
                    (&dollars(wager.amount_cents), true),
                    (&wager.result.as_deref().unwrap_or_default(), false),
                    (&money(wager.returned_cents), true),
                    (&money(wager.given_cents), true),
                    (
                        &money(wager.difference_cents.filter(|cents| *cents != 0)),
                        true,
                    ),
                ],
            )?;
        }
        writeln!(out, "</table>")
    }
}

/// A row of cells; those that are numbers stand to the right.
fn row(out: &mut dyn Write, cells: &[(&dyn Display, bool)]) -> io::Result<()> {
    write!(out, "<tr>")?;
    for (cell, is_number) in cells {
        let class = if *is_number { " class=\"n\"" } else { "" };
        write!(out, "<td{class}>{}</td>", escaped(&cell.to_string()))?;
    }
    writeln!(out, "</tr>")
}

/// Text of the floor is text: nothing in it is markup.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_floor_says_is_never_markup() {
        assert_eq!(
            escaped("<img src=x onerror='alert(\"&\")'>"),
            "&lt;img src=x onerror=&#39;alert(&quot;&amp;&quot;)&#39;&gt;"
        );
    }
}

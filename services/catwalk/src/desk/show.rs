//! Incidents as the terminal shows them.

use std::io::{self, IsTerminal, Write};

use catwalk_rules::floor::Cents;
use serde_json::Value;

use crate::output;

/// The queue, most pressing first.
pub(super) fn queue(listed: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let incidents = listed["incidents"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    if incidents.is_empty() {
        writeln!(out, "no incident is as you ask")?;
    } else {
        let mut table = output::table(&["id", "p", "time", "table", "stake", "who", "what"]);
        if !io::stdout().is_terminal() {
            table.set_width(80);
        }
        for one in incidents {
            table.add_row([
                text(one, "id").get(..8).unwrap_or_default().to_owned(),
                number(one, "priority").to_string(),
                time(text(one, "began")).to_owned(),
                text(one, "table").to_owned(),
                stake(one),
                who(one),
                format!("{}{}", text(one, "headline"), more(one)),
            ]);
        }
        writeln!(out, "{table}")?;
    }
    let counts = &listed["counts"];
    let of = |at: usize| counts["by_priority"][at].as_u64().unwrap_or(0);
    writeln!(
        out,
        "\n{} open ({} of priority 1, {} of 2, {} of 3, {} of 4), {} not acknowledged",
        number(counts, "open"),
        of(0),
        of(1),
        of(2),
        of(3),
        number(counts, "unacknowledged")
    )?;
    if listed["more"] == true {
        writeln!(out, "there are more: --limit")?;
    }
    Ok(())
}

/// One incident in a line, as `watch` shows it.
pub(crate) fn line(one: &Value) -> String {
    format!(
        "{} p{} {:<10} {} {:<8} {:>11}  {}{}",
        time(text(one, "last")),
        number(one, "priority"),
        who(one),
        text(one, "id").get(..8).unwrap_or_default(),
        text(one, "table"),
        stake(one),
        text(one, "headline"),
        more(one),
    )
}

/// An incident with its findings and all that was done about it.
pub(super) fn whole(detail: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let one = &detail["incident"];
    let place = ["game", "round", "dealer", "player"];
    let place = place.iter().map(|field| text(one, field));
    let place: Vec<&str> = place.filter(|word| !word.is_empty()).collect();
    writeln!(
        out,
        "{}  priority {}  {}  {}",
        text(one, "id"),
        number(one, "priority"),
        text(one, "table"),
        text(one, "headline")
    )?;
    let mut table = output::plain_table();
    let mut row = |name: &str, value: String| {
        if !value.is_empty() {
            table.add_row([format!("  {name}"), value]);
        }
    };
    row("where", place.join(", "));
    row("began", text(one, "began").to_owned());
    row("house lost", money(one["exposure_cents"].as_i64()));
    row("at stake", money(one["at_stake_cents"].as_i64()));
    row("rules", words(&one["cites"]));
    row("status", status(one));
    row("level", text(one, "level").replace('_', " "));
    row("due by", text(one, "due_by").to_owned());
    row("recording", text(&one["camera"], "url").to_owned());
    row(
        "seen",
        format!("{}/{}", number(one, "acts"), number(one, "count")),
    );
    writeln!(out, "{table}")?;
    let findings = detail["findings"].as_array().map_or(&[][..], Vec::as_slice);
    writeln!(out, "\n{} findings:", number(one, "count"))?;
    for finding in findings {
        let closed = if finding["resolved"] == true {
            " (put right)"
        } else {
            ""
        };
        writeln!(
            out,
            "  {} {:<24} {}{closed}",
            time(text(finding, "at")),
            text(finding, "code"),
            text(finding, "message")
        )?;
    }
    let acts = detail["acts"].as_array().map_or(&[][..], Vec::as_slice);
    writeln!(
        out,
        "\n{} acts{}",
        acts.len(),
        if acts.is_empty() { "" } else { ":" }
    )?;
    for act in acts {
        writeln!(out, "  {}", deed(act))?;
    }
    Ok(())
}

/// An act in a line.
pub(super) fn deed(act: &Value) -> String {
    let mut told = format!(
        "{} {} {}",
        time(text(act, "at")),
        text(&act["by"], "id"),
        text(act, "deed").replace('_', " ")
    );
    if !text(act, "to").is_empty() {
        told.push_str(&format!(" to {}", text(act, "to").replace('_', " ")));
    }
    let how = &act["disposal"];
    if how.is_object() {
        told.push_str(&format!(" as {}", text(how, "verdict").replace('_', " ")));
        let recovered = how["recovered_cents"].as_i64();
        for (name, value) in [
            ("recovered", recovered.map(|cents| money(Some(cents)))),
            ("reviewed by", how["reviewer"].as_str().map(str::to_owned)),
            ("case", how["case"].as_str().map(str::to_owned)),
        ] {
            if let Some(value) = value {
                told.push_str(&format!(", {name} {value}"));
            }
        }
    }
    if !text(act, "note").is_empty() {
        told.push_str(&format!(": {}", text(act, "note")));
    }
    told
}

fn status(one: &Value) -> String {
    let held = text(&one["held"], "by");
    let mut told = match text(one, "status") {
        "resolved" => "closed by itself: all was put right before anybody took it up".to_owned(),
        other => other.to_owned(),
    };
    if !held.is_empty() {
        told.push_str(&format!(
            ", held by {held} since {}",
            text(&one["held"], "since")
        ));
    }
    if !text(one, "acknowledged").is_empty() {
        told.push_str(&format!(", acknowledged {}", text(one, "acknowledged")));
    }
    told
}

/// Who has it, or what became of it.
fn who(one: &Value) -> String {
    let held = text(&one["held"], "by");
    match text(one, "status") {
        "open" if !held.is_empty() => held.to_owned(),
        "open" if text(one, "acknowledged").is_empty() => "new".to_owned(),
        "open" => "seen".to_owned(),
        closed => closed.to_owned(),
    }
}

/// How many findings stand beside the one of the headline.
fn more(one: &Value) -> String {
    match number(one, "count") {
        0 | 1 => String::new(),
        count => format!(" (+{})", count - 1),
    }
}

fn stake(one: &Value) -> String {
    match one["exposure_cents"].as_i64() {
        Some(0) | None => String::new(),
        cents => money(cents),
    }
}

fn money(cents: Option<i64>) -> String {
    cents.map_or_else(String::new, |cents| Cents::new(cents).to_string())
}

fn words(list: &Value) -> String {
    let words = list.as_array().into_iter().flatten();
    let words: Vec<&str> = words.filter_map(Value::as_str).collect();
    words.join("; ")
}

fn text<'a>(of: &'a Value, field: &str) -> &'a str {
    of[field].as_str().unwrap_or_default()
}

fn number(of: &Value, field: &str) -> u64 {
    of[field].as_u64().unwrap_or(0)
}

/// The time of day of a moment.
fn time(at: &str) -> &str {
    at.get(11..19).unwrap_or(at)
}

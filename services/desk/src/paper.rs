//! The log and the report of a shift on paper: as plain text, and as a page that prints.

use std::sync::Arc;

use catwalk_events::Timestamp;
use catwalk_events::audit::EntryKind;
use catwalk_hands::floor::Cents;
use jiff::tz::TimeZone;
use serde::Deserialize;

use crate::duties::Duty;
use crate::journal::Entry;
use crate::room::{Dossier, Settings};
use crate::shift::{Shift, TableShift};

/// How it is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Form {
    #[default]
    Json,
    Text,
    Html,
}

/// A title and sections of lines.
pub(crate) struct Page {
    title: String,
    about: Vec<String>,
    /// What keeps it from being whole.
    gaps: Vec<String>,
    sections: Vec<Section>,
}

struct Section {
    title: String,
    /// What is said where there are no rows.
    none: &'static str,
    rows: Vec<Vec<String>>,
}

const STYLE: &str = "body{font:14px/1.45 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;\
    color:#111;background:#fff}h1{font-size:1.3rem}h2{font-size:1rem;margin:1.6rem 0 .3rem}\
    table{border-collapse:collapse;width:100%}td{padding:.2rem .6rem .2rem 0;border-bottom:1px solid #ddd;\
    vertical-align:top;font-variant-numeric:tabular-nums}.gap{border-left:4px solid #b00;padding-left:.6rem}\
    @media print{body{margin:0;max-width:none}h2{break-after:avoid}tr{break-inside:avoid}}";

impl Page {
    pub(crate) fn text(&self) -> String {
        let mut lines = vec![self.title.clone()];
        lines.extend(self.about.iter().cloned());
        lines.extend(self.gaps.iter().map(|gap| format!("NOT WHOLE: {gap}")));
        for section in &self.sections {
            lines.push(format!("\n{}", section.title));
            if section.rows.is_empty() {
                lines.push(format!("  {}", section.none));
            }
            for row in &section.rows {
                let cells: Vec<&str> = row.iter().map(String::as_str).collect();
                let said: Vec<&str> = cells.into_iter().filter(|cell| !cell.is_empty()).collect();
                lines.push(format!("  {}", said.join("  ").replace('\n', "\n    ")));
            }
        }
        lines.join("\n") + "\n"
    }

    pub(crate) fn html(&self) -> String {
        let title = escaped(&self.title);
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
             <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head><body>\n\
             <h1>{title}</h1>\n"
        );
        for line in &self.about {
            page.push_str(&format!("<p>{}</p>\n", escaped(line)));
        }
        for gap in &self.gaps {
            page.push_str(&format!(
                "<p class=\"gap\"><b>Not whole:</b> {}</p>\n",
                escaped(gap)
            ));
        }
        for section in &self.sections {
            page.push_str(&format!("<h2>{}</h2>\n", escaped(&section.title)));
            if section.rows.is_empty() {
                page.push_str(&format!("<p>{}</p>\n", section.none));
                continue;
            }
            page.push_str("<table>\n");
            for row in &section.rows {
                let cells = row.iter().map(|cell| escaped(cell).replace('\n', "<br>"));
                let cells: String = cells.map(|cell| format!("<td>{cell}</td>")).collect();
                page.push_str(&format!("<tr>{cells}</tr>\n"));
            }
            page.push_str("</table>\n");
        }
        page + "</body></html>\n"
    }
}

/// As a part of a page, whatever somebody wrote.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The house's own clock.
struct Clock(TimeZone);

impl Clock {
    fn of(settings: &Settings) -> Clock {
        Clock(TimeZone::get(&settings.time_zone).unwrap_or(TimeZone::UTC))
    }

    fn tell(&self, at: Timestamp) -> String {
        match jiff::Timestamp::from_microsecond(at.micros()) {
            Ok(moment) => {
                let local = moment.to_zoned(self.0.clone());
                local.strftime("%Y-%m-%d %H:%M:%S").to_string()
            }
            Err(_) => at.to_string(),
        }
    }
}

pub(crate) fn log(entries: &[Arc<Entry>], more: bool, settings: &Settings) -> Page {
    let clock = Clock::of(settings);
    let mut gaps = Vec::new();
    if more {
        gaps.push("there are more entries than are shown here".to_owned());
    }
    Page {
        title: "Surveillance log".to_owned(),
        about: vec![format!(
            "{} entries, times in {}",
            entries.len(),
            settings.time_zone
        )],
        gaps,
        sections: vec![Section {
            title: "Entries, the newest first".to_owned(),
            none: "There are none.",
            rows: entries.iter().map(|entry| row(entry, &clock)).collect(),
        }],
    }
}

fn row(entry: &Entry, clock: &Clock) -> Vec<String> {
    vec![
        format!("{} no. {}", entry.property, entry.said.number),
        clock.tell(entry.at),
        entry.by.id.clone(),
        words(entry, clock),
    ]
}

/// Everything that an entry says, in words.
fn words(entry: &Entry, clock: &Clock) -> String {
    let said = &entry.said;
    let mut first = said.kind.name().replace('_', " ");
    if let Some(number) = said.refers_to {
        first.push_str(&format!(" of no. {number}"));
    }
    if let Some(to) = &entry.to {
        first.push_str(&format!(" to {to}"));
    }
    let place = entry.table.as_ref().or(said.place.as_ref());
    if let Some(place) = place {
        first.push_str(&format!(", {place}"));
    }
    let mut lines = vec![format!("{first}: {}", said.summary)];
    let persons = (!said.persons.is_empty()).then(|| said.persons.join(", "));
    let recording = said.recording_from.map(|from| {
        let until = said.recording_until.map(|until| clock.tell(until));
        format!("{} to {}", clock.tell(from), until.unwrap_or_default())
    });
    let rest = [
        ("initiator", said.initiator.clone()),
        ("reason", said.reason.clone()),
        ("persons", persons),
        ("violation", said.violation.clone()),
        ("recording", recording),
        ("outcome", said.outcome.clone()),
    ];
    let rest = rest.into_iter();
    lines.extend(rest.filter_map(|(name, value)| Some(format!("{name}: {}", value?))));
    lines.join("\n")
}

pub(crate) fn shift(shift: &Shift, settings: &Settings) -> Page {
    let clock = Clock::of(settings);
    let span = &shift.span;
    let [one, two, three, four] = shift.by_priority();
    let closed = shift.came.iter().filter(|one| one.record.status != "open");
    Page {
        title: format!(
            "Shift report{}",
            span.property
                .as_ref()
                .map_or_else(String::new, |own| format!(", {own}"))
        ),
        about: vec![
            format!(
                "{} to {}, {}; made {}",
                clock.tell(span.from),
                clock.tell(span.until),
                settings.time_zone,
                clock.tell(shift.made_at)
            ),
            format!(
                "{} incidents came (priority 1: {one}, 2: {two}, 3: {three}, 4: {four}), {} of them are closed, \
                 {} went up because a deadline passed; {} are open.",
                shift.came.len(),
                closed.count(),
                shift.late,
                shift.open.len()
            ),
        ],
        gaps: shift.gaps.clone(),
        sections: sections(shift, &clock),
    }
}

fn sections(shift: &Shift, clock: &Clock) -> Vec<Section> {
    let of_kind = |kind| shift.of_kind(kind).map(|entry| row(entry, clock)).collect();
    let section = |title: &str, none, rows| Section {
        title: title.to_owned(),
        none,
        rows,
    };
    let incident = |dossier: &Arc<Dossier>| incident(dossier, clock);
    let people = shift.people.iter().map(|one| {
        let did = format!("{} acts, {} entries", one.acts, one.entries);
        vec![one.id.clone(), one.role.name().replace('_', " "), did]
    });
    let tables = || shift.tables.iter();
    let money = tables().flat_map(|table| money(table, clock));
    let extended = tables().flat_map(|table| {
        let since = |(set, at): &(String, Timestamp)| {
            vec![
                table.table.clone(),
                set.clone(),
                format!("since {}", clock.tell(*at)),
            ]
        };
        table.extended.iter().map(since).collect::<Vec<_>>()
    });
    vec![
        section(
            "Open now",
            "Nothing is open.",
            shift.open.iter().map(incident).collect(),
        ),
        section(
            "Incidents of this shift",
            "None came.",
            shift.came.iter().map(incident).collect(),
        ),
        section(
            "Watched by the room",
            "Nothing is written down.",
            of_kind(EntryKind::Watched),
        ),
        section(
            "Fills, credits, drops and counts told by the floor",
            "None were told.",
            money.collect(),
        ),
        section(
            "Camera outages",
            "None is written down.",
            of_kind(EntryKind::CameraOutage),
        ),
        section(
            "Feed",
            "No table had a gap or fell silent.",
            tables().filter_map(feed).collect(),
        ),
        section(
            "Cards in extended use",
            "None are known.",
            extended.collect(),
        ),
        section(
            "Duties to tell",
            "Nothing was to be told.",
            shift.duties.iter().map(|duty| told(duty, clock)).collect(),
        ),
        section(
            "Told outside the room",
            "Nobody, by what is written down.",
            of_kind(EntryKind::Notification),
        ),
        section("At work", "Nobody did or wrote anything.", people.collect()),
        section(
            "Hand-over",
            "The shift was not handed over.",
            handed_over(shift, clock),
        ),
    ]
}

fn incident(dossier: &Arc<Dossier>, clock: &Clock) -> Vec<String> {
    let one = &dossier.record;
    let stands = match (&one.verdict, &one.held_by) {
        (Some(verdict), _) => verdict.replace('_', " "),
        (None, Some(by)) => format!("{}, held by {by}", one.status),
        (None, None) => one.status.clone(),
    };
    let short = one.id.get(..8).unwrap_or(&one.id);
    vec![
        format!("P{}", one.priority),
        short.to_owned(),
        clock.tell(one.heard),
        one.table.clone(),
        one.headline.clone(),
        stands,
    ]
}

fn told(duty: &Duty, clock: &Clock) -> Vec<String> {
    let stands = match &duty.receipt {
        Some(receipt) => {
            let at = clock.tell(receipt.at);
            format!("{} {at} by {}: {}", duty.status(), receipt.by, receipt.how)
        }
        None => format!("{}, due {}", duty.status(), clock.tell(duty.due_by)),
    };
    vec![
        duty.id.clone(),
        duty.table.clone(),
        format!("{} ({}): {}", duty.to, duty.section, duty.what),
        stands,
    ]
}

fn money(table: &TableShift, clock: &Clock) -> Vec<Vec<String>> {
    let rows = table.money.iter().map(|moved| {
        vec![
            table.table.clone(),
            clock.tell(moved.at),
            moved.what.name().to_owned(),
            moved.name.clone().unwrap_or_default(),
            moved.cents.map(dollars).unwrap_or_default(),
        ]
    });
    rows.collect()
}

fn dollars(cents: i64) -> String {
    Cents::new(cents).to_string()
}

fn feed(table: &TableShift) -> Option<Vec<String>> {
    let minutes = |millis: i64| format!("{}.{} min", millis / 60_000, millis % 60_000 / 6_000);
    let mut told = Vec::new();
    if table.lost > 0 {
        let gap = minutes(table.gap_ms);
        told.push(format!("{} events lost, in {gap}", table.lost));
    }
    if table.silent_ms > 0 {
        told.push(format!("silent for {}", minutes(table.silent_ms)));
    }
    (!told.is_empty()).then(|| vec![table.property.clone(), table.table.clone(), told.join("; ")])
}

fn handed_over(shift: &Shift, clock: &Clock) -> Vec<Vec<String>> {
    let Some((offer, taken)) = &shift.handed_over else {
        return Vec::new();
    };
    let mut rows = vec![row(offer, clock)];
    match taken {
        Some(taken) => rows.push(row(taken, clock)),
        None => rows.push(vec!["Nobody has taken it over yet.".to_owned()]),
    }
    rows
}

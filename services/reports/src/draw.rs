//! Asks the queries of a report.

use catwalk_hands::floor::Cents;
use catwalk_query::{Session, named};
use catwalk_rules::Rulebook;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Deserialize;

use crate::catalog::{Group, Report, Section};
use crate::paper::{Caveat, Cell, Column, ColumnKind, Paper, Part, day};
use crate::{Asked, Period, Result, edges};

/// What a house has beside its archive.
#[derive(Debug)]
pub struct House<'a> {
    pub rulebook: &'a Rulebook,
    /// As the IANA names it.
    pub time_zone: &'a str,
    /// The hour at which a gaming day begins.
    pub gaming_day_hour: u8,
    /// Where the archive is, and what proves it.
    pub archive: Vec<(String, String)>,
}

/// Draws a report.
pub async fn draw(
    session: &Session,
    report: &'static Report,
    asked: &Asked,
    house: &House<'_>,
) -> Result<Paper> {
    if report.needs_edges {
        edges::tell_edges(session, house.rulebook, asked.period).await?;
    }
    // Moments are told in the time of the house; where nobody knows its zone, in that of the archive.
    let zone = TimeZone::get(house.time_zone).unwrap_or(TimeZone::UTC);
    let mut parts = Vec::new();
    let mut so_far = None;
    for (at, section) in report.sections.iter().enumerate() {
        if at == 0 && report.to_date {
            // The days that are asked for are among those that are summed up to date: one question tells both.
            let period = asked.period.with_to_date();
            let whole = ask_in(session, section, asked, period, &zone).await?;
            parts.push(whole.within(asked.period));
            so_far = Some(whole);
        } else {
            parts.push(ask_in(session, section, asked, asked.period, &zone).await?);
        }
    }
    if let Some(main) = parts.first() {
        let mut groups: Vec<Part> = report
            .groups
            .iter()
            .filter_map(|group| main.grouped(group))
            .collect();
        groups.extend(so_far.and_then(|whole| to_date(&whole, asked.period)));
        // What is summed up stands next to what it sums up.
        let rest = parts.split_off(1);
        parts.extend(groups);
        parts.extend(rest);
    }
    Ok(Paper {
        report,
        asked: asked.clone(),
        caveats: caveats(session, report, asked).await?,
        parts,
        foot: foot(session, report, asked, house).await?,
    })
}

/// The answer of a section's query, laid out, in universal time.
pub(crate) async fn ask(
    session: &Session,
    section: &Section,
    asked: &Asked,
    period: Period,
) -> Result<Part> {
    ask_in(session, section, asked, period, &TimeZone::UTC).await
}

async fn ask_in(
    session: &Session,
    section: &Section,
    asked: &Asked,
    period: Period,
    zone: &TimeZone,
) -> Result<Part> {
    let query = named::find(section.query)?;
    let names: Vec<&str> = query
        .parameters
        .iter()
        .map(|parameter| parameter.name.as_str())
        .collect();
    let answer = session.named(query, &asked.values(period, &names)).await?;
    let schema = answer.schema();
    let columns: Vec<Column> = schema
        .fields()
        .iter()
        .map(|field| Column::of(field))
        .collect();
    Part::of(section, &columns, &answer.collect().await?, zone)
}

/// The sums of the month and of the year up to the last day.
fn to_date(whole: &Part, asked: Period) -> Option<Part> {
    let group = Group {
        title: "To date",
        by: "of",
        bars: None,
    };
    let mut all: Option<Part> = None;
    for (words, period) in asked.to_date() {
        let mut part = whole.within(period);
        part.columns.push(Column {
            name: "of".to_owned(),
            kind: ColumnKind::Text,
        });
        for row in &mut part.rows {
            row.push(Cell::Text(words.to_owned()));
        }
        let grouped = part.grouped(&group)?;
        match &mut all {
            Some(all) => all.rows.extend(grouped.rows),
            None => all = Some(grouped),
        }
    }
    let all = all?;
    Some(Part {
        // No formula reckons them: their rows are not in the workbook.
        by: None,
        sums: Vec::new(),
        ..all
    })
}

#[derive(Deserialize)]
struct Told {
    gaming_day: Option<i32>,
    table_id: Option<String>,
    what: String,
    times: i64,
    uncertain_cents: Option<i64>,
    amount_is: Option<String>,
}

/// What is not final about the days, and about those before them that are summed up too.
async fn caveats(session: &Session, report: &Report, asked: &Asked) -> Result<Vec<Caveat>> {
    let mut caveats = open_days(session, asked).await?;
    caveats.extend(untold(session, asked).await?);
    if !report.to_date {
        caveats.extend(caveats_of(session, asked, asked.period).await?);
        return Ok(caveats);
    }
    let whole = caveats_of(session, asked, asked.period.with_to_date()).await?;
    let (earlier, of_days): (Vec<&Caveat>, Vec<&Caveat>) = whole
        .iter()
        .partition(|caveat| is_before(caveat, asked.period.first));
    caveats.extend(of_days.into_iter().cloned());
    for (words, period) in asked.period.to_date() {
        let summed = || {
            earlier
                .iter()
                .filter(|caveat| !is_before(caveat, period.first))
        };
        let times = summed().count();
        if times > 0 {
            caveats.push(Caveat {
                day: None,
                table: None,
                what: format!("{words}: what is not final before {}", asked.period.first),
                times: i64::try_from(times).unwrap_or(i64::MAX),
                uncertain: Some(summed().filter_map(|caveat| caveat.uncertain).sum()),
                amount_is: Some("in the sums to date alone".to_owned()),
            });
        }
    }
    Ok(caveats)
}

fn is_before(caveat: &Caveat, first: Date) -> bool {
    caveat.day.is_some_and(|day| day < first)
}

async fn caveats_of(session: &Session, asked: &Asked, period: Period) -> Result<Vec<Caveat>> {
    let query = named::find("report-caveats")?;
    let values = asked.values(period, &["first", "last", "table"]);
    let told: Vec<Told> = session.named(query, &values).await?.read().await?;
    let caveat = |told: Told| Caveat {
        day: told.gaming_day.and_then(day),
        table: told.table_id,
        what: told.what,
        times: told.times,
        uncertain: told.uncertain_cents.map(Cents::new),
        amount_is: told.amount_is,
    };
    Ok(told.into_iter().map(caveat).collect())
}

#[derive(Deserialize)]
struct Rows {
    of_days: i64,
    of_pit: i64,
    of_shift: i64,
}

/// Of what nobody told anything, nothing can be final: a table, a pit or a shift that is none, days before the first.
async fn untold(session: &Session, asked: &Asked) -> Result<Option<Caveat>> {
    let sql = "SELECT \
               count(*) FILTER (WHERE gaming_day BETWEEN $first AND $last AND ($table IS NULL OR table_id = $table)) \
               AS of_days, count(*) FILTER (WHERE $pit IS NULL OR pit = $pit) AS of_pit, \
               count(*) FILTER (WHERE $shift IS NULL OR shift = $shift) AS of_shift FROM money";
    let told: Vec<Rows> = session.ask(sql, asked.bound()).await?.read().await?;
    let is_told = |told: &Rows| told.of_days > 0 && told.of_pit > 0 && told.of_shift > 0;
    if told.first().is_some_and(is_told) {
        return Ok(None);
    }
    Ok(Some(Caveat {
        day: None,
        table: None,
        what: format!("nothing was told of this: {}", asked.words()),
        times: 1,
        uncertain: None,
        amount_is: None,
    }))
}

#[derive(Deserialize)]
struct LastDay {
    last: Option<i32>,
}

/// A gaming day is over when something was told of a later one.
async fn open_days(session: &Session, asked: &Asked) -> Result<Vec<Caveat>> {
    let sql = "SELECT max(gaming_day) AS last FROM money";
    let last: Vec<LastDay> = session.sql(sql).await?.read().await?;
    let last: Option<Date> = last.first().and_then(|last| last.last).and_then(day);
    if last.is_some_and(|last| last > asked.period.last) {
        return Ok(Vec::new());
    }
    let what = match last {
        Some(last) if last >= asked.period.first => {
            "may still be open: nothing was told of a later day".to_owned()
        }
        Some(last) => {
            format!("nothing was told of these days; the last that the archive has is {last}")
        }
        None => "the archive has no money in it".to_owned(),
    };
    Ok(vec![Caveat {
        day: Some(last.unwrap_or(asked.period.last)).filter(|day| asked.period.first <= *day),
        table: None,
        what,
        times: 1,
        uncertain: None,
        amount_is: None,
    }])
}

#[derive(Deserialize)]
struct Days {
    first: Option<String>,
    last: Option<String>,
}

/// The days that the archive tells of: sums to date begin with the first.
async fn days_told(session: &Session) -> Result<Option<(String, String)>> {
    let sql = "SELECT CAST(min(gaming_day) AS VARCHAR) AS first, CAST(max(gaming_day) AS VARCHAR) AS last FROM money";
    let days: Vec<Days> = session.sql(sql).await?.read().await?;
    let days = days
        .into_iter()
        .next()
        .and_then(|days| days.first.zip(days.last));
    Ok(days.map(|(first, last)| {
        (
            "the archive tells of".to_owned(),
            format!("{first} to {last}"),
        )
    }))
}

#[derive(Deserialize)]
struct Judged {
    game: String,
    edition: String,
    rules: Option<String>,
    rounds: i64,
}

/// What it was made from.
async fn foot(
    session: &Session,
    report: &Report,
    asked: &Asked,
    house: &House<'_>,
) -> Result<Vec<(String, String)>> {
    let mut foot = vec![("to follow a figure".to_owned(), report.follow.to_owned())];
    foot.extend(house.archive.iter().cloned());
    foot.extend(days_told(session).await?);
    let versions = session
        .versions()
        .iter()
        .map(|table| format!("{} {}", table.table, table.version));
    foot.push((
        "table versions".to_owned(),
        versions.collect::<Vec<_>>().join(", "),
    ));
    foot.push(("time zone".to_owned(), house.time_zone.to_owned()));
    let rule = format!(
        "a gaming day begins at {:02}:00 and has the name of that date",
        house.gaming_day_hour
    );
    foot.push(("gaming day".to_owned(), rule));
    let sql = "SELECT game, edition, rules, count(*) AS rounds FROM rounds \
               WHERE gaming_day BETWEEN $first AND $last AND ($table IS NULL OR table_id = $table) \
               GROUP BY game, edition, rules ORDER BY game, edition, rules";
    let judged: Vec<Judged> = session.ask(sql, asked.bound()).await?.read().await?;
    for judged in judged {
        let by = judged.rules.as_deref().unwrap_or("not judged");
        let said = format!(
            "{} {}: {} ({} rounds)",
            judged.game, judged.edition, by, judged.rounds
        );
        foot.push(("rules".to_owned(), said));
    }
    Ok(foot)
}

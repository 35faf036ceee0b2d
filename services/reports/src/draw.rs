//! Asks the queries of a report.

use catwalk_hands::floor::Cents;
use catwalk_query::{Session, named};
use catwalk_rules::Rulebook;
use jiff::civil::Date;
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
    let mut parts = Vec::new();
    for section in report.sections {
        parts.push(ask(session, section, asked, asked.period).await?);
    }
    if let Some(main) = parts.first() {
        let mut groups: Vec<Part> = report
            .groups
            .iter()
            .filter_map(|group| main.grouped(group))
            .collect();
        if report.to_date {
            groups.extend(to_date(session, report, main, asked).await?);
        }
        // What is summed up stands next to what it sums up.
        let rest = parts.split_off(1);
        parts.extend(groups);
        parts.extend(rest);
    }
    Ok(Paper {
        report,
        asked: asked.clone(),
        caveats: caveats(session, asked).await?,
        parts,
        foot: foot(session, asked, house).await?,
    })
}

/// The answer of a section's query, laid out.
pub(crate) async fn ask(
    session: &Session,
    section: &Section,
    asked: &Asked,
    period: Period,
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
    Part::of(section, &columns, &answer.collect().await?)
}

/// The sums of the month and of the year up to the last day.
async fn to_date(
    session: &Session,
    report: &Report,
    main: &Part,
    asked: &Asked,
) -> Result<Option<Part>> {
    let mut rows = Vec::new();
    let mut columns = None;
    for (words, period) in asked.period.to_date() {
        let Some(section) = report.sections.first() else {
            return Ok(None);
        };
        let mut part = ask(session, section, asked, period).await?;
        part.columns.push(Column {
            name: "of".to_owned(),
            kind: ColumnKind::Text,
        });
        for row in &mut part.rows {
            row.push(Cell::Text(words.to_owned()));
        }
        let group = Group {
            title: "To date",
            by: "of",
            bars: None,
        };
        if let Some(grouped) = part.grouped(&group) {
            columns.get_or_insert(grouped.columns);
            rows.extend(grouped.rows);
        }
    }
    Ok(columns.map(|columns| Part {
        title: "To date",
        query: None,
        columns,
        rows,
        formulas: main.formulas,
        sums: Vec::new(),
        by: None,
        bars: None,
        none: main.none,
    }))
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

/// What is not final about the days.
async fn caveats(session: &Session, asked: &Asked) -> Result<Vec<Caveat>> {
    let query = named::find("report-caveats")?;
    let values = asked.values(asked.period, &["first", "last", "table"]);
    let told: Vec<Told> = session.named(query, &values).await?.read().await?;
    let mut caveats = open_days(session, asked).await?;
    caveats.extend(told.into_iter().map(|told| Caveat {
        day: told.gaming_day.and_then(day),
        table: told.table_id,
        what: told.what,
        times: told.times,
        uncertain: told.uncertain_cents.map(Cents::new),
        amount_is: told.amount_is,
    }));
    Ok(caveats)
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
            format!("{last} may still be open: nothing was told of a later day")
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
struct Judged {
    game: String,
    edition: String,
    rules: Option<String>,
    rounds: i64,
}

/// What it was made from.
async fn foot(
    session: &Session,
    asked: &Asked,
    house: &House<'_>,
) -> Result<Vec<(String, String)>> {
    let mut foot = house.archive.clone();
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

//! `catwalk rules`: the rulebook in force, for a person or a program.

use std::io::{self, BufWriter, Write};

use catwalk_rules::book::{Book, Editions, Finding, FindingSource};
use catwalk_rules::{AnyGame, Edition, Rulebook};
use comfy_table::Table;
use serde_json::{Value, json};

use crate::output::{plain_table, severity, table};
use crate::{Verdict, bad_usage, findings};

/// Show the rulebook in force: the games, or one game in full.
///
/// One game in full: its editions, the options that the rules leave to the licensee with what is
/// lawful and what is the default, its wagers, pay tables and figures, the findings it can raise, how
/// doubtful passages are read, and for each of them the section that says so.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk rules\n  catwalk rules roulette --edition oh-jack-2017\n  \
    catwalk rules minibaccarat --format json | jq '.tables[] | {id, cite}'\n  \
    catwalk rules minibaccarat --samples | head -1"
)]
pub(crate) struct Args {
    /// The game, as documents name it; all games in a list if left out.
    game: Option<String>,

    /// Only what holds in this edition.
    #[arg(long, value_parser = read_edition)]
    edition: Option<Edition>,

    /// For a person or for a program.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// The game's sample rounds instead, as documents for `catwalk settle`.
    #[arg(long, requires = "game")]
    samples: bool,

    /// Every code that can be found, of all games, as a page in Markdown.
    #[arg(long, conflicts_with_all = ["game", "edition"])]
    findings: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

fn read_edition(name: &str) -> Result<Edition, String> {
    Edition::from_name(name).ok_or_else(|| {
        format!(
            "editions are {}",
            Edition::ALL.map(Edition::name).join(", ")
        )
    })
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let rulebook = Rulebook::load()?;
    let out = &mut BufWriter::new(io::stdout().lock());
    match &args.game {
        None if args.findings => {
            out.write_all(findings::page(&rulebook).as_bytes())?;
        }
        None => list(&rulebook, args, out)?,
        Some(name) => {
            let game = rulebook
                .game(name)
                .unwrap_or_else(|refusal| bad_usage(&refusal.to_string()));
            if args.samples {
                print_samples(game, out)?;
            } else {
                show(game.book(), args, out)?;
            }
        }
    }
    out.flush()?;
    Ok(Verdict::Fine)
}

fn list(rulebook: &Rulebook, args: &Args, out: &mut impl Write) -> io::Result<()> {
    let in_edition = |game: &&dyn AnyGame| {
        args.edition
            .is_none_or(|edition| game.book().editions().any(|has| has == edition))
    };
    let games = rulebook.games().filter(in_edition).map(|game| game.book());
    if matches!(args.format, Format::Json) {
        let games: Vec<Value> = games
            .map(|book| {
                let editions: Vec<Edition> = book.editions().collect();
                json!({"game": book.game(), "title": book.title(), "editions": editions, "hash": book.hash()})
            })
            .collect();
        writeln!(
            out,
            "{:#}",
            json!({"games": games, "hash": rulebook.hash()})
        )?;
        return Ok(());
    }
    let mut table = table(&["game", "title", "editions", "wagers", "tables", "findings"]);
    for book in games {
        let kinds: std::collections::BTreeSet<&str> =
            book.wagers().iter().map(|wager| &*wager.kind).collect();
        table.add_row([
            book.game().to_owned(),
            book.title().to_owned(),
            book.editions()
                .map(Edition::name)
                .collect::<Vec<_>>()
                .join(", "),
            kinds.len().to_string(),
            book.tables().len().to_string(),
            book.findings().len().to_string(),
        ]);
    }
    writeln!(
        out,
        "{table}\nrulebook {}\n\n`catwalk rules GAME` shows one in full.",
        rulebook.hash()
    )
}

fn print_samples(game: &dyn AnyGame, out: &mut impl Write) -> anyhow::Result<()> {
    for line in game.examples().lines() {
        let sample: Value = serde_json::from_str(line)?;
        writeln!(out, "{}", sample["document"])?;
    }
    Ok(())
}

fn show(book: &Book, args: &Args, out: &mut impl Write) -> io::Result<()> {
    if let Some(edition) = args.edition
        && !book.editions().any(|has| has == edition)
    {
        let has: Vec<&str> = book.editions().map(Edition::name).collect();
        bad_usage(&format!(
            "{} has no edition {edition}; it has {}",
            book.game(),
            has.join(", ")
        ));
    }
    let book = &book.in_edition(args.edition);
    match args.format {
        Format::Json => writeln!(out, "{:#}", json!(book)),
        Format::Text => show_text(book, out),
    }
}

fn show_text(book: &Book, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{} ({})", book.title(), book.game())?;
    for entry in book.edition_entries() {
        writeln!(out, "  {}: {}", entry.edition, entry.text)?;
    }
    writeln!(out, "  data file sha256 {}", book.hash())?;

    section(out, "Options", book.options().len())?;
    for option in book.options() {
        let default = option
            .default
            .as_ref()
            .map_or("none".to_owned(), Value::to_string);
        let name = with_editions(
            book,
            &format!("{} = {default}", option.key),
            &option.editions,
        );
        writeln!(out, "  {} · {}", name.replace('\n', "  "), option.cite)?;
        let null = if option.nullable { ", or null" } else { "" };
        writeln!(
            out,
            "      {}\n      {}{null}",
            option.meaning, option.value
        )?;
        if let Some(lawful) = &option.lawful {
            writeln!(out, "      lawful: {lawful}")?;
        }
    }

    section(out, "Wagers", book.wagers().len())?;
    let mut wagers = table(&["wager", "wins", "pays", "cite"]);
    for wager in book.wagers() {
        wagers.add_row([
            with_editions(book, &wager.kind, &wager.editions),
            wager.meaning.clone(),
            wager
                .settled
                .clone()
                .unwrap_or_else(|| wager.pays.join(", ")),
            wager.cite.to_string(),
        ]);
    }
    print_table(out, &wagers)?;

    section(out, "Pay tables", book.tables().len())?;
    for pays in book.tables() {
        let title = with_editions(book, &pays.title, &pays.editions).replace('\n', " ");
        writeln!(out, "\n{} · {title} · {}", pays.id, pays.cite)?;
        let mut rows = plain_table();
        for row in &pays.rows {
            rows.add_row([
                &row.key,
                &row.pays.to_string(),
                row.when.as_deref().unwrap_or_default(),
            ]);
        }
        print_table(out, &rows)?;
    }

    section(out, "Figures", book.figures().len())?;
    let mut figures = table(&["figure", "value", "meaning", "cite"]);
    for figure in book.figures() {
        figures.add_row([
            with_editions(book, &figure.key, &figure.editions),
            figure.value.to_string().replace(',', ", ").replace('"', ""),
            figure.meaning.clone(),
            figure.cite.to_string(),
        ]);
    }
    print_table(out, &figures)?;

    section(out, "Findings", book.findings().len())?;
    let mut findings = table(&["finding", "severity", "raised when", "cite"]);
    for finding in book.findings() {
        findings.add_row([
            with_editions(book, &finding.code, &finding.editions),
            format!("{}\n{}", severity(finding.severity), shown_by(finding)),
            finding.meaning.clone(),
            finding.cite.to_string(),
        ]);
    }
    print_table(out, &findings)?;

    section(out, "Readings of doubtful passages", book.readings().len())?;
    let mut readings = table(&["cite", "reading"]);
    for reading in book.readings() {
        let cite = with_editions(book, &reading.cite.to_string(), &reading.editions);
        readings.add_row([cite, reading.reading.clone()]);
    }
    print_table(out, &readings)
}

fn shown_by(finding: &Finding) -> &'static str {
    match finding.shown_by {
        FindingSource::Document => "document",
        FindingSource::Events => "events",
    }
}

fn section(out: &mut impl Write, title: &str, entries: usize) -> io::Result<()> {
    if entries > 0 {
        writeln!(out, "\n{title}")?;
    }
    Ok(())
}

/// The name, and below it the editions that an entry belongs to where the book has others too.
fn with_editions(book: &Book, name: &str, editions: &Editions) -> String {
    if book.editions().all(|edition| editions.holds(edition)) {
        return name.to_owned();
    }
    let editions: Vec<&str> = editions.listed().map(Edition::name).collect();
    format!("{name}\n[{}]", editions.join(", "))
}

fn print_table(out: &mut impl Write, table: &Table) -> io::Result<()> {
    match table.row_count() {
        0 => Ok(()),
        _ => writeln!(out, "{table}"),
    }
}

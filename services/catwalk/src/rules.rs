//! `catwalk rules`: the rulebook in force, for a person or a program.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use catwalk_rules::book::{Book, Editions, Finding, FindingSource};
use catwalk_rules::{AnyGame, Edition, Refusal, Rulebook};
use comfy_table::Table;
use serde_json::{Value, json};

use crate::editions::{self, RulesArgs};
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
    catwalk rules minibaccarat --samples | head -1\n  \
    catwalk rules diff mgc-2017 oh-jack-2017 roulette\n  \
    catwalk rules check docs/house",
    args_conflicts_with_subcommands = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Option<Task>,

    /// The game, as documents name it; all games in a list if left out.
    game: Option<String>,

    /// Only what holds in this edition.
    #[arg(long)]
    edition: Option<String>,

    /// For a person or for a program.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// The game's sample rounds instead, as documents for `catwalk settle`.
    #[arg(long, requires = "game")]
    samples: bool,

    /// Every code that can be found, of all games, as a page in Markdown.
    #[arg(long, conflicts_with_all = ["game", "edition"])]
    findings: bool,

    #[command(flatten)]
    rules: RulesArgs,
}

#[derive(clap::Subcommand)]
enum Task {
    /// Show what differs between two editions, row by row, with what each cites.
    Diff {
        /// An edition, built-in or of a house.
        one: String,
        /// Another.
        other: String,
        /// Only this game; all of them and their equipment if left out.
        game: Option<String>,
        #[command(flatten)]
        rules: RulesArgs,
    },
    /// Read the folder of a house's edition, and say whether it can be in force.
    Check {
        /// The folder, with its edition.toml.
        folder: PathBuf,
    },
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let out = &mut BufWriter::new(io::stdout().lock());
    match &args.task {
        Some(Task::Check { folder }) => check(folder, out)?,
        Some(Task::Diff {
            one,
            other,
            game,
            rules,
        }) => diff(&rules.rulebook()?, [one, other], game.as_deref(), out)?,
        None => show_rules(args, out)?,
    }
    out.flush()?;
    Ok(Verdict::Fine)
}

fn show_rules(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let rulebook = args.rules.rulebook()?;
    if let Some(name) = args.edition.as_deref()
        && rulebook.edition(name).is_none()
    {
        let known = rulebook.edition_names();
        bad_usage(&Refusal::unknown("--edition", name, "an edition", &known).to_string());
    }
    match &args.game {
        None if args.findings => {
            out.write_all(findings::page(&rulebook).as_bytes())?;
        }
        None => list(&rulebook, args, out)?,
        Some(name) => {
            let game = match &args.edition {
                Some(edition) => rulebook.game_in(name, edition),
                None => rulebook.game(name),
            };
            let game = game.unwrap_or_else(|refusal| bad_usage(&refusal.to_string()));
            if args.samples {
                print_samples(game, args.edition.as_deref(), out)?;
            } else {
                show(game.book(), &rulebook, args, out)?;
            }
        }
    }
    Ok(())
}

/// Whether the edition of a folder can be in force; what cannot be is named by its place.
fn check(folder: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let rulebook = editions::with_folder(Rulebook::load()?, folder)?;
    for house in rulebook.houses() {
        let base = house.base();
        let found = rulebook.differences([base.name(), house.name()], None)?;
        writeln!(
            out,
            "{} over {base}: {} games, {} differences\n{}\nsha256 {}",
            house.name(),
            house.games().len(),
            found.len(),
            house.text(),
            house.hash()
        )?;
    }
    Ok(())
}

fn diff(
    rulebook: &Rulebook,
    editions: [&str; 2],
    game: Option<&str>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let found = rulebook
        .differences(editions, game)
        .unwrap_or_else(|refusal| bad_usage(&refusal.to_string()));
    if found.is_empty() {
        writeln!(out, "{} and {} say the same", editions[0], editions[1])?;
        return Ok(());
    }
    let mut rows = table(&["game", "what", editions[0], editions[1]]);
    for difference in found {
        let said = difference.said.map(|said| match said {
            Some(said) if said.cite.is_empty() => said.what,
            Some(said) => format!("{}\n{}", said.what, said.cite),
            None => "-".to_owned(),
        });
        let [one, other] = said;
        let game = difference.game.unwrap_or_else(|| "all".to_owned());
        rows.add_row([game, difference.place, one, other]);
    }
    writeln!(out, "{rows}")?;
    Ok(())
}

fn list(rulebook: &Rulebook, args: &Args, out: &mut impl Write) -> io::Result<()> {
    let games = match &args.edition {
        Some(edition) => rulebook.games_in(edition),
        None => rulebook.games().collect(),
    };
    let games = games.into_iter().map(|game| game.book());
    let houses = rulebook.houses().iter();
    if matches!(args.format, Format::Json) {
        let games: Vec<Value> = games
            .map(|book| {
                let editions: Vec<Edition> = book.editions().collect();
                json!({"game": book.game(), "title": book.title(), "editions": editions, "hash": book.hash()})
            })
            .collect();
        let houses = houses.map(|house| {
            json!({"edition": house.name(), "base": house.base(), "text": house.text(), "hash": house.hash()})
        });
        let houses: Vec<Value> = houses.collect();
        let all = json!({"games": games, "houses": houses, "hash": rulebook.hash()});
        writeln!(out, "{all:#}")?;
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
    writeln!(out, "{table}")?;
    for house in houses {
        let (name, base) = (house.name(), house.base());
        writeln!(
            out,
            "{name} over {base}: {} ({})",
            house.text(),
            house.hash()
        )?;
    }
    writeln!(
        out,
        "rulebook {}\n\n`catwalk rules GAME` shows one in full.",
        rulebook.hash()
    )
}

fn print_samples(
    game: &dyn AnyGame,
    edition: Option<&str>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut printed = 0;
    for line in game.examples().lines() {
        let sample: Value = serde_json::from_str(line)?;
        let document = &sample["document"];
        if edition.is_none_or(|edition| document["edition"] == edition) {
            writeln!(out, "{document}")?;
            printed += 1;
        }
    }
    anyhow::ensure!(
        printed > 0,
        "{} has no sample of edition {}; leave --edition out for those that it has",
        game.name(),
        edition.unwrap_or_default()
    );
    Ok(())
}

fn show(book: &Book, rulebook: &Rulebook, args: &Args, out: &mut impl Write) -> io::Result<()> {
    let edition = args.edition.as_deref();
    let edition = edition.and_then(|name| rulebook.edition(name));
    if let Some(edition) = edition
        && !book.editions().any(|has| has == edition)
    {
        let has: Vec<&str> = book.editions().map(Edition::name).collect();
        bad_usage(&format!(
            "{} has no edition {edition}; it has {}",
            book.game(),
            has.join(", ")
        ));
    }
    let book = &book.in_edition(edition);
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

//! `catwalk odds`: what each wager of a game is worth, by settling all that can happen.

use std::io::{self, BufWriter, Write};

use catwalk_odds::{Figures, Line, Sheet};
use catwalk_rules::{Edition, Rulebook};
use serde_json::Value;

use crate::editions::RulesArgs;
use crate::output::table;
use crate::{Verdict, bad_usage};

/// Show the odds of a game: how often each row pays, the house edge, the deviation.
///
/// Every figure is made by the settlement that re-settles the floor: all that can happen is dealt, settled and
/// added up. "edge" is what the house keeps of the first stake, "risk" what it keeps of all that is staked where
/// a wager can be raised, "sd" the standard deviation in first stakes. "basis" says on what a figure stands:
/// exact (nothing to decide), optimal play, or a strategy that it names. What is not computed is said so, with
/// why. JSON has the exact fractions; CSV has a line for each row.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  catwalk odds roulette\n  \
    catwalk odds craps --edition oh-jack-2017\n  \
    catwalk odds minibaccarat --options '{\"dragon_bonus\":\"B\",\"decks\":6}'\n  \
    catwalk odds sic_bo --format json | jq '.lines[].figures.house_edge'")]
pub(crate) struct Args {
    /// The game, as documents name it.
    game: String,

    /// The edition, built-in or of a house; the game's first if left out.
    #[arg(long)]
    edition: Option<String>,

    /// What the table posts, as in a round document; the rest is the default.
    #[arg(long, value_name = "JSON", default_value = "{}")]
    options: String,

    /// Count what takes minutes too, instead of telling what is kept of it.
    #[arg(long)]
    long: bool,

    /// For a person, a spreadsheet or a program.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    #[command(flatten)]
    rules: RulesArgs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Table,
    Csv,
    Json,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let rulebook = args.rules.rulebook()?;
    let options: Value = serde_json::from_str(&args.options)
        .unwrap_or_else(|error| bad_usage(&format!("--options is no JSON: {error}")));
    let edition = args.edition.clone();
    let edition = edition.unwrap_or_else(|| first_edition(&rulebook, &args.game).to_owned());
    let sheet = match catwalk_odds::odds(&rulebook, &args.game, &edition, &options, args.long) {
        Err(catwalk_odds::OddsError::Unknown(refusal)) => bad_usage(&refusal.to_string()),
        other => other?,
    };
    let out = &mut BufWriter::new(io::stdout().lock());
    match args.format {
        Format::Table => print_table(&sheet, out)?,
        Format::Csv => print_csv(&sheet, out)?,
        Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&sheet)?)?,
    }
    out.flush()?;
    Ok(Verdict::Fine)
}

fn first_edition(rulebook: &Rulebook, game: &str) -> &'static str {
    let game = rulebook.game(game);
    let game = game.unwrap_or_else(|refusal| bad_usage(&refusal.to_string()));
    let first = game.book().editions().next();
    first.map_or_else(|| bad_usage("the game has no edition"), Edition::name)
}

/// What a wager is called: its kind, and what it is on.
fn name(line: &Line) -> String {
    match &line.on[..] {
        [] => line.wager.clone(),
        // All numbers of a wheel are said by how many they are.
        on if on.len() > 8 => format!("{} (each of {})", line.wager, on.len()),
        on => format!("{} {}", line.wager, on.join(", ")),
    }
}

fn print_table(sheet: &Sheet, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "{} · {} · options {}",
        sheet.game, sheet.edition, sheet.options
    )?;
    let mut rows = table(&["wager", "wins", "pushes", "edge", "risk", "sd", "basis"]);
    if rows.width().is_none_or(|width| width > 80) {
        rows.set_width(80);
    }
    let (computed, rest): (Vec<&Line>, Vec<&Line>) =
        sheet.lines.iter().partition(|line| line.figures.is_some());
    let mut notes: Vec<&str> = Vec::new();
    for line in computed {
        let Some(figures) = &line.figures else {
            continue;
        };
        let mark = line.note.as_deref().map(|note| mark(&mut notes, note));
        rows.add_row([
            format!("{}{}", name(line), mark.unwrap_or_default()),
            figures.probability("win").percent(),
            figures.probability("push").percent(),
            figures.house_edge.percent(),
            risk(figures),
            format!("{:.4}", figures.standard_deviation()),
            line.basis.words(),
        ]);
    }
    if !rows.is_empty() {
        writeln!(out, "{rows}")?;
    }
    for (at, note) in notes.iter().enumerate() {
        writeln!(out, "[{}] {note}", at + 1)?;
    }
    if !rest.is_empty() {
        writeln!(out, "\nWithout figures:")?;
    }
    for line in rest {
        writeln!(out, "  {}: {}", name(line), line.basis.words())?;
    }
    if !sheet.violations.is_empty() {
        let codes = sheet.violations.join(", ");
        writeln!(
            out,
            "\nThe rules object to a table with these options: {codes}"
        )?;
    }
    writeln!(out, "rules sha256 {}", sheet.rules)
}

/// The number of a note, which is told once.
fn mark<'a>(notes: &mut Vec<&'a str>, note: &'a str) -> String {
    let at = notes.iter().position(|known| *known == note);
    let at = at.unwrap_or_else(|| {
        notes.push(note);
        notes.len() - 1
    });
    format!(" [{}]", at + 1)
}

fn risk(figures: &Figures) -> String {
    let risk = figures.element_of_risk.as_ref();
    risk.map_or_else(String::new, |risk| risk.percent())
}

/// A line for each row that a wager can come to; one without figures where there are none.
fn print_csv(sheet: &Sheet, out: &mut impl Write) -> io::Result<()> {
    let header = "game,edition,wager,on,basis,result,rows,gains,probability,probability_exact,\
                  house_edge,house_edge_exact,element_of_risk,standard_deviation,note,rules";
    writeln!(out, "{header}")?;
    for line in &sheet.lines {
        let head = [&*sheet.game, &*sheet.edition, &*line.wager]
            .map(quoted)
            .join(",");
        let (on, basis) = (quoted(&line.on.join(" ")), quoted(&line.basis.words()));
        let tail = format!(
            "{},{}",
            quoted(line.note.as_deref().unwrap_or_default()),
            sheet.rules
        );
        let Some(figures) = &line.figures else {
            writeln!(out, "{head},{on},{basis},,,,,,,,,,{tail}")?;
            continue;
        };
        let risk = figures.element_of_risk.as_ref();
        let risk = risk.map_or_else(String::new, |risk| risk.approximate().to_string());
        for row in &figures.rows {
            writeln!(
                out,
                "{head},{on},{basis},{},{},{},{},{},{},{},{risk},{},{tail}",
                row.result,
                quoted(&row.rows.join(" ")),
                row.gains,
                row.probability.approximate(),
                row.probability,
                figures.house_edge.approximate(),
                figures.house_edge,
                figures.standard_deviation(),
            )?;
        }
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

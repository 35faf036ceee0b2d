//! Every code that can be found, as a page.

use std::fmt::Write;

use catwalk_rules::Rulebook;
use catwalk_rules::book::{Finding, FindingSource};
use catwalk_rules::equipment::WatchFinding;

use crate::output;

/// Markdown, made from the data that the program judges by.
pub(crate) fn page(rulebook: &Rulebook) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write(rulebook, &mut page);
    page
}

fn write(rulebook: &Rulebook, page: &mut String) -> std::fmt::Result {
    page.push_str(
        "# Findings\n\nEvery code that can be found, with its severity, what it means and the section \
        that says so. Written by `catwalk rules --findings`.\n",
    );
    of_watch("Everywhere", rulebook.everywhere(), page)?;
    for chapter in rulebook.chapters() {
        let editions = chapter.editions().iter().map(ToString::to_string);
        let editions: Vec<String> = editions.collect();
        let title = format!(
            "{}, whatever the game ({})",
            chapter.title(),
            editions.join(", ")
        );
        of_watch(&title, chapter.findings(), page)?;
    }
    for game in rulebook.games() {
        let book = game.book();
        writeln!(
            page,
            "\n## {}\n\n`{}`. Codes marked * show in the round document: `catwalk settle` returns them in \
            `violations`.\n\n| code | severity | meaning | cite |\n| --- | --- | --- | --- |",
            book.title(),
            book.game()
        )?;
        for finding in book.findings() {
            row(finding, page)?;
        }
    }
    Ok(())
}

fn of_watch(title: &str, findings: &[WatchFinding], page: &mut String) -> std::fmt::Result {
    writeln!(
        page,
        "\n## {title}\n\n| code | severity | meaning | cite |\n| --- | --- | --- | --- |"
    )?;
    for finding in findings {
        let games = match finding.games.as_slice() {
            [] => String::new(),
            games => format!(" ({})", games.join(", ")),
        };
        writeln!(
            page,
            "| `{}`{games} | {} | {} | {} |",
            finding.code,
            output::severity(finding.severity),
            cell(&finding.meaning),
            cell(&finding.source())
        )?;
    }
    Ok(())
}

fn row(finding: &Finding, page: &mut String) -> std::fmt::Result {
    let star = match finding.shown_by {
        FindingSource::Document => " *",
        FindingSource::Events => "",
    };
    writeln!(
        page,
        "| `{}`{star} | {} | {} | {} |",
        finding.code,
        output::severity(finding.severity),
        cell(&finding.meaning),
        cell(&finding.cite.to_string())
    )
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_page_in_the_repository_is_of_today() {
        let rulebook = Rulebook::load().unwrap();
        let kept = include_str!("../../../schemas/findings.md");
        let today = page(&rulebook);
        assert!(
            kept == today,
            "run `catwalk rules --findings > schemas/findings.md`"
        );
    }
}

//! Every code that can be found, as a page.

use std::fmt::Write;

use catwalk_rules::Rulebook;
use catwalk_rules::book::{Finding, FindingSource};
use catwalk_settler::Settler;

use crate::output;

/// Markdown, made from the data that the program judges by.
pub(crate) fn page(rulebook: &Rulebook, settler: &Settler) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write(rulebook, settler, &mut page);
    page
}

fn write(rulebook: &Rulebook, settler: &Settler, page: &mut String) -> std::fmt::Result {
    page.push_str(
        "# Findings\n\nEvery code that can be found, with its severity, what it means and the section \
        that says so. Written by `catwalk rules --findings`.\n\n## Whatever the game\n\n\
        | code | severity | meaning | cite |\n| --- | --- | --- | --- |\n",
    );
    for (code, severity, meaning, cite) in settler.codes() {
        let severity = output::severity(severity);
        writeln!(
            page,
            "| `{code}` | {severity} | {} | {} |",
            cell(meaning),
            cell(cite)
        )?;
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
        cell(&finding.cite)
    )
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::Arc;

    use super::*;

    #[test]
    fn the_page_in_the_repository_is_of_today() {
        let rulebook = Arc::new(Rulebook::load().unwrap());
        let settler = Settler::new(rulebook.clone()).unwrap();
        let kept = include_str!("../../../schemas/findings.md");
        let today = page(&rulebook, &settler);
        assert!(
            kept == today,
            "run `catwalk rules --findings > schemas/findings.md`"
        );
    }
}

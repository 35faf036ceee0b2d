//! `catwalk settle`: round documents in, settlements out.

use std::io::{self, BufRead, BufWriter, Write};
use std::path::PathBuf;

use catwalk_rules::{Refusal, Rulebook, Settlement};
use serde::Serialize;

use crate::editions::RulesArgs;
use crate::{Verdict, input};

/// Settle round documents: JSON lines in, JSON lines out, in the same order.
///
/// Each document is one round of one game: the wagers, the cards, dice or spins, and the options of
/// the table where they differ from the default. Its settlement says for each wager what it won, what
/// commission it owes and what goes back to the player, and lists the violations that the document
/// shows. A document that cannot be settled gives {"error":"...","line":N} in its place, and the
/// rest goes on. `catwalk rules GAME` says what a game's documents may hold.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// File of round documents, one JSON object a line (an object may also span lines as long as
    /// only its first begins with "{" in the first column). Standard input if left out or "-".
    file: Option<PathBuf>,

    /// Add "rules" to each settlement: the hash of the data file that decided it.
    #[arg(long)]
    quote_rules: bool,

    #[command(flatten)]
    rules: RulesArgs,
}

const EXAMPLES: &str = r#"Examples:
  catwalk settle rounds.jsonl > settlements.jsonl
  catwalk rules minibaccarat --samples | catwalk settle
  echo '{"game":"roulette","edition":"mgc-2017","wagers":[{"id":"w1","seat":1,"kind":"red",
  "amount":500}],"play":{"spins":[{"pocket":"9"}]}}' | catwalk settle"#;

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let rulebook = args.rules.rulebook()?;
    let output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let tally = input::open(args.file.as_deref(), "settling")?
        .read(|input| settle_all(&rulebook, args, input, output))?;
    Ok(tally.report())
}

#[derive(Default)]
struct Tally {
    documents: u64,
    refused: u64,
    first_refusal: Option<String>,
}

impl Tally {
    fn refuse(&mut self, line: u64, refusal: &Refusal) {
        self.refused += 1;
        self.first_refusal
            .get_or_insert_with(|| format!("line {line}: {refusal}"));
    }

    fn report(&self) -> Verdict {
        if self.documents == 0 {
            eprintln!("catwalk: there is no document in it: nothing was settled");
            return Verdict::FoundWrong;
        }
        let Some(first) = &self.first_refusal else {
            return Verdict::Fine;
        };
        eprintln!(
            "catwalk: {} of {} documents could not be settled; first, {first}",
            self.refused, self.documents
        );
        Verdict::FoundWrong
    }
}

#[derive(Serialize)]
struct Refused<'a> {
    error: &'a str,
    line: u64,
}

/// A settlement with the hash of the rules that decided it.
#[derive(Serialize)]
struct Quoted<'a> {
    #[serde(flatten)]
    settlement: &'a Settlement,
    rules: &'a str,
}

fn settle_all(
    rulebook: &Rulebook,
    args: &Args,
    input: impl BufRead,
    mut output: impl Write,
) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    let mut documents = Documents::new(input);
    while let Some(document) = documents.next()? {
        tally.documents += 1;
        match settle(rulebook, document.bytes) {
            Ok(settlement) if args.quote_rules => {
                let rules = settlement.rules_hash();
                let quoted = Quoted {
                    settlement: &settlement,
                    rules,
                };
                serde_json::to_writer(&mut output, &quoted)?;
            }
            Ok(settlement) => serde_json::to_writer(&mut output, &settlement)?,
            Err(refusal) => {
                tally.refuse(document.line, &refusal);
                let refused = Refused {
                    error: &refusal.to_string(),
                    line: document.line,
                };
                serde_json::to_writer(&mut output, &refused)?;
            }
        }
        output.write_all(b"\n")?;
    }
    output.flush()?;
    Ok(tally)
}

fn settle(rulebook: &Rulebook, document: &[u8]) -> Result<Settlement, Refusal> {
    let text = std::str::from_utf8(document)
        .map_err(|error| Refusal::at("", format!("not UTF-8 text: {error}")))?;
    rulebook.settle(text)
}

/// One document of the input and the line that it begins on.
struct Document<'a> {
    bytes: &'a [u8],
    line: u64,
}

/// Splits the input into documents: a line each, or several lines of which only the first begins
/// with `{` in the first column. So a document that is cut off never swallows the one after it.
struct Documents<R> {
    input: R,
    line: u64,
    current: Vec<u8>,
    next: Vec<u8>,
    next_line: u64,
}

/// A document longer than this is not read further; a round is a few kilobytes.
const MAX_DOCUMENT_BYTES: usize = 16 << 20;

impl<R: BufRead> Documents<R> {
    fn new(input: R) -> Documents<R> {
        Documents {
            input,
            line: 0,
            current: Vec::new(),
            next: Vec::new(),
            next_line: 0,
        }
    }

    fn next(&mut self) -> io::Result<Option<Document<'_>>> {
        if self.next.is_empty() && !self.read_line()? {
            return Ok(None);
        }
        std::mem::swap(&mut self.current, &mut self.next);
        let line = self.next_line;
        self.next.clear();
        // Only an object that is still open goes on: most documents are one line and stop here.
        while is_open(&self.current) && self.read_line()? {
            if self.next.starts_with(b"{") || self.current.len() > MAX_DOCUMENT_BYTES {
                break;
            }
            self.current.append(&mut self.next);
        }
        Ok(Some(Document {
            bytes: &self.current,
            line,
        }))
    }

    /// Reads the next line that is not blank into `next`; false at the end.
    fn read_line(&mut self) -> io::Result<bool> {
        loop {
            self.next.clear();
            if self.input.read_until(b'\n', &mut self.next)? == 0 {
                return Ok(false);
            }
            self.line += 1;
            if !self.next.trim_ascii().is_empty() {
                self.next_line = self.line;
                return Ok(true);
            }
        }
    }
}

/// Does the text end inside an object? Quick for a whole line: it ends with a brace.
fn is_open(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    if !text.starts_with(b"{") {
        return false;
    }
    let (mut depth, mut in_string, mut escaped) = (0i64, false, false);
    for &byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth -= 1,
            _ => {}
        }
    }
    depth > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<(u64, String)> {
        let mut documents = Documents::new(text.as_bytes());
        let mut found = Vec::new();
        while let Some(document) = documents.next().unwrap() {
            let text = String::from_utf8(document.bytes.to_vec()).unwrap();
            found.push((document.line, text.split_whitespace().collect()));
        }
        found
    }

    #[test]
    fn a_document_is_a_line_or_several_of_which_the_first_begins_with_a_brace() {
        let text = "{\"a\":1}\n\n{\n \"a\":\n 2\n}\n{\"a\":3}";
        let expected = [(1, "{\"a\":1}"), (3, "{\"a\":2}"), (7, "{\"a\":3}")];
        assert_eq!(
            split(text),
            expected.map(|(line, text)| (line, text.to_owned()))
        );
    }

    #[test]
    fn a_document_that_is_cut_off_does_not_swallow_the_next() {
        let expected = [
            (1, "{\"a\":[1,"),
            (2, "{\"a\":\"}\"}"),
            (3, "garbage"),
            (4, "{}"),
        ];
        let text = "{\"a\":[1,\n{\"a\":\"}\"}\ngarbage\n{}\n";
        assert_eq!(
            split(text),
            expected.map(|(line, text)| (line, text.to_owned()))
        );
    }
}

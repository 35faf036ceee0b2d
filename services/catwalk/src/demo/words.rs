//! What a demo tells: what is about to happen, what the codes mean, and what to try next.

use std::collections::BTreeMap;
use std::env;
use std::io::{self, IsTerminal};
use std::path::Path;

use catwalk_events::audit::Finding;
use catwalk_rules::Rulebook;

/// As wide as every terminal is.
const COLUMNS: usize = 80;

/// What each code means, by game and code; those of all games stand without a game.
pub(super) struct Meanings(BTreeMap<(Option<String>, String), String>);

impl Meanings {
    pub(super) fn of(rulebook: &Rulebook) -> Meanings {
        let chapters = rulebook
            .chapters()
            .iter()
            .flat_map(|chapter| chapter.findings());
        let watched = rulebook.everywhere().iter().chain(chapters);
        let mut meanings = BTreeMap::new();
        let mut add = |game: Option<&str>, code: &str, meaning: &str| {
            let key = (game.map(str::to_owned), code.to_owned());
            meanings.entry(key).or_insert_with(|| meaning.to_owned());
        };
        for finding in watched {
            match finding.games.as_slice() {
                [] => add(None, &finding.code, &finding.meaning),
                games => games
                    .iter()
                    .for_each(|game| add(Some(game), &finding.code, &finding.meaning)),
            }
        }
        for game in rulebook.games() {
            let book = game.book();
            let findings = book.findings().iter();
            findings.for_each(|finding| add(Some(book.game()), &finding.code, &finding.meaning));
        }
        Meanings(meanings)
    }

    pub(super) fn of_finding(&self, finding: &Finding) -> Option<&str> {
        let at = |game: Option<String>| self.0.get(&(game, finding.code.clone()));
        let meaning = at(finding.game.clone()).or_else(|| at(None));
        meaning.map(String::as_str)
    }
}

/// A paragraph of lines that fit, each with so many blanks before it.
pub(super) fn wrapped(text: &str, blanks: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last().map_or(0, String::len);
        if last > 0 && blanks + last + 1 + word.len() > COLUMNS {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    let indent = " ".repeat(blanks);
    let lines: Vec<String> = lines.iter().map(|line| format!("{indent}{line}")).collect();
    lines.join("\n")
}

/// A line that ends in a message; on a terminal, the message below it.
pub(super) fn fitted(line: &str, message: &str) -> String {
    match line.strip_suffix(message) {
        Some(start) if io::stdout().is_terminal() => {
            format!("{}\n{}", start.trim_end(), wrapped(message, 9))
        }
        _ => line.to_owned(),
    }
}

/// How this program is called from where the user stands.
pub(super) fn program() -> String {
    let called = env::args().next().unwrap_or_else(|| "catwalk".to_owned());
    let manifest = env::var_os("CARGO_MANIFEST_DIR").filter(|_| env::var_os("CARGO").is_some());
    match (manifest, env::current_dir(), env::current_exe()) {
        (Some(manifest), Ok(here), Ok(program)) => {
            by_cargo(Path::new(&manifest), &here, &program).unwrap_or_else(|| quoted(&called))
        }
        _ => quoted(&called),
    }
}

/// `cargo run`, if it was that, and would work here again.
fn by_cargo(manifest: &Path, here: &Path, program: &Path) -> Option<String> {
    let root = manifest.parent()?.parent()?;
    if !here.starts_with(root) {
        return None;
    }
    let folder = program.parent()?.file_name()?.to_str()?;
    Some(match folder {
        "debug" => "cargo run -q --".to_owned(),
        "release" => "cargo run -q --release --".to_owned(),
        profile => format!("cargo run -q --profile {profile} --"),
    })
}

/// As a shell reads it as one word.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(&byte);
    match !word.is_empty() && word.bytes().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_one_word_to_a_shell() {
        assert_eq!(quoted("catwalk-demo/archive"), "catwalk-demo/archive");
        assert_eq!(quoted("my demo"), "'my demo'");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn cargo_is_called_where_it_works() {
        let manifest = Path::new("/src/catwalk/services/catwalk");
        let called =
            |here: &str, program: &str| by_cargo(manifest, Path::new(here), Path::new(program));
        let here = "/src/catwalk";
        let debug = called(here, "/src/catwalk/target/debug/catwalk");
        assert_eq!(debug.as_deref(), Some("cargo run -q --"));
        let release = called("/src/catwalk/docs", "/elsewhere/release/catwalk");
        assert_eq!(release.as_deref(), Some("cargo run -q --release --"));
        assert_eq!(
            called("/home/anna", "/src/catwalk/target/debug/catwalk"),
            None
        );
    }

    #[test]
    fn a_paragraph_fits() {
        let text = "word ".repeat(60);
        let wrapped = wrapped(&text, 9);
        assert!(wrapped.lines().count() > 3);
        assert!(
            wrapped
                .lines()
                .all(|line| line.len() <= COLUMNS && line.starts_with("         w"))
        );
    }
}

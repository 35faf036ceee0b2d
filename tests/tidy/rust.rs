//! As much of the language as it takes to tell code from words, and functions from each other.
//!
//! The sources are formatted: what begins with an indent ends on a line with the same.

use std::ops::RangeInclusive;

/// The text with blanks for comments and for what strings and characters say; lines stay lines.
pub(crate) fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if !matches!(first, '/' | '"' | '\'' | 'r' | 'b') {
            code.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let blanked = comment(rest)
            .or_else(|| string(rest, &code))
            .or_else(|| character(rest));
        let taken = blanked.unwrap_or(first.len_utf8());
        let (part, after) = rest.split_at(taken);
        match blanked {
            None => code.push(first),
            Some(_) => code.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' })),
        }
        rest = after;
    }
    code
}

/// How long the comment is that begins here.
fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if !rest.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        match (here.starts_with(b"/*"), here.starts_with(b"*/")) {
            (true, _) => (depth, at) = (depth + 1, at + 2),
            (_, true) if depth == 1 => return Some(at + 2),
            (_, true) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    Some(rest.len())
}

/// How long the string is that begins here, with its quotes. What came before tells `r"` from `for"`.
fn string(rest: &str, before: &str) -> Option<usize> {
    let in_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let prefix = ["br", "r", "b", ""]
        .into_iter()
        .find(|prefix| rest.starts_with(prefix))?;
    if in_word && !prefix.is_empty() {
        return None;
    }
    let hashes = rest[prefix.len()..]
        .bytes()
        .take_while(|b| *b == b'#')
        .count();
    let is_raw = prefix.ends_with('r');
    let begin = prefix.len() + hashes;
    if !rest[begin..].starts_with('"') || (hashes > 0 && !is_raw) {
        return None;
    }
    let inside = &rest[begin + 1..];
    if is_raw {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(begin + 1 + inside.find(&end)? + end.len());
    }
    let mut escaped = false;
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'"' if !escaped => return Some(begin + 1 + at + 1),
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}

/// How long the character is that begins here; a lifetime is none.
fn character(rest: &str) -> Option<usize> {
    let mut inside = rest.strip_prefix('\'')?.chars();
    let first = inside.next()?;
    if first == '\\' {
        return Some(rest[3..].find('\'')? + 4);
    }
    (inside.next()? == '\'').then(|| first.len_utf8() + 2)
}

/// Functions with a body: name, first and last line from 1.
pub(crate) fn functions(code: &str) -> Vec<(&str, usize, usize)> {
    let lines: Vec<&str> = code.lines().collect();
    let mut functions = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if let Some(name) = declared(line, "fn ")
            && let Some(last) = end(&lines, index)
        {
            functions.push((name, index + 1, last + 1));
        }
    }
    functions
}

/// The name that a line declares with a keyword.
pub(crate) fn declared<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let mut rest = line.trim_start();
    let marks = [
        "pub(crate) ",
        "pub(super) ",
        "pub ",
        "default ",
        "const ",
        "async ",
    ];
    while let Some(mark) = marks
        .iter()
        .find(|mark| rest.starts_with(*mark) && **mark != keyword)
    {
        rest = &rest[mark.len()..];
    }
    let name = rest.strip_prefix(keyword)?;
    let end = name
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(name.len());
    (end > 0).then(|| &name[..end])
}

/// The last line of what begins on this one; none if it has no body.
fn end(lines: &[&str], first: usize) -> Option<usize> {
    let indent = indent(lines[first]);
    for (index, line) in lines.iter().enumerate().skip(first) {
        let line = line.trim_end();
        if line.ends_with(';') && self::indent(line) == indent {
            return None;
        }
        if line.ends_with('}') && self::indent(line) == indent {
            return Some(index);
        }
    }
    None
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Lines, from 1, of what is compiled for tests alone.
pub(crate) fn test_lines(code: &str) -> Vec<RangeInclusive<usize>> {
    let lines: Vec<&str> = code.lines().collect();
    let marks = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.trim() == "#[cfg(test)]");
    let ends = marks.filter_map(|(index, _)| Some((index + 1)..=(end(&lines, index)? + 1)));
    ends.collect()
}

/// Names of modules in files of their own that are compiled for tests alone.
pub(crate) fn test_modules(code: &str) -> Vec<&str> {
    let lines: Vec<&str> = code.lines().collect();
    let pairs = lines
        .windows(2)
        .filter(|pair| pair[0].trim() == "#[cfg(test)]");
    let files = pairs.filter(|pair| pair[1].trim_end().ends_with(';'));
    files.filter_map(|pair| declared(pair[1], "mod ")).collect()
}

#[test]
fn words_are_told_from_code() {
    let text = "let a = \"x // \\\" y\"; // \"z\n/* /* b */ c */ let d = r#\"e\" f\"#;\nlet 'g: h = '\\''; i('\"');";
    let kept: String = code(text).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(kept, "let a = ; let d = ; let 'g: h = ; i( );");
}

#[test]
fn functions_are_measured_from_their_name_to_their_end() {
    let text = "impl A {
    pub(crate) const fn one() {
        2
    }

    fn three(
        &self,
    );
}
fn four() {}
";
    assert_eq!(functions(text), [("one", 2, 4), ("four", 10, 10)]);
}

#[test]
fn what_is_for_tests_alone_is_known() {
    let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n#[cfg(test)]\npub(crate) mod kit;\n";
    assert_eq!(test_lines(text), [2..=5]);
    assert_eq!(test_modules(text), ["kit"]);
}

//! Text with many statements, each of which ends with a semicolon.

/// A statement and the line that it begins in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) line: usize,
    pub(super) text: String,
}

/// The statements of a text, and what is left over after the last semicolon.
pub(super) fn statements(text: &str) -> (Vec<Statement>, Option<Statement>) {
    let mut found = Vec::new();
    let mut begin = 0;
    for end in ends(text) {
        found.extend(statement(text, begin, end));
        begin = end + 1;
    }
    (found, statement(text, begin, text.len()))
}

/// Whether a text needs no further line.
pub(super) fn is_whole(text: &str) -> bool {
    text.trim().is_empty() || text.trim_start().starts_with('\\') || statements(text).1.is_none()
}

fn statement(text: &str, begin: usize, end: usize) -> Option<Statement> {
    let part = &text[begin..end];
    let is_comment = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with("--");
    // What is said of a statement before it is no part of it.
    let said: usize = part
        .split_inclusive('\n')
        .take_while(is_comment)
        .map(str::len)
        .sum();
    let part = &part[said..];
    let blank = part.len() - part.trim_start().len();
    (!part.trim().is_empty()).then(|| Statement {
        line: 1 + text[..begin + said + blank].matches('\n').count(),
        text: part.trim().to_owned(),
    })
}

/// Where the semicolons are that are in no text, no name and no comment.
fn ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut within: Option<&str> = None;
    let mut rest = 0;
    while let Some(next) = text[rest..].chars().next() {
        let here = &text[rest..];
        match within {
            Some(close) if here.starts_with(close) => {
                rest += close.len();
                within = None;
                continue;
            }
            Some(_) => {}
            None => {
                let opens = [("'", "'"), ("\"", "\""), ("--", "\n"), ("/*", "*/")];
                if let Some((open, close)) =
                    opens.into_iter().find(|(open, _)| here.starts_with(open))
                {
                    rest += open.len();
                    within = Some(close);
                    continue;
                }
                if next == ';' {
                    ends.push(rest);
                }
            }
        }
        rest += next.len_utf8();
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_semicolon_ends_a_statement_where_it_is_one() {
        let text =
            "SELECT ';' AS \"a;b\"; -- not; here\n/* nor; here */\n\nSELECT 'it''s;'\n;\nSELECT 3";
        let (found, rest) = statements(text);
        let lines: Vec<usize> = found.iter().map(|statement| statement.line).collect();
        assert_eq!(lines, [1, 2]);
        assert_eq!(found[0].text, "SELECT ';' AS \"a;b\"");
        assert!(found[1].text.ends_with("SELECT 'it''s;'"), "{found:?}");
        assert_eq!(
            rest.map(|rest| (rest.line, rest.text)),
            Some((6, "SELECT 3".to_owned()))
        );
    }

    #[test]
    fn what_is_not_ended_goes_on_and_what_says_nothing_is_no_statement() {
        for (text, whole) in [
            ("SELECT 1", false),
            ("SELECT 1;", true),
            ("SELECT ';", false),
            ("SELECT 1 -- ;", false),
            ("\\d rounds", true),
            ("  ", true),
            ("-- a remark\n", true),
        ] {
            assert_eq!(is_whole(text), whole, "{text:?}");
        }
        assert_eq!(statements(" ; ;\n-- é;\n"), (vec![], None));
    }
}

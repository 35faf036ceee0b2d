//! What a statement asks for, before anything of it is planned.

use std::collections::BTreeMap;

use datafusion::sql::sqlparser::dialect::PostgreSqlDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use super::fault::Fault;
use crate::named;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Nothing,
    /// A selection.
    Ask(String),
    /// A named query with its values.
    Call(String, BTreeMap<String, String>),
    /// A selection whose rows are copied out.
    Copy {
        sql: String,
        csv: bool,
        header: bool,
    },
    Set {
        name: String,
        value: Option<String>,
    },
    Show(String),
    Begin,
    Commit,
    Rollback,
    /// A point in a transaction, made, left or gone back to.
    Point(&'static str),
    Discard(String),
    /// `None`: all.
    Deallocate(Option<String>),
    Declare {
        cursor: String,
        sql: String,
    },
    /// `None`: all that are left.
    Fetch {
        cursor: String,
        most: Option<u64>,
        is_shown: bool,
    },
    CloseCursor(Option<String>),
    /// Understood, and without effect.
    Ignored(&'static str),
}

/// The statements of a text, with semicolons between them.
pub(crate) fn commands(sql: &str) -> Result<Vec<Command>, Fault> {
    let tokens = Tokenizer::new(&PostgreSqlDialect {}, sql)
        .with_unescape(false)
        .tokenize();
    let tokens = tokens.map_err(|error| Fault::new("42601", format!("this is no SQL: {error}")))?;
    let mut commands = Vec::new();
    for statement in tokens.split(|token| *token == Token::SemiColon) {
        let command = Statement::of(statement).command()?;
        if command != Command::Nothing {
            commands.push(command);
        }
    }
    if commands.is_empty() {
        commands.push(Command::Nothing);
    }
    Ok(commands)
}

struct Statement<'a> {
    /// All that it says.
    all: &'a [Token],
    /// The same without spaces and remarks.
    said: Vec<&'a Token>,
}

/// An unquoted word in small letters; other tokens as they are written.
fn word(token: &Token) -> String {
    match token {
        Token::Word(word) if word.quote_style.is_none() => word.value.to_ascii_lowercase(),
        Token::Word(word) => word.value.clone(),
        other => other.to_string(),
    }
}

fn text(tokens: &[Token]) -> String {
    let text: String = tokens.iter().map(ToString::to_string).collect();
    text.trim().to_owned()
}

/// A value as it is meant.
fn value(token: &Token) -> String {
    match token {
        Token::SingleQuotedString(text) => text.replace("''", "'"),
        other => word(other),
    }
}

impl<'a> Statement<'a> {
    fn of(all: &'a [Token]) -> Statement<'a> {
        let said = all
            .iter()
            .filter(|token| !matches!(token, Token::Whitespace(_)));
        Statement {
            all,
            said: said.collect(),
        }
    }

    fn word(&self, place: usize) -> String {
        self.said
            .get(place)
            .map_or_else(String::new, |token| word(token))
    }

    fn rest(&self, from: usize) -> Vec<String> {
        self.said
            .iter()
            .skip(from)
            .map(|token| value(token))
            .collect()
    }

    /// The text from a word on.
    fn text_from(&self, place: usize) -> String {
        let begin = self.said.get(place);
        let begin = begin.and_then(|wanted| {
            self.all
                .iter()
                .position(|token| std::ptr::eq(token, *wanted))
        });
        text(&self.all[begin.unwrap_or(self.all.len())..])
    }

    /// Does it ask for rows that nobody else may change meanwhile?
    fn locks(&self) -> bool {
        self.said.windows(2).any(|pair| {
            let how = word(pair[1]);
            word(pair[0]) == "for" && matches!(how.as_str(), "update" | "share" | "no" | "key")
        })
    }

    fn command(&self) -> Result<Command, Fault> {
        let first = self.word(0);
        Ok(match first.as_str() {
            "" => Command::Nothing,
            "select" | "with" | "values" | "table" | "(" if self.locks() => {
                return Err(Fault::read_only("SELECT FOR UPDATE"));
            }
            "select" | "with" | "values" | "table" | "(" => Command::Ask(text(self.all)),
            "explain" => {
                let executes = self
                    .said
                    .iter()
                    .skip(1)
                    .take(8)
                    .any(|token| word(token) == "analyze");
                if executes {
                    return Err(Fault::new("0A000", "EXPLAIN ANALYZE is not answered here"));
                }
                Command::Ask(text(self.all))
            }
            "call" => self.call()?,
            "copy" => self.copy()?,
            "set" => self.set(),
            "reset" => match self.word(1).as_str() {
                "all" => Command::Discard("settings".to_owned()),
                _ => Command::Set {
                    name: self.rest(1).concat(),
                    value: None,
                },
            },
            "show" => Command::Show(self.rest(1).join("_").replace("_._", ".")),
            "begin" | "start" => Command::Begin,
            "commit" | "end" => Command::Commit,
            "abort" => Command::Rollback,
            "rollback" if self.said.iter().any(|token| word(token) == "to") => {
                Command::Point("ROLLBACK")
            }
            "rollback" => Command::Rollback,
            "savepoint" => Command::Point("SAVEPOINT"),
            "release" => Command::Point("RELEASE"),
            "discard" => Command::Discard(self.word(1)),
            "deallocate" => {
                let place = if self.word(1) == "prepare" { 2 } else { 1 };
                let name = self.word(place);
                Command::Deallocate((name != "all").then_some(name))
            }
            "declare" => self.declare()?,
            "fetch" | "move" => self.fetch()?,
            "close" => {
                let name = self.word(1);
                Command::CloseCursor((name != "all").then_some(name))
            }
            "listen" => Command::Ignored("LISTEN"),
            "unlisten" => Command::Ignored("UNLISTEN"),
            _ => return Err(Fault::read_only(&first.to_ascii_uppercase())),
        })
    }

    /// `SET name = value`, `SET name TO value`, and what else PostgreSQL calls setting.
    fn set(&self) -> Command {
        let mut words = self.rest(1);
        if matches!(words.first().map(String::as_str), Some("session" | "local"))
            && words
                .get(1)
                .is_none_or(|next| next != "characteristics" && next != "authorization")
        {
            words.remove(0);
        }
        let is = |place: usize, wanted: &str| words.get(place).is_some_and(|word| word == wanted);
        if is(0, "transaction") || is(1, "characteristics") {
            return Command::Ignored("SET");
        }
        if is(0, "names") {
            let (name, value) = ("client_encoding".to_owned(), words.get(1).cloned());
            return Command::Set { name, value };
        }
        if is(0, "time") && is(1, "zone") {
            let (name, value) = ("timezone".to_owned(), words.last().cloned());
            return Command::Set { name, value };
        }
        let end = words.iter().position(|word| word == "=" || word == "to");
        let end = end.unwrap_or(words.len());
        let name = words[..end].concat().to_ascii_lowercase();
        let value = words.get(end + 1..).unwrap_or_default().concat();
        let value = (!value.eq_ignore_ascii_case("default")).then_some(value);
        Command::Set { name, value }
    }

    /// `CALL name(parameter => 'value', ...)`: a named query.
    fn call(&self) -> Result<Command, Fault> {
        let wrong = || {
            let told = "write it as CALL name(parameter => 'value'), such as CALL rounds(\"table\" => 'BJ-07'); \
                SELECT * FROM catwalk.queries lists the names";
            Fault::new("42601", told)
        };
        let open = self.said.iter().position(|token| **token == Token::LParen);
        let open = open.ok_or_else(wrong)?;
        if self.said.last() != Some(&&Token::RParen) {
            return Err(wrong());
        }
        let name: String = self.said[1..open].iter().map(|token| word(token)).collect();
        let name = name.replace('_', "-");
        named::find(&name)?;
        let mut values = BTreeMap::new();
        let inner = &self.said[open + 1..self.said.len() - 1];
        for part in inner
            .split(|token| **token == Token::Comma)
            .filter(|part| !part.is_empty())
        {
            let (name, rest) = part.split_first().ok_or_else(wrong)?;
            let (arrow, rest) = rest.split_first().ok_or_else(wrong)?;
            if !matches!(arrow, Token::RArrow | Token::Assignment | Token::Eq) {
                return Err(wrong());
            }
            let text: String = rest.iter().map(|token| value(token)).collect();
            if !rest.is_empty() && !text.eq_ignore_ascii_case("null") {
                values.insert(word(name), text);
            }
        }
        Ok(Command::Call(name, values))
    }

    /// `COPY (question) TO STDOUT`: nothing is read from a file, and nothing written to one.
    fn copy(&self) -> Result<Command, Fault> {
        let refused = || {
            let told =
                "only COPY (question) TO STDOUT is answered here: no file is read or written";
            Fault::new("42501", told)
        };
        let mut depth = 0usize;
        let to = self.said.iter().position(|token| {
            match token {
                Token::LParen => depth += 1,
                Token::RParen => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && word(token) == "to"
        });
        let to = to
            .filter(|to| self.word(to + 1) == "stdout")
            .ok_or_else(refused)?;
        let begin = self
            .all
            .iter()
            .position(|token| std::ptr::eq(token, self.said[1]));
        let end = self
            .all
            .iter()
            .position(|token| std::ptr::eq(token, self.said[to]));
        let what = text(&self.all[begin.unwrap_or(0)..end.unwrap_or(0)]);
        let sql = match self.said[1] {
            Token::LParen => what,
            // A table, and the columns of it that are wanted.
            _ => match what.split_once('(') {
                Some((table, columns)) => {
                    let columns = columns.trim_end().trim_end_matches(')');
                    format!("SELECT {columns} FROM {}", table.trim_end())
                }
                None => format!("SELECT * FROM {}", what.trim_end()),
            },
        };
        let options = self.rest(to + 2);
        let csv = options.iter().any(|word| word == "csv");
        let known = [
            "with",
            "(",
            ")",
            ",",
            "format",
            "csv",
            "text",
            "header",
            "true",
            "on",
            "delimiter",
        ];
        let header = options
            .windows(2)
            .any(|pair| pair[0] == "header" && pair[1] != "false" && pair[1] != "off")
            || options.last().is_some_and(|last| last == "header");
        if let Some(other) = options.iter().find(|word| !known.contains(&word.as_str())) {
            let plain = (csv && other == ",") || other == "\t" || other == "utf8";
            if !plain && other != "false" && other != "off" {
                return Err(Fault::new(
                    "0A000",
                    format!("COPY is not answered with {other:?} here"),
                ));
            }
        }
        Ok(Command::Copy { sql, csv, header })
    }

    fn declare(&self) -> Result<Command, Fault> {
        let wrong = || Fault::new("42601", "write it as DECLARE name CURSOR FOR question");
        let place = self
            .said
            .iter()
            .position(|token| word(token) == "for")
            .ok_or_else(wrong)?;
        if self.said[..place].iter().any(|token| word(token) == "hold")
            && !self.said[..place]
                .iter()
                .any(|token| word(token) == "without")
        {
            return Err(Fault::new(
                "0A000",
                "a cursor ends with its transaction here",
            ));
        }
        Ok(Command::Declare {
            cursor: self.word(1),
            sql: self.text_from(place + 1),
        })
    }

    fn fetch(&self) -> Result<Command, Fault> {
        let is_shown = self.word(0) == "fetch";
        let words: Vec<String> = self.rest(1);
        let (cursor, how) = words
            .split_last()
            .ok_or_else(|| Fault::new("42601", "write it as FETCH 100 FROM name"))?;
        let mut most = Some(1);
        for word in how {
            match word.as_str() {
                "forward" | "next" | "from" | "in" => {}
                "all" => most = None,
                number => match number.parse() {
                    Ok(number) => most = Some(number),
                    Err(_) => return Err(Fault::new("0A000", "a cursor only goes forward here")),
                },
            }
        }
        Ok(Command::Fetch {
            cursor: cursor.clone(),
            most,
            is_shown,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(sql: &str) -> Command {
        let mut commands = commands(sql).unwrap();
        assert_eq!(commands.len(), 1, "{sql}");
        commands.remove(0)
    }

    #[test]
    fn statements_are_told_apart() {
        let asked = commands("SELECT ';'; -- not; here\nSELECT 'it''s'  ;").unwrap();
        assert_eq!(
            asked,
            [
                Command::Ask("SELECT ';'".to_owned()),
                Command::Ask("-- not; here\nSELECT 'it''s'".to_owned())
            ]
        );
        assert_eq!(one(" ; "), Command::Nothing);
        let set = |name: &str, value: &str| Command::Set {
            name: name.to_owned(),
            value: Some(value.to_owned()),
        };
        assert_eq!(
            one("SET SESSION catwalk.case = 'C-7'"),
            set("catwalk.case", "C-7")
        );
        assert_eq!(
            one("set DateStyle to ISO, MDY"),
            set("datestyle", "iso,mdy")
        );
        assert_eq!(one("SET NAMES 'UTF8'"), set("client_encoding", "UTF8"));
        assert_eq!(
            one("SHOW TRANSACTION ISOLATION LEVEL"),
            Command::Show("transaction_isolation_level".to_owned())
        );
        assert_eq!(one("DISCARD ALL"), Command::Discard("all".to_owned()));
        assert_eq!(one("DEALLOCATE ALL"), Command::Deallocate(None));
        let cursor = || "c".to_owned();
        assert_eq!(
            one("DECLARE c NO SCROLL CURSOR WITHOUT HOLD FOR SELECT 1"),
            Command::Declare {
                cursor: cursor(),
                sql: "SELECT 1".to_owned()
            }
        );
        assert_eq!(
            one("FETCH FORWARD 5 FROM c"),
            Command::Fetch {
                cursor: cursor(),
                most: Some(5),
                is_shown: true
            }
        );
    }

    #[test]
    fn named_queries_are_called() {
        let values = BTreeMap::from([("table".to_owned(), "BJ-07".to_owned())]);
        for sql in [
            "CALL rounds(\"table\" => 'BJ-07')",
            "call rounds(table := 'BJ-07', until => NULL)",
        ] {
            assert_eq!(
                one(sql),
                Command::Call("rounds".to_owned(), values.clone()),
                "{sql}"
            );
        }
        assert_eq!(
            one("CALL findings_by_code()"),
            Command::Call("findings-by-code".to_owned(), BTreeMap::new())
        );
        assert!(commands("CALL rounds('BJ-07')").is_err());
        assert!(commands("CALL nothing_of_the_kind()").is_err());
    }

    #[test]
    fn only_questions_are_copied_and_only_to_the_client() {
        assert_eq!(
            one("COPY ( SELECT 1 AS \"to\" ) TO STDOUT WITH (FORMAT csv, HEADER)"),
            Command::Copy {
                sql: "( SELECT 1 AS \"to\" )".to_owned(),
                csv: true,
                header: true
            }
        );
        assert_eq!(
            one("COPY rounds (round, game) TO STDOUT"),
            Command::Copy {
                sql: "SELECT round, game FROM rounds".to_owned(),
                csv: false,
                header: false
            }
        );
        for sql in [
            "COPY rounds TO '/tmp/x'",
            "COPY (SELECT 1) TO PROGRAM 'sh'",
            "COPY rounds FROM STDIN",
            "COPY rounds FROM '/etc/passwd'",
            "INSERT INTO rounds VALUES (1)",
            "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '/etc/passwd'",
            "DROP TABLE rounds",
            "PREPARE p AS SELECT 1",
            "DO $$ BEGIN END $$",
            "EXPLAIN ANALYZE SELECT 1",
            "EXPLAIN (ANALYZE, VERBOSE) SELECT 1",
        ] {
            assert!(commands(sql).is_err(), "{sql}");
        }
    }
}

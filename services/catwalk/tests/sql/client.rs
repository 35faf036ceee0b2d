//! A client of PostgreSQL's protocol that says what it is told to say, whether that is right or not.

use std::io::{Read, Write};
use std::net::{IpAddr, TcpStream};
use std::time::Duration;

/// What a server says: its kind, and what it holds.
pub(crate) type Said = (u8, Vec<u8>);

pub(crate) struct Client {
    pub(crate) stream: TcpStream,
    pub(crate) key: (i32, i32),
}

/// The answer to a text.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<Option<String>>>,
    pub(crate) tags: Vec<String>,
    /// Code and text.
    pub(crate) error: Option<(String, String)>,
}

impl Client {
    pub(crate) fn call(port: u16) -> Client {
        Client::call_at(([127, 0, 0, 1].into(), port))
    }

    pub(crate) fn call_at(address: (IpAddr, u16)) -> Client {
        let stream = TcpStream::connect(address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        Client {
            stream,
            key: (0, 0),
        }
    }

    /// Comes in as the user of the demo.
    pub(crate) fn demo(port: u16) -> Client {
        let mut client = Client::call(port);
        client.open(&[
            ("user", "demo"),
            ("database", "catwalk"),
            ("application_name", "test"),
        ]);
        loop {
            let (kind, body) = client.hear().unwrap();
            match kind {
                b'K' => {
                    let int = |at: usize| i32::from_be_bytes(body[at..at + 4].try_into().unwrap());
                    client.key = (int(0), int(4));
                }
                b'Z' => return client,
                b'E' => panic!("{:?}", error(&body)),
                _ => {}
            }
        }
    }

    pub(crate) fn open(&mut self, settings: &[(&str, &str)]) {
        let mut body = 196_608i32.to_be_bytes().to_vec();
        for (name, value) in settings {
            body.extend(format!("{name}\0{value}\0").bytes());
        }
        body.push(0);
        self.opening(&body);
    }

    pub(crate) fn opening(&mut self, body: &[u8]) {
        let length = u32::try_from(body.len() + 4).unwrap();
        let message = [&length.to_be_bytes(), body].concat();
        self.stream.write_all(&message).unwrap();
    }

    pub(crate) fn say(&mut self, kind: u8, body: &[u8]) {
        let length = u32::try_from(body.len() + 4).unwrap();
        let message = [&[kind][..], &length.to_be_bytes(), body].concat();
        // Whoever has shut the door does not hear it.
        let _ = self.stream.write_all(&message);
    }

    /// The next thing that is said; `None` when the connection has ended.
    pub(crate) fn hear(&mut self) -> Option<Said> {
        let mut head = [0; 5];
        self.stream.read_exact(&mut head).ok()?;
        let length = u32::from_be_bytes(head[1..].try_into().unwrap());
        let mut body = vec![0; usize::try_from(length).unwrap() - 4];
        self.stream.read_exact(&mut body).ok()?;
        Some((head[0], body))
    }

    pub(crate) fn ask(&mut self, sql: &str) -> Answer {
        self.say(b'Q', format!("{sql}\0").as_bytes());
        self.answer()
    }

    /// Asks by a statement that is prepared, bound, described and executed.
    pub(crate) fn prepared(&mut self, sql: &str) -> Answer {
        self.say(b'P', format!("\0{sql}\0\0\0").as_bytes());
        self.say(b'B', b"\0\0\0\0\0\0\0\0");
        self.say(b'D', b"P\0");
        self.say(b'E', b"\0\0\0\0\0");
        self.say(b'S', b"");
        self.answer()
    }

    /// What is said until the server is ready, or gone.
    pub(crate) fn answer(&mut self) -> Answer {
        let mut answer = Answer::default();
        while let Some((kind, body)) = self.hear() {
            match kind {
                b'T' => answer.columns = columns(&body),
                b'D' => answer.rows.push(row(&body)),
                b'C' => answer.tags.push(text(&body)),
                b'E' => answer.error = Some(error(&body)),
                b'Z' => break,
                _ => {}
            }
        }
        answer
    }

    /// The only value of an answer.
    pub(crate) fn value(&mut self, sql: &str) -> String {
        let answer = self.ask(sql);
        assert_eq!(answer.error, None, "{sql}");
        answer.rows[0][0].clone().unwrap_or_default()
    }

    /// The code with which something is refused.
    pub(crate) fn refusal(&mut self, sql: &str) -> (String, String) {
        let answer = self.ask(sql);
        answer
            .error
            .unwrap_or_else(|| panic!("{sql} was answered: {:?}", answer.rows))
    }
}

fn text(body: &[u8]) -> String {
    let end = body
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(body.len());
    String::from_utf8(body[..end].to_vec()).unwrap()
}

fn columns(body: &[u8]) -> Vec<String> {
    let (mut rest, mut names) = (&body[2..], Vec::new());
    while !rest.is_empty() {
        let name = text(rest);
        rest = &rest[name.len() + 19..];
        names.push(name);
    }
    names
}

fn row(body: &[u8]) -> Vec<Option<String>> {
    let (mut rest, mut values) = (&body[2..], Vec::new());
    while !rest.is_empty() {
        let length = i32::from_be_bytes(rest[..4].try_into().unwrap());
        rest = &rest[4..];
        let Ok(length) = usize::try_from(length) else {
            values.push(None);
            continue;
        };
        values.push(Some(String::from_utf8(rest[..length].to_vec()).unwrap()));
        rest = &rest[length..];
    }
    values
}

/// Code and text.
pub(crate) fn error(body: &[u8]) -> (String, String) {
    let fields = body
        .split(|byte| *byte == 0)
        .filter(|field| !field.is_empty());
    let (mut code, mut told) = (String::new(), String::new());
    for field in fields {
        let value = String::from_utf8(field[1..].to_vec()).unwrap();
        match field[0] {
            b'C' => code = value,
            b'M' => told = value,
            _ => {}
        }
    }
    (code, told)
}

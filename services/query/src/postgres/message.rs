//! The messages of PostgreSQL's protocol 3.0, as far as a server that only answers questions needs them.
//!
//! What comes from a client is read with bounds at every step: nothing that a stranger sends makes a panic, or makes
//! memory of a number in it.

use std::fmt;

/// What a client says first.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Opening {
    Tls,
    /// Encryption by Kerberos, which is not spoken here.
    Gss,
    Cancel {
        process: i32,
        secret: i32,
    },
    Startup {
        minor: u16,
        settings: Vec<(String, String)>,
    },
}

/// What a client says after that.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// Of a password or a proof.
    Secret(Vec<u8>),
    Query(String),
    Parse {
        name: String,
        sql: String,
        types: Vec<u32>,
    },
    Bind(Bind),
    DescribeStatement(String),
    DescribePortal(String),
    Execute {
        portal: String,
        most: i32,
    },
    CloseStatement(String),
    ClosePortal(String),
    Flush,
    Sync,
    Terminate,
    /// Data for a copy that nobody asked for.
    CopyData,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Bind {
    pub(super) portal: String,
    pub(super) statement: String,
    /// None: all text. One: for all.
    pub(super) formats: Vec<i16>,
    pub(super) values: Vec<Option<Vec<u8>>>,
    pub(super) results: Vec<i16>,
}

/// What a client sent is none of the messages above.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed(pub(super) &'static str);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is not the protocol of PostgreSQL: {}", self.0)
    }
}

type Read<T> = Result<T, Malformed>;

impl Opening {
    /// Reads what comes after the length.
    pub(super) fn read(body: &[u8]) -> Read<Opening> {
        let mut rest = Rest(body);
        let code = rest.int()?;
        match code {
            80_877_103 => Ok(Opening::Tls),
            80_877_104 => Ok(Opening::Gss),
            80_877_102 => {
                let (process, secret) = (rest.int()?, rest.int()?);
                Ok(Opening::Cancel { process, secret })
            }
            _ if code >> 16 == 3 => {
                let mut settings = Vec::new();
                loop {
                    let name = rest.text()?;
                    if name.is_empty() {
                        break;
                    }
                    settings.push((name, rest.text()?));
                }
                let minor = u16::try_from(code & 0xffff).unwrap_or_default();
                Ok(Opening::Startup { minor, settings })
            }
            _ => Err(Malformed("version 3 of it is spoken here")),
        }
    }
}

impl Message {
    /// Reads what comes after the kind and the length.
    pub(super) fn read(kind: u8, body: &[u8]) -> Read<Message> {
        let mut rest = Rest(body);
        let message = match kind {
            b'p' => return Ok(Message::Secret(body.to_vec())),
            // Whoever sends data was not asked for any; what it is does not matter.
            b'd' | b'c' | b'f' => return Ok(Message::CopyData),
            b'Q' => Message::Query(rest.text()?),
            b'P' => {
                let (name, sql, count) = (rest.text()?, rest.text()?, rest.count(4)?);
                let types = (0..count).map(|_| Ok(rest.int()?.cast_unsigned()));
                let types = types.collect::<Read<_>>()?;
                Message::Parse { name, sql, types }
            }
            b'B' => Message::Bind(Bind::read(&mut rest)?),
            b'D' | b'C' => {
                let (what, name) = (rest.byte()?, rest.text()?);
                match (kind, what) {
                    (b'D', b'S') => Message::DescribeStatement(name),
                    (b'D', b'P') => Message::DescribePortal(name),
                    (b'C', b'S') => Message::CloseStatement(name),
                    (b'C', b'P') => Message::ClosePortal(name),
                    _ => return Err(Malformed("it names neither a statement nor a portal")),
                }
            }
            b'E' => Message::Execute {
                portal: rest.text()?,
                most: rest.int()?,
            },
            b'H' => Message::Flush,
            b'S' => Message::Sync,
            b'X' => Message::Terminate,
            _ => return Err(Malformed("there is no message of this kind")),
        };
        match rest.0 {
            [] => Ok(message),
            _ => Err(Malformed("a message is longer than what it says")),
        }
    }
}

impl Bind {
    fn read(rest: &mut Rest<'_>) -> Read<Bind> {
        let (portal, statement) = (rest.text()?, rest.text()?);
        let formats = rest.shorts()?;
        let count = rest.count(4)?;
        let mut values = Vec::with_capacity(count);
        for _ in 0..count {
            values.push(match rest.int()? {
                -1 => None,
                length => {
                    let length = usize::try_from(length).map_err(|_| TOO_SHORT)?;
                    Some(rest.bytes(length)?.to_vec())
                }
            });
        }
        let results = rest.shorts()?;
        Ok(Bind {
            portal,
            statement,
            formats,
            values,
            results,
        })
    }
}

const TOO_SHORT: Malformed = Malformed("a message is shorter than what it says");

/// What is left of a message.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn bytes(&mut self, count: usize) -> Read<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(TOO_SHORT)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        self.bytes(N)?.try_into().map_err(|_| TOO_SHORT)
    }

    fn byte(&mut self) -> Read<u8> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    fn short(&mut self) -> Read<i16> {
        Ok(i16::from_be_bytes(self.array()?))
    }

    fn int(&mut self) -> Read<i32> {
        Ok(i32::from_be_bytes(self.array()?))
    }

    /// How many things follow, each of which takes at least so many bytes.
    fn count(&mut self, bytes: usize) -> Read<usize> {
        let count = usize::from(self.short()?.cast_unsigned());
        match count * bytes <= self.0.len() {
            true => Ok(count),
            false => Err(TOO_SHORT),
        }
    }

    fn shorts(&mut self) -> Read<Vec<i16>> {
        let count = self.count(2)?;
        (0..count).map(|_| self.short()).collect()
    }

    fn text(&mut self) -> Read<String> {
        let end = self.0.iter().position(|byte| *byte == 0);
        let text = self.bytes(end.ok_or(Malformed("a text has no end"))?)?;
        self.0 = &self.0[1..];
        let text = std::str::from_utf8(text);
        text.map(str::to_owned)
            .map_err(|_| Malformed("a text is not UTF-8"))
    }
}

/// Messages on their way to a client.
#[derive(Debug, Default)]
pub(super) struct Out(pub(super) Vec<u8>);

/// How far a transaction is: none, one, or one in which something has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Idle,
    Within,
    Failed,
}

impl Out {
    /// A message of a kind; its length is put in afterwards.
    fn message(&mut self, kind: u8, body: impl FnOnce(&mut Vec<u8>)) {
        self.0.push(kind);
        let begin = self.0.len();
        self.0.extend([0; 4]);
        body(&mut self.0);
        let length = u32::try_from(self.0.len() - begin).unwrap_or(u32::MAX);
        self.0[begin..begin + 4].copy_from_slice(&length.to_be_bytes());
    }

    pub(super) fn signed_in(&mut self) {
        self.message(b'R', |out| out.extend(0i32.to_be_bytes()));
    }

    /// The ways to prove who one is.
    pub(super) fn ways(&mut self, ways: &[&str]) {
        self.message(b'R', |out| {
            out.extend(10i32.to_be_bytes());
            ways.iter().for_each(|way| text(out, way));
            out.push(0);
        });
    }

    /// 11 goes on, 12 ends.
    pub(super) fn proof(&mut self, step: i32, data: &str) {
        self.message(b'R', |out| {
            out.extend(step.to_be_bytes());
            out.extend(data.as_bytes());
        });
    }

    /// A newer version, or settings of one, were asked for: this one is spoken, without them.
    pub(super) fn version(&mut self, unknown: &[&str]) {
        self.message(b'v', |out| {
            out.extend(0i32.to_be_bytes());
            out.extend(
                i32::try_from(unknown.len())
                    .unwrap_or_default()
                    .to_be_bytes(),
            );
            unknown.iter().for_each(|name| text(out, name));
        });
    }

    pub(super) fn setting(&mut self, name: &str, value: &str) {
        self.message(b'S', |out| {
            text(out, name);
            text(out, value);
        });
    }

    pub(super) fn key(&mut self, process: i32, secret: i32) {
        self.message(b'K', |out| {
            out.extend(process.to_be_bytes());
            out.extend(secret.to_be_bytes());
        });
    }

    pub(super) fn ready(&mut self, status: Status) {
        let sign = match status {
            Status::Idle => b'I',
            Status::Within => b'T',
            Status::Failed => b'E',
        };
        self.message(b'Z', |out| out.push(sign));
    }

    /// A message without a body: parsed (1), bound (2), closed (3), no data (n), empty (I), suspended (s), copied (c).
    pub(super) fn plain(&mut self, kind: u8) {
        self.message(kind, |_| {});
    }

    pub(super) fn done(&mut self, tag: &str) {
        self.message(b'C', |out| text(out, tag));
    }

    pub(super) fn error(&mut self, severity: &str, code: &str, told: &str) {
        self.told(b'E', severity, code, told);
    }

    pub(super) fn notice(&mut self, told: &str) {
        self.told(b'N', "NOTICE", "00000", told);
    }

    fn told(&mut self, kind: u8, severity: &str, code: &str, told: &str) {
        self.message(kind, |out| {
            for (field, value) in [
                (b'S', severity),
                (b'V', severity),
                (b'C', code),
                (b'M', told),
            ] {
                out.push(field);
                text(out, value);
            }
            out.push(0);
        });
    }

    pub(super) fn parameters(&mut self, types: &[u32]) {
        self.message(b't', |out| {
            out.extend(count(types.len()));
            types.iter().for_each(|oid| out.extend(oid.to_be_bytes()));
        });
    }

    pub(super) fn columns<'a>(&mut self, columns: impl ExactSizeIterator<Item = Shown<'a>>) {
        self.message(b'T', |out| {
            out.extend(count(columns.len()));
            for column in columns {
                text(out, column.name);
                // Of no table.
                out.extend([0; 6]);
                out.extend(column.oid.to_be_bytes());
                out.extend(column.length.to_be_bytes());
                out.extend((-1i32).to_be_bytes());
                out.extend(column.format.to_be_bytes());
            }
        });
    }

    /// A row; each value writes itself, or says that there is none.
    pub(super) fn row<E>(
        &mut self,
        columns: usize,
        mut value: impl FnMut(usize, &mut Vec<u8>) -> Result<bool, E>,
    ) -> Result<(), E> {
        let begin = self.0.len();
        let mut result = Ok(());
        self.message(b'D', |out| {
            out.extend(count(columns));
            for column in 0..columns {
                let begin = out.len();
                out.extend([0; 4]);
                let length = match value(column, out) {
                    Ok(true) => i32::try_from(out.len() - begin - 4).unwrap_or(i32::MAX),
                    Ok(false) => {
                        out.truncate(begin + 4);
                        -1
                    }
                    Err(error) => {
                        result = Err(error);
                        return;
                    }
                };
                out[begin..begin + 4].copy_from_slice(&length.to_be_bytes());
            }
        });
        if result.is_err() {
            // Half a row is none.
            self.0.truncate(begin);
        }
        result
    }

    /// The client gets copied data: text, of so many columns.
    pub(super) fn copy_begins(&mut self, columns: usize) {
        self.message(b'H', |out| {
            out.push(0);
            out.extend(count(columns));
            (0..columns).for_each(|_| out.extend([0; 2]));
        });
    }

    pub(super) fn copied(&mut self, line: &[u8]) {
        self.message(b'd', |out| out.extend(line));
    }
}

/// A column as a client is told of it.
pub(super) struct Shown<'a> {
    pub(super) name: &'a str,
    pub(super) oid: u32,
    pub(super) length: i16,
    pub(super) format: i16,
}

fn text(out: &mut Vec<u8>, text: &str) {
    // What would end a text before its end is left out.
    out.extend(text.bytes().filter(|byte| *byte != 0));
    out.push(0);
}

fn count(count: usize) -> [u8; 2] {
    u16::try_from(count).unwrap_or(u16::MAX).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_clients_are_read() {
        let mut startup = 196_608i32.to_be_bytes().to_vec();
        startup.extend(b"user\0anna\0options\0-c catwalk.case=C-7\0\0");
        let Ok(Opening::Startup { minor, settings }) = Opening::read(&startup) else {
            panic!("no startup");
        };
        assert_eq!((minor, settings.len()), (0, 2));
        assert_eq!(settings[0], ("user".to_owned(), "anna".to_owned()));
        assert_eq!(
            Message::read(b'Q', b"SELECT 1\0"),
            Ok(Message::Query("SELECT 1".to_owned()))
        );
        let bind = b"\0s1\0\0\x01\0\x01\0\x02\0\0\0\x02ab\xff\xff\xff\xff\0\0";
        let Ok(Message::Bind(bind)) = Message::read(b'B', bind) else {
            panic!("no bind");
        };
        assert_eq!(bind.values, [Some(b"ab".to_vec()), None]);
        assert_eq!(bind.formats, [1]);
    }

    /// Every message, cut short at every byte, with lengths and counts that lie, and any bytes at all.
    #[test]
    fn what_is_malformed_is_refused_and_never_a_panic() {
        let good: [(u8, &[u8]); 5] = [
            (b'P', b"s\0SELECT 1\0\0\x01\0\0\0\x17"),
            (b'B', b"p\0s\0\0\x01\0\x01\0\x01\0\0\0\x02ab\0\x01\0\x01"),
            (b'E', b"p\0\0\0\0\x05"),
            (b'D', b"Ss\0"),
            (b'Q', b"SELECT 1\0"),
        ];
        for (kind, body) in good {
            assert!(Message::read(kind, body).is_ok(), "{}", kind as char);
            for end in 0..body.len() {
                assert!(
                    Message::read(kind, &body[..end]).is_err(),
                    "{} {end}",
                    kind as char
                );
            }
            for place in 0..body.len() {
                for byte in [0, 1, 0x7f, 0x80, 0xff] {
                    let mut bytes = body.to_vec();
                    bytes[place] = byte;
                    let _ = Message::read(kind, &bytes);
                    let _ = Opening::read(&bytes);
                }
            }
        }
        assert!(Message::read(b'?', b"").is_err());
        assert!(Message::read(b'Q', b"\xff\0").is_err());
        assert!(Opening::read(b"\0\x02\0\0").is_err());
    }
}

//! One end of a connection: what was heard and not read yet, and what is to be sent.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::time::timeout;

use super::message::{Malformed, Message, Opening, Out};

/// A reader that takes nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(60);
/// What is to be sent is sent when there is so much of it.
const ENOUGH: usize = 64 * 1024;
/// The most that whoever is not known yet may send at once.
const OF_A_STRANGER: usize = 10_000;
/// The same of whoever is known: a question and its values.
const OF_A_GUEST: usize = 2 << 20;

pub(super) struct Peer<S> {
    stream: S,
    heard: Vec<u8>,
    pub(super) out: Out,
    most: usize,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Peer<S> {
    pub(super) fn new(stream: S) -> Peer<S> {
        Peer {
            stream,
            heard: Vec::new(),
            out: Out::default(),
            most: OF_A_STRANGER,
        }
    }

    /// It is known who it is.
    pub(super) fn trust(&mut self) {
        self.most = OF_A_GUEST;
    }

    /// The stream, if nothing was sent before it was time to: what comes before TLS is not taken for what comes by it.
    pub(super) fn into_stream(self) -> Option<S> {
        self.heard.is_empty().then_some(self.stream)
    }

    /// Waits for more. It may be dropped at any time.
    pub(super) async fn hear(&mut self) -> io::Result<()> {
        if self.heard.len() > self.most + 8 {
            // Enough waits already; the client has to wait until it is read.
            return std::future::pending().await;
        }
        self.heard.reserve(8 * 1024);
        match self.stream.read_buf(&mut self.heard).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }

    /// The opening message, if all of it was heard.
    pub(super) fn opening(&mut self) -> Result<Option<Opening>, Malformed> {
        let Some(body) = self.body(0, OF_A_STRANGER)? else {
            return Ok(None);
        };
        Opening::read(&body).map(Some)
    }

    /// The next message, if all of it was heard.
    pub(super) fn message(&mut self) -> Result<Option<Message>, Malformed> {
        let Some(kind) = self.heard.first().copied() else {
            return Ok(None);
        };
        let Some(body) = self.body(1, self.most)? else {
            return Ok(None);
        };
        Message::read(kind, &body).map(Some)
    }

    /// What comes after so many bytes and a length.
    fn body(&mut self, before: usize, most: usize) -> Result<Option<Vec<u8>>, Malformed> {
        let Some(length) = self.heard.get(before..before + 4) else {
            return Ok(None);
        };
        let length = length
            .try_into()
            .map(u32::from_be_bytes)
            .unwrap_or_default();
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if length < 4 {
            return Err(Malformed("the length of a message cannot be"));
        }
        if length > most {
            return Err(Malformed("a message is longer than is taken here"));
        }
        let end = before + length;
        if self.heard.len() < end {
            return Ok(None);
        }
        let body = self.heard[before + 4..end].to_vec();
        self.heard.drain(..end);
        Ok(Some(body))
    }

    /// A byte that is no message.
    pub(super) async fn answer(&mut self, sign: u8) -> io::Result<()> {
        self.out.0.push(sign);
        self.send().await
    }

    pub(super) fn has_enough_to_send(&self) -> bool {
        self.out.0.len() >= ENOUGH
    }

    pub(super) async fn send(&mut self) -> io::Result<()> {
        let sent = async {
            self.stream.write_all(&self.out.0).await?;
            self.stream.flush().await
        };
        let sent = timeout(PATIENCE, sent).await;
        self.out.0.clear();
        self.out.0.shrink_to(2 * ENOUGH);
        sent.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }

    pub(super) async fn end(&mut self) {
        // Whoever is gone already misses nothing.
        let _ = timeout(PATIENCE, self.stream.shutdown()).await;
    }
}

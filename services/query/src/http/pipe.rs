//! An answer that is sent while it is worked out.

use std::future::poll_fn;
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use catwalk_web::Fault;
use catwalk_web::axum::body::Bytes;
use catwalk_web::axum::http::StatusCode;
use futures::Stream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Bytes that are sent at once.
const PIECE: usize = 64 * 1024;
/// Pieces that wait for a slow reader.
const WAITING: usize = 4;

/// A piece of an answer, or why there is no more of it.
pub(super) type Piece = Result<Bytes, Fault>;

/// Where an answer is written.
pub(super) struct Pipe {
    sender: mpsc::Sender<Piece>,
    piece: Vec<u8>,
    sent: Arc<AtomicU64>,
    is_whole: Arc<AtomicBool>,
}

/// The other end of a pipe.
pub(super) struct Reader {
    receiver: mpsc::Receiver<Piece>,
    is_whole: Arc<AtomicBool>,
}

pub(super) fn pipe() -> (Pipe, Reader) {
    let (sender, receiver) = mpsc::channel(WAITING);
    let is_whole = Arc::<AtomicBool>::default();
    let reader = Reader {
        receiver,
        is_whole: Arc::clone(&is_whole),
    };
    let pipe = Pipe {
        sender,
        piece: Vec::with_capacity(PIECE),
        sent: Arc::default(),
        is_whole,
    };
    (pipe, reader)
}

impl Reader {
    /// The next piece; `None` once all was told. Work that ended without saying so has failed.
    pub(super) async fn next(&mut self) -> Option<Piece> {
        poll_fn(|context| self.poll(context)).await
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Piece>> {
        let piece = ready!(self.receiver.poll_recv(context));
        // It is told once.
        if piece.is_none() && !self.is_whole.swap(true, Ordering::AcqRel) {
            let error = "the answer could not be worked out";
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            return Poll::Ready(Some(Err(Fault::new(status, "failed", error))));
        }
        Poll::Ready(piece)
    }
}

impl Pipe {
    /// How many bytes were sent so far.
    pub(super) fn sent(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.sent)
    }

    /// Says that all was told.
    pub(super) fn close(self) {
        self.is_whole.store(true, Ordering::Release);
    }

    /// Says why there is no more. Whoever has gone away does not hear it.
    pub(super) async fn fail(self, fault: Fault) {
        self.is_whole.store(true, Ordering::Release);
        let _ = self.sender.send(Err(fault)).await;
    }

    /// Sends what is left.
    pub(super) fn end(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
        let bytes = piece.len() as u64;
        // A reader who is slow keeps this one waiting, and nobody else.
        let sent = tokio::task::block_in_place(|| self.sender.blocking_send(Ok(piece.into())));
        sent.map_err(|_| io::ErrorKind::BrokenPipe)?;
        self.sent.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.end()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The pieces of an answer as they come. The work on it ends when this is dropped.
pub(super) struct Pieces {
    pub(super) first: Option<Piece>,
    pub(super) reader: Reader,
    pub(super) _work: Work,
}

impl Stream for Pieces {
    type Item = Piece;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Piece>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(first)),
            None => self.reader.poll(context),
        }
    }
}

/// Work that ends when nobody waits for it.
pub(super) struct Work(pub(super) JoinHandle<()>, pub(super) Arc<AtomicBool>);

impl Drop for Work {
    fn drop(&mut self) {
        // What does not wait for anything looks at this.
        self.1.store(true, Ordering::Relaxed);
        self.0.abort();
    }
}

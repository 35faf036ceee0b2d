//! One connection: whether it is at work, and when it is cut off.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::{Instant, Sleep, sleep};

/// What the server knows of a connection.
#[derive(Debug, Default)]
pub(crate) struct Seat {
    at_work: AtomicBool,
    leave: Notify,
}

impl Seat {
    pub(crate) fn is_idle(&self) -> bool {
        !self.at_work.load(Ordering::Acquire)
    }

    /// Tells the connection to close.
    pub(crate) fn close(&self) {
        self.leave.notify_one();
    }

    pub(crate) async fn told_to_close(&self) {
        self.leave.notified().await;
    }

    /// The connection is at work until what is given is dropped.
    pub(crate) fn work(self: &Arc<Seat>) -> Work {
        self.at_work.store(true, Ordering::Release);
        Work(Arc::clone(self))
    }
}

#[derive(Debug)]
pub(crate) struct Work(Arc<Seat>);

impl Drop for Work {
    fn drop(&mut self) {
        self.0.at_work.store(false, Ordering::Release);
    }
}

/// The body of an answer; while it is sent the connection is at work.
#[derive(Debug)]
pub(crate) struct Sending {
    pub(crate) body: Body,
    pub(crate) _work: Work,
}

impl HttpBody for Sending {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A stream that is cut off when its reader takes nothing for too long.
#[derive(Debug)]
pub(crate) struct Patient<S> {
    stream: S,
    timeout: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    pub(crate) fn new(stream: S, timeout: Duration) -> Patient<S> {
        Patient {
            stream,
            timeout,
            waiting: None,
        }
    }

    /// Passes on what writing gave, unless it has been waiting for too long.
    fn limit<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let timeout = self.timeout;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(timeout)));
        match waiting.as_mut().poll(context) {
            Poll::Ready(()) => {
                waiting.as_mut().reset(Instant::now() + timeout);
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limit(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.limit(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.limit(context, shut)
    }
}

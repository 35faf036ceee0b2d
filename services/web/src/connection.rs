//! One connection: whether it is at work, what is read of it, and when it is cut off.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::sync::Notify;
use tokio::time::{Instant, Sleep, sleep, timeout};

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

/// What a route has left of a request's body.
#[derive(Debug, Default)]
pub(crate) struct Left(Arc<Mutex<Option<Incoming>>>);

impl Left {
    /// A body that leaves what is not read of it here.
    pub(crate) fn of(&self, body: Incoming) -> Asked {
        Asked {
            body: Some(body),
            left: Arc::clone(&self.0),
        }
    }

    /// Reads what is left, and says whether that was all. A connection whose request has not come to its end cannot
    /// be used again, and a client that is still sending when it is closed may never see the answer: under load the
    /// body often comes well after the headers.
    pub(crate) async fn read(self, most_bytes: usize, patience: Duration) -> bool {
        let left = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut body) = left else { return true };
        if body.size_hint().lower() > most_bytes as u64 {
            return false;
        }
        let mut bytes = 0;
        let reading = async {
            while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await
            {
                let Ok(frame) = frame else { return false };
                bytes += frame.data_ref().map_or(0, Bytes::len);
                if bytes > most_bytes {
                    return false;
                }
            }
            true
        };
        timeout(patience, reading).await.unwrap_or(false)
    }
}

/// The body of a request.
#[derive(Debug)]
pub(crate) struct Asked {
    body: Option<Incoming>,
    left: Arc<Mutex<Option<Incoming>>>,
}

impl HttpBody for Asked {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let polled = Pin::new(body).poll_frame(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.body = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body
            .as_ref()
            .map_or(SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let body = self.body.take().filter(|body| !body.is_end_stream());
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = body;
    }
}

/// Says that nothing more comes, and hears the other end out for a while: what is not read when a connection is closed
/// takes the answer with it that is still on its way.
pub(crate) async fn say_farewell<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    patience: Duration,
) {
    let farewell = async {
        stream.shutdown().await?;
        let mut heard = [0; 4096];
        while stream.read(&mut heard).await? > 0 {}
        Ok::<_, io::Error>(())
    };
    // Whoever is gone, or goes on for ever, has had it.
    let _ = timeout(patience, farewell).await;
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

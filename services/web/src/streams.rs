//! Answers that go on: how many somebody may have, and when they end.

use std::collections::HashMap;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use http_body::Frame;
use tokio::sync::watch;
use tokio::time::{Interval, interval};

use crate::Fault;
use crate::users::{Credential, Users};

/// How often it is asked whether a reader may still read.
const LOOK: Duration = Duration::from_millis(500);

/// An answer that is sent while it is worked out has this among its extensions: it is broken off when its reader may
/// read no more. Broken off it does not look whole.
#[derive(Debug, Clone, Copy)]
pub struct GoesOn;

/// Whether an answer is one that goes on.
fn is_stream(response: &Response) -> bool {
    let headers = response.headers();
    if response.extensions().get::<GoesOn>().is_some() {
        return true;
    }
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| {
        ["text/event-stream", "application/x-ndjson"]
            .iter()
            .any(|stream| kind.starts_with(stream))
    })
}

/// The streams that are open, by who reads them.
#[derive(Debug, Clone)]
pub(crate) struct Streams {
    open: Arc<Mutex<HashMap<String, usize>>>,
    most: usize,
    stopped: watch::Receiver<bool>,
}

impl Streams {
    pub(crate) fn new(most: usize, stopped: watch::Receiver<bool>) -> Streams {
        Streams {
            open: Arc::default(),
            most,
            stopped,
        }
    }

    /// If the answer goes on: ends it when the server stops or when its reader may read no more, and refuses it to
    /// whoever has too many.
    pub(crate) fn watch(
        &self,
        response: Response,
        reader: &str,
        right: Option<(Users, Credential)>,
    ) -> Response {
        let must_be_whole = response.extensions().get::<GoesOn>().is_some();
        if !is_stream(&response) {
            return response;
        }
        let Some(seat) = self.sit_down(reader) else {
            let why = format!("{} streams are open already: close one first", self.most);
            let fault = Fault::new(StatusCode::TOO_MANY_REQUESTS, "too_many_streams", why);
            return fault.into_response();
        };
        let stop = stop(self.stopped.clone());
        response.map(|body| {
            Body::new(Watched {
                body,
                stop: Box::pin(stop),
                look: interval(LOOK),
                right,
                has_ended: false,
                must_be_whole,
                _seat: seat,
            })
        })
    }

    fn sit_down(&self, reader: &str) -> Option<Seat> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(reader.to_owned()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Seat {
            open: self.open.clone(),
            reader: reader.to_owned(),
        })
    }
}

/// Until the server is to stop. One that is gone has stopped.
pub(crate) async fn stop(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

#[derive(Debug)]
struct Seat {
    open: Arc<Mutex<HashMap<String, usize>>>,
    reader: String,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.reader) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.reader);
            }
        }
    }
}

/// A body that ends when it must.
struct Watched {
    body: Body,
    stop: Pin<Box<dyn Future<Output = ()> + Send>>,
    look: Interval,
    right: Option<(Users, Credential)>,
    has_ended: bool,
    must_be_whole: bool,
    _seat: Seat,
}

impl Watched {
    fn must_end(&mut self, context: &mut Context<'_>) -> bool {
        if self.stop.as_mut().poll(context).is_ready() {
            return true;
        }
        while self.look.poll_tick(context).is_ready() {
            // To look is to use the session: whoever reads is there.
            if let Some((users, credential)) = &self.right
                && !matches!(users.who(credential, ""), Ok(Some(_)))
            {
                return true;
            }
        }
        false
    }
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.has_ended {
            return Poll::Ready(None);
        }
        if self.must_end(context) {
            self.has_ended = true;
            let cut = axum::Error::new("the reader may read no more");
            return Poll::Ready(self.must_be_whole.then_some(Err(cut)));
        }
        Pin::new(&mut self.body).poll_frame(context)
    }
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watched").finish_non_exhaustive()
    }
}

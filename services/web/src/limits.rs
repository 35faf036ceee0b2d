//! How much a client may ask of the server.

use std::time::Duration;

/// How much a client may ask of the server. Whatever exceeds a limit is answered with an error, or cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Connections at a time. When there are so many, the one that has been idle for longest is closed for a
    /// new one; when none is idle, the new one is.
    pub connections: usize,
    /// The line of a request and its headers together; at least 8,192.
    pub header_bytes: usize,
    pub headers: usize,
    pub body_bytes: usize,
    /// Until a TLS handshake is done, and until a request's headers are there, counted from the beginning of the
    /// connection or the end of the request before: an idle connection is closed after it.
    pub header_timeout: Duration,
    /// Until a request, with its body, is answered. What is streamed after that may take longer.
    pub answer_timeout: Duration,
    /// Until a client takes more of an answer.
    pub write_timeout: Duration,
    /// Answers that go on, such as event streams, that one user has open at a time; where there are no users, one
    /// address.
    pub streams: usize,
    /// Until a request that is underway must be done when the server stops.
    pub stop_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 256,
            header_bytes: 16 * 1024,
            headers: 64,
            body_bytes: 1024 * 1024,
            header_timeout: Duration::from_secs(10),
            answer_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            streams: 16,
            stop_timeout: Duration::from_secs(5),
        }
    }
}

//! What a client is told when it does not get what it asked for.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::header::{CACHE_CONTROL, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value};

/// An error as JSON: `{"error": "one sentence", "code": "word"}`, and what else belongs to it.
///
/// ```
/// use catwalk_web::{Fault, axum::http::StatusCode};
///
/// let fault = Fault::new(StatusCode::CONFLICT, "overtaken", "Ann Lee has claimed it").with("by", "ann");
/// assert_eq!(fault.to_string(), "Ann Lee has claimed it");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct Fault {
    status: StatusCode,
    code: &'static str,
    error: String,
    more: Map<String, Value>,
    retry_after: Option<u64>,
}

impl Fault {
    /// `code` is a word for programs, `error` one sentence that a person understands.
    pub fn new(status: StatusCode, code: &'static str, error: impl Into<String>) -> Fault {
        Fault {
            status,
            code,
            error: error.into(),
            more: Map::new(),
            retry_after: None,
        }
    }

    /// The word for programs.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// One more field of the answer.
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Fault {
        self.more.insert(field.to_owned(), value.into());
        self
    }

    /// When it is worth to ask again.
    pub fn retry_after(mut self, seconds: u64) -> Fault {
        self.retry_after = Some(seconds);
        self
    }

    pub(crate) fn not_signed_in() -> Fault {
        let error = "nobody is signed in: sign in, or send a token that is valid";
        Fault::new(StatusCode::UNAUTHORIZED, "not_signed_in", error)
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let mut body = self.more;
        body.insert("error".to_owned(), self.error.into());
        body.insert("code".to_owned(), self.code.into());
        let mut response = (self.status, Json(Value::Object(body))).into_response();
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl From<JsonRejection> for Fault {
    fn from(rejection: JsonRejection) -> Fault {
        bad_input(rejection.status(), &rejection.body_text())
    }
}

impl From<QueryRejection> for Fault {
    fn from(rejection: QueryRejection) -> Fault {
        bad_input(rejection.status(), &rejection.body_text())
    }
}

impl From<PathRejection> for Fault {
    fn from(rejection: PathRejection) -> Fault {
        bad_input(rejection.status(), &rejection.body_text())
    }
}

fn bad_input(status: StatusCode, what: &str) -> Fault {
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => Fault::new(status, "too_large", "the body is too large"),
        // What cannot be read and what does not fit are one thing to a client: bad input.
        _ => Fault::new(StatusCode::BAD_REQUEST, "bad_input", what),
    }
}

//! The response to a request that failed.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tallrow::ErrorKind;

/// The reason why a request failed.
#[derive(Debug)]
pub enum Failure {
    /// There is no such row.
    NotFound,
    /// The table could not be read or written.
    Table(tallrow::Error),
}

impl From<tallrow::Error> for Failure {
    fn from(error: tallrow::Error) -> Self {
        Self::Table(error)
    }
}

#[derive(Serialize)]
struct Body {
    error: String,
    /// Whether the same request may be sent again: nothing was changed, and it may succeed later.
    retry: bool,
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, error, retry) = match self {
            Self::NotFound => (StatusCode::NOT_FOUND, "there is no such reading".to_owned(), false),
            Self::Table(error) => {
                let status = match error.kind() {
                    ErrorKind::InvalidArgument => StatusCode::BAD_REQUEST,
                    ErrorKind::Busy | ErrorKind::Unreachable => StatusCode::SERVICE_UNAVAILABLE,
                    ErrorKind::Timeout | ErrorKind::OutcomeUnknown => StatusCode::GATEWAY_TIMEOUT,
                    _ => StatusCode::INTERNAL_SERVER_ERROR,
                };
                (status, error.to_string(), error.kind().is_safe_to_retry())
            }
        };
        (status, Json(Body { error, retry })).into_response()
    }
}

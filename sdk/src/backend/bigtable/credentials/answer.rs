//! What a server for tokens answers instead of a token. `gcp_auth` keeps neither the status nor the
//! text of such an answer in its errors: it only logs them with `tracing`, in a warning that is
//! read here and passed on.

use std::fmt::{self, Debug, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use gcp_auth::Error as Failure;
use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::instrument::WithSubscriber;
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Dispatch, Event, Metadata, Subscriber, dispatcher};

/// The target of the warning.
const TARGET: &str = "gcp_auth::types";
/// The longest text of a server that is shown.
const LONGEST: usize = 300;

/// A failure of `gcp_auth`, with the answer of the server for tokens if there was one.
#[derive(Debug)]
pub(super) struct TokenFailure {
    pub(super) cause: Failure,
    pub(super) answer: Option<Answer>,
}

/// An answer without a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// Why the server gives no token, if its answer has the form of OAuth's errors.
    reason: Option<String>,
}

impl Answer {
    /// Whether the server may give a token when it is asked again.
    pub(super) fn is_temporary(&self) -> bool {
        matches!(self.status, 408 | 429 | 500..)
    }

    fn new(status: u16, body: &str) -> Self {
        let reason = serde_json::from_str::<Value>(body).ok().and_then(|json| {
            let text_of = |json: &Value, name| json.get(name)?.as_str().map(str::to_owned);
            // Google's APIs have an object, whose message is the text.
            let of_error = |name| text_of(json.get("error")?, name);
            let code = text_of(&json, "error").or_else(|| of_error("status"));
            let description = text_of(&json, "error_description").or_else(|| of_error("message"));
            match (code, description) {
                (Some(code), Some(description)) => Some(format!("{code}: {description}")),
                (code, description) => code.or(description),
            }
        });
        let reason = reason.map(|reason| reason.chars().take(LONGEST).collect());
        Self { status, reason }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Some(reason) => write!(f, "the status {} ({reason})", self.status),
            None => write!(f, "the status {}", self.status),
        }
    }
}

/// Runs a call of `gcp_auth`, and adds to its failure what the server for tokens answered last.
pub(super) async fn with_answer<T>(
    call: impl Future<Output = Result<T, Failure>>,
) -> Result<T, TokenFailure> {
    let answer = Arc::new(Mutex::new(None));
    let program = dispatcher::get_default(Dispatch::clone);
    let outcome = call.with_subscriber(Listener { answer: answer.clone(), program }).await;
    outcome.map_err(|cause| TokenFailure {
        cause,
        answer: answer.lock().unwrap_or_else(PoisonError::into_inner).take(),
    })
}

/// Keeps the answer that `gcp_auth` logs, and passes everything on to the program's subscriber.
struct Listener {
    answer: Arc<Mutex<Option<Answer>>>,
    program: Dispatch,
}

fn is_answer(metadata: &Metadata<'_>) -> bool {
    metadata.target() == TARGET
        && metadata.is_event()
        && metadata.fields().field("status").is_some()
        && metadata.fields().field("body").is_some()
}

impl Subscriber for Listener {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        match is_answer(metadata) {
            true => Interest::always(),
            false => self.program.register_callsite(metadata),
        }
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        // The subscriber of the program has told its own level.
        Some(LevelFilter::WARN)
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        is_answer(metadata) || self.program.enabled(metadata)
    }

    fn event(&self, event: &Event<'_>) {
        if is_answer(event.metadata()) {
            let mut fields = AnswerFields::default();
            event.record(&mut fields);
            if let Ok(status) = fields.status.parse() {
                let answer = Some(Answer::new(status, &fields.body));
                *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = answer;
            }
        }
        if self.program.enabled(event.metadata()) {
            self.program.event(event);
        }
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.program.new_span(span)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        self.program.record(span, values);
    }

    fn record_follows_from(&self, span: &Id, follows: &Id) {
        self.program.record_follows_from(span, follows);
    }

    fn enter(&self, span: &Id) {
        self.program.enter(span);
    }

    fn exit(&self, span: &Id) {
        self.program.exit(span);
    }

    fn clone_span(&self, span: &Id) -> Id {
        self.program.clone_span(span)
    }

    fn try_close(&self, span: Id) -> bool {
        self.program.try_close(span)
    }
}

/// The fields of the warning, as text.
#[derive(Default)]
struct AnswerFields {
    status: String,
    body: String,
}

impl Visit for AnswerFields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let text = match field.name() {
            "status" => &mut self.status,
            "body" => &mut self.body,
            _ => return,
        };
        let _ = write!(text, "{value:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_shown_by_its_status_and_the_reason_of_oauth() {
        let long = format!(r#"{{"error":"{}"}}"#, "x".repeat(1_000));
        let google =
            r#"{"error":{"code":403,"message":"Not allowed","status":"PERMISSION_DENIED"}}"#;
        for (status, body, shown, is_temporary) in [
            (
                400,
                r#"{"error":"invalid_grant","error_description":"Bad Request"}"#,
                "the status 400 (invalid_grant: Bad Request)",
                false,
            ),
            (401, r#"{"error":"invalid_client"}"#, "the status 401 (invalid_client)", false),
            (403, google, "the status 403 (PERMISSION_DENIED: Not allowed)", false),
            (404, "<html>ya29</html>", "the status 404", false),
            (400, r#"["ya29"]"#, "the status 400", false),
            (429, "", "the status 429", true),
            (503, "", "the status 503", true),
        ] {
            let answer = Answer::new(status, body);
            assert_eq!((answer.to_string().as_str(), answer.is_temporary()), (shown, is_temporary));
        }
        assert_eq!(Answer::new(400, &long).to_string().len(), "the status 400 ()".len() + LONGEST);
    }
}

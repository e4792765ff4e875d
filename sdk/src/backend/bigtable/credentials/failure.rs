//! Converts failures of `gcp_auth` to errors of this crate, without texts that may contain a part
//! of a key or a token.

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use gcp_auth::Error as Failure;

use super::answer::{Answer, TokenFailure};
use crate::{Error, ErrorKind};

/// The environment variable that names the key file of a service account.
pub(super) const KEY_FILE_VARIABLE: &str = "GOOGLE_APPLICATION_CREDENTIALS";
/// The text of `gcp_auth` when the server for tokens answers with a failure.
const REFUSED: &str = "token request failed";
/// The text of `gcp_auth` when there is no answer.
const NOT_REACHED: &str = "HTTP request failed";

/// Returns the error for a place of credentials that gave no token. `place` is the name of that
/// place in the text.
pub(super) fn token_error(place: &str, failure: &TokenFailure, advice: &str) -> Error {
    let said = safe_text(&failure.cause);
    match (&failure.cause, &failure.answer) {
        (Failure::Http(..) | Failure::Other(NOT_REACHED, _), _) => {
            Error::new(ErrorKind::Unreachable, format!("no access token by {place}: {said}"))
        }
        (Failure::Str(REFUSED), Some(answer)) if answer.is_temporary() => {
            let text =
                format!("no access token by {place}: the server for tokens answered with {answer}");
            Error::new(ErrorKind::Unreachable, text)
        }
        (Failure::Str(REFUSED), answer) => {
            let with = |answer: &Answer| format!(" with {answer}");
            let text = format!(
                "no access token by {place}: the server for tokens refused the credentials{}; \
                 {advice}",
                answer.as_ref().map(with).unwrap_or_default()
            );
            Error::new(ErrorKind::PermissionDenied, text)
        }
        // The failure is about a file, or about the certificate authorities of the system. Its text
        // says what to do, so `advice` is left out.
        (Failure::Io(..), _) => {
            Error::new(ErrorKind::PermissionDenied, format!("no access token by {place}: {said}"))
        }
        _ => {
            let text = format!("no access token by {place}: {said}; {advice}");
            Error::new(ErrorKind::PermissionDenied, text)
        }
    }
}

/// Returns the error for a place of credentials that does not answer in time.
pub(super) fn timeout_error(place: &str, within: Duration) -> Error {
    let text = format!("no access token by {place}: no answer within {} s", within.as_secs());
    Error::new(ErrorKind::Unreachable, text)
}

/// Returns the error for when no place has credentials. `login` and `machine` say why the login of
/// gcloud and the metadata server have none.
pub(super) fn no_credentials_error(login: &str, machine: &str) -> Error {
    let text = format!(
        "there are no credentials: {KEY_FILE_VARIABLE} is not set; there is no login of gcloud ({login}); this machine has no metadata \
         server ({machine}). Run `gcloud auth application-default login`, name the key file of a service account in \
         {KEY_FILE_VARIABLE}, or give tokens to Config::access_tokens"
    );
    Error::new(ErrorKind::PermissionDenied, text)
}

/// Whether the failure means that the place has no credentials, so that the next place is tried.
pub(super) fn is_absence(failure: &Failure) -> bool {
    match failure {
        Failure::Io(_, error) => {
            matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        }
        // Any text other than a refusal means that there is no home directory.
        Failure::Str(_) => !is_refusal(failure),
        _ => false,
    }
}

/// Whether a server has answered with a failure instead of a token.
pub(super) fn is_refusal(failure: &Failure) -> bool {
    matches!(failure, Failure::Str(REFUSED))
}

/// Returns the text of a failure, without parts that may show a key or a token.
pub(super) fn safe_text(failure: &Failure) -> String {
    match failure {
        // The text of the error itself may show what was read.
        Failure::Json(what, error) => format!("{what}, at line {}", error.line()),
        Failure::Io(what, error) => format!("{what}: {error}"),
        Failure::Http(what, error) => with_causes(what, error),
        Failure::Other(what @ NOT_REACHED, error) => with_causes(what, &**error),
        // The error of the key parser would show the line that it cannot parse.
        Failure::Other(what, _) | Failure::Str(what) => (*what).to_owned(),
        other @ Failure::NoAuthMethod(..) => other.to_string(),
    }
}

fn with_causes(what: &str, error: &(dyn StdError + 'static)) -> String {
    let mut text = format!("{what}: {error}");
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

//! What `gcp_auth` says, as errors of this crate: without what may be a part of a key or a token.

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use gcp_auth::Error as Failure;

use crate::{Error, ErrorKind};

/// The variable that names the key file of a service account.
pub(super) const VARIABLE: &str = "GOOGLE_APPLICATION_CREDENTIALS";
/// What `gcp_auth` says about an answer that is not one of success. It only logs the status and the
/// text of that answer.
const REFUSED: &str = "token request failed";
/// What `gcp_auth` says if there is no answer.
const NOT_REACHED: &str = "HTTP request failed";

/// The credentials of a place that gave no token.
pub(super) fn of(place: &str, failure: &Failure, advice: &str) -> Error {
    let said = said(failure);
    match failure {
        Failure::Http(..) | Failure::Other(NOT_REACHED, _) => {
            Error::new(ErrorKind::Unreachable, format!("no access token by {place}: {said}"))
        }
        Failure::Str(REFUSED) => {
            let text = format!(
                "no access token by {place}: the server for tokens refused the credentials; {advice} (its answer is in the \
                 log, a warning of gcp_auth)"
            );
            Error::new(ErrorKind::PermissionDenied, text)
        }
        // A file, or the authorities of the system: its words say what to do.
        Failure::Io(..) => {
            Error::new(ErrorKind::PermissionDenied, format!("no access token by {place}: {said}"))
        }
        _ => {
            let text = format!("no access token by {place}: {said}; {advice}");
            Error::new(ErrorKind::PermissionDenied, text)
        }
    }
}

/// A place that does not answer.
pub(super) fn late(place: &str, within: Duration) -> Error {
    let text = format!("no access token by {place}: no answer within {} s", within.as_secs());
    Error::new(ErrorKind::Unreachable, text)
}

/// Nothing in any place, and why.
pub(super) fn nothing(login: &str, machine: &str) -> Error {
    let text = format!(
        "there are no credentials: {VARIABLE} is not set; there is no login of gcloud ({login}); this machine has no metadata \
         server ({machine}). Run `gcloud auth application-default login`, name the key file of a service account in \
         {VARIABLE}, or give tokens to Config::access_tokens"
    );
    Error::new(ErrorKind::PermissionDenied, text)
}

/// Whether the place has no credentials, so that the next one is asked.
pub(super) fn is_absence(failure: &Failure) -> bool {
    match failure {
        Failure::Io(_, error) => {
            matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        }
        // There is no home.
        Failure::Str(_) => !is_refusal(failure),
        _ => false,
    }
}

/// Whether a server has answered, and with no token.
pub(super) fn is_refusal(failure: &Failure) -> bool {
    matches!(failure, Failure::Str(REFUSED))
}

/// Its words.
pub(super) fn said(failure: &Failure) -> String {
    match failure {
        // Its own text may show what was read.
        Failure::Json(what, error) => format!("{what}, at line {}", error.line()),
        Failure::Io(what, error) => format!("{what}: {error}"),
        Failure::Http(what, error) => with_causes(what, error),
        Failure::Other(what @ NOT_REACHED, error) => with_causes(what, &**error),
        // The reader of keys shows the line that it cannot read.
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

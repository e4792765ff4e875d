//! Reads the key file of a service account that the environment variable names.

use std::path::{Path, PathBuf};

use gcp_auth::CustomServiceAccount;
use http::Uri;
use serde_json::Value;

use super::answer::TokenFailure;
use super::failure::{self, KEY_FILE_VARIABLE};
use crate::{Error, ErrorKind, Result};

/// A service account from a key file, with texts for errors about the account.
pub(super) struct KeyFile {
    pub(super) account: CustomServiceAccount,
    pub(super) source_name: String,
    /// What to do if the account is refused.
    pub(super) advice: String,
}

/// Reads the key file on a thread that may block.
pub(super) async fn load(path: PathBuf) -> Result<KeyFile> {
    let read = tokio::task::spawn_blocking(move || read(&path)).await;
    read.unwrap_or_else(|ended| {
        let text = format!("the file of {KEY_FILE_VARIABLE} was not read to its end");
        Err(Error::new(ErrorKind::PermissionDenied, text).caused_by(ended))
    })
}

fn read(path: &Path) -> Result<KeyFile> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let text =
            format!("{KEY_FILE_VARIABLE} is {}, which cannot be read: {error}", path.display());
        Error::new(ErrorKind::PermissionDenied, text).caused_by(error)
    })?;
    let email = check(path, &text)?;
    let advice = format!(
        "look whether the service account {email} exists, is enabled and has this key, and whether the clock of this machine \
         is right"
    );
    let place = format!("the key file {}", path.display());
    let account = CustomServiceAccount::from_json(&text).map_err(|cause| {
        let failure = TokenFailure { cause, answer: None };
        failure::token_error(&place, &failure, "fetch a new key file from Google")
    })?;
    Ok(KeyFile { account, source_name: place, advice })
}

/// Checks that a text is a key that `gcp_auth` can use, and returns the email address of its
/// account.
fn check(path: &Path, text: &str) -> Result<String> {
    let path = path.display();
    let wrong = |why: String| {
        let text =
            format!("{path}, named by {KEY_FILE_VARIABLE}, is no key of a service account: {why}");
        Error::new(ErrorKind::PermissionDenied, text)
    };
    let json: Value = serde_json::from_str(text).map_err(|error| {
        // The text of the error may show a part of the file.
        wrong(format!("it is not JSON, at line {}", error.line()))
    })?;
    let member = |name: &str| {
        let text = json.get(name).and_then(Value::as_str);
        text.ok_or_else(|| wrong(format!("it has no {name}")))
    };
    match member("type")? {
        "service_account" => {}
        "authorized_user" => {
            return Err(wrong(format!(
                "it is a login of gcloud, which is found in its own place only: run `gcloud auth application-default login` and \
                 unset {KEY_FILE_VARIABLE}"
            )));
        }
        other => {
            let text = format!(
                "{path}, named by {KEY_FILE_VARIABLE}, has credentials of the type {other:?}, and only keys of the type service_account \
                 are known: give others' tokens to Config::access_tokens"
            );
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
    }
    member("private_key")?;
    let uri = member("token_uri")?;
    if !is_safe(uri) {
        return Err(wrong(format!(
            "its token_uri {uri:?} is no address with https, and credentials are not sent without TLS"
        )));
    }
    member("client_email").map(str::to_owned)
}

/// Whether a secret may be sent to this address: by HTTPS, or to this machine. A text that is not
/// an address is refused too, because `gcp_auth` would panic at it.
fn is_safe(uri: &str) -> bool {
    let Ok(uri) = uri.parse::<Uri>() else { return false };
    match (uri.scheme_str(), uri.host()) {
        (Some("https"), Some(_)) => true,
        (Some("http"), Some(host)) => ["localhost", "127.0.0.1", "[::1]"].contains(&host),
        _ => false,
    }
}

//! Files with credentials: the key of a service account, or the login of a user.

use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

use super::jwt::{Claims, assertion};
use crate::{Error, ErrorKind, Result};

const TOKEN_URI: &str = "https://oauth2.googleapis.com/token";
/// What tokens are for.
const SCOPE: &str =
    "https://www.googleapis.com/auth/bigtable.data https://www.googleapis.com/auth/bigtable.admin";

/// The content of a file.
pub(super) struct KeyFile {
    path: String,
    pub(super) token_uri: String,
    kind: Kind,
}

enum Kind {
    ServiceAccount { email: String, key: String, key_id: Option<String> },
    User { client_id: String, client_secret: String, refresh_token: String },
}

impl KeyFile {
    pub(super) fn parse(path: &str, text: &str) -> Result<Self> {
        let wrong = |why: String| {
            let text = format!("{path} is no file of credentials: {why}");
            Error::new(ErrorKind::PermissionDenied, text)
        };
        let json: Value = serde_json::from_str(text).map_err(|error| {
            // Its text may show a part of the file.
            wrong(format!("it is not JSON, at line {}", error.line()))
        })?;
        let optional = |name: &str| json.get(name).and_then(Value::as_str).map(str::to_owned);
        let member = |name: &str| optional(name).ok_or_else(|| wrong(format!("it has no {name}")));
        let kind = match &*member("type")? {
            "service_account" => Kind::ServiceAccount {
                email: member("client_email")?,
                key: member("private_key")?,
                key_id: optional("private_key_id"),
            },
            "authorized_user" => Kind::User {
                client_id: member("client_id")?,
                client_secret: member("client_secret")?,
                refresh_token: member("refresh_token")?,
            },
            other => {
                let text = format!(
                    "{path} has credentials of the type {other:?}; those of service_account and authorized_user are known: \
                     give others' tokens to Config::access_tokens"
                );
                return Err(Error::new(ErrorKind::Unsupported, text));
            }
        };
        let token_uri = optional("token_uri").unwrap_or_else(|| TOKEN_URI.to_owned());
        Ok(Self { path: path.to_owned(), token_uri, kind })
    }

    /// What is posted for a token.
    pub(super) fn form(&self) -> Result<String> {
        match &self.kind {
            Kind::ServiceAccount { email, key, key_id } => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let claims = Claims {
                    issuer: email,
                    scope: SCOPE,
                    audience: &self.token_uri,
                    now: now.as_secs(),
                };
                let signed = assertion(&claims, key_id.as_deref(), key).map_err(|why| {
                    let text = format!("{}: private_key: {why}", self.path);
                    Error::new(ErrorKind::PermissionDenied, text)
                })?;
                Ok(form(&[
                    ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
                    ("assertion", &signed),
                ]))
            }
            Kind::User { client_id, client_secret, refresh_token } => Ok(form(&[
                ("grant_type", "refresh_token"),
                ("client_id", client_id),
                ("client_secret", client_secret),
                ("refresh_token", refresh_token),
            ])),
        }
    }

    /// What to do if the credentials are refused.
    pub(super) fn advice(&self) -> String {
        let path = &self.path;
        match &self.kind {
            Kind::ServiceAccount { email, .. } => format!(
                "look whether the service account {email} exists, is enabled and has the key of {path}, and whether the clock of \
                 this machine is right"
            ),
            Kind::User { .. } => {
                format!(
                    "the login in {path} has ended: run `gcloud auth application-default login`"
                )
            }
        }
    }
}

/// Names and values as `application/x-www-form-urlencoded`.
fn form(pairs: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (name, value) in pairs {
        if !text.is_empty() {
            text.push('&');
        }
        text.push_str(name);
        text.push('=');
        for byte in value.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                    text.push(char::from(byte));
                }
                // Writing to a string cannot fail.
                other => drop(write!(text, "%{other:02X}")),
            }
        }
    }
    text
}

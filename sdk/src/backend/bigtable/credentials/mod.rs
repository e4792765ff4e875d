//! Fetches access tokens with Google's application default credentials, by the crate `gcp_auth`.

mod answer;
mod failure;
#[cfg(any(feature = "ring", feature = "aws-lc-rs"))]
mod key_file;
#[cfg(test)]
mod tests;

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use futures_util::FutureExt;
use gcp_auth::{ConfigDefaultCredentials, MetadataServiceAccount, TokenProvider};
use tokio::time::timeout;

use self::answer::with_answer;
use crate::config::access_tokens::{AccessToken, AccessTokens};
use crate::{Error, ErrorKind, Result};

/// The scopes that tokens are requested for.
const SCOPES: [&str; 2] = [
    "https://www.googleapis.com/auth/bigtable.data",
    "https://www.googleapis.com/auth/bigtable.admin",
];
/// How long fetching a token may take.
const WITHIN: Duration = Duration::from_secs(10);
/// How long fetching a token from the metadata server of this machine may take. That server is
/// near, or does not exist.
const WITHIN_MACHINE: Duration = Duration::from_secs(5);

const LOGIN: &str = "the login of gcloud";
const MACHINE: &str = "the metadata server of this machine";

/// Returns access tokens that are fetched with the credentials of the environment.
///
/// Each fetch looks for the credentials again: files may change, and a provider that was kept would
/// return a token again that the service has refused.
pub(crate) fn application_default() -> AccessTokens {
    AccessTokens::new(|| async {
        let named = std::env::var_os(failure::KEY_FILE_VARIABLE).map(PathBuf::from);
        guarded(fetch(named)).await.map_err(Into::into)
    })
}

/// Runs `fetch`, and converts a panic to an error: `gcp_auth` panics at a token that expires after
/// the end of its calendar.
async fn guarded(fetch: impl Future<Output = Result<AccessToken>>) -> Result<AccessToken> {
    AssertUnwindSafe(fetch).catch_unwind().await.unwrap_or_else(|_| {
        let text = "the answer with the access token is none that can be read";
        Err(Error::new(ErrorKind::Protocol, text))
    })
}

/// Fetches a token with the key file `named`; without it, with the first credentials that are
/// found: the login of gcloud, or those of the metadata server.
async fn fetch(named: Option<PathBuf>) -> Result<AccessToken> {
    if let Some(path) = named {
        return fetch_by_key_file(path).await;
    }
    let advice = "run `gcloud auth application-default login`";
    let login = match timeout(WITHIN, with_answer(ConfigDefaultCredentials::new())).await {
        Ok(Ok(provider)) => return token(&provider, LOGIN, advice).await,
        Ok(Err(error)) if failure::is_absence(&error.cause) => failure::safe_text(&error.cause),
        Ok(Err(error)) => return Err(failure::token_error(LOGIN, &error, advice)),
        Err(_) => return Err(failure::timeout_error(LOGIN, WITHIN)),
    };
    let advice = "give the machine a service account that may use Bigtable";
    let machine = match timeout(WITHIN_MACHINE, with_answer(MetadataServiceAccount::new())).await {
        Ok(Ok(provider)) => return token(&provider, MACHINE, advice).await,
        Ok(Err(error)) if failure::is_refusal(&error.cause) => {
            return Err(failure::token_error(MACHINE, &error, advice));
        }
        Ok(Err(error)) => failure::safe_text(&error.cause),
        Err(_) => format!("no answer within {} s", WITHIN_MACHINE.as_secs()),
    };
    Err(failure::no_credentials_error(&login, &machine))
}

#[cfg(any(feature = "ring", feature = "aws-lc-rs"))]
async fn fetch_by_key_file(path: PathBuf) -> Result<AccessToken> {
    let key = key_file::load(path).await?;
    token(&key.account, &key.source_name, &key.advice).await
}

/// Without a cryptography provider of its own, `gcp_auth` has no service accounts.
#[cfg(not(any(feature = "ring", feature = "aws-lc-rs")))]
async fn fetch_by_key_file(path: PathBuf) -> Result<AccessToken> {
    let text = format!(
        "{} is {}, and nothing signs with the keys of service accounts: enable the feature `ring` or \
         `aws-lc-rs` of tallrow",
        failure::KEY_FILE_VARIABLE,
        path.display()
    );
    Err(Error::new(ErrorKind::Unsupported, text))
}

async fn token(provider: &dyn TokenProvider, place: &str, advice: &str) -> Result<AccessToken> {
    let given = timeout(WITHIN, with_answer(provider.token(&SCOPES))).await;
    let token = given
        .map_err(|_| failure::timeout_error(place, WITHIN))?
        .map_err(|error| failure::token_error(place, &error, advice))?;
    let end = SystemTime::from(token.expires_at());
    let left = end.duration_since(SystemTime::now()).unwrap_or_default();
    Ok(AccessToken::new(token.as_str()).valid_for(left))
}

//! The credentials of a program: Google's application default credentials.

mod environment;
mod http;
mod jwt;
mod key_file;
mod stream;
#[cfg(test)]
mod tests;

use environment::{Environment, Found};
use http::{Answer, Http};
use serde_json::Value;

use crate::access_tokens::{AccessToken, AccessTokens};
use crate::{Config, Error, ErrorKind, Result};

/// The tokens of the credentials that the environment has. They are looked for at each fetch, so that they may change.
pub(crate) fn application_default(config: &Config) -> AccessTokens {
    of_environment(Environment::of_process(), config)
}

fn of_environment(environment: Environment, config: &Config) -> AccessTokens {
    let http = Http::new(config);
    AccessTokens::new(move || {
        let (environment, http) = (environment.clone(), http.clone());
        async move { fetch(&environment, &http).await.map_err(Into::into) }
    })
}

async fn fetch(environment: &Environment, http: &Http) -> Result<AccessToken> {
    match environment.find().await? {
        Found::File(file) => {
            let answer = http.post_form(&file.token_uri, file.form()?).await?;
            token(answer, &file.token_uri, || file.advice())
        }
        Found::Metadata { host, none } => {
            let uri =
                format!("http://{host}/computeMetadata/v1/instance/service-accounts/default/token");
            let answer = http.get_metadata(&uri).await.map_err(|error| match none {
                true => {
                    let text = format!("{}; {error}", environment.nothing());
                    Error::new(ErrorKind::PermissionDenied, text).caused_by(error)
                }
                false => error,
            })?;
            let advice = "give the machine a service account that may use Bigtable";
            token(answer, &uri, || advice.to_owned())
        }
    }
}

/// The token in an answer.
fn token(answer: Answer, uri: &str, advice: impl Fn() -> String) -> Result<AccessToken> {
    let Answer { status, body } = answer;
    let json: Option<Value> = serde_json::from_slice(&body).ok();
    let text = |name: &str| json.as_ref().and_then(|json| json.get(name)?.as_str());
    if status == 200 {
        let seconds = json.as_ref().and_then(|json| json.get("expires_in")?.as_u64());
        return match (text("access_token"), seconds) {
            (Some(token), Some(seconds)) => {
                Ok(AccessToken::new(token).valid_for(std::time::Duration::from_secs(seconds)))
            }
            _ => {
                let text = format!("{uri} answered without access_token and expires_in");
                Err(Error::new(ErrorKind::Protocol, text))
            }
        };
    }
    let why = match (text("error"), text("error_description")) {
        (Some(error), Some(description)) => format!("{error}: {description}"),
        (Some(error), None) => error.to_owned(),
        _ => String::from_utf8_lossy(&body).chars().take(200).collect(),
    };
    if status >= 500 || status == 429 || status == 408 {
        let text = format!("{uri} answered {status} ({why})");
        return Err(Error::new(ErrorKind::Unreachable, text));
    }
    let text = format!("{uri} refused the credentials with {status} ({why}); {}", advice());
    Err(Error::new(ErrorKind::PermissionDenied, text))
}

//! Credentials of all kinds with a token endpoint of the test.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rustls_023::SignatureScheme;
use rustls_023::crypto::ring;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::Instant;

use super::environment::Environment;
use super::of_environment;
use crate::{Config, Error, ErrorKind, Result};

const KEY: &str = include_str!("../../../tests/credentials/key.pem");
const PUBLIC: &[u8] = include_bytes!("../../../tests/credentials/public.der");

/// A server that gives these answers, one for each connection, and keeps the requests.
struct Endpoint {
    at: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Endpoint {
    async fn with(answers: &[(u16, Value)]) -> Self {
        let mut answers: VecDeque<_> = answers.to_vec().into();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap().to_string();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = requests.clone();
        tokio::spawn(async move {
            while let Some((status, body)) = answers.pop_front() {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut text = String::new();
                while !is_complete(&text) {
                    let mut chunk = [0; 4_096];
                    let count = stream.read(&mut chunk).await.unwrap();
                    text += std::str::from_utf8(&chunk[..count]).unwrap();
                }
                kept.lock().unwrap().push(text);
                let body = body.to_string();
                // In chunks, as Google's servers answer.
                let (a, b) = body.split_at(body.len() / 2);
                let head = "content-type: application/json\r\ntransfer-encoding: chunked";
                let answer = format!(
                    "HTTP/1.1 {status} X\r\n{head}\r\n\r\n{:x}\r\n{a}\r\n{:x}\r\n{b}\r\n0\r\n\r\n",
                    a.len(),
                    b.len()
                );
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        Self { at, requests }
    }

    /// The requests so far: the first line and the form of each.
    fn requests(&self) -> Vec<(String, String)> {
        let all = self.requests.lock().unwrap();
        let parts = |text: &String| {
            let (head, body) = text.split_once("\r\n\r\n").unwrap();
            (head.lines().next().unwrap().to_owned(), body.to_owned())
        };
        all.iter().map(parts).collect()
    }
}

fn is_complete(text: &str) -> bool {
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    length.is_none_or(|length| body.len() >= length.parse().unwrap())
}

fn granted(token: &str, seconds: u64) -> (u16, Value) {
    (200, json!({ "access_token": token, "expires_in": seconds, "token_type": "Bearer" }))
}

/// A folder that ends with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tallrow-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, content: &Value) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, content.to_string()).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn service_account(endpoint: &Endpoint) -> Value {
    json!({
        "type": "service_account",
        "client_email": "me@p.iam.gserviceaccount.com",
        "private_key_id": "k1",
        "private_key": KEY,
        "token_uri": format!("http://{}/token", endpoint.at),
    })
}

async fn bearer(variables: &[(&'static str, &str)]) -> Result<String> {
    let set = variables.iter().map(|(name, value)| (*name, (*value).to_owned()));
    let tokens = of_environment(Environment::of(set), &Config::new());
    let header = tokens.bearer(Instant::now() + Duration::from_secs(20)).await?;
    Ok(header.to_str().unwrap().to_owned())
}

async fn refusal(variables: &[(&'static str, &str)]) -> Error {
    bearer(variables).await.unwrap_err()
}

#[tokio::test]
async fn a_service_account_signs_what_it_says() {
    let endpoint = Endpoint::with(&[granted("ya29.a", 3_600)]).await;
    let folder = Folder::new("service-account");
    let file = folder.file("key.json", &service_account(&endpoint));
    let found = bearer(&[("GOOGLE_APPLICATION_CREDENTIALS", &file)]).await.unwrap();
    assert_eq!(found, "Bearer ya29.a");
    let [(line, form)] = &endpoint.requests()[..] else { panic!("one request") };
    assert_eq!(line, "POST /token HTTP/1.1");
    let grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=";
    let signed = form.strip_prefix(grant).unwrap();
    let (text, signature) = signed.rsplit_once('.').unwrap();
    let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
    let (head, claims) = text.split_once('.').unwrap();
    let head: Value = serde_json::from_slice(&decode(head)).unwrap();
    assert_eq!(head, json!({ "alg": "RS256", "typ": "JWT", "kid": "k1" }));
    let claims: Value = serde_json::from_slice(&decode(claims)).unwrap();
    assert_eq!(claims["iss"], "me@p.iam.gserviceaccount.com");
    assert_eq!(claims["aud"], format!("http://{}/token", endpoint.at));
    assert!(claims["scope"].as_str().unwrap().contains("/auth/bigtable.data"));
    assert_eq!(claims["exp"].as_u64().unwrap() - claims["iat"].as_u64().unwrap(), 3_600);

    let algorithms = ring::default_provider().signature_verification_algorithms;
    let of_rsa = algorithms.mapping.iter().find(|(s, _)| *s == SignatureScheme::RSA_PKCS1_SHA256);
    let verifies = |signature: &[u8]| {
        let (_, algorithms) = of_rsa.unwrap();
        algorithms[0].verify_signature(PUBLIC, text.as_bytes(), signature).is_ok()
    };
    let mut signature = decode(signature);
    assert!(verifies(&signature));
    signature[7] ^= 1;
    assert!(!verifies(&signature));
}

#[tokio::test]
async fn a_login_of_gcloud_is_refreshed() {
    let endpoint = Endpoint::with(&[granted("ya29.user", 3_600)]).await;
    let folder = Folder::new("gcloud");
    folder.file(
        "application_default_credentials.json",
        &json!({
            "type": "authorized_user",
            "client_id": "id",
            "client_secret": "a/b",
            "refresh_token": "1//x y",
            "token_uri": format!("http://{}/token", endpoint.at),
        }),
    );
    let config = folder.0.to_str().unwrap();
    assert_eq!(bearer(&[("CLOUDSDK_CONFIG", config)]).await.unwrap(), "Bearer ya29.user");
    let (_, form) = endpoint.requests().remove(0);
    let expected =
        "grant_type=refresh_token&client_id=id&client_secret=a%2Fb&refresh_token=1%2F%2Fx%20y";
    assert_eq!(form, expected);
}

#[tokio::test]
async fn a_machine_has_tokens_of_its_own() {
    let endpoint = Endpoint::with(&[granted("ya29.vm", 300)]).await;
    let folder = Folder::new("no-gcloud");
    let config = folder.0.to_str().unwrap();
    let variables = [("GCE_METADATA_HOST", &*endpoint.at), ("CLOUDSDK_CONFIG", config)];
    assert_eq!(bearer(&variables).await.unwrap(), "Bearer ya29.vm");
    let (line, _) = endpoint.requests().remove(0);
    let path = "/computeMetadata/v1/instance/service-accounts/default/token";
    assert_eq!(line, format!("GET {path} HTTP/1.1"));
    assert!(endpoint.requests.lock().unwrap()[0].contains("\r\nmetadata-flavor: Google\r\n"));
}

#[tokio::test]
async fn a_refusal_says_what_to_do() {
    let refused = (400, json!({ "error": "invalid_grant", "error_description": "Bad Request" }));
    let endpoint = Endpoint::with(&[refused.clone(), refused, (503, json!("busy"))]).await;
    let folder = Folder::new("refused");
    let file = folder.file("key.json", &service_account(&endpoint));
    let variables = [("GOOGLE_APPLICATION_CREDENTIALS", &*file)];
    let error = refusal(&variables).await;
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    let text = error.to_string();
    assert!(
        text.contains("refused the credentials with 400 (invalid_grant: Bad Request)"),
        "{text}"
    );
    assert!(
        text.contains("whether the service account me@p.iam.gserviceaccount.com exists"),
        "{text}"
    );
    let user = json!({
        "type": "authorized_user", "client_id": "i", "client_secret": "s3cret", "refresh_token": "r",
        "token_uri": format!("http://{}/token", endpoint.at),
    });
    let login = folder.file("user.json", &user);
    let error = refusal(&[("GOOGLE_APPLICATION_CREDENTIALS", &login)]).await.to_string();
    assert!(error.contains("run `gcloud auth application-default login`"), "{error}");
    assert!(!error.contains("s3cret"));
    let busy = refusal(&variables).await;
    assert_eq!(busy.kind(), ErrorKind::Unreachable, "it may be tried again");
    assert!(busy.to_string().contains("answered 503"), "{busy}");
}

#[tokio::test]
async fn a_file_that_is_none_is_named() {
    let folder = Folder::new("wrong");
    let of = async |name: &str, content: Value| {
        let file = folder.file(name, &content);
        refusal(&[("GOOGLE_APPLICATION_CREDENTIALS", &file)]).await.to_string()
    };
    let text = of("a.json", json!({ "type": "external_account" })).await;
    assert!(
        text.contains("of the type \"external_account\"") && text.contains("access_tokens"),
        "{text}"
    );
    let text = of("b.json", json!({ "type": "service_account", "client_email": "x" })).await;
    assert!(text.contains("it has no private_key"), "{text}");
    let endpoint = Endpoint { at: "h".into(), requests: Arc::default() };
    let mut account = service_account(&endpoint);
    account["token_uri"] = "http://example.com/token".into();
    let text = of("c.json", account.clone()).await;
    assert!(text.contains("http://example.com/token is not https"), "{text}");
    account["private_key"] = "nonsense".into();
    let text = of("d.json", account).await;
    assert!(text.contains("d.json: private_key: it is no private key in PEM"), "{text}");
    let missing = refusal(&[("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/key.json")]).await;
    let text = missing.to_string();
    assert!(
        text.contains("GOOGLE_APPLICATION_CREDENTIALS is /nowhere/key.json, which cannot be read"),
        "{text}"
    );
}

#[tokio::test]
async fn an_endpoint_that_is_not_there_or_speaks_something_else_is_named() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = closed.local_addr().unwrap().to_string();
    drop(closed);
    let folder = Folder::new("nobody");
    let endpoint = Endpoint { at: at.clone(), requests: Arc::default() };
    let file = folder.file("key.json", &service_account(&endpoint));
    let error = refusal(&[("GOOGLE_APPLICATION_CREDENTIALS", &file)]).await;
    assert_eq!(error.kind(), ErrorKind::Unreachable);
    assert!(
        error.to_string().contains(&format!("http://{at}/token: it is not reached")),
        "{error}"
    );

    let other = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint =
        Endpoint { at: other.local_addr().unwrap().to_string(), requests: Arc::default() };
    tokio::spawn(async move {
        let (mut stream, _) = other.accept().await.unwrap();
        stream.write_all(b"SSH-2.0-OpenSSH\r\n").await.unwrap();
    });
    let file = folder.file("ssh.json", &service_account(&endpoint));
    let error = refusal(&[("GOOGLE_APPLICATION_CREDENTIALS", &file)]).await.to_string();
    assert!(error.contains("no valid answer"), "{error}");
}

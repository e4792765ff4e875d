//! Key files with a token endpoint of the test. Places that the environment names are in
//! `tests/suites/tls/tokens.rs`.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use gcp_auth::Error as Failure;
use rustls_023::SignatureScheme;
use rustls_023::crypto::ring;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket};
use tokio::time::Instant;
use tracing::instrument::WithSubscriber;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use super::{failure, fetch, guarded};
use crate::config::access_tokens::AccessTokens;
use crate::{Error, ErrorKind, Result};

const KEY: &str = include_str!("../../../../tests/credentials/key.pem");
const PUBLIC: &[u8] = include_bytes!("../../../../tests/credentials/public.der");

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

/// Lets the time of a test pass by turns of its runtime: a process that is stopped meanwhile misses
/// no deadline, and the pauses between attempts are short. It does not jump to the next deadline,
/// as paused time otherwise does, even while bytes are on their way through a socket. It stops when
/// the result is dropped.
fn passing() -> mpsc::Sender<()> {
    let (guard, dropped) = mpsc::channel();
    // Paused time does not jump while blocking work goes on.
    tokio::task::spawn_blocking(move || dropped.recv());
    tokio::spawn(async {
        loop {
            // Little in each turn: 10 s are 200,000 looks at the sockets.
            tokio::time::advance(Duration::from_micros(50)).await;
        }
    });
    guard
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

fn tokens(file: &str) -> AccessTokens {
    let path = PathBuf::from(file);
    AccessTokens::new(move || {
        let path = path.clone();
        async { guarded(fetch(Some(path))).await.map_err(Into::into) }
    })
}

async fn bearer(tokens: &AccessTokens) -> Result<String> {
    let header = tokens.authorization_header(Instant::now() + Duration::from_secs(20)).await?;
    Ok(header.to_str().unwrap().to_owned())
}

async fn refusal(file: &str) -> Error {
    let error = bearer(&tokens(file)).await.unwrap_err();
    let shown = format!("{error} {error:?}");
    let secrets = KEY.lines().filter(|line| !line.starts_with('-')).chain(["ya29"]);
    for secret in secrets {
        assert!(!shown.contains(secret), "{shown}");
    }
    error
}

#[tokio::test(start_paused = true)]
async fn a_service_account_signs_what_it_says() {
    let _passing = passing();
    let endpoint = Endpoint::with(&[granted("ya29.a", 3_600)]).await;
    let folder = Folder::new("service-account");
    let file = folder.file("key.json", &service_account(&endpoint));
    assert_eq!(bearer(&tokens(&file)).await.unwrap(), "Bearer ya29.a");
    let [(line, form)] = &endpoint.requests()[..] else { panic!("one request") };
    assert_eq!(line, "POST /token HTTP/1.1");
    let grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=";
    let signed = form.strip_prefix(grant).unwrap().replace("%3D", "=");
    let (text, signature) = signed.rsplit_once('.').unwrap();
    let decode = |text: &str| URL_SAFE.decode(text).unwrap();
    let (_, claims) = text.split_once('.').unwrap();
    let claims: Value = serde_json::from_slice(&decode(claims)).unwrap();
    assert_eq!(claims["iss"], "me@p.iam.gserviceaccount.com");
    assert_eq!(claims["aud"], format!("http://{}/token", endpoint.at));
    let root = "https://www.googleapis.com/auth/bigtable";
    assert_eq!(claims["scope"], format!("{root}.data {root}.admin"));

    let algorithms = ring::default_provider().signature_verification_algorithms;
    let of_rsa = algorithms.mapping.iter().find(|(s, _)| *s == SignatureScheme::RSA_PKCS1_SHA256);
    let (_, algorithms) = of_rsa.unwrap();
    let verified = algorithms[0].verify_signature(PUBLIC, text.as_bytes(), &decode(signature));
    assert!(verified.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_token_is_kept_until_it_is_refused_or_near_its_end() {
    let _passing = passing();
    let granted = [granted("ya29.a", 3_600), granted("ya29.b", 100), granted("ya29.c", 3_600)];
    let endpoint = Endpoint::with(&granted).await;
    let folder = Folder::new("renewed");
    let tokens = tokens(&folder.file("key.json", &service_account(&endpoint)));
    let first =
        tokens.authorization_header(Instant::now() + Duration::from_secs(20)).await.unwrap();
    assert_eq!(bearer(&tokens).await.unwrap(), "Bearer ya29.a");
    assert_eq!(endpoint.requests().len(), 1);
    tokens.forget(&first);
    // It has 100 seconds, fewer than those from which the next one is fetched.
    assert_eq!(bearer(&tokens).await.unwrap(), "Bearer ya29.b");
    let begun = Instant::now();
    while bearer(&tokens).await.unwrap() != "Bearer ya29.c" {
        assert!(begun.elapsed() < Duration::from_secs(10));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(endpoint.requests().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_says_what_to_do() {
    let _passing = passing();
    let refused = (400, json!({ "error": "invalid_grant", "error_description": "Bad Request" }));
    let endpoint = Endpoint::with(&vec![refused; 5]).await;
    let folder = Folder::new("refused");
    let file = folder.file("key.json", &service_account(&endpoint));
    let error = refusal(&file).await;
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    let text = error.to_string();
    assert!(text.contains(&format!("the key file {file}")), "{text}");
    let said = "refused the credentials with the status 400 (invalid_grant: Bad Request); look";
    assert!(text.contains(said), "{text}");
    assert!(
        text.contains("whether the service account me@p.iam.gserviceaccount.com exists"),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_fails_may_be_asked_again() {
    let _passing = passing();
    for status in [429, 503] {
        let endpoint = Endpoint::with(&vec![(status, json!({ "ya29": 1 })); 5]).await;
        let folder = Folder::new("failing");
        let error = refusal(&folder.file("key.json", &service_account(&endpoint))).await;
        assert_eq!(error.kind(), ErrorKind::Unreachable, "{error}");
        let said = format!("the server for tokens answered with the status {status}");
        assert!(error.to_string().ends_with(&said), "{error}");
    }
}

/// Counts what is logged.
struct Counting(Arc<AtomicUsize>);

impl Subscriber for Counting {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::WARN
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[tokio::test(start_paused = true)]
async fn the_program_still_logs_what_gcp_auth_says() {
    let _passing = passing();
    let endpoint = Endpoint::with(&vec![(400, json!({ "error": "invalid_grant" })); 5]).await;
    let folder = Folder::new("logged");
    let file = folder.file("key.json", &service_account(&endpoint));
    let count = Arc::new(AtomicUsize::new(0));
    let fetched = fetch(Some(file.into())).with_subscriber(Counting(count.clone())).await;
    let error = fetched.unwrap_err();
    assert!(error.to_string().contains("the status 400 (invalid_grant)"), "{error}");
    // For each attempt, the answer and that it failed.
    assert_eq!(count.load(Ordering::Relaxed), 10);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_no_token_is_an_error_and_not_shown() {
    let _passing = passing();
    let answers = [
        json!("ya29.text"),
        json!({ "access_token": "ya29.endless" }),
        json!({ "access_token": "ya29.text", "expires_in": "ya29" }),
        json!({ "access_token": "ya29.far", "expires_in": u64::MAX }),
        json!({ "access_token": "ya29.late", "expires_in": 10_000_000_000_000_u64 }),
    ];
    for answer in answers {
        let endpoint = Endpoint::with(&[(200, answer.clone())]).await;
        let folder = Folder::new("answers");
        let file = folder.file("key.json", &service_account(&endpoint));
        let error = refusal(&file).await;
        let is_known = [ErrorKind::PermissionDenied, ErrorKind::Protocol].contains(&error.kind());
        assert!(is_known, "{answer}: {error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_file_that_is_none_is_named() {
    let _passing = passing();
    let folder = Folder::new("wrong");
    let of = async |name: &str, content: Value| {
        let error = refusal(&folder.file(name, &content)).await;
        assert_ne!(error.kind(), ErrorKind::Unreachable, "it is not tried again");
        error.to_string()
    };
    let text = of("a.json", json!({ "type": "external_account" })).await;
    assert!(
        text.contains("of the type \"external_account\"") && text.contains("access_tokens"),
        "{text}"
    );
    let text = of("b.json", json!({ "type": "service_account", "client_email": "x" })).await;
    assert!(text.contains("b.json") && text.contains("it has no private_key"), "{text}");
    let text = of("login.json", json!({ "type": "authorized_user" })).await;
    assert!(text.contains("`gcloud auth application-default login` and unset"), "{text}");
    let text = of("text.json", json!(KEY)).await;
    assert!(text.contains("it has no type"), "{text}");
    let endpoint = Endpoint { at: "h".into(), requests: Arc::default() };
    let mut account = service_account(&endpoint);
    for uri in ["http://example.com/token", "/token", "https://", "no uri", "file:///x"] {
        account["token_uri"] = uri.into();
        let text = of("c.json", account.clone()).await;
        assert!(text.contains(&format!("token_uri {uri:?} is no address with https")), "{text}");
    }
    account["token_uri"] = "https://127.0.0.1:1/".into();
    for key in ["nonsense".to_owned(), KEY.replace('\n', " "), KEY.replace('M', "")] {
        account["private_key"] = key.into();
        let text = of("d.json", account.clone()).await;
        assert!(text.contains("d.json: ") && text.contains("fetch a new key file"), "{text}");
    }
    let path = folder.0.join("e.json");
    std::fs::write(&path, KEY).unwrap();
    let text = refusal(path.to_str().unwrap()).await.to_string();
    assert!(text.contains("it is not JSON, at line 1"), "{text}");
    let text = refusal("/nowhere/key.json").await.to_string();
    assert!(
        text.contains("GOOGLE_APPLICATION_CREDENTIALS is /nowhere/key.json, which cannot be read"),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_is_not_there_or_speaks_something_else_may_be_tried_again() {
    let _passing = passing();
    // It has a port, at which it does not listen.
    let closed = TcpSocket::new_v4().unwrap();
    closed.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let at = closed.local_addr().unwrap().to_string();
    let folder = Folder::new("nobody");
    let endpoint = Endpoint { at, requests: Arc::default() };
    let file = folder.file("key.json", &service_account(&endpoint));
    let error = refusal(&file).await;
    assert_eq!(error.kind(), ErrorKind::Unreachable);
    let text = error.to_string();
    assert!(text.contains(&file) && text.to_lowercase().contains("connection refused"), "{text}");

    let other = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = other.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = other.accept().await.unwrap();
            stream.write_all(b"SSH-2.0-OpenSSH\r\n").await.unwrap();
        }
    });
    let endpoint = Endpoint { at, requests: Arc::default() };
    let file = folder.file("ssh.json", &service_account(&endpoint));
    assert_eq!(refusal(&file).await.kind(), ErrorKind::Unreachable);
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_ever_for_an_endpoint_that_is_silent() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = silent.local_addr().unwrap().to_string();
    let endpoint = Endpoint { at, requests: Arc::default() };
    let folder = Folder::new("silent");
    let file = folder.file("key.json", &service_account(&endpoint));
    let error = refusal(&file).await;
    assert_eq!(error.kind(), ErrorKind::Unreachable);
    assert!(error.to_string().contains("no answer within 10 s"), "{error}");
}

#[test]
fn no_place_with_credentials_is_an_error_that_names_them_all() {
    let missing = Failure::Io("failed to open", std::io::ErrorKind::NotFound.into());
    assert!(failure::is_absence(&missing));
    assert!(failure::is_absence(&Failure::Str("home directory not found")));
    let unreadable = Failure::Io("failed to open", std::io::ErrorKind::PermissionDenied.into());
    assert!(!failure::is_absence(&unreadable));
    let error = failure::no_credentials_error(&failure::safe_text(&missing), "HTTP request failed");
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    let text = error.to_string();
    for part in [
        "GOOGLE_APPLICATION_CREDENTIALS",
        "gcloud (failed to open",
        "server (HTTP",
        "Config::access_tokens",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

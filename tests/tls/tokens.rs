//! Bigtable with TLS and access tokens, as the real service has them.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustls_023::version::TLS13;
use tallrow::{AccessToken, AccessTokens, Client, Config, ErrorKind, Increment, Put, Result, Scan};
use tallrow_mock::MockCluster;

use crate::{Paper, in_front, works};

const ADDRESS: &str = "bigtable://p/i?endpoint=https://127.0.0.1:8086";

/// A mock whose calls need this token, and a configuration that reaches it.
async fn demanding(paper: &Paper, token: &str) -> (MockCluster, Config) {
    let builder = MockCluster::builder().in_memory().bigtable_port(8086);
    let mock = builder.start().await.unwrap();
    mock.require_token(Some(token));
    let mut server = Arc::unwrap_or_clone(paper.server(false, &TLS13));
    server.alpn_protocols = vec!["h2".into()];
    let connector = in_front(&mock, &Arc::new(server));
    (mock, Config::new().connector(connector).tls(paper.verified()))
}

/// Tokens `t1`, `t2`, .., and how many were fetched.
fn numbered() -> (AccessTokens, Arc<AtomicU32>) {
    let count = Arc::new(AtomicU32::new(0));
    let counter = count.clone();
    let tokens = AccessTokens::new(move || {
        let number = counter.fetch_add(1, Ordering::Relaxed) + 1;
        async move {
            let token = AccessToken::new(format!("t{number}"));
            Ok(token.valid_for(Duration::from_secs(3_600)))
        }
    });
    (tokens, count)
}

async fn connect(config: Config) -> Result<Client> {
    Client::connect_with(ADDRESS, config).await
}

#[tokio::test]
async fn a_token_of_the_program_is_sent_with_each_call() {
    let paper = Paper::new();
    let (mock, config) = demanding(&paper, "t1").await;
    let (tokens, count) = numbered();
    let client = connect(config.access_tokens(tokens)).await.unwrap();
    works(&client, "t").await;
    assert_eq!(count.load(Ordering::Relaxed), 1);
    assert!(mock.call_count("PingAndWarm") >= 1);
}

#[tokio::test]
async fn a_token_that_the_service_does_not_take_any_more_is_replaced() {
    let paper = Paper::new();
    let (mock, config) = demanding(&paper, "t1").await;
    let (tokens, count) = numbered();
    let client = connect(config.access_tokens(tokens)).await.unwrap();
    works(&client, "t").await;
    let table = client.raw_table("t").unwrap();
    let put = || Put::new("r").cell("f", "q", "v");
    // A call that was refused has changed nothing, so that an increment is sent again too.
    mock.require_token(Some("t2"));
    table.increment(Increment::new("r").add("f", "n", 1)).await.unwrap();
    mock.require_token(Some("t3"));
    table.put_all([put(), put()]).await.into_result().unwrap();
    mock.require_token(Some("t4"));
    let row = table.get("r").await.unwrap().unwrap();
    assert_eq!(row.counter("f", "n").unwrap(), Some(1));
    mock.require_token(Some("t5"));
    assert!(table.get_all(["r", "s"]).await.into_result().unwrap()[0].is_some());
    mock.require_token(Some("t6"));
    assert!(table.scan(Scan::prefix("r")).unwrap().next_row().await.unwrap().is_some());
    mock.require_token(Some("t7"));
    assert!(client.admin().table_exists("t").await.unwrap());
    assert_eq!(count.load(Ordering::Relaxed), 7);

    // One that is new and refused as well is not replaced again.
    mock.require_token(Some("another"));
    let error = table.put(put()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
    assert!(error.to_string().contains("invalid authentication credentials"), "{error}");
    assert_eq!((error.history().len(), count.load(Ordering::Relaxed)), (2, 8));
}

#[tokio::test]
async fn without_a_token_that_is_taken_there_is_no_client() {
    let paper = Paper::new();
    let (_mock, config) = demanding(&paper, "another").await;
    let (tokens, _) = numbered();
    let error = connect(config.clone().access_tokens(tokens)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
    assert!(error.to_string().contains("check the credentials"), "{error}");

    let failing = AccessTokens::new(|| async { Err("the vault is sealed".into()) });
    let error = connect(config.clone().access_tokens(failing)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
    assert!(error.to_string().contains("there is no access token: "), "{error}");
    assert!(error.to_string().contains("the vault is sealed"), "{error}");

    let never = AccessTokens::new(std::future::pending);
    let begun = tokio::time::Instant::now();
    let hasty = config.connect_timeout(Duration::from_millis(300));
    let error = connect(hasty.access_tokens(never)).await.unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(5), "{error}");
    assert!(error.to_string().contains("there is no access token: "), "{error}");
}

/// A metadata server that gives the token `vm` once for each connection.
fn metadata_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                request.push(byte[0]);
            }
            let request = String::from_utf8(request).unwrap().to_lowercase();
            assert!(request.contains("metadata-flavor: google"), "{request}");
            let body = r#"{"access_token":"vm","expires_in":3599,"token_type":"Bearer"}"#;
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
            stream.write_all((head + body).as_bytes()).unwrap();
        }
    });
    at
}

/// Run by the test below, which sets the environment.
#[tokio::test]
#[ignore = "needs the environment of another test"]
async fn in_an_environment() {
    let paper = Paper::new();
    let (_mock, config) = demanding(&paper, "vm").await;
    works(&connect(config).await.unwrap(), "t").await;
}

#[test]
fn without_a_source_the_credentials_of_the_environment_are_used() {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["tokens::in_an_environment", "--exact", "--ignored"]);
    child.env("GCE_METADATA_HOST", metadata_server()).env("CLOUDSDK_CONFIG", "/nowhere");
    child.env_remove("GOOGLE_APPLICATION_CREDENTIALS");
    let output = child.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

//! Bigtable with TLS and access tokens, as the real service has them.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustls_023::version::TLS13;
use tallrow::{AccessToken, AccessTokens, Client, Config, ErrorKind, Increment, Put, Result, Scan};
use tallrow_mock::{MockCluster, MockClusterBuilder};
use tallrow_tests::{Process, in_memory, patient, scratch_dir, task, tell};

use crate::tls::{Paper, in_front, works};

const ADDRESS: &str = "bigtable://p/i?endpoint=https://127.0.0.1:8086";

/// A mock whose calls need this token, and a configuration that reaches it.
async fn demanding(paper: &Paper, token: &str) -> (MockCluster, Config) {
    let (mock, config) = secured(paper, MockCluster::builder()).await;
    mock.require_token(Some(token));
    (mock, config)
}

/// Such a mock behind TLS, and a configuration that reaches it.
async fn secured(paper: &Paper, builder: MockClusterBuilder) -> (MockCluster, Config) {
    let mock = builder.in_memory().bigtable_port(8086).start().await.unwrap();
    let mut server = Arc::unwrap_or_clone(paper.server(false, &TLS13));
    server.alpn_protocols = vec!["h2".into()];
    let connector = in_front(&mock, &Arc::new(server));
    (mock, patient().connector(connector).tls(paper.verified()))
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

#[tokio::test(start_paused = true)]
async fn a_token_of_the_program_is_sent_with_each_call() {
    let paper = Paper::new();
    let (mock, config) = demanding(&paper, "t1").await;
    let (tokens, count) = numbered();
    let client = connect(config.access_tokens(tokens)).await.unwrap();
    works(&client, "t").await;
    assert_eq!(count.load(Ordering::Relaxed), 1);
    assert!(mock.call_count("PingAndWarm") >= 1);
}

#[tokio::test(start_paused = true)]
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

#[tokio::test(start_paused = true)]
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
    assert!(begun.elapsed() <= Duration::from_millis(301), "{error}");
    assert!(error.to_string().contains("there is no access token: "), "{error}");
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_does_not_exist_is_named_when_connecting() {
    let paper = Paper::new();
    let builder = MockCluster::builder().bigtable_instance("p", "another");
    let (_mock, config) = secured(&paper, builder).await;
    let error = connect(config.access_tokens(numbered().0)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InstanceNotFound, "{error}");
    let text = error.to_string();
    assert!(
        text.contains("projects/p/instances/i; correct the project and the instance"),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn tls_and_clear_text_that_meet_are_named() {
    let paper = Paper::new();
    let (_mock, config) = demanding(&paper, "t1").await;
    let within = Duration::from_secs(2);
    let begun = tokio::time::Instant::now();
    let clear = "bigtable://p/i?endpoint=127.0.0.1:8086";
    let error = Client::connect_with(clear, config.connect_timeout(within)).await.unwrap_err();
    let text = error.to_string();
    assert!(matches!(error.kind(), ErrorKind::Protocol | ErrorKind::Unreachable), "{text}");
    assert!(text.contains("does it speak gRPC without TLS?"), "{text}");

    let mock = MockCluster::builder().in_memory().bigtable_port(8086).start().await.unwrap();
    let config = Config::new().connector(in_memory(&mock)).tls(paper.verified());
    let config = config.connect_timeout(within).access_tokens(numbered().0);
    let error = connect(config).await.unwrap_err();
    let text = error.to_string();
    assert!(matches!(error.kind(), ErrorKind::Protocol | ErrorKind::Unreachable), "{text}");
    assert!(text.contains("TLS") && text.contains("check the address"), "{text}");
    assert!(begun.elapsed() <= 2 * within + Duration::from_millis(2), "{text}");
}

/// A server for tokens that gives `sa` once for each connection.
fn token_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = String::new();
            while !is_complete(&request) {
                let mut chunk = [0; 4_096];
                let count = stream.read(&mut chunk).unwrap();
                request += std::str::from_utf8(&chunk[..count]).unwrap();
            }
            assert!(request.contains("jwt-bearer&assertion="), "{request}");
            let body = r#"{"access_token":"sa","expires_in":3599,"token_type":"Bearer"}"#;
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
            stream.write_all((head + body).as_bytes()).unwrap();
        }
    });
    at
}

fn is_complete(request: &str) -> bool {
    let Some((head, body)) = request.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    body.len() >= length.unwrap().parse().unwrap()
}

/// Run by the test below, which sets the environment.
#[tokio::test]
async fn in_an_environment() {
    if task().is_none() {
        return;
    }
    let paper = Paper::new();
    let (_mock, config) = demanding(&paper, "sa").await;
    works(&connect(config).await.unwrap(), "t").await;
    tell("tried");
}

/// The same, where the login of gcloud is no login.
#[tokio::test(start_paused = true)]
async fn in_a_home() {
    if task().is_none() {
        return;
    }
    let paper = Paper::new();
    let (_mock, config) = demanding(&paper, "sa").await;
    let error = connect(config).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
    let text = error.to_string();
    assert!(text.contains("the login of gcloud") && !text.contains("s3cret"), "{text}");
    assert!(text.contains("run `gcloud auth application-default login`"), "{text}");
    tell("tried");
}

/// Runs one of those above with these variables.
fn run(test: &str, variables: &[(&str, &Path)]) {
    let process = Process::start_by(test, "", |command| {
        command.env_remove("GOOGLE_APPLICATION_CREDENTIALS").envs(variables.iter().copied())
    });
    assert_eq!(process.finish(), ["tried"]);
}

#[test]
fn without_a_source_the_credentials_of_the_environment_are_used() {
    let folder = scratch_dir();
    let file = folder.join("key.json");
    let key = include_str!("../../../sdk/tests/credentials/key.pem").replace('\n', "\\n");
    let uri = format!("http://{}/token", token_server());
    let members = format!(r#""client_email":"me","private_key":"{key}","token_uri":"{uri}""#);
    std::fs::write(&file, format!(r#"{{"type":"service_account",{members}}}"#)).unwrap();
    run("tls::tokens::in_an_environment", &[("GOOGLE_APPLICATION_CREDENTIALS", &file)]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_login_of_gcloud_that_is_none_is_named() {
    let home = scratch_dir();
    // On Windows it is in another place.
    for gcloud in [home.join(".config/gcloud"), home.join("gcloud")] {
        std::fs::create_dir_all(&gcloud).unwrap();
        let file = gcloud.join("application_default_credentials.json");
        std::fs::write(file, r#"{"client_id":{"s3cret":1},"type":"authorized_user"}"#).unwrap();
    }
    run("tls::tokens::in_a_home", &[("HOME", &home), ("APPDATA", &home)]);
    std::fs::remove_dir_all(&home).unwrap();
}

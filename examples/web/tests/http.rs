//! The service, over HTTP.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tallrow::Client;
use tallrow_mock::{Fault, MockCluster};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The service on a port of its own, until it is stopped.
struct Service {
    url: String,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<std::io::Result<()>>,
}

impl Service {
    async fn start(client: &Client) -> Self {
        let service = tallrow_web::service(client).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/devices/7/readings", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel();
        let shutdown = async move { drop(stopped.await) };
        let running = tokio::spawn(async move {
            axum::serve(listener, service).with_graceful_shutdown(shutdown).await
        });
        Self { url, stop: Some(stop), running }
    }

    async fn post(&self, at: i64, celsius: f64) -> (StatusCode, String) {
        let body = json!({ "at": at, "celsius": celsius });
        let answer = reqwest::Client::new().post(&self.url).json(&body).send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    }

    async fn get(&self, path: &str) -> (StatusCode, Value) {
        let answer = reqwest::get(format!("{}{path}", self.url)).await.unwrap();
        (answer.status(), answer.json().await.unwrap())
    }
}

#[tokio::test]
async fn readings_are_added_listed_and_counted() {
    let service = Service::start(&Client::connect("mock:").await.unwrap()).await;
    for at in 1..=20 {
        assert_eq!(service.post(at, at as f64 / 2.0).await.0, StatusCode::CREATED);
    }
    // Page by page, newest first.
    let (mut path, mut found) = ("?since=10&size=4".to_owned(), Vec::new());
    loop {
        let (status, page) = service.get(&path).await;
        assert_eq!(status, StatusCode::OK, "{page}");
        found
            .extend(page["readings"].as_array().unwrap().iter().map(|r| r["at"].as_i64().unwrap()));
        let Some(next) = page["next"].as_str() else { break };
        path = format!("?since=10&size=4&page={next}");
    }
    assert_eq!(found, [20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10]);

    for _ in 0..3 {
        assert_eq!(
            service.get("/20").await,
            (StatusCode::OK, json!({ "at": 20, "celsius": 10.0 }))
        );
    }
    assert_eq!(service.get("/20/seen").await, (StatusCode::OK, json!(3)));
    assert_eq!(service.get("/21").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_is_wrong_with_a_request_is_said() {
    let service = Service::start(&Client::connect("mock:").await.unwrap()).await;
    let (status, text) = service.post(1, -300.0).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{text}");
    assert!(text.contains("column r:c: expected -273.15..=1000000.0, found -300.0"), "{text}");
    let (status, text) = service.get("?page=nonsense").await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{text}");
}

#[tokio::test]
async fn a_request_that_has_begun_is_answered_before_the_service_stops() {
    let mock = MockCluster::start().await.unwrap();
    let client = Client::connect(&mock.url()).await.unwrap();
    let mut service = Service::start(&client).await;
    mock.inject(Fault::on("Mutate").nth(1).pause_handler(Duration::from_millis(300)));

    let stop = service.stop.take().unwrap();
    let (answer, ()) = tokio::join!(service.post(1, 20.5), async {
        while mock.call_count("Mutate") == 0 {
            tokio::task::yield_now().await;
        }
        stop.send(()).unwrap();
    });
    assert_eq!(answer.0, StatusCode::CREATED);
    service.running.await.unwrap().unwrap();
    assert!(reqwest::get(&service.url).await.is_err(), "nothing listens any more");
}

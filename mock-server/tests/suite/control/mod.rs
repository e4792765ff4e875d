//! The control port, over connections in memory.

mod changes;
mod clock;
mod faults;
mod malformed;
mod status;
mod tables;

use serde_json::Value;
use tallrow_mock::MockCluster;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// An answer of the control port.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    /// The body, which is JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// The text of the error.
    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }
}

/// Sends bytes, and reads the answer.
pub(crate) async fn send(cluster: &MockCluster, bytes: &[u8]) -> Answer {
    let (mut read, mut write) = tokio::io::split(cluster.dial_control());
    let mut answer = Vec::new();
    // The answer may come, and the connection close, before everything is sent.
    let (_, done) = tokio::join!(write.write_all(bytes), read.read_to_end(&mut answer));
    done.unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.strip_prefix("HTTP/1.1 ").unwrap()[..3].parse().unwrap();
    Answer { status, head: head.to_owned(), body: body.to_owned() }
}

/// Makes a request.
pub(crate) async fn request(
    cluster: &MockCluster,
    method: &str,
    path: &str,
    body: &[u8],
) -> Answer {
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: mock\r\nConnection: close\r\n\
         Content-Length: {length}\r\n\r\n"
    );
    send(cluster, &[head.as_bytes(), body].concat()).await
}

/// Gets JSON.
pub(crate) async fn get(cluster: &MockCluster, path: &str) -> Value {
    let answer = request(cluster, "GET", path, b"").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// Posts JSON, which must be accepted.
pub(crate) async fn post(cluster: &MockCluster, path: &str, body: Value) -> Value {
    let answer = request(cluster, "POST", path, body.to_string().as_bytes()).await;
    assert_eq!(answer.status, 200, "{body}: {answer:?}");
    answer.json()
}

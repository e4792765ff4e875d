//! Sessions and their connections.

use std::time::Duration;

use bytes::Bytes;
use tallrow_mock::Fault;
use tallrow_wire::zookeeper::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

use super::{Session, cluster, dial};

/// Like HBase: sessions of ZooKeeper expire, and move to another connection with their
/// password.
#[tokio::test(start_paused = true)]
async fn a_session_expires_when_nothing_is_received() {
    let cluster = cluster().await;
    let mut session = Session::open(&cluster).await;
    assert_eq!(session.opened.session_timeout_ms, 10_000);
    let (started, again) = (Instant::now(), session.again());
    tokio::time::sleep(Duration::from_secs(9)).await;
    session.ask(&Operation::Ping).await.unwrap();
    assert!(session.receive().await.is_none(), "closed");
    assert_eq!(started.elapsed(), Duration::from_secs(19));
    assert!(Session::with(&cluster, &again).await.is_none());
    // One that has lost its connection lives as long.
    let session = Session::open(&cluster).await;
    let again = session.again();
    drop(session);
    tokio::time::sleep(Duration::from_secs(9)).await;
    drop(Session::with(&cluster, &again).await.unwrap());
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert!(Session::with(&cluster, &again).await.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_session_moves_to_the_connection_that_knows_its_password() {
    let cluster = cluster().await;
    let mut session = Session::open(&cluster).await;
    let guess = ConnectRequest { password: Bytes::from_static(&[7; 16]), ..session.again() };
    assert!(Session::with(&cluster, &guess).await.is_none());
    session.ask(&Operation::Ping).await.unwrap();
    let mut moved = Session::with(&cluster, &session.again()).await.unwrap();
    assert_eq!(moved.opened.session_id, session.opened.session_id);
    assert!(session.receive().await.is_none(), "the old connection is closed");
    assert_eq!(moved.ask(&Operation::Close).await, Ok(Answer::Empty));
    assert!(moved.receive().await.is_none());
    assert!(Session::with(&cluster, &moved.again()).await.is_none());
}

#[tokio::test(start_paused = true)]
async fn the_session_timeout_is_bounded_and_old_clients_do_not_say_whether_they_only_read() {
    let cluster = cluster().await;
    for (asked, given) in [(-1, 4_000), (1, 4_000), (30_000, 30_000), (90_000, 40_000)] {
        let request = ConnectRequest { read_only: None, ..ConnectRequest::for_new_session(asked) };
        let session = Session::with(&cluster, &request).await.unwrap();
        let opened = (session.opened.session_timeout_ms, session.opened.read_only);
        assert_eq!(opened, (given, None));
    }
}

#[tokio::test(start_paused = true)]
async fn words_of_four_letters_are_answered() {
    let cluster = cluster().await;
    let answer = async |word: &[u8]| {
        let mut stream = dial(&cluster);
        stream.write_all(word).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    };
    assert_eq!(answer(b"ruok").await, "imok");
    let status = answer(b"srvr").await;
    assert!(status.starts_with("Zookeeper version: 3.8") && status.contains("Mode: standalone"));
    assert_eq!(answer(b"mntr").await, "mntr is not executed because it is not in the whitelist.\n");
    assert_eq!(answer(b"GET / HTTP/1.0\r\n\r\n").await, "");
}

#[tokio::test(start_paused = true)]
async fn connections_fail_as_their_faults_say() {
    let cluster = cluster().await;
    cluster.inject(Fault::on_connect().zookeeper().nth(1).close());
    assert_eq!(dial(&cluster).read(&mut [0; 8]).await.unwrap(), 0);
    let pause = Duration::from_secs(1);
    cluster.inject(Fault::on_connect().zookeeper().nth(1).trickle(pause));
    let started = Instant::now();
    let request = ConnectRequest::for_new_session(10_000);
    let mut stream = dial(&cluster);
    stream.write_all(&request.encode()).await.unwrap();
    // As long as a client may have no session, of which an answer has more bytes than seconds.
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    assert!(answer.len() < 41 && started.elapsed() >= pause * 10, "{answer:?}");
    assert_eq!(cluster.unfired_faults(), []);
}

#[tokio::test(start_paused = true)]
async fn a_connection_without_a_session_is_closed() {
    let cluster = cluster().await;
    let started = Instant::now();
    for sent in [&b""[..], b"\0\0", b"\0\0\0\x2d\0"] {
        let mut stream = dial(&cluster);
        stream.write_all(sent).await.unwrap();
        assert_eq!(stream.read(&mut [0; 8]).await.unwrap(), 0);
    }
    assert_eq!(started.elapsed(), Duration::from_secs(30));
}

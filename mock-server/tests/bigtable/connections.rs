//! HTTP/2 connections.

use tallrow_mock::MockCluster;

/// Like Bigtable: a connection takes a hundred calls at a time.
#[tokio::test(start_paused = true)]
async fn a_connection_takes_a_hundred_calls_at_a_time() {
    let cluster = MockCluster::builder().in_memory().bigtable_port(0).start().await.unwrap();
    let address = cluster.bigtable_address().unwrap();
    let stream = cluster.dial(&address.ip().to_string(), address.port()).unwrap();
    let (requests, mut connection) = h2::client::handshake(stream).await.unwrap();
    let mut pings = connection.ping_pong().unwrap();
    tokio::spawn(connection);
    // The settings of the server come before its answer to a ping.
    pings.ping(h2::Ping::opaque()).await.unwrap();
    assert_eq!(requests.current_max_send_streams(), 100);
}

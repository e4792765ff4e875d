//! Connections to a mock cluster without sockets, so that a test can run in paused time.

use tallrow::Connector;
use tallrow_mock::MockCluster;

/// A connector that opens connections to a mock cluster over pipes in memory, as those of `mock:`
/// are.
///
/// ```
/// use tallrow::{Client, Config};
/// use tallrow_mock::MockCluster;
/// use tallrow_tests::in_memory;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let mock = MockCluster::builder().in_memory().start().await.unwrap();
/// let config = Config::new().connector(in_memory(&mock));
/// let client = Client::connect_with(&mock.url(), config).await.unwrap();
/// assert!(client.admin().list_tables().await.unwrap().is_empty());
/// # }
/// ```
pub fn in_memory(mock: &MockCluster) -> Connector {
    let mock = mock.clone();
    Connector::new(move |host, port| std::future::ready(mock.dial(&host, port)))
}

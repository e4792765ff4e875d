//! The error of an operation on a mock cluster.

use tallrow_wire::exception::RemoteException;

/// The error of an operation on a mock cluster, which says what the operation was and why it
/// failed.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
/// let error = cluster.kill_server(9).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "kill region server 9: no such live region server; there are [0, 1]"
/// );
/// # });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MockClusterError {
    text: String,
}

impl std::fmt::Display for MockClusterError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for MockClusterError {}

impl MockClusterError {
    /// Makes the error of an operation that failed for this reason.
    pub(super) fn new(operation: &str, reason: &str) -> Self {
        Self { text: format!("{operation}: {reason}") }
    }

    /// Makes the error of an operation that the master rejected.
    pub(super) fn from_exception(operation: &str, exception: &RemoteException) -> Self {
        Self::new(operation, &exception.message)
    }
}

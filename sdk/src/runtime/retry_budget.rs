//! The limit on how many retries a client makes in proportion to its operations.

/// A limit on the number of retries that a client makes in addition to the first attempts of its
/// operations, set by [`Config::retry_budget`](crate::Config::retry_budget).
///
/// When servers fail, every operation is tried again and again, and these retries keep the servers
/// from recovering. A budget limits the retries to a share of all operations, plus a fixed number
/// in each second. Unused retries are kept for later: at most as many as the fixed number allows in
/// 40 seconds or, if that is more and the share is not zero, 1,000. When no retry is left, the next
/// retry waits for its turn. If its turn is not before the operation's deadline, the operation
/// fails with [`RetryBudgetSpent`](crate::ErrorKind::RetryBudgetSpent); the source of this error is
/// the error of the last attempt.
///
/// First attempts and the next pages of a scan never wait. Nor does a retry wait if no server is
/// working on the previous attempt: if the connection could not be opened or was lost, or the
/// region is not open on any server. The calls of [`Admin`](crate::Admin) are not limited: they are
/// repeated until a procedure has ended.
///
/// ```
/// use tallrow::{Client, Config, ErrorKind, FamilyDescriptor, Put, RetryBudget, TableDescriptor};
/// use tallrow_mock::{Fault, MockCluster};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mock = MockCluster::start().await?;
/// let config = Config::new().retry_budget(RetryBudget::new(0, 0));
/// let client = Client::connect_with(&mock.url(), config).await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
///     .await?;
///
/// mock.inject(Fault::on("Mutate").not_serving());
/// let error = client.raw_table("t")?.put(Put::new("r").cell("d", "q", "v")).await.unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::RetryBudgetSpent);
/// assert_eq!(error.attempts(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryBudget {
    pub(crate) percent: u32,
    pub(crate) per_second: u32,
    pub(crate) unlimited: bool,
}

impl RetryBudget {
    /// Allows retries for `percent` % of the operations, plus `per_second` retries in each second.
    ///
    /// See [`RetryBudget`] for an example.
    pub const fn new(percent: u32, per_second: u32) -> Self {
        Self { percent, per_second, unlimited: false }
    }

    /// Allows as many retries as the deadlines of the operations allow, as the Java client does.
    ///
    /// ```
    /// use tallrow::{Config, RetryBudget};
    /// let config = Config::new().retry_budget(RetryBudget::unlimited());
    /// # let _ = config;
    /// ```
    pub const fn unlimited() -> Self {
        Self { percent: 0, per_second: 0, unlimited: true }
    }
}

impl Default for RetryBudget {
    /// Returns a budget of retries for 20 % of the operations, plus 250 retries in each second.
    fn default() -> Self {
        Self::new(20, 250)
    }
}

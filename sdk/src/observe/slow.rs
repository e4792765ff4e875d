//! A slow operation, which is passed to the function that a program sets for slow operations.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;

use crate::{Attempt, Error, TableName};

/// An operation that took long. It is passed to the function that is set with
/// [`Config::slow_operations`](crate::Config::slow_operations).
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use std::time::Duration;
/// use tallrow::{Client, Config, FamilyDescriptor, RowKeyDisplay, TableDescriptor};
/// use tallrow_mock::Fault;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let slow = Arc::new(Mutex::new(Vec::new()));
/// let told = slow.clone();
/// let config = Config::new().row_keys(RowKeyDisplay::Hashed).slow_operations(
///     Duration::from_millis(100),
///     move |operation| {
///         told.lock().unwrap().push((operation.attempts().len(), operation.to_string()))
///     },
/// );
/// let client = Client::connect_with("mock:", config).await?;
/// let mock = client.mock_cluster().unwrap();
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
///     .await?;
/// let table = client.raw_table("t")?;
/// table.get("ada").await?;
///
/// let class = "org.apache.hadoop.hbase.quotas.RpcThrottlingException";
/// mock.inject(Fault::on("Get").times(1).throw(class, "number of requests exceeded - wait 120ms"));
/// table.get("ada").await?;
/// let slow = slow.lock().unwrap();
/// let (attempts, text) = slow.last().unwrap();
/// assert_eq!(*attempts, 2);
/// assert!(text.starts_with("get t/#8c8d357b5e87 took 120.0 ms"), "{text}");
/// assert!(text.contains("RpcThrottlingException, took"), "{text}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SlowOperation<'a> {
    pub(super) operation: &'static str,
    pub(super) table: Option<&'a TableName>,
    pub(super) row: Option<&'a Bytes>,
    pub(super) elapsed: Duration,
    pub(super) attempts: &'a [Attempt],
    pub(super) error: Option<&'a Error>,
}

impl<'a> SlowOperation<'a> {
    /// The name of the operation, such as `put`, `scan` or `create table`.
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// The table of the operation; `None` for an operation of the whole cluster.
    pub fn table(&self) -> Option<&'a TableName> {
        self.table
    }

    /// The row key of the operation, in the form that [`Config::row_keys`](crate::Config::row_keys)
    /// sets.
    pub fn row(&self) -> Option<String> {
        let keys = self.table.map(TableName::row_key_display).unwrap_or_default();
        self.row.map(|row| keys.display(row).to_string())
    }

    /// How long the operation took, including all attempts and pauses.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The attempts of the operation. If there were more than 16, only the first 4 and the last 12
    /// are kept.
    pub fn attempts(&self) -> &'a [Attempt] {
        self.attempts
    }

    /// The error, if the operation failed.
    pub fn error(&self) -> Option<&'a Error> {
        self.error
    }
}

/// Shows a line such as `get t/"ada" took 1203.0 ms`, and a line for each attempt.
impl fmt::Display for SlowOperation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.operation)?;
        if let Some(table) = self.table {
            write!(f, " {table}")?;
        }
        if let Some(row) = self.row() {
            write!(f, "/{row}")?;
        }
        write!(f, " took {:.1} ms", self.elapsed.as_secs_f64() * 1e3)?;
        if let Some(error) = self.error {
            write!(f, " and failed: {error}")?;
        }
        self.attempts.iter().try_for_each(|attempt| write!(f, "\n  {attempt}"))
    }
}

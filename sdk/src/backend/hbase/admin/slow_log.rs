//! The log of slow and large calls that each region server keeps in memory.

use std::time::{Duration, SystemTime};

use prost::Message;

use super::handle::HBaseAdmin;
use super::master::millis_to_time;
use super::methods::{ClearSlowLogsResponses, GetLogEntries};
use crate::wire::WireError;
use crate::wire::proto::{self, SlowLogType};
use crate::{Error, Result};

const REQUEST: &str =
    "org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos$SlowLogResponseRequest";

/// The kind of logged calls that are requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SlowLogKind {
    /// Calls that took long (`hbase.ipc.warn.response.time`, 10 s by default).
    Slow,
    /// Calls with a large response (`hbase.ipc.warn.response.size`, 100 MB by default).
    Large,
}

/// A call that a region server logged because it was slow or its response was large.
///
/// See [`HBaseAdmin::slow_log`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SlowCall {
    /// When the call began.
    pub started: Option<SystemTime>,
    /// How long the call was processed.
    pub processing: Duration,
    /// How long the call waited in the queue of the server.
    pub queued: Duration,
    /// The size of the response in bytes.
    pub response_bytes: u64,
    /// The client's address.
    pub client: String,
    /// The user who made the call.
    pub user: String,
    /// The method, such as `Scan`.
    pub method: String,
    /// The full name of the region, if the call is for a region.
    pub region: Option<String>,
    /// The server's description of the call.
    pub details: String,
}

impl HBaseAdmin {
    /// Returns at most `limit` slow or large calls that a region server logged, newest first.
    /// `server` is a name that [`region_servers`](HBaseAdmin::region_servers) returned. A server
    /// keeps the last 256 calls in memory if `hbase.regionserver.slowlog.buffer.enabled` is set; by
    /// default, it keeps none.
    ///
    /// ```
    /// use tallrow::admin::SlowLogKind;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// let hbase = client.admin().hbase()?;
    /// let server = hbase.region_servers().await?.remove(0);
    /// assert!(hbase.slow_log(&server, SlowLogKind::Slow, 10).await?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an invalid server name. Also
    /// fails if the server does not answer by the deadline
    /// ([`operation_timeout`](crate::Config::operation_timeout)).
    pub async fn slow_log(
        &self,
        server: &str,
        kind: SlowLogKind,
        limit: u32,
    ) -> Result<Vec<SlowCall>> {
        const NAME: &str = "slow log";
        let wanted = proto::SlowLogResponseRequest {
            limit: Some(limit),
            log_type: Some(match kind {
                SlowLogKind::Slow => SlowLogType::SlowLog as i32,
                SlowLogKind::Large => SlowLogType::LargeLog as i32,
            }),
            ..Default::default()
        };
        let request = proto::LogRequest {
            log_class_name: REQUEST.into(),
            log_message: wanted.encode_to_vec().into(),
        };
        let answer = self.ask_server::<GetLogEntries>(NAME, server, request).await?;
        let calls = proto::SlowLogResponses::decode(answer.log_message).map_err(|e| {
            let error = WireError::new("log of slow calls", e.to_string());
            Error::protocol(error).with_operation_if_unset(NAME).on_server(server)
        })?;
        let millis = |n: i32| Duration::from_millis(u64::try_from(n).unwrap_or(0));
        let call = |p: proto::SlowLogPayload| SlowCall {
            started: millis_to_time(p.start_time.unsigned_abs()),
            processing: millis(p.processing_time),
            queued: millis(p.queue_time),
            response_bytes: p.response_size.unsigned_abs(),
            client: p.client_address,
            user: p.user_name,
            method: p.method_name,
            region: p.region_name.filter(|name| !name.is_empty()),
            details: p.call_details,
        };
        Ok(calls.slow_log_payloads.into_iter().map(call).collect())
    }

    /// Deletes the slow and large calls that a region server keeps in memory. Returns whether they
    /// were deleted, which is false if the server is not configured to keep such calls
    /// (`hbase.regionserver.slowlog.buffer.enabled`).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// let hbase = client.admin().hbase()?;
    /// let server = hbase.region_servers().await?.remove(0);
    /// assert!(!hbase.clear_slow_log(&server).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`slow_log`](HBaseAdmin::slow_log).
    pub async fn clear_slow_log(&self, server: &str) -> Result<bool> {
        let operation_name = "clear slow log";
        let answer = self
            .ask_server::<ClearSlowLogsResponses>(operation_name, server, proto::Empty {})
            .await?;
        Ok(answer.is_cleaned)
    }
}

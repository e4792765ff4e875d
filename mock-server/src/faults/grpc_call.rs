//! Builds the faults that only calls of Bigtable's services can have.

use std::time::Duration;

use super::call::CallFaultBuilder;
use super::effect::{Effect, Failure, GrpcEffect};
use super::fault::Fault;
use crate::bigtable::{StatusCode, retry_info};

fn failure(code: StatusCode, message: &str) -> Failure {
    Failure { status: code.status(message), cookie: None }
}

/// Effects on calls of Bigtable's services. The other effects, such as
/// [`CallFaultBuilder::drop_reply`], `delay_in_queue` and `close_after`, can be used on these calls
/// too; an exception becomes a status.
impl CallFaultBuilder {
    /// The call fails with this status, and nothing is applied.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tallrow_mock::{Fault, StatusCode};
    ///
    /// let code = StatusCode::Unavailable;
    /// let faults = [
    ///     Fault::on("MutateRow").fail(code, "busy"),
    ///     Fault::on("CreateTable").bigtable().fail(code, "not HBase's CreateTable"),
    ///     Fault::on("ReadRows").fail_with_retry_info(code, "busy", Duration::from_secs(2)),
    ///     Fault::on("ReadRows").fail_with_cookie(code, "moved", "x-goog-cbt-cookie-a", "1"),
    ///     Fault::on("MutateRow").nth(3).fail_after(code, "applied, but who knows"),
    ///     Fault::on("ReadRows").fail_midway(code, "half of the rows"),
    ///     Fault::on("ReadRows").reset_stream(),
    ///     Fault::on("ReadRows").torn_row(),
    ///     Fault::on("ReadRows").rows_out_of_order(),
    ///     Fault::on("MutateRows").missing_entry(),
    /// ];
    /// assert_eq!(faults.len(), 10);
    /// ```
    pub fn fail(self, code: StatusCode, message: &str) -> Fault {
        self.with_effect(Effect::Grpc(GrpcEffect::Fail(failure(code, message))))
    }

    /// Like [`CallFaultBuilder::fail`], with a `RetryInfo` in the details of the status, which
    /// tells the client to wait for `delay`.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    pub fn fail_with_retry_info(self, code: StatusCode, message: &str, delay: Duration) -> Fault {
        let mut failure = failure(code, message);
        failure.status.details.push(retry_info(delay));
        self.with_effect(Effect::Grpc(GrpcEffect::Fail(failure)))
    }

    /// Like [`CallFaultBuilder::fail`], with a header in the trailers. A header whose name starts
    /// with `x-goog-cbt-cookie-` is a routing cookie, which the client sends with the next attempt
    /// ([`MockCluster::trace_headers`] shows it).
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    ///
    /// [`MockCluster::trace_headers`]: crate::MockCluster::trace_headers
    pub fn fail_with_cookie(
        self,
        code: StatusCode,
        message: &str,
        name: &str,
        value: &str,
    ) -> Fault {
        let cookie = Some((name.to_ascii_lowercase(), value.to_owned()));
        let failure = Failure { cookie, ..failure(code, message) };
        self.with_effect(Effect::Grpc(GrpcEffect::Fail(failure)))
    }

    /// The call is applied, but nevertheless fails with this status.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    pub fn fail_after(self, code: StatusCode, message: &str) -> Fault {
        self.with_effect(Effect::Grpc(GrpcEffect::FailAfter(failure(code, message))))
    }

    /// The call is applied, the first half of the first reply message is sent, and the call fails
    /// with this status. Rows that are cut off are not committed.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    pub fn fail_midway(self, code: StatusCode, message: &str) -> Fault {
        self.with_effect(Effect::Grpc(GrpcEffect::FailMidway(failure(code, message))))
    }

    /// The call is applied, the first half of the first reply message is sent, and the stream of
    /// the call is reset. The connection stays open.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    pub fn reset_stream(self) -> Fault {
        self.with_effect(Effect::Grpc(GrpcEffect::Reset))
    }

    /// The response to a ReadRows ends within a row, as if the response were complete.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    pub fn torn_row(self) -> Fault {
        self.with_effect(Effect::Grpc(GrpcEffect::TornRow))
    }

    /// The rows in the first message of the response to a ReadRows are in reverse order.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    pub fn rows_out_of_order(self) -> Fault {
        self.with_effect(Effect::Grpc(GrpcEffect::RowsOutOfOrder))
    }

    /// The response to a MutateRows has no outcome for the last entry, although that entry is
    /// applied.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    pub fn missing_entry(self) -> Fault {
        self.with_effect(Effect::Grpc(GrpcEffect::MissingEntry))
    }
}

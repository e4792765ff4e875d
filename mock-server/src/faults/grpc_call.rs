//! Faults that only happen to calls of Bigtable's services.

use std::time::Duration;

use super::call::CallFaultBuilder;
use super::effect::{Effect, Failure, GrpcEffect};
use super::fault::Fault;
use crate::bigtable::{StatusCode, retry_info};

fn failure(code: StatusCode, message: &str) -> Failure {
    Failure { status: code.status(message), cookie: None }
}

/// How calls of Bigtable's services fail. [`CallFaultBuilder::drop_reply`], `delay_in_queue`,
/// `close_after` and the others happen to them too; an exception becomes a status.
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
        self.does(Effect::Grpc(GrpcEffect::Fail(failure(code, message))))
    }

    /// Like [`CallFaultBuilder::fail`], with a `RetryInfo` in the details of the status, which
    /// tells the client to wait for `delay`.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    pub fn fail_with_retry_info(self, code: StatusCode, message: &str, delay: Duration) -> Fault {
        let mut failure = failure(code, message);
        failure.status.details.push(retry_info(delay));
        self.does(Effect::Grpc(GrpcEffect::Fail(failure)))
    }

    /// Like [`CallFaultBuilder::fail`], with a header in the trailers. One whose name starts with
    /// `x-goog-cbt-cookie-` is a routing cookie, which the client sends with the next attempt
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
        self.does(Effect::Grpc(GrpcEffect::Fail(failure)))
    }

    /// The call is applied, and fails with this status nevertheless.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    pub fn fail_after(self, code: StatusCode, message: &str) -> Fault {
        self.does(Effect::Grpc(GrpcEffect::FailAfter(failure(code, message))))
    }

    /// The call is applied, the first half of its first message is sent, and it fails with this
    /// status. Rows that are cut are not committed.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    pub fn fail_midway(self, code: StatusCode, message: &str) -> Fault {
        self.does(Effect::Grpc(GrpcEffect::FailMidway(failure(code, message))))
    }

    /// The call is applied, the first half of its first message is sent, and its stream is reset.
    /// The connection stays.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    pub fn reset_stream(self) -> Fault {
        self.does(Effect::Grpc(GrpcEffect::Reset))
    }

    /// The answer to a ReadRows ends within a row, as if it were complete.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    pub fn torn_row(self) -> Fault {
        self.does(Effect::Grpc(GrpcEffect::TornRow))
    }

    /// The first rows that a ReadRows answers are in the opposite order.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    pub fn rows_out_of_order(self) -> Fault {
        self.does(Effect::Grpc(GrpcEffect::RowsOutOfOrder))
    }

    /// The answer to a MutateRows has no outcome for the last entry, which is applied.
    ///
    /// See [`CallFaultBuilder::fail`] for an example.
    pub fn missing_entry(self) -> Fault {
        self.does(Effect::Grpc(GrpcEffect::MissingEntry))
    }
}

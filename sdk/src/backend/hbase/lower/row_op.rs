//! One encoded operation on one row, and whether it may be sent again.

use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use prost::Message;

use super::options::priority;
use crate::backend::hbase::expected_cells::ExpectedCells;
use crate::backend::hbase::rpc::{CallError, Op, OpReply};
use crate::backend::repeat::Idempotency;
use crate::request::call_options::CallOptions;
use crate::request::consistency::Consistency;
use crate::request::op::CallTarget;
use crate::wire::cell_block;
use crate::wire::proto::{self, MutationProto};

/// Which replicas of a region an operation is sent to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplicaSelection {
    /// The primary replica, to which writes are sent.
    Primary,
    /// The primary replica, or a secondary replica if the primary replica is late or has failed.
    Any,
    /// The secondary replica with this number.
    Only(u16),
}

impl ReplicaSelection {
    /// Returns the replicas that answer a read with these options; `default` is the consistency if
    /// the options set none.
    pub(crate) fn of(options: Option<&CallOptions>, default: Consistency) -> Self {
        let consistency = options.and_then(|options| options.consistency).unwrap_or(default);
        match (options.and_then(|options| options.replica), consistency) {
            (Some(0), _) | (None, Consistency::Strong) => Self::Primary,
            (Some(replica), _) => Self::Only(replica),
            (None, Consistency::Timeline) => Self::Any,
        }
    }

    /// The consistency that a message requests for these replicas; `None` for the primary replica.
    pub(crate) fn consistency(self) -> Option<i32> {
        (self != Self::Primary).then_some(proto::Consistency::Timeline as i32)
    }
}

/// One encoded operation on one row, with its description for the retry loop.
#[derive(Debug)]
pub(crate) struct EncodedRowOperation {
    pub(crate) about: OperationContext,
    pub(crate) op: Op,
    pub(crate) undated: Option<MissingTimestamps>,
}

/// The description of an operation for the retry loop.
#[derive(Clone, Debug)]
pub(crate) struct OperationContext {
    pub(crate) name: &'static str,
    pub(crate) row: Bytes,
    pub(crate) idempotency: Idempotency,
    /// Whether the operation deletes cells up to the server's time when it is applied, and so also
    /// hides cells that are written later with that time as their timestamp.
    pub(crate) deletes_until_server_time: bool,
    /// Whether the operation is applied only if a condition holds.
    pub(crate) is_conditional: bool,
    /// How long an attempt may take, if the options of the operation set a limit.
    pub(crate) attempt_timeout: Option<Duration>,
    pub(crate) priority: u32,
    /// Whether the operation waits, and does not fail, if too many bytes are in flight or the
    /// connection is full.
    pub(crate) waits: bool,
    pub(crate) replicas: ReplicaSelection,
    /// Which cells the answer may contain.
    pub(crate) expected_cells: ExpectedCells,
}

impl OperationContext {
    /// Describes an operation without a condition.
    pub(super) fn new(
        name: &'static str,
        row: Bytes,
        idempotency: Idempotency,
        to: &CallTarget<'_>,
    ) -> Self {
        let (attempt_timeout, priority, waits) =
            (to.attempt_timeout(), priority(to), to.wait_when_full);
        Self {
            name,
            row,
            idempotency,
            deletes_until_server_time: false,
            is_conditional: false,
            attempt_timeout,
            priority,
            waits,
            replicas: ReplicaSelection::Primary,
            expected_cells: ExpectedCells::Any,
        }
    }

    /// Returns an error if an answer has cells that were not asked for.
    pub(crate) fn check(&self, reply: &OpReply) -> Result<(), CallError> {
        Ok(self.expected_cells.check(reply.cells.iter(), &self.row)?)
    }
}

/// The parts of an idempotent write to which the client gives a timestamp: all cells without a
/// timestamp, and the messages at `row_delete_positions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MissingTimestamps {
    /// The positions of those messages of the write that delete the whole row.
    pub(crate) row_delete_positions: Vec<usize>,
    /// Whether the write deletes anything.
    pub(crate) deletes: bool,
}

impl MissingTimestamps {
    /// Sets the timestamp of the cells of `op` that have none, and of its messages that delete the
    /// whole row.
    pub(crate) fn set_timestamp(&self, op: &mut Op, time: u64) {
        let mut cells = BytesMut::from(std::mem::take(&mut op.cells));
        cell_block::replace_latest_timestamp(&mut cells, time);
        op.cells = cells.freeze();
        for at in &self.row_delete_positions {
            let Some(message) = op.request.messages_mut().get_mut(*at) else { continue };
            // The fields of a message may be in any order, so the timestamp is appended.
            let mut dated = BytesMut::from(std::mem::take(message));
            dated.put(
                &*MutationProto { timestamp: Some(time), ..Default::default() }.encode_to_vec(),
            );
            *message = dated.freeze();
        }
    }
}

//! One operation of a batch that is under way, with its region, its earlier attempts and the
//! timestamp that it got from the client.

use std::sync::Arc;

use crate::backend::hbase::cluster::Cluster;
use crate::backend::hbase::location::Location;
use crate::backend::hbase::lower::{EncodedRowOperation, OperationContext};
use crate::backend::hbase::operation_progress::OperationProgress;
use crate::backend::hbase::rpc::{Op, Routed};
use crate::backend::repeat::Idempotency;
use crate::runtime::in_flight_limit::OP_OVERHEAD_BYTES;
use crate::runtime::write_clock::ReservedTimestamp;

/// One operation of a batch.
pub(super) struct Entry<'a> {
    /// The position of the operation in the batch.
    pub(super) at: usize,
    pub(super) about: OperationContext,
    pub(super) op: Op,
    pub(super) location: Option<Arc<Location>>,
    /// The attempts so far and what they have shown; `None` until an attempt has failed.
    pub(super) progress: Option<Box<OperationProgress>>,
    /// The timestamp of the operation, if it is from the client. It is held as long as the
    /// operation may be sent.
    pub(super) timestamp: Option<Box<ReservedTimestamp<'a>>>,
    /// Whether the operation deletes cells at its timestamp.
    deletes: bool,
}

impl<'a> Entry<'a> {
    /// Makes an entry of an operation, and sets the timestamp of the operation if it needs one from
    /// the client. Returns the operation itself as the error if it cannot be sent with others now:
    /// it needs a timestamp and has a condition, would have to wait for the timestamp, or has to
    /// wait because of a recent delete from its row.
    pub(super) fn new(
        at: usize,
        op: EncodedRowOperation,
        cluster: &'a Cluster,
    ) -> Result<Self, Box<EncodedRowOperation>> {
        let Cluster { core, deletes, .. } = cluster;
        if op.about.idempotency != Idempotency::Read
            && deletes.blocked_until(&op.about.row).is_some()
        {
            return Err(op.into());
        }
        let timestamp = match &op.undated {
            None => None,
            Some(_) if op.op.condition.is_some() => return Err(op.into()),
            Some(_) => match core.clock.try_reserve(&op.about.row) {
                Some(timestamp) => Some(Box::new(timestamp)),
                None => return Err(op.into()),
            },
        };
        let EncodedRowOperation { about, mut op, undated } = op;
        let deletes = undated.as_ref().is_some_and(|undated| undated.deletes);
        if let (Some(undated), Some(timestamp)) = (undated, &timestamp) {
            undated.set_timestamp(&mut op, timestamp.time());
        }
        Ok(Self { at, about, op, location: None, progress: None, timestamp, deletes })
    }

    /// Notes that the operation was answered at its first attempt.
    pub(super) fn record_answered(&mut self) {
        if let Some(timestamp) = self.timestamp.as_mut().filter(|_| !self.deletes) {
            timestamp.mark_answered();
        }
    }

    /// How many of the bytes in flight the operation accounts for.
    pub(super) fn bytes(&self) -> usize {
        OP_OVERHEAD_BYTES + self.op.size()
    }

    /// The location whose server just reported that it does not have the region.
    pub(super) fn failed_location(&self) -> Option<&Arc<Location>> {
        self.progress.as_ref().and_then(|progress| progress.failed.as_ref())
    }
}

impl Routed for Entry<'_> {
    fn op(&self) -> &Op {
        &self.op
    }

    fn region(&self) -> &[u8] {
        self.location.as_ref().map_or(&[], |location| location.name())
    }
}

//! `ChangeRecord`, what a change stream returns.

use std::time::SystemTime;

use super::{ChangePartition, RowChanges};

/// What a change stream returns.
///
/// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ChangeRecord<C = RowChanges> {
    /// A row was changed.
    Change(C),
    /// Nothing was changed, but the position has advanced. Save it now and then, because a position
    /// that is older than the retention of the stream cannot be resumed.
    Heartbeat {
        /// The partition that was read.
        partition: ChangePartition,
        /// An estimate of the time up to which all changes of the partition have been returned.
        low_watermark: Option<SystemTime>,
    },
    /// All changes of a partition have been returned: the partition was divided or merged, or the
    /// stream has come to its end. The stream continues with the new partitions by itself.
    PartitionClosed {
        /// The partition that was read.
        partition: ChangePartition,
        /// The partitions that follow; none at the end of the stream. A partition that was merged
        /// from several is read when the last of them is closed.
        followed_by: Vec<ChangePartition>,
    },
}

impl<C> ChangeRecord<C> {
    /// Returns the change; `None` if the record is none.
    ///
    /// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
    pub fn into_change(self) -> Option<C> {
        match self {
            Self::Change(change) => Some(change),
            Self::Heartbeat { .. } | Self::PartitionClosed { .. } => None,
        }
    }
}

//! A limit of what tables store, and how much of it is used.

use super::quota_target::QuotaTarget;
use crate::backend::hbase::table_name::from_message;
use crate::wire::proto;
use crate::{Result, TableName};

/// What a table does not do any more while it is larger than its quota (`SpaceViolationPolicy`).
///
/// See [`HBaseAdmin::set_space_quota`](super::HBaseAdmin::set_space_quota) for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpaceViolationPolicy {
    /// `NO_INSERTS`: puts, increments and appends are refused, deletes are not.
    NoInserts,
    /// `NO_WRITES`: deletes are refused too.
    NoWrites,
    /// `NO_WRITES_COMPACTIONS`: and compactions that a user asks for.
    NoWritesCompactions,
    /// `DISABLE`: the table is disabled.
    Disable,
}

impl SpaceViolationPolicy {
    pub(super) fn message(self) -> proto::SpaceViolationPolicy {
        match self {
            Self::NoInserts => proto::SpaceViolationPolicy::NoInserts,
            Self::NoWrites => proto::SpaceViolationPolicy::NoWrites,
            Self::NoWritesCompactions => proto::SpaceViolationPolicy::NoWritesCompactions,
            Self::Disable => proto::SpaceViolationPolicy::Disable,
        }
    }

    fn new(policy: proto::SpaceViolationPolicy) -> Self {
        match policy {
            proto::SpaceViolationPolicy::NoInserts => Self::NoInserts,
            proto::SpaceViolationPolicy::NoWrites => Self::NoWrites,
            proto::SpaceViolationPolicy::NoWritesCompactions => Self::NoWritesCompactions,
            proto::SpaceViolationPolicy::Disable => Self::Disable,
        }
    }
}

/// A limit of what a table, or all tables of a namespace together, store in files (`SpaceLimitSettings`).
///
/// See [`HBaseAdmin::set_space_quota`](super::HBaseAdmin::set_space_quota) for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpaceQuota {
    /// The most bytes in files, without copies by the file system and without what is in memory.
    pub bytes: u64,
    /// What is refused beyond it.
    pub policy: SpaceViolationPolicy,
}

impl SpaceQuota {
    /// Allows at most `bytes` bytes; beyond that, what `policy` says is refused.
    ///
    /// See [`HBaseAdmin::set_space_quota`](super::HBaseAdmin::set_space_quota) for an example.
    pub fn new(bytes: u64, policy: SpaceViolationPolicy) -> Self {
        Self { bytes, policy }
    }

    /// A stored quota; none if it is the mark of a removed one.
    pub(super) fn from_message(quota: proto::SpaceQuota) -> Option<Self> {
        let policy = quota.violation_policy?;
        let policy = proto::SpaceViolationPolicy::try_from(policy).ok()?;
        let kept = !quota.remove();
        kept.then(|| Self::new(quota.soft_limit(), SpaceViolationPolicy::new(policy)))
    }
}

/// How much of a space quota is used, and whether it is violated (`SpaceQuotaSnapshot`).
///
/// See [`HBaseAdmin::space_quota_snapshots`](super::HBaseAdmin::space_quota_snapshots) for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SpaceQuotaSnapshot {
    /// The table or the namespace.
    pub target: QuotaTarget,
    /// The bytes in its files.
    pub used: u64,
    /// The most bytes it may have.
    pub limit: u64,
    /// What is refused, if there are more.
    pub violated: Option<SpaceViolationPolicy>,
}

impl SpaceQuotaSnapshot {
    fn new(target: QuotaTarget, snapshot: Option<proto::SpaceQuotaSnapshot>) -> Self {
        let mut snapshot = snapshot.unwrap_or_default();
        let status = snapshot.quota_status.take().unwrap_or_default();
        let violated = status.in_violation() && status.violation_policy.is_some();
        Self {
            target,
            used: snapshot.quota_usage(),
            limit: snapshot.quota_limit(),
            violated: violated.then(|| SpaceViolationPolicy::new(status.violation_policy())),
        }
    }

    pub(super) fn of_table(message: proto::TableQuotaSnapshot) -> Result<Self> {
        let table: TableName = from_message(&message.table_name.unwrap_or_default())?;
        Ok(Self::new(QuotaTarget::Table(table), message.snapshot))
    }

    pub(super) fn of_namespace(message: proto::NamespaceQuotaSnapshot) -> Self {
        let namespace = QuotaTarget::Namespace(message.namespace.unwrap_or_default());
        Self::new(namespace, message.snapshot)
    }
}

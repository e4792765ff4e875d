//! Quotas: their targets and limits, throttles of requests, and the list of all quotas in
//! `hbase:quota`.

use std::future::poll_fn;
use std::sync::Arc;

use bytes::Bytes;
use prost::Message;

use super::handle::HBaseAdmin;
use super::methods::SetQuota;
use crate::backend::hbase::reaction::{self, Refusal};
use crate::backend::hbase::scan::{PageSettings, Scanner};
use crate::backend::hbase::table_name::{from_message, to_message};
use crate::reading::{FetchedRows, ScanMeter};
use crate::wire::WireError;
use crate::wire::proto::{self, ThrottleType, TimeUnit};
use crate::{Error, ErrorKind, Result, Scan, TableName};

/// The first bytes of every protobuf value that HBase stores.
const MAGIC: &[u8] = b"PBUF";

/// The target of a quota: the user, the tables or the servers whose requests or space are limited.
///
/// See [`HBaseAdmin::set_throttle`](crate::admin::HBaseAdmin::set_throttle) for an example.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum QuotaTarget {
    /// All requests of a user.
    User(String),
    /// The requests of a user to a table.
    UserTable(String, TableName),
    /// The requests of a user to the tables of a namespace.
    UserNamespace(String, String),
    /// A table.
    Table(TableName),
    /// The tables of a namespace together.
    Namespace(String),
    /// All requests to each region server (`all`). A quota for this target can limit only requests.
    RegionServers,
}

/// The requests or bytes that a throttle counts (`ThrottleType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ThrottleKind {
    /// `REQUEST_NUMBER`: reads and writes.
    Requests,
    /// `REQUEST_SIZE`: bytes read and written.
    RequestBytes,
    /// `WRITE_NUMBER`: writes.
    Writes,
    /// `WRITE_SIZE`: bytes written.
    WriteBytes,
    /// `READ_NUMBER`: reads.
    Reads,
    /// `READ_SIZE`: bytes read.
    ReadBytes,
}

const KINDS: [(ThrottleKind, ThrottleType); 6] = [
    (ThrottleKind::Requests, ThrottleType::RequestNumber),
    (ThrottleKind::RequestBytes, ThrottleType::RequestSize),
    (ThrottleKind::Writes, ThrottleType::WriteNumber),
    (ThrottleKind::WriteBytes, ThrottleType::WriteSize),
    (ThrottleKind::Reads, ThrottleType::ReadNumber),
    (ThrottleKind::ReadBytes, ThrottleType::ReadSize),
];

impl ThrottleKind {
    fn message(self) -> ThrottleType {
        let found = KINDS.iter().find(|(kind, _)| *kind == self);
        found.map_or(ThrottleType::RequestNumber, |(_, message)| *message)
    }
}

/// The period for which the limit of a throttle applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QuotaPeriod {
    /// A second.
    Second,
    /// A minute.
    Minute,
    /// An hour.
    Hour,
    /// A day.
    Day,
}

impl QuotaPeriod {
    fn message(self) -> TimeUnit {
        match self {
            Self::Second => TimeUnit::Seconds,
            Self::Minute => TimeUnit::Minutes,
            Self::Hour => TimeUnit::Hours,
            Self::Day => TimeUnit::Days,
        }
    }

    fn new(unit: TimeUnit) -> Option<Self> {
        match unit {
            TimeUnit::Seconds => Some(Self::Second),
            TimeUnit::Minutes => Some(Self::Minute),
            TimeUnit::Hours => Some(Self::Hour),
            TimeUnit::Days => Some(Self::Day),
            _ => None,
        }
    }
}

/// A limit on the requests or bytes in a period. Each server applies the limit separately.
///
/// See [`HBaseAdmin::set_throttle`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Throttle {
    /// What the throttle counts.
    pub kind: ThrottleKind,
    /// How many requests or bytes are allowed in each period.
    pub limit: u64,
    /// The period for which the limit applies.
    pub period: QuotaPeriod,
}

impl Throttle {
    /// Allows at most `limit` requests or bytes of this kind in each `period`.
    ///
    /// See [`HBaseAdmin::set_throttle`] for an example.
    pub fn new(kind: ThrottleKind, limit: u64, period: QuotaPeriod) -> Self {
        Self { kind, limit, period }
    }
}

/// The operations that are refused on a table while the table is larger than its space quota
/// (`SpaceViolationPolicy`).
///
/// See [`HBaseAdmin::set_space_quota`](HBaseAdmin::set_space_quota) for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpaceViolationPolicy {
    /// `NO_INSERTS`: puts, increments and appends are refused; deletes are not.
    NoInserts,
    /// `NO_WRITES`: deletes are refused too.
    NoWrites,
    /// `NO_WRITES_COMPACTIONS`: deletes, and compactions that a user requests, are refused too.
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

/// A limit on the bytes that a table, or all tables of a namespace together, store in files
/// (`SpaceLimitSettings`).
///
/// See [`HBaseAdmin::set_space_quota`](HBaseAdmin::set_space_quota) for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpaceQuota {
    /// The maximum number of bytes in files. Copies by the file system and data in memory are not
    /// counted.
    pub bytes: u64,
    /// The operations that are refused beyond the limit.
    pub policy: SpaceViolationPolicy,
}

impl SpaceQuota {
    /// Allows at most `bytes` bytes; beyond that, the operations of `policy` are refused.
    ///
    /// See [`HBaseAdmin::set_space_quota`](HBaseAdmin::set_space_quota) for an example.
    pub fn new(bytes: u64, policy: SpaceViolationPolicy) -> Self {
        Self { bytes, policy }
    }

    /// Converts a stored quota; returns `None` for the marker of a removed quota.
    fn from_message(quota: proto::SpaceQuota) -> Option<Self> {
        let policy = quota.violation_policy?;
        let policy = proto::SpaceViolationPolicy::try_from(policy).ok()?;
        let kept = !quota.remove();
        kept.then(|| Self::new(quota.soft_limit(), SpaceViolationPolicy::new(policy)))
    }
}

/// How much of a space quota is used, and whether it is violated (`SpaceQuotaSnapshot`).
///
/// See [`HBaseAdmin::space_quota_snapshots`](HBaseAdmin::space_quota_snapshots) for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SpaceQuotaSnapshot {
    /// The table or the namespace that has the quota.
    pub target: QuotaTarget,
    /// The bytes in the files of the target.
    pub used: u64,
    /// The maximum number of bytes that the files of the target may have.
    pub limit: u64,
    /// The operations that are refused, if the files have more bytes than `limit`.
    pub violation_policy: Option<SpaceViolationPolicy>,
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
            violation_policy: violated
                .then(|| SpaceViolationPolicy::new(status.violation_policy())),
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

/// All limits of a user, a table, a namespace or the servers.
///
/// See [`HBaseAdmin::set_throttle`] and [`HBaseAdmin::set_space_quota`] for examples.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Quota {
    /// The target of the limits.
    pub target: QuotaTarget,
    /// The throttles, at most one for each kind.
    pub throttles: Vec<Throttle>,
    /// The limit on the bytes that are stored, if there is one.
    pub space: Option<SpaceQuota>,
}

impl HBaseAdmin {
    /// Limits the requests of a user, or the requests to a table, a namespace or each server. A
    /// server refuses a request beyond the limit and says when to send it again; this client waits
    /// until then, or fails with [`Busy`](ErrorKind::Busy) if that is beyond the deadline of the
    /// operation. Servers learn of the throttle within minutes (`hbase.quota.refresh.period`, 5
    /// minutes by default).
    ///
    /// ```
    /// use tallrow::admin::{QuotaPeriod, QuotaTarget, Throttle, ThrottleKind};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// let hbase = client.admin().hbase()?;
    /// let reports = QuotaTarget::User("reports".into());
    /// let slow = Throttle::new(ThrottleKind::Reads, 1_000, QuotaPeriod::Second);
    /// hbase.set_throttle(&reports, slow).await?;
    ///
    /// let quotas = hbase.list_quotas().await?;
    /// assert_eq!((&quotas[0].target, &quotas[0].throttles[..]), (&reports, &[slow][..]));
    /// hbase.remove_throttle(&reports, ThrottleKind::Reads).await?;
    /// assert!(hbase.list_quotas().await?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for a limit of 0;
    /// [`Unsupported`](ErrorKind::Unsupported) if the cluster has no quotas
    /// (`hbase.quota.enabled`). Also fails if no master answers by the deadline
    /// ([`operation_timeout`](crate::Config::operation_timeout)).
    pub async fn set_throttle(&self, target: &QuotaTarget, throttle: Throttle) -> Result<()> {
        const NAME: &str = "set throttle";
        if throttle.limit == 0 {
            return Err(Error::invalid("the limit of a throttle must be at least 1")
                .with_operation_if_unset(NAME));
        }
        let timed = proto::TimedQuota {
            time_unit: throttle.period.message() as i32,
            soft_limit: Some(throttle.limit),
            share: None,
            scope: None,
        };
        self.change_throttle(NAME, target, throttle.kind, Some(timed)).await
    }

    /// Removes a throttle. When the last throttle of a [`User`](QuotaTarget::User) is removed,
    /// HBase also removes the throttles of this user on tables and namespaces.
    ///
    /// See [`set_throttle`](HBaseAdmin::set_throttle) for an example.
    ///
    /// # Errors
    /// The errors of [`set_throttle`](HBaseAdmin::set_throttle). It is no error if there is no such
    /// throttle.
    pub async fn remove_throttle(&self, target: &QuotaTarget, kind: ThrottleKind) -> Result<()> {
        self.change_throttle("remove throttle", target, kind, None).await
    }

    async fn change_throttle(
        &self,
        operation_name: &'static str,
        target: &QuotaTarget,
        kind: ThrottleKind,
        timed_quota: Option<proto::TimedQuota>,
    ) -> Result<()> {
        let request = proto::SetQuotaRequest {
            throttle: Some(proto::ThrottleRequest {
                r#type: Some(kind.message() as i32),
                timed_quota,
            }),
            ..Default::default()
        };
        self.set_quota(operation_name, target, request).await
    }

    /// Sends a change of the quotas of a target.
    pub(super) async fn set_quota(
        &self,
        operation_name: &'static str,
        target: &QuotaTarget,
        mut request: proto::SetQuotaRequest,
    ) -> Result<()> {
        match target {
            QuotaTarget::User(user) => request.user_name = Some(user.clone()),
            QuotaTarget::UserTable(user, table) => {
                request.user_name = Some(user.clone());
                request.table_name = Some(to_message(table));
            }
            QuotaTarget::UserNamespace(user, namespace) => {
                request.user_name = Some(user.clone());
                request.namespace = Some(namespace.clone());
            }
            QuotaTarget::Table(table) => request.table_name = Some(to_message(table)),
            QuotaTarget::Namespace(namespace) => request.namespace = Some(namespace.clone()),
            QuotaTarget::RegionServers => request.region_server = Some("all".into()),
        }
        let done = self.call::<SetQuota>(operation_name, None, request).await;
        done.map(drop).map_err(|error| match reaction::refusal(&error) {
            Some(Refusal::QuotasDisabled) => error.into_kind_with_context(
                ErrorKind::Unsupported,
                "the cluster has no quotas; set hbase.quota.enabled on its master and servers",
            ),
            _ => error,
        })
    }

    /// Returns the throttles of all users, tables, namespaces and servers, and the space quotas of
    /// tables and namespaces, sorted by target. The result is empty if the cluster has no quotas.
    ///
    /// See [`set_throttle`](HBaseAdmin::set_throttle) and
    /// [`set_space_quota`](HBaseAdmin::set_space_quota) for examples.
    ///
    /// # Errors
    /// [`Decode`](ErrorKind::Decode) if `hbase:quota` contains a value that is not a quota. Also
    /// fails if no answer arrives by the deadline.
    pub async fn list_quotas(&self) -> Result<Vec<Quota>> {
        let table: TableName = "hbase:quota".parse()?;
        let settings = PageSettings { bytes_per_call: 1 << 20, timeout: None, options: None };
        let meter = ScanMeter::default();
        let scanner =
            Scanner::new(Arc::clone(&self.cluster), table, &Scan::all(), settings, meter.clone());
        let mut rows = FetchedRows::new(scanner, meter);
        let mut quotas = Vec::new();
        loop {
            let row = match poll_fn(|cx| rows.poll_row(cx)).await {
                Some(Ok(row)) => row,
                None => break,
                Some(Err(error)) if error.kind() == ErrorKind::TableNotFound => break,
                Some(Err(error)) => return Err(error.with_operation("list quotas")),
            };
            for cell in row.cells().iter().filter(|cell| cell.family() == b"q") {
                let Some(target) = target(row.key(), cell.qualifier())? else { continue };
                let mut stored = stored(cell.value())?;
                let space = stored.space.take().and_then(SpaceQuota::from_message);
                let throttles = throttles(stored)?;
                if space.is_some() || !throttles.is_empty() {
                    quotas.push(Quota { target, throttles, space });
                }
            }
        }
        quotas.sort_by(|a, b| a.target.cmp(&b.target));
        Ok(quotas)
    }
}

/// Returns the target of the quota in a cell of `hbase:quota`; `None` if the cell contains no
/// quota.
fn target(row: &[u8], qualifier: &[u8]) -> Result<Option<QuotaTarget>> {
    let (row, qualifier) = (String::from_utf8_lossy(row), String::from_utf8_lossy(qualifier));
    let own = qualifier == "s";
    Ok(match row.split_once('.') {
        Some(("t", table)) if own => Some(QuotaTarget::Table(table.parse()?)),
        Some(("n", namespace)) if own => Some(QuotaTarget::Namespace(namespace.into())),
        Some(("r", _)) if own => Some(QuotaTarget::RegionServers),
        Some(("u", user)) if own => Some(QuotaTarget::User(user.into())),
        Some(("u", user)) => match qualifier.strip_prefix("s.") {
            None => None,
            Some(name) => Some(match name.strip_suffix(':') {
                Some(namespace) => QuotaTarget::UserNamespace(user.into(), namespace.into()),
                None => QuotaTarget::UserTable(user.into(), name.parse()?),
            }),
        },
        _ => None,
    })
}

/// Decodes a value of `hbase:quota`.
fn stored(value: &[u8]) -> Result<proto::Quotas> {
    let Some(message) = value.strip_prefix(MAGIC) else { return Err(bad("no PBUF".into())) };
    proto::Quotas::decode(Bytes::copy_from_slice(message)).map_err(|e| bad(e.to_string()))
}

fn throttles(quotas: proto::Quotas) -> Result<Vec<Throttle>> {
    let mut throttle = quotas.throttle.unwrap_or_default();
    let mut found = Vec::new();
    for (kind, message) in KINDS {
        let Some(timed) = throttle.limit_mut(message).take() else { continue };
        let unit = timed.time_unit();
        let period =
            QuotaPeriod::new(unit).ok_or_else(|| bad(format!("its time unit is {unit:?}")))?;
        found.push(Throttle { kind, limit: timed.soft_limit.unwrap_or(0), period });
    }
    Ok(found)
}

fn bad(why: String) -> Error {
    let error = WireError::new("row of hbase:quota", why);
    Error::new(ErrorKind::Decode, error.to_string()).with_operation_if_unset("list quotas")
}

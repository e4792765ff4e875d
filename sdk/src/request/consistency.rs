//! Reads from secondary replicas: which reads may use these replicas, whether an answer may be
//! stale, and how many extra calls are allowed.

use std::ops::{Deref, DerefMut};

/// The replicas of a region that may answer a read; this corresponds to HBase's `Consistency`.
///
/// A table with [`region_replication`](crate::TableDescriptor::region_replication) has several
/// copies of each region, on different servers. The primary replica takes the writes; the secondary
/// replicas follow it, so their answers may be stale: they show the row as it was at some earlier
/// time. A read with `Timeline` asks the primary replica first, and the secondary ones if the
/// primary replica does not answer soon or cannot be reached. Writes, and reads with `Strong`, need
/// the primary replica.
///
/// How old a stale answer may be depends on the servers. By default secondary replicas see only
/// what was flushed, and only when they look for new files
/// (`hbase.regionserver.storefile.refresh.period`, off by default); with
/// `hbase.region.replica.replication.enabled` they receive each write, usually within a second.
///
/// ```
/// use tallrow::op::{CallOptions, Consistency};
/// use tallrow::{Client, FamilyDescriptor, Get, Put, Scan, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// let table = TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")).region_replication(2);
/// client.admin().create_table(&table).await?;
/// let table = client.raw_table("t")?;
/// table.put(Put::new("r").cell("d", "q", "v")).await?;
/// client.admin().hbase()?.flush("t").await?;
///
/// // From the primary replica, as long as it answers.
/// let read = table.get_timeline("r").await?;
/// assert!(!read.is_stale);
///
/// // From a secondary replica: what it sees may be stale, whether it is or not.
/// let second = CallOptions::new().consistency(Consistency::Timeline).replica(1);
/// assert!(table.get_timeline(Get::new("r").options(second.clone())).await?.is_stale);
/// let row = table.scan(Scan::all().options(second))?.next_row().await?;
/// assert!(row.unwrap().is_stale());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Consistency {
    /// The primary replica answers; its answer includes every write that was acknowledged before.
    #[default]
    Strong,
    /// The primary replica answers or, if it takes too long, a secondary one.
    Timeline,
}

/// The result of a read with [`Consistency::Timeline`], and whether it may be stale.
///
/// It dereferences to the value.
///
/// ```
/// use tallrow::op::TimelineRead;
///
/// let read = TimelineRead { value: Some("v"), is_stale: true };
/// assert!(read.is_some() && read.is_stale);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "a plain answer")]
pub struct TimelineRead<T> {
    /// The result of the read. If the read found nothing, this result may be stale, too.
    pub value: T,
    /// Whether the value is from a secondary replica.
    pub is_stale: bool,
}

impl<T> Deref for TimelineRead<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for TimelineRead<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// The limit on the calls that a client makes to secondary replicas while the primary replica may
/// still answer: [`Config::hedged_reads`](crate::Config::hedged_reads).
///
/// A read with [`Consistency::Timeline`] also asks the secondary replicas if the primary replica is
/// late, and this takes extra calls. When all servers are slow, these calls would make them slower,
/// so they are limited to a share of such reads, plus a fixed number of calls in each second. Calls
/// that are allowed and not made can be made later. At most as many are saved as the fixed number
/// allows in 40 seconds, or 1,000 if that is more and the share is not zero. A read beyond the
/// limit waits for the primary replica. If the primary replica has failed or cannot be reached, a
/// read asks the secondary replicas in any case: these calls are not extra, because they replace
/// the call to the primary replica.
///
/// ```
/// use tallrow::{Config, op::HedgedReadBudget};
///
/// let config = Config::new().hedged_reads(HedgedReadBudget::new(5, 20));
/// assert!(config.config_report().to_string().contains("hedged_reads = 5 %, 20/s"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HedgedReadBudget {
    pub(crate) percent: u32,
    pub(crate) per_second: u32,
    pub(crate) unlimited: bool,
}

impl HedgedReadBudget {
    /// Limits the extra calls to `percent` % of the reads, plus `per_second` calls in each second.
    ///
    /// See [`HedgedReadBudget`] for an example.
    pub const fn new(percent: u32, per_second: u32) -> Self {
        Self { percent, per_second, unlimited: false }
    }

    /// Allows an extra call for every read whose primary replica is late, as the Java client does.
    ///
    /// ```
    /// use tallrow::{Config, op::HedgedReadBudget};
    ///
    /// let config = Config::new().hedged_reads(HedgedReadBudget::unlimited());
    /// assert!(config.config_report().to_string().contains("hedged_reads = unlimited"));
    /// ```
    pub const fn unlimited() -> Self {
        Self { percent: 0, per_second: 0, unlimited: true }
    }
}

impl Default for HedgedReadBudget {
    /// Allows extra calls for 10 % of the reads, plus 50 in each second.
    fn default() -> Self {
        Self::new(10, 50)
    }
}

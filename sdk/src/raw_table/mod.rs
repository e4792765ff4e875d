//! `RawTable`, the handle of a table whose row keys, columns and values are bytes. Its methods for
//! scans and batches are in modules of their own.

mod batches;
#[cfg(feature = "bigtable")]
mod changes;
pub(crate) mod conditional_write;
mod first_rows;
mod read_back;
pub mod regions;
mod scans;
pub mod writer;

#[cfg(feature = "bigtable")]
pub use crate::backend::{ChangeStream, ChangeStreamBuilder};
pub(crate) use first_rows::first_row;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::backend::Backend;
use crate::backend::closing::Closing;
use crate::raw_table::regions::RegionLocator;
use crate::request::op::{
    AddToCells, Append, BatchOutcome, CallOptions, CallTarget, CheckAndMutate, CheckResult,
    Consistency, Delete, Get, Increment, MergeToCells, Mutation, Put, RowMutations, RowOperation,
    TimelineRead,
};
use crate::runtime::deadline::clamp;
use crate::{DeliveryGuarantee, Result, Row, TableName};

/// A handle of a table whose row keys, families, qualifiers and values are bytes. It is cheap to
/// clone.
///
/// Every operation is retried until it is answered or its deadline passes
/// ([`operation_timeout`](crate::Config::operation_timeout)). If an operation may have taken effect
/// already, it is retried only if that is safe ([`DeliveryGuarantee`]). Concurrent operations share
/// calls. The future of an operation may be dropped at any time; if the operation was not sent
/// before, it is never sent.
///
/// ```
/// use tallrow::{Client, Delete, FamilyDescriptor, Get, Increment, Put, Scan, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("books")?.family(FamilyDescriptor::new("b")))
///     .await?;
/// let books = client.raw_table("books")?;
///
/// books.put(Put::new("isbn1").cell("b", "t", "HBase").cell("b", "a", "Ada")).await?;
/// assert_eq!(
///     books.get(Get::new("isbn1").column("b", "t")).await?.unwrap().value("b", "t"),
///     Some(&b"HBase"[..])
/// );
/// assert_eq!(books.get("isbn2").await?, None);
/// assert!(books.exists("isbn1").await?);
///
/// let row = books.increment(Increment::new("isbn1").add("b", "sold", 3)).await?;
/// assert_eq!(row.unwrap().counter("b", "sold")?, Some(3));
///
/// books.delete("isbn1").await?;
/// assert_eq!(books.scan(Scan::all())?.next_row().await?, None);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RawTable {
    backend: Backend,
    name: TableName,
    /// The timeout of all operations of this handle; `None` for the timeout of the configuration.
    timeout: Option<Duration>,
    /// The deadline of all operations of this handle, whatever their timeout.
    deadline: Option<Instant>,
    delivery: DeliveryGuarantee,
    options: Option<Arc<CallOptions>>,
    /// Whether operations wait if too many bytes are in flight.
    waits: bool,
}

impl RawTable {
    pub(crate) fn new(backend: Backend, name: TableName) -> Self {
        let (delivery, waits) = (backend.config().delivery, backend.config().wait_when_full);
        Self { backend, name, timeout: None, deadline: None, delivery, options: None, waits }
    }

    /// The name of the table.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// assert_eq!(client.raw_table("ns:t")?.name().as_str(), "ns:t");
    /// # Ok(())
    /// # }
    /// ```
    pub fn name(&self) -> &TableName {
        &self.name
    }

    /// Sets how long each operation may take, and how long a scan may wait for each row.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// let patient = client.raw_table("t")?.with_timeout(std::time::Duration::from_secs(60));
    /// assert_eq!(patient.name().as_str(), "t");
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(clamp(timeout));
        self
    }

    /// Sets the policy for puts and deletes whose reply is lost.
    ///
    /// ```
    /// # use tallrow::{Client, DeliveryGuarantee, FamilyDescriptor, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let log = client.raw_table("t")?.with_delivery(DeliveryGuarantee::AtLeastOnce);
    /// log.put(Put::new("r").cell("d", "q", "v")).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_delivery(mut self, delivery: DeliveryGuarantee) -> Self {
        self.delivery = delivery;
        self
    }

    /// Returns a locator, which finds the regions of the table within the timeout or deadline of
    /// this handle.
    ///
    /// See [`RegionLocator`] for an example.
    pub fn region_locator(&self) -> RegionLocator {
        RegionLocator::new(self.backend.clone(), self.name.clone(), self.left().or(self.timeout))
    }

    /// Makes errors show row keys as the fields of this schema.
    pub(crate) fn with_key_schema(self, schema: &'static str) -> Self {
        Self { name: self.name.with_key_schema(schema), ..self }
    }

    pub(crate) fn config(&self) -> &crate::Config {
        self.backend.config()
    }

    /// Returns whether deletes leave delete markers, which raw scans return. Bigtable has none.
    pub(crate) fn has_delete_markers(&self) -> bool {
        self.backend.has_delete_markers()
    }

    /// Returns the record of the work that has to end before the client is closed.
    pub(crate) fn closing(&self) -> &Closing {
        self.backend.closing()
    }

    /// Returns the address (`host:port`) of the server of a row's region, if the client knows it.
    pub(crate) fn cached_server_address(&self, row: &[u8]) -> Option<Arc<str>> {
        self.backend.cached_server_address(&self.name, row)
    }

    /// Sets the options of each operation and scan; they replace the options that the handle had.
    ///
    /// See [`CallOptions`] for an example.
    pub fn with_options(mut self, options: CallOptions) -> Self {
        self.timeout = options.timeout.or(self.timeout);
        self.options = Some(Arc::new(options));
        self
    }

    /// Sets whether operations wait if too many bytes are in flight. Otherwise they fail at once
    /// with [`TooManyInFlight`](crate::ErrorKind::TooManyInFlight): see
    /// [`Config::wait_when_full`](crate::Config::wait_when_full).
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let urgent = client.raw_table("t")?.with_wait_when_full(false);
    /// urgent.put(Put::new("r").cell("d", "q", "v")).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_wait_when_full(mut self, waits: bool) -> Self {
        self.waits = waits;
        self
    }

    /// Returns the deadline of an operation that begins now.
    pub(crate) fn deadline(&self) -> Instant {
        Instant::now() + self.timeout()
    }

    /// Returns a handle of the table whose operations have to be answered by `deadline`.
    pub(crate) fn with_deadline(&self, deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..self.clone() }
    }

    /// Returns the target of operations that have no options of their own.
    fn target(&self) -> CallTarget<'_> {
        CallTarget {
            table: &self.name,
            timeout: self.timeout(),
            max_timeout: self.left().unwrap_or(Duration::MAX),
            delivery: self.delivery,
            wait_when_full: self.waits,
            operation_name: None,
            consistency: self.backend.config().consistency,
            options: self.options.as_ref(),
        }
    }

    fn timeout(&self) -> Duration {
        let own = self.timeout.unwrap_or(self.backend.config().operation_timeout);
        self.left().unwrap_or(own)
    }

    /// Returns the time that is left until the deadline of all operations, if there is one.
    fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Reads one row, and returns `None` if the row has none of the requested cells.
    ///
    /// See [`RawTable`] for an example of this and the other single operations.
    ///
    /// # Errors
    /// An invalid request, an unknown table or family, or no answer by the deadline.
    pub async fn get(&self, get: impl Into<Get>) -> Result<Option<Row>> {
        Ok(self.run(RowOperation::Get(get.into()), None).await?.row)
    }

    /// Reads one row with [`Consistency::Timeline`]: from the primary replica of its region or, if
    /// this replica does not answer soon, from a secondary one. The result says whether it may be
    /// stale, even if no cells were found.
    ///
    /// See [`Consistency`] for an example.
    ///
    /// # Errors
    /// The errors of [`get`](RawTable::get).
    pub async fn get_timeline(&self, get: impl Into<Get>) -> Result<TimelineRead<Option<Row>>> {
        let mut get = get.into();
        let own = get.options.as_deref().cloned().unwrap_or_default();
        get.options = Some(Arc::new(own.consistency(Consistency::Timeline)));
        let outcome = self.run(RowOperation::Get(get), None).await?;
        Ok(TimelineRead { value: outcome.row, is_stale: outcome.is_stale })
    }

    /// Returns whether the row has any of the requested cells; the cells are not sent.
    ///
    /// # Errors
    /// The errors of [`get`](RawTable::get).
    pub async fn exists(&self, get: impl Into<Get>) -> Result<bool> {
        Ok(self.run(RowOperation::Exists(get.into()), None).await?.exists)
    }

    /// Writes cells of one row. When this returns `Ok`, the cells are on the server.
    ///
    /// If a put without a timestamp was sent and not answered, it is sent again only if its
    /// [`DeliveryGuarantee`] allows this.
    ///
    /// # Errors
    /// The errors of [`get`](RawTable::get); and
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) when the operation was sent and never
    /// answered: it may or may not have been applied on the server.
    pub async fn put(&self, put: Put) -> Result<()> {
        self.mutate(put.into()).await.map(drop)
    }

    /// Deletes a row, or parts of it. If the reply is lost, the rules of [`put`](RawTable::put)
    /// apply.
    ///
    /// # Errors
    /// The errors of [`put`](RawTable::put).
    pub async fn delete(&self, delete: impl Into<Delete>) -> Result<()> {
        self.mutate(delete.into().into()).await.map(drop)
    }

    /// Adds to counters of one row, and returns their new values. The increment is applied only
    /// once, even if it has to be sent again.
    ///
    /// The returned values are those that this increment produced, so each number that a program
    /// gets from a counter is unique. `None` means that the increment was applied, once, but its
    /// values are not known: the reply was lost, and the server answers a repeated request only
    /// with the current values, which may include later increments by others.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Increment, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// // A unique number. One whose reply was lost is skipped.
    /// let id = loop {
    ///     if let Some(row) = table.increment(Increment::new("ids").add("d", "next", 1)).await? {
    ///         break row.counter("d", "next")?;
    ///     }
    /// };
    /// assert_eq!(id, Some(1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`put`](RawTable::put); and [`NotACounter`](crate::ErrorKind::NotACounter) if
    /// a cell is not 8 bytes wide.
    pub async fn increment(&self, increment: Increment) -> Result<Option<Row>> {
        Ok(self.mutate(increment.into()).await?.row)
    }

    /// Adds numbers to cells of aggregate families in one row. The addition is applied only once,
    /// even if it has to be sent again.
    ///
    /// See [`AddToCells`](crate::op::AddToCells) for an example, and for what HBase does instead.
    ///
    /// # Errors
    /// The errors of [`put`](RawTable::put); [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if
    /// Bigtable refuses the addition because the family is not an aggregate.
    pub async fn add_to_cells(&self, additions: AddToCells) -> Result<()> {
        self.mutate(additions.into()).await.map(drop)
    }

    /// Merges states of other aggregates into cells of aggregate families in one row. The merge is
    /// applied only once, even if it has to be sent again. Only Bigtable supports merges.
    ///
    /// See [`MergeToCells`](crate::op::MergeToCells) for an example.
    ///
    /// # Errors
    /// The errors of [`add_to_cells`](RawTable::add_to_cells);
    /// [`Unsupported`](crate::ErrorKind::Unsupported) on HBase.
    pub async fn merge_to_cells(&self, states: MergeToCells) -> Result<()> {
        self.mutate(states.into()).await.map(drop)
    }

    /// Appends to values of one row, and returns the new values. The append is applied only once,
    /// even if it has to be sent again. `None` means that it was applied, but the new values are
    /// not known, as with [`increment`](RawTable::increment).
    ///
    /// ```
    /// # use tallrow::{Append, Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// table.append(Append::new("r").add("d", "q", "a")).await?;
    /// let row = table.append(Append::new("r").add("d", "q", "b")).await?;
    /// assert_eq!(row.unwrap().value("d", "q"), Some(&b"ab"[..]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`put`](RawTable::put).
    pub async fn append(&self, append: Append) -> Result<Option<Row>> {
        Ok(self.mutate(append.into()).await?.row)
    }

    /// Makes several changes of one row in one step, and returns the new values of the cells that
    /// are incremented or appended to. The result is `None` if there are no such cells, or if their
    /// values are not known, as with [`increment`](RawTable::increment).
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Increment, Put, TableDescriptor, op::RowMutations};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// let sale = RowMutations::new("book1")
    ///     .add(Put::new("book1").cell("d", "buyer", "Ada"))
    ///     .add(Increment::new("book1").add("d", "sold", 1));
    /// let row = table.mutate_row(sale).await?.unwrap();
    /// assert_eq!(row.counter("d", "sold")?, Some(1));
    /// assert_eq!(table.get("book1").await?.unwrap().value("d", "buyer"), Some(&b"Ada"[..]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`increment`](RawTable::increment); also changes that would undo each other,
    /// see [`RowMutations`].
    pub async fn mutate_row(&self, mutations: RowMutations) -> Result<Option<Row>> {
        Ok(self.mutate(mutations.into()).await?.row)
    }

    /// Makes puts and deletes of several rows in one step, all of them or none, like
    /// `MultiRowMutationService.mutateRows` in the Java client.
    ///
    /// All rows must be in one region. How the table is split has to ensure this: split policies
    /// such as `DelimitedKeyPrefixRegionSplitPolicy` keep rows with a common prefix together. HBase
    /// makes such a step in an endpoint that has to be loaded for the table:
    /// `org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint`.
    ///
    /// If the reply is lost, the step is sent again only if the [`DeliveryGuarantee`] of each
    /// change allows it; under [`Idempotent`](DeliveryGuarantee::Idempotent) each row gets a
    /// timestamp from the client.
    ///
    /// ```
    /// # use tallrow::{Client, Delete, FamilyDescriptor, Put, TableDescriptor, op::Mutation};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// let orders = TableDescriptor::new("orders")?.family(FamilyDescriptor::new("d")).attribute(
    ///     "coprocessor$1",
    ///     "|org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint|536870911|",
    /// );
    /// client.admin().create_table(&orders).await?;
    /// let orders = client.raw_table("orders")?;
    /// orders.put(Put::new("7.open").cell("d", "total", "12")).await?;
    ///
    /// let paid: [Mutation; 2] =
    ///     [Put::new("7.paid").cell("d", "total", "12").into(), Delete::new("7.open").into()];
    /// orders.mutate_rows(paid).await?;
    /// assert!(orders.exists("7.paid").await? && !orders.exists("7.open").await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The call uses the shortest timeouts and the highest priority that are set in the options of
    /// the changes.
    ///
    /// # Errors
    /// The errors of [`put`](RawTable::put); [`InvalidArgument`](crate::ErrorKind::InvalidArgument)
    /// if there is no change, or one of the changes is an increment or an append;
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the rows are in several regions, or the
    /// endpoint is not loaded.
    pub async fn mutate_rows<M: Into<Mutation>>(
        &self,
        mutations: impl IntoIterator<Item = M>,
    ) -> Result<()> {
        let mutations = mutations.into_iter().map(Into::into).collect();
        self.backend.mutate_rows(mutations, &self.target()).await
    }

    /// Makes a change if a condition holds, and returns whether the change was made.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor, op::Check};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// let take = |who: &str| {
    ///     Check::new("seat1", "d", "by")
    ///         .if_not_exists()
    ///         .then(Put::new("seat1").cell("d", "by", who))
    /// };
    /// assert!(table.check_and_mutate(take("ada")).await?.is_applied());
    /// assert!(!table.check_and_mutate(take("bob")).await?.is_applied());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`put`](RawTable::put). A change without a nonce (see [`CheckAndMutate`]) is
    /// never sent again once it may have reached a server.
    pub async fn check_and_mutate(&self, check: CheckAndMutate) -> Result<CheckResult> {
        let outcome = self.run(RowOperation::CheckAndMutate(check), None).await?;
        Ok(CheckResult::new(outcome.applied))
    }

    /// Makes the checks that are made before an operation is sent, without sending the operation.
    ///
    /// In this way, a program that imports rows from elsewhere can find out which rows the store of
    /// this table would refuse, before it sends a batch that fails. The checks do not include what
    /// only the servers know: whether the table and its families exist, and what the servers are
    /// configured to refuse. The check costs as much as encoding the operation.
    ///
    /// ```
    /// use tallrow::{ErrorKind, Put};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// let table = client.raw_table("t")?;
    /// table.validate(Put::new("r").cell("d", "q", "v"))?;
    /// let error = table.validate(Put::new("").cell("d", "q", "v")).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    /// assert_eq!(error.message(), "a row key must not be empty");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument), or
    /// [`Unsupported`](crate::ErrorKind::Unsupported) if the operation needs something that
    /// Bigtable does not have.
    pub fn validate(&self, operation: impl Into<RowOperation>) -> Result<()> {
        let operation = operation.into();
        let options = CallOptions::merge(operation.options(), self.options.as_ref());
        let target = CallTarget { options: options.as_ref(), ..self.target() };
        self.backend.validate(operation, &target)
    }

    pub(crate) fn mutate(&self, mutation: Mutation) -> impl Future<Output = Result<BatchOutcome>> {
        self.run(RowOperation::Mutation(mutation), None)
    }

    /// Runs an operation. Its errors contain `operation_name`, the function that the program
    /// called, instead of the name of the operation.
    pub(crate) fn run_with_name(
        &self,
        operation_name: &'static str,
        operation: impl Into<RowOperation>,
    ) -> impl Future<Output = Result<BatchOutcome>> {
        self.run(operation.into(), Some(operation_name))
    }

    fn run(
        &self,
        operation: RowOperation,
        operation_name: Option<&'static str>,
    ) -> impl Future<Output = Result<BatchOutcome>> {
        let own = operation.options();
        let own_timeout = own.and_then(|options| options.timeout);
        let timeout = match self.deadline {
            Some(_) => self.timeout().min(own_timeout.unwrap_or(Duration::MAX)),
            None => own_timeout.unwrap_or_else(|| self.timeout()),
        };
        let options = CallOptions::merge(own, self.options.as_ref());
        let target = CallTarget {
            table: &self.name,
            timeout,
            max_timeout: Duration::MAX,
            delivery: self.delivery,
            wait_when_full: self.waits,
            operation_name,
            consistency: self.backend.config().consistency,
            options: options.as_ref(),
        };
        self.backend.run(operation, &target)
    }

    /// Returns whether operations of the other handle may be sent together with those of this
    /// handle.
    pub(crate) fn can_share_batch(&self, other: &Self) -> bool {
        let of = |table: &Self| {
            (table.timeout, table.deadline, table.delivery, table.waits, table.options.clone())
        };
        self.name == other.name && of(self) == of(other) && self.backend.is_same(&other.backend)
    }
}

impl fmt::Debug for RawTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RawTable").field(&self.name).finish()
    }
}

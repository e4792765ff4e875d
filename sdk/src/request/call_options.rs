//! The options of an operation, a scan or a table handle: timeouts, priority, attributes,
//! durability, isolation and replicas.

use std::sync::Arc;
use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};

use super::consistency::Consistency;
use super::visibility;
use crate::runtime::deadline::clamp;

/// Options for how operations and scans are sent: a single operation or scan, or all that a table
/// handle sends.
///
/// The options of an operation take precedence over those of its table handle, and the options of
/// the handle take precedence over the [`Config`](crate::Config). The attributes of the operation
/// and of the handle are both sent.
///
/// | function | HBase's client | by default |
/// |---|---|---|
/// | [`timeout`](Self::timeout) | `Table.getOperationTimeout` | [`operation_timeout`](crate::Config::operation_timeout), [`page_timeout`](crate::Config::page_timeout) |
/// | [`attempt_timeout`](Self::attempt_timeout) | `hbase.rpc.timeout` | [`attempt_timeout`](crate::Config::attempt_timeout) |
/// | [`priority`](Self::priority) | `setPriority` | 0, and 200 for tables of HBase itself |
/// | [`attribute`](Self::attribute) | `setAttribute` | none |
/// | [`operation_id`](Self::operation_id) | `setId` | none |
/// | [`durability`](Self::durability) | `Mutation.setDurability` | that of the table |
/// | [`visibility`](Self::visibility) | `Mutation.setCellVisibility` | no label |
/// | [`authorizations`](Self::authorizations) | `Query.setAuthorizations` | those of the user |
/// | [`isolation`](Self::isolation) | `Query.setIsolationLevel` | [`ReadCommitted`](IsolationLevel::ReadCommitted) |
/// | [`consistency`](Self::consistency) | `Query.setConsistency` | [`consistency`](crate::Config::consistency) of the configuration |
/// | [`replica`](Self::replica) | `Query.setReplicaId` | the primary one, or any |
///
/// ```
/// use std::time::Duration;
/// use tallrow::op::{CallOptions, Durability};
/// use tallrow::{Client, FamilyDescriptor, Get, Put, Scan, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
///     .await?;
///
/// let nightly = CallOptions::new().priority(5).operation_id("nightly report");
/// let table = client.raw_table("t")?.with_options(nightly);
/// let lax = CallOptions::new().durability(Durability::AsyncWal).timeout(Duration::from_secs(1));
/// table.put(Put::new("r").cell("d", "q", "v").options(lax)).await?;
/// assert!(table.get(Get::new("r")).await?.is_some());
/// assert_eq!(
///     table.count(Scan::all().options(CallOptions::new().attribute("trace", "7"))).await?,
///     1
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "options do nothing until they are given to an operation or a table"]
pub struct CallOptions {
    pub(crate) timeout: Option<Duration>,
    pub(crate) attempt_timeout: Option<Duration>,
    pub(crate) priority: Option<u32>,
    pub(crate) durability: Option<Durability>,
    pub(crate) consistency: Option<Consistency>,
    /// The number of the only replica that answers a read.
    pub(crate) replica: Option<u16>,
    /// The attributes in the order in which they were set. A name occurs at most once among the
    /// attributes for reads, and at most once among those for writes.
    pub(crate) attributes: Vec<Attribute>,
}

/// A name and a value that are sent with an operation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) value: Bytes,
    /// The operations that the attribute is sent with.
    pub(crate) of: AttributeScope,
    /// What is wrong with the attribute, if anything. Operations with a wrong attribute are not
    /// sent.
    pub(crate) problem: Option<Arc<str>>,
}

/// The operations that an attribute is sent with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AttributeScope {
    All,
    Reads,
    Writes,
}

/// The name of the attribute for visibility labels. Its value is an expression in a write, and in a
/// read the list of the user's labels that the read may use.
const VISIBILITY: &str = "VISIBILITY";

impl CallOptions {
    /// Makes options that set nothing.
    ///
    /// See [`CallOptions`] for an example of this and the other functions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how long the operation may take, including all attempts and pauses; for a scan, how
    /// long each wait for a row may take.
    ///
    /// Each operation of a batch may have its own timeout.
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout: Some(clamp(timeout)), ..self }
    }

    /// Sets how long one attempt may wait for its answer.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tallrow::{Get, op::CallOptions};
    /// let quick = CallOptions::new()
    ///     .timeout(Duration::from_millis(200))
    ///     .attempt_timeout(Duration::from_millis(50));
    /// assert_ne!(Get::new("r").options(quick), Get::new("r"));
    /// ```
    pub fn attempt_timeout(self, attempt_timeout: Duration) -> Self {
        Self { attempt_timeout: Some(clamp(attempt_timeout)), ..self }
    }

    /// Sets the priority in the header of the call. User calls have the lowest priority, 0. Servers
    /// queue calls with a priority above 10 for separate handlers
    /// (`hbase.regionserver.metahandler.count`). Admin calls have priority 100, and operations on
    /// HBase's own tables 200 or more.
    ///
    /// Operations of different priorities do not share calls.
    pub fn priority(self, priority: u32) -> Self {
        Self { priority: Some(priority), ..self }
    }

    /// Adds an attribute, a name with a value, for coprocessors and other extensions of the
    /// servers; it replaces an attribute of the same name.
    ///
    /// Names that begin with `_` are HBase's own.
    pub fn attribute(self, name: impl Into<String>, value: impl AsRef<[u8]>) -> Self {
        self.with(name.into(), Bytes::copy_from_slice(value.as_ref()), AttributeScope::All)
    }

    /// Sets a name for the operation, which the slow logs of the servers show
    /// (`_operation.attributes.id`).
    pub fn operation_id(self, id: impl AsRef<str>) -> Self {
        self.attribute("_operation.attributes.id", id.as_ref())
    }

    /// Sets when a write is acknowledged; it does not apply to reads.
    pub fn durability(self, durability: Durability) -> Self {
        Self { durability: Some(durability), ..self }
    }

    /// Sets the visibility expression of the cells that are written, such as `secret & (eu | us)`;
    /// it does not apply to reads.
    ///
    /// Labels with characters other than letters, digits and `_ - : . /` must be in double quotes.
    /// `&` and `|` are evaluated from left to right unless parentheses say otherwise, and `!`
    /// stands directly before the label or parenthesis that it negates. A write with an expression
    /// that servers cannot parse fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument),
    /// and is not sent.
    ///
    /// The servers need HBase's `VisibilityController`; servers without it ignore the expression.
    /// [`HBaseAdmin::add_labels`](crate::admin::HBaseAdmin::add_labels) creates labels.
    ///
    /// ```
    /// # use tallrow::{Put, op::CallOptions};
    /// let put =
    ///     Put::new("r").cell("d", "q", "v").options(CallOptions::new().visibility("secret & eu"));
    /// assert_ne!(put, Put::new("r").cell("d", "q", "v"));
    /// ```
    pub fn visibility(self, expression: impl AsRef<str>) -> Self {
        // `CellVisibility`: 1 expression
        let (mut message, expression) = (BytesMut::new(), expression.as_ref());
        text_field(&mut message, expression);
        let problem = visibility::problem(expression).map(Arc::from);
        let (name, value) = (VISIBILITY.into(), message.freeze());
        self.set(Attribute { name, value, of: AttributeScope::Writes, problem })
    }

    /// Sets which of the user's visibility labels a read may use; it does not apply to writes.
    ///
    /// ```
    /// # use tallrow::{Scan, op::CallOptions};
    /// let scan = Scan::all().options(CallOptions::new().authorizations(["eu"]));
    /// assert_ne!(scan, Scan::all());
    /// ```
    pub fn authorizations<L: AsRef<str>>(self, labels: impl IntoIterator<Item = L>) -> Self {
        // `Authorizations`: 1 label, repeated
        let mut message = BytesMut::new();
        for label in labels {
            text_field(&mut message, label.as_ref());
        }
        self.with(VISIBILITY.into(), message.freeze(), AttributeScope::Reads)
    }

    /// Sets whether a read sees rows that are being written; it does not apply to writes.
    ///
    /// ```
    /// # use tallrow::op::{CallOptions, IsolationLevel};
    /// let read = CallOptions::new().isolation(IsolationLevel::ReadUncommitted);
    /// assert_ne!(read, CallOptions::new());
    /// ```
    pub fn isolation(self, level: IsolationLevel) -> Self {
        let level: &[u8] = match level {
            IsolationLevel::ReadCommitted => &[0],
            IsolationLevel::ReadUncommitted => &[1],
        };
        self.with("_isolationlevel_".into(), Bytes::from_static(level), AttributeScope::Reads)
    }

    /// Sets which replicas may answer a read; it does not apply to writes.
    ///
    /// See [`Consistency`] for an example.
    pub fn consistency(self, consistency: Consistency) -> Self {
        Self { consistency: Some(consistency), ..self }
    }

    /// Sets the only replica that answers a read, by its number: 0 is the primary replica. This is
    /// for tests and repairs, because no other replica is asked if this one fails.
    ///
    /// See [`Consistency`] for an example.
    pub fn replica(self, replica: u16) -> Self {
        Self { replica: Some(replica), ..self }
    }

    fn with(self, name: String, value: Bytes, of: AttributeScope) -> Self {
        self.set(Attribute { name, value, of, problem: None })
    }

    /// Sets an attribute. It replaces attributes of the same name that are sent with the same
    /// operations.
    fn set(mut self, new: Attribute) -> Self {
        self.attributes.retain_mut(|old| {
            if old.name != new.name {
                return true;
            }
            match (old.of, new.of) {
                (AttributeScope::All, AttributeScope::Reads) => old.of = AttributeScope::Writes,
                (AttributeScope::All, AttributeScope::Writes) => old.of = AttributeScope::Reads,
                (AttributeScope::Reads, AttributeScope::Writes)
                | (AttributeScope::Writes, AttributeScope::Reads) => {}
                (_, AttributeScope::All)
                | (AttributeScope::Reads, AttributeScope::Reads)
                | (AttributeScope::Writes, AttributeScope::Writes) => return false,
            }
            true
        });
        self.attributes.push(new);
        self
    }

    /// Combines the options of an operation with those of its table; those of the operation take
    /// precedence.
    pub(crate) fn merge(own: Option<&Arc<Self>>, table: Option<&Arc<Self>>) -> Option<Arc<Self>> {
        let (own, table) = match (own, table) {
            (Some(own), Some(table)) if !Arc::ptr_eq(own, table) => (own, table),
            (one, other) => return one.or(other).cloned(),
        };
        let both = Self {
            timeout: own.timeout.or(table.timeout),
            attempt_timeout: own.attempt_timeout.or(table.attempt_timeout),
            priority: own.priority.or(table.priority),
            durability: own.durability.or(table.durability),
            consistency: own.consistency.or(table.consistency),
            replica: own.replica.or(table.replica),
            attributes: table.attributes.clone(),
        };
        Some(Arc::new(own.attributes.iter().cloned().fold(both, Self::set)))
    }

    /// Returns whether an operation with these options cannot share a call with operations that
    /// have only the options of the table.
    pub(crate) fn needs_own_call(&self) -> bool {
        self.timeout.is_some() || self.attempt_timeout.is_some() || self.priority.is_some()
    }

    /// Returns the attributes that are sent with reads, or with writes.
    pub(crate) fn attributes(&self, of: AttributeScope) -> impl Iterator<Item = &Attribute> {
        self.attributes.iter().filter(move |a| a.of == of || a.of == AttributeScope::All)
    }
}

/// Adds a text to a Protocol Buffers message, as its field 1.
fn text_field(message: &mut BytesMut, text: &str) {
    message.put_u8(0x0A);
    prost::encoding::encode_varint(text.len() as u64, message);
    message.put_slice(text.as_bytes());
}

/// The moment at which a server acknowledges a write; it corresponds to HBase's `Durability`.
///
/// See [`CallOptions`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Durability {
    /// The durability that is configured for the table, or `SyncWal` if none is configured.
    UseDefault,
    /// The server acknowledges the write once it is in memory, and does not log it: a server that
    /// dies loses acknowledged writes.
    SkipWal,
    /// The server acknowledges the write before it is in the log, and adds it to the log soon
    /// after: a server that dies loses the latest acknowledged writes.
    AsyncWal,
    /// The server acknowledges the write once it is in the log on several machines.
    SyncWal,
    /// The server acknowledges the write once it is in the log on disk.
    FsyncWal,
}

/// The writes that a read sees: only complete writes, or also writes that are under way.
///
/// See [`CallOptions::isolation`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IsolationLevel {
    /// The read sees only complete writes.
    ReadCommitted,
    /// The read also sees writes that are under way.
    ReadUncommitted,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(options: &CallOptions, of: AttributeScope) -> Vec<(&str, &[u8])> {
        options.attributes(of).map(|a| (a.name.as_str(), &a.value[..])).collect()
    }

    #[test]
    fn an_operation_counts_before_its_table() {
        let table = CallOptions::new().priority(5).attribute("a", "1").attribute("b", "1");
        let own = CallOptions::new().attribute("b", "2").timeout(Duration::from_secs(1));
        let both = CallOptions::merge(Some(&Arc::new(own)), Some(&Arc::new(table))).unwrap();
        assert_eq!((both.priority, both.timeout), (Some(5), Some(Duration::from_secs(1))));
        assert_eq!(names(&both, AttributeScope::Reads), [("a", &b"1"[..]), ("b", b"2")]);
    }

    #[test]
    fn labels_of_reads_and_writes_have_one_name_and_do_not_meet() {
        let both = CallOptions::new().visibility("a|b").authorizations(["a", "bc"]);
        assert_eq!(names(&both, AttributeScope::Writes), [("VISIBILITY", &b"\x0a\x03a|b"[..])]);
        assert_eq!(
            names(&both, AttributeScope::Reads),
            [("VISIBILITY", &b"\x0a\x01a\x0a\x02bc"[..])]
        );
    }
}

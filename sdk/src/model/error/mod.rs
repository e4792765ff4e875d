//! The error of all operations: what went wrong, where, and after how many attempts.
//!
//! # Invariants
//!
//! - An error names the last server that was called. Tests:
//!   `tests/suites/stall/mod.rs::every_call_ends_by_the_deadline_of_its_table_and_names_the_server`.

mod attempt;
mod from;
mod kind;
#[cfg(test)]
mod tests;
mod without_keys;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

pub use attempt::Attempt;
pub use kind::ErrorKind;
pub(crate) use kind::Overload;

use crate::{RowKeyDisplay, TableName};
use without_keys::without_keys;

/// The result type of this crate's functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;

type Source = Box<dyn std::error::Error + Send + Sync>;

/// The error of an operation: a [`kind`](Error::kind), on which a program can act, and a full
/// description.
///
/// The text states what was attempted, on which table, row and server, what was found, and what to
/// do: `operation table/"row" on host:port: message (n attempts in s)`. Parts that are not known
/// are left out. `source()` returns the cause: another `Error`, an
/// [`EncodeError`](crate::key::EncodeError) or [`DecodeError`](crate::key::DecodeError) of a row
/// key, or an error of the protocol, which has only a text. `{:?}` shows the kind before the text
/// and the causes after it.
///
/// ```
/// use tallrow::{ErrorKind, Put};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = tallrow::Client::connect("mock:").await?;
/// let error =
///     client.raw_table("nowhere")?.put(Put::new("r").cell("f", "q", "v")).await.unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::TableNotFound);
/// assert_eq!(error.operation(), "put");
/// assert_eq!(error.table().unwrap().to_string(), "nowhere");
/// # Ok(())
/// # }
/// ```
///
/// The parts of the text are also available as values:
///
/// | part | function | where it is unknown |
/// |---|---|---|
/// | what was attempted | [`operation`](Self::operation) | empty |
/// | on which table and row | [`table`](Self::table), [`row`](Self::row) | `None` |
/// | on which server and region | [`server`](Self::server), [`region`](Self::region) | `None` |
/// | what the server threw | [`exception`](Self::exception), the class; its whole text is the source | `None` |
/// | how often and how long | [`attempts`](Self::attempts), [`elapsed`](Self::elapsed) | 0 |
/// | what happened each time | [`history`](Self::history) | empty |
///
/// ```
/// use std::error::Error as _;
/// use std::time::Duration;
/// use tallrow::{Client, ErrorKind, FamilyDescriptor, TableDescriptor};
/// use tallrow_mock::{Fault, MockCluster};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mock = MockCluster::start().await?;
/// let client = Client::connect(&mock.url()).await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
///     .await?;
/// let table = client.raw_table("t")?.with_timeout(Duration::from_millis(500));
///
/// let class = "org.apache.hadoop.hbase.RegionTooBusyException";
/// mock.inject(Fault::on("Get").times(1_000).throw(class, "Over memstore limit"));
/// let error = table.get("row1").await.unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Busy);
/// assert_eq!((error.operation(), error.row()), ("get", Some(&b"row1"[..])));
/// assert_eq!(error.exception(), Some(class));
/// assert!(error.attempts() > 1, "it was tried again until the deadline");
/// assert_eq!(error.source().unwrap().to_string(), "Over memstore limit");
/// # Ok(())
/// # }
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    operation: &'static str,
    table: Option<TableName>,
    row: Option<Bytes>,
    server: Option<String>,
    region: Option<Bytes>,
    exception: Option<String>,
    overload: Option<Overload>,
    message: String,
    attempts: u32,
    elapsed: Duration,
    history: Vec<Attempt>,
    source: Option<Source>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            operation: "",
            table: None,
            row: None,
            server: None,
            region: None,
            exception: None,
            overload: None,
            message: message.into(),
            attempts: 0,
            elapsed: Duration::ZERO,
            history: Vec::new(),
            source: None,
        }))
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidArgument, message)
    }

    /// Creates an error of kind [`InvalidArgument`](ErrorKind::InvalidArgument) for a program's own
    /// rule, such as the rule by which a hook rejects a change.
    ///
    /// ```
    /// let error = tallrow::Error::invalid_argument("books are not lent on Sundays");
    /// assert_eq!(error.to_string(), "books are not lent on Sundays");
    /// ```
    pub fn invalid_argument(why: impl Into<String>) -> Self {
        Self::invalid(why)
    }

    pub(crate) fn protocol(error: impl Into<Source>) -> Self {
        Self::new(ErrorKind::Protocol, "the answer is not valid in HBase's protocol")
            .caused_by(error)
    }

    /// Makes an error of kind `OutcomeUnknown` that has this error as its cause, and has the same
    /// server and region.
    pub(crate) fn into_unknown(self, text: impl Into<String>) -> Self {
        self.into_kind(ErrorKind::OutcomeUnknown, text)
    }

    /// Makes an error of another kind that has this error as its cause, and has the same server and
    /// region.
    pub(crate) fn into_kind(self, kind: ErrorKind, text: impl Into<String>) -> Self {
        let error = Self::new(kind, text);
        let error = self.0.server.iter().fold(error, Self::on_server);
        let error = self.0.region.iter().fold(error, Self::in_region);
        error.caused_by(self)
    }

    /// Makes an error of another kind and with another text that has this error as its cause, and
    /// has the same operation, table, server and region.
    pub(crate) fn into_kind_with_context(self, kind: ErrorKind, text: impl Into<String>) -> Self {
        let (operation, table) = (self.0.operation, self.0.table.clone());
        let error = self.into_kind(kind, text).with_operation_if_unset(operation);
        table.iter().fold(error, Self::on_table)
    }

    pub(crate) fn with_operation_if_unset(mut self, operation: &'static str) -> Self {
        if self.0.operation.is_empty() {
            self.0.operation = operation;
        }
        self
    }

    /// Sets the operation: `operation` is the one that called the operation that failed.
    pub(crate) fn with_operation(mut self, operation: &'static str) -> Self {
        self.0.operation = operation;
        self
    }

    /// Appends `; ` and `note` to the message.
    pub(crate) fn with_note(mut self, note: &str) -> Self {
        self.0.message = format!("{}; {note}", self.0.message);
        self
    }

    pub(crate) fn on_table(mut self, table: &TableName) -> Self {
        self.0.table.get_or_insert_with(|| table.clone());
        self
    }

    pub(crate) fn on_row(mut self, row: &Bytes) -> Self {
        self.0.row.get_or_insert_with(|| row.clone());
        self
    }

    pub(crate) fn on_server(mut self, server: impl fmt::Display) -> Self {
        self.0.server.get_or_insert_with(|| server.to_string());
        self
    }

    pub(crate) fn in_region(mut self, region: &Bytes) -> Self {
        self.0.region.get_or_insert_with(|| region.clone());
        self
    }

    pub(crate) fn with_attempts(mut self, attempts: u32, elapsed: Duration) -> Self {
        self.0.attempts = attempts;
        self.0.elapsed = elapsed;
        self
    }

    /// Adds the history of the attempts, if the error has no history yet.
    pub(crate) fn with_history(mut self, history: Vec<Attempt>) -> Self {
        if self.0.history.is_empty() {
            self.0.history = history;
        }
        self
    }

    /// If row keys must not be shown, removes them from the servers' texts in the sources of the
    /// error.
    pub(crate) fn hide_row_keys_in_sources(mut self) -> Self {
        let (keys, row) = (self.row_keys(), self.0.row.clone().unwrap_or_default());
        if keys != RowKeyDisplay::Shown
            && let Some(source) = self.0.source.take()
        {
            self.0.source = Some(match source.downcast::<Self>() {
                Ok(error) => Box::new(error.on_table_and_row_of(&self).hide_row_keys_in_sources()),
                Err(source) => without_keys(&source.to_string(), &row, keys).into(),
            });
        }
        self
    }

    fn on_table_and_row_of(mut self, other: &Self) -> Self {
        self.0.table = self.0.table.or_else(|| other.0.table.clone());
        self.0.row = self.0.row.or_else(|| other.0.row.clone());
        self
    }

    /// How row keys are shown, as configured for the table.
    fn row_keys(&self) -> RowKeyDisplay {
        self.0.table.as_ref().map(TableName::row_key_display).unwrap_or_default()
    }

    /// Appends `text` to the message, unless the message has it already.
    pub(crate) fn with_suffix_once(mut self, text: &str) -> Self {
        if !self.0.message.contains(text) {
            self.0.message = format!("{}{text}", self.0.message);
        }
        self
    }

    pub(crate) fn with_exception(mut self, class: &str) -> Self {
        self.0.exception = Some(class.to_owned());
        self
    }

    pub(crate) fn with_overload(mut self, overload: Option<Overload>) -> Self {
        self.0.overload = overload;
        self
    }

    pub(crate) fn caused_by(mut self, source: impl Into<Source>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Makes the error for one of several callers that waited for the same operation.
    pub(crate) fn from_shared(error: Arc<Self>) -> Self {
        Arc::try_unwrap(error).unwrap_or_else(|error| {
            let e = &error.0;
            Self(Box::new(Inner {
                kind: e.kind,
                operation: e.operation,
                table: e.table.clone(),
                row: e.row.clone(),
                server: e.server.clone(),
                region: e.region.clone(),
                exception: e.exception.clone(),
                overload: e.overload,
                message: e.message.clone(),
                attempts: e.attempts,
                elapsed: e.elapsed,
                history: e.history.clone(),
                source: Some(Box::new(error)),
            }))
        })
    }

    /// The kind of failure, for a program to act on.
    ///
    /// See [`Error`] for an example of this and the other parts.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The operation that was attempted: `put`, `scan`, `create table`, `connect`, ... This is the
    /// name of the function that was called, with spaces.
    pub fn operation(&self) -> &'static str {
        self.0.operation
    }

    /// The part of the text that says what was found and what to do, without the operation, table,
    /// row, server and attempts.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// let error = client.raw_table("t")?.get("").await.unwrap_err();
    /// assert_eq!(error.message(), "a row key must not be empty");
    /// assert!(error.to_string().ends_with(&format!(": {}", error.message())));
    /// # Ok(())
    /// # }
    /// ```
    pub fn message(&self) -> Cow<'_, str> {
        let e = &self.0;
        match self.row_keys() {
            RowKeyDisplay::Shown => Cow::Borrowed(&e.message),
            keys => {
                let row = e.row.as_deref().unwrap_or_default();
                Cow::Owned(without_keys(&e.message, row, keys))
            }
        }
    }

    /// The table of the operation, if there is one.
    pub fn table(&self) -> Option<&TableName> {
        self.0.table.as_ref()
    }

    /// The row of the operation, if there is one.
    pub fn row(&self) -> Option<&[u8]> {
        self.0.row.as_deref()
    }

    /// The last server that was called, whether it answered or not, as `host:port`. If all hosts of
    /// an address were tried, these are several servers, separated by commas.
    pub fn server(&self) -> Option<&str> {
        self.0.server.as_deref()
    }

    /// The full name of the row's region, such as
    /// `t,row1,1732222222222.0123456789abcdef0123456789abcdef.`, if it was located.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let error =
    ///     client.raw_table("t")?.put(Put::new("r").cell("nosuch", "q", "v")).await.unwrap_err();
    /// assert!(error.region().unwrap().starts_with(b"t,,"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn region(&self) -> Option<&[u8]> {
        self.0.region.as_deref()
    }

    /// The Java class of the exception that the server threw, if it threw one: the full name, such
    /// as `org.apache.hadoop.hbase.NotServingRegionException`.
    pub fn exception(&self) -> Option<&str> {
        self.0.exception.as_deref()
    }

    /// What the server was overloaded with, if the operation failed because of an overload.
    pub(crate) fn overload(&self) -> Option<Overload> {
        self.0.overload
    }

    /// Why the operation failed, in one word: the class of the exception without its package, or
    /// else the kind.
    pub(crate) fn error_type(&self) -> Cow<'_, str> {
        match self.exception() {
            Some(class) => Cow::Borrowed(class.rsplit(['.', '$']).next().unwrap_or(class)),
            None => Cow::Owned(format!("{:?}", self.0.kind)),
        }
    }

    /// How many attempts were made; 0 if nothing was sent.
    pub fn attempts(&self) -> u32 {
        self.0.attempts
    }

    /// How long the operation took, all attempts and pauses together.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed
    }

    /// The history of the attempts, in order: for each attempt the server, the region, the cause,
    /// how long the attempt took, and the pause before the next attempt. If there were more than 16
    /// attempts, only the first 4 and the last 12 are kept. The history is empty if nothing was
    /// attempted.
    ///
    /// `{:#}` shows the history after the text, with one line for each attempt. `{:?}` also shows
    /// the history, if there are several attempts.
    ///
    /// See [`Attempt`] for an example.
    pub fn history(&self) -> &[Attempt] {
        &self.0.history
    }

    fn fmt_history(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = 0;
        for attempt in &self.0.history {
            if attempt.number > last + 1 {
                write!(f, "\n  ({} attempts are left out)", attempt.number - last - 1)?;
            }
            write!(f, "\n  {attempt}")?;
            last = attempt.number;
        }
        Ok(())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let e = &self.0;
        let row = e.row.as_ref().map(|row| match &e.table {
            Some(table) => table.show_row(row),
            None => RowKeyDisplay::default().display(row).to_string(),
        });
        let subject = match (&e.table, row) {
            (Some(table), Some(row)) => Some(format!("{table}/{row}")),
            (Some(table), None) => Some(table.to_string()),
            (None, Some(row)) => Some(row.to_string()),
            (None, None) => None,
        };
        let operation = (!e.operation.is_empty()).then(|| e.operation.to_owned());
        let server = e.server.as_ref().map(|server| format!("on {server}"));
        let place: Vec<_> = [operation, subject, server].into_iter().flatten().collect();
        if !place.is_empty() {
            write!(f, "{}: ", place.join(" "))?;
        }
        f.write_str(&self.message())?;
        if e.attempts > 1 {
            write!(f, " ({} attempts in {:.1} s)", e.attempts, e.elapsed.as_secs_f64())?;
        }
        if f.alternate() { self.fmt_history(f) } else { Ok(()) }
    }
}

/// Writes the kind, the text, and the text of each cause, unless the text before it already
/// contains it.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.to_string();
        write!(f, "{:?}: {text}", self.0.kind)?;
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            let next = error.to_string();
            if !text.contains(&next) {
                write!(f, ": {next}")?;
                text = next;
            }
            cause = error.source();
        }
        if self.0.history.len() > 1 { self.fmt_history(f) } else { Ok(()) }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|s| &**s as _)
    }
}

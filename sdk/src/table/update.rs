//! `Update`: changes of some cells of a typed row in one step.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use super::cell_writer::EMPTY_COLUMN_VALUE;
use super::{Table, WriteOptions};
use crate::model::show;
use crate::model::value::{EncodeCell, IncrementableValue, Qualifier};
use crate::request::op::{AddToCells, MergeToCells, RowMutations};
use crate::table::column::encode_value;
use crate::table::column::{AnyColumn, Column, DynamicColumns, Operand};
use crate::{Append, Delete, DeliveryGuarantee, Error, Increment, Put, Result, Timestamp};

/// Changes of some cells of a row, which are made in one step: all of them or none.
///
/// | function | the column | the cell afterwards |
/// |---|---|---|
/// | [`set`](Self::set) | a value | has this value |
/// | [`set_option`](Self::set_option) | an `Option` | has this value, or is gone |
/// | [`unset`](Self::unset) | an `Option`, or one with a default | is gone, with all versions |
/// | [`unset_version`](Self::unset_version) | any | is what was written before, if that is kept |
/// | [`unset_family`](Self::unset_family), [`unset_family_of`](Self::unset_family_of) | any | all cells of its family are gone |
/// | [`add`](Self::add) | a [`Counter`](crate::Counter), an [`Aggregated`](crate::Aggregated) | is larger by a number, or smaller; in an [aggregate family](crate::admin::Aggregate), the sum, minimum or maximum |
/// | [`merge`](Self::merge) | the same, in an aggregate family | contains another aggregate too |
/// | [`append`](Self::append) | a text or bytes | ends in this |
///
/// Each change is made to the row as it was before the update, so an update changes a cell only
/// once. Two changes of the same cell are an error when the update is sent, because one of them
/// would be lost: `set` and `set`, `set` and `unset`, `set` and `append`. There are two exceptions:
/// additions to the same counter are added up, and values that are appended to the same cell are
/// joined. The new values that result from `add` and `append` are returned, see
/// [`UpdateResult`](super::UpdateResult).
///
/// ```
/// use tallrow::{Client, Counter, RowKey, Table, TableDescriptor, Update};
///
/// #[derive(RowKey, Clone)]
/// struct Isbn {
///     number: u64,
/// }
///
/// #[derive(Table)]
/// #[table(name = "books")]
/// #[family("b")]
/// struct Book {
///     #[key]
///     isbn: Isbn,
///     #[cell("b:t")]
///     title: String,
///     #[cell("b:s")]
///     series: Option<String>,
///     #[cell("b:n")]
///     seen: Counter,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
/// let books = client.table::<Book>();
/// let isbn = Isbn { number: 1 };
/// books
///     .put(&Book {
///         isbn: isbn.clone(),
///         title: "HBase".into(),
///         series: Some("Guides".into()),
///         seen: Counter(0),
///     })
///     .await?;
///
/// let change =
///     Update::new().set(Book::TITLE, "HBase in Rust").unset(Book::SERIES).add(Book::SEEN, 2);
/// let changed = books.update(&isbn, change).await?;
/// assert_eq!(changed.get(Book::SEEN)?, Some(Counter(2)));
///
/// let book = books.get(&isbn).await?.unwrap();
/// assert_eq!((&book.title[..], book.series, book.seen), ("HBase in Rust", None, Counter(2)));
/// # Ok(())
/// # }
/// ```
#[must_use = "an update does nothing until it is given to a table"]
pub struct Update<T> {
    changes: Vec<Change>,
    options: WriteOptions,
    /// The first problem of the update, which is reported when the update is sent.
    problem: Option<String>,
    of: PhantomData<fn() -> T>,
}

/// A change of one cell, or of a family.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    family: &'static str,
    qualifier: Vec<u8>,
    what: What,
}

#[derive(Clone, PartialEq)]
enum What {
    Set(Vec<u8>),
    Append(Vec<u8>),
    Add(i64),
    Merge(Vec<u8>),
    /// Deletes the cell; `required` says whether a row can be read only with this cell.
    Unset {
        required: bool,
    },
    UnsetVersion(Timestamp),
    UnsetFamily,
}

impl What {
    /// Whether the cell exists afterwards.
    fn writes(&self) -> bool {
        matches!(self, Self::Set(_) | Self::Append(_) | Self::Add(_) | Self::Merge(_))
    }
}

impl<T> Update<T> {
    /// Creates an update without changes; it is an error to send an update without changes.
    ///
    /// See [`Update`] for an example of this and the other functions.
    pub fn new() -> Self {
        let (changes, options) = (Vec::new(), WriteOptions::new());
        Self { changes, options, problem: None, of: PhantomData }
    }

    /// Writes a cell. A value outside the constraint of its field is an error when the update is
    /// sent.
    ///
    /// ```
    /// # use tallrow::{Client, ErrorKind, RowKey, Table, Update};
    /// # #[derive(RowKey, Clone)] struct Isbn { number: u64 }
    /// #[derive(Table)]
    /// #[table(name = "books")]
    /// #[family("b")]
    /// struct Book {
    ///     #[key]
    ///     isbn: Isbn,
    ///     #[cell("b:p", range = 0.0..=1e6)]
    ///     price: f64,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Book>().await?;
    /// # let books = client.table::<Book>();
    /// let isbn = Isbn { number: 1 };
    /// let error = books.update(&isbn, Update::new().set(Book::PRICE, -1.0)).await.unwrap_err();
    /// assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0));
    /// // A row need not exist: the update makes it.
    /// books.update(&isbn, Update::new().set(Book::PRICE, 9.5)).await?;
    /// assert_eq!(books.get(&isbn).await?.unwrap().price, 9.5);
    /// # Ok(())
    /// # }
    /// ```
    pub fn set<A>(mut self, column: A, value: impl Operand<A::Value>) -> Self
    where
        A: AnyColumn<T>,
        A::Codec: EncodeCell<A::Value>,
    {
        let value = value.into_operand();
        let mut bytes = Vec::new();
        let checked = column.validate(&value).and_then(|()| A::Codec::encode(&value, &mut bytes));
        if let Err(why) = checked {
            let name = show::column(column.family().as_bytes(), &column.qualifier());
            self.problem.get_or_insert(format!("column {name}: {why}"));
        }
        self.change(column.family(), column.qualifier(), What::Set(bytes))
    }

    /// Writes a cell with bytes that the codec of its column made before.
    pub(super) fn set_bytes<V, C>(self, column: Column<T, V, C>, bytes: &[u8]) -> Self {
        self.change(column.family(), column.qualifier().to_vec(), What::Set(bytes.to_vec()))
    }

    /// Deletes all versions of a cell. The field must be an `Option` or have a default. For any
    /// other field, sending an update without a timestamp is an error, because the row could not be
    /// read without the cell.
    pub fn unset<A: AnyColumn<T>>(self, column: A) -> Self {
        let required = column.is_required();
        self.change(column.family(), column.qualifier(), What::Unset { required })
    }

    /// Writes a cell, or deletes it if there is no value: [`set`](Update::set) or
    /// [`unset`](Update::unset).
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, Update};
    /// # #[derive(RowKey, Clone)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String, #[cell("b:s")] series: Option<String> }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Book>().await?;
    /// # let books = client.table::<Book>();
    /// let isbn = Isbn { number: 1 };
    /// let mut book =
    ///     Book { isbn: isbn.clone(), title: "HBase".into(), series: Some("Guides".into()) };
    /// books.put(&book).await?;
    /// book.series = None;
    /// books.update(&isbn, Update::new().set_option(Book::SERIES, book.series.as_deref())).await?;
    /// assert_eq!(books.get(&isbn).await?.unwrap().series, None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_option<A>(self, column: A, value: Option<impl Operand<A::Value>>) -> Self
    where
        A: AnyColumn<T>,
        A::Codec: EncodeCell<A::Value>,
    {
        match value {
            Some(value) => self.set(column, value),
            None => self.unset(column),
        }
    }

    /// Deletes the version of a cell with exactly this timestamp.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor, Timestamp, Update};
    /// # #[derive(RowKey, Clone)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b", versions = 2)]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:p")] price: f64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
    /// # let books = client.table::<Book>();
    /// let (isbn, at) = (Isbn { number: 1 }, Timestamp::from_millis);
    /// for (time, price) in [(10, 30.0), (20, 25.0)] {
    ///     books.update(&isbn, Update::new().set(Book::PRICE, price).timestamp(at(time))).await?;
    /// }
    /// books.update(&isbn, Update::new().unset_version(Book::PRICE, at(20))).await?;
    /// assert_eq!(books.get(&isbn).await?.unwrap().price, 30.0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn unset_version<A: AnyColumn<T>>(self, column: A, at: Timestamp) -> Self {
        self.change(column.family(), column.qualifier(), What::UnsetVersion(at))
    }

    /// Deletes all cells of a column's family, also those that belong to no field.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor, Update};
    /// # #[derive(RowKey, Clone)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")] #[family("n")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String, #[cell("n:a")] note: Option<String> }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
    /// # let books = client.table::<Book>();
    /// let isbn = Isbn { number: 1 };
    /// books
    ///     .put(&Book { isbn: isbn.clone(), title: "HBase".into(), note: Some("lent".into()) })
    ///     .await?;
    /// books.update(&isbn, Update::new().unset_family(Book::NOTE)).await?;
    /// assert_eq!(books.get(&isbn).await?.unwrap().note, None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn unset_family<A: AnyColumn<T>>(self, column: A) -> Self {
        self.change(column.family(), Vec::new(), What::UnsetFamily)
    }

    /// Deletes all cells of a dynamic column's family, also those that belong to no field.
    ///
    /// See [`unset_family`](Update::unset_family) for an example.
    pub fn unset_family_of<Q: Qualifier, V, C>(self, columns: DynamicColumns<T, Q, V, C>) -> Self {
        self.change(columns.family(), Vec::new(), What::UnsetFamily)
    }

    /// Adds `by` to a counter, only once even if the reply is lost.
    ///
    /// If the family of the counter is an [aggregate](crate::admin::Aggregate), this is an
    /// [`AddToCells`], which does not return the new value; what it does depends on the aggregate.
    pub fn add<A>(self, counter: A, by: i64) -> Self
    where
        A: AnyColumn<T>,
        A::Value: IncrementableValue,
    {
        self.change(counter.family(), counter.qualifier(), What::Add(by))
    }

    /// Merges the state of another aggregate into a cell of an aggregate family, such as the bytes
    /// of an [`Aggregated`](crate::Aggregated) sketch; only once even if the reply is lost. Only
    /// Bigtable supports this, see [`MergeToCells`].
    ///
    /// ```
    /// # use tallrow::{Aggregated, RowKey, Table, Update};
    /// # #[derive(RowKey)] struct Day { day: u32 }
    /// #[derive(Table)]
    /// #[table(name = "visitors")]
    /// #[family("v", aggregate = "hll")]
    /// struct Visitors {
    ///     #[key]
    ///     day: Day,
    ///     #[cell("v:n")]
    ///     sketch: Aggregated<Vec<u8>>,
    /// }
    ///
    /// fn of_another_day(visitors: &Visitors) -> Update<Visitors> {
    ///     let update = Update::new();
    ///     match &visitors.sketch.0 {
    ///         Some(sketch) => update.merge(Visitors::SKETCH, sketch),
    ///         None => update,
    ///     }
    /// }
    ///
    /// let day = Visitors { day: Day { day: 1 }, sketch: Aggregated(Some(vec![1])) };
    /// assert!(of_another_day(&day).changes_column(Visitors::SKETCH));
    /// ```
    pub fn merge<A>(self, column: A, state: impl AsRef<[u8]>) -> Self
    where
        A: AnyColumn<T>,
        A::Value: IncrementableValue,
    {
        let state = What::Merge(state.as_ref().to_vec());
        self.change(column.family(), column.qualifier(), state)
    }

    /// Appends `value` to a text or to bytes, only once even if the reply is lost.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor, Update};
    /// # #[derive(RowKey, Clone)] struct Id { id: u64 }
    /// # #[derive(Table)] #[table(name = "logs")] #[family("d")]
    /// # struct Log { #[key] id: Id, #[cell("d:l")] lines: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Log>()?).await?;
    /// # let logs = client.table::<Log>();
    /// let id = Id { id: 1 };
    /// for line in ["started\n", "done\n"] {
    ///     logs.update(&id, Update::new().append(Log::LINES, line)).await?;
    /// }
    /// assert_eq!(logs.get(&id).await?.unwrap().lines, "started\ndone\n");
    /// # Ok(())
    /// # }
    /// ```
    pub fn append<A>(mut self, column: A, value: impl Operand<A::Value>) -> Self
    where
        A: AnyColumn<T>,
        A::Codec: EncodeCell<A::Value>,
    {
        match encode_value(&column, &value.into_operand()) {
            Ok(bytes) => self.change(column.family(), column.qualifier(), What::Append(bytes)),
            Err(why) => {
                self.problem.get_or_insert(why.to_string());
                self
            }
        }
    }

    /// Sets the timestamp of the cells that are set; `unset` deletes versions with this timestamp
    /// or an older one. Cells that are added or appended to get the server's time.
    ///
    /// See [`unset_version`](Update::unset_version) for an example.
    pub fn timestamp(mut self, timestamp: Timestamp) -> Self {
        self.options = self.options.timestamp(timestamp);
        self
    }

    /// Sets the time to live of cells that are set, added to or appended to: they expire when `ttl`
    /// has passed since their timestamp, or earlier if the family's time to live is shorter.
    ///
    /// ```
    /// # use tallrow::{RowKey, Table, Update};
    /// # #[derive(RowKey)] struct Id { id: u64 }
    /// # #[derive(Table)] #[table(name = "codes")] #[family("d")]
    /// # struct Code { #[key] id: Id, #[cell("d:c")] code: String }
    /// let short = Update::new().set(Code::CODE, "4711").ttl(std::time::Duration::from_secs(60));
    /// # let _ = short;
    /// ```
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.options = self.options.ttl(ttl);
        self
    }

    /// Sets what happens if the reply to the update is lost; this takes precedence over the table's
    /// setting.
    ///
    /// ```
    /// # use tallrow::{DeliveryGuarantee, RowKey, Table, Update};
    /// # #[derive(RowKey)] struct Id { id: u64 }
    /// # #[derive(Table)] #[table(name = "codes")] #[family("d")]
    /// # struct Code { #[key] id: Id, #[cell("d:c")] code: String }
    /// let update = Update::new().set(Code::CODE, "4711").delivery(DeliveryGuarantee::AtLeastOnce);
    /// assert!(update.changes_column(Code::CODE));
    /// ```
    pub fn delivery(mut self, delivery: DeliveryGuarantee) -> Self {
        self.options = self.options.delivery(delivery);
        self
    }

    /// Whether the update changes this column, so that a hook can ignore updates of other columns.
    ///
    /// ```
    /// # use tallrow::{RowKey, Table, Update};
    /// # #[derive(RowKey)] struct Id { id: u64 }
    /// # #[derive(Table)] #[table(name = "codes")] #[family("d")]
    /// # struct Code { #[key] id: Id, #[cell("d:c")] code: String, #[cell("d:n")] note: Option<String> }
    /// let update = Update::new().set(Code::CODE, "4711");
    /// assert!(update.changes_column(Code::CODE) && !update.changes_column(Code::NOTE));
    /// ```
    pub fn changes_column<A: AnyColumn<T>>(&self, column: A) -> bool {
        let qualifier = column.qualifier();
        self.changes.iter().any(|change| {
            let all = change.what == What::UnsetFamily;
            change.family == column.family() && (all || change.qualifier == qualifier)
        })
    }

    fn change(mut self, family: &'static str, qualifier: Vec<u8>, what: What) -> Self {
        self.changes.push(Change { family, qualifier, what });
        self
    }
}

impl<T: Table> Update<T> {
    /// Returns what is wrong with the update if it leaves a row that cannot be read. With a
    /// timestamp nothing is wrong, because newer versions may remain.
    fn missing_cell(&self, at: Option<Timestamp>) -> Option<String> {
        let is_missing = |change: &&Change| {
            let is_same =
                |c: &Change| (c.family, &c.qualifier) == (change.family, &change.qualifier);
            change.what == What::Unset { required: true }
                && !self.changes.iter().any(|c| is_same(c) && c.what.writes())
        };
        let Change { family, qualifier, .. } = self.changes.iter().find(is_missing)?;
        let name = show::column(family.as_bytes(), qualifier);
        at.is_none().then(|| {
            format!(
                "column {name}: without this cell the row cannot be read; make its field an Option or give it a default, or delete the row"
            )
        })
    }

    /// Returns the mutations of this row that the update makes.
    pub(crate) fn to_mutations(
        &self,
        row: &[u8],
        table_options: WriteOptions,
    ) -> Result<RowMutations> {
        let at = self.options.timestamp.or(table_options.timestamp);
        if let Some(problem) = self.problem.clone().or_else(|| self.missing_cell(at)) {
            let row = bytes::Bytes::copy_from_slice(row);
            return Err(Error::invalid(problem).on_row(&row));
        }
        let ttl = self.options.ttl.or(table_options.ttl);
        let mut put = ttl.into_iter().fold(Put::new(row), Put::ttl);
        let (mut delete, mut deletes) = (Delete::new(row), false);
        let increment = ttl.into_iter().fold(Increment::new(row), Increment::ttl);
        let (mut increment, mut increments) = (increment, false);
        let (mut additions, mut states) = (AddToCells::new(row), MergeToCells::new(row));
        // HBase, where additions are increments, has times to live of cells; Bigtable refuses them.
        (additions.cells.ttl, states.cells.ttl) = (ttl, ttl);
        let append = ttl.into_iter().fold(Append::new(row), Append::ttl);
        let (mut append, mut appends) = (append, false);
        for Change { family, qualifier, what } in &self.changes {
            match (what, at) {
                (What::Set(value), _) => put.push(family.as_bytes(), qualifier, at, value),
                (What::Append(value), _) => {
                    (append, appends) = (append.add(family, qualifier, value), true);
                }
                (What::Add(by), _) if T::AGGREGATES.contains(family) => {
                    additions = additions.add(family, qualifier, *by);
                }
                (What::Merge(state), _) => states = states.merge(family, qualifier, state),
                (What::Add(by), _) => {
                    (increment, increments) = (increment.add(family, qualifier, *by), true);
                }
                (what, at) => {
                    deletes = true;
                    delete = match (what, at) {
                        (What::UnsetVersion(at), _) => delete.version(family, qualifier, *at),
                        (What::UnsetFamily, Some(at)) => delete.family_until(family, at),
                        (What::UnsetFamily, None) => delete.family(family),
                        (_, Some(at)) => delete.column_until(family, qualifier, at),
                        (_, None) => delete.column(family, qualifier),
                    };
                }
            }
        }
        let aggregates = !additions.cells.cells.is_empty() || !states.cells.cells.is_empty();
        let writes = !put.is_empty() || increments || appends || aggregates;
        if let Some((family, qualifier)) = T::EMPTY_COLUMN.filter(|_| writes) {
            put.push(family.as_bytes(), qualifier, at, EMPTY_COLUMN_VALUE);
        }
        let all = RowMutations::new(row);
        let mut all = self.options.delivery.into_iter().fold(all, RowMutations::delivery);
        if deletes {
            all = all.add(delete);
        }
        if !put.is_empty() {
            all = all.add(put);
        }
        if increments {
            all = all.add(increment);
        }
        if appends {
            all = all.add(append);
        }
        if !additions.cells.cells.is_empty() {
            all = all.add(additions);
        }
        if !states.cells.cells.is_empty() {
            all = all.add(states);
        }
        Ok(all)
    }
}

impl<T> Default for Update<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Clone for Update<T> {
    fn clone(&self) -> Self {
        let (changes, problem) = (self.changes.clone(), self.problem.clone());
        Self { changes, problem, options: self.options, of: PhantomData }
    }
}

impl fmt::Debug for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Set(value) => write!(f, "= {}", show::bytes(value)),
            Self::Append(value) => write!(f, "+= {}", show::bytes(value)),
            Self::Add(by) => write!(f, "+= {by}"),
            Self::Merge(state) => write!(f, "merges {}", show::bytes(state)),
            Self::Unset { .. } => f.write_str("unset"),
            Self::UnsetVersion(at) => write!(f, "unset at {} ms", at.as_millis()),
            Self::UnsetFamily => f.write_str("unset family"),
        }
    }
}

impl<T> fmt::Debug for Update<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        for Change { family, qualifier, what } in &self.changes {
            let column = show::column(family.as_bytes(), qualifier);
            list.entry(&format_args!("{column} {what:?}"));
        }
        list.finish()
    }
}

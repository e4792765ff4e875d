//! `IndexedTable`, the handle that puts, updates and deletes rows together with their index
//! entries.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use super::plan::{Change, ChangeKind};
use super::state::State;
use crate::Result;
use crate::request::op::{BatchResults, RowMutations};
use crate::runtime::tasks::run_concurrently;
use crate::table::{RowChange, Table, TypedTable, Update, WriteOptions, WriteRow};

/// A table whose rows are changed together with the entries of its indexes; cheap to clone.
///
/// See the [module](crate::index) for an example, the steps, the guarantees and the cost.
pub struct IndexedTable<T: Table> {
    pub(super) state: Arc<State<T>>,
}

impl<T: Table> IndexedTable<T> {
    /// Returns the table itself, for reads by row key and for changes of cells on which no index
    /// depends.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, index::IndexedTable};
    /// # #[derive(RowKey)] struct Id { id: u64 }
    /// # #[derive(Table)] #[table(name = "items")] #[family("d")]
    /// # struct Item { #[key] id: Id, #[cell("d:v")] value: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Item>().await?;
    /// let items = IndexedTable::builder(client.table::<Item>()).build()?;
    /// items.put(&Item { id: Id { id: 1 }, value: "a".into() }).await?;
    /// assert!(items.table().exists(&Id { id: 1 }).await?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn table(&self) -> &TypedTable<T> {
        &self.state.table
    }
}

impl<T: WriteRow + 'static> IndexedTable<T> {
    /// Writes a row like [`TypedTable::put`], together with its index entries.
    ///
    /// See the [module](crate::index) for an example.
    ///
    /// # Errors
    /// The errors in the [module](crate::index).
    pub async fn put(&self, row: &T) -> Result<()> {
        let raw = &self.state.raw;
        let put = row.to_put(WriteOptions::new()).map_err(|e| e.on_table(raw.name()))?;
        let key = Bytes::copy_from_slice(put.row());
        let kind = ChangeKind::Write(RowMutations::new(&key).add(put));
        let change = Change { operation_name: "put", row: key, kind, version: row.version() };
        self.state.table.call_hooks_without_writes(&RowChange::Put(row)).await?;
        self.state.change(change).await
    }

    /// Writes many rows concurrently, and returns the result of each, in the order of the rows.
    ///
    /// See [`rebuild`](IndexedTable::rebuild) for an example.
    pub async fn put_all<'a>(&self, rows: impl IntoIterator<Item = &'a T>) -> BatchResults<()>
    where
        T: 'a,
    {
        BatchResults::new(run_concurrently(rows.into_iter().map(|row| self.put(row))).await)
    }

    /// Changes some cells of a row in one step like [`TypedTable::update`], together with the index
    /// entries of the row.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, Update, index::{self, Index, IndexedTable}};
    /// # #[derive(RowKey)] struct Id { id: u64 }
    /// # #[derive(RowKey)] struct ByState { state: u8, id: u64 }
    /// # #[derive(Table)] #[table(name = "jobs")] #[family("d")]
    /// # struct Job { #[key] id: Id, #[cell("d:s")] state: u8, #[cell("d:n")] name: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Job>().await?;
    /// # client.admin().create_table(&index::table_descriptor("jobs_by_state")?).await?;
    /// # let table = client.raw_table("jobs_by_state")?;
    /// let by_state =
    ///     Index::new("state", table, |job: &Job| [ByState { state: job.state, id: job.id.id }]);
    /// let jobs = IndexedTable::builder(client.table::<Job>()).index(&by_state).build()?;
    /// jobs.put(&Job { id: Id { id: 7 }, state: 0, name: "load".into() }).await?;
    /// jobs.update(&Id { id: 7 }, Update::new().set(Job::STATE, 1)).await?;
    /// let mut running = jobs.scan_by(&by_state, ByState::scan().state(1)).rows();
    /// assert_eq!(running.next_row().await?.unwrap().name, "load");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors in the [module](crate::index); and [`Decode`](crate::ErrorKind::Decode) if the
    /// type could not read the updated row, so that the row would have no index keys.
    pub async fn update(&self, key: &T::Key, update: Update<T>) -> Result<()> {
        let row = self.row("update", key)?;
        let changes = update.to_mutations(&row, WriteOptions::new());
        let changes = changes
            .map_err(|e| e.with_operation_if_unset("update").on_table(self.state.raw.name()))?;
        self.state.table.call_hooks_without_writes(&RowChange::Update(key, &update)).await?;
        let kind = ChangeKind::Write(changes);
        self.state.change(Change { operation_name: "update", row, kind, version: None }).await
    }

    /// Deletes all cells of a row, together with its index entries.
    ///
    /// See the [module](crate::index) for an example.
    ///
    /// # Errors
    /// The errors in the [module](crate::index).
    pub async fn delete(&self, key: &T::Key) -> Result<()> {
        let row = self.row("delete", key)?;
        self.state.table.call_hooks_without_writes(&RowChange::Delete(key)).await?;
        self.state
            .change(Change {
                operation_name: "delete",
                row,
                kind: ChangeKind::Delete,
                version: None,
            })
            .await
    }

    fn row(&self, operation_name: &'static str, key: &T::Key) -> Result<Bytes> {
        let row = self.state.table.encode_row_key(operation_name, key)?;
        Ok(Bytes::copy_from_slice(row.as_ref()))
    }
}

impl<T: Table> Clone for IndexedTable<T> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone() }
    }
}

impl<T: Table> fmt::Debug for IndexedTable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.state.indexes.iter().map(|index| &index.name);
        write!(f, "IndexedTable({}, ", self.state.raw.name())?;
        f.debug_list().entries(names).finish()?;
        f.write_str(")")
    }
}

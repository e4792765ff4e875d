//! The builder of an `IndexedTable`: its indexes, its summaries, and the column of its markers.

use std::sync::Arc;

use bytes::Bytes;

use super::covered::Covered;
use super::definition::{Definition, Index};
use super::handle::IndexedTable;
use super::state::State;
use super::summary::{Summary, SummaryDefinition};
use crate::model::show;
use crate::table::{Table, TypedTable};
use crate::{DeliveryGuarantee, Error, Result};

/// The indexes and settings of an [`IndexedTable`].
///
/// See the [module](crate::index) for an example.
#[must_use = "nothing is built until `build` is called"]
pub struct IndexedTableBuilder<T: Table> {
    table: TypedTable<T>,
    indexes: Vec<Definition<T>>,
    summaries: Vec<SummaryDefinition<T>>,
    marker: Option<(String, Vec<u8>)>,
}

impl<T: Table> IndexedTable<T> {
    /// Returns a builder for a table whose rows are changed together with their index entries.
    ///
    /// See the [module](crate::index) for an example.
    pub fn builder(table: TypedTable<T>) -> IndexedTableBuilder<T> {
        IndexedTableBuilder { table, indexes: Vec::new(), summaries: Vec::new(), marker: None }
    }
}

impl<T: Table> IndexedTableBuilder<T> {
    /// Adds an index. All programs that write to the table must use the same indexes.
    ///
    /// See the [module](crate::index) for an example.
    pub fn index<K, C>(mut self, index: &Index<T, K, C>) -> Self {
        self.indexes.push(index.definition.clone());
        self
    }

    /// Adds a summary. All programs that write to the table must use the same summaries.
    ///
    /// See [`Summary`] for an example.
    pub fn summary<S>(mut self, summary: &Summary<T, S>) -> Self {
        self.summaries.push(summary.definition.clone());
        self
    }

    /// Sets the column that contains the marker of each row; by default `_index` in the first
    /// family of the type.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, index::IndexedTable};
    /// # #[derive(RowKey)] struct Id { id: u64 }
    /// # #[derive(Table)] #[table(name = "t")] #[family("d")] #[family("m")]
    /// # struct Item { #[key] id: Id, #[cell("d:v")] value: String, #[cell("m:n")] note: Option<String> }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// let items = IndexedTable::builder(client.table::<Item>()).marker_column("m", "x").build()?;
    /// # let _ = items;
    /// # Ok(())
    /// # }
    /// ```
    pub fn marker_column(mut self, family: &str, qualifier: impl AsRef<[u8]>) -> Self {
        self.marker = Some((family.into(), qualifier.as_ref().into()));
        self
    }

    /// Builds the table. Nothing is sent before it is used.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an index name that is not 1 to
    /// 255 bytes long, two indexes with the same name or table, a marker in a family that the type
    /// does not have or in a column that the type reads, or a table handle with a time range, a
    /// timestamp or a time to live.
    pub fn build(self) -> Result<IndexedTable<T>> {
        let raw = self.table.raw()?.clone();
        let state =
            self.state().map_err(|e| e.with_operation("build indexed table").on_table(raw.name()));
        Ok(IndexedTable { state: Arc::new(state?) })
    }

    fn state(self) -> Result<State<T>> {
        let Self { table, indexes, summaries, marker } = self;
        for (number, index) in indexes.iter().enumerate() {
            let name = &index.name;
            if !(1..=usize::from(u8::MAX)).contains(&name.len()) {
                return Err(Error::invalid("the name of an index has 1 to 255 bytes"));
            }
            let same = |other: &Definition<T>| {
                other.name == *name || other.table.name() == index.table.name()
            };
            if indexes.iter().skip(number + 1).any(same) {
                let text = format!("two indexes have the name or the table of the index {name:?}");
                return Err(Error::invalid(text));
            }
        }
        let mut columns = (**table.columns()).clone();
        if columns.time_range.is_some() || table.has_timestamp_or_ttl() {
            let text =
                "changes of indexed rows have no time or time to live: use the table without";
            return Err(Error::invalid(text));
        }
        let families = T::families();
        let family = |marker: &Option<(String, Vec<u8>)>| match marker {
            Some((family, _)) => families.iter().find(|known| known.name() == family),
            None => families.first(),
        };
        let Some(family) = family(&marker) else {
            return Err(Error::invalid("the family of the marker is not one of the type"));
        };
        let family = Bytes::copy_from_slice(family.name().as_bytes());
        let qualifier = marker.map_or_else(|| b"_index".to_vec(), |(_, qualifier)| qualifier);
        if Covered::of::<T>().contains(&family, &qualifier) {
            let column = show::column(&family, &qualifier);
            let text = format!(
                "the marker {column} is a cell of the type: choose another column with `marker_column`"
            );
            return Err(Error::invalid(text));
        }
        columns.versions = 1;
        columns.select_column(&family, &qualifier);
        // With this delivery guarantee, the server also sets the timestamp of the put that fences a
        // row.
        let raw = table.raw()?.clone().with_delivery(DeliveryGuarantee::AtMostOnce);
        let qualifier = qualifier.into();
        Ok(State { table, raw, columns, family, qualifier, indexes, summaries })
    }
}

impl<T: Table> std::fmt::Debug for IndexedTableBuilder<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let indexes = self.indexes.iter().map(|index| &index.name);
        write!(f, "{:?} with ", self.table)?;
        f.debug_list().entries(indexes).finish()
    }
}

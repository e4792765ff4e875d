//! A list of bounded length in one cell of each row, to which items are added by appends.
//!
//! # Invariants
//!
//! - An item is added once, and removing the oldest items never removes an item that another writer
//!   adds. Tests: `tests/suites/faults/lists.rs::an_item_is_added_once_when_replies_are_lost`,
//!   `tests/suites/client/lists.rs::concurrent_writers_of_a_packed_list_lose_nothing`.

use std::fmt;

use crate::model::value::{DecodeCell, EncodeCell, Packed, PackedItems};
use crate::table::column::{Column, decode_value};
use crate::table::{TypedTable, Update, WriteRow};
use crate::{Get, Result};

/// A list of bounded length in one cell of each row. It contains the newest items, in the order in
/// which they were added.
///
/// An item is added by an append, which is applied once, even if it is sent several times, and
/// never waits for other writers. When a cell exceeds the maximum number of items by more than a
/// quarter, the writer removes the oldest items. If another writer has added an item in the
/// meantime, that other writer removes the oldest items instead. In any case, readers get at most
/// the maximum number of items.
///
/// # Cost
/// Adding items takes one call. The server writes the whole cell again and returns it, so an item
/// that is added to a list of 100 items of 20 bytes causes a write of 2 kB and a reply of 2 kB.
/// When the list exceeds its maximum by more than a quarter, one more call removes the oldest
/// items: with a maximum of 20, when the list has 26 items, so every sixth [`push`](Self::push)
/// needs a second call. A read is one get of the whole list.
///
/// ```
/// use tallrow::list::PackedList;
/// use tallrow::{Client, RowKey, Table, value::Packed};
///
/// #[derive(RowKey)]
/// struct UserKey { user: u32 }
///
/// #[derive(Table)]
/// #[table(name = "users")]
/// #[family("u")]
/// struct User {
///     #[key]
///     user: UserKey,
///     #[cell("u:r", codec = Packed)]
///     recent: Vec<String>,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create::<User>().await?;
/// let recent = PackedList::new(client.table::<User>(), User::RECENT, 3);
///
/// let user = UserKey { user: 7 };
/// for page in ["/", "/news", "/shop", "/cart"] {
///     recent.push(&user, page.to_string()).await?;
/// }
/// assert_eq!(recent.get(&user).await?, ["/news", "/shop", "/cart"]);
/// assert!(recent.get(&UserKey { user: 8 }).await?.is_empty());
/// # Ok(())
/// # }
/// ```
pub struct PackedList<T: WriteRow, V, C> {
    table: TypedTable<T>,
    column: Column<T, Vec<V>, Packed<C>>,
    max_items: usize,
}

impl<T: WriteRow, V, C: EncodeCell<V> + DecodeCell<V>> PackedList<T, V, C> {
    /// Returns a handle for the lists in this column, each of which has at most `max_items` items.
    /// A `max_items` of 0 is treated as 1.
    pub fn new(
        table: TypedTable<T>,
        column: Column<T, Vec<V>, Packed<C>>,
        max_items: usize,
    ) -> Self {
        Self { table, column, max_items: max_items.max(1) }
    }

    /// Adds an item to the list of a row. The list is created if there is none.
    ///
    /// See [`PackedList`] for an example.
    ///
    /// # Errors
    /// The errors of [`TypedTable::append`].
    pub async fn push(&self, key: &T::Key, item: V) -> Result<()> {
        self.extend(key, vec![item]).await
    }

    /// Adds items to the list of a row, in one step.
    ///
    /// ```
    /// # use tallrow::list::PackedList;
    /// # use tallrow::{Client, RowKey, Table, value::Packed};
    /// # #[derive(RowKey)] struct Id { id: u32 }
    /// # #[derive(Table)] #[table(name = "users")] #[family("u")]
    /// # struct User { #[key] id: Id, #[cell("u:r", codec = Packed)] recent: Vec<i32> }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<User>().await?;
    /// # let recent = PackedList::new(client.table::<User>(), User::RECENT, 10);
    /// recent.extend(&Id { id: 7 }, vec![1, 2, 3]).await?;
    /// assert_eq!(recent.get(&Id { id: 7 }).await?, [1, 2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`TypedTable::append`].
    pub async fn extend(&self, key: &T::Key, items: Vec<V>) -> Result<()> {
        let update = Update::new().append(self.column, items);
        let updated = self.table.update_with_name("append", key, update).await?;
        // The stored list is not known after a lost reply; the next writer removes the oldest
        // items.
        let Some(stored) = updated.bytes(self.column) else { return Ok(()) };
        let len = updated.get(self.column)?.map_or(0, |items| items.len());
        if len > self.max_items.saturating_add(self.max_items.div_ceil(4)) {
            // The items are kept as they are stored: a codec may encode the same item as other
            // bytes.
            let mut items = PackedItems::of(stored);
            items.by_ref().take(len - self.max_items).for_each(drop);
            // The new items are stored. If the oldest cannot be removed, they stay until another
            // item is added.
            let _ = self.table.replace_cell(key, self.column, stored, items.rest()).await;
        }
        Ok(())
    }

    /// Returns the items in the list of a row, the oldest first; an empty `Vec` if there is no
    /// list.
    ///
    /// See [`PackedList`] for an example.
    ///
    /// # Errors
    /// The errors of [`TypedTable::get`].
    pub async fn get(&self, key: &T::Key) -> Result<Vec<V>> {
        let raw = self.table.raw()?;
        let get = Get::new(self.table.encode_row_key("get list", key)?);
        let row = raw.get(get.column(self.column.family(), self.column.qualifier())).await?;
        let Some(row) = row else { return Ok(Vec::new()) };
        let mut items = decode_value(&row, &self.column).map_err(|e| e.on_table(raw.name()))?;
        items.drain(..items.len().saturating_sub(self.max_items));
        Ok(items)
    }
}

impl<T: WriteRow, V, C> fmt::Debug for PackedList<T, V, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, column, max_items } = self;
        write!(f, "PackedList({table:?}, {column:?}, at most {max_items} items)")
    }
}

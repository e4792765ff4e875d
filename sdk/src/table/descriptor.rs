//! The descriptor of the table of a row type: its families, its split keys, and the layout of its
//! row keys.

use super::Table;
use crate::Result;
use crate::key::schema::Schema;
use crate::model::descriptor::{KeyLayout, TableDescriptor, bucket_splits};

impl TableDescriptor {
    /// Returns the descriptor of the table of a row type. It contains the families, and the layout
    /// of the row keys in the table attributes `TALLROW.KEY.SCHEMA` and `TALLROW.KEY.FINGERPRINT`.
    /// If the row key is salted, it also contains split keys that give each bucket a region of its
    /// own, for each layout of the key with at most 256 buckets.
    ///
    /// See [`Table`] for an example.
    ///
    /// # Errors
    /// An illegal table name in a hand-written implementation of [`Table`].
    pub fn of<T: Table>() -> Result<Self> {
        let layout = KeyLayout::of::<T::Key>();
        // A hand-written key may have no valid schema.
        let layouts = Schema::parse_layouts(layout.schema()).unwrap_or_default();
        let table = layout.record_in(Self::new(T::TABLE)?.splits(bucket_splits(&layouts)));
        Ok(T::families().into_iter().fold(table, Self::family))
    }
}

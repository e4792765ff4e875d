//! The descriptor of the table of a row type: its families, its split keys, and the layout of its
//! row keys.

use super::Table;
use crate::Result;
use crate::key::schema::Schema;
use crate::model::descriptor::{KeyLayout, TableDescriptor, bucket_splits};

impl TableDescriptor {
    /// The table of a row type: its families; one region for each bucket of a salted row key, up to
    /// 256, in each of its layouts; and the layout of its row keys, which the table keeps as the
    /// attributes `TALLROW.KEY.SCHEMA` and `TALLROW.KEY.FINGERPRINT`.
    ///
    /// See [`Table`] for an example.
    ///
    /// # Errors
    /// An illegal name in a hand-written [`Table`].
    pub fn of<T: Table>() -> Result<Self> {
        let layout = KeyLayout::of::<T::Key>();
        // A hand-written key may have no valid schema.
        let layouts = Schema::layouts(layout.schema()).unwrap_or_default();
        let table = layout.record_in(Self::new(T::TABLE)?.splits(bucket_splits(&layouts)));
        Ok(T::families().into_iter().fold(table, Self::family))
    }
}

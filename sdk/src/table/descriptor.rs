use super::Table;
use crate::Result;
use crate::descriptor::{KeyLayout, TableDescriptor, bucket_splits};

impl TableDescriptor {
    /// The table of a row type: the families its definition names; a region for each bucket of a salted row key, up to
    /// 256, and those of each of its layouts if it has several; the layout of the row keys, which a created table then holds as attributes `TALLROW.KEY.SCHEMA` and
    /// `TALLROW.KEY.FINGERPRINT`.
    ///
    /// See [`Table`] for an example.
    ///
    /// # Errors
    /// An illegal name in a hand-written [`Table`].
    pub fn of<T: Table>() -> Result<Self> {
        let table = Self::new(T::TABLE)?.splits(bucket_splits::<T::Key>());
        let layout = KeyLayout::of::<T::Key>();
        let record = |table: Self, (key, value)| table.attribute(key, value);
        let table = layout.attributes().into_iter().fold(table, record);
        Ok(T::families().into_iter().fold(table, Self::family))
    }
}

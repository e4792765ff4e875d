//! Where the regions of a new table meet, by the layout of its row keys.

use super::key_layout::KeyLayout;
use super::table::TableDescriptor;
use crate::key::RowKey;
use crate::key::schema::{KeyPrefix, Schema};
use crate::{Error, Result};

impl TableDescriptor {
    /// This many regions, which share the row keys evenly as far as their layout tells: whole buckets, or parts of
    /// a hash prefix. Of several layouts of a key, each has as many if they can be shared so.
    ///
    /// ```
    /// use tallrow::{RowKey, Table, TableDescriptor};
    ///
    /// #[derive(RowKey)]
    /// #[row_key(hash_prefix(md5, hex = 5, fields = (user)))]
    /// struct UserKey {
    ///     #[key(escaped)]
    ///     user: String,
    ///     at: u64,
    /// }
    ///
    /// #[derive(Table)]
    /// #[table(name = "users")]
    /// #[family("d")]
    /// struct User {
    ///     #[key]
    ///     key: UserKey,
    ///     #[cell("d:n")]
    ///     name: String,
    /// }
    ///
    /// let users = TableDescriptor::of::<User>()?.regions(4)?;
    /// assert_eq!(users.split_keys(), ["40000", "80000", "c0000"]);
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    ///
    /// # Errors
    /// A table that is not made from a row type; row keys whose first bytes are unhashed values of unknown distribution, or that cannot be
    /// shared evenly by this many regions.
    pub fn regions(self, regions: usize) -> Result<Self> {
        let keys = split_keys(&self, regions)?;
        Ok(self.splits(keys))
    }
}

/// With more buckets than this, they are not a region each by default.
const MOST_REGIONS: u32 = 256;

/// Where the regions of a new table meet by default: one for each bucket of the row key, in each of its
/// layouts.
pub(crate) fn bucket_splits<K: RowKey>() -> Vec<Vec<u8>> {
    // A key written by hand need not have a schema that says what it is.
    let layouts = Schema::layouts(K::SCHEMA).unwrap_or_default();
    let splits = layouts.iter().filter_map(|schema| match *schema.key_prefix() {
        KeyPrefix::Salt { buckets, .. } | KeyPrefix::RandomSalt { buckets, .. }
            if buckets <= MOST_REGIONS =>
        {
            schema.split_keys(buckets as usize).ok()
        }
        _ => None,
    });
    in_order(splits)
}

/// Where this many regions of a table meet, by the layout of its row keys; of several layouts, this many for each that
/// so many share evenly.
fn split_keys(table: &TableDescriptor, regions: usize) -> Result<Vec<Vec<u8>>> {
    let invalid = |why| Error::invalid(why).during("split").on_table(table.name());
    let layout = KeyLayout::recorded(table).ok_or_else(|| {
        let text = "it is not made from a row type, so nobody knows how its keys spread; name the split keys";
        invalid(text.to_owned())
    })?;
    if regions == 1 {
        return Ok(Vec::new());
    }
    let layouts = Schema::layouts(layout.schema()).map_err(|e| {
        invalid("its row key has no schema; name the split keys".into()).caused_by(e)
    })?;
    let (mut splits, mut wrong) = (Vec::new(), None);
    for layout in layouts {
        match layout.split_keys(regions) {
            Ok(keys) => splits.push(keys),
            Err(error) => wrong = Some(error),
        }
    }
    match wrong {
        Some(error) if splits.is_empty() => Err(invalid(error.to_string())),
        _ => Ok(in_order(splits)),
    }
}

/// The split keys of all layouts, each once.
fn in_order(splits: impl IntoIterator<Item = Vec<Vec<u8>>>) -> Vec<Vec<u8>> {
    let mut all: Vec<_> = splits.into_iter().flatten().collect();
    all.sort_unstable();
    all.dedup();
    all
}

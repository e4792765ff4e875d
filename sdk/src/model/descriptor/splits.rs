//! Split keys of a new table, from the layout of its row keys.

use super::key_layout::KeyLayout;
use super::table::TableDescriptor;
use crate::key::schema::{SaltOrHash, Schema};
use crate::{Error, Result};

impl TableDescriptor {
    /// Splits the new table into `regions` regions, as evenly as the layout of the row keys allows:
    /// each region gets whole buckets of a salt, or a part of the range of a hash prefix. If the
    /// row key has several layouts, each layout that can be split in this way gets `regions`
    /// regions.
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
    /// The descriptor records no layout of row keys, for example because it is not made from a row
    /// type; the row keys start with unhashed values of unknown distribution, or cannot be divided
    /// evenly into `regions` regions.
    pub fn regions(self, regions: usize) -> Result<Self> {
        let keys = split_keys(&self, regions)?;
        Ok(self.splits(keys))
    }
}

impl TableDescriptor {
    /// Records the row key layouts that the schemas in `layouts` describe. For each layout whose
    /// salt has at most 256 buckets, the new table gets one region for each bucket.
    /// [`TableDescriptor::of`](Self::of) does the same for a row type with these keys.
    ///
    /// ```
    /// use tallrow::{RowKey, Table, TableDescriptor, key::schema::Schema};
    ///
    /// #[derive(RowKey)]
    /// #[row_key(salt(buckets = 4))]
    /// struct UserKey {
    ///     user: u64,
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
    /// let schemas = Schema::parse_layouts(UserKey::SCHEMA)?;
    /// let users = TableDescriptor::new("users")?.with_key_schemas(&schemas);
    /// let typed = TableDescriptor::of::<User>()?;
    /// assert_eq!(users.split_keys(), typed.split_keys());
    /// assert_eq!(users.get("TALLROW.KEY.SCHEMA"), typed.get("TALLROW.KEY.SCHEMA"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_key_schemas(self, layouts: &[Schema]) -> Self {
        KeyLayout::of_schemas(layouts).record_in(self.splits(bucket_splits(layouts)))
    }
}

/// A salt with more buckets than this is not split into a region for each bucket by default.
const MAX_REGIONS: u32 = 256;

/// Returns the default split keys of a new table, which make a region for each bucket of the salt
/// in each layout of its row keys.
pub(crate) fn bucket_splits(layouts: &[Schema]) -> Vec<Vec<u8>> {
    let splits = layouts.iter().filter_map(|schema| match *schema.salt_or_hash() {
        SaltOrHash::Salt { buckets, .. } | SaltOrHash::RandomSalt { buckets, .. }
            if buckets <= MAX_REGIONS =>
        {
            schema.split_keys(buckets as usize).ok()
        }
        _ => None,
    });
    in_order(splits)
}

/// Returns the split keys for `regions` regions, from the layout of the row keys. If there are
/// several layouts, each layout that can be divided evenly into `regions` regions is split.
fn split_keys(table: &TableDescriptor, regions: usize) -> Result<Vec<Vec<u8>>> {
    let invalid = |why| Error::invalid(why).with_operation_if_unset("split").on_table(table.name());
    let layout = KeyLayout::of_table(table).ok_or_else(|| {
        let text = "it is not made from a row type, so the distribution of its keys is unknown; name the split keys";
        invalid(text.to_owned())
    })?;
    if regions == 1 {
        return Ok(Vec::new());
    }
    let layouts = Schema::parse_layouts(layout.schema()).map_err(|e| {
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

/// Returns the split keys of all layouts, sorted and without duplicates.
fn in_order(splits: impl IntoIterator<Item = Vec<Vec<u8>>>) -> Vec<Vec<u8>> {
    let mut all: Vec<_> = splits.into_iter().flatten().collect();
    all.sort_unstable();
    all.dedup();
    all
}

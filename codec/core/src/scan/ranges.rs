//! The rows that a scan reads: one range of rows, or one range for each bucket of a salted table.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;

use super::range::RowRange;
use crate::error::EncodeError;
use crate::key::{DerivedKey, RowKey};
use crate::key_prefix::SaltOrHash;

/// Ranges of rows of one key type: the argument of a table scan.
///
/// Implemented by the builder that `MyKey::scan()` returns, in each of its states, and by the value
/// that the builder returns after a field was given a range. The number of ranges is part of the
/// type.
///
/// ```
/// use tallrow_codec::{RowKey, RowRanges};
///
/// #[derive(RowKey)]
/// #[row_key(salt(buckets = 4, fields = (user)))]
/// struct Event {
///     user: u32,
///     at: u64,
/// }
///
/// let all: [_; 4] = Event::scan().row_ranges()?;
/// let one: [_; 1] = Event::scan().user(7).at(..100).row_ranges()?;
/// assert!(one[0].contains(&Event { user: 7, at: 99 }.encode()));
/// assert_eq!(all.iter().filter(|r| r.contains(one[0].start())).count(), 1);
/// # Ok::<(), tallrow_codec::EncodeError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a range of rows",
    label = "not a scan",
    note = "a scan starts with `scan()` of the key's type and fixes fields in order, as in `Key::scan().user(7)`; one row is \
            read by `get`",
    note = "with a hash prefix, it has to fix every hashed field before it is a range of rows"
)]
pub trait RowRanges {
    /// The key type of the rows.
    type Key: RowKey;
    /// How many leading bytes to skip when the ranges are merged in key order: the width of the
    /// salt, or 0 for one range.
    const SALT_LEN: usize = 0;
    /// An array of the ranges that the scan reads.
    type Iter: IntoIterator<Item = RowRange>;

    /// Returns the ranges that the scan reads.
    ///
    /// # Errors
    /// When a value given to the builder does not fit the encoding of its field.
    fn row_ranges(self) -> Result<Self::Iter, EncodeError>;
}

/// The rows that a range of values of one field selects: one range of rows, or one for each bucket
/// of the salt.
pub struct KeyRanges<K, const RANGES: usize> {
    ranges: Result<[RowRange; RANGES], EncodeError>,
    key: PhantomData<fn() -> K>,
}

impl<K, const RANGES: usize> KeyRanges<K, RANGES> {
    pub(super) fn new(ranges: Result<[RowRange; RANGES], EncodeError>) -> Self {
        Self { ranges, key: PhantomData }
    }
}

#[diagnostic::do_not_recommend]
impl<K: DerivedKey, const RANGES: usize> RowRanges for KeyRanges<K, RANGES> {
    type Key = K::Key;
    const SALT_LEN: usize = if RANGES > 1 { <K::SaltOrHash as SaltOrHash>::LEN } else { 0 };
    type Iter = [RowRange; RANGES];

    fn row_ranges(self) -> Result<[RowRange; RANGES], EncodeError> {
        self.ranges
    }
}

/// Lets the compiler find the method of a field after a range, and report that the field follows a
/// range.
#[doc(hidden)]
impl<K: DerivedKey, const RANGES: usize> Deref for KeyRanges<K, RANGES> {
    type Target = K::FieldOrder;

    fn deref(&self) -> &K::FieldOrder {
        K::FIELD_ORDER
    }
}

impl<K, const RANGES: usize> Clone for KeyRanges<K, RANGES> {
    fn clone(&self) -> Self {
        Self { ranges: self.ranges.clone(), key: PhantomData }
    }
}

impl<K, const RANGES: usize> fmt::Debug for KeyRanges<K, RANGES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KeyRanges").field(&self.ranges).finish()
    }
}

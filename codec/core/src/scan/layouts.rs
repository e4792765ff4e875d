//! Successive layouts of the row keys of one table, which can be distinguished by the bytes or the
//! length of a row.
//!
//! # Invariants
//!
//! - A row belongs to at most one layout of its table: the first bytes that its rows can have, and
//!   their lengths, are compared while the enum compiles. Tests:
//!   `codec/tests/properties/layouts.rs::a_scan_of_a_layout_contains_no_row_of_another`,
//!   `codec/tests/properties/layouts.rs::lengths_distinguish_layouts`,
//!   `tests/suites/ui/row_key/record/layouts.rs`.

use core::marker::PhantomData;

use super::{RowRange, RowRanges};
use crate::error::EncodeError;
use crate::key::{DecodeRandomSalted, DecodeRowKey, DerivedKey, RandomSalted, RowKey};
use crate::key_prefix::SaltOrHash;
use crate::row::RowKeyStorage;

/// A key that can be one of the layouts of an enum with `#[row_key(layouts)]`: every derived key
/// that can be decoded.
///
/// Rows of two layouts are distinguished by their key prefixes (salts with different buckets, or
/// the digits of a hash), or by their lengths if both lengths are fixed.
///
/// ```
/// use tallrow_codec::{RowKey, RowRanges};
///
/// #[derive(RowKey, Debug, PartialEq)]
/// #[row_key(salt(buckets = 4))]
/// struct EventV1 {
///     user: u32,
///     at: u64,
/// }
///
/// /// One bucket for each user, after those of the first layout.
/// #[derive(RowKey, Debug, PartialEq)]
/// #[row_key(salt(buckets = 16, bucket_offset = 4, fields = (user)), layout = 2)]
/// struct EventV2 {
///     user: u32,
///     #[key(rev_ts)]
///     at: i64,
/// }
///
/// #[derive(RowKey, Debug, PartialEq)]
/// #[row_key(layouts)]
/// enum Event {
///     V1(EventV1),
///     V2(EventV2),
/// }
///
/// let old = EventV1 { user: 7, at: 1 };
/// assert_eq!(Event::decode(&old.encode())?, Event::V1(old));
/// let new = EventV2 { user: 7, at: 1 };
/// let [range] = Event::v2_rows(EventV2::scan().user(7)).row_ranges()?;
/// assert!(range.contains(&new.encode()));
/// assert_eq!(Event::decode(&new.encode())?, Event::V2(new));
///
/// // The rows of both.
/// let [all] = Event::scan().row_ranges()?;
/// assert!(all.contains(&EventV1 { user: 7, at: 1 }.encode()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a layout of a row key",
    label = "not a row key that can be decoded",
    note = "a layout is a type with #[derive(RowKey)] and without hashed or borrowed fields; one with a \
            random salt is `RandomSalted<{Self}>`"
)]
pub trait Layout: DecodeRowKey {
    /// The least and the greatest value of the first eight bytes of the rows of this layout, read
    /// as a big-endian number.
    #[doc(hidden)]
    const FIRST_BYTES: (u64, u64);
    /// The length of the rows of this layout, if it is fixed.
    #[doc(hidden)]
    const LEN: Option<usize>;
}

impl<K: DecodeRowKey + DerivedKey> Layout for K {
    const FIRST_BYTES: (u64, u64) = <K::SaltOrHash as SaltOrHash>::FIRST_BYTES_RANGE;
    const LEN: Option<usize> = <K::Row as RowKeyStorage>::LEN;
}

#[diagnostic::do_not_recommend]
impl<K: DecodeRandomSalted + DerivedKey> Layout for RandomSalted<K> {
    const FIRST_BYTES: (u64, u64) = <K::SaltOrHash as SaltOrHash>::FIRST_BYTES_RANGE;
    const LEN: Option<usize> = <K::Row as RowKeyStorage>::LEN;
}

/// Stops the build when a row could have either layout.
#[doc(hidden)]
pub const fn assert_disjoint<A: Layout, B: Layout>() {
    let fronts = A::FIRST_BYTES.1 < B::FIRST_BYTES.0 || B::FIRST_BYTES.1 < A::FIRST_BYTES.0;
    let lengths = match (A::LEN, B::LEN) {
        (Some(a), Some(b)) => a != b,
        _ => false,
    };
    assert!(
        fronts || lengths,
        "rows of this layout and of an earlier one could not be distinguished; use other buckets, as in \
         `salt(buckets = 16, bucket_offset = 16)` after 16 buckets, or another fixed length"
    );
}

/// Returns whether a row can have the layout `V`. The row then has no other layout of its table,
/// because [`assert_disjoint`] has compared the layouts.
#[doc(hidden)]
pub fn has_layout<V: Layout>(row: &[u8]) -> bool {
    let mut first = [0; 8];
    first.iter_mut().zip(row).for_each(|(to, from)| *to = *from);
    let first = u64::from_be_bytes(first);
    let (least, greatest) = V::FIRST_BYTES;
    (least..=greatest).contains(&first) && V::LEN.is_none_or(|len| len == row.len())
}

/// Ranges of the rows of one layout, with the enum `K` of all layouts as the key type. See
/// [`Layout`] for an example.
#[derive(Clone, Copy, Debug)]
pub struct LayoutRows<K, R> {
    ranges: R,
    key: PhantomData<fn() -> K>,
}

impl<K, R> LayoutRows<K, R> {
    /// Returns the rows of a layout that are in `ranges`.
    #[doc(hidden)]
    pub const fn new(ranges: R) -> Self {
        Self { ranges, key: PhantomData }
    }
}

#[diagnostic::do_not_recommend]
impl<K: RowKey, R: RowRanges> RowRanges for LayoutRows<K, R> {
    type Key = K;
    const SALT_LEN: usize = R::SALT_LEN;
    type Iter = R::Iter;

    fn row_ranges(self) -> Result<R::Iter, EncodeError> {
        self.ranges.row_ranges()
    }
}

/// All rows of a table whose key is the enum `K` of its layouts: one range, the whole table, in the
/// order of the bytes. `K::scan()` returns an `AllLayouts`. For the rows of one layout, in the
/// order of that layout's own key, see [`LayoutRows`].
///
/// ```
/// use tallrow_codec::{RowKey, RowRange, RowRanges};
///
/// #[derive(RowKey)]
/// struct Old {
///     user: u16,
/// }
///
/// #[derive(RowKey)]
/// struct New {
///     user: u32,
/// }
///
/// #[derive(RowKey)]
/// #[row_key(layouts)]
/// enum User {
///     Old(Old),
///     New(New),
/// }
///
/// assert_eq!(User::scan().row_ranges()?, [RowRange::all()]);
/// # Ok::<(), tallrow_codec::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "a scan reads nothing until a table scans it"]
pub struct AllLayouts<K> {
    key: PhantomData<fn() -> K>,
}

impl<K> AllLayouts<K> {
    #[doc(hidden)]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self { key: PhantomData }
    }
}

#[diagnostic::do_not_recommend]
impl<K: RowKey> RowRanges for AllLayouts<K> {
    type Key = K;
    // Different layouts have no common order except the order of their bytes.
    const SALT_LEN: usize = 0;
    type Iter = [RowRange; 1];

    fn row_ranges(self) -> Result<[RowRange; 1], EncodeError> {
        Ok([RowRange::all()])
    }
}

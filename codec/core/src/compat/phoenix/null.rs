//! Columns that may be null.

use crate::compat::null::{NothingLast, NullByte};

/// A `VARCHAR` or `DECIMAL` that may be null and is not the last column: 00 for none, in either direction.
///
/// `F` writes no value that starts with 00, and none that is empty.
///
/// ```
/// use tallrow_codec::compat::phoenix::{NonEmpty, Nullable};
/// use tallrow_codec::{Desc, Terminated, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <Nullable<Desc<NonEmpty<Terminated<0>>>> as Encoding<Option<String>>>::encode(&None, &mut row)?;
/// <Nullable<Desc<NonEmpty<Terminated<0>>>> as Encoding<Option<String>>>::encode(&Some("a".into()), &mut row)?;
/// assert_eq!(row.as_slice(), [0, !b'a', 0xff]);
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
pub type Nullable<F> = NullByte<F, 0>;

/// A last column that may be null: no bytes at all for none.
///
/// ```
/// use tallrow_codec::compat::phoenix::{Column, NonEmpty, NullableLast};
/// use tallrow_codec::{Encoding, Native, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <NullableLast<NonEmpty<Native>> as Encoding<Option<String>>>::encode(&None, &mut row)?;
/// assert_eq!(row.as_slice(), b"");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
pub type NullableLast<F> = NothingLast<F, 256>;

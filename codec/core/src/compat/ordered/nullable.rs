//! `encodeNull`, and nulls at the end of a `Struct`.

use crate::compat::null::{NothingLast, NullByte};

const NULL: u8 = 0x05;

/// An `Option` whose value has an encoding of [`ordered`](super): 05 for none, which sorts first.
///
/// ```
/// use tallrow_codec::{compat::ordered::{Nullable, Ordered}, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <Nullable<Ordered> as Encoding<Option<String>>>::encode(&None, &mut row)?;
/// assert_eq!(row.as_slice(), [5]);
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
pub type Nullable<F> = NullByte<F, NULL>;

/// An `Option` in the last field of a `Struct`, which writes nothing at all for none.
///
/// A row without the value is a prefix of the rows with one, so no field may follow and there is no
/// descending variant.
///
/// ```
/// use tallrow_codec::{compat::ordered::{NullableLast, Ordered}, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <NullableLast<Ordered> as Encoding<Option<String>>>::encode(&None, &mut row)?;
/// assert_eq!(row.as_slice(), b"");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
pub type NullableLast<F> = NothingLast<F, { NULL as u16 }>;

//! Columns that may be null.

use core::marker::PhantomData;

use crate::compat::null::NullByte;
use crate::encoding::{Decoding, Encoding, Field};
use crate::input::{Failed, Input};
use crate::order::{EncodingOrder, NaturalOrder};
use crate::sink::Sink;

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
#[derive(Clone, Copy, Debug)]
pub struct NullableLast<F>(PhantomData<F>);

impl<T: Field, F: Encoding<T::Arg>> Encoding<Option<T>> for NullableLast<F> {
    type Order = <NaturalOrder as EncodingOrder>::Then<F::Order>;
    type Error = F::Error;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = false;

    fn encode<S: Sink>(value: &Option<T>, out: &mut S) -> Result<(), F::Error> {
        value.as_ref().map_or(Ok(()), |value| F::encode(value.arg(), out))
    }
}

impl<'a, T, F: Decoding<'a, T>> Decoding<'a, Option<T>> for NullableLast<F> {
    fn decode(input: &mut Input<'a>) -> Result<Option<T>, Failed> {
        if input.remaining() == 0 { Ok(None) } else { F::decode(input).map(Some) }
    }
}

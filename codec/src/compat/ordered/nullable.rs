//! `encodeNull`, and nulls at the end of a `Struct`.

use core::marker::PhantomData;

use crate::compat::null::NullByte;
use crate::encoding::{Decoding, Encoding, Field};
use crate::error::FieldErrorKind;
use crate::input::{Failed, Input};
use crate::order::{EncodingOrder, NaturalOrder};
use crate::sink::Sink;

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
        if input.remaining() == 0 {
            return Ok(None);
        }
        if input.find(NULL) == Some(0) {
            let expected = "nothing at all for a value missing at the end";
            return Err(input.fail(FieldErrorKind::NotCanonical { expected }));
        }
        F::decode(input).map(Some)
    }
}

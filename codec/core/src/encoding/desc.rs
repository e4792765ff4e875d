//! Descending order.

use core::marker::PhantomData;

use super::{Decoding, Encoding, PrefixEncoding, ValuesWithBoundBytes};
use crate::encoding::EncodingOrder;
use crate::error::FieldError;
use crate::row::{Failed, Input, Sink};

/// The encoding `F` with every byte inverted, end mark and padding included, so that the largest
/// value sorts first; `#[key(desc)]`.
///
/// This is correct because `F` is prefix-free: two different encoded values differ in a byte that
/// both have, and inverting that byte reverses the comparison. The derive refuses `desc` on a raw
/// text.
///
/// ```
/// use tallrow_codec::{Desc, Encoding, Native, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <Desc<Native> as Encoding<u16>>::encode(&1, &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), [0xff, 0xfe]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Desc<F>(PhantomData<F>);

#[inline(always)]
pub(crate) fn invert(bytes: &mut [u8]) {
    // Whole words are inverted, because a loop over bytes compiles to a separate store for each
    // byte.
    let (words, rest) = bytes.as_chunks_mut::<8>();
    for word in words {
        *word = (!u64::from_ne_bytes(*word)).to_ne_bytes();
    }
    let (halves, rest) = rest.as_chunks_mut::<4>();
    for half in halves {
        *half = (!u32::from_ne_bytes(*half)).to_ne_bytes();
    }
    for byte in rest {
        *byte = !*byte;
    }
}

impl<A: ?Sized, F: Encoding<A>> Encoding<A> for Desc<F> {
    type Order = <F::Order as EncodingOrder>::Inverse;
    type Error = F::Error;
    const WIDTH: Option<usize> = F::WIDTH;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    #[inline(always)]
    fn encode<S: Sink>(value: &A, out: &mut S) -> Result<(), F::Error> {
        let mark = out.position();
        F::encode(value, out)?;
        invert(out.written_since(mark));
        Ok(())
    }

    #[inline]
    fn encode_bound<S: Sink>(
        bound: &A,
        out: &mut S,
    ) -> Result<Option<ValuesWithBoundBytes>, F::Error> {
        let mark = out.position();
        let at = F::encode_bound(bound, out)?;
        invert(out.written_since(mark));
        Ok(at)
    }
}

impl<A: ?Sized, F: PrefixEncoding<A>> PrefixEncoding<A> for Desc<F> {
    #[inline]
    fn encode_start<S: Sink>(start: &A, out: &mut S) -> Result<(), FieldError> {
        let mark = out.position();
        F::encode_start(start, out)?;
        invert(out.written_since(mark));
        Ok(())
    }
}

impl<'a, T, F: Decoding<'a, T>> Decoding<'a, T> for Desc<F> {
    #[inline(always)]
    fn decode(input: &mut Input<'a>) -> Result<T, Failed> {
        input.read_inverted(F::decode)
    }
}

//! The encodings of wrappers: newtypes, and enums whose variants have tags.
//!
//! Each encoding of the value inside is one of the wrapper; those that are generic over what they encode need nothing here.

use crate::compat::{bigtable, hbase, ordered, phoenix};
use crate::encoding::{
    AtBound, Decoding, Digits, Encoding, Escaped, Field, FieldWrapper, Fixed, Floor, InnerArg,
    InvertedRevTs, Native, PrefixEncoding, RawBe, RevTs, ReversedChars, ReversedDigits, Sep,
    SortedSep, Terminated, TextEncoding, decode_inner, encode_inner,
};
use crate::error::FieldError;
use crate::input::{Failed, Input};
use crate::sink::Sink;

macro_rules! wrapped {
    (@encode [$($params:tt)*] $encoding:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: FieldWrapper, $($params)*> Encoding<T> for $encoding
        where
            Self: Encoding<InnerArg<T>>,
        {
            type Order = T::Order<<Self as Encoding<InnerArg<T>>>::Order>;
            type Error = <Self as Encoding<InnerArg<T>>>::Error;
            const WIDTH: Option<usize> = <Self as Encoding<InnerArg<T>>>::WIDTH;
            const PREFIX_FREE: bool = <Self as Encoding<InnerArg<T>>>::PREFIX_FREE;

            #[inline]
            fn encode<S: Sink>(value: &T, out: &mut S) -> Result<(), Self::Error> {
                encode_inner::<Self, T, S>(value, out)
            }

            #[inline]
            fn encode_bound<S: Sink>(
                bound: &T,
                out: &mut S,
            ) -> Result<Option<AtBound>, Self::Error> {
                <Self as Encoding<InnerArg<T>>>::encode_bound(bound.inner().arg(), out)
            }
        }
    };
    (@decode [$($params:tt)*] $encoding:ty) => {
        #[diagnostic::do_not_recommend]
        impl<'a, T: FieldWrapper, $($params)*> Decoding<'a, T> for $encoding
        where
            Self: Decoding<'a, T::Inner>,
        {
            #[inline]
            fn decode(input: &mut Input<'a>) -> Result<T, Failed> {
                decode_inner::<Self, T>(input)
            }
        }
    };
    (@prefix [$($params:tt)*] $encoding:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: FieldWrapper, $($params)*> PrefixEncoding<T> for $encoding
        where
            Self: Encoding<T> + PrefixEncoding<InnerArg<T>>,
        {
            #[inline]
            fn encode_start<S: Sink>(start: &T, out: &mut S) -> Result<(), FieldError> {
                <Self as PrefixEncoding<InnerArg<T>>>::encode_start(start.inner().arg(), out)
            }
        }
    };
    (@each [$($part:ident)*] $params:tt $encoding:ty) => {
        $(wrapped! { @$part $params $encoding })*
    };
    ($parts:tt: $($params:tt $encoding:ty;)*) => {
        $(wrapped! { @each $parts $params $encoding })*
    };
}

wrapped! { [prefix]: [] Native; }

wrapped! {
    [encode decode]:
    [] RawBe;
    [] RevTs;
    [] InvertedRevTs;
    [const N: usize] Digits<N>;
    [const N: usize] ReversedDigits<N>;
    [F, const STEP: u32] Floor<F, STEP>;
    [] ordered::Numeric;
    [] phoenix::Unsigned;
    [] bigtable::Int64;
}

wrapped! {
    [encode decode prefix]:
    [] Escaped;
    [const BYTE: u8] Terminated<BYTE>;
    [const BYTE: u8] Sep<BYTE>;
    [const BYTE: u8] SortedSep<BYTE>;
    [const N: usize, const PAD: u8] Fixed<N, PAD>;
    [] hbase::Bytes;
    [] ordered::Ordered;
    [] phoenix::Column;
    [] phoenix::Separated;
    [const N: usize] phoenix::Char<N>;
    [F: TextEncoding] phoenix::NonEmpty<F>;
    [] bigtable::Text;
    [] bigtable::LastText;
}

wrapped! { [encode]: [F: TextEncoding] ReversedChars<F>; }

//! Types that are written as another type: newtypes, and enums whose variants have tags.

use alloc::borrow::{Cow, ToOwned};

use super::{
    Decoding, Digits, Encoding, Escaped, Field, Fixed, Floor, FromKeyText, HashBytes,
    InvertedRevTs, Native, RawBe, RevTs, ReversedChars, ReversedDigits, Sep, SortedSep, Terminated,
    TextBytes, TextEncoding,
};
use crate::const_schema::TypeName;
use crate::encoding::EncodingOrder;
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, Sink};

/// A type that has every encoding of its inner type. A derive implements this trait.
///
/// The derive also implements [`Field`], [`ListItem`](super::ListItem) and the
/// [`Native`](super::Native) encoding for each wrapper: one implementation of them for all wrappers
/// would overlap with the implementations for nested keys.
pub trait FieldWrapper: Sized {
    /// The inner type.
    type Inner: Field;
    /// The order class of this type in an encoding whose order class for the inner value is `O`.
    type Order<O: EncodingOrder>: EncodingOrder;
    /// The name of the type in a schema.
    const TYPE_NAME: TypeName = <Self::Inner as Field>::TYPE_NAME;

    /// Returns the inner value.
    fn inner(&self) -> &Self::Inner;

    /// Returns the value of this type that contains `inner`.
    ///
    /// # Errors
    /// When `inner` is not the tag of a variant.
    fn from_inner(inner: Self::Inner) -> Result<Self, FieldErrorKind>;
}

/// The type that encodings take in place of the inner type of `T`.
pub type InnerArg<T> = <<T as FieldWrapper>::Inner as Field>::Arg;

/// Writes the inner value of `value` in the encoding `F`.
///
/// # Errors
/// When the inner value does not fit the encoding.
#[inline(always)]
pub fn encode_inner<F, T, S>(value: &T, out: &mut S) -> Result<(), F::Error>
where
    F: Encoding<InnerArg<T>>,
    T: FieldWrapper,
    S: Sink,
{
    F::encode(value.inner().as_arg(), out)
}

/// Reads an inner value in the encoding `F`, and returns the `T` around it.
///
/// # Errors
/// When the bytes are not what a `T` encodes to.
#[inline(always)]
pub fn decode_inner<'a, F, T>(input: &mut Input<'a>) -> Result<T, Failed>
where
    F: Decoding<'a, T::Inner>,
    T: FieldWrapper,
{
    let inner = F::decode(input)?;
    T::from_inner(inner).map_err(|kind| input.fail(kind))
}

#[diagnostic::do_not_recommend]
impl<T: FieldWrapper<Inner: Field<Arg: TextBytes>>> TextBytes for T {
    #[inline]
    fn text_bytes(&self) -> &[u8] {
        self.inner().as_arg().text_bytes()
    }
}

#[diagnostic::do_not_recommend]
impl<'a, S, T> FromKeyText<'a, S> for T
where
    S: ?Sized + ToOwned + 'a,
    T: FieldWrapper<Inner: FromKeyText<'a, S>>,
{
    #[inline]
    fn from_text(text: Cow<'a, S>) -> Result<Self, FieldError> {
        Ok(T::from_inner(<T::Inner as FromKeyText<'a, S>>::from_text(text)?)?)
    }
}

#[diagnostic::do_not_recommend]
impl<T: FieldWrapper<Inner: Field<Arg: HashBytes>>> HashBytes for T {
    #[inline]
    fn hash_bytes<R>(&self, read: impl FnOnce(&[u8]) -> R) -> R {
        self.inner().as_arg().hash_bytes(read)
    }
}

/// Gives wrappers the encodings of their inner value. Encodings that are generic over the type that
/// they encode need nothing here.
macro_rules! wrapped {
    (@encode [$($params:tt)*] $encoding:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: $crate::encoding::FieldWrapper, $($params)*> $crate::encoding::Encoding<T>
            for $encoding
        where
            Self: $crate::encoding::Encoding<$crate::encoding::InnerArg<T>>,
        {
            type Order = T::Order<
                <Self as $crate::encoding::Encoding<$crate::encoding::InnerArg<T>>>::Order,
            >;
            type Error = <Self as $crate::encoding::Encoding<$crate::encoding::InnerArg<T>>>::Error;
            const WIDTH: Option<usize> =
                <Self as $crate::encoding::Encoding<$crate::encoding::InnerArg<T>>>::WIDTH;
            const PREFIX_FREE: bool =
                <Self as $crate::encoding::Encoding<$crate::encoding::InnerArg<T>>>::PREFIX_FREE;

            #[inline]
            fn encode<S: $crate::row::Sink>(value: &T, out: &mut S) -> Result<(), Self::Error> {
                $crate::encoding::encode_inner::<Self, T, S>(value, out)
            }

            #[inline]
            fn encode_bound<S: $crate::row::Sink>(
                bound: &T,
                out: &mut S,
            ) -> Result<Option<$crate::encoding::ValuesWithBoundBytes>, Self::Error> {
                let inner = $crate::encoding::Field::as_arg(bound.inner());
                <Self as $crate::encoding::Encoding<$crate::encoding::InnerArg<T>>>::encode_bound(
                    inner, out,
                )
            }
        }
    };
    (@decode [$($params:tt)*] $encoding:ty) => {
        #[diagnostic::do_not_recommend]
        impl<'a, T: $crate::encoding::FieldWrapper, $($params)*> $crate::encoding::Decoding<'a, T>
            for $encoding
        where
            Self: $crate::encoding::Decoding<'a, T::Inner>,
        {
            #[inline]
            fn decode(input: &mut $crate::row::Input<'a>) -> Result<T, $crate::row::Failed> {
                $crate::encoding::decode_inner::<Self, T>(input)
            }
        }
    };
    (@prefix [$($params:tt)*] $encoding:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: $crate::encoding::FieldWrapper, $($params)*> $crate::encoding::PrefixEncoding<T>
            for $encoding
        where
            Self: $crate::encoding::Encoding<T>
                + $crate::encoding::PrefixEncoding<$crate::encoding::InnerArg<T>>,
        {
            #[inline]
            fn encode_start<S: $crate::row::Sink>(
                start: &T,
                out: &mut S,
            ) -> Result<(), $crate::error::FieldError> {
                let inner = $crate::encoding::Field::as_arg(start.inner());
                <Self as $crate::encoding::PrefixEncoding<$crate::encoding::InnerArg<T>>>::encode_start(
                    inner, out,
                )
            }
        }
    };
    (@each [$($part:ident)*] $params:tt $encoding:ty) => {
        $($crate::encoding::wrapped! { @$part $params $encoding })*
    };
    ($parts:tt: $($params:tt $encoding:ty;)*) => {
        $($crate::encoding::wrapped! { @each $parts $params $encoding })*
    };
}
pub(crate) use wrapped;

wrapped! { [prefix]: [] Native; }

wrapped! {
    [encode decode]:
    [] RawBe;
    [] RevTs;
    [] InvertedRevTs;
    [const N: usize] Digits<N>;
    [const N: usize] ReversedDigits<N>;
    [F, const STEP: u32] Floor<F, STEP>;
}

wrapped! {
    [encode decode prefix]:
    [] Escaped;
    [const BYTE: u8] Terminated<BYTE>;
    [const BYTE: u8] Sep<BYTE>;
    [const BYTE: u8] SortedSep<BYTE>;
    [const N: usize, const PAD: u8] Fixed<N, PAD>;
}

wrapped! { [encode]: [F: TextEncoding] ReversedChars<F>; }

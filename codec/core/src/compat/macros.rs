//! Macros that implement compatibility encodings with the encodings of this library: they decode
//! text and bytes, or use [`Native`](crate::Native) unchanged.

/// Implements decoding for an encoding of text or bytes: `take` returns the value.
macro_rules! reads {
    ([$($params:tt)*] $encoding:ty, text, $take:expr) => {
        reads! { @each [$($params)*] $encoding, str, crate::encoding::utf8, $take;
            &'a str; alloc::string::String; alloc::borrow::Cow<'a, str>; }
    };
    ([$($params:tt)*] $encoding:ty, bytes, $take:expr) => {
        reads! { @each [$($params)*] $encoding, [u8], Ok, $take;
            &'a [u8]; alloc::vec::Vec<u8>; alloc::borrow::Cow<'a, [u8]>; }
    };
    (@each $params:tt $encoding:ty, $arg:ty, $check:path, $take:expr; $($name:ty;)*) => {$(
        reads! { @one $params $encoding, $arg, $check, $take; $name }
    )*};
    (@one [$($params:tt)*] $encoding:ty, $arg:ty, $check:path, $take:expr; $name:ty) => {
        impl<'a, $($params)*> crate::encoding::Decoding<'a, $name> for $encoding {
            fn decode(input: &mut crate::row::Input<'a>) -> Result<$name, crate::row::Failed> {
                let held: alloc::borrow::Cow<'a, [u8]> = $take(input)?;
                $check(held)
                    .and_then(<$name as crate::encoding::FromKeyText<'a, $arg>>::from_text)
                    .map_err(|fault| input.fail(fault))
            }
        }
    };
}

/// Encodes these types as the native encoding does.
macro_rules! as_native {
    ($encoding:ty: $([$($params:tt)*] $ty:ty;)*) => {$(
        impl<$($params)*> crate::encoding::Encoding<$ty> for $encoding {
            type Order = crate::encoding::NaturalOrder;
            type Error = <crate::encoding::Native as crate::encoding::Encoding<$ty>>::Error;
            const WIDTH: Option<usize> = <crate::encoding::Native as crate::encoding::Encoding<$ty>>::WIDTH;
            const PREFIX_FREE: bool = true;

            #[inline]
            fn encode<S: crate::row::Sink>(value: &$ty, out: &mut S) -> Result<(), Self::Error> {
                crate::encoding::Native::encode(value, out)
            }
        }

        impl<$($params)*> crate::encoding::Decoding<'_, $ty> for $encoding {
            #[inline]
            fn decode(input: &mut crate::row::Input<'_>) -> Result<$ty, crate::row::Failed> {
                crate::encoding::Native::decode(input)
            }
        }
    )*};
}

/// Encodes text and bytes as they are, to the end of the row.
macro_rules! raw {
    ($encoding:ty) => {
        raw! { @each $encoding, str, text }
        raw! { @each $encoding, [u8], bytes }
    };
    (@each $encoding:ty, $arg:ty, $kind:ident) => {
        impl crate::encoding::Encoding<$arg> for $encoding {
            type Order = crate::encoding::NaturalOrder;
            type Error = core::convert::Infallible;
            const WIDTH: Option<usize> = None;
            const PREFIX_FREE: bool = false;

            #[inline]
            fn encode<S: crate::row::Sink>(value: &$arg, out: &mut S) -> Result<(), Self::Error> {
                crate::encoding::Native::encode(value, out)
            }
        }

        impl crate::encoding::PrefixEncoding<$arg> for $encoding {
            #[inline]
            fn encode_start<S: crate::row::Sink>(
                start: &$arg,
                out: &mut S,
            ) -> Result<(), crate::error::FieldError> {
                crate::encoding::Native::encode_start(start, out)
            }
        }

        reads!([] $encoding, $kind, <crate::encoding::Native as crate::encoding::TextEncoding>::take);
    };
}

//! The bytes of other worlds: forms that HBase's own classes, Phoenix and Bigtable write and read.
//!
//! A derived key takes them with `compat`; a form of one's own, or a filter, takes them from here.
//!
//! | module | bytes of |
//! |---|---|
//! | [`hbase`] | `org.apache.hadoop.hbase.util.Bytes` |
//! | [`ordered`] | `org.apache.hadoop.hbase.util.OrderedBytes` |
//! | [`types`] | `org.apache.hadoop.hbase.types`: what wraps the two above, and `Struct` |
//! | [`phoenix`] | Phoenix: columns of a primary key, separators, nulls |
//! | [`bigtable`] | a key schema of Bigtable |
//!
//! Files made by those classes hold every form to them byte for byte. Where a class breaks the order of
//! rows, its bytes are kept, and the form's [order class](crate::EncodingOrder) or its own page says so.

/// Implements reading for a form of text or bytes: `take` returns what it holds.
macro_rules! reads {
    ([$($params:tt)*] $form:ty, text, $take:expr) => {
        reads! { @each [$($params)*] $form, str, crate::encoding::utf8, $take;
            &'a str; alloc::string::String; alloc::borrow::Cow<'a, str>; }
    };
    ([$($params:tt)*] $form:ty, bytes, $take:expr) => {
        reads! { @each [$($params)*] $form, [u8], Ok, $take;
            &'a [u8]; alloc::vec::Vec<u8>; alloc::borrow::Cow<'a, [u8]>; }
    };
    (@each $params:tt $form:ty, $lent:ty, $check:path, $take:expr; $($name:ty;)*) => {$(
        reads! { @one $params $form, $lent, $check, $take; $name }
    )*};
    (@one [$($params:tt)*] $form:ty, $lent:ty, $check:path, $take:expr; $name:ty) => {
        impl<'a, $($params)*> crate::encoding::Decoding<'a, $name> for $form {
            fn decode(input: &mut crate::input::Input<'a>) -> Result<$name, crate::input::Failed> {
                let held: alloc::borrow::Cow<'a, [u8]> = $take(input)?;
                $check(held)
                    .and_then(<$name as crate::encoding::FromKeyText<'a, $lent>>::from_text)
                    .map_err(|fault| input.fail(fault))
            }
        }
    };
}

/// Gives a form the bytes that the native one has for these types.
macro_rules! as_native {
    ($form:ty: $([$($params:tt)*] $ty:ty;)*) => {$(
        impl<$($params)*> crate::encoding::Encoding<$ty> for $form {
            type Order = crate::order::Natural;
            type Error = <crate::encoding::Native as crate::encoding::Encoding<$ty>>::Error;
            const WIDTH: Option<usize> = <crate::encoding::Native as crate::encoding::Encoding<$ty>>::WIDTH;
            const PREFIX_FREE: bool = true;

            #[inline]
            fn encode<S: crate::sink::Sink>(value: &$ty, out: &mut S) -> Result<(), Self::Error> {
                crate::encoding::Native::encode(value, out)
            }
        }

        impl<$($params)*> crate::encoding::Decoding<'_, $ty> for $form {
            #[inline]
            fn decode(input: &mut crate::input::Input<'_>) -> Result<$ty, crate::input::Failed> {
                crate::encoding::Native::decode(input)
            }
        }
    )*};
}

/// Gives a form text and bytes as they are, to the end of the row.
macro_rules! raw {
    ($form:ty) => {
        raw! { @each $form, str, text }
        raw! { @each $form, [u8], bytes }
    };
    (@each $form:ty, $lent:ty, $kind:ident) => {
        impl crate::encoding::Encoding<$lent> for $form {
            type Order = crate::order::Natural;
            type Error = core::convert::Infallible;
            const WIDTH: Option<usize> = None;
            const PREFIX_FREE: bool = false;

            #[inline]
            fn encode<S: crate::sink::Sink>(value: &$lent, out: &mut S) -> Result<(), Self::Error> {
                crate::encoding::Native::encode(value, out)
            }
        }

        impl crate::encoding::PrefixEncoding<$lent> for $form {
            #[inline]
            fn encode_start<S: crate::sink::Sink>(
                start: &$lent,
                out: &mut S,
            ) -> Result<(), crate::error::FieldError> {
                crate::encoding::Native::encode_start(start, out)
            }
        }

        reads!([] $form, $kind, <crate::encoding::Native as crate::encoding::TextEncoding>::take);
    };
}

pub mod bigtable;
mod decimal;
pub mod hbase;
mod null;
pub mod ordered;
pub mod phoenix;
pub mod types;

pub use decimal::{Decimal, DecimalError};

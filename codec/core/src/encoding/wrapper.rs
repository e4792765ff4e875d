//! Types that are written as another: newtypes, and enums whose variants have tags.

use alloc::borrow::{Cow, ToOwned};

use super::{Decoding, Encoding, Field, FromKeyText, HashBytes, TextBytes};
use crate::error::{FieldError, FieldErrorKind};
use crate::input::{Failed, Input};
use crate::order::EncodingOrder;
use crate::schema::TypeName;
use crate::sink::Sink;

/// A type that has every encoding of the type inside, which a derive implements.
///
/// The derive also implements [`Field`], [`ListItem`](super::ListItem) and the [`Native`](super::Native) encoding: with one
/// implementation for all wrappers, these would overlap with those of nested keys.
pub trait FieldWrapper: Sized {
    /// The type inside.
    type Inner: Field;
    /// The order class, where that of the inner value is `O`.
    type Order<O: EncodingOrder>: EncodingOrder;
    /// The type in a schema.
    const TYPE_NAME: TypeName = <Self::Inner as Field>::TYPE_NAME;

    /// Returns the value inside.
    fn inner(&self) -> &Self::Inner;

    /// Returns the value around `inner`.
    ///
    /// # Errors
    /// When `inner` is not the tag of a variant.
    fn from_inner(inner: Self::Inner) -> Result<Self, FieldErrorKind>;
}

/// What encodings take in place of the value inside `T`.
pub type InnerArg<T> = <<T as FieldWrapper>::Inner as Field>::Arg;

/// Writes the value inside `value` in the encoding `F`.
///
/// # Errors
/// When it does not fit.
#[inline(always)]
pub fn encode_inner<F, T, S>(value: &T, out: &mut S) -> Result<(), F::Error>
where
    F: Encoding<InnerArg<T>>,
    T: FieldWrapper,
    S: Sink,
{
    F::encode(value.inner().arg(), out)
}

/// Reads a value inside a `T` from the encoding `F`.
///
/// # Errors
/// When the bytes are not what such a value encodes to.
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
        self.inner().arg().text_bytes()
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
        self.inner().arg().hash_bytes(read)
    }
}

//! Several values in one field: `Vec<T>`.

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::{Decoding, Desc, Encoding, Field, ListItem, PrefixEncoding, is_separable};
use crate::const_schema::TypeName;
use crate::encoding::{EncodingOrder, NaturalOrder};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, Sink};

#[diagnostic::do_not_recommend]
impl<T: ListItem> Field for Vec<T> {
    type Arg = [T];
    const TYPE_NAME: TypeName = TypeName::list(&T::TYPE_NAME);

    #[inline]
    fn as_arg(&self) -> &[T] {
        self
    }
}

/// An encoding of lists whose [`Field::Arg`] is `A`.
#[doc(hidden)]
pub trait ListEncoding<A: ?Sized> {
    /// Whether the items can be separated again.
    const SEPARABLE: bool;
}

impl<T: ListItem, F: Encoding<T::Arg>> ListEncoding<[T]> for UnterminatedList<F> {
    const SEPARABLE: bool = is_separable::<F, T::Arg>();
}

impl<T: ListItem, F: Encoding<T::Arg>> ListEncoding<[T]> for TerminatedList<F> {
    const SEPARABLE: bool = is_separable::<F, T::Arg>();
}

impl<A: ?Sized, F: ListEncoding<A>> ListEncoding<A> for Desc<F> {
    const SEPARABLE: bool = F::SEPARABLE;
}

/// Stops the build when the items of a list could not be separated again.
#[doc(hidden)]
pub const fn assert_separable<F: ListEncoding<A>, A: ?Sized>() {
    assert!(
        F::SEPARABLE,
        "the items of a list follow one another, and these have no end or no bytes; their last text needs \
         an end: `escaped`, `width = N` or `nul_terminated`"
    );
}

/// A list whose items have the encoding `F`, one after the other to the end of the row key; the
/// default for a `Vec<T>`.
///
/// Lists sort item by item, and a list sorts before longer lists that start with its items. No
/// field can follow the list, as with a plain text.
///
/// ```
/// use tallrow_codec::{Encoding, Native, RowBuf, UnterminatedList};
///
/// let mut row = RowBuf::<8>::new();
/// <UnterminatedList<Native> as Encoding<[u16]>>::encode(&[1, 258], &mut row)
///     .unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), [0, 1, 1, 2]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UnterminatedList<F>(PhantomData<F>);

impl<T: ListItem, F: Encoding<T::Arg>> Encoding<[T]> for UnterminatedList<F> {
    type Order = <NaturalOrder as EncodingOrder>::Then<F::Order>;
    type Error = F::Error;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = false;

    #[inline]
    fn encode<S: Sink>(value: &[T], out: &mut S) -> Result<(), F::Error> {
        const { assert_separable::<Self, [T]>() };
        value.iter().try_for_each(|item| F::encode(item.as_arg(), out))
    }
}

impl<T: ListItem, F: Encoding<T::Arg, Error: Into<FieldError>>> PrefixEncoding<[T]>
    for UnterminatedList<F>
{
    #[inline]
    fn encode_start<S: Sink>(start: &[T], out: &mut S) -> Result<(), FieldError> {
        start.iter().try_for_each(|item| F::encode(item.as_arg(), out)).map_err(Into::into)
    }
}

impl<'a, T, F: Decoding<'a, T>> Decoding<'a, Vec<T>> for UnterminatedList<F> {
    #[inline]
    fn decode(input: &mut Input<'a>) -> Result<Vec<T>, Failed> {
        let mut items = Vec::new();
        while input.remaining() > 0 {
            items.push(item::<T, F>(input)?);
        }
        Ok(items)
    }
}

/// Reads one item of at least one byte.
fn item<'a, T, F: Decoding<'a, T>>(input: &mut Input<'a>) -> Result<T, Failed> {
    let before = input.position();
    let item = F::decode(input)?;
    check_advanced(before, input)?;
    Ok(item)
}

/// Refuses an item without bytes, because a list of such items would never end.
#[inline]
pub(crate) fn check_advanced(before: usize, input: &mut Input<'_>) -> Result<(), Failed> {
    if input.position() == before {
        return Err(input.fail(FieldErrorKind::NotCanonical { expected: "an item of the list" }));
    }
    Ok(())
}

/// Reads the mark before an item or after the last item; returns whether an item follows.
#[inline]
pub(crate) fn read_has_item(input: &mut Input<'_>) -> Result<bool, Failed> {
    match input.read_array()? {
        [0] => Ok(false),
        [1] => Ok(true),
        _ => {
            let expected = "the mark of an item, 01, or of the end of the list, 00";
            Err(input.fail(FieldErrorKind::NotCanonical { expected }))
        }
    }
}

/// A list whose items have the encoding `F`, with 01 before each item and 00 after the last. The
/// list has an end, so other fields may follow and it may be descending; `#[key(terminated_list)]`
/// on a `Vec<T>`.
///
/// ```
/// use tallrow_codec::{Encoding, Native, RowBuf, TerminatedList};
///
/// let mut row = RowBuf::<8>::new();
/// <TerminatedList<Native> as Encoding<[u16]>>::encode(&[1, 258], &mut row)
///     .unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), [1, 0, 1, 1, 1, 2, 0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TerminatedList<F>(PhantomData<F>);

impl<F> TerminatedList<F> {
    fn put<T: ListItem, S: Sink>(items: &[T], out: &mut S) -> Result<(), F::Error>
    where
        F: Encoding<T::Arg>,
    {
        items.iter().try_for_each(|item| {
            out.put(&[1]);
            F::encode(item.as_arg(), out)
        })
    }
}

impl<T: ListItem, F: Encoding<T::Arg>> Encoding<[T]> for TerminatedList<F> {
    type Order = <NaturalOrder as EncodingOrder>::Then<F::Order>;
    type Error = F::Error;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = true;

    #[inline]
    fn encode<S: Sink>(value: &[T], out: &mut S) -> Result<(), F::Error> {
        const { assert_separable::<Self, [T]>() };
        Self::put(value, out)?;
        out.put(&[0]);
        Ok(())
    }
}

impl<T: ListItem, F: Encoding<T::Arg, Error: Into<FieldError>>> PrefixEncoding<[T]>
    for TerminatedList<F>
{
    #[inline]
    fn encode_start<S: Sink>(start: &[T], out: &mut S) -> Result<(), FieldError> {
        Self::put(start, out).map_err(Into::into)
    }
}

impl<'a, T, F: Decoding<'a, T>> Decoding<'a, Vec<T>> for TerminatedList<F> {
    fn decode(input: &mut Input<'a>) -> Result<Vec<T>, Failed> {
        let mut items = Vec::new();
        while read_has_item(input)? {
            items.push(F::decode(input)?);
        }
        Ok(items)
    }
}

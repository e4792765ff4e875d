//! Fields of any type that are written as another type to which they convert.

use core::marker::PhantomData;

use super::{Decoding, Encoding, Field, ValuesWithBoundBytes};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, Sink};

/// A value that is converted to `V` and written in the encoding `F`; `#[key(via = V)]`.
///
/// Writing needs `V: TryFrom<T>`, and reading needs `T: TryFrom<V>`; `From` is enough for each.
/// Different values must convert to different values of `V` that sort in the same order; otherwise,
/// ranges would find rows that are not between their ends.
///
/// ```
/// use core::net::Ipv4Addr;
/// use tallrow_codec::{RowKey, RowRanges};
///
/// #[derive(RowKey, Debug, PartialEq)]
/// struct Request {
///     #[key(via = u32)]
///     client: Ipv4Addr,
///     id: u8,
/// }
///
/// let row = Request { client: Ipv4Addr::new(10, 0, 0, 1), id: 7 }.encode()?;
/// assert_eq!(row, [10, 0, 0, 1, 7]);
/// assert_eq!(Request::decode(&row)?.client, Ipv4Addr::new(10, 0, 0, 1));
/// let range = &Request::scan().client(Ipv4Addr::new(10, 0, 0, 0)..).row_ranges()?[0];
/// assert!(range.contains(&row));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Via<F, V>(PhantomData<(F, V)>);

impl<T, V, F> Encoding<T> for Via<F, V>
where
    T: Clone,
    V: Field + TryFrom<T>,
    F: Encoding<V::Arg, Error: Into<FieldError>>,
{
    type Order = F::Order;
    type Error = FieldError;
    const WIDTH: Option<usize> = F::WIDTH;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    #[inline]
    fn encode<S: Sink>(value: &T, out: &mut S) -> Result<(), FieldError> {
        F::encode(converted::<T, V>(value)?.as_arg(), out).map_err(Into::into)
    }

    #[inline]
    fn encode_bound<S: Sink>(
        bound: &T,
        out: &mut S,
    ) -> Result<Option<ValuesWithBoundBytes>, FieldError> {
        F::encode_bound(converted::<T, V>(bound)?.as_arg(), out).map_err(Into::into)
    }
}

#[inline]
fn converted<T: Clone, V: TryFrom<T>>(value: &T) -> Result<V, FieldError> {
    let allowed = "one that converts to the type of `via`";
    V::try_from(value.clone()).map_err(|_| FieldErrorKind::OutOfRange { allowed }.into())
}

impl<'a, T: TryFrom<V>, V, F: Decoding<'a, V>> Decoding<'a, T> for Via<F, V> {
    #[inline]
    fn decode(input: &mut Input<'a>) -> Result<T, Failed> {
        let value = F::decode(input)?;
        let expected = "a value that converts to the field's type";
        T::try_from(value).map_err(|_| input.fail(FieldErrorKind::OutsideType { expected }))
    }
}

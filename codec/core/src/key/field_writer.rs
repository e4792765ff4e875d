//! Writing the fields of a derived key, as a row or as a part of another key.

use super::row_key::DerivedKey;
use crate::encoding::{Encoding, Fallibility};
use crate::row::Sink;

/// A derived key that passes its fields to a writer in key order.
pub trait PutFields {
    /// The type of this key that borrows nothing.
    type Derived: DerivedKey;

    /// Writes all fields, and the key prefix after the last field from which it is computed.
    fn put_fields<W: FieldWriter<Self::Derived>>(&self, row: &mut W);
}

/// A writer of the fields of a key.
pub trait FieldWriter<K: DerivedKey> {
    /// Writes the next field: `value` in the encoding `F`, which in a key of fixed width starts at
    /// the byte `offset`.
    #[inline(always)]
    fn put<F, A>(&mut self, field: &'static str, offset: usize, value: &A)
    where
        A: ?Sized,
        F: Encoding<A, Error: Into<K::Error>>,
    {
        self.put_and_feed::<F, A>(field, offset, value, |_, _, _| ());
    }

    /// Writes the next field as [`put`](Self::put) does, and feeds the key prefix from the value
    /// and its bytes.
    fn put_and_feed<F, A>(
        &mut self,
        field: &'static str,
        offset: usize,
        value: &A,
        feed: impl FnOnce(&mut K::SaltOrHash, &A, &[u8]),
    ) where
        A: ?Sized,
        F: Encoding<A, Error: Into<K::Error>>;

    /// Writes the key prefix.
    fn put_key_prefix(&mut self);
}

/// A writer that appends the fields of a key to the fields of another key, up to the first field
/// that does not fit its encoding.
struct NestedWriter<'s, K: DerivedKey, S> {
    out: &'s mut S,
    error: Option<K::Error>,
}

impl<K: DerivedKey, S: Sink> FieldWriter<K> for NestedWriter<'_, K, S> {
    #[inline(always)]
    fn put_and_feed<F, A>(
        &mut self,
        field: &'static str,
        _: usize,
        value: &A,
        _: impl FnOnce(&mut K::SaltOrHash, &A, &[u8]),
    ) where
        A: ?Sized,
        F: Encoding<A, Error: Into<K::Error>>,
    {
        if self.error.is_none()
            && let Err(error) = F::encode(value, self.out)
        {
            self.error = Some(error.into().in_field(field));
        }
    }

    // A key with a key prefix cannot be nested.
    #[inline(always)]
    fn put_key_prefix(&mut self) {}
}

/// Appends the fields of `key` to the fields of the key in which it is nested.
///
/// # Errors
/// When a value does not fit the encoding of its field.
#[inline(always)]
pub(crate) fn put_nested<T: PutFields, S: Sink>(
    key: &T,
    out: &mut S,
) -> Result<(), <T::Derived as DerivedKey>::Error> {
    let mut writer = NestedWriter::<T::Derived, S> { out, error: None };
    key.put_fields(&mut writer);
    writer.error.map_or(Ok(()), Err)
}

//! The code that derived keys have in common, as row keys and as fields of other keys.
//!
//! The derive implements `RowKey` and `Field` for each key. If this module had one implementation
//! for all keys, the compiler would report a missing `RowKey` as a missing trait of this module.

use super::field_writer::{PutFields, put_nested};
use super::key_writer::{encode, encode_in_bucket};
use super::random_salted::{DecodeRandomSalted, RandomSalted, RandomSaltedKey};
use super::row_key::{DecodeRowKey, DerivedKey, RowKey};
use crate::const_schema::TypeName;
use crate::encoding::{Decoding, Encoding, EncodingOrder, Fallibility, Field, ListItem, Native};
use crate::error::{DecodeError, EncodeError};
use crate::key_prefix::ChosenPrefix;
use crate::row::{Failed, Input, RowKeyStorage, Sink};

/// A derived key whose fields can all be read back.
pub trait ReadFields<'row>: PutFields + Sized {
    /// Reads the key prefix and all fields. If `whole` is true, the key is the whole row, and
    /// nothing may follow it.
    ///
    /// # Errors
    /// When the bytes are not what such a key encodes to.
    fn read_fields(input: &mut Input<'row>, whole: bool) -> Result<Self, Failed>;
}

/// A derived key that can be a field of other keys: a key without a key prefix and without
/// variants.
pub trait NestableKey: PutFields {
    /// The order class of the fields of the key, one after the other.
    type Order: EncodingOrder;
    /// The number of bytes, if it is the same for every key.
    const WIDTH: Option<usize> = RowOf::<Self>::LEN;
    /// Whether the last field marks its own end.
    const PREFIX_FREE: bool;
}

type RowOf<K> = <<K as PutFields>::Derived as DerivedKey>::Row;
type ErrorOf<K> = <<K as PutFields>::Derived as DerivedKey>::Error;
type PrefixOf<K> = <<K as PutFields>::Derived as DerivedKey>::SaltOrHash;

/// Reads a whole row.
///
/// # Errors
/// When the bytes are not exactly the bytes of an encoded key.
#[inline(always)]
pub fn decode<'row, K: ReadFields<'row>>(bytes: &'row [u8]) -> Result<K, DecodeError> {
    // With the length known, the compiler removes every length check from the reads.
    if let Some(len) = RowOf::<K>::LEN
        && len != bytes.len()
    {
        return Err(explain::<K>(bytes));
    }
    let mut input = Input::new(bytes);
    match K::read_fields(&mut input, true) {
        Ok(key) => Ok(key),
        Err(_) => Err(input.error(K::Derived::TYPE_IDENT)),
    }
}

/// Returns why a row that has the wrong length cannot be read.
#[cold]
#[inline(never)]
fn explain<'row, K: ReadFields<'row>>(bytes: &'row [u8]) -> DecodeError {
    let mut input = Input::new(bytes);
    let _ = K::read_fields(&mut input, true);
    input.error(K::Derived::TYPE_IDENT)
}

/// Returns the bytes of the row key, always in a `Result`; [`encode`] returns them without a
/// `Result` if no field can fail.
///
/// # Errors
/// When a value does not fit the encoding of its field.
#[inline]
pub fn encode_key<K: PutFields>(key: &K) -> Result<RowOf<K>, EncodeError> {
    ErrorOf::<K>::into_result(encode(key))
}

/// Returns the type name of a field that is a nested key.
pub const fn type_name_of<K: NestableKey>() -> TypeName {
    TypeName::key(K::Derived::SCHEMA)
}

#[diagnostic::do_not_recommend]
impl<K> DecodeRowKey for K
where
    K: RowKey + for<'row> ReadFields<'row>,
{
    #[inline]
    fn decode_key(bytes: &[u8]) -> Result<K, DecodeError> {
        decode(bytes)
    }
}

#[diagnostic::do_not_recommend]
impl<K> RandomSaltedKey for K
where
    K: PutFields<Derived: DerivedKey<SaltOrHash: ChosenPrefix>>,
{
    type Encoded = RowOf<K>;
    const SCHEMA: &'static str = K::Derived::SCHEMA;
    const BUCKETS: u32 = PrefixOf::<K>::BUCKETS;

    #[inline]
    fn encode_in_bucket(&self, pick: u32) -> Result<RowOf<K>, EncodeError> {
        ErrorOf::<K>::into_result(encode_in_bucket(self, pick))
    }
}

#[diagnostic::do_not_recommend]
impl<K> DecodeRandomSalted for K
where
    K: RandomSaltedKey
        + for<'row> ReadFields<'row>
        + PutFields<Derived: DerivedKey<SaltOrHash: ChosenPrefix>>,
{
    fn decode_salted(bytes: &[u8]) -> Result<RandomSalted<K>, DecodeError> {
        let key = decode(bytes)?;
        let bucket = PrefixOf::<K>::bucket_index(bytes).unwrap_or_default();
        Ok(RandomSalted::new(key, bucket))
    }
}

#[diagnostic::do_not_recommend]
impl<K: NestableKey + Field> ListItem for K {}

#[diagnostic::do_not_recommend]
impl<K: NestableKey> Encoding<K> for Native {
    type Order = K::Order;
    type Error = ErrorOf<K>;
    const WIDTH: Option<usize> = K::WIDTH;
    const PREFIX_FREE: bool = K::PREFIX_FREE;

    #[inline]
    fn encode<S: Sink>(value: &K, out: &mut S) -> Result<(), ErrorOf<K>> {
        put_nested(value, out)
    }
}

#[diagnostic::do_not_recommend]
impl<'row, K: NestableKey + ReadFields<'row>> Decoding<'row, K> for Native {
    #[inline]
    fn decode(input: &mut Input<'row>) -> Result<K, Failed> {
        match K::read_fields(input, false) {
            Ok(key) => Ok(key),
            Err(_) => Err(input.mark_fault_as_nested()),
        }
    }
}

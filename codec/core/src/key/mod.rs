//! Row keys as a whole: their traits, what derived keys have in common, keys with a random salt,
//! and keys with ids in place of names.

mod derived;
mod field_writer;
mod key_writer;
mod lookup;
mod random_salted;
mod row_key;

pub use derived::{NestableKey, ReadFields, decode, encode_key, type_name_of};
pub use field_writer::{FieldWriter, PutFields};
pub(crate) use key_writer::EncodeState;
pub use key_writer::{encode, encode_in_bucket, encode_into};
pub(crate) use lookup::assert_same_widths;
pub use lookup::{LookupField, LookupId, LookupKey};
pub(crate) use random_salted::DecodeRandomSalted;
pub use random_salted::{EncodableWithoutBucket, RandomSalted, RandomSaltedKey};
pub use row_key::{DecodableKey, DecodeRowKey, DerivedKey, RowKey, schema_of};

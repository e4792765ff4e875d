//! The code of `tallrow-codec`, without its macros.
//!
//! Users do not depend on this crate: `tallrow-codec` re-exports all of it. It is a crate of its
//! own so that it is compiled while the derive is still being built.
//!
//! The top-level modules are called rooms. Each room uses only the rooms below it in this table:
//!
//! | room | holds |
//! |---|---|
//! | `__private` | what generated code calls |
//! | `testing` | the tests of a key that a user asks for |
//! | [`schema`] | a layout as a value: rows read, written and found without their Rust type |
//! | `scan` | ranges of rows from fields, prefixes that many keys share, several layouts |
//! | `key` | row keys, what derived ones have in common, random salts, ids in place of names |
//! | [`compat`] | the encodings of HBase's classes, Phoenix and Bigtable |
//! | `key_prefix` | salts and hash prefixes |
//! | `encoding` | fields and their encodings, and how their bytes sort |
//! | `row` | the bytes of a row: written, kept, read |
//! | `const_schema` | the schema of a key, composed and compared while the key is compiled |
//! | [`split`] | split points of tables |
//! | [`show`] | row keys as text |
//! | `error` | why a key is not encoded or decoded |

#![no_std]

extern crate alloc;

pub mod compat;
mod const_schema;
mod encoding;
mod error;
mod key;
mod key_prefix;
mod row;
mod scan;
pub mod schema;
pub mod show;
pub mod split;
#[cfg(feature = "testing")]
pub mod testing;

#[doc(hidden)]
pub mod __private;

pub use encoding::{
    Charset, DecodeTagPart, Decoding, Desc, Digest, Digits, Encoding, EncodingOrder, Escaped,
    Fallibility, Field, Fixed, Floor, FloorOffset, Floorable, FromKeyText, GroupedOrder, HashBytes,
    HashedOrder, InvertedRevTs, ListItem, Md5, Md5Hex, Native, NaturalOrder, NonNeg, Nullable,
    OrderClass, PrefixEncoding, RawBe, RevTs, ReversedChars, ReversedDigits, ReversedOrder, Sep,
    SortedOrder, SortedSep, TagPairs, TagPart, Terminated, TerminatedList, TextEncoding, Uid,
    UnixCount, UnixTime, UnterminatedList, ValuesWithBoundBytes, Via, char_set,
};
pub use error::{DecodeError, EncodeError, FieldError, FieldErrorKind, FoundTag};
pub use key::{
    DecodeRowKey, LookupField, LookupId, LookupKey, RandomSalted, RandomSaltedKey, RowKey,
};
pub use key_prefix::{
    Crc32, Fnv1a, HashPrefix, JavaArraysHash, Md5Prefix, Modulo, Murmur3, NoSaltOrHash, RandomSalt,
    Salt, SaltHash, SaltOrHash,
};
pub use row::{Failed, Input, RowBuf, Sink, SliceWriter};
pub use scan::{
    AllLayouts, FieldSelector, FieldValue, KeyRanges, Layout, LayoutRows, RowRange, RowRanges,
    TextPrefix, text_prefix,
};

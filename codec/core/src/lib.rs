//! What `tallrow-codec` is made of, without its macros.
//!
//! Users do not depend on this crate: `tallrow-codec` re-exports all of it. It is a crate of its own so that it is
//! compiled while the derive is still being built.

#![no_std]

extern crate alloc;

pub mod compat;
mod derived;
mod encoding;
mod error;
mod fallibility;
mod find;
mod input;
mod key;
mod key_prefix;
mod layouts;
mod lock;
mod named;
mod order;
mod random_salted;
mod row;
mod row_buf;
mod scan;
pub mod schema;
pub mod show;
mod sink;
pub mod split;
#[cfg(feature = "testing")]
pub mod testing;
mod wrapped;

#[doc(hidden)]
pub mod __private;

pub use encoding::{
    AtBound, Charset, DecodeTagPart, Decoding, Desc, Digest, Digits, Encoding, Escaped, Field,
    Fixed, Floor, FloorOffset, Floorable, FromKeyText, HashBytes, InvertedRevTs, ListItem, Md5,
    Md5Hex, Native, NonNeg, Nullable, PrefixEncoding, RawBe, RevTs, ReversedChars, ReversedDigits,
    Sep, SortedSep, TagPairs, TagPart, Terminated, TerminatedList, TextEncoding, Uid, UnixCount,
    UnixTime, UnterminatedList, Via, char_set,
};
pub use error::{DecodeError, EncodeError, FieldError, FieldErrorKind, Tag};
pub use fallibility::Fallibility;
pub use input::{Failed, Input};
pub use key::{DecodeRowKey, RowKey};
pub use key_prefix::{
    Crc32, Fnv1a, HashPrefix, JavaArraysHash, Md5Prefix, Modulo, Murmur3, NoSaltOrHash, RandomSalt,
    Salt, SaltHash, SaltOrHash,
};
pub use layouts::{AllLayouts, Layout, LayoutRows};
pub use named::{LookupField, LookupId, NamedKey};
pub use order::{
    EncodingOrder, GroupedOrder, HashedOrder, NaturalOrder, OrderClass, Ranged, ReversedOrder,
};
pub use random_salted::{RandomSalted, RandomSaltedKey};
pub use row_buf::RowBuf;
pub use scan::{
    FieldSelector, FieldValue, KeyRanges, RowRange, RowRanges, TextPrefix, text_prefix,
};
pub use sink::{Sink, SliceWriter};

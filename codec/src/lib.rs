//! Order-preserving row keys: the byte forms, the derive, ranges of rows and split points.
//!
//! A row key is a struct. Its fields become bytes one after the other, so that rows sort as the
//! fields do, and the first fields are a prefix that a scan can use.
//!
//! ```
//! use tallrow_codec::{RowKey, RowRanges};
//!
//! /// All events of a user, newest first.
//! #[derive(RowKey, Debug, PartialEq)]
//! struct UserEvent {
//!     user: u32,
//!     #[key(rev_ts)]
//!     at: i64,
//! }
//!
//! let key = UserEvent { user: 7, at: 1_700_000_000_000 };
//! let row: [u8; 12] = key.encode();
//! assert_eq!(row, *b"\0\0\0\x07\x7f\xff\xfe\x74\x30\x1a\x97\xff");
//! assert_eq!(UserEvent::decode(&row)?, key);
//!
//! // Many keys one after the other, into the same bytes.
//! let mut next = row;
//! UserEvent { user: 8, ..key }.encode_into(&mut next);
//! assert_eq!(next[..4], [0, 0, 0, 8]);
//!
//! // The events of one hour: ends swapped, because later times sort first.
//! let hour = UserEvent::scan().user(7).at(1_699_999_000_000..1_700_002_600_000);
//! let [range] = hour.row_ranges()?;
//! assert!(range.contains(&row));
//!
//! // A field of a row, without the rest.
//! assert_eq!(UserEvent::view(&row)?.user(), &7);
//!
//! // Many keys of one user: what they share is encoded once.
//! let user = UserEvent::prefix().user(7);
//! assert_eq!(user.at(1_700_000_000_000), row);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Bytes
//!
//! | field | bytes | order of the rows | prefix-free |
//! |---|---|---|---|
//! | `u8`..`u128`, `NonZero` of them | big-endian | as the numbers | yes |
//! | `NonNeg<i8>`..`NonNeg<i128>`, `raw_be` | big-endian two's complement, no negatives | as the numbers | yes |
//! | `uuid::Uuid`, with the feature `uuid` | its 16 bytes | bytewise | yes |
//! | `Uid<T, N>` | N bytes big-endian | grouped | yes |
//! | `i8`..`i128`, `NonZero` of them | big-endian, first bit inverted | as the numbers | yes |
//! | `bool` | 00, 01 | false first | yes |
//! | `char` | 4 bytes big-endian | by number | yes |
//! | `f32`, `f64` | IEEE bits; positive: first bit inverted, negative: all bits; one NaN | `total_cmp` | yes |
//! | `[u8; N]` | as it is | bytewise | yes |
//! | `Option<T>` | 00, or 01 and `T` | none first | as `T` |
//! | text, bytes | as UTF-8, as it is | bytewise | no: last field only |
//! | .. `escaped` | 00 as 00 FF, then 00 01 | bytewise | yes |
//! | .. `nul_terminated` | then 00; holds no 00 | bytewise | yes |
//! | .. `width = N` | filled with 00 to N bytes; does not end in 00 | bytewise | yes |
//! | .. `sep = '\|'` | then the separator; does not hold it | grouped, unless all `chars` sort above it | yes |
//! | .. `reverse` | characters last to first | grouped | as the form |
//! | `digits = N` on an unsigned number | N decimal digits, zeros in front | as the numbers | yes |
//! | .. `reverse` | the digits last to first | grouped | yes |
//! | `floor = N` on a number | its form of the largest multiple of N not above it | as the form | yes |
//! | `rev_ts` | `i64::MAX - time`, 8 bytes | newest first | yes |
//! | `rev_ts = "inverted"` | `!time`, 8 bytes | newest first | yes |
//! | `Vec<T>` | the items, each in the form the attributes name | item by item | no: last field only |
//! | .. `terminated` | 01 before each item, then 00 | item by item | yes |
//! | `TagPairs<K, V, N>` | up to N pairs sorted by K, each K once | as the halves | no: last field only |
//! | `desc` | the form, every byte inverted | largest first | as the form |
//! | `Digest<N>` | as it is | hashed | yes |
//! | `md5`, `md5(bytes = N)`, `md5(hex = N)` | MD5 of the plain value, its first N bytes or lower-case hex digits | hashed | yes |
//! | a key in a key | its fields | as its fields | as its last field |
//!
//! In front of the fields, at most one of:
//!
//! | type attribute | bytes |
//! |---|---|
//! | `salt(buckets = N)` | bucket, 1 byte or `width` bytes big-endian: hash of the encoded bytes of the salted fields, in key order, modulo N; with `hash = modulo` the field itself modulo N |
//! | `salt(.., bucket_offset = M)` | the buckets are numbered from M |
//! | `salt(random, buckets = N)` | bucket the writer chooses; see [`RandomSaltedKey`] |
//! | `hash_prefix(md5, hex = N)` | first N hex digits of the MD5 of the plain values of the hashed fields, in key order; then `sep` |
//!
//! With `compat = "hbase"`, `"hbase_ordered"`, `"phoenix"` or `"bigtable"` on the type the fields have the
//! bytes of another world instead: see [`compat`].
//!
//! The plain value that is hashed is the UTF-8 of a text, bytes as they are, and the big-endian two's
//! complement of an integer in its own width.
//!
//! # Order
//!
//! The bytes of two keys compare as their fields do, first field first, each in its own
//! [order class](EncodingOrder). A salt or hash in front breaks this across buckets, never inside one. *Prefix-free*
//! means that no encoding of a field begins another encoding of it: that is what makes the rows of
//! one value one range, and what keeps a range from holding foreign rows.
//!
//! # What may never change
//!
//! Once rows are written: the order of the fields, their types, every attribute above that changes
//! bytes, the number of buckets, the hash function. Names of types and fields may change.
//!
//! # Without the standard library
//!
//! The crate is `no_std` and needs `alloc` for text that is read back changed and for rows longer than
//! what their key sets aside on the stack.

#![no_std]

extern crate alloc;

pub mod compat;
mod encoding;
mod error;
mod fallibility;
mod find;
mod input;
mod key;
mod key_prefix;
mod layouts;
mod lock;
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

#[doc(hidden)]
pub mod __private;

pub use encoding::{
    BucketOffset, Bucketable, Charset, Collisions, DecodeTagPart, Decoding, Desc, Digest, Digits,
    Encoding, End, Escaped, Field, Fixed, Floor, FromKeyText, HashBytes, Item, List, Md5, Md5Hex,
    Native, NonNeg, Nullable, PrefixEncoding, RawBe, RevTs, RevTsNot, ReversedDigits, ReversedText,
    Sep, SortedSep, TagPairs, TagPart, TerminatedList, TextEncoding, Uid, char_set,
};
pub use error::{DecodeError, EncodeError, FieldError, FieldErrorKind};
pub use fallibility::Fallibility;
pub use input::{Failed, Input};
pub use key::{DecodeRowKey, RowKey};
pub use key_prefix::{
    Crc32, Fnv1a, HashPrefix, JavaArraysHash, KeyPrefix, Md5Prefix, Modulo, Murmur3, NoKeyPrefix,
    RandomSalt, Salt, SaltHash,
};
pub use layouts::{AllLayouts, Layout, LayoutRows};
pub use order::{EncodingOrder, Grouped, Hashed, Natural, OrderClass, Ranged, Reversed};
pub use random_salted::{RandomSalted, RandomSaltedKey};
pub use row_buf::RowBuf;
pub use scan::{FieldValue, KeyRanges, RowRange, RowRanges, Select, TextPrefix, text_prefix};
pub use sink::{Sink, SliceWriter};
#[cfg(feature = "derive")]
pub use tallrow_derive::CodecRowKey as RowKey;

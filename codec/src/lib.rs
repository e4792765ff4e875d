//! Order-preserving row keys: encodings, the derive, ranges of rows and split points.
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
//! The attributes of a field choose its encoding, which is a type of this crate.
//!
//! | field | encoding | bytes | order of the rows | prefix-free |
//! |---|---|---|---|---|
//! | `u8`..`u128`, `NonZero` of them | [`Native`] | big-endian | as the numbers | yes |
//! | `NonNeg<i8>`..`NonNeg<i128>`, `raw_be` | [`Native`] of [`NonNeg`], [`RawBe`] | big-endian two's complement, no negatives | as the numbers | yes |
//! | `uuid::Uuid`, with the feature `uuid` | [`Native`] | its 16 bytes | bytewise | yes |
//! | `Uid<T, N>` | [`Native`] of [`Uid`] | N bytes big-endian | grouped | yes |
//! | `i8`..`i128`, `NonZero` of them | [`Native`] | big-endian, first bit inverted | as the numbers | yes |
//! | `bool` | [`Native`] | 00, 01 | false first | yes |
//! | `char` | [`Native`] | 4 bytes big-endian | by number | yes |
//! | `f32`, `f64` | [`Native`] | IEEE bits; positive: first bit inverted, negative: all bits; one NaN | `total_cmp` | yes |
//! | `[u8; N]` | [`Native`] | as it is | bytewise | yes |
//! | `Option<T>` | [`Nullable`] | 00, or 01 and `T` | none first | as `T` |
//! | text, bytes | [`Native`] | as UTF-8, as it is | bytewise | no: last field only |
//! | .. `escaped` | [`Escaped`] | 00 as 00 FF, then 00 01 | bytewise | yes |
//! | .. `nul_terminated` | [`Terminated<0>`](Terminated) | then 00; contains no 00 | bytewise | yes |
//! | .. `width = N` | [`Fixed<N>`](Fixed) | padded with 00 to N bytes; does not end in 00 | bytewise | yes |
//! | .. `sep = '\|'` | [`Sep<b'\|'>`](Sep), [`SortedSep`] | then the separator; does not contain it | grouped, unless all `chars` sort above it | yes |
//! | .. `reverse` | [`ReversedChars`] | characters last to first | grouped | as the encoding |
//! | `digits = N` on an unsigned number | [`Digits<N>`](Digits) | N decimal digits with leading zeros | as the numbers | yes |
//! | .. `reverse` | [`ReversedDigits<N>`](ReversedDigits) | the digits last to first | grouped | yes |
//! | `floor = N` on a number | [`Floor<_, N>`](Floor) | the encoding of the largest multiple of N not above it | as the encoding | yes |
//! | `rev_ts` | [`RevTs`] | `i64::MAX - time`, 8 bytes | newest first | yes |
//! | `rev_ts = "inverted"` | [`InvertedRevTs`] | `!time`, 8 bytes | newest first | yes |
//! | `Vec<T>` | [`UnterminatedList`] | the items, each in the encoding of the attributes | item by item | no: last field only |
//! | .. `terminated_list` | [`TerminatedList`] | 01 before each item, then 00 | item by item | yes |
//! | `TagPairs<K, V, N>` | [`Native`] of [`TagPairs`] | up to N pairs sorted by K, each K once | as the halves | no: last field only |
//! | `desc` | [`Desc`] | the encoding, every byte inverted | largest first | as the encoding |
//! | `Digest<N>` | [`Native`] of [`Digest`] | as it is | hashed | yes |
//! | `md5`, `md5(bytes = N)`, `md5(hex = N)` | [`Md5`], [`Md5<N>`](Md5), [`Md5Hex<N>`](Md5Hex) | MD5 of the plain value, its first N bytes or lower-case hex digits | hashed | yes |
//! | a key in a key | [`Native`] | its fields | as its fields | as its last field |
//!
//! A key has at most one key prefix, before its fields:
//!
//! | type attribute | bytes |
//! |---|---|
//! | `salt(buckets = N)` | bucket, 1 byte or `width` bytes big-endian: hash of the encoded bytes of the salted fields, in key order, modulo N; with `hash = modulo` the field itself modulo N |
//! | `salt(.., bucket_offset = M)` | the buckets are numbered from M |
//! | `salt(random, buckets = N)` | bucket chosen by the writer; see [`RandomSaltedKey`] |
//! | `hash_prefix(md5, hex = N)` | first N hex digits of the MD5 of the plain values of the hashed fields, in key order; then `sep` |
//!
//! If the type has the attribute `compat = "hbase"`, `"hbase_ordered"`, `"phoenix"` or
//! `"bigtable"`, its fields have compatibility encodings instead: see [`compat`].
//!
//! The plain value that is hashed is the UTF-8 of a text, bytes as they are, and the big-endian
//! two's complement of an integer in its own width.
//!
//! # Order
//!
//! The bytes of two keys compare as their fields do, first field first, each in its own [order
//! class](EncodingOrder). A key prefix breaks this order across buckets, but never inside a bucket.
//! *Prefix-free* means that no encoded value of a field is a prefix of another: therefore the rows
//! of one value are one range, which contains no rows of other values.
//!
//! # What may never change
//!
//! Once rows are written, none of these may change: the order of the fields, their types, every
//! attribute above that changes bytes, the number of buckets, the hash function. Names of types and
//! fields may change.
//!
//! # Without the standard library
//!
//! The crate is `no_std` and needs `alloc` for text that is stored in changed form and for rows
//! longer than the buffer of their key on the stack.

#![no_std]

#[cfg(feature = "testing")]
pub mod testing;

#[doc(inline)]
pub use tallrow_codec_core::*;
// In its messages, the compiler names the items that generated code calls by a path without a
// hidden module. This re-export is such a path; without it, messages would name a crate that users
// do not know.
#[doc(hidden)]
pub use tallrow_codec_core::__private::v1 as __v1;
#[cfg(feature = "derive")]
pub use tallrow_derive::CodecRowKey as RowKey;

//! The derive macros of tallrow.
//!
//! Users do not depend on this crate: `tallrow` and `tallrow-codec` re-export its macros. Each macro
//! has one entry point per crate that re-exports it, because the code it writes names that crate:
//! [`RowKey`], which is `tallrow::RowKey` and `tallrow::key::RowKey`, writes `::tallrow`, and
//! [`CodecRowKey`], which `tallrow-codec` re-exports as `RowKey`, writes `::tallrow_codec`.
//! `#[row_key(crate = "..")]` names any other path, for a renamed dependency.
//!
//! # `#[derive(RowKey)]`
//!
//! On a struct with named or numbered fields. Fields become bytes in the order they are declared.
//!
//! On an enum, each variant is a kind of rows in one table: first the fields all kinds share, then a
//! tag that tells the kind, `#[key(tag = 1)]` or `#[key(tag = b'o')]` on the variant, then the variant's
//! own fields. The scan builder and the prefix handle choose a kind with a method named after it,
//! `order_rows()` for `Order`.
//!
//! On the type, `#[row_key(..)]`:
//!
//! | attribute | meaning |
//! |---|---|
//! | `salt(buckets = 16)` | a bucket number in front, from a hash of the whole key |
//! | `salt(buckets = 16, of = (a, b))` | the same from the encoded bytes of the fields named |
//! | `salt(.., width = 2)` | bucket number in 2 bytes; 1 without, up to 256 buckets |
//! | `salt(.., first = 16)` | buckets are counted from here: a space of their own for a new layout in an old table |
//! | `salt(.., hash = fnv1a)` | the hash: `fnv1a` (without), `crc32`, `murmur3`, `java31`, or `modulo` for an unsigned number itself: `salt(buckets = 100, of = (id), hash = modulo)` is the partition `id % 100` |
//! | `salt(random, buckets = 16)` | a bucket chosen by the writer: `encode_salted(n)`, `salted(n)`; such rows are scanned, never got |
//! | `hash_prefix(md5, hex = 5, of = (a))` | the first hex digits of the MD5 of the fields named, in front |
//! | `hash_prefix(md5, bytes = 8, of = (a))` | the first bytes of it |
//! | `hash_prefix(.., sep = '\|')` | a separator behind the hash |
//! | `text(sep = '\|')` | each text field but the last ends in this separator, unless it says otherwise |
//! | `shared(a, b)` | on an enum: the fields all kinds of rows start with |
//! | `tag = u16` | on an enum: the type of the tag, `u8` (without), `u16`, `u32` |
//! | `versions` | on an enum: each variant holds the key of one layout of the table; see below |
//! | `ord` | implements `Ord` and `PartialOrd`: keys sort as their rows do, salt and hash in front included; a key that has no row sorts last, and keys of one row by their fields. It needs `Eq`, and `Ord` of the fields' types; a derived `Ord` would sort by value, which is another order for reversed and hashed fields |
//! | `table = "events"` | the table these keys are for, in the schema |
//! | `compat = "phoenix"` | whose bytes the fields have: `native` (the default), `hbase` (`Bytes.toBytes`), `hbase_ordered` (`OrderedBytes` in a `Struct`), `phoenix` (columns of a primary key), `bigtable` (a key schema); what they cannot hold does not compile |
//! | `version = 2` | the version of the layout, in the schema |
//! | `lock = "schema/events.key"` | stops the build when the layout is not the one in this file of the package, which `TALLROW_LOCK=overwrite cargo test` writes; names may change |
//! | `max = 64` | stops the build when the fields of known width alone take more bytes |
//! | `allow(..)` | `hot_lead`: a first field that grows with time, by its attributes (an error) or its name (a warning); `grouped`: a separator that breaks the order; `long`: more than 100 bytes |
//! | `crate = "path"` | where the library is, when the dependency is renamed |
//!
//! On a field, `#[key(..)]`:
//!
//! | attribute | on | meaning |
//! |---|---|---|
//! | `escaped` | text, bytes | any content; 00 as 00 FF, ended by 00 01 |
//! | `end = 0` | text, bytes | ended by 00, holds none |
//! | `width = 16` | text, bytes | at most so many bytes, filled up with 00 |
//! | `pad = ' '` | with `width` | filled up with this instead, which must sort below all the field holds |
//! | `sep = '\|'` | text | ended by this separator, holds none |
//! | `chars = "a-z0-9_"` | text | only these characters |
//! | `reverse` | text | last character first; with `width`, `escaped` or as the last field |
//! | `rev_ts` | `i64`, `u64` | `i64::MAX - time`: newest first |
//! | `rev_ts = "not"` | `u64` | all bits inverted: newest first |
//! | `digits = 11` | `u8`..`u128` | decimal digits, zeros in front; with `reverse` last digit first |
//! | `raw_be` | `i8`..`i128` | plain two's complement, as `Bytes.toBytes`; negatives refused |
//! | `floor = 3600` | numbers | the largest multiple of this not above the number; `locate()` gives the row and the rest |
//! | `marked` | `Vec<T>` | 01 before each item and 00 behind the last, so that a field may follow; the other attributes are those of the items, `desc` apart |
//! | `time`, `time = "s"`, `"us"` | numbers | milliseconds, seconds, microseconds since 1970: shown as dates; changes no byte |
//! | `desc` | anything | largest first: all bytes inverted |
//! | `md5`, `md5(bytes = 8)`, `md5(hex = 8)` | text, bytes, integers | the MD5, its first bytes, its first hex digits |
//! | `rising` | anything | the values grow as time goes by (ids, times), which matters for the lints |
//!
//! Type and const parameters, `struct At<T> { id: T, at: i64 }`: the derive asks of what they stand for what it
//! asks of any field, so that no bound has to be written. Such a key encodes to a `RowBuf` and always to a
//! `Result`; a text that a parameter stands for is scanned for as a whole. Code that is itself generic over
//! such keys asks for `At<T>: RowKey`.
//!
//! A layout that has rows never changes. A later one is a type of its own, and an enum of both reads whatever
//! row there is, `#[row_key(versions)] enum Event { V1(EventV1), V2(EventV2) }`. It compiles only if no row could be
//! of two versions: salts of other buckets (`first`), hex digits of a hash behind them, or two fixed lengths.
//! `Event::v1_rows(EventV1::scan()..)` makes the scan of a version one of the enum, `Event::scan()` is one of all its
//! rows. New rows are written as `V2`; readers scan both, until the rows of `V1` have been rewritten or have expired.
//!
//! # `#[derive(Table)]`
//!
//! On a struct with named fields: the row key, and the cells of a row. On an enum: each variant holds the row type of one
//! record of the key.
//!
//! On the type:
//!
//! | attribute | meaning |
//! |---|---|
//! | `#[table(name = "ns:table")]` | the table, which this type defines |
//! | `#[family("d")]` | a family of it; one for each, with its options behind the name |
//! | `#[table(projection_of = Book)]` | the type reads a part of the rows of `Book`, and is not written |
//! | `#[table(part_of = Shop, record = ShopKey::Order)]` | the rows of one record of the key, a variant of the enum `Shop` |
//! | `#[table(check = path)]` | a function `fn(&Row) -> Result<(), impl Display>`, asked before a put |
//! | `#[table(crate = "path")]` | where the library is, when the dependency is renamed |
//!
//! On a field:
//!
//! | attribute | field | meaning |
//! |---|---|---|
//! | `#[key]` | a type with `#[derive(RowKey)]` | the row key; of a record: each field of the variant |
//! | `#[cell("d:t")]` | a value, `Option` of one, `Counter` | the newest version of a column: family and qualifier |
//! | `#[cell("d:t", history)]`, `history = 5` | `Versions<V>` | all versions that are kept, or so many; not written |
//! | `#[cell("d:t", timestamp)]` | `Timestamp`, `Option` of it | when the newest was written; not written |
//! | `#[cell("d:v", version)]` | `u64` | a number that a put must find as it was read, and counts up |
//! | `#[cells("d:*")]`, `#[cells("d:p/*")]` | `BTreeMap<Q, V>`, `Vec<(Q, V)>` | a family, or those of its qualifiers that start so |
//! | `#[flatten]`, `#[flatten(family = "d", prefix = "h_")]` | a type with `#[derive(CellGroup)]`, `Option` of it | its cells, here |
//! | none, or `#[cell(rename = title)]` | as in the table's type | of a projection: the field of that name |
//!
//! A cell that is written, a map of cells and a group have a constant each, `Book::TITLE` for `title`; a field whose
//! constant would hide one of the trait (`TABLE`, `COLUMNS`, `RANGES`, `VERSIONS`) is an error.
//!
//! Options of a cell's value:
//!
//! | option | meaning |
//! |---|---|
//! | `codec = json` | its bytes: `json`, `cbor`, `ordered`, `protobuf`, or the path of a codec; also of `history` and `cells` |
//! | `default`, `default = expr` | what an absent cell stands for |
//! | `range = 0.0..=1e6` | a value outside is not written |
//! | `check = path` | a function `fn(&V) -> Result<(), impl Display>`, asked before a value is written |
//!
//! Options of a family:
//!
//! | option | meaning |
//! |---|---|
//! | `versions = 3`, `min_versions = 1` | how many versions are kept, and how many although they are too old |
//! | `ttl = 86400`, `ttl = "30d"` | how long cells live: seconds, or `s`, `m`, `h`, `d` |
//! | `keep_deleted_cells = true`, `"ttl"` | whether deleted cells can be read by a time range |
//! | `bloom = "row"` | `none`, `row`, `rowcol` |
//! | `compression = "gz"` | `none`, `gz`, `snappy`, `lz4`, `zstd` |
//! | `data_block_encoding = "diff"` | `none`, `prefix`, `diff`, `fast_diff`, `row_index_v1` |
//! | `block_size = 8192`, `in_memory = true` | size of a block in bytes; whether blocks stay in memory |
//! | `scope = 1` | whether the family is replicated to other clusters |
//! | `alias = "details"` | a name that cells of this type may use for it; it is not stored |
//!
//! # `#[derive(CellGroup)]`
//!
//! On a struct with named fields, all of them cells: a group that row types share with `#[flatten]`.

mod kernel;
mod row_key;
mod table;
#[cfg(feature = "testing")]
mod testing;

use proc_macro::TokenStream;

/// Derives `tallrow::RowKey`: the row key of a struct, its scan builder and its prefix handle.
///
/// The attributes are in the crate documentation.
#[proc_macro_derive(RowKey, attributes(row_key, key))]
pub fn derive_row_key(input: TokenStream) -> TokenStream {
    row_key::derive(input.into(), "::tallrow").into()
}

/// [`RowKey`] for those who use `tallrow-codec` alone, which re-exports it as `RowKey`.
#[proc_macro_derive(CodecRowKey, attributes(row_key, key))]
pub fn derive_codec_row_key(input: TokenStream) -> TokenStream {
    row_key::derive(input.into(), "::tallrow_codec").into()
}

/// Derives `tallrow::Table`: rows of a table as values of a struct.
///
/// The attributes are in the crate documentation.
#[proc_macro_derive(Table, attributes(table, family, key, cell, cells, flatten))]
pub fn derive_table(input: TokenStream) -> TokenStream {
    table::derive(input.into()).into()
}

/// Derives `tallrow::CellGroup`: cells that several row types share.
///
/// The attributes are in the crate documentation.
#[proc_macro_derive(CellGroup, attributes(table, family, key, cell, cells, flatten))]
pub fn derive_cells(input: TokenStream) -> TokenStream {
    table::derive_group(input.into()).into()
}

/// Writes the tests of `test_row_key!`, which passes the path of the library on.
#[cfg(feature = "testing")]
#[proc_macro]
pub fn test_row_key(input: TokenStream) -> TokenStream {
    testing::expand(input.into()).into()
}

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
//! On an enum, each variant is a record type of one table. A row key starts with the fields that all variants
//! share, then comes the tag of the variant, `#[key(tag = 1)]` or `#[key(tag = b'o')]`, then the variant's
//! own fields. The scan builder and the prefix handle choose a variant with a method named after it,
//! `order_rows()` for `Order`.
//!
//! On the type, `#[row_key(..)]`:
//!
//! | attribute | meaning |
//! |---|---|
//! | `salt(buckets = 16)` | prepends a bucket number, from a hash of the whole key |
//! | `salt(buckets = 16, fields = (a, b))` | the same, from the encoded bytes of these fields |
//! | `salt(.., width = 2)` | the bucket number takes 2 bytes; the default is 1, for up to 256 buckets |
//! | `salt(.., bucket_offset = 16)` | the number of the first bucket: separate buckets for a new layout in an existing table |
//! | `salt(.., hash = fnv1a)` | the hash function: `fnv1a` (the default), `crc32`, `murmur3`, `java_arrays_hash` (`Arrays.hashCode`), or `modulo` for an unsigned number itself: `salt(buckets = 100, fields = (id), hash = modulo)` is the partition `id % 100` |
//! | `salt(random, buckets = 16)` | the writer chooses the bucket: `encode_salted(n)`, `salted(n)`; such rows can be scanned, but not read by their key |
//! | `hash_prefix(md5, hex = 5, fields = (a))` | prepends the first hex digits of the MD5 of these fields |
//! | `hash_prefix(md5, bytes = 8, fields = (a))` | prepends its first bytes |
//! | `hash_prefix(.., sep = '\|')` | adds a separator after the hash |
//! | `text_sep = '\|'` | each text field except the last ends with this separator, unless the field has its own |
//! | `shared(a, b)` | on an enum: the fields that all variants start with |
//! | `tag_type = u16` | on an enum: the type of the tags, `u8` (the default), `u16` or `u32` |
//! | `layouts` | on an enum: each variant holds the key of one layout of the table; see below |
//! | `ord` | implements `Ord` and `PartialOrd`: keys sort as their rows do, including salt and hash; a key that cannot be encoded sorts last, and keys of one row sort by their fields. It needs `Eq`, and `Ord` of the fields' types. A derived `Ord` sorts by value, which differs for reversed and hashed fields |
//! | `table = "events"` | the table of these keys, in the schema |
//! | `compat = "phoenix"` | the compatibility target: `native` (the default), `hbase` (`Bytes.toBytes`), `hbase_ordered` (`OrderedBytes` in a `Struct`), `phoenix` (columns of a primary key), `bigtable` (a key schema); what a target cannot hold does not compile |
//! | `layout = 2` | the number of the layout, in the schema |
//! | `lock_file = "schema/events.key"` | the build fails when the layout differs from the one in this file of the package, which `TALLROW_LOCK=overwrite cargo test` writes; names may change |
//! | `max_fixed_len = 64` | the build fails when the fields of fixed width take more bytes in total |
//! | `allow(..)` | `hotspot`: a first field that grows with time, by its attributes (an error) or its name (a warning); `unsorted_text`: a separator that changes the order of texts; `long_key`: more than 100 bytes |
//! | `crate = "path"` | the path of the library, when the dependency is renamed |
//!
//! On a field, `#[key(..)]`:
//!
//! | attribute | on | meaning |
//! |---|---|---|
//! | `escaped` | text, bytes | any content; 00 as 00 FF, ends with 00 01 |
//! | `nul_terminated` | text, bytes | ends with 00 and contains none |
//! | `width = 16` | text, bytes | at most 16 bytes, padded with 00 |
//! | `pad = ' '` | with `width` | another padding byte, which must sort below all bytes of the field |
//! | `sep = '\|'` | text | ends with this separator and contains none |
//! | `chars = "a-z0-9_"` | text | only these characters |
//! | `reverse` | text | last character first; with `width`, `escaped` or as the last field |
//! | `rev_ts` | `i64`, `u64` | `i64::MAX - time`: newest first |
//! | `rev_ts = "inverted"` | `u64` | all bits inverted: newest first |
//! | `digits = 11` | `u8`..`u128` | decimal digits with leading zeros; with `reverse` last digit first |
//! | `raw_be` | `i8`..`i128` | big-endian two's complement, as `Bytes.toBytes`; negative numbers are an error |
//! | `floor = 3600` | numbers | the largest multiple of this that is not greater; `locate()` gives the row and the remainder |
//! | `terminated` | `Vec<T>` | 01 before each item and 00 after the last, so that another field may follow; the other attributes apply to the items, except `desc` |
//! | `display_time`, `display_time = "s"`, `"us"` | numbers | milliseconds, seconds, microseconds since 1970, shown as dates; does not change the bytes |
//! | `desc` | anything | largest first: all bytes inverted |
//! | `md5`, `md5(bytes = 8)`, `md5(hex = 8)` | text, bytes, integers | the MD5, its first bytes, its first hex digits |
//! | `monotonic` | anything | the values grow with time (sequential ids, times): triggers the `hotspot` lint |
//!
//! A key may have type and const parameters, `struct At<T> { id: T, at: i64 }`. The derive adds the bounds that the
//! fields need. Such a key always encodes to a `Result` with a `RowBuf`, and a text parameter has no prefix scan.
//! Code that is itself generic over such keys requires `At<T>: RowKey`.
//!
//! A layout that has rows never changes. A new layout is another type, and an enum of both reads any row,
//! `#[row_key(layouts)] enum Event { V1(EventV1), V2(EventV2) }`. It compiles only if no row can belong to
//! two layouts: their salts use different buckets (`bucket_offset`), one has hex digits of a hash where the other has a
//! salt, or both have different fixed lengths. `Event::v1_rows(EventV1::scan()..)` turns the scan of one layout into a scan of
//! the enum, and `Event::scan()` reads all rows. Write new rows as `V2` and read both, until the rows of `V1` have been
//! rewritten or have expired.
//!
//! # `#[derive(Table)]`
//!
//! On a struct with named fields: the row key and the cells of a row. On an enum: each variant holds the row type of one
//! variant of the key.
//!
//! On the type:
//!
//! | attribute | meaning |
//! |---|---|
//! | `#[table(name = "ns:table")]` | the table, which this type defines |
//! | `#[family("d")]` | one of its column families, followed by its options |
//! | `#[table(projection_of = Book)]` | the type reads a part of the rows of `Book`, and cannot be written |
//! | `#[table(variant_of = Shop, key_variant = ShopKey::Order)]` | the rows of one variant of the key, held by a variant of the enum `Shop` |
//! | `#[table(validate = path)]` | a function `fn(&Row) -> Result<(), impl Display>` that is called before a put |
//! | `#[table(crate = "path")]` | the path of the library, when the dependency is renamed |
//!
//! On a field:
//!
//! | attribute | field | meaning |
//! |---|---|---|
//! | `#[key]` | a type with `#[derive(RowKey)]` | the row key; with `key_variant`: each field of the variant |
//! | `#[cell("d:t")]` | a value, `Option` of one, `Counter` | the newest version of a column: family and qualifier |
//! | `#[cell("d:t", versions)]`, `versions = 5` | `Versions<V>` | all versions that are kept, or the newest 5; not written |
//! | `#[cell("d:t", timestamp)]` | `Timestamp`, `Option` of it | the time of the newest version; not written |
//! | `#[cell("d:v", row_version)]` | `u64` | a number for optimistic locking: a put fails unless it is unchanged, and increments it |
//! | `#[cells("d:*")]`, `#[cells("d:p/*")]` | `BTreeMap<Q, V>`, `Vec<(Q, V)>` | all columns of a family, or those whose qualifiers have the prefix |
//! | `#[flatten]`, `#[flatten(family = "d", prefix = "h_")]` | a type with `#[derive(CellGroup)]`, `Option` of it | the cells of the group |
//! | none, or `#[cell(field = title)]` | as in the table's type | of a projection: the field of that name |
//!
//! A cell that is written, a map of cells and a group have a constant each, `Book::TITLE` for `title`; a field whose
//! constant would hide one of the trait (`TABLE`, `COLUMNS`, `RANGES`, `VERSIONS`) is an error.
//!
//! Options of a cell's value:
//!
//! | option | meaning |
//! |---|---|
//! | `codec = json` | its bytes: `json`, `cbor`, `ordered`, `protobuf`, or the path of a codec; also with `versions` and for `cells` |
//! | `default`, `default = expr` | the value of an absent cell |
//! | `range = 0.0..=1e6` | a value outside is not written |
//! | `validate = path` | a function `fn(&V) -> Result<(), impl Display>` that is called before a value is written |
//!
//! Options of a family:
//!
//! | option | meaning |
//! |---|---|
//! | `versions = 3`, `min_versions = 1` | how many versions are kept, and how many although they are older than `ttl` |
//! | `ttl = 86400`, `ttl = "30d"` | how long cells live: seconds, or `s`, `m`, `h`, `d` |
//! | `keep_deleted_cells = true`, `"ttl"` | whether deleted cells can be read by a time range |
//! | `bloom = "row"` | `none`, `row`, `rowcol` |
//! | `compression = "gz"` | `none`, `gz`, `snappy`, `lz4`, `zstd` |
//! | `data_block_encoding = "diff"` | `none`, `prefix`, `diff`, `fast_diff`, `row_index_v1` |
//! | `block_size = 8192`, `in_memory = true` | size of a block in bytes; whether blocks stay in memory |
//! | `replication_scope = 1` | whether the family is replicated to other clusters |
//! | `as = "details"` | a name for the family in the attributes of this type; it is not stored |
//!
//! # `#[derive(CellGroup)]`
//!
//! On a struct with named fields, all of them cells: a group that row types share with `#[flatten]`.

#[cfg_attr(not(feature = "table"), allow(dead_code, unused_imports))]
mod kernel;
mod row_key;
#[cfg(feature = "table")]
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
#[cfg(feature = "table")]
#[proc_macro_derive(Table, attributes(table, family, key, cell, cells, flatten))]
pub fn derive_table(input: TokenStream) -> TokenStream {
    table::derive(input.into()).into()
}

/// Derives `tallrow::CellGroup`: cells that several row types share.
///
/// The attributes are in the crate documentation.
#[cfg(feature = "table")]
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
